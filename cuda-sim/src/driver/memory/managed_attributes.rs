//! Queries of ranges of managed memory.

#![allow(unsafe_code)]

use crate::collections::SmallSet;
use crate::console::say;
use crate::driver::memory::managed::{Advice, Place};
use crate::driver::rules::since;
use crate::driver::{Answer, Call};
use core::ffi::{c_int, c_void};
use core::ops::Range;
use cuda_sys::{
    CU_DEVICE_CPU, CU_DEVICE_INVALID, CUdevice, CUdeviceptr, CUmem_range_attribute,
    CUmem_range_attribute_enum as Attribute, CUmemLocation, CUmemLocation_st__bindgen_ty_1,
    CUmemLocationType_enum as LocationType, CUresult,
};

/// Returns the number of a device or of the host (measured).
fn device_of(place: Option<Place>) -> c_int {
    match place {
        Some(Place::Device(device)) => device,
        Some(Place::Host | Place::Node(_) | Place::CurrentNode) => CU_DEVICE_CPU,
        None => CU_DEVICE_INVALID,
    }
}

fn type_of(place: Option<Place>) -> c_int {
    let kind = match place {
        Some(Place::Device(_)) => LocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        Some(Place::Host) => LocationType::CU_MEM_LOCATION_TYPE_HOST,
        Some(Place::Node(_)) => LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA,
        Some(Place::CurrentNode) => LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT,
        None => LocationType::CU_MEM_LOCATION_TYPE_INVALID,
    };
    kind.0 as c_int
}

/// Returns the number of a location. For types of locations without numbers, it is that of a device (measured).
fn id_of(place: Option<Place>) -> c_int {
    match place {
        Some(Place::Node(node)) => node,
        // The measured machines have one NUMA node.
        Some(Place::CurrentNode) => 0,
        other => device_of(other),
    }
}

/// Returns the numbers of an attribute for a range, up to the available room.
fn values(
    call: &Call<'_>,
    attribute: CUmem_range_attribute,
    range: &Range<u64>,
    room: usize,
) -> Answer<Vec<c_int>> {
    let parts = || call.state.heap.managed.advice(range);
    // Returns the value that all parts share.
    let common = |part: fn(&Advice) -> Option<Place>| {
        let mut places = parts().map(part);
        let first = places.next().flatten();
        first.filter(|first| places.all(|other| other == Some(*first)))
    };
    let preferred = || common(|advice| advice.preferred);
    let prefetched = || common(|advice| advice.prefetched);
    Ok(match attribute {
        Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY => {
            vec![c_int::from(parts().all(|advice| advice.read_mostly))]
        }
        Attribute::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION => vec![device_of(preferred())],
        Attribute::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION => vec![device_of(prefetched())],
        Attribute::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE => vec![type_of(preferred())],
        Attribute::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID => vec![id_of(preferred())],
        Attribute::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE => vec![type_of(prefetched())],
        Attribute::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID => vec![id_of(prefetched())],
        Attribute::CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY => {
            let sets: Vec<&SmallSet<Place>> = parts().map(|advice| &advice.accessed_by).collect();
            let by_all = |place: &&Place| sets.iter().all(|set| set.contains(*place));
            let first = sets.first().into_iter().flat_map(|set| set.as_slice());
            let known = first.filter(by_all).map(|place| device_of(Some(*place)));
            known.chain(core::iter::repeat(CU_DEVICE_INVALID)).take(room).collect()
        }
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn attribute(
    call: &mut Call<'_>,
    to: *mut c_void,
    size: usize,
    attribute: CUmem_range_attribute,
    address: CUdeviceptr,
    len: usize,
) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    call.state.require(since::RANGE_ATTRIBUTES, attribute.0)?;
    let found = call.state.heap.holding(address, len as u64);
    if len == 0 || found.is_none_or(|found| !found.kind.is_managed()) {
        return Err(invalid);
    }
    let word = size_of::<c_int>();
    let is_list = attribute == Attribute::CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    if to.is_null() || size == 0 || !size.is_multiple_of(word) || !is_list && size != word {
        return Err(invalid);
    }
    let values = values(call, attribute, &(address..address + len as u64), size / word)?;
    for (index, value) in values.into_iter().enumerate() {
        // SAFETY: within the `size` bytes that are the program's promise.
        let place = unsafe { to.cast::<c_int>().add(index) };
        // SAFETY: as above.
        unsafe { place.write(value) };
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn attributes(
    call: &mut Call<'_>,
    to: *mut *mut c_void,
    sizes: *mut usize,
    attributes: *mut CUmem_range_attribute,
    count: usize,
    address: CUdeviceptr,
    len: usize,
) -> Answer {
    if to.is_null() || sizes.is_null() || attributes.is_null() || count == 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    for index in 0..count {
        // SAFETY: within `count` elements.
        let place = unsafe { to.add(index) };
        // SAFETY: as above, and valid for a read.
        let to = unsafe { place.read() };
        // SAFETY: within `count` elements.
        let place = unsafe { sizes.add(index) };
        // SAFETY: as above, and valid for a read.
        let size = unsafe { place.read() };
        // SAFETY: within `count` elements.
        let place = unsafe { attributes.add(index) };
        // SAFETY: as above, and valid for a read.
        let attribute = unsafe { place.read() };
        // SAFETY: the program's promise.
        unsafe { self::attribute(call, to, size, attribute, address, len) }?;
    }
    Ok(())
}

/// Writes the location of memory, region by region. This is the destination of the last prefetch. Memory that was never
/// prefetched is not simulated.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn locations(
    call: &mut Call<'_>,
    address: CUdeviceptr,
    len: usize,
    region: usize,
    sample: usize,
    to: *mut CUmemLocation,
) -> Answer {
    let mut devices = 0..call.state.devices.len() as CUdevice;
    if !devices.all(|device| call.state.shares_managed(device)) {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let found = call.state.heap.holding(address, len as u64);
    if to.is_null() || len == 0 || region == 0 || region > len || sample > region {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if found.is_none_or(|found| !found.kind.is_managed()) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let step = if sample == 0 { region } else { sample };
    for (index, start) in (0..len).step_by(region).enumerate() {
        let mut counts: Vec<(Place, usize)> = Vec::new();
        for offset in (start..len.min(start + region)).step_by(step) {
            let place = address + offset as u64;
            let known =
                call.state.heap.managed.advice(&(place..place + 1)).find_map(|advice| advice.prefetched);
            let Some(known) = known else {
                say("the location of managed memory that was not prefetched is not simulated");
                return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
            };
            match counts.iter_mut().find(|(place, _)| *place == known) {
                Some((_, count)) => *count += 1,
                None => counts.push((known, 1)),
            }
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count).map(|(place, _)| place);
        let location = CUmemLocation {
            type_: LocationType(type_of(most) as u32),
            __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: id_of(most) },
        };
        // SAFETY: one entry for each region, by the program's promise.
        let place = unsafe { to.add(index) };
        // SAFETY: as above.
        unsafe { place.write(location) };
    }
    Ok(())
}
