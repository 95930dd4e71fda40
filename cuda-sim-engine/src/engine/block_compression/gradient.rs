//! Interpolation between two values (measured: all pairs, signed and unsigned).
//!
//! A result has sixteen bits: a weighted sum of the two values, plus low bits taken from one of the two. As opacity, it
//! has eight bits, with weights of its own.

/// Weight of the second value, and whether the second value supplies the low bits. Otherwise the first does.
type Step = (i32, bool);

/// Weights in 256ths for the two values and six intermediate ones.
const SIX: [Step; 8] =
    [(0, false), (256, true), (36, false), (72, false), (112, true), (144, false), (184, true), (220, true)];
/// Weights in 256ths for the two values and four intermediate ones.
const FOUR: [Step; 6] = [(0, false), (256, true), (48, false), (96, false), (160, true), (208, true)];

/// Weights of the second value in opacity, in 2048ths (measured: 28000 combinations of a pair and a step).
const SIX_OF_OPACITY: [i32; 8] = [0, 2048, 289, 578, 892, 1156, 1470, 1759];
const FOUR_OF_OPACITY: [i32; 6] = [0, 2048, 385, 770, 1278, 1663];

/// Representation of 1.
pub(super) const UNSIGNED_ONE: u32 = 0xffff;
pub(super) const SIGNED_ONE: u32 = 0x7fff;

/// Returns the step number of a texel.
fn step(block: [u8; 8], index: u32) -> usize {
    (u64::from_le_bytes(block) >> (16 + 3 * index) & 7) as usize
}

/// Returns a value of sixteen bits between the two. Returns `None` for the two constant steps beside four intermediate
/// values.
fn between([first, second]: [i32; 2], step: usize, fill: impl Fn(i32) -> i32) -> Option<i32> {
    let steps: &[Step] = if first > second { &SIX } else { &FOUR };
    let (share, of_second) = *steps.get(step)?;
    let low = fill(if of_second { second } else { first });
    Some(first * (256 - share) + second * share + low)
}

/// Returns the opacity of a texel in 255ths, rounded to nearest, halves up.
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

/// Returns a texel in 65535ths.
pub(super) fn unsigned(block: [u8; 8], index: u32) -> u32 {
    let values = [block[0], block[1]].map(i32::from);
    let step = step(block, index);
    match between(values, step, |value| value) {
        Some(value) => value.cast_unsigned(),
        None if step == 6 => 0,
        None => UNSIGNED_ONE,
    }
}

/// Returns a texel in 32767ths, in two's complement of sixteen bits.
pub(super) fn signed(block: [u8; 8], index: u32) -> u32 {
    // The least negative value has no positive counterpart, so it counts as its neighbour.
    let values = [block[0], block[1]].map(|value| i32::from(value.cast_signed()).max(-127));
    let step = step(block, index);
    // Seven bits are repeated: twice each value, plus its highest bit.
    let fill = |value: i32| 2 * value + (value / 64).clamp(-1, 1);
    let value = match between(values, step, fill) {
        Some(value) => value,
        None if step == 6 => -0x7fff,
        None => 0x7fff,
    };
    value.cast_unsigned() & 0xffff
}
