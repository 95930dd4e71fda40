//! Runs every example of cuda-rt on the software driver, and compares its output.

#![allow(clippy::unwrap_used, clippy::panic)]

use cuda_suite::skip;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An example, its arguments, and the lines that it prints. `*` stands for any text, and the line `...` for any lines.
type Row = (&'static str, &'static [&'static str], &'static [&'static str]);

const DRIVER: &str = "no usable GPU (*): this runs on cuda-sim";

/// The examples that need nothing but the driver.
const ROWS: &[Row] = &[
    ("01_quick_start", &[], &["[11.0, 22.0, 33.0]"]),
    (
        "02_device_query",
        &[],
        &[
            DRIVER,
            "CUDA * bindings, driver for CUDA *",
            "",
            "          name                     capability  multiprocessors  memory, MiB    free, MiB  peers",
            "device 0  NVIDIA H200                     9.0              132       *       *  1",
            "device 1  NVIDIA H200                     9.0              132       *       *  0",
            "",
            "device 0",
            "  UUID                         GPU-*",
            "...",
            "  memory pools                 yes",
            "",
            "device 1",
            "...",
            "  memory pools                 yes",
        ],
    ),
    ("vector_add", &[], &[DRIVER, "device: NVIDIA H200", "1000003 sums, all right"]),
    (
        "04_struct_argument",
        &[],
        &[
            DRIVER,
            "[10.0, 10.5, 11.0, 11.5, 12.0, 12.5]",
            "*`ramp.len <= out.len()` of kernel `ramp` does not hold: 7 and 6 are compared*",
        ],
    ),
    (
        "07_device_function",
        &[],
        &[
            DRIVER,
            "without the other text: cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218: *)",
            "ptxas fatal   : Unresolved extern function 'cube'",
            "a function that is no kernel: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500: *): `cube`, and there are no kernels: *",
            "1000 squares and as many cubes, all right",
        ],
    ),
    (
        "08_constant_memory",
        &[],
        &[
            DRIVER,
            "coefficients: 16 bytes",
            "[1.0, 2.0, 0.0, 0.0] gives [1.0, 3.0, 5.0, 7.0]",
            "[0.0, 0.0, 0.0, 1.0] gives [0.0, 1.0, 8.0, 27.0]",
        ],
    ),
    (
        "03_errors",
        &[],
        &[
            DRIVER,
            "Driver, InvalidDevice: cuDeviceGet: CUDA_ERROR_INVALID_DEVICE (101: *): device 99, where there are 2",
            "Compilation, InvalidPtx: cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218: *",
            "...",
            "  lines of the log: *",
            "NotFound, NotFound: cuModuleGetFunction: * `vector_ad`, but there is `vector_add`",
            "TypeMismatch, no code: kernel `vector_add`: parameter 3 (the fourth) takes 4 bytes, `u64` has 8",
            "Driver, InvalidValue: launching `vector_add`: cuLaunchKernel: CUDA_ERROR_INVALID_VALUE (1: *4096*1024*",
            "  Some(Block { axis: X, threads: 4096, limit: 1024 })",
            "out of memory: smaller parts",
            "is the refused launch sticky? false",
        ],
    ),
    (
        "10_streams_events",
        &[],
        &[DRIVER, "upload: *s", "kernel: *s", "done: true and true", "1048576 sums, all right"],
    ),
    (
        "11_timeline",
        &["timeline.svg"],
        &[
            DRIVER,
            "streams: 1, time of 6 chunks: * us",
            "streams: 3, time of 6 chunks: * us",
            "written to timeline.svg",
        ],
    ),
    ("12_async_overlap", &[], &[DRIVER, "8 chunks of 100003 elements, all right"]),
    (
        "13_graph_capture",
        &[],
        &[
            DRIVER,
            "3 nodes, 2 edges",
            "round 1: 1000 sums of 2",
            "round 2: 1000 sums of 4",
            "round 3: 1000 sums of 6",
        ],
    ),
    (
        "14_explicit_graph",
        &[],
        &[
            DRIVER,
            "5 nodes, 4 edges",
            "* lines of DOT",
            "round 1: all sums are right",
            "round 2: all sums are right",
            "round 3: all sums are right",
        ],
    ),
    (
        "15_threads",
        &[],
        &[
            DRIVER,
            "thread 0: the mean is 2",
            "thread 1: the mean is 4",
            "thread 2: the mean is 8",
            "thread 3: the mean is 16",
        ],
    ),
    (
        "09_cooperative",
        &[],
        &[
            DRIVER,
            "32 blocks; at once fit * on each of 132 multiprocessors",
            "the sum is [8002000]",
            "4000 threads have seen it",
            "launching `rest`: cuLaunchCooperativeKernel: CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE (720: *",
        ],
    ),
    (
        "16_memory_pool",
        &[],
        &[
            DRIVER,
            "*  used MiB  highest MiB   reserved MiB",
            "new * 0            0              0",
            "a buffer of 64 MiB * 64           64             64",
            "it is freed * 0           64             64",
            "100 buffers of 32 MiB, one after the other * 0           64             64",
            "trimmed to 0 * 0           64              0",
        ],
    ),
    (
        "17_growing_buffer",
        &[],
        &[
            DRIVER,
            "1: 500000 numbers in 2 MiB of 1024 MiB of addresses",
            "2: 1000000 numbers in 4 MiB of 1024 MiB of addresses",
            "3: 1500000 numbers in 6 MiB of 1024 MiB of addresses",
            "4: 2000000 numbers in 8 MiB of 1024 MiB of addresses",
            "5: 2500000 numbers in 10 MiB of 1024 MiB of addresses",
            "the last one is [499999.0]",
        ],
    ),
    (
        "18_access_patterns",
        &[],
        &[
            DRIVER,
            "NVIDIA H200 * kernels on device 0 * the host",
            "pageable * by a copy * in place",
            "pinned * in place * in place",
            "device * in place * by a copy",
            "managed * in place * in place",
            "device 1, of a pool * by a copy * by a copy",
            "device 1, plain * by a copy * by a copy",
            "device 1, of a pool, with peer access * in place * by a copy",
            "device 1, plain, with peer access * in place * by a copy",
        ],
    ),
    (
        "19_texture_rotate",
        &["45", "turned.ppm"],
        &[DRIVER, "reference and object have turned 65536 pixels alike", "written to turned.ppm"],
    ),
    (
        "20_surface",
        &[],
        &[
            DRIVER,
            "................    ................",
            "..#.............    ................",
            "...#............    ................",
            ".###............    ................",
            "................    ................",
            "................    ......#.........",
            "................    .......#........",
            "................    .....###........",
        ],
    ),
    ("21_peer_access", &[], &[DRIVER, "device 0 read [1, 2, 3, 4] of device 1"]),
    (
        "22_peer_texture",
        &[],
        &[
            DRIVER,
            "without access: cuTexRefSetArray: CUDA_ERROR_PEER_ACCESS_NOT_ENABLED (705: *): from device 0 to the memory of device 1",
            "a texture reference of device 0 read 32 texels of device 1",
            "a texture object of device 0 read 32 texels of device 1",
        ],
    ),
    (
        "23_peer_bandwidth",
        &[],
        &[
            DRIVER,
            "these figures are those of the simulator, not of hardware",
            "devices: 2, pairs with peer access: 2",
            "bandwidth of copies of 4 MiB, GB/s",
            "              to 0      to 1",
            "  from 0 *.* *.*",
            "  from 1 *.* *.*",
            "time of a copy of 4 bytes, us",
            "              to 0      to 1",
            "  from 0 *.* *.*",
            "  from 1 *.* *.*",
        ],
    ),
    ("24_ipc", &[], &[DRIVER, "second process: [1, 2, 3, 4]", "first process: [1, 2, 30, 40]"]),
    (
        "25_fault_injection",
        &[],
        &[
            "parts of 256 bytes",
            "2 calls failed, left: nothing",
            "* runs of a scenario of * calls, 0 went wrong",
        ],
    ),
];

/// The examples that need a compiler, which is not always there.
const WITH_COMPILER: &[Row] = &[
    ("05_cuda_cpp", &[], &[DRIVER, "[10.5, 20.5, 30.5, 40.5]"]),
    (
        "06_nvrtc_template",
        &[],
        &[
            DRIVER,
            "compiler: NVRTC of CUDA *",
            "compiled for compute_90; stored in the cache",
            "draw<float>",
            "draw<long long>",
            "[10.0, 10.5, 11.0, 11.5, 12.0, 12.5]",
            "[10, 10, 11, 11, 12, 12]",
        ],
    ),
];

/// The output of the program `nvrtc_cache`, which measures.
const MEASURED: &[&str] = &[
    "NVRTC of CUDA *, median:",
    "  opening the library * ms   (of 1: *)",
    "  PTX, first in the process * ms   (of 1: *)",
    "  PTX, compiled, no cache * ms   (of *: *)",
    "  PTX, compiled and stored * ms   (of *: *)",
    "  PTX, found in the cache * ms   (of *: *)",
    "  machine code, compiled, no cache * ms   (of *: *)",
    "  machine code, compiled and stored * ms   (of *: *)",
    "  machine code, found in the cache * ms   (of *: *)",
];

/// The names of all examples.
fn examples() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda-rt/examples");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_example =
        |path: &PathBuf| path.join("main.rs").exists() || path.extension().is_some_and(|end| end == "rs");
    paths.filter(is_example).map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// The program of an example, which `cargo test` without a choice of tests builds beside this one.
fn program(name: &str) -> PathBuf {
    let path = std::env::current_exe().unwrap();
    let folder = path.parent().unwrap().parent().unwrap().join("examples");
    let path = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    let folders =
        ["cuda-rt/examples", "examples"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let sources =
        folders.map(|folder| [folder.join(name).with_extension("rs"), folder.join(name).join("main.rs")]);
    let source = sources.into_iter().flatten().find(|path| path.exists()).unwrap();
    let age = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    assert!(age(&path) >= age(&source), "{} is missing or old: run cargo build --examples", path.display());
    path
}

/// Returns whether a line is the expected one.
fn is_like(line: &str, expected: &str) -> bool {
    let mut parts = expected.split('*');
    let Some(mut rest) = parts.next().and_then(|start| line.strip_prefix(start)) else { return false };
    let Some(end) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(end)
}

fn run(name: &str, arguments: &[&str], expected: &[&str], folder: &Path, compiler: Option<&str>) {
    let mut command = Command::new(program(name));
    command.args(arguments).current_dir(folder).env_remove("CUDA_SIM").env_remove("CUDA_VISIBLE_DEVICES");
    command.env("CUDA_RT_NVRTC_CACHE_DIR", folder).env_remove("CUDA_RT_NVRTC_CACHE_DISABLE");
    command.envs(compiler.map(|library| ("CUDA_SYS_NVRTC_LIBRARY", library)));
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{out}\n{err}", output.status);
    compare(name, &out, expected);
    if let Some(shown) = shown(name) {
        // The page leaves the line about the driver out.
        let out: Vec<&str> = out.lines().filter(|line| !is_like(line, DRIVER)).collect();
        compare(name, &out.join("\n"), &shown.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// The output of an example on the page of the examples.
fn shown(name: &str) -> Option<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda-rt/examples/README.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once(&format!("\n### {name}\n"))?;
    let section = rest.split("\n### ").next()?;
    let (_, block) = section.split_once("```text\n")?;
    Some(block.split_once("\n```")?.0.lines().map(str::to_owned).collect())
}

fn compare(name: &str, out: &str, expected: &[&str]) {
    let mut lines = out.lines();
    let mut is_any = false;
    for wanted in expected {
        if *wanted == "..." {
            is_any = true;
            continue;
        }
        let is_there = match is_any {
            true => lines.any(|line| is_like(line, wanted)),
            false => lines.next().is_some_and(|line| is_like(line, wanted)),
        };
        assert!(is_there, "{name} does not print in its place: {wanted}\n{out}");
        is_any = false;
    }
    if is_any {
        return;
    }
    assert_eq!(lines.next(), None, "{name} prints more\n{out}");
}

#[test]
fn every_example_has_its_output_on_the_page() {
    for name in examples() {
        assert!(shown(&name).is_some(), "{name}");
    }
}

#[test]
fn every_example_is_run_by_these_tests() {
    let rows: Vec<&str> = ROWS.iter().chain(WITH_COMPILER).map(|(name, ..)| *name).collect();
    assert_eq!(examples(), rows.iter().map(|name| (*name).to_owned()).collect());
}

/// Examples use the GPU of the machine, if there is one.
fn has_gpu() -> bool {
    cuda_sim::install_unless_gpu(cuda_sim::Config::default()).unwrap().is_none()
}

#[test]
fn examples_print_what_is_expected() {
    if has_gpu() {
        skip!("the examples run on the GPU of this machine");
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, arguments, expected) in ROWS {
        run(name, arguments, expected, folder.path(), None);
    }
    let picture = std::fs::read(folder.path().join("turned.ppm")).unwrap();
    assert!(picture.starts_with(b"P6 256 256 255\n"));
    assert_eq!(picture.len(), 15 + 3 * 256 * 256);
    let timeline = std::fs::read_to_string(folder.path().join("timeline.svg")).unwrap();
    assert_eq!(parts_of_timeline(&timeline), PARTS_OF_TIMELINE, "{timeline}");
    assert!(timeline.contains("driver: cuda-sim"), "{timeline}");
}

/// The parts of a timeline: the uploads, kernels and downloads of 6 chunks, on one stream and on three.
const PARTS_OF_TIMELINE: [usize; 3] = [12, 12, 12];

fn parts_of_timeline(svg: &str) -> [usize; 3] {
    ["upload", "kernel", "download"].map(|part| svg.matches(&format!(", {part}</title>")).count())
}

/// The picture in the documentation is of a run on hardware or on the software driver, which it names. Its times differ from run to run.
#[test]
fn timeline_of_the_documentation_has_all_parts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda-rt/docs/timeline.svg");
    let svg = std::fs::read_to_string(path).unwrap();
    assert_eq!(parts_of_timeline(&svg), PARTS_OF_TIMELINE);
    assert!(svg.contains("driver: "));
}

/// The Rust files of an example: its own, or those of its folder.
fn files(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda-rt/examples");
    let file = folder.join(name).with_extension("rs");
    if file.exists() {
        return vec![file];
    }
    let paths = std::fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

#[test]
fn examples_are_short_and_say_how_to_run() {
    for name in examples() {
        for path in files(&name) {
            let text = std::fs::read_to_string(&path).unwrap();
            let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
            let code = text.lines().filter(is_code).count();
            assert!(code <= 80, "{}: {code} lines of code", path.display());
            assert!(!text.contains(".unwrap()") && !text.contains(".expect("), "{}", path.display());
            if path.ends_with("picture.rs") {
                continue;
            }
            let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).collect();
            assert!((5..=10).contains(&head.len()), "{}: a comment of {} lines", path.display(), head.len());
            let command = format!("--example {name}");
            let is_command = |line: &&&str| line.ends_with(&command) || line.contains(&format!("{command} "));
            assert!(head.iter().any(|line| is_command(&line)), "{}: no {command}", path.display());
        }
    }
}

/// Names of examples as documents write them: two digits and words, with `_` between them.
fn mentions(text: &str) -> BTreeSet<&str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words = text.split(|letter: char| !is_part(letter)).filter(|word| word.len() > 3);
    let types = ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "f32", "f64"];
    let is_name = |word: &&str| {
        let (number, rest) = word.split_at(2);
        let is_numbered = number.bytes().all(|byte| byte.is_ascii_digit());
        let is_word = |rest: &str| {
            rest.starts_with(|letter: char| letter.is_ascii_lowercase()) && !types.contains(&rest)
        };
        is_numbered && rest.strip_prefix('_').is_some_and(is_word)
    };
    words.filter(is_name).collect()
}

#[test]
fn documents_mention_examples_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "cuda-rt/README.md"]
        .iter()
        .chain(&["cuda-rt/CHANGELOG.md", "cuda-rt/Cargo.toml", "cuda-rt/examples/README.md"])
        .map(|path| root.join(path))
        .collect();
    let mut folders: Vec<PathBuf> =
        ["cuda-rt/docs", "cuda-rt/src", "cuda-rt/doc"].map(|path| root.join(path)).into();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_text = path.extension().is_some_and(|end| end == "md" || end == "rs");
            if path.is_dir() {
                folders.push(path);
            } else if is_text {
                texts.push(path);
            }
        }
    }
    let examples = examples();
    let mut found = BTreeSet::new();
    for path in texts {
        let text = std::fs::read_to_string(&path).unwrap();
        for name in mentions(&text) {
            assert!(examples.contains(name), "{}: there is no example {name}", path.display());
            found.insert(name.to_owned());
        }
    }
    // The mentions of names without a number are not told from other words.
    let numbered = |name: &&String| name.starts_with(|letter: char| letter.is_ascii_digit());
    assert!(
        found.iter().eq(examples.iter().filter(numbered)),
        "examples/README.md has all of them: {found:?}"
    );
}

