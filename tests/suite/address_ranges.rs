//! Virtual memory management through the raw API: memory without addresses, addresses without memory, and mappings.

use core::ffi::c_void;
use cuda_rt::Context;
use cuda_suite::raw::{allocate, function, launch, read, stream};
use cuda_suite::{call, code, context, second_device, skip};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
pub(super) const LACKS: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;
pub(super) const DONE: CUresult = CUresult::CUDA_SUCCESS;
pub(super) const FAULT: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;

pub(super) const COPY: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.global.u32 %r, [%b]; st.global.u32 [%a], %r; ret; }";

pub(super) const NONE: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE;
pub(super) const READ: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READ;
pub(super) const WRITE: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
pub(super) const DESCRIPTOR: CUmemAllocationHandleType =
    CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

pub(super) fn place(device: CUdevice) -> CUmemLocation {
    let type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    let mut location = CUmemLocation { type_, ..CUmemLocation::default() };
    location.__bindgen_anon_1.id = device;
    location
}

pub(super) fn prop() -> CUmemAllocationProp {
    CUmemAllocationProp {
        type_: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        location: place(cuda_suite::device().as_raw()),
        ..CUmemAllocationProp::default()
    }
}

pub(super) fn granularity() -> usize {
    let mut granularity = 0;
    let least = CUmemAllocationGranularity_flags_enum::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
    call!(cuMemGetAllocationGranularity(&raw mut granularity, &prop(), least));
    granularity
}

pub(super) fn try_create(
    size: usize,
    prop: &CUmemAllocationProp,
) -> Result<CUmemGenericAllocationHandle, CUresult> {
    let mut handle = 0;
    match code!(cuMemCreate(&raw mut handle, size, prop, 0)) {
        DONE => Ok(handle),
        code => Err(code),
    }
}

fn create(size: usize) -> CUmemGenericAllocationHandle {
    try_create(size, &prop()).unwrap()
}

fn try_reserve(size: usize, alignment: usize, wish: CUdeviceptr) -> Result<CUdeviceptr, CUresult> {
    let mut address = 0;
    match code!(cuMemAddressReserve(&raw mut address, size, alignment, wish, 0)) {
        DONE => Ok(address),
        code => Err(code),
    }
}

pub(super) fn reserve(size: usize) -> CUdeviceptr {
    try_reserve(size, 0, 0).unwrap()
}

pub(super) fn map(address: CUdeviceptr, size: usize, handle: CUmemGenericAllocationHandle) -> CUresult {
    code!(cuMemMap(address, size, 0, handle, 0))
}

pub(super) fn unmap(address: CUdeviceptr, size: usize) -> CUresult {
    code!(cuMemUnmap(address, size))
}

fn open_for(device: CUdevice, address: CUdeviceptr, size: usize, flags: CUmemAccess_flags) -> CUresult {
    let wanted = CUmemAccessDesc { location: place(device), flags };
    code!(cuMemSetAccess(address, size, &raw const wanted, 1))
}

fn open(address: CUdeviceptr, size: usize, flags: CUmemAccess_flags) -> CUresult {
    open_for(cuda_suite::device().as_raw(), address, size, flags)
}

fn access_of(device: CUdevice, address: CUdeviceptr) -> Result<u32, CUresult> {
    let mut flags = 99;
    match code!(cuMemGetAccess(&raw mut flags, &place(device), address)) {
        DONE => Ok(flags as u32),
        code => Err(code),
    }
}

fn access(address: CUdeviceptr) -> Result<u32, CUresult> {
    access_of(cuda_suite::device().as_raw(), address)
}

/// Memory that is mapped at an address of its own, and can be used.
struct Mapped {
    address: CUdeviceptr,
    size: usize,
    handle: CUmemGenericAllocationHandle,
}

impl Mapped {
    fn new(size: usize) -> Mapped {
        let mapped = Mapped { address: reserve(size), size, handle: create(size) };
        assert_eq!(map(mapped.address, size, mapped.handle), DONE);
        assert_eq!(open(mapped.address, size, WRITE), DONE);
        mapped
    }

