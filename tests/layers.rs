//! The layers of modules, in cuda-rt, cuda-ptx, cuda-sim, its driver and its engine: a module imports only modules of lower
//! layers. cuda-sys, whose modules are few, is not checked, nor are crates of one or two files.
//!
//! Some crates have `test = false`, and a test program with the modules that have unit tests. It has all of them.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The layers of the modules in a folder.
struct Layers {
    folder: &'static str,
    /// The path of the folder's module.
    path: &'static str,
    /// From the top down. Modules of one layer do not import each other.
    layers: &'static [&'static [&'static str]],
    /// Modules that may import all others, and that all others may import.
    shared: &'static [&'static str],
}

const CUDA_RT: Layers = Layers {
    folder: "cuda-rt/src",
    path: "crate",
    layers: &[
        &["coming_from", "manual"],
        &["driver_functions"],
        &["kernels"],
        &["nvrtc"],
        &["graph"],
        &["launch"],
        &["access"],
        &["surface"],
        &["texture"],
        &["external", "graphics"],
        &["array"],
        &["coredump", "module", "profiler", "tensor_map"],
        &["memory"],
        &["ipc", "peer"],
        &["completion"],
        &["stream"],
        &["green"],
        &["event"],
        &["checkpoint", "context"],
        &["device", "error_log"],
        &["driver", "text"],
        &["handle"],
        &["error"],
        &["generated", "list", "map", "version"],
        &["random"],
    ],
    shared: &["macros"],
};

const CUDA_SIM: Layers = Layers {
    folder: "cuda-sim/src",
    path: "crate",
    layers: &[
        &["explore", "sweep"],
        &["scenario"],
        &["external", "graphics", "nvrtc"],
        &["driver"],
        &["config"],
        &["faults"],
        &["counts", "nvrtc_state", "reports"],
        &[
            "cancellation",
            "collections",
            "console",
            "decimal",
            "float_environment",
            "generated",
            "live",
            "panics",
            "sticky",
            "thread",
        ],
    ],
    shared: &[],
};

const CUDA_SIM_DRIVER_FOLDERS: Layers = Layers {
    folder: "cuda-sim/src/driver",
    path: "crate::driver",
    layers: &[
        &["entry_points"],
        &["machine"],
        &["graphs"],
        &["copies"],
        &["graphics"],
        &["images"],
        &["modules"],
        &["processes"],
        &["queues"],
        &["checks"],
        &["memory"],
        &["contexts"],
        &["rules"],
        &["stream_order"],
        &["operations"],
        &["handles"],
        &["call_site"],
    ],
    // The state of a machine has objects of every folder, and each folder has methods of it.
    shared: &["call", "state"],
};

const CUDA_SIM_ENGINE: Layers = Layers {
    folder: "cuda-sim-engine/src",
    path: "crate",
    layers: &[
        &["compile", "engine"],
        &["launch"],
        &["child_launches", "injected"],
        &["program"],
        &["function"],
        &["op"],
        &["observer"],
        &[
            "counter",
            "fault",
            "malloc_heap",
            "memory",
            "number",
            "output",
            "tensor_map",
            "texture",
            "windows",
        ],
        &["source"],
    ],
    shared: &[],
};

const CUDA_PTX: Layers = Layers {
    folder: "cuda-ptx/src",
    path: "crate",
    layers: &[
        &["tests"],
        &["declarations"],
        &["entry"],
        &["walk"],
        &["parser"],
        &["expression", "modifier"],
        &["ast", "diagnostic", "lexer", "opcode", "target"],
        &["mangle", "types"],
    ],
    shared: &[],
};

const CUDA_RT_MACROS: Layers = Layers {
    folder: "cuda-rt-macros/src/kernels",
    path: "crate::kernels",
    layers: &[&["cuda"], &["safe"], &["check"], &["cpp"], &["source"], &["input"], &["passing", "similar"]],
    shared: &[],
};

/// Returns the Rust files of a folder by the module that they belong to.
fn files(folder: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    fn visit(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    visit(folder, &mut found);
    let mut modules: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in found {
        let first = path.strip_prefix(folder).unwrap().components().next().unwrap();
        let name = first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
        modules.entry(name).or_default().push(path);
    }
    modules.retain(|name, _| name != "lib" && name != "mod");
    modules
}

/// Removes comments, and imports for documentation alone. Lines stay where they are.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut is_for_docs = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap();
        if !is_for_docs {
            code.push_str(line);
        }
        code.push('\n');
        is_for_docs = line.trim() == "#[cfg(doc)]" || is_for_docs && !line.trim_end().ends_with(';');
    }
    code
}

/// Returns the names directly below `path` that code mentions, with the lines where it does.
fn names_below(code: &str, path: &str) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    let beginning = format!("{path}::");
    for (at, _) in code.match_indices(&beginning) {
        let is_whole =
            !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == ':');
        if !is_whole {
            continue;
        }
        let line = 1 + code[..at].matches('\n').count();
        let rest = &code[at + beginning.len()..];
        let name = |text: &str| -> String {
            text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        };
        let Some(group) = rest.strip_prefix('{') else {
            names.push((name(rest), line));
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (end, c) in group.char_indices() {
            match c {
                ',' | '}' if depth == 0 => {
                    names.push((name(&group[start..end]), line));
                    start = end + 1;
                    if c == '}' {
                        break;
                    }
                }
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
        }
    }
    names.retain(|(name, _)| !name.is_empty());
    names
}

