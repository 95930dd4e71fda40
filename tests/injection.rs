//! Injected failures, recorded calls, and counts of live objects: features of the software driver alone.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]

use core::ffi::CStr;
use cuda_sim::{
    Config, FaultRule, KernelFault, LiveHandles, Machine, MachineGuard, ReportKind, Schedule,
    documented_codes,
};
use cuda_suite::raw::{allocate, context, launch, machine, page_locked, read, stream, try_launch};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::process::Command;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

const OK: CUresult = CUresult::CUDA_SUCCESS;
const UNKNOWN: CUresult = CUresult::CUDA_ERROR_UNKNOWN;
const NO_MEMORY: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;
const ILLEGAL: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
const TIMEOUT: CUresult = CUresult::CUDA_ERROR_LAUNCH_TIMEOUT;
const FAILED: CUresult = CUresult::CUDA_ERROR_LAUNCH_FAILED;

const PTX: &CStr = c".version 6.4
    .target sm_50
    .address_size 64
    .visible .entry stores(.param .u64 to, .param .u32 skips) {
        .reg .b64 %a; .reg .b32 %s; .reg .pred %p;
        ld.param.u64 %a, [to];
        ld.param.u32 %s, [skips];
        setp.ne.u32 %p, %s, 0;
        st.global.u32 [%a], 1;
        st.global.u32 [%a+4], 1;
        @%p st.global.u32 [%a+8], 1; // may be skipped
        @!%p st.global.u32 [%a+8], 1; // the rest
        st.global.u32 [%a+12], 1;
        ret;
    }
    .visible .entry endless(.param .u64 to) {
        .reg .b64 %a; .reg .b32 %s; .reg .pred %p;
        ld.param.u64 %a, [to];
        st.global.u32 [%a], 1;
    wait:
        ld.volatile.global.u32 %s, [%a+4]; // until the host says so
        setp.eq.u32 %p, %s, 0;
        @%p bra wait;
        ret;
    }
    .func (.reg .b32 %o) twice(.reg .b32 %i) {
        add.u32 %o, %i, %i; // in a function
        ret;
    }
    .visible .entry work(.param .u64 to) {
        .shared .align 4 .b32 sum;
        .reg .b64 %a; .reg .b32 %t; .reg .b32 %n; .reg .b32 %s; .reg .b32 %w; .reg .b32 %x; .reg .pred %p;
        ld.param.u64 %a, [to];
        mov.u32 %t, %tid.x;
        mov.u32 %s, sum;
        setp.eq.u32 %p, %t, 0;
        @%p st.shared.u32 [%s], 0;
        bar.sync 0;
        and.b32 %n, %t, 7;
        mov.u32 %x, 1;
    again:
        setp.eq.u32 %p, %n, 0;
        @%p bra done;
        add.u32 %x, %x, %t;
        sub.u32 %n, %n, 1;
        bra again;
    done:
        call (%w), twice, (%x);
        shfl.sync.bfly.b32 %x, %w, 1, 31, -1;
        add.u32 %w, %w, %x;
        red.shared.add.u32 [%s], %w;
        red.global.add.u32 [%a+4], 1;
        bar.sync 0;
        setp.ne.u32 %p, %t, 0;
        @%p bra end;
        ld.shared.u32 %w, [%s];
        red.global.add.u32 [%a], %w;
    end:
        ret;
    }
    .extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
    .global .align 1 .b8 condition[6] = {120, 32, 62, 32, 48, 0};
    .global .align 1 .b8 name[5] = {97, 46, 99, 117, 0};
    .visible .entry asserts() {
        .reg .b64 %c; .reg .b64 %n;
        .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
        mov.u64 %c, condition; cvta.global.u64 %c, %c;
        mov.u64 %n, name; cvta.global.u64 %n, %n;
        st.param.b64 [a], %c; st.param.b64 [b], %n; st.param.b32 [c], 42; st.param.b64 [d], %n; st.param.b64 [e], 1;
        call.uni __assertfail, (a, b, c, d, e);
        ret;
    }";

/// The number of the line that this is in.
fn line_of(text: &str) -> u32 {
    let position = PTX.to_str().unwrap().lines().position(|line| line.contains(text));
    u32::try_from(position.unwrap() + 1).unwrap()
}

fn function(name: &CStr) -> CUfunction {
    cuda_suite::raw::function(PTX, name)
}

fn count() -> CUresult {
    let mut count = 0;
    code!(cuDeviceGetCount(&raw mut count))
}

fn synchronize() -> CUresult {
    code!(cuCtxSynchronize())
}

fn values(words: &[AtomicU32]) -> Vec<u32> {
    words.iter().map(|word| word.load(Ordering::Relaxed)).collect()
}

fn kernel_fault(kernel: &str, code: CUresult) -> KernelFault {
    KernelFault::new(kernel, code).unwrap()
}

#[test]
fn rules_can_count_any_call() {
    let (machine, _entered) = machine(Config::default());
    machine.inject(FaultRule::any(UNKNOWN).skip(2).times(2));
    let mut version = 0;
    assert_eq!(count(), OK);
    assert_eq!(code!(cuDriverGetVersion(&raw mut version)), OK);
    assert_eq!(code!(cuInit(0)), UNKNOWN);
    assert_eq!(count(), UNKNOWN);
    assert_eq!(count(), OK);
    // A rule without effect hides no other rule, and counts nothing.
    machine.inject(FaultRule::any(OK));
    machine.inject(FaultRule::new(Symbol::cuInit, UNKNOWN).times(1));
    machine.inject(FaultRule::any(NO_MEMORY).skip(1).times(1));
    assert_eq!(code!(cuInit(0)), UNKNOWN);
    assert_eq!(count(), NO_MEMORY, "the call that another rule made fail counted, too");
    assert_eq!(count(), OK);
}

