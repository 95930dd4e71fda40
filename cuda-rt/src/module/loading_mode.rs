//! When kernels get to the device.

#![allow(unsafe_code)]

use crate::driver::initialised;
use crate::error::Result;
use cuda_sys::CUmoduleLoadingMode_enum;

/// When the kernels of a module are loaded: any number that some driver knows.
///
/// ```
/// assert_eq!(cuda_rt::module::ModuleLoadingMode::LAZY.to_string(), "LAZY");
/// ```
#[doc(alias = "CUmoduleLoadingMode")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleLoadingMode(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/module_loading_mode.rs");

/// When this process loads kernels: lazily, from CUDA 12.2 on, unless the environment says `CUDA_MODULE_LOADING=EAGER` when
/// the driver is initialised (measured with CUDA 13.0). PTX is compiled when its module is loaded in either case, so errors
/// come at once, and so do variables. Wraps `cuModuleGetLoadingMode`.
///
/// # Errors
///
/// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) if the driver is for a release before 11.7.
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// println!("kernels are loaded: {}", cuda_rt::module::loading_mode()?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("cuModuleGetLoadingMode", "CUDA_MODULE_LOADING"))]
pub fn loading_mode() -> Result<ModuleLoadingMode> {
    initialised(|| {
        let mut mode = CUmoduleLoadingMode_enum(0);
        // SAFETY: `mode` is valid for a write.
        unsafe { check!(cuModuleGetLoadingMode(&raw mut mode)) }?;
        Ok(ModuleLoadingMode(mode.0))
    })
}
