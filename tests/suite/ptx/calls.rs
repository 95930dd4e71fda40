//! Functions.

use super::{Arg, Device};
use cuda_rt::Module;
use cuda_rt::error::Code;

fn run(functions: &str, body: &str, threads: u32) -> Vec<u32> {
    let mut device = Device::new(&format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n{functions}\n.visible .entry k(.param .b64 out)\n{{\n\
         .reg .b32 %r<20>; .reg .b64 %d<8>; .reg .pred %p<8>; .reg .f32 %f<4>;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r9, 0;\n{body}\n\
         ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r9; ret;\n}}\n"
    ));
    let out = device.alloc_u32(&vec![0xdead; threads as usize]);
    device.run("k", [1, 1, 1], [threads, 1, 1], &[Arg::Buffer(out)]);
    device.u32s(out)[..threads as usize].to_vec()
}

fn check(functions: &str, body: &str, threads: u32, expected: impl Fn(u32) -> u32) {
    let expected: Vec<u32> = (0..threads).map(expected).collect();
    assert_eq!(run(functions, body, threads), expected);
}

#[test]
fn register_parameters() {
    let functions = ".func (.reg .b32 %out) f(.reg .b32 %a, .reg .b64 %b)\n\
        { .reg .b32 %t; cvt.u32.u64 %t, %b; mad.lo.u32 %out, %a, 10, %t; ret; }";
    let body = "mov.u64 %d2, 3; call (%r9), f, (%r0, %d2); call.uni (%r1), f, (2, 7); add.u32 %r9, %r9, %r1;";
    check(functions, body, 40, |lane| lane * 10 + 3 + 27);
}

#[test]
fn predicates_are_not_passed() {
    for (function, call, said) in [
        (
            ".func (.reg .b32 %r) f(.reg .pred %a) { mov.u32 %r, 1; ret; }",
            "(%r9), f, (%p1)",
            "passing predicate",
        ),
        (
            ".func (.reg .pred %r) f(.reg .b32 %a) { setp.eq.u32 %r, %a, 1; ret; }",
            "(%p1), f, (%r9)",
            "returning predicate",
        ),
    ] {
        let called = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n{function}\n.visible .entry k(.param .b64 out) {{\n\
             .reg .b32 %r<20>; .reg .b64 %d0; .reg .pred %p<8>; ld.param.b64 %d0, [out]; ld.global.b32 %r9, [%d0];\n\
             setp.eq.u32 %p1, %r9, 7; call {call}; @%p1 add.u32 %r9, %r9, 1; st.global.b32 [%d0], %r9; ret; }}\n"
        );
        let error = Module::from_ptx(&cuda_suite::context(), &called).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidPtx), "{error}");
        assert!(error.to_string().contains(said), "{error}");
        // A wrong function that is not called is no error.
        let unused = called.replace(&format!("call {call};"), "");
        Module::from_ptx(&cuda_suite::context(), &unused).unwrap();
    }
}

#[test]
fn predicates_among_several_results() {
    if cuda_suite::driver() == cuda_suite::Choice::Real {
        cuda_suite::skip!("driver 580's compiler crashes on this (conformance fact P3)");
    }
    let functions = ".func (.reg .b32 %out, .reg .pred %flag) f(.reg .b32 %a, .reg .b64 %b, .reg .pred %c)\n\
        { .reg .b32 %t; cvt.u32.u64 %t, %b; mad.lo.u32 %out, %a, 10, %t; not.pred %flag, %c; ret; }";
    let body = "setp.gt.u32 %p1, %r0, 5; mov.u64 %d2, 3; call (%r9, %p2), f, (%r0, %d2, %p1); @%p2 add.u32 %r9, %r9, 1000;\n\
        call.uni (%r1, _), f, (2, 7, %p1); add.u32 %r9, %r9, %r1;";
    check(functions, body, 40, |lane| lane * 10 + 3 + if lane > 5 { 0 } else { 1000 } + 27);
}

