//! Logical endpoints: memory of devices of a fabric, named by numbers instead of addresses.

#![allow(unsafe_code)]

use super::PhysicalMemory;
use super::bindings::{Bindings, ensure_inside};
use crate::context::release_alone;
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DriverHandle, Owned, Releasing, ensure_not_forked, made};
use crate::list::CollectVec;
use crate::map::SortedSet;
use crate::memory::DevicePtr;
use crate::stream::{Stream, call_on};
use core::fmt;
use core::ptr::without_provenance_mut;
use cuda_sys::{
    CUDA_FABRIC_COPY_BATCH_OP, CUfabricCpyOperand, CUfabricCpyOperand_st__bindgen_ty_1,
    CUfabricCpyOperand_st__bindgen_ty_1__bindgen_ty_1, CUfabricCpyOperand_st__bindgen_ty_1__bindgen_ty_2,
    CUfabricCpyOperandType_enum as OperandType, CUlogicalEndpointFabricHandle,
    CUlogicalEndpointFlag_enum as Flag, CUlogicalEndpointId,
    CUlogicalEndpointIpcHandleType_enum as HandleType, CUlogicalEndpointProp,
    CUlogicalEndpointProp_struct__bindgen_ty_1, CUlogicalEndpointProp_struct__bindgen_ty_1__bindgen_ty_1,
    CUlogicalEndpointProp_struct__bindgen_ty_1__bindgen_ty_2, CUlogicalEndpointType_enum as Type,
    CUmemLocation, Symbol,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A range of numbers for [logical endpoints](LogicalEndpoint). Clones are handles to the same range. Since CUDA 13.3;
/// not run on hardware.
#[doc(alias = "CUlogicalEndpointId")]
#[derive(Clone)]
pub struct LogicalEndpointIds(Arc<Owned<Ids>>);

struct Ids {
    first: CUlogicalEndpointId,
    count: u32,
    /// The indexes of numbers that have an endpoint.
    used: Mutex<SortedSet<u32>>,
}

/// Memory of one device, or of a team of devices, that devices of the fabric access by the number of the endpoint. Clones are
/// handles to the same endpoint. Since CUDA 13.3; not run on hardware.
///
/// If the endpoint is for a team, all devices of the team are [added](LogicalEndpoint::add_device) first. An endpoint
/// for one device has no team. When the endpoint [is ready](LogicalEndpoint::is_ready), memory can be bound to it.
/// Kernels and [copies](Stream::copy_over_fabric) use the endpoint by its number and an offset.
///
/// The endpoint keeps its bound memory and its number alive.
#[derive(Clone)]
pub struct LogicalEndpoint(Arc<Owned<Endpoint>>);

struct Endpoint {
    index: u32,
    ids: LogicalEndpointIds,
    /// The size in bytes; the largest number for an endpoint of another process.
    bytes: usize,
    bindings: Bindings,
}

/// Properties of a logical endpoint.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::memory::LogicalEndpointOptions;
///
/// let options = LogicalEndpointOptions::unicast(Device::get(0)?, 1 << 21).shareable(true);
/// # let _ = options;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUlogicalEndpointProp")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogicalEndpointOptions {
    team: Team,
    bytes: usize,
    is_shareable: bool,
    has_counted_operations: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Team {
    Unicast(Device),
    Multicast(u32),
}

/// The limits of logical endpoints with certain properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogicalEndpointLimits {
    /// The unit of sizes and offsets, in bytes.
    pub alignment: u64,
    /// The largest size, in bytes.
    pub bytes: u64,
}

/// A description by which another process can [import](LogicalEndpointIds::import) a logical endpoint.
#[doc(alias = "CUlogicalEndpointFabricHandle")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogicalEndpointHandle(pub [u8; 64]);

