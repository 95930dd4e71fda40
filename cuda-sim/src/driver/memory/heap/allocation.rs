//! Allocations: their kinds and their properties.

use crate::driver::call_site::CallSite;
use crate::driver::handles::Handle;
use cuda_sys::CUdevice;

/// Memory that a pool allocates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PoolSource {
    /// Memory of a device.
    Device,
    /// Page-locked memory of the host.
    Host,
    /// Managed memory.
    Managed,
    /// Memory of a device, from a pool that was exported by this or another process.
    Imported,
    /// Page-locked memory of the host, from a pool that was exported by this or another process.
    ImportedHost,
}

impl PoolSource {
    /// Returns whether the memory is page-locked memory of the host.
    pub(crate) fn is_host(self) -> bool {
        matches!(self, PoolSource::Host | PoolSource::ImportedHost)
    }

    /// Returns whether the memory is of a pool that this process has imported.
    pub(crate) fn is_imported(self) -> bool {
        matches!(self, PoolSource::Imported | PoolSource::ImportedHost)
    }
}

/// Kind and owner of an allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `cuMemAlloc`, owned by a context.
    Plain,
    /// Variable of a module, owned by a context.
    Variable,
    /// `cuMemAllocAsync`, owned by a pool.
    Pool(PoolSource),
    /// Texels of an array, or the workspace of a cooperative launch: without an address in the program, owned by a context.
    Array,
    /// `cuMemHostAlloc`: page-locked host memory, owned by a context.
    Host {
        /// True for write-combined memory.
        combined: bool,
    },
    /// `cuMemHostRegister`: page-locked memory of the program.
    Registered {
        /// True if registered with the flag for all contexts. Registered memory is always page-locked for all contexts.
        portable: bool,
        /// True if kernels may only read it.
        read_only: bool,
    },
    /// `cuMemAllocManaged`: owned by a context, with one address for the host and all devices.
    Managed {
        /// True for a variable of a module.
        is_variable: bool,
    },
    /// `cuIpcOpenMemHandle`: memory of another process, open in a context.
    Opened,
    /// Memory of another API, mapped in a context.
    External {
        /// True if it holds the texels of an array.
        is_array: bool,
    },
    /// Heap of `malloc` in kernels, which only kernels use, owned by a context.
    MallocHeap,
    /// Memory that a node of a graph allocates, owned by a device.
    Graph,
    /// `cuMemMap`: memory at a reserved address, without a context.
    Mapped {
        /// True for memory of the host.
        on_host: bool,
    },
}

impl Kind {
    /// Returns whether the memory is memory of the host.
    pub(crate) fn is_host(self) -> bool {
        matches!(
            self,
            Kind::Host { .. }
                | Kind::Registered { .. }
                | Kind::Pool(PoolSource::Host | PoolSource::ImportedHost)
                | Kind::Mapped { on_host: true }
        )
    }

    /// Returns whether the host can access the memory at its address. For mapped memory, the program must also have enabled
    /// access for the host.
    pub(crate) fn has_host_address(self) -> bool {
        self.is_host() || self.is_managed()
    }

    /// Returns whether the memory holds the texels of an array, or the workspace of a cooperative launch.
    pub(crate) fn is_array(self) -> bool {
        matches!(self, Kind::Array | Kind::External { is_array: true })
    }

    /// Returns whether no call may name the memory.
    pub(crate) fn is_internal(self) -> bool {
        self.is_array() || self == Kind::MallocHeap
    }

    /// Returns whether the memory has no initial contents, and only the driver and kernels write to the memory.
    pub(super) fn begins_unwritten(self) -> bool {
        matches!(self, Kind::Plain | Kind::Pool(PoolSource::Device) | Kind::Graph)
    }

    /// Returns whether the memory is mapped at a reserved address.
    pub(crate) fn is_mapped(self) -> bool {
        matches!(self, Kind::Mapped { .. })
    }

    pub(crate) fn is_managed(self) -> bool {
        matches!(self, Kind::Managed { .. } | Kind::Pool(PoolSource::Managed))
    }
}

/// One allocation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allocation {
    /// Unique number in the process.
    pub(crate) id: u64,
    pub(crate) base: u64,
    pub(crate) size: u64,
    /// Bytes that the allocation occupies in pages of the driver.
    pub(crate) room: u64,
    pub(crate) device: CUdevice,
    pub(crate) context: Handle,
    pub(crate) kind: Kind,
    /// True if the free is queued, or done in an entry of the history. The program may no longer name the allocation.
    /// Earlier work may use the allocation while the free is queued.
    pub(crate) is_freed: bool,
    pub(crate) made_by: CallSite,
    /// Call that freed the allocation, or queued its free.
    pub(crate) freed_by: CallSite,
    /// Attribute `SYNC_MEMOPS`, if it was set.
    pub(crate) synchronous: Option<bool>,
}

impl Allocation {
    /// Returns whether the memory is of a pool of the host.
    pub(crate) fn is_of_host_pool(&self) -> bool {
        matches!(self.kind, Kind::Pool(source) if source.is_host())
    }

    /// Returns whether synchronous work on the allocation always waits.
    pub(crate) fn always_waits(&self) -> bool {
        self.synchronous == Some(true)
    }
}

/// Bytes that kernels can access.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reachable {
    pub(crate) base: u64,
    pub(crate) len: u64,
    pub(crate) bytes: *mut u8,
    pub(crate) read_only: bool,
}

/// Allocation that the limit of a device refuses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shortage {
    pub(crate) device: CUdevice,
    /// Requested bytes.
    pub(crate) wanted: u64,
    /// Free bytes of the limit.
    pub(crate) free: u64,
    /// Limit in bytes.
    pub(crate) limit: u64,
}
