//! One instruction, applied to many operands.

use super::{Arg, Device};

/// An instruction and the types of the registers it is given.
#[derive(Debug, Clone)]
pub(super) struct Operation<'a> {
    /// The instruction, with `%d` for the result and `%a`, `%b`, `%c`, `%e` for the sources.
    text: &'a str,
    result: &'a str,
    sources: Vec<&'a str>,
    guarded: bool,
}

/// The result in lanes that the guard leaves out.
const UNTOUCHED: u64 = 0x5a5a_5a5a_5a5a_5a5a;

/// The register type to load and store a type with.
fn memory_type(scalar: &str) -> &'static str {
    match scalar {
        "b8" | "u8" | "s8" => "b8",
        "b16" | "u16" | "s16" | "f16" => "b16",
        "b64" | "u64" | "s64" | "f64" => "b64",
        _ => "b32",
    }
}

fn mask(scalar: &str) -> u64 {
    match memory_type(scalar) {
        "b8" => 0xff,
        "b16" => 0xffff,
        "b32" => 0xffff_ffff,
        _ => u64::MAX,
    }
}

impl<'a> Operation<'a> {
    /// `text` is a whole instruction without its semicolon.
    pub(super) fn new(text: &'a str, result: &'a str, sources: &[&'a str]) -> Self {
        Self { text, result, sources: sources.to_vec(), guarded: true }
    }

    /// If `guarded`, the guarded form is checked, too.
    pub(super) fn guarded(self, guarded: bool) -> Self {
        Self { guarded, ..self }
    }

    fn kernel(&self) -> String {
        let names = ["%a", "%b", "%c", "%e"];
        let mut body = String::from(
            ".reg .b32 %t<8>; .reg .b64 %p<8>; .reg .pred %q, %odd, %r;\n\
             ld.param.b64 %p0, [input]; ld.param.b64 %p1, [output]; ld.param.b32 %t7, [count];\n\
             mov.u32 %t0, %tid.x; mov.u32 %t1, %ctaid.x; mov.u32 %t2, %ntid.x; mad.lo.s32 %t3, %t1, %t2, %t0;\n\
             setp.ge.u32 %q, %t3, %t7; @%q ret;\n\
             mul.wide.u32 %p2, %t3, 32; add.s64 %p0, %p0, %p2;\n\
             mul.wide.u32 %p2, %t3, 16; add.s64 %p1, %p1, %p2;\n\
             and.b32 %t4, %t3, 1; setp.ne.u32 %odd, %t4, 0; mov.pred %r, 0;\n",
        );
        for (index, source) in self.sources.iter().enumerate() {
            let (name, memory) = (names[index], memory_type(source));
            body += &format!(".reg .{source} {name}; ld.global.{memory} {name}, [%p0+{}];\n", 8 * index);
        }
        let (result, memory) = (self.result, memory_type(self.result));
        body += &format!(".reg .{result} %d;\n");
        if result == "pred" {
            // A predicate is stored as a word.
            body += &format!(
                "{}; selp.b32 %t5, 1, 0, %d; st.global.b32 [%p1], %t5;\n\
                 setp.eq.u32 %d, 0, 1; @%odd {}; selp.b32 %t5, 1, 0, %d; st.global.b32 [%p1+8], %t5;\n",
                self.text, self.text
            );
        } else {
            let untouched = UNTOUCHED & mask(result);
            body += &format!(
                "{}; st.global.{memory} [%p1], %d;\n\
                 mov.{} %d, {untouched:#x}; @%odd {}; st.global.{memory} [%p1+8], %d;\n",
                self.text,
                if memory == "b8" { "b16" } else { memory },
                self.text
            );
        }
        body + "ret;"
    }

    /// The results for each row of operands. Every operation is run twice: in all lanes, and in every other one.
    pub(super) fn run(&self, rows: &[Vec<u64>]) -> Vec<u64> {
        let mut device =
            Device::kernel(".param .b64 input, .param .b64 output, .param .b32 count", &self.kernel());
        let mut input = vec![0u64; rows.len() * 4];
        for (index, row) in rows.iter().enumerate() {
            input[4 * index..4 * index + row.len()].copy_from_slice(row);
        }
        let input = device.alloc_u64(&input);
        let output = device.alloc_u64(&vec![0; rows.len() * 2]);
        let blocks = rows.len().div_ceil(96) as u32;
        let args = [Arg::Buffer(input), Arg::Buffer(output), Arg::U32(rows.len() as u32)];
        device.run("k", [blocks, 1, 1], [96, 1, 1], &args);
        let results = device.u64s(output);
        let untouched = if self.result == "pred" { 0 } else { UNTOUCHED & mask(self.result) };
        for index in 0..if self.guarded { rows.len() } else { 0 } {
            let expected = if index % 2 == 1 { results[2 * index] } else { untouched };
            assert_eq!(results[2 * index + 1], expected, "{} under a guard, row {index}", self.text);
        }
        results.chunks(2).take(rows.len()).map(|pair| pair[0]).collect()
    }

    /// Compares the results with those of `expected`.
    pub(super) fn check(&self, rows: &[Vec<u64>], expected: impl Fn(&[u64]) -> u64) {
        for (row, found) in rows.iter().zip(self.run(rows)) {
            let row: Vec<u64> =
                row.iter().zip(&self.sources).map(|(value, source)| value & mask(source)).collect();
            let expected = expected(&row) & if self.result == "pred" { 1 } else { mask(self.result) };
            assert_eq!(found, expected, "{} of {row:#x?}: {found:#x} instead of {expected:#x}", self.text);
        }
    }
}

/// Returns whether guarded forms can be checked. On hardware they cannot: its compiler gets those of the test wrong, see `flaw`.
pub(super) fn guards_are_right(test: &str, flaw: &str) -> bool {
    let right = cuda_suite::driver() == cuda_suite::Choice::Sim;
    if !right {
        cuda_suite::note_skip(&format!("{test} (guarded forms)"), flaw);
    }
    right
}

/// Numbers that look random and are the same every time.
pub(super) fn numbers(count: usize, seed: u64) -> Vec<u64> {
    let mut numbers = Numbers::new(seed);
    (0..count).map(|_| numbers.number()).collect()
}

/// The same, without an end.
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = self.0 ^ self.0 >> 29;
        mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 32
    }
}

