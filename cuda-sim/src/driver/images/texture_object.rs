//! Texture and surface objects.

#![allow(unsafe_code)]

use crate::HandleReuse;
use crate::driver::handles::Handle;
use crate::driver::images::array::Snapshot;
use crate::driver::images::array_format::{Content, is_srgb, plain_texel};
use crate::driver::images::linear_texture_limits::longest_line;
use crate::driver::images::texture_descriptor::{
    Bound, Source, View, address_mode, check_flags, filter_mode, view_texel,
};
use crate::driver::{Answer, Call, put};
use core::mem::offset_of;
use cuda_sim_engine::{BLOCK_SIDE, Resource, Shape};
use cuda_sys::{
    CU_TRSF_SRGB, CUDA_RESOURCE_DESC, CUDA_RESOURCE_VIEW_DESC, CUDA_TEXTURE_DESC, CUarray,
    CUarray_format_enum as Ad, CUdevice, CUdevice_attribute_enum as Limit, CUresourcetype_enum as Type,
    CUresult, CUsurfObject, CUtexObject,
};
use std::sync::Arc;

/// Object of a context.
pub(crate) enum Object {
    Texture(Box<TextureObject>),
    Surface(Box<SurfaceObject>),
}

impl Object {
    /// Returns the resource as kernels see it.
    pub(crate) fn resource(&self) -> Option<Resource> {
        match self {
            Object::Texture(object) => object.source.resource(),
            Object::Surface(object) => Some(object.array.surface()),
        }
    }
}

/// Texture object: the program's description, and its meaning.
pub(crate) struct TextureObject {
    source: Source,
    resource: ResourceBox,
    texture: CUDA_TEXTURE_DESC,
    view: Option<CUDA_RESOURCE_VIEW_DESC>,
}

/// Surface object.
pub(crate) struct SurfaceObject {
    array: Snapshot,
    resource: ResourceBox,
}

/// Description that is only returned to the program.
struct ResourceBox(CUDA_RESOURCE_DESC);

// SAFETY: the pointers in it are handles, which are never dereferenced.
unsafe impl Send for ResourceBox {}

/// Returns the state of an accessible array. A destroyed array is an invalid value (conformance fact T133).
fn snapshot(call: &Call<'_>, array: CUarray) -> Answer<Snapshot> {
    let found = call.state.images.snapshot(array).map_err(|_| CUresult::CUDA_ERROR_INVALID_VALUE)?;
    call.state.check_array(call.context, found.largest.context)?;
    Ok(found)
}

/// Returns the resource of a description, and the texels of plain memory.
///
/// # Safety
///
/// The union holds the member for the type.
unsafe fn bound(
    call: &Call<'_>,
    device: CUdevice,
    resource: &CUDA_RESOURCE_DESC,
) -> Answer<(Bound, cuda_sys::CUarray_format, u32)> {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    if resource.flags != 0 {
        return Err(invalid);
    }
    let align = call.state.limit_of(device, Limit::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).max(1);
    match resource.resType {
        Type::CU_RESOURCE_TYPE_ARRAY => {
            // SAFETY: the type determines the member.
            let array = unsafe { resource.res.array }.hArray;
            let found = snapshot(call, array)?;
            Ok((Bound::Array(Handle::of(array), Arc::new(found)), Ad::CU_AD_FORMAT_FLOAT, 1))
        }
        Type::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => {
            // SAFETY: as above.
            let mipmapped = unsafe { resource.res.mipmap }.hMipmappedArray;
            let found = call.state.images.snapshot_of_levels(mipmapped).map_err(|_| invalid)?;
            let owner = found.largest.context;
            // Arrays of other contexts of the device are accepted. Without peer access, drivers crash (conformance fact
            // T134).
            if call.state.live_context(owner)?.device != device {
                call.state.check_array(call.context, owner)?;
            }
            Ok((Bound::Mipmapped(Handle::of(mipmapped), Arc::new(found)), Ad::CU_AD_FORMAT_FLOAT, 1))
        }
        Type::CU_RESOURCE_TYPE_LINEAR => {
            // SAFETY: as above.
            let linear = unsafe { resource.res.linear };
            let texel = u64::from(plain_texel(linear.format, linear.numChannels)?.bytes());
            let (address, bytes) = (linear.devPtr, linear.sizeInBytes as u64);
            // The existence of the memory is not checked (conformance fact T138).
            if address == 0 || !address.is_multiple_of(align) || bytes / texel > longest_line(texel) {
                return Err(invalid);
            }
            Ok((Bound::Linear { address, bytes }, linear.format, linear.numChannels))
        }
        Type::CU_RESOURCE_TYPE_PITCH2D => {
            // SAFETY: as above.
            let rows = unsafe { resource.res.pitch2D };
            plain_texel(rows.format, rows.numChannels)?;
            let extents = [rows.width, rows.height, rows.pitchInBytes].map(|extent| extent as u64);
            if rows.devPtr == 0 {
                return Err(invalid);
            }
            // Rows that are longer than the pitch overlap the next row (conformance fact T54).
            call.state.check_rows(device, rows.devPtr, extents)?;
            let [width, height, pitch] = extents;
            let bound =
                Bound::Pitched { address: rows.devPtr, width: width as u32, height: height as u32, pitch };
            Ok((bound, rows.format, rows.numChannels))
        }
        _ => Err(invalid),
    }
}

