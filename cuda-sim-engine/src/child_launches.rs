//! Launches of kernels by kernels.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::program::{Kernel, Program, function_at};

/// Largest grid and block along each axis, and the limits of a block. They are the same on all devices.
const MAX_GRID: [u32; 3] = [i32::MAX.cast_unsigned(), 65_535, 65_535];
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
const MAX_BLOCK_THREADS: u64 = 1024;
/// Limit of the shared memory of a block that a kernel launches (conformance fact V1219).
const MAX_SHARED: u32 = 48 << 10;

/// First handle of a stream or an event that a kernel creates.
const FIRST_HANDLE: u64 = 0x1_0000;
/// Number of streams that always exist: the default streams, that of tail launches, and that of detached launches.
const FIXED_STREAMS: u64 = 5;
/// Stream whose kernels run after all others that the same grid launches.
const TAIL_STREAM: u64 = 3;

/// Shape of a launch by a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChildShape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) dynamic_shared: u32,
}

impl ChildShape {
    /// Checks a launch of a kernel with this shape.
    fn check(&self, kernel: &Kernel) -> Result<(), ChildError> {
        let within = |sizes: [u32; 3], limits: [u32; 3]| {
            sizes.into_iter().zip(limits).all(|(size, limit)| (1..=limit).contains(&size))
        };
        let threads: u64 = self.block.into_iter().map(u64::from).product();
        let bound = kernel.max_threads.map(|sizes| sizes.into_iter().map(u64::from).product());
        let fits = within(self.grid, MAX_GRID)
            && within(self.block, MAX_BLOCK)
            && threads <= bound.unwrap_or(MAX_BLOCK_THREADS).min(MAX_BLOCK_THREADS)
            && self.dynamic_shared.saturating_add(kernel.static_shared) <= MAX_SHARED;
        let whole = |cluster: [u32; 3]| {
            self.grid.into_iter().zip(cluster).all(|(blocks, size)| size != 0 && blocks.is_multiple_of(size))
        };
        match kernel.required_cluster {
            _ if !fits => Err(ChildError::Configuration),
            Some(cluster) if !whole(cluster) => Err(ChildError::ClusterSize),
            _ => Ok(()),
        }
    }
}

/// Buffer for the parameters of a kernel that is about to be launched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ParameterBuffer {
    /// Index of the kernel in [`Program::kernels`](crate::Program::kernels).
    pub(crate) kernel: usize,
    pub(crate) param_bytes: u32,
    pub(crate) shape: ChildShape,
}

/// Kernel that a kernel has launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildLaunch {
    /// Index of the kernel in [`Program::kernels`](crate::Program::kernels).
    pub kernel: usize,
    /// Blocks in the grid.
    pub grid: [u32; 3],
    /// Threads in a block.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    /// Blocks in a cluster along each axis, for kernels that require clusters.
    pub cluster: Option<[u32; 3]>,
    /// Parameter space.
    pub params: Vec<u8>,
    /// True if it must run after all other kernels that the same grid launches.
    is_tail: bool,
}

/// Invalid part of a launch by a kernel, with the number of the error of the runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChildError {
    /// `cudaErrorInvalidValue`
    Value = 1,
    /// `cudaErrorInvalidConfiguration`
    Configuration = 9,
    /// `cudaErrorInvalidClusterSize`
    ClusterSize = 912,
}

/// Kernels that the threads of a grid launch.
#[derive(Debug)]
pub struct ChildLaunches {
    program: Arc<Program>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    buffers: HashMap<u64, ParameterBuffer>,
    handles: HashSet<u64>,
    launched: Vec<ChildLaunch>,
}

impl ChildLaunches {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates the list of the kernels that a kernel of a program launches.
    pub fn new(program: Arc<Program>) -> Self {
        Self { program, state: Mutex::default() }
    }

    /// Returns the kernel that an address stands for, with its index.
    pub(crate) fn kernel_at(&self, address: u64) -> Option<(usize, &Kernel)> {
        let function = function_at(address)?;
        self.program.kernels().iter().enumerate().find(|(_, kernel)| kernel.function == function)
    }

    /// Returns the kernels that a finished grid has launched, in an order in which they may run one after another. The
    /// buffers that it has not launched are forgotten.
    pub fn take(&self) -> impl DoubleEndedIterator<Item = ChildLaunch> + use<> {
        let mut state = self.state();
        state.buffers.clear();
        state.handles.clear();
        let mut launched = std::mem::take(&mut state.launched);
        // The sort is stable.
        launched.sort_by_key(|launch| launch.is_tail);
        launched.into_iter()
    }

    pub(crate) fn prepare(&self, address: u64, buffer: ParameterBuffer) {
        self.state().buffers.insert(address, buffer);
    }

    /// Forgets a buffer, and returns what it is for.
    pub(crate) fn take_buffer(&self, address: u64) -> Option<ParameterBuffer> {
        self.state().buffers.remove(&address)
    }

    pub(crate) fn launch(
        &self,
        buffer: &ParameterBuffer,
        params: Vec<u8>,
        stream: u64,
    ) -> Result<(), ChildError> {
        let Some(kernel) = self.program.kernels().get(buffer.kernel) else {
            return Err(ChildError::Value);
        };
        buffer.shape.check(kernel)?;
        let mut state = self.state();
        if stream >= FIXED_STREAMS && !state.handles.contains(&stream) {
            return Err(ChildError::Value);
        }
        let ChildShape { grid, block, dynamic_shared } = buffer.shape;
        state.launched.push(ChildLaunch {
            kernel: buffer.kernel,
            grid,
            block,
            dynamic_shared,
            cluster: kernel.required_cluster,
            params,
            is_tail: stream == TAIL_STREAM,
        });
        Ok(())
    }

    /// Creates a stream or an event. Kernels run in the order of their launches, so that neither has an effect. The handle
    /// stays valid after its destruction (conformance fact V1222).
    pub(crate) fn create_handle(&self) -> u64 {
        let mut state = self.state();
        let handle = FIRST_HANDLE + state.handles.len() as u64;
        state.handles.insert(handle);
        handle
    }

    pub(crate) fn is_handle(&self, handle: u64) -> bool {
        self.state().handles.contains(&handle)
    }
}
