//! Refused programs, and the text of each refusal.

use super::{Program, TARGET, named};
use cuda_sim_engine::{CompileErrorKind, Target};

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

fn refuse(source: &str) -> (CompileErrorKind, String) {
    let error = Program::compile(source.as_bytes(), &TARGET).unwrap_err();
    (error.kind, error.log)
}

/// Returns the lines of the log for a kernel on line 4, without their common prefix.
fn complaints(body: &str) -> Vec<String> {
    complaints_of("", body)
}

/// The same for a kernel after variables, which are on its line.
fn complaints_of(variables: &str, body: &str) -> Vec<String> {
    let source = format!(
        "{HEAD}{variables}.visible .entry k(.param .u64 p) {{ .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>; .reg .pred %p<4>; {body} }}\n"
    );
    let (kind, log) = refuse(&source);
    assert_eq!(kind, CompileErrorKind::Invalid);
    let lines: Vec<&str> = log.lines().collect();
    let (last, rest) = lines.split_last().unwrap();
    assert_eq!(*last, "ptxas fatal   : Ptx assembly aborted due to errors");
    rest.iter()
        .map(|line| {
            line.strip_prefix("ptxas application ptx input, line 4; error   : ").unwrap_or(line).to_owned()
        })
        .collect()
}

fn accept(source: &str) -> Program {
    Program::compile(source.as_bytes(), &TARGET).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn compile_errors_have_log_of_driver() {
    let source = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(){ foo.u32 %r1; ret;}";
    assert_eq!(
        refuse(source).1,
        "ptxas application ptx input, line 4; error   : Not a name of any known instruction: 'foo'\n\
         ptxas application ptx input, line 4; error   : Unknown symbol '%r1'\n\
         ptxas fatal   : Ptx assembly aborted due to errors"
    );
    let (kind, log) = refuse(".version 99.0\n.target sm_75\n.address_size 64\n");
    assert_eq!(kind, CompileErrorKind::UnsupportedVersion);
    assert_eq!(
        log,
        "ptxas application ptx input, line 1; fatal   : Unsupported .version 99.0; current version is '9.0'"
    );
    let (kind, log) = refuse(".version 8.0\n.target sm_120\n.address_size 64\n.visible .entry k(){ret;}");
    assert_eq!(kind, CompileErrorKind::Invalid);
    assert!(log.starts_with(
        "ptxas application ptx input, line 2; error   : PTX .version 8.0 does not support .target sm_120\n"
    ));
}

#[test]
fn compile_errors_have_kinds() {
    let kernel = ".visible .entry k() { ret; }\n";
    let kind = |source: &str| refuse(source).0;
    assert_eq!(kind(""), CompileErrorKind::NotPtx);
    assert_eq!(kind("hello world, not ptx\n"), CompileErrorKind::NotPtx);
    assert_eq!(kind(&format!(".target sm_50\n.version 6.4\n{kernel}")), CompileErrorKind::NotPtx);
    assert_eq!(
        kind(&format!(".version 9.5\n.target sm_90\n.address_size 64\n{kernel}")),
        CompileErrorKind::UnsupportedVersion
    );
    assert_eq!(
        kind(&format!(".version 8.6\n.target sm_100\n.address_size 64\n{kernel}")),
        CompileErrorKind::Invalid
    );
    assert_eq!(kind(&format!(".version 6.4\n.address_size 64\n{kernel}")), CompileErrorKind::Invalid);
    assert_eq!(
        kind(&format!(".version 6.4\n.target sm_50\n.address_size 32\n{kernel}")),
        CompileErrorKind::Invalid
    );
    let unresolved = ".extern .func missing_fn();\n.visible .entry k() { call.uni missing_fn; ret; }\n";
    assert_eq!(
        refuse(&format!("{HEAD}{unresolved}")),
        (CompileErrorKind::Invalid, "ptxas fatal   : Unresolved extern function 'missing_fn'".into())
    );
    assert_eq!(
        Program::compile(&[0xde, 0xad, 0xbe, 0xef], &TARGET).unwrap_err().kind,
        CompileErrorKind::NotPtx
    );
    accept(&format!(".version 8.0\n.target sm_90a\n.address_size 64\n{kernel}"));
    accept(&format!(".version 3.0\n.target sm_20\n{kernel}"));
    accept(&format!("{HEAD}{kernel}\0 whatever comes after"));
}

#[test]
fn kernel_declares_shared_memory_up_to_the_limit() {
    let text = |bytes: u32, store: &str| {
        format!(
            "{HEAD}.func f() {{ .shared .align 4 .b8 sm[{bytes}]; {store} ret; }}
             .visible .entry k() {{ call f; ret; }} .visible .entry other() {{ ret; }}"
        )
    };
    let store = "st.shared.u32 [sm], 1;";
    assert_eq!(named(&accept(&text(232_448, store)), "k").static_shared, 232_448);
    assert_eq!(
        refuse(&text(232_449, store)),
        (
            CompileErrorKind::Invalid,
            "ptxas error   : Entry function 'k' uses too much shared data (0x38c01 bytes, 0x38c00 max)"
                .to_owned()
        )
    );
    // Variables that no kernel uses count nothing.
    accept(&text(8 << 20, ""));
}

#[test]
fn wrong_instructions_are_refused() {
    let cases: [(&str, &[&str]); 25] = [
        ("add.u32 %r1, %r2;", &["Arguments mismatch for instruction 'add'"]),
        (
            "vadd2.u32.u32.u32 %r0, %r1.h$, %r2, %r3;",
            &["Unknown field '.h$'", "Arguments mismatch for instruction 'vadd2'"],
        ),
        ("add.u32 %r1, %r2, %zz;", &["Arguments mismatch for instruction 'add'", "Unknown symbol '%zz'"]),
        ("add.foo.u32 %r1, %r2, %r3;", &["Unknown modifier '.foo'"]),
        ("add.ftz.u32 %r1, %r2, %r3;", &["Illegal modifier '.ftz' for instruction 'add'"]),
        ("add.rn.u32 %r1, %r2, %r3;", &["Illegal rounding modifier for instruction 'add'"]),
        ("add %r1, %r2, %r3;", &["Unexpected instruction types specified for 'add'"]),
        ("add.u32 %f1, %r2, %r3;", &["Arguments mismatch for instruction 'add'"]),
        ("add.u32 %d1, %r2, %r3;", &["Arguments mismatch for instruction 'add'"]),
        ("add.u32 %r1, %r2, 5.0;", &["Arguments mismatch for instruction 'add'"]),
        ("add.f32 %f1, %f2, 5;", &["Arguments mismatch for instruction 'add'"]),
        ("add.u32 5, %r2, %r3;", &["Result register required for instruction 'add'"]),
        ("bra NOWHERE;", &["Unknown symbol 'NOWHERE'"]),
        ("@%r1 ret;", &["Predicate expression expected"]),
        ("mul.wide.u32 %r1, %r2, %r3;", &["Arguments mismatch for instruction 'mul.wide'"]),
        ("setp.lt.b32 %p1, %r1, %r2;", &["Mismatch between instruction type and comparison qualifier"]),
        ("setp.u32 %p1, %r1, %r2;", &["Comparison modifier required for instruction 'setp'"]),
        ("cvt.f32.u32 %f1, %r1;", &["Rounding modifier required for instruction 'cvt'"]),
        (
            "ld.global.u32 %r1, [%f1];",
            &["Illegal to use symbol '%f1' of type .f32 as address operand. Use integer or bit only."],
        ),
        ("st.param.u64 [p], %d1;", &["Illegal to write to function input parameter 'p'"]),
        ("mov.u32 %tid.x, %r1;", &["Read-only special register cannot be destination argument"]),
        ("call zz;", &["Call to 'zz' requires call prototype", "Unknown symbol 'zz'"]),
        ("bar.sync 16;", &["Barrier number '16' out of range, expected to be in range [0..15]"]),
        ("L: ret; L: ret;", &["Duplicate definition of label 'L'"]),
        (".reg .u32 %r1;", &["Duplicate definition of variable '%r1'"]),
    ];
    for (body, expected) in cases {
        assert_eq!(complaints(body), expected, "{body}");
    }
}

/// Conformance facts V1084 and V1085.
#[test]
fn elements_of_no_arrays_are_refused() {
    const NO_ARRAY: &str = "Array indexing on non-array";
    let index =
        |kind: &str| format!("Illegal to use symbol '{kind} as array index. Use integer or bit only.");
    let mismatch = |name: &str| format!("Arguments mismatch for instruction '{name}'");
    let space = "State space mismatch between instruction and address in instruction 'ld'";
    let cases: [(&str, &[&str]); 29] = [
        ("ld.global.u32 %r1, one[0];", &[NO_ARRAY, &mismatch("ld")]),
        ("ld.global.u32 %r1, one[%f1];", &[NO_ARRAY, &mismatch("ld")]),
        ("ld.global.u32 %r1, %d1[0];", &[NO_ARRAY, &mismatch("ld")]),
        ("ld.param.u64 %d1, p[0];", &[NO_ARRAY, &mismatch("ld")]),
        ("st.global.u32 %r1[0], %r2;", &[NO_ARRAY, &mismatch("st")]),
        (
            "ld.global.u32 %r1, no[%r99];",
            &[NO_ARRAY, &mismatch("ld"), "Unknown symbol 'no'", "Unknown symbol '%r99'"],
        ),
        ("ld.global.u32 %r1, many[no];", &["Unknown symbol 'no'"]),
        ("mov.u64 %d1, one[1];", &[NO_ARRAY]),
        ("mov.u64 %d1[0], %d2;", &[NO_ARRAY, "Result register required for instruction 'mov'"]),
        ("mov.f32 %f1, %f2[0];", &[NO_ARRAY, &mismatch("mov")]),
        ("add.u32 %r1, %r2[0], %r3;", &[NO_ARRAY]),
        ("add.u64 %d1, %d2, many[1];", &[&mismatch("add")]),
        ("add.u32 %r1, %r2, many[1];", &["Argument 2 of instruction 'add': must be register"]),
        ("{ .reg .b64 many; mov.u64 %d1, many[1]; }", &[NO_ARRAY]),
        ("ld.global.u32 %r1, many[%f1];", &[&index("%f1' of type .f32")]),
        ("ld.global.u32 %r1, many[%p1];", &[&index("%p1' of type .pred")]),
        ("ld.global.u32 %r1, many[%tid];", &[&index("%tid' of type 3")]),
        ("ld.global.u32 %r1, many[k];", &[&index("k' of type (null)")]),
        ("ld.global.u32 %r1, many;", &[&mismatch("ld")]),
        ("ld.shared.u32 %r1, many[%r2];", &[space]),
        ("ld.u32 %r1, fixed[1];", &[space]),
        ("st.const.u32 fixed[1], %r1;", &["State space incorrect for instruction 'st'"]),
        ("atom.global.add.u32 %r1, many[%r2], %r3;", &[&mismatch("atom")]),
        ("atom.global.add.u32 %r1, one[1], %r3;", &[NO_ARRAY, &mismatch("atom")]),
        ("red.global.add.u32 many[1], %r3;", &[&mismatch("red")]),
        ("prefetch.global.L1 many[%r1];", &[&mismatch("prefetch")]),
        ("isspacep.global %p1, many[1];", &[&mismatch("isspacep")]),
        (
            "cvta.shared.u64 %d1, many[1];",
            &["State space mismatch between instruction and address in instruction 'cvta'"],
        ),
        ("cp.async.ca.shared.global [%r1], many[1], 4;", &[&mismatch("cp.async")]),
    ];
    for (body, expected) in cases {
        let variables = ".global .u32 one; .global .u32 many[4]; .const .u32 fixed[4];";
        assert_eq!(complaints_of(variables, body), expected, "{body}");
    }
}

/// Conformance facts V1082 and V1085.
#[test]
fn undefined_elements_are_unsupported() {
    for (body, reason) in [
        ("ld.global.u32 %r1, many[%h];", "'ld.global.u32' with a narrow index"),
        ("mov.u64 %d1, many[many];", "'mov.u64' with an address as an index"),
        ("st.param.u32 words[1], %r1;", "'st.param.u32' with an element of a parameter"),
        ("ld.param.u32 %r1, words[%r2];", "'ld.param.u32' with the address of a parameter of a function"),
    ] {
        let registers = ".reg .b16 %h; .reg .b32 %r<3>; .reg .b64 %d<3>;";
        let program = accept(&format!(
            "{HEAD}.global .u32 many[4];\n.func f(.param .align 4 .u32 words[4]) {{ {registers} {body} ret; }}\n\
             .visible .entry k() {{ .param .align 4 .u32 p[4]; call f, (p); ret; }}"
        ));
        let found = named(&program, "k").unsupported().unwrap();
        assert!(found.contains(reason), "{body}: {found}");
    }
}

#[test]
fn exclusive_modifiers_are_refused() {
    for (text, expected) in [
        ("shfl.sync.up.down.b32 %r1, %r2, 1, 31, -1", "Multiple shuffle modifiers specified"),
        ("shfl.sync.down.down.b32 %r1, %r2, 1, 31, -1", "Multiple .down modifiers specified"),
        ("vote.sync.all.any.pred %p1, %p2, -1", "Multiple .any/.all modifiers specified"),
        ("vote.sync.uni.any.pred %p1, %p2, -1", "Multiple vote modifiers specified"),
        ("ld.global.ca.cg.u32 %r1, [%d1]", "Multiple cache operation modifiers specified"),
        ("ld.relaxed.weak.gpu.global.u32 %r1, [%d1]", "Duplicate .weak modifier"),
        ("atom.global.add.min.u32 %r1, [%d1], %r2", "Multiple instruction post-operation flags set"),
        ("add.ftz.ftz.f32 %f1, %f2, %f3", "Duplicate .ftz modifier"),
        ("mul.lo.hi.u32 %r1, %r2, %r3", "Comparison qualifier is not allowed for instruction 'mul.lo'"),
        ("bar.arrive.sync 0, 32", "Illegal modifier '.sync' for instruction 'bar.arrive'"),
        ("shf.l.r.clamp.b32 %r1, %r2, %r3, %r4", "Illegal modifier 'Component' for instruction 'shf.l'"),
        ("membar.gl.sys", "Multiple scope modifiers specified"),
    ] {
        assert_eq!(complaints(&format!("{text}; ret;")), [expected], "{text}");
    }
    // These words may occur twice, or only look similar.
    accept(&format!(
        "{HEAD}.visible .entry k() {{ .reg .b32 %r<9>; add.cc.cc.u32 %r1, %r2, %r3; bar.cta.arrive 0, 32; \
         add.sat.sat.s32 %r1, %r2, %r3; barrier.cluster.arrive; barrier.cluster.wait; ret; }}"
    ));
}

#[test]
fn errors_are_in_order_of_ptxas() {
    let source = format!(
        "{HEAD}.entry a() {{\n foo.u32 %r1;\n ret; }}\n.entry b() {{\n mov.u32 %r2, 1;\n bar.u32 %x; }}"
    );
    let lines: Vec<String> =
        refuse(&source).1.lines().map(|line| line.replace("ptxas application ptx input, ", "")).collect();
    assert_eq!(
        lines[..2],
        [
            "line 5; error   : Not a name of any known instruction: 'foo'",
            "line 5; error   : Unknown symbol '%r1'"
        ]
    );
    assert_eq!(lines[2], "line 8; error   : Arguments mismatch for instruction 'mov'");
}

#[test]
fn vector_registers_are_packed() {
    let vectors = ".reg .v2 .u32 %v<2>; .reg .v2 .u64 %l; .reg .v4 .u32 %w;";
    let complain = |body: &str| complaints(&format!("{vectors} {body}"));
    let mismatch = ["Arguments mismatch for instruction 'mov'"];
    for body in ["mov.u64 %d1, %v0;", "mov.s64 %v0, %d1;", "mov.b64 %d1, %w;", "mov.b64 %d1, %l;"] {
        assert_eq!(complain(body), mismatch, "{body}");
    }
    for body in ["mov.b32 %r1, %v0;", "mov.b32 %v0, %r1;", "mov.b32 %v0, %v1;", "mov.b64 %l, %l;"] {
        assert_eq!(complain(body), mismatch, "{body}");
    }
    for body in ["mov.b64 %v0, %v1;", "mov.b64 {%r1, %r2}, %v1;", "mov.b64 %v1, {%r1, %r2};"] {
        let text = "Illegal vector-vector operands for vector-scalar or scalar-vector mov instruction";
        assert_eq!(complain(body), [text], "{body}");
    }
}

#[test]
fn names_follow_scopes() {
    accept(&format!(
        "{HEAD}.entry k() {{ .reg .u32 x; {{ .reg .u64 x; mov.u64 x, 1; L: bra L; }} {{ L: bra L; }} mov.u32 x, 1; bra M; {{ bra M; }} M: ret; }}"
    ));
    assert_eq!(complaints("{ .reg .u32 x; } mov.u32 %r1, x;").len(), 2);
    assert_eq!(complaints("{ L: ret; } bra L;"), ["Unknown symbol 'L'"]);
    // In a range, the number has no leading zeros and is below the count.
    accept(&format!("{HEAD}.entry k() {{ .reg .u32 x<12>, x1y<3>; mov.u32 x11, 1; mov.u32 x1y2, 1; ret; }}"));
    assert_eq!(complaints(".reg .u32 x<12>; mov.u32 x12, 1;").len(), 2);
    assert_eq!(complaints(".reg .u32 x<12>; mov.u32 x01, 1;").len(), 2);
    assert_eq!(complaints(".shared .u32 x<3>; mov.u32 %r1, x3;").len(), 2);
    assert_eq!(complaints(".shared .u32 x<3>; mov.u32 %r1, x;").len(), 2);
    for twice in [".shared .u32 x<3>, x1;", ".shared .u32 x1, x<3>;"] {
        assert_eq!(complaints(twice), ["Duplicate definition of variable 'x1'"]);
    }
    let program = accept(&format!("{HEAD}.visible .global .u32 x<2>;"));
    let names: Vec<&str> = program.globals().iter().map(|global| global.name.as_str()).collect();
    assert_eq!(names, ["x0", "x1"]);
    accept(&format!("{HEAD}.entry k() {{ .reg .u32 add, ld; mov.u32 add, 1; ret: bra ret; }}"));
}

#[test]
fn module_scope_errors_are_refused() {
    let complain = |text: &str| {
        let (_, log) = refuse(&format!("{HEAD}{text}"));
        log.lines().next().unwrap().trim_start_matches("ptxas application ptx input, ").to_owned()
    };
    assert_eq!(
        complain(".global .u32 a; .global .u32 a;"),
        "line 4; error   : Duplicate definition of variable 'a'"
    );
    assert_eq!(
        complain(".entry k() {ret;} .entry k() {ret;}"),
        "line 4; error   : Duplicate definition of function 'k'"
    );
    assert_eq!(
        complain(".global .u32 a[2] = {1,2,3};"),
        "line 4; fatal   : Greater number of elements in array initializer"
    );
    assert_eq!(complain(".global .f32 a = 5;"), "line 4; fatal   : Initial value type mismatch");
    assert_eq!(complain(".global .u64 b = zzz;"), "line 4; fatal   : Invalid initial value symbol 'zzz'");
    assert_eq!(
        complain(".shared .u32 a = 5;"),
        "line 4; error   : No initial value is allowed for 'a' in this state space"
    );
    assert_eq!(complain(".global .align 3 .u32 a;"), "line 4; error   : Alignment must be a power of two");
    assert_eq!(
        complain(".const .b8 c[65537];"),
        "ptxas error   : File uses too much global constant data (0x10001 bytes, 0x10000 max)"
    );
    assert_eq!(
        complain(".global .u32 a[];"),
        "line 4; error   : Non-external variable 'a' has incomplete type"
    );
    assert_eq!(
        complain(".func f(.param .u32 a); .func f() {ret;}"),
        "line 4; error   : Inconsistent prototypes of 'f', number of parameters differ"
    );
    assert_eq!(
        complain(".func f(.reg .u32 a) {ret;} .entry k() { call f, (1, 2); ret; }"),
        "line 4; error   : Call has wrong number of parameters"
    );
    assert_eq!(
        complain(".entry e() {ret;} .entry k() { call e; ret; }"),
        "line 4; error   : Illegal call target, device function expected"
    );
}

#[test]
fn program_describes_kernels_and_variables() {
    let program = accept(&format!(
        "{HEAD}.visible .global .align 4 .u32 gvar[4] = {{1, 2}};\n.const .align 8 .f64 pi = 0d400921FB54442D18;\n.global .surfref surf; .extern .global .u32 other;\n\
         .global .attribute(.managed) .u32 shared_with_host;\n\
         .shared .align 16 .b8 tile[100]; .shared .b8 unused[5000];\n\
         .func helper() {{ .local .align 8 .b8 buffer[40]; st.local.u32 [buffer], 1; st.shared.u32 [tile], 1; ret; }}\n\
         .visible .entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[20]) .maxntid 128, 2 .minnctapersm 3 .maxnreg 40\n\
         {{ .shared .b32 own; .local .b32 mine; st.local.u32 [mine], 1; st.shared.b32 [own], 1; call helper; ret; }}\n\
         .entry r() .reqntid 64 {{ ret; }}"
    ));
    let names: Vec<_> = program.kernels().iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["k", "r"]);
    let kernel = named(&program, "k");
    let layout: Vec<_> = kernel.params.iter().map(|param| (param.offset, param.size, param.align)).collect();
    assert_eq!(layout, [(0, 1, 1), (8, 8, 8), (16, 20, 16)]);
    assert_eq!(kernel.param_bytes, 36);
    assert_eq!(kernel.static_shared, 104);
    assert_eq!(kernel.local_bytes, 48);
    assert_eq!(kernel.const_bytes, 8);
    assert_eq!(kernel.max_threads, Some([128, 2, 1]));
    assert!((8..=40).contains(&kernel.registers));
    assert_eq!((kernel.ptx_version, kernel.target), ((9, 0), 90));
    assert_eq!(named(&program, "r").required_threads, Some([64, 1, 1]));
    let globals: Vec<_> = program
        .globals()
        .iter()
        .map(|global| (global.name.as_str(), global.size, global.align, global.managed))
        .collect();
    assert_eq!(
        globals,
        [
            ("gvar", 16, 4, false),
            ("pi", 8, 8, false),
            ("other", 4, 4, false),
            ("shared_with_host", 4, 4, true)
        ]
    );
    let addresses = [0x1000, 0x2000, 0x3000, 0x4000];
    assert_eq!(program.initial_bytes(0, &addresses), [1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(program.initial_bytes(1, &addresses), std::f64::consts::PI.to_le_bytes());
}

#[test]
fn errors_of_group_products_are_those_of_ptxas() {
    let sums = "{%f0, %f1, %f2, %f3}";
    let after = [
        ("m64n8k16.f32.f16.f16", "%rd0, %rd1, %p0, 1, 1, 0, 0", ""),
        ("m64n8k16.f32.f16.f16", "{%r0, %r1, %r2, %r3}, %rd1, !%p0, 1, 1, 0", ""),
        ("m64n8k16.f32.f16.f16", "%rd0, %rd1, 0, 1, 1, 0, 0", ""),
        ("m64n8k32.f32.e4m3.e5m2", "%rd0, %rd1, %p0, -1, 1", ""),
        (
            "m64n8k16.f32.f16.f16",
            "%rd0, %rd1, %r0, 1, 1, 0, 0",
            "Arguments mismatch for instruction 'wgmma.mma_async'",
        ),
        (
            "m64n8k16.f32.f16.f16",
            "%rd0, %rd1, %p0, 1, 1",
            "Arguments mismatch for instruction 'wgmma.mma_async'",
        ),
        (
            "m64n8k16.f32.f16.f16",
            "%rd0, %rd1, %p0, 2, 1, 0, 0",
            "Argument 4 of instruction 'wgmma.mma_async with floating point types': unexpected value '2', expected to be -1 or 1",
        ),
        (
            "m64n8k16.f32.f16.f16",
            "%rd0, %rd1, %p0, 1, 1, 2, 0",
            "Argument 6 of instruction 'wgmma.mma_async with floating point types': unexpected value '2', expected to be 0 or 1",
        ),
        (
            "m64n16k16.f32.f16.f16",
            "%rd0, %rd1, %p0, 1, 1, 0, 0",
            "Argument vector size mismatch for instruction 'wgmma.mma_async with floating point types'",
        ),
        (
            "m64n8k16.f32.f16.bf16",
            "%rd0, %rd1, %p0, 1, 1, 0, 0",
            "Unexpected instruction types specified for 'wgmma.mma_async'",
        ),
        (
            "m64n8k8.f32.f16.f16",
            "%rd0, %rd1, %p0, 1, 1, 0, 0",
            "Illegal instruction types specified for 'wgmma.mma_async with floating point types' with shape '.m64n8k8'",
        ),
        (
            "m16n8k16.f32.f16.f16",
            "%rd0, %rd1, %p0, 1, 1, 0, 0",
            "Illegal matrix shape '.m16n8k16' for instruction 'wgmma.mma_async with floating point types'",
        ),
        ("m64n9k16.f32.f16.f16", "%rd0, %rd1, %p0, 1, 1, 0, 0", "Unknown modifier '.m64n9k16'"),
        ("m64n0k256.s32.b1.b1.and.popc", "%rd0, %rd1, %p0", "Unknown modifier '.m64n0k256'"),
        ("m64n512k256.s32.b1.b1.and.popc", "%rd0, %rd1, %p0", "Unknown modifier '.m64n512k256'"),
        (
            "m64n1152921504606846992k256.s32.b1.b1.and.popc",
            "%rd0, %rd1, %p0",
            "Unknown modifier '.m64n1152921504606846992k256'",
        ),
        (
            "m64n40k32.s32.s8.u8",
            "%rd0, %rd1, %p0",
            "Illegal matrix shape '.m64n40k32' for instruction 'wgmma.mma_async with mixed integer types'",
        ),
        (
            "m64n8k256.s32.b1.b1.xor.popc",
            "%rd0, %rd1, %p0",
            "Incorrect operations specified for wgmma.mma_async with boolean type with shape '.m64n8k256'",
        ),
        (
            "m64n8k16.satfinite.f32.f16.f16",
            "%rd0, %rd1, %p0, 1, 1, 0, 0",
            "Illegal modifier '.satfinite' for instruction 'wgmma.mma_async with floating point types'",
        ),
    ];
    for (words, operands, wanted) in after {
        let text = format!("wgmma.mma_async.sync.aligned.{words} {sums}, {operands};");
        let found = outcome("sm_90a", "8.4", &text);
        assert!(found.contains(wanted) && found.is_empty() == wanted.is_empty(), "{text}\n{found}");
    }
    let others = [
        ("wgmma.wait_group.sync.aligned 7;", ""),
        ("wgmma.fence;", ".sync modifier required for instruction 'wgmma.fence'"),
        (
            "wgmma.wait_group.sync.aligned -1;",
            "Argument 0 of instruction 'wgmma.wait_group': unexpected value '-1', expected to be non-negative integer",
        ),
        ("wgmma.wait_group.sync.aligned;", "Arguments mismatch for instruction 'wgmma.wait_group'"),
        ("wgmma;", "Not a name of any known instruction: 'wgmma'"),
    ];
    for (text, wanted) in others {
        let found = outcome("sm_90a", "8.4", text);
        assert!(found.contains(wanted) && found.is_empty() == wanted.is_empty(), "{text}\n{found}");
    }
}

#[test]
fn errors_of_sparse_products_are_those_of_ptxas() {
    let singles = "{%f0, %f1, %f2, %f3}";
    let words = "{%r0, %r1, %r2, %r3}";
    let warps = |words: &str, operands: &str| format!("mma.{words} {operands};");
    let halves = format!("{singles}, {{%r0, %r1}}, {{%r2, %r3}}, {singles}");
    let longer = format!("{singles}, {words}, {words}, {singles}");
    let bytes = format!("{words}, {words}, {words}, {words}");
    let half = "sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    let range = |value: &str, limit: u32| {
        format!(
            "Argument 6 of instruction 'Sparse mma': value '{value}' out of range, expected to be in range [0..{limit}]"
        )
    };
    let mismatch = "Arguments mismatch for instruction 'mma'";
    let ordered = half.replace("sp.", "sp::ordered_metadata.");
    for (version, text, wanted) in [
        ("8.4", warps(half, &format!("{halves}, %r0, 3")), ""),
        ("8.5", warps(&ordered, &format!("{halves}, %f0, 0x1")), ""),
        (
            "8.4",
            warps(&ordered, &format!("{halves}, %r0, 0")),
            "'.sp::ordered_metadata' requires PTX ISA .version 8.5",
        ),
        ("7.8", warps(half, &format!("{halves}, %r0, 4")), &range("4", 3)),
        ("7.8", warps(half, &format!("{halves}, %r0, -1")), &range("-1", 3)),
        ("7.8", warps(half, &format!("{halves}, %r0, %r1")), mismatch),
        ("7.8", warps(half, &format!("{halves}, 5, 0")), mismatch),
        ("7.8", warps(half, &format!("{halves}, %rd0, 0")), mismatch),
        ("7.8", warps(half, &format!("{halves}, %r0")), mismatch),
        ("7.8", warps(&half.replace("k16", "k8"), &format!("{halves}, %r0, 0")), "types specified for 'mma'"),
        // Hardware ends a kernel with these selectors, though ptxas accepts them (conformance fact V1213).
        ("7.8", warps(&half.replace("k16", "k32"), &format!("{longer}, %r0, 2")), "is not supported"),
        (
            "7.8",
            warps("sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", &format!("{longer}, %r0, 2")),
            &range("2", 1),
        ),
        (
            "7.8",
            warps(
                "sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16",
                &format!("{{%r0, %r1}}, {words}, {words}, {{%r0, %r1}}, %r0, 2"),
            ),
            &range("2", 1),
        ),
        (
            "7.8",
            warps("sp.sync.aligned.m16n8k64.row.col.satfinite.s32.s8.u8.s32", &format!("{bytes}, %r0, 1")),
            &range("1", 0),
        ),
        (
            "8.7",
            warps("sp.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16", &format!("{bytes}, %r0, 0")),
            "types specified for 'mma'",
        ),
    ] {
        let found = outcome("sm_90", version, &text);
        assert!(found.contains(wanted) && found.is_empty() == wanted.is_empty(), "{text}\n{found}");
    }

    let named = "Sparse wgmma.mma_async with floating point types";
    let selector = |value: u32, text: &str, types: &str| {
        format!(
            "Argument 4 of instruction 'Sparse wgmma.mma_async with {types}': unexpected value '{value}', expected to be {text}"
        )
    };
    for (version, kind, operands, wanted) in [
        ("8.2", "m64n8k32.f32.f16.f16", "%rd0, %rd1, %r0, 1, %p0, 1, 1, 0, 0", ""),
        ("8.4", "m64n8k16.f32.tf32.tf32", "{%r0, %r1, %r2, %r3}, %rd1, %r0, 0, %p0, 1, -1", ""),
        (
            "8.1",
            "m64n8k32.f32.f16.f16",
            "%rd0, %rd1, %r0, 0, %p0, 1, 1, 0, 0",
            "Feature 'Sparse WGMMA with floating point types' requires PTX ISA .version 8.2 or later",
        ),
        (
            "8.4",
            "m64n8k32.f32.f16.f16",
            "%rd0, %rd1, %r0, 2, %p0, 1, 1, 0, 0",
            &selector(2, "0 or 1", "floating point types"),
        ),
        ("8.4", "m64n8k64.f32.e4m3.e4m3", "%rd0, %rd1, %r0, 1, %p0, 1, 1", &selector(1, "0", "FP8 types")),
        (
            "8.4",
            "m64n8k32.f32.f16.f16",
            "%rd0, %rd1, %r0, 0, %p0, 1, 1, 0, 2",
            &format!("Argument 9 of instruction '{named}': unexpected value '2', expected to be 0 or 1"),
        ),
        (
            "8.4",
            "m64n8k32.f32.f16.f16",
            "%rd0, %rd1, %r0, %r1, %p0, 1, 1, 0, 0",
            "Arguments mismatch for instruction 'wgmma.mma_async'",
        ),
        (
            "8.4",
            "m64n8k32.f32.f16.f16",
            "%rd0, %rd1, 7, 0, %p0, 1, 1, 0, 0",
            "Arguments mismatch for instruction 'wgmma.mma_async'",
        ),
        (
            "8.4",
            "m64n8k16.f32.f16.f16",
            "%rd0, %rd1, %r0, 0, %p0, 1, 1, 0, 0",
            &format!("Illegal instruction types specified for '{named}' with shape '.m64n8k16'"),
        ),
        (
            "8.4",
            "m64n8k64.f32.f16.f16",
            "%rd0, %rd1, %r0, 0, %p0, 1, 1, 0, 0",
            &format!("Illegal matrix shape '.m64n8k64' for instruction '{named}'"),
        ),
    ] {
        let text = format!("wgmma.mma_async.sp.sync.aligned.{kind} {singles}, {operands};");
        let found = outcome("sm_90a", version, &text);
        assert!(found.contains(wanted) && found.is_empty() == wanted.is_empty(), "{text}\n{found}");
    }
}

/// Returns the result of one instruction for a target: an error, a feature that the engine lacks, or nothing.
fn outcome(target: &str, version: &str, text: &str) -> String {
    let source = format!(
        ".version {version}\n.target {target}\n.address_size 64\n.entry k()\n{{ .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .f32 %f<8>;\n\
         .reg .b16 %h<4>; .reg .pred %p<2>; .shared .align 128 .b8 tile[256]; .shared .align 8 .b64 gate;\n{text}\nret; }}\n"
    );
    let compute_capability = if target.starts_with("sm_100") { (10, 0) } else { TARGET.compute_capability };
    match Program::compile(source.as_bytes(), &Target { compute_capability, ..TARGET }) {
        Ok(program) => program.kernels()[0].unsupported().unwrap_or_default().to_owned(),
        Err(error) => error.log,
    }
}

#[test]
fn suffixed_targets_run_where_they_may() {
    let only = |name: &str, text: &str| {
        let refused = format!("error   : Instruction '{name}' not supported on .target 'sm_90'");
        assert!(outcome("sm_90", "9.0", text).contains(&refused), "{text}");
        outcome("sm_90a", "9.0", text)
    };
    assert_eq!(only("setmaxnreg.inc", "setmaxnreg.inc.sync.aligned.u32 64;"), "");
    assert_eq!(only("wgmma.fence", "wgmma.fence.sync.aligned;"), "");
    let product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, %p0, 1, -1, 0, 1;";
    assert_eq!(only("wgmma.mma_async with floating point types", product), "");
    assert_eq!(only("tensormap.replace", "tensormap.replace.tile.rank.global.b1024.b32 [%rd0], 1;"), "");
    let copy = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd0], [tile], 128;";
    assert_eq!(outcome("sm_90", "8.3", copy), "");
    assert_eq!(outcome("sm_90a", "8.3", copy), "");
    // Features that only newer devices have.
    for target in ["sm_90", "sm_90a"] {
        for (text, words) in [
            ("redux.sync.min.f32 %f0, %f1, -1;", "Instruction 'redux.f32' not supported on .target"),
            (
                "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [tile], [gate];",
                "Feature 'clusterlaunchcontrol.try_cancel.async' requires .target sm_100 or higher",
            ),
            ("tcgen05.wait::ld.sync.aligned;", "not supported on .target"),
        ] {
            let said = outcome(target, "9.0", text);
            assert!(said.contains(words) && said.contains("aborted due to errors"), "{said}");
        }
    }
}

