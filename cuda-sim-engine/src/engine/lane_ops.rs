//! Steps that affect only the lanes that execute them.

use super::arithmetic;
use super::bit_ops::{self, DotShape};
use super::float::{Bf16Bits, Float, Half, Pair};
use super::registers::{Lane, Registers};
use super::warp::Group;
use super::warp_memory::{LaneFault, WarpMemory, locate};
use super::{fast_ops, integer};
use crate::fault::FaultKind;
use crate::function::Function;
use crate::op::{
    Address, Base, Compared, Condition, Extension, Float2, FloatKind, Integer2, Integer3, IntegerKind, Logic,
    MemorySpace, Mode, NONE, Op, Place, Relation, Slot,
};
use std::cmp::Ordering;

/// Runs steps that affect only the group, up to `limit`. See [`fast_ops`] for `FAST` and `FUSED`.
///
/// Returns the active lanes at the first step that affects more than the group, which the caller executes. Returns 0 at
/// `limit`, when patience runs out, and after a backward branch unless the group is `alone`.
#[inline(always)]
pub(super) fn run_lane_ops<const FAST: bool, const FUSED: bool>(
    function: &Function,
    reach: &mut WarpMemory<'_>,
    group: &mut Group,
    limit: u32,
    alone: bool,
) -> Result<u32, Box<LaneFault>> {
    let steps = function.steps.get(..limit as usize).unwrap_or(&function.steps);
    let mut pc = group.pc;
    let all = group.mask;
    let outcome = loop {
        let Some(step) = steps.get(pc as usize) else { break Ok(0) };
        let mut mask = all;
        if step.guard != Condition::ALWAYS {
            mask &= reach.registers.condition(step.guard);
            if mask == 0 {
                pc += 1;
                continue;
            }
        }
        let r = &mut *reach.registers;
        match &step.op {
            Op::Nothing { run } => {
                // Other lanes may wait at one of the steps.
                pc = (pc + run).min(steps.len() as u32) - 1;
            }
            Op::Fence => std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst),
            Op::MoveWord { d, a } => r.fast_map1(mask, *d, *a, |a: u32| a),
            Op::MoveLong { d, a } => r.fast_map1(mask, *d, *a, |a: u64| a),
            Op::MovePredicate { d, a } => {
                let value = r.condition(*a);
                r.set_predicate(*d, value, mask);
            }
            Op::Join { d, low, high } => {
                r.fast_map2(mask, *d, [*low, *high], |low: u32, high: u32| {
                    u64::from(high) << 32 | u64::from(low)
                });
            }
            Op::Split { low, high, a } => {
                if *low != NONE {
                    r.fast_map1(mask, *low, *a, |a: u64| a as u32);
                }
                if *high != NONE {
                    r.fast_map1(mask, *high, *a, |a: u64| (a >> 32) as u32);
                }
            }
            Op::Extract { d, a, shift, bits } => {
                let keep = u32::MAX >> (32 - u32::from(*bits));
                r.fast_map1(mask, *d, *a, |a: u32| a >> shift & keep);
            }
            Op::Deposit { d, a, shift, bits } => {
                let keep = u32::MAX >> (32 - u32::from(*bits)) << shift;
                r.fast_map2(mask, *d, [*d, *a], |d: u32, a: u32| d & !keep | a << shift & keep);
            }
            Op::ExtendWord { d, a, bits, signed, to } => {
                let shift = 32 - u32::from(*bits);
                let keep = u32::MAX >> (32 - u32::from(*to));
                if *signed {
                    r.fast_map1(mask, *d, *a, |a: i32| (a << shift >> shift).cast_unsigned() & keep);
                } else {
                    r.fast_map1(mask, *d, *a, |a: u32| a << shift >> shift & keep);
                }
            }
            Op::ExtendLong { d, a, bits, signed } => {
                let shift = 32 - u32::from(*bits);
                if *signed {
                    r.fast_map1(mask, *d, *a, |a: i32| i64::from(a << shift >> shift));
                } else {
                    r.fast_map1(mask, *d, *a, |a: u32| u64::from(a << shift >> shift));
                }
            }
            Op::Integer1 { kind, operation, d, a } => integer::integer1(r, mask, *kind, *operation, *d, *a),
            Op::Integer2 { kind, operation, d, a, b } => {
                fast_ops::integer2::<FAST>(r, mask, *kind, *operation, *d, [*a, *b]);
            }
            Op::Integer3 { kind, operation, d, a, b, c } => {
                fast_ops::integer3::<FAST>(r, mask, *kind, *operation, *d, [*a, *b, *c]);
            }
            Op::ShiftLeft { kind, d, a, b } => fast_ops::shift::<FAST>(r, mask, *kind, true, *d, [*a, *b]),
            Op::ShiftRight { kind, d, a, b } => fast_ops::shift::<FAST>(r, mask, *kind, false, *d, [*a, *b]),
            Op::Count { kind, operation, d, a } => integer::count(r, mask, *kind, *operation, *d, *a),
            Op::Widen { kind, d, a, b, c } => {
                fast_ops::widen::<FAST>(r, mask, *kind, *d, [*a, *b], (*c != NONE).then_some(*c));
            }
            Op::Field { kind, d, a, b, c } => bit_ops::field(r, mask, *kind, *d, [*a, *b, *c]),
            Op::Insert { kind, d, a, b, c, e } => {
                let wide = matches!(kind, IntegerKind::U64 | IntegerKind::S64);
                bit_ops::insert(r, mask, wide, *d, [*a, *b, *c, *e]);
            }
            Op::Funnel { left, wrap, d, a, b, c } => bit_ops::funnel(r, mask, *left, *wrap, *d, [*a, *b, *c]),
            Op::Permute { mode, d, a, b, c } => bit_ops::permute(r, mask, *mode, *d, [*a, *b, *c]),
            Op::Logic3 { table, d, a, b, c } => bit_ops::logic3(r, mask, *table, *d, [*a, *b, *c]),
            Op::Mask { wrap, d, a, b } => bit_ops::mask_of(r, mask, *wrap, *d, [*a, *b]),
            Op::SizeExtend { signed, wrap, d, a, b } => {
                bit_ops::size_extend(r, mask, *signed, *wrap, *d, [*a, *b]);
            }
            Op::Dot { bytes, high, signed_a, signed_b, d, a, b, c } => {
                let shape = DotShape { bytes: *bytes, high: *high, signed_a: *signed_a, signed_b: *signed_b };
                bit_ops::dot(r, mask, shape, *d, [*a, *b, *c]);
            }
            Op::Carry { wide, subtract, d, a, b, carry_in, carry_out } => {
                let carry = r.condition(*carry_in);
                let out = bit_ops::carry(r, mask, *wide, *subtract, *d, [*a, *b], carry);
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
                let found = fast_ops::compare::<FAST>(r, *compared, *relation, [*a, *b]);
                r.set_predicate(*d, found, mask);
            }
            Op::ComparePair { compared, relation, d, e, a, b } => {
                let (low, high) = compare_pair(r, *compared, *relation, [*a, *b]);
                r.set_predicate(*d, low, mask);
                r.set_predicate(*e, high, mask);
            }
            Op::Test { wide, property, d, a } => {
                let found = arithmetic::test(r, *wide, *property, *a);
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
                fast_ops::float1::<FAST>(r, mask, *kind, *operation, *mode, *d, *a);
            }
            Op::Float2 { kind, operation, mode, d, a, b } => {
                fast_ops::float2::<FAST>(r, mask, *kind, *operation, *mode, *d, [*a, *b]);
            }
            Op::Fma { kind, mode, d, a, b, c } => {
                fast_ops::fma::<FAST, FUSED>(r, mask, *kind, *mode, *d, [*a, *b, *c])
            }
            Op::AddWord { d, a, b } => {
                fast_ops::integer2::<FAST>(r, mask, IntegerKind::U32, Integer2::Add, *d, [*a, *b]);
            }
            Op::AddLong { d, a, b } => {
                fast_ops::integer2::<FAST>(r, mask, IntegerKind::U64, Integer2::Add, *d, [*a, *b]);
            }
            Op::MultiplyAddWord { d, a, b, c } => {
                let operation = Integer3::MultiplyAdd;
                fast_ops::integer3::<FAST>(r, mask, IntegerKind::U32, operation, *d, [*a, *b, *c]);
            }
            Op::WidenSigned { d, a, b } => {
                fast_ops::widen::<FAST>(r, mask, IntegerKind::S32, *d, [*a, *b], None);
            }
            Op::WidenUnsigned { d, a, b } => {
                fast_ops::widen::<FAST>(r, mask, IntegerKind::U32, *d, [*a, *b], None);
            }
            Op::AddSingle { d, a, b } => {
                fast_ops::float2::<FAST>(r, mask, FloatKind::F32, Float2::Add, Mode::PLAIN, *d, [*a, *b]);
            }
            Op::SubtractSingle { d, a, b } => {
                let operation = Float2::Subtract;
                fast_ops::float2::<FAST>(r, mask, FloatKind::F32, operation, Mode::PLAIN, *d, [*a, *b]);
            }
            Op::MultiplySingle { d, a, b } => {
                let operation = Float2::Multiply;
                fast_ops::float2::<FAST>(r, mask, FloatKind::F32, operation, Mode::PLAIN, *d, [*a, *b]);
            }
            Op::FmaSingle { d, a, b, c } => {
                fast_ops::fma::<FAST, FUSED>(r, mask, FloatKind::F32, Mode::PLAIN, *d, [*a, *b, *c]);
            }
            Op::Convert { conversion, d, a } => fast_ops::convert::<FAST>(r, mask, conversion, *d, *a),
            Op::Parameter { d, offset, size, extension } => {
                parameter(r, mask, reach.params, *d, *offset, *size, *extension);
            }
            Op::Load(access) => {
                if let Err(trouble) = reach.load(access, mask) {
                    break Err(trouble.into());
                }
            }
            Op::Store(access) => {
                if let Err(trouble) = reach.store(access, mask) {
                    break Err(trouble.into());
                }
            }
            Op::LoadGlobal { d, base, access } => {
                let at = Address { memory: MemorySpace::Global, base: Base::Long(*base), ..access.at() };
                if !reach.load_global_row([*d, *base], access.offset, mask)
                    && !reach.load_word(at, mask, *d)
                    && !reach.load_scattered_word(at, access, mask, *d)
                    && let Err(trouble) = reach.load_slowly(access, mask)
                {
                    break Err(trouble.into());
                }
            }
            Op::LoadShared { d, base, access } => {
                let at = Address { memory: MemorySpace::Shared, base: Base::Long(*base), ..access.at() };
                if !reach.load_shared_row([*d, *base], access.offset, mask)
                    && !reach.load_scattered_word(at, access, mask, *d)
                    && let Err(trouble) = reach.load_slowly(access, mask)
                {
                    break Err(trouble.into());
                }
            }
            Op::LoadNarrowShared { d, base, access } => {
                let at = Address { memory: MemorySpace::Shared, base: Base::Word(*base), ..access.at() };
                if !reach.load_narrow_shared_row([*d, *base], access.offset, mask)
                    && !reach.load_scattered_word(at, access, mask, *d)
                    && let Err(trouble) = reach.load_slowly(access, mask)
                {
                    break Err(trouble.into());
                }
            }
            Op::StoreGlobal { a, base, access } => {
                let at = Address { memory: MemorySpace::Global, base: Base::Long(*base), ..access.at() };
                if !reach.store_global_row([*a, *base], access.offset, mask)
                    && !reach.store_word(at, mask, *a)
                    && !reach.store_scattered_word(at, access, mask, *a)
                    && let Err(trouble) = reach.store_slowly(access, mask)
                {
                    break Err(trouble.into());
                }
            }
            Op::StoreShared { a, base, access } => {
                let at = Address { memory: MemorySpace::Shared, base: Base::Long(*base), ..access.at() };
                if !reach.store_shared_row([*a, *base], access.offset, mask)
                    && !reach.store_scattered_word(at, access, mask, *a)
                    && let Err(trouble) = reach.store_slowly(access, mask)
                {
                    break Err(trouble.into());
                }
            }
            Op::StoreNarrowShared { a, base, access } => {
                let at = Address { memory: MemorySpace::Shared, base: Base::Word(*base), ..access.at() };
                if !reach.store_narrow_shared_row([*a, *base], access.offset, mask)
                    && !reach.store_scattered_word(at, access, mask, *a)
                    && let Err(trouble) = reach.store_slowly(access, mask)
                {
                    break Err(trouble.into());
                }
            }
            Op::Atomic(access) => {
                if let Err(trouble) = reach.atomic(access, mask) {
                    break Err(trouble.into());
                }
            }
            Op::Image(access) => {
                if let Err(trouble) = reach.image(access, mask) {
                    break Err(trouble.into());
                }
            }
            Op::Cold(rare) => {
                if let Err(trouble) = reach.cold(rare, mask) {
                    break Err(trouble.into());
                }
            }
            Op::IsSpace { memory, d, a } => {
                // Parameters of kernels count as global memory, too.
                let also = if *memory == MemorySpace::Global { MemorySpace::Parameter } else { *memory };
                let found = r.fast_test1(*a, |address: u64| {
                    let space = locate(address).0;
                    space == *memory || space == also
                });
                r.set_predicate(*d, found, mask);
            }
            Op::Branch { target } if mask == all => {
                reach.clock.branch(pc, *target);
                let backward = *target <= pc;
                pc = *target;
                if backward {
                    group.patience -= 1;
                    if group.patience == 0 || !alone {
                        break Ok(0);
                    }
                }
                continue;
            }
            Op::ActiveMask { d } => r.map0(mask, *d, mask),
            Op::Clock { d, clock: register } => {
                let cycles = reach.clock.read(group.pc, pc);
                let time = reach.launch.timing.read(*register, cycles);
                let r = &mut *reach.registers;
                match d {
                    Place::Word(d) | Place::Predicate(d) => r.map0(mask, *d, time as u32),
                    Place::Long(d) => r.map0(mask, *d, time),
                }
            }
            Op::Trap => {
                break Err(LaneFault::new(FaultKind::Trap, mask.trailing_zeros() as usize, "").into());
            }
            Op::Assert { message, file, line, function } => {
                break Err(assertion(reach, mask, [*message, *file, *function], *line).into());
            }
            Op::Branch { .. }
            | Op::BranchTable { .. }
            | Op::Call(_)
            | Op::CallIndirect(_)
            | Op::Return
            | Op::Exit
            | Op::Barrier(_)
            | Op::Collective(_)
            | Op::Sleep { .. }
            | Op::Yield => break Ok(mask),
        }
        pc += 1;
    };
    reach.clock.pass(group.pc, pc);
    group.pc = pc;
    outcome
}

