//! Texture fetching as the CUDA programming guide describes it, in doubles, but for the weights of linear filtering.

/// The treatment of coordinates outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Wrap,
    Clamp,
    Mirror,
    Border,
}

/// An image of numbers.
#[derive(Debug, Clone)]
pub(super) struct Model<'a> {
    pub(super) values: &'a [f32],
    pub(super) size: [usize; 3],
    pub(super) dimensions: usize,
    pub(super) edge: Edge,
    pub(super) linear: bool,
    pub(super) normalized: bool,
    pub(super) border: f64,
}

impl Edge {
    pub(super) const ALL: [Self; 4] = [Self::Wrap, Self::Clamp, Self::Mirror, Self::Border];

    /// The driver's number for it.
    pub(super) fn mode(self) -> cuda_sys::CUaddress_mode {
        match self {
            Self::Wrap => super::WRAP,
            Self::Clamp => super::CLAMP,
            Self::Mirror => super::MIRROR,
            Self::Border => super::BORDER,
        }
    }

    fn lead(self, mut index: i64, size: i64) -> Option<i64> {
        match self {
            Self::Clamp => Some(index.max(0).min(size - 1)),
            Self::Border => (0..size).contains(&index).then_some(index),
            Self::Wrap => {
                while index < 0 {
                    index += size;
                }
                Some(index % size)
            }
            Self::Mirror => {
                // Reflected at either end until it is inside.
                while !(0..size).contains(&index) {
                    index = if index < 0 { -1 - index } else { 2 * size - 1 - index };
                }
                Some(index)
            }
        }
    }
}

impl Model<'_> {
    fn value(&self, at: [Option<i64>; 3]) -> f64 {
        match at {
            [Some(x), Some(y), Some(z)] => {
                let [width, height, _] = self.size;
                f64::from(self.values[(z as usize * height + y as usize) * width + x as usize])
            }
            _ => self.border,
        }
    }

    /// The two texels of a dimension and the weight of the second.
    fn pair(&self, coordinate: f32, dimension: usize) -> ([Option<i64>; 2], f64) {
        if dimension >= self.dimensions && (dimension, self.dimensions) != (1, 1) {
            return ([Some(0), Some(0)], 0.0);
        }
        // A line is a plane of one row, sampled at its upper edge (measured).
        let coordinate = if dimension < self.dimensions { coordinate } else { 0.0 };
        let size = self.size[dimension] as i64;
        let edge = match self.edge {
            // These two need coordinates from 0 to 1; else they are clamping.
            Edge::Wrap | Edge::Mirror if !self.normalized => Edge::Clamp,
            edge => edge,
        };
        let scale = if self.normalized { size as f64 } else { 1.0 };
        let along = f64::from(coordinate) * scale;
        if !self.linear {
            let index = edge.lead(along.floor() as i64, size);
            return ([index, index], 0.0);
        }
        let from = along - 0.5;
        let index = from.floor() as i64;
        let pair = [edge.lead(index, size), edge.lead(index + 1, size)];
        // Clamping is of coordinates: there is no weight beyond the outermost texels (measured).
        let clamped = edge == Edge::Clamp && pair[0] == pair[1];
        (pair, if clamped { 0.0 } else { from - from.floor() })
    }

    /// The value at these coordinates.
    pub(super) fn fetch(&self, coordinates: [f32; 3]) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|dimension| self.pair(coordinates[dimension], dimension));
        let mut sum = 0.0;
        for (corner, weight) in shared_out([x.1, y.1, z.1]).into_iter().enumerate() {
            if weight != 0.0 {
                sum += weight * self.value([x.0[corner & 1], y.0[corner >> 1 & 1], z.0[corner >> 2]]);
            }
        }
        sum
    }
}

/// The weights of the eight texels of a cell. The guide says that they are products; hardware has 256ths, and rounds
/// while it shares the whole out to layers, columns and rows (measured).
pub(super) fn shared_out([x, y, z]: [f64; 3]) -> [f64; 8] {
    let part = |whole: f64, weight: f64| (whole * weight * 256.0 + 0.5).floor() / 256.0;
    let mut weights = [0.0; 8];
    for (layer, whole) in [(0, 1.0 - z), (4, z)] {
        let right = part(whole, x);
        let left = whole - right;
        weights[layer] = part(left, 1.0 - y);
        weights[layer + 2] = left - weights[layer];
        weights[layer + 3] = part(right, y);
        weights[layer + 1] = right - weights[layer + 3];
    }
    weights
}
