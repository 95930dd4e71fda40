//! Fused multiply-add for hosts without such an instruction.
//!
//! The library function that replaces the instruction computes one number at a time. This code has no branches, so the
//! compiler vectorises it.

use super::float_format::F64;
use super::soft_float;
use cuda_ptx::modifier::Rounding;

/// Returns `a * b + c`, rounded once, to nearest.
#[inline(always)]
pub(crate) fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        a.mul_add(b, c)
    } else {
        in_double(a, b, c)
    }
}

/// True if `mul_add` calls the C library of MinGW, which rounds twice.
pub(crate) const HOST_ROUNDS_TWICE: bool =
    cfg!(all(windows, target_env = "gnu", not(target_feature = "fma")));

/// Returns `a * b + c`, rounded once, to nearest.
#[inline(always)]
pub(crate) fn multiply_add_double(a: f64, b: f64, c: f64) -> f64 {
    if HOST_ROUNDS_TWICE {
        let [a, b, c] = [a, b, c].map(f64::to_bits);
        f64::from_bits(soft_float::multiply_add(F64, a, b, c, Rounding::Nearest))
    } else {
        a.mul_add(b, c)
    }
}

/// Returns `a * b + c`, rounded once: up, down or to zero. Returns `None` if the result is zero or not finite, or for
/// other rounding modes.
#[inline(always)]
pub(crate) fn multiply_add_directed(a: f32, b: f32, c: f32, rounding: Rounding) -> Option<f32> {
    let exact = rounded_to_odd(a, b, c);
    if exact == 0.0 || !exact.is_finite() {
        return None;
    }
    let near = exact as f32;
    let (above, below) = (f64::from(near) > exact, f64::from(near) < exact);
    match rounding {
        Rounding::Down if above => Some(near.next_down()),
        Rounding::Up if below => Some(near.next_up()),
        Rounding::Zero if above && exact > 0.0 => Some(near.next_down()),
        Rounding::Zero if below && exact < 0.0 => Some(near.next_up()),
        Rounding::Down | Rounding::Up | Rounding::Zero => Some(near),
        _ => None,
    }
}

/// Computes through double precision.
#[inline(always)]
fn in_double(a: f32, b: f32, c: f32) -> f32 {
    rounded_to_odd(a, b, c) as f32
}

/// Returns `a * b + c` in double precision, where the product is exact. The sum is rounded to odd: if it is inexact,
/// its last bit is set. The second rounding, to single precision, then sees the sum on the right side of every
/// midpoint.
#[inline(always)]
fn rounded_to_odd(a: f32, b: f32, c: f32) -> f64 {
    let product = f64::from(a) * f64::from(b);
    let addend = f64::from(c);
    let sum = product + addend;
    let part = sum - product;
    let lost = (product - (sum - part)) + (addend - part);
    let (bits, lost) = (sum.to_bits(), lost.to_bits());
    // Adds one unit if the rounding error has the sign of the sum, else subtracts one.
    let step = 1u64.wrapping_sub((bits ^ lost) >> 63 << 1);
    let inexact = u64::from(lost << 1 != 0);
    let even = !bits & 1;
    let finite = u64::from(bits >> 52 & 0x7ff != 0x7ff);
    let odd = bits.wrapping_add(step & (inexact & even & finite).wrapping_neg());
    f64::from_bits(odd)
}

#[cfg(test)]
mod tests {
    use super::{HOST_ROUNDS_TWICE, in_double, multiply_add_directed};
    use crate::number::float_format::F32;
    use crate::number::soft_float;
    use cuda_ptx::modifier::Rounding;

    /// Returns pseudo-random numbers.
    fn numbers() -> impl FnMut() -> f32 {
        let mut state = 0x0123_4567_89ab_cdefu64;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let bits = state as u32;
            // Close exponents, for which rounding is hard, and arbitrary exponents.
            f32::from_bits(if state >> 60 < 10 { bits & 0x81ff_ffff | 0x3f00_0000 } else { bits })
        }
    }

    #[test]
    fn directed_fma_agrees_with_soft_arithmetic() {
        let mut next = numbers();
        let mut found = 0;
        for _ in 0..300_000 {
            let (a, b, c) = (next(), next(), next());
            // Sums that nearly cancel, and sums at the limits of the type.
            for c in [c, -(a * b), c * f32::MIN_POSITIVE] {
                for rounding in [Rounding::Down, Rounding::Up, Rounding::Zero] {
                    let Some(fast) = multiply_add_directed(a, b, c, rounding) else { continue };
                    let [x, y, z] = [a, b, c].map(|value| value.to_bits().into());
                    let soft = soft_float::multiply_add(F32, x, y, z, rounding) as u32;
                    assert_eq!(fast.to_bits(), soft, "{a:e} * {b:e} + {c:e}, {rounding:?}");
                    found += 1;
                }
            }
        }
        assert!(found > 1_000_000, "{found}");
        let limits =
            [(f32::MAX, 2.0), (f32::MIN, 2.0), (f32::MIN_POSITIVE, 1e-38), (-f32::MIN_POSITIVE, 1e-38)];
        for (a, b) in limits {
            for rounding in [Rounding::Down, Rounding::Up, Rounding::Zero] {
                let fast = multiply_add_directed(a, b, 0.0, rounding).map(f32::to_bits);
                let [x, y] = [a, b].map(|value| value.to_bits().into());
                let soft = soft_float::multiply_add(F32, x, y, 0, rounding) as u32;
                assert_eq!(fast, Some(soft), "{a:e} * {b:e}, {rounding:?}");
            }
        }
    }

    #[test]
    fn fused_multiply_add_agrees_with_host() {
        let mut next = numbers();
        let fused = |a: f32, b: f32, c: f32| {
            if HOST_ROUNDS_TWICE {
                let [a, b, c] = [a, b, c].map(|value| value.to_bits().into());
                f32::from_bits(soft_float::multiply_add(F32, a, b, c, Rounding::Nearest) as u32)
            } else {
                a.mul_add(b, c)
            }
        };
        for _ in 0..1_000_000 {
            let (a, b, c) = (next(), next(), next());
            let (found, host) = (in_double(a, b, c), fused(a, b, c));
            let same = found.to_bits() == host.to_bits() || found.is_nan() && host.is_nan();
            assert!(same, "{a:e} * {b:e} + {c:e}: {found:e}, not {host:e}");
            // A sum that nearly cancels.
            let c = -(a * b);
            let (found, host) = (in_double(a, b, c), fused(a, b, c));
            let same = found.to_bits() == host.to_bits() || found.is_nan() && host.is_nan();
            assert!(same, "{a:e} * {b:e} + {c:e}: {found:e}, not {host:e}");
        }
    }
}
