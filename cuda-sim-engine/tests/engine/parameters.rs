//! Addresses of parameters of device functions. Such a parameter is copied to local memory at the start of each call.

use super::{Arg, Device, Program, TARGET, named};
use cuda_sim_engine::Progress;

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// Compiles functions and a kernel, whose body sets `%r9` from the thread number `%r0`.
fn device(functions: &str, body: &str) -> Device {
    Device::new(&format!(
        "{HEAD}{functions}\n.visible .entry k(.param .b64 out)\n{{\n\
         .reg .b32 %r<20>; .reg .b64 %d<8>; .reg .pred %p<8>;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r9, 0;\n{body}\n\
         ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r9; ret;\n}}\n"
    ))
}

fn check(functions: &str, body: &str, threads: u32, expected: impl Fn(u32) -> u32) {
    let mut device = device(functions, body);
    let out = device.alloc_u32(&vec![0; threads as usize]);
    device.run("k", [1, 1, 1], [threads, 1, 1], &[Arg::Buffer(out)]);
    let expected: Vec<u32> = (0..threads).map(expected).collect();
    assert_eq!(device.u32s(out)[..threads as usize], expected);
    // The same with a suspension after every few steps.
    let out = device.alloc_u32(&vec![0; threads as usize]);
    let mut execution = device.begin("k", [1, threads], &[out], |_| {});
    while device.go_on(&mut execution, 1).unwrap() != Progress::Finished {}
    assert_eq!(device.u32s(out)[..threads as usize], expected);
}

/// Returns a call of `f` with four words in parameter `a`, and its result in `%r9`.
fn call(words: [&str; 4]) -> String {
    let [a, b, c, d] = words;
    format!(
        "{{ .param .align 8 .b8 a[16]; .param .b32 x; st.param.b32 [a], {a}; st.param.b32 [a+4], {b};\n\
         st.param.v2.b32 [a+8], {{{c}, {d}}}; call (x), f, (a); ld.param.b32 %r9, [x]; }}"
    )
}

/// Returns a function `f` that takes such a structure and returns `%y`.
fn function(body: &str) -> String {
    format!(
        ".func (.param .b32 r) f(.param .align 8 .b8 p[16])\n{{ .reg .b64 %x<6>; .reg .b32 %y, %z<6>; .reg .pred %q<3>;\n\
         {body}\n st.param.b32 [r], %y; ret; }}"
    )
}

#[test]
fn address_of_parameter_is_local() {
    let body = "mov.u32 %r1, 100; mov.u32 %r2, 23;";
    let body = format!("{body} {}", call(["%r0", "%r1", "0", "%r2"]));
    for (text, expected) in [
        ("mov.b64 %x0, p; ld.local.u32 %y, [%x0+4];", 100),
        ("mov.u64 %x0, p+8; ld.local.u32 %y, [%x0+4];", 23),
        ("mov.b32 %z0, p; ld.local.u32 %y, [%z0+4];", 100),
        ("mov.b64 %x0, p; cvta.local.u64 %x1, %x0; ld.u32 %y, [%x1+12];", 23),
        ("mov.b64 %x0, p; ld.param.u32 %y, [%x0+12];", 23),
        ("mov.b64 %x0, p; ld.param::func.u32 %y, [%x0+12];", 23),
        ("mov.b64 %x0, p; ld.param.u32 %y, [p+12];", 23),
        ("mov.b64 %x0, p; ld.param.v4.u32 {%z0, %y, _, %z1}, [p]; add.u32 %y, %y, %z1;", 123),
        ("mov.b64 %x0, p; ld.param.v2.u64 {%x1, %x2}, [p]; shr.u64 %x2, %x2, 32; cvt.u32.u64 %y, %x2;", 23),
        ("mov.b64 %x0, p; ld.param.u8 %y, [p+4]; ld.param.s16 %z0, [p+12]; add.u32 %y, %y, %z0;", 123),
        ("mov.b64 %x0, p; cvta.local.u64 %x1, %x0; isspacep.local %q0, %x1; selp.b32 %y, 1, 2, %q0;", 1),
    ] {
        check(&function(text), &body, 40, |_| expected);
    }
}

