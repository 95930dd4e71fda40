//! Every address mode and filter, in every geometry, against the model.

use super::super::operation::numbers;
use super::model::{Edge, Model};
use super::*;

const NORMALIZED: u32 = CU_TRSF_NORMALIZED_COORDINATES;

/// Coordinates in and around the image: eighths of texels, never on a boundary between two.
fn coordinates(size: [usize; 3], normalized: bool, seed: u64) -> Vec<[f32; 3]> {
    let random = numbers(3 * 160, seed);
    random
        .chunks_exact(3)
        .map(|part| {
            let mut at = [0.0; 3];
            for (dimension, at) in at.iter_mut().enumerate() {
                let size = size[dimension].max(1);
                // From two sizes before the image to three after it.
                let eighths = (part[dimension] >> 16) as usize % (5 * size * 4);
                let along = (2 * eighths + 1) as f32 / 8.0 - 2.0 * size as f32;
                *at = if normalized { along / size as f32 } else { along };
            }
            at
        })
        .collect()
}

/// Compares what a texture gives with the model, for all modes.
fn check(size: [usize; 3], instruction: &str, rest: &str) {
    let dimensions = size.iter().filter(|size| **size > 0).count();
    let values = patterned(size.iter().map(|size| (*size).max(1)).product());
    let array = Array::with(descriptor(size, FLOAT, 1, 0), &float_bytes(&values));
    let mut threads = Threads::sampling(instruction, rest);
    for edge in Edge::ALL {
        for (filter, flags) in [(POINT, 0), (POINT, NORMALIZED), (LINEAR, 0), (LINEAR, NORMALIZED)] {
            let mut reading = reading(edge.mode(), filter, flags);
            reading.borderColor = [100.5, 0.0, 0.0, 0.0];
            let texture = Texture::new(&array.resource(), &reading);
            let normalized = flags == NORMALIZED;
            let model = Model {
                values: &values,
                size: size.map(|size| size.max(1)),
                dimensions,
                edge,
                linear: filter == LINEAR,
                normalized,
                border: 100.5,
            };
            let at = coordinates(size, normalized, 7);
            for (at, found) in at.iter().zip(threads.numbers(texture.0, &at)) {
                sampled(found, &model, *at, &(edge, filter, flags, at));
            }
        }
    }
}

#[test]
fn one_dimension() {
    check([16, 0, 0], "tex.1d.v4.f32.f32", "[%d0, {%f0}]");
}

#[test]
fn two_dimensions() {
    check([16, 8, 0], "tex.2d.v4.f32.f32", "[%d0, {%f0, %f1}]");
}

#[test]
fn three_dimensions() {
    check([8, 4, 4], "tex.3d.v4.f32.f32", "[%d0, {%f0, %f1, %f2, %f2}]");
}

#[test]
fn the_base_level_is_the_only_one() {
    check([8, 8, 0], "tex.base.2d.v4.f32.f32", "[%d0, {%f0, %f1, %f1, %f1}]");
    check([8, 8, 0], "tex.level.2d.v4.f32.f32", "[%d0, {%f0, %f1}], 0f00000000");
}

#[test]
fn weights_have_eight_bits_of_fraction() {
    let array = Array::with(descriptor([2, 0, 0], FLOAT, 1, 0), &float_bytes(&[0.0, 256.0]));
    let texture = Texture::new(&array.resource(), &reading(CLAMP, LINEAR, 0));
    let mut threads = Threads::sampling("tex.1d.v4.f32.f32", "[%d0, {%f0}]");
    let at: Vec<[f32; 3]> = (1..1000).map(|index| [0.5 + index as f32 / 1000.0, 0.0, 0.0]).collect();
    for (at, found) in at.iter().zip(threads.numbers(texture.0, &at)) {
        assert_eq!(found, found.round(), "at {at:?}");
        assert!((found - (at[0] - 0.5) * 256.0).abs() <= 1.0, "at {at:?}: {found}");
    }
}

#[test]
fn a_predicate_tells_that_memory_is_there() {
    let array = Array::with(descriptor([4, 4, 0], FLOAT, 1, 0), &float_bytes(&patterned(16)));
    let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
    let mut threads =
        Threads::new("tex.2d.v4.f32.f32 {%x0, _, _, _}|%q1, [%d0, {%f0, %f1}]; selp.b32 %x1, 1, 0, %q1;");
    let found = threads.run(texture.0, &[[1.5_f32.to_bits(), 2.5_f32.to_bits(), 0, 0, 0, 0, 0, 0]]);
    assert_eq!(found[0][..2], [patterned(16)[9].to_bits(), 1]);
}

