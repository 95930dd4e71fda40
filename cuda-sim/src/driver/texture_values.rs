//! What a texture is made of: an image, and how it is read. References and objects have it alike.

use super::array::{format_of, texel_of};
use super::general::say;
use super::handles::Handle;
use super::images::Images;
use super::{Answer, State};
use crate::exec::{AddressMode, Filter, Format, Image, Level, Resource, Shape, Texture};
use core::ffi::c_uint;
use cuda_sys::{
    CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION, CU_TRSF_NORMALIZED_COORDINATES, CU_TRSF_READ_AS_INTEGER,
    CU_TRSF_SEAMLESS_CUBEMAP, CU_TRSF_SRGB, CUaddress_mode, CUarray_format, CUdevice,
    CUdevice_attribute_enum as Limit, CUfilter_mode, CUresult,
};

/// What is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Nothing,
    Array(Handle),
    Mipmapped(Handle),
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
#[derive(Debug, Clone, Copy)]
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

pub(super) fn check_flags(flags: c_uint) -> Answer {
    const KNOWN: c_uint = CU_TRSF_READ_AS_INTEGER
        | CU_TRSF_NORMALIZED_COORDINATES
        | CU_TRSF_SRGB
        | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    if flags & CU_TRSF_SEAMLESS_CUBEMAP != 0 {
        say("seamless cube maps are not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    if flags & !KNOWN != 0 { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(()) }
}

impl State {
    /// Whether plain memory can be sampled as rows: from where on, how large, how far apart.
    pub(super) fn check_rows(
        &self,
        device: CUdevice,
        address: u64,
        [width, height, pitch]: [u64; 3],
    ) -> Answer {
        let limit = |limit: Limit| self.limit_of(device, limit);
        // Rows that are longer than the pitch run into the next (measured).
        let fits = width <= limit(Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH)
            && height <= limit(Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)
            && pitch <= limit(Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH);
        let aligned = address.is_multiple_of(limit(Limit::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).max(1))
            && pitch.is_multiple_of(limit(Limit::CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT).max(1));
        if width == 0 || height == 0 || !fits || !aligned {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        self.check_known(address, 1)
    }

    /// Whether plain memory can be sampled as a line. That it is as long is not looked at (measured).
    pub(super) fn check_line(
        &self,
        device: CUdevice,
        address: u64,
        bytes: u64,
        texel: Option<(Format, u32)>,
    ) -> Answer {
        let limit = self.limit_of(device, Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
        if texel.is_some_and(|(format, channels)| bytes / u64::from(format.bytes() * channels) > limit) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        self.check_known(address, 1)
    }

    /// Arrays of another device are within reach as far as access to their context was enabled (measured).
    pub(super) fn check_device(&self, context: Handle, array: Handle) -> Answer {
        let own = self.live_context(context)?;
        if own.device == self.live_context(array)?.device || own.peers.contains(&array) {
            Ok(())
        } else {
            Err(CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED)
        }
    }
}

impl Images {
    /// What kernels see; nothing if nothing is bound, or if what was bound is gone.
    pub(super) fn texture_of(&self, source: &Source) -> Option<Resource> {
        const TEXELS: &str = "a texture whose texels have a format that is not simulated";
        const SIZE: &str = "a texture whose texels have another size than the array's";
        const MODES: &str = "a texture with an address or filter mode that there is not";
        let texel = || texel_of(source.format, source.channels).ok();
        let mut image = match source.bound {
            Bound::Nothing => return None,
            Bound::Array(handle) => {
                let mut image = self.image_of_array(handle)?;
                if source.own_texels {
                    let Some((format, channels)) = texel() else {
                        return Some(Resource::Unsupported(TEXELS));
                    };
                    if image.texel_bytes() != format.bytes() * channels {
                        return Some(Resource::Unsupported(SIZE));
                    }
                    (image.format, image.channels) = (format, channels);
                }
                image
            }
            Bound::Mipmapped(handle) => self.image_of_mipmapped(handle)?,
            Bound::Linear { address, bytes } => {
                let Some((format, channels)) = texel() else { return Some(Resource::Unsupported(TEXELS)) };
                let texels = bytes / u64::from(format.bytes() * channels);
                let size = [u32::try_from(texels).ok()?, 1, 1];
                let levels = vec![Level { address, size, row: bytes, slice: bytes }];
                Image { format, channels, shape: Shape::Linear, levels }
            }
            Bound::Pitched { address, width, height, pitch } => {
                let Some((format, channels)) = texel() else { return Some(Resource::Unsupported(TEXELS)) };
                let slice = pitch * u64::from(height);
                let levels = vec![Level { address, size: [width, height, 1], row: pitch, slice }];
                Image { format, channels, shape: Shape::Pitched, levels }
            }
        };
        if let Some(view) = source.view {
            viewed(&mut image, view)?;
        }
        let [Ok(x), Ok(y), Ok(z)] = source.addresses.map(address_mode) else {
            return Some(Resource::Unsupported(MODES));
        };
        let [Ok(filter), Ok(level_filter)] = [source.filter, source.level_filter].map(filter_mode) else {
            return Some(Resource::Unsupported(MODES));
        };
        Some(Resource::Texture(Texture {
            image,
            addresses: [x, y, z],
            filter,
            level_filter,
            bias: source.bias,
            level_range: source.level_range,
            anisotropy: source.anisotropy,
            border: source.border,
            reads_integers: source.flags & CU_TRSF_READ_AS_INTEGER != 0,
            normalized: source.flags & CU_TRSF_NORMALIZED_COORDINATES != 0,
            srgb: source.flags & CU_TRSF_SRGB != 0,
        }))
    }
}

/// The part of an image that a view shows.
fn viewed(image: &mut Image, view: View) -> Option<()> {
    let [first, last] = view.levels.map(|level| level as usize);
    image.levels = image.levels.get(first..=last)?.to_vec();
    let [first, last] = view.layers;
    if matches!(image.shape, Shape::Layered(_) | Shape::LayeredCube) {
        for level in &mut image.levels {
            level.address = level.address.checked_add(u64::from(first).checked_mul(level.slice)?)?;
            level.size[2] = last.checked_sub(first)?.checked_add(1)?;
        }
    }
    if let Some((format, channels)) = view.texel {
        image.format = format;
        image.channels = channels;
    }
    Some(())
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
        25..=34 => {
            say("views of compressed formats are not simulated");
            Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// Whether plain memory can have texels of this format.
pub(super) fn plain_texel(format: CUarray_format, channels: c_uint) -> Answer<(Format, u32)> {
    format_of(format)?;
    texel_of(format, channels)
}
