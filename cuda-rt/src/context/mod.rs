//! Contexts: what a process holds on a device.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`Context`] | a `CUcontext`: primary, created, or somebody else's | `cuDevicePrimaryCtxRelease`, `cuCtxDestroy`, or dropping its owner |
//! | [`ContextGuard`] | the context being current on this thread | `cuCtxPopCurrent` |
//!
//! Most programs take the [primary context](Context::primary), which the CUDA runtime API uses too.
//!
//! Every object made in a context keeps it alive, and every call that reaches the driver makes the
//! right context current by itself and puts the thread's own back. So a program need not enter a
//! context, unless it calls the raw API.
//!
//! # From PyCUDA
//!
//! Its functions act on what is current; these act on the context that they are called on.
//!
//! | PyCUDA | here |
//! |---|---|
//! | `pycuda.autoinit`, `autoprimaryctx`, `tools.make_default_context` | `Context::primary(Device::get(0)?)?`: the program names the device. The environment's `CUDA_DEVICE` and the file `~/.cuda_device` are not read; `CUDA_VISIBLE_DEVICES` is, by the driver |
//! | `tools.context_dependent_memoize`, `clear_context_caches` | a map with [`Context`] as its key, for example `HashMap<Context, Module>`: it keeps its contexts alive until it is cleared |
//! | `Device.make_context` | [`Context::new`], and [`push`](Context::push) where raw calls follow |
//! | `Device.retain_primary_context` | [`Context::primary`] |
//! | `Context.detach` | dropping, or [`close`](Context::close) |
//! | `Context.push`, `Context.pop` | [`enter`](Context::enter) and dropping the guard; or by hand [`push`](Context::push), [`pop`](Context::pop) |
//! | `Context.get_current` | [`current`](Context::current) |
//! | `Context.get_device` | [`device`](Context::device), [`current_device`](Context::current_device) |
//! | `Context.set_limit`, `get_limit` | [`set_limit`](Context::set_limit), [`limit`](Context::limit) |
//! | `Context.enable_peer_access(peer)` | [`enable_peer_access`](Context::enable_peer_access) on the context that is to reach the peer |
//! | the six exceptions | [`Error::pycuda_class`](crate::Error::pycuda_class) |
//!
//! PyCUDA leaks what is dropped on another thread than its context was made on; here that is released there.

#![allow(unsafe_code)]

mod affinity;
mod bound;
mod cache;
mod entered;
mod flags;
mod holders;
mod id;
mod limit;
mod memory_info;
mod primary;
pub(crate) mod queued_functions;
mod quiet;
mod registry;
mod stack;
mod teardown;

pub use affinity::ExecAffinity;
pub use cache::{CacheConfig, SharedMemConfig};
pub use entered::ContextGuard;
pub use flags::ContextFlags;
pub use limit::Limit;
pub use memory_info::MemoryInfo;
pub use primary::PrimaryContextState;

use crate::device::{Device, DeviceAttribute};
use crate::driver::ensure_init;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DeferredErrors, DriverHandle, Owned, Releasing, is_forked_child, is_inside, made};
pub(crate) use bound::{CurrentContextGuard, is_of_another_machine};
use core::any::Any;
use core::fmt;
use core::mem::ManuallyDrop;
use core::ops::RangeInclusive;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU64, Ordering};
use cuda_sys::{CU_DEVICE_INVALID, CUcontext, CUresult, Symbol, cuCtxGetId};
pub(crate) use holders::{ContextObserver, EndAccess, observe};
use holders::{end_access, forget_access, release_hold};
pub(crate) use id::ContextId;
use queued_functions::{has_uncalled_in, uncalled_in};
pub(crate) use quiet::wait_for_all;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
pub(crate) use teardown::{
    ContextRequirement, RelaxedCaptureMode, is_gone, release_alone, release_in, retry_once,
};

