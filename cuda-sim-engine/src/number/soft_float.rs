//! Arithmetic in every rounding mode, in integers.
//!
//! The host rounds to nearest. The other modes are rare, so this code prefers clarity to speed.

use cuda_ptx::modifier::Rounding;

use super::float_format::{Format, Unpacked};

/// Position of the leading bit of the summands. Sums then fit in 128 bits.
const TOP: u32 = 125;

/// Sign, exponent, significand, and whether smaller bits were lost.
type Sum = (bool, i32, u128, bool);

/// Adds two finite numbers whose significands have at most 106 bits.
fn add_finite(a: (bool, i32, u128), b: (bool, i32, u128), rounding: Rounding) -> Sum {
    let zero_sign = rounding == Rounding::Down;
    match (a.2, b.2) {
        (0, 0) => return (if a.0 == b.0 { a.0 } else { zero_sign }, 0, 0, false),
        (0, _) => return (b.0, b.1, b.2, false),
        (_, 0) => return (a.0, a.1, a.2, false),
        _ => {}
    }
    let align = |(negative, exponent, significand): (bool, i32, u128)| {
        let shift = TOP.saturating_sub(127 - significand.leading_zeros());
        (negative, exponent - shift.cast_signed(), significand << shift)
    };
    let (mut large, mut small) = (align(a), align(b));
    if (small.1, small.2) > (large.1, large.2) {
        std::mem::swap(&mut large, &mut small);
    }
    let distance = (large.1 - small.1).unsigned_abs();
    let shifted = small.2.checked_shr(distance).unwrap_or(0);
    let lost = shifted.checked_shl(distance).unwrap_or(0) != small.2;
    if large.0 == small.0 {
        return (large.0, large.1, large.2 + shifted, lost);
    }
    // Lost bits make the difference smaller: one unit less, plus a fraction.
    let difference = large.2 - shifted - u128::from(lost);
    if difference == 0 && !lost {
        return (zero_sign, 0, 0, false);
    }
    (large.0, large.1, difference, lost)
}

/// Returns `a + b`.
pub(crate) fn add(format: Format, a: u64, b: u64, rounding: Rounding) -> u64 {
    let (a, b) = match (format.unpack(a), format.unpack(b)) {
        (Unpacked::Nan, _) | (_, Unpacked::Nan) => return format.nan(),
        (Unpacked::Infinite { negative: a }, Unpacked::Infinite { negative: b }) => {
            return if a == b { format.infinity(a) } else { format.nan() };
        }
        (Unpacked::Infinite { negative }, _) | (_, Unpacked::Infinite { negative }) => {
            return format.infinity(negative);
        }
        (
            Unpacked::Finite { negative, exponent, significand },
            Unpacked::Finite { negative: n, exponent: e, significand: s },
        ) => ((negative, exponent, significand), (n, e, s)),
    };
    let (negative, exponent, significand, sticky) = add_finite(a, b, rounding);
    format.pack(negative, exponent, significand, sticky, rounding)
}

/// Returns `a * b`.
pub(crate) fn multiply(format: Format, a: u64, b: u64, rounding: Rounding) -> u64 {
    match product(format, a, b) {
        Unpacked::Nan => format.nan(),
        Unpacked::Infinite { negative } => format.infinity(negative),
        Unpacked::Finite { negative, exponent, significand } => {
            format.pack(negative, exponent, significand, false, rounding)
        }
    }
}

fn product(format: Format, a: u64, b: u64) -> Unpacked {
    match (format.unpack(a), format.unpack(b)) {
        (Unpacked::Nan, _) | (_, Unpacked::Nan) => Unpacked::Nan,
        (Unpacked::Infinite { .. }, Unpacked::Finite { significand: 0, .. })
        | (Unpacked::Finite { significand: 0, .. }, Unpacked::Infinite { .. }) => Unpacked::Nan,
        (
            Unpacked::Infinite { negative: a },
            Unpacked::Infinite { negative: b } | Unpacked::Finite { negative: b, .. },
        )
        | (Unpacked::Finite { negative: a, .. }, Unpacked::Infinite { negative: b }) => {
            Unpacked::Infinite { negative: a != b }
        }
        (
            Unpacked::Finite { negative, exponent, significand },
            Unpacked::Finite { negative: n, exponent: e, significand: s },
        ) => {
            Unpacked::Finite { negative: negative != n, exponent: exponent + e, significand: significand * s }
        }
    }
}

