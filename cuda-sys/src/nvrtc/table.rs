//! The table of function pointers, and a free function for each slot.

#![allow(non_snake_case)]
#![allow(unsafe_code)]

use super::stub::{Answer, Stub};
use super::{Symbol, load, nvrtcBundledHeadersInfo, nvrtcProgram, nvrtcResult};
use core::ffi::{c_char, c_int, c_uint, c_void};

macro_rules! table {
    ($([since $since:literal $(until $until:literal)? $(, $deprecated:ident)?]
        fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        /// Every function of NVRTC as a plain function pointer.
        ///
        /// A slot that the library did not fill holds a stub. The stub returns `NVRTC_ERROR_INTERNAL_ERROR`, or null if
        /// the function returns a text. [`Library::has`](super::Library::has) returns whether the library has the
        /// function.
        ///
        /// ```
        /// use cuda_sys::nvrtc::{Library, Table, nvrtcResult};
        ///
        /// // SAFETY: no function is handed over.
        /// let library = unsafe { Library::from_resolver("a library that lacks everything", |_| None) };
        /// let table: Table = *library; // pointers only
        /// // SAFETY: the slot holds a stub, which takes any argument.
        /// let code = unsafe { (table.nvrtcDestroyProgram)(std::ptr::null_mut()) };
        /// assert_eq!(code, nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR);
        /// // SAFETY: as above.
        /// assert!(unsafe { (table.nvrtcGetErrorString)(code) }.is_null());
        /// ```
        #[derive(Debug, Clone, Copy)]
        #[repr(C)]
        pub struct Table {
            $(
                #[doc = concat!("[`", stringify!($name), "`](fn@", stringify!($name), ")")]
                pub $name: unsafe extern "C" fn($($argument: $type),*) -> $result,
            )*
        }

        impl Table {
            /// Table of stubs only.
            pub(crate) const MISSING: Table = Table { $($name: Stub::MISSING,)* };
        }

        $(
            #[doc = concat!("`", stringify!($name), "`.")]
            ///
            #[doc = concat!("NVRTC has it since `CUDA_VERSION` ", stringify!($since)
                $(, ", and no longer in ", stringify!($until))?, ".")]
            $(#[doc = concat!("Headers marked it as ", stringify!($deprecated), " before.")])?
            ///
            /// # Safety
            ///
            /// The caller must meet the requirements that NVRTC documents for this function. Pointers must be valid for
            /// its reads and writes, texts must end in NUL, and programs must be live.
            #[inline]
            pub unsafe fn $name($($argument: $type),*) -> $result {
                let Some(table) = load::table() else { return Answer::NONE };
                // SAFETY: the slot holds the library's function of this name or a stub with its signature; the caller
                // guarantees the arguments.
                unsafe { (table.$name)($($argument),*) }
            }
        )*
    };
}
crate::for_each_nvrtc_function!(table);

// `set` below relies on this: the table consists of `Symbol::COUNT` adjacent pointers.
const _: () = assert!(size_of::<Table>() == Symbol::COUNT * size_of::<*const c_void>());

impl Table {
    /// Returns the address in the slot of `symbol`: a function or a stub.
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
    /// `function` must be a function with the signature and the behaviour that NVRTC gives to `symbol`. It must stay
    /// callable for the rest of the process.
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
