//! Clusters of several blocks: special registers, shared memory of other blocks, and barriers.

use super::Device;
use cuda_rt::error::Code;
use cuda_suite::code;
use cuda_sys::*;
use std::ptr::null_mut;

/// A kernel `k` whose one parameter is the buffer `out`. `%t` is the thread, `%rank` the rank of the block, and `%n` the blocks of the
/// cluster. `%o` is the address of a word of each thread of the grid. `tile` has 1 KiB.
fn kernel(directives: &str, body: &str) -> Device {
    Device::kernel_with(
        directives,
        ".param .b64 out",
        &format!(
            ".reg .b32 %r<20>, %t, %rank, %n, %tile; .reg .b64 %d<20>, %o; .reg .pred %p<8>;\n\
             .shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 gate; .shared .b32 counter;\n\
             ld.param.b64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x;\n\
             mad.lo.u32 %r0, %r0, %r1, %t; mul.wide.u32 %d0, %r0, 4; add.s64 %o, %o, %d0;\n\
             mov.u32 %rank, %cluster_ctarank; mov.u32 %n, %cluster_nctarank; mov.u32 %tile, tile;\n\
             setp.eq.u32 %p0, %t, 0;\n{body}\nret;"
        ),
    )
}

/// All threads of the cluster wait for each other.
const MEET: &str = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n";

/// The words that the threads of a grid of `blocks` blocks leave.
fn words(body: &str, blocks: u32, cluster: u32, threads: u32) -> Vec<u32> {
    let mut device = kernel("", body);
    let out = device.alloc_u32(&vec![u32::MAX; (blocks * threads) as usize]);
    device.run_in_clusters("k", [blocks, 1, 1], Some([cluster, 1, 1]), threads, out);
    device.u32s(out)
}

#[test]
fn special_registers_tell_the_place_in_the_cluster() {
    let names = [
        "%clusterid.x",
        "%clusterid.y",
        "%clusterid.z",
        "%nclusterid.x",
        "%nclusterid.y",
        "%nclusterid.z",
        "%cluster_ctaid.x",
        "%cluster_ctaid.y",
        "%cluster_ctaid.z",
        "%cluster_nctaid.x",
        "%cluster_nctaid.y",
        "%cluster_nctaid.z",
        "%cluster_ctarank",
        "%cluster_nctarank",
    ];
    let moves: String = (0..)
        .zip(names)
        .map(|(index, name)| format!("mov.u32 %r1, {name}; st.global.b32 [%o+{}], %r1;\n", 4 * index))
        .collect();
    let body = format!(
        ".reg .b32 %r<8>; .reg .b64 %o, %d; .reg .pred %p; ld.param.b64 %o, [out];\n\
         mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;\n\
         mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;\n\
         mad.lo.u32 %r2, %r3, %r5, %r2; mad.lo.u32 %r1, %r2, %r4, %r1; mul.wide.u32 %d, %r1, 64; add.s64 %o, %o, %d;\n\
         {moves} mov.pred %p, %is_explicit_cluster; selp.u32 %r1, 1, 0, %p; st.global.b32 [%o+56], %r1; ret;"
    );
    let mut device = Device::kernel(".param .b64 out", &body);
    let ([columns, rows, layers], [width, height, depth]) = ([6_u32, 4, 2], [3_u32, 2, 1]);
    let out = device.alloc_u32(&[0; 6 * 4 * 2 * 16]);
    device.run_in_clusters("k", [columns, rows, layers], Some([width, height, depth]), 1, out);
    let mut expected = Vec::new();
    for (z, y, x) in
        (0..layers).flat_map(|z| (0..rows).flat_map(move |y| (0..columns).map(move |x| (z, y, x))))
    {
        let [i, j, k] = [x % width, y % height, z % depth];
        expected.extend([x / width, y / height, z / depth]);
        expected.extend([columns / width, rows / height, layers / depth]);
        expected.extend([i, j, k, width, height, depth]);
        expected.extend([i + width * (j + height * k), width * height * depth, 1, 0]);
    }
    assert_eq!(device.u32s(out), expected);
    // Without clusters, each block is one.
    device.run_in_clusters("k", [2, 1, 1], None, 1, out);
    assert_eq!(device.u32s(out)[..16], [0, 0, 0, 2, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0]);
    assert_eq!(device.u32s(out)[16..32], [1, 0, 0, 2, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0]);
}

/// The block after this one in the cluster, in `%r2`.
const NEXT: &str = "add.u32 %r2, %rank, 1; setp.ge.u32 %p1, %r2, %n; @%p1 mov.u32 %r2, 0;\n";

