//! The PTX version and the target that introduced each instruction, modifier and type.
//!
//! The texts are those of ptxas, which reports all missing requirements at once.

use super::instruction::Instruction;

/// Kind of a requirement. It selects the wording of the texts.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Feature of the language and of the device.
    Feature,
    /// Feature of the language that is an instruction of the device.
    Instruction,
    /// A modifier.
    Modifier,
    /// Modifier that the text names together with its instruction.
    ModifierOn,
    /// Atomic operation with its type and its state space.
    Atomic,
}

/// Version and target that instructions with certain opcodes and words need.
#[derive(Debug)]
pub(super) struct Requirement {
    kind: Kind,
    /// Name in the text. `{}` stands for the name of the instruction.
    name: &'static str,
    /// Opcodes that the requirement applies to; all if empty.
    opcodes: &'static [&'static str],
    /// Words that must all be present. `|` separates alternatives, and `>` marks the last word. `!space` means no state
    /// space, and `!copy` no asynchronous copy.
    words: &'static [&'static str],
    /// Required PTX version; zero if every version has the feature.
    version: (u32, u32),
    target: u32,
}

const fn row(
    kind: Kind,
    name: &'static str,
    opcodes: &'static [&'static str],
    words: &'static [&'static str],
    version: (u32, u32),
    target: u32,
) -> Requirement {
    Requirement { kind, name, opcodes, words, version, target }
}

use Kind::{Atomic, Feature, Instruction as Whole, Modifier, ModifierOn};

const NONE: (u32, u32) = (0, 0);
const SPACES: [&str; 5] = ["const", "global", "local", "param", "shared"];
const ATOMICS: &[&str] = &["atom", "red"];
const VIDEO: &[&str] = &["vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vmad", "vset"];
const PACKED_VIDEO: &[&str] = &[
    "vadd2",
    "vsub2",
    "vavrg2",
    "vabsdiff2",
    "vmin2",
    "vmax2",
    "vset2",
    "vadd4",
    "vsub4",
    "vavrg4",
    "vabsdiff4",
    "vmin4",
    "vmax4",
    "vset4",
];
const APPROXIMATIONS: &[&str] = &["cos", "div", "ex2", "lg2", "rcp", "rsqrt", "sin", "sqrt", "tanh"];
const OF_FERMI: &[&str] = &[
    "bfe",
    "bfi",
    "bfind",
    "brev",
    "clz",
    "popc",
    "copysign",
    "prefetch",
    "prefetchu",
    "prmt",
    "testp",
    "isspacep",
    "ldu",
    "cvta",
];
const ACCESSES: &[&str] = &["ld", "st", "ldu", "atom", "red", "prefetch", "prefetchu"];
const HALF_ARITHMETIC: &[&str] = &["add", "sub", "mul", "fma", "neg", "abs", "setp", "set"];

