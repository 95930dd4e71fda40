//! Questions about addresses that are reserved, and memory that is mapped there.

use super::memory::{attribute, of_default_pool};
use super::pools::{FILE, NO_HANDLE, properties as pool_properties};
use super::virtual_access::three;
use super::virtual_handles::exported;
use super::{
    Answers, DEVICE, DONE, NONE, PTX, Question, READ_WRITE, access, capturing, fill, initialised, location,
    synchronize, while_running,
};
use cuda_suite::code;
use cuda_suite::raw::{allocate, context, function, page_locked, stream, try_launch};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::Ordering;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "virtual-uninitialised", devices: 1, ask: uninitialised },
    Question { name: "virtual-no-context", devices: 1, ask: no_context },
    Question { name: "virtual-reserve", devices: 1, ask: reserve_all },
    Question { name: "virtual-reserve-place", devices: 1, ask: reserve_place },
    Question { name: "virtual-address-free", devices: 1, ask: address_free },
    Question { name: "virtual-map", devices: 1, ask: map_it },
    Question { name: "virtual-map-refused", devices: 1, ask: map_refused },
    Question { name: "virtual-map-beyond", devices: 1, ask: map_beyond },
    Question { name: "virtual-unmap", devices: 1, ask: unmap },
    Question { name: "virtual-unmap-more", devices: 1, ask: unmap_more },
    Question { name: "virtual-unmap-used", devices: 1, ask: unmap_used },
    Question { name: "virtual-life", devices: 1, ask: life },
    Question { name: "virtual-context-destroyed", devices: 1, ask: context_destroyed },
    Question { name: "virtual-other-functions", devices: 1, ask: other_functions },
    Question { name: "virtual-running", devices: 1, ask: running },
    Question { name: "virtual-capture", devices: 1, ask: capture },
];

/// The granularity of allocations.
pub(super) const UNIT: usize = 2 << 20;
/// The size of what most questions map.
pub(super) const TWO: usize = 2 * UNIT;

pub(super) fn after(address: CUdeviceptr, units: usize) -> CUdeviceptr {
    address + (units * UNIT) as CUdeviceptr
}

pub(super) fn properties(handles: u32) -> CUmemAllocationProp {
    CUmemAllocationProp {
        type_: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: CUmemAllocationHandleType(handles),
        location: location(DEVICE, 0),
        ..CUmemAllocationProp::default()
    }
}

pub(super) fn created(
    bytes: usize,
    properties: &CUmemAllocationProp,
) -> (CUresult, CUmemGenericAllocationHandle) {
    let mut handle = 0;
    (code!(cuMemCreate(&raw mut handle, bytes, properties, 0)), handle)
}

/// Two granules of the first device.
pub(super) fn create(handles: u32) -> CUmemGenericAllocationHandle {
    let (code, handle) = created(TWO, &properties(handles));
    assert_eq!(code, DONE);
    handle
}

fn reserved(bytes: usize, alignment: usize, at: CUdeviceptr) -> (CUresult, CUdeviceptr) {
    let mut address = 0;
    (code!(cuMemAddressReserve(&raw mut address, bytes, alignment, at, 0)), address)
}

pub(super) fn reserve(units: usize) -> CUdeviceptr {
    let (code, address) = reserved(units * UNIT, 0, 0);
    assert_eq!(code, DONE);
    address
}

fn given_back(address: CUdeviceptr, bytes: usize) -> CUresult {
    code!(cuMemAddressFree(address, bytes))
}

pub(super) fn mapped_at(
    address: CUdeviceptr,
    bytes: usize,
    offset: usize,
    handle: CUmemGenericAllocationHandle,
) -> CUresult {
    code!(cuMemMap(address, bytes, offset, handle, 0))
}

fn unmapped(address: CUdeviceptr, bytes: usize) -> CUresult {
    code!(cuMemUnmap(address, bytes))
}

pub(super) fn release(handle: CUmemGenericAllocationHandle) -> CUresult {
    code!(cuMemRelease(handle))
}

fn retained(address: CUdeviceptr) -> (CUresult, CUmemGenericAllocationHandle) {
    let mut handle = 0;
    let address = std::ptr::with_exposed_provenance_mut(address as usize);
    (code!(cuMemRetainAllocationHandle(&raw mut handle, address)), handle)
}

pub(super) fn grant(
    address: CUdeviceptr,
    bytes: usize,
    flags: CUmemAccess_flags,
    device: CUdevice,
) -> CUresult {
    let access = access(location(DEVICE, device), flags);
    code!(cuMemSetAccess(address, bytes, &raw const access, 1))
}

pub(super) fn asked(answers: &mut Answers, address: CUdeviceptr, place: CUmemLocation) {
    let mut flags = 99;
    let code = code!(cuMemGetAccess(&raw mut flags, &raw const place, address));
    answers.given(code, flags);
}

