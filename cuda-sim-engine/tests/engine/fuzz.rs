//! No program panics or hangs, in the compiler or at run time.

use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;

use super::device::with_memory;
use super::{Program, TARGET, launch_to_end};
use cuda_sim_engine::Launch;
use cuda_sim_engine::Output;

const KERNELS: [&str; 7] = [
    include_str!("images.ptx"),
    include_str!("kernels/matmul_tiled.ptx"),
    include_str!("kernels/reduce.ptx"),
    include_str!("kernels/func_call.ptx"),
    include_str!("kernels/local_array.ptx"),
    include_str!("kernels/spin_lock.ptx"),
    include_str!("kernels/histogram.ptx"),
];

/// Words of the language, common and unusual.
const WORDS: [&str; 92] = [
    ".version",
    "9.0",
    ".target",
    "sm_90",
    ".address_size",
    "64",
    ".visible",
    ".entry",
    ".func",
    "k",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "|",
    "@",
    "!",
    "+",
    "-",
    "<",
    ">",
    "=",
    ":",
    "_",
    ".param",
    ".reg",
    ".local",
    ".shared",
    ".global",
    ".const",
    ".extern",
    ".align",
    ".b8",
    ".b16",
    ".b32",
    ".b64",
    ".u32",
    ".s64",
    ".f32",
    ".f64",
    ".pred",
    ".v2",
    ".v4",
    "%r",
    "%r1",
    "%rd1",
    "%f1",
    "%p1",
    "%tid.x",
    "%clock64",
    "0",
    "1",
    "4294967295",
    "0f7fc00000",
    "0d7ff8000000000000",
    "1.5",
    "0x",
    "\"",
    "/*",
    "add",
    "mov",
    "ld",
    "st",
    "setp",
    "bra",
    "call",
    "ret",
    ".callprototype",
    ".section",
    "generic(",
    "mbarrier",
    "cp.async.bulk",
    "wmma.mma",
    "vadd4",
    ".sync",
    ".aligned",
    ".m16n8k16",
    ".m0n0k0",
    ".row",
    ".col",
    ".s8",
    ".tf32",
    ".e4m3x2",
    ".b128",
    ".shared::cluster",
    ".mbarrier::complete_tx::bytes",
    "%r1.b0",
    "vprintf",
];

