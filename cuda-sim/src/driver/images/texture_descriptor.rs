//! Sources of textures: an image, and the parameters of reading it. References and objects share them.

use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::images::array::{Backing, MAPPED, Snapshot};
use crate::driver::images::array_format::{content_of, plain_texel};
use crate::driver::{Answer, State};
use core::ffi::c_uint;
use core::sync::atomic::Ordering;
use cuda_sim_engine::{
    AddressMode, BLOCK_SIDE, Codec, Filter, Format, Image, Level, Resource, Shape, Texel, Texture,
};
use cuda_sys::{
    CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION, CU_TRSF_NORMALIZED_COORDINATES, CU_TRSF_READ_AS_INTEGER,
    CU_TRSF_SEAMLESS_CUBEMAP, CU_TRSF_SRGB, CUaddress_mode, CUarray_format, CUfilter_mode, CUresult,
};
use std::sync::Arc;

/// Sampled resource. For arrays, this is their state at the time of the binding. Neither references nor objects detect
/// that an array was destroyed (conformance fact T133).
#[derive(Clone)]
pub(crate) enum Bound {
    Nothing,
    Array(Handle, Arc<Snapshot>),
    Mipmapped(Handle, Arc<Snapshot>),
    Linear { address: u64, bytes: u64 },
    Pitched { address: u64, width: u32, height: u32, pitch: u64 },
}

/// View of an array: its levels and layers, and the format of its texels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) texel: Texel,
    pub(crate) levels: [u32; 2],
    pub(crate) layers: [u32; 2],
}

/// Image and the parameters of reading it.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) bound: Bound,
    /// True for the texels of plain memory, and for texels of arrays as a reference interprets them.
    pub(crate) own_texels: bool,
    pub(crate) format: CUarray_format,
    pub(crate) channels: c_uint,
    pub(crate) addresses: [CUaddress_mode; 3],
    pub(crate) filter: CUfilter_mode,
    pub(crate) level_filter: CUfilter_mode,
    pub(crate) bias: f32,
    pub(crate) level_range: [f32; 2],
    pub(crate) anisotropy: c_uint,
    pub(crate) border: [f32; 4],
    pub(crate) flags: c_uint,
    pub(crate) view: Option<View>,
}

pub(crate) fn address_mode(mode: CUaddress_mode) -> Answer<AddressMode> {
    Ok(match mode.0 {
        0 => AddressMode::Wrap,
        1 => AddressMode::Clamp,
        2 => AddressMode::Mirror,
        3 => AddressMode::Border,
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    })
}

