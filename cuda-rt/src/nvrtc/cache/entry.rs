//! Entries of the cache: a file with the compiled program, its inputs, and a digest of the whole.

use super::folder::{Closed, File, Folder};
use super::key::Key;
use crate::nvrtc::{Compiled, Output, Target};
use cuda_sys::nvrtc::Version;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The first bytes of an entry. Another form of entry would have other bytes.
const MAGIC: &[u8] = b"cuda-rt: compiled by NVRTC, 1\n";
const DIGEST: usize = 32;

/// Content of a place in the cache.
pub(super) enum Found {
    Entry(Box<Compiled>),
    /// A file that cannot be used: damaged, writable by others, or not of this program.
    Unusable,
    Nothing,
}

/// Returns the file name of an entry.
fn name(key: Key) -> String {
    let mut name = String::with_capacity(2 * DIGEST);
    for byte in key.0 {
        name += &format!("{byte:02x}");
    }
    name + ".nvrtc"
}

/// Reads an entry.
pub(super) fn read(folder: &Folder, key: Key, target: Target, compiler: Version) -> Found {
    let parsed = match folder.read(&name(key)) {
        File::Content(bytes) => parse(&bytes, key, target, compiler),
        File::Unusable => None,
        File::Nothing => return Found::Nothing,
    };
    parsed.map_or(Found::Unusable, |compiled| Found::Entry(Box::new(compiled)))
}

/// Writes an entry atomically.
pub(super) fn write(folder: &Path, key: Key, compiled: &Compiled) -> Result<(), Closed> {
    Folder::make(folder)?.write(&name(key), &bytes(key, compiled))
}

fn bytes(key: Key, compiled: &Compiled) -> Vec<u8> {
    let mut bytes = [MAGIC, &key.0].concat();
    let number = |bytes: &mut Vec<u8>, number: usize| bytes.extend_from_slice(&(number as u64).to_le_bytes());
    let field = |bytes: &mut Vec<u8>, field: &[u8]| {
        number(bytes, field.len());
        bytes.extend_from_slice(field);
    };
    field(&mut bytes, compiled.code());
    field(&mut bytes, compiled.log().as_bytes());
    field(&mut bytes, &(compiled.lowered().len() as u64).to_le_bytes());
    for (expression, name) in compiled.lowered() {
        field(&mut bytes, expression.as_bytes());
        field(&mut bytes, name.as_bytes());
    }
    for kernel in compiled.kernels() {
        field(&mut bytes, kernel.as_bytes());
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

/// Parses an entry. `None` for anything but the output of [`bytes`].
fn parse(bytes: &[u8], key: Key, target: Target, compiler: Version) -> Option<Compiled> {
    let (content, digest) = bytes.split_at_checked(bytes.len().checked_sub(DIGEST)?)?;
    if Sha256::digest(content).as_slice() != digest {
        return None;
    }
    let mut rest = content.strip_prefix(MAGIC)?.strip_prefix(&key.0)?;
    let code: Box<[u8]> = field(&mut rest)?.into();
    if target.output() == Output::Ptx {
        core::str::from_utf8(&code).ok()?;
    }
    let log = text(&mut rest)?;
    let count = u64::from_le_bytes(field(&mut rest)?.try_into().ok()?);
    let mut lowered = Vec::new();
    for _ in 0..count {
        lowered.push((text(&mut rest)?, text(&mut rest)?));
    }
    let mut kernels = Vec::new();
    while !rest.is_empty() {
        kernels.push(text(&mut rest)?);
    }
    Some(Compiled::new(target, compiler, code, log, lowered.into(), kernels.into()))
}

fn field<'bytes>(rest: &mut &'bytes [u8]) -> Option<&'bytes [u8]> {
    let (len, after) = rest.split_first_chunk()?;
    let (field, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*len)).ok()?)?;
    *rest = after;
    Some(field)
}

fn text(rest: &mut &[u8]) -> Option<Box<str>> {
    core::str::from_utf8(field(rest)?).ok().map(Box::from)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const KEY: Key = Key([7; 32]);
    const TARGET: Target = Target::ptx(crate::device::ComputeCapability::new(8, 0));
    const COMPILER: Version = Version::new(12, 4);

    fn compiled() -> Compiled {
        let lowered = [("add<int>".into(), "_Z3addIiEvPT_".into())];
        let code = Box::from(".version 8.0".as_bytes());
        Compiled::new(TARGET, COMPILER, code, "said".into(), lowered.into(), ["k".into(), "l".into()].into())
    }

    #[test]
    fn an_entry_comes_back() {
        let back = parse(&bytes(KEY, &compiled()), KEY, TARGET, COMPILER).unwrap();
        assert_eq!(back.ptx(), Some(".version 8.0"));
        assert_eq!(back.log(), "said");
        assert_eq!(back.lowered_name("add<int>"), Some("_Z3addIiEvPT_"));
        assert_eq!(back.kernels(), ["k".into(), "l".into()]);
        assert!(parse(&bytes(KEY, &compiled()), Key([8; 32]), TARGET, COMPILER).is_none());
    }

    #[test]
    fn nothing_but_an_entry_is_one() {
        let whole = bytes(KEY, &compiled());
        for len in 0..whole.len() {
            assert!(parse(&whole[..len], KEY, TARGET, COMPILER).is_none(), "{len}");
        }
        for place in 0..whole.len() {
            let mut other = whole.clone();
            other[place] ^= 0x40;
            assert!(parse(&other, KEY, TARGET, COMPILER).is_none(), "{place}");
        }
        // The digest is right, and the rest is wrong.
        let content = &whole[..whole.len() - DIGEST];
        for len in 0..content.len() {
            let mut other = content[..len].to_vec();
            let digest = Sha256::digest(&other);
            other.extend_from_slice(&digest);
            // Kernels are the rest, so whole kernels may be missing.
            if let Some(compiled) = parse(&other, KEY, TARGET, COMPILER) {
                assert!(compiled.kernels().len() < 2, "{len}");
            }
            let mut longer = content[..len].to_vec();
            longer.extend_from_slice(&[0xff; 8]);
            let digest = Sha256::digest(&longer);
            longer.extend_from_slice(&digest);
            assert!(parse(&longer, KEY, TARGET, COMPILER).is_none(), "{len}");
        }
    }
}
