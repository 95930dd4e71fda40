//! `kernels!`

// The macro writes `unsafe` for the program.
#![allow(unsafe_code)]

mod check;
mod cpp;
mod cuda;
mod input;
mod passing;
mod safe;
mod similar;
mod source;

use check::{Found, find, numbered, parameter_type, symbol};
use cuda_ptx::types::Scalar;
use cuda_ptx::{Declarations, Entry};
use input::{Input, Item, ItemKind, Param, Safe, Source};
use passing::{Passing, with_lifetime};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use source::Ptx;
use syn::{Attribute, Error, Result, Token, Visibility};

/// Returns the expansion of `kernels!`. The input begins with the path of cuda-rt in parentheses.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let input = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    structure(&input).unwrap_or_else(|error| {
        let (beside, error) = (input::beside(&input.attributes), error.to_compile_error());
        quote!(#(#beside)* const _: () = { #error };)
    })
}

/// The parts of the expansion to which each declaration adds.
#[derive(Default)]
struct Parts {
    errors: TokenStream,
    checks: TokenStream,
    fields: TokenStream,
    values: TokenStream,
    methods: TokenStream,
}

impl Parts {
    /// Adds the error of an item.
    fn fail(&mut self, item: &Item, error: &Error) {
        let (beside, error) = (input::beside(&item.attributes.others), error.to_compile_error());
        self.errors.extend(quote!(#(#beside)* const _: () = { #error };));
    }
}

fn structure(input: &Input) -> Result<TokenStream> {
    let Input { library, attributes, visibility, name, promise, .. } = input;
    let source = match &input.source {
        Source::Ptx(source) => source,
        Source::Cuda(source) => return cuda::structure(input, source),
    };
    let ptx = Ptx::read(source)?;
    let mut declared = cuda_ptx::declarations(&ptx.text).map_err(|error| {
        let diagnostic = error.diagnostic();
        Error::new(ptx.place, format!("{}: {}", ptx.line(diagnostic.line.unwrap_or(1)), diagnostic.text))
    })?;
    // A kernel that is only declared is not in the module, or is defined later.
    declared.entries.retain(|entry| entry.defined);
    let mut parts = Parts::default();
    match &input.items {
        Some(items) => {
            for (index, item) in items.iter().enumerate() {
                declaration(library, (index, item), &ptx, &declared, &mut parts);
            }
        }
        None => {
            for (number, entry) in declared.entries.iter().enumerate() {
                wrapper(library, visibility, (number, entry), (&ptx, &declared), &mut parts);
            }
        }
    }
    let Parts { errors, checks, fields, values, methods } = parts;
    let beside = input::beside(attributes);
    let mut constants = TokenStream::new();
    for_each_item(&quote!(#errors #checks), &beside, &mut constants);
    constants.extend(promised(*promise, &beside));
    let about = about(&ptx, &declared);
    let text = &ptx.expression;
    Ok(quote! {
        #constants
        #[allow(non_snake_case)] // reported for the methods only
        #(#attributes)*
        #[doc = ""]
        #[doc = #about]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct #name {
            #fields
            module: #library::Module,
        }

        #(#beside)*
        #[allow(unsafe_code)]
        impl #name {
            /// The PTX.
            pub const PTX: &'static ::core::primitive::str = #text;

            /// Loads the kernels in a context. Wraps `cuModuleLoadDataEx`, and `cuModuleGetFunction` for each kernel.
            ///
            /// # Blocking
            ///
            /// Same as `Module::from_ptx`.
            ///
            /// # Errors
            ///
            /// - Same as `Module::from_ptx` and `Module::function`.
            /// - `TypeMismatch`: the driver reports other parameters than the PTX has.
            /// - For declared variables and references: same as `Module::global`, `Module::tex_ref` and
            ///   `Module::surf_ref`.
            /// - For `#[dynamic_shared(..)]`: same as `Function::set_max_dynamic_shared_bytes`.
            pub fn load(context: &#library::Context) -> #library::Result<Self> {
                let module = #library::Module::from_ptx(context, Self::PTX)?;
                unsafe { Self::of(module) }
            }

            /// Loads the kernels like `load`, with options of the driver's compiler.
            ///
            /// # Blocking
            ///
            /// Same as `load`.
            ///
            /// # Errors
            ///
            /// Same as `load` and `Module::from_ptx_with`.
            pub fn load_with(
                context: &#library::Context,
                options: &#library::module::JitOptions,
            ) -> #library::Result<Self> {
                let module = #library::Module::from_ptx_with(context, Self::PTX, options)?;
                unsafe { Self::of(module) }
            }

            // The module has this text.
            unsafe fn of(module: #library::Module) -> #library::Result<Self> {
                ::core::result::Result::Ok(Self { #values module })
            }

            /// Returns the module of the kernels.
            pub fn module(&self) -> &#library::Module {
                &self.module
            }

            #methods
        }
    })
}

/// Returns an empty `unsafe` block at the position of the program's `unsafe`, so that the lint `unsafe_code` reports it.
fn promised(promise: Option<Token![unsafe]>, beside: &[Attribute]) -> Option<TokenStream> {
    let promise = promise?;
    // All tokens have the position of the keyword. Otherwise they would count as code of this crate.
    let nothing = quote_spanned!(promise.span=> {});
    Some(quote! {
        #(#beside)*
        // Clippy does not see the comment in front of the keyword.
        #[allow(unused_unsafe, clippy::undocumented_unsafe_blocks)]
        const _: () = #promise #nothing;
    })
}

/// Returns a line of documentation about the text.
fn about(ptx: &Ptx, declared: &Declarations<'_>) -> String {
    let (major, minor) = declared.version;
    let target =
        declared.targets.first().map_or_else(String::new, |target| format!(" for `{target}` or newer"));
    let from = ptx.file.as_ref().map_or_else(String::new, |file| format!(", from `{file}`"));
    format!("PTX {major}.{minor}{target}{from}.")
}

/// Adds the expansion of a declaration. A wrong declaration still gets its field and its method, so that no other errors follow.
fn declaration(
    library: &TokenStream,
    (index, item): (usize, &Item),
    ptx: &Ptx,
    declared: &Declarations<'_>,
    parts: &mut Parts,
) {
    let beside = input::beside(&item.attributes.others);
    if let Err(error) = check::refuse_reserved(item) {
        return parts.fail(item, &error);
    }
    let found = find(item, ptx, declared);
    if let Err(error) = &found {
        parts.fail(item, error);
    }
    let Item { attributes, visibility, name, kind } = item;
    let (docs, others) = (&attributes.docs, &attributes.others);
    let (written, _) = symbol(item);
    let symbol = if let Ok(Found::Kernel(entry)) = &found { entry.name } else { written.as_str() };
    let checks = match kind {
        ItemKind::Kernel { params, safe, .. } => {
            let entry = if let Ok(Found::Kernel(entry)) = found { Some(entry) } else { None };
            let signature = entry.map_or_else(String::new, |entry| signature(entry, Some(params)));
            let declared_block = attributes.block.map(|(block, _)| block);
            let block = declared_block.or(entry.and_then(|entry| entry.limits.required_threads));
            // Constants compare the types of the parameters; a kernel with another number of parameters does not compile.
            let sizes = entry.map_or_else(|| quote!(&[]), check::sizes);
            let found = quote!(unsafe { #library::kernels::__private::declared(&module, #symbol, #sizes) }?);
            let kernel = Declared { library, item, index, params, safe: safe.as_ref(), block };
            kernel.add(&signature, &found, parts);
            if let (Some(safe), Some(_)) = (safe, entry)
                && let Err(error) = check::dynamic_shared(item, safe, ptx, declared)
            {
                parts.fail(item, &error);
            }
            entry.map(|entry| check::parameters(library, params, entry, ptx))
        }
        ItemKind::Variable(kind) => {
            let variable = if let Ok(Found::Variable(variable)) = found { Some(variable) } else { None };
            match check::field(library, kind, variable, ptx) {
                Ok(check::Field { kind, find, check }) => {
                    let line = format!("Variable `{symbol}`.");
                    parts.fields.extend(
                        quote!(#(#docs)* #[doc = ""] #[doc = #line] #(#others)* #visibility #name: #kind,),
                    );
                    parts.values.extend(quote!(#(#beside)* #name: module.#find(#symbol)?,));
                    Some(Ok(check))
                }
                Err(error) => Some(Err(error)),
            }
        }
    };
    match checks {
        Some(Ok(checks)) => {
            for_each_item(&checks, &beside, &mut parts.checks);
        }
        Some(Err(error)) => parts.fail(item, &error),
        None => {}
    }
}

/// A declared kernel.
struct Declared<'i> {
    library: &'i TokenStream,
    item: &'i Item,
    /// The index among the declarations.
    index: usize,
    params: &'i [Param],
    safe: Option<&'i Safe>,
    block: Option<[u32; 3]>,
}

impl Declared<'_> {
    /// Adds the field and the method. `found` is an expression of the kernel in the module.
    fn add(&self, signature: &str, found: &TokenStream, parts: &mut Parts) {
        let Declared { library, item, index, params, safe, .. } = *self;
        let Item { attributes, visibility, name, .. } = item;
        let private = quote!(#library::kernels::__private);
        let (docs, others) = (&attributes.docs, &attributes.others);
        let (others_of_field, beside) =
            (others.iter().map(input::without_expectation), input::beside(others));
        let kinds_with =
            |lifetime| params.iter().map(|param| with_lifetime(&param.kind, lifetime)).collect::<Vec<_>>();
        let types_of_field =
            kinds_with("'static").into_iter().map(|kind| Passing::of(&kind).argument(library));
        let types_of_field = quote!((#(#types_of_field,)*));
        let kinds = kinds_with("'call");
        let passing: Vec<_> = kinds.iter().map(Passing::of).collect();
        let types: Vec<_> = passing.iter().map(|passing| passing.argument(library)).collect();
        let Method { arguments, kinds, values } = method(library, params, &passing);
        let shared_bytes = attributes.dynamic_shared.map_or(0, |(bytes, _)| bytes);
        if let (Some((_, place)), None) = (attributes.dynamic_shared, self.block) {
            let text =
                "`#[dynamic_shared(..)]` needs `#[block(..)]`: other launches have it in their configuration";
            parts.fail(item, &Error::new(place, text));
        }
        let mut found = match attributes.dynamic_shared {
            None => found.clone(),
            Some(_) => quote!(#private::with_dynamic_shared(#found, #shared_bytes)?),
        };
        let block = block(library, self.block);
        let call = quote!('call, (#(#types,)*), (#(#kinds,)*), #block);
        // Parameters may have these names.
        let (local, checked) =
            (Ident::new("kernel", Span::mixed_site()), Ident::new("checked", Span::mixed_site()));
        let (field, about, call, body) = match safe {
            None => {
                let body = quote!(unsafe { #private::call(#local, (#(#values,)*), #shared_bytes) });
                let (field, call) = (quote!(Kernel<#types_of_field>), quote!(KernelCall<#call>));
                (field, String::new(), call, body)
            }
            Some(safe) => {
                let relations = safe.checked(library, name, params).unwrap_or_else(|error| {
                    parts.fail(item, &error);
                    quote!(#private::Relations::of(""))
                });
                if self.block.is_none() {
                    let text = "a `safe fn` has launches of a known block only: write `#[block(..)]`";
                    parts.fail(item, &Error::new(safe.place, text));
                }
                for_each_item(&safe.type_checks(library, name, params), &beside, &mut parts.errors);
                found = quote!(unsafe { #private::safe(#found) }?);
                let axes = attributes.grid.map_or(1, |(axes, _)| axes);
                let memory =
                    params.iter().zip(&passing).zip(&values).filter_map(|((param, passing), value)| {
                        let is_memory = !matches!(passing, Passing::Value(_));
                        let name = &param.name;
                        is_memory.then(|| quote!(let #name = #value;))
                    });
                let names = params.iter().map(|param| &param.name);
                let body = quote! {
                    #(#memory)*
                    let #checked = #relations;
                    unsafe { #private::safe_call(#local, (#(#names,)*), #shared_bytes, #checked) }
                };
                let field = quote!(kernels::SafeKernel<Self, #index, #types_of_field>);
                (field, safe.about(), quote!(SafeKernelCall<#call, #axes>), body)
            }
        };
        parts.fields.extend(quote! {
            #(#docs)*
            #[doc = #signature]
            #(#others_of_field)*
            #visibility #name: #library::#field,
        });
        parts.values.extend(quote!(#(#beside)* #name: #found,));
        parts.methods.extend(quote! {
            #(#docs)*
            #[doc = #about]
            #[doc = #signature]
            #[allow(clippy::too_many_arguments)]
            #(#others)*
            #[inline(always)]
            #[allow(unsafe_code)]
            #visibility fn #name<'call>(&'call self, #(#arguments),*) -> #library::kernels::#call {
                #(#beside)*
                let #local = &self.#name;
                #body
            }
        });
    }
}

/// Puts attributes in front of each of several items that end with a semicolon.
fn for_each_item(items: &TokenStream, attributes: &[Attribute], to: &mut TokenStream) {
    let mut at_start = true;
    for token in items.clone() {
        if at_start {
            to.extend(quote!(#(#attributes)*));
        }
        at_start = matches!(&token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ';');
        to.extend([token]);
    }
}

/// The method of a kernel: its arguments, their types in the launch, and their values.
struct Method {
    arguments: Vec<TokenStream>,
    kinds: Vec<TokenStream>,
    values: Vec<TokenStream>,
}

fn method(library: &TokenStream, params: &[Param], passing: &[Passing<'_>]) -> Method {
    let mut method = Method { arguments: Vec::new(), kinds: Vec::new(), values: Vec::new() };
    for (Param { name, .. }, passing) in params.iter().zip(passing) {
        let (argument, kind, value) = match passing {
            Passing::Value(kind) => (quote!(#kind), quote!(#kind), quote!(#name)),
            Passing::Read(element) => (
                quote!(&'call impl #library::memory::AsDeviceSlice<#element>),
                quote!(#library::DeviceSlice<'call, #element>),
                quote!(#library::memory::AsDeviceSlice::as_device_slice(#name)),
            ),
            Passing::Write(element) => (
                quote!(&'call mut impl #library::memory::AsDeviceSliceMut<#element>),
                quote!(#library::DeviceSliceMut<'call, #element>),
                quote!(#library::memory::AsDeviceSliceMut::as_device_slice_mut(#name)),
            ),
        };
        method.arguments.push(quote!(#name: #argument));
        method.kinds.push(kind);
        method.values.push(value);
    }
    method
}

/// Adds the wrapper of a kernel without a declaration.
fn wrapper(
    library: &TokenStream,
    visibility: &Visibility,
    (number, entry): (usize, &Entry<'_>),
    (ptx, declared): (&Ptx, &Declarations<'_>),
    parts: &mut Parts,
) {
    let symbol = entry.name;
    let decoded = cpp::decoded(entry);
    // A mangled name stays unchanged if several kernels have its name in C++.
    let cpp_name = decoded.as_ref().and_then(|decoded| wrapper_name(&decoded.base)).filter(|name| {
        let has_it = |other: &&Entry<'_>| {
            let decoded = cuda_ptx::mangle::decode(other.name).and_then(|other| wrapper_name(&other.base));
            other.name == name || decoded.as_ref() == Some(name)
        };
        declared.entries.iter().filter(has_it).count() == 1
    });
    let name = cpp_name.as_deref().unwrap_or(symbol);
    if matches!(name, "self" | "Self" | "super" | "crate" | "_") {
        return;
    }
    // PTX allows `$` in names.
    let Ok(name) = syn::parse_str::<Ident>(name).or_else(|_| syn::parse_str(&format!("r#{name}"))) else {
        return;
    };
    if entry.params.len() > 16 || check::opaque(entry).is_some() || check::is_reserved(&name.to_string()) {
        return;
    }
    let mut generics = Vec::new();
    let mut kinds = Vec::new();
    let mut checks = TokenStream::new();
    for (index, param) in entry.params.iter().enumerate() {
        let generic = format_ident!("P{index}");
        let (size, align) = (
            usize::try_from(param.size).unwrap_or(usize::MAX),
            usize::try_from(param.align).unwrap_or(usize::MAX),
        );
        let cpp = decoded.as_ref().and_then(|decoded| cpp::rust_type(library, decoded.params.get(index)?));
        match param.kind.scalar() {
            _ if cpp.is_some() => kinds.extend(cpp),
            Scalar::F32 if !param.array => kinds.push(quote!(::core::primitive::f32)),
            Scalar::F64 if !param.array => kinds.push(quote!(::core::primitive::f64)),
            scalar if !param.array && scalar.class() != cuda_ptx::types::Class::Float => {
                generics.push(quote!(#generic: #library::kernels::Word<#size>));
                kinds.push(quote!(#generic));
            }
            _ => {
                let place = format!(
                    "kernel `{symbol}` ({}): parameter {} is `{}`",
                    ptx.line(entry.line),
                    index + 1,
                    parameter_type(param)
                );
                let given = "the argument's type";
                let len = check::text_len(&place, given);
                checks.extend(quote! {
                    const { #library::kernels::__private::parameter::<#generic, #len>(
                        &#library::kernels::__private::PtxParameter {
                            place: #place, given: #given, size: #size, align: #align,
                            class: #library::kernels::__private::PtxClass::Bits, pointee_align: 1,
                        },
                    ) };
                });
                generics.push(quote!(#generic: #library::launch::KernelArg));
                kinds.push(quote!(#generic));
            }
        }
    }
    let names: Vec<_> = (0..entry.params.len()).map(numbered).collect();
    let signature = signature(entry, None);
    let block = block(library, entry.limits.required_threads);
    parts.fields.extend(quote! {
        #[doc = #signature]
        #visibility #name: #library::kernels::UndeclaredKernel<Self, #number>,
    });
    let sizes = check::sizes(entry);
    parts.values.extend(quote! {
        #name: unsafe { #library::kernels::__private::undeclared(&module, #symbol, #sizes) }?,
    });
    parts.methods.extend(quote! {
        #[doc = #signature]
        #[inline(always)]
        #[allow(non_snake_case, clippy::too_many_arguments)]
        #visibility fn #name<'call, #(#generics),*>(&'call self, #(#names: #kinds),*)
            -> #library::kernels::KernelCall<'call, (#(#kinds,)*), (#(#kinds,)*), #block>
        {
            #checks
            unsafe { #library::kernels::__private::wrapped(&self.#name, (#(#names,)*)) }
        }
    });
}

/// Returns the last part of a qualified name.
fn wrapper_name(base: &str) -> Option<String> {
    base.rsplit("::").next().filter(|last| !last.is_empty()).map(str::to_owned)
}

/// Returns the type that describes the block of a kernel.
fn block(library: &TokenStream, block: Option<[u32; 3]>) -> TokenStream {
    match block {
        Some([x, y, z]) => quote!(#library::kernels::FixedBlock<#x, #y, #z>),
        None => quote!(#library::kernels::AnyBlock),
    }
}

/// Returns the documentation of a kernel: its declaration in PTX.
fn signature(entry: &Entry<'_>, params: Option<&[Param]>) -> String {
    let named = |(index, param): (usize, &cuda_ptx::Param<'_>)| {
        let name = match params.and_then(|params| params.get(index)) {
            Some(param) => param.name.to_string(),
            None => numbered(index).to_string(),
        };
        let scalar = param.kind.scalar().name();
        match param.array {
            true => format!(".param .align {} {scalar} {name}[{}]", param.align, param.size),
            false => format!(".param {scalar} {name}"),
        }
    };
    let list: Vec<_> = entry.params.iter().enumerate().map(named).collect();
    let cpp = cpp::decoded(entry).map_or_else(String::new, |decoded| format!("// {decoded}\n"));
    let mut text = format!("\n# PTX\n\n```text\n{cpp}.entry {}({})\n", entry.name, list.join(", "));
    let write = |[x, y, z]: [u32; 3]| format!("{x}, {y}, {z}");
    for (directive, extent) in [
        (".maxntid", entry.limits.max_threads),
        (".reqntid", entry.limits.required_threads),
        (".reqnctapercluster", entry.limits.cluster),
    ] {
        if let Some(extent) = extent {
            text += &format!("{directive} {}\n", write(extent));
        }
    }
    text += "```";
    text
}
