//! Programs that poll in place of waiting. They end under every seed.

use crate::{SEEDS, machine};
use core::ffi::c_void;
use cuda_sim::{Config, Schedule};
use cuda_suite::raw::{allocate, context, function, launch, page_locked, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry put(.param .u64 to, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u32 %r, [value]; st.volatile.global.u32 [%a], %r; ret; }
    .visible .entry hold(.param .u64 go) {
        .reg .b64 %a; .reg .b32 %r; .reg .pred %p;
        ld.param.u64 %a, [go];
        again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again; ret; }
    .visible .entry count(.param .u64 to, .param .u32 most) {
        .reg .b64 %a; .reg .b32 %r; .reg .b32 %m; .reg .pred %p;
        ld.param.u64 %a, [to]; ld.param.u32 %m, [most]; mov.u32 %r, 0;
        again: add.u32 %r, %r, 1; setp.lt.u32 %p, %r, %m; @%p bra again;
        st.global.u32 [%a], %r; ret; }";

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(10);

/// Watches memory until it changes, without calls.
fn watch(word: &AtomicU32, seed: u64) {
    let start = Instant::now();
    while word.load(Ordering::Acquire) == 0 {
        assert!(start.elapsed() < LONG, "seed {seed}");
        std::hint::spin_loop();
    }
}

#[test]
fn asking_again_and_again_ends_under_every_seed() {
    const MOST: u32 = 1 << 18;
    for seed in 0..SEEDS {
        let (_, _entered) = machine(Schedule::Random(seed));
        context(0);
        let (on, at, mut event) = (stream(1), allocate(4), null_mut());
        launch(function(PTX, c"count"), on, &[at, MOST.into()]);
        call!(cuEventCreate(&raw mut event, 0));
        call!(cuEventRecord(event, on));
        let ask = || match seed % 2 {
            0 => code!(cuStreamQuery(on)),
            _ => code!(cuEventQuery(event)),
        };
        let questions = (0..).find(|_| ask() == CUresult::CUDA_SUCCESS).unwrap();
        assert!(questions < 1000, "seed {seed}: {questions}");
        assert_eq!(cuda_suite::raw::read(at), MOST);
    }
}

#[test]
fn memory_that_is_watched_without_calls_changes() {
    for seed in 0..10 {
        let (_, _entered) = machine(Schedule::Random(seed));
        context(0);
        let (on, put) = (stream(1), function(PTX, c"put"));
        let (words, at) = page_locked(1);
        launch(put, on, &[at, 1]);
        watch(&words[0], seed);
        let mut managed = 0;
        let global = CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL;
        call!(cuMemAllocManaged(&raw mut managed, 4, global.0));
        launch(put, on, &[managed, 1]);
        // SAFETY: aligned, and not freed before the machine ends.
        watch(unsafe { AtomicU32::from_ptr(std::ptr::with_exposed_provenance_mut(managed as usize)) }, seed);
    }
}

#[test]
fn kernel_waiting_for_another_kernel_ends() {
    for seed in 0..SEEDS {
        let (_, _entered) = machine(Schedule::Random(seed));
        context(0);
        let (first, second, go) = (stream(1), stream(1), allocate(8));
        let (hold, put) = (function(PTX, c"hold"), function(PTX, c"put"));
        call!(cuMemsetD32_v2(go, 0, 2));
        call!(cuCtxSynchronize());
        launch(hold, first, &[go]);
        for _ in 0..20 {
            launch(put, second, &[go + 4, 1]);
        }
        launch(put, second, &[go, 1]);
        let start = Instant::now();
        call!(cuStreamSynchronize(first));
        assert!(start.elapsed() < LONG, "seed {seed}");
    }
}

/// A host function that watches the memory of the kernel of another stream.
#[test]
fn host_functions_that_watch_memory_end() {
    extern "C" fn watch_word(data: *mut c_void) {
        // SAFETY: page-locked memory, which is not freed before the machine ends.
        watch(unsafe { AtomicU32::from_ptr(data.cast()) }, 0);
    }
    for seed in 0..20 {
        let (_, _entered) = machine(Schedule::Random(seed));
        context(0);
        let (first, second) = (stream(1), stream(1));
        let (words, at) = page_locked(1);
        call!(cuLaunchHostFunc(first, Some(watch_word), words[0].as_ptr().cast()));
        launch(function(PTX, c"put"), second, &[at, 1]);
        call!(cuStreamSynchronize(first));
    }
}

/// A kernel that spins until a host function of another stream has written, both waited for together.
#[test]
fn kernel_waiting_for_a_host_function_ends() {
    extern "C" fn set(data: *mut c_void) {
        // SAFETY: page-locked memory, which is not freed before the machine ends.
        unsafe { AtomicU32::from_ptr(data.cast()) }.store(1, Ordering::Release);
    }
    let limit = Some(1 << 28);
    for schedule in [Schedule::Eager, Schedule::Lazy].into_iter().chain((0..10).map(Schedule::Random)) {
        let config = Config { schedule, kernel_limit: limit, host_threads: 1, ..Config::default() };
        let (_, _entered) = cuda_suite::raw::machine(config);
        context(0);
        let (words, at) = page_locked(1);
        launch(function(PTX, c"hold"), stream(1), &[at]);
        call!(cuLaunchHostFunc(stream(1), Some(set), words[0].as_ptr().cast()));
        assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_SUCCESS, "{schedule:?}");
    }
}