/// Returns the modules of the names that the root re-exports.
fn exported_from(root: &str, modules: &BTreeMap<String, Vec<PathBuf>>) -> BTreeMap<String, String> {
    let mut exported = BTreeMap::new();
    for module in modules.keys() {
        for (name, _) in names_below(root, module) {
            exported.insert(name, module.clone());
        }
    }
    exported
}

fn check(layers: &Layers) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(layers.folder);
    let modules = files(&folder);
    let level = |module: &str| layers.layers.iter().position(|layer| layer.contains(&module));
    let is_shared = |module: &str| layers.shared.contains(&module);
    let unknown: Vec<&String> =
        modules.keys().filter(|module| level(module).is_none() && !is_shared(module)).collect();
    assert!(unknown.is_empty(), "{}: modules without a layer: {unknown:?}", layers.folder);
    let gone: Vec<&&str> =
        layers.layers.iter().copied().flatten().filter(|module| !modules.contains_key(**module)).collect();
    assert!(gone.is_empty(), "{}: layers name modules that do not exist: {gone:?}", layers.folder);

    let root = ["lib.rs", "mod.rs"].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
    let exported = exported_from(&code_of(&std::fs::read_to_string(root.unwrap()).unwrap()), &modules);
    let mut found = Vec::new();
    for (module, paths) in modules.iter().filter(|(module, _)| !is_shared(module)) {
        for path in paths {
            let text = std::fs::read_to_string(path).unwrap();
            for (name, line) in names_below(&code_of(&text), layers.path) {
                let Some(imported) =
                    modules.get_key_value(&name).map(|(name, _)| name).or(exported.get(&name))
                else {
                    continue;
                };
                if imported != module && !is_shared(imported) && level(imported) <= level(module) {
                    let shown = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display();
                    let source = text.lines().nth(line - 1).unwrap().trim();
                    found.push(format!("{shown}:{line}: {module} imports {imported}: {source}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "imports of modules that are not below:\n{}", found.join("\n"));
}

#[test]
fn modules_of_cuda_rt_import_only_lower_layers() {
    check(&CUDA_RT);
}

#[test]
fn modules_of_the_macro_import_only_lower_layers() {
    check(&CUDA_RT_MACROS);
}

#[test]
fn modules_of_cuda_ptx_import_only_lower_layers() {
    check(&CUDA_PTX);
}

#[test]
fn modules_of_cuda_sim_import_only_lower_layers() {
    check(&CUDA_SIM);
}

#[test]
fn modules_of_the_engine_import_only_lower_layers() {
    check(&CUDA_SIM_ENGINE);
}

#[test]
fn folders_of_the_driver_import_only_lower_layers() {
    check(&CUDA_SIM_DRIVER_FOLDERS);
}

/// Returns the modules that a test program includes, as paths below `src`: `driver/memory/heap`.
fn included_modules(program: &str) -> BTreeSet<String> {
    let (mut included, mut folders, mut attribute) = (BTreeSet::new(), Vec::new(), None);
    for line in program.lines().map(str::trim) {
        let path = line.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]"));
        if let Some((_, path)) = path.and_then(|path| path.split_once("../src/")) {
            attribute = Some(path.trim_end_matches("/mod.rs").trim_end_matches(".rs").to_owned());
        } else if let Some((_, module)) = line.split_once("mod ").filter(|_| !line.starts_with("//")) {
            let name = module.trim_end_matches([' ', '{', ';']);
            let name = attribute.take().unwrap_or_else(|| name.to_owned());
            if module.ends_with('{') {
                folders.push(name);
            } else {
                let whole: Vec<&str> = folders.iter().chain([&name]).map(String::as_str).collect();
                included.insert(whole.join("/"));
            }
        } else if line.ends_with('{') {
            folders.push(String::new());
        } else if line == "}" {
            folders.pop();
        }
    }
    included
}

#[test]
fn every_unit_test_is_in_a_test_program() {
    for (folder, program) in [
        ("cuda-sim/src", include_str!("../cuda-sim/tests/driver_parts/lib.rs")),
        ("cuda-sim-engine/src", include_str!("../cuda-sim-engine/tests/parts.rs")),
    ] {
        let included = included_modules(program);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut tested = 0;
        for path in files(&folder).into_values().flatten() {
            if !std::fs::read_to_string(&path).unwrap().contains("#[test]") {
                continue;
            }
            let module = path.strip_prefix(&folder).unwrap().with_extension("");
            let is_included = module.ancestors().any(|above| included.contains(above.to_str().unwrap()));
            assert!(is_included, "no test program includes {}", path.display());
            tested += 1;
        }
        assert!(tested > 0);
    }
}

#[test]
fn included_modules_are_those_of_the_program() {
    let program = "// mod a;\n#[path = \"../src/b/mod.rs\"]\nmod b;\n#[path = \"../src/c\"]\nmod c {\n    pub(crate) mod d;\n\
                   mod e {\nmod f;\n}\nstruct G {\n h: u8,\n}\nmod k;\n}\n#[path = \"../src/i/j.rs\"]\nmod j;";
    let expected = ["b", "c/d", "c/e/f", "c/k", "i/j"].map(str::to_owned);
    assert_eq!(included_modules(program), expected.into());
}

#[test]
fn imports_are_found_in_groups_and_paths() {
    let code = code_of(
        "use crate::{a::{b, c}, D};\n// crate::comment\n#[cfg(doc)]\nuse crate::docs;\ncrate::e::f();\nother_crate::g();",
    );
    let expected = [("a", 1), ("D", 1), ("e", 5)].map(|(name, line)| (name.to_owned(), line));
    assert_eq!(names_below(&code, "crate"), expected);
}
