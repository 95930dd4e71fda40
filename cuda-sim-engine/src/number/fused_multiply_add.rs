//! A product and a sum, rounded once, for hosts that have no instruction for it.
//!
//! The library function that stands in for the instruction handles one number at a time; this is arithmetic without a
//! branch, which the compiler turns into vector code.

use super::float_format::F64;
use super::soft_float;
use cuda_ptx::modifier::Rounding;

/// `a * b + c`, rounded once, to nearest.
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

/// `a * b + c`, rounded once, to nearest.
#[inline(always)]
pub(crate) fn multiply_add_double(a: f64, b: f64, c: f64) -> f64 {
    if HOST_ROUNDS_TWICE {
        let [a, b, c] = [a, b, c].map(f64::to_bits);
        f64::from_bits(soft_float::multiply_add(F64, a, b, c, Rounding::Nearest))
    } else {
        a.mul_add(b, c)
    }
}

/// By way of double precision. The product is exact there; the sum is rounded to odd: if something is lost, the last
/// bit is made one, so that what rounding to single precision sees lies on the right side of every midpoint.
#[inline(always)]
fn in_double(a: f32, b: f32, c: f32) -> f32 {
    let product = f64::from(a) * f64::from(b);
    let addend = f64::from(c);
    let sum = product + addend;
    let part = sum - product;
    let lost = (product - (sum - part)) + (addend - part);
    let (bits, lost) = (sum.to_bits(), lost.to_bits());
    // One up if what was lost has the sign of the sum, else one down.
    let step = 1u64.wrapping_sub((bits ^ lost) >> 63 << 1);
    let inexact = u64::from(lost << 1 != 0);
    let even = !bits & 1;
    let finite = u64::from(bits >> 52 & 0x7ff != 0x7ff);
    let odd = bits.wrapping_add(step & (inexact & even & finite).wrapping_neg());
    f64::from_bits(odd) as f32
}

#[cfg(test)]
mod tests {
    use super::{HOST_ROUNDS_TWICE, in_double};
    use crate::number::float_format::F32;
    use crate::number::soft_float;
    use cuda_ptx::modifier::Rounding;

    #[test]
    fn fused_multiply_add_agrees_with_host() {
        let mut state = 0x0123_4567_89ab_cdefu64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let bits = state as u32;
            // Exponents close together, where rounding is hard, and everywhere.
            f32::from_bits(if state >> 60 < 10 { bits & 0x81ff_ffff | 0x3f00_0000 } else { bits })
        };
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
