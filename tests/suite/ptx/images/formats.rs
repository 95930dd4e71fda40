//! The values of the texels of each format.

use super::*;
use CUarray_format as Format;

const INTEGERS: [(Format, u32, bool); 6] = [
    (Format::CU_AD_FORMAT_UNSIGNED_INT8, 8, false),
    (Format::CU_AD_FORMAT_SIGNED_INT8, 8, true),
    (Format::CU_AD_FORMAT_UNSIGNED_INT16, 16, false),
    (Format::CU_AD_FORMAT_SIGNED_INT16, 16, true),
    (Format::CU_AD_FORMAT_UNSIGNED_INT32, 32, false),
    (Format::CU_AD_FORMAT_SIGNED_INT32, 32, true),
];

const WIDTH: usize = 16;

/// Bytes that are different everywhere.
fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|index| (index * 67 + 13 + index / 5 * 9) as u8).collect()
}

/// The channels of all texels of a line, as the words that a kernel reads.
fn read(format: Format, channels: u32, bytes: &[u8], texture: &CUDA_TEXTURE_DESC, result: &str) -> Vec<u32> {
    let array = Array::with(descriptor([WIDTH, 0, 0], format, channels, 0), bytes);
    let texture = Texture::new(&array.resource(), texture);
    let mut threads = Threads::sampling(&format!("tex.1d.v4.{result}.f32"), "[%d0, {%f0}]");
    let inputs: Vec<Input> =
        (0..WIDTH).map(|index| [(index as f32 + 0.5).to_bits(), 0, 0, 0, 0, 0, 0, 0]).collect();
    let texels = threads.run(texture.0, &inputs);
    texels.iter().flat_map(|texel| texel[..channels as usize].to_vec()).collect()
}

/// A channel as a number without its width.
fn integer(bytes: &[u8], bits: u32, signed: bool) -> i64 {
    let value = bytes.iter().rev().fold(0_i64, |value, byte| value << 8 | i64::from(*byte));
    if signed && value >> (bits - 1) & 1 == 1 { value - (1 << bits) } else { value }
}

#[test]
fn integers_as_they_are() {
    for (format, bits, signed) in INTEGERS {
        for channels in [1, 2, 4] {
            let size = bits as usize / 8;
            let bytes = bytes(WIDTH * channels as usize * size);
            // Integers of 32 bits are never read as fractions.
            let flags = if bits < 32 { CU_TRSF_READ_AS_INTEGER } else { 0 };
            let found = read(format, channels, &bytes, &reading(CLAMP, POINT, flags), "u32");
            for (part, found) in bytes.chunks_exact(size).zip(found) {
                assert_eq!(found, integer(part, bits, signed) as u32, "{format:?} x{channels} of {part:?}");
            }
        }
    }
}

#[test]
fn integers_as_fractions() {
    for (format, bits, signed) in INTEGERS.into_iter().filter(|(_, bits, _)| *bits < 32) {
        for channels in [1, 2, 4] {
            let size = bits as usize / 8;
            let mut bytes = bytes(WIDTH * channels as usize * size);
            // The ends of the range: the least, zero, the greatest.
            bytes[..size].fill(0);
            bytes[size - 1] = if signed { 0x80 } else { 0 };
            bytes[size..2 * size].fill(0xff);
            bytes[2 * size - 1] = if signed { 0x7f } else { 0xff };
            let found = read(format, channels, &bytes, &reading(CLAMP, POINT, 0), "f32");
            let most = if signed { (1_i64 << (bits - 1)) - 1 } else { (1 << bits) - 1 };
            for (part, found) in bytes.chunks_exact(size).zip(found) {
                let expected = (integer(part, bits, signed) as f64 / most as f64).max(-1.0);
                let found = f64::from(f32::from_bits(found));
                assert!((found - expected).abs() < 2e-7, "{format:?} of {part:?}: {found}, not {expected}");
            }
            let ends = read(format, channels, &bytes, &reading(CLAMP, POINT, 0), "f32");
            let least = if signed { -1.0_f32 } else { 0.0 };
            assert_eq!([ends[0], ends[1]].map(f32::from_bits), [least, 1.0], "{format:?}");
        }
    }
}

