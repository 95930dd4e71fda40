//! Files that a program includes in ways that compilers read differently, and inputs that are no files.

use crate::cache::{folder, in_folder, outcome};
use crate::stand_in;
use cuda_rt::nvrtc::{Cache, CacheOutcome, CompileOptions, Program, Uncached};
use std::path::Path;

const CHANGED: CacheOutcome = CacheOutcome::Uncached(Uncached::Changed);

fn program(source: impl Into<Vec<u8>>, folder: &Path) -> Program {
    crate::program(); // for the stand-in
    Program::new(source).cache(Cache::in_folder(folder))
}

fn is_unclear(outcome: &CacheOutcome) -> bool {
    matches!(outcome, CacheOutcome::Uncached(Uncached::Include(_)))
}

#[test]
fn a_changed_header_is_noticed_however_it_is_included() {
    let (folder, sources) = (folder(), folder());
    let header = sources.path().join("a.h");
    let name = sources.path().join("program.cu").display().to_string();
    let write = |text: &str| std::fs::write(&header, text).unwrap();
    let texts = [
        "// joined or not \\ \n#include \"a.h\"\n",
        "// joined or not \\\t\r\n#include \"a.h\"\n",
        "// joined or not??/\n#include \"a.h\"\n",
        "// joined or not??/ \n#include \"a.h\"\n",
        "#\rinclude \"a.h\"\n",
        "#include\r\"a.h\"\n",
        "int i; // c\r#include \"a.h\"\n",
        "const char *s = R\"(\\\n)\";\n#include \"a.h\"\n",
        "/* c */ #include \"a.h\"\n",
        "#/* c */include \"a.h\"\n",
        "#import \"a.h\"\n",
        "#define CAT(a, b) a##b\n#if CAT(__has_, include)(\"a.h\")\n#endif\n",
    ];
    for text in texts {
        write("1");
        let program = program(text, folder.path()).name(&name);
        let first = outcome(&program);
        assert!(first == CacheOutcome::Stored || is_unclear(&first), "{text:?}: {first}");
        write("2");
        let second = outcome(&program);
        assert!(second == CacheOutcome::Stored || is_unclear(&second), "{text:?}: {second}");
        assert_eq!(first, second, "{text:?}");
    }
}

#[test]
fn absolute_names_need_no_include_directory() {
    let (folder, sources) = (folder(), folder());
    let header = sources.path().join("a.h");
    let program = program(format!("#include <{}>", header.display()), folder.path());
    std::fs::write(&header, "1").unwrap();
    assert_eq!((outcome(&program), outcome(&program)), (CacheOutcome::Stored, CacheOutcome::Found));
    std::fs::write(&header, "2").unwrap();
    assert_eq!((outcome(&program), outcome(&program)), (CacheOutcome::Stored, CacheOutcome::Found));
}

#[test]
fn a_name_that_ends_in_a_slash_is_a_folder() {
    let (folder, sources) = (folder(), folder());
    for end in ["", ".", ".."] {
        let name = format!("{}/{end}", sources.path().display());
        let program = program(format!("#include \"a.h\" // {end}"), folder.path()).name(name);
        for text in ["1", "2"] {
            std::fs::write(sources.path().join("a.h"), text).unwrap();
            assert_eq!((outcome(&program), outcome(&program)), (CacheOutcome::Stored, CacheOutcome::Found));
        }
        std::fs::remove_file(sources.path().join("a.h")).unwrap();
    }
}

#[test]
fn a_file_that_appears_meanwhile_is_noticed() {
    let (folder, sources) = (folder(), folder());
    let header = sources.path().join("a.h");
    let source = "#if __has_include(\"a.h\")\n#endif";
    let name = sources.path().join("program.cu").display().to_string();
    let program = program(source, folder.path()).name(name);
    let appearing = header.clone();
    stand_in::meanwhile(move || std::fs::write(appearing, "").unwrap());
    assert_eq!(outcome(&program), CHANGED);
    assert_eq!(outcome(&program), CacheOutcome::Stored);
    std::fs::remove_file(&header).unwrap();
    assert_eq!(outcome(&program), CacheOutcome::Stored, "nothing was stored as if the file were not there");
    // A file that changes, or is deleted, is noticed, too.
    std::fs::write(&header, "1").unwrap();
    let changing = header.clone();
    stand_in::meanwhile(move || std::fs::write(changing, "2").unwrap());
    assert_eq!(outcome(&program), CHANGED);
    std::fs::write(&header, "3").unwrap();
    stand_in::meanwhile(move || std::fs::remove_file(header).unwrap());
    assert_eq!(outcome(&program), CHANGED);
}

