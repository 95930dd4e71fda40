//! The loop over steps.

use super::super::function::Function;
use super::super::op::{Compared, FloatKind, IntegerKind, Logic, NONE, Op, Place, Relation, Slot};
use super::block::{BlockIndex, Shared};
use super::float::{Brain, Half, Pair, relates};
use super::grid::Grid;
use super::integer::{self, DotShape};
use super::registers::{Lane, Registers};
use super::space::{Reach, Trouble, locate};
use super::warp::{Group, PATIENCE, Wait, Warp};
use super::{convert, float};
use crate::exec::fault::FaultKind;

/// Turns that a warp may take before another one has its.
const TURNS: u32 = 16;

/// How far the clock moves on at a branch that may close a loop.
const BRANCH_TICKS: u64 = 8;

/// What a warp did with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Moved,
    /// All its lanes wait.
    Stuck,
}

/// Why a group stopped running.
enum Stop {
    /// It met another group, or gives way.
    Pause,
    /// It is gone.
    Gone,
}

impl Warp {
    /// Runs groups until all wait or have exited, or time is up.
    pub(super) fn run(
        &mut self,
        grid: &Grid<'_>,
        shared: &mut Shared,
        block: &BlockIndex,
    ) -> Result<Outcome, (Trouble, u32)> {
        let mut outcome = Outcome::Stuck;
        let mut turns = 0;
        while let Some(mut group) = self.pick() {
            outcome = Outcome::Moved;
            if group.patience == 0 {
                group.patience = PATIENCE;
                turns += 1;
                // Behind all others, so that lanes that wait for lanes of the same warp see them move.
                let ready = self.groups.iter().filter(|other| other.wait == Wait::Ready);
                group.turn = ready.map(|other| other.turn.saturating_add(1)).max().unwrap_or(0);
                self.groups.push(group);
                if turns > TURNS {
                    break;
                }
                continue;
            }
            if shared.ticks > grid.limit {
                let lane = group.mask.trailing_zeros() as usize;
                return Err((Trouble::new(FaultKind::Timeout, lane, ""), self.line(grid, &group)));
            }
            match self.advance(grid, shared, block, &mut group) {
                Ok(Stop::Pause) => self.groups.push(group),
                Ok(Stop::Gone) => {}
                Err(trouble) => return Err((trouble, self.line(grid, &group))),
            }
            self.wake(&shared.barriers);
        }
        Ok(outcome)
    }

    /// Runs one group until it stops.
    fn advance(
        &mut self,
        grid: &Grid<'_>,
        shared: &mut Shared,
        block: &BlockIndex,
        group: &mut Group,
    ) -> Result<Stop, Trouble> {
        loop {
            let limit = self.limit(group);
            let Some(frame) = self.frames.get_mut(group.frame) else { return Ok(Stop::Gone) };
            let Some(function) = grid.functions.get(frame.function) else { return Ok(Stop::Gone) };
            let mut reach = Reach {
                registers: &mut frame.registers,
                memory: grid.memory,
                cache: &mut self.cache,
                shared: &mut shared.bytes,
                local: &mut self.local,
                params: grid.launch.params,
            };
            let alone = self.groups.is_empty();
            let mask = straight(function, &mut reach, group, limit, alone, &mut shared.ticks)?;
            let Some(step) = function.steps.get(group.pc as usize) else { return Ok(Stop::Gone) };
            if group.pc >= limit && mask == 0 {
                return Ok(Stop::Pause);
            }
            if group.patience == 0 {
                return Ok(Stop::Pause);
            }
            if mask == 0 {
                // A backward branch may have changed whom it meets next.
                continue;
            }
            match &step.op {
                Op::Branch { target } => {
                    // Only some lanes go: the others are a group of their own.
                    if *target <= group.pc {
                        group.patience -= 1;
                        shared.ticks += BRANCH_TICKS;
                    }
                    self.groups.push(Group { mask, pc: *target, ..*group });
                    group.mask &= !mask;
                    group.pc += 1;
                    return Ok(Stop::Pause);
                }
                Op::BranchTable { index, targets } => {
                    group.patience -= 1;
                    shared.ticks += BRANCH_TICKS;
                    self.branch_table(group, *index, targets, mask)?;
                    return Ok(Stop::Gone);
                }
                Op::Call(site) => self.call(grid, block, group, site, mask)?,
                Op::Return => {
                    self.give_back(grid.functions, group, mask);
                    return Ok(Stop::Pause);
                }
                Op::Exit => {
                    self.exit(group.frame, mask);
                    if let Some(live) = shared.live.get_mut(self.index as usize) {
                        *live = self.live;
                    }
                    shared.barriers.settle(&shared.live);
                    group.mask &= !mask;
                    group.pc += 1;
                }
                Op::Barrier(barrier) => self.arrive(shared, group, barrier, mask)?,
                Op::Collective(collective) => self.meet(group, collective, mask),
                Op::Yield => {
                    group.pc += 1;
                    group.patience = 0;
                    shared.ticks += BRANCH_TICKS;
                    return Ok(Stop::Pause);
                }
                _ => group.pc += 1,
            }
            if group.mask == 0 {
                return Ok(Stop::Gone);
            }
            if !self.groups.is_empty() {
                return Ok(Stop::Pause);
            }
        }
    }

