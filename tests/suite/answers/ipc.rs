//! Questions about memory and events for other processes, asked within one.

use super::memory::{managed, of_default_pool, page_locked_bytes};
use super::{Answers, Question, capturing, initialised, while_running};
use cuda_suite::raw::{allocate, context, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "ipc-memory", devices: 1, ask: memory },
    Question { name: "ipc-memory-open", devices: 1, ask: memory_open },
    Question { name: "ipc-event", devices: 1, ask: event },
    Question { name: "ipc-running", devices: 1, ask: running },
    Question { name: "ipc-capture", devices: 1, ask: capture },
];

fn of_memory(address: CUdeviceptr) -> (CUresult, CUipcMemHandle) {
    let mut handle = CUipcMemHandle::default();
    (code!(cuIpcGetMemHandle(&raw mut handle, address)), handle)
}

fn opened(handle: CUipcMemHandle, flags: u32) -> CUresult {
    let mut address = 0;
    code!(cuIpcOpenMemHandle_v2(&raw mut address, handle, flags))
}

fn closed(address: CUdeviceptr) -> CUresult {
    code!(cuIpcCloseMemHandle(address))
}

fn memory(answers: &mut Answers) {
    initialised();
    context(0);
    let plain = allocate(4096);
    let (code, handle) = of_memory(plain);
    answers.code(code);
    for other in [plain, plain + 8, allocate(4096)] {
        let (code, another) = of_memory(other);
        answers.given(code, handle.reserved == another.reserved);
    }
    let others = [of_default_pool(64, stream(1)), managed(64, 1), page_locked_bytes(64, 0), 0x10, 0];
    answers.codes(others.map(|other| of_memory(other).0));
    answers.code(code!(cuIpcGetMemHandle(null_mut(), plain)));
    call!(cuMemFree_v2(plain));
    answers.code(of_memory(plain).0);
}

/// In the process that it is from.
fn memory_open(answers: &mut Answers) {
    initialised();
    context(0);
    let plain = allocate(4096);
    let (code, handle) = of_memory(plain);
    answers.code(code);
    answers.codes([1, 0, 2].map(|flags| opened(handle, flags)));
    answers.code(opened(CUipcMemHandle::default(), 1));
    answers.codes([plain, 0, 0x10].map(closed));
}

fn event(answers: &mut Answers) {
    initialised();
    context(0);
    let (mut event, mut handle) = (null_mut(), CUipcEventHandle::default());
    for flags in [4, 6, 7, 5] {
        answers.code(code!(cuEventCreate(&raw mut event, flags)));
    }
    call!(cuEventCreate(&raw mut event, 6));
    answers.code(code!(cuIpcGetEventHandle(&raw mut handle, event)));
    answers.code(code!(cuIpcOpenEventHandle(&raw mut event, handle)));
    answers.code(code!(cuIpcOpenEventHandle(&raw mut event, CUipcEventHandle::default())));
    call!(cuEventCreate(&raw mut event, 2));
    answers.code(code!(cuIpcGetEventHandle(&raw mut handle, event)));
}

fn running(answers: &mut Answers) {
    initialised();
    context(0);
    let plain = allocate(4096);
    while_running(answers, || of_memory(plain).0);
}

/// Each call in a capture of its own.
fn capture(answers: &mut Answers) {
    initialised();
    context(0);
    let (plain, mut event, mut shared) = (allocate(64), null_mut(), CUipcEventHandle::default());
    let (_, handle) = of_memory(plain);
    call!(cuEventCreate(&raw mut event, 6));
    let calls: [&mut dyn FnMut() -> CUresult; 4] =
        [&mut || of_memory(plain).0, &mut || opened(handle, 1), &mut || closed(plain), &mut || {
            code!(cuIpcGetEventHandle(&raw mut shared, event))
        }];
    for call in calls {
        capturing(answers, |answers| {
            answers.code(call());
        });
    }
}
