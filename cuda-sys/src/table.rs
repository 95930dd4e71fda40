//! Tables of function pointers.

#![allow(non_snake_case)]
#![allow(unsafe_code)]

#[cfg(feature = "gl")]
use crate::HGPUNV;
use crate::stub::Stub;
use crate::{CUoutput_mode, Symbol, generated::*};
use core::ffi::*;
use core::ptr::NonNull;

/// Returns the type of a slot. Separate from `table!`, because a repetition inside a repetition makes the compiler copy
/// all rows before it, for each row.
macro_rules! pointer {
    ($($argument:ident: $type:ty),*) => { unsafe extern "C" fn($($argument: $type),*) -> CUresult };
}

macro_rules! table {
    (
        $(#[$about:meta])* $table:ident from $first:ident
        $(#$summary:tt #$details:tt $facts:tt fn $name:ident $arguments:tt -> CUresult;)*
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy)]
        #[repr(C)]
        pub struct $table {
            $(
                #[doc = concat!("[`", stringify!($name), "`](fn@crate::", stringify!($name), ")")]
                pub $name: pointer! $arguments,
            )*
        }

        impl $table {
            /// Number of functions.
            pub const COUNT: usize = [$(stringify!($name)),*].len();
            /// Symbol of the first slot. The symbols of the other slots follow in the same order.
            pub(crate) const FIRST: usize = Symbol::$first as usize;
            /// Table of stubs, for a driver that has none of the functions.
            pub(crate) const MISSING: $table = $table { $($name: Stub::MISSING,)* };

            /// Puts `function` into the slot of `symbol`, if there is one.
            ///
            /// # Safety
            ///
            /// `function` must be a function with the signature and the behaviour that the driver API gives to
            /// `symbol`. It must stay callable for the rest of the process.
            pub(crate) unsafe fn set(&mut self, symbol: Symbol, function: NonNull<c_void>) {
                let index = (symbol as usize).wrapping_sub(Self::FIRST);
                if index < Self::COUNT {
                    let slots = core::ptr::from_mut(self).cast::<NonNull<c_void>>();
                    // SAFETY: the table is `repr(C)` with `COUNT` fields of pointer size (asserted below), declared
                    // in the order of `Symbol` (asserted, too): `slot` is the slot of `symbol`, inside of `self`.
                    let slot = unsafe { slots.add(index) };
                    // SAFETY: the slot lies in `self`, which is borrowed mutably. On every platform that CUDA supports,
                    // a non-null data pointer and a function pointer have the same representation.
                    unsafe { slot.write(function) };
                }
            }
        }

        const _: () = {
            assert!(size_of::<$table>() == $table::COUNT * size_of::<*const c_void>());
            let symbols = [$(Symbol::$name as usize),*];
            let mut index = 0;
            while index < symbols.len() {
                assert!(symbols[index] == $table::FIRST + index);
                index += 1;
            }
        };
    };
}

macro_rules! driver_table {
    ($($list:tt)*) => {
        table! {
            /// The functions of `cuda.h` and `cudaProfiler.h` for all drivers from CUDA 11.0 on, as plain function
            /// pointers.
            ///
            /// A slot that the library did not fill holds a stub that returns `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`.
            /// [`Driver::has`](crate::Driver::has) returns whether the driver has the function.
            ///
            /// ```
            /// use cuda_sys::{CUresult, Driver, Table};
            ///
            /// // SAFETY: no function is handed over.
            /// let driver = unsafe { Driver::from_resolver("a driver that lacks everything", |_| None) };
            /// let table: Table = *driver; // pointers only
            /// // SAFETY: the slot holds a stub, which takes any argument.
            /// let code = unsafe { (table.cuInit)(0) };
            /// assert_eq!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
            /// ```
            Table from cuGetErrorString $($list)*
        }
    };
}
crate::for_each_function!(driver_table);

#[cfg(feature = "ptds")]
macro_rules! per_thread_table {
    ($($list:tt)*) => {
        table! {
            /// The [per-thread twins](crate::Symbol::per_thread_twin) of functions of `cuda.h` as plain function pointers, like [`Table`].
            ///
            /// [`Driver::per_thread`](crate::Driver::per_thread) returns it. Needs the feature `ptds`.
            ///
            /// ```
            /// use cuda_sys::{PerThreadTable, Table};
            ///
            /// assert!(PerThreadTable::COUNT < Table::COUNT);
            /// ```
            #[cfg(feature = "ptds")]
            PerThreadTable from cuMemcpy_ptds $($list)*
        }
    };
}
#[cfg(feature = "ptds")]
crate::for_each_per_thread_function!(per_thread_table);

#[cfg(feature = "gl")]
macro_rules! gl_table {
    ($($list:tt)*) => {
        table! {
            /// The functions of `cudaGL.h` as plain function pointers, like [`Table`].
            ///
            /// [`Driver::gl`](crate::Driver::gl) returns it. Needs the feature `gl`.
            ///
            /// ```
            /// assert_eq!(cuda_sys::GlTable::COUNT, 15);
            /// ```
            #[cfg(feature = "gl")]
            GlTable from cuGraphicsGLRegisterBuffer $($list)*
        }
    };
}
#[cfg(feature = "gl")]
crate::for_each_gl_function!(gl_table);

#[cfg(feature = "egl")]
macro_rules! egl_table {
    ($($list:tt)*) => {
        table! {
            /// The functions of `cudaEGL.h` as plain function pointers, like [`Table`].
            ///
            /// [`Driver::egl`](crate::Driver::egl) returns it. Needs the feature `egl`.
            ///
            /// ```
            /// assert_eq!(cuda_sys::EglTable::COUNT, 12);
            /// ```
            #[cfg(feature = "egl")]
            EglTable from cuGraphicsEGLRegisterImage $($list)*
        }
    };
}
#[cfg(feature = "egl")]
crate::for_each_egl_function!(egl_table);

#[cfg(feature = "vdpau")]
macro_rules! vdpau_table {
    ($($list:tt)*) => {
        table! {
            /// The functions of `cudaVDPAU.h` as plain function pointers, like [`Table`].
            ///
            /// [`Driver::vdpau`](crate::Driver::vdpau) returns it. Needs the feature `vdpau`.
            ///
            /// ```
            /// assert_eq!(cuda_sys::VdpauTable::COUNT, 4);
            /// ```
            #[cfg(feature = "vdpau")]
            VdpauTable from cuVDPAUGetDevice $($list)*
        }
    };
}
#[cfg(feature = "vdpau")]
crate::for_each_vdpau_function!(vdpau_table);
