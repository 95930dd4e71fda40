//! Builds on machines that the tests make: a folder, variables, and a stand-in for nvcc.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use cuda_sys::nvrtc::{Attempt, LoadError, Refusal};
use std::collections::HashMap;
use tempfile::TempDir;

/// A machine without NVRTC. Its folder has blanks in its name, and `src/sim.cu`.
struct TestMachine {
    folder: TempDir,
    variables: HashMap<&'static str, OsString>,
    has_named_nvrtc: bool,
}

impl TestMachine {
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("with blanks ").tempdir().unwrap();
        let mut machine = Self { folder, variables: HashMap::new(), has_named_nvrtc: false };
        machine.set("CARGO_MANIFEST_DIR", machine.path(""));
        machine.set("OUT_DIR", machine.path("out"));
        machine.file("out/old", "");
        machine.file("src/sim.cu", "__global__ void k() {}\n");
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn set(&mut self, variable: &'static str, value: impl Into<OsString>) {
        self.variables.insert(variable, value.into());
    }

    fn with<T>(&self, call: impl FnOnce(&Machine<'_>) -> T) -> T {
        let machine = Machine {
            variable: &|name| self.variables.get(name).cloned(),
            toolkit: &self.path("usr"),
            nvrtc: &|| {
                let refusal = Refusal::NotOpened("no such file".to_owned());
                let attempts = vec![Attempt { library: "libnvrtc.so.13".to_owned(), refusal }];
                Err(LoadError { attempts, only_choice: self.has_named_nvrtc })
            },
        };
        call(&machine)
    }

    /// Returns the nvcc that is found, relative to the folder, or the text of the error.
    fn found(&self) -> Result<Option<PathBuf>, String> {
        match self.with(search::find).map_err(|error| error.to_string())? {
            Found::Nvcc(path) => Ok(Some(path.strip_prefix(self.folder.path()).unwrap().to_owned())),
            Found::Nvrtc(_) => panic!("no library can be opened"),
            Found::Nothing(_) | Found::Disabled => Ok(None),
        }
    }

    /// Returns the text of the PTX file, and the instructions for cargo.
    fn compile(&self, ptx: &Ptx) -> Result<(String, Vec<String>), Error> {
        let (path, instructions) = self.with(|machine| ptx.compile_on(machine))?;
        assert_eq!(path.parent(), Some(&*self.path("out")));
        Ok((std::fs::read_to_string(path).unwrap(), instructions))
    }
}

fn ptx() -> Ptx {
    Ptx::new("src/sim.cu")
}

fn values<'a>(instructions: &'a [String], key: &str) -> Vec<&'a str> {
    let values = instructions.iter().filter_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    values.collect()
}

#[test]
fn places_are_searched_in_the_documented_order() {
    let nvcc = format!("nvcc{}", std::env::consts::EXE_SUFFIX);
    let mut machine = TestMachine::new();
    assert_eq!(machine.found(), Ok(None));
    let add = |place: &str| machine.file(&format!("{place}/{nvcc}"), "");
    for place in ["usr/bin", "on path", "home/bin", "path/bin", "named", "first"] {
        add(place);
    }
    let found = |machine: &TestMachine| machine.found().unwrap().unwrap().parent().unwrap().to_owned();
    assert_eq!(found(&machine), Path::new("usr/bin"));
    let folders = ["", "none"].map(PathBuf::from).into_iter().chain([machine.path("on path")]);
    machine.set("PATH", std::env::join_paths(folders).unwrap());
    assert_eq!(found(&machine), Path::new("on path"));
    machine.set("CUDA_HOME", machine.path("home"));
    assert_eq!(found(&machine), Path::new("home/bin"));
    machine.set("CUDA_PATH", machine.path("path"));
    assert_eq!(found(&machine), Path::new("path/bin"));
    machine.set("NVCC", "nvcc"); // a name on PATH
    assert_eq!(found(&machine), Path::new("on path"));
    machine.set("NVCC", "named/nvcc"); // relative to the crate
    assert_eq!(found(&machine), Path::new("named"));
    machine.set("CUDA_BUILD_COMPILER", machine.path("first/nvcc"));
    assert_eq!(found(&machine), Path::new("first"));
    machine.set("CUDA_BUILD_COMPILER", "none");
    assert_eq!(machine.found(), Ok(None));
    machine.set("CUDA_BUILD_COMPILER", ""); // counts as not set
    assert_eq!(found(&machine), Path::new("named"));
}