#[test]
fn lacking_instruction_is_named() {
    for (text, detail) in [
        ("multimem.ld_reduce.relaxed.sys.global.add.u32 %r0, [%rd0];", ""),
        (
            "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%f0, %f1, %f2, %f3}, %r0, 0x2;",
            " with this selector",
        ),
    ] {
        let name = text.split_once(' ').unwrap().0;
        let expected = format!(
            "ptxas application ptx input, line 7; error   : Instruction '{name}'{detail} is not supported"
        );
        assert_eq!(outcome("sm_90", "9.0", text), expected);
    }
    // Forms of newer targets, and neighbours of these forms that ptxas refuses, with its words.
    for (text, refusal) in [
        ("add.f32.f16 %f0, %h1, %f2;", ""),
        ("add.rz.sat.f32.bf16 %f0, %h1, %f2;", ""),
        ("sub.f32.bf16 %f0, %h1, %f2;", ""),
        ("fma.rn.f32.bf16 %f0, %h1, %h2, %f3;", ""),
        ("fma.f32.f16 %f0, %h1, %h2, %f3;", "Rounding modifier required for instruction 'fma'"),
        ("add.ftz.f32.f16 %f0, %h1, %f2;", "Illegal modifier '.ftz' for instruction 'add'"),
        ("add.f32.f16 %f0, %f1, %h2;", "Arguments mismatch for instruction 'add'"),
        ("mul.f32.f16 %f0, %h1, %f2;", "Unexpected instruction types specified for 'mul'"),
        ("max.f32 %f0, %f1, %f2, %f3;", ""),
        ("max.NaN.abs.f32 %f0, %f1, %f2, %f3;", ""),
        ("min.ftz.abs.f32 %f0, %f1, %f2, %f3;", ""),
        ("max.xorsign.abs.f32 %f0, %f1, %f2, %f3;", "Illegal modifier '.xorsign' for instruction 'max'"),
        ("max.abs.f32 %f0, %f1, %f2;", "Modifier '.abs' requires modifier '.xorsign'"),
        ("add.rn.f32x2 %rd0, %rd1, %rd2;", ""),
        (
            "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [tile], [gate];",
            "",
        ),
    ] {
        let said = outcome("sm_100", "9.0", text);
        let is_lacking = said.contains("is not supported") && !said.contains("aborted due to errors");
        assert_eq!(is_lacking, refusal.is_empty(), "{text}: {said}");
        assert!(said.contains(refusal), "{text}: {said}");
    }
    assert!(outcome("sm_100a", "9.0", "tcgen05.wait::ld.sync.aligned;").contains("is not supported"));
    let said = outcome("sm_90", "9.0", "add.f32.f16 %f0, %h1, %f2;");
    assert!(said.contains("Feature 'add.f32.f16' requires .target sm_100 or higher"), "{said}");
}

