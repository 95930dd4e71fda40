//! Why a launch was refused. Only looked at after it was.

use super::LaunchConfig;
use crate::device::DeviceAttribute;
use crate::error::{Code, DriverError, Error, Result};
use crate::module::{Function, FunctionAttribute};
use core::fmt;

/// What was wrong with a launch that the driver refused.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
/// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// use cuda_rt::{Error, LaunchConfig, LaunchProblem, kernel::Axis};
///
/// let nothing = module.function("nothing")?.typed::<()>()?;
/// // SAFETY: the kernel touches nothing.
/// match unsafe { nothing.launch(LaunchConfig::new(1, 4096), &stream, ()) } {
///     Err(Error::Launch { reason, .. }) => {
///         assert_eq!(reason, LaunchProblem::Block { axis: Axis::X, threads: 4096, limit: 1024 });
///     }
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LaunchProblem {
    /// None of the limits that this crate knows was passed. The code may stem from an earlier failure.
    NotFound,
    /// The grid or the block has no extent along an axis.
    Empty {
        /// Whether it is the grid; else it is the block.
        grid: bool,
        /// The axis.
        axis: Axis,
    },
    /// The grid is too large along an axis.
    Grid {
        /// The axis.
        axis: Axis,
        /// The number of blocks asked for.
        blocks: u32,
        /// The most that the device allows.
        limit: i32,
    },
    /// A block is too large along an axis.
    Block {
        /// The axis.
        axis: Axis,
        /// The number of threads asked for.
        threads: u32,
        /// The most that the device allows.
        limit: i32,
    },
    /// A block has too many threads, for the device or for this kernel.
    Threads {
        /// The number of threads asked for.
        threads: u64,
        /// The most that this kernel can have on this device.
        limit: i32,
        /// The most that any kernel can have on this device.
        device_limit: i32,
        /// The registers that each thread needs.
        registers: i32,
    },
    /// A block needs too much shared memory.
    SharedMemory {
        /// What the launch asked for, in bytes.
        dynamic: u32,
        /// What the kernel declares, in bytes.
        declared: i32,
        /// The most that a launch of this kernel may ask for, in bytes. More must be allowed first, by
        /// [`Function::set_max_dynamic_shared_bytes`].
        limit: i32,
        /// The most that a block can have on this device then, in bytes.
        device_limit: i32,
    },
}

/// A direction of a grid or a block.
///
/// ```
/// use cuda_rt::{LaunchProblem, kernel::Axis};
///
/// let empty = LaunchProblem::Empty { grid: true, axis: Axis::Y };
/// assert_eq!(empty.to_string(), ": the grid is empty along y"); // follows the driver's error
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

impl fmt::Display for Axis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Axis::X => "x",
            Axis::Y => "y",
            Axis::Z => "z",
        })
    }
}

/// Follows the driver's error in a message.
impl fmt::Display for LaunchProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchProblem::NotFound => Ok(()),
            LaunchProblem::Empty { grid, axis } => {
                let what = if *grid { "grid" } else { "block" };
                write!(formatter, ": the {what} is empty along {axis}")
            }
            LaunchProblem::Grid { axis, blocks, limit } => {
                write!(formatter, ": {blocks} blocks along {axis}, the device allows {limit}")
            }
            LaunchProblem::Block { axis, threads, limit } => {
                write!(formatter, ": {threads} threads along {axis}, the device allows {limit}")
            }
            LaunchProblem::Threads { threads, limit, device_limit, .. } if limit == device_limit => {
                write!(formatter, ": {threads} threads in a block, the device allows {limit}")
            }
            LaunchProblem::Threads { threads, limit, registers, .. } => write!(
                formatter,
                ": {threads} threads in a block, this kernel can have {limit} (its `.maxntid`, or its \
                 {registers} registers for each thread)"
            ),
            LaunchProblem::SharedMemory { dynamic, declared, limit, device_limit } => write!(
                formatter,
                ": {dynamic} bytes of dynamic shared memory besides {declared} declared, this kernel may ask \
                 for {limit} (the device has {device_limit} in all, for kernels that are \
                 allowed more by set_max_dynamic_shared_bytes)"
            ),
        }
    }
}

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// What a launch asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) config: LaunchConfig,
    /// Whether all blocks had to be there at once.
    pub(super) cooperative: bool,
    /// The size of clusters, in blocks along x, y and z, if the launch gave it.
    pub(super) cluster: Option<[u32; 3]>,
}

