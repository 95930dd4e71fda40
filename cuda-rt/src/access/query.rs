//! Queries of access.

use super::decide::Access;
use super::origin::QueryPolicy;
use super::{Memory, MemoryKind, Viewpoint};
use crate::device::DeviceAttribute;
use crate::error::Result;
use crate::memory::MemPool;

/// Returns whether code certainly has access to memory: [`access`] is [`Access::Accessible`].
///
/// Also `false` for memory that cannot be verified.
///
/// # Blocking
///
/// Same as [`access`].
///
/// # Errors
///
/// Same as [`access`].
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::access::{Viewpoint, can_access};
/// use cuda_rt::{Context, Device, DeviceBuf, PinnedBuf, Stream};
///
/// let (near, far) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
/// let numbers = DeviceBuf::<f32>::zeroed(&Stream::new(&far)?, 100)?;
/// assert!(can_access(&far, &numbers)?);
/// assert!(!can_access(&near, &numbers)?);
/// assert!(!can_access(Viewpoint::Host, &numbers)?);
///
/// let _access = near.peer_access(&far)?;
/// assert!(can_access(&near, &numbers)?);
///
/// let locked = PinnedBuf::<f32>::zeroed(&near, 100)?;
/// assert!(can_access(&far, &locked)? && can_access(Viewpoint::Host, &locked)?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "cuPointerGetAttributes")]
pub fn can_access<'a>(viewpoint: impl Into<Viewpoint<'a>>, memory: &(impl Memory + ?Sized)) -> Result<bool> {
    Ok(access(viewpoint, memory)? == Access::Accessible)
}

/// Returns the access of code to memory. For several pieces, the worst value holds.
///
/// | memory, for kernels of a context | access |
/// |---|---|
/// | memory of the same context | [`Accessible`](Access::Accessible), unless it is mapped |
/// | pageable memory of the host | by [`pageable_memory_access`](super::MemoryCapabilities::pageable_memory_access) |
/// | page-locked memory | by [`unified_addressing`](super::MemoryCapabilities::unified_addressing), otherwise as pageable memory |
/// | managed memory | [`Accessible`](Access::Accessible) if both devices have [`managed_memory`](super::MemoryCapabilities::managed_memory) |
/// | plain memory of another device | by [peer access](crate::peer::PeerAccessState::is_enabled) from context to context |
/// | memory of a pool of another device | by the pool's [access](MemPool::access), whatever peer access is enabled; [`Unverified`](Access::Unverified) for an unknown pool |
/// | plain memory of another context of the device | [`Inaccessible`](Access::Inaccessible): nothing guarantees access, see the [driver notes](super#driver-notes) |
/// | memory of a pool of the same device | [`Accessible`](Access::Accessible) |
/// | mapped memory | by [its access](crate::memory::VirtualMemory::set_access): reading is sufficient. An address does not distinguish it from memory of graphs, which is [`Unverified`](Access::Unverified) |
/// | a variable of a module of another context | [`Inaccessible`](Access::Inaccessible), even with peer access |
/// | a texture or surface of another context | [`Inaccessible`](Access::Inaccessible) |
///
/// | memory, for the host | access |
/// |---|---|
/// | its own memory, page-locked or not | [`Accessible`](Access::Accessible) |
/// | managed memory | by [`concurrent_managed_access`](super::MemoryCapabilities::concurrent_managed_access) or [`direct_managed_access_from_host`](super::MemoryCapabilities::direct_managed_access_from_host) of its device |
/// | mapped memory | [`Unverified`](Access::Unverified): use [`VirtualMemory::host_access`](crate::memory::VirtualMemory::host_access) |
/// | other memory of a device | [`Inaccessible`](Access::Inaccessible) |
///
/// Managed memory that is [attached](crate::memory::MemAttach) to one stream or to the host counts like other managed memory: the
/// attachment is not checked.
///
/// Access implies no order: wait for the kernel that writes before the host reads, and order streams by events. Nor does it imply
/// atomic operations.
///
/// The function queries the driver in the relaxed capture mode, in which the calls invalidate no capture. [`recorded_access`]
/// makes no call that could invalidate a capture.
///
/// # Blocking
///
/// For plain memory of another device, until copies of this crate between the two devices are done.
///
/// # Errors
///
/// An earlier failure. Memory that the driver does not know is no failure.
///
/// # Examples
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::DevicePtr;
/// use cuda_rt::access::{Access, ForeignMemory, Viewpoint, access};
///
/// // SAFETY: nothing is at this address that could be freed.
/// let unknown = unsafe { ForeignMemory::on_device(&context, DevicePtr::<u8>::from_raw(0x10)) }?;
/// assert_eq!(access(Viewpoint::Host, &unknown)?, Access::Unverified);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("cuPointerGetAttributes", "cuMemPoolGetAccess", "cuMemGetAccess"))]
pub fn access<'a>(viewpoint: impl Into<Viewpoint<'a>>, memory: &(impl Memory + ?Sized)) -> Result<Access> {
    worst(viewpoint.into(), memory, QueryPolicy::Driver)
}

