//! Memory and semaphores of other APIs, such as Vulkan and Direct3D, for use by work of the device.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`ExternalMemory`] | imported memory: a `CUexternalMemory` | `cuDestroyExternalMemory` |
//! | [`ExternalMemoryHandle`], [`ExternalMemoryFlags`] | exported memory, to import | – |
//! | [`DeviceBuf`] | a buffer that is mapped onto the memory | `cuMemFree` |
//! | [`MipmappedArray`] | an image that is mapped onto the memory | `cuMipmappedArrayDestroy` |
//! | [`ExternalSemaphore`] | an imported semaphore or fence: a `CUexternalSemaphore` | `cuDestroyExternalSemaphore` |
//! | [`ExternalSemaphoreHandle`], [`SemaphoreKind`] | an exported semaphore, to import | – |
//! | [`SemaphoreSignal`], [`SemaphoreWait`] | one signal and one wait, for streams and graphs | – |
//! | [`Win32Handle`] | an object of Windows | – |
//!
//! The other API creates an object that can be exported, and exports it as a handle: a file descriptor under Linux. CUDA imports
//! the handle. From then on, both APIs use the same memory, without copies. Semaphores order the work of the two APIs:
//!
//! - [`Stream::signal_semaphores`] signals when the earlier work of the stream is done. The other API waits for the signal.
//! - [`Stream::wait_semaphores`] makes later work of the stream wait until the other API has signalled.
//!
//! # Waits that are not signalled
//!
//! A wait is unfinished work of its context until the semaphore is signalled. Until then, calls that wait for all work of the
//! context do not return:
//!
//! - freeing arrays, and memory that is not of the driver's pools, by drops and `close`: see
//!   [*Blocking calls*](crate::memory#blocking-calls);
//! - freeing the blocks of a [`CachingPool`](crate::memory::CachingPool) or
//!   [`PinnedPool`](crate::memory::PinnedPool): trimming it, disabling its caching, dropping it,
//!   and allocating from it when memory runs out;
//! - unloading a module, destroying a semaphore, and destroying the context.
//!
//! Meanwhile, these calls may hold up calls of other threads. If the program itself signals the semaphore, it must make no such
//! call before the signal.
//!
//! # Graphs
//!
//! Work in graphs signals and waits, too: see [`AddNodes::semaphore_signal`](crate::graph::AddNodes::semaphore_signal), and
//! [`Capture::signal_semaphores`](crate::graph::Capture::signal_semaphores) for captures.
//!
//! ```no_run
//! # let (context, stream) = cuda_doc::stream()?;
//! # let export = || -> std::os::fd::OwnedFd { todo!() };
//! # let (memory, semaphore) = (export(), export());
//! use cuda_rt::external::*;
//!
//! let handle = ExternalMemoryHandle::OpaqueFd(memory);
//! // SAFETY: Vulkan has exported memory of this size, and uses it in the order of the semaphore below.
//! let memory = unsafe { ExternalMemory::import(&context, handle, 1 << 20, ExternalMemoryFlags::default()) }?;
//! // SAFETY: the only mapping.
//! let mut buffer = unsafe { memory.buffer::<f32>(&stream, 0, 1 << 18) }?;
//! let handle = ExternalSemaphoreHandle::TimelineFd(semaphore);
//! // SAFETY: a timeline semaphore. Vulkan signals odd values, this stream even ones, in turn.
//! let turns = unsafe { ExternalSemaphore::import(&context, handle) }?;
//! for frame in 0.. {
//!     stream.wait_semaphores(&[SemaphoreWait::value(&turns, 2 * frame + 1)])?;
//!     buffer.as_slice_mut().fill(1.0)?;
//!     stream.signal_semaphores(&[SemaphoreSignal::value(&turns, 2 * frame + 2)])?;
//! }
//! # Ok::<(), cuda_rt::Error>(())
//! ```

mod handle;
mod memory;
mod operation;
mod semaphore;

pub use handle::{ExternalMemoryHandle, ExternalSemaphoreHandle, Win32Handle};
pub use memory::{ExternalMemory, ExternalMemoryFlags};
pub(crate) use operation::{RawSemaphores, raw_signals, raw_waits};
pub use operation::{SemaphoreSignal, SemaphoreWait};
pub use semaphore::{ExternalSemaphore, SemaphoreKind};

#[cfg(doc)]
use crate::array::MipmappedArray;
#[cfg(doc)]
use crate::memory::DeviceBuf;
#[cfg(doc)]
use crate::stream::Stream;
