//! Memory of the host at reserved addresses, through the raw API: the host and the devices have access by themselves.

use crate::address_ranges::{
    COPY, DESCRIPTOR, DONE, FAULT, INVALID, LACKS, NONE, READ, WRITE, granularity, map, place, prop, reserve,
    try_create, unmap,
};
use crate::ipc::{Other, Part, play};
use core::ffi::c_void;
use cuda_suite::raw::{allocate, function, launch, read};
use cuda_suite::{call, code, context, skip};
use cuda_sys::*;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::ptr::{null_mut, with_exposed_provenance_mut, without_provenance_mut};

pub(super) const PARTS: &[Part] = &[Part { name: "host-range", owner: lend, user: borrow }];

const DEVICE: CUmemLocationType = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
const HOST: CUmemLocationType = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST;
const NODE: CUmemLocationType = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST_NUMA;
const CURRENT: CUmemLocationType = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;

fn at(type_: CUmemLocationType, number: i32) -> CUmemLocation {
    CUmemLocation { type_, ..place(number) }
}

/// Properties of memory on node 0 of the host.
fn on_node() -> CUmemAllocationProp {
    CUmemAllocationProp { location: at(NODE, 0), ..prop() }
}

fn create(size: usize) -> CUmemGenericAllocationHandle {
    try_create(size, &on_node()).unwrap()
}

fn is_supported() -> bool {
    let attribute =
        CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    let mut value = 0;
    code!(cuDeviceGetAttribute(&raw mut value, attribute, cuda_suite::device().as_raw())) == DONE
        && value != 0
}

macro_rules! needs_support {
    () => {
        if !is_supported() {
            skip!("the host has no memory for reserved addresses");
        }
    };
}

fn open(location: CUmemLocation, address: CUdeviceptr, size: usize, flags: CUmemAccess_flags) -> CUresult {
    let wanted = CUmemAccessDesc { location, flags };
    code!(cuMemSetAccess(address, size, &raw const wanted, 1))
}

fn access(location: CUmemLocation, address: CUdeviceptr) -> u32 {
    let mut flags = 99;
    call!(cuMemGetAccess(&raw mut flags, &raw const location, address));
    flags as u32
}

/// Returns what the process may do at an address: read, and write. A system call finds it out without a fault.
fn host_may(address: CUdeviceptr) -> (bool, bool) {
    let mut ends = [-1; 2];
    // SAFETY: there is room for two descriptors.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: the system has made them for this function.
    let [from, to] = ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) });
    let there = with_exposed_provenance_mut::<c_void>(address as usize);
    // SAFETY: the system checks the address.
    let reads = unsafe { libc::write(to.as_raw_fd(), there, 1) } == 1;
    if !reads {
        let byte = 0_u8;
        // SAFETY: the byte is valid for a read.
        assert_eq!(unsafe { libc::write(to.as_raw_fd(), (&raw const byte).cast(), 1) }, 1);
    }
    // SAFETY: the system checks the address. If it can be read, the byte does not change.
    let writes = unsafe { libc::read(from.as_raw_fd(), there, 1) } == 1;
    (reads, writes)
}

/// Returns a word of memory that the host can access.
fn word(address: CUdeviceptr) -> &'static std::sync::atomic::AtomicU32 {
    assert_eq!(host_may(address), (true, true));
    // SAFETY: aligned memory that is mapped as long as the tests use the word.
    unsafe { &*with_exposed_provenance_mut(address as usize) }
}

/// Returns the answers of an upload, a download, copies of device memory there and back, and a fill.
fn uses(address: CUdeviceptr, other: CUdeviceptr) -> [CUresult; 5] {
    let mut word = 1_u32;
    let there: *mut c_void = (&raw mut word).cast();
    let answers = [
        code!(cuMemcpyHtoD_v2(address, there, 4)),
        code!(cuMemcpyDtoH_v2(there, address, 4)),
        code!(cuMemcpyDtoD_v2(address, other, 4)),
        code!(cuMemcpyDtoD_v2(other, address, 4)),
        code!(cuMemsetD32_v2(address, 1, 1)),
    ];
    call!(cuCtxSynchronize());
    answers
}

