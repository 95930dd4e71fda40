//! Multicast objects. None is created on hardware: there only the granularity is queried.
#![allow(unsafe_code)]

use crate::is_since;
use cuda_rt::Device;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{
    AccessFlags, LogicalEndpointIds, LogicalEndpointOptions, MulticastObject, PhysicalMemory,
    PhysicalMemoryOptions, ShareableHandleTypes, VirtualMemory,
};
use cuda_suite::{Choice, device, driver, second_device, skip, stream};

const PLAIN: ShareableHandleTypes = ShareableHandleTypes::NONE;

macro_rules! devices {
    () => {{
        if !is_since(12, 1) {
            skip!("multicast objects came with 12.1");
        }
        if driver() == Choice::Real {
            skip!("no multicast objects are created on hardware");
        }
        let Some(second) = second_device() else { skip!("there is one device only") };
        if !device().multicast_supported().unwrap_or(false) {
            skip!("the devices do not support multicast");
        }
        [device(), second]
    }};
}

fn physical(device: Device, bytes: usize) -> PhysicalMemory {
    PhysicalMemory::new(device, bytes, PhysicalMemoryOptions::new()).unwrap()
}

/// An object of these devices, with room for two units.
fn object(devices: [Device; 2]) -> (MulticastObject, usize) {
    let unit = MulticastObject::granularity(2, PLAIN).unwrap();
    let object = MulticastObject::new(2, 2 * unit, PLAIN).unwrap();
    for device in devices {
        object.add_device(device).unwrap();
    }
    (object, unit)
}

#[test]
fn granularity_needs_devices_that_support_it() {
    let is_supported = device().multicast_supported();
    let unit = MulticastObject::granularity(2, PLAIN);
    if !is_since(12, 1) {
        let missing = unit.unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::FunctionMissing);
        return assert!(missing.to_string().contains("12.1"), "{missing}");
    }
    if !is_supported.unwrap() {
        assert_eq!(unit.unwrap_err().code(), Some(Code::NotSupported));
        let best = MulticastObject::recommended_granularity(2, PLAIN).unwrap_err();
        return assert_eq!(best.code(), Some(Code::NotSupported));
    }
    let unit = unit.unwrap();
    assert_eq!(MulticastObject::recommended_granularity(2, PLAIN).unwrap() % unit, 0);
}

/// Endpoints are tested in `tests/logical_endpoints.rs`, on devices that have them.
#[test]
fn logical_endpoints_came_with_13_3() {
    let device = device();
    let options = LogicalEndpointOptions::unicast(device, 1 << 21);
    for outcome in [LogicalEndpointIds::reserve(1).map(drop), options.limits().map(drop)] {
        match outcome {
            Err(missing) if !is_since(13, 3) => {
                assert_eq!(missing.kind(), ErrorKind::FunctionMissing);
                assert!(missing.to_string().contains("13.3"), "{missing}");
            }
            Err(error) => assert_eq!(error.code(), Some(Code::NotSupported)),
            Ok(()) => assert!(is_since(13, 3)),
        }
    }
    if !is_since(13, 5) {
        // SAFETY: there are no copies.
        let missing = unsafe { stream().copy_over_fabric(&[]) }.unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::FunctionMissing);
        assert!(missing.to_string().contains("13.5"), "{missing}");
    }
}

#[test]
fn an_object_keeps_the_memory_that_is_bound() {
    let devices = devices!();
    let (object, unit) = object(devices);
    assert_eq!((object.devices(), object.size_bytes()), (2, 2 * unit));
    for device in devices {
        object.bind(device, unit, &physical(device, unit), 0, unit).unwrap();
    }
    let again = object.bind(devices[0], unit, &physical(devices[0], unit), 0, unit).unwrap_err();
    assert_eq!(again.code(), Some(Code::InvalidValue));
    // SAFETY: nothing uses the object.
    unsafe { object.unbind(devices[0], unit) }.unwrap();
    // SAFETY: as above.
    let gone = unsafe { object.unbind(devices[0], unit) }.unwrap_err();
    assert_eq!((gone.kind(), gone.code()), (ErrorKind::InvalidArgument, None));
    object.bind(devices[0], unit, &physical(devices[0], unit), 0, unit).unwrap();
    object.clone().close().unwrap();
    object.close().unwrap();
}

#[test]
fn memory_is_bound_by_its_address() {
    let devices = devices!();
    let (object, unit) = object(devices);
    let stream = stream();
    let mut memory = VirtualMemory::reserve(&stream, unit).unwrap();
    memory.map(0, &physical(devices[0], unit)).unwrap();
    memory.set_access(.., &[devices[0]], AccessFlags::READ_WRITE).unwrap();
    // SAFETY: the memory outlives the object.
    unsafe { object.bind_address(devices[0], 0, memory.ptr(), unit) }.unwrap();
    // SAFETY: as above.
    let other = unsafe { object.bind_address(devices[1], unit, memory.ptr(), unit) };
    if is_since(13, 1) {
        assert_eq!(other.unwrap_err().code(), Some(Code::InvalidDevice));
    }
    object.close().unwrap();
}

#[test]
fn bind_that_would_wait_for_ever_is_refused() {
    let [first, second] = devices!();
    let unit = MulticastObject::granularity(2, PLAIN).unwrap();
    let object = MulticastObject::new(2, unit, PLAIN).unwrap();
    object.add_device(first).unwrap();
    let early = object.bind(first, 0, &physical(first, unit), 0, unit).unwrap_err();
    assert_eq!((early.kind(), early.call()), (ErrorKind::InvalidArgument, Some("cuMulticastBindMem")));
    assert!(early.to_string().contains("1 of 2 devices are added"), "{early}");
    assert_eq!(object.add_device(first).unwrap_err().code(), Some(Code::InvalidValue));
    object.add_device(second).unwrap();
    object.bind(first, 0, &physical(first, unit), 0, unit).unwrap();
}

#[test]
fn arguments_are_checked_before_the_call() {
    let devices = devices!();
    let (object, unit) = object(devices);
    let memory = physical(devices[0], unit);
    let refusals = [
        MulticastObject::new(0, unit, PLAIN).map(drop),
        MulticastObject::new(2, 0, PLAIN).map(drop),
        MulticastObject::new(2, unit + 1, PLAIN).map(drop),
        object.bind(devices[0], 2 * unit, &memory, 0, unit),
        object.bind(devices[0], 0, &memory, 0, 2 * unit),
        object.bind(devices[0], 0, &memory, usize::MAX, unit),
    ];
    for refused in refusals {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::InvalidArgument, None), "{error}");
    }
    let other = object.bind(devices[1], 0, &memory, 0, unit).unwrap_err();
    match is_since(13, 1) {
        true => assert_eq!(other.code(), Some(Code::InvalidDevice)),
        false => assert!(other.to_string().contains("the memory is not of device"), "{other}"),
    }
}
