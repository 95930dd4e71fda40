//! The numbers of options, and those among their values that have names.

use core::fmt;
use cuda_sys::{CUjit_cacheMode_enum, CUjit_fallback_enum, CUjit_option_enum, CUjit_target_enum};

/// An option of the driver's compiler and linker: any number that some driver knows. Programs meet it in errors, and where
/// [`JitOptions::raw`](super::JitOptions::raw) is needed; everything that is documented has a method of
/// [`JitOptions`](super::JitOptions).
///
/// ```
/// use cuda_rt::JitOption;
///
/// assert_eq!(JitOption::OPTIMIZATION_LEVEL.to_string(), "OPTIMIZATION_LEVEL");
/// assert_eq!(JitOption(99).to_string(), "JitOption(99)");
/// assert_eq!(JitOption::all().len(), 36);
/// ```
#[doc(alias = "CUjit_option")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitOption(pub u32);

/// What is compiled for: the number of an `sm`, with [`ACCELERATED`](JitTarget::ACCELERATED) or
/// [`FAMILY`](JitTarget::FAMILY) added for those that end in `a` and `f`. Any number that some driver knows.
///
/// CUDA 13.5 does not name 10 to 21 any more, which older releases did.
///
/// ```
/// use cuda_rt::JitTarget;
///
/// assert_eq!(JitTarget::new(90), JitTarget(90));
/// assert_eq!(JitTarget::new(90).to_string(), "sm_90");
/// assert_eq!(JitTarget::new(90).accelerated().to_string(), "sm_90a");
/// assert_eq!(JitTarget::new(120).family().to_string(), "sm_120f");
/// ```
#[doc(alias = "CUjit_target")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitTarget(pub u32);

impl JitTarget {
    /// What is added to the number for targets that end in `a`: `CU_COMPUTE_ACCELERATED_TARGET_BASE`.
    #[doc(alias = "CU_COMPUTE_ACCELERATED_TARGET_BASE")]
    pub const ACCELERATED: u32 = cuda_sys::CU_COMPUTE_ACCELERATED_TARGET_BASE;
    /// What is added to the number for targets that end in `f`: `CU_COMPUTE_FAMILY_TARGET_BASE`.
    #[doc(alias = "CU_COMPUTE_FAMILY_TARGET_BASE")]
    pub const FAMILY: u32 = cuda_sys::CU_COMPUTE_FAMILY_TARGET_BASE;

