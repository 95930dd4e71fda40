//! Images that the linker makes. There is no machine code here: they are the texts that went in, after a comment that says
//! what for, and with a NUL at the end. Loading one compiles the texts once more, together.

use crate::driver::Answer;
use cuda_sim_engine::Text;
use cuda_sys::CUresult;
use std::fmt::Write as _;

/// What was linked.
pub(crate) struct LinkedImage {
    /// The compute capability that it is for: 90 for 9.0.
    pub(crate) capability: u32,
    /// The most registers that the linker was asked for.
    pub(crate) registers: Option<u32>,
    texts: Vec<Box<[u8]>>,
}

/// How an image begins.
const BEGIN: &str = "// cuda-sim: linked for ";

impl LinkedImage {
    /// The image of texts, with its NUL.
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

    /// The image that a text is, if it is one.
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

    /// The texts. What they were called is of no meaning any more.
    pub(crate) fn texts(&self) -> Vec<Text<'_>> {
        self.texts.iter().map(|source| Text { name: "", source }).collect()
    }
}
