//! Decodes mangled names of C++ kernels to the qualified name and the types of the parameters.
//!
//! A CUDA C++ compiler names a kernel without `extern "C"` by the Itanium C++ ABI: `sims::step(float *, int)` is
//! `_ZN4sims4stepEPfi` in PTX. [`decode`] reads such names:
//!
//! ```
//! use cuda_ptx::mangle::{Builtin, Type, decode};
//!
//! let kernel = decode("_ZN4sims3sumIfLi256EEEvPKT_PS1_j").ok_or("no mangled name")?;
//! assert_eq!(kernel.name, "sims::sum<float, 256>");
//! assert_eq!(kernel.base, "sims::sum");
//! assert_eq!(kernel.params[0].to_string(), "const float *");
//! assert_eq!(kernel.params[2], Type::Builtin(Builtin::UnsignedInt));
//! assert_eq!(kernel.to_string(), "sims::sum<float, 256>(const float *, float *, unsigned int)");
//! # Ok::<(), &str>(())
//! ```
//!
//! A mangled name lacks some parts of a declaration:
//!
//! - The qualifiers of a parameter itself: `float *__restrict__ data` and `float *const data` are both `float *`.
//! - Names of `typedef`: a `cudaTextureObject_t` is an `unsigned long long`. A `size_t` is an `unsigned long`, or an
//!   `unsigned long long` if the host compiler is for Windows.
//! - The kind and the size of a named type.
//! - The size of `long`: 4 bytes if the host compiler is for Windows, else 8 bytes.

use std::fmt;

/// Limit of the nesting of types, and of names within names.
const MAX_DEPTH: u32 = 100;
/// Limit of the work for one name. Substitutions make short names of long types.
const MAX_WORK: usize = 1 << 20;

/// The name and the parameters of a C++ function.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded {
    /// The qualified name with its template arguments: `sims::sum<float, 256>`.
    ///
    /// An unnamed namespace is `(anonymous namespace)`. A template argument of an enumeration is written as `(Mode)1`. An
    /// integer of a type other than `int` is written as `16u` or `(char)65`, and a `bool` as `true` or `false`.
    pub name: String,
    /// The name without the template arguments of the function itself: `sims::sum`, or `Grid<float>::clear`.
    pub base: String,
    /// The types of the parameters, in order.
    pub params: Vec<Type>,
}

/// A type of C++. [`Display`](fmt::Display) writes it as C++ does: `const float *`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Type {
    /// A fundamental type.
    Builtin(Builtin),
    /// Class, structure, union or enumeration, or a compiler-specific type: the qualified name with its template
    /// arguments. The name does not tell which of these the type is.
    Named(String),
    /// Type of any kind, such as `float`, whose name depends on a template parameter. Examples are
    /// `Traits<float>::type` for `Traits<T>::type`, and `Box<float>` for `Wrapper<float>` if `Wrapper` is a parameter.
    Dependent(String),
    /// A pointer to a type.
    Pointer(Box<Type>),
    /// A reference to a type.
    Reference(Box<Type>),
    /// An rvalue reference to a type.
    RvalueReference(Box<Type>),
    /// Array. As a parameter, it occurs only behind a pointer or a reference.
    Array {
        /// The type of the elements.
        of: Box<Type>,
        /// Number of elements. `None` if the declaration does not state it.
        len: Option<u64>,
    },
    /// Function. As a parameter, it occurs only behind a pointer or a reference.
    Function {
        /// The type of the result.
        returns: Box<Type>,
        /// The types of the parameters, in order.
        params: Vec<Type>,
    },
    /// Type with at least one qualifier. Never an array, a function or a reference: qualifiers of an array belong to
    /// its elements.
    Qualified(Qualifiers, Box<Type>),
}

/// The qualifiers of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Qualifiers {
    /// `const`.
    pub is_const: bool,
    /// `volatile`.
    pub is_volatile: bool,
    /// `__restrict__`.
    pub is_restrict: bool,
}

