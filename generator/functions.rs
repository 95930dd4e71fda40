//! The functions: one list of C signatures, which macros turn into whatever is needed.

use super::types::Declaration;
use super::versions::{OUTERMOST, base_and_version};
use std::collections::HashMap;
use std::fmt::Write;

/// `cudaProfiler.h` is a header of its own, often absent; every driver exports its functions.
const PROFILER: [(&str, &str); 3] = [
    (
        "cuProfilerInitialize",
        "configFile: *const c_char, outputFile: *const c_char, outputMode: CUoutput_mode",
    ),
    ("cuProfilerStart", ""),
    ("cuProfilerStop", ""),
];
const PROFILER_SINCE: u32 = 4_000;

pub(crate) fn file(bound: &[(&Declaration, u32)], groups: &HashMap<String, String>, release: u32) -> String {
    let mut text = format!(
        "// Generated from the interface of CUDA {}.{} by `cargo build --features regenerate`. Do not edit.\n\n",
        release / 1000,
        release % 1000 / 10
    );
    text.push_str(
        "/// Calls the given macro with every function of the driver API, {count} of them, in one list:
/// `[CUDA_INITIALIZE since 2000] fn cuInit(Flags: c_uint) -> CUresult;` and so on.
///
/// The bracket holds the documentation group and the release that introduced the symbol, written
/// as `CUDA_VERSION` is. Types are named as in `cuda_sys` and `core::ffi`; import both.
///
/// ```
/// macro_rules! count {
///     ($([$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
///         [$(stringify!($name)),*].len()
///     };
/// }
/// assert_eq!(cuda_sys::for_each_function!(count), cuda_sys::Symbol::COUNT);
/// ```
#[macro_export]
macro_rules! for_each_function {
    ($($callback:tt)+) => {
        $($callback)+! {
"
        .replace("{count}", &(bound.len() + PROFILER.len()).to_string())
        .as_str(),
    );
    let mut line = |name: &str, group: &str, since: u32, arguments: &str| {
        let _ = writeln!(text, "            [{group} since {since}] fn {name}({arguments}) -> CUresult;");
    };
    for (declaration, since) in bound {
        assert_eq!(declaration.result, "CUresult", "what {} returns", declaration.name);
        let (base, _) = base_and_version(&declaration.name);
        let group =
            groups.get(&declaration.name).or_else(|| groups.get(base)).map_or(OUTERMOST, String::as_str);
        line(&declaration.name, group, *since, &declaration.arguments);
    }
    for (name, arguments) in PROFILER {
        line(name, "CUDA_PROFILER", PROFILER_SINCE, arguments);
    }
    text.push_str("        }\n    };\n}\n");
    text
}
