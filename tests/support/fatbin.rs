//! Fat binaries with texts in PTX, made without NVIDIA's tools.
//!
//! The format is not documented: drivers were seen to take this one (conformance facts V300 and later). After a header of the
//! whole come pieces, each with a header of its own.

/// The compression of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// As it is.
    Plain,
    /// As compilers up to CUDA 12.3 do, or so: a block of LZ4.
    Lz4,
    /// As newer ones do: a frame of Zstandard.
    Zstd,
}

/// One text.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'text> {
    /// The text, without a NUL.
    pub text: &'text str,
    /// The architecture: 90 for `sm_90`.
    pub target: u32,
    /// The compression.
    pub packing: Packing,
}

impl Piece<'_> {
    fn bytes(&self) -> Vec<u8> {
        let mut plain = self.text.as_bytes().to_vec();
        plain.push(0);
        let (flags, packed) = match self.packing {
            Packing::Plain => (0, None),
            Packing::Lz4 => (0x2000, Some(lz4_flex::block::compress(&plain))),
            Packing::Zstd => {
                let level = ruzstd::encoding::CompressionLevel::Fastest;
                (0x8000, Some(ruzstd::encoding::compress_to_vec(plain.as_slice(), level)))
            }
        };
        let packed_bytes = packed.as_ref().map_or(0, Vec::len);
        let plain_bytes = if packed.is_some() { plain.len() } else { 0 };
        let mut content = packed.unwrap_or(plain);
        content.resize(content.len().next_multiple_of(8), 0);
        // The version in the text's first line.
        let version = self.text.trim_start().strip_prefix(".version ").unwrap_or_default();
        let version = version.split_whitespace().next().and_then(|version| version.split_once('.'));
        let number = |part: &str| part.parse::<u16>().unwrap_or_default();
        let (major, minor) = version.map_or((0, 0), |(major, minor)| (number(major), number(minor)));
        let header = Header {
            version: [minor, major],
            target: self.target,
            flags,
            packed_bytes: packed_bytes as u32,
            plain_bytes: plain_bytes as u64,
        };
        header.piece(&content)
    }
}

/// The header of a text. A hostile image has a header that contradicts the content.
#[derive(Debug, Clone, Copy, Default)]
pub struct Header {
    /// The version of PTX: the minor number, then the major one.
    pub version: [u16; 2],
    /// As in [`Piece`].
    pub target: u32,
    /// 0x2000 for LZ4, 0x8000 for Zstandard.
    pub flags: u64,
    /// The size of a packed text.
    pub packed_bytes: u32,
    /// The size of the text when it is unpacked.
    pub plain_bytes: u64,
}

impl Header {
    fn piece(&self, content: &[u8]) -> Vec<u8> {
        const KIND_PTX: u16 = 1;
        const VERSION: u16 = 0x0101;
        /// With the place of the options that the text was compiled with: drivers crash without.
        const BYTES: u32 = 80;
        const OPTIONS: u32 = 64;
        /// 64 bits, for Linux.
        const USUAL: u64 = 0x11;
        let mut bytes = Vec::new();
        bytes.extend(KIND_PTX.to_le_bytes());
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(BYTES.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(self.packed_bytes.to_le_bytes());
        bytes.extend(OPTIONS.to_le_bytes());
        bytes.extend(self.version.map(u16::to_le_bytes).concat());
        bytes.extend(self.target.to_le_bytes());
        // No name.
        bytes.extend([0; 8]);
        bytes.extend((self.flags | USUAL).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(self.plain_bytes.to_le_bytes());
        // The options: where they are, and that there are none.
        bytes.extend(72_u32.to_le_bytes());
        bytes.resize(BYTES as usize, 0);
        bytes.extend(content);
        bytes
    }

    /// A fat binary of one text with this header.
    pub fn fat_binary(&self, content: &[u8]) -> Vec<u8> {
        whole(&self.piece(content))
    }
}

/// A fat binary of texts.
pub fn fat_binary(pieces: &[Piece<'_>]) -> Vec<u8> {
    whole(&pieces.iter().flat_map(Piece::bytes).collect::<Vec<u8>>())
}

fn whole(pieces: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(0xba55_ed50_u32.to_le_bytes());
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(16_u16.to_le_bytes());
    bytes.extend((pieces.len() as u64).to_le_bytes());
    bytes.extend(pieces);
    bytes
}
