//! Binary floating-point formats: decoding and encoding.

use cuda_ptx::modifier::Rounding;

/// Shape of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
}

pub(crate) const F16: Format = Format { exponent_bits: 5, fraction_bits: 10 };
pub(crate) const BF16: Format = Format { exponent_bits: 8, fraction_bits: 7 };
pub(crate) const F32: Format = Format { exponent_bits: 8, fraction_bits: 23 };
pub(crate) const F64: Format = Format { exponent_bits: 11, fraction_bits: 52 };

/// Decoded value: `significand * 2^exponent`, or a value without that form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unpacked {
    Nan,
    Infinite { negative: bool },
    Finite { negative: bool, exponent: i32, significand: u128 },
}

impl Format {
    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    fn max_exponent(self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    fn sign_bit(self) -> u64 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    fn fraction_mask(self) -> u64 {
        (1 << self.fraction_bits) - 1
    }

    pub(crate) fn infinity(self, negative: bool) -> u64 {
        (self.max_exponent() << self.fraction_bits) | self.sign(negative)
    }

    fn sign(self, negative: bool) -> u64 {
        if negative { self.sign_bit() } else { 0 }
    }

    /// Returns the largest finite number.
    fn largest(self, negative: bool) -> u64 {
        self.infinity(negative) - 1
    }

    /// Returns the NaN that the hardware produces.
    pub(crate) fn nan(self) -> u64 {
        if self == F64 { super::nan::DOUBLE } else { self.sign_bit() - 1 }
    }

    /// Decodes a number.
    pub(crate) fn unpack(self, bits: u64) -> Unpacked {
        let negative = bits & self.sign_bit() != 0;
        let exponent = bits >> self.fraction_bits & self.max_exponent();
        let fraction = bits & self.fraction_mask();
        let lowest = 1 - self.bias() - self.fraction_bits.cast_signed();
        if exponent == self.max_exponent() {
            if fraction == 0 { Unpacked::Infinite { negative } } else { Unpacked::Nan }
        } else if exponent == 0 {
            Unpacked::Finite { negative, exponent: lowest, significand: u128::from(fraction) }
        } else {
            let significand = u128::from(fraction | 1 << self.fraction_bits);
            Unpacked::Finite { negative, exponent: lowest + exponent as i32 - 1, significand }
        }
    }

    /// Rounds `significand * 2^exponent`, plus less than one unit of it if `sticky`, to a number.
    ///
    /// If `sticky`, the significand must have more bits than the format. Every caller keeps far more bits than that.
    pub(crate) fn pack(
        self,
        negative: bool,
        exponent: i32,
        significand: u128,
        sticky: bool,
        rounding: Rounding,
    ) -> u64 {
        if significand == 0 && !sticky {
            return self.sign(negative);
        }
        let precision = self.fraction_bits + 1;
        let lowest = 1 - self.bias() - self.fraction_bits.cast_signed();
        let length = (128 - significand.leading_zeros()).cast_signed();
        // Exponent of the last bit that the result can hold.
        let unit = (exponent + length - precision.cast_signed()).max(lowest);
        let shift = unit - exponent;
        let (mut quotient, half, rest) = if shift <= 0 {
            (significand.checked_shl(shift.unsigned_abs()).unwrap_or(0), false, sticky)
        } else {
            let shift = shift.unsigned_abs();
            let kept = significand.checked_shr(shift).unwrap_or(0);
            let half = significand.checked_shr(shift - 1).unwrap_or(0) & 1 != 0;
            let below = 1u128.checked_shl(shift - 1).map_or(u128::MAX, |limit| limit - 1);
            (kept, half, significand & below != 0 || sticky)
        };
        let up = match rounding {
            Rounding::Zero | Rounding::IntegerZero => false,
            Rounding::Down | Rounding::IntegerDown => negative && (half || rest),
            Rounding::Up | Rounding::IntegerUp => !negative && (half || rest),
            Rounding::NearestAway => half,
            Rounding::Nearest | Rounding::IntegerNearest | Rounding::Stochastic => {
                half && (rest || quotient & 1 != 0)
            }
        };
        quotient += u128::from(up);
        let mut unit = unit;
        if quotient >> precision != 0 {
            quotient >>= 1;
            unit += 1;
        }
        let quotient = quotient as u64;
        if quotient >> self.fraction_bits == 0 {
            return quotient | self.sign(negative);
        }
        let biased = unit - lowest + 1;
        if biased >= self.max_exponent() as i32 {
            let to_largest = match rounding {
                Rounding::Zero | Rounding::IntegerZero => true,
                Rounding::Down | Rounding::IntegerDown => !negative,
                Rounding::Up | Rounding::IntegerUp => negative,
                _ => false,
            };
            return if to_largest { self.largest(negative) } else { self.infinity(negative) };
        }
        (biased as u64) << self.fraction_bits | quotient & self.fraction_mask() | self.sign(negative)
    }

    /// Rounds a number of one format to another.
    pub(crate) fn convert(self, bits: u64, to: Self, rounding: Rounding) -> u64 {
        match self.unpack(bits) {
            Unpacked::Nan => to.nan(),
            Unpacked::Infinite { negative } => to.infinity(negative),
            Unpacked::Finite { negative, exponent, significand } => {
                to.pack(negative, exponent, significand, false, rounding)
            }
        }
    }

    /// Rounds an integer to a number.
    pub(crate) fn integer(self, negative: bool, magnitude: u64, rounding: Rounding) -> u64 {
        self.pack(negative, 0, u128::from(magnitude), false, rounding)
    }
}
