//! Virtual memory management: addresses and memory are separate.

#![allow(unsafe_code)]

mod bindings;
mod endpoint;
mod mapping;
mod multicast;
mod options;
mod physical;
mod share;

pub use endpoint::{
    FabricCopy, FabricOperand, LogicalEndpoint, LogicalEndpointHandle, LogicalEndpointIds,
    LogicalEndpointLimits, LogicalEndpointOptions,
};
pub use multicast::MulticastObject;
pub use options::{PhysicalMemoryOptions, PhysicalMemoryProperties, VirtualMemoryOptions};
pub use physical::PhysicalMemory;

use super::access::AccessFlags;
use super::host_transfer::rehome;
use super::location::MemLocation;
use super::pointer::DevicePtr;
use super::view::{DeviceSlice, DeviceSliceMut, inside};
use crate::context::RelaxedCaptureMode;
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DeferredErrors, KeepSlot, Owned, ensure_not_in_host_function, made};
use crate::list::CollectVec;
use crate::map::SortedMap;
use crate::stream::Stream;
use bytemuck::AnyBitPattern;
use core::fmt;
use core::ops::{Range, RangeBounds};
use cuda_sys::Symbol;
use cuda_sys::{CUdeviceptr, CUmemAccess_flags_enum, CUmemAccessDesc};
use mapping::Mapping;
use physical::multiple_of;

/// A range of reserved addresses, into which [physical memory](PhysicalMemory) can be mapped and unmapped piece by piece.
///
/// So a buffer can grow in place: reserve as many addresses as the buffer may ever need, and map memory when it grows.
///
/// Like a [`DeviceBuf`](crate::DeviceBuf), the range has a home stream, on which its views are read and written. Offsets and
/// sizes of mappings are in bytes, and must be multiples of the [granularity](PhysicalMemory::granularity). Ranges of views are
/// in elements; [`slice_bytes`](VirtualMemory::slice_bytes) takes bytes. A view may cover several mappings. A device needs
/// [access](VirtualMemory::set_access) to a mapping before it uses the mapping. This includes the device of the home stream.
/// For a view of memory of the host, all devices need the access.
///
/// # Blocking
///
/// Unmapping, disabling access and dropping wait until the home stream is idle. If waiting fails, or the stream is being
/// captured, dropping leaves everything mapped forever, and the [hook](crate::handle::set_drop_hook) receives an error. Kernels
/// on other streams that use the memory must have ended before.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::memory::{AccessFlags, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
///
/// let (device, options) = (context.device(), PhysicalMemoryOptions::new());
/// let unit = PhysicalMemory::granularity(device, options)?;
/// let mut memory = VirtualMemory::reserve(&stream, 16 * unit)?;
/// for offset in [0, unit] {
///     memory.map(offset, &PhysicalMemory::new(device, unit, options)?)?;
///     memory.set_access(offset..offset + unit, &[device], AccessFlags::READ_WRITE)?;
/// }
/// let half = unit / size_of::<u32>();
/// let mut numbers = memory.slice_mut::<u32>(half - 2..half + 2)?; // from both mappings
/// numbers.copy_from_host(&[1, 2, 3, 4])?;
/// assert_eq!(memory.slice::<u32>(half..half + 1)?.to_vec()?, [3]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct VirtualMemory(Owned<Addresses>);

/// A reserved range of addresses, and its mappings.
struct Addresses {
    start: CUdeviceptr,
    bytes: usize,
    /// The unit of offsets, in bytes.
    granularity: usize,
    /// Mappings by offset.
    mappings: SortedMap<usize, Mapping>,
    keep: KeepSlot,
    /// Dropped last: keeps the context alive.
    stream: Stream,
}

