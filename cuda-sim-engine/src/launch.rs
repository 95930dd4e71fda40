//! The parameters of a launch.

use std::sync::Arc;

use crate::child_launches::ChildLaunches;
use crate::counter::Counter;
use crate::injected::InjectedFault;
use crate::malloc_heap::MallocHeap;
use crate::observer::Observer;
use crate::op::ClockRegister;
use crate::output::Output;
use crate::texture::Textures;

/// Virtual time on a device.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// Start of the kernel, in nanoseconds.
    pub start: u64,
    /// Rate of the device's clock.
    pub kilohertz: u64,
}

impl Timing {
    const PER_MILLISECOND: u128 = 1_000_000;

    /// Converts nanoseconds to cycles.
    pub fn cycles(&self, nanoseconds: u64) -> u64 {
        let cycles = u128::from(nanoseconds) * u128::from(self.kilohertz) / Self::PER_MILLISECOND;
        u64::try_from(cycles).unwrap_or(u64::MAX)
    }

    /// Returns the value of a special register `cycles` after the start of the kernel.
    pub(crate) fn read(&self, register: ClockRegister, cycles: u64) -> u64 {
        let time = if register.nanoseconds {
            self.start.saturating_add(self.nanoseconds(cycles))
        } else {
            self.cycles(self.start).wrapping_add(cycles)
        };
        if register.upper { time >> 32 } else { time }
    }

    /// Converts cycles to nanoseconds.
    pub fn nanoseconds(&self, cycles: u64) -> u64 {
        let kilohertz = u128::from(self.kilohertz.max(1));
        let nanoseconds = (u128::from(cycles) * Self::PER_MILLISECOND).div_ceil(kilohertz);
        u64::try_from(nanoseconds).unwrap_or(u64::MAX)
    }
}

/// Multiprocessors that a launch runs on.
#[derive(Debug, Clone)]
pub struct Multiprocessors {
    /// Number of multiprocessors of the device.
    pub count: u32,
    /// Numbers of the multiprocessors that run the launch; `None` for all.
    pub part: Option<Arc<[u32]>>,
}

impl Multiprocessors {
    /// Returns the number of the multiprocessor that a block runs on.
    pub(crate) fn of_block(&self, block: u64) -> u32 {
        let nth = |count: u64| (block % count.max(1)) as u32;
        match &self.part {
            None => nth(self.count.into()),
            Some(part) => part.get(nth(part.len() as u64) as usize).copied().unwrap_or(0),
        }
    }
}

/// All properties of a launch except the kernel.
#[derive(Debug, Clone)]
pub struct Launch {
    /// Blocks in the grid.
    pub grid: [u32; 3],
    /// Threads in a block.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    /// Blocks in a cluster along each axis, for launches with clusters. A cluster may be a single block.
    pub cluster: Option<[u32; 3]>,
    /// Address of the memory that the blocks of a cooperative launch share. Libraries use it to synchronise blocks.
    pub workspace: u64,
    /// Parameter space, laid out according to [`Kernel::params`](crate::Kernel::params).
    pub params: Vec<u8>,
    /// Device addresses of [`Program::globals`](crate::Program::globals), in order.
    pub globals: Vec<u64>,
    /// Images of texture references, surface references and object handles.
    pub textures: Arc<Textures>,
    /// Buffer that the kernel prints to.
    pub output: Arc<Output>,
    /// Heap of `malloc` in kernels. Without one, `malloc` returns null.
    pub malloc_heap: Option<Arc<dyn MallocHeap>>,
    /// List of the kernels that the kernel launches. Without one, a kernel that launches kernels faults.
    pub children: Option<Arc<ChildLaunches>>,
    /// Limit of the steps that warps may execute without the end of any block.
    pub limit: u64,
    /// Number of blocks that the device runs at once.
    pub at_once: u64,
    /// Multiprocessors that run the blocks.
    pub multiprocessors: Multiprocessors,
    /// Clock of the device.
    pub timing: Timing,
    /// Number of host threads that may run blocks. With 1, only the calling thread does.
    pub workers: usize,
    /// True if the engine may use vector extensions of the host. Results are the same.
    pub vectors: bool,
    /// Seed of a random order in which blocks and warps begin and resume. `None` for ascending order.
    pub order: Option<u64>,
    /// Fault to inject.
    pub injected: Option<InjectedFault>,
    /// Counter of the executed instructions.
    pub counter: Option<Arc<Counter>>,
    /// Observer of the memory accesses. With an observer, one host thread runs all blocks.
    pub observer: Option<Arc<dyn Observer>>,
}
