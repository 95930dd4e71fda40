//! Arrays of every format: their shapes, and their contents.

use super::*;
use CUarray_format as Format;

const INVALID: u32 = 1;

/// A line of the table: the format, the channels, and the code for each shape.
type Row = (u32, u32, Vec<u32>);

fn table() -> (Vec<Shape>, Vec<Row>) {
    let mut lines = include_str!("../../../../conformance/formats.tsv").lines();
    let heads = lines.next().unwrap().split('\t').skip(3).map(Shape::read).collect();
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let format = cells.next().unwrap().parse().unwrap();
        let channels = cells.nth(1).unwrap().parse().unwrap();
        (format, channels, cells.map(|cell| cell.parse().unwrap()).collect())
    };
    (heads, lines.map(row).collect())
}

/// A column of the table.
struct Shape {
    levels: bool,
    size: [usize; 3],
    flags: u32,
}

impl Shape {
    fn read(head: &str) -> Self {
        let (levels, rest) = match head.strip_prefix("levels:") {
            Some(rest) => (true, rest),
            None => (false, head),
        };
        let (size, flags) = rest.split_once("+0x").unwrap();
        let mut sizes = size.split('x').map(|size| size.parse().unwrap());
        let size = [0; 3].map(|_: usize| sizes.next().unwrap());
        Self { levels, size, flags: u32::from_str_radix(flags, 16).unwrap() }
    }

    /// Creates an array of this shape. Returns the code of the driver's answer.
    fn make(&self, format: u32, channels: u32) -> u32 {
        let given = descriptor(self.size, Format(format), channels, self.flags);
        if self.levels {
            let mut handle = null_mut();
            let answer = driver!(cuMipmappedArrayCreate(&raw mut handle, &raw const given, 7));
            if answer.is_success() {
                must!(cuMipmappedArrayDestroy(handle));
            }
            return code(answer);
        }
        let mut handle = null_mut();
        let answer = driver!(cuArray3DCreate_v2(&raw mut handle, &raw const given));
        if answer.is_success() {
            let mut found = CUDA_ARRAY3D_DESCRIPTOR::default();
            must!(cuArray3DGetDescriptor_v2(&raw mut found, handle));
            assert_eq!((found.Format, found.NumChannels), (Format(format), channels));
            assert_eq!(([found.Width, found.Height, found.Depth], found.Flags), (self.size, self.flags));
            must!(cuArrayDestroy(handle));
        }
        code(answer)
    }
}

/// Measured: every format value of one byte. The lowest byte of a larger value counts alone.
#[test]
fn shapes_of_each_format() {
    let (shapes, rows) = table();
    for format in 0..256 {
        for channels in 0..6 {
            let row = rows.iter().find(|row| (row.0, row.1) == (format, channels));
            for (index, shape) in shapes.iter().enumerate() {
                let expected = row.map_or(INVALID, |row| row.2[index]);
                let found = shape.make(format, channels);
                assert_eq!(found, expected, "{format} x{channels}, {:?} {:#x}", shape.size, shape.flags);
            }
        }
    }
    assert_eq!(shapes[1].make(0x101, 4), 0);
    assert_eq!(shapes[1].make(0x191, 4), 0);
}

/// Measured: a texture object of linear memory takes `UNORM_INT_101010_2`, and the eight formats of
/// integers and floating-point numbers, each with 1, 2 or 4 channels.
#[test]
fn formats_of_plain_memory() {
    let mut threads = Threads::sampling("tex.1d.v4.f32.s32", "[%d0, {%r0}]");
    let memory = threads.device.alloc(&[0; 4096]);
    let address = threads.device.address(memory);
    for format in [1, 2, 3, 8, 9, 10, 16, 32, 80, 145, 157, 176, 192, 194, 0, 99, 0x101] {
        for channels in 1..5 {
            let known = matches!(format, 1 | 2 | 3 | 8 | 9 | 10 | 16 | 32 | 80) && channels != 3;
            let resource = linear(address, 4096, Format(format), channels);
            let texture = reading(CLAMP, POINT, 0);
            let mut object = 0;
            let answer = driver!(cuTexObjectCreate(
                &raw mut object,
                &raw const resource,
                &raw const texture,
                std::ptr::null()
            ));
            assert_eq!(code(answer), u32::from(!known), "{format} x{channels}");
            if known {
                must!(cuTexObjectDestroy(object));
            }
        }
    }
}