#[test]
fn blocks_read_the_memory_of_others() {
    for (cluster, blocks) in [(1, 3), (2, 6), (4, 8), (8, 16)] {
        let expected: Vec<u32> = (0..blocks * 64)
            .map(|index| {
                let (block, thread) = (index / 64, index % 64);
                let next = block / cluster * cluster + (block + 1) % cluster;
                next * 1000 + thread
            })
            .collect();
        let put = "mov.u32 %r3, %ctaid.x; shl.b32 %r4, %t, 2; add.u32 %r4, %tile, %r4;\n\
            mad.lo.u32 %r3, %r3, 1000, %t; st.shared.b32 [%r4], %r3;\n";
        let by_offset = format!(
            "{put} {MEET} {NEXT} mapa.shared::cluster.u32 %r5, %r4, %r2; ld.shared::cluster.b32 %r6, [%r5];\n\
             st.global.b32 [%o], %r6; {MEET}"
        );
        assert_eq!(words(&by_offset, blocks, cluster, 64), expected, "{cluster}");
        let by_generic_address = format!(
            "{put} {MEET} {NEXT} cvta.shared.u64 %d1, tile; mul.wide.u32 %d2, %t, 4; add.s64 %d1, %d1, %d2;\n\
             mapa.u64 %d3, %d1, %r2; ld.b32 %r6, [%d3]; st.global.b32 [%o], %r6; {MEET}"
        );
        assert_eq!(words(&by_generic_address, blocks, cluster, 64), expected, "{cluster}");
    }
}

#[test]
fn blocks_write_the_memory_of_others() {
    // Each thread stores two words to the next block, and bytes beside them.
    let body = format!(
        "{NEXT} mapa.shared::cluster.u32 %r5, tile, %r2; shl.b32 %r4, %t, 4; add.u32 %r5, %r5, %r4;\n\
         shl.b32 %r6, %rank, 8; or.b32 %r6, %r6, %t; add.u32 %r7, %r6, 1;\n\
         {MEET} st.shared::cluster.v2.b32 [%r5], {{%r6, %r7}}; st.shared::cluster.b8 [%r5+8], %t;\n\
         st.shared::cluster.b16 [%r5+10], 77; {MEET}\n\
         add.u32 %r4, %tile, %r4; ld.shared.v2.b32 {{%r8, %r9}}, [%r4]; ld.shared.b8 %r10, [%r4+8];\n\
         ld.shared.u16 %r11, [%r4+10]; add.u32 %r8, %r8, %r9; add.u32 %r8, %r8, %r10; add.u32 %r8, %r8, %r11;\n\
         st.global.b32 [%o], %r8;"
    );
    let expected: Vec<u32> = (0..4 * 64)
        .map(|index| {
            let (rank, thread) = (index / 64 % 4, index % 64);
            let value = (rank + 3) % 4 * 256 + thread;
            value + value + 1 + thread + 77
        })
        .collect();
    assert_eq!(words(&body, 4, 4, 64), expected);
}

#[test]
fn atomics_reach_other_blocks() {
    // All threads add their number to a word of the first block, by an offset and by a generic address.
    let body = format!(
        "@%p0 st.shared.b32 [counter], 5; {MEET}\n\
         mapa.shared::cluster.u32 %r2, counter, 0; atom.shared::cluster.add.u32 %r3, [%r2], %t;\n\
         cvta.shared.u64 %d1, counter; mapa.u64 %d2, %d1, 0; red.relaxed.cluster.add.u32 [%d2], 1;\n\
         red.shared::cluster.max.u32 [%r2], 1;\n\
         {MEET} ld.shared::cluster.b32 %r4, [%r2]; st.global.b32 [%o], %r4; {MEET}"
    );
    let sum = 5 + 4 * (63 * 64 / 2) + 4 * 64;
    assert_eq!(words(&body, 8, 4, 64), vec![sum; 8 * 64]);
}

/// The old value that an operation on a word of the next block returns, and the word afterwards.
fn on_next_block(store: &str, operation: &str) -> Vec<u32> {
    let body = format!(
        "mov.u32 %r4, 0; @%p0 {store}; {MEET} {NEXT} mapa.shared::cluster.u32 %r3, tile, %r2;\n\
         @%p0 {operation}; {MEET} @!%p0 ld.shared.b32 %r4, [tile]; st.global.b32 [%o], %r4;"
    );
    words(&body, 2, 2, 2)
}

#[test]
fn atomics_of_each_kind_reach_other_blocks() {
    let minus_five = 5_u32.wrapping_neg();
    for (operation, old, new) in [
        ("add.u32 %r4, [%r3], 5", 40, 45),
        ("add.f32 %r4, [%r3], 0f3FC00000", 0x3f80_0000, 0x4020_0000),
        ("inc.u32 %r4, [%r3], 7", 7, 0),
        ("dec.u32 %r4, [%r3], 9", 0, 9),
        ("min.s32 %r4, [%r3], 3", minus_five, minus_five),
        ("max.s32 %r4, [%r3], 3", minus_five, 3),
        ("min.u32 %r4, [%r3], 3", minus_five, 3),
        ("and.b32 %r4, [%r3], 10", 12, 8),
        ("or.b32 %r4, [%r3], 10", 12, 14),
        ("xor.b32 %r4, [%r3], 10", 12, 6),
        ("exch.b32 %r4, [%r3], 10", 12, 10),
        ("cas.b32 %r4, [%r3], 12, 9", 12, 9),
        ("cas.b32 %r4, [%r3], 11, 9", 12, 12),
    ] {
        let store = format!("st.shared.b32 [tile], {old}");
        let found = on_next_block(&store, &format!("atom.shared::cluster.{operation}"));
        assert_eq!(found, [old, new, old, new], "{operation}");
    }
    for (operation, new) in [("add.u32", 45), ("max.s32", 40), ("and.b32", 0), ("xor.b32", 45)] {
        let found = on_next_block(
            "st.shared.b32 [tile], 40",
            &format!("red.relaxed.cluster.shared::cluster.{operation} [%r3], 5"),
        );
        assert_eq!(found, [0, new, 0, new], "{operation}");
    }
    // The upper word of the old value, and the lower word of the new one.
    for (operation, new) in [
        ("add.u64 %d4, [%r3], 5", 12),
        ("exch.b64 %d4, [%r3], 5", 5),
        ("cas.b64 %d4, [%r3], 17179869191, 6", 6),
        ("cas.b64 %d4, [%r3], 7, 6", 7),
    ] {
        let found = on_next_block(
            "st.shared.b64 [tile], 17179869191",
            &format!("atom.shared::cluster.{operation}; shr.u64 %d5, %d4, 32; @%p0 cvt.u32.u64 %r4, %d5"),
        );
        assert_eq!(found, [4, new, 4, new], "{operation}");
    }
}