#[test]
fn parameter_variables() {
    let functions = ".func (.param .align 8 .b8 result[16]) f(.param .b64 a, .param .b32 b, .param .b16 c, .param .b8 d, .param .align 4 .b8 e[12])\n\
        { .reg .b64 %x<3>; .reg .b32 %y<6>; .reg .b16 %z<3>; ld.param.b64 %x0, [a]; ld.param.b32 %y0, [b]; ld.param.u16 %z0, [c]; ld.param.s8 %z1, [d];\n\
        ld.param.v2.b32 {%y1, %y2}, [e]; ld.param.u8 %y3, [e+9]; ld.param.u16 %y4, [e+10];\n\
        cvt.u64.u32 %x1, %y0; add.u64 %x0, %x0, %x1; st.param.b64 [result], %x0; cvt.s32.s16 %y0, %z1; cvt.u32.u16 %y5, %z0; add.u32 %y0, %y0, %y5; add.u32 %y1, %y1, %y2;\n\
        add.u32 %y1, %y1, %y3; add.u32 %y1, %y1, %y4; st.param.v2.b32 [result+8], {%y0, %y1}; ret; }";
    let body = "{ .param .b64 a; .param .b32 b; .param .b16 c; .param .b8 d; .param .align 4 .b8 e[12]; .param .align 8 .b8 r[16]; .reg .b16 %h;\n\
        cvt.u64.u32 %d2, %r0; st.param.b64 [a], %d2; st.param.b32 [b], 5; mov.u16 %h, 300; st.param.b16 [c], %h; st.param.b8 [d], -2; st.param.b32 [e], %r0; st.param.b32 [e+4], 6;\n\
        st.param.b8 [e+9], 7; st.param.b16 [e+10], 1000; call.uni (r), f, (a, b, c, d, e); ld.param.b64 %d3, [r]; ld.param.b32 %r1, [r+8]; ld.param.b32 %r2, [r+12]; }\n\
        cvt.u32.u64 %r9, %d3; mad.lo.u32 %r9, %r1, 1000, %r9; mad.lo.u32 %r9, %r2, 1000000, %r9;";
    check(functions, body, 33, |lane| {
        (lane + 5).wrapping_add(298 * 1000).wrapping_add((lane + 6 + 7 + 1000).wrapping_mul(1_000_000))
    });
}

#[test]
fn registers_for_variables_and_back() {
    // Arguments and parameters may be of different kinds.
    let functions = ".func (.param .b64 r) f(.param .b64 a, .param .f32 b) { .reg .b64 %x; .reg .f32 %y; .reg .b32 %z; ld.param.b64 %x, [a]; ld.param.f32 %y, [b]; mov.b32 %z, %y; add.u64 %x, %x, 1; st.param.b64 [r], %x; ret; }\n\
        .func (.reg .b64 %r) g(.reg .b64 %a) { add.u64 %r, %a, 10; ret; }";
    let body = "cvt.u64.u32 %d2, %r0; mov.f32 %f1, 1.0; call (%d3), f, (%d2, %f1); call (%d3), f, (%d3, 2.0); { .param .b64 a; .param .b64 b; st.param.b64 [a], %d3; call (b), g, (a); ld.param.b64 %d3, [b]; } cvt.u32.u64 %r9, %d3;";
    check(functions, body, 32, |lane| lane + 12);
}

#[test]
fn calls_under_divergence() {
    let functions = ".func (.reg .b32 %r) f(.reg .b32 %a) { .reg .pred %p; activemask.b32 %r; popc.b32 %r, %r; setp.gt.u32 %p, %a, 20; @%p ret; mad.lo.u32 %r, %a, 100, %r; ret; }";
    let body = "setp.lt.u32 %p1, %r0, 24; mov.u32 %r9, 7; @%p1 call (%r9), f, (%r0); activemask.b32 %r1; setp.ne.u32 %p2, %r1, -1; @%p2 add.u32 %r9, %r9, 1000000;";
    check(functions, body, 32, |lane| match lane {
        24.. => 7,
        21.. => 24,
        _ => lane * 100 + 24,
    });
}

