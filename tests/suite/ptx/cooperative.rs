//! Grids whose blocks wait for each other.

use super::Device;

/// The blocks meet at the counter that the driver gives a cooperative launch, which special registers tell: the last to
/// come turns its highest bit.
const MEETING: &str = "\
    .reg .b64 %o, %w, %a; .reg .b32 %r<10>; .reg .pred %p;\n\
    mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.b64 %w, {%r2, %r1};\n\
    ld.param.b64 %o, [out]; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %tid.x;\n\
    mul.wide.u32 %a, %r3, 8; add.u64 %a, %o, %a;\n\
    setp.ne.u32 %p, %r5, 0; @%p bra met;\n\
    red.global.add.u64 [%o], 1;\n\
    membar.gl;\n\
    mov.u32 %r6, 1; setp.ne.u32 %p, %r3, 0; @%p bra come;\n\
    sub.u32 %r6, 0x80000001, %r4;\n\
    come: atom.add.u32 %r7, [%w+4], %r6;\n\
    wait: ld.volatile.u32 %r8, [%w+4]; xor.b32 %r8, %r8, %r7; setp.ge.s32 %p, %r8, 0; @%p bra wait;\n\
    membar.gl;\n\
    met: bar.sync 0; setp.ne.u32 %p, %r5, 1; @%p ret;\n\
    ld.volatile.global.u64 %w, [%o]; st.global.u64 [%a+8], %w; ret;";

#[test]
fn blocks_of_a_cooperative_launch_meet() {
    for _ in 0..3 {
        let mut device = Device::kernel(".param .b64 out", MEETING);
        let out = device.alloc_u64(&[0; 21]);
        device.run_cooperatively("k", 20, 64, out);
        assert_eq!(device.u64s(out), [20; 21]);
    }
}
