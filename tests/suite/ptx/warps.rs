//! Divergence, and operations of all lanes of a warp.

use super::{Arg, Device};

/// Runs a body for some threads; `%r0` is the index of the thread, `%r9` the result.
fn run(body: &str, threads: u32) -> Vec<u32> {
    let mut device = Device::kernel(
        ".param .b64 out",
        &format!(
            ".reg .b32 %r<20>; .reg .b64 %d<8>; .reg .pred %p<8>;\n\
             mov.u32 %r0, %tid.x; mov.u32 %r9, 0;\n{body}\n\
             ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r9; ret;"
        ),
    );
    let out = device.alloc_u32(&vec![0xdead; threads as usize]);
    device.run("k", [1, 1, 1], [threads, 1, 1], &[Arg::Buffer(out)]);
    device.u32s(out)[..threads as usize].to_vec()
}

fn check(body: &str, threads: u32, expected: impl Fn(u32) -> u32) {
    let expected: Vec<u32> = (0..threads).map(expected).collect();
    assert_eq!(run(body, threads), expected, "{body}");
}

#[test]
fn nested_branches() {
    let body = "and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra EVEN;\n\
        and.b32 %r1, %r0, 2; setp.eq.u32 %p2, %r1, 0; @%p2 bra ODD0; add.u32 %r9, %r9, 3; bra JOIN;\n\
        ODD0: add.u32 %r9, %r9, 1; bra JOIN;\n\
        EVEN: setp.gt.u32 %p2, %r0, 20; @!%p2 bra SMALL; add.u32 %r9, %r9, 100;\n\
        SMALL: add.u32 %r9, %r9, 10;\n\
        JOIN: activemask.b32 %r2; popc.b32 %r2, %r2; mad.lo.u32 %r9, %r2, 1000, %r9;";
    // After the branches all lanes are together again.
    check(body, 64, |lane| {
        let value = match (lane % 2, lane & 2) {
            (1, 0) => 1,
            (1, _) => 3,
            _ if lane > 20 => 110,
            _ => 10,
        };
        value + 32_000
    });
}

#[test]
fn loops_with_different_counts() {
    let body = "and.b32 %r1, %r0, 7; mov.u32 %r2, 0;\n\
        LOOP: setp.ge.u32 %p1, %r2, %r1; @%p1 bra DONE; add.u32 %r2, %r2, 1; mad.lo.u32 %r9, %r2, %r2, %r9; bra LOOP;\n\
        DONE: bar.warp.sync -1; activemask.b32 %r3; setp.eq.u32 %p2, %r3, -1; @%p2 add.u32 %r9, %r9, 1000;";
    check(body, 96, |lane| (1..=lane % 8).map(|step| step * step).sum::<u32>() + 1000);
    // The inner count depends on the outer one; some lanes leave early.
    let body = "mov.u32 %r1, 0;\n\
        OUTER: mov.u32 %r2, 0;\n\
        INNER: setp.ge.u32 %p1, %r2, %r1; @%p1 bra NEXT; add.u32 %r9, %r9, 1; add.u32 %r2, %r2, 1;\n\
        setp.gt.u32 %p2, %r9, %r0; @%p2 bra OUT; bra INNER;\n\
        NEXT: add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 6; @%p3 bra OUTER;\n\
        OUT:";
    check(body, 40, |lane| {
        let mut count = 0;
        'out: for outer in 0..6 {
            for _ in 0..outer {
                count += 1;
                if count > lane {
                    break 'out;
                }
            }
        }
        count
    });
}

#[test]
fn early_exit() {
    // Lanes that are gone are not waited for.
    let body = "rem.u32 %r1, %r0, 3; setp.eq.u32 %p1, %r1, 0; @%p1 exit; bar.warp.sync 0xffffffff; bar.sync 0;\n\
        vote.sync.ballot.b32 %r9, %p1, 0xffffffff; activemask.b32 %r2; xor.b32 %r9, %r9, %r2;";
    let values = run(body, 64);
    for (lane, &value) in values.iter().enumerate() {
        let warp = lane / 32 * 32;
        let alive =
            (0..32).filter(|other| (warp + other) % 3 != 0).fold(0u32, |mask, other| mask | 1 << other);
        assert_eq!(value, if lane % 3 == 0 { 0xdead } else { alive }, "lane {lane}");
    }
    // All threads of one warp leave; the others pass the barrier.
    let body = "setp.lt.u32 %p1, %r0, 32; @%p1 ret; bar.sync 0; mov.u32 %r9, 5;";
    let values = run(body, 96);
    assert!(
        values[..32].iter().all(|&value| value == 0xdead) && values[32..].iter().all(|&value| value == 5)
    );
}

