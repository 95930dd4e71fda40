//! Batches of prefetches and discards.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments::{full_list, groups};
use crate::driver::memory::heap::Allocation;
use crate::driver::memory::managed::Advice;
use crate::driver::operations::{StreamId, duration};
use crate::driver::{Answer, Call, State};
use core::ffi::c_ulonglong;
use cuda_sys::{CUdevice, CUdeviceptr, CUmemLocation, CUresult, CUstream};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Value of discarded bytes, which no program mistakes for its own data.
const DISCARDED: u8 = 0xd5;

/// Range of a batch: its start, its size, and its allocation if it is managed.
type Part = (CUdeviceptr, usize, Option<Allocation>);

/// Returns the ranges of a batch. All must be managed memory, or memory of the program that all devices can access.
///
/// # Safety
///
/// As the driver API demands.
unsafe fn parts(
    call: &Call<'_>,
    (addresses, sizes, count): (*const CUdeviceptr, *const usize, usize),
    flags: c_ulonglong,
    stream: CUstream,
) -> Answer<((StreamId, Handle), Vec<Part>)> {
    let on = call.state.stream_for_batch(stream)?;
    let mut devices = 0..call.state.devices.len() as CUdevice;
    if !devices.all(|device| call.state.shares_managed(device)) {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    if flags != 0 {
        return Err(INVALID);
    }
    let device = call.state.live_context(on.1)?.device;
    // SAFETY: the program's promise.
    let addresses = unsafe { full_list(addresses, count) }?;
    // SAFETY: the program's promise.
    let sizes = unsafe { full_list(sizes, count) }?;
    let part = |(address, size)| {
        let found = call.state.managed_or_pageable(device, address, size as u64)?;
        Ok((address, size, found))
    };
    Ok((on, addresses.into_iter().zip(sizes).map(part).collect::<Answer<_>>()?))
}

/// Discards the contents of ranges when their turn comes.
fn discard_now(state: &mut State, parts: &[Part]) {
    for (address, size, found) in parts {
        let Some(found) = found else { continue };
        // Other memory may be at the address by now.
        let is_there = state.heap.holding(*address, *size as u64).is_some_and(|now| now.id == found.id);
        if let Ok(bytes) = state.bytes(*address, *size as u64)
            && is_there
        {
            // SAFETY: this number of bytes was found just now, with the state locked.
            unsafe { bytes.write_bytes(DISCARDED, *size) };
        }
    }
}

fn submit(call: &mut Call<'_>, on: (StreamId, Handle), parts: Vec<Part>, discards: bool) -> Answer {
    let bytes = parts.iter().fold(0_usize, |sum, (_, size, _)| sum.saturating_add(*size));
    call.state.submit_memory_work(on, duration(bytes), move |state| {
        if discards {
            discard_now(state, &parts);
        }
        Ok(())
    });
    Ok(())
}

/// Locations of a batch, and the first range to which each applies.
type Places = (*const CUmemLocation, *const usize, usize);

/// # Safety
///
/// As the driver API demands.
unsafe fn prefetch_parts(
    call: &mut Call<'_>,
    lists: (*const CUdeviceptr, *const usize, usize),
    (locations, starts, location_count): Places,
    flags: c_ulonglong,
    (stream, discards): (CUstream, bool),
) -> Answer {
    // SAFETY: the program's promise.
    let (on, parts) = unsafe { parts(call, lists, flags, stream) }?;
    if location_count > parts.len() {
        return Err(INVALID);
    }
    // SAFETY: the program's promise.
    let locations = unsafe { full_list(locations, location_count) }?;
    // SAFETY: the program's promise.
    let groups = groups(&unsafe { full_list(starts, location_count) }?, parts.len())?;
    // A missing device is an invalid value here (measured).
    let places = locations.iter().map(|location| call.state.place_of_location(location).map_err(|_| INVALID));
    let places = places.collect::<Answer<Vec<_>>>()?;
    for ((address, size, found), group) in parts.iter().zip(groups) {
        if found.is_some() {
            let change = |advice: &mut Advice| advice.prefetched = Some(places[group]);
            call.state.heap.managed.advise(&(*address..*address + *size as u64), &change);
        }
    }
    submit(call, on, parts, discards)
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn prefetch(
    call: &mut Call<'_>,
    addresses: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    locations: *mut CUmemLocation,
    starts: *mut usize,
    location_count: usize,
    flags: c_ulonglong,
    stream: CUstream,
) -> Answer {
    let lists = (addresses.cast_const(), sizes.cast_const(), count);
    let places = (locations.cast_const(), starts.cast_const(), location_count);
    // SAFETY: the program's promise.
    unsafe { prefetch_parts(call, lists, places, flags, (stream, false)) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn discard_and_prefetch(
    call: &mut Call<'_>,
    addresses: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    locations: *mut CUmemLocation,
    starts: *mut usize,
    location_count: usize,
    flags: c_ulonglong,
    stream: CUstream,
) -> Answer {
    let lists = (addresses.cast_const(), sizes.cast_const(), count);
    let places = (locations.cast_const(), starts.cast_const(), location_count);
    // SAFETY: the program's promise.
    unsafe { prefetch_parts(call, lists, places, flags, (stream, true)) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn discard(
    call: &mut Call<'_>,
    addresses: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    flags: c_ulonglong,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    let (on, parts) = unsafe { parts(call, (addresses, sizes, count), flags, stream) }?;
    submit(call, on, parts, true)
}
