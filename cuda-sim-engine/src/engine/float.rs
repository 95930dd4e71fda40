//! Floating-point operations.
//!
//! The host computes IEEE 754 to nearest, as the hardware does. Other rounding modes and the 16-bit formats use
//! [`soft`]. Operations that PTX marks as approximate are computed in double precision and rounded. Their results are
//! more accurate than those of the hardware, so their bits differ.

use cuda_ptx::modifier::Rounding;

use super::registers::Lane;
use crate::number::float_format::{BF16, F16, F32, F64, Format};
use crate::number::{fused_multiply_add, half_via_f32, half_via_f64, nan, soft_float};

/// Half-precision number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Half(pub(super) u16);

/// A `bf16` number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bf16Bits(pub(super) u16);

/// Two numbers in a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<T>(pub(super) T, pub(super) T);

macro_rules! half_lane {
    ($type:ident) => {
        impl Lane for $type {
            type Raw = u32;
            #[inline(always)]
            fn read(raw: u32) -> Self {
                Self(raw as u16)
            }
            #[inline(always)]
            fn write(self) -> u32 {
                u32::from(self.0)
            }
        }

        impl Lane for Pair<$type> {
            type Raw = u32;
            #[inline(always)]
            fn read(raw: u32) -> Self {
                Self($type(raw as u16), $type((raw >> 16) as u16))
            }
            #[inline(always)]
            fn write(self) -> u32 {
                u32::from(self.1.0) << 16 | u32::from(self.0.0)
            }
        }
    };
}

half_lane!(Half);
half_lane!(Bf16Bits);

/// Number type of floating-point operations.
pub(super) trait Float: Lane {
    const FORMAT: Format;
    fn from_pattern(bits: u64) -> Self;
    fn pattern(self) -> u64;
    fn is_nan(self) -> bool;
    fn nan() -> Self;
    fn zero() -> Self;
    fn one() -> Self;
    /// Returns zero of the same sign if the number is subnormal.
    fn flushed(self) -> Self;
    fn is_negative(self) -> bool;
    fn less(self, other: Self) -> bool;
    fn equal(self, other: Self) -> bool;
    fn negated(self) -> Self;
    fn absolute(self) -> Self;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn divide(self, other: Self) -> Self;
    fn multiply_add(self, b: Self, c: Self) -> Self;
    /// Returns the same in a directed rounding mode, if there is a fast path.
    #[inline(always)]
    fn multiply_add_directed(self, _b: Self, _c: Self, _rounding: Rounding) -> Option<Self> {
        None
    }
    fn square_root(self) -> Self;
    fn to_double(self) -> f64;
    /// Rounds to nearest.
    fn from_double(value: f64) -> Self;
}

impl Float for f32 {
    const FORMAT: Format = F32;

