//! What a program has made and not given back.

use core::fmt;

macro_rules! live_handles {
    ($($(#[doc = $doc:literal])* $field:ident: $type:ty, $one:literal, $several:literal;)*) => {
        /// What a program has made on a machine and not given back, by kind. From [`Machine::live`](crate::Machine::live).
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

            /// The counts, each with what it counts, if there is one and if there are several.
            fn counts(&self) -> impl Iterator<Item = (u64, &'static str, &'static str)> {
                [$((self.$field as u64, $one, $several)),*].into_iter()
            }
        }
    };
}

live_handles! {
    /// Contexts that were made; primary ones are counted apart.
    contexts: usize, "context", "contexts";
    /// Primary contexts that are active.
    primary_contexts: usize, "primary context", "primary contexts";
    /// How often primary contexts were retained and not released, over all devices. One that was reset stays retained.
    primary_retains: u64, "retain of a primary context", "retains of primary contexts";
    /// Green contexts.
    green_contexts: usize, "green context", "green contexts";
    /// Streams that were made.
    streams: usize, "stream", "streams";
    /// Events.
    events: usize, "event", "events";
    /// Modules, without those of libraries.
    modules: usize, "module", "modules";
    /// Libraries.
    libraries: usize, "library", "libraries";
    /// Links that were begun (`cuLinkCreate`).
    linkers: usize, "linker", "linkers";
    /// Arrays, without the levels of mipmapped ones.
    arrays: usize, "array", "arrays";
    /// Mipmapped arrays.
    mipmapped_arrays: usize, "mipmapped array", "mipmapped arrays";
    /// Buffers and images of graphics libraries that are registered.
    graphics_resources: usize, "graphics resource", "graphics resources";
    /// Texture references that were made apart (`cuTexRefCreate`).
    texture_references: usize, "texture reference", "texture references";
    /// Texture objects.
    texture_objects: usize, "texture object", "texture objects";
    /// Surface objects.
    surface_objects: usize, "surface object", "surface objects";
    /// Allocations of device memory (`cuMemAlloc` and its like).
    device_allocations: usize, "device allocation", "device allocations";
    /// What they were asked for, in bytes; of pitched ones, with the padding.
    device_bytes: u64, "byte of device memory", "bytes of device memory";
    /// Allocations from memory pools.
    pool_allocations: usize, "pool allocation", "pool allocations";
    /// The sizes that were asked for, in bytes.
    pool_bytes: u64, "byte of pools", "bytes of pools";
    /// Allocations that launches of graphs have left.
    graph_allocations: usize, "graph allocation", "graph allocations";
    /// The sizes that were asked for, in bytes.
    graph_bytes: u64, "byte of graphs", "bytes of graphs";
    /// Graphs, without those inside nodes.
    graphs: usize, "graph", "graphs";
    /// Executables of graphs.
    executables: usize, "executable graph", "executable graphs";
    /// User objects.
    user_objects: usize, "user object", "user objects";
    /// Allocations of other processes that are open (`cuIpcOpenMemHandle`), however often each is.
    opened_allocations: usize, "opened allocation", "opened allocations";
    /// What they were asked for, in bytes.
    opened_bytes: u64, "byte of other processes", "bytes of other processes";
    /// Memory of other APIs that is imported (`cuImportExternalMemory`).
    external_memories: usize, "external memory", "external memories";
    /// Buffers that are mapped onto such memory.
    external_mappings: usize, "buffer of external memory", "buffers of external memory";
    /// How many bytes they are.
    external_bytes: u64, "byte of external memory", "bytes of external memory";
    /// Semaphores of other APIs that are imported (`cuImportExternalSemaphore`).
    external_semaphores: usize, "external semaphore", "external semaphores";
    /// Allocations of page-locked memory of the host.
    host_allocations: usize, "page-locked allocation", "page-locked allocations";
    /// What they were asked for, in bytes.
    host_bytes: u64, "byte of page-locked memory", "bytes of page-locked memory";
    /// Allocations of managed memory.
    managed_allocations: usize, "managed allocation", "managed allocations";
    /// What they were asked for, in bytes.
    managed_bytes: u64, "byte of managed memory", "bytes of managed memory";
    /// Ranges of the program's own memory that are registered.
    registered_ranges: usize, "registered range", "registered ranges";
    /// How many bytes they are.
    registered_bytes: u64, "byte of registered memory", "bytes of registered memory";
    /// Handles of memory without an address (`cuMemCreate`), however often each was retained.
    memory_handles: usize, "memory handle", "memory handles";
    /// How many bytes they stand for.
    memory_bytes: u64, "byte behind memory handles", "bytes behind memory handles";
    /// Ranges of addresses that are reserved.
    reserved_ranges: usize, "reserved range", "reserved ranges";
    /// How many addresses they are.
    reserved_bytes: u64, "reserved address", "reserved addresses";
    /// Mappings of memory at addresses that are reserved.
    mapped_ranges: usize, "mapping", "mappings";
    /// How many bytes they are.
    mapped_bytes: u64, "mapped byte", "mapped bytes";
    /// Logical endpoints.
    logical_endpoints: usize, "logical endpoint", "logical endpoints";
    /// Numbers that are reserved for logical endpoints.
    logical_endpoint_ids: usize, "number for a logical endpoint", "numbers for logical endpoints";
    /// Memory pools that were made.
    memory_pools: usize, "memory pool", "memory pools";
    /// Contexts that have the memory of another within reach, each with each such other.
    peers: usize, "enabled peer", "enabled peers";
    /// Devices that have a pool of another within reach, each with each such pool.
    pool_grants: usize, "device with access to another's pool", "devices with access to others' pools";
    /// Programs of the stand-in for NVRTC. None without the feature `nvrtc`.
    nvrtc_programs: usize, "NVRTC program", "NVRTC programs";
}

impl LiveHandles {
    /// Whether everything was given back.
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
    /// What there is, in words; `nothing`, if there is nothing.
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
