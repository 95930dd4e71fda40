//! PTX of the first versions, for the first devices.

use super::{Arg, Device};

/// Compilers of 2008 wrote such kernels: 16-bit reads of special registers, `mad.f32` without a rounding modifier.
#[test]
fn first_ptx_versions_run() {
    let kernel = "
        .reg .u16 %rh<4>; .reg .u32 %r<9>; .reg .u64 %rd<6>; .reg .f32 %f<5>; .reg .pred %p<3>;
        mov.u16 %rh1, %ctaid.x;
        mov.u16 %rh2, %ntid.x;
        mul.wide.u16 %r1, %rh1, %rh2;
        cvt.u32.u16 %r2, %tid.x;
        add.u32 %r3, %r2, %r1;
        ld.param.s32 %r4, [n];
        setp.le.s32 %p1, %r4, %r3;
        @%p1 bra $END;
        cvt.u64.s32 %rd1, %r3;
        mul.lo.u64 %rd2, %rd1, 4;
        ld.param.u64 %rd3, [data];
        add.u64 %rd4, %rd3, %rd2;
        ld.global.f32 %f1, [%rd4+0];
        mov.f32 %f2, 0f40000000;
        mad.f32 %f3, %f1, %f2, %f1;
        st.global.f32 [%rd4+0], %f3;
        $END: exit;";
    let listed = format!(
        ".version 1.4\n.target sm_10, map_f64_to_f32\n.entry k (.param .u64 data, .param .s32 n)\n{{{kernel}}}\n"
    );
    let declared = format!(
        ".version 1.3\n.target sm_10, map_f64_to_f32\n.entry k\n{{ .param .u64 data; .param .s32 n; {kernel}}}\n"
    );
    for ptx in [listed, declared] {
        let mut device = Device::new(&ptx);
        let values: Vec<f32> = (0..100_u8).map(f32::from).collect();
        let data = device.alloc_f32(&values);
        device.run("k", [4, 1, 1], [32, 1, 1], &[Arg::Buffer(data), Arg::I32(90)]);
        for (index, (new, old)) in device.f32s(data).into_iter().zip(values).enumerate() {
            assert_eq!(new, if index < 90 { 3.0 * old } else { old }, "{ptx}");
        }
    }
}

#[test]
fn conversions_take_a_part_of_special_registers() {
    for head in [".version 1.4\n.target sm_10\n", ".version 9.0\n.target sm_90\n.address_size 64\n"] {
        let mut device = Device::new(&format!(
            "{head}.entry k (.param .u64 out) {{ .reg .u16 %h<3>; .reg .s32 %r<7>; .reg .s64 %d<5>;
             ld.param.u64 %d1, [out]; cvt.u32.u16 %r1, %tid.x; mul.wide.u32 %d2, %r1, 32; add.s64 %d1, %d1, %d2;
             cvt.s32.u16 %r2, %ctaid.x; st.global.s32 [%d1], %r2;
             cvt.u32.u8 %r3, %tid.x; st.global.s32 [%d1+4], %r3;
             cvt.s32.s8 %r4, %tid.x; st.global.s32 [%d1+8], %r4;
             cvt.u16.u32 %h1, %ntid.x; cvt.u32.u16 %r5, %h1; st.global.s32 [%d1+12], %r5;
             cvt.s64.s8 %d3, %tid.x; st.global.s64 [%d1+16], %d3;
             cvt.u64.u32 %d4, %ntid.x; st.global.s64 [%d1+24], %d4; exit; }}"
        ));
        let out = device.alloc_u64(&[0; 4 * 400]);
        device.run("k", [1, 1, 1], [400, 1, 1], &[Arg::Buffer(out)]);
        let found = device.u64s(out);
        for (thread, found) in (0_u64..).zip(found.chunks(4)) {
            let byte = i64::from((thread as u8).cast_signed());
            let low = u64::from(byte as u32);
            assert_eq!(
                found,
                [(thread & 0xff) << 32, 400 << 32 | low, byte.cast_unsigned(), 400],
                "{thread}"
            );
        }
    }
}

#[test]
fn mad_of_first_devices_fuses_and_flushes() {
    let half_step = 1.0 + 1.0 / 4096.0;
    let cases = [
        // One rounding, so that the square's last bit is not lost.
        ([half_step, half_step, -1.0 - 1.0 / 2048.0], 1.0 / 16_777_216.0, 1.0 / 16_777_216.0),
        // A subnormal factor, and a subnormal sum.
        ([f32::from_bits(1 << 22), 4.0, 0.0], 0.0, f32::from_bits(1 << 24)),
        ([f32::MIN_POSITIVE, 0.5, 0.0], 0.0, f32::MIN_POSITIVE / 2.0),
        ([3.0, 5.0, 7.0], 22.0, 22.0),
    ];
    let heads =
        [".version 1.4\n.target sm_10\n", ".version 1.4\n.target sm_13\n", ".version 2.0\n.target sm_20\n"];
    for (head, flushes) in heads.into_iter().zip([true, true, false]) {
        for (values, flushed, kept) in cases {
            let mut device = Device::new(&format!(
                "{head}.entry k (.param .u64 data) {{ .reg .u64 %d; .reg .f32 %f<4>; ld.param.u64 %d, [data];
                 ld.global.f32 %f0, [%d]; ld.global.f32 %f1, [%d+4]; ld.global.f32 %f2, [%d+8];
                 mad.f32 %f3, %f0, %f1, %f2; st.global.f32 [%d+12], %f3; exit; }}"
            ));
            let data = device.alloc_f32(&[values[0], values[1], values[2], 9.0]);
            device.run("k", [1, 1, 1], [1, 1, 1], &[Arg::Buffer(data)]);
            assert_eq!(device.f32s(data)[3], if flushes { flushed } else { kept }, "{head}: {values:?}");
        }
    }
}
