//! Scopes: several copies with borrowed host memory at the same time.

#![allow(unsafe_code)]

use super::copy::{between_streams, same_length};
use super::host_transfer::{may_be_page_locked, wait_or_abort};
use super::loan::{Loan, host_range};
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::context::{RelaxedCaptureMode, different_contexts, past_captures};
use crate::error::Result;
use crate::handle::{Quiet, ensure_not_forked, report};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use cuda_sys::Symbol;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Copies with borrowed host memory, which a stream runs while a closure runs. Made by [`Stream::scope`].
///
/// `'env` is the lifetime of the borrows, which outlives the scope.
#[derive(Debug)]
pub struct Scope<'env> {
    stream: &'env Stream,
    used: Cell<Used>,
    /// The host memory that copies of this scope may be using.
    loan: Loan<'env>,
    /// Invariant: with a shorter lifetime, the closure could lend its own memory.
    _env: PhantomData<Cell<&'env mut ()>>,
    /// The scope ends on the thread that waits.
    _not_send: PhantomData<*const ()>,
}

/// The host memory that copies of the scope have used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Used {
    Nothing,
    /// Only memory that the driver copies to or from a staging buffer.
    Staged,
    /// Also memory that the device accesses directly.
    Direct,
}

impl Stream {
    /// Runs `work`, which can start several copies with borrowed host memory, and waits for all of them.
    ///
    /// The scope waits for no copy before `work` has returned, or panicked. So the copies overlap with other work of the host,
    /// and with copies of other streams if scopes are nested. Only copies of page-locked memory ([`PinnedBuf`](crate::PinnedBuf),
    /// [`RegisteredBuf`](crate::memory::RegisteredBuf)) overlap. With other memory, each copy to the host, and each large copy to
    /// the device, is done when its call returns.
    ///
    /// If the device has [`PAGEABLE_MEMORY_ACCESS`](crate::device::DeviceAttribute::PAGEABLE_MEMORY_ACCESS), the next
    /// two sections apply to all host memory as to page-locked memory.
    ///
    /// # Blocking
    ///
    /// - After `work`, until everything queued on the stream is done. A scope in which no copy of at least 1 byte was made does
    ///   not wait, so unsafe code must not rely on a scope to wait for a kernel.
    /// - In the first copy with page-locked memory, until all earlier work of the stream is done. So a failure of earlier work is
    ///   reported before the device has the caller's memory.
    ///
    /// # Errors
    ///
    /// - The failure of `work`.
    /// - The failure of queued work. In this case, the content of the destinations is unspecified. If `work` fails or panics, too,
    ///   this failure goes to the [drop hook](crate::handle::set_drop_hook).
    /// - [`Code::NotInitialized`](crate::error::Code::NotInitialized): `work` has forked the process, and this is the child, where
    ///   the copies do not arrive.
    ///
    /// If waiting fails twice, and page-locked memory was used, the process is [aborted](crate::memory#blocking-calls). Waiting
    /// fails if `work` makes the stream wait for an event of a captured stream: the stream then becomes part of the capture.
    ///
    /// # Panics
    ///
    /// If `work` panics, after the copies are done.
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
    /// The destination of a copy cannot be read before the end of the scope:
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
    /// The source of a copy cannot be written to before the end of the scope:
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
    /// Memory of the closure does not live long enough:
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
    /// The scope ends with the closure:
    ///
    /// ```compile_fail,E0521
    /// # use cuda_rt::{DeviceBuf, Result, Stream};
    /// fn escape(stream: &Stream, device: &mut DeviceBuf<u8>, host: &[u8]) -> Result<()> {
    ///     let mut kept = None;
    ///     stream.scope(|scope| {
    ///         kept = Some(scope);
    ///         Ok(())
    ///     })?;
    ///     kept.unwrap().copy_from_host(device.as_slice_mut(), host) // no call would wait for the copy
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
        // `'env` outlives this function, so all memory that was lent lives until here.
        let ended = scope.end();
        drop(scope);
        if let Ok(Ok(result)) = worked {
            return ended.map(|()| result);
        }
        report(ended);
        match worked {
            Ok(outcome) => outcome,
            Err(payload) => resume_unwind(payload),
        }
    }
}

