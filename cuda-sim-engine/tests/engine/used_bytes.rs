//! Bytes of loads that a program uses: `.pragma "used_bytes_mask …"`, as ptxas reads it.

use super::device::{Device, TARGET};
use cuda_sim_engine::{
    AccessKind, CompileErrorKind, ObservedAccess, ObservedArrival, ObservedBlock, Observer, Program,
    Progress, Site, Target,
};
use std::sync::{Arc, Mutex};

/// Start and size of adjacent bytes that a load uses.
type Part = (u64, u32);

/// Address of the first load, and the parts of each load, relative to it.
#[derive(Debug, Default)]
struct Loads(Mutex<(Option<u64>, Vec<Vec<Part>>)>);

impl Observer for Loads {
    fn access(&self, access: &ObservedAccess<'_>) {
        if access.kind != AccessKind::Store {
            let (first, loads) = &mut *self.0.lock().unwrap();
            let first = *first.get_or_insert(access.threads[0].address);
            let parts = access.parts(&access.threads[0]);
            loads.push(parts.map(|(address, size)| (address - first, size)).collect());
        }
    }

    fn untold_write(&self) {}

    fn arrive(&self, _: &ObservedArrival<'_>) {}

    fn complete(&self, _: ObservedBlock, _: u32) {}

    fn meet(&self, _: ObservedBlock, _: &[u32]) {}

    fn outside_mask(&self, _: Site, _: ObservedBlock, _: u32, _: &[u32]) {}

    fn exit(&self, _: Site, _: ObservedBlock, _: &[u32]) {}
}

const VECTOR: &str = "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%x];";

/// Returns the parts of each load of some statements.
fn loads(statements: &str) -> Vec<Vec<Part>> {
    let mut device = Device::kernel(
        ".param .b64 in",
        &format!(
            ".reg .b32 %r<4>; .reg .b64 %x, %y; .reg .b128 %w; .reg .pred %p; ld.param.b64 %x, [in];\n{statements}\nret;"
        ),
    );
    let buffer = device.alloc_u32(&[3, 5, 7, 11, 13, 17, 19, 23]);
    let observer = Arc::new(Loads::default());
    let mut execution = device.begin("k", [1, 1], &[buffer], |launch| {
        launch.observer = Some(Arc::<Loads>::clone(&observer));
    });
    assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished), "{statements}");
    drop(execution);
    std::mem::take(&mut observer.0.lock().unwrap().1)
}

const WHOLE: &[Part] = &[(0, 16)];
const FIRST: &[Part] = &[(0, 4)];

#[test]
fn mask_has_value_of_strtol() {
    let cases: [(&str, &[Part]); 22] = [
        (" 0xfff", &[(0, 12)]),
        (" 3855", &[(0, 4), (8, 4)]),
        (" 017", FIRST),
        (" 0xf00f", &[(0, 4), (12, 4)]),
        (" 0x8001", &[(0, 1), (15, 1)]),
        (" 0x2", &[(1, 1)]),
        ("\t0XF", FIRST),
        ("=+15", FIRST),
        ("20xf", FIRST),
        (" \r\t15", FIRST),
        (" -65521", FIRST),
        (" 0x10000000f", FIRST),
        (" 0xf000f", FIRST),
        (" 0xffff", WHOLE),
        (" 0xfffff", WHOLE),
        // ptxas ignores a mask without any byte of the load.
        (" 0", WHOLE),
        (" 0xf0000", WHOLE),
        // A value outside of 64 bits becomes the nearest one of 64 bits.
        (" 9223372036854775823", WHOLE),
        (" -9223372036854775825", WHOLE),
        (" 99999999999999999999999", WHOLE),
        (" -1", WHOLE),
        (" -0x1", WHOLE),
    ];
    for (value, parts) in cases {
        let text = format!(".pragma \"used_bytes_mask{value}\"; {VECTOR}");
        assert_eq!(loads(&text), [parts], "{value:?}");
    }
}

#[test]
fn mask_is_of_next_instruction() {
    let mask = ".pragma \"used_bytes_mask 0xf\";";
    let all = ".pragma \"used_bytes_mask 0xffff\";";
    let taken = [
        format!("{mask} {VECTOR}"),
        format!("{all} {mask} {VECTOR}"),
        format!(".pragma \"used_bytes_mask 0xff\", \"used_bytes_mask 0xf\"; {VECTOR}"),
        format!("{mask} .pragma \"nounroll\"; {VECTOR}"),
        format!(".pragma \"used_bytes_mask 0xf\", \"nounroll\"; {VECTOR}"),
        format!("{mask} L: {VECTOR}"),
        format!("{mask} {{ {VECTOR} }}"),
        format!("{{ {mask} }} {VECTOR}"),
        format!("{mask} .reg .b32 %other; {VECTOR}"),
        format!("setp.ne.u64 %p, %x, 0; {mask} @%p {VECTOR}"),
        format!("{mask} ld.volatile.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%x];"),
        format!("{mask} ld.acquire.gpu.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%x];"),
        format!("{mask} ld.global.nc.v4.u32 {{%r0, %r1, %r2, %r3}}, [%x];"),
        format!("{mask} ld.v2.u64 {{%x, %y}}, [%x];"),
        format!("{mask} ld.global.b128 %w, [%x];"),
        format!("{mask} ld.relaxed.gpu.global.b128 %w, [%x];"),
    ];
    for text in taken {
        assert_eq!(loads(&text), [FIRST], "{text}");
    }
    let ignored = [
        format!("{mask} {all} {VECTOR}"),
        format!("{mask} add.u64 %y, %x, 16; {VECTOR}"),
        format!("{mask} ld.param.b64 %x, [in]; {VECTOR}"),
        format!("{mask} ldu.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%x];"),
    ];
    for text in ignored {
        assert_eq!(loads(&text), [WHOLE], "{text}");
    }
    let second = "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%x+16];";
    let pair: [&[Part]; 2] = [FIRST, &[(16, 16)]];
    assert_eq!(loads(&format!("{mask} {VECTOR} {second}")), pair);
    let atom = format!(".pragma \"used_bytes_mask 1\"; atom.global.add.u32 %r0, [%x], 1; {VECTOR}");
    let pair: [&[Part]; 2] = [FIRST, WHOLE];
    assert_eq!(loads(&atom), pair);
    let word = ".pragma \"used_bytes_mask 0xf7\"; ld.global.u32 %r0, [%x];";
    assert_eq!(loads(word), [[(0, 3)]]);
}

