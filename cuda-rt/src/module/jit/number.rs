//! Options of the driver's compiler and linker, and their named values, as numbers.

use core::fmt;
use cuda_sys::CUjit_target_enum;

/// An option of the driver's compiler and linker. A driver may know numbers that have no constant
/// here, and these are valid, too. The type appears in errors, and
/// as an argument of [`JitOptions::raw`](super::JitOptions::raw). Every option that NVIDIA documents for programs has a
/// method of [`JitOptions`](super::JitOptions), except the four options of message buffers. This crate sets these four.
///
/// ```
/// use cuda_rt::module::JitOption;
///
/// assert_eq!(JitOption::OPTIMIZATION_LEVEL.to_string(), "OPTIMIZATION_LEVEL");
/// assert_eq!(JitOption(99).to_string(), "JitOption(99)");
/// assert_eq!(JitOption::all().len(), 36);
/// ```
#[doc(alias = "CUjit_option")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitOption(pub u32);

/// Target of the compiler. A driver may know numbers that [`all`](JitTarget::all) does not list,
/// and these are valid, too.
///
/// The number is 90 for `sm_90`, and so on, plus [`ACCELERATED`](JitTarget::ACCELERATED) or [`FAMILY`](JitTarget::FAMILY) for
/// targets that end in `a` or `f`. Older releases of CUDA also named the targets 10 to 21; CUDA 13.5 does not.
///
/// ```
/// use cuda_rt::module::JitTarget;
///
/// assert_eq!(JitTarget::new(90), JitTarget(90));
/// assert_eq!(JitTarget::new(90).to_string(), "sm_90");
/// assert_eq!(JitTarget::new(90).accelerated().to_string(), "sm_90a");
/// assert_eq!(JitTarget::new(120).family().to_string(), "sm_120f");
/// ```
#[doc(alias = "CUjit_target")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitTarget(pub u32);

impl JitTarget {
    /// Summand for targets that end in `a`: `CU_COMPUTE_ACCELERATED_TARGET_BASE`.
    #[doc(alias = "CU_COMPUTE_ACCELERATED_TARGET_BASE")]
    pub const ACCELERATED: u32 = cuda_sys::CU_COMPUTE_ACCELERATED_TARGET_BASE;
    /// Summand for targets that end in `f`: `CU_COMPUTE_FAMILY_TARGET_BASE`.
    #[doc(alias = "CU_COMPUTE_FAMILY_TARGET_BASE")]
    pub const FAMILY: u32 = cuda_sys::CU_COMPUTE_FAMILY_TARGET_BASE;

    /// Returns the target `sm_<number>`: 90 for a device of compute capability 9.0.
    #[doc(alias(
        "CU_TARGET_COMPUTE_50",
        "CU_TARGET_COMPUTE_75",
        "CU_TARGET_COMPUTE_80",
        "CU_TARGET_COMPUTE_90"
    ))]
    pub const fn new(number: u32) -> JitTarget {
        JitTarget(number)
    }

    /// Returns the accelerated target, such as `sm_90a`.
    ///
    /// It adds the features that only this architecture has. The code runs only on it.
    #[doc(alias("CU_TARGET_COMPUTE_90A", "CU_TARGET_COMPUTE_100A", "CU_TARGET_COMPUTE_120A"))]
    pub const fn accelerated(self) -> JitTarget {
        JitTarget(self.sm() | Self::ACCELERATED)
    }

    /// Returns the family target, such as `sm_100f`.
    ///
    /// It adds the features of the architecture's family. The code runs only on that family.
    #[doc(alias("CU_TARGET_COMPUTE_100F", "CU_TARGET_COMPUTE_110F", "CU_TARGET_COMPUTE_120F"))]
    pub const fn family(self) -> JitTarget {
        JitTarget(self.sm() | Self::FAMILY)
    }

    /// Returns the number after `sm_`, without the summand for accelerated or family targets.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::module::JitTarget::new(90).accelerated().sm(), 90);
    /// ```
    pub const fn sm(self) -> u32 {
        self.0 & !(Self::ACCELERATED | Self::FAMILY)
    }

    /// Returns all targets that CUDA 13.5 names, once each.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::module::JitTarget;
    ///
    /// assert!(JitTarget::all().any(|target| target == JitTarget::new(121).family()));
    /// ```
    pub fn all() -> impl ExactSizeIterator<Item = JitTarget> + Clone {
        use CUjit_target_enum as C;
        [
            C::CU_TARGET_COMPUTE_30,
            C::CU_TARGET_COMPUTE_32,
            C::CU_TARGET_COMPUTE_35,
            C::CU_TARGET_COMPUTE_37,
            C::CU_TARGET_COMPUTE_50,
            C::CU_TARGET_COMPUTE_52,
            C::CU_TARGET_COMPUTE_53,
            C::CU_TARGET_COMPUTE_60,
            C::CU_TARGET_COMPUTE_61,
            C::CU_TARGET_COMPUTE_62,
            C::CU_TARGET_COMPUTE_70,
            C::CU_TARGET_COMPUTE_72,
            C::CU_TARGET_COMPUTE_75,
            C::CU_TARGET_COMPUTE_80,
            C::CU_TARGET_COMPUTE_86,
            C::CU_TARGET_COMPUTE_87,
            C::CU_TARGET_COMPUTE_89,
            C::CU_TARGET_COMPUTE_90,
            C::CU_TARGET_COMPUTE_100,
            C::CU_TARGET_COMPUTE_103,
            C::CU_TARGET_COMPUTE_107,
            C::CU_TARGET_COMPUTE_110,
            C::CU_TARGET_COMPUTE_120,
            C::CU_TARGET_COMPUTE_121,
            C::CU_TARGET_COMPUTE_90A,
            C::CU_TARGET_COMPUTE_100A,
            C::CU_TARGET_COMPUTE_103A,
            C::CU_TARGET_COMPUTE_107A,
            C::CU_TARGET_COMPUTE_110A,
            C::CU_TARGET_COMPUTE_120A,
            C::CU_TARGET_COMPUTE_121A,
            C::CU_TARGET_COMPUTE_100F,
            C::CU_TARGET_COMPUTE_103F,
            C::CU_TARGET_COMPUTE_107F,
            C::CU_TARGET_COMPUTE_110F,
            C::CU_TARGET_COMPUTE_120F,
            C::CU_TARGET_COMPUTE_121F,
        ]
        .map(|target| JitTarget(target.0))
        .into_iter()
    }
}

impl fmt::Display for JitTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.0 & !self.sm() {
            0 => "",
            Self::ACCELERATED => "a",
            Self::FAMILY => "f",
            _ => return write!(formatter, "JitTarget({})", self.0),
        };
        write!(formatter, "sm_{}{suffix}", self.sm())
    }
}

impl fmt::Debug for JitTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Code to use if there is no binary for exactly this device.
///
/// ```
/// assert_eq!(cuda_rt::module::JitFallback::PREFER_PTX.to_string(), "PREFER_PTX");
/// ```
#[doc(alias = "CUjit_fallback")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitFallback(pub u32);

/// Caches for loads of global memory.
///
/// ```
/// assert_eq!(cuda_rt::module::JitCacheMode::CG.to_string(), "CG");
/// ```
#[doc(alias = "CUjit_cacheMode")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitCacheMode(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../../generated/jit_fallback.rs");
// Its rows are in generator/numbers.tsv.
include!("../../generated/jit_cache_mode.rs");
// Its rows are in generator/numbers.tsv.
include!("../../generated/jit_option.rs");
