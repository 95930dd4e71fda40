//! The versions of the crate, of the interface, and of the driver.

use cuda_rt::driver::DriverVersion;
use cuda_rt::version::{HEADER_VERSION, VERSION, VERSION_STATUS, VERSION_TEXT};

#[test]
fn the_crates_version_compares_as_numbers() {
    assert!(VERSION >= (0, 1, 0) && VERSION < (99, 0, 0));
    let (major, minor, patch) = VERSION;
    let dash = if VERSION_STATUS.is_empty() { "" } else { "-" };
    assert_eq!(VERSION_TEXT, format!("{major}.{minor}.{patch}{dash}{VERSION_STATUS}"));
}

#[test]
fn the_header_version_is_that_of_the_bindings() {
    assert_eq!(HEADER_VERSION, DriverVersion(cuda_sys::CUDA_VERSION as i32));
    assert_eq!((HEADER_VERSION.major(), HEADER_VERSION.minor()), (13, 5));
}

#[test]
fn the_driver_tells_its_version() {
    cuda_suite::driver();
    let version = cuda_rt::driver_version().unwrap();
    assert!(version >= DriverVersion::new(11, 0), "{version}");
    assert_eq!(cuda_sys::driver().unwrap().version(), Some(version));
}