/// Returns an attribute of an address, as far as there is one.
fn attribute(attribute: CUpointer_attribute, address: CUdeviceptr) -> Option<u64> {
    let mut value = 0_u64;
    code!(cuPointerGetAttribute((&raw mut value).cast(), attribute, address)).is_success().then_some(value)
}

const DEVICE_POINTER: CUpointer_attribute = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_DEVICE_POINTER;
const HOST_POINTER: CUpointer_attribute = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_HOST_POINTER;

struct Mapped {
    address: CUdeviceptr,
    size: usize,
    handle: CUmemGenericAllocationHandle,
}

impl Mapped {
    /// Maps memory of the host, without access.
    fn new() -> Mapped {
        let size = 2 * granularity();
        let mapped = Mapped { address: reserve(size), size, handle: create(size) };
        assert_eq!(map(mapped.address, size, mapped.handle), DONE);
        mapped
    }

    fn open(&self, location: CUmemLocation, flags: CUmemAccess_flags) {
        assert_eq!(open(location, self.address, self.size, flags), DONE);
    }

    fn end(self) {
        call!(cuMemUnmap(self.address, self.size));
        call!(cuMemRelease(self.handle));
        call!(cuMemAddressFree(self.address, self.size));
    }
}

fn device() -> CUmemLocation {
    place(cuda_suite::device().as_raw())
}

#[test]
fn host_memory_is_created_as_requested() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let (page, invalid) = (granularity(), Err(INVALID));
    let created = |prop: CUmemAllocationProp| {
        try_create(page, &prop).map(|handle| {
            let mut found = CUmemAllocationProp::default();
            call!(cuMemGetAllocationPropertiesFromHandle(&raw mut found, handle));
            call!(cuMemRelease(handle));
            // SAFETY: a node has a number.
            let number = unsafe { found.location.__bindgen_anon_1.id };
            (found.location.type_, number, found.requestedHandleTypes)
        })
    };
    let none = CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_NONE;
    let of = |location, types| CUmemAllocationProp { location, requestedHandleTypes: types, ..prop() };
    assert_eq!(created(of(at(NODE, 0), none)), Ok((NODE, 0, none)));
    assert_eq!(created(of(at(NODE, 0), DESCRIPTOR)), Ok((NODE, 0, DESCRIPTOR)));
    for number in [0, 5, -1] {
        assert_eq!(created(of(at(HOST, number), none)), Ok((NODE, 0, none)));
    }
    assert_eq!(created(of(at(HOST, 0), DESCRIPTOR)), invalid);
    assert_eq!([created(of(at(CURRENT, 0), none)), created(of(at(NODE, -1), none))], [invalid; 2]);
    for (compressed, direct) in [(1, 0), (0, 1)] {
        let mut prop = on_node();
        prop.allocFlags.compressionType = compressed;
        prop.allocFlags.gpuDirectRDMACapable = direct;
        assert_eq!(created(prop), invalid);
    }
    assert_eq!(try_create(1 << 50, &on_node()), Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    assert_eq!(try_create(page + 4096, &on_node()), Err(INVALID));
}

