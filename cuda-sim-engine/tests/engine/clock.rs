//! The clocks of kernels, the times of kernels by them, and the limit on kernels that do not end.

use super::Device;
use super::device::TIMING;
use cuda_sim_engine::{Fault, FaultKind, Progress};

/// Nanoseconds and cycles of a millisecond.
const MILLISECOND: u64 = 1_000_000;
const CYCLES: u64 = TIMING.kilohertz;

/// Runs a kernel with the address of its buffer in `%d0`, and some registers. Returns the words of the buffer and the
/// kernel's nanoseconds.
fn run(body: &str, [grid, block]: [u32; 2], at_once: u64) -> (Vec<u64>, u64) {
    let mut device = Device::kernel(
        ".param .b64 out",
        &format!(
            ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<4>; ld.param.b64 %d0, [out];\n{body}\nret;"
        ),
    );
    let out = device.alloc_u64(&[0; 64]);
    let mut execution = device.begin("k", [grid, block], &[out], |launch| launch.at_once = at_once);
    assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
    (device.u64s(out), execution.nanoseconds())
}

#[track_caller]
fn assert_about(found: u64, expected: u64, more: u64) {
    assert!((expected..=expected + more).contains(&found), "{found}, not {expected}");
}

#[test]
fn clocks_of_kernel_agree() {
    let spin = "mov.u64 %d1, %clock64; mov.u64 %d2, %globaltimer; AGAIN: mov.u64 %d3, %clock64; sub.u64 %d4, %d3, %d1; \
        setp.lt.u64 %p1, %d4, 6000000; @%p1 bra AGAIN; mov.u64 %d5, %globaltimer; \
        st.global.u64 [%d0], %d1; st.global.u64 [%d0+8], %d2; st.global.u64 [%d0+16], %d3; st.global.u64 [%d0+24], %d5;";
    let (found, nanoseconds) = run(spin, [1, 32], 1);
    // The kernel begins after a millisecond, and spins for three.
    assert_about(found[0], CYCLES, 1000);
    assert_about(found[1], MILLISECOND, 1000);
    assert_about(found[2] - found[0], 3 * CYCLES, 200);
    assert_about(found[3] - found[1], 3 * MILLISECOND, 200);
    assert_about(nanoseconds, 3 * MILLISECOND, 1000);
}

#[test]
fn clock_halves_equal_whole_clock() {
    let mut device = Device::kernel(
        ".param .b64 out",
        ".reg .b32 %r<9>; .reg .b64 %d0; ld.param.b64 %d0, [out]; mov.u32 %r1, %clock; mov.u32 %r2, %clock_hi; \
         mov.u32 %r3, %globaltimer_lo; mov.u32 %r4, %globaltimer_hi; st.global.v4.u32 [%d0], {%r1, %r2, %r3, %r4}; ret;",
    );
    let out = device.alloc_u32(&[0; 4]);
    let start = 7 << 32;
    let mut execution = device.begin("k", [1, 1], &[out], |launch| launch.timing.start = start);
    assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
    let found = device.u32s(out);
    assert!(found[0] < 1000 && found[2] < 1000, "{found:?}");
    assert_eq!([found[1], found[3]], [14, 7]);
}

#[test]
fn kernel_time_grows_with_its_work() {
    let work = "mov.u32 %r1, 1000; AGAIN: add.u32 %r2, %r2, 1; sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra AGAIN;";
    let (_, one) = run(work, [1, 32], 8);
    // 4000 steps, two in a nanosecond.
    assert_about(one, 2000, 100);
    // Eight blocks run at once. Twice as many take twice as long.
    assert_eq!(run(work, [8, 32], 8).1, one);
    assert_about(run(work, [16, 32], 8).1, 2 * one - 1, 1);
    // Warps of a block take turns.
    assert_about(run(work, [1, 64], 8).1, 2 * one - 50, 100);
}

#[test]
fn sleep_of_all_warps_takes_time_once() {
    let sleep = "mov.u32 %r1, %tid.x; mov.u64 %d1, %globaltimer; nanosleep.u32 300000; mov.u64 %d2, %globaltimer; \
        sub.u64 %d2, %d2, %d1; shr.u32 %r2, %r1, 5; mul.wide.u32 %d3, %r2, 8; add.s64 %d3, %d0, %d3; st.global.u64 [%d3], %d2;";
    let (found, nanoseconds) = run(sleep, [1, 1024], 1);
    for slept in &found[..32] {
        assert_about(*slept, 300_000, 5000);
    }
    assert_about(nanoseconds, 300_000, 5000);
    // A millisecond is the longest sleep, and the longest sleep of a warp counts.
    let long = sleep.replace("300000", "4000000000");
    assert_about(run(&long, [1, 32], 1).1, MILLISECOND, 1000);
    let each = sleep.replace("nanosleep.u32 300000", "mul.lo.u32 %r4, %r1, 1000; nanosleep.u32 %r4");
    assert_about(run(&each, [1, 32], 1).1, 31_000, 1000);
    // Threads that do not sleep continue.
    let some = "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; mov.u64 %d1, %clock64; @%p1 nanosleep.u32 500000; \
        mov.u64 %d2, %clock64; sub.u64 %d2, %d2, %d1; mul.wide.u32 %d3, %r1, 8; add.s64 %d3, %d0, %d3; st.global.u64 [%d3], %d2;";
    let (found, _) = run(some, [1, 32], 1);
    for (lane, took) in found[..32].iter().enumerate() {
        assert_eq!(*took > MILLISECOND / 2, lane == 3, "{lane}: {took}");
    }
}

