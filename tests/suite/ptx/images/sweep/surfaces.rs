//! Surfaces: loads, stores and reductions, and sizes of images.

use super::inputs::Random;
use super::texels::{Texels, basic, fractions};
use super::*;

struct Geometry {
    word: &'static str,
    size: [usize; 3],
    flags: u32,
    coordinates: &'static str,
}

const STORED: u32 = CUDA_ARRAY3D_SURFACE_LDST;
const LAYERED: u32 = CUDA_ARRAY3D_LAYERED;
const CUBE: u32 = CUDA_ARRAY3D_CUBEMAP;

const GEOMETRIES: [Geometry; 7] = [
    Geometry { word: "1d", size: [37, 0, 0], flags: 0, coordinates: "{%r0}" },
    Geometry { word: "2d", size: [13, 7, 0], flags: 0, coordinates: "{%r0, %r1}" },
    Geometry { word: "3d", size: [7, 6, 5], flags: 0, coordinates: "{%r0, %r1, %r2, %r2}" },
    Geometry { word: "a1d", size: [21, 0, 4], flags: LAYERED, coordinates: "{%r2, %r0}" },
    Geometry { word: "a2d", size: [9, 8, 3], flags: LAYERED, coordinates: "{%r2, %r0, %r1, %r1}" },
    Geometry { word: "a2d", size: [6, 6, 6], flags: CUBE, coordinates: "{%r2, %r0, %r1, %r1}" },
    Geometry { word: "a2d", size: [5, 5, 12], flags: CUBE | LAYERED, coordinates: "{%r2, %r0, %r1, %r1}" },
];

/// The type of an access and what registers it has.
const WIDTHS: [(&str, usize); 9] = [
    ("b8", 1),
    ("b16", 2),
    ("b32", 4),
    ("b64", 8),
    ("v2.b8", 2),
    ("v4.b16", 8),
    ("v2.b32", 8),
    ("v4.b32", 16),
    ("v2.b64", 16),
];

/// The registers of an access, and how they become words or come from words.
fn registers(width: &str) -> (&'static str, &'static str, &'static str) {
    match width {
        "b8" | "b16" => ("%h0", "cvt.u32.u16 %x0, %h0;", "cvt.u16.u32 %h0, %r4;"),
        "b32" => ("%x0", "", "mov.b32 %x0, %r4;"),
        "b64" => ("%d4", "mov.b64 {%x0, %x1}, %d4;", "mov.b64 %d4, {%r4, %r5};"),
        "v2.b8" => (
            "{%h0, %h1}",
            "cvt.u32.u16 %x0, %h0; cvt.u32.u16 %x1, %h1;",
            "cvt.u16.u32 %h0, %r4; cvt.u16.u32 %h1, %r5;",
        ),
        "v4.b16" => (
            "{%h0, %h1, %h2, %h3}",
            "cvt.u32.u16 %x0, %h0; cvt.u32.u16 %x1, %h1; cvt.u32.u16 %x2, %h2; cvt.u32.u16 %x3, %h3;",
            "cvt.u16.u32 %h0, %r4; cvt.u16.u32 %h1, %r5; cvt.u16.u32 %h2, %r6; cvt.u16.u32 %h3, %r7;",
        ),
        "v2.b32" => ("{%x0, %x1}", "", "mov.b32 %x0, %r4; mov.b32 %x1, %r5;"),
        "v4.b32" => (
            "{%x0, %x1, %x2, %x3}",
            "",
            "mov.b32 %x0, %r4; mov.b32 %x1, %r5; mov.b32 %x2, %r6; mov.b32 %x3, %r7;",
        ),
        _ => (
            "{%d4, %d5}",
            "mov.b64 {%x0, %x1}, %d4; mov.b64 {%x2, %x3}, %d5;",
            "mov.b64 %d4, {%r4, %r5}; mov.b64 %d5, {%r6, %r7};",
        ),
    }
}

