//! Key of a compilation: a digest of all its inputs.

use super::files::{FILES, Stamp};
use super::{Uncached, includes};
use crate::nvrtc::Program;
use crate::nvrtc::program::Text;
use cuda_sys::nvrtc::{Library, Symbol, Version};
use sha2::{Digest, Sha256};
use std::sync::OnceLock;
use std::time::SystemTime;

/// Digest of all inputs of a compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::nvrtc) struct Key(pub(super) [u8; 32]);

/// Fields, each after its length, so that fields cannot run into each other.
struct Fields(Sha256);

impl Fields {
    fn add(&mut self, field: &[u8]) {
        self.0.update((field.len() as u64).to_le_bytes());
        self.0.update(field);
    }
}

/// Returns the key of a program, and the stamps of its files. An error says why there is no key.
pub(super) fn make(
    program: &Program,
    text: &Text,
    library: &Library,
    compiler: Version,
) -> Result<(Key, Vec<Option<Stamp>>), Uncached> {
    if program.options.is_debug() {
        return Err(Uncached::Debug);
    }
    if let Some(option) = program.options.reaching_out() {
        return Err(Uncached::Option(option.into()));
    }
    let mut fields = Fields(Sha256::new());
    fields.add(b"cuda-rt: compiled by NVRTC, 3");
    fields.add(format!("{compiler} {}", build(library)).as_bytes());
    // The options include the target.
    text.each(|part| fields.add(part));
    if program.options.has_line_info() {
        // The compiler records the paths of files.
        let folder = std::env::current_dir().unwrap_or_default();
        fields.add(folder.as_os_str().as_encoded_bytes());
    }
    fields.add(b"files");
    let followed = includes::follow(program, &FILES, SystemTime::now(), |part| fields.add(part));
    if let Some(name) = followed.clock {
        return Err(Uncached::Clock(name.into()));
    }
    match followed.unclear {
        Some(text) if !program.trusts_includes => Err(Uncached::Include(text.into())),
        _ => Ok((Key(fields.0.finalize().into()), followed.stamps)),
    }
}

/// Returns a text that distinguishes two builds of one release: size and age of the library's file, if they are available.
fn build(library: &Library) -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    if let Some(known) = BUILD.get() {
        return known;
    }
    // Outside of the cell: in the child of a fork meanwhile, the cell would be locked forever.
    let found = {
        let address = library.address(Symbol::nvrtcVersion).map_or(0, |address| address.as_ptr().addr());
        file_at(address)
            .and_then(|path| std::fs::metadata(path).ok())
            .and_then(|file| Some(format!("{} {:?}", file.len(), file.modified().ok()?)))
            .unwrap_or_default()
    };
    BUILD.get_or_init(|| found)
}

/// Returns the file that is mapped at an address.
fn file_at(address: usize) -> Option<String> {
    // Under Wine the file exists, and belongs to another process.
    if cfg!(windows) {
        return None;
    }
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let number = |text| usize::from_str_radix(text, 16).ok();
        range
            .and_then(|(start, end)| Some(number(start)? <= address && address < number(end)?))
            .unwrap_or(false)
    })?;
    line.find('/').and_then(|start| line.get(start..)).map(str::to_owned)
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_of_a_file() {
        let address = (file_at as fn(usize) -> Option<String>) as usize;
        let file = std::fs::canonicalize(file_at(address).unwrap()).unwrap();
        assert_eq!(file, std::env::current_exe().unwrap().canonicalize().unwrap());
        assert_eq!(file_at(1), None);
    }
}