/// Declares the fundamental types: variant, code in mangled names, and name in C++.
macro_rules! builtins {
    ($($variant:ident $code:literal $name:literal)*) => {
        /// A fundamental type of C++.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Builtin {$(
            #[doc = concat!("`", $name, "`.")]
            $variant,
        )*}

        impl Builtin {
            const ALL: &[(&str, Self)] = &[$(($code, Self::$variant)),*];

            /// Returns the name in C++.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
}

builtins! {
    Void "v" "void"
    Bool "b" "bool"
    Char "c" "char"
    SignedChar "a" "signed char"
    UnsignedChar "h" "unsigned char"
    Short "s" "short"
    UnsignedShort "t" "unsigned short"
    Int "i" "int"
    UnsignedInt "j" "unsigned int"
    Long "l" "long"
    UnsignedLong "m" "unsigned long"
    LongLong "x" "long long"
    UnsignedLongLong "y" "unsigned long long"
    Int128 "n" "__int128"
    UnsignedInt128 "o" "unsigned __int128"
    Float "f" "float"
    Double "d" "double"
    LongDouble "e" "long double"
    Float128 "g" "__float128"
    WideChar "w" "wchar_t"
    Char8 "Du" "char8_t"
    Char16 "Ds" "char16_t"
    Char32 "Di" "char32_t"
    NullPointer "Dn" "std::nullptr_t"
    Half "Dh" "__fp16"
    Float16 "DF16_" "_Float16"
    Bfloat16 "DF16b" "__bf16"
}

/// Decodes the mangled name of a C++ function, such as a kernel.
///
/// Reads the names that nvcc, NVRTC and clang give to functions and function templates. Removes nvcc's prefixes for
/// static functions in separate compilation, `__nv_static_…` and `_INTERNAL_…`.
///
/// Returns `None` if the name is not the mangled name of a function, or contains a construct that is not decoded. These
/// constructs are
///
/// - lambda expressions, unnamed types and types that are local to a function;
/// - operators, constructors, destructors and `const` member functions;
/// - expressions (`decltype`, arithmetic on template parameters) and constraints;
/// - template arguments that are addresses, floating-point numbers or null pointers;
/// - pointers to members, complex numbers, vectors of a compiler, and functions with `...` or `noexcept` as types;
/// - the abbreviations `Ss`, `Sb`, `Si`, `So` and `Sd` of types of the standard library, such as `std::string`.
///
/// Names with too deep nesting of types, or with a text that is too long, are not decoded either.
pub fn decode(name: &str) -> Option<Decoded> {
    let name = without_static_prefix(name).unwrap_or(name);
    let mut parser = Parser {
        rest: name.strip_prefix("_Z")?,
        nodes: vec![Node::Name(String::new())], // for a type that does not matter
        substitutions: Vec::new(),
        args: Vec::new(),
        depth: 0,
        in_expansion: false,
        work: 0,
    };
    let function = parser.name()?;
    let mut base = function;
    if let Node::Template(of, args) = parser.nodes.get(function)? {
        (base, parser.args) = (*of, args.clone());
        parser.ty()?; // only function templates name the type of their result
    }
    let mut params = Vec::new();
    while params.is_empty() || !parser.rest.is_empty() {
        params.push(parser.ty()?);
    }
    let Parser { nodes, args, .. } = &parser;
    let mut writer =
        Writer { nodes, args, work: 0, depth: 0, pack: None, used_param: false, dependent: false };
    let (mut name, mut base_name) = (String::new(), String::new());
    writer.name(function, &mut name)?;
    writer.name(base, &mut base_name)?;
    Some(Decoded { name, base: base_name, params: writer.params(&params)? })
}

/// Returns the name after nvcc's `__nv_static_<length>_<text of that length>_`.
fn without_static_prefix(name: &str) -> Option<&str> {
    let (length, rest) = name.strip_prefix("__nv_static_")?.split_once('_')?;
    rest.split_at_checked(length.parse().ok()?)?.1.strip_prefix('_')
}

/// An index of [`Parser::nodes`].
type Id = usize;

