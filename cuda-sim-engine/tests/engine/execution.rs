//! Launches that are suspended and resumed.

use super::{Arg, Device};
use cuda_sim_engine::{Execution, FaultKind, Progress, SpareBlocks};

fn run_to_end(device: &mut Device, execution: &mut Execution, quantum: u64) -> u64 {
    for runs in 1.. {
        if device.go_on(execution, quantum).unwrap() == Progress::Finished {
            return runs;
        }
    }
    0
}

/// Kernel that computes sums in shared memory, in rounds with barriers, one sum for each block.
const SUMS: &str = ".reg .b32 %r<9>; .reg .b64 %d<4>; .reg .pred %p<3>; .shared .align 4 .b8 sm[512];
    ld.param.b64 %d0, [in]; ld.param.b64 %d1, [out];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;
    mad.lo.u32 %r3, %r1, %r2, %r0; mul.wide.u32 %d2, %r3, 4; add.s64 %d2, %d0, %d2;
    ld.global.u32 %r4, [%d2]; mov.u32 %r5, sm; shl.b32 %r6, %r0, 2; add.u32 %r5, %r5, %r6;
    st.shared.u32 [%r5], %r4; mov.u32 %r7, 64;
    AGAIN: bar.sync 0; setp.ge.u32 %p1, %r0, %r7; @%p1 bra SKIP;
    shl.b32 %r6, %r7, 2; add.u32 %r6, %r5, %r6; ld.shared.u32 %r6, [%r6]; ld.shared.u32 %r8, [%r5];
    add.u32 %r8, %r8, %r6; st.shared.u32 [%r5], %r8;
    SKIP: shr.u32 %r7, %r7, 1; setp.ne.u32 %p2, %r7, 0; @%p2 bra AGAIN;
    setp.ne.u32 %p1, %r0, 0; @%p1 bra DONE; mul.wide.u32 %d3, %r1, 4; add.s64 %d3, %d1, %d3;
    ld.shared.u32 %r8, [%r5]; st.global.u32 [%d3], %r8; DONE: ret;";

#[test]
fn launch_in_pieces_computes_same_result() {
    let mut device = Device::kernel(".param .b64 in, .param .b64 out", SUMS);
    let values: Vec<u32> = (0..128 * 9).map(|value: u32| value.wrapping_mul(2_654_435_761)).collect();
    let expected: Vec<u32> = values
        .chunks(128)
        .map(|block| block.iter().fold(0, |sum: u32, &value| sum.wrapping_add(value)))
        .collect();
    let input = device.alloc_u32(&values);
    let mut most = 0;
    for quantum in [1, 7, 64, 1000, u64::MAX] {
        for order in [None, Some(1), Some(2)] {
            let out = device.alloc_u32(&[0; 9]);
            let mut execution = device.begin("k", [9, 128], &[input, out], |launch| launch.order = order);
            let runs = run_to_end(&mut device, &mut execution, quantum);
            assert_eq!(device.u32s(out)[..9], expected, "quantum {quantum}");
            assert!(quantum < u64::MAX || runs == 1);
            most = most.max(runs);
            // After the end, further calls report the same.
            assert_eq!(device.go_on(&mut execution, 1), Ok(Progress::Finished));
        }
    }
    // Every warp has at least its turns before and after the barriers.
    assert!(most > 9 * 4 * 7, "{most}");
}

/// Each thread adds a word of shared memory, a word of local memory, its number and the first word of the input, and leaves
/// other values in these memories.
const LEAVES_VALUES: &str =
    ".reg .b32 %r<9>; .reg .b64 %d<4>; .shared .align 4 .b8 sm[256]; .local .align 4 .b8 lm[16];
    ld.param.b64 %d0, [in]; ld.param.b64 %d1, [out]; ld.global.u32 %r1, [%d0];
    mov.u32 %r0, %tid.y; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r0, %r0, %r2, %r3;
    shl.b32 %r4, %r0, 2; mov.u32 %r5, sm; add.u32 %r5, %r5, %r4;
    ld.shared.u32 %r6, [%r5]; ld.local.u32 %r7, [lm]; st.shared.u32 [%r5], %r1; st.local.u32 [lm], %r1;
    add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r3; add.u32 %r6, %r6, %r1;
    mul.wide.u32 %d2, %r0, 4; add.s64 %d2, %d1, %d2; st.global.u32 [%d2], %r6; ret;";

