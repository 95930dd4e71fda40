//! The C side: every fact as a static assertion against NVIDIA's headers, which a compiler refuses if it is wrong.

use crate::facts::{Fact, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) struct Compiler {
    pub(crate) command: &'static str,
    pub(crate) target: &'static str,
}

/// Result of a comparison by a compiler.
pub(crate) struct Found {
    pub(crate) looked_at: usize,
    pub(crate) wrong: Vec<String>,
}

/// Returns the folder of the replacements for the headers of graphics libraries.
pub(crate) fn stubs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../generator/stubs/graphics")
}

/// Definitions under which every version of every function has its exported name.
pub(crate) const DEFINITIONS: [&str; 2] =
    ["-D__CUDA_API_VERSION_INTERNAL", "-D__CUDA_API_VERSION_INTERNAL_ODR"];

pub(crate) fn includes(headers: &Path) -> String {
    let profiler = if headers.join("cudaProfiler.h").is_file() { "#include <cudaProfiler.h>\n" } else { "" };
    format!(
        "#include <stddef.h>\n#include <vdpau/vdpau.h>\n#include <cuda.h>\n#include <cudaGL.h>\n\
         #include <cudaEGL.h>\n#include <cudaVDPAU.h>\n{profiler}"
    )
}

impl Compiler {
    pub(crate) const ALL: [Compiler; 3] = [
        Compiler { command: "cc", target: "this machine" },
        Compiler { command: "aarch64-linux-gnu-gcc", target: "Linux on aarch64" },
        Compiler { command: "x86_64-w64-mingw32-gcc", target: "Windows on x86-64" },
    ];

    /// Returns whether the compiler is installed, with a C library.
    pub(crate) fn is_there(&self) -> bool {
        let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("library-{}.c", self.command));
        std::fs::write(&source, "#include <stdlib.h>\n").unwrap();
        let read = Command::new(self.command).arg("-fsyntax-only").arg(&source).output();
        read.is_ok_and(|output| output.status.success())
    }

    fn is_windows(&self) -> bool {
        self.command.contains("mingw")
    }

    /// Lets the compiler check every fact that concerns it.
    pub(crate) fn compare(&self, table: &Table, headers: &Path) -> Found {
        let names = CNames::read(headers);
        let mut text = includes(headers);
        text.push_str("#define U64(T) (__builtin_types_compatible_p(T, unsigned long) || __builtin_types_compatible_p(T, unsigned long long))\n");
        let before = text.lines().count();
        let mut lines: BTreeMap<usize, &Fact> = BTreeMap::new();
        for fact in &table.0 {
            if let Some(assertion) = self.assertion(fact, &names) {
                lines.insert(before + lines.len() + 1, fact);
                text.push_str(&assertion);
                text.push('\n');
            }
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        // Tests run in parallel.
        let name = format!("layout-{}-{:?}.c", self.command, std::thread::current().id());
        let source = folder.join(name.replace(['(', ')'], ""));
        std::fs::write(&source, text).unwrap();
        let mut command = Command::new(self.command);
        command.args(["-std=gnu11", "-w", "-fsyntax-only", "-fmax-errors=0", "-fno-diagnostics-show-caret"]);
        command.args(DEFINITIONS).arg("-I").arg(headers).arg("-isystem").arg(stubs()).arg(&source);
        let output = command.env("LC_ALL", "C").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let file = source.display().to_string();
        let mut wrong = BTreeMap::new();
        for line in said.lines().filter(|line| line.contains("error: ")) {
            // `file:line:column: error: text`
            let rest = line.strip_prefix(&file).and_then(|rest| rest.strip_prefix(':'));
            let number = rest.and_then(|rest| rest.split(':').next()).and_then(|number| number.parse().ok());
            let (_, message) = line.split_once("error: ").unwrap();
            let Some(fact) = number.and_then(|number: usize| lines.get(&number)) else {
                panic!("{} does not read the headers: {line}", self.command)
            };
            let Fact { kind, name, value } = fact;
            wrong
                .entry(number)
                .or_insert_with(|| format!("{}: {kind} of {name}: {value}: {message}", self.command));
        }
        assert_eq!(output.status.success(), wrong.is_empty(), "{said}");
        std::fs::remove_file(source).unwrap();
        Found { looked_at: lines.len(), wrong: wrong.into_values().collect() }
    }

    /// Returns the fact in C, on one line, or `None` if it does not concern this compiler.
    fn assertion(&self, fact: &Fact, names: &CNames) -> Option<String> {
        let Fact { kind, name, value } = fact;
        let assert = |condition: String| Some(format!("_Static_assert({condition}, \"\");"));
        match *kind {
            "size" => assert(format!("sizeof({}) == {value}", names.of(name))),
            "align" => assert(format!("_Alignof({}) == {value}", names.of(name))),
            "offset" => {
                let (whole, path) = split(name);
                assert(format!("offsetof({}, {path}) == {value}", names.of(whole)))
            }
            "type" => {
                let (whole, path) = split(name);
                let field = format!("((({} *)0)->{path})", names.of(whole));
                match value.strip_suffix(" bytes") {
                    Some(size) => assert(format!("sizeof{field} == {size}")),
                    None => assert(same(&format!("__typeof__{field}"), value, names)),
                }
            }
            "enumerator" => {
                let (_, enumerator) = name.split_once("::")?;
                assert(format!("(long long)({enumerator}) == {value}"))
            }
            // The numbers of the profiler occur in this header only.
            "constant" | "alias"
                if ["CU_OUT_", "CUoutput_"].iter().any(|start| name.starts_with(start))
                    && !names.words.contains(name) =>
            {
                None
            }
            "constant" => assert(format!("(long long)({name}) == {value}")),
            "alias" => match value.split_once(" bytes ") {
                Some((size, sign)) => {
                    let (name, signed) = (names.of(name), u8::from(sign == "signed"));
                    assert(format!("sizeof({name}) == {size} && ((({name})-1) < 0) == {signed}"))
                }
                // The header's own names for the C library's numbers.
                None if value == "u64" => assert(format!("U64({name})")),
                // Name of a function type. Rust has only the pointer type.
                None if name == "VdpGetProcAddress" => assert(same(&format!("{name} *"), value, names)),
                None => assert(same(name, value, names)),
            },
            "prototype" => {
                let elsewhere = name == "cuWGLGetDevice" && !self.is_windows()
                    || name.starts_with("cuProfiler") && !names.words.contains(name);
                let arguments = arguments(value.trim_start_matches('(').trim_end_matches(')'));
                let arguments: Vec<String> = arguments.iter().map(|of| c_type(of, names)).collect();
                let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
                (!elsewhere).then(|| format!("CUresult CUDAAPI {name}({arguments});"))
            }
            _ => panic!("{fact:?}"),
        }
    }
}