impl LogicalEndpointOptions {
    /// Returns properties of an endpoint of `bytes` bytes for memory of one device.
    #[doc(alias = "CU_LOGICAL_ENDPOINT_TYPE_UNICAST")]
    pub const fn unicast(device: Device, bytes: usize) -> LogicalEndpointOptions {
        LogicalEndpointOptions {
            team: Team::Unicast(device),
            bytes,
            is_shareable: false,
            has_counted_operations: false,
        }
    }

    /// Returns properties of an endpoint for memory of a team of `devices` devices, up to `bytes` bytes of each device.
    #[doc(alias = "CU_LOGICAL_ENDPOINT_TYPE_MULTICAST")]
    pub const fn multicast(devices: u32, bytes: usize) -> LogicalEndpointOptions {
        LogicalEndpointOptions {
            team: Team::Multicast(devices),
            bytes,
            is_shareable: false,
            has_counted_operations: false,
        }
    }

    /// Sets whether other processes can import the endpoint.
    #[doc(alias = "CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC")]
    #[must_use]
    pub const fn shareable(self, is_shareable: bool) -> Self {
        Self { is_shareable, ..self }
    }

    /// Sets whether counted operations are used with the endpoint.
    #[doc(alias = "CU_LOGICAL_ENDPOINT_FLAG_COUNTED_OPS")]
    #[must_use]
    pub const fn counted_operations(self, has_counted_operations: bool) -> Self {
        Self { has_counted_operations, ..self }
    }

    /// Returns the limits of endpoints with these properties. Wraps `cuLogicalEndpointGetLimits`. Since CUDA 13.3; not
    /// run on hardware.
    ///
    /// # Errors
    ///
    /// - [`Code::NotSupported`]: the devices do not support such endpoints.
    /// - [`Code::InvalidValue`], [`Code::SystemNotReady`], [`Code::IllegalState`].
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.3.
    #[doc(alias = "cuLogicalEndpointGetLimits")]
    pub fn limits(self) -> Result<LogicalEndpointLimits> {
        let properties = self.properties();
        let (mut alignment, mut bytes) = (0, 0);
        let (unit, most, properties) = (&raw mut alignment, &raw mut bytes, &raw const properties);
        // SAFETY: `unit` and `most` are valid for a write, `properties` for a read.
        unsafe { check!(cuLogicalEndpointGetLimits(unit, most, properties)) }?;
        Ok(LogicalEndpointLimits { alignment, bytes })
    }

    fn properties(self) -> CUlogicalEndpointProp {
        let (type_, team) = match self.team {
            Team::Unicast(device) => {
                let unicast =
                    CUlogicalEndpointProp_struct__bindgen_ty_1__bindgen_ty_1 { device: device.as_raw() };
                let team = CUlogicalEndpointProp_struct__bindgen_ty_1 { unicast };
                (Type::CU_LOGICAL_ENDPOINT_TYPE_UNICAST, team)
            }
            Team::Multicast(devices) => {
                let multicast =
                    CUlogicalEndpointProp_struct__bindgen_ty_1__bindgen_ty_2 { numDevices: devices };
                let team = CUlogicalEndpointProp_struct__bindgen_ty_1 { multicast };
                (Type::CU_LOGICAL_ENDPOINT_TYPE_MULTICAST, team)
            }
        };
        let handles = if self.is_shareable {
            HandleType::CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC
        } else {
            HandleType::CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_NONE
        };
        let flag = if self.has_counted_operations {
            Flag::CU_LOGICAL_ENDPOINT_FLAG_COUNTED_OPS
        } else {
            Flag::CU_LOGICAL_ENDPOINT_FLAG_NONE
        };
        CUlogicalEndpointProp {
            type_,
            __bindgen_anon_1: team,
            size: self.bytes as u64,
            ipcHandleTypes: handles.0,
            flags: flag.0,
        }
    }
}

