//! The CUDA driver API, safe.
//!
//! This is the *driver* API (`libcuda`), not the CUDA runtime API (`libcudart`). It builds without a
//! CUDA toolkit, and finds the driver when the program runs.
//!
//! The [`manual`] begins with a [quick start](manual::quick_start). [`coming_from`] has guides for programmers who know another interface.
//!
//! ```
//! # cuda_sim::install_once();
//! use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
//!
//! let context = Context::primary(Device::get(0)?)?;
//! let stream = Stream::new(&context)?;
//! let module = Module::from_ptx(&context, "
//!     .version 6.4
//!     .target sm_50
//!     .address_size 64
//!     .visible .entry double(.param .u64 data) {
//!         .reg .b64 %a<3>;
//!         .reg .b32 %i;
//!         .reg .f32 %x;
//!         ld.param.u64 %a0, [data];
//!         mov.u32 %i, %tid.x;
//!         mul.wide.u32 %a1, %i, 4;
//!         add.u64 %a2, %a0, %a1;
//!         ld.global.f32 %x, [%a2];
//!         add.f32 %x, %x, %x;
//!         st.global.f32 [%a2], %x;
//!         ret;
//!     }
//! ")?;
//! let double = module.function("double")?.typed::<(DevicePtr<f32>,)>()?;
//!
//! let data = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0])?;
//! // SAFETY: 3 threads change the 3 elements of `data`, which lives on the same stream.
//! unsafe { double.launch(LaunchConfig::new(1, 3), &stream, (data.ptr(),)) }?;
//! assert_eq!(data.to_vec()?, [2.0, 4.0, 6.0]);
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Ownership
//!
//! ```text
//! Context ── Stream ── DeviceBuf      each value keeps alive the values to its left
//!        │      └── Array, PitchedBuf, ManagedBuf, VirtualMemory
//!        ├── GreenContext ── Stream     a stream of a part of the device
//!        ├── Event, PeerAccessGuard, PinnedBuf, RegisteredBuf, CachingPool, TexObject, SurfObject
//!        ├── Linker, Linked
//!        └── Module ── Function ── Kernel ── Launch
//!               └── Global, TexRef, SurfRef
//! Library ── LibraryKernel                  of no context; its Modules and Functions keep it and their context
//! PhysicalMemory ── VirtualMemory           of no context; VirtualMemory keeps the memory that is mapped to it
//! ```
//!
//! Every value that stands for a driver object keeps alive the objects that it needs. Therefore drop order does not matter, and
//! the program keeps nothing alive by hand. All such values can be sent to other threads. Only views and guards borrow.
//!
//! # Rules that hold everywhere
//!
//! - No safe function can cause undefined behaviour, provided that the driver and its PTX compiler keep their own promises.
//!   Launching a kernel is `unsafe`, because a kernel is foreign code.
//! - No function panics. The process is aborted in three cases, because the device may still use memory that the program is about
//!   to reuse. A copy fails, and waiting for its end fails, too (see [`memory`]). The end of a [`UseOn`](memory::UseOn) fails in
//!   the same way. Borrowed memory cannot be [unregistered](memory::RegisteredBuf#failed-unregistration).
//! - A function waits for the device only if its documentation has a section *Blocking*, and then as that section says. The
//!   driver may delay any call: for its own locks, or when a queue is full.
//! - A call runs in the right context, and restores the current context of the thread.
//! - An [`Error`] names the driver call. If a check before the call failed, the error names
//!   [both](crate::error::ErrorKind::NotCalled). A refusal may name the object instead of the call. The driver works
//!   asynchronously, so a call may report the failure of an earlier one.
//! - Dropping releases, and does not wait unless the documentation of the type says so. A failure of a drop goes to a
//!   [hook](handle::set_drop_hook), never to another call. Types whose release can report a failure have `close`.
//! - A process that was forked after the driver was initialised releases nothing: the driver does not survive a fork.
//!
//! # C names
//!
//! Each item says which driver function it wraps, and a search for the name of the function finds the item. The raw API is
//! re-exported as [`sys`], and handles can be converted both ways (`as_raw`, `into_raw`, `from_raw`). [`driver_functions`] maps
//! each C name to its item, and lists the functions that are not wrapped.
//!
//! # Without a GPU
//!
//! `cuda-sim` is a software driver. `cuda_sim::install_unless_gpu` at the start of a program selects the software driver if there
//! is no GPU. [Troubleshooting](manual::troubleshooting) lists other faults of a machine, by the message that a program gets.

#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Links to items that only Unix has.
#![cfg_attr(not(unix), allow(rustdoc::broken_intra_doc_links))]

#[macro_use]
mod macros;

pub mod access;
pub mod array;
pub mod checkpoint;
#[cfg(any(doc, doctest))]
pub mod coming_from;
pub mod completion;
pub mod context;
pub mod coredump;
pub mod device;
pub mod driver;
pub mod driver_functions;
pub mod error;
pub mod error_log;
pub mod event;
pub mod external;
pub mod graph;
pub mod graphics;
pub mod green;
pub mod handle;
pub mod ipc;
#[cfg(feature = "macros")]
pub mod kernels;
pub mod launch;
mod list;
#[cfg(any(doc, doctest))]
pub mod manual;
mod map;
pub mod memory;
pub mod module;
#[cfg(feature = "nvrtc")]
pub mod nvrtc;
pub mod peer;
pub mod profiler;
#[cfg(test)]
mod random;
pub mod stream;
pub mod surface;
pub mod tensor_map;
mod text;
pub mod texture;
pub mod version;

/// The traits of elements of device memory.
pub use bytemuck;
/// The raw driver API.
pub use cuda_sys as sys;

pub use array::Array;
pub use context::Context;
pub use device::Device;
pub use driver::{driver_version, init};
pub use error::{Error, Result};
pub use event::Event;
pub use launch::{Kernel, LaunchConfig};
pub use memory::{DeviceBuf, DevicePtr, DeviceSlice, DeviceSliceMut, ManagedBuf, PinnedBuf};
pub use module::{Function, Module};
pub use stream::Stream;
pub use texture::{TexObject, TexRef};
