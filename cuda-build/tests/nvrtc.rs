//! NVRTC itself: the libraries that `CUDA_NVRTC_LIBRARIES` lists.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "#include \"scale.h\"
#include <bias.h>
static_assert(__cplusplus >= 201703L, \"\");
constexpr char name[] = NAME;
extern \"C\" __global__ void scale(float *x) { x[threadIdx.x] = x[threadIdx.x] * SCALE + BIAS + sizeof(name); }
";

/// A process calls the library that its environment names, in the folder of the crate, as build scripts do.
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
fn real_libraries_compile_files_and_report_lines() {
    let Some(libraries) = std::env::var("CUDA_NVRTC_LIBRARIES").ok().filter(|paths| !paths.is_empty()) else {
        // Not `eprintln!`, which the test harness swallows.
        let _ = writeln!(std::io::stderr(), "SKIP 1: cuda-build: CUDA_NVRTC_LIBRARIES lists no libraries");
        return;
    };
    for library in libraries.split(':') {
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
                .env("CUDA_BUILD_COMPILER", "nvrtc")
                .env("CUDA_SYS_NVRTC_LIBRARY", library)
                // The second library lies beside the first, where not every build of NVRTC searches.
                .env("LD_LIBRARY_PATH", Path::new(library).parent().unwrap())
                .output()
                .unwrap();
            let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
            assert!(child.status.success() && out.contains("1 passed"), "{out}\n{err}");
            out.into_owned()
        };

        let out = compile();
        let files = ["src/scale it.cu", "src/scale.h", "in clude/bias.h"];
        let files = files.map(|file| format!("cargo:rerun-if-changed={file}\n")).concat();
        assert!(out.contains(&files), "{library}: {out}");
        assert!(out.contains("cargo:warning=in clude/bias.h(2): warning"), "{library}: {out}");
        let ptx = folder.path().join("scale it.ptx");
        assert!(out.contains(&format!("PTX: {}\n", ptx.display())), "{library}: {out}");
        let ptx = std::fs::read_to_string(ptx).unwrap();
        assert!(ptx.contains(".target sm_75") && ptx.contains(".entry scale("), "{library}: {ptx}");
        assert!(ptx.ends_with('\n'), "{library}: a byte after the text");

        write("src/scale.h", "#define SCALE missing\n");
        let out = compile();
        assert!(out.contains("ERROR: src/scale it.cu: NVRTC of CUDA "), "{library}: {out}");
        assert!(
            out.contains("\nsrc/scale it.cu(5): error: identifier \"missing\" is undefined"),
            "{library}: {out}"
        );
        assert!(out.contains("\noptions: --gpu-architecture=compute_75 --std=c++17 "), "{library}: {out}");
    }
}
