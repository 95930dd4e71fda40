//! Results with the host's vector extensions, and without them.

use super::Device;
use cuda_sim_engine::Progress;

/// Returns values that operations treat differently.
fn singles() -> Vec<u32> {
    let mut bits: Vec<u32> =
        [0u32, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x4b00_0001, 0x7f7f_ffff, 0x7f80_0000]
            .into_iter()
            .chain([0x7fc0_0000, 0x7f80_0001, 0x7fff_ffff, 0x3300_0000, 0x4effffff, 0x4f00_0000])
            .flat_map(|bits| [bits, bits | 1 << 31])
            .collect();
    bits.extend((0..228u32).map(|value| value.wrapping_mul(2_654_435_761).rotate_left(value)));
    bits
}

/// Operations on words and on longs, as kernel source. The source begins with three operands in `a`, `b`, `c`, and
/// leaves the bits of its result in `d`.
const WORDS: [&str; 44] = [
    "fma.rn.f32 %d, %a, %b, %c",
    "fma.rn.ftz.f32 %d, %a, %b, %c",
    "fma.rz.f32 %d, %a, %b, %c",
    "fma.rm.f32 %d, %a, %b, %c",
    "rcp.rn.f32 %d, %a",
    "rsqrt.approx.f32 %d, %a",
    "add.rn.f32 %d, %a, %b",
    "sub.rn.f32 %d, %a, %b",
    "mul.rn.f32 %d, %a, %b",
    "div.rn.f32 %d, %a, %b",
    "min.f32 %d, %a, %b",
    "max.f32 %d, %a, %b",
    "sqrt.rn.f32 %d, %a",
    "neg.f32 %d, %a",
    "cvt.rn.f32.s32 %d, %a",
    "cvt.rn.f32.u32 %d, %a",
    "cvt.rzi.s32.f32 %d, %a",
    "cvt.rni.u32.f32 %d, %a",
    "add.s32 %d, %a, %b",
    "sub.s32 %d, %a, %b",
    "mul.lo.s32 %d, %a, %b",
    "mul.hi.u32 %d, %a, %b",
    "mad.lo.s32 %d, %a, %b, %c",
    "min.s32 %d, %a, %b",
    "max.u32 %d, %a, %b",
    "and.b32 %d, %a, %b",
    "or.b32 %d, %a, %b",
    "xor.b32 %d, %a, %b",
    "shl.b32 %d, %a, %c",
    "shr.s32 %d, %a, %c",
    "shr.u32 %d, %a, %c",
    "popc.b32 %d, %a",
    "clz.b32 %d, %a",
    "fma.rn.f16x2 %d, %a, %b, %c",
    "add.f16x2 %d, %a, %b",
    "mul.f16x2 %d, %a, %b",
    "add.rn.ftz.f32 %d, %a, %b",
    "mul.rn.ftz.f32 %d, %a, %b",
    "cvt.rni.f32.f32 %d, %a",
    "cvt.rmi.f32.f32 %d, %a",
    "lop3.b32 %d, %a, %b, %c, 0xe8",
    "shfl.sync.bfly.b32 %d, %a, 3, 31, 0xffffffff",
    "setp.lt.f32 %p, %a, %b; selp.b32 %d, %a, %c, %p",
    "setp.gt.s32 %p, %a, %b; selp.b32 %d, %a, %c, %p",
];

const LONGS: [&str; 12] = [
    "fma.rn.f64 %d, %a, %b, %c",
    "add.rn.f64 %d, %a, %b",
    "sub.rn.f64 %d, %a, %b",
    "mul.rn.f64 %d, %a, %b",
    "div.rn.f64 %d, %a, %b",
    "add.s64 %d, %a, %b",
    "mul.lo.s64 %d, %a, %b",
    "and.b64 %d, %a, %b",
    "or.b64 %d, %a, %b",
    "cvt.rn.f64.s64 %d, %a",
    "setp.le.f64 %p, %a, %b; selp.b64 %d, %a, %c, %p",
    "max.f64 %d, %a, %b",
];

/// Runs a kernel both ways on three arrays, with whole warps and odd lanes.
fn both(operation: &str, kind: &str, size: u32, arrays: &[Vec<u8>; 3]) -> [Vec<u64>; 2] {
    let loads = (0..3).map(|index| {
        let register = ["%a", "%b", "%c"][index];
        format!("ld.param.b64 %x, [p{index}]; add.s64 %x, %x, %y; ld.global.{kind} {register}, [%x];")
    });
    let mut device = Device::kernel(
        ".param .b64 p0, .param .b64 p1, .param .b64 p2, .param .b64 p3",
        &format!(
            ".reg .{kind} %a, %b, %c, %d; .reg .b32 %t; .reg .b64 %x, %y; .reg .pred %p, %q; mov.u32 %t, %tid.x;
            mul.wide.u32 %y, %t, {size}; {} mov.{kind} %d, %c; and.b32 %t, %t, 64; setp.ne.u32 %q, %t, 0; mov.u32 %t, %tid.x;
            @!%q bra ALL; and.b32 %t, %t, 5; setp.eq.u32 %q, %t, 1; @%q bra OVER;
            ALL: {operation};
            OVER: ld.param.b64 %x, [p3]; add.s64 %x, %x, %y; st.global.{kind} [%x], %d; ret;",
            loads.collect::<String>()
        ),
    );
    let mut buffers: Vec<usize> = arrays.iter().map(|array| device.alloc(array)).collect();
    let length = arrays[0].len();
    [false, true].map(|baseline| {
        let out = device.alloc(&vec![0; length]);
        buffers.push(out);
        let mut execution =
            device.begin("k", [1, length as u32 / size], &buffers, |launch| launch.vectors = !baseline);
        assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
        buffers.pop();
        device.u64s(out)
    })
}

#[test]
fn words_agree_on_both_simd_levels() {
    let values = singles();
    let array = |turn: usize| -> Vec<u8> {
        (0..values.len())
            .flat_map(|at| values[(at * (2 * turn + 1) + 7 * turn) % values.len()].to_le_bytes())
            .collect()
    };
    let arrays = [array(0), array(1), array(2)];
    for operation in WORDS {
        let [best, baseline] = both(operation, "b32", 4, &arrays);
        assert_eq!(best, baseline, "{operation}");
    }
}

#[test]
fn longs_agree_on_both_simd_levels() {
    let values: Vec<u64> = singles()
        .into_iter()
        .enumerate()
        .map(|(at, bits)| {
            if at % 3 == 0 {
                u64::from(bits) << 32
            } else {
                f64::from(f32::from_bits(bits)).to_bits() | at as u64
            }
        })
        .collect();
    let array = |turn: usize| -> Vec<u8> {
        (0..values.len())
            .flat_map(|at| values[(at * (2 * turn + 1) + 7 * turn) % values.len()].to_le_bytes())
            .collect()
    };
    let arrays = [array(0), array(1), array(2)];
    for operation in LONGS {
        let [best, baseline] = both(operation, "b64", 8, &arrays);
        assert_eq!(best, baseline, "{operation}");
    }
}
