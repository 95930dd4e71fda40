//! Declarations of kernels, and the assertions in CUDA C++ that compare them.

#![allow(unsafe_code)]

use crate::context::Context;
use crate::error::Result;
use crate::launch::{self, ArgumentKind, Kernel, KernelArg, compare_signatures};
use crate::list::CollectVec;
use crate::memory::DevicePtr;
use crate::nvrtc::{CppStandard, Program, SourceModule, Version};
use core::any::TypeId;
use core::fmt::Write;

/// Templates of the assertions. The text opens a block, which [`Declarations::program`] closes.
const TEMPLATES: &str = include_str!("compare.cuh");

/// A number in Rust and in C++.
#[derive(Debug, Clone, Copy)]
struct Number {
    cpp: &'static str,
    /// The bits of `cuda_rt_number` that this number may have.
    kind: u32,
    size: usize,
}

/// Bits of `cuda_rt_number`.
const BOOL: u32 = 1;
const SIGNED: u32 = 2;
const UNSIGNED: u32 = 4;
const FLOAT: u32 = 8;
const INTEGER: u32 = BOOL | SIGNED | UNSIGNED;

impl Number {
    fn of<T: 'static>() -> Option<Number> {
        let all = [
            (TypeId::of::<bool>(), "bool", BOOL),
            (TypeId::of::<i8>(), "signed char", SIGNED),
            (TypeId::of::<i16>(), "short", SIGNED),
            (TypeId::of::<i32>(), "int", SIGNED),
            (TypeId::of::<i64>(), "long long", SIGNED),
            (TypeId::of::<isize>(), "ptrdiff_t", SIGNED),
            (TypeId::of::<u8>(), "unsigned char", UNSIGNED),
            (TypeId::of::<u16>(), "unsigned short", UNSIGNED),
            (TypeId::of::<u32>(), "unsigned", UNSIGNED),
            (TypeId::of::<u64>(), "unsigned long long", UNSIGNED),
            (TypeId::of::<usize>(), "size_t", UNSIGNED),
            (TypeId::of::<f32>(), "float", FLOAT),
            (TypeId::of::<f64>(), "double", FLOAT),
        ];
        let (_, cpp, kind) = all.into_iter().find(|(id, ..)| *id == TypeId::of::<T>())?;
        Some(Number { cpp, kind, size: size_of::<T>() })
    }
}

/// Pointer types that a parameter may have.
#[derive(Debug, Clone, Copy)]
enum Access {
    /// `const T *`
    Read,
    /// `T *`
    Write,
    /// `const T *` or `T *`
    Either,
}

/// Type in C++ that a declaration expects.
#[derive(Debug, Clone, Copy)]
enum Expected {
    Number(Number),
    /// Another value, with the size and the alignment of the argument.
    Value {
        kind: ArgumentKind,
        has_addresses: bool,
    },
    /// A pointer to numbers.
    ToNumbers(Access, Number),
    /// A pointer to elements of this size. 0 if the size is unknown.
    ToElements(Access, usize),
}

/// A parameter, as the program declares it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Parameter {
    name: &'static str,
    /// Rust type in the form of the program.
    given: &'static str,
    /// Line in the Rust file, from 1. 0 if it is unknown.
    line: u32,
    argument: launch::Parameter,
    expected: Expected,
}

