//! Strings on their way to C.

use crate::error::{Error, Result};
use std::ffi::CString;

/// A copy with a NUL at its end; refused if there is one inside.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> Result<CString> {
    CString::new(text).map_err(|error| {
        let position = error.nul_position();
        Error::invalid("string for C", format_args!("the byte at position {position} is NUL; remove it"))
    })
}
