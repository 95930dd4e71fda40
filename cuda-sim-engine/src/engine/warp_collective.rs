//! Collective operations of the lanes of a warp: shuffles, votes, matches, reductions.

use super::load_store::read;
use super::registers::{LANES, Registers, lanes};
use super::warp::{Group, Wait, Warp, transfer_value};
use crate::function::Function;
use crate::op::{
    Collective, CollectiveAction, Condition, NONE, Op, Place, Reduction, ShuffleMode, Slot, VoteMode,
};

impl Warp {
    /// Lets the lanes of `mask` of a group reach a collective operation.
    ///
    /// The operation executes once every live lane that it names has reached it, or the same operation at another
    /// position. Until then, the lanes that have reached it wait, and leave the group.
    pub(super) fn join_collective(
        &mut self,
        functions: &[Function],
        group: &mut Group,
        collective: &Collective,
        mask: u32,
    ) {
        let next = group.pc + 1;
        if collective.members == NONE {
            if let Some(frame) = self.frames.get_mut(group.frame) {
                perform(&mut frame.registers, &collective.action, mask);
            }
            group.pc = next;
            return;
        }
        let synchronize = collective.action == CollectiveAction::Synchronize;
        let mut rest = mask;
        let mut stay = 0;
        while rest != 0 {
            let Some(frame) = self.frames.get_mut(group.frame) else { return };
            let first = rest.trailing_zeros() as usize;
            let members = frame.registers.word(collective.members, first);
            let same = rest & frame.registers.equal_to(collective.members, members);
            rest &= !same;
            let wait = Wait::Collective { members, synchronize };
            let waits = |other: &Group| {
                let here = other.frame == group.frame && other.pc == group.pc;
                other.wait == wait && (synchronize || here)
            };
            let waiting =
                self.groups.iter().filter(|&other| waits(other)).fold(0, |all, other| all | other.mask);
            if members & self.live & !(same | waiting) != 0 {
                if !synchronize && self.join_apart(functions, group, &collective.action, (members, same)) {
                    continue;
                }
                self.groups.push(Group { mask: same, wait, ..*group });
                stay |= same;
                continue;
            }
            if synchronize {
                for other in &mut self.groups {
                    if waits(other) {
                        other.wait = Wait::Ready;
                        other.pc += 1;
                    }
                }
                continue;
            }
            self.groups.retain(|other| !waits(other));
            perform(&mut frame.registers, &collective.action, same | waiting);
            group.mask |= waiting;
        }
        group.mask &= !stay;
        group.pc = next;
    }

    /// Executes an operation for the lanes of `same` and for those that wait at the same operation, at any position.
    /// Returns whether these are all live lanes of `members`. If not, nothing changes.
    #[cold]
    fn join_apart(
        &mut self,
        functions: &[Function],
        group: &Group,
        action: &CollectiveAction,
        (members, same): (u32, u32),
    ) -> bool {
        let wait = Wait::Collective { members, synchronize: false };
        let waiting = self.groups.iter().filter(|other| other.wait == wait);
        let lacks = |mask: u32| members & self.live & !mask != 0;
        if lacks(waiting.clone().fold(same, |all, other| all | other.mask)) {
            return false;
        }
        let fixed = with_fixed_registers(action);
        let mut parts = vec![Part { frame: group.frame, action: *action, mask: same }];
        parts.extend(waiting.filter_map(|other| {
            let function = functions.get(self.frames.get(other.frame)?.function)?;
            match &function.steps.get(other.pc as usize)?.op {
                Op::Collective(collective) if with_fixed_registers(&collective.action) == fixed => {
                    Some(Part { frame: other.frame, action: collective.action, mask: other.mask })
                }
                _ => None,
            }
        }));
        let all = parts.iter().fold(0, |all, part| all | part.mask);
        if lacks(all) {
            return false;
        }
        let mut together = Registers::new(FIXED_WORDS, FIXED_LONGS, FIXED_PREDICATES);
        for part in &parts {
            let Some(frame) = self.frames.get(part.frame) else { continue };
            for (from, to) in sources(&part.action).into_iter().zip(sources(&fixed)) {
                transfer_value(&frame.registers, &mut together, from, to, part.mask);
            }
            if let CollectiveAction::Vote { predicate, .. } = part.action {
                together.set_predicate(FIXED_CONDITION, frame.registers.condition(predicate), part.mask);
            }
        }
        perform(&mut together, &fixed, all);
        for part in &parts {
            let Some(frame) = self.frames.get_mut(part.frame) else { continue };
            for (from, to) in results(&fixed).into_iter().zip(results(&part.action)) {
                transfer_value(&together, &mut frame.registers, from, to, part.mask);
            }
        }
        for other in &mut self.groups {
            if other.wait == wait && other.mask & all != 0 {
                other.wait = Wait::Ready;
                other.pc += 1;
            }
        }
        true
    }
}

