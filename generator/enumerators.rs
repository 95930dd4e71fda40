//! The enumerators under their own names, as C has them, beside the constants of their types.

use super::rust::Types;
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
    for (enumeration, enumerators) in Types::parse(types).enumerations {
        for name in enumerators {
            let _ = writeln!(text, "pub const {name}: {enumeration} = {enumeration}::{name};");
        }
    }
    text
}