/// Checks that arrays of this format can be sampled with these flags (conformance facts T111 and T122).
fn check_texels(bound: &Bound, flags: u32) -> Answer {
    let (Bound::Array(_, array) | Bound::Mipmapped(_, array)) = bound else { return Ok(()) };
    let is_srgb = is_srgb(array.largest.descriptor.Format);
    if array.image.is_none() || is_srgb && flags & CU_TRSF_SRGB == 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

/// Returns the view of an array, after comparing it with the array. The view of plain memory is not checked
/// (conformance fact T142).
fn view(bound: &Bound, given: &CUDA_RESOURCE_VIEW_DESC) -> Answer<Option<View>> {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    let (Bound::Array(_, array) | Bound::Mipmapped(_, array)) = bound else { return Ok(None) };
    let array = &array.largest;
    let descriptor = array.descriptor;
    let own = array.content.texel().ok_or(invalid)?;
    // A view has a format of its own (conformance facts T55 and T65).
    let texel = view_texel(given.format.0).ok_or(invalid)?;
    if texel.bytes() != own.bytes() || own.codec.is_some() {
        return Err(invalid);
    }
    let mut size = [descriptor.Width, descriptor.Height];
    if texel.codec.is_some() {
        // Texels viewed as blocks must be unsigned integers (conformance fact T113).
        if descriptor.Format.0 & 0xff != Ad::CU_AD_FORMAT_UNSIGNED_INT32.0 {
            return Err(invalid);
        }
        size = size.map(|size| size * BLOCK_SIDE as usize);
    }
    let levels = [given.firstMipmapLevel, given.lastMipmapLevel];
    let layers = [given.firstLayer, given.lastLayer];
    // The existence of the levels and layers is not checked (conformance fact T142).
    let fits = |several: bool, [first, last]: [u32; 2]| {
        if several { first <= last } else { [first, last] == [0, 0] }
    };
    // The size must be that of the largest level and of all layers, regardless of the viewed part (conformance fact
    // T142).
    let fitting = [given.width, given.height] == size
        && given.depth == descriptor.Depth
        && fits(matches!(bound, Bound::Mipmapped(..)), levels)
        && fits(matches!(array.shape, Shape::Layered(_) | Shape::LayeredCube), layers)
        && given.reserved == [0; 16];
    if fitting { Ok(Some(View { texel, levels, layers })) } else { Err(invalid) }
}

/// Returns the arrangement of the texels of a resource.
fn shape(bound: &Bound) -> Shape {
    match bound {
        Bound::Array(_, array) | Bound::Mipmapped(_, array) => array.largest.shape,
        Bound::Pitched { .. } => Shape::Pitched,
        Bound::Linear { .. } | Bound::Nothing => Shape::Linear,
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create_texture(
    call: &mut Call<'_>,
    to: *mut CUtexObject,
    resource: *const CUDA_RESOURCE_DESC,
    texture: *const CUDA_TEXTURE_DESC,
    view_desc: *const CUDA_RESOURCE_VIEW_DESC,
) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    if to.is_null() || resource.is_null() || texture.is_null() {
        return Err(invalid);
    }
    // SAFETY: not null, so valid for a read.
    let resource = unsafe { resource.read() };
    // SAFETY: as above.
    let texture = unsafe { texture.read() };
    // SAFETY: null or valid for a read.
    let view_desc = unsafe { view_desc.as_ref() }.copied();
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    // SAFETY: the program's promise.
    let (bound, format, channels) = unsafe { bound(call, device, &resource) }?;
    let shape = shape(&bound);
    // Modes of missing dimensions are not checked (conformance fact T141).
    let modes = texture.addressMode.into_iter().take(shape.dimensions().into());
    modes.into_iter().try_for_each(|mode| address_mode(mode).map(drop))?;
    filter_mode(texture.filterMode)?;
    filter_mode(texture.mipmapFilterMode)?;
    check_flags(texture.flags, matches!(shape, Shape::Cube | Shape::LayeredCube))?;
    if texture.reserved != [0; 12] {
        return Err(invalid);
    }
    check_texels(&bound, texture.flags)?;
    let view = match &view_desc {
        Some(given) => view(&bound, given)?,
        None => None,
    };
    let view_desc = view.and(view_desc);
    let source = Source {
        bound,
        own_texels: false,
        format,
        channels,
        addresses: texture.addressMode,
        filter: texture.filterMode,
        level_filter: texture.mipmapFilterMode,
        bias: texture.mipmapLevelBias,
        level_range: [texture.minMipmapLevelClamp, texture.maxMipmapLevelClamp],
        anisotropy: texture.maxAnisotropy,
        border: texture.borderColor,
        flags: texture.flags,
        view,
    };
    let resource = ResourceBox(resource);
    let object = TextureObject { source, resource, texture, view: view_desc };
    let number = number(call, Object::Texture(Box::new(object)))?;
    // SAFETY: the program's promise.
    unsafe { put(to, number) }
}

/// Creates an object of the current context. Returns its number.
fn number(call: &mut Call<'_>, object: Object) -> Answer<u64> {
    let lowest = call.state.config.handles == HandleReuse::AtOnce;
    let number = call.state.images.objects_mut(call.context).insert(object, lowest);
    number.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)
}

fn object<'call>(call: &'call Call<'_>, number: u64) -> Option<&'call Object> {
    call.state.images.objects(call.context)?.get(number)
}

/// Destroys a texture object. Unknown numbers of any kind, and 0, are accepted (conformance fact T130).
pub(crate) fn destroy_texture(call: &mut Call<'_>, number: CUtexObject) -> Answer {
    if find(call, number).is_ok() {
        call.state.images.objects_mut(call.context).remove(number);
    }
    Ok(())
}

fn find<'call>(call: &'call Call<'_>, number: CUtexObject) -> Answer<&'call TextureObject> {
    match object(call, number) {
        Some(Object::Texture(found)) => Ok(found),
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn texture_resource(
    call: &mut Call<'_>,
    to: *mut CUDA_RESOURCE_DESC,
    object: CUtexObject,
) -> Answer {
    let resource = find(call, object)?.resource.0;
    // SAFETY: the program's promise.
    unsafe { put(to, resource) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn texture_description(
    call: &mut Call<'_>,
    to: *mut CUDA_TEXTURE_DESC,
    object: CUtexObject,
) -> Answer {
    let texture = find(call, object)?.texture;
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // The border colour is not written (conformance fact T200).
    let written = offset_of!(CUDA_TEXTURE_DESC, borderColor);
    // SAFETY: the program's promise; it is not null.
    unsafe { (&raw const texture).cast::<u8>().copy_to_nonoverlapping(to.cast(), written) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn texture_view(
    call: &mut Call<'_>,
    to: *mut CUDA_RESOURCE_VIEW_DESC,
    object: CUtexObject,
) -> Answer {
    let found = find(call, object)?;
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // Without a view, nothing is written and no error is reported (conformance fact T57).
    if let Some(view) = found.view {
        // SAFETY: the program's promise.
        unsafe { put(to, view) }?;
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create_surface(
    call: &mut Call<'_>,
    to: *mut CUsurfObject,
    resource: *const CUDA_RESOURCE_DESC,
) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    if to.is_null() || resource.is_null() {
        return Err(invalid);
    }
    // SAFETY: not null, so valid for a read.
    let resource = unsafe { resource.read() };
    if resource.flags != 0 || resource.resType != Type::CU_RESOURCE_TYPE_ARRAY {
        return Err(invalid);
    }
    // SAFETY: the type determines the member.
    let array = unsafe { resource.res.array }.hArray;
    let found = snapshot(call, array)?;
    if found.largest.content.codec().is_some() || matches!(found.largest.content, Content::Planes(_)) {
        // Surfaces can be created from any array (conformance facts T58, T122 and T125).
        return Err(invalid);
    }
    let object = SurfaceObject { array: found, resource: ResourceBox(resource) };
    let number = number(call, Object::Surface(Box::new(object)))?;
    // SAFETY: the program's promise.
    unsafe { put(to, number) }
}

/// Destroys a surface object. The same numbers are accepted as for textures (conformance fact T130).
pub(crate) fn destroy_surface(call: &mut Call<'_>, number: CUsurfObject) -> Answer {
    if let Some(Object::Surface(_)) = object(call, number) {
        call.state.images.objects_mut(call.context).remove(number);
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn surface_resource(
    call: &mut Call<'_>,
    to: *mut CUDA_RESOURCE_DESC,
    number: CUsurfObject,
) -> Answer {
    let Some(Object::Surface(found)) = object(call, number) else {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    };
    let resource = found.resource.0;
    // SAFETY: the program's promise.
    unsafe { put(to, resource) }
}
