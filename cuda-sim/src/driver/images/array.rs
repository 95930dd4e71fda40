//! Arrays with and without levels: texels in memory whose addresses only the driver knows.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::images::array_format::{Content, Planes, content_of};
use crate::driver::images::image_tables::Images;
use crate::driver::memory::heap::Kind;
use crate::driver::{Answer, Call, State, put};
use core::ffi::c_uint;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sim_engine::{Image, Level, Resource, Shape};
use cuda_sys::{
    CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_CUBEMAP, CUDA_ARRAY3D_DEFERRED_MAPPING, CUDA_ARRAY3D_DESCRIPTOR,
    CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_SPARSE, CUDA_ARRAY3D_SURFACE_LDST, CUDA_ARRAY3D_TEXTURE_GATHER,
    CUDA_ARRAY3D_VIDEO_ENCODE_DECODE, CUarray, CUmipmappedArray, CUresult,
};
use std::sync::Arc;

/// Array, one level of a mipmapped array, or one plane of a multi-planar array.
#[derive(Clone)]
pub(crate) struct Array {
    pub(crate) context: Handle,
    pub(crate) descriptor: CUDA_ARRAY3D_DESCRIPTOR,
    pub(crate) content: Content,
    pub(crate) shape: Shape,
    pub(crate) level: Level,
    pub(crate) backing: Backing,
    /// True if memory was mapped to the array. All levels and snapshots of the array share it.
    pub(crate) has_memory: Arc<AtomicBool>,
    /// True if it belongs to a mipmapped or multi-planar array, which frees the memory.
    pub(crate) part: bool,
    /// Arrays of its planes.
    pub(crate) planes: Vec<Handle>,
}

impl Array {
    /// Returns whether copies within the device access wrong memory for this array (measured). This happens for packed
    /// video formats, and for low planes beyond the first 64 bytes of a row.
    pub(crate) fn is_mixed_up(&self) -> bool {
        let bytes = self.content.unit().map_or(0, |unit| u64::from(self.level.size[0]) * u64::from(unit));
        let is_plane = self.part && self.descriptor.Flags & CUDA_ARRAY3D_VIDEO_ENCODE_DECODE != 0;
        matches!(self.content, Content::Video(_)) || is_plane && self.level.size[1] <= 16 && bytes > 64
    }
}

/// Memory of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backing {
    Own,
    /// Memory that is mapped tile by tile. Unmapped tiles read as zeros.
    Sparse,
    /// Memory that is mapped before the array is used.
    Later,
}

/// Array with levels.
pub(crate) struct Mipmapped {
    pub(crate) context: Handle,
    /// Arrays of the levels, the largest first.
    pub(crate) levels: Vec<Handle>,
    base: u64,
}

/// State of an array at the time of a binding. Kernels keep using it after the array is destroyed (conformance fact
/// T133).
pub(crate) struct Snapshot {
    pub(crate) largest: Array,
    /// Texels of all levels, if they can be sampled.
    pub(crate) image: Option<Image>,
}

impl Snapshot {
    /// Returns the resource for surface instructions. The flag of arrays for surfaces is not checked
    /// (conformance fact T58).
    pub(crate) fn surface(&self) -> Resource {
        const VIDEO: &str = "a surface of an array of a video format";
        if self.largest.has_memory.load(Ordering::Relaxed) {
            return Resource::Unsupported(MAPPED);
        }
        match (self.largest.backing, &self.image) {
            (Backing::Sparse, _) => Resource::Hole,
            (Backing::Later, _) => Resource::Nowhere,
            (Backing::Own, Some(image)) => Resource::Surface(image.clone()),
            (Backing::Own, None) => Resource::Unsupported(VIDEO),
        }
    }
}

/// Reason why kernels cannot use arrays with mapped memory.
pub(super) const MAPPED: &str = "a texture or surface of an array to which memory is mapped";

/// Alignment of rows in bytes: accesses to surfaces have up to this size.
const ROW: u64 = 16;

