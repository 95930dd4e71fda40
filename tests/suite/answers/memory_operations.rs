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
    Question { name: "memory-operation-batches-none", devices: 1, ask: batches_none },
    Question { name: "memory-operation-batches-null", devices: 1, ask: batches_null },
    Question { name: "memory-operation-batches-unknown", devices: 1, ask: batches_unknown },
    Question { name: "memory-operation-order", devices: 1, ask: order },
    Question { name: "memory-operation-other-streams", devices: 1, ask: other_streams },
    Question { name: "memory-operation-destroyed-stream", devices: 1, ask: destroyed_stream },
    Question { name: "memory-operation-kinds", devices: 1, ask: kinds },
    Question { name: "memory-operation-captured-flags", devices: 1, ask: captured_flags },
    Question { name: "memory-operation-node-refused", devices: 1, ask: node_refused },
    Question { name: "memory-operation-node-update", devices: 1, ask: node_update },
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

fn device(answers: &mut Answers) {
    begun();
    for attribute in [92, 93, 94, 122, 123] {
        let mut value = 77;
        let code = code!(cuDeviceGetAttribute(&raw mut value, CUdevice_attribute_enum(attribute), 0));
        answers.given(code, value);
    }
}

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

fn writes_pageable(answers: &mut Answers) {
    let on = begun();
    let pageable: &'static mut u64 = Box::leak(Box::default());
    let pageable = std::ptr::from_mut(pageable).expose_provenance() as u64;
    answers.code(code!(cuStreamWriteValue32_v2(on, pageable, 5, 0)));
    answers.code(code!(cuStreamSynchronize(on)));
}

fn writes_beyond(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    answers.code(code!(cuStreamWriteValue32_v2(on, at + (32 << 20), 5, 0)));
    answers.code(code!(cuStreamSynchronize(on)));
}

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
    answers.must(synchronize());
    answers.code(code!(cuStreamWaitValue32_v2(on, at, 1, 0)));
    answers.code(code!(cuStreamQuery(on)));
    answers.code(code!(cuStreamWriteValue32_v2(other, at, 1, 0)));
    answers.code(code!(cuStreamSynchronize(on)));
}

fn waiting_others(answers: &mut Answers) {
    let on = begun();
    let memory = allocate(64);
    while_running_on(answers, on, || code!(cuStreamWriteValue32_v2(on, memory, 1, 0)));
    while_running_on(answers, on, || code!(cuStreamWaitValue32_v2(on, memory, 1, 0)));
    let mut operations = [write(memory, 2, 0), barrier(0)];
    while_running_on(answers, on, || code!(cuStreamBatchMemOp_v2(on, 2, operations.as_mut_ptr(), 0)));
    answers.word(memory);
}

fn batches(answers: &mut Answers) {
    let on = begun();
    let at = allocate(4096);
    answers.must(super::fill(at, 0));
    answers.must(synchronize());
    let mut list = vec![write(at, 5, 0); 257];
    let mut batch = |count, flags| code!(cuStreamBatchMemOp_v2(on, count, list.as_mut_ptr(), flags));
    answers.codes([batch(0, 0), batch(1, 0), batch(256, 0), batch(257, 0), batch(1, 1)]);
    let one = |mut operations: [CUstreamBatchMemOpParams; 2], count| {
        code!(cuStreamBatchMemOp_v2(on, count, operations.as_mut_ptr(), 0))
    };
    let flush = |flags| CUstreamBatchMemOpParams {
        flushRemoteWrites: CUstreamMemOpFlushRemoteWritesParams_st {
            operation: CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES,
            flags,
        },
    };
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

fn batches_none(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamBatchMemOp_v2(on, 0, null_mut(), 0)));
}

fn batches_null(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamBatchMemOp_v2(on, 1, null_mut(), 0)));
}

fn batches_unknown(answers: &mut Answers) {
    let on = begun();
    let mut unknown = [write(allocate(64), 5, 0)];
    unknown[0].operation = CUstreamBatchMemOpType_enum(77);
    answers.code(code!(cuStreamBatchMemOp_v2(on, 1, unknown.as_mut_ptr(), 0)));
}

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

fn order(answers: &mut Answers) {
    let on = begun();
    let (words, go) = page_locked(4);
    let late = cuda_suite::raw::function(super::PTX, c"late");
    answers.must(cuda_suite::raw::try_launch(late, 1, on, &[go, go + 4]));
    answers.code(code!(cuStreamWriteValue32_v2(on, go + 8, 3, 0)));
    std::thread::sleep(Duration::from_millis(100));
    answers.value(words[2].load(Ordering::Acquire));
    words[0].store(6, Ordering::Release);
    let start = std::time::Instant::now();
    while words[2].load(Ordering::Acquire) == 0 && start.elapsed() < Duration::from_secs(3) {
        std::thread::yield_now();
    }
    answers.value(format_args!("{},{}", words[2].load(Ordering::Acquire), words[1].load(Ordering::Acquire)));
    answers.code(synchronize());
}

fn other_streams(answers: &mut Answers) {
    let on = begun();
    let (other, at) = (stream(1), allocate(64));
    let (words, go) = page_locked(1);
    answers.code(code!(cuStreamWaitValue32_v2(on, go, 1, 0)));
    let writer = std::thread::spawn(|| {
        std::thread::sleep(super::asking::patience());
        words[0].store(1, Ordering::Release);
    });
    let early = || words[0].load(Ordering::Acquire) == 0;
    answers.codes([code!(cuMemsetD32Async(at, 4, 1, other)), code!(cuStreamSynchronize(other))]);
    answers.value(early());
    answers.code(code!(cuStreamSynchronize(null_mut())));
    answers.value(early());
    answers.word(at);
    answers.value(early());
    let memory = allocate(64);
    answers.value(early());
    answers.code(code!(cuMemFree_v2(memory)));
    answers.value(early());
    answers.code(synchronize());
    answers.value(early());
    writer.join().unwrap();
}

