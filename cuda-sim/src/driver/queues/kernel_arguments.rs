//! Arguments of kernels, as programs pass them.

#![allow(unsafe_code)]

use crate::driver::Answer;
use core::ffi::c_void;
use cuda_sim_engine::Kernel;
use cuda_sys::{CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END, CUresult};

/// Arguments of a launch.
#[derive(Clone, Copy)]
pub(crate) enum Arguments<'a> {
    /// Arguments of `cuLaunchKernel` and the functions after it: a list of addresses, or a list that names a buffer.
    Lists { params: *mut *mut c_void, extra: *mut *mut c_void },
    /// Bytes that were set before the launch. They may be none (conformance fact V527).
    Bytes(&'a [u8]),
}

/// Returns the bytes of the parameters, which end with the last parameter. Also returns the size of the buffer, if the
/// arguments were in one.
///
/// # Safety
///
/// In [`Arguments::Lists`], `params` is null or holds the address of each parameter; `extra` is null or a list as the
/// driver API describes it.
pub(super) unsafe fn param_space(
    kernel: &Kernel,
    arguments: Arguments<'_>,
) -> Answer<(Vec<u8>, Option<usize>)> {
    let mut space = vec![0; kernel.param_bytes as usize];
    let (params, extra) = match arguments {
        Arguments::Lists { params, extra } => (params, extra),
        Arguments::Bytes(bytes) => {
            // SAFETY: the slice is valid for its length.
            unsafe { fill(&mut space, Buffer { start: bytes.as_ptr(), size: bytes.len() }) }?;
            return Ok((space, Some(bytes.len())));
        }
    };
    // A kernel without parameters ignores the second list if there are both (measured).
    let buffer = if extra.is_null() || (kernel.params.is_empty() && !params.is_null()) {
        None
    } else {
        // SAFETY: the caller's promise.
        unsafe { packed(extra) }?
    };
    match buffer {
        // Only one of them may be present (measured).
        Some(_) if !params.is_null() => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        Some(buffer) => {
            let size = buffer.size;
            // SAFETY: the caller's promise.
            unsafe { fill(&mut space, buffer) }?;
            return Ok((space, Some(size)));
        }
        None if params.is_null() && !kernel.params.is_empty() => {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        None => {}
    }
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
    Ok((space, None))
}

/// Buffer with the arguments of a launch.
struct Buffer {
    start: *const u8,
    size: usize,
}

/// Returns the buffer that a list names. A list whose size is 0, or that has no size, counts as no list, whatever its
/// pointer is (conformance facts V349 and V1070).
///
/// # Safety
///
/// `extra` is a list as the driver API describes it.
unsafe fn packed(extra: *mut *mut c_void) -> Answer<Option<Buffer>> {
    let (mut start, mut size) = (core::ptr::null(), 0);
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
            start = value.cast::<u8>().cast_const();
        } else if key == CU_LAUNCH_PARAM_BUFFER_SIZE {
            // SAFETY: the value is the address of a size.
            size = unsafe { value.cast::<usize>().read_unaligned() };
        } else {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    }
    if size == 0 {
        return Ok(None);
    }
    if start.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(Some(Buffer { start, size }))
}

/// Copies a buffer to the parameters. Parameters beyond the end of a short buffer stay as they are. A buffer that is
/// too long is refused (measured).
///
/// # Safety
///
/// The buffer is valid for reads of its size.
unsafe fn fill(space: &mut [u8], Buffer { start, size }: Buffer) -> Answer {
    let space = space.get_mut(..size).ok_or(CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)?;
    // SAFETY: the buffer is of this size.
    unsafe { space.as_mut_ptr().copy_from_nonoverlapping(start, size) };
    Ok(())
}
