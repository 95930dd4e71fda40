//! The decision table of access. It makes no driver calls by itself.

use super::MemoryKind;

/// Access of code to memory.
///
/// The variants are ordered from good to bad. For several pieces of memory, the greatest one holds.
///
/// ```
/// use cuda_rt::access::Access;
///
/// let parts = [Access::Accessible, Access::Unverified];
/// assert_eq!(parts.into_iter().max(), Some(Access::Unverified));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Code can use the memory.
    Accessible,
    /// Unknown: the driver cannot tell, or was not queried.
    Unverified,
    /// Code cannot use the memory: kernels that try end with [`IllegalAddress`](crate::error::Code::IllegalAddress), and code of
    /// the host with a signal.
    Inaccessible,
}

impl Access {
    fn when(condition: bool) -> Access {
        if condition { Access::Accessible } else { Access::Inaccessible }
    }
}

/// Relation of the viewpoint to the owner of the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnerRelation {
    /// The host and its own memory, or a context and memory that was allocated in it.
    SameContext,
    /// A context, and memory of another context of the same device.
    SameDevice,
    /// A context, and memory of another device.
    OtherDevice,
    /// A context, and memory of the host.
    HostFromDevice,
    /// The host, and memory of a device.
    DeviceFromHost,
}

/// Queries of the driver or of this crate's record. Each is made only if the decision needs it.
pub(super) trait AccessQueries {
    type Error;

    /// Returns whether pinned memory has the same address on the viewpoint's device.
    fn unified_addressing(&self) -> Result<bool, Self::Error>;
    /// Returns whether the viewpoint's device can access pageable memory.
    fn pageable_memory_access(&self) -> Result<bool, Self::Error>;
    /// Returns whether both the viewpoint's device and the memory's device support managed memory; `None` if the owner is
    /// unknown.
    fn managed_on_both(&self) -> Result<Option<bool>, Self::Error>;
    /// Returns whether the host may use managed memory of the memory's device while kernels run, or can access it there; `None`
    /// if the owner is unknown.
    fn managed_from_host(&self) -> Result<Option<bool>, Self::Error>;
    /// Returns whether the viewpoint's context has peer access to the memory's context; `None` if that cannot be found out.
    fn peer_access(&self) -> Result<Option<bool>, Self::Error>;
    /// Returns whether the viewpoint's device has access to the pool; `None` if the pool is unknown.
    fn pool_access(&self) -> Result<Option<bool>, Self::Error>;
    /// Returns whether the viewpoint has access to mapped memory; `None` if that cannot be found out.
    fn mapped_access(&self) -> Result<Option<bool>, Self::Error>;
}

/// Decides whether code in a relation to memory of a kind can use the memory.
///
/// The rows follow `can_access` of NVIDIA Warp (1.17), which has no rows for mapped memory, variables and textures.
pub(super) fn decide<A: AccessQueries>(
    kind: MemoryKind,
    relation: OwnerRelation,
    queries: &A,
) -> Result<Access, A::Error> {
    use MemoryKind as Kind;
    let known = |answer: Option<bool>| answer.map_or(Access::Unverified, Access::when);
    match (relation, kind) {
        // Devices, including its own, need access to mapped memory.
        (_, Kind::Mapped) => queries.mapped_access().map(known),
        (OwnerRelation::SameContext, _) => Ok(Access::Accessible),
        (_, Kind::Texture) => Ok(Access::Inaccessible),

        (OwnerRelation::HostFromDevice, Kind::Pinned | Kind::Registered)
            if queries.unified_addressing()? =>
        {
            Ok(Access::Accessible)
        }
        (OwnerRelation::HostFromDevice, _) => queries.pageable_memory_access().map(Access::when),

        (OwnerRelation::DeviceFromHost, Kind::Managed) => queries.managed_from_host().map(known),
        (OwnerRelation::DeviceFromHost, Kind::Device | Kind::Pool | Kind::Variable) => {
            Ok(Access::Inaccessible)
        }
        // The caller says that it is memory of a device, and the driver says that it is not.
        (_, Kind::Pageable | Kind::Pinned | Kind::Registered | Kind::Unknown) => Ok(Access::Unverified),

        (_, Kind::Managed) => queries.managed_on_both().map(known),
        (OwnerRelation::SameDevice, Kind::Pool) => Ok(Access::Accessible),
        (OwnerRelation::OtherDevice, Kind::Pool) => queries.pool_access().map(known),
        // An H200 lets kernels access memory of another context of the device (measured), but nothing guarantees this.
        (OwnerRelation::SameDevice, Kind::Device | Kind::Variable) => Ok(Access::Inaccessible),
        (OwnerRelation::OtherDevice, Kind::Device) => queries.peer_access().map(known),
        // Not even with peer access (measured).
        (OwnerRelation::OtherDevice, Kind::Variable) => Ok(Access::Inaccessible),
    }
}
