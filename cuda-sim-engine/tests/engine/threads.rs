//! Blocks that wait for one another, on one host thread and on several.

use super::Device;
use cuda_sim_engine::{FaultKind, Launch, Progress};

/// Numbers of workers and orders: one thread in order and in two random orders, and several threads.
const WAYS: [(usize, Option<u64>); 5] = [(1, None), (1, Some(1)), (1, Some(2)), (2, None), (4, Some(3))];

fn apply(launch: &mut Launch, (workers, order): (usize, Option<u64>)) {
    launch.workers = workers;
    launch.order = order;
}

fn finish(device: &mut Device, name: &str, shape: [u32; 2], buffers: &[usize], way: (usize, Option<u64>)) {
    let mut execution = device.begin(name, shape, buffers, |launch| apply(launch, way));
    assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished), "{way:?}");
}

#[test]
fn histogram_counts_with_atomics() {
    let mut device = Device::kernel(
        ".param .b64 in, .param .b64 counts",
        ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p; ld.param.b64 %d0, [in]; ld.param.b64 %d1, [counts];
        mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
        mul.wide.u32 %d2, %r3, 4; add.s64 %d2, %d0, %d2; ld.global.u32 %r4, [%d2]; mov.u32 %r5, 0;
        AGAIN: and.b32 %r6, %r4, 63; mul.wide.u32 %d3, %r6, 4; add.s64 %d3, %d1, %d3;
        red.global.add.u32 [%d3], 1; shr.u32 %r4, %r4, 1; add.u32 %r5, %r5, 1; setp.lt.u32 %p, %r5, 26;
        @%p bra AGAIN; ret;",
    );
    let (blocks, threads) = (100, 128);
    let values: Vec<u32> =
        (0..blocks * threads).map(|value: u32| value.wrapping_mul(2_654_435_761)).collect();
    let mut expected = [0u32; 64];
    for value in &values {
        (0..26).for_each(|shift| expected[(value >> shift & 63) as usize] += 1);
    }
    let input = device.alloc_u32(&values);
    for way in WAYS {
        let counts = device.alloc_u32(&[0; 64]);
        finish(&mut device, "k", [blocks, threads], &[input, counts], way);
        assert_eq!(device.u32s(counts), expected, "{way:?}");
    }
}

#[test]
fn spin_lock_excludes_other_blocks() {
    let mut device = Device::new(include_str!("kernels/spin_lock.ptx"));
    let (blocks, threads, rounds) = (40u32, 40u32, 12u32);
    for way in WAYS {
        let (lock, counter) = (device.alloc_u32(&[0]), device.alloc_u32(&[0]));
        let mut execution = device.begin("spin_lock", [blocks, threads], &[lock, counter], |launch| {
            launch.params.extend(rounds.to_le_bytes());
            apply(launch, way);
        });
        assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
        assert_eq!(device.u32s(counter)[0], blocks * threads * rounds, "{way:?}");
    }
}

#[test]
fn last_block_sees_all_partial_sums() {
    // Each block writes a partial result with plain stores. The block that finishes last reads all of them.
    let mut device = Device::kernel(
        ".param .b64 partial, .param .b64 done, .param .b64 out",
        ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<3>; ld.param.b64 %d0, [partial]; ld.param.b64 %d1, [done];
        ld.param.b64 %d2, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r3, 0; mov.u32 %r4, 0;
        BUSY: add.u32 %r4, %r4, %r1; add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 300; @%p0 bra BUSY;
        mul.wide.u32 %d3, %r1, 4; add.s64 %d3, %d0, %d3; st.global.u32 [%d3], %r4; membar.gl;
        sub.u32 %r5, %r2, 1; atom.global.inc.u32 %r6, [%d1], %r5; setp.ne.u32 %p1, %r6, %r5; @%p1 ret; membar.gl;
        mov.u32 %r3, 0; mov.u32 %r4, 0;
        NEXT: ld.global.u32 %r7, [%d0]; add.u32 %r4, %r4, %r7; add.s64 %d0, %d0, 4; add.u32 %r3, %r3, 1;
        setp.lt.u32 %p0, %r3, %r2; @%p0 bra NEXT; st.global.u32 [%d2], %r4; ret;",
    );
    let blocks = 200;
    let partial = device.alloc_u32(&[0; 200]);
    for way in WAYS {
        let (done, out) = (device.alloc_u32(&[0]), device.alloc_u32(&[0]));
        device.write(partial, &[0; 800]);
        finish(&mut device, "k", [blocks, 1], &[partial, done, out], way);
        assert_eq!(device.u32s(out)[0], (0..blocks).map(|block| block * 300).sum::<u32>(), "{way:?}");
    }
}

