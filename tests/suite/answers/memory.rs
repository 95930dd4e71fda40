//! Questions about device memory, pinned memory, and attributes of addresses.

use super::{Answers, Question, capturing, initialised, synchronize, while_running, while_running_on};
use cuda_suite::raw::{allocate, context, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::alloc::{Layout, alloc_zeroed};
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "pointer-plain", devices: 1, ask: pointer_plain },
    Question { name: "pointer-pool", devices: 1, ask: pointer_pool },
    Question { name: "pointer-page-locked", devices: 1, ask: |answers| pointer_page_locked(answers, 0) },
    Question { name: "pointer-write-combined", devices: 1, ask: |answers| pointer_page_locked(answers, 4) },
    Question { name: "pointer-registered", devices: 1, ask: pointer_registered },
    Question { name: "pointer-unknown", devices: 1, ask: pointer_unknown },
    Question { name: "pointer-sizes", devices: 1, ask: pointer_sizes },
    Question { name: "pointer-set", devices: 1, ask: pointer_set },
    Question { name: "pointer-access-flags", devices: 2, ask: pointer_access_flags },
    Question { name: "pointer-sync-memops", devices: 1, ask: pointer_sync_memops },
    Question { name: "memory-pitch", devices: 1, ask: pitch },
    Question { name: "memory-running", devices: 1, ask: running },
    Question { name: "memory-capture-ask", devices: 1, ask: capture_ask },
    Question { name: "memory-capture", devices: 1, ask: capture },
    Question { name: "host-memory-flags", devices: 1, ask: host_flags },
    Question { name: "host-memory-running", devices: 1, ask: host_running },
    Question { name: "host-memory-capture", devices: 1, ask: host_capture },
];

/// Attributes of addresses: without identifiers, and what takes another context or release.
const ATTRIBUTES: [u32; 16] = [1, 2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21];

/// An attribute of an address: the answer, and what was written over bytes that were 0xaa.
fn written(attribute: u32, address: CUdeviceptr) -> (CUresult, [u8; 16]) {
    let mut data = [0xaa_u8; 16];
    let attribute = CUpointer_attribute(attribute);
    (code!(cuPointerGetAttribute(data.as_mut_ptr().cast(), attribute, address)), data)
}

/// An attribute of an address; of handles and addresses, what can be said about them.
pub(super) fn attribute(answers: &mut Answers, attribute: u32, address: CUdeviceptr) {
    let (code, [a, b, c, d, e, f, g, h, ..]) = written(attribute, address);
    if !answers.code(code) {
        return;
    }
    let word = u32::from_ne_bytes([a, b, c, d]);
    let long = u64::from_ne_bytes([a, b, c, d, e, f, g, h]);
    match attribute {
        1 | 17 => answers.value(long != 0),
        4 => answers.value(long == address),
        11 if long == 0 => answers.value("none"),
        11 | 19 => answers.value(address - long),
        12 | 14 | 18 => answers.value(long),
        _ => answers.value(word),
    }
}

pub(super) fn attributes(answers: &mut Answers, address: CUdeviceptr) {
    for number in ATTRIBUTES {
        attribute(answers, number, address);
    }
}

/// The range that an address is in: where in it, and how long it is.
pub(super) fn range(answers: &mut Answers, address: CUdeviceptr) {
    let (mut base, mut bytes) = (0, 0);
    let code = code!(cuMemGetAddressRange_v2(&raw mut base, &raw mut bytes, address));
    answers.given(code, format_args!("{}/{bytes}", address - base));
}

/// Pages of the process, which stay.
pub(super) fn pages(count: usize) -> *mut core::ffi::c_void {
    let layout = Layout::from_size_align(4096 * count, 4096).unwrap();
    // SAFETY: the layout is not empty.
    unsafe { alloc_zeroed(layout) }.cast()
}

pub(super) fn page_locked_bytes(bytes: usize, flags: u32) -> CUdeviceptr {
    let mut memory = null_mut();
    call!(cuMemHostAlloc(&raw mut memory, bytes, flags));
    memory.expose_provenance() as CUdeviceptr
}

