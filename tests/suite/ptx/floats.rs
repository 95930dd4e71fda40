//! Floating-point arithmetic and comparisons.

use super::{Operation, numbers, pairs, triples};

/// NaN that single-precision arithmetic returns.
const NAN: u64 = 0x7fff_ffff;

pub(super) fn singles() -> Vec<u64> {
    let mut values: Vec<u64> = [
        0.0f32,
        -0.0,
        1.0,
        -1.0,
        1.5,
        0.1,
        2.0,
        3.0,
        -7.25,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        -f32::MIN_POSITIVE,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1.0 + f32::EPSILON,
        16_777_216.0,
        1e-30,
        1e30,
    ]
    .iter()
    .map(|value| u64::from(value.to_bits()))
    .collect();
    // Subnormals, and NaNs quiet and signalling.
    values.extend([1, 0x8000_0001, 0x007f_ffff, 0x7fc0_0000, 0xffc1_2345, 0x7f80_0001]);
    values.extend(numbers(12, 99).into_iter().map(|bits| bits & 0xffff_ffff));
    values
}

pub(super) fn doubles() -> Vec<u64> {
    let mut values: Vec<u64> = [
        0.0f64,
        -0.0,
        1.0,
        -1.0,
        1.5,
        0.1,
        3.0,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1.0 + f64::EPSILON,
        1e-300,
        1e300,
        4_294_967_296.0,
    ]
    .iter()
    .map(|value| value.to_bits())
    .collect();
    values.extend([1, 0x8000_0000_0000_0001, 0x000f_ffff_ffff_ffff]);
    values.extend(numbers(10, 98));
    values
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn canonical(value: f32) -> u64 {
    if value.is_nan() { NAN } else { u64::from(value.to_bits()) }
}

fn flush(value: f32) -> f32 {
    if value.is_subnormal() { 0.0f32.copysign(value) } else { value }
}

fn saturate(value: f32) -> f32 {
    if value > 1.0 {
        1.0
    } else if value > 0.0 {
        value
    } else {
        0.0
    }
}

type Single2 = fn(f32, f32) -> f32;
type Double2 = fn(f64, f64) -> f64;
type Property = fn(f64, bool) -> bool;

#[test]
fn single_arithmetic() {
    let operations: [(&str, Single2); 3] =
        [("add", |a, b| a + b), ("sub", |a, b| a - b), ("mul", |a, b| a * b)];
    let rows = pairs(&singles(), &singles());
    for (op, function) in operations {
        for rounding in ["", ".rn"] {
            let plain = format!("{op}{rounding}.f32 %d, %a, %b");
            Operation::new(&plain, "f32", &["f32", "f32"])
                .check(&rows, |row| canonical(function(single(row[0]), single(row[1]))));
        }
        let flushed = format!("{op}.rn.ftz.f32 %d, %a, %b");
        Operation::new(&flushed, "f32", &["f32", "f32"])
            .check(&rows, |row| canonical(flush(function(flush(single(row[0])), flush(single(row[1]))))));
        let saturated = format!("{op}.sat.f32 %d, %a, %b");
        Operation::new(&saturated, "f32", &["f32", "f32"])
            .check(&rows, |row| canonical(saturate(function(single(row[0]), single(row[1])))));
        let both = format!("{op}.ftz.sat.f32 %d, %a, %b");
        Operation::new(&both, "f32", &["f32", "f32"]).check(&rows, |row| {
            canonical(saturate(flush(function(flush(single(row[0])), flush(single(row[1]))))))
        });
    }
    Operation::new("div.rn.f32 %d, %a, %b", "f32", &["f32", "f32"])
        .check(&rows, |row| canonical(single(row[0]) / single(row[1])));
    Operation::new("div.rn.ftz.f32 %d, %a, %b", "f32", &["f32", "f32"])
        .check(&rows, |row| canonical(flush(flush(single(row[0])) / flush(single(row[1])))));
    let rows: Vec<Vec<u64>> = singles().into_iter().map(|value| vec![value]).collect();
    Operation::new("sqrt.rn.f32 %d, %a", "f32", &["f32"])
        .check(&rows, |row| canonical(single(row[0]).sqrt()));
    Operation::new("rcp.rn.f32 %d, %a", "f32", &["f32"]).check(&rows, |row| canonical(1.0 / single(row[0])));
    Operation::new("rcp.rn.ftz.f32 %d, %a", "f32", &["f32"])
        .check(&rows, |row| canonical(flush(1.0 / flush(single(row[0])))));
    // PTX leaves the result for NaN open here.
    let numbers: Vec<Vec<u64>> = rows.into_iter().filter(|row| !single(row[0]).is_nan()).collect();
    Operation::new("neg.f32 %d, %a", "f32", &["f32"]).check(&numbers, |row| canonical(-single(row[0])));
    Operation::new("abs.f32 %d, %a", "f32", &["f32"]).check(&numbers, |row| canonical(single(row[0]).abs()));
    Operation::new("neg.ftz.f32 %d, %a", "f32", &["f32"])
        .check(&numbers, |row| canonical(-flush(single(row[0]))));
}

/// Rounds a value in the direction of `mode`.
///
/// `exact` returns the value rounded to nearest, and a number with the sign of what is missing.
fn directed(exact: impl Fn() -> (f64, f64), mode: &str) -> f64 {
    let (high, low) = exact();
    match mode {
        "rm" if low < 0.0 => high.next_down(),
        "rp" if low > 0.0 => high.next_up(),
        "rz" if high > 0.0 && low < 0.0 => high.next_down(),
        "rz" if high < 0.0 && low > 0.0 => high.next_up(),
        _ => high,
    }
}

/// Returns a sum and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

#[test]
fn directed_rounding() {
    // Numbers of moderate size, for which the error of a sum or product is itself a number.
    let values: Vec<u64> = numbers(40, 5)
        .into_iter()
        .map(|bits| ((bits as i64 as f64) * 2f64.powi((bits % 41) as i32 - 60)).to_bits())
        .collect();
    let rows = pairs(&values, &values[..12]);
    for mode in ["rz", "rm", "rp"] {
        let text = format!("add.{mode}.f64 %d, %a, %b");
        Operation::new(&text, "f64", &["f64", "f64"])
            .check(&rows, |row| directed(|| two_sum(double(row[0]), double(row[1])), mode).to_bits());
        let text = format!("mul.{mode}.f64 %d, %a, %b");
        Operation::new(&text, "f64", &["f64", "f64"]).check(&rows, |row| {
            let (a, b) = (double(row[0]), double(row[1]));
            directed(|| (a * b, a.mul_add(b, -(a * b))), mode).to_bits()
        });
        let text = format!("div.{mode}.f64 %d, %a, %b");
        Operation::new(&text, "f64", &["f64", "f64"]).check(&rows, |row| {
            let (a, b) = (double(row[0]), double(row[1]));
            let quotient = a / b;
            // The sign of what is missing: the remainder over the divisor.
            let rest = (-quotient).mul_add(b, a) * b.signum();
            directed(|| (quotient, rest), mode).to_bits()
        });
        let text = format!("sqrt.{mode}.f64 %d, %a");
        Operation::new(&text, "f64", &["f64"]).check(&rows, |row| {
            let a = double(row[0]);
            if a < 0.0 {
                return 0xfff8_0000_0000_0000;
            }
            let root = a.sqrt();
            directed(|| (root, (-root).mul_add(root, a)), mode).to_bits()
        });
        // Singles: a double holds every product, and sums of numbers of similar size.
        let singles: Vec<u64> =
            values.iter().map(|bits| u64::from((double(*bits) as f32).to_bits())).collect();
        let rows = triples(&singles[..12], &singles[12..20], &singles[20..]);
        let text = format!("fma.{mode}.f32 %d, %a, %b, %c");
        Operation::new(&text, "f32", &["f32", "f32", "f32"]).check(&rows, |row| {
            let (a, b, c) = (f64::from(single(row[0])), f64::from(single(row[1])), f64::from(single(row[2])));
            let (sum, low) = two_sum(a * b, c);
            let near = sum as f32;
            let rest = (sum - f64::from(near)) + low;
            let value = match mode {
                "rm" if rest < 0.0 => near.next_down(),
                "rp" if rest > 0.0 => near.next_up(),
                "rz" if near > 0.0 && rest < 0.0 => near.next_down(),
                "rz" if near < 0.0 && rest > 0.0 => near.next_up(),
                _ => near,
            };
            u64::from(value.to_bits())
        });
    }
    // The sign of an exact zero, and overflow.
    let one = 1.0f32.to_bits().into();
    let minus = (-1.0f32).to_bits().into();
    let largest = f32::MAX.to_bits().into();
    let rows = vec![vec![one, minus], vec![largest, largest], vec![0, 1 << 31]];
    let inf = f32::INFINITY.to_bits().into();
    for (mode, expected) in [
        ("rn", [0, inf, 0]),
        ("rz", [0, largest, 0]),
        ("rm", [1 << 31, largest, 1 << 31]),
        ("rp", [0, inf, 0]),
    ] {
        let text = format!("add.{mode}.f32 %d, %a, %b");
        assert_eq!(Operation::new(&text, "f32", &["f32", "f32"]).run(&rows), expected, "{mode}");
    }
}

#[test]
fn fused() {
    let rows = triples(&singles(), &singles(), &singles());
    Operation::new("fma.rn.f32 %d, %a, %b, %c", "f32", &["f32", "f32", "f32"])
        .check(&rows, |row| canonical(single(row[0]).mul_add(single(row[1]), single(row[2]))));
    Operation::new("mad.rn.f32 %d, %a, %b, %c", "f32", &["f32", "f32", "f32"])
        .check(&rows, |row| canonical(single(row[0]).mul_add(single(row[1]), single(row[2]))));
    Operation::new("fma.rn.ftz.f32 %d, %a, %b, %c", "f32", &["f32", "f32", "f32"]).check(&rows, |row| {
        canonical(flush(flush(single(row[0])).mul_add(flush(single(row[1])), flush(single(row[2])))))
    });
    Operation::new("fma.rn.sat.f32 %d, %a, %b, %c", "f32", &["f32", "f32", "f32"])
        .check(&rows, |row| canonical(saturate(single(row[0]).mul_add(single(row[1]), single(row[2])))));
    let rows: Vec<Vec<u64>> = triples(&doubles(), &doubles(), &doubles());
    let number = |bits: u64| !double(bits).is_nan();
    let rows: Vec<Vec<u64>> = rows
        .into_iter()
        .filter(|row| {
            let result = double(row[0]).mul_add(double(row[1]), double(row[2]));
            row.iter().all(|bits| number(*bits)) && !result.is_nan()
        })
        .collect();
    for op in ["fma", "mad"] {
        let text = format!("{op}.rn.f64 %d, %a, %b, %c");
        Operation::new(&text, "f64", &["f64", "f64", "f64"])
            .check(&rows, |row| double(row[0]).mul_add(double(row[1]), double(row[2])).to_bits());
    }
}

#[test]
fn double_arithmetic() {
    let operations: [(&str, Double2); 4] =
        [("add", |a, b| a + b), ("sub", |a, b| a - b), ("mul", |a, b| a * b), ("div.rn", |a, b| a / b)];
    for (op, function) in operations {
        // The hardware decides on the bits of the NaN.
        let rows: Vec<Vec<u64>> = pairs(&doubles(), &doubles())
            .into_iter()
            .filter(|row| !function(double(row[0]), double(row[1])).is_nan())
            .collect();
        let text = format!("{op}.f64 %d, %a, %b");
        Operation::new(&text, "f64", &["f64", "f64"])
            .check(&rows, |row| function(double(row[0]), double(row[1])).to_bits());
    }
    let rows: Vec<Vec<u64>> =
        doubles().into_iter().filter(|bits| double(*bits) >= 0.0).map(|bits| vec![bits]).collect();
    Operation::new("sqrt.rn.f64 %d, %a", "f64", &["f64"]).check(&rows, |row| double(row[0]).sqrt().to_bits());
    Operation::new("rcp.rn.f64 %d, %a", "f64", &["f64"]).check(&rows, |row| (1.0 / double(row[0])).to_bits());
    Operation::new("neg.f64 %d, %a", "f64", &["f64"]).check(&rows, |row| row[0] ^ 1 << 63);
    Operation::new("abs.f64 %d, %a", "f64", &["f64"]).check(&rows, |row| row[0] & !(1 << 63));
}

#[test]
fn smaller_and_larger() {
    /// Returns the IEEE minimum, with minus zero below zero.
    fn smaller(a: f64, b: f64) -> f64 {
        if a == b {
            if a.is_sign_negative() { a } else { b }
        } else if a < b {
            a
        } else {
            b
        }
    }
    let pick = |a: f64, b: f64, larger: bool, nan_wins: bool| {
        if a.is_nan() || b.is_nan() {
            return match (nan_wins, a.is_nan(), b.is_nan()) {
                (false, true, false) => b,
                (false, false, true) => a,
                _ => f64::NAN,
            };
        }
        if larger { -smaller(-a, -b) } else { smaller(a, b) }
    };
    let rows = pairs(&singles(), &singles());
    for (op, larger) in [("min", false), ("max", true)] {
        for (nan, nan_wins) in [("", false), (".NaN", true)] {
            let text = format!("{op}{nan}.f32 %d, %a, %b");
            Operation::new(&text, "f32", &["f32", "f32"]).check(&rows, |row| {
                let value = pick(single(row[0]).into(), single(row[1]).into(), larger, nan_wins);
                canonical(value as f32)
            });
        }
        let text = format!("{op}.ftz.f32 %d, %a, %b");
        Operation::new(&text, "f32", &["f32", "f32"]).check(&rows, |row| {
            let (a, b) = (flush(single(row[0])), flush(single(row[1])));
            canonical(pick(a.into(), b.into(), larger, false) as f32)
        });
        let rows: Vec<Vec<u64>> = pairs(&doubles(), &doubles())
            .into_iter()
            .filter(|row| !double(row[0]).is_nan() || !double(row[1]).is_nan())
            .collect();
        let text = format!("{op}.f64 %d, %a, %b");
        Operation::new(&text, "f64", &["f64", "f64"])
            .check(&rows, |row| pick(double(row[0]), double(row[1]), larger, false).to_bits());
    }
}

#[test]
fn parts_of_numbers() {
    let rows = pairs(&singles(), &singles());
    Operation::new("copysign.f32 %d, %a, %b", "f32", &["f32", "f32"])
        .check(&rows, |row| row[1] & 0x7fff_ffff | row[0] & 0x8000_0000);
    Operation::new("copysign.f64 %d, %a, %b", "f64", &["f64", "f64"])
        .check(&pairs(&doubles(), &doubles()), |row| row[1] & !(1 << 63) | row[0] & 1 << 63);
    // Conformance fact P4.
    let flaw = "driver 580's compiler writes 1 in the lanes that a guard leaves out of `testp`";
    let guarded = super::guards_are_right("ptx::floats::parts_of_numbers", flaw);
    let properties: [(&str, Property); 6] = [
        ("finite", |value, _| value.is_finite()),
        ("infinite", |value, _| value.is_infinite()),
        ("number", |value, _| !value.is_nan()),
        ("notanumber", |value, _| value.is_nan()),
        ("normal", |value, subnormal| value.is_finite() && !subnormal),
        ("subnormal", |_, subnormal| subnormal),
    ];
    let singles: Vec<Vec<u64>> = singles().into_iter().map(|value| vec![value]).collect();
    let doubles: Vec<Vec<u64>> = doubles().into_iter().map(|value| vec![value]).collect();
    for (name, holds) in properties {
        let text = format!("testp.{name}.f32 %d, %a");
        Operation::new(&text, "pred", &["f32"])
            .guarded(guarded)
            .check(&singles, |row| u64::from(holds(single(row[0]).into(), single(row[0]).is_subnormal())));
        let text = format!("testp.{name}.f64 %d, %a");
        Operation::new(&text, "pred", &["f64"])
            .guarded(guarded)
            .check(&doubles, |row| u64::from(holds(double(row[0]), double(row[0]).is_subnormal())));
    }
}

#[test]
fn comparisons() {
    type Relation = fn(f64, f64) -> bool;
    let relations: [(&str, Relation); 14] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| !a.is_nan() && !b.is_nan() && a != b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
        ("equ", |a, b| a.is_nan() || b.is_nan() || a == b),
        ("neu", |a, b| a != b),
        ("ltu", |a, b| a.is_nan() || b.is_nan() || a < b),
        ("leu", |a, b| a.is_nan() || b.is_nan() || a <= b),
        ("gtu", |a, b| a.is_nan() || b.is_nan() || a > b),
        ("geu", |a, b| a.is_nan() || b.is_nan() || a >= b),
        ("num", |a, b| !a.is_nan() && !b.is_nan()),
        ("nan", |a, b| a.is_nan() || b.is_nan()),
    ];
    let rows = pairs(&singles(), &singles());
    for (name, holds) in relations {
        let text = format!("setp.{name}.f32 %d, %a, %b");
        Operation::new(&text, "pred", &["f32", "f32"])
            .check(&rows, |row| u64::from(holds(single(row[0]).into(), single(row[1]).into())));
        let text = format!("setp.{name}.ftz.f32 %d, %a, %b");
        Operation::new(&text, "pred", &["f32", "f32"])
            .check(&rows, |row| u64::from(holds(flush(single(row[0])).into(), flush(single(row[1])).into())));
        let text = format!("set.{name}.u32.f32 %d, %a, %b");
        Operation::new(&text, "b32", &["f32", "f32"]).check(&rows, |row| {
            if holds(single(row[0]).into(), single(row[1]).into()) { 0xffff_ffff } else { 0 }
        });
        let text = format!("setp.{name}.f64 %d, %a, %b");
        Operation::new(&text, "pred", &["f64", "f64"])
            .check(&pairs(&doubles(), &doubles()), |row| u64::from(holds(double(row[0]), double(row[1]))));
    }
}

