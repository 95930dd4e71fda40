//! Sampling: from coordinates to texels, and from texels to values.
//!
//! The weights of linear filtering have eight bits of fraction, as on hardware: a coordinate is first rounded to a
//! 256th of a texel, and the weight of each texel is a number of 256ths too. Sums are rounded once.

use super::texel::{self, Raw};
use crate::exec::memory::{Memory, SegmentCache};
use crate::exec::number::half::{double_to_half, half_to_double};
use crate::exec::texture::{AddressMode, Filter, Format, Level, Shape, Texture};
use crate::ptx::modifier::Rounding;

/// Why a sample cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Nothing is mapped where a texel should be.
    Address(u64),
    /// Nobody has said what this yields, or the engine does not have it.
    Unsupported(&'static str),
}

/// The coordinates of one lane: along each dimension, as many as there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Position {
    Numbers([f32; 3]),
    Indices([i32; 3]),
}

/// What one lane asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    pub(super) position: Position,
    /// How many coordinates of the position there are.
    pub(super) dimensions: usize,
    /// The slice, for layers and faces.
    pub(super) slice: Option<u32>,
    pub(super) offsets: [i32; 3],
    /// Which level, or between which two.
    pub(super) detail: f64,
    /// The level is asked for, so that bias and limits of the texture count.
    pub(super) detailed: bool,
}

/// The texels along one dimension and the weight of the second, in 256ths.
#[derive(Debug, Clone, Copy)]
struct Axis {
    indices: [Option<u32>; 2],
    weight: u32,
}

/// A texture with the memory that it lies in.
pub(super) struct Sampler<'a> {
    pub(super) texture: &'a Texture,
    pub(super) memory: &'a Memory,
    pub(super) cache: &'a mut SegmentCache,
}

/// Where an index that may be outside leads.
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

/// The weights of the corners of a cell, in 256ths, from those of the second texel along each dimension. The whole is
/// shared out to the layers, then within each layer to the columns, then within each column to the rows; what is
/// rounded is the part of the second column, and where the two meet that of the texels on its diagonal, halves up. So
/// the sum is always one (measured: all weights in two dimensions, 200000 in three). Bit 0 of a corner's number says
/// which texel it is along the first dimension, and so on.
fn corner_weights([x, y, z]: [u32; 3]) -> [u32; 8] {
    // The part of a whole that a weight is, halves up.
    let part = |whole: u32, weight: u32| (whole * weight + 128) / 256;
    let layer = |whole: u32| {
        let right = part(whole, x);
        let left = whole - right;
        let (top_left, bottom_right) = (part(left, 256 - y), part(right, y));
        [top_left, right - bottom_right, left - top_left, bottom_right]
    };
    let [front, back] = [layer(256 - z), layer(z)];
    std::array::from_fn(|corner| if corner < 4 { front[corner] } else { back[corner - 4] })
}

/// What linear filtering of integers as fractions counts in, to which the sum is rounded, halves up (measured). With
/// bytes that have a sign halves went towards zero.
const UNSIGNED_STEPS: f64 = 65535.0;
const SIGNED_STEPS: f64 = 32767.0;