#[test]
fn branch_tables() {
    let body = "T: .branchtargets A, B, C, B; and.b32 %r1, %r0, 3; setp.gt.u32 %p1, %r0, 29; @%p1 bra D;\n\
        brx.idx %r1, T;\n A: add.u32 %r9, %r9, 1; B: add.u32 %r9, %r9, 10; C: add.u32 %r9, %r9, 100; D:";
    check(body, 32, |lane| if lane > 29 { 0 } else { [111, 110, 100, 110][lane as usize % 4] });
}

#[test]
fn shuffles() {
    type Source = fn(u32, u32) -> Option<u32>;
    // Mode, offset or lane, clamp and segment, and the lane that each lane reads.
    let cases: [(&str, u32, u32, Source); 12] = [
        ("down", 1, 31, |lane, b| Some(lane + b).filter(|other| *other < 32)),
        ("down", 16, 31, |lane, b| Some(lane + b).filter(|other| *other < 32)),
        ("up", 1, 0, |lane, b| lane.checked_sub(b)),
        ("up", 5, 0, |lane, b| lane.checked_sub(b)),
        ("bfly", 7, 31, |lane, b| Some(lane ^ b)),
        ("bfly", 16, 31, |lane, b| Some(lane ^ b)),
        ("idx", 9, 31, |_, b| Some(b)),
        // Segments of eight: the upper bits of the third operand.
        ("down", 3, 0x1807, |lane, b| {
            Some(lane % 8 + b).filter(|other| *other < 8).map(|other| lane / 8 * 8 + other)
        }),
        ("up", 3, 0x1800, |lane, b| (lane % 8).checked_sub(b).map(|other| lane / 8 * 8 + other)),
        ("bfly", 5, 0x1807, |lane, b| Some(lane ^ b)),
        ("idx", 11, 0x1807, |lane, b| Some(lane / 8 * 8 + b % 8)),
        // A clamp in the middle of the segment.
        ("idx", 20, 15, |lane, b| Some(b).filter(|_| lane == 99)),
    ];
    for (mode, b, c, source) in cases {
        let body = format!(
            "mul.lo.u32 %r1, %r0, 3; shfl.sync.{mode}.b32 %r2|%p1, %r1, {b}, {c:#x}, -1; selp.b32 %r3, 1000, 0, %p1; add.u32 %r9, %r2, %r3;"
        );
        check(&body, 32, |lane| match source(lane, b) {
            Some(other) => other * 3 + 1000,
            None => lane * 3,
        });
    }
    // The offset differs from lane to lane, and comes from a register.
    check("shfl.sync.idx.b32 %r9, %r0, %r0, 31, 0xffffffff;", 32, |lane| lane);
    check("xor.b32 %r1, %r0, 3; shfl.sync.idx.b32 %r9, %r0, %r1, 31, 0xffffffff;", 32, |lane| lane ^ 3);
}

#[test]
fn shuffles_wait_for_their_members() {
    // Lanes arrive by different ways and at different times.
    let body = "setp.lt.u32 %p1, %r0, 16; mov.u32 %r2, 0; @%p1 bra MEET;\n\
        SLOW: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r0; @%p2 bra SLOW;\n\
        MEET: add.u32 %r1, %r0, 100; shfl.sync.bfly.b32 %r9, %r1, 16, 31, 0xffffffff;";
    check(body, 32, |lane| (lane ^ 16) + 100);
    // Two halves, each with a mask of its own.
    let body = "setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW; shfl.sync.bfly.b32 %r9, %r0, 8, 31, 0xffff0000; bra DONE;\n\
        LOW: shfl.sync.bfly.b32 %r9, %r0, 1, 31, 0x0000ffff; DONE:";
    check(body, 32, |lane| if lane < 16 { lane ^ 1 } else { lane ^ 8 });
    // One instruction, two masks.
    let body = "setp.lt.u32 %p1, %r0, 16; selp.b32 %r1, 0xffff, 0xffff0000, %p1; mov.u32 %r2, 1; setp.ge.u32 %p2, %r0, 0;\n\
        vote.sync.ballot.b32 %r9, %p2, %r1;";
    check(body, 32, |lane| if lane < 16 { 0xffff } else { 0xffff_0000 });
}

