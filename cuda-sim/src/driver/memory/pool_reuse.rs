//! Memory of pools whose free is queued, and which later allocations reuse before it is free.
//!
//! An allocation tries these sources in order:
//!
//! 1. Memory that is freed in the order of the stream (`in_order`): by the stream itself, or by a stream that it waits for
//!    (`CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES`).
//! 2. Free memory (`heap/pools.rs`). If another stream has used it, this needs `CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC`.
//! 3. Memory of a stream for which this one is made to wait (`by_waiting`,
//!    `CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES`).
//!
//! The answer `pool-reuse` and the conformance fact Q17 record the hardware's behaviour.

use crate::collections::IdSet;
use crate::driver::State;
use crate::driver::handles::Handle;
use crate::driver::handles::new_id;
use crate::driver::memory::heap::Kind;
use crate::driver::operations::{OpId, SHORT, StreamId};
use crate::driver::stream_order::{OrderedStream, UseKind};
use cuda_sys::CUdeviceptr;

/// Memory whose free is queued on a stream.
#[derive(Clone, Copy)]
pub(crate) struct Freed {
    on_stream: StreamId,
    op: Option<OpId>,
    /// Number of the call that frees it, because the memory may have been reused in parts.
    number: u64,
}

impl State {
    /// Frees memory after the work that is queued on a stream.
    pub(crate) fn free_later(&mut self, on: (StreamId, Handle), address: CUdeviceptr) {
        let number = new_id();
        let size = self.heap.starting_at(address).map_or(0, |found| found.size);
        self.freed.insert(address, Freed { on_stream: on.0, op: None, number });
        self.heap.note_freed(address);
        let op = self.submit_prompt(on, SHORT, move |state| {
            // Later allocations may have reused all or some of it.
            let own = |(address, freed): (CUdeviceptr, &Freed)| (freed.number == number).then_some(address);
            let left: Vec<CUdeviceptr> =
                state.freed.range(address..=address + size).filter_map(own).collect();
            let is_live = state.is_live_stream(on.0);
            for address in left {
                state.freed.remove(address);
                if is_live {
                    state.heap.free_in_order(address, (on.0, on.1, number));
                } else {
                    // The next trim or synchronization releases it (fact V1108).
                    state.heap.free(address);
                }
            }
            Ok(())
        });
        if let Some(freed) = self.freed.get_mut(address) {
            freed.op = op;
        }
        if let Some(order) = &self.order {
            order.note_of(order.latest(), address, size, UseKind::Free);
            self.report_stream_races();
        }
    }

    /// Returns the queued frees of all pools with the same memory, because pools share the memory of their device.
    pub(super) fn to_be_freed(&self, pool: Handle) -> Vec<OpId> {
        let memory = self.heap.pool(pool).map(|memory| (Kind::Pool(memory.source), memory.device));
        let known = self.freed.iter().filter(|(address, _)| {
            let found = self.heap.freed(*address);
            found.is_some_and(|found| Some((found.kind, found.device)) == memory)
        });
        known.filter_map(|(_, freed)| freed.op).collect()
    }

    /// Records that memory of a pool is allocated for work of a stream, if the order of operations is recorded.
    pub(super) fn note_allocated(&self, (on_stream, context): (StreamId, Handle), address: u64, size: u64) {
        if let Some(order) = &self.order {
            let (green, blocking) = (self.green_of(on_stream), self.is_blocking(on_stream));
            let stream = OrderedStream { id: on_stream, context, green, blocking };
            let node = order.add_done(stream, self.present.get());
            order.note_of(Some(node), address, size, UseKind::Allocate);
        }
    }

    /// Returns the addresses and sizes of memory of a pool whose free is queued.
    fn freed_of_pool(&self, pool: Handle) -> impl Iterator<Item = (CUdeviceptr, u64, &Freed)> {
        let of_pool = self.freed.iter().filter(move |(address, _)| self.heap.pool_of(*address) == Some(pool));
        of_pool.filter_map(|(address, freed)| Some((address, self.heap.freed(address)?.size, freed)))
    }

    /// Returns the streams whose queued frees already precede later work of a stream: the stream itself, and the
    /// streams that it waits for (measured).
    pub(super) fn in_order(
        &self,
        pool: Handle,
        on_stream: StreamId,
        size: u64,
        [follows, ..]: [bool; 3],
    ) -> IdSet<OpId> {
        let fits = |(_, found, _): &(CUdeviceptr, u64, &Freed)| *found >= size;
        let candidates: Vec<&Freed> =
            self.freed_of_pool(pool).filter(fits).map(|(.., freed)| freed).collect();
        let own = candidates.iter().filter(|freed| freed.on_stream == on_stream).filter_map(|freed| freed.op);
        let mut ops: IdSet<OpId> = own.collect();
        if follows && candidates.iter().any(|freed| freed.on_stream != on_stream) {
            let last: Vec<OpId> = self.queue.last_of(on_stream).into_iter().collect();
            let before = self.queue.needed_for(&last);
            ops.extend(candidates.iter().filter_map(|freed| freed.op).filter(|op| before.contains(*op)));
        }
        ops
    }

    /// Returns the streams that a stream can be made to wait for.
    pub(super) fn by_waiting(
        &self,
        pool: Handle,
        on_stream: StreamId,
        [.., depends]: [bool; 3],
    ) -> IdSet<OpId> {
        let freed = self.freed_of_pool(pool).map(|(.., freed)| freed);
        freed.filter(|freed| freed.on_stream == on_stream || depends).filter_map(|freed| freed.op).collect()
    }

    /// Passes memory to a new owner before one of these operations frees it. The new owner is later work of the same
    /// stream, or work of another stream, which is made to wait for the operation.
    pub(super) fn reuse(
        &mut self,
        pool: Handle,
        on: (StreamId, Handle),
        size: u64,
        ops: &IdSet<OpId>,
    ) -> Option<CUdeviceptr> {
        let fits = |(_, found, freed): &(CUdeviceptr, u64, &Freed)| {
            *found >= size && freed.op.is_some_and(|op| ops.contains(op))
        };
        let best = self
            .freed_of_pool(pool)
            .filter(fits)
            .min_by_key(|(_, found, freed)| (freed.on_stream != on.0, *found));
        let (address, ..) = best?;
        let rest = self.heap.hand_on(address, on.1, size)?;
        let freed = self.freed.remove(address)?;
        if let Some(rest) = rest {
            self.freed.insert(rest, Freed { ..freed });
        }
        if freed.on_stream != on.0 {
            self.submit(on, freed.op, SHORT, |_| Ok(()));
        }
        Some(address)
    }
}
