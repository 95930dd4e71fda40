//! The ways in which a type passes a parameter.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, GenericArgument, Lifetime, PathArguments, Result, Type, TypeReference};

/// The way in which the Rust type of a parameter passes it.
pub(super) enum Passing<'i> {
    /// By value.
    Value(&'i Type),
    /// `&[T]`
    Read(&'i Type),
    /// `&mut [T]`
    Write(&'i Type),
}

impl<'i> Passing<'i> {
    /// Returns the way in which a type passes a parameter.
    pub(super) fn of(kind: &'i Type) -> Passing<'i> {
        match kind {
            Type::Reference(TypeReference { mutability, elem, .. }) => match (&**elem, mutability) {
                (Type::Slice(slice), None) => Passing::Read(&slice.elem),
                (Type::Slice(slice), Some(_)) => Passing::Write(&slice.elem),
                _ => Passing::Value(kind),
            },
            // The type comes from a declarative macro.
            Type::Group(group) => Passing::of(&group.elem),
            _ => Passing::Value(kind),
        }
    }

    /// Returns the type of the argument.
    pub(super) fn argument(&self, library: &TokenStream) -> TokenStream {
        match self {
            Passing::Value(kind) => kind.to_token_stream(),
            Passing::Read(element) | Passing::Write(element) => quote!(#library::DevicePtr<#element>),
        }
    }
}

/// Refuses lifetimes that a declaration cannot have, and references that are not slices.
///
/// # Errors
///
/// The first such lifetime or reference.
pub(super) fn check_lifetimes(kind: &Type) -> Result<()> {
    if let Type::Group(group) = kind {
        return check_lifetimes(&group.elem);
    }
    if let Type::Reference(reference) = kind {
        if let Passing::Value(_) = Passing::of(kind) {
            let text = "memory is passed by `&[..]` or `&mut [..]`";
            return Err(Error::new(reference.and_token.span, text));
        }
        if let Some(lifetime) = reference.lifetime.as_ref().filter(|lifetime| lifetime.ident != "_") {
            let text = format!("remove `{lifetime}`: memory is borrowed for the launch alone");
            return Err(Error::new(lifetime.span(), text));
        }
    }
    let mut refused = Ok(());
    for_each_lifetime(&mut kind.clone(), &mut |lifetime| {
        if refused.is_ok() && lifetime.ident != "_" && lifetime.ident != "static" {
            let text = format!("`{lifetime}` is not declared: write `'_`");
            refused = Err(Error::new(lifetime.span(), text));
        }
    });
    refused
}

/// Returns a type with a lifetime for each that the program leaves out.
pub(super) fn with_lifetime(kind: &Type, name: &str) -> Type {
    let mut kind = kind.clone();
    for_each_lifetime(&mut kind, &mut |lifetime| {
        if lifetime.ident == "_" {
            // The lifetime belongs to this expansion.
            *lifetime = Lifetime::new(name, Span::call_site().located_at(lifetime.span()));
        }
    });
    kind
}

/// Calls a function for each lifetime in a type, except in types of functions. References without a lifetime get `'_`.
fn for_each_lifetime(kind: &mut Type, visit: &mut dyn FnMut(&mut Lifetime)) {
    match kind {
        Type::Reference(TypeReference { and_token, lifetime, elem, .. }) => {
            visit(lifetime.get_or_insert_with(|| Lifetime::new("'_", and_token.span)));
            for_each_lifetime(elem, visit);
        }
        Type::Array(array) => for_each_lifetime(&mut array.elem, visit),
        Type::Slice(slice) => for_each_lifetime(&mut slice.elem, visit),
        Type::Group(group) => for_each_lifetime(&mut group.elem, visit),
        Type::Paren(paren) => for_each_lifetime(&mut paren.elem, visit),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|elem| for_each_lifetime(elem, visit)),
        Type::Path(path) => {
            for segment in &mut path.path.segments {
                let PathArguments::AngleBracketed(arguments) = &mut segment.arguments else { continue };
                for argument in &mut arguments.args {
                    match argument {
                        GenericArgument::Lifetime(lifetime) => visit(lifetime),
                        GenericArgument::Type(kind) => for_each_lifetime(kind, visit),
                        _ => {}
                    }
                }
            }
        }
        _ => {}
    }
}

/// Returns a type as the program writes it.
pub(super) fn written(kind: &Type) -> String {
    let mut text = kind.to_token_stream().to_string();
    for (from, to) in [
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ::", "::"),
        (":: ", "::"),
        ("& ", "&"),
        (" ,", ","),
        (" ;", ";"),
    ] {
        text = text.replace(from, to);
    }
    text
}

/// Returns the position of the first token of a type.
pub(super) fn span_of(kind: &Type) -> Span {
    kind.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