#[test]
fn fault_before_work_prevents_it_fault_after_does_not() {
    let (machine, _entered) = machine(Config::default());
    context(0);
    let at = allocate(8);
    call!(cuMemsetD32_v2(at, 1, 2));
    let set = Symbol::cuMemsetD32_v2;
    machine.inject(FaultRule::new(set, UNKNOWN).times(1));
    assert_eq!(code!(cuMemsetD32_v2(at, 2, 1)), UNKNOWN);
    assert_eq!(read(at), 1);
    machine.inject(FaultRule::new(set, UNKNOWN).times(1).after_work());
    assert_eq!(code!(cuMemsetD32_v2(at, 2, 1)), UNKNOWN);
    assert_eq!(read(at), 2);
    // A call that fails anyway returns its own error.
    machine.inject(FaultRule::new(set, UNKNOWN).after_work().sticky());
    assert_eq!(code!(cuMemsetD32_v2(at + 1, 2, 1)), CUresult::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(synchronize(), OK);
    assert_eq!(code!(cuMemsetD32_v2(at, 3, 1)), UNKNOWN);
    assert_eq!(synchronize(), UNKNOWN);
}

#[test]
fn rules_may_mean_a_context_or_a_device() {
    let (machine, _entered) = machine(Config::default());
    let (first, second, other) = (context(0), context(0), context(1));
    let on = |context: CUcontext| {
        call!(cuCtxSetCurrent(context));
        synchronize()
    };
    machine.inject(FaultRule::new(Symbol::cuCtxSynchronize, UNKNOWN).in_context(second));
    assert_eq!([first, second, other].map(on), [OK, UNKNOWN, OK]);
    machine.clear_faults();
    // Only such calls count.
    machine.inject(FaultRule::new(Symbol::cuCtxSynchronize, UNKNOWN).on_device(0).skip(1).times(1));
    assert_eq!([first, other, second, first].map(on), [OK, OK, UNKNOWN, OK]);
    machine.inject(FaultRule::new(Symbol::cuCtxSynchronize, UNKNOWN).on_device(1));
    assert_eq!([first, other].map(on), [OK, UNKNOWN]);
    machine.clear_faults();
    // A destroyed context is still current, by its handle; it has no device any more.
    call!(cuCtxSetCurrent(first));
    let destroyer = std::thread::spawn({
        let (machine, first) = (machine.clone(), first.addr());
        move || {
            let _entered = machine.enter();
            call!(cuCtxDestroy_v2(std::ptr::without_provenance_mut(first)));
        }
    });
    destroyer.join().unwrap();
    machine.inject(FaultRule::new(Symbol::cuDeviceGetCount, UNKNOWN).on_device(0).times(1));
    assert_eq!(count(), OK);
    machine.inject(FaultRule::new(Symbol::cuDeviceGetCount, NO_MEMORY).in_context(first).times(1));
    assert_eq!(count(), NO_MEMORY);
    // No context at all.
    machine.clear_faults();
    machine.inject(FaultRule::new(Symbol::cuDeviceGetCount, UNKNOWN).in_context(null_mut()));
    assert_eq!(count(), OK);
    while code!(cuCtxPopCurrent_v2(null_mut())) == OK {}
    assert_eq!(count(), UNKNOWN);
}

#[test]
fn unused_faults_are_listed() {
    let (machine, _entered) = machine(Config::default());
    machine.inject(FaultRule::new(Symbol::cuDeviceGetCount, UNKNOWN).times(2));
    machine.inject(FaultRule::new(Symbol::cuMemAlloc_v2, NO_MEMORY).skip(1).on_device(1));
    machine.inject(FaultRule::new(Symbol::cuInit, UNKNOWN).in_context(std::ptr::without_provenance_mut(16)));
    machine.inject_kernel_fault(kernel_fault("store", ILLEGAL));
    machine.inject_kernel_fault(kernel_fault("stores", ILLEGAL).skip(1));
    let expected = |first: bool, skip: &str| {
        let all = [
            "cuDeviceGetCount:CUDA_ERROR_UNKNOWN:times-2".to_owned(),
            "cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY:skip-1:device-1".to_owned(),
            "cuInit:CUDA_ERROR_UNKNOWN:context-0x10".to_owned(),
            "store:CUDA_ERROR_ILLEGAL_ADDRESS".to_owned(),
            format!("stores:CUDA_ERROR_ILLEGAL_ADDRESS{skip}"),
        ];
        all[usize::from(!first)..].to_vec()
    };
    assert_eq!(machine.unused_faults(), expected(true, ":skip-1"));
    assert_eq!(count(), UNKNOWN);
    context(0);
    let ((_, at), kernel) = (page_locked(4), function(c"stores"));
    launch(kernel, null_mut(), &[at, 0]);
    assert_eq!(machine.unused_faults(), expected(false, ""));
    launch(kernel, null_mut(), &[at, 0]);
    assert_eq!(synchronize(), ILLEGAL);
    assert_eq!(machine.unused_faults().len(), 3);
    machine.clear_faults();
    assert!(machine.unused_faults().is_empty());
}

#[test]
fn rules_may_mean_a_thread() {
    let (machine, _entered) = machine(Config::default());
    machine.inject(FaultRule::any(UNKNOWN).on_this_thread());
    let other = std::thread::spawn({
        let machine = machine.clone();
        move || {
            let _entered = machine.enter();
            count()
        }
    });
    assert_eq!(other.join().unwrap(), OK);
    assert_eq!(count(), UNKNOWN);
}

#[test]
fn a_sticky_failure_stays() {
    let (machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let (words, at) = page_locked(4);
    launch(function(c"stores"), null_mut(), &[at, 0]);
    machine.inject(FaultRule::new(Symbol::cuMemAlloc_v2, FAILED).times(1).sticky());
    let mut address = 0;
    let mut allocate = || code!(cuMemAlloc_v2(&raw mut address, 4));
    assert_eq!(allocate(), FAILED);
    assert_eq!([allocate(), synchronize()], [FAILED; 2]);
    assert_eq!(values(words), [0; 4], "what was queued is not done");
    // This one never reports such failures.
    let mut version = 0;
    call!(cuDriverGetVersion(&raw mut version));
    machine.reset();
    call!(cuInit(0));
    context(0);
    // Nor does it this time, but it has one. The first failure is the one that stays.
    machine.inject(FaultRule::new(Symbol::cuDriverGetVersion, NO_MEMORY).times(1).sticky());
    machine.inject(FaultRule::new(Symbol::cuDeviceGetCount, FAILED).sticky());
    assert_eq!(code!(cuDriverGetVersion(&raw mut version)), NO_MEMORY);
    call!(cuDriverGetVersion(&raw mut version));
    assert_eq!(synchronize(), NO_MEMORY);
    assert_eq!(count(), FAILED);
    assert_eq!(synchronize(), NO_MEMORY);
}

#[test]
fn memory_runs_out_and_is_there_again() {
    let (_, _entered) = machine(Config { memory_bytes: 8 << 20, ..Config::default() });
    context(0);
    let mut second = 0;
    let first = allocate(5 << 20);
    assert_eq!(code!(cuMemAlloc_v2(&raw mut second, 4 << 20)), NO_MEMORY);
    call!(cuMemFree_v2(first));
    call!(cuMemAlloc_v2(&raw mut second, 4 << 20));
    call!(cuMemsetD8_v2(second, 1, 4 << 20));
}

#[test]
fn too_many_peers_are_refused_until_one_is_disabled() {
    let (machine, _entered) = machine(Config { devices: 4, max_peers: Some(2), ..Config::default() });
    let [a, b, c] = [1, 2, 3].map(context);
    context(0);
    call!(cuCtxEnablePeerAccess(a, 0));
    call!(cuCtxEnablePeerAccess(b, 0));
    assert_eq!(code!(cuCtxEnablePeerAccess(c, 0)).0, 711);
    assert_eq!(machine.live().peers, 2);
    call!(cuCtxDisablePeerAccess(a));
    call!(cuCtxEnablePeerAccess(c, 0));
    assert_eq!(machine.live().peers, 2);
}

/// Returns the memory after the kernel `stores`, and the answer of waiting for it.
fn stores(fault: KernelFault, skips: u64) -> (Vec<u32>, CUresult) {
    let (machine, _entered) = machine(Config::default());
    context(0);
    let (words, at) = page_locked(4);
    let kernel = function(c"stores");
    machine.inject_kernel_fault(fault);
    launch(kernel, null_mut(), &[at, skips]);
    let answer = synchronize();
    // The answer stays the same.
    assert_eq!(synchronize(), answer);
    (values(words), answer)
}

#[test]
fn a_kernel_faults_at_a_line() {
    let at = |text: &str| kernel_fault("stores", ILLEGAL).at_line(line_of(text));
    assert_eq!(stores(at("[%a], 1"), 0), (vec![0, 0, 0, 0], ILLEGAL));
    assert_eq!(stores(at("[%a+4], 1"), 0), (vec![1, 0, 0, 0], ILLEGAL));
    assert_eq!(stores(at("[%a+12], 1"), 0), (vec![1, 1, 1, 0], ILLEGAL));
    // An instruction that is not executed is none.
    assert_eq!(stores(at("may be skipped"), 0), (vec![1, 1, 1, 1], OK));
    assert_eq!(stores(at("may be skipped"), 1), (vec![1, 1, 0, 0], ILLEGAL));
    // Nor is a line of another kernel, nor that of a declaration, nor another kernel's fault.
    assert_eq!(stores(at("in a function"), 0), (vec![1, 1, 1, 1], OK));
    assert_eq!(stores(at(".reg .b64 %a; .reg .b32 %s; .reg .pred"), 0), (vec![1, 1, 1, 1], OK));
    assert_eq!(stores(kernel_fault("store", ILLEGAL), 0), (vec![1, 1, 1, 1], OK));
    // Without a place it is the first instruction.
    assert_eq!(stores(kernel_fault("stores", FAILED), 0), (vec![0, 0, 0, 0], FAILED));
}

#[test]
fn a_kernel_faults_at_an_instruction() {
    let mut seen = Vec::new();
    for n in 1.. {
        let (words, answer) = stores(kernel_fault("stores", FAILED).at_instruction(n), 0);
        let done = words.iter().take_while(|word| **word == 1).count();
        assert_eq!(words[done..], vec![0; 4 - done], "nothing after it is done");
        assert!(seen.last().is_none_or(|before| *before <= done));
        seen.push(done);
        if answer == OK {
            break;
        }
        assert_eq!(answer, FAILED);
        assert!(n < 100);
    }
    assert_eq!((seen[0], seen.last()), (0, Some(&4)));
    seen.dedup();
    assert_eq!(seen, [0, 1, 2, 3, 4], "every step has its number");
}

/// Returns the output of the kernel `work` with four blocks of 64 threads.
fn work(config: Config, fault: Option<KernelFault>) -> (Vec<u32>, CUresult) {
    let (machine, _entered) = machine(config);
    context(0);
    let (words, at) = page_locked(2);
    let mut to = at;
    let mut params = [(&raw mut to).cast()];
    fault.into_iter().for_each(|fault| machine.inject_kernel_fault(fault));
    let (kernel, params) = (function(c"work"), params.as_mut_ptr());
    call!(cuLaunchKernel(kernel, 4, 1, 1, 64, 1, 1, 0, null_mut(), params, null_mut()));
    let answer = synchronize();
    (values(words), answer)
}

#[test]
fn the_same_step_is_the_same_every_time() {
    let (expected, answer) = work(Config::default(), None);
    assert_eq!((expected[1], answer), (256, OK));
    let random = || Config { schedule: Schedule::Random(7), ..Config::default() };
    let never = kernel_fault("work", FAILED).at_instruction(u64::MAX);
    // Step by step, everything comes out as it does otherwise.
    assert_eq!(work(Config::default(), Some(never.clone())), (expected.clone(), OK));
    assert_eq!(work(random(), Some(never)), (expected, OK));
    let mut counts = Vec::new();
    for n in [1, 50, 150, 250, 350, 430] {
        let fault = || Some(kernel_fault("work", FAILED).at_instruction(n));
        let found = work(Config::default(), fault());
        assert_eq!(found.1, FAILED, "{n}");
        assert_eq!(work(Config::default(), fault()), found);
        assert_eq!(work(random(), fault()), work(random(), fault()));
        counts.push(found.0[1]);
    }
    assert!(counts.is_sorted() && counts[0] == 0 && counts[5] > 0, "{counts:?}");
    // Functions that a kernel calls have lines, too.
    let called = kernel_fault("work", FAILED).at_line(line_of("in a function"));
    assert_eq!(work(Config::default(), Some(called)), (vec![0, 0], FAILED));
}

#[test]
fn some_launches_fault() {
    let (machine, _entered) = machine(Config::default());
    context(0);
    let ((words, at), kernel) = (page_locked(4), function(c"stores"));
    machine.inject_kernel_fault(kernel_fault("stores", ILLEGAL).skip(1).at_line(line_of("[%a+12]")));
    launch(kernel, null_mut(), &[at, 0]);
    assert_eq!(synchronize(), OK);
    // A launch that is refused is none.
    assert_eq!(try_launch(kernel, 2000, null_mut(), &[at, 0]), CUresult::CUDA_ERROR_INVALID_VALUE);
    words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    launch(kernel, null_mut(), &[at, 0]);
    assert_eq!(synchronize(), ILLEGAL);
    assert_eq!(values(words), [1, 1, 1, 0]);

    // A launch that does not reach the instruction counts, too.
    machine.reset();
    call!(cuInit(0));
    context(0);
    let ((_, at), kernel) = (page_locked(4), function(c"stores"));
    machine.inject_kernel_fault(kernel_fault("stores", ILLEGAL).times(1).at_line(line_of("may be skipped")));
    launch(kernel, null_mut(), &[at, 0]);
    launch(kernel, null_mut(), &[at, 1]);
    assert_eq!(synchronize(), OK);
    machine.inject_kernel_fault(kernel_fault("stores", ILLEGAL));
    machine.clear_faults();
    launch(kernel, null_mut(), &[at, 1]);
    assert_eq!(synchronize(), OK);
}

#[test]
fn kernels_end_in_some_codes_only() {
    for number in [214, 700, 702, 710, 714, 715, 716, 717, 718, 719] {
        let code = CUresult::all().find(|code| code.0 == number).unwrap();
        assert_eq!(stores(kernel_fault("stores", code), 0).1, code);
    }
    for code in [OK, NO_MEMORY, CUresult::CUDA_ERROR_INVALID_VALUE, UNKNOWN] {
        assert_eq!(KernelFault::new("stores", code), None);
    }
    // All codes that cuda-rt counts as the end of a process's use of CUDA, except those that no kernel causes.
    for code in cuda_rt::error::Code::ALL {
        let ends = code.extent() == cuda_rt::error::Extent::Process && ![810, 911].contains(&code.number());
        assert_eq!(KernelFault::new("stores", code.as_raw()).is_some(), ends, "{code}");
    }
}

#[test]
fn records_say_where_a_call_was_made() {
    let (machine, _entered) = machine(Config::default());
    machine.record_calls();
    assert_eq!(count(), OK);
    let context = context(1);
    assert_eq!(count(), OK);
    machine.inject(FaultRule::new(Symbol::cuDeviceGetCount, UNKNOWN));
    let other = std::thread::spawn({
        let machine = machine.clone();
        move || {
            let _entered = machine.enter();
            assert_eq!(count(), UNKNOWN);
            std::thread::current().id()
        }
    });
    let other = other.join().unwrap();
    let calls = machine.take_calls();
    let here = std::thread::current().id();
    let functions: Vec<Symbol> = calls.iter().map(|call| call.function).collect();
    let get = Symbol::cuDeviceGetCount;
    assert_eq!(functions, [get, Symbol::cuCtxCreate_v2, get, get]);
    assert_eq!(calls.iter().map(|call| call.code).collect::<Vec<_>>(), [OK, OK, OK, UNKNOWN]);
    assert_eq!(calls.iter().map(|call| call.thread).collect::<Vec<_>>(), [here, here, here, other]);
    let places: Vec<_> = calls.iter().map(|call| (call.context, call.device)).collect();
    let there = (Some(context.addr()), Some(1));
    assert_eq!(places, [(None, None), (None, None), there, (None, None)]);
}

/// Returns the differences of the counts since `before`, by kind.
fn more(machine: &Machine, before: &mut LiveHandles) -> String {
    let now = machine.live();
    let (was, is) = (before.to_string(), now.to_string());
    *before = now;
    let was: Vec<&str> = was.split(", ").collect();
    is.split(", ").filter(|part| !was.contains(part)).collect::<Vec<_>>().join(", ")
}

#[test]
fn live_objects_are_counted_by_kind() {
    let (machine, _entered) = machine(Config::default());
    let mut live = machine.live();
    assert!(live.is_empty());
    assert_eq!(live, LiveHandles::default());
    let mut more = || more(&machine, &mut live);
    let own = context(0);
    assert_eq!(more(), "1 context");
    stream(0);
    assert_eq!(more(), "1 stream");
    let mut event = null_mut();
    call!(cuEventCreate(&raw mut event, 0));
    assert_eq!(more(), "1 event");
    function(c"stores");
    assert_eq!(more(), "1 module");
    let (mut library, mut module) = (null_mut(), null_mut());
    let text = PTX.as_ptr().cast();
    call!(cuLibraryLoadData(&raw mut library, text, null_mut(), null_mut(), 0, null_mut(), null_mut(), 0));
    assert_eq!(more(), "1 library");
    call!(cuLibraryGetModule(&raw mut module, library));
    assert_eq!(more(), "", "it is the library's");
    let mut linker = null_mut();
    call!(cuLinkCreate_v2(0, null_mut(), null_mut(), &raw mut linker));
    assert_eq!(more(), "1 linker");

    let descriptor = CUDA_ARRAY3D_DESCRIPTOR {
        Width: 4,
        Height: 4,
        Format: CUarray_format_enum::CU_AD_FORMAT_FLOAT,
        NumChannels: 1,
        Flags: CUDA_ARRAY3D_SURFACE_LDST,
        ..CUDA_ARRAY3D_DESCRIPTOR::default()
    };
    let (mut array, mut mipmapped, mut reference) = (null_mut(), null_mut(), null_mut());
    call!(cuArray3DCreate_v2(&raw mut array, &raw const descriptor));
    assert_eq!(more(), "1 array");
    call!(cuMipmappedArrayCreate(&raw mut mipmapped, &raw const descriptor, 3));
    assert_eq!(more(), "1 mipmapped array");
    call!(cuTexRefCreate(&raw mut reference));
    assert_eq!(more(), "1 texture reference");
    let kind = CUresourcetype_enum::CU_RESOURCE_TYPE_ARRAY;
    let mut resource = CUDA_RESOURCE_DESC { resType: kind, ..CUDA_RESOURCE_DESC::default() };
    resource.res.array.hArray = array;
    let reading = CUDA_TEXTURE_DESC::default();
    let (mut texture, mut surface) = (0, 0);
    call!(cuTexObjectCreate(&raw mut texture, &raw const resource, &raw const reading, null()));
    assert_eq!(more(), "1 texture object");
    call!(cuSurfObjectCreate(&raw mut surface, &raw const resource));
    assert_eq!(more(), "1 surface object");

    let first = allocate(100);
    assert_eq!(more(), "1 device allocation, 100 bytes of device memory");
    allocate(11);
    assert_eq!(more(), "2 device allocations, 111 bytes of device memory");
    call!(cuMemFree_v2(first));
    assert_eq!(more(), "1 device allocation, 11 bytes of device memory");
    let mut from_pool = 0;
    call!(cuMemAllocAsync(&raw mut from_pool, 7, null_mut()));
    assert_eq!(more(), "1 pool allocation, 7 bytes of pools");
    page_locked(2);
    assert_eq!(more(), "1 page-locked allocation, 8 bytes of page-locked memory");
    let mut own_memory = vec![0_u8; 1];
    call!(cuMemHostRegister_v2(own_memory.as_mut_ptr().cast(), 1, 0));
    assert_eq!(more(), "1 registered range, 1 byte of registered memory");

    let mut primary = null_mut();
    call!(cuDevicePrimaryCtxRetain(&raw mut primary, 1));
    assert_eq!(more(), "1 primary context, 1 retain of a primary context");
    call!(cuDevicePrimaryCtxRetain(&raw mut primary, 1));
    assert_eq!(more(), "2 retains of primary contexts");
    call!(cuCtxEnablePeerAccess(primary, 0));
    assert_eq!(more(), "1 enabled peer");
    let mut pool = null_mut();
    call!(cuDeviceGetDefaultMemPool(&raw mut pool, 0));
    assert_eq!(more(), "", "no program has made it");
    let mut access = CUmemAccessDesc::default();
    access.location.type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.__bindgen_anon_1.id = 1;
    access.flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    call!(cuMemPoolSetAccess(pool, &raw const access, 1));
    assert_eq!(more(), "1 device with access to another's pool");

    // Objects of a context go with it.
    call!(cuCtxSetCurrent(primary));
    stream(0);
    allocate(1000);
    assert_eq!(more(), "2 streams, 2 device allocations, 1011 bytes of device memory");
    call!(cuDevicePrimaryCtxRelease_v2(1));
    assert_eq!(more(), "1 retain of a primary context");
    call!(cuDevicePrimaryCtxRelease_v2(1));
    assert_eq!(more(), "1 stream, 1 device allocation, 11 bytes of device memory", "and the peer");
    call!(cuCtxSetCurrent(own));
    call!(cuMemFreeAsync(from_pool, null_mut()));
    call!(cuLibraryUnload(library));
    call!(cuMemHostUnregister(own_memory.as_mut_ptr().cast()));
    call!(cuLinkDestroy(linker));
    call!(cuCtxDestroy_v2(own));
    assert_eq!(machine.live().to_string(), "1 device with access to another's pool");
    machine.reset();
    assert!(machine.live().is_empty());
}

#[test]
fn memory_with_a_queued_free_counts_as_freed() {
    let (machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let mut address = 0;
    call!(cuMemAllocAsync(&raw mut address, 7, null_mut()));
    assert_eq!(machine.live().pool_bytes, 7);
    call!(cuMemFreeAsync(address, null_mut()));
    assert_eq!((machine.live().pool_allocations, machine.live().pool_bytes), (0, 0));
}

#[test]
fn a_machine_has_the_rules_of_its_configuration() {
    let text = "fault=cuDeviceGetCount:CUDA_ERROR_UNKNOWN:skip-1:times-1,fault=any:2:device-1,\
                kernel-fault=stores:CUDA_ERROR_LAUNCH_FAILED:line-9:skip-1";
    let config = Config::from_text(text).unwrap();
    assert_eq!(config.to_string(), text.replace(":2:", ":CUDA_ERROR_OUT_OF_MEMORY:"));
    let (machine, _entered) = machine(config);
    for _ in 0..2 {
        call!(cuInit(0));
        assert_eq!([count(), count(), count()], [OK, UNKNOWN, OK]);
        context(0);
        let ((words, at), kernel) = (page_locked(4), function(c"stores"));
        launch(kernel, null_mut(), &[at, 0]);
        assert_eq!((synchronize(), values(words)), (OK, vec![1; 4]));
        context(1);
        assert_eq!(count(), NO_MEMORY);
        while code!(cuCtxPopCurrent_v2(null_mut())) == NO_MEMORY {
            machine.clear_faults();
        }
        assert_eq!(count(), OK);
        machine.reset();
    }
    call!(cuInit(0));
    context(0);
    let ((words, at), kernel) = (page_locked(4), function(c"stores"));
    launch(kernel, null_mut(), &[at, 0]);
    launch(kernel, null_mut(), &[at, 0]);
    assert_eq!((synchronize(), values(words)), (FAILED, vec![1; 4]));
}

/// A file of this name for a test.
fn file(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()))
}

#[test]
fn calls_are_written_to_a_file() {
    let path = file("calls");
    std::fs::write(&path, "from before\n").unwrap();
    let lines = || std::fs::read_to_string(&path).unwrap();
    {
        let (machine, _entered) = machine(Config { calls: Some(path.clone()), ..Config::default() });
        assert_eq!(lines(), "1 1 cuInit CUDA_SUCCESS -\n");
        context(1);
        assert_eq!(code!(cuMemFree_v2(1)), CUresult::CUDA_ERROR_INVALID_VALUE);
        let other = std::thread::spawn({
            let machine = machine.clone();
            move || {
                let _entered = machine.enter();
                assert_eq!(count(), OK);
            }
        });
        other.join().unwrap();
        // A code without a name, before the work and after a reset.
        machine.reset();
        machine.inject(FaultRule::new(Symbol::cuInit, cudaError_enum(12345)));
        assert_eq!(code!(cuInit(0)).0, 12345);
    }
    let expected = "1 1 cuInit CUDA_SUCCESS -\n2 1 cuCtxCreate_v2 CUDA_SUCCESS -\n\
                    3 1 cuMemFree_v2 CUDA_ERROR_INVALID_VALUE 1\n4 2 cuDeviceGetCount CUDA_SUCCESS -\n\
                    5 1 cuInit 12345 -\n";
    assert_eq!(lines(), expected);
    std::fs::remove_file(&path).unwrap();
    // Without that folder there is no log, and everything else stays the same.
    let (_, _entered) = machine(Config { calls: Some(path.join("calls")), ..Config::default() });
    assert_eq!(count(), OK);
}

#[test]
fn documented_codes_are_known() {
    let codes = documented_codes(Symbol::cuMemAlloc_v2).unwrap();
    assert!(codes.contains(&NO_MEMORY) && !codes.contains(&OK));
    assert!(!documented_codes(Symbol::cuMemFree_v2).unwrap().contains(&NO_MEMORY));
    for symbol in Symbol::all() {
        let function = symbol.twin_of().unwrap_or(symbol);
        assert_eq!(documented_codes(symbol), documented_codes(function));
    }
    let twins = Symbol::all().filter(|symbol| symbol.twin_of().is_some());
    assert!(twins.filter_map(documented_codes).count() > 10);
}

const CASE: &str = "CUDA_SUITE_INJECTION";

/// Returns the standard output and the standard error of a case. It runs in a process of its own, which is this program again.
fn in_child(case: &str) -> (String, String) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env(CASE, case)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&child.stdout), text(&child.stderr));
    assert!(out.contains("case done"), "{case}: {out}\n{err}");
    assert_eq!(child.status.success(), case != "crash", "{case}: {out}\n{err}");
    (out, err)
}

