//! Texture and surface objects.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::texture_values::{
    Bound, Source, View, address_mode, check_flags, filter_mode, plain_texel, view_texel,
};
use super::{Answer, Call, put};
use crate::exec::Shape;
use core::mem::offset_of;
use cuda_sys::{
    CUDA_RESOURCE_DESC, CUDA_RESOURCE_VIEW_DESC, CUDA_TEXTURE_DESC, CUarray_format_enum as Ad, CUdevice,
    CUdevice_attribute_enum as Limit, CUresourcetype_enum as Type, CUresult, CUsurfObject, CUtexObject,
};

/// What a program gave, and what it means.
pub(super) struct TextureObject {
    pub(super) context: Handle,
    pub(super) source: Source,
    resource: ResourceBox,
    texture: CUDA_TEXTURE_DESC,
    view: Option<CUDA_RESOURCE_VIEW_DESC>,
}

/// A surface object.
pub(super) struct SurfaceObject {
    pub(super) context: Handle,
    pub(super) array: Handle,
    resource: ResourceBox,
}

/// A description that is only handed back.
struct ResourceBox(CUDA_RESOURCE_DESC);

// SAFETY: the pointers in it are handles, which nobody follows.
unsafe impl Send for ResourceBox {}

/// The resource that a description names: what it is, and the texels of plain memory.
///
/// # Safety
///
/// The member of the union that the type names is filled in.
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
            // SAFETY: the type says which member it is.
            let array = unsafe { resource.res.array };
            let owner = call.state.images.array(array.hArray)?.context;
            call.state.check_device(call.context, owner)?;
            Ok((Bound::Array(Handle::of(array.hArray)), Ad::CU_AD_FORMAT_FLOAT, 1))
        }
        Type::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => {
            // SAFETY: as above.
            let mipmap = unsafe { resource.res.mipmap };
            let owner = call.state.images.mipmapped(mipmap.hMipmappedArray)?.context;
            call.state.check_device(call.context, owner)?;
            Ok((Bound::Mipmapped(Handle::of(mipmap.hMipmappedArray)), Ad::CU_AD_FORMAT_FLOAT, 1))
        }
        Type::CU_RESOURCE_TYPE_LINEAR => {
            // SAFETY: as above.
            let linear = unsafe { resource.res.linear };
            let texel = plain_texel(linear.format, linear.numChannels)?;
            let (address, bytes) = (linear.devPtr, linear.sizeInBytes as u64);
            if !address.is_multiple_of(align) {
                return Err(invalid);
            }
            call.state.check_line(device, address, bytes, Some(texel))?;
            Ok((Bound::Linear { address, bytes }, linear.format, linear.numChannels))
        }
        Type::CU_RESOURCE_TYPE_PITCH2D => {
            // SAFETY: as above.
            let rows = unsafe { resource.res.pitch2D };
            plain_texel(rows.format, rows.numChannels)?;
            let extents = [rows.width, rows.height, rows.pitchInBytes].map(|extent| extent as u64);
            call.state.check_rows(device, rows.devPtr, extents)?;
            let [width, height, pitch] = extents;
            let bound =
                Bound::Pitched { address: rows.devPtr, width: width as u32, height: height as u32, pitch };
            Ok((bound, rows.format, rows.numChannels))
        }
        _ => Err(invalid),
    }
}

