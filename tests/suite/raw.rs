//! The raw API beside the safe one: captures that the crate must not disturb, and C's ways to launch.

use core::ffi::c_void;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{MemPool, MemPoolOptions};
use cuda_rt::{DeviceBuf, Event, Module, Stream};
use cuda_suite::{call, capturing, code, context, device, skip, stream};
use cuda_sys::{
    CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END,
    CUDA_KERNEL_NODE_PARAMS, CUcontext, CUfunction, CUgraph, CUlaunchAttribute, CUlaunchAttributeID_enum,
    CUlaunchConfig, CUresult, CUstreamCaptureMode, cuCtxAttach, cuCtxCreate_v2, cuCtxDestroy_v2, cuCtxDetach,
    cuCtxGetCurrent, cuCtxSetCurrent, cuFuncSetBlockShape, cuGraphAddKernelNode_v2, cuGraphCreate,
    cuGraphDestroy, cuLaunchKernel, cuLaunchKernelEx, cuMemAllocFromPoolAsync, cuMemFree_v2, cuMemFreeAsync,
    cuMemcpyDtoH_v2, cuMemcpyHtoD_v2, cuModuleGetGlobal_v2, cuStreamBeginCapture_v2, cuStreamEndCapture,
    cuStreamSynchronize,
};
use std::ptr::{null, null_mut};

/// Begins a capture in the strictest mode. `None` if the driver cannot.
pub(crate) fn begin_capture(stream: &Stream) -> Option<()> {
    cuda_rt::stream::expect_foreign_captures();
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    // SAFETY: the stream is live.
    let begun = unsafe { cuStreamBeginCapture_v2(stream.as_raw(), mode) };
    if Code::new(begun) == Some(Code::NotSupported) {
        return None;
    }
    assert!(begun.is_success(), "{begun}");
    Some(())
}

/// Ends the capture; whether it was intact.
pub(crate) fn end_capture(stream: &Stream) -> bool {
    let mut graph: CUgraph = null_mut();
    // SAFETY: the stream is live, the graph valid for a write.
    let ended = unsafe { cuStreamEndCapture(stream.as_raw(), &raw mut graph) };
    if !graph.is_null() {
        // SAFETY: made just now.
        assert!(unsafe { cuGraphDestroy(graph) }.is_success());
    }
    ended.is_success()
}

#[test]
fn dropping_things_leaves_a_capture_intact() {
    let (captured, other) = (stream(), stream());
    let on_other = DeviceBuf::<u8>::zeroed(&other, 100).unwrap();
    let event = Event::new(&context()).unwrap();
    let module = Module::from_ptx(&context(), ".version 6.4 .target sm_50 .address_size 64").unwrap();
    other.synchronize().unwrap();
    let Some(()) = begin_capture(&captured) else { skip!("this driver cannot capture") };
    drop((on_other, event, module, other));
    assert!(end_capture(&captured));
}

#[test]
fn memory_of_a_capturing_stream_is_freed_afterwards() {
    // No other test allocates there.
    crate::alone("raw::memory_of_a_capturing_stream_is_freed_afterwards", freed_after_capture);
}

fn freed_after_capture() {
    let stream = stream();
    let buffer = DeviceBuf::<u8>::zeroed(&stream, 1 << 20).unwrap();
    let address = buffer.ptr();
    stream.synchronize().unwrap();
    let Some(()) = begin_capture(&stream) else { skip!("this driver cannot capture") };
    drop(buffer);
    assert!(end_capture(&stream));
    // The next allocation of the stream frees it first, and gets it back.
    let again = DeviceBuf::<u8>::uninit(&stream, 1 << 20).unwrap();
    assert_eq!(again.ptr(), address);
}

#[test]
fn copies_and_allocations_are_refused_while_capturing() {
    let stream = stream();
    let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 4).unwrap();
    stream.synchronize().unwrap();
    let Some(()) = begin_capture(&stream) else { skip!("this driver cannot capture") };
    let refused = capturing();
    assert_eq!(buffer.copy_from_host(&[1; 4]), refused);
    assert_eq!(buffer.to_vec(), capturing());
    let error = DeviceBuf::<u8>::uninit(&stream, 4).unwrap_err();
    assert_eq!(error, capturing());
    assert!(end_capture(&stream), "and the capture is intact");
}

