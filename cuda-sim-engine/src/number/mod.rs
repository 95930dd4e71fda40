//! Arithmetic that the host lacks: other rounding modes, other formats, NVIDIA's NaN.

pub(super) mod exponential;
pub(super) mod float_format;
pub(super) mod fused_multiply_add;
pub(super) mod half_via_f32;
pub(super) mod half_via_f64;
pub(super) mod nan;
pub(super) mod printf_number;
pub(super) mod soft_float;