    fn end(self) {
        call!(cuMemUnmap(self.address, self.size));
        call!(cuMemRelease(self.handle));
        call!(cuMemAddressFree(self.address, self.size));
    }
}

/// Returns the answers of a fill of words with 1, an upload, and a download of a word.
fn uses(address: CUdeviceptr) -> [CUresult; 3] {
    let mut word = 1_u32;
    let there: *mut c_void = (&raw mut word).cast();
    let answers = [
        code!(cuMemsetD32_v2(address, 1, 1)),
        code!(cuMemcpyHtoD_v2(address, there, 4)),
        code!(cuMemcpyDtoH_v2(there, address, 4)),
    ];
    call!(cuCtxSynchronize());
    answers
}

fn is_supported() -> bool {
    let device = cuda_suite::device();
    device.virtual_memory_management_supported().unwrap()
        && !matches!(try_create(granularity(), &prop()).map(|handle| code!(cuMemRelease(handle))), Err(LACKS))
}

macro_rules! needs_support {
    () => {
        if !is_supported() {
            skip!("there is no virtual memory management");
        }
    };
}

#[test]
fn memory_comes_in_whole_pages() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let (page, mut size) = (granularity(), 0);
    let flags = CUmemAllocationGranularity_flags_enum::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
    call!(cuMemGetAllocationGranularity(&raw mut size, &prop(), flags));
    assert!(page.is_power_of_two() && size.is_multiple_of(page));
    let unknown = CUmemAllocationGranularity_flags(2);
    let of_unknown = code!(cuMemGetAllocationGranularity(&raw mut size, &prop(), unknown));
    assert_eq!(of_unknown, INVALID);
    assert_eq!(code!(cuMemGetAllocationGranularity(null_mut(), &prop(), flags)), INVALID);
    assert_eq!(code!(cuMemGetAllocationGranularity(&raw mut size, null(), flags)), INVALID);

    for wrong in [0, 1, page - 1, page + 4096] {
        assert_eq!(try_create(wrong, &prop()), Err(INVALID), "{wrong}");
    }
    assert_eq!(try_create(1 << 50, &prop()), Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    let (plain, mut handle) = (prop(), 0);
    assert_eq!(code!(cuMemCreate(&raw mut handle, page, &raw const plain, 1)), INVALID);
    assert_eq!(code!(cuMemCreate(&raw mut handle, page, null(), 0)), INVALID);
    assert_eq!(code!(cuMemCreate(null_mut(), page, &raw const plain, 0)), INVALID);
    let nowhere = CUmemAllocationProp { location: CUmemLocation::default(), ..prop() };
    let on_device_99 = CUmemAllocationProp { location: place(99), ..prop() };
    let no_type =
        CUmemAllocationProp { type_: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_INVALID, ..prop() };
    let windows = CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_WIN32;
    let of_windows = CUmemAllocationProp { requestedHandleTypes: windows, ..prop() };
    assert_eq!(try_create(page, &nowhere), Err(INVALID));
    assert_eq!(try_create(page, &on_device_99), Err(CUresult::CUDA_ERROR_INVALID_DEVICE));
    assert_eq!([try_create(page, &no_type), try_create(page, &of_windows)], [Err(INVALID); 2]);
}

#[test]
fn handle_tells_its_allocation_properties() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let wanted = CUmemAllocationProp { requestedHandleTypes: DESCRIPTOR, ..prop() };
    let handle = try_create(granularity(), &wanted).unwrap();
    let mut found = CUmemAllocationProp::default();
    call!(cuMemGetAllocationPropertiesFromHandle(&raw mut found, handle));
    assert_eq!((found.type_, found.requestedHandleTypes), (wanted.type_, DESCRIPTOR));
    assert_eq!(found.location.type_, wanted.location.type_);
    // SAFETY: a location on a device holds its number.
    assert_eq!(unsafe { found.location.__bindgen_anon_1.id }, cuda_suite::device().as_raw());
    assert_eq!(found.allocFlags.usage, 0);
    assert_eq!(code!(cuMemGetAllocationPropertiesFromHandle(null_mut(), handle)), INVALID);
    assert_eq!(code!(cuMemGetAllocationPropertiesFromHandle(&raw mut found, 0)), INVALID);
    call!(cuMemRelease(handle));
    assert_eq!([code!(cuMemRelease(handle)), code!(cuMemRelease(0))], [INVALID; 2]);
}