#[test]
fn a_folder_that_nvrtc_cuts_is_not_cached() {
    let (folder, sources) = (folder(), folder());
    for end in [" ", "\t", "\n", "\r", "\x0b", "\x0c", "/ "] {
        // The compiler takes the folder without the blank, even if this one exists.
        let named = format!("{}{end}", sources.path().display());
        let options = CompileOptions::new().include_dir(&named);
        let program = program("#include <a.h>", folder.path()).options(options);
        let option = Uncached::Option(format!("--include-path={named}").into());
        assert_eq!(outcome(&program), CacheOutcome::Uncached(option.clone()), "{end:?}");
        assert_eq!(outcome(&program.trust_includes(true)), CacheOutcome::Uncached(option), "{end:?}");
    }
}

#[test]
fn a_name_without_a_dot_is_tried_with_a_suffix() {
    let (folder, sources) = (folder(), folder());
    let at = |name: &str| sources.path().join(name);
    for name in ["one", "two.d"] {
        std::fs::create_dir(at(name)).unwrap();
    }
    let name = at("program.cu").display().to_string();
    for (text, is_quoted) in
        [("#include <x>", false), ("#include \"x\"", true), ("#if __has_include(<x>)", false)]
    {
        let options = CompileOptions::new().include_dir(at("one")).include_dir(at("two.d"));
        let program = program(text, folder.path()).options(options).name(&name);
        let twice = || (outcome(&program), outcome(&program));
        // Each takes the place of those before it.
        let names = ["two.d/x.stdh", "two.d/x", "one/x.stdh", "one/x", "x.stdh", "x"];
        let names = &names[..if is_quoted { 6 } else { 4 }];
        assert_eq!(twice(), (CacheOutcome::Stored, CacheOutcome::Found), "{text}");
        for name in names {
            for content in ["1", "2"] {
                std::fs::write(at(name), content).unwrap();
                assert_eq!(twice(), (CacheOutcome::Stored, CacheOutcome::Found), "{text}: {name}");
            }
        }
        for name in names.iter().rev() {
            std::fs::write(at(name), "3").unwrap();
            assert_eq!(outcome(&program), CacheOutcome::Stored, "{text}: {name}");
            std::fs::remove_file(at(name)).unwrap();
            assert_eq!(outcome(&program), CacheOutcome::Found, "{text}: {name}");
        }
    }
    // No other name gets the suffix.
    for name in ["y.h", "y.", ".y"] {
        let options = CompileOptions::new().include_dir(at("one"));
        let program = program(format!("#include <{name}>"), folder.path()).options(options);
        assert_eq!(outcome(&program), CacheOutcome::Stored, "{name}");
        std::fs::write(at(&format!("one/{name}.stdh")), "").unwrap();
        assert_eq!(outcome(&program), CacheOutcome::Found, "{name}");
    }
    let program = program(format!("#include <{}>", at("one/z").display()), folder.path());
    assert_eq!(outcome(&program), CacheOutcome::Stored);
    std::fs::write(at("one/z.stdh"), "").unwrap();
    assert_eq!(outcome(&program), CacheOutcome::Found);
}

