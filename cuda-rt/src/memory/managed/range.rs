//! Queries about ranges of managed memory.

#![allow(unsafe_code)]

use super::ManagedBuf;
use crate::device::Device;
use crate::error::{Code, Error, Limit, OrDetail, Result, filled};
use crate::list::CollectVec;
use crate::memory::location::MemLocation;
use crate::memory::view::inside;
use crate::text::list;
use core::ffi::c_int;
use core::ops::RangeBounds;
use cuda_sys::{CUdeviceptr, CUmem_range_attribute_enum as C, CUmemLocation, Symbol};

/// A property of a range of managed memory: any number that some driver knows.
///
/// The constants are those of CUDA 13.5. [`ManagedBuf`] has a method for each. `RangeAttribute(number)` makes others.
///
/// ```
/// use cuda_rt::memory::RangeAttribute;
///
/// assert_eq!(RangeAttribute::READ_MOSTLY.to_string(), "READ_MOSTLY");
/// assert_eq!(RangeAttribute(99).to_string(), "RangeAttribute(99)");
/// ```
#[doc(alias = "CUmem_range_attribute")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RangeAttribute(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../../generated/range_attribute.rs");

impl<T> ManagedBuf<T> {
    /// Returns whether all elements of a range have the advice *read mostly*. Wraps `cuMemRangeGetAttribute`.
    ///
    /// # Errors
    ///
    /// Same as [`ManagedBuf::range_attribute`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let numbers = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// assert!(!numbers.is_read_mostly(..)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemRangeGetAttribute")]
    pub fn is_read_mostly(&self, range: impl RangeBounds<usize>) -> Result<bool> {
        Ok(self.range_attribute(range, RangeAttribute::READ_MOSTLY)? != 0)
    }

    /// Returns the preferred location of all elements of a range, if there is one. Wraps `cuMemRangeGetAttributes`.
    ///
    /// Drivers before CUDA 12.2 report NUMA nodes of the host as the host, and the method wraps `cuMemRangeGetAttribute`.
    ///
    /// # Errors
    ///
    /// Same as [`ManagedBuf::range_attribute`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let numbers = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// assert_eq!(numbers.preferred_location(..)?, None);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemRangeGetAttribute", "cuMemRangeGetAttributes"))]
    pub fn preferred_location(&self, range: impl RangeBounds<usize>) -> Result<Option<MemLocation>> {
        use RangeAttribute as A;
        self.location(range, A::PREFERRED_LOCATION, [A::PREFERRED_LOCATION_TYPE, A::PREFERRED_LOCATION_ID])
    }

    /// Returns the location that all elements of a range were last prefetched to, if there is one. The elements may have moved
    /// since. Wraps `cuMemRangeGetAttributes`.
    ///
    /// Drivers before CUDA 12.2 report NUMA nodes of the host as the host, and the method wraps `cuMemRangeGetAttribute`.
    ///
    /// # Errors
    ///
    /// Same as [`ManagedBuf::range_attribute`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let numbers = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// assert_eq!(numbers.last_prefetch_location(..)?, None);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemRangeGetAttribute", "cuMemRangeGetAttributes"))]
    pub fn last_prefetch_location(&self, range: impl RangeBounds<usize>) -> Result<Option<MemLocation>> {
        use RangeAttribute as A;
        let newer = [A::LAST_PREFETCH_LOCATION_TYPE, A::LAST_PREFETCH_LOCATION_ID];
        self.location(range, A::LAST_PREFETCH_LOCATION, newer)
    }

    fn location(
        &self,
        range: impl RangeBounds<usize>,
        older: RangeAttribute,
        newer: [RangeAttribute; 2],
    ) -> Result<Option<MemLocation>> {
        if !cuda_sys::driver()?.has(Symbol::cuMemAdvise_v2) {
            return self.range_attribute(range, older).map(MemLocation::from_ordinal);
        }
        let mut answers = [0; 2];
        self.ask(range, &newer, &mut answers)?;
        let [number, id] = answers;
        Ok(MemLocation::from_numbers(number.cast_unsigned(), id))
    }

