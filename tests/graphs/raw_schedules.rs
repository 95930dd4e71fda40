//! Missing edges, and resources that graphs outlive, found by the software driver.

use crate::raw_conditions::allocation;
use crate::raw_nodes::{copy, copy_params, fill, graph, kernel};
use crate::raw_setup::{instantiate, run, word};
use cuda_sim::{Config, Schedule};
use cuda_suite::raw::{allocate, context, function, machine, page_locked, stream};
use cuda_suite::{Choice, call, code, driver, skip};
use cuda_sys::*;
use std::collections::BTreeSet;
use std::ptr::{null, null_mut};

/// Results of a fill and a kernel after it, under many orders.
fn results(has_edge: bool) -> BTreeSet<u32> {
    let result = |seed| {
        let (_machine, _entered) = machine(Config { schedule: Schedule::Random(seed), ..Config::default() });
        context(0);
        let words = allocate(4);
        call!(cuMemsetD32_v2(words, 100, 1));
        call!(cuCtxSynchronize());
        let graph = graph();
        let first = fill(graph, &[], words, 1);
        kernel(graph, if has_edge { std::slice::from_ref(&first) } else { &[] }, words, 5);
        run(instantiate(graph), stream(1));
        word(words)
    };
    (0..40).map(result).collect()
}

#[test]
fn missing_edge_shows_under_random_schedules() {
    if driver() == Choice::Real {
        skip!("the software driver decides the order");
    }
    if !crate::raw_setup::is_since(11, 4) {
        skip!("the functions are newer than the driver");
    }
    assert_eq!(results(true), [6].into());
    let wrong = results(false);
    assert!(wrong.contains(&6) && wrong.len() > 1, "{wrong:?}");
}

