//! The loop over steps.

use super::block::{BlockIndex, Shared};
use super::clock::{SLEEP_STEPS, TURN_STEPS};
use super::grid::Grid;
use super::observation::observed;
use super::registers::lanes;
use super::warp::{BarrierResult, Group, PATIENCE, Wait, Warp};
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::injected::Countdown;
use crate::observer::Site;
use crate::op::{Op, Slot};

/// Limit of the turns of groups before another warp has its turn.
const TURNS: u32 = 16;

/// Approximate number of steps of an iteration of a loop, or of a call.
const LOOP_STEPS: u64 = 8;

/// Result of a turn of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Moved,
    /// All lanes of the warp wait.
    Stuck,
}

/// Reason why a group stopped running.
enum Stop {
    /// The group met another group, or yields.
    Pause,
    /// The group no longer exists.
    Gone,
}

/// Returns the memories that the lanes of a frame can access.
macro_rules! reach {
    ($grid:expr, $shared:expr, $frame:expr, $warp:expr) => {
        WarpMemory {
            registers: &mut $frame.registers,
            memory: $grid.memory,
            cache: &mut $warp.cache,
            shared: &mut $shared.memory,
            cluster: &mut $shared.cluster,
            local: &mut $warp.local,
            stack: &mut $frame.stack,
            params: &$grid.launch.params,
            launch: $grid.launch,
            variables: $grid.variables,
            clock: &mut $shared.clock,
            textures: &$grid.launch.textures,
            products: &mut $shared.barriers.products,
            live: &$shared.live,
            watches: &mut $shared.watches,
        }
    };
}

impl Warp {
    /// Runs groups until all wait or have exited, or the turn ends. The turn ends soon after step `end` of the block at
    /// the latest.
    pub(super) fn run(
        &mut self,
        grid: &Grid<'_>,
        shared: &mut Shared,
        block: &BlockIndex,
        end: u64,
    ) -> Result<Outcome, (LaneFault, Site)> {
        let mut turns = 0;
        shared.clock.work(TURN_STEPS);
        let mut outcome = self.run_only_group(grid, shared, end)?;
        while let Some(index) = self.next_group() {
            let mut group = self.groups.swap_remove(index);
            self.join(&mut group);
            outcome = Outcome::Moved;
            if group.patience == 0 {
                group.patience = PATIENCE;
                turns += 1;
                // The group goes behind all others, so that lanes that wait for lanes of the same warp see them
                // progress.
                let ready = self.groups.iter().filter(|other| other.wait == Wait::Ready);
                group.turn = ready.map(|other| other.turn.saturating_add(1)).max().unwrap_or(0);
                self.groups.push(group);
                if turns > TURNS || shared.clock.steps >= end {
                    break;
                }
                continue;
            }
            let left = end.saturating_sub(shared.clock.steps) / LOOP_STEPS;
            group.patience = group.patience.min(u32::try_from(left).unwrap_or(u32::MAX).max(1));
            let stop = if grid.stepwise {
                self.advance_one(grid, shared, block, &mut group)
            } else {
                self.advance::<false>(grid, shared, block, &mut group)
            };
            match stop {
                Ok(Stop::Pause) => self.groups.push(group),
                Ok(Stop::Gone) => {}
                Err(trouble) => return Err((trouble, self.site(&group, group.pc))),
            }
            self.wake(&shared.barriers, &shared.clock);
        }
        Ok(outcome)
    }

    /// Runs the group of a warp that has no other group, until it waits, has exited, or needs the general loop. The group
    /// stays in its place, because copies of it right after changes are slow.
    fn run_only_group(
        &mut self,
        grid: &Grid<'_>,
        shared: &mut Shared,
        end: u64,
    ) -> Result<Outcome, (LaneFault, Site)> {
        let mut outcome = Outcome::Stuck;
        let left = end.saturating_sub(shared.clock.steps) / LOOP_STEPS;
        let patience = u32::try_from(left).unwrap_or(u32::MAX).max(1);
        while let [group] = self.groups.as_mut_slice() {
            if group.wait != Wait::Ready || group.patience == 0 || grid.stepwise {
                break;
            }
            outcome = Outcome::Moved;
            group.patience = group.patience.min(patience);
            let Some(frame) = self.frames.get_mut(group.frame) else { break };
            let Some(function) = grid.functions.get(frame.function) else { break };
            let mut reach = reach!(grid, shared, frame, self);
            let mask = match grid.level.run(function, &mut reach, group, u32::MAX, true) {
                Ok(mask) => mask,
                Err(fault) => return Err((*fault, Site { function: frame.function, step: group.pc })),
            };
            if mask == 0 || mask != group.mask {
                break;
            }
            match function.steps.get(group.pc as usize).map(|step| &step.op) {
                Some(Op::Barrier(barrier)) => {
                    let Some(number) = barrier.plain else { break };
                    shared.clock.work(1);
                    let generation = shared.barriers.wait_for_all(number, self.index, mask, &shared.live);
                    group.wait = Wait::Barrier { number, generation, result: BarrierResult::Nothing };
                    group.pc += 1;
                    self.wake(&shared.barriers, &shared.clock);
                }
                Some(Op::Exit) => {
                    shared.clock.work(1);
                    let frame = group.frame;
                    self.groups.clear();
                    self.exit_lanes(shared, frame, mask);
                }
                _ => break,
            }
        }
        Ok(outcome)
    }

