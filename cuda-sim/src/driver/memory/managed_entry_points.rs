//! Functions for managed memory.

#![allow(unsafe_code)]

use crate::driver::memory::address_ranges;
use crate::driver::memory::device_memory::HOST_END;
use crate::driver::memory::heap::{Allocation, Kind};
use crate::driver::memory::managed::{Advice, Attachment, Place};
use crate::driver::operations::{SHORT, StreamId, duration};
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::c_uint;
use core::ops::Range;
use cuda_sys::{
    CU_DEVICE_CPU, CUdevice, CUdevice_attribute_enum as Attribute, CUdeviceptr, CUmem_advise,
    CUmem_advise_enum as Advise, CUmemAttach_flags_enum as Attach, CUmemLocation,
    CUmemLocationType_enum as LocationType, CUresult, CUstream,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn alloc(call: &mut Call<'_>, to: *mut CUdeviceptr, bytes: usize, flags: c_uint) -> Answer {
    let attachment = match Attach(flags) {
        Attach::CU_MEM_ATTACH_GLOBAL => Attachment::Global,
        Attach::CU_MEM_ATTACH_HOST => Attachment::Host,
        _ => return Err(INVALID),
    };
    check_out(to)?;
    if bytes == 0 {
        return Err(INVALID);
    }
    let device = call.state.live_context(call.context)?.device;
    call.state.check_managed(device)?;
    let allocated = call.state.heap.allocate_managed(device, call.context, (attachment, false), bytes as u64);
    // SAFETY: the program's promise.
    unsafe { put(to, allocated.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?) }
}

/// Attaches memory when the stream reaches the operation.
pub(crate) fn attach(
    call: &mut Call<'_>,
    stream: CUstream,
    address: CUdeviceptr,
    len: usize,
    flags: c_uint,
) -> Answer {
    let on = call.state.stream(stream)?;
    call.state.check_uncaptured(on)?;
    call.state.check_unsafe()?;
    let device = call.state.live_context(on.1)?.device;
    let attachment = match Attach(flags) {
        Attach::CU_MEM_ATTACH_GLOBAL => Attachment::Global,
        Attach::CU_MEM_ATTACH_HOST => Attachment::Host,
        // The null stream is not a valid single stream. The legacy stream under its own handle is (measured).
        Attach::CU_MEM_ATTACH_SINGLE if !stream.is_null() || !matches!(on.0, StreamId::Legacy(_)) => {
            Attachment::Single(on.0, on.1)
        }
        // Hardware crashes without flags (measured).
        _ => return Err(INVALID),
    };
    let Some(found) = call.state.managed_or_pageable(device, address, len.max(1) as u64)? else {
        // Memory of the program belongs to no stream, but its length is required.
        return if len == 0 { Err(INVALID) } else { Ok(()) };
    };
    // The range must be a whole allocation outside of pools (measured).
    if matches!(found.kind, Kind::Pool(_)) {
        return Err(INVALID);
    }
    if address != found.base || len != 0 && len as u64 != found.size {
        return Err(INVALID);
    }
    call.state.submit(on, None, SHORT, move |state| {
        // Other memory may be at the address by now.
        if state.heap.starting_at(found.base).is_some_and(|now| now.id == found.id) {
            state.heap.managed.attach(found.base, attachment);
        }
        Ok(())
    });
    Ok(())
}

impl State {
    pub(crate) fn check_managed(&self, device: CUdevice) -> Answer {
        if self.has_managed(device) { Ok(()) } else { Err(CUresult::CUDA_ERROR_NOT_SUPPORTED) }
    }

    /// Returns the managed allocation that contains a range, or `None` for memory of the program that the device can
    /// access.
    pub(crate) fn managed_or_pageable(
        &self,
        device: CUdevice,
        address: u64,
        len: u64,
    ) -> Answer<Option<Allocation>> {
        self.check_managed(device)?;
        match self.heap.holding(address, len) {
            _ if len == 0 => Err(INVALID),
            Some(found) if found.kind.is_managed() => Ok(Some(*found)),
            Some(_) => Err(INVALID),
            None => {
                let end = address.checked_add(len).ok_or(INVALID)?;
                let reaches =
                    self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0;
                let is_there = || {
                    let mappings = address_ranges::of_process().unwrap_or_default();
                    address_ranges::can_be_locked(&mappings, &(address..end), false)
                };
                let unknown = self.heap.holding(address, 1).is_none() && end <= HOST_END;
                if reaches && unknown && is_there() { Ok(None) } else { Err(INVALID) }
            }
        }
    }

    /// Checks a device that is a location of managed memory.
    fn place_on(&self, device: CUdevice) -> Answer<Place> {
        self.device(device)?;
        if self.shares_managed(device) {
            Ok(Place::Device(device))
        } else {
            Err(CUresult::CUDA_ERROR_INVALID_DEVICE)
        }
    }

    /// Returns the location for a device in older functions.
    fn place_of_device(&self, device: CUdevice) -> Answer<Place> {
        if device == CU_DEVICE_CPU { Ok(Place::Host) } else { self.place_on(device) }
    }

    /// Returns the location that a structure describes.
    pub(crate) fn place_of_location(&self, location: &CUmemLocation) -> Answer<Place> {
        // SAFETY: every type of location has a number there, whether it uses it or not.
        let id = unsafe { location.__bindgen_anon_1.id };
        // NUMA nodes of the host that are close to devices.
        let mut nodes = (0..self.devices.len() as CUdevice)
            .map(|device| self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID));
        match location.type_ {
            LocationType::CU_MEM_LOCATION_TYPE_DEVICE => self.place_on(id),
            LocationType::CU_MEM_LOCATION_TYPE_HOST => Ok(Place::Host),
            LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA
                if nodes.any(|node| node as i64 == i64::from(id)) =>
            {
                Ok(Place::Node(id))
            }
            LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT => Ok(Place::CurrentNode),
            _ => Err(INVALID),
        }
    }
}

