//! Arrays: memory in an order of the driver's own, which textures and surfaces read.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`Array`] | a `CUarray` of one, two or three dimensions | `cuArrayDestroy` |
//!
//! An array has no address. What is in it is copied: in a row by the methods here, in blocks by
//! [`Memcpy3D`].

#![allow(unsafe_code)]

mod format;

pub use format::ArrayFormat;

use crate::context::{By, Context, release_in};
use crate::error::{Code, Detail, Detailed, Result, report};
use crate::memory::{
    CopyDestination, CopySource, DeviceSlice, DeviceSliceMut, Memcpy3D, wait_for_other_devices,
};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use core::ffi::c_uint;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::{CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR, CUarray, CUarray_format};

bitflags::bitflags! {
    /// How an array is made. Flags that this crate does not know are handed on.
    #[doc(alias = "CUDA_ARRAY3D")]
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ArrayFlags: u32 {
        /// The depth is a number of layers, which are not filtered between.
        #[doc(alias("CUDA_ARRAY3D_LAYERED", "CUDA_ARRAY3D_2DARRAY"))]
        const LAYERED = cuda_sys::CUDA_ARRAY3D_LAYERED;
        /// Surfaces can be bound to it.
        #[doc(alias = "CUDA_ARRAY3D_SURFACE_LDST")]
        const SURFACE_LDST = cuda_sys::CUDA_ARRAY3D_SURFACE_LDST;
        /// Six square layers are the faces of a cube.
        #[doc(alias = "CUDA_ARRAY3D_CUBEMAP")]
        const CUBEMAP = cuda_sys::CUDA_ARRAY3D_CUBEMAP;
        /// Textures gather from it.
        #[doc(alias = "CUDA_ARRAY3D_TEXTURE_GATHER")]
        const TEXTURE_GATHER = cuda_sys::CUDA_ARRAY3D_TEXTURE_GATHER;
        const _ = !0;
    }
}

/// What an array is like. Sizes are in elements; a height of 0 means one dimension, a depth of 0 means two.
///
/// ```
/// use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
///
/// let image = ArrayDescriptor::plane(640, 480, ArrayFormat::UNSIGNED_INT8, 4);
/// assert_eq!(image.element_bytes(), Some(4));
/// ```
#[doc(alias("CUDA_ARRAY_DESCRIPTOR", "CUDA_ARRAY3D_DESCRIPTOR"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayDescriptor {
    /// Elements in a row.
    pub width: usize,
    /// Rows, or 0.
    pub height: usize,
    /// Slices or layers, or 0.
    pub depth: usize,
    /// What a channel holds.
    pub format: ArrayFormat,
    /// Channels of an element: 1, 2 or 4.
    pub channels: u32,
    /// How it is made.
    pub flags: ArrayFlags,
}

impl ArrayDescriptor {
    /// One dimension.
    ///
    /// # Examples
    ///
    /// See [`Array`].
    pub fn line(width: usize, format: ArrayFormat, channels: u32) -> Self {
        ArrayDescriptor { width, height: 0, depth: 0, format, channels, flags: ArrayFlags::default() }
    }

    /// Two dimensions.
    ///
    /// # Examples
    ///
    /// See [`ArrayDescriptor`].
    pub fn plane(width: usize, height: usize, format: ArrayFormat, channels: u32) -> Self {
        ArrayDescriptor { height, ..Self::line(width, format, channels) }
    }

    /// Three dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
    ///
    /// let volume = ArrayDescriptor::volume(32, 16, 8, ArrayFormat::FLOAT, 1);
    /// assert_eq!((volume.width, volume.height, volume.depth), (32, 16, 8));
    /// ```
    pub fn volume(width: usize, height: usize, depth: usize, format: ArrayFormat, channels: u32) -> Self {
        ArrayDescriptor { height, depth, ..Self::line(width, format, channels) }
    }

    /// For errors. Sizes that do not fit are the largest that do.
    fn detail(&self) -> Detail {
        let narrow = |size| u32::try_from(size).unwrap_or(u32::MAX);
        Detail::Array {
            size: [narrow(self.width), narrow(self.height), narrow(self.depth)],
            format: self.format,
            channels: self.channels,
            flags: self.flags.bits(),
        }
    }

    /// Bytes of an element, if this crate knows the format.
    ///
    /// # Examples
    ///
    /// See [`ArrayDescriptor`].
    pub fn element_bytes(&self) -> Option<usize> {
        self.format.channel_bytes()?.checked_mul(usize::try_from(self.channels).ok()?)
    }
}

/// What copies need to know of an array's size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// In elements.
    pub(crate) width: usize,
    pub(crate) rows: usize,
    pub(crate) slices: usize,
    pub(crate) element_bytes: Option<usize>,
}