impl<'env> Scope<'env> {
    /// Returns the stream of the copies.
    pub fn stream(&self) -> &'env Stream {
        self.stream
    }

    /// Overwrites device memory with host memory of the same length, during the scope. Wraps `cuMemcpyHtoDAsync`.
    ///
    /// The copy runs after the work that was queued earlier for the device memory, and before later work. If the device memory
    /// lives on another stream, the two streams are ordered with each other. So later calls can use the device memory without
    /// further ordering.
    ///
    /// # Blocking
    ///
    /// - Perhaps, with memory that is not page-locked.
    /// - While another thread unregisters the memory.
    /// - As described for [`Stream::scope`].
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths or the contexts differ.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): one of the streams is being captured.
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
        self.enqueue(destination.stream(), host, bytes, Symbol::cuMemcpyHtoDAsync_v2, &|| {
            // SAFETY: the device memory is allocated, of this size, and borrowed mutably. Its queued work on other streams is
            // ordered with this stream. `host` is valid for reads of that number of initialised bytes for `'env`, and the scope
            // waits for the copy within `'env`.
            unsafe { inline_check!(cuMemcpyHtoDAsync_v2(address, host, bytes, self.stream.raw())) }
        })
    }

    /// Copies device memory to host memory of the same length, during the scope. Wraps `cuMemcpyDtoHAsync`.
    ///
    /// The copy runs after the work that was queued earlier for the device memory, and before later work. If the device memory
    /// lives on another stream, the two streams are ordered with each other. So later calls can use the device memory without
    /// further ordering.
    ///
    /// # Blocking
    ///
    /// - With memory that is not page-locked.
    /// - While another thread unregisters the memory.
    /// - As described for [`Stream::scope`].
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
        self.enqueue(source.stream(), host, bytes, Symbol::cuMemcpyDtoHAsync_v2, &|| {
            // SAFETY: the device memory is allocated and of this size. Its queued work on other streams is ordered with this
            // stream. `host` is valid for writes of that number of bytes for `'env`, and any bytes are a `T`. No other code uses
            // `host` within `'env`, and the scope waits for the copy within `'env`.
            unsafe { inline_check!(cuMemcpyDtoHAsync_v2(host, address, bytes, self.stream.raw())) }
        })
    }

    /// Queues a copy of `host` with device memory that lives on `home`. `copy` makes the call `call`.
    fn enqueue(
        &self,
        home: &Stream,
        host: *const c_void,
        bytes: usize,
        call: Symbol,
        copy: &dyn Fn() -> Result<()>,
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let (stream, context) = (self.stream, self.stream.context());
        if home.context() != context {
            return Err(different_contexts(
                call,
                [("the scope's stream", context), ("the device memory", home.context())],
            ));
        }
        stream.refuse_capture(call)?;
        let _quiet = Quiet::new();
        let _bound = context.bind_inline(call)?;
        // Otherwise a capture of this or another thread would forbid waiting.
        let _relaxed = RelaxedCaptureMode::if_needed();
        // Before the query of the driver: memory that is registered later counts as accessed directly, too.
        let reached_directly = self.loan.add(&[host_range(host, bytes)])
            || context.reaches_pageable()
            || may_be_page_locked(host.addr());
        let used = if reached_directly { Used::Direct } else { Used::Staged };
        // Earlier failures are noticed here, where the device has no memory of the caller yet.
        if reached_directly && self.used.get() < Used::Direct {
            let noticed = past_captures(|| stream.synchronize());
            if noticed.is_err() {
                self.loan.not_queued();
                return noticed;
            }
        }
        self.used.set(used.max(self.used.get()));
        // The copy may be queued even after a failure: the end of the scope waits.
        let copied = if home == stream { copy() } else { between_streams(stream, home, call, copy) };
        if self.loan.queued(!reached_directly) {
            self.used.set(Used::Direct);
        }
        copied
    }

    /// Waits for the copies.
    fn end(&self) -> Result<()> {
        let used = self.used.get();
        if used == Used::Nothing {
            return Ok(());
        }
        // The copies of a parent end in the parent, and do not arrive in its child.
        ensure_not_forked(Symbol::cuStreamSynchronize)?;
        // Otherwise a capture of this or another thread would forbid waiting.
        let waited = past_captures(|| self.stream.synchronize());
        if let (Used::Direct, Err(failure)) = (used, &waited) {
            wait_or_abort(self.stream, failure);
        }
        waited
    }
}