#[test]
fn legacy_stream_free_waits_for_captures() {
    // A context of its own: the legacy stream of other contexts must not take part.
    let context =
        cuda_rt::Context::new(cuda_suite::device(), cuda_rt::context::ContextFlags::default()).unwrap();
    let legacy = Stream::legacy(&context);
    let blocking = Stream::with_flags(&context, cuda_rt::stream::StreamFlags::DEFAULT).unwrap();
    let buffer = DeviceBuf::<u8>::zeroed(&legacy, 1 << 20).unwrap();
    legacy.synchronize().unwrap();
    let Some(()) = begin_capture(&blocking) else { skip!("this driver cannot capture") };
    let reports = cuda_suite::reports(|| drop(buffer));
    assert!(end_capture(&blocking), "freeing on the legacy stream would have ended it: {reports:?}");
    DeviceBuf::<u8>::zeroed(&legacy, 16).unwrap().close().unwrap();
}

#[test]
fn copy_keeps_its_stream_out_of_other_captures() {
    let (captured, other) = (stream(), stream());
    let source = DeviceBuf::<u8>::zeroed(&captured, 4).unwrap();
    let mut destination = DeviceBuf::<u8>::zeroed(&other, 4).unwrap();
    captured.synchronize().unwrap();
    other.synchronize().unwrap();
    let Some(()) = begin_capture(&captured) else { skip!("this driver cannot capture") };
    let refused = destination.copy_from_device(source.as_slice());
    assert_eq!(refused, capturing());
    // Copies on other streams go on, and leave the capture intact.
    destination.copy_from_host(&[1, 2, 3, 4]).unwrap();
    assert_eq!(destination.to_vec().unwrap(), [1, 2, 3, 4]);
    assert!(end_capture(&captured));
}

#[test]
fn a_spoilt_capture_does_not_lose_memory() {
    crate::alone("raw::a_spoilt_capture_does_not_lose_memory", freed_after_a_spoilt_capture);
}

fn freed_after_a_spoilt_capture() {
    let stream = stream();
    let buffer = DeviceBuf::<u8>::zeroed(&stream, 1 << 20).unwrap();
    let address = buffer.ptr();
    stream.synchronize().unwrap();
    let Some(()) = begin_capture(&stream) else { skip!("this driver cannot capture") };
    // Waiting for a capturing stream spoils the capture.
    assert_eq!(stream.synchronize().unwrap_err().code(), Some(Code::StreamCaptureUnsupported));
    drop(buffer);
    assert!(!end_capture(&stream));
    assert_eq!(DeviceBuf::<u8>::uninit(&stream, 1 << 20).unwrap().ptr(), address);
}

#[test]
fn packed_arguments_launch_as_well() {
    let ptx = ".version 6.4 .target sm_50 .address_size 64
        .visible .entry put(.param .u64 out, .param .u32 value) {
            .reg .b64 %a; .reg .b32 %r;
            ld.param.u64 %a, [out]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }";
    let stream = stream();
    let module = Module::from_ptx(&context(), ptx).unwrap();
    let put = module.function("put").unwrap();
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();

    #[repr(C)]
    struct Packed {
        out: u64,
        value: u32,
    }
    let mut packed = Packed { out: out.ptr().as_raw(), value: 77 };
    // To the end of the last parameter, without the structure's padding.
    let mut size = 12_usize;
    let mut extra = [
        CU_LAUNCH_PARAM_BUFFER_POINTER,
        (&raw mut packed).cast(),
        CU_LAUNCH_PARAM_BUFFER_SIZE,
        (&raw mut size).cast(),
        CU_LAUNCH_PARAM_END,
    ];
    let _entered = stream.context().enter().unwrap();
    // SAFETY: one thread writes the one element of `out`; the list is as the API describes it.
    let launched = unsafe {
        cuLaunchKernel(put.as_raw(), 1, 1, 1, 1, 1, 1, 0, stream.as_raw(), null_mut(), extra.as_mut_ptr())
    };
    assert!(launched.is_success(), "{launched}");
    assert_eq!(out.to_vec().unwrap(), [77]);
}

/// A kernel without parameters, and one with a parameter of eight bytes.
const EMPTY_KERNELS: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry none() { ret; }
    .visible .entry one(.param .u64 unused) { ret; }";

