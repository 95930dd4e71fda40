//! Barriers of a block.

use super::block::Shared;
use super::clock::Clock;
use super::execution::MAX_THREADS;
use super::group_products::GroupProducts;
use super::registers::{LANES, Registers, lanes};
use super::warp::{BarrierResult, Frame, Group, Wait, Warp};
use super::warp_memory::LaneFault;
use crate::fault::FaultKind;
use crate::op::{Barrier, BarrierAction, NONE};

/// Number of barriers of a block.
const BARRIERS: u32 = 16;
/// Number of the cluster barrier, after the barriers of the block.
pub(super) const CLUSTER: u32 = BARRIERS;

/// Limit of the warps of a block.
const MAX_WARPS: usize = MAX_THREADS as usize / LANES;

/// Number of past results that are kept for warps that have not read theirs.
const KEPT: usize = 8;

/// One barrier.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    generation: u64,
    /// Number of threads that complete the barrier; 0 for all.
    expected: u32,
    /// Waiting lanes, and lanes that arrived without waiting, by warp.
    waiting: [u32; MAX_WARPS],
    arrived: [u32; MAX_WARPS],
    /// Number of threads in which the predicate holds, and number of threads that supplied one.
    holds: u32,
    asked: u32,
    /// Generation, `holds` and `asked` of the last completions at which threads supplied a predicate.
    results: Vec<(u64, u32, u32)>,
}

/// Barriers of a block.
#[derive(Debug)]
pub(super) struct Barriers {
    states: Vec<State>,
    pub(super) products: GroupProducts,
    /// Barriers with an arrival, one bit each.
    used: u32,
    /// True if the barrier of the cluster also waits for other blocks.
    spans_blocks: bool,
}

/// Arrivals of the threads of a block at the barrier of its cluster.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClusterArrivals {
    /// True if all threads that have not exited have arrived.
    pub(super) is_complete: bool,
    /// True if at least one thread has arrived.
    pub(super) has_some: bool,
}

impl Barriers {
    pub(super) fn new(spans_blocks: bool) -> Self {
        let states = vec![State::default(); BARRIERS as usize + 1];
        Self { states, products: GroupProducts::default(), used: 0, spans_blocks }
    }

    pub(super) fn reset(&mut self) {
        for state in &mut self.states {
            if state.generation != 0 || self.used != 0 {
                state.clear();
                state.results.clear();
            }
        }
        self.used = 0;
        self.products.reset();
    }

    /// Returns whether a waiting group of a warp may continue.
    #[inline]
    pub(super) fn is_over(&self, warp: u32, wait: Wait) -> bool {
        match wait {
            Wait::ProductStart { count } => self.products.has_begun(warp, count),
            Wait::Products { count } => self.products.is_done(warp, count),
            Wait::Barrier { number, generation, .. } => {
                self.states.get(usize::from(number)).is_none_or(|state| state.generation != generation)
            }
            _ => false,
        }
    }

    /// Records the arrival of lanes of a warp that wait for all threads. Returns the generation whose end they wait for.
    pub(super) fn wait_for_all(&mut self, number: u8, warp: u32, mask: u32, live: &[u32]) -> u64 {
        let index = usize::from(number);
        let Some(state) = self.states.get_mut(index) else { return 0 };
        let generation = state.generation;
        state.waiting[warp as usize % MAX_WARPS] |= mask;
        self.used |= 1 << number;
        if state.is_complete(live) {
            self.complete(index);
        }
        generation
    }

    /// Returns the number of completions of each barrier.
    pub(super) fn generations(&self) -> [u64; CLUSTER as usize + 1] {
        std::array::from_fn(|number| self.states.get(number).map_or(0, |state| state.generation))
    }

    /// Completes every barrier at which all expected threads have arrived.
    pub(super) fn settle(&mut self, live: &[u32]) {
        self.products.settle(live);
        let own = if self.spans_blocks { self.used & !(1 << CLUSTER) } else { self.used };
        for number in lanes(own) {
            if self.states.get(number).is_some_and(|state| state.is_complete(live)) {
                self.complete(number);
            }
        }
    }

