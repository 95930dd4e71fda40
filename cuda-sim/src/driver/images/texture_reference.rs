//! Texture references, of modules and created by programs. Their state can change at any time. A kernel uses their
//! state at its launch.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::images::array::Snapshot;
use crate::driver::images::image_tables::Owner;
use crate::driver::images::linear_texture_limits::longest_line;
use crate::driver::images::texture_descriptor::{Bound, Source, check_flags, counted_bytes, filter_mode};
use crate::driver::modules::module;
use crate::driver::{Answer, Call, put};
use core::ffi::{c_char, c_int, c_uint};
use cuda_sim_engine::ReferenceKind;
use cuda_sys::{
    CU_TRSA_OVERRIDE_FORMAT, CUDA_ARRAY_DESCRIPTOR, CUaddress_mode, CUaddress_mode_enum as Mode, CUarray,
    CUarray_format, CUarray_format_enum as Ad, CUdevice, CUdevice_attribute_enum as Limit, CUdeviceptr,
    CUfilter_mode, CUfilter_mode_enum as FilterMode, CUfunction, CUmipmappedArray, CUmodule, CUresult,
    CUtexref,
};
use std::sync::Arc;

/// Texture reference.
pub(crate) struct TextureReference {
    pub(crate) context: Handle,
    /// Module reference that it stands for, unless the program created it.
    pub(crate) owner: Option<Owner>,
    pub(crate) source: Source,
}

impl TextureReference {
    fn new(context: Handle, owner: Option<Owner>) -> Self {
        let source = Source {
            bound: Bound::Nothing,
            own_texels: true,
            format: Ad::CU_AD_FORMAT_FLOAT,
            channels: 1,
            addresses: [Mode::CU_TR_ADDRESS_MODE_CLAMP; 3],
            filter: FilterMode::CU_TR_FILTER_MODE_POINT,
            level_filter: FilterMode::CU_TR_FILTER_MODE_POINT,
            bias: 0.0,
            level_range: [0.0; 2],
            anisotropy: 0,
            border: [0.0; 4],
            flags: 0,
            view: None,
        };
        Self { context, owner, source }
    }
}