#[test]
fn launch_that_reuses_memory_computes_same_result() {
    let mut device = Device::kernel(".param .b64 in, .param .b64 out", LEAVES_VALUES);
    let mut spare = SpareBlocks::default();
    // Blocks of as many threads, and of another number.
    for (number, block) in
        [(1, [64, 1, 1]), (2, [64, 1, 1]), (3, [16, 4, 1]), (4, [32, 1, 1]), (5, [64, 1, 1])]
    {
        let threads = block.iter().product::<u32>();
        let (input, out) = (device.alloc_u32(&[100 * number]), device.alloc_u32(&vec![0; threads as usize]));
        let mut execution = device.begin("k", [3, threads], &[input, out], |launch| launch.block = block);
        execution.reuse(spare);
        run_to_end(&mut device, &mut execution, u64::MAX);
        spare = execution.take_spare_blocks();
        let expected: Vec<u32> = (0..threads).map(|thread| 100 * number + thread % block[0]).collect();
        assert_eq!(device.u32s(out)[..threads as usize], expected, "launch {number}");
    }
}

#[test]
fn kernel_that_waits_for_host_is_suspended() {
    let mut device = Device::kernel(
        ".param .b64 flag, .param .b64 out",
        ".reg .b32 %r<3>; .reg .b64 %d<3>; .reg .pred %p; ld.param.b64 %d0, [flag]; ld.param.b64 %d1, [out];
        WAIT: ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p, %r1, 0; @%p bra WAIT;
        atom.global.add.u32 %r2, [%d1], %r1; ret;",
    );
    let flag = device.alloc_u32(&[0]);
    let out = device.alloc_u32(&[0]);
    let mut execution = device.begin("k", [3, 64], &[flag, out], |_| {});
    for quantum in [1, 10, 1000, 100_000] {
        assert_eq!(device.go_on(&mut execution, quantum), Ok(Progress::Suspended));
    }
    // The driver may map more memory in between, at lower addresses too.
    device.alloc_first(&[0; 64]);
    assert_eq!(device.go_on(&mut execution, 1000), Ok(Progress::Suspended));
    device.write(flag, &5u32.to_le_bytes());
    assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
    assert_eq!(device.u32s(out)[0], 3 * 64 * 5);
}

#[test]
fn removed_memory_faults() {
    let mut device = Device::kernel(
        ".param .b64 flag",
        ".reg .b32 %r<3>; .reg .b64 %d<3>; .reg .pred %p; ld.param.b64 %d0, [flag];
        WAIT: ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p, %r1, 0; @%p bra WAIT; ret;",
    );
    device.alloc_u32(&[0]);
    let flag = device.alloc_u32(&[0]);
    let mut execution = device.begin("k", [2, 64], &[flag], |_| {});
    assert_eq!(device.go_on(&mut execution, 1000), Ok(Progress::Suspended));
    device.free_last();
    let fault = device.go_on(&mut execution, 1000).unwrap_err();
    assert_eq!(fault.kind, FaultKind::IllegalAddress);
    assert_eq!(device.go_on(&mut execution, 1000), Ok(Progress::Finished));
}

/// Kernel in which each block records its turn.
const TICKETS: &str = ".reg .b32 %r<4>; .reg .b64 %d<4>; ld.param.b64 %d0, [next]; ld.param.b64 %d1, [out];
    atom.global.add.u32 %r1, [%d0], 1; mov.u32 %r2, %ctaid.x; mul.wide.u32 %d2, %r2, 4; add.s64 %d2, %d1, %d2;
    st.global.u32 [%d2], %r1; ret;";

#[test]
fn lanes_that_skip_steps_join_the_others() {
    let mut device = Device::kernel(
        ".param .b64 out",
        ".reg .b32 %t, %m<8>; .reg .b64 %d<2>; .reg .pred %low, %high, %last; ld.param.b64 %d0, [out];
        mov.u32 %t, %tid.x; mul.wide.u32 %d1, %t, 32; add.u64 %d0, %d0, %d1; setp.lt.u32 %low, %t, 8;
        setp.ge.u32 %high, %t, 16; setp.eq.u32 %last, %t, 31;
        mov.u32 %m0, 0; mov.u32 %m2, 0; mov.u32 %m3, 0; mov.u32 %m5, 0; mov.u32 %m7, 0;
        @%low bra A; activemask.b32 %m0; A: activemask.b32 %m1;
        @%low bra B; @%high bra C; activemask.b32 %m2; B: activemask.b32 %m3; C: activemask.b32 %m4;
        @%low bra D; bra E; D: activemask.b32 %m5; E: activemask.b32 %m6;
        st.global.v4.u32 [%d0], {%m0, %m1, %m2, %m3}; st.global.v4.u32 [%d0+16], {%m4, %m5, %m6, %m7};
        @%low bra F; @%last exit; F: activemask.b32 %m7; st.global.u32 [%d0+28], %m7; ret;",
    );
    let out = device.alloc_u32(&[0; 256]);
    let mut execution = device.begin("k", [1, 32], &[out], |_| {});
    assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
    let all = u32::MAX;
    let expected: Vec<u32> = (0..32)
        .flat_map(|lane| {
            let of = |lanes: std::ops::Range<u32>, mask: u32| if lanes.contains(&lane) { mask } else { 0 };
            let middle = of(8..16, 0xff00);
            [of(8..32, !0xff), all, middle, of(0..16, 0xffff), all, of(0..8, 0xff), all, of(0..31, all >> 1)]
        })
        .collect();
    assert_eq!(device.u32s(out), expected);
}

