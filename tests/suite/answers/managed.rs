//! Questions about managed memory.

use super::advice::{advised, of_range, one, prefetched};
use super::memory::{attribute, attributes, managed, page_locked_bytes, pages, range};
use super::{
    Answers, PTX, Question, capturing, capturing_stream, fill, initialised, kernel_copies, synchronize,
    while_running, while_running_on,
};
use cuda_suite::raw::{allocate, context, function, stream, try_launch};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "managed-allocate", devices: 1, ask: allocate_managed },
    Question { name: "managed-pointer", devices: 1, ask: pointer },
    Question { name: "managed-host", devices: 1, ask: host },
    Question { name: "managed-as-host-memory", devices: 1, ask: as_host_memory },
    Question { name: "managed-free", devices: 1, ask: free },
    Question { name: "managed-destroyed", devices: 1, ask: destroyed },
    Question { name: "managed-attach", devices: 1, ask: attach },
    Question { name: "managed-attach-others", devices: 1, ask: attach_others },
    Question { name: "managed-attach-no-flags", devices: 1, ask: attach_no_flags },
    Question { name: "managed-attach-host", devices: 1, ask: attach_host },
    Question { name: "managed-attach-kernel", devices: 1, ask: attach_kernel },
    Question { name: "managed-attach-destroyed", devices: 1, ask: attach_destroyed },
    Question { name: "managed-two-devices", devices: 2, ask: two_devices },
    Question { name: "managed-running", devices: 1, ask: running },
    Question { name: "managed-running-copies", devices: 1, ask: running_copies },
    Question { name: "managed-running-host-copies", devices: 1, ask: running_host_copies },
    Question { name: "managed-capture", devices: 1, ask: capture },
    Question { name: "managed-capture-own", devices: 1, ask: capture_own },
];

pub(super) const BYTES: usize = 4 << 20;

/// Allocates managed memory in a new context.
pub(super) fn memory(bytes: usize) -> CUdeviceptr {
    initialised();
    context(0);
    managed(bytes, 1)
}