static REQUIREMENTS: &[Requirement] = &[
    row(Feature, ".volatile", &["ld", "st"], &["volatile"], (1, 1), 0),
    row(Whole, "{}", &["brkpt"], &[], NONE, 11),
    row(Feature, "1.2", &["addc", "vote"], &[], (1, 2), 0),
    row(Feature, "red", &["red"], &[], (1, 2), 0),
    row(Whole, "vote", &["vote"], &[], NONE, 12),
    row(Feature, ".cc", &[], &["cc"], (1, 2), 0),
    row(Feature, "1.3", &["subc"], &[], (1, 3), 0),
    row(Feature, "sub.cc", &["sub"], &["cc"], (1, 3), 0),
    row(Feature, ".ftz", &[], &["ftz"], (1, 4), 0),
    row(Feature, ".approx", APPROXIMATIONS, &["approx"], (1, 4), 0),
    row(Feature, "div.full", &["div"], &["full"], (1, 4), 0),
    row(Feature, "fma.f64", &["fma"], &["f64"], (1, 4), 0),
    row(Feature, "{}", &["membar", "pmevent"], &[], (1, 4), 0),
    row(Whole, "fma.f32", &["fma"], &["f32"], (2, 0), 20),
    row(Whole, "mad.rnd.f32", &["mad"], &["rn|rz|rm|rp", "f32"], NONE, 20),
    row(Whole, "{}.rnd.f32", &["div", "rcp", "sqrt"], &["rn|rz|rm|rp", "f32"], NONE, 20),
    row(Whole, "{}.rn.f64", &["div", "rcp", "sqrt"], &["rz|rm|rp", "f64"], NONE, 20),
    row(Whole, "rcp.approx.f64", &["rcp"], &["approx", "f64"], (2, 1), 20),
    row(Whole, "rsqrt.approx.ftz.f64", &["rsqrt"], &["approx", "ftz", "f64"], (4, 0), 20),
    row(Whole, "{}", OF_FERMI, &[], (2, 0), 20),
    row(Whole, "membar.sys", &["membar"], &["sys"], (2, 0), 20),
    row(Feature, "pmevent.mask", &["pmevent"], &["mask"], (3, 0), 20),
    row(Whole, "mad.cc", &["mad"], &["cc"], (3, 0), 20),
    row(Whole, "madc", &["madc"], &[], (3, 0), 20),
    row(Whole, ".cc with 64bit type", &[], &["cc", "u64|s64"], (4, 3), 20),
    row(Feature, "generic addressing", ACCESSES, &["!space"], (2, 0), 20),
    row(Feature, "cache operation", &["ld"], &["ca|cg|cs|lu|cv"], (2, 0), 0),
    row(Whole, "ld", &["ld"], &["ca|cg|cs|lu|cv"], NONE, 20),
    row(Feature, "cache operation", &["st"], &["wb|cg|cs|wt"], (2, 0), 0),
    row(Whole, "st", &["st"], &["wb|cg|cs|wt"], NONE, 20),
    row(Whole, "vote.ballot", &["vote"], &["ballot"], (2, 0), 20),
    row(Whole, "{}", &["bar"], &["arrive|red"], (2, 0), 20),
    row(Whole, "{}", &["bar"], &["cta"], (7, 8), 20),
    row(Whole, "bar.warp", &["bar"], &["warp"], (6, 0), 30),
    row(Whole, "{}", &["barrier"], &["sync|arrive|red"], (6, 0), 30),
    row(Whole, "{}", &["barrier"], &["cta"], (7, 8), 30),
    row(Feature, ".aligned", &["barrier"], &["aligned"], (6, 0), 20),
    row(Feature, "2.0", VIDEO, &[], (2, 0), 0),
    row(Whole, "{}", VIDEO, &[], NONE, 20),
    row(Feature, "3.0", PACKED_VIDEO, &[], (3, 0), 0),
    row(Whole, "{}", PACKED_VIDEO, &[], NONE, 30),
    row(Whole, "shfl", &["shfl"], &[], (3, 0), 30),
    row(Feature, "shfl.sync", &["shfl"], &["sync"], (6, 0), 0),
    row(Whole, "vote.sync", &["vote"], &["sync"], (6, 0), 30),
    row(Feature, "{}", &["activemask"], &[], (6, 2), 30),
    row(Whole, "{}", &["match"], &[], (6, 0), 70),
    row(Feature, "{}", &["redux"], &[], (7, 0), 80),
    row(Feature, "{}", &["elect"], &[], (8, 0), 90),
    row(Whole, "{}", &["fns", "brx"], &[], (6, 0), 30),
    row(Whole, "{}", &["nanosleep"], &[], (6, 2), 70),
    row(Whole, "{}", &["shf"], &[], (3, 1), 32),
    row(Whole, "{}", &["lop3"], &[], (4, 3), 50),
    row(Whole, "{}", &["dp4a", "dp2a"], &[], (5, 0), 61),
    row(Whole, "{}", &["bmsk", "szext"], &[], (7, 6), 70),
    row(Feature, "fence instruction", &["fence"], &["sc|acq_rel"], (6, 0), 70),
    row(Feature, ".weak", &["ld", "st"], &["weak"], (6, 0), 70),
    row(Feature, ".relaxed", &["ld", "st", "atom", "red"], &["relaxed"], (6, 0), 70),
    row(Feature, ".acquire", &["ld", "atom"], &["acquire"], (6, 0), 70),
    row(Feature, ".release", &["st", "atom", "red"], &["release"], (6, 0), 70),
    row(Feature, ".acq_rel", &["atom", "fence"], &["acq_rel"], (6, 0), 70),
    row(Feature, ".cluster scope", &["ld", "st", "atom", "red", "fence"], &["cluster"], (7, 8), 90),
    row(Feature, ".mmio", &["ld", "st"], &["mmio"], (8, 2), 70),
    row(Feature, ".nc", &["ld"], &["nc"], (3, 1), 0),
    row(Whole, "ld.nc", &["ld"], &["nc"], NONE, 32),
    row(Feature, "::cta", &[], &["shared::cta", "!copy"], (7, 8), 0),
    row(Feature, "::cluster", &[], &["shared::cluster"], (7, 8), 90),
    row(Feature, "::entry", &[], &["param::entry"], (8, 3), 0),
    row(Feature, "::func", &[], &["param::func"], (8, 3), 0),
    row(Feature, "cache prefetching", &["ld"], &["L2::64B|L2::128B|L2::256B"], (7, 4), 75),
    row(Feature, "256B cache prefetching", &["ld"], &["L2::256B"], (7, 4), 0),
    row(Modifier, ".L2::256B", &["ld"], &["L2::256B"], NONE, 80),
    row(ModifierOn, ".evict_normal", &["ld", "st"], &["L1::evict_normal"], (7, 4), 70),
    row(ModifierOn, ".evict_unchanged", &["ld", "st"], &["L1::evict_unchanged"], (7, 4), 70),
    row(ModifierOn, ".evict_first", &["ld", "st"], &["L1::evict_first"], (7, 4), 70),
    row(ModifierOn, ".evict_last", &["ld", "st"], &["L1::evict_last"], (7, 4), 70),
    row(ModifierOn, ".no_allocate", &["ld", "st"], &["L1::no_allocate"], (7, 4), 70),
    row(Modifier, ".L2::cache_hint", &["ld", "st", "atom", "red"], &["L2::cache_hint"], (7, 4), 80),
    row(
        ModifierOn,
        "cache eviction priority",
        &["prefetch"],
        &["L2::evict_last|L2::evict_normal"],
        (7, 4),
        80,
    ),
    row(Feature, "{}", &["discard", "applypriority"], &[], (7, 4), 80),
    row(Feature, ".relu", &[], &["relu"], (7, 0), 0),
    row(Modifier, ".relu", &[], &["relu"], NONE, 80),
    row(Feature, ".NaN", &["min", "max"], &["NaN"], (7, 0), 0),
    row(Modifier, ".NaN", &["min", "max"], &["NaN"], NONE, 80),
    row(Feature, "f16 arithemetic and compare instructions", HALF_ARITHMETIC, &["f16|f16x2"], NONE, 53),
    row(
        Feature,
        "half precision floating point set instruction with integer result",
        &["set"],
        &[">f16|f16x2", "u16|s16|u32|s32"],
        (6, 5),
        0,
    ),
    row(Feature, "cvta/isspacep with .const state space", &["cvta", "isspacep"], &["const"], (3, 1), 0),
    row(Feature, "neg.f16 or neg.f16x2", &["neg"], &["f16|f16x2"], (6, 0), 0),
    row(Feature, "abs.f16 or abs.f16x2", &["abs"], &["f16|f16x2"], (6, 5), 0),
    row(Feature, "{}.f16 or {}.f16x2", &["min", "max"], &["f16|f16x2"], (7, 0), 80),
    row(Feature, "{}.f16/f16x2", &["ex2", "tanh"], &["f16|f16x2"], (7, 0), 75),
    row(Feature, "tanh", &["tanh"], &["f32"], (7, 0), 75),
    row(Feature, ".bf16", &[], &["bf16"], (7, 0), 80),
    row(Feature, ".bf16x2", &[], &["bf16x2"], (7, 0), 80),
    row(Feature, "{}.bf16", &["add", "sub", "mul", "setp", "set"], &["bf16"], (7, 8), 90),
    row(Feature, "{}.bf16x2", &["add", "sub", "mul", "setp", "set"], &["bf16x2"], (7, 8), 90),
    row(Whole, "atom", &["atom"], &[], NONE, 11),
    row(Feature, "shared storage", &["atom"], &["shared|shared::cta"], NONE, 12),
    row(Atomic, "", ATOMICS, &[], NONE, 11),
    row(Atomic, "", ATOMICS, &["add|exch|cas", "u64|b64", "global"], (1, 2), 12),
    row(Atomic, "", ATOMICS, &["add|exch|cas", "u64|b64", "!space"], (1, 2), 12),
    row(Atomic, "", ATOMICS, &["add|exch|cas", "u64|b64", "shared|shared::cta"], (2, 0), 20),
    row(Atomic, "", ATOMICS, &["add", "f32"], (2, 0), 20),
    row(Atomic, "", ATOMICS, &["min|max", "u64|s64"], (3, 1), 32),
    row(Atomic, "", ATOMICS, &["and|or|xor", "b64"], (3, 1), 32),
    row(Atomic, "", ATOMICS, &["add", "f64"], (5, 0), 60),
    row(Feature, "scopes on atomic operations", ATOMICS, &["cta|cluster|gpu|sys"], (5, 0), 60),
];

