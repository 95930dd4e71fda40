//! Video instructions, compared with the steps that the PTX manual lists. Where driver 580's compiler differs, they are compared
//! with its results (conformance facts P8 and P9).

use super::operation::guards_are_right;
use super::{Operation, numbers};

/// A part of a word, sign- or zero-extended: `selector` is empty, `b0` to `b3`, `h0` or `h1`.
fn part(word: u64, selector: &str, signed: bool) -> i64 {
    let word = word as u32;
    let index: u32 = selector.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    match (selector.as_bytes().first(), signed) {
        (Some(b'b'), true) => i64::from((word >> (8 * index)) as i8),
        (Some(b'b'), false) => i64::from((word >> (8 * index)) as u8),
        (Some(_), true) => i64::from((word >> (16 * index)) as i16),
        (Some(_), false) => i64::from((word >> (16 * index)) as u16),
        (None, true) => i64::from(word as i32),
        (None, false) => i64::from(word),
    }
}

fn compare(name: &str, a: i64, b: i64) -> bool {
    match name {
        "eq" => a == b,
        "ne" => a != b,
        "lt" => a < b,
        "le" => a <= b,
        "gt" => a > b,
        _ => a >= b,
    }
}

fn apply(operation: &str, a: i64, b: i64) -> i64 {
    match operation {
        "vadd" => a + b,
        "vsub" => a - b,
        "vabsdiff" => (a - b).abs(),
        "vmin" => a.min(b),
        "vmax" => a.max(b),
        "vavrg" if a + b >= 0 => (a + b + 1) >> 1,
        "vavrg" => (a + b) >> 1,
        "vshl.clamp" => a << b.min(32),
        "vshl.wrap" => a << (b & 31),
        "vshr.clamp" => a >> b.min(32),
        "vshr.wrap" => a >> (b & 31),
        other => i64::from(compare(&other[5..], a, b)),
    }
}

fn clamp(value: i64, bits: u32, signed: bool) -> i64 {
    if signed {
        value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        value.clamp(0, (1 << bits) - 1)
    }
}

/// Words whose parts are small, large, and of either sign.
fn rows() -> Vec<Vec<u64>> {
    let edges =
        [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x0102_0304];
    let random = numbers(60, 77);
    let mut rows = Vec::new();
    for (index, a) in edges.iter().enumerate() {
        for b in edges {
            rows.push(vec![*a, b, edges[(index * 5 + b as usize) % edges.len()]]);
        }
    }
    rows.extend(
        random.chunks(3).map(|row| row.iter().map(|number| number & 0xffff_ffff).collect::<Vec<_>>()),
    );
    rows
}

fn kind(signed: bool) -> &'static str {
    if signed { "s32" } else { "u32" }
}

/// All choices of signs.
fn signs() -> impl Iterator<Item = [bool; 3]> {
    (0..8).map(|bits| [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0])
}

#[test]
fn parts_of_words() {
    let selectors = ["", "b0", "b3", "h0", "h1", "b1"];
    for operation in ["vadd", "vsub", "vabsdiff", "vmin", "vmax"] {
        for (index, [d, a, b]) in signs().enumerate() {
            let (first, second) = (selectors[index % 6], selectors[(index * 5 + 2) % 6]);
            let dot =
                |selector: &str| if selector.is_empty() { String::new() } else { format!(".{selector}") };
            let types = format!("{}.{}.{}", kind(d), kind(a), kind(b));
            for saturate in [false, true] {
                let sat = if saturate { ".sat" } else { "" };
                let value = |row: &[u64]| {
                    let value = apply(operation, part(row[0], first, a), part(row[1], second, b));
                    match (saturate, d) {
                        (false, _) => value,
                        (true, true) => clamp(value, 32, true),
                        // Values above the range are not noticed.
                        (true, false) => value.max(0),
                    }
                };
                let operands = format!("%d, %a{}, %b{}", dot(first), dot(second));
                let text = format!("{operation}.{types}{sat} {operands}");
                Operation::new(&text, "b32", &["b32"; 2]).check(&rows(), |row| value(row) as u64);
                for second in ["add", "min", "max"] {
                    let text = format!("{operation}.{types}{sat}.{second} {operands}, %c");
                    Operation::new(&text, "b32", &["b32"; 3]).check(&rows(), |row| {
                        let (mut own, other) = (value(row), part(row[2], "", d));
                        if second == "add" {
                            return (own + other) as u64;
                        }
                        // Sums are cut to 32 bits before, and unsigned comparisons are of 64.
                        if matches!(operation, "vadd" | "vsub") {
                            own = i64::from(own as i32);
                        }
                        let less = if d { own < other } else { (own as u64) < other as u64 };
                        (if less == (second == "min") { own } else { other }) as u64
                    });
                }
            }
        }
    }
}

