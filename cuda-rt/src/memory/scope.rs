//! Copies with borrowed host memory that are on their way together.

#![allow(unsafe_code)]

use super::copy::{between_streams, same_length};
use super::host_transfer::{may_be_page_locked, wait_or_abort};
use super::loan::{Loan, host_range};
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::context::{RelaxedCaptureMode, past_captures};
use crate::error::{Error, Result};
use crate::handle::{Quiet, is_forked_child};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use cuda_sys::Symbol;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Copies that a stream does while a closure runs, with host memory that was borrowed before. Made by [`Stream::scope`].
///
/// `'env` is for how long it was borrowed: until after the scope.
#[derive(Debug)]
pub struct Scope<'env> {
    stream: &'env Stream,
    used: Cell<Used>,
    /// The host memory that copies of this scope may be using.
    loan: Loan<'env>,
    /// Neither longer nor shorter: else memory of the closure itself would do.
    _env: PhantomData<Cell<&'env mut ()>>,
    /// In the thread that waits in the end.
    _not_send: PhantomData<*const ()>,
}

/// What the device may have of the host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Used {
    Nothing,
    /// Only memory that the driver copies elsewhere first, or last.
    Staged,
    /// Also memory that the device reaches by itself.
    Direct,
}

impl Stream {
    /// Runs `work`, which can have several copies with borrowed host memory under way at once, and waits for all of them.
    ///
    /// No copy is waited for before `work` has returned, or panicked. So it has time for something else; and copies
    /// overlap with those of other streams, if scopes are nested. Page-locked memory ([`PinnedBuf`](crate::PinnedBuf),
    /// [`RegisteredBuf`](crate::memory::RegisteredBuf)) is what makes a difference: with other memory, a copy to the host is over
    /// when the call returns, and one to the device too, if it is large.
    ///
    /// # Blocking
    ///
    /// After `work`, until everything queued on the stream is done. The first copy with page-locked memory waits until
    /// everything that was queued before is done, so that a failure of that is noticed before the device has memory of
    /// the caller's.
    ///
    /// # Errors
    ///
    /// That of `work`; else the failure of queued work, and then what the destinations hold is unspecified. If waiting fails
    /// twice, and page-locked memory was used, the process is [aborted](crate::memory#blocking-calls). Waiting fails if `work`
    /// has the stream wait for an event of a captured stream, which draws it into the capture (fact V965).
    ///
    /// # Panics
    ///
    /// If `work` does, after the copies are done.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{DeviceBuf, PinnedBuf, Stream};
    ///
    /// let stream = Stream::new(&context)?;
    /// let upload = PinnedBuf::from_slice(&context, &[1, 2, 3, 4])?;
    /// let mut download = PinnedBuf::<i32>::zeroed(&context, 4)?;
    /// let mut device = DeviceBuf::zeroed(&stream, 4)?;
    /// let (left, right) = download.split_at_mut(2);
    /// stream.scope(|scope| {
    ///     scope.copy_from_host(device.as_slice_mut(), &upload)?;
    ///     scope.copy_to_host(device.slice(2..)?, left)?;
    ///     scope.copy_to_host(device.slice(..2)?, right)?;
    ///     // ... other work ...
    ///     Ok(())
    /// })?;
    /// assert_eq!(download[..], [3, 4, 1, 2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// What a copy writes to cannot be looked at before:
    ///
    /// ```compile_fail,E0503
    /// # use cuda_rt::{DeviceBuf, Result, Stream};
    /// fn stale(stream: &Stream, device: &DeviceBuf<u8>, host: &mut [u8]) -> Result<u8> {
    ///     stream.scope(|scope| {
    ///         scope.copy_to_host(device.as_slice(), &mut *host)?;
    ///         Ok(host[0])
    ///     })
    /// }
    /// ```
    ///
    /// What a copy reads cannot be written to before:
    ///
    /// ```compile_fail,E0506
    /// # use cuda_rt::{DeviceBuf, Result, Stream};
    /// fn late(stream: &Stream, device: &mut DeviceBuf<u8>, mut host: [u8; 4]) -> Result<()> {
    ///     stream.scope(|scope| {
    ///         scope.copy_from_host(device.as_slice_mut(), &host)?;
    ///         host[0] = 9;
    ///         Ok(())
    ///     })
    /// }
    /// ```
    ///
    /// Memory that the closure drops is too short-lived:
    ///
    /// ```compile_fail,E0597
    /// # use cuda_rt::{DeviceBuf, Result, Stream};
    /// fn local(stream: &Stream, device: &mut DeviceBuf<u8>) -> Result<()> {
    ///     stream.scope(|scope| {
    ///         let host = [1, 2, 3, 4];
    ///         scope.copy_from_host(device.as_slice_mut(), &host)
    ///     })
    /// }
    /// ```
    ///
    /// And the scope ends with the closure:
    ///
    /// ```compile_fail,E0521
    /// # use cuda_rt::{DeviceBuf, Result, Stream};
    /// fn escape(stream: &Stream, device: &mut DeviceBuf<u8>, host: &[u8]) -> Result<()> {
    ///     let mut kept = None;
    ///     stream.scope(|scope| {
    ///         kept = Some(scope);
    ///         Ok(())
    ///     })?;
    ///     kept.unwrap().copy_from_host(device.as_slice_mut(), host) // nobody would wait
    /// }
    /// ```
    ///
    /// ```compile_fail,E0277
    /// # use cuda_rt::{DeviceBuf, Result, Stream};
    /// fn elsewhere(stream: &Stream, device: &mut DeviceBuf<u8>, host: &[u8]) -> Result<()> {
    ///     stream.scope(|scope| {
    ///         std::thread::scope(|threads| {
    ///             threads.spawn(|| scope.copy_from_host(device.as_slice_mut(), host));
    ///         });
    ///         Ok(())
    ///     })
    /// }
    /// ```
    #[doc(alias("cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuStreamSynchronize"))]
    pub fn scope<'env, R>(&'env self, work: impl FnOnce(&Scope<'env>) -> Result<R>) -> Result<R> {
        let scope = Scope {
            stream: self,
            used: Cell::new(Used::Nothing),
            loan: Loan::new(self),
            _env: PhantomData,
            _not_send: PhantomData,
        };
        let worked = catch_unwind(AssertUnwindSafe(|| work(&scope)));
        // `'env` outlives this function, so all that was lent lives until here.
        let ended = scope.end();
        drop(scope);
        match worked {
            Ok(Ok(result)) => ended.map(|()| result),
            Ok(Err(error)) => Err(error),
            Err(payload) => resume_unwind(payload),
        }
    }
}

