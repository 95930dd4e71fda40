//! Generates the raw bindings, and tables about each function, from a CUDA release's headers and from
//! the project's own table of symbols.
//!
//! bindgen reads `cuda.h` and its side headers in their "internal" view, which declares every version of every
//! function under its exported name. `symbols.tsv` has the facts that no header has in a form for programs. The facts that the
//! headers do have are compared with it, and any difference stops the build.

mod docs;
mod enumerators;
mod header;
mod layout;
mod lists;
mod numbers;
mod nvrtc;
mod returns;
mod rust;
mod subjects;
mod symbols;
mod table;
mod traits;
mod types;

use header::Headers;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs, io::Write};
use table::{Set, Table};

pub(crate) fn run() {
    for watched in ["generator", "wrapper.h"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    for variable in ["CUDA_HEADER_DIR", "CUDA_SYS_CHECK", "CUDA_HOME", "CUDA_PATH", "LIBCLANG_PATH"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let headers = Headers::find();
    let release = headers.release();
    let table = Table::read(Path::new("generator"));

    let base = types::read(&headers, types::Source::Driver);
    types::compare_targets(&headers, &base);
    let sides =
        [Set::Gl, Set::Egl, Set::Vdpau].map(|set| (set, types::read(&headers, types::Source::Side(set))));
    let mut declarations = base.declarations.clone();
    declarations.extend(sides.iter().flat_map(|(_, side)| side.declarations.clone()));
    declarations.extend(types::by_hand());
    table.compare(&declarations, &headers);

    let first_lines = format!(
        "// Generated from the interface of CUDA {}.{} by `cargo build --features regenerate`. Do not edit.\n",
        release / 1000,
        release % 1000 / 10
    );
    let write = |path: &str, text: &str| emit(Path::new(path), &format!("{first_lines}\n{text}"));
    let sys = "cuda-sys/src/generated";
    write(&format!("{sys}/types.rs"), &format!("{}\n{}", base.types, layout::list(&base.layouts)));
    write(&format!("{sys}/enumerators.rs"), &enumerators::list(&base.types));
    for (set, side) in &sides {
        let (types, layouts) = (&side.types, layout::list(&side.layouts));
        write(
            &format!("{sys}/{}_types.rs", set.module()),
            &format!("use super::types::*;\n\n{types}\n{layouts}"),
        );
        if *set != Set::Vdpau {
            write(&format!("{sys}/{}_enumerators.rs", set.module()), &enumerators::list(types));
        }
    }
    write(&format!("{sys}/symbols.rs"), &symbols::file(&table, &declarations));
    write(&format!("{sys}/functions.rs"), &lists::file(&table, &declarations));
    write(&format!("{sys}/nvrtc.rs"), &nvrtc::file(&headers.folder, release));
    write("cuda-sys/tests/layout/subjects.rs", &subjects::file(&base, &sides));
    for (name, text) in numbers::files(&base.types, Path::new("generator")) {
        write(&format!("cuda-rt/src/generated/{name}"), &text);
    }
    write("cuda-sim/src/generated/documented_codes.rs", &returns::file(&table, &declarations, &headers));
    write("cuda-sim/src/generated/per_thread_functions.rs", &lists::twins(&table, &declarations));
    write("cuda-sim/src/generated/unbound_exports.rs", &lists::others(&table));
}

/// Formats `source` and writes it, or compares it when checking.
fn emit(path: &Path, source: &str) {
    let formatted = rustfmt(source);
    if env::var_os("CUDA_SYS_CHECK").is_some_and(|value| value != "0") {
        let committed = header::read(path);
        if let Some((line, (old, new))) =
            committed.lines().zip(formatted.lines()).enumerate().find(|(_, (old, new))| old != new)
        {
            panic!("{}:{} differs\n committed: {old}\n generated: {new}", path.display(), line + 1);
        }
        assert!(committed == formatted, "{} differs in length", path.display());
    } else {
        fs::write(path, formatted).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
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
