// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl JitOption {
    /// See [`max_registers`](super::JitOptions::max_registers).
    #[doc(alias = "CU_JIT_MAX_REGISTERS")]
    pub const MAX_REGISTERS: Self = Self(0);
    /// See [`threads_per_block`](super::JitOptions::threads_per_block).
    #[doc(alias = "CU_JIT_THREADS_PER_BLOCK")]
    pub const THREADS_PER_BLOCK: Self = Self(1);
    /// See [`wall_time`](super::JitOptions::wall_time).
    #[doc(alias = "CU_JIT_WALL_TIME")]
    pub const WALL_TIME: Self = Self(2);
    /// Buffer for information. This crate sets it.
    #[doc(alias = "CU_JIT_INFO_LOG_BUFFER")]
    pub const INFO_LOG_BUFFER: Self = Self(3);
    /// Size of the buffer for information. This crate sets it.
    #[doc(alias = "CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES")]
    pub const INFO_LOG_BUFFER_SIZE_BYTES: Self = Self(4);
    /// Buffer for errors. This crate sets it.
    #[doc(alias = "CU_JIT_ERROR_LOG_BUFFER")]
    pub const ERROR_LOG_BUFFER: Self = Self(5);
    /// Size of the buffer for errors. This crate sets it.
    #[doc(alias = "CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES")]
    pub const ERROR_LOG_BUFFER_SIZE_BYTES: Self = Self(6);
    /// See [`optimization_level`](super::JitOptions::optimization_level).
    #[doc(alias = "CU_JIT_OPTIMIZATION_LEVEL")]
    pub const OPTIMIZATION_LEVEL: Self = Self(7);
    /// See [`target_from_context`](super::JitOptions::target_from_context).
    #[doc(alias = "CU_JIT_TARGET_FROM_CUCONTEXT")]
    pub const TARGET_FROM_CUCONTEXT: Self = Self(8);
    /// See [`target`](super::JitOptions::target).
    #[doc(alias = "CU_JIT_TARGET")]
    pub const TARGET: Self = Self(9);
    /// See [`fallback`](super::JitOptions::fallback).
    #[doc(alias = "CU_JIT_FALLBACK_STRATEGY")]
    pub const FALLBACK_STRATEGY: Self = Self(10);
    /// See [`debug_info`](super::JitOptions::debug_info).
    #[doc(alias = "CU_JIT_GENERATE_DEBUG_INFO")]
    pub const GENERATE_DEBUG_INFO: Self = Self(11);
    /// See [`log_verbose`](super::JitOptions::log_verbose).
    #[doc(alias = "CU_JIT_LOG_VERBOSE")]
    pub const LOG_VERBOSE: Self = Self(12);
    /// See [`line_info`](super::JitOptions::line_info).
    #[doc(alias = "CU_JIT_GENERATE_LINE_INFO")]
    pub const GENERATE_LINE_INFO: Self = Self(13);
    /// See [`cache_mode`](super::JitOptions::cache_mode).
    #[doc(alias = "CU_JIT_CACHE_MODE")]
    pub const CACHE_MODE: Self = Self(14);
    /// A deprecated option, which NVIDIA documents as not to be used.
    #[doc(alias = "CU_JIT_NEW_SM3X_OPT")]
    pub const NEW_SM3X_OPT: Self = Self(15);
    /// An option that NVIDIA documents as internal.
    #[doc(alias = "CU_JIT_FAST_COMPILE")]
    pub const FAST_COMPILE: Self = Self(16);
    /// See [`global_symbol`](super::JitOptions::global_symbol).
    #[doc(alias = "CU_JIT_GLOBAL_SYMBOL_NAMES")]
    pub const GLOBAL_SYMBOL_NAMES: Self = Self(17);
    /// See [`global_symbol`](super::JitOptions::global_symbol).
    #[doc(alias = "CU_JIT_GLOBAL_SYMBOL_ADDRESSES")]
    pub const GLOBAL_SYMBOL_ADDRESSES: Self = Self(18);
    /// See [`global_symbol`](super::JitOptions::global_symbol).
    #[doc(alias = "CU_JIT_GLOBAL_SYMBOL_COUNT")]
    pub const GLOBAL_SYMBOL_COUNT: Self = Self(19);
    /// See [`lto`](super::JitOptions::lto).
    #[doc(alias = "CU_JIT_LTO")]
    pub const LTO: Self = Self(20);
    /// See [`ftz`](super::JitOptions::ftz).
    #[doc(alias = "CU_JIT_FTZ")]
    pub const FTZ: Self = Self(21);
    /// See [`prec_div`](super::JitOptions::prec_div).
    #[doc(alias = "CU_JIT_PREC_DIV")]
    pub const PREC_DIV: Self = Self(22);
    /// See [`prec_sqrt`](super::JitOptions::prec_sqrt).
    #[doc(alias = "CU_JIT_PREC_SQRT")]
    pub const PREC_SQRT: Self = Self(23);
    /// See [`fma`](super::JitOptions::fma).
    #[doc(alias = "CU_JIT_FMA")]
    pub const FMA: Self = Self(24);
    /// See [`referenced_kernel`](super::JitOptions::referenced_kernel).
    #[doc(alias = "CU_JIT_REFERENCED_KERNEL_NAMES")]
    pub const REFERENCED_KERNEL_NAMES: Self = Self(25);
    /// See [`referenced_kernel`](super::JitOptions::referenced_kernel).
    #[doc(alias = "CU_JIT_REFERENCED_KERNEL_COUNT")]
    pub const REFERENCED_KERNEL_COUNT: Self = Self(26);
    /// See [`referenced_variable`](super::JitOptions::referenced_variable).
    #[doc(alias = "CU_JIT_REFERENCED_VARIABLE_NAMES")]
    pub const REFERENCED_VARIABLE_NAMES: Self = Self(27);
    /// See [`referenced_variable`](super::JitOptions::referenced_variable).
    #[doc(alias = "CU_JIT_REFERENCED_VARIABLE_COUNT")]
    pub const REFERENCED_VARIABLE_COUNT: Self = Self(28);
    /// See [`optimize_unused_device_variables`](super::JitOptions::optimize_unused_device_variables).
    #[doc(alias = "CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES")]
    pub const OPTIMIZE_UNUSED_DEVICE_VARIABLES: Self = Self(29);
    /// See [`position_independent_code`](super::JitOptions::position_independent_code).
    #[doc(alias = "CU_JIT_POSITION_INDEPENDENT_CODE")]
    pub const POSITION_INDEPENDENT_CODE: Self = Self(30);
    /// See [`min_cta_per_sm`](super::JitOptions::min_cta_per_sm).
    #[doc(alias = "CU_JIT_MIN_CTA_PER_SM")]
    pub const MIN_CTA_PER_SM: Self = Self(31);
    /// See [`max_threads_per_block`](super::JitOptions::max_threads_per_block).
    #[doc(alias = "CU_JIT_MAX_THREADS_PER_BLOCK")]
    pub const MAX_THREADS_PER_BLOCK: Self = Self(32);
    /// See [`override_directive_values`](super::JitOptions::override_directive_values).
    #[doc(alias = "CU_JIT_OVERRIDE_DIRECTIVE_VALUES")]
    pub const OVERRIDE_DIRECTIVE_VALUES: Self = Self(33);
    /// See [`split_compile`](super::JitOptions::split_compile).
    #[doc(alias = "CU_JIT_SPLIT_COMPILE")]
    pub const SPLIT_COMPILE: Self = Self(34);
    /// See [`binary_loader_thread_count`](super::JitOptions::binary_loader_thread_count).
    #[doc(alias = "CU_JIT_BINARY_LOADER_THREAD_COUNT")]
    pub const BINARY_LOADER_THREAD_COUNT: Self = Self(35);
}

