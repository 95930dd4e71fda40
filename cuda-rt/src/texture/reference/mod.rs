//! Texture references.

#![allow(unsafe_code)]

mod binding;
mod bound;
mod level;
mod offset;
mod setting;

pub(crate) use bound::if_bound;
pub use offset::TextureOffset;

use super::binding_slot::BindingSlot;
use crate::handle::{DriverHandle, Owned, Releasing, ensure_not_in_host_function, made};

use crate::context::{Context, ContextRequirement, release_in};
use crate::error::Result;
use crate::module::Module;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::CUtexref;
use cuda_sys::Symbol;
use std::sync::Arc;

/// A texture that kernels of a module know by its name. Made by [`Module::tex_ref`]. Clones, and other values of the same name,
/// are handles to the same reference.
///
/// The module owns the binding: the bound object is kept alive until another binding is made, or the module is unloaded. A kernel
/// samples the object that is bound at its launch. A later binding does not wait for the kernel, and does not change what it
/// samples. A reference keeps its module alive, and only kernels of that module use it. It is no argument of a kernel:
///
/// ```compile_fail,E0277
/// # fn example(function: cuda_rt::Function) -> cuda_rt::Result<()> {
/// let kernel = function.typed::<(cuda_rt::texture::TexRef,)>()?;
/// # Ok(()) }
/// ```
///
/// A binding cannot be removed: the driver accepts the address 0 for that, and kernels that sample it fault.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
/// use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig, Module};
///
/// let module = Module::from_ptx(&context, "
///     .version 7.0
///     .target sm_50
///     .address_size 64
///     .global .texref line;
///     .visible .entry sample(.param .u64 out, .param .f32 x) {
///         .reg .b64 %to;
///         .reg .f32 %x, %v<4>;
///         ld.param.u64 %to, [out];
///         ld.param.f32 %x, [x];
///         tex.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [line, {%x}];
///         st.global.f32 [%to], %v0;
///         ret;
///     }
/// ")?;
/// let line = module.tex_ref("line")?;
/// let array = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1))?;
/// array.copy_from_host(0, &[1.0_f32, 2.0, 3.0, 4.0])?;
/// line.set_array(&array)?;
/// drop(array); // the binding keeps the array alive
///
/// let sample = module.function("sample")?.typed::<(DevicePtr<f32>, f32)>()?;
/// let out = DeviceBuf::<f32>::zeroed(&stream, 1)?;
/// // SAFETY: one thread writes the element of `out`, and reads the array, which no code writes to any more.
/// unsafe { sample.launch(LaunchConfig::new(1, 1), &stream, (out.ptr(), 2.5)) }?;
/// assert_eq!(out.to_vec()?, [3.0]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Threads
///
/// Several threads can use handles at a time: the driver locks its references, and the last binding holds. Nothing may be changed
/// while a kernel that samples the reference is being [launched](crate::Kernel::launch).
///
/// # Blocking
///
/// A new binding, and dropping the last handle to the module or to a reference of no module, drop the previous binding.
/// That drop may wait, as the documentation of the bound type says. Arrays wait until the context's work is done, and
/// so do objects of another context.
#[doc(alias("CUtexref", "textureReference"))]
#[derive(Clone)]
pub struct TexRef {
    raw: CUtexref,
    home: Home,
    slot: Arc<BindingSlot>,
}

/// Value that the reference is released with.
#[derive(Clone)]
enum Home {
    Module { module: Module, name: Arc<str> },
    Own(Arc<Owned<Own>>),
}

/// A reference of no module.
struct Own {
    raw: CUtexref,
    context: Context,
    /// Dropped after the reference is destroyed.
    _slot: Arc<BindingSlot>,
}

// SAFETY: a `CUtexref` names an object that the driver locks by itself (measured: bindings from several threads); it is not bound
// to a thread.
unsafe impl Send for TexRef {}
// SAFETY: as above; the record of what is bound has a lock of its own.
unsafe impl Sync for TexRef {}
// SAFETY: as above.
unsafe impl Send for Own {}
// SAFETY: nothing is changed through `&Own`.
unsafe impl Sync for Own {}

