//! The origin of memory, and access to it.

#![allow(unsafe_code)]

use super::classify::{Classified, classify, is_mapped, is_mapped_for};
use super::decide::{Access, AccessQueries, OwnerRelation, decide};
use super::{MemoryKind, Viewpoint};
use crate::handle::{KeepSlot, ensure_not_in_host_function};

use crate::context::Context;
use crate::device::{Device, DeviceAttribute};
use crate::error::{Error, Result};
use crate::memory::{DevicePtr, MemLocation, MemPool};
use crate::stream::{Stream, is_capturing};
use core::cell::{Cell, OnceCell};
use core::fmt;
use cuda_sys::{CUdeviceptr, CUstream, Symbol};
use std::sync::Arc;

/// Owner of memory.
///
/// ```
/// use cuda_rt::access::MemoryOwner;
///
/// assert_eq!(MemoryOwner::Host.device(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryOwner<'a> {
    /// The host.
    Host,
    /// A context.
    Context(&'a Context),
    /// A device, but no context in particular, as for mapped memory.
    Device(Device),
    /// An unknown owner.
    Unknown,
}

impl MemoryOwner<'_> {
    /// Returns the device, if it is known.
    pub fn device(self) -> Option<Device> {
        match self {
            MemoryOwner::Context(context) => Some(context.device()),
            MemoryOwner::Device(device) => Some(device),
            MemoryOwner::Host | MemoryOwner::Unknown => None,
        }
    }

    /// Returns the location of the owner's memory, if it is known.
    fn location(self) -> Option<MemLocation> {
        match self {
            MemoryOwner::Host => Some(MemLocation::HOST),
            owner => owner.device().map(MemLocation::device),
        }
    }
}

/// Origin of one piece of memory, as [`Memory`](super::Memory) names it.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::access::{Memory, MemoryKind, MemoryOrigin, MemoryOwner, can_access};
/// use cuda_rt::{DeviceBuf, DevicePtr};
///
/// /// Memory of an allocator of plain memory.
/// struct Block {
///     memory: DeviceBuf<u8>,
///     used: usize,
/// }
///
/// impl Memory for Block {
///     fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
///         let owner = MemoryOwner::Context(self.memory.stream().context());
///         // SAFETY: the block keeps its memory.
///         visit(&unsafe { MemoryOrigin::new(MemoryKind::Device, owner, self.memory.ptr()) });
///     }
/// }
///
/// let block = Block { memory: DeviceBuf::zeroed(&stream, 100)?, used: 0 };
/// assert!(can_access(&context, &block)?);
/// # let _ = block.used;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct MemoryOrigin<'a> {
    /// `None` if the driver is queried.
    kind: Option<MemoryKind>,
    owner: MemoryOwner<'a>,
    pool: Option<&'a MemPool>,
    address: CUdeviceptr,
    /// At least one. A mapped range may consist of several mappings.
    bytes: u64,
    /// The driver's answer, if it was queried already.
    found: Option<Classified>,
    is_variable: bool,
    keep: Option<OriginKeep<'a>>,
}

/// Way in which a graph keeps memory.
#[derive(Clone, Copy)]
pub(crate) enum OriginKeep<'a> {
    /// By the slot of the owner. The stream is the home stream of the memory.
    Slot(&'a KeepSlot, Option<&'a Stream>),
    /// By the module or the library of the variable.
    Shared(&'a Arc<dyn Send + Sync>),
}

impl fmt::Debug for OriginKeep<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            OriginKeep::Slot(..) => "Slot",
            OriginKeep::Shared(_) => "Shared",
        })
    }
}

// It is borrowed only to be cloned, and nothing is changed through it.
impl core::panic::UnwindSafe for OriginKeep<'_> {}
impl core::panic::RefUnwindSafe for OriginKeep<'_> {}

