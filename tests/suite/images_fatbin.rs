//! Fat binaries, and machine code, as the raw API takes them.

use cuda_rt::DeviceBuf;
use cuda_rt::device::ComputeCapability;
use cuda_rt::error::Code;
use cuda_suite::fatbin::{Packing, Piece, fat_binary};
use cuda_suite::{context, skip, stream};
use cuda_sys::{
    CUfunction, CUjit_option, CUjit_option_enum as Jit, CUkernel, CUlibrary, CUmodule, CUresult,
    cuLaunchKernel, cuLibraryGetKernel, cuLibraryLoadData, cuLibraryUnload, cuModuleGetFunction,
    cuModuleLoad, cuModuleLoadData, cuModuleLoadDataEx, cuModuleLoadFatBinary, cuModuleUnload,
};
use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;

/// A text with a kernel that puts a value.
fn text(version: &str, target: u32, value: u32) -> String {
    format!(
        ".version {version}\n.target sm_{target}\n.address_size 64
        .visible .entry put(.param .u64 out) {{ .reg .b64 %a; .reg .b32 %v;
        ld.param.u64 %a, [out]; mov.u32 %v, {value}; st.global.u32 [%a], %v; ret; }}\n"
    )
}

fn piece(text: &str, target: u32) -> Piece<'_> {
    Piece { text, target, packing: Packing::Plain }
}

fn launch(function: CUfunction) -> u32 {
    let stream = stream();
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let mut address = out.ptr().as_raw();
    let mut arguments = [(&raw mut address).cast::<c_void>()];
    // SAFETY: one thread writes the one element of `out`, which is the one argument.
    let launched = unsafe {
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream.as_raw(), arguments.as_mut_ptr(), null_mut())
    };
    assert!(launched.is_success(), "{launched}");
    out.to_vec().unwrap()[0]
}

/// Returns the word that the kernel of a loaded module writes, and unloads the module.
fn outcome(loaded: CUresult, module: CUmodule) -> Result<u32, Code> {
    if let Some(code) = Code::new(loaded) {
        return Err(code);
    }
    let mut function: CUfunction = null_mut();
    // SAFETY: the module is live, the name a C string.
    assert!(unsafe { cuModuleGetFunction(&raw mut function, module, c"put".as_ptr()) }.is_success());
    let value = launch(function);
    // SAFETY: nothing of it is in use.
    assert!(unsafe { cuModuleUnload(module) }.is_success());
    Ok(value)
}

/// The image in memory that is aligned as compilers align it.
fn aligned(image: &[u8]) -> Vec<u64> {
    let words = image.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    });
    words.collect()
}

fn load(image: &[u8]) -> Result<u32, Code> {
    let (image, mut module) = (aligned(image), null_mut());
    // SAFETY: the image is whole, and the module valid for a write.
    let loaded = unsafe { cuModuleLoadData(&raw mut module, image.as_ptr().cast()) };
    outcome(loaded, module)
}

#[test]
fn a_fat_binary_is_loaded_in_every_way() {
    let context = context();
    let _entered = context.enter().unwrap();
    let text = text("6.4", 50, 5);
    let fat = fat_binary(&[piece(&text, 50)]);
    assert_eq!(load(&fat), Ok(5));
    let (image, mut module) = (aligned(&fat), null_mut());
    // SAFETY: the image is whole, and the module valid for a write.
    let loaded = unsafe { cuModuleLoadFatBinary(&raw mut module, image.as_ptr().cast()) };
    assert_eq!(outcome(loaded, module), Ok(5));
    // This function takes texts, too.
    let plain = CString::new(text).unwrap();
    // SAFETY: the text ends with NUL.
    let loaded = unsafe { cuModuleLoadFatBinary(&raw mut module, plain.as_ptr().cast()) };
    assert_eq!(outcome(loaded, module), Ok(5));
    let path = std::env::temp_dir().join(format!("cuda-suite-{}.fatbin", std::process::id()));
    std::fs::write(&path, &fat).unwrap();
    let name = CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: the name is a C string.
    let loaded = unsafe { cuModuleLoad(&raw mut module, name.as_ptr()) };
    std::fs::remove_file(&path).unwrap();
    assert_eq!(outcome(loaded, module), Ok(5));
}

