//! How a type passes a parameter.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Type, TypeReference};

/// How the Rust type of a parameter passes it.
pub(super) enum Passing<'i> {
    /// By value.
    Value(&'i Type),
    /// `&[T]`
    Read(&'i Type),
    /// `&mut [T]`
    Write(&'i Type),
}

impl<'i> Passing<'i> {
    /// Returns how a type passes a parameter.
    pub(super) fn of(kind: &'i Type) -> Passing<'i> {
        match kind {
            Type::Reference(TypeReference { mutability, elem, .. }) => match (&**elem, mutability) {
                (Type::Slice(slice), None) => Passing::Read(&slice.elem),
                (Type::Slice(slice), Some(_)) => Passing::Write(&slice.elem),
                _ => Passing::Value(kind),
            },
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

/// Returns the place of the first token of a type.
pub(super) fn span_of(kind: &Type) -> Span {
    kind.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