/// A part of a mangled name. Parts refer to earlier parts only.
enum Node<'s> {
    Name(String),
    Builtin(Builtin),
    /// A class or namespace, and the name of a member of it.
    Member(Id, Id),
    /// The name of a template, and its arguments.
    Template(Id, Vec<Id>),
    /// The template arguments of one parameter pack.
    Pack(Vec<Id>),
    /// A parameter of the function template.
    Param(usize),
    /// `pattern...`.
    Expansion(Id),
    /// An integer: its type and its digits, with a leading `n` if it is negative.
    Value(Id, &'s str),
    Qualified(Qualifiers, Id),
    Pointer(Id),
    Reference(Id),
    RvalueReference(Id),
    /// The type of the elements, and their number.
    Array(Id, Option<Id>),
    /// The type of the result, then those of the parameters.
    Function(Vec<Id>),
}

/// Reads a mangled name to nodes. A method that returns `None` ends the decoding.
struct Parser<'s> {
    rest: &'s str,
    nodes: Vec<Node<'s>>,
    /// Parts that `S_`, `S0_` and so on refer to.
    substitutions: Vec<Id>,
    /// Arguments of the function template, after its name is read.
    args: Vec<Id>,
    depth: u32,
    in_expansion: bool,
    /// Number of arguments of packs that were looked at.
    work: usize,
}

