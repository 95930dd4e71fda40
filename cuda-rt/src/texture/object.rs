//! Texture objects.

#![allow(unsafe_code)]

use super::{
    AddressMode, FilterMode, ResourceView, RetainedResource, TextureDescriptor, TextureFlags, TextureResource,
};
use crate::context::{Context, ContextRequirement, release_in};
use crate::error::{Code, OrDetail, Result};
use crate::handle::{DriverHandle, KeepSlot, Owned, Releasing, made};
use core::fmt;
use core::ptr::null;
use cuda_sys::Symbol;
use cuda_sys::{CUDA_RESOURCE_VIEW_DESC, CUDA_TEXTURE_DESC, CUtexObject};

/// Kernel argument that samples a texture: a `cudaTextureObject_t` of CUDA C. It is a number that keeps nothing alive, and that
/// means another object in another context. See [`TexObject::handle`].
#[doc(alias("CUtexObject", "cudaTextureObject_t"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct TexHandle(CUtexObject);

impl TexHandle {
    /// Returns the number.
    pub fn as_raw(self) -> CUtexObject {
        self.0
    }
}

/// A texture object: a resource to sample, with settings. Kernels take its [handle](TexObject::handle) as an argument, so the
/// module declares nothing. Needs a device of compute capability 3.0.
///
/// The object belongs to the context whose kernels sample it. It keeps its resource alive, and for an array of a [peer](#peers)
/// also the peer access. It has one owner; share it by `Arc`.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
/// use cuda_rt::texture::{FilterMode, TexHandle, TexObject, TextureDescriptor};
/// use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig, Module};
/// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
///
/// let array = Array::new(&stream, ArrayDescriptor::plane(2, 2, ArrayFormat::FLOAT, 1))?;
/// let texels = [0.0_f32, 1.0, 2.0, 3.0];
/// Memcpy3D::plane(CopyDestination::array(&array), CopySource::host(&texels), 8, 2).copy()?;
/// let smooth = TextureDescriptor { filter_mode: FilterMode::Linear, ..TextureDescriptor::default() };
/// let object = TexObject::new(&context, &array, &smooth)?;
///
/// let module = Module::from_ptx(&context, "
///     .version 6.4
///     .target sm_50
///     .address_size 64
///     .visible .entry sample(.param .u64 texture, .param .u64 out, .param .f32 x, .param .f32 y) {
///         .reg .b64 %t, %a;
///         .reg .f32 %x, %y, %v<4>;
///         ld.param.u64 %t, [texture];
///         ld.param.u64 %a, [out];
///         ld.param.f32 %x, [x];
///         ld.param.f32 %y, [y];
///         tex.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%x, %y}];
///         st.global.f32 [%a], %v0;
///         ret;
///     }
/// ")?;
/// let sample = module.function("sample")?.typed::<(TexHandle, DevicePtr<f32>, f32, f32)>()?;
/// let out = DeviceBuf::<f32>::zeroed(&stream, 1)?;
/// // SAFETY: one thread writes the one element of `out`, which lives on the same stream. The texture object is of this
/// // context, and lives until `synchronize` has waited for the kernel.
/// unsafe { sample.launch(LaunchConfig::new(1, 1), &stream, (object.handle(), out.ptr(), 1.0, 1.0)) }?;
/// stream.synchronize()?;
/// assert_eq!(out.to_vec()?, [1.5]); // in the middle of all four
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Dropping
///
/// Destroying the object returns at once, even while a kernel samples it. The drop of its resource follows, if no other value
/// owns it: see [`Array`](crate::Array) and [`DeviceBuf`](crate::DeviceBuf).
///
/// # Peers
///
/// The texels may be on another device, if [peer access](crate::peer) is enabled and the devices can access each other's
/// [arrays](crate::peer::PeerCapabilities::array_access). As long as the object lives, dropping guards leaves access enabled, and
/// disabling it is refused with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument). Access to linear memory is not
/// checked, because other code may have enabled it: a kernel without access fails with [`IllegalAddress`](Code::IllegalAddress).
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
/// use cuda_rt::texture::{TexObject, TextureDescriptor};
/// use cuda_rt::{Context, Device, Stream};
///
/// let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
/// let access = consumer.peer_access(&owner)?;
/// let array = Array::new(&Stream::new(&owner)?, ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1))?;
/// let object = TexObject::new(&consumer, &array, &TextureDescriptor::default())?;
/// drop(access);
/// assert!(consumer.peer_access_state(&owner).is_enabled()?); // kernels of `consumer` may be sampling
/// assert!(consumer.disable_peer_access(&owner).is_err());
/// drop(object);
/// assert!(!consumer.peer_access_state(&owner).is_enabled()?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Blocking
///
/// Dropping an object whose texels are of another context waits until its own context has done all of its work. Otherwise the
/// texels could be freed under a kernel that samples them. The drop of its resource may wait, too.
#[doc(alias = "CUtexObject")]
pub struct TexObject(Owned<TexObjectHandle>);

