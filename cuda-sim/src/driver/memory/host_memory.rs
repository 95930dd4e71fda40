//! Page-locked memory of the host: allocated by the driver, or registered with it.

#![allow(unsafe_code)]

use crate::driver::memory::address_ranges;
use crate::driver::memory::device_memory::free_when_done;
use crate::driver::memory::heap::{Allocation, Kind};
use crate::driver::rules::since;
use crate::driver::{Answer, Call, put};
use core::ffi::{c_uint, c_void};
use core::ptr::{NonNull, null_mut};
use cuda_sys::{CUdevice, CUdeviceptr, CUresult};

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn host_alloc(
    call: &mut Call<'_>,
    to: *mut *mut c_void,
    bytes: usize,
    flags: c_uint,
) -> Answer {
    const KNOWN: c_uint = cuda_sys::CU_MEMHOSTALLOC_PORTABLE
        | cuda_sys::CU_MEMHOSTALLOC_DEVICEMAP
        | cuda_sys::CU_MEMHOSTALLOC_WRITECOMBINED;
    if to.is_null() || flags & !KNOWN != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if bytes == 0 {
        // An empty allocation succeeds with a null pointer (measured). SAFETY: the program's promise.
        return unsafe { put(to, null_mut()) };
    }
    let device = call.state.live_context(call.context)?.device;
    let combined = flags & cuda_sys::CU_MEMHOSTALLOC_WRITECOMBINED != 0;
    let base = call.state.heap.allocate_host(device, call.context, combined, bytes as u64);
    let base = base.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    let pointer = call.state.bytes(base, bytes as u64)?;
    // SAFETY: the program's promise.
    unsafe { put(to, pointer.cast().as_ptr()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn alloc_host(call: &mut Call<'_>, to: *mut *mut c_void, bytes: usize) -> Answer {
    // SAFETY: the program's promise.
    unsafe { host_alloc(call, to, bytes, 0) }
}

pub(crate) fn free_host(call: &mut Call<'_>, pointer: *mut c_void) -> Answer {
    let base = pointer.addr() as u64;
    match call.state.heap.starting_at(base) {
        _ if base == 0 => Ok(()),
        Some(Allocation { kind: Kind::Host { .. }, context, .. }) => {
            let context = *context;
            free_when_done(call, base, context)
        }
        _ => {
            call.state.check_freed_twice(base);
            Err(CUresult::CUDA_ERROR_INVALID_VALUE)
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn host_register(
    call: &mut Call<'_>,
    pointer: *mut c_void,
    bytes: usize,
    flags: c_uint,
) -> Answer {
    const KNOWN: c_uint = cuda_sys::CU_MEMHOSTREGISTER_PORTABLE
        | cuda_sys::CU_MEMHOSTREGISTER_DEVICEMAP
        | cuda_sys::CU_MEMHOSTREGISTER_READ_ONLY;
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    let place =
        NonNull::new(pointer.cast::<u8>()).filter(|_| bytes > 0 && flags & !KNOWN == 0).ok_or(invalid)?;
    call.state.require_flags(since::HOST_REGISTER_FLAGS, flags)?;
    let start = pointer.addr() as u64;
    let span = start..start.checked_add(bytes as u64).ok_or(invalid)?;
    let read_only = flags & cuda_sys::CU_MEMHOSTREGISTER_READ_ONLY != 0;
    // A range that begins or ends in memory that the driver allocated is invalid. Any other range is reported as
    // registered if a part of it is registered, or is in pages of the driver (measured).
    let is_own = |found: &Allocation| {
        matches!(found.kind, Kind::Host { .. } | Kind::Managed { .. } | Kind::Pool(_) | Kind::Mapped { .. })
    };
    let own = |at: u64| call.state.heap.holding(at, 1).is_some_and(is_own);
    if own(span.start) || own(span.end - 1) {
        return Err(invalid);
    }
    // All of it must exist, and must be writable unless it is registered as read-only (measured).
    if address_ranges::of_process()
        .is_some_and(|mappings| !address_ranges::can_be_locked(&mappings, &span, !read_only))
    {
        return Err(invalid);
    }
    let device = call.state.live_context(call.context)?.device;
    let how = (flags & cuda_sys::CU_MEMHOSTREGISTER_PORTABLE != 0, read_only);
    let registered = call.state.heap.register(device, call.context, how, place, bytes as u64);
    registered.ok_or(CUresult::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
}

pub(crate) fn host_unregister(call: &mut Call<'_>, pointer: *mut c_void) -> Answer {
    let base = pointer.addr() as u64;
    match call.state.heap.starting_at(base) {
        _ if base == 0 => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        Some(Allocation { kind: Kind::Registered { .. }, context, .. }) => {
            let context = *context;
            free_when_done(call, base, context)
        }
        // Memory that the driver allocated (measured).
        Some(_) => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        // An address inside an allocation (measured).
        None if call.state.heap.holding(base, 1).is_some() => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        None => Err(CUresult::CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    }
}

/// Returns whether memory has an address on the device of the current context. Mapped memory has an address there if
/// the device has access (conformance fact V1054).
fn has_device_address(call: &Call<'_>, found: &Allocation) -> bool {
    let device = call.state.live_context(call.context).map(|context| context.device);
    let has_access = |device: CUdevice| call.state.heap.ranges.access(found.base, device).is_some();
    !found.kind.is_mapped() || device.is_ok_and(has_access)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn host_device_pointer(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    pointer: *mut c_void,
    flags: c_uint,
) -> Answer {
    let address = pointer.addr() as u64;
    match call.state.heap.holding(address, 1) {
        Some(found)
            if found.kind.is_host()
                && !matches!(found.kind, Kind::Pool(_))
                && flags == 0
                && has_device_address(call, found) =>
        {
            // Kernels access mapped memory at its own address.
            let offset = if found.kind.is_mapped() { 0 } else { call.state.host_offset(found.device) };
            // SAFETY: the program's promise.
            unsafe { put(to, address + offset) }
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn host_flags(call: &mut Call<'_>, flags: *mut c_uint, pointer: *mut c_void) -> Answer {
    match call.state.heap.holding(pointer.addr() as u64, 1) {
        // Managed memory has flags, too (measured). SAFETY: the program's promise.
        Some(Allocation { kind: Kind::Managed { .. }, .. }) => unsafe {
            put(flags, cuda_sys::CU_MEMHOSTALLOC_DEVICEMAP)
        },
        // DEVICEMAP is always reported. Some machines also report PORTABLE, others never do (measured).
        Some(Allocation { kind: Kind::Host { combined }, .. }) => {
            let combined = if *combined { cuda_sys::CU_MEMHOSTALLOC_WRITECOMBINED } else { 0 };
            // SAFETY: the program's promise.
            unsafe { put(flags, cuda_sys::CU_MEMHOSTALLOC_DEVICEMAP | combined) }
        }
        // SAFETY: as above.
        Some(found) if found.kind == (Kind::Mapped { on_host: true }) && has_device_address(call, found) => unsafe {
            put(flags, cuda_sys::CU_MEMHOSTALLOC_DEVICEMAP | cuda_sys::CU_MEMHOSTALLOC_PORTABLE)
        },
        // SAFETY: as above.
        Some(Allocation { kind: Kind::Registered { portable, .. }, .. }) => unsafe {
            let portable = if *portable { cuda_sys::CU_MEMHOSTALLOC_PORTABLE } else { 0 };
            put(flags, cuda_sys::CU_MEMHOSTALLOC_DEVICEMAP | portable)
        },
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}
