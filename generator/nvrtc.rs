//! NVRTC, CUDA's run-time compiler: `cuda-sys/src/generated/nvrtc.rs`, from `nvrtc.h` and from `nvrtc.tsv`.
//!
//! The header has the prototypes, and no releases. The releases are in `nvrtc.tsv`, and are measured back to CUDA 11.2
//! (`conformance/nvrtc.tsv`). The two tables must agree.

use super::types;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const FACTS: &str = include_str!("nvrtc.tsv");

/// Functions that newer headers lack, as the header of CUDA 12.9 declares them.
const REMOVED: [(&str, &str); 2] = [
    ("nvrtcGetNVVMSize", "prog: nvrtcProgram, nvvmSizeRet: *mut usize"),
    ("nvrtcGetNVVM", "prog: nvrtcProgram, nvvm: *mut c_char"),
];

/// A row of `nvrtc.tsv`: one function.
struct Fact {
    symbol: &'static str,
    since: u32,
    until: Option<u32>,
    deprecated: bool,
}

impl Fact {
    fn holds_in(&self, release: u32) -> bool {
        self.since <= release && self.until.is_none_or(|until| release < until)
    }
}

fn facts() -> Vec<Fact> {
    let mut lines = FACTS.lines();
    assert_eq!(lines.next(), Some("symbol\tsince\tuntil\tdeprecated"), "nvrtc.tsv begins with its columns");
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [symbol, since, until, deprecated] = columns[..] else {
                panic!("nvrtc.tsv: {line:?} has not four columns")
            };
            let release =
                |text: &str| text.parse().unwrap_or_else(|_| panic!("nvrtc.tsv: {text:?} of {symbol}"));
            Fact {
                symbol,
                since: release(since),
                until: (until != "-").then(|| release(until)),
                deprecated: match deprecated {
                    "yes" => true,
                    "no" => false,
                    _ => panic!("nvrtc.tsv: {deprecated:?} of {symbol} is neither yes nor no"),
                },
            }
        })
        .collect()
}

/// The file. `folder` is that of the driver's headers, `release` their release: `nvrtc.h` does not name its own.
pub(crate) fn file(folder: &Path, release: u32) -> String {
    println!("cargo::rerun-if-env-changed=NVRTC_HEADER_DIR");
    let folder = env::var_os("NVRTC_HEADER_DIR").map_or_else(|| folder.to_owned(), PathBuf::from);
    let header = folder.join("nvrtc.h");
    assert!(header.is_file(), "no nvrtc.h in {}: set NVRTC_HEADER_DIR", folder.display());
    let builder = types::hermetic(&folder)
        .header_contents("wrapper_nvrtc.h", "#include <nvrtc.h>\n")
        .allowlist_function("nvrtc.*")
        .allowlist_type("nvrtc.*")
        .allowlist_var("NVRTC_.*")
        .must_use_type("nvrtcResult")
        .no_debug("nvrtcResult"); // written by hand: it prints the code's name
    let interface =
        types::split(&super::rustfmt(&builder.generate().expect("bindgen reads nvrtc.h").to_string()));
    let text = super::header::read(&header);
    let functions = functions(&interface.declarations, &deprecated(&text), release);
    let (enumerators, layouts) =
        (super::enumerators::list(&interface.types), super::layout::list(&interface.layouts));
    format!("{}\n{layouts}\n{enumerators}\n{}", interface.types, list(&functions))
}

/// The functions that the header marks as deprecated.
fn deprecated(header: &str) -> BTreeSet<&str> {
    let marked = header.split("\n__DEPRECATED__(").skip(1);
    marked
        .map(|text| {
            let start = text.find("\nnvrtcResult ").expect("a declaration follows the mark") + 13;
            text[start..].split('(').next().expect("a function has arguments")
        })
        .collect()
}

/// A function to bind.
struct Function<'a> {
    fact: Fact,
    arguments: &'a str,
    result: &'a str,
}

/// Joins the header, the data, and the functions that are declared by hand: in the order of the data.
fn functions<'a>(
    declarations: &'a [types::Declaration],
    deprecated: &BTreeSet<&str>,
    release: u32,
) -> Vec<Function<'a>> {
    let mut declared: BTreeMap<&str, &types::Declaration> =
        declarations.iter().map(|declaration| (declaration.name.as_str(), declaration)).collect();
    let functions = facts()
        .into_iter()
        .map(|fact| {
            let symbol = fact.symbol;
            let by_hand = REMOVED.iter().find(|(name, _)| *name == symbol);
            let (arguments, result) = match (declared.remove(symbol), by_hand) {
                (Some(declaration), by_hand) => {
                    assert!(fact.holds_in(release), "nvrtc.h has {symbol}, not so nvrtc.tsv for {release}");
                    assert_eq!(
                        fact.deprecated,
                        deprecated.contains(symbol),
                        "nvrtc.tsv and nvrtc.h: is {symbol} deprecated?"
                    );
                    if let Some((_, arguments)) = by_hand {
                        assert_eq!(declaration.arguments, *arguments, "{symbol} as declared by hand");
                    }
                    (declaration.arguments.as_str(), declaration.result.as_str())
                }
                (None, Some((_, arguments))) => {
                    assert!(
                        !fact.holds_in(release),
                        "nvrtc.h lacks {symbol}, not so nvrtc.tsv for {release}"
                    );
                    (*arguments, "nvrtcResult")
                }
                (None, None) => panic!("nvrtc.tsv has {symbol}, which nvrtc.h does not declare"),
            };
            Function { fact, arguments, result }
        })
        .collect();
    assert!(declared.is_empty(), "nvrtc.h declares what nvrtc.tsv lacks: {:?}", declared.keys());
    functions
}

/// On one line: what rustfmt breaks it writes with blanks and commas that one line has not.
fn joined(arguments: &str) -> String {
    [("< ", "<"), ("( ", "("), (", )", ")"), (", >", ">")]
        .iter()
        .fold(arguments.to_owned(), |text, (broken, joined)| text.replace(broken, joined))
}

fn list(functions: &[Function<'_>]) -> String {
    let mut text = "/// Calls the given macro with every function of NVRTC, {count} of them, in one list:
/// `[since 7000] fn nvrtcVersion(major: *mut c_int, minor: *mut c_int) -> nvrtcResult;` and so on.
///
/// The bracket holds the release that introduced the symbol. If a later release removed the symbol, `until` and
/// that release follow. If NVRTC's header marked the symbol as deprecated, `deprecated` follows. Releases are
/// written as `CUDA_VERSION` is. Types are named as in `cuda_sys::nvrtc` and `core::ffi`; import both.
///
/// ```
/// macro_rules! count {
///     ($([since $since:literal $(until $until:literal)? $(, $deprecated:ident)?]
///         fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
///         [$(stringify!($name)),*].len()
///     };
/// }
/// assert_eq!(cuda_sys::for_each_nvrtc_function!(count), cuda_sys::nvrtc::Symbol::COUNT);
/// ```
#[macro_export]
macro_rules! for_each_nvrtc_function {
    ($($callback:tt)+) => {
        $($callback)+! {
"
    .replace("{count}", &functions.len().to_string());
    for Function { fact, arguments, result } in functions {
        let until = fact.until.map_or_else(String::new, |until| format!(" until {until}"));
        let deprecated = if fact.deprecated { ", deprecated" } else { "" };
        let _ = writeln!(
            text,
            "            [since {}{until}{deprecated}] fn {}({}) -> {result};",
            fact.since,
            fact.symbol,
            joined(arguments)
        );
    }
    text.push_str("        }\n    };\n}\n");
    text
}
