//! The types of a kernel's parameters, from its mangled name in C++.

use super::input::Param;
use super::passing::{Passing, span_of};
use super::source::Ptx;
use cuda_ptx::Entry;
use cuda_ptx::mangle::{Builtin, Decoded, Type as Cpp, decode};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, Result, Type};

/// Returns the contents of a kernel's name if they agree with the PTX.
///
/// The types of parameters are used only if all of them have the sizes in the PTX: a `long` has 4 bytes if the compiler is for
/// Windows.
pub(super) fn decoded(entry: &Entry<'_>) -> Option<Decoded> {
    let decoded = decode(entry.name)?;
    let agrees = |(cpp, param): (&Cpp, &cuda_ptx::Param<'_>)| match size(cpp.unqualified()) {
        Some(size) => size == param.size,
        None => true,
    };
    (decoded.params.len() == entry.params.len() && decoded.params.iter().zip(&entry.params).all(agrees))
        .then_some(decoded)
}

fn size(cpp: &Cpp) -> Option<u64> {
    match cpp {
        Cpp::Builtin(builtin) => number(*builtin).map(|number| number.bytes),
        Cpp::Pointer(_) | Cpp::Reference(_) | Cpp::RvalueReference(_) => Some(8),
        _ => None,
    }
}

/// A number of C++ and of Rust.
struct Number {
    bytes: u64,
    is_float: bool,
    rust: &'static str,
}

/// Returns the Rust type of a fundamental type, on 64-bit systems other than Windows.
fn number(builtin: Builtin) -> Option<Number> {
    let rust = match builtin {
        Builtin::Bool => "bool",
        Builtin::Char | Builtin::SignedChar => "i8",
        Builtin::UnsignedChar => "u8",
        Builtin::Short => "i16",
        Builtin::UnsignedShort => "u16",
        Builtin::Int => "i32",
        Builtin::UnsignedInt => "u32",
        Builtin::Long | Builtin::LongLong => "i64",
        Builtin::UnsignedLong | Builtin::UnsignedLongLong => "u64",
        Builtin::Float => "f32",
        Builtin::Double => "f64",
        _ => return None,
    };
    named(rust)
}

/// Returns a number of Rust by its name.
fn named(name: &str) -> Option<Number> {
    let (bytes, rust) = match name {
        "bool" => (1, "bool"),
        "i8" => (1, "i8"),
        "u8" => (1, "u8"),
        "i16" => (2, "i16"),
        "u16" => (2, "u16"),
        "i32" => (4, "i32"),
        "u32" => (4, "u32"),
        "i64" => (8, "i64"),
        "u64" => (8, "u64"),
        "isize" => (8, "isize"),
        "usize" => (8, "usize"),
        "f32" => (4, "f32"),
        "f64" => (8, "f64"),
        _ => return None,
    };
    Some(Number { bytes, is_float: matches!(name, "f32" | "f64"), rust })
}

/// Compares the types of a kernel's parameters with those in its name.
///
/// # Errors
///
/// The first parameter that differs in one of these ways:
///
/// - The element types differ.
/// - It is an address in one, and a number in the other.
/// - Its declaration allows only reads, and its C++ type allows writes.
pub(super) fn check(params: &[Param], entry: &Entry<'_>, ptx: &Ptx) -> Result<()> {
    let Some(decoded) = decoded(entry) else { return Ok(()) };
    for (index, (param, cpp)) in params.iter().zip(&decoded.params).enumerate() {
        let cpp = cpp.unqualified();
        let wrong = |span: Span, text: String| {
            let place = format!(
                "kernel `{decoded}` ({}): parameter {} `{}` is `{cpp}`",
                ptx.line(entry.line),
                index + 1,
                param.name
            );
            Err(Error::new(span, format!("{place}; {text}")))
        };
        let passing = Passing::of(&param.kind);
        let span = span_of(&param.kind);
        match (pointee(cpp), &passing) {
            (None, Passing::Read(_) | Passing::Write(_)) if size(cpp).is_some() => {
                return wrong(span, "a slice is passed by its address".to_owned());
            }
            (None, Passing::Value(kind)) if size(cpp).is_some() && address_of(kind).is_some() => {
                return wrong(span, "`DevicePtr` is an address".to_owned());
            }
            (Some(_), Passing::Value(kind)) if primitive(kind).is_some() => {
                return wrong(span, format!("`{}` is a number", kind.to_token_stream()));
            }
            (Some(_), Passing::Value(Type::Array(kind))) if primitive(&kind.elem).is_some() => {
                return wrong(span, format!("`{}` is an array of numbers", kind.to_token_stream()));
            }
            (Some(of), Passing::Read(_))
                if !of.is_const() && !param.reads && !matches!(of.unqualified(), Cpp::Function { .. }) =>
            {
                return wrong(
                    span,
                    "the kernel may write it: declare `&mut [..]`, or write `#[reads]` if it does not"
                        .to_owned(),
                );
            }
            _ => {}
        }
        let element = match passing {
            Passing::Read(element) | Passing::Write(element) => Some(element),
            Passing::Value(kind) => address_of(kind),
        };
        if let (Some(of), Some(element)) = (pointee(cpp), element)
            && let Cpp::Builtin(builtin) = of.unqualified()
            && let (Some(wanted), Some(given)) = (number(*builtin), primitive(element))
            && (wanted.bytes, wanted.is_float) != (given.bytes, given.is_float)
        {
            let text = format!("`{}` is not `{}`, which is `{}`", given.rust, builtin.name(), wanted.rust);
            return wrong(span_of(element), text);
        }
    }
    Ok(())
}

/// Returns what a pointer or a reference names.
fn pointee(cpp: &Cpp) -> Option<&Cpp> {
    match cpp {
        Cpp::Pointer(of) | Cpp::Reference(of) | Cpp::RvalueReference(of) => Some(of),
        _ => None,
    }
}

/// Returns the number that a type is, if its name says so.
fn primitive(kind: &Type) -> Option<Number> {
    let Type::Path(path) = kind else { return None };
    named(&path.path.get_ident()?.to_string())
}

/// Returns the element type of a `DevicePtr`.
pub(super) fn address_of(kind: &Type) -> Option<&Type> {
    let Type::Path(path) = kind else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "DevicePtr")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(kind)) => Some(kind),
        _ => None,
    }
}

/// Returns the Rust type of a parameter, if its C++ type tells it.
pub(super) fn rust_type(library: &TokenStream, cpp: &Cpp) -> Option<TokenStream> {
    let primitive = |builtin: &Builtin| {
        let name = quote::format_ident!("{}", number(*builtin)?.rust);
        Some(quote!(::core::primitive::#name))
    };
    match cpp.unqualified() {
        Cpp::Builtin(builtin) => primitive(builtin),
        Cpp::Pointer(of) => match of.unqualified() {
            Cpp::Builtin(builtin) => primitive(builtin).map(|element| quote!(#library::DevicePtr<#element>)),
            _ => None,
        },
        _ => None,
    }
}
