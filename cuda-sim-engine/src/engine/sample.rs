//! Sampling: from coordinates to texels, and from texels to values.
//!
//! The weights of linear filtering have eight fraction bits, as on hardware. A coordinate is first rounded to a 256th
//! of a texel. The weight of each texel is then a number of 256ths too. Sums are rounded once.

use super::filter::{self, Kind, Sums};
use super::texel::{self, Raw};
use crate::memory::{Memory, SegmentCache};
use crate::texture::{AddressMode, Filter, Format, Level, Shape, Texture};

/// Address of a texel in unmapped memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unmapped(pub(super) u64);

/// Coordinates of one lane along each dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Position {
    Numbers([f32; 3]),
    Indices([i32; 3]),
}

/// Request of one lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    pub(super) position: Position,
    /// True if numbers go from 0 to 1.
    pub(super) normalized: bool,
    /// Number of coordinates of the position.
    pub(super) dimensions: usize,
    /// Slice, for layers and faces.
    pub(super) slice: Option<u32>,
    pub(super) offsets: [i32; 3],
    /// Level, or position between two levels.
    pub(super) detail: f64,
    /// True if the instruction gives the level, so that the bias and the limits of the texture apply.
    pub(super) detailed: bool,
}

/// Texels along one dimension, and the weight of the second in 256ths.
#[derive(Debug, Clone, Copy)]
struct Axis {
    indices: [Option<u32>; 2],
    weight: u32,
}

/// Texture with the memory that holds it.
pub(super) struct Sampler<'a> {
    pub(super) texture: &'a Texture,
    pub(super) memory: &'a Memory,
    pub(super) cache: &'a mut SegmentCache,
}

/// Truncates a level of detail, or a limit of it, to the precision of the hardware (measured).
fn in_256ths(level: f64) -> f64 {
    (level * 256.0).trunc() / 256.0
}

/// Maps an index to the image, according to the address mode.
fn addressed(mode: AddressMode, index: i64, size: u32) -> Option<u32> {
    let length = i64::from(size);
    if length == 0 {
        return None;
    }
    let inside = match mode {
        AddressMode::Clamp => index.clamp(0, length - 1),
        AddressMode::Wrap => index.rem_euclid(length),
        AddressMode::Mirror => {
            let there_and_back = index.rem_euclid(2 * length);
            if there_and_back < length { there_and_back } else { 2 * length - 1 - there_and_back }
        }
        AddressMode::Border => index,
    };
    u32::try_from(inside).ok().filter(|inside| *inside < size)
}