impl VirtualMemory {
    /// Reserves `bytes` addresses, without mappings. Wraps `cuMemAddressReserve`.
    ///
    /// `bytes` must be a multiple of the [granularity](PhysicalMemory::granularity) of the stream's device.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the size is 0 or no multiple of the granularity.
    /// - [`Code::OutOfMemory`]: there are not so many free addresses.
    /// - Same as [`PhysicalMemory::granularity`].
    #[doc(alias = "cuMemAddressReserve")]
    pub fn reserve(stream: &Stream, bytes: usize) -> Result<VirtualMemory> {
        VirtualMemory::reserve_with(stream, bytes, VirtualMemoryOptions::new())
    }

    /// Reserves addresses at a chosen place.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the alignment is not a power of two.
    /// - Same as [`VirtualMemory::reserve`].
    #[doc(alias = "cuMemAddressReserve")]
    pub fn reserve_with(
        stream: &Stream,
        bytes: usize,
        options: VirtualMemoryOptions,
    ) -> Result<VirtualMemory> {
        let (alignment, wanted) = options.get();
        if bytes == 0 {
            return Err(Error::empty("range of addresses"));
        }
        if alignment != 0 && !alignment.is_power_of_two() {
            return Err(Error::not_a_power_of_two("alignment", alignment));
        }
        let device = stream.context().device();
        let granularity = PhysicalMemory::granularity(device, PhysicalMemoryOptions::new())?;
        multiple_of("size", bytes as u64, granularity)?;
        let mut start = 0;
        // SAFETY: `start` is valid for a write; the driver checks the rest.
        let reserved = unsafe { check!(cuMemAddressReserve(&raw mut start, bytes, alignment, wanted, 0)) }
            .or_detail(&[Code::OutOfMemory], &|| format!("{bytes} bytes"));
        made(reserved, start != 0, || {
            let (mappings, stream) = (SortedMap::new(), stream.clone());
            let keep = KeepSlot::default();
            VirtualMemory(Owned::new(Addresses { start, bytes, granularity, mappings, keep, stream }))
        })
    }

    /// Returns the first address.
    pub fn ptr(&self) -> DevicePtr<u8> {
        DevicePtr::from_raw(self.0.start)
    }

    /// Returns the number of addresses in bytes, mapped or not.
    pub fn size_bytes(&self) -> usize {
        self.0.bytes
    }

    /// Returns the number of bytes that are mapped.
    pub fn mapped_bytes(&self) -> usize {
        self.mappings().map(|(range, _)| range.len()).sum()
    }

    /// Returns the mappings with their offsets, in order.
    pub fn mappings(&self) -> impl Iterator<Item = (Range<usize>, &PhysicalMemory)> {
        self.0.mappings.iter().map(|(start, mapping)| (mapping.range(*start), &mapping.physical))
    }

    /// Returns the home stream, on which views are read and written.
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    /// Returns the slot by which graphs keep the addresses and the mappings.
    pub(crate) fn keep_slot(&self) -> &KeepSlot {
        &self.0.keep
    }

    /// Refuses to change a property that graphs rely on.
    fn refuse_held(&mut self, property: &str) -> Result<()> {
        if self.0.keep.is_held() { Err(Error::held_by_graph("range of addresses", property)) } else { Ok(()) }
    }

