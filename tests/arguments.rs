//! Arguments that cannot be read back, captures, and messages of a compiler: the software driver does not show them. A table in
//! front of it records the arguments and answers the other calls.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

use core::ffi::{CStr, c_char, c_uint, c_void};
use core::ptr::{NonNull, null_mut};
use cuda_rt::access::{Access, AccessCheck, recorded_access};
use cuda_rt::context::{CacheConfig, ContextFlags, SharedMemConfig};
use cuda_rt::error::ErrorKind;
use cuda_rt::memory::{AccessSize, CopyDestination, CopySource, Memcpy3D, MemorySource, PitchedBuf};
use cuda_rt::module::JitOptions;
use cuda_rt::profiler::{self, OutputMode, ProfilerGuard};
use cuda_rt::{
    Context, Device, DeviceBuf, DevicePtr, Error, Function, LaunchConfig, Module, PinnedBuf, Stream,
};
use cuda_sim::{Config, Machine};
use cuda_sys::*;
use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

static BEHIND: OnceLock<Driver> = OnceLock::new();

thread_local! {
    /// The recorded calls of this thread.
    static SEEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    /// A stream that is reported as captured.
    static CAPTURED: Cell<CUstream> = const { Cell::new(null_mut()) };
    /// A message of the compiler, for the next modules.
    static MESSAGE: Cell<&str> = const { Cell::new("") };
    /// The configuration that was set last.
    static SHARED_MEM: Cell<CUsharedconfig> = const { Cell::new(CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE) };
}

/// Functions that record a text and then call the driver.
macro_rules! recorded {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $($shown:expr),*;)*) => {
        mod front {
            use super::*;
            $(#[allow(non_snake_case)]
            pub(super) unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                let shown: &[String] = &[$($shown.to_string()),*];
                SEEN.with_borrow_mut(|seen| seen.push(format!("{}({})", stringify!($name), shown.join(", "))));
                // SAFETY: the caller's promise to the driver function.
                unsafe { (BEHIND.get().unwrap().$name)($($argument),*) }
            })*
        }

        fn recording(name: &CStr) -> Option<*mut c_void> {
            Some(match name.to_str().ok()? {
                $(stringify!($name) => front::$name as *mut c_void,)*
                _ => return None,
            })
        }
    };
}

recorded! {
    fn cuProfilerStart();
    fn cuProfilerStop();
    fn cuProfilerInitialize(config: *const c_char, output: *const c_char, mode: CUoutput_mode)
        text(config), text(output), mode.0;
    fn cuCtxSetCacheConfig(config: CUfunc_cache) config.0;
    fn cuFuncSetCacheConfig(function: CUfunction, config: CUfunc_cache) function.addr(), config.0;
    fn cuFuncSetSharedMemConfig(function: CUfunction, config: CUsharedconfig) function.addr(), config.0;
    fn cuMemAllocPitch_v2(address: *mut CUdeviceptr, pitch: *mut usize, width: usize, height: usize, access: c_uint)
        width, height, access;
    fn cuMemcpy2DAsync_v2(copy: *const CUDA_MEMCPY2D, stream: CUstream) plane(copy), stream.addr();
    fn cuMemcpy2DUnaligned_v2(copy: *const CUDA_MEMCPY2D) plane(copy);
    fn cuMemcpy3DAsync_v2(copy: *const CUDA_MEMCPY3D, stream: CUstream) volume(copy), stream.addr();
    fn cuCtxSynchronize();
    fn cuEventSynchronize(event: CUevent);
    fn cuStreamSynchronize(stream: CUstream) stream.addr();
    fn cuEventRecord(event: CUevent, stream: CUstream) event.addr(), stream.addr();
    fn cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent) start.addr(), end.addr();
    fn cuEventElapsedTime_v2(milliseconds: *mut f32, start: CUevent, end: CUevent) start.addr(), end.addr();
    fn cuLaunchKernel(
        function: CUfunction, x: c_uint, y: c_uint, z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint,
        shared: c_uint, stream: CUstream, params: *mut *mut c_void, extra: *mut *mut c_void
    ) function.addr(), stream.addr();
}

