//! A function, decoded and ready to run.

use std::collections::BTreeSet;

use crate::op::{Place, Slot, Step};
use crate::source::{SourceLine, SourceTable};
use std::sync::Arc;

/// A value that is the same for all threads of a launch, or known before the thread starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Constant {
    Bits(u64),
    /// The address of a module variable, plus something.
    Global(usize, i64),
    /// The offset of a shared variable in the block's shared memory, plus something.
    Shared(usize, i64),
    /// The generic address of the same.
    SharedGeneric(usize, i64),
    /// The offset of this function's local memory in the thread's, plus something.
    Local(i64),
    /// The generic address of the same.
    LocalGeneric(i64),
    /// The address of a function.
    Function(usize),
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
    /// With what the system keeps; what it keeps; what it uses of that.
    AllShared,
    SystemShared,
    SystemSharedUsed,
    /// Where what the blocks of a cooperative launch share lies: the upper and the lower half of its address.
    SharedOfGrid {
        upper: bool,
    },
    /// The index of the cluster, clusters in the grid, the index of the block in its cluster, and blocks in the cluster.
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

/// A parameter or return value of a device function: the slots that hold it.
#[derive(Debug, Clone)]
pub(super) struct Formal {
    pub(super) places: Vec<Place>,
}

/// A function.
#[derive(Debug, Clone, Default)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
    /// Of each step, whether it is the first of an instruction.
    pub(super) begins: Vec<bool>,
    /// Sizes of the three register files.
    pub(super) words: Slot,
    pub(super) longs: Slot,
    pub(super) predicates: Slot,
    /// What to fill in before it starts.
    pub(super) constants: Vec<(Place, Constant)>,
    pub(super) params: Vec<Formal>,
    pub(super) returns: Vec<Formal>,
    /// Bytes of local memory of one call.
    pub(super) local: u32,
    /// The shared variables it names.
    pub(super) shared: BTreeSet<usize>,
    /// The functions it calls.
    pub(super) calls: BTreeSet<usize>,
    /// What it passes and gets back, in bytes, where it calls through registers.
    pub(super) indirect: BTreeSet<[Vec<u32>; 2]>,
    /// The functions that may be called there.
    pub(super) pointed: BTreeSet<usize>,
    /// True if it calls `malloc` or `free` of the driver.
    pub(super) uses_heap: bool,
    /// An estimate of the registers that a thread needs at once.
    pub(super) pressure: u32,
    /// Where its text came from, if the text says it.
    pub(super) sources: Option<Arc<SourceTable>>,
    /// Whether there is a body.
    pub(super) defined: bool,
    /// The first thing in it that the engine cannot do.
    pub(super) unsupported: Option<String>,
}

impl Function {
    /// Returns the line of a step, and the source line that it came from.
    pub(super) fn lines(&self, step: u32) -> (u32, Option<SourceLine>) {
        let line = self.steps.get(step as usize).map_or(0, |step| step.line);
        (line, self.sources.as_ref().and_then(|sources| sources.find(line)))
    }
}

/// A variable in shared memory.
#[derive(Debug, Clone)]
pub(super) struct SharedVariable {
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) align: u64,
    /// `.extern .shared name[]`: it begins where the static variables end.
    pub(super) dynamic: bool,
}