#[test]
fn seed_decides_order_of_blocks() {
    let mut device = Device::kernel(".param .b64 next, .param .b64 out", TICKETS);
    let mut tickets = |order: Option<u64>| {
        let next = device.alloc_u32(&[0]);
        let out = device.alloc_u32(&[0; 40]);
        let mut execution = device.begin("k", [40, 1], &[next, out], |launch| launch.order = order);
        run_to_end(&mut device, &mut execution, u64::MAX);
        device.u32s(out)
    };
    let ascending: Vec<u32> = (0..40).collect();
    assert_eq!(tickets(None), ascending);
    let (first, again, second) = (tickets(Some(1)), tickets(Some(1)), tickets(Some(2)));
    assert_eq!(first, again);
    assert_ne!(first, second);
    for mut order in [first, second] {
        assert_ne!(order, ascending);
        order.sort_unstable();
        assert_eq!(order, ascending);
    }
}

#[test]
fn seed_decides_order_of_warps() {
    let mut device =
        Device::kernel(".param .b64 next, .param .b64 out", &TICKETS.replace("%ctaid.x", "%tid.x"));
    let mut tickets = |order: Option<u64>| {
        let next = device.alloc_u32(&[0]);
        let out = device.alloc_u32(&[0; 512]);
        let mut execution = device.begin("k", [1, 512], &[next, out], |launch| launch.order = order);
        run_to_end(&mut device, &mut execution, u64::MAX);
        device.u32s(out)
    };
    assert_eq!(tickets(None), (0..512).collect::<Vec<u32>>());
    assert_eq!(tickets(Some(3)), tickets(Some(3)));
    assert_ne!(tickets(Some(3)), tickets(Some(4)));
}

#[test]
fn execution_moves_between_threads() {
    fn sendable<T: Send>() {}
    sendable::<Execution>();
}

/// Runs a body for the threads of a warp; `%r0` is the index of the thread, `%r9` the result.
fn warp(body: &str) -> Vec<u32> {
    let mut device = Device::kernel(
        ".param .b64 out",
        &format!(
            ".reg .b32 %r<10>; .reg .b64 %d<4>; .reg .pred %p<8>; mov.u32 %r0, %tid.x; mov.u32 %r9, 0;\n\
             add.u32 %r1, %r0, 100; setp.lt.u32 %p0, %r0, 12; {body}\n\
             END: ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r9; ret;"
        ),
    );
    let out = device.alloc_u32(&[0; 32]);
    device.run("k", [1, 1, 1], [32, 1, 1], &[Arg::Buffer(out)]);
    device.u32s(out)[..32].to_vec()
}

