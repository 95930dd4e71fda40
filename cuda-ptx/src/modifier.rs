//! The words after the dots of an opcode.
//!
//! Their order carries no meaning (ptxas takes `setp.u32.eq` for `setp.eq.u32`), except among types, so they are
//! sorted into a set of flags and a few slots.

use super::types::Scalar;

/// A comparison of `setp` and `set`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Unsigned comparisons by another name.
    Lower,
    LowerSame,
    Higher,
    HigherSame,
    /// Comparisons that are true if an operand is NaN.
    EqualUnordered,
    NotEqualUnordered,
    LessUnordered,
    LessEqualUnordered,
    GreaterUnordered,
    GreaterEqualUnordered,
    /// Both operands are numbers.
    Numbers,
    /// An operand is NaN.
    Nan,
}

/// A rounding mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    Nearest,
    Zero,
    Down,
    Up,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Stochastic.
    Stochastic,
    /// To an integral value: nearest even, towards zero, down, up.
    IntegerNearest,
    IntegerZero,
    IntegerDown,
    IntegerUp,
}

impl Rounding {
    /// Whether it rounds to an integral value.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::IntegerNearest | Self::IntegerZero | Self::IntegerDown | Self::IntegerUp)
    }
}

/// A state space as an instruction names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpaceWord {
    Constant,
    Global,
    Local,
    Parameter,
    EntryParameter,
    FunctionParameter,
    Shared,
    SharedCluster,
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $word:literal),* $(,)?) => {
        /// A word that is either there or not.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Flag { $($(#[$doc])* $name),* }

        impl Flag {
            const ALL: &'static [Self] = &[$(Self::$name),*];

            fn from_word(word: &str) -> Option<Self> {
                Some(match word { $($word => Self::$name,)* _ => return None })
            }

            /// The word, without its dot.
            pub fn word(self) -> &'static str {
                match self { $(Self::$name => $word),* }
            }
        }
    };
}

flags! {
    Ftz = "ftz", Sat = "sat", Approx = "approx", Full = "full", Lo = "lo", Hi = "hi", Wide = "wide", Cc = "cc",
    Sync = "sync", Aligned = "aligned", Uni = "uni", To = "to", NoFtz = "noftz", Relu = "relu", Nan = "NaN",
    XorSign = "xorsign", Abs = "abs", SatFinite = "satfinite", Scaled = "scaled",
    Volatile = "volatile", Relaxed = "relaxed", Acquire = "acquire", Release = "release", AcqRel = "acq_rel",
    Sc = "sc", Weak = "weak", Mmio = "mmio", Cta = "cta", Cluster = "cluster", Gpu = "gpu", Sys = "sys", Gl = "gl",
    Ca = "ca", Cg = "cg", Cs = "cs", Lu = "lu", Cv = "cv", Wb = "wb", Wt = "wt", Nc = "nc",
    L1EvictNormal = "L1::evict_normal", L1EvictUnchanged = "L1::evict_unchanged", L1EvictFirst = "L1::evict_first",
    L1EvictLast = "L1::evict_last", L1NoAllocate = "L1::no_allocate", L2EvictNormal = "L2::evict_normal",
    L2EvictFirst = "L2::evict_first", L2EvictLast = "L2::evict_last", L2Hint = "L2::cache_hint",
    L2Prefetch64 = "L2::64B", L2Prefetch128 = "L2::128B", L2Prefetch256 = "L2::256B",
    Add = "add", Min = "min", Max = "max", Inc = "inc", Dec = "dec", And = "and", Or = "or", Xor = "xor",
    Exch = "exch", Cas = "cas", Popc = "popc",
    Up = "up", Down = "down", Bfly = "bfly", Idx = "idx", All = "all", Any = "any", Ballot = "ballot",
    Arrive = "arrive", Red = "red", Wait = "wait", Warp = "warp", Proxy = "proxy", Alias = "alias", Async = "async",
    Wrap = "wrap", Clamp = "clamp", Left = "l", Right = "r", ShiftAmount = "shiftamt",
    F4e = "f4e", B4e = "b4e", Rc8 = "rc8", Ecl = "ecl", Ecr = "ecr", Rc16 = "rc16",
    Finite = "finite", Infinite = "infinite", Number = "number", NotANumber = "notanumber", Normal = "normal",
    Subnormal = "subnormal", L1 = "L1", L2 = "L2", Tensormap = "tensormap", LaunchDependents = "launch_dependents",
    SyncRestrict = "sync_restrict",
}

/// A set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u128);

