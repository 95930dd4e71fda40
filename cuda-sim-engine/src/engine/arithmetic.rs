//! Floating-point operations on registers.

use cuda_ptx::modifier::Rounding;

use super::float::{Bf16Bits, Float, Half, Pair};
use super::registers::Registers;
use crate::number::float_format::F64;
use crate::number::{exponential, soft_float};
use crate::op::{Float1, Float2, FloatKind, Mode, Property, Slot};

/// Applies the mode to an operand.
#[inline(always)]
fn operand<T: Float>(value: T, mode: Mode) -> T {
    if mode.flush { value.flushed() } else { value }
}

/// Applies the mode to a result.
#[inline(always)]
fn result<T: Float>(value: T, mode: Mode) -> T {
    let value = if mode.flush { value.flushed() } else { value };
    if mode.saturate {
        // Comparisons with NaN are false, so NaN becomes zero.
        return if T::one().less(value) {
            T::one()
        } else if T::zero().less(value) {
            value
        } else {
            T::zero()
        };
    }
    if mode.relu && !value.is_nan() && value.is_negative() {
        return T::zero();
    }
    value
}

/// Converts the result of a function of [`soft`], and makes its NaN canonical.
fn softly<T: Float>(bits: u64, operands: &[T]) -> T {
    let value = T::from_pattern(bits);
    if T::FORMAT == F64 && value.is_nan() {
        for operand in operands {
            if operand.is_nan() {
                return T::from_pattern(operand.pattern() | 1 << 51);
            }
        }
    }
    value
}

/// Returns the smaller of two numbers in the order of the hardware. Minus zero is below zero. `nan_wins` selects the
/// result if one operand is NaN.
#[inline(always)]
pub(super) fn minimum<T: Float>(a: T, b: T, nan_wins: bool) -> T {
    if a.is_nan() || b.is_nan() {
        return match (nan_wins, a.is_nan(), b.is_nan()) {
            (false, false, true) => a,
            (false, true, false) => b,
            _ => T::nan(),
        };
    }
    if a.less(b) || a.equal(b) && a.is_negative() { a } else { b }
}

#[inline(always)]
pub(super) fn maximum<T: Float>(a: T, b: T, nan_wins: bool) -> T {
    if a.is_nan() || b.is_nan() {
        return minimum(a, b, nan_wins);
    }
    if b.less(a) || a.equal(b) && !a.is_negative() { a } else { b }
}

/// Implements `.xorsign.abs`: the result is negative if exactly one of two numbers is. NaN has no sign.
#[inline(always)]
fn with_both_signs<T: Float>(magnitude: T, a: T, b: T) -> T {
    if magnitude.is_nan() || a.is_negative() == b.is_negative() { magnitude } else { magnitude.negated() }
}

#[inline(always)]
fn copy_sign<T: Float>(sign: T, magnitude: T) -> T {
    let bit = if T::FORMAT == F64 { 1 << 63 } else { 1 << 31 };
    T::from_pattern(magnitude.pattern() & !bit | sign.pattern() & bit)
}

/// Implements `div.approx.f32` as a reciprocal and a product. The reciprocal is zero for the largest divisors.
#[inline(always)]
pub(super) fn divide_approximately<T: Float>(a: T, b: T) -> T {
    // Without branches, so that the compiler vectorises it.
    let quotient = a.divide(b);
    let magnitude = b.absolute();
    let infinity = T::from_double(f64::INFINITY);
    let huge = T::from_double(2f64.powi(126)).less(magnitude) && magnitude.less(infinity);
    let zero = if a.is_negative() == b.is_negative() { T::zero() } else { T::zero().negated() };
    let product = if a.absolute().less(infinity) { zero } else { T::nan() };
    if huge { product } else { quotient }
}

#[inline(always)]
fn apply2<T: Float>(operation: Float2, rounding: Rounding, a: T, b: T) -> T {
    if rounding != Rounding::Nearest {
        let (x, y) = (a.pattern(), b.pattern());
        let bits = match operation {
            Float2::Add => soft_float::add(T::FORMAT, x, y, rounding),
            Float2::Subtract => soft_float::add(T::FORMAT, x, b.negated().pattern(), rounding),
            Float2::Multiply => soft_float::multiply(T::FORMAT, x, y, rounding),
            _ => soft_float::divide(T::FORMAT, x, y, rounding),
        };
        return softly(bits, &[a, b]);
    }
    match operation {
        Float2::Add => a.add(b),
        Float2::Subtract => a.subtract(b),
        Float2::Multiply => a.multiply(b),
        Float2::Divide => a.divide(b),
        Float2::DivideApproximate => divide_approximately(a, b),
        Float2::Minimum => minimum(a, b, false),
        Float2::Maximum => maximum(a, b, false),
        Float2::MinimumNan => minimum(a, b, true),
        Float2::MaximumNan => maximum(a, b, true),
        Float2::MinimumOfMagnitudes { nan } => {
            with_both_signs(minimum(a.absolute(), b.absolute(), nan), a, b)
        }
        Float2::MaximumOfMagnitudes { nan } => {
            with_both_signs(maximum(a.absolute(), b.absolute(), nan), a, b)
        }
        Float2::CopySign => copy_sign(a, b),
    }
}

