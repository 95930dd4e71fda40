//! Bit fields, permutations, dot products, carries.

use super::registers::{Registers, lanes};
use crate::op::{IntegerKind, PermuteMode, Slot};

/// Returns the position and length of a field. The 32-bit forms use only the low eight
/// bits of each. The 64-bit forms use all 32 bits (measured; the PTX manual states eight for both).
fn place(bits: u32, position: u32, length: u32) -> (u32, u32) {
    if bits == 32 { (position & 0xff, length & 0xff) } else { (position, length) }
}

/// Implements `bfe`. Result bits above the field are zero, or copies of the field's top bit.
#[inline(never)]
pub(super) fn field(r: &mut Registers, mask: u32, kind: IntegerKind, d: Slot, s: [Slot; 3]) {
    fn unsigned(value: u64, bits: u32, position: u32, length: u32) -> u64 {
        let (position, length) = place(bits, position, length);
        let shifted = if position < bits { value >> position } else { 0 };
        if length < bits { shifted & ((1 << length) - 1) } else { shifted }
    }
    fn signed(value: u64, bits: u32, position: u32, length: u32) -> u64 {
        let (start, length) = place(bits, position, length);
        if length == 0 {
            return 0;
        }
        let last = start.saturating_add(length - 1).min(bits - 1);
        let sign = value >> last & 1 != 0;
        let field = unsigned(value, bits, start, length);
        let width = (last + 1).saturating_sub(start);
        let fill = if width < 64 { u64::MAX << width } else { 0 };
        if sign { field | fill } else { field & !fill }
    }
    match kind {
        IntegerKind::U32 | IntegerKind::U16 => {
            r.map3(mask, d, s, |a: u32, b: u32, c: u32| unsigned(u64::from(a), 32, b, c) as u32);
        }
        IntegerKind::S32 | IntegerKind::S16 => {
            r.map3(mask, d, s, |a: u32, b: u32, c: u32| signed(u64::from(a), 32, b, c) as u32);
        }
        IntegerKind::U64 => r.map3(mask, d, s, |a: u64, b: u32, c: u32| unsigned(a, 64, b, c)),
        IntegerKind::S64 => r.map3(mask, d, s, |a: u64, b: u32, c: u32| signed(a, 64, b, c)),
    }
}

/// Implements `bfi`: inserts `a` into `b` at position `c` with length `e`.
#[inline(never)]
pub(super) fn insert(r: &mut Registers, mask: u32, wide: bool, d: Slot, [a, b, c, e]: [Slot; 4]) {
    fn insert(a: u64, b: u64, bits: u32, position: u32, length: u32) -> u64 {
        let (position, length) = place(bits, position, length);
        if position >= bits || length == 0 {
            return b;
        }
        let field = if length < 64 { (1u64 << length) - 1 } else { u64::MAX };
        let place = field << position;
        b & !place | a << position & place
    }
    for lane in lanes(mask) {
        let (position, length) = (r.word(c, lane), r.word(e, lane));
        if wide {
            let value = insert(r.long(a, lane), r.long(b, lane), 64, position, length);
            r.set_long(d, lane, value);
        } else {
            let (a, b) = (u64::from(r.word(a, lane)), u64::from(r.word(b, lane)));
            r.set_word(d, lane, insert(a, b, 32, position, length) as u32);
        }
    }
}

/// Implements `shf`: takes 32 bits of 64. `s[1]` is the upper half.
#[inline(never)]
pub(super) fn funnel(r: &mut Registers, mask: u32, left: bool, wrap: bool, d: Slot, s: [Slot; 3]) {
    r.map3(mask, d, s, |low: u32, high: u32, amount: u32| {
        let amount = if wrap { amount & 31 } else { amount.min(32) };
        let both = u64::from(high) << 32 | u64::from(low);
        if left { (both << amount >> 32) as u32 } else { (both >> amount) as u32 }
    });
}

/// Implements `prmt`: bytes of `a` and `b`, selected by `c`.
#[inline(never)]
pub(super) fn permute(r: &mut Registers, mask: u32, mode: PermuteMode, d: Slot, s: [Slot; 3]) {
    if mode == PermuteMode::Generic {
        return r.map3(mask, d, s, |a: u32, b: u32, c: u32| {
            let both = u64::from(b) << 32 | u64::from(a);
            let byte = |index: u32| {
                let selector = c >> (4 * index) & 0xf;
                let byte = (both >> (selector % 8 * 8)) as u32 & 0xff;
                // The upper bit of a selector replaces the byte by eight copies of its sign.
                let sign = (byte >> 7).wrapping_neg() & 0xff;
                (if selector & 8 == 0 { byte } else { sign }) << (8 * index)
            };
            byte(0) | byte(1) | byte(2) | byte(3)
        });
    }
    r.map3(mask, d, s, |a: u32, b: u32, c: u32| {
        let bytes = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
        let n = (c & 3) as usize;
        let chosen: [u8; 4] = std::array::from_fn(|index| match mode {
            // The generic mode is handled above.
            PermuteMode::Generic | PermuteMode::ForwardFour => bytes[n + index],
            PermuteMode::BackwardFour => bytes[(n + 8 - index) % 8],
            PermuteMode::ReplicateEight => bytes[n],
            PermuteMode::EdgeLeft => bytes[n.max(index)],
            PermuteMode::EdgeRight => bytes[n.min(index)],
            PermuteMode::ReplicateSixteen => bytes[(c & 1) as usize * 2 + index % 2],
        });
        u32::from_le_bytes(chosen)
    });
}

