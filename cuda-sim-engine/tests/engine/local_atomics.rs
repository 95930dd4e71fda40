//! Atomic operations and ordered accesses on local memory, by generic addresses.

use super::{Arg, Device};
use cuda_sim_engine::{Fault, FaultKind};

/// Returns the body of a kernel that applies an operation to a value at `%d1`. For odd threads the value is in local
/// memory, and for even ones in global memory.
fn on_chosen(operation: &str, value: u64) -> String {
    format!(
        ".local .align 16 .b64 own[2]; .reg .b64 %d<9>; .reg .b32 %r<9>; .reg .f32 %f<3>; .reg .b16 %h<3>; .reg .pred %p;
         ld.param.b64 %d0, [out]; mov.u32 %r2, %tid.x; mul.wide.u32 %d4, %r2, 32; add.s64 %d0, %d0, %d4;
         mov.u64 %d3, {value}; mov.u64 %d2, 0; st.local.u64 [own], %d3; st.local.u64 [own+8], %d2; st.global.u64 [%d0], %d3;
         cvta.local.u64 %d5, own; and.b32 %r3, %r2, 1; setp.eq.u32 %p, %r3, 1; selp.b64 %d1, %d5, %d0, %p;
         {operation}
         ld.u64 %d6, [%d1]; st.global.v2.u64 [%d0+16], {{%d2, %d6}}; ret;"
    )
}

/// Returns the contents of `%d2` afterwards, and the new value, for each thread of `on_chosen`.
fn on_both(operation: &str, value: u64) -> Vec<[u64; 2]> {
    let mut device = Device::kernel(".param .b64 out", &on_chosen(operation, value));
    let out = device.alloc_u64(&[0; 4 * 2]);
    device.run("k", [1, 1, 1], [2, 1, 1], &[Arg::Buffer(out)]);
    device.u64s(out).chunks(4).map(|thread| [thread[2], thread[3]]).collect()
}

