//! Special registers.

use cuda_ptx::types::Scalar;

use crate::function::Special;
use crate::op::ClockRegister;

/// Source of the value of a special register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Value that is known before the thread starts.
    Known(Special),
    /// All components of a vector.
    Vector([Special; 4]),
    /// The time.
    Clock(ClockRegister),
}

/// Returns the version and the target that a special register needs, unless all versions have it.
pub(super) fn requirement(name: &str) -> Option<((u32, u32), u32)> {
    Some(match name.strip_prefix('%')? {
        "clusterid"
        | "nclusterid"
        | "cluster_ctaid"
        | "cluster_nctaid"
        | "cluster_ctarank"
        | "cluster_nctarank"
        | "is_explicit_cluster" => ((7, 8), 90),
        "laneid" | "warpid" | "smid" | "pm0" | "pm1" | "pm2" | "pm3" => ((1, 3), 0),
        "nwarpid" | "nsmid" | "clock64" | "lanemask_eq" | "lanemask_lt" | "lanemask_le" | "lanemask_gt"
        | "lanemask_ge" => ((2, 0), 20),
        "pm4" | "pm5" | "pm6" | "pm7" => ((3, 0), 20),
        "globaltimer" | "globaltimer_lo" | "globaltimer_hi" => ((3, 1), 30),
        name if name.starts_with("pm") && name.ends_with("_64") => ((4, 0), 50),
        "clock_hi" => ((5, 0), 20),
        "dynamic_smem_size" | "total_smem_size" => ((4, 1), 20),
        "aggr_smem_size" => ((8, 1), 90),
        name if name.starts_with("reserved_smem_offset") => ((7, 6), 80),
        "current_graph_exec" => ((8, 0), 50),
        _ => return None,
    })
}

/// Finds a special register by its name and component.
pub(super) fn find(name: &str, component: Option<&str>) -> Option<(Scalar, Source)> {
    let name = name.strip_prefix('%')?;
    let vector: Option<[Special; 4]> = match name {
        "tid" | "cluster_tid" => {
            Some([Special::Thread(0), Special::Thread(1), Special::Thread(2), Special::Zero])
        }
        "ntid" => Some([Special::BlockSize(0), Special::BlockSize(1), Special::BlockSize(2), Special::One]),
        "ctaid" => Some([Special::Block(0), Special::Block(1), Special::Block(2), Special::Zero]),
        "nctaid" => Some([Special::GridSize(0), Special::GridSize(1), Special::GridSize(2), Special::One]),
        // Without clusters every block is a cluster of its own.
        "clusterid" => Some([Special::Cluster(0), Special::Cluster(1), Special::Cluster(2), Special::Zero]),
        "nclusterid" => Some([
            Special::ClusterGridSize(0),
            Special::ClusterGridSize(1),
            Special::ClusterGridSize(2),
            Special::One,
        ]),
        "cluster_ctaid" => Some([
            Special::ClusterBlock(0),
            Special::ClusterBlock(1),
            Special::ClusterBlock(2),
            Special::Zero,
        ]),
        "cluster_nctaid" => {
            Some([Special::ClusterSize(0), Special::ClusterSize(1), Special::ClusterSize(2), Special::One])
        }
        _ => None,
    };
    if let Some(vector) = vector {
        return Some(match component {
            None => (Scalar::U32, Source::Vector(vector)),
            Some("x" | "r") => (Scalar::U32, Source::Known(vector[0])),
            Some("y" | "g") => (Scalar::U32, Source::Known(vector[1])),
            Some("z" | "b") => (Scalar::U32, Source::Known(vector[2])),
            Some("w" | "a") => (Scalar::U32, Source::Known(vector[3])),
            Some(_) => return None,
        });
    }
    if component.is_some() {
        return None;
    }
    let word = |special| Some((Scalar::U32, Source::Known(special)));
    let clock = |scalar| {
        let (nanoseconds, upper) = (name.starts_with("globaltimer"), name.ends_with("_hi"));
        Some((scalar, Source::Clock(ClockRegister { nanoseconds, upper })))
    };
    match name {
        "laneid" => word(Special::Lane),
        "warpid" => word(Special::Warp),
        "nwarpid" => word(Special::WarpCount),
        "smid" => word(Special::Multiprocessor),
        "nsmid" => word(Special::MultiprocessorCount),
        "lanemask_eq" => word(Special::LaneMaskEqual),
        "lanemask_lt" => word(Special::LaneMaskLess),
        "lanemask_le" => word(Special::LaneMaskLessEqual),
        "lanemask_gt" => word(Special::LaneMaskGreater),
        "lanemask_ge" => word(Special::LaneMaskGreaterEqual),
        "dynamic_smem_size" => word(Special::DynamicShared),
        "total_smem_size" => word(Special::TotalShared),
        "cluster_ctarank" => word(Special::ClusterRank),
        "cluster_nctarank" => word(Special::ClusterBlocks),
        "is_explicit_cluster" => Some((Scalar::Pred, Source::Known(Special::InClusters))),
        "gridid" => Some((Scalar::U64, Source::Known(Special::GridId))),
        "clock" | "clock_hi" => clock(Scalar::U32),
        "globaltimer_lo" | "globaltimer_hi" => clock(Scalar::U32),
        "clock64" | "globaltimer" => clock(Scalar::U64),
        "aggr_smem_size" => word(Special::AllShared),
        // The system's part of shared memory precedes the program's (measured).
        "reserved_smem_offset_begin" | "reserved_smem_offset_0" | "reserved_smem_offset_1" => {
            word(Special::Zero)
        }
        "reserved_smem_offset_end" => word(Special::SystemSharedUsed),
        "reserved_smem_offset_cap" => word(Special::SystemShared),
        // Zero outside of graphs that kernels launch.
        "current_graph_exec" => Some((Scalar::U64, Source::Known(Special::Zero))),
        _ => {
            let (prefix, number) = name.split_at(name.trim_end_matches(|c: char| c.is_ascii_digit()).len());
            let number: u32 = number.parse().unwrap_or(u32::MAX);
            match prefix {
                // The contents of these registers are up to the driver. Libraries read from them the address of the
                // memory that the blocks of a grid share (measured).
                "envreg" if number < 32 => word(match number {
                    1 => Special::SharedOfGrid { upper: true },
                    2 => Special::SharedOfGrid { upper: false },
                    6 => Special::One,
                    10 => Special::SystemSharedUsed,
                    _ => Special::Zero,
                }),
                // Counters that no tool has set up.
                "pm" if number < 8 => Some((Scalar::U32, Source::Known(Special::Zero))),
                "pm0_" | "pm1_" | "pm2_" | "pm3_" | "pm4_" | "pm5_" | "pm6_" | "pm7_" if number == 64 => {
                    Some((Scalar::U64, Source::Known(Special::Zero)))
                }
                _ => None,
            }
        }
    }
}