#[test]
fn mask_changes_no_value() {
    let mut device = Device::kernel(
        ".param .b64 in, .param .b64 out",
        ".reg .b32 %r<4>; .reg .b64 %x, %y; ld.param.b64 %x, [in]; ld.param.b64 %y, [out];
        .pragma \"used_bytes_mask 3\"; ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%x];
        st.global.v4.u32 [%y], {%r0, %r1, %r2, %r3}; ret;",
    );
    let words = [0x0102_0304, 0x0506_0708, 0x090a_0b0c, 0x0d0e_0f10];
    let (from, to) = (device.alloc_u32(&words), device.alloc_u32(&[0; 4]));
    let mut execution = device.begin("k", [1, 1], &[from, to], |_| {});
    assert_eq!(device.go_on(&mut execution, u64::MAX), Ok(Progress::Finished));
    assert_eq!(device.u32s(to), words);
}

fn log(source: &str, target: &Target) -> String {
    let error = Program::compile(source.as_bytes(), target).unwrap_err();
    assert_eq!(error.kind, CompileErrorKind::Invalid);
    error.log
}

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

#[test]
fn value_that_is_no_mask_is_refused() {
    let refused = |text: &str| log(&format!("{HEAD}.entry k() {{ .pragma \"{text}\"; ret; }}"), &TARGET);
    for value in ["abc", "0xfff 3", "0xfffU", "0b1", "09", "0x", "-", "- 1", "0xf ", " ", "1.5", "3+4"] {
        let text = format!("used_bytes_mask {value}");
        let message = format!("ptxas error   : Invalid value '{value}' specified for .pragma '{text}'");
        assert_eq!(refused(&text), message);
    }
    for text in ["used_bytes_mask", "used_bytes_mask ", "used_bytes_maskx"] {
        assert_eq!(refused(text), format!("ptxas error   : Argument(s) to pragma '{text}' cannot be empty"));
    }
    for text in ["nounroll", " used_bytes_mask x", "USED_BYTES_MASK x", "used_bytes x", ""] {
        let source = format!("{HEAD}.entry k() {{ .pragma \"{text}\"; ret; }}");
        Program::compile(source.as_bytes(), &TARGET).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn masks_of_kept_functions_are_refused() {
    let function = |name: &str| format!(".func {name}() {{ .pragma \"used_bytes_mask {name}\"; ret; }}\n");
    let kernel = "{ .pragma \"used_bytes_mask a\", \"used_bytes_mask b\"; call used; ret; }\n";
    let source =
        format!("{HEAD}{}{}.entry first() {kernel}.entry k() {{ ret; }}", function("lost"), function("used"));
    let message = |value: &str| {
        format!("ptxas error   : Invalid value '{value}' specified for .pragma 'used_bytes_mask {value}'")
    };
    let mut expected = ["a", "b", "used"].map(message).to_vec();
    assert_eq!(log(&source, &TARGET).lines().collect::<Vec<_>>(), expected);
    // Other texts of a link can call all functions.
    let error = Program::compile_part(source.as_bytes(), &TARGET).unwrap_err();
    expected.push(message("lost"));
    assert_eq!(error.log.lines().collect::<Vec<_>>(), expected);
    // All other errors come first.
    let wrong = format!("{source}.entry wrong() {{ bra NOWHERE; }}");
    assert!(!log(&wrong, &TARGET).contains("Invalid value"));
}

#[test]
fn mask_outside_of_function_is_refused() {
    let scope = "is allowed only within function scope";
    let source = format!(
        "{HEAD}.pragma \"nounroll\", \"used_bytes_mask 1\";\n.entry k() .pragma \"used_bytes_mask\"; {{ ret; }}"
    );
    let line = |line: u32, text: &str| {
        format!("ptxas application ptx input, line {line}; error   : Pragma '{text}' {scope}")
    };
    let expected = [
        line(4, "used_bytes_mask 1"),
        line(5, "used_bytes_mask"),
        "ptxas fatal   : Ptx assembly aborted due to errors".to_owned(),
    ];
    assert_eq!(log(&source, &TARGET).lines().collect::<Vec<_>>(), expected);
}

#[test]
fn mask_needs_ptx_8_3() {
    let source = |version: &str| {
        format!(
            ".version {version}\n.target sm_90\n.address_size 64\n.entry k() {{ .pragma \"used_bytes_mask x\"; ret; }}"
        )
    };
    let message = "ptxas application ptx input, line 4; error   : Feature 'used_bytes_mask' requires PTX ISA .version 8.3 or later";
    assert_eq!(log(&source("8.2"), &TARGET).lines().next(), Some(message));
    // The driver of CUDA 12.2 does not know the pragma.
    let old = Target { ptx_version: (8, 2), ..TARGET };
    Program::compile(source("8.2").as_bytes(), &old).unwrap();
}