fn text(text: *const c_char) -> String {
    // SAFETY: the driver function takes C strings.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

/// The kind of memory and the device address of the source, and of the destination.
fn plane(copy: *const CUDA_MEMCPY2D) -> String {
    // SAFETY: the driver function takes a valid description.
    let copy = unsafe { &*copy };
    sides([(copy.srcMemoryType, copy.srcDevice), (copy.dstMemoryType, copy.dstDevice)])
}

fn volume(copy: *const CUDA_MEMCPY3D) -> String {
    // SAFETY: the driver function takes a valid description.
    let copy = unsafe { &*copy };
    sides([(copy.srcMemoryType, copy.srcDevice), (copy.dstMemoryType, copy.dstDevice)])
}

fn sides(sides: [(CUmemorytype, CUdeviceptr); 2]) -> String {
    sides.map(|(kind, address)| format!("{} {address}", kind.0)).join(", ")
}

/// Unlike the software driver and drivers for current devices, this driver has banks of two widths.
unsafe extern "C" fn set_shared_mem(config: CUsharedconfig) -> CUresult {
    SHARED_MEM.set(config);
    CUresult::CUDA_SUCCESS
}

unsafe extern "C" fn shared_mem(config: *mut CUsharedconfig) -> CUresult {
    // SAFETY: valid for a write.
    unsafe { config.write(SHARED_MEM.get()) };
    CUresult::CUDA_SUCCESS
}

unsafe extern "C" fn is_capturing(stream: CUstream, status: *mut CUstreamCaptureStatus) -> CUresult {
    if stream != CAPTURED.get() {
        // SAFETY: the caller's promise to the driver function.
        return unsafe { (BEHIND.get().unwrap().cuStreamIsCapturing)(stream, status) };
    }
    // SAFETY: valid for a write.
    unsafe { status.write(CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_ACTIVE) };
    CUresult::CUDA_SUCCESS
}

unsafe extern "C" fn load(
    module: *mut CUmodule,
    image: *const c_void,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> CUresult {
    // SAFETY: the caller's promise to the driver function.
    let code = unsafe { (BEHIND.get().unwrap().cuModuleLoadDataEx)(module, image, count, options, values) };
    let message = MESSAGE.get().as_bytes();
    // SAFETY: there are as many options.
    let options = unsafe { std::slice::from_raw_parts(options, count as usize) };
    // SAFETY: there are as many values.
    let values = unsafe { std::slice::from_raw_parts(values, count as usize) };
    for (option, value) in options.iter().zip(values) {
        if *option == CUjit_option::CU_JIT_INFO_LOG_BUFFER {
            let buffer = value.cast::<u8>();
            // SAFETY: the buffer is larger than the messages of these tests and their NULs.
            unsafe { buffer.copy_from_nonoverlapping(message.as_ptr(), message.len()) };
        }
    }
    code
}

fn install() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: the software driver's functions.
        let behind = unsafe { Driver::from_resolver("the driver behind", cuda_sim::resolve) };
        assert!(BEHIND.set(behind).is_ok());
        let front = |name: &'static CStr| match name.to_bytes() {
            b"cuCtxSetSharedMemConfig" => NonNull::new(set_shared_mem as *mut c_void),
            b"cuStreamIsCapturing" => NonNull::new(is_capturing as *mut c_void),
            b"cuModuleLoadDataEx" => NonNull::new(load as *mut c_void),
            b"cuCtxGetSharedMemConfig" => NonNull::new(shared_mem as *mut c_void),
            _ => recording(name).and_then(NonNull::new).or_else(|| cuda_sim::resolve(name)),
        };
        // SAFETY: the functions have the signatures of their names. They call the driver's, but for a setting, which is
        // kept, and for streams that are said to be captured.
        unsafe { cuda_sys::install("a driver that records arguments", front) }.unwrap();
    });
}

/// A new context, and a stream of it.
fn stream() -> Stream {
    install();
    let context = Context::new(Device::get(0).unwrap(), ContextFlags::default()).unwrap();
    Stream::new(&context).unwrap()
}

fn function(context: &Context) -> Function {
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    Module::from_ptx(context, ptx).unwrap().function("nothing").unwrap()
}

/// The calls that `work` makes.
fn calls(work: impl FnOnce()) -> Vec<String> {
    SEEN.take();
    work();
    SEEN.take()
}