/// A CUDA context. Clones are handles to the same one; the last of them, and of the objects made in
/// it, releases it.
///
/// # Blocking
///
/// The drop of the last handle waits in three cases. Every context: until the copies of this crate from and to other devices are
/// done. A created context: until all work queued in it is done. A primary context that no other code of the process has
/// retained: the same. Drivers may also wait for work of other contexts, on other devices too.
///
/// If waiting for the copies fails, the context is kept, and the [hook](crate::handle::set_drop_hook) gets the failure.
///
/// # What others must not do
///
/// Through the raw API a primary context can be reset, and any context destroyed, while this crate has
/// objects in it. Those calls are `unsafe`: whoever makes them answers for all objects of the context, which
/// must not be used any more, since the driver crashes on their handles (measured). With a driver for CUDA 12.0
/// or newer they can still be dropped: the drop notices, leaves the handle alone, and reports
/// [`ContextLost`](crate::error::ErrorKind::ContextLost) to the [hook](crate::handle::set_drop_hook). Older drivers
/// cannot be asked; there they must be forgotten.
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

struct Inner {
    raw: CUcontext,
    device: Device,
    /// The driver's number for this context, which is not reused as handles are.
    id: Option<u64>,
    /// This crate's number for it, where the driver has none and nobody else can have a handle to it.
    own: u64,
    /// Whether it is one of the handles that [`let_go`] counts.
    is_counted: bool,
    has_pools: bool,
    reaches_pageable: bool,
    /// `None` once it has been released.
    kind: Option<Kind>,
}

enum Kind {
    /// The device's, which is how it is released.
    Primary(Device),
    Owned,
    /// The program's, which may end it with the owner.
    Foreign {
        owner: Option<Box<dyn Any + Send + Sync>>,
    },
}

// SAFETY: a `CUcontext` names an object that the driver locks by itself; contexts are not bound to
// threads. The other fields are `Send`.
unsafe impl Send for Inner {}
// SAFETY: nothing is changed through `&Inner`; the driver synchronises calls that share a context.
unsafe impl Sync for Inner {}

impl Context {
    /// The device's primary context, which the whole process shares, the CUDA runtime API included.
    ///
    /// It is not made current. Wraps `cuDevicePrimaryCtxRetain`.
    ///
    /// # Errors
    ///
    /// [`Code::OutOfMemory`],
    /// [`Code::DeviceUnavailable`] and others.
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

    /// A context of one's own on `device`.
    ///
    /// Unlike the C function this leaves the thread's current context as it was. Wraps
    /// `cuCtxCreate_v4`, and `cuCtxCreate_v2` on drivers before CUDA 12.5.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] for flags that exclude each other,
    /// [`Code::OutOfMemory`] and others.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    /// use cuda_rt::context::ContextFlags;
    ///
    /// let context = Context::new(Device::get(0)?, ContextFlags::SCHED_BLOCKING_SYNC)?;
    /// assert!(context.flags()?.contains(ContextFlags::SCHED_BLOCKING_SYNC));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxCreate", "cuCtxCreate_v2", "cuCtxCreate_v4"))]
    pub fn new(device: Device, flags: ContextFlags) -> Result<Context> {
        let newest = cuda_sys::driver()?.has(Symbol::cuCtxCreate_v4);
        Context::create(device, |raw| {
            let created = if newest {
                // SAFETY: `raw` is valid for a write; no creation parameters means the defaults.
                unsafe { check!(cuCtxCreate_v4(raw, null_mut(), flags.bits(), device.as_raw())) }
            } else {
                // SAFETY: `raw` is valid for a write.
                unsafe { check!(cuCtxCreate_v2(raw, flags.bits(), device.as_raw())) }
            };
            created.or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
        })
    }

    /// Makes a context without leaving it current.
    fn create(device: Device, create: impl FnOnce(*mut CUcontext) -> Result<()>) -> Result<Context> {
        let mut raw = null_mut();
        let created = create(&raw mut raw);
        if let (Err(error), true) = (&created, raw.is_null()) {
            return Err(error.clone());
        }
        // From here on, whatever fails destroys it: also a call that has made it, and reported the failure of something else.
        let made = Inner::new(raw, Kind::Owned);
        // It lies on top of the thread's stack.
        let left = leave(raw);
        created.and(left)?;
        made.on(device)
    }

