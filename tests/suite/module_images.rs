//! Code in binary form, and from files.

#![allow(unsafe_code)]

use cuda_rt::device::ComputeCapability;
use cuda_rt::error::FileError;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::module::{JitOptions, JitProblem, Library, LibraryOptions};
use cuda_rt::{Context, Error, Module};
use cuda_suite::{Choice, context, driver, invalid};
use cuda_sys::{CUjit_option_enum as Jit, CUjitInputType_enum as Input};
use cuda_sys::{cuLinkAddData_v2, cuLinkComplete, cuLinkCreate_v2, cuLinkDestroy};
use std::path::PathBuf;
use std::ptr::{null_mut, without_provenance_mut};

const TEXT: &std::ffi::CStr = c".version 6.4
.target sm_50
.address_size 64
.visible .global .align 4 .u32 number = 7;
.visible .entry k(.param .u64 out) {
    .reg .b64 %a; .reg .b32 %r;
    ld.param.u64 %a, [out]; ld.global.u32 %r, [number]; st.global.u32 [%a], %r; ret; }
";

/// Links the text for an architecture with the driver's linker: a cubin, on hardware.
fn linked(target: u32) -> Vec<u8> {
    let context = context();
    let _entered = context.enter().unwrap();
    let mut options = [Jit::CU_JIT_TARGET];
    let mut values = [without_provenance_mut(target as usize)];
    let mut linker = null_mut();
    // SAFETY: a context is current; the lists outlive the linker.
    let made = unsafe { cuLinkCreate_v2(1, options.as_mut_ptr(), values.as_mut_ptr(), &raw mut linker) };
    assert!(made.is_success(), "{made}");
    let (bytes, ptx, none) = (TEXT.to_bytes_with_nul(), Input::CU_JIT_INPUT_PTX, null_mut());
    let data = bytes.as_ptr().cast_mut().cast();
    // SAFETY: the linker is live, and the text as long as is said.
    let added =
        unsafe { cuLinkAddData_v2(linker, ptx, data, bytes.len(), c"text".as_ptr(), 0, none, null_mut()) };
    assert!(added.is_success(), "{added}");
    let (mut image, mut size) = (null_mut(), 0);
    // SAFETY: both are valid for a write, the linker is live.
    let complete = unsafe { cuLinkComplete(linker, &raw mut image, &raw mut size) };
    assert!(complete.is_success(), "{complete}");
    // SAFETY: the driver has said how much there is, as long as the linker is.
    let image = unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec();
    // SAFETY: it is used no more.
    assert!(unsafe { cuLinkDestroy(linker) }.is_success());
    image
}

type Loader = unsafe fn(&Context, &[u8]) -> Result<Module, Error>;

/// Loads what the driver's linker has made, or what never reaches the driver.
fn by(image: &[u8], loader: Loader) -> Result<Module, Error> {
    // SAFETY: see above.
    unsafe { loader(&context(), image) }
}

unsafe fn from_cubin(context: &Context, image: &[u8]) -> Result<Module, Error> {
    // SAFETY: the caller's promise.
    unsafe { Module::from_cubin(context, image) }
}

unsafe fn from_fatbin(context: &Context, image: &[u8]) -> Result<Module, Error> {
    // SAFETY: the caller's promise.
    unsafe { Module::from_fatbin(context, image) }
}

unsafe fn from_image(context: &Context, image: &[u8]) -> Result<Module, Error> {
    // SAFETY: the caller's promise.
    unsafe { Module::from_image(context, image) }
}

/// An entry of a fat binary with nothing compressed.
fn fatbin(cubin: &[u8], sm: u32) -> Vec<u8> {
    let padded = cubin.len().next_multiple_of(8);
    let mut bytes = [0x50_u8, 0xed, 0x55, 0xba, 1, 0, 16, 0].to_vec();
    bytes.extend((64 + padded as u64).to_le_bytes());
    let mut entry = [0_u8; 64];
    entry[..8].copy_from_slice(&[2, 0, 1, 1, 64, 0, 0, 0]);
    entry[8..16].copy_from_slice(&(padded as u64).to_le_bytes());
    entry[24..32].copy_from_slice(&[[8, 0, 1, 0], sm.to_le_bytes()].concat());
    entry[40] = 0x11;
    bytes.extend(entry);
    bytes.extend(cubin);
    bytes.resize(80 + padded, 0);
    bytes
}

