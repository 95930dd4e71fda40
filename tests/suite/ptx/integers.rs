//! Integer arithmetic, bits and comparisons.

use super::{Operation, edges16, edges32, edges64, numbers, pairs, triples};

/// Returns the width in bits of a type such as `s32`, and whether the type is signed.
fn kind(name: &str) -> (u32, bool) {
    (name[1..].parse().unwrap(), name.starts_with('s'))
}

/// Returns the low `width` bits of a value as an integer, sign-extended if `signed`.
fn value(bits: u64, (width, signed): (u32, bool)) -> i128 {
    let bits = u128::from(bits) & ((1 << width) - 1);
    if signed && bits >> (width - 1) & 1 != 0 { bits as i128 - (1 << width) } else { bits as i128 }
}

fn edges(width: u32) -> Vec<u64> {
    let mut values = match width {
        16 => edges16(),
        32 => edges32(),
        _ => edges64(),
    };
    values.extend(numbers(6, u64::from(width)));
    values
}

const TYPES: [&str; 6] = ["u16", "s16", "u32", "s32", "u64", "s64"];

fn binary(op: &str, name: &str, expected: impl Fn(i128, i128) -> i128) {
    let kind = kind(name);
    let register = format!("b{}", kind.0);
    let text = format!("{op}.{name} %d, %a, %b");
    let operation = Operation::new(&text, &register, &[&register, &register]);
    operation.check(&pairs(&edges(kind.0), &edges(kind.0)), |row| {
        expected(value(row[0], kind), value(row[1], kind)) as u64
    });
}

#[test]
fn add_subtract_multiply() {
    for name in TYPES {
        let (width, _) = kind(name);
        binary("add", name, |a, b| a + b);
        binary("sub", name, |a, b| a - b);
        binary("mul.lo", name, |a, b| a.wrapping_mul(b));
        binary("mul.hi", name, |a, b| {
            // The product of two unsigned longs does not fit a signed number of 128 bits.
            if name == "u64" { ((a as u128 * b as u128) >> 64) as i128 } else { (a * b) >> width }
        });
        binary("min", name, |a, b| a.min(b));
        binary("max", name, |a, b| a.max(b));
    }
    let clamp = |value: i128| value.clamp(i128::from(i32::MIN), i128::from(i32::MAX));
    binary("add.sat", "s32", |a, b| clamp(a + b));
    binary("sub.sat", "s32", |a, b| clamp(a - b));
}

#[test]
fn divide() {
    for name in TYPES {
        // PTX leaves division by zero open; the hardware yields all ones.
        binary("div", name, |a, b| if b == 0 { -1 } else { a / b });
        binary("rem", name, |a, b| if b == 0 { -1 } else { a % b });
    }
}

#[test]
fn wide_products() {
    for (name, wide) in [("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")] {
        let (kind, wide_kind) = (kind(name), kind(wide));
        let (narrow_register, wide_register) = (format!("b{}", kind.0), format!("b{}", wide_kind.0));
        let text = format!("mul.wide.{name} %d, %a, %b");
        Operation::new(&text, &wide_register, &[&narrow_register, &narrow_register])
            .check(&pairs(&edges(kind.0), &edges(kind.0)), |row| {
                (value(row[0], kind) * value(row[1], kind)) as u64
            });
        let text = format!("mad.wide.{name} %d, %a, %b, %c");
        Operation::new(&text, &wide_register, &[&narrow_register, &narrow_register, &wide_register])
            .check(&triples(&edges(kind.0), &edges(kind.0), &edges(wide_kind.0)), |row| {
                (value(row[0], kind) * value(row[1], kind) + value(row[2], wide_kind)) as u64
            });
    }
}