#[test]
fn votes() {
    let body = "setp.gt.u32 %p1, %r0, 9; setp.lt.u32 %p2, %r0, 100;\n\
        vote.sync.all.pred %p3, %p1, -1; @%p3 add.u32 %r9, %r9, 1; vote.sync.all.pred %p3, %p2, -1; @%p3 add.u32 %r9, %r9, 2;\n\
        vote.sync.any.pred %p3, %p1, -1; @%p3 add.u32 %r9, %r9, 4; vote.sync.any.pred %p3, !%p2, -1; @%p3 add.u32 %r9, %r9, 8;\n\
        vote.sync.uni.pred %p3, %p1, -1; @%p3 add.u32 %r9, %r9, 16; vote.sync.uni.pred %p3, !%p2, -1; @%p3 add.u32 %r9, %r9, 32;\n\
        vote.sync.ballot.b32 %r1, !%p1, -1; mad.lo.u32 %r9, %r1, 64, %r9;";
    check(body, 32, |_| 2 + 4 + 32 + 0x3ff * 64);
    check("activemask.b32 %r9; vote.sync.ballot.b32 %r1, 1, -1; xor.b32 %r9, %r9, %r1;", 20, |_| 0);
}

#[test]
fn matches() {
    let body = "rem.u32 %r1, %r0, 5; match.any.sync.b32 %r9, %r1, -1;";
    check(body, 32, |lane| {
        (0..32).filter(|other| other % 5 == lane % 5).fold(0, |mask, other| mask | 1 << other)
    });
    let body =
        "rem.u32 %r1, %r0, 2; cvt.u64.u32 %d2, %r1; shl.b64 %d2, %d2, 40; match.any.sync.b64 %r9, %d2, -1;";
    check(body, 32, |lane| if lane % 2 == 0 { 0x5555_5555 } else { 0xaaaa_aaaa });
    let body = "mov.u32 %r1, 7; match.all.sync.b32 %r2|%p1, %r1, -1; match.all.sync.b32 %r3|%p2, %r0, -1;\n\
        mov.u32 %r9, %r2; @!%p1 mov.u32 %r9, 1; @%p2 mov.u32 %r9, 2; add.u32 %r9, %r9, %r3;";
    check(body, 32, |_| u32::MAX);
}

#[test]
fn reductions() {
    let values = |lane: u32| lane.wrapping_mul(0x9e37_79b9) ^ 0x8000_0000;
    let all: Vec<u32> = (0..32).map(values).collect();
    let start = "mul.lo.u32 %r1, %r0, 0x9e3779b9; xor.b32 %r1, %r1, 0x80000000;";
    let cases: [(&str, u32); 8] = [
        ("add.u32", all.iter().fold(0, |a, b| a.wrapping_add(*b))),
        ("add.s32", all.iter().fold(0, |a, b| a.wrapping_add(*b))),
        ("min.u32", all.iter().copied().min().unwrap()),
        ("max.u32", all.iter().copied().max().unwrap()),
        ("min.s32", all.iter().map(|value| *value as i32).min().unwrap() as u32),
        ("max.s32", all.iter().map(|value| *value as i32).max().unwrap() as u32),
        ("and.b32", all.iter().fold(u32::MAX, |a, b| a & b)),
        ("xor.b32", all.iter().fold(0, |a, b| a ^ b)),
    ];
    for (op, expected) in cases {
        check(&format!("{start} redux.sync.{op} %r9, %r1, -1;"), 32, |_| expected);
    }
    // Only some lanes take part.
    let body = "setp.ge.u32 %p1, %r0, 8; @%p1 bra OUT; redux.sync.or.b32 %r9, %r0, 0xff; OUT:";
    check(body, 32, |lane| if lane < 8 { 7 } else { 0 });
    let body = "elect.sync %r9|%p1, 0xfffffff0; @%p1 add.u32 %r9, %r9, 100;";
    let body = format!("setp.lt.u32 %p2, %r0, 4; @%p2 bra OUT; {body} OUT:");
    check(&body, 32, |lane| {
        if lane < 4 {
            0
        } else if lane == 4 {
            104
        } else {
            4
        }
    });
}

