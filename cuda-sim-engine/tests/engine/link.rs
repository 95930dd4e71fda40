//! Links of several texts that hardware cannot be compared with. The answers of drivers are in the suite.

use super::{Program, TARGET, named};
use cuda_sim_engine::{CompileErrorKind, Text};
use proptest::prelude::*;

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

fn link(texts: &[&str]) -> Result<Program, (CompileErrorKind, String)> {
    let sources: Vec<String> = texts.iter().map(|text| format!("{HEAD}{text}")).collect();
    for source in &sources {
        Program::compile_part(source.as_bytes(), &TARGET).map_err(|error| (error.kind, error.log))?;
    }
    let texts: Vec<Text<'_>> =
        sources.iter().map(|source| Text { name: "a", source: source.as_bytes() }).collect();
    Program::compile_together(&texts, &TARGET).map_err(|error| (error.kind, error.log))
}

#[test]
fn unlinkable_texts_are_refused() {
    let lacking = |texts: &[&str]| link(texts).unwrap_err().0;
    let calls =
        ".extern .func (.reg .b32 r) f();\n.visible .entry k() { .reg .b32 %r; call.uni (%r), f; ret; }";
    let function = ".visible .func (.param .b32 r) f() { st.param.b32 [r], 1; ret; }";
    assert_eq!(lacking(&[calls, function]), CompileErrorKind::Lacking);
    assert_eq!(lacking(&[".common .global .u32 g;", ".weak .global .u32 g = 1;"]), CompileErrorKind::Lacking);
    let kernels = link(&[".entry k() { ret; }", ".entry k() { ret; }"]).unwrap();
    assert_eq!(kernels.kernels().len(), 1);
    assert!(named(&kernels, "k").unsupported().is_some());
}

#[test]
fn linked_variables_have_one_definition() {
    let program = link(&[
        ".extern .global .u32 g[];\n.weak .global .u32 h = 1;\n.visible .entry k() { .reg .b32 %r; ld.global.u32 %r, [g]; ret; }",
        ".visible .global .u32 g[3] = {1, 2, 3};\n.visible .global .u32 h = 2;",
        ".extern .global .u32 g[];\n.extern .global .u32 h;\n.global .u32 own = 5;",
        ".global .u32 own = 6;",
    ])
    .unwrap();
    let names: Vec<(&str, u64)> =
        program.globals().iter().map(|global| (global.name.as_str(), global.size)).collect();
    assert_eq!(names, [("g", 12), ("h", 4), ("own", 4), ("own", 4)]);
    assert_eq!(program.initial_bytes(1, &[0; 4]), 2_u32.to_le_bytes());
}

proptest! {
    /// Linking any two declarations of a name ends, and does not panic.
    #[test]
    fn texts_are_linked_or_refused(
        first in prop::sample::select(PIECES), second in prop::sample::select(PIECES),
        third in prop::sample::select(PIECES), fourth in prop::sample::select(PIECES),
    ) {
        let _ = link(&[&format!("{first}\n{second}"), &format!("{third}\n{fourth}")]);
    }
}

const PIECES: &[&str] = &[
    ".extern .func f();",
    ".func f();",
    ".func f() { ret; }",
    ".visible .func f() { ret; }",
    ".weak .func f() { call.uni f; ret; }",
    ".visible .func (.param .b32 r) f() { ret; }",
    ".extern .func f(.reg .b32 x);",
    ".extern .func f(.param .b64 x);",
    ".visible .entry f() { ret; }",
    ".entry f() { ret; }",
    ".extern .entry f();",
    ".visible .global .u32 f = 1;",
    ".weak .const .u32 f;",
    ".common .global .u32 f[4];",
    ".extern .global .u64 f[];",
    ".extern .shared .u64 f[];",
    ".extern .shared .u32 f;",
    ".visible .shared .u32 f;",
    ".weak .global .texref f;",
    ".extern .global .surfref f;",
    ".visible .global .u64 f<3>;",
    ".visible .global .u64 p = f;",
    ".visible .func real() { ret; } .alias f, real;",
    ".weak .func other() { ret; } .visible .func f(); .alias f, other;",
    ".visible .entry k() { call.uni f; ret; }",
    ".visible .entry k() { .reg .b64 %p; mov.u64 %p, f; ret; }",
    ".visible .entry l() { .reg .b32 %r; ld.global.u32 %r, [f]; ret; }",
    ".visible .entry l() { .reg .b32 %r; ld.shared.u32 %r, [f]; ret; }",
    "",
];
