//! PTX of old versions and targets, and the version or target that introduced each feature. The texts are those of
//! ptxas 13.0.

use super::{Program, TARGET};

#[test]
fn f64_before_sm_13_is_refused_at_launch() {
    for (target, is_there) in [("sm_10", false), ("sm_13", true)] {
        let source = format!(
            ".version 1.4\n.target {target}\n.entry k()\n{{ .reg .f64 %g<3>; add.f64 %g1, %g2, %g2; exit; }}\n"
        );
        let program = Program::compile(source.as_bytes(), &TARGET).unwrap();
        let found = program.kernels()[0].unsupported();
        assert_eq!(found.is_none(), is_there, "{target}: {found:?}");
        assert!(
            found.is_none_or(|text| text.contains("'add.f64' with double precision is not supported")),
            "{found:?}"
        );
    }
}

/// Returns the messages about one instruction, in the order of the log. An accepted instruction has none.
fn said(version: &str, target: &str, instruction: &str) -> Vec<String> {
    let source = format!(
        ".version {version}\n.target {target}\n.entry k()\n{{ .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>;\n\
         .reg .f32 %f<4>; .reg .f64 %g<4>; .reg .pred %p<2>;\n{instruction}\nret; }}\n"
    );
    let Err(error) = Program::compile(source.as_bytes(), &TARGET) else { return Vec::new() };
    let lines = error.log.lines().filter(|line| !line.contains("aborted due to errors"));
    lines
        .map(|line| {
            line.strip_prefix("ptxas application ptx input, line 6; error   : ").unwrap_or(line).to_owned()
        })
        .collect()
}

#[test]
fn conversion_takes_part_of_special_register() {
    for (version, target) in [("1.3", "sm_13"), ("1.4", "sm_10"), ("2.0", "sm_20"), ("9.0", "sm_90")] {
        for (instruction, expected) in [
            ("cvt.s32.u16 %r1, %ctaid.x;", ""),
            ("cvt.u32.u8 %r1, %tid.x;", ""),
            ("cvt.s64.s8 %d1, %tid.y;", ""),
            ("cvt.u16.u32 %h1, %ntid.z;", ""),
            ("cvt.u64.u32 %d1, %nctaid.x;", ""),
            ("cvt.u64.u64 %d1, %tid.x;", "Arguments mismatch for instruction 'cvt'"),
            ("cvt.u32.u32 %r1, %tid;", "Vector operand is not allowed for instruction 'cvt'"),
            ("cvt.rn.f32.u32 %f1, %tid.x;", "Special register argument not allowed for instruction 'cvt'"),
            ("cvt.rn.f32.u16 %f1, %tid.x;", "Special register argument not allowed for instruction 'cvt'"),
            ("cvt.rzi.u32.f32 %r1, %tid.x;", "Special register argument not allowed for instruction 'cvt'"),
        ] {
            let expected: Vec<&str> = Some(expected).filter(|text| !text.is_empty()).into_iter().collect();
            assert_eq!(said(version, target, instruction), expected, "{version} {target}: {instruction}");
        }
    }
}

#[test]
fn missing_approximation_is_named() {
    let either =
        |name: &str| format!("Rounding modifier or '.approx' modifier required for instruction '{name}'");
    let rounding = |name: &str| format!("Rounding modifier required for instruction '{name}'");
    let approximation = |name: &str| format!(".approx modifier required for instruction '{name}'");
    for (instruction, expected) in [
        ("div.f32 %f1, %f2, %f3;", either("div")),
        ("div.f64 %g1, %g2, %g3;", rounding("div")),
        ("sqrt.f32 %f1, %f2;", either("sqrt")),
        ("sqrt.ftz.f32 %f1, %f2;", either("sqrt")),
        ("sqrt.f64 %g1, %g2;", rounding("sqrt")),
        ("rcp.f32 %f1, %f2;", either("rcp")),
        ("rcp.f64 %g1, %g2;", either("rcp")),
        ("sin.f32 %f1, %f2;", approximation("sin")),
        ("rsqrt.f32 %f1, %f2;", approximation("rsqrt")),
    ] {
        for (version, target) in [("1.4", "sm_13"), ("2.0", "sm_20"), ("9.0", "sm_90")] {
            let found = said(version, target, instruction);
            assert_eq!(found, std::slice::from_ref(&expected), "{version} {target}: {instruction}");
        }
        // The first versions had no other forms, except reciprocals of `.f64`.
        if !instruction.contains("ftz") && !instruction.starts_with("rcp.f64") {
            assert_eq!(said("1.3", "sm_13", instruction), [""; 0], "{instruction}");
        }
    }
}

#[test]
fn old_mad_without_rounding_compiles() {
    let required = ["Rounding modifier required for instruction 'mad'"];
    let (single, rounded) = ("mad.f32 %f1, %f2, %f3, %f1;", "mad.rn.f32 %f1, %f2, %f3, %f1;");
    let (double, rounded_double) = ("mad.f64 %g1, %g2, %g3, %g1;", "mad.rn.f64 %g1, %g2, %g3, %g1;");
    for (version, target) in [("1.3", "sm_10"), ("1.4", "sm_10"), ("1.4", "sm_13"), ("3.1", "sm_20")] {
        assert_eq!(said(version, target, single), [""; 0], "{version} {target}");
    }
    for (version, target) in [("3.2", "sm_20"), ("9.0", "sm_90")] {
        assert_eq!(said(version, target, single), required, "{version} {target}");
    }
    for (version, target) in [("2.0", "sm_20"), ("9.0", "sm_90")] {
        assert_eq!(said(version, target, rounded), [""; 0], "{version} {target}");
    }
    let later = "Instruction 'mad.rnd.f32' requires .target sm_20 or higher".to_owned();
    assert!(said("1.4", "sm_10", rounded).contains(&later));
    assert_eq!(said("1.3", "sm_13", double), [""; 0]);
    assert_eq!(said("1.4", "sm_13", double), required);
    assert_eq!(said("1.4", "sm_13", rounded_double), [""; 0]);
}

