//! Textures of linear and of pitched memory, texture gathers, and texture references.

use super::inputs::{around, directions, numbered};
use super::texels::{Texels, basic, some};
use super::*;

#[test]
fn linear_textures_match_hardware() {
    const COUNT: usize = 300;
    let mut sweep = Sweep::new("linear");
    let inputs = numbered([COUNT, 0, 0], 1, 31);
    let mut probe = Probe::new("tex.1d.v4.f32.s32 {%x0, %x1, %x2, %x3}, [%d0, {%r0}];", &inputs, &inputs);
    for texels in basic() {
        let bytes = texels.random(COUNT, 37);
        let buffer = probe.threads.device.alloc(&bytes);
        let address = probe.threads.device.address(buffer);
        let resource = linear(address, bytes.len(), texels.format, texels.channels);
        sweep.row(&texels.name());
        for (name, reading) in readings(&texels) {
            sweep.found(name, probe.sample(&resource, &reading));
        }
    }
    sweep.finish();
}

const SIZE: [usize; 3] = [13, 7, 0];
const PITCH: usize = 256;

/// Returns rows of random texels at a pitch of `PITCH` bytes. The bytes between rows are 0x5a.
fn rows(texels: &Texels) -> Vec<u8> {
    let row = SIZE[0] * texels.bytes();
    let mut bytes = vec![0x5a; PITCH * SIZE[1]];
    for (row, texels) in bytes.chunks_mut(PITCH).zip(texels.random(SIZE[0] * SIZE[1], 41).chunks(row)) {
        row[..texels.len()].copy_from_slice(texels);
    }
    bytes
}

#[test]
fn pitched_textures_match_hardware() {
    let mut sweep = Sweep::new("pitched");
    let [texel, normalized] = [false, true].map(|normalized| around(SIZE, 1, normalized, 43));
    let mut probe =
        Probe::new("tex.2d.v4.f32.f32 {%x0, %x1, %x2, %x3}, [%d0, {%f0, %f1}];", &texel, &normalized);
    for texels in basic() {
        let buffer = probe.threads.device.alloc(&rows(&texels));
        let address = probe.threads.device.address(buffer);
        let resource = pitched(address, [SIZE[0], SIZE[1], PITCH], texels.format, texels.channels);
        sweep.row(&texels.name());
        for (name, reading) in readings(&texels) {
            sweep.found(name, probe.sample(&resource, &reading));
        }
    }
    sweep.finish();
}

#[test]
fn texture_gathers_match_hardware() {
    let mut sweep = Sweep::new("gather");
    let cube = CUDA_ARRAY3D_CUBEMAP;
    let layered = CUDA_ARRAY3D_LAYERED;
    for (word, size, flags, coordinates) in [
        ("2d", [13, 7, 0], CUDA_ARRAY3D_TEXTURE_GATHER, "{%f0, %f1}"),
        ("a2d", [9, 8, 3], layered, "{%r3, %f0, %f1, %f1}"),
        ("cube", [6, 6, 6], cube, "{%f0, %f1, %f2, %f2}"),
        ("acube", [5, 5, 12], cube | layered, "{%r3, %f0, %f1, %f2}"),
    ] {
        let inputs = [false, true].map(|normalized| {
            if flags & cube != 0 { directions(2, false, 3) } else { around(size, 3, normalized, 47) }
        });
        for component in ["r", "g", "b", "a"] {
            let body =
                format!("tld4.{component}.{word}.v4.f32.f32 {{%x0, %x1, %x2, %x3}}, [%d0, {coordinates}];");
            let mut probe = Probe::new(&body, &inputs[0], &inputs[1]);
            for texels in some() {
                let count = size.iter().map(|size| (*size).max(1)).product();
                let array = Array::with(
                    descriptor(size, texels.format, texels.channels, flags),
                    &texels.random(count, 53),
                );
                sweep.row(&format!("{word} {component} {}", texels.name()));
                for (name, reading) in readings(&texels) {
                    sweep.found(name, probe.sample(&array.resource(), &reading));
                }
            }
        }
    }
    sweep.finish();
}

/// Sets the address modes, filter mode, flags and border colour of a texture reference. Binds
/// nothing to it.
fn set(reference: CUtexref, reading: &CUDA_TEXTURE_DESC) {
    for (dimension, mode) in (0..).zip(reading.addressMode) {
        must!(cuTexRefSetAddressMode(reference, dimension, mode));
    }
    must!(cuTexRefSetFilterMode(reference, reading.filterMode));
    must!(cuTexRefSetFlags(reference, reading.flags));
    let mut border = reading.borderColor;
    must!(cuTexRefSetBorderColor(reference, border.as_mut_ptr()));
}

#[test]
fn array_references_match_hardware() {
    let mut sweep = Sweep::new("references");
    for (word, size, coordinates) in
        [("1d", [37, 0, 0], "{%f0}"), ("2d", SIZE, "{%f0, %f1}"), ("3d", [7, 6, 5], "{%f0, %f1, %f2, %f2}")]
    {
        let body = format!("tex.{word}.v4.f32.f32 {{%x0, %x1, %x2, %x3}}, [t, {coordinates}];");
        let [texel, normalized] = [false, true].map(|normalized| around(size, 1, normalized, 59));
        let mut probe = Probe::new(&body, &texel, &normalized);
        let reference = probe.threads.texture_reference();
        for texels in some() {
            let count = size.iter().map(|size| (*size).max(1)).product();
            let array =
                Array::with(descriptor(size, texels.format, texels.channels, 0), &texels.random(count, 61));
            sweep.row(&format!("{word} {}", texels.name()));
            for (name, reading) in readings(&texels) {
                set(reference, &reading);
                must!(cuTexRefSetArray(reference, array.handle, CU_TRSA_OVERRIDE_FORMAT));
                sweep.found(name, Found::Words(probe.run(0, reading.flags & NORMALIZED != 0, 4)));
            }
        }
    }
    sweep.finish();
}

#[test]
fn pitched_references_match_hardware() {
    let mut sweep = Sweep::new("reference-rows");
    let [texel, normalized] = [false, true].map(|normalized| around(SIZE, 1, normalized, 67));
    let mut probe =
        Probe::new("tex.2d.v4.f32.f32 {%x0, %x1, %x2, %x3}, [t, {%f0, %f1}];", &texel, &normalized);
    let reference = probe.threads.texture_reference();
    for texels in some() {
        let buffer = probe.threads.device.alloc(&rows(&texels));
        let address = probe.threads.device.address(buffer);
        let shape = CUDA_ARRAY_DESCRIPTOR {
            Width: SIZE[0],
            Height: SIZE[1],
            Format: texels.format,
            NumChannels: texels.channels,
        };
        sweep.row(&texels.name());
        for (name, reading) in readings(&texels) {
            set(reference, &reading);
            must!(cuTexRefSetAddress2D_v3(reference, &raw const shape, address, PITCH));
            sweep.found(name, Found::Words(probe.run(0, reading.flags & NORMALIZED != 0, 4)));
        }
    }
    sweep.finish();
}
