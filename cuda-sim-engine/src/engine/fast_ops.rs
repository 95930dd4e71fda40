//! The operations that most kernels consist of.
//!
//! With `FAST`, these are compiled into the loop over steps, which makes kernels faster and the engine's build longer. Without it,
//! they are calls of functions, like all other operations.

use super::arithmetic::{
    divide_approximately, exponential, logarithm, maximum, minimum, reciprocal_square_root,
};
use super::float::{Float, Half, Pair};
use super::integer::Integer;
use super::registers::{Lane, Registers};
use super::{arithmetic, convert, integer, lane_ops};
use crate::number::{fused_multiply_add, half_via_f32, nan};
use crate::op::{
    Compared, Conversion, Float1, Float2, FloatKind, Integer2, Integer3, IntegerKind, Mode, Number, Relation,
    Slot,
};
use cuda_ptx::modifier::Rounding;

use IntegerKind::{S32, S64, U32, U64};

/// `.ftz` and nothing else.
const FLUSHED: Mode = Mode { flush: true, ..Mode::PLAIN };

/// `.rm` and nothing else, which exponential functions use.
const DOWNWARD: Mode = Mode { rounding: Rounding::Down, ..Mode::PLAIN };

#[inline(always)]
pub(super) fn integer2<const FAST: bool>(
    r: &mut Registers,
    mask: u32,
    kind: IntegerKind,
    operation: Integer2,
    d: Slot,
    s: [Slot; 2],
) {
    if !FAST {
        return integer::integer2(r, mask, kind, operation, d, s);
    }
    match (kind, operation) {
        (U32 | S32, Integer2::Add) => r.fast_map2(mask, d, s, <u32 as Integer>::add),
        (U32 | S32, Integer2::Subtract) => r.fast_map2(mask, d, s, <u32 as Integer>::subtract),
        (U32 | S32, Integer2::MultiplyLow) => r.fast_map2(mask, d, s, <u32 as Integer>::multiply),
        (U32 | S32, Integer2::And) => r.fast_map2(mask, d, s, <u32 as Integer>::and),
        (U32 | S32, Integer2::Or) => r.fast_map2(mask, d, s, <u32 as Integer>::or),
        (U32 | S32, Integer2::Xor) => r.fast_map2(mask, d, s, <u32 as Integer>::xor),
        (U32, Integer2::Minimum) => r.fast_map2(mask, d, s, <u32 as Ord>::min),
        (U32, Integer2::Maximum) => r.fast_map2(mask, d, s, <u32 as Ord>::max),
        (S32, Integer2::Minimum) => r.fast_map2(mask, d, s, <i32 as Ord>::min),
        (S32, Integer2::Maximum) => r.fast_map2(mask, d, s, <i32 as Ord>::max),
        (U64 | S64, Integer2::Add) => r.fast_map2(mask, d, s, <u64 as Integer>::add),
        (U64 | S64, Integer2::Subtract) => r.fast_map2(mask, d, s, <u64 as Integer>::subtract),
        (U64 | S64, Integer2::And) => r.fast_map2(mask, d, s, <u64 as Integer>::and),
        (U64 | S64, Integer2::Or) => r.fast_map2(mask, d, s, <u64 as Integer>::or),
        _ => integer::integer2(r, mask, kind, operation, d, s),
    }
}

#[inline(always)]
pub(super) fn integer3<const FAST: bool>(
    r: &mut Registers,
    mask: u32,
    kind: IntegerKind,
    operation: Integer3,
    d: Slot,
    s: [Slot; 3],
) {
    if !FAST {
        return integer::integer3(r, mask, kind, operation, d, s);
    }
    match (kind, operation) {
        (U32 | S32, Integer3::MultiplyAdd) => r.fast_map3(mask, d, s, |a: u32, b, c| a.multiply(b).add(c)),
        _ => integer::integer3(r, mask, kind, operation, d, s),
    }
}

#[inline(always)]
pub(super) fn shift<const FAST: bool>(
    r: &mut Registers,
    mask: u32,
    kind: IntegerKind,
    left: bool,
    d: Slot,
    s: [Slot; 2],
) {
    if !FAST {
        return integer::shift(r, mask, kind, left, d, s);
    }
    match (kind, left) {
        (U32 | S32, true) => r.fast_map2(mask, d, s, |a: u32, b: u32| a.shift_left(b)),
        (U32, false) => r.fast_map2(mask, d, s, |a: u32, b: u32| a.shift_right(b)),
        (S32, false) => r.fast_map2(mask, d, s, |a: i32, b: u32| a.shift_right(b)),
        (U64 | S64, true) => r.fast_map2(mask, d, s, |a: u64, b: u32| a.shift_left(b)),
        _ => integer::shift(r, mask, kind, left, d, s),
    }
}

