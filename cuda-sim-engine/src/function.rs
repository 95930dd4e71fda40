//! A decoded function, ready to run.

use std::collections::BTreeSet;

use crate::op::{Op, Place, Slot, Step};
use crate::source::{SourceLine, SourceTable};
use std::sync::Arc;

/// Value that is the same for all threads of a launch, or known before the thread starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Constant {
    Bits(u64),
    /// Address of a module variable, plus an offset.
    Global(usize, i64),
    /// Offset of a shared variable in the shared memory of the block, plus an offset.
    Shared(usize, i64),
    /// Generic address of a shared variable, plus an offset.
    SharedGeneric(usize, i64),
    /// Offset of the local memory of this function in that of the thread, plus an offset.
    Local(i64),
    /// Generic address of that local memory, plus an offset.
    LocalGeneric(i64),
    /// Address of a function.
    Function(usize),
    /// Parameter of the kernel: its offset and its size in bytes.
    Parameter(u32, u8),
    Special(Special),
}

/// Special registers whose values are known before a thread starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Special {
    Thread(u8),
    BlockSize(u8),
    Block(u8),
    GridSize(u8),
    Lane,
    Warp,
    WarpCount,
    LaneMaskEqual,
    LaneMaskLess,
    LaneMaskLessEqual,
    LaneMaskGreater,
    LaneMaskGreaterEqual,
    Multiprocessor,
    MultiprocessorCount,
    GridId,
    DynamicShared,
    TotalShared,
    /// Shared memory of a block including the reserved part; the reserved part; the used bytes of the reserved part.
    AllShared,
    SystemShared,
    SystemSharedUsed,
    /// Half of the address of the memory that the blocks of a cooperative launch share.
    SharedOfGrid {
        upper: bool,
    },
    /// Index of the cluster, clusters in the grid, index of the block in its cluster, and blocks in the cluster.
    Cluster(u8),
    ClusterGridSize(u8),
    ClusterBlock(u8),
    ClusterSize(u8),
    ClusterRank,
    ClusterBlocks,
    /// One in launches with clusters, else zero.
    InClusters,
    Zero,
    One,
}

/// Slots of a parameter or return value of a device function.
#[derive(Debug, Clone)]
pub(super) struct Formal {
    pub(super) places: Vec<Place>,
}

/// A function.
#[derive(Debug, Clone, Default)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
    /// For each step, true if it is the first of an instruction.
    pub(super) begins: Vec<bool>,
    /// Sizes of the three register files.
    pub(super) words: Slot,
    pub(super) longs: Slot,
    pub(super) predicates: Slot,
    /// Constants to fill in before the function starts.
    pub(super) constants: Vec<(Place, Constant)>,
    pub(super) params: Vec<Formal>,
    pub(super) returns: Vec<Formal>,
    /// Local memory of one call, in bytes.
    pub(super) local: u32,
    /// Alignment and size of each of its local variables.
    pub(super) locals: Vec<(u64, u64)>,
    /// Shared variables that it names.
    pub(super) shared: BTreeSet<usize>,
    /// Functions that it calls directly.
    pub(super) calls: BTreeSet<usize>,
    /// Sizes of arguments and results, in bytes, of its calls through registers.
    pub(super) indirect: BTreeSet<[Vec<u32>; 2]>,
    /// Possible targets of its calls through registers.
    pub(super) pointed: BTreeSet<usize>,
    /// True if it calls the driver's `malloc` or `free`.
    pub(super) uses_heap: bool,
    /// True if it launches kernels.
    pub(super) launches: bool,
    /// Estimate of the registers that a thread uses at once.
    pub(super) pressure: u32,
    /// Origin of the source lines, if the text states it.
    pub(super) sources: Option<Arc<SourceTable>>,
    /// True if there is a body.
    pub(super) defined: bool,
    /// Messages about values of pragmas, which ptxas refuses only in functions that it keeps.
    pub(super) refused: Vec<String>,
    /// First feature in it that the engine does not support.
    pub(super) unsupported: Option<String>,
}

impl Function {
    /// Counts the steps without effect that follow each other.
    pub(super) fn count_runs(&mut self) {
        let mut following = 0;
        for step in self.steps.iter_mut().rev() {
            following = if let Op::Nothing { run } = &mut step.op {
                *run = following + 1;
                *run
            } else {
                0
            };
        }
    }

    /// Returns the line of a step, and the source line that it came from.
    pub(super) fn lines(&self, step: u32) -> (u32, Option<SourceLine>) {
        let line = self.steps.get(step as usize).map_or(0, |step| step.line);
        (line, self.sources.as_ref().and_then(|sources| sources.find(line)))
    }
}

/// Variable in shared memory.
#[derive(Debug, Clone)]
pub(super) struct SharedVariable {
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) align: u64,
    /// True for `.extern .shared name[]`, which begins at the end of the static variables.
    pub(super) dynamic: bool,
}
