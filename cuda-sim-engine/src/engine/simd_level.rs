//! The instruction set of the host that the engine uses. It is chosen at run time and does not change results.
//!
//! There is one source, [`run_lane_ops`](super::lane_ops::run_lane_ops), compiled for each level. Functions that it
//! calls are compiled once. On x86-64, few processors need the level without AVX2, so that level calls the functions
//! that `wide` inlines.
#![allow(unsafe_code)]

use super::lane_ops::run_lane_ops;
use super::warp::Group;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::function::Function;

/// Instruction set that may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SimdLevel {
    /// True only if set by [`SimdLevel::best`], and the processor has all that [`wide`] needs.
    wide: bool,
}

impl SimdLevel {
    /// Instructions that every processor of this kind has.
    pub(super) const BASELINE: Self = Self { wide: false };

    /// Returns the instruction set of this processor.
    pub(super) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        #[cfg(not(target_arch = "x86_64"))]
        let has = false;
        Self { wide: has }
    }

    /// Runs [`run_lane_ops`].
    #[inline(always)]
    pub(super) fn run(
        self,
        function: &Function,
        reach: &mut WarpMemory<'_>,
        group: &mut Group,
        limit: u32,
        alone: bool,
    ) -> Result<u32, Box<LaneFault>> {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: `best` has checked that the processor has the instructions for which the function is compiled.
            return unsafe { wide(function, reach, group, limit, alone) };
        }
        plain(function, reach, group, limit, alone)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn wide(
    function: &Function,
    reach: &mut WarpMemory<'_>,
    group: &mut Group,
    limit: u32,
    alone: bool,
) -> Result<u32, Box<LaneFault>> {
    run_lane_ops::<true, true>(function, reach, group, limit, alone)
}

fn plain(
    function: &Function,
    reach: &mut WarpMemory<'_>,
    group: &mut Group,
    limit: u32,
    alone: bool,
) -> Result<u32, Box<LaneFault>> {
    run_lane_ops::<{ !cfg!(target_arch = "x86_64") }, false>(function, reach, group, limit, alone)
}
