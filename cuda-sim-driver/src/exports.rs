//! The exported functions.
//!
//! Each passes its arguments to the function of the same name, which catches panics and checks its arguments.

#![allow(unsafe_code)] // names that are not Rust's, and C's calling convention
#![allow(non_snake_case)]

use core::ffi::*;
use cuda_sys::*;

// `if_exported!` takes a name, its release and items. It drops the items if the exported release does not have the
// name.
include!(concat!(env!("OUT_DIR"), "/if_exported.rs"));

macro_rules! functions {
    ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:tt] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        $(if_exported! { [$name since $since]
            /// Calls the driver's function of this name.
            ///
            /// # Safety
            ///
            /// Same as for the function of the driver API.
            // SAFETY: the name is the driver's, whose place this library takes.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                let Some(driver) = crate::driver() else { return CUresult::CUDA_ERROR_SYSTEM_NOT_READY };
                // SAFETY: the caller meets the requirements of the function of this name.
                unsafe { (driver.$name)($($argument),*) }
            }
        })*
    };
}
cuda_sys::for_each_function!(functions);

macro_rules! twins {
    ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:tt] fn $twin:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        $(if_exported! { [$twin since $since]
            /// Calls the driver's function of this name.
            ///
            /// # Safety
            ///
            /// Same as for the function of the driver API.
            // SAFETY: the name is the driver's, whose place this library takes.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C" fn $twin($($argument: $type),*) -> CUresult {
                if crate::driver().is_none() {
                    return CUresult::CUDA_ERROR_SYSTEM_NOT_READY;
                }
                // SAFETY: the caller meets the requirements of the function of this name.
                unsafe { cuda_sim::per_thread_entry_points::$twin($($argument),*) }
            }
        })*
    };
}
cuda_sys::for_each_per_thread_function!(twins);

macro_rules! v1_entry_points {
    ($(fn $name:ident($($argument:ident: $type:ty),*);)*) => {
        $(
            /// Calls the driver's function of this name.
            ///
            /// # Safety
            ///
            /// Same as for the function of the driver API.
            // SAFETY: the name is the driver's, whose place this library takes.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                if crate::driver().is_none() {
                    return CUresult::CUDA_ERROR_SYSTEM_NOT_READY;
                }
                // SAFETY: the caller meets the requirements of the function of this name.
                unsafe { cuda_sim::v1_entry_points::$name($($argument),*) }
            }
        )*
    };
}
cuda_sim::for_each_v1_entry_point!(v1_entry_points);

macro_rules! graphics {
    ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:tt] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        $(if_exported! { [$name since $since]
            /// Stands for the driver's function of this name, which is not simulated.
            // SAFETY: the name is the driver's, whose place this library takes.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments)]
            extern "C" fn $name($(_: $type),*) -> CUresult {
                if crate::driver().is_none() {
                    return CUresult::CUDA_ERROR_SYSTEM_NOT_READY;
                }
                cuda_sim::not_simulated(stringify!($name))
            }
        })*
    };
}
cuda_sys::for_each_gl_function!(graphics);
cuda_sys::for_each_egl_function!(graphics);
cuda_sys::for_each_vdpau_function!(graphics);

macro_rules! others {
    ($($name:ident)*) => {
        $(
            /// Stands for the driver's function of this name, which is not simulated.
            // SAFETY: the name is the driver's, whose place this library takes.
            #[unsafe(no_mangle)]
            extern "C" fn $name() -> CUresult {
                if crate::driver().is_none() {
                    return CUresult::CUDA_ERROR_SYSTEM_NOT_READY;
                }
                cuda_sim::not_simulated(stringify!($name))
            }
        )*
    };
}
// Calls `others!` for the remaining exports of the release.
include!(concat!(env!("OUT_DIR"), "/others.rs"));
