//! Changes of PTX: of tokens and of lines.

use std::ops::Range;

/// Words of the language, and numbers at limits.
const WORDS: &[&str] = &[
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
    "@!",
    "!",
    "+",
    "-",
    "<",
    ">",
    "=",
    ":",
    "_",
    "\"",
    "/*",
    "*/",
    "//",
    "%",
    "&&",
    "?",
    "~",
    "<<",
    ">>",
    "==",
    "{ {",
    "}}",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "31",
    "32",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "1023",
    "1024",
    "4095",
    "4096",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1099511627776",
    "0x",
    "0xffffffffffffffff",
    "0f7fc00000",
    "0f80000000",
    "0fff800000",
    "0d7ff8000000000000",
    "1.5",
    "1e400",
    "0b2",
    "07777777777777777777777777",
    "%r",
    "%r1",
    "%r0",
    "%rd0",
    "%rd1",
    "%f1",
    "%fd1",
    "%h1",
    "%p0",
    "%p1",
    "%q0",
    "%tid",
    "%tid.x",
    "%ntid.y",
    "%ctaid.z",
    "%laneid",
    "%clock",
    "%clock64",
    "%globaltimer",
    "%envreg3",
    "%dynamic_smem_size",
    "%aggr_smem_size",
    "%cluster_ctaid.x",
    "%is_explicit_cluster",
    "WARP_SZ",
    ".version",
    "9.0",
    "8.0",
    "1.0",
    "99.99",
    ".target",
    "sm_90",
    "sm_90a",
    "sm_50",
    "sm_20",
    "sm_120",
    "texmode_independent",
    "debug",
    "map_f64_to_f32",
    ".address_size",
    "32",
    ".visible",
    ".weak",
    ".common",
    ".extern",
    ".entry",
    ".func",
    ".alias",
    ".pragma",
    ".section",
    ".file",
    ".loc",
    ".branchtargets",
    ".calltargets",
    ".callprototype",
    ".noreturn",
    ".abi_preserve",
    ".param",
    ".reg",
    ".local",
    ".shared",
    ".global",
    ".const",
    ".generic",
    ".align",
    ".ptr",
    ".attribute",
    ".managed",
    ".unified",
    ".maxntid",
    ".reqntid",
    ".minnctapersm",
    ".maxnreg",
    ".maxnctapersm",
    ".reqnctapercluster",
    ".explicitcluster",
    ".maxclusterrank",
    ".pred",
    ".b8",
    ".b16",
    ".b32",
    ".b64",
    ".b128",
    ".u8",
    ".u16",
    ".u32",
    ".u64",
    ".s8",
    ".s16",
    ".s32",
    ".s64",
    ".f16",
    ".f16x2",
    ".bf16",
    ".bf16x2",
    ".tf32",
    ".f32",
    ".f64",
    ".e4m3x2",
    ".e5m2x2",
    ".texref",
    ".samplerref",
    ".surfref",
    ".v2",
    ".v4",
    ".v8",
    ".rn",
    ".rz",
    ".rzi",
    ".rni",
    ".ftz",
    ".sat",
    ".approx",
    ".full",
    ".wide",
    ".hi",
    ".lo",
    ".cc",
    ".to",
    ".uni",
    ".sync",
    ".aligned",
    ".async",
    ".bulk",
    ".volatile",
    ".relaxed",
    ".acquire",
    ".release",
    ".acq_rel",
    ".cta",
    ".cluster",
    ".gpu",
    ".sys",
    ".eq",
    ".ne",
    ".lt",
    ".ltu",
    ".num",
    ".nan",
    ".and",
    ".or",
    ".xor",
    ".add",
    ".min",
    ".max",
    ".inc",
    ".dec",
    ".exch",
    ".cas",
    ".shared::cluster",
    ".shared::cta",
    ".m16n8k16",
    ".m16n16k16",
    ".m8n8k4",
    ".row",
    ".col",
    ".trans",
    ".x1",
    ".x4",
    ".1d",
    ".2d",
    ".3d",
    ".a1d",
    ".a2d",
    ".cube",
    ".acube",
    ".2dms",
    ".level",
    ".grad",
    ".base",
    ".trap",
    ".clamp",
    ".zero",
    ".mode",
    ".idx",
    ".up",
    ".down",
    ".bfly",
    ".all",
    ".any",
    ".ballot",
    ".b4e",
    ".rc8",
    ".L2",
    ".ca",
    ".cg",
    ".cs",
    ".lu",
    ".cv",
    ".wb",
    ".wt",
    ".unordered",
    ".mmio",
    "add",
    "sub",
    "mul",
    "mad",
    "mad24",
    "sad",
    "div",
    "rem",
    "abs",
    "neg",
    "min",
    "max",
    "popc",
    "clz",
    "bfind",
    "fns",
    "brev",
    "bfe",
    "bfi",
    "szext",
    "bmsk",
    "dp4a",
    "dp2a",
    "addc",
    "subc",
    "madc",
    "testp",
    "copysign",
    "fma",
    "rcp",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "lg2",
    "ex2",
    "tanh",
    "set",
    "setp",
    "selp",
    "slct",
    "and",
    "or",
    "xor",
    "not",
    "cnot",
    "lop3",
    "shf",
    "shl",
    "shr",
    "mov",
    "shfl",
    "prmt",
    "ld",
    "ldu",
    "st",
    "prefetch",
    "prefetchu",
    "isspacep",
    "cvta",
    "cvt",
    "cvt.pack",
    "mapa",
    "getctarank",
    "cp.async",
    "cp.async.bulk",
    "cp.async.bulk.tensor",
    "cp.reduce.async.bulk",
    "multimem.ld_reduce",
    "tex",
    "tld4",
    "txq",
    "istypep",
    "suld.b",
    "sust.b",
    "sust.p",
    "sured.b",
    "suq",
    "bra",
    "brx.idx",
    "call",
    "ret",
    "exit",
    "bar",
    "barrier",
    "bar.warp.sync",
    "barrier.cluster",
    "membar",
    "fence",
    "atom",
    "red",
    "red.async",
    "vote",
    "match",
    "activemask",
    "redux",
    "griddepcontrol",
    "elect",
    "mbarrier.init",
    "mbarrier.arrive",
    "mbarrier.try_wait",
    "wmma.load.a",
    "wmma.mma",
    "mma",
    "ldmatrix",
    "stmatrix",
    "movmatrix",
    "vadd",
    "vsub",
    "vshl",
    "vmad",
    "vset",
    "vadd2",
    "vset4",
    "brkpt",
    "nanosleep",
    "pmevent",
    "trap",
    "setmaxnreg",
    "stacksave",
    "stackrestore",
    "alloca",
    "discard",
    "applypriority",
    "createpolicy.fractional",
    "vprintf",
    "malloc",
    "free",
    "__assertfail",
];