/// Without any access, and where the host may only read, the driver of hardware crashes in copies.
#[test]
fn host_and_device_have_separate_access() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let other = allocate(64);
    let [none, read, both] = [NONE, READ, WRITE].map(|flags| flags.0);
    let (all, copies) = ([DONE; 5], [DONE, DONE, DONE, DONE, INVALID]);
    let reads = [INVALID, DONE, INVALID, DONE, INVALID];
    // The access of the device, the host and its node, what the process may do, and what work on the device may do.
    let cases: [(&[(CUmemLocation, CUmemAccess_flags)], _, _, _); 8] = [
        (&[(device(), WRITE)], [both, both, none], (false, false), all),
        (&[(device(), READ)], [read, read, none], (false, false), reads),
        (&[(at(HOST, 0), WRITE)], [none, both, both], (true, true), copies),
        (&[(at(NODE, 0), WRITE)], [none, both, both], (true, true), copies),
        (&[(at(HOST, 0), WRITE), (device(), WRITE)], [both, both, both], (true, true), all),
        (&[(at(HOST, 0), WRITE), (device(), READ)], [read, read, both], (true, true), reads),
        (
            &[(device(), WRITE), (at(NODE, 5), WRITE), (at(HOST, 9), NONE)],
            [both, both, none],
            (false, false),
            all,
        ),
        (
            &[(device(), WRITE), (at(HOST, 0), WRITE), (device(), NONE)],
            [none, both, both],
            (true, true),
            copies,
        ),
    ];
    for (set, expected, may, work) in cases {
        let mapped = Mapped::new();
        let address = mapped.address;
        assert_eq!(host_may(address), (false, false));
        set.iter().for_each(|(location, flags)| mapped.open(*location, *flags));
        let found = [device(), at(HOST, 0), at(NODE, 0)].map(|location| access(location, address));
        assert_eq!((found, host_may(address)), (expected, may));
        assert_eq!(uses(address, other), work, "{expected:?}");
        let pointer = |is_there: bool| is_there.then_some(address + 8);
        assert_eq!(attribute(DEVICE_POINTER, address + 8), pointer(expected[0] != none));
        assert_eq!(attribute(HOST_POINTER, address + 8), pointer(may.0));
        mapped.end();
    }
    // The host may only read.
    let mapped = Mapped::new();
    mapped.open(at(HOST, 0), READ);
    assert_eq!((access(at(NODE, 0), mapped.address), host_may(mapped.address)), (read, (true, false)));
    let mut word = 1_u32;
    call!(cuMemcpyDtoH_v2((&raw mut word).cast(), mapped.address, 4));
    assert_eq!(code!(cuMemsetD32_v2(mapped.address, 1, 1)), INVALID);
    mapped.end();
    call!(cuMemFree_v2(other));
}

#[test]
fn refused_access_changes_nothing() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let Mapped { address, size, handle } = Mapped::new();
    assert_eq!(open(at(CURRENT, 0), address, size, WRITE), INVALID);
    assert_eq!(open(at(HOST, 0), address, size, CUmemAccess_flags_enum(2)), INVALID);
    assert_eq!(open(at(HOST, 0), address, size / 2, WRITE), INVALID);
    let list = |wanted: [(CUmemLocation, CUmemAccess_flags); 2]| {
        let wanted = wanted.map(|(location, flags)| CUmemAccessDesc { location, flags });
        code!(cuMemSetAccess(address, size, wanted.as_ptr(), 2))
    };
    assert_eq!(list([(at(HOST, 0), WRITE), (place(99), WRITE)]), INVALID);
    assert_eq!((access(at(HOST, 0), address), host_may(address)), (NONE.0, (false, false)));
    // The last access for a location counts.
    assert_eq!(list([(at(HOST, 0), WRITE), (at(NODE, 0), READ)]), DONE);
    assert_eq!((access(at(HOST, 0), address), host_may(address)), (READ.0, (true, false)));
    // Memory of a device, next to it, is not for the host.
    let start = reserve(2 * size);
    let on_device = try_create(size, &prop()).unwrap();
    assert_eq!([map(start, size, handle), map(start + size as u64, size, on_device)], [DONE; 2]);
    assert_eq!(open(at(HOST, 0), start, 2 * size, WRITE), LACKS);
    assert_eq!(open(at(HOST, 0), start, 2 * size, NONE), DONE);
    assert_eq!(open(at(HOST, 0), start, size, WRITE), DONE);
    assert_eq!(open(device(), start, 2 * size, WRITE), DONE);
    assert_eq!(host_may(start + size as u64), (false, false));
    // Work of the device uses both as one range.
    call!(cuMemsetD8_v2(start + 4, 7, 2 * size - 8));
    call!(cuCtxSynchronize());
    assert_eq!([read(start + size as u64), read(start + 2 * size as u64 - 12)], [0x0707_0707; 2]);
    assert_eq!(word(start + 8).load(std::sync::atomic::Ordering::Relaxed), 0x0707_0707);
    call!(cuMemUnmap(start, 2 * size));
    call!(cuMemUnmap(address, size));
    for handle in [handle, on_device] {
        call!(cuMemRelease(handle));
    }
    call!(cuMemAddressFree(start, 2 * size));
    call!(cuMemAddressFree(address, size));
}

