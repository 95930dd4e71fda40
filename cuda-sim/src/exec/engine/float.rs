//! Floating-point operations.
//!
//! What the host computes is IEEE 754 to nearest, as the hardware's is; other roundings and the 16-bit formats go
//! through [`soft`]. Operations marked as approximate in PTX are computed in double precision and rounded, which is
//! more accurate than the hardware and therefore not what it yields bit for bit.

use crate::ptx::modifier::Rounding;

use super::super::number::format::{BF16, F16, F32, F64, Format};
use super::super::number::{half, nan, soft};
use super::super::op::{Float1, Float2, FloatKind, Mode, Property, Relation, Slot};
use super::registers::{CHUNK, Lane, Registers};

/// A half-precision number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Half(pub(super) u16);

/// A `bf16` number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Brain(pub(super) u16);

/// Two numbers in a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<T>(pub(super) T, pub(super) T);

macro_rules! half_lane {
    ($type:ident) => {
        impl Lane for $type {
            #[inline(always)]
            fn read(registers: &Registers, slot: Slot, chunk: usize) -> [Self; CHUNK] {
                u16::read(registers, slot, chunk).map(Self)
            }
            #[inline(always)]
            fn write(r: &mut Registers, slot: Slot, chunk: usize, values: [Self; CHUNK], mask: u32) {
                u16::write(r, slot, chunk, values.map(|value| value.0), mask);
            }
        }

        impl Lane for Pair<$type> {
            #[inline(always)]
            fn read(registers: &Registers, slot: Slot, chunk: usize) -> [Self; CHUNK] {
                u32::read(registers, slot, chunk)
                    .map(|bits| Self($type(bits as u16), $type((bits >> 16) as u16)))
            }
            #[inline(always)]
            fn write(r: &mut Registers, slot: Slot, chunk: usize, values: [Self; CHUNK], mask: u32) {
                let words = values.map(|value| u32::from(value.1.0) << 16 | u32::from(value.0.0));
                u32::write(r, slot, chunk, words, mask);
            }
        }
    };
}

half_lane!(Half);
half_lane!(Brain);

/// What the operations need of a number.
pub(super) trait Float: Lane {
    const FORMAT: Format;
    fn from_pattern(bits: u64) -> Self;
    fn pattern(self) -> u64;
    fn is_nan(self) -> bool;
    fn nan() -> Self;
    fn zero() -> Self;
    fn one() -> Self;
    /// Zero of its sign if it is subnormal.
    fn flushed(self) -> Self;
    fn is_negative(self) -> bool;
    fn less(self, other: Self) -> bool;
    fn equal(self, other: Self) -> bool;
    fn negated(self) -> Self;
    fn absolute(self) -> Self;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn divide(self, other: Self) -> Self;
    fn multiply_add(self, b: Self, c: Self) -> Self;
    fn square_root(self) -> Self;
    fn to_double(self) -> f64;
    /// Rounds to nearest.
    fn from_double(value: f64) -> Self;
}

impl Float for f32 {
    const FORMAT: Format = F32;