#[test]
fn locks_exclude_threads_of_other_blocks() {
    // The lock and the word that it guards are in the first block. Each block adds its rank 10 times.
    let body = format!(
        "@%p0 st.shared.b32 [counter], 0; @%p0 st.shared.b32 [tile], 0; {MEET}\n\
         mapa.shared::cluster.u32 %r2, counter, 0; mapa.shared::cluster.u32 %r3, tile, 0; mov.u32 %r4, 0;\n\
         AGAIN: atom.acquire.cluster.shared::cluster.cas.b32 %r5, [%r2], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra AGAIN;\n\
         ld.shared::cluster.b32 %r6, [%r3]; add.u32 %r6, %r6, %rank; st.shared::cluster.b32 [%r3], %r6;\n\
         atom.release.cluster.shared::cluster.exch.b32 %r7, [%r2], 0;\n\
         add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 10; @%p2 bra AGAIN;\n\
         {MEET} ld.shared::cluster.b32 %r8, [%r3]; st.global.b32 [%o], %r8; {MEET}"
    );
    assert_eq!(words(&body, 8, 4, 1), [60; 8]);
}

#[test]
fn arrivals_of_each_kind_reach_other_blocks() {
    // The barrier object of each block expects three arrivals. The other block makes some of them.
    const TRANSFER: &str = "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r3], 64";
    for (arrivals, own) in [
        ("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3], 2".to_owned(), 1),
        ("mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%r3]".to_owned(), 2),
        (
            format!("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r3], 64; {TRANSFER}"),
            2,
        ),
        (
            format!(
                "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r3], 64;\n\
                 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3]; {TRANSFER}"
            ),
            2,
        ),
    ] {
        // A wait that never ends on hardware would hang it, so the number of tests is limited.
        let body = format!(
            "mbarrier.init.shared.b64 [gate], 3; fence.mbarrier_init.release.cluster; {MEET} {NEXT}\n\
             mapa.shared::cluster.u32 %r3, gate, %r2; mov.u32 %r4, 0;\n\
             {arrivals}; mbarrier.arrive.shared.b64 %d1, [gate], {own};\n\
             WAIT: add.u32 %r4, %r4, 1; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [gate], 0;\n\
             setp.lt.u32 %p3, %r4, 100000; @%p2 bra DONE; @%p3 bra WAIT;\n\
             DONE: selp.u32 %r5, 1, 2, %p2; st.global.b32 [%o], %r5; {MEET}"
        );
        assert_eq!(words(&body, 4, 2, 1), [1; 4], "{arrivals}");
    }
}

#[test]
fn bulk_copies_and_sums_reach_other_blocks() {
    // The first thread copies 256 bytes of global memory to the next block. It adds 256 bytes of its block to bytes there, and one word.
    let body = format!(
        "shl.b32 %r5, %t, 2; add.u32 %r6, %tile, %r5; st.shared.b32 [%r6], %t; add.u32 %r7, %rank, 10;\n\
         st.shared.b32 [%r6+256], %r7; st.shared.b32 [counter], 1; fence.proxy.async.shared::cta; bar.sync 0;\n\
         @%p0 mbarrier.init.shared.b64 [gate], 1; @%p0 fence.mbarrier_init.release.cluster;\n\
         @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [gate], 516; {MEET} {NEXT}\n\
         ld.param.b64 %d1, [out]; mapa.shared::cluster.u32 %r3, tile, %r2; mapa.shared::cluster.u32 %r4, gate, %r2;\n\
         mapa.shared::cluster.u32 %r8, counter, %r2; add.u32 %r9, %r3, 256; add.u32 %r10, %r3, 512;\n\
         @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%d1], 256, [%r4];\n\
         @%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r9], [%tile], 256, [%r4];\n\
         @%p0 red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r8], %r7, [%r4];\n\
         WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0; @!%p2 bra WAIT;\n\
         ld.shared.b32 %r11, [%r6+256]; ld.shared.b32 %r12, [%r6+512]; ld.shared.b32 %r13, [counter];\n\
         mad.lo.u32 %r11, %r11, 1000, %r12; mad.lo.u32 %r11, %r13, 1000000, %r11;\n\
         {MEET} st.global.b32 [%o], %r11;"
    );
    let mut device = kernel("", &body);
    let values: Vec<u32> = (0..128).map(|value| value + 100).collect();
    let out = device.alloc_u32(&values);
    device.run_in_clusters("k", [2, 1, 1], Some([2, 1, 1]), 64, out);
    let expected: Vec<u32> = (0..128)
        .map(|index| {
            let (rank, thread) = (index / 64, index % 64);
            (1 + 10 + 1 - rank) * 1_000_000 + (thread + 10 + rank) * 1000 + 100 + thread
        })
        .collect();
    assert_eq!(device.u32s(out), expected);
}

