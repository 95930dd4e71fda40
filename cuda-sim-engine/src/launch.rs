//! The parameters of a launch.

use std::sync::Arc;

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
    pub(crate) fn read(&self, register: ClockRegister, cycles: u64) -> u64 {
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

/// The multiprocessors that a launch runs on.
#[derive(Debug, Clone)]
pub struct Multiprocessors {
    /// The number of multiprocessors of the device.
    pub count: u32,
    /// The numbers of those that run the launch. `None` if all do.
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

/// Everything about a launch but the kernel.
#[derive(Debug, Clone)]
pub struct Launch {
    /// Blocks in the grid.
    pub grid: [u32; 3],
    /// Threads in a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Blocks in a cluster along each axis, if it is a launch with clusters, if only of one block each.
    pub cluster: Option<[u32; 3]>,
    /// The address of what the blocks of a cooperative launch share, for libraries that have them wait for each other.
    pub workspace: u64,
    /// The parameter space, laid out as [`Kernel::params`](crate::Kernel::params) says.
    pub params: Vec<u8>,
    /// The device addresses of [`Program::globals`](crate::Program::globals), in order.
    pub globals: Vec<u64>,
    /// The images that texture references, surface references and object handles mean.
    pub textures: Arc<Textures>,
    /// The buffer that the kernel prints to.
    pub output: Arc<Output>,
    /// The heap of `malloc` in kernels. Without one, `malloc` returns null.
    pub malloc_heap: Option<Arc<dyn MallocHeap>>,
    /// How many steps warps may execute without any block coming to its end.
    pub limit: u64,
    /// How many blocks the device runs at once.
    pub at_once: u64,
    /// The multiprocessors that run the blocks.
    pub multiprocessors: Multiprocessors,
    /// The device's clock.
    pub timing: Timing,
    /// How many threads of the host may run blocks; with 1, only the calling one does.
    pub workers: usize,
    /// True if the vector extensions of the host may be used, where it has them. Results are the same.
    pub vectors: bool,
    /// Seeds a random order in which blocks and warps are begun and resumed; without it the order is ascending.
    pub order: Option<u64>,
    /// A fault that is to happen in it.
    pub injected: Option<InjectedFault>,
    /// Counts what it executes.
    pub counter: Option<Arc<Counter>>,
    /// Receives the accesses to memory. With an observer, one thread of the host runs all blocks.
    pub observer: Option<Arc<dyn Observer>>,
}
