//! Device memory, and properties of addresses.

#![allow(unsafe_code)]

use crate::config::Schedule;
use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::{Allocation, Kind, Release, Shortage};
use crate::driver::operations::{OpId, SHORT};
use crate::driver::stream_order::UseKind;
use crate::driver::{Answer, Call, State, put};
use core::ptr::NonNull;
use cuda_sys::{
    CUctx_flags_enum as ContextFlags, CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr,
    CUresult, CUstream, Symbol,
};
use std::sync::Once;

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn info(call: &mut Call<'_>, free: *mut usize, total: *mut usize) -> Answer {
    let device = call.state.live_context(call.context)?.device;
    // SAFETY: the program's promise.
    unsafe { put(free, call.state.heap.free_bytes(device) as usize) }?;
    // SAFETY: the program's promise.
    unsafe { put(total, call.state.profile(device).total_memory as usize) }
}

impl State {
    /// Reports once, after a shortage, that the cause is the machine's limit and not the device's memory.
    pub(crate) fn explain_shortage(&self, symbol: Symbol, shortage: Option<Shortage>) {
        static ONCE: Once = Once::new();
        let Some(Shortage { device, wanted, free, limit }) = shortage else { return };
        let total = self.profile(device).total_memory;
        if wanted <= total && limit < total {
            ONCE.call_once(|| {
                crate::console::say(&format!(
                    "{symbol}: CUDA_ERROR_OUT_OF_MEMORY: {wanted} bytes of device {device}, where {free} are free of the \
                     simulated budget of {limit}, and not of the {total} that the device reports; \
                     Config::memory_bytes or CUDA_SIM=memory=8G sets the budget"
                ));
            });
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn alloc(call: &mut Call<'_>, to: *mut CUdeviceptr, bytes: usize) -> Answer {
    if to.is_null() || bytes == 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let device = call.state.live_context(call.context)?.device;
    // Memory whose return to the pool is queued is not waited for (measured).
    let allocated = call.state.heap.allocate(device, call.context, Kind::Plain, bytes as u64);
    // SAFETY: the program's promise.
    unsafe { put(to, allocated.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn alloc_async(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    bytes: usize,
    stream: CUstream,
) -> Answer {
    let on = call.state.stream(stream)?;
    let device = call.state.live_context(on.1)?.device;
    call.state.check_pools(device)?;
    let pool = call.state.device(device)?.current_pool;
    // SAFETY: the program's promise.
    unsafe { crate::driver::memory::memory_pool::alloc_on(call, pool, on, to, bytes) }
}

/// Frees memory. Address 0 is accepted without effect (measured). Memory from a pool is accepted, too.
pub(crate) fn free(call: &mut Call<'_>, address: CUdeviceptr) -> Answer {
    if address == 0 {
        return Ok(());
    }
    let found = freeable(call.state, address).inspect_err(|_| call.state.check_freed_twice(address))?;
    if matches!(found.kind, Kind::Pool(_)) {
        free_to_pool(call.state, address);
        return Ok(());
    }
    if found.kind == Kind::Graph {
        call.state.note_graph_memory_freed(address);
        let context = call.state.graph_memory.get(address).map_or(Handle::NULL, |memory| memory.context);
        let ops = call.state.own_work(context);
        return call.wait_then(ops, move |state| {
            state.unmap_graph_memory(address);
            Ok(())
        });
    }
    free_when_done(call, address, found.context)
}

/// Returns memory to a pool at once, without a wait. The pool then releases memory beyond its threshold (measured).
fn free_to_pool(state: &mut State, address: u64) {
    let pool = state.heap.pool_of(address);
    if let (Some(order), Some(found)) = (&state.order, state.heap.starting_at(address)) {
        order.note_of_host(address, found.size, UseKind::Free, state.present.get());
    }
    state.heap.free(address);
    state.report_stream_races();
    if let Some((pool, threshold)) = pool.and_then(|pool| Some((pool, state.heap.pool(pool)?.threshold))) {
        state.heap.release(pool, threshold, Release::Awaited);
    }
}

/// Returns the allocation that begins at `address`, if `cuMemFree` accepts it.
fn freeable(state: &State, address: u64) -> Answer<Allocation> {
    let is_freeable = |found: &&Allocation| {
        matches!(
            found.kind,
            Kind::Plain
                | Kind::Pool(_)
                | Kind::Graph
                | Kind::External { is_array: false }
                | Kind::Managed { is_variable: false }
        )
    };
    let found = state.heap.starting_at(address).filter(is_freeable);
    found.copied().ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// Frees memory after the work of its context that may use it (measured).
///
/// Hardware does not always wait for work of other devices that a stream of the context waits for (measured). This
/// driver waits for it under the schedule `eager`, in which no work is held back. It also waits for it before it
/// releases memory that the host can access.
pub(crate) fn free_when_done(call: &mut Call<'_>, base: u64, context: Handle) -> Answer {
    let ops = match call.state.host_memory_at(base) {
        Some(_) => call.state.queue.of_context(context),
        None => call.state.own_work(context),
    };
    call.wait_then(ops, move |state| {
        state.heap.free(base);
        Ok(())
    })
}

/// Frees memory of either allocator in stream order. Refuses managed memory and memory of another API (measured).
pub(crate) fn free_async(call: &mut Call<'_>, address: CUdeviceptr, stream: CUstream) -> Answer {
    let on = call.state.stream(stream)?;
    if call.state.is_captured(on)? {
        // Address 0 adds no node (measured).
        return if address == 0 { Ok(()) } else { call.state.append_free(on.0, address) };
    }
    call.state.check_unsafe()?;
    if address == 0 {
        return Ok(());
    }
    let found = freeable(call.state, address).inspect_err(|_| call.state.check_freed_twice(address))?;
    if matches!(found.kind, Kind::Managed { .. } | Kind::External { .. }) {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    if call.state.graph_memory.contains(address) {
        call.state.note_graph_memory_freed(address);
        call.state.submit_prompt(on, SHORT, move |state| {
            state.unmap_graph_memory(address);
            Ok(())
        });
        return Ok(());
    }
    call.state.free_later(on, address);
    Ok(())
}

impl State {
    /// Returns the work that a free of memory of a context waits for.
    pub(crate) fn own_work(&self, context: Handle) -> Vec<OpId> {
        let ops = self.queue.of_context(context);
        if self.config.schedule == Schedule::Eager {
            return ops;
        }
        let device = |context: Handle| self.contexts.get(context).map(|context| context.device);
        let own = device(context);
        let is_own = |op: &OpId| {
            let needed = self.queue.contexts_needed_for(*op);
            needed.iter().all(|context| device(context) == own)
        };
        ops.into_iter().filter(is_own).collect()
    }

    /// Returns the allocation that contains `len` bytes, if a program may name it. The bounds are exact (measured).
    pub(crate) fn known(&self, address: u64, len: u64) -> Answer<&Allocation> {
        let found = self.heap.holding(self.on_host(address), len);
        // Nodes may name memory that is not mapped yet.
        let found = found.or_else(|| self.graph_memory_holding(address, len).filter(|_| self.plans_nodes));
        found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
    }

    /// Checks that a program may name `len` bytes of memory that the driver knows.
    pub(crate) fn check_known(&self, address: u64, len: u64) -> Answer {
        self.known(address, len).map(drop)
    }

    /// Checks the same for bytes to write. Memory that was registered as read-only cannot be written (measured).
    pub(crate) fn check_writable(&self, address: u64, len: u64) -> Answer {
        match self.known(address, len)?.kind {
            Kind::Registered { read_only: true, .. } => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
            _ => Ok(()),
        }
    }

    /// Returns the host bytes of `len` bytes of memory that the driver knows, for work that writes them.
    pub(crate) fn bytes(&self, address: u64, len: u64) -> Answer<NonNull<u8>> {
        self.mark_written(address, len);
        self.bytes_to_read(address, len)
    }

    /// Records that bytes are written, if this is checked.
    pub(crate) fn mark_written(&self, address: u64, len: u64) {
        if let Some(written) = &self.heap.written {
            written.mark(self.on_host(address), len);
        }
    }

    /// Returns the host bytes of `len` bytes, for work that reads them.
    pub(crate) fn bytes_to_read(&self, address: u64, len: u64) -> Answer<NonNull<u8>> {
        let bytes = self.heap.bytes_in_use(self.on_host(address), len).and_then(NonNull::new);
        bytes.ok_or_else(|| {
            if self.heap.is_freed_of_pool(address, len) {
                say(&format!("copy or fill of {len} bytes at {address:#x}: {FREED}"));
            }
            CUresult::CUDA_ERROR_INVALID_VALUE
        })
    }

    /// Records that the operation in progress uses bytes, if the order of operations is recorded.
    pub(crate) fn note_use(&self, address: u64, len: u64, writes: bool) {
        if let Some(order) = &self.order {
            order.note(self.on_host(address), len, if writes { UseKind::Write } else { UseKind::Read });
        }
    }

    /// Records the same for an operation that is queued and not done.
    pub(crate) fn note_queued_use(&mut self, op: Option<OpId>, address: u64, len: u64, writes: bool) {
        if let (Some(order), Some(node)) = (&self.order, op.and_then(|op| self.queue.node_of(op))) {
            let kind = if writes { UseKind::Write } else { UseKind::Read };
            order.note_queued(node, self.on_host(address), len, kind);
            self.report_stream_races();
        }
    }

    /// Records the same for a word that others may wait for.
    pub(crate) fn note_signal(&self, address: u64, len: u64) {
        if let Some(order) = &self.order {
            order.note_signal(self.on_host(address), len);
        }
    }

    /// Returns the unique number of the page-locked or managed memory at an address. Queued work compares it when it
    /// runs. Memory of pools has none, because freed memory exists until earlier queued work is done.
    pub(crate) fn host_memory_at(&self, address: u64) -> Option<u64> {
        let found = self.heap.holding(self.on_host(address), 1);
        let is_kept =
            |found: &&Allocation| found.kind.has_host_address() && !matches!(found.kind, Kind::Pool(_));
        found.filter(is_kept).map(|found| found.id)
    }

    /// Converts an address on the host or a device to the host address. Without unified addressing, page-locked memory
    /// has an address of its own on the devices.
    fn on_host(&self, address: u64) -> u64 {
        match address.checked_sub(HOST_ALIAS) {
            Some(host) if host < HOST_END && !self.is_unified(0) => host,
            _ => address,
        }
    }

    /// Returns the distance between the device address and the host address of page-locked memory.
    pub(crate) fn host_offset(&self, device: CUdevice) -> u64 {
        if self.is_unified(device) { 0 } else { HOST_ALIAS }
    }

    /// Returns whether this is the address of page-locked or managed memory, which the host can access.
    pub(crate) fn is_host_memory(&self, address: u64) -> bool {
        let found = self.heap.holding(self.on_host(address), 1);
        found.is_some_and(|found| found.kind.has_host_address())
    }

    /// Returns whether synchronous work on this memory always waits, because its context or the memory has the flag for
    /// it.
    pub(crate) fn always_waits(&self, context: Handle, address: u64) -> bool {
        const FLAG: u32 = ContextFlags::CU_CTX_SYNC_MEMOPS.0;
        self.contexts.get(context).is_some_and(|context| context.flags & FLAG != 0)
            || self.heap.holding(self.on_host(address), 1).is_some_and(|found| found.always_waits())
    }

    pub(crate) fn is_unified(&self, device: CUdevice) -> bool {
        self.limit_of(device, DeviceAttribute::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING) != 0
    }
}

/// Explanation for an access that fails here. On hardware, the freed memory may still be mapped.
pub(crate) const FREED: &str = "memory of a pool that was freed and not allocated again";

/// Offset of the addresses of page-locked memory without unified addressing. No device has these addresses.
const HOST_ALIAS: u64 = {
    let alias = 1 << 61;
    assert!(alias >= crate::driver::memory::heap::END_OF_ADDRESSES);
    alias
};
/// End of the host addresses.
pub(crate) const HOST_END: u64 = 1 << 47;

/// Writes bytes at once, for the driver itself. The remaining bytes up to `len` become zero.
pub(crate) fn write(state: &mut State, to: CUdeviceptr, bytes: &[u8], len: usize) -> Answer {
    if len == 0 {
        return Ok(());
    }
    let start = state.bytes(to, len as u64)?;
    let used = bytes.len().min(len);
    // SAFETY: `len` bytes were found, and nothing else accesses them while the state is locked.
    unsafe { start.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), used) };
    // SAFETY: as above.
    let rest = unsafe { start.add(used) };
    // SAFETY: as above.
    unsafe { rest.write_bytes(0, len - used) };
    Ok(())
}
