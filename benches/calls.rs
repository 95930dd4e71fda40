//! What a call costs beside the driver's own work: free functions, a held table, the safe layer.
//!
//! ```text
//! cargo bench --bench calls                     # in front of functions that do nothing
//! CUDA_DRIVER=real cargo bench --bench calls    # in front of the machine's driver
//! ```
//!
//! Where there is valgrind, it counts the instructions of a raw call too.
//!
//! Each figure is the best of many interleaved blocks, and the ratio is to the first line of its group.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic, unsafe_code)]

use core::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
use cuda_sys::*;
use std::hint::black_box;
use std::ptr::NonNull;
use std::time::Instant;

/// Functions that succeed by doing nothing.
macro_rules! nothing {
    ($([$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        fn nothing(name: &'static CStr) -> Option<NonNull<c_void>> {
            $(
                #[inline(never)]
                #[allow(non_snake_case)]
                extern "C" fn $name($(_: $type),*) -> CUresult { black_box(CUresult::CUDA_SUCCESS) }
            )*
            let symbol = Symbol::from_name(name.to_str().unwrap())?;
            let nothing = match symbol {
                $(Symbol::$name => $name as *const (),)*
                _ => return None,
            };
            let address = match symbol {
                Symbol::cuCtxGetCurrent => current as *const (),
                Symbol::cuMemAllocAsync => allocate as *const (),
                Symbol::cuDeviceGetAttribute => attribute as *const (),
                _ => nothing,
            };
            NonNull::new(address.cast_mut().cast())
        }
    };
}
for_each_function!(nothing);

/// What a program calls that is linked with the driver's library.
#[inline(never)]
extern "C" fn current(to: *mut CUcontext) -> CUresult {
    black_box(to);
    CUresult::CUDA_SUCCESS
}

/// Memory at an address that is not null, so that it is freed again.
extern "C" fn allocate(to: *mut CUdeviceptr, _: usize, _: CUstream) -> CUresult {
    // SAFETY: the callers here pass a place for an address.
    unsafe { to.write(4096) };
    CUresult::CUDA_SUCCESS
}

/// The device can do everything, memory pools among it.
extern "C" fn attribute(to: *mut c_int, _: CUdevice_attribute, _: CUdevice) -> CUresult {
    // SAFETY: the callers here pass a place for a number.
    unsafe { to.write(1) };
    CUresult::CUDA_SUCCESS
}

/// Nanoseconds for each of `ways`, the best of interleaved blocks.
fn measure(calls: u32, ways: &mut [(&str, &mut dyn FnMut())]) {
    let mut best = vec![f64::INFINITY; ways.len()];
    for _ in 0..200 {
        for (best, (_, way)) in best.iter_mut().zip(ways.iter_mut()) {
            let start = Instant::now();
            way();
            *best = best.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
        }
    }
    for (best_of, (what, _)) in best.iter().zip(ways.iter()) {
        println!("  {what:<44} {best_of:9.2} ns {:8.3}", best_of / best[0]);
    }
}

/// A loop of `calls` rounds.
fn repeat(calls: u32, mut call: impl FnMut()) -> impl FnMut() {
    move || (0..calls).for_each(|_| call())
}

/// Begins the arguments of a run that is counted: how to call, and how often.
const COUNTED: &str = "--counted";
const WAYS: [&str; 5] = ["nothing", "direct call", "function pointer", "held table", "free function"];

/// Calls `cuCtxGetCurrent` in one of the ways, and nothing else.
fn counted(driver: &'static Driver, way: &str, calls: u32) {
    let pointer = black_box(driver.cuCtxGetCurrent);
    let mut context: CUcontext = std::ptr::null_mut();
    let to = &raw mut context;
    match way {
        "nothing" => repeat(calls, || {
            black_box(to);
        })(),
        "direct call" => repeat(calls, || {
            let _ = current(to);
        })(),
        "function pointer" => repeat(calls, || {
            // SAFETY: `context` is valid for a write.
            let _ = unsafe { pointer(to) };
        })(),
        "held table" => repeat(calls, || {
            // SAFETY: `context` is valid for a write.
            let _ = unsafe { (driver.cuCtxGetCurrent)(to) };
        })(),
        "free function" => repeat(calls, || {
            // SAFETY: `context` is valid for a write.
            let _ = unsafe { cuCtxGetCurrent(to) };
        })(),
        _ => panic!("{way}"),
    }
}

/// Instructions for each call, the loop's among them, as valgrind counts them: what more calls take.
fn count_instructions() {
    let count = |way: &str, calls: u32| -> Option<f64> {
        let mut run = std::process::Command::new("valgrind");
        run.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(std::env::current_exe().ok()?);
        let output = run.args([COUNTED, way, &calls.to_string()]).output().ok()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
    };
    println!("cuCtxGetCurrent, instructions for each call");
    for way in WAYS {
        match (count(way, 10_000), count(way, 20_000)) {
            (Some(few), Some(many)) => println!("  {way:<44} {:9.2}", (many - few) / 10_000.0),
            _ => return println!("  SKIP: there is no valgrind"),
        }
    }
}

fn main() {
    let real = std::env::var("CUDA_DRIVER").is_ok_and(|choice| choice == "real");
    if !real {
        // SAFETY: they have the signatures, and what is called below needs no more of them.
        unsafe { install("functions that do nothing", nothing) }.unwrap();
    }
    let driver = cuda_sys::driver().unwrap();
    let mut arguments = std::env::args().skip_while(|argument| argument != COUNTED).skip(1);
    if let (Some(way), Some(calls)) = (arguments.next(), arguments.next()) {
        return counted(driver, &way, calls.parse().unwrap());
    }
    println!("driver: {}", driver.origin());
    if !real {
        count_instructions();
    }

    let (calls, null) = (20_000, std::ptr::null_mut());
    let pointer = black_box(driver.cuCtxGetCurrent);
    let mut context: CUcontext = null;
    let to = &raw mut context;
    println!("cuCtxGetCurrent");
    measure(
        calls,
        &mut [
            (
                if real { "function pointer, once more" } else { "direct call within the program" },
                &mut repeat(calls, || {
                    // Nothing is linked with the machine's driver.
                    // SAFETY: `context` is valid for a write.
                    let _ = black_box(if real { unsafe { pointer(to) } } else { current(to) });
                }),
            ),
            (
                "function pointer",
                &mut repeat(calls, || {
                    // SAFETY: `context` is valid for a write.
                    let _ = black_box(unsafe { pointer(to) });
                }),
            ),
            (
                "held table: (driver.cuCtxGetCurrent)(..)",
                &mut repeat(calls, || {
                    // SAFETY: `context` is valid for a write.
                    let _ = black_box(unsafe { (driver.cuCtxGetCurrent)(to) });
                }),
            ),
            (
                "free function: cuCtxGetCurrent(..)",
                &mut repeat(calls, || {
                    // SAFETY: `context` is valid for a write.
                    let _ = black_box(unsafe { cuCtxGetCurrent(to) });
                }),
            ),
        ],
    );

    let context = Context::primary(Device::get(0).unwrap()).unwrap();
    let stream = Stream::new(&context).unwrap();
    let ptx = ".version 6.4 .target sm_50 .address_size 64
        .visible .entry three(.param .u64 a, .param .u64 b, .param .u32 n) { ret; }";
    let function = Module::from_ptx(&context, ptx).unwrap().function("three").unwrap();
    type Args = (DevicePtr<f32>, DevicePtr<f32>, u32);
    // SAFETY: these are the parameters of the PTX above.
    let kernel = unsafe { function.typed_unchecked::<Args>() };
    let raw = black_box(driver.cuLaunchKernel);
    let (f, s) = (function.as_raw(), stream.as_raw());
    let config = LaunchConfig::new(1, 32);
    let _entered = context.enter().unwrap();
    let calls = if real { 400 } else { 20_000 };
    println!("cuLaunchKernel, 3 arguments");
    measure(
        calls,
        &mut [
            (
                "function pointer, arguments on the stack",
                &mut repeat(calls, || {
                    let (mut a, mut b, mut n) = (black_box(1_u64), black_box(2_u64), black_box(3_u32));
                    let mut args: [*mut c_void; 3] =
                        [(&raw mut a).cast(), (&raw mut b).cast(), (&raw mut n).cast()];
                    let args = args.as_mut_ptr();
                    // SAFETY: the kernel does nothing, with arguments of these sizes.
                    let _ = black_box(unsafe { raw(f, 1, 1, 1, 32, 1, 1, 0, s, args, null.cast()) });
                }),
            ),
            (
                "cuda-rt: kernel.launch(..)",
                &mut repeat(calls, || {
                    let args =
                        (DevicePtr::from_raw(black_box(1)), DevicePtr::from_raw(black_box(2)), black_box(3));
                    // SAFETY: the kernel does nothing, with arguments of these sizes.
                    unsafe { kernel.launch(black_box(config), &stream, args) }.unwrap();
                }),
            ),
        ],
    );
    stream.synchronize().unwrap();

    println!("what the safe layer asks beside the work itself");
    let (mut status, mut id, mut kind) = (CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE, 0, 0_u32);
    let mut mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
    let host = [0_u8; 64];
    let (status, id, mode, kind) = (&raw mut status, &raw mut id, &raw mut mode, (&raw mut kind).cast());
    let attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    let address = host.as_ptr().addr() as CUdeviceptr;
    let handle = context.as_raw();
    measure(
        1000,
        &mut [
            (
                "cuStreamIsCapturing",
                &mut repeat(1000, || {
                    // SAFETY: stream and context are live, the rest is valid for a write.
                    let _ = unsafe { cuStreamIsCapturing(s, status) };
                }),
            ),
            (
                "cuCtxGetId",
                &mut repeat(1000, || {
                    // SAFETY: stream and context are live, the rest is valid for a write.
                    let _ = unsafe { cuCtxGetId(handle, id) };
                }),
            ),
            (
                "cuThreadExchangeStreamCaptureMode",
                &mut repeat(1000, || {
                    // SAFETY: stream and context are live, the rest is valid for a write.
                    let _ = unsafe { cuThreadExchangeStreamCaptureMode(mode) };
                }),
            ),
            (
                "cuPointerGetAttribute, pageable memory",
                &mut repeat(1000, || {
                    // SAFETY: stream and context are live, the rest is valid for a write.
                    let _ = unsafe { cuPointerGetAttribute(kind, attribute, address) };
                }),
            ),
        ],
    );

    println!("4 KiB of memory, allocated and freed");
    let (allocate, free) = (black_box(driver.cuMemAllocAsync), black_box(driver.cuMemFreeAsync));
    let calls = if real { 200 } else { 20_000 };
    let mut address: CUdeviceptr = 0;
    let to = &raw mut address;
    measure(
        calls,
        &mut [
            (
                "function pointers",
                &mut repeat(calls, || {
                    // SAFETY: `address` is valid for a write.
                    let _ = unsafe { allocate(to, 4096, s) };
                    // SAFETY: valid for a read.
                    let allocated = unsafe { to.read() };
                    // SAFETY: it was allocated just now.
                    let _ = unsafe { free(allocated, s) };
                }),
            ),
            (
                "cuda-rt: DeviceBuf::uninit, drop",
                &mut repeat(calls, || {
                    drop(DeviceBuf::<u8>::uninit(&stream, 4096).unwrap());
                }),
            ),
        ],
    );
}
