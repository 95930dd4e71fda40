//! Checks of binary images, before the driver gets their address.
//!
//! The driver receives an address without a length, and reads as far as the image's own headers say. On a truncated image, it
//! reads beyond the end and may crash. Therefore all parts that the headers name must be inside the image. The checks do not
//! read the content of the parts. The driver reads and trusts it.
//!
//! `cubin_parameters` reads the offsets and sizes of a kernel's parameters, for drivers that do not list them.

use crate::error::{Error, Result};
use crate::module::image_hints::{FIRST_BYTES, MACHINE, instead_of_field};
use crate::module::{JitTarget, ParameterInfo};
use core::fmt::Display;
use core::ops::Range;
use std::borrow::Cow;

/// The first bytes of an ELF file.
pub(super) const ELF: [u8; 4] = *b"\x7fELF";
/// The first bytes of a fat binary.
pub(super) const FATBIN: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();

/// Kind of an image, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Compiled code: an ELF file.
    Cubin,
    /// Fat binary: several cubins, or PTX, or both.
    Fatbin,
    /// PTX, or bytes in no known format.
    Text,
}

impl Kind {
    pub(crate) fn of(image: &[u8]) -> Kind {
        match image.first_chunk() {
            Some(&ELF) => Kind::Cubin,
            Some(&FATBIN) => Kind::Fatbin,
            _ => Kind::Text,
        }
    }
}

/// Returns the image aligned as C expects its headers: at a multiple of 8 bytes.
pub(crate) fn aligned(image: &[u8]) -> Cow<'_, [u64]> {
    match bytemuck::try_cast_slice(image) {
        Ok(words) => Cow::Borrowed(words),
        Err(_) => {
            let mut words = vec![0_u64; image.len().div_ceil(8)];
            bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..image.len()].copy_from_slice(image);
            Cow::Owned(words)
        }
    }
}

/// A cursor over little-endian numbers.
#[derive(Clone, Copy)]
struct Bytes<'image>(&'image [u8]);

impl Bytes<'_> {
    fn number<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..)?.first_chunk().copied()
    }

    fn u16(self, at: usize) -> Option<u16> {
        self.number(at).map(u16::from_le_bytes)
    }

    fn u32(self, at: usize) -> Option<u32> {
        self.number(at).map(u32::from_le_bytes)
    }

    fn u64(self, at: usize) -> Option<u64> {
        self.number(at).map(u64::from_le_bytes)
    }
}

/// Refuses a part that does not end within the image. Returns the end.
fn inside(part: impl Display, start: u64, bytes: u64, len: usize) -> Result<usize> {
    let end = start.saturating_add(bytes);
    match usize::try_from(end) {
        Ok(found) if found <= len => Ok(found),
        _ => Err(Error::invalid(
            "image",
            format_args!(
                "not whole: {part} ends at byte {end}, where there are {len} bytes; it was cut or damaged, read all of the file again"
            ),
        )),
    }
}

fn expect(field: &'static str, found: u64, expected: u64) -> Result<()> {
    match found == expected {
        true => Ok(()),
        false => {
            let instead = instead_of_field(field, found);
            Err(Error::invalid(
                "image",
                format_args!(
                    "not of the expected form: {field} is {found:#x}, and must be {expected:#x}{instead}"
                ),
            ))
        }
    }
}

/// Refuses an image that does not begin with `with`. A truncated image gets an error about truncation.
fn begins(bytes: Bytes<'_>, with: [u8; 4]) -> Result<()> {
    match bytes.u32(0) {
        Some(found) => expect(FIRST_BYTES, found.into(), u32::from_le_bytes(with).into()),
        None => Ok(()),
    }
}

/// Parts of an ELF file that are checked.
struct Elf<'image> {
    bytes: Bytes<'image>,
    sections: Table,
    segments: Table,
    /// Index of the section with the names of sections.
    names: usize,
}

struct Table {
    at: usize,
    count: usize,
}

const HEADER: usize = 64;
const SECTION: usize = 64;
const SEGMENT: usize = 56;
pub(super) const MACHINE_CUDA: u16 = 190;
/// Sections of these kinds have no bytes in the file.
const SECTION_NULL: u32 = 0;
const SECTION_NOBITS: u32 = 8;

