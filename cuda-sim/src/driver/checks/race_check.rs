//! Data races between the threads of a launch.
//!
//! For each word of memory, the check stores the last write and the last reads. An access is ordered after an earlier
//! access of another thread if one of these events is between the two:
//!
//! - a barrier of the block of both threads, or `bar.warp.sync` of their warp
//! - an atomic or strong access of any thread, and then one to the same word by the later thread
//!
//! Accesses of several blocks of one cluster count as ordered. The second rule orders more accesses than the memory
//! model does: it needs no fence, and orders all earlier accesses. Both simplifications hide some races. They never
//! report an access that is no race.

use super::launch_check::{Findings, Mistake, ThreadAccess, ThreadPlace};
use core::hash::{BuildHasherDefault, Hasher};
use core::ops::Range;
use cuda_sim_engine::{AccessKind, ObservedAccess, ObservedBlock, ObservedSpace, ObservedThread, Site};
use std::collections::HashMap;

/// Threads of a warp.
const WARP: u32 = 32;

/// Hash for numbers, faster than that of the standard library.
#[derive(Debug, Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

type Map<V> = HashMap<u64, V, BuildHasherDefault<NumberHasher>>;

/// Number that increases from access to access. 0 is before all accesses.
type Time = u64;

/// Access to a word.
#[derive(Debug, Clone, Copy)]
struct Stamp {
    time: Time,
    site: Site,
    block: ObservedBlock,
    thread: u32,
    kind: AccessKind,
    is_strong: bool,
    /// Accessed bytes of the word.
    bytes: u8,
    /// Number that is the same for stores of the same value to the same address.
    value: u64,
}

impl Stamp {
    fn is_of_thread(&self, other: &Stamp) -> bool {
        self.block.number == other.block.number && self.thread == other.thread
    }

    fn writes(&self) -> bool {
        self.kind != AccessKind::Load
    }

    /// Returns whether two accesses race if nothing orders them.
    fn conflicts(&self, other: &Stamp) -> bool {
        let both_store = self.kind == AccessKind::Store && other.kind == AccessKind::Store;
        self.bytes & other.bytes != 0
            && (self.writes() || other.writes())
            && !(self.is_strong && other.is_strong)
            && !self.is_of_thread(other)
            && !(both_store && self.value == other.value)
    }
}

/// Last accesses to a word.
#[derive(Debug, Default)]
struct Word {
    write: Option<Stamp>,
    /// Reads of at most two threads. A third thread replaces the older one.
    reads: [Option<Stamp>; 2],
    /// Time of the last atomic or strong write.
    released: Time,
}

/// Accesses that are ordered before a thread.
#[derive(Debug, Clone, Copy, Default)]
struct Order {
    /// All accesses up to this time.
    all: Time,
    /// Accesses of its warp up to this time.
    of_warp: Time,
}

/// Block that has begun.
#[derive(Debug, Default)]
struct BlockState {
    /// Time up to which all accesses of the block are ordered before later ones.
    barrier: Time,
    threads: Vec<Order>,
    ended: u32,
    shared: Map<Word>,
}

/// Accesses of a launch.
#[derive(Debug)]
pub(super) struct RaceCheck {
    time: Time,
    blocks: Map<BlockState>,
    global: Map<Word>,
    /// Threads of a block.
    threads: u32,
}

impl RaceCheck {
    pub(super) fn new(threads: u32) -> RaceCheck {
        RaceCheck { time: 0, blocks: Map::default(), global: Map::default(), threads }
    }

    fn block(blocks: &mut Map<BlockState>, number: u64, threads: u32) -> &mut BlockState {
        let begin =
            || BlockState { threads: vec![Order::default(); threads as usize], ..BlockState::default() };
        blocks.entry(number).or_insert_with(begin)
    }

