//! Arithmetic that the host does not have: other roundings, other formats, NVIDIA's NaN.

pub(super) mod format;
pub(super) mod fused;
pub(super) mod half;
pub(super) mod nan;
pub(super) mod short;
pub(super) mod soft;
pub(super) mod text;
