//! Settings of a texture.

use super::{AddressMode, FilterMode};
use core::ffi::c_int;
use cuda_sys::CUDA_TEXTURE_DESC;

flags! {
    /// Flags for texels and coordinates. Flags that this crate does not know are passed on.
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
        /// Integers that are read as integers. Without the flag, integers of 8 and 16 bits become fractions of the largest one,
        /// from 0 or -1 to 1.
        #[doc(alias("CU_TRSF_READ_AS_INTEGER", "cudaReadModeElementType", "cudaReadModeNormalizedFloat"))]
        const READ_AS_INTEGER = cuda_sys::CU_TRSF_READ_AS_INTEGER;
        /// Coordinates from 0 to 1, instead of over the number of texels.
        #[doc(alias = "CU_TRSF_NORMALIZED_COORDINATES")]
        const NORMALIZED_COORDINATES = cuda_sys::CU_TRSF_NORMALIZED_COORDINATES;
        /// Colours of 8 bits that are stored by the sRGB curve, and read as linear light. The fourth channel is not converted.
        /// Without effect for other texels.
        #[doc(alias = "CU_TRSF_SRGB")]
        const SRGB = cuda_sys::CU_TRSF_SRGB;
        /// Filtering between levels without its optimisation.
        #[doc(alias = "CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION")]
        const DISABLE_TRILINEAR_OPTIMIZATION = cuda_sys::CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
        /// Filtering across the edges of a cube.
        #[doc(alias = "CU_TRSF_SEAMLESS_CUBEMAP")]
        const SEAMLESS_CUBEMAP = cuda_sys::CU_TRSF_SEAMLESS_CUBEMAP;
        const _ = !0;
    }
}

/// Settings of a [texture object](super::TexObject). The defaults are those of a new texture reference: clamped, point sampled,
/// with coordinates in texels, and integers as fractions.
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
    /// Address mode along each dimension, for coordinates outside of the texture.
    pub address_modes: [AddressMode; 3],
    /// Filter mode: the texels that contribute to a value.
    pub filter_mode: FilterMode,
    /// Flags for texels and coordinates.
    pub flags: TextureFlags,
    /// Largest number of samples along a slanted surface: 1 to 16, or 0 as 1. Drivers accept any number.
    pub max_anisotropy: u32,
    /// Filter mode between levels.
    pub mipmap_filter_mode: FilterMode,
    /// Bias, which is added to the level of detail.
    pub mipmap_level_bias: f32,
    /// Least and greatest level of detail. By default both are 0: only the largest level is read, whatever level a kernel
    /// requests.
    pub mipmap_level_clamp: [f32; 2],
    /// Four channels that are read outside of the texture with [`AddressMode::Border`].
    pub border_color: [f32; 4],
}

impl TextureDescriptor {
    /// Returns the driver's form of the settings.
    pub(crate) fn as_raw(&self) -> CUDA_TEXTURE_DESC {
        let [x, y, z] = self.address_modes;
        CUDA_TEXTURE_DESC {
            addressMode: [x.as_raw(), y.as_raw(), z.as_raw()],
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

    /// Returns the settings for the driver's form.
    pub(crate) fn from_raw(raw: &CUDA_TEXTURE_DESC) -> Self {
        let [x, y, z] = raw.addressMode;
        TextureDescriptor {
            address_modes: [AddressMode::from_raw(x), AddressMode::from_raw(y), AddressMode::from_raw(z)],
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