impl<'image> Elf<'image> {
    fn read(image: &'image [u8]) -> Result<Elf<'image>> {
        let bytes = Bytes(image);
        begins(bytes, ELF)?;
        inside("the ELF header", 0, HEADER as u64, image.len())?;
        let field = |value: Option<u64>| value.unwrap_or_default();
        let byte = |at: usize| field(image.get(at).map(|byte| u64::from(*byte)));
        let short = |at: usize| field(bytes.u16(at).map(u64::from));
        expect("the class of the ELF file", byte(4), 2)?;
        expect("the byte order of the ELF file", byte(5), 1)?;
        expect("the version of the ELF file", byte(6), 1)?;
        expect(MACHINE, short(18), MACHINE_CUDA.into())?;
        expect("the size of the ELF header", short(52), HEADER as u64)?;
        // If a table is too long for the numbers of the header, the first section has its length.
        let start = bytes.u64(40).unwrap_or_default();
        let first = match start {
            0 => None,
            _ => Some(inside("the section table", start, SECTION as u64, image.len())? - SECTION),
        };
        let long = |at: usize| first.and_then(|first| bytes.u64(first + at)).unwrap_or_default();
        let sections = match short(60) {
            0 => long(32),
            count => count,
        };
        let segments = match short(56) {
            0xffff => long(44) & 0xffff_ffff,
            count => count,
        };
        let names = match short(62) {
            0xffff => long(40) & 0xffff_ffff,
            index => index,
        };
        let table = |part: &str, start: u64, count: u64, entry: u64, entry_bytes: usize| -> Result<Table> {
            if count == 0 {
                return Ok(Table { at: 0, count: 0 });
            }
            expect("the size of an entry of an ELF table", entry, entry_bytes as u64)?;
            let size = count.saturating_mul(entry_bytes as u64);
            let end = inside(part, start, size, image.len())?;
            // An end inside the image fits a `usize`.
            let (size, count) = (size as usize, count as usize);
            Ok(Table { at: end - size, count })
        };
        let sections = table("the section table", start, sections, short(58), SECTION)?;
        let start = bytes.u64(32).unwrap_or_default();
        let segments = table("the segment table", start, segments, short(54), SEGMENT)?;
        if names >= sections.count as u64 {
            return Err(Error::invalid(
                "image",
                format_args!(
                    "not whole: the section of names has index {names}, where there are {} sections; it was cut or damaged, read \
                     all of the file again",
                    sections.count
                ),
            ));
        }
        Ok(Elf { bytes, sections, segments, names: names as usize })
    }

    fn check(&self) -> Result<()> {
        let len = self.bytes.0.len();
        let part = |part: &str, index: usize, start: usize, bytes: usize| {
            let (start, bytes) = (self.bytes.u64(start), self.bytes.u64(bytes));
            let (start, bytes) = (start.unwrap_or_default(), bytes.unwrap_or_default());
            inside(format_args!("{part} {index}"), start, bytes, len)
        };
        for index in 0..self.sections.count {
            let at = self.sections.at + index * SECTION;
            if !matches!(self.bytes.u32(at + 4), Some(SECTION_NULL | SECTION_NOBITS)) {
                part("section", index, at + 24, at + 32)?;
            }
        }
        for index in 0..self.segments.count {
            let at = self.segments.at + index * SEGMENT;
            part("segment", index, at + 8, at + 32)?;
        }
        Ok(())
    }
}

/// Checks that a cubin contains the parts that its header and its tables name.
pub(crate) fn check_cubin(image: &[u8]) -> Result<()> {
    Elf::read(image)?.check()
}

/// Returns the target of a cubin, if its header has a known form.
pub(crate) fn cubin_target(image: &[u8]) -> Option<JitTarget> {
    let elf = Elf::read(image).ok()?;
    let flags = elf.bytes.u32(48)?;
    // Seen in the output of compilers of CUDA 11.8 and of 13.0 to 13.5.
    match elf.bytes.0.get(8)? {
        7 => Some(JitTarget::new(flags & 0xff)),
        8 => Some(JitTarget::new(flags >> 8 & 0xff)),
        _ => None,
    }
}

/// Attributes of the table of a kernel, `.nv.info.<name>`, as `ptxas` of CUDA 12.9 and 13.5 writes them.
mod attribute {
    /// A parameter: a number, its ordinal, its offset, and its size in the high 14 bits of the last word.
    pub(super) const PARAMETER: u8 = 0x17;
    /// The same for kernels with more than 4 KiB of parameters. The size has 16 bits.
    pub(super) const LARGE_PARAMETER: u8 = 0x45;
    /// The number of bytes of all parameters. A kernel without parameters does not have it.
    pub(super) const PARAMETER_BYTES: u8 = 0x19;
    /// The format of attributes with a length. Attributes of other formats have four bytes.
    pub(super) const SIZED: u8 = 4;
}

impl<'image> Elf<'image> {
    /// Returns the bytes of a section.
    fn section(&self, index: usize) -> Option<&'image [u8]> {
        let at = self.sections.at + index * SECTION;
        let (start, bytes) = (self.bytes.u64(at + 24)?, self.bytes.u64(at + 32)?);
        let start = usize::try_from(start).ok()?;
        self.bytes.0.get(start..start.checked_add(usize::try_from(bytes).ok()?)?)
    }

