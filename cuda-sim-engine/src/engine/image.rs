//! Textures: one lane after another, since each may look elsewhere.

use super::registers::lanes;
use super::sample::{Position, Request, Sampler, Unmapped, face};
use super::texel;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::number::half_via_f64::double_to_half;
use crate::op::{
    Coordinates, Detail, Geometry, ImageAccess, ImageProperty, ImageQuery, ImageTest, NONE, Place, Sample,
    Sampled, Slot,
};
use crate::texture::{Image, Level, Named, Resource, Shape, Texture, Textures};
use cuda_ptx::modifier::Rounding;

/// Whether the engine knows what an instruction's geometry makes of an image. Lines are planes of one row, and the other
/// way round the first row, or the first layer, is taken (measured with numbers as coordinates).
fn fits(geometry: Geometry, shape: Shape, float: bool) -> bool {
    match geometry {
        Geometry::One => {
            matches!(shape, Shape::Linear | Shape::Array(1)) || (shape == Shape::Array(2) && float)
        }
        Geometry::Two => {
            matches!(shape, Shape::Array(2) | Shape::Pitched)
                || (matches!(shape, Shape::Array(1) | Shape::Layered(2)) && float)
        }
        Geometry::Three => shape == Shape::Array(3),
        Geometry::Layers1 => shape == Shape::Layered(1),
        Geometry::Layers2 => shape == Shape::Layered(2),
        Geometry::Cube => shape == Shape::Cube,
        Geometry::Cubes => shape == Shape::LayeredCube,
    }
}

/// Texels of a line by number are those of plain memory, and only those: else, zeros are read (measured).
fn reads_zeros(geometry: Geometry, shape: Shape, float: bool) -> bool {
    geometry == Geometry::One && if float { shape == Shape::Linear } else { shape == Shape::Array(1) }
}

impl<'a> WarpMemory<'a> {
    #[inline(never)]
    pub(super) fn image(&mut self, access: &ImageAccess, mask: u32) -> Result<(), LaneFault> {
        for lane in lanes(mask) {
            match access {
                ImageAccess::Sample(sample) => self.sample(sample, lane)?,
                ImageAccess::Query(query) => self.query(query, lane)?,
                ImageAccess::Surface(access) => self.surface(access, lane)?,
                ImageAccess::Test(test) => self.image_test(test, lane)?,
            }
        }
        Ok(())
    }

    pub(super) fn set_place(&mut self, place: Place, lane: usize, value: u64) {
        match place {
            Place::Word(NONE) => {}
            Place::Word(slot) | Place::Predicate(slot) => self.registers.set_word(slot, lane, value as u32),
            Place::Long(slot) => self.registers.set_long(slot, lane, value),
        }
    }

