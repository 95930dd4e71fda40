//! Strings for C, and parts of messages.

use crate::error::{Error, Result};
use core::fmt;
use std::ffi::CString;

/// Returns a copy with a NUL at its end. Refuses text that contains a NUL, and tells up to 40 bytes before it.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> Result<CString> {
    const BEFORE: usize = 40;
    CString::new(text).map_err(|error| {
        let position = error.nul_position();
        let text = error.into_vec();
        let before = text.get(position.saturating_sub(BEFORE)..position).unwrap_or_default();
        let before = String::from_utf8_lossy(before);
        Error::invalid(
            "string for C",
            format_args!("the byte at position {position} is NUL, after `{before}`; remove it"),
        )
    })
}

/// Formats a text. For the macro `format!` of this crate.
#[inline(never)]
pub(crate) fn format(parts: fmt::Arguments<'_>) -> String {
    std::fmt::format(parts)
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

/// Lists texts for an error: the first eight of them, and the number of the others.
pub(crate) fn list(texts: &[String]) -> String {
    const MOST: usize = 8;
    let (listed, others) = texts.split_at(texts.len().min(MOST));
    let listed = listed.join(", ");
    if others.is_empty() { listed } else { format!("{listed} and {} more", others.len()) }
}

/// Writes a set of flags as `Type(FIRST | SECOND | 0x80)`, or as `Type(0x0)`. `known` returns the name and the bits of each flag
/// by its index.
pub(crate) fn write_flags(
    formatter: &mut fmt::Formatter<'_>,
    name: &str,
    bits: u32,
    known: &dyn Fn(usize) -> Option<(&'static str, u32)>,
) -> fmt::Result {
    let mut rest = bits;
    let mut between = "";
    write!(formatter, "{name}(")?;
    for (name, flag) in (0..).map_while(known) {
        if !name.is_empty() && bits & flag == flag && rest & flag != 0 {
            write!(formatter, "{between}{name}")?;
            between = " | ";
            rest &= !flag;
        }
    }
    if rest != 0 || bits == 0 {
        write!(formatter, "{between}{rest:#x}")?;
    }
    formatter.write_str(")")
}

#[cfg(test)]
mod tests {
    use crate::list::CollectVec;

    #[test]
    fn long_lists_end_with_a_number() {
        let listed = |count: u32| super::list(&(0..count).map(|number| number.to_string()).collect_vec());
        assert_eq!([0, 2, 8].map(listed), ["", "0, 1", "0, 1, 2, 3, 4, 5, 6, 7"]);
        assert_eq!(listed(11), "0, 1, 2, 3, 4, 5, 6, 7 and 3 more");
    }

    flags! {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[allow(unreachable_pub)] // the macro is for public types
        pub struct Letters {
            const NONE = 0;
            const A = 1;
            const B = 4;
            const _ = !0;
        }
    }

    #[test]
    fn flags_write_their_names() {
        let written = |bits| format!("{:?}", Letters::from_bits_retain(bits));
        assert_eq!(written(0), "Letters(0x0)");
        assert_eq!(written(4), "Letters(B)");
        assert_eq!(written(5), "Letters(A | B)");
        assert_eq!(written(0x8000), "Letters(0x8000)");
        assert_eq!(written(0x8005), "Letters(A | B | 0x8000)");
    }
}