impl Geometry {
    fn name(&self) -> String {
        match self.flags {
            CUBE => "cube".to_owned(),
            flags if flags & CUBE != 0 => "acube".to_owned(),
            _ => self.word.to_owned(),
        }
    }

    fn array(&self, texels: &Texels) -> Array {
        let count = self.size.iter().map(|size| (*size).max(1)).product();
        let flags = self.flags | STORED;
        texels.array(self.size, flags, &texels.random(count, 71))
    }

    /// Coordinates in units of so many bytes: aligned to `align`, and only such that `bytes` fit if `inside`.
    fn inputs(&self, row: usize, bytes: usize, align: usize, inside: bool) -> Vec<Input> {
        let mut random = Random::new(73);
        let far = [-100_000_i64, i64::from(i32::MIN), i64::from(i32::MAX) & !15, 65536];
        let fits = (row - bytes) / align;
        (0..SAMPLES)
            .map(|_| {
                let mut input = [0; 8];
                for (dimension, input) in input.iter_mut().enumerate().take(3) {
                    let (most, unit) =
                        if dimension == 0 { (fits, align) } else { (self.size[dimension].max(1) - 1, 1) };
                    let index = if inside || random.below(3) > 0 {
                        random.below(most + 1) as i64
                    } else if random.below(4) == 0 {
                        far[random.below(4)] / unit as i64
                    } else {
                        random.below(most + 9) as i64 - 4
                    };
                    *input = (index * unit as i64) as u32;
                }
                // The same for all threads, since they may meet.
                input[4..].copy_from_slice(&[0x8182_8384, 0x9192_9394, 0xa1a2_a3a4, 0xb1b2_b3b4]);
                input
            })
            .collect()
    }
}

impl Geometry {
    /// Every texel, with a value for each channel.
    fn every(&self, texels: &Texels) -> Vec<Input> {
        let [width, height, depth] = self.size.map(|size| size.max(1));
        let mut random = Random::new(83);
        (0..(width * height * depth).min(1024))
            .map(|index| {
                let at = [index % width, index / width % height, index / width / height];
                let mut input = [0; 8];
                for (input, at) in input.iter_mut().zip(at) {
                    *input = at as u32;
                }
                for value in &mut input[4..] {
                    *value = texels.stored(&mut random);
                }
                input
            })
            .collect()
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|part| part.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))).collect()
}

const OUTSIDE: [&str; 3] = ["trap", "clamp", "zero"];

fn surface(array: &Array) -> Result<Surface, CUresult> {
    let (mut object, resource) = (0, array.resource());
    let answer = driver!(cuSurfObjectCreate(&raw mut object, &raw const resource));
    if answer.is_success() { Ok(Surface(object)) } else { Err(answer) }
}

#[test]
fn loads() {
    let mut sweep = Sweep::new("loads");
    for geometry in &GEOMETRIES {
        let mut probes = BTreeMap::new();
        for texels in basic().iter().filter(|texels| texels.flags == 0) {
            sweep.row(&format!("{} {}", geometry.name(), texels.name()));
            let array = geometry.array(texels);
            for (width, bytes) in WIDTHS {
                let row = geometry.size[0] * texels.bytes();
                if row < bytes {
                    continue;
                }
                for outside in OUTSIDE {
                    let (registers, after, _) = registers(width);
                    let body = format!(
                        "suld.b.{}.{width}.{outside} {registers}, [%d0, {}]; {after}",
                        geometry.word, geometry.coordinates
                    );
                    let inputs = geometry.inputs(row, bytes, bytes, outside == "trap");
                    let found = match surface(&array) {
                        Ok(surface) => {
                            let probe = probes
                                .entry((width, outside))
                                .or_insert_with(|| Probe::new(&body, &inputs, &inputs));
                            probe.give(&inputs[..96]);
                            Found::Words(probe.run(surface.0, false, 4))
                        }
                        Err(code) => Found::Refused(code),
                    };
                    sweep.found(format!("{width} {outside}"), found);
                }
            }
        }
    }
    sweep.finish();
}

