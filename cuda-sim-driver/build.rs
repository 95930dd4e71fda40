//! Sets the library's name, and the release whose functions it exports: the value of `CUDA_SIM_EXPORTS`, for example
//! `12.2`, or 13.0.

// A build script has only one way to fail: it prints the reason and stops the build.
#![allow(clippy::panic, clippy::expect_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

/// Table of symbols: the name first, then the release that introduced it.
const SYMBOLS: &str = "../generator/symbols.tsv";

const VARIABLE: &str = "CUDA_SIM_EXPORTS";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let (linux, windows) = (system == "linux", system == "windows");
    if linux {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libcuda.so.1");
        // A thread of the driver that has not begun yet would run code that `dlclose` has unloaded.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }

    let exported = env::var(VARIABLE).unwrap_or_else(|_| "13.0".to_owned());
    let exported = release(&exported)
        .unwrap_or_else(|| panic!("{VARIABLE}={exported}: a CUDA release such as 12.2 is allowed"));
    println!("cargo::rustc-env=EXPORTED_RELEASE={exported}");

    println!("cargo::rerun-if-changed={SYMBOLS}");
    let table = fs::read_to_string(SYMBOLS).unwrap_or_else(|error| panic!("{SYMBOLS}: {error}"));
    let rows = table.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [symbol, since, _, _, _, set, _, only] = columns[..] else { panic!("{SYMBOLS}: {line}") };
        (symbol, since.parse::<u32>().unwrap_or_else(|_| panic!("{SYMBOLS}: {line}")), set, only)
    });

    let later: BTreeSet<u32> =
        rows.clone().map(|(_, since, ..)| since).filter(|since| *since > exported).collect();
    // Symbols that this system never had, or had later than their release, then symbols of later releases.
    let aarch64 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "aarch64");
    let late = rows.clone().filter(|(_, _, set, only)| match *only {
        _ if windows && matches!(*set, "egl" | "vdpau") => true,
        "-" => false,
        "windows" => !windows,
        "aarch64-linux" => !(linux && aarch64),
        // `linux 11020`
        only => linux && only.strip_prefix("linux ").and_then(|since| since.parse().ok()) > Some(exported),
    });
    let late = late.map(|(symbol, ..)| format!("    ([{symbol} since $since:tt] $($item:tt)*) => {{}};\n"));
    let later =
        later.iter().map(|release| format!("    ([$name:ident since {release}] $($item:tt)*) => {{}};\n"));
    let arms: String = late.chain(later).collect();
    let text = format!(
        "macro_rules! if_exported {{\n{arms}    ([$name:ident since $since:tt] $($item:tt)*) => {{ $($item)* }};\n}}\n"
    );
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&folder).join("if_exported.rs"), text).expect("the folder is writable");

    let others = rows.filter(|(symbol, since, set, _)| {
        *since <= exported && matches!(*set, "old" | "undocumented") && !FIRST.contains(symbol)
    });
    let others: String = others.map(|(symbol, ..)| format!("    {symbol}\n")).collect();
    fs::write(Path::new(&folder).join("others.rs"), format!("others! {{\n{others}}}\n"))
        .expect("the folder is writable");
}

/// First versions of functions that behave like the second versions, from `cuda_sim::for_each_v1_entry_point`.
const FIRST: [&str; 13] = [
    "cuCtxDestroy",
    "cuCtxPopCurrent",
    "cuCtxPushCurrent",
    "cuDevicePrimaryCtxRelease",
    "cuDevicePrimaryCtxReset",
    "cuDevicePrimaryCtxSetFlags",
    "cuEventDestroy",
    "cuIpcOpenMemHandle",
    "cuLinkAddData",
    "cuLinkAddFile",
    "cuLinkCreate",
    "cuMemHostRegister",
    "cuStreamDestroy",
];

/// Parses a release such as `12.2` to 12020.
fn release(text: &str) -> Option<u32> {
    let (major, minor) = text.split_once('.')?;
    let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    (major >= 11 && minor < 100).then_some(major * 1000 + minor * 10)
}
