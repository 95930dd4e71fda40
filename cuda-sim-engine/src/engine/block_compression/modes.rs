//! Codecs whose blocks have modes. A well-known decoder agrees with hardware to the bit (measured: 16384 blocks of each
//! kind, of all modes).

use crate::engine::texel::Raw;

/// Returns a texel of BC6H, as halves.
pub(super) fn halves(block: [u8; 16], index: u32, signed: bool) -> Raw {
    const ONE: u32 = 0x3c00;
    let mut texels = [0_u16; 48];
    bcdec_rs::bc6h_half(&block, &mut texels, 12, signed);
    let channels = texels.as_chunks::<3>().0.get(index as usize).copied().unwrap_or_default();
    let [red, green, blue] = channels.map(u32::from);
    [red, green, blue, ONE]
}

/// Returns a texel of BC7, in 255ths.
pub(super) fn bytes(block: [u8; 16], index: u32) -> Raw {
    let mut texels = [0_u8; 64];
    bcdec_rs::bc7(&block, &mut texels, 16);
    texels.as_chunks::<4>().0.get(index as usize).copied().unwrap_or_default().map(u32::from)
}