/// Advises as older programs do, which name a device.
pub(crate) fn advise(
    call: &mut Call<'_>,
    address: CUdeviceptr,
    len: usize,
    advice: CUmem_advise,
    device: CUdevice,
) -> Answer {
    let place = call.state.place_of_device(device);
    advise_for(call, (address, len), advice, place, true)
}

/// Advises with a location. Advice that names a NUMA node of the host is accepted without effect (measured).
pub(crate) fn advise_location(
    call: &mut Call<'_>,
    address: CUdeviceptr,
    len: usize,
    advice: CUmem_advise,
    location: CUmemLocation,
) -> Answer {
    let is_recorded = match location.type_ {
        LocationType::CU_MEM_LOCATION_TYPE_DEVICE | LocationType::CU_MEM_LOCATION_TYPE_HOST => true,
        LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA
        | LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT => false,
        // Both advice with and without a location (measured).
        _ => return Err(INVALID),
    };
    let place = match call.state.place_of_location(&location) {
        // A missing device is an invalid location (measured). SAFETY: every type of location has a number there,
        // whether it uses it or not.
        Err(_) if call.state.device(unsafe { location.__bindgen_anon_1.id }).is_err() => Err(INVALID),
        place => place,
    };
    advise_for(call, (address, len), advice, place, is_recorded)
}

/// Advises about a range. Not all advice has a location.
fn advise_for(
    call: &mut Call<'_>,
    (address, len): (CUdeviceptr, usize),
    advice: CUmem_advise,
    place: Answer<Place>,
    is_recorded: bool,
) -> Answer {
    let device = call.state.live_context(call.context)?.device;
    let found = call.state.managed_or_pageable(device, address, len as u64)?;
    let is_of_pool = found.is_some_and(|found| matches!(found.kind, Kind::Pool(_)));
    let change: Box<dyn Fn(&mut Advice)> = match advice {
        // The pool determines the location (measured).
        Advise::CU_MEM_ADVISE_SET_PREFERRED_LOCATION if is_of_pool => {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        Advise::CU_MEM_ADVISE_SET_READ_MOSTLY => Box::new(|advice| advice.read_mostly = true),
        Advise::CU_MEM_ADVISE_UNSET_READ_MOSTLY => Box::new(|advice| advice.read_mostly = false),
        Advise::CU_MEM_ADVISE_SET_PREFERRED_LOCATION => {
            let place = place?;
            Box::new(move |advice| advice.preferred = Some(place))
        }
        Advise::CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION => Box::new(|advice| advice.preferred = None),
        Advise::CU_MEM_ADVISE_SET_ACCESSED_BY | Advise::CU_MEM_ADVISE_UNSET_ACCESSED_BY => {
            let place = place?;
            if matches!(place, Place::Node(_) | Place::CurrentNode) {
                return Err(INVALID);
            }
            if advice == Advise::CU_MEM_ADVISE_SET_ACCESSED_BY {
                Box::new(move |advice| {
                    advice.accessed_by.insert(place);
                })
            } else {
                Box::new(move |advice| {
                    advice.accessed_by.remove(&place);
                })
            }
        }
        _ => return Err(INVALID),
    };
    if found.is_some() && is_recorded {
        call.state.heap.managed.advise(&range(address, len), &change);
    }
    Ok(())
}

fn range(address: u64, len: usize) -> Range<u64> {
    address..address + len as u64
}

/// Prefetches as older programs do, which name a device.
pub(crate) fn prefetch(
    call: &mut Call<'_>,
    address: CUdeviceptr,
    len: usize,
    device: CUdevice,
    stream: CUstream,
) -> Answer {
    let place = call.state.place_of_device(device);
    prefetch_to(call, address, len, place, stream)
}

pub(crate) fn prefetch_location(
    call: &mut Call<'_>,
    address: CUdeviceptr,
    len: usize,
    location: CUmemLocation,
    flags: c_uint,
    stream: CUstream,
) -> Answer {
    if flags != 0 {
        return Err(INVALID);
    }
    let place = call.state.place_of_location(&location);
    prefetch_to(call, address, len, place, stream)
}

/// Prefetches to a location. Queries return the destination from the call on, even before the prefetch is done.
fn prefetch_to(
    call: &mut Call<'_>,
    address: CUdeviceptr,
    len: usize,
    place: Answer<Place>,
    stream: CUstream,
) -> Answer {
    let on = call.state.stream(stream)?;
    call.state.check_uncaptured(on)?;
    let device = call.state.live_context(on.1)?.device;
    let found = call.state.managed_or_pageable(device, address, len as u64)?;
    let place = place?;
    call.state.place_on(device)?;
    if found.is_some() {
        let change = |advice: &mut Advice| advice.prefetched = Some(place);
        call.state.heap.managed.advise(&range(address, len), &change);
    }
    call.state.submit(on, None, duration(len), |_| Ok(()));
    Ok(())
}
