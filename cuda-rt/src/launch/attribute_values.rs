//! Values of launch attributes.

use crate::memory::DevicePtr;

/// Domain of memory synchronisation. A fence of a kernel waits only for the writes of kernels of the same domain.
///
/// ```
/// use cuda_rt::launch::{LaunchAttributes, MemSyncDomain};
///
/// let attributes = LaunchAttributes::new().mem_sync_domain(MemSyncDomain::REMOTE);
/// ```
#[doc(alias = "CUlaunchMemSyncDomain")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemSyncDomain(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/mem_sync_domain.rs");

/// Rule for clusters that are larger than the portable size, which every device with clusters supports.
///
/// ```
/// use cuda_rt::launch::{LaunchAttributes, PortableClusters};
///
/// let attributes = LaunchAttributes::new().portable_clusters(PortableClusters::REQUIRE_PORTABLE);
/// ```
#[doc(alias = "CUlaunchAttributePortableClusterMode")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortableClusters(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/portable_clusters.rs");

/// Limit of the shared memory of a block.
///
/// ```
/// use cuda_rt::launch::{LaunchAttributes, SharedMemoryMode};
///
/// let attributes = LaunchAttributes::new().shared_memory_mode(SharedMemoryMode::REQUIRE_PORTABLE);
/// ```
#[doc(alias = "CUsharedMemoryMode")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedMemoryMode(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/shared_memory_mode.rs");

/// Likelihood that memory stays in the level-2 cache.
///
/// ```
/// use cuda_rt::launch::AccessProperty;
///
/// assert_eq!(AccessProperty::PERSISTING.to_string(), "PERSISTING");
/// ```
#[doc(alias = "CUaccessProperty")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessProperty(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/access_property.rs");

/// Memory that should stay in the level-2 cache after a kernel has used it, or leave the cache soon.
///
/// Persisting lines may stay after the kernel.
/// [`Context::reset_persisting_l2_cache`](crate::Context::reset_persisting_l2_cache) makes them normal again.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::launch::{AccessPolicyWindow, AccessProperty};
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::launch::LaunchAttributes;
///
/// let table = DeviceBuf::<f32>::zeroed(&stream, 1000)?;
/// let attributes = LaunchAttributes::new().access_policy_window(AccessPolicyWindow {
///     base: table.ptr().cast(),
///     bytes: table.size_bytes(),
///     hit_ratio: 1.0,
///     hit: AccessProperty::PERSISTING,
///     miss: AccessProperty::NORMAL,
/// });
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUaccessPolicyWindow")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AccessPolicyWindow {
    /// Address of the memory. The memory need not exist: the window is a hint.
    pub base: DevicePtr<u8>,
    /// Size in bytes; at most [`MAX_ACCESS_POLICY_WINDOW_SIZE`](crate::device::DeviceAttribute::MAX_ACCESS_POLICY_WINDOW_SIZE).
    pub bytes: usize,
    /// Fraction of the memory that gets `hit`, from 0 to 1; the rest gets `miss`.
    pub hit_ratio: f32,
    /// Property of that part.
    pub hit: AccessProperty,
    /// Property of the rest; not `PERSISTING`.
    pub miss: AccessProperty,
}
