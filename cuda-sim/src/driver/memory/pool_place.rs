//! Locations of pool memory: on a device, on the host, or as managed memory.

#![allow(unsafe_code)]

use crate::driver::memory::heap::PoolSource;
use crate::driver::memory::managed::Place;
use crate::driver::rules::since;
use crate::driver::{Answer, Call};
use core::ffi::c_int;
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUmemAllocationType,
    CUmemAllocationType_enum as AllocationType, CUmemLocation, CUmemLocationType,
    CUmemLocationType_enum as LocationType, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Allocation type and location that pools can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PoolPlace {
    pub(crate) kind: CUmemAllocationType,
    pub(crate) location: CUmemLocationType,
    /// Device or NUMA node; 0 for other locations.
    pub(crate) number: c_int,
}

impl PoolPlace {
    pub(crate) const fn of_device(device: CUdevice) -> PoolPlace {
        PoolPlace {
            kind: AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            location: LocationType::CU_MEM_LOCATION_TYPE_DEVICE,
            number: device,
        }
    }

    /// The first NUMA node of the host.
    pub(crate) const NODE: PoolPlace = PoolPlace {
        kind: AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        location: LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA,
        number: 0,
    };

    /// Returns the location as programs pass it.
    pub(crate) fn location(self) -> CUmemLocation {
        let mut location = CUmemLocation { type_: self.location, ..CUmemLocation::default() };
        location.__bindgen_anon_1.id = self.number;
        location
    }

    pub(crate) fn is_managed(self) -> bool {
        self.kind == AllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED
    }

    /// Returns the device of the memory; for managed memory, the preferred device.
    pub(crate) fn device(self) -> Option<CUdevice> {
        (self.location == LocationType::CU_MEM_LOCATION_TYPE_DEVICE).then_some(self.number)
    }

    pub(crate) fn source(self) -> PoolSource {
        match self.device() {
            _ if self.is_managed() => PoolSource::Managed,
            Some(_) => PoolSource::Device,
            None => PoolSource::Host,
        }
    }

    /// Returns the preferred location of managed memory of the pool.
    pub(crate) fn preferred(self) -> Option<Place> {
        match self.location {
            LocationType::CU_MEM_LOCATION_TYPE_DEVICE => Some(Place::Device(self.number)),
            LocationType::CU_MEM_LOCATION_TYPE_HOST => Some(Place::Host),
            LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA => Some(Place::Node(self.number)),
            LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT => Some(Place::CurrentNode),
            _ => None,
        }
    }

    /// Returns the location whose default pool this location uses. On some machines, the first NUMA node of the host
    /// uses that of the host (measured).
    pub(crate) fn of_default_pool(self) -> PoolPlace {
        let is_node = self.location == LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA && !self.is_managed();
        let host = LocationType::CU_MEM_LOCATION_TYPE_HOST;
        if is_node { PoolPlace { location: host, ..self } } else { self }
    }

    /// Checks the location that a program passes. Locations without numbers may have any number (measured).
    pub(crate) fn of(
        call: &Call<'_>,
        kind: CUmemAllocationType,
        location: &CUmemLocation,
    ) -> Answer<PoolPlace> {
        let has = |attribute: DeviceAttribute| {
            let is_known = call.state.require(since::DEVICE_ATTRIBUTES, attribute.0).is_ok();
            is_known && call.state.limit_of(0, attribute) != 0
        };
        // SAFETY: locations of these kinds hold a number, and all numbers are valid.
        let number = unsafe { location.__bindgen_anon_1.id };
        let is_managed = kind == AllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED;
        if !is_managed && kind != AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED {
            return Err(INVALID);
        }
        // Pools of managed memory were introduced together with pools of the host.
        let has_host = has(DeviceAttribute::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED);
        let has_nodes = has(DeviceAttribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED);
        let place = PoolPlace { kind, location: location.type_, number };
        match location.type_ {
            LocationType::CU_MEM_LOCATION_TYPE_DEVICE
                if call.state.device(number).is_ok() && (has_host || !is_managed) =>
            {
                call.state.check_pools(number).map(|()| place)
            }
            LocationType::CU_MEM_LOCATION_TYPE_HOST if has_host => Ok(PoolPlace { number: 0, ..place }),
            LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA if has_nodes && number == 0 => Ok(place),
            LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT
            | LocationType::CU_MEM_LOCATION_TYPE_NONE
                if has_host && is_managed =>
            {
                Ok(PoolPlace { number: 0, ..place })
            }
            LocationType::CU_MEM_LOCATION_TYPE_INVISIBLE if has_host && is_managed => {
                Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
            }
            _ => Err(INVALID),
        }
    }

    /// Checks a location that a program passes by pointer.
    ///
    /// # Safety
    ///
    /// `location` is null or valid for a read.
    pub(crate) unsafe fn at(
        call: &Call<'_>,
        kind: CUmemAllocationType,
        location: *const CUmemLocation,
    ) -> Answer<PoolPlace> {
        if location.is_null() {
            return Err(INVALID);
        }
        // SAFETY: not null, so valid for a read.
        PoolPlace::of(call, kind, &unsafe { location.read() })
    }
}
