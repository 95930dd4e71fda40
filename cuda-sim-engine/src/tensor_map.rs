//! Tensor maps: 128 bytes that describe a tensor to the copies of `cp.async.bulk.tensor`.
//!
//! The layout of the bytes is that of drivers for compute capability 9.0 (measured: conformance fact V990).

/// Size of a tensor map in bytes.
const TENSOR_MAP_BYTES: usize = 128;
/// Limit of the bytes of one copy.
pub const MOST_TENSOR_BYTES: u64 = 228 << 10;

/// Limit of the dimensions of a tensor.
const DIMENSIONS: usize = 5;
/// Size of an element in bytes, by [`TensorMap::element`].
const ELEMENT_BYTES: [u64; 11] = [1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2];

/// Part of a tensor that a copy transfers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TensorPart {
    /// Box, with its elements along each dimension.
    Box([u32; DIMENSIONS]),
    /// Columns of images (im2col mode).
    Columns {
        /// First pixel of the bounding box.
        lower: [i32; 3],
        /// Last pixel of the bounding box, counted from the last pixel of the image.
        upper: [i32; 3],
        /// Channels of each pixel.
        channels: u32,
        /// Pixels.
        pixels: u32,
    },
}

/// Decoded tensor map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorMap {
    /// Number of dimensions, from 1 to 5. A map that no driver has made may have up to 8.
    pub rank: usize,
    /// Type of the elements: 8- and 16-bit, `u32`, `s32`, `u64`, `s64`, `f16`, `f32`, `f32` with flushing, `f64`,
    /// `bf16`.
    pub element: u32,
    /// True if elements are rounded to `tf32`.
    pub is_tf32: bool,
    /// 0 without interleaving; 1 and 2 for slices of 16 and 32 bytes.
    pub interleave: u32,
    /// 0 without swizzling; 1 to 3 for spans of 32 to 128 bytes.
    pub swizzle: u32,
    /// True if elements outside are NaNs, false if they are zeros.
    pub fills_with_nan: bool,
    /// Cache hint.
    pub l2_promotion: u32,
    /// Address of the first element.
    pub address: u64,
    /// Elements along each dimension, from 1 to 2^32.
    pub dims: [u64; DIMENSIONS],
    /// Bytes to the next element along each dimension but the first.
    pub strides: [u64; DIMENSIONS - 1],
    /// Step along each dimension.
    pub steps: [u32; DIMENSIONS],
    /// Part that a copy transfers.
    pub part: TensorPart,
}

impl TensorMap {
    /// Returns the bytes of an element, or `None` for an unknown type.
    pub fn element_bytes(&self) -> Option<u64> {
        ELEMENT_BYTES.get(self.element as usize).copied()
    }

    /// Returns the bytes that a copy transfers, as drivers count them.
    pub fn bytes(&self) -> u64 {
        let elements = match self.part {
            TensorPart::Box(dims) => {
                let pairs = dims.iter().zip(self.steps).take(self.rank);
                pairs.map(|(dim, step)| u64::from(dim / step.max(1))).product()
            }
            TensorPart::Columns { channels, pixels, .. } => u64::from(channels) * u64::from(pixels),
        };
        elements.saturating_mul(self.element_bytes().unwrap_or(1))
    }

    /// Returns the number of bits of a corner offset.
    fn corner_bits(&self) -> u32 {
        match self.rank {
            ..=3 => 16,
            4 => 8,
            _ => 5,
        }
    }