#[test]
fn results_into_parts() {
    for (selector, shift, bits) in [("b0", 0, 8), ("b2", 16, 8), ("h0", 0, 16), ("h1", 16, 16)] {
        for signed in [false, true] {
            for saturate in [false, true] {
                let sat = if saturate { ".sat" } else { "" };
                let text = format!("vsub.{0}.s32.s32{sat} %d.{selector}, %a, %b.h1, %c", kind(signed));
                Operation::new(&text, "b32", &["b32"; 3]).guarded(false).check(&rows(), |row| {
                    let value = part(row[0], "", true) - part(row[1], "h1", true);
                    let largest = (1 << (bits - u32::from(signed))) - 1;
                    let value = match saturate {
                        true if value < 0 => largest,
                        true => value.min(largest),
                        false => value,
                    };
                    let mask = ((1u64 << bits) - 1) << shift;
                    // The upper half takes the upper half.
                    let shift = if selector == "h1" { 0 } else { shift };
                    (value as u64) << shift & mask | row[2] & !mask
                });
            }
        }
    }
}

#[test]
fn shifts() {
    for operation in ["vshl", "vshr"] {
        for mode in ["clamp", "wrap"] {
            for signed in [false, true] {
                let text = format!("{operation}.{0}.{0}.u32.{mode} %d, %a, %b.b0", kind(signed));
                Operation::new(&text, "b32", &["b32"; 2]).check(&rows(), |row| {
                    apply(&format!("{operation}.{mode}"), part(row[0], "", signed), part(row[1], "b0", false))
                        as u64
                });
            }
        }
    }
}

#[test]
fn comparisons() {
    for relation in ["eq", "ne", "lt", "le", "gt", "ge"] {
        for (a, b) in [(false, false), (true, true), (true, false), (false, true)] {
            let text = format!("vset.{}.{}.{relation} %d, %a.h0, %b.h1", kind(a), kind(b));
            Operation::new(&text, "b32", &["b32"; 2]).check(&rows(), |row| {
                u64::from(compare(relation, part(row[0], "h0", a), part(row[1], "h1", b)))
            });
            let text = format!("vset.{}.{}.{relation}.add %d, %a, %b, %c", kind(a), kind(b));
            Operation::new(&text, "b32", &["b32"; 3]).check(&rows(), |row| {
                row[2] + u64::from(compare(relation, part(row[0], "", a), part(row[1], "", b)))
            });
        }
    }
}

#[test]
fn products() {
    for (suffix, shift) in [("", 0), (".shr7", 7), (".shr15", 15)] {
        for (a, b) in [(false, false), (true, true), (true, false)] {
            for (form, negated) in
                [("%d, %a.h0, %b.h1, %c", 0), ("%d, -%a.h0, %b.h1, %c", 1), ("%d, %a.h0, %b.h1, -%c", 2)]
            {
                for saturate in [false, true] {
                    let sat = if saturate { ".sat" } else { "" };
                    let types = format!("{}.{}.{}", kind(a || b || negated != 0), kind(a), kind(b));
                    let text = format!("vmad.{types}{sat}{suffix} {form}");
                    Operation::new(&text, "b32", &["b32"; 3]).check(&rows(), |row| {
                        let signed = a || b || negated != 0;
                        let mut product = part(row[0], "h0", a) * part(row[1], "h1", b);
                        // The third operand is signed, whatever the type.
                        let mut addend = part(row[2], "", true);
                        if negated == 1 {
                            product = -product;
                        } else if negated == 2 {
                            addend = -addend;
                        }
                        let value = product + addend;
                        let value = if signed { value >> shift } else { (value as u64 >> shift) as i64 };
                        (if saturate { clamp(value, 32, signed) } else { value }) as u64
                    });
                }
            }
            let text =
                format!("vmad.{}.{}.{}.po{suffix} %d, %a.b1, %b.b2, %c", kind(a || b), kind(a), kind(b));
            Operation::new(&text, "b32", &["b32"; 3]).check(&rows(), |row| {
                let value = part(row[0], "b1", a) * part(row[1], "b2", b) + part(row[2], "", true) + 1;
                (value >> shift) as u64
            });
        }
    }
}

/// Two halves or four bytes at once.
fn several(operation: &str, count: usize, words: [u64; 3], [d, a, b]: [bool; 3], form: &Form) -> u64 {
    let bits = 32 / count as u32;
    let both = words[0] | words[1] << 32;
    let lane = |index: usize, signed: bool| {
        let value = (both >> (index as u32 * bits)) as i64 & ((1 << bits) - 1);
        if signed && value >> (bits - 1) != 0 { value - (1 << bits) } else { value }
    };
    let (mut sum, mut merged) = (words[2] as i64, words[2]);
    for index in 0..count {
        if form.mask >> index & 1 == 0 {
            continue;
        }
        let mut value = apply(operation, lane(form.a[index], a), lane(form.b[index], b));
        if form.saturate {
            value = clamp(value, bits, d);
        }
        sum += value;
        let mask = ((1u64 << bits) - 1) << (index as u32 * bits);
        merged = merged & !mask | (value as u64) << (index as u32 * bits) & mask;
    }
    if form.add { sum as u64 } else { merged }
}

