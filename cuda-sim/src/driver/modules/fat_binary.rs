//! Fat binaries: code for several devices in one image. Entries with PTX can run here.
//!
//! NVIDIA does not document the format. This description is based on the output of its tools, and on the answers of
//! drivers to constructed images (conformance facts V300 and on).

use crate::driver::Answer;
use cuda_sys::CUresult;

/// First bytes of a fat binary.
pub(crate) const MAGIC: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();
/// First bytes of the description that compilers put into programs, which has the address of a fat binary.
pub(crate) const DESCRIPTION: [u8; 4] = 0x4662_43b1_u32.to_le_bytes();
/// Size of the header of the whole.
pub(crate) const HEADER: usize = 16;
/// Only version of the format that drivers accept.
const VERSION: u16 = 1;
/// Least size of the header of an entry.
const PIECE: usize = 64;
/// Least size of the header of a PTX entry, which contains the compiler's options. Drivers crash on shorter ones
/// (measured). A compiler of CUDA 11 wrote this size, and later ones write 80 bytes.
const TEXT: usize = 72;

/// Kinds of entries.
const PTX: u16 = 1;
const MACHINE: u16 = 2;

/// Compression of an entry.
const LZ4: u64 = 0x2000;
const ZSTD: u64 = 0x8000;

/// Largest size of a text.
const MOST: u64 = 1 << 30;

/// Fat binary.
pub(crate) struct FatBinary {
    pieces: Vec<Piece>,
}

/// Entry of a fat binary.
struct Piece {
    kind: u16,
    /// Compute capability: 90 for 9.0.
    capability: u32,
    flags: u64,
    /// Size of the compressed content in bytes.
    compressed: u32,
    /// Size of the decompressed content.
    plain: u64,
    content: Box<[u8]>,
}

/// Reason why there is no code for a device.
pub(crate) struct Refusal {
    pub(crate) code: CUresult,
    /// Text for the log.
    pub(crate) log: &'static str,
}

impl From<CUresult> for Refusal {
    fn from(code: CUresult) -> Refusal {
        Refusal { code, log: "" }
    }
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    number(bytes, at).map(u16::from_le_bytes)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    number(bytes, at).map(u32::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    number(bytes, at).map(u64::from_le_bytes)
}

/// Returns the size of the whole, according to its header.
pub(crate) fn size(header: &[u8]) -> Option<usize> {
    let (own, rest) = (short(header, 6)?, long(header, 8)?);
    usize::try_from(rest).ok()?.checked_add(own.into()).filter(|size| *size <= isize::MAX as usize)
}

/// Returns the compute capability of machine code, according to the header of its ELF file: 90 for 9.0.
pub(crate) fn capability_of(elf: &[u8]) -> Option<u32> {
    const MACHINE_CUDA: u16 = 190;
    let flags = word(elf, 0x30).filter(|_| short(elf, 0x12) == Some(MACHINE_CUDA))?;
    // Newer files have the number in another field.
    Some(if *elf.get(8)? >= 8 { flags >> 8 & 0xff } else { flags & 0xff })
}

/// Returns the refusal of machine code, which cannot run here. Code for other devices is refused as on hardware.
pub(crate) fn refuse_machine_code(machine: Option<u32>, device: u32) -> CUresult {
    match machine {
        None => CUresult::CUDA_ERROR_INVALID_IMAGE,
        // The same generation, and not newer.
        Some(machine) if machine / 10 == device / 10 && machine <= device => {
            crate::console::say("machine code cannot run on the software driver: CUDA_ERROR_NOT_SUPPORTED");
            CUresult::CUDA_ERROR_NOT_SUPPORTED
        }
        Some(_) => CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU,
    }
}

impl FatBinary {
    /// # Errors
    ///
    /// `INVALID_IMAGE` if the size does not match the header.
    pub(crate) fn new(bytes: &[u8]) -> Answer<FatBinary> {
        let mut fat = FatBinary { pieces: Vec::new() };
        let whole = size(bytes).and_then(|size| bytes.get(..size));
        let whole = whole.ok_or(CUresult::CUDA_ERROR_INVALID_IMAGE)?;
        let mut rest = short(whole, 6).and_then(|own| whole.get(own.into()..)).unwrap_or_default();
        if short(whole, 4) != Some(VERSION) {
            return Err(CUresult::CUDA_ERROR_INVALID_IMAGE);
        }
        while !rest.is_empty() {
            let (piece, end) = Piece::read(rest).ok_or(CUresult::CUDA_ERROR_INVALID_IMAGE)?;
            fat.pieces.push(piece);
            rest = rest.get(end..).unwrap_or_default();
        }
        Ok(fat)
    }

    /// Returns the text for a device of compute capability `device` (90 for 9.0): the text for the newest device that
    /// is not newer.
    pub(crate) fn choose(&self, device: u32) -> Result<Vec<u8>, Refusal> {
        let texts = self.pieces.iter().filter(|piece| piece.kind == PTX && piece.capability <= device);
        // The first of several texts for the same device is used.
        if let Some(text) = texts.rev().max_by_key(|piece| piece.capability) {
            return text.plain();
        }
        let machine = self.pieces.iter().filter(|piece| piece.kind == MACHINE);
        let refusals = machine.map(|piece| refuse_machine_code(Some(piece.capability), device));
        let most = refusals.max_by_key(|code| *code == CUresult::CUDA_ERROR_NOT_SUPPORTED);
        Err(most.unwrap_or(CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU).into())
    }
}

impl Piece {
    /// Returns the entry that begins here, and its end.
    fn read(bytes: &[u8]) -> Option<(Piece, usize)> {
        let kind = short(bytes, 0)?;
        let least = if kind == PTX { TEXT } else { PIECE };
        let header = usize::try_from(word(bytes, 4)?).ok().filter(|header| *header >= least)?;
        let content: usize = long(bytes, 8)?.try_into().ok()?;
        let end = header.checked_add(content)?;
        let piece = Piece {
            kind,
            capability: word(bytes, 28)?,
            flags: long(bytes, 40)?,
            compressed: word(bytes, 16)?,
            plain: long(bytes, 56)?,
            content: bytes.get(header..end)?.into(),
        };
        Some((piece, end))
    }

