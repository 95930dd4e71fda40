//! Copies by tensor maps.

use super::{LOAD_COLUMNS, UNTOUCHED, load, memory, need_tensor_maps, pattern, run};
use crate::alone;
use cuda_rt::DeviceBuf;
use cuda_rt::error::Code;
use cuda_rt::tensor_map::{
    Im2col, Tensor, TensorDataType, TensorFill, TensorInterleave, TensorMap, TensorSwizzle, TiledBox,
};
use cuda_suite::{context, stream};

const STORE: &str = "cp.async.bulk.tensor.{rank}.global.shared::cta.tile.bulk_group {map}, [%s];
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
const ADD: &str = "cp.reduce.async.bulk.tensor.{rank}.global.shared::cta.add.tile.bulk_group {map}, [%s];
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";

/// The bytes at coordinates of a tensor of 16-bit elements, or `None` outside.
fn element<'a>(bytes: &'a [u8], dims: &[u64], strides: &[u64], at: &[i64]) -> Option<&'a [u8]> {
    let is_inside = at.iter().zip(dims).all(|(at, dim)| (0..*dim as i64).contains(at));
    is_inside.then(|| {
        let outer: u64 = at.iter().skip(1).zip(strides).map(|(at, stride)| *at as u64 * stride).sum();
        &bytes[(outer + 2 * at[0] as u64) as usize..][..2]
    })
}

/// Steps through a box: the first dimension fastest.
fn boxed(counts: &[i64], mut visit: impl FnMut(&[i64])) {
    let mut at = vec![0; counts.len()];
    loop {
        visit(&at);
        let Some(index) = (0..counts.len()).find(|index| at[*index] + 1 < counts[*index]) else { return };
        at[index] += 1;
        at[..index].fill(0);
    }
}

#[test]
fn boxes_of_every_rank_hold_their_elements() {
    need_tensor_maps!();
    let dims = [24_u64, 7, 5, 3, 2];
    let strides = [64_u64, 512, 2560, 8192]; // with gaps
    let (context, stream) = (context(), stream());
    let bytes = pattern(16384);
    let tensor = memory(&stream, &bytes);
    let box_dims = [8_u32, 4, 3, 2, 2];
    for rank in 1..=5 {
        for steps in [[1_u32; 5], [1, 2, 3, 1, 2]] {
            for start in
                [[0_i64; 5], [8, 2, 1, 0, 0], [-8, -1, -1, -1, -1], [16, 5, 3, 2, 1], [40, 0, 0, 0, 0]]
            {
                let (dims, strides, start) = (&dims[..rank], &strides[..rank - 1], &start[..rank]);
                let described = Tensor::new(TensorDataType::UINT16, tensor.ptr(), dims, strides);
                let taken = TiledBox { element_strides: &steps[..rank], ..TiledBox::new(&box_dims[..rank]) };
                let map = TensorMap::tiled(&context, &described, &taken).unwrap();
                let counts: Vec<i64> = (0..rank)
                    .map(|index| {
                        i64::from(box_dims[index].div_ceil(if index == 0 { 1 } else { steps[index] }))
                    })
                    .collect();
                let mut expected = Vec::new();
                boxed(&counts, |at| {
                    let at: Vec<i64> = (0..rank)
                        .map(|index| {
                            start[index] + at[index] * if index == 0 { 1 } else { i64::from(steps[index]) }
                        })
                        .collect();
                    expected.extend_from_slice(element(&bytes, dims, strides, &at).unwrap_or(&[0, 0]));
                });
                let start: Vec<i32> = start.iter().map(|start| *start as i32).collect();
                let loaded = load(map, rank, expected.len(), &start);
                assert_eq!(loaded[..expected.len()], expected, "rank {rank}, steps {steps:?}, at {start:?}");
                assert!(loaded[expected.len()..].iter().all(|byte| *byte == UNTOUCHED));
            }
        }
    }
}