#[test]
#[ignore = "runs in a child process"]
fn child() {
    let case = std::env::var(CASE).unwrap();
    cuda_suite::fail_on_internal_errors();
    let log = file("crash").with_extension(std::process::id().to_string());
    let text = match &case[..] {
        "leak" | "clean" | "unseen" => "leaks=on".to_owned(),
        "crash" => format!("leaks=on,calls={}", log.display()),
        "endless" => "kernel-limit=1M".to_owned(),
        "misfit" => "schedule=replay:cuCtxCreate_v2-1@cuMemFree_v2-2".to_owned(),
        "missing call" => "schedule=replay:cuLaunchKernel-1".to_owned(),
        _ => String::new(),
    };
    cuda_sim::install(Config::from_text(&text).unwrap()).unwrap();
    call!(cuInit(0));
    if case == "misfit" {
        let mut context = null_mut();
        assert_eq!(code!(cuCtxCreate_v2(&raw mut context, 0, 0)), CUresult::CUDA_ERROR_LAUNCH_FAILED);
        println!("case done");
        return;
    }
    let own = context(0);
    let machine = Machine::current();
    match &case[..] {
        "missing call" => {}
        "leak" => {
            allocate(12);
        }
        "clean" => {
            allocate(12);
            call!(cuCtxDestroy_v2(own));
        }
        "unseen" => {
            let (_, at) = page_locked(4);
            machine.inject_kernel_fault(kernel_fault("stores", ILLEGAL));
            launch(function(c"stores"), null_mut(), &[at, 0]);
        }
        "silent" => {
            allocate(12);
        }
        "crash" => {
            assert_eq!(code!(cuMemFree_v2(1)), CUresult::CUDA_ERROR_INVALID_VALUE);
            println!("case done");
            println!("log: {}", log.display());
            std::process::abort();
        }
        "sentences" => {
            let (_, at) = page_locked(4);
            let kernel = function(c"stores");
            machine.inject_kernel_fault(kernel_fault("stores", ILLEGAL).at_line(1).times(1));
            launch(kernel, null_mut(), &[at, 0]);
            assert_eq!(synchronize(), OK);
            machine.inject_kernel_fault(kernel_fault("stores", ILLEGAL).at_line(line_of("[%a+4]")));
            launch(kernel, null_mut(), &[at, 0]);
            assert_eq!(synchronize(), ILLEGAL);
        }
        "assertion" => {
            launch(function(c"asserts"), null_mut(), &[]);
            assert_eq!(synchronize(), CUresult::CUDA_ERROR_ASSERT);
            let reports = machine.take_reports();
            assert_eq!(reports.len(), 1);
            println!("{}", reports[0]);
        }
        "endless" => {
            let (_, at) = page_locked(4);
            launch(function(c"endless"), null_mut(), &[at, 0]);
            assert_eq!(synchronize(), TIMEOUT);
        }
        other => panic!("{other}"),
    }
    println!("case done");
}

