//! Questions about access to mapped memory, and about work without access.

use super::memory::{attribute, attributes, range};
use super::pools::NO_HANDLE;
use super::virtual_memory::{
    TWO, UNIT, after, asked, create, grant, mapped, mapped_at, of_device, reserve, usable,
};
use super::{
    Answers, DEVICE, DONE, HOST, NONE, NUMA_NODE, Question, READ, READ_WRITE, access, fill, initialised,
    kernel_copies, location, synchronize,
};
use cuda_suite::raw::{allocate, context};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "virtual-access", devices: 1, ask: access_it },
    Question { name: "virtual-access-refused", devices: 1, ask: access_refused },
    Question { name: "virtual-access-ask", devices: 1, ask: access_ask },
    Question { name: "virtual-no-access", devices: 1, ask: no_access },
    Question { name: "virtual-read-only", devices: 1, ask: read_only },
    Question { name: "virtual-kernel-no-access", devices: 1, ask: kernel_no_access },
    Question { name: "virtual-kernel-read-only", devices: 1, ask: kernel_read_only },
    Question { name: "virtual-kernel-access-taken", devices: 1, ask: kernel_access_taken },
    Question { name: "virtual-adjacent", devices: 1, ask: adjacent },
    Question { name: "virtual-adjacent-access", devices: 1, ask: adjacent_access },
    Question { name: "virtual-other-device", devices: 2, ask: other_device },
    Question { name: "virtual-other-device-only", devices: 2, ask: other_device_only },
    Question { name: "virtual-other-device-kernel", devices: 2, ask: other_device_kernel },
    Question { name: "virtual-other-device-no-access", devices: 2, ask: other_device_no_access },
];

/// A word on its way to the device.
fn sent(address: CUdeviceptr) -> CUresult {
    let word = 5_u32;
    code!(cuMemcpyHtoD_v2(address, (&raw const word).cast(), 4))
}

/// Fills a range of words.
fn filled(address: CUdeviceptr, bytes: usize, value: u32) -> CUresult {
    code!(cuMemsetD32_v2(address, value, bytes / 4))
}

fn access_it(answers: &mut Answers) {
    let (address, _) = mapped();
    let last = after(address, 2) - 4;
    answers.code(fill(address, 1));
    answers.word(address);
    of_device(answers, address, 0);
    answers.codes([sent(address), synchronize(), grant(address, TWO, READ_WRITE, 0)]);
    of_device(answers, address, 0);
    answers.code(filled(address, TWO, 85));
    answers.word(last);
    answers.codes([filled(address, TWO + 4, 85), grant(address, TWO, NONE, 0)]);
    of_device(answers, address, 0);
    answers.codes([fill(address, 1), grant(address, TWO, READ, 0)]);
    of_device(answers, address, 0);
    answers.code(fill(address, 1));
    answers.word(address);
    answers.codes([synchronize(), grant(address, TWO, READ_WRITE, 0)]);
    answers.word(address);
}

fn access_refused(answers: &mut Answers) {
    let (address, _) = usable();
    answers.codes([grant(address, UNIT, READ, 0), grant(after(address, 1), UNIT, READ, 0)]);
    of_device(answers, address, 0);
    of_device(answers, after(address, 1), 0);
    answers.codes([grant(address, 4096, READ, 0), grant(address + 4096, UNIT, READ, 0)]);
    answers.codes([grant(address, 0, READ, 0), grant(address, 2 * TWO, READ, 0)]);
    answers.code(grant(after(address, 4), UNIT, READ, 0));
    answers.codes([2, 9].map(|flags| grant(address, TWO, CUmemAccess_flags(flags), 0)));
    let host = access(location(HOST, 0), READ_WRITE);
    answers.code(code!(cuMemSetAccess(address, TWO, &raw const host, 1)));
    answers.code(grant(address, TWO, READ_WRITE, 99));
    answers.code(code!(cuMemSetAccess(address, TWO, &raw const host, 0)));
    answers.code(code!(cuMemSetAccess(address, TWO, null(), 1)));
    answers.code(grant(0x10, UNIT, READ_WRITE, 0));
}

fn access_ask(answers: &mut Answers) {
    let (address, _) = usable();
    of_device(answers, after(address, 4), 0);
    of_device(answers, 0x10, 0);
    asked(answers, address, location(HOST, 0));
    of_device(answers, address, 99);
    of_device(answers, address + 100, 0);
    let place = location(DEVICE, 0);
    answers.code(code!(cuMemGetAccess(null_mut(), &raw const place, address)));
}

fn no_access(answers: &mut Answers) {
    let (address, _) = mapped();
    let plain = allocate(64);
    answers.codes([code!(cuMemcpyDtoD_v2(plain, address, 4)), synchronize(), sent(address), synchronize()]);
}

fn read_only(answers: &mut Answers) {
    let (address, _) = mapped();
    answers.codes([grant(address, TWO, READ, 0), fill(address, 1), synchronize()]);
    answers.codes([sent(address), synchronize()]);
}

