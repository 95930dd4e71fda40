//! Two values and those between them (measured: all pairs, with and without a sign).
//!
//! A value has sixteen bits in the end: a sum of shares of the two, and the bits that stand in for those that it lacks,
//! which are those of one of the two. As opacity it has eight, with shares of its own.

/// The share of the second in each value between, and whether that or the first fills the lowest bits.
type Step = (i32, bool);

/// The shares in 256ths, of six values between: first the two themselves.
const SIX: [Step; 8] =
    [(0, false), (256, true), (36, false), (72, false), (112, true), (144, false), (184, true), (220, true)];
/// The same of four.
const FOUR: [Step; 6] = [(0, false), (256, true), (48, false), (96, false), (160, true), (208, true)];

/// The shares of the second in opacity, in 2048ths (measured: 28000 pairs of a pair and a step).
const SIX_OF_OPACITY: [i32; 8] = [0, 2048, 289, 578, 892, 1156, 1470, 1759];
const FOUR_OF_OPACITY: [i32; 6] = [0, 2048, 385, 770, 1278, 1663];

/// What 1 is.
pub(super) const UNSIGNED_ONE: u32 = 0xffff;
pub(super) const SIGNED_ONE: u32 = 0x7fff;

/// The number of a texel's step.
fn step(block: [u8; 8], index: u32) -> usize {
    (u64::from_le_bytes(block) >> (16 + 3 * index) & 7) as usize
}

/// A value of sixteen bits between the two; or `None` if it is one of the two that there are besides four.
fn between([first, second]: [i32; 2], step: usize, fill: impl Fn(i32) -> i32) -> Option<i32> {
    let steps: &[Step] = if first > second { &SIX } else { &FOUR };
    let (share, of_second) = *steps.get(step)?;
    let low = fill(if of_second { second } else { first });
    Some(first * (256 - share) + second * share + low)
}

/// A texel's opacity in 255ths: the nearest, halves up.
pub(super) fn opacity(block: [u8; 8], index: u32) -> u32 {
    let [first, second] = [block[0], block[1]].map(i32::from);
    let step = step(block, index);
    let shares: &[i32] = if first > second { &SIX_OF_OPACITY } else { &FOUR_OF_OPACITY };
    match shares.get(step) {
        Some(share) => ((2048 * first + (second - first) * share + 1024) >> 11).cast_unsigned(),
        None if step == 6 => 0,
        None => 0xff,
    }
}

/// A texel in 65535ths.
pub(super) fn unsigned(block: [u8; 8], index: u32) -> u32 {
    let values = [block[0], block[1]].map(i32::from);
    let step = step(block, index);
    match between(values, step, |value| value) {
        Some(value) => value.cast_unsigned(),
        None if step == 6 => 0,
        None => UNSIGNED_ONE,
    }
}

/// A texel in 32767ths, in two's complement of sixteen bits.
pub(super) fn signed(block: [u8; 8], index: u32) -> u32 {
    // There is one more negative value than there are positive ones; it is as its neighbour.
    let values = [block[0], block[1]].map(|value| i32::from(value.cast_signed()).max(-127));
    let step = step(block, index);
    // Seven bits are repeated: twice each value, and its highest bit.
    let fill = |value: i32| 2 * value + (value / 64).clamp(-1, 1);
    let value = match between(values, step, fill) {
        Some(value) => value,
        None if step == 6 => -0x7fff,
        None => 0x7fff,
    };
    value.cast_unsigned() & 0xffff
}
