//! Barriers of a block.

use super::{Arg, Device};

fn run(body: &str, blocks: u32, threads: u32) -> Vec<u32> {
    let mut device = Device::kernel(
        ".param .b64 out",
        &format!(
            ".reg .b32 %r<20>; .reg .b64 %d<8>; .reg .pred %p<8>; .shared .align 4 .b32 cell[256];\n\
             mov.u32 %r0, %tid.x; mov.u32 %r1, cell; mad.lo.u32 %r1, %r0, 4, %r1; mov.u32 %r9, 0;\n{body}\n\
             mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r2, %r2, %r3, %r0;\n\
             ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r2, 4; add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r9; ret;"
        ),
    );
    let count = (blocks * threads) as usize;
    let out = device.alloc_u32(&vec![0xdead; count]);
    device.run("k", [blocks, 1, 1], [threads, 1, 1], &[Arg::Buffer(out)]);
    device.u32s(out)[..count].to_vec()
}

#[test]
fn stores_are_seen_after_a_barrier() {
    for barrier in [
        "bar.sync 0",
        "barrier.sync 3",
        "barrier.cta.sync.aligned 15",
        "bar.sync %r10, 96",
        "barrier.sync.aligned 1, %r11",
    ] {
        let body = format!(
            "mov.u32 %r10, 4; mov.u32 %r11, 96; st.shared.b32 [%r1], %r0; {barrier};\n\
             add.u32 %r4, %r0, 37; rem.u32 %r4, %r4, 96; mov.u32 %r5, cell; mad.lo.u32 %r5, %r4, 4, %r5; ld.shared.b32 %r9, [%r5];"
        );
        let expected: Vec<u32> = (0..96).map(|lane| (lane + 37) % 96).collect();
        assert_eq!(run(&body, 1, 96), expected, "{barrier}");
    }
}

#[test]
fn barriers_in_loops() {
    // A sum that goes round: each step needs the one before.
    let body = "st.shared.b32 [%r1], %r0; mov.u32 %r6, 1;\n\
        STEP: bar.sync 0; setp.ge.u32 %p1, %r0, %r6; sub.u32 %r4, %r0, %r6; mov.u32 %r5, cell; mad.lo.u32 %r5, %r4, 4, %r5; mov.u32 %r7, 0; @%p1 ld.shared.b32 %r7, [%r5];\n\
        bar.sync 0; ld.shared.b32 %r8, [%r1]; add.u32 %r8, %r8, %r7; st.shared.b32 [%r1], %r8; shl.b32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 200; @%p2 bra STEP;\n\
        bar.sync 0; ld.shared.b32 %r9, [%r1];";
    let expected: Vec<u32> = (0..200u32).map(|lane| lane * (lane + 1) / 2).collect();
    let values = run(body, 3, 200);
    for block in values.chunks(200) {
        assert_eq!(block, expected);
    }
}

#[test]
fn part_of_a_block() {
    // Warps 0 and 1 meet at one barrier, 2 and 3 at another.
    let body = "st.shared.b32 [%r1], %r0; setp.lt.u32 %p1, %r0, 64; @%p1 bra LOW; bar.sync 2, 64; bra READ;\n\
        LOW: bar.sync 1, 64; READ: xor.b32 %r4, %r0, 32; mov.u32 %r5, cell; mad.lo.u32 %r5, %r4, 4, %r5; ld.shared.b32 %r9, [%r5];";
    let expected: Vec<u32> = (0..128).map(|lane| lane ^ 32).collect();
    assert_eq!(run(body, 2, 128), expected.repeat(2));
}

#[test]
fn producers_and_consumers() {
    // The first warp fills, the second waits and empties, twice over.
    let body = "mov.u32 %r10, 0; setp.lt.u32 %p1, %r0, 32; and.b32 %r4, %r0, 31; mov.u32 %r5, cell; mad.lo.u32 %r5, %r4, 4, %r5; @!%p1 bra CONSUME;\n\
        PRODUCE: bar.sync 2, 64; mad.lo.u32 %r6, %r10, 100, %r4; st.shared.b32 [%r5], %r6; bar.arrive 1, 64; add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 4; @%p2 bra PRODUCE; bra DONE;\n\
        CONSUME: bar.arrive 2, 64; bar.sync 1, 64; ld.shared.b32 %r6, [%r5]; add.u32 %r9, %r9, %r6; add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 4; @%p2 bra CONSUME; DONE:";
    let values = run(body, 1, 64);
    for (lane, &value) in values.iter().enumerate() {
        let expected = if lane < 32 { 0 } else { 4 * (lane as u32 - 32) + 600 };
        assert_eq!(value, expected, "lane {lane}");
    }
}

#[test]
fn reductions() {
    let body = "setp.lt.u32 %p1, %r0, 50; bar.red.popc.u32 %r4, 0, %p1; bar.red.and.pred %p2, 1, %p1; bar.red.or.pred %p3, 2, %p1; bar.red.and.pred %p4, 1, 100, !%p5;\n\
        setp.gt.u32 %p5, %r0, 1000; bar.red.popc.u32 %r5, 0, !%p5; bar.red.or.pred %p6, 3, 128, %p5;\n\
        mad.lo.u32 %r9, %r5, 1000, %r4; @%p2 add.u32 %r9, %r9, 1000000; @%p3 add.u32 %r9, %r9, 2000000; @%p6 add.u32 %r9, %r9, 4000000;";
    let body = body.replace("bar.red.and.pred %p4, 1, 100, !%p5;\n", "");
    let values = run(&body, 2, 128);
    assert!(values.iter().all(|&value| value == 50 + 128 * 1000 + 2_000_000), "{values:?}");
}

#[test]
fn odd_sizes_of_blocks() {
    for threads in [1, 31, 33, 100, 255, 256] {
        let body = "st.shared.b32 [%r1], %r0; bar.sync 0; mov.u32 %r4, %ntid.x; sub.u32 %r4, %r4, 1; sub.u32 %r4, %r4, %r0; mov.u32 %r5, cell; mad.lo.u32 %r5, %r4, 4, %r5; ld.shared.b32 %r9, [%r5]; bar.sync 0;";
        let expected: Vec<u32> = (0..threads).rev().collect();
        assert_eq!(run(body, 1, threads), expected, "{threads} threads");
    }
}

#[test]
fn blocks_that_wait_for_each_other() {
    // The first block spins until the last one has run.
    let body = "mov.u32 %r4, %ctaid.x; setp.ne.u32 %p1, %r4, 0; ld.param.b64 %d2, [flag]; @%p1 bra LAST;\n\
        WAIT: ld.volatile.global.u32 %r9, [%d2]; setp.eq.u32 %p2, %r9, 0; @%p2 bra WAIT; st.volatile.global.u32 [%d2+8], %r9; ret;\n\
        LAST: setp.ne.u32 %p1, %r4, 3; @%p1 bra DONE; st.volatile.global.u32 [%d2], 77; DONE: ret;";
    let mut device = Device::kernel(
        ".param .b64 flag",
        &format!(".reg .b32 %r<20>; .reg .b64 %d<8>; .reg .pred %p<8>; mov.u32 %r9, 0;\n{body}"),
    );
    let flag = device.alloc_u32(&[0; 4]);
    device.run("k", [4, 1, 1], [32, 1, 1], &[Arg::Buffer(flag)]);
    assert_eq!(device.u32s(flag)[0], 77);
    assert_eq!(device.u32s(flag)[2], 77);
}
