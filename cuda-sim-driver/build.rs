//! Settles the library's name, and which release's functions it exports: that which `CUDA_SIM_EXPORTS` names,
//! `12.2` for example, or else 13.0.

// A build script has one way to fail: it says why and stops the build.
#![allow(clippy::panic, clippy::expect_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

/// The lists of functions, each entry with `since` and a release.
const LISTS: [&str; 2] = ["../cuda-sys/src/generated/functions.rs", "../cuda-sim/src/generated/twins.rs"];

const VARIABLE: &str = "CUDA_SIM_EXPORTS";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    if env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libcuda.so.1");
    }

    let exported = env::var(VARIABLE).unwrap_or_else(|_| "13.0".to_owned());
    let exported = release(&exported)
        .unwrap_or_else(|| panic!("{VARIABLE}={exported}: a CUDA release such as 12.2 is allowed"));
    println!("cargo::rustc-env=EXPORTED_RELEASE={exported}");

    let mut later = BTreeSet::new();
    for list in LISTS {
        println!("cargo::rerun-if-changed={list}");
        let text = fs::read_to_string(list).unwrap_or_else(|error| panic!("{list}: {error}"));
        let releases = text.split("[").filter_map(|entry| entry.split_once("since ")?.1.split_once(']'));
        let releases = releases.filter_map(|(release, _)| release.parse::<u32>().ok());
        later.extend(releases.filter(|release| *release > exported));
    }
    let arms: String =
        later.iter().map(|release| format!("    ({release} $($item:tt)*) => {{}};\n")).collect();
    let text =
        format!("macro_rules! if_exported {{\n{arms}    ($since:tt $($item:tt)*) => {{ $($item)* }};\n}}\n");
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&folder).join("if_exported.rs"), text).expect("the folder is writable");
}

/// `12.2` as 12020.
fn release(text: &str) -> Option<u32> {
    let (major, minor) = text.split_once('.')?;
    let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    (major >= 11 && minor < 100).then_some(major * 1000 + minor * 10)
}
