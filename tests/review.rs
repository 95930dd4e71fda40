//! Misuse by programs that the software driver must withstand.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

use core::ffi::{CStr, c_void};
use cuda_rt::access::{
    Access, AccessCheck, ForeignMemory, Memory, MemoryKind, MemoryOrigin, MemoryOwner, Viewpoint, access,
    recorded_access,
};
use cuda_rt::context::ContextFlags;
use cuda_rt::launch::{KernelArg, PackedArgs};
use cuda_rt::memory::{AccessFlags, MemAttach, MemPool, MemPoolOptions, MemorySource};
use cuda_rt::peer::PoolGrant;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, ManagedBuf, Module, Stream};
use cuda_sim::{Config, FaultRule, HandleReuse, Machine, Schedule};
use cuda_suite::raw::{allocate, context, launch, machine, page_locked, read, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const OK: CUresult = CUresult::CUDA_SUCCESS;

const PTX: &CStr = c".version 6.4 .target sm_50 .address_size 64
    .extern .func (.param .b32 count) vprintf(.param .b64 text, .param .b64 list);
    .global .align 1 .b8 plain[] = { 104, 105, 10, 0 };
    .global .align 1 .b8 wide[] = { 37, 108, 100, 0 };
    .visible .entry put(.param .u64 to, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }
    .visible .entry hold(.param .u64 go) {
        .reg .b64 %a; .reg .b32 %r; .reg .pred %p;
        ld.param.u64 %a, [go];
        again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again; ret; }
    .visible .entry hello() {
        .reg .b64 %d<2>;
        mov.u64 %d0, plain; mov.u64 %d1, 0;
        { .param .b64 t; .param .b64 l; .param .b32 c; st.param.b64 [t], %d0; st.param.b64 [l], %d1;
          call.uni (c), vprintf, (t, l); } ret; }
    .visible .entry beyond(.param .u64 go) {
        .reg .b64 %a; .reg .b32 %r; .reg .pred %p; .reg .b64 %d<2>;
        ld.param.u64 %a, [go];
        again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again;
        mov.u64 %d0, wide; mov.u64 %d1, 0xffffffffffffffff;
        { .param .b64 t; .param .b64 l; .param .b32 c; st.param.b64 [t], %d0; st.param.b64 [l], %d1;
          call.uni (c), vprintf, (t, l); } ret; }
    .visible .entry stop() { trap; }";

fn function(name: &CStr) -> CUfunction {
    cuda_suite::raw::function(PTX, name)
}

/// Returns whether the work ends soon.
fn ends(work: impl FnOnce() + Send + 'static) -> bool {
    let (done, over) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    over.recv_timeout(Duration::from_secs(10)).is_ok()
}

#[test]
fn fault_with_the_code_of_success_skips_no_work() {
    let (machine, _entered) = machine(Config::default());
    let context = Context::primary(Device::get(0).unwrap()).unwrap();
    let buffer = DeviceBuf::from_host(&Stream::new(&context).unwrap(), &[7u32; 1024]).unwrap();
    // Freed memory, which the vector gets.
    drop(vec![0xdead_beef_u32; 1024]);
    machine.inject(FaultRule::new(Symbol::cuMemcpyDtoHAsync_v2, OK));
    // An error would do as well.
    let read = buffer.to_vec();
    assert!(
        read.as_ref().is_err() || read.as_ref().is_ok_and(|read| *read == [7; 1024]),
        "{:x?}",
        &read.unwrap()[..8]
    );
}

#[test]
fn objects_lost_by_reset_do_not_become_others() {
    let (machine, _entered) = machine(Config::default());
    let old_context = Context::new(Device::get(0).unwrap(), Default::default()).unwrap();
    let old = DeviceBuf::from_host(&Stream::new(&old_context).unwrap(), &[1, 2, 3]).unwrap();
    machine.reset();
    cuda_rt::init().unwrap();
    let new_context = Context::new(Device::get(0).unwrap(), Default::default()).unwrap();
    let new = DeviceBuf::from_host(&Stream::new(&new_context).unwrap(), &[4, 5, 6]).unwrap();
    assert_ne!(old_context.as_raw(), new_context.as_raw());
    assert_ne!(old.as_slice().ptr().as_raw(), new.as_slice().ptr().as_raw());
    drop(old);
    drop(old_context);
    assert_eq!(new.to_vec().unwrap(), [4, 5, 6]);
}

#[test]
#[ignore = "cuda-rt releases primary contexts by device, whatever machine it is on"]
fn primary_context_is_released_on_its_own_machine() {
    let (_, entered) = machine(Config::default());
    let elsewhere = Context::primary(Device::get(0).unwrap()).unwrap();
    drop(entered);
    let (_, _entered) = machine(Config::default());
    let context = Context::primary(Device::get(0).unwrap()).unwrap();
    let buffer = DeviceBuf::from_host(&Stream::new(&context).unwrap(), &[4, 5, 6]).unwrap();
    drop(elsewhere);
    assert_eq!(buffer.to_vec().unwrap(), [4, 5, 6]);
}

#[test]
fn many_machines_keep_their_objects_apart() {
    let (_first, entered) = machine(Config::default());
    let old = context(0);
    drop(entered);
    for _ in 0..600 {
        let (_, _entered) = machine(Config::default());
        assert_ne!(context(0), old);
        assert_eq!(code!(cuCtxDestroy_v2(old)), CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
}

#[test]
fn printing_does_not_wait_for_driver_calls() {
    let ended = ends(|| {
        let (machine, _entered) = machine(Config::default());
        context(0);
        let mut current = null_mut();
        call!(cuCtxGetCurrent(&raw mut current));
        let current = current.expose_provenance();
        launch(function(c"hello"), null_mut(), &[]);
        let out = std::io::stdout().lock();
        let other = std::thread::spawn(move || {
            let _entered = machine.enter();
            call!(cuCtxSetCurrent(std::ptr::with_exposed_provenance_mut(current)));
            call!(cuCtxSynchronize());
        });
        std::thread::sleep(Duration::from_millis(300));
        let mut count = 0;
        call!(cuDeviceGetCount(&raw mut count));
        drop(out);
        other.join().unwrap();
    });
    assert!(ended);
}

#[test]
fn huge_grids_are_launched() {
    let (_, _entered) = machine(Config::default());
    context(0);
    let stop = function(c"stop");
    let most = i32::MAX as u32;
    call!(cuLaunchKernel(stop, most, 65535, 65535, 1024, 1, 1, 0, null_mut(), null_mut(), null_mut()));
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_LAUNCH_FAILED);
}

#[test]
fn occupancy_of_impossible_values_is_zero() {
    let (_, _entered) = machine(Config::default());
    context(0);
    let stop = function(c"stop");
    let mut blocks = -1;
    for dynamic in [usize::MAX, usize::MAX - 1024, usize::MAX - 2048] {
        call!(cuOccupancyMaxActiveBlocksPerMultiprocessor(&raw mut blocks, stop, 32, dynamic));
        assert_eq!(blocks, 0);
    }
    call!(cuCtxSynchronize());
}

#[test]
fn arguments_of_printf_at_the_end_of_all_addresses() {
    let ended = ends(|| {
        let (_, _entered) = machine(Config::default());
        let own = context(0);
        let (go, at) = page_locked(1);
        go[0].store(1, Ordering::Release);
        launch(function(c"beyond"), null_mut(), &[at]);
        assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        let _ = code!(cuCtxDestroy_v2(own));
    });
    assert!(ended);
}

#[test]
fn failure_in_the_background_ends_all_waits() {
    let ended = ends(|| {
        let (_, _entered) = machine(Config::default());
        context(0);
        let (go, at) = page_locked(1);
        launch(function(c"beyond"), null_mut(), &[at]);
        std::thread::sleep(Duration::from_millis(100));
        go[0].store(1, Ordering::Release);
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    });
    assert!(ended);
}

unsafe extern "C" fn ask(stream: CUstream, _: CUresult, data: *mut c_void) {
    let answer = code!(cuStreamQuery(stream));
    // SAFETY: `data` is a counter that stays.
    unsafe { AtomicU32::from_ptr(data.cast()) }.store(answer.0 + 1, Ordering::Release);
}

#[test]
fn callbacks_are_on_the_machine_of_their_stream() {
    let (_, _entered) = machine(Config::default());
    context(0);
    let on = stream(0);
    let counter: &'static AtomicU32 = Box::leak(Box::new(AtomicU32::new(0)));
    call!(cuStreamAddCallback(on, Some(ask), counter.as_ptr().cast(), 0));
    call!(cuStreamSynchronize(on));
    assert_eq!(counter.load(Ordering::Acquire), CUresult::CUDA_ERROR_NOT_READY.0 + 1);
}

#[test]
fn stream_with_a_reused_handle_is_another() {
    let config = Config { schedule: Schedule::Lazy, handles: HandleReuse::AtOnce, ..Config::default() };
    let (_, _entered) = machine(config);
    context(0);
    let (put, first, second) = (function(c"put"), allocate(4), allocate(4));
    call!(cuMemsetD32_v2(second, 0, 1));
    let old = stream(CUstream_flags_enum::CU_STREAM_NON_BLOCKING.0);
    launch(put, old, &[first, 1]);
    call!(cuStreamDestroy_v2(old));
    let new = stream(0);
    assert_eq!(new, old);
    launch(put, new, &[second, 2]);
    // On the legacy stream, which waits for blocking streams.
    assert_eq!(read(second), 2);
}

/// No thread hangs. No call fails in another way than a reset makes it fail.
#[test]
fn resets_while_others_work() {
    let ended = ends(|| {
        for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random(5)] {
            let (machine, entered) = machine(Config { schedule, ..Config::default() });
            let workers: Vec<_> = (0..3)
                .map(|_| {
                    let machine = machine.clone();
                    std::thread::spawn(move || {
                        let _entered = machine.enter();
                        for round in 0..150_u32 {
                            // SAFETY: no flags; out-parameters are valid; what fails leaves them alone.
                            unsafe { work(round) };
                        }
                    })
                })
                .collect();
            for _ in 0..50 {
                std::thread::sleep(Duration::from_millis(3));
                machine.reset();
            }
            workers.into_iter().for_each(|worker| worker.join().unwrap());
            drop(entered);
        }
    });
    assert!(ended);
}

/// # Safety
///
/// A machine is entered.
unsafe fn work(round: u32) {
    unsafe extern "C" fn pause(_: *mut c_void) {
        std::thread::sleep(Duration::from_micros(200));
    }
    let (mut own, mut on, mut at) = (null_mut(), null_mut(), 0);
    let (mut module, mut put) = (null_mut(), null_mut());
    let _ = code!(cuInit(0));
    let made = [
        code!(cuCtxCreate_v2(&raw mut own, 0, 0)),
        code!(cuStreamCreate(&raw mut on, round % 2)),
        code!(cuMemAlloc_v2(&raw mut at, 1 << 16)),
        code!(cuModuleLoadData(&raw mut module, PTX.as_ptr().cast())),
        code!(cuModuleGetFunction(&raw mut put, module, c"put".as_ptr())),
    ];
    if made.iter().all(|code| *code == OK) {
        let mut host = vec![round; 1 << 14];
        let _ = code!(cuMemcpyHtoDAsync_v2(at, host.as_ptr().cast(), 1 << 16, on));
        let params = [at, u64::from(round)];
        let mut places = [(&raw const params[0]).cast_mut().cast(), (&raw const params[1]).cast_mut().cast()];
        let _ = code!(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, on, places.as_mut_ptr(), null_mut()));
        let _ = code!(cuLaunchHostFunc(on, Some(pause), null_mut()));
        let _ = code!(cuMemcpyDtoHAsync_v2(host.as_mut_ptr().cast(), at, 1 << 16, on));
        assert_eq!(host[0], round);
        let _ = code!(cuStreamSynchronize(on));
    }
    let _ = code!(cuCtxDestroy_v2(own));
}