#[test]
fn lanes_sample_different_textures() {
    let arrays: Vec<Array> = (0..2_u8)
        .map(|index| Array::with(descriptor([4, 0, 0], FLOAT, 1, 0), &float_bytes(&[f32::from(index); 4])))
        .collect();
    let textures: Vec<Texture> =
        arrays.iter().map(|array| Texture::new(&array.resource(), &reading(CLAMP, POINT, 0))).collect();
    // The handle comes as two words.
    let mut threads =
        Threads::new("mov.b64 %d4, {%r0, %r1}; tex.1d.v4.f32.f32 {%x0, _, _, _}, [%d4, {%f2}];");
    let inputs: Vec<Input> = (0..64)
        .map(|lane| {
            let handle = textures[lane % 2].0;
            [handle as u32, (handle >> 32) as u32, 1.5_f32.to_bits(), 0, 0, 0, 0, 0]
        })
        .collect();
    for (lane, [found, ..]) in threads.run(0, &inputs).into_iter().enumerate() {
        assert_eq!(f32::from_bits(found), (lane % 2) as f32);
    }
}

#[test]
fn layers() {
    let (width, height, count) = (8, 4, 3);
    let values = patterned(width * height * count);
    let bytes = float_bytes(&values);
    let flat = Array::with(descriptor([width, height, count], FLOAT, 1, CUDA_ARRAY3D_LAYERED), &bytes);
    let lines = Array::with(descriptor([width * height, 0, count], FLOAT, 1, CUDA_ARRAY3D_LAYERED), &bytes);
    let mut planes = Threads::sampling("tex.a2d.v4.f32.f32", "[%d0, {%r3, %f0, %f1, %f1}]");
    let mut rows = Threads::sampling("tex.a1d.v4.f32.f32", "[%d0, {%r3, %f0}]");
    for filter in [POINT, LINEAR] {
        for layer in 0..count {
            let part = &values[layer * width * height..(layer + 1) * width * height];
            let model = |size, dimensions| Model {
                values: part,
                size,
                dimensions,
                edge: Edge::Clamp,
                linear: filter == LINEAR,
                normalized: false,
                border: 0.0,
            };
            let cases = [
                (&flat, &mut planes, model([width, height, 1], 2)),
                (&lines, &mut rows, model([width * height, 1, 1], 1)),
            ];
            for (array, threads, model) in cases {
                let texture = Texture::new(&array.resource(), &reading(CLAMP, filter, 0));
                let at = coordinates(model.size, false, 3);
                let inputs: Vec<Input> = at
                    .iter()
                    .map(|[x, y, _]| [x.to_bits(), y.to_bits(), 0, layer as u32, 0, 0, 0, 0])
                    .collect();
                for (at, found) in at.iter().zip(threads.run(texture.0, &inputs)) {
                    close(f32::from_bits(found[0]), model.fetch(*at), &(filter, layer, at));
                }
            }
        }
    }
}

#[test]
fn whole_coordinates_name_texels() {
    let values = patterned(8 * 4);
    let array = Array::with(descriptor([8, 4, 0], FLOAT, 1, 0), &float_bytes(&values));
    let mut threads = Threads::sampling("tex.2d.v4.f32.s32", "[%d0, {%r0, %r1}]");
    let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
    let inputs: Vec<Input> = (0..32).map(|index| [index % 8, index / 8, 0, 0, 0, 0, 0, 0]).collect();
    for (index, found) in threads.run(texture.0, &inputs).into_iter().enumerate() {
        assert_eq!(f32::from_bits(found[0]), values[index]);
    }
}

#[test]
fn linear_memory_ends_in_zeros() {
    let mut threads = Threads::sampling("tex.1d.v4.u32.s32", "[%d0, {%r0}]");
    let words: Vec<u32> = (0..256).map(|index| index * 3 + 1).collect();
    let buffer = threads.device.alloc_u32(&words);
    let address = threads.device.address(buffer);
    let format = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT32;
    // Only the first hundred words are the texture's.
    let texture = Texture::new(&linear(address, 400, format, 1), &reading(CLAMP, POINT, 0));
    let at = [0, 1, 63, 99, 100, 101, 255, 1 << 20, u32::MAX, 1 << 31];
    let inputs: Vec<Input> = at.iter().map(|at| [*at, 0, 0, 0, 0, 0, 0, 0]).collect();
    for (at, found) in at.iter().zip(threads.run(texture.0, &inputs)) {
        assert_eq!(found[0], if *at < 100 { at * 3 + 1 } else { 0 }, "{at}");
    }
}

