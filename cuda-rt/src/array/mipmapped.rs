//! Mipmapped arrays: images with their smaller levels.

#![allow(unsafe_code)]

use super::mapping::MappedMemory;
use super::{Array, ArrayDescriptor, ArrayFlags, MAPPED_BY_PROGRAM};
use crate::context::{Context, ContextRequirement, release_in};
use crate::error::{Error, Result};
use crate::handle::{DriverHandle, Owned, Releasing, made};
use crate::memory::{end_owner_after, release_owner, retrying, wait_for_other_devices};
use crate::stream::Stream;
use core::any::Any;
use core::ffi::c_uint;
use core::fmt;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::Symbol;
use cuda_sys::{CUDA_ARRAY3D_DESCRIPTOR, CUmipmappedArray};
use std::sync::Arc;

/// An array with levels, each half as wide, high and deep as the previous one. Clones are handles to the same array. The last
/// handle to the array, its levels, or the objects that it is bound to destroys it.
///
/// # Blocking
///
/// Destroying waits until the device has done all work that was queued in the context, and copies of this crate from or
/// to other devices. Dropping a [foreign array](MipmappedArray::from_raw_with_owner) waits for the home stream.
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
    /// True if memory was mapped to the whole array, or if the caller has promised it.
    pub(super) mapped: AtomicBool,
    pub(super) memory: MappedMemory,
}

/// Owner of a mipmapped array and of its memory.
pub(super) enum Ownership {
    /// This crate destroys the array, which has memory of its own.
    Whole,
    /// This crate destroys the array. The owner has its memory, and is dropped afterwards.
    OnMemory { owner: Option<Box<dyn Any + Send + Sync>> },
    /// The owner destroys the array.
    Foreign(Option<Box<dyn Any + Send + Sync>>),
}

// SAFETY: a `CUmipmappedArray` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Inner {}
// SAFETY: fields that change through `&Inner` are atomic or locked; the driver synchronises calls that share the array.
unsafe impl Sync for Inner {}

impl MipmappedArray {
    /// Creates an array with levels, without setting its elements. Wraps `cuMipmappedArrayCreate`.
    ///
    /// There are `levels` levels; 0 counts as 1. If `levels` exceeds the largest possible number, there are that many levels. The
    /// largest possible number is 1 more than the number of times that the largest dimension can be halved.
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
    #[doc(alias("cuMipmappedArrayCreate", "cudaMallocMipmappedArray"))]
    pub fn new(stream: &Stream, descriptor: ArrayDescriptor, levels: u32) -> Result<MipmappedArray> {
        // Work that cannot be captured would invalidate a capture of the home stream.
        stream.refuse_capture(Symbol::cuMipmappedArrayCreate)?;
        let bytes = descriptor.total_bytes();
        retrying(stream.context(), bytes, || MipmappedArray::create(stream, descriptor, levels))
    }

    fn create(stream: &Stream, descriptor: ArrayDescriptor, levels: u32) -> Result<MipmappedArray> {
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

    /// Takes the handle out without destroying the array, if this is the only handle, and no other owner has the array or its
    /// memory.
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

    /// Returns a level as an array that keeps the whole alive. The largest level is 0. Wraps `cuMipmappedArrayGetLevel` and
    /// `cuArray3DGetDescriptor`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the level does not exist.
    /// - An earlier failure.
    #[doc(alias("cuMipmappedArrayGetLevel", "cudaGetMipmappedArrayLevel"))]
    pub fn level(&self, level: u32) -> Result<Array> {
        if level >= self.0.levels {
            let last = self.0.levels.saturating_sub(1);
            return Err(Error::invalid(
                "mipmapped array",
                format_args!("level {level} exceeds the last level {last}"),
            ));
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

    /// Returns the number of levels.
    pub fn levels(&self) -> u32 {
        self.0.levels
    }

    /// Returns the descriptor with which the array was created: that of its largest level.
    pub fn descriptor(&self) -> ArrayDescriptor {
        self.0.descriptor
    }

    /// Allows uses of the array and of all its levels, if it was made with [`ArrayFlags::DEFERRED_MAPPING`]. See
    /// [`Array::assume_mapped`].
    ///
    /// # Safety
    ///
    /// Memory is mapped to the whole array, and stays mapped as long as the array lives. The mapping is ordered with the array's
    /// home stream and all other uses.
    pub unsafe fn assume_mapped(&self) {
        self.0.mapped.store(true, Ordering::Relaxed);
    }

    /// Refuses an array that safe functions must not use. Every use of a mipmapped array calls this.
    pub(crate) fn usable(&self) -> Result<()> {
        let descriptor = self.0.descriptor;
        let deferred = descriptor.flags.contains(ArrayFlags::DEFERRED_MAPPING);
        descriptor.usable(!deferred || self.0.mapped.load(Ordering::Relaxed))
    }

    /// Returns the home stream, on which copies to and from the levels run.
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    /// Returns whether other arrays may have the same memory.
    pub(super) fn may_share_memory(&self) -> bool {
        let is_its_own = matches!(self.0.ownership, Ownership::Whole);
        !is_its_own || self.0.descriptor.flags.intersects(MAPPED_BY_PROGRAM)
    }

    /// Returns the context that the array belongs to.
    pub fn context(&self) -> &Context {
        self.0.stream.context()
    }

    /// Returns the raw handle. The caller must not destroy the array.
    pub fn as_raw(&self) -> CUmipmappedArray {
        self.0.raw
    }

    /// Destroys the array, if this is the last handle to it, and returns the driver's answer. A drop can report a failure only to
    /// the [hook](crate::handle::set_drop_hook). Wraps `cuMipmappedArrayDestroy`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`MipmappedArray`](MipmappedArray#blocking).
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the call would have to wait for the home
    ///   stream, which is being captured. The array is not destroyed.
    /// - An earlier failure.
    ///
    /// The handle is consumed in any case.
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
                    // SAFETY: the owner releases the array once, and does not use it afterwards; levels and bindings kept it
                    // alive.
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

/// Two handles are equal if they name the same mipmapped array.
impl PartialEq for MipmappedArray {
    fn eq(&self, other: &Self) -> bool {
        self.0.raw == other.0.raw && self.context() == other.context()
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