struct TexObjectHandle {
    raw: CUtexObject,
    has_view: bool,
    border_color: [f32; 4],
    keep: KeepSlot,
    context: Context,
    // Dropped in this order, so that the resource outlives kernels of another context.
    _kept: RetainedResource,
    resource: TextureResource,
}

impl DriverHandle for TexObjectHandle {
    fn keep_slot(&mut self) -> Option<&mut KeepSlot> {
        Some(&mut self.keep)
    }

    fn release_call(&self) -> Symbol {
        Symbol::cuTexObjectDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        // In another context the number is another object's, which the driver would destroy (measured).
        release_in(&self.context, ContextRequirement::Current, Symbol::cuTexObjectDestroy, &mut |_| {
            // SAFETY: the owner releases the object once, and does not use it afterwards; its context is current.
            unsafe { check!(cuTexObjectDestroy(self.raw)) }
        })
    }
}

impl TexObject {
    /// Creates an object for kernels of `context`. Wraps `cuTexObjectCreate`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): kernels cannot sample the array. It is of
    ///   another context of the same device, or of a device whose arrays are not accessible.
    /// - The same kind: the array has a [format](crate::array::ArrayFormat) that safe functions refuse, or no memory is
    ///   known to be [mapped](crate::Array::assume_mapped) to it.
    /// - [`Code::PeerAccessNotEnabled`]: the array is of another device without access to it. If the array has levels, the kind
    ///   is [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument), because the driver does not check it.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the memory, or a row of it, does not begin where textures
    ///   of the device can begin, or the bytes are no whole texels, or there are none. An object has no offset.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): memory cannot have the format, or the number of
    ///   channels.
    /// - [`Code::InvalidValue`]: the device does not support the texture. For example, a mode or flag does not exist, a size
    ///   exceeds a limit, the format is sRGB without [`SRGB`](TextureFlags::SRGB), or the format is video.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - [`Code::OutOfMemory`].
    /// - An earlier failure.
    #[doc(alias("cuTexObjectCreate", "cudaCreateTextureObject"))]
    pub fn new(
        context: &Context,
        resource: impl Into<TextureResource>,
        texture: &TextureDescriptor,
    ) -> Result<TexObject> {
        Self::create(context, resource.into(), texture, None)
    }

    /// Creates an object with a view of an array. Wraps `cuTexObjectCreate`.
    ///
    /// # Errors
    ///
    /// Same as [`TexObject::new`], and:
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the levels or layers do not exist, the layers
    ///   begin or end inside a cube, or the resource is no array.
    /// - [`Code::InvalidValue`]: the sizes are not those of the array, or the array does not have a format that the
    ///   [view's format](super::ViewFormat) allows.
    #[doc(alias = "cuTexObjectCreate")]
    pub fn with_view(
        context: &Context,
        resource: impl Into<TextureResource>,
        texture: &TextureDescriptor,
        view: &ResourceView,
    ) -> Result<TexObject> {
        Self::create(context, resource.into(), texture, Some(view))
    }

    fn create(
        context: &Context,
        resource: TextureResource,
        texture: &TextureDescriptor,
        view: Option<&ResourceView>,
    ) -> Result<TexObject> {
        if let Some(view) = view {
            resource.check_view(view)?;
        }
        let (resource_desc, texture_desc) = (resource.as_raw(context)?, texture.as_raw());
        let view_desc = view.map(ResourceView::as_raw);
        let kept = resource.keep(context)?;
        let peers = || context.device().describe_access(resource.context().device());
        let mut raw = 0;
        let created = context.bind(Symbol::cuTexObjectCreate).and_then(|_bound| {
            let view_desc = view_desc.as_ref().map_or(null(), core::ptr::from_ref);
            let outcome = kept.steadily(|| {
                // SAFETY: `raw` is valid for a write, the descriptions for reads, or null. The resource is live. If it is an
                // array with levels, the current context has access to it; the driver checks other resources.
                unsafe {
                    check!(cuTexObjectCreate(
                        &raw mut raw,
                        &raw const resource_desc,
                        &raw const texture_desc,
                        view_desc
                    ))
                }
            });
            outcome
                .map_err(|error| resource.explain_limit(context, error))
                .or_detail(&[Code::InvalidValue], &|| explain(&resource, texture, view))
                .or_detail(&[Code::PeerAccessNotEnabled], &peers)
        });
        match (created, raw) {
            (Err(error), 0) => {
                kept.release_unused();
                Err(error)
            }
            (created, raw) => {
                let (has_view, border_color) = (view.is_some(), texture.border_color);
                let context = context.clone();
                let keep = KeepSlot::default();
                let handle =
                    TexObjectHandle { raw, has_view, border_color, keep, context, _kept: kept, resource };
                made(created, raw != 0, || TexObject(Owned::new(handle)))
            }
        }
    }

