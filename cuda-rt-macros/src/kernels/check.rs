//! Comparison of declarations with the PTX.

use super::cpp;
use super::input::{Item, ItemKind, Param, Safe};
use super::passing::{Passing, span_of, written};
use super::similar::suggestion;
use super::source::Ptx;
use cuda_ptx::ast::{Linkage, Variable, VariableType};
use cuda_ptx::types::{Class, Space};
use cuda_ptx::{Declarations, Entry};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Error, Ident, Result, Type};

/// The names of the loader's methods and constants.
const RESERVED: [&str; 6] = ["load", "load_with", "module", "of", "PTX", "SOURCE"];

/// Refuses the name of an item that is a method or a constant of the loader.
///
/// # Errors
///
/// The name is reserved.
pub(super) fn refuse_reserved(item: &Item) -> Result<()> {
    let name = &item.name;
    let plain = name.unraw().to_string();
    if !is_reserved(&plain) {
        return Ok(());
    }
    let (symbol, _) = symbol(item);
    let what = if matches!(plain.as_str(), "PTX" | "SOURCE") { "constant" } else { "method" };
    Err(Error::new(
        name.span(),
        format!("`{name}` is a {what} of the loader: write `#[name = \"{symbol}\"]` and another name"),
    ))
}

/// Returns whether the loader has a method or a constant of this name.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// The largest number of parameters of a typed kernel.
pub(super) const MOST_PARAMETERS: usize = 16;

/// The kernel or the variable in the PTX that an item declares.
pub(super) enum Found<'p> {
    Kernel(&'p Entry<'p>),
    Variable(&'p Variable<'p>),
}

/// Finds what an item declares.
///
/// # Errors
///
/// The first way in which the declaration is wrong.
pub(super) fn find<'p>(item: &Item, ptx: &Ptx, declared: &'p Declarations<'p>) -> Result<Found<'p>> {
    let (symbol, place) = symbol(item);
    let entry = match declared.entries.iter().find(|entry| entry.name == symbol) {
        None if matches!(item.kind, ItemKind::Kernel { .. }) => named_in_cpp(&symbol, place, ptx, declared)?,
        entry => entry,
    };
    let variable =
        declared.variables.iter().find(|variable| variable.name == symbol && is_of_module(variable));
    let name = ptx.name();
    match (&item.kind, entry, variable) {
        (ItemKind::Kernel { params, end, .. }, Some(entry), _) => {
            check_kernel(item, entry, ptx)?;
            check_count(params, *end, entry, ptx)?;
            refuse_opaque(place, entry, ptx)?;
            cpp::check(params, entry, ptx)?;
            Ok(Found::Kernel(entry))
        }
        (ItemKind::Variable(_), _, Some(variable)) => Ok(Found::Variable(variable)),
        (ItemKind::Kernel { .. }, None, Some(variable)) => {
            let text =
                format!("`{symbol}` ({}) is a variable: declare it by `static`", ptx.line(variable.line));
            Err(Error::new(place, text))
        }
        (ItemKind::Variable(_), Some(entry), None) => {
            let text = format!("`{symbol}` ({}) is a kernel: declare it by `fn`", ptx.line(entry.line));
            Err(Error::new(place, text))
        }
        (ItemKind::Kernel { .. }, None, None) => {
            if let Some((_, line)) = declared.functions.iter().find(|(known, _)| *known == symbol) {
                let text = format!(
                    "`{symbol}` ({}) is a `.func`: only an `.entry` can be launched",
                    ptx.line(*line)
                );
                return Err(Error::new(place, text));
            }
            let names: Vec<_> = declared
                .entries
                .iter()
                .map(|entry| {
                    cpp::decoded(entry).map_or_else(|| entry.name.to_owned(), |decoded| decoded.name)
                })
                .collect();
            let known: Vec<_> = names.iter().map(String::as_str).collect();
            Err(Error::new(
                place,
                format!("no kernel `{symbol}` in {name}{}", suggestion(&symbol, &known, "kernels")),
            ))
        }
        (ItemKind::Variable(_), None, None) => {
            if let Some(other) = declared.variables.iter().find(|variable| variable.name == symbol) {
                let word = if other.linkage == Linkage::Extern { ".extern" } else { other.space.name() };
                let text = format!(
                    "`{symbol}` ({}) is `{word}`: only a `.global` or `.const` variable that the module defines can be declared",
                    ptx.line(other.line)
                );
                return Err(Error::new(place, text));
            }
            let known: Vec<_> = declared
                .variables
                .iter()
                .filter(|variable| is_of_module(variable))
                .map(|variable| variable.name)
                .collect();
            Err(Error::new(
                place,
                format!("no variable `{symbol}` in {name}{}", suggestion(&symbol, &known, "variables")),
            ))
        }
    }
}

