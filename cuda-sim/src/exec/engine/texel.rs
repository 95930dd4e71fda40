//! Texels: where they are, and what their bytes mean.

use super::blocks;
use super::srgb::LIGHT;
use crate::exec::memory::{Memory, SegmentCache};
use crate::exec::number::half::{double_to_half, half_to_double};
use crate::exec::texture::{BLOCK_SIDE, Format, Image, Level};
use crate::ptx::modifier::Rounding;

/// The bytes of one texel, channel by channel.
pub(super) type Raw = [u32; 4];

impl Level {
    /// The device address of a texel that is there, or of a block, by number.
    pub(super) fn texel(&self, texel_bytes: u32, [x, y, z]: [u32; 3]) -> u64 {
        self.address
            .wrapping_add(u64::from(z).wrapping_mul(self.slice))
            .wrapping_add(u64::from(y).wrapping_mul(self.row))
            .wrapping_add(u64::from(x) * u64::from(texel_bytes))
    }
}

/// Reads a texel. `Err` is the address, if nothing is there.
pub(super) fn fetch(
    memory: &Memory,
    cache: &mut SegmentCache,
    image: &Image,
    level: &Level,
    at: [u32; 3],
) -> Result<Raw, u64> {
    let bytes = image.texel_bytes();
    if let Some(codec) = image.codec {
        let [x, y, z] = at;
        let address = level.texel(bytes, [x / BLOCK_SIDE, y / BLOCK_SIDE, z]);
        let place = memory.find(cache, address, u64::from(bytes)).ok_or(address)?;
        let mut block = [0; 16];
        for (index, half) in block.as_chunks_mut::<8>().0.iter_mut().take(bytes as usize / 8).enumerate() {
            *half = place.load(8 * index);
        }
        return Ok(blocks::texel(codec, block, [x, y]));
    }
    let address = level.texel(bytes, at);
    let place = memory.find(cache, address, u64::from(bytes)).ok_or(address)?;
    if image.format == Format::Unorm10 {
        let word = u32::from_le_bytes(place.load(0));
        // The two bits are 1023rds as well.
        return Ok([word & 0x3ff, word >> 10 & 0x3ff, word >> 20 & 0x3ff, (word >> 30) * 341]);
    }
    let mut raw = [0; 4];
    for (index, channel) in raw.iter_mut().take(image.channels as usize).enumerate() {
        *channel = match image.format.bytes() {
            1 => u32::from(place.load::<1>(index)[0]),
            2 => u32::from(u16::from_le_bytes(place.load(2 * index))),
            _ => u32::from_le_bytes(place.load(4 * index)),
        };
    }
    Ok(raw)
}

/// Whether a texture with this format yields numbers rather than integers.
pub(super) fn is_number(format: Format, reads_integers: bool) -> bool {
    match format {
        Format::Unsigned32 | Format::Signed32 => false,
        Format::Unsigned8 | Format::Unsigned16 | Format::Signed8 | Format::Signed16 => !reads_integers,
        Format::Half
        | Format::Float
        | Format::Unorm8
        | Format::Unorm16
        | Format::Unorm10
        | Format::Snorm8
        | Format::Snorm16 => true,
    }
}

/// A channel as an integer of 32 bits.
pub(super) fn integer(format: Format, raw: u32) -> u32 {
    match format {
        Format::Signed8 | Format::Snorm8 => i32::from(raw as i8).cast_unsigned(),
        Format::Signed16 | Format::Snorm16 => i32::from(raw as i16).cast_unsigned(),
        _ => raw,
    }
}

/// A channel as a number.
pub(super) fn number(format: Format, raw: u32) -> f64 {
    match format {
        Format::Unsigned8 | Format::Unorm8 => f64::from(raw) / 255.0,
        Format::Unsigned16 | Format::Unorm16 => f64::from(raw) / 65535.0,
        // There is one more negative integer than there are positive ones.
        Format::Signed8 | Format::Snorm8 => (f64::from(raw as i8) / 127.0).max(-1.0),
        Format::Signed16 | Format::Snorm16 => (f64::from(raw as i16) / 32767.0).max(-1.0),
        Format::Unorm10 => f64::from(raw) / 1023.0,
        Format::Half => half_to_double(raw as u16),
        Format::Float => f64::from(f32::from_bits(raw)),
        Format::Unsigned32 => f64::from(raw),
        Format::Signed32 => f64::from(raw.cast_signed()),
    }
}

/// A channel as a number of steps from 0 to 1, or from -1.
pub(super) fn number_in(format: Format, raw: u32, steps: f64) -> f64 {
    match format {
        // A 255th is so many 65535ths, without an error.
        Format::Unsigned8 | Format::Unorm8 => f64::from(raw) * (steps / 255.0),
        Format::Unsigned16 | Format::Unorm16 => f64::from(raw) * (steps / 65535.0),
        // The bits are repeated (measured).
        Format::Unorm10 => f64::from(raw << 6 | raw >> 4) * (steps / 65535.0),
        _ => number(format, raw) * steps,
    }
}

/// A byte by the sRGB curve, as light.
pub(super) fn linear_light(byte: u32) -> f64 {
    let upper = LIGHT.get(byte as usize).copied().unwrap_or(0);
    f64::from(f32::from_bits(u32::from(upper) << 16))
}

/// The bits that a register gets for a channel of a single texel.
pub(super) fn bits(format: Format, reads_integers: bool, raw: u32) -> u32 {
    match format {
        // As they are, whatever NaN they may be.
        Format::Float => raw,
        _ if is_number(format, reads_integers) => (number(format, raw) as f32).to_bits(),
        _ => integer(format, raw),
    }
}

/// The bytes of a channel that a formatted store writes: the source is single precision for formats that stand for
/// numbers, and an integer for the others, which goes to the nearest one that there is (measured). `None` if it is a
/// number that is none of the format's, and how hardware rounds it is not known. A half to bytes becomes 127.
pub(super) fn encode(format: Format, source: u32) -> Option<u32> {
    let value = f32::from_bits(source);
    let scaled = |low: f32, most: f64| -> Option<i32> {
        if value.is_nan() {
            return None;
        }
        let scaled = f64::from(value.clamp(low, 1.0)) * most;
        // Of bytes it is the nearest; but 25.5000004 went down, so that what is near a half is not known.
        let clear = most < 256.0 && (scaled.fract().abs() - 0.5).abs() > 0.01;
        (clear || scaled.fract() == 0.0).then_some(scaled.round() as i32).or((scaled == 127.5).then_some(127))
    };
    let signed = source.cast_signed();
    Some(match format {
        Format::Unsigned8 => source.min(0xff),
        Format::Unsigned16 => source.min(0xffff),
        Format::Signed8 => signed.clamp(-0x80, 0x7f).cast_unsigned() & 0xff,
        Format::Signed16 => signed.clamp(-0x8000, 0x7fff).cast_unsigned() & 0xffff,
        Format::Unsigned32 | Format::Signed32 | Format::Float => source,
        Format::Half => u32::from(double_to_half(f64::from(value), Rounding::Nearest)),
        Format::Unorm8 => scaled(0.0, 255.0)?.cast_unsigned() & 0xff,
        Format::Unorm16 => scaled(0.0, 65535.0)?.cast_unsigned() & 0xffff,
        Format::Snorm8 => scaled(-1.0, 127.0)?.cast_unsigned() & 0xff,
        Format::Snorm16 => scaled(-1.0, 32767.0)?.cast_unsigned() & 0xffff,
        // How hardware rounds its two bits is not known.
        Format::Unorm10 => return None,
    })
}