/// An array. It has a home stream, on which copies to and from it run, as a [`DeviceBuf`](crate::DeviceBuf) has.
///
/// # Blocking
///
/// Dropping waits until the device has done what was queued in the context, as for other memory that is not stream-ordered.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
/// use cuda_rt::{CopyDestination, CopySource, Memcpy3D};
///
/// let mut line = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1))?;
/// line.copy_from_host(0, &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let mut last = [0.0_f32; 2];
/// line.copy_to_host(8, &mut last)?;
/// assert_eq!(last, [3.0, 4.0]);
///
/// let mut image = Array::new(&stream, ArrayDescriptor::plane(2, 2, ArrayFormat::UNSIGNED_INT8, 1))?;
/// let pixels = [1_u8, 2, 3, 4];
/// Memcpy3D::plane(CopyDestination::array(&mut image), CopySource::host(&pixels), 2, 2).copy()?;
/// let mut column = [0_u8; 2];
/// let from = CopySource::array(&image).at(1, 0, 0);
/// Memcpy3D::plane(CopyDestination::host(&mut column), from, 1, 2).copy()?;
/// assert_eq!(column, [2, 4]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUarray")]
pub struct Array {
    raw: CUarray,
    descriptor: ArrayDescriptor,
    stream: Stream,
}

// SAFETY: a `CUarray` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Array {}
// SAFETY: nothing is changed through `&Array`; the driver synchronises calls that share an array.
unsafe impl Sync for Array {}

impl Array {
    /// An array that holds whatever was there before.
    ///
    /// Wraps `cuArrayCreate`, and `cuArray3DCreate` if it has a depth or flags.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] for sizes, formats and flags that the device does not have, [`Code::OutOfMemory`], or an
    /// earlier failure.
    ///
    /// # Examples
    ///
    /// See [`Array`].
    #[doc(alias("cuArrayCreate", "cuArray3DCreate"))]
    pub fn new(stream: &Stream, descriptor: ArrayDescriptor) -> Result<Array> {
        let ArrayDescriptor { width, height, depth, format, channels, flags } = descriptor;
        // The home stream's capture would be ended by work that cannot be captured.
        stream.refuse_capture()?;
        let _bound = stream.context().bind()?;
        let mut raw = null_mut();
        let created = if depth == 0 && flags.is_empty() {
            let wanted = CUDA_ARRAY_DESCRIPTOR {
                Width: width,
                Height: height,
                Format: CUarray_format(format.0),
                NumChannels: channels,
            };
            // SAFETY: `raw` is valid for a write, the descriptor for a read; the context is current.
            unsafe { check!(cuArrayCreate_v2(&raw mut raw, &raw const wanted)) }
        } else {
            let wanted = CUDA_ARRAY3D_DESCRIPTOR {
                Width: width,
                Height: height,
                Depth: depth,
                Format: CUarray_format(format.0),
                NumChannels: channels,
                Flags: flags.bits() as c_uint,
            };
            // SAFETY: as above.
            unsafe { check!(cuArray3DCreate_v2(&raw mut raw, &raw const wanted)) }
        };
        created.detailed(Code::InvalidValue, || descriptor.detail())?;
        Ok(Array { raw, descriptor, stream: stream.clone() })
    }