/// Finds a kernel by its name in C++: `sims::step`, `sum<float>`, or `sum` if only one kernel has the name.
///
/// # Errors
///
/// Several kernels have the name.
fn named_in_cpp<'p>(
    name: &str,
    place: Span,
    ptx: &Ptx,
    declared: &'p Declarations<'p>,
) -> Result<Option<&'p Entry<'p>>> {
    let decoded: Vec<_> = declared
        .entries
        .iter()
        .filter_map(|entry| Some((entry, cuda_ptx::mangle::decode(entry.name)?)))
        .collect();
    let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
    // The most exact first.
    let ways: [&dyn Fn(&cuda_ptx::mangle::Decoded) -> bool; 4] = [
        &|decoded| decoded.to_string() == name,
        &|decoded| decoded.name == name,
        &|decoded| decoded.base == name,
        &|decoded| last(&decoded.base) == name,
    ];
    for is_meant in ways {
        let found: Vec<_> = decoded.iter().filter(|(_, decoded)| is_meant(decoded)).collect();
        match found[..] {
            [] => {}
            [(entry, _)] => return Ok(Some(entry)),
            _ => {
                let list: Vec<_> =
                    found.iter().map(|(entry, decoded)| format!("`{}` ({decoded})", entry.name)).collect();
                let text = format!(
                    "`{name}` names {} kernels in {}: {}; choose one by `#[name = \"{}\"]`",
                    found.len(),
                    ptx.name(),
                    list.join(", "),
                    found[0].1
                );
                return Err(Error::new(place, text));
            }
        }
    }
    Ok(None)
}

/// Returns the symbol that an item declares, and its position in the program.
pub(super) fn symbol(item: &Item) -> (String, Span) {
    match &item.attributes.symbol {
        Some(symbol) => (symbol.value(), symbol.span()),
        None => {
            let name = item.name.to_string();
            (name.strip_prefix("r#").unwrap_or(&name).to_owned(), item.name.span())
        }
    }
}

/// Returns whether a variable is defined in the module and has an address there.
fn is_of_module(variable: &Variable<'_>) -> bool {
    matches!(variable.space, Space::Global | Space::Constant) && variable.linkage != Linkage::Extern
}

/// Checks the attributes of a kernel.
fn check_kernel(item: &Item, entry: &Entry<'_>, ptx: &Ptx) -> Result<()> {
    let Some((block, place)) = item.attributes.block else { return Ok(()) };
    let write = |[x, y, z]: [u32; 3]| format!("{x}, {y}, {z}");
    let line = ptx.line(entry.line);
    if let Some(required) = entry.limits.required_threads.filter(|required| *required != block) {
        let text = format!(
            "kernel `{}` is compiled for blocks of {} threads (`.reqntid`, {line}); {} are declared",
            entry.name,
            write(required),
            write(block)
        );
        return Err(Error::new(place, text));
    }
    let threads = |block: [u32; 3]| block.iter().map(|axis| u64::from(*axis)).product::<u64>();
    if let Some(most) = entry.limits.max_threads.filter(|most| threads(*most) < threads(block)) {
        let text = format!(
            "kernel `{}` is compiled for blocks of at most {} threads (`.maxntid`, {line}); {} are declared",
            entry.name,
            threads(most),
            threads(block)
        );
        return Err(Error::new(place, text));
    }
    Ok(())
}

/// Checks that a safe kernel declares its dynamic shared memory, if the module has such memory.
///
/// # Errors
///
/// The declaration is missing.
pub(super) fn dynamic_shared(item: &Item, safe: &Safe, ptx: &Ptx, declared: &Declarations<'_>) -> Result<()> {
    let is_dynamic =
        |variable: &&Variable<'_>| variable.space == Space::Shared && variable.linkage == Linkage::Extern;
    match declared.variables.iter().find(is_dynamic) {
        Some(variable) if item.attributes.dynamic_shared.is_none() => {
            let text = format!(
                "`{}` ({}) is dynamic shared memory: write the bytes that a block needs, \
                 `#[dynamic_shared(0)]` if the kernel does not use it",
                variable.name,
                ptx.line(variable.line)
            );
            Err(Error::new(safe.place, text))
        }
        _ => Ok(()),
    }
}