#[test]
fn addresses_are_reserved_where_they_are_asked_for() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let page = granularity();
    for wrong in [0, 1, 4096, page + 4096] {
        assert_eq!(try_reserve(wrong, 0, 0), Err(INVALID), "{wrong}");
    }
    assert_eq!(try_reserve(1 << 47, 0, 0), Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    assert_eq!(try_reserve(page, 3, 0), Err(INVALID));
    let mut address = 0;
    assert_eq!(code!(cuMemAddressReserve(&raw mut address, page, 0, 0, 1)), INVALID);
    assert_eq!(code!(cuMemAddressReserve(null_mut(), page, 0, 0, 0)), INVALID);
    for alignment in [0, 1, 4096, page, 4 * page, 1 << 30] {
        let address = try_reserve(page, alignment, 0).unwrap();
        assert!(address.is_multiple_of(alignment.max(page) as u64), "{alignment}");
        call!(cuMemAddressFree(address, page));
    }
    let large = reserve(1 << 40);
    call!(cuMemAddressFree(large, 1 << 40));

    // In the middle of so much room, where no test beside this one reserves anything. Hardware need not take the hint.
    let there = try_reserve(4 * page, 0, large + (1 << 39)).unwrap();
    let elsewhere = try_reserve(4 * page, 0, there).unwrap();
    assert_ne!(elsewhere, there, "that is taken");
    assert_eq!(try_reserve(page, 0, there + 4096), Err(INVALID));
    let offset = page as u64;
    for (address, size) in [(there, page), (there + offset, page), (there, 8 * page), (16, page)] {
        assert_eq!(code!(cuMemAddressFree(address, size)), INVALID);
    }
    call!(cuMemAddressFree(there, 4 * page));
    assert_eq!(code!(cuMemAddressFree(there, 4 * page)), INVALID, "it is not reserved any more");
    call!(cuMemAddressFree(elsewhere, 4 * page));
    assert_eq!(code!(cuMemAddressFree(0, 0)), INVALID);
}

#[test]
fn memory_is_mapped_whole_at_free_addresses() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let page = granularity();
    let (size, step) = (2 * page, page as u64);
    let (start, handle) = (reserve(8 * page), create(size));
    assert_eq!(
        [map(start, page, handle), map(start, 2 * size, handle), map(start, 4096, handle)],
        [LACKS; 3]
    );
    assert_eq!(code!(cuMemMap(start, page, page, handle, 0)), LACKS);
    assert_eq!(code!(cuMemMap(start, size, 0, handle, 1)), INVALID);
    assert_eq!([map(start, 0, handle), map(start + 4096, size, handle), map(start, size, 0)], [INVALID; 3]);
    let free = reserve(size);
    call!(cuMemAddressFree(free, size));
    assert_eq!(map(free, size, handle), INVALID, "it is not reserved");
    assert_eq!(map(start, size, handle), DONE);
    assert_eq!([map(start, size, handle), map(start + step, size, handle)], [INVALID; 2]);
    assert_eq!(code!(cuMemAddressFree(start, 8 * page)), INVALID, "something is mapped there");

    for (address, len) in [(start, page), (start + step, page), (start + 4096, size), (start, 0)] {
        assert_eq!(unmap(address, len), INVALID);
    }
    assert_eq!([unmap(start, 4 * page), unmap(start, size)], [DONE; 2], "with or without what is not mapped");
    assert_eq!(map(start + 2 * step, size, handle), DONE);
    assert_eq!(unmap(start, 3 * page), INVALID, "it would cut through");
    assert_eq!(unmap(start, 8 * page), DONE);
    call!(cuMemAddressFree(start, 8 * page));
    call!(cuMemRelease(handle));
}