    /// Takes over a context: it is destroyed with the last handle to it.
    ///
    /// This does not change which context is current: where `cuCtxCreate` has left `raw` current, it stays so.
    ///
    /// # Errors
    ///
    /// The driver does not know the context, or an earlier failure is reported. Then the context is
    /// destroyed, as far as the driver still can.
    ///
    /// # Safety
    ///
    /// `raw` is a live context made by `cuCtxCreate`, which nobody else destroys.
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
    /// // SAFETY: made above, and nobody else destroys it.
    /// let context = unsafe { Context::from_raw(raw) }?;
    /// assert_eq!(context.as_raw(), raw);
    /// assert!(context.is_current()?); // `cuCtxCreate` made it so
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxDestroy")]
    pub unsafe fn from_raw(raw: CUcontext) -> Result<Context> {
        Inner::new(raw, Kind::Owned).on_its_device()
    }

    /// Uses a context that belongs to somebody else, and keeps `owner` until the last handle is gone.
    ///
    /// # Errors
    ///
    /// The driver does not know the context, or an earlier failure is reported.
    ///
    /// # Safety
    ///
    /// `raw` is a live context, and stays so at least until `owner` is dropped.
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

    /// The handle. It stays this crate's: it must not be destroyed.
    pub fn as_raw(&self) -> CUcontext {
        self.0.raw
    }

    /// The device that the context is on.
    #[doc(alias = "cuCtxGetDevice")]
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// The driver's number for the context, unique in the process; handles are reused, these are not.
    ///
    /// `None` on drivers before CUDA 12.0. Wraps `cuCtxGetId`.
    #[doc(alias = "cuCtxGetId")]
    pub fn id(&self) -> Option<u64> {
        self.0.id
    }

    /// Makes the context current on this thread until the guard is dropped.
    ///
    /// Only programs that call the raw API need this. Wraps `cuCtxPushCurrent` and `cuCtxPopCurrent`.
    ///
    /// # Errors
    ///
    /// [`Code::ContextIsDestroyed`] if somebody destroyed it.
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

    /// Whether the context is current on this thread. Wraps `cuCtxGetCurrent`.
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

    /// The flags that the context was made with, and those that the driver added. Wraps `cuCtxGetFlags`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// println!("{:?}", context.flags()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetFlags")]
    pub fn flags(&self) -> Result<ContextFlags> {
        let _bound = self.bind(Symbol::cuCtxGetFlags)?;
        let mut flags = 0;
        // SAFETY: `flags` is valid for a write; this context is current.
        unsafe { check!(cuCtxGetFlags(&raw mut flags)) }?;
        Ok(ContextFlags::from_bits_retain(flags))
    }

