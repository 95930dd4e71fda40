//! Textures of compressed blocks.

use super::*;
use CUarray_format as Format;
use CUresourceViewFormat_enum as View;

const INVALID: u32 = 1;

/// Blocks in which every mode of each codec occurs, and any bits.
fn blocks(bytes: usize, count: usize, fix: impl Fn(usize, &mut [u8])) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut made = Vec::new();
    for index in 0..count {
        let start = made.len();
        while made.len() < start + bytes {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            made.extend(state.to_le_bytes());
        }
        fix(index, &mut made[start..]);
    }
    made
}

/// A number below the lowest set bit says the mode of a block of BC7; without one, it is reserved.
fn unary_mode(index: usize, block: &mut [u8]) {
    let mode = index % 9;
    block[0] = if mode == 8 { 0 } else { block[0] >> mode << mode | 1 << mode };
}

/// The lowest five bits say the mode of a block of BC6H, some of them reserved.
fn five_bits(index: usize, block: &mut [u8]) {
    block[0] = block[0] & !31 | (index % 32) as u8;
}

fn as_they_are(_: usize, _: &mut [u8]) {}

/// An array of a format of blocks with these in it; sizes are of texels.
fn array_of(given: CUDA_ARRAY3D_DESCRIPTOR, bytes: usize, blocks: &[u8]) -> Array {
    let array = Array::new(given);
    fill(array.handle, given, bytes, blocks);
    array
}

fn fill(handle: CUarray, given: CUDA_ARRAY3D_DESCRIPTOR, bytes: usize, blocks: &[u8]) {
    let (across, down) = (given.Width.div_ceil(4), given.Height.div_ceil(4));
    assert_eq!(blocks.len(), across * down * given.Depth.max(1) * bytes);
    let copy = CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: blocks.as_ptr().cast(),
        srcPitch: across * bytes,
        srcHeight: down,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        dstArray: handle,
        WidthInBytes: across * bytes,
        Height: down,
        Depth: given.Depth.max(1),
        ..CUDA_MEMCPY3D::default()
    };
    must!(cuMemcpy3D_v2(&raw const copy));
}

/// All texels of a plane.
fn texels(object: u64, width: usize, height: usize) -> Vec<[u32; 4]> {
    let mut threads = Threads::sampling("tex.2d.v4.f32.f32", "[%d0, {%f0, %f1}]");
    let at = |index: usize| [index % width, index / width].map(|at| (at as f32 + 0.5).to_bits());
    let inputs: Vec<Input> = (0..width * height).map(at).map(|[x, y]| [x, y, 0, 0, 0, 0, 0, 0]).collect();
    inputs.chunks(1024).flat_map(|inputs| threads.run(object, inputs)).collect()
}