#[test]
fn addresses_tell_their_block() {
    let body = format!(
        "{NEXT} cvta.shared.u64 %d1, tile; mapa.u64 %d2, %d1, %r2; mapa.shared::cluster.u32 %r3, tile, %r2;\n\
         getctarank.u64 %r4, %d1; getctarank.u64 %r5, %d2; getctarank.shared::cluster.u32 %r6, %r3;\n\
         mad.lo.u32 %r9, %r4, 16, %r5; mad.lo.u32 %r9, %r9, 16, %r6;\n\
         isspacep.shared::cluster %p1, %d2; selp.u32 %r7, 0x1000, 0, %p1; or.b32 %r9, %r9, %r7;\n\
         isspacep.shared::cta %p1, %d2; selp.u32 %r7, 0x2000, 0, %p1; or.b32 %r9, %r9, %r7;\n\
         isspacep.shared::cluster %p1, %d1; selp.u32 %r7, 0x4000, 0, %p1; or.b32 %r9, %r9, %r7;\n\
         isspacep.shared::cta %p1, %d1; selp.u32 %r7, 0x8000, 0, %p1; or.b32 %r9, %r9, %r7;\n\
         isspacep.global %p1, %d2; selp.u32 %r7, 0x10000, 0, %p1; or.b32 %r9, %r9, %r7;\n\
         st.global.b32 [%o], %r9; {MEET}"
    );
    assert_eq!(words(&body, 2, 2, 1), [0xd011, 0xd100]);
}

/// The address of `tile` as each rank names it, in shared memory and as a generic address, and the ranks that addresses name.
#[test]
fn shared_addresses_have_the_rank_of_their_block() {
    let body = "st.global.b32 [%o], %tile; mov.u64 %d1, tile; cvta.shared.u64 %d1, %d1; cvta.to.shared.u64 %d2, %d1;\n\
        cvt.u32.u64 %r2, %d2; st.global.b32 [%o+4], %r2; cvt.u32.u64 %r3, %d1; st.global.b32 [%o+8], %r3;\n\
        getctarank.shared::cluster.u32 %r4, %tile; st.global.b32 [%o+12], %r4;\n\
        getctarank.u64 %r5, %d1; st.global.b32 [%o+16], %r5;\n\
        getctarank.shared::cluster.u32 %r6, 64; st.global.b32 [%o+20], %r6;\n\
        mapa.shared::cluster.u32 %r7, %tile, 300; st.global.b32 [%o+24], %r7;\n\
        mapa.u64 %d3, %d1, 0; isspacep.shared %p1, %d3; selp.u32 %r8, 1, 0, %p1; st.global.b32 [%o+28], %r8;";
    let rows = |words: Vec<u32>| words.chunks(8).map(<[u32]>::to_vec).collect::<Vec<_>>();
    let first = |body: &str| format!("setp.ne.u32 %p2, %t, 0; @%p2 bra END; {body}\nEND:");
    for (cluster, rank) in [(1, [0, 0, 0, 0]), (2, [0, 1, 0, 1]), (4, [0, 1, 2, 3])] {
        let rows = rows(words(&first(body), 4, cluster, 8));
        for (row, rank) in rows.iter().zip(rank) {
            let tile = row[0] % (1 << 24);
            let own = rank << 24 | tile;
            let is_first = u32::from(rank == 0);
            assert_eq!(row[..], [own, own, own, rank, rank, 0, 44 << 24 | tile, is_first], "{cluster}");
        }
    }
}

