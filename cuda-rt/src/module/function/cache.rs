//! What a kernel would rather have more of.

#![allow(unsafe_code)]

use super::Function;
use crate::context::{CacheConfig, SharedMemConfig};
use crate::error::{Code, OrDetail, Result};
use cuda_sys::Symbol;

impl Function {
    /// Says what this kernel would rather have more of, for all who use it. A wish: the driver may do otherwise. Without one
    /// ([`CacheConfig::PreferNone`]) that of the [context](crate::Context::set_cache_config) counts. Wraps
    /// `cuFuncSetCacheConfig`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`] for one that the driver does not know.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::context::CacheConfig;
    ///
    /// module.function("nothing")?.set_cache_config(CacheConfig::PreferL1)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncSetCacheConfig")]
    pub fn set_cache_config(&self, config: CacheConfig) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuFuncSetCacheConfig)?;
        let config = config.as_raw();
        // SAFETY: the module keeps the function live; the wish may be any number.
        unsafe { check!(cuFuncSetCacheConfig(self.raw, config)) }
            .or_detail(&[Code::InvalidValue], &|| format!("setting {}", config.0))
    }

    /// Says how wide the banks of shared memory should be for this kernel, for all who use it. Wraps
    /// `cuFuncSetSharedMemConfig`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`] for a width that the driver does not know.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// # #[allow(deprecated)]
    /// module.function("nothing")?.set_shared_mem_config(cuda_rt::context::SharedMemConfig::EightByteBankSize)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncSetSharedMemConfig")]
    #[deprecated = "without effect since compute capability 5.0, as the driver's documentation says"]
    pub fn set_shared_mem_config(&self, config: SharedMemConfig) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuFuncSetSharedMemConfig)?;
        let config = config.as_raw();
        // SAFETY: the module keeps the function live; the width may be any number.
        unsafe { check!(cuFuncSetSharedMemConfig(self.raw, config)) }
            .or_detail(&[Code::InvalidValue], &|| format!("setting {}", config.0))
    }
}