/// Finds the reference of a module by name. Textures and surfaces share this code.
///
/// # Safety
///
/// `name` is null or a C string.
pub(crate) unsafe fn owner(
    call: &Call<'_>,
    hmod: CUmodule,
    name: *const c_char,
    kind: ReferenceKind,
) -> Answer<(Handle, Owner)> {
    // SAFETY: the caller's promise.
    let name = unsafe { module::name_of(name) }?;
    let found = module::find(call, hmod)?;
    let references = found.program.references();
    let index = references.iter().position(|known| known.name == name && known.kind == kind);
    let index = index.ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
    Ok((found.context, (Handle::of(hmod), index)))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn of_module(
    call: &mut Call<'_>,
    to: *mut CUtexref,
    hmod: CUmodule,
    name: *const c_char,
) -> Answer {
    // SAFETY: the program's promise.
    let (context, owner) = unsafe { owner(call, hmod, name, ReferenceKind::Texture) }?;
    let textures = &mut call.state.images.textures;
    let existing = textures.iter().find(|(_, reference)| reference.owner == Some(owner));
    let handle = match existing {
        Some((handle, _)) => handle,
        None => textures.insert(TextureReference::new(context, Some(owner))),
    };
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(call: &mut Call<'_>, to: *mut CUtexref) -> Answer {
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let handle = call.state.images.textures.insert(TextureReference::new(call.context, None));
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// Destroys a reference. References of modules live as long as the module, and the call reports no error (measured).
pub(crate) fn destroy(call: &mut Call<'_>, reference: CUtexref) -> Answer {
    if find(call, reference)?.owner.is_some() {
        return Ok(());
    }
    call.state.images.textures.remove(Handle::of(reference));
    Ok(())
}

pub(crate) fn find<'call>(call: &'call Call<'_>, reference: CUtexref) -> Answer<&'call TextureReference> {
    call.state.images.textures.named(Handle::of(reference))
}

fn change(call: &mut Call<'_>, reference: CUtexref, change: impl FnOnce(&mut Source)) -> Answer {
    find(call, reference)?;
    if let Some(found) = call.state.images.textures.get_mut(Handle::of(reference)) {
        change(&mut found.source);
    }
    Ok(())
}

fn device(call: &Call<'_>, reference: CUtexref) -> Answer<CUdevice> {
    let context = find(call, reference)?.context;
    Ok(call.state.live_context(context)?.device)
}

/// Binds an array. Without the flag for the format, texels are read in the format of the reference (conformance facts
/// T6 and T137).
fn bind(
    call: &mut Call<'_>,
    reference: CUtexref,
    array: Snapshot,
    bound: impl FnOnce(Arc<Snapshot>) -> Bound,
    flags: c_uint,
) -> Answer {
    let context = find(call, reference)?.context;
    call.state.check_array(context, array.largest.context)?;
    if flags & !CU_TRSA_OVERRIDE_FORMAT != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let descriptor = array.largest.descriptor;
    change(call, reference, |source| {
        source.bound = bound(Arc::new(array));
        if flags & CU_TRSA_OVERRIDE_FORMAT != 0 {
            (source.format, source.channels) = (descriptor.Format, descriptor.NumChannels);
        }
    })
}

pub(crate) fn set_array(call: &mut Call<'_>, reference: CUtexref, array: CUarray, flags: c_uint) -> Answer {
    find(call, reference)?;
    let found = call.state.images.snapshot(array)?;
    bind(call, reference, found, |found| Bound::Array(Handle::of(array), found), flags)
}

pub(crate) fn set_mipmapped(
    call: &mut Call<'_>,
    reference: CUtexref,
    mipmapped: CUmipmappedArray,
    flags: c_uint,
) -> Answer {
    find(call, reference)?;
    let found = call.state.images.snapshot_of_levels(mipmapped)?;
    bind(call, reference, found, |found| Bound::Mipmapped(Handle::of(mipmapped), found), flags)
}

/// Binds memory, without a check of the address (conformance fact T136).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_address(
    call: &mut Call<'_>,
    offset: *mut usize,
    reference: CUtexref,
    address: CUdeviceptr,
    bytes: usize,
) -> Answer {
    let device = device(call, reference)?;
    let source = &find(call, reference)?.source;
    let texel = counted_bytes(source.format, source.channels);
    let align = call.state.limit_of(device, Limit::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).max(1);
    let beyond = address % align;
    let len = (bytes as u64).saturating_add(beyond);
    if (beyond != 0 && offset.is_null()) || len / texel > longest_line(texel) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if !offset.is_null() {
        // SAFETY: the program's promise.
        unsafe { put(offset, beyond as usize) }?;
    }
    // The bytes before the address precede the first texel that the program means.
    let address = address - beyond;
    change(call, reference, |source| source.bound = Bound::Linear { address, bytes: len })
}

/// Binds rows of memory. Rows must not be longer than the pitch. The address and the texels are not checked
/// (conformance fact T140).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_address_2d(
    call: &mut Call<'_>,
    reference: CUtexref,
    descriptor: *const CUDA_ARRAY_DESCRIPTOR,
    address: CUdeviceptr,
    pitch: usize,
) -> Answer {
    let device = device(call, reference)?;
    if descriptor.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let given = unsafe { descriptor.read() };
    let extents = [given.Width, given.Height, pitch].map(|extent| extent as u64);
    // Rows of objects may overlap the next row.
    let row = extents[0].checked_mul(counted_bytes(given.Format, given.NumChannels));
    if row.is_none_or(|row| row > pitch as u64) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    call.state.check_rows(device, address, extents)?;
    change(call, reference, |source| {
        let (width, height) = (given.Width as u32, given.Height as u32);
        source.bound = Bound::Pitched { address, width, height, pitch: pitch as u64 };
        source.format = given.Format;
        source.channels = given.NumChannels;
    })
}

/// Sets the format. Unknown formats and zero channels are accepted (measured). The values that are then sampled are not
/// known.
pub(crate) fn set_format(
    call: &mut Call<'_>,
    reference: CUtexref,
    format: CUarray_format,
    channels: c_int,
) -> Answer {
    find(call, reference)?;
    if !matches!(channels, 0 | 1 | 2 | 4) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    change(call, reference, |source| (source.format, source.channels) = (format, channels.cast_unsigned()))
}

/// Sets the address mode. Unknown modes are accepted, and stored as the default mode (conformance fact T147).
pub(crate) fn set_address_mode(
    call: &mut Call<'_>,
    reference: CUtexref,
    dimension: c_int,
    mode: CUaddress_mode,
) -> Answer {
    find(call, reference)?;
    let dimension = usize::try_from(dimension).ok().filter(|dimension| *dimension < 3);
    let dimension = dimension.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let mode =
        if mode.0 <= Mode::CU_TR_ADDRESS_MODE_BORDER.0 { mode } else { Mode::CU_TR_ADDRESS_MODE_CLAMP };
    change(call, reference, |source| source.addresses[dimension] = mode)
}

/// Sets the filter mode. Unknown modes are accepted (measured). Their meaning is not known.
pub(crate) fn set_filter_mode(call: &mut Call<'_>, reference: CUtexref, mode: CUfilter_mode) -> Answer {
    change(call, reference, |source| source.filter = mode)
}

pub(crate) fn set_level_filter(call: &mut Call<'_>, reference: CUtexref, mode: CUfilter_mode) -> Answer {
    find(call, reference)?;
    filter_mode(mode)?;
    change(call, reference, |source| source.level_filter = mode)
}

pub(crate) fn set_level_bias(call: &mut Call<'_>, reference: CUtexref, bias: f32) -> Answer {
    change(call, reference, |source| source.bias = bias)
}

pub(crate) fn set_level_range(call: &mut Call<'_>, reference: CUtexref, least: f32, greatest: f32) -> Answer {
    change(call, reference, |source| source.level_range = [least, greatest])
}

pub(crate) fn set_anisotropy(call: &mut Call<'_>, reference: CUtexref, most: c_uint) -> Answer {
    change(call, reference, |source| source.anisotropy = most)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_border(call: &mut Call<'_>, reference: CUtexref, colour: *mut f32) -> Answer {
    find(call, reference)?;
    if colour.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for reads of four numbers, whose alignment as an array is the same.
    let colour = unsafe { colour.cast::<[f32; 4]>().read() };
    change(call, reference, |source| source.border = colour)
}

pub(crate) fn set_flags(call: &mut Call<'_>, reference: CUtexref, flags: c_uint) -> Answer {
    find(call, reference)?;
    check_flags(flags, false)?;
    change(call, reference, |source| source.flags = flags)
}

/// Accepts references that the program has created in the kernel's context, for any unit, without effect. Refuses
/// references of modules: kernels sample those of their own module anyway (conformance fact T151).
pub(crate) fn param_set(call: &mut Call<'_>, function: CUfunction, _: c_int, reference: CUtexref) -> Answer {
    let context = call.function(function)?.0.context;
    let found = find(call, reference)?;
    if found.context != context {
        // Measured.
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    if found.owner.is_none() { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) }
}
