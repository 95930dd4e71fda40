//! Conversions to and from formats that no register type has: eight bits, `tf32`, packed integers.

use cuda_ptx::modifier::Rounding;

use super::registers::{Registers, lanes};
use crate::number::half_via_f64::{double_to_half, half_to_double};
use crate::op::{NONE, NarrowFormat, Slot};

/// Parameters of a format of eight bits.
struct Shape {
    fraction: i32,
    bias: i32,
    largest: f64,
}

fn shape(format: NarrowFormat) -> Shape {
    match format {
        NarrowFormat::E4m3 => Shape { fraction: 3, bias: 7, largest: 448.0 },
        NarrowFormat::E5m2 => Shape { fraction: 2, bias: 15, largest: 57344.0 },
    }
}

fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Rounds to nearest. Values that are too large become the largest number.
pub(super) fn to_narrow(format: NarrowFormat, value: f64) -> u8 {
    let Shape { fraction, bias, largest } = shape(format);
    if value.is_nan() {
        return 0x7f;
    }
    let sign = if value.is_sign_negative() { 0x80 } else { 0 };
    let magnitude = value.abs();
    let lowest = 1 - bias;
    if magnitude >= largest {
        return sign | encode(largest, lowest, fraction);
    }
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(lowest);
    // Exact: both are powers of two away from small integers.
    let quantum = power(exponent - fraction);
    let rounded = (magnitude / quantum).round_ties_even() * quantum;
    sign | encode(rounded.min(largest), lowest, fraction)
}

/// Encodes a number that the format can represent.
fn encode(magnitude: f64, lowest: i32, fraction: i32) -> u8 {
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    if exponent < lowest {
        return (magnitude / power(lowest - fraction)) as u8;
    }
    let significand = (magnitude / power(exponent - fraction)) as i32;
    // The first bit of the significand is the last bit of the exponent, so the two can be added.
    (((exponent - lowest) << fraction) + significand) as u8
}

/// Decodes a number of eight bits.
pub(super) fn from_narrow(format: NarrowFormat, bits: u8) -> f64 {
    let Shape { fraction, bias, .. } = shape(format);
    let (low, rest) = (i32::from(bits & 0x7f), bits & 0x7f);
    let (exponent, significand) = (low >> fraction, low & ((1 << fraction) - 1));
    let magnitude = match (format, rest) {
        (NarrowFormat::E4m3, 0x7f) | (NarrowFormat::E5m2, 0x7d..=0x7f) => f64::NAN,
        (NarrowFormat::E5m2, 0x7c) => f64::INFINITY,
        _ if exponent == 0 => f64::from(significand) * power(1 - bias - fraction),
        _ => f64::from(significand + (1 << fraction)) * power(exponent - bias - fraction),
    };
    if bits & 0x80 != 0 { -magnitude } else { magnitude }
}

/// Converts two numbers to eight bits each.
pub(super) fn narrow(
    r: &mut Registers,
    mask: u32,
    (format, relu, halves): (NarrowFormat, bool, bool),
    d: Slot,
    [high, low]: [Slot; 2],
) {
    let single = |bits: u32| f64::from(f32::from_bits(bits));
    for lane in lanes(mask) {
        let (high, low) = (r.word(high, lane), r.word(low, lane));
        let values = if halves {
            [half_to_double((high >> 16) as u16), half_to_double(high as u16)]
        } else {
            [single(high), single(low)]
        };
        let [high, low] = values.map(|value| {
            let negative = value.is_sign_negative() && !value.is_nan();
            u32::from(if relu && negative { 0 } else { to_narrow(format, value) })
        });
        r.set_word(d, lane, high << 8 | low);
    }
}

/// Converts two numbers of eight bits to `f16`.
pub(super) fn widen(r: &mut Registers, mask: u32, format: NarrowFormat, relu: bool, d: Slot, a: Slot) {
    let half = |bits: u8| {
        let value = from_narrow(format, bits);
        if value.is_nan() {
            0x7fff
        } else if relu && value.is_sign_negative() {
            0
        } else {
            double_to_half(value, Rounding::Nearest)
        }
    };
    r.map1(mask, d, a, |a: u32| u32::from(half((a >> 8) as u8)) << 16 | u32::from(half(a as u8)));
}

/// Converts single precision to `tf32`, which drops the lower 13 bits of the fraction.
pub(super) fn tensor(
    r: &mut Registers,
    mask: u32,
    (rounding, relu, finite): (Rounding, bool, bool),
    d: Slot,
    a: Slot,
) {
    r.map1(mask, d, a, |bits: u32| to_tensor(rounding, relu, finite, bits));
}

/// Rounds the bits of an `f32` to `tf32`.
pub(super) fn to_tensor(rounding: Rounding, relu: bool, finite: bool, bits: u32) -> u32 {
    const DROPPED: u32 = (1 << 13) - 1;
    if f32::from_bits(bits).is_nan() {
        return match (rounding, finite) {
            // The hardware uses integer operations here, without a case for NaN. The remaining bits may be an infinity.
            (Rounding::NearestAway, false) => bits & !DROPPED,
            (Rounding::NearestAway, true) => (bits & !DROPPED) - (DROPPED + 1),
            _ => 0x7fff_ffff & !DROPPED,
        };
    }
    if relu && bits >> 31 != 0 {
        return 0;
    }
    if bits & 0x7f80_0000 == 0x7f80_0000 {
        return if finite { bits & 0x8000_0000 | 0x7f7f_e000 } else { bits };
    }
    let up = match rounding {
        Rounding::NearestAway => 1 << 12,
        Rounding::Nearest => (DROPPED >> 1) + (bits >> 13 & 1),
        _ => 0,
    };
    // A carry out of the fraction increments the exponent. After the largest exponent, the result is an infinity.
    let rounded = (bits + up) & !DROPPED;
    if finite && rounded & 0x7f80_0000 == 0x7f80_0000 { rounded & 0x8000_0000 | 0x7f7f_e000 } else { rounded }
}

/// Clamps two integers to fewer bits and packs them, `a` above `b`, below the shifted `c` if there is one.
pub(super) fn pack(r: &mut Registers, mask: u32, (bits, signed): (u8, bool), d: Slot, [a, b, c]: [Slot; 3]) {
    let keep = u32::MAX >> (32 - u32::from(bits));
    let (low, high) =
        if signed { (-(1i32 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    let clamped = |value: u32| value.cast_signed().clamp(low, high).cast_unsigned() & keep;
    for lane in lanes(mask) {
        let pair = clamped(r.word(a, lane)) << bits | clamped(r.word(b, lane));
        let above = if c == NONE { 0 } else { r.word(c, lane).checked_shl(2 * u32::from(bits)).unwrap_or(0) };
        r.set_word(d, lane, above | pair);
    }
}

/// Replaces an infinity of a 16-bit format by the largest number.
pub(super) fn finite(brain: bool, bits: u32) -> u32 {
    let infinity = if brain { 0x7f80 } else { 0x7c00 };
    if bits & 0x7fff == infinity { bits - 1 } else { bits }
}