impl Requirement {
    /// Returns the requirements that a module with this version and target does not meet.
    pub(super) fn missing(version: (u32, u32), target: u32) -> Vec<&'static Requirement> {
        REQUIREMENTS.iter().filter(|row| row.version > version || row.target > target).collect()
    }

    /// Returns whether the requirement applies to an instruction.
    fn concerns(&self, instruction: &Instruction<'_, '_>) -> bool {
        let words = instruction.tree.modifiers.as_slice();
        let is_there = |wanted: &&str| match *wanted {
            "!space" => {
                !words.iter().any(|word| SPACES.contains(&word.split("::").next().unwrap_or_default()))
            }
            "!copy" => instruction.tree.opcode != "cp" || words.contains(&"mbarrier"),
            wanted => match wanted.strip_prefix('>') {
                Some(wanted) => words.last().is_some_and(|last| wanted.split('|').any(|word| word == *last)),
                None => wanted.split('|').any(|wanted| words.contains(&wanted)),
            },
        };
        (self.opcodes.is_empty() || self.opcodes.contains(&instruction.tree.opcode))
            && self.words.iter().all(is_there)
    }

    /// Returns the texts of what `version` and `target` lack for an instruction to which this requirement applies.
    fn texts(&self, instruction: &Instruction<'_, '_>, version: (u32, u32), target: u32) -> Vec<String> {
        let opcode = instruction.tree.opcode;
        let name = match self.kind {
            Kind::Atomic => format!("'{}'", atomic_name(instruction)),
            Kind::ModifierOn => format!("'{}' on '{opcode}'", self.name),
            _ => format!("'{}'", self.name.replace("{}", &instruction.name)),
        };
        let (of_version, of_target) = match self.kind {
            Kind::Feature => ("Feature", "Feature"),
            Kind::Instruction => ("Feature", "Instruction"),
            Kind::Modifier | Kind::ModifierOn => ("Modifier", "Modifier"),
            Kind::Atomic => ("Instruction", "Instruction"),
        };
        let mut texts = Vec::new();
        if target < self.target {
            texts.push(format!("{of_target} {name} requires .target sm_{} or higher", self.target));
        }
        if version < self.version {
            let (major, minor) = self.version;
            texts.push(format!("{of_version} {name} requires PTX ISA .version {major}.{minor} or later"));
        }
        texts
    }
}

