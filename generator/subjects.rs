//! The subjects of the layout test: every structure with its fields, every alias and constant.

use super::layout::Layout;
use super::rust::Types;
use super::table::Set;
use super::traits::{block, wrapped};
use super::types::Interface;
use std::fmt::Write;

pub(crate) fn file(base: &Interface, sides: &[(Set, Interface)]) -> String {
    let all: Vec<&Interface> = std::iter::once(base).chain(sides.iter().map(|(_, side)| side)).collect();
    let types = Types::parse(&all.iter().map(|interface| interface.types.as_str()).collect::<String>());
    let layouts: Vec<&Layout> = all.iter().flat_map(|interface| &interface.layouts).collect();
    let mut text = String::from("structures! {\n");
    for name in types.order.iter().filter(|name| !is_part(name, &types)) {
        // A type that is declared and never defined has no layout.
        if types.structures[name].iter().any(|(field, _)| field == "_unused" || field == "_address") {
            continue;
        }
        let mut fields = Vec::new();
        flatten(name, ("", Some(0)), &types, &layouts, &mut fields);
        let _ = writeln!(text, "    {name} {{\n{}\n    }}", wrapped(&fields, "        "));
    }
    text.push_str("}\n");
    let aliases: Vec<String> = types.aliases.iter().map(|(name, of)| format!("{name} = {of};")).collect();
    text + &block("aliases", &aliases) + &block("constants", &types.constants)
}

/// Returns whether bindgen made up the name, for a type that is defined inside another.
fn is_part(name: &str, types: &Types) -> bool {
    name.contains("__bindgen_ty_")
        || types.order.iter().any(|outer| {
            name.strip_prefix(outer.as_str()).is_some_and(|rest| rest.starts_with('_')) && outer != name
        })
}

/// Lists the fields of a type, and those of the parts that are defined inside it: each with its type and
/// its offset. bindgen asserts no offset of parts without a name: `_` stands there.
fn flatten(
    name: &str,
    (path, start): (&str, Option<usize>),
    types: &Types,
    layouts: &[&Layout],
    fields: &mut Vec<String>,
) {
    let layout = layouts.iter().find(|layout| layout.name == name);
    for (field, of) in &types.structures[name] {
        let offset = layout.and_then(|layout| layout.offset(field));
        let offset = start.zip(offset).map(|(start, offset)| start + offset);
        let path = format!("{path}{field}");
        let stated = offset.map_or_else(|| "_".to_owned(), |offset| offset.to_string());
        fields.push(format!("{path}: {of} = {stated};"));
        if types.structures.contains_key(of) && is_part(of, types) {
            flatten(of, (&format!("{path}."), offset), types, layouts, fields);
        }
    }
}
