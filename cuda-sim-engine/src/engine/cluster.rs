//! The blocks of a cluster, which run together. Without clusters, each block is a cluster of its own.

use super::barrier::CLUSTER;
use super::block::{Block, BlockIndex, Progress};
use super::grid::Grid;
use super::observation::observed;
use super::random_order::Random;
use super::warp_memory::LaneFault;
use crate::observer::Site;

/// Steps of the warps of a block before the next block of its cluster has its turn.
const TURN: u64 = 1 << 12;

/// Cluster in progress.
#[derive(Debug)]
pub(super) struct Cluster {
    /// By rank.
    blocks: Vec<Block>,
    /// Order of the turns of the blocks.
    sequence: Vec<usize>,
    random: Option<Random>,
}

/// Fault with its block, its warp and its location.
pub(super) type ClusterFault = Box<(BlockIndex, u32, LaneFault, Site)>;

impl Cluster {
    pub(super) fn new(grid: &Grid<'_>, number: u64) -> Self {
        let blocks = (0..grid.cluster_blocks()).map(|rank| Block::new(grid, grid.block_index(number, rank)));
        let mut cluster = Self { blocks: blocks.collect(), sequence: Vec::new(), random: None };
        cluster.begin(grid, number);
        cluster
    }

    /// Prepares the memory for a launch of the same form.
    pub(super) fn forget_launch(&mut self) {
        self.blocks.iter_mut().for_each(Block::forget_launch);
    }

    /// Starts another cluster in the same memory.
    pub(super) fn restart(&mut self, grid: &Grid<'_>, number: u64) {
        for (rank, block) in (0..).zip(&mut self.blocks) {
            block.restart(grid, grid.block_index(number, rank));
        }
        self.begin(grid, number);
    }

    fn begin(&mut self, grid: &Grid<'_>, number: u64) {
        if self.blocks.len() > 1 {
            self.sequence.clear();
            self.sequence.extend(0..self.blocks.len());
            self.random = grid.launch.order.map(|seed| Random::new(seed, !number));
        }
    }

    /// Returns the number of executed steps.
    pub(super) fn steps(&self) -> u64 {
        self.blocks.iter().map(Block::steps).fold(0, u64::wrapping_add)
    }

    /// Returns the number of cycles of each block.
    pub(super) fn cycles(&self) -> impl Iterator<Item = u64> {
        self.blocks.iter().map(Block::cycles)
    }

    /// Returns whether a block seemed to wait for memory changes by other blocks in its last run.
    pub(super) fn watches(&self) -> bool {
        self.blocks.iter().any(Block::watches)
    }

    /// Runs the blocks, in the same way as [`Block::run`].
    pub(super) fn run(&mut self, grid: &Grid<'_>, budget: u64) -> Result<Progress, ClusterFault> {
        let [block] = self.blocks.as_mut_slice() else { return self.run_together(grid, budget) };
        let (index, outcome) = (block.index, block.run(grid, budget));
        let progress = outcome.map_err(|(warp, fault, site)| Box::new((index, warp, fault, site)))?;
        if block.is_stuck() { Err(self.deadlock(grid)) } else { Ok(progress) }
    }

    #[cold]
    fn run_together(&mut self, grid: &Grid<'_>, budget: u64) -> Result<Progress, ClusterFault> {
        let begin = self.steps();
        loop {
            if let Some(random) = &mut self.random {
                random.shuffle(&mut self.sequence);
            }
            let mut moved = false;
            for turn in 0..self.sequence.len() {
                let rank = self.sequence.get(turn).copied().unwrap_or(0);
                if self.blocks.get(rank).is_none_or(Block::is_finished) {
                    continue;
                }
                self.run_block(grid, rank)?;
                moved |= self.blocks.get(rank).is_some_and(Block::has_moved);
                moved |= self.settle_barrier(grid);
            }
            if self.blocks.iter().all(Block::is_finished) {
                return Ok(Progress::Finished);
            }
            if !moved {
                return Err(self.deadlock(grid));
            }
            if self.watches() || self.steps().wrapping_sub(begin) >= budget {
                return Ok(Progress::Suspended);
            }
        }
    }

    /// Runs one block for a turn. Meanwhile, the block has the memory of the others.
    fn run_block(&mut self, grid: &Grid<'_>, rank: usize) -> Result<(), ClusterFault> {
        let blocks = self.blocks.iter_mut().enumerate();
        let memory =
            blocks.map(|(other, block)| if other == rank { Vec::new() } else { block.take_memory() });
        let memory: Vec<Vec<u32>> = memory.collect();
        let Some(block) = self.blocks.get_mut(rank) else { return Ok(()) };
        block.lend_cluster(memory);
        let (index, outcome) = (block.index, block.run(grid, TURN));
        let memory = block.take_cluster();
        for (other, (block, memory)) in self.blocks.iter_mut().zip(memory).enumerate() {
            if other != rank {
                block.give_memory(memory);
            }
        }
        outcome.map(drop).map_err(|(warp, fault, site)| Box::new((index, warp, fault, site)))
    }

    /// Completes the barrier of the cluster if all threads have arrived. Returns whether it was completed.
    fn settle_barrier(&mut self, grid: &Grid<'_>) -> bool {
        let arrivals = || self.blocks.iter().map(Block::cluster_arrivals);
        if !arrivals().all(|arrivals| arrivals.is_complete) || !arrivals().any(|arrivals| arrivals.has_some) {
            return false;
        }
        let cycles = self.cycles().max().unwrap_or(0);
        for block in &mut self.blocks {
            block.complete_cluster_barrier(cycles);
            if let Some(observer) = &grid.launch.observer {
                observer.complete(observed(&block.index), CLUSTER);
            }
        }
        true
    }

    fn unfinished(&self) -> Option<&Block> {
        self.blocks.iter().find(|block| !block.is_finished()).or(self.blocks.first())
    }

    fn deadlock(&self, grid: &Grid<'_>) -> ClusterFault {
        self.told(grid, Block::deadlock)
    }

    /// Returns the location of a thread that can continue, for a kernel that exceeds its limit.
    pub(super) fn time_over(&self, grid: &Grid<'_>) -> ClusterFault {
        self.told(grid, Block::time_over)
    }

    fn told(&self, grid: &Grid<'_>, tell: fn(&Block, &Grid<'_>) -> (u32, LaneFault, Site)) -> ClusterFault {
        match self.unfinished() {
            Some(block) => {
                let (warp, fault, site) = tell(block, grid);
                Box::new((block.index, warp, fault, site))
            }
            None => {
                let fault = LaneFault::new(crate::fault::FaultKind::Deadlock, 0, "");
                Box::new((BlockIndex::default(), 0, fault, grid.first_site()))
            }
        }
    }
}