pub(super) fn edges16() -> Vec<u64> {
    vec![0, 1, 2, 7, 15, 16, 17, 0xff, 0x100, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x5555, 0xabcd]
}

pub(super) fn edges32() -> Vec<u64> {
    vec![
        0,
        1,
        2,
        7,
        31,
        32,
        33,
        0xff,
        0x100,
        0xffff,
        0x10000,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_0001,
        0xffff_fffe,
        0xffff_ffff,
        0x5555_5555,
        0x1234_5678,
        0x00ff_ffff,
        0x0080_0000,
    ]
}

pub(super) fn edges64() -> Vec<u64> {
    vec![
        0,
        1,
        2,
        63,
        64,
        65,
        0xffff_ffff,
        1 << 32,
        (1 << 32) + 1,
        i64::MAX as u64,
        1 << 63,
        (1 << 63) + 1,
        u64::MAX - 1,
        u64::MAX,
        0x0123_4567_89ab_cdef,
        0x8000_0000,
    ]
}

/// All pairs of values.
pub(super) fn pairs(first: &[u64], second: &[u64]) -> Vec<Vec<u64>> {
    first.iter().flat_map(|a| second.iter().map(move |b| vec![*a, *b])).collect()
}

/// All pairs of the first two, with the third going round.
pub(super) fn triples(first: &[u64], second: &[u64], third: &[u64]) -> Vec<Vec<u64>> {
    let mut rows = Vec::new();
    for a in first {
        for b in second {
            for shift in 0..3 {
                let c = third[(rows.len() * 7 + shift) % third.len()];
                rows.push(vec![*a, *b, c]);
            }
        }
    }
    rows
}
