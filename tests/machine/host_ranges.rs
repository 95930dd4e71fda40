//! Memory of the host at reserved addresses, as only the software driver shows it: reports, counts, and other machines.

#![allow(clippy::unwrap_used, unsafe_code)]

use cuda_sim::{Config, Profile, ReportKind};
use cuda_suite::raw::{context, function, launch, machine};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null_mut, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicU32, Ordering};

const PAGE: usize = 2 << 20;
const DONE: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const DESCRIPTOR: CUmemAllocationHandleType =
    CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
const WRITE: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
/// Above all addresses of processes.
const ABOVE: CUdeviceptr = 1 << 48;

const PUT: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry put(.param .u64 to) {
        .reg .b64 %a; .reg .b32 %r; ld.param.u64 %a, [to]; mov.u32 %r, 7; st.global.u32 [%a], %r; ret; }";

fn location(type_: CUmemLocationType, number: i32) -> CUmemLocation {
    let mut location = CUmemLocation { type_, ..CUmemLocation::default() };
    location.__bindgen_anon_1.id = number;
    location
}

fn device() -> CUmemLocation {
    location(CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE, 0)
}

fn node() -> CUmemLocation {
    location(CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST_NUMA, 0)
}

fn create(location: CUmemLocation) -> Result<CUmemGenericAllocationHandle, CUresult> {
    let prop = CUmemAllocationProp {
        type_: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: DESCRIPTOR,
        location,
        ..CUmemAllocationProp::default()
    };
    let mut handle = 0;
    match code!(cuMemCreate(&raw mut handle, PAGE, &raw const prop, 0)) {
        DONE => Ok(handle),
        code => Err(code),
    }
}

fn reserve(size: usize) -> CUdeviceptr {
    let mut address = 0;
    call!(cuMemAddressReserve(&raw mut address, size, 0, 0, 0));
    address
}

fn open(location: CUmemLocation, address: CUdeviceptr) {
    let wanted = CUmemAccessDesc { location, flags: WRITE };
    call!(cuMemSetAccess(address, PAGE, &raw const wanted, 1));
}

/// Reserves addresses, and maps memory of a location there.
fn mapped(location: CUmemLocation) -> CUdeviceptr {
    let (address, handle) = (reserve(PAGE), create(location).unwrap());
    call!(cuMemMap(address, PAGE, 0, handle, 0));
    call!(cuMemRelease(handle));
    address
}

fn word(address: CUdeviceptr) -> &'static AtomicU32 {
    assert!(address < ABOVE);
    // SAFETY: aligned memory to which the host has access as long as the tests use the word.
    unsafe { &*with_exposed_provenance_mut(address as usize) }
}

/// Launches a kernel that writes a word, and returns the result of waiting.
fn put(address: CUdeviceptr) -> CUresult {
    launch(function(PUT, c"put"), null_mut(), &[address]);
    code!(cuCtxSynchronize())
}

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    call!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
    free
}

/// On a device that reaches all memory of the host, and on one that does not.
#[test]
fn kernel_without_access_is_reported() {
    for profile in [Profile::H200, Profile::H200.with_pageable_memory_access()] {
        for (of_host, name) in [(true, "mapped memory of the host"), (false, "mapped memory")] {
            let config = Config { memcheck: true, profiles: vec![profile.clone()], ..Config::default() };
            let (machine, _entered) = machine(config);
            context(0);
            let address = mapped(if of_host { node() } else { device() });
            if of_host {
                open(node(), address);
                word(address).store(1, Ordering::Relaxed);
            }
            let _fault = put(address + 8);
            let reports = machine.take_reports();
            assert_eq!(reports.len(), 1, "{reports:?}");
            let report = &reports[0];
            assert_eq!(report.kind, ReportKind::NoAccess);
            let memory = report.memory.as_ref().unwrap();
            assert_eq!((memory.what.as_str(), memory.base, memory.size), (name, address, PAGE as u64));
            let text = report.to_string();
            assert!(text.contains("8 bytes into"), "{text}");
            assert!(text.contains("cuMemSetAccess has given the device no access"), "{text}");
            if of_host {
                assert_eq!(word(address + 8).load(Ordering::Relaxed), 0);
            }
        }
    }
}

