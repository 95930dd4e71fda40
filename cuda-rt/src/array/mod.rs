//! Arrays: memory in an order of the driver's own, which textures and surfaces read.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`Array`] | a `CUarray` of one, two or three dimensions | `cuArrayDestroy`; a level ends with the whole |
//! | [`MipmappedArray`] | a `CUmipmappedArray`: an image with its smaller levels | `cuMipmappedArrayDestroy` |
//! | [`ArrayMappings`] | memory to be mapped to parts of arrays | – |
//!
//! An array has no address. What is in it is copied: as a whole or in a row by the methods here, in blocks by
//! [`Memcpy3D`](crate::memory::Memcpy3D).
//!
//! A device reaches the arrays of another one as it reaches other memory there: by [access between their
//! contexts](crate::peer), which holds for all arrays. There is no flag for it, and none is needed.
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#arrays) leads from the names of PyCUDA to the items here.

#![allow(unsafe_code)]

mod construct;
mod copies;
mod copy_side;
mod descriptor;
mod element;
mod format;
mod limit;
mod mapping;
mod mapping_limits;
mod mipmapped;
mod queries;
mod raw;
mod whole;

pub use descriptor::{ArrayDescriptor, ArrayFlags};
pub use element::{ArrayElement, Order};
pub use format::ArrayFormat;
pub use mapping::{ArrayMappings, MappedArray, SparsePart};
pub use mipmapped::MipmappedArray;
pub use queries::{MemoryRequirements, SparseFlags, SparseProperties};

use crate::context::{Context, ContextRequirement, release_in};
use crate::error::Result;
use crate::handle::{DriverHandle, Owned, Releasing, made};
use crate::memory::{Shape, release_owner, wait_for_other_devices};
use crate::stream::Stream;
use core::any::Any;
use core::fmt;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::CUarray;
use cuda_sys::Symbol;
use mapping::MappedMemory;
use std::sync::Arc;

/// An array. Clones are handles to the same array; the last of them, and of what it is bound to, destroys it.
///
/// It has a home stream, on which copies to and from it run, as a [`DeviceBuf`](crate::DeviceBuf) has. So copies need no
/// exclusive access: they come one after the other, whichever handle and thread they are called by.
///
/// # Blocking
///
/// Destroying waits until the device has done what was queued in the context, as for other memory that is not
/// stream-ordered; dropping [somebody else's](Array::from_raw_with_owner) waits for the home stream.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
/// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
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
pub struct Array(Arc<Owned<Inner>>);

struct Inner {
    raw: CUarray,
    descriptor: ArrayDescriptor,
    stream: Stream,
    part: Part,
    /// True if memory was mapped to all of it, or if the caller answers for that.
    mapped: AtomicBool,
    memory: MappedMemory,
}

/// Arrays with one of these flags may have the memory of others.
const MAPPED_BY_PROGRAM: ArrayFlags = ArrayFlags::SPARSE.union(ArrayFlags::DEFERRED_MAPPING);

/// What an array is a part of.
enum Part {
    /// Of nothing: it is destroyed by itself.
    Whole,
    /// It goes with the array that it is a level of.
    Level(MipmappedArray),
    /// It goes with the array that it is a plane of.
    Plane(Array),
    /// Somebody else's, until that one has been dropped.
    Foreign(Option<Box<dyn Any + Send + Sync>>),
}

// SAFETY: a `CUarray` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Inner {}
// SAFETY: what is changed through `&Inner` is atomic or locked; the driver synchronises calls that share an array.
unsafe impl Sync for Inner {}

impl Array {
    /// Makes an array that holds whatever was there before.
    ///
    /// Wraps `cuArrayCreate`, and `cuArray3DCreate` if it has a depth or flags.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`](crate::error::Code::InvalidValue) for sizes, formats and flags that the device does not
    /// have, with the limit or the rule as far as it can be told;
    /// [`Code::NotSupported`](crate::error::Code::NotSupported) for flags that a format does not have;
    /// [`Code::OutOfMemory`](crate::error::Code::OutOfMemory),
    /// [`Code::StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported) while a graph is being
    /// captured in the global mode: the capture ends; or an earlier failure.
    #[doc(alias("cuArrayCreate", "cuArray3DCreate", "cudaMallocArray", "cudaMalloc3DArray"))]
    pub fn new(stream: &Stream, descriptor: ArrayDescriptor) -> Result<Array> {
        // The home stream's capture would be ended by work that cannot be captured.
        stream.refuse_capture(Symbol::cuArrayCreate_v2)?;
        let bound = stream.context().bind(Symbol::cuArrayCreate_v2)?;
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
        drop(bound);
        let created = created.map_err(|error| descriptor.explain(error, stream.context().device(), false));
        made(created, !raw.is_null(), || Array::wrap(raw, descriptor, stream, Part::Whole))
    }