    /// What a handle names, if there is anything bound to it. There need not be an object of its number (T130).
    pub(super) fn resource(&self, handle: Slot, lane: usize) -> Result<Option<&'a Resource>, LaneFault> {
        let handle = self.registers.long(handle, lane);
        let textures: &'a Textures = self.textures;
        match textures.named(handle) {
            Named::Reference(resource) | Named::Object(resource) => Ok(resource),
            Named::Unknown => Err(LaneFault {
                detail: "it is no handle of a texture or surface".into(),
                ..LaneFault::at(FaultKind::IllegalAddress, lane, handle)
            }),
        }
    }

    fn sample(&mut self, sample: &Sample, lane: usize) -> Result<(), LaneFault> {
        let unsupported = |what: String| Err(LaneFault::new(FaultKind::Unsupported, lane, what));
        let texture = match self.resource(sample.texture, lane)? {
            Some(Resource::Texture(texture)) => texture,
            Some(Resource::Surface(_)) => return unsupported("sampling a surface".into()),
            Some(Resource::Unsupported(what)) => return unsupported((*what).into()),
            Some(Resource::Nowhere) => {
                return Err(LaneFault::new(FaultKind::IllegalAddress, lane, "a texture without memory"));
            }
            Some(Resource::Hole) if sample.resident.is_some() => {
                return unsupported("asking whether there is memory where there is none".into());
            }
            // Nothing bound reads as zeros, and so do what has no memory (T163) and numbers of no object (T130).
            None | Some(Resource::Hole) => {
                self.give(sample, lane, [0; 4]);
                return Ok(());
            }
        };
        let geometry = sample.coordinates.geometry;
        let shape = texture.image.shape;
        if !fits(geometry, shape, sample.coordinates.float) {
            let word = geometry.word();
            return unsupported(format!("geometry .{word} of an image that is {shape:?}"));
        }
        if reads_zeros(geometry, shape, sample.coordinates.float) {
            self.give(sample, lane, [0; 4]);
            return Ok(());
        }
        let (mut request, scale) = self.request(&sample.coordinates, texture, lane);
        for (offset, slot) in request.offsets.iter_mut().zip(&sample.offsets) {
            *offset = self.registers.word(*slot, lane).cast_signed();
        }
        if (geometry, sample.coordinates.float) == (Geometry::One, true) {
            // The row as well as the column is another (measured: it is beyond the border).
            request.offsets[1] = request.offsets[0];
        }
        match &sample.detail {
            Detail::Base => {}
            Detail::Level(slot) => {
                let word = self.registers.word(*slot, lane);
                let float = sample.coordinates.float;
                request.detail =
                    if float { f64::from(f32::from_bits(word)) } else { f64::from(word.cast_signed()) };
                request.detailed = true;
            }
            Detail::Gradient { x, y } => {
                if texture.anisotropy > 1 {
                    return unsupported("anisotropic filtering".into());
                }
                request.detail = 0.5 * self.square_of_longest(x, y, scale, lane).log2();
                request.detailed = true;
            }
        }
        if sample.sampled != Sampled::Word && !texel::is_number(texture.image.format, texture.reads_integers)
        {
            return unsupported("half-precision results from integers".into());
        }
        let mut sampler = Sampler { texture, memory: self.memory, cache: self.cache };
        let channels = match sample.gather {
            Some(channel) => sampler.gather(&request, channel),
            None => sampler.sample(&request),
        };
        let channels =
            channels.map_err(|Unmapped(address)| LaneFault::at(FaultKind::IllegalAddress, lane, address))?;
        self.give(sample, lane, channels);
        Ok(())
    }

    /// The square of the longer axis of the ellipse that two derivatives span, in texels. Hardware comes near to that,
    /// and not to the longer of the derivatives (measured).
    fn square_of_longest(&self, x: &[Slot], y: &[Slot], scale: [f64; 3], lane: usize) -> f64 {
        let product = |a: &[Slot], b: &[Slot]| -> f64 {
            let texels = |slot: &Slot| f64::from(f32::from_bits(self.registers.word(*slot, lane)));
            a.iter().zip(b).zip(scale).map(|((a, b), scale)| texels(a) * texels(b) * scale * scale).sum()
        };
        let (first, second, between) = (product(x, x), product(y, y), product(x, y));
        (first + second) / 2.0 + ((first - second) / 2.0).hypot(between)
    }

    /// The coordinates of a lane, and how many texels there are to one unit of each.
    fn request(&self, coordinates: &Coordinates, texture: &Texture, lane: usize) -> (Request, [f64; 3]) {
        let words = [0, 1, 2]
            .map(|index| coordinates.parts.get(index).map_or(0, |slot| self.registers.word(*slot, lane)));
        let size = texture.image.levels.first().map_or([1; 3], |level| level.size);
        let scale = if texture.normalized { size.map(f64::from) } else { [1.0; 3] };
        let layer = (coordinates.layer != NONE).then(|| self.registers.word(coordinates.layer, lane));
        let mut request = Request {
            position: Position::Indices(words.map(u32::cast_signed)),
            normalized: texture.normalized,
            dimensions: coordinates.geometry.dimensions(),
            slice: layer,
            offsets: [0; 3],
            detail: 0.0,
            detailed: false,
        };
        if coordinates.float {
            request.position = Position::Numbers(words.map(f32::from_bits));
        }
        if matches!((coordinates.geometry, texture.image.shape), (Geometry::One, Shape::Array(_))) {
            // The row of a line is that at 0, where linear filtering meets what is beyond the edge (measured).
            request.dimensions = 2;
        }
        if matches!(coordinates.geometry, Geometry::Cube | Geometry::Cubes) {
            let (face, [s, t]) = face(words.map(f32::from_bits));
            // On the face, coordinates are normalised in any case.
            request.normalized = true;
            request.position = Position::Numbers([s, t, 0.0]);
            request.dimensions = 2;
            let cubes = (size[2] / 6).max(1);
            request.slice = Some(6 * layer.unwrap_or(0).min(cubes - 1) + face);
        }
        (request, scale)
    }

    /// Puts the channels into the result registers.
    fn give(&mut self, sample: &Sample, lane: usize, channels: [u32; 4]) {
        let half = |bits: u32| u32::from(double_to_half(f64::from(f32::from_bits(bits)), Rounding::Nearest));
        let values = match sample.sampled {
            Sampled::Word => channels,
            Sampled::Half => channels.map(half),
            Sampled::HalfPair => {
                let [x, y, z, w] = channels.map(half);
                [x | y << 16, z | w << 16, 0, 0]
            }
        };
        for (place, value) in sample.results.iter().zip(values) {
            self.set_place(*place, lane, u64::from(value));
        }
        if let Some(slot) = sample.resident {
            // What has no memory does not come here: it is behind everything.
            self.registers.set_predicate(slot, u32::MAX, 1 << lane);
        }
    }

    fn query(&mut self, query: &ImageQuery, lane: usize) -> Result<(), LaneFault> {
        let value = match (self.resource(query.handle, lane)?, query.surface) {
            (Some(Resource::Texture(texture)), false) => {
                let level = if query.level == NONE { 0 } else { self.registers.word(query.level, lane) };
                extent(&texture.image, query.property, level as usize, false)
            }
            (Some(Resource::Surface(image)), true) => extent(image, query.property, 0, true),
            // Of references that nothing is bound to, it was not asked.
            (None, _) if query.property == ImageProperty::Width && self.names_object(query.handle, lane) => 0,
            _ => {
                let what = format!("asking this for its {:?}", query.property);
                return Err(LaneFault::new(FaultKind::Unsupported, lane, what));
            }
        };
        self.registers.set_word(query.d, lane, value);
        Ok(())
    }

    /// Whether this is the number of an object, or of none (T130).
    fn names_object(&self, handle: Slot, lane: usize) -> bool {
        matches!(self.textures.named(self.registers.long(handle, lane)), Named::Object(_))
    }

    fn image_test(&mut self, test: &ImageTest, lane: usize) -> Result<(), LaneFault> {
        let handle = self.registers.long(test.handle, lane);
        let holds = match self.resource(test.handle, lane)? {
            // Objects are of neither kind (measured).
            Some(_) if matches!(self.textures.named(handle), Named::Object(_)) => 0,
            Some(Resource::Texture(_)) if !test.surface => u32::MAX,
            Some(Resource::Surface(_)) if test.surface => u32::MAX,
            Some(Resource::Texture(_) | Resource::Surface(_)) => 0,
            // Neither of such references nor of those that nothing is bound to was it asked.
            None | Some(Resource::Hole | Resource::Nowhere | Resource::Unsupported(_)) => {
                let what = "the kind of a handle that nothing is bound to, or nothing that is simulated";
                return Err(LaneFault::new(FaultKind::Unsupported, lane, what));
            }
        };
        self.registers.set_predicate(test.d, holds, 1 << lane);
        Ok(())
    }
}

/// The width, height and depth that an image says it has. Layers count as the dimension after the last, cubes as one; a
/// line is a plane of one row to textures alone, and levels that there are not have no size (all measured).
fn extent(image: &Image, property: ImageProperty, level: usize, surface: bool) -> u32 {
    let Some(&Level { size: [width, height, depth], row, .. }) = image.levels.get(level) else { return 0 };
    let size = match image.shape {
        // Of less than a texel too, though there is one to be read (T138).
        Shape::Linear => [u32::try_from(row / u64::from(image.texel_bytes())).unwrap_or(width), 0, 0],
        Shape::Array(1) => [width, u32::from(!surface), 0],
        Shape::Array(3) | Shape::Layered(2) => [width, height, depth],
        Shape::Layered(_) => [width, depth, 0],
        Shape::Cube | Shape::LayeredCube if surface => [width, height, depth],
        Shape::LayeredCube => [width, height, depth / 6],
        Shape::Array(_) | Shape::Pitched | Shape::Cube => [width, height, 0],
    };
    match property {
        ImageProperty::Width => size[0],
        ImageProperty::Height => size[1],
        ImageProperty::Depth => size[2],
    }
}
