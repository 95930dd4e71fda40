//! What a texture is made of: an image, and how it is read. References and objects have it alike.

use super::array::{format_of, texel_of};
use super::general::say;
use super::handles::Handle;
use super::{Answer, State};
use crate::exec::{AddressMode, Filter, Format, Image, Level, Resource, Shape, Texture};
use core::ffi::c_uint;
use cuda_sys::{
    CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION, CU_TRSF_NORMALIZED_COORDINATES, CU_TRSF_READ_AS_INTEGER,
    CU_TRSF_SEAMLESS_CUBEMAP, CU_TRSF_SRGB, CUaddress_mode, CUarray_format, CUfilter_mode, CUresult,
};
use std::sync::Arc;

/// What is sampled. Of arrays, what they were when they were bound: neither references nor objects notice that one is gone
/// (T133).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bound {
    Nothing,
    Array(Handle, Arc<Image>),
    Mipmapped(Handle, Arc<Image>),
    Linear { address: u64, bytes: u64 },
    Pitched { address: u64, width: u32, height: u32, pitch: u64 },
}

/// Another look at an array: which levels and layers, and what their texels are.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) texel: Option<(Format, u32)>,
    pub(super) levels: [u32; 2],
    pub(super) layers: [u32; 2],
}

/// An image and how it is read.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) bound: Bound,
    /// The texels of plain memory, and those of arrays as a reference takes them.
    pub(super) own_texels: bool,
    pub(super) format: CUarray_format,
    pub(super) channels: c_uint,
    pub(super) addresses: [CUaddress_mode; 3],
    pub(super) filter: CUfilter_mode,
    pub(super) level_filter: CUfilter_mode,
    pub(super) bias: f32,
    pub(super) level_range: [f32; 2],
    pub(super) anisotropy: c_uint,
    pub(super) border: [f32; 4],
    pub(super) flags: c_uint,
    pub(super) view: Option<View>,
}

pub(super) fn address_mode(mode: CUaddress_mode) -> Answer<AddressMode> {
    Ok(match mode.0 {
        0 => AddressMode::Wrap,
        1 => AddressMode::Clamp,
        2 => AddressMode::Mirror,
        3 => AddressMode::Border,
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    })
}