fn destroyed_stream(answers: &mut Answers) {
    let on = begun();
    let (words, at) = page_locked(2);
    answers.code(code!(cuStreamWaitValue32_v2(on, at, 5, 0)));
    answers.code(code!(cuMemsetD32Async(at + 4, 9, 1, on)));
    answers.code(code!(cuStreamDestroy_v2(on)));
    words[0].store(5, Ordering::Release);
    answers.code(synchronize());
    answers.value(words[1].load(Ordering::Acquire));
}

fn kinds(answers: &mut Answers) {
    use super::virtual_memory::{TWO, create, grant, mapped_at, reserve};
    let on = begun();
    let variable = {
        let (mut module, mut at, mut bytes) = (null_mut(), 0, 0);
        let ptx = c".version 6.4 .target sm_50 .address_size 64 .visible .global .align 8 .b8 place[16];";
        answers.must(code!(cuModuleLoadData(&raw mut module, ptx.as_ptr().cast())));
        answers.must(code!(cuModuleGetGlobal_v2(&raw mut at, &raw mut bytes, module, c"place".as_ptr())));
        at
    };
    let (mapped, bare) = (reserve(2), reserve(2));
    answers.must(mapped_at(mapped, TWO, 0, create(0)));
    answers.must(grant(mapped, TWO, super::READ_WRITE, 0));
    let graph = new_graph(answers);
    let (_, at) = alloc(answers, graph, &[], 64);
    let exec = instantiate(answers, graph);
    answers.must(code!(cuGraphLaunch(exec, on)));
    answers.must(code!(cuStreamSynchronize(on)));
    for at in [variable, mapped, bare, at] {
        answers.code(code!(cuStreamWriteValue32_v2(on, at, 5, 0)));
    }
    answers.code(code!(cuStreamSynchronize(on)));
}

fn captured_flags(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let mut list = vec![write(at, 5, 0); 256];
    answers.must(begin(on, 0));
    let mut codes = [
        code!(cuStreamWriteValue32_v2(on, at, 1, 1)),
        code!(cuStreamWriteValue32_v2(on, at, 1, 2)),
        code!(cuStreamWaitValue32_v2(on, at, 1, 8)),
        code!(cuStreamWaitValue32_v2(on, at, 1, 1 << 30)),
        code!(cuStreamWriteValue64_v2(on, at + 4, 1, 0)),
        code!(cuStreamBatchMemOp_v2(on, 1, list.as_mut_ptr(), 1)),
        code!(cuStreamBatchMemOp_v2(on, 256, list.as_mut_ptr(), 0)),
    ]
    .into_iter();
    for code in codes.by_ref() {
        answers.code(code);
    }
    answers.value(status(on));
    ended(answers, on);
}

fn node_refused(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let gone = context(0);
    call!(cuCtxDestroy_v2(gone));
    call!(cuCtxSetCurrent(own));
    let at = allocate(64);
    let (shared, pooled) = (managed(64, 1), of_default_pool(64, on));
    answers.must(synchronize());
    let graph = new_graph(answers);
    for (mut operation, ctx) in [
        (write(at, 1, 1), own),
        (write(at + 2, 1, 0), own),
        (wait(at, 1, 8), own),
        (wait(at, 1, 1 << 30), own),
        (barrier(2), own),
        (write(pooled, 1, 0), own),
        (write(shared, 1, 0), own),
        (write(at, 1, 0), gone),
    ] {
        let params =
            CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx, count: 1, paramArray: &raw mut operation, flags: 0 };
        answers.code(code!(cuGraphAddBatchMemOpNode(
            &mut null_mut(),
            graph,
            std::ptr::null(),
            0,
            &raw const params
        )));
    }
    answers.value(shape(graph));
}

fn node_update(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    answers.must(super::fill(at, 0));
    answers.must(super::fill(at + 4, 0));
    answers.must(synchronize());
    let own = current();
    let one = |answers: &mut Answers, mut operations: Vec<CUstreamBatchMemOpParams>| {
        let graph = new_graph(answers);
        let count = u32::try_from(operations.len()).unwrap();
        let array = operations.as_mut_ptr();
        let params = CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx: own, count, paramArray: array, flags: 0 };
        made(answers, |node| {
            code!(cuGraphAddBatchMemOpNode(node, graph, std::ptr::null(), 0, &raw const params))
        });
        graph
    };
    let graph = one(answers, vec![write(at, 1, 0)]);
    let exec = instantiate(answers, graph);
    let others = [
        vec![write(at, 2, 0)],
        vec![write(at + 4, 3, 0)],
        vec![write(at, 4, 0), write(at + 4, 4, 0)],
        vec![wait(at, 0, 0)],
    ];
    for operations in others {
        let next = one(answers, operations);
        let mut info = CUgraphExecUpdateResultInfo::default();
        let code = code!(cuGraphExecUpdate_v2(exec, next, &raw mut info));
        answers.value(format_args!("{}.{}", code.0, info.result.0));
        run(answers, exec, on);
        answers.word(at);
        answers.word(at + 4);
    }
}