fn ternary(op: &str, name: &str, expected: impl Fn(i128, i128, i128) -> i128) {
    let kind = kind(name);
    let register = format!("b{}", kind.0);
    let text = format!("{op}.{name} %d, %a, %b, %c");
    let operation = Operation::new(&text, &register, &[&register, &register, &register]);
    operation.check(&triples(&edges(kind.0), &edges(kind.0), &edges(kind.0)), |row| {
        expected(value(row[0], kind), value(row[1], kind), value(row[2], kind)) as u64
    });
}

#[test]
fn multiply_add() {
    for name in TYPES {
        let (width, _) = kind(name);
        ternary("mad.lo", name, |a, b, c| a.wrapping_mul(b).wrapping_add(c));
        if name != "u64" {
            ternary("mad.hi", name, |a, b, c| ((a * b) >> width) + c);
        }
        ternary("sad", name, |a, b, c| (a - b).abs() + c);
    }
    let clamp = |value: i128| value.clamp(i128::from(i32::MIN), i128::from(i32::MAX));
    ternary("mad.hi.sat", "s32", |a, b, c| clamp(((a * b) >> 32) + c));
}

#[test]
fn short_products() {
    let short = |value: i128, signed: bool| {
        let bits = value & 0xff_ffff;
        if signed && bits >> 23 != 0 { bits - (1 << 24) } else { bits }
    };
    for (name, signed) in [("u32", false), ("s32", true)] {
        binary("mul24.lo", name, |a, b| short(a, signed) * short(b, signed));
        binary("mul24.hi", name, |a, b| (short(a, signed) * short(b, signed)) >> 16);
        ternary("mad24.lo", name, |a, b, c| short(a, signed) * short(b, signed) + c);
        ternary("mad24.hi", name, |a, b, c| ((short(a, signed) * short(b, signed)) >> 16) + c);
    }
}

#[test]
fn one_operand() {
    for name in TYPES {
        let kind = kind(name);
        let register = format!("b{}", kind.0);
        let rows: Vec<Vec<u64>> = edges(kind.0).into_iter().map(|value| vec![value]).collect();
        let unary = |op: &str, expected: &dyn Fn(i128) -> i128| {
            let text = format!("{op} %d, %a");
            Operation::new(&text, &register, &[&register])
                .check(&rows, |row| expected(value(row[0], kind)) as u64);
        };
        if kind.1 {
            unary(&format!("neg.{name}"), &|a| -a);
            unary(&format!("abs.{name}"), &|a| a.abs());
        }
        unary(&format!("not.b{}", kind.0), &|a| !a);
        unary(&format!("cnot.b{}", kind.0), &|a| i128::from(a == 0));
    }
}

#[test]
fn shifts() {
    let amounts = [0, 1, 4, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0x8000_0000, 0xffff_ffff];
    for name in ["u16", "s16", "u32", "s32", "u64", "s64", "b16", "b32", "b64"] {
        let signed = name.starts_with('s');
        let width: u32 = name[1..].parse().unwrap();
        let register = format!("b{width}");
        let text = format!("shr.{name} %d, %a, %b");
        Operation::new(&text, &register, &[&register, "b32"]).check(&pairs(&edges(width), &amounts), |row| {
            (value(row[0], (width, signed)) >> row[1].min(100)) as u64
        });
        if name.starts_with('b') {
            let text = format!("shl.{name} %d, %a, %b");
            Operation::new(&text, &register, &[&register, "b32"])
                .check(&pairs(&edges(width), &amounts), |row| (u128::from(row[0]) << row[1].min(64)) as u64);
        }
    }
    for (wrap, mode) in [(true, "wrap"), (false, "clamp")] {
        for (left, direction) in [(true, "l"), (false, "r")] {
            let text = format!("shf.{direction}.{mode}.b32 %d, %a, %b, %c");
            Operation::new(&text, "b32", &["b32", "b32", "b32"]).check(
                &triples(&edges32(), &edges32(), &amounts),
                |row| {
                    let amount = if wrap { row[2] % 32 } else { row[2].min(32) };
                    let both = u128::from(row[1]) << 32 | u128::from(row[0]);
                    if left { ((both << amount) >> 32) as u64 } else { (both >> amount) as u64 }
                },
            );
        }
    }
}

