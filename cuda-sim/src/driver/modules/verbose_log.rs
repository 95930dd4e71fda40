//! Information log of the compiler and of the linker under `CU_JIT_LOG_VERBOSE`, in the words and the order of hardware
//! (conformance facts V1090 to V1096).
//!
//! Hardware's driver writes nothing about a text that is in its compile cache. There is no such cache here, so every
//! compilation writes its log.

use cuda_sim_engine::{Kernel, Program, Target};
use std::time::Duration;

/// Returns the log of a text that is loaded.
pub(crate) fn loaded(program: &Program, target: &Target, spent: Duration) -> String {
    let mut log = Lines::of(program);
    log.push(&memory(program, target));
    let time = share(spent, program.kernels().len());
    // ptxas compiles the last kernel first.
    for (index, kernel) in program.kernels().iter().enumerate().rev() {
        let (name, stack) = (&kernel.name, kernel.local_bytes);
        log.push(&entry(name, target));
        log.properties(name, stack);
        let cumulative = nonzero(stack, "bytes cumulative stack size");
        let barriers = program.barriers(index);
        log.push(&format!(
            "Used {} registers, used {barriers} barriers{cumulative}{}{}",
            kernel.registers,
            nonzero(kernel.static_shared, "bytes smem"),
            parameters(kernel, target)
        ));
        log.push(&time);
        // The kernel's frame has room for the variables of these functions.
        program.called(index).iter().for_each(|called| log.properties(called, 0));
    }
    log.0.join("\n")
}

/// Returns the log of a text that is added to a link.
pub(crate) fn added(program: &Program, target: &Target, spent: Duration) -> String {
    let mut log = Lines::of(program);
    log.push(&memory(program, target));
    let time = share(spent, program.parts().len());
    for part in program.parts() {
        let kernel = part.kernel.and_then(|kernel| program.kernels().get(kernel));
        if kernel.is_some() {
            log.push(&entry(&part.name, target));
        }
        log.properties(&part.name, part.local_bytes);
        if let Some(kernel) = kernel {
            log.push(&format!(
                "Used {} registers, used {} barriers{}{}",
                kernel.registers,
                part.barriers,
                nonzero(part.static_shared, "bytes smem"),
                parameters(kernel, target)
            ));
        }
        log.push(&time);
    }
    log.0.join("\n")
}

/// Returns the log of the linker about its result.
pub(crate) fn linked(program: &Program, target: &Target) -> String {
    let constants = program.constant_bytes();
    // The linker does not report constant memory from compute capability 10.0 on.
    let constants = if constants == 0 || is_since(target, 10) {
        String::new()
    } else {
        format!(", {constants} bytes cmem[3]")
    };
    let mut lines = vec![format!("info    : {} bytes gmem{constants}", program.global_bytes())];
    let mut kernels: Vec<(usize, &Kernel)> = program.kernels().iter().enumerate().collect();
    // The last text comes first. The kernels of a text keep their order.
    kernels.sort_by_key(|(_, kernel)| core::cmp::Reverse(kernel.text));
    for (index, kernel) in kernels {
        // Only for compute capability 9.x, the linker counts the KiB that the system reserves.
        let reserved = if target.compute_capability.0 == 9 && kernel.uses_shared() { 1024 } else { 0 };
        let parameters = match parameter_base(target) {
            Some(base) => format!(", {} bytes cmem[0]", base.saturating_add(kernel.param_bytes)),
            None => String::new(),
        };
        lines.push(format!("info    : Function properties for '{}':", kernel.name));
        lines.push(format!(
            "info    : used {} registers, used {} barriers, {} stack, {} bytes smem{parameters}, 0 bytes lmem",
            kernel.registers,
            program.barriers(index),
            kernel.local_bytes,
            kernel.static_shared.saturating_add(reserved)
        ));
    }
    lines.join("\n")
}

/// Lines of the compiler's log.
struct Lines(Vec<String>);

impl Lines {
    /// Begins with the warnings of a program.
    fn of(program: &Program) -> Lines {
        Lines(program.info_log().lines().map(str::to_owned).collect())
    }

