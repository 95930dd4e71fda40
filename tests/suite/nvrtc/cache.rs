//! The cache against real compilers: it follows every file that they open.

use super::needs_compiler;
use cuda_rt::nvrtc::{Cache, CacheOutcome, CompileOptions, Program, Target};
use std::path::Path;
use std::process::Command;

const TARGET: Target = Target::ptx((8, 0));
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
    compiled
}

#[test]
fn a_changed_header_is_noticed_by_every_reading() {
    needs_compiler!();
    let libraries = std::env::var("CUDA_NVRTC_LIBRARIES").unwrap_or_default();
    for path in libraries.split(':').filter(|path| !path.is_empty()) {
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

/// What a kernel knows of the time.
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
