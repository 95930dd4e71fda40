//! The documentation: its aliases, tables, examples and words.

#![allow(clippy::unwrap_used, clippy::panic)]

mod prose;

use cuda_suite::{hides_subject, is_refusal_text, package_name};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The published crates.
const MEMBERS: [&str; 7] =
    ["cuda-sys", "cuda-rt", "cuda-rt-macros", "cuda-ptx", "cuda-sim-engine", "cuda-sim", "cuda-build"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Names of driver functions that follow `before` in a text.
fn names_after<'text>(text: &'text str, before: &str) -> Vec<&'text str> {
    let parts = text.split(before).skip(1);
    parts.map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap()).collect()
}

/// The name without its version: what people look for.
fn base(name: &str) -> &str {
    match name.rsplit_once("_v") {
        Some((base, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

#[test]
fn wrapped_driver_functions_have_a_doc_alias() {
    let texts: Vec<String> = sources(&root().join("cuda-rt/src"))
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let called: BTreeSet<&str> = texts
        .iter()
        .flat_map(|text| [names_after(text, "check!("), names_after(text, "poll!(")].concat())
        .filter(|name| name.starts_with("cu"))
        .collect();
    let aliases: BTreeSet<&str> = texts
        .iter()
        .flat_map(|text| text.split("doc(alias").skip(1))
        .filter_map(|rest| rest.split(']').next())
        .flat_map(|inside| inside.split('"').skip(1).step_by(2))
        .map(base)
        .collect();
    assert!(called.len() > 40, "{called:?}");
    // Not wrapped by anything public: these serve others.
    let inner = [
        "cuThreadExchangeStreamCaptureMode",
        "cuPointerGetAttribute",
        "cuDeviceGetDefaultMemPool",
        "cuMemPoolGetAccess",
    ];
    let missing: Vec<&&str> =
        called.iter().filter(|name| !aliases.contains(base(name)) && !inner.contains(name)).collect();
    assert!(missing.is_empty(), "no doc(alias) for {missing:?}");
    for name in called {
        assert!(cuda_sys::Symbol::from_name(name).is_some(), "{name}");
    }
}

/// The string literal that a text begins with, after white space and `(`, without its line breaks.
fn literal(text: &str) -> Option<String> {
    let rest = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(');
    let (inside, _) =
        rest.strip_prefix('"')?.replace("\\\"", "'").split_once('"').map(|(a, b)| (a.to_owned(), b.len()))?;
    Some(inside.split("\\\n").map(str::trim_start).collect())
}

/// The constructors of refusals take the object, or the call, apart from the rest of the text.
#[test]
fn refusals_name_a_subject_and_a_limit() {
    let mut checked = [0, 0];
    for path in sources(&root().join("cuda-rt/src")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let code: String =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let code = code.split("#[cfg(test)]").next().unwrap();
        for name in
            ["invalid", "empty", "out_of_bounds", "length_mismatch", "size_overflow", "not_a_power_of_two"]
        {
            for rest in code.split(&format!("Error::{name}(")).skip(1) {
                let Some(object) = literal(rest) else { continue };
                assert!(
                    is_refusal_text(&format!("{object}: 1 is more than 0")),
                    "{}: {object}",
                    path.display()
                );
                checked[0] += 1;
            }
        }
        let details = ["let text = ", "format_args!("].map(|start| code.split(start).skip(1));
        for detail in details.into_iter().flatten().filter_map(literal) {
            // Subjects and plain values are checked with the whole.
            if detail.split(' ').count() < 5 {
                continue;
            }
            assert!(!hides_subject(&detail), "{}: {detail}", path.display());
            let first = detail.split(' ').next().unwrap();
            let is_name = first.chars().all(|letter| !letter.is_lowercase());
            let begins = detail.starts_with(|letter: char| !letter.is_uppercase()) || is_name;
            assert!(begins && !detail.ends_with('.'), "{}: {detail}", path.display());
            checked[1] += 1;
        }
    }
    assert!(checked[0] > 50 && checked[1] > 60, "{checked:?}");
}

#[test]
fn conformance_facts_are_well_formed() {
    let facts = std::fs::read_to_string(root().join("conformance/facts.tsv")).unwrap();
    let mut ids = BTreeSet::new();
    for line in facts.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, .., file] = columns[..] else { panic!("{line}") };
        assert_eq!(columns.len(), 6, "{line}");
        assert!(columns.iter().all(|column| !column.trim().is_empty()), "{line}");
        assert!(ids.insert(id.to_owned()), "{id} twice");
        assert!(root().join(file).exists(), "{file}");
    }
    assert!(ids.len() > 50);
}

#[test]
fn each_dependency_says_why_it_is_there() {
    let members = MEMBERS.map(|member| format!("{member}/Cargo.toml"));
    for manifest in members.iter().map(String::as_str).chain(["Cargo.toml"]) {
        let text = std::fs::read_to_string(root().join(manifest)).unwrap();
        let mut inside = false;
        let mut before = "";
        for line in text.lines() {
            if line.starts_with('[') {
                inside = line.contains("dependencies]") && !line.contains("workspace");
            } else if inside && !line.is_empty() && !line.starts_with('#') {
                assert!(before.starts_with('#') || line.contains('#'), "{manifest}: {line}");
            }
            before = line;
        }
    }
}

/// Returns whether a file has unsafe code outside of comments.
fn has_unsafe(text: &str) -> bool {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("unsafe ").skip(1)).any(|rest| {
        ["{", "fn", "impl", "extern", "trait"].iter().any(|word| rest.trim_start().starts_with(word))
    })
}

#[test]
fn each_file_with_unsafe_code_says_so() {
    for member in MEMBERS {
        for path in sources(&root().join(member).join("src")) {
            if path.components().any(|part| part.as_os_str() == "generated") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let allowed = text.contains("#![allow(unsafe_code)]");
            assert_eq!(allowed, has_unsafe(&text), "{}", path.display());
        }
    }
}

/// The table in the documentation of peer access is made of `conformance/answers.tsv`: with `TABLES_WRITE` set, anew.
#[test]
fn the_documentation_of_peer_access_has_the_answers() {
    let answers = std::fs::read_to_string(root().join("conformance/answers.tsv")).unwrap();
    let mut text = "# Driver notes\n\n\
        The table lists the codes of the calls, in their order: 0 is success, and other results follow `=`. *Documented* is \
        from CUDA's\ndocumentation, *H200* was measured on two GPUs (driver 580.159, CUDA 13.0), and *cuda-sim* is the \
        software driver. `-`\nmeans that the documentation says nothing, or that the situation was not measured.\n\n\
        | function | situation | documented | H200 | cuda-sim |\n|---|---|---|---|---|\n"
        .to_owned();
    for line in answers.lines().filter(|line| line.starts_with("peer-")) {
        let cells: Vec<&str> = line.split('\t').skip(1).collect();
        let functions: Vec<String> = cells[0].split(", ").map(|function| format!("`{function}`")).collect();
        text += &format!("| {} | {} |\n", functions.join(", "), cells[1..].join(" | "));
    }
    let path = root().join("cuda-rt/docs/peer-access.md");
    if std::env::var_os("TABLES_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(text.lines().count() > 60);
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}

/// The first block of a language in a document.
fn block<'text>(text: &'text str, language: &str) -> &'text str {
    let fence = format!("\n```{language}\n");
    let (_, rest) = text.split_once(&fence).unwrap_or_else(|| panic!("no block of {language}"));
    rest.split_once("\n```").unwrap().0
}

/// The documentation tests run the program, too, as it is in the documents.
#[test]
fn readmes_have_the_program_and_what_it_prints() {
    let program = std::fs::read_to_string(root().join("cuda-rt/examples/01_quick_start.rs")).unwrap();
    let program = &program[program.find("use cuda_rt").unwrap()..];
    let example = std::env::current_exe().unwrap();
    let example = example.parent().and_then(Path::parent).unwrap().join("examples/01_quick_start");
    let printed = if example.exists() {
        Command::new(example).output().unwrap()
    } else {
        let Some(cargo) = std::env::var_os("CARGO") else { cuda_suite::skip!("there is no cargo") };
        let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
        let arguments = ["run", "--quiet", "--example", "01_quick_start", "--profile", profile];
        Command::new(cargo).current_dir(root()).args(arguments).output().unwrap()
    };
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    let printed = String::from_utf8(printed.stdout).unwrap();
    for document in ["README.md", "cuda-rt/README.md", "cuda-rt/docs/manual/quick-start.md"] {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        assert_eq!(block(&text, "rust"), program.trim_end(), "{document}");
        assert_eq!(block(&text, "text"), printed.trim_end(), "{document}");
        let lines = block(&text, "toml");
        for folder in ["cuda-rt", "cuda-sim"] {
            let line = format!("\n{} = {{ path = \"../cuda/{folder}\" }}", package_name(folder));
            assert!(lines.contains(&line), "{document}: {line} is not in {lines}");
        }
    }
}

/// A hidden line may set an example up. It must not stand for a line that is shown, and not compiled.
#[test]
fn examples_compile_the_lines_that_they_show() {
    for member in MEMBERS {
        for path in sources(&root().join(member).join("src")) {
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!']).trim());
            for (line, number) in lines.zip(1..) {
                let is_switched = line == "# /*" || line == "# */";
                let is_unchecked = line.starts_with("# ") && line.contains("typed_unchecked");
                assert!(!is_switched && !is_unchecked, "{}:{number}: {line}", path.display());
            }
        }
    }
}

#[test]
fn texts_have_no_addresses_of_registries() {
    let registries = [["crates", ".io"], ["lib", ".rs/"], ["pypi", ".org"]].map(|parts| parts.concat());
    let folders = MEMBERS.map(|member| root().join(member).join("src"));
    let folders =
        folders.into_iter().chain(["tests", "cuda-rt/examples", "benches"].map(|folder| root().join(folder)));
    let mut texts: Vec<PathBuf> = folders.flat_map(|folder| sources(&folder)).collect();
    texts.extend(MEMBERS.map(|member| root().join(member).join("README.md")));
    texts.extend(["README.md", "CONTRIBUTING.md"].map(|path| root().join(path)));
    texts.extend(["benches/rivals/README.md", "conformance/README.md"].map(|path| root().join(path)));
    for path in texts {
        let text = std::fs::read_to_string(&path).unwrap();
        for registry in &registries {
            assert!(!text.contains(&format!("//{registry}")), "{}: {registry}", path.display());
        }
    }
}

/// Rustdoc compiles the examples of a crate as one program, unless one has a path that is relative to its file. Then each
/// example takes as long to compile as all of them together.
#[test]
fn documentation_examples_include_no_relative_paths() {
    for path in MEMBERS.iter().flat_map(|member| sources(&root().join(member).join("src"))) {
        let text = std::fs::read_to_string(&path).unwrap();
        let includes = |line: &&str| line.contains("include_str!(\".") || line.contains("include_bytes!(\".");
        let lines = text.lines().filter(|line| line.trim_start().starts_with("//"));
        assert_eq!(lines.filter(includes).collect::<Vec<_>>(), Vec::<&str>::new(), "{}", path.display());
    }
}

#[test]
fn paths_in_contributors_documents_exist() {
    let mut checked = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        for name in text.split('`').skip(1).step_by(2) {
            let Some((folder, _)) = name.split_once('/') else { continue };
            let is_here = root().join(folder).is_dir() && folder != "target";
            if is_here && name.split_whitespace().count() == 1 {
                assert!(root().join(name).exists(), "{document}: {name}");
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "{checked}");
}

/// The links of a text in Markdown that lead to files, without the places in them.
fn links_to_files(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    let files = links
        .filter(|link| !link.contains("://") && !link.contains("::") && !link.contains(char::is_whitespace));
    files.filter_map(|link| link.split('#').next()).filter(|path| !path.is_empty())
}

#[test]
fn links_between_documents_lead_to_files() {
    let members = MEMBERS.map(|member| format!("{member}/README.md"));
    let others = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/README.md",
        "docs/glossary.md",
        "conformance/README.md",
        "cuda-rt/examples/README.md",
        "cuda-sim-driver/README.md",
    ];
    let mut count = 0;
    for document in others.into_iter().chain(members.iter().map(String::as_str)) {
        let path = root().join(document);
        let text = std::fs::read_to_string(&path).unwrap();
        for link in links_to_files(&text) {
            assert!(path.parent().unwrap().join(link).exists(), "{document}: {link}");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn index_of_documentation_lists_all_chapters() {
    let index = std::fs::read_to_string(root().join("docs/README.md")).unwrap();
    for folder in ["manual", "coming-from"] {
        for entry in std::fs::read_dir(root().join("cuda-rt/docs").join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(index.contains(&format!("(../cuda-rt/docs/{folder}/{name})")), "{folder}/{name}");
        }
    }
}