#[test]
fn logic() {
    for width in [16, 32, 64] {
        let register = format!("b{width}");
        for (op, function) in
            [("and", (|a, b| a & b) as fn(u64, u64) -> u64), ("or", |a, b| a | b), ("xor", |a, b| a ^ b)]
        {
            let text = format!("{op}.b{width} %d, %a, %b");
            Operation::new(&text, &register, &[&register, &register])
                .check(&pairs(&edges(width), &edges(width)), |row| function(row[0], row[1]));
        }
    }
    for table in [0x00u64, 0x80, 0xfe, 0x96, 0xe8, 0xca, 0x1b, 0xff] {
        let text = format!("lop3.b32 %d, %a, %b, %c, {table:#x}");
        Operation::new(&text, "b32", &["b32", "b32", "b32"]).check(
            &triples(&edges32(), &edges32(), &edges32()),
            |row| {
                (0..32).fold(0, |result, bit| {
                    let pick = |value: u64| value >> bit & 1;
                    let entry = pick(row[0]) << 2 | pick(row[1]) << 1 | pick(row[2]);
                    result | (table >> entry & 1) << bit
                })
            },
        );
    }
}

/// Conformance fact V1198.
#[test]
fn lop3_with_predicates() {
    // Two sources are the lane's index shifted right by one, and the third is 1.
    // `%q` holds in lanes with an odd index.
    for (op, is_or) in [("and", false), ("or", true)] {
        for (result, keeps) in [("%d", true), ("_", false)] {
            let mut device = super::Device::kernel(
                ".param .b64 out",
                &format!(
                    ".reg .b32 %d, %a, %t; .reg .pred %q, %p; .reg .b64 %i, %o;\n\
                     mov.u32 %t, %tid.x; shr.u32 %a, %t, 1; and.b32 %d, %t, 1; setp.ne.u32 %q, %d, 0; mov.u32 %d, 9;\n\
                     lop3.{op}.b32 {result}|%p, %a, %a, 1, 0x80, !%q; @%p add.u32 %d, %d, 100;\n\
                     mul.wide.u32 %i, %t, 4; ld.param.b64 %o, [out]; add.s64 %i, %i, %o; st.global.b32 [%i], %d; ret;"
                ),
            );
            let out = device.alloc_u32(&[0; 8]);
            device.run("k", [1, 1, 1], [8, 1, 1], &[super::Arg::Buffer(out)]);
            let expected: Vec<u32> = (0..8u32)
                .map(|lane| {
                    let (bits, condition) = (lane >> 1 & 1, lane & 1 == 0);
                    let holds = if is_or { bits != 0 || condition } else { bits != 0 && condition };
                    if keeps { bits + if holds { 100 } else { 0 } } else { 9 + if holds { 100 } else { 0 } }
                })
                .collect();
            assert_eq!(device.u32s(out), expected, "{op} {result}");
        }
    }
}

#[test]
fn predicates() {
    // Predicates made from bits of the operands, combined, and negated.
    for (op, function) in
        [("and", (|a, b| a & b) as fn(bool, bool) -> bool), ("or", |a, b| a | b), ("xor", |a, b| a ^ b)]
    {
        let text = format!(
            "setp.ne.u32 %q, %a, 0; setp.ne.u32 %r, %b, 0; {op}.pred %d, %q, !%r; mov.pred %r, 0; @!%r xor.pred %d, %d, %r"
        );
        // `Operation` guards only the first instruction of its text. This test has a sequence of
        // instructions, so it uses a kernel of its own.
        let mut device = super::Device::kernel(
            ".param .b64 out",
            &format!(
                ".reg .b32 %a, %b, %t; .reg .pred %q, %r, %d; .reg .b64 %p, %o;\n\
                 mov.u32 %t, %tid.x; and.b32 %a, %t, 1; and.b32 %b, %t, 2;\n\
                 {text}; selp.b32 %t, 7, 9, !%d;\n\
                 mov.u32 %a, %tid.x; mul.wide.u32 %p, %a, 4; ld.param.b64 %o, [out]; add.s64 %p, %p, %o;\n\
                 st.global.b32 [%p], %t; ret;"
            ),
        );
        let out = device.alloc_u32(&[0; 4]);
        device.run("k", [1, 1, 1], [4, 1, 1], &[super::Arg::Buffer(out)]);
        let expected: Vec<u32> =
            (0..4u32).map(|lane| if function(lane & 1 != 0, lane & 2 == 0) { 9 } else { 7 }).collect();
        assert_eq!(device.u32s(out), expected, "{op}");
    }
}