#[inline(always)]
pub(super) fn widen<const FAST: bool>(
    r: &mut Registers,
    mask: u32,
    kind: IntegerKind,
    d: Slot,
    s: [Slot; 2],
    c: Option<Slot>,
) {
    if !FAST {
        return integer::widen(r, mask, kind, d, s, c);
    }
    match (kind, c) {
        (U32, None) => r.fast_map2(mask, d, s, |a: u32, b: u32| u64::from(a) * u64::from(b)),
        (S32, None) => r.fast_map2(mask, d, s, |a: i32, b: i32| i64::from(a) * i64::from(b)),
        (U32, Some(c)) => r.fast_map3(mask, d, [s[0], s[1], c], |a: u32, b: u32, c: u64| {
            (u64::from(a) * u64::from(b)).wrapping_add(c)
        }),
        (S32, Some(c)) => r.fast_map3(mask, d, [s[0], s[1], c], |a: i32, b: i32, c: i64| {
            (i64::from(a) * i64::from(b)).wrapping_add(c)
        }),
        _ => integer::widen(r, mask, kind, d, s, c),
    }
}

/// Computes an operation on doubles. The NaN of a result depends on the operands; most often there is none.
macro_rules! doubles {
    ($r:expr, $mask:expr, $d:expr, $s:expr, |$a:ident, $b:ident| $plain:expr, $with_nan:expr) => {
        if $r.fast_test2($s, |$a: f64, $b: f64| f64::is_nan($plain)) == 0 {
            $r.fast_map2($mask, $d, $s, |$a: f64, $b: f64| $plain);
        } else {
            $r.fast_map2($mask, $d, $s, $with_nan);
        }
    };
}

/// Computes a function of one number. Functions outside of the loop over steps store results in parts that are too small
/// for the next step to load them at once.
#[inline(always)]
pub(super) fn float1<const FAST: bool>(
    r: &mut Registers,
    mask: u32,
    kind: FloatKind,
    operation: Float1,
    mode: Mode,
    d: Slot,
    a: Slot,
) {
    if FAST && kind == FloatKind::F32 && mode == Mode::PLAIN {
        match operation {
            Float1::Negate => return r.fast_map1(mask, d, a, f32::negated),
            Float1::Absolute => return r.fast_map1(mask, d, a, f32::absolute),
            Float1::SquareRoot => return r.fast_map1(mask, d, a, f32::square_root),
            Float1::Reciprocal => return r.fast_map1(mask, d, a, |a: f32| f32::one().divide(a)),
            Float1::ReciprocalSquareRoot => return r.fast_map1(mask, d, a, reciprocal_square_root::<f32>),
            Float1::Exponential => return r.fast_map1(mask, d, a, exponential::<f32>),
            Float1::Logarithm => return r.fast_map1(mask, d, a, logarithm::<f32>),
            _ => {}
        }
    }
    if FAST && kind == FloatKind::F32 && mode == FLUSHED {
        match operation {
            Float1::Reciprocal => {
                return r.fast_map1(mask, d, a, |a: f32| f32::one().divide(a.flushed()).flushed());
            }
            Float1::ReciprocalSquareRoot => {
                return r.fast_map1(mask, d, a, |a: f32| reciprocal_square_root(a.flushed()).flushed());
            }
            Float1::Exponential => {
                return r.fast_map1(mask, d, a, |a: f32| exponential(a.flushed()).flushed());
            }
            Float1::Logarithm => {
                return r.fast_map1(mask, d, a, |a: f32| logarithm(a.flushed()).flushed());
            }
            _ => {}
        }
    }
    arithmetic::float1(r, mask, kind, operation, mode, d, a);
}