/// Argument types are compared with the kernel on every driver, also if only the code has its parameters.
#[test]
fn quick_start_runs_on_drivers_of_every_age() {
    for version in ["11.0", "12.2", "13.0"] {
        let mut command = Command::new(program("01_quick_start"));
        command.env("CUDA_DRIVER", "sim").env("CUDA_SIM", format!("version={version}"));
        let output = command.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!((&*out, &*err), ("[11.0, 22.0, 33.0]\n", ""), "{version}");
    }
}

/// The NVRTC of a release.
fn compiler(part_of_path: &str) -> Option<String> {
    let libraries = std::env::var("CUDA_NVRTC_LIBRARIES").unwrap_or_default();
    let paths = std::env::split_paths(&libraries).map(|path| path.display().to_string());
    paths.into_iter().find(|path| path.contains(part_of_path))
}

#[test]
fn examples_with_a_compiler_print_what_is_expected() {
    if has_gpu() {
        skip!("the examples run on the GPU of this machine");
    }
    // The software driver takes its PTX.
    let Some(compiler) = compiler("nvrtc-11.8") else {
        skip!("CUDA_NVRTC_LIBRARIES names no NVRTC of CUDA 11.8");
    };
    let folder = tempfile::tempdir().unwrap();
    for (name, arguments, expected) in WITH_COMPILER {
        run(name, arguments, expected, folder.path(), Some(&compiler));
    }
    run("nvrtc_cache", &[], MEASURED, folder.path(), Some(&compiler));
}

