//! Promise of the program that a context is current for a run of calls.

#![allow(unsafe_code)]

use super::Context;
use crate::error::{Error, Result};
use crate::handle;
use core::marker::PhantomData;
use cuda_sys::Symbol;

/// Guard under which calls of this crate on this thread do not query whether the context is current and alive. Made by
/// [`Context::promise_current`].
#[derive(Debug)]
pub struct PromisedCurrent<'context> {
    _promise: handle::PromisedCurrent,
    _context: PhantomData<&'context Context>,
}

impl Context {
    /// Promises that the context stays current on this thread until the guard is dropped.
    ///
    /// Usually each call of this crate queries the current context, and the drop of a buffer or an event queries whether the
    /// context still lives. While the guard lives, these queries are not made. Calls in other contexts work as always. Wraps
    /// `cuCtxGetCurrent`, one call.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the context is not current.
    /// - An earlier failure, on drivers that report it here.
    ///
    /// # Safety
    ///
    /// Until the guard is dropped:
    ///
    /// - No code changes the current context of this thread, neither by raw calls nor by [`Context::enter`],
    ///   [`push`](Context::push), [`pop`](Context::pop) or [`set_current`](Context::set_current).
    /// - No code destroys or resets the context.
    /// - The guard is not forgotten, and not dropped inside a function that the driver calls. Guards are dropped in reverse order.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::{DeviceBuf, Event};
    ///
    /// let entered = context.enter()?;
    /// // SAFETY: until the end of the block the context stays current and alive. The guard is dropped there.
    /// let promise = unsafe { context.promise_current() }?;
    /// for _ in 0..100 {
    ///     let buffer = DeviceBuf::<f32>::uninit(&stream, 1000)?; // two driver calls, with the free
    /// }
    /// drop(promise);
    /// # drop(entered);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetCurrent")]
    pub unsafe fn promise_current(&self) -> Result<PromisedCurrent<'_>> {
        if !self.is_current()? {
            return Err(Error::invalid(
                "promised context",
                format_args!("{:#x} is not current on this thread; enter it first", self.as_raw().addr()),
            ));
        }
        let promise = handle::PromisedCurrent::new(self.as_raw().addr());
        let promise = promise.ok_or_else(|| Error::inside_host_function(Symbol::cuCtxGetCurrent))?;
        Ok(PromisedCurrent { _promise: promise, _context: PhantomData })
    }
}
