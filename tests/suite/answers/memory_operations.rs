//! Questions about operations on memory that streams do by themselves: waits, writes, barriers, and batches of them.

use super::graph_scenes::*;
use super::memory::{managed, of_default_pool, page_locked_bytes, pages};
use super::{Answers, Question, synchronize, while_running_on};
use cuda_suite::raw::{allocate, context, current, page_locked, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::Ordering;
use std::time::Duration;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "memory-operation-device", devices: 1, ask: device },
    Question { name: "memory-operation-writes", devices: 1, ask: writes },
    Question { name: "memory-operation-writes-pageable", devices: 1, ask: writes_pageable },
    Question { name: "memory-operation-writes-beyond", devices: 1, ask: writes_beyond },
    Question { name: "memory-operation-waits", devices: 1, ask: waits },
    Question { name: "memory-operation-waiting", devices: 1, ask: waiting },
    Question { name: "memory-operation-waiting-others", devices: 1, ask: waiting_others },
    Question { name: "memory-operation-batches", devices: 1, ask: batches },
    Question { name: "memory-operation-in-graph", devices: 1, ask: in_graph },
];

/// A write of a word, as an element of a batch.
pub(super) fn write(at: CUdeviceptr, value: u32, flags: u32) -> CUstreamBatchMemOpParams {
    CUstreamBatchMemOpParams {
        writeValue: CUstreamMemOpWriteValueParams_st {
            operation: CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_WRITE_VALUE_32,
            address: at,
            __bindgen_anon_1: CUstreamMemOpWriteValueParams_st__bindgen_ty_1 { value64: value.into() },
            flags,
            alias: 0,
        },
    }
}

fn wait(at: CUdeviceptr, value: u32, flags: u32) -> CUstreamBatchMemOpParams {
    CUstreamBatchMemOpParams {
        waitValue: CUstreamMemOpWaitValueParams_st {
            operation: CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_WAIT_VALUE_32,
            address: at,
            __bindgen_anon_1: CUstreamMemOpWaitValueParams_st__bindgen_ty_1 { value64: value.into() },
            flags,
            alias: 0,
        },
    }
}

/// A barrier of memory operations; 0 of the system, 1 of the device.
pub(super) fn barrier(flags: u32) -> CUstreamBatchMemOpParams {
    CUstreamBatchMemOpParams {
        memoryBarrier: CUstreamMemOpMemoryBarrierParams_st {
            operation: CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_BARRIER,
            flags,
        },
    }
}

/// cuDeviceGetAttribute of 92, 93, 94 (memory operations, 64 bits, NOR of the first version), 122, 123 (64 bits, NOR)
fn device(answers: &mut Answers) {
    begun();
    for attribute in [92, 93, 94, 122, 123] {
        let mut value = 77;
        let code = code!(cuDeviceGetAttribute(&raw mut value, CUdevice_attribute_enum(attribute), 0));
        answers.given(code, value);
    }
}

/// cuStreamWriteValue32: flags 0, 1, 2; not aligned; of 64 bits with an address of 4; null; no memory; page-locked, registered, managed memory, memory of a pool; on 0, on 2; memory of another context; with nothing current; the first version of the function; the word at last
fn writes(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let at = allocate(64);
    let pinned = page_locked_bytes(64, 0);
    let registered = pages(1);
    answers.must(code!(cuMemHostRegister_v2(registered, 4096, 0)));
    let registered = registered.expose_provenance() as u64;
    let (shared, pooled) = (managed(64, 1), of_default_pool(64, on));
    answers.must(synchronize());
    context(0);
    let foreign = allocate(64);
    call!(cuCtxSetCurrent(own));
    let write = |at, flags| code!(cuStreamWriteValue32_v2(on, at, 5, flags));
    answers.codes([write(at, 0), write(at, 1), write(at, 2), write(at + 2, 0)]);
    answers.codes([
        code!(cuStreamWriteValue64_v2(on, at + 4, 5, 0)),
        code!(cuStreamWriteValue64_v2(on, at + 8, 5, 0)),
        code!(cuStreamWriteValue64_v2(on, at + 8, 5, 1)),
    ]);
    answers.codes([write(0, 0), write(64, 0), write(pinned, 0), write(registered, 0)]);
    answers.codes([write(shared, 0), write(pooled, 0)]);
    answers.codes([
        code!(cuStreamWriteValue32_v2(null_mut(), at, 5, 0)),
        code!(cuStreamWriteValue32_v2(handle(2), at, 5, 0)),
        write(foreign, 0),
        code!(cuStreamWriteValue32(on, at, 6, 0)),
        code!(cuStreamWriteValue64(on, at + 8, 6, 0)),
    ]);
    answers.code(synchronize());
    answers.word(at);
    let mut below = null_mut();
    while code!(cuCtxPopCurrent_v2(&raw mut below)).is_success() {}
    answers.code(write(at, 0));
    answers.code(code!(cuStreamSynchronize(on)));
}

