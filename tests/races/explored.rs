//! Exploration finds each kind of forgotten wait, with the operation that is late.

use crate::{Variant, freed, raw, safe};
use cuda_sim::explore::{Exploration, Failure, Report};
use cuda_sim::{Config, KernelFault, Machine, Schedule};
use cuda_suite::raw::{context, function, launch, page_locked, stream};
use cuda_suite::{call, code};
use cuda_sys::{CUresult, cuCtxSynchronize};
use std::cell::Cell;
use std::sync::atomic::Ordering;

/// Runs of the replay of a failure.
const REPLAYS: usize = 100;

/// Explores a program, which returns whether its result is right.
fn explore(program: impl Fn() -> bool) -> Report {
    let scenario = || if program() { Ok(()) } else { Err("the result is wrong") };
    Exploration::new(scenario).config(Config { host_threads: 1, ..Config::default() }).run()
}

/// Returns whether a plain run of a program is right, with the line of a report as its setting.
fn is_right(report: &Report, program: &dyn Fn() -> bool) -> bool {
    let line = report.to_string().lines().find_map(|line| Some(line.split_once("CUDA_SIM=")?.1.to_owned()));
    let config = Config { host_threads: 1, ..Config::default() };
    let config = config.with_text(&line.expect("the report has a line")).expect("the line is a setting");
    let (_, _entered) = cuda_suite::raw::machine(config);
    program()
}

/// Checks that exploration finds a forgotten wait, and that its line reproduces the failure. The program that waits is right.
pub(crate) fn check(name: &str, wrong: &dyn Fn() -> bool, right: &dyn Fn() -> bool) -> Report {
    let runs = Cell::new(0);
    let report = explore(|| {
        runs.set(runs.get() + 1);
        wrong()
    });
    // One run does not count.
    println!(
        "{name}: found in run {} of exploration, {} runs to shorten",
        report.runs,
        runs.get() - 1 - report.runs
    );
    let failure = report.failure.as_ref().expect("it is found");
    assert_eq!(failure.finding, "the result is wrong");
    assert_eq!(failure.reorderings.len(), 1, "{report}");
    let failed = (0..REPLAYS).filter(|_| !is_right(&report, wrong)).count();
    assert_eq!(failed, REPLAYS, "{name}: {report}");
    assert!(is_right(&report, right), "{name}: {report}");
    report
}

fn check_variants(name: &str, program: fn(Variant) -> bool) -> [String; 2] {
    let variant = |waits, calls| move || program(Variant { waits, calls });
    [false, true].map(|calls| check(name, &variant(false, calls), &variant(true, calls)).to_string())
}

#[test]
fn copy_after_the_kernel_that_reads_is_explained() {
    let [plain, between] = check_variants("raw, copy then kernel", raw::copy_and_kernel);
    assert_eq!(
        plain,
        "2 runs of a scenario of 5 queued operations, the last failed\n\
         the result is wrong\n  \
           kernel `copy` on stream 2 (call 16) before cuMemcpyHtoDAsync_v2 on stream 1 (call 15)\n  \
           CUDA_SIM=schedule=replay:cuMemcpyHtoDAsync_v2-1@cuLaunchKernel-1\n  \
           CUDA_SIM=schedule=lazy"
    );
    assert!(between.ends_with(
        "\n  kernel `copy` on stream 2 (call 23) before cuMemcpyHtoDAsync_v2 on stream 1 (call 15)\n  \
           CUDA_SIM=schedule=replay:cuMemcpyHtoDAsync_v2-1@cuLaunchKernel-1"
    ));
}

/// The lazy schedule does not find it.
#[test]
fn fill_before_the_kernel_that_reads_is_explained() {
    let [plain, _] = check_variants("raw, fill too early", raw::kernel_and_fill);
    assert!(
        plain.ends_with(
            "\nthe result is wrong\n  \
               cuMemsetD32Async on stream 2 (call 16) before kernel `copy` on stream 1 (call 15)\n  \
               CUDA_SIM=schedule=replay:cuLaunchKernel-1@cuMemsetD32Async-1"
        ),
        "{plain}"
    );
}

#[test]
fn copy_that_the_host_does_not_wait_for_is_explained() {
    let [plain, _] = check_variants("raw, host overwrites too early", raw::host_overwrites);
    assert!(
        plain.ends_with(
            "\nthe result is wrong\n  \
               cuMemcpyHtoDAsync_v2 on stream 1 (call 11) not before cuStreamSynchronize (call 12)\n  \
               CUDA_SIM=schedule=replay:cuMemcpyHtoDAsync_v2-1\n  \
               CUDA_SIM=schedule=lazy"
        ),
        "{plain}"
    );
}

#[test]
fn other_kinds_are_found() {
    for (name, program) in [
        ("raw, kernel then copy", raw::kernel_and_copy as fn(Variant) -> bool),
        ("raw, host reads too early", raw::host_reads),
        ("raw, fill seen too late", raw::fill_and_kernel),
    ] {
        check_variants(name, program);
    }
}

#[test]
fn kinds_through_the_safe_layer_are_found() {
    for (name, program) in safe::PROGRAMS {
        let program = |waits| move || program(Variant { waits, calls: true }).is_ok_and(|is_right| is_right);
        check(name, &program(false), &program(true));
    }
}

#[test]
fn free_before_the_kernel_that_reads_is_found() {
    let program = |waits| move || freed::reads_used_memory(waits);
    let report = check("kernel, then free on another stream", &program(false), &program(true)).to_string();
    // The free is never late itself.
    assert!(
        report.contains("kernel `copy` on stream 2 (call ") && report.contains(") not before "),
        "{report}"
    );
}

