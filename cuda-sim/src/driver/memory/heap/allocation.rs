//! Allocations: their kinds, and what is known of each.

use crate::driver::call_site::CallSite;
use crate::driver::handles::Handle;
use cuda_sys::CUdevice;

/// The memory that a pool gives out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PoolSource {
    /// Memory of a device.
    Device,
    /// Page-locked memory of the host.
    Host,
    /// Managed memory.
    Managed,
    /// Memory of a device, of a pool that another process or this one has exported.
    Imported,
}

/// Who an allocation belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `cuMemAlloc`: of a context.
    Plain,
    /// A variable of a module: of a context.
    Variable,
    /// `cuMemAllocAsync`: of a pool.
    Pool(PoolSource),
    /// The texels of arrays, which have no address that a program knows: of a context.
    Array,
    /// `cuMemHostAlloc`: page-locked host memory, of a context.
    Host {
        /// If true, writes are combined.
        combined: bool,
    },
    /// `cuMemHostRegister`: memory of the program, page-locked.
    Registered {
        /// The flag for all contexts. Registered memory is page-locked for all in any case.
        portable: bool,
        /// If true, kernels may only read it.
        read_only: bool,
    },
    /// `cuMemAllocManaged`: of a context, at one address for the host and all devices.
    Managed {
        /// If true, it is a variable of a module.
        is_variable: bool,
    },
    /// `cuIpcOpenMemHandle`: of another process, open in a context.
    Opened,
    /// Memory of another API, mapped in a context.
    External {
        /// If true, it has the texels of an array.
        is_array: bool,
    },
    /// The heap of `malloc` in kernels, which only kernels know: of a context.
    MallocHeap,
    /// Memory that a node of a graph allocates: of a device.
    Graph,
    /// `cuMemMap`: memory at an address that was reserved, of no context.
    Mapped,
}

impl Kind {
    /// Returns whether it is memory of the host.
    pub(crate) fn is_host(self) -> bool {
        matches!(self, Kind::Host { .. } | Kind::Registered { .. } | Kind::Pool(PoolSource::Host))
    }

    /// Returns whether the host reaches it by its address.
    pub(crate) fn has_host_address(self) -> bool {
        self.is_host() || self.is_managed()
    }

    /// Returns whether it has the texels of an array, which have no address that a program knows.
    pub(crate) fn is_array(self) -> bool {
        matches!(self, Kind::Array | Kind::External { is_array: true })
    }

    /// Returns whether no call may name it.
    pub(crate) fn is_internal(self) -> bool {
        self.is_array() || self == Kind::MallocHeap
    }

    /// Returns whether nothing but the driver and kernels writes it, and nothing is in it at first.
    pub(super) fn begins_unwritten(self) -> bool {
        matches!(self, Kind::Plain | Kind::Pool(PoolSource::Device) | Kind::Graph)
    }

    pub(crate) fn is_managed(self) -> bool {
        matches!(self, Kind::Managed { .. } | Kind::Pool(PoolSource::Managed))
    }
}

/// One allocation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allocation {
    /// No other of the process has it, or ever had.
    pub(crate) id: u64,
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) device: CUdevice,
    pub(crate) context: Handle,
    pub(crate) kind: Kind,
    /// If true, it is queued to be freed. The program may not name it any more, but earlier work may use it.
    pub(crate) is_freed: bool,
    pub(crate) made_by: CallSite,
    /// The call that freed it, or queued that.
    pub(crate) freed_by: CallSite,
    /// The attribute `SYNC_MEMOPS`, if it was set.
    pub(crate) synchronous: Option<bool>,
}

impl Allocation {
    /// Returns whether it is memory of a pool of the host.
    pub(crate) fn is_of_host_pool(&self) -> bool {
        self.kind == Kind::Pool(PoolSource::Host)
    }

    /// Returns whether synchronous work on it waits in any case.
    pub(crate) fn always_waits(&self) -> bool {
        self.synchronous == Some(true)
    }
}

/// Bytes that kernels can reach.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reachable {
    pub(crate) base: u64,
    pub(crate) len: u64,
    pub(crate) bytes: *mut u8,
    pub(crate) read_only: bool,
}

/// An allocation that [`Config::memory_bytes`](crate::Config::memory_bytes) refuses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shortage {
    pub(crate) device: CUdevice,
    /// Bytes wanted, those that are free, and the limit.
    pub(crate) wanted: u64,
    pub(crate) free: u64,
    pub(crate) limit: u64,
}