    /// The target `sm_<number>`: 90 for a device of compute capability 9.0.
    ///
    /// # Examples
    ///
    /// See [`JitTarget`].
    #[doc(alias(
        "CU_TARGET_COMPUTE_50",
        "CU_TARGET_COMPUTE_75",
        "CU_TARGET_COMPUTE_80",
        "CU_TARGET_COMPUTE_90"
    ))]
    pub const fn new(number: u32) -> JitTarget {
        JitTarget(number)
    }

    /// The same with what one architecture alone has: `sm_90a`.
    ///
    /// # Examples
    ///
    /// See [`JitTarget`].
    #[doc(alias("CU_TARGET_COMPUTE_90A", "CU_TARGET_COMPUTE_100A", "CU_TARGET_COMPUTE_120A"))]
    pub const fn accelerated(self) -> JitTarget {
        JitTarget(self.sm() | Self::ACCELERATED)
    }

    /// The same with what a family of architectures has: `sm_100f`.
    ///
    /// # Examples
    ///
    /// See [`JitTarget`].
    #[doc(alias("CU_TARGET_COMPUTE_100F", "CU_TARGET_COMPUTE_110F", "CU_TARGET_COMPUTE_120F"))]
    pub const fn family(self) -> JitTarget {
        JitTarget(self.sm() | Self::FAMILY)
    }

    /// The number of the `sm`, without what makes it accelerated or a family's.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::JitTarget::new(90).accelerated().sm(), 90);
    /// ```
    pub const fn sm(self) -> u32 {
        self.0 & !(Self::ACCELERATED | Self::FAMILY)
    }

    /// All that CUDA 13.5 names, once each.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::JitTarget;
    ///
    /// assert!(JitTarget::all().any(|target| target == JitTarget::new(121).family()));
    /// ```
    pub fn all() -> impl ExactSizeIterator<Item = JitTarget> + Clone {
        use CUjit_target_enum as C;
        [
            C::CU_TARGET_COMPUTE_30,
            C::CU_TARGET_COMPUTE_32,
            C::CU_TARGET_COMPUTE_35,
            C::CU_TARGET_COMPUTE_37,
            C::CU_TARGET_COMPUTE_50,
            C::CU_TARGET_COMPUTE_52,
            C::CU_TARGET_COMPUTE_53,
            C::CU_TARGET_COMPUTE_60,
            C::CU_TARGET_COMPUTE_61,
            C::CU_TARGET_COMPUTE_62,
            C::CU_TARGET_COMPUTE_70,
            C::CU_TARGET_COMPUTE_72,
            C::CU_TARGET_COMPUTE_75,
            C::CU_TARGET_COMPUTE_80,
            C::CU_TARGET_COMPUTE_86,
            C::CU_TARGET_COMPUTE_87,
            C::CU_TARGET_COMPUTE_89,
            C::CU_TARGET_COMPUTE_90,
            C::CU_TARGET_COMPUTE_100,
            C::CU_TARGET_COMPUTE_103,
            C::CU_TARGET_COMPUTE_107,
            C::CU_TARGET_COMPUTE_110,
            C::CU_TARGET_COMPUTE_120,
            C::CU_TARGET_COMPUTE_121,
            C::CU_TARGET_COMPUTE_90A,
            C::CU_TARGET_COMPUTE_100A,
            C::CU_TARGET_COMPUTE_103A,
            C::CU_TARGET_COMPUTE_107A,
            C::CU_TARGET_COMPUTE_110A,
            C::CU_TARGET_COMPUTE_120A,
            C::CU_TARGET_COMPUTE_121A,
            C::CU_TARGET_COMPUTE_100F,
            C::CU_TARGET_COMPUTE_103F,
            C::CU_TARGET_COMPUTE_107F,
            C::CU_TARGET_COMPUTE_110F,
            C::CU_TARGET_COMPUTE_120F,
            C::CU_TARGET_COMPUTE_121F,
        ]
        .map(|target| JitTarget(target.0))
        .into_iter()
    }
}

impl fmt::Display for JitTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.0 & !self.sm() {
            0 => "",
            Self::ACCELERATED => "a",
            Self::FAMILY => "f",
            _ => return write!(formatter, "JitTarget({})", self.0),
        };
        write!(formatter, "sm_{}{suffix}", self.sm())
    }
}

impl fmt::Debug for JitTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// What is taken if there is no binary for exactly this device.
///
/// ```
/// assert_eq!(cuda_rt::JitFallback::PREFER_PTX.to_string(), "PREFER_PTX");
/// ```
#[doc(alias = "CUjit_fallback")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitFallback(pub u32);

/// Which caches loads of global memory go through.
///
/// ```
/// assert_eq!(cuda_rt::JitCacheMode::CG.to_string(), "CG");
/// ```
#[doc(alias = "CUjit_cacheMode")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitCacheMode(pub u32);