/// Block 0 passes an address of its memory, without `mapa`.
#[test]
fn addresses_can_be_passed_to_other_blocks() {
    let ways = [
        ("mov.u64 %d1, tile; cvta.shared.u64 %d2, %d1;", "ld.b32 %r5, [%d3];", 70),
        ("mov.u64 %d2, tile;", "ld.shared::cluster.b32 %r5, [%r4];", 70),
        ("mov.u64 %d2, tile;", "cvta.shared.u64 %d3, %d3; ld.b32 %r5, [%d3];", 70),
        ("mov.u64 %d1, tile; cvta.shared.u64 %d2, %d1;", "atom.add.u32 %r5, [%d3], 5;", 70),
        ("mov.u64 %d1, tile; cvta.shared.u64 %d2, %d1;", "st.b32 [%d3], 99; ld.shared.b32 %r5, [%tile];", 71),
    ];
    for (make, load, expected) in ways {
        let body = format!(
            "add.u32 %r3, %rank, 70; st.shared.b32 [%tile], %r3; ld.param.b64 %d4, [out];\n{MEET}\
             {make}\nsetp.ne.u32 %p1, %rank, 0; @!%p1 st.global.b64 [%d4], %d2; membar.gl;\n{MEET}\
             @!%p1 bra END; ld.volatile.global.b64 %d3, [%d4]; cvt.u32.u64 %r4, %d3;\n{load}\nst.global.b32 [%d4+8], %r5;\n\
             END: {MEET}"
        );
        let mut device = kernel("", &body);
        let out = device.alloc_u32(&[0; 4]);
        device.run_in_clusters("k", [2, 1, 1], Some([2, 1, 1]), 1, out);
        assert_eq!(device.u32s(out)[2], expected, "{make} {load}");
    }
}

/// Accesses to shared memory that is not there (fact V1043).
#[test]
fn accesses_outside_of_the_cluster_fault() {
    const NAME: &str = "ptx::clusters::accesses_outside_of_the_cluster_fault";
    use Code::{IllegalAddress, IllegalInstruction, LaunchFailed};
    let cases = [
        ("2", "0", "ld.shared::cluster.b32 %r5, [%r4];", LaunchFailed),
        ("2", "0", "st.shared::cluster.b32 [%r4], 1;", LaunchFailed),
        ("2", "0", "atom.shared::cluster.add.u32 %r5, [%r4], 1;", LaunchFailed),
        ("2", "0", "cvt.u64.u32 %d1, %r4; cvta.shared.u64 %d1, %d1; ld.b32 %r5, [%d1];", LaunchFailed),
        ("300", "0", "ld.shared::cluster.b32 %r5, [%r4];", IllegalInstruction),
        ("2", "0", "ld.shared.b32 %r5, [%r4];", IllegalInstruction),
        ("0", "0", "ld.shared.b32 %r5, [%r4];", IllegalInstruction),
        ("0", "2048", "ld.shared::cluster.b32 %r5, [%r4];", LaunchFailed),
        ("0", "0x40000", "ld.shared::cluster.b32 %r5, [%r4];", IllegalAddress),
    ];
    for (rank, offset, access, expected) in cases {
        crate::alone_as(NAME, &format!("{rank} {offset} {access}"), || {
            let body = format!(
                "mapa.shared::cluster.u32 %r4, %tile, {rank}; add.u32 %r4, %r4, {offset}; setp.eq.u32 %p1, %rank, 1;\n\
             @!%p1 bra END; {access}\nst.global.b32 [%o], %r5;\nEND: {MEET}"
            );
            let mut device = kernel("", &body);
            let out = device.alloc_u32(&[0; 2]);
            device.launch_in_clusters("k", [2, 1, 1], Some([2, 1, 1]), 1, out);
            let end = device.stream().synchronize();
            assert_eq!(end.unwrap_err().code(), Some(expected), "{rank} {offset} {access}");
        });
    }
}

#[test]
fn some_instructions_reach_only_their_own_block() {
    const NAME: &str = "ptx::clusters::some_instructions_reach_only_their_own_block";
    let restricted = [
        "st.shared.b32 [%r4], 7;",
        "atom.shared.add.u32 %r5, [%r4], 7;",
        "atom.shared.cas.b64 %d1, [%r4], 5, 6;",
        "red.shared.add.u32 [%r4], 7;",
        "cp.async.ca.shared.global [%r4], [%o], 4;",
        "cp.async.cg.shared.global [%r4], [%o], 16;",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r4];",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r4], {%r5};",
        "mbarrier.init.shared.b64 [%r6], 1;",
        "mbarrier.inval.shared.b64 [%r6];",
        "mbarrier.arrive.shared.b64 %d1, [%r6];",
        "mbarrier.test_wait.parity.shared.b64 %p2, [%r6], 0;",
        "cp.async.bulk.global.shared::cta.bulk_group [%o], [%r4], 16;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%o], [%r4], 16;",
    ];
    for instruction in restricted {
        crate::alone_as(NAME, instruction, || {
            let body = format!(
                "@%p0 mbarrier.init.shared.b64 [gate], 2; mov.u32 %r5, 0; {MEET} setp.eq.u32 %p1, %rank, 1;\n\
                 mapa.shared::cluster.u32 %r4, %tile, 0; mapa.shared::cluster.u32 %r6, gate, 0; ld.param.b64 %o, [out];\n\
                 @!%p1 bra.uni END; {instruction}\nst.global.b32 [%o+128], %r5;\nEND: {MEET}"
            );
            let mut device = kernel("", &body);
            let out = device.alloc_u32(&[0; 64]);
            device.launch_in_clusters("k", [2, 1, 1], Some([2, 1, 1]), 32, out);
            let end = device.stream().synchronize();
            assert_eq!(end.unwrap_err().code(), Some(Code::IllegalInstruction), "{instruction}");
        });
    }
}