numbers! { JitOption:
    MAX_REGISTERS THREADS_PER_BLOCK WALL_TIME INFO_LOG_BUFFER INFO_LOG_BUFFER_SIZE_BYTES ERROR_LOG_BUFFER
    ERROR_LOG_BUFFER_SIZE_BYTES OPTIMIZATION_LEVEL TARGET_FROM_CUCONTEXT TARGET FALLBACK_STRATEGY
    GENERATE_DEBUG_INFO LOG_VERBOSE GENERATE_LINE_INFO CACHE_MODE NEW_SM3X_OPT FAST_COMPILE
    GLOBAL_SYMBOL_NAMES GLOBAL_SYMBOL_ADDRESSES GLOBAL_SYMBOL_COUNT LTO FTZ PREC_DIV PREC_SQRT FMA
    REFERENCED_KERNEL_NAMES REFERENCED_KERNEL_COUNT REFERENCED_VARIABLE_NAMES REFERENCED_VARIABLE_COUNT
    OPTIMIZE_UNUSED_DEVICE_VARIABLES POSITION_INDEPENDENT_CODE MIN_CTA_PER_SM MAX_THREADS_PER_BLOCK
    OVERRIDE_DIRECTIVE_VALUES SPLIT_COMPILE BINARY_LOADER_THREAD_COUNT
}
