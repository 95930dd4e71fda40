//! Settings of texture references.

#![allow(unsafe_code)]

use super::TexRef;
use crate::array::ArrayFormat;
use crate::error::{Code, Error, OrDetail, Result};
use crate::texture::texel::plain_bytes;
use crate::texture::{AddressMode, FilterMode, TextureFlags};
use core::ffi::c_int;
use cuda_sys::{CUaddress_mode, CUarray_format, CUfilter_mode, Symbol};

/// Settings. They hold for later launches, and stay when another object is bound. The format is the exception: arrays and rows
/// set it.
///
/// A new reference clamps, uses the nearest texel, uses coordinates in texels, makes fractions of integers, and has texels of one
/// `FLOAT`.
impl TexRef {
    /// Sets the format of texels of memory. Wraps `cuTexRefSetFormat`.
    ///
    /// Arrays and rows set their own format when they are bound. As long as they are bound, only a format with texels of the same
    /// size is possible.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): plain memory cannot have such texels.
    /// - The same kind: kernels would read beyond the binding. An array or rows of other texels are bound, or a line of
    ///   memory that is shorter than one texel.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref line;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let line = module.tex_ref("line")?;
    /// line.set_format(ArrayFormat::UNSIGNED_INT8, 4)?;
    /// assert_eq!(line.format()?, (ArrayFormat::UNSIGNED_INT8, 4));
    ///
    /// line.set_array(&Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1))?)?;
    /// let error = line.set_format(ArrayFormat::FLOAT, 4).unwrap_err();
    /// assert_eq!(error.to_string(), "texture reference: texels of 16 bytes differ from those bound, of 4 bytes; bind memory again");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTexRefSetFormat")]
    pub fn set_format(&self, format: ArrayFormat, channels: u32) -> Result<()> {
        let bytes = plain_bytes(format, channels)?;
        let _bound = self.context().bind(Symbol::cuTexRefSetFormat)?;
        self.slot.retype(bytes, || self.put_format(format, channels))
    }

    /// Returns the format of a channel of a texel, and the number of channels. Wraps `cuTexRefGetFormat`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefGetFormat")]
    pub fn format(&self) -> Result<(ArrayFormat, u32)> {
        let _bound = self.context().bind(Symbol::cuTexRefGetFormat)?;
        self.told_format()
    }

    /// Sets the address mode along a dimension: 0, 1 or 2. Without effect for a line of memory. Wraps `cuTexRefSetAddressMode`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the dimension is above 2.
    /// - An earlier failure.
    ///
    /// The driver accepts any number as a mode.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::texture::AddressMode;
    ///
    /// let image = module.tex_ref("image")?;
    /// image.set_address_mode(0, AddressMode::Wrap)?;
    /// assert_eq!(image.address_mode(0)?, AddressMode::Wrap);
    /// assert_eq!(image.address_mode(1)?, AddressMode::Clamp);
    /// let error = image.set_address_mode(7, AddressMode::Wrap).unwrap_err();
    /// assert_eq!(error.to_string(), "texture reference: dimension 7 exceeds 2; there are 3, counted from 0");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTexRefSetAddressMode")]
    pub fn set_address_mode(&self, dimension: u32, mode: AddressMode) -> Result<()> {
        let dimension = checked(dimension)?;
        let _bound = self.context().bind(Symbol::cuTexRefSetAddressMode)?;
        // SAFETY: the reference is live.
        unsafe { check!(cuTexRefSetAddressMode(self.raw, dimension, mode.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| {
                format!("address mode {mode:?} along dimension {dimension}")
            })
    }

    /// Returns the address mode along a dimension. Wraps `cuTexRefGetAddressMode`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the dimension is above 2.
    /// - An earlier failure.
    #[doc(alias = "cuTexRefGetAddressMode")]
    pub fn address_mode(&self, dimension: u32) -> Result<AddressMode> {
        let dimension = checked(dimension)?;
        let _bound = self.context().bind(Symbol::cuTexRefGetAddressMode)?;
        let mut mode = CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP;
        // SAFETY: `mode` is valid for a write; the reference is live.
        unsafe { check!(cuTexRefGetAddressMode(&raw mut mode, self.raw, dimension)) }?;
        Ok(AddressMode::from_raw(mode))
    }

    /// Sets the filter mode. Without effect for a line of memory. Wraps `cuTexRefSetFilterMode`.
    ///
    /// Integers that are [read as integers](TextureFlags::READ_AS_INTEGER) are filtered too, and rounded, although CUDA documents
    /// filtering only for floating-point numbers.
    ///
    /// # Errors
    ///
    /// An earlier failure. The driver accepts numbers that are no modes.
    #[doc(alias = "cuTexRefSetFilterMode")]
    pub fn set_filter_mode(&self, mode: FilterMode) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuTexRefSetFilterMode)?;
        // SAFETY: the reference is live.
        unsafe { check!(cuTexRefSetFilterMode(self.raw, mode.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| format!("filter mode {mode:?}"))
    }

    /// Returns the filter mode. Wraps `cuTexRefGetFilterMode`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefGetFilterMode")]
    pub fn filter_mode(&self) -> Result<FilterMode> {
        let _bound = self.context().bind(Symbol::cuTexRefGetFilterMode)?;
        let mut mode = CUfilter_mode::CU_TR_FILTER_MODE_POINT;
        // SAFETY: `mode` is valid for a write; the reference is live.
        unsafe { check!(cuTexRefGetFilterMode(&raw mut mode, self.raw)) }?;
        Ok(FilterMode::from_raw(mode))
    }

    /// Sets flags for texels and coordinates. Wraps `cuTexRefSetFlags`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: references do not support a flag, such as [`TextureFlags::SEAMLESS_CUBEMAP`].
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::texture::TextureFlags;
    ///
    /// let image = module.tex_ref("image")?;
    /// image.set_flags(TextureFlags::READ_AS_INTEGER | TextureFlags::NORMALIZED_COORDINATES)?;
    /// assert!(image.flags()?.contains(TextureFlags::READ_AS_INTEGER));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuTexRefSetFlags", "CU_TRSF_READ_AS_INTEGER", "CU_TRSF_NORMALIZED_COORDINATES"))]
    pub fn set_flags(&self, flags: TextureFlags) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuTexRefSetFlags)?;
        // SAFETY: the reference is live.
        unsafe { check!(cuTexRefSetFlags(self.raw, flags.bits())) }
            .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
    }