#[inline(always)]
pub(super) fn float2<const FAST: bool>(
    r: &mut Registers,
    mask: u32,
    kind: FloatKind,
    operation: Float2,
    mode: Mode,
    d: Slot,
    s: [Slot; 2],
) {
    if !FAST {
        return arithmetic::float2(r, mask, kind, operation, mode, d, s);
    }
    if kind == FloatKind::F32 && mode == FLUSHED {
        match operation {
            Float2::Add => {
                return r.fast_map2(mask, d, s, |a: f32, b: f32| a.flushed().add(b.flushed()).flushed());
            }
            Float2::Subtract => {
                return r.fast_map2(mask, d, s, |a: f32, b: f32| a.flushed().subtract(b.flushed()).flushed());
            }
            Float2::Multiply => {
                return r.fast_map2(mask, d, s, |a: f32, b: f32| a.flushed().multiply(b.flushed()).flushed());
            }
            Float2::DivideApproximate => {
                return r.fast_map2(mask, d, s, |a: f32, b: f32| {
                    divide_approximately(a.flushed(), b.flushed()).flushed()
                });
            }
            _ => {}
        }
    }
    match (kind, operation) {
        _ if mode != Mode::PLAIN => arithmetic::float2(r, mask, kind, operation, mode, d, s),
        (FloatKind::F32, Float2::Add) => r.fast_map2(mask, d, s, <f32 as Float>::add),
        (FloatKind::F32, Float2::Subtract) => r.fast_map2(mask, d, s, <f32 as Float>::subtract),
        (FloatKind::F32, Float2::Multiply) => r.fast_map2(mask, d, s, <f32 as Float>::multiply),
        (FloatKind::F32, Float2::Divide) => r.fast_map2(mask, d, s, <f32 as Float>::divide),
        (FloatKind::F32, Float2::DivideApproximate) => r.fast_map2(mask, d, s, divide_approximately::<f32>),
        (FloatKind::F32, Float2::Minimum) => r.fast_map2(mask, d, s, |a: f32, b| minimum(a, b, false)),
        (FloatKind::F32, Float2::Maximum) => r.fast_map2(mask, d, s, |a: f32, b| maximum(a, b, false)),
        (FloatKind::F64, Float2::Add) => doubles!(r, mask, d, s, |a, b| a + b, f64::add),
        (FloatKind::F64, Float2::Subtract) => doubles!(r, mask, d, s, |a, b| a - b, f64::subtract),
        (FloatKind::F64, Float2::Multiply) => doubles!(r, mask, d, s, |a, b| a * b, f64::multiply),
        (FloatKind::F16, Float2::Add) => r.fast_map2(mask, d, s, Half::add),
        (FloatKind::F16, Float2::Subtract) => r.fast_map2(mask, d, s, Half::subtract),
        (FloatKind::F16, Float2::Multiply) => r.fast_map2(mask, d, s, Half::multiply),
        (FloatKind::F16x2, Float2::Add) => r.fast_map2(mask, d, s, |a, b| halves(a, b, Half::add)),
        (FloatKind::F16x2, Float2::Subtract) => r.fast_map2(mask, d, s, |a, b| halves(a, b, Half::subtract)),
        (FloatKind::F16x2, Float2::Multiply) => r.fast_map2(mask, d, s, |a, b| halves(a, b, Half::multiply)),
        _ => arithmetic::float2(r, mask, kind, operation, mode, d, s),
    }
}

#[inline(always)]
fn halves(a: Pair<Half>, b: Pair<Half>, f: impl Fn(Half, Half) -> Half) -> Pair<Half> {
    Pair(f(a.0, b.0), f(a.1, b.1))
}

/// Computes a fused multiply-add. `FUSED` is true if the host has an instruction for it.
#[inline(always)]
pub(super) fn fma<const FAST: bool, const FUSED: bool>(
    r: &mut Registers,
    mask: u32,
    kind: FloatKind,
    mode: Mode,
    d: Slot,
    s: [Slot; 3],
) {
    if !FAST {
        return arithmetic::fma(r, mask, kind, mode, d, s);
    }
    let single = |a: f32, b: f32, c: f32| {
        nan::single(if FUSED { a.mul_add(b, c) } else { fused_multiply_add::multiply_add(a, b, c) })
    };
    match kind {
        FloatKind::F32 if mode == Mode::PLAIN => r.fast_map3(mask, d, s, single),
        FloatKind::F32 if mode == FLUSHED => r.fast_map3(mask, d, s, |a: f32, b: f32, c: f32| {
            single(a.flushed(), b.flushed(), c.flushed()).flushed()
        }),
        FloatKind::F32 if mode == DOWNWARD => {
            let directed = |a: f32, b, c| fused_multiply_add::multiply_add_directed(a, b, c, Rounding::Down);
            if r.fast_test3(s, |a: f32, b, c| directed(a, b, c).is_none()) == 0 {
                r.fast_map3(mask, d, s, |a: f32, b: f32, c: f32| directed(a, b, c).unwrap_or_default());
            } else {
                arithmetic::fma(r, mask, kind, mode, d, s);
            }
        }
        FloatKind::F64 if FUSED && mode == Mode::PLAIN => {
            if r.fast_test3(s, |a: f64, b: f64, c: f64| a.mul_add(b, c).is_nan()) == 0 {
                r.fast_map3(mask, d, s, f64::mul_add);
            } else {
                r.fast_map3(mask, d, s, <f64 as Float>::multiply_add);
            }
        }
        FloatKind::F16 if mode == Mode::PLAIN => r.fast_map3(mask, d, s, Half::multiply_add),
        FloatKind::F16x2 if mode == Mode::PLAIN => {
            r.fast_map3(mask, d, s, |a: Pair<Half>, b: Pair<Half>, c: Pair<Half>| {
                Pair(a.0.multiply_add(b.0, c.0), a.1.multiply_add(b.1, c.1))
            });
        }
        _ => arithmetic::fma(r, mask, kind, mode, d, s),
    }
}

