//! What becomes of NaN.
//!
//! Single precision has one NaN: every operation that yields NaN yields that pattern. Double precision carries the
//! payload of an operand through and has the pattern below for what is invalid in itself (the CUDA headers name both
//! patterns `CUDART_NAN_F` and `CUDART_NAN`).

/// The single-precision NaN.
pub(in crate::exec) const SINGLE: u32 = 0x7fff_ffff;
/// The double-precision NaN.
pub(in crate::exec) const DOUBLE: u64 = 0xfff8_0000_0000_0000;
const QUIET: u64 = 1 << 51;

/// A single-precision result.
#[inline(always)]
pub(in crate::exec) fn single(value: f32) -> f32 {
    if value.is_nan() { f32::from_bits(SINGLE) } else { value }
}

/// A double-precision result of an operation on `operands`.
#[inline(always)]
pub(in crate::exec) fn double<const N: usize>(value: f64, operands: [f64; N]) -> f64 {
    if !value.is_nan() {
        return value;
    }
    for operand in operands {
        if operand.is_nan() {
            return f64::from_bits(operand.to_bits() | QUIET);
        }
    }
    f64::from_bits(DOUBLE)
}
