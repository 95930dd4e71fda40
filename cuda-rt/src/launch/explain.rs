//! Why a launch was refused. Only looked at after it was.

mod limits;
mod text;

use super::{LaunchAttributeSet, LaunchConfig};
use crate::error::{Code, Error};
use crate::module::Function;

/// Reason for which the driver refused a launch: a [context](Error::context) of errors.
///
/// ```
/// # let (context, stream, module) = cuda_doc::module()?;
/// use cuda_rt::LaunchConfig;
/// use cuda_rt::launch::{Axis, LaunchProblem};
///
/// let nothing = module.function("nothing")?.typed::<()>()?;
/// // SAFETY: the kernel touches nothing.
/// let error = unsafe { nothing.launch(LaunchConfig::new(1, 4096), &stream, ()) }.unwrap_err();
/// let problem = LaunchProblem::Block { axis: Axis::X, threads: 4096, limit: 1024 };
/// assert_eq!(error.context(), Some(&problem));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LaunchProblem {
    /// No limit that this crate knows was exceeded, and the code may stem from an earlier failure.
    NotFound,
    /// No limit that this crate knows was exceeded, though the driver refused the request. For example, the driver does
    /// not tell which blocks a kernel requires by `.reqntid`.
    Unknown {
        /// Threads of a block along x, y and z.
        block: [u32; 3],
    },
    /// No limit that this crate knows was exceeded, and the launch had attributes. One of them has a value that the
    /// driver does not take here, or two of them contradict each other.
    Attributes {
        /// The attributes of the launch.
        attributes: LaunchAttributeSet,
    },
    /// A share of the level-1 cache was wished for as shared memory that is more than all of it.
    Carveout {
        /// The share that was asked for, in percent.
        percent: u32,
    },
    /// The grid or the block has no extent along an axis.
    Empty {
        /// True if the grid is empty, false if the block is.
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
    /// A block of so many threads needs more registers than there are.
    Registers {
        /// The number of threads asked for.
        threads: u64,
        /// The most that this kernel can have on this device.
        limit: i32,
        /// The registers that each thread needs.
        registers: i32,
        /// The registers that the device has for a block.
        device_limit: i32,
    },
    /// A block needs too much shared memory.
    SharedMemory {
        /// The shared memory that the launch asked for, in bytes.
        dynamic: u32,
        /// The shared memory that the kernel declares, in bytes.
        declared: i32,
        /// The most that a launch of this kernel may ask for, in bytes. More must be allowed first, by
        /// [`Function::set_max_dynamic_shared_bytes`].
        limit: i32,
        /// The most that a block can have on this device then, in bytes.
        device_limit: i32,
    },
    /// Not all blocks of a cooperative launch can be there at once.
    Cooperative {
        /// The number of blocks asked for, or the largest number if there are too many to count.
        blocks: u64,
        /// How many a multiprocessor holds.
        at_once: u32,
        /// Multiprocessors of the device.
        multiprocessors: i32,
    },
    /// [Packed arguments](super::PackedArgs) have more bytes than the kernel's parameters.
    PackedArguments {
        /// Bytes of the arguments.
        given: u32,
        /// Bytes of the parameters.
        taken: u32,
    },
    /// The kernel can only be launched in clusters, and the launch gave no size for them.
    NoCluster,
    /// The kernel has clusters of another size than the launch asked for.
    OtherCluster {
        /// The size of the kernel's clusters, in blocks along x, y and z.
        required: [u32; 3],
    },
    /// A cluster has no extent along an axis.
    EmptyCluster {
        /// The axis.
        axis: Axis,
    },
    /// The grid cannot be divided into clusters.
    UnevenGrid {
        /// The axis.
        axis: Axis,
        /// Blocks of the grid.
        blocks: u32,
        /// Blocks of a cluster.
        cluster: u32,
    },
    /// A cluster has too many blocks.
    Cluster {
        /// The number of blocks asked for.
        blocks: u64,
        /// The most that this kernel can have in a launch like this.
        limit: u32,
        /// True if clusters larger than all devices support are
        /// [allowed](Function::set_non_portable_cluster_size_allowed).
        non_portable: bool,
    },
}

/// A direction of a grid or a block.
///
/// ```
/// use cuda_rt::launch::{Axis, LaunchProblem};
///
/// let empty = LaunchProblem::Empty { grid: true, axis: Axis::Y };
/// assert_eq!(empty.to_string(), "the grid is empty along y"); // follows the driver's error
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// Request of a launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) config: LaunchConfig,
    /// True if all blocks had to be there at once.
    pub(super) cooperative: bool,
    /// The size of clusters, in blocks along x, y and z, if the launch gave it.
    pub(super) cluster: Option<[u32; 3]>,
    /// The share of the level-1 cache that was wished for, in percent.
    pub(super) carveout: Option<u32>,
    /// The attributes of the launch, if it had any.
    pub(super) attributes: Option<LaunchAttributeSet>,
}

impl From<LaunchConfig> for Asked {
    fn from(config: LaunchConfig) -> Asked {
        Asked { config, cooperative: false, cluster: None, carveout: None, attributes: None }
    }
}

/// Returns the error for a launch that the driver refused.
#[cold]
pub(super) fn explain(function: &Function, asked: &Asked, error: Error) -> Error {
    match error.unexplained_code() {
        Some(code) => reason(function, asked, code).into_error(function.name(), error),
        None => error,
    }
}

/// Returns the error for a launch of several kernels: of the first for which a reason is found, or of the first.
#[cold]
pub(super) fn explain_any<'function>(
    functions: impl Iterator<Item = &'function Function>,
    asked: &Asked,
    error: Error,
) -> Error {
    let Some(code) = error.unexplained_code() else { return error };
    let mut refused = None;
    for function in functions {
        let reason = reason(function, asked, code);
        let is_found = !matches!(reason, LaunchProblem::NotFound | LaunchProblem::Unknown { .. });
        if is_found || refused.is_none() {
            refused = Some((reason, function.name()));
        }
        if is_found {
            break;
        }
    }
    match refused {
        Some((reason, kernel)) => reason.into_error(kernel, error),
        None => error,
    }
}

impl LaunchProblem {
    /// Returns the error of the kernel with this name.
    pub(super) fn into_error(self, kernel: &str, error: Error) -> Error {
        let error =
            error.with_subject(format_args!("launching `{kernel}`")).with_detail(format_args!("{self}"));
        error.with_context(self)
    }
}

fn reason(function: &Function, asked: &Asked, code: Code) -> LaunchProblem {
    match code {
        // Measured: the driver answers with these for what is beyond a limit. Asking it for them costs nothing now.
        Code::InvalidValue
        | Code::LaunchOutOfResources
        | Code::CooperativeLaunchTooLarge
        | Code::InvalidClusterSize => match limits::find(function, asked, code) {
            Ok(Some(problem)) => problem,
            Ok(None) if code == Code::InvalidValue => match asked.attributes {
                Some(attributes) => LaunchProblem::Attributes { attributes },
                None => LaunchProblem::Unknown { block: asked.config.block },
            },
            // The driver does not tell its limits, or another thing than the code says was found to be wrong.
            Ok(None) | Err(_) => LaunchProblem::NotFound,
        },
        _ => LaunchProblem::NotFound,
    }
}