    /// Returns the decompressed content.
    fn plain(&self) -> Result<Vec<u8>, Refusal> {
        // Measured for one of the two compressions; drivers crash with the other.
        let wrong = || Refusal { code: CUresult::CUDA_ERROR_UNKNOWN, log: "error   : Uncompress failed" };
        let compressed = || {
            let size = usize::try_from(self.compressed).ok()?;
            self.content.get(..size)
        };
        let size = || usize::try_from(self.plain).ok().filter(|_| self.plain <= MOST);
        if self.flags & ZSTD != 0 {
            let (compressed, size) = compressed().zip(size()).ok_or_else(wrong)?;
            unpack_zstd(compressed, size).ok_or_else(wrong)
        } else if self.flags & LZ4 != 0 {
            let (compressed, size) = compressed().zip(size()).ok_or_else(wrong)?;
            let plain = lz4_flex::block::decompress(compressed, size).map_err(|_| wrong())?;
            if plain.len() == size { Ok(plain) } else { Err(wrong()) }
        } else {
            Ok(self.content.to_vec())
        }
    }
}

fn unpack_zstd(compressed: &[u8], size: usize) -> Option<Vec<u8>> {
    use std::io::Read as _;
    let decoder = ruzstd::decoding::StreamingDecoder::new(compressed).ok()?;
    let mut plain = Vec::new();
    decoder.take(size as u64).read_to_end(&mut plain).ok()?;
    (plain.len() == size).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Builds a fat binary with one text for 5.0.
    fn fat(flags: u64, compressed: u32, plain: u64, content: &[u8]) -> Vec<u8> {
        fat_with_header(TEXT, flags, compressed, plain, content)
    }

    fn fat_with_header(header: usize, flags: u64, compressed: u32, plain: u64, content: &[u8]) -> Vec<u8> {
        let mut piece = Vec::new();
        piece.extend(PTX.to_le_bytes());
        piece.extend(0x0101_u16.to_le_bytes());
        piece.extend((header as u32).to_le_bytes());
        piece.extend((content.len() as u64).to_le_bytes());
        piece.extend(compressed.to_le_bytes());
        piece.extend([0; 8]);
        piece.extend(50_u32.to_le_bytes());
        piece.extend([0; 8]);
        piece.extend(flags.to_le_bytes());
        piece.extend([0; 8]);
        piece.extend(plain.to_le_bytes());
        piece.resize(header, 0);
        piece.extend(content);
        let mut whole = MAGIC.to_vec();
        whole.extend(VERSION.to_le_bytes());
        whole.extend((HEADER as u16).to_le_bytes());
        whole.extend((piece.len() as u64).to_le_bytes());
        whole.extend(piece);
        whole
    }

    fn choose(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        FatBinary::new(bytes).map_err(Refusal::from)?.choose(90)
    }

    #[test]
    fn a_text_comes_out() {
        assert!(choose(&fat(0x11, 0, 0, b"text")).is_ok_and(|text| text == b"text"));
        let refused = |bytes: &[u8], code| assert!(choose(bytes).is_err_and(|refusal| refusal.code == code));
        refused(&fat(0x11 | ZSTD, 4, 4, b"text"), CUresult::CUDA_ERROR_UNKNOWN);
        refused(&fat(0x11 | LZ4, 5, 4, b"text"), CUresult::CUDA_ERROR_UNKNOWN);
        refused(&fat(0x11 | LZ4, 4, u64::MAX, b"text"), CUresult::CUDA_ERROR_UNKNOWN);
        // A block of LZ4 with uncompressed bytes.
        assert!(choose(&fat(0x11 | LZ4, 5, 4, b"\x40text")).is_ok_and(|text| text == b"text"));
        refused(&fat(0x11 | LZ4, 5, 3, b"\x40text"), CUresult::CUDA_ERROR_UNKNOWN);
    }

    #[test]
    fn headers_of_old_and_new_compilers_are_read() {
        let loaded = |header| choose(&fat_with_header(header, 0x11, 0, 0, b"text"));
        for header in [72, 80, 88] {
            assert!(loaded(header).is_ok_and(|text| text == b"text"), "{header}");
        }
        assert!(loaded(64).is_err_and(|refusal| refusal.code == CUresult::CUDA_ERROR_INVALID_IMAGE));
    }

    proptest! {
        #[test]
        fn whatever_is_given_is_read_or_refused(
            flags in prop::sample::select(vec![0x11, 0x11 | LZ4, 0x11 | ZSTD]),
            compressed in 0_u32..80,
            plain in 0_u64..200,
            content in prop::collection::vec(any::<u8>(), 0..64),
            at in 0_usize..200,
            value in any::<u8>(),
            end in 0_usize..200,
        ) {
            let mut bytes = fat(flags, compressed, plain, &content);
            let _ = choose(&bytes);
            if let Some(place) = bytes.get_mut(at) {
                *place = value;
            }
            let _ = choose(&bytes);
            bytes.truncate(end);
            let _ = choose(&bytes);
        }
    }
}
