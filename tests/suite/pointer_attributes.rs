//! The driver's attributes of addresses of every kind of memory.

use core::ffi::c_void;
use cuda_suite::raw::{allocate, stream};
use cuda_suite::{call, code, context, host_page};
use cuda_sys::CUpointer_attribute_enum as Attribute;
use cuda_sys::*;
use std::alloc::{Layout, alloc_zeroed};
use std::collections::BTreeSet;
use std::ptr::{null, null_mut, with_exposed_provenance_mut};

const DONE: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Room for the value of an attribute, which fills only its own bytes.
#[repr(C, align(8))]
struct Room([u8; 16]);

/// Returns the value of an attribute, and its size in bytes.
fn ask(attribute: Attribute, at: CUdeviceptr) -> Result<(u64, usize), CUresult> {
    let answer = |filler: u8| {
        let mut room = Room([filler; 16]);
        let answer = code!(cuPointerGetAttribute((&raw mut room).cast(), attribute, at));
        if answer == DONE { Ok(room.0) } else { Err(answer) }
    };
    // Bytes that differ were not written.
    let (first, second) = (answer(0x11)?, answer(0x22)?);
    let bytes = first.iter().zip(&second).take_while(|(first, second)| first == second).count();
    let mut value = [0; 8];
    for (to, from) in value.iter_mut().zip(first.iter().take(bytes)) {
        *to = *from;
    }
    Ok((u64::from_le_bytes(value), bytes))
}

fn value(attribute: Attribute, at: CUdeviceptr) -> u64 {
    ask(attribute, at).unwrap_or_else(|code| panic!("{attribute:?}: {code}")).0
}

/// Memory of some kind: its address, its size, and the way to free it.
struct Memory {
    kind: &'static str,
    at: CUdeviceptr,
    bytes: usize,
    free: Box<dyn FnOnce()>,
}

fn host(at: CUdeviceptr) -> *mut c_void {
    with_exposed_provenance_mut(at as usize)
}

fn plain() -> Memory {
    let at = allocate(1000);
    Memory { kind: "plain", at, bytes: 1000, free: Box::new(move || call!(cuMemFree_v2(at))) }
}

fn managed() -> Option<Memory> {
    let mut at = 0;
    match code!(cuMemAllocManaged(&raw mut at, 1000, 1)) {
        CUresult::CUDA_ERROR_NOT_SUPPORTED => return None,
        answer => assert_eq!(answer, DONE),
    }
    Some(Memory { kind: "managed", at, bytes: 1000, free: Box::new(move || call!(cuMemFree_v2(at))) })
}

fn pool() -> Option<Memory> {
    let (mut at, on) = (0, stream(0));
    match code!(cuMemAllocAsync(&raw mut at, 1000, on)) {
        CUresult::CUDA_ERROR_NOT_SUPPORTED | CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER => return None,
        answer => assert_eq!(answer, DONE),
    }
    let free = move || {
        call!(cuMemFreeAsync(at, on));
        call!(cuStreamDestroy_v2(on));
    };
    Some(Memory { kind: "pool", at, bytes: 1000, free: Box::new(free) })
}

fn pinned() -> Memory {
    let mut memory = null_mut();
    call!(cuMemHostAlloc(&raw mut memory, 1000, 0));
    let at = memory.expose_provenance() as u64;
    Memory { kind: "pinned", at, bytes: 1000, free: Box::new(move || call!(cuMemFreeHost(host(at)))) }
}

fn registered(flags: u32) -> Memory {
    let layout = Layout::from_size_align(2 * host_page(), host_page()).unwrap();
    // SAFETY: the size is not 0. The process keeps it.
    let memory = unsafe { alloc_zeroed(layout) };
    call!(cuMemHostRegister_v2(memory.cast(), 2 * host_page(), flags));
    let at = memory.expose_provenance() as u64;
    let free = move || call!(cuMemHostUnregister(host(at)));
    Memory { kind: "registered", at, bytes: 2 * host_page(), free: Box::new(free) }
}

/// All kinds that there are.
fn kinds() -> Vec<Memory> {
    let some = [Some(plain()), managed(), pool(), Some(pinned()), Some(registered(0))];
    some.into_iter().flatten().collect()
}

