//! The cache keeps results, and finds them again.

use crate::{program, stand_in};
use cuda_rt::device::ComputeCapability;
use cuda_rt::nvrtc::{Cache, CacheOutcome, CompileOptions, Compiled, Program, Target, Uncached};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub(crate) const TARGET: Target = Target::ptx(ComputeCapability::new(8, 0));

pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

pub(crate) fn in_folder(folder: &Path) -> Program {
    program().cache(Cache::in_folder(folder))
}

/// Compiles, and returns the outcome of the cache.
pub(crate) fn outcome(program: &Program) -> CacheOutcome {
    program.compile(TARGET).unwrap().cache_outcome().clone()
}

pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// All fields but the outcome of the cache.
fn same(one: &Compiled, other: &Compiled) -> bool {
    one.ptx() == other.ptx()
        && one.cubin() == other.cubin()
        && one.log() == other.log()
        && one.kernels() == other.kernels()
        && one.lowered_name("shaped<float>") == other.lowered_name("shaped<float>")
        && (one.target(), one.compiler()) == (other.target(), other.compiler())
}

#[test]
fn compiled_program_is_found_again() {
    let folder = folder();
    for target in [
        TARGET,
        Target::cubin(ComputeCapability::new(8, 0)),
        Target::lto_ir(ComputeCapability::new(8, 0)),
        Target::cubin(ComputeCapability::new(9, 0)).arch_specific(),
    ] {
        let program = in_folder(folder.path());
        stand_in::begin(None);
        let first = program.compile(target).unwrap();
        assert_eq!((first.cache_outcome(), stand_in::compilations()), (&CacheOutcome::Stored, 1));
        let second = program.compile(target).unwrap();
        assert_eq!((second.cache_outcome(), stand_in::compilations()), (&CacheOutcome::Found, 1));
        assert!(same(&first, &second));
        assert!(first.lowered_name("shaped<float>").is_some());
    }
    assert_eq!(entries(folder.path()).len(), 4, "one for each target, and nothing else");
}

#[test]
fn everything_that_matters_makes_another_entry() {
    let folder = folder();
    let base = in_folder(folder.path());
    assert_eq!(outcome(&base), CacheOutcome::Stored);
    let options = |options| base.clone().options(options);
    let others = [
        base.clone().name("other.cu"),
        base.clone().header("i.h", ""),
        base.clone().header("i.h", "// text"),
        base.clone().name_expression("shaped<int>"),
        base.clone().extern_c(true),
        options(CompileOptions::new().define("A", "1")),
        options(CompileOptions::new().define("A", "2")),
        options(CompileOptions::new().line_info(true)),
        options(CompileOptions::new().include_dir("x")),
        options(CompileOptions::new().raw("--restrict")),
        Program::new("extern \"C\" __global__ void other() {}").cache(Cache::in_folder(folder.path())),
    ];
    for other in &others {
        assert_eq!(outcome(other), CacheOutcome::Stored, "{other:?}");
    }
    for other in &others {
        assert_eq!(outcome(other), CacheOutcome::Found, "{other:?}");
    }
    // The end of one text does not count as the beginning of the next.
    let cut = |name: &str, text: &str| in_folder(folder.path()).header(name, text);
    assert_eq!(outcome(&cut("ab", "c")), CacheOutcome::Stored);
    assert_eq!(outcome(&cut("a", "bc")), CacheOutcome::Stored);
}

#[test]
fn program_that_does_not_compile_is_not_cached() {
    let folder = folder();
    let program = Program::new("nonsense").cache(Cache::in_folder(folder.path().join("below")));
    stand_in::begin(None);
    assert_eq!(program.compile(TARGET).unwrap_err().call(), Some("nvrtcCompileProgram"));
    assert!(!folder.path().join("below").exists(), "nothing is made before it is needed");
}

