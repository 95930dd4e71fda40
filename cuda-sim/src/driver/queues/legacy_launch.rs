//! Launches with the functions of CUDA before 4.0. The parameters of a launch are set beforehand, and stay with the
//! function.
//!
//! On hardware, a launch with arguments of its own replaces these parameters (measured; undefined in the
//! documentation). Here they do not change.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::queues::kernel_arguments::Arguments;
use crate::driver::queues::launch::{ClusterWish, Shape, check_block, launch};
use crate::driver::{Answer, Call};
use core::ffi::{c_float, c_int, c_uint, c_void};
use core::ptr::null_mut;
use cuda_sim_engine::Kernel;
use cuda_sys::{CUfunction, CUresult, CUstream};

/// Limit of the bytes of parameters.
const MOST: usize = 32764;

/// Parameters of the next launch.
pub(crate) struct Prepared {
    block: [u32; 3],
    shared_bytes: u32,
    /// Number of used bytes of the parameters. The rest is zero.
    size: usize,
    params: Vec<u8>,
}

impl Prepared {
    /// Creates the initial parameters (measured).
    pub(crate) fn new(kernel: &Kernel) -> Prepared {
        let block = kernel.required_threads.unwrap_or([1; 3]);
        Prepared { block, shared_bytes: 0, size: 0, params: Vec::new() }
    }
}

impl Call<'_> {
    /// Checks that a function belongs to the current context (measured).
    fn of_current(&mut self, function: CUfunction) -> Answer {
        let (found, _, _) = self.function(function)?;
        if self.state.current_context()? == found.context {
            Ok(())
        } else {
            Err(CUresult::CUDA_ERROR_INVALID_HANDLE)
        }
    }

    fn prepared(&mut self, function: CUfunction) -> Answer<&mut Prepared> {
        self.of_current(function)?;
        let found = self.state.functions.get_mut(Handle::of(function));
        found.map(|found| &mut found.prepared).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    /// Writes bytes to the parameters, at any offset that is valid for some kernel.
    fn put_param(&mut self, function: CUfunction, offset: c_int, bytes: &[u8]) -> Answer {
        let prepared = self.prepared(function)?;
        // NVIDIA's driver crashes on a negative offset. This error replaces the crash.
        let start = usize::try_from(offset).map_err(|_| CUresult::CUDA_ERROR_INVALID_VALUE)?;
        let end = start.checked_add(bytes.len()).filter(|end| *end <= MOST);
        let end = end.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        if prepared.params.len() < end {
            prepared.params.resize(end, 0);
        }
        if let Some(place) = prepared.params.get_mut(start..end) {
            place.copy_from_slice(bytes);
        }
        Ok(())
    }
}

/// Sets the shape of blocks. An invalid shape leaves the previous one (measured).
pub(crate) fn set_block_shape(
    call: &mut Call<'_>,
    function: CUfunction,
    x: c_int,
    y: c_int,
    z: c_int,
) -> Answer {
    call.of_current(function)?;
    let block = [x, y, z].map(|extent| u32::try_from(extent).unwrap_or(0));
    check_block(call, function, block)?;
    call.prepared(function)?.block = block;
    Ok(())
}

pub(crate) fn set_shared_size(call: &mut Call<'_>, function: CUfunction, bytes: c_uint) -> Answer {
    call.of_current(function)?;
    let (found, _, _) = call.function(function)?;
    if bytes > found.max_dynamic_shared {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    call.prepared(function)?.shared_bytes = bytes;
    Ok(())
}

/// Sets the size of the parameters. A launch refuses more than the kernel has, but this call does not (measured).
pub(crate) fn set_size(call: &mut Call<'_>, function: CUfunction, bytes: c_uint) -> Answer {
    let prepared = call.prepared(function)?;
    let size = Some(bytes as usize).filter(|size| *size <= MOST);
    prepared.size = size.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    Ok(())
}

pub(crate) fn set_integer(call: &mut Call<'_>, function: CUfunction, offset: c_int, value: c_uint) -> Answer {
    call.put_param(function, offset, &value.to_ne_bytes())
}

pub(crate) fn set_float(call: &mut Call<'_>, function: CUfunction, offset: c_int, value: c_float) -> Answer {
    call.put_param(function, offset, &value.to_ne_bytes())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_bytes(
    call: &mut Call<'_>,
    function: CUfunction,
    offset: c_int,
    from: *mut c_void,
    size: c_uint,
) -> Answer {
    call.of_current(function)?;
    if from.is_null() || size as usize > MOST {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null; the program's promise.
    let bytes = unsafe { core::slice::from_raw_parts(from.cast_const().cast::<u8>(), size as usize) };
    call.put_param(function, offset, bytes)
}

/// Launches a grid of one block.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn launch_one(call: &mut Call<'_>, function: CUfunction) -> Answer {
    // SAFETY: the program's promise.
    unsafe { launch_grid(call, function, 1, 1) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn launch_grid(
    call: &mut Call<'_>,
    function: CUfunction,
    width: c_int,
    height: c_int,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { launch_grid_async(call, function, width, height, null_mut()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn launch_grid_async(
    call: &mut Call<'_>,
    function: CUfunction,
    width: c_int,
    height: c_int,
    stream: CUstream,
) -> Answer {
    let prepared = call.prepared(function)?;
    let (block, shared_bytes) = (prepared.block, prepared.shared_bytes);
    let mut params = prepared.params.clone();
    params.resize(prepared.size, 0);
    // Negative extents are refused like zero.
    let extent = |extent| u32::try_from(extent).unwrap_or(0);
    let shape = Shape {
        grid: [extent(width), extent(height), 1],
        block,
        shared_bytes,
        stream,
        cooperative: false,
        cluster: ClusterWish::default(),
    };
    // SAFETY: the program's promise.
    unsafe { launch(call, function, shape, Arguments::Bytes(&params)) }
}
