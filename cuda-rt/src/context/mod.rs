//! Contexts: the state of a process on a device.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`Context`] | a `CUcontext`: primary, created, or foreign | `cuDevicePrimaryCtxRelease`, `cuCtxDestroy`, or dropping its owner |
//! | [`ContextGuard`] | a guard under which the context is current on this thread | `cuCtxPopCurrent` |
//! | [`PromisedCurrent`] | the program's promise that the context stays current on this thread | – |
//! | [`ContextFlags`] | how host threads wait, and other settings of a context | – |
//! | [`GraphicsClient`] | a client of a graphics API that a context shares its device with | – |
//! | [`Limit`] | a limit of a context, such as the stack size of its kernels | – |
//! | [`RemoteWritesScope`] | the readers for which writes of other devices are made visible | – |
//! | [`MemoryInfo`] | the free and the total memory of a device | – |
//!
//! Most programs use the [primary context](Context::primary), which the CUDA runtime API uses too.
//!
//! Every object that is made in a context keeps the context alive. Every driver call of this crate makes the right context
//! current by itself, and then restores the thread's own current context. So a program need not enter a context, unless it calls
//! the raw API.
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#contexts) leads from the names of PyCUDA to the items here.

#![allow(unsafe_code)]

mod affinity;
mod cache;
pub(crate) mod capture_state;
mod creation;
mod current_context;
mod flags;
mod guard;
mod holders;
mod id;
mod limit;
mod memory_info;
mod owner;
mod primary;
mod promised_current;
mod properties;
pub(crate) mod queued_functions;
mod registry;
mod releasing;
mod remote_writes;
mod stack;
mod wait_for_all;

pub use affinity::ExecAffinity;
pub use cache::{CacheConfig, SharedMemConfig};
pub use creation::GraphicsClient;
pub use flags::ContextFlags;
pub use guard::ContextGuard;
pub use limit::Limit;
pub use memory_info::MemoryInfo;
pub use primary::PrimaryContextState;
pub use promised_current::PromisedCurrent;
pub use remote_writes::RemoteWritesScope;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::handle::{Owned, is_promised, release_waiting};
pub(crate) use capture_state::{OwnCapture, strict_captures};
use core::any::Any;
use core::fmt;
use cuda_sys::{CUcontext, CUresult, Symbol, cuCtxGetId};
use current_context::current;
pub(crate) use current_context::{CurrentContextGuard, is_of_another_machine};
pub(crate) use holders::{ContextObserver, EndAccess, observe};
pub(crate) use id::{ContextId, is_live};
use owner::{Inner, Kind};
pub(crate) use releasing::{
    ContextRequirement, RelaxedCaptureMode, ask_if_alive, call_by_handle, call_in_context, ensure_lives,
    is_gone, past_captures, release_after, release_again, release_alone, release_by_handle, release_in,
    retry_once, wants_context,
};
use std::sync::Arc;
use wait_for_all::wait_by_free;
pub(crate) use wait_for_all::wait_for_all;

/// A CUDA context. Clones are handles to the same context. The last handle to the context, or to an object made in it, releases
/// the context.
///
/// # Blocking
///
/// The drop of the last handle waits in three cases:
///
/// - Every context: until the copies of this crate from and to other devices are done.
/// - A created context: until all work queued in it is done.
/// - A primary context that no other code of the process has retained: the same.
///
/// Drivers may also wait for work of other contexts, on other devices too. If waiting for the copies fails, the context is not
/// released, and the [hook](crate::handle::set_drop_hook) receives the failure.
///
/// # Raw calls
///
/// Raw calls can reset a primary context, and destroy any context, while this crate has objects in it. Such calls are `unsafe`:
/// the caller must not use any object of the context afterwards, because the driver crashes on their handles. With a driver for
/// CUDA 12.0 or newer, the objects can still be dropped. The drop notices the destroyed context, leaves the handle alone, and
/// reports [`ContextLost`](crate::error::ErrorKind::ContextLost) to the [hook](crate::handle::set_drop_hook). Older drivers
/// cannot be queried: there, the program must forget the objects.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Context, Device};
///
/// let context = Context::primary(Device::get(0)?)?;
/// assert_eq!(context.device(), Device::get(0)?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUcontext")]
#[derive(Clone)]
pub struct Context(Arc<Owned<Inner>>);

impl Context {
    /// Returns the device's primary context, which the whole process shares, including the CUDA runtime API.
    ///
    /// The context is not made current. Wraps `cuDevicePrimaryCtxRetain`.
    ///
    /// # Errors
    ///
    /// - [`Code::OutOfMemory`](crate::error::Code::OutOfMemory): the device has too little free memory for a context.
    /// - [`Code::DeviceUnavailable`](crate::error::Code::DeviceUnavailable): the
    ///   [compute mode](Device::compute_mode) of the device does not allow another context.
    /// - Another failure of the driver to create the context.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    ///
    /// let device = Device::get(0)?;
    /// assert_eq!(Context::primary(device)?, Context::primary(device)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease"))]
    pub fn primary(device: Device) -> Result<Context> {
        Inner::retain(device)?.on(device)
    }