    /// Changes the flags: how host threads wait from now on. Wraps `cuCtxSetFlags`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] for flags that exclude each other, or that the driver does not know, and
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) with drivers before CUDA 12.1.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    /// use cuda_rt::context::ContextFlags;
    ///
    /// let context = Context::new(Device::get(0)?, ContextFlags::SCHED_SPIN)?;
    /// context.set_flags(ContextFlags::SCHED_YIELD)?;
    /// assert_eq!(context.flags()?, ContextFlags::SCHED_YIELD);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxSetFlags")]
    pub fn set_flags(&self, flags: ContextFlags) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxSetFlags)?;
        // SAFETY: the flags may be any number; this context is current, and alive: the driver crashes on one that is
        // not (measured).
        unsafe { check!(cuCtxSetFlags(flags.bits())) }
            .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
    }

    /// The version of the driver interface that the context was made for, 3020 for example; not the
    /// driver's version. Wraps `cuCtxGetApiVersion`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// assert!(context.api_version()? >= 3000);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetApiVersion")]
    pub fn api_version(&self) -> Result<u32> {
        let _bound = self.bind(Symbol::cuCtxGetApiVersion)?;
        let mut version = 0;
        // SAFETY: the context is live, because this handle keeps it; `version` is valid for a write.
        unsafe { check!(cuCtxGetApiVersion(self.0.raw, &raw mut version)) }?;
        Ok(version)
    }

    /// The priorities that streams can have: from the greatest, which is the lowest number, to the
    /// least. `0..=0` where the device has no priorities. Wraps `cuCtxGetStreamPriorityRange`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let priorities = context.stream_priority_range()?;
    /// assert!(priorities.contains(&0));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetStreamPriorityRange")]
    pub fn stream_priority_range(&self) -> Result<RangeInclusive<i32>> {
        let _bound = self.bind(Symbol::cuCtxGetStreamPriorityRange)?;
        let (mut least, mut greatest) = (0, 0);
        // SAFETY: both are valid for a write; this context is current.
        unsafe { check!(cuCtxGetStreamPriorityRange(&raw mut least, &raw mut greatest)) }?;
        Ok(greatest..=least)
    }

    /// Waits until the device has done everything that was started in this context. Wraps
    /// `cuCtxSynchronize`.
    ///
    /// # Blocking
    ///
    /// Until the device is done.
    ///
    /// # Errors
    ///
    /// The failure of whatever was started. While a stream of the context is capturing a graph,
    /// [`Code::StreamCaptureUnsupported`], and the capture
    /// is lost.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// context.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxSynchronize")]
    pub fn synchronize(&self) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxSynchronize)?;
        // SAFETY: this context is current.
        unsafe { check!(cuCtxSynchronize()) }
    }

    /// Releases the context, if this is the last handle to it and nothing made in it is left, and reports the driver's
    /// answer, which a drop can only give to the [hook](crate::handle::set_drop_hook). Wraps `cuCtxDestroy` and
    /// `cuDevicePrimaryCtxRelease`.
    ///
    /// If it is current on this thread, the driver takes it from the top of the stack; elsewhere its handle stays.
    ///
    /// A thread that unregisters host memory holds handles to the streams that it waits for. If one of these is the last
    /// handle to the context, the context is released there.
    ///
    /// # Blocking
    ///
    /// As dropping the last handle: see [`Context`].
    ///
    /// # Errors
    ///
    /// An earlier failure. The handle is gone all the same. If waiting for copies has failed, the context is kept.
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

    /// Makes the context current for one call of this crate.
    /// `call` is what follows. Errors name it.
    #[inline]
    pub(crate) fn bind(&self, call: Symbol) -> Result<CurrentContextGuard> {
        CurrentContextGuard::new(self.0.raw, call)
    }

    /// As [`is_live`], or `None` if the driver does not say, or must not be asked. Without an error, to be short.
    #[inline]
    fn lives(&self) -> Option<bool> {
        let Some(own) = self.0.id else { return Some(true) };
        if is_inside() {
            return None;
        }
        let mut id = 0;
        // SAFETY: `id` is valid for a write; the driver answers for a context that is gone, as in `id_of`.
        match unsafe { cuCtxGetId(self.0.raw, &raw mut id) } {
            CUresult::CUDA_SUCCESS => Some(id == own),
            CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED => Some(false),
            _ => None,
        }
    }

    /// What the context is known by.
    pub(crate) fn context_id(&self) -> ContextId {
        self.0.context_id()
    }

    /// A context that the driver has named, to ask about it. When this is dropped, nothing is taken to have ended: not what is
    /// known of access to it, and not copies that are on their way.
    ///
    /// # Safety
    ///
    /// The context lives as long as this is used.
    pub(crate) unsafe fn named(raw: CUcontext) -> Result<Context> {
        Inner::with(raw, None).on_its_device()
    }

    /// What tells this handle and its clones from others, as long as one of them lives.
    #[inline(always)]
    pub(crate) fn identity(&self) -> *const () {
        // Where the counts begin, which lie before: the pointer that there is, without an addition in each launch.
        Arc::as_ptr(&self.0).cast::<()>().wrapping_byte_sub(2 * size_of::<usize>())
    }

    /// Whether memory on this context's device comes from the stream-ordered allocator.
    pub(crate) fn has_pools(&self) -> bool {
        self.0.has_pools
    }

    /// Whether the device may reach any host memory by itself, not only page-locked memory.
    pub(crate) fn reaches_pageable(&self) -> bool {
        self.0.reaches_pageable
    }
}

