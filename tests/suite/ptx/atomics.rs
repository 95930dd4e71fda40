//! Atomic operations and reductions.

use super::{Arg, Device, edges32, edges64, pairs};

/// Applies an operation to one cell and returns the old and the new value.
fn once(op: &str, register: &str, space: &str, old: u64, operand: u64, third: Option<u64>) -> (u64, u64) {
    let bytes = if register.ends_with("64") {
        64
    } else if register.ends_with("16") {
        16
    } else {
        32
    };
    let third_text = if third.is_some() { ", %c" } else { "" };
    let (cell, setup, finish) = match space {
        "shared" => (
            "[%s]",
            format!("mov.u32 %s, cell; ld.global.b{bytes} %d, [%p0]; st.shared.b{bytes} [%s], %d;"),
            format!("ld.shared.b{bytes} %a, [%s]; st.global.b{bytes} [%p0], %a;"),
        ),
        "generic" => (
            "[%p4]",
            format!(
                "mov.u64 %p4, cell; cvta.shared.u64 %p4, %p4; ld.global.b{bytes} %d, [%p0]; st.b{bytes} [%p4], %d;"
            ),
            format!("ld.b{bytes} %a, [%p4]; st.global.b{bytes} [%p0], %a;"),
        ),
        _ => ("[%p0]", String::new(), String::new()),
    };
    let space = if space == "generic" { String::new() } else { format!(".{space}") };
    let body = format!(
        ".reg .{register} %a, %b, %c, %d; .reg .b64 %p<9>; .reg .b32 %s; .shared .align 8 .b8 cell[8];\n\
         ld.param.b64 %p0, [data]; ld.global.b{bytes} %b, [%p0+8]; ld.global.b{bytes} %c, [%p0+16];\n\
         {setup} atom{space}.{op} %d, {cell}, %b{third_text}; {finish} st.global.b{bytes} [%p0+24], %d; ret;"
    );
    let mut device = Device::kernel(".param .b64 data", &body);
    let data = device.alloc_u64(&[old, operand, third.unwrap_or(0), 0]);
    device.run("k", [1, 1, 1], [1, 1, 1], &[Arg::Buffer(data)]);
    let results = device.u64s(data);
    (results[3], results[0])
}

fn check(op: &str, register: &str, values: &[u64], expected: impl Fn(u64, u64) -> u64) {
    for row in pairs(&values[..values.len().min(9)], &values[..values.len().min(9)]) {
        for space in ["global", "shared", "generic"] {
            let (old, new) = once(op, register, space, row[0], row[1], None);
            assert_eq!(old, row[0], "{op} returns the old value");
            assert_eq!(new, expected(row[0], row[1]), "{space} {op} of {:#x} and {:#x}", row[0], row[1]);
        }
    }
}

#[test]
fn integers() {
    let words = [0, 1, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff, 0x1234_5678, 32];
    let wrap = |value: u64| value & 0xffff_ffff;
    check("add.u32", "b32", &words, |a, b| wrap(a + b));
    check("add.s32", "b32", &words, |a, b| wrap(a + b));
    check("min.u32", "b32", &words, u64::min);
    check("max.u32", "b32", &words, u64::max);
    check("min.s32", "b32", &words, |a, b| if (a as i32) < b as i32 { a } else { b });
    check("max.s32", "b32", &words, |a, b| if (a as i32) > b as i32 { a } else { b });
    check("inc.u32", "b32", &words, |a, b| if a >= b { 0 } else { a + 1 });
    check("dec.u32", "b32", &words, |a, b| if a == 0 || a > b { b } else { a - 1 });
    check("and.b32", "b32", &words, |a, b| a & b);
    check("or.b32", "b32", &words, |a, b| a | b);
    check("xor.b32", "b32", &words, |a, b| a ^ b);
    check("exch.b32", "b32", &words, |_, b| b);
    let longs = edges64();
    check("add.u64", "b64", &longs, u64::wrapping_add);
    check("min.s64", "b64", &longs, |a, b| (a as i64).min(b as i64) as u64);
    check("max.u64", "b64", &longs, u64::max);
    check("xor.b64", "b64", &longs, |a, b| a ^ b);
    check("exch.b64", "b64", &longs, |_, b| b);
}

#[test]
fn compare_and_swap() {
    for (register, mask) in [("b16", 0xffff), ("b32", 0xffff_ffff), ("b64", u64::MAX)] {
        for (old, wanted) in [(5, 5), (5, 6), (mask, mask), (0, mask)] {
            for space in ["global", "shared"] {
                let op = format!("cas.{register}");
                let (found, new) = once(&op, register, space, old, wanted, Some(77));
                assert_eq!((found, new), (old, if old == wanted { 77 } else { old }), "{op}");
            }
        }
    }
}