#[test]
fn pitched_memory() {
    let (width, height, pitch) = (16, 6, 96);
    let mut threads = Threads::sampling("tex.2d.v4.f32.f32", "[%d0, {%f0, %f1}]");
    let values = patterned(width * height);
    let mut padded = vec![-1.0_f32; pitch / 4 * height];
    for row in 0..height {
        padded[row * pitch / 4..row * pitch / 4 + width]
            .copy_from_slice(&values[row * width..(row + 1) * width]);
    }
    let bits: Vec<u32> = padded.iter().map(|value| value.to_bits()).collect();
    let buffer = threads.device.alloc_u32(&bits);
    let resource = pitched(threads.device.address(buffer), [width, height, pitch], FLOAT, 1);
    for filter in [POINT, LINEAR] {
        let texture = Texture::new(&resource, &reading(CLAMP, filter, 0));
        let model = Model {
            values: &values,
            size: [width, height, 1],
            dimensions: 2,
            edge: Edge::Clamp,
            linear: filter == LINEAR,
            normalized: false,
            border: 0.0,
        };
        let at = coordinates([width, height, 1], false, 5);
        for (at, found) in at.iter().zip(threads.numbers(texture.0, &at)) {
            close(found, model.fetch(*at), &(filter, at));
        }
    }
}

/// Measured: texels of a line by number are those of plain memory, and texels by coordinate those of arrays; else, and
/// of no object at all, zeros are read.
#[test]
fn lines_the_other_way_round() {
    let array = Array::with(descriptor([4, 0, 0], FLOAT, 1, 0), &float_bytes(&[1.0, 2.0, 3.0, 4.0]));
    let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
    let mut by_number = Threads::sampling("tex.1d.v4.f32.s32", "[%d0, {%r0}]");
    assert_eq!(by_number.run(texture.0, &[[2, 0, 0, 0, 0, 0, 0, 0]])[0], [0; 4]);
    let mut by_coordinate = Threads::sampling("tex.1d.v4.f32.f32", "[%d0, {%f0}]");
    let buffer = by_coordinate.device.alloc_u32(&[1.0_f32.to_bits(); 16]);
    let memory = linear(by_coordinate.device.address(buffer), 64, FLOAT, 1);
    let texture = Texture::new(&memory, &reading(CLAMP, POINT, 0));
    assert_eq!(by_coordinate.numbers(texture.0, &[[2.5, 0.0, 0.0]]), [0.0]);
    assert_eq!(by_coordinate.numbers(0, &[[2.5, 0.0, 0.0]]), [0.0]);
}

/// Measured.
#[test]
fn coordinates_without_a_place() {
    let values: Vec<f32> = (0..16_u8).map(f32::from).collect();
    let array = Array::with(descriptor([16, 0, 0], FLOAT, 1, 0), &float_bytes(&values));
    let mut threads = Threads::sampling("tex.1d.v4.f32.f32", "[%d0, {%f0}]");
    let at = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -0.0].map(|x| [x, 0.0, 0.0]);
    for (mode, filter, expected) in [
        (WRAP, POINT, [0.0; 5]),
        // Between the last and the first.
        (WRAP, LINEAR, [7.5; 5]),
        (CLAMP, POINT, [0.0, 15.0, 0.0, 15.0, 0.0]),
        (CLAMP, LINEAR, [0.0, 15.0, 0.0, 15.0, 0.0]),
        (MIRROR, POINT, [0.0; 5]),
        (MIRROR, LINEAR, [0.0; 5]),
    ] {
        let texture = Texture::new(&array.resource(), &reading(mode, filter, NORMALIZED));
        assert_eq!(threads.numbers(texture.0, &at), expected, "{mode:?} {filter:?}");
    }
}

/// Measured: the border has the channels of the image; integers of 32 bits are its bits.
#[test]
fn borders() {
    for (format, channels, expected) in [
        (FLOAT, 1, [1.5, 0.0, 0.0, 0.0]),
        (FLOAT, 2, [1.5, 2.0, 0.0, 0.0]),
        (CUarray_format::CU_AD_FORMAT_SIGNED_INT32, 4, [1.5, 2.0, -3.0, 4.0]),
    ] {
        let array = Array::new(descriptor([2, 0, 0], format, channels, 0));
        let mut reading = reading(BORDER, POINT, 0);
        reading.borderColor = [1.5, 2.0, -3.0, 4.0];
        let texture = Texture::new(&array.resource(), &reading);
        let mut threads = Threads::sampling("tex.1d.v4.u32.f32", "[%d0, {%f0}]");
        let found = threads.run(texture.0, &[[9.5_f32.to_bits(), 0, 0, 0, 0, 0, 0, 0]]);
        assert_eq!(found[0], expected.map(f32::to_bits), "{format:?} x{channels}");
    }
}

#[test]
fn offsets_count_texels() {
    let values = patterned(8 * 8);
    let array = Array::with(descriptor([8, 8, 0], FLOAT, 1, 0), &float_bytes(&values));
    let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
    let mut threads = Threads::sampling("tex.2d.v4.f32.f32", "[%d0, {%f0, %f1}], {2, -1}");
    let found = threads.numbers(texture.0, &[[3.5, 4.5, 0.0], [7.5, 0.5, 0.0]]);
    assert_eq!(found, [values[3 * 8 + 5], values[7]]);
}

