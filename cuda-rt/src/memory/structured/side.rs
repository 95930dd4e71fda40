//! The two sides of a structured copy.

#![allow(unsafe_code)]

use super::check::CopyArray;
use super::check::{Block, Checked, Geometry, Layout};
use crate::handle::KeepSlot;
use crate::memory::loan::HostRange;
use crate::memory::pointer::DevicePtr;
use crate::memory::view::{DeviceSlice, DeviceSliceMut};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use core::any::Any;
use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use cuda_sys::{CUarray, CUdeviceptr, CUmemorytype_enum as MemoryType};

/// The memory of one side. The pointers are valid as long as the borrow of the side.
#[derive(Debug, Clone, Copy)]
pub(super) enum SideAddress {
    Host(*mut c_void),
    Device(CUdeviceptr),
    /// An address from which the driver finds the memory.
    Unified(CUdeviceptr),
    Array(CUarray),
}

impl SideAddress {
    pub(super) fn kind(self) -> MemoryType {
        match self {
            SideAddress::Host(_) => MemoryType::CU_MEMORYTYPE_HOST,
            SideAddress::Device(_) => MemoryType::CU_MEMORYTYPE_DEVICE,
            SideAddress::Unified(_) => MemoryType::CU_MEMORYTYPE_UNIFIED,
            SideAddress::Array(_) => MemoryType::CU_MEMORYTYPE_ARRAY,
        }
    }

    pub(super) fn host(self) -> *mut c_void {
        if let SideAddress::Host(pointer) = self { pointer } else { core::ptr::null_mut() }
    }

    /// Returns the host memory from the first byte of the block to its last. Returns `None` for other memory.
    pub(super) fn host_range(self, checked: Checked, block: Block) -> Option<HostRange> {
        let SideAddress::Host(start) = self else { return None };
        let [x, y, z] = checked.at;
        // The block is not empty, and was checked to be inside the memory.
        let at = |x: usize, y: usize, z: usize| {
            let rows = z.wrapping_mul(checked.height).wrapping_add(y);
            start.addr().wrapping_add(rows.wrapping_mul(checked.pitch)).wrapping_add(x)
        };
        let last = |first: usize, count: usize| first.wrapping_add(count - 1);
        Some(
            at(x, y, z)
                ..at(last(x, block.width), last(y, block.height), last(z, block.depth)).wrapping_add(1),
        )
    }

    /// Returns the place and the numbers for the driver. Host memory begins with the first byte of the block, which is the start of
    /// `host`. Otherwise the driver would look for all of it in the memory at the pointer (fact V1182).
    pub(super) fn at_first_byte(self, checked: Checked, host: &Option<HostRange>) -> (Self, Checked) {
        match (self, host) {
            (SideAddress::Host(start), Some(range)) => {
                let offset = range.start.wrapping_sub(start.addr());
                let first = SideAddress::Host(start.wrapping_byte_add(offset));
                (first, Checked { at: [0; 3], ..checked })
            }
            _ => (self, checked),
        }
    }

    /// Returns the device address. The driver reads this field for unified addresses, too.
    pub(super) fn device(self) -> CUdeviceptr {
        if let SideAddress::Device(address) | SideAddress::Unified(address) = self { address } else { 0 }
    }

    pub(super) fn array(self) -> CUarray {
        if let SideAddress::Array(array) = self { array } else { core::ptr::null_mut() }
    }
}

/// One side of a copy.
#[derive(Clone, Copy)]
pub(super) struct Side<'memory> {
    pub(super) place: SideAddress,
    pub(super) geometry: Geometry<'memory>,
    /// The stream on which the memory lives. Host memory lives on no stream.
    pub(super) stream: Option<&'memory Stream>,
    pub(super) owner: SideOwner<'memory>,
}