impl From<LaunchConfig> for Asked {
    fn from(config: LaunchConfig) -> Asked {
        Asked { config, cooperative: false, cluster: None }
    }
}

/// The error for a launch that the driver refused.
#[cold]
pub(super) fn explain(function: &Function, asked: impl Into<Asked>, source: DriverError) -> Error {
    let Asked { config, .. } = asked.into();
    let reason = match source.code {
        // Measured: the driver answers INVALID_VALUE for every limit. Asking it costs nothing now.
        Code::InvalidValue | Code::LaunchOutOfResources => {
            find(function, &config).ok().flatten().unwrap_or(LaunchProblem::NotFound)
        }
        _ => LaunchProblem::NotFound,
    };
    Error::Launch { kernel: function.name().into(), reason, source }
}

/// The first limit that is passed. Fails if the driver will not tell the limits.
fn find(function: &Function, config: &LaunchConfig) -> Result<Option<LaunchProblem>> {
    // The block first: a grid that was computed for empty blocks is empty, too.
    for (grid, extents) in [(false, config.block), (true, config.grid)] {
        for (axis, extent) in AXES.into_iter().zip(extents) {
            if extent == 0 {
                return Ok(Some(LaunchProblem::Empty { grid, axis }));
            }
        }
    }

    let device = function.context().device();
    let exceeds = |value: u32, limit: i32| i64::from(value) > i64::from(limit);
    for (index, axis) in AXES.into_iter().enumerate() {
        let blocks = config.grid[index];
        let limit = device.attribute(
            [
                DeviceAttribute::MAX_GRID_DIM_X,
                DeviceAttribute::MAX_GRID_DIM_Y,
                DeviceAttribute::MAX_GRID_DIM_Z,
            ][index],
        )?;
        if exceeds(blocks, limit) {
            return Ok(Some(LaunchProblem::Grid { axis, blocks, limit }));
        }
        let threads = config.block[index];
        let limit = device.attribute(
            [
                DeviceAttribute::MAX_BLOCK_DIM_X,
                DeviceAttribute::MAX_BLOCK_DIM_Y,
                DeviceAttribute::MAX_BLOCK_DIM_Z,
            ][index],
        )?;
        if exceeds(threads, limit) {
            return Ok(Some(LaunchProblem::Block { axis, threads, limit }));
        }
    }

    let threads = config.block.into_iter().map(u64::from).fold(1, u64::saturating_mul);
    let limit = function.attribute(FunctionAttribute::MAX_THREADS_PER_BLOCK)?;
    if u64::try_from(limit).is_ok_and(|limit| threads > limit) {
        let device_limit = device.attribute(DeviceAttribute::MAX_THREADS_PER_BLOCK)?;
        let registers = function.attribute(FunctionAttribute::NUM_REGS)?;
        return Ok(Some(LaunchProblem::Threads { threads, limit, device_limit, registers }));
    }

    let limit = function.attribute(FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES)?;
    if exceeds(config.shared_bytes, limit) {
        let declared = function.attribute(FunctionAttribute::SHARED_SIZE_BYTES)?;
        let device_limit = device.attribute(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        let dynamic = config.shared_bytes;
        return Ok(Some(LaunchProblem::SharedMemory { dynamic, declared, limit, device_limit }));
    }
    Ok(None)
}