#[test]
fn old_targets_lack_roundings_and_flushes() {
    let rounding = ["Illegal rounding modifier for instruction 'add'"];
    for (instruction, first, since) in [
        ("add.rn.f64 %g1, %g2, %g3;", true, "sm_10"),
        ("add.rm.f64 %g1, %g2, %g3;", false, "sm_13"),
        ("add.rz.f32 %f1, %f2, %f3;", true, "sm_10"),
        ("add.rp.f32 %f1, %f2, %f3;", false, "sm_20"),
    ] {
        for target in ["sm_10", "sm_13", "sm_20"] {
            let version = if target == "sm_20" { "2.0" } else { "1.4" };
            let expected = if first || target >= since { &[][..] } else { &rounding };
            assert_eq!(said(version, target, instruction), expected, "{target}: {instruction}");
        }
    }
    let flush = ["Modifier '.ftz' does not apply to this type of convert operation"];
    for (instruction, was_there) in [
        ("cvt.rzi.ftz.s64.f32 %d1, %f1;", false),
        ("cvt.ftz.f64.f32 %g1, %f1;", false),
        ("cvt.rn.ftz.f32.s8 %f1, %r1;", false),
        ("cvt.rzi.ftz.s32.f32 %r1, %f1;", true),
        ("cvt.rn.ftz.f32.s64 %f1, %d1;", true),
        ("cvt.rn.ftz.f32.f64 %f1, %g1;", true),
        ("cvt.rzi.ftz.s8.f32 %r1, %f1;", true),
    ] {
        let expected = if was_there { &[][..] } else { &flush };
        assert_eq!(said("1.4", "sm_13", instruction), expected, "{instruction}");
        assert_eq!(said("1.5", "sm_13", instruction), [""; 0], "{instruction}");
    }
}

#[test]
fn all_missing_features_are_reported() {
    for (version, target, instruction, expected) in [
        (
            "1.4",
            "sm_10",
            "lop3.b32 %r1, %r2, %r3, %r1, 0x3f;",
            &[
                "Instruction 'lop3' requires .target sm_50 or higher",
                "Feature 'lop3' requires PTX ISA .version 4.3 or later",
            ][..],
        ),
        (
            "1.4",
            "sm_10",
            "atom.add.f32 %f1, [%d1], %f2;",
            &[
                "Feature 'generic addressing' requires .target sm_20 or higher",
                "Feature 'generic addressing' requires PTX ISA .version 2.0 or later",
                "Instruction 'atom' requires .target sm_11 or higher",
                "Instruction 'atom.add.f32 with generic state space' requires .target sm_20 or higher",
                "Instruction 'atom.add.f32 with generic state space' requires PTX ISA .version 2.0 or later",
            ],
        ),
        (
            "1.4",
            "sm_10",
            "cvt.u32.u64 %r1, %clock64;",
            &[
                "Feature '%clock64' requires PTX ISA .version 2.0 or later",
                "Feature '%clock64' requires .target sm_20 or higher",
            ],
        ),
        (
            "2.0",
            "sm_20",
            "nanosleep.u32 5;",
            &[
                "Instruction 'nanosleep' requires .target sm_70 or higher",
                "Feature 'nanosleep' requires PTX ISA .version 6.2 or later",
            ],
        ),
        ("9.0", "sm_90", "lop3.b32 %r1, %r2, %r3, %r1, 0x3f;", &[]),
        ("6.4", "sm_70", "set.lt.f16.s16 %h1, %h2, %h3;", &[]),
        (
            "6.4",
            "sm_70",
            "set.lt.s16.f16 %h1, %h2, %h3;",
            &[
                "Feature 'half precision floating point set instruction with integer result' requires PTX ISA .version 6.5 or later",
            ],
        ),
        ("9.0", "sm_90", "ld.volatile.global.L2::128B.u32 %r1, [%d1];", &[]),
        (
            "9.0",
            "sm_90",
            "ld.volatile.global.L1::evict_last.u32 %r1, [%d1];",
            &["Modifier '.evict_last' cannot be combined with modifier '.volatile'"],
        ),
        (
            "9.0",
            "sm_90",
            "ld.mmio.relaxed.sys.global.L2::128B.u32 %r1, [%d1];",
            &["Modifier '.L2::128B' cannot be combined with modifier '.mmio'"],
        ),
    ] {
        let mut found = said(version, target, instruction);
        let mut expected: Vec<String> = expected.iter().map(|text| (*text).to_owned()).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{version} {target}: {instruction}");
    }
}

#[test]
fn parameters_in_body_belong_to_old_ptx() {
    let source = |version: &str| {
        format!(
            ".version {version}\n.target sm_10\n.entry k\n{{ .reg .u32 r; .param .u64 p; .param .u32 n;\n\
             ld.param.u32 r, [n]; exit; }}\n"
        )
    };
    let program = Program::compile(source("1.3").as_bytes(), &TARGET).unwrap();
    let parameters: Vec<_> =
        program.kernels()[0].params.iter().map(|param| (param.offset, param.size)).collect();
    assert_eq!(parameters, [(0, 8), (8, 4)]);
}
