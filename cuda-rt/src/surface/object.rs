//! Surface objects.

#![allow(unsafe_code)]

use crate::array::{Array, ArrayFlags};
use crate::context::{Context, ContextRequirement, release_in};
use crate::error::{Code, OrDetail, Result};
use crate::handle::{DriverHandle, KeepSlot, Owned, Releasing, made};
use crate::texture::RetainedResource;
use core::fmt;
use cuda_sys::Symbol;
use cuda_sys::{CUDA_RESOURCE_DESC, CUresourcetype_enum as Type, CUsurfObject};

/// Kernel argument that reads and writes a surface: a `cudaSurfaceObject_t` of CUDA C. It is a number that keeps nothing alive,
/// and that means another object in another context. See [`SurfObject::handle`].
#[doc(alias("CUsurfObject", "cudaSurfaceObject_t"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct SurfHandle(CUsurfObject);

impl SurfHandle {
    /// Returns the number.
    pub fn as_raw(self) -> CUsurfObject {
        self.0
    }
}

/// A surface object: an array that kernels read and write. Kernels take its [handle](SurfObject::handle) as an argument, so the
/// module declares nothing. Needs a device of compute capability 3.0.
///
/// The object belongs to the context whose kernels use it. It keeps the array alive, and for an array of a
/// [peer](crate::texture::TexObject#peers) also the peer access, as a texture object does. It has one owner; share it by `Arc`.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
/// use cuda_rt::surface::{SurfHandle, SurfObject};
/// use cuda_rt::{LaunchConfig, Module};
///
/// let array = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::UNSIGNED_INT32, 1).surface())?;
/// let object = SurfObject::new(&context, &array)?;
///
/// let module = Module::from_ptx(&context, "
///     .version 6.4
///     .target sm_50
///     .address_size 64
///     .visible .entry squares(.param .u64 surface) {
///         .reg .b64 %s;
///         .reg .b32 %i, %x, %v;
///         ld.param.u64 %s, [surface];
///         mov.u32 %i, %tid.x;
///         shl.b32 %x, %i, 2; // in bytes
///         mul.lo.u32 %v, %i, %i;
///         sust.b.1d.b32.trap [%s, {%x}], {%v};
///         ret;
///     }
/// ")?;
/// let squares = module.function("squares")?.typed::<(SurfHandle,)>()?;
/// // SAFETY: 4 threads write the 4 texels. The surface object is of this context, and lives until `synchronize` has waited for
/// // the kernel.
/// unsafe { squares.launch(LaunchConfig::new(1, 4), &stream, (object.handle(),)) }?;
/// stream.synchronize()?;
/// let mut texels = [0_u32; 4];
/// array.copy_to_host(0, &mut texels)?;
/// assert_eq!(texels, [0, 1, 4, 9]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Blocking
///
/// Destroying the object returns at once, even while a kernel uses it. Dropping an object whose array is of another context waits
/// until its own context has done all of its work. The drop of the [array](Array) may wait, too.
#[doc(alias = "CUsurfObject")]
pub struct SurfObject(Owned<SurfObjectHandle>);

struct SurfObjectHandle {
    raw: CUsurfObject,
    keep: KeepSlot,
    context: Context,
    // Dropped in this order, so that the array outlives kernels of another context.
    _kept: RetainedResource,
    array: Array,
}

impl DriverHandle for SurfObjectHandle {
    fn keep_slot(&mut self) -> Option<&mut KeepSlot> {
        Some(&mut self.keep)
    }

    fn release_call(&self) -> Symbol {
        Symbol::cuSurfObjectDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        // In another context the number is another object's, which the driver would destroy (measured).
        release_in(&self.context, ContextRequirement::Current, Symbol::cuSurfObjectDestroy, &mut |_| {
            // SAFETY: the owner releases the object once, and does not use it afterwards; its context is current.
            unsafe { check!(cuSurfObjectDestroy(self.raw)) }
        })
    }
}

impl SurfObject {
    /// Creates an object for kernels of `context`. Wraps `cuSurfObjectCreate`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the array was made without
    ///   [`SURFACE_LDST`](ArrayFlags::SURFACE_LDST), which the driver does not check.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): kernels cannot use the array. It is of another
    ///   context of the same device, or of a device whose arrays are not accessible.
    /// - The same kind: the array has a [format](crate::array::ArrayFormat) that safe functions refuse, or no memory is
    ///   known to be [mapped](Array::assume_mapped) to it.
    /// - [`Code::PeerAccessNotEnabled`]: the array is of another device without access to it.
    /// - [`Code::InvalidValue`]: surfaces cannot have the format.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - [`Code::OutOfMemory`].
    /// - An earlier failure.
    #[doc(alias("cuSurfObjectCreate", "cudaCreateSurfaceObject"))]
    pub fn new(context: &Context, array: &Array) -> Result<SurfObject> {
        let (flags, needed) = (array.descriptor().flags, ArrayFlags::SURFACE_LDST);
        if !flags.contains(needed) {
            return Err(array.descriptor().not_for_surfaces());
        }
        let mut resource = CUDA_RESOURCE_DESC { resType: Type::CU_RESOURCE_TYPE_ARRAY, ..Default::default() };
        resource.res.array.hArray = array.as_raw();
        let kept = RetainedResource::array(context, array, "the surface object")?;
        let peers = || context.device().describe_access(array.context().device());
        let mut raw = 0;
        let created = context.bind(Symbol::cuSurfObjectCreate).and_then(|_bound| {
            let outcome = kept.steadily(|| {
                // SAFETY: `raw` is valid for a write, the description for a read; the array is live, the context current.
                unsafe { check!(cuSurfObjectCreate(&raw mut raw, &raw const resource)) }
            });
            outcome
                .or_detail(&[Code::InvalidValue], &|| array.descriptor().detail())
                .or_detail(&[Code::PeerAccessNotEnabled], &peers)
        });
        match (created, raw) {
            (Err(error), 0) => {
                kept.release_unused();
                Err(error)
            }
            (created, raw) => {
                let handle = SurfObjectHandle {
                    raw,
                    keep: KeepSlot::default(),
                    context: context.clone(),
                    _kept: kept,
                    array: array.clone(),
                };
                made(created, raw != 0, || SurfObject(Owned::new(handle)))
            }
        }
    }

    /// Returns the kernel argument. Copies keep nothing alive: the object must live until the kernel has ended, also if a call
    /// [fails](crate::manual::textures#on-the-error-path) in between.
    pub fn handle(&self) -> SurfHandle {
        SurfHandle(self.0.raw)
    }

    /// Returns the raw object. The caller must not destroy it.
    pub fn as_raw(&self) -> CUsurfObject {
        self.0.raw
    }

    /// Returns the place by which graphs keep the object.
    pub(crate) fn keep_slot(&self) -> &KeepSlot {
        &self.0.keep
    }

    /// Returns the context whose kernels use it.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Returns the array.
    #[doc(alias = "cuSurfObjectGetResourceDesc")]
    pub fn array(&self) -> &Array {
        &self.0.array
    }

    /// Destroys the object, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuSurfObjectDestroy`. The array is dropped afterwards.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`SurfObject`](SurfObject#blocking). If a graph holds the object, the call does not
    /// wait: the last graph destroys the object.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuSurfObjectDestroy")]
    pub fn close(self) -> Result<()> {
        self.0.close()
    }
}

impl fmt::Debug for SurfObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SurfObject")
            .field("raw", &self.0.raw)
            .field("context", &self.0.context)
            .field("array", &self.0.array)
            .finish_non_exhaustive()
    }
}
