//! The table that decides who has access to what. It asks the driver nothing by itself.

use super::MemoryKind;

/// Access of code to memory.
///
/// They are in order of how bad they are, so that of several parts the greatest counts.
///
/// ```
/// use cuda_rt::access::Access;
///
/// let parts = [Access::Accessible, Access::Unverified];
/// assert_eq!(parts.into_iter().max(), Some(Access::Unverified));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// It can.
    Accessible,
    /// It may or may not: the driver cannot tell, or was not asked.
    Unverified,
    /// It cannot: kernels that try end with [`IllegalAddress`](crate::error::Code::IllegalAddress), and code of the host with a
    /// signal.
    Inaccessible,
}

impl Access {
    fn when(condition: bool) -> Access {
        if condition { Access::Accessible } else { Access::Inaccessible }
    }
}

/// Where code runs, relative to the owner of the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnerRelation {
    /// The host looks at its own memory, or the context at what was made in it.
    SameContext,
    /// Another context of the device that the memory is of.
    SameDevice,
    /// Another device than the memory's.
    OtherDevice,
    /// A device looks at memory of the host.
    HostFromDevice,
    /// The host looks at memory of a device.
    DeviceFromHost,
}

/// Queries of the driver or of this crate's record. Each is made when the decision needs it.
pub(super) trait AccessQueries {
    type Error;

    /// Returns whether page-locked memory has one address, on the device where code runs.
    fn unified_addressing(&self) -> Result<bool, Self::Error>;
    /// Returns whether the device where code runs reaches pageable memory.
    fn pageable_memory_access(&self) -> Result<bool, Self::Error>;
    /// Returns whether both the device where code runs and the memory's have managed memory; `None` if it is not known
    /// whose it is.
    fn managed_on_both(&self) -> Result<Option<bool>, Self::Error>;
    /// Returns whether the host may use managed memory of the memory's device while kernels run, or reaches it there;
    /// `None` if it is not known whose it is.
    fn managed_from_host(&self) -> Result<Option<bool>, Self::Error>;
    /// Returns whether the context where code runs has peer access to the memory's; `None` if that cannot be found out.
    fn peer_access(&self) -> Result<Option<bool>, Self::Error>;
    /// Returns whether the pool is open to the device where code runs; `None` if it is not known which pool it is.
    fn pool_access(&self) -> Result<Option<bool>, Self::Error>;
    /// Returns whether mapped memory is open to the code; `None` if that cannot be found out.
    fn mapped_access(&self) -> Result<Option<bool>, Self::Error>;
}

/// Decides whether code in this relation to memory of this kind can use it.
///
/// The rows are those of NVIDIA Warp's `can_access` (1.17), which this follows; mapped memory, variables and textures are not
/// among them.
pub(super) fn decide<A: AccessQueries>(
    kind: MemoryKind,
    relation: OwnerRelation,
    queries: &A,
) -> Result<Access, A::Error> {
    use MemoryKind as Kind;
    let known = |answer: Option<bool>| answer.map_or(Access::Unverified, Access::when);
    match (relation, kind) {
        // Access to it is of devices, its own included.
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
        // Said to be a device's, and seen not to be.
        (_, Kind::Pageable | Kind::Pinned | Kind::Registered | Kind::Unknown) => Ok(Access::Unverified),

        (_, Kind::Managed) => queries.managed_on_both().map(known),
        (OwnerRelation::SameDevice, Kind::Pool) => Ok(Access::Accessible),
        (OwnerRelation::OtherDevice, Kind::Pool) => queries.pool_access().map(known),
        // An H200 lets kernels reach what another context of the device has (measured), but nothing promises it.
        (OwnerRelation::SameDevice, Kind::Device | Kind::Variable) => Ok(Access::Inaccessible),
        (OwnerRelation::OtherDevice, Kind::Device) => queries.peer_access().map(known),
        // Not even with peer access (measured).
        (OwnerRelation::OtherDevice, Kind::Variable) => Ok(Access::Inaccessible),
    }
}
