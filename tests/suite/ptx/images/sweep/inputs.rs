//! Random coordinates: anywhere in and around the image, and where rounding and address modes have their corners.

use super::super::super::operation::Numbers;
use super::super::*;
use super::SAMPLES;

/// A generator that gives the same on every machine.
pub(super) struct Random(Numbers);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(Numbers::new(seed))
    }

    pub(super) fn word(&mut self) -> u64 {
        self.0.number() >> 8
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((self.word() >> 8) % limit as u64) as usize
    }

    /// From 0 to 1.
    pub(super) fn fraction(&mut self) -> f64 {
        (self.word() & 0xffff_ffff) as f64 / 4_294_967_296.0
    }

    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.fraction()
    }

    /// A coordinate along a dimension of so many texels: in texels, or from 0 to 1.
    pub(super) fn coordinate(&mut self, size: usize, normalized: bool) -> f32 {
        const SPECIAL: [f32; 12] = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            1e30,
            -1e30,
            3e9,
            -3e9,
            16_777_217.0,
            1e-40,
            -1e-30,
            -0.0,
            0.0,
        ];
        let texels = size as f64;
        let index = self.below(4 * size) as f64 - 1.5 * texels;
        let along = match self.below(32) {
            0 => return SPECIAL[self.below(SPECIAL.len())],
            1 => self.between(-100.0, 100.0) * texels,
            2 => index.floor(),
            3 => index.floor() + 0.5,
            // Between 256ths, where they are rounded.
            4..=6 => index.floor() + self.below(512) as f64 / 512.0,
            // The next numbers beside a texel's edge.
            7 => {
                let edge = (index.floor() / if normalized { texels } else { 1.0 }) as f32;
                return if self.word() & 1 == 0 { edge.next_up() } else { edge.next_down() };
            }
            8..=19 => self.between(0.0, texels),
            _ => self.between(-1.5 * texels, 2.5 * texels),
        };
        (if normalized { along / texels } else { along }) as f32
    }

    /// A layer, there or not.
    pub(super) fn layer(&mut self, count: usize) -> u32 {
        match self.below(12) {
            0 => [u32::MAX, 1 << 31, 1000, 65536][self.below(4)],
            1 => count as u32,
            _ => self.below(count) as u32,
        }
    }

    /// A direction from the middle of a cube, anywhere or to one of its edges.
    fn direction(&mut self, edges: bool) -> [f32; 3] {
        let length = self.between(0.01, 5.0);
        let mut direction = [0; 3].map(|_| (self.between(-1.0, 1.0) * length) as f32);
        match self.below(12) {
            0..=7 if edges => {
                let [from, to] = [self.below(3), self.below(3)];
                direction[to] = if self.word() & 1 == 0 { direction[from] } else { -direction[from] };
            }
            3 => direction[self.below(3)] = [0.0, -0.0, f32::NAN, f32::INFINITY][self.below(4)],
            // Near an edge.
            4 | 5 => direction[2] = direction[0] * 1.05,
            _ => {}
        }
        direction
    }
}

/// Makes the input of every thread: coordinates in the first three words, a layer in the fourth.
pub(super) fn around(size: [usize; 3], layers: usize, normalized: bool, seed: u64) -> Vec<Input> {
    let mut random = Random::new(seed);
    (0..SAMPLES)
        .map(|_| {
            let [x, y, z] = size.map(|size| random.coordinate(size.max(1), normalized).to_bits());
            [x, y, z, random.layer(layers.max(1)), 0, 0, 0, 0]
        })
        .collect()
}

/// The same for cubes: in all directions, or many of them to where faces meet.
pub(super) fn directions(layers: usize, edges: bool, seed: u64) -> Vec<Input> {
    let mut random = Random::new(seed);
    (0..SAMPLES)
        .map(|_| {
            let [x, y, z] = random.direction(edges).map(f32::to_bits);
            [x, y, z, random.layer(layers.max(1)), 0, 0, 0, 0]
        })
        .collect()
}

/// Whole coordinates, there or not.
pub(super) fn numbered(size: [usize; 3], layers: usize, seed: u64) -> Vec<Input> {
    let mut random = Random::new(seed);
    (0..SAMPLES)
        .map(|_| {
            let [x, y, z] = size.map(|size| match random.below(16) {
                0 => [u32::MAX, i32::MIN.cast_unsigned(), size as u32, 100_000][random.below(4)],
                _ => random.below(size.max(1)) as u32,
            });
            [x, y, z, random.layer(layers.max(1)), 0, 0, 0, 0]
        })
        .collect()
}