/// Returns the access of code to memory, without calls that could invalidate a capture or wait. Otherwise the same as [`access`].
///
/// Peer access and access to pools come from the record. The record has access that this crate has enabled, or that an earlier
/// [query](access) has found enabled; all other access counts as disabled. A [checked](super::AccessCheck::Checked) launch on a
/// stream that is being captured uses the record.
///
/// # Errors
///
/// Same as [`access`].
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::access::{Access, recorded_access};
/// use cuda_rt::{Context, Device, DeviceBuf, Stream};
///
/// let (near, far) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
/// let numbers = DeviceBuf::<f32>::zeroed(&Stream::new(&far)?, 100)?;
/// assert_eq!(recorded_access(&near, &numbers)?, Access::Inaccessible);
/// let _access = near.peer_access(&far)?;
/// assert_eq!(recorded_access(&near, &numbers)?, Access::Accessible);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub fn recorded_access<'a>(
    viewpoint: impl Into<Viewpoint<'a>>,
    memory: &(impl Memory + ?Sized),
) -> Result<Access> {
    worst(viewpoint.into(), memory, QueryPolicy::Record)
}

fn worst(viewpoint: Viewpoint<'_>, memory: &(impl Memory + ?Sized), by: QueryPolicy<'_>) -> Result<Access> {
    let mut worst = Ok(Access::Accessible);
    memory.visit_origins(&mut |origin| {
        if let Ok(known) = worst {
            worst = origin.seen_from(viewpoint, by).map(|finding| finding.access.max(known));
        }
    });
    worst
}

/// Returns the memory kind. `None` if the memory is of several kinds, or there is none.
///
/// # Errors
///
/// An earlier failure. Memory that the driver does not know is no failure.
#[doc(alias = "cuPointerGetAttributes")]
pub fn memory_kind(memory: &(impl Memory + ?Sized)) -> Result<Option<MemoryKind>> {
    let mut kinds = Ok(None);
    let mut is_one = true;
    memory.visit_origins(&mut |origin| {
        if let Ok(before) = kinds {
            kinds = origin.resolved_kind().map(|kind| {
                is_one &= before.is_none_or(|before| before == kind);
                Some(kind)
            });
        }
    });
    kinds.map(|kind| kind.filter(|_| is_one))
}

impl Viewpoint<'_> {
    /// Returns whether code at this viewpoint usually has access to memory of another viewpoint. The answer is rough, and uses
    /// only the two viewpoints: [`can_access`] decides for a piece of memory.
    ///
    /// Code has access to its own memory. Kernels access the host by
    /// [`pageable_memory_access`](super::MemoryCapabilities::pageable_memory_access), because the host usually allocates pageable
    /// memory. The host has no access to devices. Kernels of one device access another device by its [default
    /// pool](MemPool::default_of), if it has pools, and otherwise by [peer access](crate::peer::PeerAccessState::is_enabled).
    ///
    /// # Blocking
    ///
    /// For devices without pools, until copies of this crate between the two are done.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::access::Viewpoint;
    /// use cuda_rt::{Context, Device};
    ///
    /// let (near, far) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// assert!(!Viewpoint::from(&near).usually_reaches(&far)?);
    /// assert!(!Viewpoint::Host.usually_reaches(&near)?);
    /// let _access = near.peer_access(&far)?;
    /// assert!(Viewpoint::from(&near).usually_reaches(&far)?);
    /// assert!(!Viewpoint::from(&far).usually_reaches(&near)?); // access has a direction
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("Device.can_access", "cuDeviceCanAccessPeer"))]
    pub fn usually_reaches<'a>(self, other: impl Into<Viewpoint<'a>>) -> Result<bool> {
        match (self, other.into()) {
            (Viewpoint::Host, Viewpoint::Host) => Ok(true),
            (Viewpoint::Host, Viewpoint::Device(_)) => Ok(false),
            (Viewpoint::Device(own), Viewpoint::Host) => {
                own.device().has(DeviceAttribute::PAGEABLE_MEMORY_ACCESS)
            }
            (Viewpoint::Device(own), Viewpoint::Device(other)) if own == other => Ok(true),
            (Viewpoint::Device(own), Viewpoint::Device(other)) if other.has_pools() => {
                MemPool::default_of(other.device())?.has_access(own.device())
            }
            (Viewpoint::Device(own), Viewpoint::Device(other)) => own.peer_access_state(other).is_enabled(),
        }
    }
}
