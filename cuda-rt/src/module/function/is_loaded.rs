//! Lazy loading of kernels.

#![allow(unsafe_code)]

use super::Function;
use crate::error::Result;
use cuda_sys::{CUfunctionLoadingState_enum, Symbol};

impl Function {
    /// Returns whether the driver has loaded the kernel. Wraps `cuFuncIsLoaded`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    /// - An earlier failure.
    #[doc(alias = "cuFuncIsLoaded")]
    pub fn is_loaded(&self) -> Result<bool> {
        let _bound = self.context().bind(Symbol::cuFuncIsLoaded)?;
        let mut state = CUfunctionLoadingState_enum::CU_FUNCTION_LOADING_STATE_UNLOADED;
        // SAFETY: `state` is valid for a write; the module keeps the function live.
        unsafe { check!(cuFuncIsLoaded(&raw mut state, self.raw)) }?;
        Ok(state == CUfunctionLoadingState_enum::CU_FUNCTION_LOADING_STATE_LOADED)
    }

    /// Loads the kernel now. Wraps `cuFuncLoad`.
    ///
    /// Otherwise the driver loads the kernel at its first launch at the latest, and that launch takes longer. If the kernel is
    /// loaded already, the call does nothing.
    ///
    /// # Blocking
    ///
    /// Until the kernel is loaded. The driver may wait for other work of the context.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// let nothing = module.function("nothing")?;
    /// nothing.load()?;
    /// assert!(nothing.is_loaded()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncLoad")]
    pub fn load(&self) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuFuncLoad)?;
        // SAFETY: the module keeps the function live.
        unsafe { check!(cuFuncLoad(self.raw)) }
    }
}
