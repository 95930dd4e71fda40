//! A block: its warps, its shared memory, its barriers.

use super::barrier::Barriers;
use super::grid::Grid;
use super::interpret::Outcome;
use super::space::Trouble;
use super::warp::{Wait, Warp};
use crate::exec::fault::FaultKind;

/// Which block it is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockIndex {
    pub(super) index: [u32; 3],
    /// The same, counted through.
    pub(super) number: u64,
}

/// What the warps of a block share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) bytes: Vec<u8>,
    pub(super) barriers: Barriers,
    /// Lanes that have not exited, by warp.
    pub(super) live: Vec<u32>,
    /// What `%clock` reads: it only has to move on.
    pub(super) ticks: u64,
}

/// A block in progress.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) index: BlockIndex,
    shared: Shared,
    warps: Vec<Warp>,
}

/// Where a block stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Finished,
    /// It could go on, but others may have their turn.
    Suspended,
}

/// How many rounds through its warps a block gets before others have their turn.
const ROUNDS: u32 = 64;

/// Shared memory is handed out in such units; an access just past the variables of a block does not fault.
const SHARED_UNIT: usize = 1024;

impl Block {
    pub(super) fn new(grid: &Grid<'_>, index: BlockIndex) -> Self {
        let mut block = Self {
            index,
            shared: Shared {
                bytes: vec![0; (grid.shared_bytes as usize).next_multiple_of(SHARED_UNIT).max(SHARED_UNIT)],
                barriers: Barriers::new(grid.warps),
                live: Vec::new(),
                ticks: 0,
            },
            warps: (0..grid.warps).map(|warp| Warp::new(grid, &index, warp, grid.lanes_of(warp))).collect(),
        };
        block.shared.live = block.warps.iter().map(|warp| warp.live).collect();
        block
    }

    /// Begins another block in the same memory.
    pub(super) fn restart(&mut self, grid: &Grid<'_>, index: BlockIndex) {
        self.index = index;
        self.shared.bytes.fill(0);
        self.shared.barriers.reset();
        self.shared.ticks = 0;
        for warp in &mut self.warps {
            warp.restart(grid, &index, grid.lanes_of(warp.index));
        }
        self.shared.live = self.warps.iter().map(|warp| warp.live).collect();
    }

    /// Runs until everything is done, nothing can go on, or enough has been done for now.
    pub(super) fn run(&mut self, grid: &Grid<'_>) -> Result<Progress, (u32, Trouble, u32)> {
        for _ in 0..ROUNDS {
            let mut finished = true;
            let mut moved = false;
            for warp in &mut self.warps {
                if warp.live == 0 {
                    continue;
                }
                finished = false;
                warp.wake(&self.shared.barriers);
                match warp.run(grid, &mut self.shared, &self.index) {
                    Ok(Outcome::Moved) => moved = true,
                    Ok(Outcome::Stuck) => {}
                    Err((trouble, line)) => return Err((warp.index, trouble, line)),
                }
            }
            if finished {
                return Ok(Progress::Finished);
            }
            if !moved && !self.someone_may_wake() {
                return Err(self.deadlock(grid));
            }
        }
        Ok(Progress::Suspended)
    }

    fn someone_may_wake(&self) -> bool {
        self.warps
            .iter()
            .flat_map(|warp| &warp.groups)
            .any(|group| group.wait == Wait::Ready || self.shared.barriers.is_over(group.wait))
    }

    /// Says where the first waiting thread waits.
    fn deadlock(&self, grid: &Grid<'_>) -> (u32, Trouble, u32) {
        let waiting = self.warps.iter().find_map(|warp| Some((warp, warp.groups.first()?)));
        let Some((warp, group)) = waiting else {
            return (0, Trouble::new(FaultKind::Deadlock, 0, ""), 0);
        };
        let (step, what) = match group.wait {
            Wait::Barrier { number, .. } => (group.pc.saturating_sub(1), format!("at barrier {number}")),
            Wait::Collective { members, .. } => (group.pc, format!("for the lanes {members:#010x}")),
            Wait::Ready => (group.pc, String::new()),
        };
        let function = warp.frames.get(group.frame).map_or(0, |frame| frame.function);
        let line = grid.line(function, step);
        let lane = group.mask.trailing_zeros() as usize;
        (warp.index, Trouble::new(FaultKind::Deadlock, lane, format!("it waits {what}")), line)
    }
}