/// Lists for `extra`: whether each names a buffer, if it has that entry, and the size, if it has that entry. Then the
/// codes for kernels without and with a parameter.
const EXTRA_LISTS: [(Option<bool>, Option<usize>, [u32; 2]); 7] = [
    (None, None, [0, 1]),
    (None, Some(0), [0, 1]),
    (Some(false), None, [0, 1]),
    (Some(false), Some(0), [0, 1]),
    (Some(false), Some(8), [1, 1]),
    (Some(true), Some(0), [0, 1]),
    (Some(true), Some(8), [701, 0]),
];

/// Calls `launch` with the function and each of the lists, and compares the codes.
fn launch_with_lists(launch: &mut dyn FnMut(CUfunction, *mut *mut c_void) -> CUresult, in_graph: bool) {
    let context = context();
    let _entered = context.enter().unwrap();
    let module = Module::from_ptx(&context, EMPTY_KERNELS).unwrap();
    let mut bytes = [0_u64; 8];
    for (buffer, mut size, codes) in EXTRA_LISTS {
        let mut extra = Vec::new();
        if let Some(is_buffer) = buffer {
            let start = if is_buffer { bytes.as_mut_ptr().cast() } else { null_mut() };
            extra.extend([CU_LAUNCH_PARAM_BUFFER_POINTER, start]);
        }
        if let Some(size) = &mut size {
            extra.extend([CU_LAUNCH_PARAM_BUFFER_SIZE, std::ptr::from_mut(size).cast()]);
        }
        extra.push(CU_LAUNCH_PARAM_END);
        for (name, code) in ["none", "one"].into_iter().zip(codes) {
            let function = module.function(name).unwrap();
            let found = launch(function.as_raw(), extra.as_mut_ptr());
            // Nodes refuse long buffers with another code (measured).
            let code = if in_graph && code == 701 { 1 } else { code };
            assert_eq!(found.0, code, "{name}: {buffer:?} {size:?}");
        }
    }
    context.synchronize().unwrap();
}

/// Measured (conformance fact V1070).
#[test]
fn packed_arguments_of_size_zero_count_as_none() {
    let stream = stream();
    let on = stream.as_raw();
    launch_with_lists(
        &mut |function, extra| code!(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, on, null_mut(), extra)),
        false,
    );
}

#[test]
fn other_launches_ignore_packed_size_zero() {
    // Hardware was not asked about these calls.
    if matches!(cuda_suite::driver(), cuda_suite::Choice::Real) {
        skip!("only cuLaunchKernel was measured");
    }
    if !crate::is_since(12, 0) {
        skip!("cuLaunchKernelEx came with CUDA 11.8, and the kernel node of this test with CUDA 12");
    }
    let stream = stream();
    let config = CUlaunchConfig {
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 1,
        blockDimY: 1,
        blockDimZ: 1,
        hStream: stream.as_raw(),
        ..CUlaunchConfig::default()
    };
    let launch = |config: &CUlaunchConfig, function, extra| {
        code!(cuLaunchKernelEx(std::ptr::from_ref(config), function, null_mut(), extra))
    };
    launch_with_lists(&mut |function, extra| launch(&config, function, extra), false);
    let mut attribute = CUlaunchAttribute {
        id: CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
        ..CUlaunchAttribute::default()
    };
    attribute.value.cooperative = 1;
    let cooperative = CUlaunchConfig { attrs: &raw mut attribute, numAttrs: 1, ..config };
    launch_with_lists(&mut |function, extra| launch(&cooperative, function, extra), false);
    let mut graph = null_mut();
    call!(cuGraphCreate(&raw mut graph, 0));
    let mut add = |func, extra| {
        let (mut node, params) = (
            null_mut(),
            CUDA_KERNEL_NODE_PARAMS {
                func,
                gridDimX: 1,
                gridDimY: 1,
                gridDimZ: 1,
                blockDimX: 1,
                blockDimY: 1,
                blockDimZ: 1,
                extra,
                ..CUDA_KERNEL_NODE_PARAMS::default()
            },
        );
        code!(cuGraphAddKernelNode_v2(&raw mut node, graph, null(), 0, &raw const params))
    };
    launch_with_lists(&mut add, true);
    call!(cuGraphDestroy(graph));
}

