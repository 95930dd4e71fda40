//! After `fork` the driver is the parent's: in the child nothing is released, and nothing crashes.
//!
//! On hardware, destroying a stream in the child would crash it (measured, driver 580). The software driver would
//! accept the call. So a layer in front of it ends the child at the first call that releases an object.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, unsafe_code)]

#[cfg(unix)]
fn main() {
    use cuda_rt::memory::{
        CachingPool, MemPool, MemPoolOptions, MemorySource, PhysicalMemory, PhysicalMemoryOptions,
        PinnedFlags, PinnedPool, VirtualMemory,
    };
    use cuda_rt::{DeviceBuf, Event, Module, PinnedBuf, Stream};
    use cuda_sys::CUresult;

    // As the test harness prints it, for scripts that count.
    println!("\nrunning 5 tests");
    // This process has not used the driver yet.
    for (name, test) in [
        ("forks_are_noticed_beside_other_code", beside_other_code as fn()),
        ("log_functions_initialise_the_driver", with_a_log_function),
        ("pools_beside_other_code_survive_a_fork", with_a_pool),
        ("scope_fails_in_the_child_of_its_fork", with_a_scope),
    ] {
        in_child(test);
        println!("test {name} ... ok");
    }
    install();
    let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
    let guarded = context.clone();
    let stream = Stream::new(&context).unwrap();
    let event = Event::new(&context).unwrap();
    let buffer = DeviceBuf::from_host(&stream, &[1, 2, 3]).unwrap();
    let module = Module::from_ptx(&context, ".version 6.4 .target sm_50 .address_size 64").unwrap();
    event.record(&stream).unwrap();
    let plain = DeviceBuf::from_host_in(&stream, &[1, 2, 3], MemorySource::Plain).unwrap();
    let (caching, locked) = (CachingPool::new(&context), PinnedPool::new(&context, PinnedFlags::empty()));
    drop(DeviceBuf::from_host_in(&stream, &[1, 2, 3], &caching).unwrap());
    drop(PinnedBuf::from_slice_in(&locked, &[1, 2, 3]).unwrap());
    let of_caching = DeviceBuf::from_host_in(&stream, &[[1; 128]], &caching).unwrap();
    let of_locked = PinnedBuf::from_slice_in(&locked, &[[1; 128]]).unwrap();
    // If the driver has them.
    let pool = MemPool::new(context.device(), MemPoolOptions::new()).ok();
    let of_pool = pool.map(|pool| DeviceBuf::from_host_in(&stream, &[1, 2, 3], &pool).unwrap());
    let options = PhysicalMemoryOptions::new();
    let mapped = PhysicalMemory::granularity(context.device(), options).ok().map(|unit| {
        let mut mapped = VirtualMemory::reserve(&stream, unit).unwrap();
        mapped.map(0, &PhysicalMemory::new(context.device(), unit, options).unwrap()).unwrap();
        mapped
    });
    let (held, used) = (caching.usage(), locked.usage());
    assert_eq!((held.held_blocks, held.active_blocks, used.held_blocks, used.active_blocks), (1, 1, 1, 1));
    let entered = guarded.enter().unwrap();
    stream.synchronize().unwrap();

    // SAFETY: there is a single thread, so the child can do what a program can do.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork failed");
    if child == 0 {
        layer::IN_CHILD.store(true, std::sync::atomic::Ordering::Relaxed);
        // SAFETY: no flags.
        let again = unsafe { cuda_sys::cuInit(0) };
        if again != CUresult::CUDA_ERROR_NOT_INITIALIZED {
            // SAFETY: the child ends here, without the parent's exit handlers.
            unsafe { libc::_exit(8) };
        }
        let refused = cuda_rt::coredump::on_start(|_| ()).map(drop).map_err(|error| error.call());
        if refused != Err(Some("cuCoredumpRegisterStartCallback")) {
            // SAFETY: the child ends here, without the parent's exit handlers.
            unsafe { libc::_exit(10) };
        }
        drop((of_caching, of_locked, of_pool, mapped, plain));
        drop((caching, locked));
        drop((entered, buffer, event, module, stream, context));
        // SAFETY: the child ends here, without the parent's exit handlers.
        unsafe { libc::_exit(7) };
    }
    assert_passed(child);

    // The parent's objects have not changed.
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
    assert_eq!(of_caching.to_vec().unwrap(), [[1; 128]]);
    assert_eq!((caching.usage(), locked.usage(), of_locked[0]), (held, used, [1; 128]));
    assert!(event.is_done().unwrap());
    drop((of_pool, mapped));
    drop(entered);
    shown_while_forking(&stream.finished().unwrap());
    println!("test objects_survive_a_fork ... ok\n\ntest result: ok. 5 passed; 0 failed; 0 ignored");
}