/// Returns the shape and the memory of an array with these sizes and flags, if they are valid (measured: every format,
/// in 33 shapes).
fn shape_of(descriptor: &CUDA_ARRAY3D_DESCRIPTOR, content: Content) -> Answer<(Shape, Backing)> {
    // Depth textures and colour attachments are refused as unknown flags.
    const KNOWN: u32 = CUDA_ARRAY3D_LAYERED
        | CUDA_ARRAY3D_SURFACE_LDST
        | CUDA_ARRAY3D_CUBEMAP
        | CUDA_ARRAY3D_TEXTURE_GATHER
        | CUDA_ARRAY3D_SPARSE
        | CUDA_ARRAY3D_DEFERRED_MAPPING
        | CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
    let CUDA_ARRAY3D_DESCRIPTOR { Width: width, Height: height, Depth: depth, Flags: flags, .. } =
        *descriptor;
    let invalid = Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    let has = |flag: u32| flags & flag != 0;
    let backing = match (has(CUDA_ARRAY3D_SPARSE), has(CUDA_ARRAY3D_DEFERRED_MAPPING)) {
        (false, false) => Backing::Own,
        (true, false) => Backing::Sparse,
        (false, true) => Backing::Later,
        (true, true) => return invalid,
    };
    let accessed = has(CUDA_ARRAY3D_SURFACE_LDST);
    if flags & !KNOWN != 0 || backing == Backing::Sparse && accessed {
        return invalid;
    }
    if accessed && content.codec().is_some() {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    if width == 0 {
        return invalid;
    }
    let layered = has(CUDA_ARRAY3D_LAYERED);
    let shape = if has(CUDA_ARRAY3D_CUBEMAP) {
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
    let tiled = matches!(shape, Shape::Array(2 | 3) | Shape::Layered(2));
    let refused = has(CUDA_ARRAY3D_TEXTURE_GATHER) && shape != Shape::Array(2)
        || backing == Backing::Sparse && !tiled
        || content.codec().is_some() && matches!(shape, Shape::Array(1) | Shape::Layered(1));
    if refused || content.texel().is_none() && !is_video(descriptor, shape) {
        return invalid;
    }
    Ok((shape, backing))
}

/// Returns whether a video format can have this shape.
fn is_video(descriptor: &CUDA_ARRAY3D_DESCRIPTOR, shape: Shape) -> bool {
    let flat = matches!(shape, Shape::Array(2) | Shape::Layered(2));
    let even = descriptor.Width.is_multiple_of(2) && descriptor.Height.is_multiple_of(2);
    flat && even && descriptor.Flags & CUDA_ARRAY3D_VIDEO_ENCODE_DECODE != 0
}

/// Returns the levels of an array with this descriptor, and their size in bytes. Addresses count from 0.
fn layout(
    descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
    shape: Shape,
    (unit, side): (u32, u32),
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
        let [across, down] = [size[0], size[1]].map(|size| u64::from(size.div_ceil(side)));
        let row = (across * u64::from(unit)).checked_next_multiple_of(ROW)?;
        let slice = row.checked_mul(down)?;
        levels.push((own, Level { address: end, size, row, slice }));
        end = end.checked_add(slice.checked_mul(u64::from(size[2]))?)?.checked_next_multiple_of(512)?;
    }
    Some((levels, end))
}

/// Creates the arrays of `count` levels in one block of memory. Returns its start.
fn make(
    call: &mut Call<'_>,
    descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
    count: Option<u32>,
) -> Answer<(Vec<Array>, u64)> {
    make_in(call, descriptor, count, allocate)
}

/// Creates the same arrays in memory that `place` allocates.
fn make_in(
    call: &mut Call<'_>,
    descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
    count: Option<u32>,
    place: impl FnOnce(&mut Call<'_>, Backing, u64) -> Answer<u64>,
) -> Answer<(Vec<Array>, u64)> {
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    let content = content_of(descriptor.Format, descriptor.NumChannels)?;
    let (shape, backing) = shape_of(descriptor, content)?;
    let video = content.texel().is_none();
    if !call.state.takes_array(device, shape, descriptor, count.is_some()) || video && count.is_some() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let longest = match shape {
        Shape::Array(3) => descriptor.Width.max(descriptor.Height).max(descriptor.Depth),
        _ => descriptor.Width.max(descriptor.Height),
    };
    // A larger number of levels is reduced to the possible number.
    let levels = count.unwrap_or(1).clamp(1, 1 + longest.max(1).ilog2());
    // A multi-planar array has no memory except that of its planes.
    let unit = (content.unit().unwrap_or(0), content.side());
    let memory = layout(descriptor, shape, unit, levels);
    let (levels, bytes) = memory.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    let base = place(call, backing, if unit.0 == 0 { 0 } else { bytes })?;
    let has_memory = Arc::new(AtomicBool::new(false));
    let arrays = levels.into_iter().map(|(descriptor, level)| Array {
        context,
        descriptor,
        content,
        shape,
        level: Level { address: base + level.address, ..level },
        backing,
        has_memory: Arc::clone(&has_memory),
        part: count.is_some(),
        planes: Vec::new(),
    });
    Ok((arrays.collect(), base))
}

/// Allocates memory for arrays that own memory. The levels of other arrays begin at address 0, where no memory is.
fn allocate(call: &mut Call<'_>, backing: Backing, bytes: u64) -> Answer<u64> {
    if backing != Backing::Own || bytes == 0 {
        return Ok(0);
    }
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    let base = call.state.heap.allocate(device, context, Kind::Array, bytes);
    base.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)
}

/// Creates the arrays of the planes of a multi-planar array, each with memory of its own.
fn make_planes(call: &mut Call<'_>, array: &Array, planes: Planes) -> Answer<Vec<Array>> {
    if array.backing != Backing::Own || array.shape != Shape::Array(2) {
        // The planes of such arrays are not documented. A query for a plane fails.
        return Ok(Vec::new());
    }
    let Planes { format, apart, smaller } = planes;
    let whole = ([1, 1], 1);
    let parts = if apart { vec![whole; 3] } else { vec![whole, (smaller, 2)] };
    let mut made = Vec::new();
    for ([across, down], channels) in parts {
        let descriptor = CUDA_ARRAY3D_DESCRIPTOR {
            Width: array.descriptor.Width / across,
            Height: array.descriptor.Height / down,
            Format: format,
            NumChannels: channels,
            ..array.descriptor
        };
        match make(call, &descriptor, None) {
            Ok((arrays, _)) => made.extend(arrays.into_iter().map(|plane| Array { part: true, ..plane })),
            Err(code) => {
                made.iter().for_each(|plane| call.state.heap.free(plane.level.address));
                return Err(code);
            }
        }
    }
    Ok(made)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
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
pub(crate) unsafe fn create_3d(
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
    let mut array = arrays.into_iter().next().ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
    if let Content::Planes(planes) = array.content {
        let planes = make_planes(call, &array, planes)?;
        let arrays = &mut call.state.images.arrays;
        array.planes = planes.into_iter().map(|plane| arrays.insert(plane)).collect();
    }
    let handle = call.state.images.arrays.insert(array);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

impl Images {
    /// Returns a live array. For a destroyed one, reports a destroyed context (measured).
    pub(crate) fn array(&self, array: CUarray) -> Answer<&Array> {
        self.arrays.named(Handle::of(array))
    }

    /// Returns a live mipmapped array.
    pub(crate) fn mipmapped(&self, mipmapped: CUmipmappedArray) -> Answer<&Mipmapped> {
        self.mipmapped.named(Handle::of(mipmapped))
    }

    /// Returns the arrays of the levels of a live mipmapped array.
    pub(crate) fn levels(&self, mipmapped: CUmipmappedArray) -> Answer<&[Handle]> {
        self.mipmapped(mipmapped).map(|found| found.levels.as_slice())
    }

    /// Returns the current state of an array or of one level.
    pub(crate) fn snapshot(&self, array: CUarray) -> Answer<Snapshot> {
        let largest = self.array(array)?;
        let image = self.image(&[Handle::of(array)]);
        Ok(Snapshot { largest: largest.clone(), image })
    }

    /// Returns the current state of all levels of a mipmapped array.
    pub(crate) fn snapshot_of_levels(&self, mipmapped: CUmipmappedArray) -> Answer<Snapshot> {
        let levels = self.levels(mipmapped)?;
        let largest = levels.first().and_then(|level| self.arrays.get(*level));
        let largest = largest.ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
        Ok(Snapshot { largest: largest.clone(), image: self.image(levels) })
    }

    /// Returns the texels of these levels, if they can be sampled.
    fn image(&self, levels: &[Handle]) -> Option<Image> {
        let first = self.arrays.get(*levels.first()?)?;
        let texel = first.content.texel()?;
        let levels = levels.iter().map(|level| Some(self.arrays.get(*level)?.level));
        Some(Image {
            format: texel.format,
            channels: texel.channels,
            codec: texel.codec,
            shape: first.shape,
            levels: levels.collect::<Option<_>>()?,
        })
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_descriptor(
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
pub(crate) unsafe fn get_descriptor_3d(
    call: &mut Call<'_>,
    to: *mut CUDA_ARRAY3D_DESCRIPTOR,
    array: CUarray,
) -> Answer {
    let descriptor = call.state.images.array(array)?.descriptor;
    // SAFETY: the program's promise.
    unsafe { put(to, descriptor) }
}

pub(crate) fn destroy(call: &mut Call<'_>, array: CUarray) -> Answer {
    let found = call.state.images.array(array)?;
    if found.part {
        // The memory belongs to the mipmapped or multi-planar array. The call reports no error.
        return Ok(());
    }
    let (base, context, planes) = (found.level.address, found.context, found.planes.clone());
    // Queued kernels may sample the array, and queued copies may write to it. Work of peers is not waited for
    // (conformance fact T145).
    let ops = call.state.own_work(context);
    call.wait_then(ops, move |state| {
        let images = &mut state.images;
        images.arrays.remove(Handle::of(array));
        let planes = planes.into_iter().filter_map(|plane| images.arrays.remove(plane));
        let bases: Vec<u64> = planes.map(|plane| plane.level.address).chain([base]).collect();
        bases.into_iter().for_each(|base| state.heap.free(base));
        state.end_mappings_of_arrays();
        Ok(())
    })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create_mipmapped(
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
    let handle = call.make_mipmapped(&descriptor, count)?;
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

impl Call<'_> {
    /// Creates an array with levels in the current context.
    pub(crate) fn make_mipmapped(
        &mut self,
        descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
        count: c_uint,
    ) -> Answer<Handle> {
        self.make_mipmapped_in(descriptor, count, allocate)
    }

    /// Creates the same array in memory that `place` allocates.
    pub(super) fn make_mipmapped_in(
        &mut self,
        descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
        count: c_uint,
        place: impl FnOnce(&mut Call<'_>, Backing, u64) -> Answer<u64>,
    ) -> Answer<Handle> {
        let context = self.context;
        let (arrays, base) = make_in(self, descriptor, Some(count), place)?;
        let images = &mut self.state.images;
        let levels = arrays.into_iter().map(|array| images.arrays.insert(array)).collect();
        Ok(images.mipmapped.insert(Mipmapped { context, levels, base }))
    }
}

impl State {
    /// Frees an array with levels.
    pub(crate) fn remove_mipmapped(&mut self, mipmapped: Handle) {
        let Some(gone) = self.images.mipmapped.remove(mipmapped) else { return };
        for level in gone.levels {
            self.images.arrays.remove(level);
        }
        self.heap.free(gone.base);
        self.end_mappings_of_arrays();
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_level(
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

pub(crate) fn destroy_mipmapped(call: &mut Call<'_>, mipmapped: CUmipmappedArray) -> Answer {
    let context = call.state.images.mipmapped(mipmapped)?.context;
    // Same as for other arrays.
    let ops = call.state.own_work(context);
    call.wait_then(ops, move |state| {
        state.remove_mipmapped(Handle::of(mipmapped));
        Ok(())
    })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_plane(
    call: &mut Call<'_>,
    to: *mut CUarray,
    array: CUarray,
    index: c_uint,
) -> Answer {
    let found = call.state.images.array(array)?;
    if matches!(found.content, Content::Planes(_)) && found.planes.is_empty() {
        say("planes of layered arrays and of arrays with mapped memory are not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    // Each call returns the same array, which is a part of this array (measured).
    let plane = *found.planes.get(index as usize).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    // SAFETY: the program's promise.
    unsafe { put(to, plane.pointer()) }
}