#[test]
fn access_is_given_to_whole_mappings() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let page = granularity();
    let (size, step) = (2 * page, page as u64);
    let (start, first, second) = (reserve(8 * page), create(size), create(size));
    assert_eq!(map(start, size, first), DONE);
    assert_eq!((access(start), uses(start)), (Ok(NONE.0), [INVALID; 3]), "not yet");
    assert_eq!(open(start, size, WRITE), DONE);
    assert_eq!((access(start + 100), uses(start)), (Ok(WRITE.0), [DONE; 3]));
    assert_eq!(code!(cuMemsetD32_v2(start, 1, size / 4 + 1)), INVALID, "nothing is there");
    assert_eq!(open(start, size, READ), DONE);
    assert_eq!((access(start), uses(start)), (Ok(READ.0), [INVALID, INVALID, DONE]));
    assert_eq!(open(start, size, NONE), DONE);
    assert_eq!((access(start), uses(start)), (Ok(NONE.0), [INVALID; 3]));

    let partial = [(start, page), (start + step, page), (start, 4096), (start + 4096, page), (start, 0)];
    for (address, len) in partial.into_iter().chain([(start, 2 * size), (start + 4 * step, page), (16, page)])
    {
        assert_eq!(open(address, len, WRITE), INVALID, "{len}");
    }
    for flags in [2, 9] {
        assert_eq!(open(start, size, CUmemAccess_flags_enum(flags)), INVALID);
    }
    let device = cuda_suite::device().as_raw();
    assert_eq!(open_for(99, start, size, WRITE), INVALID);
    let wanted = CUmemAccessDesc { location: place(device), flags: WRITE };
    assert_eq!(code!(cuMemSetAccess(start, size, &raw const wanted, 0)), INVALID);
    assert_eq!(code!(cuMemSetAccess(start, size, null(), 1)), INVALID);
    let type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST;
    let of_host = CUmemAccessDesc { location: CUmemLocation { type_, ..place(0) }, flags: WRITE };
    assert_eq!(code!(cuMemSetAccess(start, size, &raw const of_host, 1)), LACKS);
    assert_eq!([access(start + 4 * step), access(16)], [Err(INVALID); 2]);
    assert_eq!(access_of(99, start), Err(CUresult::CUDA_ERROR_INVALID_DEVICE));
    assert_eq!(code!(cuMemGetAccess(null_mut(), &place(device), start)), INVALID);

    // Several at once; and anew after each mapping.
    assert_eq!(map(start + 2 * step, size, second), DONE);
    assert_eq!(open(start, 2 * size, WRITE), DONE);
    assert_eq!([unmap(start, size), map(start, size, first)], [DONE; 2]);
    assert_eq!([access(start), access(start + 2 * step)], [Ok(NONE.0), Ok(WRITE.0)]);
    assert_eq!(unmap(start, 2 * size), DONE);
    for handle in [first, second] {
        call!(cuMemRelease(handle));
    }
    call!(cuMemAddressFree(start, 8 * page));
}

#[test]
fn adjacent_mappings_work_as_one_range() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let page = granularity();
    let (size, step) = (2 * page, page as u64);
    let (start, first, second) = (reserve(2 * size), create(size), create(size));
    assert_eq!([map(start, size, first), map(start + 2 * step, size, second)], [DONE; 2]);
    assert_eq!(open(start, size, WRITE), DONE);
    let (middle, out) = (start + step, allocate(size));
    let over_both =
        || [code!(cuMemcpyDtoD_v2(out, middle, size)), code!(cuMemsetD32_v2(middle, 7, size / 4))];
    assert_eq!(over_both(), [INVALID; 2], "the second is not open");
    assert_eq!(open(start, 2 * size, WRITE), DONE);
    assert_eq!(over_both(), [DONE; 2]);
    call!(cuMemcpyDtoD_v2(out, middle, size));
    call!(cuCtxSynchronize());
    assert_eq!([read(out), read(out + size as u64 - 4)], [7; 2]);
    // In rows: one row crosses the border.
    call!(cuMemsetD2D32_v2(middle + step - 512, 1000, 8, 6, 2));
    let rows = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        srcDevice: middle + step - 512,
        srcPitch: 1000,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        dstDevice: out,
        dstPitch: 24,
        WidthInBytes: 24,
        Height: 2,
        ..CUDA_MEMCPY2D::default()
    };
    call!(cuMemcpy2D_v2(&raw const rows));
    call!(cuCtxSynchronize());
    assert_eq!([read(out), read(out + 44)], [8; 2]);
    // Each has its own bounds, in the addresses that were reserved together.
    let (mut base, mut len) = (0, 0);
    call!(cuMemGetAddressRange_v2(&raw mut base, &raw mut len, middle + step + 4));
    assert_eq!((base, len), (start + 2 * step, size));
    let attribute = |attribute| {
        let mut value = 0_u64;
        call!(cuPointerGetAttribute((&raw mut value).cast(), attribute, middle + step + 4));
        value
    };
    assert_eq!(attribute(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR), start);
    assert_eq!(attribute(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_RANGE_SIZE), 2 * size as u64);
    assert_eq!(attribute(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_CONTEXT), 0);
    if crate::is_since(11, 7) {
        assert_eq!(attribute(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR), base);
        assert_eq!(attribute(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MAPPING_SIZE), len as u64);
    }
    assert_eq!(code!(cuMemFree_v2(start)), INVALID);
    assert_eq!(unmap(start, 2 * size), DONE);
    for handle in [first, second] {
        call!(cuMemRelease(handle));
    }
    call!(cuMemAddressFree(start, 2 * size));
    call!(cuMemFree_v2(out));
}