    /// Returns the bytes as 32-bit words.
    pub fn encode(&self) -> [u32; TENSOR_MAP_BYTES / 4] {
        let mut words = [0; TENSOR_MAP_BYTES / 4];
        let is_columns = matches!(self.part, TensorPart::Columns { .. });
        words[0] = self.address as u32;
        words[1] = (self.address >> 32) as u32;
        words[2] = u32::from(is_columns)
            | (self.rank as u32).wrapping_sub(1) << 4
            | self.element << 7
            | self.interleave << 11
            | self.swizzle << 13
            | u32::from(self.fills_with_nan) << 15
            | u32::from(self.is_tf32) << 16
            | self.l2_promotion << 17;
        for (index, stride) in self.strides.iter().enumerate().take(self.rank.saturating_sub(1)) {
            words[3 + index] = (stride >> 4) as u32;
            words[7] |= ((stride >> 36) as u32 & 15) << (4 * index);
        }
        for index in 0..self.rank.min(DIMENSIONS) {
            words[8 + index] = (self.dims[index] as u32).wrapping_sub(1);
            words[13] |= (self.steps[index].wrapping_sub(1) & 7) << (3 * index);
        }
        match self.part {
            TensorPart::Box(dims) => {
                words[13] |= (dims[0].wrapping_sub(1) & 255) << 24;
                for (index, dim) in dims.iter().enumerate().take(self.rank).skip(1) {
                    words[14] |= (dim.wrapping_sub(1) & 255) << (8 * (index - 1));
                }
            }
            TensorPart::Columns { lower, upper, channels, pixels } => {
                words[13] |= (channels.wrapping_sub(1) & 255) << 24;
                let bits = self.corner_bits();
                let mask = (1 << bits) - 1;
                for index in 0..self.rank.saturating_sub(2).min(3) {
                    let shift = bits * index as u32;
                    words[14] |= (lower[index].cast_unsigned() & mask) << shift;
                    words[14] |= (upper[index].cast_unsigned() & mask) << (16 + shift);
                }
                words[15] = pixels.wrapping_sub(1);
            }
        }
        words[16] = self.bytes() as u32;
        words[18] = if self.swizzle == 0 { 16 } else { 128 << self.swizzle };
        words
    }

    /// Decodes a map. Any words decode to a map, but copies may refuse it.
    pub fn decode(words: &[u32; TENSOR_MAP_BYTES / 4]) -> TensorMap {
        let field = |shift: u32, bits: u32| words[2] >> shift & ((1 << bits) - 1);
        let high = |index: usize| u64::from(words[7] >> (4 * index) & 15);
        let mut map = TensorMap {
            rank: field(4, 3) as usize + 1,
            element: field(7, 4),
            is_tf32: field(16, 1) != 0,
            interleave: field(11, 2),
            swizzle: field(13, 2),
            fills_with_nan: field(15, 1) != 0,
            l2_promotion: field(17, 2),
            address: u64::from(words[0]) | u64::from(words[1] & (u32::MAX >> 7)) << 32,
            dims: core::array::from_fn(|index| u64::from(words[8 + index]) + 1),
            strides: core::array::from_fn(|index| u64::from(words[3 + index]) << 4 | high(index) << 36),
            steps: core::array::from_fn(|index| (words[13] >> (3 * index) & 7) + 1),
            part: TensorPart::Box([0; DIMENSIONS]),
        };
        let first = (words[13] >> 24) + 1;
        map.part = if words[2] & 1 == 0 {
            let others = |index: usize| (words[14] >> (8 * (index - 1)) & 255) + 1;
            TensorPart::Box(core::array::from_fn(|index| if index == 0 { first } else { others(index) }))
        } else {
            let bits = map.corner_bits();
            let corner = |start: u32, index: usize| {
                let shift = bits * index as u32;
                let value = if shift + bits > 16 { 0 } else { words[14] >> (start + shift) };
                (value << (32 - bits)).cast_signed() >> (32 - bits)
            };
            TensorPart::Columns {
                lower: core::array::from_fn(|index| corner(0, index)),
                upper: core::array::from_fn(|index| corner(16, index)),
                channels: first,
                pixels: words[15].saturating_add(1),
            }
        };
        map
    }
}

#[cfg(test)]
mod tests {
    use super::{TensorMap, TensorPart};

    #[test]
    fn decoding_returns_what_was_encoded() {
        let tiled = TensorMap {
            rank: 5,
            element: 10,
            is_tf32: false,
            interleave: 1,
            swizzle: 3,
            fills_with_nan: true,
            l2_promotion: 2,
            address: 0x1234_5678_9ab0,
            dims: [1, 1 << 32, 3, 77, 256],
            strides: [16, (1 << 40) - 16, 4096, 1 << 36],
            steps: [1, 8, 3, 2, 5],
            part: TensorPart::Box([256, 1, 2, 3, 4]),
        };
        let (lower, upper) = ([-16, 15, 0], [3, -1, -2]);
        let part = TensorPart::Columns { lower, upper, channels: 256, pixels: 1024 };
        for map in [tiled, TensorMap { part, ..tiled }] {
            assert_eq!(TensorMap::decode(&map.encode()), map);
        }
    }
}
