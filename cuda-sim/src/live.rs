//! Live objects of a program.

use core::fmt;

macro_rules! live_handles {
    ($($(#[doc = $doc:literal])* $field:ident: $type:ty, $one:literal, $several:literal;)*) => {
        /// Numbers of objects that a program has created on a machine and not released, by kind. From
        /// [`Machine::live`](crate::Machine::live).
        ///
        /// # Examples
        ///
        /// A program that forgets an allocation:
        ///
        /// ```
        /// use cuda_sim::{Config, Machine};
        /// use cuda_sys::{CUresult, cuCtxCreate_v2, cuCtxDestroy_v2, cuInit, cuMemAlloc_v2};
        ///
        /// cuda_sim::install_once().unwrap();
        /// let machine = Machine::new(Config::default());
        /// let entered = machine.enter();
        /// let (mut context, mut address) = (std::ptr::null_mut(), 0);
        /// // SAFETY: no flags, as the API demands.
        /// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
        /// // SAFETY: `context` is valid for a write.
        /// assert_eq!(unsafe { cuCtxCreate_v2(&mut context, 0, 0) }, CUresult::CUDA_SUCCESS);
        /// // SAFETY: `address` is valid for a write.
        /// assert_eq!(unsafe { cuMemAlloc_v2(&mut address, 100) }, CUresult::CUDA_SUCCESS);
        ///
        /// let live = machine.live();
        /// assert_eq!((live.contexts, live.device_allocations, live.device_bytes), (1, 1, 100));
        /// assert_eq!(live.to_string(), "1 context, 1 device allocation, 100 bytes of device memory");
        ///
        /// // SAFETY: the context is live; its memory goes with it.
        /// assert_eq!(unsafe { cuCtxDestroy_v2(context) }, CUresult::CUDA_SUCCESS);
        /// assert!(machine.live().is_empty());
        /// assert_eq!(machine.live().to_string(), "nothing");
        /// # drop(entered);
        /// ```
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct LiveHandles {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl LiveHandles {
            /// Subtracts the counts of `other`.
            pub(crate) fn without(&self, other: &LiveHandles) -> LiveHandles {
                LiveHandles { $($field: self.$field.saturating_sub(other.$field),)* }
            }

            /// Returns the counts, each with its noun in the singular and in the plural.
            fn counts(&self) -> impl Iterator<Item = (u64, &'static str, &'static str)> {
                [$((self.$field as u64, $one, $several)),*].into_iter()
            }
        }
    };
}

live_handles! {
    /// Created contexts. Primary contexts are counted separately.
    contexts: usize, "context", "contexts";
    /// Active primary contexts.
    primary_contexts: usize, "primary context", "primary contexts";
    /// Retains of primary contexts that were not released, over all devices. A primary context that was reset stays
    /// retained.
    primary_retains: u64, "retain of a primary context", "retains of primary contexts";
    /// Green contexts.
    green_contexts: usize, "green context", "green contexts";
    /// Created streams.
    streams: usize, "stream", "streams";
    /// Events.
    events: usize, "event", "events";
    /// Modules, except those of libraries.
    modules: usize, "module", "modules";
    /// Libraries.
    libraries: usize, "library", "libraries";
    /// Links in progress (`cuLinkCreate`).
    linkers: usize, "linker", "linkers";
    /// Arrays, except the levels of mipmapped ones.
    arrays: usize, "array", "arrays";
    /// Mipmapped arrays.
    mipmapped_arrays: usize, "mipmapped array", "mipmapped arrays";
    /// Registered buffers and images of graphics libraries.
    graphics_resources: usize, "graphics resource", "graphics resources";
    /// Texture references created by `cuTexRefCreate`.
    texture_references: usize, "texture reference", "texture references";
    /// Texture objects.
    texture_objects: usize, "texture object", "texture objects";
    /// Surface objects.
    surface_objects: usize, "surface object", "surface objects";
    /// Allocations of device memory (such as `cuMemAlloc`).
    device_allocations: usize, "device allocation", "device allocations";
    /// Requested sizes in bytes; for pitched memory, with the padding.
    device_bytes: u64, "byte of device memory", "bytes of device memory";
    /// Allocations from memory pools.
    pool_allocations: usize, "pool allocation", "pool allocations";
    /// Requested sizes in bytes.
    pool_bytes: u64, "byte of pools", "bytes of pools";
    /// Allocations that remain after launches of graphs.
    graph_allocations: usize, "graph allocation", "graph allocations";
    /// Requested sizes in bytes.
    graph_bytes: u64, "byte of graphs", "bytes of graphs";
    /// Graphs, except those inside nodes.
    graphs: usize, "graph", "graphs";
    /// Executables of graphs.
    executables: usize, "executable graph", "executable graphs";
    /// User objects.
    user_objects: usize, "user object", "user objects";
    /// Open allocations of other processes (`cuIpcOpenMemHandle`), each counted once.
    opened_allocations: usize, "opened allocation", "opened allocations";
    /// Requested sizes in bytes.
    opened_bytes: u64, "byte of other processes", "bytes of other processes";
    /// Imported memory of other APIs (`cuImportExternalMemory`).
    external_memories: usize, "external memory", "external memories";
    /// Buffers mapped to such memory.
    external_mappings: usize, "buffer of external memory", "buffers of external memory";
    /// Sizes in bytes.
    external_bytes: u64, "byte of external memory", "bytes of external memory";
    /// Imported semaphores of other APIs (`cuImportExternalSemaphore`).
    external_semaphores: usize, "external semaphore", "external semaphores";
    /// Allocations of page-locked memory of the host.
    host_allocations: usize, "page-locked allocation", "page-locked allocations";
    /// Requested sizes in bytes.
    host_bytes: u64, "byte of page-locked memory", "bytes of page-locked memory";
    /// Allocations of managed memory.
    managed_allocations: usize, "managed allocation", "managed allocations";
    /// Requested sizes in bytes.
    managed_bytes: u64, "byte of managed memory", "bytes of managed memory";
    /// Registered ranges of the program's own memory.
    registered_ranges: usize, "registered range", "registered ranges";
    /// Sizes in bytes.
    registered_bytes: u64, "byte of registered memory", "bytes of registered memory";
    /// Handles of physical memory (`cuMemCreate`), each counted once.
    memory_handles: usize, "memory handle", "memory handles";
    /// Sizes of that memory in bytes.
    memory_bytes: u64, "byte behind memory handles", "bytes behind memory handles";
    /// Reserved address ranges.
    reserved_ranges: usize, "reserved range", "reserved ranges";
    /// Number of reserved addresses.
    reserved_bytes: u64, "reserved address", "reserved addresses";
    /// Mappings of memory at reserved addresses.
    mapped_ranges: usize, "mapping", "mappings";
    /// Sizes in bytes.
    mapped_bytes: u64, "mapped byte", "mapped bytes";
    /// Logical endpoints.
    logical_endpoints: usize, "logical endpoint", "logical endpoints";
    /// Reserved numbers of logical endpoints.
    logical_endpoint_ids: usize, "number for a logical endpoint", "numbers for logical endpoints";
    /// Created memory pools. A pool that was current, and is neither current nor has memory, does not count: on hardware, its
    /// destruction can crash while another thread allocates.
    memory_pools: usize, "memory pool", "memory pools";
    /// Pairs of a context and another context to which it has peer access.
    peers: usize, "enabled peer", "enabled peers";
    /// Pairs of a device and a pool of another device to which it has access.
    pool_grants: usize, "device with access to another's pool", "devices with access to others' pools";
    /// Programs of the stand-in for NVRTC. Always 0 without the feature `nvrtc`.
    nvrtc_programs: usize, "NVRTC program", "NVRTC programs";
}

impl LiveHandles {
    /// Returns whether everything was released.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(cuda_sim::LiveHandles::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == LiveHandles::default()
    }
}

impl fmt::Display for LiveHandles {
    /// Writes the counts in words, or `nothing` if all are 0.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return formatter.write_str("nothing");
        }
        let there = self.counts().filter(|(count, ..)| *count > 0);
        for (index, (count, one, several)) in there.enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(formatter, "{comma}{count} {}", if count == 1 { one } else { several })?;
        }
        Ok(())
    }
}
