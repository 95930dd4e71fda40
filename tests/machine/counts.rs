//! Counts of what kernels execute on the software driver, and the beginning of profiling in its record of calls.

#![allow(clippy::unwrap_used, clippy::panic)]

use core::ffi::CStr;
use core::ptr::null_mut;
use cuda_sim::{Config, LaunchCounts, Machine};
use cuda_suite::call;
use cuda_suite::raw::{allocate, context, function, launch, machine, read, try_launch};
use cuda_sys::*;

const PTX: &CStr = c".version 6.4
.target sm_50
.address_size 64
.func (.reg .u32 %out) twice(.reg .u32 %in) {
    add.u32 %out, %in, %in;
    ret;
}
.visible .entry loops(.param .u64 out, .param .u32 turns) {
    .reg .b64 %a;
    .reg .b32 %r<3>;
    .reg .pred %p;
    ld.param.u64 %a, [out];
    ld.param.u32 %r0, [turns];
    mov.u32 %r1, 0;
again:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p, %r1, %r0;
    @%p bra again;
    st.global.u32 [%a], %r1;
    ret;
}
.visible .entry calls(.param .u64 out) {
    .reg .b64 %a;
    .reg .b32 %r<2>;
    ld.param.u64 %a, [out];
    mov.u32 %r0, 21;
    call (%r1), twice, (%r0);
    st.global.u32 [%a], %r1;
    ret;
}
.visible .entry parts(.param .u64 out) {
    .reg .b32 %r;
    .reg .pred %p;
    mov.u32 %r, %tid.x;
    setp.lt.u32 %p, %r, 10;
    @%p bra few;
    bar.sync 0;
    ret;
few:
    add.u32 %r, %r, 1;
    bar.sync 0;
    ret;
}
.visible .entry faults(.param .u64 out) {
    .reg .b64 %a;
    mov.u64 %a, 16;
    st.global.u64 [%a], %a;
    ret;
}
";

fn ready(config: Config) -> (Machine, cuda_sim::MachineGuard, CUdeviceptr) {
    let (machine, entered) = machine(config);
    context(0);
    let out = allocate(4);
    (machine, entered, out)
}

fn run(name: &CStr, threads: u32, params: &[u64]) {
    assert!(try_launch(function(PTX, name), threads, null_mut(), params).is_success());
    call!(cuCtxSynchronize());
}

fn of(counts: &LaunchCounts, kernel: &str) -> (u64, u64, u64) {
    let count = counts.kernels[kernel];
    (count.launches, count.instructions, count.thread_instructions)
}

#[test]
fn instructions_are_counted_by_kernel() {
    let (machine, _entered, out) = ready(Config::default());
    run(c"loops", 1, &[out, 5]);
    assert_eq!(machine.take_launch_counts(), LaunchCounts::default(), "counting is off by default");
    machine.count_instructions();
    run(c"loops", 1, &[out, 5]);
    assert_eq!(read(out), 5);
    run(c"loops", 64, &[out, 2]);
    run(c"calls", 32, &[out]);
    assert_eq!(read(out), 42);
    let counts = machine.take_launch_counts();
    let turns = |turns: u64| 3 + 3 * turns + 2;
    // No thread takes the last branch.
    let threads = (turns(5) - 1) + 64 * (turns(2) - 1);
    assert_eq!(of(&counts, "loops"), (2, turns(5) + 2 * turns(2), threads));
    // Instructions of the called function count for the kernel.
    assert_eq!(of(&counts, "calls"), (1, 7, 7 * 32));
    assert_eq!((counts.total.launches, counts.kernels.len()), (3, 2));
    assert_eq!(counts.total.instructions, turns(5) + 2 * turns(2) + 7);
    assert_eq!(machine.take_launch_counts(), LaunchCounts::default(), "they were taken");
    run(c"calls", 32, &[out]);
    assert_eq!(machine.take_launch_counts().total.launches, 1);
}

#[test]
fn threads_that_part_are_counted_where_they_are() {
    let (machine, _entered, out) = ready(Config::default());
    machine.count_instructions();
    run(c"parts", 32, &[out]);
    // Ten of the threads take the branch.
    let threads = 32 * 2 + 10 + 22 * 2 + 10 * 3;
    assert_eq!(of(&machine.take_launch_counts(), "parts"), (1, 3 + 2 + 3, threads));
}

#[test]
fn counts_are_the_same_with_any_number_of_threads() {
    let counts = [1, 4].map(|host_threads| {
        let (machine, _entered, out) = ready(Config { host_threads, ..Config::default() });
        machine.count_instructions();
        let kernel = function(PTX, c"loops");
        let (mut out, mut turns) = (out, 3000_u32);
        let mut params = [(&raw mut out).cast(), (&raw mut turns).cast()];
        call!(cuLaunchKernel(kernel, 16, 1, 1, 64, 1, 1, 0, null_mut(), params.as_mut_ptr(), null_mut()));
        call!(cuCtxSynchronize());
        machine.take_launch_counts()
    });
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[0].total.instructions, 32 * (5 + 3 * 3000));
}

#[test]
fn a_kernel_that_faults_is_counted_to_its_fault() {
    let (machine, _entered, out) = ready(Config { host_threads: 1, ..Config::default() });
    machine.count_instructions();
    assert!(try_launch(function(PTX, c"faults"), 1, null_mut(), &[out]).is_success());
    assert_eq!(cuda_suite::code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_eq!(of(&machine.take_launch_counts(), "faults"), (1, 2, 2));
}

#[test]
fn every_launch_has_a_line_in_the_file() {
    let path = std::env::temp_dir().join(format!("cuda-sim-counts-{}", std::process::id()));
    let text = format!("counts={}", path.display());
    let (machine, _entered, out) = ready(Config::from_text(&text).unwrap());
    run(c"calls", 64, &[out]);
    machine.reset();
    call!(cuInit(0));
    context(0);
    run(c"loops", 1, &[allocate(4), 1]);
    let lines = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(lines, "1 calls 0 14 448\n2 loops 0 8 7\n");
    assert_eq!(machine.take_launch_counts(), LaunchCounts::default());
}

#[test]
fn call_record_shows_start_and_end_of_profiling() {
    let (machine, _entered, out) = ready(Config::default());
    let kernel = function(PTX, c"calls");
    machine.record_calls();
    launch(kernel, null_mut(), &[out]);
    call!(cuProfilerStart());
    launch(kernel, null_mut(), &[out]);
    call!(cuProfilerStop());
    let functions: Vec<Symbol> = machine.take_calls().iter().map(|call| call.function).collect();
    let profiled = functions.split(|function| *function == Symbol::cuProfilerStart).nth(1).unwrap();
    assert_eq!(profiled, [Symbol::cuLaunchKernel, Symbol::cuProfilerStop]);
}
