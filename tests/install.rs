//! The seam through which another driver takes the place of the system's.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

use cuda_sys::{Driver, Symbol};

/// One test, because a process has one driver.
#[test]
fn a_driver_is_installed_once() {
    // A driver of one's own does not settle the process.
    // SAFETY: the software driver's functions.
    let own = unsafe { Driver::from_resolver("mine", cuda_sim::resolve) };
    assert!(own.has(Symbol::cuInit) && own.has(Symbol::cuCtxCreate_v4));
    assert_eq!(own.origin(), "mine");
    assert_eq!(own.version(), Some(cuda_sys::DriverVersion::new(13, 0)));
    // Functions of releases after the posed one do not exist.
    let here = Symbol::all().filter(|symbol| symbol.is_on_this_system());
    let newer: Vec<Symbol> = here.filter(|symbol| !own.has(*symbol)).collect();
    assert!(!newer.is_empty());
    assert!(newer.iter().all(|symbol| symbol.since() > cuda_sys::DriverVersion::new(13, 0)));

    let installed = own.install().unwrap();
    assert_eq!(installed.origin(), "mine");
    assert_eq!(cuda_sys::driver().unwrap().origin(), "mine");
    // SAFETY: as above.
    let again = unsafe { cuda_sys::install("another", cuda_sim::resolve) }.unwrap_err();
    assert_eq!(again.to_string(), "a CUDA driver is in use already: mine");
    assert!(cuda_sim::install(cuda_sim::Config::default()).is_err());

    // The safe layer uses it, and what the driver lacks is an error that says so.
    assert_eq!(cuda_rt::Device::count().unwrap(), 2);
    assert_eq!(own_missing(), Err(cuda_sys::CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER));
}

/// A function newer than the posed driver.
fn own_missing() -> Result<(), cuda_sys::CUresult> {
    assert!(cuda_sys::driver().unwrap().missing(Symbol::cuStreamGetDevResource).is_some());
    // SAFETY: a stub is called, which ignores its arguments.
    let code = unsafe {
        cuda_sys::cuStreamGetDevResource(
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            cuda_sys::CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM,
        )
    };
    if code.is_success() { Ok(()) } else { Err(code) }
}
