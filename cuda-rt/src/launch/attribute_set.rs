//! Sets of launch attributes.

use core::fmt;
use cuda_sys::{CUlaunchAttributeID_enum as Id, DriverVersion};

/// Set of all attributes of a refused launch: see [`LaunchProblem::Attributes`](super::LaunchProblem::Attributes).
///
/// The set does not tell which attribute the driver refused.
///
/// ```
/// # let (context, stream, module) = cuda_doc::module()?;
/// use cuda_rt::{LaunchConfig, sys};
/// use cuda_rt::launch::{LaunchAttributes, LaunchProblem};
/// use cuda_rt::module::ClusterSchedulingPolicy;
///
/// let nothing = module.function("nothing")?.typed::<()>()?;
/// let unknown = LaunchAttributes::new().priority(-1).cluster_scheduling(ClusterSchedulingPolicy(4));
/// // SAFETY: the kernel touches nothing.
/// let error = unsafe { nothing.with(LaunchConfig::new(1, 1)).attributes(&unknown).launch(&stream, ()) }.unwrap_err();
/// match error.context() {
///     Some(LaunchProblem::Attributes { attributes }) => {
///         assert!(attributes.contains(sys::CU_LAUNCH_ATTRIBUTE_PRIORITY.0));
///         assert_eq!(attributes.to_string(), "CLUSTER_SCHEDULING_POLICY_PREFERENCE (5), PRIORITY (8)");
///     }
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LaunchAttributeSet {
    /// A bit for each number; there are fewer numbers than bits.
    bits: u64,
}

/// Known launch attributes, with their names and the releases that introduced them.
pub(super) const KNOWN: [(Id, &str, DriverVersion); 15] = [
    (Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, "ACCESS_POLICY_WINDOW", DriverVersion::new(11, 8)),
    (Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, "COOPERATIVE", DriverVersion::new(11, 8)),
    (Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, "CLUSTER_DIMENSION", DriverVersion::new(11, 8)),
    (
        Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
        "CLUSTER_SCHEDULING_POLICY_PREFERENCE",
        DriverVersion::new(11, 8),
    ),
    (
        Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
        "PROGRAMMATIC_STREAM_SERIALIZATION",
        DriverVersion::new(11, 8),
    ),
    (Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, "PROGRAMMATIC_EVENT", DriverVersion::new(11, 8)),
    (Id::CU_LAUNCH_ATTRIBUTE_PRIORITY, "PRIORITY", DriverVersion::new(11, 8)),
    (Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, "MEM_SYNC_DOMAIN_MAP", DriverVersion::new(12, 0)),
    (Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, "MEM_SYNC_DOMAIN", DriverVersion::new(12, 0)),
    (Id::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, "LAUNCH_COMPLETION_EVENT", DriverVersion::new(12, 3)),
    (
        Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
        "PREFERRED_SHARED_MEMORY_CARVEOUT",
        DriverVersion::new(12, 5),
    ),
    (
        Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION,
        "PREFERRED_CLUSTER_DIMENSION",
        DriverVersion::new(12, 8),
    ),
    (
        Id::CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING,
        "NVLINK_UTIL_CENTRIC_SCHEDULING",
        DriverVersion::new(13, 0),
    ),
    (
        Id::CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE,
        "PORTABLE_CLUSTER_SIZE_MODE",
        DriverVersion::new(13, 2),
    ),
    (Id::CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE, "SHARED_MEMORY_MODE", DriverVersion::new(13, 2)),
];

impl LaunchAttributeSet {
    pub(super) fn of(ids: impl Iterator<Item = Id>) -> LaunchAttributeSet {
        let bits = ids.filter_map(|id| 1_u64.checked_shl(id.0)).fold(0, |bits, bit| bits | bit);
        LaunchAttributeSet { bits }
    }

    /// Returns whether the attribute with this number in C is in the set. Numbers above 63 are not recorded.
    pub fn contains(self, number: u32) -> bool {
        1_u64.checked_shl(number).is_some_and(|bit| self.bits & bit != 0)
    }
}

/// Writes the names, with their numbers in C. An attribute without a known name is written as its number alone.
impl fmt::Display for LaunchAttributeSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, number) in (0..u64::BITS).filter(|number| self.contains(*number)).enumerate() {
            if place > 0 {
                formatter.write_str(", ")?;
            }
            match KNOWN.iter().find(|(id, ..)| id.0 == number) {
                Some((_, name, _)) => write!(formatter, "{name} ({number})")?,
                None => write!(formatter, "{number}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for LaunchAttributeSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LaunchAttributeSet({self})")
    }
}