/// Returns the texts of what a module lacks for an instruction. `missing` lists all requirements that the module does
/// not meet.
pub(super) fn complaints(
    missing: &[&Requirement],
    instruction: &Instruction<'_, '_>,
    version: (u32, u32),
    target: u32,
) -> Vec<String> {
    let rows: Vec<&&Requirement> = missing.iter().filter(|row| row.concerns(instruction)).collect();
    // The last row for atomic operations is the strictest.
    let last = rows.iter().rposition(|row| matches!(row.kind, Kind::Atomic));
    let told = rows
        .iter()
        .enumerate()
        .filter(|(index, row)| !matches!(row.kind, Kind::Atomic) || Some(*index) == last);
    told.flat_map(|(_, row)| row.texts(instruction, version, target)).collect()
}

/// Returns the name of an atomic operation, such as `atom.add.u64.global`.
fn atomic_name(instruction: &Instruction<'_, '_>) -> String {
    const OPERATIONS: [&str; 10] = ["add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"];
    let words = &instruction.tree.modifiers;
    let operation = words.iter().find(|word| OPERATIONS.contains(*word)).copied().unwrap_or_default();
    let scalar = instruction.words.types.first().map_or("", |scalar| scalar.name());
    let space = match instruction.space_text() {
        space if space.is_empty() => " with generic state space".to_owned(),
        space => space,
    };
    format!("{}.{operation}{scalar}{space}", instruction.tree.opcode)
}