/// Installs the driver of the test.
#[cfg(unix)]
fn install() {
    if std::env::var("CUDA_DRIVER").as_deref() != Ok("real") {
        layer::install();
    }
}

/// Runs a function in a child, and checks that it does not panic.
#[cfg(unix)]
fn in_child(function: impl FnOnce()) {
    // SAFETY: there is a single thread, so the child can do what a program can do.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork failed");
    if child == 0 {
        let has_passed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(function)).is_ok();
        // SAFETY: the child ends here, without the parent's exit handlers.
        unsafe { libc::_exit(if has_passed { 7 } else { 8 }) };
    }
    assert_passed(child);
}

/// Waits for a child, and checks that it has exited with 7.
#[cfg(unix)]
fn assert_passed(child: libc::pid_t) {
    let mut status = 0;
    // SAFETY: `status` is valid for a write.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 7, "the child ended with {status:#x}");
}

/// Initialises the driver and makes a context current, as other code does.
#[cfg(unix)]
fn be_other_code() {
    install();
    let mut raw = core::ptr::null_mut();
    // SAFETY: no flags.
    assert!(unsafe { cuda_sys::cuInit(0) }.is_success());
    // SAFETY: `raw` is valid for a write.
    assert!(unsafe { cuda_sys::cuDevicePrimaryCtxRetain(&raw mut raw, 0) }.is_success());
    // SAFETY: the context was retained above.
    assert!(unsafe { cuda_sys::cuCtxSetCurrent(raw) }.is_success());
}

/// Makes a pool without a context of this crate, and forks.
#[cfg(unix)]
fn with_a_pool() {
    use cuda_rt::Context;
    use cuda_rt::memory::{MemPool, MemPoolOptions};

    be_other_code();
    // If the driver has pools.
    if let Ok(pool) = MemPool::new(Context::current_device().unwrap(), MemPoolOptions::new()) {
        in_child(|| {
            layer::IN_CHILD.store(true, std::sync::atomic::Ordering::Relaxed);
            drop(pool);
        });
    }
}

