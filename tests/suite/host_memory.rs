//! Host memory that kernels access: its bounds, and registration.

use crate::alone;
use cuda_suite::raw::{allocate, function, launch, read};
use cuda_suite::{call, code, context, driver, host_page, skip};
use cuda_sys::*;
use std::alloc::{Layout, alloc_zeroed};
use std::ptr::null_mut;

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
.visible .entry look(.param .u64 at, .param .u64 out) {
    .reg .u64 %at, %out;
    .reg .u32 %seen;
    ld.param.u64 %at, [at];
    ld.param.u64 %out, [out];
    ld.volatile.global.u32 %seen, [%at];
    st.global.u32 [%out], %seen;
    ret;
}
.visible .entry put(.param .u64 at, .param .u64 value) {
    .reg .u64 %at, %value;
    ld.param.u64 %at, [at];
    ld.param.u64 %value, [value];
    st.global.u32 [%at], %value;
    ret;
}";

const DONE: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Runs a kernel of one thread in the current context.
fn run(name: &core::ffi::CStr, values: [u64; 2]) -> CUresult {
    launch(function(PTX, name), null_mut(), &values);
    // Waiting for the context would end the captures of other tests.
    code!(cuStreamSynchronize(null_mut()))
}

/// Returns the word that a kernel reads at an address.
fn look(at: u64) -> Result<u32, CUresult> {
    let out = allocate(4);
    match run(c"look", [at, out]) {
        DONE => {}
        failure => return Err(failure),
    }
    let seen = read(out);
    call!(cuMemFree_v2(out));
    Ok(seen)
}

fn page_locked(bytes: usize) -> *mut u8 {
    let mut memory = null_mut();
    call!(cuMemAllocHost_v2(&raw mut memory, bytes));
    memory.cast()
}

/// Whole pages of the program, which it keeps.
fn pages(count: usize) -> *mut u8 {
    let layout = Layout::from_size_align(count * host_page(), host_page()).unwrap();
    // SAFETY: the size is not 0.
    let pages = unsafe { alloc_zeroed(layout) };
    assert!(!pages.is_null());
    pages
}

fn register(at: *mut u8, bytes: usize, flags: u32) -> CUresult {
    code!(cuMemHostRegister_v2(at.cast(), bytes, flags))
}

#[test]
fn page_locked_memory_is_aligned() {
    let context = context();
    let _entered = context.enter().unwrap();
    let memory = [1, 3, 100, 513, 4096, 100_000, 3 << 20].map(page_locked);
    for memory in memory {
        assert_eq!(memory.addr() % 512, 0, "{memory:p}");
        call!(cuMemFreeHost(memory.cast()));
    }
}

/// Kernels are kept to pages, and not to what was allocated on them.
#[test]
fn rest_of_a_registered_page_is_accessible() {
    let context = context();
    let _entered = context.enter().unwrap();
    let memory = page_locked(100);
    assert!(look(memory.addr() as u64 + 100).is_ok());
    call!(cuMemFreeHost(memory.cast()));
    // Memory of the program is mapped in its own pages.
    let memory = pages(1);
    let inside = memory.wrapping_add(1000);
    assert_eq!(register(inside, 100, 0), DONE);
    for offset in [0, 996, 1100, host_page() - 4] {
        assert_eq!(look((memory.addr() + offset) as u64), Ok(0), "{offset}");
    }
    call!(cuMemHostUnregister(inside.cast()));
}

