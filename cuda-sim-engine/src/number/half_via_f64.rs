//! The 16-bit formats through double precision, which holds all their sums and products exactly.

use cuda_ptx::modifier::Rounding;

use super::float_format::{BF16, F16, F64, Format};

/// Converts a half-precision number to double precision. Exact.
#[inline]
pub(crate) fn half_to_double(bits: u16) -> f64 {
    to_double(F16, bits)
}

/// Converts a `bf16` number to double precision. Exact.
#[inline]
pub(crate) fn brain_to_double(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

fn to_double(format: Format, bits: u16) -> f64 {
    match format.unpack(u64::from(bits)) {
        // Any NaN will do, because results are made canonical.
        super::float_format::Unpacked::Nan => f64::NAN,
        _ => f64::from_bits(format.convert(u64::from(bits), F64, Rounding::Nearest)),
    }
}

/// Rounds to half precision.
pub(crate) fn double_to_half(value: f64, rounding: Rounding) -> u16 {
    F64.convert(value.to_bits(), F16, rounding) as u16
}

/// Rounds to `bf16`.
pub(crate) fn double_to_brain(value: f64, rounding: Rounding) -> u16 {
    F64.convert(value.to_bits(), BF16, rounding) as u16
}