fn check_count(params: &[Param], end: Span, entry: &Entry<'_>, ptx: &Ptx) -> Result<()> {
    let count = entry.params.len();
    if params.len() == count && count <= MOST_PARAMETERS {
        return Ok(());
    }
    let place = params.get(count.min(MOST_PARAMETERS)).map_or(end, |surplus| surplus.name.span());
    let Entry { name, line, .. } = entry;
    let takes = format!(
        "kernel `{name}` ({}) takes {count} parameter{}",
        ptx.line(*line),
        if count == 1 { "" } else { "s" }
    );
    if count > MOST_PARAMETERS {
        let text = format!(
            "{takes}; {MOST_PARAMETERS} can be declared: launch it by `Function::with` with `PackedArgs`"
        );
        return Err(Error::new(place, text));
    }
    let types: Vec<_> = entry.params.iter().map(parameter_type).collect();
    let types = if types.is_empty() { String::new() } else { format!(" ({})", types.join(", ")) };
    Err(Error::new(place, format!("{takes}{types}; {} are declared", params.len())))
}

/// Returns the first parameter of an opaque type, such as `.texref`, with its number.
pub(super) fn opaque<'e>(entry: &'e Entry<'_>) -> Option<(usize, &'e cuda_ptx::Param<'e>)> {
    entry.params.iter().enumerate().find(|(_, param)| param.kind.is_opaque())
}

fn refuse_opaque(place: Span, entry: &Entry<'_>, ptx: &Ptx) -> Result<()> {
    let Some((index, param)) = opaque(entry) else { return Ok(()) };
    let text = format!(
        "kernel `{}` ({}): parameter {} `{}` is a texture, surface or sampler reference, which the host cannot pass; take the handle of an object, \
         `.u64`",
        entry.name,
        ptx.line(entry.line),
        index + 1,
        param.name
    );
    Err(Error::new(place, text))
}