#[test]
fn a_named_compiler_is_the_only_choice() {
    let mut machine = TestMachine::new();
    machine.file("usr/bin/nvcc", "");
    machine.set("CUDA_BUILD_COMPILER", "nvrtc");
    let error = machine.found().unwrap_err();
    assert!(error.starts_with("CUDA_BUILD_COMPILER=nvrtc: no NVRTC library could be loaded: "), "{error}");
    machine.set("CUDA_BUILD_COMPILER", "");
    machine.set("NVCC", "bin/nvcc");
    assert_eq!(machine.found().unwrap_err(), "NVCC=bin/nvcc: no such file; name nvcc, or unset NVCC");
    let error = machine.compile(&ptx().or_file("src/sim.cu")).unwrap_err();
    assert!(matches!(error, Error::CompilerUnusable { .. }), "{error}");
    let mut machine = TestMachine::new();
    machine.has_named_nvrtc = true;
    assert!(machine.found().unwrap_err().starts_with("NVRTC: "));
}

#[test]
fn the_error_lists_every_place() {
    let mut machine = TestMachine::new();
    machine.set("CUDA_PATH", "opt");
    let error = machine.compile(&ptx()).unwrap_err();
    let expected = format!(
        "src/sim.cu: no CUDA compiler was found. Searched:\n  \
         CUDA_BUILD_COMPILER (not set)\n  \
         NVCC (not set)\n  \
         CUDA_PATH: {} (no such file)\n  \
         CUDA_HOME (not set)\n  \
         nvcc on PATH (not found)\n  \
         {} (no such file)\n  \
         NVRTC, libnvrtc.so.13: no such file\n\
         Install the CUDA toolkit or NVRTC, name nvcc in NVCC or the library of NVRTC in CUDA_SYS_NVRTC_LIBRARY, or \
         give a PTX file to take instead: `.or_file(\"src/sim.ptx\")`",
        Path::new("opt").join("bin").join("nvcc").display(),
        machine.path("usr").join("bin").join("nvcc").display()
    );
    assert_eq!(error.to_string(), expected);
    assert_eq!(format!("{error:?}"), expected);
}

#[test]
fn without_a_compiler_the_committed_file_is_copied() {
    let mut machine = TestMachine::new();
    machine.file("src/sim.ptx", "committed");
    let ptx = ptx().or_file("src/sim.ptx");
    let (text, instructions) = machine.compile(&ptx).unwrap();
    assert_eq!(text, "committed");
    assert_eq!(values(&instructions, "rerun-if-changed"), ["src/sim.cu", "src/sim.ptx"]);
    let warning = "src/sim.cu is not compiled: no CUDA compiler was found; src/sim.ptx is taken instead";
    assert_eq!(values(&instructions, "warning"), [warning]);
    assert!(values(&instructions, "rerun-if-env-changed").contains(&"CUDA_BUILD_COMPILER"));
    for variable in ["CUDA_BUILD_COMPILER", "DOCS_RS"] {
        machine.set(variable, "none");
        let (text, instructions) = machine.compile(&ptx).unwrap();
        assert_eq!((text.as_str(), values(&instructions, "warning")), ("committed", Vec::new()));
    }
    std::fs::remove_file(machine.path("src/sim.ptx")).unwrap();
    let error = machine.compile(&ptx).unwrap_err();
    assert!(matches!(&error, Error::File { path, .. } if path == Path::new("src/sim.ptx")), "{error}");
}

#[test]
fn documentation_builds_need_no_file() {
    let mut machine = TestMachine::new();
    machine.set("CUDA_BUILD_COMPILER", "none");
    let error = machine.compile(&ptx()).unwrap_err().to_string();
    assert!(error.contains("Searched:\n  CUDA_BUILD_COMPILER=none\n"), "{error}");
    machine.set("DOCS_RS", "1");
    let (text, _) = machine.compile(&ptx().file_name("other.ptx")).unwrap();
    assert_eq!(text, NO_KERNELS);
    assert!(machine.path("out/other.ptx").exists());
}

