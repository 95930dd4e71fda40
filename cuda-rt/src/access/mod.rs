//! Who has access to what: kernels to memory of the host and of other devices, and the host to memory of devices.
//!
//! | item | says |
//! |---|---|
//! | [`Viewpoint`] | where code runs: on the host, or as kernels of a context |
//! | [`MemoryCapabilities`] | what code at a place can do with memory of others, as the driver answers |
//! | [`MemoryKind`], [`memory_kind`] | what memory is, as far as access goes by it |
//! | [`Memory`], [`Parts`], [`ForeignMemory`] | what has memory, in one piece or several |
//! | [`access`], [`can_access`], [`recorded_access`] | whether code at a place can use memory |
//! | [`Viewpoint::usually_reaches`] | the same of two places, roughly, before there is any memory |
//! | [`AccessCheck`], [`AccessError`] | launches that check the memory of their arguments |
//!
//! ```
//! # cuda_sim::install_once();
//! use cuda_rt::access::{Access, Viewpoint, access};
//! use cuda_rt::{Context, Device, DeviceBuf, PinnedBuf, Stream};
//!
//! let context = Context::primary(Device::get(0)?)?;
//! let buffer = DeviceBuf::<f32>::zeroed(&Stream::new(&context)?, 100)?;
//! let locked = PinnedBuf::<f32>::zeroed(&context, 100)?;
//! assert_eq!(access(Viewpoint::Host, &buffer)?, Access::Inaccessible);
//! assert_eq!(access(&context, &(&buffer, &locked))?, Access::Accessible);
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Three answers
//!
//! [`Access`] is known to be there, known not to be, or [`Unverified`](Access::Unverified): the memory is somebody else's, and
//! neither its owner nor the driver can tell. [`can_access`] takes that for a no, a [checked](AccessCheck::Checked) launch
//! [tells](set_unverified_hook) of it and goes on. Of several pieces the worst answer counts.
//!
//! That there is access says nothing of order, nor of atomic operations: see the [guide](#choosing-a-memory-access-pattern).
//!
//! # Launches
//!
//! By default a launch checks nothing. [`set_default_access_check`] sets the policy of the process,
//! [`Kernel::with_access_check`](crate::Kernel::with_access_check) the policy of a kernel, and
//! [`Launch::access_check`](crate::launch::Launch::access_check) the policy of a launch. An
//! [`Arg`](crate::launch::Arg) names the owner of an argument's memory.
//!
//! # Between devices
//!
//! Access goes one way, and each way is a state of its own. The receiver is the one that is to *have* access to plain memory,
//! and the pool is the one that is *opened*:
//!
//! | for kernels of `near` to reach | can it be? | is it? | let it be, or not |
//! |---|---|---|---|
//! | plain memory of `far` | [`near.peer_access_state(&far).is_supported()`](crate::peer::PeerAccessState::is_supported) | [`near.peer_access_state(&far).is_enabled()`](crate::peer::PeerAccessState::is_enabled) | [`near.enable_peer_access(&far)`](crate::Context::enable_peer_access), which includes the default pool of `far`, and [`near.disable_peer_access(&far)`](crate::Context::disable_peer_access) |
//! | memory of a `pool` of `far`'s device | [`pool.can_have_access(device)`](crate::memory::MemPool::can_have_access) | [`pool.has_access(device)`](crate::memory::MemPool::has_access) | [`pool.set_access(device, …)`](crate::memory::MemPool::set_access), `device` being that of `near` |
//!
//! For the other way, swap `near` and `far`. More in [`peer`](crate::peer).
//!
//! # Memory of other allocators
//!
//! - An address: [`ForeignMemory`]. The driver is asked what it is. Memory of the host comes as a slice, or as
//!   [`ForeignMemory::page_locked`].
//! - A type of your own: implement [`Memory`] for it, by a [`MemoryOrigin`] for each piece. That can say what the driver does
//!   not know, such as the [pool](MemoryOrigin::of_pool).
//!
//! ```
//! # cuda_sim::install_once();
//! # use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
//! # let context = Context::primary(Device::get(0)?)?;
//! # let stream = Stream::new(&context)?;
//! # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry read(.param .u64 data) { ret; }";
//! # let read = Module::from_ptx(&context, ptx)?.function("read")?.typed::<(DevicePtr<f32>,)>()?;
//! # let buffer = DeviceBuf::<f32>::zeroed(&stream, 100)?;
//! # let address = buffer.ptr().as_raw();
//! use cuda_rt::access::{AccessCheck, ForeignMemory};
//! use cuda_rt::launch::Arg;
//!
//! let data = DevicePtr::<f32>::from_raw(address); // what another library has allocated in this context
//! // SAFETY: it is not freed before the end.
//! let memory = unsafe { ForeignMemory::on_device(&context, data) }?;
//! let args = (Arg(data, &memory),);
//! // SAFETY: the kernel touches nothing.
//! unsafe { read.with(LaunchConfig::new(1, 1)).access_check(AccessCheck::Checked).launch(&stream, args) }?;
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # What is measured, and what the table says
//!
//! A [yes](access()) promises what holds wherever the capabilities are the same, so it is more careful than some machines. What
//! H200s were seen to do beside it:
//!
//! | memory | answer | on H200s |
//! |---|---|---|
//! | plain, of another context of the same device | [`Inaccessible`](Access::Inaccessible) | kernels reach it |
//! | plain, of another device, to which another context of the kernel's device has access | [`Inaccessible`](Access::Inaccessible) | kernels reach it |
//! | a variable of a module, of another device | [`Inaccessible`](Access::Inaccessible) | out of reach, whatever access there is |
//!
//! Nothing promises the first two: a launch that relies on them goes with [`AccessCheck::Relaxed`], and not everywhere.
//!
//! # From Warp
//!
//! The answers follow the decision table of NVIDIA Warp's `can_access`. The [guide](crate::coming_from::warp) has the names.
#![doc = include_str!("../../docs/access-patterns.md")]

mod capabilities;
mod check;
mod classify;
mod decide;
mod error;
mod foreign;
mod kind;
mod memory;
mod origin;
mod policy;
mod query;
mod unverified;
mod viewpoint;

pub use capabilities::MemoryCapabilities;
pub use decide::Access;
pub use error::AccessError;
pub use foreign::ForeignMemory;
pub use kind::MemoryKind;
pub use memory::{Memory, Parts};
pub use origin::{MemoryOrigin, MemoryOwner};
pub use policy::{AccessCheck, default_access_check, set_default_access_check};
pub use query::{access, can_access, memory_kind, recorded_access};
pub use unverified::set_unverified_hook;
pub use viewpoint::Viewpoint;

pub(crate) use check::{AccessProbe, AccessProbes, check_access, origin_of_address};
pub(crate) use origin::OriginKeep;