#[test]
fn bulk_loads_into_shared_cta_reach_other_blocks() {
    // Block 1 loads the first words of `out` into block 0, and makes its barrier object expect them.
    let body = format!(
        "shl.b32 %r5, %t, 2; add.u32 %r6, %tile, %r5; st.shared.b32 [%r6], 5; ld.param.b64 %d1, [out];\n\
         @%p0 mbarrier.init.shared.b64 [gate], 1; @%p0 fence.mbarrier_init.release.cluster; fence.proxy.async; {MEET}\n\
         mapa.shared::cluster.u32 %r3, %tile, 0; mapa.shared::cluster.u32 %r4, gate, 0; setp.eq.and.u32 %p1, %rank, 1, %p0;\n\
         @%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 16;\n\
         @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r3], [%d1], 16, [%r4];\n\
         @%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4]; setp.eq.u32 %p3, %rank, 1; @%p3 bra.uni END;\n\
         WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [gate], 0; @!%p2 bra WAIT;\n\
         END: ld.shared.b32 %r7, [%r6]; not.b32 %r7, %r7; st.global.b32 [%o], %r7; {MEET}"
    );
    assert_eq!(words(&body, 2, 2, 4), [0, 0, 0, 0, !5, !5, !5, !5]);
}

#[test]
fn threads_that_have_ended_are_not_waited_for() {
    // Some threads of each block end before the barrier. All threads of the last block do.
    let body = "sub.u32 %r2, %n, 1; setp.eq.u32 %p1, %rank, %r2; @%p1 st.global.b32 [%o], 1; @%p1 ret;\n\
        and.b32 %r3, %t, 1; setp.ne.u32 %p2, %r3, 0; @%p2 st.global.b32 [%o], 2; @%p2 ret;\n\
        barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.arrive.relaxed; barrier.cluster.wait.acquire;\n\
        st.global.b32 [%o], 3;";
    let expected: Vec<u32> =
        (0..4 * 64).map(|index| if index >= 3 * 64 { 1 } else { 3 - index % 2 }).collect();
    assert_eq!(words(body, 4, 4, 64), expected);
}

#[test]
fn a_barrier_object_counts_other_blocks() {
    // Every block but the first stores to the first one, and arrives at its barrier object. It waits for them in two phases.
    let body = format!(
        "@%p0 mbarrier.init.shared.b64 [gate], 3; @%p0 fence.mbarrier_init.release.cluster; {MEET}\n\
         setp.ne.u32 %p1, %rank, 0; mapa.shared::cluster.u32 %r2, gate, 0; mapa.shared::cluster.u32 %r3, tile, 0;\n\
         shl.b32 %r4, %rank, 2; add.u32 %r3, %r3, %r4; mov.u32 %r5, 0; mov.u32 %r9, 0; @!%p0 bra DONE;\n\
         ROUND: @%p1 bra SEND;\n\
         WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [gate], %r5; @!%p2 bra WAIT;\n\
         ld.shared.v4.b32 {{%r10, %r11, %r12, %r13}}, [tile]; add.u32 %r9, %r9, %r11; add.u32 %r9, %r9, %r12;\n\
         add.u32 %r9, %r9, %r13; bra NEXT;\n\
         SEND: mad.lo.u32 %r6, %r5, 100, %rank; st.shared::cluster.b32 [%r3], %r6;\n\
         mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];\n\
         NEXT: barrier.cluster.arrive; barrier.cluster.wait; add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 2; @%p3 bra ROUND;\n\
         DONE: st.global.b32 [%o], %r9;"
    );
    assert_eq!(words(&body, 4, 4, 1), [6 + 306, 0, 0, 0]);
}

#[test]
fn asynchronous_stores_reach_other_blocks() {
    // Each thread stores a word to the next block, whose barrier object expects the bytes of all.
    let body = format!(
        "@%p0 mbarrier.init.shared.b64 [gate], 1; @%p0 fence.mbarrier_init.release.cluster;\n\
         @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [gate], 256; {MEET} {NEXT}\n\
         mapa.shared::cluster.u32 %r3, tile, %r2; mapa.shared::cluster.u32 %r4, gate, %r2; shl.b32 %r5, %t, 2;\n\
         add.u32 %r3, %r3, %r5; mad.lo.u32 %r6, %rank, 1000, %t;\n\
         st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r3], %r6, [%r4];\n\
         WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0; @!%p2 bra WAIT;\n\
         add.u32 %r5, %tile, %r5; ld.shared.b32 %r7, [%r5]; st.global.b32 [%o], %r7; {MEET}"
    );
    let expected: Vec<u32> = (0..6 * 64).map(|index| (index / 64 + 2) % 3 * 1000 + index % 64).collect();
    assert_eq!(words(&body, 6, 3, 64), expected);
}