/// The owner of the memory of a side, for copies that are nodes of graphs.
#[derive(Clone, Copy)]
pub(crate) enum SideOwner<'memory> {
    /// Memory that this crate does not know, or that a graph cannot keep.
    Unknown,
    /// Device memory with a slot through which graphs keep it.
    Slot(&'memory KeepSlot),
    Array(&'memory dyn CopyArray),
    /// Memory that only graphs use.
    Graph(&'memory dyn GraphOnly),
}

impl SideOwner<'_> {
    pub(super) fn array_storage(self) -> Option<super::check::ArrayStorage> {
        match self {
            SideOwner::Array(array) => Some(array.storage()),
            _ => None,
        }
    }
}

/// Memory that only graphs use: the copies of streams refuse it.
pub(crate) trait GraphOnly {
    /// Returns a share, by which a graph keeps the memory alive. Only the graph knows the type of the share.
    fn share(&self) -> Box<dyn Any>;
}

impl<'memory> Side<'memory> {
    fn new(
        place: SideAddress,
        layout: Layout<'memory>,
        stream: Option<&'memory Stream>,
        owner: SideOwner<'memory>,
    ) -> Self {
        Side { place, geometry: Geometry::new(layout), stream, owner }
    }

    /// Returns a side of contiguous device memory.
    fn device(
        address: CUdeviceptr,
        bytes: usize,
        stream: &'memory Stream,
        owner: SideOwner<'memory>,
    ) -> Self {
        Side::new(SideAddress::Device(address), Layout::Bytes(bytes), Some(stream), owner)
    }

    fn array(array: &'memory dyn CopyArray) -> Self {
        let (place, layout) = (SideAddress::Array(array.as_raw()), Layout::Array(array));
        Side::new(place, layout, Some(array.stream()), SideOwner::Array(array))
    }

    /// Returns the numbers of the side in a copy of this block, if they fit together.
    pub(super) fn checked(
        &self,
        names: [&'static str; 2],
        block: Block,
        most_pitch: usize,
    ) -> crate::error::Result<Checked> {
        self.geometry.checked(names, block, most_pitch)
    }
}

impl fmt::Debug for Side<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Side").field("place", &self.place).field("geometry", &self.geometry).finish()
    }
}

/// The source of a [`Memcpy3D`](super::Memcpy3D): host memory, device memory or an array, and the layout of its rows.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
///
/// // The block of 2 times 2 bytes in the middle of 4 times 4.
/// let image: Vec<u8> = (0..16).collect();
/// let from = CopySource::host(&image).pitch(4).at(1, 1, 0);
/// let mut middle = DeviceBuf::<u8>::zeroed(&stream, 4)?;
/// Memcpy3D::plane(CopyDestination::device(middle.as_slice_mut()), from, 2, 2).copy()?;
/// assert_eq!(middle.to_vec()?, [5, 6, 9, 10]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CopySource<'memory> {
    pub(super) side: Side<'memory>,
    _memory: PhantomData<&'memory [u8]>,
}

/// The destination of a [`Memcpy3D`](super::Memcpy3D): host memory, device memory or an array, and the layout of its rows.
///
/// A destination of [`host`](Self::host) or [`device`](Self::device) borrows its memory mutably. While the destination exists, no
/// other code can access this memory:
///
/// ```compile_fail
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
/// # let stream = cuda_rt::Stream::new(&context).unwrap();
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
/// let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
/// let to = CopyDestination::device(buffer.as_slice_mut());
/// let from = CopySource::device(buffer.as_slice()); // the same memory
/// Memcpy3D::plane(to, from, 2, 2).copy().unwrap();
/// ```
#[derive(Debug)]
pub struct CopyDestination<'memory> {
    pub(super) side: Side<'memory>,
    _memory: PhantomData<&'memory mut [u8]>,
}

