//! Access of kernels and of the host to memory.
//!
//! | item | stands for |
//! |---|---|
//! | [`Viewpoint`] | where code runs: on the host, or as kernels of a context |
//! | [`MemoryCapabilities`] | capabilities of code to access memory that is not its own, as the driver answers |
//! | [`MemoryKind`], [`memory_kind`] | the memory kind, as far as access depends on it |
//! | [`Memory`], [`Parts`], [`ForeignMemory`] | values that have memory, in one piece or several |
//! | [`access`], [`can_access`], [`recorded_access`] | whether code at a viewpoint can use memory |
//! | [`Viewpoint::usually_reaches`] | a rough answer for two viewpoints, without memory |
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
//! [`Access`] has three values: [`Accessible`](Access::Accessible), [`Inaccessible`](Access::Inaccessible), or
//! [`Unverified`](Access::Unverified). The last one means that other code owns the memory, and neither its owner nor the driver
//! can tell. [`can_access`] returns `false` for unverified memory. A [checked](AccessCheck::Checked) launch
//! [reports](set_unverified_hook) it and launches. For several pieces the worst value holds.
//!
//! Access implies neither an order nor atomic operations: see the [guide](#choosing-a-memory-access-pattern).
//!
//! # Launches
//!
//! By default a launch checks nothing, with [two exceptions](AccessCheck).
//! [`set_default_access_check`] sets the policy of the process,
//! [`Kernel::with_access_check`](crate::Kernel::with_access_check) the policy of a kernel, and
//! [`Launch::access_check`](crate::launch::Launch::access_check) the policy of a launch. An [`Arg`](crate::launch::Arg) names the
//! owner of an argument's memory.
//!
//! # Between devices
//!
//! Access has a direction, and each direction is independent. For plain memory, the methods are called on the context that *gets*
//! access. For memory of a pool, they are called on the pool:
//!
//! | kernels of `near` access | supported? | enabled? | enable, disable |
//! |---|---|---|---|
//! | plain memory of `far` | [`near.peer_access_state(&far).is_supported()`](crate::peer::PeerAccessState::is_supported) | [`near.peer_access_state(&far).is_enabled()`](crate::peer::PeerAccessState::is_enabled) | [`near.enable_peer_access(&far)`](crate::Context::enable_peer_access), which includes the default pool of `far`, and [`near.disable_peer_access(&far)`](crate::Context::disable_peer_access) |
//! | memory of a `pool` of `far`'s device | [`pool.can_have_access(device)`](crate::memory::MemPool::can_have_access) | [`pool.has_access(device)`](crate::memory::MemPool::has_access) | [`pool.set_access(device, …)`](crate::memory::MemPool::set_access), with the device of `near` |
//!
//! For the other direction, swap `near` and `far`. [`peer`](crate::peer) has more.
//!
//! # Memory of other allocators
//!
//! - For an address, use [`ForeignMemory`]. The driver is queried for the memory kind. Pass memory of the host as a slice, or as
//!   [`ForeignMemory::page_locked`].
//! - For a type of your own, implement [`Memory`], with a [`MemoryOrigin`] for each piece. It can name facts that the driver does
//!   not report, such as the [pool](MemoryOrigin::of_pool).
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
//! let data = DevicePtr::<f32>::from_raw(address); // memory of another library in this context
//! // SAFETY: it is not freed before the end.
//! let memory = unsafe { ForeignMemory::on_device(&context, data) }?;
//! let args = (Arg(data, &memory),);
//! // SAFETY: the kernel touches nothing.
//! unsafe { read.with(LaunchConfig::new(1, 1)).access_check(AccessCheck::Checked).launch(&stream, args) }?;
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Driver notes
//!
//! [`Accessible`](Access::Accessible) is only returned where the capabilities guarantee it. Some machines allow more. H200s with
//! driver 580 were seen to do the following:
//!
//! | memory | returned access | on H200s |
//! |---|---|---|
//! | plain, of another context of the same device | [`Inaccessible`](Access::Inaccessible) | kernels can access it |
//! | plain, of another device, to which another context of the kernel's device has access | [`Inaccessible`](Access::Inaccessible) | kernels can access it |
//! | a variable of a module, of another device | [`Inaccessible`](Access::Inaccessible) | inaccessible, whatever access is enabled |
//!
//! Nothing guarantees the first two rows: a launch that relies on them needs [`AccessCheck::Relaxed`], and is not portable.
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
