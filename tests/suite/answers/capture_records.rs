//! Questions about what calls record in a capture: the graph's nodes and edges.

#![allow(non_snake_case)] // fields of the API are so called
use super::graph_scenes::*;
use super::memory::{managed, of_default_pool, page_locked_bytes};
use super::{Answers, DEVICE, PTX, Question, location};
use core::ffi::c_void;
use cuda_suite::raw::{allocate, current, function, page_locked, stream, try_launch};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "capture-record-kernels", devices: 1, ask: kernels },
    Question { name: "capture-record-programmatic", devices: 1, ask: programmatic },
    Question { name: "capture-record-copies-async", devices: 1, ask: copies_async },
    Question { name: "capture-record-copies-planes", devices: 1, ask: copies_planes },
    Question { name: "capture-record-synchronous", devices: 1, ask: synchronous },
    Question { name: "capture-record-fills", devices: 1, ask: fills },
    Question { name: "capture-record-host-functions", devices: 1, ask: host_functions },
    Question { name: "capture-record-events", devices: 1, ask: events },
    Question { name: "capture-record-memory", devices: 1, ask: memory },
    Question { name: "capture-record-memory-operations", devices: 1, ask: memory_operations },
    Question { name: "capture-record-prefetches", devices: 1, ask: prefetches },
    Question { name: "capture-record-forks", devices: 1, ask: forks },
    Question { name: "capture-record-functions", devices: 1, ask: functions },
];

/// Captures calls in the global mode: their code, the status after them, the code of the end, and the graph.
fn recorded(answers: &mut Answers, on: CUstream, work: impl FnOnce() -> CUresult) -> CUgraph {
    answers.must(begin(on, 0));
    let code = work();
    let status = status(on);
    let (end, graph) = end(on);
    let shape = if end.is_success() { shape(graph) } else { String::new() };
    answers.value(format_args!("{}.{status}.{}({shape})", code.0, end.0));
    graph
}

fn config(on: CUstream, attributes: &mut [CUlaunchAttribute]) -> CUlaunchConfig {
    CUlaunchConfig {
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 1,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        hStream: on,
        attrs: attributes.as_mut_ptr(),
        numAttrs: u32::try_from(attributes.len()).unwrap(),
    }
}

fn attribute(id: u32, value: CUlaunchAttributeValue) -> CUlaunchAttribute {
    CUlaunchAttribute { id: CUlaunchAttributeID_enum(id), pad: [0; 4], value }
}

fn launch_with(
    function: CUfunction,
    on: CUstream,
    attributes: &mut [CUlaunchAttribute],
    mut arguments: [u64; 2],
) -> CUresult {
    let config = config(on, attributes);
    let mut places = [(&raw mut arguments[0]).cast::<c_void>(), (&raw mut arguments[1]).cast()];
    code!(cuLaunchKernelEx(&raw const config, function, places.as_mut_ptr(), null_mut()))
}

fn kernels(answers: &mut Answers) {
    let on = begun();
    let (copy, at) = (copier(), allocate(64));
    recorded(answers, on, || try_launch(copy, 1, on, &[at, at + 4]));
    recorded(answers, on, || {
        let _ = try_launch(copy, 1, on, &[at, at + 4]);
        try_launch(copy, 1, on, &[at, at + 4])
    });
    let (mut to, mut from) = (at, at + 4);
    let mut places = [(&raw mut to).cast::<c_void>(), (&raw mut from).cast()];
    recorded(answers, on, || {
        code!(cuLaunchCooperativeKernel(copy, 1, 1, 1, 1, 1, 1, 0, on, places.as_mut_ptr()))
    });
    recorded(answers, on, || launch_with(copy, on, &mut [], [at, at + 4]));
    recorded(answers, on, || {
        launch_with(copy, on, &mut [attribute(8, CUlaunchAttributeValue { priority: -1 })], [at, at + 4])
    });
    recorded(answers, on, || {
        launch_with(copy, on, &mut [attribute(2, CUlaunchAttributeValue { cooperative: 1 })], [at, at + 4])
    });
    recorded(answers, on, || {
        code!(cuLaunchKernel(copy, 0, 1, 1, 1, 1, 1, 0, on, places.as_mut_ptr(), null_mut()))
    });
    recorded(answers, on, || {
        code!(cuLaunchKernel(copy, 1, 1, 1, 2000, 1, 1, 0, on, places.as_mut_ptr(), null_mut()))
    });
}