/// Conformance fact V950.
#[test]
fn local_scalar_atomics_update_memory() {
    const ONE_AND_TWO: u64 = 0x4000_3c00;
    for (operation, value, [old, new]) in [
        ("atom.add.u32 %r1, [%d1], 1; cvt.u64.u32 %d2, %r1;", 5, [5, 6]),
        ("atom.add.s32 %r1, [%d1], -1; cvt.u64.u32 %d2, %r1;", 5, [5, 4]),
        ("atom.add.u64 %d2, [%d1], 1;", 5, [5, 6]),
        (
            "atom.add.f32 %f1, [%d1], 0f3F800000; mov.b32 %r1, %f1; cvt.u64.u32 %d2, %r1;",
            0x3f80_0000,
            [0x3f80_0000, 0x4000_0000],
        ),
        (
            "atom.add.f64 %d2, [%d1], 0d3FF0000000000000;",
            1.5f64.to_bits(),
            [1.5f64.to_bits(), 2.5f64.to_bits()],
        ),
        (
            "mov.b16 %h1, 0x3c00; atom.add.noftz.f16 %h2, [%d1], %h1; cvt.u64.u16 %d2, %h2;",
            ONE_AND_TWO,
            [0x3c00, 0x4000_4000],
        ),
        (
            "mov.b16 %h1, 0x3f80; atom.add.noftz.bf16 %h2, [%d1], %h1; cvt.u64.u16 %d2, %h2;",
            0x3f80,
            [0x3f80, 0x4000],
        ),
        ("atom.min.s32 %r1, [%d1], -3; cvt.u64.u32 %d2, %r1;", 5, [5, 0xffff_fffd]),
        ("atom.max.u32 %r1, [%d1], 7; cvt.u64.u32 %d2, %r1;", 5, [5, 7]),
        ("atom.min.s64 %d2, [%d1], -3;", 5, [5, 3u64.wrapping_neg()]),
        ("atom.max.u64 %d2, [%d1], 7;", 5, [5, 7]),
        ("atom.inc.u32 %r1, [%d1], 5; cvt.u64.u32 %d2, %r1;", 5, [5, 0]),
        ("atom.dec.u32 %r1, [%d1], 5; cvt.u64.u32 %d2, %r1;", 0, [0, 5]),
        ("atom.and.b32 %r1, [%d1], 6; cvt.u64.u32 %d2, %r1;", 5, [5, 4]),
        ("atom.or.b64 %d2, [%d1], 6;", 5, [5, 7]),
        ("atom.xor.b64 %d2, [%d1], 6;", 5, [5, 3]),
        ("atom.exch.b32 %r1, [%d1], 9; cvt.u64.u32 %d2, %r1;", 5, [5, 9]),
        ("atom.exch.b64 %d2, [%d1], 9;", 5, [5, 9]),
        (
            "mov.b16 %h0, 5; mov.b16 %h1, 9; atom.cas.b16 %h2, [%d1], %h0, %h1; cvt.u64.u16 %d2, %h2;",
            5,
            [5, 9],
        ),
        ("atom.cas.b32 %r1, [%d1], 5, 9; cvt.u64.u32 %d2, %r1;", 5, [5, 9]),
        ("atom.cas.b64 %d2, [%d1], 4, 9;", 5, [5, 5]),
        (".reg .b128 %q; ld.relaxed.gpu.b128 %q, [%d1]; mov.b128 {%d2, _}, %q;", 5, [5, 5]),
        (".reg .b128 %q; mov.u64 %d7, 7; mov.b128 %q, {%d7, %d7}; st.release.gpu.b128 [%d1], %q;", 5, [0, 7]),
        ("red.add.u64 [%d1], 1;", 5, [0, 6]),
        ("red.release.gpu.or.b32 [%d1], 8;", 5, [0, 13]),
        ("red.add.f64 [%d1], 0d3FF0000000000000;", 1.5f64.to_bits(), [0, 2.5f64.to_bits()]),
        ("atom.add.acq_rel.cta.u64 %d2, [%d1], 1;", 5, [5, 6]),
        ("atom.add.relaxed.sys.u64 %d2, [%d1], 1;", 5, [5, 6]),
        ("atom.add.acquire.cluster.u64 %d2, [%d1], 1;", 5, [5, 6]),
        ("ld.acquire.gpu.u64 %d2, [%d1];", 5, [5, 5]),
        ("ld.relaxed.sys.u64 %d2, [%d1];", 5, [5, 5]),
        ("ld.volatile.u64 %d2, [%d1];", 5, [5, 5]),
        ("mov.u64 %d2, 7; st.release.gpu.u64 [%d1], %d2;", 5, [7, 7]),
        ("mov.u64 %d2, 7; st.relaxed.cta.u64 [%d1], %d2;", 5, [7, 7]),
        ("mov.u64 %d2, 7; st.volatile.u64 [%d1], %d2;", 5, [7, 7]),
    ] {
        for found in on_both(operation, value) {
            assert_eq!(found, [old, new], "{operation}");
        }
    }
}

#[test]
fn local_atomic_sums_keep_subnormals() {
    let found = on_both("atom.add.f32 %f1, [%d1], 0f00000004; mov.b32 %r1, %f1; cvt.u64.u32 %d2, %r1;", 3);
    for pair in found.chunks(2) {
        assert_eq!(pair, [[3, 0], [3, 7]], "global and local memory");
    }
}

fn fault_on_chosen(operation: &str, threads: u32) -> Fault {
    let mut device = Device::kernel(".param .b64 out", &on_chosen(operation, 0x3c00_3c00));
    let out = device.alloc_u64(&[0; 4 * 40]);
    device.try_run("k", [1, 1, 1], [threads, 1, 1], 0, &[Arg::Buffer(out)]).unwrap_err()
}