/// Splits `CUfoo_st.a.b` into the type and the path in C. Unnamed parts are skipped.
fn split(name: &str) -> (&str, String) {
    let (whole, path) = name.split_once('.').unwrap();
    let named = path.split('.').filter(|part| !part.starts_with("__bindgen_anon"));
    // Rust's keywords end in an underscore here.
    let named: Vec<&str> = named
        .map(|part| part.strip_suffix('_').filter(|word| ["type", "fn"].contains(word)).unwrap_or(part))
        .collect();
    (whole, named.join("."))
}

fn same(actual: &str, stated: &str, names: &CNames) -> String {
    format!("__builtin_types_compatible_p({actual}, {})", c_type(stated, names))
}

/// Splits at the commas that are not inside of a type.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (index, character) in text.char_indices() {
        match character {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' if !text[..index].ends_with('-') => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found.retain(|argument| !argument.is_empty());
    found
}

/// Returns the C form of a Rust type.
fn c_type(rust: &str, names: &CNames) -> String {
    if let Some(inner) = rust.strip_prefix("*mut ") {
        return format!("__typeof__({}) *", c_type(inner, names));
    }
    if let Some(inner) = rust.strip_prefix("*const ") {
        return format!("const __typeof__({}) *", c_type(inner, names));
    }
    if let Some((inner, length)) =
        rust.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')?.rsplit_once("; "))
    {
        return format!("__typeof__(__typeof__({})[{length}])", c_type(inner, names));
    }
    if let Some(inner) = rust.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')) {
        let (_, rest) = inner.split_once("fn(").unwrap();
        let (inside, result) = rest.rsplit_once(')').unwrap();
        let result =
            result.trim().strip_prefix("->").map_or("void".to_owned(), |result| c_type(result.trim(), names));
        let inside =
            arguments(inside).into_iter().map(|argument| c_type(argument, names)).collect::<Vec<_>>();
        return format!("__typeof__(__typeof__({result}) (CUDA_CB *)({}))", inside.join(", "));
    }
    match rust {
        "c_void" => "void",
        "c_char" => "char",
        "c_uchar" => "unsigned char",
        "c_ushort" => "unsigned short",
        "c_int" => "int",
        "c_uint" | "u32" => "unsigned int",
        "c_longlong" => "long long",
        "c_ulonglong" => "unsigned long long",
        "usize" => "size_t",
        "f32" => "float",
        "f64" => "double",
        name => return names.of(name),
    }
    .to_owned()
}

fn without_comments(text: &str) -> String {
    let parts = text.split("/*").enumerate();
    parts
        .map(
            |(index, part)| {
                if index == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) }
            },
        )
        .collect()
}

/// Names that C has as tags.
struct CNames {
    words: BTreeSet<String>,
    tags: BTreeMap<String, String>,
}

impl CNames {
    fn read(headers: &Path) -> CNames {
        let mut names = CNames { words: BTreeSet::new(), tags: BTreeMap::new() };
        for file in ["cuda.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h", "cudaProfiler.h"] {
            let Ok(text) = std::fs::read_to_string(headers.join(file)) else { continue };
            // A brace counts as a word, so that the word after it is no tag.
            let text = without_comments(&text).replace('{', " { ");
            let between = |character: char| !character.is_ascii_alphanumeric() && !"_{".contains(character);
            let words: Vec<&str> = text.split(between).filter(|word| !word.is_empty()).collect();
            for pair in words.windows(2) {
                if ["struct", "union", "enum"].contains(&pair[0]) {
                    names.tags.insert(pair[1].to_owned(), format!("{} {}", pair[0], pair[1]));
                }
            }
            names.words.extend(words.into_iter().map(str::to_owned));
        }
        names
    }

    /// Returns the C name of a type, with its kind before it if it is a tag.
    fn of(&self, name: &str) -> String {
        self.tags.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }
}
