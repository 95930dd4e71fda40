// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

use super::types::*;

pub type VdpDevice = ::core::ffi::c_uint;
pub type VdpVideoSurface = ::core::ffi::c_uint;
pub type VdpOutputSurface = ::core::ffi::c_uint;
pub type VdpFuncId = ::core::ffi::c_uint;
pub type VdpStatus = ::core::ffi::c_int;
pub type VdpGetProcAddress = ::core::option::Option<
    unsafe extern "C" fn(
        device: VdpDevice,
        function_id: VdpFuncId,
        function_pointer: *mut *mut ::core::ffi::c_void,
    ) -> VdpStatus,
>;