    #[inline(always)]
    fn from_pattern(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    #[inline(always)]
    fn pattern(self) -> u64 {
        u64::from(self.to_bits())
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        f32::is_nan(self)
    }
    #[inline(always)]
    fn nan() -> Self {
        f32::from_bits(nan::SINGLE)
    }
    #[inline(always)]
    fn zero() -> Self {
        0.0
    }
    #[inline(always)]
    fn one() -> Self {
        1.0
    }
    #[inline(always)]
    fn flushed(self) -> Self {
        let bits = self.to_bits();
        if bits & 0x7f80_0000 == 0 { f32::from_bits(bits & 0x8000_0000) } else { self }
    }
    #[inline(always)]
    fn is_negative(self) -> bool {
        self.is_sign_negative()
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn equal(self, other: Self) -> bool {
        self == other
    }
    #[inline(always)]
    fn negated(self) -> Self {
        nan::single(-self)
    }
    #[inline(always)]
    fn absolute(self) -> Self {
        nan::single(self.abs())
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        nan::single(self + other)
    }
    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        nan::single(self - other)
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        nan::single(self * other)
    }
    #[inline(always)]
    fn divide(self, other: Self) -> Self {
        nan::single(self / other)
    }
    #[inline(always)]
    fn multiply_add(self, b: Self, c: Self) -> Self {
        nan::single(fused_multiply_add::multiply_add(self, b, c))
    }
    #[inline(always)]
    fn multiply_add_directed(self, b: Self, c: Self, rounding: Rounding) -> Option<Self> {
        fused_multiply_add::multiply_add_directed(self, b, c, rounding)
    }
    #[inline(always)]
    fn square_root(self) -> Self {
        nan::single(self.sqrt())
    }
    #[inline(always)]
    fn to_double(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn from_double(value: f64) -> Self {
        nan::single(value as f32)
    }
}

impl Float for f64 {
    const FORMAT: Format = F64;

    #[inline(always)]
    fn from_pattern(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn pattern(self) -> u64 {
        self.to_bits()
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }
    #[inline(always)]
    fn nan() -> Self {
        f64::from_bits(nan::DOUBLE)
    }
    #[inline(always)]
    fn zero() -> Self {
        0.0
    }
    #[inline(always)]
    fn one() -> Self {
        1.0
    }
    #[inline(always)]
    fn flushed(self) -> Self {
        self
    }
    #[inline(always)]
    fn is_negative(self) -> bool {
        self.is_sign_negative()
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn equal(self, other: Self) -> bool {
        self == other
    }
    // The sign of a NaN changes like that of a number.
    #[inline(always)]
    fn negated(self) -> Self {
        -self
    }
    #[inline(always)]
    fn absolute(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        nan::double(self + other, [self, other])
    }
    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        nan::double(self - other, [self, other])
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        nan::double(self * other, [self, other])
    }
    #[inline(always)]
    fn divide(self, other: Self) -> Self {
        nan::double(self / other, [self, other])
    }
    #[inline(always)]
    fn multiply_add(self, b: Self, c: Self) -> Self {
        nan::double(fused_multiply_add::multiply_add_double(self, b, c), [self, b, c])
    }
    #[inline(always)]
    fn square_root(self) -> Self {
        nan::double(self.sqrt(), [self])
    }
    #[inline(always)]
    fn to_double(self) -> f64 {
        self
    }
    #[inline(always)]
    fn from_double(value: f64) -> Self {
        nan::double(value, [value])
    }
}

macro_rules! short_float {
    ($type:ident, $format:expr, $fraction:expr, $one:expr, $to:path, $round:expr, $fma:expr, $double:path, $from:path) => {
        impl Float for $type {
            const FORMAT: Format = $format;

            #[inline(always)]
            fn from_pattern(bits: u64) -> Self {
                Self(bits as u16)
            }
            #[inline(always)]
            fn pattern(self) -> u64 {
                u64::from(self.0)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.0 & 0x7fff > (0x7fff >> $fraction) << $fraction
            }
            #[inline(always)]
            fn nan() -> Self {
                Self(0x7fff)
            }
            #[inline(always)]
            fn zero() -> Self {
                Self(0)
            }
            #[inline(always)]
            fn one() -> Self {
                Self($one)
            }
            #[inline(always)]
            fn flushed(self) -> Self {
                if self.0 & 0x7fff < 1 << $fraction { Self(self.0 & 0x8000) } else { self }
            }
            #[inline(always)]
            fn is_negative(self) -> bool {
                self.0 >> 15 != 0
            }
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                $to(self.0) < $to(other.0)
            }
            #[inline(always)]
            fn equal(self, other: Self) -> bool {
                $to(self.0) == $to(other.0)
            }
            #[inline(always)]
            fn negated(self) -> Self {
                if self.is_nan() { Self::nan() } else { Self(self.0 ^ 0x8000) }
            }
            #[inline(always)]
            fn absolute(self) -> Self {
                if self.is_nan() { Self::nan() } else { Self(self.0 & 0x7fff) }
            }
            // The longer format holds the exact sum and product, or enough bits for a harmless second rounding.
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self($round($to(self.0) + $to(other.0)))
            }
            #[inline(always)]
            fn subtract(self, other: Self) -> Self {
                Self($round($to(self.0) - $to(other.0)))
            }
            #[inline(always)]
            fn multiply(self, other: Self) -> Self {
                Self($round($to(self.0) * $to(other.0)))
            }
            #[inline(always)]
            fn divide(self, other: Self) -> Self {
                Self($round($to(self.0) / $to(other.0)))
            }
            #[inline(always)]
            fn multiply_add(self, b: Self, c: Self) -> Self {
                Self($fma(self.0, b.0, c.0))
            }
            #[inline(always)]
            fn square_root(self) -> Self {
                Self($round($to(self.0).sqrt()))
            }
            #[inline(always)]
            fn to_double(self) -> f64 {
                $double(self.0)
            }
            #[inline(always)]
            fn from_double(value: f64) -> Self {
                Self($from(value, Rounding::Nearest))
            }
        }
    };
}

short_float!(
    Half,
    F16,
    10,
    0x3c00,
    half_via_f32::half_to_single,
    half_via_f32::single_to_half,
    half_via_f32::half_multiply_add,
    half_via_f64::half_to_double,
    half_via_f64::double_to_half
);
short_float!(
    Bf16Bits,
    BF16,
    7,
    0x3f80,
    half_via_f64::brain_to_double,
    |value| half_via_f64::double_to_brain(value, Rounding::Nearest),
    |a: u16, b: u16, c: u16| {
        soft_float::multiply_add(BF16, a.into(), b.into(), c.into(), Rounding::Nearest) as u16
    },
    half_via_f64::brain_to_double,
    half_via_f64::double_to_brain
);
