//! Texture instructions, lane by lane, because each lane may access another texture.

use super::registers::lanes;
use super::sample::{Position, Request, Sampler, Unmapped, face};
use super::texel;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::number::half_via_f64::double_to_half;
use crate::op::{
    Coordinates, Detail, Geometry, ImageAccess, ImageProperty, ImageQuery, ImageTest, NONE, Sample, Sampled,
    Slot,
};
use crate::texture::{Image, Level, Named, Resource, Shape, Texture, Textures};
use cuda_ptx::modifier::Rounding;

/// Returns whether the engine supports an instruction's geometry on an image of this shape. A line counts as a plane of
/// one row. Conversely, a plane counts as its first row, and layers as the first layer (measured with numbers as
/// coordinates).
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

/// Returns whether an access reads zeros: integer coordinates on a line that is an array, or numbers on a line in plain
/// memory (measured).
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

    /// Returns the resource that is bound to a handle, if there is one. An object number need not exist (conformance
    /// fact T130).
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
            // A handle without a resource reads as zeros, as do arrays without memory (conformance fact T163) and
            // numbers of no object (conformance fact T130).
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
            // The row changes as well as the column (measured: the row is outside of the border).
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

    /// Returns the square of the longer axis of the ellipse that two derivatives span, in texels. Hardware approximates
    /// that axis, not the longer of the derivatives (measured).
    fn square_of_longest(&self, x: &[Slot], y: &[Slot], scale: [f64; 3], lane: usize) -> f64 {
        let product = |a: &[Slot], b: &[Slot]| -> f64 {
            let texels = |slot: &Slot| f64::from(f32::from_bits(self.registers.word(*slot, lane)));
            a.iter().zip(b).zip(scale).map(|((a, b), scale)| texels(a) * texels(b) * scale * scale).sum()
        };
        let (first, second, between) = (product(x, x), product(y, y), product(x, y));
        (first + second) / 2.0 + ((first - second) / 2.0).hypot(between)
    }

    /// Returns the coordinates of a lane, and the number of texels per unit of each coordinate.
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
            // The row coordinate of a line is 0, where linear filtering meets the texels outside of the edge
            // (measured).
            request.dimensions = 2;
        }
        if matches!(coordinates.geometry, Geometry::Cube | Geometry::Cubes) {
            let (face, [s, t]) = face(words.map(f32::from_bits));
            // Coordinates on a face are always normalised.
            request.normalized = true;
            request.position = Position::Numbers([s, t, 0.0]);
            request.dimensions = 2;
            let cubes = (size[2] / 6).max(1);
            request.slice = Some(6 * layer.unwrap_or(0).min(cubes - 1) + face);
        }
        (request, scale)
    }

    /// Writes the channels to the result registers.
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
            self.registers.set_place(*place, lane, u64::from(value));
        }
        if let Some(slot) = sample.resident {
            // Unmapped memory does not reach this point, so every texel is resident.
            self.registers.set_predicate(slot, u32::MAX, 1 << lane);
        }
    }

    fn query(&mut self, query: &ImageQuery, lane: usize) -> Result<(), LaneFault> {
        let level = if query.level == NONE { 0 } else { self.registers.word(query.level, lane) };
        // The kind of an object decides, not the instruction (conformance fact V1071). References are not measured.
        let crosses = |image: &Image| {
            query.level == NONE && crosses_kinds(image) && self.names_object(query.handle, lane)
        };
        let value = match (self.resource(query.handle, lane)?, query.surface) {
            (Some(Resource::Texture(texture)), surface) if !surface || crosses(&texture.image) => {
                extent(&texture.image, query.property, level as usize, false)
            }
            (Some(Resource::Surface(image)), surface) if surface || crosses(image) => {
                extent(image, query.property, 0, true)
            }
            // The result for references without a binding is not measured.
            (None, _) if query.property == ImageProperty::Width && self.names_object(query.handle, lane) => 0,
            _ => {
                let what = format!("asking this for its {:?}", query.property);
                return Err(LaneFault::new(FaultKind::Unsupported, lane, what));
            }
        };
        self.registers.set_word(query.d, lane, value);
        Ok(())
    }

    /// Returns whether a handle is in the range of object numbers, whether or not the object exists (conformance fact
    /// T130).
    fn names_object(&self, handle: Slot, lane: usize) -> bool {
        matches!(self.textures.named(self.registers.long(handle, lane)), Named::Object(_))
    }

    fn image_test(&mut self, test: &ImageTest, lane: usize) -> Result<(), LaneFault> {
        let handle = self.registers.long(test.handle, lane);
        let holds = match self.resource(test.handle, lane)? {
            // Objects are neither textures nor surfaces for this test (measured).
            Some(_) if matches!(self.textures.named(handle), Named::Object(_)) => 0,
            Some(Resource::Texture(_)) if !test.surface => u32::MAX,
            Some(Resource::Surface(_)) if test.surface => u32::MAX,
            Some(Resource::Texture(_) | Resource::Surface(_)) => 0,
            // The results for such references, and for references without a binding, are not measured.
            None | Some(Resource::Hole | Resource::Nowhere | Resource::Unsupported(_)) => {
                let what = "the kind of a handle that nothing is bound to, or nothing that is simulated";
                return Err(LaneFault::new(FaultKind::Unsupported, lane, what));
            }
        };
        self.registers.set_predicate(test.d, holds, 1 << lane);
        Ok(())
    }
}

/// Returns whether the query for the other kind of object was measured: for arrays without further levels, except
/// layered cubes.
fn crosses_kinds(image: &Image) -> bool {
    matches!(image.shape, Shape::Array(_) | Shape::Layered(_) | Shape::Cube) && image.levels.len() == 1
}

/// Returns the width, height or depth that a query reports. Layers count as the dimension after the last, and cubes as
/// one layer. A line is a plane of one row for textures only. Levels that do not exist have size 0 (all measured).
fn extent(image: &Image, property: ImageProperty, level: usize, surface: bool) -> u32 {
    let Some(&Level { size: [width, height, depth], row, .. }) = image.levels.get(level) else { return 0 };
    let size = match image.shape {
        // The size is 0 for less than a texel, too, although one texel can be read (conformance fact T138).
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