impl Sampler<'_> {
    /// Returns the address mode that applies. Repetition requires normalised coordinates.
    fn mode(&self, dimension: usize, request: &Request) -> AddressMode {
        if self.texture.mipmapped && matches!(request.position, Position::Indices(_)) {
            return AddressMode::Clamp;
        }
        if self.texture.image.shape == Shape::Linear {
            return AddressMode::Border;
        }
        let repeats = request.normalized && matches!(request.position, Position::Numbers(_));
        match self.texture.addresses.get(dimension).copied().unwrap_or_default() {
            AddressMode::Wrap | AddressMode::Mirror if !repeats => AddressMode::Clamp,
            mode => mode,
        }
    }

    /// Converts a coordinate from 0 to 1 to texels. Fractions are cut off after 21 bits, in larger images after 22 or
    /// 23 (measured).
    fn unnormalized(&self, mode: AddressMode, coordinate: f64, size: u32) -> f64 {
        let steps = match size {
            ..=8192 => 2_097_152.0,
            8193..=32768 => 4_194_304.0,
            _ => 8_388_608.0,
        };
        let cut = (coordinate * steps).floor();
        // Whole periods are removed. A value that is no number becomes the start of the image (measured).
        let turned = match mode {
            AddressMode::Wrap if cut.is_finite() => cut.rem_euclid(steps),
            AddressMode::Mirror if cut.is_finite() => cut.rem_euclid(2.0 * steps),
            AddressMode::Wrap | AddressMode::Mirror => 0.0,
            AddressMode::Clamp | AddressMode::Border => cut,
        };
        turned * f64::from(size) / steps
    }

    fn axis(&self, request: &Request, dimension: usize, size: u32, filter: Filter) -> Axis {
        let offset = i64::from(request.offsets.get(dimension).copied().unwrap_or(0));
        let mode = self.mode(dimension, request);
        let at = |index: i64| addressed(mode, index.saturating_add(offset), size);
        let coordinate = match request.position {
            Position::Indices(indices) => {
                let index = i64::from(indices.get(dimension).copied().unwrap_or(0));
                return Axis { indices: [at(index), None], weight: 0 };
            }
            Position::Numbers(numbers) => {
                let number = numbers.get(dimension).copied().unwrap_or(0.0);
                f64::from(if number.is_subnormal() || number.is_nan() { 0.0 } else { number })
            }
        };
        let along = if request.normalized { self.unnormalized(mode, coordinate, size) } else { coordinate };
        // A value that is no number, or outside of all texels, becomes some integer.
        match filter {
            Filter::Point => {
                let index = along.floor() as i64;
                Axis { indices: [at(index), None], weight: 0 }
            }
            Filter::Linear => {
                let fixed = ((along - 0.5) * 256.0 + 0.5).floor() as i64;
                let index = fixed >> 8;
                let indices = [at(index), at(index.saturating_add(1))];
                // Clamping applies to the coordinate, at the middle of the outermost texel. Mirrors and single repeated
                // texels keep their weights, which affects their rounding (measured).
                let clamped = mode == AddressMode::Clamp && indices[0] == indices[1];
                Axis { indices, weight: if clamped { 0 } else { (fixed & 0xff) as u32 } }
            }
        }
    }

    fn axes(&self, request: &Request, level: &Level, filter: Filter) -> [Axis; 3] {
        let mut axes = [Axis { indices: [Some(0), None], weight: 0 }; 3];
        for (dimension, axis) in axes.iter_mut().enumerate().take(request.dimensions) {
            let size = level.size.get(dimension).copied().unwrap_or(1);
            *axis = self.axis(request, dimension, size, filter);
        }
        if let Some(slice) = request.slice {
            axes[2] = Axis { indices: [Some(slice.min(level.size[2].saturating_sub(1))), None], weight: 0 };
        }
        axes
    }

    /// Reads a texel, or returns `None` for the border.
    fn texel(&mut self, level: &Level, at: [Option<u32>; 3]) -> Result<Option<Raw>, Unmapped> {
        let [Some(x), Some(y), Some(z)] = at else { return Ok(None) };
        let image = &self.texture.image;
        texel::fetch(self.memory, self.cache, image, level, [x, y, z]).map(Some).map_err(Unmapped)
    }

    fn is_number(&self) -> bool {
        texel::is_number(self.texture.image.format, self.texture.reads_integers)
    }

    /// Returns the register bits of a single texel or of the border.
    fn bits(&self, raw: Option<Raw>) -> Raw {
        let texture = self.texture;
        let raw = raw.unwrap_or_else(|| self.border());
        let mut bits = [0; 4];
        for (index, bits) in bits.iter_mut().enumerate().take(texture.image.channels as usize) {
            *bits = match self.curved(index) {
                true => (texel::linear_light(raw[index]) as f32).to_bits(),
                false => texel::bits(texture.image.format, texture.reads_integers, raw[index]),
            };
        }
        bits
    }

    /// Returns the border as a texel. Its colour is converted to the format (measured).
    fn border(&self) -> Raw {
        let texture = self.texture;
        let mut index = 0;
        texture.border.map(|colour| {
            let curved = self.curved(index);
            index += 1;
            texel::border(texture.image.format, self.is_number(), curved, colour)
        })
    }

    /// Returns whether a channel is stored by the sRGB curve. Colours are, and opacity is not. The second of two
    /// channels is opacity (measured).
    fn curved(&self, channel: usize) -> bool {
        let texture = self.texture;
        let bytes = matches!(texture.image.format, Format::Unsigned8 | Format::Unorm8);
        let colours = if texture.image.channels == 2 { 1 } else { 3 };
        texture.srgb && channel < colours && bytes && self.is_number()
    }

    /// Returns the arithmetic of the sum for each channel.
    fn kinds(&self) -> [Kind; 4] {
        let kind = match self.texture.image.format {
            Format::Half => Kind::Half,
            Format::Float => Kind::Single,
            _ => Kind::Whole,
        };
        std::array::from_fn(|channel| if self.curved(channel) { Kind::Light } else { kind })
    }

    /// Adds the texels around a point in one level. `share` is the weight of the level in 256ths.
    fn add(&mut self, sums: &mut Sums, request: &Request, level: &Level, share: u32) -> Result<(), Unmapped> {
        let [x, y, z] = self.axes(request, level, self.texture.filter);
        // Rounding applies to the part of the first slice.
        let behind = share - filter::part(share, 256 - z.weight);
        for (slice, share) in z.indices.into_iter().zip([share - behind, behind]) {
            let mut texels = [(0, [0; 4]); 4];
            let mut count = 0;
            for (corner, weight) in filter::weights(share, [x.weight, y.weight]).into_iter().enumerate() {
                let [across, down] = [corner & 1, corner >> 1];
                // A texel whose weight is rounded to 0 still counts, so that an infinity takes effect.
                if share > 0 && (across == 0 || x.weight > 0) && (down == 0 || y.weight > 0) {
                    let raw = self.texel(level, [x.indices[across], y.indices[down], slice])?;
                    texels[count] = (weight, raw.unwrap_or_else(|| self.border()));
                    count += 1;
                }
            }
            sums.add(&texels[..count], self.texture.image.channels as usize);
        }
        Ok(())
    }

    /// Returns the levels around a level of detail, and the weight of the second in 256ths. Returns `None` if there is
    /// no such level.
    fn levels(&self, request: &Request) -> Result<Option<([usize; 2], u32)>, Unmapped> {
        let last = self.texture.image.levels.len().saturating_sub(1);
        let [least, greatest] = self.texture.level_range.map(|level| in_256ths(f64::from(level)));
        if matches!(request.position, Position::Indices(_)) {
            // The named level is used. A level that does not exist reads as zeros (measured).
            let detail = request.detail;
            if !(0.0..=last as f64).contains(&detail) {
                return Ok(None);
            }
            return Ok(Some(([detail as usize; 2], 0)));
        }
        if last == 0 {
            return Ok(Some(([0, 0], 0)));
        }
        // Without a level of detail, the limits apply and the bias does not (measured).
        let bias = if request.detailed { in_256ths(f64::from(self.texture.bias)) } else { 0.0 };
        let detail = in_256ths(request.detail) + bias;
        // A value that is no number counts as the least level (measured).
        let detail = if detail.is_nan() { least } else { detail.min(greatest).max(least) };
        let detail = detail.max(0.0).min(last as f64);
        let (levels, weight) = match self.texture.level_filter {
            Filter::Point => {
                let level = ((detail + 0.5).floor() as usize).min(last);
                ([level, level], 0)
            }
            Filter::Linear => {
                let fixed = (detail * 256.0).floor() as usize;
                let level = (fixed >> 8).min(last);
                ([level, (level + 1).min(last)], (fixed & 0xff) as u32)
            }
        };
        Ok(Some((levels, weight)))
    }

    /// Returns whether integer coordinates name a texel outside of the image. Such texels read as zeros in every
    /// address mode. In an image with levels, the nearest texel of the layer is read (measured).
    fn is_missing(&self, request: &Request) -> bool {
        let Position::Indices(indices) = request.position else { return false };
        let size = self.texture.image.levels.first().map_or([0; 3], |level| level.size);
        let inside = |dimension: usize| {
            let index = indices[dimension].saturating_add(request.offsets[dimension]);
            u32::try_from(index).is_ok_and(|index| index < size[dimension])
        };
        let layer = request.slice.is_none_or(|slice| slice < size[2]);
        let is_there = layer && (0..request.dimensions.min(3)).all(inside);
        !(self.texture.mipmapped || is_there)
    }

    /// Samples the four channels, as register bits.
    pub(super) fn sample(&mut self, request: &Request) -> Result<Raw, Unmapped> {
        if self.is_missing(request) {
            return Ok(self.texture.image.nothing());
        }
        let Some(([first, second], between)) = self.levels(request)? else { return Ok([0; 4]) };
        let levels = &self.texture.image.levels;
        let (Some(&first), Some(&second)) = (levels.get(first), levels.get(second)) else {
            return Ok([0; 4]);
        };
        let indices = matches!(request.position, Position::Indices(_));
        let sums_levels = self.texture.mipmapped && self.texture.level_filter == Filter::Linear;
        if indices || self.texture.filter == Filter::Point && !sums_levels {
            let axes = self.axes(request, &first, Filter::Point);
            let raw = self.texel(&first, axes.map(|axis| axis.indices[0]))?;
            return Ok(self.bits(raw));
        }
        let format = self.texture.image.format;
        let mut sums = Sums::new(format, self.kinds());
        self.add(&mut sums, request, &first, 256 - between)?;
        if between != 0 {
            self.add(&mut sums, request, &second, between)?;
        }
        Ok(sums.finish(format, self.is_number(), self.texture.image.channels as usize))
    }

    /// Returns one channel of the four texels of linear filtering, in the order of the API.
    pub(super) fn gather(&mut self, request: &Request, channel: usize) -> Result<Raw, Unmapped> {
        if self.is_missing(request) {
            return Ok([0; 4]);
        }
        let Some(&level) = self.texture.image.levels.first() else { return Ok([0; 4]) };
        let [x, y, z] = self.axes(request, &level, Filter::Linear);
        let mut gathered = [0; 4];
        for (place, (across, down)) in gathered.iter_mut().zip([(0, 1), (1, 1), (1, 0), (0, 0)]) {
            let raw = self.texel(&level, [x.indices[across], y.indices[down], z.indices[0]])?;
            // Signed bytes have the same values as with filtering (measured).
            let format = self.texture.image.format;
            let filtered = matches!(format, Format::Signed8 | Format::Snorm8) && self.is_number();
            *place = match raw.unwrap_or_else(|| self.border()).get(channel) {
                Some(_) if channel >= self.texture.image.channels as usize => 0,
                Some(raw) if filtered => filter::fraction(format, i64::from(*raw as i8) << 8).to_bits(),
                _ => self.bits(raw).get(channel).copied().unwrap_or(0),
            };
        }
        Ok(gathered)
    }
}

/// Returns the face of a cube that a direction points to, and the position on it, from 0 to 1. If two faces are equally
/// near, the last dimension wins. A component that is no number never wins, and lies in the middle of a face
/// (measured).
pub(super) fn face(direction: [f32; 3]) -> (u32, [f32; 2]) {
    let longest = direction.map(f32::abs).into_iter().fold(f32::NAN, f32::max);
    // From here on, the longest component is 1, unless it is infinite or 0.
    let [x, y, z] = direction.map(|part| part * longest.recip());
    let [ax, ay, az] = [x, y, z].map(f32::abs);
    let longer = |one: f32, other: f32| one >= other || other.is_nan();
    let (face, s, t) = if longer(az, ax) && longer(az, ay) {
        if z < 0.0 { (5, -x, -y) } else { (4, x, -y) }
    } else if longer(ay, ax) {
        if y < 0.0 { (3, x, -z) } else { (2, x, z) }
    } else if x < 0.0 {
        (1, z, -y)
    } else {
        (0, -z, -y)
    };
    (face, [s, t].map(|part| if part.is_nan() { 0.5 } else { (part + 1.0) / 2.0 }))
}