impl<'s> Parser<'s> {
    fn push(&mut self, node: Node<'s>) -> Id {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn peek(&self) -> Option<u8> {
        self.rest.bytes().next()
    }

    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        self.eat(token).then_some(())
    }

    fn take(&mut self, length: usize) -> Option<&'s str> {
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(text)
    }

    /// Reads a decimal number without leading zeros.
    fn digits(&mut self) -> Option<&'s str> {
        let text = self.take(self.rest.bytes().take_while(u8::is_ascii_digit).count())?;
        (text == "0" || !text.starts_with('0') && !text.is_empty()).then_some(text)
    }

    fn identifier(&mut self) -> Option<&'s str> {
        let length = self.digits()?.parse().ok()?;
        let text = self.take(length)?;
        let is_part =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
        (text.bytes().all(is_part) && !text.bytes().next()?.is_ascii_digit()).then_some(text)
    }

    /// Reads a name without qualification, with its ABI tags.
    fn simple_name(&mut self) -> Option<Id> {
        self.eat("L"); // internal linkage
        let text = self.identifier()?;
        let mut name = match text.strip_prefix("_GLOBAL_").is_some_and(|id| id.starts_with("_N")) {
            true => "(anonymous namespace)".to_owned(),
            false => text.to_owned(),
        };
        while self.eat("B") {
            let tag = self.identifier()?;
            name.push_str("[abi:");
            name.push_str(tag);
            name.push(']');
        }
        Some(self.push(Node::Name(name)))
    }

    /// Reads the name of a function or a class.
    fn name(&mut self) -> Option<Id> {
        if self.eat("N") {
            return self.nested_name();
        }
        let of = self.rest.starts_with("St").then(|| self.substitution());
        let name = self.simple_name()?;
        let id = match of {
            Some(of) => self.push(Node::Member(of?, name)),
            None => name,
        };
        if self.peek() != Some(b'I') {
            return Some(id);
        }
        self.substitutions.push(id);
        self.template(id)
    }

    /// Reads the rest of a qualified name, after its `N`.
    fn nested_name(&mut self) -> Option<Id> {
        let mut is_new = self.peek()? != b'S';
        let mut id = match self.peek()? {
            b'S' => self.substitution()?,
            b'T' => self.template_param(false)?,
            _ => {
                let name = self.simple_name()?;
                match self.nodes.get_mut(name)? {
                    // nvcc's namespace for the static items of a file.
                    Node::Name(text) if text.starts_with("_INTERNAL_") => text.clear(),
                    _ => {}
                }
                name
            }
        };
        // Every part except the whole name can be referred to. A substitution is in the table already.
        loop {
            if is_new {
                self.substitutions.push(id);
            }
            is_new = true;
            id = match self.peek()? {
                b'I' => self.template(id)?,
                _ => {
                    let name = self.simple_name()?;
                    self.push(Node::Member(id, name))
                }
            };
            if self.eat("E") {
                return Some(id);
            }
        }
    }

    /// Reads the template arguments of a name.
    fn template(&mut self, of: Id) -> Option<Id> {
        if !matches!(self.nodes.get(of)?, Node::Name(_) | Node::Member(..) | Node::Param(_)) {
            return None;
        }
        self.expect("I")?;
        let mut args = Vec::new();
        while !self.eat("E") {
            let arg = if self.eat("J") {
                let mut pack = Vec::new();
                while !self.eat("E") {
                    pack.push(self.template_arg()?);
                }
                self.push(Node::Pack(pack))
            } else {
                self.template_arg()?
            };
            args.push(arg);
        }
        Some(self.push(Node::Template(of, args)))
    }

    fn template_arg(&mut self) -> Option<Id> {
        let id = if self.eat("L") {
            let of = self.ty()?;
            let start = self.rest;
            self.eat("n");
            self.digits()?;
            let value = start.get(..start.len().checked_sub(self.rest.len())?)?;
            self.push(Node::Value(of, value))
        } else if self.eat("X") {
            let is_marked = self.eat("sp");
            let param = self.template_param(true)?;
            let Node::Param(index) = *self.nodes.get(param)? else { return None };
            let is_pack = matches!(self.nodes.get(*self.args.get(index)?)?, Node::Pack(_));
            // nvcc omits the mark of an expansion. Within another expansion, this is ambiguous.
            if is_pack && !is_marked && self.in_expansion {
                return None;
            }
            if is_pack { self.push(Node::Expansion(param)) } else { param }
        } else {
            return self.ty();
        };
        self.expect("E")?;
        Some(id)
    }

    /// Reads `T_`, `T0_` and so on. If `is_value`, the argument must be an integer or a pack of integers. Otherwise it
    /// must be a type or a pack of types.
    fn template_param(&mut self, is_value: bool) -> Option<Id> {
        self.expect("T")?;
        let index = self.index(10)?;
        let arg = self.args.get(index)?;
        let items = match self.nodes.get(*arg)? {
            Node::Pack(items) => items,
            _ => std::slice::from_ref(arg),
        };
        self.work += items.len();
        if self.work > MAX_WORK {
            return None;
        }
        let mut are_values = items.iter().map(|item| matches!(self.nodes.get(*item), Some(Node::Value(..))));
        are_values.all(|it| it == is_value).then(|| self.push(Node::Param(index)))
    }

    /// Reads an index: `_` is 0, `0_` is 1, and so on.
    fn index(&mut self, radix: u32) -> Option<usize> {
        if self.eat("_") {
            return Some(0);
        }
        let text = self.take(self.rest.find('_')?)?;
        let is_number = !text.starts_with(['0', '+']) || text == "0";
        let is_upper = !text.bytes().any(|byte| byte.is_ascii_lowercase());
        self.expect("_")?;
        usize::from_str_radix(text, radix).ok().filter(|_| is_number && is_upper)?.checked_add(1)
    }

    /// Reads a reference to an earlier part, or the short form of a name of the standard library.
    fn substitution(&mut self) -> Option<Id> {
        self.expect("S")?;
        let name = match self.peek()? {
            b't' => "std",
            b'a' => "std::allocator",
            _ => {
                let index = self.index(36)?;
                return self.substitutions.get(index).copied();
            }
        };
        self.take(1)?;
        Some(self.push(Node::Name(name.to_owned())))
    }

    /// Reads a type.
    fn ty(&mut self) -> Option<Id> {
        self.depth += 1;
        let id = if self.depth <= MAX_DEPTH { self.ty_of_any_depth() } else { None };
        self.depth -= 1;
        id
    }

    fn ty_of_any_depth(&mut self) -> Option<Id> {
        let code = self.peek()?;
        let node = match code {
            b'r' | b'V' | b'K' => {
                // In the order of the ABI.
                let (is_restrict, is_volatile, is_const) = (self.eat("r"), self.eat("V"), self.eat("K"));
                if matches!(self.peek()?, b'r' | b'V' | b'K') {
                    return None;
                }
                Node::Qualified(Qualifiers { is_const, is_volatile, is_restrict }, self.ty()?)
            }
            b'P' if self.eat("P") => Node::Pointer(self.ty()?),
            b'R' if self.eat("R") => Node::Reference(self.ty()?),
            b'O' if self.eat("O") => Node::RvalueReference(self.ty()?),
            b'A' if self.eat("A") => {
                let len = match self.peek()? {
                    b'_' => None,
                    b'T' => Some(self.template_param(true)?),
                    _ => {
                        let digits = self.digits()?;
                        Some(self.push(Node::Value(0, digits)))
                    }
                };
                self.expect("_")?;
                Node::Array(self.ty()?, len)
            }
            b'F' if self.eat("F") => {
                self.eat("Y"); // extern "C"
                let mut types = vec![self.ty()?];
                while types.len() < 2 || !self.eat("E") {
                    types.push(self.ty()?);
                }
                Node::Function(types)
            }
            b'u' if self.eat("u") => match self.identifier()? {
                "__bf16" => Node::Builtin(Builtin::Bfloat16),
                name => Node::Name(name.to_owned()),
            },
            b'D' if self.eat("Dp") => {
                let outer = std::mem::replace(&mut self.in_expansion, true);
                let of = self.ty()?;
                self.in_expansion = outer;
                Node::Expansion(of)
            }
            _ => return self.ty_without_node(code),
        };
        let id = self.push(node);
        self.substitutions.push(id);
        Some(id)
    }

    /// Reads a type that is a name, a template parameter, an earlier type or a fundamental type.
    fn ty_without_node(&mut self, code: u8) -> Option<Id> {
        let id = match code {
            b'T' | b'S' if !self.rest.starts_with("St") => {
                let id = if code == b'T' { self.template_param(false)? } else { self.substitution()? };
                if code == b'T' {
                    self.substitutions.push(id);
                }
                if self.peek() != Some(b'I') {
                    return Some(id);
                }
                self.template(id)?
            }
            b'N' | b'S' | b'0'..=b'9' => self.name()?,
            _ => {
                let (_, builtin) = Builtin::ALL.iter().find(|(code, _)| self.eat(code))?;
                return Some(self.push(Node::Builtin(*builtin)));
            }
        };
        self.substitutions.push(id);
        Some(id)
    }
}