/// Computes a function of one number.
fn apply1<T: Float>(operation: Float1, rounding: Rounding, a: T) -> T {
    let directed = rounding != Rounding::Nearest;
    match operation {
        Float1::Negate => a.negated(),
        Float1::Absolute => a.absolute(),
        Float1::SquareRoot if directed => {
            softly(soft_float::square_root(T::FORMAT, a.pattern(), rounding), &[a])
        }
        Float1::SquareRoot => a.square_root(),
        Float1::Reciprocal if directed => {
            softly(soft_float::divide(T::FORMAT, T::one().pattern(), a.pattern(), rounding), &[a])
        }
        Float1::Reciprocal => T::one().divide(a),
        Float1::ReciprocalSquareRoot => reciprocal_square_root(a),
        Float1::Exponential => exponential(a),
        Float1::Logarithm => logarithm(a),
        Float1::Sine => T::from_double(a.to_double().sin()),
        Float1::Cosine => T::from_double(a.to_double().cos()),
        Float1::HyperbolicTangent => T::from_double(a.to_double().tanh()),
    }
}

#[inline(always)]
pub(super) fn exponential<T: Float>(a: T) -> T {
    T::from_double(exponential::exp2(a.to_double()))
}

#[inline(always)]
pub(super) fn logarithm<T: Float>(a: T) -> T {
    T::from_double(exponential::log2(a.to_double()))
}

#[inline(always)]
pub(super) fn reciprocal_square_root<T: Float>(a: T) -> T {
    let value = a.to_double();
    T::from_double(if value == 0.0 { 1.0 / value } else { 1.0 / value.sqrt() })
}

#[inline(always)]
fn run2<T: Float>(r: &mut Registers, mask: u32, operation: Float2, mode: Mode, d: Slot, s: [Slot; 2]) {
    // The plain forms have a loop of their own, without choices in it.
    if mode == Mode::PLAIN {
        match operation {
            Float2::Add => return r.map2(mask, d, s, T::add),
            Float2::Subtract => return r.map2(mask, d, s, T::subtract),
            Float2::Multiply => return r.map2(mask, d, s, T::multiply),
            Float2::Divide => return r.map2(mask, d, s, T::divide),
            Float2::Minimum => return r.map2(mask, d, s, |a: T, b| minimum(a, b, false)),
            Float2::Maximum => return r.map2(mask, d, s, |a: T, b| maximum(a, b, false)),
            _ => {}
        }
    }
    r.map2(mask, d, s, |a: T, b: T| {
        let (a, b) = (operand(a, mode), operand(b, mode));
        result(apply2(operation, mode.rounding, a, b), mode)
    });
}

#[inline(always)]
fn run1<T: Float>(r: &mut Registers, mask: u32, operation: Float1, mode: Mode, d: Slot, a: Slot) {
    if mode == Mode::PLAIN {
        match operation {
            Float1::Negate => return r.map1(mask, d, a, T::negated),
            Float1::Absolute => return r.map1(mask, d, a, T::absolute),
            Float1::SquareRoot => return r.map1(mask, d, a, T::square_root),
            Float1::Reciprocal => return r.map1(mask, d, a, |a: T| T::one().divide(a)),
            Float1::ReciprocalSquareRoot => return r.map1(mask, d, a, reciprocal_square_root::<T>),
            _ => {}
        }
    }
    r.map1(mask, d, a, |a: T| result(apply1(operation, mode.rounding, operand(a, mode)), mode));
}

#[inline(always)]
fn run_fma<T: Float>(r: &mut Registers, mask: u32, mode: Mode, d: Slot, s: [Slot; 3]) {
    if mode == Mode::PLAIN {
        return r.map3(mask, d, s, |a: T, b: T, c: T| a.multiply_add(b, c));
    }
    r.map3(mask, d, s, |a: T, b: T, c: T| {
        let (a, b, c) = (operand(a, mode), operand(b, mode), operand(c, mode));
        let value = if mode.rounding == Rounding::Nearest {
            a.multiply_add(b, c)
        } else if let Some(value) = a.multiply_add_directed(b, c, mode.rounding) {
            value
        } else {
            let bits =
                soft_float::multiply_add(T::FORMAT, a.pattern(), b.pattern(), c.pattern(), mode.rounding);
            softly(bits, &[a, b, c])
        };
        result(value, mode)
    });
}

