//! Conversions between numbers.

use cuda_ptx::modifier::Rounding;

use super::registers::{Registers, lanes};
use crate::number::float_format::{BF16, F16, F32, F64, Format, Unpacked};
use crate::number::nan;
use crate::op::{Conversion, FloatKind, Number, Slot};

fn format_of(kind: FloatKind) -> Format {
    match kind {
        FloatKind::F16 | FloatKind::F16x2 => F16,
        FloatKind::Bf16 | FloatKind::Bf16x2 => BF16,
        FloatKind::F32 => F32,
        FloatKind::F64 => F64,
    }
}

fn is_wide(number: Number) -> bool {
    matches!(number, Number::Integer { bits: 64, .. } | Number::Float(FloatKind::F64))
}

/// Converts the lanes of `mask`.
#[inline(never)]
pub(super) fn convert(r: &mut Registers, mask: u32, conversion: &Conversion, d: Slot, a: Slot) {
    let plain = !conversion.flush && !conversion.saturate && !conversion.relu;
    let single = Number::Float(FloatKind::F32);
    let double = Number::Float(FloatKind::F64);
    let integer = |bits, signed| Number::Integer { bits, signed };
    if plain {
        // The common conversions have loops of their own.
        let near = conversion.rounding == Rounding::Nearest;
        let truncated = conversion.rounding == Rounding::IntegerZero;
        let (from, to) = (conversion.from, conversion.to);
        if near && from == integer(32, true) && to == single {
            return r.map1(mask, d, a, |a: i32| a as f32);
        } else if near && from == integer(32, false) && to == single {
            return r.map1(mask, d, a, |a: u32| a as f32);
        } else if near && from == integer(32, true) && to == double {
            return r.map1(mask, d, a, |a: i32| f64::from(a));
        } else if near && from == integer(32, false) && to == double {
            return r.map1(mask, d, a, |a: u32| f64::from(a));
        } else if near && from == single && to == double {
            return r.map1(mask, d, a, widen);
        } else if near && from == double && to == single {
            return r.map1(mask, d, a, |a: f64| nan::single(a as f32));
        } else if truncated && from == single && to == integer(32, true) {
            return r.map1(mask, d, a, |a: f32| a as i32);
        } else if truncated && from == single && to == integer(32, false) {
            return r.map1(mask, d, a, |a: f32| a as u32);
        }
    }
    for lane in lanes(mask) {
        let bits = if is_wide(conversion.from) { r.long(a, lane) } else { u64::from(r.word(a, lane)) };
        let value = one(conversion, bits);
        if is_wide(conversion.to) {
            r.set_long(d, lane, value);
        } else {
            r.set_word(d, lane, value as u32);
        }
    }
}

/// Converts a single to a double. The payload of a NaN is kept.
#[inline(always)]
fn widen(value: f32) -> f64 {
    nan::double(f64::from(value), [f64::from(value)])
}