fn own() -> u32 {
    let ComputeCapability { major, minor } = context().device().compute_capability().unwrap();
    major * 10 + minor
}

#[test]
fn binaries_are_loaded() {
    if driver() == Choice::Sim {
        cuda_suite::skip!("the software driver runs no binaries");
    }
    let cubin = linked(own());
    let stream = cuda_suite::stream();
    let fat = fatbin(&cubin, own());
    // At an odd address too.
    let moved = [&[0], &*cubin].concat();
    let options = JitOptions::new().wall_time(true);
    let modules = [
        by(&cubin, from_cubin),
        by(&moved[1..], from_cubin),
        by(&cubin, from_image),
        // SAFETY: the driver's linker has made it.
        unsafe { Module::from_cubin_with(&context(), &cubin, &options) },
        by(&fat, from_fatbin),
        by(&fat, from_image),
    ];
    for module in modules {
        let module = module.unwrap();
        module.function("k").unwrap();
        assert_eq!(module.global::<u32>("number").unwrap().to_vec(&stream).unwrap(), [7]);
    }
    for len in 0..cubin.len() {
        // SAFETY: it never reaches the driver.
        let error = unsafe { Module::from_cubin(&context(), &cubin[..len]) }.unwrap_err();
        assert_eq!(error, invalid("image: not whole: "), "{len}: {error}");
    }
    for len in 0..fat.len() {
        // SAFETY: as above.
        let error = unsafe { Module::from_fatbin(&context(), &fat[..len]) }.unwrap_err();
        assert_eq!(error, invalid("image: not whole: "), "{len}: {error}");
    }
}

#[test]
fn a_binary_for_another_device_names_both() {
    if driver() == Choice::Sim {
        cuda_suite::skip!("the software driver's linker makes no cubins");
    }
    let other = if own() == 80 { 90 } else { 80 };
    let cubin = linked(other);
    let fat = fatbin(&cubin, other);
    let expected =
        format!(": the image has code for sm_{other}, and the device is sm_{}; compile for", own());
    for loaded in [by(&cubin, from_cubin), by(&fat, from_fatbin)] {
        let error = loaded.unwrap_err();
        assert_eq!(error.code(), Some(Code::NoBinaryForGpu));
        assert!(error.to_string().contains(&expected), "{error}");
    }
}

/// The same of a cubin that has nothing but a header, which only the software driver is given.
#[test]
fn a_header_is_enough_to_tell_the_architecture() {
    if driver() == Choice::Real {
        cuda_suite::skip!("hardware's driver reads on");
    }
    let mut header = [0_u8; 64 + 64];
    header[..9].copy_from_slice(b"\x7fELF\x02\x01\x01\x41\x08");
    header[18..20].copy_from_slice(&190_u16.to_le_bytes());
    header[40] = 64; // one section, without bytes
    header[48..52].copy_from_slice(&(52_u32 << 8).to_le_bytes());
    header[52] = 64;
    header[58] = 64;
    header[60] = 1;
    // SAFETY: the software driver reads only the first bytes.
    let error = unsafe { Module::from_cubin(&context(), header) }.unwrap_err();
    let Some(JitProblem::Binary { binaries, ptx, device }) = error.context() else { panic!("{error}") };
    assert_eq!((binaries[0].sm(), ptx.len(), device.sm()), (52, 0, own()));
    let expected = format!(
        "): the image has code for sm_52, and the device is sm_{0}; compile for sm_{0}, or add PTX for compute_{0} or older",
        own()
    );
    assert!(error.to_string().ends_with(&expected), "{error}");
}

#[test]
fn other_files_are_refused_before_the_driver() {
    let error = by(TEXT.to_bytes(), from_cubin).unwrap_err();
    assert_eq!(error, invalid("image: not of the expected form: "), "{error}");
    let error = by(&[b'x'; 100], from_fatbin).unwrap_err();
    assert_eq!(error, invalid("image: not of the expected form: "), "{error}");
    let error = by(b"!<arch>\n", from_image).unwrap_err();
    assert_eq!(error, invalid("does not begin `.version`"), "{error}");
    if cfg!(unix) {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let error = by(&program, from_image).unwrap_err();
        let machine = if cfg!(target_arch = "aarch64") { "0xb7" } else { "0x3e" };
        let words = format!("the machine of the ELF file is {machine}, and must be 0xbe");
        assert!(error.to_string().contains(&words), "{error}");
        assert!(error.to_string().contains("`Linker::add_object`"), "{error}");
    }
}

