//! Evaluation of constant expressions by the parser, in the types `.s64`, `.u64` and `.f64`.
//!
//! Values and errors are those of ptxas (conformance fact V1206).

use crate::ast::Constant;
use crate::lexer::Mark;

/// Reason why a constant expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    DivisionByZero,
    /// Floating-point operand of an operator for integers.
    NoInteger,
    /// Integer and floating-point operands of one operator.
    Mixture,
}

/// Returns the bits of an integer.
pub(super) fn integer(constant: Constant) -> Result<u64, Problem> {
    match constant {
        Constant::Integer { bits, .. } => Ok(bits),
        Constant::Single(_) | Constant::Double(_) => Err(Problem::NoInteger),
    }
}

/// Returns the precedence of a binary operator, or `None` for other marks.
pub(super) fn precedence(mark: Mark) -> Option<u8> {
    Some(match mark {
        Mark::Star | Mark::Slash | Mark::Percent => 10,
        Mark::Plus | Mark::Minus => 9,
        Mark::ShiftLeft | Mark::ShiftRight => 8,
        Mark::Less | Mark::LessEqual | Mark::Greater | Mark::GreaterEqual => 7,
        Mark::EqualEqual | Mark::NotEqual => 6,
        Mark::And => 5,
        Mark::Caret => 4,
        Mark::Pipe => 3,
        Mark::AndAnd => 2,
        Mark::PipePipe => 1,
        _ => return None,
    })
}

fn boolean(value: bool) -> Constant {
    Constant::Integer { bits: u64::from(value), signed: true }
}

/// Applies a unary operator.
pub(super) fn unary(mark: Mark, operand: Constant) -> Result<Constant, Problem> {
    Ok(match (mark, operand) {
        (Mark::Plus, operand) => operand,
        (Mark::Not, operand) => boolean(integer(operand)? == 0),
        (Mark::Minus, Constant::Integer { bits, signed }) => {
            Constant::Integer { bits: bits.wrapping_neg(), signed }
        }
        (Mark::Minus, Constant::Single(bits)) => Constant::Single(bits ^ 0x8000_0000),
        (Mark::Minus, Constant::Double(value)) => Constant::Double(-value),
        (_, operand) => Constant::Integer { bits: !integer(operand)?, signed: false },
    })
}

/// Applies a binary operator.
pub(super) fn binary(mark: Mark, left: Constant, right: Constant) -> Result<Constant, Problem> {
    match (left, right) {
        (
            Constant::Integer { bits: a, signed: left_signed },
            Constant::Integer { bits: b, signed: right_signed },
        ) => integers(mark, a, b, left_signed, right_signed),
        (Constant::Double(a), Constant::Double(b)) => doubles(mark, a, b),
        (Constant::Single(a), Constant::Single(b)) => {
            doubles(mark, f64::from(f32::from_bits(a)), f64::from(f32::from_bits(b)))
        }
        (Constant::Single(a), Constant::Double(b)) => doubles(mark, f64::from(f32::from_bits(a)), b),
        (Constant::Double(a), Constant::Single(b)) => doubles(mark, a, f64::from(f32::from_bits(b))),
        _ => Err(Problem::Mixture),
    }
}

fn doubles(mark: Mark, a: f64, b: f64) -> Result<Constant, Problem> {
    Ok(match mark {
        Mark::Plus => Constant::Double(a + b),
        Mark::Minus => Constant::Double(a - b),
        Mark::Star => Constant::Double(a * b),
        Mark::Slash => Constant::Double(a / b),
        Mark::Less => boolean(a < b),
        Mark::LessEqual => boolean(a <= b),
        Mark::Greater => boolean(a > b),
        Mark::GreaterEqual => boolean(a >= b),
        Mark::EqualEqual => boolean(a == b),
        Mark::NotEqual => boolean(a != b),
        _ => return Err(Problem::NoInteger),
    })
}

fn integers(mark: Mark, a: u64, b: u64, left_signed: bool, right_signed: bool) -> Result<Constant, Problem> {
    let signed = left_signed && right_signed;
    let integer = |bits: u64| Constant::Integer { bits, signed };
    let compare =
        |ordering: std::cmp::Ordering| if signed { a.cast_signed().cmp(&b.cast_signed()) } else { a.cmp(&b) } == ordering;
    use std::cmp::Ordering::{Equal, Greater, Less};
    Ok(match mark {
        Mark::Plus => integer(a.wrapping_add(b)),
        Mark::Minus => integer(a.wrapping_sub(b)),
        Mark::Star => integer(a.wrapping_mul(b)),
        Mark::Slash | Mark::Percent if b == 0 => return Err(Problem::DivisionByZero),
        Mark::Slash if signed => integer(a.cast_signed().wrapping_div(b.cast_signed()).cast_unsigned()),
        Mark::Slash => integer(a / b),
        Mark::Percent => Constant::Integer { bits: a % b, signed: false },
        // A shift keeps the type of its left operand. Six bits of the right operand count.
        Mark::ShiftLeft => Constant::Integer { bits: a << (b & 63), signed: left_signed },
        Mark::ShiftRight if left_signed => {
            Constant::Integer { bits: (a.cast_signed() >> (b & 63)).cast_unsigned(), signed: true }
        }
        Mark::ShiftRight => Constant::Integer { bits: a >> (b & 63), signed: false },
        Mark::And => integer(a & b),
        Mark::Pipe => integer(a | b),
        Mark::Caret => integer(a ^ b),
        Mark::Less => boolean(compare(Less)),
        Mark::LessEqual => boolean(!compare(Greater)),
        Mark::Greater => boolean(compare(Greater)),
        Mark::GreaterEqual => boolean(!compare(Less)),
        Mark::EqualEqual => boolean(compare(Equal)),
        Mark::NotEqual => boolean(!compare(Equal)),
        Mark::AndAnd => boolean(a != 0 && b != 0),
        Mark::PipePipe => boolean(a != 0 || b != 0),
        _ => return Err(Problem::NoInteger),
    })
}