#[test]
fn counting() {
    for width in [32u32, 64] {
        let register = format!("b{width}");
        let rows: Vec<Vec<u64>> = edges(width).into_iter().map(|value| vec![value]).collect();
        let unary = |op: &str, result: &str, expected: &dyn Fn(u64) -> u64| {
            let text = format!("{op}{width} %d, %a");
            Operation::new(&text, result, &[&register]).check(&rows, |row| expected(row[0]));
        };
        unary("popc.b", "b32", &|a| u64::from(a.count_ones()));
        unary("clz.b", "b32", &|a| u64::from(a.leading_zeros() - (64 - width)));
        unary("brev.b", &register, &|a| a.reverse_bits() >> (64 - width));
        let find = |a: u64, signed: bool, shift: bool| {
            let negative = signed && a >> (width - 1) & 1 != 0;
            let bits = if negative { !a & (u64::MAX >> (64 - width)) } else { a };
            match (0..width).rev().find(|position| bits >> position & 1 != 0) {
                None => 0xffff_ffff,
                Some(position) if shift => u64::from(width - 1 - position),
                Some(position) => u64::from(position),
            }
        };
        unary("bfind.u", "b32", &|a| find(a, false, false));
        unary("bfind.s", "b32", &|a| find(a, true, false));
        unary("bfind.shiftamt.u", "b32", &|a| find(a, false, true));
        unary("bfind.shiftamt.s", "b32", &|a| find(a, true, true));
    }
}

#[test]
fn bit_fields() {
    let positions = [0, 1, 5, 16, 28, 31, 32, 33, 60, 63, 64, 100, 255, 256, 257, 0xffff_ffff];
    for width in [32u32, 64] {
        let register = format!("b{width}");
        // The forms of 32 bits read eight bits of positions and lengths. The others read all bits.
        let place = |value: u64| if width == 32 { value & 0xff } else { value };
        for signed in [false, true] {
            let text = format!("bfe.{}{width} %d, %a, %b, %c", if signed { "s" } else { "u" });
            Operation::new(&text, &register, &[&register, "b32", "b32"]).check(
                &triples(&edges(width), &positions, &positions),
                |row| {
                    // Bit by bit, as the manual has it.
                    let (position, length) = (place(row[1]), place(row[2]));
                    let top = u64::from(width - 1);
                    let bit = |at: u64| row[0] >> at & 1;
                    let sign = if !signed || length == 0 { 0 } else { bit(top.min(position + length - 1)) };
                    (0..=top).fold(0, |result, index| {
                        let inside = index < length && position + index <= top;
                        result | (if inside { bit(position + index) } else { sign }) << index
                    })
                },
            );
        }
        let text = format!("bfi.b{width} %d, %a, %b, %c, %e");
        let mut rows = Vec::new();
        for (index, row) in triples(&edges(width), &edges(width), &positions).into_iter().enumerate() {
            let mut row = row;
            row.push(positions[index * 5 % positions.len()]);
            rows.push(row);
        }
        Operation::new(&text, &register, &[&register, &register, "b32", "b32"]).check(&rows, |row| {
            let (position, length) = (place(row[2]), place(row[3]));
            (0..u64::from(width)).fold(row[1], |result, at| {
                let inside = at >= position && at - position < length;
                if !inside {
                    return result;
                }
                result & !(1 << at) | (row[0] >> (at - position) & 1) << at
            })
        });
    }
}