/// Forks inside a scope. The copy arrives only in the parent.
#[cfg(unix)]
fn with_a_scope() {
    use cuda_rt::{Context, DeviceBuf, Stream, error::Code};

    be_other_code();
    let stream = Stream::new(&Context::current().unwrap().unwrap()).unwrap();
    let buffer = DeviceBuf::from_host(&stream, &[1, 2, 3]).unwrap();
    let (mut numbers, mut child) = ([0; 3], -1);
    let ended = stream.scope(|scope| {
        scope.copy_to_host(buffer.as_slice(), &mut numbers)?;
        // SAFETY: there is a single thread, so the child can do what a program can do.
        child = unsafe { libc::fork() };
        layer::IN_CHILD.store(child == 0, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    if child == 0 {
        let is_refused = ended.map_err(|error| error.code()) == Err(Some(Code::NotInitialized));
        // SAFETY: the child ends here, without the parent's exit handlers.
        unsafe { libc::_exit(if is_refused { 7 } else { 8 }) };
    }
    assert!(child > 0, "fork failed");
    ended.unwrap();
    assert_eq!(numbers, [1, 2, 3]);
    assert_passed(child);
}

/// Uses a context of other code, and forks.
#[cfg(unix)]
fn beside_other_code() {
    use cuda_rt::{Context, Event, Stream, error::Code};

    be_other_code();
    let context = Context::current().unwrap().unwrap();
    let (stream, event) = (Stream::new(&context).unwrap(), Event::new(&context).unwrap());
    event.record(&stream).unwrap();
    in_child(|| {
        layer::IN_CHILD.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(event.is_done().unwrap_err().code(), Some(Code::NotInitialized));
        assert_eq!(stream.is_done().unwrap_err().code(), Some(Code::NotInitialized));
        drop((event, stream, context));
    });
}

/// Registers a function before all other calls, and forks.
#[cfg(unix)]
fn with_a_log_function() {
    use cuda_rt::error::{Code, ErrorKind};
    use cuda_rt::{Device, error_log};

    install();
    match error_log::on_message(|_, _| ()) {
        Err(error) => assert_eq!(error.kind(), ErrorKind::FunctionMissing, "{error}"),
        Ok(_guard) => in_child(|| {
            layer::IN_CHILD.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(Device::get(0).unwrap_err().code(), Some(Code::NotInitialized));
        }),
    }
}

/// Forks while another thread shows a future, and shows the future in the child.
#[cfg(unix)]
fn shown_while_forking(finished: &cuda_rt::completion::Finished) {
    use std::fmt::Write;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A destination for text that blocks until the test continues.
    struct Slow<'a>(&'a AtomicBool, &'a AtomicBool);

    impl Write for Slow<'_> {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.fetch_or(text.contains("outcome"), Ordering::SeqCst);
            while self.0.load(Ordering::SeqCst) && !self.1.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            Ok(())
        }
    }

    let (is_shown, go) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|threads| {
        threads.spawn(|| write!(Slow(&is_shown, &go), "{finished:?}").unwrap());
        while !is_shown.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        // SAFETY: the child allocates, which the C library allows, and ends.
        let child = unsafe { libc::fork() };
        assert!(child >= 0, "fork failed");
        if child == 0 {
            // SAFETY: a child that waits for ever is ended.
            unsafe { libc::alarm(20) };
            let has_shown = !format!("{finished:?}").is_empty();
            // SAFETY: the child ends here, without the parent's exit handlers.
            unsafe { libc::_exit(if has_shown { 7 } else { 8 }) };
        }
        let mut status = 0;
        // SAFETY: `status` is valid for a write.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        go.store(true, Ordering::SeqCst);
        assert!(
            libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 7,
            "the child ended with {status:#x}"
        );
    });
}

/// The software driver, except for functions that release.
#[cfg(unix)]
mod layer {
    use core::ffi::{CStr, c_void};
    use core::ptr::NonNull;
    use cuda_sys::*;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(crate) static IN_CHILD: AtomicBool = AtomicBool::new(false);
    static BEHIND: OnceLock<Driver> = OnceLock::new();

    macro_rules! releasing {
        ($($name:ident($type:ty))*) => {$(
            #[allow(non_snake_case)]
            unsafe extern "C" fn $name(handle: $type) -> CUresult {
                if IN_CHILD.load(Ordering::Relaxed) {
                    // SAFETY: the child ends here, without the parent's exit handlers.
                    unsafe { libc::_exit(9) };
                }
                // SAFETY: the caller's promise to the driver function.
                unsafe { (BEHIND.get().unwrap().$name)(handle) }
            }
        )*
            fn find(name: &'static CStr) -> Option<NonNull<c_void>> {
                let symbol = Symbol::from_name(name.to_str().unwrap())?;
                match symbol {
                    $(Symbol::$name => NonNull::new(($name as *const ()).cast_mut().cast()),)*
                    other => BEHIND.get().unwrap().address(other),
                }
            }
        };
    }
    releasing! {
        cuMemFree_v2(CUdeviceptr) cuStreamDestroy_v2(CUstream) cuEventDestroy_v2(CUevent) cuModuleUnload(CUmodule)
        cuMemPoolDestroy(CUmemoryPool) cuMemRelease(CUmemGenericAllocationHandle)
        cuCtxDestroy_v2(CUcontext) cuDevicePrimaryCtxRelease_v2(CUdevice) cuCtxPopCurrent_v2(*mut CUcontext)
    }

    pub(crate) fn install() {
        // SAFETY: the software driver's functions.
        let behind = unsafe { Driver::from_resolver("cuda-sim", cuda_sim::resolve) };
        assert!(BEHIND.set(behind).is_ok());
        // SAFETY: the same functions, some behind others of their signatures.
        unsafe { cuda_sys::install("a layer that minds", find) }.unwrap();
    }
}

#[cfg(not(unix))]
fn main() {}