pub(super) fn of_device(answers: &mut Answers, address: CUdeviceptr, device: CUdevice) {
    asked(answers, address, location(DEVICE, device));
}

/// In a new context: a reservation of eight granules, and memory mapped at its begin, without access.
pub(super) fn mapped() -> (CUdeviceptr, CUmemGenericAllocationHandle) {
    initialised();
    context(0);
    let (address, handle) = (reserve(8), create(NO_HANDLE));
    assert_eq!(mapped_at(address, TWO, 0, handle), DONE);
    (address, handle)
}

/// The same, to be read and written.
pub(super) fn usable() -> (CUdeviceptr, CUmemGenericAllocationHandle) {
    let (address, handle) = mapped();
    assert_eq!(grant(address, TWO, READ_WRITE, 0), DONE);
    (address, handle)
}

fn uninitialised(answers: &mut Answers) {
    let (mut bytes, usual, mut pool) = (0, properties(NO_HANDLE), null_mut());
    let pooled = pool_properties(0, NO_HANDLE);
    let option = CUmemAllocationGranularity_flags_enum::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
    answers.codes([reserved(UNIT, 0, 0).0, created(UNIT, &usual).0]);
    answers.code(code!(cuMemGetAllocationGranularity(&raw mut bytes, &raw const usual, option)));
    answers.code(code!(cuMemPoolCreate(&raw mut pool, &raw const pooled)));
    answers.code(unmapped(UNIT as CUdeviceptr, UNIT));
}

fn no_context(answers: &mut Answers) {
    initialised();
    let (reserve, address) = reserved(2 * TWO, 0, 0);
    let (create, handle) = created(TWO, &properties(NO_HANDLE));
    answers.codes([reserve, create, mapped_at(address, TWO, 0, handle), grant(address, TWO, READ_WRITE, 0)]);
    of_device(answers, address, 0);
    answers.codes([retained(address).0, unmapped(address, TWO), release(handle)]);
    answers.code(given_back(address, 2 * TWO));
}

fn reserve_all(answers: &mut Answers) {
    initialised();
    context(0);
    for (bytes, alignment) in [
        (0, 0),
        (1, 0),
        (4096, 0),
        (UNIT, 0),
        (UNIT, 4096),
        (UNIT, UNIT),
        (UNIT, 4 * UNIT),
        (UNIT, 3),
        (UNIT, 1),
        (1 << 47, 0),
        (1 << 40, 0),
    ] {
        let (code, address) = reserved(bytes, alignment, 0);
        if answers.code(code) {
            answers.value(address % alignment.max(UNIT) as CUdeviceptr);
            answers.code(given_back(address, bytes));
        }
    }
    let mut address = 0;
    answers.code(code!(cuMemAddressReserve(&raw mut address, UNIT, 0, 0, 1)));
    answers.code(code!(cuMemAddressReserve(null_mut(), UNIT, 0, 0, 0)));
}

fn reserve_place(answers: &mut Answers) {
    initialised();
    context(0);
    let before = reserve(4);
    answers.code(given_back(before, 4 * UNIT));
    for at in [before, before, before + 4096] {
        let (code, address) = reserved(4 * UNIT, 0, at);
        answers.given(code, address == at);
    }
}

fn address_free(answers: &mut Answers) {
    initialised();
    context(0);
    let address = reserve(4);
    for (address, units) in
        [(address, 1), (after(address, 1), 1), (address, 8), (address, 4), (address, 4), (0x10, 1), (0, 0)]
    {
        answers.code(given_back(address, units * UNIT));
    }
}

fn map_it(answers: &mut Answers) {
    initialised();
    context(0);
    let (address, handle) = (reserve(8), create(NO_HANDLE));
    answers.code(mapped_at(address, TWO, 0, handle));
    answers.code(mapped_at(address, TWO, 0, handle));
    answers.code(mapped_at(after(address, 1), TWO, 0, handle));
    answers.code(mapped_at(after(address, 2), TWO, 0, handle));
    answers.code(mapped_at(after(address, 4), TWO, 0, 0));
}

fn map_refused(answers: &mut Answers) {
    initialised();
    context(0);
    let (address, handle) = (reserve(8), create(NO_HANDLE));
    answers.codes([mapped_at(address, UNIT, UNIT, handle), mapped_at(address, UNIT, 0, handle)]);
    answers.codes([mapped_at(address + 4096, TWO, 0, handle), mapped_at(address, 4096, 0, handle)]);
    answers.code(code!(cuMemMap(address, TWO, 0, handle, 1)));
    answers.codes([mapped_at(address, 0, 0, handle), mapped_at(0x1000_0000, TWO, 0, handle)]);
    answers.code(mapped_at(address, 2 * TWO, 0, handle));
    answers.codes([grant(address, TWO, READ_WRITE, 0), fill(address, 1)]);
}