#[test]
fn unseen_failure_is_reported_at_the_end() {
    let told = in_child("unseen").1;
    let report =
        "cuda-sim: unseen failure: CUDA_ERROR_ILLEGAL_ADDRESS(700)\n  no call of the program has returned it";
    assert!(told.contains(report), "{told}");
    assert!(!in_child("leak").1.contains("unseen failure"));
}

#[test]
fn live_objects_are_reported_at_the_end() {
    let told = in_child("leak").1;
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines[..2],
        [
            "cuda-sim: still alive at the end: 1 context, 1 device allocation, 12 bytes of device memory",
            "  context, made by cuCtxCreate_v2 (call 3)"
        ]
    );
    assert!(lines[2].starts_with("  device allocation of 12 bytes at 0x"), "{told}");
    assert!(lines[2].ends_with(", made by cuMemAlloc_v2 (call 4)") && lines.len() == 3, "{told}");
    assert!(!in_child("clean").1.contains("still alive"));
    assert_eq!(in_child("silent").1, "");
}

#[test]
fn schedule_that_does_not_fit_is_reported_once() {
    let told = |why: &str| format!("cuda-sim: the schedule does not fit the program: {why}\n");
    let misfit = "cuCtxCreate_v2-1 queued no work, and the schedule holds back cuCtxCreate_v2-1";
    assert_eq!(in_child("misfit").1, told(misfit));
    let missing = "the schedule names cuLaunchKernel-1, and the program called cuLaunchKernel 0 times";
    assert_eq!(in_child("missing call").1, told(missing));
}