#[test]
fn copies_name_shared_memory_before_ptx_7_8() {
    let source = |version: &str, text: &str| {
        format!(
            ".version {version}\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {{ .reg .b64 %d<2>;
             .shared .align 16 .b8 s[16]; ld.param.u64 %d0, [p]; {text} ret; }}"
        )
    };
    for text in
        ["cp.async.ca.shared::cta.global [s], [%d0], 4;", "cp.async.cg.shared::cta.global [s], [%d0], 16;"]
    {
        accept(&source("7.0", text));
    }
    let (_, log) = refuse(&source("7.7", "cp.async.mbarrier.arrive.shared::cta.b64 [s];"));
    assert!(log.contains("Feature '::cta' requires PTX ISA .version 7.8 or later"), "{log}");
}

#[test]
fn newer_features_are_refused() {
    for (version, target, text, words) in [
        (
            "6.5",
            "sm_75",
            "cp.async.commit_group;",
            "Feature 'cp.async.commit_group' requires PTX ISA .version 7.0 or later",
        ),
        (
            "9.0",
            "sm_75",
            "cp.async.commit_group;",
            "Feature 'cp.async.commit_group' requires .target sm_80 or higher",
        ),
        (
            "7.5",
            "sm_80",
            "mov.u32 %r0, %clusterid.x;",
            "Feature '%clusterid' requires PTX ISA .version 7.8 or later",
        ),
        (
            "9.0",
            "sm_80",
            "mbarrier.try_wait.shared.b64 %p0, [gate], %rd0;",
            "Feature 'mbarrier.try_wait' requires .target sm_90 or higher",
        ),
        (
            "7.8",
            "sm_90",
            "cp.async.bulk.commit_group;",
            "Feature 'cp.async.bulk.commit_group' requires PTX ISA .version 8.0 or later",
        ),
        (
            "9.0",
            "sm_70",
            "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;",
            "Feature 'movmatrix' requires .target sm_75 or higher",
        ),
        (
            "9.0",
            "sm_90",
            "st.volatile.local.u32 [%rd0], %r0;",
            "Feature 'ld/st with .local.volatile' requires PTX ISA .version 9.1 or later",
        ),
    ] {
        let said = outcome(target, version, text);
        assert!(said.contains(words), "{text}: {said}");
    }
}