/// Measured (conformance fact V349).
#[test]
fn packed_size_zero_leaves_other_arguments() {
    let context = context();
    let _entered = context.enter().unwrap();
    let module = Module::from_ptx(&context, EMPTY_KERNELS).unwrap();
    let (one, stream) = (module.function("one").unwrap(), stream());
    let (mut value, mut size, end) = (0_u64, 0_usize, CU_LAUNCH_PARAM_END);
    let mut params: [*mut c_void; 1] = [(&raw mut value).cast()];
    let buffer = [CU_LAUNCH_PARAM_BUFFER_POINTER, (&raw mut value).cast()];
    let sized = [CU_LAUNCH_PARAM_BUFFER_SIZE, (&raw mut size).cast()];
    let both = [buffer[0], buffer[1], sized[0], sized[1], end];
    for (mut extra, bytes, expected) in [
        (both.to_vec(), 8, 1),
        (both.to_vec(), 0, 0),
        (vec![buffer[0], buffer[1], end], 0, 0),
        (vec![end], 0, 0),
    ] {
        // SAFETY: the variable lives, and nothing else uses it meanwhile.
        unsafe { (&raw mut size).write(bytes) };
        let (function, on) = (one.as_raw(), stream.as_raw());
        let (params, extra) = (params.as_mut_ptr(), extra.as_mut_ptr());
        let launched = code!(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, on, params, extra));
        assert_eq!(launched.0, expected, "{bytes}");
    }
    stream.synchronize().unwrap();
}

/// Although the stream has not reached this point.
#[test]
fn stream_freed_memory_is_unknown_to_queries() {
    let stream = stream();
    let _entered = stream.context().enter().unwrap();
    // A pool of its own that keeps everything: of others, a test beside this one may get the address.
    let pool = match MemPool::new(device(), MemPoolOptions::new()) {
        Err(error) if error.code() == Some(Code::NotSupported) => skip!("the driver has no pools"),
        Err(error) if error.kind() == ErrorKind::FunctionMissing => skip!("the driver has no pools"),
        pool => pool.unwrap(),
    };
    pool.set_release_threshold(u64::MAX).unwrap();
    let (mut address, mut value) = (0, 0_u32);
    // SAFETY: the pool and the stream are live, and the address valid for a write.
    let made = unsafe { cuMemAllocFromPoolAsync(&raw mut address, 4, pool.as_raw(), stream.as_raw()) };
    assert!(made.is_success(), "{made}");
    // SAFETY: nothing uses it.
    assert!(unsafe { cuMemFreeAsync(address, stream.as_raw()) }.is_success());
    // SAFETY: refused.
    let again = unsafe { cuMemFreeAsync(address, stream.as_raw()) };
    assert_eq!(Code::new(again), Some(Code::InvalidValue));
    // SAFETY: refused.
    let plain = unsafe { cuMemFree_v2(address) };
    assert_eq!(Code::new(plain), Some(Code::InvalidValue));
    // SAFETY: refused; the value is as large as is said.
    let copied = unsafe { cuMemcpyDtoH_v2((&raw mut value).cast(), address, 4) };
    assert_eq!(Code::new(copied), Some(Code::InvalidValue));
}

/// A device pointer in the place of a host pointer: the driver copies device memory (conformance fact V1226).
#[test]
fn copies_take_device_pointers_as_host_pointers() {
    let context = context();
    let _entered = context.enter().unwrap();
    let stream = stream();
    let from = DeviceBuf::from_host(&stream, &[1_u32, 2, 3, 4]).unwrap();
    let to = DeviceBuf::<u32>::zeroed(&stream, 8).unwrap();
    stream.synchronize().unwrap();
    let [source, first, second] = [from.ptr().as_raw(), to.ptr().as_raw(), to.ptr().as_raw() + 16];
    // SAFETY: both pointers are of live buffers of at least 16 bytes, and no other work uses these.
    let copied =
        unsafe { cuMemcpyDtoH_v2(std::ptr::with_exposed_provenance_mut(first as usize), source, 16) };
    assert!(copied.is_success(), "{copied}");
    // SAFETY: the same.
    let copied = unsafe { cuMemcpyHtoD_v2(second, std::ptr::with_exposed_provenance(source as usize), 16) };
    assert!(copied.is_success(), "{copied}");
    // Copies between places on the device return before they are done.
    call!(cuStreamSynchronize(null_mut()));
    assert_eq!(to.to_vec().unwrap(), [1, 2, 3, 4, 1, 2, 3, 4]);
}