#[test]
fn warp_barriers() {
    // The barrier of one warp, passed at two places.
    let body = ".shared .b32 cell[64]; mov.u32 %r1, cell; mad.lo.u32 %r1, %r0, 4, %r1; and.b32 %r2, %r0, 1;\n\
        setp.eq.u32 %p1, %r2, 0; @%p1 bra EVEN;\n\
        st.shared.b32 [%r1], %r0; bar.warp.sync -1; ld.shared.b32 %r9, [%r1+-4]; bra DONE;\n\
        EVEN: add.u32 %r3, %r0, 100; st.shared.b32 [%r1], %r3; bar.warp.sync -1; ld.shared.b32 %r9, [%r1+4]; DONE:";
    check(body, 64, |lane| if lane % 2 == 0 { lane + 1 } else { lane + 99 });
}

#[test]
fn lanes_that_wait_for_each_other() {
    // A lock that the lanes of one warp take in turn, and one that only a lane that comes later opens.
    let body = ".shared .b32 lock; .shared .b32 count; setp.ne.u32 %p1, %r0, 0; @!%p1 st.shared.b32 [lock], 0; @!%p1 st.shared.b32 [count], 0; bar.sync 0;\n\
        TRY: atom.shared.cas.b32 %r1, [lock], 0, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra TRY;\n\
        ld.shared.b32 %r2, [count]; add.u32 %r2, %r2, 1; st.shared.b32 [count], %r2; atom.shared.exch.b32 %r1, [lock], 0;\n\
        bar.sync 0; ld.shared.b32 %r9, [count];";
    check(body, 70, |_| 70);
    let body = ".shared .b32 flag; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.b32 [flag], 0; bar.sync 0; setp.eq.u32 %p1, %r0, 63; @%p1 bra OPEN;\n\
        WAIT: ld.volatile.shared.b32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0; @%p2 nanosleep.u32 20; @%p2 bra WAIT; bra DONE;\n\
        OPEN: st.volatile.shared.b32 [flag], 5; ld.shared.b32 %r1, [flag]; DONE: mov.u32 %r9, %r1;";
    check(body, 64, |_| 5);
}

#[test]
fn special_registers() {
    let body = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y; mov.u32 %r6, %nctaid.z;\n\
        mov.v4.u32 {%r7, %r8, %r9, %r10}, %tid; mov.u32 %r11, %ntid.x; mov.u32 %r12, %ntid.y; mov.u32 %r13, %ntid.z;\n\
        mad.lo.u32 %r14, %r9, %r12, %r8; mad.lo.u32 %r14, %r14, %r11, %r7;\n\
        mad.lo.u32 %r15, %r3, %r5, %r2; mad.lo.u32 %r15, %r15, %r4, %r1; mul.lo.u32 %r16, %r11, %r12; mul.lo.u32 %r16, %r16, %r13; mad.lo.u32 %r15, %r15, %r16, %r14;\n\
        mov.u32 %r17, %laneid; and.b32 %r18, %r14, -32; add.u32 %r17, %r17, %r18; sub.u32 %r17, %r14, %r17;\n\
        mov.u32 %r18, %lanemask_lt; popc.b32 %r18, %r18; mov.u32 %r19, %laneid; sub.u32 %r18, %r18, %r19; add.u32 %r17, %r17, %r18; add.u32 %r17, %r17, %r10;\n\
        mul.lo.u32 %r18, %r6, 0; add.u32 %r17, %r17, %r18; ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r15, 4; add.s64 %d0, %d0, %d1; add.u32 %r17, %r17, %r15; st.global.b32 [%d0], %r17; ret;";
    let mut device =
        Device::kernel(".param .b64 out", &format!(".reg .b32 %r<20>; .reg .b64 %d<8>;\n{body}"));
    let count = 2 * 3 * 2 * 5 * 4 * 3;
    let out = device.alloc_u32(&vec![0xdead; count]);
    device.run("k", [2, 3, 2], [5, 4, 3], &[Arg::Buffer(out)]);
    let expected: Vec<u32> = (0..count as u32).collect();
    assert_eq!(device.u32s(out)[..count], expected);
}

#[test]
fn clocks_move_on() {
    let body = "mov.u64 %d2, %clock64; mov.u32 %r1, %clock; SPIN: mov.u64 %d3, %clock64; sub.u64 %d4, %d3, %d2; setp.lt.u64 %p1, %d4, 1000; @%p1 bra SPIN;\n\
        mov.u64 %d5, %globaltimer; setp.gt.u64 %p2, %d3, %d2; selp.b32 %r9, 1, 0, %p2;";
    check(body, 32, |_| 1);
}