/// Numbers that a seed decides.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u32) -> Self {
        Self(u64::from(seed) << 1 | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as usize).checked_rem(end).unwrap_or(0)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// The ranges of the tokens of a text.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (index, character) in text.char_indices() {
        // A modifier is a token of its own.
        let is_part = character.is_alphanumeric() || matches!(character, '_' | '$' | '%');
        if let (Some(begin), false) = (start, is_part) {
            found.push(begin..index);
            start = None;
        }
        if is_part && start.is_none() || character == '.' {
            start = Some(index);
        } else if !is_part && !character.is_whitespace() {
            found.push(index..index + character.len_utf8());
        }
    }
    found.extend(start.map(|begin| begin..text.len()));
    found
}

/// The ranges of the lines of a text, with their ends. A semicolon ends one, too.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let ends = text.match_indices([';', '\n']).map(|(index, _)| index + 1);
    ends.map(|end| std::mem::replace(&mut start, end)..end).collect()
}

/// Changes a text once. Takes parts of `other` in some cases.
pub fn change(text: &mut String, other: &str, random: &mut Random) {
    let tokens = tokens(text);
    let lines = lines(text);
    let take = |range: Option<&Range<usize>>| range.cloned().unwrap_or(0..0);
    match random.below(13) {
        0 => text.replace_range(take(random.pick(&tokens)), ""),
        1 | 2 => text.replace_range(take(random.pick(&tokens)), random.pick(WORDS).copied().unwrap_or("")),
        3 => text.insert_str(take(random.pick(&tokens)).start, random.pick(WORDS).copied().unwrap_or("")),
        4 | 5 => {
            let copied = text[take(random.pick(&tokens))].to_owned();
            text.replace_range(take(random.pick(&tokens)), &copied);
        }
        6 => text.replace_range(take(random.pick(&lines)), ""),
        7 | 8 => {
            let copied = text[take(random.pick(&lines))].to_owned();
            text.insert_str(take(random.pick(&lines)).start, &copied);
        }
        9 | 10 => {
            // One line of another text.
            let others = self::lines(other);
            let copied = &other[take(random.pick(&others))];
            text.insert_str(take(random.pick(&lines)).start, copied);
        }
        11 => {
            // Several lines of another text.
            let others = self::lines(other);
            let start = random.below(others.len());
            let end = (start + 1 + random.below(8)).min(others.len());
            let copied = others
                .get(start..end)
                .and_then(|chosen| Some(chosen.first()?.start..chosen.last()?.end))
                .unwrap_or(0..0);
            text.insert_str(take(random.pick(&lines)).start, &other[copied]);
        }
        _ => {
            // A modifier more or less.
            let range = take(random.pick(&tokens));
            let modifiers: Vec<&str> = WORDS.iter().filter(|word| word.starts_with('.')).copied().collect();
            text.insert_str(range.end, random.pick(&modifiers).copied().unwrap_or(""));
        }
    }
}

/// Changes a text a few times, and writes it to `out`. Returns its length.
pub fn mutate(text: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    let mut random = Random::new(seed);
    let (mut text, other) = (String::from_utf8_lossy(text).into_owned(), String::from_utf8_lossy(other));
    for _ in 0..1 + random.below(4) {
        change(&mut text, &other, &mut random);
    }
    let len = text.len().min(out.len());
    out[..len].copy_from_slice(&text.as_bytes()[..len]);
    len
}
