//! Peer access: kernels on one device that reach the memory of another.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`PeerAccess`] | access from one context to another, as long as somebody needs it | `cuCtxDisablePeerAccess` |
//! | [`PoolAccess`] | whether memory of pools is within reach too | – |
//! | [`PeerCapabilities`], [`P2pAttribute`] | what a pair of devices can do | – |
//!
//! ```
//! # cuda_sim::install_once();
//! use cuda_rt::{Context, Device};
//!
//! let (first, second) = (Device::get(0)?, Device::get(1)?);
//! if first.can_access_peer(second)? {
//!     let (consumer, owner) = (Context::primary(first)?, Context::primary(second)?);
//!     let access = consumer.peer_access(&owner)?; // until it is dropped
//!     // Kernels of `consumer` reach what was and will be allocated in `owner`.
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
//! | function | when it is on already | undone by |
//! |---|---|---|
//! | [`enable_peer_access`](Context::enable_peer_access) | an error | [`disable_peer_access`](Context::disable_peer_access) |
//! | [`ensure_peer_access`](Context::ensure_peer_access) | `Ok(false)` | [`ensure_no_peer_access`](Context::ensure_no_peer_access) |
//! | [`peer_access`](Context::peer_access) | a guard that leaves it on | dropping the last guard |
//!
//! All guards of a pair share one count. Asking for access by one of the other functions keeps it on when they are gone;
//! disabling it takes it from them too.
//!
//! # Memory pools
//!
//! Enabling covers what `cuMemAlloc` and its like have allocated. Memory of pools has access of its own, by device
//! instead of context (measured: a kernel that reads a peer's pool memory without it fails with
//! [`IllegalAddress`](crate::error::Code::IllegalAddress)), and [`DeviceBuf`](crate::DeviceBuf)s come from the default pool where
//! there is one. So the functions here open the default pool of the owner's device to the device of the consumer as well,
//! and close it again with the last access that needed it, unless it was open before. [`PoolAccess`] says what came of it.
//! To other pools access is given by [`MemPool::set_access`](crate::memory::MemPool::set_access), and to mapped memory by
//! [`VirtualMemory::set_access`](crate::memory::VirtualMemory::set_access).
//!
//! # What goes wrong
//!
//! A kernel that uses memory out of reach, or whose access is taken away while it runs, ends with
//! [`IllegalAddress`](crate::error::Code::IllegalAddress): with that the process has lost the driver. Disabling does not wait for
//! kernels (measured). Nor does the driver wait for copies between the devices, which end everything likewise (measured:
//! 719); therefore this crate waits for its own, before it turns access off or closes a pool. Those of others are theirs
//! to wait for. While a graph is being captured the functions here must not be called: the driver refuses, and
//! the capture is lost (measured). [`recorded_peer_access`](Context::recorded_peer_access) asks nobody.
//!
//! Arrays are a capability of their own: [`PeerCapabilities::array_access`]. A texture or a surface of a peer's array keeps
//! access on that guards have turned on, and until it is gone, nobody can disable access.
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

pub use access::PoolAccess;
pub use capability::{AtomicCapabilities, AtomicOperation, P2pAttribute, PeerCapabilities};
pub use guard::PeerAccess;

pub(crate) use copies::{CopyTicket, copies_under_way};
pub(crate) use lease::PeerAccessLease;
pub(crate) use record::{change_pool_access, forget_pool, is_pool_open, pool_access, query_pool_access};
