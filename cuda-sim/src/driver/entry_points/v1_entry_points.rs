//! First versions of functions that were superseded in CUDA 11.0 or earlier without a change of their arguments. Some
//! programs use them.

#![allow(unsafe_code)]
#![allow(non_snake_case)]

use crate::driver::entry_points::stubs::address;
use crate::driver::functions;
use core::ffi::{CStr, c_uint, c_void};
use core::ptr::NonNull;
use cuda_sys::{CUdevice, CUresult};

macro_rules! v1_entry_points {
    (
        $(fn $name:ident = $function:ident($($argument:ident: $type:ty),*);)*
        $(own fn $own:ident($($own_argument:ident: $own_type:ty),*) = $body:expr;)*
    ) => {
        /// First versions, for the library that exports them.
        pub mod v1_entry_points {
            use crate::driver::functions;
            use core::ffi::{c_char, c_uint, c_void};
            use cuda_sys::*;

            $(
                /// Calls the newer version of the function of this name.
                ///
                /// # Safety
                ///
                /// As the driver API demands.
                #[allow(clippy::too_many_arguments)] // the driver's own
                pub unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                    // SAFETY: the requirements of both versions are the same.
                    unsafe { (functions().$function)($($argument),*) }
                }
            )*

            $(
                /// Differs from the newer version of the function of this name.
                ///
                /// # Safety
                ///
                /// As the driver API demands.
                pub unsafe extern "C" fn $own($($own_argument: $own_type),*) -> CUresult {
                    $body($($own_argument),*)
                }
            )*
        }

        /// Returns the address of a first version.
        pub(crate) fn implemented(name: &CStr) -> Option<NonNull<c_void>> {
            match name.to_str().ok()? {
                $(stringify!($name) => Some(address(v1_entry_points::$name as *const ())),)*
                $(stringify!($own) => Some(address(v1_entry_points::$own as *const ())),)*
                _ => None,
            }
        }

        /// Calls the given macro with the first versions that behave like the second ones.
        #[doc(hidden)] // for the library that exports them
        #[macro_export]
        macro_rules! for_each_v1_entry_point {
            ($callback:ident) => {
                $callback! {
                    $(fn $name($($argument: $type),*);)*
                    $(fn $own($($own_argument: $own_type),*);)*
                }
            };
        }
    };
}
v1_entry_points! {
    fn cuCtxDestroy = cuCtxDestroy_v2(context: CUcontext);
    fn cuCtxPopCurrent = cuCtxPopCurrent_v2(context: *mut CUcontext);
    fn cuCtxPushCurrent = cuCtxPushCurrent_v2(context: CUcontext);
    fn cuEventDestroy = cuEventDestroy_v2(event: CUevent);
    fn cuIpcOpenMemHandle =
        cuIpcOpenMemHandle_v2(address: *mut CUdeviceptr, handle: CUipcMemHandle, flags: c_uint);
    fn cuLinkAddData = cuLinkAddData_v2(
        linker: CUlinkState,
        kind: CUjitInputType,
        data: *mut c_void,
        size: usize,
        name: *const c_char,
        count: c_uint,
        options: *mut CUjit_option,
        values: *mut *mut c_void
    );
    fn cuLinkAddFile = cuLinkAddFile_v2(
        linker: CUlinkState,
        kind: CUjitInputType,
        path: *const c_char,
        count: c_uint,
        options: *mut CUjit_option,
        values: *mut *mut c_void
    );
    fn cuLinkCreate = cuLinkCreate_v2(
        count: c_uint,
        options: *mut CUjit_option,
        values: *mut *mut c_void,
        linker: *mut CUlinkState
    );
    fn cuMemHostRegister = cuMemHostRegister_v2(memory: *mut c_void, bytes: usize, flags: c_uint);
    fn cuStreamDestroy = cuStreamDestroy_v2(stream: CUstream);
    own fn cuDevicePrimaryCtxRelease(device: CUdevice) = super::release_primary;
    own fn cuDevicePrimaryCtxReset(device: CUdevice) = super::reset_primary;
    own fn cuDevicePrimaryCtxSetFlags(device: CUdevice, flags: c_uint) = super::set_primary_flags;
}

fn second_release(device: CUdevice) -> CUresult {
    // SAFETY: the function has no requirements.
    unsafe { (functions().cuDevicePrimaryCtxRelease_v2)(device) }
}

/// Succeeds if nothing retains the context, too (fact V1167).
fn release_primary(device: CUdevice) -> CUresult {
    match second_release(device) {
        CUresult::CUDA_ERROR_INVALID_CONTEXT => CUresult::CUDA_SUCCESS,
        answer => answer,
    }
}

/// Takes all references away, too (fact V1167).
fn reset_primary(device: CUdevice) -> CUresult {
    // SAFETY: the function has no requirements.
    let answer = unsafe { (functions().cuDevicePrimaryCtxReset_v2)(device) };
    if answer == CUresult::CUDA_SUCCESS {
        while second_release(device) == CUresult::CUDA_SUCCESS {}
    }
    answer
}

/// Refuses an active context. Flags that are invalid are refused first (fact V1167).
fn set_primary_flags(device: CUdevice, flags: c_uint) -> CUresult {
    // SAFETY: the function has no requirements.
    let set = |flags| unsafe { (functions().cuDevicePrimaryCtxSetFlags_v2)(device, flags) };
    let (mut before, mut is_active) = (0, 0);
    let (to_flags, to_active) = (&raw mut before, &raw mut is_active);
    // SAFETY: both places are valid for writes.
    let state = unsafe { (functions().cuDevicePrimaryCtxGetState)(device, to_flags, to_active) };
    let answer = set(flags);
    if state != CUresult::CUDA_SUCCESS || answer != CUresult::CUDA_SUCCESS || is_active == 0 {
        return answer;
    }
    match set(before) {
        CUresult::CUDA_SUCCESS => CUresult::CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE,
        answer => answer,
    }
}