    #[inline(always)]
    fn from_pattern(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    #[inline(always)]
    fn pattern(self) -> u64 {
        u64::from(self.to_bits())
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        f32::is_nan(self)
    }
    #[inline(always)]
    fn nan() -> Self {
        f32::from_bits(nan::SINGLE)
    }
    #[inline(always)]
    fn zero() -> Self {
        0.0
    }
    #[inline(always)]
    fn one() -> Self {
        1.0
    }
    #[inline(always)]
    fn flushed(self) -> Self {
        let bits = self.to_bits();
        if bits & 0x7f80_0000 == 0 { f32::from_bits(bits & 0x8000_0000) } else { self }
    }
    #[inline(always)]
    fn is_negative(self) -> bool {
        self.is_sign_negative()
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn equal(self, other: Self) -> bool {
        self == other
    }
    #[inline(always)]
    fn negated(self) -> Self {
        nan::single(-self)
    }
    #[inline(always)]
    fn absolute(self) -> Self {
        nan::single(self.abs())
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        nan::single(self + other)
    }
    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        nan::single(self - other)
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        nan::single(self * other)
    }
    #[inline(always)]
    fn divide(self, other: Self) -> Self {
        nan::single(self / other)
    }
    #[inline(always)]
    fn multiply_add(self, b: Self, c: Self) -> Self {
        nan::single(self.mul_add(b, c))
    }
    #[inline(always)]
    fn square_root(self) -> Self {
        nan::single(self.sqrt())
    }
    #[inline(always)]
    fn to_double(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn from_double(value: f64) -> Self {
        nan::single(value as f32)
    }
}

impl Float for f64 {
    const FORMAT: Format = F64;

    #[inline(always)]
    fn from_pattern(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn pattern(self) -> u64 {
        self.to_bits()
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }
    #[inline(always)]
    fn nan() -> Self {
        f64::from_bits(nan::DOUBLE)
    }
    #[inline(always)]
    fn zero() -> Self {
        0.0
    }
    #[inline(always)]
    fn one() -> Self {
        1.0
    }
    #[inline(always)]
    fn flushed(self) -> Self {
        self
    }
    #[inline(always)]
    fn is_negative(self) -> bool {
        self.is_sign_negative()
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn equal(self, other: Self) -> bool {
        self == other
    }
    // The sign of a NaN changes like any other.
    #[inline(always)]
    fn negated(self) -> Self {
        -self
    }
    #[inline(always)]
    fn absolute(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        nan::double(self + other, [self, other])
    }
    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        nan::double(self - other, [self, other])
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        nan::double(self * other, [self, other])
    }
    #[inline(always)]
    fn divide(self, other: Self) -> Self {
        nan::double(self / other, [self, other])
    }
    #[inline(always)]
    fn multiply_add(self, b: Self, c: Self) -> Self {
        nan::double(self.mul_add(b, c), [self, b, c])
    }
    #[inline(always)]
    fn square_root(self) -> Self {
        nan::double(self.sqrt(), [self])
    }
    #[inline(always)]
    fn to_double(self) -> f64 {
        self
    }
    #[inline(always)]
    fn from_double(value: f64) -> Self {
        nan::double(value, [value])
    }
}

macro_rules! short_float {
    ($type:ident, $format:expr, $fraction:expr, $one:expr, $to:path, $from:path) => {
        impl Float for $type {
            const FORMAT: Format = $format;

            fn from_pattern(bits: u64) -> Self {
                Self(bits as u16)
            }
            fn pattern(self) -> u64 {
                u64::from(self.0)
            }
            fn is_nan(self) -> bool {
                $to(self.0).is_nan()
            }
            fn nan() -> Self {
                Self(0x7fff)
            }
            fn zero() -> Self {
                Self(0)
            }
            fn one() -> Self {
                Self($one)
            }
            fn flushed(self) -> Self {
                if self.0 & 0x7fff < 1 << $fraction { Self(self.0 & 0x8000) } else { self }
            }
            fn is_negative(self) -> bool {
                self.0 >> 15 != 0
            }
            fn less(self, other: Self) -> bool {
                $to(self.0) < $to(other.0)
            }
            fn equal(self, other: Self) -> bool {
                $to(self.0) == $to(other.0)
            }
            fn negated(self) -> Self {
                if self.is_nan() { Self::nan() } else { Self(self.0 ^ 0x8000) }
            }
            fn absolute(self) -> Self {
                if self.is_nan() { Self::nan() } else { Self(self.0 & 0x7fff) }
            }
            // A double holds the exact sum and product, or is so much longer that rounding twice does no harm.
            fn add(self, other: Self) -> Self {
                Self::from_double($to(self.0) + $to(other.0))
            }
            fn subtract(self, other: Self) -> Self {
                Self::from_double($to(self.0) - $to(other.0))
            }
            fn multiply(self, other: Self) -> Self {
                Self::from_double($to(self.0) * $to(other.0))
            }
            fn divide(self, other: Self) -> Self {
                Self::from_double($to(self.0) / $to(other.0))
            }
            fn multiply_add(self, b: Self, c: Self) -> Self {
                let (a, b, c) = (self.pattern(), b.pattern(), c.pattern());
                Self::from_pattern(soft::multiply_add($format, a, b, c, Rounding::Nearest))
            }
            fn square_root(self) -> Self {
                Self::from_double($to(self.0).sqrt())
            }
            fn to_double(self) -> f64 {
                $to(self.0)
            }
            fn from_double(value: f64) -> Self {
                Self($from(value, Rounding::Nearest))
            }
        }
    };
}

short_float!(Half, F16, 10, 0x3c00, half::half_to_double, half::double_to_half);
short_float!(Brain, BF16, 7, 0x3f80, half::brain_to_double, half::double_to_brain);

/// Prepares an operand.
#[inline(always)]
fn operand<T: Float>(value: T, mode: Mode) -> T {
    if mode.flush { value.flushed() } else { value }
}

/// Finishes a result.
#[inline(always)]
fn result<T: Float>(value: T, mode: Mode) -> T {
    let value = if mode.flush { value.flushed() } else { value };
    if mode.saturate {
        // NaN compares false, and becomes zero.
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

/// A result of one of the functions of [`soft`].
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

/// The smaller of two numbers, as the hardware orders them: minus zero below zero, and NaN losing or winning.
#[inline(always)]
fn minimum<T: Float>(a: T, b: T, nan_wins: bool) -> T {
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
fn maximum<T: Float>(a: T, b: T, nan_wins: bool) -> T {
    if a.is_nan() || b.is_nan() {
        return minimum(a, b, nan_wins);
    }
    if b.less(a) || a.equal(b) && !a.is_negative() { a } else { b }
}

#[inline(always)]
fn copy_sign<T: Float>(sign: T, magnitude: T) -> T {
    let bit = if T::FORMAT == F64 { 1 << 63 } else { 1 << 31 };
    T::from_pattern(magnitude.pattern() & !bit | sign.pattern() & bit)
}

/// `div.approx.f32`: a reciprocal and a product, whose reciprocal is zero for the largest divisors.
fn divide_approximately<T: Float>(a: T, b: T) -> T {
    let magnitude = b.to_double().abs();
    let huge = magnitude > 2f64.powi(126) && magnitude < f64::INFINITY;
    if !huge {
        return a.divide(b);
    }
    if a.to_double().is_infinite() {
        return T::nan();
    }
    let zero = T::zero();
    if a.is_nan() {
        T::nan()
    } else if a.is_negative() != b.is_negative() {
        zero.negated()
    } else {
        zero
    }
}

#[inline(always)]
fn apply2<T: Float>(operation: Float2, rounding: Rounding, a: T, b: T) -> T {
    if rounding != Rounding::Nearest {
        let (x, y) = (a.pattern(), b.pattern());
        let bits = match operation {
            Float2::Add => soft::add(T::FORMAT, x, y, rounding),
            Float2::Subtract => soft::add(T::FORMAT, x, b.negated().pattern(), rounding),
            Float2::Multiply => soft::multiply(T::FORMAT, x, y, rounding),
            _ => soft::divide(T::FORMAT, x, y, rounding),
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
        Float2::CopySign => copy_sign(a, b),
    }
}

/// A function of one number.
fn apply1<T: Float>(operation: Float1, rounding: Rounding, a: T) -> T {
    let directed = rounding != Rounding::Nearest;
    match operation {
        Float1::Negate => a.negated(),
        Float1::Absolute => a.absolute(),
        Float1::SquareRoot if directed => softly(soft::square_root(T::FORMAT, a.pattern(), rounding), &[a]),
        Float1::SquareRoot => a.square_root(),
        Float1::Reciprocal if directed => {
            softly(soft::divide(T::FORMAT, T::one().pattern(), a.pattern(), rounding), &[a])
        }
        Float1::Reciprocal => T::one().divide(a),
        Float1::ReciprocalSquareRoot => {
            let value = a.to_double();
            T::from_double(if value == 0.0 { 1.0 / value } else { 1.0 / value.sqrt() })
        }
        Float1::Exponential => T::from_double(a.to_double().exp2()),
        Float1::Logarithm => {
            let value = a.to_double();
            T::from_double(if value == 0.0 { f64::NEG_INFINITY } else { value.log2() })
        }
        Float1::Sine => T::from_double(a.to_double().sin()),
        Float1::Cosine => T::from_double(a.to_double().cos()),
        Float1::HyperbolicTangent => T::from_double(a.to_double().tanh()),
    }
}

#[inline(always)]
fn run2<T: Float>(r: &mut Registers, mask: u32, operation: Float2, mode: Mode, d: Slot, s: [Slot; 2]) {
    // The plain forms are worth a loop of their own: it has no choices in it.
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
    for lane in super::registers::lanes(mask) {
        r.map2(1 << lane, d, s, |a: T, b: T| {
            let (a, b) = (operand(a, mode), operand(b, mode));
            result(apply2(operation, mode.rounding, a, b), mode)
        });
    }
}

#[inline(always)]
fn run1<T: Float>(r: &mut Registers, mask: u32, operation: Float1, mode: Mode, d: Slot, a: Slot) {
    if mode == Mode::PLAIN {
        match operation {
            Float1::Negate => return r.map1(mask, d, a, T::negated),
            Float1::Absolute => return r.map1(mask, d, a, T::absolute),
            Float1::SquareRoot => return r.map1(mask, d, a, T::square_root),
            Float1::Reciprocal => return r.map1(mask, d, a, |a: T| T::one().divide(a)),
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
        } else {
            let bits = soft::multiply_add(T::FORMAT, a.pattern(), b.pattern(), c.pattern(), mode.rounding);
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

#[inline(always)]
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
        FloatKind::Bf16 => r.map2(mask, d, s, full2::<Brain>(operation, mode)),
        FloatKind::F16x2 => {
            let f = full2::<Half>(operation, mode);
            pairs!(r, mask, d, s, Half, 2, f);
        }
        FloatKind::Bf16x2 => {
            let f = full2::<Brain>(operation, mode);
            pairs!(r, mask, d, s, Brain, 2, f);
        }
    }
}

#[inline(always)]
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
        FloatKind::Bf16 => run1::<Brain>(r, mask, operation, mode, d, a),
        FloatKind::F16x2 => r.map1(mask, d, a, |a: Pair<Half>| {
            let f = |a| result(apply1(operation, mode.rounding, operand(a, mode)), mode);
            Pair(f(a.0), f(a.1))
        }),
        FloatKind::Bf16x2 => r.map1(mask, d, a, |a: Pair<Brain>| {
            let f = |a| result(apply1(operation, mode.rounding, operand(a, mode)), mode);
            Pair(f(a.0), f(a.1))
        }),
    }
}

#[inline(always)]
pub(super) fn fma(r: &mut Registers, mask: u32, kind: FloatKind, mode: Mode, d: Slot, s: [Slot; 3]) {
    match kind {
        FloatKind::F32 => run_fma::<f32>(r, mask, mode, d, s),
        FloatKind::F64 => run_fma::<f64>(r, mask, mode, d, s),
        FloatKind::F16 => run_fma::<Half>(r, mask, mode, d, s),
        FloatKind::Bf16 => run_fma::<Brain>(r, mask, mode, d, s),
        FloatKind::F16x2 => {
            let f = full3::<Half>(mode);
            pairs!(r, mask, d, s, Half, 3, f);
        }
        FloatKind::Bf16x2 => {
            let f = full3::<Brain>(mode);
            pairs!(r, mask, d, s, Brain, 3, f);
        }
    }
}

/// Whether a relation holds between two numbers.
#[inline(always)]
pub(super) fn relates<T: Float>(relation: Relation, flush: bool, a: T, b: T) -> bool {
    let (a, b) = if flush { (a.flushed(), b.flushed()) } else { (a, b) };
    let unordered = a.is_nan() || b.is_nan();
    match relation {
        Relation::Equal => a.equal(b),
        Relation::NotEqual => !unordered && !a.equal(b),
        Relation::Less => a.less(b),
        Relation::LessEqual => a.less(b) || a.equal(b),
        Relation::Greater => b.less(a),
        Relation::GreaterEqual => b.less(a) || a.equal(b),
        Relation::EqualUnordered => unordered || a.equal(b),
        Relation::NotEqualUnordered => !a.equal(b),
        Relation::LessUnordered => unordered || a.less(b),
        Relation::LessEqualUnordered => unordered || a.less(b) || a.equal(b),
        Relation::GreaterUnordered => unordered || b.less(a),
        Relation::GreaterEqualUnordered => unordered || b.less(a) || a.equal(b),
        Relation::Numbers => !unordered,
        Relation::Nan => unordered,
    }
}

/// `testp`
#[inline(always)]
pub(super) fn test(r: &Registers, mask: u32, wide: bool, property: Property, a: Slot) -> u32 {
    macro_rules! holds {
        ($type:ty) => {
            r.test1(mask, a, |a: $type| match property {
                Property::Finite => a.is_finite(),
                Property::Infinite => a.is_infinite(),
                Property::Number => !a.is_nan(),
                Property::NotANumber => a.is_nan(),
                // Zero counts as a normal number here, unlike in the host's language.
                Property::Normal => a.is_normal() || a == 0.0,
                Property::Subnormal => a.is_subnormal(),
            })
        };
    }
    if wide { holds!(f64) } else { holds!(f32) }
}
