//! Surface references.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::images::{Images, Owner};
use super::{Answer, Call, put, texture};
use crate::exec::{ReferenceKind, Resource};
use core::ffi::{c_char, c_uint};
use cuda_sys::{CUDA_ARRAY3D_SURFACE_LDST, CUarray, CUmodule, CUresult, CUsurfref};

/// A surface reference of a module.
pub(super) struct SurfaceReference {
    pub(super) context: Handle,
    pub(super) owner: Owner,
    pub(super) array: Option<Handle>,
}

impl Images {
    /// What kernels see; nothing if the array is gone. Objects are made of any array (measured).
    pub(super) fn surface_of(&self, array: Handle) -> Option<Resource> {
        if self.arrays.get(array)?.descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST == 0 {
            return Some(Resource::Unsupported("a surface of an array that is not made for it"));
        }
        self.image_of_array(array).map(Resource::Surface)
    }

    /// An array that surface instructions may access.
    pub(super) fn surface_array(&self, array: CUarray) -> Answer<Handle> {
        let found = self.array(array)?;
        if found.descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST == 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(Handle::of(array))
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn of_module(
    call: &mut Call<'_>,
    to: *mut CUsurfref,
    hmod: CUmodule,
    name: *const c_char,
) -> Answer {
    // SAFETY: the program's promise.
    let (context, owner) = unsafe { texture::owner(call, hmod, name, ReferenceKind::Surface) }?;
    let surfaces = &mut call.state.images.surfaces;
    let existing = surfaces.iter().find(|(_, reference)| reference.owner == owner);
    let handle = match existing {
        Some((handle, _)) => handle,
        None => surfaces.insert(SurfaceReference { context, owner, array: None }),
    };
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

pub(super) fn set_array(call: &mut Call<'_>, reference: CUsurfref, array: CUarray, flags: c_uint) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_HANDLE;
    let found = call.state.images.surfaces.get(Handle::of(reference)).ok_or(invalid)?;
    let context = found.context;
    let handle = call.state.images.surface_array(array)?;
    if flags != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let owner = call.state.images.array(array)?.context;
    call.state.check_device(context, owner)?;
    let found = call.state.images.surfaces.get_mut(Handle::of(reference)).ok_or(invalid)?;
    found.array = Some(handle);
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_array(call: &mut Call<'_>, to: *mut CUarray, reference: CUsurfref) -> Answer {
    let images = &call.state.images;
    let found = images.surfaces.get(Handle::of(reference)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    let array = found.array.filter(|array| images.arrays.get(*array).is_some());
    // SAFETY: the program's promise.
    unsafe { put(to, array.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?.pointer()) }
}
