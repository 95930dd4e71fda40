// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

pub const NVRTC_INSTALL_HEADERS_SKIP_IF_EXISTS: u32 = 0;
pub const NVRTC_INSTALL_HEADERS_FORCE_OVERWRITE: u32 = 1;
pub const NVRTC_INSTALL_HEADERS_NO_WAIT: u32 = 2;
impl nvrtcResult {
    pub const NVRTC_SUCCESS: nvrtcResult = nvrtcResult(0);
    pub const NVRTC_ERROR_OUT_OF_MEMORY: nvrtcResult = nvrtcResult(1);
    pub const NVRTC_ERROR_PROGRAM_CREATION_FAILURE: nvrtcResult = nvrtcResult(2);
    pub const NVRTC_ERROR_INVALID_INPUT: nvrtcResult = nvrtcResult(3);
    pub const NVRTC_ERROR_INVALID_PROGRAM: nvrtcResult = nvrtcResult(4);
    pub const NVRTC_ERROR_INVALID_OPTION: nvrtcResult = nvrtcResult(5);
    pub const NVRTC_ERROR_COMPILATION: nvrtcResult = nvrtcResult(6);
    pub const NVRTC_ERROR_BUILTIN_OPERATION_FAILURE: nvrtcResult = nvrtcResult(7);
    pub const NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION: nvrtcResult = nvrtcResult(8);
    pub const NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION: nvrtcResult = nvrtcResult(9);
    pub const NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID: nvrtcResult = nvrtcResult(10);
    pub const NVRTC_ERROR_INTERNAL_ERROR: nvrtcResult = nvrtcResult(11);
    pub const NVRTC_ERROR_TIME_FILE_WRITE_FAILED: nvrtcResult = nvrtcResult(12);
    pub const NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED: nvrtcResult = nvrtcResult(13);
    pub const NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED: nvrtcResult = nvrtcResult(14);
    pub const NVRTC_ERROR_PCH_CREATE: nvrtcResult = nvrtcResult(15);
    pub const NVRTC_ERROR_CANCELLED: nvrtcResult = nvrtcResult(16);
    pub const NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED: nvrtcResult = nvrtcResult(17);
    pub const NVRTC_ERROR_BUSY: nvrtcResult = nvrtcResult(18);
}
#[repr(transparent)]
#[must_use]
#[derive(Copy, Clone, Hash, PartialEq, Eq)]
pub struct nvrtcResult(pub ::core::ffi::c_uint);
#[repr(C)]
#[derive(Debug)]
pub struct _nvrtcProgram {
    _unused: [u8; 0],
}
pub type nvrtcProgram = *mut _nvrtcProgram;
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct nvrtcBundledHeadersInfo {
    pub available: ::core::ffi::c_int,
    pub compressedSize: usize,
    pub uncompressedSize: usize,
    pub cudaVersionMajor: ::core::ffi::c_int,
    pub cudaVersionMinor: ::core::ffi::c_int,
    pub numFiles: ::core::ffi::c_uint,
}

layouts! {
    nvrtcBundledHeadersInfo: 40, 8;
}

enumerators! {
    nvrtcResult {
        NVRTC_SUCCESS NVRTC_ERROR_OUT_OF_MEMORY NVRTC_ERROR_PROGRAM_CREATION_FAILURE NVRTC_ERROR_INVALID_INPUT
        NVRTC_ERROR_INVALID_PROGRAM NVRTC_ERROR_INVALID_OPTION NVRTC_ERROR_COMPILATION
        NVRTC_ERROR_BUILTIN_OPERATION_FAILURE NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION
        NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
        NVRTC_ERROR_INTERNAL_ERROR NVRTC_ERROR_TIME_FILE_WRITE_FAILED NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED
        NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED NVRTC_ERROR_PCH_CREATE NVRTC_ERROR_CANCELLED
        NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED NVRTC_ERROR_BUSY
    }
}

