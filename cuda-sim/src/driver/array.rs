//! Arrays, with levels and without: texels in memory that only the driver knows the addresses of.

#![allow(unsafe_code)]

use super::general::say;
use super::handles::Handle;
use super::heap::Kind;
use super::images::Images;
use super::{Answer, Call, put};
use crate::exec::{Format, Image, Level, Shape};
use core::ffi::c_uint;
use cuda_sys::{
    CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_SPARSE_PROPERTIES, CUDA_ARRAY3D_CUBEMAP, CUDA_ARRAY3D_DESCRIPTOR,
    CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_SURFACE_LDST, CUDA_ARRAY3D_TEXTURE_GATHER, CUarray, CUarray_format,
    CUarray_format_enum as Ad, CUmipmappedArray, CUresult,
};

/// An array, or one level of a mipmapped one.
#[derive(Clone)]
pub(super) struct Array {
    pub(super) context: Handle,
    pub(super) descriptor: CUDA_ARRAY3D_DESCRIPTOR,
    pub(super) format: Format,
    pub(super) channels: u32,
    pub(super) shape: Shape,
    pub(super) level: Level,
    /// It belongs to a mipmapped array, which frees the memory.
    pub(super) is_level: bool,
}

/// An array with levels.
pub(super) struct Mipmapped {
    pub(super) context: Handle,
    /// The arrays of the levels, the largest first.
    pub(super) levels: Vec<Handle>,
    base: u64,
}

/// Rows begin at multiples of this many bytes: accesses to surfaces have up to as many.
const ROW: u64 = 16;

