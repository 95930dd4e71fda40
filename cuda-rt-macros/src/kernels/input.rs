//! The grammar of `kernels!`.

use super::passing::{Passing, check_lifetimes, with_lifetime};
use core::fmt::Display;
use core::str::FromStr;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, LitInt, LitStr, Meta, Result, Token, Type, Visibility, braced, bracketed,
    parenthesized, parse_quote, token,
};

/// `struct NAME from SOURCE; extern { .. }`
pub(super) struct Input {
    /// The path of cuda-rt.
    pub(super) library: TokenStream,
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) name: Ident,
    pub(super) source: Source,
    /// `None` without a block of declarations.
    pub(super) items: Option<Vec<Item>>,
    /// `unsafe` of the block.
    pub(super) promise: Option<Token![unsafe]>,
}

/// The code, and its language.
pub(super) enum Source {
    Ptx(Text),
    Cuda(Cuda),
}

/// A text.
pub(super) enum Text {
    /// `ptx("..")`
    Inline(LitStr),
    /// `ptx_file("..")`, or `ptx_file(concat!(..))` of these parts.
    File(Vec<Part>),
}

/// `cuda("..", options = .., headers = [..])`
pub(super) struct Cuda {
    pub(super) text: Text,
    /// An expression of `CompileOptions`.
    pub(super) options: Option<TokenStream>,
    /// The headers, by the names with which the text includes them.
    pub(super) headers: Vec<LitStr>,
    /// The position of the name of the language.
    pub(super) place: Span,
}

/// A part of a path.
pub(super) enum Part {
    Literal(LitStr),
    /// `env!("..")`
    Environment(LitStr),
}

/// A declaration.
pub(super) struct Item {
    pub(super) attributes: ItemAttributes,
    pub(super) visibility: Visibility,
    pub(super) name: Ident,
    pub(super) kind: ItemKind,
}

pub(super) enum ItemKind {
    Kernel {
        params: Vec<Param>,
        /// The position at which a missing parameter is reported.
        end: Span,
        /// `None` if its launches are `unsafe`.
        safe: Option<Safe>,
    },
    Variable(Box<Type>),
}

/// `safe` of a kernel, and its relations.
pub(super) struct Safe {
    /// The position of `safe`.
    pub(super) place: Span,
    /// `where ..`
    pub(super) relations: Vec<Expr>,
}

/// `name: type`
pub(super) struct Param {
    /// `#[reads]`: the kernel only reads the memory, although its C++ type does not say so.
    pub(super) reads: bool,
    pub(super) name: Ident,
    pub(super) kind: Type,
}

/// The attributes of a declaration.
#[derive(Default)]
pub(super) struct ItemAttributes {
    /// The documentation.
    pub(super) docs: Vec<Attribute>,
    /// `cfg` and lint levels.
    pub(super) others: Vec<Attribute>,
    /// `#[name = ".."]`
    pub(super) symbol: Option<LitStr>,
    /// `#[block(..)]`, and its position.
    pub(super) block: Option<([u32; 3], Span)>,
    /// `#[grid(..)]`: the axes along which a safe launch has blocks.
    pub(super) grid: Option<(usize, Span)>,
    /// `#[dynamic_shared(..)]`: the bytes of dynamic shared memory of each block.
    pub(super) dynamic_shared: Option<(u32, Span)>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let library;
        parenthesized!(library in input);
        let library = library.parse()?;
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![struct]>()?;
        let name = input.parse()?;
        word(input, "from")?;
        let source = input.parse()?;
        input.parse::<Token![;]>()?;
        let (items, promise) = match input.is_empty() {
            true => (None, None),
            false => items(input).map(|(items, promise)| (Some(items), promise))?,
        };
        Ok(Input { library, attributes, visibility, name, source, items, promise })
    }
}

/// Takes a word that is not a keyword of Rust, and returns its position.
fn word(input: ParseStream<'_>, expected: &str) -> Result<Span> {
    let found: Ident =
        input.parse().map_err(|error| Error::new(error.span(), format!("expected `{expected}`")))?;
    if found == expected {
        return Ok(found.span());
    }
    Err(Error::new(found.span(), format!("expected `{expected}`")))
}