#[test]
fn a_crash_loses_no_calls() {
    let (out, err) = in_child("crash");
    let path = out.lines().find_map(|line| line.strip_prefix("log: ")).unwrap();
    let lines = std::fs::read_to_string(path).unwrap();
    std::fs::remove_file(path).unwrap();
    let last = format!("\n{} 1 cuMemFree_v2 CUDA_ERROR_INVALID_VALUE 0\n", lines.lines().count());
    assert!(lines.ends_with(&last) && lines.contains(" cuCtxCreate_v2 CUDA_SUCCESS -\n"), "{lines}");
    assert!(!err.contains("still alive"), "it has not ended normally");
}

#[test]
fn endless_kernel_is_reported_with_its_line() {
    let expected = format!(
        "cuda-sim: time limit reached: 1048576 instructions, and no block has ended\n  \
         at PTX line {} in kernel `endless`, block (0, 0, 0), thread (0, 0, 0)\n",
        line_of("until the host")
    );
    assert_eq!(in_child("endless").1, expected);
}

/// A machine whose kernels end at a limit.
fn limited(schedule: Schedule, limit: u64) -> (Machine, MachineGuard) {
    let (machine, entered) = machine(Config { schedule, kernel_limit: Some(limit), ..Config::default() });
    context(0);
    (machine, entered)
}

