//! Surface references.

#![allow(unsafe_code)]

use crate::array::{Array, ArrayFlags};
use crate::context::Context;
use crate::error::{Code, OrDetail, Result};
use crate::module::Module;
use crate::texture::{Binding, BindingSlot, RetainedResource, Target, if_bound};
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::{CUsurfref, Symbol};
use std::sync::Arc;

/// A surface that kernels of a module know by its name. Made by [`Module::surf_ref`]. Clones, and other values of the same name,
/// are handles to the same reference.
///
/// As with a [`TexRef`](crate::texture::TexRef), the module owns the binding: the bound array is kept alive until another array
/// is bound, or the module is unloaded. A kernel uses the array that is bound at its launch. A reference keeps its module alive,
/// and only kernels of that module use it.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat};
/// use cuda_rt::{LaunchConfig, Module};
///
/// let module = Module::from_ptx(&context, "
///     .version 7.0
///     .target sm_50
///     .address_size 64
///     .global .surfref line;
///     .visible .entry put(.param .u32 value) {
///         .reg .b32 %at, %value;
///         ld.param.u32 %value, [value];
///         mov.u32 %at, %tid.x;
///         shl.b32 %at, %at, 2; // in bytes
///         sust.b.1d.b32.trap [line, {%at}], {%value};
///         ret;
///     }
/// ")?;
/// let line = module.surf_ref("line")?;
/// let flags = ArrayFlags::SURFACE_LDST;
/// let array = Array::new(&stream, ArrayDescriptor { flags, ..ArrayDescriptor::line(4, ArrayFormat::UNSIGNED_INT32, 1) })?;
/// line.set_array(&array)?;
///
/// let put = module.function("put")?.typed::<(u32,)>()?;
/// // SAFETY: four threads write the four elements of the array, whose home stream is `stream`.
/// unsafe { put.launch(LaunchConfig::new(1, 4), &stream, (7,)) }?;
/// let mut values = [0_u32; 4];
/// array.copy_to_host(0, &mut values)?;
/// assert_eq!(values, [7; 4]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Blocking
///
/// Binding another array, and dropping the last handle to the module, drop the previous binding. If the array has no other
/// handle, this destroys the array, and waits as [`Array`](Array#blocking) says. If the array belongs to another context, the drop
/// also waits until all work queued in the context of the reference is done.
#[doc(alias("CUsurfref", "surfaceReference"))]
#[derive(Clone)]
pub struct SurfRef {
    raw: CUsurfref,
    name: Arc<str>,
    module: Module,
    slot: Arc<BindingSlot>,
}

// SAFETY: a `CUsurfref` names a part of a module, which the driver locks by itself.
unsafe impl Send for SurfRef {}
// SAFETY: as above; the record of what is bound has a lock of its own.
unsafe impl Sync for SurfRef {}

impl SurfRef {
    /// Returns the module's reference, which is live as long as the module is loaded.
    pub(crate) fn of_module(raw: CUsurfref, name: &str, module: &Module, slot: Arc<BindingSlot>) -> SurfRef {
        SurfRef { raw, name: name.into(), module: module.clone(), slot }
    }

    /// Binds an array, and keeps it alive. Wraps `cuSurfRefSetArray`.
    ///
    /// The array may belong to another device, if the context has [peer access](crate::peer) to it; the access stays enabled.
    ///
    /// # Blocking
    ///
    /// Does not wait for kernels. If the call drops the previous binding, that may wait: see [`SurfRef`].
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the array was made without [`ArrayFlags::SURFACE_LDST`].
    /// - [`Code::PeerAccessNotEnabled`]: the array belongs to another device, and the context has no access to it.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the array belongs to another context of the same device,
    ///   or to a device whose arrays are not accessible.
    /// - The same kind: the array has a [format](crate::array::ArrayFormat) that safe functions refuse, or no memory is
    ///   known to be [mapped](Array::assume_mapped) to it.
    /// - An earlier failure. The reference then keeps the binding alive that the driver reports.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .surfref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let array = Array::new(&stream, ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1))?;
    /// let error = module.surf_ref("image")?.set_array(&array).unwrap_err();
    /// assert!(error.to_string().contains("SURFACE_LDST"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuSurfRefSetArray")]
    pub fn set_array(&self, array: &Array) -> Result<()> {
        const NO_FLAGS: u32 = 0;
        let flags = array.descriptor().flags;
        if !flags.contains(ArrayFlags::SURFACE_LDST) {
            return Err(array.descriptor().not_for_surfaces());
        }
        let binding =
            Binding::array(array, RetainedResource::array(self.context(), array, "the surface reference")?);
        let bound = match self.context().bind(Symbol::cuSurfRefSetArray) {
            Ok(bound) => bound,
            Err(error) => {
                binding.release_unused();
                return Err(error);
            }
        };
        let (outcome, unbound) = self.slot.bind(
            binding,
            &|| {
                // SAFETY: both are live; the binding keeps the array as long as it is bound.
                unsafe { check!(cuSurfRefSetArray(self.raw, array.as_raw(), NO_FLAGS)) }
            },
            &|| self.bound_array(),
        );
        drop(bound);
        unbound.release();
        outcome.or_detail(&[Code::PeerAccessNotEnabled], &|| {
            self.context().device().describe_access(array.context().device())
        })
    }

    /// Returns the bound array: a handle that is equal to the one by which it was bound. Wraps `cuSurfRefGetArray`.
    ///
    /// `None` if there is none, or if it was bound through the raw API, because its lifetime is unknown then.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .surfref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat};
    ///
    /// let image = module.surf_ref("image")?;
    /// assert_eq!(image.array()?, None);
    /// let flags = ArrayFlags::SURFACE_LDST;
    /// let array = Array::new(&stream, ArrayDescriptor { flags, ..ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1) })?;
    /// image.set_array(&array)?;
    /// assert_eq!(module.surf_ref("image")?.array()?, Some(array));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuSurfRefGetArray")]
    pub fn array(&self) -> Result<Option<Array>> {
        let _bound = self.context().bind(Symbol::cuSurfRefGetArray)?;
        self.slot.array(|| self.bound_array())
    }

    /// Returns the module whose kernels use the reference.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Returns the name of the reference in its module.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the context whose kernels use the reference.
    pub fn context(&self) -> &Context {
        self.module.context()
    }

    /// Returns the raw handle. The caller must keep arrays alive that raw calls bind. This crate keeps its previous binding alive
    /// until it makes another one.
    pub fn as_raw(&self) -> CUsurfref {
        self.raw
    }

    fn bound_array(&self) -> Result<Option<Target>> {
        let mut array = null_mut();
        // SAFETY: `array` is valid for a write; the reference is live.
        let asked = unsafe { check!(cuSurfRefGetArray(&raw mut array, self.raw)) };
        if_bound(asked, || Target::Array(array.addr()))
    }
}

/// Two handles are equal if they name the same reference.
impl PartialEq for SurfRef {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.slot, &other.slot)
    }
}

impl Eq for SurfRef {}

impl fmt::Debug for SurfRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SurfRef")
            .field("raw", &self.raw)
            .field("name", &self.name)
            .field("module", &self.module)
            .finish()
    }
}
