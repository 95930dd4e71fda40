//! Clusters of blocks on one thread of the host and on several, in order and at random.

use super::{Device, Program, TARGET};
use cuda_sim_engine::{FaultKind, Progress};

const WAYS: [(usize, Option<u64>); 5] = [(1, None), (1, Some(1)), (1, Some(2)), (2, None), (4, Some(3))];

/// Kernel in which the blocks of a cluster pass words around, one block further in each round.
const RING: &str = ".reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %p; .shared .b32 tile[64];
    ld.param.b64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank;
    mov.u32 %r3, %ctaid.x; mad.lo.u32 %r4, %r3, 64, %r0; mul.wide.u32 %d1, %r4, 4; add.s64 %d0, %d0, %d1;
    add.u32 %r1, %r1, 1; setp.ge.u32 %p, %r1, %r2; @%p mov.u32 %r1, 0;
    mov.u32 %r5, tile; mad.lo.u32 %r5, %r0, 4, %r5; mapa.shared::cluster.u32 %r6, %r5, %r1; mov.u32 %r7, 0;
    ROUND: st.shared::cluster.b32 [%r6], %r4; barrier.cluster.arrive; barrier.cluster.wait;
    ld.shared.b32 %r4, [%r5]; barrier.cluster.arrive; barrier.cluster.wait;
    add.u32 %r7, %r7, 1; setp.lt.u32 %p, %r7, 3; @%p bra ROUND; st.global.b32 [%d0], %r4; ret;";

#[test]
fn blocks_hand_words_around() {
    let mut device = Device::kernel(".param .b64 out", RING);
    let blocks = 24_u32;
    for (cluster, way) in [1, 2, 4, 8].into_iter().flat_map(|size| WAYS.map(|way| (size, way))) {
        for quantum in [100, u64::MAX] {
            let out = device.alloc_u32(&vec![0; 64 * blocks as usize]);
            let mut execution = device.begin("k", [blocks, 64], &[out], |launch| {
                launch.cluster = Some([cluster, 1, 1]);
                (launch.workers, launch.order) = way;
            });
            while device.go_on(&mut execution, quantum).unwrap() == Progress::Suspended {}
            let source =
                |block: u32| block / cluster * cluster + (block % cluster + 5 * cluster - 3) % cluster;
            let expected: Vec<u32> =
                (0..blocks * 64).map(|index| source(index / 64) * 64 + index % 64).collect();
            assert_eq!(device.u32s(out), expected, "{cluster} {way:?}");
        }
    }
}

/// Kernel whose threads exchange words in the memory of their own block, by words, vectors and atomic operations.
const OWN: &str = ".reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %p; .shared .align 16 .b32 tile[128];
    ld.param.b64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 64, %r0;
    mul.wide.u32 %d1, %r2, 8; add.s64 %d0, %d0, %d1; mov.u32 %r3, tile; mad.lo.u32 %r4, %r0, 8, %r3;
    xor.b32 %r5, %r0, 5; mad.lo.u32 %r5, %r5, 8, %r3; add.u32 %r6, %r2, 1000; setp.lt.u32 %p, %r0, 40;
    st.shared.v2.u32 [%r4], {%r2, %r6}; bar.sync 0; ld.shared.u32 %r7, [%r5+4]; bar.sync 0;
    @%p st.shared.u32 [%r4+4], %r7; bar.sync 0; atom.shared.add.u32 %r8, [%r5], %r0; bar.sync 0;
    ld.shared.v2.u32 {%r7, %r8}, [%r4]; st.global.v2.u32 [%d0], {%r7, %r8}; ret;";

#[test]
fn blocks_of_any_rank_use_their_own_memory() {
    let mut device = Device::kernel(".param .b64 out", OWN);
    let blocks = 8_u32;
    let expected: Vec<u32> = (0..blocks * 64)
        .flat_map(|index| {
            let (thread, other) = (index % 64, index ^ 5);
            [index + (thread ^ 5), 1000 + if thread < 40 { other } else { index }]
        })
        .collect();
    for cluster in [1, 2, 8] {
        let out = device.alloc_u32(&vec![0; 128 * blocks as usize]);
        let mut execution =
            device.begin("k", [blocks, 64], &[out], |launch| launch.cluster = Some([cluster, 1, 1]));
        assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
        assert_eq!(device.u32s(out), expected, "{cluster}");
    }
}