/// Whether a context is the one that it was, as far as the driver can tell, so that handles made in it are still its own.
///
/// Somebody may have reset the primary context or destroyed a foreign one; the driver crashes on the handles that were in
/// it (measured, driver 580). A context that this crate destroys itself is alive as long as anything refers to it.
pub(crate) fn is_live(context: ContextId) -> Result<bool> {
    let Some(id) = context.id else { return Ok(true) };
    match id_of(context.as_raw()) {
        Ok(now) => Ok(now == id),
        Err(error) if error.code() == Some(Code::ContextIsDestroyed) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Checks that the driver of this thread knows the context, living or destroyed. Before CUDA 12.0 it cannot tell.
///
/// A thread may have entered another machine of the software driver. The device may have another primary context there.
fn ensure_known(context: ContextId) -> Result<()> {
    match is_gone(context) {
        Ok(_) => Ok(()),
        Err(error) if error.code() == Some(Code::InvalidContext) => Err(Error::context_lost()),
        Err(error) => Err(error.before(Symbol::cuDevicePrimaryCtxRelease_v2)),
    }
}

/// Two handles are equal if they name the same driver context; not, if it was reset in between.
impl PartialEq for Context {
    #[inline]
    fn eq(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.is_same(&other.0)
    }
}

impl Eq for Context {}

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

impl Inner {
    /// Owns the handle from now on, so that whatever fails next gives it back.
    fn new(raw: CUcontext, kind: Kind) -> Owned<Inner> {
        Inner::with(raw, Some(kind))
    }

    fn with(raw: CUcontext, kind: Option<Kind>) -> Owned<Inner> {
        let device = Device::from_handle(CU_DEVICE_INVALID);
        Owned::new(Inner {
            raw,
            device,
            id: None,
            own: 0,
            is_counted: false,
            has_pools: false,
            reaches_pageable: true,
            kind,
        })
    }

    /// Retains the primary context of `device`.
    fn retain(device: Device) -> Result<Owned<Inner>> {
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write.
        let retained = unsafe { check!(cuDevicePrimaryCtxRetain(&raw mut raw, device.as_raw())) };
        made(retained, !raw.is_null(), || Inner::new(raw, Kind::Primary(device)))
    }

    /// Whether both are handles to one context, had in two ways.
    #[inline(never)]
    fn is_same(&self, other: &Inner) -> bool {
        self.raw == other.raw && self.id == other.id
    }

    fn context_id(&self) -> ContextId {
        ContextId { address: self.raw.addr(), id: self.id, own: self.own }
    }
}

impl Owned<Inner> {
    /// On the device that the driver says it is on.
    fn on_its_device(self) -> Result<Context> {
        // Somebody else may have initialised the driver: from here on forks are noticed, too.
        ensure_init()?;
        let mut device = 0;
        {
            let _bound = CurrentContextGuard::new(self.raw, Symbol::cuCtxGetDevice)?;
            // SAFETY: `device` is valid for a write; the context is current.
            unsafe { check!(cuCtxGetDevice(&raw mut device)) }?;
        }
        self.on(Device::from_handle(device))
    }

    /// Asks what later calls need to know.
    fn on(mut self, device: Device) -> Result<Context> {
        let driver = cuda_sys::driver()?;
        self.device = device;
        if driver.has(Symbol::cuCtxGetId) {
            self.id = Some(id_of(self.raw)?);
        } else if matches!(self.kind, Some(Kind::Owned)) {
            static LAST: AtomicU64 = AtomicU64::new(0);
            self.own = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        }
        self.has_pools = driver.has(Symbol::cuMemAllocAsync)
            && device.attribute(DeviceAttribute::MEMORY_POOLS_SUPPORTED)? != 0;
        self.reaches_pageable = device.attribute(DeviceAttribute::PAGEABLE_MEMORY_ACCESS)? != 0;
        self.is_counted = self.kind.is_some();
        if self.is_counted {
            holders::hold(self.context_id());
        }
        let is_found_by_handle = matches!(self.kind, Some(Kind::Owned | Kind::Foreign { .. }));
        let context = Context(Arc::new(self));
        if is_found_by_handle {
            registry::add(&context);
        }
        Ok(context)
    }
}

impl DriverHandle for Inner {
    fn release_call(&self) -> Symbol {
        Symbol::cuCtxDestroy_v2
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let Some(mut kind) = self.kind.take() else { return Ok(()) };
        registry::remove_dead(self.raw);
        // The hook does not run before the thread is as it was.
        let mut errors = DeferredErrors::default();
        let key = self.context_id();
        if self.is_counted {
            let waited = release_hold(key, &mut errors);
            if waited.is_err() {
                // An event of the context is in the record still.
                let _kept = ManuallyDrop::new(kind);
                return waited;
            }
        }
        let mut panicked = None;
        if let Kind::Foreign { owner } = &mut kind {
            // The program's code, which is not to run in the relaxed mode. It may panic, and it may fork.
            let owner = owner.take();
            panicked = catch_unwind(AssertUnwindSafe(|| drop(owner))).err();
            if is_forked_child() {
                return panicked.map_or(Ok(()), |payload| resume_unwind(payload));
            }
        }
        let is_owned = matches!(kind, Kind::Owned);
        let relaxed = RelaxedCaptureMode::new();
        let released = match kind {
            // Releasing goes by device: the context need not be current, and is not popped.
            Kind::Primary(own) => ensure_known(key).and_then(|()| {
                // SAFETY: the owner releases one retain of the primary context, which the driver of this thread knows.
                let released = unsafe { check!(cuDevicePrimaryCtxRelease_v2(own.as_raw())) };
                // Others may hold it; or hold another one under the same handle.
                let has_ended =
                    || Ok(!retry_once(|| own.primary_context_state())?.is_active || is_gone(key)?);
                end_access(key, &mut errors, &has_ended);
                released
            }),
            Kind::Owned => {
                // Before, because another context may have the handle as soon as it is free.
                let end = forget_access(key);
                // SAFETY: the owner releases the context once, and does not use it afterwards; everything that was made in it kept it.
                let released = unsafe { check!(cuCtxDestroy_v2(self.raw)) };
                // If it lives on, its kernels may use the pools.
                if let Some(end) = end
                    && (released.is_ok() || is_gone(key) == Ok(true))
                {
                    end(&mut errors);
                }
                released
            }
            Kind::Foreign { .. } => {
                // Where the driver cannot tell, what is known of it may be wrong from here on.
                let has_ended = || Ok(key.id.is_none() || is_gone(key)?);
                end_access(key, &mut errors, &has_ended);
                Ok(())
            }
        };
        // Of the others it takes a question, for which there has to be a reason. A handle without a number may be that of
        // another context by now, whose functions are still to be called.
        let is_over = if is_owned {
            released.is_ok()
        } else {
            key.id.is_some()
                && has_uncalled_in(key)
                && is_gone(key).unwrap_or_else(|error| {
                    errors.add(Err(error));
                    false
                })
        };
        drop(relaxed);
        drop(errors);
        if is_over {
            // The program's code, where it does no harm.
            drop(uncalled_in(key));
        }
        panicked.map_or(released, |payload| resume_unwind(payload))
    }
}

#[inline]
fn current() -> Result<CUcontext> {
    let mut current = null_mut();
    // SAFETY: `current` is valid for a write.
    unsafe { check!(cuCtxGetCurrent(&raw mut current)) }?;
    Ok(current)
}

/// Pops `context`, if it is what lies on top.
fn leave(context: CUcontext) -> Result<()> {
    if retry_once(current)? != context {
        let text = "another context is current than the one that it entered; it was left as it is";
        return Err(Error::invalid("context guard", format_args!("{text}")));
    }
    pop()
}

/// Pops what lies on top of the thread's stack. Tried again if it fails: else the thread would go on with a context
/// that is not its own.
fn pop() -> Result<()> {
    retry_once(|| {
        let mut popped = null_mut();
        // SAFETY: `popped` is valid for a write.
        let outcome = unsafe { check!(cuCtxPopCurrent_v2(&raw mut popped)) };
        // A failure of something else may be told by a call that has done its own work.
        if popped.is_null() { outcome } else { Ok(()) }
    })
}

fn id_of(context: CUcontext) -> Result<u64> {
    let mut id = 0;
    // SAFETY: `id` is valid for a write; the driver answers for a context that is gone (measured:
    // CONTEXT_IS_DESTROYED).
    unsafe { check!(cuCtxGetId(context, &raw mut id)) }?;
    Ok(id)
}
