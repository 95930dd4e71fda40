//! How a texture is read.

use super::{AddressMode, FilterMode};
use core::ffi::c_int;
use cuda_sys::CUDA_TEXTURE_DESC;

flags! {
    /// How texels and coordinates are taken. Flags that this crate does not know are handed on.
    ///
    /// ```
    /// use cuda_rt::texture::TextureFlags;
    ///
    /// let flags = TextureFlags::READ_AS_INTEGER | TextureFlags::NORMALIZED_COORDINATES;
    /// assert_eq!(flags.bits(), 3);
    /// ```
    #[doc(alias = "CU_TRSF")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct TextureFlags {
        /// Integers are read as they are. Without it, those of 8 and 16 bits become fractions of the largest, from 0 or -1
        /// to 1.
        #[doc(alias("CU_TRSF_READ_AS_INTEGER", "cudaReadModeElementType", "cudaReadModeNormalizedFloat"))]
        const READ_AS_INTEGER = cuda_sys::CU_TRSF_READ_AS_INTEGER;
        /// Coordinates go from 0 to 1, instead of over the number of texels.
        #[doc(alias = "CU_TRSF_NORMALIZED_COORDINATES")]
        const NORMALIZED_COORDINATES = cuda_sys::CU_TRSF_NORMALIZED_COORDINATES;
        /// Colours of 8 bits are stored by the sRGB curve, and read as linear light. The fourth channel is not. It means nothing
        /// to other texels.
        #[doc(alias = "CU_TRSF_SRGB")]
        const SRGB = cuda_sys::CU_TRSF_SRGB;
        /// Filtering between levels is not made cheaper.
        #[doc(alias = "CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION")]
        const DISABLE_TRILINEAR_OPTIMIZATION = cuda_sys::CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
        /// Filtering goes on across the edges of a cube.
        #[doc(alias = "CU_TRSF_SEAMLESS_CUBEMAP")]
        const SEAMLESS_CUBEMAP = cuda_sys::CU_TRSF_SEAMLESS_CUBEMAP;
        const _ = !0;
    }
}

/// How a [texture object](super::TexObject) is read. By default as a fresh texture reference: clamped, point sampled, with
/// coordinates in texels, integers as fractions.
///
/// ```
/// use cuda_rt::texture::{AddressMode, FilterMode, TextureDescriptor, TextureFlags};
///
/// let smooth = TextureDescriptor {
///     address_modes: [AddressMode::Wrap; 3],
///     filter_mode: FilterMode::Linear,
///     flags: TextureFlags::NORMALIZED_COORDINATES,
///     ..TextureDescriptor::default()
/// };
/// assert_eq!(smooth.max_anisotropy, 0);
/// ```
#[doc(alias("CUDA_TEXTURE_DESC", "cudaTextureDesc"))]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TextureDescriptor {
    /// What is read outside, along each dimension.
    pub address_modes: [AddressMode; 3],
    /// Which texels a value is made of.
    pub filter_mode: FilterMode,
    /// How texels and coordinates are taken.
    pub flags: TextureFlags,
    /// How many samples are taken along a slanted surface, at most: 1 to 16, or 0 as 1. Drivers take any number.
    pub max_anisotropy: u32,
    /// Which levels a value is made of.
    pub mipmap_filter_mode: FilterMode,
    /// What is added to the level of detail.
    pub mipmap_level_bias: f32,
    /// The least and the greatest level of detail. By default both are 0: the largest level alone, whatever a kernel asks for.
    pub mipmap_level_clamp: [f32; 2],
    /// What is read outside with [`AddressMode::Border`]: the four channels.
    pub border_color: [f32; 4],
}

impl TextureDescriptor {
    /// As the driver has it.
    pub(crate) fn as_raw(&self) -> CUDA_TEXTURE_DESC {
        CUDA_TEXTURE_DESC {
            addressMode: self.address_modes.map(AddressMode::as_raw),
            filterMode: self.filter_mode.as_raw(),
            flags: self.flags.bits(),
            maxAnisotropy: self.max_anisotropy,
            mipmapFilterMode: self.mipmap_filter_mode.as_raw(),
            mipmapLevelBias: self.mipmap_level_bias,
            minMipmapLevelClamp: self.mipmap_level_clamp[0],
            maxMipmapLevelClamp: self.mipmap_level_clamp[1],
            borderColor: self.border_color,
            reserved: [0 as c_int; 12],
        }
    }

    /// As this crate has it.
    pub(crate) fn from_raw(raw: &CUDA_TEXTURE_DESC) -> Self {
        TextureDescriptor {
            address_modes: raw.addressMode.map(AddressMode::from_raw),
            filter_mode: FilterMode::from_raw(raw.filterMode),
            flags: TextureFlags::from_bits_retain(raw.flags),
            max_anisotropy: raw.maxAnisotropy,
            mipmap_filter_mode: FilterMode::from_raw(raw.mipmapFilterMode),
            mipmap_level_bias: raw.mipmapLevelBias,
            mipmap_level_clamp: [raw.minMipmapLevelClamp, raw.maxMipmapLevelClamp],
            border_color: raw.borderColor,
        }
    }
}