fn map_beyond(answers: &mut Answers) {
    initialised();
    context(0);
    let (address, handle) = (reserve(8), create(NO_HANDLE));
    let last = after(address, 7);
    answers.codes([mapped_at(last, TWO, 0, handle), grant(last, TWO, READ_WRITE, 0)]);
    answers.codes([fill(after(address, 8), 1), unmapped(last, TWO), given_back(address, 8 * UNIT)]);
}

fn unmap(answers: &mut Answers) {
    let (address, handles) = three();
    answers.codes([unmapped(address, UNIT), unmapped(after(address, 1), UNIT)]);
    answers.codes([unmapped(address + 4096, TWO), unmapped(address, 5 * UNIT), unmapped(address, 0)]);
    answers.codes([unmapped(after(address, 6), TWO), given_back(address, 8 * UNIT)]);
    answers.codes([unmapped(address, TWO), unmapped(address, TWO), fill(address, 1)]);
    answers.code(unmapped(after(address, 2), 2 * TWO));
    attribute(answers, 2, address + 8);
    of_device(answers, address, 0);
    answers.code(given_back(address, 8 * UNIT));
    answers.codes(handles.map(release));
}

/// More than is mapped, within the reservation.
fn unmap_more(answers: &mut Answers) {
    let (address, _) = mapped();
    answers.code(unmapped(address, 2 * TWO));
}

/// While a kernel runs that will write there.
fn unmap_used(answers: &mut Answers) {
    let (address, _) = usable();
    let (words, go) = page_locked(1);
    answers.code(try_launch(function(PTX, c"late"), 1, stream(1), &[go, address]));
    answers.code(unmapped(address, TWO));
    words[0].store(1, Ordering::Release);
    answers.codes([synchronize(), synchronize()]);
}

fn life(answers: &mut Answers) {
    let (address, handle) = usable();
    answers.codes([fill(address, 9), release(handle)]);
    answers.word(address);
    for at in [address, address + 100] {
        let (code, again) = retained(at);
        answers.given(code, again == handle);
    }
    let second = after(address, 2);
    answers.codes([mapped_at(second, TWO, 0, handle), grant(second, TWO, READ_WRITE, 0)]);
    answers.word(second);
    answers.codes([unmapped(address, 2 * TWO), release(handle), release(handle)]);
    for other in [allocate(64), of_default_pool(64, stream(1)), address, 0x10] {
        answers.code(retained(other).0);
    }
}

fn context_destroyed(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let (address, handle) = (reserve(4), create(NO_HANDLE));
    answers.codes([mapped_at(address, TWO, 0, handle), grant(address, TWO, READ_WRITE, 0)]);
    answers.codes([fill(address, 6), code!(cuCtxDestroy_v2(own))]);
    context(0);
    answers.word(address);
    answers.codes([unmapped(address, TWO), release(handle)]);
}

/// Asks functions for other kinds of memory about a mapping.
fn other_functions(answers: &mut Answers) {
    let (address, handle) = usable();
    answers.codes([code!(cuMemFree_v2(address)), code!(cuMemFreeAsync(address, stream(1))), synchronize()]);
    let mut shared = CUipcMemHandle::default();
    answers.code(code!(cuIpcGetMemHandle(&raw mut shared, address)));
    answers.code(exported(handle, FILE, 0).0);
}

fn running(answers: &mut Answers) {
    initialised();
    context(0);
    let (address, handle, usual) = (reserve(16), create(NO_HANDLE), properties(NO_HANDLE));
    while_running(answers, || created(TWO, &usual).0);
    while_running(answers, || mapped_at(address, TWO, 0, handle));
    for flags in [READ_WRITE, NONE, READ_WRITE] {
        while_running(answers, || grant(address, TWO, flags, 0));
    }
    while_running(answers, || release(handle));
    while_running(answers, || unmapped(address, TWO));
    while_running(answers, || given_back(address, 16 * UNIT));
}

/// Each call in a capture of its own.
fn capture(answers: &mut Answers) {
    initialised();
    context(0);
    let (address, handle, usual) = (reserve(8), create(NO_HANDLE), properties(NO_HANDLE));
    let (mut flags, place) = (0, location(DEVICE, 0));
    let calls: [&mut dyn FnMut() -> CUresult; 9] = [
        &mut || created(UNIT, &usual).0,
        &mut || reserved(UNIT, 0, 0).0,
        &mut || mapped_at(address, TWO, 0, handle),
        &mut || grant(address, TWO, READ_WRITE, 0),
        &mut || code!(cuMemGetAccess(&raw mut flags, &raw const place, address)),
        &mut || retained(address).0,
        &mut || unmapped(address, TWO),
        &mut || release(handle),
        &mut || given_back(address, 8 * UNIT),
    ];
    for call in calls {
        capturing(answers, |answers| {
            answers.code(call());
        });
    }
}