#[test]
fn damaged_entries_are_compiled_again_and_replaced() {
    let folder = folder();
    let program = in_folder(folder.path());
    let first = program.compile(TARGET).unwrap();
    let path = entries(folder.path()).remove(0);
    let whole = std::fs::read(&path).unwrap();
    let mut altered = whole.clone();
    altered[whole.len() / 2] ^= 1;
    let longer = [whole.as_slice(), b"x"].concat();
    for damaged in [&whole[..whole.len() / 2], &[], &altered, &longer] {
        std::fs::write(&path, damaged).unwrap();
        let again = program.compile(TARGET).unwrap();
        assert_eq!(*again.cache_outcome(), CacheOutcome::Replaced);
        assert!(same(&first, &again));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        assert_eq!(outcome(&program), CacheOutcome::Found);
    }
    // The entry of another program, with its own digest.
    let other = in_folder(folder.path()).name("other.cu");
    outcome(&other);
    let other = entries(folder.path()).into_iter().find(|other| *other != path).unwrap();
    std::fs::copy(&other, &path).unwrap();
    assert_eq!(outcome(&program), CacheOutcome::Replaced);
    // A folder has the name of the entry and cannot be replaced.
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir_all(path.join("x")).unwrap();
    assert!(matches!(outcome(&program), CacheOutcome::Failed(_)));
    assert_eq!(entries(folder.path()).len(), 2, "and no part of a file is left");
}

#[cfg(unix)]
#[test]
fn entries_are_this_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let below = folder.path().join("a/b");
    let program = in_folder(&below);
    assert_eq!(outcome(&program), CacheOutcome::Stored);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let path = entries(&below).remove(0);
    assert_eq!((mode(&below), mode(below.parent().unwrap()), mode(&path)), (0o700, 0o700, 0o600));
    // Another user may have written it.
    for open in [0o620, 0o602, 0o666] {
        std::fs::set_permissions(&path, PermissionsExt::from_mode(open)).unwrap();
        assert_eq!(outcome(&program), CacheOutcome::Replaced);
        assert_eq!(mode(&path), 0o600);
    }
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    assert_eq!(outcome(&program), CacheOutcome::Found, "that others read it does no harm");
    // Owned by another user.
    if std::os::unix::fs::chown(&path, Some(65534), None).is_ok() {
        assert_eq!(outcome(&program), CacheOutcome::Replaced);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_no_error() {
    let folder = folder();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    match outcome(&in_folder(&file.join("below"))) {
        CacheOutcome::Failed(reason) => {
            assert!(reason.starts_with(&file.join("below").display().to_string()), "{reason}");
            assert!(
                CacheOutcome::Failed(reason).to_string().starts_with("could not be stored in the cache: ")
            );
        }
        other => panic!("{other}"),
    }
}

#[test]
fn cache_that_is_off_stores_nothing() {
    assert_eq!(Cache::off().folder(), None);
    assert_eq!(outcome(&program()), CacheOutcome::Off);
}

#[test]
fn headers_on_disk_are_part_of_it() {
    let (folder, sources) = (folder(), folder());
    let write = |name: &str, text: &str| {
        let path = sources.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let program = || {
        let options = CompileOptions::new()
            .include_dir(sources.path().join("one"))
            .include_dir(sources.path().join("two"));
        let source = "#include <a.h>\n#include \"c.h\"\n#include \"brought.h\"";
        Program::new(source)
            .name(sources.path().join("program.cu").display().to_string())
            .header("brought.h", "")
            .options(options)
            .cache(Cache::in_folder(folder.path()))
    };
    program(); // for the stand-in
    crate::program();
    write("two/a.h", "#include \"b.h\"");
    write("two/b.h", "1");
    assert_eq!(outcome(&program()), CacheOutcome::Stored, "a file that is not there is none");
    assert_eq!(outcome(&program()), CacheOutcome::Found);
    for (name, text) in [
        ("two/b.h", "2"),    // included by a header
        ("c.h", "3"),        // which was not there
        ("one/c.h", "4"),    // comes later: nothing changes
        ("one/a.h", "5"),    // comes before the other
        ("program.cu", "6"), // the source is in memory
        ("brought.h", "7"),  // so is this one
    ] {
        write(name, text);
        let expected = match text {
            "4" | "6" | "7" => CacheOutcome::Found,
            _ => CacheOutcome::Stored,
        };
        assert_eq!(outcome(&program()), expected, "{name}");
        assert_eq!(outcome(&program()), CacheOutcome::Found, "{name}");
    }
    // As it was at first, but for files that come later.
    std::fs::remove_file(sources.path().join("one/a.h")).unwrap();
    assert_eq!(outcome(&program()), CacheOutcome::Found);
}

#[test]
fn program_with_unclear_includes_is_not_cached() {
    let folder = folder();
    let of = |source: &str| {
        crate::program();
        Program::new(source).cache(Cache::in_folder(folder.path()))
    };
    let source = "#define WHICH <a.h>\n#include WHICH";
    let unclear = Uncached::Include("#include WHICH".into());
    assert_eq!(outcome(&of(source)), CacheOutcome::Uncached(unclear.clone()));
    assert_eq!(unclear.to_string(), "its included files cannot be determined: #include WHICH");
    assert_eq!(outcome(&of(source).trust_includes(true)), CacheOutcome::Stored);
    assert_eq!(outcome(&of(source).trust_includes(true)), CacheOutcome::Found);
    assert_eq!(outcome(&of("").header("h", source)), CacheOutcome::Uncached(unclear));
    let options = |options| outcome(&in_folder(folder.path()).options(options));
    assert_eq!(options(CompileOptions::new().debug(true)), CacheOutcome::Uncached(Uncached::Debug));
    let option = Uncached::Option("--pre-include=x.h".into());
    assert_eq!(options(CompileOptions::new().raw("--pre-include=x.h")), CacheOutcome::Uncached(option));
}

/// Runs `child` in a process of its own.
fn start(folder: &Path, set: &[(&str, &str)]) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "cache::child", "--ignored", "--nocapture"])
        .env_remove("CUDA_RT_NVRTC_CACHE_DIR")
        .env_remove("CUDA_RT_NVRTC_CACHE_DISABLE")
        .env(if cfg!(windows) { "LOCALAPPDATA" } else { "XDG_CACHE_HOME" }, folder)
        .envs(set.iter().copied())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the output of the child.