#[test]
fn profiler_functions_make_the_calls_of_their_names() {
    let stream = stream();
    let context = stream.context();
    let (start, stop) = ("cuProfilerStart()", "cuProfilerStop()");
    assert_eq!(calls(|| profiler::start(context).unwrap()), [start]);
    assert_eq!(calls(|| profiler::stop(context).unwrap()), [stop]);
    assert_eq!(calls(|| drop(ProfilerGuard::new(context).unwrap())), [start, stop]);
    assert_eq!(calls(|| ProfilerGuard::new(context).unwrap().close().unwrap()), [start, stop]);
}

#[test]
#[allow(deprecated)]
fn output_modes_have_the_numbers_of_the_header() {
    let stream = stream();
    for (mode, number) in [(OutputMode::KeyValuePair, 0), (OutputMode::Csv, 1)] {
        let seen = calls(|| {
            profiler::initialize(stream.context(), "config", "output", mode).unwrap_err();
        });
        assert_eq!(seen, [format!("cuProfilerInitialize(config, output, {number})")]);
    }
}

#[test]
#[allow(deprecated)]
fn settings_reach_the_driver() {
    let stream = stream();
    let context = stream.context();
    let (first, second) = (function(context), function(context));
    let shared = [
        (SharedMemConfig::EightByteBankSize, 2),
        (SharedMemConfig::FourByteBankSize, 1),
        (SharedMemConfig::DefaultBankSize, 0),
        (SharedMemConfig::Other(7), 7),
    ];
    for (config, number) in shared {
        context.set_shared_mem_config(config).unwrap();
        assert_eq!(SHARED_MEM.get().0, number);
        assert_eq!(context.shared_mem_config().unwrap(), config);
        for function in [&first, &second] {
            let seen = calls(|| _ = function.set_shared_mem_config(config));
            assert_eq!(seen, [format!("cuFuncSetSharedMemConfig({}, {number})", function.as_raw().addr())]);
        }
    }
    let caches = [
        (CacheConfig::PreferNone, 0),
        (CacheConfig::PreferShared, 1),
        (CacheConfig::PreferL1, 2),
        (CacheConfig::PreferEqual, 3),
        (CacheConfig::Other(4), 4),
    ];
    for (config, number) in caches {
        let seen = calls(|| _ = context.set_cache_config(config));
        assert_eq!(seen, [format!("cuCtxSetCacheConfig({number})")]);
        for function in [&first, &second] {
            let seen = calls(|| _ = function.set_cache_config(config));
            assert_eq!(seen, [format!("cuFuncSetCacheConfig({}, {number})", function.as_raw().addr())]);
        }
    }
}

#[test]
fn pitched_rows_are_asked_for_by_access_size() {
    let stream = stream();
    for (access, bytes) in [(AccessSize::Four, 4), (AccessSize::Eight, 8), (AccessSize::Sixteen, 16)] {
        let seen = calls(|| drop(PitchedBuf::<u16>::volume(&stream, [5, 3, 2], access).unwrap()));
        assert_eq!(seen[0], format!("cuMemAllocPitch_v2(10, 6, {bytes})"));
    }
}

/// The kinds of memory, as the header numbers them.
const HOST: u32 = 1;
const DEVICE: u32 = 2;
const UNIFIED: u32 = 4;

