//! The functions that programs call, by name: what they are, which of them a release has, and how they are put into use.

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

/// The address of a function of the software driver, for those who put their own layer in front of it
/// with [`cuda_sys::install`]. Configured by [`install`](crate::install), or else by default.
///
/// That goes for the second versions too, in which the per-thread default stream stands for the null stream
/// (`cuMemcpy_ptds`, `cuLaunchKernel_ptsz` and so on). `None` for names that the release does not have which the driver
/// poses as: that of the [`Machine`] which this thread has entered, or else that of the process.
///
/// # Examples
///
/// A test that makes an allocation fail, to see what a program does then:
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

/// The address of a function, whatever release has it.
pub(crate) fn address_of(symbol: Symbol) -> NonNull<c_void> {
    match symbol.set() {
        SymbolSet::Driver => table::implemented(symbol).unwrap_or_else(|| stubs::stub(symbol)),
        SymbolSet::PerThread => per_thread_default_stream::implemented(symbol).unwrap_or_else(stubs::nothing),
        _ => graphics_interop::address_of(symbol).unwrap_or_else(stubs::nothing),
    }
}

/// All functions, whatever release has them, for those of them that call others.
pub(crate) fn functions() -> &'static Driver {
    static FUNCTIONS: OnceLock<Driver> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let resolver = |name: &'static CStr| Symbol::from_name(name.to_str().ok()?).map(address_of);
        // SAFETY: these are the software driver's functions, with the signatures of their names.
        unsafe { Driver::from_resolver("cuda-sim", resolver) }
    })
}