/// Instructions that few kernels use, on registers and variables of [`rare`].
const RARE: [&str; 60] = [
    "mbarrier.init.shared.b64 [gate], %r2;",
    "mbarrier.arrive.shared.b64 %rd2, [gate];",
    "mbarrier.arrive.noComplete.shared.b64 %rd2, [gate], %r3;",
    "mbarrier.arrive.expect_tx.shared.b64 _, [gate], %r1;",
    "mbarrier.arrive_drop.b64 %rd2, [%rd1];",
    "mbarrier.complete_tx.relaxed.cta.shared.b64 [gate], %r3;",
    "mbarrier.test_wait.shared.b64 %p0, [gate], %rd2;",
    "mbarrier.try_wait.parity.shared.b64 %p0, [gate], %r1, %r2;",
    "mbarrier.pending_count.b64 %r1, %rd2;",
    "mbarrier.inval.shared.b64 [gate];",
    "cp.async.ca.shared.global [tile], [%rd0], 4, %r1;",
    "cp.async.cg.shared.global [%r4], [%rd0], 16, %p0;",
    "cp.async.mbarrier.arrive.noinc.shared.b64 [gate];",
    "cp.async.wait_group 0; cp.async.commit_group;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], %r4, [gate];",
    "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 64;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%rd0], [tile], 32;",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r4], {%r1, %r2}, [%r5];",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%r4], %r1, [%r5];",
    "barrier.cluster.arrive; barrier.cluster.wait;",
    "barrier.cluster.wait.acquire.aligned;",
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1}, {%r2}, {%f0, %f1, %f2, %f3};",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd0, %fd1}, {%fd0}, {%fd1}, {%fd0, %fd1};",
    "mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16 {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r2, %r3}, {%r0, %r1, %r2, %r3};",
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r0, %r1, %r2, %r3};",
    "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1}, {%r2}, {%f0, %f1, %f2, %f3};",
    "wmma.load.a.sync.aligned.row.m8n32k16.u8 {%r1}, [%rd0], %r2;",
    "wmma.load.c.sync.aligned.col.m8n8k4.f64 {%fd0, %fd1}, [%rd1];",
    "wmma.store.d.sync.aligned.row.m8n8k32.s32 [%rd0], {%r0, %r1}, %r3;",
    "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%r0, %r1}, {%r2}, {%r3}, {%r0, %r1};",
    "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1, %r2}, [%r4];",
    "stmatrix.sync.aligned.m8n8.x1.shared.b16 [tile], {%r2};",
    "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;",
    "vadd.s32.s32.u32.sat %r1, %r2.b3, %r3.h0;",
    "vmad.s32.s32.u32.shr7.sat %r1, -%r2.b0, %r3.b1, %r1;",
    "vshl.u32.u32.u32.clamp.add %r1, %r2, %r3, %r0;",
    "vset4.u32.u32.ne.add %r1, %r2, %r3, %r0;",
    "vavrg4.s32.s32.s32 %r1.b20, %r2, %r3.b7654, %r0;",
    "vadd2.u32.s32.s32.sat %r1, %r2.h31, %r3.h20, %r0;",
    "fns.b32 %r1, %r2, %r3, %r0;",
    "cvt.rn.satfinite.e4m3x2.f32 %h0, %f0, %f1;",
    "cvt.rn.f16x2.e5m2x2 %r1, %h0;",
    "cvt.rna.satfinite.tf32.f32 %r1, %f0;",
    "cvt.pack.sat.s4.s32.b32 %r1, %r2, %r3, %r0;",
    "cvt.rzi.s32.bf16 %r1, %h0;",
    "cvt.rn.relu.satfinite.bf16x2.f32 %r1, %f0, %f1;",
    "rcp.approx.ftz.f64 %fd0, %fd1;",
    "tanh.approx.bf16x2 %r1, %r2;",
    "atom.global.v4.f16x2.min.noftz {%r0, %r1, %r2, %r3}, [%rd0], {%r3, %r2, %r1, %r0};",
    "atom.shared.cas.b128 %q0, [tile], %q0, %q1;",
    "ld.global.b128 %q0, [%rd0]; st.shared.b128 [tile], %q0;",
    "mov.b128 %q1, {%rd0, %rd1}; mov.b128 {%r0, %r1, %r2, %r3}, %q1;",
    "call (%r1), callee, (%r2); call (%r1), %rd3, (%r2), signature;",
    "call.uni (%r1), %rd2, (%r2), signature;",
    "call.uni (%r1), vprintf, (%rd4, %rd0);",
    "mapa.shared::cluster.u32 %r1, tile, %r2; getctarank.u64 %r1, %rd0;",
    "createpolicy.fractional.L2::evict_last.b64 %rd2, 0f3F800000;",
    "mov.pred %p0, %is_explicit_cluster; mov.u32 %r1, %envreg3;",
    "fence.proxy.async.global; fence.mbarrier_init.release.cluster;",
    "@%p0 bra NEXT; mov.u64 %rd2, %clock64;",
];

/// Returns a kernel with these instructions.
fn rare(body: &str) -> String {
    format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n\
         .extern .func (.reg .b32 count) vprintf(.reg .b64 text, .reg .b64 list);\n\
         .global .align 1 .b8 text[] = {{ 37, 100, 37, 115, 37, 42, 46, 42, 103, 37, 99, 37, 108, 120, 0 }};\n\
         .func (.reg .b32 out) callee(.reg .b32 in) {{ mov.b32 out, in; ret; }}\n\
         .visible .entry k(.param .u64 a, .param .u64 b)\n{{\n\
         .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>; .reg .f64 %fd<4>;\n\
         .reg .b128 %q<2>; .shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 gate;\n\
         signature: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n\
         ld.param.u64 %rd0, [a]; cvta.shared.u64 %rd1, gate; mov.u64 %rd3, callee; mov.u64 %rd4, text; mov.u32 %r4, tile; mov.u32 %r5, gate;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r2, 2; mov.f32 %f0, 1.5; setp.gt.u32 %p0, %r0, 20;\n\
         {body}\nNEXT: ret;\n}}\n"
    )
}