#[test]
fn floats() {
    let values = [0.0f32, 1.0, -1.5, 1e30, f32::INFINITY, 0.1].map(|value| u64::from(value.to_bits()));
    check("add.f32", "f32", &values, |a, b| {
        let sum = f32::from_bits(a as u32) + f32::from_bits(b as u32);
        if sum.is_nan() { 0x7fff_ffff } else { sum.to_bits().into() }
    });
    let values = [0.0f64, 1.0, -1.5, 1e300, 0.1].map(f64::to_bits);
    check("add.f64", "f64", &values, |a, b| (f64::from_bits(a) + f64::from_bits(b)).to_bits());
    // Subnormals are lost in global memory and kept in shared memory.
    assert_eq!(once("add.f32", "f32", "global", 3, 4, None), (3, 0));
    assert_eq!(once("add.f32", "f32", "shared", 3, 4, None), (3, 7));
    // 1.0 + 2.0 in both halves.
    assert_eq!(once("add.noftz.f16x2", "b32", "global", 0x3c00_3c00, 0x4000_3c00, None).1, 0x4200_4000);
    assert_eq!(once("add.noftz.f16", "b16", "global", 0x3c00, 0x4000, None).1, 0x4200);
}

#[test]
fn contended() {
    // Every thread of several blocks adds to a few cells, in global and in shared memory, with and without a result.
    let body = ".reg .b32 %r<9>; .reg .b64 %p<9>; .reg .f32 %f<4>; .shared .align 4 .b32 sum;\n\
        ld.param.b64 %p0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r3, 0; st.shared.u32 [sum], %r3; bar.sync 0; and.b32 %r1, %r0, 3; mul.wide.u32 %p1, %r1, 4; add.s64 %p1, %p0, %p1;\n\
        red.global.add.u32 [%p1], 1; atom.global.add.u32 %r2, [%p0+16], 2; red.global.max.u32 [%p0+20], %r0;\n\
        red.shared.add.u32 [sum], %r0; bar.sync 0; setp.eq.u32 %q, %r0, 0; @!%q ret;\n\
        ld.shared.u32 %r3, [sum]; red.relaxed.gpu.global.add.u32 [%p0+24], %r3; ret;";
    let mut device = Device::kernel(".param .b64 out", &format!(".reg .pred %q; {body}"));
    let out = device.alloc_u32(&[0; 8]);
    device.run("k", [5, 1, 1], [96, 1, 1], &[Arg::Buffer(out)]);
    let sum = 95 * 96 / 2;
    assert_eq!(device.u32s(out)[..7], [120, 120, 120, 120, 960, 95, 5 * sum]);
}

#[test]
fn old_values_are_all_different() {
    // Each thread draws a ticket; together they draw each exactly once.
    let body = ".reg .b32 %r<9>; .reg .b64 %p<9>; ld.param.b64 %p0, [out];\n\
        atom.global.inc.u32 %r1, [%p0], 0xffffffff; mul.wide.u32 %p1, %r1, 4; add.s64 %p1, %p0, %p1;\n\
        mov.u32 %r2, %laneid; add.u32 %r2, %r2, 1; st.global.b32 [%p1+4], %r2; ret;";
    let mut device = Device::kernel(".param .b64 out", body);
    let out = device.alloc_u32(&[0; 130]);
    device.run("k", [2, 1, 1], [64, 1, 1], &[Arg::Buffer(out)]);
    let values = device.u32s(out);
    assert_eq!(values[0], 128);
    assert!(values[1..129].iter().all(|&value| value != 0));
    let _ = edges32();
}

#[test]
fn local_memory_takes_atomics_by_generic_address() {
    // The effect of each on a 5 in a thread's own memory: the old value, if it returns one, and the new one. Sums of several
    // threads go wrong on devices (conformance fact V960).
    for (operation, old, new, threads) in [
        ("atom.add.acq_rel.cta.u64 %d2, [%d1], 1;", 5, 6, 1),
        ("atom.add.u64 %d2, [%d1], 1;", 5, 6, 1),
        ("atom.cas.b64 %d2, [%d1], 5, 9;", 5, 9, 40),
        ("mov.u64 %d2, 0; red.add.u64 [%d1], 1;", 0, 6, 1),
        ("atom.add.u32 %r1, [%d1], 1; cvt.u64.u32 %d2, %r1;", 5, 6, 1),
        ("atom.inc.u32 %r1, [%d1], 9; cvt.u64.u32 %d2, %r1;", 5, 6, 40),
        ("ld.acquire.gpu.u64 %d2, [%d1];", 5, 5, 40),
        ("mov.u64 %d2, 7; st.release.gpu.u64 [%d1], %d2;", 7, 7, 40),
    ] {
        let body = format!(
            ".local .align 8 .b64 own; .reg .b64 %d<5>; .reg .b32 %r<3>; ld.param.b64 %d0, [out]; mov.u64 %d1, 5; \
             st.local.u64 [own], %d1; cvta.local.u64 %d1, own; {operation} ld.volatile.u64 %d3, [%d1]; mov.u32 %r2, %tid.x; \
             mul.wide.u32 %d4, %r2, 16; add.s64 %d0, %d0, %d4; st.global.v2.u64 [%d0], {{%d2, %d3}}; ret;"
        );
        let mut device = Device::kernel(".param .b64 out", &body);
        let out = device.alloc_u64(&[0; 80]);
        device.run("k", [1, 1, 1], [threads, 1, 1], &[Arg::Buffer(out)]);
        // Every thread has its own.
        let found = &device.u64s(out)[..2 * threads as usize];
        assert_eq!(found, [old, new].repeat(threads as usize), "{operation}");
    }
}
