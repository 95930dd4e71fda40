//! The functions that programs call, by name: their implementations, their releases, and their installation.

#![allow(unsafe_code)]

mod graphics_interop;
pub(crate) mod initialization;
pub(crate) mod install;
pub(crate) mod per_thread_default_stream;
pub(crate) mod proc_address;
pub(crate) mod stubs;
mod table;
pub(crate) mod unbound_exports;
pub(crate) mod v1_entry_points;

use crate::driver::machine::Machine;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use cuda_sys::{Driver, DriverVersion, Symbol, SymbolSet};
use std::sync::OnceLock;

/// Returns the address of a function of the software driver. A program uses it to install a layer over the software
/// driver with [`cuda_sys::install`]. The driver has the configuration of [`install`](crate::install), or the default
/// one.
///
/// This includes the per-thread versions, in which the null stream means the per-thread default stream
/// (`cuMemcpy_ptds`, `cuLaunchKernel_ptsz` and so on). Returns `None` for names that the emulated release lacks. That
/// release belongs to the [`Machine`] that this thread has entered, or to the machine of the process.
///
/// # Examples
///
/// A test that makes an allocation fail, and observes the program:
///
/// ```
/// use core::ffi::{CStr, c_void};
/// use core::ptr::NonNull;
/// use cuda_sys::{CUdeviceptr, CUresult, cuMemAlloc_v2};
///
/// extern "C" fn out_of_memory(_: *mut CUdeviceptr, _: usize) -> CUresult {
///     CUresult::CUDA_ERROR_OUT_OF_MEMORY
/// }
///
/// let resolver = |name: &'static CStr| match name.to_bytes() {
///     b"cuMemAlloc_v2" => NonNull::new(out_of_memory as *mut c_void),
///     _ => cuda_sim::resolve(name),
/// };
/// // SAFETY: the functions have the signatures of their names, and keep to the API.
/// unsafe { cuda_sys::install("cuda-sim without memory", resolver) }?;
///
/// let mut address = 0;
/// // SAFETY: `address` is valid for a write.
/// let code = unsafe { cuMemAlloc_v2(&mut address, 4) };
/// assert_eq!(code, CUresult::CUDA_ERROR_OUT_OF_MEMORY);
/// # Ok::<(), cuda_sys::AlreadyInstalled>(())
/// ```
pub fn resolve(name: &'static CStr) -> Option<NonNull<c_void>> {
    resolve_for(Machine::current().release(), name)
}

pub(crate) fn resolve_for(release: DriverVersion, name: &CStr) -> Option<NonNull<c_void>> {
    let is_there = |symbol: &Symbol| symbol.since() <= release && symbol.is_on_this_system();
    match Symbol::from_name(name.to_str().ok()?) {
        Some(symbol) => Some(symbol).filter(is_there).map(address_of),
        None => unbound_exports::named(name, release),
    }
}

/// Returns the address of a function of any release.
pub(crate) fn address_of(symbol: Symbol) -> NonNull<c_void> {
    match symbol.set() {
        SymbolSet::Driver => table::implemented(symbol).unwrap_or_else(|| stubs::stub(symbol)),
        SymbolSet::PerThread => per_thread_default_stream::implemented(symbol).unwrap_or_else(stubs::nothing),
        _ => graphics_interop::address_of(symbol).unwrap_or_else(stubs::nothing),
    }
}

/// Returns all functions of all releases, for functions that call others.
pub(crate) fn functions() -> &'static Driver {
    static FUNCTIONS: OnceLock<Driver> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let resolver = |name: &'static CStr| Symbol::from_name(name.to_str().ok()?).map(address_of);
        // SAFETY: these are the software driver's functions, with the signatures of their names.
        unsafe { Driver::from_resolver("cuda-sim", resolver) }
    })
}