#[test]
fn parameter_and_its_address_are_one_variable() {
    for (text, expected) in [
        // A second address is that of the same copy.
        ("mov.b64 %x0, p; st.local.u32 [%x0+4], 7; mov.b64 %x1, p+4; ld.local.u32 %y, [%x1];", 7),
        ("mov.b64 %x0, p; st.local.u32 [%x0+4], 7; ld.param.u32 %y, [p+4];", 7),
        ("ld.param.u32 %y, [p+4]; mov.b64 %x0, p+4; st.local.u32 [%x0], 7;", 100),
        ("mov.b64 %x0, p; cvta.local.u64 %x1, %x0; st.u32 [%x1+4], 7; ld.param.u32 %y, [p+4];", 7),
        // The code of ptxas stores to the copy, too.
        ("mov.b64 %x0, p; st.param.u32 [%x0+4], 7; ld.param.u32 %y, [p+4];", 7),
        // Even where the address is taken later, or not at all.
        (
            "ld.param.u32 %y, [p]; setp.gt.u32 %q0, %y, 1000; @%q0 mov.b64 %x0, p; ld.param.u32 %y, [p+12];",
            23,
        ),
        ("bra DONE; mov.b64 %x0, p; DONE: ld.param.u32 %y, [p+4];", 100),
        ("{ { mov.b64 %x0, p; } } ld.local.u32 %y, [%x0+4];", 100),
        // A copy of its own for each call: the first call in the kernel has no effect on the second.
        ("mov.b64 %x0, p; ld.local.u32 %y, [%x0+4]; st.local.u32 [%x0+4], 9;", 100),
    ] {
        let once = call(["%r0", "%r1", "0", "%r2"]);
        let body = format!("mov.u32 %r1, 100; mov.u32 %r2, 23; {once} {once}");
        check(&function(text), &body, 40, |_| expected);
    }
}

#[test]
fn several_parameters_have_addresses() {
    let functions = ".func (.param .b32 r) f(.param .b32 n, .param .align 4 .b8 p[12], .param .b8 c, .param .align 16 .b8 q[36], .param .b64 s)\n\
        { .reg .b64 %x<6>; .reg .b32 %y<6>; .local .align 8 .b64 own; mov.b64 %x0, p; mov.b64 %x1, c; mov.b64 %x2, q; mov.b64 %x3, s; mov.b64 %x4, own;\n\
        st.local.u64 [%x4], -1; ld.local.u32 %y0, [%x0+8]; ld.local.u8 %y1, [%x1]; ld.local.u32 %y2, [%x2+32]; ld.local.u64 %x5, [%x3]; cvt.u32.u64 %y3, %x5;\n\
        ld.param.u32 %y4, [n]; add.u32 %y4, %y4, %y0; add.u32 %y4, %y4, %y1; add.u32 %y4, %y4, %y2; add.u32 %y4, %y4, %y3;\n\
        ld.local.v4.u32 {%y0, %y1, %y2, %y3}, [%x2]; mad.lo.u32 %y4, %y3, 1000, %y4; st.param.b32 [r], %y4; ret; }";
    let body = "{ .param .b32 n; .param .align 4 .b8 p[12]; .param .b8 c; .param .align 16 .b8 q[36]; .param .b64 s; .param .b32 x; mov.u64 %d2, 50000;\n\
        st.param.b32 [n], %r0; st.param.b32 [p], 0; st.param.b32 [p+4], 0; st.param.b32 [p+8], 100; st.param.b8 [c], 200; st.param.v4.b32 [q], {0, 0, 0, 7};\n\
        st.param.v4.b32 [q+16], {0, 0, 0, 0}; st.param.b32 [q+32], 3000; st.param.b64 [s], %d2; call (x), f, (n, p, c, q, s); ld.param.b32 %r9, [x]; }";
    check(functions, body, 33, |lane| lane + 100 + 200 + 3000 + 50000 + 7000);
}