impl<'a> MemoryOrigin<'a> {
    /// Makes an origin from a kind and an owner. If they do not decide the access, the driver is queried about the address. This
    /// is the case for [mapped](MemoryKind::Mapped) memory, for memory of a [pool](MemoryKind::Pool) that was not
    /// [named](MemoryOrigin::of_pool), and for [managed](MemoryKind::Managed) memory of an [unknown](MemoryOwner::Unknown) owner.
    ///
    /// [Plain](MemoryKind::Device) memory needs a [context](MemoryOwner::Context) as its owner, because access depends on the
    /// context. If the owner is only a device or unknown, the memory is [unverified](Access::Unverified) for kernels.
    /// With such an owner, a variable, texture or surface is [inaccessible](Access::Inaccessible) for kernels.
    ///
    /// An origin has no size. For mapped memory, the driver is queried about the mapping that contains `address`. If
    /// the memory consists of several mappings, name an origin for each.
    ///
    /// # Safety
    ///
    /// No code frees memory at `address` as long as this value, or a clone of it, is used. There may be no memory.
    ///
    /// # Driver notes
    ///
    /// Driver 580 crashes if another thread frees the memory at an address that is queried.
    pub unsafe fn new<T>(
        kind: MemoryKind,
        owner: MemoryOwner<'a>,
        address: DevicePtr<T>,
    ) -> MemoryOrigin<'a> {
        MemoryOrigin::kept(kind, owner, address)
    }

    /// Makes the same value as [`new`](MemoryOrigin::new), for memory that this crate keeps.
    pub(super) fn kept<T>(
        kind: MemoryKind,
        owner: MemoryOwner<'a>,
        address: DevicePtr<T>,
    ) -> MemoryOrigin<'a> {
        MemoryOrigin { address: address.as_raw(), ..MemoryOrigin::of(Some(kind), owner) }
    }

    /// Names memory of the host, of a kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::access::{MemoryKind, MemoryOrigin};
    ///
    /// assert_eq!(MemoryOrigin::host(MemoryKind::Pinned).kind(), Some(MemoryKind::Pinned));
    /// ```
    pub const fn host(kind: MemoryKind) -> MemoryOrigin<'a> {
        MemoryOrigin::of(Some(kind), MemoryOwner::Host)
    }

    /// Names memory of a pool.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::access::{MemoryKind, MemoryOrigin};
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::MemPool;
    ///
    /// let pool = MemPool::default_of(Device::get(0)?)?;
    /// assert_eq!(MemoryOrigin::of_pool(&pool).kind(), Some(MemoryKind::Pool));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn of_pool(pool: &'a MemPool) -> MemoryOrigin<'a> {
        let owner = MemoryOwner::Device(pool.device());
        MemoryOrigin { pool: Some(pool), ..MemoryOrigin::of(Some(MemoryKind::Pool), owner) }
    }

    /// Names memory that the driver classifies if necessary. Work in the owner's context may use it.
    ///
    /// The memory stays allocated as long as this value is used. The driver may be queried about the context that it names.
    pub(crate) fn by_address(owner: MemoryOwner<'a>, address: CUdeviceptr) -> MemoryOrigin<'a> {
        MemoryOrigin { address, ..MemoryOrigin::of(None, owner) }
    }

    /// Names memory that the driver has classified. It stays allocated as long as this value is used.
    pub(super) fn classified_as(
        owner: MemoryOwner<'a>,
        address: CUdeviceptr,
        found: Classified,
    ) -> MemoryOrigin<'a> {
        MemoryOrigin { found: Some(found), ..MemoryOrigin::by_address(owner, address) }
    }

    /// Returns the origin of a variable of a module, which may be managed.
    pub(super) fn variable(context: &'a Context, address: CUdeviceptr) -> MemoryOrigin<'a> {
        let owner = MemoryOwner::Context(context);
        MemoryOrigin { is_variable: true, ..MemoryOrigin::by_address(owner, address) }
    }

    /// Returns the origin of an object of a context that has no address.
    pub(super) fn of_context(kind: MemoryKind, context: &'a Context) -> MemoryOrigin<'a> {
        MemoryOrigin::of(Some(kind), MemoryOwner::Context(context))
    }

    const fn of(kind: Option<MemoryKind>, owner: MemoryOwner<'a>) -> MemoryOrigin<'a> {
        MemoryOrigin {
            kind,
            owner,
            pool: None,
            address: 0,
            bytes: 1,
            found: None,
            is_variable: false,
            keep: None,
        }
    }

    /// Sets the size in bytes.
    pub(crate) fn of_size(self, bytes: usize) -> MemoryOrigin<'a> {
        MemoryOrigin { bytes: (bytes as u64).max(1), ..self }
    }

    /// Sets the way in which a graph keeps the memory.
    pub(crate) fn kept_by(self, keep: Option<OriginKeep<'a>>) -> MemoryOrigin<'a> {
        MemoryOrigin { keep, ..self }
    }

    /// Returns the way in which a graph keeps the memory. `None` if a graph cannot keep it.
    pub(crate) fn keep(&self) -> Option<OriginKeep<'a>> {
        self.keep
    }

    /// Sets the pool of the memory.
    pub(crate) fn in_pool(self, pool: &'a MemPool) -> MemoryOrigin<'a> {
        MemoryOrigin { pool: Some(pool), ..self }
    }

    /// Returns the memory kind. `None` if only the driver knows the kind: then [`memory_kind`](super::memory_kind) returns it.
    pub fn kind(&self) -> Option<MemoryKind> {
        self.kind
    }

    /// Returns the owner.
    pub fn owner(&self) -> MemoryOwner<'a> {
        self.owner
    }

    /// Returns the memory kind. Queries the driver if it is unknown.
    pub(super) fn resolved_kind(&self) -> Result<MemoryKind> {
        match self.kind {
            Some(kind) => Ok(kind),
            None => Ok(self.classified(Viewpoint::Host)?.kind),
        }
    }

    /// Returns the driver's answer, queried in the context of the viewpoint or of the owner.
    fn classified(&self, viewpoint: Viewpoint<'_>) -> Result<Classified> {
        if let Some(found) = self.found {
            return Ok(found);
        }
        let context = match (viewpoint, self.owner) {
            (Viewpoint::Device(context), _) | (Viewpoint::Host, MemoryOwner::Context(context)) => {
                Some(context)
            }
            _ => None,
        };
        let found = classify(context, self.address)?;
        let is_variable = self.is_variable && found.kind == MemoryKind::Device;
        Ok(Classified { kind: if is_variable { MemoryKind::Variable } else { found.kind }, ..found })
    }
}

/// Facts about a piece of memory, for a viewpoint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AccessFacts {
    pub(crate) access: Access,
    /// `None` if the kind did not matter.
    pub(crate) kind: Option<MemoryKind>,
    /// `None` if the location is unknown.
    pub(crate) location: Option<MemLocation>,
    /// True if the memory is the viewpoint's own: it belongs to the host or to the same context. Memory without a context must
    /// be on the viewpoint's device.
    pub(crate) is_own: bool,
}