/// Lanes that execute an operation at one of its positions.
struct Part {
    frame: usize,
    action: CollectiveAction,
    mask: u32,
}

/// Numbers of the registers that [`with_fixed_registers`] names.
const FIXED_WORDS: Slot = 4;
const FIXED_LONGS: Slot = 1;
const FIXED_PREDICATES: Slot = 3;
/// Predicate of a vote.
const FIXED_CONDITION: Slot = 1;

/// Returns an operation with fixed registers in place of its own. Operations for which this is equal may be executed
/// together.
fn with_fixed_registers(action: &CollectiveAction) -> CollectiveAction {
    let fixed_source = |source: Place| match source {
        Place::Word(_) | Place::Predicate(_) => Place::Word(0),
        Place::Long(_) => Place::Long(0),
    };
    let (result, valid) = (3, 2);
    match *action {
        CollectiveAction::Synchronize => CollectiveAction::Synchronize,
        CollectiveAction::Shuffle { mode, .. } => {
            CollectiveAction::Shuffle { mode, result, valid, source: 0, lane: 1, clamp: 2 }
        }
        CollectiveAction::Vote { mode, .. } => {
            let predicate = Condition::new(FIXED_CONDITION, false);
            let result = if mode == VoteMode::Ballot { result } else { valid };
            CollectiveAction::Vote { mode, result, predicate }
        }
        CollectiveAction::MatchAny { source, .. } => {
            CollectiveAction::MatchAny { result, source: fixed_source(source) }
        }
        CollectiveAction::MatchAll { source, .. } => {
            CollectiveAction::MatchAll { result, valid, source: fixed_source(source) }
        }
        CollectiveAction::Reduce { operation, .. } => {
            CollectiveAction::Reduce { operation, result, source: 0 }
        }
        CollectiveAction::Elect { .. } => CollectiveAction::Elect { result, elected: valid },
    }
}

/// Returns the registers that an operation reads, without the predicate of a vote.
fn sources(action: &CollectiveAction) -> Vec<Place> {
    match *action {
        CollectiveAction::Synchronize | CollectiveAction::Vote { .. } | CollectiveAction::Elect { .. } => {
            Vec::new()
        }
        CollectiveAction::Shuffle { source, lane, clamp, .. } => {
            vec![Place::Word(source), Place::Word(lane), Place::Word(clamp)]
        }
        CollectiveAction::MatchAny { source, .. } | CollectiveAction::MatchAll { source, .. } => vec![source],
        CollectiveAction::Reduce { source, .. } => vec![Place::Word(source)],
    }
}

/// Returns the registers that an operation writes. Those that it discards have no slot.
fn results(action: &CollectiveAction) -> Vec<Place> {
    match *action {
        CollectiveAction::Synchronize => Vec::new(),
        CollectiveAction::Shuffle { result, valid, .. }
        | CollectiveAction::MatchAll { result, valid, .. } => {
            vec![Place::Word(result), Place::Predicate(valid)]
        }
        CollectiveAction::Vote { mode: VoteMode::Ballot, result, .. }
        | CollectiveAction::MatchAny { result, .. }
        | CollectiveAction::Reduce { result, .. } => vec![Place::Word(result)],
        CollectiveAction::Vote { result, .. } => vec![Place::Predicate(result)],
        CollectiveAction::Elect { result, elected } => vec![Place::Word(result), Place::Predicate(elected)],
    }
}

