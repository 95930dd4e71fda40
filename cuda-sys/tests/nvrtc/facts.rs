//! The measured properties of NVRTC's releases, compared with the bindings.

use cuda_sys::nvrtc::{Symbol, Version, nvrtcResult};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Contents of `conformance/nvrtc.tsv`: the measurements of each release for each name.
pub(crate) struct Facts(BTreeMap<String, BTreeMap<Version, bool>>);

impl Facts {
    /// Reads the facts. Returns `None` if the crate is not in its workspace.
    pub(crate) fn read() -> Option<Facts> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/nvrtc.tsv");
        let Ok(text) = std::fs::read_to_string(&path) else {
            crate::say_skip!("there is no {}", path.display());
            return None;
        };
        let mut lines = text.lines();
        let releases: Vec<Version> = lines.next().unwrap().split('\t').skip(1).map(version).collect();
        assert!(releases.is_sorted());
        let facts = lines.map(|line| {
            let mut columns = line.split('\t');
            let name = columns.next().unwrap().to_owned();
            let measured: BTreeMap<_, _> = releases
                .iter()
                .zip(columns)
                .map(|(release, text)| match text {
                    "yes" => (*release, true),
                    "-" => (*release, false),
                    _ => panic!("{line}"),
                })
                .collect();
            assert_eq!(measured.len(), releases.len(), "{line}");
            (name, measured)
        });
        Some(Facts(facts.collect()))
    }

    fn names(&self, prefix: &str) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).filter(|name| name.starts_with(prefix)).collect()
    }

    /// Returns whether the measured release has the function or the code, or `None` if it was not measured.
    pub(crate) fn measured(&self, name: &str, release: Version) -> Option<bool> {
        self.0[name].get(&release).copied()
    }
}

fn version(text: &str) -> Version {
    let (major, minor) = text.split_once('.').unwrap();
    Version::new(major.parse().unwrap(), minor.parse().unwrap())
}

#[test]
fn bindings_have_every_function_of_each_release() {
    let Some(facts) = Facts::read() else { return };
    assert_eq!(facts.names("nvrtc"), Symbol::all().map(Symbol::name).collect());
    for symbol in Symbol::all() {
        for (release, there) in &facts.0[symbol.name()] {
            assert_eq!(symbol.is_in(*release), *there, "{symbol} in {release}");
        }
        assert!(symbol.until().is_none_or(|until| symbol.since() < until), "{symbol}");
        assert!(symbol.until().is_none() || symbol.is_deprecated(), "{symbol}");
    }
}

#[test]
fn the_bindings_have_every_code_that_was_seen() {
    let Some(facts) = Facts::read() else { return };
    assert_eq!(facts.names("NVRTC_"), nvrtcResult::all().filter_map(nvrtcResult::name).collect());
    // No release removed a code.
    assert!(facts.names("NVRTC_").into_iter().all(|name| facts.0[name].values().is_sorted()));
}
