//! Barrier objects in memory, and copies that are made in the background.

use super::{Arg, Device};
use crate::alone;

/// Runs a body in one block. `%r0` is the thread, `gate` a barrier object, `tile` 4 KiB of shared memory. `%in` is the address of
/// 1024 words that count up. `%r9` and `%d9` are the results.
fn run(body: &str, threads: u32) -> Vec<u64> {
    run_with("", body, threads)
}

/// The same, with directives of the kernel's.
fn run_with(directives: &str, body: &str, threads: u32) -> Vec<u64> {
    let mut device = Device::kernel_with(
        directives,
        ".param .b64 in, .param .b64 out",
        &format!(
            ".reg .b32 %r<20>; .reg .b64 %d<20>, %in, %o; .reg .pred %p<8>;\n\
             .shared .align 128 .b8 tile[4096]; .shared .align 8 .b64 gate, other;\n\
             mov.u32 %r0, %tid.x; mov.u32 %r9, 0; mov.u64 %d9, 0; ld.param.b64 %in, [in]; ld.param.b64 %o, [out];\n\
             setp.eq.u32 %p0, %r0, 0;\n{body}\n\
             mul.wide.u32 %d0, %r0, 16; add.s64 %o, %o, %d0; st.global.b32 [%o], %r9; st.global.b64 [%o+8], %d9; ret;"
        ),
    );
    let words: Vec<u32> = (0..1024).collect();
    let input = device.alloc_u32(&words);
    let out = device.alloc_u64(&vec![0; 2 * threads as usize]);
    device.run("k", [1, 1, 1], [threads, 1, 1], &[Arg::Buffer(input), Arg::Buffer(out)]);
    device.u64s(out)
}

/// The words in `%r9`.
fn words(body: &str, threads: u32) -> Vec<u32> {
    words_of(&run(body, threads))
}

fn words_of(results: &[u64]) -> Vec<u32> {
    results.chunks(2).map(|pair| pair[0] as u32).collect()
}

#[test]
fn phases_of_a_barrier_object() {
    // One thread: a phase is over after as many arrivals as the object waits for.
    let body = "mbarrier.init.shared.b64 [gate], 2;\n\
        mbarrier.test_wait.parity.shared.b64 %p1, [gate], 0; selp.b32 %r1, 1, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.test_wait.parity.shared.b64 %p1, [gate], 1; selp.b32 %r1, 2, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.arrive.shared.b64 %d1, [gate];\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d1; selp.b32 %r1, 4, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.arrive.shared.b64 %d2, [gate];\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d1; selp.b32 %r1, 8, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d2; selp.b32 %r1, 16, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.test_wait.parity.shared.b64 %p1, [gate], 0; selp.b32 %r1, 32, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.test_wait.parity.shared.b64 %p1, [gate], 1; selp.b32 %r1, 64, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.arrive.shared.b64 %d3, [gate], 2;\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d3; selp.b32 %r1, 128, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.inval.shared.b64 [gate];";
    assert_eq!(words(body, 1), [2 | 8 | 16 | 32 | 128]);
    // Later phases do not wait for a thread that has left.
    let body = "mbarrier.init.shared.b64 [gate], 2;\n\
        mbarrier.arrive_drop.shared.b64 %d1, [gate]; mbarrier.arrive.shared.b64 _, [gate];\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d1; selp.b32 %r1, 1, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.arrive.shared.b64 %d2, [gate];\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d2; selp.b32 %r1, 2, 0, %p1; or.b32 %r9, %r9, %r1;";
    assert_eq!(words(body, 1), [3]);
}