fn said(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    text.lines().find_map(|line| line.strip_prefix("outcomes: ")).unwrap().to_owned()
}

/// Compiles some programs with the user's cache, several times each.
#[test]
#[ignore = "runs in a child process"]
fn child() {
    let mut outcomes = Vec::new();
    let times = std::env::var("TIMES").map_or(1, |times| times.parse().unwrap());
    for _ in 0..times {
        for name in ["a.cu", "b.cu"] {
            let compiled = program().name(name).cache(Cache::user()).compile(TARGET).unwrap();
            assert_eq!(compiled.lowered_name("shaped<float>"), Some("_Z6shapedv13"));
            assert!(compiled.ptx().unwrap().ends_with("{ ret; }\n"));
            outcomes.push(compiled.cache_outcome().to_string());
        }
        if std::env::var_os("DAMAGE").is_some() {
            let mut paths = entries(&Cache::user().folder().unwrap()).into_iter();
            let path = paths.find(|path| path.extension().is_some_and(|extension| extension == "nvrtc"));
            // Others replace it meanwhile, or find it so.
            std::fs::write(path.unwrap(), "damaged").unwrap();
        }
    }
    println!("\noutcomes: {}", outcomes.join(", "));
}

#[test]
fn environment_selects_and_disables_the_cache() {
    let (folder, other) = (folder(), folder());
    let other_name = other.path().to_str().unwrap();
    let stored = "stored in the cache, stored in the cache";
    let off = "the cache is off, the cache is off";
    assert_eq!(said(start(folder.path(), &[])), stored);
    assert_eq!(entries(&folder.path().join("cuda-rt/nvrtc")).len(), 2);
    assert_eq!(said(start(folder.path(), &[])), "found in the cache, found in the cache");
    assert_eq!(said(start(folder.path(), &[("CUDA_RT_NVRTC_CACHE_DIR", other_name)])), stored);
    assert_eq!(entries(other.path()).len(), 2);
    let found = "found in the cache, found in the cache";
    for (value, expected) in [("1", off), ("yes", off), ("0", found), ("", found)] {
        assert_eq!(
            said(start(folder.path(), &[("CUDA_RT_NVRTC_CACHE_DISABLE", value)])),
            expected,
            "{value}"
        );
    }
}

#[test]
fn processes_share_a_folder() {
    let folder = folder();
    for damage in [None, Some(("DAMAGE", "1"))] {
        let mut set = vec![("TIMES", "50")];
        set.extend(damage);
        let children: Vec<Child> = (0..6).map(|_| start(folder.path(), &set)).collect();
        for child in children {
            let outcomes = said(child);
            assert!(!outcomes.contains("could not be stored"), "{outcomes}");
        }
        let left = entries(&folder.path().join("cuda-rt/nvrtc"));
        assert_eq!(left.len(), 2, "{left:?}");
        assert!(left.iter().all(|path| path.extension().is_some_and(|extension| extension == "nvrtc")));
    }
}
