//! Checks that the driver treats a text as PTX.
//!
//! `cuModuleLoadData` receives an address without a length, and looks at the first bytes. An image that looks like an ELF file or
//! a fat binary is read as far as its own headers say, beyond any buffer. Text is read to its NUL. Therefore only a text that
//! begins as PTX must is passed on.

use super::image_hints::instead_of_ptx;
use super::jit::JitTarget;
use crate::error::{Error, Result};
use crate::text::c_string;
use std::ffi::CString;

/// Returns the text with a NUL at its end.
pub(super) fn image(ptx: &[u8]) -> Result<CString> {
    // The output of compilers includes the NUL.
    let text = ptx.strip_suffix(b"\0").unwrap_or(ptx);
    let position = first_word(text);
    if !text[position..].starts_with(b".version") {
        let instead = instead_of_ptx(text);
        return Err(Error::invalid(
            "PTX",
            format_args!(
                "byte {position} does not begin `.version`, with which PTX begins after white space and comments{instead}"
            ),
        ));
    }
    c_string(text)
}

/// Returns the end of white space and comments.
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

/// Content of the first lines of PTX, as far as they can be read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) version: Option<(u32, u32)>,
    pub(super) target: Option<JitTarget>,
}

/// Reads `.version` and `.target`.
pub(super) fn head(text: &[u8]) -> Head {
    let Some(rest) = text[first_word(text)..].strip_prefix(b".version") else { return Head::default() };
    let version = version(rest);
    let rest = rest.trim_ascii_start();
    let number = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let rest = &rest[number..];
    let target = rest[first_word(rest)..].strip_prefix(b".target").and_then(target);
    Head { version, target }
}

/// Reads two numbers with a point between, after white space.
pub(super) fn version(text: &[u8]) -> Option<(u32, u32)> {
    let text = text.trim_ascii_start();
    let (major, rest) = number(text)?;
    let (minor, _) = number(rest.strip_prefix(b".")?)?;
    Some((major, minor))
}

/// Reads `sm_90`, `sm_90a` or `sm_100f`, after white space.
fn target(text: &[u8]) -> Option<JitTarget> {
    let (number, rest) = number(text.trim_ascii_start().strip_prefix(b"sm_")?)?;
    let target = JitTarget::new(number);
    Some(match rest.first() {
        Some(b'a') => target.accelerated(),
        Some(b'f') => target.family(),
        _ => target,
    })
}

/// Returns the decimal number at the beginning, and the rest of the text.
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    Some((core::str::from_utf8(number).ok()?.parse().ok()?, rest))
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

    #[test]
    fn the_head_is_read() {
        let found = |version, target| Head { version, target };
        for (text, head_of) in [
            (
                ".version 9.0\n.target sm_90a, texmode_unified",
                found(Some((9, 0)), Some(JitTarget::new(90).accelerated())),
            ),
            (
                "// a\n.version 12.34 // b\n /* c */ .target sm_100f",
                found(Some((12, 34)), Some(JitTarget::new(100).family())),
            ),
            (".version 6.4 .target sm_50 .address_size 64", found(Some((6, 4)), Some(JitTarget::new(50)))),
            (".version 6", found(None, None)),
            (".version 6.4", found(Some((6, 4)), None)),
            (".version 99999999999.0 .target sm_99999999999", found(None, None)),
            (".version 6.4 .target compute_50", found(Some((6, 4)), None)),
            (".target sm_50", found(None, None)),
            ("", found(None, None)),
        ] {
            assert_eq!(head(text.as_bytes()), head_of, "{text}");
        }
    }
}