#[test]
fn bytes_that_are_expected() {
    let body = "mbarrier.init.shared.b64 [gate], 1;\n\
        mbarrier.arrive.expect_tx.shared.b64 %d1, [gate], 48;\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d1; selp.b32 %r1, 1, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [gate], 32;\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d1; selp.b32 %r1, 2, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [gate], 16;\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d1; selp.b32 %r1, 4, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.expect_tx.relaxed.cta.shared.b64 [gate], 8; mbarrier.arrive.shared.b64 %d2, [gate];\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d2; selp.b32 %r1, 8, 0, %p1; or.b32 %r9, %r9, %r1;\n\
        mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [gate], 8;\n\
        mbarrier.test_wait.shared.b64 %p1, [gate], %d2; selp.b32 %r1, 16, 0, %p1; or.b32 %r9, %r9, %r1;";
    assert_eq!(words(body, 1), [4 | 16]);
}

#[test]
fn threads_wait_for_each_other() {
    // Each phase every thread writes a word and reads that of another warp; waiting in both ways.
    let body = "@%p0 mbarrier.init.shared.b64 [gate], 128; bar.sync 0; mov.u32 %r1, 0;\n\
        shl.b32 %r2, %r0, 2; mov.u32 %r3, tile; add.u32 %r2, %r2, %r3; add.u32 %r4, %r0, 37; and.b32 %r4, %r4, 127;\n\
        shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r3;\n\
        ROUND: mad.lo.u32 %r5, %r1, 1000, %r0; st.shared.b32 [%r2], %r5;\n\
        mbarrier.arrive.shared.b64 %d1, [gate];\n\
        W1: mbarrier.try_wait.shared.b64 %p1, [gate], %d1; @!%p1 bra W1;\n\
        ld.shared.b32 %r6, [%r4]; add.u32 %r9, %r9, %r6;\n\
        mbarrier.arrive.shared.b64 _, [gate];\n\
        W2: mbarrier.try_wait.parity.shared.b64 %p1, [gate], 1, 100; @!%p1 bra W2;\n\
        add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 5; @%p2 bra ROUND;";
    let expected: Vec<u32> =
        (0..128).map(|thread| (0..5).map(|round| round * 1000 + (thread + 37) % 128).sum()).collect();
    assert_eq!(words(body, 128), expected);
}

#[test]
fn one_lane_waits_for_another() {
    // The waiting lanes and the arriving one are of one warp.
    let body = "@%p0 mbarrier.init.shared.b64 [gate], 1; bar.warp.sync -1; setp.eq.u32 %p1, %r0, 31; @%p1 bra ARRIVE;\n\
        WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0; @!%p2 bra WAIT; mov.u32 %r9, 7; bra DONE;\n\
        ARRIVE: mbarrier.arrive.shared.b64 _, [gate]; mov.u32 %r9, 8; DONE:";
    let found = words(body, 32);
    assert_eq!(found[31], 8);
    assert!(found[..31].iter().all(|&value| value == 7));
}

#[test]
fn copies_of_a_few_bytes() {
    for (size, cache) in [(4, "ca"), (8, "ca"), (16, "ca"), (16, "cg")] {
        let copy = |rest: &str| {
            format!(
                "mul.wide.u32 %d1, %r0, {size}; add.s64 %d1, %d1, %in; mul.lo.u32 %r1, %r0, {size}; mov.u32 %r2, tile;\n\
                 add.u32 %r1, %r1, %r2; mov.u32 %r3, 3; rem.u32 %r4, %r0, {size}; and.b32 %r5, %r0, 1; setp.ne.u32 %p1, %r5, 0;\n\
                 st.shared.b32 [%r1], -1; st.shared.b32 [%r1+{last}], -1;\n\
                 cp.async.{cache}.shared.global [%r1], [%d1], {size}{rest};\n\
                 cp.async.commit_group; cp.async.wait_group 0; ld.shared.b32 %r9, [%r1]; ld.shared.b32 %r6, [%r1+{last}]; cvt.u64.u32 %d9, %r6;",
                last = size - 4,
            )
        };
        let expect = |kept: &dyn Fn(u32) -> u32| -> Vec<u64> {
            let word = |thread: u32, word: u32| {
                let value = (thread * size / 4 + word).to_le_bytes();
                let part = |at: u32| {
                    if word * 4 + at < kept(thread) { u32::from(value[at as usize]) << (8 * at) } else { 0 }
                };
                u64::from((0..4).map(part).sum::<u32>())
            };
            (0..64).flat_map(|thread| [word(thread, 0), word(thread, size / 4 - 1)]).collect()
        };
        assert_eq!(run(&copy(""), 64), expect(&|_| size));
        assert_eq!(run(&copy(", %r4"), 64), expect(&|thread| thread % size));
        assert_eq!(run(&copy(", %p1"), 64), expect(&|thread| if thread % 2 == 1 { 0 } else { size }));
    }
}