#[test]
fn swizzles_exchange_chunks_of_16_bytes() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let bytes = pattern(4096);
    let tensor = memory(&stream, &bytes);
    let swizzles =
        [TensorSwizzle::NONE, TensorSwizzle::SPAN_32, TensorSwizzle::SPAN_64, TensorSwizzle::SPAN_128];
    for (bits, swizzle) in (0..).zip(swizzles) {
        let span = swizzle.span_bytes().map_or(16, |span| span as usize);
        for row in (16..=span).step_by(16) {
            let plain = Tensor::new(TensorDataType::UINT8, tensor.ptr(), &[128, 16], &[256]);
            let map =
                TensorMap::tiled(&context, &Tensor { swizzle, ..plain }, &TiledBox::new(&[row as u32, 16]));
            let loaded = load(map.unwrap(), 2, 16 * row, &[0, 0]);
            let mut expected = vec![UNTOUCHED; loaded.len()];
            for (number, start) in
                (0..16).flat_map(|number| (0..row).step_by(16).map(move |start| (number, start)))
            {
                // A shorter row leaves the rest of its span untouched.
                let plain = number * span.max(if bits == 0 { row } else { 0 }) + start;
                let place = plain ^ ((plain >> 7 & ((1 << bits) - 1)) << 4);
                expected[place..place + 16].copy_from_slice(&bytes[number * 256 + start..][..16]);
            }
            assert_eq!(loaded, expected, "{swizzle}, rows of {row} bytes");
        }
    }
}

#[test]
fn elements_outside_are_zeros_or_a_nan() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let tensor = memory(&stream, &pattern(256));
    let floats = [
        (TensorDataType::FLOAT16, 2),
        (TensorDataType::BFLOAT16, 2),
        (TensorDataType::FLOAT32, 4),
        (TensorDataType::TFLOAT32, 4),
        (TensorDataType::FLOAT64, 8),
    ];
    for (data_type, size) in floats {
        for (fill, pair) in [(TensorFill::ZERO, [0, 0]), (TensorFill::NAN, [0xf7, 0x7f])] {
            let plain = Tensor::new(data_type, tensor.ptr(), &[4], &[]);
            let map = TensorMap::tiled(&context, &Tensor { fill, ..plain }, &TiledBox::new(&[16 / size]));
            let loaded = load(map.unwrap(), 1, 16, &[(64 / size) as i32]);
            assert_eq!(loaded[..16], pair.repeat(8), "{data_type}, {fill}");
        }
    }
}

#[test]
fn tf32_is_rounded_to_nearest_even() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let numbers =
        [0x1000_u32, 0x3000, 0x3f80_0fff, 0x3f80_1001, 0x7f7f_ffff, 0xff80_0000, 0x7f80_0001, 0x8000_1800];
    let tensor = DeviceBuf::from_host(&stream, &numbers).unwrap();
    let described = Tensor::new(TensorDataType::TFLOAT32, tensor.ptr(), &[8], &[]);
    let map = TensorMap::tiled(&context, &described, &TiledBox::new(&[8])).unwrap();
    let loaded = load(map, 1, 32, &[0]);
    let rounded: Vec<u32> = loaded[..32].as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let expected = [0, 0x4000, 0x3f80_0000, 0x3f80_2000, 0x7f80_0000, 0xff80_0000, 0x7fff_e000, 0x8000_2000];
    assert_eq!(rounded, expected);
}

