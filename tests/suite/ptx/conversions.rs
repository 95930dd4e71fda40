//! `cvt` and the packing forms of `mov`.

use super::floats::{doubles, half, nearest_half, singles};
use super::{Arg, Device, Operation, edges16, edges32, edges64, numbers};

fn rows(values: Vec<u64>) -> Vec<Vec<u64>> {
    values.into_iter().map(|value| vec![value]).collect()
}

fn integer(bits: u64, name: &str) -> i128 {
    let width: u32 = name[1..].parse().unwrap();
    let bits = u128::from(bits) & ((1 << width) - 1);
    let negative = name.starts_with('s') && bits >> (width - 1) & 1 != 0;
    if negative { bits as i128 - (1 << width) } else { bits as i128 }
}

fn range(name: &str) -> (i128, i128) {
    let width: u32 = name[1..].parse().unwrap();
    if name.starts_with('s') { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
}

const INTEGERS: [&str; 8] = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];

#[test]
fn between_integers() {
    let mut values = edges64();
    values.extend(edges32());
    values.extend(edges16());
    values.extend(numbers(20, 1));
    let rows = rows(values);
    for from in INTEGERS {
        for to in INTEGERS {
            // The result goes to registers of its size and of both larger ones.
            for register in ["b16", "b32", "b64"] {
                let (to_width, from_width): (u32, u32) =
                    (to[1..].parse().unwrap(), from[1..].parse().unwrap());
                let width: u32 = register[1..].parse().unwrap();
                if width < to_width {
                    continue;
                }
                let source = if from_width == 64 { "b64" } else { "b32" };
                let text = format!("cvt.{to}.{from} %d, %a");
                Operation::new(&text, register, &[source]).check(&rows, |row| {
                    // Truncated to the result's type, then extended to the register by its signedness.
                    integer(integer(row[0], from) as u64, to) as u64
                });
                let (low, high) = range(to);
                let (from_low, from_high) = range(from);
                if from_low < low || from_high > high {
                    let text = format!("cvt.sat.{to}.{from} %d, %a");
                    Operation::new(&text, register, &[source])
                        .check(&rows, |row| integer(row[0], from).clamp(low, high) as u64);
                }
            }
        }
    }
}

fn round(value: f64, mode: &str) -> f64 {
    match mode {
        "rni" => value.round_ties_even(),
        "rzi" => value.trunc(),
        "rmi" => value.floor(),
        _ => value.ceil(),
    }
}

#[test]
fn floats_to_integers() {
    let mut singles = singles();
    singles.extend(
        [
            0.5f32,
            1.5,
            2.5,
            -0.5,
            -1.5,
            127.5,
            128.0,
            255.4,
            -128.6,
            65535.5,
            2147483520.0,
            4294967040.0,
            1e10,
            -1e10,
        ]
        .map(|value| u64::from(value.to_bits())),
    );
    let mut doubles = doubles();
    doubles.extend(
        [
            0.5f64,
            1.5,
            2.5,
            -0.5,
            2147483647.5,
            2147483648.5,
            -2147483648.5,
            4294967295.5,
            9.3e18,
            1.9e19,
            -9.3e18,
        ]
        .map(f64::to_bits),
    );
    for mode in ["rni", "rzi", "rmi", "rpi"] {
        for to in INTEGERS {
            let (low, high) = range(to);
            let width: u32 = to[1..].parse().unwrap();
            let register = if width == 64 { "b64" } else { "b32" };
            let bits = |value: f64, double: bool| {
                if value.is_nan() {
                    return if double || width == 64 { integer(1 << (width - 1), to) as u64 } else { 0 };
                }
                (round(value, mode).clamp(-1e30, 1e30) as i128).clamp(low, high) as u64
            };
            let text = format!("cvt.{mode}.{to}.f32 %d, %a");
            Operation::new(&text, register, &["f32"])
                .check(&rows(singles.clone()), |row| bits(f32::from_bits(row[0] as u32).into(), false));
            let text = format!("cvt.{mode}.ftz.{to}.f32 %d, %a");
            Operation::new(&text, register, &["f32"]).check(&rows(singles.clone()), |row| {
                let value = f32::from_bits(row[0] as u32);
                bits(if value.is_subnormal() { 0.0 } else { value.into() }, false)
            });
            let text = format!("cvt.{mode}.{to}.f64 %d, %a");
            Operation::new(&text, register, &["f64"])
                .check(&rows(doubles.clone()), |row| bits(f64::from_bits(row[0]), true));
            let text = format!("cvt.{mode}.{to}.f16 %d, %a");
            let halves = (0..0x1_0000).step_by(37).collect();
            Operation::new(&text, register, &["b16"]).check(&rows(halves), |row| bits(half(row[0]), false));
        }
    }
}

/// A number of units of `unit`, rounded.
fn units(value: i128, unit: i128, mode: &str) -> i128 {
    let (quotient, rest) = (value.div_euclid(unit), value.rem_euclid(unit));
    let up = match mode {
        "rm" => false,
        "rp" => rest != 0,
        "rz" => rest != 0 && value < 0,
        _ => rest * 2 > unit || rest * 2 == unit && quotient % 2 != 0,
    };
    quotient + i128::from(up)
}

