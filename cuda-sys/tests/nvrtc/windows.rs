//! Search for NVRTC under Windows. Each search runs in a child.

use cuda_sys::nvrtc::Library;
use std::path::{Path, PathBuf};
use std::process::Command;

const NAMES: [&str; 3] = ["nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"];

#[test]
#[ignore = "runs in a child process"]
fn search_in_child() {
    match Library::load() {
        Ok(library) => println!("found: {}", library.origin()),
        Err(error) => println!("found: nothing: {error}"),
    }
}

/// Returns the libraries that a program with the current folder `current` finds.
fn search(current: &Path, path: &Path, toolkit: &Path) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "windows::search_in_child", "--ignored", "--nocapture"])
        .current_dir(current)
        .env("PATH", path)
        .env("CUDA_PATH", toolkit)
        .env_remove("CUDA_SYS_NVRTC_LIBRARY")
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{out}\n{}", String::from_utf8_lossy(&output.stderr));
    let found = out.lines().find_map(|line| line.strip_prefix("found: "));
    found.unwrap_or_else(|| panic!("{out}")).to_owned()
}

#[test]
fn nvrtc_is_loaded_from_installed_folders_only() {
    let Some(stand_in) = std::env::var_os("CUDA_NVRTC_STAND_IN") else {
        return crate::say_skip!("CUDA_NVRTC_STAND_IN names no library in the place of NVRTC");
    };
    let root = std::path::absolute(env!("CARGO_TARGET_TMPDIR")).unwrap().join("nvrtc-search");
    let _ = std::fs::remove_dir_all(&root);
    let [here, toolkit, folder, none] = ["here", "toolkit", "folder", "none"].map(|name| root.join(name));
    let place = |folder: &Path, name: &str| -> PathBuf {
        std::fs::create_dir_all(folder).unwrap();
        let path = folder.join(name);
        std::fs::copy(&stand_in, &path).unwrap();
        path
    };
    std::fs::create_dir_all(&none).unwrap();
    for name in NAMES {
        place(&here, name);
    }
    // Neither the current folder nor relative folders.
    for path in [&none, Path::new("."), Path::new("")] {
        let found = search(&here, path, Path::new(""));
        assert!(found.starts_with("nothing: ") && NAMES.iter().all(|name| found.contains(name)), "{found}");
    }
    // Each later library has priority over the earlier ones.
    let mut expected = Vec::new();
    expected.push(place(&folder, NAMES[2]));
    expected.push(place(&toolkit.join("bin"), NAMES[2]));
    expected.push(place(&toolkit.join("bin"), NAMES[1]));
    expected.push(place(&toolkit.join(r"bin\x64"), NAMES[1]));
    expected.push(place(&folder, NAMES[0]));
    for path in expected.iter().rev() {
        assert_eq!(search(&here, &folder, &toolkit), path.display().to_string());
        std::fs::remove_file(path).unwrap();
    }
    assert!(search(&here, &folder, &toolkit).starts_with("nothing: "));
}