#[test]
fn addresses_of_parameters() {
    // The address is that of a copy in local memory, which each call has for itself.
    let functions = ".func (.param .b32 out) f(.param .align 8 .b8 p[16], .param .align 4 .u32 q[4], .param .b32 i)\n\
        { .reg .b64 %x<8>; .reg .b32 %y<9>; ld.param.u32 %y0, [i]; mov.b64 %x0, p+8; mov.u64 %x1, q; cvta.local.u64 %x2, %x1;\n\
        ld.local.u32 %y1, [%x0+4]; ld.u32 %y2, [%x2+8]; add.u32 %y3, %y1, %y2; st.local.u32 [%x0], %y3; st.u32 [%x2+4], 5;\n\
        mov.b64 %x3, p; ld.local.u32 %y4, [%x3+8]; ld.param.u32 %y5, [p+8]; ld.param.u32 %y6, [q+4]; sub.u32 %y4, %y4, %y5; add.u32 %y5, %y5, %y6;\n\
        mad.wide.u32 %x4, %y0, 4, %x1; ld.local.u32 %y7, [%x4]; mov.b64 %x5, q[%y0]; ld.param.u32 %y8, [%x5]; sub.u32 %y8, %y8, %y7;\n\
        mad.lo.u32 %y7, %y7, 100, %y5; mad.lo.u32 %y7, %y4, 1000000, %y7; mad.lo.u32 %y7, %y8, 1000000, %y7; st.param.b32 [out], %y7; ret; }";
    let once = "{ .param .align 8 .b8 p[16]; .param .align 4 .u32 q[4]; .param .b32 i; .param .b32 out; st.param.v2.b32 [p], {0, 0};\n\
        st.param.v2.b32 [p+8], {0, %r0}; st.param.b32 [q], 10; st.param.b32 [q+4], 11; st.param.b32 [q+8], 12; st.param.b32 [q+12], %r0;\n\
        st.param.b32 [i], %r1; call (out), f, (p, q, i); ld.param.b32 %r2, [out]; }";
    let body = format!(
        "mov.u32 %r1, 1; {once} and.b32 %r1, %r0, 3; setp.lt.u32 %p1, %r0, 50; @!%p1 bra SKIP; {once} SKIP: mov.u32 %r9, %r2;"
    );
    let sum = |lane, element| lane + 12 + 5 + 100 * element;
    check(functions, &body, 64, |lane| match lane & 3 {
        _ if lane >= 50 => sum(lane, 5),
        1 => sum(lane, 5),
        3 => sum(lane, lane),
        index => sum(lane, 10 + index),
    });
    // With recursion and a call through a register.
    let functions = ".func (.param .b32 out) f(.param .align 8 .b8 p[16])\n\
        { .reg .b64 %x<3>; .reg .b32 %y<6>; .reg .pred %q; mov.b64 %x0, p; ld.param.u32 %y0, [p]; ld.param.u64 %x1, [p+8]; mov.u32 %y1, 0;\n\
        setp.eq.u32 %q, %y0, 0; @%q bra DONE; mul.lo.u32 %y2, %y0, 3; st.local.u32 [%x0+4], %y2; sub.u32 %y3, %y0, 1;\n\
        s: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16]);\n\
        { .param .align 8 .b8 a[16]; .param .b32 x; st.param.v2.b32 [a], {%y3, 77}; st.param.b64 [a+8], %x1; call (x), %x1, (a), s; ld.param.b32 %y1, [x]; }\n\
        ld.local.u32 %y4, [%x0+4]; add.u32 %y1, %y1, %y4; DONE: st.param.b32 [out], %y1; ret; }";
    let body = "mov.u64 %d2, f; rem.u32 %r1, %r0, 7; { .param .align 8 .b8 a[16]; .param .b32 x; st.param.v2.b32 [a], {%r1, 5}; st.param.b64 [a+8], %d2;\n\
        call (x), f, (a); ld.param.b32 %r9, [x]; }";
    check(functions, body, 64, |lane| (0..=lane % 7).map(|n| 3 * n).sum());
}

