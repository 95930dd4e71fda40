//! The library exports what the driver of its release exports, and nothing else.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]

mod library;

use cuda_sys::Symbol;
use std::collections::BTreeSet;

/// What the real driver 580 exports, whose release is CUDA 13.0.
const REAL: &str = include_str!("exports-13.0.txt");

/// First versions whose arguments are those of the second.
const FIRST: &[&str] = &[
    "cuCtxDestroy",
    "cuCtxPopCurrent",
    "cuCtxPushCurrent",
    "cuEventDestroy",
    "cuLinkAddData",
    "cuLinkAddFile",
    "cuLinkCreate",
    "cuMemHostRegister",
    "cuStreamDestroy",
];

/// All functions that are bound, those first versions, and their twins, each with the release that introduced it.
fn known() -> Vec<(u32, String)> {
    macro_rules! twins {
        ($([since $since:literal] fn $twin:ident of $function:ident($($arguments:tt)*);)*) => {
            [$(($since, stringify!($twin).to_owned())),*]
        };
    }
    let functions = Symbol::all().map(|symbol| (symbol.since().0.cast_unsigned(), symbol.name().to_owned()));
    let first = FIRST.iter().map(|name| (0, (*name).to_owned()));
    functions.chain(cuda_sim::for_each_twin!(twins)).chain(first).collect()
}

#[test]
fn exports_are_those_of_the_release() {
    let release: u32 = env!("EXPORTED_RELEASE").parse().unwrap();
    let expected: BTreeSet<String> =
        known().into_iter().filter(|(since, _)| *since <= release).map(|(_, name)| name).collect();
    let exported = exported(&std::fs::read(library::path()).unwrap());
    let missing: Vec<_> = expected.difference(&exported).collect();
    let surplus: Vec<_> = exported.difference(&expected).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, too much {surplus:?}");
}

#[test]
fn the_real_driver_agrees_with_the_releases() {
    let real: BTreeSet<&str> = REAL.lines().collect();
    for (since, name) in known() {
        assert_eq!(real.contains(name.as_str()), since <= 13_000, "{name}, since {since}");
    }
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

const DYNAMIC: u64 = 6;
const DYNAMIC_SYMBOLS: u64 = 11;

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

/// The dynamic symbols that are defined in the file.
fn exported(bytes: &[u8]) -> BTreeSet<String> {
    let file = Elf { bytes };
    assert_eq!(&bytes[..6], b"\x7fELF\x02\x01");
    let symbols = file.section(DYNAMIC_SYMBOLS);
    let names = file.linked(&symbols);
    let defined = file.content(&symbols).chunks_exact(24).filter(|symbol| number(&symbol[6..8]) != 0);
    defined.map(|symbol| text(names, number(&symbol[..4]))).collect()
}