/// Three channels of ten bits and one of two.
#[test]
fn ten_bits() {
    let words: Vec<u32> = (0..16_u32).map(|index| index.wrapping_mul(0x9e37_79b9) ^ 0x5a5a).collect();
    let given = descriptor([16, 0, 0], Format::CU_AD_FORMAT_UNORM_INT_101010_2, 4, 0);
    let array = Array::new(given);
    must!(cuMemcpyHtoA_v2(array.handle, 0, words.as_ptr().cast(), 64));
    let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
    let mut threads = Threads::sampling("tex.1d.v4.f32.f32", "[%d0, {%f0}]");
    let inputs: Vec<Input> =
        (0..16).map(|index| [(index as f32 + 0.5).to_bits(), 0, 0, 0, 0, 0, 0, 0]).collect();
    for (word, found) in words.iter().zip(threads.run(texture.0, &inputs)) {
        let parts = [word & 0x3ff, word >> 10 & 0x3ff, word >> 20 & 0x3ff, word >> 30];
        let expected: Vec<u32> = parts
            .iter()
            .zip([1023.0, 1023.0, 1023.0, 3.0])
            .map(|(part, most)| ((f64::from(*part) / most) as f32).to_bits())
            .collect();
        assert_eq!(found.to_vec(), expected, "{word:#x}");
    }
}

/// Measured: arrays of multi-planar video formats are copied and sampled plane by plane. A plane is
/// an array of another format.
#[test]
fn pictures_in_planes() {
    let (bytes, words) = (Format::CU_AD_FORMAT_UNSIGNED_INT8, Format::CU_AD_FORMAT_UNSIGNED_INT16);
    let whole = ([64, 32], 1);
    let cases = [
        (Format::CU_AD_FORMAT_NV12, bytes, vec![whole, ([32, 16], 2)]),
        (Format::CU_AD_FORMAT_P010, words, vec![whole, ([32, 16], 2)]),
        (Format::CU_AD_FORMAT_NV16, bytes, vec![whole, ([32, 32], 2)]),
        (Format::CU_AD_FORMAT_P216, words, vec![whole, ([32, 32], 2)]),
        (Format::CU_AD_FORMAT_Y444_PLANAR8, bytes, vec![whole; 3]),
        (Format::CU_AD_FORMAT_Y444_PLANAR10, words, vec![whole; 3]),
        (Format::CU_AD_FORMAT_YUV444_16bit_SemiPlanar, words, vec![whole, ([64, 32], 2)]),
    ];
    for (format, own, planes) in cases {
        let flags = CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
        let picture = Array::new(descriptor([64, 32, 0], format, 3, flags));
        let mut copy = picture.copy();
        let mut memory = [0_u8; 8];
        copy.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
        copy.dstHost = memory.as_mut_ptr().cast();
        copy.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
        copy.srcArray = picture.handle;
        (copy.WidthInBytes, copy.Height, copy.Depth) = (8, 1, 1);
        assert_eq!(code(driver!(cuMemcpy3D_v2(&raw const copy))), INVALID);
        for (index, ([width, height], channels)) in planes.iter().enumerate() {
            let mut handle = null_mut();
            must!(cuArrayGetPlane(&raw mut handle, picture.handle, index as u32));
            let mut again = null_mut();
            must!(cuArrayGetPlane(&raw mut again, picture.handle, index as u32));
            assert_eq!(again, handle);
            assert_eq!(code(driver!(cuArrayGetPlane(&raw mut again, handle, 0))), INVALID);
            let mut found = CUDA_ARRAY3D_DESCRIPTOR::default();
            must!(cuArray3DGetDescriptor_v2(&raw mut found, handle));
            assert_eq!((found.Width, found.Height, found.Depth), (*width, *height, 0));
            assert_eq!((found.Format, found.NumChannels, found.Flags), (own, *channels, flags));
            let plane = Array { handle, descriptor: found, owned: false };
            let bytes: Vec<u8> =
                (0..plane.extent().iter().product()).map(|at: usize| (at * 7 + index) as u8).collect();
            plane.write(&bytes);
            assert_eq!(plane.read(), bytes);
            drop(Texture::new(&plane.resource(), &reading(CLAMP, POINT, 0)));
            must!(cuArrayDestroy(handle));
            must!(cuArray3DGetDescriptor_v2(&raw mut found, handle));
        }
        let mut handle = null_mut();
        let beyond = planes.len() as u32;
        assert_eq!(code(driver!(cuArrayGetPlane(&raw mut handle, picture.handle, beyond))), INVALID);
    }
}

