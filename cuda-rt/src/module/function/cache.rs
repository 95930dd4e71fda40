//! Preferences of kernels between shared memory and cache.

#![allow(unsafe_code)]

use super::Function;
use crate::context::{CacheConfig, SharedMemConfig};
use crate::error::{Code, OrDetail, Result};
use cuda_sys::Symbol;

impl Function {
    /// Sets the preference of this kernel between shared memory and level-1 cache, for all its users. Wraps
    /// `cuFuncSetCacheConfig`.
    ///
    /// The driver may ignore the preference. Without one ([`CacheConfig::PreferNone`]), the preference of the
    /// [context](crate::Context::set_cache_config) holds.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the preference.
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
        // SAFETY: the module keeps the function live; the preference may be any number.
        unsafe { check!(cuFuncSetCacheConfig(self.raw, config)) }
            .or_detail(&[Code::InvalidValue], &|| format!("setting {}", config.0))
    }

    /// Sets the preferred width of the banks of shared memory for this kernel, for all its users. Wraps
    /// `cuFuncSetSharedMemConfig`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the width.
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