#[test]
fn recursion() {
    let functions = ".func (.reg .b32 %r) fib(.reg .b32 %n) { .reg .b32 %a, %b, %m; .reg .pred %p; .local .b32 keep; mov.u32 %r, %n; setp.lt.u32 %p, %n, 2; @%p ret;\n\
        st.local.b32 [keep], %n; sub.u32 %m, %n, 1; call (%a), fib, (%m); ld.local.b32 %m, [keep]; sub.u32 %m, %m, 2; call (%b), fib, (%m); add.u32 %r, %a, %b; ret; }";
    let body = "rem.u32 %r1, %r0, 11; call (%r9), fib, (%r1);";
    fn fib(n: u32) -> u32 {
        if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
    }
    check(functions, body, 48, |lane| fib(lane % 11));
}

#[test]
fn mutual_recursion_and_forward_declarations() {
    let functions = ".func (.reg .b32 %r) odd(.reg .b32 %n);\n\
        .func (.reg .b32 %r) even(.reg .b32 %n) { .reg .pred %p; .reg .b32 %m; mov.u32 %r, 1; setp.eq.u32 %p, %n, 0; @%p ret; sub.u32 %m, %n, 1; call (%r), odd, (%m); ret; }\n\
        .func (.reg .b32 %r) odd(.reg .b32 %n) { .reg .pred %p; .reg .b32 %m; mov.u32 %r, 0; setp.eq.u32 %p, %n, 0; @%p ret; sub.u32 %m, %n, 1; call (%r), even, (%m); ret; }";
    check(functions, "call (%r9), even, (%r0);", 40, |lane| u32::from(lane % 2 == 0));
}

#[test]
fn functions_with_memory_of_their_own() {
    let functions = ".shared .b32 total; .global .u32 calls;\n\
        .func add(.reg .b64 %where, .reg .b32 %what) { .reg .b32 %t; ld.u32 %t, [%where]; add.u32 %t, %t, %what; st.u32 [%where], %t; red.shared.add.u32 [total], %what; red.global.add.u32 [calls], 1; ret; }";
    let body = ".local .b32 mine; st.local.b32 [mine], 5; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.b32 [total], 0; bar.sync 0; cvta.local.u64 %d2, mine;\n\
        call add, (%d2, %r0); call add, (%d2, 100); bar.sync 0; ld.local.b32 %r9, [mine]; ld.shared.b32 %r1, [total]; mad.lo.u32 %r9, %r1, 1000, %r9; ld.global.u32 %r2, [calls]; mad.lo.u32 %r9, %r2, 10000000, %r9;";
    check(functions, body, 64, |lane| {
        (lane + 105).wrapping_add((63 * 32 + 6400) * 1000).wrapping_add(128 * 10_000_000)
    });
}

#[test]
fn aliases_and_exits() {
    let functions = ".visible .func (.reg .b32 %r) other(.reg .b32 %a);\n\
        .visible .func (.reg .b32 %r) f(.reg .b32 %a) { .reg .pred %p; add.u32 %r, %a, 50; setp.gt.u32 %p, %a, 15; @%p exit; ret; }\n.alias other, f;";
    let values = run(functions, "call (%r9), other, (%r0);", 32);
    for (lane, &value) in values.iter().enumerate() {
        assert_eq!(value, if lane > 15 { 0xdead } else { lane as u32 + 50 });
    }
}

/// Two functions with the same parameters, and a table of their addresses.
const TABLE: &str = ".func (.param .b32 out) twice(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, %x;\n\
     st.param.b32 [out], %x; ret; }\n\
     .func (.param .b32 out) square(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; mul.lo.u32 %x, %x, %x;\n\
     st.param.b32 [out], %x; ret; }\n\
     .global .align 8 .u64 table[3] = { twice, square, twice };";