    /// Takes ownership of a raw context, which is destroyed with the last handle to it.
    ///
    /// The call does not change the current context. If `cuCtxCreate` has left `raw` current, it stays current.
    ///
    /// # Errors
    ///
    /// - The driver does not know the context.
    /// - An earlier failure.
    ///
    /// If the call fails, the context is destroyed, as far as the driver still can.
    ///
    /// # Safety
    ///
    /// `raw` is a live context made by `cuCtxCreate`, which no other code destroys.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let device = cuda_rt::Device::get(0)?;
    /// use cuda_rt::{Context, sys};
    ///
    /// let mut raw = std::ptr::null_mut();
    /// // SAFETY: `raw` is valid for a write.
    /// assert!(unsafe { sys::cuCtxCreate_v2(&mut raw, 0, device.as_raw()) }.is_success());
    /// // SAFETY: made above, and no other code destroys it.
    /// let context = unsafe { Context::from_raw(raw) }?;
    /// assert_eq!(context.as_raw(), raw);
    /// assert!(context.is_current()?); // `cuCtxCreate` made the context current
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxDestroy")]
    pub unsafe fn from_raw(raw: CUcontext) -> Result<Context> {
        Inner::new(raw, Kind::Owned).on_its_device()
    }

    /// Wraps a context of other code, and keeps `owner` alive until the last handle is dropped.
    ///
    /// # Errors
    ///
    /// - The driver does not know the context.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// `raw` is a live context, and stays live at least until `owner` is dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    /// use cuda_rt::context::ContextFlags;
    ///
    /// let mine = Context::new(Device::get(0)?, ContextFlags::default())?;
    /// // SAFETY: the context is live, and the owner keeps it so.
    /// let borrowed = unsafe { Context::from_raw_with_owner(mine.as_raw(), Box::new(mine.clone())) }?;
    /// assert_eq!(borrowed, mine);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw_with_owner(raw: CUcontext, owner: Box<dyn Any + Send + Sync>) -> Result<Context> {
        Inner::new(raw, Kind::Foreign { owner: Some(owner) }).on_its_device()
    }

    /// Returns the raw handle. The caller must not destroy the context.
    pub fn as_raw(&self) -> CUcontext {
        self.0.raw
    }

    /// Returns the device of the context.
    #[doc(alias = "cuCtxGetDevice")]
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// Returns the driver's number for the context, unique in the process. Unlike handles, numbers are not reused.
    ///
    /// `None` on drivers before CUDA 12.0. Wraps `cuCtxGetId`.
    #[doc(alias = "cuCtxGetId")]
    pub fn id(&self) -> Option<u64> {
        self.0.id
    }

    /// Makes the context current on this thread until the guard is dropped.
    ///
    /// Only programs that call the raw API need this. In other programs, it saves later calls on this thread a push, a query
    /// and a pop. Wraps `cuCtxPushCurrent` and `cuCtxPopCurrent`.
    ///
    /// # Errors
    ///
    /// An earlier failure, on drivers that report it here.
    ///
    /// If other code has destroyed the context, this call may succeed. Later calls in the context then return
    /// [`Code::ContextIsDestroyed`](crate::error::Code::ContextIsDestroyed).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    ///
    /// let context = Context::primary(Device::get(0)?)?;
    /// assert!(!context.is_current()?);
    /// {
    ///     let _entered = context.enter()?;
    ///     assert!(context.is_current()?);
    /// }
    /// assert!(!context.is_current()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxSetCurrent"))]
    pub fn enter(&self) -> Result<ContextGuard<'_>> {
        ContextGuard::new(self)
    }

    /// Returns whether the context is current on this thread. Wraps `cuCtxGetCurrent`.
    ///
    /// # Errors
    ///
    /// An earlier failure, on drivers that report it here.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// assert!(!context.is_current()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetCurrent")]
    pub fn is_current(&self) -> Result<bool> {
        Ok(current()? == self.0.raw)
    }

    /// Waits until the device has done all work that was started in this context. Wraps `cuCtxSynchronize`.
    ///
    /// While a capture of this crate is open in the context, `cuCtxSynchronize` would invalidate it. Then this function allocates
    /// and frees a byte instead: freeing waits for all streams of the context. Wraps `cuMemAlloc` and `cuMemFree`.
    ///
    /// # Blocking
    ///
    /// Until the device is done.
    ///
    /// # Errors
    ///
    /// - The failure of work that was started.
    /// - [`Code::OutOfMemory`](crate::error::Code::OutOfMemory): a capture of this crate is open in the context, and no
    ///   device memory is free.
    /// - [`Code::StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported): other code is capturing a stream of
    ///   the context. The failure invalidates the capture. The same can happen to a capture of this crate that begins at the same
    ///   moment.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// context.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxSynchronize", "cuMemAlloc", "cuMemFree"))]
    pub fn synchronize(&self) -> Result<()> {
        let waited = self.wait();
        self.release_waiting();
        waited
    }

    fn wait(&self) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxSynchronize)?;
        if capture_state::has_own_capture(self.as_raw()) {
            return wait_by_free().map_err(|error| error.before(Symbol::cuCtxSynchronize));
        }
        // SAFETY: this context is current.
        unsafe { check!(cuCtxSynchronize()) }
    }

    /// Releases the context, if this is the last handle to the context and its objects, and returns the driver's answer. A drop
    /// can report a failure only to the [hook](crate::handle::set_drop_hook). Wraps `cuCtxDestroy` and
    /// `cuDevicePrimaryCtxRelease`.
    ///
    /// If a created context is on top of this thread's stack, the driver pops it. Elsewhere its handle stays on the stack. The
    /// driver never pops a primary context here.
    ///
    /// A thread that unregisters host memory holds handles to the streams that it waits for. If one of these is the last handle
    /// to the context, that thread releases the context.
    ///
    /// # Blocking
    ///
    /// The same as dropping the last handle: see [`Context`].
    ///
    /// # Errors
    ///
    /// An earlier failure. The handle is consumed in any case. If waiting for copies failed, the context is not released.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    /// use cuda_rt::context::ContextFlags;
    ///
    /// Context::new(Device::get(0)?, ContextFlags::default())?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxDestroy", "cuCtxDetach", "cuDevicePrimaryCtxRelease"))]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }

    /// Makes the context current for one call of this crate. Errors name the call that follows, `call`.
    #[inline(never)]
    pub(crate) fn bind(&self, call: Symbol) -> Result<CurrentContextGuard> {
        self.bind_inline(call)
    }

    /// Does the same as [`bind`](Context::bind), inlined. For launches, copies and other frequent calls.
    #[inline]
    pub(crate) fn bind_inline(&self, call: Symbol) -> Result<CurrentContextGuard> {
        CurrentContextGuard::new(self.0.raw, call)
    }

    /// Returns whether the context lives: as [`is_live`], or `None` if the driver does not say. Must not be called inside a host
    /// function, nor in the child of a fork. Without an error value, to keep the code small.
    #[inline]
    pub(crate) fn lives(&self) -> Option<bool> {
        let Some(own) = self.0.id else { return Some(true) };
        if is_promised(self.0.raw.addr()) {
            return Some(true);
        }
        let mut id = 0;
        // SAFETY: `id` is valid for a write; the driver also answers for a destroyed context, as in `id_of`.
        match unsafe { cuCtxGetId(self.0.raw, &raw mut id) } {
            CUresult::CUDA_SUCCESS => Some(id == own),
            CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED => Some(false),
            _ => None,
        }
    }

    /// Returns the identity of the context.
    pub(crate) fn context_id(&self) -> ContextId {
        self.0.context_id()
    }

    /// Returns a context that the driver has named, for queries. Its drop does not count as the end of the context: records of
    /// access and of copies stay.
    ///
    /// # Safety
    ///
    /// The context lives as long as the returned value is used.
    pub(crate) unsafe fn named(raw: CUcontext) -> Result<Context> {
        Inner::with(raw, None).on_its_device()
    }

    /// Returns a pointer that this handle and its clones share, and no other handle while one of them lives.
    #[inline(always)]
    pub(crate) fn identity(&self) -> *const () {
        // The address of the counts, which come first: it exists already, so a launch needs no addition.
        Arc::as_ptr(&self.0).cast::<()>().wrapping_byte_sub(2 * size_of::<usize>())
    }

    /// Destroys pools that this crate no longer uses, if the driver does not use them either.
    #[inline]
    pub(crate) fn release_waiting(&self) {
        release_waiting(self.0.default_pool);
    }

    /// Returns whether memory on this context's device comes from the stream-ordered allocator.
    pub(crate) fn has_pools(&self) -> bool {
        self.0.has_pools
    }

    /// Returns whether the device may access all host memory directly, not only page-locked memory.
    pub(crate) fn reaches_pageable(&self) -> bool {
        self.0.reaches_pageable
    }
}