#[test]
fn stores() {
    let mut sweep = Sweep::new("stores");
    for geometry in &GEOMETRIES {
        let mut probes = BTreeMap::new();
        for texels in basic().iter().filter(|texels| texels.flags == 0) {
            sweep.row(&format!("{} {}", geometry.name(), texels.name()));
            for (width, bytes) in WIDTHS {
                let row = geometry.size[0] * texels.bytes();
                if row < bytes {
                    continue;
                }
                for outside in OUTSIDE {
                    let array = geometry.array(texels);
                    let (registers, _, before) = registers(width);
                    let body = format!(
                        "{before} sust.b.{}.{width}.{outside} [%d0, {}], {registers};",
                        geometry.word, geometry.coordinates
                    );
                    let inputs = geometry.inputs(row, bytes, bytes, outside == "trap");
                    // Few enough that not everything is overwritten.
                    let found = match surface(&array) {
                        Ok(surface) => {
                            let inputs = &inputs[..24];
                            let probe = probes
                                .entry((width, outside))
                                .or_insert_with(|| Probe::new(&body, inputs, inputs));
                            probe.give(inputs);
                            probe.run(surface.0, false, 0);
                            Found::Words(words(&texels.read(&array)))
                        }
                        Err(code) => Found::Refused(code),
                    };
                    sweep.found(format!("{width} {outside}"), found);
                }
            }
        }
    }
    sweep.finish();
}

const REDUCTIONS: [(&str, &str); 18] = [
    ("b.add", "u32"),
    ("b.add", "s32"),
    ("b.add", "u64"),
    ("b.min", "u32"),
    ("b.min", "s32"),
    ("b.min", "u64"),
    ("b.min", "s64"),
    ("b.max", "u32"),
    ("b.max", "s32"),
    ("b.max", "u64"),
    ("b.max", "s64"),
    ("b.and", "b32"),
    ("b.or", "b32"),
    ("p.add", "b32"),
    ("p.min", "b32"),
    ("p.max", "b32"),
    ("p.and", "b32"),
    ("p.or", "b32"),
];

/// Formatted stores: every texel once, and then places around it.
#[test]
fn formatted() {
    let mut sweep = Sweep::new("formatted");
    for geometry in &GEOMETRIES {
        let mut probes = BTreeMap::new();
        for texels in basic().into_iter().chain(fractions()).filter(|texels| texels.flags == 0) {
            sweep.row(&format!("{} {}", geometry.name(), texels.name()));
            for (vector, values) in [("", "%r4"), ("v2.", "{%r4, %r5}"), ("v4.", "{%r4, %r5, %r6, %r7}")] {
                for outside in OUTSIDE {
                    let array = geometry.array(&texels);
                    let body = format!(
                        "sust.p.{}.{vector}b32.{outside} [%d0, {}], {values};",
                        geometry.word, geometry.coordinates
                    );
                    let inputs = match outside {
                        "trap" => geometry.every(&texels),
                        _ => geometry.inputs(geometry.size[0], 1, 1, false)[..24].to_vec(),
                    };
                    let found = match surface(&array) {
                        Ok(surface) => {
                            let probe = probes
                                .entry((vector, outside))
                                .or_insert_with(|| Probe::new(&body, &inputs, &inputs));
                            probe.give(&inputs);
                            probe.run(surface.0, false, 0);
                            Found::Words(words(&texels.read(&array)))
                        }
                        Err(code) => Found::Refused(code),
                    };
                    sweep.found(format!("{vector}b32 {outside}"), found);
                }
            }
        }
    }
    sweep.finish();
}