/// Returns the lanes in which a relation holds, for types that kernels seldom compare. It computes the order of each
/// pair, so that no relation needs a loop of its own.
#[inline(always)]
fn related<T: Lane>(
    r: &Registers,
    relation: Relation,
    s: [Slot; 2],
    order: impl Fn(T, T) -> Option<Ordering>,
) -> u32 {
    let less = r.test2(s, |a, b| order(a, b) == Some(Ordering::Less));
    let equal = r.test2(s, |a, b| order(a, b) == Some(Ordering::Equal));
    let unordered = r.test2(s, |a, b| order(a, b).is_none());
    match relation {
        Relation::Equal => equal,
        Relation::NotEqual => !(equal | unordered),
        Relation::Less => less,
        Relation::LessEqual => less | equal,
        Relation::Greater => !(less | equal | unordered),
        Relation::GreaterEqual => !(less | unordered),
        Relation::EqualUnordered => equal | unordered,
        Relation::NotEqualUnordered => !equal,
        Relation::LessUnordered => less | unordered,
        Relation::LessEqualUnordered => less | equal | unordered,
        Relation::GreaterUnordered => !(less | equal),
        Relation::GreaterEqualUnordered => !less,
        Relation::Numbers => !unordered,
        Relation::Nan => unordered,
    }
}

