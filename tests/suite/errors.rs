//! Errors: texts, codes, and the effect of a sticky error (in a process of its own).

use cuda_rt::error::{Code, Extent, PyCudaClass};
use cuda_rt::{DeviceBuf, DevicePtr, Error, LaunchConfig, Module};
use cuda_suite::{driver, stream};
use std::process::Command;

#[test]
fn texts_are_the_drivers_own() {
    driver();
    let mut checked = 0;
    for code in Code::ALL {
        let mut name = std::ptr::null();
        let mut text = std::ptr::null();
        // SAFETY: valid for a write.
        let known = unsafe { cuda_sys::cuGetErrorName(code.as_raw(), &raw mut name) };
        if !known.is_success() {
            continue; // newer than this driver
        }
        // SAFETY: valid for a write.
        assert!(unsafe { cuda_sys::cuGetErrorString(code.as_raw(), &raw mut text) }.is_success());
        // SAFETY: the driver gave a C string.
        assert_eq!(unsafe { std::ffi::CStr::from_ptr(name) }.to_str().unwrap(), code.name());
        // SAFETY: as above.
        assert_eq!(unsafe { std::ffi::CStr::from_ptr(text) }.to_str().unwrap(), code.description());
        checked += 1;
    }
    assert!(checked >= 75, "{checked}");
}

#[test]
fn the_driver_has_no_name_for_an_unknown_code() {
    driver();
    let mut name = std::ptr::dangling();
    let unknown = Code::new(cuda_sys::cudaError_enum(12345)).unwrap();
    // SAFETY: valid for a write.
    let answer = unsafe { cuda_sys::cuGetErrorName(unknown.as_raw(), &raw mut name) };
    assert_eq!(Code::new(answer), Some(Code::InvalidValue));
    assert!(name.is_null());
    assert_eq!(unknown.to_string(), "CUDA_ERROR_UNKNOWN_CODE (12345: a code that CUDA 13.5 does not name)");
}

#[test]
fn all_codes_differ_and_none_is_success() {
    assert_eq!(Code::ALL.len(), 105);
    let numbers: std::collections::BTreeSet<u32> = Code::ALL.iter().map(|code| code.number()).collect();
    assert_eq!(numbers.len(), 105);
    assert!(!numbers.contains(&0));
    assert!(Code::ALL.iter().all(|code| Code::new(code.as_raw()) == Some(*code)));
    assert_eq!(Code::IllegalAddress.extent(), Extent::Process);
    assert_eq!(Code::Assert.extent(), Extent::Process);
    assert_eq!(Code::ContextIsDestroyed.extent(), Extent::Context);
    assert_eq!(Code::NotReady.extent(), Extent::Call);
}

#[test]
fn before_initialisation_only_the_version_is_told() {
    let program = std::env::current_exe().unwrap();
    let child = Command::new(program)
        .args(["--exact", "errors::uninitialised", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success() && out.contains("1 passed"), "{out}\n{err}");
}

#[test]
#[ignore = "runs in a child process"]
fn uninitialised() {
    driver();
    let before = Some(Code::NotInitialized);
    let (mut count, mut current) = (0, std::ptr::null_mut());
    // SAFETY: `count` is valid for a write.
    assert_eq!(Code::new(unsafe { cuda_sys::cuDeviceGetCount(&raw mut count) }), before);
    // SAFETY: `current` is valid for a write.
    assert_eq!(Code::new(unsafe { cuda_sys::cuCtxGetCurrent(&raw mut current) }), before);
    assert!(cuda_rt::driver_version().unwrap().major() >= 11);
    let error = cuda_rt::driver::init_with_flags(1).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    // The safe layer initialises by itself, and doing so again is nothing.
    assert!(cuda_rt::Device::count().unwrap() > 0);
    cuda_rt::init().unwrap();
}

/// Set in the child process of [`a_fault_ends_the_process_but_nothing_crashes`].
const CHILD: &str = "CUDA_SUITE_FAULT";

#[test]
fn a_fault_ends_the_process_but_nothing_crashes() {
    if std::env::var_os(CHILD).is_some() {
        fault();
        return;
    }
    driver();
    let name = "errors::a_fault_ends_the_process_but_nothing_crashes";
    let program = std::env::current_exe().unwrap();
    let child =
        Command::new(program).args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success(), "{out}\n{err}");
    assert!(out.contains("survived"), "{out}\n{err}");
}

