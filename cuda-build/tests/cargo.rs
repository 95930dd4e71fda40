//! A crate that is built by cargo, with the stand-in for nvcc: what it includes, and what makes cargo compile again.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

const BUILD: &str = "fn main() -> Result<(), cuda_build::Error> {
    cuda_build::Ptx::new(\"src/k.cu\").compile().map(|_| ())
}
";
const MAIN: &str = "fn main() {
    print!(\"{}\", include_str!(concat!(env!(\"OUT_DIR\"), \"/k.ptx\")));
}
";

/// One test, since the first build compiles the dependencies, which takes 5 s.
#[test]
fn builds_include_the_file_and_follow_its_sources() {
    let folder = tempfile::Builder::new().prefix("with blanks ").tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::create_dir(folder.path().join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"user\"\nedition = \"2024\"\n[build-dependencies]\ncuda-build = {{ path = {:?} }}\n[workspace]\n",
        crate_folder.to_str().unwrap()
    );
    write("Cargo.toml", &manifest);
    // The versions that are there: nothing is fetched.
    let mut locks = crate_folder.ancestors().map(|folder| folder.join("Cargo.lock"));
    std::fs::copy(locks.find(|lock| lock.is_file()).unwrap(), folder.path().join("Cargo.lock")).unwrap();
    write("build.rs", BUILD);
    write("src/main.rs", MAIN);
    write("src/k.cu", "#include \"lis ted.h\"\n");
    write("src/lis ted.h", "");
    write("src/other.h", "");

    let run = |variable: &str| -> Output {
        Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
            .args(["run", "--offline", "--quiet"])
            .current_dir(folder.path())
            .env("CARGO_TARGET_DIR", folder.path().join("target"))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_INCREMENTAL", "0")
            .env("NVCC", crate_folder.join("tests/nvcc"))
            .env("CUDA_HOME", variable)
            .env("STAND_IN_RUNS", folder.path().join("runs"))
            .env_remove("CUDA_BUILD_COMPILER")
            .env_remove("DOCS_RS")
            .output()
            .unwrap()
    };
    let runs = || std::fs::read_to_string(folder.path().join("runs")).unwrap().lines().count();

    let output = run("");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("// --ptx\n") && out.ends_with("// src/k.cu\n"), "{out}\n{err}");
    assert_eq!(runs(), 1);
    for (file, expected) in [
        ("", 1),
        ("src/other.h", 1),
        ("src/main.rs", 1),
        ("Cargo.lock", 1),
        ("src/k.cu", 2),
        ("src/lis ted.h", 3),
        ("", 3),
    ] {
        if !file.is_empty() {
            let file = std::fs::File::options().append(true).open(folder.path().join(file)).unwrap();
            file.set_modified(std::time::SystemTime::now()).unwrap();
        }
        assert!(run("").status.success());
        assert_eq!(runs(), expected, "after a change of {file:?}");
    }
    assert!(run("another").status.success());
    assert_eq!(runs(), 4, "after a change of a variable");

    write("src/k.cu", "// stand-in: refuse\n");
    for _ in ["first", "again"] {
        let output = run("another");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success());
        assert!(err.contains("\n  Error: src/k.cu: ") && err.contains("\n  src/k.cu(3): error: "), "{err}");
    }
    write("src/k.cu", "");
    assert!(run("another").status.success());
    assert_eq!(runs(), 7);
}
