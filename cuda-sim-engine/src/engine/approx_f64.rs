//! Double-precision approximations of 20 bits. They ignore the lower half of the operand, and the lower half of the
//! result is zero. Subnormal numbers count as zeros.

use super::registers::Registers;
use crate::op::Slot;

const UPPER: u64 = 0xffff_ffff_0000_0000;

fn flushed(value: f64) -> f64 {
    if value.is_subnormal() { 0f64.copysign(value) } else { value }
}

/// Computes a reciprocal, or the reciprocal of the square root if `root`.
pub(super) fn approximate(r: &mut Registers, mask: u32, root: bool, d: Slot, a: Slot) {
    r.map1(mask, d, a, |a: f64| {
        if a.is_nan() {
            return f64::from_bits(0x7fff_ffff_0000_0000);
        }
        let a = flushed(f64::from_bits(a.to_bits() & UPPER));
        let exact = if root && a != 0.0 { 1.0 / a.sqrt() } else { 1.0 / a };
        if exact.is_nan() {
            return f64::from_bits(0x7fff_ffff_0000_0000);
        }
        // Rounds to nearest. A carry moves into the exponent.
        let rounded =
            if exact.is_infinite() { exact } else { f64::from_bits((exact.to_bits() + (1 << 31)) & UPPER) };
        flushed(rounded)
    });
}
