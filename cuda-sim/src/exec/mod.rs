//! The execution engine: PTX, decoded once, interpreted a warp at a time.

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

pub(crate) use compile::Text;
pub(crate) use count::Counter;
pub(crate) use engine::{Execution, MAX_THREADS, Progress};
#[cfg(test)]
pub(crate) use fault::Fault;
pub(crate) use fault::FaultKind;
use op::ClockRegister;

pub(crate) use memory::{Memory, Segment};
pub(crate) use ordered::{FaultPlace, OrderedFault};
pub(crate) use output::Output;
pub(crate) use program::{CompileError, CompileErrorKind, Kernel, Program, ReferenceKind};
pub(crate) use texture::{
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
pub(crate) struct Target {
    /// Compute capability.
    pub(crate) compute_capability: (u32, u32),
    /// The newest PTX version that the driver knows.
    pub(crate) ptx_version: (u32, u32),
}

impl Target {
    /// The compute capability as one number: 90 for 9.0.
    pub(crate) fn number(&self) -> u32 {
        let (major, minor) = self.compute_capability;
        major.saturating_mul(10).saturating_add(minor)
    }
}

/// Virtual time on a device.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    /// When the kernel begins, in nanoseconds.
    pub(crate) start: u64,
    /// The rate of the device's clock.
    pub(crate) kilohertz: u64,
}

impl Timing {
    const PER_MILLISECOND: u128 = 1_000_000;

    /// The cycles that a time in nanoseconds takes.
    pub(crate) fn cycles(&self, nanoseconds: u64) -> u64 {
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
    pub(crate) fn nanoseconds(&self, cycles: u64) -> u64 {
        let kilohertz = u128::from(self.kilohertz.max(1));
        let nanoseconds = (u128::from(cycles) * Self::PER_MILLISECOND).div_ceil(kilohertz);
        u64::try_from(nanoseconds).unwrap_or(u64::MAX)
    }
}

/// Everything about a launch but the kernel.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// Blocks in the grid.
    pub(crate) grid: [u32; 3],
    /// Threads in a block.
    pub(crate) block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub(crate) dynamic_shared: u32,
    /// Whether it is a launch with clusters, if only of one block each.
    pub(crate) in_clusters: bool,
    /// The address of what the blocks of a cooperative launch share, for libraries that have them wait for each other.
    pub(crate) workspace: u64,
    /// The parameter space, laid out as [`Kernel::params`] says.
    pub(crate) params: Vec<u8>,
    /// The device addresses of [`Program::globals`], in order.
    pub(crate) globals: Vec<u64>,
    /// What texture and surface references and object handles mean.
    pub(crate) textures: Arc<Textures>,
    /// What the kernel prints goes here.
    pub(crate) output: Arc<Output>,
    /// How many steps warps may execute without any block coming to its end.
    pub(crate) limit: u64,
    /// How many blocks the device runs at once.
    pub(crate) at_once: u64,
    /// The device's clock.
    pub(crate) timing: Timing,
    /// How many threads of the host may run blocks; with 1, only the calling one does.
    pub(crate) workers: usize,
    /// Whether the vector extensions of the host may be used, where it has them. Results are the same.
    pub(crate) vectors: bool,
    /// Seeds a random order in which blocks and warps are begun and resumed; without it the order is ascending.
    pub(crate) order: Option<u64>,
    /// A fault that is to happen in it.
    pub(crate) ordered: Option<OrderedFault>,
    /// Counts what it executes.
    pub(crate) counter: Option<Arc<Counter>>,
}