pub(super) fn of_default_pool(bytes: usize, stream: CUstream) -> CUdeviceptr {
    let mut memory = 0;
    call!(cuMemAllocAsync(&raw mut memory, bytes, stream));
    memory
}

pub(super) fn managed(bytes: usize, flags: u32) -> CUdeviceptr {
    let mut memory = 0;
    call!(cuMemAllocManaged(&raw mut memory, bytes, flags));
    memory
}

fn pointer_plain(answers: &mut Answers) {
    initialised();
    context(0);
    attributes(answers, allocate(1000) + 8);
}

fn pointer_pool(answers: &mut Answers) {
    initialised();
    context(0);
    attributes(answers, of_default_pool(1000, stream(1)) + 8);
}

fn pointer_page_locked(answers: &mut Answers, flags: u32) {
    initialised();
    context(0);
    attributes(answers, page_locked_bytes(1000, flags) + 8);
}

fn pointer_registered(answers: &mut Answers) {
    initialised();
    context(0);
    let pages = pages(2);
    let inside = pages.expose_provenance() as CUdeviceptr + 8;
    answers.code(code!(cuMemHostRegister_v2(pages, 8192, 0)));
    attributes(answers, inside);
    answers.code(code!(cuMemHostUnregister(pages)));
    answers.code(code!(cuMemHostRegister_v2(pages, 8192, 8)));
    attribute(answers, 16, inside);
}

fn pointer_unknown(answers: &mut Answers) {
    initialised();
    context(0);
    let variable = 0_u64;
    for address in [0x1234, (&raw const variable).expose_provenance() as CUdeviceptr] {
        for number in [1, 2, 8, 11, 16] {
            attribute(answers, number, address);
        }
    }
    let plain = allocate(1000);
    for number in [22, 23] {
        attribute(answers, number, plain);
    }
}

fn pointer_sizes(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = allocate(1000);
    for number in ATTRIBUTES {
        let (code, data) = written(number, memory);
        let bytes = data.iter().rposition(|byte| *byte != 0xaa).map_or(0, |last| last + 1);
        answers.given(code, bytes);
    }
}

fn pointer_set(answers: &mut Answers) {
    initialised();
    context(0);
    let (plain, value) = (allocate(100), 1_u32);
    let set = |attribute: u32, address: CUdeviceptr| {
        let value = (&raw const value).cast();
        code!(cuPointerSetAttribute(value, CUpointer_attribute(attribute), address))
    };
    answers.codes([1, 6, 7, 8, 10, 99].map(|number| set(number, plain)));
    let others = [0x10, page_locked_bytes(10, 0), managed(10, 1), of_default_pool(100, stream(1))];
    answers.codes(others.map(|address| set(6, address)));
    answers.code(code!(cuPointerSetAttribute(null_mut(), CUpointer_attribute(6), plain)));
    attribute(answers, 6, plain);
}

/// Access of another device to memory, without and with access between the contexts.
fn pointer_access_flags(answers: &mut Answers) {
    initialised();
    let peer = context(1);
    let memory = [allocate(64), of_default_pool(64, stream(1)), page_locked_bytes(64, 0), managed(64, 1)];
    context(0);
    memory.iter().for_each(|address| attribute(answers, 16, *address));
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    memory.iter().for_each(|address| attribute(answers, 16, *address));
}

/// While a kernel runs on a stream that the default one waits for.
fn pointer_sync_memops(answers: &mut Answers) {
    initialised();
    context(0);
    let (plain, busy, sync) = (allocate(100), stream(0), CUpointer_attribute(6));
    attribute(answers, 6, plain);
    while_running_on(answers, busy, || code!(cuMemsetD8_v2(plain, 1, 100)));
    for value in [0_u32, 1] {
        answers.code(code!(cuPointerSetAttribute((&raw const value).cast(), sync, plain)));
        attribute(answers, 6, plain);
        while_running_on(answers, busy, || code!(cuMemsetD8_v2(plain, 1, 100)));
    }
}