impl Flags {
    /// The set of `flags`.
    pub const fn of(flags: &[Flag]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < flags.len() {
            bits |= 1 << flags[index] as u8;
            index += 1;
        }
        Self(bits)
    }

    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn has(self, flag: Flag) -> bool {
        self.0 >> (flag as u8) & 1 != 0
    }

    pub fn insert(&mut self, flag: Flag) {
        self.0 |= 1 << flag as u8;
    }

    /// A member that is not in `allowed`.
    pub fn first_outside(self, allowed: Self) -> Option<Flag> {
        Flag::ALL.iter().copied().find(|&flag| self.has(flag) && !allowed.has(flag))
    }

    /// Those members that `choices` lists, if it is exactly one.
    pub fn only_one_of(self, choices: &[Flag]) -> Option<Flag> {
        let mut found = choices.iter().copied().filter(|&flag| self.has(flag));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}

/// The words of one instruction, sorted.
#[derive(Debug, Clone, Default)]
pub struct Modifiers<'s> {
    /// Types in their order.
    pub types: Vec<Scalar>,
    /// 1 unless `.v2`, `.v4` or `.v8` is there.
    pub vector: Option<u32>,
    pub space: Option<SpaceWord>,
    pub compare: Option<Compare>,
    pub rounding: Option<Rounding>,
    pub flags: Flags,
    /// Which of them are there twice.
    pub repeated_space: bool,
    pub repeated_rounding: bool,
    pub repeated_compare: bool,
    pub repeated_vector: bool,
    /// Words that are not in this table.
    pub unknown: Vec<&'s str>,
}

impl<'s> Modifiers<'s> {
    /// Sorts `words`.
    pub fn new(words: &[&'s str]) -> Self {
        let mut modifiers = Self::default();
        for &word in words {
            if let Some(scalar) = Scalar::from_word(word) {
                modifiers.types.push(scalar);
            } else if let Some(flag) = Flag::from_word(word) {
                modifiers.flags.insert(flag);
            } else if let Some(space) = space(word) {
                modifiers.repeated_space |= modifiers.space.replace(space).is_some();
            } else if let Some(compare) = compare(word) {
                modifiers.repeated_compare |= modifiers.compare.replace(compare).is_some();
            } else if let Some(rounding) = rounding(word) {
                modifiers.repeated_rounding |= modifiers.rounding.replace(rounding).is_some();
            } else {
                match word {
                    "v2" => modifiers.repeated_vector |= modifiers.vector.replace(2).is_some(),
                    "v4" => modifiers.repeated_vector |= modifiers.vector.replace(4).is_some(),
                    "v8" => modifiers.repeated_vector |= modifiers.vector.replace(8).is_some(),
                    _ => modifiers.unknown.push(word),
                }
            }
        }
        modifiers
    }

    /// Whether `flag` is there.
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.has(flag)
    }
}

fn space(word: &str) -> Option<SpaceWord> {
    Some(match word {
        "const" => SpaceWord::Constant,
        "global" => SpaceWord::Global,
        "local" => SpaceWord::Local,
        "param" => SpaceWord::Parameter,
        "param::entry" => SpaceWord::EntryParameter,
        "param::func" => SpaceWord::FunctionParameter,
        "shared" | "shared::cta" => SpaceWord::Shared,
        "shared::cluster" => SpaceWord::SharedCluster,
        _ => return None,
    })
}

fn compare(word: &str) -> Option<Compare> {
    Some(match word {
        "eq" => Compare::Equal,
        "ne" => Compare::NotEqual,
        "lt" => Compare::Less,
        "le" => Compare::LessEqual,
        "gt" => Compare::Greater,
        "ge" => Compare::GreaterEqual,
        "ls" => Compare::LowerSame,
        "hs" => Compare::HigherSame,
        "equ" => Compare::EqualUnordered,
        "neu" => Compare::NotEqualUnordered,
        "ltu" => Compare::LessUnordered,
        "leu" => Compare::LessEqualUnordered,
        "gtu" => Compare::GreaterUnordered,
        "geu" => Compare::GreaterEqualUnordered,
        "num" => Compare::Numbers,
        "nan" => Compare::Nan,
        _ => return None,
    })
}

fn rounding(word: &str) -> Option<Rounding> {
    Some(match word {
        "rn" => Rounding::Nearest,
        "rz" => Rounding::Zero,
        "rm" => Rounding::Down,
        "rp" => Rounding::Up,
        "rna" => Rounding::NearestAway,
        "rs" => Rounding::Stochastic,
        "rni" => Rounding::IntegerNearest,
        "rzi" => Rounding::IntegerZero,
        "rmi" => Rounding::IntegerDown,
        "rpi" => Rounding::IntegerUp,
        _ => return None,
    })
}
