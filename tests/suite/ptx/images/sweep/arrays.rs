//! Arrays of every geometry.

use super::inputs::{around, directions, numbered};
use super::texels::{Texels, basic, fractions, some};
use super::*;

/// A kind of array and how it is sampled.
struct Geometry {
    word: &'static str,
    /// Width, height, depth.
    size: [usize; 3],
    flags: u32,
    coordinates: &'static str,
}

const CUBE: u32 = CUDA_ARRAY3D_CUBEMAP;
const LAYERED: u32 = CUDA_ARRAY3D_LAYERED;

const GEOMETRIES: [Geometry; 7] = [
    Geometry { word: "1d", size: [37, 0, 0], flags: 0, coordinates: "{%f0}" },
    Geometry { word: "2d", size: [13, 7, 0], flags: 0, coordinates: "{%f0, %f1}" },
    Geometry { word: "3d", size: [7, 6, 5], flags: 0, coordinates: "{%f0, %f1, %f2, %f2}" },
    Geometry { word: "a1d", size: [21, 0, 4], flags: LAYERED, coordinates: "{%r3, %f0}" },
    Geometry { word: "a2d", size: [9, 8, 3], flags: LAYERED, coordinates: "{%r3, %f0, %f1, %f1}" },
    Geometry { word: "cube", size: [6, 6, 6], flags: CUBE, coordinates: "{%f0, %f1, %f2, %f2}" },
    Geometry { word: "acube", size: [5, 5, 12], flags: CUBE | LAYERED, coordinates: "{%r3, %f0, %f1, %f2}" },
];

impl Geometry {
    fn is_cube(&self) -> bool {
        self.flags & CUBE != 0
    }

    fn layers(&self) -> usize {
        match (self.flags & LAYERED != 0, self.is_cube()) {
            (false, _) => 1,
            (true, false) => self.size[2],
            (true, true) => self.size[2] / 6,
        }
    }

    fn array(&self, texels: &Texels) -> Array {
        let count = self.size.iter().map(|size| (*size).max(1)).product();
        texels.array(self.size, self.flags, &texels.random(count, 11))
    }

    /// A kernel that samples, with random coordinates.
    fn probe(&self, result: &str) -> Probe {
        let body =
            format!("tex.{}.v4.{result}.f32 {{%x0, %x1, %x2, %x3}}, [%d0, {}];", self.word, self.coordinates);
        self.probe_of(&body)
    }

    fn probe_of(&self, body: &str) -> Probe {
        if self.is_cube() {
            let inputs = directions(self.layers(), false, 3);
            Probe::new(body, &inputs, &inputs)
        } else {
            let [texels, normalized] =
                [false, true].map(|normalized| around(self.size, self.layers(), normalized, 5));
            Probe::new(body, &texels, &normalized)
        }
    }
}

fn sweep(section: &'static str, word: &str) {
    let geometry = GEOMETRIES.iter().find(|geometry| geometry.word == word).unwrap();
    let mut sweep = Sweep::new(section);
    let mut probes: BTreeMap<&str, Probe> = BTreeMap::new();
    for texels in basic().into_iter().chain(fractions()) {
        let array = geometry.array(&texels);
        let probe = probes.entry(texels.result()).or_insert_with_key(|result| geometry.probe(result));
        sweep.row(&texels.name());
        for (name, reading) in readings(&texels) {
            sweep.found(name, probe.sample(&array.resource(), &reading));
        }
    }
    sweep.finish();
}

#[test]
fn lines() {
    sweep("1d", "1d");
}

#[test]
fn planes() {
    sweep("2d", "2d");
}

#[test]
fn spaces() {
    sweep("3d", "3d");
}

#[test]
fn layers_of_lines() {
    sweep("a1d", "a1d");
}

#[test]
fn layers_of_planes() {
    sweep("a2d", "a2d");
}

#[test]
fn cubes() {
    sweep("cube", "cube");
}

#[test]
fn layers_of_cubes() {
    sweep("acube", "acube");
}

/// Texels by number, in each dimension.
#[test]
fn by_number() {
    let mut sweep = Sweep::new("numbers");
    for geometry in GEOMETRIES.iter().filter(|geometry| !geometry.is_cube()) {
        let coordinates = geometry.coordinates.replace("%f", "%r");
        let inputs = numbered(geometry.size, geometry.layers(), 17);
        let body = format!("tex.{}.v4.f32.s32 {{%x0, %x1, %x2, %x3}}, [%d0, {coordinates}];", geometry.word);
        let mut probe = Probe::new(&body, &inputs, &inputs);
        for texels in some() {
            let array = geometry.array(&texels);
            sweep.row(&format!("{} {}", geometry.word, texels.name()));
            for (name, reading) in readings(&texels) {
                sweep.found(name, probe.sample(&array.resource(), &reading));
            }
        }
    }
    sweep.finish();
}

