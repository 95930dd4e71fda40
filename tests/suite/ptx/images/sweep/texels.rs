//! The formats, and random texels of them.

use super::super::super::operation::numbers;
use super::super::*;
use CUarray_format as Format;

/// The texels of an image, and the type that they are read as.
#[derive(Clone, Copy)]
pub(super) struct Texels {
    kind: &'static str,
    pub(super) format: Format,
    pub(super) channels: u32,
    /// The flags that say how they are read.
    pub(super) flags: u32,
    bits: u32,
    values: Values,
}

#[derive(Clone, Copy, PartialEq)]
enum Values {
    Integers,
    /// Numbers of middling size.
    Floats,
    /// Whatever the bits may be.
    Any,
}

const INTEGER: u32 = CU_TRSF_READ_AS_INTEGER;
const SRGB: u32 = CU_TRSF_SRGB;

impl Texels {
    pub(super) fn name(&self) -> String {
        let reading = match self.flags {
            INTEGER => " integer",
            SRGB => " srgb",
            _ if self.values == Values::Any => " any",
            _ => "",
        };
        format!("{}x{}{reading}", self.kind, self.channels)
    }

    pub(super) fn bytes(&self) -> usize {
        (self.bits / 8 * self.channels) as usize
    }

    /// Returns whether the texels are read as integers.
    pub(super) fn is_integer(&self) -> bool {
        self.flags & INTEGER != 0 || matches!(self.kind, "u32" | "s32")
    }

    /// Returns the type of the results in PTX.
    pub(super) fn result(&self) -> &'static str {
        match (self.is_integer(), self.kind.as_bytes()[0]) {
            (false, _) => "f32",
            (true, b's') => "s32",
            (true, _) => "u32",
        }
    }

    /// The colour of the border: of integers, the bits count.
    pub(super) fn border(&self) -> [f32; 4] {
        if self.is_integer() {
            [0x107, 0xffff_fff5, 0x1234_5678, 0x80].map(f32::from_bits)
        } else {
            [0.4, -0.7, 1.5, 0.6]
        }
    }

    /// An array with these bytes.
    pub(super) fn array(&self, size: [usize; 3], flags: u32, bytes: &[u8]) -> Array {
        let array = Array::new(descriptor(size, self.format, self.channels, flags));
        let mut copy = self.copy(&array);
        copy.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
        copy.srcHost = bytes.as_ptr().cast();
        copy.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
        copy.dstArray = array.handle;
        assert_eq!(bytes.len(), copy.WidthInBytes * copy.Height * copy.Depth);
        must!(cuMemcpy3D_v2(&raw const copy));
        array
    }

    /// All bytes of an array.
    pub(super) fn read(&self, array: &Array) -> Vec<u8> {
        let mut copy = self.copy(array);
        let mut bytes = vec![0; copy.WidthInBytes * copy.Height * copy.Depth];
        copy.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
        copy.srcArray = array.handle;
        copy.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
        copy.dstHost = bytes.as_mut_ptr().cast();
        must!(cuMemcpy3D_v2(&raw const copy));
        bytes
    }

    fn copy(&self, array: &Array) -> CUDA_MEMCPY3D {
        let CUDA_ARRAY3D_DESCRIPTOR { Width: width, Height: height, Depth: depth, .. } = array.descriptor;
        let (row, height) = (width * self.bytes(), height.max(1));
        CUDA_MEMCPY3D {
            srcPitch: row,
            srcHeight: height,
            dstPitch: row,
            dstHeight: height,
            WidthInBytes: row,
            Height: height,
            Depth: depth.max(1),
            ..CUDA_MEMCPY3D::default()
        }
    }

    /// Returns a word for a formatted store: numbers in and around the range, or integers.
    pub(super) fn stored(&self, random: &mut super::inputs::Random) -> u32 {
        let integers = matches!(self.kind, "u8" | "s8" | "u16" | "s16" | "u32" | "s32");
        let word = random.word() as u32;
        match random.below(8) {
            0 => word,
            1 if integers => word >> 16,
            2 if integers => word.cast_signed().wrapping_shr(18).cast_unsigned(),
            _ if integers => word.cast_signed().wrapping_shr(23).cast_unsigned(),
            // Between two steps.
            1 | 2 => {
                let steps = if self.bits == 8 { 510.0 } else { 131_070.0 };
                ((random.between(-steps, steps).round() / steps) as f32).to_bits()
            }
            _ => (random.between(-1.2, 1.2) as f32).to_bits(),
        }
    }

    /// Random texels, as bytes.
    pub(super) fn random(&self, count: usize, seed: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        for word in numbers(count * self.channels as usize, seed) {
            bytes.extend_from_slice(&self.channel(word).to_le_bytes()[..self.bits as usize / 8]);
        }
        bytes
    }

    fn channel(&self, word: u64) -> u32 {
        let (bits, choice) = ((word >> 16) as u32, word & 0xff);
        match (self.values, self.bits) {
            // The ends of the range in a share of them.
            (Values::Integers, bits_each) if choice < 48 => {
                let most = u32::MAX >> (32 - bits_each);
                [0, most, most >> 1, (most >> 1) + 1, 1, most - 1][choice as usize % 6]
            }
            (Values::Floats, 16) => {
                let exponent = 9 + (bits >> 16) % 12;
                bits & 0x83ff | exponent << 10
            }
            (Values::Floats, _) => {
                let exponent = 121 + (word >> 48) as u32 % 12;
                bits & 0x807f_ffff | exponent << 23
            }
            // Infinities, the least and the greatest, below the normal ones.
            (Values::Any, 16) if choice < 32 => {
                [0x7c00, 0xfc00, 0x7fff, 0x7e01, 1, 0x83ff, 0x8000, 0x7bff][choice as usize % 8]
            }
            (Values::Any, 32) if choice < 32 => {
                let all = [
                    0x7f80_0000,
                    0xff80_0000,
                    0x7fff_ffff,
                    0x7fc0_0001,
                    1,
                    0x807f_ffff,
                    0x8000_0000,
                    0x7f7f_ffff,
                ];
                all[choice as usize % 8]
            }
            _ => bits,
        }
    }
}

