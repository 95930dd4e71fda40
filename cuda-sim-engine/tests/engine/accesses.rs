//! Loads and stores of every size, by whole warps and parts of them, for all layouts of addresses.

use super::{Device, TARGET};
use cuda_sim_engine::{FaultKind, Progress, Target};

/// Type, number of elements, and bytes of a lane's access.
const KINDS: [(&str, usize, usize); 14] = [
    ("u8", 1, 1),
    ("u16", 1, 2),
    ("u32", 1, 4),
    ("u64", 1, 8),
    ("f32", 1, 4),
    ("f64", 1, 8),
    ("u8", 2, 2),
    ("u8", 4, 4),
    ("u16", 2, 4),
    ("u16", 4, 8),
    ("u32", 2, 8),
    ("u32", 4, 16),
    ("u64", 2, 16),
    ("f32", 4, 16),
];

/// Order of the elements that threads read, as PTX that maps the thread `%t` to `%i`, and as a host function.
type Order = (&'static str, fn(usize) -> usize);

const ORDERS: [Order; 6] = [
    ("mov.u32 %i, %t", |thread| thread),
    ("xor.b32 %i, %t, 16", |thread| thread ^ 16),
    ("xor.b32 %i, %t, 31", |thread| thread ^ 31),
    ("and.b32 %i, %t, 0xfffffff0", |thread| thread & !15),
    ("mov.u32 %i, 5", |_| 5),
    ("mul.lo.u32 %i, %t, 37; and.b32 %i, %i, 63", |thread| (thread * 37) & 63),
];

/// Threads that take part, as a condition in PTX and on the host.
type Mask = (&'static str, fn(usize) -> bool);

const MASKS: [Mask; 3] = [
    ("setp.lt.u32 %p, %t, 64", |_| true),
    ("setp.lt.u32 %p, %t, 41", |thread| thread < 41),
    ("and.b32 %m, %t, 3; setp.eq.u32 %p, %m, 1", |thread| thread % 4 == 1),
];

/// Copies values through `space`. Each thread writes to the position of its element, and leaves its value at its own
/// number. Threads that read one element write the same value.
fn copies(space: &str) {
    let register = |kind: &str| match kind {
        "u8" | "u16" => "b16",
        "u32" => "b32",
        "u64" => "b64",
        other => {
            if other == "f32" {
                "f32"
            } else {
                "f64"
            }
        }
    };
    let input: Vec<u8> = (0..1024u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for (kind, count, bytes) in KINDS {
        let vector = if count == 1 { String::new() } else { format!(".v{count}") };
        let names: Vec<String> = (0..count).map(|index| format!("%e{index}")).collect();
        let list = if count == 1 { names[0].clone() } else { format!("{{{}}}", names.join(", ")) };
        for (order, source) in ORDERS {
            for (mask, takes_part) in MASKS {
                let through = match space {
                    "shared" => format!(
                        "mov.u64 %z, sm; mul.wide.u32 %w, %i, {bytes}; add.s64 %w, %z, %w; st.shared{vector}.{kind} [%w], {list};
                        bar.warp.sync -1; ld.shared{vector}.{kind} {list}, [%w];"
                    ),
                    "local" => format!("st.local{vector}.{kind} [lo], {list}; ld.local{vector}.{kind} {list}, [lo];"),
                    _ => format!(
                        "ld.param.b64 %z, [scratch]; mul.wide.u32 %w, %i, {bytes}; add.s64 %w, %z, %w;
                        st.global{vector}.{kind} [%w], {list}; ld.global{vector}.{kind} {list}, [%w];"
                    ),
                };
                let mut device = Device::kernel(
                    ".param .b64 in, .param .b64 out, .param .b64 scratch",
                    &format!(
                        ".reg .{} %e<4>; .reg .b32 %t, %i, %m; .reg .b64 %x, %y, %z, %w; .reg .pred %p;
                        .shared .align 16 .b8 sm[1024]; .local .align 16 .b8 lo[16];
                        mov.u32 %t, %tid.x; {mask}; @!%p exit; {order};
                        ld.param.b64 %x, [in]; ld.param.b64 %y, [out]; mul.wide.u32 %z, %i, {bytes}; add.s64 %x, %x, %z;
                        mul.wide.u32 %z, %t, {bytes}; add.s64 %y, %y, %z;
                        ld.global{vector}.{kind} {list}, [%x]; {through} st.global{vector}.{kind} [%y], {list}; ret;",
                        register(kind)
                    ),
                );
                let (from, to) = (device.alloc(&input), device.alloc(&[0xee; 1024]));
                let scratch = device.alloc(&[0; 1024]);
                let mut execution = device.begin("k", [1, 64], &[from, to, scratch], |_| {});
                assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
                let mut expected = vec![0xee; 1024];
                for thread in (0..64).filter(|&thread| takes_part(thread)) {
                    let start = source(thread) * bytes;
                    expected[thread * bytes..][..bytes].copy_from_slice(&input[start..start + bytes]);
                }
                let found: Vec<u8> = device.u64s(to).iter().flat_map(|long| long.to_le_bytes()).collect();
                assert_eq!(found, expected, "{vector}.{kind} {space} {order} {mask}");
            }
        }
    }
}

#[test]
fn global() {
    copies("global");
}

#[test]
fn by_way_of_shared_memory() {
    copies("shared");
}

#[test]
fn by_way_of_local_memory() {
    copies("local");
}

#[test]
fn stores_before_faulting_lane_stay() {
    for (kind, list, words) in
        [("u32", "%a", 1), ("v2.u32", "{%a, %a}", 2), ("u64", "%l", 2), ("v4.u32", "{%a, %a, %a, %a}", 4)]
    {
        // The lanes use positions in another order. One lane accesses the middle of a word, or the memory behind the
        // buffer.
        for (wrong, fault) in [("2", FaultKind::MisalignedAddress), ("4096", FaultKind::IllegalAddress)] {
            let bytes = 4 * words;
            let mut device = Device::kernel(
                ".param .b64 out",
                &format!(
                    ".reg .b32 %t, %i, %a; .reg .b64 %x, %y, %l; .reg .pred %p; mov.u32 %t, %tid.x; xor.b32 %i, %t, 3;
                    add.u32 %a, %t, 1; cvt.u64.u32 %l, %a; shl.b64 %y, %l, 32; or.b64 %l, %l, %y;
                    ld.param.b64 %x, [out]; mul.wide.u32 %y, %i, {bytes}; add.s64 %y, %x, %y; setp.eq.u32 %p, %t, 21;
                    @%p add.s64 %y, %x, {wrong}; st.global.{kind} [%y], {list}; ret;"
                ),
            );
            let out = device.alloc(&vec![0; 32 * bytes]);
            let mut execution = device.begin("k", [1, 32], &[out], |_| {});
            let found = device.go_on(&mut execution, u64::MAX).unwrap_err();
            assert_eq!((found.kind, found.thread), (fault, [21, 0, 0]), "{kind} {wrong}");
            let mut expected = vec![0; 32 * words];
            for lane in 0..21usize {
                expected[(lane ^ 3) * words..][..words].fill(lane as u32 + 1);
            }
            assert_eq!(device.u32s(out), expected, "{kind} {wrong}");
        }
    }
}

/// Atomic operation in PTX, and as a host function from the old value and the operand to the new value.
type AtomicOperation = (&'static str, fn(u32, u32) -> u32);

#[test]
fn shared_atomics_take_lanes_in_order() {
    let operations: [AtomicOperation; 9] = [
        ("add.u32", u32::wrapping_add),
        ("min.u32", u32::min),
        ("max.u32", u32::max),
        ("min.s32", |a, b| a.cast_signed().min(b.cast_signed()).cast_unsigned()),
        ("max.s32", |a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned()),
        ("and.b32", |a, b| a & b),
        ("or.b32", |a, b| a | b),
        ("xor.b32", |a, b| a ^ b),
        ("exch.b32", |_, b| b),
    ];
    for (operation, apply) in operations {
        let mut device = Device::kernel(
            ".param .b64 out",
            &format!(
                ".reg .b32 %t, %v, %a, %o; .reg .b64 %x, %y; .reg .pred %p; .shared .b32 sm[8]; mov.u32 %t, %tid.x;
                setp.lt.u32 %p, %t, 29; @!%p exit; mul.lo.u32 %v, %t, 0x9e3779b1; rem.u32 %a, %t, 5; shl.b32 %a, %a, 2;
                mov.u32 %o, sm; add.u32 %a, %a, %o; atom.shared.{operation} %o, [%a], %v; atom.shared.{operation} %v, [%a], %v;
                xor.b32 %o, %o, %v; ld.param.b64 %x, [out]; mul.wide.u32 %y, %t, 4; add.s64 %x, %x, %y;
                st.global.u32 [%x], %o; ret;"
            ),
        );
        let out = device.alloc_u32(&[0; 32]);
        let mut execution = device.begin("k", [1, 32], &[out], |_| {});
        assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
        let (mut words, mut expected) = ([0; 5], [0; 32]);
        for _ in 0..2 {
            for (lane, found) in expected.iter_mut().enumerate().take(29) {
                let word = &mut words[lane % 5];
                *found ^= *word;
                *word = apply(*word, (lane as u32).wrapping_mul(0x9e37_79b1));
            }
        }
        assert_eq!(device.u32s(out), expected, "{operation}");
    }
}

#[test]
fn local_volatile_needs_ptx_9_1() {
    let target = Target { ptx_version: (9, 1), ..TARGET };
    let mut device = Device::of(
        ".version 9.1\n.target sm_90\n.address_size 64\n.visible .entry k(.param .b64 out)\n{
        .reg .b16 %h<3>; .reg .b32 %r<4>; .reg .b64 %d<3>; .local .align 8 .b8 lo[16];
        mov.u32 %r0, %tid.x; add.u32 %r1, %r0, 100; cvt.u16.u32 %h0, %r0;
        st.volatile.local.v2.u32 [lo], {%r1, %r0}; st.volatile.local.u8 [lo+9], %h0;
        ld.volatile.local.u32 %r2, [lo]; ld.volatile.local.u8 %r3, [lo+9]; mad.lo.u32 %r2, %r3, 1000, %r2;
        ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.u32 [%d0], %r2; ret;\n}\n",
        &target,
    );
    let out = device.alloc_u32(&[0; 64]);
    let mut execution = device.begin("k", [1, 64], &[out], |_| {});
    assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
    assert_eq!(device.u32s(out), (0..64).map(|thread| 100 + thread * 1001).collect::<Vec<u32>>());
}

#[test]
fn signed_loads_extend_sign() {
    let mut device = Device::kernel(
        ".param .b64 in, .param .b64 out",
        ".reg .b32 %r<3>; .reg .b64 %d<6>; ld.param.b64 %d0, [in]; ld.param.b64 %d1, [out]; mov.u32 %r0, %tid.x;
        cvt.u64.u32 %d2, %r0; add.s64 %d0, %d0, %d2; ld.global.s8 %d3, [%d0]; mul.wide.u32 %d2, %r0, 8;
        add.s64 %d1, %d1, %d2; st.global.u64 [%d1], %d3; ld.global.s8 %r1, [%d0]; st.global.u32 [%d1+512], %r1; ret;",
    );
    let input: Vec<u8> = (0..64u8).map(|at| at.wrapping_mul(37)).collect();
    let (from, to) = (device.alloc(&input), device.alloc(&[0; 1024]));
    let mut execution = device.begin("k", [1, 64], &[from, to], |_| {});
    assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
    let found = device.u64s(to);
    for (thread, &byte) in input.iter().enumerate() {
        let value = i64::from(byte.cast_signed());
        assert_eq!(found[thread], value.cast_unsigned());
        assert_eq!(found[64 + thread], u64::from(value as u32));
    }
}