#[test]
fn collectives_at_different_positions_meet() {
    type Expected = fn(u32) -> u32;
    // The operation of lanes 0 to 11, that of the others, and the results.
    let cases: [(&str, &str, Expected); 9] = [
        (
            "shfl.sync.bfly.b32 %r9|%p1, %r1, 16, 31, -1;",
            "add.u32 %r2, %r0, 200; shfl.sync.bfly.b32 %r9, %r2, 16, 31, -1;",
            |lane| (lane ^ 16) + if lane ^ 16 < 12 { 100 } else { 200 },
        ),
        (
            "shfl.sync.idx.b32 %r3|%p1, %r1, 40, 0x1f, -1; selp.b32 %r9, 1, 2, %p1;",
            "shfl.sync.idx.b32 %r9, %r1, 11, 0x1f, -1;",
            |lane| if lane < 12 { 1 } else { 111 },
        ),
        (
            "setp.lt.u32 %p1, %r0, 4; vote.sync.ballot.b32 %r9, %p1, -1;",
            "setp.lt.u32 %p2, %r0, 30; vote.sync.ballot.b32 %r9, !%p2, -1;",
            |_| 0xc000_000f,
        ),
        (
            "vote.sync.all.pred %p1, %p0, -1; selp.b32 %r9, 1, 2, %p1;",
            "vote.sync.all.pred %p2, %p0, -1; selp.b32 %r9, 3, 4, %p2;",
            |lane| if lane < 12 { 2 } else { 4 },
        ),
        (
            "and.b32 %r2, %r0, 1; match.any.sync.b32 %r9, %r2, -1;",
            "and.b32 %r3, %r0, 1; match.any.sync.b32 %r9, %r3, -1;",
            |lane| 0x5555_5555 << (lane & 1),
        ),
        (
            "mov.b64 %d2, 7; match.all.sync.b64 %r9|%p1, %d2, -1;",
            "mov.b64 %d3, 7; match.all.sync.b64 %r9, %d3, -1;",
            |_| u32::MAX,
        ),
        ("redux.sync.add.u32 %r9, %r0, -1;", "redux.sync.add.u32 %r9, %r1, -1;", |_| {
            (0..32).sum::<u32>() + 20 * 100
        }),
        (
            "elect.sync %r9|%p1, -1; @%p1 add.u32 %r9, %r9, 10;",
            "elect.sync %r9|%p2, -1; @%p2 add.u32 %r9, %r9, 10;",
            |lane| if lane == 0 { 10 } else { 0 },
        ),
        // Each half has a mask of its own, and does not wait for the other half.
        ("redux.sync.add.u32 %r9, %r0, 0xfff;", "redux.sync.add.u32 %r9, %r0, 0xfffff000;", |lane| {
            if lane < 12 { (0..12).sum() } else { (12..32).sum() }
        }),
    ];
    for (low, high, expected) in cases {
        let expected: Vec<u32> = (0..32).map(expected).collect();
        assert_eq!(warp(&format!("@%p0 bra LOW; {high} bra END; LOW: {low}")), expected, "{low}");
        assert_eq!(warp(&format!("@!%p0 bra HIGH; {low} bra END; HIGH: {high}")), expected, "{low}");
    }
    // One lane executes the operations of a loop, the first of them with the other lanes, which then leave.
    let lone = "elect.sync _|%p1, -1; @%p1 bra ONE; shfl.sync.idx.b32 %r9, %r1, 0, 31, -1; bra END;\n\
        ONE: mov.u32 %r2, 0; AGAIN: shfl.sync.idx.b32 %r3, %r2, 0, 31, -1; add.u32 %r9, %r9, %r3;\n\
        elect.sync _|%p2, -1; @%p2 add.u32 %r9, %r9, 1000; add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 4; @%p3 bra AGAIN;";
    assert_eq!(warp(lone), (0..32).map(|lane| if lane == 0 { 4006 } else { 0 }).collect::<Vec<_>>());
    // Functions at different depths.
    let ptx = ".version 7.0\n.target sm_80\n.address_size 64\n\
        .func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<3>; ld.param.b32 %r0, [a]; shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1; st.param.b32 [r], %r1; ret; }\n\
        .visible .entry k(.param .b64 out) { .reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p<2>; mov.u32 %r0, %tid.x;\n\
        and.b32 %r1, %r0, 1; setp.eq.u32 %p0, %r1, 0; @%p0 bra DIRECT;\n\
        { .param .b32 a; st.param.b32 [a], %r0; .param .b32 q; call.uni (q), f, (a); ld.param.b32 %r2, [q]; } bra END;\n\
        DIRECT: shfl.sync.bfly.b32 %r2, %r0, 1, 31, -1;\n\
        END: ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r2; ret; }";
    let mut device = Device::new(ptx);
    let out = device.alloc_u32(&[0; 32]);
    device.run("k", [1, 1, 1], [32, 1, 1], &[Arg::Buffer(out)]);
    assert_eq!(device.u32s(out)[..32], (0..32).map(|lane| lane ^ 1).collect::<Vec<u32>>());
}

#[test]
fn different_collectives_do_not_meet() {
    let cases = [
        ("shfl.sync.idx.b32 %r9, %r1, 0, 31, -1;", "shfl.sync.bfly.b32 %r9, %r1, 0, 31, -1;"),
        ("shfl.sync.idx.b32 %r9, %r1, 0, 31, -1;", "vote.sync.ballot.b32 %r9, %p0, -1;"),
        ("vote.sync.any.pred %p1, %p0, -1;", "vote.sync.all.pred %p1, %p0, -1;"),
        ("redux.sync.add.u32 %r9, %r0, -1;", "redux.sync.min.u32 %r9, %r0, -1;"),
    ];
    for (low, high) in cases {
        let body = format!(
            ".reg .b32 %r<10>; .reg .pred %p<2>; mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 12; @%p0 bra LOW;\n\
             {high} ret; LOW: {low} ret;"
        );
        let mut device = Device::kernel("", &body);
        let found = device.try_run("k", [1, 1, 1], [32, 1, 1], 0, &[]).unwrap_err();
        assert_eq!(found.kind, FaultKind::Deadlock, "{low}");
    }
}