fn programmatic(answers: &mut Answers) {
    let on = begun();
    let (copy, at, other) = (copier(), allocate(64), stream(1));
    let serial = || attribute(6, CUlaunchAttributeValue { programmaticStreamSerializationAllowed: 1 });
    let plain = || try_launch(copy, 1, on, &[at, at + 4]);
    let early = || launch_with(copy, on, &mut [serial()], [at, at + 4]);
    let check = |answers: &mut Answers, graph: CUgraph| {
        let mut exec = null_mut();
        answers.code(try_instantiate(&mut exec, graph, 0));
    };
    let graph = recorded(answers, on, || {
        let _ = plain();
        early()
    });
    check(answers, graph);
    let graph = recorded(answers, on, || {
        let _ = code!(cuMemsetD32Async(at, 1, 1, on));
        early()
    });
    check(answers, graph);
    let graph = recorded(answers, on, early);
    check(answers, graph);
    for (id, start) in [(7, 0), (7, 1), (12, 0)] {
        let (event, joined) = (event(answers, 2), event(answers, 2));
        let graph = recorded(answers, on, || {
            let value = if id == 7 {
                let programmaticEvent = CUlaunchAttributeValue_union__bindgen_ty_2 {
                    event,
                    flags: 0,
                    triggerAtBlockStart: start,
                };
                CUlaunchAttributeValue { programmaticEvent }
            } else {
                let launchCompletionEvent = CUlaunchAttributeValue_union__bindgen_ty_3 { event, flags: 0 };
                CUlaunchAttributeValue { launchCompletionEvent }
            };
            let first = launch_with(copy, on, &mut [attribute(id, value)], [at, at + 4]);
            let _ = code!(cuStreamWaitEvent(other, event, 0));
            let _ = try_launch(copy, 1, other, &[at, at + 4]);
            let _ = code!(cuEventRecord(joined, other));
            let _ = code!(cuStreamWaitEvent(on, joined, 0));
            first
        });
        check(answers, graph);
    }
}

fn copies_async(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let pageable: &'static mut [u32] = Box::leak(Box::new([5_u32; 2]));
    let pageable = pageable.as_mut_ptr();
    let (_, pinned) = page_locked(1);
    let pinned: *mut c_void = std::ptr::with_exposed_provenance_mut(pinned as usize);
    recorded(answers, on, || code!(cuMemcpyHtoDAsync_v2(at, pageable.cast(), 4, on)));
    recorded(answers, on, || code!(cuMemcpyHtoDAsync_v2(at, pinned, 4, on)));
    recorded(answers, on, || code!(cuMemcpyDtoHAsync_v2(pageable.cast(), at, 4, on)));
    recorded(answers, on, || code!(cuMemcpyDtoHAsync_v2(pinned, at, 4, on)));
    recorded(answers, on, || code!(cuMemcpyDtoDAsync_v2(at, at + 8, 4, on)));
    recorded(answers, on, || code!(cuMemcpyAsync(at, at + 8, 4, on)));
    recorded(answers, on, || code!(cuMemcpyDtoDAsync_v2(at, at + 8, 0, on)));
    recorded(answers, on, || code!(cuMemcpyHtoDAsync_v2(at, std::ptr::null(), 4, on)));
    let own = current();
    recorded(answers, on, || code!(cuMemcpyPeerAsync(at, own, at + 8, own, 4, on)));
    let graph = recorded(answers, on, || code!(cuMemcpyHtoDAsync_v2(at, pageable.cast(), 4, on)));
    let exec = instantiate(answers, graph);
    // SAFETY: the leaked words, which nothing else touches now.
    unsafe { pageable.write(9) };
    run(answers, exec, on);
    answers.word(at);
}