macro_rules! placing {
    () => {
        /// Sets the bytes from one row to the next. The least value, and the default, is the end of the block in a row: its
        /// start plus its width. Arrays ignore this value.
        #[must_use]
        #[doc(alias("srcPitch", "dstPitch"))]
        pub fn pitch(mut self, bytes: usize) -> Self {
            self.side.geometry.pitch = Some(bytes);
            self
        }

        /// Sets the rows from one slice to the next. The least value, and the default, is the end of the block in a slice: its
        /// first row plus its height. Arrays, and blocks of the first slice only, ignore this value.
        #[must_use]
        #[doc(alias("srcHeight", "dstHeight"))]
        pub fn height(mut self, rows: usize) -> Self {
            self.side.geometry.height = Some(rows);
            self
        }

        /// Sets the start of the block: bytes into a row, rows into a slice, and slices. In an array, `x_bytes` is a multiple of
        /// the bytes of an element. In a block-compressed format, it is a multiple of the bytes of a block, and `y` counts rows
        /// of blocks.
        #[must_use]
        #[doc(alias("srcXInBytes", "srcY", "srcZ", "dstXInBytes", "dstY", "dstZ"))]
        pub fn at(mut self, x_bytes: usize, y: usize, z: usize) -> Self {
            self.side.geometry.at = [x_bytes, y, z];
            self
        }
    };
}

impl<'memory> CopySource<'memory> {
    /// Returns a side of device memory, with elements of any type.
    pub(crate) fn of_elements<T>(elements: DeviceSlice<'memory, T>) -> Self {
        let owner = elements.keep_slot().map_or(SideOwner::Unknown, SideOwner::Slot);
        Self::new(Side::device(elements.ptr().as_raw(), elements.size_bytes(), elements.stream(), owner))
    }

    /// Returns a side of host memory that only graphs use.
    ///
    /// # Safety
    ///
    /// `bytes` at `start` are valid memory, as long as a share of the owner lives. Only graphs that keep a share use the memory.
    pub(crate) unsafe fn of_graph_host(
        start: *mut c_void,
        bytes: usize,
        owner: &'memory dyn GraphOnly,
    ) -> Self {
        let owner = SideOwner::Graph(owner);
        Self::new(Side::new(SideAddress::Host(start), Layout::Bytes(bytes), None, owner))
    }

    pub(crate) fn of_array(array: &'memory dyn CopyArray) -> Self {
        Self::new(Side::array(array))
    }

    fn new(side: Side<'memory>) -> Self {
        CopySource { side, _memory: PhantomData }
    }

    /// Returns a source in host memory. The copy waits until it is done, unless it is
    /// [unchecked](super::Memcpy3D::copy_unchecked).
    #[doc(alias("srcHost", "CU_MEMORYTYPE_HOST"))]
    pub fn host<T: NoUninit>(elements: &'memory [T]) -> Self {
        let layout = Layout::Bytes(size_of_val(elements));
        let place = SideAddress::Host(elements.as_ptr().cast::<c_void>().cast_mut());
        Self::new(Side::new(place, layout, None, SideOwner::Unknown))
    }

    /// Returns a source in device memory.
    #[doc(alias("srcDevice", "CU_MEMORYTYPE_DEVICE"))]
    pub fn device<T>(elements: DeviceSlice<'memory, T>) -> Self {
        Self::of_elements(elements)
    }

    /// Returns a source at an address from which the driver finds the memory (unified addressing).
    ///
    /// # Safety
    ///
    /// - `bytes` at `address` can be read by the driver and are initialised.
    /// - The memory lives on `stream`, or is ordered with it.
    /// - The memory stays allocated, and no code writes to it, until the copy is done, even if the copy returns an
    ///   error.
    /// - A copy with host memory is done when `stream` is done. Page-locked memory stays page-locked until then.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4])?;
    /// // SAFETY: the buffer has 4 bytes, lives on the stream, and outlives the copy.
    /// let from = unsafe { CopySource::unified(numbers.ptr().cast(), 4, &stream) };
    /// let mut copied = [0_u8; 4];
    /// Memcpy3D::plane(CopyDestination::host(&mut copied), from, 2, 2).copy()?;
    /// assert_eq!(copied, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "CU_MEMORYTYPE_UNIFIED")]
    pub unsafe fn unified(address: DevicePtr<u8>, bytes: usize, stream: &'memory Stream) -> Self {
        let place = SideAddress::Unified(address.as_raw());
        Self::new(Side::new(place, Layout::Bytes(bytes), Some(stream), SideOwner::Unknown))
    }

