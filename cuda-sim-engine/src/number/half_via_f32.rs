//! Half precision through single precision, without branches, so that compilers vectorise it.
//!
//! Single precision holds products of halves exactly, and has more than twice as many bits. Sums, quotients and roots
//! that are rounded twice are therefore the same as if rounded once.

use super::nan;

const HALF_NAN: u16 = 0x7fff;
const HALF_INFINITY: u32 = 0x7c00;

/// Converts a half-precision number to single precision. Exact; NaN becomes the canonical NaN.
#[inline(always)]
pub(crate) fn half_to_single(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let sign = u32::from(bits >> 15) << 31;
    // The bits are at the position of those of a single. The exponent is too small by the difference of the biases.
    let scaled = f32::from_bits(magnitude) * f32::from_bits((127 + 127 - 15) << 23);
    let infinity = f32::INFINITY.to_bits();
    let finite = if magnitude < HALF_INFINITY << 13 { scaled.to_bits() } else { infinity };
    f32::from_bits(if magnitude > HALF_INFINITY << 13 { nan::SINGLE } else { finite | sign })
}

/// Rounds a single to half precision, to nearest.
#[inline(always)]
pub(crate) fn single_to_half(value: f32) -> u16 {
    let magnitude = value.to_bits() & 0x7fff_ffff;
    let sign = (value.to_bits() >> 16) as u16 & 0x8000;
    // Adds half of the unit that is cut off, less one if the result would be odd. A carry moves into the exponent.
    let odd = magnitude >> 13 & 1;
    let normal = magnitude.wrapping_add(0xfff + odd).wrapping_sub((127 - 15) << 23) >> 13;
    // The last bit of numbers near one half has the weight of the last bit of a subnormal half.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let finite = if magnitude < 0x3880_0000 { subnormal } else { normal };
    let rounded = if magnitude >= 0x4780_0000 { HALF_INFINITY } else { finite };
    if magnitude > f32::INFINITY.to_bits() { HALF_NAN } else { rounded as u16 | sign }
}

/// Returns `a * b + c` of halves, rounded once.
#[inline(always)]
pub(crate) fn half_multiply_add(a: u16, b: u16, c: u16) -> u16 {
    // The product is exact, and the sum is rounded to odd: if it is inexact, its last bit is set. The second rounding
    // then sees the sum on the right side of a midpoint.
    let product = half_to_single(a) * half_to_single(b);
    let addend = half_to_single(c);
    let sum = product + addend;
    let part = sum - product;
    let lost = (product - (sum - part)) + (addend - part);
    let (bits, lost) = (sum.to_bits(), lost.to_bits());
    let step = 1u32.wrapping_sub((bits ^ lost) >> 31 << 1);
    let inexact = u32::from(lost << 1 != 0) & !bits & 1;
    let finite = u32::from(bits & 0x7f80_0000 != 0x7f80_0000);
    single_to_half(f32::from_bits(bits.wrapping_add(step & (inexact & finite).wrapping_neg())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::float_format::{F16, F32, F64};
    use crate::number::soft_float;
    use cuda_ptx::modifier::Rounding::Nearest;

    fn converted(bits: u16) -> f32 {
        f32::from_bits(F16.convert(u64::from(bits), F32, Nearest) as u32)
    }

    #[test]
    fn every_half_converts_both_ways() {
        for bits in 0..=u16::MAX {
            let found = half_to_single(bits);
            assert_eq!(found.to_bits(), converted(bits).to_bits(), "{bits:#x}");
            let back = F32.convert(u64::from(found.to_bits()), F16, Nearest) as u16;
            assert_eq!(single_to_half(found), back, "{bits:#x}");
        }
    }

    #[test]
    fn singles() {
        let mut bits = 0u32;
        // All exponents, with fractions near the midpoints.
        loop {
            for near in [0u32, 1, u32::MAX] {
                let bits = bits.wrapping_add(near);
                let expected = F32.convert(u64::from(bits), F16, Nearest) as u16;
                assert_eq!(single_to_half(f32::from_bits(bits)), expected, "{bits:#x}");
            }
            match bits.checked_add(0x400) {
                Some(next) => bits = next,
                None => break,
            }
        }
    }

    #[test]
    fn arithmetic() {
        let mut state = 0x0123_4567_89ab_cdefu64;
        for _ in 0..1_000_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Sometimes numbers of similar size, for which rounding is hard.
            let near = if state >> 62 == 0 { 0x83ff } else { 0xffff };
            let [a, b, c] = [state, state >> 16, state >> 32].map(|bits| bits as u16 & near);
            let wide = |bits: u16| F16.convert(u64::from(bits), F64, Nearest);
            let double = |bits: u16| f64::from_bits(wide(bits));
            let rounded = |value: f64| F64.convert(value.to_bits(), F16, Nearest) as u16;
            let (x, y) = (half_to_single(a), half_to_single(b));
            assert_eq!(single_to_half(x + y), rounded(double(a) + double(b)), "{a:#x} + {b:#x}");
            assert_eq!(single_to_half(x * y), rounded(double(a) * double(b)), "{a:#x} * {b:#x}");
            assert_eq!(single_to_half(x / y), rounded(double(a) / double(b)), "{a:#x} / {b:#x}");
            assert_eq!(single_to_half(x.sqrt()), rounded(double(a).sqrt()), "sqrt {a:#x}");
            let expected =
                soft_float::multiply_add(F16, u64::from(a), u64::from(b), u64::from(c), Nearest) as u16;
            assert_eq!(half_multiply_add(a, b, c), expected, "{a:#x} * {b:#x} + {c:#x}");
        }
    }
}