    /// Completes a barrier.
    pub(super) fn complete(&mut self, number: usize) {
        let Some(state) = self.states.get_mut(number) else { return };
        self.used &= !(1 << number);
        if state.asked != 0 {
            if state.results.len() == KEPT {
                state.results.remove(0);
            }
            state.results.push((state.generation, state.holds, state.asked));
        }
        state.clear();
    }

    /// Returns which threads have arrived at the barrier of the cluster.
    pub(super) fn cluster_arrivals(&self, live: &[u32]) -> ClusterArrivals {
        let arrived = self.states.get(CLUSTER as usize).map_or([0; MAX_WARPS], |state| state.arrived);
        ClusterArrivals {
            is_complete: live.iter().zip(arrived).all(|(live, arrived)| live & !arrived == 0),
            has_some: arrived.iter().any(|lanes| *lanes != 0),
        }
    }

    fn result(&self, number: u8, generation: u64) -> (u32, u32) {
        let state = self.states.get(usize::from(number));
        let results = state.map(|state| state.results.as_slice()).unwrap_or_default();
        results.iter().find(|result| result.0 == generation).map_or((0, 0), |result| (result.1, result.2))
    }
}

impl State {
    fn clear(&mut self) {
        self.generation += 1;
        self.expected = 0;
        self.waiting.fill(0);
        self.arrived.fill(0);
        self.holds = 0;
        self.asked = 0;
    }

    fn is_complete(&self, live: &[u32]) -> bool {
        let present = |warp: usize| self.waiting[warp % MAX_WARPS] | self.arrived[warp % MAX_WARPS];
        if self.expected == 0 {
            // Usually the last warps arrive last.
            return live.iter().enumerate().rev().all(|(warp, live)| live & !present(warp) == 0)
                && (0..live.len()).any(|warp| present(warp) != 0);
        }
        let present = (0..live.len()).map(present);
        if present.clone().all(|lanes| lanes == 0) {
            return false;
        }
        // If all lanes of a warp have arrived, it counts as a whole warp, even if some of its lanes have exited.
        let count: u32 = present
            .zip(live)
            .map(
                |(present, live)| {
                    if present != 0 && live & !present == 0 { 32 } else { present.count_ones() }
                },
            )
            .sum();
        count >= self.expected
    }
}