/// Also on a device that reaches all memory of the host: the addresses are the process's own.
#[test]
fn unmapped_reserved_address_is_no_host_memory() {
    for profile in [Profile::H200, Profile::H200.with_pageable_memory_access()] {
        let config = Config { memcheck: true, profiles: vec![profile], ..Config::default() };
        let (machine, _entered) = machine(config);
        context(0);
        let address = reserve(2 * PAGE);
        assert!(address < ABOVE);
        let mut byte = 0_u8;
        let copied = code!(cuMemcpy((&raw mut byte).addr() as u64, address, 1));
        assert_eq!(copied, INVALID);
        let _fault = put(address);
        let text: String = machine.take_reports().iter().map(ToString::to_string).collect();
        assert!(text.contains("out of bounds") && !text.contains("host address"), "{text}");
    }
}

#[test]
fn host_memory_is_no_memory_of_the_device() {
    let (machine, _entered) = machine(Config { memory_bytes: 4 << 20, ..Config::default() });
    context(0);
    let before = (machine.live(), free_bytes());
    let all: Vec<CUdeviceptr> = (0..8).map(|_| mapped(node())).collect();
    assert_eq!(free_bytes(), before.1);
    assert_eq!((machine.live().mapped_ranges, machine.live().memory_handles), (8, 0));
    for address in all {
        for location in [device(), node()] {
            open(location, address);
        }
        assert_eq!((put(address), word(address).load(Ordering::Relaxed)), (DONE, 7));
        call!(cuMemUnmap(address, PAGE));
        call!(cuMemAddressFree(address, PAGE));
    }
    assert_eq!((machine.live().mapped_ranges, machine.live().reserved_ranges), (0, 0));
}

/// Without the attribute, reserved addresses lie above all addresses of processes, and device memory is used as before.
#[test]
fn device_without_the_attribute_refuses_host_memory() {
    let attribute =
        CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    let profile = Profile::H200.with_attribute(attribute.0, 0);
    let (_, _entered) = machine(Config { profiles: vec![profile], ..Config::default() });
    context(0);
    assert_eq!(create(node()), Err(INVALID));
    let address = mapped(device());
    assert!(address >= ABOVE);
    open(device(), address);
    assert_eq!(put(address), DONE);
}

/// Any machine can import it: it belongs to no device.
#[test]
fn host_memory_goes_from_one_machine_to_another() {
    let (_, _outer) = machine(Config::default());
    context(0);
    let (address, handle) = (reserve(PAGE), create(node()).unwrap());
    call!(cuMemMap(address, PAGE, 0, handle, 0));
    open(node(), address);
    word(address).store(12, Ordering::Relaxed);
    let mut file = -1_i32;
    call!(cuMemExportToShareableHandle((&raw mut file).cast(), handle, DESCRIPTOR, 0));
    {
        let (machine, _inner) =
            machine(Config { devices: 1, profiles: vec![Profile::A100], ..Config::default() });
        context(0);
        let mut same = 0;
        let number = std::ptr::without_provenance_mut(file as usize);
        call!(cuMemImportFromShareableHandle(&raw mut same, number, DESCRIPTOR));
        let there = reserve(PAGE);
        assert_ne!(there, address);
        call!(cuMemMap(there, PAGE, 0, same, 0));
        for location in [device(), node()] {
            open(location, there);
        }
        assert_eq!(word(there).load(Ordering::Relaxed), 12);
        assert_eq!(put(there), DONE);
        call!(cuMemUnmap(there, PAGE));
        call!(cuMemRelease(same));
        assert_eq!(machine.live().memory_handles, 0);
    }
    assert_eq!(word(address).load(Ordering::Relaxed), 7);
    // SAFETY: it was made for this program, which has nothing else of it.
    drop(unsafe { <std::os::fd::OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(file) });
}
