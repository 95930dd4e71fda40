//! The enumerators under their own names, as C has them, beside the constants of their types.

use std::fmt::Write;

pub(crate) fn file(types: &str) -> String {
    format!(
        "//! The enumerators under their own names, as C has them. The constants of their types are the same.
//!
//! ```
//! use cuda_sys::*;
//!
//! assert_eq!(CUDA_ERROR_NOT_FOUND, CUresult::CUDA_ERROR_NOT_FOUND);
//! ```

use super::types::*;

{}",
        constants(types)
    )
}

/// A constant for each enumerator of the types.
pub(crate) fn constants(types: &str) -> String {
    let mut text = String::new();
    let mut enumeration = None;
    for line in types.lines() {
        if let Some(rest) = line.strip_prefix("impl ").and_then(|rest| rest.strip_suffix(" {")) {
            enumeration = Some(rest);
        } else if line == "}" {
            enumeration = None;
        } else if let Some(rest) = line.trim_start().strip_prefix("pub const ")
            && let (Some(enumeration), Some((name, value))) = (enumeration, rest.split_once(": "))
        {
            // Other constants of a type are none of its numbers.
            if value.starts_with(&format!("{enumeration} = ")) || value == format!("{enumeration} =") {
                let _ = writeln!(text, "pub const {name}: {enumeration} = {enumeration}::{name};");
            }
        }
    }
    text
}