    fn push(&mut self, text: &str) {
        self.0.push(format!("ptxas info    : {text}"));
    }

    /// Adds the properties of a function. Registers are never spilled here.
    fn properties(&mut self, name: &str, stack: u32) {
        self.push(&format!("Function properties for {name}"));
        self.0.push(format!(
            "ptxas         .     {stack} bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
        ));
    }
}

/// Returns the line that begins a kernel. The driver compiles for the features of the device's architecture alone.
fn entry(name: &str, target: &Target) -> String {
    let own = if is_since(target, 9) { "a" } else { "" };
    format!("Compiling entry function '{name}' for 'sm_{}{own}'", target.number())
}

/// Returns the line about variables. ptxas reports constant memory before compute capability 9.0.
fn memory(program: &Program, target: &Target) -> String {
    let constants = program.constant_bytes();
    let constants = if constants == 0 || is_since(target, 9) {
        String::new()
    } else {
        format!(", {constants} bytes cmem[3]")
    };
    format!("{} bytes gmem{constants}", program.global_bytes())
}

/// Returns the part of a line about parameters, which ptxas reports before compute capability 9.0.
fn parameters(kernel: &Kernel, target: &Target) -> String {
    match parameter_base(target).filter(|_| !is_since(target, 9)) {
        Some(base) => format!(", {} bytes cmem[0]", base.saturating_add(kernel.param_bytes)),
        None => String::new(),
    }
}

/// Returns the offset of the parameters in constant memory. The linker does not report it from compute capability 10.0
/// on.
fn parameter_base(target: &Target) -> Option<u32> {
    match target.compute_capability.0 {
        ..9 => Some(0x160),
        9 => Some(0x210),
        _ => None,
    }
}

fn is_since(target: &Target, major: u32) -> bool {
    target.compute_capability.0 >= major
}

/// Returns a number with its unit, as a further part of a line, or nothing for zero.
fn nonzero(number: u32, unit: &str) -> String {
    if number == 0 { String::new() } else { format!(", {number} {unit}") }
}