/// Other threads continue while one waits for a kernel that does not end.
#[test]
fn calls_get_through_while_a_kernel_spins() {
    let ended = ends(|| {
        let (machine, _entered) = machine(Config::default());
        let own = context(0).expose_provenance();
        let (go, at) = page_locked(1);
        launch(function(c"hold"), null_mut(), &[at]);
        let waiting = std::thread::spawn({
            let machine = machine.clone();
            move || {
                let _entered = machine.enter();
                call!(cuCtxSetCurrent(std::ptr::with_exposed_provenance_mut(own)));
                call!(cuCtxSynchronize());
            }
        });
        std::thread::sleep(Duration::from_millis(50));
        for _ in 0..200 {
            let mut count = 0;
            call!(cuDeviceGetCount(&raw mut count));
        }
        go[0].store(1, Ordering::Release);
        waiting.join().unwrap();
    });
    assert!(ended);
}

/// The last reference is given up while a kernel runs, and another is taken meanwhile.
#[test]
fn primary_context_retained_again_stays_alive() {
    for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random(5)] {
        let (machine, _entered) = machine(Config { schedule, ..Config::default() });
        let mut primary = null_mut();
        call!(cuDevicePrimaryCtxRetain(&raw mut primary, 0));
        call!(cuCtxSetCurrent(primary));
        let (go, at) = page_locked(1);
        launch(function(c"hold"), null_mut(), &[at]);
        let releasing = std::thread::spawn(move || {
            let _entered = machine.enter();
            call!(cuDevicePrimaryCtxRelease_v2(0));
        });
        std::thread::sleep(Duration::from_millis(30));
        let mut again = null_mut();
        call!(cuDevicePrimaryCtxRetain(&raw mut again, 0));
        assert_eq!(again, primary);
        go[0].store(1, Ordering::Release);
        releasing.join().unwrap();
        allocate(4);
        call!(cuDevicePrimaryCtxRelease_v2(0));
        let mut address = 0;
        assert_eq!(code!(cuMemAlloc_v2(&raw mut address, 4)), CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
    }
}

