//! How much plain memory a texture may have.

#![allow(unsafe_code)]

use crate::driver::{Answer, Call, State, put};
use core::ffi::c_uint;
use cuda_sys::{CUarray_format, CUdevice, CUdevice_attribute_enum as Limit, CUresult};

/// The bytes of a texel, if there are such. Of a format's number, only the lowest byte is looked at (T138).
fn texel_bytes(format: CUarray_format, channels: c_uint) -> Option<u64> {
    let plain = |bytes| matches!(channels, 1 | 2 | 4).then(|| bytes * u64::from(channels));
    let (fixed, bytes) = match format.0 & 0xff {
        0x01 | 0x08 => return plain(1),
        0x02 | 0x09 | 0x10 => return plain(2),
        0x03 | 0x0a | 0x20 => return plain(4),
        // Numbers from 0 to 1 and from -1 to 1, video, compressed: those of up to 4 bytes are not told apart.
        0xa9 | 0xc0 | 0xc3 | 0xc6 | 0xc9 => (1, 4),
        0xa6 | 0xa7 | 0xc1 | 0xc4 | 0xc7 | 0xca => (2, 4),
        0x9f | 0xa1..=0xa4 | 0xb0 | 0xb2..=0xb5 => (3, 4),
        0x50 | 0xa5 | 0xa8 | 0xc2 | 0xc8 => (4, 4),
        0x97 | 0x98 => (1, 8),
        0x91 | 0x92 | 0xb1 | 0xc5 | 0xcb => (4, 8),
        0x99 | 0x9a => (2, 16),
        0x9b | 0x9c => (3, 16),
        0x93..=0x96 | 0x9d | 0x9e => (4, 16),
        _ => return None,
    };
    (channels == fixed).then_some(bytes)
}

/// How many texels of so many bytes a line has at the most: 2^30, or what takes 4 GiB (T138).
pub(crate) fn longest_line(texel: u64) -> u64 {
    (1 << 30).min((1 << 32) / texel.max(1))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn longest(
    call: &mut Call<'_>,
    to: *mut usize,
    format: CUarray_format,
    channels: c_uint,
    device: CUdevice,
) -> Answer {
    // The device is looked at last (measured).
    let texel = texel_bytes(format, channels).filter(|_| !to.is_null());
    let texel = texel.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    call.state.device(device)?;
    // SAFETY: the program's promise.
    unsafe { put(to, longest_line(texel) as usize) }
}

impl State {
    /// Whether memory can be sampled as rows: from where on, how large, how far apart. Whether there is any is not looked
    /// at, and neither is that there are rows (T139).
    pub(crate) fn check_rows(
        &self,
        device: CUdevice,
        address: u64,
        [width, height, pitch]: [u64; 3],
    ) -> Answer {
        let limit = |limit: Limit| self.limit_of(device, limit);
        let fits = width <= limit(Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH)
            && height <= limit(Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)
            && pitch <= limit(Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH);
        let aligned = address.is_multiple_of(limit(Limit::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).max(1))
            && pitch.is_multiple_of(limit(Limit::CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT).max(1));
        if fits && aligned { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) }
    }
}