/// Writes nodes as text and as types. A method that returns `None` ends the decoding.
struct Writer<'n, 's> {
    nodes: &'n [Node<'s>],
    args: &'n [Id],
    work: usize,
    depth: u32,
    /// In an expansion: the index in the pack, and the length of the packs found.
    pack: Option<(usize, Option<usize>)>,
    /// True after a template parameter.
    used_param: bool,
    /// True after a member of a class that depends on a template parameter.
    dependent: bool,
}

impl<'n, 's> Writer<'n, 's> {
    fn node(&mut self, id: Id) -> Option<&'n Node<'s>> {
        self.charge(1)?;
        self.nodes.get(id)
    }

    fn charge(&mut self, work: usize) -> Option<()> {
        self.work += work;
        (self.work <= MAX_WORK).then_some(())
    }

    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())
    }

    /// Returns the argument of a template parameter.
    fn param(&mut self, index: usize) -> Option<Id> {
        self.used_param = true;
        let id = *self.args.get(index)?;
        let Node::Pack(items) = self.node(id)? else { return Some(id) };
        let (index, length) = self.pack.as_mut()?;
        if *length.get_or_insert(items.len()) != items.len() {
            return None;
        }
        // Past the end of the pack any type is valid, because `list` drops the result.
        Some(items.get(*index).copied().unwrap_or(0))
    }

    /// Writes the elements of a list, those of packs and expansions one by one.
    fn list(&mut self, ids: &[Id], out: &mut Vec<Type>) -> Option<()> {
        for &id in ids {
            match self.node(id)? {
                Node::Pack(items) => self.list(items, out)?,
                Node::Expansion(pattern) => {
                    let outer = self.pack;
                    for index in 0.. {
                        self.pack = Some((index, None));
                        let item = self.ty(*pattern)?;
                        if index >= self.pack?.1? {
                            break;
                        }
                        out.push(item);
                    }
                    self.pack = outer;
                }
                _ => out.push(self.ty(id)?),
            }
        }
        Some(())
    }

    fn params(&mut self, ids: &[Id]) -> Option<Vec<Type>> {
        let mut params = Vec::new();
        self.list(ids, &mut params)?;
        if params == [Type::Builtin(Builtin::Void)] {
            params.clear();
        }
        // C++ turns functions and arrays by value into pointers.
        let is_value = |ty: &Type| match ty {
            Type::Builtin(builtin) => *builtin != Builtin::Void,
            ty => !matches!(ty, Type::Array { .. } | Type::Function { .. }),
        };
        params.iter().all(is_value).then_some(params)
    }

    /// Writes the name of a function or a class.
    fn name(&mut self, id: Id, out: &mut String) -> Option<()> {
        self.enter()?;
        match self.node(id)? {
            Node::Name(name) => {
                self.charge(name.len())?;
                out.push_str(name);
            }
            Node::Member(of, name) => {
                let (start, outer) = (out.len(), std::mem::take(&mut self.used_param));
                self.name(*of, out)?;
                self.dependent |= self.used_param;
                self.used_param |= outer;
                if out.len() > start {
                    out.push_str("::");
                }
                self.name(*name, out)?;
            }
            Node::Template(of, args) => {
                self.name(*of, out)?;
                let mut types = Vec::new();
                self.list(args, &mut types)?;
                let start = out.len();
                out.push('<');
                push_list(&types, out);
                out.push('>');
                self.charge(out.len() - start)?;
            }
            Node::Param(index) => {
                // A template argument that is a template can be an alias template, which stands for any type.
                self.dependent = true;
                let id = self.param(*index)?;
                self.name(id, out)?;
            }
            _ => return None,
        }
        self.depth -= 1;
        Some(())
    }

    /// Writes an integer that is a template argument.
    fn value(&mut self, of: Id, digits: &str) -> Option<String> {
        use Builtin::*;
        let ty = self.ty(of)?;
        let suffix = match ty {
            Type::Builtin(Bool) => {
                return Some(["false", "true"].get(digits.parse::<usize>().ok()?)?.to_string());
            }
            Type::Builtin(Int) => "",
            Type::Builtin(UnsignedInt) => "u",
            Type::Builtin(Long) => "l",
            Type::Builtin(UnsignedLong) => "ul",
            Type::Builtin(LongLong) => "ll",
            Type::Builtin(UnsignedLongLong) => "ull",
            Type::Builtin(
                Void | Float | Double | LongDouble | Float128 | NullPointer | Half | Float16 | Bfloat16,
            ) => return None,
            Type::Builtin(_) | Type::Named(_) => "cast",
            _ => return None,
        };
        self.charge(digits.len())?;
        let digits = digits.replace('n', "-");
        Some(if suffix == "cast" { format!("({ty}){digits}") } else { digits + suffix })
    }

    /// Writes a type.
    fn ty(&mut self, id: Id) -> Option<Type> {
        self.enter()?;
        let ty = self.ty_of_any_depth(id)?;
        self.depth -= 1;
        Some(ty)
    }

    fn ty_of_any_depth(&mut self, id: Id) -> Option<Type> {
        Some(match self.node(id)? {
            Node::Builtin(builtin) => Type::Builtin(*builtin),
            Node::Name(_) | Node::Member(..) | Node::Template(..) => {
                let (outer, mut text) = (std::mem::take(&mut self.dependent), String::new());
                self.name(id, &mut text)?;
                match std::mem::replace(&mut self.dependent, outer) {
                    true => Type::Dependent(text),
                    false => Type::Named(text),
                }
            }
            Node::Param(index) => {
                let id = self.param(*index)?;
                self.ty(id)?
            }
            Node::Pointer(of) => match self.ty(*of)? {
                Type::Reference(_) | Type::RvalueReference(_) => return None,
                ty => Type::Pointer(Box::new(ty)),
            },
            // References to references collapse. They come from template arguments.
            Node::Reference(of) => match self.ty(*of)? {
                Type::Reference(ty) | Type::RvalueReference(ty) => Type::Reference(ty),
                ty => Type::Reference(Box::new(ty)),
            },
            Node::RvalueReference(of) => match self.ty(*of)? {
                ty @ (Type::Reference(_) | Type::RvalueReference(_)) => ty,
                ty => Type::RvalueReference(Box::new(ty)),
            },
            Node::Qualified(qualifiers, of) => self.ty(*of)?.qualified(*qualifiers)?,
            Node::Array(of, len) => {
                let len = match len {
                    Some(id) => Some(self.array_length(*id)?),
                    None => None,
                };
                Type::Array { of: Box::new(self.ty(*of)?), len }
            }
            Node::Function(types) => {
                let (returns, params) = types.split_first()?;
                Type::Function { returns: Box::new(self.ty(*returns)?), params: self.params(params)? }
            }
            Node::Value(of, digits) => Type::Named(self.value(*of, digits)?),
            Node::Pack(_) | Node::Expansion(_) => return None,
        })
    }

    fn array_length(&mut self, id: Id) -> Option<u64> {
        match self.node(id)? {
            Node::Param(index) => match self.param(*index)? {
                0 => Some(0), // behind the end of a pack
                id => self.array_length(id),
            },
            Node::Value(_, digits) => digits.parse().ok(),
            _ => None,
        }
    }
}