    /// Ends the lanes of `mask`, which may complete barriers.
    fn exit_lanes(&mut self, shared: &mut Shared, frame: usize, mask: u32) {
        self.exit(frame, mask);
        if let Some(live) = shared.live.get_mut(self.index as usize) {
            *live = self.live;
        }
        shared.barriers.settle(&shared.live);
    }

    /// Runs one step of a group, for launches that count steps.
    #[cold]
    fn advance_one(
        &mut self,
        grid: &Grid<'_>,
        shared: &mut Shared,
        block: &BlockIndex,
        group: &mut Group,
    ) -> Result<Stop, LaneFault> {
        if let Some(code) = grid.countdown.and_then(Countdown::count) {
            return Err(LaneFault::injected(code, group.mask));
        }
        self.count(grid, group);
        let Some(observer) = &grid.launch.observer else {
            return self.advance::<true>(grid, shared, block, group);
        };
        self.observe(grid, &**observer, block, group);
        let before = shared.barriers.generations();
        let stop = self.advance::<true>(grid, shared, block, group);
        for (number, (before, after)) in (0..).zip(before.into_iter().zip(shared.barriers.generations())) {
            if before != after {
                observer.complete(observed(block), number);
            }
        }
        stop
    }

    /// Counts the instruction that a group is about to begin, if it must be counted.
    fn count(&self, grid: &Grid<'_>, group: &Group) {
        let Some(counter) = &grid.launch.counter else { return };
        let Some(frame) = self.frames.get(group.frame) else { return };
        let Some(function) = grid.functions.get(frame.function) else { return };
        let pc = group.pc as usize;
        if let (Some(step), Some(true)) = (function.steps.get(pc), function.begins.get(pc)) {
            counter.count((group.mask & frame.registers.condition(step.guard)).count_ones());
        }
    }

