//! What can go wrong inside a running kernel, and the sentence that says where.

use crate::source::SourceLine;
use std::fmt;

/// The code that an injected fault is reported as. The engine only carries it, and names it in the fault's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedCode {
    /// The number of the result code.
    pub number: u32,
    /// The name of the result code, or "" if the number has none.
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

/// The class of a fault; the driver model turns it into a result code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// An address outside of everything allocated (700).
    IllegalAddress,
    /// An address that is not a multiple of the size of the access (716).
    MisalignedAddress,
    /// A shared or local access outside of its window. Measured on an H200: a shared load 16 MiB past its array is
    /// reported as an illegal instruction (715).
    OutOfWindow,
    /// An access to shared memory of another block of the cluster, where there is none (719, conformance fact V1043).
    OutOfCluster,
    /// An operation between the blocks of a cluster, in a launch without clusters. Measured on an H200: 715.
    NoCluster,
    /// A barrier object (`mbarrier`) that does not lie in shared memory. Measured on an H200: 715 (conformance fact V954).
    BarrierObjectOutsideShared,
    /// A copy of a tensor that its map does not allow: of another rank or kind, or at coordinates where it cannot begin.
    /// Measured on an H200: 715 (conformance fact V992).
    TensorCopy,
    /// An operation that needs global memory met an address of another space (717).
    InvalidAddressSpace,
    /// A jump or call to something that is no code (718).
    InvalidProgramCounter,
    /// `trap` (719).
    Trap,
    /// `free` of a block that is free already (719, conformance fact V1034).
    DoubleFree,
    /// A failed device-side assertion (710).
    Assert,
    /// Local memory is exhausted, normally by recursion. Measured on an H200: 700.
    StackOverflow,
    /// Every live thread of a block waits for something that can no longer happen. Hardware hangs.
    Deadlock,
    /// The kernel ran for longer than it was given (702).
    Timeout,
    /// The kernel needs something that the engine does not have (801).
    Unsupported,
    /// An injected fault, with the number of its result code.
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

/// An access of an instruction to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// A read.
    Load,
    /// A write.
    Store,
    /// An atomic operation.
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

/// A fault and the first thread that met it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The class.
    pub kind: FaultKind,
    /// Name of the kernel.
    pub kernel: String,
    /// Line of the PTX source, 0 if there is none.
    pub line: u32,
    /// Further facts about the instruction, if there is one.
    pub instruction: Option<Box<FaultInstruction>>,
    /// Index of the block in the grid.
    pub block: [u32; 3],
    /// Index of the thread in the block.
    pub thread: [u32; 3],
    /// The address, where an address is at fault.
    pub address: Option<u64>,
    /// What else there is to say, or nothing.
    pub detail: String,
    /// Of a failed assertion.
    pub assertion: Option<Box<Assertion>>,
}

/// An instruction that faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultInstruction {
    /// The line of the source file that the PTX line came from, if the PTX says it.
    pub source: Option<SourceLine>,
    /// The name of the function that it is in, if the kernel has called one.
    pub function: Option<String>,
    /// The kind and the size in bytes of the access, if it accesses memory.
    pub access: Option<(AccessKind, u32)>,
}

/// What a kernel passes on when an assertion fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// File, line and function.
    pub place: String,
    /// The text of the condition.
    pub condition: String,
    /// The indices of the threads of one warp in which it failed at once.
    pub threads: Vec<[u32; 3]>,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, kernel, line, block, thread, .. } = self;
        if let Some(assertion) = &self.assertion {
            let Assertion { place, condition, threads } = &**assertion;
            // Drivers say this of each thread (measured).
            let [x, y, z] = block;
            for (index, [i, j, k]) in threads.iter().enumerate() {
                let line = if index == 0 { "" } else { "\n" };
                write!(formatter, "{line}{place}: block: [{x},{y},{z}], thread: [{i},{j},{k}] ")?;
                write!(formatter, "Assertion `{condition}` failed.")?;
            }
            return Ok(());
        }
        write!(formatter, "{}", kind.describe())?;
        if let Some(address) = self.address {
            write!(formatter, " {address:#x}")?;
        }
        if !self.detail.is_empty() {
            write!(formatter, " ({})", self.detail)?;
        }
        write!(formatter, " in kernel `{kernel}`, PTX line {line}")?;
        if let Some(source) = self.instruction.as_ref().and_then(|found| found.source.as_ref()) {
            write!(formatter, " ({source})")?;
        }
        write!(formatter, ", block ({}, {}, {})", block[0], block[1], block[2])?;
        write!(formatter, ", thread ({}, {}, {})", thread[0], thread[1], thread[2])
    }
}

impl std::error::Error for Fault {}