#[test]
fn fractions_by_format() {
    let cases = [
        (Format::CU_AD_FORMAT_UNORM_INT8X1, 1, 8, false),
        (Format::CU_AD_FORMAT_UNORM_INT8X4, 4, 8, false),
        (Format::CU_AD_FORMAT_SNORM_INT8X2, 2, 8, true),
        (Format::CU_AD_FORMAT_UNORM_INT16X2, 2, 16, false),
        (Format::CU_AD_FORMAT_SNORM_INT16X4, 4, 16, true),
    ];
    for (format, channels, bits, signed) in cases {
        let size = bits as usize / 8;
        let bytes = bytes(WIDTH * channels as usize * size);
        let array = Array::new(descriptor([WIDTH, 0, 0], format, channels, 0));
        must!(cuMemcpyHtoA_v2(array.handle, 0, bytes.as_ptr().cast(), bytes.len()));
        let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
        let mut threads = Threads::sampling("tex.1d.v4.f32.f32", "[%d0, {%f0}]");
        let inputs: Vec<Input> =
            (0..WIDTH).map(|index| [(index as f32 + 0.5).to_bits(), 0, 0, 0, 0, 0, 0, 0]).collect();
        let most = if signed { (1_i64 << (bits - 1)) - 1 } else { (1 << bits) - 1 };
        for (texel, part) in
            threads.run(texture.0, &inputs).iter().zip(bytes.chunks_exact(size * channels as usize))
        {
            for (found, part) in texel.iter().zip(part.chunks_exact(size)) {
                let expected = (integer(part, bits, signed) as f64 / most as f64).max(-1.0);
                let found = f64::from(f32::from_bits(*found));
                assert!((found - expected).abs() < 2e-7, "{format:?} of {part:?}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn filtered_fractions() {
    let format = Format::CU_AD_FORMAT_UNSIGNED_INT8;
    let array = Array::with(descriptor([4, 0, 0], format, 1, 0), &[0, 255, 51, 102]);
    let texture = Texture::new(&array.resource(), &reading(CLAMP, LINEAR, 0));
    let mut threads = Threads::sampling("tex.1d.v4.f32.f32", "[%d0, {%f0}]");
    let at = [[1.0, 0.0, 0.0], [1.75, 0.0, 0.0], [3.0, 0.0, 0.0]];
    for (found, expected) in threads.numbers(texture.0, &at).into_iter().zip([0.5, 0.8, 0.3]) {
        assert!((found - expected).abs() < 1e-4, "{found}, not {expected}");
    }
}

/// Measured: bytes as fractions are filtered in 65535ths, bytes as integers are rounded.
#[test]
fn filtered_bytes() {
    let format = Format::CU_AD_FORMAT_UNSIGNED_INT8;
    let array = Array::with(descriptor([4, 0, 0], format, 1, 0), &[0, 255, 1, 2]);
    let texture = Texture::new(&array.resource(), &reading(CLAMP, LINEAR, 0));
    let mut threads = Threads::sampling("tex.1d.v4.f32.f32", "[%d0, {%f0}]");
    for eighths in 0..9_u8 {
        let weight = f64::from(eighths) / 8.0;
        for (start, low, high) in [(0.5, 0.0, 255.0), (2.5, 1.0, 2.0)] {
            let found = threads.numbers(texture.0, &[[start + weight as f32, 0.0, 0.0]])[0];
            let steps = (257.0 * (low + weight * (high - low)) + 0.5_f64).floor();
            assert_eq!(found, (steps / 65535.0) as f32, "{low} to {high}, {eighths} eighths");
        }
    }
    let array = Array::with(descriptor([2, 0, 0], format, 1, 0), &[0, 100]);
    let texture = Texture::new(&array.resource(), &reading(CLAMP, LINEAR, CU_TRSF_READ_AS_INTEGER));
    let mut threads = Threads::sampling("tex.1d.v4.u32.f32", "[%d0, {%f0}]");
    let inputs = [0.5_f32, 0.9, 1.0, 1.25].map(|x| [x.to_bits(), 0, 0, 0, 0, 0, 0, 0]);
    let found: Vec<u32> = threads.run(texture.0, &inputs).iter().map(|row| row[0]).collect();
    assert_eq!(found, [0, 40, 50, 75]);
}

#[test]
fn halves() {
    // 1, -2, 65504, the least subnormal, 0.333…, infinity.
    let patterns: [u16; WIDTH] =
        [0x3c00, 0xc000, 0x7bff, 1, 0x3555, 0x7c00, 0x8000, 0x0400, 0, 0, 0, 0, 0, 0, 0, 0x4248];
    let values =
        [1.0_f64, -2.0, 65504.0, 2.0_f64.powi(-24), 0.333_251_953_125, f64::INFINITY, 0.0, 2.0_f64.powi(-14)];
    let bytes: Vec<u8> = patterns.iter().flat_map(|pattern| pattern.to_le_bytes()).collect();
    let found = read(Format::CU_AD_FORMAT_HALF, 1, &bytes, &reading(CLAMP, POINT, 0), "f32");
    for (found, expected) in found.iter().zip(values) {
        assert_eq!(f64::from(f32::from_bits(*found)), expected);
    }
    assert_eq!(f32::from_bits(found[15]), 3.140_625);
}

#[test]
fn results_of_half_precision() {
    let values: Vec<f32> = [1.0, -2.5, 1024.0, 0.0625].repeat(4);
    let array = Array::with(descriptor([4, 0, 0], FLOAT, 4, 0), &float_bytes(&values));
    let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
    let at = [1.5_f32.to_bits(), 0, 0, 0, 0, 0, 0, 0];
    let mut pairs = Threads::new("tex.1d.v2.f16x2.f32 {%x0, %x1}, [%d0, {%f0}];");
    let halves = [0x3c00_u32, 0xc100, 0x6400, 0x2c00];
    assert_eq!(
        pairs.run(texture.0, &[at])[0][..2],
        [halves[0] | halves[1] << 16, halves[2] | halves[3] << 16]
    );
    let mut singles = Threads::new(
        "tex.1d.v4.f16.f32 {%h0, %h1, %h2, %h3}, [%d0, {%f0}]; cvt.u32.u16 %x0, %h0; cvt.u32.u16 %x1, %h1;\n\
         cvt.u32.u16 %x2, %h2; cvt.u32.u16 %x3, %h3;",
    );
    assert_eq!(singles.run(texture.0, &[at])[0], halves);
}

#[test]
fn colours_by_the_srgb_curve() {
    let bytes: Vec<u8> = (0..WIDTH * 4).map(|index| (index * 4 + 3) as u8).collect();
    let texture = reading(CLAMP, POINT, CU_TRSF_SRGB);
    let found = read(Format::CU_AD_FORMAT_UNSIGNED_INT8, 4, &bytes, &texture, "f32");
    for (index, (byte, found)) in bytes.iter().zip(found).enumerate() {
        let stored = f64::from(*byte) / 255.0;
        let expected = if index % 4 == 3 {
            stored
        } else if stored <= 0.04045 {
            stored / 12.92
        } else {
            ((stored + 0.055) / 1.055).powf(2.4)
        };
        let found = f64::from(f32::from_bits(found));
        // Hardware looks the curve up in a table of eight bits, and fourteen after the point (measured); opacity is
        // not looked up.
        let tolerance = if index % 4 == 3 { 0.0 } else { (expected / 256.0).max(1.0 / 32768.0) };
        assert!((found - expected).abs() <= tolerance + 2e-7, "{byte}: {found}, not {expected}");
    }
}

#[test]
fn views_reinterpret_texels() {
    let words: Vec<u32> = (0..8).map(|index| 0x0102_0304 * (index + 1)).collect();
    let format = Format::CU_AD_FORMAT_UNSIGNED_INT32;
    let array = Array::with(descriptor([8, 0, 0], format, 1, 0), &word_bytes(&words));
    let view = CUDA_RESOURCE_VIEW_DESC {
        format: CUresourceViewFormat::CU_RES_VIEW_FORMAT_UINT_4X8,
        width: 8,
        ..CUDA_RESOURCE_VIEW_DESC::default()
    };
    let reading = reading(CLAMP, POINT, CU_TRSF_READ_AS_INTEGER);
    let texture = Texture::viewed(&array.resource(), &reading, Some(&view));
    let mut threads = Threads::sampling("tex.1d.v4.u32.f32", "[%d0, {%f0}]");
    let found = threads.run(texture.0, &[[2.5_f32.to_bits(), 0, 0, 0, 0, 0, 0, 0]]);
    assert_eq!(found[0], [12, 9, 6, 3]);
    let mut back = CUDA_RESOURCE_VIEW_DESC::default();
    must!(cuTexObjectGetResourceViewDesc(&raw mut back, texture.0));
    assert_eq!((back.format, back.width), (view.format, view.width));
    // Texels of another size do not fit.
    let view = CUDA_RESOURCE_VIEW_DESC { format: CUresourceViewFormat::CU_RES_VIEW_FORMAT_UINT_2X8, ..view };
    let (mut object, resource) = (0, array.resource());
    let refused =
        driver!(cuTexObjectCreate(&raw mut object, &raw const resource, &raw const reading, &raw const view));
    assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE);
}

/// Samples a line of two texels at steps of an eighth from the first to the second.
fn filtered(format: Format, bytes: &[u8], flags: u32, result: &str) -> Vec<u32> {
    let array = Array::with(descriptor([2, 0, 0], format, 1, 0), bytes);
    let texture = Texture::new(&array.resource(), &reading(CLAMP, LINEAR, flags));
    let inputs: Vec<Input> =
        (0..9_u8).map(|eighth| [(0.5 + f32::from(eighth) / 8.0).to_bits(), 0, 0, 0, 0, 0, 0, 0]).collect();
    let found = Threads::sampling(&format!("tex.1d.v4.{result}.f32"), "[%d0, {%f0}]").run(texture.0, &inputs);
    found.into_iter().map(|[x, ..]| x).collect()
}

/// Measured: fractions are filtered in 65535ths, or 32767ths with a sign, and halves in halves.
#[test]
fn steps_of_filtered_fractions() {
    let fractions = |format, bytes: &[u8], unit: f32| -> Vec<f32> {
        filtered(format, bytes, 0, "f32")
            .into_iter()
            .map(|bits| (f32::from_bits(bits) * unit * 16.0).round() / 16.0)
            .collect()
    };
    let words = [1, 0, 0xff, 0xff];
    assert_eq!(
        fractions(Format::CU_AD_FORMAT_UNSIGNED_INT16, &words, 65535.0),
        [1.0, 8193.0, 16385.0, 24576.0, 32768.0, 40960.0, 49152.0, 57343.0, 65535.0]
    );
    assert_eq!(
        fractions(Format::CU_AD_FORMAT_SIGNED_INT16, &[1, 0x80, 0xff, 0x7f], 32767.0),
        [-32767.0, -24575.0, -16383.0, -8192.0, 0.0, 8192.0, 16384.0, 24575.0, 32767.0]
    );
    assert_eq!(
        fractions(Format::CU_AD_FORMAT_SIGNED_INT8, &[0x81, 0x7f], 32767.0),
        [-32767.0, -24575.0, -16383.0, -8192.0, 0.0, 8192.0, 16383.0, 24575.0, 32767.0]
    );
    let halves = filtered(Format::CU_AD_FORMAT_HALF, &[0x55, 0x35, 0xff, 0x7b], 0, "f32");
    assert_eq!(halves[..4], [0x3eaa_a000, 0x45ff_e000, 0x467f_e000, 0x46bf_e000]);
}

/// Measured: the nearest integer, halves up.
#[test]
fn halves_between_filtered_integers() {
    for (format, bytes, expected) in [
        (Format::CU_AD_FORMAT_UNSIGNED_INT8, vec![0_u8, 1], 1_u32),
        (Format::CU_AD_FORMAT_UNSIGNED_INT8, vec![1, 2], 2),
        (Format::CU_AD_FORMAT_SIGNED_INT8, vec![0xff, 0], 0),
        (Format::CU_AD_FORMAT_UNSIGNED_INT16, vec![0, 0, 0xe9, 3], 501),
    ] {
        let found = filtered(format, &bytes, CU_TRSF_READ_AS_INTEGER, "u32");
        assert_eq!(found[4], expected, "{format:?}");
    }
}

/// Measured: as many bits of the colour as the format has.
#[test]
fn borders_of_integers() {
    let colour = [1_u32, 300, 0xffff_fffb, 0x80];
    for (format, expected) in [
        (Format::CU_AD_FORMAT_UNSIGNED_INT8, [1, 0x2c, 0xfb, 0x80]),
        (Format::CU_AD_FORMAT_SIGNED_INT8, [1, 0x2c, 0xffff_fffb, 0xffff_ff80]),
        (Format::CU_AD_FORMAT_UNSIGNED_INT16, [1, 0x12c, 0xfffb, 0x80]),
    ] {
        let array = Array::new(descriptor([2, 0, 0], format, 4, 0));
        let mut reading = reading(BORDER, POINT, CU_TRSF_READ_AS_INTEGER);
        reading.borderColor = colour.map(f32::from_bits);
        let texture = Texture::new(&array.resource(), &reading);
        let mut threads = Threads::sampling("tex.1d.v4.u32.f32", "[%d0, {%f0}]");
        assert_eq!(
            threads.run(texture.0, &[[(-5.0_f32).to_bits(), 0, 0, 0, 0, 0, 0, 0]])[0],
            expected,
            "{format:?}"
        );
    }
}

/// Measured: where the table is not the nearest number to the curve.
#[test]
fn the_srgb_table() {
    let bytes: Vec<u8> = (0..WIDTH * 4)
        .map(|index| {
            [32, 33, 65, 66, 68, 70, 97, 184, 186, 249, 250, 251, 252, 253, 254, 255][index / 4 % 16]
        })
        .collect();
    let texture = reading(CLAMP, POINT, CU_TRSF_SRGB);
    let found = read(Format::CU_AD_FORMAT_UNSIGNED_INT8, 4, &bytes, &texture, "f32");
    let lights: Vec<u32> = found.chunks(4).map(|texel| texel[0] >> 16).take(16).collect();
    assert_eq!(
        lights,
        [
            0x3c6c, 0x3c7a, 0x3d58, 0x3d60, 0x3d6c, 0x3d7a, 0x3df4, 0x3ef6, 0x3efc, 0x3f72, 0x3f74, 0x3f76,
            0x3f7a, 0x3f7c, 0x3f7e, 0x3f80
        ]
    );
}
