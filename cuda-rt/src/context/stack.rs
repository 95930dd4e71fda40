//! What is current on a thread, by hand: for programs that call the raw API.

#![allow(unsafe_code)]

use super::bound::push;
use super::{Context, current};
use crate::device::Device;
use crate::error::Result;
use core::ptr::null_mut;
use cuda_sys::CUcontext;

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
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// use cuda_rt::Context;
    ///
    /// context.push()?;
    /// assert_eq!(Context::current()?, Some(context.as_raw()));
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
    /// What [guards](crate::Entered) have pushed should be left to them: they tell the
    /// [hook](crate::error::set_drop_hook) if they do not find it.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidContext`](crate::Code::InvalidContext) if nothing is current.
    ///
    /// # Examples
    ///
    /// See [`Context::push`].
    #[doc(alias = "cuCtxPopCurrent")]
    pub fn pop() -> Result<CUcontext> {
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
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
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
        // SAFETY: the context is live; this touches only this thread's stack.
        unsafe { check!(cuCtxSetCurrent(self.as_raw())) }
    }

    /// The context that is current on this thread, whoever made it so. Wraps `cuCtxGetCurrent`.
    ///
    /// A handle alone keeps nothing: it may be that of a context which is gone. [`Context::from_raw_with_owner`] makes
    /// more of it.
    ///
    /// # Errors
    ///
    /// [`Code::NotInitialized`](crate::Code::NotInitialized) before [`init`](crate::init).
    ///
    /// # Examples
    ///
    /// See [`Context::push`].
    #[doc(alias = "cuCtxGetCurrent")]
    pub fn current() -> Result<Option<CUcontext>> {
        Ok(Some(current()?).filter(|current| !current.is_null()))
    }

    /// The device of the context that is current on this thread. Wraps `cuCtxGetDevice`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidContext`](crate::Code::InvalidContext) if nothing is current.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
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
