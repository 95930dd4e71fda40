//! A warp: its calls, and the groups of lanes at different positions.

use super::block::BlockIndex;
use super::constants::{fill, fill_lanes, is_of_lane, of_call, of_lanes};
use super::grid::{Grid, Image};
use super::indirect_call::give_results;
use super::memory_backend::Local;
use super::registers::{LANES, Registers};
use super::stack::{MAX_LOCAL, Stack};
use super::warp_memory::LaneFault;
use crate::fault::FaultKind;
use crate::function::Function;
use crate::memory::SegmentCache;
use crate::op::{CallSite, Place, Slot};

/// Least local memory of a call: a return address and some saved registers.
const MIN_FRAME: u32 = 64;

/// Limit of the backward branches and calls of a group before another group has its turn.
pub(super) const PATIENCE: u32 = 4096;

/// Call in progress.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) function: usize,
    pub(super) registers: Registers,
    /// Frame and step to return to. The call is the step before.
    pub(super) caller: usize,
    pub(super) return_to: u32,
    /// Lanes that have not returned yet.
    lanes: u32,
    pub(super) stack: Stack,
    pub(super) depth: u32,
}

/// State of a group: ready, or what it waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    Ready,
    /// Sleep until the block's clock reaches `until` cycles.
    Sleep {
        until: u64,
    },
    /// Wait at a barrier of the block, in its generation.
    Barrier {
        number: u8,
        generation: u64,
        result: BarrierResult,
    },
    /// Wait until each live warp of the warpgroup has arrived at this number of `wgmma` products.
    ProductStart {
        count: u64,
    },
    /// Wait until each live warp of the warpgroup has executed this number of `wgmma` products.
    Products {
        count: u64,
    },
    /// Wait at an operation that needs all lanes of `members`. The position is that of the operation.
    Collective {
        members: u32,
        synchronize: bool,
    },
}

/// Result that a group needs from a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BarrierResult {
    Nothing,
    Count(Slot),
    All(Slot),
    Any(Slot),
}

/// Lanes at one position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) frame: usize,
    pub(super) pc: u32,
    pub(super) mask: u32,
    /// Place in the order of turns. A group that yields gets a number above those of all other
    /// ready groups. Groups with smaller numbers run first.
    pub(super) turn: u32,
    /// Backward branches and calls that remain before it must yield.
    pub(super) patience: u32,
    pub(super) wait: Wait,
}

/// A warp.
#[derive(Debug)]
pub(super) struct Warp {
    pub(super) index: u32,
    pub(super) frames: Vec<Frame>,
    free: Vec<usize>,
    pub(super) groups: Vec<Group>,
    /// Lanes that have not exited.
    pub(super) live: u32,
    pub(super) local: Local,
    pub(super) cache: SegmentCache,
}

/// Index of a frame that does not exist.
pub(super) const NO_FRAME: usize = usize::MAX;

impl Warp {
    /// Creates a warp whose lanes below `count` are about to begin the kernel.
    pub(super) fn new(grid: &Grid<'_>, block: &BlockIndex, index: u32, count: u32) -> Self {
        let mut warp = Self {
            index,
            frames: Vec::new(),
            free: Vec::new(),
            groups: Vec::new(),
            live: 0,
            local: Local::default(),
            cache: SegmentCache::default(),
        };
        warp.restart(grid, block, count);
        warp
    }

    /// Frees the calls, whose registers have constants of the launch, and their memory.
    pub(super) fn forget_launch(&mut self) {
        self.frames = Vec::new();
        self.local = Local::default();
        self.cache = SegmentCache::default();
    }

    /// Starts another block with the same memory.
    pub(super) fn restart(&mut self, grid: &Grid<'_>, block: &BlockIndex, count: u32) {
        self.live = if count >= 32 { u32::MAX } else { (1 << count) - 1 };
        self.groups.clear();
        self.local.clear();
        self.free.clear();
        let mut frame = 0;
        if !self.reuse_only_frame(grid, block) {
            self.free.extend((0..self.frames.len()).rev());
            match self.enter(grid, block, grid.kernel_function, NO_FRAME, 0, self.live) {
                Ok(entered) => frame = entered,
                // The first frame always fits. Only calls can exhaust the memory.
                Err(_) => return,
            }
        }
        self.groups.push(Group {
            frame,
            pc: 0,
            mask: self.live,
            turn: 0,
            patience: PATIENCE,
            wait: Wait::Ready,
        });
    }