#[test]
fn freeing_variables_and_wild_addresses_is_refused() {
    let context = context();
    let _entered = context.enter().unwrap();
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .global .align 8 .b8 area[4096];";
    let module = Module::from_ptx(&context, ptx).unwrap();
    let (mut address, mut size) = (0, 0);
    // SAFETY: the module is live, the name a C string, the others valid for a write.
    let found =
        unsafe { cuModuleGetGlobal_v2(&raw mut address, &raw mut size, module.as_raw(), c"area".as_ptr()) };
    assert!(found.is_success() && size == 4096, "{found}");
    // SAFETY: refused.
    let freed = unsafe { cuMemFree_v2(address) };
    assert_eq!(Code::new(freed), Some(Code::InvalidValue));
    // SAFETY: refused.
    let freed = unsafe { cuMemFreeAsync(address, null_mut()) };
    assert_eq!(Code::new(freed), Some(Code::InvalidValue));
    let mut value = 0_u32;
    // SAFETY: refused; the value is as large as is said.
    let copied = unsafe { cuMemcpyDtoH_v2((&raw mut value).cast(), address + (1 << 60), 4) };
    assert_eq!(Code::new(copied), Some(Code::InvalidValue));
}

/// Returns the current context of this thread.
fn current() -> CUcontext {
    let mut current = null_mut();
    // SAFETY: valid for a write.
    let asked = unsafe { cuCtxGetCurrent(&raw mut current) };
    assert!(asked.is_success(), "{asked}");
    current
}

/// A context that is current from here on.
fn made_current() -> CUcontext {
    let mut context = null_mut();
    // SAFETY: no flags; the context is valid for a write.
    let made = unsafe { cuCtxCreate_v2(&raw mut context, 0, cuda_suite::device().as_raw()) };
    assert!(made.is_success(), "{made}");
    context
}

#[test]
fn detaching_ends_a_context() {
    let below = made_current();
    let context = made_current();
    // SAFETY: it is the current one.
    let detached = unsafe { cuCtxDetach(context) };
    assert!(detached.is_success(), "{detached}");
    assert_eq!(current(), below);
    // SAFETY: as above.
    assert!(unsafe { cuCtxDetach(below) }.is_success());
    assert!(current().is_null());
}

#[test]
fn context_ends_at_the_last_detach() {
    let context = made_current();
    let mut attached = null_mut();
    // SAFETY: valid for a write; the flags are refused.
    let refused = unsafe { cuCtxAttach(&raw mut attached, 1) };
    assert_eq!(Code::new(refused), Some(Code::InvalidValue));
    // SAFETY: valid for a write.
    let taken = unsafe { cuCtxAttach(&raw mut attached, 0) };
    assert!(taken.is_success(), "{taken}");
    assert_eq!(attached, context);
    // SAFETY: it is the current one.
    assert!(unsafe { cuCtxDetach(context) }.is_success());
    assert_eq!(current(), context);
    // SAFETY: as above.
    assert!(unsafe { cuCtxDetach(context) }.is_success());
    assert!(current().is_null());
}

#[test]
fn a_primary_context_is_not_ended_by_detaching() {
    let context = context();
    // SAFETY: it is live.
    assert!(unsafe { cuCtxSetCurrent(context.as_raw()) }.is_success());
    for _ in 0..3 {
        // SAFETY: it is the current one.
        let detached = unsafe { cuCtxDetach(context.as_raw()) };
        assert!(detached.is_success(), "{detached}");
        assert_eq!(current(), context.as_raw());
    }
    // SAFETY: none is as good as any.
    assert!(unsafe { cuCtxSetCurrent(null_mut()) }.is_success());
    assert_eq!(DeviceBuf::from_host(&stream(), &[7_u32]).unwrap().to_vec().unwrap(), [7]);
}