impl Type {
    /// Returns the type without its own qualifiers: `float` for `const float`, but `const float *` for itself.
    pub fn unqualified(&self) -> &Self {
        match self {
            Self::Qualified(_, of) => of,
            ty => ty,
        }
    }

    /// Returns whether the type itself is `const`, as `const float` is and `const float *` is not.
    pub fn is_const(&self) -> bool {
        matches!(self, Self::Qualified(Qualifiers { is_const: true, .. }, _))
    }

    /// Adds qualifiers. Returns `None` for a function, which has other ones.
    fn qualified(self, qualifiers: Qualifiers) -> Option<Self> {
        Some(match self {
            Self::Function { .. } => return None,
            Self::Reference(_) | Self::RvalueReference(_) => self,
            Self::Array { of, len } => Self::Array { of: Box::new(of.qualified(qualifiers)?), len },
            Self::Qualified(inner, of) => {
                let is_const = inner.is_const | qualifiers.is_const;
                let is_volatile = inner.is_volatile | qualifiers.is_volatile;
                let is_restrict = inner.is_restrict | qualifiers.is_restrict;
                Self::Qualified(Qualifiers { is_const, is_volatile, is_restrict }, of)
            }
            ty => Self::Qualified(qualifiers, Box::new(ty)),
        })
    }

