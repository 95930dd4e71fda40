//! Surfaces: access to bytes of images by coordinate.

use super::load_store::read;
use super::texel;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::memory;
use crate::op::{NONE, Outside, SurfaceAccess, SurfaceAction, SurfaceReduction as Reduction};
use crate::texture::{Format, Image, Resource, Shape};

/// Returns whether an instruction's geometry is that of a surface. The faces of cubes are layers.
fn fits(access: &SurfaceAccess, shape: Shape) -> bool {
    use crate::op::Geometry;
    match access.coordinates.geometry {
        Geometry::One => shape == Shape::Array(1),
        Geometry::Two => shape == Shape::Array(2),
        Geometry::Three => shape == Shape::Array(3),
        Geometry::Layers1 => shape == Shape::Layered(1),
        Geometry::Layers2 => matches!(shape, Shape::Layered(2) | Shape::Cube | Shape::LayeredCube),
        Geometry::Cube | Geometry::Cubes => false,
    }
}

/// Returns the new value of a reduction on `size` bytes.
fn reduced(operation: Reduction, size: u32, old: u64, operand: u64) -> u64 {
    let signed = |value: u64| {
        if size == 8 { value.cast_signed() } else { i64::from((value as u32).cast_signed()) }
    };
    let pick = |first: bool| if first { old } else { operand };
    match operation {
        Reduction::Add => old.wrapping_add(operand),
        Reduction::MinimumSigned => pick(signed(old) < signed(operand)),
        Reduction::MaximumSigned => pick(signed(old) > signed(operand)),
        Reduction::MinimumUnsigned | Reduction::Minimum => old.min(operand),
        Reduction::MaximumUnsigned | Reduction::Maximum => old.max(operand),
        Reduction::And => old & operand,
        Reduction::Or => old | operand,
    }
}

/// Selects the signed or unsigned form by the format, for reductions that leave it open.
fn resolved(operation: Reduction, format: Format) -> Reduction {
    let signed = matches!(format, Format::Signed8 | Format::Signed16 | Format::Signed32);
    match (operation, signed) {
        (Reduction::Minimum, true) => Reduction::MinimumSigned,
        (Reduction::Maximum, true) => Reduction::MaximumSigned,
        (Reduction::Minimum, false) => Reduction::MinimumUnsigned,
        (Reduction::Maximum, false) => Reduction::MaximumUnsigned,
        (operation, _) => operation,
    }
}