#[test]
fn blocks_are_copied_by_the_function_asked_for() {
    let stream = stream();
    let handle = stream.as_raw().addr();
    let from = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let mut to = DeviceBuf::<u8>::zeroed(&stream, 8).unwrap();
    let mut host = PinnedBuf::<u8>::zeroed(stream.context(), 8).unwrap();
    let sides = format!("{DEVICE} {}, {DEVICE} {}", from.ptr().as_raw(), to.ptr().as_raw());
    let to_host = format!("{DEVICE} {}, {HOST} 0", from.ptr().as_raw());
    macro_rules! copy {
        ($depth:literal) => {{
            let source = CopySource::device(from.as_slice()).pitch(2).height(2);
            Memcpy3D::new(CopyDestination::device(to.as_slice_mut()), source, 1, 2, $depth)
        }};
        (host $depth:literal) => {{
            let source = CopySource::device(from.as_slice()).pitch(2).height(2);
            Memcpy3D::new(CopyDestination::host(&mut host), source, 1, 2, $depth)
        }};
    }
    let aligned = |depth: usize, sides: &str| match depth {
        1 => format!("cuMemcpy2DAsync_v2({sides}, {handle})"),
        _ => format!("cuMemcpy3DAsync_v2({sides}, {handle})"),
    };
    assert_eq!(calls(|| copy!(1).copy().unwrap()), [aligned(1, &sides)]);
    assert_eq!(calls(|| copy!(2).copy().unwrap()), [aligned(2, &sides)]);
    let seen = calls(|| copy!(1).copy_unaligned().unwrap());
    let copies: Vec<_> = seen.iter().filter(|call| call.starts_with("cuMemcpy")).collect();
    assert_eq!(copies, [&format!("cuMemcpy2DUnaligned_v2({sides})")]);
    // With host memory, `copy` waits and `copy_unchecked` does not.
    let wait = format!("cuStreamSynchronize({handle})");
    let seen = calls(|| copy!(host 1).copy().unwrap());
    assert!(seen.ends_with(&[aligned(1, &to_host), wait]), "{seen:?}");
    // SAFETY: the memory is not touched before the stream has been waited for.
    let seen = calls(|| unsafe { copy!(host 1).copy_unchecked() }.unwrap());
    assert_eq!(seen, [aligned(1, &to_host)]);
    // SAFETY: as above.
    let seen = calls(|| unsafe { copy!(host 2).copy_unchecked() }.unwrap());
    assert_eq!(seen, [aligned(2, &to_host)]);
    stream.synchronize().unwrap();
}

#[test]
fn unified_addresses_have_the_unified_memory_type() {
    let stream = stream();
    let handle = stream.as_raw().addr();
    let device = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4]).unwrap();
    let host = PinnedBuf::<u8>::zeroed(stream.context(), 4).unwrap();
    let (from, to) = (device.ptr(), host.device_ptr().unwrap());
    for (depth, function) in [(1, "cuMemcpy2DAsync_v2"), (2, "cuMemcpy3DAsync_v2")] {
        // SAFETY: 4 bytes, which live until the stream is waited for.
        let source = unsafe { CopySource::unified(from, 4, &stream) };
        // SAFETY: as above.
        let destination = unsafe { CopyDestination::unified(to, 4, &stream) };
        let seen = calls(|| Memcpy3D::new(destination, source, 2, 1, depth).copy().unwrap());
        let sides = format!("{UNIFIED} {}, {UNIFIED} {}", from.as_raw(), to.as_raw());
        assert_eq!(seen, [format!("{function}({sides}, {handle})")]);
    }
    stream.synchronize().unwrap();
}

#[test]
fn timed_launches_lie_between_their_events() {
    let stream = stream();
    let handle = stream.as_raw().addr();
    let kernel = function(stream.context()).typed::<()>().unwrap();
    let config = LaunchConfig::new(1, 32);
    let launch = format!("cuLaunchKernel({}, {handle})", kernel.function().as_raw().addr());
    let timed = kernel.with(config);
    for _ in 0..2 {
        let seen = calls(|| {
            // SAFETY: the kernel touches nothing.
            let time = unsafe { timed.timed(&stream, ()) };
            time.unwrap().wait().unwrap();
        });
        let event = |call: &str| {
            let arguments = call.strip_prefix("cuEventRecord(").unwrap().strip_suffix(')').unwrap();
            let (event, stream) = arguments.split_once(", ").unwrap();
            assert_eq!(stream, handle.to_string());
            event.to_owned()
        };
        let [before, launched, after, waited, elapsed] = &seen[..] else { panic!("{seen:?}") };
        assert_eq!(waited, "cuEventSynchronize()");
        let (start, end) = (event(before), event(after));
        assert_eq!(*launched, launch);
        let (name, events) = elapsed.split_once('(').unwrap();
        assert!(name.starts_with("cuEventElapsedTime") && start != end);
        assert_eq!(events, format!("{start}, {end})"));
    }
}

