//! Registers of 128 bits, and atomic operations on vectors.

use super::{Arg, Device, numbers};

#[test]
fn moves_loads_and_stores() {
    let mut device = Device::kernel(
        ".param .b64 in, .param .b64 out",
        ".reg .b128 %q<3>; .reg .b64 %d<8>; .reg .b32 %r<8>; ld.param.b64 %d0, [in]; ld.param.b64 %d1, [out];\n\
         mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 16; add.s64 %d0, %d0, %d2; shl.b64 %d2, %d2, 2; add.s64 %d1, %d1, %d2;\n\
         ld.global.b128 %q0, [%d0]; st.global.b128 [%d1], %q0;\n\
         mov.b128 {%d3, %d4}, %q0; mov.b128 %q1, {%d4, %d3}; st.global.b128 [%d1+16], %q1;\n\
         mov.b128 %q2, %q1; mov.b128 {%r1, %r2, %r3, %r4}, %q2; mov.b128 %q0, {%r2, %r1, %r4, %r3}; st.global.b128 [%d1+32], %q0;\n\
         ld.relaxed.gpu.global.b128 %q0, [%d0]; st.relaxed.gpu.global.b128 [%d1+48], %q0; ret;",
    );
    let values = numbers(64, 9);
    let input = device.alloc_u64(&values);
    let out = device.alloc_u64(&[0; 256]);
    device.run("k", [1, 1, 1], [32, 1, 1], &[Arg::Buffer(input), Arg::Buffer(out)]);
    let expected: Vec<u64> = values
        .chunks(2)
        .flat_map(|pair| {
            let (low, high) = (pair[0], pair[1]);
            [low, high, high, low, high.rotate_left(32), low.rotate_left(32), low, high]
        })
        .collect();
    assert_eq!(device.u64s(out), expected);
}

#[test]
fn exchanges() {
    // Every thread adds its number to both halves of one place, and tries again until no other thread came in between.
    for (space, place) in [("global", "%d0"), ("shared", "tile")] {
        let mut device = Device::kernel(
            ".param .b64 at",
            &format!(
                ".reg .b128 %q<4>; .reg .b64 %d<12>; .reg .b32 %r<4>; .reg .pred %p<3>; .shared .align 16 .b8 tile[16];\n\
                 ld.param.b64 %d0, [at]; mov.u32 %r0, %tid.x; add.u32 %r0, %r0, 1; cvt.u64.u32 %d1, %r0; mul.lo.u64 %d2, %d1, 3;\n\
                 setp.eq.u32 %p0, %r0, 1; mov.u64 %d3, 0; mov.b128 %q0, {{%d3, %d3}}; @%p0 st.{space}.b128 [{place}], %q0; bar.sync 0;\n\
                 AGAIN: mov.b128 {{%d4, %d5}}, %q0; add.u64 %d6, %d4, %d1; add.u64 %d7, %d5, %d2; mov.b128 %q1, {{%d6, %d7}};\n\
                 atom.{space}.cas.b128 %q2, [{place}], %q0, %q1; mov.b128 {{%d8, %d9}}, %q2; mov.b128 %q0, %q2;\n\
                 setp.ne.u64 %p1, %d8, %d4; setp.ne.or.u64 %p2, %d9, %d5, %p1; @%p2 bra AGAIN; bar.sync 0;\n\
                 mov.b128 %q3, {{%d3, %d3}}; @!%p0 ret; atom.{space}.exch.b128 %q2, [{place}], %q3;\n\
                 st.global.b128 [%d0], %q2; ret;"
            ),
        );
        let at = device.alloc_u64(&[0, 0]);
        device.run("k", [1, 1, 1], [96, 1, 1], &[Arg::Buffer(at)]);
        assert_eq!(device.u64s(at), [96 * 97 / 2, 3 * 96 * 97 / 2], "{space}");
    }
}

#[test]
fn sums_of_vectors() {
    let mut device = Device::kernel(
        ".param .b64 at, .param .b64 old",
        ".reg .f32 %f<12>; .reg .b16 %h<9>; .reg .b32 %r<8>; .reg .b64 %d<4>; ld.param.b64 %d0, [at]; ld.param.b64 %d1, [old];\n\
         mov.u32 %r0, %tid.x; cvt.rn.f32.u32 %f0, %r0; add.f32 %f1, %f0, 0f3F800000; neg.f32 %f2, %f0; mul.f32 %f3, %f0, 0f40000000;\n\
         red.global.v4.f32.add [%d0], {%f0, %f1, %f2, %f3};\n\
         cvt.rn.f16.f32 %h0, %f0; mov.b32 %r1, {%h0, %h0}; red.global.v2.f16x2.max.noftz [%d0+16], {%r1, %r1};\n\
         cvt.rn.bf16.f32 %h1, %f2; red.global.v4.bf16.min.noftz [%d0+24], {%h1, %h1, %h1, %h1};\n\
         bar.sync 0; mov.u32 %r2, 0; .reg .pred %p; setp.ne.u32 %p, %r0, 0; @%p ret;\n\
         atom.global.v2.f32.add {%f4, %f5}, [%d0], {%f1, %f1}; st.global.v2.f32 [%d1], {%f4, %f5}; ret;",
    );
    let at = device.alloc(&[0; 32]);
    let old = device.alloc(&[0; 8]);
    device.run("k", [1, 1, 1], [64, 1, 1], &[Arg::Buffer(at), Arg::Buffer(old)]);
    let sum = 63.0 * 64.0 / 2.0;
    assert_eq!(device.f32s(old), [sum, sum + 64.0]);
    assert_eq!(device.f32s(at)[..4], [sum + 1.0, sum + 65.0, -sum, 2.0 * sum]);
    let halves: Vec<u16> =
        device.bytes(at)[16..].chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    // 63 is 1.96875 * 2^5.
    assert_eq!(halves[..4], [0x53e0; 4]);
    assert_eq!(halves[4..], [0xc27c; 4]);
}