fn copies_planes(answers: &mut Answers) {
    let on = begun();
    let at = allocate(1 << 16);
    let plane = |height| CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        srcDevice: at,
        srcPitch: 256,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        dstDevice: at + 4096,
        dstPitch: 512,
        WidthInBytes: 100,
        Height: height,
        ..CUDA_MEMCPY2D::default()
    };
    let graph = recorded(answers, on, || code!(cuMemcpy2DAsync_v2(&plane(1), on)));
    read_copy(answers, graph);
    let graph = recorded(answers, on, || code!(cuMemcpy2DAsync_v2(&plane(2), on)));
    read_copy(answers, graph);
    let mut cube = copy_params(at + 4096, at, 16);
    let graph = recorded(answers, on, || code!(cuMemcpy3DAsync_v2(&raw const cube, on)));
    read_copy(answers, graph);
    (cube.Height, cube.Depth, cube.srcHeight, cube.dstHeight) = (2, 2, 2, 2);
    let graph = recorded(answers, on, || code!(cuMemcpy3DAsync_v2(&raw const cube, on)));
    read_copy(answers, graph);
    let host = page_locked_bytes(4096, 0);
    let host: *mut c_void = std::ptr::with_exposed_provenance_mut(host as usize);
    let described = CUDA_ARRAY3D_DESCRIPTOR {
        Width: 16,
        Height: 0,
        Depth: 0,
        Format: CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32,
        NumChannels: 1,
        Flags: 0,
    };
    let array = super::images::array_of(&described);
    recorded(answers, on, || code!(cuMemcpyHtoAAsync_v2(array, 0, host, 16, on)));
    recorded(answers, on, || code!(cuMemcpyAtoHAsync_v2(host, array, 0, 16, on)));
    let peer = CUDA_MEMCPY3D_PEER {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        srcDevice: at,
        srcContext: current(),
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        dstDevice: at + 4096,
        dstContext: current(),
        WidthInBytes: 16,
        Height: 1,
        Depth: 1,
        ..CUDA_MEMCPY3D_PEER::default()
    };
    recorded(answers, on, || code!(cuMemcpy3DPeerAsync(&raw const peer, on)));
    recorded(answers, on, || {
        let (mut to, mut from, mut sizes) = ([at, at + 8], [at + 4096, at + 5000], [4_usize, 4]);
        let mut attributes = CUmemcpyAttributes {
            srcAccessOrder: CUmemcpySrcAccessOrder_enum(1),
            ..CUmemcpyAttributes::default()
        };
        let mut first = 0_usize;
        code!(cuMemcpyBatchAsync_v2(
            to.as_mut_ptr(),
            from.as_mut_ptr(),
            sizes.as_mut_ptr(),
            2,
            &raw mut attributes,
            &raw mut first,
            1,
            on
        ))
    });
}

/// The first node's parameters as a copy.
fn read_copy(answers: &mut Answers, graph: CUgraph) {
    let mut copy = CUDA_MEMCPY3D::default();
    let node = nodes(graph).first().copied().unwrap_or(null_mut());
    let code = code!(cuGraphMemcpyNodeGetParams(node, &raw mut copy));
    let CUDA_MEMCPY3D { srcPitch, srcHeight, dstPitch, dstHeight, .. } = copy;
    let extent = format!("{}x{}x{}", copy.WidthInBytes, copy.Height, copy.Depth);
    answers.given(
        code,
        format_args!(
            "{}>{},{extent},{srcPitch}x{srcHeight},{dstPitch}x{dstHeight}",
            copy.srcMemoryType.0, copy.dstMemoryType.0
        ),
    );
}

fn synchronous(answers: &mut Answers) {
    let on = begun();
    let at = allocate(1 << 12);
    let mut word = 0_u32;
    let cube = copy_params(at + 256, at, 16);
    let plane = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        srcDevice: at,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        dstDevice: at + 256,
        WidthInBytes: 16,
        Height: 1,
        ..CUDA_MEMCPY2D::default()
    };
    for mode in [0, 2] {
        let mut calls: [&mut dyn FnMut() -> CUresult; 9] = [
            &mut || code!(cuMemcpyHtoD_v2(at, (&raw const mode).cast(), 4)),
            &mut || code!(cuMemcpyDtoH_v2((&raw mut word).cast(), at, 4)),
            &mut || code!(cuMemcpyDtoD_v2(at, at + 64, 4)),
            &mut || code!(cuMemcpy(at, at + 64, 4)),
            &mut || code!(cuMemcpy2D_v2(&raw const plane)),
            &mut || code!(cuMemcpy3D_v2(&raw const cube)),
            &mut || code!(cuMemsetD8_v2(at, 1, 4)),
            &mut || code!(cuMemsetD32_v2(at, 1, 1)),
            &mut || code!(cuMemsetD2D32_v2(at, 64, 1, 2, 2)),
        ];
        for call in &mut calls {
            answers.must(begin(on, mode));
            let code = call();
            let status = status(on);
            let (end, graph) = end(on);
            let shape = if end.is_success() { shape(graph) } else { String::new() };
            answers.value(format_args!("{}.{status}.{}({shape})", code.0, end.0));
        }
    }
}

