//! Questions about access.

use super::decide::Access;
use super::origin::QueryPolicy;
use super::{Memory, MemoryKind, Viewpoint};
use crate::device::DeviceAttribute;
use crate::error::Result;
use crate::memory::MemPool;

/// Returns whether code is known to have access to memory: [`access`] is [`Access::Accessible`].
///
/// No is said of what cannot be verified, too.
///
/// # Blocking
///
/// As [`access`].
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

/// Returns the access of code to memory. If there are several pieces, the worst answer counts.
///
/// | for kernels of a context | |
/// |---|---|
/// | memory of the same context | [`Accessible`](Access::Accessible), unless it is mapped |
/// | pageable memory of the host | by [`pageable_memory_access`](super::MemoryCapabilities::pageable_memory_access) |
/// | page-locked memory | by [`unified_addressing`](super::MemoryCapabilities::unified_addressing), else as pageable memory |
/// | managed memory | if both devices have [`managed_memory`](super::MemoryCapabilities::managed_memory) |
/// | plain memory of another device | by [peer access](crate::peer::PeerAccessState::is_enabled) from context to context |
/// | memory of a pool of another device | by the pool's [access](MemPool::access), whatever peer access there is; of an unknown pool [`Unverified`](Access::Unverified) |
/// | plain memory of another context of the device | [`Inaccessible`](Access::Inaccessible): nothing promises it, though an H200 lets kernels have it |
/// | memory of a pool of the same device | [`Accessible`](Access::Accessible) |
/// | mapped memory | by [its access](crate::memory::VirtualMemory::set_access): reading alone is enough. Memory of graphs cannot be told from it by its address, and is [`Unverified`](Access::Unverified) |
/// | a variable of another module's device | [`Inaccessible`](Access::Inaccessible), also with peer access |
///
/// | for the host | |
/// |---|---|
/// | its own memory, page-locked or not | [`Accessible`](Access::Accessible) |
/// | managed memory | by [`concurrent_managed_access`](super::MemoryCapabilities::concurrent_managed_access) or [`direct_managed_access_from_host`](super::MemoryCapabilities::direct_managed_access_from_host) of its device |
/// | mapped memory | [`Unverified`](Access::Unverified), as the driver is asked of devices alone |
/// | other memory of a device | [`Inaccessible`](Access::Inaccessible) |
///
/// Managed memory that is [attached](crate::memory::MemAttach) to one stream or to the host counts as any managed memory: whose
/// turn it is is not looked at.
///
/// That there is access says nothing of when: wait for the kernel that writes before the host reads, and order streams by
/// events. Nor does it say anything of atomic operations.
///
/// It asks the driver in the relaxed capture mode, in which none of the calls ends a capture. To ask nothing that
/// could, there is [`recorded_access`].
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

/// As [`access`], but of peer access and access to pools it is known what this crate has recorded, and off is what it has not:
/// nothing is asked that could end a capture in any mode, and nothing is waited for.
///
/// The record has access that this crate has enabled, or has found enabled when it was [asked](access) before. A
/// launch that is [checked](super::AccessCheck::Checked) on a stream that is being captured uses the record.
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

/// Returns the memory kind. `None` if it is of several kinds, or there is none.
///
/// # Errors
///
/// An earlier failure. That the driver does not know the memory is none.
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
    /// Returns whether code here has access to memory that is made there in the usual way. The answer is rough, from
    /// the two places alone: [`can_access`] of a piece of memory decides.
    ///
    /// A place has access to its own. Kernels reach the host by
    /// [`pageable_memory_access`](super::MemoryCapabilities::pageable_memory_access), as page-locked memory is not what the
    /// host usually makes. The host reaches no device. Kernels of one device reach another one by its
    /// [default pool](MemPool::default_of), where there are pools, and else by
    /// [peer access](crate::peer::PeerAccessState::is_enabled).
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
    /// assert!(!Viewpoint::from(&far).usually_reaches(&near)?); // it goes one way
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