#[test]
fn endless_kernel_times_out_on_every_schedule() {
    for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random(1), Schedule::Random(2)] {
        for wait in [synchronize, query_until_done] {
            let (_machine, _entered) = limited(schedule, 1 << 20);
            let ((words, at), kernel) = (page_locked(4), function(c"endless"));
            launch(kernel, null_mut(), &[at, 0]);
            assert_eq!(wait(), TIMEOUT, "{schedule:?}");
            // It is sticky, as other faults of kernels are.
            assert_eq!(synchronize(), TIMEOUT);
            assert_eq!(code!(cuMemAlloc_v2(&mut 0, 4)), TIMEOUT);
            assert_eq!(values(words), [1, 0, 0, 0], "{schedule:?}");
        }
    }
}

/// Asks for the default stream until it is done, or something has failed.
fn query_until_done() -> CUresult {
    loop {
        match code!(cuStreamQuery(null_mut())) {
            CUresult::CUDA_ERROR_NOT_READY => {}
            other => return other,
        }
    }
}

#[test]
fn kernels_within_the_limit_end_by_themselves() {
    for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random(1)] {
        let (_machine, _entered) = limited(schedule, 1 << 26);
        let ((words, at), kernel) = (page_locked(4), function(c"endless"));
        // It waits for the host, which comes in time.
        launch(kernel, null_mut(), &[at, 0]);
        words[1].store(1, Ordering::Release);
        assert_eq!(synchronize(), OK, "{schedule:?}");
        assert_eq!(values(words), [1, 1, 0, 0]);
    }
}

