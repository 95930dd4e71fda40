//! The second versions of functions, in which the per-thread default stream stands for the null stream.

use super::types::Declaration;
use super::versions::base_and_version;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

const SUFFIXES: [&str; 2] = ["_ptds", "_ptsz"];

/// Splits `cuMemcpy_ptds` into the function and the suffix.
fn split(name: &str) -> Option<(&str, &'static str)> {
    SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix).map(|function| (function, *suffix)))
}

/// The twins that the header names, each by the function that it is a twin of: those of the newest versions
/// as `__CUDA_API_PTDS(cuMemcpyHtoD_v2)`, those of older ones as `cuMemPrefetchAsync_ptsz`.
fn declared(cuda_h: &str) -> BTreeMap<&str, &'static str> {
    let of_newest = [("__CUDA_API_PTDS(", SUFFIXES[0]), ("__CUDA_API_PTSZ(", SUFFIXES[1])];
    let of_newest = of_newest.into_iter().flat_map(|(mark, suffix)| {
        let names = cuda_h.split(mark).skip(1).filter_map(|text| text.split(')').next());
        names.map(move |name| (name, suffix))
    });
    let words = cuda_h.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    let of_older = words.filter_map(split);
    of_newest.chain(of_older).filter(|(name, _)| name.starts_with("cu")).collect()
}

/// For each base name, the releases of its twins, oldest first, from typedefs like `PFN_<base>_v7000_ptsz`.
fn introduced(typedefs_h: &str) -> HashMap<&str, BTreeSet<u32>> {
    let mut releases: HashMap<&str, BTreeSet<u32>> = HashMap::new();
    for text in typedefs_h.split("(CUDAAPI *PFN_").skip(1) {
        let Some((name, _)) = text.split_once(')').and_then(|(name, _)| split(name)) else { continue };
        let (base, release) = name.rsplit_once("_v").expect("a typedef's name ends in its release");
        releases.entry(base).or_default().insert(release.parse().expect("a release"));
    }
    releases
}

pub(crate) fn file(bound: &[(&Declaration, u32)], cuda_h: &str, typedefs_h: &str, release: u32) -> String {
    let (declared, introduced) = (declared(cuda_h), introduced(typedefs_h));
    let mut text = format!(
        "// Generated from the interface of CUDA {}.{} by `cargo build --features regenerate`. Do not edit.

/// Calls the given macro with every function that has a second version, in which the per-thread default
/// stream stands for the null stream: the release that introduced it, its name, the function's name, and
/// the arguments of both.
#[doc(hidden)] // for the library that exports them
#[macro_export]
macro_rules! for_each_twin {{
    ($($callback:tt)+) => {{
        $($callback)+! {{
",
        release / 1000,
        release % 1000 / 10
    );
    for (declaration, _) in bound {
        let Some(suffix) = declared.get(declaration.name.as_str()) else { continue };
        let (base, version) = base_and_version(&declaration.name);
        // `cuGetProcAddress_v2_ptsz` is written out in the header: no driver has it.
        let Some(releases) = introduced.get(base) else { continue };
        let mut versions: Vec<u32> = declared
            .keys()
            .map(|name| base_and_version(name))
            .filter(|(other, _)| *other == base)
            .map(|(_, version)| version)
            .collect();
        versions.sort_unstable();
        assert_eq!(releases.len(), versions.len(), "typedefs and declarations of the twins of {base}");
        let place = versions.iter().position(|&other| other == version).expect("it is declared");
        let since = releases.iter().nth(place).expect("as many releases as versions");
        let _ = writeln!(
            text,
            "            [since {since}] fn {name}{suffix} of {name}({});",
            declaration.arguments,
            name = declaration.name,
        );
    }
    text.push_str("        }\n    };\n}\n");
    text
}
