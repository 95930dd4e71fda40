//! Texels: their addresses, and the meaning of their bytes.

use super::block_compression;
use super::srgb::LIGHT;
use crate::memory::{Memory, SegmentCache};
use crate::number::half_via_f64::{double_to_half, half_to_double};
use crate::texture::{BLOCK_SIDE, Format, Image, Level};
use cuda_ptx::modifier::Rounding;

/// Bytes of one texel, channel by channel.
pub(super) type Raw = [u32; 4];

impl Level {
    /// Returns the device address of an existing texel, or of a block, by index.
    pub(super) fn texel(&self, texel_bytes: u32, [x, y, z]: [u32; 3]) -> u64 {
        self.address
            .wrapping_add(u64::from(z).wrapping_mul(self.slice))
            .wrapping_add(u64::from(y).wrapping_mul(self.row))
            .wrapping_add(u64::from(x) * u64::from(texel_bytes))
    }
}

/// Reads a texel. The error is the address, if no memory is mapped there.
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
        return Ok(block_compression::texel(codec, block, [x, y]));
    }
    let address = level.texel(bytes, at);
    let place = memory.find(cache, address, u64::from(bytes)).ok_or(address)?;
    if image.format == Format::Unorm10 {
        let word = u32::from_le_bytes(place.load(0));
        // The two bits are in 1023rds, too.
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

/// Returns whether a texture with this format yields numbers. Otherwise it yields integers.
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

/// Returns a channel as an integer of 32 bits.
pub(super) fn integer(format: Format, raw: u32) -> u32 {
    match format {
        Format::Signed8 | Format::Snorm8 => i32::from(raw as i8).cast_unsigned(),
        Format::Signed16 | Format::Snorm16 => i32::from(raw as i16).cast_unsigned(),
        _ => raw,
    }
}

/// Returns a channel as a number.
pub(super) fn number(format: Format, raw: u32) -> f64 {
    match format {
        Format::Unsigned8 | Format::Unorm8 => f64::from(raw) / 255.0,
        Format::Unsigned16 | Format::Unorm16 => f64::from(raw) / 65535.0,
        // The least negative integer has no positive counterpart.
        Format::Signed8 | Format::Snorm8 => (f64::from(raw as i8) / 127.0).max(-1.0),
        Format::Signed16 | Format::Snorm16 => (f64::from(raw as i16) / 32767.0).max(-1.0),
        Format::Unorm10 => f64::from(raw) / 1023.0,
        Format::Half => half_to_double(raw as u16),
        Format::Float => f64::from(f32::from_bits(raw)),
        Format::Unsigned32 => f64::from(raw),
        Format::Signed32 => f64::from(raw.cast_signed()),
    }
}

/// Returns the light of a byte on the sRGB curve.
pub(super) fn linear_light(byte: u32) -> f64 {
    let upper = LIGHT.get(byte as usize).copied().unwrap_or(0);
    f64::from(f32::from_bits(u32::from(upper) << 16))
}

/// Returns the register bits of a channel of a single texel.
pub(super) fn bits(format: Format, reads_integers: bool, raw: u32) -> u32 {
    match format {
        // NaN keeps its bits (measured).
        Format::Float => raw,
        Format::Half if raw & 0x7c00 == 0x7c00 => (raw & 0x8000) << 16 | 0x7f80_0000 | (raw & 0x3ff) << 13,
        _ if is_number(format, reads_integers) => (number(format, raw) as f32).to_bits(),
        _ => integer(format, raw),
    }
}

/// Encodes a channel for a formatted store. For formats of numbers, the source is single precision. For formats of
/// integers, the source is an integer, which is clamped to the format (measured).
pub(super) fn encode(format: Format, source: u32) -> u32 {
    let signed = source.cast_signed();
    match format {
        Format::Unsigned8 => source.min(0xff),
        Format::Unsigned16 => source.min(0xffff),
        Format::Signed8 => signed.clamp(-0x80, 0x7f).cast_unsigned() & 0xff,
        Format::Signed16 => signed.clamp(-0x8000, 0x7fff).cast_unsigned() & 0xffff,
        Format::Unsigned32 | Format::Signed32 | Format::Float => source,
        _ => encode_number(format, f32::from_bits(source)),
    }
}

/// Encodes a number in a format of halves or fractions. Halves are cut off, and none becomes infinite. Fractions are
/// cut off four bits below the format's last bit and then rounded to nearest. NaN becomes 0 (measured).
fn encode_number(format: Format, value: f32) -> u32 {
    let scaled = |least: f64, bits: u32| {
        let most = f64::from((1_u32 << bits) - 1);
        let cut = f64::from(1_u32 << (bits + 4));
        let value = if value.is_nan() { 0.0 } else { f64::from(value).clamp(least, 1.0) };
        ((value * cut).trunc() / cut * most).round() as i32
    };
    match format {
        Format::Unsigned8 | Format::Unorm8 => scaled(0.0, 8).cast_unsigned(),
        Format::Unsigned16 | Format::Unorm16 => scaled(0.0, 16).cast_unsigned(),
        Format::Unorm10 => scaled(0.0, 10).cast_unsigned(),
        Format::Signed8 | Format::Snorm8 => scaled(-1.0, 7).cast_unsigned() & 0xff,
        Format::Signed16 | Format::Snorm16 => scaled(-1.0, 15).cast_unsigned() & 0xffff,
        Format::Half if value.is_nan() => {
            (value.to_bits() >> 16 & 0x8000) | 0x7c00 | (value.to_bits() >> 13 & 0x3ff)
        }
        Format::Half => u32::from(double_to_half(f64::from(value), Rounding::Zero)),
        Format::Float | Format::Unsigned32 | Format::Signed32 => value.to_bits(),
    }
}

/// Encodes a channel of the border colour. A number is converted as in a formatted store. An integer keeps as many bits
/// as fit (measured).
pub(super) fn border(format: Format, number: bool, curved: bool, colour: f32) -> u32 {
    if curved {
        let light = f64::from(colour.clamp(0.0, 1.0));
        let stored = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
        return (stored * 255.0).round() as u32;
    }
    match format {
        _ if number => encode_number(format, colour),
        Format::Unsigned8 | Format::Signed8 => colour.to_bits() & 0xff,
        Format::Unsigned16 | Format::Signed16 => colour.to_bits() & 0xffff,
        _ => colour.to_bits(),
    }
}
