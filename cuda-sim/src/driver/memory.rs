//! Device memory, page-locked memory, copies and fills.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::heap::{Allocation, Kind};
use super::{Answer, Call, State, put, put_if_wanted};
use core::ffi::{c_int, c_uchar, c_uint, c_ushort, c_void};
use core::ptr::{NonNull, null_mut, with_exposed_provenance_mut};
use cuda_sys::{
    CUcontext, CUdeviceptr, CUmemorytype_enum as MemoryType, CUpointer_attribute,
    CUpointer_attribute_enum as Attribute, CUresult, CUstream,
};

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn info(call: &mut Call<'_>, free: *mut usize, total: *mut usize) -> Answer {
    let device = call.state.live_context(call.context)?.device;
    // SAFETY: the program's promise.
    unsafe { put(free, call.state.heap.free_bytes(device) as usize) }?;
    // SAFETY: the program's promise.
    unsafe { put(total, call.state.config.profile.total_memory as usize) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn alloc(call: &mut Call<'_>, to: *mut CUdeviceptr, bytes: usize) -> Answer {
    let context = call.context;
    // SAFETY: the program's promise.
    unsafe { alloc_in(call, context, Kind::Plain, to, bytes) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn alloc_async(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    bytes: usize,
    stream: CUstream,
) -> Answer {
    let context = call.state.queue(stream)?;
    // SAFETY: the program's promise.
    unsafe { alloc_in(call, context, Kind::Pool, to, bytes) }
}

/// # Safety
///
/// `to` is null or valid for a write.
unsafe fn alloc_in(
    call: &mut Call<'_>,
    context: Handle,
    kind: Kind,
    to: *mut CUdeviceptr,
    bytes: usize,
) -> Answer {
    if to.is_null() || bytes == 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let device = call.state.live_context(context)?.device;
    let allocated = call.state.heap.allocate(device, context, kind, bytes as u64);
    // SAFETY: the caller's promise.
    unsafe { put(to, allocated.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?) }
}

/// Address 0 is freed by doing nothing (measured). Memory from the pool may be freed here too.
pub(super) fn free(call: &mut Call<'_>, address: CUdeviceptr) -> Answer {
    if address == 0 {
        return Ok(());
    }
    match call.state.heap.starting_at(address) {
        Some(Allocation { kind: Kind::Plain | Kind::Pool, .. }) => {
            call.state.heap.free(address);
            Ok(())
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// Takes memory of either allocator (measured).
pub(super) fn free_async(call: &mut Call<'_>, address: CUdeviceptr, stream: CUstream) -> Answer {
    call.state.queue(stream)?;
    free(call, address)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn host_alloc(
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
        // Nothing, successfully (measured).
        // SAFETY: the program's promise.
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
pub(super) unsafe fn alloc_host(call: &mut Call<'_>, to: *mut *mut c_void, bytes: usize) -> Answer {
    // SAFETY: the program's promise.
    unsafe { host_alloc(call, to, bytes, 0) }
}

pub(super) fn free_host(call: &mut Call<'_>, pointer: *mut c_void) -> Answer {
    let base = pointer.addr() as u64;
    match call.state.heap.starting_at(base) {
        _ if base == 0 => Ok(()),
        Some(Allocation { kind: Kind::Host { .. }, .. }) => {
            call.state.heap.free(base);
            Ok(())
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn host_device_pointer(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    pointer: *mut c_void,
    flags: c_uint,
) -> Answer {
    let address = pointer.addr() as u64;
    match call.state.heap.holding(address, 1) {
        // The same address on both sides.
        // SAFETY: the program's promise.
        Some(Allocation { kind: Kind::Host { .. }, .. }) if flags == 0 => unsafe { put(to, address) },
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn host_flags(call: &mut Call<'_>, flags: *mut c_uint, pointer: *mut c_void) -> Answer {
    match call.state.heap.holding(pointer.addr() as u64, 1) {
        // Always mapped, and never portable (measured).
        Some(Allocation { kind: Kind::Host { combined }, .. }) => {
            let combined = if *combined { cuda_sys::CU_MEMHOSTALLOC_WRITECOMBINED } else { 0 };
            // SAFETY: the program's promise.
            unsafe { put(flags, cuda_sys::CU_MEMHOSTALLOC_DEVICEMAP | combined) }
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn address_range(
    call: &mut Call<'_>,
    base: *mut CUdeviceptr,
    size: *mut usize,
    address: CUdeviceptr,
) -> Answer {
    let found = call.state.heap.holding(address, 1).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
    // SAFETY: the program's promise; either may be left out.
    unsafe { put_if_wanted(base, found.base) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(size, found.size as usize) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn pointer_attribute(
    call: &mut Call<'_>,
    value: *mut c_void,
    attribute: CUpointer_attribute,
    address: CUdeviceptr,
) -> Answer {
    // The driver knows nothing of memory that it did not make (measured).
    let found = *call.state.heap.holding(address, 1).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let is_host = matches!(found.kind, Kind::Host { .. });
    match attribute {
        // SAFETY: for each attribute, the program's promise about the type behind `value`.
        Attribute::CU_POINTER_ATTRIBUTE_CONTEXT => unsafe {
            // Memory of a pool belongs to none (measured).
            let context = if found.kind == Kind::Pool { Handle::NULL } else { found.context };
            put(value.cast::<CUcontext>(), context.pointer())
        },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE => unsafe {
            put(
                value.cast::<c_uint>(),
                if is_host { MemoryType::CU_MEMORYTYPE_HOST.0 } else { MemoryType::CU_MEMORYTYPE_DEVICE.0 },
            )
        },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_DEVICE_POINTER => unsafe {
            put(value.cast::<CUdeviceptr>(), address)
        },
        Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER if is_host => {
            let pointer = call.state.bytes(address, 1)?;
            // SAFETY: as above.
            unsafe { put(value.cast::<*mut c_void>(), pointer.cast().as_ptr()) }
        }
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED => unsafe { put(value.cast::<c_uint>(), 0) },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => unsafe { put(value.cast::<c_int>(), found.device) },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR => unsafe {
            put(value.cast::<CUdeviceptr>(), found.base)
        },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE => unsafe {
            put(value.cast::<usize>(), found.size as usize)
        },
        Attribute(number) if !(1..=22).contains(&number) => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        Attribute(number) => {
            super::general::say(&format!("pointer attribute {number} is not simulated yet"));
            Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
        }
    }
}

impl State {
    /// The host bytes behind `len` bytes of memory that the driver knows. Exact to the byte (measured).
    fn bytes(&self, address: u64, len: u64) -> Answer<NonNull<u8>> {
        let found = self.heap.holding(address, len).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        let bytes = self.heap.bytes(found, address).and_then(NonNull::new);
        bytes.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
    }

    /// The bytes behind an address that may also be any memory of the host.
    fn bytes_anywhere(&self, address: u64, len: u64) -> Answer<NonNull<u8>> {
        // Known memory must hold all of it; memory of the host is the program's affair.
        if self.heap.holding(address, 1).is_some() || address >= 1 << 47 {
            return self.bytes(address, len);
        }
        let pointer = with_exposed_provenance_mut(address as usize);
        NonNull::new(pointer).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
    }
}

/// Moves bytes. Ranges may overlap.
///
/// # Safety
///
/// Both are valid for `len` bytes, and nothing else touches them.
unsafe fn copy(to: NonNull<u8>, from: NonNull<u8>, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { to.copy_from(from, len) };
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn to_device(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: *const c_void,
    len: usize,
) -> Answer {
    if len == 0 {
        return Ok(());
    }
    let to = call.state.bytes(to, len as u64)?;
    let from = NonNull::new(from.cast_mut().cast()).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    // SAFETY: the destination was looked up; the source is the program's promise.
    unsafe { copy(to, from, len) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn to_host(call: &mut Call<'_>, to: *mut c_void, from: CUdeviceptr, len: usize) -> Answer {
    if len == 0 {
        return Ok(());
    }
    let from = call.state.bytes(from, len as u64)?;
    let to = NonNull::new(to.cast()).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    // SAFETY: the source was looked up; the destination is the program's promise.
    unsafe { copy(to, from, len) };
    Ok(())
}

pub(super) fn on_device(call: &mut Call<'_>, to: CUdeviceptr, from: CUdeviceptr, len: usize) -> Answer {
    if len == 0 {
        return Ok(());
    }
    // Another device's pool is out of reach without a grant (measured), and there are no grants yet.
    let heap = &call.state.heap;
    if let (Some(to), Some(from)) = (heap.holding(to, 1), heap.holding(from, 1))
        && to.device != from.device
        && (to.kind == Kind::Pool || from.kind == Kind::Pool)
    {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    between(call, to, from, len)
}

fn between(call: &mut Call<'_>, to: CUdeviceptr, from: CUdeviceptr, len: usize) -> Answer {
    if len == 0 {
        return Ok(());
    }
    let (to, from) = (call.state.bytes(to, len as u64)?, call.state.bytes(from, len as u64)?);
    // SAFETY: both were looked up.
    unsafe { copy(to, from, len) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn unified(call: &mut Call<'_>, to: CUdeviceptr, from: CUdeviceptr, len: usize) -> Answer {
    if len == 0 {
        return Ok(());
    }
    let to = call.state.bytes_anywhere(to, len as u64)?;
    let from = call.state.bytes_anywhere(from, len as u64)?;
    // SAFETY: looked up, or else the program's promise.
    unsafe { copy(to, from, len) };
    Ok(())
}

/// The contexts are not compared with the pointers (measured).
pub(super) fn peer(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    _: CUcontext,
    from: CUdeviceptr,
    _: CUcontext,
    len: usize,
) -> Answer {
    between(call, to, from, len)
}

pub(super) fn peer_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    _: CUcontext,
    from: CUdeviceptr,
    _: CUcontext,
    len: usize,
    stream: CUstream,
) -> Answer {
    call.state.queue(stream)?;
    between(call, to, from, len)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn to_device_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: *const c_void,
    len: usize,
    stream: CUstream,
) -> Answer {
    call.state.queue(stream)?;
    // SAFETY: the program's promise.
    unsafe { to_device(call, to, from, len) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn to_host_async(
    call: &mut Call<'_>,
    to: *mut c_void,
    from: CUdeviceptr,
    len: usize,
    stream: CUstream,
) -> Answer {
    call.state.queue(stream)?;
    // SAFETY: the program's promise.
    unsafe { to_host(call, to, from, len) }
}

pub(super) fn on_device_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: CUdeviceptr,
    len: usize,
    stream: CUstream,
) -> Answer {
    call.state.queue(stream)?;
    on_device(call, to, from, len)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn unified_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: CUdeviceptr,
    len: usize,
    stream: CUstream,
) -> Answer {
    call.state.queue(stream)?;
    // SAFETY: the program's promise.
    unsafe { unified(call, to, from, len) }
}

/// Clears memory, for the driver itself.
pub(super) fn zero(call: &mut Call<'_>, to: CUdeviceptr, len: usize) -> Answer {
    fill(call, to, [0_u8], len)
}

/// Fills `count` elements. The address must be a multiple of the element's size (measured).
fn fill<const N: usize>(call: &mut Call<'_>, to: CUdeviceptr, element: [u8; N], count: usize) -> Answer {
    if count == 0 {
        return Ok(());
    }
    let len = (count as u64).checked_mul(N as u64).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    if !to.is_multiple_of(N as u64) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let start = call.state.bytes(to, len)?.cast::<[u8; N]>();
    for index in 0..count {
        // SAFETY: `count` elements fit, as was looked up.
        let element_at = unsafe { start.add(index) };
        // SAFETY: within the memory, which nothing else touches while the state is locked.
        unsafe { element_at.write(element) };
    }
    Ok(())
}

pub(super) fn set8(call: &mut Call<'_>, to: CUdeviceptr, value: c_uchar, count: usize) -> Answer {
    fill(call, to, [value], count)
}

pub(super) fn set16(call: &mut Call<'_>, to: CUdeviceptr, value: c_ushort, count: usize) -> Answer {
    fill(call, to, value.to_ne_bytes(), count)
}

pub(super) fn set32(call: &mut Call<'_>, to: CUdeviceptr, value: c_uint, count: usize) -> Answer {
    fill(call, to, value.to_ne_bytes(), count)
}

pub(super) fn set8_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    value: c_uchar,
    count: usize,
    stream: CUstream,
) -> Answer {
    call.state.queue(stream)?;
    set8(call, to, value, count)
}

pub(super) fn set16_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    value: c_ushort,
    count: usize,
    stream: CUstream,
) -> Answer {
    call.state.queue(stream)?;
    set16(call, to, value, count)
}

pub(super) fn set32_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    value: c_uint,
    count: usize,
    stream: CUstream,
) -> Answer {
    call.state.queue(stream)?;
    set32(call, to, value, count)
}
