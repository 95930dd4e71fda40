//! Images of programs: texts in PTX, fat binaries that contain PTX, and linked images.

#![allow(unsafe_code)]

use crate::driver::Answer;
use crate::driver::modules::fat_binary::{self, FatBinary, Refusal};
use crate::driver::modules::linked_image::LinkedImage;
use core::ffi::{CStr, c_char, c_void};
use cuda_sys::{CUjitInputType, CUresult};
use std::sync::Arc;

/// Image, before its device is known.
#[derive(Clone)]
pub(crate) struct Source(Code);

#[derive(Clone)]
enum Code {
    Ptx(Arc<[u8]>),
    Linked(Arc<LinkedImage>),
    FatBinary(Arc<FatBinary>),
    /// Machine code, for a compute capability such as 90 for 9.0.
    Machine(Option<u32>),
}

/// Part of an image for a device.
pub(crate) enum Chosen<'source> {
    /// One text.
    Text(&'source [u8]),
    /// One text of several.
    Part(Vec<u8>),
    /// Texts that are linked together.
    Linked(&'source LinkedImage),
}

/// Size of the header of an ELF file.
const ELF_HEADER: usize = 64;
const ELF: [u8; 4] = *b"\x7fELF";

impl Source {
    /// # Safety
    ///
    /// `image` is valid for reads. Its first bytes determine the length. A text ends with its NUL. A fat binary or an
    /// ELF file has a size in its header.
    pub(crate) unsafe fn from_image(image: *const c_void) -> Answer<Source> {
        let bytes: *const u8 = image.cast();
        // SAFETY: the caller's promise.
        if unsafe { begins(bytes, ELF) } {
            // SAFETY: the caller's promise; an ELF file has its header.
            let header = unsafe { core::slice::from_raw_parts(bytes, ELF_HEADER) };
            return Source::from_bytes(header);
        }
        // SAFETY: the caller's promise.
        if unsafe { begins(bytes, fat_binary::MAGIC) } {
            // SAFETY: the caller's promise; a fat binary has its header.
            let header = unsafe { core::slice::from_raw_parts(bytes, fat_binary::HEADER) };
            let size = fat_binary::size(header).ok_or(CUresult::CUDA_ERROR_INVALID_IMAGE)?;
            // SAFETY: the caller's promise, according to the header.
            let whole = unsafe { core::slice::from_raw_parts(bytes, size) };
            return Source::from_bytes(whole);
        }
        // SAFETY: the caller's promise; it is text.
        Source::from_bytes(unsafe { CStr::from_ptr(image.cast()) }.to_bytes())
    }

    /// Same as [`from_image`](Source::from_image). The image may also be the description that compilers put into
    /// programs.
    ///
    /// # Safety
    ///
    /// Same as `from_image`. A described image must exist.
    pub(crate) unsafe fn from_described(image: *const c_void) -> Answer<Source> {
        // SAFETY: the caller's promise.
        if !unsafe { begins(image.cast(), fat_binary::DESCRIPTION) } {
            // SAFETY: the caller's promise.
            return unsafe { Source::from_image(image) };
        }
        // The address follows two numbers of 32 bits. SAFETY: the caller's promise: a description has 24 bytes.
        let place = unsafe { image.byte_add(8) };
        // SAFETY: as above; any alignment is valid.
        let described = unsafe { place.cast::<*const c_void>().read_unaligned() };
        if described.is_null() {
            return Err(CUresult::CUDA_ERROR_NOT_FOUND);
        }
        // SAFETY: the caller's promise.
        unsafe { Source::from_image(described) }
    }

    /// # Safety
    ///
    /// `path` is a C string.
    pub(crate) unsafe fn from_file(path: *const c_char) -> Answer<Source> {
        // SAFETY: the caller's promise.
        let content = unsafe { read(path) }?;
        Source::from_bytes(&content)
    }

    /// Reads an image from a file, or from memory of a known size.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Answer<Source> {
        Ok(Source(if bytes.starts_with(&ELF) {
            Code::Machine(fat_binary::capability_of(bytes))
        } else if bytes.starts_with(&fat_binary::MAGIC) {
            Code::FatBinary(Arc::new(FatBinary::new(bytes)?))
        } else {
            let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
            match LinkedImage::read(text) {
                Some(linked) => Code::Linked(Arc::new(linked?)),
                None => Code::Ptx(text.into()),
            }
        }))
    }

    /// Returns whether the image is empty.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(&self.0, Code::Ptx(text) if text.is_empty())
    }

    /// Returns whether it is machine code only.
    pub(crate) fn is_machine_code(&self) -> bool {
        matches!(self.0, Code::Machine(_))
    }

    /// Chooses the code for a device of compute capability `capability` (90 for 9.0).
    pub(crate) fn choose(&self, capability: u32) -> Result<Chosen<'_>, Refusal> {
        match &self.0 {
            Code::Ptx(text) => Ok(Chosen::Text(text)),
            Code::Linked(linked) if linked.capability == capability => Ok(Chosen::Linked(linked)),
            Code::Linked(_) => Err(CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU.into()),
            Code::FatBinary(fat) => fat.choose(capability).map(Chosen::Part),
            Code::Machine(machine) => Err(fat_binary::refuse_machine_code(*machine, capability).into()),
        }
    }
}

/// Returns the data of an input of the linker. The driver reads a text up to its NUL, regardless of the given size
/// (conformance fact V336).
///
/// # Safety
///
/// `data` is valid for reads of `size` bytes, and for those of a C string if it is a text.
pub(crate) unsafe fn of_kind<'data>(kind: CUjitInputType, data: *const c_void, size: usize) -> &'data [u8] {
    let is_ptx = kind == CUjitInputType::CU_JIT_INPUT_PTX;
    // SAFETY: the caller's promise.
    if is_ptx && !unsafe { begins(data.cast(), ELF) } && !unsafe { begins(data.cast(), fat_binary::MAGIC) } {
        // SAFETY: the caller's promise.
        return unsafe { CStr::from_ptr(data.cast()) }.to_bytes();
    }
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(data.cast::<u8>(), size) }
}

/// Returns the content of a file that a program names.
///
/// # Safety
///
/// `path` is a C string.
pub(crate) unsafe fn read(path: *const c_char) -> Answer<Vec<u8>> {
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(path) };
    let path = path.to_str().map_err(|_| CUresult::CUDA_ERROR_FILE_NOT_FOUND)?;
    std::fs::read(path).map_err(|_| CUresult::CUDA_ERROR_FILE_NOT_FOUND)
}

/// Returns whether the data begins with these bytes. Reads no further than the first difference, because a text may be
/// shorter.
///
/// # Safety
///
/// `bytes` is valid for reads of bytes up to a NUL, or of four.
unsafe fn begins(bytes: *const u8, magic: [u8; 4]) -> bool {
    magic.iter().enumerate().all(|(index, wanted)| {
        // SAFETY: none of the bytes before was NUL.
        let place = unsafe { bytes.add(index) };
        // SAFETY: as above.
        let found = unsafe { place.read() };
        found == *wanted
    })
}
