//! Limits of textures in plain memory.

#![allow(unsafe_code)]

use crate::driver::{Answer, Call, State, put};
use core::ffi::c_uint;
use cuda_sys::{CUarray_format, CUdevice, CUdevice_attribute_enum as Limit, CUresult};

/// Returns the bytes of a texel, if the format exists. Only the lowest byte of a format's number counts (conformance
/// fact T138).
fn texel_bytes(format: CUarray_format, channels: c_uint) -> Option<u64> {
    let plain = |bytes| matches!(channels, 1 | 2 | 4).then(|| bytes * u64::from(channels));
    let (fixed, bytes) = match format.0 & 0xff {
        0x01 | 0x08 => return plain(1),
        0x02 | 0x09 | 0x10 => return plain(2),
        0x03 | 0x0a | 0x20 => return plain(4),
        // Formats of fractions, video and compressed formats. All of up to 4 bytes count as 4 bytes.
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

/// Returns the largest number of texels in a line: 2^30, or as many as fit in 4 GiB (conformance fact T138).
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
    // The device is checked last (measured).
    let texel = texel_bytes(format, channels).filter(|_| !to.is_null());
    let texel = texel.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    call.state.device(device)?;
    // SAFETY: the program's promise.
    unsafe { put(to, longest_line(texel) as usize) }
}

impl State {
    /// Checks the address, the size and the pitch of rows to sample. The existence of the memory is not checked, nor
    /// that there are any rows (conformance fact T139).
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