pub(crate) fn filter_mode(mode: CUfilter_mode) -> Answer<Filter> {
    match mode.0 {
        0 => Ok(Filter::Point),
        1 => Ok(Filter::Linear),
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// Checks flags. Only the flag for edges of cubes is restricted, to cubes (conformance fact T141).
pub(crate) fn check_flags(flags: c_uint, of_cubes: bool) -> Answer {
    const KNOWN: c_uint = CU_TRSF_READ_AS_INTEGER
        | CU_TRSF_NORMALIZED_COORDINATES
        | CU_TRSF_SRGB
        | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION
        | UNNAMED;
    // Flags without names and known meaning, which are accepted (conformance fact T141).
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

/// Returns the bytes of a texel in the count of references, which accept any format and any number of channels
/// (conformance fact T140).
pub(crate) fn counted_bytes(format: CUarray_format, channels: c_uint) -> u64 {
    let bytes = match format.0 {
        0x02 | 0x09 | 0x10 => 2,
        0x03 | 0x0a | 0x20 => 4,
        _ => 1,
    };
    (bytes * u64::from(channels)).max(1)
}

impl State {
    /// Checks that a context can access an array. Arrays of another context need peer access, which is impossible on
    /// one device (conformance fact T134).
    pub(crate) fn check_array(&self, context: Handle, array: Handle) -> Answer {
        if context == array || self.live_context(context)?.peers.contains(array) {
            Ok(())
        } else {
            Err(CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED)
        }
    }
}

/// Reason why the values that a kernel reads are not known.
const TEXELS: &str = "a texture whose texels have a format that is not simulated";

impl Source {
    /// Returns the resource as kernels see it, or `None` without a binding.
    pub(crate) fn resource(&self) -> Option<Resource> {
        const MODES: &str = "a texture with an address or filter mode that there is not";
        const COLOUR: &str = "a border colour that texels of blocks cannot have";
        const VIEW: &str = "a texture whose view has levels or layers that there are not";
        let other = |why| Some(Resource::Unsupported(why));
        let mut image = match self.image() {
            Ok(image) => image,
            Err(instead) => return instead,
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
        let bordered = addresses.contains(&AddressMode::Border);
        let border = match image.codec.filter(|_| bordered) {
            None => self.border,
            Some(codec) => match codec.border(self.border) {
                Some(border) => border,
                None => return other(COLOUR),
            },
        };
        let mipmapped = matches!(self.bound, Bound::Mipmapped(..));
        Some(Resource::Texture(Texture {
            image,
            addresses,
            filter,
            level_filter,
            bias: self.bias,
            level_range: self.level_range,
            anisotropy: self.anisotropy,
            border,
            reads_integers: self.flags & CU_TRSF_READ_AS_INTEGER != 0,
            // With levels, coordinates are normalised regardless of the flag (measured).
            normalized: mipmapped || self.flags & CU_TRSF_NORMALIZED_COORDINATES != 0,
            mipmapped,
            srgb: self.flags & CU_TRSF_SRGB != 0,
        }))
    }

    /// Returns the texels, or the resource that kernels see instead.
    fn image(&self) -> Result<Image, Option<Resource>> {
        const ROWS: &str = "a texture of rows that have no texels, or of no rows";
        match &self.bound {
            Bound::Nothing => Err(None),
            Bound::Array(_, array) | Bound::Mipmapped(_, array) => self.image_of(array),
            &Bound::Linear { address, bytes } => {
                let texel = self.plain_texel()?;
                // One texel can always be read (conformance fact T138).
                let texels = u32::try_from(bytes / u64::from(texel.bytes())).map_err(|_| None)?;
                let size = [texels.max(1), 1, 1];
                Ok(plain(texel, Shape::Linear, Level { address, size, row: bytes, slice: bytes }))
            }
            &Bound::Pitched { address, width, height, pitch } => {
                let texel = self.plain_texel()?;
                if width == 0 || height == 0 {
                    return Err(Some(Resource::Unsupported(ROWS)));
                }
                let slice = pitch * u64::from(height);
                let size = [width, height, 1];
                Ok(plain(texel, Shape::Pitched, Level { address, size, row: pitch, slice }))
            }
        }
    }

    /// Returns the texels of an array in its own format, or in that of a reference.
    fn image_of(&self, array: &Snapshot) -> Result<Image, Option<Resource>> {
        const SIZE: &str = "a texture whose texels have another size than the array's";
        const BORDER: &str =
            "a texture of a sparse array with a border, or in blocks other than those of BC7";
        let other = |why| Err(Some(Resource::Unsupported(why)));
        let codec = array.largest.content.codec();
        if array.largest.has_memory.load(Ordering::Relaxed) {
            return other(MAPPED);
        }
        match array.largest.backing {
            Backing::Own => {}
            Backing::Later => return Err(Some(Resource::Nowhere)),
            Backing::Sparse => {
                let bordered =
                    self.addresses.iter().any(|mode| address_mode(*mode) == Ok(AddressMode::Border));
                let known = !bordered && matches!(codec, None | Some(Codec::Bc7));
                return if known { Err(Some(Resource::Hole)) } else { other(BORDER) };
            }
        }
        let Some(mut image) = array.image.clone() else { return other(TEXELS) };
        let descriptor = &array.largest.descriptor;
        let given = (self.format, self.channels);
        // Blocks always have the format of their array, as do texels whose format the reference does not change.
        if self.own_texels && codec.is_none() && (descriptor.Format, descriptor.NumChannels) != given {
            // Unknown formats read as zeros, as do three channels (conformance fact T140). For arrays, only the lowest
            // byte of the format counts. It is not known if this holds here.
            let content = content_of(self.format, self.channels).map_err(|_| None)?;
            let known = |texel: &Texel| texel.codec.is_none() && self.format.0 <= 0xff;
            let Some(texel) = content.texel().filter(known) else {
                return other(TEXELS);
            };
            if image.texel_bytes() != texel.bytes() {
                return other(SIZE);
            }
            (image.format, image.channels) = (texel.format, texel.channels);
        }
        Ok(image)
    }

    /// Returns the texels of plain memory. Unknown formats read as zeros, as do three channels (conformance fact T140).
    /// The result for formats of arrays is not known.
    fn plain_texel(&self) -> Result<Texel, Option<Resource>> {
        plain_texel(self.format, self.channels)
            .map_err(|_| content_of(self.format, self.channels).ok().map(|_| Resource::Unsupported(TEXELS)))
    }
}

/// Returns an image in plain memory.
fn plain(texel: Texel, shape: Shape, level: Level) -> Image {
    let Texel { format, channels, codec } = texel;
    Image { format, channels, codec, shape, levels: vec![level] }
}

/// Reduces an image to the part that a view shows. Returns `None` if there is no such part.
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
    if view.texel.codec.is_some() {
        for level in &mut image.levels {
            // Texels become blocks.
            let [width, height, _] = &mut level.size;
            *width = width.checked_mul(BLOCK_SIDE)?;
            *height = height.checked_mul(BLOCK_SIDE)?;
        }
    }
    Texel { format: image.format, channels: image.channels, codec: image.codec } = view.texel;
    Some(())
}

/// Returns the texels of a view's format. The numbers of the formats list each type with its numbers of channels, then
/// the blocks.
pub(crate) fn view_texel(format: u32) -> Option<Texel> {
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
    const CODECS: [Codec; 10] = [
        Codec::Bc1,
        Codec::Bc2,
        Codec::Bc3,
        Codec::Bc4 { signed: false },
        Codec::Bc4 { signed: true },
        Codec::Bc5 { signed: false },
        Codec::Bc5 { signed: true },
        Codec::Bc6h { signed: false },
        Codec::Bc6h { signed: true },
        Codec::Bc7,
    ];
    let index = (format as usize).checked_sub(1)?;
    if let Some(format) = TYPES.get(index / 3) {
        return Some(Texel::new(*format, 1 << (index % 3)));
    }
    let codec = *CODECS.get(index - 3 * TYPES.len())?;
    // Channels that a codec lacks are 0 in views, including opacity (conformance fact T110).
    Some(Texel { format: codec.format(), channels: codec.channels(), codec: Some(codec) })
}