impl Parameter {
    /// Returns a parameter that is passed by value.
    #[doc(hidden)]
    pub fn value<T: KernelArg + 'static>(name: &'static str, given: &'static str, line: u32) -> Parameter {
        let argument = argument::<T>();
        let expected = match Number::of::<T>() {
            Some(number) => Expected::Number(number),
            None => Expected::Value { kind: T::KIND, has_addresses: T::HAS_ADDRESSES },
        };
        Parameter { name, given, line, argument, expected }
    }

    /// Returns a parameter of type `&[T]`.
    #[doc(hidden)]
    pub fn read<T: 'static>(name: &'static str, given: &'static str, line: u32) -> Parameter {
        Parameter::pointer::<T>(name, given, line, Access::Read)
    }

    /// Returns a parameter of type `&mut [T]`.
    #[doc(hidden)]
    pub fn write<T: 'static>(name: &'static str, given: &'static str, line: u32) -> Parameter {
        Parameter::pointer::<T>(name, given, line, Access::Write)
    }

    /// Returns a parameter of type `DevicePtr<T>`, or one that the kernel only reads although its C++ type is not `const`.
    #[doc(hidden)]
    pub fn address<T: 'static>(name: &'static str, given: &'static str, line: u32) -> Parameter {
        Parameter::pointer::<T>(name, given, line, Access::Either)
    }

    fn pointer<T: 'static>(name: &'static str, given: &'static str, line: u32, access: Access) -> Parameter {
        let expected = match Number::of::<T>() {
            Some(number) => Expected::ToNumbers(access, number),
            None => Expected::ToElements(access, size_of::<T>()),
        };
        Parameter { name, given, line, argument: argument::<DevicePtr<T>>(), expected }
    }

    /// Returns a description of the C++ type.
    fn cpp(&self) -> String {
        match self.expected {
            Expected::Number(number) => format!("'{}' in C++", number.cpp),
            Expected::Value { kind, has_addresses } => {
                let launch::Parameter { size, align, allows_stricter_align, .. } = self.argument;
                let or_more = if allows_stricter_align { " or more" } else { "" };
                let Others { bits, may_be_address, text } = Others::of(kind, has_addresses, size);
                let mut but = if text.is_empty() { String::new() } else { format!(", and not {text}") };
                if !may_be_address {
                    but += if text.is_empty() { ", and not an address" } else { " or an address" };
                }
                if bits == BOOL {
                    but += ", and not 'bool'";
                }
                format!("of {}, aligned to {align}{or_more}{but}", bytes(size))
            }
            Expected::ToNumbers(Access::Read, number) => format!("'const {} *' in C++", number.cpp),
            Expected::ToNumbers(_, number) => format!("'{} *' in C++", number.cpp),
            Expected::ToElements(_, 0) => "an address".to_owned(),
            Expected::ToElements(_, size) => format!("the address of elements of {}", bytes(size)),
        }
    }

    /// Returns the parameters of the template of the assertion, their values for the type `of`, and the condition.
    fn condition(&self, of: &str) -> (&'static str, String, String) {
        const TYPE: &str = "class cuda_rt_type";
        const SIZED: &str = "class cuda_rt_type, unsigned cuda_rt_bytes";
        const ALIGNED: &str = "class cuda_rt_type, unsigned cuda_rt_bytes, unsigned cuda_rt_align";
        const IS_ADDRESS: &str = "cuda_rt_to<cuda_rt_type>::cuda_rt_access != 0";
        match self.expected {
            Expected::Number(Number { kind, size, .. }) => {
                let is_number = format!("(cuda_rt_number<cuda_rt_type>::cuda_rt_kind & {kind}u) != 0");
                (TYPE, of.to_owned(), format!("{is_number} && sizeof(cuda_rt_type) == {size}"))
            }
            Expected::Value { kind, has_addresses } => {
                let launch::Parameter { size, align, allows_stricter_align, .. } = self.argument;
                let comparison = if allows_stricter_align { ">=" } else { "==" };
                let arguments = format!("{of}, sizeof({of}), alignof({of})");
                let mut condition = format!("cuda_rt_bytes == {size} && cuda_rt_align {comparison} {align}");
                // `sizeof` of a reference is the size of its referent, but the kernel takes an address.
                condition += " && cuda_rt_reference<cuda_rt_type>::cuda_rt_kind == 0";
                let Others { bits, may_be_address, .. } = Others::of(kind, has_addresses, size);
                if bits != 0 {
                    condition += &format!(" && (cuda_rt_number<cuda_rt_type>::cuda_rt_kind & {bits}u) == 0");
                }
                if !may_be_address {
                    condition += " && cuda_rt_to<cuda_rt_type>::cuda_rt_access == 0";
                }
                (ALIGNED, arguments, condition)
            }
            Expected::ToNumbers(_, Number { kind, size, .. }) => {
                let to = "cuda_rt_to<cuda_rt_type>";
                let is_number =
                    format!("(({to}::cuda_rt_kind & {kind}u) != 0 && {to}::cuda_rt_bytes == {size})");
                (TYPE, of.to_owned(), format!("{IS_ADDRESS} && ({to}::cuda_rt_bytes == 0 || {is_number})"))
            }
            Expected::ToElements(_, 0) => (TYPE, of.to_owned(), IS_ADDRESS.to_owned()),
            Expected::ToElements(_, size) => (
                SIZED,
                format!("{of}, cuda_rt_to<{of}>::cuda_rt_bytes"),
                format!("{IS_ADDRESS} && (cuda_rt_bytes == 0 || cuda_rt_bytes == {size})"),
            ),
        }
    }

    /// Returns the allowed bits of `cuda_rt_access`, and advice for a pointer with other bits.
    fn access(&self) -> Option<(u32, &'static str)> {
        match self.expected {
            Expected::ToNumbers(Access::Read, _) | Expected::ToElements(Access::Read, _) => {
                Some((1, "the kernel may write it: declare '&mut [..]', or write '#[reads]' if it does not"))
            }
            Expected::ToNumbers(Access::Write, _) | Expected::ToElements(Access::Write, _) => {
                Some((2, "the kernel only reads it: declare '&[..]'"))
            }
            _ => None,
        }
    }
}