#[test]
fn memory_at_two_addresses_is_the_same() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let size = granularity();
    let mapped = Mapped::new(size);
    let other = reserve(size);
    assert_eq!([map(other, size, mapped.handle), open(other, size, WRITE)], [DONE; 2]);
    call!(cuMemsetD32_v2(mapped.address, 5, size / 4));
    call!(cuCtxSynchronize());
    assert_eq!(read(other + size as u64 - 4), 5);
    call!(cuMemsetD32_v2(other, 6, 1));
    let copy = function(COPY, c"copy");
    // Within a kernel, too: from one address to the other.
    launch(copy, null_mut(), &[mapped.address + 8, other]);
    assert_eq!([read(other + 8), read(mapped.address + 4)], [6, 5]);
    assert_eq!(unmap(other, size), DONE);
    assert_eq!(uses(other), [INVALID; 3]);
    assert_eq!(read(mapped.address + 8), 6);
    call!(cuMemAddressFree(other, size));
    mapped.end();
}

#[test]
fn memory_lasts_as_long_as_a_handle_or_a_mapping() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let size = granularity();
    let Mapped { address, handle, .. } = Mapped::new(size);
    call!(cuMemsetD32_v2(address, 9, 1));
    call!(cuMemRelease(handle));
    assert_eq!(read(address), 9);
    // Each query returns the handle again.
    let mut found = 0;
    for offset in [0, 100] {
        let place = std::ptr::without_provenance_mut::<c_void>(address as usize + offset);
        call!(cuMemRetainAllocationHandle(&raw mut found, place));
        assert_eq!(found, handle);
    }
    assert_eq!(unmap(address, size), DONE);
    let place = std::ptr::without_provenance_mut::<c_void>(address as usize);
    assert_eq!(code!(cuMemRetainAllocationHandle(&raw mut found, place)), INVALID, "nothing is there");
    assert_eq!([map(address, size, handle), open(address, size, WRITE)], [DONE; 2]);
    assert_eq!(read(address), 9);
    assert_eq!(unmap(address, size), DONE);
    for _ in 0..2 {
        call!(cuMemRelease(handle));
    }
    assert_eq!(code!(cuMemRelease(handle)), INVALID);
    let plain = allocate(64);
    let place = std::ptr::without_provenance_mut::<c_void>(plain as usize);
    assert_eq!(code!(cuMemRetainAllocationHandle(&raw mut found, place)), INVALID);
    call!(cuMemFree_v2(plain));
    call!(cuMemAddressFree(address, size));
}