/// Returns `a * b + c`, rounded once.
pub(crate) fn multiply_add(format: Format, a: u64, b: u64, c: u64, rounding: Rounding) -> u64 {
    let (product, addend) = match (product(format, a, b), format.unpack(c)) {
        (Unpacked::Nan, _) | (_, Unpacked::Nan) => return format.nan(),
        (Unpacked::Infinite { negative: a }, Unpacked::Infinite { negative: b }) => {
            return if a == b { format.infinity(a) } else { format.nan() };
        }
        (Unpacked::Infinite { negative }, _) | (_, Unpacked::Infinite { negative }) => {
            return format.infinity(negative);
        }
        (
            Unpacked::Finite { negative, exponent, significand },
            Unpacked::Finite { negative: n, exponent: e, significand: s },
        ) => ((negative, exponent, significand), (n, e, s)),
    };
    let (negative, exponent, significand, sticky) = add_finite(product, addend, rounding);
    format.pack(negative, exponent, significand, sticky, rounding)
}

/// Returns `a / b`.
pub(crate) fn divide(format: Format, a: u64, b: u64, rounding: Rounding) -> u64 {
    match (format.unpack(a), format.unpack(b)) {
        (Unpacked::Nan, _)
        | (_, Unpacked::Nan)
        | (Unpacked::Infinite { .. }, Unpacked::Infinite { .. })
        | (Unpacked::Finite { significand: 0, .. }, Unpacked::Finite { significand: 0, .. }) => format.nan(),
        (
            Unpacked::Infinite { negative: a } | Unpacked::Finite { negative: a, .. },
            Unpacked::Finite { negative: b, significand: 0, .. },
        )
        | (Unpacked::Infinite { negative: a }, Unpacked::Finite { negative: b, .. }) => {
            format.infinity(a != b)
        }
        (Unpacked::Finite { negative: a, .. }, Unpacked::Infinite { negative: b })
        | (Unpacked::Finite { negative: a, significand: 0, .. }, Unpacked::Finite { negative: b, .. }) => {
            format.pack(a != b, 0, 0, false, rounding)
        }
        (
            Unpacked::Finite { negative, exponent, significand },
            Unpacked::Finite { negative: n, exponent: e, significand: s },
        ) => {
            // The longest possible dividend yields a quotient of at least 74 bits.
            let shift = significand.leading_zeros();
            let dividend = significand << shift;
            let exponent = exponent - shift.cast_signed() - e;
            format.pack(negative != n, exponent, dividend / s, dividend % s != 0, rounding)
        }
    }
}

