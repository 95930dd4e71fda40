//! Preferences of a context between level-1 cache and shared memory.

#![allow(unsafe_code)]

use super::Context;
use crate::error::{Code, OrDetail, Result};
use cuda_sys::{CUfunc_cache_enum, CUsharedconfig_enum, Symbol};

/// Preference between shared memory and level-1 cache. The driver may ignore it.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::context::CacheConfig;
///
/// context.set_cache_config(CacheConfig::PreferShared)?;
/// assert_eq!(context.cache_config()?, CacheConfig::PreferShared);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUfunc_cache")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CacheConfig {
    /// No preference.
    #[doc(alias = "CU_FUNC_CACHE_PREFER_NONE")]
    #[default]
    PreferNone,
    /// Preference for shared memory.
    #[doc(alias = "CU_FUNC_CACHE_PREFER_SHARED")]
    PreferShared,
    /// Preference for level-1 cache.
    #[doc(alias = "CU_FUNC_CACHE_PREFER_L1")]
    PreferL1,
    /// Preference for equal parts of shared memory and level-1 cache.
    #[doc(alias = "CU_FUNC_CACHE_PREFER_EQUAL")]
    PreferEqual,
    /// Preference that CUDA 13.5 does not name.
    Other(u32),
}

impl CacheConfig {
    pub(crate) fn from_raw(raw: CUfunc_cache_enum) -> Self {
        match raw {
            CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE => Self::PreferNone,
            CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_SHARED => Self::PreferShared,
            CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_L1 => Self::PreferL1,
            CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_EQUAL => Self::PreferEqual,
            CUfunc_cache_enum(other) => Self::Other(other),
        }
    }

    pub(crate) fn as_raw(self) -> CUfunc_cache_enum {
        match self {
            Self::PreferNone => CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE,
            Self::PreferShared => CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_SHARED,
            Self::PreferL1 => CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_L1,
            Self::PreferEqual => CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_EQUAL,
            Self::Other(number) => CUfunc_cache_enum(number),
        }
    }
}

/// Width of the banks of shared memory. Without effect on devices with fixed banks: all devices since compute capability 5.0.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # #[allow(deprecated)]
/// assert_eq!(context.shared_mem_config()?, cuda_rt::context::SharedMemConfig::FourByteBankSize);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUsharedconfig")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum SharedMemConfig {
    /// Default width of the device.
    #[doc(alias = "CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE")]
    #[default]
    DefaultBankSize,
    /// Banks of four bytes.
    #[doc(alias = "CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE")]
    FourByteBankSize,
    /// Banks of eight bytes.
    #[doc(alias = "CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE")]
    EightByteBankSize,
    /// Width that CUDA 13.5 does not name.
    Other(u32),
}

impl SharedMemConfig {
    fn from_raw(raw: CUsharedconfig_enum) -> Self {
        match raw {
            CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE => Self::DefaultBankSize,
            CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE => Self::FourByteBankSize,
            CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE => Self::EightByteBankSize,
            CUsharedconfig_enum(other) => Self::Other(other),
        }
    }

    pub(crate) fn as_raw(self) -> CUsharedconfig_enum {
        match self {
            Self::DefaultBankSize => CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE,
            Self::FourByteBankSize => CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE,
            Self::EightByteBankSize => CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
            Self::Other(number) => CUsharedconfig_enum(number),
        }
    }
}

impl Context {
    /// Returns the context's preference between shared memory and level-1 cache. Wraps `cuCtxGetCacheConfig`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let device = cuda_rt::Device::get(0)?;
    /// # let context = cuda_rt::Context::new(device, cuda_rt::context::ContextFlags::default())?;
    /// assert_eq!(context.cache_config()?, cuda_rt::context::CacheConfig::PreferNone);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetCacheConfig")]
    pub fn cache_config(&self) -> Result<CacheConfig> {
        let _bound = self.bind(Symbol::cuCtxGetCacheConfig)?;
        let mut config = CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE;
        // SAFETY: `config` is valid for a write; this context is current.
        unsafe { check!(cuCtxGetCacheConfig(&raw mut config)) }?;
        Ok(CacheConfig::from_raw(config))
    }

    /// Sets the context's preference between shared memory and level-1 cache. Wraps `cuCtxSetCacheConfig`.
    ///
    /// The preference holds for kernels that have [none of their own](crate::Function::set_cache_config).
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the preference.
    /// - An earlier failure.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    #[doc(alias = "cuCtxSetCacheConfig")]
    pub fn set_cache_config(&self, config: CacheConfig) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxSetCacheConfig)?;
        // SAFETY: the configuration may be any number; this context is current.
        unsafe { check!(cuCtxSetCacheConfig(config.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| format!("setting {}", config.as_raw().0))
    }

    /// Returns the width of the banks of shared memory. Wraps `cuCtxGetSharedMemConfig`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuCtxGetSharedMemConfig")]
    #[deprecated = "CUDA deprecates it: the banks of today's devices are fixed"]
    pub fn shared_mem_config(&self) -> Result<SharedMemConfig> {
        let _bound = self.bind(Symbol::cuCtxGetSharedMemConfig)?;
        let mut config = CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
        // SAFETY: `config` is valid for a write; this context is current.
        unsafe { check!(cuCtxGetSharedMemConfig(&raw mut config)) }?;
        Ok(SharedMemConfig::from_raw(config))
    }

    /// Sets the preferred width of the banks of shared memory. Wraps `cuCtxSetSharedMemConfig`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the width.
    /// - An earlier failure.
    /// - [`Code::StreamCaptureUnsupported`], as for [`set_cache_config`](Context::set_cache_config).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # #[allow(deprecated)]
    /// context.set_shared_mem_config(cuda_rt::context::SharedMemConfig::EightByteBankSize)?; // without effect on this device
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxSetSharedMemConfig")]
    #[deprecated = "CUDA deprecates it: the banks of today's devices are fixed"]
    pub fn set_shared_mem_config(&self, config: SharedMemConfig) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxSetSharedMemConfig)?;
        // SAFETY: the configuration may be any number; this context is current.
        unsafe { check!(cuCtxSetSharedMemConfig(config.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| format!("setting {}", config.as_raw().0))
    }

    /// Resets all persisting lines of the level-2 cache to normal lines. Wraps `cuCtxResetPersistingL2Cache`.
    ///
    /// # Errors
    ///
    /// - [`Code::NotSupported`]: the device cannot set lines aside.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// context.reset_persisting_l2_cache()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxResetPersistingL2Cache")]
    pub fn reset_persisting_l2_cache(&self) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxResetPersistingL2Cache)?;
        // SAFETY: this context is current.
        unsafe { check!(cuCtxResetPersistingL2Cache()) }
    }
}
