//! Logical endpoints, on a driver that has them: the software driver, with devices that support them. Copies by them are a function of
//! this test.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

use core::ffi::{CStr, c_ulonglong, c_void};
use core::ptr::NonNull;
use cuda_rt::device::DeviceAttribute;
use cuda_rt::driver::DriverVersion;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{
    AccessFlags, FabricCopy, FabricOperand, LogicalEndpoint, LogicalEndpointIds, LogicalEndpointOptions,
    PhysicalMemory, PhysicalMemoryOptions, VirtualMemory,
};
use cuda_rt::{Context, Device, DevicePtr, Stream};
use cuda_sim::{Config, Machine, Profile};
use cuda_sys::{
    CUDA_FABRIC_COPY_BATCH_OP, CUfabricCpyOperand, CUfabricCpyOperandType_enum as OperandType, CUresult,
    CUstream, Symbol,
};
use std::sync::{Mutex, OnceLock};

/// The ends of copies: an address, or an endpoint and an offset.
type Ends = [(u64, Option<u32>); 2];

/// The copies that were queued last.
static COPIES: Mutex<Vec<(Ends, usize)>> = Mutex::new(Vec::new());

fn end(operand: CUfabricCpyOperand) -> (u64, Option<u32>) {
    if operand.type_ == OperandType::CU_FABRIC_COPY_OPERAND_TYPE_POINTER {
        // SAFETY: operands of this type have this member.
        (unsafe { operand.op.ptr }.ptr, None)
    } else {
        // SAFETY: as above.
        let endpoint = unsafe { operand.op.le };
        (endpoint.offset, Some(endpoint.id))
    }
}

unsafe extern "C" fn copy(
    count: usize,
    list: *mut CUDA_FABRIC_COPY_BATCH_OP,
    flags: c_ulonglong,
    _: CUstream,
) -> CUresult {
    // SAFETY: the caller's promise to the driver function.
    let list = unsafe { core::slice::from_raw_parts(list, count) };
    assert!(flags == 0 && list.iter().all(|copy| copy.flags == 0));
    let copies = list.iter().map(|copy| ([end(copy.src), end(copy.dst)], copy.size));
    *COPIES.lock().unwrap() = copies.collect();
    CUresult::CUDA_SUCCESS
}

fn layered(name: &'static CStr) -> Option<NonNull<c_void>> {
    match Symbol::from_name(name.to_str().unwrap())? {
        Symbol::cuFabricCpyBatchAsync => NonNull::new((copy as *const ()).cast_mut().cast()),
        _ => cuda_sim::resolve(name),
    }
}

/// The devices of a machine of this thread's own.
fn devices() -> [Device; 2] {
    let supports = [
        DeviceAttribute::LOGICAL_ENDPOINT_UNICAST_SUPPORTED,
        DeviceAttribute::LOGICAL_ENDPOINT_MULTICAST_SUPPORTED,
    ];
    let profile =
        supports.iter().fold(Profile::H200, |profile, attribute| profile.with_attribute(attribute.0, 1));
    let config =
        Config { driver_version: DriverVersion::new(13, 5), profiles: vec![profile], ..Config::default() };
    // The machine stays current for values that are dropped when the thread ends.
    let _entered = std::mem::ManuallyDrop::new(Machine::new(config).enter());
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // SAFETY: the functions of the software driver, and one with its signature.
        unsafe { cuda_sys::install("a driver with a fabric", layered) }.unwrap();
        cuda_suite::fail_on_internal_errors();
    });
    [Device::get(0).unwrap(), Device::get(1).unwrap()]
}

fn physical(device: Device, bytes: usize) -> PhysicalMemory {
    PhysicalMemory::new(device, bytes, PhysicalMemoryOptions::new()).unwrap()
}

/// An endpoint for two units of the device.
fn unicast(device: Device) -> (LogicalEndpoint, usize) {
    let limits = LogicalEndpointOptions::unicast(device, 1 << 21).limits().unwrap();
    let unit = usize::try_from(limits.alignment).unwrap();
    assert!(limits.bytes >= 2 * limits.alignment);
    let options = LogicalEndpointOptions::unicast(device, 2 * unit);
    (LogicalEndpointIds::reserve(1).unwrap().create(0, options).unwrap(), unit)
}