#[test]
fn host_and_device_see_the_same_bytes() {
    use std::sync::atomic::Ordering::Relaxed;

    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let mapped = Mapped::new();
    let Mapped { address, size, handle } = mapped;
    let second = reserve(size);
    assert_eq!(map(second, size, handle), DONE);
    for start in [address, second] {
        assert_eq!([open(at(HOST, 0), start, size, WRITE), open(device(), start, size, WRITE)], [DONE; 2]);
    }
    word(address + 4).store(41, Relaxed);
    assert_eq!(word(second + 4).load(Relaxed), 41);
    // From one address to the other, in a kernel, and by a copy.
    let copy = function(COPY, c"copy");
    launch(copy, null_mut(), &[second + size as u64 - 4, address + 4]);
    call!(cuCtxSynchronize());
    assert_eq!(word(address + size as u64 - 4).load(Relaxed), 41);
    word(second + 8).store(42, Relaxed);
    assert_eq!(read(address + 8), 42);
    // The memory as a pointer of the host.
    let out = allocate(64);
    call!(cuMemcpyHtoD_v2(out, with_exposed_provenance_mut::<c_void>(second as usize + 8), 4));
    call!(cuCtxSynchronize());
    assert_eq!(read(out), 42);
    call!(cuMemFree_v2(out));
    // The second address lasts without the first, and each mapping starts without access.
    assert_eq!(unmap(address, size), DONE);
    assert_eq!([host_may(address), host_may(second)], [(false, false), (true, true)]);
    assert_eq!(map(address, size, handle), DONE);
    assert_eq!((access(at(HOST, 0), address), host_may(address)), (NONE.0, (false, false)));
    assert_eq!(word(second + 4).load(Relaxed), 41);
    assert_eq!(unmap(second, size), DONE);
    assert_eq!(host_may(second), (false, false));
    call!(cuMemAddressFree(second, size));
    mapped.end();
}

#[test]
fn mapped_host_memory_has_properties_of_its_own() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let mapped = Mapped::new();
    let Mapped { address, size, handle } = mapped;
    let value = |number: CUpointer_attribute| attribute(number, address + 8);
    let host = CUmemorytype_enum::CU_MEMORYTYPE_HOST.0.into();
    assert_eq!(value(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMORY_TYPE), Some(host));
    assert_eq!(value(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_CONTEXT), Some(0));
    assert_eq!(value(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR), Some(address));
    assert_eq!(value(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_RANGE_SIZE), Some(size as u64));
    assert_eq!(value(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS), Some(0));
    let there = with_exposed_provenance_mut::<c_void>(address as usize);
    let on_device = || {
        let (mut pointer, mut flags) = (0, 0);
        let pointed = code!(cuMemHostGetDevicePointer_v2(&raw mut pointer, there, 0));
        (pointed, pointer, code!(cuMemHostGetFlags(&raw mut flags, there)), flags)
    };
    mapped.open(at(HOST, 0), WRITE);
    assert_eq!(on_device(), (INVALID, 0, INVALID, 0));
    mapped.open(device(), WRITE);
    assert_eq!(value(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS), Some(3));
    let flags = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP;
    assert_eq!(on_device(), (DONE, address, DONE, flags));
    let (mut base, mut len) = (7, 7);
    call!(cuMemGetAddressRange_v2(&raw mut base, &raw mut len, address + 8));
    assert_eq!((base, len), (0, size));
    let yes = 1_u32;
    let sync = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
    assert_eq!(code!(cuPointerSetAttribute((&raw const yes).cast(), sync, address)), LACKS);
    // Other functions for memory refuse it.
    let mut shared = CUipcMemHandle::default();
    let refused = [
        code!(cuMemHostRegister_v2(there, size, 0)),
        code!(cuMemFreeHost(there)),
        code!(cuMemFree_v2(address)),
        code!(cuIpcGetMemHandle(&raw mut shared, address)),
    ];
    assert_eq!(refused, [INVALID; 4]);
    let mut found = 0;
    call!(cuMemRetainAllocationHandle(&raw mut found, without_provenance_mut(address as usize + 100)));
    assert_eq!(found, handle);
    call!(cuMemRelease(found));
    mapped.end();
}