/// Returns the square root.
pub(crate) fn square_root(format: Format, a: u64, rounding: Rounding) -> u64 {
    match format.unpack(a) {
        Unpacked::Finite { negative, significand: 0, .. } => format.pack(negative, 0, 0, false, rounding),
        Unpacked::Nan | Unpacked::Infinite { negative: true } | Unpacked::Finite { negative: true, .. } => {
            format.nan()
        }
        Unpacked::Infinite { negative: false } => format.infinity(false),
        Unpacked::Finite { exponent, significand, .. } => {
            let mut shift = significand.leading_zeros();
            if (exponent - shift.cast_signed()) % 2 != 0 {
                shift -= 1;
            }
            let radicand = significand << shift;
            let root = radicand.isqrt();
            let exponent = (exponent - shift.cast_signed()) / 2;
            format.pack(false, exponent, root, root * root != radicand, rounding)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::float_format::{F16, F32, F64};
    use crate::number::fused_multiply_add::HOST_ROUNDS_TWICE;

    /// Small deterministic generator, so that tests are reproducible.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        /// Returns a number whose exponent is often extreme and whose fraction is often short.
        fn single(&mut self) -> u32 {
            let bits = self.next() as u32;
            match self.next() % 8 {
                0 => bits & 0x807f_ffff,
                1 => bits & 0xff80_0000,
                2 => bits | 0x7f00_0000,
                3 => bits & 0x8000_00ff | 0x3f80_0000,
                _ => bits,
            }
        }

        fn double(&mut self) -> u64 {
            let bits = self.next();
            match self.next() % 8 {
                0 => bits & 0x800f_ffff_ffff_ffff,
                1 => bits & 0xfff0_0000_0000_0000,
                2 => bits | 0x7fe0_0000_0000_0000,
                3 => bits & 0x8000_0000_0000_00ff | 0x3ff0_0000_0000_0000,
                _ => bits,
            }
        }
    }

    fn same32(soft: u64, host: f32) -> bool {
        if host.is_nan() { soft == F32.nan() } else { soft == u64::from(host.to_bits()) }
    }

    fn same64(soft: u64, host: f64) -> bool {
        if host.is_nan() { soft == F64.nan() } else { soft == host.to_bits() }
    }

    #[test]
    fn nearest_rounding_agrees_with_host() {
        let mut random = Random(0x1234_5678_9abc_def1);
        for _ in 0..200_000 {
            let (a, b, c) = (random.single(), random.single(), random.single());
            let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let (a, b, c) = (u64::from(a), u64::from(b), u64::from(c));
            let mode = Rounding::Nearest;
            assert!(same32(add(F32, a, b, mode), x + y), "{x:e} + {y:e}");
            assert!(same32(multiply(F32, a, b, mode), x * y), "{x:e} * {y:e}");
            assert!(same32(divide(F32, a, b, mode), x / y), "{x:e} / {y:e}");
            assert!(same32(square_root(F32, a, mode), x.sqrt()), "sqrt {x:e}");
            let fused = multiply_add(F32, a, b, c, mode);
            assert!(HOST_ROUNDS_TWICE || same32(fused, x.mul_add(y, z)), "{x:e} * {y:e} + {z:e}");
            let (a, b, c) = (random.double(), random.double(), random.double());
            let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
            assert!(same64(add(F64, a, b, mode), x + y), "{x:e} + {y:e}");
            assert!(same64(multiply(F64, a, b, mode), x * y), "{x:e} * {y:e}");
            assert!(same64(divide(F64, a, b, mode), x / y), "{x:e} / {y:e}");
            assert!(same64(square_root(F64, a, mode), x.sqrt()), "sqrt {x:e}");
            let fused = multiply_add(F64, a, b, c, mode);
            assert!(HOST_ROUNDS_TWICE || same64(fused, x.mul_add(y, z)), "{x:e} * {y:e} + {z:e}");
            assert!(same32(F64.convert(a, F32, mode), x as f32), "{x:e}");
            let integer = random.next();
            assert_eq!(F32.integer(false, integer, mode), u64::from((integer as f32).to_bits()));
            assert_eq!(F64.integer(false, integer, mode), (integer as f64).to_bits());
        }
    }

    type Operation = fn(Format, u64, u64, Rounding) -> u64;

    #[test]
    fn directed_roundings_bracket_nearest() {
        let mut random = Random(0xfeed_beef_1234_5671);
        for _ in 0..100_000 {
            let (a, b) = (random.double(), random.double());
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            let exact_is_finite = (x * y).is_finite() && (x + y).is_finite() && (x / y).is_finite();
            if !exact_is_finite {
                continue;
            }
            for operation in [add as Operation, multiply, divide] {
                let value = |mode| f64::from_bits(operation(F64, a, b, mode));
                let (down, up) = (value(Rounding::Down), value(Rounding::Up));
                let (near, zero) = (value(Rounding::Nearest), value(Rounding::Zero));
                assert!(down <= near && near <= up, "{x:e} {y:e}: {down:e} {near:e} {up:e}");
                assert!(zero == down || zero == up);
                assert!(zero.abs() <= near.abs());
                assert!(down == up || up.to_bits() == down.next_up().to_bits() || (down == 0.0 || up == 0.0));
            }
        }
    }

    #[test]
    fn directed_roundings_match_known_values() {
        let one = 1.0f32.to_bits();
        let tiny = f32::from_bits(1).to_bits();
        let bits = |value: f32| u64::from(value.to_bits());
        let add32 = |a: u32, b: u32, mode| add(F32, u64::from(a), u64::from(b), mode);
        assert_eq!(add32(one, tiny, Rounding::Up), bits(1.0f32.next_up()));
        assert_eq!(add32(one, tiny, Rounding::Down), bits(1.0));
        assert_eq!(add32(one, tiny | 1 << 31, Rounding::Zero), bits(1.0f32.next_down()));
        assert_eq!(add32(one, tiny | 1 << 31, Rounding::Up), bits(1.0));
        assert_eq!(add32(one, one | 1 << 31, Rounding::Down), bits(-0.0));
        assert_eq!(add32(one, one | 1 << 31, Rounding::Nearest), bits(0.0));
        let largest = f32::MAX.to_bits();
        assert_eq!(add32(largest, largest, Rounding::Zero), bits(f32::MAX));
        assert_eq!(add32(largest, largest, Rounding::Up), bits(f32::INFINITY));
        assert_eq!(F32.convert(bits(65520.0), F16, Rounding::Nearest), 0x7c00);
        assert_eq!(F32.convert(bits(65519.0), F16, Rounding::Nearest), 0x7bff);
        assert_eq!(F32.convert(bits(1e10), F16, Rounding::Zero), 0x7bff);
        assert_eq!(F32.convert(bits(5.96e-8), F16, Rounding::Nearest), 1);
        assert_eq!(F32.convert(bits(2.98e-8), F16, Rounding::Nearest), 0);
    }
}
