//! Making sure that the driver takes a text for PTX.
//!
//! `cuModuleLoadData` is given an address without a length. It looks at the first bytes: what looks like
//! an ELF file or a fat binary is read as far as its own headers say, beyond any buffer. Text is read to
//! its NUL. So only what begins as PTX must is handed on.

use crate::error::{InvalidArgument, Result};
use crate::text::c_string;
use std::ffi::CString;

/// The text with a NUL at its end.
pub(super) fn image(ptx: &[u8]) -> Result<CString> {
    // Compilers hand out PTX with its NUL.
    let text = ptx.strip_suffix(b"\0").unwrap_or(ptx);
    let position = first_word(text);
    if !text[position..].starts_with(b".version") {
        return Err(InvalidArgument::NotPtx { position }.into());
    }
    c_string(text)
}

/// Where white space and comments end.
fn first_word(text: &[u8]) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        let comment = match rest {
            [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n'),
            [b'/', b'*', ..] => rest.windows(2).skip(2).position(|pair| pair == b"*/").map(|at| at + 4),
            _ => return text.len() - rest.len(),
        };
        match comment {
            Some(end) => rest = &rest[end..],
            None => return text.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ptx_is_told_from_everything_else() {
        for good in [".version 7.0", "\n\t .version", "// a\n/* b */ /***/\n.version 7.0", ".version\0"] {
            assert!(image(good.as_bytes()).is_ok(), "{good:?}");
        }
        let bad: [&[u8]; 10] = [
            b"",
            b"\0",
            b".target sm_50",
            b"\x7fELF.version",
            b"\x50\xed\x55\xba.version",
            b"!<arch>",
            b"// .version",
            b"/* .version",
            b"/*/ .version",
            b"version 7.0",
        ];
        for bad in bad {
            assert!(image(bad).is_err(), "{bad:?}");
        }
        assert!(image(b".version 7.0\0.target").is_err(), "a NUL inside");
    }
}