/// An integer rounded to a number of `precision` bits.
fn rounded(value: i128, precision: u32, mode: &str) -> f64 {
    let length = 128 - value.unsigned_abs().leading_zeros();
    let unit = 1i128 << length.saturating_sub(precision);
    (units(value, unit, mode) * unit) as f64
}

#[test]
fn integers_to_floats() {
    let mut values = edges64();
    values.extend(edges32());
    values.extend(numbers(40, 2));
    values.extend([
        16_777_217,
        16_777_219,
        33_554_431,
        (1 << 53) + 1,
        (1 << 54) - 1,
        0xffff_ff7f,
        0xffff_ff80,
    ]);
    let rows = rows(values);
    for mode in ["rn", "rz", "rm", "rp"] {
        for from in INTEGERS {
            let source = if from.ends_with("64") { "b64" } else { "b32" };
            let text = format!("cvt.{mode}.f32.{from} %d, %a");
            Operation::new(&text, "f32", &[source])
                .check(&rows, |row| u64::from((rounded(integer(row[0], from), 24, mode) as f32).to_bits()));
            let text = format!("cvt.{mode}.f64.{from} %d, %a");
            Operation::new(&text, "f64", &[source])
                .check(&rows, |row| rounded(integer(row[0], from), 53, mode).to_bits());
        }
        if mode == "rn" {
            Operation::new("cvt.rn.f16.s32 %d, %a", "b16", &["b32"])
                .check(&rows, |row| nearest_half(integer(row[0], "s32") as f64));
            Operation::new("cvt.rn.sat.f32.s32 %d, %a", "f32", &["b32"])
                .check(&rows, |row| u64::from((integer(row[0], "s32").clamp(0, 1) as f32).to_bits()));
        }
    }
}

#[test]
fn between_floats() {
    let canonical = |value: f32| if value.is_nan() { 0x7fff_ffff } else { u64::from(value.to_bits()) };
    let flush = |value: f32| if value.is_subnormal() { 0.0f32.copysign(value) } else { value };
    let number = |bits: &u64| !f64::from_bits(*bits).is_nan();
    let doubles: Vec<u64> = doubles().into_iter().chain(numbers(30, 4)).filter(number).collect();
    Operation::new("cvt.rn.f32.f64 %d, %a", "f32", &["f64"])
        .check(&rows(doubles.clone()), |row| canonical(f64::from_bits(row[0]) as f32));
    Operation::new("cvt.rn.ftz.f32.f64 %d, %a", "f32", &["f64"])
        .check(&rows(doubles.clone()), |row| canonical(flush(f64::from_bits(row[0]) as f32)));
    for mode in ["rz", "rm", "rp"] {
        let text = format!("cvt.{mode}.f32.f64 %d, %a");
        Operation::new(&text, "f32", &["f64"]).check(&rows(doubles.clone()), |row| {
            let value = f64::from_bits(row[0]);
            let near = value as f32;
            let rest = value - f64::from(near);
            let directed = match mode {
                _ if value.is_infinite() => near,
                "rm" if rest < 0.0 => near.next_down(),
                "rp" if rest > 0.0 => near.next_up(),
                "rz" if value > 0.0 && rest < 0.0 => near.next_down(),
                "rz" if value < 0.0 && rest > 0.0 => near.next_up(),
                _ => near,
            };
            canonical(directed)
        });
    }
    let singles: Vec<u64> =
        singles().into_iter().filter(|bits| !f32::from_bits(*bits as u32).is_nan()).collect();
    Operation::new("cvt.f64.f32 %d, %a", "f64", &["f32"])
        .check(&rows(singles.clone()), |row| f64::from(f32::from_bits(row[0] as u32)).to_bits());
    for mode in ["rni", "rzi", "rmi", "rpi"] {
        let text = format!("cvt.{mode}.f32.f32 %d, %a");
        Operation::new(&text, "f32", &["f32"]).check(&rows(singles.clone()), |row| {
            canonical(round(f32::from_bits(row[0] as u32).into(), mode) as f32)
        });
        let text = format!("cvt.{mode}.f64.f64 %d, %a");
        Operation::new(&text, "f64", &["f64"])
            .check(&rows(doubles.clone()), |row| round(f64::from_bits(row[0]), mode).to_bits());
    }
    Operation::new("cvt.sat.f32.f32 %d, %a", "f32", &["f32"]).check(&rows(singles.clone()), |row| {
        let value = f32::from_bits(row[0] as u32);
        canonical(if value > 0.0 { value.min(1.0) } else { 0.0 })
    });
    Operation::new("cvt.rn.f16.f32 %d, %a", "b16", &["f32"])
        .check(&rows(singles.clone()), |row| nearest_half(f32::from_bits(row[0] as u32).into()));
    Operation::new("cvt.rn.f16.f64 %d, %a", "b16", &["f64"])
        .check(&rows(doubles), |row| nearest_half(f64::from_bits(row[0])));
    Operation::new("cvt.f32.f16 %d, %a", "f32", &["b16"])
        .check(&rows((0..0x1_0000).step_by(13).collect()), |row| canonical(half(row[0]) as f32));
    let both: Vec<Vec<u64>> = singles.iter().zip(singles.iter().rev()).map(|(a, b)| vec![*a, *b]).collect();
    Operation::new("cvt.rn.f16x2.f32 %d, %a, %b", "b32", &["f32", "f32"]).check(&both, |row| {
        let part = |bits: u64| nearest_half(f32::from_bits(bits as u32).into());
        part(row[0]) << 16 | part(row[1])
    });
    // `bf16` is the upper half of a single.
    Operation::new("cvt.rn.bf16.f32 %d, %a", "b16", &["f32"]).check(&rows(singles), |row| {
        let infinite = row[0] & 0x7f80_0000 == 0x7f80_0000;
        if infinite { row[0] >> 16 } else { (row[0] + 0x7fff + (row[0] >> 16 & 1)) >> 16 }
    });
    Operation::new("cvt.f32.bf16 %d, %a", "f32", &["b16"])
        .check(&rows(vec![0, 0x3f80, 0xbf80, 0x7f80, 1, 0x8000, 0x4049]), |row| row[0] << 16);
}