/// An image that is passed to the wrong function: the error names its kind, and the function that takes it.
#[test]
fn an_error_names_the_function_that_takes_the_image() {
    let (cubin, fatbin) = (b"\x7fELF\x02\x01\x01\0", b"\x50\xed\x55\xba\x01\0\x10\0");
    for (error, words) in [
        (by(fatbin, from_cubin).unwrap_err(), "it is a fat binary, which `Module::from_fatbin`"),
        (by(cubin, from_fatbin).unwrap_err(), "it is a cubin, which `Module::from_cubin`"),
        (by(TEXT.to_bytes(), from_cubin).unwrap_err(), "it is text; if that is PTX, `Module::from_ptx`"),
        (Module::from_ptx(&context(), b"\x50\xed\x55\xba\x01").unwrap_err(), "`Module::from_fatbin`"),
        (Module::from_ptx(&context(), "kernels/add.ptx").unwrap_err(), "`Module::from_file`"),
        (Module::from_ptx(&context(), "__global__ void k() {}").unwrap_err(), "`nvrtc::Program`"),
        (by(cubin, from_cubin).unwrap_err(), "read all of the file again"),
    ] {
        assert!(error.to_string().contains(words), "{words} is not in {error}");
    }
}

fn written(name: impl Into<std::ffi::OsString>, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("cuda-rt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name.into());
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn files_of_any_name_are_loaded() {
    let context = context();
    let unicode = std::ffi::OsString::from("with spaces and ü.ptx");
    #[cfg(unix)]
    let names = [unicode, std::os::unix::ffi::OsStringExt::from_vec(b"not \xff\xfe UTF-8".to_vec())];
    #[cfg(not(unix))]
    let names = [unicode];
    for name in names {
        let path = written(name, TEXT.to_bytes());
        // SAFETY: it is PTX.
        let module = unsafe { Module::from_file(&context, &path) }.unwrap();
        module.function("k").unwrap();
        let options = JitOptions::new().wall_time(true);
        // SAFETY: as above.
        let module = unsafe { Module::from_file_with(&context, &path, &options) }.unwrap();
        assert!(module.jit_log().wall_time.is_some());
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let context = context();
    let folder = std::env::temp_dir();
    let missing = folder.join("there is no such file.cubin");
    // SAFETY: nothing reaches the driver.
    let load = |path: &std::path::Path| unsafe { Module::from_file(&context, path) }.unwrap_err();
    let error = load(&missing);
    assert_eq!(error.context::<FileError>().unwrap().kind, std::io::ErrorKind::NotFound);
    assert_eq!(&*error.context::<FileError>().unwrap().path, missing);
    assert!(error.to_string().starts_with(&format!("file `{}`: ", missing.display())), "{error}");
    assert_eq!(error.code(), None);
    // A refusal of the options is no error of the file.
    let path = written("options.ptx", TEXT.to_bytes());
    let options = JitOptions::new().max_registers(0);
    // SAFETY: it is PTX.
    let error = unsafe { Module::from_file_with(&context, &path, &options) }.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    // SAFETY: as above.
    let error = unsafe { Library::from_file_with(&path, &LibraryOptions::new().jit(options)) }.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    std::fs::remove_file(path).unwrap();
    for path in [&*folder, "a\0b".as_ref(), "".as_ref()] {
        assert_eq!(load(path).kind(), ErrorKind::File, "{}", path.display());
    }
    let empty = written("empty", b"");
    let error = load(&empty);
    assert_eq!(error.context::<FileError>().unwrap().kind, std::io::ErrorKind::InvalidData);
    let text = error.to_string();
    assert!(text.starts_with(&format!("file `{}`: PTX: byte 0 ", empty.display())), "{text}");
    assert!(text.ends_with(": there is nothing in it"), "{text}");
    std::fs::remove_file(empty).unwrap();
}
