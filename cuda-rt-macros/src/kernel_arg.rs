//! `#[derive(KernelArg)]`.

// It writes `unsafe impl` for the program.
#![allow(unsafe_code)]

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Error, Fields, Index, Member, Result, Type, parse_quote};

/// Returns the implementation for a structure.
///
/// # Errors
///
/// The first reason why the structure cannot be a kernel argument.
pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let name = &input.ident;
    check_layout(&input)?;
    let Data::Struct(data) = &input.data else {
        let text = format!("`{name}` is no structure: only a structure of kernel arguments can be derived");
        return Err(Error::new(name.span(), text));
    };
    if data.fields.is_empty() {
        let text =
            format!("`{name}` has no fields: an empty structure has bytes in CUDA C, and none in Rust");
        return Err(Error::new(name.span(), text));
    }
    let mut generics = input.generics.clone();
    let bounds = generics.make_where_clause();
    // If another field is no argument, the compiler says so where it is visited.
    let is_generic = |kind: &&Type| {
        let names: Vec<_> = input.generics.type_params().map(|parameter| &parameter.ident).collect();
        contains(kind.to_token_stream(), &names)
    };
    for kind in data.fields.iter().map(|field| &field.ty).filter(is_generic) {
        bounds.predicates.push(parse_quote!(#kind: ::cuda_rt::launch::KernelArg));
    }
    if input.generics.type_params().next().is_some() {
        // `derive(Clone, Copy)` asks the parameters to be `Copy`.
        let (_, arguments, _) = input.generics.split_for_impl();
        let bound = parse_quote!(#name #arguments: ::core::marker::Copy);
        generics.make_where_clause().predicates.push(bound);
    }
    let members = members(&data.fields);
    let (parameters, arguments, bounds) = generics.split_for_impl();
    Ok(quote! {
        // SAFETY: the structure is laid out as in C, and each of its fields is a kernel argument.
        #[automatically_derived]
        unsafe impl #parameters ::cuda_rt::launch::KernelArg for #name #arguments #bounds {
            fn visit_pointers(&self, visit: &mut dyn ::core::ops::FnMut(::cuda_rt::DevicePtr<()>)) {
                #(::cuda_rt::launch::KernelArg::visit_pointers(&self.#members, visit);)*
            }
        }
    })
}

/// Returns whether one of the names is among the tokens.
fn contains(tokens: TokenStream, names: &[&Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| **name == ident),
        TokenTree::Group(group) => contains(group.stream(), names),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Checks that a type is laid out as in C.
fn check_layout(input: &DeriveInput) -> Result<()> {
    let mut is_laid_out = false;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("packed") {
                return Err(meta.error("a packed structure is laid out as no type of CUDA C"));
            }
            is_laid_out |= meta.path.is_ident("C") || meta.path.is_ident("transparent");
            // The number of `align(8)`.
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<TokenStream>()?;
            }
            Ok(())
        })?;
    }
    if is_laid_out {
        return Ok(());
    }
    let name = &input.ident;
    let text = format!("`{name}` has no layout that C knows: add `#[repr(C)]` or `#[repr(transparent)]`");
    Err(Error::new(name.span(), text))
}

/// Returns the names or the numbers of fields.
fn members(fields: &Fields) -> Vec<Member> {
    let member = |(field, index): (&syn::Field, u32)| match &field.ident {
        Some(name) => Member::Named(name.clone()),
        None => Member::Unnamed(Index { index, span: Span::call_site() }),
    };
    fields.iter().zip(0..).map(member).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn refusal(input: TokenStream) -> String {
        expand(input).map(|tokens| tokens.to_string()).unwrap_err().to_string()
    }

    #[test]
    fn each_field_is_visited() {
        let tokens = expand(quote! {
            #[repr(C, align(16))]
            struct Pair<T: Copy, const N: usize> where T: Send { first: [T; N], second: u32 }
        });
        let expected = quote! {
            // SAFETY: the structure is laid out as in C, and each of its fields is a kernel argument.
            #[automatically_derived]
            unsafe impl<T: Copy, const N: usize> ::cuda_rt::launch::KernelArg for Pair<T, N>
            where
                T: Send,
                [T; N]: ::cuda_rt::launch::KernelArg,
                Pair<T, N>: ::core::marker::Copy
            {
                fn visit_pointers(&self, visit: &mut dyn ::core::ops::FnMut(::cuda_rt::DevicePtr<()>)) {
                    ::cuda_rt::launch::KernelArg::visit_pointers(&self.first, visit);
                    ::cuda_rt::launch::KernelArg::visit_pointers(&self.second, visit);
                }
            }
        };
        assert_eq!(tokens.unwrap().to_string(), expected.to_string());
        let tuple = expand(quote!(
            #[repr(transparent)]
            struct Wrapper<T>(T);
        ))
        .unwrap()
        .to_string();
        assert!(tuple.contains("self . 0"), "{tuple}");
    }

    #[test]
    fn a_layout_that_c_does_not_know_is_refused() {
        let expected = "`S` has no layout that C knows: add `#[repr(C)]` or `#[repr(transparent)]`";
        assert_eq!(
            refusal(quote!(
                struct S {
                    a: u32,
                }
            )),
            expected
        );
        assert_eq!(
            refusal(quote!(
                #[repr(align(8))]
                struct S {
                    a: u32,
                }
            )),
            expected
        );
        let packed = "a packed structure is laid out as no type of CUDA C";
        assert_eq!(
            refusal(quote!(
                #[repr(C, packed)]
                struct S {
                    a: u32,
                }
            )),
            packed
        );
        assert_eq!(
            refusal(quote!(
                #[repr(C)]
                #[repr(packed(2))]
                struct S {
                    a: u32,
                }
            )),
            packed
        );
    }

    #[test]
    fn a_type_that_is_no_structure_with_fields_is_refused() {
        let text = "`E` is no structure: only a structure of kernel arguments can be derived";
        assert_eq!(
            refusal(quote!(
                #[repr(C)]
                enum E {
                    A,
                }
            )),
            text
        );
        assert_eq!(refusal(quote!(#[repr(C)] union E { a: u32 })), text);
        let text = "`S` has no fields: an empty structure has bytes in CUDA C, and none in Rust";
        assert_eq!(
            refusal(quote!(
                #[repr(C)]
                struct S;
            )),
            text
        );
    }
}