/// All of it, and no context is needed, nor does memory go with one.
#[test]
fn mappings_belong_to_no_context() {
    cuda_suite::driver();
    call!(cuInit(0));
    let own = cuda_rt::Context::new(cuda_suite::device(), cuda_rt::context::ContextFlags::default()).unwrap();
    let supported = own.enter().map(|_entered| is_supported()).unwrap();
    if !supported {
        skip!("there is no virtual memory management");
    }
    let mapped = std::thread::spawn(|| Mapped::new(granularity())).join().unwrap();
    {
        let _entered = own.enter().unwrap();
        call!(cuMemsetD32_v2(mapped.address, 4, 1));
        call!(cuCtxSynchronize());
    }
    drop(own);
    let context = context();
    let _entered = context.enter().unwrap();
    assert_eq!(read(mapped.address), 4);
    mapped.end();
}

#[test]
fn kernel_faults_without_access() {
    const NAME: &str = "address_ranges::kernel_faults_without_access";
    cuda_suite::driver();
    {
        let context = context();
        let _entered = context.enter().unwrap();
        needs_support!();
    }
    // Each ends all use of the driver, so that each is a process of its own.
    for case in ["closed", "read", "written", "unmapped"] {
        crate::alone_as(NAME, case, || {
            let context = context();
            let _entered = context.enter().unwrap();
            let (copy, out, size) = (function(COPY, c"copy"), allocate(64), granularity());
            let Mapped { address, .. } = Mapped::new(size);
            call!(cuMemsetD32_v2(address, 3, 1));
            call!(cuCtxSynchronize());
            let case = std::env::var(crate::CASE).unwrap();
            let params = if case == "written" { [address, out] } else { [out, address] };
            match case.as_str() {
                "closed" => assert_eq!(open(address, size, NONE), DONE),
                "unmapped" => assert_eq!(unmap(address, size), DONE),
                _ => assert_eq!(open(address, size, READ), DONE),
            }
            launch(copy, null_mut(), &params);
            let ended = code!(cuCtxSynchronize());
            assert_eq!(ended, if case == "read" { DONE } else { FAULT }, "{case}");
        });
    }
}

