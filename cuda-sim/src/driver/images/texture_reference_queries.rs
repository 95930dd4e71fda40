//! Queries of the state of a texture reference.

#![allow(unsafe_code)]

use crate::driver::images::texture_descriptor::Bound;
use crate::driver::images::texture_reference::find;
use crate::driver::{Answer, Call, put, put_if_wanted};
use core::ffi::{c_int, c_uint};
use cuda_sys::{
    CUaddress_mode, CUarray, CUarray_format, CUdeviceptr, CUfilter_mode, CUmipmappedArray, CUresult, CUtexref,
};

/// Returns the bound address. Without one, writes 0 and fails (conformance fact T135).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_address(call: &mut Call<'_>, to: *mut CUdeviceptr, reference: CUtexref) -> Answer {
    let bound = match find(call, reference)?.source.bound {
        Bound::Linear { address, .. } | Bound::Pitched { address, .. } => Some(address),
        _ => None,
    };
    // SAFETY: the program's promise.
    unsafe { put(to, bound.unwrap_or(0)) }?;
    bound.map(drop).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// Returns the bound array. A destroyed array is no longer bound (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_array(call: &mut Call<'_>, to: *mut CUarray, reference: CUtexref) -> Answer {
    match find(call, reference)?.source.bound {
        Bound::Array(array, _) if call.state.images.arrays.get(array).is_some() => {
            // SAFETY: the program's promise.
            unsafe { put(to, array.pointer()) }
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_mipmapped(
    call: &mut Call<'_>,
    to: *mut CUmipmappedArray,
    reference: CUtexref,
) -> Answer {
    match find(call, reference)?.source.bound {
        Bound::Mipmapped(mipmapped, _) if call.state.images.mipmapped.get(mipmapped).is_some() => {
            // SAFETY: the program's promise.
            unsafe { put(to, mipmapped.pointer()) }
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_address_mode(
    call: &mut Call<'_>,
    to: *mut CUaddress_mode,
    reference: CUtexref,
    dimension: c_int,
) -> Answer {
    let addresses = find(call, reference)?.source.addresses;
    let dimension = usize::try_from(dimension).ok().and_then(|dimension| addresses.get(dimension).copied());
    // SAFETY: the program's promise.
    unsafe { put(to, dimension.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_filter_mode(
    call: &mut Call<'_>,
    to: *mut CUfilter_mode,
    reference: CUtexref,
) -> Answer {
    let filter = find(call, reference)?.source.filter;
    // SAFETY: the program's promise.
    unsafe { put(to, filter) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_format(
    call: &mut Call<'_>,
    format: *mut CUarray_format,
    channels: *mut c_int,
    reference: CUtexref,
) -> Answer {
    let source = &find(call, reference)?.source;
    // SAFETY: the program's promise; either parameter may be null.
    unsafe { put_if_wanted(format, source.format) };
    // SAFETY: as above.
    unsafe { put_if_wanted(channels, source.channels.cast_signed()) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_level_filter(
    call: &mut Call<'_>,
    to: *mut CUfilter_mode,
    reference: CUtexref,
) -> Answer {
    let filter = find(call, reference)?.source.level_filter;
    // SAFETY: the program's promise.
    unsafe { put(to, filter) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_level_bias(call: &mut Call<'_>, to: *mut f32, reference: CUtexref) -> Answer {
    let bias = find(call, reference)?.source.bias;
    // SAFETY: the program's promise.
    unsafe { put(to, bias) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_level_range(
    call: &mut Call<'_>,
    least: *mut f32,
    greatest: *mut f32,
    reference: CUtexref,
) -> Answer {
    let [low, high] = find(call, reference)?.source.level_range;
    // SAFETY: the program's promise.
    unsafe { put(least, low) }?;
    // SAFETY: the program's promise.
    unsafe { put(greatest, high) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_anisotropy(call: &mut Call<'_>, to: *mut c_int, reference: CUtexref) -> Answer {
    let anisotropy = find(call, reference)?.source.anisotropy.cast_signed();
    // SAFETY: the program's promise.
    unsafe { put(to, anisotropy) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_border(call: &mut Call<'_>, to: *mut f32, reference: CUtexref) -> Answer {
    let border = find(call, reference)?.source.border;
    // SAFETY: the program's promise: four numbers.
    unsafe { put(to.cast::<[f32; 4]>(), border) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_flags(call: &mut Call<'_>, to: *mut c_uint, reference: CUtexref) -> Answer {
    let flags = find(call, reference)?.source.flags;
    // SAFETY: the program's promise.
    unsafe { put(to, flags) }
}
