//! Buffers and images of graphics libraries, for kernels.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`GraphicsResource`] | a registered buffer or image: a `CUgraphicsResource` | `cuGraphicsUnregisterResource` |
//! | [`RegisterFlags`] | how CUDA uses a resource | – |
//! | [`MapFlags`] | how CUDA uses a resource during later mappings | – |
//! | [`Mapping`] | resources while CUDA uses them | `cuGraphicsUnmapResources` |
#![cfg_attr(
    feature = "egl",
    doc = "| [`EglConsumer`](egl::EglConsumer), [`EglProducer`](egl::EglProducer) | CUDA at an end of an EGL stream | `cuEGLStreamConsumerDisconnect`, `cuEGLStreamProducerDisconnect` |",
    doc = "| [`EglFrame`](egl::EglFrame) | a frame that CUDA took from an EGL stream | `cuEGLStreamConsumerReleaseFrame` |"
)]
//!
//! A graphics library owns the buffer or image. Registering a resource is slow, and is done once. Mapping it gives CUDA access,
//! and unmapping it ends this access. Both take effect in the order of a stream:
//!
//! - Earlier work of the graphics library is done before later work of the stream.
//! - Earlier work of the stream is done before the library uses the resource again.
//!
//! The features `gl`, `egl` and `vdpau` add the functions that register resources of these libraries.
//! [`GraphicsResource::from_raw`] takes resources of other libraries.
//!
//! ```no_run
//! # #[cfg(feature = "gl")] {
//! # let (context, stream) = cuda_doc::stream()?;
//! # let kernel = cuda_rt::Module::from_ptx(&context, "")?.function("fill")?.typed::<(cuda_rt::DevicePtr<f32>, usize)>()?;
//! # let vertex_buffer = 1;
//! use cuda_rt::graphics::{GraphicsResource, RegisterFlags};
//! use cuda_rt::LaunchConfig;
//!
//! // SAFETY: the GL context is current. The buffer lives longer than the resource, and GL leaves it alone while it is mapped.
//! let vertices = unsafe { GraphicsResource::gl_buffer(&context, vertex_buffer, RegisterFlags::WRITE_DISCARD) }?;
//! loop {
//!     let mut mapping = vertices.map(&stream)?;
//!     let floats = mapping.slice_mut::<f32>(0)?;
//!     // SAFETY: the kernel compares its index with the length, and runs on the stream of the mapping.
//!     unsafe { kernel.launch(LaunchConfig::for_elements(floats.len(), 256), &stream, (floats.ptr(), floats.len())) }?;
//!     mapping.unmap()?;
//!     // draw
//! }
//! # }
//! # #[allow(unreachable_code)]
//! # Ok::<(), cuda_rt::Error>(())
//! ```

#![allow(unsafe_code)]

#[cfg(feature = "egl")]
pub mod egl;
#[cfg(feature = "gl")]
pub mod gl;
mod mapping;
#[cfg(feature = "vdpau")]
pub mod vdpau;

pub use mapping::Mapping;

use crate::context::{Context, ContextRequirement, release_in, wait_for_all};
use crate::error::{Code, OrDetail, Result};
#[cfg(any(feature = "gl", feature = "egl", feature = "vdpau"))]
use crate::handle::made;
use crate::handle::{DeferredErrors, DriverHandle, Owned, Releasing};
use crate::stream::Stream;
use core::fmt;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::{
    CUgraphicsMapResourceFlags_enum as Map, CUgraphicsRegisterFlags_enum as Register, CUgraphicsResource,
    CUstream_flags_enum, Symbol,
};
use std::sync::Arc;

flags! {
    /// The ways in which CUDA uses a registered resource. Unknown flags are passed on to the driver.
    ///
    /// The driver does not check that work obeys the flags. If work does not, the values that it reads and the later contents of
    /// the resource are arbitrary.
    ///
    /// ```
    /// use cuda_rt::graphics::RegisterFlags;
    ///
    /// assert_eq!((RegisterFlags::WRITE_DISCARD | RegisterFlags::SURFACE_LDST).bits(), 6);
    /// ```
    #[doc(alias = "CUgraphicsRegisterFlags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct RegisterFlags {
        /// CUDA does not write to the resource.
        #[doc(alias = "CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY")]
        const READ_ONLY = Register::CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY.0;
        /// CUDA writes all of the resource and reads nothing of it. Earlier contents may be lost.
        #[doc(alias = "CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD")]
        const WRITE_DISCARD = Register::CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD.0;
        /// Surfaces can be bound to the arrays of an image.
        #[doc(alias = "CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST")]
        const SURFACE_LDST = Register::CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST.0;
        /// Textures gather from the arrays of an image.
        #[doc(alias = "CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER")]
        const TEXTURE_GATHER = Register::CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER.0;
        const _ = !0;
    }
}

