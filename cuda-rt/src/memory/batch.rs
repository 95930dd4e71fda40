//! Many copies in one call.

#![allow(unsafe_code)]

use super::host_transfer::copy_with_host_ranges;
use super::loan::HostRange;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::{Error, Result};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use cuda_sys::{
    CU_STREAM_LEGACY, CUdeviceptr, CUmemLocation, CUmemcpyAttributes, CUmemcpySrcAccessOrder_enum as Order,
    Symbol,
};

/// Copies that are independent of each other, to be queued together: the driver may do them in any order and at once.
///
/// All device memory lives on the same stream, on which they run. Of host memory, each part is borrowed until then.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::MemcpyBatch;
///
/// let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 4)?;
/// let (low, high) = numbers.as_slice_mut().split_at(2)?;
/// let mut batch = MemcpyBatch::new();
/// batch.from_host(low, &[1, 2])?.from_host(high, &[3, 4])?;
/// batch.copy(&stream)?;
/// assert_eq!(numbers.to_vec()?, [1, 2, 3, 4]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[must_use = "nothing is copied before `copy` is called"]
#[derive(Default)]
#[doc(alias = "cuMemcpyBatchAsync")]
pub struct MemcpyBatch<'memory> {
    to: Vec<CUdeviceptr>,
    from: Vec<CUdeviceptr>,
    bytes: Vec<usize>,
    ways: Vec<Way>,
    streams: Vec<(&'memory Stream, Option<&'memory Stream>)>,
    _memory: PhantomData<&'memory mut [u8]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    FromHost,
    ToHost,
    OnDevice,
}

impl<'memory> MemcpyBatch<'memory> {
    /// No copies.
    pub fn new() -> Self {
        MemcpyBatch::default()
    }

    fn add(
        &mut self,
        (to, from, bytes): (CUdeviceptr, CUdeviceptr, usize),
        way: Way,
        streams: (&'memory Stream, Option<&'memory Stream>),
    ) {
        // The driver refuses copies of nothing (measured).
        if bytes > 0 {
            self.to.push(to);
            self.from.push(from);
            self.bytes.push(bytes);
            self.ways.push(way);
            self.streams.push(streams);
        }
    }

    /// Adds a copy from host memory of the same length.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the lengths differ.
    pub fn from_host<T: NoUninit>(
        &mut self,
        to: DeviceSliceMut<'memory, T>,
        from: &'memory [T],
    ) -> Result<&mut Self> {
        super::copy::same_length(Symbol::cuMemcpyBatchAsync_v2, from.len(), to.len())?;
        let ends = (to.ptr().as_raw(), from.as_ptr().expose_provenance() as CUdeviceptr, to.size_bytes());
        self.add(ends, Way::FromHost, (to.stream(), None));
        Ok(self)
    }

