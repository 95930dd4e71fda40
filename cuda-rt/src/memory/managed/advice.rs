//! Advice about the location of managed memory.

#![allow(unsafe_code)]

use super::ManagedBuf;
use crate::error::{Code, OrDetail, Result};
use crate::memory::location::MemLocation;
use crate::stream::Stream;
use core::ops::RangeBounds;
use cuda_sys::{CUdeviceptr, CUmem_advise_enum, Symbol};

/// Advice to the driver about the use of managed memory. Advice influences where the memory is and where it is mapped. Advice
/// never changes the contents. Advice moves nothing at once: see [`prefetch`](ManagedBuf::prefetch).
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::ManagedBuf;
/// use cuda_rt::memory::{MemAttach, MemAdvise, MemLocation};
///
/// let table = ManagedBuf::from_host(&stream, &[2, 3, 5, 7], MemAttach::Global)?;
/// # if context.device().attribute(cuda_rt::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? == 0 { return Ok(()); }
/// table.advise(.., MemAdvise::read_mostly())?;
/// table.advise(.., MemAdvise::preferred_location(MemLocation::device(context.device())))?;
/// assert!(table.is_read_mostly(..)?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmem_advise")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemAdvise {
    number: u32,
    location: MemLocation,
}

impl MemAdvise {
    /// Returns the advice that many processors will read the memory, and few will write it: each reader gets a copy.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::memory::MemAdvise::read_mostly().number(), 1);
    /// ```
    #[doc(alias = "CU_MEM_ADVISE_SET_READ_MOSTLY")]
    pub fn read_mostly() -> Self {
        Self::other(CUmem_advise_enum::CU_MEM_ADVISE_SET_READ_MOSTLY.0, MemLocation::HOST)
    }

    /// Returns the advice that reverts [`read_mostly`](MemAdvise::read_mostly).
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::memory::MemAdvise::unset_read_mostly().number(), 2);
    /// ```
    #[doc(alias = "CU_MEM_ADVISE_UNSET_READ_MOSTLY")]
    pub fn unset_read_mostly() -> Self {
        Self::other(CUmem_advise_enum::CU_MEM_ADVISE_UNSET_READ_MOSTLY.0, MemLocation::HOST)
    }

    /// Returns the advice to keep the memory at `location`, and to leave it there if other processors can access it there.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::memory::{MemAdvise, MemLocation};
    ///
    /// assert_eq!(MemAdvise::preferred_location(MemLocation::HOST).location(), MemLocation::HOST);
    /// ```
    #[doc(alias = "CU_MEM_ADVISE_SET_PREFERRED_LOCATION")]
    pub fn preferred_location(location: MemLocation) -> Self {
        Self::other(CUmem_advise_enum::CU_MEM_ADVISE_SET_PREFERRED_LOCATION.0, location)
    }

    /// Returns the advice that reverts [`preferred_location`](MemAdvise::preferred_location), for any location.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::memory::MemAdvise::unset_preferred_location().number(), 4);
    /// ```
    #[doc(alias = "CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION")]
    pub fn unset_preferred_location() -> Self {
        Self::other(CUmem_advise_enum::CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION.0, MemLocation::HOST)
    }

    /// Returns the advice that processors at `location` will use the memory. The memory stays mapped for these processors,
    /// wherever it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::memory::{MemAdvise, MemLocation};
    ///
    /// assert_eq!(MemAdvise::accessed_by(MemLocation::HOST).number(), 5);
    /// ```
    #[doc(alias = "CU_MEM_ADVISE_SET_ACCESSED_BY")]
    pub fn accessed_by(location: MemLocation) -> Self {
        Self::other(CUmem_advise_enum::CU_MEM_ADVISE_SET_ACCESSED_BY.0, location)
    }

    /// Returns the advice that reverts [`accessed_by`](MemAdvise::accessed_by).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::memory::{MemAdvise, MemLocation};
    ///
    /// assert_eq!(MemAdvise::unset_accessed_by(MemLocation::HOST).number(), 6);
    /// ```
    #[doc(alias = "CU_MEM_ADVISE_UNSET_ACCESSED_BY")]
    pub fn unset_accessed_by(location: MemLocation) -> Self {
        Self::other(CUmem_advise_enum::CU_MEM_ADVISE_UNSET_ACCESSED_BY.0, location)
    }

    /// Returns advice that this crate has no name for. Drivers refuse unknown numbers.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::memory::{MemAdvise, MemLocation};
    ///
    /// assert_eq!(MemAdvise::other(5, MemLocation::HOST), MemAdvise::accessed_by(MemLocation::HOST));
    /// ```
    pub fn other(number: u32, location: MemLocation) -> Self {
        MemAdvise { number, location }
    }

    /// Returns the driver's number for the advice.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::memory::MemAdvise::read_mostly().number(), 1);
    /// ```
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the location of the advice; the host for advice without one.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::memory::{MemAdvise, MemLocation};
    ///
    /// assert_eq!(MemAdvise::read_mostly().location(), MemLocation::HOST);
    /// ```
    pub fn location(self) -> MemLocation {
        self.location
    }
}

