//! Interpolation between two colours.

use crate::engine::texel::Raw;

/// Expands a channel of five bits to eight.
fn five(value: i32) -> i32 {
    value << 3 | value >> 2
}

/// Expands a channel of six bits to eight.
fn six(value: i32) -> i32 {
    value << 2 | value >> 4
}

/// Position of a colour between two others.
#[derive(Clone, Copy)]
enum Between {
    First,
    Second,
    /// One third of the way from the first, or from the second.
    NearFirst,
    NearSecond,
    Half,
}

/// Interpolates two channels of five bits (measured: all pairs).
fn narrow(between: Between, [first, second]: [i32; 2]) -> i32 {
    match between {
        Between::First => five(first),
        Between::Second => five(second),
        Between::NearFirst => (2 * first + second) * 22 / 8,
        Between::NearSecond => (first + 2 * second) * 22 / 8,
        Between::Half => (first + second) * 33 / 8,
    }
}

/// Interpolates two channels of six bits (measured: all pairs).
fn wide(between: Between, pair: [i32; 2]) -> i32 {
    let [first, second] = pair.map(six);
    // Negative values are rounded down.
    let along = |from: i32, to: i32, share: i32| {
        let way = to - from;
        (256 * from + (way >> 2) + 128 + way * share) >> 8
    };
    match between {
        Between::First => first,
        Between::Second => second,
        Between::NearFirst => along(first, second, 80),
        Between::NearSecond => along(second, first, 80),
        Between::Half => along(first, second, 128),
    }
}

/// Returns red, green, blue and opacity of a texel, in 255ths. If `choice`, the order of the two colours selects the
/// mode: two intermediate colours, or one intermediate colour and a transparent texel.
pub(super) fn texel(block: [u8; 8], index: u32, choice: bool) -> Raw {
    let [a, b, c, d, indices @ ..] = block;
    let colours = [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])];
    let two = !choice || colours[0] > colours[1];
    let between = match (u32::from_le_bytes(indices) >> (2 * index) & 3, two) {
        (0, _) => Between::First,
        (1, _) => Between::Second,
        (2, true) => Between::NearFirst,
        (2, false) => Between::Half,
        (_, true) => Between::NearSecond,
        (_, false) => return [0; 4],
    };
    let channel = |shift: u32, mask: u16| colours.map(|colour| i32::from(colour >> shift & mask));
    let red = narrow(between, channel(11, 0x1f));
    let green = wide(between, channel(5, 0x3f));
    let blue = narrow(between, channel(0, 0x1f));
    [red.cast_unsigned(), green.cast_unsigned(), blue.cast_unsigned(), 0xff]
}
