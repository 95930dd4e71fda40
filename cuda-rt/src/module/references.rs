//! Texture and surface references of modules.

#![allow(unsafe_code)]

use super::Module;
use super::found::named;
use crate::error::Result;
use crate::surface::SurfRef;
use crate::texture::{Slot, TexRef};
use core::ptr::null_mut;
use cuda_sys::Symbol;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What the references of a module are bound to, by their names. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct References {
    textures: Arc<Slots>,
    surfaces: Arc<Slots>,
}

impl References {
    /// Whether no reference was asked for yet.
    pub(super) fn are_empty(&self) -> bool {
        [&self.textures, &self.surfaces]
            .iter()
            .all(|slots| slots.lock().unwrap_or_else(PoisonError::into_inner).is_empty())
    }
}

type Slots = Mutex<BTreeMap<Box<str>, Arc<Slot>>>;

/// One for each name, whoever asks.
fn slot(slots: &Slots, name: &str) -> Arc<Slot> {
    let mut slots = slots.lock().unwrap_or_else(PoisonError::into_inner);
    match slots.get(name) {
        Some(slot) => slot.clone(),
        None => slots.entry(name.into()).or_default().clone(),
    }
}

impl Module {
    /// The texture reference with this name: `.global .texref` in PTX. Wraps `cuModuleGetTexRef`.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::ErrorKind::NotFound) if there is none. One that no kernel uses may have been left out by the
    /// compiler that made the PTX.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let image = module.tex_ref("image")?;
    /// assert_eq!(module.tex_ref("image")?, image);
    /// assert!(module.tex_ref("picture").is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuModuleGetTexRef")]
    pub fn tex_ref(&self, name: &str) -> Result<TexRef> {
        let c_name = crate::text::c_string(name)?;
        let _bound = self.context().bind(Symbol::cuModuleGetTexRef)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the module is live, the name is a C string.
        let found = unsafe { check!(cuModuleGetTexRef(&raw mut raw, self.as_raw(), c_name.as_ptr())) };
        named(found, name, || self.hint_for_reference(name))?;
        Ok(TexRef::of_module(raw, name, self, slot(&self.0.references.textures, name)))
    }

    /// The surface reference with this name: `.global .surfref` in PTX. Wraps `cuModuleGetSurfRef`.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::ErrorKind::NotFound) if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .surfref image;";
    /// let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let image = module.surf_ref("image")?;
    /// assert_eq!(module.surf_ref("image")?, image);
    /// assert!(module.tex_ref("image").is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuModuleGetSurfRef")]
    pub fn surf_ref(&self, name: &str) -> Result<SurfRef> {
        let c_name = crate::text::c_string(name)?;
        let _bound = self.context().bind(Symbol::cuModuleGetSurfRef)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the module is live, the name is a C string.
        let found = unsafe { check!(cuModuleGetSurfRef(&raw mut raw, self.as_raw(), c_name.as_ptr())) };
        named(found, name, || self.hint_for_reference(name))?;
        Ok(SurfRef::of_module(raw, name, self, slot(&self.0.references.surfaces, name)))
    }
}