#[test]
fn elements_of_parameters_are_indexed_at_run_time() {
    let function = |text: &str| {
        format!(
            ".func (.param .b32 r) f(.param .b32 i, .param .align 8 .u32 p[4])\n{{ .reg .b64 %x<3>; .reg .b32 %y<6>; ld.param.u32 %y0, [i];\n\
             {text}\n st.param.b32 [r], %y1; ret; }}"
        )
    };
    let body = "and.b32 %r1, %r0, 3; add.u32 %r2, %r0, 1000; { .param .b32 i; .param .align 8 .u32 a[4]; .param .b32 x; st.param.b32 [i], %r1;\n\
        st.param.b32 [a], 10; st.param.b32 [a+4], 11; st.param.b32 [a+8], 12; st.param.b32 [a+12], %r2; call (x), f, (i, a); ld.param.b32 %r9, [x]; }";
    for (text, ahead) in [
        ("mov.b64 %x0, p; mad.wide.u32 %x0, %y0, 4, %x0; ld.local.u32 %y1, [%x0];", 0),
        ("mov.b64 %x0, p; mad.wide.u32 %x0, %y0, 4, %x0; ld.param.u32 %y1, [%x0];", 0),
        ("mov.b64 %x0, p; cvta.local.u64 %x0, %x0; mad.wide.u32 %x0, %y0, 4, %x0; ld.u32 %y1, [%x0];", 0),
        ("mov.b64 %x0, p[%y0]; ld.local.u32 %y1, [%x0];", 0),
        ("xor.b32 %y0, %y0, 1; mov.b32 %y2, p[%y0]; ld.local.u32 %y1, [%y2];", 1),
    ] {
        check(&function(text), body, 64, |lane| match (lane & 3) ^ ahead {
            3 => lane + 1000,
            index => 10 + index,
        });
    }
    check(&function("mov.b64 %x0, p[1]; ld.local.u32 %y1, [%x0+4];"), body, 32, |_| 12);
}

/// Sums `n` to 1. Each call changes its own copy of the structure before the inner call, and reads it afterwards.
const RECURSIVE: &str = ".func (.param .b32 r) f(.param .align 8 .b8 p[16])\n\
    { .reg .b64 %x<3>; .reg .b32 %y<6>; .reg .pred %q; mov.b64 %x0, p; ld.param.u32 %y0, [p]; mov.u32 %y1, 0;\n\
    setp.eq.u32 %q, %y0, 0; @%q bra DONE; mul.lo.u32 %y2, %y0, 3; st.local.u32 [%x0+12], %y2; sub.u32 %y3, %y0, 1;\n\
    { .param .align 8 .b8 a[16]; .param .b32 x; st.param.v2.b32 [a], {%y3, 0}; st.param.v2.b32 [a+8], {0, 77};\n\
    call (x), f, (a); ld.param.b32 %y1, [x]; }\n\
    mov.b64 %x1, p; ld.local.u32 %y4, [%x1+12]; ld.param.u32 %y5, [p+12]; sub.u32 %y5, %y5, %y2; add.u32 %y1, %y1, %y4; mad.lo.u32 %y1, %y5, 1000000, %y1;\n\
    DONE: st.param.b32 [r], %y1; ret; }";

#[test]
fn recursive_calls_have_parameters_of_their_own() {
    let triangle = |n: u32| 3 * n * (n + 1) / 2;
    let once = call(["%r1", "0", "0", "5"]);
    check(RECURSIVE, &format!("rem.u32 %r1, %r0, 7; {once}"), 48, |lane| triangle(lane % 7));
    // Lanes of one warp call under a condition.
    let body =
        format!("mov.u32 %r9, 4; mov.u32 %r1, %r0; setp.lt.u32 %p1, %r0, 5; @%p1 bra SKIP; {once} SKIP:");
    check(RECURSIVE, &body, 32, |lane| if lane < 5 { 4 } else { triangle(lane) });
}

#[test]
fn divergent_lanes_write_their_parameters() {
    let function = function(
        "mov.b64 %x0, p; ld.local.u32 %z0, [%x0]; and.b32 %z1, %z0, 1; setp.eq.u32 %q0, %z1, 0; @%q0 bra EVEN;\n\
         st.local.u32 [%x0], 1000; bra DONE; EVEN: st.local.u32 [%x0+4], 2000; DONE: ld.param.u32 %y, [p]; ld.param.u32 %z2, [p+4]; add.u32 %y, %y, %z2;",
    );
    let once = call(["%r0", "0", "0", "0"]);
    let body = format!("setp.gt.u32 %p1, %r0, 20; @%p1 bra SKIP; {once} SKIP:");
    check(&function, &body, 64, |lane| match lane {
        21.. => 0,
        lane if lane % 2 == 0 => lane + 2000,
        _ => 1000,
    });
}