/// Device memory that is queued to be freed serves what comes after it, though all is in use.
#[test]
fn memory_that_is_to_be_freed_is_used_again_in_order() {
    const SIZE: usize = 40 << 20;
    for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random(3)] {
        let (_, _entered) = machine(Config { memory_bytes: 64 << 20, schedule, ..Config::default() });
        context(0);
        let put = function(c"put");
        let (go, at) = page_locked(1);
        let (first, second) = (stream(1), stream(1));
        let take = |size: usize, on: CUstream, value: u64| {
            let mut address = 0;
            match code!(cuMemAllocAsync(&raw mut address, size, on)) {
                OK => launch(put, on, &[address, value]),
                refusal => return Err(refusal),
            }
            Ok(address)
        };
        launch(function(c"hold"), first, &[at]);
        for value in 0..5 {
            call!(cuMemFreeAsync(take(SIZE, first, value).unwrap(), first));
        }
        // Another stream waits for it; what is larger has to wait for all; plain memory does not wait (measured).
        let mut plain = 0;
        assert_eq!(code!(cuMemAlloc_v2(&raw mut plain, SIZE)), CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        let shared = take(SIZE - (8 << 20), second, 99).unwrap();
        assert_eq!(code!(cuStreamQuery(second)), CUresult::CUDA_ERROR_NOT_READY);
        go[0].store(1, Ordering::Release);
        call!(cuMemFreeAsync(shared, second));
        let large = take(SIZE + (8 << 20), first, 7).unwrap();
        call!(cuCtxSynchronize());
        assert_eq!(read(large), 7);
        call!(cuMemFree_v2(large));
        let (mut free, mut total) = (0, 0);
        call!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
        assert!(free >= 58 << 20, "{free}");
        // A request that exceeds the memory stays refused.
        assert_eq!(take(80 << 20, first, 0), Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    }
}

unsafe extern "C" fn large(seen: *mut c_void) {
    let mut space = [0_u8; 5 << 20];
    for byte in space.iter_mut().step_by(4096) {
        // SAFETY: a variable.
        unsafe { std::ptr::from_mut(byte).write_volatile(1) };
    }
    // SAFETY: the test's, which waits.
    unsafe { &*seen.cast::<AtomicU32>() }.store(space.len() as u32, Ordering::Release);
}

#[test]
fn functions_on_a_stream_have_room_for_variables() {
    let (_, _entered) = machine(Config::default());
    context(0);
    let seen = AtomicU32::new(0);
    call!(cuLaunchHostFunc(null_mut(), Some(large), (&raw const seen).cast_mut().cast()));
    call!(cuCtxSynchronize());
    assert_eq!(seen.load(Ordering::Acquire), 5 << 20);
}

/// If handles are reused, a library does not take another's module for its own.
#[test]
fn library_forgets_modules_of_ended_contexts() {
    let (_, _entered) = machine(Config { handles: HandleReuse::AtOnce, ..Config::default() });
    context(0);
    let mut library = null_mut();
    let (none, nothing) = (null_mut(), null_mut());
    call!(cuLibraryLoadData(
        &raw mut library,
        PTX.as_ptr().cast(),
        none,
        nothing,
        0,
        null_mut(),
        null_mut(),
        0
    ));
    let (mut module, mut kernel, mut other) = (null_mut(), null_mut(), null_mut());
    call!(cuLibraryGetModule(&raw mut module, library));
    call!(cuLibraryGetKernel(&raw mut kernel, library, c"put".as_ptr()));
    let mut current = null_mut();
    call!(cuCtxGetCurrent(&raw mut current));
    call!(cuCtxDestroy_v2(current));
    assert_eq!(context(0), current);
    let text = c".version 6.4 .target sm_50 .address_size 64 .visible .entry none() { ret; }";
    call!(cuModuleLoadData(&raw mut other, text.as_ptr().cast()));
    assert_eq!(other, module);
    let out = allocate(4);
    launch(kernel.cast(), null_mut(), &[out, 5]);
    assert_eq!(read(out), 5);
    call!(cuLibraryUnload(library));
    let mut found = null_mut();
    call!(cuModuleGetFunction(&raw mut found, other, c"none".as_ptr()));
}

/// A freed block is reused in parts. Work that was queued before still uses all of it, and the rest stays free.
#[test]
fn freed_block_is_reused_in_parts() {
    const MIB: usize = 1 << 20;
    let (_, _entered) =
        machine(Config { memory_bytes: 4 << 20, schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let (first, second) = (stream(1), stream(1));
    let take = |bytes: usize, on: CUstream| {
        let mut address = 0;
        call!(cuMemAllocAsync(&raw mut address, bytes, on));
        address
    };
    let all = take(4 * MIB, first);
    call!(cuMemsetD8Async(all, 1, 4 * MIB, first));
    call!(cuMemFreeAsync(all, first));
    let parts = [take(MIB, first), take(MIB, first), take(MIB, second)];
    assert_eq!(parts, [all, all + MIB as u64, all + 2 * MIB as u64]);
    for (part, on) in parts.into_iter().zip([first, first, second]) {
        call!(cuMemsetD8Async(part, (part >> 20) as u8, MIB, on));
    }
    call!(cuStreamSynchronize(second));
    call!(cuStreamSynchronize(first));
    for part in parts {
        assert_eq!(read(part).to_le_bytes(), [(part >> 20) as u8; 4]);
        call!(cuMemFree_v2(part));
    }
    let (mut free, mut total) = (0, 0);
    call!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
    assert_eq!(free, 4 * MIB);
}

/// Memory that is queued to be freed goes with its context; what has its address then is not freed.
#[test]
fn memory_freed_with_its_context_is_not_freed_again() {
    let config = Config {
        memory_bytes: 4 << 20,
        handles: HandleReuse::AtOnce,
        schedule: Schedule::Lazy,
        ..Config::default()
    };
    let (_, _entered) = machine(config);
    let staying = context(0);
    let own = stream(1);
    let going = context(0);
    let memory = allocate(2 << 20);
    call!(cuMemFreeAsync(memory, own));
    call!(cuCtxDestroy_v2(going));
    call!(cuCtxSetCurrent(staying));
    let again = allocate(2 << 20);
    assert_eq!(again, memory);
    call!(cuCtxSynchronize());
    call!(cuMemFree_v2(again));
}

/// The work of a destroyed stream continues, even if another stream has its handle.
#[test]
fn work_of_a_destroyed_stream_continues() {
    let (_, _entered) = machine(Config { handles: HandleReuse::AtOnce, ..Config::default() });
    context(0);
    let (go, at) = page_locked(1);
    let out = allocate(4);
    let gone = stream(0);
    launch(function(c"hold"), gone, &[at]);
    launch(function(c"put"), gone, &[out, 9]);
    call!(cuStreamDestroy_v2(gone));
    let new = stream(1);
    assert_eq!(new, gone);
    // It does not wait for the other's work, and the legacy stream does.
    call!(cuStreamQuery(new));
    let other = allocate(4);
    launch(function(c"put"), new, &[other, 8]);
    call!(cuStreamSynchronize(new));
    let opening = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        go[0].store(1, Ordering::Release);
    });
    assert_eq!(read(out), 9);
    opening.join().unwrap();
}

/// A context ends after all work in it, also what came while its end was waited for.
#[test]
fn release_waits_for_work_queued_meanwhile() {
    let (machine, _entered) = machine(Config::default());
    let retain = || {
        let mut primary = null_mut();
        call!(cuDevicePrimaryCtxRetain(&raw mut primary, 0));
        call!(cuCtxSetCurrent(primary));
    };
    retain();
    let [(first, first_at), (second, second_at)] = [page_locked(1), page_locked(1)];
    let hold = function(c"hold");
    launch(hold, stream(1), &[first_at]);
    let release = |machine: Machine| {
        std::thread::spawn(move || {
            let _entered = machine.enter();
            call!(cuDevicePrimaryCtxRelease_v2(0));
        })
    };
    let one = release(machine.clone());
    std::thread::sleep(Duration::from_millis(20));
    retain();
    let (out, own) = (allocate(4), stream(1));
    launch(hold, own, &[second_at]);
    call!(cuMemsetD32Async(out, 5, 1, own));
    let two = release(machine);
    std::thread::sleep(Duration::from_millis(20));
    first[0].store(1, Ordering::Release);
    std::thread::sleep(Duration::from_millis(20));
    second[0].store(1, Ordering::Release);
    one.join().unwrap();
    two.join().unwrap();
    // Nothing failed, and nothing is left.
    retain();
    allocate(4);
    call!(cuDevicePrimaryCtxRelease_v2(0));
}

#[test]
fn call_with_null_out_pointer_creates_nothing() {
    let (_, _entered) = machine(Config::default());
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    assert_eq!(code!(cuDevicePrimaryCtxRetain(null_mut(), 0)), invalid);
    let (mut flags, mut active) = (9, 9);
    call!(cuDevicePrimaryCtxGetState(0, &raw mut flags, &raw mut active));
    assert_eq!(active, 0);
    assert_eq!(code!(cuDevicePrimaryCtxRelease_v2(0)), CUresult::CUDA_ERROR_INVALID_CONTEXT);
    assert_eq!(code!(cuCtxCreate_v2(null_mut(), 0, 0)), invalid);
    let mut current = null_mut();
    call!(cuCtxGetCurrent(&raw mut current));
    assert!(current.is_null());
}

unsafe extern "C" fn shared_bytes(_: core::ffi::c_int) -> usize {
    let mut text = std::ptr::null();
    let _ = code!(cuGetErrorName(OK, &raw mut text));
    let _ = code!(cuStreamQuery(null_mut()));
    0
}

#[test]
fn function_called_by_the_driver_may_query() {
    let ended = ends(|| {
        let (_, _entered) = machine(Config::default());
        context(0);
        let stop = function(c"stop");
        let (mut grid, mut block) = (0, 0);
        call!(cuOccupancyMaxPotentialBlockSize(
            &raw mut grid,
            &raw mut block,
            stop,
            Some(shared_bytes),
            0,
            0
        ));
    });
    assert!(ended);
}

fn primary(device: u32) -> Context {
    Context::primary(Device::get(device).unwrap()).unwrap()
}

#[test]
#[ignore = "runs in a child process, on a driver that does not number contexts"]
fn access_queries_on_an_old_driver() {
    cuda_sim::install(Config::from_text("version=11.8").unwrap()).unwrap();
    let own = |device| Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap();
    for (near, far) in [(primary(0), primary(1)), (own(0), own(1))] {
        assert_eq!(far.id(), None);
        let stream = Stream::new(&far).unwrap();
        let buffer = DeviceBuf::<u32>::zeroed_in(&stream, 1, MemorySource::Plain).unwrap();
        let guard = near.peer_access(&far).unwrap();
        for _ in 0..2 {
            assert_eq!(access(&near, &buffer.as_slice()), Ok(Access::Accessible));
            assert_eq!(recorded_access(&near, &buffer.as_slice()), Ok(Access::Accessible));
        }
        // As memory of another owner, without a known context.
        let alone = Stream::new(&near).unwrap();
        // SAFETY: the buffer stays longer, and is of two contexts here.
        let view = unsafe { cuda_rt::DeviceSlice::from_raw_parts(buffer.ptr(), 1, &alone) };
        let third = own(0);
        assert_eq!(access(&third, &view), Ok(Access::Inaccessible));
        // SAFETY: the buffer stays.
        let foreign = unsafe { ForeignMemory::on_device(&third, buffer.ptr()) }.unwrap();
        assert_eq!(recorded_access(&near, &foreign), Ok(Access::Accessible));
        assert_eq!(
            near.peer_access_state(&far).recorded(),
            Some(PoolGrant::Granted),
            "looking changes nothing"
        );
        let pool = MemPool::default_of(far.device()).unwrap();
        assert_eq!(pool.has_access(near.device()), Ok(true));
        guard.close().unwrap();
        assert_eq!(near.peer_access_state(&far).is_enabled(), Ok(false));
        assert_eq!(recorded_access(&near, &buffer.as_slice()), Ok(Access::Inaccessible));
    }
}

#[test]
fn memory_query_keeps_the_reported_context() {
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "access_queries_on_an_old_driver", "--ignored"]);
    let output = child.output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.contains("1 passed"), "{out}");
}