fn flushed(bits: u64) -> u64 {
    if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

/// Converts one value. Argument and result are bits.
fn one(conversion: &Conversion, bits: u64) -> u64 {
    match (conversion.from, conversion.to) {
        (Number::Integer { bits: from, signed }, to) => {
            let value = extend(bits, from, signed);
            match to {
                Number::Integer { bits, signed } => clamp(value, bits, signed),
                Number::Float(kind) => {
                    let format = format_of(kind);
                    let magnitude = value.unsigned_abs() as u64;
                    let number = format.integer(value < 0, magnitude, conversion.rounding);
                    finish(conversion, kind, number)
                }
            }
        }
        (Number::Float(kind), to) => {
            let bits = if conversion.flush && kind == FloatKind::F32 { flushed(bits) } else { bits };
            match to {
                Number::Integer { bits: width, signed } => to_integer(
                    format_of(kind),
                    bits,
                    kind == FloatKind::F64,
                    conversion.rounding,
                    width,
                    signed,
                ),
                Number::Float(target) => {
                    let number = if conversion.rounding.is_integer() {
                        to_integral(format_of(kind), bits, conversion.rounding)
                    } else if kind == target {
                        canonical(kind, bits)
                    } else if target == FloatKind::F64 && kind == FloatKind::F32 {
                        widen(f32::from_bits(bits as u32)).to_bits()
                    } else {
                        format_of(kind).convert(bits, format_of(target), conversion.rounding)
                    };
                    finish(conversion, target, number)
                }
            }
        }
    }
}

/// Returns the NaN that an operation of this format yields.
fn canonical(kind: FloatKind, bits: u64) -> u64 {
    let format = format_of(kind);
    match format.unpack(bits) {
        Unpacked::Nan if kind == FloatKind::F64 => bits | 1 << 51,
        Unpacked::Nan => format.nan(),
        _ => bits,
    }
}

/// Applies saturation, flushing and clamping to a result.
fn finish(conversion: &Conversion, kind: FloatKind, bits: u64) -> u64 {
    let format = format_of(kind);
    let bits = if conversion.flush && kind == FloatKind::F32 { flushed(bits) } else { bits };
    let unpacked = format.unpack(bits);
    let negative = match unpacked {
        Unpacked::Nan => false,
        Unpacked::Infinite { negative } | Unpacked::Finite { negative, .. } => negative,
    };
    if conversion.saturate {
        let one = format.integer(false, 1, Rounding::Nearest);
        return match unpacked {
            Unpacked::Nan => 0,
            _ if negative => 0,
            // Positive numbers have the same order as their bits.
            _ => bits.min(one),
        };
    }
    if conversion.relu && negative { 0 } else { bits }
}

/// Returns the low bits of a register as a number.
fn extend(bits: u64, width: u8, signed: bool) -> i128 {
    let shift = 64 - u32::from(width);
    let top = bits << shift;
    if signed { i128::from(top.cast_signed() >> shift) } else { i128::from(top >> shift) }
}

/// Clamps a number to an integer type. The result is bits of that width.
fn clamp(value: i128, width: u8, signed: bool) -> u64 {
    let (low, high) = if signed {
        (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
    } else {
        (0, (1i128 << width) - 1)
    };
    let mask = u64::MAX >> (64 - u32::from(width));
    value.clamp(low, high) as u64 & mask
}

/// Rounds to an integer. Values outside of the range are clamped. NaN becomes zero; if the source or the result has 64
/// bits, only the upper bit is set.
fn to_integer(format: Format, bits: u64, double: bool, rounding: Rounding, width: u8, signed: bool) -> u64 {
    match format.unpack(bits) {
        Unpacked::Nan => {
            if double || width == 64 {
                1 << (width - 1)
            } else {
                0
            }
        }
        Unpacked::Infinite { negative } => clamp(if negative { i128::MIN } else { i128::MAX }, width, signed),
        Unpacked::Finite { negative, exponent, significand } => {
            let magnitude = round_magnitude(negative, exponent, significand, rounding);
            clamp(if negative { -magnitude } else { magnitude }, width, signed)
        }
    }
}

/// Rounds `significand * 2^exponent` to an integer. Larger values are cut off at 2^100, which is beyond every integer
/// type.
fn round_magnitude(negative: bool, exponent: i32, significand: u128, rounding: Rounding) -> i128 {
    const LARGE: i128 = 1 << 100;
    if significand == 0 {
        return 0;
    }
    if exponent >= 0 {
        let length = 128 - significand.leading_zeros();
        return if exponent.unsigned_abs() + length > 100 {
            LARGE
        } else {
            (significand << exponent) as i128
        };
    }
    let shift = exponent.unsigned_abs();
    let kept = significand.checked_shr(shift).unwrap_or(0);
    let half = significand.checked_shr(shift - 1).unwrap_or(0) & 1 != 0;
    let below = 1u128.checked_shl(shift - 1).map_or(u128::MAX, |limit| limit - 1);
    let rest = significand & below != 0;
    let up = match rounding {
        Rounding::IntegerNearest | Rounding::Nearest => half && (rest || kept & 1 != 0),
        Rounding::IntegerDown | Rounding::Down => negative && (half || rest),
        Rounding::IntegerUp | Rounding::Up => !negative && (half || rest),
        _ => false,
    };
    (kept + u128::from(up)) as i128
}

/// Rounds to an integral value of the same format. The sign of zero is kept.
fn to_integral(format: Format, bits: u64, rounding: Rounding) -> u64 {
    match format.unpack(bits) {
        Unpacked::Nan if format == F64 => bits | 1 << 51,
        Unpacked::Nan => format.nan(),
        Unpacked::Infinite { .. } => bits,
        Unpacked::Finite { exponent, .. } if exponent >= 0 => bits,
        Unpacked::Finite { negative, exponent, significand } => {
            let magnitude = round_magnitude(negative, exponent, significand, rounding).unsigned_abs();
            format.pack(negative, 0, magnitude, false, Rounding::Nearest)
        }
    }
}