/// The view of an array, compared with what the array has.
fn view(call: &Call<'_>, bound: Bound, given: &CUDA_RESOURCE_VIEW_DESC) -> Answer<View> {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    let images = &call.state.images;
    let image = match bound {
        Bound::Array(array) => images.image_of_array(array),
        Bound::Mipmapped(mipmapped) => images.image_of_mipmapped(mipmapped),
        _ => None,
    };
    let image = image.ok_or(invalid)?;
    // A view has a format of its own (measured: of levels, of layers, and of all of them).
    let texel = Some(view_texel(given.format.0)?.ok_or(invalid)?);
    if texel.is_some_and(|(format, channels)| format.bytes() * channels != image.texel_bytes()) {
        return Err(invalid);
    }
    let first = match bound {
        Bound::Array(array) => images.arrays.get(array),
        Bound::Mipmapped(mipmapped) => {
            let levels = images.mipmapped.get(mipmapped).map(|found| found.levels.as_slice());
            levels.and_then(<[Handle]>::first).and_then(|level| images.arrays.get(*level))
        }
        _ => None,
    };
    let descriptor = first.ok_or(invalid)?.descriptor;
    let levels = [given.firstMipmapLevel, given.lastMipmapLevel];
    let layers = [given.firstLayer, given.lastLayer];
    let layered = matches!(image.shape, Shape::Layered(_) | Shape::LayeredCube);
    let count = if layered { descriptor.Depth } else { 1 };
    let ordered = |[first, last]: [u32; 2], count: usize| first <= last && (last as usize) < count;
    // A number of layers is not looked for where there are none.
    let layers_fit = if layered { ordered(layers, count) } else { layers == [0, 0] };
    let cubes = image.shape != Shape::LayeredCube
        || (layers[0].is_multiple_of(6) && layers[1].wrapping_sub(layers[0]) % 6 == 5);
    let same = given.width == descriptor.Width && given.height == descriptor.Height;
    // That of all layers, whichever are seen (measured).
    let depth = image.shape == Shape::Cube || given.depth == descriptor.Depth;
    if !same || !depth || !layers_fit || !cubes || !ordered(levels, image.levels.len()) {
        return Err(invalid);
    }
    Ok(View { texel, levels, layers })
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create_texture(
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
    texture.addressMode.into_iter().try_for_each(|mode| address_mode(mode).map(drop))?;
    filter_mode(texture.filterMode)?;
    filter_mode(texture.mipmapFilterMode)?;
    check_flags(texture.flags)?;
    let view = match &view_desc {
        Some(given) => Some(view(call, bound, given)?),
        None => None,
    };
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
    let object = TextureObject { context, source, resource, texture, view: view_desc };
    let handle = call.state.images.texture_objects.insert(object);
    call.state.images.changed();
    // SAFETY: the program's promise.
    unsafe { put(to, handle.0) }
}

/// The object 0 is none, and may be destroyed (measured).
pub(super) fn destroy_texture(call: &mut Call<'_>, object: CUtexObject) -> Answer {
    if object == 0 {
        return Ok(());
    }
    let gone = call.state.images.texture_objects.remove(Handle(object));
    call.state.images.changed();
    gone.map(drop).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}

fn find<'call>(call: &'call Call<'_>, object: CUtexObject) -> Answer<&'call TextureObject> {
    let found = call.state.images.texture_objects.get(Handle(object));
    found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn texture_resource(
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
pub(super) unsafe fn texture_description(
    call: &mut Call<'_>,
    to: *mut CUDA_TEXTURE_DESC,
    object: CUtexObject,
) -> Answer {
    let texture = find(call, object)?.texture;
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // The border colour is not written (measured: T200).
    let written = offset_of!(CUDA_TEXTURE_DESC, borderColor);
    // SAFETY: the program's promise; it is not null.
    unsafe { (&raw const texture).cast::<u8>().copy_to_nonoverlapping(to.cast(), written) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn texture_view(
    call: &mut Call<'_>,
    to: *mut CUDA_RESOURCE_VIEW_DESC,
    object: CUtexObject,
) -> Answer {
    // An object without a view has one as well (measured): that of nothing.
    let view = find(call, object)?.view.unwrap_or_default();
    // SAFETY: the program's promise.
    unsafe { put(to, view) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create_surface(
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
    // SAFETY: the type says which member it is.
    let given = unsafe { resource.res.array };
    let context = call.context;
    let owner = call.state.images.array(given.hArray)?.context;
    let array = Handle::of(given.hArray);
    call.state.check_device(context, owner)?;
    let resource = ResourceBox(resource);
    let handle = call.state.images.surface_objects.insert(SurfaceObject { context, array, resource });
    call.state.images.changed();
    // SAFETY: the program's promise.
    unsafe { put(to, handle.0) }
}

/// As with textures (measured).
pub(super) fn destroy_surface(call: &mut Call<'_>, object: CUsurfObject) -> Answer {
    if object == 0 {
        return Ok(());
    }
    let gone = call.state.images.surface_objects.remove(Handle(object));
    call.state.images.changed();
    gone.map(drop).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn surface_resource(
    call: &mut Call<'_>,
    to: *mut CUDA_RESOURCE_DESC,
    object: CUsurfObject,
) -> Answer {
    let found = call.state.images.surface_objects.get(Handle(object));
    let resource = found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?.resource.0;
    // SAFETY: the program's promise.
    unsafe { put(to, resource) }
}