/// Memory of a pool.
struct Pooled<'a>(&'a MemPool);

impl Memory for Pooled<'_> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        visit(&MemoryOrigin::of_pool(self.0));
    }
}

#[test]
fn destroyed_foreign_pool_differs_from_its_successor() {
    let (_machine, _entered) = machine(Config { handles: HandleReuse::AtOnce, ..Config::default() });
    let (owner, consumer) = (Device::get(0).unwrap(), Device::get(1).unwrap());
    let _contexts = (primary(0), primary(1));
    let raw_create = || {
        let mut raw = null_mut();
        let properties = CUmemPoolProps {
            allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
            location: CUmemLocation {
                type_: CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
                ..Default::default()
            },
            ..CUmemPoolProps::default()
        };
        call!(cuMemPoolCreate(&raw mut raw, &raw const properties));
        raw
    };
    struct Owner(usize);
    impl Drop for Owner {
        fn drop(&mut self) {
            call!(cuMemPoolDestroy(self.0 as CUmemoryPool));
        }
    }
    let theirs = || {
        let raw = raw_create();
        // SAFETY: the pool is destroyed by its owner alone.
        unsafe { MemPool::from_raw_with_owner(raw, owner, Box::new(Owner(raw.addr()))) }
    };
    let first = theirs();
    let handle = first.as_raw();
    first.set_access(consumer, AccessFlags::READ_WRITE).unwrap();
    drop(first);
    let second = theirs();
    assert_eq!(second.as_raw(), handle, "the handle is used again");
    assert_eq!(recorded_access(&primary(1), &Pooled(&second)), Ok(Access::Inaccessible));
}

