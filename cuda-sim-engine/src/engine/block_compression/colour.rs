//! Two colours and those between them.

use crate::engine::texel::Raw;

/// A channel of five bits as one of eight.
fn five(value: i32) -> i32 {
    value << 3 | value >> 2
}

/// A channel of six bits as one of eight.
fn six(value: i32) -> i32 {
    value << 2 | value >> 4
}

/// Where a colour lies between the two.
#[derive(Clone, Copy)]
enum Between {
    First,
    Second,
    /// A third of the way from the first, or from the second.
    NearFirst,
    NearSecond,
    Half,
}

/// Between two channels of five bits (measured: all pairs).
fn narrow(between: Between, [first, second]: [i32; 2]) -> i32 {
    match between {
        Between::First => five(first),
        Between::Second => five(second),
        Between::NearFirst => (2 * first + second) * 22 / 8,
        Between::NearSecond => (first + 2 * second) * 22 / 8,
        Between::Half => (first + second) * 33 / 8,
    }
}

/// Between two channels of six bits (measured: all pairs).
fn wide(between: Between, pair: [i32; 2]) -> i32 {
    let [first, second] = pair.map(six);
    // What is below zero is rounded down.
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

/// Red, green, blue and opacity of a texel, in 255ths. Where there is a choice, the order of the two colours says
/// whether there are two between them, or one and a texel that is nothing.
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
