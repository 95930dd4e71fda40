//! Images with their smaller levels.

#![allow(unsafe_code)]

use super::mapping::MappedMemory;
use super::{Array, ArrayDescriptor, ArrayFlags, MAPPED_BY_PROGRAM};
use crate::context::{Context, ContextRequirement, release_in};
use crate::error::{Error, Result};
use crate::handle::{DriverHandle, Owned, Releasing, made};
use crate::memory::{end_owner_after, release_owner, wait_for_other_devices};
use crate::stream::Stream;
use core::any::Any;
use core::ffi::c_uint;
use core::fmt;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::Symbol;
use cuda_sys::{CUDA_ARRAY3D_DESCRIPTOR, CUmipmappedArray};
use std::sync::Arc;

/// An array with levels, each half as wide, high and deep as the one before. Clones are handles to the same one; the last of
/// them, of its levels, and of what it is bound to, destroys it.
///
/// # Blocking
///
/// Destroying waits until the device has done what was queued in the context.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{ArrayDescriptor, ArrayFormat, MipmappedArray};
///
/// let image = MipmappedArray::new(&stream, ArrayDescriptor::plane(8, 4, ArrayFormat::FLOAT, 1), 3)?;
/// assert_eq!(image.levels(), 3);
/// let smallest = image.level(2)?;
/// assert_eq!((smallest.descriptor().width, smallest.descriptor().height), (2, 1));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmipmappedArray")]
#[derive(Clone)]
pub struct MipmappedArray(pub(super) Arc<Owned<Inner>>);

pub(super) struct Inner {
    raw: CUmipmappedArray,
    descriptor: ArrayDescriptor,
    levels: u32,
    stream: Stream,
    ownership: Ownership,
    /// True if memory was mapped to all of it, or if the caller answers for that.
    pub(super) mapped: AtomicBool,
    pub(super) memory: MappedMemory,
}

/// Who destroys a mipmapped array, and who has its memory.
pub(super) enum Ownership {
    /// It is destroyed, and has memory of its own.
    Whole,
    /// It is destroyed. The owner has its memory, and is dropped afterwards.
    OnMemory { owner: Option<Box<dyn Any + Send + Sync>> },
    /// The owner destroys it.
    Foreign(Option<Box<dyn Any + Send + Sync>>),
}

// SAFETY: a `CUmipmappedArray` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Inner {}
// SAFETY: what is changed through `&Inner` is atomic or locked; the driver synchronises calls that share it.
unsafe impl Sync for Inner {}

impl MipmappedArray {
    /// Levels that hold whatever was there before: `levels` of them (0 counts as 1), or as many as there can be, which is 1 more than how
    /// often the largest dimension can be halved. Wraps `cuMipmappedArrayCreate`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue) for sizes, formats and flags that the device does not have,
    ///   with the limit or the rule as far as it can be told.
    /// - [`Code::NotSupported`](crate::error::Code::NotSupported) for flags that a format does not have.
    /// - [`Code::OutOfMemory`](crate::error::Code::OutOfMemory).
    /// - [`Code::StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported) while a graph is being captured in the
    ///   global mode. The failure invalidates the capture.
    /// - An earlier failure.
    #[doc(alias("cuMipmappedArrayCreate", "cudaMallocMipmappedArray"))]
    pub fn new(stream: &Stream, descriptor: ArrayDescriptor, levels: u32) -> Result<MipmappedArray> {
        // The home stream's capture would be ended by work that cannot be captured.
        stream.refuse_capture(Symbol::cuMipmappedArrayCreate)?;
        let bound = stream.context().bind(Symbol::cuMipmappedArrayCreate)?;
        let full = descriptor.full();
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the descriptor for a read; the context is current.
        let created =
            unsafe { check!(cuMipmappedArrayCreate(&raw mut raw, &raw const full, levels as c_uint)) };
        drop(bound);
        let created = created.map_err(|error| descriptor.explain(error, stream.context().device(), true));
        made(created, !raw.is_null(), || {
            MipmappedArray::wrap(raw, descriptor, levels, stream, Ownership::Whole)
        })
    }

    /// Owns an array that is mapped onto memory of `owner`.
    pub(crate) fn on_memory(
        raw: CUmipmappedArray,
        descriptor: ArrayDescriptor,
        levels: u32,
        stream: &Stream,
        owner: Box<dyn Any + Send + Sync>,
    ) -> MipmappedArray {
        MipmappedArray::wrap(raw, descriptor, levels, stream, Ownership::OnMemory { owner: Some(owner) })
    }

    pub(super) fn wrap(
        raw: CUmipmappedArray,
        descriptor: ArrayDescriptor,
        levels: u32,
        stream: &Stream,
        ownership: Ownership,
    ) -> MipmappedArray {
        let levels = levels.clamp(1, descriptor.most_levels());
        let (stream, mapped, memory) = (stream.clone(), AtomicBool::new(false), MappedMemory::default());
        let inner = Inner { raw, descriptor, levels, stream, ownership, mapped, memory };
        MipmappedArray(Arc::new(Owned::new(inner)))
    }

