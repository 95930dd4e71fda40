//! Texts of launch problems.

use super::{Axis, LaunchProblem};
use core::fmt;

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
            LaunchProblem::Unknown { block: [x, y, z] } => write!(
                formatter,
                "it is within the limits that the driver tells, which are not all: a kernel may require other blocks than \
                 {x} x {y} x {z} threads, by `.reqntid`"
            ),
            LaunchProblem::Attributes { attributes } => write!(
                formatter,
                "it is within the limits that the driver tells, so it may be one of its attributes, or two that are at \
                 odds: {attributes}"
            ),
            LaunchProblem::Carveout { percent } => {
                write!(formatter, "a carve-out of {percent} percent, the most are 100")
            }
            LaunchProblem::Empty { grid, axis } => {
                let what = if *grid { "grid" } else { "block" };
                write!(formatter, "the {what} is empty along {axis}")
            }
            LaunchProblem::Grid { axis, blocks, limit } => {
                write!(formatter, "{blocks} blocks along {axis}, the device allows {limit}")
            }
            LaunchProblem::Block { axis, threads, limit } => {
                write!(formatter, "{threads} threads along {axis}, the device allows {limit}")
            }
            LaunchProblem::Threads { threads, limit, device_limit, .. } if limit == device_limit => {
                write!(formatter, "{threads} threads in a block, the device allows {limit}")
            }
            LaunchProblem::Threads { threads, limit, registers, .. } => write!(
                formatter,
                "{threads} threads in a block, this kernel can have {limit} (its `.maxntid`, or its {registers} registers \
                 for each thread)"
            ),
            LaunchProblem::Registers { threads, limit, registers, device_limit } => write!(
                formatter,
                "{threads} threads in a block, there are registers for {limit} (each needs {registers}; the device has \
                 {device_limit} for a block, and gives them out to whole warps)"
            ),
            LaunchProblem::SharedMemory { dynamic, declared, limit, device_limit } => {
                write!(formatter, "{dynamic} bytes of dynamic shared memory")?;
                if *declared != 0 {
                    write!(formatter, " besides {declared} declared")?;
                }
                write!(
                    formatter,
                    ", this kernel may ask for {limit}, and the device has {device_limit} for a block"
                )?;
                if i64::from(*dynamic) + i64::from(*declared) <= i64::from(*device_limit) {
                    write!(formatter, "; call `set_max_dynamic_shared_bytes({dynamic})` before")?;
                }
                Ok(())
            }
            LaunchProblem::Cooperative { blocks, at_once, multiprocessors } => write!(
                formatter,
                "{blocks} blocks that all have to be there at once, where {at_once} fit on each of {multiprocessors} \
                 multiprocessors"
            ),
            LaunchProblem::PackedArguments { given, taken } => write!(
                formatter,
                "the arguments have {given} bytes, and the kernel's parameters {taken}: `PackedArgs::check` tells where they \
                 differ"
            ),
            LaunchProblem::NoCluster => formatter
                .write_str("this kernel can only be launched in clusters, and no size was given for them"),
            LaunchProblem::OtherCluster { required: [x, y, z], requested: [rx, ry, rz] } => write!(
                formatter,
                "clusters of {rx} x {ry} x {rz} blocks, this kernel has clusters of {x} x {y} x {z}"
            ),
            LaunchProblem::EmptyCluster { axis } => write!(formatter, "the cluster is empty along {axis}"),
            LaunchProblem::UnevenGrid { axis, blocks, cluster } => write!(
                formatter,
                "{blocks} blocks along {axis}, which is no multiple of the {cluster} of a cluster"
            ),
            LaunchProblem::Cluster { blocks, limit, non_portable } => {
                write!(formatter, "{blocks} blocks in a cluster, this kernel can have {limit}")?;
                if *non_portable {
                    Ok(())
                } else {
                    formatter.write_str(
                        " unless larger clusters are allowed by `set_non_portable_cluster_size_allowed`",
                    )
                }
            }
        }
    }
}
