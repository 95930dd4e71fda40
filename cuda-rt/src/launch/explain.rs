//! Diagnosis of refused launches. Used only after a refusal.

mod limits;
mod text;

use super::{LaunchAttributeSet, LaunchConfig};
use crate::error::{Code, Error};
use crate::module::Function;

/// Reason why the driver refused a launch: a [context](Error::context) of errors.
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
    /// Unknown reason: no limit that this crate knows was exceeded, and the code may be of an earlier failure.
    NotFound,
    /// Unknown reason: no limit that this crate knows was exceeded, though the driver refused the request. For example, the
    /// driver does not report the blocks that a kernel requires by `.reqntid`.
    Unknown {
        /// Threads of a block along x, y and z.
        block: [u32; 3],
    },
    /// Launch with attributes that exceeded no limit that this crate knows. One attribute has a value that the driver refuses
    /// here, or two of them contradict each other.
    Attributes {
        /// The attributes of the launch.
        attributes: LaunchAttributeSet,
    },
    /// Share of shared memory in the level-1 cache of more than 100 percent.
    Carveout {
        /// Requested share, in percent.
        percent: u32,
    },
    /// Grid or block without extent along an axis.
    Empty {
        /// True if the grid is empty, false if the block is.
        grid: bool,
        /// Axis.
        axis: Axis,
    },
    /// Grid that is too large along an axis.
    Grid {
        /// Axis.
        axis: Axis,
        /// Requested number of blocks.
        blocks: u32,
        /// Limit of the device.
        limit: i32,
    },
    /// Block that is too large along an axis.
    Block {
        /// Axis.
        axis: Axis,
        /// Requested number of threads.
        threads: u32,
        /// Limit of the device.
        limit: i32,
    },
    /// Block with too many threads, for the device or for this kernel.
    Threads {
        /// Requested number of threads.
        threads: u64,
        /// Limit of this kernel on this device.
        limit: i32,
        /// Limit of all kernels on this device.
        device_limit: i32,
        /// Number of registers that each thread needs.
        registers: i32,
    },
    /// Block that needs more registers than a multiprocessor has.
    Registers {
        /// Requested number of threads.
        threads: u64,
        /// Limit of this kernel on this device.
        limit: i32,
        /// Number of registers that each thread needs.
        registers: i32,
        /// Number of registers that the device has for a block.
        device_limit: i32,
    },
    /// Block that needs too much shared memory.
    SharedMemory {
        /// Dynamic shared memory of the launch, in bytes.
        dynamic: u32,
        /// Shared memory that the kernel declares, in bytes.
        declared: i32,
        /// Largest dynamic shared memory that a launch of this kernel may request, in bytes.
        /// [`Function::set_max_dynamic_shared_bytes`] raises it.
        limit: i32,
        /// Largest dynamic shared memory that is possible on this device, in bytes.
        device_limit: i32,
    },
    /// Cooperative launch with more blocks than can run at the same time.
    Cooperative {
        /// Requested number of blocks, or the largest number if it overflows.
        blocks: u64,
        /// Number of blocks that a multiprocessor can run at the same time.
        at_once: u32,
        /// Number of multiprocessors of the device.
        multiprocessors: i32,
    },
    /// [Packed arguments](super::PackedArgs) with more bytes than the kernel's parameters.
    PackedArguments {
        /// Number of bytes of the arguments.
        given: u32,
        /// Number of bytes of the parameters.
        taken: u32,
    },
    /// Kernel that can only be launched in clusters, launched without a cluster size.
    NoCluster,
    /// Kernel with another cluster size than the launch requested.
    OtherCluster {
        /// Size of the kernel's clusters, in blocks along x, y and z.
        required: [u32; 3],
        /// Requested size, in blocks along x, y and z.
        requested: [u32; 3],
    },
    /// Cluster without extent along an axis.
    EmptyCluster {
        /// Axis.
        axis: Axis,
    },
    /// Grid that cannot be divided into clusters.
    UnevenGrid {
        /// Axis.
        axis: Axis,
        /// Number of blocks of the grid.
        blocks: u32,
        /// Number of blocks of a cluster.
        cluster: u32,
    },
    /// Cluster with too many blocks.
    Cluster {
        /// Requested number of blocks.
        blocks: u64,
        /// Limit of this kernel in such a launch.
        limit: u32,
        /// True if clusters larger than all devices support are [allowed](Function::set_non_portable_cluster_size_allowed).
        non_portable: bool,
    },
}

/// Axis of a grid or a block.
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
    /// True if all blocks must run at the same time.
    pub(super) cooperative: bool,
    /// Size of clusters, in blocks along x, y and z, if the launch has it.
    pub(super) cluster: Option<[u32; 3]>,
    /// Preferred share of shared memory in the level-1 cache, in percent.
    pub(super) carveout: Option<u32>,
    /// Attributes of the launch, if there are any.
    pub(super) attributes: Option<LaunchAttributeSet>,
}

impl From<LaunchConfig> for Asked {
    fn from(config: LaunchConfig) -> Asked {
        Asked { config, cooperative: false, cluster: None, carveout: None, attributes: None }
    }
}

/// Returns the error of a launch that the driver refused.
#[cold]
pub(super) fn explain(function: &Function, asked: &Asked, error: Error) -> Error {
    match error.unexplained_code() {
        Some(code) => reason(function, asked, code).into_error(function.name(), error),
        None => error,
    }
}

/// Returns the error of a launch of several kernels: of the first for which a reason is found, or of the first.
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
    /// Returns the error of the kernel with a name.
    pub(super) fn into_error(self, kernel: &str, error: Error) -> Error {
        let error =
            error.with_subject(format_args!("launching `{kernel}`")).with_detail(format_args!("{self}"));
        error.with_context(self)
    }
}

fn reason(function: &Function, asked: &Asked, code: Code) -> LaunchProblem {
    match code {
        // Measured: the driver answers with these codes if a limit is exceeded. Queries of limits cost nothing after a refusal.
        Code::InvalidValue
        | Code::LaunchOutOfResources
        | Code::CooperativeLaunchTooLarge
        | Code::InvalidClusterSize => match limits::find(function, asked, code) {
            Ok(Some(problem)) => problem,
            Ok(None) if code == Code::InvalidValue => match asked.attributes {
                Some(attributes) => LaunchProblem::Attributes { attributes },
                None => LaunchProblem::Unknown { block: asked.config.block },
            },
            // The driver does not report its limits, or another mistake was found than the code says.
            Ok(None) | Err(_) => LaunchProblem::NotFound,
        },
        _ => LaunchProblem::NotFound,
    }
}
