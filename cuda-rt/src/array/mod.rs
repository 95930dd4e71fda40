//! Arrays: memory with an opaque layout, which textures and surfaces read.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`Array`] | a `CUarray` of one, two or three dimensions | `cuArrayDestroy`; a level is released with the whole |
//! | [`MipmappedArray`] | a `CUmipmappedArray`: an image with its smaller levels | `cuMipmappedArrayDestroy` |
//! | [`ArrayMappings`] | memory to map to parts of arrays | – |
//!
//! An array has no address. Its elements are copied: methods here copy the whole array or a row, and
//! [`Memcpy3D`](crate::memory::Memcpy3D) copies blocks.
//!
//! A device accesses the arrays of another device like other memory: by [peer access](crate::peer) between their contexts, which
//! holds for all arrays. There is no flag of arrays for it.
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
use crate::memory::{Shape, release_owner, retrying, wait_for_other_devices};
use crate::stream::Stream;
use core::any::Any;
use core::fmt;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::CUarray;
use cuda_sys::Symbol;
use mapping::MappedMemory;
use std::sync::Arc;

/// An array. Clones are handles to the same array. The last handle to the array, or to an object that it is bound to, destroys
/// the array.
///
/// Like a [`DeviceBuf`](crate::DeviceBuf), an array has a home stream, on which copies to and from it run. So copies need no
/// exclusive access: they are performed one after the other, whichever handle and thread calls them.
///
/// # Blocking
///
/// Destroying waits until the device has done all work that was queued in the context, as for other memory that is not
/// stream-ordered. It also waits for copies of this crate from or to other devices. Dropping a
/// [foreign array](Array::from_raw_with_owner) waits for the home stream.
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
    /// True if memory was mapped to the whole array, or if the caller has promised it.
    mapped: AtomicBool,
    memory: MappedMemory,
}

/// Arrays with one of these flags may share memory with others.
const MAPPED_BY_PROGRAM: ArrayFlags = ArrayFlags::SPARSE.union(ArrayFlags::DEFERRED_MAPPING);

/// The owner of an array.
enum Part {
    /// The array itself: it is destroyed.
    Whole,
    /// The mipmapped array of the level.
    Level(MipmappedArray),
    /// The array of the plane.
    Plane(Array),
    /// A foreign owner; `None` after it was dropped.
    Foreign(Option<Box<dyn Any + Send + Sync>>),
}

// SAFETY: a `CUarray` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Inner {}
// SAFETY: fields that change through `&Inner` are atomic or locked; the driver synchronises calls that share an array.
unsafe impl Sync for Inner {}

impl Array {
    /// Creates an array, without setting its elements.
    ///
    /// Wraps `cuArrayCreate`, and `cuArray3DCreate` if the array has a depth or flags.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue), with the limit or the rule as far as it is known: the device
    ///   does not support a size, the format or a flag.
    /// - [`Code::NotSupported`](crate::error::Code::NotSupported): the format does not support a flag.
    /// - [`Code::OutOfMemory`](crate::error::Code::OutOfMemory).
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported): any thread captures a graph
    ///   in the global mode, or this thread does in the thread-local mode, and the mode of this thread is not relaxed.
    ///   The failure invalidates the capture.
    /// - An earlier failure.
    #[doc(alias("cuArrayCreate", "cuArray3DCreate", "cudaMallocArray", "cudaMalloc3DArray"))]
    pub fn new(stream: &Stream, descriptor: ArrayDescriptor) -> Result<Array> {
        // Work that cannot be captured would invalidate a capture of the home stream.
        stream.refuse_capture(Symbol::cuArrayCreate_v2)?;
        retrying(stream.context(), descriptor.total_bytes(), || Array::create(stream, descriptor))
    }

    fn create(stream: &Stream, descriptor: ArrayDescriptor) -> Result<Array> {
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

    /// Returns a level of a mipmapped array, which the level keeps alive.
    fn level(raw: CUarray, descriptor: ArrayDescriptor, whole: &MipmappedArray) -> Array {
        Array::wrap(raw, descriptor, whole.stream(), Part::Level(whole.clone()))
    }

    /// Returns the raw handle. The caller must not destroy the array.
    pub fn as_raw(&self) -> CUarray {
        self.0.raw
    }

    /// Returns the descriptor with which the array was created, without a driver call.
    pub fn descriptor(&self) -> ArrayDescriptor {
        self.0.descriptor
    }

    /// Returns the home stream, on which copies to and from the array run.
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    /// Returns the context that the array belongs to.
    pub fn context(&self) -> &Context {
        self.0.stream.context()
    }

    pub(crate) fn shape(&self) -> Shape {
        self.0.descriptor.shape()
    }

    /// Allows uses of an array that was made with [`ArrayFlags::DEFERRED_MAPPING`], by all handles to it and by its planes.
    ///
    /// The function is for memory that other code maps: [`ArrayMappings::map_whole`] needs no such call. Before the call, copies
    /// and bindings are refused: a use of such an array without memory ends all work in its context. Sparse arrays need no such
    /// call.
    ///
    /// # Safety
    ///
    /// Memory is mapped to the whole array, and stays mapped as long as the array lives. The mapping is ordered with the array's home
    /// stream and all other uses.
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

    /// Returns whether there is memory behind the array.
    fn is_mapped(&self) -> bool {
        let is_whole_mapped = match &self.0.part {
            Part::Level(whole) => whole.usable().is_ok(),
            Part::Plane(whole) => whole.is_mapped(),
            Part::Whole | Part::Foreign(_) => !self.0.descriptor.flags.contains(ArrayFlags::DEFERRED_MAPPING),
        };
        is_whole_mapped || self.0.mapped.load(Ordering::Relaxed)
    }

    /// Refuses an array that safe functions must not use. Every use of an array calls this.
    pub(crate) fn usable(&self) -> Result<()> {
        self.0.descriptor.usable(self.is_mapped())
    }

    /// Destroys the array, if this is the last handle to it, and returns the driver's answer. A drop can report a failure only to
    /// the [hook](crate::handle::set_drop_hook). Wraps `cuArrayDestroy`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`Array`](Array#blocking).
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the call would have to wait for the home
    ///   stream, which is being captured. The array is not destroyed.
    /// - An earlier failure.
    ///
    /// The handle is consumed in any case.
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
                        // SAFETY: the owner releases the array once, and does not use it afterwards; planes and bindings kept it
                        // alive.
                        unsafe { check!(cuArrayDestroy(self.raw)) }
                    },
                )
            }
        };
        self.memory.after_release(&released, self.stream.context());
        released
    }
}

/// Two handles are equal if they name the same array.
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
