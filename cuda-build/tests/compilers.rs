//! The compilers themselves: those that `CUDA_NVCC` and `CUDA_NVRTC_LIBRARIES` list.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

const SOURCE: &str = "#include \"scale.h\"
#include <bias.h>
static_assert(__cplusplus >= 201703L, \"\");
constexpr char name[] = NAME;
extern \"C\" __global__ void scale(float *x) { x[threadIdx.x] = x[threadIdx.x] * SCALE + BIAS + sizeof(name); }
";

/// A process of its own, in the folder of the crate, as build scripts are. It has one library of NVRTC at most.
#[test]
#[ignore = "runs in a child process"]
fn child() {
    let ptx = cuda_build::Ptx::new("src/scale it.cu").include("in clude").define("NAME", "\"a,b\"");
    let mut text = String::new();
    match ptx.compile() {
        Ok(path) => writeln!(text, "PTX: {}", path.display()).unwrap(),
        Err(error) => writeln!(text, "ERROR: {error}").unwrap(),
    }
    std::io::stdout().write_all(text.as_bytes()).unwrap();
}

#[test]
fn nvcc_compiles_files_and_reports_lines() {
    for nvcc in listed("CUDA_NVCC") {
        compile_and_fail(&nvcc, "", &nvcc);
    }
}

#[test]
fn nvrtc_compiles_files_and_reports_lines() {
    for library in listed("CUDA_NVRTC_LIBRARIES") {
        compile_and_fail("nvrtc", &library, "NVRTC of CUDA ");
    }
}

/// Returns the paths in a variable.
fn listed(variable: &str) -> Vec<String> {
    let paths = std::env::var(variable).unwrap_or_default();
    let paths: Vec<String> = paths.split(':').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    if paths.is_empty() {
        static SKIPPED: AtomicU32 = AtomicU32::new(0);
        let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
        // Not `eprintln!`, which the test harness swallows.
        let _ = writeln!(std::io::stderr(), "SKIP {count}: cuda-build: {variable} lists no compilers");
    }
    paths
}

fn compile_and_fail(compiler: &str, library: &str, described: &str) {
    let folder = tempfile::Builder::new().prefix("with blanks ").tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("src/scale it.cu", SOURCE);
    write("src/scale.h", "#define SCALE 2.0f\n");
    write("in clude/bias.h", "#define BIAS 1.0f\n#warning biased\n");
    let compile = || {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child", "--ignored", "--nocapture"])
            .current_dir(folder.path())
            .env("CARGO_MANIFEST_DIR", folder.path())
            .env("OUT_DIR", folder.path())
            .env_remove("DOCS_RS")
            .env("CUDA_BUILD_COMPILER", compiler)
            .env("CUDA_SYS_NVRTC_LIBRARY", library)
            // The second library lies beside the first, where not every build of NVRTC searches.
            .env("LD_LIBRARY_PATH", Path::new(library).parent().unwrap_or(Path::new("")))
            .output()
            .unwrap();
        let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
        assert!(child.status.success() && out.contains("1 passed"), "{out}\n{err}");
        format!("{compiler} {library}\n{out}")
    };

    let out = compile();
    for file in ["src/scale it.cu", "src/scale.h", "in clude/bias.h"] {
        assert!(out.contains(&format!("\ncargo:rerun-if-changed={file}\n")), "{out}");
    }
    assert!(out.contains("\ncargo:warning=in clude/bias.h"), "{out}");
    let path = folder.path().join("scale it.ptx");
    assert!(out.contains(&format!("\nPTX: {}\n", path.display())), "{out}");
    let ptx = std::fs::read_to_string(path).unwrap();
    assert!(ptx.contains(".target sm_75") && ptx.contains(".entry scale("), "{out}{ptx}");
    assert!(ptx.ends_with('\n'), "{out}{ptx}");

    write("src/scale.h", "#define SCALE missing\n");
    let out = compile();
    assert!(out.contains(&format!("\nERROR: src/scale it.cu: {described}")), "{out}");
    assert!(out.contains("\nsrc/scale it.cu(5): error: identifier \"missing\" is undefined"), "{out}");
    assert!(out.contains("\noptions: --gpu-architecture=compute_75 --std=c++17 "), "{out}");
}