#[test]
fn kernel_limit_can_be_left_out() {
    let (machine, _entered) = machine(Config { kernel_limit: None, ..Config::default() });
    context(0);
    let ((words, at), kernel) = (page_locked(4), function(c"endless"));
    launch(kernel, null_mut(), &[at, 0]);
    let host = std::thread::spawn({
        let at = words.as_ptr() as usize;
        move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            let second = (at as *mut u32).wrapping_add(1);
            // SAFETY: page-locked memory of the test, which is never freed.
            unsafe { AtomicU32::from_ptr(second) }.store(1, Ordering::Release);
        }
    });
    assert_eq!(synchronize(), OK);
    host.join().unwrap();
    drop(machine);
}

#[test]
fn kernel_fault_is_reported_with_its_line() {
    let line = line_of("[%a+4]");
    let expected = format!(
        "cuda-sim: no fault in kernel `stores`: it has no instruction in PTX line 1\n\
         cuda-sim: injected fault: CUDA_ERROR_ILLEGAL_ADDRESS\n  \
         at PTX line {line} in kernel `stores`, block (0, 0, 0), thread (0, 0, 0)\n"
    );
    assert_eq!(in_child("sentences").1, expected);
}

#[test]
fn failed_assertion_is_printed_as_drivers_do() {
    let (out, err) = in_child("assertion");
    assert_eq!(err, "a.cu:42: a.cu: block: [0,0,0], thread: [0,0,0] Assertion `x > 0` failed.\n");
    let report = format!(
        "assertion failed: x > 0\n  at PTX line {} in kernel `asserts`, block (0, 0, 0), thread (0, 0, 0)\n  \
         in a.cu:42: a.cu\n",
        line_of("call.uni __assertfail")
    );
    assert!(out.contains(&report), "{out}");
}

#[test]
fn injected_fault_has_a_report_of_its_kind() {
    let (machine, _entered) = machine(Config::default());
    context(0);
    let (_, at) = page_locked(4);
    machine.inject_kernel_fault(kernel_fault("stores", FAILED).at_line(line_of("[%a+4]")));
    launch(function(c"stores"), null_mut(), &[at, 0]);
    assert_eq!(synchronize(), FAILED);
    let reports = machine.take_reports();
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert_eq!(
        (reports[0].kind, &*reports[0].summary),
        (ReportKind::InjectedFault, "injected fault: CUDA_ERROR_LAUNCH_FAILED")
    );
    let place = reports[0].place.as_ref().unwrap();
    assert_eq!((&*place.kernel, place.ptx_line), ("stores", line_of("[%a+4]")));
}
