//! Arguments of kernels, as programs pass them.

#![allow(unsafe_code)]

use crate::driver::Answer;
use core::ffi::c_void;
use cuda_sim_engine::Kernel;
use cuda_sys::{CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END, CUresult};

/// Returns the bytes of the parameters, from a list of addresses or from a buffer. They end with the last parameter.
/// Also returns the size of the buffer.
///
/// # Safety
///
/// `params` is null or holds the address of each parameter; `extra` is null or a list as the driver API
/// describes it.
pub(super) unsafe fn param_space(
    kernel: &Kernel,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Answer<(Vec<u8>, Option<usize>)> {
    let mut packed_bytes = None;
    let mut space = vec![0; kernel.param_bytes as usize];
    // Only one of them may be present (measured), except for a kernel without parameters.
    if !params.is_null() && !extra.is_null() && !kernel.params.is_empty() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if !params.is_null() {
        for (index, param) in kernel.params.iter().enumerate() {
            // SAFETY: the list has one address for each parameter.
            let place = unsafe { params.add(index) };
            // SAFETY: as above, and valid for a read.
            let from = unsafe { place.read() };
            let to = space.get_mut(param.offset as usize..(param.offset + param.size) as usize);
            // A null address is INVALID_VALUE (measured).
            let (false, Some(to)) = (from.is_null(), to) else {
                return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
            };
            // SAFETY: the argument is as large as its parameter.
            unsafe { to.as_mut_ptr().copy_from_nonoverlapping(from.cast(), to.len()) };
        }
    } else if !extra.is_null() {
        // SAFETY: the caller's promise.
        packed_bytes = Some(unsafe { packed(extra, &mut space) }?);
    } else if !kernel.params.is_empty() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok((space, packed_bytes))
}

/// Copies the program's buffer to the parameters. Returns the size of the buffer.
///
/// # Safety
///
/// `extra` is a list as the driver API describes it.
unsafe fn packed(extra: *mut *mut c_void, space: &mut [u8]) -> Answer<usize> {
    let (mut buffer, mut size) = (core::ptr::null(), None);
    for index in 0.. {
        // SAFETY: the list continues until its end is found.
        let place = unsafe { extra.add(2 * index) };
        // SAFETY: as above, and valid for a read.
        let key = unsafe { place.read() };
        if key == CU_LAUNCH_PARAM_END {
            break;
        }
        // SAFETY: every other key has a value.
        let place = unsafe { extra.add(2 * index + 1) };
        // SAFETY: as above, and valid for a read.
        let value = unsafe { place.read() };
        if key == CU_LAUNCH_PARAM_BUFFER_POINTER {
            buffer = value.cast::<u8>().cast_const();
        } else if key == CU_LAUNCH_PARAM_BUFFER_SIZE {
            // SAFETY: the value is the address of a size.
            size = Some(unsafe { value.cast::<usize>().read_unaligned() });
        } else {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    }
    if buffer.is_null() && size.is_none() && space.is_empty() {
        return Ok(0);
    }
    let (false, Some(size)) = (buffer.is_null(), size) else {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    };
    // Parameters beyond the end of a short buffer are zero. A buffer that is too long is refused (measured).
    let space = space.get_mut(..size).ok_or(CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)?;
    // SAFETY: the buffer is of this size.
    unsafe { space.as_mut_ptr().copy_from_nonoverlapping(buffer, space.len()) };
    Ok(size)
}
