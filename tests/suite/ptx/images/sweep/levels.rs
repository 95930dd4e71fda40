//! Mipmapped arrays: levels by level of detail, by number, by gradients, and by default.

use super::inputs::{Random, around, directions, numbered};
use super::texels::{Texels, basic, some};
use super::*;

struct Geometry {
    word: &'static str,
    size: [usize; 3],
    flags: u32,
    coordinates: &'static str,
    /// The derivatives by x and by y.
    gradients: &'static str,
}

const CUBE: u32 = CUDA_ARRAY3D_CUBEMAP;
const LAYERED: u32 = CUDA_ARRAY3D_LAYERED;

const GEOMETRIES: [Geometry; 7] = [
    Geometry { word: "1d", size: [37, 0, 0], flags: 0, coordinates: "{%f0}", gradients: "{%f4}, {%f5}" },
    Geometry {
        word: "2d",
        size: [23, 14, 0],
        flags: 0,
        coordinates: "{%f0, %f1}",
        gradients: "{%f4, %f5}, {%f6, %f7}",
    },
    Geometry {
        word: "3d",
        size: [13, 9, 6],
        flags: 0,
        coordinates: "{%f0, %f1, %f2, %f2}",
        gradients: "{%f4, %f5, %f6, %f6}, {%f7, %f4, %f5, %f5}",
    },
    Geometry {
        word: "a1d",
        size: [21, 0, 3],
        flags: LAYERED,
        coordinates: "{%r3, %f0}",
        gradients: "{%f4}, {%f5}",
    },
    Geometry {
        word: "a2d",
        size: [12, 9, 3],
        flags: LAYERED,
        coordinates: "{%r3, %f0, %f1, %f1}",
        gradients: "{%f4, %f5}, {%f6, %f7}",
    },
    Geometry {
        word: "cube",
        size: [11, 11, 6],
        flags: CUBE,
        coordinates: "{%f0, %f1, %f2, %f2}",
        gradients: "{%f4, %f5, %f6, %f6}, {%f7, %f4, %f5, %f5}",
    },
    Geometry {
        word: "acube",
        size: [8, 8, 12],
        flags: CUBE | LAYERED,
        coordinates: "{%r3, %f0, %f1, %f2}",
        gradients: "{%f4, %f5, %f6, %f6}, {%f7, %f4, %f5, %f5}",
    },
];

/// The meaning of a thread's fifth word, and of the words after it.
#[derive(Clone, Copy, PartialEq)]
enum Detail {
    Level,
    Number,
    Gradients,
}

impl Geometry {
    fn layers(&self) -> usize {
        match (self.flags & LAYERED != 0, self.flags & CUBE != 0) {
            (false, _) => 1,
            (true, false) => self.size[2],
            (true, true) => self.size[2] / 6,
        }
    }

    fn pyramid(&self, texels: &Texels) -> Mipmapped {
        let pyramid = Mipmapped::new(descriptor(self.size, texels.format, texels.channels, self.flags), 99);
        for level in 0.. {
            let mut handle = null_mut();
            if !driver!(cuMipmappedArrayGetLevel(&raw mut handle, pyramid.0, level)).is_success() {
                break;
            }
            let array = pyramid.level(level);
            let count = array.extent().iter().product::<usize>() / array.texel_bytes();
            array.write(&texels.random(count, 100 + u64::from(level)));
        }
        pyramid
    }

    fn inputs(&self, normalized: bool, detail: Detail) -> Vec<Input> {
        let mut inputs = match (self.flags & CUBE != 0, detail) {
            (_, Detail::Number) => numbered(self.size.map(|size| size / 3), self.layers(), 23),
            (true, _) => directions(self.layers(), false, 23),
            (false, _) => around(self.size, self.layers(), normalized, 23),
        };
        let mut random = Random::new(29);
        for input in &mut inputs {
            let words = &mut input[4..];
            match detail {
                Detail::Level => words[0] = level(&mut random).to_bits(),
                Detail::Number => words[0] = (random.below(9) as u32).wrapping_sub(2),
                Detail::Gradients => {
                    let length = random.between(-2.0, 5.0).exp2();
                    let length = if normalized { length / self.size[0] as f64 } else { length };
                    words.fill_with(|| gradient(&mut random, length).to_bits());
                }
            }
        }
        inputs
    }