    placing!();
}

impl<'memory> CopyDestination<'memory> {
    /// Returns a side of device memory, with elements of any type.
    pub(crate) fn of_elements<T>(elements: DeviceSliceMut<'memory, T>) -> Self {
        let owner = elements.keep_slot().map_or(SideOwner::Unknown, SideOwner::Slot);
        Self::new(Side::device(elements.ptr().as_raw(), elements.size_bytes(), elements.stream(), owner))
    }

    /// Returns a side of host memory that only graphs use.
    ///
    /// # Safety
    ///
    /// `bytes` at `start` are valid memory, as long as a share of the owner lives. Only graphs that keep a share use the memory.
    pub(crate) unsafe fn of_graph_host(
        start: *mut c_void,
        bytes: usize,
        owner: &'memory dyn GraphOnly,
    ) -> Self {
        let owner = SideOwner::Graph(owner);
        Self::new(Side::new(SideAddress::Host(start), Layout::Bytes(bytes), None, owner))
    }

    pub(crate) fn of_array(array: &'memory dyn CopyArray) -> Self {
        Self::new(Side::array(array))
    }

    fn new(side: Side<'memory>) -> Self {
        CopyDestination { side, _memory: PhantomData }
    }

    /// Returns a destination in host memory. The copy waits until it is done, unless it is
    /// [unchecked](super::Memcpy3D::copy_unchecked).
    #[doc(alias("dstHost", "CU_MEMORYTYPE_HOST"))]
    pub fn host<T: AnyBitPattern>(elements: &'memory mut [T]) -> Self {
        let layout = Layout::Bytes(size_of_val(elements));
        let place = SideAddress::Host(elements.as_mut_ptr().cast());
        Self::new(Side::new(place, layout, None, SideOwner::Unknown))
    }

    /// Returns a destination in device memory.
    #[doc(alias("dstDevice", "CU_MEMORYTYPE_DEVICE"))]
    pub fn device<T: AnyBitPattern>(elements: DeviceSliceMut<'memory, T>) -> Self {
        Self::of_elements(elements)
    }

    /// Returns a destination at an address from which the driver finds the memory (unified addressing).
    ///
    /// # Safety
    ///
    /// - `bytes` at `address` can be written by the driver. Every bit pattern is valid for the values there.
    /// - The memory lives on `stream`, or is ordered with it.
    /// - The memory stays allocated, and no other code accesses it, until the copy is done, even if the copy returns an
    ///   error.
    /// - A copy with host memory is done when `stream` is done. Page-locked memory stays page-locked until then.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::{DeviceBuf, DevicePtr, PinnedBuf};
    /// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4])?;
    /// let mut copied = PinnedBuf::<u8>::zeroed(&context, 4)?;
    /// let address = DevicePtr::from_raw(copied.as_mut_ptr().addr() as u64);
    /// // SAFETY: the memory has 4 bytes, which are not touched before the stream has been waited for.
    /// let to = unsafe { CopyDestination::unified(address, 4, &stream) };
    /// Memcpy3D::plane(to, CopySource::device(numbers.as_slice()), 2, 2).copy()?;
    /// stream.synchronize()?;
    /// assert_eq!(copied[..], [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "CU_MEMORYTYPE_UNIFIED")]
    pub unsafe fn unified(address: DevicePtr<u8>, bytes: usize, stream: &'memory Stream) -> Self {
        let place = SideAddress::Unified(address.as_raw());
        Self::new(Side::new(place, Layout::Bytes(bytes), Some(stream), SideOwner::Unknown))
    }

    placing!();
}