#[test]
fn messages_of_a_successful_compilation_are_kept() {
    let stream = stream();
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    let info = || {
        let module =
            Module::from_ptx_with(stream.context(), ptx, &JitOptions::new().log_verbose(true)).unwrap();
        (module.jit_log().info.clone(), module.jit_log().error.clone())
    };
    let (described, errors) = info();
    assert!(described.starts_with("ptxas info    : 0 bytes gmem\n"), "{described}");
    assert_eq!(&*errors, "");
    MESSAGE.set("ptxas info    : Used 4 registers\n\0");
    assert_eq!(info(), ("ptxas info    : Used 4 registers".into(), "".into()));
    MESSAGE.set("");
}

/// The functions that the software driver was asked for by a launch: one that reads `from` if it may.
fn asked_by_launch(
    machine: &Machine,
    stream: &Stream,
    from: &DeviceBuf<u32>,
) -> (Result<(), Error>, Vec<Symbol>) {
    let ptx = ".version 6.4 .target sm_50 .address_size 64
        .visible .entry look(.param .u64 from) { .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [from]; ld.global.u32 %r, [%a]; ret; }";
    let look = Module::from_ptx(stream.context(), ptx).unwrap().function("look").unwrap();
    let look = look.typed::<(DevicePtr<u32>,)>().unwrap().with_access_check(AccessCheck::Checked);
    machine.record_calls();
    // SAFETY: the kernel reads memory that stays, if it can.
    let launched = unsafe { look.launch(LaunchConfig::new(1, 1), stream, (from.ptr(),)) };
    (launched, machine.take_calls().iter().map(|call| call.function).collect())
}

#[test]
fn captured_launch_uses_recorded_access() {
    install();
    let machine = Machine::new(Config::default());
    let _entered = machine.enter();
    let [near, far] =
        [0, 1].map(|device| Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap());
    let stream = Stream::new(&near).unwrap();
    let theirs = DeviceBuf::<u32>::zeroed_in(&Stream::new(&far).unwrap(), 1, MemorySource::Plain).unwrap();
    theirs.stream().synchronize().unwrap();
    let launch = || asked_by_launch(&machine, &stream, &theirs);
    // Calls that invalidate a capture, or wait (facts H1, H5 and V919).
    let harmful = [
        Symbol::cuMemPoolGetAccess,
        Symbol::cuMemPoolSetAccess,
        Symbol::cuCtxEnablePeerAccess,
        Symbol::cuCtxDisablePeerAccess,
        Symbol::cuCtxSynchronize,
        Symbol::cuStreamSynchronize,
        Symbol::cuStreamQuery,
        Symbol::cuEventQuery,
        Symbol::cuEventSynchronize,
        Symbol::cuMemAlloc_v2,
        Symbol::cuMemFree_v2,
    ];
    let is_harmless = |calls: &[Symbol]| !calls.iter().any(|call| harmful.contains(call));
    // Access that this crate has not recorded.
    {
        let _entered = near.enter().unwrap();
        // SAFETY: the context is live.
        assert!(unsafe { cuCtxEnablePeerAccess(far.as_raw(), 0) }.is_success());
    }
    CAPTURED.set(stream.as_raw());
    assert_eq!(recorded_access(&near, &theirs), Ok(Access::Inaccessible));
    let (refused, calls) = launch();
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::AccessDenied);
    assert!(is_harmless(&calls) && !calls.contains(&Symbol::cuLaunchKernel), "{calls:?}");
    // Without a capture, the query is one that would end a capture.
    CAPTURED.set(null_mut());
    let (launched, calls) = launch();
    assert_eq!(launched, Ok(()));
    assert!(!is_harmless(&calls) && calls.contains(&Symbol::cuLaunchKernel), "{calls:?}");
    {
        let _entered = near.enter().unwrap();
        // SAFETY: the context is live.
        assert!(unsafe { cuCtxDisablePeerAccess(far.as_raw()) }.is_success());
    }

    // This crate records the access that it has turned on.
    let _access = near.peer_access(&far).unwrap();
    CAPTURED.set(stream.as_raw());
    let (launched, calls) = launch();
    assert_eq!(launched, Ok(()));
    assert!(is_harmless(&calls) && calls.contains(&Symbol::cuLaunchKernel), "{calls:?}");
    CAPTURED.set(null_mut());
    stream.synchronize().unwrap();
}
