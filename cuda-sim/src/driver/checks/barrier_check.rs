//! Barriers that not all threads of a block reach.

use super::launch_check::{Findings, Mistake, ThreadPlace};
use cuda_sim_engine::{ObservedArrival, ObservedBlock, Site};
use std::collections::BTreeMap;

/// Threads that have arrived at a barrier since its last completion.
#[derive(Debug, Default)]
struct Arrived {
    /// For each instruction, the first thread and the number of threads.
    places: BTreeMap<Site, (u32, u32)>,
    /// True if the barrier waits for all threads of the block.
    takes_all: bool,
}

/// Barriers of a block.
#[derive(Debug, Default)]
struct BlockBarriers {
    /// By number.
    arrived: BTreeMap<u32, Arrived>,
    /// Instruction at which the first thread ended, that thread, and the number of ended threads.
    ended: Option<(Site, u32, u32)>,
}

/// Barriers of a launch, by block.
#[derive(Debug)]
pub(super) struct BarrierCheck {
    blocks: BTreeMap<u64, BlockBarriers>,
    /// Threads of a block.
    threads: u32,
}

impl BarrierCheck {
    pub(super) fn new(threads: u32) -> BarrierCheck {
        BarrierCheck { blocks: BTreeMap::new(), threads }
    }

    pub(super) fn arrive(&mut self, arrival: &ObservedArrival<'_>) {
        let block = self.blocks.entry(arrival.block.number).or_default();
        let arrived = block.arrived.entry(arrival.barrier).or_default();
        arrived.takes_all = arrival.takes_all;
        let first = arrival.threads.first().copied().unwrap_or(0);
        let (_, count) = arrived.places.entry(arrival.site).or_insert((first, 0));
        *count += arrival.threads.len() as u32;
    }

    pub(super) fn complete(&mut self, block: ObservedBlock, barrier: u32, findings: &mut Findings) {
        let Some(known) = self.blocks.get_mut(&block.number) else { return };
        let Some(arrived) = known.arrived.remove(&barrier).filter(|arrived| arrived.takes_all) else {
            return;
        };
        let mut places = arrived.places.into_iter();
        let Some((site, (thread, count))) = places.next() else { return };
        let at = ThreadPlace { site, block: block.index, thread };
        let others: Vec<(Site, u32)> = places.map(|(site, (_, count))| (site, count)).collect();
        let all = others.iter().fold(count, |all, (_, count)| all + count);
        if !others.is_empty() {
            findings.note(at, Mistake::Apart(others));
        } else if let Some((site, thread, ended)) = known.ended {
            let ended_at = ThreadPlace { site, block: block.index, thread };
            findings.note(at, Mistake::Missed(all, ended_at, ended));
        }
    }

    pub(super) fn exit(&mut self, site: Site, block: ObservedBlock, threads: &[u32]) {
        let known = self.blocks.entry(block.number).or_default();
        let first = threads.first().copied().unwrap_or(0);
        let (.., count) = known.ended.get_or_insert((site, first, 0));
        *count += threads.len() as u32;
        if *count >= self.threads {
            self.blocks.remove(&block.number);
        }
    }
}