/// Returns the size and the alignment, in bytes, of the memory that a deferred-mapping array needs.
fn required(size: [usize; 3], format: Format, channels: u32, flags: u32) -> (usize, usize) {
    let array = Array::new(descriptor(size, format, channels, flags | CUDA_ARRAY3D_DEFERRED_MAPPING));
    let mut found = CUDA_ARRAY_MEMORY_REQUIREMENTS::default();
    must!(cuArrayGetMemoryRequirements(&raw mut found, array.handle, 0));
    (found.size, found.alignment)
}

#[test]
fn memory_that_is_mapped_later() {
    const PAGE: usize = 65536;
    let byte = Format::CU_AD_FORMAT_UNSIGNED_INT8;
    let cases = [
        ([64, 0, 0], byte, 1, 0, 1),
        ([65536, 0, 0], FLOAT, 1, 0, 32),
        ([257, 255, 0], byte, 1, 0, 2),
        ([1000, 700, 0], byte, 1, 0, 12),
        ([100, 100, 100], byte, 1, 0, 23),
        ([100, 100, 100], FLOAT, 1, 0, 80),
        ([300, 200, 5], byte, 1, CUDA_ARRAY3D_LAYERED, 7),
        ([64, 64, 6], FLOAT, 1, CUDA_ARRAY3D_CUBEMAP, 2),
        ([100, 100, 100], Format::CU_AD_FORMAT_BC1_UNORM, 4, 0, 14),
        ([100, 100, 100], Format::CU_AD_FORMAT_BC7_UNORM, 4, 0, 25),
    ];
    for (size, format, channels, flags, pages) in cases {
        let found = required(size, format, channels, flags);
        assert_eq!(found, (pages * PAGE, PAGE), "{size:?} {format:?} {flags:#x}");
    }
    let plain = Array::new(descriptor([64, 64, 0], FLOAT, 1, 0));
    let mut found = CUDA_ARRAY_MEMORY_REQUIREMENTS::default();
    assert_eq!(code(driver!(cuArrayGetMemoryRequirements(&raw mut found, plain.handle, 0))), INVALID);
    let later = descriptor([256, 256, 0], byte, 1, CUDA_ARRAY3D_DEFERRED_MAPPING);
    let pyramid = Mipmapped::new(later, 9);
    must!(cuMipmappedArrayGetMemoryRequirements(&raw mut found, pyramid.0, 0));
    assert_eq!(found.size, 2 * PAGE);
    let level = pyramid.level(1).handle;
    assert_eq!(code(driver!(cuArrayGetMemoryRequirements(&raw mut found, level, 0))), INVALID);
}

