//! A warp: its calls, and the groups of lanes that are at different places.

use super::super::function::{Constant, Function, Special};
use super::super::memory::SegmentCache;
use super::super::op::{CallSite, Place, Slot};
use super::super::{LOCAL_WINDOW, SHARED_WINDOW};
use super::block::BlockIndex;
use super::grid::Grid;
use super::registers::{LANES, Registers};
use super::space::{Local, Trouble};
use crate::exec::fault::FaultKind;

/// Local memory that a thread may use, as much as any device gives. Recursion ends here.
const MAX_LOCAL: u32 = 512 << 10;
/// What a call takes of it at least: a return address and some saved registers.
const MIN_FRAME: u32 = 64;

/// Backward branches that a group may take before another one has its turn.
pub(super) const PATIENCE: u32 = 4096;

/// One call in progress.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) function: usize,
    pub(super) registers: Registers,
    /// The frame and the step to return to; the step before that is the call.
    pub(super) caller: usize,
    pub(super) return_to: u32,
    /// Lanes that have not returned yet.
    lanes: u32,
    local_base: u32,
    local_size: u32,
    pub(super) depth: u32,
}

/// Why a group does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    Ready,
    /// At a barrier of the block, in its generation.
    Barrier {
        number: u8,
        generation: u64,
        result: BarrierResult,
    },
    /// At an operation that needs all lanes of `members`.
    Collective {
        members: u32,
        synchronize: bool,
    },
}

/// What a group wants to learn from a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BarrierResult {
    Nothing,
    Count(Slot),
    All(Slot),
    Any(Slot),
}

/// Lanes at one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) frame: usize,
    pub(super) pc: u32,
    pub(super) mask: u32,
    /// How often it had to give way; those that did less often go first.
    pub(super) turn: u32,
    /// Backward branches that it may still take before it has to.
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

/// The index of a frame that is not there.
pub(super) const NO_FRAME: usize = usize::MAX;

impl Warp {
    /// A warp whose lanes below `count` are about to begin the kernel.
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

    /// Begins another block with the same memory.
    pub(super) fn restart(&mut self, grid: &Grid<'_>, block: &BlockIndex, count: u32) {
        self.live = if count >= 32 { u32::MAX } else { (1 << count) - 1 };
        self.groups.clear();
        self.local.clear();
        self.free = (0..self.frames.len()).rev().collect();
        // The first frame has room, whatever the kernel is: only calls can run out of it.
        if let Ok(frame) = self.enter(grid, block, grid.kernel_function, NO_FRAME, 0, self.live) {
            self.groups.push(Group {
                frame,
                pc: 0,
                mask: self.live,
                turn: 0,
                patience: PATIENCE,
                wait: Wait::Ready,
            });
        }
    }

    /// Makes a frame for a call of `function` by the lanes of `mask`.
    pub(super) fn enter(
        &mut self,
        grid: &Grid<'_>,
        block: &BlockIndex,
        function: usize,
        caller: usize,
        return_to: u32,
        mask: u32,
    ) -> Result<usize, Trouble> {
        let lane = mask.trailing_zeros() as usize % LANES;
        let Some(Some(image)) = grid.images.get(function) else {
            return Err(Trouble::new(FaultKind::InvalidProgramCounter, lane, "function without a body"));
        };
        let (local_base, depth) = match self.frames.get(caller) {
            Some(frame) => (frame.local_base.saturating_add(frame.local_size), frame.depth + 1),
            None => (0, 0),
        };
        let local_size = image.local.max(MIN_FRAME);
        let end = local_base.saturating_add(local_size);
        if caller != NO_FRAME && end > MAX_LOCAL {
            return Err(Trouble::new(FaultKind::StackOverflow, lane, format!("calls {depth} deep")));
        }
        self.local.reserve(local_base.saturating_add(image.local));
        // A frame that held the same function before has registers of the right sizes.
        let reuse = self.free.iter().rposition(|&index| self.frames[index].function == function);
        let index = match reuse {
            Some(position) => self.free.remove(position),
            None => {
                let registers = image.registers.clone();
                self.frames.push(Frame {
                    function,
                    registers,
                    caller,
                    return_to,
                    lanes: 0,
                    local_base,
                    local_size,
                    depth,
                });
                self.frames.len() - 1
            }
        };
        let frame = &mut self.frames[index];
        frame.caller = caller;
        frame.return_to = return_to;
        frame.lanes = mask;
        frame.local_base = local_base;
        frame.local_size = local_size;
        frame.depth = depth;
        frame.registers.words.copy_from_slice(&image.registers.words);
        frame.registers.longs.copy_from_slice(&image.registers.longs);
        frame.registers.predicates.copy_from_slice(&image.registers.predicates);
        for &(place, constant) in &image.varying {
            fill(&mut frame.registers, place, |lane| {
                varying(grid, block, self.index, lane, local_base, constant)
            });
        }
        Ok(index)
    }