/// Directions to where the faces of a cube meet.
#[test]
fn edges_of_cubes() {
    let mut sweep = Sweep::new("edges");
    for geometry in GEOMETRIES.iter().filter(|geometry| geometry.is_cube()) {
        let inputs = directions(geometry.layers(), true, 19);
        let body = format!(
            "tex.{}.v4.f32.f32 {{%x0, %x1, %x2, %x3}}, [%d0, {}];",
            geometry.word, geometry.coordinates
        );
        let mut probe = Probe::new(&body, &inputs, &inputs);
        for texels in some().into_iter().filter(|texels| texels.name() == "f32x1") {
            let array = geometry.array(&texels);
            sweep.row(&format!("{} {}", geometry.word, texels.name()));
            for (name, reading) in readings(&texels) {
                sweep.found(name, probe.sample(&array.resource(), &reading));
            }
        }
    }
    sweep.finish();
}

/// Results of half precision.
#[test]
fn halves() {
    let mut sweep = Sweep::new("halves");
    for geometry in &GEOMETRIES {
        let single = format!(
            "tex.{}.v4.f16.f32 {{%h0, %h1, %h2, %h3}}, [%d0, {}]; cvt.u32.u16 %x0, %h0; cvt.u32.u16 %x1, %h1;\n\
             cvt.u32.u16 %x2, %h2; cvt.u32.u16 %x3, %h3;",
            geometry.word, geometry.coordinates
        );
        let mut probe = geometry.probe_of(&single);
        let wanted =
            ["u8x4", "s8x2", "u16x4", "s16x1", "f16x2", "f16x2 any", "f32x4", "f32x4 any", "u8x4 srgb"];
        for texels in basic().into_iter().filter(|texels| wanted.contains(&texels.name().as_str())) {
            let array = geometry.array(&texels);
            sweep.row(&format!("{} {}", geometry.word, texels.name()));
            for (name, reading) in readings(&texels) {
                sweep.found(name, probe.sample(&array.resource(), &reading));
            }
        }
    }
    sweep.finish();
}

/// Offsets in texels that the instruction has.
#[test]
fn offsets() {
    let mut sweep = Sweep::new("offsets");
    let offsets =
        [("1d", "{-5}"), ("2d", "{7, -8}"), ("3d", "{3, -2, 1, 1}"), ("a1d", "{6}"), ("a2d", "{-3, 4}")];
    for (word, offset) in offsets {
        let geometry = GEOMETRIES.iter().find(|geometry| geometry.word == word).unwrap();
        let mut probe = geometry.probe_of(&format!(
            "tex.{word}.v4.f32.f32 {{%x0, %x1, %x2, %x3}}, [%d0, {}], {offset};",
            geometry.coordinates
        ));
        for texels in some() {
            let array = geometry.array(&texels);
            sweep.row(&format!("{word} {}", texels.name()));
            for (name, reading) in readings(&texels) {
                sweep.found(name, probe.sample(&array.resource(), &reading));
            }
        }
    }
    sweep.finish();
}

/// Images so large that coordinates have few bits left for fractions.
#[test]
fn large() {
    let mut sweep = Sweep::new("large");
    let cases = [
        ("1d", [16384, 0, 0], "{%f0}"),
        ("1d", [29999, 0, 0], "{%f0}"),
        ("1d", [9001, 0, 0], "{%f0}"),
        ("1d", [8191, 0, 0], "{%f0}"),
        ("1d", [65537, 0, 0], "{%f0}"),
        ("1d", [131_001, 0, 0], "{%f0}"),
        ("2d", [3001, 5, 0], "{%f0, %f1}"),
        ("2d", [4, 20000, 0], "{%f0, %f1}"),
        ("3d", [3, 5, 2000], "{%f0, %f1, %f2, %f2}"),
    ];
    for (word, size, coordinates) in cases {
        let geometry = Geometry { word, size, flags: 0, coordinates };
        let mut probe = geometry.probe("f32");
        for texels in some().into_iter().filter(|texels| ["u16x1", "f32x1"].contains(&texels.name().as_str()))
        {
            let array = geometry.array(&texels);
            sweep.row(&format!("{word} {size:?} {}", texels.name()));
            for (name, reading) in readings(&texels) {
                sweep.found(name, probe.sample(&array.resource(), &reading));
            }
        }
    }
    sweep.finish();
}