/// Source of the answers to a query.
#[derive(Debug, Clone, Copy)]
pub(crate) enum QueryPolicy<'a> {
    /// The driver, in the relaxed mode, in which no query invalidates a capture.
    Driver,
    /// The record, and calls that invalidate no capture in any mode.
    Record,
    /// The record. Where it has no access, the driver, if this stream is not being captured. The stream is queried once.
    Launch(CUstream, &'a Cell<Option<bool>>),
}

impl QueryPolicy<'_> {
    /// Returns whether the record alone decides, for launches in this context.
    fn is_record_alone(self, context: &Context) -> Result<bool> {
        match self {
            QueryPolicy::Driver => Ok(false),
            QueryPolicy::Record => Ok(true),
            QueryPolicy::Launch(stream, known) => match known.get() {
                Some(is_captured) => Ok(is_captured),
                None => {
                    let _bound = context.bind_inline(Symbol::cuLaunchKernel)?;
                    let is_captured =
                        is_capturing(stream).map_err(|error| error.before(Symbol::cuLaunchKernel))?;
                    known.set(Some(is_captured));
                    Ok(is_captured)
                }
            },
        }
    }

    /// Returns whether a fact holds: by the record, by the driver, or by either.
    fn ask(
        self,
        context: &Context,
        record: impl FnOnce() -> bool,
        driver: impl FnOnce() -> Result<bool>,
    ) -> Result<bool> {
        if !matches!(self, QueryPolicy::Driver) && record() {
            return Ok(true);
        }
        if self.is_record_alone(context)? { Ok(false) } else { driver() }
    }
}