/// Implements `lop3`: each bit of the result is an entry of a table of eight.
#[inline(never)]
pub(super) fn logic3(r: &mut Registers, mask: u32, table: u8, d: Slot, s: [Slot; 3]) {
    // Each entry of the table as a mask, all ones if the entry is one.
    let [e0, e1, e2, e3, e4, e5, e6, e7] =
        std::array::from_fn(|entry| u32::from(table >> entry & 1).wrapping_neg());
    r.map3(mask, d, s, |a: u32, b: u32, c: u32| {
        let without_a = (e0 & !c | e1 & c) & !b | (e2 & !c | e3 & c) & b;
        let with_a = (e4 & !c | e5 & c) & !b | (e6 & !c | e7 & c) & b;
        without_a & !a | with_a & a
    });
}

/// Implements `bmsk`: `b` ones, starting at bit `a`.
#[inline(never)]
pub(super) fn mask_of(r: &mut Registers, mask: u32, wrap: bool, d: Slot, s: [Slot; 2]) {
    r.map2(mask, d, s, |a: u32, b: u32| {
        let (start, length) = if wrap { (a & 31, b & 31) } else { (a.min(32), b.min(32)) };
        let ones = (1u64 << length) - 1;
        (ones << start) as u32
    });
}

/// Implements `szext`: extends the low `b` bits of `a`.
#[inline(never)]
pub(super) fn size_extend(r: &mut Registers, mask: u32, signed: bool, wrap: bool, d: Slot, s: [Slot; 2]) {
    r.map2(mask, d, s, |a: u32, b: u32| {
        let length = if wrap { b & 31 } else { b.min(32) };
        match length {
            0 => 0,
            32 => a,
            _ if signed => ((a << (32 - length)).cast_signed() >> (32 - length)).cast_unsigned(),
            _ => a & ((1 << length) - 1),
        }
    });
}

/// Operand layout of `dp4a` and `dp2a`.
#[derive(Debug, Clone, Copy)]
pub(super) struct DotShape {
    pub(super) bytes: bool,
    pub(super) high: bool,
    pub(super) signed_a: bool,
    pub(super) signed_b: bool,
}

#[inline(never)]
pub(super) fn dot(r: &mut Registers, mask: u32, shape: DotShape, d: Slot, s: [Slot; 3]) {
    let part = |value: u32, index: u32, bits: u32, signed: bool| -> i64 {
        let shifted = value << (32 - bits * (index + 1));
        let shift = 32 - bits;
        if signed { i64::from(shifted.cast_signed() >> shift) } else { i64::from(shifted >> shift) }
    };
    r.map3(mask, d, s, |a: u32, b: u32, c: u32| {
        let mut sum = 0i64;
        let (count, bits, first) = if shape.bytes { (4, 8, 0) } else { (2, 16, 2 * u32::from(shape.high)) };
        for index in 0..count {
            sum += part(a, index, bits, shape.signed_a) * part(b, first + index, 8, shape.signed_b);
        }
        c.wrapping_add(sum as u32)
    });
}

/// Adds or subtracts with carry. Returns the lanes that carry out. A difference is the sum with the complement, so the
/// flag means that no borrow occurred. Additions and subtractions read each other's flag (measured).
#[inline(never)]
pub(super) fn carry(
    r: &mut Registers,
    mask: u32,
    wide: bool,
    subtract: bool,
    d: Slot,
    [a, b]: [Slot; 2],
    carry_in: u32,
) -> u32 {
    let mut out = 0;
    for lane in lanes(mask) {
        let carry = carry_in >> lane & 1;
        let carries = if wide {
            let b = if subtract { !r.long(b, lane) } else { r.long(b, lane) };
            let sum = u128::from(r.long(a, lane)) + u128::from(b) + u128::from(carry);
            r.set_long(d, lane, sum as u64);
            sum >> 64 != 0
        } else {
            let b = if subtract { !r.word(b, lane) } else { r.word(b, lane) };
            let sum = u64::from(r.word(a, lane)) + u64::from(b) + u64::from(carry);
            r.set_word(d, lane, sum as u32);
            sum >> 32 != 0
        };
        out |= u32::from(carries) << lane;
    }
    out
}