    fn probe(&self, body: &str, detail: Detail) -> Probe {
        Probe::new(body, &self.inputs(false, detail), &self.inputs(true, detail))
    }
}

fn level(random: &mut Random) -> f32 {
    let whole = random.below(8) as f64 - 1.0;
    (match random.below(24) {
        0 => return [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -0.0][random.below(5)],
        1 => whole,
        2 => whole + 0.5,
        3..=6 => whole + random.below(512) as f64 / 512.0,
        _ => random.between(-1.0, 6.5),
    }) as f32
}

fn gradient(random: &mut Random, length: f64) -> f32 {
    match random.below(8) {
        0 => 0.0,
        1 => length as f32,
        _ => random.between(-length, length) as f32,
    }
}

/// Filters, units, two of the modes, and what is done to the level of detail.
fn readings(texels: &Texels) -> Vec<(String, CUDA_TEXTURE_DESC)> {
    let mut readings = Vec::new();
    for (name, reading) in super::readings(texels) {
        if name.ends_with("wrap") || name.ends_with("mirror") {
            continue;
        }
        for (between, level_filter) in FILTERS {
            for (how, bias, least, greatest) in
                [("plain", 0.0, 0.0, 99.0), ("biased", 0.37, 0.0, 99.0), ("limited", -0.2, 0.6, 2.3)]
            {
                let reading = CUDA_TEXTURE_DESC {
                    mipmapFilterMode: level_filter,
                    mipmapLevelBias: bias,
                    minMipmapLevelClamp: least,
                    maxMipmapLevelClamp: greatest,
                    ..reading
                };
                readings.push((format!("{name} {between} {how}"), reading));
            }
        }
    }
    readings
}

fn sweep(
    section: &'static str,
    detail: Detail,
    wanted: &[Texels],
    instruction: impl Fn(&Geometry) -> String,
) {
    let mut sweep = Sweep::new(section);
    for geometry in &GEOMETRIES {
        // There are no numbers for texels of cubes; and the software driver has no gradients of theirs.
        if detail != Detail::Level && geometry.flags & CUBE != 0 {
            continue;
        }
        let mut probe = geometry.probe(&instruction(geometry), detail);
        for texels in wanted {
            let pyramid = geometry.pyramid(texels);
            sweep.row(&format!("{} {}", geometry.word, texels.name()));
            let all = readings(texels).into_iter();
            // By gradients, the level is what matters.
            let wanted =
                |name: &str| detail != Detail::Gradients || name.starts_with("point normalized clamp linear");
            for (name, reading) in all.filter(|(name, _)| wanted(name)) {
                sweep.found(name, probe.sample(&pyramid.resource(), &reading));
            }
        }
    }
    sweep.finish();
}

const RESULTS: &str = "{%x0, %x1, %x2, %x3}";

#[test]
fn asked_for() {
    sweep("levels", Detail::Level, &some(), |geometry| {
        format!("tex.level.{}.v4.f32.f32 {RESULTS}, [%d0, {}], %f4;", geometry.word, geometry.coordinates)
    });
}

/// A few formats where the levels are what matters.
fn few() -> Vec<Texels> {
    basic().into_iter().filter(|texels| ["u8x2", "f32x1"].contains(&texels.name().as_str())).collect()
}

#[test]
fn not_asked_for() {
    sweep("base", Detail::Level, &few(), |geometry| {
        format!("tex.{}.v4.f32.f32 {RESULTS}, [%d0, {}];", geometry.word, geometry.coordinates)
    });
}

#[test]
fn by_number() {
    sweep("level-numbers", Detail::Number, &few(), |geometry| {
        let coordinates = geometry.coordinates.replace("%f", "%r");
        format!("tex.level.{}.v4.f32.s32 {RESULTS}, [%d0, {coordinates}], %r4;", geometry.word)
    });
}

#[test]
fn by_gradients() {
    let plain: Vec<Texels> = few().into_iter().filter(|texels| texels.name() == "f32x1").collect();
    sweep("gradients", Detail::Gradients, &plain, |geometry| {
        format!(
            "tex.grad.{}.v4.f32.f32 {RESULTS}, [%d0, {}], {};",
            geometry.word, geometry.coordinates, geometry.gradients
        )
    });
}
