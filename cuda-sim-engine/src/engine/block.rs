//! A block: its warps, its shared memory, its barriers.

use super::barrier::{Barriers, CLUSTER, ClusterArrivals};
use super::clock::Clock;
use super::cluster_memory::ClusterMemory;
use super::grid::Grid;
use super::interpret::Outcome;
use super::random_order::Random;
use super::warp::{Wait, Warp};
use super::warp_memory::LaneFault;
use crate::fault::FaultKind;
use crate::observer::Site;

/// Index of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockIndex {
    pub(super) index: [u32; 3],
    /// Index in the grid as one number.
    pub(super) number: u64,
    /// Number of its cluster.
    pub(super) cluster: u64,
    /// Index in the cluster, as coordinates and as one number.
    pub(super) in_cluster: [u32; 3],
    pub(super) rank: u32,
}

/// State that the warps of a block share.
#[derive(Debug)]
pub(super) struct Shared {
    /// Shared memory.
    pub(super) memory: Vec<u32>,
    pub(super) cluster: ClusterMemory,
    pub(super) barriers: Barriers,
    /// Lanes that have not exited, by warp.
    pub(super) live: Vec<u32>,
    pub(super) clock: Clock,
    /// Set when a thread reads memory in the manner of a wait for other threads.
    pub(super) watches: bool,
}

/// Block in progress.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) index: BlockIndex,
    shared: Shared,
    warps: Vec<Warp>,
    /// Order of the turns of the warps.
    sequence: Vec<u32>,
    random: Option<Random>,
    /// Number of finished turns of this round, and whether a warp has progressed in one of them.
    turns: usize,
    moved: bool,
    /// Number of warps with threads that have not exited.
    live: usize,
    /// State after the last run: whether a warp has progressed, and whether no warp can continue.
    has_moved: bool,
    is_stuck: bool,
}

/// State of a block, or of a whole launch, at a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nothing is left to do.
    Finished,
    /// More work is left, and other blocks may run first.
    Suspended,
}

/// Steps of a warp before the next warp of its block has its turn.
const TURN: u64 = 1 << 13;

/// Same as [`TURN`], for a block that seemed to wait for other blocks in its last run.
const WATCHING_TURN: u64 = 1 << 11;

/// Unit of shared memory. An access just past the variables of a block does not fault.
const SHARED_UNIT: usize = 1024;

impl Block {
    pub(super) fn new(grid: &Grid<'_>, index: BlockIndex) -> Self {
        let mut block = Self {
            index,
            shared: Shared {
                memory: vec![
                    0;
                    (grid.shared_bytes as usize).next_multiple_of(SHARED_UNIT).max(SHARED_UNIT) / 4
                ],
                cluster: ClusterMemory::default(),
                barriers: Barriers::new(grid.cluster_blocks() > 1),
                live: Vec::new(),
                clock: Clock::default(),
                watches: false,
            },
            warps: (0..grid.warps).map(|warp| Warp::new(grid, &index, warp, grid.lanes_of(warp))).collect(),
            sequence: Vec::new(),
            random: None,
            turns: 0,
            moved: false,
            live: 0,
            has_moved: false,
            is_stuck: false,
        };
        block.begin(grid);
        block
    }

    pub(super) fn forget_launch(&mut self) {
        self.warps.iter_mut().for_each(Warp::forget_launch);
    }

    /// Starts another block in the same memory.
    pub(super) fn restart(&mut self, grid: &Grid<'_>, index: BlockIndex) {
        self.index = index;
        self.shared.memory.fill(0);
        self.shared.barriers.reset();
        self.shared.clock = Clock::default();
        self.shared.watches = false;
        for warp in &mut self.warps {
            warp.restart(grid, &index, grid.lanes_of(warp.index));
        }
        self.begin(grid);
    }

    fn begin(&mut self, grid: &Grid<'_>) {
        self.shared.cluster.rank = self.index.rank;
        self.shared.live.clear();
        self.shared.live.extend(self.warps.iter().map(|warp| warp.live));
        self.live = self.warps.len();
        self.sequence.clear();
        self.sequence.extend(0..grid.warps);
        self.random = grid.launch.order.map(|seed| Random::new(seed, self.index.number));
        self.begin_round();
    }