/// The call does not wait for the work.
#[test]
fn work_on_pages_unmapped_meanwhile_fails() {
    const NAME: &str = "address_ranges::work_on_pages_unmapped_meanwhile_fails";
    const HOLD: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry hold(.param .u64 go) {
            .reg .b64 %a; .reg .b32 %r; .reg .pred %p;
            ld.param.u64 %a, [go];
            again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again; ret; }";
    cuda_suite::driver();
    {
        let context = context();
        let _entered = context.enter().unwrap();
        needs_support!();
    }
    for case in ["unmapped", "closed"] {
        crate::alone_as(NAME, case, || {
            let context = context();
            let _entered = context.enter().unwrap();
            let (hold, on, size) = (function(HOLD, c"hold"), stream(1), granularity());
            let Mapped { address, .. } = Mapped::new(size);
            let out = allocate(64);
            let (words, go) = cuda_suite::raw::page_locked(1);
            launch(hold, on, &[go]);
            let expected = if std::env::var(crate::CASE).unwrap() == "unmapped" {
                call!(cuMemcpyDtoDAsync_v2(out, address, 64, on));
                assert_eq!(unmap(address, size), DONE);
                FAULT
            } else {
                call!(cuMemsetD8Async(address, 1, 64, on));
                assert_eq!(open(address, size, NONE), DONE);
                CUresult::CUDA_ERROR_LAUNCH_FAILED
            };
            words[0].store(1, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(code!(cuCtxSynchronize()), expected);
        });
    }
}

/// Independent of what `cuCtxEnablePeerAccess` says.
#[test]
fn another_device_uses_memory_that_is_opened_for_it() {
    let own = context();
    let _entered = own.enter().unwrap();
    needs_support!();
    let Some(other) = second_device() else { skip!("one device only") };
    if !other.can_access_peer(cuda_suite::device()).unwrap() {
        skip!("the devices do not reach each other");
    }
    let (device, peer) = (cuda_suite::device().as_raw(), other.as_raw());
    let mapped = Mapped::new(granularity());
    let Mapped { address, size, .. } = mapped;
    call!(cuMemsetD32_v2(address, 5, 1));
    call!(cuCtxSynchronize());
    assert_eq!(access_of(peer, address), Ok(NONE.0));
    {
        let there = Context::primary(other).unwrap();
        let _entered = there.enter().unwrap();
        let (copy, out) = (function(COPY, c"copy"), allocate(64));
        assert_eq!(uses(address), [INVALID; 3]);
        assert_eq!(code!(cuMemcpyDtoD_v2(out, address, 4)), INVALID);
        // A copy with the accessing device as the memory's device works, and with no other.
        let to_there = |context: &Context| {
            let from = context.as_raw();
            code!(cuMemcpyPeer(out, there.as_raw(), address, from, 4))
        };
        assert_eq!([to_there(&own), to_there(&there)], [DONE, INVALID]);
        call!(cuCtxSynchronize());
        assert_eq!(read(out), 5);
        assert_eq!(open_for(peer, address, size, WRITE), DONE);
        assert_eq!((access_of(peer, address), access_of(device, address)), (Ok(WRITE.0), Ok(WRITE.0)));
        call!(cuMemsetD32_v2(address, 6, 1));
        call!(cuCtxSynchronize());
        launch(copy, null_mut(), &[out, address]);
        assert_eq!([read(out), read(address)], [6; 2]);
        // And no other device.
        assert_eq!(open_for(device, address, size, NONE), DONE);
        assert_eq!(uses(address), [DONE; 3]);
        call!(cuMemFree_v2(out));
    }
    assert_eq!(uses(address), [INVALID; 3]);
    mapped.end();
}

#[test]
#[cfg(unix)]
fn memory_is_shared_by_a_descriptor() {
    let context = context();
    let _entered = context.enter().unwrap();
    needs_support!();
    let size = granularity();
    let export = |handle, kind, flags| {
        let mut file: i32 = -1;
        match code!(cuMemExportToShareableHandle((&raw mut file).cast(), handle, kind, flags)) {
            DONE => Ok(file),
            code => Err(code),
        }
    };
    let import = |file: i32| {
        let (mut handle, file) = (0, std::ptr::without_provenance_mut(file as usize));
        match code!(cuMemImportFromShareableHandle(&raw mut handle, file, DESCRIPTOR)) {
            DONE => Ok(handle),
            code => Err(code),
        }
    };
    let private = create(size);
    assert_eq!(export(private, DESCRIPTOR, 0), Err(INVALID), "it was not made for that");
    call!(cuMemRelease(private));
    let handle =
        try_create(size, &CUmemAllocationProp { requestedHandleTypes: DESCRIPTOR, ..prop() }).unwrap();
    let windows = CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_WIN32;
    assert_eq!([export(handle, DESCRIPTOR, 1), export(handle, windows, 0)], [Err(INVALID); 2]);
    let file = export(handle, DESCRIPTOR, 0).unwrap();
    let start = reserve(2 * size);
    assert_eq!([map(start, size, handle), open(start, size, WRITE)], [DONE; 2]);
    call!(cuMemsetD32_v2(start, 77, 1));
    let same = import(file).unwrap();
    assert_ne!(same, handle);
    let mut found = CUmemAllocationProp::default();
    call!(cuMemGetAllocationPropertiesFromHandle(&raw mut found, same));
    assert_eq!(found.requestedHandleTypes, CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_NONE);
    assert_eq!(export(same, DESCRIPTOR, 0), Err(INVALID));
    let second = start + size as u64;
    assert_eq!([map(second, size, same), open(second, size, WRITE)], [DONE; 2]);
    assert_eq!(read(second), 77);
    // The descriptor is the program's; the memory lasts without it, and without the first handle.
    // SAFETY: it was made for this program, which has nothing else of it.
    drop(unsafe { <std::os::fd::OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(file) });
    assert_eq!(unmap(start, size), DONE);
    call!(cuMemRelease(handle));
    call!(cuMemsetD32_v2(second, 78, 1));
    assert_eq!(read(second), 78);
    assert_eq!(unmap(second, size), DONE);
    call!(cuMemRelease(same));
    call!(cuMemAddressFree(start, 2 * size));
    let other = std::fs::File::open("/dev/null").unwrap();
    let number = std::os::fd::AsRawFd::as_raw_fd(&other);
    assert_eq!([import(number), import(9999)], [Err(CUresult::CUDA_ERROR_UNKNOWN); 2]);
}