#[test]
fn interleaved_boxes_are_slices_of_channels() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let bytes = pattern(16384);
    let tensor = memory(&stream, &bytes);
    let layouts = [
        (TensorInterleave::BYTES_16, TensorSwizzle::NONE, 16_usize),
        (TensorInterleave::BYTES_32, TensorSwizzle::SPAN_32, 32),
    ];
    for (interleave, swizzle, slice) in layouts {
        // Width 10, height 4, 32 channels, 2 images.
        let strides = [10 * slice as u64, 2048, 8192];
        let plain = Tensor::new(TensorDataType::UINT16, tensor.ptr(), &[10, 4, 32, 2], &strides);
        let described = Tensor { interleave, swizzle, ..plain };
        let map = TensorMap::tiled(&context, &described, &TiledBox::new(&[8, 2, 16, 2])).unwrap();
        let loaded = load(map, 4, 32 * slice, &[4, 1, 2, 0]);
        for (number, place) in (0..32).zip((0..32 * slice).step_by(slice)) {
            let (image, row, column) = (number / 16, 1 + number / 8 % 2, 4 + number % 8);
            let from = image * 8192 + 2 * 2048 + row * 10 * slice + column * slice;
            for half in (0..slice).step_by(16) {
                let plain = place + half;
                let swizzled = if slice == 32 { plain ^ ((plain >> 7 & 1) << 4) } else { plain };
                let expected = if column < 10 { &bytes[from + half..][..16] } else { &[0; 16] };
                assert_eq!(&loaded[swizzled..][..16], expected, "{interleave}, slice {number}");
            }
        }
    }
}

#[test]
fn columns_walk_through_the_bounding_box() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    // 8 channels of 16 bits, width 6, height 4, depth 3, 2 images.
    let dims = [8_u64, 6, 4, 3, 2];
    let strides = [16_u64, 96, 384, 1152];
    let bytes = pattern(4096);
    let tensor = memory(&stream, &bytes);
    for rank in 3..=5 {
        let pixels = rank - 2;
        let (dims, strides): (Vec<u64>, Vec<u64>) = (
            [&dims[..rank - 1], &dims[4..]].concat(),
            [&strides[..rank - 2], &strides[rank - 2..rank - 1]].concat(),
        );
        let described = Tensor::new(TensorDataType::UINT16, tensor.ptr(), &dims, &strides);
        for (lower, upper, offsets) in
            [([0; 3], [0; 3], [0_u16; 3]), ([-1; 3], [-1; 3], [2, 1, 0]), ([0, -1, 0], [-2, 1, -1], [1; 3])]
        {
            let columns = Im2col::new(&lower[..pixels], &upper[..pixels], 8, 20);
            let map = TensorMap::im2col(&context, &described, &columns).unwrap();
            let mut at: Vec<i64> = vec![0; rank];
            at[1] = 2;
            let start: Vec<i32> = at.iter().map(|at| *at as i32).collect();
            let loaded = run(LOAD_COLUMNS, rank, map, &[], 320, &start, &offsets);
            let mut expected = Vec::new();
            for _ in 0..20 {
                let mut place = at.clone();
                (0..pixels).for_each(|pixel| place[1 + pixel] += i64::from(offsets[pixel]));
                for channel in 0..8 {
                    place[0] = channel;
                    expected.extend_from_slice(element(&bytes, &dims, &strides, &place).unwrap_or(&[0, 0]));
                }
                for index in 1..rank {
                    at[index] += 1;
                    if index == rank - 1 || at[index] < dims[index] as i64 + i64::from(upper[index - 1]) {
                        break;
                    }
                    at[index] = i64::from(lower[index - 1]);
                }
            }
            assert_eq!(loaded[..320], expected, "rank {rank}, {columns:?}, offsets {offsets:?}");
        }
    }
}

#[test]
fn stores_and_reductions_write_the_box() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let before: Vec<u32> = (0..256).map(|number| number * 1000).collect();
    let values: Vec<u32> = (1..=32).collect();
    let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    for (copy, adds) in [(STORE, false), (ADD, true)] {
        let tensor = DeviceBuf::from_host(&stream, &before).unwrap();
        let described = Tensor::new(TensorDataType::UINT32, tensor.ptr(), &[16, 16], &[64]);
        let map = TensorMap::tiled(&context, &described, &TiledBox::new(&[8, 4])).unwrap();
        stream.synchronize().unwrap();
        // The last two rows of the box are outside.
        run(copy, 2, map, &values, 0, &[4, 14], &[]);
        let after = tensor.to_vec().unwrap();
        let mut expected = before.clone();
        for (row, column) in (0..2).flat_map(|row| (0..8).map(move |column| (row, column))) {
            let place = &mut expected[(14 + row) * 16 + 4 + column];
            let value = (row * 8 + column + 1) as u32;
            *place = if adds { *place + value } else { value };
        }
        assert_eq!(after, expected, "adds: {adds}");
    }
}