#[test]
fn copies_that_arrive() {
    // The first kind arrives for the copies alone, the second for a thread that was counted.
    // A register of 32 bits holds an address of shared memory, also without the name of the space (conformance fact V1200).
    for (word, count) in [
        (".shared.b64 [gate]", "32"),
        (".noinc.shared.b64 [gate]", "64"),
        (".b64 [%r5]", "32"),
        (".noinc.b64 [%r5]", "64"),
        (".noinc.b64 [%d5]", "64"),
    ] {
        let body = format!(
            "mov.u32 %r5, gate; cvta.shared.u64 %d5, gate; @%p0 mbarrier.init.shared.b64 [gate], {count}; bar.sync 0;\n\
             mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d1, %in; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;\n\
             cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.mbarrier.arrive{word};\n\
             mbarrier.arrive.shared.b64 _, [gate];\n\
             WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [gate], 0; @!%p1 bra WAIT;\n\
             xor.b32 %r3, %r0, 21; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r2; ld.shared.b32 %r9, [%r3];"
        );
        let expected: Vec<u32> = (0..32).map(|thread| thread ^ 21).collect();
        assert_eq!(words(&body, 32), expected, "{word}");
    }
}

#[test]
fn bulk_copies() {
    // Global memory to shared memory, and back to another place.
    let body = "@!%p0 bra WAIT; mbarrier.init.shared.b64 [gate], 1; fence.mbarrier_init.release.cluster; fence.proxy.async;\n\
        mbarrier.arrive.expect_tx.shared.b64 _, [gate], 1024;\n\
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], 512, [gate];\n\
        add.s64 %d1, %in, 1024;\n\
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile+512], [%d1], 512, [gate];\n\
        WAIT: bar.sync 0;\n\
        AGAIN: mbarrier.try_wait.parity.shared.b64 %p1, [gate], 0; @!%p1 bra AGAIN;\n\
        shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; ld.shared.b32 %r9, [%r1];\n\
        add.u32 %r3, %r9, 5000; st.shared.b32 [%r1], %r3; fence.proxy.async.shared::cta; bar.sync 0; @!%p0 bra DONE;\n\
        add.s64 %d2, %in, 2048; cp.async.bulk.global.shared::cta.bulk_group [%d2], [tile], 1024;\n\
        cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n\
        DONE: bar.sync 0; mul.wide.u32 %d3, %r0, 4; add.s64 %d3, %d3, %in; ld.global.b32 %r4, [%d3+2048]; cvt.u64.u32 %d9, %r4;";
    let expected: Vec<u64> = (0..256)
        .flat_map(|thread| {
            let word = if thread < 128 { thread } else { thread + 128 };
            [word, word + 5000]
        })
        .collect();
    assert_eq!(run(body, 256), expected);
}

#[test]
fn bulk_reductions() {
    for (operation, apply) in [
        ("add.u32", (|a, b| a + b) as fn(u32, u32) -> u32),
        ("min.u32", |a, b| a.min(b)),
        ("max.s32", |a, b| a.max(b)),
        ("xor.b32", |a, b| a ^ b),
    ] {
        let body = format!(
            "shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; xor.b32 %r3, %r0, 19; st.shared.b32 [%r1], %r3;\n\
             fence.proxy.async; bar.sync 0; @!%p0 bra DONE;\n\
             cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation} [%in], [tile], 256;\n\
             cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n\
             DONE: bar.sync 0; mul.wide.u32 %d3, %r0, 4; add.s64 %d3, %d3, %in; ld.global.b32 %r9, [%d3];"
        );
        let expected: Vec<u32> = (0..64).map(|thread| apply(thread, thread ^ 19)).collect();
        assert_eq!(words(&body, 64), expected, "{operation}");
    }
}

