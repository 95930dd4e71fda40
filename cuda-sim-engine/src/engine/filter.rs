//! Linear filtering: the weights of texels, and their sums as computed by an H200 (all measured).
//!
//! A weight is a whole number of 256ths.
//!
//! Fractions of 8, 10 and 16 bits are summed as integers, and the sum becomes a fraction of 16
//! bits. Other integers are summed as integers, too.
//!
//! Floating-point texels, and bytes on the sRGB curve, are summed as numbers, slice by slice. A
//! slice is up to four texels of one layer or level. Within a slice, each texel loses the bits that
//! do not fit beside those of the largest texel.

use super::srgb::is_coarse;
use super::texel::{self, Raw};
use crate::number::half_via_f64::half_to_double;
use crate::texture::Format;

/// Returns the part of a whole for a weight, rounded to nearest, halves up.
pub(super) fn part(whole: u32, weight: u32) -> u32 {
    (whole * weight + 128) / 256
}

/// Returns the weights of the four texels around a point, in 256ths, from the weights of the second texel along each
/// dimension.
///
/// Bit 0 of a texel's index selects its column. The sum of the weights is `share`, which is divided among the columns,
/// then among the rows of each column. Rounding applies to the second column, and in each column to the texel on the
/// diagonal (measured: all weights in two dimensions, 200000 in three).
pub(super) fn weights(share: u32, [x, y]: [u32; 2]) -> [u32; 4] {
    let right = part(share, x);
    let left = share - right;
    let (top_left, bottom_right) = (part(left, 256 - y), part(right, y));
    [top_left, right - bottom_right, left - top_left, bottom_right]
}

/// Arithmetic of the sum of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// As integers.
    Whole,
    /// Light of bytes on the sRGB curve.
    Light,
    Half,
    Single,
}

impl Kind {
    /// Returns the number of bits kept below the highest bit of the largest texel.
    fn kept(self) -> i32 {
        match self {
            Self::Whole | Self::Light => 7,
            Self::Half => 14,
            Self::Single => 27,
        }
    }

    /// Returns the limits of the exponent to which the texels of a slice are aligned.
    fn exponents(self) -> [i32; 2] {
        match self {
            Self::Half => [-14, 15],
            Self::Whole | Self::Light | Self::Single => [-126, 127],
        }
    }

    fn number(self, raw: u32) -> f64 {
        match self {
            Self::Whole => f64::from(raw),
            Self::Light => texel::linear_light(raw),
            Self::Half => half_to_double(raw as u16),
            // Subnormal numbers count as zeros.
            Self::Single if raw & 0x7f80_0000 == 0 => 0_f64.copysign(f64::from(f32::from_bits(raw))),
            Self::Single => f64::from(f32::from_bits(raw)),
        }
    }
}

/// Sums of the channels so far.
pub(super) struct Sums {
    kinds: [Kind; 4],
    /// Number of high bits that a signed texel leaves unused, or `None` for unsigned texels.
    signed: Option<u32>,
    /// True if texels have ten bits and sums sixteen.
    ten: bool,
    wholes: [i64; 4],
    numbers: [f64; 4],
    /// Exponent of the unit of each sum, from the slice with the largest texels.
    units: [i32; 4],
}

fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

fn exponent(number: f64) -> i32 {
    ((number.to_bits() >> 52 & 0x7ff) as i32) - 1023
}

impl Sums {
    pub(super) fn new(format: Format, kinds: [Kind; 4]) -> Self {
        let signed = format.is_signed_integer().then(|| 32 - 8 * format.bytes());
        let ten = format == Format::Unorm10;
        Self { kinds, signed, ten, wholes: [0; 4], numbers: [-0.0; 4], units: [i32::MIN; 4] }
    }

    /// Adds the weighted texels of a slice.
    pub(super) fn add(&mut self, texels: &[(u32, Raw)], channels: usize) {
        for channel in 0..channels {
            let kind = self.kinds[channel];
            if kind == Kind::Whole {
                let sum = &mut self.wholes[channel];
                for (weight, raw) in texels {
                    let value = match self.signed {
                        Some(unused) => i64::from((raw[channel] << unused).cast_signed() >> unused),
                        // The bits are repeated (measured).
                        None if self.ten => i64::from(raw[channel] << 6 | raw[channel] >> 4),
                        None => i64::from(raw[channel]),
                    };
                    *sum += i64::from(*weight) * value;
                }
                continue;
            }
            let [least, greatest] = kind.exponents();
            let scale = |raw: u32| {
                let coarser = i32::from(kind == Kind::Light && is_coarse(raw));
                exponent(kind.number(raw)).clamp(least, greatest) + coarser
            };
            let weighted = texels.iter().filter(|(weight, _)| *weight > 0);
            let Some(most) = weighted.map(|(_, raw)| scale(raw[channel])).max() else { continue };
            let up = power(kind.kept() - most);
            let mut sum = -0.0;
            for (weight, raw) in texels {
                let value = kind.number(raw[channel]);
                sum += if value.is_finite() { f64::from(*weight) * (value * up).trunc() } else { value };
            }
            let unit = most - kind.kept() - 8;
            self.numbers[channel] += sum * power(unit);
            self.units[channel] = self.units[channel].max(unit);
        }
    }

    /// Returns the results, as bits of registers.
    pub(super) fn finish(self, format: Format, is_number: bool, channels: usize) -> Raw {
        let mut results = [0; 4];
        for (channel, result) in results.iter_mut().enumerate().take(channels) {
            let (whole, number, unit) = (self.wholes[channel], self.numbers[channel], self.units[channel]);
            *result = match self.kinds[channel] {
                Kind::Whole if is_number => fraction(format, whole).to_bits(),
                Kind::Whole if format.bytes() == 4 => (whole >> 8) as u32,
                Kind::Whole => ((whole + 128) >> 8) as u32,
                Kind::Light | Kind::Half if number.is_nan() => 0x7fff_e000,
                Kind::Single if number.is_nan() => 0x7fff_ffff,
                Kind::Light | Kind::Half => rounded(number, (exponent(number) - 10).max(-24), unit),
                Kind::Single if exponent(number) < -126 => 0_f32.copysign(number as f32).to_bits(),
                Kind::Single => rounded(number, exponent(number) - 23, unit),
            };
        }
        results
    }
}

/// Returns the bits of a sum: the nearest multiple of its last place, halves away from zero. If that place is finer
/// than the unit of the sum, lower bits are cut off.
fn rounded(number: f64, place: i32, unit: i32) -> u32 {
    if !number.is_finite() || number == 0.0 {
        return (number as f32).to_bits();
    }
    let number = if place < unit {
        (number * power(-unit)).trunc() * power(unit)
    } else {
        (number * power(-place)).round() * power(place)
    };
    (number as f32).to_bits()
}

/// Returns the weighted sum of texels as a fraction. `sum` is 256 times that sum, because weights
/// are 256ths.
pub(super) fn fraction(format: Format, sum: i64) -> f32 {
    let (sixteen, most) = match format {
        Format::Unsigned8 | Format::Unorm8 => (sum + ((sum + 128) >> 8), 65535.0),
        Format::Signed8 | Format::Snorm8 => (sum + (((sum >> 4) + (sum >> 12) + 4) >> 3), 32767.0),
        Format::Signed16 | Format::Snorm16 => ((sum + 128) >> 8, 32767.0),
        _ => ((sum + 128) >> 8, 65535.0),
    };
    ((sixteen as f64).max(-most) / most) as f32
}