#[test]
fn called_through_registers_parameters_have_addresses() {
    let one = |name: &str, offset: u32| {
        format!(
            ".func (.param .b32 r) {name}(.param .align 8 .b8 p[16])\n{{ .reg .b64 %x<3>; .reg .b32 %y; mov.b64 %x0, p;\n\
             cvta.local.u64 %x1, %x0; ld.u32 %y, [%x1+{offset}]; st.param.b32 [r], %y; ret; }}\n"
        )
    };
    let functions =
        format!("{}{}.global .align 8 .u64 table[2] = {{ first, last }};", one("first", 0), one("last", 12));
    let body = "and.b32 %r1, %r0, 1; mul.wide.u32 %d2, %r1, 8; mov.u64 %d3, table; add.s64 %d3, %d3, %d2; ld.global.u64 %d4, [%d3];\n\
        s: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16]); add.u32 %r2, %r0, 500;\n\
        { .param .align 8 .b8 a[16]; .param .b32 x; st.param.v2.b32 [a], {%r0, 0}; st.param.v2.b32 [a+8], {0, %r2}; call (x), %d4, (a), s; ld.param.b32 %r9, [x]; }";
    check(&functions, body, 64, |lane| lane + 500 * (lane & 1));
}

#[test]
fn function_reads_parameter_of_kernel_by_address() {
    let functions = ".func (.param .b32 r) f(.param .b64 p)\n{ .reg .b64 %x; .reg .b32 %y; ld.param.u64 %x, [p]; ld.param::entry.u32 %y, [%x+4]; st.param.b32 [r], %y; ret; }";
    let body = "mov.b64 %d2, out; { .param .b64 a; .param .b32 x; st.param.b64 [a], %d2; call (x), f, (a); ld.param.b32 %r9, [x]; }";
    // The upper bits of the address of each buffer.
    check(functions, &format!("{body} shr.u32 %r9, %r9, 16;"), 8, |_| 1);
}

#[test]
fn wrong_uses_of_parameters_are_refused() {
    let mismatch =
        |name| format!("State space mismatch between instruction and address in instruction '{name}'");
    let argument = |name| {
        format!("Formal parameter '{name}' declared in .param space cannot be used as argument to call")
    };
    let taken = "Illegal to take address of parameter 'a'".to_owned();
    for (body, expected) in [
        ("mov.b64 %x, p; ld.local.u32 %y, [p];", mismatch("ld")),
        ("mov.b64 %x, p; st.local.u32 [p], 1;", mismatch("st")),
        ("mov.b64 %x, p; ld.u32 %y, [p];", mismatch("ld")),
        ("cvta.local.u64 %x, p;", mismatch("cvta")),
        ("mov.b64 %x, p; st.param.u32 [p], 1;", "Illegal to write to function input parameter 'p'".into()),
        ("ld.param.u32 %y, [4];", "Immediate addresses allowed only for .local state space".into()),
        ("{ .param .b32 a; mov.b64 %x, a; }", taken.clone()),
        ("{ .param .b32 a; cvta.param.u64 %x, a; }", taken),
        ("call g, (r);", argument("r")),
        ("call g, (p);", argument("p")),
        ("call (r), h;", argument("r")),
        ("call (p), h;", argument("p")),
    ] {
        let source = format!(
            "{HEAD}.extern .func g(.param .b32 q);\n.extern .func (.param .b32 s) h();\n\
             .visible .func (.param .b32 r) f(.param .b32 p) {{ .reg .b64 %x; .reg .b32 %y; {body} ret; }}\n"
        );
        let log = Program::compile(source.as_bytes(), &TARGET).unwrap_err().log;
        assert!(log.contains(&format!("line 6; error   : {expected}\n")), "{body}: {log}");
    }
}

#[test]
fn other_addresses_of_parameters_are_unsupported() {
    for (body, instruction) in [
        ("mov.b64 %x, r;", "mov.b64"),
        ("cvta.param.u64 %x, p;", "cvta.param.u64"),
        ("cvta.param.u64 %x, p[%y];", "cvta.param.u64"),
        // The code of ptxas ignores the index.
        ("mov.b64 %x, p; ld.param.u32 %y, p[%y];", "ld.param.u32"),
    ] {
        let source = format!(
            "{HEAD}.func (.param .b32 r) f(.param .align 4 .u32 p[4]) {{ .reg .b64 %x; .reg .b32 %y; {body} ret; }}\n\
             .visible .entry k() {{ .param .align 4 .u32 a[4]; .param .b32 x; call (x), f, (a); ret; }}\n"
        );
        let program = Program::compile(source.as_bytes(), &TARGET).unwrap();
        let found = named(&program, "k").unsupported().unwrap_or_default();
        let expected = format!("'{instruction}' with the address of a parameter of a function");
        assert!(found.contains(&expected), "{body}: {found}");
    }
}