#[test]
fn masks_and_extensions() {
    let amounts = [0, 1, 5, 16, 31, 32, 33, 40, 63, 64, 255, 0xffff_ffff];
    for wrap in [true, false] {
        let mode = if wrap { "wrap" } else { "clamp" };
        let amount = |value: u64| if wrap { value % 32 } else { value.min(32) };
        let text = format!("bmsk.{mode}.b32 %d, %a, %b");
        Operation::new(&text, "b32", &["b32", "b32"]).check(&pairs(&amounts, &amounts), |row| {
            (0..32).fold(0, |mask, bit| {
                let inside = bit >= amount(row[0]) && bit < amount(row[0]) + amount(row[1]);
                mask | u64::from(inside) << bit
            })
        });
        for signed in [false, true] {
            let text = format!("szext.{mode}.{}32 %d, %a, %b", if signed { "s" } else { "u" });
            Operation::new(&text, "b32", &["b32", "b32"]).check(&pairs(&edges32(), &amounts), |row| {
                let length = amount(row[1]) as u32;
                if length == 0 { 0 } else { value(row[0], (length, signed)) as u64 }
            });
        }
    }
}

#[test]
fn permutations() {
    let selectors = [0x3210, 0x7654, 0x0123, 0x8c04, 0xffff, 0x1111, 0xba98, 0, 1, 2, 3];
    let byte = |row: &[u64], index: u64| (row[1] << 32 | row[0]) >> (8 * index) & 0xff;
    Operation::new("prmt.b32 %d, %a, %b, %c", "b32", &["b32", "b32", "b32"]).check(
        &triples(&edges32(), &edges32(), &selectors),
        |row| {
            (0..4).fold(0, |result, index| {
                let selector = row[2] >> (4 * index) & 0xf;
                let byte = byte(row, selector & 7);
                let byte = if selector < 8 {
                    byte
                } else if byte > 127 {
                    0xff
                } else {
                    0
                };
                result | byte << (8 * index)
            })
        },
    );
    // The tables of the manual: for each selector the source bytes, most significant first.
    let modes: [(&str, [[u64; 4]; 4]); 6] = [
        ("f4e", [[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]]),
        ("b4e", [[5, 6, 7, 0], [6, 7, 0, 1], [7, 0, 1, 2], [0, 1, 2, 3]]),
        ("rc8", [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]]),
        ("ecl", [[3, 2, 1, 0], [3, 2, 1, 1], [3, 2, 2, 2], [3, 3, 3, 3]]),
        ("ecr", [[0, 0, 0, 0], [1, 1, 1, 0], [2, 2, 1, 0], [3, 2, 1, 0]]),
        ("rc16", [[1, 0, 1, 0], [3, 2, 3, 2], [1, 0, 1, 0], [3, 2, 3, 2]]),
    ];
    for (mode, table) in modes {
        let text = format!("prmt.b32.{mode} %d, %a, %b, %c");
        Operation::new(&text, "b32", &["b32", "b32", "b32"]).check(
            &triples(&[0x8899_aabb, 0x0123_4567], &[0xfedc_ba98, 0x7f80_0102], &[0, 1, 2, 3]),
            |row| {
                let sources = table[(row[2] & 3) as usize];
                (0..4).fold(0, |result, index| result << 8 | byte(row, sources[index]))
            },
        );
    }
}

