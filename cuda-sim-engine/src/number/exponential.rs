//! Powers of two and logarithms, for results that are rounded to single precision or less.
//!
//! The library functions of the host compute one number at a time, and differ between hosts. This code has no branches, so the
//! compiler vectorises it. It uses no fused multiply-add, so that the results of all hosts are the same.

/// Twice the number of doubles between two integers near it, so that a sum with it is rounded to an integer.
const ROUND: f64 = 6_755_399_441_055_744.0;
const FRACTION_BITS: u32 = 52;
const BIAS: u64 = 1023;

/// Returns `2^x` with a relative error below 2^-49. Infinite and zero results stand for those beyond single precision.
#[inline(always)]
pub(crate) fn exp2(x: f64) -> f64 {
    // The results at these limits are infinite and zero in single precision. NaN becomes a limit, too.
    let low = if x > -400.0 { x } else { -400.0 };
    let near = if low < 400.0 { low } else { 400.0 };
    let rounded = near + ROUND;
    let part = near - (rounded - ROUND);
    // (2^part - 1) / part for -0.5 <= part <= 0.5, from interpolation at ten Chebyshev nodes.
    let slope = 7.070977866508138e-9;
    let slope = slope * part + 1.0205905413765595e-7;
    let slope = slope * part + 1.3215451633221434e-6;
    let slope = slope * part + 1.5252672924850737e-5;
    let slope = slope * part + 1.540353042442477e-4;
    let slope = slope * part + 1.3333558200794592e-3;
    let slope = slope * part + 9.618129107618665e-3;
    let slope = slope * part + 5.550410866465167e-2;
    let slope = slope * part + 2.4022650695910075e-1;
    let slope = slope * part + 6.931471805599462e-1;
    let power = 1.0 + slope * part;
    // The low bits of the sum are those of the integer, which is added to the exponent.
    let scaled = f64::from_bits(power.to_bits().wrapping_add(rounded.to_bits() << FRACTION_BITS));
    if x.is_nan() { x } else { scaled }
}

/// Returns the binary logarithm of a number that is exact in single precision, with a relative error below 2^-49. The
/// logarithm of either zero is minus infinity.
#[inline(always)]
pub(crate) fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    // Splits the number into a power of two and a factor from sqrt(1/2) to sqrt(2).
    let shifted =
        bits.wrapping_sub(std::f64::consts::FRAC_1_SQRT_2.to_bits()).wrapping_add(BIAS << FRACTION_BITS);
    let exponent = shifted >> FRACTION_BITS;
    let factor = f64::from_bits(bits.wrapping_sub(exponent.wrapping_sub(BIAS) << FRACTION_BITS));
    // Puts the integer into the low bits of 2^52.
    let whole = f64::from_bits(exponent | (BIAS + 52) << FRACTION_BITS) - (4_503_599_627_370_496.0 + 1023.0);
    let s = (factor - 1.0) / (factor + 1.0);
    let square = s * s;
    // log2((1 + s) / (1 - s)) / s, from interpolation at seven Chebyshev nodes.
    let series = 2.429160853987535e-1;
    let series = series * square + 2.614442493522915e-1;
    let series = series * square + 3.2061638813224547e-1;
    let series = series * square + 4.121984020482752e-1;
    let series = series * square + 5.770780172463286e-1;
    let series = series * square + 9.617966939243345e-1;
    let series = series * square + 2.885390081777927;
    let value = whole + series * s;
    let limited = if x == f64::INFINITY { x } else { value };
    let limited = if x == 0.0 { f64::NEG_INFINITY } else { limited };
    if x >= 0.0 { limited } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::{exp2, log2};

    /// Returns single-precision numbers of every exponent and sign, and the special ones.
    fn numbers() -> impl Iterator<Item = f32> {
        let spread = (0..=u32::MAX / 4099).map(|index| f32::from_bits(index * 4099));
        spread.chain([0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::NAN])
    }

    /// Asserts that a number rounds to the same single-precision number as `exact`, or to the next one if that is close to
    /// the middle between them.
    fn agrees(x: f32, found: f64, exact: f64) {
        let same = (found as f32).to_bits() == (exact as f32).to_bits() || found.is_nan() && exact.is_nan();
        let close = (found - exact).abs() <= exact.abs() * 2f64.powi(-49);
        assert!(same || close, "{x:e}: {found:e}, not {exact:e}");
    }

    #[test]
    fn powers_agree_with_host() {
        for x in numbers() {
            agrees(x, exp2(x.into()), f64::from(x).exp2());
        }
        for integer in -149..=127i16 {
            assert_eq!(exp2(integer.into()), f64::from(integer).exp2());
        }
    }

    #[test]
    fn logarithms_agree_with_host() {
        for x in numbers() {
            let exact = if x == 0.0 { f64::NEG_INFINITY } else { f64::from(x).log2() };
            agrees(x, log2(x.into()), exact);
        }
        for integer in -149..=127i16 {
            assert_eq!(log2(f64::from(integer).exp2()), f64::from(integer));
        }
    }
}