    /// Returns the name of a section.
    fn section_name(&self, index: usize) -> Option<&'image str> {
        let at = self.bytes.u32(self.sections.at + index * SECTION)?;
        let name = self.section(self.names)?.get(usize::try_from(at).ok()?..)?;
        core::str::from_utf8(name.split(|byte| *byte == 0).next()?).ok()
    }
}

/// Returns the parameters of a kernel, from the table that the compiler writes to a cubin. `None` if there is no table, or if its
/// form is unknown.
pub(super) fn cubin_parameters(image: &[u8], kernel: &str) -> Option<Vec<ParameterInfo>> {
    let elf = Elf::read(image).ok()?;
    let is_table = |index: &usize| {
        let name = elf.section_name(*index).and_then(|name| name.strip_prefix(".nv.info."));
        name.is_some_and(|name| name == kernel)
    };
    let table = elf.section((0..elf.sections.count).find(is_table)?)?;
    parameters_of(Bytes(table))
}

/// Reads the table of a kernel.
fn parameters_of(table: Bytes<'_>) -> Option<Vec<ParameterInfo>> {
    // A place for each ordinal, without a parameter so far.
    let (mut parameters, mut all_bytes) = (Vec::new(), 0_usize);
    let mut at = 0_usize;
    while at < table.0.len() {
        let [format, number] = table.number::<2>(at)?;
        let value = table.u16(at + 2)?;
        match number {
            attribute::PARAMETER | attribute::LARGE_PARAMETER => {
                let ordinal = usize::from(table.u16(at + 8)?);
                let offset = table.u16(at + 10)?.into();
                let size = match number {
                    attribute::PARAMETER => table.u32(at + 12)? >> 18,
                    _ => table.u16(at + 12)?.into(),
                };
                if parameters.len() <= ordinal {
                    parameters.resize(ordinal + 1, None);
                }
                let parameter = ParameterInfo { offset, size: usize::try_from(size).ok()? };
                if parameters.get_mut(ordinal)?.replace(parameter).is_some() {
                    return None;
                }
            }
            attribute::PARAMETER_BYTES => all_bytes = value.into(),
            _ => {}
        }
        at += match format {
            attribute::SIZED => 4 + usize::from(value),
            _ => 4,
        };
    }
    let parameters: Vec<ParameterInfo> = parameters.into_iter().collect::<Option<_>>()?;
    let end = parameters.last().map_or(0, |last| last.offset + last.size);
    (end == all_bytes).then_some(parameters)
}

const FAT_HEADER: usize = 16;
const FAT_ENTRY: usize = 64;
const FAT_ELF: u16 = 2;
/// Flags of a compressed entry, for the two kinds of compression.
const FAT_COMPRESSED: u64 = 0x2000 | 0x8000;

/// Header of an entry of a fat binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FatEntry {
    /// True for PTX; otherwise the entry is a cubin, or of an unknown kind.
    pub(crate) is_ptx: bool,
    pub(crate) target: JitTarget,
    /// Range of the code. `None` if the code is compressed.
    pub(crate) payload: Option<Range<usize>>,
}

/// Checks that a fat binary contains the parts that its headers name, and the same for its uncompressed cubins. Bytes after the
/// fat binary are not checked.
pub(crate) fn check_fatbin(image: &[u8]) -> Result<()> {
    fat_entries(image).map(|_| ())
}