    /// Runs one group until it stops, or for one step if `SINGLE`.
    fn advance<const SINGLE: bool>(
        &mut self,
        grid: &Grid<'_>,
        shared: &mut Shared,
        block: &BlockIndex,
        group: &mut Group,
    ) -> Result<Stop, LaneFault> {
        // Lanes that have skipped steps and wait for the only other group of the warp. They are joined or become a group
        // as soon as that group stops.
        let mut ahead: Option<Group> = None;
        loop {
            let limit = match ahead {
                _ if SINGLE => group.pc.saturating_add(1),
                Some(waiting) => waiting.pc,
                None => self.limit(group),
            };
            let Some(frame) = self.frames.get_mut(group.frame) else { return Ok(Stop::Gone) };
            let Some(function) = grid.functions.get(frame.function) else { return Ok(Stop::Gone) };
            let mut reach = reach!(grid, shared, frame, self);
            let alone = !SINGLE && self.groups.is_empty() && ahead.is_none();
            let mask = grid.level.run(function, &mut reach, group, limit, alone).map_err(|fault| *fault)?;
            if let Some(waiting) = ahead.take() {
                if mask == 0 && group.pc == waiting.pc {
                    group.mask |= waiting.mask;
                    continue;
                }
                self.groups.push(waiting);
            }
            let Some(step) = function.steps.get(group.pc as usize) else { return Ok(Stop::Gone) };
            if group.pc >= limit && mask == 0 {
                if !SINGLE && self.join_and_stay(group) {
                    continue;
                }
                return Ok(Stop::Pause);
            }
            if group.patience == 0 || SINGLE && mask == 0 {
                return Ok(Stop::Pause);
            }
            if mask == 0 {
                // A backward branch may have changed which group it meets next.
                continue;
            }
            shared.clock.work(1);
            match &step.op {
                Op::Branch { target } if alone && *target > group.pc => {
                    ahead = Some(Group { mask, pc: *target, ..*group });
                    group.mask &= !mask;
                    group.pc += 1;
                    continue;
                }
                Op::Branch { target } => {
                    // If only some lanes branch, the others become a group of their own. The group further back runs
                    // first.
                    let backward = *target <= group.pc;
                    group.patience -= u32::from(backward);
                    let taken = Group { mask, pc: *target, ..*group };
                    let rest = Group { mask: group.mask & !mask, pc: group.pc + 1, ..*group };
                    let (behind, ahead) = if backward { (taken, rest) } else { (rest, taken) };
                    self.groups.push(ahead);
                    *group = behind;
                    if !SINGLE && self.join_and_stay(group) {
                        continue;
                    }
                    return Ok(Stop::Pause);
                }
                Op::BranchTable { index, targets } => {
                    group.patience -= 1;
                    self.branch_table(group, *index, targets, mask)?;
                    return Ok(Stop::Gone);
                }
                // Calls can multiply work without backward branches.
                Op::Call(site) => {
                    group.patience -= 1;
                    self.call(grid, block, group, site, mask)?;
                }
                Op::CallIndirect(site) => {
                    group.patience -= 1;
                    self.call_indirect(grid, block, group, site, mask)?;
                }
                Op::Return => {
                    self.return_lanes(grid.functions, group, mask);
                    return Ok(Stop::Pause);
                }
                Op::Exit => {
                    self.exit_lanes(shared, group.frame, mask);
                    group.mask &= !mask;
                    group.pc += 1;
                }
                Op::Barrier(barrier) => match barrier.plain {
                    Some(number) if mask == group.mask => {
                        let generation = shared.barriers.wait_for_all(number, self.index, mask, &shared.live);
                        group.wait = Wait::Barrier { number, generation, result: BarrierResult::Nothing };
                        group.pc += 1;
                        return Ok(Stop::Pause);
                    }
                    _ => self.arrive(shared, group, barrier, mask)?,
                },
                Op::Collective(collective) => {
                    self.join_collective(grid.functions, group, collective, mask);
                }
                Op::Yield => {
                    group.pc += 1;
                    group.patience = 0;
                    shared.clock.work(TURN_STEPS);
                    return Ok(Stop::Pause);
                }
                Op::Sleep { time } => {
                    let times = lanes(mask).map(|lane| frame.registers.word(*time, lane));
                    let until = shared.clock.wake_after(times.max().unwrap_or(0), &grid.launch.timing);
                    shared.clock.work(SLEEP_STEPS);
                    let (pc, wait) = (group.pc + 1, Wait::Sleep { until });
                    self.groups.push(Group { mask, pc, patience: 0, wait, ..*group });
                    group.mask &= !mask;
                    group.pc += 1;
                }
                _ => group.pc += 1,
            }
            if group.mask == 0 {
                return Ok(Stop::Gone);
            }
            if SINGLE || group.patience == 0 || !self.groups.is_empty() {
                return Ok(Stop::Pause);
            }
        }
    }

    /// Returns a step of the function of a group.
    pub(super) fn site(&self, group: &Group, step: u32) -> Site {
        Site { function: self.frames.get(group.frame).map_or(0, |frame| frame.function), step }
    }

    fn branch_table(
        &mut self,
        group: &Group,
        index: Slot,
        targets: &[u32],
        mask: u32,
    ) -> Result<(), LaneFault> {
        let Some(frame) = self.frames.get(group.frame) else { return Ok(()) };
        let mut groups: Vec<Group> = Vec::new();
        for lane in lanes(mask) {
            let index = frame.registers.word(index, lane);
            let Some(&pc) = targets.get(index as usize) else {
                let text = format!("branch {index} of {}", targets.len());
                return Err(LaneFault::new(FaultKind::InvalidProgramCounter, lane, text));
            };
            match groups.iter_mut().find(|other| other.pc == pc) {
                Some(other) => other.mask |= 1 << lane,
                None => groups.push(Group { pc, mask: 1 << lane, ..*group }),
            }
        }
        if mask != group.mask {
            groups.push(Group { pc: group.pc + 1, mask: group.mask & !mask, ..*group });
        }
        self.groups.append(&mut groups);
        Ok(())
    }
}