    /// Starts another block in the frame of the kernel, if there is no other frame.
    fn reuse_only_frame(&mut self, grid: &Grid<'_>, block: &BlockIndex) -> bool {
        let ([frame], Some(Some(image))) =
            (self.frames.as_mut_slice(), grid.images.get(grid.kernel_function))
        else {
            return false;
        };
        frame.lanes = self.live;
        frame.stack.free();
        self.local.reserve(image.local);
        for &(place, constant) in &image.of_block {
            if let Some(value) = of_call(grid, block, self.index, 0, constant) {
                fill(&mut frame.registers, place, value);
            }
        }
        true
    }

    /// Creates a frame for a call of `function` by the lanes of `mask`.
    pub(super) fn enter(
        &mut self,
        grid: &Grid<'_>,
        block: &BlockIndex,
        function: usize,
        caller: usize,
        return_to: u32,
        mask: u32,
    ) -> Result<usize, LaneFault> {
        let lane = mask.trailing_zeros() as usize % LANES;
        let Some(Some(image)) = grid.images.get(function) else {
            let lacking = grid.functions.get(function).and_then(|function| function.unsupported.as_ref());
            if let Some(reason) = lacking {
                return Err(LaneFault::new(FaultKind::Unsupported, lane, reason.as_str()));
            }
            return Err(LaneFault::new(FaultKind::InvalidProgramCounter, lane, "function without a body"));
        };
        let (base, depth) = match self.frames.get(caller) {
            // Variables are aligned to at most 16 bytes.
            Some(frame) => (frame.stack.end().next_multiple_of(16), frame.depth + 1),
            None => (0, 0),
        };
        let stack = Stack::new(base, image.local.max(MIN_FRAME));
        if caller != NO_FRAME && stack.end() > MAX_LOCAL {
            return Err(LaneFault::new(FaultKind::StackOverflow, lane, format!("calls {depth} deep")));
        }
        self.local.reserve(base.saturating_add(image.local));
        // A frame that held the same function before has its constants already. Its other registers keep their old
        // values, because PTX leaves unwritten registers undefined.
        let reuse = self.free.iter().rposition(|&index| self.frames[index].function == function);
        let index = match reuse {
            Some(position) => {
                let index = self.free.remove(position);
                let frame = &mut self.frames[index];
                frame.caller = caller;
                frame.return_to = return_to;
                frame.lanes = mask;
                frame.stack = stack;
                frame.depth = depth;
                index
            }
            None => {
                let registers = self.first_registers(grid, image);
                self.frames.push(Frame { function, registers, caller, return_to, lanes: mask, stack, depth });
                self.frames.len() - 1
            }
        };
        let frame = &mut self.frames[index];
        for &(place, constant) in &image.varying {
            if let Some(value) = of_call(grid, block, self.index, base, constant) {
                fill(&mut frame.registers, place, value);
            }
        }
        Ok(index)
    }

    /// Returns the registers of a function, filled with all values that are the same in all its calls by this warp.
    fn first_registers(&self, grid: &Grid<'_>, image: &Image) -> Registers {
        let mut registers = image.registers.clone();
        for &(place, constant) in &image.varying {
            if is_of_lane(constant) {
                fill_lanes(&mut registers, place, &of_lanes(grid, self.index, constant));
            }
        }
        registers
    }

    /// Removes `mask` from a frame. A frame without lanes can be reused.
    pub(super) fn leave(&mut self, index: usize, mask: u32) {
        let Some(frame) = self.frames.get_mut(index) else { return };
        if frame.lanes == 0 {
            return;
        }
        frame.lanes &= !mask;
        if frame.lanes == 0 {
            self.free.push(index);
        }
    }

    /// Ends lanes at any depth of a chain of calls.
    pub(super) fn exit(&mut self, mut frame: usize, mask: u32) {
        self.live &= !mask;
        while let Some(caller) = self.frames.get(frame).map(|frame| frame.caller) {
            self.leave(frame, mask);
            frame = caller;
        }
        // Groups that wait for all live lanes may have waited for these.
        for group in &mut self.groups {
            if matches!(group.wait, Wait::Collective { .. }) {
                group.wait = Wait::Ready;
            }
        }
    }

    /// Enters a function for a group at a call. The group continues in the new frame.
    pub(super) fn call(
        &mut self,
        grid: &Grid<'_>,
        block: &BlockIndex,
        group: &mut Group,
        site: &CallSite,
        mask: u32,
    ) -> Result<(), LaneFault> {
        let frame = self.enter(grid, block, site.function, group.frame, group.pc + 1, mask)?;
        let [caller, callee] = match self.frames.get_disjoint_mut([group.frame, frame]) {
            Ok(frames) => frames,
            Err(_) => return Ok(()),
        };
        for transfer in &site.arguments {
            transfer_value(&caller.registers, &mut callee.registers, transfer.from, transfer.to, mask);
        }
        if mask != group.mask {
            self.groups.push(Group { mask: group.mask & !mask, pc: group.pc + 1, ..*group });
        }
        *group = Group { frame, pc: 0, mask, ..*group };
        Ok(())
    }

