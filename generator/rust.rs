//! The generated types as a program sees them.

use std::collections::BTreeMap;
use syn::{Fields, GenericArgument, Item, PathArguments, ReturnType, Type};

/// A structure or a union: its fields, each with its type.
pub(crate) type Members = Vec<(String, String)>;

pub(crate) struct Types {
    pub(crate) structures: BTreeMap<String, Members>,
    /// In the order of the text.
    pub(crate) order: Vec<String>,
    /// Numbers with names: a type, and its enumerators.
    pub(crate) enumerations: Vec<(String, Vec<String>)>,
    /// The number of each enumerator.
    pub(crate) values: BTreeMap<String, i64>,
    pub(crate) aliases: Vec<(String, String)>,
    pub(crate) constants: Vec<String>,
}

impl Types {
    pub(crate) fn parse(text: &str) -> Types {
        let file = syn::parse_file(text).expect("bindgen writes Rust");
        let mut types = Types {
            structures: BTreeMap::new(),
            order: Vec::new(),
            enumerations: Vec::new(),
            values: BTreeMap::new(),
            aliases: Vec::new(),
            constants: Vec::new(),
        };
        // Enumerators come before their types.
        for item in &file.items {
            if let Item::Struct(item) = item
                && matches!(item.fields, Fields::Unnamed(_))
            {
                types.enumerations.push((item.ident.to_string(), Vec::new()));
            }
        }
        for item in &file.items {
            match item {
                Item::Struct(item) if matches!(item.fields, Fields::Unnamed(_)) => {}
                Item::Struct(item) => types.structure(item.ident.to_string(), &item.fields),
                Item::Union(item) => {
                    types.structure(item.ident.to_string(), &Fields::Named(item.fields.clone()))
                }
                // `pub use self::Tag as Name;`
                Item::Use(item) => {
                    if let syn::UseTree::Path(path) = &item.tree
                        && let syn::UseTree::Rename(renamed) = &*path.tree
                    {
                        types.aliases.push((renamed.rename.to_string(), renamed.ident.to_string()));
                    }
                }
                Item::Type(item) => types.aliases.push((item.ident.to_string(), spelled(&item.ty))),
                Item::Const(item) if item.ident != "_" => types.constants.push(item.ident.to_string()),
                Item::Impl(item) if item.trait_.is_none() => {
                    let name = spelled(&item.self_ty);
                    let constants = item.items.iter().filter_map(|item| match item {
                        syn::ImplItem::Const(constant) => Some(constant),
                        _ => None,
                    });
                    let values = constants
                        .clone()
                        .map(|constant| (constant.ident.to_string(), number(&constant.expr)));
                    types.values.extend(values);
                    let constants = constants.map(|constant| constant.ident.to_string());
                    // One block for each enumerator.
                    if let Some((_, known)) = types.enumerations.iter_mut().find(|(known, _)| *known == name)
                    {
                        known.extend(constants);
                    }
                }
                _ => {}
            }
        }
        types
    }

    fn structure(&mut self, name: String, fields: &Fields) {
        let members =
            fields.iter().filter_map(|field| Some((field.ident.as_ref()?.to_string(), spelled(&field.ty))));
        self.order.push(name.clone());
        self.structures.insert(name, members.collect());
    }
}

/// The number in `CUresult(100)`.
fn number(expression: &syn::Expr) -> i64 {
    match expression {
        syn::Expr::Call(call) => number(call.args.first().expect("an enumerator has a number")),
        syn::Expr::Unary(negative) => -number(&negative.expr),
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => {
            number.base10_parse().expect("an enumerator's number is small")
        }
        _ => panic!("bindgen writes numbers in no other way"),
    }
}

/// A type without the paths before its names.
fn spelled(of: &Type) -> String {
    match of {
        Type::Ptr(pointer) => {
            let kind = if pointer.mutability.is_some() { "mut" } else { "const" };
            format!("*{kind} {}", spelled(&pointer.elem))
        }
        Type::Array(array) => {
            let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(length), .. }) = &array.len else {
                panic!("an array's length is a number")
            };
            format!("[{}; {}]", spelled(&array.elem), length.base10_digits())
        }
        Type::BareFn(function) => {
            let arguments: Vec<String> =
                function.inputs.iter().map(|argument| spelled(&argument.ty)).collect();
            let result = match &function.output {
                ReturnType::Default => String::new(),
                ReturnType::Type(_, result) => format!(" -> {}", spelled(result)),
            };
            format!("unsafe extern \"C\" fn({}){result}", arguments.join(", "))
        }
        Type::Path(path) => {
            let last = path.path.segments.last().expect("a path has a name");
            match &last.arguments {
                PathArguments::AngleBracketed(arguments) => {
                    let Some(GenericArgument::Type(inner)) = arguments.args.first() else {
                        panic!("bindgen wraps types alone")
                    };
                    format!("{}<{}>", last.ident, spelled(inner))
                }
                _ => last.ident.to_string(),
            }
        }
        _ => panic!("bindgen uses no other types"),
    }
}