#[test]
fn block_waits_for_block_before() {
    // A scan with look-back, in either direction: block 0 or the last block begins.
    let mut device = Device::kernel(
        ".param .b64 sums, .param .b64 in, .param .b64 first",
        ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<3>; ld.param.b64 %d0, [sums]; ld.param.b64 %d1, [in];
        ld.param.b64 %d2, [first]; ld.global.u32 %r0, [%d2]; mov.u32 %r1, %ctaid.x;
        mul.wide.u32 %d3, %r1, 4; add.s64 %d1, %d1, %d3; add.s64 %d0, %d0, %d3; ld.global.u32 %r2, [%d1];
        setp.eq.u32 %p0, %r0, %r1; mov.u32 %r3, 0; @%p0 bra FOUND;
        setp.eq.u32 %p1, %r0, 0; selp.s32 %r4, -4, 4, %p1; cvt.s64.s32 %d4, %r4; add.s64 %d4, %d0, %d4;
        WAIT: ld.acquire.gpu.global.u32 %r3, [%d4]; setp.eq.u32 %p2, %r3, 0; @%p2 bra WAIT;
        FOUND: add.u32 %r3, %r3, %r2; st.release.gpu.global.u32 [%d0], %r3; ret;",
    );
    let blocks = 150u32;
    let values: Vec<u32> = (1..=blocks).collect();
    let input = device.alloc_u32(&values);
    for way in WAYS {
        for backwards in [false, true] {
            let first = device.alloc_u32(&[if backwards { blocks - 1 } else { 0 }]);
            let sums = device.alloc_u32(&vec![0; blocks as usize]);
            finish(&mut device, "k", [blocks, 1], &[sums, input, first], way);
            let expected: Vec<u32> = (1..=blocks)
                .map(|block| if backwards { (block..=blocks).sum() } else { (1..=block).sum() })
                .collect();
            assert_eq!(device.u32s(sums)[..blocks as usize], expected, "{way:?} {backwards}");
        }
    }
}

/// Kernel in which all blocks meet several times. Each block then reads data that another block has written before.
const MEETINGS: &str = ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<3>;
    ld.param.b64 %d0, [count]; ld.param.b64 %d1, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %nctaid.x; mov.u32 %r3, 0; mov.u32 %r8, %r1;
    AGAIN: mad.lo.u32 %r4, %r3, %r2, %r1; mul.wide.u32 %d2, %r4, 4; add.s64 %d2, %d1, %d2;
    setp.ne.u32 %p0, %r0, 0; @!%p0 st.global.u32 [%d2], %r8; bar.sync 0; @%p0 bra MET;
    membar.gl; atom.global.add.u32 %r5, [%d0], 1; add.u32 %r6, %r3, 1; mul.lo.u32 %r6, %r6, %r2;
    WAIT: ld.volatile.global.u32 %r5, [%d0]; setp.lt.u32 %p1, %r5, %r6; @%p1 bra WAIT; membar.gl;
    MET: bar.sync 0; add.u32 %r5, %r1, 1; rem.u32 %r5, %r5, %r2; mad.lo.u32 %r4, %r3, %r2, %r5;
    mul.wide.u32 %d2, %r4, 4; add.s64 %d2, %d1, %d2; ld.global.u32 %r8, [%d2]; add.u32 %r8, %r8, 1;
    add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 5; @%p2 bra AGAIN; ret;";

#[test]
fn cooperative_blocks_meet() {
    let mut device = Device::kernel(".param .b64 count, .param .b64 out", MEETINGS);
    let blocks = 64u32;
    for way in WAYS {
        let (count, out) = (device.alloc_u32(&[0]), device.alloc_u32(&[0; 5 * 64]));
        finish(&mut device, "k", [blocks, 64], &[count, out], way);
        let expected: Vec<u32> =
            (0..5).flat_map(|round| (0..blocks).map(move |block| (block + round) % blocks + round)).collect();
        assert_eq!(device.u32s(out), expected, "{way:?}");
    }
}

#[test]
fn cooperative_blocks_meet_in_pieces() {
    let mut device = Device::kernel(".param .b64 count, .param .b64 out", MEETINGS);
    for (way, quantum) in WAYS.into_iter().flat_map(|way| [(way, 40), (way, 100_000)]) {
        let (count, out) = (device.alloc_u32(&[0]), device.alloc_u32(&[0; 5 * 64]));
        let mut execution = device.begin("k", [64, 64], &[count, out], |launch| apply(launch, way));
        let mut runs = 0;
        while device.go_on(&mut execution, quantum).unwrap() == Progress::Suspended {
            runs += 1;
        }
        assert!(runs > 1, "{runs}");
        assert_eq!(device.u32s(out)[5 * 64 - 1], 3 + 4, "{way:?}");
    }
}

