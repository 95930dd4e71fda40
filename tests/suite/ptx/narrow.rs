//! Conversions to and from formats that no register type has, and approximations of few bits.

use super::floats::{doubles, half, nearest_half, singles};
use super::{Operation, edges32, numbers, pairs, triples};

fn rows(values: &[u64]) -> Vec<Vec<u64>> {
    values.iter().map(|value| vec![*value]).collect()
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// `tf32` has the exponents of single precision and ten bits of fraction.
#[test]
fn tensor_floats() {
    let mut values = singles();
    values.extend(numbers(300, 31).into_iter().map(|bits| bits & 0xffff_ffff));
    // Halfway between two numbers, above an even and above an odd one.
    values.extend([
        0x3f80_1000,
        0x3f80_3000,
        0x3f80_0fff,
        0x3f80_1001,
        0xbf80_1000,
        0x7f7f_ffff,
        0x0000_1000,
    ]);
    let rows = rows(&values);
    for (mode, relu) in [("rna", false), ("rn", false), ("rz", false), ("rn", true), ("rz", true)] {
        let text = format!("cvt.{mode}{}.tf32.f32 %d, %a", if relu { ".relu" } else { "" });
        for (row, found) in rows.iter().zip(Operation::new(&text, "b32", &["f32"]).run(&rows)) {
            let value = single(row[0]);
            if value.is_nan() {
                // `rna` only cuts (conformance fact P12).
                let right = if mode == "rna" { found == row[0] & !0x1fff } else { single(found).is_nan() };
                assert!(right, "{text} of {:#x}: {found:#x}", row[0]);
                continue;
            }
            let below = row[0] & !0x1fff;
            let rest = row[0] & 0x1fff;
            let up = match mode {
                "rz" => false,
                "rna" => rest >= 0x1000,
                _ => rest > 0x1000 || rest == 0x1000 && below & 0x2000 != 0,
            };
            let rounded = if value.is_infinite() { row[0] } else { below + if up { 0x2000 } else { 0 } };
            let expected = if relu && row[0] >> 31 != 0 { 0 } else { rounded };
            assert_eq!(found, expected, "{text} of {:#x}", row[0]);
        }
    }
}

/// The number that eight bits stand for.
fn small(format: &str, bits: u64) -> f64 {
    let fraction = if format == "e4m3" { 3 } else { 2 };
    let bias = if format == "e4m3" { 7 } else { 15 };
    let (exponent, low) = ((bits & 0x7f) >> fraction, bits & ((1 << fraction) - 1));
    let scale = 2f64.powi(-fraction);
    let magnitude = match (format, bits & 0x7f) {
        ("e4m3", 0x7f) | ("e5m2", 0x7d..) => f64::NAN,
        ("e5m2", 0x7c) => f64::INFINITY,
        _ if exponent == 0 => low as f64 * scale * 2f64.powi(1 - bias),
        _ => (1.0 + low as f64 * scale) * 2f64.powi(exponent as i32 - bias),
    };
    if bits & 0x80 != 0 { -magnitude } else { magnitude }
}

/// The nearest of all numbers of the format, the even one of two; what is too large becomes the largest.
fn nearest(format: &str, value: f64, relu: bool) -> u64 {
    if value.is_nan() {
        return 0x7f;
    }
    if relu && value <= 0.0 {
        return 0;
    }
    let sign = if value.is_sign_negative() { 0x80 } else { 0 };
    let magnitude = value.abs();
    let found = (0..0x7f).filter(|bits| small(format, *bits).is_finite()).min_by(|a, b| {
        let distance = |bits: u64| (small(format, bits) - magnitude).abs();
        distance(*a).total_cmp(&distance(*b)).then((a & 1).cmp(&(b & 1)))
    });
    let largest = if format == "e4m3" { 0x7e } else { 0x7b };
    sign | if magnitude >= small(format, largest) { largest } else { found.unwrap() }
}

#[test]
fn eight_bits() {
    let mut values = singles();
    // All numbers of both formats, those between them, and a bit to each side.
    for format in ["e4m3", "e5m2"] {
        for bits in 0..0x7e {
            let (low, high) = (small(format, bits), small(format, bits + 1));
            for value in [low, (low + high) / 2.0, low * 0.999, low * 1.001] {
                values.push(u64::from((value as f32).to_bits()));
                values.push(u64::from((-value as f32).to_bits()));
            }
        }
    }
    let rows: Vec<Vec<u64>> = values
        .iter()
        .enumerate()
        .map(|(index, value)| vec![*value, values[index * 7 % values.len()]])
        .collect();
    for format in ["e4m3", "e5m2"] {
        for relu in [false, true] {
            let suffix = if relu { ".relu" } else { "" };
            let text = format!("cvt.rn.satfinite{suffix}.{format}x2.f32 %d, %a, %b");
            Operation::new(&text, "b16", &["f32", "f32"]).check(&rows, |row| {
                let part = |bits: u64| nearest(format, f64::from(single(bits)), relu);
                part(row[0]) << 8 | part(row[1])
            });
            let halves: Vec<Vec<u64>> = values
                .iter()
                .map(|value| vec![nearest_half(f64::from(single(*value))) << 16 | value >> 16 & 0xffff])
                .collect();
            let text = format!("cvt.rn.satfinite{suffix}.{format}x2.f16x2 %d, %a");
            Operation::new(&text, "b16", &["b32"]).check(&halves, |row| {
                let part = |bits: u64| nearest(format, half(bits), relu);
                part(row[0] >> 16) << 8 | part(row[0] & 0xffff)
            });
        }
        let pairs: Vec<Vec<u64>> = (0..256).map(|bits| vec![bits << 8 | ((bits * 37) & 0xff)]).collect();
        for relu in [false, true] {
            let suffix = if relu { ".relu" } else { "" };
            let text = format!("cvt.rn{suffix}.f16x2.{format}x2 %d, %a");
            Operation::new(&text, "b32", &["b16"]).check(&pairs, |row| {
                let part = |bits: u64| {
                    let value = small(format, bits);
                    if value.is_nan() {
                        0x7fff
                    } else if relu && value.is_sign_negative() {
                        0
                    } else {
                        nearest_half(value)
                    }
                };
                part(row[0] >> 8) << 16 | part(row[0] & 0xff)
            });
        }
    }
}

#[test]
fn packed_integers() {
    let rows = triples(&edges32(), &edges32(), &[0, 0x1234_5678, 0xffff_ffff]);
    let clamp = |value: u64, bits: u32, signed: bool| {
        let value = i64::from(value as i32);
        let (low, high) =
            if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        value.clamp(low, high) as u64 & ((1 << bits) - 1)
    };
    for signed in [false, true] {
        let letter = if signed { 's' } else { 'u' };
        let text = format!("cvt.pack.sat.{letter}16.s32 %d, %a, %b");
        Operation::new(&text, "b32", &["b32"; 2])
            .check(&rows, |row| clamp(row[0], 16, signed) << 16 | clamp(row[1], 16, signed));
        for bits in [8, 4, 2] {
            let text = format!("cvt.pack.sat.{letter}{bits}.s32.b32 %d, %a, %b, %c");
            Operation::new(&text, "b32", &["b32"; 3]).check(&rows, |row| {
                row[2] << (2 * bits) | clamp(row[0], bits, signed) << bits | clamp(row[1], bits, signed)
            });
        }
    }
}

/// A `bf16` number.
fn brain(bits: u64) -> f64 {
    f64::from(f32::from_bits((bits as u32) << 16))
}

#[test]
fn brains_and_integers() {
    let mut values: Vec<u64> = (0..=0xffff).step_by(41).collect();
    values.extend([0x7f80, 0xff80, 0x4f00, 0xcf00, 0x4f80, 0x3f00, 0x3fc0, 0x4020, 0xbf00, 0]);
    let values: Vec<u64> = values.into_iter().filter(|bits| !brain(*bits).is_nan()).collect();
    for (mode, round) in [
        ("rzi", f64::trunc as fn(f64) -> f64),
        ("rni", f64::round_ties_even),
        ("rmi", f64::floor),
        ("rpi", f64::ceil),
    ] {
        for (to, low, high) in [
            ("s32", f64::from(i32::MIN), f64::from(i32::MAX)),
            ("u32", 0.0, f64::from(u32::MAX)),
            ("s16", -32768.0, 32767.0),
        ] {
            let register = if to == "s16" { "b16" } else { "b32" };
            let text = format!("cvt.{mode}.{to}.bf16 %d, %a");
            Operation::new(&text, register, &["b16"])
                .check(&rows(&values), |row| round(brain(row[0])).clamp(low, high) as i64 as u64);
        }
    }
    // Small integers have a number; of large ones the first eight bits stay.
    let integers: Vec<u64> = (0..512).chain([0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1234_5678]).collect();
    Operation::new("cvt.rz.bf16.s32 %d, %a", "b16", &["b32"]).check(&rows(&integers), |row| {
        let value = f64::from(row[0] as i32);
        // Through double precision, which has all of them, and then towards zero.
        let wide = value.to_bits();
        let (sign, exponent) = (wide >> 63, (wide >> 52 & 0x7ff) as i64 - 1023);
        if value == 0.0 { 0 } else { sign << 15 | ((exponent + 127) as u64) << 7 | wide >> 45 & 0x7f }
    });
    Operation::new("cvt.f64.bf16 %d, %a", "f64", &["b16"])
        .check(&rows(&values), |row| brain(row[0]).to_bits());
}

#[test]
fn finite_results() {
    let mut values = singles();
    values.extend([
        0x477f_e000,
        0x477f_f000,
        0x477f_efff,
        0x7f7f_0000,
        0x7f7f_8000,
        0x7f7f_7fff,
        0x4780_0000,
    ]);
    let values: Vec<u64> = values.into_iter().filter(|bits| !single(*bits).is_nan()).collect();
    let nearest = |bits: u64| nearest_half(f64::from(single(bits)));
    let finite = |bits: u64| {
        let found = nearest(bits);
        if found & 0x7fff == 0x7c00 { found - 1 } else { found }
    };
    Operation::new("cvt.rn.satfinite.f16.f32 %d, %a", "b16", &["f32"])
        .check(&rows(&values), |row| finite(row[0]));
    let rows: Vec<Vec<u64>> = pairs(&values[..20], &values);
    Operation::new("cvt.rn.satfinite.f16x2.f32 %d, %a, %b", "b32", &["f32"; 2])
        .check(&rows, |row| finite(row[0]) << 16 | finite(row[1]));
}

#[test]
fn gross_approximations() {
    let mut values = doubles();
    values.extend(numbers(300, 41));
    for (text, function) in [
        ("rcp.approx.ftz.f64 %d, %a", (|a| 1.0 / a) as fn(f64) -> f64),
        ("rsqrt.approx.ftz.f64 %d, %a", |a| if a == 0.0 { 1.0 / a } else { 1.0 / a.sqrt() }),
    ] {
        for (row, found) in
            rows(&values).iter().zip(Operation::new(text, "f64", &["f64"]).run(&rows(&values)))
        {
            let flushed = |value: f64| if value.is_subnormal() { 0f64.copysign(value) } else { value };
            let input = flushed(f64::from_bits(row[0] & 0xffff_ffff_0000_0000));
            if f64::from_bits(row[0]).is_nan() || function(input).is_nan() {
                assert!(f64::from_bits(found).is_nan(), "{text} of {:#x}", row[0]);
                continue;
            }
            let (found, expected) = (f64::from_bits(found), function(input));
            assert_eq!(found.to_bits() & 0xffff_ffff, 0, "{text} of {:#x}", row[0]);
            let close = (found - expected).abs() <= expected.abs() * 2f64.powi(-19);
            // Around the smallest normal number either is right.
            let edge = expected.abs() < 2f64.powi(-1021) && (found == 0.0 || close);
            assert!(found == expected || close || edge, "{text} of {:#x}: {found:e} {expected:e}", row[0]);
        }
    }
}

#[test]
fn functions_of_halves() {
    let values: Vec<u64> = (0..0x7c00).step_by(7).flat_map(|bits| [bits, bits | 0x8000]).collect();
    let rows = rows(&values);
    for (operation, function, error) in
        [("ex2", f64::exp2 as fn(f64) -> f64, 2f64.powi(-9)), ("tanh", f64::tanh, 2f64.powi(-10))]
    {
        let text = format!("{operation}.approx.f16 %d, %a");
        for (row, found) in rows.iter().zip(Operation::new(&text, "b16", &["b16"]).run(&rows)) {
            let (input, found) = (half(row[0]), half(found));
            let expected = half(nearest_half(function(input)));
            let close = (found - expected).abs() <= expected.abs() * error + 2f64.powi(-24);
            assert!(found == expected || close, "{text} of {input:e}: {found:e}, not {expected:e}");
        }
    }
}