/// Returns the fault of a kernel of two blocks of one thread, in a cluster.
fn fault(body: &str) -> cuda_sim_engine::Fault {
    let mut device = Device::kernel("", body);
    let mut execution = device.begin("k", [2, 1], &[], |launch| launch.cluster = Some([2, 1, 1]));
    device.go_on(&mut execution, u64::MAX).unwrap_err()
}

#[test]
fn blocks_that_wait_forever_are_told() {
    // The first block waits at the barrier of the cluster. The second block waits for a thread that does not exist.
    let fault = fault(
        ".reg .b32 %r; .reg .pred %p; mov.u32 %r, %cluster_ctarank; setp.eq.u32 %p, %r, 1; @%p bra OTHER;
        barrier.cluster.arrive; barrier.cluster.wait; ret;
        OTHER: bar.sync 0, 64; ret;",
    );
    assert_eq!((fault.kind, fault.block), (FaultKind::Deadlock, [0, 0, 0]));
    assert!(fault.detail.contains("at the barrier of the cluster"), "{fault}");
}

#[test]
fn memory_of_no_block_faults() {
    use FaultKind::{IllegalAddress, MisalignedAddress, OutOfCluster, OutOfWindow};
    for (access, expected) in [
        ("mapa.shared::cluster.u32 %r2, tile, 2; ld.shared::cluster.b32 %r3, [%r2];", OutOfCluster),
        ("mapa.shared::cluster.u32 %r2, tile, -1; st.shared::cluster.b32 [%r2], %r3;", OutOfWindow),
        ("mapa.shared::cluster.u32 %r2, tile, 2; ld.shared.b32 %r3, [%r2];", OutOfWindow),
        ("mapa.shared::cluster.u32 %r2, tile, 2; ld.shared::cluster.b32 %r3, [%r2+2];", MisalignedAddress),
        ("mapa.shared::cluster.u32 %r2, tile, 2; ld.shared::cluster.b32 %r3, [%r2+262144];", IllegalAddress),
    ] {
        let fault = fault(&format!(".reg .b32 %r<4>; .shared .b32 tile; {access} ret;"));
        assert_eq!(fault.kind, expected, "{access}");
    }
}

/// Body of a kernel in which the block of rank 1 executes an instruction on `gate` of the block of rank 0. `%r2` is its offset, and
/// `%d2` its generic address.
fn on_first_block(instruction: &str) -> String {
    format!(
        ".reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p<4>; .shared .align 16 .b64 gate[4];
        mov.u32 %r1, %cluster_ctarank; setp.ne.u32 %p0, %r1, 0; mov.u64 %d0, gate; cvta.shared.u64 %d1, %d0;
        mapa.shared::cluster.u32 %r2, gate, 0; mapa.u64 %d2, %d1, 0; mov.u32 %r3, 0;
        @!%p0 mbarrier.init.shared.b64 [gate], 3; barrier.cluster.arrive; barrier.cluster.wait;
        @!%p0 bra END; {instruction}
        END: barrier.cluster.arrive; barrier.cluster.wait; ret;"
    )
}

#[test]
fn instructions_of_one_block_fault_elsewhere() {
    for instruction in [
        "ld.shared.b32 %r4, [%r2];",
        "atom.shared.add.u32 %r4, [%r2], 1;",
        "atom.shared.add.u64 %d4, [%r2], 1;",
        "red.shared.max.u32 [%r2], 1;",
        "mbarrier.init.shared.b64 [%r2], 1;",
        "mbarrier.init.b64 [%d2], 1;",
        "mbarrier.inval.b64 [%d2];",
        "mbarrier.arrive.shared.b64 _, [%r2];",
        "mbarrier.arrive.b64 %d4, [%d2];",
        "mbarrier.arrive.noComplete.b64 %d4, [%d2], 1;",
        "mbarrier.test_wait.parity.shared.b64 %p1, [%r2], 0;",
        "mbarrier.test_wait.parity.b64 %p1, [%d2], 0;",
        "mbarrier.try_wait.parity.b64 %p1, [%d2], 0;",
        "cp.async.mbarrier.arrive.b64 [%d2];",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r2];",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r2], [%r2], 16, [%r2];",
    ] {
        let fault = fault(&on_first_block(instruction));
        assert_eq!((fault.kind, fault.block), (FaultKind::OutOfWindow, [1, 0, 0]), "{instruction}: {fault}");
        if !instruction.starts_with("ld.") {
            assert!(fault.detail.contains("another block"), "{instruction}: {fault}");
        }
    }
}