/// The choice of lanes, and the use of results.
struct Form {
    a: Vec<usize>,
    b: Vec<usize>,
    mask: u32,
    saturate: bool,
    add: bool,
}

#[test]
fn several_at_once() {
    let flaw =
        "driver 580's compiler drops the guards of `vadd4` and `vsub4` with `.add` (conformance fact P10)";
    let guards = guards_are_right("ptx::video::several_at_once", flaw);
    for count in [2, 4] {
        for operation in ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"] {
            for signed in signs() {
                let types = signed.map(kind).join(".");
                for (sat, add) in [("", ""), (".sat", ""), ("", ".add")] {
                    let plain = Form {
                        a: (0..count).collect(),
                        b: (count..2 * count).collect(),
                        mask: 15,
                        saturate: !sat.is_empty(),
                        add: !add.is_empty(),
                    };
                    let text = format!("{operation}{count}.{types}{sat}{add} %d, %a, %b, %c");
                    // The compiler makes products of bytes of these operations.
                    let products = plain.add
                        && count == 4
                        && signed == [false; 3]
                        && matches!(operation, "vadd" | "vsub");
                    Operation::new(&text, "b32", &["b32"; 3])
                        .guarded(!products || guards)
                        .check(&rows(), |row| {
                            several(operation, count, [row[0], row[1], row[2]], signed, &plain)
                        });
                }
            }
        }
        for relation in ["eq", "ne", "lt", "le", "gt", "ge"] {
            for (a, b) in [(false, false), (true, true), (true, false)] {
                for add in [false, true] {
                    let form = Form {
                        a: (0..count).collect(),
                        b: (count..2 * count).collect(),
                        mask: 15,
                        saturate: false,
                        add,
                    };
                    let suffix = if add { ".add" } else { "" };
                    let text =
                        format!("vset{count}.{}.{}.{relation}{suffix} %d, %a, %b, %c", kind(a), kind(b));
                    Operation::new(&text, "b32", &["b32"; 3]).check(&rows(), |row| {
                        let name = format!("vset.{relation}");
                        several(&name, count, [row[0], row[1], row[2]], [false, a, b], &form)
                    });
                }
            }
        }
    }
}

#[test]
fn chosen_lanes() {
    for (text, count, a, b, mask, add) in [
        ("vadd2.u32.u32.u32 %d.h0, %a.h31, %b.h02, %c", 2, vec![1, 3], vec![2, 0], 1, false),
        ("vadd2.u32.u32.u32.add %d.h1, %a.h00, %b.h33, %c", 2, vec![0, 0], vec![3, 3], 2, true),
        ("vadd4.u32.u32.u32 %d.b20, %a.b7531, %b.b0246, %c", 4, vec![1, 3, 5, 7], vec![6, 4, 2, 0], 5, false),
        ("vadd4.u32.u32.u32.add %d.b310, %a.b0000, %b.b7654, %c", 4, vec![0; 4], vec![4, 5, 6, 7], 11, true),
    ] {
        let form = Form { a, b, mask, saturate: false, add };
        Operation::new(text, "b32", &["b32"; 3])
            .guarded(false)
            .check(&rows(), |row| several("vadd", count, [row[0], row[1], row[2]], [false; 3], &form));
    }
}

#[test]
fn the_nth_bit() {
    let mut rows = Vec::new();
    for mask in [0u64, 1, 0x8000_0000, 0xffff_ffff, 0x1234_5678, 0x8421_1248] {
        for base in [0u64, 1, 13, 31] {
            for offset in -9i64..=9 {
                rows.push(vec![mask, base, (offset as u64) & 0xffff_ffff]);
            }
        }
    }
    Operation::new("fns.b32 %d, %a, %b, %c", "b32", &["b32"; 3]).check(&rows, |row| {
        let (mask, base, offset) = (row[0], row[1] as i64, i64::from(row[2] as i32));
        if offset == 0 {
            return if mask >> base & 1 != 0 { base as u64 } else { u64::MAX };
        }
        let (mut left, mut at) = (offset.abs(), base);
        while (0..32).contains(&at) {
            if mask >> at & 1 != 0 {
                left -= 1;
                if left == 0 {
                    return at as u64;
                }
            }
            at += offset.signum();
        }
        u64::MAX
    });
}