#[test]
fn a_header_name_that_ends_in_a_slash_is_unclear() {
    let (folder, sources) = (folder(), folder());
    std::fs::write(sources.path().join("a.h"), "").unwrap();
    for text in ["#include <a.h/>", "#include \"a.h//\"", "#if __has_include(<b/>)"] {
        let options = CompileOptions::new().include_dir(sources.path());
        let program = program(text, folder.path()).options(options);
        assert!(is_unclear(&outcome(&program)), "{text}");
        assert_eq!(
            outcome(&program.header("a.h/", "").header("a.h//", "").header("b/", "")),
            CacheOutcome::Stored
        );
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_the_system_refuses_is_unclear() {
    let (folder, sources) = (folder(), folder());
    std::os::unix::fs::symlink("b.h", sources.path().join("b.h")).unwrap();
    for name in ["b.h", &"long".repeat(100)] {
        let options = CompileOptions::new().include_dir(sources.path());
        let program = program(format!("#include <{name}>"), folder.path()).options(options);
        assert!(is_unclear(&outcome(&program)), "{name}");
    }
}

/// Waits until the file system gives a change another time.
#[cfg(unix)]
fn wait_for_the_clock(folder: &Path) {
    use std::os::unix::fs::MetadataExt;
    let file = folder.join("clock");
    let touched = || {
        std::fs::write(&file, "").unwrap();
        let file = file.metadata().unwrap();
        (file.ctime(), file.ctime_nsec())
    };
    let before = touched();
    while touched() == before {}
}

#[cfg(unix)]
#[test]
fn a_change_that_is_undone_meanwhile_is_noticed() {
    use std::fs::{remove_file, rename, write};
    use std::os::unix::fs::symlink;
    type Step = fn(&Path);
    // The clock steps between the first and the second of each.
    let changes: [(&str, Step, Step); 6] = [
        ("written", |p| write(p.join("one/a.h"), "B").unwrap(), |p| write(p.join("one/a.h"), "A").unwrap()),
        (
            "replaced",
            |p| {
                write(p.join("new"), "B").unwrap();
                rename(p.join("new"), p.join("one/a.h")).unwrap();
            },
            |p| {
                write(p.join("new"), "A").unwrap();
                rename(p.join("new"), p.join("one/a.h")).unwrap();
            },
        ),
        (
            "moved away",
            |p| {
                rename(p.join("one/a.h"), p.join("old")).unwrap();
                write(p.join("one/a.h"), "B").unwrap();
            },
            |p| rename(p.join("old"), p.join("one/a.h")).unwrap(),
        ),
        (
            "linked elsewhere",
            |p| {
                remove_file(p.join("links/a.h")).unwrap();
                symlink("../one/b.h", p.join("links/a.h")).unwrap();
            },
            |p| {
                remove_file(p.join("links/a.h")).unwrap();
                symlink("../one/a.h", p.join("links/a.h")).unwrap();
            },
        ),
        (
            "before another",
            |p| write(p.join("zero/a.h"), "B").unwrap(),
            |p| remove_file(p.join("zero/a.h")).unwrap(),
        ),
        (
            "in a new folder",
            |p| {
                std::fs::create_dir_all(p.join("zero/sub")).unwrap();
                write(p.join("zero/sub/b.h"), "B").unwrap();
            },
            |p| std::fs::remove_dir_all(p.join("zero/sub")).unwrap(),
        ),
    ];
    let (folder, sources, clock) = (folder(), folder(), folder());
    for name in ["zero", "one", "links"] {
        std::fs::create_dir(sources.path().join(name)).unwrap();
    }
    write(sources.path().join("one/a.h"), "A").unwrap();
    symlink("../one/a.h", sources.path().join("links/a.h")).unwrap();
    for (what, change, undo) in changes {
        let at = |name: &str| sources.path().join(name);
        let options = CompileOptions::new().include_dir(at("zero")).include_dir(at("one"));
        // No file is searched beside the link.
        let link = at("links/a.h").display().to_string();
        let source = format!("// {what}\n#include <a.h>\n#include <{link}>\n#include <sub/b.h>");
        let program = program(source, folder.path()).options(options);
        let (place, clock) = (sources.path().to_owned(), clock.path().to_owned());
        wait_for_the_clock(&clock);
        stand_in::meanwhile(move || {
            change(&place);
            wait_for_the_clock(&clock);
            undo(&place);
        });
        assert_eq!(outcome(&program), CHANGED, "{what}");
        assert_eq!(
            (outcome(&program), outcome(&program)),
            (CacheOutcome::Stored, CacheOutcome::Found),
            "{what}"
        );
    }
}

#[test]
fn a_header_written_just_before_is_stored() {
    let (folder, sources) = (folder(), folder());
    let options = CompileOptions::new().include_dir(sources.path());
    let program = program("#include <a.h>\n#include \"a.h\"", folder.path()).options(options);
    for number in 0..50 {
        std::fs::write(sources.path().join("a.h"), number.to_string()).unwrap();
        assert_eq!((outcome(&program), outcome(&program)), (CacheOutcome::Stored, CacheOutcome::Found));
    }
}

#[test]
fn program_that_depends_on_the_time_is_not_cached() {
    let (folder, sources) = (folder(), folder());
    let clock = |name: &str| CacheOutcome::Uncached(Uncached::Clock(name.into()));
    let source = "extern \"C\" __global__ void k() {} ";
    let of = |text: &str| program(format!("{source}{text}"), folder.path());
    for name in ["__DATE__", "__TIME__", "__TIMESTAMP__"] {
        assert_eq!(outcome(&of(name)), clock(name));
        assert_eq!(outcome(&of(name).trust_includes(true)), clock(name));
        assert_eq!(outcome(&of("").header("h.h", name)), clock(name));
        assert_eq!(outcome(&of("").name_expression(format!("k<{name}[7]>"))), clock(name));
        assert_eq!(outcome(&of("").options(CompileOptions::new().define("A", name))), clock(name));
        assert_eq!(outcome(&of("").options(CompileOptions::new().raw(format!("-DA={name}")))), clock(name));
        std::fs::write(sources.path().join("a.h"), name).unwrap();
        let options = CompileOptions::new().include_dir(sources.path());
        assert_eq!(
            outcome(&of("\n#include <a.h>\n#include WHICH").options(options).trust_includes(true)),
            clock(name)
        );
    }
    assert_eq!(outcome(&of("CAT(__DA, TE__)").header("h.h", "#define CAT(a, b) a##b")), clock("__DATE__"));
    assert_eq!(clock("__DATE__").to_string(), "not cached: it may depend on __DATE__");
    assert_eq!(outcome(&of("__date__ DATE")), CacheOutcome::Stored);
}

#[test]
fn trusted_programs_notice_changed_known_headers() {
    let (folder, sources) = (folder(), folder());
    let options = CompileOptions::new().include_dir(sources.path());
    let source = "#include WHICH\n#include <a.h>\n";
    let program = program(source, folder.path()).options(options).trust_includes(true);
    for text in ["1", "2"] {
        std::fs::write(sources.path().join("a.h"), text).unwrap();
        assert_eq!((outcome(&program), outcome(&program)), (CacheOutcome::Stored, CacheOutcome::Found));
    }
}

#[cfg(unix)]
#[test]
fn special_files_are_not_followed() {
    let folder = folder();
    assert!(is_unclear(&outcome(&program("#include \"/dev/null\"", folder.path()))));
    let program = program("#include </dev>\n#include <a.h>", folder.path());
    let options = CompileOptions::new().include_dir("/dev/null").include_dir("/dev/null/none");
    assert_eq!(outcome(&program.options(options)), CacheOutcome::Stored, "these are not there");
}

#[test]
fn a_long_line_takes_no_longer_than_others() {
    let folder = folder();
    let program = in_folder(folder.path()).header("long.h", format!("// {}", "include ".repeat(1 << 16)));
    let start = std::time::Instant::now();
    assert_eq!(outcome(&program), CacheOutcome::Stored);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// The number of this thread's system calls that read.
#[cfg(target_os = "linux")]
fn reads_of_this_thread() -> Option<u64> {
    let counts = std::fs::read_to_string("/proc/thread-self/io").ok()?;
    counts.lines().find_map(|line| line.strip_prefix("syscr: "))?.parse().ok()
}

#[cfg(target_os = "linux")]
#[test]
fn known_headers_are_not_read_again() {
    use std::os::unix::fs::MetadataExt;
    if reads_of_this_thread().is_none() {
        cuda_suite::skip!("the system does not count reads");
    }
    // Files that changed lately are read each time.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let is_old = |path: &&str| {
        std::fs::metadata(path)
            .is_ok_and(|file| file.ctime().max(file.mtime()) + 600 < now.try_into().unwrap())
    };
    let Some(header) = ["/etc/os-release", "/etc/passwd", "/etc/hosts"].into_iter().find(is_old) else {
        cuda_suite::skip!("there is no text that is old for sure");
    };
    let folder = folder();
    let reads = |source: &str| {
        let program = program(source, folder.path());
        assert_eq!(outcome(&program), CacheOutcome::Stored);
        let before = reads_of_this_thread().unwrap();
        assert_eq!(outcome(&program), CacheOutcome::Found);
        reads_of_this_thread().unwrap() - before
    };
    let without = reads("// no header");
    assert_eq!(reads(&format!("#include <{header}>")), without, "{header}");
}