    /// The handle. It stays this crate's: it must not be destroyed.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let array = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1))?;
    /// assert!(!array.as_raw().is_null());
    /// assert_eq!((array.stream(), array.context()), (&stream, &context));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_raw(&self) -> CUarray {
        self.raw
    }

    /// What it was asked to be.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let array = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1))?;
    /// assert_eq!(array.descriptor().width, 4);
    /// array.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuArrayGetDescriptor", "cuArray3DGetDescriptor"))]
    pub fn descriptor(&self) -> ArrayDescriptor {
        self.descriptor
    }

    /// The stream on which copies to and from it run.
    ///
    /// # Examples
    ///
    /// See [`Array::as_raw`].
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The context that it belongs to.
    ///
    /// # Examples
    ///
    /// See [`Array::as_raw`].
    pub fn context(&self) -> &Context {
        self.stream.context()
    }

    pub(crate) fn shape(&self) -> Shape {
        let ArrayDescriptor { width, height, depth, .. } = self.descriptor;
        let element_bytes = self.descriptor.element_bytes();
        Shape { width, rows: height.max(1), slices: depth.max(1), element_bytes }
    }

    /// Copies host memory into the first row, from a byte on.
    ///
    /// # Blocking
    ///
    /// Until everything queued on the home stream, and the copy, is done.
    ///
    /// # Errors
    ///
    /// Those of [`Memcpy3D::copy`]: the offset and the length have to be whole elements, and inside the row.
    ///
    /// # Examples
    ///
    /// See [`Array`].
    #[doc(alias("cuMemcpyHtoA", "cuMemcpyHtoAAsync"))]
    pub fn copy_from_host<T: NoUninit>(&mut self, offset_bytes: usize, elements: &[T]) -> Result<()> {
        let to = CopyDestination::array(self).at(offset_bytes, 0, 0);
        Memcpy3D::plane(to, CopySource::host(elements), size_of_val(elements), 1).copy()
    }

    /// Copies from the first row, from a byte on, to host memory.
    ///
    /// # Blocking
    ///
    /// Until everything queued on the home stream, and the copy, is done.
    ///
    /// # Errors
    ///
    /// Those of [`Array::copy_from_host`].
    ///
    /// # Examples
    ///
    /// See [`Array`].
    #[doc(alias("cuMemcpyAtoH", "cuMemcpyAtoHAsync"))]
    pub fn copy_to_host<T: AnyBitPattern>(&self, offset_bytes: usize, elements: &mut [T]) -> Result<()> {
        let (from, width) = (CopySource::array(self).at(offset_bytes, 0, 0), size_of_val(elements));
        Memcpy3D::plane(CopyDestination::host(elements), from, width, 1).copy()
    }

    /// Copies device memory into the first row, from a byte on. Does not wait.
    ///
    /// # Errors
    ///
    /// Those of [`Array::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let descriptor = ArrayDescriptor::line(4, ArrayFormat::UNSIGNED_INT8, 1);
    /// let (mut first, mut second) = (Array::new(&stream, descriptor)?, Array::new(&stream, descriptor)?);
    /// first.copy_from_device(0, DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4])?.as_slice())?;
    /// second.copy_from_array(1, &first, 0, 3)?;
    /// let mut copied = DeviceBuf::<u8>::zeroed(&stream, 3)?;
    /// second.copy_to_device(1, copied.as_slice_mut())?;
    /// assert_eq!(copied.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyDtoA")]
    pub fn copy_from_device<T>(&mut self, offset_bytes: usize, elements: DeviceSlice<'_, T>) -> Result<()> {
        let width = elements.size_bytes();
        let to = CopyDestination::array(self).at(offset_bytes, 0, 0);
        Memcpy3D::plane(to, CopySource::device(elements), width, 1).copy()
    }

    /// Copies from the first row, from a byte on, to device memory. Does not wait.
    ///
    /// # Errors
    ///
    /// Those of [`Array::copy_from_host`].
    ///
    /// # Examples
    ///
    /// See [`Array::copy_from_device`].
    #[doc(alias = "cuMemcpyAtoD")]
    pub fn copy_to_device<T: AnyBitPattern>(
        &self,
        offset_bytes: usize,
        elements: DeviceSliceMut<'_, T>,
    ) -> Result<()> {
        let (from, width) = (CopySource::array(self).at(offset_bytes, 0, 0), elements.size_bytes());
        Memcpy3D::plane(CopyDestination::device(elements), from, width, 1).copy()
    }

    /// Copies `bytes` from the first row of another array into that of this one. Does not wait.
    ///
    /// # Errors
    ///
    /// Those of [`Array::copy_from_host`].
    ///
    /// # Examples
    ///
    /// See [`Array::copy_from_device`].
    #[doc(alias = "cuMemcpyAtoA")]
    pub fn copy_from_array(
        &mut self,
        offset_bytes: usize,
        source: &Array,
        source_offset_bytes: usize,
        bytes: usize,
    ) -> Result<()> {
        let from = CopySource::array(source).at(source_offset_bytes, 0, 0);
        Memcpy3D::plane(CopyDestination::array(self).at(offset_bytes, 0, 0), from, bytes, 1).copy()
    }

    /// Destroys the array and reports the driver's answer, which a drop can only give to the
    /// [hook](crate::error::set_drop_hook). Wraps `cuArrayDestroy`.
    ///
    /// # Blocking
    ///
    /// See [`Array`].
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// See [`Array::descriptor`].
    #[doc(alias = "cuArrayDestroy")]
    pub fn close(self) -> Result<()> {
        let mut this = self;
        this.release()
    }

    fn release(&mut self) -> Result<()> {
        let raw = core::mem::replace(&mut self.raw, null_mut());
        if raw.is_null() {
            return Ok(());
        }
        release_in(self.stream.context(), By::Handle, |leftovers| {
            wait_for_other_devices(&self.stream, leftovers)?;
            // SAFETY: the array was this value's, and is nobody's now.
            unsafe { check!(cuArrayDestroy(raw)) }
        })
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        report(self.release());
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Array")
            .field("raw", &self.raw)
            .field("descriptor", &self.descriptor)
            .field("stream", &self.stream)
            .finish()
    }
}