/// Conformance fact V960: a device combines the operations of a warp's threads, as if they shared one memory.
#[test]
fn local_atomics_of_several_threads_are_refused() {
    for operation in [
        "atom.add.u32 %r1, [%d1], 1;",
        "red.add.s32 [%d1], %r2;",
        "red.min.u32 [%d1], 1;",
        "atom.max.s32 %r1, [%d1], 1;",
        "red.and.b32 [%d1], 1;",
        "atom.or.b32 %r1, [%d1], 1;",
        "atom.xor.b32 %r1, [%d1], 1;",
        "atom.add.acq_rel.cta.u64 %d2, [%d1], 1;",
    ] {
        let fault = fault_on_chosen(operation, 4);
        assert_eq!(fault.kind, FaultKind::Unsupported, "{operation}");
        let text = fault.to_string();
        assert!(text.contains("several threads of a warp on local memory"), "{operation}: {text}");
    }
    for operation in [
        "cvt.u64.u32 %d7, %r2; atom.add.u64 %d2, [%d1], %d7;",
        "atom.inc.u32 %r1, [%d1], 9;",
        "atom.exch.b32 %r1, [%d1], 9;",
        "atom.cas.b32 %r1, [%d1], 5, 9;",
        "atom.add.f32 %f1, [%d1], 0f3F800000;",
        "atom.or.b64 %d2, [%d1], 9;",
    ] {
        let mut device = Device::kernel(".param .b64 out", &on_chosen(operation, 5));
        let out = device.alloc_u64(&[0; 4 * 40]);
        device.run("k", [1, 1, 1], [40, 1, 1], &[Arg::Buffer(out)]);
    }
}

/// Conformance facts V951 to V953: a device computes wrong results.
#[test]
fn local_atomics_wrong_on_hardware_are_refused() {
    let wide = ".reg .b128 %q<3>; mov.b128 %q0, {%d3, %d2}; mov.b128 %q2, {%d3, %d2};";
    for (operation, kind) in [
        ("mov.b32 %r0, 0x3c003c00; atom.add.noftz.f16x2 %r1, [%d1], %r0;", ".f16x2"),
        ("mov.b32 %r0, 0x3c003c00; red.add.noftz.f16x2 [%d1], %r0;", ".f16x2"),
        ("mov.b32 %r0, 0x3f803f80; atom.add.noftz.bf16x2 %r1, [%d1], %r0;", ".bf16x2"),
        ("mov.b32 %r0, 0x3f803f80; red.add.noftz.bf16x2 [%d1], %r0;", ".bf16x2"),
        (&format!("{wide} atom.exch.b128 %q1, [%d1], %q0;"), "atom.b128"),
        (&format!("{wide} atom.cas.b128 %q1, [%d1], %q0, %q2;"), "atom.b128"),
        ("atom.add.v2.f32 {%f0, %f1}, [%d1], {%f0, %f1};", "vector"),
        ("red.add.v2.f32 [%d1], {%f0, %f1};", "vector"),
        ("atom.add.noftz.v4.f16x2 {%r0, %r1, _, _}, [%d1], {%r0, %r1, %r1, %r1};", "vector"),
        ("red.min.noftz.v2.f16 [%d1], {%h0, %h1};", "vector"),
    ] {
        let found = fault_on_chosen(operation, 40);
        assert_eq!((found.kind, found.thread), (FaultKind::Unsupported, [1, 0, 0]), "{operation}");
        let text = found.to_string();
        assert!(text.contains(kind) && text.contains("on local memory"), "{text}");
        // Thread 0 alone works on global memory.
        let mut device = Device::kernel(".param .b64 out", &on_chosen(operation, 0x3c00_3c00));
        let out = device.alloc_u64(&[0; 4 * 40]);
        device.run("k", [1, 1, 1], [1, 1, 1], &[Arg::Buffer(out)]);
    }
}

/// Conformance fact V954.
#[test]
fn mbarrier_outside_shared_memory_faults() {
    for operation in [
        "mov.b32 %r0, 1; mbarrier.init.b64 [%d1], %r0;",
        "mbarrier.arrive.b64 %d7, [%d1];",
        "mov.u64 %d7, 0; mbarrier.test_wait.b64 %p, [%d1], %d7;",
        "mbarrier.inval.b64 [%d1];",
    ] {
        let found = fault_on_chosen(operation, 40);
        assert_eq!(
            (found.kind, found.thread),
            (FaultKind::BarrierObjectOutsideShared, [0, 0, 0]),
            "{operation}"
        );
        // The second thread's address is local.
        let found = fault_on_chosen(&format!("@!%p bra OVER; {operation} OVER:"), 40);
        assert_eq!(
            (found.kind, found.thread),
            (FaultKind::BarrierObjectOutsideShared, [1, 0, 0]),
            "{operation}"
        );
    }
}