#[test]
fn packing() {
    let rows: Vec<Vec<u64>> = numbers(40, 6).chunks(4).map(<[u64]>::to_vec).collect();
    Operation::new("mov.b64 %d, {%a, %b}", "b64", &["b32", "b32"]).check(&rows, |row| row[1] << 32 | row[0]);
    Operation::new("mov.b32 %d, {%a, %b}", "b32", &["b16", "b16"]).check(&rows, |row| row[1] << 16 | row[0]);
    Operation::new("mov.b64 %d, {%a, %b, %c, %e}", "b64", &["b16", "b16", "b16", "b16"])
        .check(&rows, |row| row[3] << 48 | row[2] << 32 | row[1] << 16 | row[0]);
    Operation::new("mov.b32 %d, {%a, %b, %c, %e}", "b32", &["b8", "b8", "b8", "b8"])
        .check(&rows, |row| row[3] << 24 | row[2] << 16 | row[1] << 8 | row[0]);
    Operation::new("mov.b64 {%d, _}, %a", "b32", &["b64"]).check(&rows, |row| row[0]);
    Operation::new("mov.b64 {_, %d}, %a", "b32", &["b64"]).check(&rows, |row| row[0] >> 32);
    Operation::new("mov.b32 {_, %d}, %a", "b16", &["b32"]).check(&rows, |row| row[0] >> 16);
    Operation::new("mov.b64 {_, _, %d, _}, %a", "b16", &["b64"]).check(&rows, |row| row[0] >> 32);
    Operation::new("mov.b64 %d, %a", "f64", &["b64"]).check(&rows, |row| row[0]);
    Operation::new("mov.b32 %d, %a", "f32", &["b32"]).check(&rows, |row| row[0]);
}

/// A vector register on one side of `mov` stands for the list of its components.
#[test]
fn packing_of_vector_registers() {
    let mut device = Device::kernel(
        ".param .b64 in, .param .b64 out",
        ".reg .v2 .u32 %v; .reg .v2 .f32 %f; .reg .v4 .b16 %h; .reg .v2 .b16 %g; .reg .b64 %d<8>; .reg .b32 %r<4>;\n\
         ld.param.b64 %d0, [in]; ld.param.b64 %d1, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 8;\n\
         add.s64 %d0, %d0, %d2; shl.b64 %d2, %d2, 2; add.s64 %d1, %d1, %d2; ld.global.b64 %d3, [%d0];\n\
         mov.b64 {%r1, %r2}, %d3; mov.v2.u32 %v, {%r2, %r1}; mov.b64 %d4, %v; st.global.b64 [%d1], %d4;\n\
         mov.b64 %f, %d3; st.global.f32 [%d1+8], %f.y; st.global.f32 [%d1+12], %f.x;\n\
         mov.b64 %h, %d3; mov.u16 %h.y, %h.w; mov.b64 %d5, %h; st.global.b64 [%d1+16], %d5;\n\
         mov.b32 %g, %r1; mov.b32 %r3, {%g.y, %g.x}; st.global.b32 [%d1+24], %r3;\n\
         mov.b32 %r3, %g; st.global.b32 [%d1+28], %r3; ret;",
    );
    let values = numbers(32, 7);
    let input = device.alloc_u64(&values);
    let out = device.alloc_u64(&[0; 128]);
    device.run("k", [1, 1, 1], [32, 1, 1], &[Arg::Buffer(input), Arg::Buffer(out)]);
    let expected: Vec<u64> = values
        .iter()
        .flat_map(|&value| {
            let swapped = value.rotate_left(32);
            let low = value as u32;
            let halves = u64::from(low) << 32 | u64::from(low.rotate_left(16));
            [swapped, swapped, value & !0xffff_0000 | value >> 48 << 16, halves]
        })
        .collect();
    assert_eq!(device.u64s(out), expected);
}
