//! Decompression of blocks of four by four texels.
//!
//! The formats BC1 to BC5 leave the rounding of interpolated values open. Their colours and gradients therefore follow
//! the hardware. BC6H and BC7 leave nothing open.

mod colour;
mod gradient;
mod modes;

use super::texel::Raw;
use crate::texture::Codec;

/// Returns the channels of a texel of a block, in the codec's format. A codec of eight bytes uses the first half of
/// `block`. Channels that the codec lacks are 0, and the last is 1.
pub(super) fn texel(codec: Codec, block: [u8; 16], at: [u32; 2]) -> Raw {
    let [x, y] = at.map(|at| at % 4);
    let index = 4 * y + x;
    let [first, second] = halves(block);
    match codec {
        Codec::Bc1 => colour::texel(first, index, true),
        Codec::Bc2 => {
            let [red, green, blue, _] = colour::texel(second, index, false);
            let alpha = u64::from_le_bytes(first) >> (4 * index) & 0xf;
            [red, green, blue, alpha as u32 * 17]
        }
        Codec::Bc3 => {
            let [red, green, blue, _] = colour::texel(second, index, false);
            [red, green, blue, gradient::opacity(first, index)]
        }
        Codec::Bc4 { signed: false } => [gradient::unsigned(first, index), 0, 0, gradient::UNSIGNED_ONE],
        Codec::Bc4 { signed: true } => [gradient::signed(first, index), 0, 0, gradient::SIGNED_ONE],
        Codec::Bc5 { signed: false } => {
            let [red, green] = [first, second].map(|half| gradient::unsigned(half, index));
            [red, green, 0, gradient::UNSIGNED_ONE]
        }
        Codec::Bc5 { signed: true } => {
            let [red, green] = [first, second].map(|half| gradient::signed(half, index));
            [red, green, 0, gradient::SIGNED_ONE]
        }
        Codec::Bc6h { signed } => modes::halves(block, index, signed),
        Codec::Bc7 => modes::bytes(block, index),
    }
}

fn halves(block: [u8; 16]) -> [[u8; 8]; 2] {
    let bits = u128::from_le_bytes(block);
    [(bits as u64).to_le_bytes(), ((bits >> 64) as u64).to_le_bytes()]
}