impl LogicalEndpointIds {
    /// Reserves consecutive numbers for `count` endpoints. Wraps `cuLogicalEndpointIdReserve`. Since CUDA 13.3.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `count` is 0.
    /// - [`Code::NotSupported`]: no device supports logical endpoints.
    /// - [`Code::OutOfMemory`].
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.3.
    #[doc(alias = "cuLogicalEndpointIdReserve")]
    pub fn reserve(count: u32) -> Result<LogicalEndpointIds> {
        if count == 0 {
            return Err(Error::empty("range of logical endpoints"));
        }
        const NONE: CUlogicalEndpointId = CUlogicalEndpointId::MAX;
        let mut first = NONE;
        // SAFETY: `first` is valid for a write.
        let reserved = unsafe { check!(cuLogicalEndpointIdReserve(&raw mut first, count)) }
            .or_detail(&[Code::OutOfMemory], &|| format!("{count} numbers"));
        made(reserved, first != NONE, || {
            let used = Mutex::new(SortedSet::new());
            LogicalEndpointIds(Arc::new(Owned::first(Ids { first, count, used })))
        })
    }

    /// Returns the first number.
    pub fn first(&self) -> CUlogicalEndpointId {
        self.0.first
    }

    /// Returns the count of the numbers.
    pub fn count(&self) -> u32 {
        self.0.count
    }

    /// Creates an endpoint with the number at an index. Wraps `cuLogicalEndpointCreate`. Since CUDA 13.3.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the index is out of range, or its number has an endpoint.
    /// - [`Code::InvalidValue`]: the size is 0, is no multiple of the [alignment](LogicalEndpointLimits::alignment), or
    ///   exceeds the [limits](LogicalEndpointOptions::limits).
    /// - [`Code::NotSupported`]: the devices do not support such endpoints.
    /// - [`Code::OutOfMemory`].
    #[doc(alias = "cuLogicalEndpointCreate")]
    pub fn create(&self, index: u32, options: LogicalEndpointOptions) -> Result<LogicalEndpoint> {
        let properties = options.properties();
        self.make(Symbol::cuLogicalEndpointCreate, index, options.bytes, &|id| {
            // SAFETY: `properties` is valid for a read, and the number is reserved.
            unsafe { check!(cuLogicalEndpointCreate(id, &raw const properties)) }
        })
    }

    /// Imports an endpoint of another process, with the number at an index. Wraps `cuLogicalEndpointImport`. Since CUDA 13.3.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the index is out of range, or its number has an endpoint.
    /// - [`Code::NotPermitted`]: this process may not use the endpoint.
    /// - [`Code::InvalidValue`], [`Code::NotSupported`], [`Code::OutOfMemory`].
    ///
    /// # Safety
    ///
    /// The bytes of the handle come from [`LogicalEndpoint::export`] in another process.
    #[doc(alias = "cuLogicalEndpointImport")]
    pub unsafe fn import(&self, index: u32, handle: &LogicalEndpointHandle) -> Result<LogicalEndpoint> {
        let handle = CUlogicalEndpointFabricHandle { data: handle.0 };
        let from = (&raw const handle).cast();
        let kind = HandleType::CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC;
        self.make(Symbol::cuLogicalEndpointImport, index, usize::MAX, &|id| {
            // SAFETY: `from` is valid for a read of a handle, which the caller promises to be one, and the number is reserved.
            unsafe { check!(cuLogicalEndpointImport(id, from, kind)) }
        })
    }

    /// Returns whether every number of the range has an endpoint that can be used.
    ///
    /// Wraps `cuLogicalEndpointQuery`. Since CUDA 13.3.
    ///
    /// # Errors
    ///
    /// Same as [`LogicalEndpoint::is_ready`].
    #[doc(alias = "cuLogicalEndpointQuery")]
    pub fn are_ready(&self) -> Result<bool> {
        are_ready(self.0.first, self.0.count)
    }

    /// Releases the numbers, if this is the last handle to them, and returns the driver's answer. Wraps `cuLogicalEndpointIdRelease`.
    ///
    /// If an endpoint could not be destroyed, its range of numbers stays reserved.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuLogicalEndpointIdRelease")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }

    fn used(&self) -> MutexGuard<'_, SortedSet<u32>> {
        self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make(
        &self,
        call: Symbol,
        index: u32,
        bytes: usize,
        make: &dyn Fn(CUlogicalEndpointId) -> Result<()>,
    ) -> Result<LogicalEndpoint> {
        // The list may be locked in the child of a fork.
        ensure_not_forked(call)?;
        let count = self.0.count;
        if index >= count {
            return Err(Error::invalid_for(
                call,
                format_args!("index {index} is beyond the {count} numbers; use a smaller one"),
            ));
        }
        if !self.used().insert(index) {
            return Err(Error::invalid_for(
                call,
                format_args!("the number at index {index} has an endpoint; drop it, or use another index"),
            ));
        }
        let id = self.0.first.wrapping_add(index);
        if let Err(error) = make(id) {
            if is_refusal(&error) || ensure_destroyed(id) {
                self.used().remove(&index);
            }
            return Err(error);
        }
        let endpoint = Endpoint { index, ids: self.clone(), bytes, bindings: Bindings::default() };
        Ok(LogicalEndpoint(Arc::new(Owned::new(endpoint))))
    }
}

impl LogicalEndpoint {
    /// Returns the number of the endpoint, for kernels.
    pub fn id(&self) -> CUlogicalEndpointId {
        self.0.id()
    }

    /// Adds a device to the team, for as long as the endpoint exists. Wraps `cuLogicalEndpointAddDevice`. Since CUDA 13.3.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidDevice`]: the device cannot be in one team with the devices that were added before.
    /// - [`Code::InvalidValue`]: the endpoint has no team, the team is complete, or the device was added before.
    /// - [`Code::NotSupported`]: the device does not support endpoints for teams.
    #[doc(alias = "cuLogicalEndpointAddDevice")]
    pub fn add_device(&self, device: Device) -> Result<()> {
        // SAFETY: the endpoint is live.
        unsafe { check!(cuLogicalEndpointAddDevice(self.id(), device.as_raw())) }
            .or_detail(&[Code::InvalidDevice, Code::InvalidValue, Code::NotSupported], &|| device.to_string())
    }

    /// Returns whether the endpoint can be used. Does not wait. Wraps `cuLogicalEndpointQuery`. Since CUDA 13.3.
    ///
    /// # Errors
    ///
    /// - [`Code::IllegalState`]: no device of this process can access the endpoint.
    /// - [`Code::SystemNotReady`].
    /// - An earlier failure.
    #[doc(alias = "cuLogicalEndpointQuery")]
    pub fn is_ready(&self) -> Result<bool> {
        are_ready(self.id(), 1)
    }

    /// Binds `bytes` bytes of memory of `device` to the endpoint. Wraps `cuLogicalEndpointBindMem`. Since CUDA 13.3.
    ///
    /// The range begins at `offset` of the endpoint and at `memory_offset` of the memory. Offsets and sizes must be multiples of
    /// the [alignment](LogicalEndpointLimits::alignment).
    ///
    /// Further conditions:
    ///
    /// - For an endpoint for one device, `device` must be its device. For a team, `device` must be an added device.
    /// - The memory must be of `device`, or of the host's NUMA node that is closest to `device`.
    /// - An imported endpoint for one device takes no memory.
    /// - If an endpoint for a team is shareable or imported, the memory must be
    ///   [shareable](crate::memory::PhysicalMemoryOptions::handle_types), too.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a range is not inside, the endpoint is not
    ///   [ready](LogicalEndpoint::is_ready), or the memory is a
    ///   [tile pool](crate::memory::PhysicalMemoryOptions::tile_pool).
    /// - [`Code::InvalidValue`]: memory is bound there already, a number is no multiple of the alignment, or `device` or
    ///   the memory is not as above.
    /// - [`Code::NotPermitted`], [`Code::NotSupported`], [`Code::OutOfMemory`], [`Code::SystemNotReady`],
    ///   [`Code::IllegalState`].
    /// - An earlier failure.
    #[doc(alias("cuLogicalEndpointBindMem", "cuLogicalEndpointQuery"))]
    pub fn bind(
        &self,
        device: Device,
        offset: usize,
        memory: &PhysicalMemory,
        memory_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let call = Symbol::cuLogicalEndpointBindMem;
        memory.refuse_tile_pool(call)?;
        ensure_inside(call, "the memory", memory_offset, bytes, memory.size_bytes())?;
        ensure_inside(call, "the endpoint", offset, bytes, self.0.bytes)?;
        self.ensure_ready(call)?;
        let (id, device_raw, memory_raw) = (self.id(), device.as_raw(), memory.as_raw());
        let [at, from, size] = [offset as u64, memory_offset as u64, bytes as u64];
        // SAFETY: the endpoint is ready, and the memory is live. The endpoint keeps the memory alive until it is unbound.
        let bound =
            unsafe { check!(cuLogicalEndpointBindMem(id, device_raw, at, memory_raw, from, size, 0)) };
        self.0.bindings.note(bound, (device, offset), bytes, Some(memory.clone()))
    }