#[test]
fn record_of_pool_access_matches_the_driver() {
    let (machine, _entered) = machine(Config::default());
    let (owner, consumer) = (Device::get(0).unwrap(), Device::get(1).unwrap());
    let _contexts = (primary(0), primary(1));
    let pool = MemPool::new(owner, MemPoolOptions::new()).unwrap();
    for _ in 0..200 {
        pool.set_access(consumer, AccessFlags::READ_WRITE).unwrap();
        let (asks, is_over) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _entered = machine.enter();
                while is_over.load(Ordering::Relaxed) == 0 {
                    pool.has_access(consumer).unwrap();
                    asks.fetch_add(1, Ordering::Relaxed);
                }
            });
            while asks.load(Ordering::Relaxed) < 3 {
                std::thread::yield_now();
            }
            pool.set_access(consumer, AccessFlags::NONE).unwrap();
            is_over.store(1, Ordering::Relaxed);
        });
        assert_eq!(recorded_access(&primary(1), &Pooled(&pool)), Ok(Access::Inaccessible));
    }
}

/// Memory that reports the attributes that the test gives it.
struct Said<'a>(MemoryKind, MemoryOwner<'a>, u64);

impl Memory for Said<'_> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        // SAFETY: there is no memory, or the test keeps it.
        visit(&unsafe { MemoryOrigin::new(self.0, self.1, DevicePtr::<u8>::from_raw(self.2)) });
    }
}

