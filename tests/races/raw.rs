//! The races through the raw API.

use crate::{ENOUGH, SEEDS, Variant, check_race};
use core::ffi::c_void;
use cuda_sim::Schedule;
use cuda_suite::raw::{allocate, context, function, launch, page_locked, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry put(.param .u64 to, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.global.u32 %r, [%b]; st.global.u32 [%a], %r; ret; }
    .visible .entry hold(.param .u64 go) {
        .reg .b64 %a; .reg .b32 %r; .reg .pred %p;
        ld.param.u64 %a, [go];
        again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again; ret; }";

/// Two streams, two words of device memory that are zero, and one of page-locked memory.
struct Setting {
    first: CUstream,
    second: CUstream,
    memory: CUdeviceptr,
    out: CUdeviceptr,
    host: &'static AtomicU32,
    variant: Variant,
}

impl Setting {
    fn new(variant: Variant) -> Setting {
        context(0);
        let [memory, out] = [(); 2].map(|()| allocate(4));
        for address in [memory, out] {
            call!(cuMemsetD32_v2(address, 0, 1));
        }
        call!(cuCtxSynchronize());
        let host = &page_locked(1).0[0];
        Setting { first: stream(1), second: stream(1), memory, out, host, variant }
    }

    fn host(&self) -> *mut c_void {
        self.host.as_ptr().cast()
    }

    /// Makes calls that change nothing.
    fn call_others(&self) {
        if !self.variant.calls {
            return;
        }
        let (mut current, mut number, mut event) = (null_mut(), 0, null_mut());
        let (mut free, mut total) = (0, 0);
        call!(cuCtxGetCurrent(&raw mut current));
        let unfinished = code!(cuStreamQuery(self.first));
        assert!(matches!(unfinished, CUresult::CUDA_SUCCESS | CUresult::CUDA_ERROR_NOT_READY));
        call!(cuEventCreate(&raw mut event, 0));
        call!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
        call!(cuEventQuery(event));
        call!(cuStreamGetPriority(self.first, &raw mut number));
        call!(cuEventDestroy_v2(event));
    }

    /// Has the second stream wait for the first, or not.
    fn join(&self) {
        self.call_others();
        if self.variant.waits {
            let mut event = null_mut();
            call!(cuEventCreate(&raw mut event, 0));
            call!(cuEventRecord(event, self.first));
            call!(cuStreamWaitEvent(self.second, event, 0));
            call!(cuEventDestroy_v2(event));
        }
    }

    /// Waits for the first stream, or not.
    fn wait(&self) {
        self.call_others();
        if self.variant.waits {
            call!(cuStreamSynchronize(self.first));
        }
    }

    /// Copies a result on the second stream, and waits for that stream alone.
    fn result(&self, from: CUdeviceptr) -> u32 {
        self.host.store(0, Ordering::Relaxed);
        call!(cuMemcpyDtoHAsync_v2(self.host(), from, 4, self.second));
        call!(cuStreamSynchronize(self.second));
        self.host.load(Ordering::Relaxed)
    }
}

pub(crate) fn copy_and_kernel(variant: Variant) -> bool {
    let at = Setting::new(variant);
    at.host.store(7, Ordering::Relaxed);
    let copy = function(PTX, c"copy");
    let result = &page_locked(1).0[0];
    call!(cuMemcpyHtoDAsync_v2(at.memory, at.host(), 4, at.first));
    at.join();
    launch(copy, at.second, &[at.out, at.memory]);
    call!(cuMemcpyDtoHAsync_v2(result.as_ptr().cast(), at.out, 4, at.second));
    call!(cuStreamSynchronize(at.second));
    result.load(Ordering::Relaxed) == 7
}

pub(crate) fn kernel_and_copy(variant: Variant) -> bool {
    let at = Setting::new(variant);
    launch(function(PTX, c"put"), at.first, &[at.memory, 7]);
    at.join();
    at.result(at.memory) == 7
}

pub(crate) fn host_reads(variant: Variant) -> bool {
    let at = Setting::new(variant);
    call!(cuMemsetD32_v2(at.memory, 7, 1));
    call!(cuCtxSynchronize());
    call!(cuMemcpyDtoHAsync_v2(at.host(), at.memory, 4, at.first));
    at.wait();
    at.host.load(Ordering::Relaxed) == 7
}

pub(crate) fn host_overwrites(variant: Variant) -> bool {
    let at = Setting::new(variant);
    at.host.store(7, Ordering::Relaxed);
    call!(cuMemcpyHtoDAsync_v2(at.memory, at.host(), 4, at.first));
    at.wait();
    at.host.store(8, Ordering::Relaxed);
    call!(cuStreamSynchronize(at.first));
    cuda_suite::raw::read(at.memory) == 7
}

pub(crate) fn fill_and_kernel(variant: Variant) -> bool {
    let at = Setting::new(variant);
    let copy = function(PTX, c"copy");
    call!(cuMemsetD32Async(at.memory, 7, 1, at.first));
    at.join();
    launch(copy, at.second, &[at.out, at.memory]);
    at.result(at.out) == 7
}

pub(crate) fn kernel_and_fill(variant: Variant) -> bool {
    let at = Setting::new(variant);
    let copy = function(PTX, c"copy");
    call!(cuMemsetD32_v2(at.memory, 7, 1));
    call!(cuCtxSynchronize());
    launch(copy, at.first, &[at.out, at.memory]);
    at.join();
    call!(cuMemsetD32Async(at.memory, 9, 1, at.second));
    call!(cuStreamSynchronize(at.first));
    call!(cuStreamSynchronize(at.second));
    cuda_suite::raw::read(at.out) == 7
}

#[test]
fn raw_copy_then_kernel_on_another_stream_is_found() {
    check_race("raw, copy then kernel", true, copy_and_kernel);
}

#[test]
fn raw_kernel_then_copy_on_another_stream_is_found() {
    check_race("raw, kernel then copy", true, kernel_and_copy);
}

#[test]
fn raw_host_memory_read_too_early_is_found() {
    check_race("raw, host reads too early", true, host_reads);
}

#[test]
fn raw_host_memory_overwritten_too_early_is_found() {
    check_race("raw, host overwrites too early", true, host_overwrites);
}

#[test]
fn raw_fill_seen_too_late_is_found() {
    check_race("raw, fill seen too late", true, fill_and_kernel);
}

/// The program waits for the stream of the kernel first, so that the lazy schedule does not find it.
#[test]
fn raw_fill_done_too_early_is_found() {
    check_race("raw, fill too early", false, kernel_and_fill);
}

/// Copies from memory that another context has registered, and unregisters the memory. Returns the
/// outcome of the copy. If `waits`, the copy is done before the memory is unregistered.
fn unregister_under_a_copy(schedule: Schedule, waits: bool, is_held: bool) -> CUresult {
    let (_, _entered) = crate::machine(schedule);
    unregister_on_this_machine(waits, is_held)
}

/// The same on the machine of the thread, where nothing holds the copy up.
pub(crate) fn unregister_under_copy(waits: bool) -> CUresult {
    unregister_on_this_machine(waits, false)
}

fn unregister_on_this_machine(waits: bool, is_held: bool) -> CUresult {
    let owner = context(0);
    let words: &'static [AtomicU32; 2] = Box::leak(Box::default());
    let host: *mut c_void = words.as_ptr().cast_mut().cast();
    call!(cuMemHostRegister_v2(host, 8, CU_MEMHOSTREGISTER_PORTABLE));
    context(0);
    let (on, memory, (go, go_at)) = (stream(1), allocate(8), page_locked(1));
    if is_held {
        launch(function(PTX, c"hold"), on, &[go_at]);
    }
    call!(cuMemcpyHtoDAsync_v2(memory, host, 8, on));
    if waits {
        go[0].store(1, Ordering::Release);
        call!(cuStreamSynchronize(on));
    }
    call!(cuCtxPushCurrent_v2(owner));
    call!(cuMemHostUnregister(host));
    call!(cuCtxPopCurrent_v2(null_mut()));
    go[0].store(1, Ordering::Release);
    code!(cuStreamSynchronize(on))
}

/// `cuMemHostUnregister` waits for the context that registered the memory, and for no other
/// context.
#[test]
fn raw_unregistering_under_a_copy_elsewhere_is_found() {
    let (lost, done) = (CUresult::CUDA_ERROR_LAUNCH_FAILED, CUresult::CUDA_SUCCESS);
    let schedules = [Schedule::Eager, Schedule::Lazy].into_iter().chain((0..SEEDS).map(Schedule::Random));
    for (schedule, is_held) in schedules.flat_map(|schedule| [(schedule, false), (schedule, true)]) {
        assert_eq!(unregister_under_a_copy(schedule, true, is_held), done, "{schedule:?}");
    }
    assert_eq!(unregister_under_a_copy(Schedule::Eager, false, false), done, "the copy is done before");
    assert_eq!(unregister_under_a_copy(Schedule::Eager, false, true), lost);
    assert_eq!(unregister_under_a_copy(Schedule::Lazy, false, false), lost);
    let outcome = |seed| unregister_under_a_copy(Schedule::Random(seed), false, false);
    let found = (0..SEEDS).filter(|seed| outcome(*seed) == lost).count();
    println!("raw, unregistered too early: {found} of {SEEDS} seeds");
    assert!(found >= ENOUGH, "{found}");
}