    /// Binds the memory at an address. Wraps `cuLogicalEndpointBindAddr`. Since CUDA 13.3.
    ///
    /// `ptr`, `offset` and `bytes` must be multiples of the [alignment](LogicalEndpointLimits::alignment). Otherwise the
    /// conditions are those of [`bind`](LogicalEndpoint::bind).
    ///
    /// # Errors
    ///
    /// Same as [`bind`](LogicalEndpoint::bind).
    ///
    /// # Safety
    ///
    /// - `bytes` bytes from `ptr` on are memory of `device`, mapped or from a pool.
    /// - They stay allocated until they are unbound, or until nothing uses the endpoint any more.
    #[doc(alias("cuLogicalEndpointBindAddr", "cuLogicalEndpointQuery"))]
    pub unsafe fn bind_address(
        &self,
        device: Device,
        offset: usize,
        ptr: DevicePtr<u8>,
        bytes: usize,
    ) -> Result<()> {
        let call = Symbol::cuLogicalEndpointBindAddr;
        ensure_inside(call, "the endpoint", offset, bytes, self.0.bytes)?;
        self.ensure_ready(call)?;
        let address = without_provenance_mut(ptr.as_raw() as usize);
        let (id, device_raw, [at, size]) = (self.id(), device.as_raw(), [offset as u64, bytes as u64]);
        // SAFETY: the endpoint is ready. The caller is responsible for the memory.
        let bound = unsafe { check!(cuLogicalEndpointBindAddr(id, device_raw, at, address, size, 0)) };
        self.0.bindings.note(bound, (device, offset), bytes, None)
    }

    /// Unbinds the memory of `device` that was bound at `offset`. Wraps `cuLogicalEndpointUnbind`. Since CUDA 13.3.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): no memory was bound there by this value or its clones.
    /// - The driver's refusal. The memory stays bound.
    ///
    /// # Safety
    ///
    /// No work uses the range of the endpoint.
    #[doc(alias = "cuLogicalEndpointUnbind")]
    pub unsafe fn unbind(&self, device: Device, offset: usize) -> Result<()> {
        self.0.bindings.unbind(Symbol::cuLogicalEndpointUnbind, (device, offset), |bytes| {
            let (id, device) = (self.id(), device.as_raw());
            // SAFETY: the endpoint is live, and the range is that of one call that bound it.
            unsafe { check!(cuLogicalEndpointUnbind(id, device, offset as u64, bytes as u64)) }
        })
    }

    /// Returns a description of the endpoint for another process. Wraps `cuLogicalEndpointExport`. Since CUDA 13.3.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`] or [`Code::NotSupported`]: the endpoint is not [shareable](LogicalEndpointOptions::shareable).
    /// - [`Code::OutOfMemory`].
    #[doc(alias = "cuLogicalEndpointExport")]
    pub fn export(&self) -> Result<LogicalEndpointHandle> {
        let mut handle = CUlogicalEndpointFabricHandle { data: [0; 64] };
        let to = (&raw mut handle).cast();
        let kind = HandleType::CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC;
        // SAFETY: `to` is valid for a write of a handle of this type.
        unsafe { check!(cuLogicalEndpointExport(to, self.id(), kind)) }?;
        Ok(LogicalEndpointHandle(handle.data))
    }