    fn begin_round(&mut self) {
        self.turns = 0;
        self.moved = false;
        if let Some(random) = &mut self.random {
            random.shuffle(&mut self.sequence);
        }
    }

    /// Returns the number of executed steps.
    pub(super) fn steps(&self) -> u64 {
        self.shared.clock.steps
    }

    /// Returns the number of cycles so far.
    pub(super) fn cycles(&self) -> u64 {
        self.shared.clock.cycles()
    }

    /// Returns whether the block seemed to wait for other blocks in its last run.
    pub(super) fn watches(&self) -> bool {
        self.shared.watches
    }

    /// Returns whether no warp could continue in the last run. The block then waits for another block of its cluster,
    /// or forever.
    pub(super) fn is_stuck(&self) -> bool {
        self.is_stuck
    }

    /// Returns whether a warp progressed in the last run.
    pub(super) fn has_moved(&self) -> bool {
        self.has_moved || self.moved
    }

    /// Returns whether all threads have exited.
    pub(super) fn is_finished(&self) -> bool {
        self.live == 0
    }

    /// Takes the shared memory, until it is [given](Self::give_memory) back.
    pub(super) fn take_memory(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.shared.memory)
    }

    pub(super) fn give_memory(&mut self, memory: Vec<u32>) {
        self.shared.memory = memory;
    }

    /// Lends the block the memory of its cluster.
    pub(super) fn lend_cluster(&mut self, blocks: Vec<Vec<u32>>) {
        self.shared.cluster.blocks = blocks;
    }

    pub(super) fn take_cluster(&mut self) -> Vec<Vec<u32>> {
        std::mem::take(&mut self.shared.cluster.blocks)
    }

    /// Returns which threads have arrived at the barrier of the cluster.
    pub(super) fn cluster_arrivals(&self) -> ClusterArrivals {
        self.shared.barriers.cluster_arrivals(&self.shared.live)
    }

    /// Wakes the threads that wait at the barrier of the cluster, which was complete after `cycles`.
    pub(super) fn complete_cluster_barrier(&mut self, cycles: u64) {
        self.shared.barriers.complete(CLUSTER as usize);
        self.shared.clock.skip_to(cycles);
    }

    /// Runs until all threads have exited, no warp can continue, or about `budget` steps are executed. Stops earlier if
    /// the block seems to wait for another block.
    pub(super) fn run(&mut self, grid: &Grid<'_>, budget: u64) -> Result<Progress, (u32, LaneFault, Site)> {
        let begin = self.steps();
        let end = begin.saturating_add(budget);
        let turn_length = if self.shared.watches { WATCHING_TURN } else { TURN };
        self.shared.watches = false;
        (self.has_moved, self.is_stuck) = (false, false);
        while self.live != 0 {
            if self.turns == self.sequence.len() {
                if !self.moved && !self.someone_may_wake() && !self.sleep() {
                    self.is_stuck = true;
                    return Ok(Progress::Suspended);
                }
                self.has_moved |= self.moved;
                self.begin_round();
                // The block may wait for another block, and has had its turn.
                if self.shared.watches && self.steps() - begin >= turn_length {
                    return Ok(Progress::Suspended);
                }
            }
            if self.steps() >= end {
                return Ok(Progress::Suspended);
            }
            let turn = self.sequence.get(self.turns).copied().unwrap_or(0);
            self.turns += 1;
            let Some(warp) = self.warps.get_mut(turn as usize) else { break };
            if warp.live == 0 {
                continue;
            }
            warp.wake(&self.shared.barriers, &self.shared.clock);
            let end = end.min(self.shared.clock.steps.saturating_add(turn_length));
            match warp.run(grid, &mut self.shared, &self.index, end) {
                Ok(Outcome::Moved) => self.moved = true,
                Ok(Outcome::Stuck) => {}
                Err((trouble, site)) => return Err((warp.index, trouble, site)),
            }
            if warp.live == 0 {
                self.live -= 1;
            }
        }
        Ok(Progress::Finished)
    }

    fn someone_may_wake(&self) -> bool {
        let is_awake = |warp: u32, wait| wait == Wait::Ready || self.shared.barriers.is_over(warp, wait);
        self.warps.iter().any(|warp| warp.groups.iter().any(|group| is_awake(warp.index, group.wait)))
    }

    /// Advances the clock to the time at which the first sleeping thread wakes. Returns false if no thread sleeps.
    fn sleep(&mut self) -> bool {
        let groups = self.warps.iter().flat_map(|warp| &warp.groups);
        let first = groups.filter_map(|group| match group.wait {
            Wait::Sleep { until } => Some(until),
            _ => None,
        });
        let Some(first) = first.min() else { return false };
        self.shared.clock.skip_to(first);
        true
    }

    /// Returns the location of a thread that can continue, for a kernel that exceeds its limit.
    pub(super) fn time_over(&self, grid: &Grid<'_>) -> (u32, LaneFault, Site) {
        let mut groups =
            self.warps.iter().flat_map(|warp| warp.groups.iter().map(move |group| (warp, group)));
        let found = groups.clone().find(|(_, group)| group.wait == Wait::Ready).or_else(|| groups.next());
        let text = format!("{} instructions, and no block has ended", grid.launch.limit);
        let Some((warp, group)) = found else {
            return (0, LaneFault::new(FaultKind::Timeout, 0, text), grid.first_site());
        };
        let lane = group.mask.trailing_zeros() as usize;
        (warp.index, LaneFault::new(FaultKind::Timeout, lane, text), warp.site(group, group.pc))
    }

    /// Returns the location of the first waiting thread, and a text about the other waiting threads.
    pub(super) fn deadlock(&self, grid: &Grid<'_>) -> (u32, LaneFault, Site) {
        let mut places: Vec<(Site, String, u32)> = Vec::new();
        for warp in &self.warps {
            for group in &warp.groups {
                let (step, what) = match group.wait {
                    Wait::Barrier { number, .. } if u32::from(number) == CLUSTER => {
                        (group.pc.saturating_sub(1), "at the barrier of the cluster".to_owned())
                    }
                    Wait::Barrier { number, .. } => {
                        (group.pc.saturating_sub(1), format!("at barrier {number}"))
                    }
                    Wait::Collective { members, .. } => (group.pc, format!("for the lanes {members:#010x}")),
                    Wait::ProductStart { .. } => {
                        (group.pc.saturating_sub(1), "for other warps at a product".to_owned())
                    }
                    Wait::Products { .. } => {
                        (group.pc.saturating_sub(1), "for products of other warps".to_owned())
                    }
                    Wait::Ready | Wait::Sleep { .. } => (group.pc, String::new()),
                };
                let (site, threads) = (warp.site(group, step), group.mask.count_ones());
                match places
                    .iter_mut()
                    .find(|(known, text, _)| (*known, text.as_str()) == (site, what.as_str()))
                {
                    Some((_, _, count)) => *count += threads,
                    None => places.push((site, what, threads)),
                }
            }
        }
        let first = self.warps.iter().find_map(|warp| Some((warp, warp.groups.first()?)));
        let (Some((warp, group)), Some((site, what, count))) = (first, places.first()) else {
            return (0, LaneFault::new(FaultKind::Deadlock, 0, ""), grid.first_site());
        };
        let mut text = format!("it waits {what}");
        if *count > 1 {
            text += &format!(", with {}", counted(count - 1, "other thread"));
        }
        for (site, what, count) in &places[1..] {
            text += &format!("; {} {what} at {}", counted(*count, "thread"), grid.place(*site));
        }
        let waiting: u32 = places.iter().map(|(_, _, count)| count).sum();
        if waiting < grid.threads {
            text += &format!("; {} ended", counted(grid.threads - waiting, "thread"));
        }
        let lane = group.mask.trailing_zeros() as usize;
        (warp.index, LaneFault::new(FaultKind::Deadlock, lane, text), *site)
    }
}

/// Formats a count with its noun.
fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
