//! Prefetches and discards of many ranges of managed memory in one call.

#![allow(unsafe_code)]

use super::ManagedBuf;
use super::advice::prefetch_range;
use crate::error::{Code, Error, OrDetail, Result};
use crate::list::CollectVec;
use crate::memory::location::MemLocation;
use crate::stream::Stream;
use core::fmt;
use core::ops::RangeBounds;
use cuda_sys::{CU_STREAM_LEGACY, CUdeviceptr, CUmemLocation, Symbol};

const NO_FLAGS: u64 = 0;

/// Ranges of managed memory in the driver's form, and their home streams.
#[derive(Default)]
struct Ranges<'memory> {
    addresses: Vec<CUdeviceptr>,
    sizes: Vec<usize>,
    /// The home streams, each with the index of its range among all ranges, which include the empty ones.
    streams: Vec<(usize, &'memory Stream)>,
    /// Number of all ranges.
    count: usize,
}

impl<'memory> Ranges<'memory> {
    /// Adds a range. Skips an empty range, which the driver refuses. Returns whether the range was added.
    fn add<T>(&mut self, buffer: &'memory ManagedBuf<T>, range: impl RangeBounds<usize>) -> Result<bool> {
        let (address, bytes) = buffer.place(range)?;
        let index = self.count;
        self.count += 1;
        if bytes == 0 {
            return Ok(false);
        }
        self.addresses.push(address);
        self.sizes.push(bytes);
        self.streams.push((index, buffer.stream()));
        Ok(true)
    }

    /// Refuses ranges with another home stream, and a stream that is being captured.
    fn ensure_home(&self, stream: &Stream, call: Symbol) -> Result<()> {
        match self.streams.iter().find(|(_, home)| *home != stream) {
            None if self.is_empty() => Ok(()),
            // The calls would invalidate the capture (fact V1011). If a driver recorded them, the graph would not keep the memory
            // alive.
            None => stream.refuse_capture(call),
            Some((index, _)) => Err(Error::invalid_for(
                call,
                format_args!("range {index} lives on another stream; use one batch for each stream"),
            )),
        }
    }

    fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }
}

/// Ranges of managed memory to prefetch by one call, each to a location of its own.
///
/// The home stream of all memory must be the stream on which the batch is queued. The driver may move the ranges in any order,
/// also several at the same time.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::ManagedBuf;
/// use cuda_rt::memory::{MemAttach, MemLocation, PrefetchBatch};
///
/// let weights = ManagedBuf::from_host(&stream, &[0.5_f32; 1024], MemAttach::Global)?;
/// let results = ManagedBuf::from_host(&stream, &[0.0_f32; 1024], MemAttach::Global)?;
/// # if context.device().attribute(cuda_rt::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? == 0 { return Ok(()); }
/// let mut batch = PrefetchBatch::new();
/// batch.add(&weights, .., MemLocation::device(context.device()))?.add(&results, .., MemLocation::HOST)?;
/// batch.prefetch(&stream)?;
/// assert_eq!(results.last_prefetch_location(..)?, Some(MemLocation::HOST));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[must_use = "nothing is prefetched before `prefetch` is called"]
#[derive(Default)]
#[doc(alias = "cuMemPrefetchBatchAsync")]
pub struct PrefetchBatch<'memory> {
    ranges: Ranges<'memory>,
    locations: Vec<MemLocation>,
}

impl<'memory> PrefetchBatch<'memory> {
    /// Makes an empty batch.
    pub fn new() -> Self {
        PrefetchBatch::default()
    }

    /// Adds a range of elements, and the location to move them to.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer.
    pub fn add<T>(
        &mut self,
        buffer: &'memory ManagedBuf<T>,
        range: impl RangeBounds<usize>,
        location: MemLocation,
    ) -> Result<&mut Self> {
        if self.ranges.add(buffer, range)? {
            self.locations.push(location);
        }
        Ok(self)
    }

