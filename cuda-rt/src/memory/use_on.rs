//! Device memory that another stream uses.

use super::buffer::DeviceBuf;
use super::host_transfer::wait_for_copy;
use super::pointer::DevicePtr;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::{Code, ErrorKind, Result};
use crate::event::{Event, EventFlags};
use crate::handle::{is_forked_child, is_inside, report};
use crate::peer::CopyTicket;
use crate::stream::{AsStream, Stream, StreamRef, is_same, refuse_capture, wait_stream};
use core::fmt;
use core::marker::PhantomData;
use cuda_sys::Symbol;

/// A guard of device memory that kernels use on a stream other than its home stream. Made by [`DeviceBuf::use_on`],
/// [`DeviceBuf::use_on_mut`], [`DeviceSlice::use_on`] and [`DeviceSliceMut::use_on`].
///
/// The guard orders the two streams both ways, and the host does not wait. When the guard is made, the other stream waits for the
/// work queued on the home stream. When the guard is dropped, the home stream waits for the work queued on the other stream. So
/// kernels that are launched in between see the earlier work, and later copies, or freeing the memory, come after the kernels.
/// Both waits use the driver calls of [`Stream::wait_stream`]. If the other stream is the home stream,
/// or the memory has no bytes, no calls are made and nothing is ordered.
///
/// The memory stays borrowed as long as the guard lives. The guard cannot be sent to other threads.
///
/// If the guard is leaked, the home stream does not wait for the other stream. If the [safety](crate::Kernel::launch) of a
/// launch relies on the guard, the caller must ensure three conditions. The guard is dropped after the launch. It is dropped
/// outside host functions. At the drop, neither stream is being captured, and if one is the legacy stream, no stream that
/// synchronises with it is being captured.
///
/// # Blocking
///
/// Dropping does not wait, except while another thread disables access between the two devices. If the wait of the home
/// stream cannot be queued,
/// dropping waits until the other stream is done, and the [hook](crate::handle::set_drop_hook) gets the failure. If waiting
/// fails, too, the process is
/// [aborted](crate::memory#blocking-calls), unless the code is
/// [sticky](crate::error::Code::is_sticky) or [`Code::Deinitialized`].
///
/// If one of the streams is being captured at the drop, nothing is ordered, and the hook gets the failure. The same holds if one
/// is the legacy stream and a stream that synchronises with it is being captured.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry twice(.param .u64 in, .param .u64 out) {
/// #     .reg .b64 %a<4>; .reg .b32 %r<2>; ld.param.u64 %a0, [in]; ld.param.u64 %a1, [out]; mov.u32 %r0, %tid.x;
/// #     mul.wide.u32 %a2, %r0, 4; add.u64 %a0, %a0, %a2; add.u64 %a1, %a1, %a2;
/// #     ld.global.u32 %r1, [%a0]; add.u32 %r1, %r1, %r1; st.global.u32 [%a1], %r1; ret; }";
/// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
/// use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig, Stream};
///
/// let twice = module.function("twice")?.typed::<(DevicePtr<u32>, DevicePtr<u32>)>()?;
/// let (uploads, work, results) = (Stream::new(&context)?, Stream::new(&context)?, Stream::new(&context)?);
/// let numbers = DeviceBuf::from_host(&uploads, &[1, 2, 3])?;
/// let mut doubled = DeviceBuf::<u32>::zeroed(&results, 3)?;
/// {
///     let (from, to) = (numbers.use_on(&work)?, doubled.use_on_mut(&work)?);
///     // SAFETY: 3 threads read 3 elements and write 3 others. Both are ordered with `work`: the guards end below.
///     unsafe { twice.launch(LaunchConfig::new(1, 3), &work, (from.ptr(), to.ptr())) }?;
/// }
/// assert_eq!(doubled.to_vec()?, [2, 4, 6]); // runs after the kernel
/// drop(numbers); // freed after the kernel
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// The memory cannot be freed before the guard is dropped:
///
/// ```compile_fail,E0505
/// # use cuda_rt::{DeviceBuf, Result, Stream};
/// fn early(buffer: DeviceBuf<u8>, stream: &Stream) -> Result<()> {
///     let guard = buffer.use_on(stream)?;
///     drop(buffer);
///     guard.close()
/// }
/// ```
///
/// While a guard of `use_on_mut` lives, other code can neither read nor write the memory:
///
/// ```compile_fail,E0502
/// # use cuda_rt::{DeviceBuf, Result, Stream};
/// fn meanwhile(buffer: &mut DeviceBuf<u8>, stream: &Stream) -> Result<()> {
///     let guard = buffer.use_on_mut(stream)?;
///     buffer.to_vec()?;
///     guard.close()
/// }
/// ```
#[must_use = "dropping it orders the memory's stream after the other one"]
pub struct UseOn<'memory, T> {
    ptr: DevicePtr<T>,
    len: usize,
    order: StreamOrder<'memory>,
    /// The other stream may be the per-thread default stream. And a guard that is dropped inside a host function could not call
    /// the driver.
    _not_send: PhantomData<*const ()>,
}

