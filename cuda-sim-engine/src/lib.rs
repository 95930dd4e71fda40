//! The execution engine: PTX, decoded once, interpreted a warp at a time.

#![deny(unsafe_code)]
#![allow(missing_docs)]

mod compile;
mod count;
mod engine;
mod fault;
mod function;
mod memory;
mod number;
mod op;
mod ordered;
mod output;
mod program;
#[cfg(test)]
mod tests;
mod texture;

use std::sync::Arc;

pub use compile::Text;
pub use count::Counter;
pub use engine::{Execution, MAX_THREADS, Progress};
pub use fault::{Fault, FaultKind};
use op::ClockRegister;

pub use memory::{Memory, Segment};
pub use ordered::{FaultPlace, OrderedFault};
pub use output::Output;
pub use program::{CompileError, CompileErrorKind, Kernel, Program, ReferenceKind};
pub use texture::{
    AddressMode, BLOCK_SIDE, Codec, Filter, Format, Image, Level, Resource, Shape, Texel, Texture, Textures,
};

/// First generic address of shared memory. Global addresses are their own generic addresses: device memory starts at
/// 2^48 and host memory lies below 2^47, which leaves the range between for the windows of the other spaces.
pub(crate) const SHARED_WINDOW: u64 = 1 << 47;
/// First generic address of a thread's local memory.
pub(crate) const LOCAL_WINDOW: u64 = (1 << 47) + (1 << 44);
/// First generic address of the parameter space.
pub(crate) const PARAM_WINDOW: u64 = (1 << 47) + (2 << 44);
/// Size of each window.
pub(crate) const WINDOW_SIZE: u64 = 1 << 44;

/// The device that a module is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Compute capability.
    pub compute_capability: (u32, u32),
    /// The newest PTX version that the driver knows.
    pub ptx_version: (u32, u32),
}

impl Target {
    /// The compute capability as one number: 90 for 9.0.
    pub fn number(&self) -> u32 {
        let (major, minor) = self.compute_capability;
        major.saturating_mul(10).saturating_add(minor)
    }
}

/// Virtual time on a device.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// When the kernel begins, in nanoseconds.
    pub start: u64,
    /// The rate of the device's clock.
    pub kilohertz: u64,
}

impl Timing {
    const PER_MILLISECOND: u128 = 1_000_000;

    /// The cycles that a time in nanoseconds takes.
    pub fn cycles(&self, nanoseconds: u64) -> u64 {
        let cycles = u128::from(nanoseconds) * u128::from(self.kilohertz) / Self::PER_MILLISECOND;
        u64::try_from(cycles).unwrap_or(u64::MAX)
    }

    /// The value of a special register `cycles` after the kernel's beginning.
    fn read(&self, register: ClockRegister, cycles: u64) -> u64 {
        let time = if register.nanoseconds {
            self.start.saturating_add(self.nanoseconds(cycles))
        } else {
            self.cycles(self.start).wrapping_add(cycles)
        };
        if register.upper { time >> 32 } else { time }
    }

    /// The nanoseconds after which `cycles` are over.
    pub fn nanoseconds(&self, cycles: u64) -> u64 {
        let kilohertz = u128::from(self.kilohertz.max(1));
        let nanoseconds = (u128::from(cycles) * Self::PER_MILLISECOND).div_ceil(kilohertz);
        u64::try_from(nanoseconds).unwrap_or(u64::MAX)
    }
}

/// Everything about a launch but the kernel.
#[derive(Debug, Clone)]
pub struct Launch {
    /// Blocks in the grid.
    pub grid: [u32; 3],
    /// Threads in a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Whether it is a launch with clusters, if only of one block each.
    pub in_clusters: bool,
    /// The address of what the blocks of a cooperative launch share, for libraries that have them wait for each other.
    pub workspace: u64,
    /// The parameter space, laid out as [`Kernel::params`] says.
    pub params: Vec<u8>,
    /// The device addresses of [`Program::globals`], in order.
    pub globals: Vec<u64>,
    /// What texture and surface references and object handles mean.
    pub textures: Arc<Textures>,
    /// What the kernel prints goes here.
    pub output: Arc<Output>,
    /// How many steps warps may execute without any block coming to its end.
    pub limit: u64,
    /// How many blocks the device runs at once.
    pub at_once: u64,
    /// The device's clock.
    pub timing: Timing,
    /// How many threads of the host may run blocks; with 1, only the calling one does.
    pub workers: usize,
    /// Whether the vector extensions of the host may be used, where it has them. Results are the same.
    pub vectors: bool,
    /// Seeds a random order in which blocks and warps are begun and resumed; without it the order is ascending.
    pub order: Option<u64>,
    /// A fault that is to happen in it.
    pub ordered: Option<OrderedFault>,
    /// Counts what it executes.
    pub counter: Option<Arc<Counter>>,
}
