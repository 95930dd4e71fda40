//! Images: PTX, fat binaries with compressed texts, ELF files, linked images, libraries, and input of the linker.

#![no_main]

use cuda_fuzz::code;
use cuda_fuzz::session::{self, Session, run_image, run_module};
use cuda_fuzz::source::Source;
use cuda_sys::*;
use libfuzzer_sys::fuzz_target;
use std::ffi::c_void;
use std::ptr::null_mut;

const MAGIC: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();
/// Begin of a description of a fat binary, which has a pointer to it.
const DESCRIPTION: [u8; 4] = 0x4662_43b1_u32.to_le_bytes();

/// Returns whether these bytes hold as much as the headers of the image say. The driver reads that much.
fn is_whole(image: &[u8]) -> bool {
    if image.starts_with(b"\x7fELF") {
        return image.len() >= 64;
    }
    if image.starts_with(&DESCRIPTION) {
        // C cannot check the pointer.
        return false;
    }
    if image.starts_with(&MAGIC) {
        let Some(header) = image.first_chunk::<16>() else { return false };
        let own = u16::from_le_bytes([header[6], header[7]]);
        let rest = u64::from_le_bytes(std::array::from_fn(|index| header[8 + index]));
        return rest
            .checked_add(own.into())
            .is_none_or(|size| size > isize::MAX as u64 || size <= image.len() as u64);
    }
    true
}

fn load_library(image: &[u8]) {
    let mut library = null_mut();
    let none = null_mut;
    let loaded = code!(cuLibraryLoadData(
        &raw mut library,
        image.as_ptr().cast(),
        none(),
        null_mut(),
        0,
        null_mut(),
        null_mut(),
        0
    ));
    if !loaded.is_success() {
        return;
    }
    let mut count = 0;
    let _ = code!(cuLibraryGetKernelCount(&raw mut count, library));
    let mut kernels = vec![null_mut(); (count as usize).min(4)];
    let _ = code!(cuLibraryEnumerateKernels(kernels.as_mut_ptr(), kernels.len() as u32, library));
    for kernel in kernels {
        let (mut function, mut name) = (null_mut(), std::ptr::null());
        let _ = code!(cuKernelGetName(&raw mut name, kernel));
        let _ = code!(cuKernelGetFunction(&raw mut function, kernel));
    }
    let mut module = null_mut();
    if code!(cuLibraryGetModule(&raw mut module, library)).is_success() {
        run_module(module);
    }
    let _ = code!(cuLibraryUnload(library));
}

/// Links parts of the bytes, each as a kind of input.
fn link(source: &mut Source<'_>) {
    let mut state = null_mut();
    let (mut info, mut error) = ([0_u8; 300], [0_u8; 300]);
    let mut options = [
        CUjit_option::CU_JIT_INFO_LOG_BUFFER,
        CUjit_option::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        CUjit_option::CU_JIT_LOG_VERBOSE,
    ];
    let number = |value| std::ptr::without_provenance_mut::<c_void>(value);
    let mut values =
        [info.as_mut_ptr().cast(), number(300), error.as_mut_ptr().cast(), number(300), number(1)];
    if !code!(cuLinkCreate_v2(5, options.as_mut_ptr(), values.as_mut_ptr(), &raw mut state)).is_success() {
        return;
    }
    let count = 1 + source.below(3);
    for index in 0..count {
        let kind = CUjitInputType_enum(if source.byte() & 3 == 0 {
            source.byte().into()
        } else {
            1 + u32::from(source.byte() & 3)
        });
        let len = if index + 1 == count { usize::MAX } else { 16 * source.below(256) };
        let mut part = source.take(len).to_vec();
        if part.starts_with(&MAGIC) && part.len() < 16 || part.starts_with(b"\x7fELF") && part.len() < 64 {
            continue;
        }
        let size = part.len();
        part.push(0);
        let _ = code!(cuLinkAddData_v2(
            state,
            kind,
            part.as_mut_ptr().cast(),
            size,
            c"part".as_ptr(),
            0,
            null_mut(),
            null_mut()
        ));
    }
    let (mut image, mut size) = (null_mut(), 0);
    if code!(cuLinkComplete(state, &raw mut image, &raw mut size)).is_success() {
        // SAFETY: the image of the linker, which has this size.
        let linked = unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) };
        // SAFETY: a text with its end.
        unsafe { run_image(linked) };
    }
    let _ = code!(cuLinkDestroy(state));
}

fuzz_target!(|data: &[u8]| {
    let mut source = Source::new(data);
    let mode = source.byte();
    let session = Session::begin(session::config(session::hash(data)));
    match mode & 7 {
        0 | 1 => link(&mut source),
        mode => {
            let mut image = source.rest().to_vec();
            image.push(0);
            if is_whole(&image) {
                match mode {
                    2 | 3 => load_library(&image),
                    4 => {
                        // The description of an image that compilers leave in programs.
                        let mut description = [0_u64; 3];
                        description[0] = 0x1_4662_43b1;
                        description[1] = image.as_ptr().expose_provenance() as u64;
                        let mut module = null_mut();
                        if code!(cuModuleLoadFatBinary(&raw mut module, description.as_ptr().cast()))
                            .is_success()
                        {
                            run_module(module);
                        }
                    }
                    // SAFETY: the image is whole.
                    _ => unsafe { run_image(&image) },
                }
            }
        }
    }
    session.finish();
});