#[test]
fn ownerless_memory_is_unverified_not_inaccessible() {
    let (_machine, _entered) = machine(Config::default());
    let near = primary(0);
    let managed = Said(MemoryKind::Managed, MemoryOwner::Unknown, 0x100);
    assert_eq!(access(&near, &managed), Ok(Access::Unverified));
    assert_eq!(access(Viewpoint::Host, &managed), Ok(Access::Unverified));
    // If the driver knows the memory, it names the owner.
    let stream = Stream::new(&near).unwrap();
    let buffer = ManagedBuf::<u32>::zeroed(&stream, 1, MemAttach::Global).unwrap();
    let managed = Said(MemoryKind::Managed, MemoryOwner::Unknown, buffer.ptr().as_raw());
    assert_eq!(access(&near, &managed), Ok(Access::Accessible));
    assert_eq!(access(Viewpoint::Host, &managed), Ok(Access::Accessible));
    // Memory of this device, in an unknown context: it may be the kernel's.
    let plain = Said(MemoryKind::Device, MemoryOwner::Device(near.device()), 0x100);
    assert_eq!(access(&near, &plain), Ok(Access::Unverified));
    // Memory of another device is not the kernel's, but access depends on the context.
    let plain = Said(MemoryKind::Device, MemoryOwner::Device(Device::get(1).unwrap()), 0x100);
    assert_eq!(access(&near, &plain), Ok(Access::Unverified));
}