#[test]
fn dot_products() {
    let part = |value: u64, index: u32, bits: u32, signed: bool| {
        self::value(value >> (index * bits), (bits, signed))
    };
    for (a_type, b_type) in [("u32", "u32"), ("s32", "u32"), ("u32", "s32"), ("s32", "s32")] {
        let (sa, sb) = (a_type == "s32", b_type == "s32");
        let rows = triples(&edges32(), &edges32(), &edges32());
        let text = format!("dp4a.{a_type}.{b_type} %d, %a, %b, %c");
        Operation::new(&text, "b32", &["b32", "b32", "b32"]).check(&rows, |row| {
            let sum: i128 = (0..4).map(|i| part(row[0], i, 8, sa) * part(row[1], i, 8, sb)).sum();
            (i128::from(row[2]) + sum) as u64
        });
        for (half, first) in [("lo", 0), ("hi", 2)] {
            let text = format!("dp2a.{half}.{a_type}.{b_type} %d, %a, %b, %c");
            Operation::new(&text, "b32", &["b32", "b32", "b32"]).check(&rows, |row| {
                let sum: i128 =
                    (0..2).map(|i| part(row[0], i, 16, sa) * part(row[1], first + i, 8, sb)).sum();
                (i128::from(row[2]) + sum) as u64
            });
        }
    }
}

#[test]
fn carries() {
    // Two 32-bit additions with carry make a 64-bit sum. Two 64-bit additions make a 128-bit sum.
    let sum = |text: &str, a: u64, b: u64| {
        let body = format!(
            ".reg .b32 %r<9>; .reg .b64 %p<9>;\n\
             ld.param.b64 %p0, [out]; ld.param.b64 %p1, [a]; ld.param.b64 %p2, [b];\n\
             mov.b64 {{%r0, %r1}}, %p1; mov.b64 {{%r2, %r3}}, %p2;\n\
             {text}\n st.global.b64 [%p0], %p3; ret;"
        );
        let mut device = super::Device::kernel(".param .b64 out, .param .b64 a, .param .b64 b", &body);
        let out = device.alloc_u64(&[0]);
        device.run(
            "k",
            [1, 1, 1],
            [1, 1, 1],
            &[super::Arg::Buffer(out), super::Arg::U64(a), super::Arg::U64(b)],
        );
        device.u64s(out)[0]
    };
    for row in pairs(&edges64(), &edges64()) {
        let (a, b) = (row[0], row[1]);
        let text = "add.cc.u32 %r4, %r0, %r2; addc.u32 %r5, %r1, %r3; mov.b64 %p3, {%r4, %r5};";
        assert_eq!(sum(text, a, b), a.wrapping_add(b));
        let text = "sub.cc.u32 %r4, %r0, %r2; subc.u32 %r5, %r1, %r3; mov.b64 %p3, {%r4, %r5};";
        assert_eq!(sum(text, a, b), a.wrapping_sub(b));
        let text = "add.cc.u64 %p4, %p1, %p2; addc.u64 %p3, 0, 0;";
        assert_eq!(sum(text, a, b), u64::from(a.checked_add(b).is_none()));
        let text = "sub.cc.s64 %p4, %p1, %p2; subc.u64 %p3, 0, 0;";
        assert_eq!(sum(text, a, b), if a < b { u64::MAX } else { 0 });
        // `sub.cc` sets the carry flag if nothing was borrowed. `addc` and `subc` read the same
        // flag, whichever instruction set it.
        let text = "sub.cc.u64 %p4, %p1, %p2; addc.u64 %p3, 0, 0;";
        assert_eq!(sum(text, a, b), u64::from(a >= b));
        let text =
            "sub.cc.u32 %r4, %r0, %r2; subc.cc.u32 %r4, %r1, %r3; addc.u32 %r5, 0, 0; mov.b64 %p3, {%r5, 0};";
        assert_eq!(sum(text, a, b), u64::from(a >= b));
        let text = "add.cc.u64 %p4, %p1, %p2; subc.u64 %p3, 10, 0;";
        assert_eq!(sum(text, a, b), if a.checked_add(b).is_none() { 10 } else { 9 });
        // The low 64 bits of the product of two 64-bit integers, from 32-bit products.
        let text = "mul.lo.u32 %r4, %r0, %r2; mul.hi.u32 %r5, %r0, %r2; mad.lo.u32 %r5, %r0, %r3, %r5;\n\
                    mad.lo.u32 %r5, %r1, %r2, %r5; mov.b64 %p3, {%r4, %r5};";
        assert_eq!(sum(text, a, b), a.wrapping_mul(b));
        // The high 64 bits of the same product: bits 64 to 127.
        let text = "mul.hi.u32 %r4, %r0, %r2; mov.u32 %r5, 0; mov.u32 %r6, 0;\n\
                    mad.lo.cc.u32 %r4, %r0, %r3, %r4; madc.hi.u32 %r5, %r0, %r3, %r5;\n\
                    mad.lo.cc.u32 %r4, %r1, %r2, %r4; madc.hi.cc.u32 %r5, %r1, %r2, %r5; addc.u32 %r6, %r6, 0;\n\
                    mad.lo.cc.u32 %r5, %r1, %r3, %r5; madc.hi.u32 %r6, %r1, %r3, %r6; mov.b64 %p3, {%r5, %r6};";
        assert_eq!(sum(text, a, b), ((u128::from(a) * u128::from(b)) >> 64) as u64);
    }
}

