//! Generates `cuda-sys/src/generated/{types,functions}.rs` from a CUDA release's headers, and what the
//! software driver needs to know of the functions: `cuda-sim/src/generated/{returns,twins}.rs`.
//!
//! Three sources are joined. bindgen reads `cuda.h` in its "internal" view, which declares every
//! version of every function under its exported name. `cudaTypedefs.h` names the release that
//! introduced each of them. `cuda.h`'s own text says which documentation group each belongs to.

mod functions;
mod nvrtc;
mod returns;
mod twins;
mod types;
mod versions;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io::Write};

pub(crate) fn run() {
    for watched in ["generator", "wrapper.h"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    for variable in ["CUDA_HEADER_DIR", "CUDA_SYS_CHECK", "CUDA_HOME", "CUDA_PATH", "LIBCLANG_PATH"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let headers = header_directory();
    let cuda_h = read(&headers.join("cuda.h"));
    let typedefs_h = read(&headers.join("cudaTypedefs.h"));

    let raw = types::bindgen(&headers);
    let (types, declarations) = types::split(&raw);
    let releases = versions::introduced(&typedefs_h);
    let bound = versions::bound(&declarations, &releases);
    let groups = versions::groups(&cuda_h);

    let release = versions::header_release(&cuda_h);
    emit("cuda-sys", "types.rs", &types::file(&types, release));
    emit("cuda-sys", "functions.rs", &functions::file(&bound, &groups, release));
    emit("cuda-sim", "returns.rs", &returns::file(&bound, &cuda_h, release));
    emit("cuda-sim", "twins.rs", &twins::file(&bound, &cuda_h, &typedefs_h, release));
    nvrtc::write(&headers, release);
}

/// The directory that `CUDA_HEADER_DIR` names, else the toolkit's.
fn header_directory() -> PathBuf {
    let stated = env::var_os("CUDA_HEADER_DIR").map(PathBuf::from);
    let toolkits = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let candidates: Vec<PathBuf> = match stated {
        Some(directory) => vec![directory],
        None => toolkits.chain([PathBuf::from("/usr/local/cuda")]).map(|root| root.join("include")).collect(),
    };
    candidates
        .iter()
        .find(|directory| directory.join("cuda.h").is_file())
        .unwrap_or_else(|| panic!("no cuda.h in any of {candidates:?}: set CUDA_HEADER_DIR"))
        .clone()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Formats `source` and writes it, or compares it when checking.
fn emit(member: &str, name: &str, source: &str) {
    let path = Path::new(member).join("src/generated").join(name);
    let formatted = rustfmt(source);
    if env::var_os("CUDA_SYS_CHECK").is_some_and(|value| value != "0") {
        let committed = read(&path);
        if let Some((line, (old, new))) =
            committed.lines().zip(formatted.lines()).enumerate().find(|(_, (old, new))| old != new)
        {
            panic!("{}:{} differs\n committed: {old}\n generated: {new}", path.display(), line + 1);
        }
        assert!(committed == formatted, "{} differs in length", path.display());
    } else {
        fs::write(&path, formatted).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

fn rustfmt(source: &str) -> String {
    let mut child = Command::new(env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into()))
        .args(["--edition", "2024", "--config-path", "rustfmt.toml"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt is needed to write the bindings");
    let mut input = child.stdin.take().expect("stdin is piped");
    let text = source.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("rustfmt ends");
    writer.join().expect("the writer ends").expect("rustfmt reads its input");
    assert!(output.status.success(), "rustfmt refused the generated code");
    String::from_utf8(output.stdout).expect("rustfmt writes UTF-8")
}