pub(super) fn filter_mode(mode: CUfilter_mode) -> Answer<Filter> {
    match mode.0 {
        0 => Ok(Filter::Point),
        1 => Ok(Filter::Linear),
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// Edges of cubes are the one thing that only cubes have a flag for (T141).
pub(super) fn check_flags(flags: c_uint, of_cubes: bool) -> Answer {
    const KNOWN: c_uint = CU_TRSF_READ_AS_INTEGER
        | CU_TRSF_NORMALIZED_COORDINATES
        | CU_TRSF_SRGB
        | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION
        | UNNAMED;
    // They have no names and no known meaning, and are taken (T141).
    const UNNAMED: c_uint = 0xc;
    if flags & !(KNOWN | CU_TRSF_SEAMLESS_CUBEMAP) != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if flags & CU_TRSF_SEAMLESS_CUBEMAP == 0 {
        return Ok(());
    }
    if !of_cubes {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    say("seamless cube maps are not simulated");
    Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
}

/// Whether texels of plain memory can have this format: those that names of types say.
fn is_plain(format: CUarray_format) -> bool {
    matches!(format.0, 0x01 | 0x02 | 0x03 | 0x08 | 0x09 | 0x0a | 0x10 | 0x20)
}

/// The texels of plain memory that objects are made of (T138, T139).
pub(super) fn plain_texel(format: CUarray_format, channels: c_uint) -> Answer<(Format, u32)> {
    if is_plain(format) { texel_of(format, channels) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) }
}

/// The bytes of a texel as references count them, which take any format and any number of channels (T140).
pub(super) fn counted_bytes(format: CUarray_format, channels: c_uint) -> u64 {
    let bytes = match format.0 {
        0x02 | 0x09 | 0x10 => 2,
        0x03 | 0x0a | 0x20 => 4,
        _ => 1,
    };
    (bytes * u64::from(channels)).max(1)
}

impl State {
    /// Arrays of another context are within reach as far as access to it was enabled, which it cannot be on one device
    /// (T134).
    pub(super) fn check_array(&self, context: Handle, array: Handle) -> Answer {
        if context == array || self.live_context(context)?.peers.contains(&array) {
            Ok(())
        } else {
            Err(CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED)
        }
    }
}

impl Source {
    /// What kernels see; nothing if nothing is bound.
    pub(super) fn resource(&self) -> Option<Resource> {
        const TEXELS: &str = "a texture whose texels have a format that is not simulated";
        const SIZE: &str = "a texture whose texels have another size than the array's";
        const MODES: &str = "a texture with an address or filter mode that there is not";
        const VIEW: &str = "a texture whose view has levels or layers that there are not";
        const ROWS: &str = "a texture of rows that have no texels, or of no rows";
        let other = |why| Some(Resource::Unsupported(why));
        let plain = matches!(self.bound, Bound::Linear { .. } | Bound::Pitched { .. });
        let mut own = None;
        if plain || self.own_texels {
            if plain && !is_plain(self.format) && format_of(self.format).is_ok() {
                return other(TEXELS);
            }
            match texel_of(self.format, self.channels) {
                Ok(texel) => own = Some(texel),
                // Formats that there are not read as zeros, and so do three channels (T140).
                Err(CUresult::CUDA_ERROR_INVALID_VALUE) => return None,
                Err(_) => return other(TEXELS),
            }
        }
        let (format, channels) = own.unwrap_or((Format::Float, 1));
        let texel = u64::from(format.bytes() * channels);
        let mut image = match &self.bound {
            Bound::Nothing => return None,
            Bound::Array(_, image) | Bound::Mipmapped(_, image) => {
                let mut image = (**image).clone();
                if let Some((format, channels)) = own {
                    if image.texel_bytes() != format.bytes() * channels {
                        return other(SIZE);
                    }
                    (image.format, image.channels) = (format, channels);
                }
                image
            }
            &Bound::Linear { address, bytes } => {
                // There is one to be read in any case (T138).
                let size = [u32::try_from(bytes / texel).ok()?.max(1), 1, 1];
                let levels = vec![Level { address, size, row: bytes, slice: bytes }];
                Image { format, channels, shape: Shape::Linear, levels }
            }
            Bound::Pitched { width: 0, .. } | Bound::Pitched { height: 0, .. } => return other(ROWS),
            &Bound::Pitched { address, width, height, pitch } => {
                let slice = pitch * u64::from(height);
                let levels = vec![Level { address, size: [width, height, 1], row: pitch, slice }];
                Image { format, channels, shape: Shape::Pitched, levels }
            }
        };
        if let Some(view) = self.view
            && viewed(&mut image, view).is_none()
        {
            return other(VIEW);
        }
        let mut addresses = [AddressMode::default(); 3];
        for (index, (mode, given)) in addresses.iter_mut().zip(self.addresses).enumerate() {
            match address_mode(given) {
                Ok(known) => *mode = known,
                Err(_) if index >= image.shape.dimensions().into() => {}
                Err(_) => return other(MODES),
            }
        }
        let [Ok(filter), Ok(level_filter)] = [self.filter, self.level_filter].map(filter_mode) else {
            return other(MODES);
        };
        Some(Resource::Texture(Texture {
            image,
            addresses,
            filter,
            level_filter,
            bias: self.bias,
            level_range: self.level_range,
            anisotropy: self.anisotropy,
            border: self.border,
            reads_integers: self.flags & CU_TRSF_READ_AS_INTEGER != 0,
            normalized: self.flags & CU_TRSF_NORMALIZED_COORDINATES != 0,
            srgb: self.flags & CU_TRSF_SRGB != 0,
        }))
    }
}

/// The part of an image that a view shows, if it is one.
fn viewed(image: &mut Image, view: View) -> Option<()> {
    let [first, last] = view.levels.map(|level| level as usize);
    image.levels = image.levels.get(first..=last)?.to_vec();
    let [first, last] = view.layers;
    if matches!(image.shape, Shape::Layered(_) | Shape::LayeredCube) {
        let count = last.checked_sub(first)?.checked_add(1)?;
        if image.shape == Shape::LayeredCube && !(first.is_multiple_of(6) && count.is_multiple_of(6)) {
            return None;
        }
        for level in &mut image.levels {
            if last >= level.size[2] {
                return None;
            }
            level.address = level.address.checked_add(u64::from(first).checked_mul(level.slice)?)?;
            level.size[2] = count;
        }
    }
    if let Some((format, channels)) = view.texel {
        image.format = format;
        image.channels = channels;
    }
    Some(())
}

/// Whether a view's format is of blocks of texels.
pub(super) fn is_compressed(format: u32) -> bool {
    matches!(format, 25..=34)
}

/// The texels of a view's format: as many of each type as the numbers of the formats say.
pub(super) fn view_texel(format: u32) -> Answer<Option<(Format, u32)>> {
    const TYPES: [Format; 8] = [
        Format::Unsigned8,
        Format::Signed8,
        Format::Unsigned16,
        Format::Signed16,
        Format::Unsigned32,
        Format::Signed32,
        Format::Half,
        Format::Float,
    ];
    match format {
        0 => Ok(None),
        1..=24 => {
            let index = format as usize - 1;
            Ok(TYPES.get(index / 3).map(|found| (*found, 1 << (index % 3))))
        }
        _ if is_compressed(format) => {
            say("views of compressed formats are not simulated");
            Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}