/// cuStreamWriteValue32 of pageable memory: the code and waiting
fn writes_pageable(answers: &mut Answers) {
    let on = begun();
    let pageable: &'static mut u64 = Box::leak(Box::default());
    let pageable = std::ptr::from_mut(pageable).expose_provenance() as u64;
    answers.code(code!(cuStreamWriteValue32_v2(on, pageable, 5, 0)));
    answers.code(code!(cuStreamSynchronize(on)));
}

/// cuStreamWriteValue32 beyond an allocation, by 32 MiB: the code and waiting
fn writes_beyond(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    answers.code(code!(cuStreamWriteValue32_v2(on, at + (32 << 20), 5, 0)));
    answers.code(code!(cuStreamSynchronize(on)));
}

/// cuStreamWaitValue32 of a word that is 6: flags 0 (at least 6; at least 5), 1 (6), 2 (and 2), 3 (nor 0), 4 (4 is refused as a condition), 1 << 30 (flush), 8; not aligned; null; no memory; 64 bits with 0, 1, 2, 3 and an address of 4; cyclic comparison: at least 0xfffffff0 of 6; then waiting
fn waits(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    answers.must(super::fill(at, 6));
    answers.must(code!(cuMemsetD32_v2(at + 8, 6, 1)));
    answers.must(code!(cuMemsetD32_v2(at + 12, 0, 1)));
    let wait = |at, value, flags| code!(cuStreamWaitValue32_v2(on, at, value, flags));
    answers.codes([
        wait(at, 6, 0),
        wait(at, 5, 0),
        wait(at, 6, 1),
        wait(at, 2, 2),
        wait(at, 1, 3),
        wait(at, 6, 1 << 30),
        wait(at, 6, 8),
        wait(at + 2, 6, 0),
        wait(0, 6, 0),
        wait(64, 6, 0),
        wait(at, 0xffff_fff0, 0),
    ]);
    answers.code(code!(cuStreamSynchronize(on)));
    let wait = |at, value, flags| code!(cuStreamWaitValue64_v2(on, at, value, flags));
    answers.codes([
        wait(at + 8, 6, 0),
        wait(at + 8, 6, 1),
        wait(at + 8, 2, 2),
        wait(at + 8, 1, 3),
        wait(at + 4, 0, 0),
    ]);
    answers.code(code!(cuStreamSynchronize(on)));
    answers.code(code!(cuStreamWaitValue32(on, at, 6, 0)));
    answers.code(code!(cuStreamWaitValue64(on, at + 8, 6, 0)));
    answers.code(code!(cuStreamSynchronize(on)));
}

/// a wait for a word of page-locked memory that is not there yet, a fill behind it: whether the call waits, cuStreamQuery; whether the fill is done before the host writes the word, after it; the same with the flags 1, 2 and 3; with a word that only another stream's cuStreamWriteValue32 writes
fn waiting(answers: &mut Answers) {
    let on = begun();
    let other = stream(1);
    for (flags, value, first, then) in [(0, 5, 4, 5), (1, 5, 4, 5), (2, 6, 1, 2), (3, 1, 0xffff_fffe, 7)] {
        let (words, at) = page_locked(2);
        words[0].store(first, Ordering::Release);
        answers.code(code!(cuStreamWaitValue32_v2(on, at, value, flags)));
        answers.code(code!(cuMemsetD32Async(at + 4, 9, 1, on)));
        std::thread::sleep(Duration::from_millis(100));
        answers.code(code!(cuStreamQuery(on)));
        answers.value(words[1].load(Ordering::Acquire));
        words[0].store(then, Ordering::Release);
        // Whatever the condition is, the stream goes on.
        let start = std::time::Instant::now();
        while !code!(cuStreamQuery(on)).is_success() && start.elapsed() < Duration::from_secs(3) {
            std::thread::yield_now();
        }
        answers.code(code!(cuStreamQuery(on)));
        answers.value(words[1].load(Ordering::Acquire));
    }
    let at = allocate(64);
    answers.must(super::fill(at, 0));
    answers.code(code!(cuStreamWaitValue32_v2(on, at, 1, 0)));
    answers.code(code!(cuStreamQuery(on)));
    answers.code(code!(cuStreamWriteValue32_v2(other, at, 1, 0)));
    answers.code(code!(cuStreamSynchronize(on)));
}