#[test]
fn calls_through_registers() {
    // Lanes of one warp call different functions, by a table and by names. It is not specified whether they are together
    // again after the call: on an H200 they are not (conformance fact P11).
    let body = "rem.u32 %r1, %r0, 3; mul.wide.u32 %d2, %r1, 8; mov.u64 %d3, table; add.s64 %d3, %d3, %d2;\n\
        ld.global.u64 %d4, [%d3]; signature: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
        { .param .b32 in; .param .b32 out; st.param.b32 [in], %r0; call (out), %d4, (in), signature; ld.param.b32 %r9, [out]; }";
    check(TABLE, body, 64, |lane| if lane % 3 == 1 { lane * lane } else { 2 * lane });
    let body = "mov.u64 %d4, square; mov.u64 %d5, twice; setp.gt.u32 %p1, %r0, 20; selp.b64 %d6, %d4, %d5, %p1;\n\
        choices: .calltargets twice, square; setp.ne.u32 %p2, %r0, 7;\n\
        { .param .b32 in; .param .b32 out; st.param.b32 [in], %r0; @%p2 call (out), %d6, (in), choices; @%p2 ld.param.b32 %r9, [out]; }";
    check(TABLE, body, 40, |lane| match lane {
        7 => 0,
        21.. => lane * lane,
        _ => 2 * lane,
    });
}

#[test]
fn a_function_that_calls_itself_through_a_register() {
    let functions = ".func (.param .b32 out) count(.param .b32 a, .param .b64 self)\n\
        { .reg .b32 %x<3>; .reg .b64 %f; .reg .pred %p; ld.param.b32 %x0, [a]; ld.param.b64 %f, [self]; mov.u32 %x1, 0;\n\
        setp.eq.u32 %p, %x0, 0; @%p bra END; sub.u32 %x2, %x0, 1;\n\
        s: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n\
        { .param .b32 in; .param .b64 me; .param .b32 got; st.param.b32 [in], %x2; st.param.b64 [me], %f;\n\
        call (got), %f, (in, me), s; ld.param.b32 %x1, [got]; }\n\
        add.u32 %x1, %x1, %x0; END: st.param.b32 [out], %x1; ret; }";
    let body = "mov.u64 %d2, count; and.b32 %r1, %r0, 15; s: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n\
        { .param .b32 in; .param .b64 me; .param .b32 got; st.param.b32 [in], %r1; st.param.b64 [me], %d2;\n\
        call (got), %d2, (in, me), s; ld.param.b32 %r9, [got]; }";
    check(functions, body, 32, |lane| (0..=lane % 16).sum());
}

#[test]
fn printing_counts_its_arguments() {
    let functions = ".extern .func (.param .b32 count) vprintf(.param .b64 text, .param .b64 list);\n\
        .global .align 1 .b8 text[24] = { 112, 116, 120, 32, 115, 117, 105, 116, 101, 58, 32, 37, 100, 32, 37, 115, 10, 0 };\n\
        .global .align 1 .b8 word[4] = { 120, 121, 0 };";
    let body = ".local .align 8 .b8 list[16]; setp.ne.u32 %p1, %r0, 3; mov.u64 %d2, text; mov.u64 %d3, word;\n\
        st.local.b32 [list], %r0; st.local.b64 [list+8], %d3; cvta.local.u64 %d4, list;\n\
        @%p1 bra DONE;\n\
        { .param .b64 t; .param .b64 l; .param .b32 c; st.param.b64 [t], %d2; st.param.b64 [l], %d4;\n\
        call.uni (c), vprintf, (t, l); ld.param.b32 %r9, [c]; }\n DONE:";
    check(functions, body, 32, |lane| if lane == 3 { 2 } else { 0 });
}