/// Access of the host does not help kernels.
#[test]
fn kernel_without_device_access_faults() {
    const NAME: &str = "host_ranges::kernel_without_device_access_faults";
    cuda_suite::driver();
    {
        let context = context();
        let _entered = context.enter().unwrap();
        needs_support!();
    }
    for case in ["closed", "host", "read", "written"] {
        crate::alone_as(NAME, case, || {
            let context = context();
            let _entered = context.enter().unwrap();
            let (copy, out, case) =
                (function(COPY, c"copy"), allocate(64), std::env::var(crate::CASE).unwrap());
            let mapped = Mapped::new();
            match case.as_str() {
                "closed" => {}
                "host" => mapped.open(at(HOST, 0), WRITE),
                _ => mapped.open(device(), READ),
            }
            let params = if case == "written" { [mapped.address, out] } else { [out, mapped.address] };
            launch(copy, null_mut(), &params);
            let ended = code!(cuCtxSynchronize());
            assert_eq!(ended, if case == "read" { DONE } else { FAULT }, "{case}");
        });
    }
}

#[test]
fn another_process_uses_memory_of_the_host() {
    {
        let context = context();
        let _entered = context.enter().unwrap();
        needs_support!();
    }
    play("host-range");
}

fn lend(other: &mut Other) {
    use std::sync::atomic::Ordering::Relaxed;

    let context = context();
    let _entered = context.enter().unwrap();
    let size = granularity();
    let (address, prop) =
        (reserve(size), CUmemAllocationProp { requestedHandleTypes: DESCRIPTOR, ..on_node() });
    let handle = try_create(size, &prop).unwrap();
    assert_eq!([map(address, size, handle), open(at(HOST, 0), address, size, WRITE)], [DONE; 2]);
    word(address).store(1000, Relaxed);
    let mut file = -1_i32;
    call!(cuMemExportToShareableHandle((&raw mut file).cast(), handle, DESCRIPTOR, 0));
    // SAFETY: it was made for this program, which has nothing else of it.
    let file = unsafe { OwnedFd::from_raw_fd(file) };
    let path = std::env::temp_dir().join(format!("cuda-suite-host-{}", std::process::id()));
    let listener = UnixListener::bind(&path).unwrap();
    other.say(path.to_str().unwrap());
    let (socket, _) = listener.accept().unwrap();
    std::fs::remove_file(&path).unwrap();
    crate::pool_sharing::send(&socket, file.as_fd());
    other.expect("written");
    assert_eq!(word(address + 4).load(Relaxed), 1001);
    Mapped { address, size, handle }.end();
    other.say("released");
}

fn borrow(other: &mut Other) {
    use std::sync::atomic::Ordering::Relaxed;

    let context = context();
    let _entered = context.enter().unwrap();
    let size = granularity();
    let socket = UnixStream::connect(other.hear()).unwrap();
    let file = crate::pool_sharing::receive(&socket);
    let mut handle = 0;
    let number = without_provenance_mut(file.as_raw_fd() as usize);
    call!(cuMemImportFromShareableHandle(&raw mut handle, number, DESCRIPTOR));
    drop(file);
    let mut found = CUmemAllocationProp::default();
    call!(cuMemGetAllocationPropertiesFromHandle(&raw mut found, handle));
    let none = CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_NONE;
    assert_eq!((found.location.type_, found.requestedHandleTypes), (NODE, none));
    let address = reserve(size);
    assert_eq!(map(address, size, handle), DONE);
    for location in [device(), at(NODE, 0)] {
        assert_eq!(open(location, address, size, WRITE), DONE);
    }
    assert_eq!((read(address), word(address).load(Relaxed)), (1000, 1000));
    call!(cuMemsetD32_v2(address + 4, 1001, 1));
    call!(cuCtxSynchronize());
    other.say("written");
    other.expect("released");
    assert_eq!(word(address + 4).load(Relaxed), 1001);
    let mapped = Mapped { address, size, handle };
    assert_eq!(attribute(DEVICE_POINTER, address), Some(address));
    assert_eq!(access(at(DEVICE, cuda_suite::device().as_raw()), address), WRITE.0);
    mapped.end();
}