impl Warp {
    /// Records the arrival of the lanes of `mask`. Waiting lanes leave the group, which may become empty.
    pub(super) fn arrive(
        &mut self,
        shared: &mut Shared,
        group: &mut Group,
        barrier: &Barrier,
        mask: u32,
    ) -> Result<(), LaneFault> {
        if let BarrierAction::WaitProducts { pending } = barrier.action {
            self.wait_for_products(&mut shared.barriers.products, group, pending as usize, mask);
            return Ok(());
        }
        if barrier.action == BarrierAction::StartProduct {
            self.start_product(shared, group, mask);
            return Ok(());
        }
        let Some(frame) = self.frames.get(group.frame) else { return Ok(()) };
        let registers = &frame.registers;
        let next = group.pc + 1;
        let mut rest = mask;
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            let number = registers.word(barrier.number, first);
            let threads = threads(registers, barrier, first);
            let mut same = rest & registers.equal_to(barrier.number, number);
            if barrier.threads != NONE {
                same &= registers.equal_to(barrier.threads, threads);
            }
            rest &= !same;
            let number = match barrier.action {
                BarrierAction::ArriveCluster | BarrierAction::WaitCluster => CLUSTER,
                // No barrier has this number.
                _ if number >= BARRIERS => u32::MAX,
                _ => number,
            };
            let Some(state) = shared.barriers.states.get_mut(number as usize) else {
                let number = registers.word(barrier.number, first);
                let text = format!("barrier {number} of 16");
                return Err(LaneFault::new(FaultKind::OutOfWindow, first, text));
            };
            shared.barriers.used |= 1 << number;
            if threads != 0 {
                state.expected = threads;
            }
            let warp = self.index as usize % MAX_WARPS;
            let (predicate, result) = match barrier.action {
                BarrierAction::Arrive | BarrierAction::ArriveCluster => {
                    state.arrived[warp] |= same;
                    continue;
                }
                BarrierAction::WaitCluster => {
                    // Lanes that are no longer counted arrived in a phase that is complete.
                    let counted = state.arrived[warp] & same;
                    if counted != 0 {
                        let (number, generation) = (number as u8, state.generation);
                        let wait = Wait::Barrier { number, generation, result: BarrierResult::Nothing };
                        self.groups.push(Group { mask: counted, pc: next, wait, ..*group });
                        group.mask &= !counted;
                    }
                    continue;
                }
                BarrierAction::Synchronize
                | BarrierAction::StartProduct
                | BarrierAction::WaitProducts { .. } => (None, BarrierResult::Nothing),
                BarrierAction::Count { result, predicate } => (Some(predicate), BarrierResult::Count(result)),
                BarrierAction::All { result, predicate } => (Some(predicate), BarrierResult::All(result)),
                BarrierAction::Any { result, predicate } => (Some(predicate), BarrierResult::Any(result)),
            };
            if let Some(predicate) = predicate {
                state.holds += (registers.condition(predicate) & same).count_ones();
                state.asked += same.count_ones();
            }
            state.waiting[warp] |= same;
            let wait = Wait::Barrier { number: number as u8, generation: state.generation, result };
            self.groups.push(Group { mask: same, pc: next, wait, ..*group });
            group.mask &= !same;
        }
        group.pc = next;
        shared.barriers.settle(&shared.live);
        Ok(())
    }

    /// Lets the lanes of `mask` wait until the other warps have arrived at a product. Waiting lanes leave the group.
    fn start_product(&mut self, shared: &mut Shared, group: &mut Group, mask: u32) {
        let products = &mut shared.barriers.products;
        let count = products.arrive(self.index, &shared.live);
        group.pc += 1;
        if !products.has_begun(self.index, count) {
            self.groups.push(Group { mask, wait: Wait::ProductStart { count }, ..*group });
            group.mask &= !mask;
        }
    }

    /// Lets the lanes of `mask` wait for products, if other warps have not executed them. Waiting lanes leave the group.
    fn wait_for_products(
        &mut self,
        products: &mut GroupProducts,
        group: &mut Group,
        pending: usize,
        mask: u32,
    ) {
        let count = products.awaited(self.index, pending);
        group.pc += 1;
        if !products.is_done(self.index, count) {
            self.groups.push(Group { mask, wait: Wait::Products { count }, ..*group });
            group.mask &= !mask;
        }
    }

    /// Wakes the groups whose barrier is complete.
    #[inline]
    pub(super) fn wake(&mut self, barriers: &Barriers, clock: &Clock) {
        let warp = self.index;
        for group in &mut self.groups {
            match group.wait {
                Wait::ProductStart { .. } | Wait::Products { .. } if barriers.is_over(warp, group.wait) => {
                    group.wait = Wait::Ready;
                }
                Wait::Barrier { number, generation, result } if barriers.is_over(warp, group.wait) => {
                    if result != BarrierResult::Nothing {
                        give_result(&mut self.frames, group, result, barriers.result(number, generation));
                    }
                    group.wait = Wait::Ready;
                }
                Wait::Sleep { until } if until <= clock.cycles() => group.wait = Wait::Ready,
                _ => {}
            }
        }
    }
}

/// Writes the result of a barrier: the number of threads in which the predicate holds, of those that supplied one.
#[inline(never)]
fn give_result(frames: &mut [Frame], group: &Group, result: BarrierResult, (holds, asked): (u32, u32)) {
    let Some(frame) = frames.get_mut(group.frame) else { return };
    let registers = &mut frame.registers;
    let all = |value: bool| if value { u32::MAX } else { 0 };
    match result {
        BarrierResult::Nothing => {}
        BarrierResult::Count(slot) => registers.map0(group.mask, slot, holds),
        BarrierResult::All(slot) => registers.set_predicate(slot, all(holds == asked), group.mask),
        BarrierResult::Any(slot) => registers.set_predicate(slot, all(holds != 0), group.mask),
    }
}

fn threads(registers: &Registers, barrier: &Barrier, lane: usize) -> u32 {
    if barrier.threads == NONE { 0 } else { registers.word(barrier.threads, lane) }
}