#[test]
fn tiles_of_sparse_arrays() {
    let byte = Format::CU_AD_FORMAT_UNSIGNED_INT8;
    let sparse = CUDA_ARRAY3D_SPARSE;
    let cases = [
        ([64, 64, 0], byte, 1, sparse, [256, 256, 1], (0, 65536, 1)),
        ([256, 256, 0], byte, 1, sparse, [256, 256, 1], (0, 0, 0)),
        ([257, 255, 0], byte, 1, sparse, [256, 256, 1], (0, 131_072, 1)),
        ([64, 64, 16], byte, 1, sparse, [64, 32, 32], (0, 65536, 1)),
        ([300, 200, 5], byte, 1, sparse | CUDA_ARRAY3D_LAYERED, [256, 256, 1], (0, 458_752, 1)),
        ([128, 128, 0], FLOAT, 1, sparse, [128, 128, 1], (0, 0, 0)),
        ([64, 64, 0], Format::CU_AD_FORMAT_BC7_UNORM, 4, sparse, [256, 256, 1], (0, 65536, 1)),
        ([64, 64, 0], Format::CU_AD_FORMAT_BC1_UNORM, 4, sparse, [512, 256, 1], (0, 65536, 1)),
    ];
    for (size, format, channels, flags, tile, tail) in cases {
        let array = Array::new(descriptor(size, format, channels, flags));
        let mut found = CUDA_ARRAY_SPARSE_PROPERTIES::default();
        must!(cuArrayGetSparseProperties(&raw mut found, array.handle));
        let extent = [found.tileExtent.width, found.tileExtent.height, found.tileExtent.depth];
        assert_eq!(extent, tile, "{size:?} {format:?}");
        assert_eq!((found.miptailFirstLevel, found.miptailSize, found.flags), tail, "{size:?} {format:?}");
    }
    let pyramid = Mipmapped::new(descriptor([1024, 1024, 3], byte, 1, sparse | CUDA_ARRAY3D_LAYERED), 11);
    let mut found = CUDA_ARRAY_SPARSE_PROPERTIES::default();
    must!(cuMipmappedArrayGetSparseProperties(&raw mut found, pyramid.0));
    assert_eq!((found.miptailFirstLevel, found.miptailSize, found.flags), (3, 65536, 0));
}

/// Measured: without memory, a sparse array takes nothing and reads as zeros.
#[test]
fn sparse_arrays_without_memory() {
    let array = Array::new(descriptor([16, 16, 0], FLOAT, 1, CUDA_ARRAY3D_SPARSE));
    array.write(&[0xab; 1024]);
    assert_eq!(array.read(), [0; 1024]);
    let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
    let mut threads = Threads::sampling("tex.2d.v4.f32.f32", "[%d0, {%f0, %f1}]");
    assert_eq!(threads.numbers(texture.0, &[[0.5, 0.5, 0.0], [3.5, 2.5, 0.0]]), [0.0, 0.0]);
}

/// Measured: a copy to an array without mapped memory returns success, and causes a sticky error.
/// A later call returns the error.
#[test]
fn copies_to_memory_that_is_not_mapped() {
    alone("ptx::images::all_formats::copies_to_memory_that_is_not_mapped", || {
        let given = descriptor([16, 16, 0], FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING);
        let mut handle = null_mut();
        must!(cuArray3DCreate_v2(&raw mut handle, &raw const given));
        let array = Array { handle, descriptor: given, owned: false };
        array.write(&[0xab; 1024]);
        assert_eq!(code(driver!(cuCtxSynchronize())), 719);
    });
}

#[test]
fn samples_of_memory_that_is_not_mapped() {
    alone("ptx::images::all_formats::samples_of_memory_that_is_not_mapped", || {
        let given = descriptor([16, 16, 0], FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING);
        let mut handle = null_mut();
        must!(cuArray3DCreate_v2(&raw mut handle, &raw const given));
        let array = Array { handle, descriptor: given, owned: false };
        let mut object = 0;
        let (resource, texture) = (array.resource(), reading(CLAMP, POINT, 0));
        let view = std::ptr::null();
        must!(cuTexObjectCreate(&raw mut object, &raw const resource, &raw const texture, view));
        // The kernel must use the texel, or else the compiler removes the `tex` instruction.
        let body = ".reg .b64 %d; .reg .f32 %f; .reg .b32 %r<4>; .reg .pred %p;\n\
                    ld.param.b64 %d, [object]; mov.f32 %f, 0f3f000000;\n\
                    tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%d, {%f, %f}];\n\
                    setp.eq.b32 %p, %r0, 7; @%p trap; ret;\n";
        let mut device = Device::kernel(".param .b64 object", body);
        let error = device.try_run("k", [1; 3], [1; 3], 0, &[Arg::U64(object)]).unwrap_err();
        assert_eq!(error.code(), Some(cuda_rt::error::Code::IllegalAddress));
    });
}