#[test]
fn unusable_arguments_are_refused() {
    let mut machine = TestMachine::new();
    let refused = |ptx: Ptx| machine.compile(&ptx).unwrap_err().to_string();
    let text = "target: `sm_80` is not a virtual architecture; name one like `compute_75`";
    assert_eq!(refused(ptx().target("sm_80")), text);
    let text = "file_name: `a/b.ptx` is not a file name; leave folders out";
    assert_eq!(refused(ptx().file_name("a/b.ptx")), text);
    assert_eq!(refused(Ptx::new("")), "new: `` is not the path of a file; name a CUDA C++ file");
    assert!(refused(Ptx::new("src/none.cu")).starts_with("src/none.cu: "));
    machine.variables.remove("OUT_DIR");
    let error = machine.compile(&ptx()).unwrap_err().to_string();
    assert_eq!(error, "OUT_DIR is not set; call cuda-build from a build script, which cargo runs");
}

/// The stand-in is a script.
#[cfg(unix)]
mod nvcc {
    use super::*;

    fn machine(text: &str) -> TestMachine {
        let mut machine = TestMachine::new();
        machine.set("NVCC", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/nvcc"));
        machine.file("src/sim.cu", text);
        machine
    }

    #[test]
    fn options_and_paths_arrive_whole() {
        let machine = machine("");
        let ptx = ptx().target("compute_90a").define("TEXT", "\"a,b\"").define("FAST", None);
        let ptx = ptx.include("my headers").option("--use_fast_math");
        let (text, instructions) = machine.compile(&ptx).unwrap();
        let out = machine.path("out").display().to_string();
        let expected = [
            "--gpu-architecture=compute_90a",
            "--std=c++17",
            "--define-macro=TEXT=\\\"a\\,b\\\"",
            "--define-macro=FAST",
            "--include-path=my headers",
            "--use_fast_math",
            "--ptx",
            "--generate-dependencies-with-compile",
            &format!("--dependency-output={out}/sim.d"),
            &format!("--output-file={out}/sim.ptx"),
            "src/sim.cu",
        ];
        assert_eq!(text.lines().map(|line| &line[3..]).collect::<Vec<_>>(), expected);
        assert_eq!(values(&instructions, "rerun-if-changed"), ["src/sim.cu", "src/lis ted.h"]);
        assert_eq!(values(&instructions, "warning"), Vec::<&str>::new());
        let (text, _) = machine.compile(&super::ptx().option("-std=c++20")).unwrap();
        assert!(text.contains("// --gpu-architecture=compute_75\n// -std=c++20\n"), "{text}");
    }

    #[test]
    fn warnings_are_passed_on_line_by_line() {
        let (_, instructions) = machine("// stand-in: warn").compile(&ptx()).unwrap();
        let warnings = ["src/sim.cu(2): warning: unused", "  x = y;"];
        assert_eq!(values(&instructions, "warning"), warnings);
    }

    #[test]
    fn headers_are_scanned_for_if_nvcc_lists_none() {
        let machine = machine("// stand-in: list nothing\n#include \"a.h\"");
        machine.file("src/a.h", "");
        let (_, instructions) = machine.compile(&ptx()).unwrap();
        assert_eq!(values(&instructions, "rerun-if-changed"), ["src/sim.cu", "src/a.h"]);
    }

    #[test]
    fn a_refused_file_shows_the_whole_log() {
        let machine = machine("// stand-in: warn\n// stand-in: refuse");
        // The committed file is for machines without a compiler only.
        let error = machine.compile(&ptx().or_file("src/sim.cu")).unwrap_err().to_string();
        let nvcc = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/nvcc");
        let start = format!(
            "src/sim.cu: {nvcc} does not compile the file: exit status: 2\n\
             from the host's compiler\n\
             src/sim.cu(2): warning: unused\n\n  x = y;\n\
             src/sim.cu(3): error: identifier \"x\" is undefined\n\
             options: --gpu-architecture=compute_75 --std=c++17 --ptx "
        );
        assert!(error.starts_with(&start), "{error}");
    }

    #[test]
    fn a_compiler_that_writes_nothing_is_an_error() {
        let machine = machine("// stand-in: write nothing");
        machine.file("out/sim.ptx", "old");
        let error = machine.compile(&ptx()).unwrap_err().to_string();
        assert!(error.contains("/nvcc: the program succeeded, but did not write "), "{error}");
    }

    #[test]
    fn a_program_that_cannot_run_is_an_error() {
        let mut machine = machine("");
        machine.set("NVCC", machine.file("usr/text", "not a program"));
        let error = machine.compile(&ptx()).unwrap_err().to_string();
        assert!(error.contains("usr/text: the program could not be run: "), "{error}");
    }
}