fn all_of(kind: &'static str, formats: [Format; 3], bits: u32, flags: &[u32], values: Values) -> Vec<Texels> {
    let mut all = Vec::new();
    for flags in flags {
        for (format, channels) in formats.into_iter().zip([1, 2, 4]) {
            all.push(Texels { kind, format, channels, flags: *flags, bits, values });
        }
    }
    all
}

/// Texels that plain memory can have.
pub(super) fn basic() -> Vec<Texels> {
    use Values::{Any, Floats, Integers};
    [
        ("u8", Format::CU_AD_FORMAT_UNSIGNED_INT8, 8, &[0, INTEGER, SRGB][..], Integers),
        ("s8", Format::CU_AD_FORMAT_SIGNED_INT8, 8, &[0, INTEGER], Integers),
        ("u16", Format::CU_AD_FORMAT_UNSIGNED_INT16, 16, &[0, INTEGER], Integers),
        ("s16", Format::CU_AD_FORMAT_SIGNED_INT16, 16, &[0, INTEGER], Integers),
        ("u32", Format::CU_AD_FORMAT_UNSIGNED_INT32, 32, &[0], Integers),
        ("s32", Format::CU_AD_FORMAT_SIGNED_INT32, 32, &[0], Integers),
        ("f16", Format::CU_AD_FORMAT_HALF, 16, &[0], Floats),
        ("f16", Format::CU_AD_FORMAT_HALF, 16, &[0], Any),
        ("f32", Format::CU_AD_FORMAT_FLOAT, 32, &[0], Floats),
        ("f32", Format::CU_AD_FORMAT_FLOAT, 32, &[0], Any),
    ]
    .into_iter()
    .flat_map(|(kind, format, bits, flags, values)| all_of(kind, [format; 3], bits, flags, values))
    .collect()
}

/// Returns texels that are fractions whatever the flags say.
pub(super) fn fractions() -> Vec<Texels> {
    [
        (
            "unorm8",
            [
                Format::CU_AD_FORMAT_UNORM_INT8X1,
                Format::CU_AD_FORMAT_UNORM_INT8X2,
                Format::CU_AD_FORMAT_UNORM_INT8X4,
            ],
            8,
            &[0, SRGB][..],
        ),
        (
            "snorm8",
            [
                Format::CU_AD_FORMAT_SNORM_INT8X1,
                Format::CU_AD_FORMAT_SNORM_INT8X2,
                Format::CU_AD_FORMAT_SNORM_INT8X4,
            ],
            8,
            &[0],
        ),
        (
            "unorm16",
            [
                Format::CU_AD_FORMAT_UNORM_INT16X1,
                Format::CU_AD_FORMAT_UNORM_INT16X2,
                Format::CU_AD_FORMAT_UNORM_INT16X4,
            ],
            16,
            &[0],
        ),
        (
            "snorm16",
            [
                Format::CU_AD_FORMAT_SNORM_INT16X1,
                Format::CU_AD_FORMAT_SNORM_INT16X2,
                Format::CU_AD_FORMAT_SNORM_INT16X4,
            ],
            16,
            &[0],
        ),
    ]
    .into_iter()
    .flat_map(|(kind, formats, bits, flags)| all_of(kind, formats, bits, flags, Values::Integers))
    .collect()
}

/// One of each kind of arithmetic, where all of them would be too many.
pub(super) fn some() -> Vec<Texels> {
    let wanted = [
        "u8x4",
        "u8x1 integer",
        "u8x4 srgb",
        "s8x2",
        "u16x1",
        "s16x2",
        "s16x1 integer",
        "u32x1",
        "s32x4",
        "f16x4",
        "f32x1",
        "f32x4",
    ];
    basic().into_iter().filter(|texels| wanted.contains(&texels.name().as_str())).collect()
}