flags! {
    /// The ways in which CUDA uses a resource during later mappings.
    ///
    /// The driver does not check that work obeys the flags. If work does not, the values that it reads and the later contents of
    /// the resource are arbitrary.
    ///
    /// ```
    /// use cuda_rt::graphics::MapFlags;
    ///
    /// assert_eq!(MapFlags::default().bits(), 0);
    /// ```
    #[doc(alias = "CUgraphicsMapResourceFlags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct MapFlags {
        /// CUDA does not write to the resource.
        #[doc(alias = "CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY")]
        const READ_ONLY = Map::CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY.0;
        /// CUDA writes all of the resource and reads nothing of it. Earlier contents may be lost.
        #[doc(alias = "CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD")]
        const WRITE_DISCARD = Map::CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD.0;
        const _ = !0;
    }
}

/// A buffer or image of a graphics library, registered with a context. Clones are handles to the same resource.
///
/// Dropping the last handle unregisters the resource. Mappings hold handles, too.
///
/// # GL contexts
///
/// A GL context must be current on the calling thread whenever a resource of GL is mapped, unmapped or unregistered. It
/// must be the one that was current when the resource was registered, or share objects with it. If no GL context is
/// current, these calls fail with [`Code::InvalidGraphicsContext`]. The following are released by another thread, so
/// they fail in this way:
///
/// - Handles that are dropped inside a host function.
/// - Arrays of a mapping that a graph holds, when the last launch of the graph is done.
///
/// # Driver notes
///
/// With driver 580 (fact V980):
///
/// - An unmap without a GL context fails, but unmaps the resource. The resource can then neither be mapped again nor
///   unregistered.
/// - An unregistration without a GL context fails, but ends the registration.
/// - The driver accepts any other GL context in place of the right one.
///
/// # Blocking
///
/// Unregistering waits for all work of the context.
#[doc(alias = "CUgraphicsResource")]
#[derive(Debug, Clone)]
pub struct GraphicsResource(Arc<Owned<Registration>>);

struct Registration {
    raw: CUgraphicsResource,
    context: Context,
    /// True if a map or an unmap failed, so that the state of the resource is not known.
    may_be_mapped: AtomicBool,
    /// True for an EGL image, which is mapped as long as it is registered.
    is_always_mapped: bool,
}

// SAFETY: a `CUgraphicsResource` names an object that the driver locks by itself. The code that registered a resource of GL has
// promised that threads which map, unmap or release it have its GL context.
unsafe impl Send for Registration {}
// SAFETY: what is changed through `&Registration` is atomic; the driver synchronises calls that share a resource.
unsafe impl Sync for Registration {}

impl DriverHandle for Registration {
    fn release_call(&self) -> Symbol {
        Symbol::cuGraphicsUnregisterResource
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_in(
            &self.context,
            ContextRequirement::Current,
            Symbol::cuGraphicsUnregisterResource,
            &mut |errors| {
                if self.may_be_mapped.load(Ordering::Relaxed) {
                    self.unmap_leftover(errors)?;
                }
                // SAFETY: the owner releases the resource once, and does not use it afterwards, also if the call fails. Its
                // context lives, and is current.
                unsafe { check!(cuGraphicsUnregisterResource(self.raw)) }
            },
        )
    }
}

impl Registration {
    /// Unmaps a resource that a failed call left mapped. No [`Mapping`] exists, because it would hold the resource. The context
    /// is current.
    #[cold]
    fn unmap_leftover(&self, errors: &mut DeferredErrors) -> Result<()> {
        // The stream on which the work was queued is not known.
        wait_for_all(&self.context, errors)?;
        // A new stream, because every other one may be part of a capture, which the call would
        // invalidate.
        let mut stream = null_mut();
        let flags = CUstream_flags_enum::CU_STREAM_NON_BLOCKING.0;
        // SAFETY: `stream` is valid for a write; the context is current.
        errors.add(unsafe { check!(cuStreamCreate(&raw mut stream, flags)) });
        if stream.is_null() {
            return Ok(());
        }
        let mut raw = self.raw;
        // SAFETY: the resource and the stream are live, and of the current context.
        let unmapped = unsafe { check!(cuGraphicsUnmapResources(1, &raw mut raw, stream)) };
        // The resource may not be mapped. If it stays mapped, unregistering fails, and this failure is reported.
        drop(unmapped);
        // SAFETY: it was made above, and no other code has its handle.
        errors.add(unsafe { check!(cuStreamDestroy_v2(stream)) });
        Ok(())
    }
}