    /// Takes `mask` out of a frame; without lanes it can be used again.
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

    /// Ends lanes wherever they are in a chain of calls.
    pub(super) fn exit(&mut self, mut frame: usize, mask: u32) {
        self.live &= !mask;
        while let Some(caller) = self.frames.get(frame).map(|frame| frame.caller) {
            self.leave(frame, mask);
            frame = caller;
        }
        // Those who wait for all live lanes may have waited for these.
        for group in &mut self.groups {
            if matches!(group.wait, Wait::Collective { .. }) {
                group.wait = Wait::Ready;
            }
        }
    }

    /// Enters a function for a group that stands at the call; the group goes on in the new frame.
    pub(super) fn call(
        &mut self,
        grid: &Grid<'_>,
        block: &BlockIndex,
        group: &mut Group,
        site: &CallSite,
        mask: u32,
    ) -> Result<(), Trouble> {
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

    /// Returns the lanes of `mask` of a group to the caller; the rest of the group stays behind.
    pub(super) fn give_back(&mut self, functions: &[Function], group: &mut Group, mask: u32) {
        use super::super::op::Op;
        let frame = group.frame;
        let Some((caller, return_to)) = self.frames.get(frame).map(|frame| (frame.caller, frame.return_to))
        else {
            return;
        };
        if let Ok([callee, caller]) = self.frames.get_disjoint_mut([frame, caller]) {
            let call = functions
                .get(caller.function)
                .and_then(|function| function.steps.get(return_to.saturating_sub(1) as usize));
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

    /// Takes the group that should run next, joined with all others at its place.
    pub(super) fn pick(&mut self) -> Option<Group> {
        let depth = |group: &Group| self.frames.get(group.frame).map_or(0, |frame| frame.depth);
        let (index, _) = self
            .groups
            .iter()
            .enumerate()
            .filter(|(_, group)| group.wait == Wait::Ready)
            .min_by_key(|(_, group)| (group.turn, u32::MAX - depth(group), group.pc))?;
        let mut group = self.groups.swap_remove(index);
        self.join(&mut group);
        Some(group)
    }

    /// Joins to a group all others that are ready at its place.
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

    /// The next place at which a group meets another one of its frame.
    pub(super) fn limit(&self, group: &Group) -> u32 {
        let others = self
            .groups
            .iter()
            .filter(|other| other.wait == Wait::Ready && other.frame == group.frame && other.pc > group.pc);
        others.map(|other| other.pc).min().unwrap_or(u32::MAX)
    }
}

fn transfer_value(from: &Registers, to: &mut Registers, source: Place, target: Place, mask: u32) {
    use super::super::op::NONE;
    match (source, target) {
        (Place::Word(NONE), _) | (_, Place::Word(NONE)) => {}
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

/// Fills all lanes of a register.
pub(super) fn fill(registers: &mut Registers, place: Place, value: impl Fn(usize) -> u64) {
    for lane in 0..LANES {
        match place {
            Place::Word(slot) => registers.set_word(slot, lane, value(lane) as u32),
            Place::Long(slot) => registers.set_long(slot, lane, value(lane)),
            Place::Predicate(slot) => {
                registers.set_predicate(slot, if value(lane) != 0 { u32::MAX } else { 0 }, 1 << lane);
            }
        }
    }
}

/// Whether a constant is the same for all calls of a function in a launch.
pub(super) fn is_fixed(constant: Constant) -> bool {
    match constant {
        Constant::Local(_) | Constant::LocalGeneric(_) => false,
        Constant::Special(special) => !matches!(
            special,
            Special::Thread(_)
                | Special::Block(_)
                | Special::Lane
                | Special::Warp
                | Special::LaneMaskEqual
                | Special::LaneMaskLess
                | Special::LaneMaskLessEqual
                | Special::LaneMaskGreater
                | Special::LaneMaskGreaterEqual
                | Special::Multiprocessor
        ),
        _ => true,
    }
}

/// The value of a constant that depends on the thread or the call.
fn varying(
    grid: &Grid<'_>,
    block: &BlockIndex,
    warp: u32,
    lane: usize,
    local_base: u32,
    constant: Constant,
) -> u64 {
    let local = |offset: i64| u64::from(local_base).wrapping_add_signed(offset);
    let special = match constant {
        Constant::Local(offset) => return local(offset),
        Constant::LocalGeneric(offset) => return LOCAL_WINDOW.wrapping_add(local(offset)),
        Constant::Special(special) => special,
        _ => return fixed(grid, constant),
    };
    let bit = 1u32 << lane;
    let value = match special {
        Special::Thread(axis) => grid.thread(warp * LANES as u32 + lane as u32)[usize::from(axis.min(2))],
        Special::Block(axis) => block.index[usize::from(axis.min(2))],
        Special::Lane => lane as u32,
        Special::Warp => warp,
        Special::LaneMaskEqual => bit,
        Special::LaneMaskLess => bit - 1,
        Special::LaneMaskLessEqual => (bit - 1) | bit,
        Special::LaneMaskGreater => !((bit - 1) | bit),
        Special::LaneMaskGreaterEqual => !(bit - 1),
        Special::Multiprocessor => (block.number % u64::from(MULTIPROCESSORS)) as u32,
        _ => return fixed(grid, constant),
    };
    u64::from(value)
}

/// How many multiprocessors blocks believe to be on.
const MULTIPROCESSORS: u32 = 132;

/// The value of a constant that is the same for a whole launch.
pub(super) fn fixed(grid: &Grid<'_>, constant: Constant) -> u64 {
    let shared = |index: usize, addend: i64| {
        let offsets = &grid.kernel.shared_offsets;
        let offset = offsets.iter().find(|(variable, _)| *variable == index).map_or(0, |(_, offset)| *offset);
        u64::from(offset).wrapping_add_signed(addend)
    };
    let special = match constant {
        Constant::Bits(bits) => return bits,
        Constant::Global(index, addend) => {
            let address = grid.launch.globals.get(index).copied().unwrap_or(0);
            return address.wrapping_add_signed(addend);
        }
        Constant::Shared(index, addend) => return shared(index, addend),
        Constant::SharedGeneric(index, addend) => return SHARED_WINDOW.wrapping_add(shared(index, addend)),
        Constant::Function(index) => return super::super::program::function_address(index),
        Constant::Local(_) | Constant::LocalGeneric(_) => return 0,
        Constant::Special(special) => special,
    };
    let value = match special {
        Special::BlockSize(axis) => grid.launch.block[usize::from(axis.min(2))],
        Special::GridSize(axis) => grid.launch.grid[usize::from(axis.min(2))],
        Special::WarpCount => grid.warps,
        Special::MultiprocessorCount => MULTIPROCESSORS,
        Special::DynamicShared => grid.launch.dynamic_shared,
        Special::TotalShared => grid.shared_bytes,
        Special::GridId | Special::One => 1,
        _ => 0,
    };
    u64::from(value)
}
