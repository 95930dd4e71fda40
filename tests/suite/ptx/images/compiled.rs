//! Kernels that NVIDIA's compiler made of CUDA C with `tex2D` and its like.

use super::model::{Edge, Model};
use super::*;

const PTX: &str = include_str!("../../../kernels/textures.ptx");

fn clamped<'a>(values: &'a [f32], size: [usize; 3], dimensions: usize) -> Model<'a> {
    let (edge, border) = (Edge::Clamp, 0.0);
    Model { values, size, dimensions, edge, linear: true, normalized: false, border }
}

#[test]
fn fetches() {
    const THREADS: usize = 32;
    let values = patterned(16 * 8 * 3);
    let bytes = |count: usize| float_bytes(&values[..count]);
    let linear_reading = reading(CLAMP, LINEAR, 0);
    let line = Array::with(descriptor([16, 0, 0], FLOAT, 1, 0), &bytes(16));
    let plane = Array::with(descriptor([16, 8, 0], FLOAT, 1, CUDA_ARRAY3D_TEXTURE_GATHER), &bytes(128));
    let space = Array::with(descriptor([8, 4, 4], FLOAT, 1, 0), &bytes(128));
    let layers = Array::with(descriptor([16, 8, 3], FLOAT, 1, CUDA_ARRAY3D_LAYERED), &bytes(384));
    let pyramid = Mipmapped::new(descriptor([16, 16, 0], FLOAT, 1, 0), 4);
    for level in 0..4 {
        let array = pyramid.level(level);
        let texels = array.extent().iter().product::<usize>() / 4;
        array.write(&float_bytes(&vec![10.0 * level as f32; texels]));
    }
    let faces: Vec<f32> = (0..6 * 64).map(|index| (index / 64 * 10) as f32).collect();
    let cube = Array::with(descriptor([8, 8, 6], FLOAT, 1, CUDA_ARRAY3D_CUBEMAP), &float_bytes(&faces));
    let mut detailed = reading(CLAMP, LINEAR, CU_TRSF_NORMALIZED_COORDINATES);
    detailed.mipmapFilterMode = LINEAR;
    detailed.maxMipmapLevelClamp = 3.0;
    let normalized = reading(CLAMP, POINT, CU_TRSF_NORMALIZED_COORDINATES);

    let mut device = Device::new(PTX);
    let words: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
    let buffer = device.alloc_u32(&words);
    let memory = linear(device.address(buffer), 80, FLOAT, 1);
    let textures = [
        Texture::new(&line.resource(), &linear_reading),
        Texture::new(&plane.resource(), &linear_reading),
        Texture::new(&space.resource(), &linear_reading),
        Texture::new(&layers.resource(), &linear_reading),
        Texture::new(&pyramid.resource(), &detailed),
        Texture::new(&cube.resource(), &normalized),
        Texture::new(&memory, &reading(CLAMP, POINT, 0)),
    ];
    let out = device.alloc(&vec![0; THREADS * 16 * 4]);
    let mut args: Vec<Arg> = textures.iter().map(|texture| Arg::U64(texture.0)).collect();
    args.extend([Arg::Buffer(out), Arg::I32(THREADS as i32)]);
    device.run("fetches", [1, 1, 1], [THREADS as u32, 1, 1], &args);

    let found = device.f32s(out);
    for (index, found) in found.chunks_exact(16).enumerate() {
        let i = index as f32;
        let (x, y, z) = (i * 0.25 + 0.125, i * 0.125 + 0.4375, 0.625);
        let at = [x, y, z];
        let layer = index % 3;
        let flat = clamped(&values, [16, 8, 1], 2);
        let models = [
            clamped(&values, [16, 1, 1], 1),
            flat.clone(),
            clamped(&values, [8, 4, 4], 3),
            clamped(&values[128 * layer..], [16, 8, 1], 2),
        ];
        for (what, (found, model)) in found.iter().zip(models).enumerate() {
            sampled(*found, &model, at, &(index, what));
        }
        close(found[4], 6.25, &index);
        // The longer derivative is 1.25 texels; hardware does not find its logarithm exactly.
        let detail = 10.0 * 1.25_f32.log2();
        assert!((found[5] - detail).abs() < 0.3, "{}, not {detail}", found[5]);
        let (s, t) = (x - 4.0, y - 2.0);
        let face = if s.abs() > t.abs() && s.abs() > 0.65 {
            if s > 0.0 { 0.0 } else { 1.0 }
        } else if t.abs() > 0.65 {
            if t > 0.0 { 2.0 } else { 3.0 }
        } else {
            4.0
        };
        assert_eq!(found[6], 10.0 * face, "towards {s}, {t}");
        assert_eq!(found[7], if index < 20 { values[index] } else { 0.0 });
        let texel = |i: i64, j: i64| values[(j.clamp(0, 7) * 16 + i.clamp(0, 15)) as usize];
        let (i, j) = ((x - 0.5).floor() as i64, (y - 0.5).floor() as i64);
        let around = [texel(i, j + 1), texel(i + 1, j + 1), texel(i + 1, j), texel(i, j)];
        assert_eq!(found[8..12], around, "around {x}, {y}");
        close(found[12], flat.fetch([y, x, 0.0]), &index);
        close(found[13], clamped(&values, [16, 1, 1], 1).fetch(at), &index);
        assert_eq!(found[14], 0.0);
    }
}

#[test]
fn surfaces() {
    let (width, height) = (12_usize, 5_usize);
    let colours: Vec<u8> = (0..width * height * 4).map(|index| (index * 7 + index / 3) as u8).collect();
    let bytes = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8;
    let flags = CUDA_ARRAY3D_SURFACE_LDST;
    let from = Array::with(descriptor([width, height, 0], bytes, 4, flags), &colours);
    let to = Array::with(descriptor([width, height, 0], bytes, 4, flags), &vec![0; colours.len()]);
    let shorts: Vec<u8> = (0..2 * width * height * 4).map(|index| (index * 3 + index / 9) as u8).collect();
    let format = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT16;
    let size = [width, height, 2];
    let layers = Array::with(descriptor(size, format, 2, flags | CUDA_ARRAY3D_LAYERED), &shorts);
    let objects = [Surface::new(&from), Surface::new(&to), Surface::new(&layers)];
    let mut device = Device::new(PTX);
    let mut args: Vec<Arg> = objects.iter().map(|surface| Arg::U64(surface.0)).collect();
    args.extend([Arg::I32(width as i32), Arg::I32(height as i32)]);
    device.run("surfaces", [2, 2, 1], [8, 4, 1], &args);

    let mut expected = vec![0; colours.len()];
    let mut swapped = shorts.clone();
    let layer = width * height * 4;
    for y in 0..height {
        for x in 0..width {
            let at = (y * width + x) * 4;
            let right = (y * width + (x + 1).min(width - 1)) * 4;
            expected[at] = colours[at];
            expected[at + 1] = colours[right + 1];
            expected[at + 2] = if y == 0 { 0 } else { colours[at - 4 * width + 2] };
            expected[at + 3] = colours[at + 3];
            let pair = &shorts[layer + at..layer + at + 4];
            swapped[at..at + 4].copy_from_slice(&[pair[2], pair[3], pair[0], pair[1]]);
        }
    }
    assert!(to.read() == expected);
    assert!(layers.read() == swapped);
}