/// Applies `f` to both numbers of pairs.
macro_rules! pairs {
    ($r:expr, $mask:expr, $d:expr, $s:expr, $type:ident, 2, $f:expr) => {
        $r.map2($mask, $d, $s, |a: Pair<$type>, b: Pair<$type>| Pair($f(a.0, b.0), $f(a.1, b.1)))
    };
    ($r:expr, $mask:expr, $d:expr, $s:expr, $type:ident, 3, $f:expr) => {
        $r.map3($mask, $d, $s, |a: Pair<$type>, b: Pair<$type>, c: Pair<$type>| {
            Pair($f(a.0, b.0, c.0), $f(a.1, b.1, c.1))
        })
    };
}

fn full2<T: Float>(operation: Float2, mode: Mode) -> impl Fn(T, T) -> T {
    move |a, b| result(apply2(operation, mode.rounding, operand(a, mode), operand(b, mode)), mode)
}

fn full3<T: Float>(mode: Mode) -> impl Fn(T, T, T) -> T {
    move |a, b, c| result(operand(a, mode).multiply_add(operand(b, mode), operand(c, mode)), mode)
}

#[inline(never)]
pub(super) fn float2(
    r: &mut Registers,
    mask: u32,
    kind: FloatKind,
    operation: Float2,
    mode: Mode,
    d: Slot,
    s: [Slot; 2],
) {
    match kind {
        FloatKind::F32 => run2::<f32>(r, mask, operation, mode, d, s),
        FloatKind::F64 => run2::<f64>(r, mask, operation, mode, d, s),
        FloatKind::F16 => r.map2(mask, d, s, full2::<Half>(operation, mode)),
        FloatKind::Bf16 => r.map2(mask, d, s, full2::<Bf16Bits>(operation, mode)),
        FloatKind::F16x2 => {
            let f = full2::<Half>(operation, mode);
            pairs!(r, mask, d, s, Half, 2, f);
        }
        FloatKind::Bf16x2 => {
            let f = full2::<Bf16Bits>(operation, mode);
            pairs!(r, mask, d, s, Bf16Bits, 2, f);
        }
    }
}

#[inline(never)]
pub(super) fn float1(
    r: &mut Registers,
    mask: u32,
    kind: FloatKind,
    operation: Float1,
    mode: Mode,
    d: Slot,
    a: Slot,
) {
    match kind {
        FloatKind::F32 => run1::<f32>(r, mask, operation, mode, d, a),
        FloatKind::F64 => run1::<f64>(r, mask, operation, mode, d, a),
        FloatKind::F16 => run1::<Half>(r, mask, operation, mode, d, a),
        FloatKind::Bf16 => run1::<Bf16Bits>(r, mask, operation, mode, d, a),
        FloatKind::F16x2 => r.map1(mask, d, a, |a: Pair<Half>| {
            let f = |a| result(apply1(operation, mode.rounding, operand(a, mode)), mode);
            Pair(f(a.0), f(a.1))
        }),
        FloatKind::Bf16x2 => r.map1(mask, d, a, |a: Pair<Bf16Bits>| {
            let f = |a| result(apply1(operation, mode.rounding, operand(a, mode)), mode);
            Pair(f(a.0), f(a.1))
        }),
    }
}

#[inline(never)]
pub(super) fn fma(r: &mut Registers, mask: u32, kind: FloatKind, mode: Mode, d: Slot, s: [Slot; 3]) {
    match kind {
        FloatKind::F32 => run_fma::<f32>(r, mask, mode, d, s),
        FloatKind::F64 => run_fma::<f64>(r, mask, mode, d, s),
        FloatKind::F16 => run_fma::<Half>(r, mask, mode, d, s),
        FloatKind::Bf16 => run_fma::<Bf16Bits>(r, mask, mode, d, s),
        FloatKind::F16x2 => {
            let f = full3::<Half>(mode);
            pairs!(r, mask, d, s, Half, 3, f);
        }
        FloatKind::Bf16x2 => {
            let f = full3::<Bf16Bits>(mode);
            pairs!(r, mask, d, s, Bf16Bits, 3, f);
        }
    }
}

/// Implements `testp`.
#[inline(never)]
pub(super) fn test(r: &Registers, wide: bool, property: Property, a: Slot) -> u32 {
    macro_rules! holds {
        ($type:ty) => {
            r.test1(a, |a: $type| match property {
                Property::Finite => a.is_finite(),
                Property::Infinite => a.is_infinite(),
                Property::Number => !a.is_nan(),
                Property::NotANumber => a.is_nan(),
                // Unlike in Rust, zero counts as a normal number here.
                Property::Normal => a.is_normal() || a == 0.0,
                Property::Subnormal => a.is_subnormal(),
            })
        };
    }
    if wide { holds!(f64) } else { holds!(f32) }
}