impl MemoryOrigin<'_> {
    /// Returns the facts about the memory for a viewpoint.
    pub(crate) fn seen_from(&self, viewpoint: Viewpoint<'_>, by: QueryPolicy<'_>) -> Result<AccessFacts> {
        let found = OnceCell::new();
        let question = AccessQuery { viewpoint, by, origin: self, found: &found };
        if self.is_own(viewpoint) {
            let location = Some(viewpoint.device().map_or(MemLocation::HOST, MemLocation::device));
            return Ok(AccessFacts { access: Access::Accessible, kind: self.kind, location, is_own: true });
        }
        let kind = match self.kind {
            Some(kind) => kind,
            None => question.classified()?.kind,
        };
        let (relation, location) = question.relation()?;
        let access = decide(kind, relation, &question)?;
        let is_own = relation == OwnerRelation::SameContext
            || relation == OwnerRelation::SameDevice
                && kind != MemoryKind::Device
                && kind != MemoryKind::Texture;
        Ok(AccessFacts { access, kind: Some(kind), location, is_own })
    }

    /// Returns whether the memory is the viewpoint's own, which it can access. Makes no driver call.
    #[inline]
    pub(super) fn is_own(&self, viewpoint: Viewpoint<'_>) -> bool {
        // The location of mapped memory is that of its allocation, not of its mapping.
        self.kind != Some(MemoryKind::Mapped) && self.is_of(viewpoint)
    }

    /// Returns whether the owner is the viewpoint itself.
    #[inline]
    fn is_of(&self, viewpoint: Viewpoint<'_>) -> bool {
        match (viewpoint, self.owner) {
            (Viewpoint::Host, MemoryOwner::Host) => true,
            (Viewpoint::Device(context), MemoryOwner::Context(owner)) => context == owner,
            _ => false,
        }
    }
}

struct AccessQuery<'a> {
    viewpoint: Viewpoint<'a>,
    by: QueryPolicy<'a>,
    origin: &'a MemoryOrigin<'a>,
    found: &'a OnceCell<Classified>,
}

impl AccessQuery<'_> {
    fn classified(&self) -> Result<&Classified> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let found = self.origin.classified(self.viewpoint)?;
        Ok(self.found.get_or_init(|| found))
    }

    /// Returns the relation of the viewpoint to memory of a pool of the host, which has no device.
    #[cold]
    fn relation_to_host_pool(&self) -> OwnerRelation {
        match self.viewpoint {
            Viewpoint::Host => OwnerRelation::SameContext,
            // Like other devices, a device needs access to the pool.
            Viewpoint::Device(_) => OwnerRelation::OtherDevice,
        }
    }

    /// Returns the relation of the viewpoint to the owner, and the location of the memory.
    fn relation(&self) -> Result<(OwnerRelation, Option<MemLocation>)> {
        let mut location = self.origin.owner.location();
        let mut is_context = false;
        match self.origin.kind {
            // The allocation may be of another device than the mapping.
            Some(MemoryKind::Mapped) => location = self.classified()?.location().or(location),
            // The driver knows an owner that was not named.
            Some(MemoryKind::Managed | MemoryKind::Pool) if location.is_none() => {
                let found = self.classified()?;
                if found.kind == MemoryKind::Pool && found.device.is_none() {
                    return Ok((self.relation_to_host_pool(), None));
                }
                location = found.location();
            }
            _ => {}
        }
        if self.origin.kind.is_none() {
            let found = self.classified()?;
            match found.kind {
                // The owner was not named.
                MemoryKind::Pinned if location.is_none() => location = Some(MemLocation::HOST),
                MemoryKind::Pinned | MemoryKind::Unknown => {}
                MemoryKind::Pool if found.device.is_none() => {
                    return Ok((self.relation_to_host_pool(), None));
                }
                _ => location = found.location().or(location),
            }
            is_context = match self.viewpoint {
                Viewpoint::Device(context) => context.as_raw().addr() == found.context,
                Viewpoint::Host => false,
            };
        }
        let relation = match (self.viewpoint, location) {
            (Viewpoint::Host, Some(MemLocation::HOST)) => OwnerRelation::SameContext,
            (Viewpoint::Host, _) => OwnerRelation::DeviceFromHost,
            (Viewpoint::Device(_), Some(MemLocation::HOST)) => OwnerRelation::HostFromDevice,
            (Viewpoint::Device(_), _) if is_context => OwnerRelation::SameContext,
            // Plain memory of the device, but no context in particular, may be of this context or of another.
            (Viewpoint::Device(_), _)
                if self.origin.kind == Some(MemoryKind::Device)
                    && matches!(self.origin.owner, MemoryOwner::Device(_)) =>
            {
                OwnerRelation::OtherDevice
            }
            (Viewpoint::Device(context), location)
                if location == Some(MemLocation::device(context.device())) =>
            {
                OwnerRelation::SameDevice
            }
            (Viewpoint::Device(_), _) => OwnerRelation::OtherDevice,
        };
        Ok((relation, location))
    }

    /// Returns whether the viewpoint's device has an attribute. The host has none.
    fn has(&self, attribute: DeviceAttribute) -> Result<bool> {
        self.viewpoint.device().map_or(Ok(false), |device| device.has(attribute))
    }

    /// Returns the device of the memory, if it is known.
    fn owner(&self) -> Result<Option<Device>> {
        Ok(self.relation()?.1.and_then(MemLocation::as_device))
    }
}

