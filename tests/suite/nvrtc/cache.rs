//! The cache against real compilers: it follows every file that they open.

use super::needs_compiler;
use cuda_rt::device::ComputeCapability;
use cuda_rt::nvrtc::{Cache, CacheOutcome, CompileOptions, Program, Target};
use std::path::Path;
use std::process::Command;

const TARGET: Target = Target::ptx(ComputeCapability::new(8, 0));
const KERNEL: &str = "\nextern \"C\" __global__ void k(int *x) { *x = V; }\n";

fn ptx(program: &Program) -> Option<String> {
    program.compile(TARGET).ok()?.ptx().map(str::to_owned)
}

/// A program of each of these texts is never found with the header as it was before; how many compile.
fn notices(place: &Path) -> usize {
    let header = place.join("a.h");
    let full = header.display().to_string();
    let breaks = ["\\\n", "\\ \n", "\\\t\r\n", "\\\x0b\n", "??/\n", "??/ \n", "\\\r\r\n", "\r", "\\\r"];
    let mut texts: Vec<String> = Vec::new();
    for line_break in breaks {
        let around = [
            "// c|#include \"a.h\"",
            "#inc|lude \"a.h\"",
            "#|include \"a.h\"",
            "#include|\"a.h\"",
            "#include \"a|.h\"",
        ];
        texts.extend(around.map(|text| text.replace('|', line_break)));
    }
    texts.extend([
        "/**/ #include \"a.h\"".into(),
        "#/**/include \"a.h\"".into(),
        "#/*\n*/include \"a.h\"".into(),
        "%:include \"a.h\"".into(),
        "??=include \"a.h\"".into(),
        "#\x0cinclude\x0b\"a.h\"".into(),
        "#define V R\"(\\\n)\"[0]\n#undef V\n#include \"a.h\"".into(),
        format!("#include <{full}>"),
        format!("#include \"{full}\""),
        format!("#if __has_include(<{full}>)\n#include <{full}>\n#endif"),
        "#define H __has_include\n#if H(\"a.h\")\n#include \"a.h\"\n#endif".into(),
        "#define A \"a.h\"\n#include A".into(),
    ]);
    let mut compiled = 0;
    for text in texts {
        let program = Program::new(text.clone() + KERNEL).name(place.join("p.cu").display().to_string());
        let program = program.cache(Cache::in_folder(place.join("cache")));
        for value in ["1001", "2002"] {
            std::fs::write(&header, format!("#define V {value}\n")).unwrap();
            // Not every compiler takes each of them.
            let Some(ptx) = ptx(&program) else { break };
            assert!(ptx.contains(value), "{text:?}");
            compiled += 1;
        }
    }
    // A name that ends in a slash.
    let named = Program::new(format!("#include \"a.h\"{KERNEL}")).name(place.display().to_string() + "/");
    let named = named.cache(Cache::in_folder(place.join("cache")));
    for value in ["1001", "2002"] {
        std::fs::write(&header, format!("#define V {value}\n")).unwrap();
        assert!(ptx(&named).unwrap().contains(value));
        assert_eq!(*named.compile(TARGET).unwrap().cache_outcome(), CacheOutcome::Found);
    }
    compiled + notices_unusual_places(place)
}

/// The same for names and folders that the compiler changes before it looks for them.
fn notices_unusual_places(place: &Path) -> usize {
    let full = place.display().to_string();
    let mut cases: Vec<(&str, &str, String)> = ["", " ", "\t", "\n", "\r\n", "\x0b", "\x0c", "/ "]
        .map(|end| ("<v.h>", "v.h", full.clone() + end))
        .into();
    cases.extend([
        ("<x>", "x.stdh", full.clone()),
        ("\"x\"", "x.stdh", full.clone()),
        ("<./x>", "x.stdh", full.clone()),
        ("<sub.d/x>", "sub.d/x.stdh", full.clone()),
        ("<back\\slash>", "back\\slash.stdh", full.clone()),
        ("<w.h/>", "w.h", full.clone()),
        ("\"w.h//\"", "w.h", full),
    ]);
    std::fs::create_dir_all(place.join("sub.d")).unwrap();
    let mut compiled = 0;
    for (header, file, include_dir) in cases {
        let options = CompileOptions::new().include_dir(&include_dir);
        let program = Program::new(format!("#include {header}{KERNEL}")).options(options);
        let program = program.cache(Cache::in_folder(place.join("cache")));
        for value in ["1001", "2002"] {
            std::fs::write(place.join(file), format!("#define V {value}\n")).unwrap();
            // 13.5 alone takes a name that ends in a slash.
            let Some(ptx) = ptx(&program) else {
                assert!(header.contains("w.h"), "{header} in {include_dir:?}");
                break;
            };
            assert!(ptx.contains(value), "{header} in {include_dir:?}");
            compiled += 1;
        }
        std::fs::remove_file(place.join(file)).unwrap();
    }
    // The order of the search: each comes before those that there are.
    let at = |name: &str| place.join("order").join(name);
    for name in ["one", "two"] {
        std::fs::create_dir_all(at(name)).unwrap();
    }
    let options = CompileOptions::new().include_dir(at("one")).include_dir(at("two"));
    let program = Program::new(format!("#include \"x\"{KERNEL}")).name(at("p.cu").display().to_string());
    let program = program.options(options).cache(Cache::in_folder(place.join("cache")));
    for (number, name) in
        ["two/x.stdh", "two/x", "one/x.stdh", "one/x", "x.stdh", "x"].into_iter().enumerate()
    {
        let value = (3003 + number).to_string();
        std::fs::write(at(name), format!("#define V {value}\n")).unwrap();
        assert!(ptx(&program).unwrap().contains(&value), "{name}");
        assert_eq!(*program.compile(TARGET).unwrap().cache_outcome(), CacheOutcome::Found, "{name}");
        compiled += 1;
    }
    compiled
}