/// Returns the order of two numbers, or `None` if one is NaN.
#[inline(always)]
fn order<T: Float>(flush: bool, a: T, b: T) -> Option<Ordering> {
    let (a, b) = if flush { (a.flushed(), b.flushed()) } else { (a, b) };
    if a.is_nan() || b.is_nan() {
        None
    } else if a.less(b) {
        Some(Ordering::Less)
    } else if a.equal(b) {
        Some(Ordering::Equal)
    } else {
        Some(Ordering::Greater)
    }
}

#[inline(never)]
pub(super) fn compare(r: &Registers, compared: Compared, relation: Relation, s: [Slot; 2]) -> u32 {
    match compared {
        Compared::Integer(IntegerKind::U16) => related(r, relation, s, |a: u16, b| Some(a.cmp(&b))),
        Compared::Integer(IntegerKind::S16) => related(r, relation, s, |a: i16, b| Some(a.cmp(&b))),
        Compared::Integer(IntegerKind::U32) => related(r, relation, s, |a: u32, b| Some(a.cmp(&b))),
        Compared::Integer(IntegerKind::S32) => related(r, relation, s, |a: i32, b| Some(a.cmp(&b))),
        Compared::Integer(IntegerKind::U64) => fast_ops::ordered::<u64>(r, relation, s),
        Compared::Integer(IntegerKind::S64) => fast_ops::ordered::<i64>(r, relation, s),
        Compared::Float { kind: FloatKind::F32, flush } => {
            related(r, relation, s, |a: f32, b| order(flush, a, b))
        }
        Compared::Float { kind: FloatKind::F64, flush } => {
            related(r, relation, s, |a: f64, b| order(flush, a, b))
        }
        Compared::Float { kind: FloatKind::F16 | FloatKind::F16x2, flush } => {
            related(r, relation, s, |a: Half, b| order(flush, a, b))
        }
        Compared::Float { kind: FloatKind::Bf16 | FloatKind::Bf16x2, flush } => {
            related(r, relation, s, |a: Bf16Bits, b| order(flush, a, b))
        }
    }
}

