//! The unit tests of parts of the software driver, compiled without the rest.
//!
//! The table of functions reaches the whole driver, so no module here may reach that table.

#![cfg(test)]
#![allow(dead_code, unused_imports, unused_macros, unreachable_pub, missing_docs)] // only what the unit tests use is used

#[path = "../../src/collections.rs"]
mod collections;
#[path = "../../src/config/mod.rs"]
mod config;
#[path = "../../src/console.rs"]
mod console;
#[path = "../../src/decimal.rs"]
mod decimal;
#[path = "../../src/faults/mod.rs"]
mod faults;
#[path = "../../src/generated/mod.rs"]
mod generated;
#[cfg(feature = "nvrtc")]
#[path = "../../src/nvrtc_state/mod.rs"]
mod nvrtc_state;
#[path = "../../src/reports/mod.rs"]
mod reports;
#[path = "../../src/sticky.rs"]
mod sticky;
#[path = "../../src/thread.rs"]
mod thread;

#[path = "../../src/driver"]
mod driver {
    mod call_site;
    mod handles;
    mod operations;
    mod rules;
    mod stream_order;

    mod memory {
        pub(crate) mod address_ranges;
        pub(crate) mod batch_arguments;
        pub(crate) mod heap;
        pub(crate) mod host_block;
        pub(crate) mod host_page;
        pub(crate) mod ipc_memory;
        pub(crate) mod malloc_heap;
        pub(crate) mod managed;
        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        pub(crate) mod memory_syscalls;
        pub(crate) mod pages;
        pub(crate) mod shared_mapping;
        pub(crate) mod written;
    }

    mod modules {
        mod fat_binary;
        mod verbose_log;
    }

    mod queues {
        mod default_stream;
        mod ipc_event;
    }

    pub(crate) type Answer<T = ()> = Result<T, cuda_sys::CUresult>;

    /// The parts of the state that these modules use.
    pub(crate) struct State {
        config: crate::Config,
        heap: memory::heap::Heap,
    }
}

pub(crate) use config::{
    Config, ConfigError, DirectedLink, FreedPoolMemory, HandleReuse, PeerLink, Peers, Profile, Replay,
    Schedule,
};
pub(crate) use faults::{CallRecord, FaultRule, KernelFault};
pub(crate) use reports::{LiveObject, Report, ReportKind, ReportedCall, ReportedMemory, ReportedPlace};