fn pointed(address: CUdeviceptr) -> *mut core::ffi::c_void {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

fn allocate_managed(answers: &mut Answers) {
    initialised();
    let mut made = 0;
    let made = &raw mut made;
    answers.code(code!(cuMemAllocManaged(made, 4, 1)));
    context(0);
    for (bytes, flags) in [(4, 0), (4, 1), (4, 2), (4, 4), (4, 3), (0, 1), (0, 2)] {
        answers.code(code!(cuMemAllocManaged(made, bytes, flags)));
    }
    answers.code(code!(cuMemAllocManaged(null_mut(), 4, 1)));
}

fn pointer(answers: &mut Answers) {
    initialised();
    context(0);
    for flags in [1, 2] {
        let memory = managed(BYTES, flags);
        attributes(answers, memory + 8);
        range(answers, memory + 8);
    }
}

fn host(answers: &mut Answers) {
    let (memory, plain) = (memory(4096), allocate(4096));
    let on_host = pointed(memory).cast::<u32>();
    for word in 0..1024 {
        // SAFETY: a word of managed memory, which the device does not use.
        let place = unsafe { on_host.add(word) };
        // SAFETY: the same.
        unsafe { place.write_volatile(5) };
    }
    answers.word(memory + 4);
    answers.codes([fill(memory, 7), synchronize()]);
    // SAFETY: the same again: the fill is done.
    answers.value(unsafe { on_host.read_volatile() });
    answers.code(code!(cuMemcpy(plain, memory, 16)));
    answers.word(plain);
    let mut word = 0_u64;
    answers.code(code!(cuMemcpyDtoD_v2(memory, plain, 16)));
    answers.code(code!(cuMemcpyHtoD_v2(plain, pointed(memory), 16)));
    answers.code(code!(cuMemcpyDtoH_v2(pointed(memory), plain, 16)));
    answers.code(code!(cuMemcpyHtoD_v2(plain, pointed(memory + 4090), 16)));
    answers.code(code!(cuMemcpyHtoD_v2(memory + 4090, (&raw mut word).cast(), 8)));
}

/// Asks questions about managed memory with functions for pinned memory.
fn as_host_memory(answers: &mut Answers) {
    let memory = pointed(memory(4096));
    let (mut device, mut flags) = (0, 99);
    answers.code(code!(cuMemHostGetDevicePointer_v2(&raw mut device, memory, 0)));
    answers.given(code!(cuMemHostGetFlags(&raw mut flags, memory)), flags);
    answers.code(code!(cuMemHostRegister_v2(memory, 4096, 0)));
    answers.code(code!(cuMemHostUnregister(memory)));
}

fn free(answers: &mut Answers) {
    let memory = memory(4096);
    answers.code(code!(cuMemFree_v2(memory + 8)));
    answers.code(code!(cuMemFreeHost(pointed(memory))));
    answers.code(code!(cuMemFree_v2(memory)));
    answers.code(code!(cuMemFree_v2(memory)));
    let (memory, on) = (managed(4096, 1), stream(1));
    answers.code(code!(cuMemFreeAsync(memory, on)));
    answers.code(code!(cuStreamSynchronize(on)));
    answers.code(code!(cuMemFree_v2(memory)));
}

fn destroyed(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let memory = managed(4096, 1);
    call!(cuCtxDestroy_v2(own));
    context(0);
    attribute(answers, 8, memory);
}

fn attached(stream: CUstream, memory: CUdeviceptr, bytes: usize, flags: u32) -> CUresult {
    code!(cuStreamAttachMemAsync(stream, memory, bytes, flags))
}

fn attach(answers: &mut Answers) {
    let memory = memory(8192);
    let on = stream(1);
    for stream in [on, null_mut(), std::ptr::without_provenance_mut(1), std::ptr::without_provenance_mut(2)] {
        answers.code(attached(stream, memory, 0, 4));
    }
    answers.code(attached(on, memory, 8192, 4));
    answers.code(attached(on, memory, 4096, 4));
    answers.code(attached(on, memory + 4096, 0, 4));
    for flags in [7, 3, 8] {
        answers.code(attached(on, memory, 0, flags));
    }
}

fn attach_others(answers: &mut Answers) {
    initialised();
    context(0);
    let pageable = pages(2).expose_provenance() as CUdeviceptr;
    let on = stream(1);
    for memory in [allocate(64), page_locked_bytes(64, 0), 0x10] {
        answers.code(attached(on, memory, 0, 4));
    }
    answers.code(attached(on, pageable, 4096, 4));
}

fn attach_no_flags(answers: &mut Answers) {
    let memory = memory(8192);
    answers.code(attached(stream(1), memory, 0, 0));
}

fn attach_host(answers: &mut Answers) {
    let memory = memory(8192);
    let on = stream(1);
    answers.codes([attached(on, memory, 0, 2), synchronize(), fill(memory, 1)]);
    answers.word(memory);
    answers.codes([attached(null_mut(), memory, 0, 2), attached(on, memory, 0, 1)]);
    answers.codes([attached(null_mut(), memory, 0, 1), synchronize()]);
}

/// Runs kernels on another stream than the one that memory is attached to, and on that stream.
fn attach_kernel(answers: &mut Answers) {
    let memory = memory(8192);
    let (on, other, to) = (stream(1), stream(1), allocate(4));
    let copy = function(PTX, c"copy");
    for (flags, stream) in [(4, other), (2, other), (2, on)] {
        answers.codes([attached(on, memory, 0, flags), synchronize()]);
        answers.codes([try_launch(copy, 1, stream, &[to, memory]), synchronize()]);
    }
}

fn attach_destroyed(answers: &mut Answers) {
    let memory = memory(8192);
    let on = stream(1);
    answers.codes([
        attached(on, memory, 0, 4),
        code!(cuStreamDestroy_v2(on)),
        fill(memory, 1),
        synchronize(),
    ]);
    answers.word(memory);
}

fn two_devices(answers: &mut Answers) {
    initialised();
    let peer = context(1);
    let own = context(0);
    let memory = managed(BYTES, 1);
    answers.codes([fill(memory, 5), synchronize()]);
    call!(cuCtxSetCurrent(peer));
    answers.word(memory);
    answers.codes([fill(memory, 6), synchronize()]);
    answers.codes([prefetched(memory, BYTES, 1, null_mut()), synchronize()]);
    one(answers, memory, BYTES, 4);
    answers.codes([0, 1, -1].map(|device| advised(memory, BYTES, 5, device)));
    for size in [4, 8, 20] {
        let (code, shown) = of_range(memory, BYTES, 3, size);
        answers.given(code, shown);
    }
    attribute(answers, 9, memory);
    let to = allocate(4);
    kernel_copies(answers, to, memory);
    answers.word(to);
    call!(cuCtxDestroy_v2(own));
    answers.word(memory);
    answers.code(code!(cuMemFree_v2(memory)));
}

fn running(answers: &mut Answers) {
    let (memory, on, mut made) = (memory(4096), stream(1), 0);
    while_running(answers, || code!(cuMemAllocManaged(&raw mut made, 4096, 1)));
    while_running(answers, || advised(memory, 4096, 1, 0));
    while_running(answers, || prefetched(memory, 4096, 0, on));
    while_running(answers, || code!(cuMemFree_v2(memory)));
}

/// Makes calls while a kernel runs on a stream that the default stream waits for.
fn running_copies(answers: &mut Answers) {
    let (memory, other, plain) = (memory(4096), managed(4096, 1), allocate(4096));
    let busy = stream(0);
    while_running_on(answers, busy, || code!(cuMemsetD8_v2(memory, 1, 64)));
    while_running_on(answers, busy, || code!(cuMemcpyDtoD_v2(memory, plain, 64)));
    while_running_on(answers, busy, || code!(cuMemcpyDtoD_v2(plain, memory, 64)));
    while_running_on(answers, busy, || code!(cuMemcpyDtoD_v2(other, memory, 64)));
}

/// Makes copies by host pointers in the same way, some of them asynchronous on the kernel's stream.
fn running_host_copies(answers: &mut Answers) {
    let (memory, other, plain) = (memory(4096), managed(4096, 1), allocate(4096));
    let (busy, host) = (stream(0), pointed(memory));
    while_running_on(answers, busy, || code!(cuMemcpyHtoD_v2(plain, host, 64)));
    while_running_on(answers, busy, || code!(cuMemcpy(other, memory, 64)));
    while_running_on(answers, busy, || code!(cuMemcpyHtoDAsync_v2(plain, host, 64, busy)));
    while_running_on(answers, busy, || code!(cuMemcpyDtoHAsync_v2(host, plain, 64, busy)));
}

/// Makes each call in a capture of its own.
fn capture(answers: &mut Answers) {
    let (memory, other, mut made) = (memory(4096), stream(1), 0);
    capturing(answers, |answers| {
        answers.code(of_range(memory, 4096, 1, 4).0);
    });
    capturing(answers, |answers| {
        answers.code(prefetched(memory, 4096, 0, other));
    });
    capturing(answers, |answers| {
        answers.code(attached(other, memory, 0, 4));
    });
    capturing(answers, |answers| {
        answers.code(code!(cuMemAllocManaged(&raw mut made, 64, 1)));
    });
    capturing(answers, |answers| {
        answers.code(advised(memory, 4096, 1, 0));
    });
}

/// Makes each call on the stream that is captured, in a capture of its own.
fn capture_own(answers: &mut Answers) {
    let memory = memory(4096);
    capturing_stream(answers, |answers, on| {
        answers.code(prefetched(memory, 4096, 0, on));
    });
    capturing_stream(answers, |answers, on| {
        answers.code(attached(on, memory, 0, 4));
    });
}