#[test]
fn comparisons() {
    type Compare = fn(&i128, &i128) -> bool;
    let relations: [(&str, Compare); 6] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| a != b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
    ];
    // Conformance fact P5.
    let flaw = "driver 580 converts the old destination of `set` in lanes whose guard is false";
    let guarded = super::guards_are_right("ptx::integers::comparisons", flaw);
    let unsigned: [(&str, Compare); 4] =
        [("lo", |a, b| a < b), ("ls", |a, b| a <= b), ("hi", |a, b| a > b), ("hs", |a, b| a >= b)];
    for name in TYPES {
        let kind = kind(name);
        let register = format!("b{}", kind.0);
        let rows = pairs(&edges(kind.0), &edges(kind.0));
        let more = if kind.1 { [].as_slice() } else { unsigned.as_slice() };
        for (relation, holds) in relations.iter().chain(more) {
            let text = format!("setp.{relation}.{name} %d, %a, %b");
            Operation::new(&text, "pred", &[&register, &register])
                .check(&rows, |row| u64::from(holds(&value(row[0], kind), &value(row[1], kind))));
            let text = format!("set.{relation}.u32.{name} %d, %a, %b");
            let operation = Operation::new(&text, "b32", &[&register, &register]);
            operation.guarded(guarded || kind.0 != 16).check(&rows, |row| {
                if holds(&value(row[0], kind), &value(row[1], kind)) { 0xffff_ffff } else { 0 }
            });
            let text = format!("set.{relation}.f32.{name} %d, %a, %b");
            let operation = Operation::new(&text, "b32", &[&register, &register]);
            operation.guarded(guarded).check(&rows, |row| {
                if holds(&value(row[0], kind), &value(row[1], kind)) { 0x3f80_0000 } else { 0 }
            });
        }
    }
    for width in [16, 32, 64] {
        let register = format!("b{width}");
        let text = format!("setp.eq.b{width} %d, %a, %b");
        Operation::new(&text, "pred", &[&register, &register])
            .check(&pairs(&edges(width), &edges(width)), |row| u64::from(row[0] == row[1]));
    }
}

