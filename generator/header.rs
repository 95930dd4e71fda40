//! Facts from the text of the headers that bindgen does not give: releases, chapters, deprecations.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The headers of one CUDA release.
pub(crate) struct Headers {
    pub(crate) folder: PathBuf,
    /// `cuda.h`, then the side headers.
    texts: Vec<String>,
    typedefs: Vec<String>,
}

const HEADERS: [&str; 4] = ["cuda.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h"];
const TYPEDEFS: [&str; 5] = [
    "cudaTypedefs.h",
    "cudaGLTypedefs.h",
    "cudaEGLTypedefs.h",
    "cudaVDPAUTypedefs.h",
    "cudaProfilerTypedefs.h",
];

/// The group around all groups, where functions that no other claims are listed.
const OUTERMOST: &str = "CUDA_DRIVER";

impl Headers {
    /// The headers in the folder that `CUDA_HEADER_DIR` names, else the toolkit's.
    pub(crate) fn find() -> Headers {
        let stated = env::var_os("CUDA_HEADER_DIR").map(PathBuf::from);
        let toolkits = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
        let candidates: Vec<PathBuf> = match stated {
            Some(folder) => vec![folder],
            None => {
                toolkits.chain([PathBuf::from("/usr/local/cuda")]).map(|root| root.join("include")).collect()
            }
        };
        let folder = candidates
            .iter()
            .find(|folder| folder.join("cuda.h").is_file())
            .unwrap_or_else(|| panic!("no cuda.h in any of {candidates:?}: set CUDA_HEADER_DIR"))
            .clone();
        let texts =
            HEADERS.map(|name| read(&folder.join(name)).replace("CUresult CUDAAPI\n", "CUresult CUDAAPI "));
        let typedefs = TYPEDEFS.map(|name| read(&folder.join(name)));
        Headers { folder, texts: texts.into(), typedefs: typedefs.into() }
    }

    pub(crate) fn cuda_h(&self) -> &str {
        &self.texts[0]
    }

    /// `CUDA_VERSION`.
    pub(crate) fn release(&self) -> u32 {
        let (_, rest) =
            self.cuda_h().split_once("#define CUDA_VERSION ").expect("cuda.h defines CUDA_VERSION");
        rest.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
    }

    /// For each base name and per-thread suffix, the releases that introduced its versions, oldest first: there
    /// is one `PFN_<base>_v<release><suffix>` for each.
    pub(crate) fn introduced(&self) -> HashMap<(String, String), Vec<u32>> {
        let mut releases: HashMap<(String, String), Vec<u32>> = HashMap::new();
        for text in self.typedefs.iter().flat_map(|text| text.split("(CUDAAPI *PFN_").skip(1)) {
            let (name, _) = text.split_once(')').expect("a typedef's name ends");
            let (name, suffix) = split_suffix(name);
            let (base, release) = name.rsplit_once("_v").expect("a typedef's name ends in its release");
            let list = releases.entry((base.to_owned(), suffix.to_owned())).or_default();
            list.push(release.parse().expect("a release"));
        }
        releases.values_mut().for_each(|list| list.sort_unstable());
        releases
    }

    /// The chapter of each function, by its plain and its exported name, from the `\defgroup` marks. Groups nest: the innermost
    /// one that is open holds.
    pub(crate) fn chapters(&self) -> HashMap<String, String> {
        let mut chapters = HashMap::new();
        for text in &self.texts {
            let mut open: Vec<String> = Vec::new();
            for line in text.lines() {
                if let Some((_, rest)) = line.split_once("\\defgroup ") {
                    open.push(rest.split_whitespace().next().expect("a group has a name").to_owned());
                } else if line.contains("@}") {
                    open.pop();
                } else if let Some(name) = declared_in(line) {
                    // The headers declare many functions again at their end, outside all groups.
                    if let Some(chapter) = open.last().filter(|chapter| *chapter != OUTERMOST) {
                        chapters.entry(name.to_owned()).or_insert_with(|| chapter.clone());
                    }
                }
            }
        }
        // The text declares the plain name, the library exports the other.
        for (exported, name) in self.renamed() {
            if let Some(chapter) = chapters.get(name).cloned() {
                chapters.entry(exported.to_owned()).or_insert(chapter);
            }
        }
        chapters
    }

    /// The functions that are marked as deprecated, by their exported names.
    pub(crate) fn deprecated(&self) -> BTreeSet<String> {
        let exported: HashMap<&str, &str> =
            self.renamed().into_iter().map(|(exported, name)| (name, exported)).collect();
        let lines = self.texts.iter().flat_map(|text| text.lines());
        let marked = lines.filter(|line| line.trim_start().starts_with("__CUDA_DEPRECATED "));
        let names = marked.filter_map(declared_in);
        names.map(|name| exported.get(name).copied().unwrap_or(name).to_owned()).collect()
    }

    /// The plain name of each function that is exported under another, from lines such as
    /// `#define cuMemAlloc cuMemAlloc_v2` and `#define cuMemcpy3D __CUDA_API_PTDS(cuMemcpy3D_v2)`.
    pub(crate) fn renamed(&self) -> HashMap<&str, &str> {
        let mut renamed = HashMap::new();
        for line in self.texts.iter().flat_map(|text| text.lines()) {
            let mut words = line.split_whitespace();
            if let (Some("#define"), Some(name), Some(exported)) = (words.next(), words.next(), words.next())
            {
                let exported = exported.rsplit('(').next().unwrap_or(exported).trim_end_matches(')');
                renamed.entry(exported).or_insert(name);
            }
        }
        renamed
    }

    /// The chapter of a function that has one of its own or its newest version's.
    pub(crate) fn chapter_of<'a>(&self, chapters: &'a HashMap<String, String>, symbol: &str) -> &'a str {
        chapters.get(symbol).or_else(|| chapters.get(parts(symbol).base)).map_or(OUTERMOST, String::as_str)
    }
}

fn declared_in(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("CUresult CUDAAPI ")?;
    rest.split(|character: char| !character.is_ascii_alphanumeric() && character != '_').next()
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Splits `cuMemcpy_ptds` into the function and the suffix of its per-thread twin; others have none.
fn split_suffix(name: &str) -> (&str, &str) {
    let length =
        name.strip_suffix("_ptds").or_else(|| name.strip_suffix("_ptsz")).map_or(name.len(), str::len);
    name.split_at(length)
}

/// An exported name: `cuFoo` is version 1 of `cuFoo`, `cuFoo_v3_ptsz` the per-thread twin of version 3.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts<'name> {
    pub(crate) base: &'name str,
    pub(crate) version: u32,
    pub(crate) suffix: &'name str,
}

pub(crate) fn parts(symbol: &str) -> Parts<'_> {
    let (name, suffix) = split_suffix(symbol);
    match name.rsplit_once("_v") {
        Some((base, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Parts { base, version: digits.parse().expect("a version number"), suffix }
        }
        _ => Parts { base: name, version: 1, suffix },
    }
}