impl Sampler<'_> {
    /// What is done with coordinates outside. To repeat an image, coordinates must be normalised.
    fn mode(&self, dimension: usize, request: &Request) -> AddressMode {
        if self.texture.image.shape == Shape::Linear {
            return AddressMode::Border;
        }
        if matches!(self.texture.image.shape, Shape::Cube | Shape::LayeredCube) {
            return AddressMode::Clamp;
        }
        let repeats = self.texture.normalized && matches!(request.position, Position::Numbers(_));
        match self.texture.addresses.get(dimension).copied().unwrap_or_default() {
            AddressMode::Wrap | AddressMode::Mirror if !repeats => AddressMode::Clamp,
            mode => mode,
        }
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
            Position::Numbers(numbers) => f64::from(numbers.get(dimension).copied().unwrap_or(0.0)),
        };
        let along = if self.texture.normalized {
            // Whole turns are taken off first, since huge coordinates have no room for fractions of texels. What has
            // no fraction at all, or is no number, is where the image begins (measured).
            let turned = match mode {
                AddressMode::Wrap if coordinate.is_finite() => coordinate - coordinate.floor(),
                AddressMode::Mirror if coordinate.is_finite() => {
                    coordinate - 2.0 * (coordinate / 2.0).floor()
                }
                AddressMode::Wrap | AddressMode::Mirror => 0.0,
                AddressMode::Clamp | AddressMode::Border => coordinate,
            };
            turned * f64::from(size)
        } else {
            coordinate
        };
        // Whatever is no number, or beyond all texels, ends at some integer.
        match filter {
            Filter::Point => {
                let index = along.floor() as i64;
                Axis { indices: [at(index), None], weight: 0 }
            }
            Filter::Linear => {
                let fixed = ((along - 0.5) * 256.0 + 0.5).floor() as i64;
                let index = fixed >> 8;
                let indices = [at(index), at(index.saturating_add(1))];
                // What is clamped is the coordinate, to the middle of the outermost texel; mirrors and single texels
                // that repeat keep their weights, which tells in how they are rounded (measured).
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

    /// A texel, or `None` where the border is.
    fn texel(&mut self, level: &Level, at: [Option<u32>; 3]) -> Result<Option<Raw>, Refusal> {
        let [Some(x), Some(y), Some(z)] = at else { return Ok(None) };
        let image = &self.texture.image;
        texel::fetch(self.memory, self.cache, image, level, [x, y, z]).map(Some).map_err(Refusal::Address)
    }

    fn is_number(&self) -> bool {
        texel::is_number(self.texture.image.format, self.texture.reads_integers)
    }

    /// The bits of a single texel or of the border.
    fn bits(&self, raw: Option<Raw>) -> Result<Raw, Refusal> {
        let texture = self.texture;
        let format = texture.image.format;
        let Some(raw) = raw else { return self.border_bits() };
        let mut bits = [0; 4];
        for (index, bits) in bits.iter_mut().enumerate().take(texture.image.channels as usize) {
            *bits = match self.curved(index) {
                true => (texel::linear_light(raw[index]) as f32).to_bits(),
                false => texel::bits(format, texture.reads_integers, raw[index]),
            };
        }
        Ok(bits)
    }

    /// The border, as far as there are channels.
    fn border(&self) -> [f32; 4] {
        let mut border = [0.0; 4];
        let channels = self.texture.image.channels as usize;
        for (to, from) in border.iter_mut().zip(self.texture.border).take(channels) {
            *to = from;
        }
        border
    }

    fn border_bits(&self) -> Result<Raw, Refusal> {
        let bits = self.border().map(f32::to_bits);
        match self.texture.image.format {
            _ if self.is_number() => Ok(bits),
            // Integers of 32 bits are the bits as they are (measured).
            Format::Unsigned32 | Format::Signed32 => Ok(bits),
            _ if bits == [0; 4] => Ok(bits),
            // What the format has room for (measured).
            Format::Unsigned8 => Ok(bits.map(|bits| bits & 0xff)),
            Format::Signed8 => Ok(bits.map(|bits| i32::from(bits as i8).cast_unsigned())),
            Format::Unsigned16 => Ok(bits.map(|bits| bits & 0xffff)),
            _ => Err(Refusal::Unsupported("a border colour for signed integers of 16 bits")),
        }
    }

    /// How many steps linear filtering counts from 0 to 1, if it counts.
    fn steps(&self) -> Option<f64> {
        let texture = self.texture;
        match texture.image.format {
            _ if !self.is_number() => None,
            Format::Unsigned8 | Format::Unorm8 if texture.srgb => None,
            Format::Unsigned8 | Format::Unorm8 | Format::Unsigned16 | Format::Unorm16 | Format::Unorm10 => {
                Some(UNSIGNED_STEPS)
            }
            Format::Signed8 | Format::Snorm8 | Format::Signed16 | Format::Snorm16 => Some(SIGNED_STEPS),
            Format::Unsigned32 | Format::Signed32 | Format::Half | Format::Float => None,
        }
    }

    /// A filtered sum as a register gets it.
    fn rounded(&self, sum: f64) -> u32 {
        let format = self.texture.image.format;
        let value = match self.steps() {
            // Halves towards zero.
            Some(steps) if matches!(format, Format::Signed8 | Format::Snorm8) => {
                (sum.abs() - 0.5).ceil().copysign(sum) / steps
            }
            Some(steps) => (sum + 0.5).floor() / steps,
            None if format == Format::Half => half_to_double(double_to_half(sum, Rounding::Nearest)),
            None => sum,
        };
        (value as f32).to_bits()
    }

    /// Whether a channel is stored by the sRGB curve: colours are, opacity is not.
    fn curved(&self, channel: usize) -> bool {
        let texture = self.texture;
        let bytes = matches!(texture.image.format, Format::Unsigned8 | Format::Unorm8);
        texture.srgb && channel < 3 && bytes && self.is_number()
    }

    fn numbers(&self, raw: Option<Raw>) -> [f64; 4] {
        let texture = self.texture;
        let scale = self.steps().unwrap_or(1.0);
        let Some(raw) = raw else { return self.border().map(|value| f64::from(value) * scale) };
        let mut numbers = [0.0; 4];
        for (index, number) in numbers.iter_mut().enumerate().take(texture.image.channels as usize) {
            *number = if !self.is_number() {
                let format = texture.image.format;
                let integer = texel::integer(format, raw[index]);
                if format.is_signed() { f64::from(integer.cast_signed()) } else { f64::from(integer) }
            } else if self.curved(index) {
                texel::linear_light(raw[index])
            } else {
                texel::number_in(texture.image.format, raw[index], scale)
            };
        }
        numbers
    }

    /// The weighted sum of the texels around a point in one level.
    fn filtered(&mut self, request: &Request, level: &Level) -> Result<[f64; 4], Refusal> {
        let axes = self.axes(request, level, self.texture.filter);
        let mut sum = [0.0; 4];
        for (corner, weight) in corner_weights(axes.map(|axis| axis.weight)).into_iter().enumerate() {
            if weight == 0 {
                continue;
            }
            let mut at = [None; 3];
            for (dimension, axis) in axes.iter().enumerate() {
                at[dimension] = axis.indices[corner >> dimension & 1];
            }
            let raw = self.texel(level, at)?;
            for (sum, number) in sum.iter_mut().zip(self.numbers(raw)) {
                *sum += f64::from(weight) * number / 256.0;
            }
        }
        Ok(sum)
    }

    /// The levels that a level of detail falls between, and the weight of the second in 256ths. `None` if there is no
    /// such level.
    fn levels(&self, request: &Request) -> Result<Option<([usize; 2], u32)>, Refusal> {
        let last = self.texture.image.levels.len().saturating_sub(1);
        let [least, greatest] = self.texture.level_range.map(f64::from);
        if matches!(request.position, Position::Indices(_)) {
            // The level that is named is taken; beyond the last, zeros are read (measured).
            let detail = request.detail;
            if detail > last as f64 {
                return Ok(None);
            }
            let plain = self.texture.bias == 0.0 && (least..=greatest).contains(&detail);
            if detail < 0.0 || (last > 0 && !plain) {
                return Err(Refusal::Unsupported("a level by number that bias or limits would change"));
            }
            return Ok(Some(([detail as usize; 2], 0)));
        }
        if last == 0 {
            return Ok(Some(([0, 0], 0)));
        }
        // Without a level of detail, the limits count and the bias does not (measured).
        let bias = if request.detailed { f64::from(self.texture.bias) } else { 0.0 };
        let detail = request.detail + bias;
        // What is no number is the least (measured).
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
        if !self.texture.normalized && (levels[0] > 0 || weight > 0) {
            return Err(Refusal::Unsupported("coordinates in texels for levels below the largest"));
        }
        Ok(Some((levels, weight)))
    }

    /// Whether a texel is asked for by a number that the array does not have. Then zeros are read, whatever the address
    /// mode says (measured in two dimensions).
    fn is_missing(&self, request: &Request) -> bool {
        let Position::Indices(indices) = request.position else { return false };
        let size = self.texture.image.levels.first().map_or([0; 3], |level| level.size);
        let inside = |dimension: usize| {
            let index = indices[dimension].saturating_add(request.offsets[dimension]);
            u32::try_from(index).is_ok_and(|index| index < size[dimension])
        };
        self.is_array() && !(0..request.dimensions.min(3)).all(inside)
    }

    fn is_array(&self) -> bool {
        self.texture.image.shape != Shape::Linear
    }

    /// Whether the engine knows what these coordinates mean.
    fn check(&self, request: &Request, filter: Filter) -> Result<(), Refusal> {
        let Position::Numbers(numbers) = request.position else { return Ok(()) };
        let unknown = |dimension: usize| {
            numbers[dimension].is_nan() && self.mode(dimension, request) == AddressMode::Border
        };
        // For a single texel it is where the image begins (measured).
        if filter == Filter::Linear && self.is_array() && (0..request.dimensions.min(3)).any(unknown) {
            return Err(Refusal::Unsupported("filtering at a coordinate that is no number, with a border"));
        }
        Ok(())
    }

    /// The four channels of a sample, as bits.
    pub(super) fn sample(&mut self, request: &Request) -> Result<Raw, Refusal> {
        self.check(request, self.texture.filter)?;
        if self.is_missing(request) {
            return Ok(self.texture.image.nothing());
        }
        let Some(([first, second], between)) = self.levels(request)? else { return Ok([0; 4]) };
        let levels = &self.texture.image.levels;
        let (Some(&first), Some(&second)) = (levels.get(first), levels.get(second)) else {
            return Ok([0; 4]);
        };
        let indices = matches!(request.position, Position::Indices(_));
        if (self.texture.filter == Filter::Point || indices) && between == 0 {
            let axes = self.axes(request, &first, Filter::Point);
            let raw = self.texel(&first, axes.map(|axis| axis.indices[0]))?;
            return self.bits(raw);
        }
        let mut sum = self.filtered(request, &first)?;
        if !self.is_number() {
            return self.integers(sum, between);
        }
        if between != 0 {
            let weight = f64::from(between) / 256.0;
            for (sum, other) in sum.iter_mut().zip(self.filtered(request, &second)?) {
                *sum = *sum * (1.0 - weight) + other * weight;
            }
        }
        Ok(sum.map(|sum| self.rounded(sum)))
    }

    /// Filtered integers are rounded to the nearest, halves up (measured).
    fn integers(&self, sum: [f64; 4], between: u32) -> Result<Raw, Refusal> {
        let texture = self.texture;
        let known = matches!(texture.image.format, Format::Unsigned8 | Format::Signed8 | Format::Unsigned16);
        if !known || between != 0 || texture.border.iter().any(|value| value.to_bits() != 0) {
            return Err(Refusal::Unsupported(
                "linear filtering of integers of this format, of several levels, or with a border",
            ));
        }
        Ok(sum.map(|value| ((value + 0.5).floor() as i32).cast_unsigned()))
    }

    /// One channel of the four texels that linear filtering would take, around in the order of the API.
    pub(super) fn gather(&mut self, request: &Request, channel: usize) -> Result<Raw, Refusal> {
        self.check(request, Filter::Linear)?;
        if self.is_missing(request) {
            return Err(Refusal::Unsupported("gathering texels by numbers that the array does not have"));
        }
        let Some(&level) = self.texture.image.levels.first() else { return Ok([0; 4]) };
        let [x, y, z] = self.axes(request, &level, Filter::Linear);
        let mut gathered = [0; 4];
        for (place, (across, down)) in gathered.iter_mut().zip([(0, 1), (1, 1), (1, 0), (0, 0)]) {
            let raw = self.texel(&level, [x.indices[across], y.indices[down], z.indices[0]])?;
            *place = self.bits(raw)?.get(channel).copied().unwrap_or(0);
        }
        Ok(gathered)
    }
}

/// The face of a cube that a direction points to, and where on it: numbers from 0 to 1. Where two are equally near, the
/// last dimension wins (measured).
pub(super) fn face(direction: [f32; 3]) -> (u32, [f32; 2]) {
    let [x, y, z] = direction;
    let [ax, ay, az] = direction.map(f32::abs);
    // A part that is no number does not win.
    let longer = |one: f32, other: f32| one >= other || other.is_nan();
    let (face, s, t, major) = if longer(az, ax) && longer(az, ay) {
        if z >= 0.0 { (4, x, -y, az) } else { (5, -x, -y, az) }
    } else if longer(ay, ax) {
        if y >= 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if x >= 0.0 {
        (0, -z, -y, ax)
    } else {
        (1, z, -y, ax)
    };
    (face, [(s / major + 1.0) / 2.0, (t / major + 1.0) / 2.0])
}
