//! Functions by name and release: `cuGetProcAddress`.

use cuda_suite::{context, driver, skip};
use cuda_sys::{
    CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUdriverProcAddress_flags_enum as Flags,
    CUdriverProcAddressQueryResult as Status, CUresult, CUstream, DriverVersion, Symbol, cuGetProcAddress_v2,
    cuStreamGetId,
};
use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;

/// Returns the driver's release, if the driver has `cuGetProcAddress_v2`.
fn release() -> Option<DriverVersion> {
    driver();
    let driver = cuda_sys::driver().unwrap();
    driver.version().filter(|_| driver.has(Symbol::cuGetProcAddress_v2))
}

fn ask(name: &CStr, release: DriverVersion, flags: Flags) -> (CUresult, *mut c_void, Status) {
    let (mut address, mut status) = (null_mut(), Status::CU_GET_PROC_ADDRESS_SUCCESS);
    let flags = u64::from(flags.0);
    // SAFETY: a C string, and places that are valid for writes.
    let code =
        unsafe { cuGetProcAddress_v2(name.as_ptr(), &raw mut address, release.0, flags, &raw mut status) };
    (code, address, status)
}

fn address(name: &CStr, release: DriverVersion, flags: Flags) -> *mut c_void {
    let (code, address, status) = ask(name, release, flags);
    assert_eq!((code, status), (CUresult::CUDA_SUCCESS, Status::CU_GET_PROC_ADDRESS_SUCCESS), "{name:?}");
    assert!(!address.is_null(), "{name:?}");
    address
}

#[test]
fn found_function_can_be_called() {
    let Some(release) = release() else { skip!("the driver is older than 12.0") };
    cuda_rt::init().unwrap();
    let found = address(c"cuDeviceGetCount", release, Flags::CU_GET_PROC_ADDRESS_DEFAULT);
    // SAFETY: the function of this name has this signature.
    let count = unsafe { std::mem::transmute::<*mut c_void, extern "C" fn(*mut c_int) -> CUresult>(found) };
    let mut devices = 0;
    assert_eq!(count(&raw mut devices), CUresult::CUDA_SUCCESS);
    assert_eq!(u32::try_from(devices), Ok(cuda_rt::Device::count().unwrap()));
}

#[test]
fn missing_function_is_null_with_a_status() {
    let Some(release) = release() else { skip!("the driver is older than 12.0") };
    // A name with a version suffix is not found.
    for name in [c"cuNothing", c"cuMemAlloc_v2", c""] {
        let (code, address, status) = ask(name, release, Flags::CU_GET_PROC_ADDRESS_DEFAULT);
        assert_eq!((code, status), (CUresult::CUDA_SUCCESS, Status::CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND));
        assert!(address.is_null());
    }
    let before = DriverVersion::new(11, 8);
    let (code, address, status) = ask(c"cuLibraryLoadData", before, Flags::CU_GET_PROC_ADDRESS_DEFAULT);
    assert_eq!((code, status), (CUresult::CUDA_SUCCESS, Status::CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT));
    assert!(address.is_null());
}

#[test]
fn a_release_beyond_the_driver_is_refused() {
    let Some(release) = release() else { skip!("the driver is older than 12.0") };
    for later in [DriverVersion(release.0 + 10), DriverVersion(99_000)] {
        let (code, _, _) = ask(c"cuInit", later, Flags::CU_GET_PROC_ADDRESS_DEFAULT);
        assert_eq!(code, CUresult::CUDA_ERROR_INVALID_VALUE, "{later}");
    }
}

#[test]
fn entry_point_name_gives_newest_version_of_release() {
    let Some(release) = release().filter(|release| *release >= DriverVersion::new(12, 2)) else {
        skip!("the driver is older than 12.2")
    };
    let of = |release| address(c"cuMemAdvise", release, Flags::CU_GET_PROC_ADDRESS_DEFAULT);
    let (first, second) = (of(DriverVersion::new(12, 1)), of(DriverVersion::new(12, 2)));
    assert_ne!(first, second);
    assert_eq!(of(DriverVersion::new(11, 0)), first);
    assert_eq!(of(release), second);
}

#[test]
fn per_thread_entry_points_use_per_thread_stream() {
    let Some(release) = release() else { skip!("the driver is older than 12.0") };
    let context = context();
    let _entered = context.enter().unwrap();
    let id = |stream: CUstream| {
        let mut id = 0;
        // SAFETY: the stream is one that every context has, and `id` is valid for a write.
        assert_eq!(unsafe { cuStreamGetId(stream, &raw mut id) }, CUresult::CUDA_SUCCESS);
        id
    };
    for (flags, stream) in [
        (Flags::CU_GET_PROC_ADDRESS_DEFAULT, CU_STREAM_LEGACY),
        (Flags::CU_GET_PROC_ADDRESS_LEGACY_STREAM, CU_STREAM_LEGACY),
        (Flags::CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, CU_STREAM_PER_THREAD),
    ] {
        let found = address(c"cuStreamGetId", release, flags);
        type GetId = extern "C" fn(CUstream, *mut u64) -> CUresult;
        // SAFETY: the function of this name has this signature.
        let get_id = unsafe { std::mem::transmute::<*mut c_void, GetId>(found) };
        let mut number = 0;
        assert_eq!(get_id(null_mut(), &raw mut number), CUresult::CUDA_SUCCESS);
        assert_eq!(number, id(stream), "{flags:?}");
    }
}

#[test]
fn functions_without_streams_have_one_address() {
    let Some(release) = release() else { skip!("the driver is older than 12.0") };
    let with = |flags| address(c"cuDeviceGet", release, flags);
    assert_eq!(
        with(Flags::CU_GET_PROC_ADDRESS_LEGACY_STREAM),
        with(Flags::CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    );
}