#[test]
fn launch_after_a_buffer_was_freed_faults() {
    if driver() == Choice::Real {
        skip!("hardware writes to whatever is there");
    }
    if !crate::raw_setup::is_since(11, 4) {
        skip!("the functions are newer than the driver");
    }
    let (_machine, _entered) = machine(Config::default());
    context(0);
    let words = allocate(4);
    let graph = graph();
    fill(graph, &[], words, 1);
    let (executable, other) = (instantiate(graph), stream(1));
    run(executable, other);
    call!(cuMemFree_v2(words));
    call!(cuGraphLaunch(executable, other));
    assert_eq!(code!(cuStreamSynchronize(other)), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
}

#[test]
fn launch_loses_the_memory_of_a_graph_that_is_gone() {
    if driver() == Choice::Real {
        skip!("hardware gives the memory to other graphs");
    }
    if !crate::raw_setup::is_since(11, 4) {
        skip!("needs CUDA 11.4");
    }
    for (destroys_executable, destroys_graph) in [(false, false), (true, false), (false, true), (true, true)]
    {
        let (_machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
        context(0);
        let (result, graph) = (allocate(4), graph());
        let (start, address) = allocation(graph, &[], 64);
        let filled = fill(graph, &[start], address, 6);
        let copied = copy(graph, &[filled], &copy_params(result, address, 4));
        let mut freed = std::ptr::null_mut();
        call!(cuGraphAddMemFreeNode(&raw mut freed, graph, &raw const copied, 1, address));
        let (executable, other) = (instantiate(graph), stream(1));
        call!(cuGraphLaunch(executable, other));
        if destroys_executable {
            call!(cuGraphExecDestroy(executable));
        }
        if destroys_graph {
            call!(cuGraphDestroy(graph));
        }
        if destroys_executable && destroys_graph {
            assert_eq!(code!(cuStreamSynchronize(other)), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        } else {
            call!(cuStreamSynchronize(other));
            assert_eq!(word(result), 6);
        }
    }
}

#[test]
fn memory_of_a_destroyed_graph_stays_for_its_launch() {
    use cuda_sys::{
        cuMemAllocAsync, cuMemFreeAsync, cuMemcpyDtoDAsync_v2, cuMemsetD32Async, cuStreamWaitValue32_v2,
    };
    if driver() == Choice::Real {
        skip!("hardware may give the memory to other graphs");
    }
    if !crate::raw_setup::is_since(11, 4) {
        skip!("needs CUDA 11.4");
    }
    let (_machine, _entered) = machine(Config { schedule: Schedule::Eager, ..Config::default() });
    context(0);
    for executable_first in [true, false] {
        let (words, flag) = (allocate(4), cuda_suite::raw::page_locked(1));
        let mode = cuda_sys::CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED;
        let captured = crate::raw_setup::begin_capture(mode);
        let mut memory = 0;
        call!(cuMemAllocAsync(&raw mut memory, 4096, captured));
        call!(cuMemsetD32Async(memory, 77, 1, captured));
        call!(cuMemcpyDtoDAsync_v2(words, memory, 4, captured));
        call!(cuMemFreeAsync(memory, captured));
        let graph = crate::raw_setup::end_capture(captured).unwrap();
        let executable = instantiate(graph);
        let other = stream(1);
        call!(cuStreamWaitValue32_v2(other, flag.1, 1, 1));
        call!(cuGraphLaunch(executable, other));
        if executable_first {
            call!(cuGraphExecDestroy(executable));
            call!(cuGraphDestroy(graph));
        } else {
            call!(cuGraphDestroy(graph));
            call!(cuGraphExecDestroy(executable));
        }
        flag.0[0].store(1, std::sync::atomic::Ordering::Release);
        call!(cuStreamSynchronize(other));
        assert_eq!(word(words), 77);
    }
}

/// The module of a function.
fn module_of(function: CUfunction) -> cuda_sys::CUmodule {
    let mut module = std::ptr::null_mut();
    call!(cuda_sys::cuFuncGetModule(&raw mut module, function));
    module
}

#[test]
fn launch_after_a_module_was_unloaded_is_refused() {
    if driver() == Choice::Real {
        skip!("hardware crashes");
    }
    if !crate::raw_setup::is_since(11, 4) {
        skip!("the functions are newer than the driver");
    }
    let (_machine, _entered) = machine(Config::default());
    context(0);
    let graph = graph();
    let node = kernel(graph, &[], allocate(4), 1);
    // SAFETY: all members may be zero.
    let mut params: cuda_sys::CUDA_KERNEL_NODE_PARAMS_v1 = unsafe { std::mem::zeroed() };
    call!(cuda_sys::cuGraphKernelNodeGetParams(node, &raw mut params));
    let (executable, other) = (instantiate(graph), stream(1));
    run(executable, other);
    call!(cuModuleUnload(module_of(params.func)));
    assert_eq!(code!(cuGraphLaunch(executable, other)), CUresult::CUDA_ERROR_INVALID_HANDLE);
}

/// Conformance facts V1194, V1214 and V1218.
#[test]
fn graph_with_a_destroyed_event_is_refused() {
    if driver() == Choice::Real {
        skip!("hardware crashes");
    }
    if !crate::raw_setup::is_since(11, 4) {
        skip!("the functions are newer than the driver");
    }
    let (_machine, _entered) = machine(Config::default());
    let own = context(0);
    let on = stream(1);
    let event = || {
        let mut event = null_mut();
        call!(cuEventCreate(&raw mut event, 2));
        event
    };
    let node = |is_wait: bool, event| {
        let (graph, mut node) = (graph(), null_mut());
        if is_wait {
            call!(cuGraphAddEventWaitNode(&raw mut node, graph, null(), 0, event));
        } else {
            call!(cuGraphAddEventRecordNode(&raw mut node, graph, null(), 0, event));
        }
        (graph, node)
    };
    let set = |is_wait: bool, executable, node, event| {
        if is_wait {
            code!(cuGraphExecEventWaitNodeSetEvent(executable, node, event))
        } else {
            code!(cuGraphExecEventRecordNodeSetEvent(executable, node, event))
        }
    };
    let launch = |executable| code!(cuGraphLaunch(executable, on));
    for is_wait in [false, true] {
        // The event alone.
        let (old, new) = (event(), event());
        let (graph, node_of_event) = node(is_wait, old);
        let executable = instantiate(graph);
        call!(cuEventDestroy_v2(old));
        assert_eq!(
            launch(executable),
            if is_wait { CUresult::CUDA_ERROR_INVALID_HANDLE } else { CUresult::CUDA_SUCCESS }
        );
        assert_eq!(set(is_wait, executable, node_of_event, new), CUresult::CUDA_ERROR_INVALID_VALUE);
        // The whole context.
        let other = context(0);
        let foreign = event();
        call!(cuCtxSetCurrent(own));
        let (graph, node_of_event) = node(is_wait, foreign);
        let executable = instantiate(graph);
        assert_eq!(launch(executable), CUresult::CUDA_SUCCESS);
        assert_eq!(set(is_wait, executable, node_of_event, new), CUresult::CUDA_ERROR_INVALID_VALUE);
        call!(cuStreamSynchronize(on));
        call!(cuCtxDestroy_v2(other));
        assert_eq!(launch(executable), CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
    }
    let old = event();
    let (graph, _) = node(false, old);
    call!(cuEventDestroy_v2(old));
    let mut executable = null_mut();
    let code = code!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
    assert_eq!(code, CUresult::CUDA_ERROR_INVALID_HANDLE);
}

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
    .visible .entry go_on(.param .u64 word, .param .u64 handle) {
        .reg .b64 %a, %h; .reg .b32 %r;
        ld.param.u64 %a, [word]; ld.param.u64 %h, [handle];
        ld.volatile.global.u32 %r, [%a];
        { .param .b64 p; .param .b32 q; st.param.b64 [p], %h; st.param.b32 [q], %r;
          call.uni cudaGraphSetConditional, (p, q); }
        ret; }";

#[test]
fn loop_that_waits_for_the_program_does_not_block() {
    crate::raw_setup::begin_test();
    if !crate::raw_setup::is_since(12, 4) {
        skip!("needs CUDA 12.4");
    }
    if std::env::var("CUDA_SIM").is_ok_and(|config| config.contains("lazy")) {
        skip!("nothing goes on until the program waits");
    }
    let (words, address) = page_locked(1);
    words[0].store(1, std::sync::atomic::Ordering::SeqCst);
    let graph = graph();
    let handle = crate::raw_conditions::condition(graph, 1);
    let bodies = crate::raw_conditions::conditional(graph, &[], handle, 1, 1);
    crate::raw_conditions::setter(bodies[0], function(PTX, c"go_on"), address, handle);
    let (executable, other) = (instantiate(graph), stream(1));
    call!(cuGraphLaunch(executable, other));
    words[0].store(0, std::sync::atomic::Ordering::SeqCst);
    call!(cuStreamSynchronize(other));
}