    fn wrap(raw: CUarray, descriptor: ArrayDescriptor, stream: &Stream, part: Part) -> Array {
        let (mapped, memory) = (AtomicBool::new(false), MappedMemory::default());
        Array(Arc::new(Owned::new(Inner { raw, descriptor, stream: stream.clone(), part, mapped, memory })))
    }

    /// Returns a level of a mipmapped array, which it keeps.
    fn level(raw: CUarray, descriptor: ArrayDescriptor, whole: &MipmappedArray) -> Array {
        Array::wrap(raw, descriptor, whole.stream(), Part::Level(whole.clone()))
    }

    /// Returns the handle. It stays this crate's: it must not be destroyed.
    pub fn as_raw(&self) -> CUarray {
        self.0.raw
    }

    /// What it was asked to be, without asking the driver.
    pub fn descriptor(&self) -> ArrayDescriptor {
        self.0.descriptor
    }

    /// Returns the stream on which copies to and from it run.
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    /// Returns the context that it belongs to.
    pub fn context(&self) -> &Context {
        self.0.stream.context()
    }

    pub(crate) fn shape(&self) -> Shape {
        self.0.descriptor.shape()
    }

    /// Lets an array that was made with [`ArrayFlags::DEFERRED_MAPPING`] be used, by all handles to it and by its planes.
    ///
    /// It is for memory that other code maps: [`ArrayMappings::map_whole`] needs no such call. Before it copies and
    /// bindings are refused: using such an array without memory ends all work in its context. Sparse arrays need
    /// no such call.
    ///
    /// # Safety
    ///
    /// Memory is mapped to all of the array, and stays so as long as the array lives, in the order of its home stream and of
    /// whatever else uses the array.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat};
    ///
    /// let descriptor = ArrayDescriptor::plane(64, 64, ArrayFormat::FLOAT, 1);
    /// if let Ok(array) = Array::new(&stream, descriptor.with_flags(ArrayFlags::DEFERRED_MAPPING)) {
    ///     println!("{:?}", array.memory_requirements(context.device())?);
    ///     let refused = array.copy_all_from_host(&[0.0_f32; 64 * 64]).unwrap_err();
    ///     assert!(refused.to_string().contains("no memory is known to be mapped"));
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn assume_mapped(&self) {
        self.0.mapped.store(true, Ordering::Relaxed);
    }

    /// Returns whether there is memory behind it (T118).
    fn is_mapped(&self) -> bool {
        let is_whole_mapped = match &self.0.part {
            Part::Level(whole) => whole.usable().is_ok(),
            Part::Plane(whole) => whole.is_mapped(),
            Part::Whole | Part::Foreign(_) => !self.0.descriptor.flags.contains(ArrayFlags::DEFERRED_MAPPING),
        };
        is_whole_mapped || self.0.mapped.load(Ordering::Relaxed)
    }

    /// Why safe functions may not use what is in it, if there is a reason. For all that uses arrays.
    pub(crate) fn usable(&self) -> Result<()> {
        self.0.descriptor.usable(self.is_mapped())
    }

    /// Destroys the array, if this is the last handle to it, and reports the driver's answer, which a drop can only give to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuArrayDestroy`.
    ///
    /// # Blocking
    ///
    /// See [`Array`].
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuArrayDestroy")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

impl DriverHandle for Inner {
    fn release_call(&self) -> Symbol {
        Symbol::cuArrayDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let released = match &mut self.part {
            Part::Level(_) | Part::Plane(_) => Ok(()),
            Part::Foreign(owner) => owner.take().map_or(Ok(()), |owner| release_owner(&self.stream, owner)),
            Part::Whole => {
                release_in(
                    self.stream.context(),
                    ContextRequirement::Current,
                    Symbol::cuArrayDestroy,
                    &mut |errors| {
                        wait_for_other_devices(&self.stream, Symbol::cuArrayDestroy, errors)?;
                        // SAFETY: the owner releases the array once, and does not use it afterwards; planes and bindings kept it.
                        unsafe { check!(cuArrayDestroy(self.raw)) }
                    },
                )
            }
        };
        self.memory.after_release(&released, self.stream.context());
        released
    }
}

/// Handles are equal if they are of one array.
impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.0.raw == other.0.raw && self.context() == other.context()
    }
}

impl Eq for Array {}

impl fmt::Debug for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Whole => formatter.write_str("Whole"),
            Part::Level(whole) => formatter.debug_tuple("Level").field(whole).finish(),
            Part::Plane(whole) => formatter.debug_tuple("Plane").field(whole).finish(),
            Part::Foreign(_) => formatter.write_str("Foreign"),
        }
    }
}

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