#[test]
fn comparisons_combined() {
    for (combine, function) in
        [("and", (|a, b| a & b) as fn(bool, bool) -> bool), ("or", |a, b| a | b), ("xor", |a, b| a ^ b)]
    {
        // Two destinations. The third operand is the negation of the second destination.
        let body = format!(
            ".reg .b32 %r<9>; .reg .b64 %p<9>; .reg .pred %x, %y;\n\
             ld.param.b64 %p0, [out]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 3; shr.u32 %r2, %r0, 2;\n\
             and.b32 %r2, %r2, 3; and.b32 %r3, %r0, 16; setp.ne.u32 %y, %r3, 0; mov.pred %x, 0;\n\
             setp.lt.{combine}.u32 %x|%y, %r1, %r2, !%y;\n\
             selp.b32 %r4, 1, 0, %x; selp.b32 %r5, 2, 0, %y; or.b32 %r4, %r4, %r5;\n\
             mul.wide.u32 %p1, %r0, 4; add.s64 %p0, %p0, %p1; st.global.b32 [%p0], %r4; ret;"
        );
        let mut device = super::Device::kernel(".param .b64 out", &body);
        let out = device.alloc_u32(&[0; 32]);
        device.run("k", [1, 1, 1], [32, 1, 1], &[super::Arg::Buffer(out)]);
        let expected: Vec<u32> = (0..32u32)
            .map(|lane| {
                let (less, third) = ((lane & 3) < (lane >> 2 & 3), lane & 16 == 0);
                u32::from(function(less, third)) | u32::from(function(!less, third)) << 1
            })
            .collect();
        assert_eq!(device.u32s(out), expected, "{combine}");
    }
}

#[test]
fn selections() {
    for (name, register) in [("b16", "b16"), ("s32", "b32"), ("f32", "f32"), ("u64", "b64"), ("f64", "f64")] {
        let width: u32 = name[1..].parse().unwrap();
        let text = format!("slct.{name}.s32 %d, %a, %b, %c");
        Operation::new(&text, register, &[register, register, "b32"]).check(
            &triples(&edges(width), &edges(width), &edges32()),
            |row| {
                if row[2] as i32 >= 0 { row[0] } else { row[1] }
            },
        );
        let text = format!("slct.{name}.f32 %d, %a, %b, %c");
        let floats =
            [0x0000_0000, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x7fc0_0000, 0x8000_0001, 0xff80_0000];
        Operation::new(&text, register, &[register, register, "f32"]).check(
            &triples(&edges(width), &edges(width), &floats),
            |row| {
                if f32::from_bits(row[2] as u32) >= 0.0 { row[0] } else { row[1] }
            },
        );
        let text = format!("slct.ftz.{name}.f32 %d, %a, %b, %c");
        Operation::new(&text, register, &[register, register, "f32"]).check(
            &triples(&edges(width), &edges(width), &floats),
            |row| {
                let value = f32::from_bits(row[2] as u32);
                if value >= 0.0 || value.is_subnormal() { row[0] } else { row[1] }
            },
        );
    }
}

#[test]
fn two_halves_of_a_word() {
    let rows = pairs(&edges32(), &edges32());
    let half = |word: u64, index: u32, signed: bool| {
        let bits = (word >> (16 * index)) as u16;
        if signed { i32::from(bits as i16) } else { i32::from(bits) }
    };
    for (signed, kind) in [(false, "u16x2"), (true, "s16x2")] {
        for (operation, apply) in [
            ("add", (|a, b| a + b) as fn(i32, i32) -> i32),
            ("min", |a, b| a.min(b)),
            ("max", |a, b| a.max(b)),
            ("min.relu", |a, b| a.min(b).max(0)),
            ("max.relu", |a, b| a.max(b).max(0)),
        ] {
            if operation.ends_with("relu") && !signed {
                continue;
            }
            Operation::new(&format!("{operation}.{kind} %d, %a, %b"), "b32", &["b32"; 2]).check(
                &rows,
                |row| {
                    let part = |index| apply(half(row[0], index, signed), half(row[1], index, signed)) as u16;
                    u64::from(part(0)) | u64::from(part(1)) << 16
                },
            );
        }
    }
    for (operation, apply) in [("min", (|a, b| a.min(b)) as fn(i32, i32) -> i32), ("max", |a, b| a.max(b))] {
        Operation::new(&format!("{operation}.relu.s32 %d, %a, %b"), "b32", &["b32"; 2])
            .check(&rows, |row| apply(row[0] as i32, row[1] as i32).max(0) as u64);
    }
}