/// A header that is another one only while a program is compiled: no entry is of the other one.
#[cfg(unix)]
#[test]
fn a_header_swapped_meanwhile_spoils_no_entry() {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;
    needs_compiler!();
    let place = tempfile::tempdir().unwrap();
    let (header, other) = (place.path().join("v.h"), place.path().join("other"));
    let put = |value: &str| {
        std::fs::write(&other, format!("#define V {value}\n")).unwrap();
        std::fs::rename(&other, &header).unwrap();
    };
    let program = |number: usize| {
        let options = CompileOptions::new().include_dir(place.path());
        let program = Program::new(format!("// {number}\n#include <v.h>{KERNEL}")).options(options);
        program.cache(Cache::in_folder(place.path().join("cache")))
    };
    const PROGRAMS: usize = 12;
    put("1001");
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                for value in ["2002", "1001"] {
                    put(value);
                    // Longer than a step of the file system's clock.
                    std::thread::sleep(Duration::from_millis(11));
                }
            }
        });
        for number in 0..PROGRAMS {
            ptx(&program(number)).unwrap();
        }
        is_done.store(true, Ordering::Relaxed);
    });
    for value in ["1001", "2002"] {
        put(value);
        let is_wrong = |number: &usize| !ptx(&program(*number)).unwrap().contains(value);
        assert_eq!((0..PROGRAMS).filter(is_wrong).count(), 0, "{value}");
    }
}

/// Asks the first library that `CUDA_NVRTC_LIBRARIES` lists; all of them with `NVRTC_CACHE=all`.
#[test]
fn a_changed_header_is_noticed_by_every_reading() {
    needs_compiler!();
    let libraries = std::env::var("CUDA_NVRTC_LIBRARIES").unwrap_or_default();
    let wanted =
        if std::env::var("NVRTC_CACHE").is_ok_and(|wanted| wanted == "all") { usize::MAX } else { 1 };
    for path in libraries.split(':').filter(|path| !path.is_empty()).take(wanted) {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "nvrtc::cache::child", "--ignored", "--nocapture"])
            .env("CUDA_SYS_NVRTC_LIBRARY", path)
            // Some builds look for their second library where the system does.
            .env("LD_LIBRARY_PATH", Path::new(path).parent().unwrap())
            .env_remove("CUDA_RT_NVRTC_CACHE_DISABLE")
            .output()
            .unwrap();
        let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
        assert!(child.status.success(), "{path}:\n{out}\n{err}");
        let said = out.lines().find_map(|line| line.strip_prefix("compiled: ")).unwrap();
        cuda_suite::say(&format!("{path}: {said} programs compiled"));
    }
}

/// With the library that `CUDA_SYS_NVRTC_LIBRARY` names.
#[test]
#[ignore = "runs in a child process"]
#[allow(clippy::print_stdout)]
fn child() {
    let place = tempfile::tempdir().unwrap();
    let compiled = notices(place.path());
    assert!(compiled > 20, "{compiled}");
    println!("\ncompiled: {compiled}");
}

/// Returns a program whose kernel writes the string `NOW`, which the options define.
fn with_time(options: CompileOptions) -> Program {
    let text = "extern \"C\" __global__ void k(char *x) { for (int i = 0; i < 8; i++) x[i] = NOW[i]; }";
    Program::new(text).options(options)
}

#[test]
fn the_time_is_not_kept() {
    needs_compiler!();
    let folder = tempfile::tempdir().unwrap();
    let program =
        with_time(CompileOptions::new().define("NOW", "__TIME__")).cache(Cache::in_folder(folder.path()));
    let first = ptx(&program);
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_ne!(first.unwrap(), ptx(&program).unwrap());
}
