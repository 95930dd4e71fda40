//! The library exports the symbols of the driver of its release, and nothing else.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]
#![cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]

mod library;

use std::collections::BTreeSet;

/// Exports of real drivers: one column for each, headed by its release, its version and its architecture.
const REAL: &str = include_str!("../../conformance/exports.tsv");

/// Returns the exports of a Linux driver of the release, according to the table of symbols.
fn of_release(release: u32) -> BTreeSet<String> {
    let table = include_str!("../../generator/symbols.tsv");
    let rows = table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| {
        let since: u32 = row[7].strip_prefix("linux ").unwrap_or(row[1]).parse().unwrap();
        let aarch64 = row[7] != "aarch64-linux" || cfg!(target_arch = "aarch64");
        since <= release && aarch64 && row[7] != "windows"
    })
    .map(|row| row[0].to_owned())
    .collect()
}

#[test]
fn exports_are_those_of_the_release() {
    let release: u32 = env!("EXPORTED_RELEASE").parse().unwrap();
    let expected = of_release(release);
    let exported = exported(&std::fs::read(library::path()).unwrap());
    let missing: Vec<_> = expected.difference(&exported).collect();
    let surplus: Vec<_> = exported.difference(&expected).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, too much {surplus:?}");
}

/// The exports equal those of the real driver of the release, if one was examined.
#[test]
fn exports_are_those_of_the_real_driver() {
    let release = env!("EXPORTED_RELEASE");
    let mut lines = REAL.lines();
    let heads: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let architecture = if cfg!(target_arch = "aarch64") { "aarch64" } else { "x86-64" };
    let wanted = |head: &&str| head.starts_with(release) && head.ends_with(architecture);
    let Some(column) = heads.iter().position(wanted) else {
        cuda_suite::skip!("no driver for {release} was looked at");
    };
    let rows = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    let real: BTreeSet<String> = rows.filter(|row| row[column] == "x").map(|row| row[0].to_owned()).collect();
    assert_eq!(exported(&std::fs::read(library::path()).unwrap()), real);
}

#[test]
fn the_library_is_named_as_the_driver_is() {
    let bytes = std::fs::read(library::path()).unwrap();
    let file = Elf { bytes: &bytes };
    let dynamic = file.section(DYNAMIC);
    let names = file.linked(&dynamic);
    let entries = file.content(&dynamic).chunks_exact(16);
    let name =
        entries.filter(|entry| number(&entry[..8]) == 14).map(|entry| text(names, number(&entry[8..])));
    assert_eq!(name.collect::<Vec<_>>(), ["libcuda.so.1"]);
}

/// `src/lib.rs` promises this for a build with this glibc.
#[test]
fn portable_library_needs_glibc_2_17_at_most() {
    let Some(path) = std::env::var_os("CUDA_SIM_PORTABLE") else {
        cuda_suite::skip!("CUDA_SIM_PORTABLE names no library that cargo-zigbuild built for glibc 2.17");
    };
    let needed = needed_versions(&std::fs::read(&path).unwrap());
    let glibc = needed.iter().filter_map(|version| version.strip_prefix("GLIBC_"));
    let release = |text: &str| text.split('.').map(|part| part.parse().unwrap()).collect::<Vec<u32>>();
    let newest = glibc.map(release).max().unwrap();
    assert!(newest.as_slice() <= [2, 17].as_slice(), "{needed:?}");
    // SAFETY: the library behaves as the driver does.
    let driver = unsafe { cuda_sys::Driver::open(&path) }.unwrap();
    assert!(driver.version().is_some());
}

const DYNAMIC: u64 = 6;
const DYNAMIC_SYMBOLS: u64 = 11;
const NEEDED_VERSIONS: u64 = 0x6fff_fffe;

/// A 64-bit ELF file with the least significant byte first.
struct Elf<'bytes> {
    bytes: &'bytes [u8],
}

struct Section {
    link: usize,
    offset: usize,
    size: usize,
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn text(strings: &[u8], offset: u64) -> String {
    let bytes = &strings[offset as usize..];
    let end = bytes.iter().position(|byte| *byte == 0).unwrap();
    String::from_utf8(bytes[..end].to_vec()).unwrap()
}

impl<'bytes> Elf<'bytes> {
    fn header(&self, index: usize) -> &'bytes [u8] {
        let first = number(&self.bytes[0x28..0x30]) as usize;
        &self.bytes[first + index * 64..][..64]
    }

    fn at(&self, index: usize) -> Section {
        let header = self.header(index);
        let field = |start: usize, size: usize| number(&header[start..start + size]) as usize;
        Section { link: field(0x28, 4), offset: field(0x18, 8), size: field(0x20, 8) }
    }

    fn section(&self, kind: u64) -> Section {
        let count = number(&self.bytes[0x3c..0x3e]) as usize;
        let found = (0..count).find(|index| number(&self.header(*index)[4..8]) == kind);
        self.at(found.unwrap())
    }

    fn content(&self, section: &Section) -> &'bytes [u8] {
        &self.bytes[section.offset..][..section.size]
    }

    fn linked(&self, section: &Section) -> &'bytes [u8] {
        self.content(&self.at(section.link))
    }
}

/// Returns the dynamic symbols that the file defines for others. Local symbols stand for sections.
fn exported(bytes: &[u8]) -> BTreeSet<String> {
    let file = Elf { bytes };
    assert_eq!(&bytes[..6], b"\x7fELF\x02\x01");
    let symbols = file.section(DYNAMIC_SYMBOLS);
    let names = file.linked(&symbols);
    let symbols = file.content(&symbols).chunks_exact(24);
    let defined = symbols.filter(|symbol| symbol[4] >> 4 != 0 && number(&symbol[6..8]) != 0);
    defined.map(|symbol| text(names, number(&symbol[..4]))).collect()
}

/// Returns the symbol versions that the file needs from other libraries.
fn needed_versions(bytes: &[u8]) -> BTreeSet<String> {
    let file = Elf { bytes };
    let section = file.section(NEEDED_VERSIONS);
    let (names, content) = (file.linked(&section), file.content(&section));
    let field = |offset: usize| number(&content[offset..offset + 4]) as usize;
    // A list of libraries, each with a list of versions. In both, the distance to the next entry is at offset 12.
    let entries = |first: usize| {
        std::iter::successors(Some(first), move |entry| match field(entry + 12) {
            0 => None,
            distance => Some(entry + distance),
        })
    };
    let versions = entries(0).flat_map(|library| entries(library + field(library + 8)));
    versions.map(|version| text(names, field(version + 8) as u64)).collect()
}