/// Compiles a text, and runs each kernel that can run.
fn exercise(source: &str) {
    let Ok(program) = Program::compile(source.as_bytes(), &TARGET) else { return };
    let program = Arc::new(program);
    let base = 1 << 48;
    for kernel in program.kernels() {
        if kernel.unsupported().is_some() || kernel.local_bytes > 4096 || kernel.static_shared > 65536 {
            continue;
        }
        let mut params = vec![0u8; kernel.param_bytes as usize];
        for (index, chunk) in params.chunks_exact_mut(8).enumerate() {
            // Every third value is a small number, the others are addresses.
            let value: u64 = if index % 3 == 2 { 5 } else { base + 64 * index as u64 };
            chunk.copy_from_slice(&value.to_le_bytes());
        }
        let globals = vec![base + 512; program.globals().len()];
        let launch = Launch {
            grid: [2, 1, 1],
            block: [40, 1, 1],
            dynamic_shared: 64,
            params,
            globals,
            textures: super::images::bound(&program, base),
            output: Arc::new(Output::new(1 << 12)),
            malloc_heap: None,
            children: None,
            limit: 400_000,
            at_once: 1,
            multiprocessors: super::device::MULTIPROCESSORS,
            timing: super::device::TIMING,
            workers: 1,
            vectors: true,
            cluster: Some([2, 1, 1]),
            workspace: 0,
            order: None,
            injected: None,
            counter: None,
            observer: None,
        };
        let mut buffers = [(base, vec![0u64; 256])];
        let outcome =
            with_memory(&mut buffers, |memory| launch_to_end(&program, &kernel.name, launch, memory));
        if let Err(fault) = outcome {
            assert!(fault.to_string().contains("in kernel"));
        }
    }
    for index in 0..program.globals().len() {
        let addresses = vec![u64::MAX; program.globals().len()];
        if program.globals()[index].size < 1 << 20 {
            program.initial_bytes(index, &addresses);
        }
    }
}

/// Returns the ranges of the tokens of a text.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (index, character) in text.char_indices() {
        let part = character.is_alphanumeric() || matches!(character, '_' | '$' | '%' | '.');
        match (start, part) {
            (None, true) => start = Some(index),
            (Some(begin), false) => {
                found.push(begin..index);
                start = None;
            }
            _ => {}
        }
        if !part && !character.is_whitespace() {
            found.push(index..index + character.len_utf8());
        }
    }
    found
}

/// Change of one token of a kernel.
#[derive(Debug, Clone)]
enum Change {
    Remove(prop::sample::Index),
    Replace(prop::sample::Index, &'static str),
    Copy(prop::sample::Index, prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        place().prop_map(Change::Remove),
        (place(), select(&WORDS[..])).prop_map(|(place, word)| Change::Replace(place, word)),
        (place(), place()).prop_map(|(from, to)| Change::Copy(from, to)),
        (place(), place()).prop_map(|(from, to)| Change::Swap(from, to)),
    ]
}

fn apply(source: &str, change: &Change) -> String {
    let tokens = tokens(source);
    if tokens.is_empty() {
        return source.to_owned();
    }
    let mut text = source.to_owned();
    let mut replace = |range: std::ops::Range<usize>, with: &str| text.replace_range(range, with);
    match change {
        Change::Remove(place) => replace(place.get(&tokens).clone(), ""),
        Change::Replace(place, word) => replace(place.get(&tokens).clone(), word),
        Change::Copy(from, to) => replace(to.get(&tokens).clone(), &source[from.get(&tokens).clone()]),
        Change::Swap(from, to) => {
            let (mut first, mut second) = (from.get(&tokens).clone(), to.get(&tokens).clone());
            if first.start > second.start {
                std::mem::swap(&mut first, &mut second);
            }
            if first != second {
                replace(second.clone(), &source[first.clone()]);
                replace(first, &source[second]);
            }
        }
    }
    text
}

#[test]
fn cold_instructions_compile_for_fuzzing() {
    for text in RARE {
        let program = Program::compile(rare(text).as_bytes(), &TARGET)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(program.kernels()[0].unsupported(), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_compile_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Program::compile(&bytes, &TARGET);
    }

    #[test]
    fn any_text_after_head_compiles_without_panic(text in ".{0,200}") {
        exercise(&format!(".version 9.0\n.target sm_90\n.address_size 64\n{text}"));
    }

    #[test]
    fn words_in_any_order_run_without_panic(words in prop::collection::vec(select(&WORDS[..]), 0..120)) {
        let text = words.join(" ");
        exercise(&format!(".version 9.0\n.target sm_90\n.address_size 64\n{text}"));
        exercise(&format!(".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .b64 k1) {{ .reg .b32 %r<9>; .reg .b64 %rd<9>; {text}"));
    }

    #[test]
    fn changed_kernels_run_without_panic(which in select(&KERNELS[..]), changes in prop::collection::vec(change(), 1..4)) {
        let source = changes.iter().fold(which.to_owned(), |source, change| apply(&source, change));
        exercise(&source);
    }

    #[test]
    fn rare_instructions(
        chosen in prop::collection::vec(select(&RARE[..]), 1..8),
        changes in prop::collection::vec(change(), 0..3),
    ) {
        let body = changes.iter().fold(chosen.join("\n"), |body, change| apply(&body, change));
        exercise(&rare(&body));
    }

    #[test]
    fn truncated_kernels_compile_without_panic(which in select(&KERNELS[..]), place in any::<prop::sample::Index>()) {
        exercise(&which[..place.index(which.len())]);
    }
}
