//! `#[derive(KernelArg)]`.

// The macro writes `unsafe impl` for the program.
#![allow(unsafe_code)]

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Data, DataEnum, DataStruct, DeriveInput, Error, Index, LitInt, Member, Path, Result, Type, parse_quote,
};

/// Returns the implementation for a structure or an enumeration.
///
/// # Errors
///
/// The first reason why the type cannot be a kernel argument.
pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let name = &input.ident;
    let representation = Representation::of(&input)?;
    let Options { root, mut checks } = Options::of(&input)?;
    let fields = match &input.data {
        Data::Struct(data) => fields(name, data, &representation)?,
        Data::Enum(data) => check_enumeration(name, data, &representation).map(|()| Vec::new())?,
        Data::Union(_) => {
            let text = format!("`{name}` is a union: only structures and enumerations can be derived");
            return Err(Error::new(name.span(), text));
        }
    };
    checks.extend(fields.iter().map(|field| field.size_check(name)));
    if let (Data::Enum(_), Some(number)) = (&input.data, &representation.number) {
        // An attribute below this one may have added fields to a variant.
        let text = format!("`{name}` has other bytes than its underlying type `{number}`");
        checks.push(quote!(::core::assert!(
            ::core::mem::size_of::<#name>() == ::core::mem::size_of::<::core::primitive::#number>(), #text
        );));
    }
    let arguments: Vec<_> = fields.iter().filter(|field| !field.is_marker).collect();
    let mut generics = input.generics.clone();
    let bounds = generics.make_where_clause();
    // If another field is not an argument, the compiler reports it at the field.
    let parameters: Vec<_> = input.generics.type_params().map(|parameter| &parameter.ident).collect();
    for kind in arguments.iter().map(|field| field.kind) {
        if contains(kind.to_token_stream(), &|ident| parameters.contains(&ident)) {
            bounds.predicates.push(parse_quote!(#kind: #root::launch::KernelArg));
        }
    }
    if !parameters.is_empty() {
        // `derive(Clone, Copy)` requires `Copy` of the parameters.
        let (_, arguments, _) = input.generics.split_for_impl();
        let bound = parse_quote!(#name #arguments: ::core::marker::Copy);
        generics.make_where_clause().predicates.push(bound);
    }
    // Outside the implementation, checks fail even where nothing is launched. The type parameters have no names there.
    let needs_names = !input.generics.params.is_empty()
        || fields.iter().any(|field| contains(field.kind.to_token_stream(), &|ident| ident == "Self"));
    let (inner, outer) = match () {
        () if checks.is_empty() => (None, None),
        () if needs_names => (Some(quote!(const { #(#checks)* })), None),
        () => (None, Some(quote!(#[allow(deprecated)] const _: () = { #(#checks)* };))),
    };
    // The type with which this one is compared.
    let like = match (&representation, &arguments[..]) {
        (Representation { number: Some(number), .. }, []) => Some(quote!(::core::primitive::#number)),
        (Representation { is_transparent: true, .. }, [field]) => Some(field.kind.to_token_stream()),
        _ => None,
    };
    let kind = like.map(
        |like| quote!(const KIND: #root::launch::ArgumentKind = <#like as #root::launch::KernelArg>::KIND;),
    );
    // An attribute below this one may have changed the structure.
    let exhaustive = (!fields.is_empty()).then(|| {
        let (members, kinds) =
            (fields.iter().map(|field| &field.member), fields.iter().map(|field| field.kind));
        let names: Vec<_> = (0..fields.len()).map(|index| format_ident!("field_{index}")).collect();
        quote! {
            let Self { #(#members: #names),* } = self;
            #(let _: &#kinds = #names;)*
        }
    });
    let members = arguments.iter().map(|field| &field.member);
    let kinds = arguments.iter().map(|field| field.kind);
    let (parameters, arguments, bounds) = generics.split_for_impl();
    Ok(quote! {
        #outer
        // SAFETY: the type has the layout of C, and each of its fields is a kernel argument.
        #[automatically_derived]
        #[allow(deprecated)]
        unsafe impl #parameters #root::launch::KernelArg for #name #arguments #bounds {
            fn visit_pointers(&self, visit: &mut dyn ::core::ops::FnMut(#root::DevicePtr<()>)) {
                #inner
                #exhaustive
                #(#root::launch::KernelArg::visit_pointers(&self.#members, visit);)*
            }

            #kind
            const HAS_ADDRESSES: ::core::primitive::bool = false #(|| <#kinds as #root::launch::KernelArg>::HAS_ADDRESSES)*;
        }
    })
}

/// The options in `#[kernel_arg(..)]`.
struct Options {
    /// The path of the crate `cuda-rt`.
    root: Path,
    /// Assertions of the size and the alignment that CUDA C++ has.
    checks: Vec<TokenStream>,
}

impl Options {
    fn of(input: &DeriveInput) -> Result<Options> {
        let mut options = Options { root: parse_quote!(::cuda_rt), checks: Vec::new() };
        let name = &input.ident;
        let (_, arguments, _) = input.generics.split_for_impl();
        let check = |measure: TokenStream, in_c: &str, number: LitInt| {
            let text = format!(
                "`{name}`: `{in_c}` is {number} in CUDA C++ by `kernel_arg`, and another number in Rust; look at padding and \
                 `repr(align)`"
            );
            quote_spanned!(number.span()=> ::core::assert!(::core::mem::#measure::<#name #arguments>() == #number, #text);)
        };
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("kernel_arg")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("crate") {
                    options.root = meta.value()?.parse()?;
                } else if meta.path.is_ident("size") {
                    options.checks.push(check(quote!(size_of), "sizeof", meta.value()?.parse()?));
                } else if meta.path.is_ident("align") {
                    options.checks.push(check(quote!(align_of), "alignof", meta.value()?.parse()?));
                } else {
                    return Err(meta.error("not an option of `kernel_arg`: `size`, `align` and `crate` are"));
                }
                Ok(())
            })?;
        }
        Ok(options)
    }
}

/// A field of a structure.
struct Field<'input> {
    member: Member,
    kind: &'input Type,
    /// True for `PhantomData`, which CUDA C++ does not have.
    is_marker: bool,
}

impl Field<'_> {
    /// Returns an assertion that the field has the same size in Rust and in CUDA C++, as far as the size is known.
    fn size_check(&self, name: &Ident) -> TokenStream {
        let kind = self.kind;
        let field = self.member.to_token_stream();
        if self.is_marker {
            let text =
                format!("field `{field}` of `{name}` is taken for `core::marker::PhantomData`, and is not");
            // Another type of this name must not hide pointers, nor move other fields.
            return quote_spanned! {kind.span()=>
                ::core::assert!(::core::mem::size_of::<#kind>() == 0 && ::core::mem::align_of::<#kind>() == 1, #text);
            };
        }
        let text =
            format!("field `{field}` of `{name}` has no bytes in Rust; each member has some in CUDA C++");
        quote_spanned!(kind.span()=> ::core::assert!(::core::mem::size_of::<#kind>() != 0, #text);)
    }
}

/// Returns the fields of a structure with the layout of C.
fn fields<'input>(
    name: &Ident,
    data: &'input DataStruct,
    representation: &Representation,
) -> Result<Vec<Field<'input>>> {
    if !representation.is_c {
        let text = format!("`{name}` has no layout that C knows: add `#[repr(C)]` or `#[repr(transparent)]`");
        return Err(Error::new(name.span(), text));
    }
    let field = |(field, index): (&'input syn::Field, u32)| Field {
        member: match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(Index { index, span: Span::call_site() }),
        },
        kind: &field.ty,
        is_marker: is_marker(&field.ty),
    };
    let fields: Vec<_> = data.fields.iter().zip(0..).map(field).collect();
    if fields.iter().all(|field| field.is_marker) {
        let text =
            format!("`{name}` has no fields: an empty structure has bytes in CUDA C++, and none in Rust");
        return Err(Error::new(name.span(), text));
    }
    Ok(fields)
}

/// Returns whether the type is `PhantomData`, by its name.
fn is_marker(kind: &Type) -> bool {
    match kind {
        Type::Path(kind) => kind.path.segments.last().is_some_and(|segment| segment.ident == "PhantomData"),
        // The type comes from a declarative macro.
        Type::Group(kind) => is_marker(&kind.elem),
        _ => false,
    }
}

/// Checks that an enumeration has the layout of an enumeration of CUDA C++.
fn check_enumeration(name: &Ident, data: &DataEnum, representation: &Representation) -> Result<()> {
    if let Some(variant) = data.variants.iter().find(|variant| !variant.fields.is_empty()) {
        let text = format!("`{name}::{}` has fields, which no enumerator of CUDA C++ has", variant.ident);
        return Err(Error::new(variant.ident.span(), text));
    }
    let text = match (&representation.number, representation.pointer_sized) {
        (Some(_), _) => return Ok(()),
        (None, Some(number)) => format!(
            "`{name}` has the size of this computer's pointers: use `#[repr({number})]`, or the type that it has in CUDA C++"
        ),
        (None, None) if representation.is_c => format!(
            "`{name}` has the representation of an enumeration of C, an `int` on this computer: add the type that it has in \
             CUDA C++, such as `#[repr(i32)]`"
        ),
        (None, None) => format!(
            "`{name}` has no underlying type: add the type that it has in CUDA C++, such as `#[repr(u32)]`"
        ),
    };
    Err(Error::new(name.span(), text))
}

/// Returns whether the tokens contain a name that meets the condition.
fn contains(tokens: TokenStream, is_wanted: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_wanted(&ident),
        TokenTree::Group(group) => contains(group.stream(), is_wanted),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The `repr` of a type that is not packed.
struct Representation {
    /// True for `repr(C)` and `repr(transparent)`.
    is_c: bool,
    is_transparent: bool,
    /// A number type that CUDA C++ has, such as `u32` of `repr(u32)`.
    number: Option<Ident>,
    /// The type of the same signedness that has 64 bits, for `repr(usize)` and `repr(isize)`.
    pointer_sized: Option<&'static str>,
}

impl Representation {
    fn of(input: &DeriveInput) -> Result<Representation> {
        let mut representation =
            Representation { is_c: false, is_transparent: false, number: None, pointer_sized: None };
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
            attribute.parse_nested_meta(|meta| {
                let is_one_of = |names: &[&str]| names.iter().any(|name| meta.path.is_ident(name));
                if is_one_of(&["packed"]) {
                    return Err(meta.error("a packed structure is laid out as no type of CUDA C"));
                }
                representation.is_c |= is_one_of(&["C", "transparent"]);
                representation.is_transparent |= is_one_of(&["transparent"]);
                if is_one_of(&["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]) {
                    representation.number = meta.path.get_ident().cloned();
                }
                if is_one_of(&["usize", "isize"]) {
                    let is_signed = is_one_of(&["isize"]);
                    representation.pointer_sized = Some(if is_signed { "i64" } else { "u64" });
                }
                // The number of `align(8)`.
                if meta.input.peek(syn::token::Paren) {
                    let content;
                    syn::parenthesized!(content in meta.input);
                    content.parse::<TokenStream>()?;
                }
                Ok(())
            })?;
        }
        Ok(representation)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn refusal(input: TokenStream) -> String {
        expand(input).map(|tokens| tokens.to_string()).unwrap_err().to_string()
    }

    fn accepted(input: TokenStream) -> String {
        expand(input).unwrap().to_string()
    }

    #[test]
    fn each_field_is_visited() {
        let tokens = accepted(quote! {
            #[repr(C, align(16))]
            struct Pair<T: Copy, const N: usize> where T: Send { first: [T; N], second: u32 }
        });
        let expected = quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            unsafe impl<T: Copy, const N: usize> ::cuda_rt::launch::KernelArg for Pair<T, N>
            where
                T: Send,
                [T; N]: ::cuda_rt::launch::KernelArg,
                Pair<T, N>: ::core::marker::Copy
            {
                fn visit_pointers(&self, visit: &mut dyn ::core::ops::FnMut(::cuda_rt::DevicePtr<()>)) {
                    const {
                        ::core::assert!(
                            ::core::mem::size_of::<[T; N]>() != 0,
                            "field `first` of `Pair` has no bytes in Rust; each member has some in CUDA C++"
                        );
                        ::core::assert!(
                            ::core::mem::size_of::<u32>() != 0,
                            "field `second` of `Pair` has no bytes in Rust; each member has some in CUDA C++"
                        );
                    }
                    let Self { first: field_0, second: field_1 } = self;
                    let _: &[T; N] = field_0;
                    let _: &u32 = field_1;
                    ::cuda_rt::launch::KernelArg::visit_pointers(&self.first, visit);
                    ::cuda_rt::launch::KernelArg::visit_pointers(&self.second, visit);
                }

                const HAS_ADDRESSES: ::core::primitive::bool = false
                    || <[T; N] as ::cuda_rt::launch::KernelArg>::HAS_ADDRESSES
                    || <u32 as ::cuda_rt::launch::KernelArg>::HAS_ADDRESSES;
            }
        };
        assert_eq!(tokens, expected.to_string());
        let tuple = accepted(quote!(
            #[repr(transparent)]
            struct Wrapper<T>(T);
        ));
        assert!(tuple.contains("self . 0"), "{tuple}");
        assert!(tuple.contains("= < T as :: cuda_rt :: launch :: KernelArg > :: KIND ;"), "{tuple}");
    }

    #[test]
    fn checks_stand_outside_if_names_allow_it() {
        let plain = accepted(quote!(
            #[repr(C)]
            struct S {
                a: u32,
            }
        ));
        assert!(plain.contains("] const _ : () = { :: core :: assert !"), "{plain}");
        for named in [
            quote!(
                #[repr(C)]
                struct S<'a> {
                    a: &'a u32,
                }
            ),
            quote!(
                #[repr(C)]
                struct S {
                    a: DevicePtr<Self>,
                }
            ),
        ] {
            let named = accepted(named);
            assert!(named.contains("{ const { :: core :: assert !"), "{named}");
        }
    }

    #[test]
    fn markers_are_neither_visited_nor_bounds() {
        let tokens = accepted(quote!(
            #[repr(C)]
            struct View<T> {
                data: DevicePtr<f32>,
                owner: core::marker::PhantomData<T>,
            }
        ));
        assert!(!tokens.contains("self . owner"), "{tokens}");
        assert!(!tokens.contains("PhantomData < T > : ::"), "{tokens}");
        assert!(tokens.contains("size_of :: < core :: marker :: PhantomData < T > > () == 0"), "{tokens}");
    }

    #[test]
    fn enumerations_with_an_underlying_type_visit_nothing() {
        let tokens = accepted(quote!(
            #[repr(u8)]
            enum Mode {
                First,
                Second = 7,
            }
        ));
        let expected = quote! {
            #[allow(deprecated)]
            const _: () = {
                ::core::assert!(
                    ::core::mem::size_of::<Mode>() == ::core::mem::size_of::<::core::primitive::u8>(),
                    "`Mode` has other bytes than its underlying type `u8`"
                );
            };
            #[automatically_derived]
            #[allow(deprecated)]
            unsafe impl ::cuda_rt::launch::KernelArg for Mode {
                fn visit_pointers(&self, visit: &mut dyn ::core::ops::FnMut(::cuda_rt::DevicePtr<()>)) {}
                const KIND: ::cuda_rt::launch::ArgumentKind =
                    <::core::primitive::u8 as ::cuda_rt::launch::KernelArg>::KIND;
                const HAS_ADDRESSES: ::core::primitive::bool = false;
            }
        };
        assert_eq!(tokens, expected.to_string());
    }

    #[test]
    fn options_state_layout_and_crate() {
        let tokens = accepted(quote!(
            #[repr(u16)]
            #[kernel_arg(size = 2, align = 2)]
            #[kernel_arg(crate = renamed::cuda)]
            enum Mode {
                First,
            }
        ));
        assert!(tokens.contains("size_of :: < Mode > () == 2 , \"`Mode`: `sizeof` is 2 in"), "{tokens}");
        assert!(tokens.contains("align_of :: < Mode > () == 2 , \"`Mode`: `alignof` is 2 in"), "{tokens}");
        assert!(tokens.contains("unsafe impl renamed :: cuda :: launch :: KernelArg for"), "{tokens}");
        assert!(!tokens.contains("cuda_rt"), "{tokens}");
        let refused = refusal(quote!(
            #[repr(u16)]
            #[kernel_arg(length = 2)]
            enum Mode {
                First,
            }
        ));
        assert_eq!(refused, "not an option of `kernel_arg`: `size`, `align` and `crate` are");
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
    fn a_union_is_refused() {
        let text = "`U` is a union: only structures and enumerations can be derived";
        assert_eq!(refusal(quote!(#[repr(C)] union U { a: u32 })), text);
    }

    #[test]
    fn a_structure_without_bytes_is_refused() {
        let text = "`S` has no fields: an empty structure has bytes in CUDA C++, and none in Rust";
        assert_eq!(
            refusal(quote!(
                #[repr(C)]
                struct S;
            )),
            text
        );
        assert_eq!(
            refusal(quote!(
                #[repr(C)]
                struct S<T>(PhantomData<T>);
            )),
            text
        );
    }

    #[test]
    fn an_enumeration_that_c_does_not_know_is_refused() {
        let text = "`E` has no underlying type: add the type that it has in CUDA C++, such as `#[repr(u32)]`";
        assert_eq!(
            refusal(quote!(
                enum E {
                    A,
                }
            )),
            text
        );
        assert_eq!(
            refusal(quote!(
                #[repr(u128)]
                enum E {
                    A,
                }
            )),
            text
        );
        let text = "`E` has the representation of an enumeration of C, an `int` on this computer: add the type that it has in \
                    CUDA C++, such as `#[repr(i32)]`";
        assert_eq!(
            refusal(quote!(
                #[repr(C)]
                enum E {
                    A,
                }
            )),
            text
        );
        for (number, fixed) in [(quote!(usize), "u64"), (quote!(isize), "i64")] {
            let text = format!(
                "`E` has the size of this computer's pointers: use `#[repr({fixed})]`, or the type that it has in CUDA C++"
            );
            assert_eq!(
                refusal(quote!(
                    #[repr(#number)]
                    enum E {
                        A,
                    }
                )),
                text
            );
        }
        let text = "`E::B` has fields, which no enumerator of CUDA C++ has";
        assert_eq!(
            refusal(quote!(
                #[repr(u8)]
                enum E {
                    A,
                    B(u8),
                }
            )),
            text
        );
    }
}
