//! Tests that only the software driver allows, each on a machine of its own.
//!
//! All of it is one program, since each program is linked with the software driver.

mod counts;
mod graph_launches;
mod green_contexts;
#[cfg(target_os = "linux")]
mod host_ranges;
mod late_failures;
mod machines;
mod memory;
mod peer_faults;
mod peer_textures;
mod peer_topologies;
mod pools_and_ranges;
mod work_between_devices;
mod wrong_counts;
