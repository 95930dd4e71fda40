//! The free functions: one for each function of the lists. Each calls the driver in use.

#![allow(unsafe_code)]
#![allow(non_snake_case)]
// The signatures are C's.
#![allow(clippy::too_many_arguments)]

#[cfg(feature = "gl")]
use crate::HGPUNV;
use crate::generated::page;
use crate::in_use::in_use;
use crate::{CUoutput_mode, generated::*};
use core::ffi::*;

/// Defines the functions of a list. Arguments stay one token tree until `function!` takes them apart. Otherwise a
/// repetition inside a repetition makes the compiler copy all rows before it, for each row.
///
/// The documentation shows a feature for each function whose `condition` names the feature. A condition on the whole
/// call does not reach its expansion.
macro_rules! functions {
    ($table:ident $condition:tt: $(#$summary:tt #$details:tt $facts:tt fn $name:ident $arguments:tt -> CUresult;)*) => {
        $(function! { $table $condition #$summary #$details $facts $name $arguments })*
    };
}

macro_rules! function {
    (
        $table:ident {$(#[$condition:meta])?} #$summary:tt #$details:tt [$chapter:ident since $since:literal]
        $name:ident ($($argument:ident: $type:ty),*)
    ) => {
        $(#[$condition])?
        #$summary
        ///
        #$details
        ///
        #[doc = concat!("[", stringify!($chapter), "](", page!($chapter), ") in NVIDIA's documentation.")]
        ///
        /// # Safety
        ///
        /// The caller must meet the [requirements of the driver API](crate#safety).
        #[inline]
        pub unsafe fn $name($($argument: $type),*) -> CUresult {
            match in_use() {
                // SAFETY: the slot holds the library's function of this name, or a stub with its signature; the caller
                // guarantees the arguments.
                Some(driver) => unsafe { (driver.$table.$name)($($argument),*) },
                None => CUresult::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED,
            }
        }
    };
}

macro_rules! driver {
    ($($list:tt)*) => { functions! { driver {}: $($list)* } };
}
crate::for_each_function!(driver);

#[cfg(feature = "ptds")]
macro_rules! per_thread {
    ($($list:tt)*) => { functions! { per_thread {#[cfg(feature = "ptds")]}: $($list)* } };
}
#[cfg(feature = "ptds")]
crate::for_each_per_thread_function!(per_thread);

#[cfg(feature = "gl")]
macro_rules! gl {
    ($($list:tt)*) => { functions! { gl {#[cfg(feature = "gl")]}: $($list)* } };
}
#[cfg(feature = "gl")]
crate::for_each_gl_function!(gl);

#[cfg(feature = "egl")]
macro_rules! egl {
    ($($list:tt)*) => { functions! { egl {#[cfg(feature = "egl")]}: $($list)* } };
}
#[cfg(feature = "egl")]
crate::for_each_egl_function!(egl);

#[cfg(feature = "vdpau")]
macro_rules! vdpau {
    ($($list:tt)*) => { functions! { vdpau {#[cfg(feature = "vdpau")]}: $($list)* } };
}
#[cfg(feature = "vdpau")]
crate::for_each_vdpau_function!(vdpau);