    /// Returns the locations that have the advice *accessed by* for all elements of a range. They are devices, and perhaps the
    /// host. Wraps `cuMemRangeGetAttribute`.
    ///
    /// # Errors
    ///
    /// Same as [`ManagedBuf::range_attribute`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let numbers = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// assert_eq!(numbers.accessed_by(..)?, []);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemRangeGetAttribute")]
    pub fn accessed_by(&self, range: impl RangeBounds<usize>) -> Result<Vec<MemLocation>> {
        /// An unused entry of the answer: neither a device nor the host.
        const NONE: c_int = cuda_sys::CU_DEVICE_INVALID;
        // All devices, and the host.
        let most = Device::count()? as usize + 1;
        let mut answers = vec![NONE; most];
        self.ask_one(range, RangeAttribute::ACCESSED_BY, &mut answers)?;
        Ok(answers.into_iter().filter_map(MemLocation::from_ordinal).collect_vec())
    }

    /// Returns a property of a range of elements, as a number. [`RangeAttribute`] explains the number. Wraps
    /// `cuMemRangeGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer, or has no bytes.
    /// - [`Code::InvalidValue`]: the driver does not know the property, or the property is no number.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// use cuda_rt::memory::RangeAttribute;
    ///
    /// let numbers = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// assert_eq!(numbers.range_attribute(.., RangeAttribute::PREFERRED_LOCATION)?, -2); // none
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemRangeGetAttribute")]
    pub fn range_attribute(&self, range: impl RangeBounds<usize>, attribute: RangeAttribute) -> Result<i32> {
        let mut answer = [0; 1];
        self.ask_one(range, attribute, &mut answer)?;
        let [answer] = answer;
        Ok(answer)
    }

    /// Returns several properties of a range of elements by one call. Wraps `cuMemRangeGetAttributes`.
    ///
    /// # Errors
    ///
    /// Same as [`ManagedBuf::range_attribute`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// use cuda_rt::memory::RangeAttribute as A;
    ///
    /// let numbers = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// assert_eq!(numbers.range_attributes(.., &[A::READ_MOSTLY, A::PREFERRED_LOCATION])?, [0, -2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemRangeGetAttributes")]
    pub fn range_attributes(
        &self,
        range: impl RangeBounds<usize>,
        attributes: &[RangeAttribute],
    ) -> Result<Vec<i32>> {
        let mut answers = vec![0; attributes.len()];
        self.ask(range, attributes, &mut answers)?;
        Ok(answers)
    }

    /// Returns the present location of each region of a range. `None` stands for memory without pages. Since CUDA 13.4; not run
    /// on hardware.
    ///
    /// A region has `region_bytes`, the last one perhaps fewer. The driver samples the memory every `sample_bytes`, and answers
    /// with the most frequent location of the region. If `sample_bytes` is 0, the driver chooses the distance. Wraps
    /// `cuMemGetLocationInfo`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer, or has no bytes.
    /// - The same kind: `region_bytes` is 0 or exceeds the size of the range, or `sample_bytes` exceeds `region_bytes`.
    /// - [`OutOfHostMemory`](crate::error::ErrorKind::OutOfHostMemory).
    /// - [`Code::NotSupported`]: a device lacks
    ///   [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS).
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.4.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(13, 4) { return Ok(()); }
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::{MemAttach, MemLocation};
    /// let numbers = ManagedBuf::<u8>::zeroed(&stream, 4 << 20, MemAttach::Global)?;
    /// # if context.device().attribute(cuda_rt::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? == 0 { return Ok(()); }
    /// numbers.prefetch(.., MemLocation::HOST)?;
    /// stream.synchronize()?;
    /// let regions = numbers.locations(.., 2 << 20, 0)?;
    /// assert_eq!(regions, [Some(MemLocation::HOST), Some(MemLocation::HOST)]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemGetLocationInfo")]
    pub fn locations(
        &self,
        range: impl RangeBounds<usize>,
        region_bytes: usize,
        sample_bytes: usize,
    ) -> Result<Vec<Option<MemLocation>>> {
        let (address, bytes) = self.place(range)?;
        if bytes == 0 {
            return Err(Error::empty("range of managed memory"));
        }
        let limits = [
            ("bytes of a region", region_bytes, Limit::AtLeast(1), region_bytes >= 1),
            ("bytes of a region", region_bytes, Limit::AtMost(bytes), region_bytes <= bytes),
            ("bytes of a sample", sample_bytes, Limit::AtMost(region_bytes), sample_bytes <= region_bytes),
        ];
        for (name, value, limit, fits) in limits {
            if !fits {
                return Err(Error::beyond("range", name, value, limit));
            }
        }
        let count = bytes.div_ceil(region_bytes);
        let mut answers = filled(CUmemLocation::default(), count)?;
        let to = answers.as_mut_ptr();
        let _bound = self.stream().context().bind(Symbol::cuMemGetLocationInfo)?;
        // SAFETY: `to` is valid for writes of one location for each region; the memory is allocated; the context is current.
        unsafe { check!(cuMemGetLocationInfo(address, bytes, region_bytes, sample_bytes, to)) }
            .or_detail(&[Code::InvalidValue, Code::NotSupported], &|| {
                format!("{bytes} bytes at {address:#x}, regions of {region_bytes} bytes, samples of {sample_bytes}")
            })?;
        Ok(answers.into_iter().map(MemLocation::from_raw).collect_vec())
    }

