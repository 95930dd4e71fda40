//! Every family of instructions of `conformance/families.tsv`: the driver loads a kernel made of its example, and can
//! launch it. Other tests check the results of the instructions.

use super::Device;
use cuda_sys::CUresult;

/// Families that the software driver does not have yet. One that turns out to be there must be taken off.
const MISSING: &[&str] = &[];

/// One line of the table.
struct Family {
    name: &'static str,
    example: &'static str,
}

fn families() -> Vec<Family> {
    let table = include_str!("../../../conformance/families.tsv");
    let rows = table.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, tier, example] = columns[..] else { panic!("not three columns: {line}") };
        assert!(["50", "80", "95", "100", "more"].contains(&tier), "{line}");
        Family { name, example }
    });
    rows.collect()
}

/// A module whose kernel has the example in a place that no thread reaches, among everything that examples name.
fn module(example: &str) -> String {
    // These instructions are only for the device itself.
    let suffix = if example.starts_with("wgmma") { "a" } else { "" };
    format!(
        ".version 9.0\n.target sm_90{suffix}\n.address_size 64\n\
         .global .texref image;\n.global .surfref canvas;\n.const .align 8 .b8 table[64];\n\
         .extern .func (.param .b32 count) vprintf(.param .b64 text, .param .b64 list);\n\
         .func (.reg .b32 out) callee(.reg .b32 in) {{ mov.b32 out, in; ret; }}\n\
         .func (.param .b32 out) callee_param(.param .b32 in)\n\
         {{ .reg .b32 %x; ld.param.b32 %x, [in]; st.param.b32 [out], %x; ret; }}\n\
         .visible .entry k(.param .u64 argument)\n{{\n\
         .reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %rd<8>; .reg .f32 %f<16>;\n\
         .reg .f64 %fd<8>; .reg .b128 %q<3>; .reg .b64 %value; .reg .pred %skip;\n\
         .shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 gate; .local .align 16 .b8 stack[64];\n\
         choices: .branchtargets FIRST, DONE;\n\
         signature: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n\
         ld.param.u64 %value, [argument]; setp.eq.u64 %skip, %value, 0; @%skip bra DONE;\n\
         FIRST: {example}\nDONE: ret;\n}}\n"
    )
}

#[test]
#[allow(clippy::print_stdout, reason = "the count is what is asked for")]
fn every_family_compiles() {
    let families = families();
    let mut covered = Vec::new();
    let mut lacking = Vec::new();
    for family in &families {
        let mut device = Device::new(&module(family.example));
        match device.launch("k", [1, 1, 1], [32, 1, 1], 0, &0u64.to_le_bytes()).unwrap() {
            CUresult::CUDA_SUCCESS => covered.push(family.name),
            CUresult::CUDA_ERROR_NOT_SUPPORTED => lacking.push(family.name),
            other => panic!("{}: {other}", family.name),
        }
    }
    println!("instruction families: {} covered of {} listed", covered.len(), families.len());
    let missing: &[&str] = if cuda_suite::driver() == cuda_suite::Choice::Sim { MISSING } else { &[] };
    let lost: Vec<_> = lacking.iter().filter(|name| !missing.contains(name)).collect();
    let found: Vec<_> = missing.iter().filter(|name| !lacking.contains(name)).collect();
    assert!(lost.is_empty(), "these families cannot be launched: {lost:#?}");
    assert!(
        found.is_empty(),
        "these are there, or not in the table, and must not be called missing: {found:?}"
    );
}