#[test]
fn bulk_copies_reach_other_blocks() {
    let body = format!(
        "shl.b32 %r5, %t, 2; add.u32 %r6, %tile, %r5; mad.lo.u32 %r7, %rank, 1000, %t; st.shared.b32 [%r6], %r7;\n\
         fence.proxy.async.shared::cta; bar.sync 0;\n\
         @%p0 mbarrier.init.shared.b64 [gate], 1; @%p0 fence.mbarrier_init.release.cluster;\n\
         @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [gate], 256; {MEET} {NEXT}\n\
         mapa.shared::cluster.u32 %r3, tile, %r2; add.u32 %r3, %r3, 512; mapa.shared::cluster.u32 %r4, gate, %r2;\n\
         @%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r3], [%tile], 256, [%r4];\n\
         WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0; @!%p2 bra WAIT;\n\
         ld.shared.b32 %r8, [%r6+512]; st.global.b32 [%o], %r8; {MEET}"
    );
    let expected: Vec<u32> = (0..4 * 64).map(|index| (index / 64 + 1) % 2 * 1000 + index % 64).collect();
    assert_eq!(words(&body, 4, 2, 64), expected);
}

#[test]
fn a_bulk_copy_is_multicast() {
    // The first block reads words of its own output, and copies them to the blocks of ranks 0, 2 and 3.
    let body = format!(
        "@%p0 mbarrier.init.shared.b64 [gate], 1; @%p0 fence.mbarrier_init.release.cluster;\n\
         setp.eq.u32 %p1, %rank, 1; @%p1 bra MET;\n\
         @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [gate], 256; MET: {MEET}\n\
         ld.param.b64 %d1, [out]; setp.ne.u32 %p2, %rank, 0; or.pred %p3, %p2, %p1; setp.ne.u32 %p4, %t, 0;\n\
         or.pred %p3, %p3, %p4; mov.b16 %h, 13;\n\
         @!%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%tile], [%d1], 256, [gate], %h;\n\
         mov.u32 %r8, 5; @%p1 bra DONE;\n\
         WAIT: mbarrier.try_wait.parity.shared.b64 %p5, [gate], 0; @!%p5 bra WAIT;\n\
         shl.b32 %r5, %t, 2; add.u32 %r6, %tile, %r5; ld.shared.b32 %r8, [%r6];\n\
         DONE: {MEET} st.global.b32 [%o], %r8;"
    );
    let mut device = kernel("", &format!(".reg .b16 %h; {body}"));
    let values: Vec<u32> = (0..256).map(|value| value * value).collect();
    let out = device.alloc_u32(&values);
    device.run_in_clusters("k", [4, 1, 1], Some([4, 1, 1]), 64, out);
    let expected: Vec<u32> =
        (0..256).map(|index| if index / 64 == 1 { 5 } else { values[index % 64] }).collect();
    assert_eq!(device.u32s(out), expected);
}

#[test]
fn a_size_that_is_compiled_in_makes_clusters() {
    let mut device =
        kernel(".reqnctapercluster 2, 1, 1", "mad.lo.u32 %r9, %rank, 16, %n; st.global.b32 [%o], %r9;");
    let out = device.alloc_u32(&[0; 4]);
    device.run_in_clusters("k", [4, 1, 1], None, 1, out);
    assert_eq!(device.u32s(out), [2, 18, 2, 18]);
}

