//! Functions that hardware approximates: within the error that the manual allows, and exact at the edges it lists.

use super::floats::singles;
use super::{Operation, numbers, pairs};

fn value(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Returns whether `found` is within a relative error of `expected`.
fn close(found: f32, expected: f64, relative: f64, absolute: f64) -> bool {
    if expected.is_nan() {
        return found.is_nan();
    }
    let rounded = expected as f32;
    if rounded.is_infinite() || found.is_infinite() {
        return found == rounded;
    }
    let error = (f64::from(found) - expected).abs();
    error <= expected.abs() * relative + absolute + f64::from(f32::from_bits(1))
}

fn unary(text: &str, values: &[u64], function: impl Fn(f64) -> f64, relative: f64, absolute: f64) {
    let rows: Vec<Vec<u64>> = values.iter().map(|value| vec![*value]).collect();
    for (row, found) in rows.iter().zip(Operation::new(text, "f32", &["f32"]).run(&rows)) {
        let (input, found) = (value(row[0]), value(found));
        let expected = function(f64::from(input));
        assert!(
            close(found, expected, relative, absolute),
            "{text} of {input:e}: {found:e}, not {expected:e}"
        );
    }
}

#[test]
fn singles_within_bounds() {
    let mut values = singles();
    values.extend(numbers(200, 20).into_iter().map(|bits| u64::from((bits as i32 as f32 / 1e7).to_bits())));
    let ulp = 2f64.powi(-23);
    unary("rcp.approx.f32 %d, %a", &values, |a| 1.0 / a, ulp, 0.0);
    unary("sqrt.approx.f32 %d, %a", &values, f64::sqrt, 2.0 * ulp, 0.0);
    unary(
        "rsqrt.approx.f32 %d, %a",
        &values,
        |a| if a == 0.0 { 1.0 / a } else { 1.0 / a.sqrt() },
        3.0 * ulp,
        0.0,
    );
    unary("ex2.approx.f32 %d, %a", &values, f64::exp2, 2.0 * ulp, 0.0);
    unary("lg2.approx.f32 %d, %a", &values, f64::log2, 2.0 * ulp, 2f64.powi(-22));
    let angles: Vec<u64> = values
        .iter()
        .copied()
        .filter(|bits| value(*bits).abs() < 3.0 || value(*bits).is_infinite())
        .collect();
    unary("sin.approx.f32 %d, %a", &angles, f64::sin, 0.0, 2f64.powi(-20));
    unary("cos.approx.f32 %d, %a", &angles, f64::cos, 0.0, 2f64.powi(-20));
    unary("tanh.approx.f32 %d, %a", &values, f64::tanh, 2f64.powi(-11), 0.0);
}

#[test]
fn quotients_within_bounds() {
    let values: Vec<u64> =
        numbers(30, 21).into_iter().map(|bits| u64::from((bits as i32 as f32).to_bits())).collect();
    for text in ["div.approx.f32 %d, %a, %b", "div.full.f32 %d, %a, %b"] {
        let rows = pairs(&values, &values);
        for (row, found) in rows.iter().zip(Operation::new(text, "f32", &["f32", "f32"]).run(&rows)) {
            let expected = f64::from(value(row[0])) / f64::from(value(row[1]));
            assert!(close(value(found), expected, 2.0 * 2f64.powi(-23), 0.0));
        }
    }
    // The reciprocal of the largest divisors is zero, unless the dividend is infinite.
    let rows = vec![
        vec![0x3f80_0000, 0x7f00_0001],
        vec![0xbf80_0000, 0x7f7f_ffff],
        vec![0x7f80_0000, 0x7f7f_ffff],
        vec![0x3f80_0000, 0x7e00_0000],
    ];
    let found = Operation::new("div.approx.f32 %d, %a, %b", "f32", &["f32", "f32"]).run(&rows);
    assert_eq!(found[..3], [0, 0x8000_0000, 0x7fff_ffff]);
    assert_ne!(found[3], 0);
}

#[test]
fn flushing() {
    let rows = vec![vec![1], vec![0x8000_0001], vec![0x7f00_0000]];
    assert_eq!(
        Operation::new("rcp.approx.ftz.f32 %d, %a", "f32", &["f32"]).run(&rows),
        [0x7f80_0000, 0xff80_0000, 0]
    );
    assert_eq!(
        Operation::new("rsqrt.approx.ftz.f32 %d, %a", "f32", &["f32"]).run(&rows)[..2],
        [0x7f80_0000, 0xff80_0000]
    );
}