    /// The line that a group is at.
    fn line(&self, grid: &Grid<'_>, group: &Group) -> u32 {
        let function = self.frames.get(group.frame).map_or(0, |frame| frame.function);
        grid.line(function, group.pc)
    }

    fn branch_table(
        &mut self,
        group: &Group,
        index: Slot,
        targets: &[u32],
        mask: u32,
    ) -> Result<(), Trouble> {
        let Some(frame) = self.frames.get(group.frame) else { return Ok(()) };
        let mut groups: Vec<Group> = Vec::new();
        for lane in super::registers::lanes(mask) {
            let index = frame.registers.word(index, lane);
            let Some(&pc) = targets.get(index as usize) else {
                let text = format!("branch {index} of {}", targets.len());
                return Err(Trouble::new(FaultKind::InvalidProgramCounter, lane, text));
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

/// Runs steps that concern only the group, up to `limit`.
///
/// Returns the active lanes at a step that concerns more than the group, which is left for the caller; or 0, if the
/// limit was reached, patience ran out, or, unless the group is `alone`, a backward branch was taken.
fn straight(
    function: &Function,
    reach: &mut Reach<'_>,
    group: &mut Group,
    limit: u32,
    alone: bool,
    ticks: &mut u64,
) -> Result<u32, Trouble> {
    let steps = function.steps.as_slice();
    let mut pc = group.pc;
    let all = group.mask;
    let outcome = loop {
        if pc >= limit {
            break Ok(0);
        }
        let Some(step) = steps.get(pc as usize) else { break Ok(0) };
        let mask = all & reach.registers.condition(step.guard);
        if mask == 0 {
            pc += 1;
            continue;
        }
        let r = &mut *reach.registers;
        match &step.op {
            Op::Nothing | Op::Fence => {}
            Op::MoveWord { d, a } => r.map1(mask, *d, *a, |a: u32| a),
            Op::MoveLong { d, a } => r.map1(mask, *d, *a, |a: u64| a),
            Op::MovePredicate { d, a } => {
                let value = r.condition(*a);
                r.set_predicate(*d, value, mask);
            }
            Op::Join { d, low, high } => {
                r.map2(mask, *d, [*low, *high], |low: u32, high: u32| u64::from(high) << 32 | u64::from(low));
            }
            Op::Split { low, high, a } => {
                if *low != NONE {
                    r.map1(mask, *low, *a, |a: u64| a as u32);
                }
                if *high != NONE {
                    r.map1(mask, *high, *a, |a: u64| (a >> 32) as u32);
                }
            }
            Op::Extract { d, a, shift, bits } => {
                let keep = u32::MAX >> (32 - u32::from(*bits));
                r.map1(mask, *d, *a, |a: u32| a >> shift & keep);
            }
            Op::Deposit { d, a, shift, bits } => {
                let keep = u32::MAX >> (32 - u32::from(*bits)) << shift;
                r.map2(mask, *d, [*d, *a], |d: u32, a: u32| d & !keep | a << shift & keep);
            }
            Op::ExtendWord { d, a, bits, signed, to } => {
                let shift = 32 - u32::from(*bits);
                let keep = u32::MAX >> (32 - u32::from(*to));
                if *signed {
                    r.map1(mask, *d, *a, |a: i32| (a << shift >> shift).cast_unsigned() & keep);
                } else {
                    r.map1(mask, *d, *a, |a: u32| a << shift >> shift & keep);
                }
            }
            Op::ExtendLong { d, a, bits, signed } => {
                let shift = 32 - u32::from(*bits);
                if *signed {
                    r.map1(mask, *d, *a, |a: i32| i64::from(a << shift >> shift));
                } else {
                    r.map1(mask, *d, *a, |a: u32| u64::from(a << shift >> shift));
                }
            }
            Op::Integer1 { kind, operation, d, a } => integer::integer1(r, mask, *kind, *operation, *d, *a),
            Op::Integer2 { kind, operation, d, a, b } => {
                integer::integer2(r, mask, *kind, *operation, *d, [*a, *b]);
            }
            Op::Integer3 { kind, operation, d, a, b, c } => {
                integer::integer3(r, mask, *kind, *operation, *d, [*a, *b, *c]);
            }
            Op::ShiftLeft { kind, d, a, b } => integer::shift(r, mask, *kind, true, *d, [*a, *b]),
            Op::ShiftRight { kind, d, a, b } => integer::shift(r, mask, *kind, false, *d, [*a, *b]),
            Op::Count { kind, operation, d, a } => integer::count(r, mask, *kind, *operation, *d, *a),
            Op::Widen { kind, d, a, b, c } => {
                integer::widen(r, mask, *kind, *d, [*a, *b], (*c != NONE).then_some(*c));
            }
            Op::Field { kind, d, a, b, c } => integer::field(r, mask, *kind, *d, [*a, *b, *c]),
            Op::Insert { kind, d, a, b, c, e } => {
                let wide = matches!(kind, IntegerKind::U64 | IntegerKind::S64);
                integer::insert(r, mask, wide, *d, [*a, *b, *c, *e]);
            }
            Op::Funnel { left, wrap, d, a, b, c } => integer::funnel(r, mask, *left, *wrap, *d, [*a, *b, *c]),
            Op::Permute { mode, d, a, b, c } => integer::permute(r, mask, *mode, *d, [*a, *b, *c]),
            Op::Logic3 { table, d, a, b, c } => integer::logic3(r, mask, *table, *d, [*a, *b, *c]),
            Op::Mask { wrap, d, a, b } => integer::mask_of(r, mask, *wrap, *d, [*a, *b]),
            Op::SizeExtend { signed, wrap, d, a, b } => {
                integer::size_extend(r, mask, *signed, *wrap, *d, [*a, *b]);
            }
            Op::Dot { bytes, high, signed_a, signed_b, d, a, b, c } => {
                let shape = DotShape { bytes: *bytes, high: *high, signed_a: *signed_a, signed_b: *signed_b };
                integer::dot(r, mask, shape, *d, [*a, *b, *c]);
            }
            Op::Carry { wide, subtract, d, a, b, carry_in, carry_out } => {
                let carry = r.condition(*carry_in);
                let out = integer::carry(r, mask, *wide, *subtract, *d, [*a, *b], carry);
                if *carry_out != NONE {
                    r.set_predicate(*carry_out, out, mask);
                }
            }
            Op::Logic { operation, d, a, b } => {
                let (a, b) = (r.condition(*a), r.condition(*b));
                let value = match operation {
                    Logic::And => a & b,
                    Logic::Or => a | b,
                    Logic::Xor => a ^ b,
                };
                r.set_predicate(*d, value, mask);
            }
            Op::Compare { compared, relation, d, a, b } => {
                let found = compare(r, mask, *compared, *relation, [*a, *b]);
                r.set_predicate(*d, found, mask);
            }
            Op::ComparePair { compared, relation, d, e, a, b } => {
                let (low, high) = compare_pair(r, mask, *compared, *relation, [*a, *b]);
                r.set_predicate(*d, low, mask);
                r.set_predicate(*e, high, mask);
            }
            Op::Test { wide, property, d, a } => {
                let found = float::test(r, mask, *wide, *property, *a);
                r.set_predicate(*d, found, mask);
            }
            Op::Choose { d, p, yes, no } => {
                let condition = r.condition(*p);
                r.map0(mask & condition, *d, *yes);
                r.map0(mask & !condition, *d, *no);
            }
            Op::SelectWord { d, a, b, p } => {
                let condition = r.condition(*p);
                r.select::<u32>(mask, *d, [*a, *b], condition);
            }
            Op::SelectLong { d, a, b, p } => {
                let condition = r.condition(*p);
                r.select::<u64>(mask, *d, [*a, *b], condition);
            }
            Op::Float1 { kind, operation, mode, d, a } => {
                float::float1(r, mask, *kind, *operation, *mode, *d, *a);
            }
            Op::Float2 { kind, operation, mode, d, a, b } => {
                float::float2(r, mask, *kind, *operation, *mode, *d, [*a, *b]);
            }
            Op::Fma { kind, mode, d, a, b, c } => float::fma(r, mask, *kind, *mode, *d, [*a, *b, *c]),
            Op::Convert { conversion, d, a } => convert::convert(r, mask, conversion, *d, *a),
            Op::Parameter { d, offset, size, extension } => {
                parameter(r, mask, reach.params, *d, *offset, *size, *extension);
            }
            Op::Load(access) => {
                if let Err(trouble) = reach.load(access, mask) {
                    break Err(trouble);
                }
            }
            Op::Store(access) => {
                if let Err(trouble) = reach.store(access, mask) {
                    break Err(trouble);
                }
            }
            Op::Atomic(access) => {
                if let Err(trouble) = reach.atomic(access, mask) {
                    break Err(trouble);
                }
            }
            Op::IsSpace { memory, d, a } => {
                let found = r.test1(mask, *a, |address: u64| locate(address).0 == *memory);
                r.set_predicate(*d, found, mask);
            }
            Op::Branch { target } if mask == all => {
                let backward = *target <= pc;
                pc = *target;
                if backward {
                    *ticks += BRANCH_TICKS;
                    group.patience -= 1;
                    if group.patience == 0 || !alone {
                        break Ok(0);
                    }
                }
                continue;
            }
            Op::ActiveMask { d } => r.map0(mask, *d, mask),
            Op::Clock { d, shift } => {
                *ticks += 64;
                match d {
                    Place::Word(d) | Place::Predicate(d) => r.map0(mask, *d, (*ticks >> shift) as u32),
                    Place::Long(d) => r.map0(mask, *d, *ticks),
                }
            }
            Op::Trap => {
                break Err(Trouble::new(FaultKind::Trap, mask.trailing_zeros() as usize, ""));
            }
            Op::Assert { message, file, line, function } => {
                break Err(assertion(reach, mask, [*message, *file, *function], *line));
            }
            Op::Branch { .. }
            | Op::BranchTable { .. }
            | Op::Call(_)
            | Op::Return
            | Op::Exit
            | Op::Barrier(_)
            | Op::Collective(_)
            | Op::Yield => break Ok(mask),
        }
        pc += 1;
    };
    group.pc = pc;
    outcome
}

fn compare(r: &Registers, mask: u32, compared: Compared, relation: Relation, s: [Slot; 2]) -> u32 {
    #[inline(always)]
    fn ordered<T: Lane + Ord>(r: &Registers, mask: u32, relation: Relation, s: [Slot; 2]) -> u32 {
        match relation {
            Relation::Equal => r.test2(mask, s, |a: T, b| a == b),
            Relation::NotEqual => r.test2(mask, s, |a: T, b| a != b),
            Relation::Less => r.test2(mask, s, |a: T, b| a < b),
            Relation::LessEqual => r.test2(mask, s, |a: T, b| a <= b),
            Relation::Greater => r.test2(mask, s, |a: T, b| a > b),
            _ => r.test2(mask, s, |a: T, b| a >= b),
        }
    }
    #[inline(always)]
    fn floats<T: float::Float>(
        r: &Registers,
        mask: u32,
        relation: Relation,
        flush: bool,
        s: [Slot; 2],
    ) -> u32 {
        r.test2(mask, s, |a: T, b: T| relates(relation, flush, a, b))
    }
    match compared {
        Compared::Integer(IntegerKind::U16) => ordered::<u16>(r, mask, relation, s),
        Compared::Integer(IntegerKind::S16) => ordered::<i16>(r, mask, relation, s),
        Compared::Integer(IntegerKind::U32) => ordered::<u32>(r, mask, relation, s),
        Compared::Integer(IntegerKind::S32) => ordered::<i32>(r, mask, relation, s),
        Compared::Integer(IntegerKind::U64) => ordered::<u64>(r, mask, relation, s),
        Compared::Integer(IntegerKind::S64) => ordered::<i64>(r, mask, relation, s),
        Compared::Float { kind: FloatKind::F32, flush } => floats::<f32>(r, mask, relation, flush, s),
        Compared::Float { kind: FloatKind::F64, flush } => floats::<f64>(r, mask, relation, flush, s),
        Compared::Float { kind: FloatKind::F16 | FloatKind::F16x2, flush } => {
            floats::<Half>(r, mask, relation, flush, s)
        }
        Compared::Float { kind: FloatKind::Bf16 | FloatKind::Bf16x2, flush } => {
            floats::<Brain>(r, mask, relation, flush, s)
        }
    }
}

fn compare_pair(
    r: &Registers,
    mask: u32,
    compared: Compared,
    relation: Relation,
    s: [Slot; 2],
) -> (u32, u32) {
    let Compared::Float { kind, flush } = compared else { return (0, 0) };
    if kind == FloatKind::Bf16x2 {
        let low = r.test2(mask, s, |a: Pair<Brain>, b: Pair<Brain>| relates(relation, flush, a.0, b.0));
        let high = r.test2(mask, s, |a: Pair<Brain>, b: Pair<Brain>| relates(relation, flush, a.1, b.1));
        (low, high)
    } else {
        let low = r.test2(mask, s, |a: Pair<Half>, b: Pair<Half>| relates(relation, flush, a.0, b.0));
        let high = r.test2(mask, s, |a: Pair<Half>, b: Pair<Half>| relates(relation, flush, a.1, b.1));
        (low, high)
    }
}

/// A parameter of the kernel, the same for all lanes. What the caller did not pass is zero.
fn parameter(
    r: &mut Registers,
    mask: u32,
    params: &[u8],
    d: Place,
    offset: u32,
    size: u8,
    extension: super::super::op::Extension,
) {
    let start = offset as usize;
    let mut value = 0u64;
    for index in (0..usize::from(size)).rev() {
        let byte = start.checked_add(index).and_then(|at| params.get(at)).copied().unwrap_or(0);
        value = value << 8 | u64::from(byte);
    }
    let long = matches!(d, Place::Long(_));
    let value = super::access::extended(value, size, extension, long);
    match d {
        Place::Word(slot) | Place::Predicate(slot) => r.map0(mask, slot, value as u32),
        Place::Long(slot) => r.map0(mask, slot, value),
    }
}

/// The fault of a failed assertion, with the texts that the kernel passed.
fn assertion(reach: &mut Reach<'_>, mask: u32, texts: [Slot; 3], line: Slot) -> Trouble {
    let lane = mask.trailing_zeros() as usize;
    let [message, file, function] = texts.map(|slot| {
        let address = reach.registers.long(slot, lane);
        text(reach, lane, address)
    });
    let line = reach.registers.word(line, lane);
    Trouble::new(FaultKind::Assert, lane, format!("{file}:{line}: {function}: assertion `{message}` failed"))
}

/// A text in memory, up to its NUL or to where memory ends.
fn text(reach: &mut Reach<'_>, lane: usize, address: u64) -> String {
    const LONGEST: u64 = 256;
    let mut bytes = Vec::new();
    for index in 0..LONGEST {
        let (memory, window) = locate(address.wrapping_add(index));
        let at = address.wrapping_add(index).wrapping_sub(window);
        match reach.load_one(memory, lane, at, 1, false) {
            Ok(0) | Err(_) => break,
            Ok(byte) => bytes.push(byte as u8),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