impl GraphicsResource {
    /// Takes ownership of a registered resource. Dropping the last handle unregisters it.
    ///
    /// # Safety
    ///
    /// - `raw` is a resource that was registered in `context` and is not mapped. No other code unregisters it. It is not of EGL.
    /// - While the resource is mapped, no other code accesses the buffer or image: neither the graphics library nor CUDA through
    ///   another registration.
    /// - The buffer or image is not deleted, resized or redefined as long as the resource is registered.
    /// - If the resource is of OpenGL, its [GL context](GraphicsResource#gl-contexts) is current wherever it is mapped,
    ///   unmapped and unregistered.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let context = cuda_doc::context()?;
    /// # let raw = std::ptr::null_mut();
    /// use cuda_rt::graphics::GraphicsResource;
    ///
    /// // SAFETY: registered above in this context, and left to this handle; GL leaves the buffer alone.
    /// let resource = unsafe { GraphicsResource::from_raw(raw, &context) };
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw(raw: CUgraphicsResource, context: &Context) -> GraphicsResource {
        GraphicsResource::wrap(raw, context, false)
    }

    fn wrap(raw: CUgraphicsResource, context: &Context, is_always_mapped: bool) -> GraphicsResource {
        let (context, may_be_mapped) = (context.clone(), AtomicBool::new(false));
        let registration = Registration { raw, context, may_be_mapped, is_always_mapped };
        GraphicsResource(Arc::new(Owned::new(registration)))
    }

    /// Registers a resource by `register`, which calls `call`.
    #[cfg(any(feature = "gl", feature = "egl", feature = "vdpau"))]
    fn register(
        context: &Context,
        call: Symbol,
        register: impl FnOnce(*mut CUgraphicsResource) -> Result<()>,
    ) -> Result<GraphicsResource> {
        let bound = context.bind(call)?;
        let mut raw = null_mut();
        let registered = register(&raw mut raw);
        drop(bound);
        let is_always_mapped = call == Symbol::cuGraphicsEGLRegisterImage;
        made(registered, !raw.is_null(), || GraphicsResource::wrap(raw, context, is_always_mapped))
    }

    /// Records whether the resource may be mapped in the driver although no [`Mapping`] exists.
    fn note_leftover(&self, may_be_mapped: bool) {
        self.0.may_be_mapped.store(may_be_mapped, Ordering::Relaxed);
    }

    /// Returns the raw handle. The caller must not unregister or unmap the resource with it.
    pub fn as_raw(&self) -> CUgraphicsResource {
        self.0.raw
    }

    /// Returns the context in which the resource is registered.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Sets how CUDA uses the resource during later mappings. Wraps `cuGraphicsResourceSetMapFlags`.
    ///
    /// # Errors
    ///
    /// - [`Code::AlreadyMapped`]: the resource is mapped.
    /// - [`Code::InvalidValue`]: the flags exclude each other, or the driver does not know a flag.
    /// - An earlier failure.
    #[doc(alias("cuGraphicsResourceSetMapFlags", "cudaGraphicsResourceSetMapFlags"))]
    pub fn set_map_flags(&self, flags: MapFlags) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuGraphicsResourceSetMapFlags_v2)?;
        // SAFETY: the resource is live.
        unsafe { check!(cuGraphicsResourceSetMapFlags_v2(self.as_raw(), flags.bits())) }
            .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
    }

    /// Maps the resource for work on `stream`, until the mapping is dropped. Wraps `cuGraphicsMapResources`.
    ///
    /// # Errors
    ///
    /// Same as [`Mapping::new`].
    #[doc(alias("cuGraphicsMapResources", "cudaGraphicsMapResources"))]
    pub fn map(&self, stream: &Stream) -> Result<Mapping> {
        Mapping::new(core::slice::from_ref(self), stream)
    }

    /// Unregisters the resource if this is the last handle, and returns the driver's answer. A drop can report a failure only to
    /// the [hook](crate::handle::set_drop_hook). Wraps `cuGraphicsUnregisterResource`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`GraphicsResource`](GraphicsResource#blocking).
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidGraphicsContext`]: no [GL context](Self#gl-contexts) is current.
    /// - [`Code::AlreadyMapped`]: a failed call left the resource mapped, and it cannot be unmapped.
    /// - An earlier failure.
    #[doc(alias("cuGraphicsUnregisterResource", "cudaGraphicsUnregisterResource"))]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

/// Two handles are equal if they name the same registration.
impl PartialEq for GraphicsResource {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for GraphicsResource {}

impl fmt::Debug for Registration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Registration")
            .field("raw", &self.raw)
            .field("context", &self.context)
            .finish()
    }
}