    /// Gives the handle up without destroying it, if this is the only handle, and no other owner has the array or its memory.
    pub(super) fn disown(self) -> core::result::Result<CUmipmappedArray, MipmappedArray> {
        let inner = Arc::try_unwrap(self.0).map_err(MipmappedArray)?;
        match inner.ownership {
            Ownership::Whole => {
                let inner = inner.into_inner();
                inner.memory.leak();
                Ok(inner.raw)
            }
            Ownership::OnMemory { .. } | Ownership::Foreign(_) => Err(MipmappedArray(Arc::new(inner))),
        }
    }

    /// Returns a level, the largest being 0: an array that keeps the whole. Wraps `cuMipmappedArrayGetLevel` and
    /// `cuArray3DGetDescriptor`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a level that there is not.
    /// - An earlier failure.
    #[doc(alias("cuMipmappedArrayGetLevel", "cudaGetMipmappedArrayLevel"))]
    pub fn level(&self, level: u32) -> Result<Array> {
        if level >= self.0.levels {
            let (start, len) = (level as usize, self.0.levels as usize);
            return Err(Error::out_of_bounds("mipmapped array", start, start.saturating_add(1), len));
        }
        let _bound = self.context().bind(Symbol::cuMipmappedArrayGetLevel)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write; the mipmapped array is live.
        unsafe { check!(cuMipmappedArrayGetLevel(&raw mut raw, self.0.raw, level)) }?;
        let mut full = CUDA_ARRAY3D_DESCRIPTOR::default();
        // SAFETY: the descriptor is valid for a write; the level lives as long as the whole.
        unsafe { check!(cuArray3DGetDescriptor_v2(&raw mut full, raw)) }?;
        Ok(Array::level(raw, ArrayDescriptor::of(&full), self))
    }

    /// Returns how many levels there are.
    pub fn levels(&self) -> u32 {
        self.0.levels
    }

    /// What it was asked to be: its largest level.
    pub fn descriptor(&self) -> ArrayDescriptor {
        self.0.descriptor
    }

    /// Lets it and all its levels be used, if it was made with [`ArrayFlags::DEFERRED_MAPPING`]; see
    /// [`Array::assume_mapped`].
    ///
    /// # Safety
    ///
    /// Memory is mapped to all of it, and stays so as long as it lives, in the order of its home stream and of whatever else
    /// uses it.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
    ///
    /// let image = ArrayDescriptor::plane(64, 64, ArrayFormat::FLOAT, 1);
    /// let image = image.with_flags(ArrayFlags::DEFERRED_MAPPING);
    /// if let Ok(image) = MipmappedArray::new(&stream, image, 7) {
    ///     println!("{:?}", image.memory_requirements(context.device())?);
    ///     assert!(image.level(6)?.copy_all_from_host(&[1.0_f32]).is_err());
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn assume_mapped(&self) {
        self.0.mapped.store(true, Ordering::Relaxed);
    }

    /// Why safe functions may not use what is in it, if there is a reason. For all that uses mipmapped arrays.
    pub(crate) fn usable(&self) -> Result<()> {
        let descriptor = self.0.descriptor;
        let deferred = descriptor.flags.contains(ArrayFlags::DEFERRED_MAPPING);
        descriptor.usable(!deferred || self.0.mapped.load(Ordering::Relaxed))
    }

    /// Returns the stream on which copies to and from its levels run.
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    /// Returns whether other arrays may have the same memory.
    pub(super) fn may_share_memory(&self) -> bool {
        let is_its_own = matches!(self.0.ownership, Ownership::Whole);
        !is_its_own || self.0.descriptor.flags.intersects(MAPPED_BY_PROGRAM)
    }

    /// Returns the context that it belongs to.
    pub fn context(&self) -> &Context {
        self.0.stream.context()
    }

    /// Returns the handle. It stays this crate's: it must not be destroyed.
    pub fn as_raw(&self) -> CUmipmappedArray {
        self.0.raw
    }

    /// Destroys it, if this is the last handle to it, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuMipmappedArrayDestroy`.
    ///
    /// # Blocking
    ///
    /// See [`MipmappedArray`].
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuMipmappedArrayDestroy")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

impl DriverHandle for Inner {
    fn release_call(&self) -> Symbol {
        Symbol::cuMipmappedArrayDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let released = match &mut self.ownership {
            Ownership::Foreign(owner) => {
                owner.take().map_or(Ok(()), |owner| release_owner(&self.stream, owner))
            }
            Ownership::Whole | Ownership::OnMemory { .. } => release_in(
                self.stream.context(),
                ContextRequirement::Current,
                Symbol::cuMipmappedArrayDestroy,
                &mut |errors| {
                    wait_for_other_devices(&self.stream, Symbol::cuMipmappedArrayDestroy, errors)?;
                    // SAFETY: the owner releases the array once, and does not use it afterwards; levels and bindings kept it.
                    unsafe { check!(cuMipmappedArrayDestroy(self.raw)) }
                },
            ),
        };
        if let Ownership::OnMemory { owner } = &mut self.ownership {
            end_owner_after(&released, owner);
        }
        self.memory.after_release(&released, self.stream.context());
        released
    }
}

/// Handles are equal if they are of one mipmapped array.
impl PartialEq for MipmappedArray {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for MipmappedArray {}

impl fmt::Debug for MipmappedArray {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MipmappedArray")
            .field("raw", &self.0.raw)
            .field("descriptor", &self.0.descriptor)
            .field("levels", &self.0.levels)
            .field("stream", &self.0.stream)
            .finish()
    }
}
