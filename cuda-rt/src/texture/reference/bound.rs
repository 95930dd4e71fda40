//! Queries of the binding of texture references.

#![allow(unsafe_code)]

use super::TexRef;
use crate::array::{Array, MipmappedArray};
use crate::error::{Code, Result};
use crate::memory::DevicePtr;
use crate::texture::binding_slot::Target;
use core::ptr::null_mut;
use cuda_sys::Symbol;

impl TexRef {
    /// Returns the bound array: a handle that is equal to the one by which it was bound. Wraps `cuTexRefGetArray`.
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
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref line;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let line = module.tex_ref("line")?;
    /// assert_eq!(line.array()?, None);
    /// let array = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::HALF, 2))?;
    /// line.set_array(&array)?;
    /// assert_eq!(module.tex_ref("line")?.array()?, Some(array));
    /// assert_eq!(line.format()?, (ArrayFormat::HALF, 2));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTexRefGetArray")]
    pub fn array(&self) -> Result<Option<Array>> {
        let _bound = self.context().bind(Symbol::cuTexRefGetArray)?;
        self.slot.array(|| self.bound_array())
    }

    /// Returns the bound array with levels, like [`array`](TexRef::array). Wraps `cuTexRefGetMipmappedArray`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuTexRefGetMipmappedArray")]
    pub fn mipmapped_array(&self) -> Result<Option<MipmappedArray>> {
        let _bound = self.context().bind(Symbol::cuTexRefGetMipmappedArray)?;
        self.slot.mipmapped_array(|| self.bound_mipmapped_array())
    }

    /// Returns the address of the texture, if memory is bound. Wraps `cuTexRefGetAddress`.
    ///
    /// The texture begins before the memory, by the offset that the binding call returned. Memory that was bound by its
    /// address alone, or through the raw API, may have been freed.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias("cuTexRefGetAddress", "cuTexRefGetAddress_v2"))]
    pub fn address(&self) -> Result<Option<DevicePtr<u8>>> {
        let _bound = self.context().bind(Symbol::cuTexRefGetAddress_v2)?;
        Ok(match self.bound_memory()? {
            Some(Target::Memory(address)) => Some(DevicePtr::from_raw(address)),
            _ => None,
        })
    }

    pub(super) fn bound_array(&self) -> Result<Option<Target>> {
        let mut array = null_mut();
        // SAFETY: `array` is valid for a write; the reference is live.
        let asked = unsafe { check!(cuTexRefGetArray(&raw mut array, self.raw)) };
        if_bound(asked, || Target::Array(array.addr()))
    }

    pub(super) fn bound_mipmapped_array(&self) -> Result<Option<Target>> {
        let mut array = null_mut();
        // SAFETY: `array` is valid for a write; the reference is live.
        let asked = unsafe { check!(cuTexRefGetMipmappedArray(&raw mut array, self.raw)) };
        if_bound(asked, || Target::Mipmapped(array.addr()))
    }

    pub(super) fn bound_memory(&self) -> Result<Option<Target>> {
        let mut address = 0;
        // SAFETY: `address` is valid for a write; the reference is live.
        let asked = unsafe { check!(cuTexRefGetAddress_v2(&raw mut address, self.raw)) };
        if_bound(asked, || Target::Memory(address))
    }
}

/// Returns the target, or `None` for the code with which the driver reports an empty binding.
pub(crate) fn if_bound(asked: Result<()>, target: impl FnOnce() -> Target) -> Result<Option<Target>> {
    match asked {
        Ok(()) => Ok(Some(target())),
        Err(error) if error.code() == Some(Code::InvalidValue) => Ok(None),
        Err(error) => Err(error),
    }
}
