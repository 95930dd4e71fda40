//! The table of function pointers, and a free function for each slot.

#![allow(non_snake_case)]
#![allow(unsafe_code)]

use crate::stub::Stub;
use crate::{CUoutput_mode, Symbol, generated::*, load};
use core::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};

macro_rules! table {
    ($([$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        /// Every function of the driver API as a plain function pointer.
        ///
        /// A slot that the library did not fill holds a stub that returns
        /// `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`; [`Driver::has`](crate::Driver::has) tells.
        ///
        /// ```
        /// use cuda_sys::{CUresult, Driver, Table};
        ///
        /// // SAFETY: no function is handed over.
        /// let driver = unsafe { Driver::from_resolver("a driver that lacks everything", |_| None) };
        /// let table: Table = *driver; // pointers, without what is known of the driver
        /// // SAFETY: the slot holds a stub, which takes any argument.
        /// let code = unsafe { (table.cuInit)(0) };
        /// assert_eq!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
        /// ```
        #[derive(Debug, Clone, Copy)]
        #[repr(C)]
        pub struct Table {
            $(
                #[doc = concat!("[`", stringify!($name), "`](fn@", stringify!($name), ")")]
                pub $name: unsafe extern "C" fn($($argument: $type),*) -> CUresult,
            )*
        }

        impl Table {
            /// Nothing but stubs for a driver that has none of the functions.
            pub(crate) const MISSING: Table = Table { $($name: Stub::MISSING,)* };
            /// Nothing but stubs for the case that there is no driver.
            pub(crate) const NO_DRIVER: Table = Table { $($name: Stub::NO_DRIVER,)* };
        }

        $(
            #[doc = concat!("`", stringify!($name), "`, documentation group `", stringify!($group), "`.")]
            ///
            #[doc = concat!("Drivers have it since `CUDA_VERSION` ", stringify!($since), ".")]
            ///
            /// # Safety
            ///
            /// As the driver API documents for this function: pointers must be valid for what it
            /// reads and writes, handles must be live, and structures must be initialised.
            #[inline]
            #[allow(clippy::too_many_arguments)]
            pub unsafe fn $name($($argument: $type),*) -> CUresult {
                let function = load::table().$name;
                // SAFETY: the slot holds the library's function of this name or a stub with its
                // signature; the caller vouches for the arguments.
                unsafe { function($($argument),*) }
            }
        )*
    };
}
crate::for_each_function!(table);

// `set` below relies on this: the table is nothing but `Symbol::COUNT` pointers in a row.
const _: () = assert!(size_of::<Table>() == Symbol::COUNT * size_of::<*const c_void>());

impl Table {
    /// The address in the slot of `symbol`: a function or a stub.
    pub(crate) fn get(&self, symbol: Symbol) -> Option<core::ptr::NonNull<c_void>> {
        let slots = core::ptr::from_ref(self).cast::<Option<core::ptr::NonNull<c_void>>>();
        // SAFETY: as in `set`, slot and symbol have the same index.
        let slot = unsafe { slots.add(symbol as usize) };
        // SAFETY: the slot lies in `self`, which is borrowed, and holds a pointer; see `set`.
        unsafe { slot.read() }
    }

    /// Puts `function` into the slot of `symbol`.
    ///
    /// # Safety
    ///
    /// `function` is a function with the signature and the behaviour that the driver API gives to
    /// `symbol`, and it stays callable for the rest of the process.
    pub(crate) unsafe fn set(&mut self, symbol: Symbol, function: core::ptr::NonNull<c_void>) {
        let slots = core::ptr::from_mut(self).cast::<Option<core::ptr::NonNull<c_void>>>();
        // SAFETY: the table is `repr(C)` with `Symbol::COUNT` fields of pointer size (asserted
        // above), declared in the order of `Symbol`: slot and symbol have the same index.
        let slot = unsafe { slots.add(symbol as usize) };
        // SAFETY: the slot lies in `self`, which is borrowed mutably; a non-null data pointer and
        // a function pointer have the same representation on every platform that CUDA supports.
        unsafe { slot.write(Some(function)) };
    }
}