#[test]
fn the_cost_of_headers_is_measured() {
    // The compiler and the headers are of one release.
    let (Some(compiler), Ok(headers)) = (compiler("nvrtc.so.13"), std::env::var("CUDA_HEADER_DIR")) else {
        skip!("CUDA_NVRTC_LIBRARIES names no NVRTC of CUDA 13, or CUDA_HEADER_DIR no headers");
    };
    let expected = [
        "  cuda_fp16.h, compiled, no cache * ms   (of 1: *)",
        "  cuda_fp16.h, compiled and stored * ms   (of 1: *)",
        "  cuda_fp16.h, first in the process * ms   (of *: *)",
        "  cuda_fp16.h, found in the cache * ms   (of *: *)",
    ];
    let folder = tempfile::tempdir().unwrap();
    let expected = [MEASURED, &expected].concat();
    run("nvrtc_cache", &[&headers], &expected, folder.path(), Some(&compiler));
}

#[test]
fn patterns_match_lines() {
    for (line, expected, is) in [
        ("abc", "abc", true),
        ("abc", "ab", false),
        ("abc", "a*", true),
        ("abc", "*c", true),
        ("abc", "a*c", true),
        ("ac", "a*c", true),
        ("a", "a*a", false),
        ("abcd", "a*c*", true),
        ("abcd", "a*e*", false),
        ("", "*", true),
    ] {
        assert_eq!(is_like(line, expected), is, "{line} {expected}");
    }
}