/// Calls the given macro with every function of NVRTC, 31 of them, in one list:
/// `[since 7000] fn nvrtcVersion(major: *mut c_int, minor: *mut c_int) -> nvrtcResult;` and so on.
///
/// The bracket holds the release that introduced the symbol. If a later release removed the symbol, `until` and
/// that release follow. If NVRTC's header marked the symbol as deprecated, `deprecated` follows. Releases are
/// written as `CUDA_VERSION` is. Types are named as in `cuda_sys::nvrtc` and `core::ffi`; import both.
///
/// ```
/// macro_rules! count {
///     ($([since $since:literal $(until $until:literal)? $(, $deprecated:ident)?]
///         fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
///         [$(stringify!($name)),*].len()
///     };
/// }
/// assert_eq!(cuda_sys::for_each_nvrtc_function!(count), cuda_sys::nvrtc::Symbol::COUNT);
/// ```
#[macro_export]
macro_rules! for_each_nvrtc_function {
    ($($callback:tt)+) => {
        $($callback)+! {
            [since 7000] fn nvrtcGetErrorString(result: nvrtcResult) -> *const c_char;
            [since 7000] fn nvrtcVersion(major: *mut c_int, minor: *mut c_int) -> nvrtcResult;
            [since 11020] fn nvrtcGetNumSupportedArchs(numArchs: *mut c_int) -> nvrtcResult;
            [since 11020] fn nvrtcGetSupportedArchs(supportedArchs: *mut c_int) -> nvrtcResult;
            [since 7000] fn nvrtcCreateProgram(prog: *mut nvrtcProgram, src: *const c_char, name: *const c_char, numHeaders: c_int, headers: *const *const c_char, includeNames: *const *const c_char) -> nvrtcResult;
            [since 7000] fn nvrtcDestroyProgram(prog: *mut nvrtcProgram) -> nvrtcResult;
            [since 7000] fn nvrtcCompileProgram(prog: nvrtcProgram, numOptions: c_int, options: *const *const c_char) -> nvrtcResult;
            [since 7000] fn nvrtcGetPTXSize(prog: nvrtcProgram, ptxSizeRet: *mut usize) -> nvrtcResult;
            [since 7000] fn nvrtcGetPTX(prog: nvrtcProgram, ptx: *mut c_char) -> nvrtcResult;
            [since 11010] fn nvrtcGetCUBINSize(prog: nvrtcProgram, cubinSizeRet: *mut usize) -> nvrtcResult;
            [since 11010] fn nvrtcGetCUBIN(prog: nvrtcProgram, cubin: *mut c_char) -> nvrtcResult;
            [since 11040 until 13000, deprecated] fn nvrtcGetNVVMSize(prog: nvrtcProgram, nvvmSizeRet: *mut usize) -> nvrtcResult;
            [since 11040 until 13000, deprecated] fn nvrtcGetNVVM(prog: nvrtcProgram, nvvm: *mut c_char) -> nvrtcResult;
            [since 12000] fn nvrtcGetLTOIRSize(prog: nvrtcProgram, LTOIRSizeRet: *mut usize) -> nvrtcResult;
            [since 12000] fn nvrtcGetLTOIR(prog: nvrtcProgram, LTOIR: *mut c_char) -> nvrtcResult;
            [since 12000] fn nvrtcGetOptiXIRSize(prog: nvrtcProgram, optixirSizeRet: *mut usize) -> nvrtcResult;
            [since 12000] fn nvrtcGetOptiXIR(prog: nvrtcProgram, optixir: *mut c_char) -> nvrtcResult;
            [since 13020] fn nvrtcGetTileIRSize(prog: nvrtcProgram, TileIRSizeRet: *mut usize) -> nvrtcResult;
            [since 13020] fn nvrtcGetTileIR(prog: nvrtcProgram, TileIR: *mut c_char) -> nvrtcResult;
            [since 7000] fn nvrtcGetProgramLogSize(prog: nvrtcProgram, logSizeRet: *mut usize) -> nvrtcResult;
            [since 7000] fn nvrtcGetProgramLog(prog: nvrtcProgram, log: *mut c_char) -> nvrtcResult;
            [since 8000] fn nvrtcAddNameExpression(prog: nvrtcProgram, name_expression: *const c_char) -> nvrtcResult;
            [since 8000] fn nvrtcGetLoweredName(prog: nvrtcProgram, name_expression: *const c_char, lowered_name: *mut *const c_char) -> nvrtcResult;
            [since 12080] fn nvrtcGetPCHHeapSize(ret: *mut usize) -> nvrtcResult;
            [since 12080] fn nvrtcSetPCHHeapSize(size: usize) -> nvrtcResult;
            [since 12080] fn nvrtcGetPCHCreateStatus(prog: nvrtcProgram) -> nvrtcResult;
            [since 12080] fn nvrtcGetPCHHeapSizeRequired(prog: nvrtcProgram, size: *mut usize) -> nvrtcResult;
            [since 12080] fn nvrtcSetFlowCallback(prog: nvrtcProgram, callback: ::core::option::Option<unsafe extern "C" fn(arg1: *mut c_void, arg2: *mut c_void) -> c_int>, payload: *mut c_void) -> nvrtcResult;
            [since 13030] fn nvrtcInstallBundledHeaders(installPath: *const c_char, flags: c_uint, errorLog: *mut *const c_char) -> nvrtcResult;
            [since 13030] fn nvrtcGetBundledHeadersInfo(info: *mut nvrtcBundledHeadersInfo, errorLog: *mut *const c_char) -> nvrtcResult;
            [since 13030] fn nvrtcRemoveBundledHeaders(installPath: *const c_char, errorLog: *mut *const c_char) -> nvrtcResult;
        }
    };
}