#[test]
fn copies_to_one_block_fault_elsewhere() {
    for instruction in [
        "cp.async.ca.shared.global [%r2], [%d3], 4;",
        "cp.async.bulk.global.shared::cta.bulk_group [%d3], [%r2], 16;",
    ] {
        let body = format!("ld.param.b64 %d3, [data]; {instruction}");
        let mut device = Device::kernel(".param .b64 data", &on_first_block(&body));
        let data = device.alloc_u32(&[0; 4]);
        let mut execution = device.begin("k", [2, 1], &[data], |launch| launch.cluster = Some([2, 1, 1]));
        let fault = device.go_on(&mut execution, u64::MAX).unwrap_err();
        assert_eq!((fault.kind, fault.block), (FaultKind::OutOfWindow, [1, 0, 0]), "{instruction}: {fault}");
    }
}

#[test]
fn counting_instructions_reach_other_blocks() {
    // The block of rank 0 expects three arrivals. The instruction makes some, and the block of rank 0 the others.
    for (instruction, others, is_complete) in [
        ("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];", 2, true),
        ("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2], 2;", 1, true),
        ("mbarrier.arrive.b64 _, [%d2];", 2, true),
        ("mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%r2];", 2, true),
        (
            "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r2], 32;
            mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r2], 32;",
            2,
            true,
        ),
        (
            "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r2], 32;
            mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];
            mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r2], 32;",
            2,
            true,
        ),
        ("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r2], 32;", 2, false),
    ] {
        let body = on_first_block(instruction).replace(
            "ret;",
            &format!(
                "ld.param.b64 %d5, [out]; @%p0 bra DONE;
                mbarrier.arrive.shared.b64 _, [gate], {others};
                mbarrier.test_wait.parity.shared.b64 %p1, [gate], 0; selp.u32 %r4, 1, 2, %p1;
                st.global.b32 [%d5], %r4; DONE: ret;"
            ),
        );
        let mut device = Device::kernel(".param .b64 out", &body);
        for way in WAYS {
            let out = device.alloc_u32(&[0]);
            let mut execution = device.begin("k", [2, 1], &[out], |launch| {
                launch.cluster = Some([2, 1, 1]);
                (launch.workers, launch.order) = way;
            });
            while device.go_on(&mut execution, u64::MAX).unwrap() == Progress::Suspended {}
            assert_eq!(device.u32s(out)[0], 2 - u32::from(is_complete), "{instruction} {way:?}");
        }
    }
}

#[test]
fn incomplete_arrivals_elsewhere_are_refused() {
    let text = ".version 9.0 .target sm_90 .address_size 64 .visible .entry k() { .reg .b32 %r<2>;
        mbarrier.arrive.noComplete.release.cluster.shared::cluster.b64 _, [%r1], 1; ret; }";
    assert!(Program::compile(text.as_bytes(), &TARGET).is_err());
}

#[test]
fn clusters_that_do_not_fit_the_grid_are_refused() {
    let program = std::sync::Arc::new(
        Program::compile(b".version 9.0 .target sm_90 .visible .entry k() { ret; }", &TARGET).unwrap(),
    );
    let device = Device::kernel("", "ret;");
    for cluster in [[3, 1, 1], [0, 1, 1], [1, 2, 1], [32, 1, 1]] {
        let mut launch = device.launch([32, 1, 1], [1; 3], 0, Vec::new());
        launch.cluster = Some(cluster);
        let refused =
            cuda_sim_engine::Execution::new(std::sync::Arc::clone(&program), 0, launch).unwrap_err();
        assert_eq!(refused.kind, FaultKind::Unsupported, "{cluster:?}");
    }
}