#[test]
fn only_the_current_context_can_be_detached() {
    cuda_suite::driver();
    cuda_rt::init().unwrap();
    // SAFETY: no context is current in this thread, nor is this one.
    let refused = unsafe { cuCtxDetach(null_mut()) };
    assert_eq!(Code::new(refused), Some(Code::InvalidContext));
    let below = made_current();
    let context = made_current();
    for other in [below, null_mut()] {
        // SAFETY: it is not the current one.
        let refused = unsafe { cuCtxDetach(other) };
        assert_eq!(Code::new(refused), Some(Code::InvalidContext));
    }
    for context in [context, below] {
        // SAFETY: nothing uses it any more.
        assert!(unsafe { cuCtxDestroy_v2(context) }.is_success());
    }
}

#[test]
fn a_block_shape_is_taken() {
    let context = context();
    let _entered = context.enter().unwrap();
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry k() { ret; }";
    let module = Module::from_ptx(&context, ptx).unwrap();
    let function = module.function("k").unwrap();
    // SAFETY: the function is live.
    let set = unsafe { cuFuncSetBlockShape(function.as_raw(), 32, 2, 1) };
    assert!(set.is_success(), "{set}");
    // SAFETY: as above.
    let refused = unsafe { cuFuncSetBlockShape(function.as_raw(), 0, 1, 1) };
    assert_eq!(Code::new(refused), Some(Code::InvalidValue));
}

#[test]
fn zero_pitch_means_contiguous_rows_and_slices() {
    use cuda_suite::{call, raw};
    use cuda_sys::{CUDA_MEMCPY2D, CUDA_MEMCPY3D, CUmemorytype_enum as Kind};
    let context = context();
    let _entered = context.enter().unwrap();
    let (from, to) = (raw::allocate(256), raw::allocate(256));
    let bytes: Vec<u8> = (0..=255).collect();
    let filled = || {
        call!(cuda_sys::cuMemcpyHtoD_v2(from, bytes.as_ptr().cast(), 256));
        call!(cuda_sys::cuMemsetD8_v2(to, 255, 256));
    };
    // The destination of each row of three bytes, and its source.
    let rows = || {
        let mut seen = [0_u8; 256];
        call!(cuMemcpyDtoH_v2(seen.as_mut_ptr().cast(), to, 256));
        let starts = (0..256)
            .filter(|at| seen[*at] != 255 && (*at == 0 || seen[*at - 1].wrapping_add(1) != seen[*at]));
        starts.map(|at| (at, seen[at])).collect::<Vec<_>>()
    };
    for (pitches, x, expected) in
        [([0, 8], 0, [(0, 0), (8, 3)]), ([8, 0], 0, [(0, 0), (3, 8)]), ([0, 8], 2, [(0, 2), (8, 7)])]
    {
        filled();
        let copy = CUDA_MEMCPY2D {
            srcMemoryType: Kind::CU_MEMORYTYPE_DEVICE,
            srcDevice: from,
            srcPitch: pitches[0],
            srcXInBytes: x,
            dstMemoryType: Kind::CU_MEMORYTYPE_DEVICE,
            dstDevice: to,
            dstPitch: pitches[1],
            WidthInBytes: 3,
            Height: 2,
            ..CUDA_MEMCPY2D::default()
        };
        call!(cuda_sys::cuMemcpy2D_v2(&raw const copy));
        assert_eq!(rows(), expected, "{pitches:?}, {x}");
    }
    for (heights, expected) in [
        ([4, 4], [(0, 0), (8, 8), (32, 32), (40, 40)]),
        ([0, 4], [(0, 0), (8, 8), (32, 16), (40, 24)]),
        ([4, 0], [(0, 0), (8, 8), (16, 32), (24, 40)]),
    ] {
        filled();
        let copy = CUDA_MEMCPY3D {
            srcMemoryType: Kind::CU_MEMORYTYPE_DEVICE,
            srcDevice: from,
            srcPitch: 8,
            srcHeight: heights[0],
            dstMemoryType: Kind::CU_MEMORYTYPE_DEVICE,
            dstDevice: to,
            dstPitch: 8,
            dstHeight: heights[1],
            WidthInBytes: 3,
            Height: 2,
            Depth: 2,
            ..CUDA_MEMCPY3D::default()
        };
        call!(cuda_sys::cuMemcpy3D_v2(&raw const copy));
        assert_eq!(rows(), expected, "{heights:?}");
    }
    call!(cuMemFree_v2(from));
    call!(cuMemFree_v2(to));
}
