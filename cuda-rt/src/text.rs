//! Strings on their way to C.

use crate::error::{Error, Result};
use std::ffi::CString;

/// Returns a copy with a NUL at its end; refused if there is one inside.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> Result<CString> {
    CString::new(text).map_err(|error| {
        let position = error.nul_position();
        Error::invalid("string for C", format_args!("the byte at position {position} is NUL; remove it"))
    })
}

/// Returns the ordinal of a parameter, counted from 1, for its number, counted from 0.
pub(crate) fn ordinal(index: u32) -> String {
    const NAMES: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    match NAMES.get(index as usize) {
        Some(name) => format!("the {name}"),
        None => format!("number {} counted from 1", u64::from(index) + 1),
    }
}
