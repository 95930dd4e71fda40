//! Arrays: memory in an order of the driver's own, which textures and surfaces read.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`Array`] | a `CUarray` of one, two or three dimensions | `cuArrayDestroy`; a level ends with the whole |
//! | [`MipmappedArray`] | a `CUmipmappedArray`: an image with its smaller levels | `cuMipmappedArrayDestroy` |
//!
//! An array has no address. What is in it is copied: in a row by the methods here, in blocks by
//! [`Memcpy3D`](crate::Memcpy3D).

#![allow(unsafe_code)]

mod copies;
mod descriptor;
mod format;
mod mipmapped;

pub use descriptor::{ArrayDescriptor, ArrayFlags};
pub use format::ArrayFormat;
pub use mipmapped::MipmappedArray;

use crate::context::{By, Context, release_in};
use crate::error::{Code, Detailed, Result, report};
use crate::memory::wait_for_other_devices;
use crate::stream::Stream;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::CUarray;
use std::sync::Arc;

/// What copies need to know of an array's size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// In elements.
    pub(crate) width: usize,
    pub(crate) rows: usize,
    pub(crate) slices: usize,
    pub(crate) element_bytes: Option<usize>,
}

/// An array. Clones are handles to the same array; the last of them, and of what it is bound to, destroys it.
///
/// It has a home stream, on which copies to and from it run, as a [`DeviceBuf`](crate::DeviceBuf) has. So copies need no
/// exclusive access: they come one after the other, whichever handle and thread they are called by.
///
/// # Blocking
///
/// Destroying waits until the device has done what was queued in the context, as for other memory that is not
/// stream-ordered.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
/// use cuda_rt::{CopyDestination, CopySource, Memcpy3D};
///
/// let line = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1))?;
/// line.copy_from_host(0, &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let mut last = [0.0_f32; 2];
/// line.copy_to_host(8, &mut last)?;
/// assert_eq!(last, [3.0, 4.0]);
///
/// let image = Array::new(&stream, ArrayDescriptor::plane(2, 2, ArrayFormat::UNSIGNED_INT8, 1))?;
/// let pixels = [1_u8, 2, 3, 4];
/// Memcpy3D::plane(CopyDestination::array(&image), CopySource::host(&pixels), 2, 2).copy()?;
/// let mut column = [0_u8; 2];
/// let from = CopySource::array(&image).at(1, 0, 0);
/// Memcpy3D::plane(CopyDestination::host(&mut column), from, 1, 2).copy()?;
/// assert_eq!(column, [2, 4]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUarray")]
#[derive(Clone)]
pub struct Array(Arc<Inner>);

struct Inner {
    raw: CUarray,
    descriptor: ArrayDescriptor,
    stream: Stream,
    part: Part,
}

/// What an array is a part of.
#[derive(Debug)]
enum Part {
    /// Of nothing: it is destroyed by itself.
    Whole,
    /// It goes with the array that it is a level of.
    Level(#[expect(dead_code, reason = "kept alive")] MipmappedArray),
}

// SAFETY: a `CUarray` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Inner {}
// SAFETY: nothing is changed through `&Inner`; the driver synchronises calls that share an array.
unsafe impl Sync for Inner {}

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
        // The home stream's capture would be ended by work that cannot be captured.
        stream.refuse_capture()?;
        let _bound = stream.context().bind()?;
        let mut raw = null_mut();
        let created = match descriptor.flat() {
            // SAFETY: `raw` is valid for a write, the descriptor for a read; the context is current.
            Some(flat) => unsafe { check!(cuArrayCreate_v2(&raw mut raw, &raw const flat)) },
            None => {
                let full = descriptor.full();
                // SAFETY: as above.
                unsafe { check!(cuArray3DCreate_v2(&raw mut raw, &raw const full)) }
            }
        };
        created.detailed(Code::InvalidValue, || descriptor.detail())?;
        Ok(Array(Arc::new(Inner { raw, descriptor, stream: stream.clone(), part: Part::Whole })))
    }

    /// A level of a mipmapped array, which it keeps.
    fn level(raw: CUarray, descriptor: ArrayDescriptor, whole: &MipmappedArray) -> Array {
        let (stream, part) = (whole.stream().clone(), Part::Level(whole.clone()));
        Array(Arc::new(Inner { raw, descriptor, stream, part }))
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
        self.0.raw
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
        self.0.descriptor
    }

    /// The stream on which copies to and from it run.
    ///
    /// # Examples
    ///
    /// See [`Array::as_raw`].
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    /// The context that it belongs to.
    ///
    /// # Examples
    ///
    /// See [`Array::as_raw`].
    pub fn context(&self) -> &Context {
        self.0.stream.context()
    }

    pub(crate) fn shape(&self) -> Shape {
        let ArrayDescriptor { width, height, depth, .. } = self.0.descriptor;
        let element_bytes = self.0.descriptor.element_bytes();
        Shape { width, rows: height.max(1), slices: depth.max(1), element_bytes }
    }

    /// Destroys the array, if this is the last handle to it, and reports the driver's answer, which a drop can only give to the
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
        match Arc::into_inner(self.0) {
            Some(mut inner) => inner.release(),
            None => Ok(()),
        }
    }
}

impl Inner {
    fn release(&mut self) -> Result<()> {
        let raw = core::mem::replace(&mut self.raw, null_mut());
        if raw.is_null() || matches!(self.part, Part::Level(_)) {
            return Ok(());
        }
        release_in(self.stream.context(), By::Handle, |leftovers| {
            wait_for_other_devices(&self.stream, leftovers)?;
            // SAFETY: the array was this value's, and is nobody's now: what it was bound to kept it.
            unsafe { check!(cuArrayDestroy(raw)) }
        })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        report(self.release());
    }
}

/// Handles are equal if they are of one array.
impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.0.raw == other.0.raw && self.context() == other.context()
    }
}

impl Eq for Array {}

impl fmt::Debug for Array {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Array")
            .field("raw", &self.0.raw)
            .field("descriptor", &self.0.descriptor)
            .field("stream", &self.0.stream)
            .field("part", &self.0.part)
            .finish()
    }
}
