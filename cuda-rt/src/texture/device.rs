//! The limits of a device's textures.

#![allow(unsafe_code)]

use crate::array::ArrayFormat;
use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use cuda_sys::CUarray_format_enum;

impl Device {
    /// Returns the largest number of elements of a texture of linear memory, for a format and a number of channels. Wraps
    /// `cuDeviceGetTexture1DLinearMaxWidth`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the format does not exist, or does not have this number of channels.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let device = cuda_rt::Device::get(0)?;
    /// use cuda_rt::array::ArrayFormat;
    ///
    /// match device.texture_1d_linear_max_width(ArrayFormat::FLOAT, 4) {
    ///     Ok(elements) => println!("up to {elements} elements"),
    ///     Err(error) => println!("{error}"), // an older driver
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetTexture1DLinearMaxWidth")]
    pub fn texture_1d_linear_max_width(self, format: ArrayFormat, channels: u32) -> Result<usize> {
        let mut elements = 0;
        let number = CUarray_format_enum(format.0);
        // SAFETY: `elements` is valid for a write; the format and the channels may be any numbers.
        unsafe {
            check!(cuDeviceGetTexture1DLinearMaxWidth(&raw mut elements, number, channels, self.as_raw()))
        }
        .or_detail(&[Code::InvalidValue], &|| format!("elements of {channels} channels, format {format}"))?;
        Ok(elements)
    }
}