fn fills(answers: &mut Answers) {
    let on = begun();
    let at = allocate(1 << 12);
    let calls: [&dyn Fn() -> CUresult; 9] = [
        &|| code!(cuMemsetD8Async(at, 0xfe, 4, on)),
        &|| code!(cuMemsetD16Async(at, 0xfedc, 4, on)),
        &|| code!(cuMemsetD32Async(at, 0xfedc_ba98, 4, on)),
        &|| code!(cuMemsetD32Async(at, 1, 0, on)),
        &|| code!(cuMemsetD32Async(0, 1, 0, on)),
        &|| code!(cuMemsetD2D8Async(at, 64, 1, 4, 1, on)),
        &|| code!(cuMemsetD2D32Async(at, 64, 1, 4, 2, on)),
        &|| code!(cuMemsetD2D32Async(at, 64, 1, 0, 2, on)),
        &|| code!(cuMemsetD2D32Async(at, 64, 1, 4, 0, on)),
    ];
    for call in calls {
        let graph = recorded(answers, on, call);
        let mut params = CUDA_MEMSET_NODE_PARAMS::default();
        let Some(node) = nodes(graph).first().copied() else { continue };
        let code = code!(cuGraphMemsetNodeGetParams(node, &raw mut params));
        let CUDA_MEMSET_NODE_PARAMS { pitch, value, elementSize, width, height, .. } = params;
        answers.given(code, format_args!("{value:x},{elementSize},{width}x{height},{pitch}"));
    }
}

fn host_functions(answers: &mut Answers) {
    let on = begun();
    recorded(answers, on, || code!(cuLaunchHostFunc(on, Some(count_up), address(counter()))));
    recorded(answers, on, || code!(cuLaunchHostFunc(on, Some(count_up), null_mut())));
    recorded(answers, on, || {
        let _ = code!(cuLaunchHostFunc(on, Some(count_up), null_mut()));
        code!(cuLaunchHostFunc(on, Some(count_up), null_mut()))
    });
    recorded(answers, on, || code!(cuLaunchHostFunc(on, None, null_mut())));
}

fn events(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let (outside, fresh, timed, shared) =
        (event(answers, 2), event(answers, 2), event(answers, 0), event(answers, 6));
    answers.must(code!(cuEventRecord(outside, stream(1))));
    let own = event(answers, 2);
    let calls: [&dyn Fn() -> CUresult; 13] = [
        &|| code!(cuEventRecord(own, on)),
        &|| code!(cuEventRecordWithFlags(own, on, 1)),
        &|| code!(cuEventRecordWithFlags(own, on, 2)),
        &|| {
            let _ = code!(cuEventRecord(own, on));
            code!(cuStreamWaitEvent(on, own, 0))
        },
        &|| {
            let _ = code!(cuEventRecord(own, on));
            code!(cuStreamWaitEvent(on, own, 1))
        },
        &|| code!(cuStreamWaitEvent(on, outside, 0)),
        &|| code!(cuStreamWaitEvent(on, outside, 1)),
        &|| code!(cuStreamWaitEvent(on, fresh, 0)),
        &|| code!(cuStreamWaitEvent(on, fresh, 1)),
        &|| code!(cuStreamWaitEvent(on, fresh, 2)),
        &|| code!(cuEventRecordWithFlags(timed, on, 1)),
        &|| code!(cuEventRecordWithFlags(shared, on, 1)),
        &|| {
            let _ = code!(cuEventRecord(own, on));
            let _ = code!(cuMemsetD32Async(at, 1, 1, on));
            code!(cuEventRecord(own, on))
        },
    ];
    for call in calls {
        recorded(answers, on, || {
            let _ = code!(cuMemsetD32Async(at, 1, 1, on));
            call()
        });
    }
}

fn memory(answers: &mut Answers) {
    let on = begun();
    let plain = allocate(64);
    let (before, mut pool) = (of_default_pool(64, on), null_mut());
    let mut properties = alloc_params(0).poolProps;
    properties.handleTypes = CUmemAllocationHandleType_enum(0);
    answers.must(code!(cuMemPoolCreate(&raw mut pool, &raw const properties)));
    answers.must(code!(cuStreamSynchronize(on)));
    let mut at = 0;
    recorded(answers, on, || code!(cuMemAllocAsync(&raw mut at, 64, on)));
    recorded(answers, on, || {
        let _ = code!(cuMemAllocAsync(&raw mut at, 64, on));
        code!(cuMemFreeAsync(at, on))
    });
    answers.value(at == before);
    recorded(answers, on, || code!(cuMemAllocAsync(&raw mut at, 0, on)));
    recorded(answers, on, || code!(cuMemFreeAsync(before, on)));
    recorded(answers, on, || code!(cuMemFreeAsync(plain, on)));
    recorded(answers, on, || {
        let _ = code!(cuMemAllocAsync(&raw mut at, 64, on));
        let _ = code!(cuMemFreeAsync(at, on));
        code!(cuMemFreeAsync(at, on))
    });
    recorded(answers, on, || code!(cuMemAllocFromPoolAsync(&raw mut at, 64, pool, on)));
}