    /// Queues all prefetches on the stream. Does not wait.
    ///
    /// Wraps `cuMemPrefetchBatchAsync`. Drivers before CUDA 13.0 lack the function, and all drivers refuse it on the legacy
    /// stream. In both cases the ranges are prefetched one by one, as by [`ManagedBuf::prefetch`].
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the home stream of a range is another stream.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::NotSupported`]: the ranges are prefetched by one call, and a device lacks
    ///   [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS).
    /// - Same as [`ManagedBuf::prefetch`].
    #[doc(alias = "cuMemPrefetchBatchAsync")]
    pub fn prefetch(mut self, stream: &Stream) -> Result<()> {
        const CALL: Symbol = Symbol::cuMemPrefetchBatchAsync;
        self.ranges.ensure_home(stream, CALL)?;
        if self.ranges.is_empty() {
            return Ok(());
        }
        let _bound = stream.context().bind(CALL)?;
        if stream.raw() == CU_STREAM_LEGACY || !cuda_sys::driver()?.has(CALL) {
            let mut ranges = self.ranges.addresses.iter().zip(&self.ranges.sizes).zip(&self.locations);
            return ranges.try_for_each(|((address, bytes), location)| {
                prefetch_range(stream, *address, *bytes, *location)
            });
        }
        let mut locations: Vec<CUmemLocation> =
            self.locations.iter().map(|location| location.as_raw()).collect_vec();
        // Each location holds from the range with the same index on.
        let mut firsts: Vec<usize> = (0..locations.len()).collect_vec();
        let (addresses, sizes) = (self.ranges.addresses.as_mut_ptr(), self.ranges.sizes.as_mut_ptr());
        let (count, raw) = (locations.len(), stream.raw());
        let (places, firsts) = (locations.as_mut_ptr(), firsts.as_mut_ptr());
        // SAFETY: each list has `count` entries; the ranges are managed memory that is allocated and whose home the stream
        // is; the locations may be any; the context is current.
        unsafe {
            check!(cuMemPrefetchBatchAsync(addresses, sizes, count, places, firsts, count, NO_FLAGS, raw))
        }
        .or_detail(&[Code::InvalidValue, Code::InvalidDevice], &|| {
            format!("locations {}", Listed(&self.locations))
        })
    }
}

/// Locations in the text of an error.
struct Listed<'locations>(&'locations [MemLocation]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, location) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(formatter, "{comma}{location}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for PrefetchBatch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PrefetchBatch").field("locations", &self.locations).finish_non_exhaustive()
    }
}

/// Ranges of managed memory whose elements are no longer needed, to discard by one call.
///
/// The driver need not preserve the elements when it moves the memory or runs out of it. The home stream of all memory must be
/// the stream on which the batch is queued.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(13, 0) { return Ok(()); }
/// use cuda_rt::ManagedBuf;
/// use cuda_rt::memory::{DiscardBatch, MemAttach, MemLocation};
///
/// let mut scratch = ManagedBuf::from_host(&stream, &[1_u32; 1024], MemAttach::Global)?;
/// # if context.device().attribute(cuda_rt::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? == 0 { return Ok(()); }
/// let mut batch = DiscardBatch::new();
/// batch.add(&mut scratch, ..)?;
/// // SAFETY: all elements are written before they are read.
/// unsafe { batch.discard_and_prefetch(&stream, MemLocation::device(context.device())) }?;
/// scratch.as_slice_mut().fill(7)?;
/// assert_eq!(scratch.to_vec()?, [7; 1024]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[must_use = "nothing is discarded before `discard` is called"]
#[derive(Default)]
#[doc(alias("cuMemDiscardBatchAsync", "cuMemDiscardAndPrefetchBatchAsync"))]
pub struct DiscardBatch<'memory> {
    ranges: Ranges<'memory>,
}

impl<'memory> DiscardBatch<'memory> {
    /// Makes an empty batch.
    pub fn new() -> Self {
        DiscardBatch::default()
    }

    /// Adds a range of elements.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer.
    pub fn add<T>(
        &mut self,
        buffer: &'memory mut ManagedBuf<T>,
        range: impl RangeBounds<usize>,
    ) -> Result<&mut Self> {
        self.ranges.add(buffer, range)?;
        Ok(self)
    }

    /// Queues the discard of all ranges on the stream. Does not wait. Wraps `cuMemDiscardBatchAsync`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the home stream of a range is another stream, or the
    ///   stream is the legacy stream.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::NotSupported`]: a device lacks
    ///   [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS).
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.0.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// The conditions also hold if the function returns an error, because the discard may be queued nevertheless:
    ///
    /// - No code reads an element of the ranges until the element has been written again: a discarded element has an
    ///   indeterminate value.
    /// - No kernel and no other code uses or prefetches the ranges while the discard runs.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(13, 0) { return Ok(()); }
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::{DiscardBatch, MemAttach};
    /// let mut scratch = ManagedBuf::from_host(&stream, &[1, 2, 3, 4], MemAttach::Global)?;
    /// # if context.device().attribute(cuda_rt::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? == 0 { return Ok(()); }
    /// let mut batch = DiscardBatch::new();
    /// batch.add(&mut scratch, 2..)?;
    /// // SAFETY: the last two elements are not read afterwards.
    /// unsafe { batch.discard(&stream) }?;
    /// assert_eq!(scratch.slice(..2)?.to_vec()?, [1, 2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemDiscardBatchAsync")]
    pub unsafe fn discard(mut self, stream: &Stream) -> Result<()> {
        const CALL: Symbol = Symbol::cuMemDiscardBatchAsync;
        self.ensure_possible(stream, CALL)?;
        if self.ranges.is_empty() {
            return Ok(());
        }
        let (addresses, sizes) = (self.ranges.addresses.as_mut_ptr(), self.ranges.sizes.as_mut_ptr());
        let (count, raw) = (self.ranges.sizes.len(), stream.raw());
        let _bound = stream.context().bind(CALL)?;
        // SAFETY: both lists have `count` entries. The ranges are managed memory that is allocated, and the stream is its home.
        // The caller answers for later reads. The context is current.
        unsafe { check!(cuMemDiscardBatchAsync(addresses, sizes, count, NO_FLAGS, raw)) }
    }

    /// Queues the discard of all ranges, and then a prefetch to a location. Does not wait. No elements are moved.
    ///
    /// Wraps `cuMemDiscardAndPrefetchBatchAsync`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidDevice`] or [`Code::InvalidValue`]: the location does not exist.
    /// - Same as [`discard`](Self::discard).
    ///
    /// # Safety
    ///
    /// Same as [`discard`](Self::discard).
    #[doc(alias = "cuMemDiscardAndPrefetchBatchAsync")]
    pub unsafe fn discard_and_prefetch(mut self, stream: &Stream, location: MemLocation) -> Result<()> {
        const CALL: Symbol = Symbol::cuMemDiscardAndPrefetchBatchAsync;
        self.ensure_possible(stream, CALL)?;
        if self.ranges.is_empty() {
            return Ok(());
        }
        // One location, which holds from the first range on.
        let (mut place, mut first) = (location.as_raw(), 0);
        let (places, firsts) = (&raw mut place, &raw mut first);
        let (addresses, sizes) = (self.ranges.addresses.as_mut_ptr(), self.ranges.sizes.as_mut_ptr());
        let (count, raw) = (self.ranges.sizes.len(), stream.raw());
        let _bound = stream.context().bind(CALL)?;
        // SAFETY: as for `discard`; there is one location, which may be any.
        unsafe {
            check!(cuMemDiscardAndPrefetchBatchAsync(
                addresses, sizes, count, places, firsts, 1, NO_FLAGS, raw
            ))
        }
        .or_detail(&[Code::InvalidValue, Code::InvalidDevice], &|| format!("location {location}"))
    }

    fn ensure_possible(&self, stream: &Stream, call: Symbol) -> Result<()> {
        if stream.raw() == CU_STREAM_LEGACY {
            let text = "the legacy stream cannot discard memory; make another stream the home of the memory";
            return Err(Error::invalid_for(call, format_args!("{text}")));
        }
        self.ranges.ensure_home(stream, call)
    }
}

impl fmt::Debug for DiscardBatch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = self.ranges.sizes.len();
        formatter.debug_struct("DiscardBatch").field("ranges", &ranges).finish_non_exhaustive()
    }
}