impl<'memory, T> UseOn<'memory, T> {
    fn new(
        ptr: DevicePtr<T>,
        len: usize,
        home: &'memory Stream,
        other: &'memory impl AsStream,
    ) -> Result<UseOn<'memory, T>> {
        let has_bytes = len != 0 && size_of::<T>() != 0;
        let used = if has_bytes { Some(home) } else { None };
        let order = StreamOrder::begin(used, other, false)?;
        Ok(UseOn { ptr, len, order, _not_send: PhantomData })
    }

    /// Returns the address of the first element, for kernels on the other stream.
    pub fn ptr(&self) -> DevicePtr<T> {
        self.ptr
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Orders the home stream after the other stream, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuEventRecord` and `cuStreamWaitEvent`.
    ///
    /// # Blocking
    ///
    /// - Until the other stream is done, if the order fails for another reason than a capture.
    /// - Between devices, while another thread disables access between them.
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): one of the streams is being captured. Nothing is ordered.
    /// - [`Code::StreamCaptureImplicit`]: one is the legacy stream, and a stream that synchronises with it is being captured.
    ///   Nothing is ordered.
    /// - Same as [`Stream::wait_stream`]: then the other stream has been waited for instead.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let (stream, other) = (cuda_rt::Stream::new(&context)?, cuda_rt::Stream::new(&context)?);
    /// let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// let guard = buffer.use_on(&other)?;
    /// assert_eq!((guard.ptr(), guard.len()), (buffer.ptr(), 3));
    /// guard.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn close(self) -> Result<()> {
        self.order.close()
    }
}

/// The order of two streams while one uses memory that lives on the other.
///
/// At the beginning, the other stream waits for the home stream. At the end, the home stream waits for the other stream. The
/// streams are on the heap, so that a launch on the home stream, which needs no order, moves one word.
#[doc(hidden)]
#[derive(Debug)]
pub struct StreamOrder<'streams>(Option<Box<TwoStreams<'streams>>>);

/// Two streams in an order.
#[derive(Debug)]
struct TwoStreams<'streams> {
    home: &'streams Stream,
    other: StreamRef<'streams>,
    /// True if the end waits for the other stream when a capture of other code prevents the order. False if the caller of the
    /// launch is responsible for captures.
    waits_if_captured: bool,
    /// The other stream may be the default stream of this thread.
    _not_send: PhantomData<*const ()>,
}

impl<'streams> StreamOrder<'streams> {
    /// Makes `other` wait for the home stream. Without a home stream, or if both streams are the same, nothing is ordered.
    #[inline]
    pub(crate) fn begin(
        home: Option<&'streams Stream>,
        other: &'streams impl AsStream,
        waits_if_captured: bool,
    ) -> Result<StreamOrder<'streams>> {
        match home {
            Some(home) if !is_same(home, other) => {
                TwoStreams { home, other: StreamRef::of(other), waits_if_captured, _not_send: PhantomData }
                    .begin()
            }
            _ => Ok(StreamOrder(None)),
        }
    }

    /// Orders the home stream after the other one, and returns the failure.
    #[inline]
    pub(crate) fn close(mut self) -> Result<()> {
        if self.0.is_none() { Ok(()) } else { self.end() }
    }

    /// Orders the home stream after the other one. Later calls do nothing.
    #[inline(never)]
    fn end(&mut self) -> Result<()> {
        let Some(streams) = self.0.take() else { return Ok(()) };
        let TwoStreams { home, other, waits_if_captured, .. } = *streams;
        if is_forked_child() {
            return Ok(());
        }
        let may_wait = refuse_capture(home, Symbol::cuStreamWaitEvent)
            .and_then(|()| refuse_capture(&other, Symbol::cuEventRecord));
        let ordered = may_wait.and_then(|()| order_after(home, &other));
        match &ordered {
            Ok(()) => {}
            // A host function must not call the driver, so nothing can wait here.
            Err(_) if is_inside() => {}
            Err(error) if error.kind() == ErrorKind::StreamCapturing && !waits_if_captured => {}
            // The legacy stream reports this code while a stream that blocks it is being captured. Waiting for the legacy stream
            // fails, too (fact V962).
            Err(error) if error.code() == Some(Code::StreamCaptureImplicit) && !waits_if_captured => {}
            Err(failure) => wait_for_copy(&other, "ordering two streams after a guard", failure),
        }
        ordered
    }
}

impl<'streams> TwoStreams<'streams> {
    #[inline(never)]
    fn begin(self) -> Result<StreamOrder<'streams>> {
        let TwoStreams { home, other, .. } = self;
        // An event would make one stream part of the capture of the other.
        refuse_capture(home, Symbol::cuEventRecord)?;
        refuse_capture(&other, Symbol::cuStreamWaitEvent)?;
        wait_stream(&other, home)?;
        Ok(StreamOrder(Some(Box::new(self))))
    }
}

/// Makes `home` wait for the work queued on `other`. Between devices, the order is recorded like a copy until it is done: freeing
/// plain memory disables the access of other devices before it waits (fact V958).
fn order_after(home: &Stream, other: &StreamRef<'_>) -> Result<()> {
    let departure = CopyTicket::new(home.context(), other.context());
    let mark = Event::with_flags(other.context(), EventFlags::DISABLE_TIMING)?;
    mark.record(other).and_then(|reached| home.wait_event(reached))?;
    departure.until(mark);
    Ok(())
}

impl Drop for StreamOrder<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_some() {
            report(self.end());
        }
    }
}

impl<T> fmt::Debug for UseOn<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("UseOn")
            .field("ptr", &self.ptr)
            .field("len", &self.len)
            .field("order", &self.order)
            .finish()
    }
}

impl<'memory, T> DeviceSlice<'memory, T> {
    /// Makes another stream wait for the home stream, so that kernels there can read the memory. When the returned guard is
    /// dropped, the home stream waits for the other stream. See [`UseOn`].
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::use_on`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let (stream, work) = (cuda_rt::Stream::new(&context)?, cuda_rt::Stream::new(&context)?);
    /// let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// let tail = buffer.slice(1..)?.use_on(&work)?;
    /// assert_eq!(tail.len(), 2);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn use_on(self, stream: &'memory impl AsStream) -> Result<UseOn<'memory, T>> {
        UseOn::new(self.ptr(), self.len(), self.stream(), stream)
    }
}

