//! Peer access: kernels on one device that reach the memory of another.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`PeerAccessGuard`] | access from one context to another, until the last guard is dropped | `cuCtxDisablePeerAccess` |
//! | [`PeerChange`], [`PoolGrant`] | what enabling access has changed, and whether it covers the default pool | – |
//! | [`PeerAccessState`] | whether access is supported, enabled, recorded | – |
//! | [`PeerCapabilities`], [`P2pAttribute`] | what a pair of devices can do | – |
//! | [`AtomicOperation`], [`AtomicCapabilities`] | which atomic operations are native over the link | – |
//!
//! ```
//! # cuda_sim::install_once();
//! use cuda_rt::{Context, Device};
//!
//! let (first, second) = (Device::get(0)?, Device::get(1)?);
//! if first.can_access_peer(second)? {
//!     let (consumer, owner) = (Context::primary(first)?, Context::primary(second)?);
//!     let access = consumer.peer_access(&owner)?; // until it is dropped
//!     // Kernels of `consumer` can use what was and will be allocated in `owner`.
//! }
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Direction
//!
//! Access goes one way: *from* the context whose method is called, *to* the one that is named. It belongs to the pair of
//! contexts, so it needs no device to be registered, and no memory. It lasts until it is disabled, or one of the two ends.
//! Copies between devices need none of it.
//!
//! | function | returns | undone by |
//! |---|---|---|
//! | [`enable_peer_access`](Context::enable_peer_access) | a [`PeerChange`] | [`disable_peer_access`](Context::disable_peer_access) |
//! | [`disable_peer_access`](Context::disable_peer_access) | whether access was enabled | [`enable_peer_access`](Context::enable_peer_access) |
//! | [`peer_access`](Context::peer_access) | a [`PeerAccessGuard`] | dropping the last guard |
//! | [`peer_access_state`](Context::peer_access_state) | a [`PeerAccessState`] | – |
//!
//! All guards of a pair share one count. If access is also enabled without a guard, it stays enabled after the last guard.
//! Disabling takes it from guards, too.
//!
//! # Memory pools
//!
//! Enabling covers what `cuMemAlloc` and its like have allocated. Memory of pools has access of its own, by device instead of
//! context: a kernel that reads a peer's pool memory without it fails with
//! [`IllegalAddress`](crate::error::Code::IllegalAddress). [`DeviceBuf`](crate::DeviceBuf)s come from the default pool where
//! there is one. So enabling also gives the consumer's device access to the default pool of the owner's device. The last access
//! that needs the pool takes that away again, unless the device had it before. [`PoolGrant`] is the outcome. For other pools
//! there is [`MemPool::set_access`](crate::memory::MemPool::set_access), and for mapped memory
//! [`VirtualMemory::set_access`](crate::memory::VirtualMemory::set_access).
//!
//! # Failures
//!
//! If a kernel uses memory without access, or loses access while it runs, it ends with
//! [`IllegalAddress`](crate::error::Code::IllegalAddress). After that the process cannot use the driver. Disabling does not wait
//! for kernels. The driver does not wait for copies between the devices either, and they end everything likewise. This crate
//! waits for its own copies before it disables access or takes access to a pool away. The program must wait for all others.
//!
//! While a graph is being captured, enabling and disabling must not be called: the driver refuses. The failure invalidates the
//! capture. [`PeerAccessState::recorded`] calls no driver function.
//!
//! Arrays are a capability of their own: [`PeerCapabilities::array_access`]. A texture or a surface of a peer's array keeps
//! access enabled that guards have enabled. As long as it lives, access cannot be disabled.
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

pub(crate) use copies::{CopyTicket, copies_under_way};
pub(crate) use lease::PeerAccessLease;
pub(crate) use record::{change_pool_access, forget_pool, is_pool_open, pool_access, query_pool_access};