impl<T> ManagedBuf<T> {
    /// Advises the driver about a range of elements. The advice covers whole pages, including other memory on them. Does not wait
    /// for queued work. Wraps `cuMemAdvise`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer.
    /// - [`Code::InvalidDevice`] or [`Code::InvalidValue`]: the location does not exist, the advice cannot name it, or
    ///   a device lacks [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS).
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the location is a NUMA node, and the driver is older than
    ///   CUDA 12.2.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::{MemAttach, MemAdvise, MemLocation};
    /// let table = ManagedBuf::from_host(&stream, &[2, 3, 5, 7], MemAttach::Global)?;
    /// # if context.device().attribute(cuda_rt::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? == 0 { return Ok(()); }
    /// table.advise(1..3, MemAdvise::accessed_by(MemLocation::device(context.device())))?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemAdvise", "cuMemAdvise_v2"))]
    pub fn advise(&self, range: impl RangeBounds<usize>, advice: MemAdvise) -> Result<()> {
        let (address, bytes) = self.place(range)?;
        if bytes == 0 {
            return Ok(());
        }
        let number = CUmem_advise_enum(advice.number);
        let _bound = self.stream().context().bind(Symbol::cuMemAdvise)?;
        let advised = match (cuda_sys::driver()?.has(Symbol::cuMemAdvise_v2), advice.location.to_ordinal()) {
            // SAFETY: managed memory that is allocated; the numbers may be any; the context is current.
            (false, Some(device)) => unsafe { check!(cuMemAdvise(address, bytes, number, device)) },
            // SAFETY: as above.
            _ => unsafe { check!(cuMemAdvise_v2(address, bytes, number, advice.location.as_raw())) },
        };
        let detail = || format!("location {}", advice.location);
        advised.or_detail(&[Code::InvalidValue, Code::InvalidDevice], &detail)
    }

    /// Moves a range of elements to a location, in the order of the home stream. Does not wait. Wraps `cuMemPrefetchAsync`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured.
    /// - [`Code::InvalidDevice`] or [`Code::InvalidValue`]: the location does not exist, or a device lacks
    ///   [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS).
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the location is a NUMA node, and the driver is older than
    ///   CUDA 12.2.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::{MemAttach, MemLocation};
    /// let numbers = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// # if context.device().attribute(cuda_rt::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? == 0 { return Ok(()); }
    /// numbers.prefetch(.., MemLocation::HOST)?;
    /// assert_eq!(numbers.last_prefetch_location(..)?, Some(MemLocation::HOST));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemPrefetchAsync", "cuMemPrefetchAsync_v2"))]
    pub fn prefetch(&self, range: impl RangeBounds<usize>, location: MemLocation) -> Result<()> {
        let (address, bytes) = self.place(range)?;
        if bytes == 0 {
            return Ok(());
        }
        // The call would invalidate the capture (fact V1011 shows it for batches, the row managed-capture-own for this call).
        self.stream().refuse_capture(Symbol::cuMemPrefetchAsync)?;
        let _bound = self.stream().context().bind(Symbol::cuMemPrefetchAsync)?;
        prefetch_range(self.stream(), address, bytes, location)
    }
}

/// Prefetches allocated managed memory whose home stream is `stream`. The stream's context is current.
pub(super) fn prefetch_range(
    stream: &Stream,
    address: CUdeviceptr,
    bytes: usize,
    location: MemLocation,
) -> Result<()> {
    const NO_FLAGS: u32 = 0;
    let (raw, to) = (stream.raw(), location.as_raw());
    let queued = match (cuda_sys::driver()?.has(Symbol::cuMemPrefetchAsync_v2), location.to_ordinal()) {
        // SAFETY: managed memory that is allocated, and whose home the stream is; the device's number may be any; the
        // context is current.
        (false, Some(device)) => unsafe { check!(cuMemPrefetchAsync(address, bytes, device, raw)) },
        // SAFETY: as above.
        _ => unsafe { check!(cuMemPrefetchAsync_v2(address, bytes, to, NO_FLAGS, raw)) },
    };
    let detail = || format!("location {location}");
    queued.or_detail(&[Code::InvalidValue, Code::InvalidDevice], &detail)
}