    /// Returns the kernel argument. Copies keep nothing alive: the object must live until the kernel has ended, also if a call
    /// [fails](crate::manual::textures#on-the-error-path) in between.
    pub fn handle(&self) -> TexHandle {
        TexHandle(self.0.raw)
    }

    /// Returns the raw object. The caller must not destroy it.
    pub fn as_raw(&self) -> CUtexObject {
        self.0.raw
    }

    /// Returns the place by which graphs keep the object.
    pub(crate) fn keep_slot(&self) -> &KeepSlot {
        &self.0.keep
    }

    /// Returns the context whose kernels sample it.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Returns the resource.
    #[doc(alias = "cuTexObjectGetResourceDesc")]
    pub fn resource(&self) -> &TextureResource {
        &self.0.resource
    }

    /// Returns the settings. Wraps `cuTexObjectGetTextureDesc`. Drivers do not report the border colour, so it is the one with
    /// which the object was created.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    /// use cuda_rt::texture::{TexObject, TextureDescriptor};
    ///
    /// let array = Array::new(&stream, ArrayDescriptor::line(8, ArrayFormat::FLOAT, 1))?;
    /// let object = TexObject::new(&context, &array, &TextureDescriptor::default())?;
    /// assert_eq!(object.texture_descriptor()?, TextureDescriptor::default());
    /// assert_eq!(object.resource_view()?, None);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTexObjectGetTextureDesc")]
    pub fn texture_descriptor(&self) -> Result<TextureDescriptor> {
        let _bound = self.0.context.bind(Symbol::cuTexObjectGetTextureDesc)?;
        let mut raw = CUDA_TEXTURE_DESC::default();
        // SAFETY: `raw` is valid for a write; the object is live and of the current context.
        unsafe { check!(cuTexObjectGetTextureDesc(&raw mut raw, self.0.raw)) }?;
        Ok(TextureDescriptor { border_color: self.0.border_color, ..TextureDescriptor::from_raw(&raw) })
    }

    /// Returns the view of the array, if the object was created with one. Wraps `cuTexObjectGetResourceViewDesc`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexObjectGetResourceViewDesc")]
    pub fn resource_view(&self) -> Result<Option<ResourceView>> {
        // The driver reports a view of zeros then (measured).
        if !self.0.has_view {
            return Ok(None);
        }
        let _bound = self.0.context.bind(Symbol::cuTexObjectGetResourceViewDesc)?;
        let mut raw = CUDA_RESOURCE_VIEW_DESC::default();
        // SAFETY: `raw` is valid for a write; the object is live and of the current context.
        unsafe { check!(cuTexObjectGetResourceViewDesc(&raw mut raw, self.0.raw)) }?;
        Ok(Some(ResourceView::from_raw(&raw)))
    }

    /// Destroys the object, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuTexObjectDestroy`. The resource is dropped afterwards.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`TexObject`](TexObject#blocking). If a graph holds the object, the call does not
    /// wait: the last graph destroys the object.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexObjectDestroy")]
    pub fn close(self) -> Result<()> {
        self.0.close()
    }
}

/// Returns the probable reason for a refusal: first an unknown number, then the view, otherwise the resource.
fn explain(resource: &TextureResource, texture: &TextureDescriptor, view: Option<&ResourceView>) -> String {
    const KNOWN: TextureFlags = TextureFlags::READ_AS_INTEGER
        .union(TextureFlags::NORMALIZED_COORDINATES)
        .union(TextureFlags::SRGB)
        .union(TextureFlags::DISABLE_TRILINEAR_OPTIMIZATION)
        .union(TextureFlags::SEAMLESS_CUBEMAP);
    if !KNOWN.contains(texture.flags) {
        return format!("flags {:#x}", texture.flags.bits());
    }
    let address = texture.address_modes.into_iter().find_map(|mode| match mode {
        AddressMode::Other(number) => Some(("address mode", number)),
        _ => None,
    });
    let filters = [("filter mode", texture.filter_mode), ("mipmap filter mode", texture.mipmap_filter_mode)];
    let filter = filters.into_iter().find_map(|(what, mode)| match mode {
        FilterMode::Other(number) => Some((what, number)),
        _ => None,
    });
    match (address.or(filter), view) {
        (Some((what, number)), _) => format!("{what} {number}"),
        (None, Some(view)) => view.detail(),
        (None, None) => resource.detail(),
    }
}

impl fmt::Debug for TexObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TexObject")
            .field("raw", &self.0.raw)
            .field("context", &self.0.context)
            .field("resource", &self.0.resource)
            .finish_non_exhaustive()
    }
}
