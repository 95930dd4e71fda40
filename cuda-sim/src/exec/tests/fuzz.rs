//! Nothing that is compiled or run may panic or hang, whatever it is.

use proptest::prelude::*;
use proptest::sample::select;

use super::super::memory::with_memory;
use super::super::{Launch, launch as run};
use super::{Program, TARGET};

const KERNELS: [&str; 6] = [
    include_str!("kernels/matmul_tiled.ptx"),
    include_str!("kernels/reduce.ptx"),
    include_str!("kernels/func_call.ptx"),
    include_str!("kernels/local_array.ptx"),
    include_str!("kernels/spin_lock.ptx"),
    include_str!("kernels/histogram.ptx"),
];

/// Words of the language, common and strange.
const WORDS: [&str; 74] = [
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
];

/// Compiles, and runs what can be run.
fn exercise(source: &str) {
    let Ok(program) = Program::compile(source.as_bytes(), &TARGET) else { return };
    let base = 1 << 48;
    for kernel in program.kernels() {
        if kernel.unsupported().is_some() || kernel.local_bytes > 4096 || kernel.static_shared > 65536 {
            continue;
        }
        let mut params = vec![0u8; kernel.param_bytes as usize];
        for (index, chunk) in params.chunks_exact_mut(8).enumerate() {
            // Sometimes an address, sometimes a small number.
            let value: u64 = if index % 3 == 2 { 5 } else { base + 64 * index as u64 };
            chunk.copy_from_slice(&value.to_le_bytes());
        }
        let globals = vec![base + 512; program.globals().len()];
        let launch = Launch {
            grid: [2, 1, 1],
            block: [40, 1, 1],
            dynamic_shared: 64,
            params: &params,
            globals: &globals,
            steps: 200_000,
        };
        let mut buffers = [(base, vec![0u64; 256])];
        let outcome = with_memory(&mut buffers, |memory| run(&program, kernel, &launch, memory));
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

/// Where the tokens of a text begin and end.
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

/// A change of a kernel: which token, and what becomes of it.
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Program::compile(&bytes, &TARGET);
    }

    #[test]
    fn arbitrary_text_after_a_head(text in ".{0,200}") {
        exercise(&format!(".version 9.0\n.target sm_90\n.address_size 64\n{text}"));
    }

    #[test]
    fn words_in_any_order(words in prop::collection::vec(select(&WORDS[..]), 0..120)) {
        let text = words.join(" ");
        exercise(&format!(".version 9.0\n.target sm_90\n.address_size 64\n{text}"));
        exercise(&format!(".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .b64 k1) {{ .reg .b32 %r<9>; .reg .b64 %rd<9>; {text}"));
    }

    #[test]
    fn changed_kernels(which in select(&KERNELS[..]), changes in prop::collection::vec(change(), 1..4)) {
        let source = changes.iter().fold(which.to_owned(), |source, change| apply(&source, change));
        exercise(&source);
    }

    #[test]
    fn kernels_cut_short(which in select(&KERNELS[..]), place in any::<prop::sample::Index>()) {
        exercise(&which[..place.index(which.len())]);
    }
}