impl TexRef {
    /// Returns the module's reference, which is live as long as the module is loaded.
    pub(crate) fn of_module(raw: CUtexref, name: &str, module: &Module, slot: Arc<BindingSlot>) -> TexRef {
        TexRef { raw, home: Home::Module { module: module.clone(), name: name.into() }, slot }
    }

    /// Makes a reference of no module, for programs that use the raw API. Kernels cannot sample it. Wraps `cuTexRefCreate`, and
    /// `cuTexRefDestroy` when the last handle is dropped.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::texture::{FilterMode, TexRef};
    ///
    /// let reference = TexRef::new(&context)?;
    /// reference.set_filter_mode(FilterMode::Linear)?;
    /// assert_eq!(reference.filter_mode()?, FilterMode::Linear);
    /// assert!(reference.module().is_none());
    /// reference.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuTexRefCreate", "cuTexRefDestroy"))]
    pub fn new(context: &Context) -> Result<TexRef> {
        let bound = context.bind(Symbol::cuTexRefCreate)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write; the context is current.
        let created = unsafe { check!(cuTexRefCreate(&raw mut raw)) };
        drop(bound);
        let slot = Arc::<BindingSlot>::default();
        let own = || Owned::new(Own { raw, context: context.clone(), _slot: slot.clone() });
        let own = made(created, !raw.is_null(), own)?;
        Ok(TexRef { raw, home: Home::Own(Arc::new(own)), slot })
    }

    /// Returns the module whose kernels sample the reference. `None` for a reference [of no module](TexRef::new).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let image = module.tex_ref("image")?;
    /// assert_eq!(image.module().map(|module| module.as_raw()), Some(module.as_raw()));
    /// assert_eq!(image.name(), Some("image"));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn module(&self) -> Option<&Module> {
        match &self.home {
            Home::Module { module, .. } => Some(module),
            Home::Own(_) => None,
        }
    }

    /// Returns the name of the reference in its module.
    pub fn name(&self) -> Option<&str> {
        match &self.home {
            Home::Module { name, .. } => Some(name),
            Home::Own(_) => None,
        }
    }

    /// Returns the context whose kernels sample it.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let reference = cuda_rt::texture::TexRef::new(&context)?;
    /// assert_eq!(reference.context(), &context);
    /// assert!(!reference.as_raw().is_null());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn context(&self) -> &Context {
        match &self.home {
            Home::Module { module, .. } => module.context(),
            Home::Own(own) => &own.context,
        }
    }

    /// Returns the raw handle. The caller must not destroy the reference. The caller must keep objects alive that raw calls bind.
    /// This crate keeps its previous binding alive until it makes another one.
    ///
    /// The function `cuParamSetTexRef` is not wrapped: a kernel uses the references of its module by itself.
    #[doc(alias("cuParamSetTexRef", "CU_PARAM_TR_DEFAULT"))]
    pub fn as_raw(&self) -> CUtexref {
        self.raw
    }

    /// Destroys a reference [of no module](TexRef::new), if this is the last handle to it, and returns the driver's answer. A
    /// drop can report a failure only to the [hook](crate::handle::set_drop_hook). A reference of a module is released with its
    /// module. Wraps `cuTexRefDestroy`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`TexRef`](TexRef#blocking).
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefDestroy")]
    pub fn close(self) -> Result<()> {
        match self.home {
            Home::Own(own) => Owned::close_last(own),
            Home::Module { .. } => ensure_not_in_host_function(Symbol::cuTexRefDestroy),
        }
    }
}

impl DriverHandle for Own {
    fn release_call(&self) -> Symbol {
        Symbol::cuTexRefDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_in(&self.context, ContextRequirement::None, Symbol::cuTexRefDestroy, &mut |_| {
            // SAFETY: the owner releases the reference once, and does not use it afterwards; it is of no module.
            unsafe { check!(cuTexRefDestroy(self.raw)) }
        })
    }
}

/// Two handles are equal if they name the same reference.
impl PartialEq for TexRef {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.slot, &other.slot)
    }
}

impl Eq for TexRef {}

impl fmt::Debug for TexRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TexRef")
            .field("raw", &self.raw)
            .field("name", &self.name())
            .field("context", self.context())
            .finish()
    }
}