fn kernel_no_access(answers: &mut Answers) {
    let (address, _) = mapped();
    kernel_copies(answers, allocate(4), address);
}

fn kernel_read_only(answers: &mut Answers) {
    let (address, _) = usable();
    let to = allocate(4);
    // Queued work would lose its access.
    answers.codes([fill(address, 5), synchronize(), grant(address, TWO, READ, 0)]);
    kernel_copies(answers, to, address);
    answers.word(to);
    kernel_copies(answers, address, to);
}

fn kernel_access_taken(answers: &mut Answers) {
    let (address, _) = usable();
    answers.code(grant(address, TWO, NONE, 0));
    kernel_copies(answers, allocate(4), address);
}

/// Three mappings without a gap.
pub(super) fn three() -> (CUdeviceptr, [CUmemGenericAllocationHandle; 3]) {
    let (address, first) = mapped();
    let others = [create(NO_HANDLE), create(NO_HANDLE)];
    assert_eq!(mapped_at(after(address, 2), TWO, 0, others[0]), DONE);
    assert_eq!(mapped_at(after(address, 4), TWO, 0, others[1]), DONE);
    (address, [first, others[0], others[1]])
}

fn adjacent(answers: &mut Answers) {
    let (address, _) = three();
    answers.code(grant(address, 3 * TWO, READ_WRITE, 0));
    answers.code(filled(after(address, 1), TWO, 7));
    answers.word(after(address, 3) - 4);
    answers.code(code!(cuMemcpyDtoD_v2(after(address, 3), after(address, 1), UNIT)));
    range(answers, after(address, 3));
    range(answers, after(address, 7));
    attributes(answers, after(address, 2) + 8);
    attribute(answers, 19, after(address, 2) + 8);
    attribute(answers, 2, after(address, 7));
}

/// Only the first of two mappings can be used.
fn adjacent_access(answers: &mut Answers) {
    let (address, _) = three();
    answers.code(grant(address, TWO, READ_WRITE, 0));
    let (plain, middle) = (allocate(TWO), after(address, 1));
    answers.codes([code!(cuMemcpyDtoD_v2(plain, middle, TWO)), synchronize()]);
    answers.codes([code!(cuMemsetD8_v2(middle, 1, TWO)), synchronize()]);
}

/// A context of the second device, and memory of the first that is mapped for that alone.
fn across() -> (CUcontext, CUcontext, CUdeviceptr) {
    initialised();
    let peer = context(1);
    let own = context(0);
    let (address, handle) = (reserve(4), create(NO_HANDLE));
    assert_eq!(mapped_at(address, TWO, 0, handle), DONE);
    assert_eq!(grant(address, TWO, READ_WRITE, 0), DONE);
    (own, peer, address)
}

fn other_device(answers: &mut Answers) {
    let (own, peer, address) = across();
    answers.codes([fill(address, 5), synchronize()]);
    of_device(answers, address, 1);
    call!(cuCtxSetCurrent(peer));
    answers.codes([fill(address, 6), synchronize()]);
    answers.word(address);
    let plain = allocate(64);
    answers.codes([code!(cuMemcpyDtoD_v2(plain, address, 4)), synchronize()]);
    answers.codes([code!(cuMemcpyPeer(plain, peer, address, own, 4)), synchronize()]);
    answers.code(grant(address, TWO, READ_WRITE, 1));
    of_device(answers, address, 1);
    of_device(answers, address, 0);
    answers.codes([fill(address, 7), synchronize()]);
    answers.word(address);
    for place in [location(HOST, 0), location(HOST, 1), location(NUMA_NODE, 0)] {
        asked(answers, address, place);
    }
    answers.code(grant(address, TWO, READ, 1));
    of_device(answers, address, 1);
    attribute(answers, 16, address);
}

/// The device that has the memory has no access to it any more.
fn other_device_only(answers: &mut Answers) {
    let (own, peer, address) = across();
    call!(cuCtxSetCurrent(peer));
    answers.codes([grant(address, TWO, NONE, 0), grant(address, TWO, READ_WRITE, 1)]);
    answers.codes([fill(address, 8), synchronize()]);
    answers.word(address);
    call!(cuCtxSetCurrent(own));
    answers.codes([fill(address, 9), synchronize()]);
    answers.word(address);
}

fn other_device_kernel(answers: &mut Answers) {
    let (_, peer, address) = across();
    answers.codes([fill(address, 49), synchronize(), grant(address, TWO, READ_WRITE, 1)]);
    call!(cuCtxSetCurrent(peer));
    let to = allocate(4);
    kernel_copies(answers, to, address);
    answers.word(to);
}

fn other_device_no_access(answers: &mut Answers) {
    let (_, peer, address) = across();
    call!(cuCtxSetCurrent(peer));
    kernel_copies(answers, allocate(4), address);
}
