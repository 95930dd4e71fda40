//! Streams that record into command lists of graphics APIs, on a driver that has them: the software driver, behind functions of this test.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use cuda_rt::context::GraphicsClient;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::stream::{CommandList, GraphicsStream};
use cuda_rt::{Context, Device};
use cuda_sys::{CUresult, CUstream, CUstreamCigCaptureParams, CUstreamCigDataType_enum as Type, Symbol};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The list that tests record into.
const LIST: usize = 0x70;

/// The number of streams that record, and of ends that fail.
static RECORDING: AtomicU32 = AtomicU32::new(0);
static FAILING: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn begin(_: CUstream, params: *mut CUstreamCigCaptureParams) -> CUresult {
    // SAFETY: the caller's promise to the driver function.
    let params = unsafe { *params };
    // SAFETY: as above.
    let given = unsafe { *params.streamCigParams };
    if given.streamSharedDataType != Type::STREAM_CIG_DATA_TYPE_VULKAN_COMMAND_BUFFER_HANDLE_NV {
        return CUresult::CUDA_ERROR_NOT_SUPPORTED;
    }
    assert_eq!(given.streamSharedData.addr(), LIST);
    RECORDING.fetch_add(1, Ordering::SeqCst);
    CUresult::CUDA_SUCCESS
}

unsafe extern "C" fn end(_: CUstream) -> CUresult {
    if FAILING.load(Ordering::SeqCst) > 0 {
        FAILING.fetch_sub(1, Ordering::SeqCst);
        return CUresult::CUDA_ERROR_OPERATING_SYSTEM;
    }
    RECORDING.fetch_sub(1, Ordering::SeqCst);
    CUresult::CUDA_SUCCESS
}

fn layered(name: &'static CStr) -> Option<NonNull<c_void>> {
    let pointer = match Symbol::from_name(name.to_str().unwrap())? {
        Symbol::cuStreamBeginCaptureToCig => (begin as *const ()).cast_mut().cast(),
        Symbol::cuStreamEndCaptureToCig => (end as *const ()).cast_mut().cast(),
        _ => return cuda_sim::resolve(name),
    };
    NonNull::new(pointer)
}

fn context() -> Context {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // SAFETY: the functions of the software driver, and two with their signatures.
        unsafe { cuda_sys::install("a driver with graphics", layered) }.unwrap();
        cuda_suite::fail_on_internal_errors();
    });
    Context::primary(Device::get(0).unwrap()).unwrap()
}

fn list() -> *mut c_void {
    core::ptr::without_provenance_mut(LIST)
}

fn is_alive(stream: CUstream) -> bool {
    // SAFETY: the software driver knows the handles that are gone.
    unsafe { cuda_sys::cuStreamQuery(stream) }.is_success()
}

#[test]
fn recording_ends_once_and_the_stream_is_destroyed() {
    let context = context();
    for ends_itself in [true, false] {
        // SAFETY: the driver of this test reads no list.
        let mut stream = unsafe { GraphicsStream::begin(&context, CommandList::Vulkan(list())) }.unwrap();
        let raw = stream.as_raw();
        assert_eq!((RECORDING.load(Ordering::SeqCst), is_alive(raw)), (1, true));
        if ends_itself {
            stream.end().unwrap();
            stream.end().unwrap();
            assert_eq!((RECORDING.load(Ordering::SeqCst), is_alive(raw)), (0, true));
        }
        drop(stream);
        assert_eq!((RECORDING.load(Ordering::SeqCst), is_alive(raw)), (0, false));
    }
    // SAFETY: as above.
    let mut stream = unsafe { GraphicsStream::begin(&context, CommandList::Vulkan(list())) }.unwrap();
    let raw = stream.as_raw();
    FAILING.store(2, Ordering::SeqCst);
    assert_eq!(stream.end().unwrap_err().code(), Some(Code::OperatingSystem));
    drop(stream);
    assert!(is_alive(raw), "a stream that still records must not be destroyed");
    RECORDING.fetch_sub(1, Ordering::SeqCst);
    // SAFETY: as above; the driver refuses the list.
    let refused = unsafe { GraphicsStream::begin(&context, CommandList::D3d12(list())) };
    assert_eq!(refused.unwrap_err().code(), Some(Code::NotSupported));
}

#[test]
fn context_for_graphics_needs_a_driver_with_graphics() {
    let device = context().device();
    for client in [GraphicsClient::D3d12(list()), GraphicsClient::NvBlob(list())] {
        // SAFETY: the software driver refuses them all.
        let refused = unsafe { Context::with_graphics(device, Default::default(), client) }.unwrap_err();
        assert_eq!(
            (refused.code(), refused.kind()),
            (Some(Code::NotSupported), ErrorKind::Driver),
            "{refused}"
        );
    }
}
