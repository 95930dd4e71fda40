//! Video instructions, lane by lane. The steps are those of the PTX manual, with the deviations of driver 580's
//! compiler (conformance facts P8 and P9). That compiler replaces these instructions by ordinary ones.

use super::registers::{Registers, lanes};
use crate::op::{NONE, Part, Relation, Second, Video, VideoLanes, VideoMultiply, VideoOperation};

/// Returns a part of a word as a number.
fn select(word: u32, part: Part, signed: bool) -> i64 {
    let (start, bits) = (u32::from(part.start), u32::from(part.bits));
    let top = u64::from(word) >> start << (64 - bits);
    if signed { top.cast_signed() >> (64 - bits) } else { (top >> (64 - bits)).cast_signed() }
}

/// Clamps a number to an integer type.
fn clamp(value: i64, bits: u8, signed: bool) -> i64 {
    if signed {
        value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        value.clamp(0, (1 << bits) - 1)
    }
}

fn apply(operation: VideoOperation, a: i64, b: i64) -> i64 {
    // The amount of a shift is unsigned, and at most 32.
    let amount = |wrap: bool| if wrap { b & 31 } else { b.clamp(0, 32) };
    match operation {
        VideoOperation::Add => a + b,
        VideoOperation::Subtract => a - b,
        VideoOperation::AbsoluteDifference => (a - b).abs(),
        VideoOperation::Minimum => a.min(b),
        VideoOperation::Maximum => a.max(b),
        VideoOperation::Average => (a + b + i64::from(a + b >= 0)) >> 1,
        VideoOperation::ShiftLeft { wrap } => a.wrapping_shl(amount(wrap) as u32),
        VideoOperation::ShiftRight { wrap } => a >> amount(wrap),
        VideoOperation::Set(relation) => i64::from(match relation {
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::Less => a < b,
            Relation::LessEqual => a <= b,
            Relation::Greater => a > b,
            _ => a >= b,
        }),
    }
}

/// Returns the low word of a number, as a signed number.
fn low(value: i64) -> i64 {
    i64::from((value as u32).cast_signed())
}

/// Saturates a result that becomes a whole word.
fn saturated(value: i64, operation: VideoOperation, signed: bool) -> i64 {
    match operation {
        // A left shift leaves 34 bits, including the sign at the top.
        VideoOperation::ShiftLeft { .. } => clamp(value << 30 >> 30, 32, signed),
        _ if signed => clamp(value, 32, true),
        // Values that are too large are not detected: their low word remains.
        _ => value.max(0),
    }
}

/// Saturates a result that becomes a part of a word. Negative values count as too large.
fn saturated_part(value: i64, bits: u8, signed: bool) -> i64 {
    let largest = (1 << (bits - u8::from(signed))) - 1;
    if value < 0 { largest } else { value.min(largest) }
}

/// Returns the value of a result in the comparison with the third operand.
fn compared(value: i64, video: &Video) -> i64 {
    match video.operation {
        VideoOperation::Add | VideoOperation::Subtract => low(value),
        VideoOperation::ShiftLeft { wrap: true } if video.saturate && !video.signed[0] => low(value),
        _ => value,
    }
}

pub(super) fn one(r: &mut Registers, mask: u32, video: &Video) {
    let [signed, signed_a, signed_b] = video.signed;
    // A comparison has no type of its own, and uses that of the first source.
    let signed = if matches!(video.operation, VideoOperation::Set(_)) { signed_a } else { signed };
    for lane in lanes(mask) {
        let a = select(r.word(video.a, lane), video.parts[0], signed_a);
        let b = select(r.word(video.b, lane), video.parts[1], signed_b);
        let c = if video.c == NONE { 0 } else { r.word(video.c, lane) };
        let mut value = apply(video.operation, a, b);
        if video.saturate {
            value = match video.second {
                Second::Merge(part) => saturated_part(value, part.bits, signed),
                _ => saturated(value, video.operation, signed),
            };
        }
        let other = if signed { i64::from(c.cast_signed()) } else { i64::from(c) };
        // Unsigned comparisons have 64 bits: a negative number is larger than any word.
        let own = compared(value, video);
        let less = if signed { own < other } else { own.cast_unsigned() < other.cast_unsigned() };
        let result = match video.second {
            Second::Nothing => value as u32,
            Second::Add => (value as u32).wrapping_add(c),
            Second::Minimum if less => own as u32,
            Second::Minimum => c,
            Second::Maximum if less => c,
            Second::Maximum => own as u32,
            // The upper half of a word receives the upper half of the result.
            Second::Merge(Part { start: 16, bits: 16 }) => value as u32 & 0xffff_0000 | c & 0xffff,
            Second::Merge(part) => {
                let keep = u32::MAX >> (32 - u32::from(part.bits)) << part.start;
                (value as u32) << part.start & keep | c & !keep
            }
        };
        r.set_word(video.d, lane, result);
    }
}

pub(super) fn several(r: &mut Registers, mask: u32, video: &VideoLanes) {
    let [signed, signed_a, signed_b] = video.signed;
    let bits = video.bits;
    let keep = u32::MAX >> (32 - u32::from(bits));
    for lane in lanes(mask) {
        let (a, b, c) = (r.word(video.a, lane), r.word(video.b, lane), r.word(video.c, lane));
        let both = u64::from(b) << 32 | u64::from(a);
        let taken = |index: u8, signed| {
            let word = (both >> (u32::from(index) * u32::from(bits))) as u32 & keep;
            select(word, Part { start: 0, bits }, signed)
        };
        let (mut sum, mut merged) = (c, c);
        for index in 0..32 / bits {
            if video.mask >> index & 1 == 0 {
                continue;
            }
            let [first, second] = video.selectors.map(|selector| selector[usize::from(index)]);
            let mut value = apply(video.operation, taken(first, signed_a), taken(second, signed_b));
            if video.saturate {
                value = clamp(value, bits, signed);
            }
            sum = sum.wrapping_add(value as u32);
            let shift = u32::from(index) * u32::from(bits);
            merged = merged & !(keep << shift) | (value as u32 & keep) << shift;
        }
        r.set_word(video.d, lane, if video.accumulate { sum } else { merged });
    }
}

pub(super) fn multiply(r: &mut Registers, mask: u32, video: &VideoMultiply) {
    let [signed_a, signed_b] = video.signed;
    let signed = signed_a || signed_b || video.negate_product || video.negate_addend;
    // Whole words count as signed, whatever their type.
    let source = |word, part: Part, signed| select(word, part, signed || part == Part::WHOLE);
    for lane in lanes(mask) {
        let a = source(r.word(video.a, lane), video.parts[0], signed_a);
        let b = source(r.word(video.b, lane), video.parts[1], signed_b);
        let mut product = a * b;
        let mut addend = i64::from(r.word(video.c, lane).cast_signed());
        if video.negate_product {
            product = -product;
        } else if video.negate_addend {
            addend = -addend;
        }
        let value = product + addend + i64::from(video.plus_one);
        let value =
            if signed { value >> video.shift } else { (value.cast_unsigned() >> video.shift).cast_signed() };
        let value = if video.saturate { clamp(value, 32, signed) } else { value };
        r.set_word(video.d, lane, value as u32);
    }
}