/// A kernel writes where nothing is. Afterwards everything fails, and everything can be dropped.
#[allow(clippy::print_stdout)]
fn fault() {
    let stream = stream();
    let ptx = ".version 6.4 .target sm_50 .address_size 64
        .visible .entry poke(.param .u64 at) {
            .reg .b64 %at; .reg .b32 %r;
            ld.param.u64 %at, [at]; mov.u32 %r, 1; st.global.u32 [%at], %r; ret; }";
    let module = Module::from_ptx(stream.context(), ptx).unwrap();
    let poke = crate::typed::<(DevicePtr<u32>,)>(&module.function("poke").unwrap());
    let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 1000).unwrap();
    let event = cuda_rt::Event::new(stream.context()).unwrap();

    // The first page is never mapped; an address further up might be mapped by chance.
    let nowhere = DevicePtr::from_raw(64);
    // SAFETY: it is not safe: the point is what comes after, in a process that ends.
    unsafe { poke.launch(LaunchConfig::new(1, 1), &stream, (nowhere,)) }.unwrap();
    let lost = Some(Code::IllegalAddress);
    assert_eq!(stream.synchronize().unwrap_err().code(), lost);
    let again: [(&str, Result<(), Error>); 8] = [
        ("cuStreamSynchronize", stream.synchronize()),
        ("cuStreamQuery", stream.is_done().map(drop)),
        ("cuEventRecord", event.record(&stream).map(drop)),
        ("cuMemcpyHtoDAsync", buffer.copy_from_host(&[1; 1000])),
        ("cuMemcpyDtoHAsync", buffer.to_vec().map(drop)),
        ("cuMemAlloc", DeviceBuf::<u8>::uninit(&stream, 1).map(drop)),
        ("cuStreamCreate", cuda_rt::Stream::new(stream.context()).map(drop)),
        // SAFETY: an address inside the buffer.
        ("cuLaunchKernel", unsafe { poke.launch(LaunchConfig::new(1, 1), &stream, (buffer.ptr(),)) }),
    ];
    for (call, result) in again {
        let error = result.unwrap_err();
        assert_eq!(error.code(), lost, "{error}");
        assert!(error.is_sticky());
        // Also if a check before the call has noticed it.
        assert!(error.to_string().contains(call), "{error}");
    }
    // A failure of a destructor is reported, once for each code by default.
    drop((buffer, event, poke, module));
    assert_eq!(stream.close().unwrap_err().code(), lost);
    println!("survived");
}

/// PY-ERR-06, and a part of PY-ERR-02.
#[test]
#[allow(unsafe_code)]
fn errors_are_of_the_classes_of_pycuda() {
    let stream = stream();
    // SAFETY: there is no such file.
    let missing = unsafe { Module::from_file(stream.context(), "nowhere.cubin") }.unwrap_err();
    assert_eq!((missing.code(), missing.pycuda_class()), (None, PyCudaClass::RuntimeError));
    // The content of a file is another matter.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.ptx");
    std::fs::write(&path, "no code").unwrap();
    // SAFETY: it is no code.
    let wrong = unsafe { Module::from_file(stream.context(), &path) }.unwrap_err();
    assert_eq!(wrong.pycuda_class(), PyCudaClass::LogicError, "{wrong}");
    let too_much = DeviceBuf::<u8>::uninit(&stream, 1 << 50).unwrap_err();
    assert_eq!(too_much.pycuda_class(), PyCudaClass::MemoryError);
    let refused = DeviceBuf::<u64>::uninit(&stream, usize::MAX).unwrap_err();
    assert_eq!(refused.pycuda_class(), PyCudaClass::LogicError);
    let broken = Module::from_ptx(stream.context(), ".version 6.4 .target sm_50 nonsense").unwrap_err();
    assert_eq!(broken.pycuda_class(), PyCudaClass::LogicError, "that is the code's: {broken}");
}