impl<'memory, T> DeviceSliceMut<'memory, T> {
    /// Makes another stream wait for the home stream, so that kernels there can write to the memory. When the returned guard is
    /// dropped, the home stream waits for the other stream. See [`UseOn`].
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::use_on`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let (stream, work) = (cuda_rt::Stream::new(&context)?, cuda_rt::Stream::new(&context)?);
    /// let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// let tail = buffer.slice_mut(1..)?.use_on(&work)?;
    /// assert_eq!(tail.len(), 2);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn use_on(self, stream: &'memory impl AsStream) -> Result<UseOn<'memory, T>> {
        UseOn::new(self.ptr(), self.len(), self.stream(), stream)
    }
}

impl<T> DeviceBuf<T> {
    /// Makes another stream wait for the buffer's home stream, so that kernels there can read the buffer. When the returned guard
    /// is dropped, the home stream waits for the other stream. See [`UseOn`].
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): one of the streams is being captured. The order would
    ///   make the other stream part of the capture, or invalidate the capture.
    /// - Same as [`Stream::wait_stream`].
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn use_on<'memory>(&'memory self, stream: &'memory impl AsStream) -> Result<UseOn<'memory, T>> {
        self.as_slice().use_on(stream)
    }

    /// Makes another stream wait for the buffer's home stream, so that kernels there can write to the buffer. When the returned
    /// guard is dropped, the home stream waits for the other stream. See [`UseOn`].
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::use_on`].
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn use_on_mut<'memory>(
        &'memory mut self,
        stream: &'memory impl AsStream,
    ) -> Result<UseOn<'memory, T>> {
        self.as_slice_mut().use_on(stream)
    }
}