#[test]
fn a_text_that_is_compressed_is_unpacked() {
    let context = context();
    let _entered = context.enter().unwrap();
    let text = text("6.4", 50, 42);
    for packing in [Packing::Plain, Packing::Lz4, Packing::Zstd] {
        if packing == Packing::Zstd && !crate::is_since(12, 4) {
            continue;
        }
        assert_eq!(load(&fat_binary(&[Piece { text: &text, target: 50, packing }])), Ok(42), "{packing:?}");
    }
}

#[test]
fn fat_binary_gives_newest_fitting_ptx() {
    let context = context();
    let _entered = context.enter().unwrap();
    let ComputeCapability { major, minor } = cuda_suite::device().compute_capability().unwrap();
    let own = major * 10 + minor;
    if own < 80 || !crate::is_since(12, 8) {
        skip!("the texts are for devices from 8.0 on");
    }
    let texts = [text("6.4", 50, 50), text("8.0", 75, 75), text("8.0", 80, 80), text("8.6", 100, 100)];
    let [old, mid, new, next] = &texts;
    let best = if own >= 100 { 100 } else { 80 };
    let choose = |pieces: &[Piece<'_>]| load(&fat_binary(pieces));
    assert_eq!(choose(&[piece(old, 50), piece(mid, 75), piece(new, 80)]), Ok(80));
    assert_eq!(choose(&[piece(new, 80), piece(mid, 75), piece(old, 50)]), Ok(80));
    assert_eq!(choose(&[piece(new, 80), piece(next, 100)]), Ok(best));
    let other = text("6.4", 50, 51);
    assert_eq!(choose(&[piece(old, 50), piece(&other, 50)]), Ok(50));
    assert_eq!(choose(&[piece(&other, 50), piece(old, 50)]), Ok(51));
    if own < 100 {
        assert_eq!(choose(&[piece(next, 100)]), Err(Code::NoBinaryForGpu));
        // The header counts, and then the text.
        assert_eq!(choose(&[piece(old, 100)]), Err(Code::NoBinaryForGpu));
        assert_eq!(choose(&[piece(next, 50)]), Err(Code::InvalidPtx));
    }
    assert_eq!(choose(&[]), Err(Code::NoBinaryForGpu));
    // If the chosen text is wrong, no other is chosen.
    let wrong = new.replace("mov.u32", "bogus.u32");
    assert_eq!(choose(&[piece(&wrong, 80), piece(old, 50)]), Err(Code::InvalidPtx));
    assert_eq!(choose(&[piece("hello", 50)]), Err(Code::InvalidPtx));
}

#[test]
fn the_log_tells_of_a_text_in_a_fat_binary() {
    let context = context();
    let _entered = context.enter().unwrap();
    let wrong = text("6.4", 50, 1).replace("mov.u32", "bogus.u32");
    let (image, mut module) = (aligned(&fat_binary(&[piece(&wrong, 50)])), null_mut());
    let mut log = [0_u8; 1000];
    let mut options: [CUjit_option; 2] =
        [Jit::CU_JIT_ERROR_LOG_BUFFER, Jit::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(log.len())];
    // SAFETY: the image is whole, and the options and the buffer are there.
    let loaded = unsafe {
        cuModuleLoadDataEx(
            &raw mut module,
            image.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    assert_eq!(Code::new(loaded), Some(Code::InvalidPtx));
    let text = CStr::from_bytes_until_nul(&log).unwrap().to_str().unwrap();
    assert!(text.contains("'bogus'"), "{text}");
}

#[test]
fn invalid_images_are_refused() {
    let context = context();
    let _entered = context.enter().unwrap();
    let text = text("6.4", 50, 5);
    let fat = fat_binary(&[piece(&text, 50)]);
    let mut other = fat.clone();
    other[4] = 2;
    assert_eq!(load(&other), Err(Code::InvalidImage), "another version");
    other[0] = 0x51;
    assert_eq!(load(&other), Err(Code::InvalidImage), "another magic number");
    let mut elf = b"\x7fELF".to_vec();
    elf.resize(64, 0);
    assert_eq!(load(&elf), Err(Code::InvalidImage));
    // For a machine of another kind.
    elf[4..8].copy_from_slice(&[2, 1, 1, 0]);
    elf[16..20].copy_from_slice(&[3, 0, 62, 0]);
    assert_eq!(load(&elf), Err(Code::InvalidImage));
    // A description of an image is no image for these functions.
    let described = aligned(&fat);
    let description = [0x1_4662_43b1_u64, described.as_ptr().addr() as u64, 0];
    let mut module = null_mut();
    // SAFETY: none of these reads further than the first bytes.
    let loaded = unsafe { cuModuleLoadData(&raw mut module, description.as_ptr().cast()) };
    assert_eq!(outcome(loaded, module), Err(Code::InvalidImage));
    // SAFETY: as above.
    let loaded = unsafe { cuModuleLoadFatBinary(&raw mut module, description.as_ptr().cast()) };
    assert_eq!(outcome(loaded, module), Err(Code::InvalidImage));
}

/// Returns the word that the kernel of a library writes.
fn library(image: *const c_void) -> Result<u32, Code> {
    let (mut library, mut kernel): (CUlibrary, CUkernel) = (null_mut(), null_mut());
    let none = null_mut();
    // SAFETY: the image is what the callers say; there are no options.
    let loaded =
        unsafe { cuLibraryLoadData(&raw mut library, image, null_mut(), none, 0, null_mut(), null_mut(), 0) };
    if let Some(code) = Code::new(loaded) {
        return Err(code);
    }
    // SAFETY: the library is live, the name a C string.
    let found = unsafe { cuLibraryGetKernel(&raw mut kernel, library, c"put".as_ptr()) };
    let value = match Code::new(found) {
        Some(code) => Err(code),
        None => Ok(launch(kernel.cast())),
    };
    // SAFETY: nothing of it is in use.
    assert!(unsafe { cuLibraryUnload(library) }.is_success());
    value
}

#[test]
fn libraries_load_fat_binaries_and_their_wrappers() {
    let context = context();
    let _entered = context.enter().unwrap();
    if !crate::is_since(12, 0) {
        skip!("there are no libraries");
    }
    let text = text("6.4", 50, 5);
    let fat = aligned(&fat_binary(&[piece(&text, 50)]));
    assert_eq!(library(fat.as_ptr().cast()), Ok(5));
    let plain = CString::new(text).unwrap();
    for described in [fat.as_ptr().cast::<c_void>(), plain.as_ptr().cast()] {
        // Whatever version it says.
        for version in [1_u64, 2, 0] {
            let description = [version << 32 | 0x4662_43b1, described.expose_provenance() as u64, 0];
            assert_eq!(library(description.as_ptr().cast()), Ok(5), "{version}");
        }
    }
}

/// An ELF file without machine code: the software driver reads only its header.
#[test]
fn machine_code_for_other_devices_is_refused() {
    let context = context();
    let _entered = context.enter().unwrap();
    if cuda_suite::driver() == cuda_suite::Choice::Real {
        skip!("a whole cubin is needed, which only NVIDIA's tools make");
    }
    let ComputeCapability { major, minor } = cuda_suite::device().compute_capability().unwrap();
    let own = u8::try_from(major * 10 + minor).unwrap();
    let cubin = |target: u8, newer: bool| {
        let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
        elf.resize(64, 0);
        (elf[7], elf[8]) = if newer { (0x41, 8) } else { (0x33, 7) };
        elf[18] = 190;
        elf[if newer { 0x31 } else { 0x30 }] = target;
        elf
    };
    for newer in [false, true] {
        assert_eq!(load(&cubin(own, newer)), Err(Code::NotSupported));
        for other in [own - 10, own + 10, own + 1] {
            assert_eq!(load(&cubin(other, newer)), Err(Code::NoBinaryForGpu), "{other}");
        }
    }
}
