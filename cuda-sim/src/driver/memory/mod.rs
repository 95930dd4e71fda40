//! Memory of every kind: allocation, attributes, sharing. Copies and fills are in `driver/copies`.

pub(crate) mod address_ranges;
pub(crate) mod batch_arguments;
pub(crate) mod device_memory;
pub(crate) mod dma_buf;
pub(crate) mod external_memory;
pub(crate) mod heap;
pub(crate) mod host_block;
pub(crate) mod host_memory;
pub(crate) mod host_page;
pub(crate) mod ipc_memory;
pub(crate) mod logical_endpoint;
pub(crate) mod malloc_heap;
pub(crate) mod managed;
pub(crate) mod managed_attributes;
pub(crate) mod managed_batch;
pub(crate) mod managed_entry_points;
pub(crate) mod memory_pool;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) mod memory_syscalls;
pub(crate) mod multicast;
pub(crate) mod pages;
pub(crate) mod pointer_attributes;
pub(crate) mod pool_attributes;
pub(crate) mod pool_place;
pub(crate) mod pool_reuse;
pub(crate) mod pool_sharing;
pub(crate) mod reachable_memory;
pub(crate) mod shared_mapping;
pub(crate) mod team;
pub(crate) mod virtual_memory;
pub(crate) mod virtual_memory_sharing;
pub(crate) mod written;