/// Executes an operation for the lanes of `mask`.
fn perform(registers: &mut Registers, action: &CollectiveAction, mask: u32) {
    match *action {
        CollectiveAction::Synchronize => {}
        CollectiveAction::Shuffle { mode, result, valid, source, lane, clamp } => {
            shuffle(registers, mask, mode, [result, valid], [source, lane, clamp]);
        }
        CollectiveAction::Vote { mode, result, predicate } => {
            let holds = registers.condition(predicate) & mask;
            let all = |value: bool| if value { u32::MAX } else { 0 };
            match mode {
                VoteMode::All => registers.set_predicate(result, all(holds == mask), mask),
                VoteMode::Any => registers.set_predicate(result, all(holds != 0), mask),
                VoteMode::Uniform => registers.set_predicate(result, all(holds == 0 || holds == mask), mask),
                VoteMode::Ballot => registers.map0(mask, result, holds),
            }
        }
        CollectiveAction::MatchAny { result, source } => {
            let values = values(registers, source, mask);
            for lane in lanes(mask) {
                let same = lanes(mask).filter(|&other| values[other] == values[lane]);
                let same = same.fold(0u32, |same, other| same | 1 << other);
                registers.set_word(result, lane, same);
            }
        }
        CollectiveAction::MatchAll { result, valid, source } => {
            let values = values(registers, source, mask);
            let first = mask.trailing_zeros() as usize % LANES;
            let same = lanes(mask).all(|lane| values[lane] == values[first]);
            if result != NONE {
                registers.map0(mask, result, if same { mask } else { 0 });
            }
            if valid != NONE {
                registers.set_predicate(valid, if same { u32::MAX } else { 0 }, mask);
            }
        }
        CollectiveAction::Reduce { operation, result, source } => {
            let combine = |a: u32, b: u32| match operation {
                Reduction::Add => a.wrapping_add(b),
                Reduction::MinimumUnsigned => a.min(b),
                Reduction::MaximumUnsigned => a.max(b),
                Reduction::MinimumSigned => a.cast_signed().min(b.cast_signed()).cast_unsigned(),
                Reduction::MaximumSigned => a.cast_signed().max(b.cast_signed()).cast_unsigned(),
                Reduction::And => a & b,
                Reduction::Or => a | b,
                Reduction::Xor => a ^ b,
            };
            let value = lanes(mask).map(|lane| registers.word(source, lane)).reduce(combine);
            registers.map0(mask, result, value.unwrap_or(0));
        }
        CollectiveAction::Elect { result, elected } => {
            let first = mask.trailing_zeros();
            if result != NONE {
                registers.map0(mask, result, first);
            }
            if elected != NONE {
                registers.set_predicate(elected, 1u32.checked_shl(first).unwrap_or(0), mask);
            }
        }
    }
}

fn values(registers: &Registers, source: Place, mask: u32) -> [u64; LANES] {
    let mut values = [0; LANES];
    for lane in lanes(mask) {
        values[lane] = read(registers, source, lane);
    }
    values
}

/// Implements `shfl`: each lane reads the register of another lane of its segment, or keeps its own if there is none.
fn shuffle(
    registers: &mut Registers,
    mask: u32,
    mode: ShuffleMode,
    [result, valid]: [Slot; 2],
    [source, lane_slot, clamp_slot]: [Slot; 3],
) {
    let (offsets, controls) = (registers.words[lane_slot as usize].0, registers.words[clamp_slot as usize].0);
    let mut from = [0u32; LANES];
    let mut inside = [0u32; LANES];
    // One loop for each mode, in which nothing but the lane varies.
    macro_rules! each_lane {
        (|$own:ident, $offset:ident, $first:ident, $last:ident| $found:expr) => {
            for lane in 0..LANES {
                let ($own, $offset) = (lane as u32, offsets[lane] & 0x1f);
                let (clamp, segment) = (controls[lane] & 0x1f, controls[lane] >> 8 & 0x1f);
                let $first = $own & segment;
                let $last = $first | clamp & !segment;
                let (other, there) = $found;
                from[lane] = if there { other % LANES as u32 } else { $own };
                inside[lane] = u32::from(there) << lane;
            }
        };
    }
    match mode {
        ShuffleMode::Up => each_lane!(|own, offset, _first, last| {
            let other = own.wrapping_sub(offset);
            (other, other.cast_signed() >= last.cast_signed())
        }),
        ShuffleMode::Down => each_lane!(|own, offset, _first, last| (own + offset, own + offset <= last)),
        ShuffleMode::Butterfly => {
            each_lane!(|own, offset, _first, last| (own ^ offset, own ^ offset <= last))
        }
        ShuffleMode::Index => each_lane!(|own, offset, first, last| {
            let segment = controls[own as usize % LANES] >> 8 & 0x1f;
            let other = first | offset & !segment;
            (other, other <= last)
        }),
    }
    if result != NONE {
        let values = registers.words[source as usize].0;
        let chosen: [u32; LANES] = std::array::from_fn(|lane| values[from[lane] as usize % LANES]);
        registers.take(result, &chosen, mask);
    }
    if valid != NONE {
        let found = inside.iter().fold(0, |found, bit| found | bit);
        registers.set_predicate(valid, found, mask);
    }
}