    /// Makes another stream of the same context the home stream, like [`DeviceBuf::move_to`](crate::DeviceBuf::move_to).
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::move_to`](crate::DeviceBuf::move_to).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::Stream;
    /// # use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
    /// # let unit = PhysicalMemory::granularity(context.device(), PhysicalMemoryOptions::new())?;
    /// # let mut memory = VirtualMemory::reserve(&stream, unit)?;
    /// let other = Stream::new(&context)?;
    /// memory.move_to(&other)?;
    /// assert_eq!(memory.stream(), &other);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn move_to(&mut self, stream: &Stream) -> Result<()> {
        if self.0.stream != *stream {
            self.refuse_held("its home stream")?;
        }
        rehome(&mut self.0.stream, stream, "the range of addresses")
    }

    /// Maps all of some physical memory at `offset`. No device has access to the mapping yet. Wraps `cuMemMap`.
    ///
    /// Memory that is mapped already is refused: two mutable views could refer to the same memory.
    /// [`map_again`](VirtualMemory::map_again) allows a second mapping.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the offset is not a multiple of the granularity, the
    ///   range is not inside, the range overlaps a mapping, or the memory is mapped already. The text counts in bytes.
    /// - The same kind: the memory is a [tile pool](PhysicalMemoryOptions::tile_pool).
    /// - An earlier failure.
    #[doc(alias = "cuMemMap")]
    pub fn map(&mut self, offset: usize, physical: &PhysicalMemory) -> Result<()> {
        self.map_if(offset, physical, false)
    }

    /// Maps physical memory that may be mapped already, here or elsewhere. Otherwise the same as [`map`](VirtualMemory::map).
    ///
    /// # Errors
    ///
    /// Same as [`map`](VirtualMemory::map), except that memory may be mapped already.
    ///
    /// # Safety
    ///
    /// While work uses the memory by one address, no work writes it by another one. Work includes kernels, and queued copies and
    /// fills of views, which may run after the views are dropped. The caller must order two ranges with different home streams.
    ///
    /// # Examples
    ///
    /// A ring, whose end continues at its beginning:
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::memory::{AccessFlags, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
    /// # let (device, options) = (context.device(), PhysicalMemoryOptions::new());
    /// # let unit = PhysicalMemory::granularity(device, options)?;
    /// let physical = PhysicalMemory::new(device, unit, options)?;
    /// let mut ring = VirtualMemory::reserve(&stream, 2 * unit)?;
    /// ring.map(0, &physical)?;
    /// // SAFETY: all views are of this one range, one after the other on one stream.
    /// unsafe { ring.map_again(unit, &physical) }?;
    /// ring.set_access(.., &[device], AccessFlags::READ_WRITE)?;
    /// ring.slice_mut(unit - 2..unit + 2)?.copy_from_host(&[1_u8, 2, 3, 4])?;
    /// assert_eq!(ring.slice::<u8>(..2)?.to_vec()?, [3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemMap")]
    pub unsafe fn map_again(&mut self, offset: usize, physical: &PhysicalMemory) -> Result<()> {
        self.map_if(offset, physical, true)
    }

    fn map_if(&mut self, offset: usize, physical: &PhysicalMemory, may_alias: bool) -> Result<()> {
        ensure_not_in_host_function(Symbol::cuMemMap)?;
        physical.refuse_tile_pool(Symbol::cuMemMap)?;
        let bytes = physical.size_bytes();
        // Drivers crash in copies between two devices if one has no access to memory of the host (conformance fact V1069).
        let is_on_host = physical.properties()?.device.is_none();
        let needed_by = if is_on_host { Device::all()? } else { Vec::new() }.into_boxed_slice();
        multiple_of("offset", offset as u64, self.0.granularity)?;
        let end = offset.saturating_add(bytes);
        let range = inside(offset..end, self.0.bytes)?;
        // The mappings before the range, from the last one on.
        if let Some((start, mapping)) = self.0.mappings.range(..range.end).next_back() {
            let other = mapping.range(*start);
            if other.end > range.start {
                let (start, end) = (range.start, range.end);
                let (other_start, other_end) = (other.start, other.end);
                return Err(Error::invalid_for(
                    Symbol::cuMemMap,
                    format_args!(
                        "bytes {start}..{end} overlap the mapping at {other_start}..{other_end}; unmap that first"
                    ),
                ));
            }
        }
        physical.count_in(may_alias)?;
        let at = self.0.at(offset);
        // SAFETY: the addresses are reserved; the memory is of this size, and live. The driver refuses addresses that are mapped.
        let mapped = unsafe { check!(cuMemMap(at, bytes, 0, physical.as_raw(), 0)) };
        if let Err(error) = mapped {
            // The call may have reported an earlier failure. If nothing is mapped, unmapping does nothing (fact V955).
            let undo = || {
                // SAFETY: nothing was mapped there before, and no other code knows the addresses yet.
                unsafe { check!(cuMemUnmap(at, bytes)) }
            };
            // Without a code, the driver was not called.
            if error.code().is_none() || undo().is_ok() {
                physical.count_out();
            }
            return Err(error);
        }
        let physical = physical.clone();
        self.0.mappings.insert(offset, Mapping { physical, needed_by, access: SortedMap::new() });
        Ok(())
    }

    /// Returns the access flags of a device at an offset. Wraps `cuMemGetAccess`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the byte is not inside, or not mapped.
    /// - An earlier failure.
    #[doc(alias = "cuMemGetAccess")]
    pub fn access(&self, offset: usize, device: Device) -> Result<AccessFlags> {
        self.access_of(offset, MemLocation::device(device))
    }

    fn access_of(&self, offset: usize, location: MemLocation) -> Result<AccessFlags> {
        let one = inside(offset..=offset, self.0.bytes)?;
        self.covering(one).map(drop)?;
        let (mut flags, location) = (0, location.as_raw());
        // SAFETY: `flags` is valid for a write, `location` for a read; memory is mapped at the address.
        unsafe { check!(cuMemGetAccess(&raw mut flags, &raw const location, self.0.at(offset))) }?;
        Ok(AccessFlags(u32::try_from(flags).unwrap_or(u32::MAX)))
    }

    /// Sets the access flags of devices for a range of whole mappings. Wraps `cuMemSetAccess`.
    ///
    /// # Blocking
    ///
    /// If the flags are not [`READ_WRITE`](AccessFlags::READ_WRITE), and one of the devices has access, until the home
    /// stream is idle.
    ///
    /// # Errors
    ///
    /// - [`HeldByGraph`](crate::error::ErrorKind::HeldByGraph): a graph holds the addresses, and relies on the access.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside, a part of the range is not
    ///   mapped, or the range cuts a mapping. The text counts in bytes.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the call would have to wait for a stream that is being
    ///   captured.
    /// - [`Code::InvalidDevice`]: a device cannot access the memory.
    /// - [`Code::InvalidValue`] or another code: the driver does not know the flags, or refuses them.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::memory::{AccessFlags, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
    /// # let (device, options) = (context.device(), PhysicalMemoryOptions::new());
    /// # let unit = PhysicalMemory::granularity(device, options)?;
    /// let mut memory = VirtualMemory::reserve(&stream, 8 * unit)?;
    /// memory.map(0, &PhysicalMemory::new(device, unit, options)?)?;
    /// assert_eq!(memory.access(0, device)?, AccessFlags::NONE);
    /// memory.set_access(..unit, &[device], AccessFlags::READ)?;
    /// assert!(memory.slice::<u8>(..unit).is_ok());
    /// assert!(memory.slice_mut::<u8>(..unit).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemSetAccess")]
    pub fn set_access(
        &mut self,
        range: impl RangeBounds<usize>,
        devices: &[Device],
        access: AccessFlags,
    ) -> Result<()> {
        self.refuse_held("the access to it")?;
        // After other failures the present access is unknown.
        ensure_not_in_host_function(Symbol::cuMemSetAccess)?;
        let range = self.whole(range)?;
        let Some(first) = devices.first() else { return Ok(()) };
        if range.is_empty() {
            return Ok(());
        }
        let takes_away = |mapping: &Mapping| {
            let had = |device: &Device| {
                mapping.access.get(device).is_some_and(|had| *had != Some(AccessFlags::NONE))
            };
            access != AccessFlags::READ_WRITE && devices.iter().any(had)
        };
        if self.0.mappings.range(range.clone()).any(|(_, mapping)| takes_away(mapping)) {
            self.wait()?;
        }
        let flags = CUmemAccess_flags_enum(access.0);
        let wanted: Vec<CUmemAccessDesc> = devices
            .iter()
            .map(|device| CUmemAccessDesc { location: MemLocation::device(*device).as_raw(), flags })
            .collect_vec();
        let at = self.0.at(range.start);
        // SAFETY: the range is that of whole mappings; the list has as many elements.
        let set = unsafe { check!(cuMemSetAccess(at, range.len(), wanted.as_ptr(), wanted.len())) };
        let known = set.is_ok().then_some(access);
        for (_, mapping) in self.0.mappings.range_mut(range) {
            mapping.access.extend(devices.iter().map(|device| (*device, known)));
        }
        let asked = || format!("access {access} for device {}", first.as_raw());
        set.or_detail(&[Code::InvalidValue, Code::InvalidDevice, Code::NotSupported], &asked)
    }

    /// Returns the access flags of the host at an offset. Wraps `cuMemGetAccess`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the byte is not inside, or not mapped.
    /// - An earlier failure.
    #[doc(alias = "cuMemGetAccess")]
    pub fn host_access(&self, offset: usize) -> Result<AccessFlags> {
        // For the host without a node, drivers report the access of a device instead (facts V907 and V1053).
        self.access_of(offset, MemLocation::host_numa(0))
    }

    /// Enables or disables access of the host to a range of whole mappings of [memory of the host](PhysicalMemory::new_at). Wraps
    /// `cuMemSetAccess`.
    ///
    /// With access, the host reads and writes the memory at the addresses that devices use. The access of devices does not
    /// change.
    ///
    /// # Safety
    ///
    /// As long as the host has access, no copy has a range that contains memory with and memory without access of the host. Memory
    /// of a device in the same reservation is memory without it. The driver may copy with the processor, and then the process ends
    /// with a signal. After a failure of this function, the promise holds as if the host had access to the range.
    ///
    /// # Blocking
    ///
    /// If access is disabled, until the home stream is idle.
    ///
    /// # Errors
    ///
    /// - Same as [`VirtualMemory::set_access`].
    /// - [`Code::NotSupported`]: access is enabled, and a mapping in the range is memory of a device.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::memory::{AccessFlags, MemLocation, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
    /// # let (device, options) = (context.device(), PhysicalMemoryOptions::new());
    /// # if device.host_numa_virtual_memory_management_supported()? {
    /// # let unit = PhysicalMemory::granularity(device, options)?;
    /// let mut memory = VirtualMemory::reserve(&stream, unit)?;
    /// memory.map(0, &PhysicalMemory::new_at(MemLocation::host_numa(0), unit, options)?)?;
    /// memory.set_access(.., &cuda_rt::Device::all()?, AccessFlags::READ_WRITE)?;
    /// // SAFETY: the host has access to the whole reservation.
    /// unsafe { memory.set_host_access(.., true) }?;
    /// memory.slice_mut::<u32>(..1)?.copy_from_host(&[7])?;
    /// stream.synchronize()?;
    /// let word = std::ptr::with_exposed_provenance::<u32>(memory.ptr().as_raw() as usize);
    /// // SAFETY: the memory is mapped and initialised, the host has access, and no work uses the memory.
    /// assert_eq!(unsafe { word.read() }, 7);
    /// # }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemSetAccess")]
    pub unsafe fn set_host_access(&mut self, range: impl RangeBounds<usize>, is_enabled: bool) -> Result<()> {
        self.refuse_held("the access to it")?;
        ensure_not_in_host_function(Symbol::cuMemSetAccess)?;
        let range = self.whole(range)?;
        if range.is_empty() {
            return Ok(());
        }
        // Access to read alone is not offered: drivers crash in copies to memory that only devices may write (fact V1053).
        let access = if is_enabled { AccessFlags::READ_WRITE } else { AccessFlags::NONE };
        if !is_enabled {
            self.wait()?;
        }
        let location = MemLocation::host_numa(0).as_raw();
        let wanted = CUmemAccessDesc { location, flags: CUmemAccess_flags_enum(access.0) };
        // SAFETY: the range is that of whole mappings, and the list has one element. The caller promises what copies require.
        unsafe { check!(cuMemSetAccess(self.0.at(range.start), range.len(), &raw const wanted, 1)) }
            .or_detail(&[Code::NotSupported], &|| format!("access {access} for the host"))
    }

    /// Unmaps a range of whole mappings, with or without gaps between them. Wraps `cuMemUnmap`.
    ///
    /// # Blocking
    ///
    /// If there are mappings in the range, until the home stream is idle.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside, or cuts a mapping. The
    ///   text counts in bytes.
    /// - [`HeldByGraph`](crate::error::ErrorKind::HeldByGraph): a graph holds the addresses, and relies on the
    ///   mappings.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured.
    /// - An earlier failure.
    ///
    /// After a failure, some of the mappings may be left.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
    /// # let (device, options) = (context.device(), PhysicalMemoryOptions::new());
    /// # let unit = PhysicalMemory::granularity(device, options)?;
    /// let mut memory = VirtualMemory::reserve(&stream, 8 * unit)?;
    /// memory.map(unit, &PhysicalMemory::new(device, unit, options)?)?;
    /// memory.unmap(..)?;
    /// assert_eq!(memory.mapped_bytes(), 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemUnmap")]
    pub fn unmap(&mut self, range: impl RangeBounds<usize>) -> Result<()> {
        self.refuse_held("its mappings")?;
        let range = inside(range, self.0.bytes)?;
        self.uncut(&range)?;
        let starts: Vec<usize> = self.0.mappings.range(range).map(|(start, _)| *start).collect_vec();
        if starts.is_empty() {
            return Ok(());
        }
        self.wait()?;
        let mut errors = DeferredErrors::default();
        for start in starts {
            let at = self.0.at(start);
            if let Some(mapping) = self.0.mappings.get(&start) {
                mapping.unmap(at, &mut errors)?;
                self.0.mappings.remove(&start);
            }
        }
        Ok(())
    }

    /// Returns a view of elements, to read. The range counts elements from the first address on.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument):
    ///
    /// - The range is not inside the addresses. The text counts in elements.
    /// - A part of the range is not mapped. The text counts in bytes.
    /// - The device of the home stream has no access to read the range. For memory of the host, all devices need the
    ///   access.
    /// - The alignment of the first address is less than `T` requires.
    pub fn slice<T>(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'_, T>>
    where
        T: AnyBitPattern,
    {
        self.slice_bytes(self.bytes_of::<T>(range)?)
    }

    /// Returns a view of elements, to write. The range counts elements from the first address on.
    ///
    /// # Errors
    ///
    /// Same as [`VirtualMemory::slice`]; the device must have access to write.
    pub fn slice_mut<T>(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceSliceMut<'_, T>>
    where
        T: AnyBitPattern,
    {
        self.slice_bytes_mut(self.bytes_of::<T>(range)?)
    }

    /// Returns a view of the elements in a range of bytes, to read.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range does not consist of whole, aligned elements.
    /// - Same as [`VirtualMemory::slice`], with all ranges in bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::memory::{AccessFlags, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
    /// # let (device, options) = (context.device(), PhysicalMemoryOptions::new());
    /// # let unit = PhysicalMemory::granularity(device, options)?;
    /// # let mut memory = VirtualMemory::reserve(&stream, unit)?;
    /// # memory.map(0, &PhysicalMemory::new(device, unit, options)?)?;
    /// # memory.set_access(.., &[device], AccessFlags::READ_WRITE)?;
    /// memory.slice_bytes_mut::<u16>(4..8)?.copy_from_host(&[1, 2])?;
    /// assert_eq!(memory.slice_bytes::<u32>(4..8)?.to_vec()?.len(), 1);
    /// assert_eq!(memory.slice::<u16>(2..4)?.to_vec()?, [1, 2]); // the same, in elements
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice_bytes<T>(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'_, T>>
    where
        T: AnyBitPattern,
    {
        let (address, len) = self.elements::<T>(range, AccessFlags::READ)?;
        Ok(DeviceSlice::new(address, len, &self.0.stream, Some(&self.0.keep)))
    }

    /// Returns a view of the elements in a range of bytes, to write.
    ///
    /// # Errors
    ///
    /// Same as [`VirtualMemory::slice_bytes`]; the device must have access to write.
    pub fn slice_bytes_mut<T>(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceSliceMut<'_, T>>
    where
        T: AnyBitPattern,
    {
        let (address, len) = self.elements::<T>(range, AccessFlags::READ_WRITE)?;
        Ok(DeviceSliceMut::new(address, len, &self.0.stream, Some(&self.0.keep)))
    }

    /// Unmaps all mappings, frees the addresses, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuMemUnmap` and `cuMemAddressFree`.
    ///
    /// # Blocking
    ///
    /// If there are mappings, until the home stream is idle. If a graph holds the addresses, the call does not wait:
    /// the last graph frees them.
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): there are mappings, and the home stream is
    ///   being captured. Everything stays mapped.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
    /// # let unit = PhysicalMemory::granularity(context.device(), PhysicalMemoryOptions::new())?;
    /// VirtualMemory::reserve(&stream, unit)?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemUnmap", "cuMemAddressFree"))]
    pub fn close(self) -> Result<()> {
        self.0.close()
    }

    /// Waits for the work that uses the memory.
    fn wait(&self) -> Result<()> {
        self.0.stream.refuse_capture(Symbol::cuStreamSynchronize)?;
        // Otherwise a capture that this or another thread makes elsewhere would forbid waiting.
        let _relaxed = RelaxedCaptureMode::new();
        self.0.stream.synchronize()
    }

    /// Returns the bytes of a range of elements.
    fn bytes_of<T>(&self, range: impl RangeBounds<usize>) -> Result<Range<usize>> {
        let size = size_of::<T>();
        let range = inside(range, self.0.bytes.checked_div(size).unwrap_or(0))?;
        // Not beyond the end of all bytes.
        Ok(range.start * size..range.end * size)
    }

    /// Returns the address and the number of elements, if the device of the home stream has the access.
    fn elements<T>(
        &self,
        range: impl RangeBounds<usize>,
        wanted: AccessFlags,
    ) -> Result<(CUdeviceptr, usize)> {
        let range = inside(range, self.0.bytes)?;
        if !range.is_empty() {
            let device = self.0.stream.context().device();
            for (at, mapping) in self.covering(range.clone())? {
                if !mapping.allows(device, wanted) {
                    return Err(no_access(device, wanted, at, "give it by `set_access`"));
                }
                if let Some(device) =
                    mapping.needed_by.iter().find(|device| !mapping.allows(**device, wanted))
                {
                    let remedy = "memory of the host needs the access of all devices, by `set_access`";
                    return Err(no_access(*device, wanted, at, remedy));
                }
            }
        }
        let at = self.0.at(range.start);
        multiple_of("address", at, align_of::<T>())?;
        multiple_of("length", range.len() as u64, size_of::<T>())?;
        Ok((at, range.len().checked_div(size_of::<T>()).unwrap_or(0)))
    }
}

#[cold]
fn no_access(device: Device, wanted: AccessFlags, at: usize, remedy: &str) -> Error {
    let device = device.as_raw();
    Error::invalid(
        "range of addresses",
        format_args!("device {device} has no access {wanted} to the mapping at {at}; {remedy}"),
    )
}

impl fmt::Debug for VirtualMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("VirtualMemory")
            .field("ptr", &self.ptr())
            .field("bytes", &self.0.bytes)
            .field("mapped_bytes", &self.mapped_bytes())
            .field("stream", &self.0.stream)
            .finish()
    }
}
