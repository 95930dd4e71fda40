//! Which release introduced which symbol, and which symbols are worth binding.

use super::types::Declaration;
use std::collections::HashMap;

/// The oldest driver that the bindings serve. A function that was superseded before it is left
/// out: every driver has the newer one.
const FLOOR: u32 = 11_000;

/// `CUDA_VERSION` of the header.
pub(crate) fn header_release(cuda_h: &str) -> u32 {
    let (_, rest) = cuda_h.split_once("#define CUDA_VERSION ").expect("cuda.h defines CUDA_VERSION");
    rest.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

/// For each base name, the releases that introduced its versions, oldest first.
///
/// `cudaTypedefs.h` has one `PFN_<base>_v<release>` for each version of each function.
pub(crate) fn introduced(typedefs_h: &str) -> HashMap<String, Vec<u32>> {
    let mut releases: HashMap<String, Vec<u32>> = HashMap::new();
    for text in typedefs_h.split("(CUDAAPI *PFN_").skip(1) {
        let (name, _) = text.split_once(')').expect("a typedef's name ends");
        let (base, release) = name.rsplit_once("_v").expect("a typedef's name ends in its release");
        // The per-thread twins (`_v7000_ptsz`) are not bound here.
        if let Ok(release) = release.parse() {
            releases.entry(base.to_owned()).or_default().push(release);
        }
    }
    for list in releases.values_mut() {
        list.sort_unstable();
    }
    releases
}

/// `cuFoo` is version 1 of `cuFoo`; `cuFoo_v3` is version 3.
pub(crate) fn base_and_version(symbol: &str) -> (&str, u32) {
    match symbol.rsplit_once("_v") {
        Some((base, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            (base, digits.parse().expect("a version number"))
        }
        _ => (symbol, 1),
    }
}

/// The declarations to bind, in the header's order, each with the release that introduced it.
pub(crate) fn bound<'a>(
    declarations: &'a [Declaration],
    releases: &HashMap<String, Vec<u32>>,
) -> Vec<(&'a Declaration, u32)> {
    let mut versions: HashMap<&str, Vec<u32>> = HashMap::new();
    for declaration in declarations {
        let (base, version) = base_and_version(&declaration.name);
        versions.entry(base).or_default().push(version);
    }
    versions.values_mut().for_each(|list| list.sort_unstable());

    declarations
        .iter()
        .filter_map(|declaration| {
            let (base, version) = base_and_version(&declaration.name);
            let known = releases.get(base).unwrap_or_else(|| panic!("no typedef for {base}"));
            assert_eq!(known.len(), versions[base].len(), "typedefs and declarations of {base}");
            let place = versions[base].iter().position(|&v| v == version).expect("just inserted");
            let superseded = known.get(place + 1).copied();
            superseded.is_none_or(|release| release > FLOOR).then(|| (declaration, known[place]))
        })
        .collect()
}

/// The group around all groups, where functions that no other claims are listed.
pub(crate) const OUTERMOST: &str = "CUDA_DRIVER";

/// The documentation group of each function, from the header's `\defgroup` marks.
///
/// Groups nest: the innermost one that is open holds.
pub(crate) fn groups(cuda_h: &str) -> HashMap<String, String> {
    let mut groups = HashMap::new();
    let mut open: Vec<String> = Vec::new();
    for line in cuda_h.replace("CUresult CUDAAPI\n", "CUresult CUDAAPI ").lines() {
        if let Some((_, rest)) = line.split_once("\\defgroup ") {
            open.push(rest.split_whitespace().next().expect("a group has a name").to_owned());
        } else if line.contains("@}") {
            open.pop();
        } else if let Some((_, rest)) = line.split_once("CUresult CUDAAPI ") {
            let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            // The header declares many functions again at its end, outside all groups.
            if let Some(group) = open.last().filter(|group| *group != OUTERMOST) {
                groups.entry(name).or_insert_with(|| group.clone());
            }
        }
    }
    // The text declares the plain name, the library exports the other.
    for (exported, name) in renamed(cuda_h) {
        if let Some(group) = groups.get(name).cloned() {
            groups.entry(exported.to_owned()).or_insert(group);
        }
    }
    groups
}

/// The plain name of each function that is exported under another, from lines such as
/// `#define cuMemAlloc cuMemAlloc_v2` and `#define cuMemcpy3D __CUDA_API_PTDS(cuMemcpy3D_v2)`.
pub(crate) fn renamed(cuda_h: &str) -> HashMap<&str, &str> {
    let mut renamed = HashMap::new();
    for line in cuda_h.lines() {
        let mut words = line.split_whitespace();
        if let (Some("#define"), Some(name), Some(exported)) = (words.next(), words.next(), words.next()) {
            let exported = exported.rsplit('(').next().unwrap_or(exported).trim_end_matches(')');
            renamed.entry(exported).or_insert(name);
        }
    }
    renamed
}
