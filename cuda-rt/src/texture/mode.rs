//! Address modes and filter modes of textures.

use cuda_sys::{CUaddress_mode, CUfilter_mode};

/// Value that is read at a coordinate outside of a texture. For coordinates that are not
/// [normalised](super::TextureFlags::NORMALIZED_COORDINATES), [`Wrap`](AddressMode::Wrap) and [`Mirror`](AddressMode::Mirror) are
/// accepted, and have the effect of [`Clamp`](AddressMode::Clamp).
///
/// ```
/// use cuda_rt::texture::{AddressMode, TextureDescriptor};
///
/// assert_eq!(TextureDescriptor::default().address_modes, [AddressMode::Clamp; 3]);
/// ```
#[doc(alias("CUaddress_mode", "cudaTextureAddressMode"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum AddressMode {
    /// The texture repeated.
    #[doc(alias = "CU_TR_ADDRESS_MODE_WRAP")]
    Wrap,
    /// The outermost texel repeated.
    #[doc(alias = "CU_TR_ADDRESS_MODE_CLAMP")]
    #[default]
    Clamp,
    /// The texture repeated, every other time backwards.
    #[doc(alias = "CU_TR_ADDRESS_MODE_MIRROR")]
    Mirror,
    /// The border colour.
    #[doc(alias = "CU_TR_ADDRESS_MODE_BORDER")]
    Border,
    /// A mode that CUDA 13.5 does not name.
    Other(u32),
}

impl AddressMode {
    pub(crate) fn from_raw(raw: CUaddress_mode) -> Self {
        match raw {
            CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP => Self::Wrap,
            CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP => Self::Clamp,
            CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR => Self::Mirror,
            CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER => Self::Border,
            other => Self::Other(other.0),
        }
    }

    pub(crate) fn as_raw(self) -> CUaddress_mode {
        match self {
            Self::Wrap => CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP,
            Self::Clamp => CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP,
            Self::Mirror => CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR,
            Self::Border => CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER,
            Self::Other(number) => CUaddress_mode(number),
        }
    }
}

/// Texels that contribute to a value.
///
/// ```
/// use cuda_rt::texture::{FilterMode, TextureDescriptor};
///
/// assert_eq!(TextureDescriptor::default().filter_mode, FilterMode::Point);
/// ```
#[doc(alias("CUfilter_mode", "cudaTextureFilterMode"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum FilterMode {
    /// The texel that contains the coordinate.
    #[doc(alias = "CU_TR_FILTER_MODE_POINT")]
    #[default]
    Point,
    /// The two nearest texels along each dimension, with weights of 256ths. Integers that are read as integers are filtered too,
    /// and rounded.
    #[doc(alias = "CU_TR_FILTER_MODE_LINEAR")]
    Linear,
    /// A mode that CUDA 13.5 does not name.
    Other(u32),
}

impl FilterMode {
    pub(crate) fn from_raw(raw: CUfilter_mode) -> Self {
        match raw {
            CUfilter_mode::CU_TR_FILTER_MODE_POINT => Self::Point,
            CUfilter_mode::CU_TR_FILTER_MODE_LINEAR => Self::Linear,
            other => Self::Other(other.0),
        }
    }

    pub(crate) fn as_raw(self) -> CUfilter_mode {
        match self {
            Self::Point => CUfilter_mode::CU_TR_FILTER_MODE_POINT,
            Self::Linear => CUfilter_mode::CU_TR_FILTER_MODE_LINEAR,
            Self::Other(number) => CUfilter_mode(number),
        }
    }
}
