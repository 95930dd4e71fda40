//! Arrays of matrices and volumes, and samples of them by kernels.

use super::*;
use cuda_rt::array::{ArrayElement, Order};
use cuda_rt::bytemuck::NoUninit;
use cuda_rt::{DevicePtr, LaunchConfig, Module};
use cuda_sys::{CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC, CUaddress_mode, CUfilter_mode, CUresourcetype};
use std::ptr::null;

/// One thread for each element: its texels, as numbers, in the order of rows and slices.
const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry sample2(.param .u64 texture, .param .u64 out) {
        .reg .b64 %d<4>; .reg .b32 %r<8>; .reg .f32 %f<8>;
        ld.param.u64 %d0, [texture]; ld.param.u64 %d1, [out];
        mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %ntid.x;
        mad.lo.u32 %r4, %r1, %r2, %r0; mul.wide.u32 %d2, %r4, 16; add.u64 %d1, %d1, %d2;
        cvt.rn.f32.u32 %f4, %r0; add.f32 %f4, %f4, 0f3f000000; cvt.rn.f32.u32 %f5, %r1; add.f32 %f5, %f5, 0f3f000000;
        tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}];
        st.global.v4.f32 [%d1], {%f0, %f1, %f2, %f3}; ret; }
    .visible .entry sample3(.param .u64 texture, .param .u64 out) {
        .reg .b64 %d<4>; .reg .b32 %r<8>; .reg .f32 %f<8>;
        ld.param.u64 %d0, [texture]; ld.param.u64 %d1, [out];
        mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y;
        mad.lo.u32 %r5, %r2, %r4, %r1; mad.lo.u32 %r5, %r5, %r3, %r0; mul.wide.u32 %d2, %r5, 16; add.u64 %d1, %d1, %d2;
        cvt.rn.f32.u32 %f4, %r0; add.f32 %f4, %f4, 0f3f000000; cvt.rn.f32.u32 %f5, %r1; add.f32 %f5, %f5, 0f3f000000;
        cvt.rn.f32.u32 %f6, %r2; add.f32 %f6, %f6, 0f3f000000;
        tex.3d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5, %f6, %f6}];
        st.global.v4.f32 [%d1], {%f0, %f1, %f2, %f3}; ret; }
    .visible .entry layers(.param .u64 texture, .param .u64 out) {
        .reg .b64 %d<4>; .reg .b32 %r<8>; .reg .f32 %f<8>;
        ld.param.u64 %d0, [texture]; ld.param.u64 %d1, [out];
        mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y;
        mad.lo.u32 %r5, %r2, %r4, %r1; mad.lo.u32 %r5, %r5, %r3, %r0; mul.wide.u32 %d2, %r5, 16; add.u64 %d1, %d1, %d2;
        cvt.rn.f32.u32 %f4, %r0; add.f32 %f4, %f4, 0f3f000000; cvt.rn.f32.u32 %f5, %r1; add.f32 %f5, %f5, 0f3f000000;
        tex.a2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%r2, %f4, %f5, %f5}];
        st.global.v4.f32 [%d1], {%f0, %f1, %f2, %f3}; ret; }";

/// Returns the samples of a texture object of the array at all places of a block of this size: x first, then y, then z.
fn sampled(array: &Array, kernel: &str, [width, height, depth]: [usize; 3]) -> Vec<[f32; 4]> {
    let context = array.context();
    let mut resource =
        CUDA_RESOURCE_DESC { resType: CUresourcetype::CU_RESOURCE_TYPE_ARRAY, ..Default::default() };
    resource.res.array.hArray = array.as_raw();
    let texture = CUDA_TEXTURE_DESC {
        addressMode: [CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP; 3],
        filterMode: CUfilter_mode::CU_TR_FILTER_MODE_POINT,
        ..Default::default()
    };
    let mut object = 0;
    let entered = context.enter().unwrap();
    // SAFETY: everything is valid, the array live, its context current.
    let made = unsafe {
        cuda_sys::cuTexObjectCreate(&raw mut object, &raw const resource, &raw const texture, null())
    };
    assert!(made.is_success(), "{made}");
    let module = Module::from_ptx(context, PTX).unwrap();
    let function = crate::typed::<(u64, DevicePtr<[f32; 4]>)>(&module.function(kernel).unwrap());
    let out = DeviceBuf::<[f32; 4]>::zeroed(array.stream(), width * height * depth).unwrap();
    let threads = [width, height, depth].map(|size| u32::try_from(size).unwrap());
    // SAFETY: a thread for each element of `out`; the array lives on the same stream.
    unsafe {
        function.launch(
            LaunchConfig { block: threads, ..LaunchConfig::new(1, 1) },
            array.stream(),
            (object, out.ptr()),
        )
    }
    .unwrap();
    let found = out.to_vec().unwrap();
    // SAFETY: made above, and the kernel has ended.
    let gone = unsafe { cuda_sys::cuTexObjectDestroy(object) };
    assert!(gone.is_success(), "{gone}");
    drop(entered);
    found
}

fn matrix<T>(rows: usize, columns: usize, order: Order, element: impl Fn(usize, usize) -> T) -> Vec<T> {
    let count = rows * columns;
    let place = |index: usize| match order {
        Order::RowMajor => (index / columns, index % columns),
        Order::ColumnMajor => (index % rows, index / rows),
    };
    (0..count).map(place).map(|(row, column)| element(row, column)).collect()
}