#[inline(always)]
pub(super) fn compare<const FAST: bool>(
    r: &Registers,
    compared: Compared,
    relation: Relation,
    s: [Slot; 2],
) -> u32 {
    if !FAST {
        return lane_ops::compare(r, compared, relation, s);
    }
    match compared {
        Compared::Integer(U32) => ordered::<u32>(r, relation, s),
        Compared::Integer(S32) => ordered::<i32>(r, relation, s),
        Compared::Float { kind: FloatKind::F32, flush: false } => match relation {
            Relation::Equal => r.fast_test2(s, |a: f32, b| a == b),
            Relation::NotEqualUnordered => r.fast_test2(s, |a: f32, b| a != b),
            Relation::Less => r.fast_test2(s, |a: f32, b| a < b),
            Relation::LessEqual => r.fast_test2(s, |a: f32, b| a <= b),
            Relation::Greater => r.fast_test2(s, |a: f32, b| a > b),
            Relation::GreaterEqual => r.fast_test2(s, |a: f32, b| a >= b),
            _ => lane_ops::compare(r, compared, relation, s),
        },
        _ => lane_ops::compare(r, compared, relation, s),
    }
}

#[inline(always)]
pub(super) fn ordered<T: Lane + Ord>(r: &Registers, relation: Relation, s: [Slot; 2]) -> u32 {
    match relation {
        Relation::Equal => r.fast_test2(s, |a: T, b| a == b),
        Relation::NotEqual => r.fast_test2(s, |a: T, b| a != b),
        Relation::Less => r.fast_test2(s, |a: T, b| a < b),
        Relation::LessEqual => r.fast_test2(s, |a: T, b| a <= b),
        Relation::Greater => r.fast_test2(s, |a: T, b| a > b),
        _ => r.fast_test2(s, |a: T, b| a >= b),
    }
}

#[inline(always)]
pub(super) fn convert<const FAST: bool>(
    r: &mut Registers,
    mask: u32,
    conversion: &Conversion,
    d: Slot,
    a: Slot,
) {
    if !FAST {
        return convert::convert(r, mask, conversion, d, a);
    }
    let plain = !conversion.flush && !conversion.saturate && !conversion.relu;
    let near = plain && conversion.rounding == Rounding::Nearest;
    match (conversion.from, conversion.to) {
        (Number::Integer { bits: 32, signed: true }, Number::Float(FloatKind::F32)) if near => {
            r.fast_map1(mask, d, a, |a: i32| a as f32);
        }
        (Number::Float(FloatKind::F16), Number::Float(FloatKind::F32)) if near => {
            r.fast_map1(mask, d, a, |a: u32| half_via_f32::half_to_single(a as u16));
        }
        (Number::Float(FloatKind::F32), Number::Float(FloatKind::F16)) if near => {
            r.fast_map1(mask, d, a, |a: f32| u32::from(half_via_f32::single_to_half(a)));
        }
        (Number::Float(FloatKind::F32), Number::Float(FloatKind::F32)) if plain => {
            match conversion.rounding {
                Rounding::IntegerNearest => {
                    r.fast_map1(mask, d, a, |a: f32| nan::single(a.round_ties_even()));
                }
                Rounding::IntegerZero => r.fast_map1(mask, d, a, |a: f32| nan::single(a.trunc())),
                Rounding::IntegerDown => r.fast_map1(mask, d, a, |a: f32| nan::single(a.floor())),
                Rounding::IntegerUp => r.fast_map1(mask, d, a, |a: f32| nan::single(a.ceil())),
                _ => convert::convert(r, mask, conversion, d, a),
            }
        }
        (Number::Float(FloatKind::F32), Number::Float(FloatKind::F32))
            if conversion.saturate
                && !conversion.flush
                && !conversion.relu
                && !conversion.rounding.is_integer() =>
        {
            // NaN and minus zero become zero.
            r.fast_map1(mask, d, a, |a: f32| if a > 0.0 { if a < 1.0 { a } else { 1.0 } } else { 0.0 });
        }
        _ => convert::convert(r, mask, conversion, d, a),
    }
}