    /// Adds a copy to host memory of the same length.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the lengths differ.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemcpyBatch;
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let (mut first, mut last) = ([0], [0]);
    /// let mut batch = MemcpyBatch::new();
    /// batch.to_host(numbers.slice(..1)?, &mut first)?.to_host(numbers.slice(3..)?, &mut last)?;
    /// batch.copy(&stream)?;
    /// assert_eq!((first, last), ([1], [4]));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn to_host<T: AnyBitPattern>(
        &mut self,
        from: DeviceSlice<'memory, T>,
        to: &'memory mut [T],
    ) -> Result<&mut Self> {
        super::copy::same_length(Symbol::cuMemcpyBatchAsync_v2, from.len(), to.len())?;
        let ends =
            (to.as_mut_ptr().expose_provenance() as CUdeviceptr, from.ptr().as_raw(), from.size_bytes());
        self.add(ends, Way::ToHost, (from.stream(), None));
        Ok(self)
    }

    /// Adds a copy between device memory of the same length.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the lengths differ.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemcpyBatch;
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1, 2])?;
    /// let mut copied = DeviceBuf::zeroed(&stream, 2)?;
    /// let mut batch = MemcpyBatch::new();
    /// batch.on_device(copied.as_slice_mut(), numbers.as_slice())?;
    /// batch.copy(&stream)?;
    /// assert_eq!(copied.to_vec()?, [1, 2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn on_device<T: Copy>(
        &mut self,
        to: DeviceSliceMut<'memory, T>,
        from: DeviceSlice<'memory, T>,
    ) -> Result<&mut Self> {
        super::copy::same_length(Symbol::cuMemcpyBatchAsync_v2, from.len(), to.len())?;
        let ends = (to.ptr().as_raw(), from.ptr().as_raw(), from.size_bytes());
        self.add(ends, Way::OnDevice, (to.stream(), Some(from.stream())));
        Ok(self)
    }

    /// Queues all copies on the stream.
    ///
    /// Wraps `cuMemcpyBatchAsync_v2`, and `cuMemcpyBatchAsync` before CUDA 13.0, for copies between device memory.
    /// Copies with host memory are queued one by one, because the driver does not tell when a batch is done with its host memory.
    /// All copies are queued one by one on drivers before CUDA 12.8, and on the legacy stream, which refuses batches.
    ///
    /// # Blocking
    ///
    /// With host memory, until everything queued on the stream, and the copies, are done. Else it does not wait.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if some of the memory lives on another stream;
    /// [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing) while the stream is being captured; or an
    /// earlier failure.
    #[doc(alias("cuMemcpyBatchAsync", "cuMemcpyBatchAsync_v2"))]
    pub fn copy(self, stream: &Stream) -> Result<()> {
        let elsewhere = |(to, from): &(&Stream, Option<&Stream>)| {
            *to != stream || from.is_some_and(|from| from != stream)
        };
        if let Some(index) = self.streams.iter().position(elsewhere) {
            let text =
                format_args!("the memory of copy {index} lives on another stream; copy it on its own one");
            return Err(Error::invalid_for(Symbol::cuMemcpyBatchAsync_v2, text));
        }
        if self.bytes.is_empty() {
            return Ok(());
        }
        let hosts: Vec<HostRange> = self.hosts().collect();
        if hosts.is_empty() {
            // A graph of other code would keep the addresses, and not the memory.
            stream.refuse_capture(Symbol::cuMemcpyBatchAsync_v2)?;
            return self.enqueue(stream);
        }
        copy_with_host_ranges(stream, &hosts, Symbol::cuMemcpyBatchAsync_v2, || self.enqueue(stream))
    }

    /// Returns the host memory of all entries.
    fn hosts(&self) -> impl Iterator<Item = HostRange> {
        let ends = self.to.iter().zip(&self.from).zip(&self.bytes).zip(&self.ways);
        ends.filter_map(|(((to, from), bytes), way)| {
            let start = match way {
                Way::FromHost => *from as usize,
                Way::ToHost => *to as usize,
                Way::OnDevice => return None,
            };
            Some(start..start.wrapping_add(*bytes))
        })
    }

    fn enqueue(&self, stream: &Stream) -> Result<()> {
        let _bound = stream.context().bind(Symbol::cuMemcpyBatchAsync_v2)?;
        let driver = cuda_sys::driver()?;
        let raw = stream.raw();
        let (second, first) = (Symbol::cuMemcpyBatchAsync_v2, Symbol::cuMemcpyBatchAsync);
        if raw == CU_STREAM_LEGACY || !driver.has(second) && !driver.has(first) {
            return self.enqueue_each(stream, |_| true);
        }
        self.enqueue_each(stream, |way| way != Way::OnDevice)?;
        let on_device = |list: &[u64]| -> Vec<u64> {
            let own = list.iter().zip(&self.ways).filter(|(_, way)| **way == Way::OnDevice);
            own.map(|(value, _)| *value).collect()
        };
        let (mut to, mut from) = (on_device(&self.to), on_device(&self.from));
        let own = self.bytes.iter().zip(&self.ways).filter(|(_, way)| **way == Way::OnDevice);
        let mut bytes: Vec<usize> = own.map(|(bytes, _)| *bytes).collect();
        if bytes.is_empty() {
            return Ok(());
        }
        let mut attributes = CUmemcpyAttributes {
            srcAccessOrder: Order::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM,
            srcLocHint: CUmemLocation::default(),
            dstLocHint: CUmemLocation::default(),
            flags: 0,
        };
        // The attributes hold from the first copy on.
        let (mut from_first, count) = (0, bytes.len());
        let (to, from, bytes) = (to.as_mut_ptr(), from.as_mut_ptr(), bytes.as_mut_ptr());
        let (attributes, since) = (&raw mut attributes, &raw mut from_first);
        if driver.has(second) {
            // SAFETY: each list has `count` entries, of device memory that is valid for as many bytes and lives on this stream;
            // what is written is borrowed mutably.
            unsafe { check!(cuMemcpyBatchAsync_v2(to, from, bytes, count, attributes, since, 1, raw)) }
        } else {
            let mut failed = 0;
            let failed = &raw mut failed;
            // SAFETY: as above.
            unsafe { check!(cuMemcpyBatchAsync(to, from, bytes, count, attributes, since, 1, failed, raw)) }
        }
    }

    /// Enqueues the entries of the wanted kinds, one by one.
    fn enqueue_each(&self, stream: &Stream, wanted: impl Fn(Way) -> bool) -> Result<()> {
        let raw = stream.raw();
        let ends = self.to.iter().zip(&self.from).zip(&self.bytes).zip(&self.ways);
        for (((to, from), bytes), way) in ends.filter(|(_, way)| wanted(**way)) {
            let (to, from, bytes) = (*to, *from, *bytes);
            match way {
                Way::FromHost => {
                    let host = with_exposed_provenance(from as usize);
                    // SAFETY: the device memory is borrowed mutably and lives on this stream; the host memory is valid for
                    // as many bytes, and kept by the caller.
                    unsafe { check!(cuMemcpyHtoDAsync_v2(to, host, bytes, raw)) }
                }
                Way::ToHost => {
                    let host = with_exposed_provenance_mut(to as usize);
                    // SAFETY: the other way around.
                    unsafe { check!(cuMemcpyDtoHAsync_v2(host, from, bytes, raw)) }
                }
                // SAFETY: both live on this stream; what is written is borrowed mutably.
                Way::OnDevice => unsafe { check!(cuMemcpyDtoDAsync_v2(to, from, bytes, raw)) },
            }?;
        }
        Ok(())
    }
}

impl fmt::Debug for MemcpyBatch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemcpyBatch").field("copies", &self.bytes.len()).finish_non_exhaustive()
    }
}
