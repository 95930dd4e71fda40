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

/// What a kernel takes to sample a texture: a `cudaTextureObject_t` of CUDA C. It is a number that keeps nothing, and that
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

/// A texture object: something to sample, and how. Kernels take its [handle](TexObject::handle) as an argument, so there is
/// nothing to declare in the module. Needs a device of compute capability 3.0.
///
/// It belongs to the context whose kernels sample, and keeps what it is made of, and for a
/// [peer's](#peers) array the access that this takes. It has one owner; share it by `Arc`.
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
/// // context, and lives until the kernel has ended: reading `out` waits for it.
/// unsafe { sample.launch(LaunchConfig::new(1, 1), &stream, (object.handle(), out.ptr(), 1.0, 1.0)) }?;
/// assert_eq!(out.to_vec()?, [1.5]); // in the middle of all four
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Dropping
///
/// Destroying the object returns at once, also while a kernel samples it. After it goes what it is made of, if
/// nobody else has it: see [`Array`](crate::Array) and [`DeviceBuf`](crate::DeviceBuf).
///
/// # Peers
///
/// The texels may be another device's, if [peer access](crate::peer) is on, and the devices reach each other's
/// [arrays](crate::peer::PeerCapabilities::array_access). As long as the object lives, guards that are dropped leave
/// access on, and disabling it is refused with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument). Linear
/// memory is not checked, because access to it may have other causes than this crate's: a kernel that does not reach
/// it fails with [`IllegalAddress`](Code::IllegalAddress).
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
/// Dropping one whose texels are of another context waits until its own context has done all of its work: there is nothing
/// else that would keep the texels for a kernel that samples them. What it is made of may wait when it goes, too.
#[doc(alias = "CUtexObject")]
pub struct TexObject(Owned<TexObjectHandle>);

struct TexObjectHandle {
    raw: CUtexObject,
    has_view: bool,
    border_color: [f32; 4],
    keep: KeepSlot,
    context: Context,
    // Dropped in this order, so that nothing goes before kernels of another context have ended.
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
    /// Makes an object for kernels of `context`. Wraps `cuTexObjectCreate`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for an array of another context of
    ///   the same device, which kernels cannot sample,
    ///   for one that they cannot reach, and for one that has no memory, or no texels.
    /// - [`Code::PeerAccessNotEnabled`] for an array of another device without access to it, and
    ///   [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for one with levels, which the driver does not
    ///   look at.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for memory that does not begin, or whose rows do not, where the device's
    ///   textures can, and for bytes that are no whole texels; there is no offset that an object could add.
    ///   [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for formats that memory cannot have.
    /// - [`Code::InvalidValue`] for what else the device cannot do: modes and flags that there are not, sizes beyond its
    ///   limits, formats in sRGB without [`SRGB`](TextureFlags::SRGB), video.
    /// - [`Code::StreamCaptureUnsupported`] while a graph is being captured, unless the thread's mode is relaxed; the failure
    ///   invalidates the capture.
    /// - [`Code::OutOfMemory`], or an earlier failure.
    #[doc(alias("cuTexObjectCreate", "cudaCreateTextureObject"))]
    pub fn new(
        context: &Context,
        resource: impl Into<TextureResource>,
        texture: &TextureDescriptor,
    ) -> Result<TexObject> {
        Self::create(context, resource.into(), texture, None)
    }

    /// Makes an object that sees an array in another way. Wraps `cuTexObjectCreate`.
    ///
    /// # Errors
    ///
    /// Same as [`TexObject::new`], and:
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for levels or layers that are not there, and
    ///   [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if it is no array.
    /// - [`Code::InvalidValue`] for sizes that are not the array's, and formats of texels of another size.
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
                // SAFETY: `raw` is valid for a write, the descriptions for reads, or null; what the first names is live, and
                // the context that is current has access to it if it is an array with levels; others the driver looks at.
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
                kept.give_up();
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

    /// What a kernel takes as an argument. Copies keep nothing: the object has to live until the kernel has ended.
    pub fn handle(&self) -> TexHandle {
        TexHandle(self.0.raw)
    }

    /// Returns the number. It stays this crate's: it must not be destroyed.
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

    /// What it is made of.
    #[doc(alias = "cuTexObjectGetResourceDesc")]
    pub fn resource(&self) -> &TextureResource {
        &self.0.resource
    }

    /// Returns how it is read. Wraps `cuTexObjectGetTextureDesc`. The border colour, which drivers do not tell,
    /// is the one that the object was made with.
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

    /// Returns how it sees its array, if it was made with a view. Wraps `cuTexObjectGetResourceViewDesc`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexObjectGetResourceViewDesc")]
    pub fn resource_view(&self) -> Result<Option<ResourceView>> {
        // The driver has one of zeros then (measured).
        if !self.0.has_view {
            return Ok(None);
        }
        let _bound = self.0.context.bind(Symbol::cuTexObjectGetResourceViewDesc)?;
        let mut raw = CUDA_RESOURCE_VIEW_DESC::default();
        // SAFETY: `raw` is valid for a write; the object is live and of the current context.
        unsafe { check!(cuTexObjectGetResourceViewDesc(&raw mut raw, self.0.raw)) }?;
        Ok(Some(ResourceView::from_raw(&raw)))
    }

    /// Destroys it, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuTexObjectDestroy`. The array or memory of the object is dropped after it.
    ///
    /// # Blocking
    ///
    /// See [`TexObject`].
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexObjectDestroy")]
    pub fn close(self) -> Result<()> {
        self.0.close()
    }
}

/// What the driver may have refused: first what nobody knows, then the view, else what there is to sample.
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