#[test]
fn unregistering_under_a_copy_is_found() {
    let program = |waits| move || raw::unregister_under_copy(waits).is_success();
    check("raw, unregistered too early", &program(false), &program(true));
}

/// Three kernels that wait for nothing write down their order. Only the reverse order fails.
#[test]
fn order_of_two_late_kernels_is_found_by_a_seed() {
    const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry append(.param .u64 to, .param .u32 digit) {
            .reg .b64 %a; .reg .b32 %r; .reg .b32 %d;
            ld.param.u64 %a, [to]; ld.param.u32 %d, [digit]; ld.global.u32 %r, [%a];
            mad.lo.u32 %r, %r, 10, %d; st.global.u32 [%a], %r; ret; }";
    let is_not_reverse = || {
        context(0);
        let (append, (words, memory)) = (function(PTX, c"append"), page_locked(1));
        for (digit, on) in (1..).zip([(); 3].map(|()| stream(1))) {
            launch(append, on, &[memory, digit]);
        }
        call!(cuCtxSynchronize());
        words[0].load(Ordering::Relaxed) != 321
    };
    let report = explore(is_not_reverse);
    let Some(Failure { found_under: Schedule::Random(seed), shortest: Some(shortest), reorderings, .. }) =
        &report.failure
    else {
        panic!("{report}")
    };
    assert_eq!(
        shortest.to_string(),
        "replay:cuLaunchKernel-2@cuLaunchKernel-3+cuLaunchKernel-1@cuLaunchKernel-3"
    );
    let kernel = |number: u64| format!("kernel `append` on stream {number} (call {})", 8 + number);
    assert_eq!(
        *reorderings,
        [
            format!("{} before {}", kernel(3), kernel(2)),
            format!("{}, {} before {}", kernel(3), kernel(2), kernel(1)),
        ]
    );
    assert!(report.to_string().ends_with(&format!("\n  CUDA_SIM=schedule=random:{seed}")), "{report}");
    assert!((0..REPLAYS).all(|_| !is_right(&report, &is_not_reverse)), "{report}");
    assert_eq!(explore(is_not_reverse), report, "it is the same each time");
}

/// A count of two kernels is lost only if one runs between two instructions of the other.
#[test]
fn kernels_that_fail_piece_by_piece_have_a_seed_alone() {
    const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry count(.param .u64 to, .param .u32 delay) {
            .reg .b64 %a; .reg .b32 %r; .reg .b32 %n; .reg .pred %p;
            ld.param.u64 %a, [to]; ld.param.u32 %n, [delay]; ld.volatile.global.u32 %r, [%a];
            again: sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra again;
            add.u32 %r, %r, 1; st.volatile.global.u32 [%a], %r; ret; }";
    let is_complete = || {
        context(0);
        let (count, (words, memory)) = (function(PTX, c"count"), page_locked(1));
        for on in [(); 2].map(|()| stream(1)) {
            launch(count, on, &[memory, 1000]);
        }
        call!(cuCtxSynchronize());
        words[0].load(Ordering::Relaxed) == 2
    };
    let report = explore(is_complete);
    let Some(Failure { found_under, shortest: None, reorderings, .. }) = &report.failure else {
        panic!("{report}")
    };
    assert!(matches!(found_under, Schedule::Random(_)) && reorderings.is_empty(), "{report}");
    assert!(
        report.to_string().ends_with(&format!("\nthe result is wrong\n  CUDA_SIM=schedule={found_under}"))
    );
    assert!((0..REPLAYS).all(|_| !is_right(&report, &is_complete)), "{report}");
}

#[test]
fn failure_in_the_normal_order_is_found_at_once() {
    let report = explore(|| false);
    assert_eq!(
        report.to_string(),
        "1 run of a scenario of 0 queued operations, the last failed\nthe result is wrong\n  CUDA_SIM=schedule=eager"
    );
}

#[test]
fn report_of_the_machine_is_found() {
    const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry traps() {
            trap; }
        .visible .entry returns() { ret; }";
    let scenario = |kernel: &'static core::ffi::CStr, takes: bool| {
        move || {
            context(0);
            launch(function(PTX, kernel), stream(1), &[]);
            let _ = code!(cuCtxSynchronize());
            if takes {
                let _ = Machine::current().take_reports();
            }
            Ok::<(), String>(())
        }
    };
    let report = Exploration::new(scenario(c"traps", false)).seeds(2).run();
    let finding = &report.failure.as_ref().expect("it is found").finding;
    assert_eq!(finding, "reported: trap at PTX line 3 in kernel `traps`, block (0, 0, 0), thread (0, 0, 0)");
    let taken = Exploration::new(scenario(c"traps", true)).seeds(2).run();
    assert!(taken.is_ok(), "{taken}");
    let fault =
        KernelFault::new("returns", CUresult::CUDA_ERROR_LAUNCH_FAILED).expect("kernels fail with it");
    let config = Config { kernel_faults: vec![fault], ..Config::default() };
    let injected = Exploration::new(scenario(c"returns", false)).config(config).seeds(2).run();
    assert!(injected.is_ok(), "{injected}");
}

#[test]
fn correct_programs_pass_with_the_stated_runs() {
    let seeds = 50;
    for program in [raw::copy_and_kernel, raw::kernel_and_fill, raw::host_reads] {
        let report = explore(|| program(Variant { waits: true, calls: false }));
        assert!(report.is_ok(), "{report}");
        assert!((2 + seeds..=2 + seeds + report.operations).contains(&report.runs), "{report}");
    }
}
