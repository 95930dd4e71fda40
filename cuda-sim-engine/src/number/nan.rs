//! Propagation of NaN.
//!
//! In single precision, every operation that yields NaN yields the same pattern. In double precision, an operation
//! propagates the payload of an operand. An invalid operation yields [`DOUBLE`]. The CUDA headers name the two patterns
//! `CUDART_NAN_F` and `CUDART_NAN`.

/// The single-precision NaN.
pub(crate) const SINGLE: u32 = 0x7fff_ffff;
/// The double-precision NaN.
pub(crate) const DOUBLE: u64 = 0xfff8_0000_0000_0000;
const QUIET: u64 = 1 << 51;

/// Makes the NaN of a single-precision result canonical.
#[inline(always)]
pub(crate) fn single(value: f32) -> f32 {
    // Compares integers, because a compiler may replace one NaN by another: with `is_nan`, it omits this for square roots.
    let bits = value.to_bits();
    let canonical = if bits & 0x7fff_ffff > 0x7f80_0000 { SINGLE } else { bits };
    f32::from_bits(canonical)
}

/// Returns the double-precision result of an operation on `operands`, with the NaN of the hardware.
#[inline(always)]
pub(crate) fn double<const N: usize>(value: f64, operands: [f64; N]) -> f64 {
    if is_nan(value.to_bits()) {
        return f64::from_bits(chosen(operands.map(f64::to_bits)));
    }
    value
}

#[inline(always)]
fn is_nan(bits: u64) -> bool {
    bits & 0x7fff_ffff_ffff_ffff > 0x7ff0_0000_0000_0000
}

/// Returns the NaN among the operands, made quiet, or the NaN of invalid operations.
#[cold]
fn chosen<const N: usize>(operands: [u64; N]) -> u64 {
    operands.into_iter().find(|&bits| is_nan(bits)).map_or(DOUBLE, |bits| bits | QUIET)
}