/// A number that is another one if any texel is.
fn digest(texels: &[[u32; 4]]) -> u64 {
    let bytes = texels.iter().flatten().flat_map(|word| word.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

type Fix = fn(usize, &mut [u8]);

/// 256 blocks of each format read the same as on hardware.
#[test]
fn texels_are_those_of_hardware() {
    let cases: [(Format, u32, usize, Fix, u64); 14] = [
        (Format::CU_AD_FORMAT_BC1_UNORM, 4, 8, as_they_are, 0xd5ac_a0e3_a622_8c1a),
        (Format::CU_AD_FORMAT_BC1_UNORM_SRGB, 4, 8, as_they_are, 0x104e_5822_0c64_5ee0),
        (Format::CU_AD_FORMAT_BC2_UNORM, 4, 16, as_they_are, 0x3998_9a5d_fbfa_5740),
        (Format::CU_AD_FORMAT_BC2_UNORM_SRGB, 4, 16, as_they_are, 0xd097_d9b3_2dd5_634e),
        (Format::CU_AD_FORMAT_BC3_UNORM, 4, 16, as_they_are, 0xaecb_51f6_9b25_8009),
        (Format::CU_AD_FORMAT_BC3_UNORM_SRGB, 4, 16, as_they_are, 0xc4e0_af17_53f1_193f),
        (Format::CU_AD_FORMAT_BC4_UNORM, 1, 8, as_they_are, 0xd61c_e230_2ccd_9cd9),
        (Format::CU_AD_FORMAT_BC4_SNORM, 1, 8, as_they_are, 0x3aa5_02f9_bf6f_62c6),
        (Format::CU_AD_FORMAT_BC5_UNORM, 2, 16, as_they_are, 0xdfb7_6d7d_cbc0_159d),
        (Format::CU_AD_FORMAT_BC5_SNORM, 2, 16, as_they_are, 0x3dae_2576_160c_d007),
        (Format::CU_AD_FORMAT_BC6H_UF16, 3, 16, five_bits, 0x260d_e970_2ae3_9b86),
        (Format::CU_AD_FORMAT_BC6H_SF16, 3, 16, five_bits, 0xce77_08c2_6ad2_5acb),
        (Format::CU_AD_FORMAT_BC7_UNORM, 4, 16, unary_mode, 0xdf55_7362_1c0e_d54b),
        (Format::CU_AD_FORMAT_BC7_UNORM_SRGB, 4, 16, unary_mode, 0xdafe_f4e2_1b0e_7eaf),
    ];
    let mut wrong = Vec::new();
    for (format, channels, bytes, fix, expected) in cases {
        let blocks = blocks(bytes, 256, fix);
        let array = array_of(descriptor([64, 64, 0], format, channels, 0), bytes, &blocks);
        // Formats that say so must be read by the curve (measured).
        let curved = matches!(
            format,
            Format::CU_AD_FORMAT_BC1_UNORM_SRGB
                | Format::CU_AD_FORMAT_BC2_UNORM_SRGB
                | Format::CU_AD_FORMAT_BC3_UNORM_SRGB
                | Format::CU_AD_FORMAT_BC7_UNORM_SRGB
        );
        let flags = if curved { CU_TRSF_SRGB } else { 0 };
        let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, flags));
        let found = digest(&texels(texture.0, 64, 64));
        if found != expected {
            wrong.push(format!("{format:?}: {found:#x}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// 256 blocks, seen through views of integers, read the same as on hardware.
#[test]
fn views_see_blocks() {
    let cases: [(View, usize, Fix, u64); 10] = [
        (View::CU_RES_VIEW_FORMAT_UNSIGNED_BC1, 8, as_they_are, 0xd5ac_a0e3_a622_8c1a),
        (View::CU_RES_VIEW_FORMAT_UNSIGNED_BC2, 16, as_they_are, 0x3998_9a5d_fbfa_5740),
        (View::CU_RES_VIEW_FORMAT_UNSIGNED_BC3, 16, as_they_are, 0xaecb_51f6_9b25_8009),
        (View::CU_RES_VIEW_FORMAT_UNSIGNED_BC4, 8, as_they_are, 0x6c7b_6a37_7ddf_4645),
        (View::CU_RES_VIEW_FORMAT_SIGNED_BC4, 8, as_they_are, 0xdbad_d1a7_1cce_788a),
        (View::CU_RES_VIEW_FORMAT_UNSIGNED_BC5, 16, as_they_are, 0xc555_2e95_2d54_94ad),
        (View::CU_RES_VIEW_FORMAT_SIGNED_BC5, 16, as_they_are, 0xce94_2a76_96fc_4f77),
        (View::CU_RES_VIEW_FORMAT_UNSIGNED_BC6H, 16, five_bits, 0x7043_34ee_d560_34fa),
        (View::CU_RES_VIEW_FORMAT_SIGNED_BC6H, 16, five_bits, 0x6764_3090_3dbd_ebef),
        (View::CU_RES_VIEW_FORMAT_UNSIGNED_BC7, 16, unary_mode, 0xdf55_7362_1c0e_d54b),
    ];
    let mut wrong = Vec::new();
    for (view, bytes, fix, expected) in cases {
        let words = Format::CU_AD_FORMAT_UNSIGNED_INT32;
        let array =
            Array::with(descriptor([16, 16, 0], words, bytes as u32 / 4, 0), &blocks(bytes, 256, fix));
        let given = CUDA_RESOURCE_VIEW_DESC { format: view, width: 64, height: 64, ..empty_view() };
        let texture = Texture::viewed(&array.resource(), &reading(CLAMP, POINT, 0), Some(&given));
        let found = digest(&texels(texture.0, 64, 64));
        if found != expected {
            wrong.push(format!("{view:?}: {found:#x}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn empty_view() -> CUDA_RESOURCE_VIEW_DESC {
    CUDA_RESOURCE_VIEW_DESC::default()
}

fn numbers(texel: [u32; 4]) -> [f32; 4] {
    texel.map(f32::from_bits)
}

#[test]
fn colours_between_the_ends_are_interpolated() {
    let of = |value: f32| value / 255.0;
    // Red before blue: two colours between. Then the other way: one, and nothing.
    let four = [0x00, 0xf8, 0x1f, 0x00, 0xe4, 0xe4, 0xe4, 0xe4];
    let three = [0x1f, 0x00, 0x00, 0xf8, 0xe4, 0xe4, 0xe4, 0xe4];
    let expected = [
        [
            [1.0, 0.0, 0.0, 1.0],
            [0.0, 0.0, 1.0, 1.0],
            [of(170.0), 0.0, of(85.0), 1.0],
            [of(85.0), 0.0, of(170.0), 1.0],
        ],
        [[0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0], [of(127.0), 0.0, of(127.0), 1.0], [0.0; 4]],
    ];
    for (block, expected) in [four, three].into_iter().zip(expected) {
        let given = descriptor([4, 4, 0], Format::CU_AD_FORMAT_BC1_UNORM, 4, 0);
        let array = array_of(given, 8, &block);
        let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
        let found = texels(texture.0, 4, 4);
        for (index, texel) in found.into_iter().enumerate() {
            assert_eq!(numbers(texel), expected[index % 4], "{block:x?}");
        }
    }
}

#[test]
fn channels_that_a_codec_lacks() {
    // Both ends are the same: all texels are 1, and the others of the second half too.
    let block = [0xff, 0xff, 0, 0, 0, 0, 0, 0];
    let given = descriptor([4, 4, 0], Format::CU_AD_FORMAT_BC4_UNORM, 1, 0);
    let array = array_of(given, 8, &block);
    let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
    assert_eq!(numbers(texels(texture.0, 1, 1)[0]), [1.0, 0.0, 0.0, 1.0]);
    let words = Array::with(descriptor([1, 1, 0], Format::CU_AD_FORMAT_UNSIGNED_INT32, 2, 0), &block);
    let view = View::CU_RES_VIEW_FORMAT_UNSIGNED_BC4;
    let given = CUDA_RESOURCE_VIEW_DESC { format: view, width: 4, height: 4, ..empty_view() };
    let texture = Texture::viewed(&words.resource(), &reading(CLAMP, POINT, 0), Some(&given));
    assert_eq!(numbers(texels(texture.0, 1, 1)[0]), [1.0, 0.0, 0.0, 0.0]);
}

/// The answer to a view of an array of this format and of 16 by 8 texels.
fn viewed(format: Format, channels: u32, view: View, width: usize, height: usize) -> u32 {
    let array = Array::new(descriptor([16, 8, 0], format, channels, 0));
    let resource = array.resource();
    let texture = reading(CLAMP, POINT, 0);
    let given = CUDA_RESOURCE_VIEW_DESC { format: view, width, height, ..empty_view() };
    let mut object = 0;
    let answer = driver!(cuTexObjectCreate(
        &raw mut object,
        &raw const resource,
        &raw const texture,
        &raw const given
    ));
    if answer.is_success() {
        must!(cuTexObjectDestroy(object));
    }
    code(answer)
}

#[test]
fn views_of_blocks_are_four_times_as_large() {
    let words = Format::CU_AD_FORMAT_UNSIGNED_INT32;
    let (bc1, bc7) = (View::CU_RES_VIEW_FORMAT_UNSIGNED_BC1, View::CU_RES_VIEW_FORMAT_UNSIGNED_BC7);
    assert_eq!(viewed(words, 2, bc1, 64, 32), 0);
    assert_eq!(viewed(words, 4, bc7, 64, 32), 0);
    for (width, height) in [(16, 8), (63, 32), (64, 31), (61, 29), (64, 8), (16, 32), (65, 32)] {
        assert_eq!(viewed(words, 2, bc1, width, height), INVALID, "{width} by {height}");
    }
    assert_eq!(viewed(words, 4, bc1, 64, 32), INVALID);
    assert_eq!(viewed(words, 2, bc7, 64, 32), INVALID);
    // Only integers without a sign, and no arrays of blocks.
    assert_eq!(viewed(Format::CU_AD_FORMAT_SIGNED_INT32, 2, bc1, 64, 32), INVALID);
    assert_eq!(viewed(FLOAT, 4, bc7, 64, 32), INVALID);
    assert_eq!(viewed(Format::CU_AD_FORMAT_BC1_UNORM, 4, bc1, 16, 8), INVALID);
    let integers = View::CU_RES_VIEW_FORMAT_UINT_2X32;
    assert_eq!(viewed(Format::CU_AD_FORMAT_BC1_UNORM, 4, integers, 16, 8), INVALID);
}

/// Measured: formats that are stored by the curve must be read by it, and nothing stores blocks.
#[test]
fn objects_of_blocks() {
    let array = Array::new(descriptor([8, 8, 0], Format::CU_AD_FORMAT_BC7_UNORM_SRGB, 4, 0));
    let resource = array.resource();
    let mut object = 0;
    let plain = reading(CLAMP, LINEAR, CU_TRSF_NORMALIZED_COORDINATES);
    let view = std::ptr::null();
    let answer = driver!(cuTexObjectCreate(&raw mut object, &raw const resource, &raw const plain, view));
    assert_eq!(code(answer), INVALID);
    drop(Texture::new(&resource, &reading(CLAMP, POINT, CU_TRSF_SRGB)));
    assert_eq!(code(driver!(cuSurfObjectCreate(&raw mut object, &raw const resource))), INVALID);
}

/// The answer to a copy from an array: where it begins, and how large it is.
fn copied(array: &Array, at: [usize; 2], width: usize, height: usize) -> u32 {
    let mut memory = vec![0_u8; 4096];
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        srcArray: array.handle,
        srcXInBytes: at[0],
        srcY: at[1],
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        dstHost: memory.as_mut_ptr().cast(),
        dstPitch: 256,
        WidthInBytes: width,
        Height: height,
        ..CUDA_MEMCPY2D::default()
    };
    code(driver!(cuMemcpy2D_v2(&raw const copy)))
}

/// Measured: blocks are copied whole, by rows of blocks.
#[test]
fn copies_of_blocks() {
    let array = Array::new(descriptor([22, 9, 0], Format::CU_AD_FORMAT_BC1_UNORM, 4, 0));
    assert_eq!(copied(&array, [0, 0], 48, 3), 0);
    assert_eq!(copied(&array, [40, 2], 8, 1), 0);
    for (at, width, height) in
        [([0, 0], 56, 3), ([0, 0], 48, 4), ([0, 0], 47, 3), ([4, 0], 8, 1), ([8, 0], 48, 1), ([0, 1], 48, 3)]
    {
        assert_eq!(copied(&array, at, width, height), INVALID, "{at:?} {width} {height}");
    }
    // A block is a texel of another format with as many bytes.
    let bytes = blocks(8, 18, as_they_are);
    fill(array.handle, array.descriptor, 8, &bytes);
    let words = Array::new(descriptor([6, 3, 0], Format::CU_AD_FORMAT_UNSIGNED_INT32, 2, 0));
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        srcArray: array.handle,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        dstArray: words.handle,
        WidthInBytes: 48,
        Height: 3,
        ..CUDA_MEMCPY2D::default()
    };
    must!(cuMemcpy2D_v2(&raw const copy));
    assert_eq!(words.read(), bytes);
    let others = Array::new(descriptor([12, 3, 0], Format::CU_AD_FORMAT_UNSIGNED_INT32, 1, 0));
    let copy = CUDA_MEMCPY2D { dstArray: others.handle, ..copy };
    assert_eq!(code(driver!(cuMemcpy2D_v2(&raw const copy))), INVALID);
    // By offset: the first row of blocks.
    let mut row = [0_u8; 48];
    must!(cuMemcpyAtoH_v2(row.as_mut_ptr().cast(), array.handle, 0, 48));
    assert_eq!(row, bytes[..48]);
    assert_eq!(code(driver!(cuMemcpyAtoH_v2(row.as_mut_ptr().cast(), array.handle, 8, 48))), INVALID);
    assert_eq!(code(driver!(cuMemcpyAtoH_v2(row.as_mut_ptr().cast(), array.handle, 4, 8))), INVALID);
}

/// Measured: texels are copied byte by byte.
#[test]
fn copies_of_parts_of_texels() {
    let array = Array::with(descriptor([4, 2, 0], FLOAT, 1, 0), &[0x11; 32]);
    let from = [1_u8, 2, 3, 4, 5, 6, 7, 8];
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: from.as_ptr().cast(),
        srcPitch: 4,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        dstArray: array.handle,
        dstXInBytes: 1,
        WidthInBytes: 3,
        Height: 2,
        ..CUDA_MEMCPY2D::default()
    };
    must!(cuMemcpy2D_v2(&raw const copy));
    let found = array.read();
    assert_eq!(found[..6], [0x11, 1, 2, 3, 0x11, 0x11]);
    assert_eq!(found[16..22], [0x11, 5, 6, 7, 0x11, 0x11]);
    let planes = Array::with(descriptor([4, 2, 2], FLOAT, 1, CUDA_ARRAY3D_LAYERED), &[7; 64]);
    must!(cuMemcpyHtoA_v2(planes.handle, 3, from.as_ptr().cast(), 8));
    assert_eq!(planes.read()[..12], [7, 7, 7, 1, 2, 3, 4, 5, 6, 7, 8, 7]);
    assert_eq!(code(driver!(cuMemcpyHtoA_v2(planes.handle, 12, from.as_ptr().cast(), 8))), INVALID);
}

/// Levels that are smaller than a block, sizes that are no multiples of one, and layers.
#[test]
fn blocks_at_the_edges() {
    let given = descriptor([10, 6, 0], Format::CU_AD_FORMAT_BC4_UNORM, 1, 0);
    let pyramid = Mipmapped::new(given, 4);
    // A block whose texels are all the same number.
    let block = |value: u8| [value, value, 0, 0, 0, 0, 0, 0];
    for (index, count) in [6, 2, 1, 1].into_iter().enumerate() {
        let level = pyramid.level(index as u32);
        let bytes: Vec<u8> = (0..count).flat_map(|at| block((index * 50 + at * 5 + 5) as u8)).collect();
        fill(level.handle, level.descriptor, 8, &bytes);
    }
    let reading = CUDA_TEXTURE_DESC {
        maxMipmapLevelClamp: 9.0,
        ..reading(CLAMP, POINT, CU_TRSF_NORMALIZED_COORDINATES)
    };
    let texture = Texture::new(&pyramid.resource(), &reading);
    let mut threads = Threads::sampling("tex.level.2d.v4.f32.f32", "[%d0, {%f0, %f1}], %f2");
    let at = [
        ([0.95, 0.95, 0.0], 30),
        ([0.05, 0.95, 0.0], 20),
        ([0.95, 0.5, 1.0], 60),
        ([0.5, 0.5, 1.0], 55),
        ([0.9, 0.5, 2.0], 105),
        ([0.9, 0.5, 3.0], 155),
    ];
    let found = threads.numbers(texture.0, &at.map(|(at, _)| at));
    for ((at, expected), found) in at.into_iter().zip(found) {
        assert_eq!(found, expected as f32 / 255.0, "{at:?}");
    }
    let layers = descriptor([4, 4, 3], Format::CU_AD_FORMAT_BC4_UNORM, 1, CUDA_ARRAY3D_LAYERED);
    let bytes: Vec<u8> = [10, 20, 30].into_iter().flat_map(block).collect();
    let layers = array_of(layers, 8, &bytes);
    let texture = Texture::new(&layers.resource(), &super::reading(CLAMP, POINT, 0));
    let mut threads = Threads::sampling("tex.a2d.v4.f32.f32", "[%d0, {%r2, %f0, %f1, %f1}]");
    let inputs: Vec<Input> = (0..3).map(|layer| [0x3fc0_0000, 0x3fc0_0000, layer, 0, 0, 0, 0, 0]).collect();
    let found: Vec<f32> =
        threads.run(texture.0, &inputs).iter().map(|texel| f32::from_bits(texel[0])).collect();
    assert_eq!(found, [10.0 / 255.0, 20.0 / 255.0, 30.0 / 255.0]);
}
