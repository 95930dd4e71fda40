//! Texels of plain memory.

use crate::array::ArrayFormat;
use crate::error::{Error, Result};

/// Returns the bytes of a texel of plain memory.
///
/// # Errors
///
/// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the format is not one of the first eight, or there are not 1, 2
/// or 4 channels. The driver accepts all, and a kernel then reads undefined values.
pub(super) fn plain_bytes(format: ArrayFormat, channels: u32) -> Result<usize> {
    let channel_bytes = match format {
        ArrayFormat::UNSIGNED_INT8 | ArrayFormat::SIGNED_INT8 => 1,
        ArrayFormat::UNSIGNED_INT16 | ArrayFormat::SIGNED_INT16 | ArrayFormat::HALF => 2,
        ArrayFormat::UNSIGNED_INT32 | ArrayFormat::SIGNED_INT32 | ArrayFormat::FLOAT => 4,
        _ => 0,
    };
    match (channel_bytes, channels) {
        (1.., 1) => Ok(channel_bytes),
        (1.., 2) => Ok(2 * channel_bytes),
        (1.., 4) => Ok(4 * channel_bytes),
        _ => Err(Error::invalid(
            "texture",
            format_args!("memory has no texels of format {format} with {channels} channels"),
        )),
    }
}
