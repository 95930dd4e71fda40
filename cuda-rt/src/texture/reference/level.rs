//! Levels of detail and anisotropy of texture references.

#![allow(unsafe_code)]

use super::TexRef;
use crate::error::{Code, OrDetail, Result};
use crate::texture::FilterMode;
use cuda_sys::{CUfilter_mode, Symbol};

impl TexRef {
    /// Sets the filter mode between levels. Wraps `cuTexRefSetMipmapFilterMode`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the number is no mode.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::texture::FilterMode;
    ///
    /// let image = module.tex_ref("image")?;
    /// image.set_mipmap_filter_mode(FilterMode::Linear)?;
    /// image.set_mipmap_level_bias(0.5)?;
    /// image.set_mipmap_level_clamp([0.0, 8.0])?;
    /// image.set_max_anisotropy(16)?;
    /// assert_eq!(image.mipmap_filter_mode()?, FilterMode::Linear);
    /// assert_eq!((image.mipmap_level_bias()?, image.mipmap_level_clamp()?), (0.5, [0.0, 8.0]));
    /// assert_eq!(image.max_anisotropy()?, 16);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTexRefSetMipmapFilterMode")]
    pub fn set_mipmap_filter_mode(&self, mode: FilterMode) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuTexRefSetMipmapFilterMode)?;
        // SAFETY: the reference is live.
        unsafe { check!(cuTexRefSetMipmapFilterMode(self.raw, mode.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| format!("filter mode {mode:?}"))
    }

    /// Returns the filter mode between levels. Wraps `cuTexRefGetMipmapFilterMode`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefGetMipmapFilterMode")]
    pub fn mipmap_filter_mode(&self) -> Result<FilterMode> {
        let _bound = self.context().bind(Symbol::cuTexRefGetMipmapFilterMode)?;
        let mut mode = CUfilter_mode::CU_TR_FILTER_MODE_POINT;
        // SAFETY: `mode` is valid for a write; the reference is live.
        unsafe { check!(cuTexRefGetMipmapFilterMode(&raw mut mode, self.raw)) }?;
        Ok(FilterMode::from_raw(mode))
    }

    /// Sets the bias that is added to the level of detail. Wraps `cuTexRefSetMipmapLevelBias`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefSetMipmapLevelBias")]
    pub fn set_mipmap_level_bias(&self, bias: f32) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuTexRefSetMipmapLevelBias)?;
        // SAFETY: the reference is live.
        unsafe { check!(cuTexRefSetMipmapLevelBias(self.raw, bias)) }
            .or_detail(&[Code::InvalidValue], &|| format!("bias {bias}"))
    }

    /// Returns the bias that is added to the level of detail. Wraps `cuTexRefGetMipmapLevelBias`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefGetMipmapLevelBias")]
    pub fn mipmap_level_bias(&self) -> Result<f32> {
        let _bound = self.context().bind(Symbol::cuTexRefGetMipmapLevelBias)?;
        let mut bias = 0.0;
        // SAFETY: `bias` is valid for a write; the reference is live.
        unsafe { check!(cuTexRefGetMipmapLevelBias(&raw mut bias, self.raw)) }?;
        Ok(bias)
    }

    /// Sets the least and the greatest level of detail. Wraps `cuTexRefSetMipmapLevelClamp`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefSetMipmapLevelClamp")]
    pub fn set_mipmap_level_clamp(&self, [least, greatest]: [f32; 2]) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuTexRefSetMipmapLevelClamp)?;
        // SAFETY: the reference is live.
        unsafe { check!(cuTexRefSetMipmapLevelClamp(self.raw, least, greatest)) }
            .or_detail(&[Code::InvalidValue], &|| format!("levels from {least} to {greatest}"))
    }

    /// Returns the least and the greatest level of detail. Wraps `cuTexRefGetMipmapLevelClamp`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefGetMipmapLevelClamp")]
    pub fn mipmap_level_clamp(&self) -> Result<[f32; 2]> {
        let _bound = self.context().bind(Symbol::cuTexRefGetMipmapLevelClamp)?;
        let (mut least, mut greatest) = (0.0, 0.0);
        // SAFETY: both are valid for a write; the reference is live.
        unsafe { check!(cuTexRefGetMipmapLevelClamp(&raw mut least, &raw mut greatest, self.raw)) }?;
        Ok([least, greatest])
    }

    /// Sets the largest number of samples along a slanted surface: 1 to 16, or 0 as 1. Wraps `cuTexRefSetMaxAnisotropy`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The driver accepts any number.
    #[doc(alias = "cuTexRefSetMaxAnisotropy")]
    pub fn set_max_anisotropy(&self, most: u32) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuTexRefSetMaxAnisotropy)?;
        // SAFETY: the reference is live.
        unsafe { check!(cuTexRefSetMaxAnisotropy(self.raw, most)) }
            .or_detail(&[Code::InvalidValue], &|| format!("anisotropy {most}"))
    }

    /// Returns the largest number of samples along a slanted surface. Wraps `cuTexRefGetMaxAnisotropy`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefGetMaxAnisotropy")]
    pub fn max_anisotropy(&self) -> Result<u32> {
        let _bound = self.context().bind(Symbol::cuTexRefGetMaxAnisotropy)?;
        let mut most = 0;
        // SAFETY: `most` is valid for a write; the reference is live.
        unsafe { check!(cuTexRefGetMaxAnisotropy(&raw mut most, self.raw)) }?;
        Ok(most.cast_unsigned())
    }
}