/// The type of a channel and, for formats that say so, how many there are.
pub(super) fn format_of(format: CUarray_format) -> Answer<(Format, Option<u32>)> {
    Ok(match format {
        Ad::CU_AD_FORMAT_UNSIGNED_INT8 => (Format::Unsigned8, None),
        Ad::CU_AD_FORMAT_UNSIGNED_INT16 => (Format::Unsigned16, None),
        Ad::CU_AD_FORMAT_UNSIGNED_INT32 => (Format::Unsigned32, None),
        Ad::CU_AD_FORMAT_SIGNED_INT8 => (Format::Signed8, None),
        Ad::CU_AD_FORMAT_SIGNED_INT16 => (Format::Signed16, None),
        Ad::CU_AD_FORMAT_SIGNED_INT32 => (Format::Signed32, None),
        Ad::CU_AD_FORMAT_HALF => (Format::Half, None),
        Ad::CU_AD_FORMAT_FLOAT => (Format::Float, None),
        Ad::CU_AD_FORMAT_UNORM_INT8X1 => (Format::Unorm8, Some(1)),
        Ad::CU_AD_FORMAT_UNORM_INT8X2 => (Format::Unorm8, Some(2)),
        Ad::CU_AD_FORMAT_UNORM_INT8X4 => (Format::Unorm8, Some(4)),
        Ad::CU_AD_FORMAT_UNORM_INT16X1 => (Format::Unorm16, Some(1)),
        Ad::CU_AD_FORMAT_UNORM_INT16X2 => (Format::Unorm16, Some(2)),
        Ad::CU_AD_FORMAT_UNORM_INT16X4 => (Format::Unorm16, Some(4)),
        Ad::CU_AD_FORMAT_SNORM_INT8X1 => (Format::Snorm8, Some(1)),
        Ad::CU_AD_FORMAT_SNORM_INT8X2 => (Format::Snorm8, Some(2)),
        Ad::CU_AD_FORMAT_SNORM_INT8X4 => (Format::Snorm8, Some(4)),
        Ad::CU_AD_FORMAT_SNORM_INT16X1 => (Format::Snorm16, Some(1)),
        Ad::CU_AD_FORMAT_SNORM_INT16X2 => (Format::Snorm16, Some(2)),
        Ad::CU_AD_FORMAT_SNORM_INT16X4 => (Format::Snorm16, Some(4)),
        Ad(0x50..=0x5e | 0x91..=0x9f | 0xa1..=0xb5) => {
            say("arrays of compressed or video formats are not simulated yet");
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    })
}

/// Format and channels of a descriptor.
pub(super) fn texel_of(format: CUarray_format, channels: c_uint) -> Answer<(Format, u32)> {
    let (format, fixed) = format_of(format)?;
    if !matches!(channels, 1 | 2 | 4) || fixed.is_some_and(|fixed| fixed != channels) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok((format, channels))
}

/// The shape that sizes and flags make, if they make one.
fn shape_of(descriptor: &CUDA_ARRAY3D_DESCRIPTOR) -> Answer<Shape> {
    const KNOWN: u32 =
        CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER;
    // Colour attachments, sparse arrays, deferred mapping, video. Depth textures are refused (measured).
    const OTHERS: u32 = 0x1e0;
    let CUDA_ARRAY3D_DESCRIPTOR { Width: width, Height: height, Depth: depth, Flags: flags, .. } =
        *descriptor;
    let invalid = Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    if width == 0 || flags & !(KNOWN | OTHERS) != 0 {
        return invalid;
    }
    if flags & OTHERS != 0 {
        say(&format!("an array with flags {flags:#x} is not simulated yet"));
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let layered = flags & CUDA_ARRAY3D_LAYERED != 0;
    let shape = if flags & CUDA_ARRAY3D_CUBEMAP != 0 {
        let faces = if layered { depth > 0 && depth.is_multiple_of(6) } else { depth == 6 };
        if width != height || !faces {
            return invalid;
        }
        if layered { Shape::LayeredCube } else { Shape::Cube }
    } else if layered {
        if depth == 0 {
            return invalid;
        }
        Shape::Layered(if height == 0 { 1 } else { 2 })
    } else {
        match (height, depth) {
            (0, 0) => Shape::Array(1),
            (_, 0) => Shape::Array(2),
            (0, _) => return invalid,
            _ => Shape::Array(3),
        }
    };
    if flags & CUDA_ARRAY3D_TEXTURE_GATHER != 0 && shape != Shape::Array(2) {
        return invalid;
    }
    Ok(shape)
}

/// Levels of an array with this descriptor, and the bytes that they take. Addresses count from 0.
fn layout(
    descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
    shape: Shape,
    texel: u64,
    count: u32,
) -> Option<(Vec<(CUDA_ARRAY3D_DESCRIPTOR, Level)>, u64)> {
    let mut end = 0_u64;
    let mut levels = Vec::new();
    for index in 0..count {
        let smaller = |size: usize| if size == 0 { 0 } else { (size >> index).max(1) };
        let mut own = *descriptor;
        own.Width = smaller(own.Width);
        own.Height = smaller(own.Height);
        if shape == Shape::Array(3) {
            own.Depth = smaller(own.Depth);
        }
        let size = [own.Width, own.Height.max(1), own.Depth.max(1)];
        let [width, height, depth] = size.map(|size| u32::try_from(size).ok());
        let size = [width?, height?, depth?];
        let row = (u64::from(size[0]) * texel).checked_next_multiple_of(ROW)?;
        let slice = row.checked_mul(u64::from(size[1]))?;
        levels.push((own, Level { address: end, size, row, slice }));
        end = end.checked_add(slice.checked_mul(u64::from(size[2]))?)?.checked_next_multiple_of(512)?;
    }
    Some((levels, end))
}

/// Makes the arrays of `count` levels, all in one piece of memory; returns where that begins.
fn make(
    call: &mut Call<'_>,
    descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
    count: Option<u32>,
) -> Answer<(Vec<Array>, u64)> {
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    let (format, channels) = texel_of(descriptor.Format, descriptor.NumChannels)?;
    let shape = shape_of(descriptor)?;
    if !call.state.takes_array(device, shape, descriptor, count.is_some()) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let longest = match shape {
        Shape::Array(3) => descriptor.Width.max(descriptor.Height).max(descriptor.Depth),
        _ => descriptor.Width.max(descriptor.Height),
    };
    // As many levels as there can be, if more are asked for.
    let levels = count.unwrap_or(1).clamp(1, 1 + longest.max(1).ilog2());
    let texel = u64::from(format.bytes() * channels);
    let memory = layout(descriptor, shape, texel, levels);
    let (levels, bytes) = memory.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    let base = call.state.heap.allocate(device, context, Kind::Array, bytes);
    let base = base.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    let arrays = levels.into_iter().map(|(descriptor, level)| Array {
        context,
        descriptor,
        format,
        channels,
        shape,
        level: Level { address: base + level.address, ..level },
        is_level: count.is_some(),
    });
    Ok((arrays.collect(), base))
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create(
    call: &mut Call<'_>,
    to: *mut CUarray,
    descriptor: *const CUDA_ARRAY_DESCRIPTOR,
) -> Answer {
    if to.is_null() || descriptor.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let given = unsafe { descriptor.read() };
    let descriptor = CUDA_ARRAY3D_DESCRIPTOR {
        Width: given.Width,
        Height: given.Height,
        Depth: 0,
        Format: given.Format,
        NumChannels: given.NumChannels,
        Flags: 0,
    };
    // SAFETY: the program's promise; the descriptor is ours.
    unsafe { create_3d(call, to, &raw const descriptor) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create_3d(
    call: &mut Call<'_>,
    to: *mut CUarray,
    descriptor: *const CUDA_ARRAY3D_DESCRIPTOR,
) -> Answer {
    if to.is_null() || descriptor.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let descriptor = unsafe { descriptor.read() };
    let (arrays, _) = make(call, &descriptor, None)?;
    let array = arrays.into_iter().next().ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
    let handle = call.state.images.arrays.insert(array);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

impl Images {
    /// An array that lives. One that is gone is reported as if its context were (measured).
    pub(super) fn array(&self, array: CUarray) -> Answer<&Array> {
        self.arrays.named(Handle::of(array))
    }

    /// A mipmapped array that lives.
    pub(super) fn mipmapped(&self, mipmapped: CUmipmappedArray) -> Answer<&Mipmapped> {
        self.mipmapped.named(Handle::of(mipmapped))
    }

    /// The image of an array or of one level.
    pub(super) fn image_of_array(&self, handle: Handle) -> Option<Image> {
        self.image(&[handle])
    }

    /// The image of all levels of a mipmapped array.
    pub(super) fn image_of_mipmapped(&self, handle: Handle) -> Option<Image> {
        self.image(&self.mipmapped.get(handle)?.levels)
    }

    fn image(&self, levels: &[Handle]) -> Option<Image> {
        let first = self.arrays.get(*levels.first()?)?;
        let levels = levels.iter().map(|level| Some(self.arrays.get(*level)?.level));
        Some(Image {
            format: first.format,
            channels: first.channels,
            shape: first.shape,
            levels: levels.collect::<Option<_>>()?,
        })
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_descriptor(
    call: &mut Call<'_>,
    to: *mut CUDA_ARRAY_DESCRIPTOR,
    array: CUarray,
) -> Answer {
    let found = call.state.images.array(array)?.descriptor;
    let descriptor = CUDA_ARRAY_DESCRIPTOR {
        Width: found.Width,
        Height: found.Height,
        Format: found.Format,
        NumChannels: found.NumChannels,
    };
    // SAFETY: the program's promise.
    unsafe { put(to, descriptor) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_descriptor_3d(
    call: &mut Call<'_>,
    to: *mut CUDA_ARRAY3D_DESCRIPTOR,
    array: CUarray,
) -> Answer {
    let descriptor = call.state.images.array(array)?.descriptor;
    // SAFETY: the program's promise.
    unsafe { put(to, descriptor) }
}

pub(super) fn destroy(call: &mut Call<'_>, array: CUarray) -> Answer {
    let found = call.state.images.array(array)?;
    if found.is_level {
        // The memory is the mipmapped array's. No error says so (measured).
        return Ok(());
    }
    let (base, context) = (found.level.address, found.context);
    // Queued kernels may sample it, and queued copies end there. Peers are not waited for (T145).
    let ops = call.state.own_work(context);
    call.wait_then(ops, move |state| {
        state.images.arrays.remove(Handle::of(array));
        state.heap.free(base);
        Ok(())
    })
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create_mipmapped(
    call: &mut Call<'_>,
    to: *mut CUmipmappedArray,
    descriptor: *const CUDA_ARRAY3D_DESCRIPTOR,
    count: c_uint,
) -> Answer {
    if to.is_null() || descriptor.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let descriptor = unsafe { descriptor.read() };
    let context = call.context;
    let (arrays, base) = make(call, &descriptor, Some(count))?;
    let images = &mut call.state.images;
    let levels = arrays.into_iter().map(|array| images.arrays.insert(array)).collect();
    let handle = images.mipmapped.insert(Mipmapped { context, levels, base });
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_level(
    call: &mut Call<'_>,
    to: *mut CUarray,
    mipmapped: CUmipmappedArray,
    level: c_uint,
) -> Answer {
    let found = call.state.images.mipmapped(mipmapped)?;
    let level = *found.levels.get(level as usize).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    // SAFETY: the program's promise.
    unsafe { put(to, level.pointer()) }
}

pub(super) fn destroy_mipmapped(call: &mut Call<'_>, mipmapped: CUmipmappedArray) -> Answer {
    let context = call.state.images.mipmapped(mipmapped)?.context;
    // As for other arrays.
    let ops = call.state.own_work(context);
    call.wait_then(ops, move |state| {
        let images = &mut state.images;
        if let Some(gone) = images.mipmapped.remove(Handle::of(mipmapped)) {
            for level in gone.levels {
                images.arrays.remove(level);
            }
            state.heap.free(gone.base);
        }
        Ok(())
    })
}

/// No array is sparse.
pub(super) fn get_sparse(
    call: &mut Call<'_>,
    _: *mut CUDA_ARRAY_SPARSE_PROPERTIES,
    array: CUarray,
) -> Answer {
    call.state.images.array(array)?;
    Err(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// As with those without levels.
pub(super) fn get_sparse_mipmapped(
    call: &mut Call<'_>,
    _: *mut CUDA_ARRAY_SPARSE_PROPERTIES,
    mipmapped: CUmipmappedArray,
) -> Answer {
    call.state.images.mipmapped(mipmapped)?;
    Err(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// Only video formats have planes.
pub(super) fn get_plane(call: &mut Call<'_>, _: *mut CUarray, array: CUarray, _: c_uint) -> Answer {
    call.state.images.array(array)?;
    Err(CUresult::CUDA_ERROR_INVALID_VALUE)
}