#[test]
fn fault_in_one_block_stops_others() {
    let mut device = Device::kernel(
        ".param .b64 flag",
        ".reg .b32 %r<3>; .reg .b64 %d<3>; .reg .pred %p; ld.param.b64 %d0, [flag]; mov.u32 %r0, %ctaid.x;
        setp.ne.u32 %p, %r0, 37; @%p bra WAIT; trap;
        WAIT: ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p, %r1, 0; @%p bra WAIT; ret;",
    );
    let flag = device.alloc_u32(&[0]);
    for way in WAYS {
        let mut execution = device.begin("k", [60, 40], &[flag], |launch| apply(launch, way));
        let fault = device.go_on(&mut execution, u64::MAX).unwrap_err();
        assert_eq!((fault.kind, fault.block), (FaultKind::Trap, [37, 0, 0]), "{way:?}");
        assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
    }
}

/// Returns a device with a kernel whose blocks have much state: a function that no thread calls has many registers and
/// local memory. The engine estimates 164 MB for a block of 1024 threads. Its limit of 2 GiB holds 13 blocks.
fn with_many_registers(params: &str, body: &str) -> Device {
    const REGISTERS: usize = 5000;
    let mut function = format!(
        ".func (.param .b64 r) f(.param .b64 p) {{ .local .b8 own[120000]; .reg .b64 %x<{REGISTERS}>; ld.param.b64 %x0, [p];\n"
    );
    for register in 1..REGISTERS {
        function += &format!("add.u64 %x{register}, %x{}, %x{};\n", register - 1, register / 2);
    }
    Device::new(&format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n{function} st.param.b64 [r], %x{}; ret; }}\n\
         .visible .entry k({params}) {{ .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<4>;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; setp.gt.u32 %p0, %r0, 5000; @!%p0 bra BEGIN;\n\
         {{ .param .b64 a; .param .b64 x; st.param.b64 [a], 1; call (x), f, (a); ld.param.b64 %d0, [x]; }}\n\
         BEGIN: {body}\n}}\n",
        REGISTERS - 1
    ))
}

#[test]
fn few_blocks_with_many_registers_run_at_once() {
    // Each block counts the blocks that have begun and not ended. The loop takes more than a turn of a block.
    let mut device = with_many_registers(
        ".param .b64 now, .param .b64 out",
        "ld.param.b64 %d0, [now]; ld.param.b64 %d1, [out]; setp.ne.u32 %p1, %r0, 0; @%p1 bra LOOP;
         red.global.add.u32 [%d0], 1; ld.global.u32 %r2, [%d0]; mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d1, %d2; st.global.u32 [%d2], %r2;
         LOOP: mov.u32 %r3, 0; AGAIN: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 12000; @%p2 bra AGAIN; bar.sync 0;
         @!%p1 red.global.add.u32 [%d0], -1; ret;",
    );
    let blocks = 30;
    for order in [None, Some(3)] {
        let (now, out) = (device.alloc_u32(&[0]), device.alloc_u32(&[0; 30]));
        finish(&mut device, "k", [blocks, 1024], &[now, out], (1, order));
        assert_eq!(device.u32s(now)[0], 0);
        let most = device.u32s(out).into_iter().max().unwrap();
        assert!(if order.is_none() { most == 13 } else { most <= 13 }, "{order:?}: {most}");
    }
}

#[test]
fn blocks_with_many_registers_wait_for_others() {
    // All blocks wait for the last one, by loads that the engine takes for a wait, or by others.
    for (load, ways) in [("ld.volatile.global.u32", WAYS.as_slice()), ("ld.global.u32", &[(1, None)])] {
        let mut device = with_many_registers(
            ".param .b64 out",
            &format!(
                "ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r1, 4; add.s64 %d0, %d0, %d1; setp.ne.u32 %p1, %r0, 0; @%p1 ret;
                 mov.u32 %r2, %nctaid.x; sub.u32 %r2, %r2, 1; sub.u32 %r3, %r2, %r1; mul.wide.u32 %d2, %r3, 4; add.s64 %d2, %d0, %d2;
                 setp.eq.u32 %p2, %r2, %r1; mov.u32 %r4, 0; @%p2 bra FOUND;
                 WAIT: {load} %r4, [%d2]; setp.eq.u32 %p3, %r4, 0; @%p3 bra WAIT;
                 FOUND: add.u32 %r4, %r4, 1; st.global.u32 [%d0], %r4; ret;"
            ),
        );
        for &(workers, order) in ways {
            let out = device.alloc_u32(&[0; 20]);
            let mut execution = device.begin("k", [20, 1024], &[out], |launch| {
                apply(launch, (workers, order));
                launch.limit = 1 << 25;
            });
            assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
            let mut expected = [2; 20];
            expected[19] = 1;
            assert_eq!(device.u32s(out), expected, "{load} {workers} {order:?}");
        }
    }
}