    /// Destroys the endpoint, if this is the last handle to it, and returns the driver's answer. Bound memory is unbound. Wraps
    /// `cuLogicalEndpointDestroy`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuLogicalEndpointDestroy")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }

    /// Refuses an endpoint that is not ready: the driver would handle the call wrongly.
    fn ensure_ready(&self, call: Symbol) -> Result<()> {
        if self.is_ready()? {
            return Ok(());
        }
        Err(Error::invalid_for(
            call,
            format_args!("endpoint {} is not ready; add all devices, and wait until it is", self.id()),
        ))
    }
}

/// Returns whether the code means that a call that makes or destroys an endpoint did nothing. Other codes may be of earlier work.
fn is_refusal(error: &Error) -> bool {
    let code = error.code();
    code.is_none_or(|code| {
        matches!(
            code,
            Code::InvalidValue
                | Code::InvalidDevice
                | Code::NotSupported
                | Code::NotPermitted
                | Code::OutOfMemory
                | Code::NotInitialized
                | Code::Deinitialized
                | Code::CallRequiresNewerDriver
        )
    })
}

/// Destroys an endpoint that a failed call may have made, or may not have destroyed. Returns whether there is none any more.
fn ensure_destroyed(id: CUlogicalEndpointId) -> bool {
    let undone = release_alone(&mut || {
        // SAFETY: the number is reserved, and no value of this crate has its endpoint. A driver refuses a number without an endpoint.
        unsafe { check!(cuLogicalEndpointDestroy(id)) }
    });
    undone.map_or_else(|error| error.code() == Some(Code::InvalidValue), |()| true)
}

fn are_ready(first: CUlogicalEndpointId, count: u32) -> Result<bool> {
    let mut status = 0;
    // SAFETY: `status` is valid for a write.
    unsafe { check!(cuLogicalEndpointQuery(first, count, &raw mut status)) }?;
    Ok(status != 0)
}

impl Endpoint {
    fn id(&self) -> CUlogicalEndpointId {
        self.ids.0.first.wrapping_add(self.index)
    }
}

impl DriverHandle for Ids {
    fn release_call(&self) -> Symbol {
        Symbol::cuLogicalEndpointIdRelease
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        if self.used.get_mut().unwrap_or_else(PoisonError::into_inner).len() != 0 {
            // An endpoint could not be destroyed, which was reported. It keeps its number forever.
            return Ok(());
        }
        release_alone(&mut || {
            // SAFETY: the owner releases the numbers once. Their endpoints are destroyed: each keeps the numbers alive.
            unsafe { check!(cuLogicalEndpointIdRelease(self.first, self.count)) }
        })
    }
}

impl DriverHandle for Endpoint {
    fn release_call(&self) -> Symbol {
        Symbol::cuLogicalEndpointDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let destroyed = release_alone(&mut || {
            // SAFETY: the owner destroys the endpoint once, and does not use it afterwards.
            unsafe { check!(cuLogicalEndpointDestroy(self.id())) }
        });
        // A call may have done its work and report an earlier failure.
        let is_gone = match &destroyed {
            Ok(()) => true,
            Err(error) => !is_refusal(error) && ensure_destroyed(self.id()),
        };
        if is_gone {
            self.ids.used().remove(&self.index);
        }
        destroyed
    }
}

impl fmt::Debug for LogicalEndpointIds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LogicalEndpointIds({} from {} on)", self.0.count, self.0.first)
    }
}

impl fmt::Debug for LogicalEndpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LogicalEndpoint({})", self.id())
    }
}