fn pitch(answers: &mut Answers) {
    initialised();
    context(0);
    let mut most = 0;
    let limit = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_PITCH;
    answers.given(code!(cuDeviceGetAttribute(&raw mut most, limit, 0)), most);
    for (width, element) in [(1, 4), (100, 4), (512, 4), (513, 8), (513, 16), (1000, 16), (100, 1), (100, 3)]
    {
        let (mut rows, mut pitch) = (77, 77);
        let code = code!(cuMemAllocPitch_v2(&raw mut rows, &raw mut pitch, width, 3, element));
        let made = answers.code(code);
        answers.value(pitch);
        if made {
            range(answers, rows);
        } else {
            answers.value(rows);
        }
    }
}

fn running(answers: &mut Answers) {
    initialised();
    context(0);
    let (memory, mut rows, mut pitch) = (allocate(4096), 0, 0);
    while_running(answers, || code!(cuMemAllocPitch_v2(&raw mut rows, &raw mut pitch, 10, 10, 4)));
    while_running(answers, || code!(cuMemFree_v2(memory)));
    let image = CUDA_ARRAY_DESCRIPTOR {
        Width: 64,
        Height: 64,
        Format: CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT8,
        NumChannels: 1,
    };
    let mut array = null_mut();
    while_running(answers, || code!(cuArrayCreate_v2(&raw mut array, &raw const image)));
    while_running(answers, || code!(cuArrayDestroy(array)));
}

fn capture_ask(answers: &mut Answers) {
    initialised();
    context(0);
    let (memory, mut kind) = (allocate(64), 0_u32);
    let (mut base, mut bytes, mut free, mut total) = (0, 0, 0, 0);
    let attribute = CUpointer_attribute(2);
    capturing(answers, |answers| {
        answers.code(code!(cuPointerGetAttribute((&raw mut kind).cast(), attribute, memory)));
        answers.code(code!(cuMemGetAddressRange_v2(&raw mut base, &raw mut bytes, memory)));
        answers.code(code!(cuMemGetInfo_v2(&raw mut free, &raw mut total)));
    });
}

/// Each call in a capture of its own.
fn capture(answers: &mut Answers) {
    initialised();
    context(0);
    let (memory, mut rows, mut pitch) = (allocate(64), 0, 0);
    let (attribute, value) = (CUpointer_attribute(6), 1_u32);
    capturing(answers, |answers| {
        answers.code(code!(cuPointerSetAttribute((&raw const value).cast(), attribute, memory)));
    });
    capturing(answers, |answers| {
        answers.code(code!(cuMemAllocPitch_v2(&raw mut rows, &raw mut pitch, 10, 10, 4)));
    });
    capturing(answers, |answers| {
        answers.code(code!(cuMemFree_v2(memory)));
    });
    answers.code(synchronize());
}

fn host_flags(answers: &mut Answers) {
    initialised();
    context(0);
    let mut memory = null_mut();
    for flags in [0, 1, 4, 7, 8] {
        let mut shown = 99;
        if answers.code(code!(cuMemHostAlloc(&raw mut memory, 8, flags))) {
            answers.given(code!(cuMemHostGetFlags(&raw mut shown, memory)), shown);
        }
    }
}

fn host_running(answers: &mut Answers) {
    initialised();
    context(0);
    let mut memory = null_mut();
    call!(cuMemHostAlloc(&raw mut memory, 4096, 0));
    let pages = pages(2);
    while_running(answers, || code!(cuMemFreeHost(memory)));
    while_running(answers, || code!(cuMemHostRegister_v2(pages, 8192, 0)));
    while_running(answers, || code!(cuMemHostUnregister(pages)));
}

/// Each call in a capture of its own.
fn host_capture(answers: &mut Answers) {
    initialised();
    context(0);
    let (mut memory, mut more) = (null_mut(), null_mut());
    call!(cuMemHostAlloc(&raw mut memory, 64, 0));
    let pages = pages(2);
    capturing(answers, |answers| {
        answers.code(code!(cuMemHostAlloc(&raw mut more, 64, 0)));
    });
    capturing(answers, |answers| {
        answers.code(code!(cuMemFreeHost(memory)));
    });
    capturing(answers, |answers| {
        answers.code(code!(cuMemHostRegister_v2(pages, 8192, 0)));
    });
}
