//! The words after the dots of an opcode.
//!
//! Only the order of types has a meaning: ptxas accepts `setp.u32.eq` for `setp.eq.u32`. The words are therefore sorted
//! into a set of flags and a few slots.

use crate::types::Scalar;

/// A comparison of `setp` and `set`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// `.eq`
    Equal,
    /// `.ne`
    NotEqual,
    /// `.lt`
    Less,
    /// `.le`
    LessEqual,
    /// `.gt`
    Greater,
    /// `.ge`
    GreaterEqual,
    /// `.lo`: unsigned less.
    Lower,
    /// `.ls`: unsigned less or equal.
    LowerSame,
    /// `.hi`: unsigned greater.
    Higher,
    /// `.hs`: unsigned greater or equal.
    HigherSame,
    /// `.equ`: equal, or an operand is NaN.
    EqualUnordered,
    /// `.neu`: not equal, or an operand is NaN.
    NotEqualUnordered,
    /// `.ltu`: less, or an operand is NaN.
    LessUnordered,
    /// `.leu`: less or equal, or an operand is NaN.
    LessEqualUnordered,
    /// `.gtu`: greater, or an operand is NaN.
    GreaterUnordered,
    /// `.geu`: greater or equal, or an operand is NaN.
    GreaterEqualUnordered,
    /// `.num`: no operand is NaN.
    Numbers,
    /// `.nan`: an operand is NaN.
    Nan,
}

/// A rounding mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// `.rn`: to nearest, ties to even.
    Nearest,
    /// `.rz`: towards zero.
    Zero,
    /// `.rm`: towards negative infinity.
    Down,
    /// `.rp`: towards positive infinity.
    Up,
    /// `.rna`: to nearest, ties away from zero.
    NearestAway,
    /// `.rs`: stochastic.
    Stochastic,
    /// `.rni`: to the nearest integral value, ties to even.
    IntegerNearest,
    /// `.rzi`: to an integral value towards zero.
    IntegerZero,
    /// `.rmi`: to an integral value towards negative infinity.
    IntegerDown,
    /// `.rpi`: to an integral value towards positive infinity.
    IntegerUp,
}

impl Rounding {
    /// Returns whether the mode rounds to an integral value.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::IntegerNearest | Self::IntegerZero | Self::IntegerDown | Self::IntegerUp)
    }
}

/// A state space as an instruction names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpaceWord {
    /// `.const`
    Constant,
    /// `.global`
    Global,
    /// `.local`
    Local,
    /// `.param`
    Parameter,
    /// `.param::entry`
    EntryParameter,
    /// `.param::func`
    FunctionParameter,
    /// `.shared`, `.shared::cta`
    Shared,
    /// `.shared::cluster`
    SharedCluster,
}

macro_rules! flags {
    ($($name:ident = $word:literal),* $(,)?) => {
        /// Word without a value. Each variant has the name of its word.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Flag {
            $(#[doc = concat!("`.", $word, "`")] $name),*
        }

        impl Flag {
            const ALL: &'static [Self] = &[$(Self::$name),*];

            fn from_word(word: &str) -> Option<Self> {
                Some(match word { $($word => Self::$name,)* _ => return None })
            }

            /// Returns the word without its dot.
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
    SyncRestrict = "sync_restrict", OutOfBounds = "oob",
}

/// A set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u128);

impl Flags {
    /// Creates the set of `flags`.
    pub const fn of(flags: &[Flag]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < flags.len() {
            bits |= 1 << flags[index] as u8;
            index += 1;
        }
        Self(bits)
    }

    /// Returns the union with `other`.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether `flag` is a member.
    pub const fn has(self, flag: Flag) -> bool {
        self.0 >> (flag as u8) & 1 != 0
    }

    /// Adds `flag`.
    pub fn insert(&mut self, flag: Flag) {
        self.0 |= 1 << flag as u8;
    }

    /// Returns a member that is not in `allowed`.
    pub fn first_outside(self, allowed: Self) -> Option<Flag> {
        Flag::ALL.iter().copied().find(|&flag| self.has(flag) && !allowed.has(flag))
    }

    /// Returns the only member that `choices` lists, or `None` if there are none or several.
    pub fn only_one_of(self, choices: &[Flag]) -> Option<Flag> {
        let mut found = choices.iter().copied().filter(|&flag| self.has(flag));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}

/// The modifiers of one instruction, sorted by kind.
#[derive(Debug, Clone, Default)]
pub struct Modifiers<'s> {
    /// The types, in their order.
    pub types: Vec<Scalar>,
    /// 2, 4 or 8 for `.v2`, `.v4` or `.v8`.
    pub vector: Option<u32>,
    /// The state space.
    pub space: Option<SpaceWord>,
    /// The comparison.
    pub compare: Option<Compare>,
    /// The rounding mode.
    pub rounding: Option<Rounding>,
    /// The other words of the table.
    pub flags: Flags,
    /// True if there are two state spaces.
    pub repeated_space: bool,
    /// True if there are two rounding modes.
    pub repeated_rounding: bool,
    /// True if there are two comparisons.
    pub repeated_compare: bool,
    /// True if there are two vector sizes.
    pub repeated_vector: bool,
    /// Words that the table lacks.
    pub unknown: Vec<&'s str>,
}

impl<'s> Modifiers<'s> {
    /// Sorts `words`, given without their dots.
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

    /// Returns whether `flag` is present.
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