#[test]
fn gathering_goes_around() {
    let values = patterned(8 * 8 * 4);
    let array =
        Array::with(descriptor([8, 8, 0], FLOAT, 4, CUDA_ARRAY3D_TEXTURE_GATHER), &float_bytes(&values));
    let texture = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
    for (channel, word) in ["r", "g", "b", "a"].into_iter().enumerate() {
        let mut threads = Threads::sampling(&format!("tld4.{word}.2d.v4.f32.f32"), "[%d0, {%f0, %f1}]");
        let at = [[2.75_f32, 5.25_f32], [0.125, 0.125], [7.875, 3.0]];
        let inputs: Vec<Input> =
            at.iter().map(|[x, y]| [x.to_bits(), y.to_bits(), 0, 0, 0, 0, 0, 0]).collect();
        for ([x, y], found) in at.iter().zip(threads.run(texture.0, &inputs)) {
            let texel = |i: i32, j: i32| {
                let (i, j) = (i.clamp(0, 7) as usize, j.clamp(0, 7) as usize);
                values[(j * 8 + i) * 4 + channel]
            };
            let (i, j) = ((x - 0.5).floor() as i32, (y - 0.5).floor() as i32);
            let expected = [texel(i, j + 1), texel(i + 1, j + 1), texel(i + 1, j), texel(i, j)];
            assert_eq!(found.map(f32::from_bits), expected, "{word} at {x}, {y}");
        }
    }
}

/// Measured: the weights of a cell's texels are 256ths that are shared out, and not products that are rounded. Here they
/// differ.
#[test]
fn texels_of_a_cell_share_a_whole() {
    let values: Vec<f32> =
        (0..8).flat_map(|texel| (0..8).map(move |wanted| f32::from(u8::from(texel == wanted)))).collect();
    let halves: Vec<Array> = [0, 4]
        .map(|first| {
            let part: Vec<f32> =
                values.chunks(8).flat_map(|texel| texel[first..first + 4].iter().copied()).collect();
            Array::with(descriptor([2, 2, 2], FLOAT, 4, 0), &float_bytes(&part))
        })
        .into();
    let mut threads = Threads::sampling("tex.3d.v4.f32.f32", "[%d0, {%f0, %f1, %f2, %f2}]");
    for (at, expected) in [
        ([160, 96, 32], [53, 87, 31, 53, 8, 12, 4, 8]),
        ([212, 131, 127], [11, 52, 11, 55, 11, 51, 11, 54]),
        ([133, 12, 71], [85, 91, 4, 5, 32, 35, 2, 2]),
        ([31, 29, 183], [57, 8, 7, 1, 143, 20, 18, 2]),
        ([193, 128, 197], [8, 22, 7, 22, 24, 74, 24, 75]),
    ] {
        let input = at.map(|weight: u8| (0.5 + f32::from(weight) / 256.0).to_bits());
        let mut found = Vec::new();
        for half in &halves {
            let texture = Texture::new(&half.resource(), &reading(CLAMP, LINEAR, 0));
            found.extend(threads.run(texture.0, &[[input[0], input[1], input[2], 0, 0, 0, 0, 0]])[0]);
        }
        let found: Vec<f32> = found.into_iter().map(|bits| f32::from_bits(bits) * 256.0).collect();
        assert_eq!(found, expected.map(|weight: u8| f32::from(weight)), "{at:?}");
    }
}

/// Measured: a texel number outside of the image reads zeros, whatever the mode. A coordinate that is not a number does not read
/// the border.
#[test]
fn numbers_that_no_texel_has() {
    let values: Vec<f32> = (1..17_u8).map(f32::from).collect();
    let array = Array::with(descriptor([4, 4, 0], FLOAT, 1, 0), &float_bytes(&values));
    let mut by_number = Threads::sampling("tex.2d.v4.f32.s32", "[%d0, {%r0, 1}]");
    let mut threads = Threads::sampling("tex.2d.v4.f32.f32", "[%d0, {%f0, %f1}]");
    for mode in [WRAP, CLAMP, MIRROR, BORDER] {
        let mut reading = reading(mode, POINT, 0);
        reading.borderColor = [9.0; 4];
        let texture = Texture::new(&array.resource(), &reading);
        let inputs = [-1_i32, 4, 100, 2].map(|x| [x.cast_unsigned(), 0, 0, 0, 0, 0, 0, 0]);
        let found = by_number.run(texture.0, &inputs).into_iter().map(|[x, ..]| f32::from_bits(x));
        assert_eq!(found.collect::<Vec<_>>(), [0.0, 0.0, 0.0, 7.0], "{mode:?}");
        assert_eq!(threads.numbers(texture.0, &[[f32::NAN, 1.5, 0.0]]), [5.0], "{mode:?}");
    }
}