impl<'env> Scope<'env> {
    /// Returns the stream that copies.
    pub fn stream(&self) -> &'env Stream {
        self.stream
    }

    /// Overwrites device memory with host memory of the same length, while the scope lasts. Wraps `cuMemcpyHtoDAsync`.
    ///
    /// It comes after all that was queued for the device memory, and before all that will be: if that lives on another
    /// stream, the two are made to wait for each other. So the device memory can be used as ever, at once.
    ///
    /// # Blocking
    ///
    /// Perhaps, with memory that is not page-locked. While another thread unregisters the memory. See also [`Stream::scope`].
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the lengths differ, or if the contexts differ.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing) while one of the streams is being captured.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, Stream};
    /// let uploads = Stream::new(&context)?;
    /// let mut device = DeviceBuf::<u8>::zeroed(&stream, 4)?;
    /// let (left, right) = ([1, 2], [3, 4]);
    /// uploads.scope(|scope| {
    ///     scope.copy_from_host(device.slice_mut(..2)?, &left)?;
    ///     scope.copy_from_host(device.slice_mut(2..)?, &right)
    /// })?;
    /// assert_eq!(device.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyHtoDAsync")]
    pub fn copy_from_host<T: NoUninit>(
        &self,
        destination: DeviceSliceMut<'_, T>,
        source: &'env [T],
    ) -> Result<()> {
        same_length(Symbol::cuMemcpyHtoDAsync_v2, source.len(), destination.len())?;
        let (address, bytes) = (destination.ptr().as_raw(), destination.size_bytes());
        let host = source.as_ptr().cast::<c_void>();
        self.enqueue(destination.stream(), host, bytes, Symbol::cuMemcpyHtoDAsync_v2, || {
            // SAFETY: the device memory is allocated, of this size, and borrowed mutably; what is queued for it elsewhere is
            // ordered with this stream. `host` is valid for reads of as many initialised bytes for `'env`, in which the
            // scope waits for the copy.
            unsafe { check!(cuMemcpyHtoDAsync_v2(address, host, bytes, self.stream.raw())) }
        })
    }

    /// Copies device memory to host memory of the same length, while the scope lasts. Wraps `cuMemcpyDtoHAsync`.
    ///
    /// It comes after all that was queued for the device memory, and before all that will be: if that lives on another
    /// stream, the two are made to wait for each other. So the device memory can be used as ever, at once.
    ///
    /// # Blocking
    ///
    /// With memory that is not page-locked. While another thread unregisters the memory. See also [`Stream::scope`].
    ///
    /// # Errors
    ///
    /// Same as [`Scope::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::DeviceBuf;
    /// let device = DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let mut last = [0; 2];
    /// stream.scope(|scope| scope.copy_to_host(device.slice(2..)?, &mut last))?;
    /// assert_eq!(last, [3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyDtoHAsync")]
    pub fn copy_to_host<T: AnyBitPattern>(
        &self,
        source: DeviceSlice<'_, T>,
        destination: &'env mut [T],
    ) -> Result<()> {
        same_length(Symbol::cuMemcpyDtoHAsync_v2, source.len(), destination.len())?;
        let (address, bytes) = (source.ptr().as_raw(), source.size_bytes());
        let host = destination.as_mut_ptr().cast::<c_void>();
        self.enqueue(source.stream(), host, bytes, Symbol::cuMemcpyDtoHAsync_v2, || {
            // SAFETY: the device memory is allocated and of this size; what is queued for it elsewhere is ordered with this
            // stream. `host` is valid for writes of as many bytes, every pattern of which is a `T`, and nobody else's for
            // `'env`, in which the scope waits for the copy.
            unsafe { check!(cuMemcpyDtoHAsync_v2(host, address, bytes, self.stream.raw())) }
        })
    }

    /// Has `copy` queue a copy of `host`, by `call`, with device memory that lives on `home`.
    fn enqueue(
        &self,
        home: &Stream,
        host: *const c_void,
        bytes: usize,
        call: Symbol,
        copy: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let (stream, context) = (self.stream, self.stream.context());
        if home.context() != context {
            return Err(Error::different_contexts(call, "the scope's stream", "the device memory"));
        }
        stream.refuse_capture(call)?;
        let _quiet = Quiet::new();
        let _bound = context.bind(call)?;
        // Otherwise a capture that this or another thread makes elsewhere would forbid waiting.
        let _relaxed = RelaxedCaptureMode::if_needed();
        // Before the driver is asked: what is registered later counts as reached directly, too.
        let reached_directly = self.loan.add(&[host_range(host, bytes)])
            || context.reaches_pageable()
            || may_be_page_locked(host.addr());
        let used = if reached_directly { Used::Direct } else { Used::Staged };
        // Whatever fails before is noticed here, where the device has nothing of the caller's yet.
        if reached_directly && self.used.get() < Used::Direct {
            let noticed = past_captures(|| stream.synchronize());
            if noticed.is_err() {
                self.loan.not_queued();
                return noticed;
            }
        }
        self.used.set(used.max(self.used.get()));
        // Whatever it answers, it may have been queued: the end of the scope waits.
        let copied = if home == stream { copy() } else { between_streams(stream, home, call, copy) };
        if self.loan.queued(!reached_directly) {
            self.used.set(Used::Direct);
        }
        copied
    }

    /// Waits for the copies.
    fn end(&self) -> Result<()> {
        let used = self.used.get();
        // The copies of a parent end in the parent.
        if used == Used::Nothing || is_forked_child() {
            return Ok(());
        }
        // Otherwise a capture that this or another thread makes elsewhere would forbid waiting.
        let waited = past_captures(|| self.stream.synchronize());
        if let (Used::Direct, Err(failure)) = (used, &waited) {
            wait_or_abort(self.stream, failure);
        }
        waited
    }
}
