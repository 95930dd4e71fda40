//! Loading mode of modules.

#![allow(unsafe_code)]

use crate::driver::initialised;
use crate::error::Result;
use cuda_sys::CUmoduleLoadingMode_enum;

/// Time at which the kernels of a module are loaded: any number that some driver knows.
///
/// ```
/// assert_eq!(cuda_rt::module::ModuleLoadingMode::LAZY.to_string(), "LAZY");
/// ```
#[doc(alias = "CUmoduleLoadingMode")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleLoadingMode(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/module_loading_mode.rs");

/// Returns the loading mode of this process: when it loads kernels. Wraps `cuModuleGetLoadingMode`.
///
/// The driver compiles PTX when its module is loaded, in every mode. So errors are reported at once, and variables are available
/// at once.
///
/// # Driver notes
///
/// By default the mode is lazy from CUDA 12.2 on under Linux, and from CUDA 12.3 on under Windows. If
/// `CUDA_MODULE_LOADING=EAGER` is in the environment when the driver is initialised, the mode is eager. Measured with
/// CUDA 13.0 under Linux.
///
/// # Errors
///
/// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.7.
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