impl WarpMemory<'_> {
    pub(super) fn surface(&mut self, access: &SurfaceAccess, lane: usize) -> Result<(), LaneFault> {
        let image = match self.resource(access.surface, lane)? {
            Some(Resource::Surface(image)) => image,
            // Hardware treats it as a surface of the same array (conformance fact T144).
            Some(Resource::Texture(_)) => {
                let what = "a surface access to a texture";
                return Err(LaneFault::new(FaultKind::Unsupported, lane, what));
            }
            Some(Resource::Unsupported(what)) => {
                return Err(LaneFault::new(FaultKind::Unsupported, lane, *what));
            }
            Some(Resource::Nowhere) => {
                return Err(LaneFault::new(FaultKind::IllegalAddress, lane, "a surface without memory"));
            }
            // A handle without a resource reads as zeros, ignores writes, and never traps (measured).
            None | Some(Resource::Hole) => {
                self.nowhere(access, lane);
                return Ok(());
            }
        };
        if !fits(access, image.shape) {
            let word = access.coordinates.geometry.word();
            let what = format!("geometry .{word} of a surface that is {:?}", image.shape);
            return Err(LaneFault::new(FaultKind::Unsupported, lane, what));
        }
        if access.by_texel
            && matches!(access.action, SurfaceAction::Reduce { .. })
            && u32::from(access.size) != image.texel_bytes()
        {
            let what = "a reduction of another size than the texels have";
            return Err(LaneFault::new(FaultKind::Unsupported, lane, what));
        }
        let bytes = match &access.action {
            SurfaceAction::Load(places) | SurfaceAction::Store(places) => {
                u32::from(access.size) * places.len() as u32
            }
            SurfaceAction::StoreFormatted(_) => image.texel_bytes(),
            SurfaceAction::Reduce { .. } => u32::from(access.size),
        };
        let Some(address) = self.surface_address(access, image, bytes, lane)? else {
            return self.outside(access, lane);
        };
        let Some(place) = self.memory.find(self.cache, address, u64::from(bytes)) else {
            return Err(LaneFault::at(FaultKind::IllegalAddress, lane, address));
        };
        match &access.action {
            SurfaceAction::Load(places) => {
                for (index, target) in places.iter().enumerate() {
                    let value = load(place, index, access.size);
                    self.registers.set_place(*target, lane, value);
                }
            }
            SurfaceAction::Store(places) => {
                for (index, source) in places.iter().enumerate() {
                    store(place, index, access.size, read(self.registers, *source, lane));
                }
            }
            SurfaceAction::StoreFormatted(_) if image.format == Format::Unorm10 => {
                let what = "a formatted store to 10-bit channels and a 2-bit channel, \
                            whose rounding is unknown";
                return Err(LaneFault::new(FaultKind::Unsupported, lane, what));
            }
            SurfaceAction::StoreFormatted(slots) => {
                let size = image.format.bytes() as u8;
                for index in 0..image.channels as usize {
                    // Omitted channels are zero (measured).
                    let source = slots.get(index).map_or(0, |slot| self.registers.word(*slot, lane));
                    let value = texel::encode(image.format, source);
                    store(place, index, size, u64::from(value));
                }
            }
            SurfaceAction::Reduce { operation, operand } => {
                let operand = read(self.registers, *operand, lane);
                let operation = resolved(*operation, image.format);
                if bytes == 8 {
                    place.update64(|old| reduced(operation, 8, old, operand));
                } else {
                    place.update32(|old| reduced(operation, 4, u64::from(old), operand) as u32);
                }
            }
        }
        Ok(())
    }

    /// Executes an access outside of the surface.
    fn outside(&mut self, access: &SurfaceAccess, lane: usize) -> Result<(), LaneFault> {
        if access.outside == Outside::Trap {
            // An illegal address (measured on an H200).
            return Err(LaneFault::new(FaultKind::IllegalAddress, lane, "outside of the surface"));
        }
        self.nowhere(access, lane);
        Ok(())
    }

    fn nowhere(&mut self, access: &SurfaceAccess, lane: usize) {
        if let SurfaceAction::Load(places) = &access.action {
            for place in places {
                self.registers.set_place(*place, lane, 0);
            }
        }
    }

    /// Returns the address of an access of `bytes` bytes, or `None` if it is outside and its mode does not move it
    /// inside.
    fn surface_address(
        &self,
        access: &SurfaceAccess,
        image: &Image,
        bytes: u32,
        lane: usize,
    ) -> Result<Option<u64>, LaneFault> {
        let Some(level) = image.levels.first() else { return Ok(None) };
        let coordinates = &access.coordinates;
        let texel = i64::from(image.texel_bytes());
        let coordinate = |index: usize| {
            let slot = coordinates.parts.get(index);
            slot.map_or(0, |slot| i64::from(self.registers.word(*slot, lane).cast_signed()))
        };
        let mut at = [coordinate(0), coordinate(1), coordinate(2)];
        if access.by_texel {
            at[0] *= texel;
        }
        if coordinates.layer != NONE {
            // The hardware uses only the low 16 bits of the layer index (measured).
            at[2] = i64::from(self.registers.word(coordinates.layer, lane) & 0xffff);
        }
        let row = i64::from(level.size[0]) * texel;
        let most = [row - i64::from(bytes), i64::from(level.size[1]) - 1, i64::from(level.size[2]) - 1];
        if most.iter().any(|most| *most < 0) {
            return Ok(None);
        }
        if at[0].rem_euclid(i64::from(bytes)) != 0 {
            let mut trouble = LaneFault::new(FaultKind::MisalignedAddress, lane, "");
            trouble.detail = format!("byte {} of a row of a surface", at[0]);
            return Err(trouble);
        }
        let inside = at.iter().zip(most).all(|(at, most)| (0..=most).contains(at));
        if !inside && access.outside != Outside::Clamp {
            return Ok(None);
        }
        let [x, y, z] = [0, 1, 2].map(|index| at[index].clamp(0, most[index]).cast_unsigned());
        // Clamping selects the nearest offset that is a multiple of the access size.
        let x = x - x % u64::from(bytes);
        Ok(Some(level.address.wrapping_add(z * level.slice).wrapping_add(y * level.row).wrapping_add(x)))
    }
}

fn load(place: memory::Place<'_>, index: usize, size: u8) -> u64 {
    let offset = index * usize::from(size);
    match size {
        1 => u64::from(place.load::<1>(offset)[0]),
        2 => u64::from(u16::from_le_bytes(place.load(offset))),
        4 => u64::from(u32::from_le_bytes(place.load(offset))),
        _ => u64::from_le_bytes(place.load(offset)),
    }
}

fn store(place: memory::Place<'_>, index: usize, size: u8, value: u64) {
    let offset = index * usize::from(size);
    match size {
        1 => place.store(offset, (value as u8).to_le_bytes()),
        2 => place.store(offset, (value as u16).to_le_bytes()),
        4 => place.store(offset, (value as u32).to_le_bytes()),
        _ => place.store(offset, value.to_le_bytes()),
    }
}
