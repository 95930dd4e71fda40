//! Images that the linker creates. They contain no machine code, but the input texts after a comment with their target,
//! and a NUL at the end. Loading such an image compiles the texts again, together.

use crate::driver::Answer;
use cuda_sim_engine::Text;
use cuda_sys::CUresult;
use std::fmt::Write as _;

/// Result of a link.
pub(crate) struct LinkedImage {
    /// Compute capability of the link: 90 for 9.0.
    pub(crate) capability: u32,
    /// Limit of the registers that was set for the linker.
    pub(crate) registers: Option<u32>,
    texts: Vec<Box<[u8]>>,
}

/// Start of an image.
const BEGIN: &str = "// cuda-sim: linked for ";

impl LinkedImage {
    /// Writes the image of texts, with its NUL.
    pub(crate) fn write<'text>(
        capability: u32,
        registers: Option<u32>,
        texts: impl Iterator<Item = &'text [u8]> + Clone,
    ) -> Vec<u8> {
        // A comment of one line: the compute capability, the registers or 0, and the size of each text.
        let mut head = format!("{BEGIN}{capability} {}", registers.unwrap_or(0));
        for text in texts.clone() {
            // Writing to a string cannot fail.
            let _ = write!(head, " {}", text.len());
        }
        head.push('\n');
        let mut image = head.into_bytes();
        for text in texts {
            image.extend_from_slice(text);
            image.push(b'\n');
        }
        image.push(0);
        image
    }

    /// Reads a text as an image, if it is one.
    pub(crate) fn read(text: &[u8]) -> Option<Answer<LinkedImage>> {
        let rest = text.strip_prefix(BEGIN.as_bytes())?;
        Some(Self::parts(rest).ok_or(CUresult::CUDA_ERROR_INVALID_IMAGE))
    }

    fn parts(rest: &[u8]) -> Option<LinkedImage> {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let (head, mut rest) = (core::str::from_utf8(&rest[..end]).ok()?, rest.get(end + 1..)?);
        let mut numbers = head.split(' ').map(str::parse::<u32>);
        let (capability, registers) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        let mut texts = Vec::new();
        for size in numbers {
            let (text, after) = rest.split_at_checked(size.ok()? as usize)?;
            texts.push(text.into());
            rest = after.strip_prefix(b"\n")?;
        }
        Some(LinkedImage { capability, registers: Some(registers).filter(|most| *most > 0), texts })
    }

    /// Returns the texts. Their names no longer matter.
    pub(crate) fn texts(&self) -> Vec<Text<'_>> {
        self.texts.iter().map(|source| Text { name: "", source }).collect()
    }
}