/// Sizes of images, queried by kernels.
#[test]
fn queries() {
    let mut sweep = Sweep::new("queries");
    let texels = basic().into_iter().find(|texels| texels.name() == "f32x1").unwrap();
    let [textures, surfaces, levels] = ["txq.", "suq.", "txq.level."].map(|query| {
        let level = if query == "txq.level." { ", %r0" } else { "" };
        let all = ["width", "height", "depth"].into_iter().zip(0..);
        let body: String =
            all.map(|(word, index)| format!("{query}{word}.b32 %x{index}, [%d0]{level};\n")).collect();
        let inputs = [0, 1, 2, 3, 4, 5, 9, u32::MAX].map(|level| [level, 0, 0, 0, 0, 0, 0, 0]);
        Probe::new(&body, &inputs, &inputs)
    });
    let mut probes = [textures, surfaces, levels];
    let plain = reading(CLAMP, POINT, 0);
    for geometry in &GEOMETRIES {
        let array = geometry.array(&texels);
        let flags = geometry.flags | STORED;
        let pyramid = Mipmapped::new(descriptor(geometry.size, texels.format, 1, flags), 4);
        sweep.row(&geometry.name());
        sweep.found("texture".to_owned(), probes[0].sample(&array.resource(), &plain));
        let found = surface(&array).map(|surface| probes[1].run(surface.0, false, 4));
        sweep.found("surface".to_owned(), found.map_or_else(Found::Refused, Found::Words));
        sweep.found("texture levels".to_owned(), probes[2].sample(&array.resource(), &plain));
        let detailed = CUDA_TEXTURE_DESC { maxMipmapLevelClamp: 9.0, ..plain };
        sweep.found("levels".to_owned(), probes[2].sample(&pyramid.resource(), &detailed));
        sweep.found("first level".to_owned(), probes[0].sample(&pyramid.resource(), &detailed));
    }
    for (name, resource) in {
        let buffer = probes[0].threads.device.alloc(&[0; 4096]);
        let address = probes[0].threads.device.address(buffer);
        [("linear", linear(address, 400, FLOAT, 1)), ("pitched", pitched(address, [13, 7, 256], FLOAT, 1))]
    } {
        sweep.row(name);
        sweep.found("texture".to_owned(), probes[0].sample(&resource, &plain));
        sweep.found("texture levels".to_owned(), probes[2].sample(&resource, &plain));
    }
    sweep.finish();
}

#[test]
fn reductions() {
    let mut sweep = Sweep::new("reductions");
    for geometry in &GEOMETRIES[..3] {
        let mut probes = BTreeMap::new();
        for texels in basic().iter().filter(|texels| texels.flags == 0) {
            sweep.row(&format!("{} {}", geometry.name(), texels.name()));
            for (operation, kind) in REDUCTIONS {
                let wide = kind.ends_with("64");
                let bytes = if wide { 8 } else { 4 };
                let by_texel = operation.starts_with('p');
                // A reduction by texel is one of the texel's size.
                let row = geometry.size[0] * texels.bytes();
                if row < bytes || by_texel && texels.bytes() != bytes {
                    continue;
                }
                for outside in OUTSIDE {
                    let array = geometry.array(texels);
                    let operand = if wide { "%d4" } else { "%r3" };
                    let body = format!(
                        "mov.b64 %d4, {{%r3, %r5}}; sured.{operation}.{}.{kind}.{outside} [%d0, {}], {operand};",
                        geometry.word, geometry.coordinates
                    );
                    let (row, bytes, align) =
                        if by_texel { (geometry.size[0], 1, 1) } else { (row, bytes, bytes) };
                    let mut inputs = geometry.inputs(row, bytes, align, outside == "trap");
                    let mut random = Random::new(79);
                    for input in &mut inputs {
                        (input[3], input[5]) = (random.word() as u32, random.word() as u32);
                    }
                    let found = match surface(&array) {
                        Ok(surface) => {
                            let inputs = &inputs[..96];
                            let key = (operation, kind, outside);
                            let probe =
                                probes.entry(key).or_insert_with(|| Probe::new(&body, inputs, inputs));
                            probe.give(inputs);
                            probe.run(surface.0, false, 0);
                            Found::Words(words(&texels.read(&array)))
                        }
                        Err(code) => Found::Refused(code),
                    };
                    sweep.found(format!("{operation} {kind} {outside}"), found);
                }
            }
        }
    }
    sweep.finish();
}