/// C++ types of the right size that a parameter must not have for a value.
struct Others {
    /// Bits of `cuda_rt_number`.
    bits: u32,
    may_be_address: bool,
    /// The numbers, for the error.
    text: &'static str,
}

impl Others {
    fn of(kind: ArgumentKind, has_addresses: bool, size: usize) -> Others {
        let (bits, text) = match kind {
            ArgumentKind::Bool => (0, ""),
            // The value can be another than those of `bool`.
            _ if size == 1 => (BOOL, ""),
            ArgumentKind::Integer => (FLOAT, "a floating-point number"),
            ArgumentKind::Float => (INTEGER, "an integer"),
            ArgumentKind::Address(_) => (INTEGER | FLOAT, "a number"),
            ArgumentKind::Numbers | ArgumentKind::Other => (0, ""),
        };
        Others { bits, may_be_address: has_addresses || size != size_of::<DevicePtr<u8>>(), text }
    }
}

fn argument<T: KernelArg>() -> launch::Parameter {
    launch::Parameter {
        size: size_of::<T>(),
        align: align_of::<T>(),
        allows_stricter_align: T::KIND.is_numbers(),
        name: core::any::type_name::<T>(),
    }
}

/// A kernel, as the program declares it.
#[doc(hidden)]
#[derive(Debug)]
pub struct DeclaredKernel {
    symbol: &'static str,
    arguments: Vec<launch::Parameter>,
}

impl DeclaredKernel {
    /// Finds the kernel in loaded code, and compares the number, the sizes and the offsets of its parameters.
    ///
    /// # Safety
    ///
    /// `A` has the types of the parameters that were declared.
    ///
    /// # Errors
    ///
    /// - Same as [`SourceModule::function`].
    /// - [`TypeMismatch`](crate::error::ErrorKind::TypeMismatch), with the first difference.
    /// - Same as [`Function::parameters`](crate::Function::parameters).
    #[doc(hidden)]
    pub unsafe fn find<A>(&self, module: &SourceModule) -> Result<Kernel<A>> {
        let function = module.function(self.symbol)?;
        if let Some(mismatch) = compare_signatures(&function.parameters()?, &self.arguments) {
            return Err(mismatch.into_error(self.symbol));
        }
        Ok(Kernel::of(function))
    }
}

/// The declarations of a program.
#[doc(hidden)]
#[derive(Debug)]
pub struct Declarations {
    /// The Rust file.
    file: &'static str,
    expressions: Vec<String>,
    assertions: String,
    count: usize,
}

impl Declarations {
    /// Makes the declarations of a Rust file, empty at first.
    #[doc(hidden)]
    pub fn new(file: &'static str) -> Declarations {
        Declarations { file, expressions: Vec::new(), assertions: String::new(), count: 0 }
    }

    /// Adds a kernel.
    #[doc(hidden)]
    pub fn kernel(&mut self, symbol: &'static str, line: u32, params: &[Parameter]) -> DeclaredKernel {
        let number = self.count;
        let about = format!("kernel '{symbol}'");
        let declared = params.len();
        let mut members = String::new();
        for (index, param) in params.iter().enumerate() {
            let of = format!("typename cuda_rt_nth<{index}, cuda_rt_types>::cuda_rt_type");
            let (parameters, arguments, condition) = param.condition(&of);
            let Parameter { name, given, .. } = param;
            let place = format!("{about}: parameter {} '{name}' is declared as '{given}'", index + 1);
            let mut assertions = assertion(&condition, &format!("{place}, {}", param.cpp()));
            if let Some((access, advice)) = param.access() {
                let is_right = format!("(cuda_rt_to<cuda_rt_type>::cuda_rt_access & {access}u) != 0");
                assertions += " ";
                assertions +=
                    &assertion(&format!("!({condition}) || {is_right}"), &format!("{place}; {advice}"));
            }
            let class = format!("cuda_rt_{number}_{}", index + 1);
            self.line(param.line, &format!("template <{parameters}> struct {class} {{ {assertions} }};"));
            // One mistake should be one error, so parameters are compared only if their number is right.
            let member =
                format!("cuda_rt_if<cuda_rt_takes == {declared}, {class}<{arguments}> >::cuda_rt_type");
            members += &format!(" typename {member} cuda_rt_{index};");
        }
        let count =
            format!("{about}: {declared} parameter{} declared; it takes another number", are(declared));
        let count = assertion(&format!("cuda_rt_takes == {declared}"), &count);
        self.line(
            line,
            &format!(
                "template <class cuda_rt_types, unsigned cuda_rt_takes = cuda_rt_types::cuda_rt_count> \
                 struct cuda_rt_{number} {{ {count}{members} }};"
            ),
        );
        self.line(line, &format!("template struct cuda_rt_{number}<decltype(cuda_rt_params({symbol}))>;"));
        self.count += 1;
        self.expressions.push(symbol.to_owned());
        DeclaredKernel { symbol, arguments: params.iter().map(|param| param.argument).collect_vec() }
    }