#[inline(never)]
fn compare_pair(r: &Registers, compared: Compared, relation: Relation, s: [Slot; 2]) -> (u32, u32) {
    let Compared::Float { kind, flush } = compared else { return (0, 0) };
    if kind == FloatKind::Bf16x2 {
        let low = related(r, relation, s, |a: Pair<Bf16Bits>, b: Pair<Bf16Bits>| order(flush, a.0, b.0));
        let high = related(r, relation, s, |a: Pair<Bf16Bits>, b: Pair<Bf16Bits>| order(flush, a.1, b.1));
        (low, high)
    } else {
        let low = related(r, relation, s, |a: Pair<Half>, b: Pair<Half>| order(flush, a.0, b.0));
        let high = related(r, relation, s, |a: Pair<Half>, b: Pair<Half>| order(flush, a.1, b.1));
        (low, high)
    }
}

/// Reads a parameter of the kernel, the same for all lanes.
fn parameter(
    r: &mut Registers,
    mask: u32,
    params: &[u8],
    d: Place,
    offset: u32,
    size: u8,
    extension: Extension,
) {
    let long = matches!(d, Place::Long(_));
    let value =
        super::load_store::extended(super::constants::parameter(params, offset, size), size, extension, long);
    match d {
        Place::Word(slot) | Place::Predicate(slot) => r.map0(mask, slot, value as u32),
        Place::Long(slot) => r.map0(mask, slot, value),
    }
}

/// Returns the fault of a failed assertion, with the texts that the kernel passed.
fn assertion(reach: &mut WarpMemory<'_>, mask: u32, texts: [Slot; 3], line: Slot) -> LaneFault {
    let lane = mask.trailing_zeros() as usize;
    let [message, file, function] = texts.map(|slot| {
        let address = reach.registers.long(slot, lane);
        text(reach, lane, address)
    });
    let line = reach.registers.word(line, lane);
    let assertion = Some(Box::new((format!("{file}:{line}: {function}"), message, mask)));
    LaneFault { assertion, ..LaneFault::new(FaultKind::Assert, lane, "") }
}

/// Reads a text from memory, up to its NUL or to the end of the memory.
fn text(reach: &mut WarpMemory<'_>, lane: usize, address: u64) -> String {
    const LONGEST: u64 = 256;
    let mut bytes = Vec::new();
    for index in 0..LONGEST {
        match reach.peek(lane, address.wrapping_add(index)) {
            None | Some(0) => break,
            Some(byte) => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
