//! Texts in PTX, as programs hand them over.

#![allow(unsafe_code)]

use super::Answer;
use core::ffi::{CStr, c_char, c_void};
use cuda_sys::CUresult;
use std::sync::Arc;

/// The text of a PTX image. Compiled images are not for this device: there is no machine here to run them.
#[derive(Clone)]
pub(super) struct Source(Arc<[u8]>);

/// Begins images that were linked with a limit.
const LINKED: &str = "// cuda-sim: registers ";

impl Source {
    /// # Safety
    ///
    /// `image` is valid for reads as far as its first bytes say: to the NUL, if they are text.
    pub(super) unsafe fn from_image(image: *const c_void) -> Answer<Source> {
        // SAFETY: the caller's promise; a binary's first byte is not NUL either.
        Source::from_text(unsafe { CStr::from_ptr(image.cast()) }.to_bytes())
    }

    /// # Safety
    ///
    /// `path` is a C string.
    pub(super) unsafe fn from_file(path: *const c_char) -> Answer<Source> {
        // SAFETY: the caller's promise.
        let path = unsafe { CStr::from_ptr(path) };
        let path = path.to_str().map_err(|_| CUresult::CUDA_ERROR_FILE_NOT_FOUND)?;
        let content = std::fs::read(path).map_err(|_| CUresult::CUDA_ERROR_FILE_NOT_FOUND)?;
        Source::from_text(&content)
    }

    fn from_text(text: &[u8]) -> Answer<Source> {
        const ELF: [u8; 4] = *b"\x7fELF";
        const FATBIN: [u8; 4] = [0x50, 0xed, 0x55, 0xba];
        if text.starts_with(&ELF) || text.starts_with(&FATBIN) {
            super::general::say("a cubin or fat binary was given: only PTX can be run here");
            return Err(CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU);
        }
        Ok(Source::from_ptx(text))
    }

    /// What is said to be PTX, to its NUL.
    pub(super) fn from_ptx(text: &[u8]) -> Source {
        Source(text.split(|byte| *byte == 0).next().unwrap_or_default().into())
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.0
    }

    /// A text that is linked, as an image: a comment says what the linker was asked for.
    pub(super) fn linked(&self, registers: Option<u32>) -> Arc<[u8]> {
        let comment = registers.map(|most| format!("{LINKED}{most}\n")).unwrap_or_default();
        comment.bytes().chain(self.text().iter().copied()).chain([0]).collect()
    }

    /// The most registers that the linker was asked for.
    pub(super) fn registers(&self) -> Option<u32> {
        let number = self.0.strip_prefix(LINKED.as_bytes())?.split(|byte| *byte == b'\n').next()?;
        core::str::from_utf8(number).ok()?.parse().ok()
    }
}