#[test]
fn graphs_keep_the_size_that_is_compiled_in() {
    let mut device = kernel(".reqnctapercluster 2, 1, 1", "st.global.b32 [%o], %rank;");
    let out = device.alloc_u32(&[9; 4]);
    let refused = CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE;
    let context = cuda_suite::context();
    let _entered = context.enter().unwrap();
    let (mut graph, mut node) = (null_mut(), null_mut());
    assert_eq!(code!(cuGraphCreate(&raw mut graph, 0)), CUresult::CUDA_SUCCESS);
    let mut address = device.address(out);
    let mut arguments: [*mut core::ffi::c_void; 1] = [(&raw mut address).cast()];
    let mut add = |grid| {
        let params = CUDA_KERNEL_NODE_PARAMS {
            func: device.function("k"),
            gridDimX: grid,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: 1,
            blockDimY: 1,
            blockDimZ: 1,
            kernelParams: arguments.as_mut_ptr(),
            ..CUDA_KERNEL_NODE_PARAMS::default()
        };
        code!(cuGraphAddKernelNode_v2(&raw mut node, graph, std::ptr::null(), 0, &raw const params))
    };
    assert_eq!([3, 1, 4].map(&mut add), [refused, refused, CUresult::CUDA_SUCCESS]);
    let id = CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    for (x, expected) in [(1, refused), (4, refused), (2, CUresult::CUDA_SUCCESS)] {
        let mut value = CUlaunchAttributeValue::default();
        value.clusterDim = CUlaunchAttributeValue_union__bindgen_ty_1 { x, y: 1, z: 1 };
        assert_eq!(code!(cuGraphKernelNodeSetAttribute(node, id, &raw const value)), expected, "{x}");
    }
    let (mut executable, stream) = (null_mut(), device.stream().as_raw());
    let made = code!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
    assert_eq!(made, CUresult::CUDA_SUCCESS);
    assert_eq!(code!(cuGraphLaunch(executable, stream)), CUresult::CUDA_SUCCESS);
    assert_eq!(code!(cuStreamSynchronize(stream)), CUresult::CUDA_SUCCESS);
    assert_eq!(device.u32s(out), [0, 1, 0, 1]);
    assert_eq!(code!(cuGraphExecDestroy(executable)), CUresult::CUDA_SUCCESS);
    assert_eq!(code!(cuGraphDestroy(graph)), CUresult::CUDA_SUCCESS);
    // A launch that is refused ends the capture of its stream.
    let mode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    assert_eq!(code!(cuStreamBeginCapture_v2(stream, mode)), CUresult::CUDA_SUCCESS);
    let params = device.address(out).to_le_bytes();
    assert_eq!(device.launch("k", [3, 1, 1], [1; 3], 0, &params).unwrap(), refused);
    let ended = code!(cuStreamEndCapture(stream, &raw mut graph));
    assert_eq!(ended, CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

#[test]
fn nodes_of_a_graph_keep_their_clusters() {
    let mut device = kernel("", "mad.lo.u32 %r9, %rank, 16, %n; st.global.b32 [%o], %r9;");
    let out = device.alloc_u32(&[0; 4]);
    let stream = device.stream().as_raw();
    let context = cuda_suite::context();
    let _entered = context.enter().unwrap();
    let (mut graph, mut executable) = (null_mut(), null_mut());
    let mode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    assert_eq!(code!(cuStreamBeginCapture_v2(stream, mode)), CUresult::CUDA_SUCCESS);
    device.launch_in_clusters("k", [4, 1, 1], Some([4, 1, 1]), 1, out);
    assert_eq!(code!(cuStreamEndCapture(stream, &raw mut graph)), CUresult::CUDA_SUCCESS);
    let (mut node, mut count) = (null_mut(), 1);
    assert_eq!(code!(cuGraphGetNodes(graph, &raw mut node, &raw mut count)), CUresult::CUDA_SUCCESS);
    let id = CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    for (x, expected) in [(4, [4, 20, 36, 52]), (2, [2, 18, 2, 18])] {
        let mut value = CUlaunchAttributeValue::default();
        value.clusterDim = CUlaunchAttributeValue_union__bindgen_ty_1 { x, y: 1, z: 1 };
        let set = code!(cuGraphKernelNodeSetAttribute(node, id, &raw const value));
        assert_eq!(set, CUresult::CUDA_SUCCESS);
        let made = code!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
        assert_eq!(made, CUresult::CUDA_SUCCESS);
        assert_eq!(code!(cuGraphLaunch(executable, stream)), CUresult::CUDA_SUCCESS);
        assert_eq!(code!(cuStreamSynchronize(stream)), CUresult::CUDA_SUCCESS);
        assert_eq!(device.u32s(out), expected);
        assert_eq!(code!(cuGraphExecDestroy(executable)), CUresult::CUDA_SUCCESS);
    }
    assert_eq!(code!(cuGraphDestroy(graph)), CUresult::CUDA_SUCCESS);
}

/// Conformance fact V1187.
#[test]
fn grids_may_count_clusters() {
    if !crate::is_since(13, 0) {
        cuda_suite::skip!("the driver does not know PTX 9.0");
    }
    let entry = |name: &str, threads: u32, cluster: &str| {
        format!(
            ".visible .entry {name}() .blocksareclusters .reqntid {threads}, 1, 1 .reqnctapercluster {cluster} {{ ret; }}\n"
        )
    };
    let mut text = ".version 9.0\n.target sm_90\n.address_size 64\n".to_owned();
    text += &(entry("pairs", 32, "2, 1, 1") + &entry("fours", 1, "4, 1, 1") + &entry("high", 32, "1, 1, 2"));
    text += &entry("wide", 32, "16, 1, 1");
    let module = cuda_rt::Module::from_ptx(&cuda_suite::context(), &text).unwrap();
    let stream = cuda_suite::stream();
    let launch = |name: &str, grid: [u32; 3], threads: u32| {
        let config = cuda_rt::LaunchConfig { grid, block: [threads, 1, 1], shared_bytes: 0 };
        // SAFETY: the kernels have no parameters and do nothing.
        let launched = unsafe {
            module
                .function(name)
                .unwrap()
                .with(config)
                .launch(&stream, &cuda_rt::launch::PackedArgs::default())
        };
        launched.err().and_then(|error| error.code())
    };
    assert_eq!(launch("pairs", [3, 65535, 1], 32), None);
    let invalid = Some(Code::InvalidValue);
    for (name, grid, threads, expected) in [
        ("pairs", [1 << 29, 1, 1], 32, invalid),
        ("fours", [1 << 27, 1, 1], 1, invalid),
        ("high", [1, 1, 16383], 32, None),
        ("high", [1, 1, 16384], 32, invalid),
        ("wide", [1, 1, 1], 32, Some(Code::InvalidClusterSize)),
        ("wide", [1 << 24, 1, 1], 32, invalid),
    ] {
        assert_eq!(launch(name, grid, threads), expected, "{name} {grid:?}");
    }
    let missing =
        ".version 9.0 .target sm_90 .address_size 64 .visible .entry k() .blocksareclusters { ret; }";
    assert!(cuda_rt::Module::from_ptx(&cuda_suite::context(), missing).is_err());
}