    /// Adds a variable of type `T` with elements of type `E`.
    #[doc(hidden)]
    pub fn variable<T: 'static, E: 'static>(&mut self, symbol: &'static str, line: u32, given: &str) {
        let number = self.count;
        let (size, align) = (size_of::<T>(), align_of::<T>());
        let mut condition = format!("cuda_rt_bytes == {size} && cuda_rt_align >= {align}");
        let mut of = String::new();
        if let Some(Number { cpp, kind, size }) = Number::of::<E>() {
            let element = "typename cuda_rt_element<cuda_rt_type>::cuda_rt_type";
            condition += &format!(
                " && (cuda_rt_number<{element}>::cuda_rt_kind & {kind}u) != 0 && sizeof({element}) == {size}"
            );
            of = format!(" of '{cpp}'");
        }
        let text =
            format!("variable '{symbol}' is declared as '{given}', {}{of}, aligned to {align}", bytes(size));
        let expression = symbol.trim_start_matches('&');
        self.line(
            line,
            &format!(
                "template <class cuda_rt_type, unsigned cuda_rt_bytes, unsigned cuda_rt_align> struct cuda_rt_{number} {{ {} }};",
                assertion(&condition, &text)
            ),
        );
        let kind = format!("decltype({expression})");
        self.line(
            line,
            &format!("template struct cuda_rt_{number}<{kind}, sizeof({kind}), alignof({kind})>;"),
        );
        self.count += 1;
        self.reference(symbol);
    }

    /// Adds a texture or surface reference.
    #[doc(hidden)]
    pub fn reference(&mut self, symbol: &'static str) {
        self.expressions.push(address(symbol));
    }

    /// Returns a program of a text with comparisons, whose name expressions are the declarations. `line` is the line of the Rust
    /// file at which the text begins, or 0.
    #[doc(hidden)]
    pub fn program(&self, source: &str, line: u32) -> Program {
        let mut text = self.position(line);
        text += source;
        if self.count != 0 {
            // A backslash at the end of the text joins it with the first of these lines.
            text += "\n\n#line 1 \"cuda-rt\"\n";
            text += TEMPLATES;
            text += &self.assertions;
            text += "}\n";
        }
        self.expressions.iter().fold(Program::new(text), Program::name_expression)
    }

    /// Adds a line to the assertions. The compiler reports it at a line of the Rust file.
    fn line(&mut self, line: u32, text: &str) {
        self.assertions += &self.position(line);
        self.assertions += text;
        self.assertions += "\n";
    }

    fn position(&self, line: u32) -> String {
        if line == 0 || self.file.is_empty() {
            return String::new();
        }
        format!("#line {line} {}\n", literal(self.file))
    }
}

/// Returns the name expression of a variable.
fn address(symbol: &str) -> String {
    if symbol.starts_with('&') { symbol.to_owned() } else { format!("&{symbol}") }
}

/// Returns the compiled name of a texture or surface reference.
#[doc(hidden)]
pub fn lowered<'m>(module: &'m SourceModule, symbol: &'m str) -> &'m str {
    module.compiled().lowered_name(&address(symbol)).unwrap_or(symbol)
}

/// Compiles a program for a context and loads it.
///
/// # Errors
///
/// Same as [`Program::compile_and_load`].
#[doc(hidden)]
pub fn load(context: &Context, program: Program) -> Result<SourceModule> {
    // An older compiler's default is C++98.
    let is_old = crate::nvrtc::version()? < Version::new(12, 0);
    let program = if is_old { program.with_default_standard(CppStandard::Cpp14) } else { program };
    program.compile_and_load(context)
}

fn assertion(condition: &str, text: &str) -> String {
    format!("static_assert({condition}, {});", literal(text))
}

/// Writes a text as a literal of C++.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            // Includes NUL and line breaks, which end a literal or a text.
            control if control.is_ascii_control() => {
                let _ = write!(literal, "\\{:03o}", u32::from(control));
            }
            // The compiler prints it as `?`.
            '`' => literal.push('\''),
            other => literal.push(other),
        }
    }
    literal + "\""
}

fn bytes(size: usize) -> String {
    format!("{size} byte{}", if size == 1 { "" } else { "s" })
}

fn are(count: usize) -> &'static str {
    if count == 1 { " is" } else { "s are" }
}
