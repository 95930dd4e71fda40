//! Decompression by an engine of the device, which no simulated device has.

use crate::console::say;
use crate::driver::{Answer, Call};
use core::ffi::c_uint;
use cuda_sys::{CUdevice_attribute_enum as DeviceAttribute, CUmemDecompressParams, CUresult, CUstream};

/// Refuses the call. Without an engine, only the stream is checked (measured).
pub(crate) fn decompress(
    call: &mut Call<'_>,
    _pieces: *mut CUmemDecompressParams,
    _count: usize,
    _flags: c_uint,
    _failed: *mut usize,
    stream: CUstream,
) -> Answer {
    let on = call.state.stream(stream)?;
    call.state.check_uncaptured(on)?;
    let device = call.state.live_context(on.1)?.device;
    let mask = DeviceAttribute::CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK;
    if call.state.limit_of(device, mask) != 0 {
        say("decompression engines are not simulated");
    }
    Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
}
