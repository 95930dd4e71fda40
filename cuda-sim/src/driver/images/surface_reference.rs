//! Surface references.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::images::array::Snapshot;
use crate::driver::images::image_tables::Owner;
use crate::driver::images::texture_reference;
use crate::driver::{Answer, Call, put};
use core::ffi::{c_char, c_uint};
use cuda_sim_engine::ReferenceKind;
use cuda_sys::{CUDA_ARRAY3D_SURFACE_LDST, CUarray, CUmodule, CUresult, CUsurfref};
use std::sync::Arc;

/// Surface reference of a module.
pub(crate) struct SurfaceReference {
    pub(crate) context: Handle,
    pub(crate) owner: Owner,
    /// Array, and its state at the time of the binding.
    pub(crate) bound: Option<(Handle, Arc<Snapshot>)>,
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn of_module(
    call: &mut Call<'_>,
    to: *mut CUsurfref,
    hmod: CUmodule,
    name: *const c_char,
) -> Answer {
    // SAFETY: the program's promise.
    let (context, owner) = unsafe { texture_reference::owner(call, hmod, name, ReferenceKind::Surface) }?;
    let surfaces = &mut call.state.images.surfaces;
    let existing = surfaces.iter().find(|(_, reference)| reference.owner == owner);
    let handle = match existing {
        Some((handle, _)) => handle,
        None => surfaces.insert(SurfaceReference { context, owner, bound: None }),
    };
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

fn find<'call>(call: &'call Call<'_>, reference: CUsurfref) -> Answer<&'call SurfaceReference> {
    call.state.images.surfaces.named(Handle::of(reference))
}

pub(crate) fn set_array(call: &mut Call<'_>, reference: CUsurfref, array: CUarray, flags: c_uint) -> Answer {
    let context = find(call, reference)?.context;
    let found = call.state.images.array(array)?;
    // Objects can be created from any array (conformance fact T58).
    if flags != 0 || found.descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST == 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    call.state.check_array(context, found.context)?;
    let snapshot = call.state.images.snapshot(array)?;
    if let Some(found) = call.state.images.surfaces.get_mut(Handle::of(reference)) {
        found.bound = Some((Handle::of(array), Arc::new(snapshot)));
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_array(call: &mut Call<'_>, to: *mut CUarray, reference: CUsurfref) -> Answer {
    let bound = find(call, reference)?.bound.as_ref().map(|(array, _)| *array);
    let array = bound.filter(|array| call.state.images.arrays.get(*array).is_some());
    // SAFETY: the program's promise.
    unsafe { put(to, array.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?.pointer()) }
}
