//! Kernels in CUDA C++, which is compiled when the program runs.
//!
//! The macro does not parse the text. The expansion gives the library each declaration and its position. When the kernels are
//! loaded, the library adds assertions to the text, and the compiler of CUDA C++ compares the types.

// The macro writes `unsafe` for the program.
#![allow(unsafe_code)]

use super::check::{self, MOST_PARAMETERS, refuse_reserved, symbol};
use super::cpp::address_of;
use super::input::{Cuda, Input, Item, ItemKind, Param, Part, Text, beside};
use super::passing::{Passing, span_of, written};
use super::{Declared, Parts, for_each_item, promised, source};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashSet;
use syn::{Error, LitStr, Result, Type};

/// Returns the expansion of `kernels!` for CUDA C++.
pub(super) fn structure(input: &Input, source: &Cuda) -> Result<TokenStream> {
    let Input { library, attributes, visibility, name, items, promise, .. } = input;
    let Some(items) = items else {
        let text = "CUDA C++ is compiled when the program runs, so its kernels are declared: add `extern { fn ..; }`";
        return Err(Error::new(source.place, text));
    };
    let private = quote!(#library::kernels::cuda::__private);
    let program = Program::read(source)?;
    let mut parts = Parts::default();
    let mut names = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let error = refuse_reserved(item)
            .err()
            .or_else(|| refuse_repeated(item, &mut names))
            .or_else(|| refuse_many(item));
        match error {
            Some(error) => parts.fail(item, &error),
            None => declaration((library, &private), item, index, &mut parts),
        }
    }
    let Parts { errors, checks, fields, values, methods } = parts;
    let beside = beside(attributes);
    let mut constants = TokenStream::new();
    for_each_item(&errors, &beside, &mut constants);
    constants.extend(promised(*promise, &beside));
    let Program { text, line, settings, about } = program;
    // A separate function, so that the expression does not see the names of this expansion.
    let (options, set_options) = source.options.as_ref().map_or_else(Default::default, |options| {
        (quote!(fn options() -> #library::nvrtc::CompileOptions { #options }), quote!(.options(options())))
    });
    // A declarative macro may have the source and the declarations, and take the name as an argument.
    let file = file(source.place);
    // The promise of a safe kernel covers this text with these options.
    let is_safe = |item: &Item| matches!(&item.kind, ItemKind::Kernel { safe: Some(_), .. });
    let (qualifier, safety) = match items.iter().any(is_safe) {
        false => (None, None),
        true => {
            let text = "\n# Safety\n\nThe kernels that are declared as `safe fn` keep their promise after the change: it may add macros or \
                        headers, or replace the text.";
            (Some(quote!(unsafe)), Some(quote!(#[doc = #text])))
        }
    };
    let unchanged = quote!(Self::load_with(context, ::core::convert::identity));
    let unchanged = if qualifier.is_some() { quote!(unsafe { #unchanged }) } else { unchanged };
    Ok(quote! {
        #constants
        #[allow(non_snake_case)] // the methods have this lint
        #(#attributes)*
        #[doc = ""]
        #[doc = #about]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct #name {
            #fields
            module: #library::nvrtc::SourceModule,
        }

        #(#beside)*
        #[allow(unsafe_code)]
        impl #name {
            /// The CUDA C++.
            pub const SOURCE: &'static ::core::primitive::str = #text;

            /// Compiles the kernels for a context, or reads them from the cache, and loads them.
            ///
            /// # Blocking
            ///
            /// Same as `Program::compile_and_load`.
            ///
            /// # Errors
            ///
            /// - Same as `Program::compile_and_load`. If a declaration differs from the C++, the log has its file and line.
            /// - `TypeMismatch`: the loaded code has other parameters.
            /// - Same as the methods of `SourceModule` that find kernels and variables.
            /// - For `#[dynamic_shared(..)]`: same as `Function::set_max_dynamic_shared_bytes`.
            pub fn load(context: &#library::Context) -> #library::Result<Self> {
                #unchanged
            }

            /// Loads the kernels like `load`, after a change of the program: its cache, its name, its options.
            ///
            /// # Blocking
            ///
            /// Same as `load`.
            ///
            /// # Errors
            ///
            /// Same as `load`.
            #safety
            pub #qualifier fn load_with(
                context: &#library::Context,
                change: impl ::core::ops::FnOnce(#library::nvrtc::Program) -> #library::nvrtc::Program,
            ) -> #library::Result<Self> {
                #options
                #[allow(unused_mut)]
                let mut declarations = #private::Declarations::new(#file);
                #checks
                let program = #private::Declarations::program(&declarations, Self::SOURCE, #line)#settings #set_options;
                let module = #private::load(context, change(program))?;
                ::core::result::Result::Ok(Self { #values module })
            }

            /// Returns the module of the kernels.
            pub fn module(&self) -> &#library::nvrtc::SourceModule {
                &self.module
            }

            #methods
        }
    })
}

/// The text, with its position and its settings.
struct Program {
    /// An expression of the text.
    text: TokenStream,
    /// The line of the Rust file at which the text begins. 0 if the text has a file of its own, or if its lines are not lines of
    /// the Rust file.
    line: u32,
    /// Calls of methods of `nvrtc::Program`.
    settings: TokenStream,
    /// A line of documentation about the text.
    about: String,
}

impl Program {
    fn read(source: &Cuda) -> Result<Program> {
        let mut program = match &source.text {
            Text::Inline(literal) => inline(literal)?,
            Text::File(parts) => {
                let source::File { text, name, expression, .. } = source::file(parts)?;
                let (len, differs) = (text.len(), "the file has changed while it was compiled");
                let text = quote!({
                    const TEXT: &::core::primitive::str = #expression;
                    ::core::assert!(TEXT.len() == #len, #differs);
                    TEXT
                });
                let about = format!("CUDA C++ from `{name}`, compiled when it is loaded.");
                Program { text, line: 0, settings: quote!(.name(#name)), about }
            }
        };
        for header in &source.headers {
            let source::File { expression, .. } = source::file(&[Part::Literal(header.clone())])?;
            program.settings.extend(quote!(.header(#header, #expression)));
        }
        Ok(program)
    }
}

fn inline(literal: &LitStr) -> Result<Program> {
    let (text, place) = (literal.value(), literal.span());
    if !text.contains('\n') && (text.ends_with(".cu") || text.ends_with(".cuh")) {
        return Err(Error::new(place, format!("`{text}` is a path: write `cuda_file(\"{text}\")`")));
    }
    if text.trim_start().starts_with(".version") {
        return Err(Error::new(place, "this is PTX: write `ptx(..)`"));
    }
    // An escape such as `\n` makes a line that the Rust file does not have.
    let lines = text.matches('\n').count();
    let line = match (line(place), last_line(place)) {
        (first, last) if usize::try_from(last.saturating_sub(first)) == Ok(lines) => first,
        _ => 0,
    };
    let about = "CUDA C++, compiled when it is loaded.".to_owned();
    Ok(Program { text: quote!(#literal), line, settings: TokenStream::new(), about })
}

/// Refuses a second item of the same name. `cfg` may decide which of several items exists.
fn refuse_repeated(item: &Item, names: &mut HashSet<String>) -> Option<Error> {
    let is_configured = item.attributes.others.iter().any(|attribute| attribute.path().is_ident("cfg"));
    let is_new = is_configured || names.insert(item.name.to_string());
    (!is_new).then(|| Error::new(item.name.span(), format!("`{}` is declared twice", item.name)))
}

/// Refuses too many parameters.
fn refuse_many(item: &Item) -> Option<Error> {
    let ItemKind::Kernel { params, .. } = &item.kind else { return None };
    let surplus = params.get(MOST_PARAMETERS)?;
    let text = format!(
        "{} parameters are declared; {MOST_PARAMETERS} can be: launch the kernel by `Function::with` with `PackedArgs`",
        params.len()
    );
    Some(Error::new(surplus.name.span(), text))
}

/// Adds the expansion of a declaration.
fn declaration(
    (library, private): (&TokenStream, &TokenStream),
    item: &Item,
    index: usize,
    parts: &mut Parts,
) {
    let beside = beside(&item.attributes.others);
    let Item { attributes, visibility, name, kind } = item;
    let (symbol, _) = symbol(item);
    let line = line(name.span());
    match kind {
        ItemKind::Kernel { params, safe, .. } => {
            let signature = format!("\nKernel `{symbol}`.");
            let block = attributes.block.map(|(block, _)| block);
            let declared = format_ident!("kernel_{index}");
            // The types are those of the declared parameters.
            let found = quote!(unsafe { #private::DeclaredKernel::find(&#declared, &module) }?);
            let kernel = Declared { library, item, index, params, safe: safe.as_ref(), block };
            kernel.add(&signature, &found, parts);
            let params = params.iter().map(|param| parameter(private, param));
            parts.checks.extend(quote! {
                #(#beside)*
                let #declared =
                    #private::Declarations::kernel(&mut declarations, #symbol, #line, &[#(#params),*]);
            });
        }
        ItemKind::Variable(kind) => {
            let (docs, others) = (&attributes.docs, &attributes.others);
            let (reference, find, of) = check::lookup(library, kind);
            let about = format!("Variable `{symbol}`.");
            parts
                .fields
                .extend(quote!(#(#docs)* #[doc = ""] #[doc = #about] #(#others)* #visibility #name: #of,));
            let (value, check) = if reference.is_some() {
                let value = quote!(module.#find(#private::lowered(&module, #symbol))?);
                (value, quote!(#private::Declarations::reference(&mut declarations, #symbol);))
            } else {
                let (element, given) = (check::element(kind), written(kind));
                let check = quote!(#private::Declarations::variable::<#kind, #element>(&mut declarations, #symbol, #line, #given););
                (quote!(module.#find(#symbol)?), check)
            };
            parts.checks.extend(quote!(#(#beside)* #check));
            parts.values.extend(quote!(#(#beside)* #name: #value,));
        }
    }
}

/// Returns an expression that describes a parameter to the library.
fn parameter(private: &TokenStream, param: &Param) -> TokenStream {
    let Param { reads, name, kind } = param;
    let (name, given, line) = (name.to_string(), written(kind), line(span_of(kind)));
    let place = quote!(#name, #given, #line);
    let typed = |method: &str, kind: &Type| {
        let (method, place) = (format_ident!("{method}"), span_of(kind));
        // The compiler reports a type that is not an argument at the type.
        let typed = quote_spanned!(place.resolved_at(Span::call_site())=> ::<#kind>);
        quote!(#private::Parameter::#method #typed)
    };
    match Passing::of(kind) {
        Passing::Read(element) => {
            let called = typed(if *reads { "address" } else { "read" }, element);
            quote!(#called(#place))
        }
        Passing::Write(element) => {
            let called = typed("write", element);
            quote!(#called(#place))
        }
        Passing::Value(kind) => {
            let called = match address_of(kind) {
                Some(element) => typed("address", element),
                None => typed("value", kind),
            };
            quote!(#called(#place))
        }
    }
}

/// Returns the line of a position, or 0 if it is unknown.
fn line(place: Span) -> u32 {
    if proc_macro::is_available() { u32::try_from(place.unwrap().line()).unwrap_or(0) } else { 0 }
}

/// Returns the last line of a place.
fn last_line(place: Span) -> u32 {
    if proc_macro::is_available() { u32::try_from(place.unwrap().end().line()).unwrap_or(0) } else { 0 }
}

/// Returns the file of a position, as in the compiler's messages.
fn file(place: Span) -> TokenStream {
    let file = if proc_macro::is_available() { place.unwrap().file() } else { String::new() };
    Literal::string(&file).into_token_stream()
}
