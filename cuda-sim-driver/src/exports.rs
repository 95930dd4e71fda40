//! The functions by the names that programs look for.
//!
//! Each hands its arguments on to the function of the same name, which catches panics and looks at what it needs.

#![allow(unsafe_code)] // names that are not Rust's, and C's calling convention
#![allow(non_snake_case)]

use core::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use cuda_sys::*;

// `if_exported!` takes a release and items, and drops the items if the release is later than what is exported.
include!(concat!(env!("OUT_DIR"), "/if_exported.rs"));

macro_rules! functions {
    ($([$group:ident since $since:tt] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        $(if_exported! { $since
            /// The driver's function of this name.
            ///
            /// # Safety
            ///
            /// As the driver API demands.
            // SAFETY: the name is the driver's, whose place this library takes.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                let Some(driver) = crate::driver() else { return CUresult::CUDA_ERROR_SYSTEM_NOT_READY };
                // SAFETY: the program's promise to the function of this name.
                unsafe { (driver.$name)($($argument),*) }
            }
        })*
    };
}
cuda_sys::for_each_function!(functions);

macro_rules! twins {
    ($([since $since:tt] fn $twin:ident of $function:ident($($argument:ident: $type:ty),*);)*) => {
        $(if_exported! { $since
            /// The driver's function of this name.
            ///
            /// # Safety
            ///
            /// As the driver API demands.
            // SAFETY: the name is the driver's, whose place this library takes.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C" fn $twin($($argument: $type),*) -> CUresult {
                if crate::driver().is_none() {
                    return CUresult::CUDA_ERROR_SYSTEM_NOT_READY;
                }
                // SAFETY: the program's promise to the function of this name.
                unsafe { cuda_sim::per_thread::$twin($($argument),*) }
            }
        })*
    };
}
cuda_sim::for_each_twin!(twins);

/// First versions of functions whose arguments are what they were: some programs name them.
macro_rules! first_versions {
    ($(fn $name:ident = $function:ident($($argument:ident: $type:ty),*);)*) => {
        $(
            /// The driver's function of this name.
            ///
            /// # Safety
            ///
            /// As the driver API demands.
            // SAFETY: the name is the driver's, whose place this library takes.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                let Some(driver) = crate::driver() else { return CUresult::CUDA_ERROR_SYSTEM_NOT_READY };
                // SAFETY: the program's promise to the function of this name.
                unsafe { (driver.$function)($($argument),*) }
            }
        )*
    };
}
first_versions! {
    fn cuCtxDestroy = cuCtxDestroy_v2(context: CUcontext);
    fn cuCtxPopCurrent = cuCtxPopCurrent_v2(context: *mut CUcontext);
    fn cuCtxPushCurrent = cuCtxPushCurrent_v2(context: CUcontext);
    fn cuEventDestroy = cuEventDestroy_v2(event: CUevent);
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