#[test]
fn an_argument_that_panics_is_not_half_packed() {
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    struct Panics(u64);
    // SAFETY: it is a number.
    unsafe impl KernelArg for Panics {
        fn visit_pointers(&self, visit: &mut dyn FnMut(DevicePtr<()>)) {
            visit(DevicePtr::from_raw(self.0));
            panic!("on purpose");
        }
    }
    let mut args = PackedArgs::new();
    let panicked = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| args.push(Panics(1))));
    assert!(panicked.is_err());
    let bytes: usize = args.parameters().iter().map(|parameter| parameter.size).sum();
    assert_eq!(args.size_bytes(), bytes, "the bytes are those of the parameters");
}

/// As on hardware: the memory stays, and the driver still names the pool.
#[test]
fn memory_of_destroyed_pool_is_accessible_at_home() {
    let (_machine, _entered) = machine(Config::default());
    let (near, far) = (primary(0), primary(1));
    let far_stream = Stream::new(&far).unwrap();
    let pool = MemPool::new(far.device(), MemPoolOptions::new()).unwrap();
    pool.make_current().unwrap();
    let buffer = DeviceBuf::<u32>::zeroed(&far_stream, 1).unwrap();
    drop(pool);
    let launch = |context: &Context, stream: &Stream| {
        let module = Module::from_ptx(context, PTX.to_str().unwrap()).unwrap();
        let put = module.function("put").unwrap().typed::<(DevicePtr<u32>, u32)>().unwrap();
        let put = put.with_access_check(AccessCheck::Checked);
        // SAFETY: the kernel writes the one element, or faults.
        unsafe { put.launch(LaunchConfig::new(1, 1), stream, (buffer.ptr(), 7)) }
    };
    launch(&far, &far_stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [7]);
    assert_eq!(
        access(&near, &buffer),
        Ok(Access::Unverified),
        "the driver does not tell whether the pool was open"
    );
    assert_eq!(access(&near, &buffer.as_slice()), Ok(Access::Unverified));
}