impl AccessQueries for AccessQuery<'_> {
    type Error = Error;

    fn unified_addressing(&self) -> Result<bool> {
        self.has(DeviceAttribute::UNIFIED_ADDRESSING)
    }

    fn pageable_memory_access(&self) -> Result<bool> {
        self.has(DeviceAttribute::PAGEABLE_MEMORY_ACCESS)
    }

    fn managed_on_both(&self) -> Result<Option<bool>> {
        if !self.has(DeviceAttribute::MANAGED_MEMORY)? {
            return Ok(Some(false));
        }
        self.owner()?.map(|owner| owner.has(DeviceAttribute::MANAGED_MEMORY)).transpose()
    }

    fn managed_from_host(&self) -> Result<Option<bool>> {
        let Some(owner) = self.owner()? else { return Ok(None) };
        Ok(Some(
            owner.has(DeviceAttribute::CONCURRENT_MANAGED_ACCESS)?
                || owner.has(DeviceAttribute::DIRECT_MANAGED_MEM_ACCESS_FROM_HOST)?,
        ))
    }

    fn peer_access(&self) -> Result<Option<bool>> {
        let Viewpoint::Device(own) = self.viewpoint else { return Ok(None) };
        // The record is locked during the driver call, which may wait for the function that makes this query.
        ensure_not_in_host_function(Symbol::cuCtxEnablePeerAccess)?;
        let has_access = |peer: &Context| {
            self.by.ask(
                own,
                || own.peer_access_state(peer).is_recorded(),
                || own.peer_access_state(peer).is_enabled(),
            )
        };
        if self.origin.kind.is_some() {
            return match self.origin.owner {
                MemoryOwner::Context(peer) => has_access(peer).map(Some),
                _ => Ok(None),
            };
        }
        let found = self.classified()?;
        if found.context == 0 {
            return Ok(None);
        }
        let is_on = match self.origin.owner {
            // This handle is more exact: it distinguishes several contexts at one address, if the driver has no numbers for them.
            MemoryOwner::Context(peer) if peer.as_raw().addr() == found.context => has_access(peer)?,
            _ => {
                let context = core::ptr::with_exposed_provenance_mut(found.context);
                // SAFETY: the driver has named the context of the memory. The memory stays allocated meanwhile, by its borrow or, for
                // a bare address, by the promise of the launch; so the context stays alive.
                has_access(&unsafe { Context::named(context) }?)?
            }
        };
        // A variable of a module looks like plain memory that cannot be shared, and peers cannot access it (measured).
        Ok(if is_on && !found.is_shareable { None } else { Some(is_on) })
    }

    fn pool_access(&self) -> Result<Option<bool>> {
        let Viewpoint::Device(own) = self.viewpoint else { return Ok(None) };
        // As above.
        ensure_not_in_host_function(Symbol::cuMemPoolGetAccess)?;
        let device = own.device();
        let is_open = |pool: &MemPool| {
            self.by.ask(own, || pool.has_recorded_access(device), || pool.has_access(device))
        };
        if let Some(pool) = self.origin.pool {
            return is_open(pool).map(Some);
        }
        let found = self.classified()?;
        let Some(owner) = found.device else { return Ok(None) };
        MemPool::known(found.pool, owner)?.map(|pool| is_open(&pool)).transpose()
    }

    fn mapped_access(&self) -> Result<Option<bool>> {
        match self.viewpoint {
            Viewpoint::Device(context) => {
                let is_open = is_mapped_for(context, self.origin.address, self.origin.bytes)?;
                // By its address alone it may also be memory of a graph. For such memory the driver reports access of no device,
                // whatever kernels can access (measured).
                match is_open {
                    Some(false) if self.origin.kind.is_none() => {
                        Ok(is_mapped(self.origin.address)?.then_some(false))
                    }
                    answer => Ok(answer),
                }
            }
            Viewpoint::Host => Ok(None),
        }
    }
}