/// Clusters of one block.
const CLUSTER: &str = ".reqnctapercluster 1, 1, 1";

/// Measured: without clusters these are no instructions.
#[test]
fn counted_stores_need_a_cluster() {
    alone("ptx::asynchronous::counted_stores_need_a_cluster", || {
        let mut device = Device::kernel(
            "",
            ".shared .align 8 .b64 gate; .shared .align 4 .b32 word; .reg .b32 %r<4>;\n\
             mov.u32 %r0, word; mov.u32 %r1, gate; mbarrier.init.shared.b64 [gate], 1;\n\
             st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r0], 77, [%r1]; ret;",
        );
        let error = device.try_run("k", [1, 1, 1], [1, 1, 1], 0, &[]).unwrap_err();
        assert_eq!(error.code(), Some(cuda_rt::error::Code::IllegalInstruction), "{error}");
    });
}

#[test]
fn counted_stores() {
    // Thread 0 waits for the bytes of all threads.
    let body = "@%p0 mbarrier.init.shared.b64 [gate], 1; bar.sync 0; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [gate], 512;\n\
        mov.u32 %r2, tile; shl.b32 %r1, %r0, 3; add.u32 %r1, %r1, %r2; mov.u32 %r3, gate; add.u32 %r4, %r0, 100;\n\
        mapa.shared::cluster.u32 %r5, %r1, 0; mapa.shared::cluster.u32 %r6, %r3, 0;\n\
        st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r5], {%r0, %r4}, [%r6];\n\
        AGAIN: mbarrier.try_wait.parity.shared.b64 %p1, [gate], 0; @!%p1 bra AGAIN;\n\
        ld.shared.v2.b32 {%r7, %r8}, [%r1]; mad.lo.u32 %r9, %r8, 1000, %r7;";
    let expected: Vec<u32> = (0..64).map(|thread| (thread + 100) * 1000 + thread).collect();
    assert_eq!(words_of(&run_with(CLUSTER, body, 64)), expected);
    let body = "@%p0 mbarrier.init.shared.b64 [gate], 1; @%p0 st.shared.b32 [tile], 0; bar.sync 0;\n\
        @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [gate], 256; mov.u32 %r2, tile; mov.u32 %r3, gate;\n\
        red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r2], %r0, [%r3];\n\
        AGAIN: mbarrier.try_wait.parity.shared.b64 %p1, [gate], 0; @!%p1 bra AGAIN; ld.shared.b32 %r9, [tile];";
    assert_eq!(words_of(&run_with(CLUSTER, body, 64)), [2016; 64]);
}

#[test]
fn a_cluster_of_one_block() {
    let body = "mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mad.lo.u32 %r9, %r1, 10, %r2;\n\
        mov.u32 %r3, tile; getctarank.shared::cluster.u32 %r4, %r3; mad.lo.u32 %r9, %r4, 100, %r9;\n\
        shl.b32 %r5, %r0, 2; add.u32 %r5, %r5, %r3; st.shared::cluster.b32 [%r5], %r0;\n\
        barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n\
        xor.b32 %r6, %r0, 65; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r3; ld.shared::cluster.b32 %r7, [%r6];\n\
        barrier.cluster.arrive; barrier.cluster.wait; st.shared.b32 [%r5], %r7; barrier.cluster.arrive.relaxed;\n\
        barrier.cluster.wait; ld.shared.b32 %r8, [%r6]; mad.lo.u32 %r9, %r8, 1000, %r9;";
    let expected: Vec<u32> = (0..128).map(|thread| 1 + 1000 * thread).collect();
    assert_eq!(words(body, 128), expected);
}
