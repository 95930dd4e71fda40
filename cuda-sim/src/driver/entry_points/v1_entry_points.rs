//! First versions of functions that were superseded in CUDA 11.0 or earlier without a change of their arguments. Some
//! programs use them.

#![allow(unsafe_code)]
#![allow(non_snake_case)]

use crate::driver::entry_points::stubs::address;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;

macro_rules! v1_entry_points {
    ($(fn $name:ident = $function:ident($($argument:ident: $type:ty),*);)*) => {
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
        }

        /// Returns the address of a first version.
        pub(crate) fn implemented(name: &CStr) -> Option<NonNull<c_void>> {
            match name.to_str().ok()? {
                $(stringify!($name) => Some(address(v1_entry_points::$name as *const ())),)*
                _ => None,
            }
        }

        /// Calls the given macro with the first versions that behave like the second ones.
        #[doc(hidden)] // for the library that exports them
        #[macro_export]
        macro_rules! for_each_v1_entry_point {
            ($callback:ident) => {
                $callback! { $(fn $name($($argument: $type),*);)* }
            };
        }
    };
}
v1_entry_points! {
    fn cuCtxDestroy = cuCtxDestroy_v2(context: CUcontext);
    fn cuCtxPopCurrent = cuCtxPopCurrent_v2(context: *mut CUcontext);
    fn cuCtxPushCurrent = cuCtxPushCurrent_v2(context: CUcontext);
    fn cuDevicePrimaryCtxRelease = cuDevicePrimaryCtxRelease_v2(device: CUdevice);
    fn cuDevicePrimaryCtxReset = cuDevicePrimaryCtxReset_v2(device: CUdevice);
    fn cuDevicePrimaryCtxSetFlags = cuDevicePrimaryCtxSetFlags_v2(device: CUdevice, flags: c_uint);
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
}