#[test]
fn numbers_have_one_endpoint_each() {
    let [device, _] = devices();
    let ids = LogicalEndpointIds::reserve(2).unwrap();
    let other = LogicalEndpointIds::reserve(1).unwrap();
    assert_eq!((ids.count(), other.first()), (2, ids.first() + 2));
    let options = LogicalEndpointOptions::unicast(device, 1 << 21);
    assert!(!ids.are_ready().unwrap());
    let (first, second) = (ids.create(0, options).unwrap(), ids.create(1, options).unwrap());
    assert_eq!((first.id(), second.id()), (ids.first(), ids.first() + 1));
    assert!(ids.are_ready().unwrap());
    for (index, why) in [(1, "has an endpoint"), (2, "is beyond the 2 numbers")] {
        let refused = ids.create(index, options).unwrap_err();
        assert_eq!(
            (refused.kind(), refused.call()),
            (ErrorKind::InvalidArgument, Some("cuLogicalEndpointCreate"))
        );
        assert!(refused.to_string().contains(why), "{refused}");
    }
    second.close().unwrap();
    // A refusal leaves the number free.
    let refused = ids.create(1, LogicalEndpointOptions::unicast(device, 1)).unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidValue));
    let second = ids.create(1, options).unwrap();
    drop((first, second));
    ids.close().unwrap();
    assert_eq!(LogicalEndpointIds::reserve(0).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn an_endpoint_keeps_its_memory_and_its_number() {
    let [device, other] = devices();
    let (endpoint, unit) = unicast(device);
    let live = Machine::current().live().memory_bytes;
    endpoint.bind(device, unit, &physical(device, unit), 0, unit).unwrap();
    let again = endpoint.bind(device, unit, &physical(device, unit), 0, unit).unwrap_err();
    assert_eq!(again.code(), Some(Code::InvalidValue));
    let elsewhere = endpoint.bind(other, 0, &physical(other, unit), 0, unit).unwrap_err();
    assert_eq!(elsewhere.code(), Some(Code::InvalidValue));
    // SAFETY: nothing uses the endpoint.
    unsafe { endpoint.unbind(device, unit) }.unwrap();
    // SAFETY: as above.
    let gone = unsafe { endpoint.unbind(device, unit) }.unwrap_err();
    assert_eq!((gone.kind(), gone.code()), (ErrorKind::InvalidArgument, None));
    for (offset, memory_offset, bytes) in [(2 * unit, 0, unit), (0, unit, unit), (usize::MAX, 0, unit)] {
        let refused =
            endpoint.bind(device, offset, &physical(device, unit), memory_offset, bytes).unwrap_err();
        assert_eq!((refused.kind(), refused.code()), (ErrorKind::InvalidArgument, None), "{refused}");
    }
    endpoint.clone().close().unwrap();
    endpoint.close().unwrap();
    assert_eq!(Machine::current().live().memory_bytes, live);
}

#[test]
fn a_team_is_ready_when_it_is_complete() {
    let [first, second] = devices();
    let ids = LogicalEndpointIds::reserve(1).unwrap();
    let unit = 1 << 21;
    let endpoint = ids.create(0, LogicalEndpointOptions::multicast(2, unit)).unwrap();
    endpoint.add_device(first).unwrap();
    assert!(!endpoint.is_ready().unwrap());
    let early = endpoint.bind(first, 0, &physical(first, unit), 0, unit).unwrap_err();
    assert_eq!((early.kind(), early.call()), (ErrorKind::InvalidArgument, Some("cuLogicalEndpointBindMem")));
    assert!(early.to_string().contains("is not ready"), "{early}");
    assert_eq!(endpoint.add_device(first).unwrap_err().code(), Some(Code::InvalidValue));
    endpoint.add_device(second).unwrap();
    assert!(endpoint.is_ready().unwrap());
    let context = Context::primary(first).unwrap();
    let mut memory = VirtualMemory::reserve(&Stream::new(&context).unwrap(), unit).unwrap();
    memory.map(0, &physical(first, unit)).unwrap();
    memory.set_access(.., &[first], AccessFlags::READ_WRITE).unwrap();
    // SAFETY: the memory outlives the endpoint.
    unsafe { endpoint.bind_address(first, 0, memory.ptr(), unit) }.unwrap();
    endpoint.bind(second, 0, &physical(second, unit), 0, unit).unwrap();
    endpoint.close().unwrap();
}

#[test]
fn other_processes_are_not_reached() {
    let [device, _] = devices();
    let (endpoint, _) = unicast(device);
    assert_eq!(endpoint.export().unwrap_err().code(), Some(Code::NotSupported));
    let options = LogicalEndpointOptions::unicast(device, 1 << 21);
    for options in [options.shareable(true), options.counted_operations(true)] {
        assert_eq!(options.limits().unwrap_err().code(), Some(Code::NotSupported));
    }
    let handle = cuda_rt::memory::LogicalEndpointHandle([0; 64]);
    // SAFETY: the software driver has no such handles.
    let refused = unsafe { LogicalEndpointIds::reserve(1).unwrap().import(0, &handle) }.unwrap_err();
    assert_eq!(refused.code(), Some(Code::NotSupported));
}

#[test]
fn copies_name_their_ends() {
    let [device, _] = devices();
    let (endpoint, _) = unicast(device);
    let context = Context::primary(device).unwrap();
    let stream = Stream::new(&context).unwrap();
    let memory = FabricOperand::Memory(DevicePtr::from_raw(0x1000));
    let remote = FabricOperand::Endpoint(&endpoint, 256);
    let copies = [
        FabricCopy { source: memory, destination: remote, bytes: 64 },
        FabricCopy { source: remote, destination: memory, bytes: 32 },
    ];
    // SAFETY: the function of this test copies nothing.
    unsafe { stream.copy_over_fabric(&copies) }.unwrap();
    let (memory, remote) = ((0x1000, None), (256, Some(endpoint.id())));
    assert_eq!(*COPIES.lock().unwrap(), [([memory, remote], 64), ([remote, memory], 32)]);
}