/// Two handles are equal if they name the same driver context, and the context was not reset in between. With drivers before
/// CUDA 12.0, a reset is not noticed: the handles are equal after it, too.
impl PartialEq for Context {
    #[inline]
    fn eq(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.is_same(&other.0)
    }
}

impl Eq for Context {}

/// Refuses objects of two contexts where one is needed, and names the contexts.
#[cold]
pub(crate) fn different_contexts(call: Symbol, objects: [(&str, &Context); 2]) -> Error {
    let [(first, one), (second, other)] = objects;
    Error::invalid_for(
        call,
        format_args!(
            "{first} and {second} belong to different contexts; use objects of one context, not of {:#x} on device {} \
             and {:#x} on device {}",
            one.as_raw().addr(),
            one.device().as_raw(),
            other.as_raw().addr(),
            other.device().as_raw()
        ),
    )
}

impl core::hash::Hash for Context {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.0.raw.hash(state);
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.0.kind {
            Some(Kind::Primary(_)) => "primary",
            Some(Kind::Owned) => "owned",
            Some(Kind::Foreign { .. }) => "foreign",
            None => "released",
        };
        formatter
            .debug_struct("Context")
            .field("kind", &kind)
            .field("device", &self.0.device)
            .field("id", &self.0.id)
            .field("raw", &self.0.raw)
            .finish()
    }
}
