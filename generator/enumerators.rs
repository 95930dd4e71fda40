//! The enumerators under their own names, as C has them, beside the constants of their types.

use super::rust::Types;
use super::traits::wrapped;
use std::fmt::Write;

/// Each type with its enumerators, for a macro that makes constants of them.
pub(crate) fn list(types: &str) -> String {
    let mut text = String::from("enumerators! {\n");
    for (enumeration, names) in Types::parse(types).enumerations {
        let _ = writeln!(text, "    {enumeration} {{\n{}\n    }}", wrapped(&names, "        "));
    }
    text + "}\n"
}