#[test]
fn every_kind_of_memory_is_identified() {
    let context = context();
    let _entered = context.enter().unwrap();
    let since_11_3 = crate::is_since(11, 3);
    for Memory { kind, at, bytes, free } in kinds() {
        let word = |attribute| {
            let (value, bytes) = ask(attribute, at + 8).unwrap();
            assert_eq!(bytes, 4, "{kind}: {attribute:?}");
            value
        };
        let long = |attribute| {
            let (value, bytes) = ask(attribute, at + 8).unwrap();
            assert_eq!(bytes, 8, "{kind}: {attribute:?}");
            value
        };
        let is_host = matches!(kind, "pinned" | "registered");
        let of_pool = kind == "pool";
        let owner = long(Attribute::CU_POINTER_ATTRIBUTE_CONTEXT);
        assert_eq!(owner, if of_pool { 0 } else { context.as_raw().addr() as u64 }, "{kind}");
        let memory_type = match is_host {
            true => CUmemorytype_enum::CU_MEMORYTYPE_HOST,
            false => CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        };
        assert_eq!(word(Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE), u64::from(memory_type.0), "{kind}");
        assert_eq!(long(Attribute::CU_POINTER_ATTRIBUTE_DEVICE_POINTER), at + 8, "{kind}");
        let on_host = ask(Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER, at + 8);
        let has_host_address = is_host || kind == "managed";
        assert_eq!(on_host, if has_host_address { Ok((at + 8, 8)) } else { Err(INVALID) }, "{kind}");
        // Memory of a device has it on some machines, and on others it does not (measured).
        let waits = word(Attribute::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
        assert!(waits <= u64::from(!is_host), "{kind}");
        assert_eq!(word(Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED), u64::from(kind == "managed"));
        assert_eq!(word(Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL), 0, "{kind}");
        let can_be_shared = word(Attribute::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE);
        assert_eq!(can_be_shared, u64::from(kind == "plain"), "{kind}");
        assert_eq!(long(Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR), at, "{kind}");
        assert_eq!(long(Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE), bytes as u64, "{kind}");
        assert_eq!(word(Attribute::CU_POINTER_ATTRIBUTE_MAPPED), 1, "{kind}");
        assert_eq!(long(Attribute::CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES), 0, "{kind}");
        let (mut base, mut size) = (0, 0);
        call!(cuMemGetAddressRange_v2(&raw mut base, &raw mut size, at + 8));
        assert_eq!((base, size), (at, bytes), "{kind}");
        if since_11_3 {
            assert_eq!(word(Attribute::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS), 3, "{kind}");
            let mut own = null_mut();
            if of_pool {
                call!(cuDeviceGetDefaultMemPool(&raw mut own, 0));
            }
            let pool = long(Attribute::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE);
            assert_eq!(pool, own.addr() as u64, "{kind}");
        }
        free();
    }
}

#[test]
fn memory_lies_in_pages() {
    if !crate::is_since(11, 7) {
        cuda_suite::skip!("the attributes came with 11.7");
    }
    let context = context();
    let _entered = context.enter().unwrap();
    for Memory { kind, at, bytes, free } in kinds() {
        let start = value(Attribute::CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, at);
        let pages = value(Attribute::CU_POINTER_ATTRIBUTE_MAPPING_SIZE, at);
        assert!(start <= at && at + bytes as u64 <= start + pages, "{kind}: {at:#x}, {start:#x} + {pages}");
        let unit = if kind == "registered" { host_page() as u64 } else { 2 << 20 };
        assert!(pages.is_multiple_of(unit) && start.is_multiple_of(unit), "{kind}: {start:#x} + {pages}");
        free();
    }
}

#[test]
fn numbers_of_memory_are_never_used_again() {
    let context = context();
    let _entered = context.enter().unwrap();
    let mut numbers = BTreeSet::new();
    let mut blocks = BTreeSet::new();
    for _ in 0..3 {
        for Memory { kind, at, bytes, free } in kinds() {
            let number = value(Attribute::CU_POINTER_ATTRIBUTE_BUFFER_ID, at);
            assert_eq!(value(Attribute::CU_POINTER_ATTRIBUTE_BUFFER_ID, at + bytes as u64 - 1), number);
            assert!(numbers.insert(number), "{kind}: {number} is known already");
            if crate::is_since(11, 7) {
                let block = value(Attribute::CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, at);
                assert_eq!(value(Attribute::CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, at + 1), block, "{kind}");
                blocks.insert((kind, block));
            }
            free();
        }
    }
    assert!(blocks.iter().map(|(_, block)| block).collect::<BTreeSet<_>>().len() == blocks.len());
}

#[test]
fn pages_that_may_only_be_read_have_their_flag() {
    if !crate::is_since(11, 1) {
        cuda_suite::skip!("the attribute came with 11.1");
    }
    let context = context();
    let _entered = context.enter().unwrap();
    let memory = registered(CU_MEMHOSTREGISTER_READ_ONLY);
    assert_eq!(value(Attribute::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, memory.at), 1);
    (memory.free)();
}

#[test]
fn one_attribute_can_be_set() {
    let context = context();
    let _entered = context.enter().unwrap();
    let synced = Attribute::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
    let set = |number: &u32, attribute, at| {
        code!(cuPointerSetAttribute(std::ptr::from_ref(number).cast(), attribute, at))
    };
    for Memory { kind, at, free, .. } in kinds() {
        for number in [1, 0] {
            assert_eq!(set(&number, synced, at + 8), DONE, "{kind}");
            assert_eq!(value(synced, at), u64::from(number), "{kind}");
        }
        for other in [1, 2, 7, 8, 10, 99] {
            assert_eq!(set(&1, Attribute(other), at), INVALID, "{kind}: {other}");
        }
        assert_eq!(code!(cuPointerSetAttribute(null(), synced, at)), INVALID);
        free();
    }
    assert_eq!(set(&1, synced, 0x10), INVALID);
    let variable = 0_u32;
    assert_eq!(set(&1, synced, (&raw const variable).addr() as u64), INVALID);
}

#[test]
fn nothing_is_known_of_freed_memory() {
    crate::alone("pointer_attributes::nothing_is_known_of_freed_memory", || {
        let context = context();
        let _entered = context.enter().unwrap();
        for Memory { kind, at, free, .. } in kinds() {
            free();
            if kind == "pool" {
                call!(cuCtxSynchronize());
            }
            for attribute in
                [Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, Attribute::CU_POINTER_ATTRIBUTE_BUFFER_ID]
            {
                assert_eq!(ask(attribute, at), Err(INVALID), "{kind}");
            }
            let (mut base, mut bytes) = (0, 0);
            let answer = code!(cuMemGetAddressRange_v2(&raw mut base, &raw mut bytes, at));
            assert_ne!(answer, DONE, "{kind}");
        }
    });
}

#[test]
fn several_attributes_at_once() {
    let context = context();
    let _entered = context.enter().unwrap();
    let memory = pinned();
    let (mut kind, mut number, mut pointer) = (0_u32, 0_u64, null_mut::<c_void>());
    let mut asked = [
        Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        Attribute::CU_POINTER_ATTRIBUTE_BUFFER_ID,
        Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER,
    ];
    let mut places: [*mut c_void; 3] =
        [(&raw mut kind).cast(), (&raw mut number).cast(), (&raw mut pointer).cast()];
    call!(cuPointerGetAttributes(3, asked.as_mut_ptr(), places.as_mut_ptr(), memory.at + 8));
    assert_eq!(kind, CUmemorytype_enum::CU_MEMORYTYPE_HOST.0);
    assert_eq!(number, value(Attribute::CU_POINTER_ATTRIBUTE_BUFFER_ID, memory.at));
    assert_eq!(pointer.addr() as u64, memory.at + 8);
    (memory.free)();
    // Memory of the program.
    let variable = 0_u32;
    let at = (&raw const variable).addr() as u64;
    call!(cuPointerGetAttributes(3, asked.as_mut_ptr(), places.as_mut_ptr(), at));
    assert_eq!((kind, number, pointer.addr() as u64), (0, 0, at));
}
