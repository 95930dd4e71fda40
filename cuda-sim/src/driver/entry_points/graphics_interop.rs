//! Functions that share resources with graphics libraries. The functions of EGL and VDPAU exist, and are not simulated.

#![allow(unsafe_code)]
#![allow(non_snake_case)]

use crate::driver::dispatch;
use crate::driver::entry_points::stubs::address;
use crate::driver::entry_points::unbound_exports::not_simulated;
use crate::driver::graphics::gl_registration::{get_devices, register_buffer, register_image};
use core::ffi::{c_uint, c_void};
use core::ptr::NonNull;
use cuda_sys::*;

macro_rules! interface {
    ($interface:ident $(#[$summary:meta] #[$details:meta] [$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        /// Returns a function with the signature of `symbol` that reports that it is not simulated.
        fn $interface(symbol: Symbol) -> Option<NonNull<c_void>> {
            match symbol {
                $(Symbol::$name => {
                    extern "C" fn $name($(_: $type),*) -> CUresult {
                        not_simulated(stringify!($name))
                    }
                    Some(address($name as *const ()))
                })*
                _ => None,
            }
        }
    };
}

macro_rules! gl {
    ($($list:tt)*) => { interface! { gl $($list)* } };
}
for_each_gl_function!(gl);

macro_rules! egl {
    ($($list:tt)*) => { interface! { egl $($list)* } };
}
for_each_egl_function!(egl);

macro_rules! vdpau {
    ($($list:tt)*) => { interface! { vdpau $($list)* } };
}
for_each_vdpau_function!(vdpau);

macro_rules! entries {
    ($($name:ident($($argument:ident: $type:ty),*) => $body:path;)*) => {
        /// Returns the address of a simulated function.
        fn implemented(symbol: Symbol) -> Option<NonNull<c_void>> {
            match symbol {
                $(Symbol::$name => {
                    unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                        dispatch(Symbol::$name, &mut |call| {
                            // SAFETY: the program's promise to the driver function of this name.
                            unsafe { $body(call, $($argument),*) }
                        })
                    }
                    Some(address($name as *const ()))
                })*
                _ => None,
            }
        }
    };
}

entries! {
    cuGLGetDevices_v2(pCudaDeviceCount: *mut c_uint, pCudaDevices: *mut CUdevice, cudaDeviceCount: c_uint, deviceList: CUGLDeviceList) => get_devices;
    cuGraphicsGLRegisterBuffer(pCudaResource: *mut CUgraphicsResource, buffer: GLuint, Flags: c_uint) => register_buffer;
    cuGraphicsGLRegisterImage(pCudaResource: *mut CUgraphicsResource, image: GLuint, target: GLenum, Flags: c_uint) => register_image;
}

/// Returns the address of a function of any of these interfaces.
pub(crate) fn address_of(symbol: Symbol) -> Option<NonNull<c_void>> {
    implemented(symbol).or_else(|| gl(symbol)).or_else(|| egl(symbol)).or_else(|| vdpau(symbol))
}