/// Returns the sizes of the parameters in bytes, as a slice.
pub(super) fn sizes(entry: &Entry<'_>) -> TokenStream {
    let sizes = entry.params.iter().map(|param| usize_of(param.size));
    quote!(&[#(#sizes),*])
}

/// Writes the type of a parameter as PTX does.
pub(super) fn parameter_type(param: &cuda_ptx::Param<'_>) -> String {
    let scalar = param.kind.scalar().name();
    if param.array { format!(".align {} {scalar}[{}]", param.align, param.size) } else { scalar.to_owned() }
}

/// Returns the constants that compare the types of a kernel's parameters.
///
/// # Errors
///
/// A parameter that the host cannot pass.
pub(super) fn parameters(
    library: &TokenStream,
    params: &[Param],
    entry: &Entry<'_>,
    ptx: &Ptx,
) -> Result<TokenStream> {
    let mut checks = TokenStream::new();
    for (index, (param, declared)) in params.iter().zip(&entry.params).enumerate() {
        let place = format!(
            "kernel `{}` ({}): parameter {} `{}` is `{}`",
            entry.name,
            ptx.line(entry.line),
            index + 1,
            param.name,
            parameter_type(declared)
        );
        let pointer = declared.pointer;
        if let Some(space) = pointer.and_then(|pointer| pointer.space)
            && !matches!(space, Space::Global | Space::Constant)
        {
            let text =
                format!("{place}, and points to `{}` memory, which the host cannot pass", space.name());
            return Err(Error::new(span_of(&param.kind), text));
        }
        let class = match declared.kind.scalar().class() {
            _ if declared.array => quote!(Bits),
            Class::Float => quote!(Float),
            Class::Signed | Class::Unsigned => quote!(Integer),
            _ => quote!(Bits),
        };
        let (size, align) = (usize_of(declared.size), usize_of(declared.align));
        let pointee = pointer.and_then(|pointer| pointer.align).map_or(1, |align| usize_of(align.into()));
        let argument = Passing::of(&param.kind).argument(library);
        let given = written(&param.kind);
        let facts = quote!(&#library::kernels::__private::PtxParameter {
            place: #place, given: #given, size: #size, align: #align,
            class: #library::kernels::__private::PtxClass::#class, pointee_align: #pointee,
        });
        let function = quote!(#library::kernels::__private::parameter);
        let len = text_len(&place, &given);
        checks.extend(assertion(&function, &quote!(#argument, #len), &param.kind, facts));
    }
    Ok(checks)
}

/// A field of a variable: its type, the method of `Module` that finds it, and the constant that compares the type.
pub(super) struct Field {
    pub(super) kind: TokenStream,
    pub(super) find: TokenStream,
    pub(super) check: TokenStream,
}

/// Returns the field of a variable. If `found` is `None`, the type is not checked.
///
/// # Errors
///
/// - A texture, a surface or a variable that is declared as another of these.
/// - A sampler.
pub(super) fn field(
    library: &TokenStream,
    kind: &Type,
    found: Option<&Variable<'_>>,
    ptx: &Ptx,
) -> Result<Field> {
    let (expected, method, of) = lookup(library, kind);
    let mut check = TokenStream::new();
    if let Some(variable) = found {
        let (name, line) = (variable.name, ptx.line(variable.line));
        let is = match variable.kind {
            VariableType::Texture => {
                Some((VariableType::Texture, "a texture reference: declare it as `TexRef`"))
            }
            VariableType::Surface => {
                Some((VariableType::Surface, "a surface reference: declare it as `SurfRef`"))
            }
            VariableType::Sampler => {
                Some((VariableType::Sampler, "a sampler, which `kernels!` cannot declare: remove it"))
            }
            VariableType::Scalar(_) => None,
        };
        match (expected, is) {
            (expected, Some((is, text))) if expected != Some(is) => {
                return Err(Error::new(span_of(kind), format!("`{name}` ({line}) is {text}")));
            }
            (Some(_), None) => {
                let text = format!("`{name}` ({line}) is a variable: declare it by the type of its value");
                return Err(Error::new(span_of(kind), text));
            }
            (None, None) => {
                let place = format!("variable `{name}` ({line})");
                let (size, align) =
                    (usize_of(variable.size().unwrap_or(u64::MAX)), usize_of(variable.alignment()));
                let given = written(kind);
                let facts = quote!(&#library::kernels::__private::PtxVariable {
                    place: #place, given: #given, size: #size, align: #align,
                });
                let function = quote!(#library::kernels::__private::variable);
                let len = text_len(&place, &given);
                check = assertion(&function, &quote!(#kind, #len), kind, facts);
            }
            _ => {}
        }
    }
    Ok(Field { kind: of, find: method, check })
}

/// Returns the declared type of a variable (`None` for memory), the method that finds the variable, and the type of the field.
pub(super) fn lookup(library: &TokenStream, kind: &Type) -> (Option<VariableType>, TokenStream, TokenStream) {
    let reference = match kind {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    };
    match reference.as_deref() {
        Some("TexRef") => (Some(VariableType::Texture), quote!(tex_ref), kind.to_token_stream()),
        Some("SurfRef") => (Some(VariableType::Surface), quote!(surf_ref), kind.to_token_stream()),
        _ => {
            let element = element(kind);
            (None, quote!(global), quote!(#library::module::Global<#element>))
        }
    }
}

/// Returns the type of a variable's elements.
pub(super) fn element(kind: &Type) -> &Type {
    if let Type::Array(array) = kind { &array.elem } else { kind }
}

/// Returns the length of the longest error about a type: its place, the type, and words with numbers.
pub(super) fn text_len(place: &str, given: &str) -> usize {
    place.len() + given.len() + 256
}

fn usize_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Returns a constant that calls a function with `argument`. `kind` has the generic arguments of the call. The compiler reports
/// a failure at the tokens of `place`.
pub(super) fn assertion(
    function: &TokenStream,
    kind: &TokenStream,
    place: &Type,
    argument: TokenStream,
) -> TokenStream {
    let tokens: Vec<TokenTree> = place.to_token_stream().into_iter().collect();
    let (first, last) = match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => (first.span(), last.span()),
        _ => (Span::call_site(), Span::call_site()),
    };
    // The span of a call reaches from the function to the end of the arguments. So the function has the position of the type's
    // first token, and the arguments have that of its last one. Both must be tokens of one macro.
    let origin = function.clone().into_iter().next().map_or(last, |token| token.span());
    let function: TokenStream = function.clone().into_iter().map(|token| respanned(token, first)).collect();
    let mut arguments = Group::new(proc_macro2::Delimiter::Parenthesis, argument);
    arguments.set_span(last.resolved_at(origin));
    let called = quote_spanned!(first=> ::<#kind>);
    quote!(const _: () = #function #called #arguments;)
}

/// Gives a token another position, but the same meaning: `$crate` still names the same crate.
fn respanned(mut token: TokenTree, place: Span) -> TokenTree {
    let at = place.resolved_at(token.span());
    token.set_span(at);
    token
}

/// Returns a name for a parameter without one.
pub(super) fn numbered(index: usize) -> Ident {
    Ident::new(&format!("p{index}"), Span::call_site())
}