#[test]
fn two_parts_of_a_page_can_be_registered() {
    let context = context();
    let _entered = context.enter().unwrap();
    let memory = pages(1);
    let part = |offset: usize| memory.wrapping_add(offset);
    assert_eq!(register(part(100), 100, 0), DONE);
    assert_eq!(register(part(300), 100, 0), DONE);
    for (offset, bytes) in [(150, 100), (0, host_page())] {
        let refused = register(part(offset), bytes, 0);
        assert_eq!(refused, CUresult::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    }
    assert_eq!(look(part(200).addr() as u64), Ok(0));
    call!(cuMemHostUnregister(part(100).cast()));
    assert_eq!(look(part(200).addr() as u64), Ok(0));
    call!(cuMemHostUnregister(part(300).cast()));
}

/// The driver's own pages are page-locked as they are.
#[test]
fn neighbours_of_page_locked_memory_are_refused() {
    let context = context();
    let _entered = context.enter().unwrap();
    let memory = page_locked(100);
    // No other allocation shares so large a block.
    let large = page_locked(1 << 20);
    for (offset, refusal) in [(0, INVALID), (10, INVALID), ((1 << 20) - 10, INVALID)] {
        assert_eq!(register(large.wrapping_add(offset), 10, 0), refusal, "{offset}");
    }
    call!(cuMemFreeHost(large.cast()));
    call!(cuMemFreeHost(memory.cast()));
}

#[test]
fn access_beyond_registered_pages_is_a_fault() {
    driver();
    call!(cuInit(0));
    let (mut reaches, attribute) = (0, CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS);
    call!(cuDeviceGetAttribute(&raw mut reaches, attribute, 0));
    if reaches != 0 {
        skip!("the device reaches all memory of the host");
    }
    alone("host_memory::access_beyond_registered_pages_is_a_fault", || {
        let context = context();
        let _entered = context.enter().unwrap();
        let memory = pages(3);
        assert_eq!(register(memory.wrapping_add(host_page() + 1000), 100, 0), DONE);
        assert_eq!(look((memory.addr() + 2 * host_page()) as u64), Err(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
    });
}

#[test]
#[cfg(target_os = "linux")]
fn unmapped_pages_cannot_be_registered() {
    let context = context();
    let _entered = context.enter().unwrap();
    let memory = map(4, libc::PROT_READ | libc::PROT_WRITE);
    // SAFETY: a page of the mapping, which nothing uses.
    assert_eq!(unsafe { libc::munmap(memory.wrapping_add(2 * host_page()).cast(), host_page()) }, 0);
    // A hole, alone and within; below all memory; beyond all addresses.
    assert_eq!(register(memory.wrapping_add(2 * host_page()), host_page(), 0), INVALID);
    assert_eq!(register(memory, 4 * host_page(), 0), INVALID);
    assert_eq!(register(std::ptr::without_provenance_mut(host_page()), host_page(), 0), INVALID);
    assert_eq!(register(memory, usize::MAX, 0), INVALID);
    // Pages that cannot be read, and pages that cannot be written.
    for (access, read_only) in [(libc::PROT_NONE, INVALID), (libc::PROT_READ, DONE)] {
        let memory = map(1, access);
        assert_eq!(register(memory, host_page(), 0), INVALID);
        assert_eq!(register(memory, host_page(), CU_MEMHOSTREGISTER_READ_ONLY), read_only);
        if read_only == DONE {
            assert_eq!(look(memory.addr() as u64), Ok(0));
            call!(cuMemHostUnregister(memory.cast()));
        }
    }
}

/// New pages with the access that is given.
#[cfg(target_os = "linux")]
fn map(count: usize, access: i32) -> *mut u8 {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: new memory, wherever there is room.
    let memory = unsafe { libc::mmap(null_mut(), count * host_page(), access, flags, -1, 0) };
    assert_ne!(memory, libc::MAP_FAILED);
    memory.cast()
}

#[test]
fn kernels_do_not_write_to_what_they_may_only_read() {
    driver();
    alone("host_memory::kernels_do_not_write_to_what_they_may_only_read", || {
        let context = context();
        let _entered = context.enter().unwrap();
        let memory = pages(1);
        assert_eq!(register(memory, host_page(), CU_MEMHOSTREGISTER_READ_ONLY), DONE);
        let at = memory.addr() as u64;
        assert_eq!(look(at), Ok(0));
        assert_eq!(run(c"put", [at, 7]), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        // SAFETY: nothing writes to it any more.
        assert_eq!(unsafe { memory.read_volatile() }, 0);
    });
}

#[test]
fn nothing_is_copied_to_what_may_only_be_read() {
    let context = context();
    let _entered = context.enter().unwrap();
    let memory = pages(1);
    assert_eq!(register(memory, host_page(), CU_MEMHOSTREGISTER_READ_ONLY), DONE);
    let mut device = 0;
    call!(cuMemAlloc_v2(&raw mut device, host_page()));
    let (host, at) = (memory.cast(), memory.addr() as u64);
    assert_eq!(code!(cuMemcpyDtoH_v2(host, device, host_page())), INVALID);
    assert_eq!(code!(cuMemcpyDtoHAsync_v2(host, device, 16, null_mut())), INVALID);
    assert_eq!(code!(cuMemcpyDtoD_v2(at, device, host_page())), INVALID);
    assert_eq!(code!(cuMemsetD8_v2(at, 1, host_page())), INVALID);
    call!(cuMemcpyHtoD_v2(device, host, host_page()));
    call!(cuMemFree_v2(device));
    call!(cuMemHostUnregister(host));
}