#[test]
fn barrier_waits_for_sleeping_warps() {
    let body = ".shared .align 4 .b32 flag; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 bra WAIT; \
        nanosleep.u32 1000; mov.u32 %r2, 5; st.shared.u32 [flag], %r2; WAIT: bar.sync 0; ld.shared.u32 %r3, [flag]; \
        cvt.u64.u32 %d1, %r3; mul.wide.u32 %d3, %r1, 8; add.s64 %d3, %d0, %d3; st.global.u64 [%d3], %d1;";
    assert_eq!(run(body, [1, 64], 1).0, [5; 64]);
}

/// Returns the fault of a kernel that executes more than `limit` steps.
fn overrun(body: &str, shape: [u32; 2], limit: u64, workers: usize, order: Option<u64>) -> Fault {
    let mut device = Device::kernel(
        ".param .b64 out",
        &format!(
            ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<4>; ld.param.b64 %d0, [out];\n{body}\nret;"
        ),
    );
    let out = device.alloc_u64(&[0; 64]);
    let mut execution = device.begin("k", shape, &[out], |launch| {
        (launch.limit, launch.workers, launch.order) = (limit, workers, order);
    });
    let fault = loop {
        match device.go_on(&mut execution, 1 << 14) {
            Ok(Progress::Suspended) => {}
            Ok(Progress::Finished) => panic!("{body}: it has ended"),
            Err(fault) => break fault,
        }
    };
    // Nothing is left to run.
    assert_eq!(device.go_on(&mut execution, 1), Ok(Progress::Finished));
    fault
}

#[test]
fn endless_kernel_ends_at_limit() {
    for body in [
        "\n\nHERE: bra HERE;",
        "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 ret;\n\nHERE: bra HERE;",
        "\n\nHERE: ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra HERE;",
        "\n\nHERE: nanosleep.u32 1000; bra HERE;",
        "\n\nHERE: mov.u64 %d1, %clock64; setp.ne.u64 %p1, %d1, 0; @%p1 bra HERE;",
    ] {
        for (workers, order) in [(1, None), (1, Some(4)), (2, None)] {
            for shape in [[1, 1], [3, 64]] {
                let found = overrun(body, shape, 300_000, workers, order);
                assert_eq!((found.kind, found.kernel.as_str()), (FaultKind::Timeout, "k"), "{body}");
                assert_eq!(found.line, 9, "{body}");
                let text = found.to_string();
                let said = "time limit reached: 300000 instructions, and no block has ended, in kernel `k`, PTX line 9, block (";
                assert!(text.starts_with(said), "{text}");
            }
        }
    }
    let lane =
        overrun("mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 7; @%p1 ret; A: bra A;", [1, 32], 1000, 1, None);
    assert_eq!(lane.thread, [7, 0, 0]);
}

#[test]
fn limit_restarts_when_block_ends() {
    // Each block executes some 40000 steps.
    let body = "mov.u32 %r1, 10000; A: sub.u32 %r1, %r1, 1; add.u32 %r2, %r2, %r1; setp.ne.u32 %p1, %r1, 0; @%p1 bra A;";
    for (workers, limit) in [(1, 50_000), (2, 100_000)] {
        let mut device = Device::kernel(
            ".param .b64 out",
            &format!(".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<4>; {body} ret;"),
        );
        let out = device.alloc_u64(&[0]);
        let mut execution = device.begin("k", [100, 32], &[out], |launch| {
            (launch.limit, launch.workers) = (limit, workers);
        });
        assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
    }
    assert_eq!(overrun(body, [100, 32], 30_000, 1, None).kind, FaultKind::Timeout);
}

#[test]
fn limit_holds_for_counted_launch() {
    let mut device = Device::kernel(".param .b64 out", "A: bra A; ret;");
    let out = device.alloc_u64(&[0]);
    let counter = std::sync::Arc::<cuda_sim_engine::Counter>::default();
    let mut execution = device.begin("k", [1, 32], &[out], |launch| {
        (launch.limit, launch.counter) = (1000, Some(counter.clone()));
    });
    let found = device.go_on(&mut execution, u64::MAX).unwrap_err();
    assert_eq!(found.kind, FaultKind::Timeout);
    assert!((500..4000).contains(&counter.instructions()), "{}", counter.instructions());
}

#[test]
fn doubling_calls_end_at_limit() {
    // Each function calls the one before twice: no loop, and 2^17 calls.
    let kernels = [
        ("direct", ".func f0() { ret; }\n", "call f{0};", "call f17;"),
        (
            "indirect",
            ".func f0() { ret; }\n",
            "{ .reg .b64 %d; S: .callprototype _ (); mov.u64 %d, f{0}; call %d, (), S; }",
            "call f17;",
        ),
    ];
    for (name, mut text, call, first) in
        kernels.map(|(name, text, call, first)| (name, text.to_owned(), call, first))
    {
        for index in 1..=17 {
            let call = call.replace("{0}", &(index - 1).to_string());
            text += &format!(".func f{index}() {{ {call} {call} ret; }}\n");
        }
        let ptx = format!(
            ".version 7.0 .target sm_70 .address_size 64\n{text}.visible .entry k() {{ {first} ret; }}"
        );
        for has_counter in [false, true] {
            let mut device = Device::new(&ptx);
            let begin = |device: &Device, limit| {
                device.begin("k", [1, 32], &[], |launch| {
                    launch.limit = limit;
                    launch.counter = has_counter.then(std::sync::Arc::default);
                })
            };
            let mut execution = begin(&device, 1 << 14);
            let found = device.go_on(&mut execution, u64::MAX).map_err(|fault| fault.kind);
            assert_eq!(found, Err(FaultKind::Timeout), "{name}");
            // Without a limit, each turn still ends.
            let mut execution = begin(&device, u64::MAX);
            assert_eq!(device.go_on(&mut execution, 1 << 12), Ok(Progress::Suspended), "{name}");
        }
    }
}