#[test]
fn stores_fill_the_last_16_bytes_of_a_row() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let tensor = memory(&stream, &[0; 64]);
    let described = Tensor::new(TensorDataType::UINT8, tensor.ptr(), &[33], &[]);
    let map = TensorMap::tiled(&context, &described, &TiledBox::new(&[64])).unwrap();
    stream.synchronize().unwrap();
    run(STORE, 1, map, &[7; 64], 0, &[0], &[]);
    let expected = [vec![7; 48], vec![0; 16]].concat();
    assert_eq!(tensor.to_vec().unwrap(), expected); // 15 bytes beyond the 33 of the tensor
}

#[test]
fn prefetches_change_nothing() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let tensor = memory(&stream, &pattern(256));
    let described = Tensor::new(TensorDataType::UINT8, tensor.ptr(), &[256], &[]);
    let map = TensorMap::tiled(&context, &described, &TiledBox::new(&[64])).unwrap();
    let prefetch = "cp.async.bulk.prefetch.tensor.{rank}.L2.global.tile {map};";
    assert!(run(prefetch, 1, map, &[], 0, &[-64], &[]).iter().all(|byte| *byte == UNTOUCHED));
}

/// A copy that cannot be made fails the kernel.
fn fails(map: TensorMap, rank: usize, at: &[i32]) -> Code {
    let (context, stream) = (context(), stream());
    let (input, out) =
        (DeviceBuf::<u8>::zeroed(&stream, 4096).unwrap(), DeviceBuf::<u8>::zeroed(&stream, 4096).unwrap());
    let mut all = [0; 5];
    all.iter_mut().zip(at).for_each(|(place, number)| *place = *number);
    let kernel = super::kernel(&context, super::LOAD, rank);
    let args = (map, input.ptr(), out.ptr(), 0, all, [0; 3]);
    // SAFETY: one thread reads `input` and writes `out`; the copy is refused.
    unsafe { kernel.launch(cuda_rt::LaunchConfig::new(1, 1), &stream, args) }.unwrap();
    let code = stream.synchronize().unwrap_err().code().unwrap();
    // They cannot be freed any more.
    Box::leak(Box::new((input, out, kernel)));
    code
}

#[test]
fn copy_at_an_unaligned_coordinate_fails() {
    need_tensor_maps!();
    alone("tensor_maps::copies::copy_at_an_unaligned_coordinate_fails", || {
        let tensor = Box::leak(Box::new(memory(&stream(), &pattern(256))));
        let described = Tensor::new(TensorDataType::UINT8, tensor.ptr(), &[256], &[]);
        let map = TensorMap::tiled(&context(), &described, &TiledBox::new(&[64])).unwrap();
        assert_eq!(fails(map, 1, &[8]), Code::IllegalInstruction);
    });
}

#[test]
fn copy_of_another_rank_fails() {
    need_tensor_maps!();
    alone("tensor_maps::copies::copy_of_another_rank_fails", || {
        let tensor = Box::leak(Box::new(memory(&stream(), &pattern(256))));
        let described = Tensor::new(TensorDataType::UINT8, tensor.ptr(), &[256], &[]);
        let map = TensorMap::tiled(&context(), &described, &TiledBox::new(&[64])).unwrap();
        assert_eq!(fails(map, 2, &[0, 0]), Code::IllegalInstruction);
    });
}
