//! What becomes of NaN.
//!
//! Single precision has one NaN: every operation that yields NaN yields that pattern. Double precision carries the
//! payload of an operand through and has the pattern below for what is invalid in itself (the CUDA headers name both
//! patterns `CUDART_NAN_F` and `CUDART_NAN`).

/// The single-precision NaN.
pub(crate) const SINGLE: u32 = 0x7fff_ffff;
/// The double-precision NaN.
pub(crate) const DOUBLE: u64 = 0xfff8_0000_0000_0000;
const QUIET: u64 = 1 << 51;

/// A single-precision result.
#[inline(always)]
pub(crate) fn single(value: f32) -> f32 {
    // Compared as integers, because a compiler may hold any NaN to be as good as another.
    let bits = value.to_bits();
    let canonical = if bits & 0x7fff_ffff > 0x7f80_0000 { SINGLE } else { bits };
    f32::from_bits(canonical)
}

/// A double-precision result of an operation on `operands`.
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

/// The NaN among the operands, made quiet, or the one for invalid operations.
#[cold]
fn chosen<const N: usize>(operands: [u64; N]) -> u64 {
    operands.into_iter().find(|&bits| is_nan(bits)).map_or(DOUBLE, |bits| bits | QUIET)
}