    pub(super) fn access(&mut self, access: &ObservedAccess<'_>, findings: &mut Findings) {
        self.time += 1;
        let block = Self::block(&mut self.blocks, access.block.number, self.threads);
        let BlockState { barrier, threads: orders, shared, .. } = block;
        let words = match access.space {
            ObservedSpace::Global => &mut self.global,
            ObservedSpace::Shared => shared,
        };
        for thread in access.threads {
            let mut nothing = Order::default();
            let order = orders.get_mut(thread.number as usize).unwrap_or(&mut nothing);
            let parts =
                access.parts(thread).map(|(address, size)| address..address.saturating_add(size.into()));
            let words_of = |part: Range<u64>| {
                (part.start / 4..part.end.div_ceil(4)).map(move |number| (number, part.clone()))
            };
            for (number, part) in parts.flat_map(words_of) {
                let word = words.entry(number).or_default();
                let size = part.end - part.start;
                let stamp = stamp(access, thread, part, number, self.time);
                if access.is_strong && access.returns {
                    order.all = order.all.max(word.released);
                }
                let is_ordered = |earlier: &Stamp| {
                    let same_block = earlier.block.number == stamp.block.number;
                    // The order of blocks in one cluster is not known here.
                    let same_cluster = earlier.block.cluster == stamp.block.cluster;
                    earlier.time <= order.all
                        || same_cluster && !same_block
                        || same_block && earlier.time <= *barrier
                        || same_block
                            && earlier.thread / WARP == stamp.thread / WARP
                            && earlier.time <= order.of_warp
                };
                let earlier = [word.write, word.reads[0], word.reads[1]];
                let race =
                    earlier.iter().flatten().find(|earlier| stamp.conflicts(earlier) && !is_ordered(earlier));
                if let Some(race) = race {
                    let at =
                        ThreadPlace { site: access.site, block: access.block.index, thread: thread.number };
                    let other = ThreadPlace { site: race.site, block: race.block.index, thread: race.thread };
                    let address = number * 4 + u64::from((stamp.bytes & race.bytes).trailing_zeros());
                    let own = ThreadAccess { kind: access.kind, address, size };
                    let (space, other_kind) = (access.space, race.kind);
                    findings.note(at, Mistake::Race { space, access: own, other, other_kind });
                }
                word.note(stamp);
            }
        }
    }

    /// Records the completion of a barrier of a block.
    pub(super) fn complete(&mut self, block: ObservedBlock) {
        let state = Self::block(&mut self.blocks, block.number, self.threads);
        state.barrier = self.time;
        // All threads learn the order that one thread knows.
        let all = state.threads.iter().map(|order| order.all).max().unwrap_or(0);
        state.threads.iter_mut().for_each(|order| order.all = all);
    }

    /// Records that threads of a warp have waited for each other.
    pub(super) fn meet(&mut self, block: ObservedBlock, threads: &[u32]) {
        let state = Self::block(&mut self.blocks, block.number, self.threads);
        let order = |thread: &u32| state.threads.get(*thread as usize).map_or(0, |order| order.all);
        let all = threads.iter().map(order).max().unwrap_or(0);
        for thread in threads {
            if let Some(order) = state.threads.get_mut(*thread as usize) {
                *order = Order { all, of_warp: self.time };
            }
        }
    }

    pub(super) fn exit(&mut self, block: ObservedBlock, threads: &[u32]) {
        let state = Self::block(&mut self.blocks, block.number, self.threads);
        state.ended += threads.len() as u32;
        if state.ended >= self.threads {
            self.blocks.remove(&block.number);
        }
    }
}

/// Returns the effect of a part of an access on a word.
fn stamp(
    access: &ObservedAccess<'_>,
    thread: &ObservedThread,
    part: Range<u64>,
    word: u64,
    time: Time,
) -> Stamp {
    let start = part.start.max(word * 4) - word * 4;
    let end = part.end.min(word * 4 + 4) - word * 4;
    let bytes = ((1_u16 << end) - (1_u16 << start)) as u8;
    let mut value = NumberHasher(thread.value);
    value.write_u64(thread.address ^ u64::from(access.size));
    let (kind, is_strong) = (access.kind, access.is_strong);
    Stamp {
        time,
        site: access.site,
        block: access.block,
        thread: thread.number,
        kind,
        is_strong,
        bytes,
        value: value.finish(),
    }
}

impl Word {
    fn note(&mut self, stamp: Stamp) {
        if stamp.writes() {
            self.write = Some(stamp);
            if stamp.is_strong {
                self.released = stamp.time;
            }
        } else {
            let own = self.reads.iter().position(|read| read.is_none_or(|read| read.is_of_thread(&stamp)));
            let oldest =
                || usize::from(self.reads[0].map(|read| read.time) > self.reads[1].map(|read| read.time));
            let place = own.unwrap_or_else(oldest);
            // An access may read several parts of a word.
            let before =
                self.reads[place].filter(|read| read.time == stamp.time && read.is_of_thread(&stamp));
            let bytes = stamp.bytes | before.map_or(0, |read| read.bytes);
            self.reads[place] = Some(Stamp { bytes, ..stamp });
        }
    }
}
