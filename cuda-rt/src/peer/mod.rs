//! Peer access: access of kernels on one device to the memory of another.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`PeerAccessGuard`] | access from one context to another, until the last guard is dropped | `cuCtxDisablePeerAccess` |
//! | [`PeerChange`], [`PoolGrant`] | the outcome of enabling access, with that of the default pool | – |
//! | [`PeerAccessState`] | whether access is supported, enabled, recorded | – |
//! | [`PeerCapabilities`], [`P2pAttribute`] | capabilities of a pair of devices | – |
//! | [`AtomicOperation`], [`AtomicCapabilities`] | atomic operations that are native over the link | – |
//!
//! ```
//! # cuda_sim::install_once();
//! use cuda_rt::{Context, Device};
//!
//! let (first, second) = (Device::get(0)?, Device::get(1)?);
//! if first.can_access_peer(second)? {
//!     let (consumer, owner) = (Context::primary(first)?, Context::primary(second)?);
//!     let access = consumer.peer_access(&owner)?; // until the guard is dropped
//!     // Kernels of `consumer` can use present and future memory of `owner`.
//! }
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Direction
//!
//! Access has a direction: *from* the context whose method is called, *to* the context that is named. It belongs to the pair of
//! contexts: no device needs to be registered, and no memory. Access lasts until it is disabled, or one of the contexts ends.
//! Copies between devices need no access.
//!
//! | function | returns | undone by |
//! |---|---|---|
//! | [`enable_peer_access`](Context::enable_peer_access) | a [`PeerChange`] | [`disable_peer_access`](Context::disable_peer_access) |
//! | [`disable_peer_access`](Context::disable_peer_access) | whether access was enabled | [`enable_peer_access`](Context::enable_peer_access) |
//! | [`peer_access`](Context::peer_access) | a [`PeerAccessGuard`] | dropping the last guard |
//! | [`peer_access_state`](Context::peer_access_state) | a [`PeerAccessState`] | – |
//!
//! All guards of a pair share one count. If access is also enabled without a guard, it stays enabled after the last guard.
//! Disabling access also disables it for guards.
//!
//! # Memory pools
//!
//! Peer access covers memory of `cuMemAlloc` and similar functions. Memory of pools has access of its own, by device instead of
//! context: a kernel without it that reads a peer's pool memory fails with
//! [`IllegalAddress`](crate::error::Code::IllegalAddress). If the device has pools, [`DeviceBuf`](crate::DeviceBuf)s come from
//! the default pool. Therefore enabling peer access also gives the consumer's device access to the default pool of the owner's
//! device. When the last access ends that needs the pool, the access to the pool is disabled again, unless the device had it
//! before. [`PoolGrant`] is the outcome. [`MemPool::set_access`](crate::memory::MemPool::set_access) sets access to other pools,
//! and [`VirtualMemory::set_access`](crate::memory::VirtualMemory::set_access) to mapped memory.
//!
//! # Failures
//!
//! If a kernel uses memory without access, or loses access while it runs, it ends with
//! [`IllegalAddress`](crate::error::Code::IllegalAddress). After that the process cannot use the driver. Disabling access does
//! not wait for kernels. The driver does not wait for copies between the devices either, and a copy that loses access has the
//! same effect. This crate waits for its own copies, and for launches of graphs with memory of both devices, before it disables
//! access between contexts or to a pool. Afterwards it refuses launches of the graphs that were made before, because they may
//! still use the access: build such a graph again. The program must wait for all other work.
//!
//! While a graph is being captured, do not enable or disable access: the driver refuses. The failure invalidates the capture.
//! [`PeerAccessState::recorded`] makes no driver call.
//!
//! Arrays are a separate capability: [`PeerCapabilities::array_access`]. A texture or a surface of a peer's array keeps access
//! enabled that guards have enabled. As long as it lives, access cannot be disabled.
//!
#![doc = include_str!("../../docs/peer-access.md")]

mod access;
mod capability;
mod copies;
mod guard;
mod lease;
mod record;
mod state;

#[cfg(doc)]
use crate::context::Context;

pub use access::{PeerChange, PoolGrant};
pub use capability::{AtomicCapabilities, AtomicOperation, P2pAttribute, PeerCapabilities};
pub use guard::PeerAccessGuard;
pub use state::PeerAccessState;

pub(crate) use copies::{CopyTicket, copies_under_way, revocations};
pub(crate) use lease::PeerAccessLease;
pub(crate) use record::{change_pool_access, forget_pool, is_pool_open, pool_access, query_pool_access};
