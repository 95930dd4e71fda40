//! Number types of other crates as arguments.

#![allow(unsafe_code)]

#[cfg(any(feature = "half", feature = "glam", feature = "num-complex"))]
use super::{ArgumentKind, KernelArg};

macro_rules! numbers {
    ($($feature:literal: $($type:ty = $size:literal,)*)*) => {$($(
        #[cfg(feature = $feature)]
        // SAFETY: CUDA C has a type of numbers of the same sizes and meanings, in the same order, without padding.
        unsafe impl KernelArg for $type {
            const KIND: ArgumentKind = ArgumentKind::Numbers;
            const HAS_ADDRESSES: bool = false;
        }
        #[cfg(feature = $feature)]
        const _: () = assert!(size_of::<$type>() == $size);
    )*)*};
}

// The size of each in CUDA C.
numbers! {
    "half": half::f16 = 2, half::bf16 = 2,
    "glam":
        glam::Vec2 = 8, glam::Vec3 = 12, glam::Vec4 = 16, glam::Quat = 16, glam::Mat3 = 36, glam::Mat4 = 64,
        glam::IVec2 = 8, glam::IVec3 = 12, glam::IVec4 = 16, glam::UVec2 = 8, glam::UVec3 = 12, glam::UVec4 = 16,
    "num-complex": num_complex::Complex<f32> = 8, num_complex::Complex<f64> = 16,
}
