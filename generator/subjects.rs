//! What the layout test looks at: every structure with its fields, every enumeration, alias and constant.

use super::rust::Types;
use super::table::Set;
use super::types::Interface;
use std::fmt::Write;

pub(crate) fn file(base: &str, sides: &[(Set, Interface)]) -> String {
    let all =
        std::iter::once(base).chain(sides.iter().map(|(_, side)| side.types.as_str())).collect::<String>();
    let types = Types::parse(&all);
    let mut text = String::from("structures! {\n");
    for name in types.order.iter().filter(|name| !is_part(name, &types)) {
        let mut paths = Vec::new();
        flatten(name, "", &types, &mut paths);
        // What is declared and never defined has no layout.
        if paths.iter().any(|(path, _)| path == "_unused" || path == "_address") {
            continue;
        }
        let _ = writeln!(text, "    {name} {{");
        for (path, of) in paths {
            let _ = writeln!(text, "        {path}: {of};");
        }
        text.push_str("    }\n");
    }
    text.push_str("}\n\nenumerations! {\n");
    for (name, enumerators) in &types.enumerations {
        let _ = writeln!(text, "    {name} {{ {} }}", enumerators.join(" "));
    }
    text.push_str("}\n\naliases! {\n");
    for (name, of) in &types.aliases {
        let _ = writeln!(text, "    {name} = {of};");
    }
    text.push_str("}\n\nconstants! {\n");
    for name in &types.constants {
        let _ = writeln!(text, "    {name};");
    }
    text.push_str("}\n");
    text
}

/// Whether bindgen made up the name, for a type that is defined inside another.
fn is_part(name: &str, types: &Types) -> bool {
    name.contains("__bindgen_ty_")
        || types.order.iter().any(|outer| {
            name.strip_prefix(outer.as_str()).is_some_and(|rest| rest.starts_with('_')) && outer != name
        })
}

/// The fields of a type, and those of the parts that are defined inside it.
fn flatten(name: &str, before: &str, types: &Types, paths: &mut Vec<(String, String)>) {
    for (field, of) in &types.structures[name] {
        let path = format!("{before}{field}");
        paths.push((path.clone(), of.clone()));
        if types.structures.contains_key(of) && is_part(of, types) {
            flatten(of, &format!("{path}."), types, paths);
        }
    }
}