impl Parse for Source {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        const FORMS: &str =
            "expected `ptx_file(\"path\")`, `ptx(\"text\")`, `cuda_file(\"path\")` or `cuda(\"text\")`";
        let kind: Ident = input.parse().map_err(|error| Error::new(error.span(), FORMS))?;
        let content;
        parenthesized!(content in input);
        let source = if kind == "ptx" {
            Source::Ptx(Text::Inline(content.parse()?))
        } else if kind == "ptx_file" {
            Source::Ptx(Text::File(parts(&content)?))
        } else if kind == "cuda" || kind == "cuda_file" {
            Source::Cuda(cuda(&kind, &content, cfg!(feature = "nvrtc"))?)
        } else {
            return Err(Error::new(kind.span(), FORMS));
        };
        if content.is_empty() { Ok(source) } else { Err(content.error("expected `)`")) }
    }
}

/// Parses the content of the parentheses of `cuda` or `cuda_file`.
fn cuda(kind: &Ident, content: ParseStream<'_>, is_available: bool) -> Result<Cuda> {
    if !is_available {
        let text = format!("`{kind}` needs the feature `nvrtc` of cuda-rt");
        return Err(Error::new(kind.span(), text));
    }
    let text = if kind == "cuda" { Text::Inline(content.parse()?) } else { Text::File(parts(content)?) };
    let mut cuda = Cuda { text, options: None, headers: Vec::new(), place: kind.span() };
    let mut has_headers = false;
    while !content.is_empty() {
        const SETTINGS: &str = "expected `options = ..` or `headers = [\"..\"]`";
        content.parse::<Token![,]>()?;
        if content.is_empty() {
            break;
        }
        let setting: Ident = content.parse().map_err(|error| Error::new(error.span(), SETTINGS))?;
        let is_repeated =
            (setting == "options" && cuda.options.is_some()) || (setting == "headers" && has_headers);
        if is_repeated {
            return Err(Error::new(setting.span(), format!("`{setting}` is given twice")));
        }
        if setting == "options" {
            content.parse::<Token![=]>()?;
            cuda.options = Some(expression(content)?);
        } else if setting == "headers" {
            content.parse::<Token![=]>()?;
            let list;
            bracketed!(list in content);
            let names = Punctuated::<LitStr, Token![,]>::parse_terminated(&list)?;
            cuda.headers = names.into_iter().collect();
            has_headers = true;
        } else {
            return Err(Error::new(setting.span(), SETTINGS));
        }
    }
    Ok(cuda)
}

/// Parses an expression, up to the next setting. The compiler checks it.
fn expression(input: ParseStream<'_>) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() {
        let ahead = input.fork();
        let is_comma = ahead.parse::<Token![,]>().is_ok();
        if is_comma && (ahead.is_empty() || (ahead.peek(Ident::peek_any) && ahead.peek2(Token![=]))) {
            break;
        }
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    if tokens.is_empty() {
        Err(input.error("expected an expression of `CompileOptions`"))
    } else {
        Ok(tokens)
    }
}