fn memory_operations(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    recorded(answers, on, || code!(cuStreamWriteValue32_v2(on, at, 1, 0)));
    recorded(answers, on, || code!(cuStreamWaitValue32_v2(on, at, 0, 0)));
    recorded(answers, on, || code!(cuStreamWriteValue64_v2(on, at, 1, 0)));
    let mut operations = [super::memory_operations::write(at, 1, 0), super::memory_operations::barrier(0)];
    recorded(answers, on, || code!(cuStreamBatchMemOp_v2(on, 2, operations.as_mut_ptr(), 0)));
    recorded(answers, on, || code!(cuStreamBatchMemOp_v2(on, 0, operations.as_mut_ptr(), 0)));
    recorded(answers, on, || code!(cuStreamWriteValue32_v2(on, at + 1, 1, 0)));
    recorded(answers, on, || code!(cuStreamWriteValue32_v2(on, 64, 1, 0)));
}

fn prefetches(answers: &mut Answers) {
    let on = begun();
    let at = managed(1 << 16, 1);
    recorded(answers, on, || code!(cuMemPrefetchAsync(at, 1 << 16, 0, on)));
    recorded(answers, on, || code!(cuMemPrefetchAsync_v2(at, 1 << 16, location(DEVICE, 0), 0, on)));
    recorded(answers, on, || code!(cuStreamAttachMemAsync(on, at, 0, 1)));
    recorded(answers, on, || code!(cuStreamAttachMemAsync(on, at, 0, 4)));
}

fn forks(answers: &mut Answers) {
    let on = begun();
    let (other, third, at) = (stream(1), stream(1), allocate(64));
    let (out, back, on_third) = (event(answers, 2), event(answers, 2), event(answers, 2));
    let fill = |stream| code!(cuMemsetD32Async(at, 1, 1, stream));
    let hand = |event, from, to| {
        let _ = code!(cuEventRecord(event, from));
        code!(cuStreamWaitEvent(to, event, 0))
    };
    recorded(answers, on, || CUresult::CUDA_SUCCESS);
    recorded(answers, on, || {
        let _ = hand(out, on, other);
        hand(back, other, on)
    });
    recorded(answers, on, || {
        let _ = fill(on);
        let _ = hand(out, on, other);
        let _ = (fill(on), fill(other));
        let _ = hand(back, other, on);
        fill(on)
    });
    recorded(answers, on, || {
        let _ = fill(on);
        let _ = hand(out, on, other);
        let _ = fill(other);
        let _ = hand(back, other, on);
        let _ = code!(cuStreamWaitEvent(on, back, 0));
        fill(on)
    });
    recorded(answers, on, || {
        let _ = hand(out, on, other);
        let _ = fill(other);
        let _ = hand(on_third, other, third);
        let _ = fill(third);
        let _ = hand(back, third, on);
        fill(on)
    });
    answers.value(status(other));
}

fn functions(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let own = current();
    cuda_suite::raw::context(0);
    let foreign = copier();
    call!(cuCtxSetCurrent(own));
    let lazy = function(PTX, c"copy");
    recorded(answers, on, || try_launch(lazy, 1, on, &[at, at + 4]));
    recorded(answers, on, || try_launch(foreign, 1, on, &[at, at + 4]));
    recorded(answers, on, || try_launch(null_mut(), 1, on, &[at, at + 4]));
    let (mut library, mut kernel) = (null_mut(), null_mut());
    answers.must(code!(cuLibraryLoadData(
        &raw mut library,
        PTX.as_ptr().cast(),
        null_mut(),
        null_mut(),
        0,
        null_mut(),
        null_mut(),
        0
    )));
    answers.must(code!(cuLibraryGetKernel(&raw mut kernel, library, c"copy".as_ptr())));
    recorded(answers, on, || try_launch(kernel.cast(), 1, on, &[at, at + 4]));
}