/// Source or destination of a copy over the fabric.
#[doc(alias = "CUfabricCpyOperand")]
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum FabricOperand<'endpoint> {
    /// Memory at an address.
    #[doc(alias = "CU_FABRIC_COPY_OPERAND_TYPE_POINTER")]
    Memory(DevicePtr<u8>),
    /// Memory of a logical endpoint, from an offset in bytes on.
    #[doc(alias = "CU_FABRIC_COPY_OPERAND_TYPE_LOGICAL_ENDPOINT")]
    Endpoint(&'endpoint LogicalEndpoint, u64),
}

/// A copy over the fabric.
#[doc(alias = "CUDA_FABRIC_COPY_BATCH_OP")]
#[derive(Debug, Clone, Copy)]
pub struct FabricCopy<'endpoint> {
    /// The source.
    pub source: FabricOperand<'endpoint>,
    /// The destination.
    pub destination: FabricOperand<'endpoint>,
    /// The number of bytes.
    pub bytes: usize,
}

impl FabricOperand<'_> {
    fn as_raw(self) -> CUfabricCpyOperand {
        match self {
            FabricOperand::Memory(ptr) => {
                let location = CUmemLocation::default();
                let ptr = CUfabricCpyOperand_st__bindgen_ty_1__bindgen_ty_1 {
                    ptr: ptr.as_raw(),
                    locHint: location,
                };
                let op = CUfabricCpyOperand_st__bindgen_ty_1 { ptr };
                CUfabricCpyOperand { type_: OperandType::CU_FABRIC_COPY_OPERAND_TYPE_POINTER, op }
            }
            FabricOperand::Endpoint(endpoint, offset) => {
                let le = CUfabricCpyOperand_st__bindgen_ty_1__bindgen_ty_2 { id: endpoint.id(), offset };
                let op = CUfabricCpyOperand_st__bindgen_ty_1 { le };
                CUfabricCpyOperand { type_: OperandType::CU_FABRIC_COPY_OPERAND_TYPE_LOGICAL_ENDPOINT, op }
            }
        }
    }
}

impl Stream {
    /// Queues copies between memory and logical endpoints. Their order is arbitrary. Wraps `cuFabricCpyBatchAsync`.
    /// Since CUDA 13.5; not run on hardware.
    ///
    /// Memory is *local* if it is of the stream's device or of the host.
    ///
    /// | source | destination | condition |
    /// |---|---|---|
    /// | memory | memory | at least one side is local |
    /// | memory | endpoint | the memory is local, and the endpoint is remote |
    /// | endpoint | memory | the memory is local, and the endpoint is remote and for one device |
    ///
    /// The stream's device must have access to all operands.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the operands of a copy do not meet the conditions, or the stream is the legacy stream.
    /// - [`Code::NotSupported`]: no device supports logical endpoints.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.5.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - Each range of memory is valid for the copy, until the copy is done. The same holds for memory that is bound at the
    ///   ranges of endpoints, also in other processes.
    /// - The endpoints exist until the copies are done, and are [ready](LogicalEndpoint::is_ready).
    /// - No copy of the batch writes memory that another copy of the batch reads or writes. Other accesses are ordered
    ///   with the stream.
    /// - If the stream is being captured, the conditions hold as long as the graph is used.
    #[doc(alias = "cuFabricCpyBatchAsync")]
    pub unsafe fn copy_over_fabric(&self, copies: &[FabricCopy<'_>]) -> Result<()> {
        let operation = |copy: &FabricCopy<'_>| CUDA_FABRIC_COPY_BATCH_OP {
            src: copy.source.as_raw(),
            dst: copy.destination.as_raw(),
            size: copy.bytes,
            flags: 0,
        };
        let mut operations: Vec<CUDA_FABRIC_COPY_BATCH_OP> = copies.iter().map(operation).collect_vec();
        let (count, list) = (operations.len(), operations.as_mut_ptr());
        call_on(self, Symbol::cuFabricCpyBatchAsync, || {
            // SAFETY: the list is valid for `count` elements, and the stream is live. The caller is responsible for the memory.
            unsafe { check!(cuFabricCpyBatchAsync(count, list, 0, self.raw())) }
        })
    }
}