/// Converts a half to a number, by the definition of the format.
pub(super) fn half(bits: u64) -> f64 {
    let sign = if bits >> 15 & 1 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = ((bits >> 10 & 0x1f) as i32, (bits & 0x3ff) as f64);
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

/// Returns the half nearest to a number, by counting units.
pub(super) fn nearest_half(value: f64) -> u64 {
    if value.is_nan() {
        return 0x7fff;
    }
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    let exponent = if magnitude < 2f64.powi(-14) { -14 } else { magnitude.log2().floor() as i32 };
    // The logarithm may be off by one next to a power of two; both ways lead to the same half.
    let exponent = if exponent > -14 && magnitude < 2f64.powi(exponent) { exponent - 1 } else { exponent };
    let units = (magnitude / 2f64.powi(exponent - 10)).round_ties_even() as u64;
    let bits =
        if exponent == -14 && units < 1024 { units } else { (((exponent + 15) as u64) << 10) + units - 1024 };
    sign | bits
}

#[test]
fn halves() {
    let values: Vec<u64> = [
        0, 0x8000, 0x3c00, 0xbc00, 0x3e00, 1, 0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
        0x3555,
    ]
    .into_iter()
    .chain(numbers(15, 3).into_iter().map(|bits| bits & 0xffff))
    .collect();
    for bits in 0..0x1_0000 {
        if !half(bits).is_nan() {
            assert_eq!(nearest_half(half(bits)), bits, "the oracle itself");
        }
    }
    let rows = pairs(&values, &values);
    let operations: [(&str, Double2); 3] =
        [("add", |a, b| a + b), ("sub", |a, b| a - b), ("mul", |a, b| a * b)];
    for (op, function) in operations {
        let text = format!("{op}.f16 %d, %a, %b");
        Operation::new(&text, "b16", &["b16", "b16"])
            .check(&rows, |row| nearest_half(function(half(row[0]), half(row[1]))));
        // Both halves of a word at once: the second pair is the first one reversed.
        let text = format!("{op}.rn.f16x2 %d, %a, %b");
        let words: Vec<Vec<u64>> =
            rows.iter().map(|row| vec![row[0] | row[1] << 16, row[1] | row[0] << 16]).collect();
        Operation::new(&text, "b32", &["b32", "b32"]).check(&words, |row| {
            let part = |shift: u32| {
                nearest_half(function(half(row[0] >> shift & 0xffff), half(row[1] >> shift & 0xffff)))
            };
            part(0) | part(16) << 16
        });
    }
    let rows = triples(&values, &values, &values);
    Operation::new("fma.rn.f16 %d, %a, %b, %c", "b16", &["b16", "b16", "b16"]).check(&rows, |row| {
        // The product is exact; the sum is so unless the parts are far apart, where its error still gives the side.
        let (sum, low) = two_sum(half(row[0]) * half(row[1]), half(row[2]));
        let nudged = if low > 0.0 {
            sum.next_up()
        } else if low < 0.0 {
            sum.next_down()
        } else {
            sum
        };
        nearest_half(nudged)
    });
    Operation::new("setp.lt.f16 %d, %a, %b", "pred", &["b16", "b16"])
        .check(&pairs(&values, &values), |row| u64::from(half(row[0]) < half(row[1])));
    let numbers: Vec<Vec<u64>> = pairs(&values, &values);
    Operation::new("min.f16 %d, %a, %b", "b16", &["b16", "b16"]).check(&numbers, |row| {
        let (a, b) = (half(row[0]), half(row[1]));
        match (a.is_nan(), b.is_nan()) {
            (true, true) => 0x7fff,
            (true, false) => row[1],
            (false, true) => row[0],
            _ if a == b => row[0] | row[1],
            _ => {
                if a < b {
                    row[0]
                } else {
                    row[1]
                }
            }
        }
    });
}

#[test]
fn comparisons_of_halves_as_numbers() {
    // Conformance fact P5.
    let flaw = "driver 580's compiler converts what is in the lanes that a guard leaves out of `set`";
    let guarded = super::guards_are_right("ptx::floats::comparisons_of_halves_as_numbers", flaw);
    let values = [0u64, 0x8000, 0x3c00, 0xbc00, 1, 0x7c00, 0xfc00, 0x7e00, 0x3555, 0x3556];
    let rows = pairs(&values, &values);
    for (name, holds) in [
        ("lt", (|a, b| a < b) as fn(f64, f64) -> bool),
        ("ge", |a, b| a >= b),
        ("equ", |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_eq())),
        ("ne", |a, b| a.partial_cmp(&b).is_some_and(|order| order.is_ne())),
    ] {
        let test = |row: &[u64]| holds(half(row[0]), half(row[1]));
        Operation::new(&format!("set.{name}.f16.f16 %d, %a, %b"), "b16", &["b16"; 2])
            .guarded(guarded)
            .check(&rows, |row| if test(row) { 0x3c00 } else { 0 });
        Operation::new(&format!("set.{name}.u16.f16 %d, %a, %b"), "b16", &["b16"; 2])
            .guarded(guarded)
            .check(&rows, |row| if test(row) { 0xffff } else { 0 });
        Operation::new(&format!("set.{name}.s32.f16 %d, %a, %b"), "b32", &["b16"; 2])
            .guarded(guarded)
            .check(&rows, |row| if test(row) { 0xffff_ffff } else { 0 });
        let packed: Vec<Vec<u64>> =
            rows.iter().map(|row| vec![row[0] | row[1] << 16, row[1] | 0x3c00 << 16]).collect();
        Operation::new(&format!("set.{name}.f16x2.f16x2 %d, %a, %b"), "b32", &["b32"; 2])
            .guarded(guarded)
            .check(&packed, |row| {
                let part = |shift: u32| {
                    let holds = holds(half(row[0] >> shift & 0xffff), half(row[1] >> shift & 0xffff));
                    if holds { 0x3c00 << shift } else { 0 }
                };
                part(0) | part(16)
            });
        // Masks, as the intrinsics of CUDA C++ make them (conformance fact V1198).
        Operation::new(&format!("set.{name}.u32.f16x2 %d, %a, %b"), "b32", &["b32"; 2])
            .guarded(guarded)
            .check(&packed, |row| {
                let part = |shift: u32| {
                    let holds = holds(half(row[0] >> shift & 0xffff), half(row[1] >> shift & 0xffff));
                    if holds { 0xffff << shift } else { 0 }
                };
                part(0) | part(16)
            });
    }
    let numbers = [0u64, 1, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    for (result, one) in [("f16", 0x3c00), ("bf16", 0x3f80)] {
        Operation::new(&format!("set.lt.{result}.s32 %d, %a, %b"), "b16", &["b32"; 2])
            .guarded(guarded)
            .check(&pairs(&numbers, &numbers), |row| if (row[0] as i32) < row[1] as i32 { one } else { 0 });
        Operation::new(&format!("set.eq.{result}.f32 %d, %a, %b"), "b16", &["f32"; 2])
            .guarded(guarded)
            .check(&pairs(&singles(), &singles()), |row| {
                if f32::from_bits(row[0] as u32) == f32::from_bits(row[1] as u32) { one } else { 0 }
            });
    }
}

/// Conformance fact V1199.
#[test]
fn factors_out_of_bounds_make_zero() {
    const OUTSIDE: [u64; 2] = [0x7ff7, 0xfff7];
    let values = [
        0u64, 0x3c00, 0xbc00, 0x7c00, 0x7e00, 0x7fff, 0xffff, 0x7ff6, 0x7ff8, 0x7fef, OUTSIDE[0], OUTSIDE[1],
    ];
    let mut rows = Vec::new();
    for a in values {
        for b in values {
            rows.extend(values.map(|c| vec![a, b, c]));
        }
    }
    for modifiers in ["oob", "oob.relu"] {
        let text = format!("fma.rn.{modifiers}.f16 %d, %a, %b, %c");
        Operation::new(&text, "b16", &["b16"; 3]).check(&rows, |row| {
            let [a, b, c] = [row[0], row[1], row[2]];
            if OUTSIDE.contains(&a) || OUTSIDE.contains(&b) {
                return 0;
            }
            let result = half(a) * half(b) + half(c);
            match result {
                _ if result.is_nan() => 0x7fff,
                _ if modifiers == "oob.relu" && (result < 0.0 || result.is_sign_negative()) => 0,
                _ => {
                    let known = [(0.0, 0), (1.0, 0x3c00), (2.0, 0x4000), (f64::INFINITY, 0x7c00)];
                    let found = known.iter().find(|(number, _)| *number == result.abs()).unwrap();
                    found.1 | if result.is_sign_negative() { 0x8000 } else { 0 }
                }
            }
        });
    }
    // Each half by itself.
    Operation::new("fma.rn.oob.bf16x2 %d, %a, %b, %c", "b32", &["b32"; 3]).check(
        &[
            vec![0x7ff7_3f80, 0x3f80_3f80, 0x3f80_3f80],
            vec![0x3f80_3f80, 0x3f80_fff7, 0x3f80_3f80],
            vec![0x3f80_3f80, 0x3f80_3f80, 0x7ff7_3f80],
        ],
        |row| match row[0] {
            0x7ff7_3f80 => 0x4000,
            _ if row[1] & 0xffff == 0xfff7 => 0x4000_0000,
            _ => 0x7fff_4000,
        },
    );
}

/// Checks `min` and `max` of magnitudes, with the sign of the product.
#[test]
fn magnitudes_with_both_signs() {
    let rows = pairs(&singles(), &singles());
    for (name, nan_wins) in [("min", false), ("max", false), ("min.NaN", true), ("max.NaN", true)] {
        let text = format!("{name}.xorsign.abs.f32 %d, %a, %b");
        Operation::new(&text, "f32", &["f32", "f32"]).check(&rows, |row| {
            let part = |bits: u64| f32::from_bits(bits as u32 & 0x7fff_ffff);
            let (a, b) = (part(row[0]), part(row[1]));
            let sign = (row[0] ^ row[1]) & 0x8000_0000;
            let magnitude = match (a.is_nan(), b.is_nan()) {
                (true, true) => return 0x7fff_ffff,
                (true, _) | (_, true) if nan_wins => return 0x7fff_ffff,
                (true, false) => b,
                (false, true) => a,
                _ if name.starts_with("min") => a.min(b),
                _ => a.max(b),
            };
            u64::from(magnitude.to_bits()) | sign
        });
    }
    let values = [0u64, 0x8000, 0x3c00, 0xbc00, 1, 0x8001, 0x7c00, 0xfc00, 0x3555, 0xb556];
    for (name, larger) in [("min", false), ("max", true)] {
        let text = format!("{name}.xorsign.abs.f16 %d, %a, %b");
        Operation::new(&text, "b16", &["b16"; 2]).check(&pairs(&values, &values), |row| {
            let (a, b) = (row[0] & 0x7fff, row[1] & 0x7fff);
            (if larger { a.max(b) } else { a.min(b) }) | (row[0] ^ row[1]) & 0x8000
        });
    }
}