/// Parses a literal, `env!("..")`, or `concat!(..)` of those.
fn parts(input: ParseStream<'_>) -> Result<Vec<Part>> {
    if input.peek(LitStr) {
        return Ok(vec![Part::Literal(input.parse()?)]);
    }
    const FORMS: &str = "expected a path in quotes, `env!(\"..\")`, or `concat!(..)` of these";
    let called: Ident = input.parse().map_err(|error| Error::new(error.span(), FORMS))?;
    input.parse::<Token![!]>()?;
    let content;
    parenthesized!(content in input);
    if called == "env" {
        let variable = content.parse()?;
        return if content.is_empty() {
            Ok(vec![Part::Environment(variable)])
        } else {
            Err(content.error("expected `)`"))
        };
    }
    if called != "concat" {
        return Err(Error::new(called.span(), FORMS));
    }
    let mut found = Vec::new();
    while !content.is_empty() {
        found.extend(parts(&content)?);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(found)
}

/// Parses `extern { .. }` or `unsafe extern { .. }`.
fn items(input: ParseStream<'_>) -> Result<(Vec<Item>, Option<Token![unsafe]>)> {
    let promise: Option<Token![unsafe]> = input.parse()?;
    input.parse::<Token![extern]>()?;
    let content;
    braced!(content in input);
    let mut items: Vec<Item> = Vec::new();
    while !content.is_empty() {
        let item = content.parse()?;
        if let Item { kind: ItemKind::Kernel { safe: Some(safe), .. }, .. } = &item
            && promise.is_none()
        {
            let text = "`safe` is a promise about the kernel, which the compiler cannot check: write `unsafe` before `extern`";
            return Err(Error::new(safe.place, text));
        }
        items.push(item);
    }
    if input.is_empty() {
        Ok((items, promise))
    } else {
        Err(input.error("expected nothing after the declarations"))
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = item_attributes(input.call(Attribute::parse_outer)?)?;
        let visibility = input.parse()?;
        let is_marked = input.peek(Ident::peek_any) && input.peek2(Token![fn]);
        let safe = if is_marked { Some(word(input, "safe")?) } else { None };
        if input.peek(Token![fn]) {
            input.parse::<Token![fn]>()?;
            let name = input.parse()?;
            let content;
            let parentheses: token::Paren = parenthesized!(content in input);
            let params = Punctuated::<Param, Token![,]>::parse_terminated(&content)?;
            if input.peek(Token![->]) {
                return Err(input.error("a kernel returns nothing: expected `;`"));
            }
            let safe = match safe {
                Some(place) => Some(Safe { place, relations: relations(input)? }),
                None if input.peek(Token![where]) => {
                    return Err(input.error("the relations of `where` are checked for a `safe fn` only"));
                }
                None => None,
            };
            if let (None, Some((_, place))) = (&safe, &attributes.grid) {
                return Err(Error::new(
                    *place,
                    "`#[grid(..)]` is for a `safe fn`: other launches have any grid",
                ));
            }
            let params = params.into_iter().collect();
            let kind = ItemKind::Kernel { params, end: parentheses.span.close(), safe };
            input.parse::<Token![;]>()?;
            return Ok(Item { attributes, visibility, name, kind });
        }
        if !input.peek(Token![static]) {
            return Err(input.error("expected `fn` or `static`"));
        }
        input.parse::<Token![static]>()?;
        let ItemAttributes { block, grid, dynamic_shared, .. } = &attributes;
        let launch = [
            block.map(|(_, place)| ("block", place)),
            grid.map(|(_, place)| ("grid", place)),
            dynamic_shared.map(|(_, place)| ("dynamic shared memory", place)),
        ];
        if let Some((attribute, place)) = launch.into_iter().flatten().next() {
            return Err(Error::new(place, format!("a variable has no {attribute}")));
        }
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let kind = input.parse()?;
        check_lifetimes(&kind)?;
        let kind = ItemKind::Variable(Box::new(with_lifetime(&kind, "'static")));
        input.parse::<Token![;]>()?;
        Ok(Item { attributes, visibility, name, kind })
    }
}

/// Parses `where RELATION, ..`.
fn relations(input: ParseStream<'_>) -> Result<Vec<Expr>> {
    if input.parse::<Option<Token![where]>>()?.is_none() {
        return Ok(Vec::new());
    }
    let mut list = Vec::new();
    while list.is_empty() || !input.peek(Token![;]) {
        list.push(input.parse()?);
        if !input.peek(Token![;]) {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(list)
}

impl Parse for Param {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        if let Some(other) = attributes.iter().find(|attribute| !attribute.path().is_ident("reads")) {
            return Err(Error::new(other.path().span(), "expected `#[reads]`"));
        }
        refuse_repeated(&attributes, &["reads"])?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let kind: Type = input.parse()?;
        check_lifetimes(&kind)?;
        let advice = match Passing::of(&kind) {
            Passing::Read(_) => None,
            Passing::Write(_) => Some("; write `&[..]` if the kernel only reads the memory"),
            Passing::Value(_) => Some(""),
        };
        if let (Some(attribute), Some(advice)) = (attributes.first(), advice) {
            let text = format!("`#[reads]` is for a parameter of type `&[..]`{advice}");
            return Err(Error::new(attribute.path().span(), text));
        }
        Ok(Param { reads: !attributes.is_empty(), name, kind })
    }
}

/// Returns an attribute for another part of the expansion. The part that has the attribute itself fulfils an expectation.
pub(super) fn without_expectation(attribute: &Attribute) -> Attribute {
    let mut attribute = attribute.clone();
    if let (true, Meta::List(list)) = (attribute.path().is_ident("expect"), &mut attribute.meta) {
        list.path = Ident::new("allow", list.path.span()).into();
    }
    attribute
}

/// Returns the attributes of an item for code that belongs to it: `cfg` and lint levels. The code may use a deprecated item.
pub(super) fn beside(attributes: &[Attribute]) -> Vec<Attribute> {
    let attribute = |attribute: &Attribute| match &*attribute.path().get_ident()?.to_string() {
        "cfg" | "allow" | "expect" | "warn" | "deny" => Some(without_expectation(attribute)),
        "deprecated" => Some(parse_quote!(#[allow(deprecated)])),
        _ => None,
    };
    attributes.iter().filter_map(attribute).collect()
}

/// Refuses the second attribute of a name.
fn refuse_repeated(attributes: &[Attribute], names: &[&str]) -> Result<()> {
    for name in names {
        if let Some(second) = attributes.iter().filter(|attribute| attribute.path().is_ident(name)).nth(1) {
            return Err(Error::new(second.path().span(), format!("`#[{name}]` is given twice")));
        }
    }
    Ok(())
}

fn item_attributes(attributes: Vec<Attribute>) -> Result<ItemAttributes> {
    refuse_repeated(&attributes, &["name", "block", "grid", "dynamic_shared"])?;
    let mut found = ItemAttributes::default();
    for attribute in attributes {
        if attribute.path().is_ident("doc") {
            found.docs.push(attribute);
        } else if attribute.path().is_ident("name") {
            found.symbol = Some(attribute.meta.require_name_value().and_then(|meta| {
                let value = &meta.value;
                syn::parse2(quote::quote!(#value))
            })?);
        } else if attribute.path().is_ident("block") {
            let place = attribute.meta.require_list()?.delimiter.span().join();
            let numbers = attribute.parse_args_with(Punctuated::<LitInt, Token![,]>::parse_terminated)?;
            found.block = Some((extent(&numbers, place)?, place));
        } else if attribute.path().is_ident("grid") {
            let axes: LitInt = attribute.parse_args()?;
            let number = axes.base10_parse().ok().filter(|number| (1..=3).contains(number));
            let number = number.ok_or_else(|| Error::new(axes.span(), "a grid has 1, 2 or 3 axes"))?;
            found.grid = Some((number, axes.span()));
        } else if attribute.path().is_ident("dynamic_shared") {
            let bytes: LitInt = attribute.parse_args()?;
            found.dynamic_shared = Some((number_within(&bytes, 0, u32::MAX)?, bytes.span()));
        } else if ["cfg", "allow", "expect", "warn", "deny", "deprecated"]
            .iter()
            .any(|known| attribute.path().is_ident(known))
        {
            found.others.push(attribute);
        } else {
            let text = "expected `#[name = \"..\"]`, `#[block(..)]`, `#[grid(..)]`, `#[dynamic_shared(..)]`, \
                        `#[cfg(..)]`, a lint level or documentation";
            return Err(Error::new(attribute.path().span(), text));
        }
    }
    Ok(found)
}

/// Parses an integer. The text of the error has the integer and the limit that it breaks.
pub(super) fn number_within<N: FromStr<Err: Display> + Display>(
    literal: &LitInt,
    least: N,
    most: N,
) -> Result<N> {
    literal.base10_parse().map_err(|_| {
        let digits = literal.base10_digits();
        let text = match digits.starts_with('-') {
            true => format!("{digits} is less than {least}"),
            false => format!("{digits} is more than {most}"),
        };
        Error::new(literal.span(), text)
    })
}

/// The largest block of all devices.
const MOST_THREADS: u128 = 1024;

/// Parses one to three numbers of threads.
fn extent(numbers: &Punctuated<LitInt, Token![,]>, place: Span) -> Result<[u32; 3]> {
    if numbers.is_empty() || numbers.len() > 3 {
        return Err(Error::new(place, format!("{} numbers; a block has one to three axes", numbers.len())));
    }
    let mut extent = [1; 3];
    for (axis, number) in extent.iter_mut().zip(numbers) {
        *axis = number_within(number, 0, u32::MAX)?;
        if *axis == 0 {
            return Err(Error::new(number.span(), "a block has at least 1 thread along each axis"));
        }
    }
    let threads: u128 = extent.iter().map(|axis| u128::from(*axis)).product();
    if threads > MOST_THREADS {
        let text = format!("a block has at most {MOST_THREADS} threads; {threads} are declared");
        return Err(Error::new(place, text));
    }
    Ok(extent)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error of a source without the feature `nvrtc`.
    fn refused(text: &str) -> String {
        let parser = |input: ParseStream<'_>| {
            let kind = input.parse()?;
            let content;
            parenthesized!(content in input);
            cuda(&kind, &content, false).map(drop)
        };
        syn::parse::Parser::parse_str(parser, text).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn cuda_is_refused_without_its_feature() {
        assert_eq!(refused("cuda(\"\")"), "`cuda` needs the feature `nvrtc` of cuda-rt");
        assert_eq!(refused("cuda_file(\"k.cu\")"), "`cuda_file` needs the feature `nvrtc` of cuda-rt");
    }
}