numbers! {
    JitFallback of CUjit_fallback_enum, "All that CUDA 13.5 names, once each.":
    PREFER_PTX = CU_PREFER_PTX "CU_PREFER_PTX", "PTX, which is compiled.";
    PREFER_BINARY = CU_PREFER_BINARY "CU_PREFER_BINARY", "A binary for another device that runs on this one too.";
}
numbers! {
    JitCacheMode of CUjit_cacheMode_enum, "All that CUDA 13.5 names, once each.":
    NONE = CU_JIT_CACHE_OPTION_NONE "CU_JIT_CACHE_OPTION_NONE", "As the compiler likes.";
    CG = CU_JIT_CACHE_OPTION_CG "CU_JIT_CACHE_OPTION_CG", "Level 2 only.";
    CA = CU_JIT_CACHE_OPTION_CA "CU_JIT_CACHE_OPTION_CA", "Level 1 too.";
}
numbers! {
    JitOption of CUjit_option_enum, "All that CUDA 13.5 names, once each.":
    MAX_REGISTERS = CU_JIT_MAX_REGISTERS "CU_JIT_MAX_REGISTERS", "See [`max_registers`](super::JitOptions::max_registers).";
    THREADS_PER_BLOCK = CU_JIT_THREADS_PER_BLOCK "CU_JIT_THREADS_PER_BLOCK", "See [`threads_per_block`](super::JitOptions::threads_per_block).";
    WALL_TIME = CU_JIT_WALL_TIME "CU_JIT_WALL_TIME", "See [`wall_time`](super::JitOptions::wall_time).";
    INFO_LOG_BUFFER = CU_JIT_INFO_LOG_BUFFER "CU_JIT_INFO_LOG_BUFFER", "Where information is written to. This crate's.";
    INFO_LOG_BUFFER_SIZE_BYTES = CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES "CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES", "How much room there is for it. This crate's.";
    ERROR_LOG_BUFFER = CU_JIT_ERROR_LOG_BUFFER "CU_JIT_ERROR_LOG_BUFFER", "Where errors are written to. This crate's.";
    ERROR_LOG_BUFFER_SIZE_BYTES = CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES "CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES", "How much room there is for them. This crate's.";
    OPTIMIZATION_LEVEL = CU_JIT_OPTIMIZATION_LEVEL "CU_JIT_OPTIMIZATION_LEVEL", "See [`optimization_level`](super::JitOptions::optimization_level).";
    TARGET_FROM_CUCONTEXT = CU_JIT_TARGET_FROM_CUCONTEXT "CU_JIT_TARGET_FROM_CUCONTEXT", "See [`target_from_context`](super::JitOptions::target_from_context).";
    TARGET = CU_JIT_TARGET "CU_JIT_TARGET", "See [`target`](super::JitOptions::target).";
    FALLBACK_STRATEGY = CU_JIT_FALLBACK_STRATEGY "CU_JIT_FALLBACK_STRATEGY", "See [`fallback`](super::JitOptions::fallback).";
    GENERATE_DEBUG_INFO = CU_JIT_GENERATE_DEBUG_INFO "CU_JIT_GENERATE_DEBUG_INFO", "See [`debug_info`](super::JitOptions::debug_info).";
    LOG_VERBOSE = CU_JIT_LOG_VERBOSE "CU_JIT_LOG_VERBOSE", "See [`log_verbose`](super::JitOptions::log_verbose).";
    GENERATE_LINE_INFO = CU_JIT_GENERATE_LINE_INFO "CU_JIT_GENERATE_LINE_INFO", "See [`line_info`](super::JitOptions::line_info).";
    CACHE_MODE = CU_JIT_CACHE_MODE "CU_JIT_CACHE_MODE", "See [`cache_mode`](super::JitOptions::cache_mode).";
    NEW_SM3X_OPT = CU_JIT_NEW_SM3X_OPT "CU_JIT_NEW_SM3X_OPT", "Deprecated, and documented as not to be used.";
    FAST_COMPILE = CU_JIT_FAST_COMPILE "CU_JIT_FAST_COMPILE", "Documented as internal.";
    GLOBAL_SYMBOL_NAMES = CU_JIT_GLOBAL_SYMBOL_NAMES "CU_JIT_GLOBAL_SYMBOL_NAMES", "See [`global_symbol`](super::JitOptions::global_symbol).";
    GLOBAL_SYMBOL_ADDRESSES = CU_JIT_GLOBAL_SYMBOL_ADDRESSES "CU_JIT_GLOBAL_SYMBOL_ADDRESSES", "See [`global_symbol`](super::JitOptions::global_symbol).";
    GLOBAL_SYMBOL_COUNT = CU_JIT_GLOBAL_SYMBOL_COUNT "CU_JIT_GLOBAL_SYMBOL_COUNT", "See [`global_symbol`](super::JitOptions::global_symbol).";
    LTO = CU_JIT_LTO "CU_JIT_LTO", "See [`lto`](super::JitOptions::lto).";
    FTZ = CU_JIT_FTZ "CU_JIT_FTZ", "See [`ftz`](super::JitOptions::ftz).";
    PREC_DIV = CU_JIT_PREC_DIV "CU_JIT_PREC_DIV", "See [`prec_div`](super::JitOptions::prec_div).";
    PREC_SQRT = CU_JIT_PREC_SQRT "CU_JIT_PREC_SQRT", "See [`prec_sqrt`](super::JitOptions::prec_sqrt).";
    FMA = CU_JIT_FMA "CU_JIT_FMA", "See [`fma`](super::JitOptions::fma).";
    REFERENCED_KERNEL_NAMES = CU_JIT_REFERENCED_KERNEL_NAMES "CU_JIT_REFERENCED_KERNEL_NAMES", "See [`referenced_kernel`](super::JitOptions::referenced_kernel).";
    REFERENCED_KERNEL_COUNT = CU_JIT_REFERENCED_KERNEL_COUNT "CU_JIT_REFERENCED_KERNEL_COUNT", "See [`referenced_kernel`](super::JitOptions::referenced_kernel).";
    REFERENCED_VARIABLE_NAMES = CU_JIT_REFERENCED_VARIABLE_NAMES "CU_JIT_REFERENCED_VARIABLE_NAMES", "See [`referenced_variable`](super::JitOptions::referenced_variable).";
    REFERENCED_VARIABLE_COUNT = CU_JIT_REFERENCED_VARIABLE_COUNT "CU_JIT_REFERENCED_VARIABLE_COUNT", "See [`referenced_variable`](super::JitOptions::referenced_variable).";
    OPTIMIZE_UNUSED_DEVICE_VARIABLES = CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES "CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES", "See [`optimize_unused_device_variables`](super::JitOptions::optimize_unused_device_variables).";
    POSITION_INDEPENDENT_CODE = CU_JIT_POSITION_INDEPENDENT_CODE "CU_JIT_POSITION_INDEPENDENT_CODE", "See [`position_independent_code`](super::JitOptions::position_independent_code).";
    MIN_CTA_PER_SM = CU_JIT_MIN_CTA_PER_SM "CU_JIT_MIN_CTA_PER_SM", "See [`min_cta_per_sm`](super::JitOptions::min_cta_per_sm).";
    MAX_THREADS_PER_BLOCK = CU_JIT_MAX_THREADS_PER_BLOCK "CU_JIT_MAX_THREADS_PER_BLOCK", "See [`max_threads_per_block`](super::JitOptions::max_threads_per_block).";
    OVERRIDE_DIRECTIVE_VALUES = CU_JIT_OVERRIDE_DIRECTIVE_VALUES "CU_JIT_OVERRIDE_DIRECTIVE_VALUES", "See [`override_directive_values`](super::JitOptions::override_directive_values).";
    SPLIT_COMPILE = CU_JIT_SPLIT_COMPILE "CU_JIT_SPLIT_COMPILE", "See [`split_compile`](super::JitOptions::split_compile).";
    BINARY_LOADER_THREAD_COUNT = CU_JIT_BINARY_LOADER_THREAD_COUNT "CU_JIT_BINARY_LOADER_THREAD_COUNT", "See [`binary_loader_thread_count`](super::JitOptions::binary_loader_thread_count).";
}