#[test]
fn matrices_are_sampled_in_both_orders() {
    let stream = cuda_suite::stream();
    let element = |row: usize, column: usize| (10 * row + column) as f32;
    for (rows, columns) in [(2, 3), (5, 5), (1, 7), (7, 1), (16, 4)] {
        let elements = matrix(rows, columns, Order::RowMajor, element);
        let array = Array::from_matrix(&stream, &elements, rows, columns, Order::RowMajor).unwrap();
        let found = sampled(&array, "sample2", [columns, rows, 1]);
        for (index, [texel, ..]) in found.into_iter().enumerate() {
            let (x, y) = (index % columns, index / columns);
            assert_eq!(texel, element(y, x), "texel ({x}, {y}) is matrix[y, x]");
        }
        let elements = matrix(rows, columns, Order::ColumnMajor, element);
        let array = Array::from_matrix(&stream, &elements, rows, columns, Order::ColumnMajor).unwrap();
        let found = sampled(&array, "sample2", [rows, columns, 1]);
        for (index, [texel, ..]) in found.into_iter().enumerate() {
            let (x, y) = (index % rows, index / rows);
            assert_eq!(texel, element(x, y), "texel ({x}, {y}) is matrix[x, y]");
        }
    }
}

#[test]
fn channels_are_sampled_in_both_orders() {
    let stream = cuda_suite::stream();
    let (height, width) = (3, 4);
    for channels in [1, 2, 4] {
        let number = |y: usize, x: usize, channel: usize| (100 * y + 10 * x + channel) as f32;
        // C: shape (h, w, ch), the last index first.
        let rows: Vec<f32> = (0..height * width * channels)
            .map(|index| number(index / channels / width, index / channels % width, index % channels))
            .collect();
        // F: shape (ch, w, h), the first index first.
        let columns: Vec<f32> = (0..channels * width * height)
            .map(|index| number(index / (channels * width), index / channels % width, index % channels))
            .collect();
        for (numbers, shape, order) in [
            (rows, [height, width, channels], Order::RowMajor),
            (columns, [channels, width, height], Order::ColumnMajor),
        ] {
            let array = Array::from_channels(&stream, &numbers, shape, order).unwrap();
            assert_eq!((array.descriptor().width, array.descriptor().height), (width, height));
            assert_eq!(array.descriptor().channels as usize, channels);
            for (index, texel) in sampled(&array, "sample2", [width, height, 1]).into_iter().enumerate() {
                let (x, y) = (index % width, index / width);
                let expected: Vec<f32> = (0..channels).map(|channel| number(y, x, channel)).collect();
                assert_eq!(texel[..channels], expected, "{order:?}, texel ({x}, {y})");
            }
        }
    }
}

#[test]
fn volumes_are_sampled_in_both_orders() {
    let stream = cuda_suite::stream();
    let (width, height, depth) = (4, 3, 2);
    let numbers: Vec<f32> = (0..24_u8).map(f32::from).collect();
    for (shape, order) in
        [([depth, height, width], Order::RowMajor), ([width, height, depth], Order::ColumnMajor)]
    {
        for (flags, kernel) in [
            (ArrayFlags::empty(), "sample3"),
            (ArrayFlags::SURFACE_LDST, "sample3"),
            (ArrayFlags::LAYERED, "layers"),
            (ArrayFlags::LAYERED | ArrayFlags::SURFACE_LDST, "layers"),
        ] {
            let array = Array::from_volume(&stream, &numbers, shape, order, flags).unwrap();
            assert_eq!(array.query_descriptor().unwrap().flags, flags);
            // Memory is not turned around, and its first index is x in both orders.
            let found = sampled(&array, kernel, [width, height, depth]);
            let first: Vec<f32> = found.into_iter().map(|[texel, ..]| texel).collect();
            assert_eq!(first, numbers, "{order:?}, {flags:?}");
        }
    }
}

#[test]
fn elements_determine_format_and_channels() {
    fn made<T: ArrayElement + NoUninit>(stream: &Stream, zero: T) -> (ArrayFormat, u32) {
        let array = Array::from_line(stream, &[zero; 3]).unwrap();
        let found = array.query_descriptor().unwrap();
        assert_eq!((found, found.width), (array.descriptor(), 3));
        (found.format, found.channels)
    }
    let stream = cuda_suite::stream();
    assert_eq!(made(&stream, 0_u8), (ArrayFormat::UNSIGNED_INT8, 1));
    assert_eq!(made(&stream, [0_u8; 4]), (ArrayFormat::UNSIGNED_INT8, 4));
    assert_eq!(made(&stream, [0_u16; 2]), (ArrayFormat::UNSIGNED_INT16, 2));
    assert_eq!(made(&stream, 0_u32), (ArrayFormat::UNSIGNED_INT32, 1));
    assert_eq!(made(&stream, 0_i8), (ArrayFormat::SIGNED_INT8, 1));
    assert_eq!(made(&stream, [0_i16; 4]), (ArrayFormat::SIGNED_INT16, 4));
    assert_eq!(made(&stream, [0_i32; 2]), (ArrayFormat::SIGNED_INT32, 2));
    assert_eq!(made(&stream, [0_f32; 4]), (ArrayFormat::FLOAT, 4));
}

#[test]
fn arrays_of_device_memory() {
    let (stream, other) = (cuda_suite::stream(), cuda_suite::stream());
    for descriptor in shapes([5, 4, 3], ArrayFormat::FLOAT, 2) {
        let (_, count) = units(&descriptor);
        let numbers: Vec<[f32; 2]> = (0..count).map(|index| [index as f32, -(index as f32)]).collect();
        let on_device = DeviceBuf::from_host(&other, &numbers).unwrap();
        let array = Array::from_device(&stream, descriptor, on_device.as_slice()).unwrap();
        drop(on_device);
        assert_eq!(array.to_vec::<[f32; 2]>().unwrap(), numbers, "{descriptor:?}");
    }
}