    /// Writes one property to `answer`: as many numbers as `answer` has.
    fn ask_one(
        &self,
        range: impl RangeBounds<usize>,
        attribute: RangeAttribute,
        answer: &mut [c_int],
    ) -> Result<()> {
        let (address, bytes) = self.place(range)?;
        if bytes == 0 {
            return Err(Error::empty("range of managed memory"));
        }
        let _bound = self.stream().context().bind(Symbol::cuMemRangeGetAttribute)?;
        let (data, room) = (answer.as_mut_ptr().cast(), size_of_val(answer));
        // SAFETY: `data` is valid for writes of so many bytes; the attribute may be any; the context is current.
        unsafe { check!(cuMemRangeGetAttribute(data, room, C(attribute.0), address, bytes)) }
            .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}"))
    }

    /// Returns several properties of one number each, one for each attribute.
    fn ask(
        &self,
        range: impl RangeBounds<usize>,
        attributes: &[RangeAttribute],
        answers: &mut [c_int],
    ) -> Result<()> {
        let (address, bytes) = self.place(range)?;
        if bytes == 0 {
            return Err(Error::empty("range of managed memory"));
        }
        if attributes.is_empty() {
            return Ok(());
        }
        let mut data = answers.iter_mut().map(|answer| (&raw mut *answer).cast()).collect_vec();
        let mut rooms = vec![size_of::<c_int>(); data.len()];
        let mut raw = attributes.iter().map(|attribute| C(attribute.0)).collect_vec();
        let count = raw.len().min(data.len());
        let (data, rooms) = (data.as_mut_ptr(), rooms.as_mut_ptr());
        let asked = raw.as_mut_ptr();
        let _bound = self.stream().context().bind(Symbol::cuMemRangeGetAttributes)?;
        // SAFETY: the three arrays have this number of elements. Each of `data` is valid for a write of its size. The attributes
        // may be any; the context is current.
        unsafe { check!(cuMemRangeGetAttributes(data, rooms, asked, count, address, bytes)) }.or_detail(
            &[Code::InvalidValue],
            &|| {
                format!(
                    "attributes {}",
                    list(&attributes.iter().map(RangeAttribute::to_string).collect_vec())
                )
            },
        )
    }

    /// Returns the address of a range of elements, and its size in bytes.
    pub(super) fn place(&self, range: impl RangeBounds<usize>) -> Result<(CUdeviceptr, usize)> {
        let range = inside(range, self.len())?;
        Ok((self.ptr().add(range.start).as_raw(), range.len() * size_of::<T>()))
    }
}