/// Returns the entries of a fat binary.
pub(crate) fn fat_entries(image: &[u8]) -> Result<Vec<FatEntry>> {
    let bytes = Bytes(image);
    begins(bytes, FATBIN)?;
    inside("the header of the fat binary", 0, FAT_HEADER as u64, image.len())?;
    expect("the version of the fat binary", bytes.u16(4).unwrap_or_default().into(), 1)?;
    expect("the size of the header of the fat binary", bytes.u16(6).unwrap_or_default().into(), 16)?;
    let end = inside("the fat binary", 16, bytes.u64(8).unwrap_or_default(), image.len())?;
    let (mut entries, mut at) = (Vec::new(), FAT_HEADER);
    while at < end {
        let index = entries.len();
        inside(format_args!("the header of entry {index}"), at as u64, FAT_ENTRY as u64, end)?;
        let header = u64::from(bytes.u32(at + 4).unwrap_or_default()).max(FAT_ENTRY as u64);
        let payload = inside(format_args!("the header of entry {index}"), at as u64, header, end)?;
        let padded = bytes.u64(at + 8).unwrap_or_default();
        let next = inside(format_args!("entry {index}"), payload as u64, padded, end)?;
        let (kind, flags) = (bytes.u16(at), bytes.u64(at + 40).unwrap_or_default());
        let compressed = flags & FAT_COMPRESSED != 0;
        let packed = u64::from(bytes.u32(at + 16).unwrap_or_default());
        inside(format_args!("compressed data of entry {index}"), payload as u64, packed, next)?;
        if kind == Some(FAT_ELF) && !compressed {
            check_cubin(image.get(payload..next).unwrap_or_default())?;
        }
        let target = JitTarget::new(bytes.u32(at + 28).unwrap_or_default());
        let payload = (!compressed).then_some(payload..next);
        entries.push(FatEntry { is_ptx: kind == Some(1), target, payload });
        at = next;
    }
    Ok(entries)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::module::image_hints::instead_of_field;
    use crate::random::cases;

    /// Returns a cubin with a section of names, one of 8 bytes, one without, and a segment.
    fn cubin(sm: u32) -> Vec<u8> {
        let mut bytes = vec![0_u8; 64];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, b"\x7fELF\x02\x01\x01\x41\x08");
        put(16, &2_u16.to_le_bytes());
        put(18, &MACHINE_CUDA.to_le_bytes());
        put(32, &(64 + 16_u64).to_le_bytes()); // segments
        put(40, &(64 + 16 + 56_u64).to_le_bytes()); // sections
        put(48, &(sm << 8 | 0x0600_0004).to_le_bytes());
        for (at, value) in [(52, 64_u16), (54, 56), (56, 1), (58, 64), (60, 4), (62, 1)] {
            put(at, &value.to_le_bytes());
        }
        bytes.extend([0_u8; 16]); // the sections' bytes
        let mut segment = [0_u8; 56];
        segment[8..16].copy_from_slice(&64_u64.to_le_bytes());
        segment[32..40].copy_from_slice(&16_u64.to_le_bytes());
        bytes.extend(segment);
        for (kind, at, size) in [(0_u32, 0_u64, 0_u64), (3, 64, 8), (1, 72, 8), (8, 1 << 40, 1 << 40)] {
            let mut section = [0_u8; 64];
            section[4..8].copy_from_slice(&kind.to_le_bytes());
            section[24..32].copy_from_slice(&at.to_le_bytes());
            section[32..40].copy_from_slice(&size.to_le_bytes());
            bytes.extend(section);
        }
        bytes
    }

    fn entry(kind: u16, sm: u32, flags: u64, payload: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0_u8; 64];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, &kind.to_le_bytes());
        put(2, &0x101_u16.to_le_bytes());
        put(4, &64_u32.to_le_bytes());
        put(8, &(payload.len() as u64).to_le_bytes());
        put(28, &sm.to_le_bytes());
        put(40, &flags.to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    fn fatbin(entries: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = [FATBIN.as_slice(), &1_u16.to_le_bytes(), &16_u16.to_le_bytes()].concat();
        bytes.extend((entries.concat().len() as u64).to_le_bytes());
        bytes.extend(entries.concat());
        bytes
    }

    fn refusal(result: Result<()>) -> String {
        match result {
            Err(error) if error.kind() == ErrorKind::InvalidArgument => error.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn whole_images_are_taken() {
        let cubin = cubin(90);
        check_cubin(&cubin).unwrap();
        assert_eq!(cubin_target(&cubin), Some(JitTarget::new(90)));
        let mut older = cubin.clone();
        older[7..9].copy_from_slice(&[0x33, 7]);
        older[48..52].copy_from_slice(&0x5a_055a_u32.to_le_bytes());
        assert_eq!(cubin_target(&older), Some(JitTarget::new(90)));
        let fat = fatbin(&[entry(2, 90, 0x11, &cubin), entry(1, 75, 0x11, b".version 6.4\0\0\0\0")]);
        let found: Vec<_> =
            fat_entries(&fat).unwrap().iter().map(|entry| (entry.is_ptx, entry.target.0)).collect();
        assert_eq!(found, [(false, 90), (true, 75)]);
        // Compressed entries are not checked.
        check_fatbin(&fatbin(&[entry(2, 90, 0x8011, b"anything")])).unwrap();
        check_fatbin(&fatbin(&[])).unwrap();
        assert_eq!(Kind::of(&cubin), Kind::Cubin);
        assert_eq!(Kind::of(&fat), Kind::Fatbin);
        assert_eq!(Kind::of(b""), Kind::Text);
    }

    /// The last bytes of the cubin are the section table, so every truncation is found.
    #[test]
    fn every_cut_is_refused() {
        let cubin = cubin(90);
        for len in 0..cubin.len() {
            assert!(refusal(check_cubin(&cubin[..len])).starts_with("image: not whole: "), "{len}");
        }
        let fat = fatbin(&[entry(2, 90, 0x11, &cubin), entry(1, 75, 0x11, b".version 6.4")]);
        for len in 0..fat.len() {
            assert!(refusal(check_fatbin(&fat[..len])).starts_with("image: not whole: "), "{len}");
        }
    }

    #[test]
    fn a_refusal_names_what_lies_outside() {
        let whole = cubin(90);
        let with = |at: usize, value: &[u8]| {
            let mut bytes = whole.clone();
            bytes[at..at + value.len()].copy_from_slice(value);
            refusal(check_cubin(&bytes))
        };
        let (segments, sections, len) = (80, 136, whole.len());
        let outside = |part: &str, end: u64, len: usize| {
            format!(
                "image: not whole: {part} ends at byte {end}, where there are {len} bytes; it was cut or damaged, read all of \
                 the file again"
            )
        };
        assert_eq!(with(40, &u64::MAX.to_le_bytes()), outside("the section table", u64::MAX, len));
        assert_eq!(with(60, &9_u16.to_le_bytes()), outside("the section table", 136 + 9 * 64, len));
        assert_eq!(with(32, &400_u64.to_le_bytes()), outside("the segment table", 456, len));
        assert_eq!(with(sections + 2 * 64 + 32, &900_u64.to_le_bytes()), outside("section 2", 972, len));
        assert_eq!(with(sections + 64 + 24, &u64::MAX.to_le_bytes()), outside("section 1", u64::MAX, len));
        assert_eq!(with(segments + 32, &1000_u64.to_le_bytes()), outside("segment 0", 1064, len));
        let names = "image: not whole: the section of names has index 4, where there are 4 sections;";
        assert!(with(62, &4_u16.to_le_bytes()).starts_with(names));
        let field = |what: &str, expected: u64, found: u64| {
            format!(
                "image: not of the expected form: {what} is {found:#x}, and must be {expected:#x}{}",
                instead_of_field(what, found)
            )
        };
        assert_eq!(with(4, &[1]), field("the class of the ELF file", 2, 1));
        assert_eq!(with(5, &[2]), field("the byte order of the ELF file", 1, 2));
        assert_eq!(with(18, &62_u16.to_le_bytes()), field("the machine of the ELF file", 190, 62));
        assert_eq!(with(58, &0_u16.to_le_bytes()), field("the size of an entry of an ELF table", 64, 0));
        assert_eq!(with(0, b"!<ar"), field("the first 4 bytes", 0x464c_457f, 0x7261_3c21));
        // A structure with a pointer to a fat binary, which C++ programs have.
        let wrapper = [0x4662_43b1_u32.to_le_bytes(), 1_u32.to_le_bytes(), [0; 4], [0; 4]].concat();
        assert_eq!(refusal(check_fatbin(&wrapper)), field("the first 4 bytes", 0xba55_ed50, 0x4662_43b1));
        let cut = fatbin(&[entry(2, 90, 0x11, &whole[..100])]);
        assert_eq!(refusal(check_fatbin(&cut)), outside("the section table", 200, 100));
    }

    #[test]
    fn images_of_any_bytes_are_checked_without_panic() {
        cases(|random| {
            let fat = fatbin(&[entry(2, 90, 0x11, &cubin(90)), entry(1, 75, 0x11, b".version 6.4")]);
            let mut bytes = if random.next() % 2 == 0 { fat } else { cubin(90) };
            for _ in 0..random.within(0..12) {
                let at = random.within(0..bytes.len());
                bytes[at] = random.next() as u8;
            }
            bytes.truncate(random.within(0..bytes.len() + 64));
            let _ = (check_cubin(&bytes), check_fatbin(&bytes), cubin_target(&bytes));
        });
    }

    #[test]
    fn images_at_any_address_are_aligned() {
        cases(|random| {
            let bytes = random.bytes(0..100);
            let part = bytes.get(random.within(0..8)..).unwrap_or_default();
            let words = aligned(part);
            assert!(words.as_ptr().is_aligned());
            assert_eq!(&bytemuck::cast_slice::<u64, u8>(&words)[..part.len()], part);
        });
    }
}
