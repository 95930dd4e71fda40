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
    /// Makes the context current on this thread, on top of what was. [`Context::enter`] does the same and undoes it by
    /// itself. Wraps `cuCtxPushCurrent`.
    ///
    /// It may end while it is there. If it is a created one, on top, and its last handle (or what was made in it last) is
    /// dropped on this thread, the driver takes it from the stack: then it must not be popped again. Deeper in the stack, on
    /// other threads, and of a primary context the handle stays until it is popped, and is that of nothing.
    ///
    /// # Errors
    ///
    /// None are expected of a live driver.
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

    /// Takes the current context from this thread's stack; that below it becomes current. Wraps `cuCtxPopCurrent`.
    ///
    /// Leave to a [guard](crate::context::ContextGuard) the context that it has pushed: a guard that does not find
    /// its context tells the [hook](crate::handle::set_drop_hook).
    ///
    /// # Errors
    ///
    /// [`Code::InvalidContext`](crate::error::Code::InvalidContext) if nothing is current.
    #[doc(alias = "cuCtxPopCurrent")]
    pub fn pop() -> Result<CUcontext> {
        forget_promise();
        let mut popped = null_mut();
        // SAFETY: `popped` is valid for a write.
        unsafe { check!(cuCtxPopCurrent_v2(&raw mut popped)) }?;
        Ok(popped)
    }

    /// Makes the context current on this thread in place of what was. Wraps `cuCtxSetCurrent`.
    ///
    /// # Errors
    ///
    /// None are expected of a live driver.
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

    /// Returns a handle to the context that is current on this thread, whether this crate or other code has made it current.
    /// `None` if nothing is current.
    ///
    /// A primary context is retained anew. Another context is found if this crate has a handle to it: one of
    /// [`Context::new`], [`Context::from_raw`] or [`Context::from_raw_with_owner`]. The result keeps it alive.
    ///
    /// Wraps `cuCtxGetCurrent`, `cuCtxGetDevice` and `cuDevicePrimaryCtxRetain`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if other code has made the context, so that nothing keeps it
    ///   alive, or if it is a [green context](crate::green). The `unsafe` way to a handle is [`Context::from_raw_with_owner`], with
    ///   [`current_raw`](Context::current_raw).
    /// - [`Code::ContextIsDestroyed`](crate::error::Code::ContextIsDestroyed) if the context has been destroyed or released meanwhile.
    ///   Drivers before CUDA 12.0 do not tell, and the error may be [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument)
    ///   if other code has made the context there.
    /// - [`Code::NotInitialized`](crate::error::Code::NotInitialized) before [`init`](crate::init).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device, Stream};
    /// use cuda_rt::context::ContextFlags;
    ///
    /// /// For code that is called with a context current, and is not told which.
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
            // The driver still names the device of a context that is gone.
            id_of(raw)?;
        }
        let device = Context::current_device()?;
        // Else retaining would make a primary context, which is not what is current.
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

    /// Returns the handle of the context that is current on this thread, whether this crate or other code has made it
    /// current. `None` if nothing is current. Wraps `cuCtxGetCurrent`.
    ///
    /// A handle alone keeps nothing alive: the context may be gone. [`Context::current`] gives one that keeps the context.
    ///
    /// # Errors
    ///
    /// [`Code::NotInitialized`](crate::error::Code::NotInitialized) before [`init`](crate::init).
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

    /// Returns the device of the context that is current on this thread. Wraps `cuCtxGetDevice`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidContext`](crate::error::Code::InvalidContext) if nothing is current.
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
        // SAFETY: `device` is valid for a write. A context that is gone is answered for (measured).
        unsafe { check!(cuCtxGetDevice(&raw mut device)) }?;
        Ok(Device::from_handle(device))
    }
}