/// Returns the line about the time. All functions are compiled at once, so each has the same share.
fn share(spent: Duration, functions: usize) -> String {
    let milliseconds = spent.as_secs_f64() * 1000.0 / functions.max(1) as f64;
    format!("Compile time = {milliseconds:.3} ms")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a failed test panics
mod tests {
    use super::*;

    const HEAD: &str = ".version 7.8\n.target sm_75\n.address_size 64\n";
    const SPENT: Duration = Duration::from_micros(1776);

    fn target(major: u32, minor: u32) -> Target {
        Target { compute_capability: (major, minor), ptx_version: (9, 0), shared_bytes: 232_448 }
    }

    /// Log with `R` in place of each number of registers, without the words that begin each line.
    fn plain(log: &str) -> Vec<String> {
        let line = |line: &str| {
            let line = line.strip_prefix("ptxas info    : ").unwrap_or(line);
            let line = line.strip_prefix("info    : ").unwrap_or(line);
            let line = line.strip_prefix("ptxas         .     ").unwrap_or(line);
            let line =
                line.replace(" stack frame, 0 bytes spill stores, 0 bytes spill loads", " stack frame");
            match line.split_once(" registers") {
                Some((before, after)) => {
                    let number = before.rfind(' ').unwrap() + 1;
                    assert!(before[number..].parse::<u32>().is_ok(), "{line}");
                    format!("{}R registers{after}", &before[..number])
                }
                None => line,
            }
        };
        log.lines().map(line).collect()
    }

    fn alone(text: &str, target: Target) -> Vec<String> {
        let program = Program::compile(format!("{HEAD}{text}").as_bytes(), &target).unwrap();
        plain(&loaded(&program, &target, SPENT))
    }

    fn part(text: &str, target: Target) -> Vec<String> {
        let program = Program::compile_part(format!("{HEAD}{text}").as_bytes(), &target).unwrap();
        plain(&added(&program, &target, SPENT))
    }

    fn result(texts: &[&str], target: Target) -> Vec<String> {
        let texts: Vec<String> = texts.iter().map(|text| format!("{HEAD}{text}")).collect();
        let texts: Vec<_> =
            texts.iter().map(|text| cuda_sim_engine::Text { name: "", source: text.as_bytes() }).collect();
        let program = Program::compile_together(&texts, &target).unwrap();
        plain(&linked(&program, &target))
    }

    #[test]
    fn line_of_each_kind_has_the_words_of_hardware() {
        let target = target(9, 0);
        let text = format!("{HEAD}.visible .entry e() {{ ret; }}");
        let program = Program::compile(text.as_bytes(), &target).unwrap();
        let registers = program.kernels()[0].registers;
        assert_eq!(
            loaded(&program, &target, SPENT),
            format!(
                "ptxas info    : 0 bytes gmem\n\
                 ptxas info    : Compiling entry function 'e' for 'sm_90a'\n\
                 ptxas info    : Function properties for e\n\
                 ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
                 ptxas info    : Used {registers} registers, used 0 barriers\n\
                 ptxas info    : Compile time = 1.776 ms"
            )
        );
        assert_eq!(
            linked(&program, &target),
            format!(
                "info    : 0 bytes gmem\n\
                 info    : Function properties for 'e':\n\
                 info    : used {registers} registers, used 0 barriers, 0 stack, 0 bytes smem, 528 bytes cmem[0], 0 bytes lmem"
            )
        );
    }

    #[test]
    fn warnings_come_before_the_rest() {
        let log = alone(".extern .global .u32 x; .visible .entry e() { ret; }", target(9, 0));
        let gmem = log.iter().position(|line| line == "4 bytes gmem").unwrap();
        assert!(log[..gmem].iter().all(|line| line.contains("warning")), "{log:?}");
    }

    /// All sizes are those of ptxas 13.0.
    #[test]
    fn variables_are_laid_out_as_ptxas_does() {
        for (text, bytes) in [
            (".global .u8 a=1; .global .u64 g; .global .u8 b; .visible .global .align 16 .b8 h[3];", 18),
            (
                ".global .align 16 .b8 a[3]={1,2,3}; .global .u32 b=1; .global .align 16 .b8 c[3]; .global .u32 d;",
                16,
            ),
            (".global .u8 a; .global .align 16 .b8 h[3]; .global .u32 c; .global .u8 d;", 10),
            (".global .u32 y; .global .align 4 .b8 x[3];", 8),
            (".global .align 4 .b8 x[3]; .global .u32 y; .global .align 4 .b8 z[3]; .global .u32 w;", 16),
            (
                ".global .align 16 .b8 x[3]; .global .align 16 .b8 y[20]; .global .align 16 .b8 z[5]; .global .align 16 .b8 w[1];",
                68,
            ),
            (
                ".global .u32 y[4]={0,0,0,0}; .global .u8 b=0; .global .align 16 .b8 c[3]={0}; .global .align 16 .b8 d[3];",
                24,
            ),
            (".common .global .align 16 .b8 x[3]; .global .align 16 .b8 y[3];", 19),
            (".global .texref t; .global .surfref s; .global .u32 a;", 4),
            (".const .u32 k=1;", 0),
        ] {
            assert_eq!(alone(text, target(9, 0)), [format!("{bytes} bytes gmem")], "{text}");
        }
        for (text, bytes) in [
            (".common .global .align 16 .b8 x[3]; .global .align 16 .b8 y[3];", 3),
            (".extern .global .align 16 .b8 x[3]; .global .align 16 .b8 y[3];", 3),
        ] {
            assert_eq!(part(text, target(9, 0)), [format!("{bytes} bytes gmem")], "{text}");
        }
        let constants = ".const .u8 a; .const .u64 b; .const .u8 c; .const .align 8 .b8 d[3];";
        assert_eq!(alone(constants, target(8, 0)), ["0 bytes gmem, 27 bytes cmem[3]"]);
    }

    #[test]
    fn variables_of_linked_texts_are_appended() {
        for (texts, line) in [
            ([".global .u8 a;", ".global .u64 b;"], "16 bytes gmem"),
            ([".global .u64 b; .global .u8 a;", ".global .u64 b; .global .u8 c;"], "25 bytes gmem"),
            (
                [
                    ".extern .global .u32 z; .common .global .u32 cc; .const .u8 c1;",
                    ".visible .global .u32 z; .common .global .u64 cc; .const .u64 c2;",
                ],
                "12 bytes gmem, 16 bytes cmem[3]",
            ),
            ([".common .global .u32 cc;", ".global .u32 z;"], "8 bytes gmem"),
        ] {
            assert_eq!(result(&texts, target(9, 0)), [line], "{texts:?}");
        }
    }

    #[test]
    fn barriers_are_counted_up_to_the_greatest() {
        let body = |body: &str| {
            let text = format!(
                ".global .u32 o; .visible .entry e() {{ .reg .u32 %r<9>; .reg .pred %p; mov.u32 %r1, %tid.x; \
                 setp.eq.u32 %p, %r1, 0; {body} ret; }}"
            );
            let log = alone(&text, target(9, 0));
            let line = log.iter().find(|line| line.starts_with("Used")).unwrap();
            line.split_once(", used ").unwrap().1.to_owned()
        };
        assert_eq!(body(""), "0 barriers");
        assert_eq!(body("bar.sync 0;"), "1 barriers");
        assert_eq!(body("bar.sync 3, 64; bar.sync 1;"), "4 barriers");
        assert_eq!(body("bar.arrive 4, 64;"), "5 barriers");
        assert_eq!(body("bar.red.popc.u32 %r2, 6, %p; st.global.u32 [o], %r2;"), "7 barriers");
        assert_eq!(body("barrier.sync 15;"), "16 barriers");
        assert_eq!(body("bar.warp.sync 0xffffffff;"), "0 barriers");
        assert_eq!(body("and.b32 %r2, %r1, 3; bar.sync %r2;"), "16 barriers");
        // ptxas finds out that this register holds a constant, and counts 6.
        assert_eq!(body("mov.u32 %r2, 5; bar.sync %r2;"), "16 barriers");
    }

    #[test]
    fn called_functions_are_in_alphabetical_order() {
        let function = |name: &str, body: &str| {
            format!(".visible .func {name}() {{ st.global.u32 [o], 1; {body} ret; }} ")
        };
        let text = [
            ".global .u32 o; .extern .func zz(); ".to_owned(),
            function("mid", "bar.sync 4;"),
            function("zeta", "call mid;"),
            function("alpha", ""),
            function("unused", ""),
            ".visible .entry k() { call zeta; call alpha; ret; } .visible .entry l() { ret; }".into(),
        ]
        .concat();
        assert_eq!(
            alone(&text, target(8, 6)),
            [
                "4 bytes gmem",
                "Compiling entry function 'l' for 'sm_86'",
                "Function properties for l",
                "0 bytes stack frame",
                "Used R registers, used 0 barriers, 352 bytes cmem[0]",
                "Compile time = 0.888 ms",
                "Compiling entry function 'k' for 'sm_86'",
                "Function properties for k",
                "0 bytes stack frame",
                "Used R registers, used 5 barriers, 352 bytes cmem[0]",
                "Compile time = 0.888 ms",
                "Function properties for alpha",
                "0 bytes stack frame",
                "Function properties for mid",
                "0 bytes stack frame",
                "Function properties for zeta",
                "0 bytes stack frame",
            ]
        );
    }

    #[test]
    fn functions_of_an_input_follow_their_callees() {
        let names = |text: &str| -> String {
            let log = part(&format!(".global .u32 o; {text}"), target(9, 0));
            let names = log.iter().filter_map(|line| line.strip_prefix("Function properties for "));
            names.collect::<Vec<_>>().join(" ")
        };
        let shared = |name: &str, body: &str| format!(".visible .func {name}() {{ {body} ret; }} ");
        let private = |name: &str, body: &str| format!(".func {name}() {{ {body} ret; }} ");
        let kernel = |name: &str, body: &str| format!(".visible .entry {name}() {{ {body} ret; }} ");
        let text = [
            shared("q", ""),
            shared("b", ""),
            shared("m", "call q;"),
            kernel("k", "call q; call b;"),
            kernel("j", ""),
        ];
        assert_eq!(names(&text.concat()), "j b q k m");
        let text = [
            shared("m", ""),
            kernel("k", "call m;"),
            shared("q", "call m;"),
            shared("b", ""),
            kernel("j", ""),
        ];
        assert_eq!(names(&text.concat()), "j b m q k");
        let text = [private("s", ""), kernel("k", "call s;"), private("t", ""), shared("v", "")];
        assert_eq!(names(&text.concat()), "t s v k");
        let text = [private("s", ""), private("t", "call s;"), kernel("k", ""), kernel("j", "call s;")];
        assert_eq!(names(&text.concat()), "s t j k");
    }

    const EVERYTHING: &str = ".const .u32 k[3]={1,2,3}; .shared .u32 m[8];
        .visible .func f() { .local .u64 y[4]; .shared .u64 fs[4]; .reg .u64 %q; mov.u64 %q, y; st.local.u64 [%q], 1;
          st.shared.u64 [fs], 1; bar.sync 4; ret; }
        .visible .entry s(.param .u64 a) { .local .u32 x[5]; .shared .u32 t[100]; .reg .u64 %q; mov.u64 %q, x;
          st.local.u64 [%q], 1; st.shared.u32 [t], 1; st.shared.u32 [m], 1; bar.sync 1; call f; ret; }";

    #[test]
    fn input_has_resources_of_each_function_alone() {
        let line = |target| {
            let log = part(EVERYTHING, target);
            assert_eq!(log[1], "Function properties for f");
            assert_eq!(log[2..4], ["32 bytes stack frame", "Compile time = 0.888 ms"]);
            assert_eq!(log[5..7], ["Function properties for s", "24 bytes stack frame"]);
            assert_eq!((log[8].as_str(), log.len()), ("Compile time = 0.888 ms", 9));
            [log[0].clone(), log[4].clone(), log[7].clone()]
        };
        assert_eq!(
            line(target(7, 5)),
            [
                "0 bytes gmem, 12 bytes cmem[3]",
                "Compiling entry function 's' for 'sm_75'",
                "Used R registers, used 2 barriers, 400 bytes smem, 360 bytes cmem[0]"
            ]
        );
        assert_eq!(
            line(target(9, 0)),
            [
                "0 bytes gmem",
                "Compiling entry function 's' for 'sm_90a'",
                "Used R registers, used 2 barriers, 400 bytes smem"
            ]
        );
    }

    #[test]
    fn link_has_resources_of_all_functions() {
        let lines = |target| result(&[EVERYTHING], target);
        let line = |smem: &str| {
            vec![
                "Function properties for 's':".to_owned(),
                format!("used R registers, used 5 barriers, 56 stack, {smem}, 0 bytes lmem"),
            ]
        };
        for (target, first, smem) in [
            (target(7, 5), "0 bytes gmem, 12 bytes cmem[3]", "464 bytes smem, 360 bytes cmem[0]"),
            (target(8, 0), "0 bytes gmem, 12 bytes cmem[3]", "464 bytes smem, 360 bytes cmem[0]"),
            (target(9, 0), "0 bytes gmem, 12 bytes cmem[3]", "1488 bytes smem, 536 bytes cmem[0]"),
            (target(10, 0), "0 bytes gmem", "464 bytes smem"),
        ] {
            let log = lines(target);
            assert_eq!((log[0].as_str(), &log[1..]), (first, &line(smem)[..]));
        }
    }

    #[test]
    fn link_begins_with_the_last_text() {
        let kernels =
            |names: [&str; 2]| names.map(|name| format!(".visible .entry {name}() {{ ret; }} ")).concat();
        let log = result(&[&kernels(["b", "c"]), &kernels(["a", "d"])], target(9, 0));
        let names: Vec<_> =
            log.iter().filter_map(|line| line.strip_prefix("Function properties for ")).collect();
        assert_eq!(names, ["'a':", "'d':", "'b':", "'c':"]);
    }
}
