//! The thread's stack of contexts, for programs that call the raw API.

#![allow(unsafe_code)]

use super::current_context::{current, push};
use super::id::id_of;
use super::owner::{Inner, Kind};
use super::{Context, registry};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::handle::forget_promise;
use core::ptr::null_mut;
use cuda_sys::{CUcontext, Symbol};

impl Context {
    /// Makes the context current on this thread, on top of the previous one. [`Context::enter`] does the same and reverts it by
    /// itself. Wraps `cuCtxPushCurrent`.
    ///
    /// The context may end while it is on the stack. The driver pops a created context on top of the stack when its last handle or
    /// object is dropped on this thread. The program must not pop it again. The handle of other contexts stays on the stack until it
    /// is popped, and is invalid then. These are contexts deeper in the stack, contexts on stacks of other threads, and primary
    /// contexts.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Context;
    ///
    /// context.push()?;
    /// assert_eq!(Context::current()?, Some(context.clone()));
    /// assert_eq!(Context::pop()?, context.as_raw());
    /// assert_eq!(Context::current()?, None);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxPushCurrent")]
    pub fn push(&self) -> Result<()> {
        // SAFETY: the context is live.
        unsafe { push(self.as_raw()) }
    }

    /// Pops the current context from this thread's stack; the context below it becomes current. Wraps `cuCtxPopCurrent`.
    ///
    /// Do not pop a context that a [guard](crate::context::ContextGuard) has pushed: a guard that does not find its context
    /// reports this to the [hook](crate::handle::set_drop_hook).
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidContext`](crate::error::Code::InvalidContext): no context is current.
    /// - [`Code::NotInitialized`](crate::error::Code::NotInitialized): [`init`](crate::init) was not called.
    #[doc(alias = "cuCtxPopCurrent")]
    pub fn pop() -> Result<CUcontext> {
        forget_promise();
        let mut popped = null_mut();
        // SAFETY: `popped` is valid for a write.
        unsafe { check!(cuCtxPopCurrent_v2(&raw mut popped)) }?;
        Ok(popped)
    }

    /// Makes the context current on this thread, in place of the previous one. Wraps `cuCtxSetCurrent`.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let other = cuda_rt::Context::primary(cuda_rt::Device::get(1)?)?;
    /// use cuda_rt::Context;
    ///
    /// context.push()?;
    /// other.set_current()?;
    /// assert_eq!(Context::pop()?, other.as_raw());
    /// assert_eq!(Context::current()?, None);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxSetCurrent")]
    pub fn set_current(&self) -> Result<()> {
        forget_promise();
        // SAFETY: the context is live; this touches only this thread's stack.
        unsafe { check!(cuCtxSetCurrent(self.as_raw())) }
    }

    /// Returns a handle to the current context of this thread. `None` if no context is current.
    ///
    /// The context may have been made current by this crate or by other code. A primary context is retained again. Another
    /// context is found if this crate has a handle to it: a handle of [`Context::new`], [`Context::from_raw`] or
    /// [`Context::from_raw_with_owner`]. The result keeps the context alive.
    ///
    /// Wraps `cuCtxGetCurrent`, `cuCtxGetDevice` and `cuDevicePrimaryCtxRetain`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): other code has created the context, so that nothing keeps
    ///   it alive, or it is a [green context](crate::green). [`Context::from_raw_with_owner`], with
    ///   [`current_raw`](Context::current_raw), is the `unsafe` way to a handle.
    /// - [`Code::ContextIsDestroyed`](crate::error::Code::ContextIsDestroyed): the context has been destroyed or released
    ///   meanwhile. Drivers before CUDA 12.0 do not report this. With such a driver the error may be
    ///   [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument), if other code has created the context.
    /// - [`Code::NotInitialized`](crate::error::Code::NotInitialized): [`init`](crate::init) was not called.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device, Stream};
    /// use cuda_rt::context::ContextFlags;
    ///
    /// /// For code that is called with a current context, and does not know which.
    /// fn new_stream() -> cuda_rt::Result<Stream> {
    ///     let context = Context::current()?.map_or_else(|| Context::primary(Device::get(0)?), Ok)?;
    ///     Stream::new(&context)
    /// }
    ///
    /// let context = Context::new(Device::get(1)?, ContextFlags::default())?;
    /// let entered = context.enter()?;
    /// assert_eq!(new_stream()?.context(), &context);
    /// drop(entered);
    /// assert_eq!(new_stream()?.context(), &Context::primary(Device::get(0)?)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetCurrent")]
    pub fn current() -> Result<Option<Context>> {
        let Some(raw) = Context::current_raw()? else { return Ok(None) };
        let has_ids = cuda_sys::driver()?.has(Symbol::cuCtxGetId);
        for known in registry::find(raw) {
            // A context that this crate destroys lives as long as the handle. Other code may have destroyed another one.
            if matches!(known.0.kind, Some(Kind::Owned)) || !has_ids || known.id() == Some(id_of(raw)?) {
                return Ok(Some(known));
            }
        }
        if has_ids {
            // The driver still names the device of a destroyed context.
            id_of(raw)?;
        }
        let device = Context::current_device()?;
        // Otherwise retaining would create a primary context, which is not the current one.
        if device.primary_context_state()?.is_active {
            let primary = Inner::retain(device)?;
            if primary.raw == raw {
                return primary.on(device).map(Some);
            }
        }
        Err(Error::invalid(
            "current context",
            format_args!(
                "{:#x} was made by other code, or is a green context, and nothing keeps it alive; take it with its owner by the \
             unsafe `Context::from_raw_with_owner`",
                raw.addr()
            ),
        ))
    }

    /// Returns the raw handle of the current context of this thread. `None` if no context is current. Wraps `cuCtxGetCurrent`.
    ///
    /// The context may have been made current by this crate or by other code. The handle keeps nothing alive: the context may be
    /// destroyed. [`Context::current`] returns a handle that keeps the context alive.
    ///
    /// # Errors
    ///
    /// [`Code::NotInitialized`](crate::error::Code::NotInitialized): [`init`](crate::init) was not called.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Context;
    ///
    /// let _entered = context.enter()?;
    /// assert_eq!(Context::current_raw()?, Some(context.as_raw()));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetCurrent")]
    pub fn current_raw() -> Result<Option<CUcontext>> {
        Ok(Some(current()?).filter(|current| !current.is_null()))
    }

    /// Returns the device of the current context of this thread. Wraps `cuCtxGetDevice`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidContext`](crate::error::Code::InvalidContext): no context is current.
    /// - [`Code::NotInitialized`](crate::error::Code::NotInitialized): [`init`](crate::init) was not called.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let _entered = context.enter()?;
    /// assert_eq!(cuda_rt::Context::current_device()?, context.device());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetDevice")]
    pub fn current_device() -> Result<Device> {
        let mut device = 0;
        // SAFETY: `device` is valid for a write. The driver also answers for a destroyed context (measured).
        unsafe { check!(cuCtxGetDevice(&raw mut device)) }?;
        Ok(Device::from_handle(device))
    }
}