    /// Returns the declaration of a declarator of this type.
    fn declare(&self, declarator: String) -> String {
        let (of, sign) = match self {
            Self::Builtin(builtin) => return join(builtin.name(), &declarator),
            Self::Named(name) | Self::Dependent(name) => return join(name, &declarator),
            Self::Pointer(of) => (of, "*"),
            Self::Reference(of) => (of, "&"),
            Self::RvalueReference(of) => (of, "&&"),
            Self::Array { of, len } => {
                let len = len.map(|len| len.to_string()).unwrap_or_default();
                return of.declare(declarator + "[" + &len + "]");
            }
            Self::Function { returns, params } => {
                let mut text = declarator + "(";
                push_list(params, &mut text);
                return returns.declare(text + ")");
            }
            Self::Qualified(qualifiers, of) => {
                let mut words = String::new();
                let Qualifiers { is_const, is_volatile, is_restrict } = *qualifiers;
                for (is_set, word) in
                    [(is_restrict, "__restrict__"), (is_volatile, "volatile"), (is_const, "const")]
                {
                    if is_set {
                        words = join(word, &words);
                    }
                }
                return match **of {
                    Self::Pointer(_) => of.declare(join(&words, &declarator)),
                    _ => join(&words, &of.declare(declarator)),
                };
            }
        };
        let declarator = sign.to_owned() + &declarator;
        match **of {
            Self::Array { .. } | Self::Function { .. } => of.declare(["(", &declarator, ")"].concat()),
            _ => of.declare(declarator),
        }
    }
}

fn join(left: &str, right: &str) -> String {
    [left, if right.is_empty() { "" } else { " " }, right].concat()
}

fn push_list(types: &[Type], out: &mut String) {
    for (index, ty) in types.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        out.push_str(&ty.declare(String::new()));
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.declare(String::new()))
    }
}

impl fmt::Display for Decoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut params = String::new();
        push_list(&self.params, &mut params);
        f.write_fmt(format_args!("{}({params})", self.name))
    }
}