    /// Returns the lanes of `mask` of a group to the caller. The rest of the group stays.
    pub(super) fn return_lanes(&mut self, functions: &[Function], group: &mut Group, mask: u32) {
        use crate::op::Op;
        let frame = group.frame;
        let Some((caller, return_to)) = self.frames.get(frame).map(|frame| (frame.caller, frame.return_to))
        else {
            return;
        };
        if let Ok([callee, caller]) = self.frames.get_disjoint_mut([frame, caller]) {
            let call = functions
                .get(caller.function)
                .and_then(|function| function.steps.get(return_to.saturating_sub(1) as usize));
            if let (Some(Op::CallIndirect(site)), Some(function)) =
                (call.map(|step| &step.op), functions.get(callee.function))
            {
                give_results(function, site, &callee.registers, &mut caller.registers, mask);
            }
            if let Some(Op::Call(site)) = call.map(|step| &step.op) {
                for transfer in &site.results {
                    transfer_value(
                        &callee.registers,
                        &mut caller.registers,
                        transfer.from,
                        transfer.to,
                        mask,
                    );
                }
            }
        }
        self.leave(frame, mask);
        if mask != group.mask {
            self.groups.push(Group { mask: group.mask & !mask, pc: group.pc + 1, ..*group });
        }
        *group = Group { frame: caller, pc: return_to, mask, ..*group };
    }

    /// Returns the index of the group that should run next.
    #[inline]
    pub(super) fn next_group(&self) -> Option<usize> {
        // Usually all lanes are one group.
        if let [group] = self.groups.as_slice() {
            return (group.wait == Wait::Ready).then_some(0);
        }
        let depth = |group: &Group| self.frames.get(group.frame).map_or(0, |frame| frame.depth);
        let ready = self.groups.iter().enumerate().filter(|(_, group)| group.wait == Wait::Ready);
        let first = ready.min_by_key(|(_, group)| (group.turn, u32::MAX - depth(group), group.pc));
        first.map(|(index, _)| index)
    }

    /// Joins all other ready groups at the same position to a group.
    pub(super) fn join(&mut self, group: &mut Group) {
        if self.groups.is_empty() {
            return;
        }
        self.groups.retain(|other| {
            let same = other.wait == Wait::Ready && other.frame == group.frame && other.pc == group.pc;
            if same {
                group.mask |= other.mask;
                group.turn = group.turn.max(other.turn);
                group.patience = group.patience.min(other.patience);
            }
            !same
        });
    }

    /// Joins all other groups at the same position to a group. Does nothing unless all other groups
    /// are ready, have the same frame and turn, and none is further back. Then
    /// [`next_group`](Self::next_group) would choose this group. Returns whether the group was
    /// joined and has patience left, so that it may continue.
    pub(super) fn join_and_stay(&mut self, group: &mut Group) -> bool {
        let stays = self.groups.iter().all(|other| {
            let alike = other.turn == group.turn && other.frame == group.frame;
            other.wait == Wait::Ready && alike && other.pc >= group.pc
        });
        if stays {
            self.join(group);
        }
        stays && group.patience != 0
    }

    /// Returns the next position at which a group meets another group of its frame.
    pub(super) fn limit(&self, group: &Group) -> u32 {
        let others = self
            .groups
            .iter()
            .filter(|other| other.wait == Wait::Ready && other.frame == group.frame && other.pc > group.pc);
        others.map(|other| other.pc).min().unwrap_or(u32::MAX)
    }
}

pub(super) fn transfer_value(from: &Registers, to: &mut Registers, source: Place, target: Place, mask: u32) {
    use crate::op::NONE;
    match (source, target) {
        (Place::Word(NONE) | Place::Predicate(NONE), _) | (_, Place::Word(NONE) | Place::Predicate(NONE)) => {
        }
        (Place::Word(a), Place::Word(d)) => {
            for lane in super::registers::lanes(mask) {
                to.set_word(d, lane, from.word(a, lane));
            }
        }
        (Place::Long(a), Place::Long(d)) => {
            for lane in super::registers::lanes(mask) {
                to.set_long(d, lane, from.long(a, lane));
            }
        }
        (Place::Predicate(a), Place::Predicate(d)) => {
            to.set_predicate(d, from.predicates[a as usize], mask);
        }
        _ => {}
    }
}
