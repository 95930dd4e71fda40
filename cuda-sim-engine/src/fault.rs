//! Faults of a running kernel, and the text that locates them.

use crate::source::SourceLine;
use std::fmt;

/// Code that an injected fault reports. The engine only carries it, and names it in the text of the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedCode {
    /// Number of the result code.
    pub number: u32,
    /// Name of the result code, or "" if the number has none.
    pub name: &'static str,
}

impl fmt::Display for InjectedCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() {
            write!(formatter, "{}", self.number)
        } else {
            formatter.write_str(self.name)
        }
    }
}

/// Class of a fault. The driver model turns it into a result code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// Address outside of all allocations (700).
    IllegalAddress,
    /// Address that is not a multiple of the size of the access (716).
    MisalignedAddress,
    /// Shared or local access outside of its window. An H200 reports a shared load 16 MiB past its array as an illegal
    /// instruction (measured: 715).
    OutOfWindow,
    /// Access outside of the shared memory of the other blocks of the cluster (719, conformance fact V1043).
    OutOfCluster,
    /// Operation between blocks of a cluster in a launch without clusters (measured on an H200: 715).
    NoCluster,
    /// Barrier object (`mbarrier`) outside of shared memory (measured on an H200: 715, conformance fact V954).
    BarrierObjectOutsideShared,
    /// Tensor copy that its map does not permit: another rank or kind, or a position at which no copy can begin
    /// (measured on an H200: 715, conformance fact V992).
    TensorCopy,
    /// Address of another space in an operation that requires global memory (717).
    InvalidAddressSpace,
    /// Jump or call to an address that is not code (718).
    InvalidProgramCounter,
    /// `trap` (719).
    Trap,
    /// `free` of a block that is already free (719, conformance fact V1034).
    DoubleFree,
    /// Failed device-side assertion (710).
    Assert,
    /// Exhausted local memory, usually by recursion (measured on an H200: 700).
    StackOverflow,
    /// Deadlock: every live thread of a block waits for an event that can no longer happen. Hardware hangs.
    Deadlock,
    /// Run time of the kernel beyond its limit (702).
    Timeout,
    /// Kernel that needs a feature the engine does not have (801).
    Unsupported,
    /// Injected fault, with the number of its result code.
    Injected(u32),
}

impl FaultKind {
    fn describe(self) -> &'static str {
        match self {
            Self::IllegalAddress => "illegal address",
            Self::MisalignedAddress => "misaligned address",
            Self::OutOfWindow => "address outside of the shared or local window",
            Self::OutOfCluster => "address outside of the shared memory of the cluster",
            Self::NoCluster => "operation within a cluster, in a launch without clusters",
            Self::BarrierObjectOutsideShared => "barrier object outside of shared memory",
            Self::TensorCopy => "copy that the tensor map does not allow",
            Self::InvalidAddressSpace => "address of the wrong state space",
            Self::InvalidProgramCounter => "call to an address that is no function",
            Self::Trap => "trap",
            Self::DoubleFree => "memory of malloc that is freed twice",
            Self::Assert => "assertion failed",
            Self::StackOverflow => "local memory exhausted",
            Self::Deadlock => "deadlock: no thread of the block can continue",
            Self::Timeout => "time limit reached",
            Self::Unsupported => "not supported",
            Self::Injected(_) => "injected fault",
        }
    }
}

/// Kind of access to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// A read.
    Load,
    /// A write.
    Store,
    /// Atomic operation.
    Atomic,
}

impl fmt::Display for AccessKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Load => "load",
            Self::Store => "store",
            Self::Atomic => "atomic operation",
        })
    }
}

/// Fault and the first thread that caused it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The class.
    pub kind: FaultKind,
    /// Name of the kernel.
    pub kernel: String,
    /// Line of the PTX source, or 0 if there is none.
    pub line: u32,
    /// Details of the instruction, if there is one.
    pub instruction: Option<Box<FaultInstruction>>,
    /// Index of the block in the grid.
    pub block: [u32; 3],
    /// Index of the thread in the block.
    pub thread: [u32; 3],
    /// Faulting address, for faults of an address.
    pub address: Option<u64>,
    /// Further detail, or an empty text.
    pub detail: String,
    /// Details of a failed assertion.
    pub assertion: Option<Box<Assertion>>,
}

/// Instruction that faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultInstruction {
    /// Source line of the PTX line, if the PTX names it.
    pub source: Option<SourceLine>,
    /// Name of the function that contains the instruction, if the kernel has called one.
    pub function: Option<String>,
    /// Access of the instruction, if it makes one.
    pub access: Option<FaultAccess>,
}

/// Access that has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultAccess {
    /// Kind of the access.
    pub kind: AccessKind,
    /// Size in bytes.
    pub size: u32,
    /// True if the address is one of global memory, and not of shared or local memory.
    pub is_global: bool,
}

/// Values that a kernel passes when an assertion fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// File, line and function.
    pub place: String,
    /// Text of the condition.
    pub condition: String,
    /// Indices of the threads of one warp in which it failed at once.
    pub threads: Vec<[u32; 3]>,
}

impl Fault {
    /// Returns the text without the place: `trap`, `time limit reached: 1000 instructions`.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = self.kind.describe().to_owned();
        if let Some(address) = self.address {
            text.push_str(&format!(" {address:#x}"));
        }
        let detail = self.assertion.as_ref().map_or(&self.detail, |assertion| &assertion.condition);
        if !detail.is_empty() {
            text.push_str(": ");
            text.push_str(detail);
        }
        text
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, line, block, thread, .. } = self;
        if let Some(assertion) = &self.assertion {
            let Assertion { place, condition, threads } = &**assertion;
            // Drivers print this for each thread (measured).
            let [x, y, z] = block;
            for (index, [i, j, k]) in threads.iter().enumerate() {
                let line = if index == 0 { "" } else { "\n" };
                write!(formatter, "{line}{place}: block: [{x},{y},{z}], thread: [{i},{j},{k}] ")?;
                write!(formatter, "Assertion `{condition}` failed.")?;
            }
            return Ok(());
        }
        write!(formatter, "{}, in kernel `{kernel}`, PTX line {line}", self.summary())?;
        if let Some(source) = self.instruction.as_ref().and_then(|found| found.source.as_ref()) {
            write!(formatter, " ({source})")?;
        }
        write!(formatter, ", block ({}, {}, {})", block[0], block[1], block[2])?;
        write!(formatter, ", thread ({}, {}, {})", thread[0], thread[1], thread[2])
    }
}

impl std::error::Error for Fault {}