/// on a stream that a kernel holds: whether cuStreamWriteValue32 waits, cuStreamWaitValue32, cuStreamBatchMemOp; the word at last
fn waiting_others(answers: &mut Answers) {
    let on = begun();
    let memory = allocate(64);
    while_running_on(answers, on, || code!(cuStreamWriteValue32_v2(on, memory, 1, 0)));
    while_running_on(answers, on, || code!(cuStreamWaitValue32_v2(on, memory, 1, 0)));
    let mut operations = [write(memory, 2, 0), barrier(0)];
    while_running_on(answers, on, || code!(cuStreamBatchMemOp_v2(on, 2, operations.as_mut_ptr(), 0)));
    answers.word(memory);
}

/// cuStreamBatchMemOp: of 0, 1, 256, 257 writes; a null list with 0, with 1; flags 1; an operation that there is not; one bad address among two: the word of the good one; a write and a wait for it; a barrier of flags 0, 1, 2; flush of remote writes with flags 0 and 1; the first version of the function
fn batches(answers: &mut Answers) {
    let on = begun();
    let at = allocate(4096);
    answers.must(super::fill(at, 0));
    let mut list = vec![write(at, 5, 0); 257];
    let mut batch = |count, flags| code!(cuStreamBatchMemOp_v2(on, count, list.as_mut_ptr(), flags));
    answers.codes([batch(0, 0), batch(1, 0), batch(256, 0), batch(257, 0), batch(1, 1)]);
    answers.codes([
        code!(cuStreamBatchMemOp_v2(on, 0, null_mut(), 0)),
        code!(cuStreamBatchMemOp_v2(on, 1, null_mut(), 0)),
    ]);
    let one = |mut operations: [CUstreamBatchMemOpParams; 2], count| {
        code!(cuStreamBatchMemOp_v2(on, count, operations.as_mut_ptr(), 0))
    };
    let mut unknown = write(at, 5, 0);
    unknown.operation = CUstreamBatchMemOpType_enum(77);
    let flush = |flags| CUstreamBatchMemOpParams {
        flushRemoteWrites: CUstreamMemOpFlushRemoteWritesParams_st {
            operation: CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES,
            flags,
        },
    };
    answers.code(one([unknown, barrier(0)], 1));
    answers.code(one([write(at + 4, 7, 0), write(2, 7, 0)], 2));
    answers.code(code!(cuStreamSynchronize(on)));
    answers.word(at + 4);
    answers.codes([
        one([write(at + 8, 7, 0), wait(at + 8, 7, 1)], 2),
        one([barrier(0), barrier(0)], 1),
        one([barrier(1), barrier(0)], 1),
        one([barrier(2), barrier(0)], 1),
        one([flush(0), barrier(0)], 1),
        one([flush(1), barrier(0)], 1),
    ]);
    let mut operations = [write(at, 9, 0)];
    answers.code(code!(cuStreamBatchMemOp(on, 1, operations.as_mut_ptr(), 0)));
    answers.code(code!(cuStreamSynchronize(on)));
    answers.word(at);
}

/// a batch node of a wait and a write: a wait in a graph that is not met until the host writes: cuStreamQuery before, after
fn in_graph(answers: &mut Answers) {
    let on = begun();
    let (words, at) = page_locked(2);
    let graph = new_graph(answers);
    let mut list = [wait(at, 5, 0), write(at + 4, 8, 0)];
    let params =
        CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx: current(), count: 2, paramArray: list.as_mut_ptr(), flags: 0 };
    answers.code(code!(cuGraphAddBatchMemOpNode(
        &mut null_mut(),
        graph,
        std::ptr::null(),
        0,
        &raw const params
    )));
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphLaunch(exec, on)));
    std::thread::sleep(Duration::from_millis(100));
    answers.code(code!(cuStreamQuery(on)));
    words[0].store(5, Ordering::Release);
    answers.code(code!(cuStreamSynchronize(on)));
    answers.value(words[1].load(Ordering::Acquire));
}