    /// Returns the flags for texels and coordinates. Wraps `cuTexRefGetFlags`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefGetFlags")]
    pub fn flags(&self) -> Result<TextureFlags> {
        let _bound = self.context().bind(Symbol::cuTexRefGetFlags)?;
        let mut flags = 0;
        // SAFETY: `flags` is valid for a write; the reference is live.
        unsafe { check!(cuTexRefGetFlags(&raw mut flags, self.raw)) }?;
        Ok(TextureFlags::from_bits_retain(flags))
    }

    /// Sets the four channels that are read outside with [`AddressMode::Border`]. Wraps `cuTexRefSetBorderColor`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::texture::AddressMode;
    ///
    /// let image = module.tex_ref("image")?;
    /// image.set_address_mode(0, AddressMode::Border)?;
    /// image.set_border_color([0.5, 0.5, 0.5, 1.0])?;
    /// assert_eq!(image.border_color()?, [0.5, 0.5, 0.5, 1.0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTexRefSetBorderColor")]
    pub fn set_border_color(&self, mut color: [f32; 4]) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuTexRefSetBorderColor)?;
        // SAFETY: the reference is live, and the four numbers are valid for reads.
        unsafe { check!(cuTexRefSetBorderColor(self.raw, color.as_mut_ptr())) }
            .or_detail(&[Code::InvalidValue], &|| format!("border color {color:?}"))
    }

    /// Returns the four channels that are read outside with [`AddressMode::Border`]. Wraps `cuTexRefGetBorderColor`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefGetBorderColor")]
    pub fn border_color(&self) -> Result<[f32; 4]> {
        let _bound = self.context().bind(Symbol::cuTexRefGetBorderColor)?;
        let mut color = [0.0; 4];
        // SAFETY: the four numbers are valid for writes; the reference is live.
        unsafe { check!(cuTexRefGetBorderColor(color.as_mut_ptr(), self.raw)) }?;
        Ok(color)
    }

    pub(super) fn put_format(&self, format: ArrayFormat, channels: u32) -> Result<()> {
        let (format, channels) = (CUarray_format(format.0), channels.cast_signed());
        // SAFETY: the reference is live.
        unsafe { check!(cuTexRefSetFormat(self.raw, format, channels)) }
    }

    pub(super) fn told_format(&self) -> Result<(ArrayFormat, u32)> {
        let (mut format, mut channels) = (CUarray_format(0), 0);
        // SAFETY: both are valid for a write; the reference is live.
        unsafe { check!(cuTexRefGetFormat(&raw mut format, &raw mut channels, self.raw)) }?;
        Ok((ArrayFormat(format.0), channels.cast_unsigned()))
    }
}

fn checked(dimension: u32) -> Result<c_int> {
    match dimension {
        0..3 => Ok(dimension.cast_signed()),
        _ => Err(Error::invalid(
            "texture reference",
            format_args!("dimension {dimension} exceeds 2; there are 3, counted from 0"),
        )),
    }
}
