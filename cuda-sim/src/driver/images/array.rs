//! Arrays, with levels and without: texels in memory that only the driver knows the addresses of.

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

/// An array, one level of a mipmapped one, or one plane of a picture.
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
    /// It belongs to a mipmapped array or to a picture, which frees the memory.
    pub(crate) part: bool,
    /// The arrays of its planes.
    pub(crate) planes: Vec<Handle>,
}

impl Array {
    /// Whether copies that stay on the device take other memory for its (measured): those of
    /// packed video do, and those of low planes beyond the first 64 bytes of a row.
    pub(crate) fn is_mixed_up(&self) -> bool {
        let bytes = self.content.unit().map_or(0, |unit| u64::from(self.level.size[0]) * u64::from(unit));
        let is_plane = self.part && self.descriptor.Flags & CUDA_ARRAY3D_VIDEO_ENCODE_DECODE != 0;
        matches!(self.content, Content::Video(_)) || is_plane && self.level.size[1] <= 16 && bytes > 64
    }
}

/// Where an array's memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backing {
    Own,
    /// It is mapped tile by tile, and without that reads as zeros.
    Sparse,
    /// It is mapped before the array is used.
    Later,
}

/// An array with levels.
pub(crate) struct Mipmapped {
    pub(crate) context: Handle,
    /// The arrays of the levels, the largest first.
    pub(crate) levels: Vec<Handle>,
    base: u64,
}

/// An array as it was when it was bound: kernels go on with that when it is gone (T133).
pub(crate) struct Snapshot {
    pub(crate) largest: Array,
    /// The texels of all levels, if they can be sampled.
    pub(crate) image: Option<Image>,
}

impl Snapshot {
    /// What surface instructions access. Arrays are not looked at for whether they are made for it (T58).
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

/// The reason why kernels cannot use arrays to which memory is mapped.
pub(super) const MAPPED: &str = "a texture or surface of an array to which memory is mapped";

/// Rows begin at multiples of this many bytes: accesses to surfaces have up to as many.
const ROW: u64 = 16;

/// The shape that sizes and flags make, if they make one, and where the memory is (measured: every format, in 33 shapes).
fn shape_of(descriptor: &CUDA_ARRAY3D_DESCRIPTOR, content: Content) -> Answer<(Shape, Backing)> {
    // Depth textures and colour attachments are refused as if there were no such flags.
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

/// Whether a video format can have this shape.
fn is_video(descriptor: &CUDA_ARRAY3D_DESCRIPTOR, shape: Shape) -> bool {
    let flat = matches!(shape, Shape::Array(2) | Shape::Layered(2));
    let even = descriptor.Width.is_multiple_of(2) && descriptor.Height.is_multiple_of(2);
    flat && even && descriptor.Flags & CUDA_ARRAY3D_VIDEO_ENCODE_DECODE != 0
}

/// Levels of an array with this descriptor, and the bytes that they take. Addresses count from 0.
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

/// Makes the arrays of `count` levels, all in one piece of memory; returns where that begins.
fn make(
    call: &mut Call<'_>,
    descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
    count: Option<u32>,
) -> Answer<(Vec<Array>, u64)> {
    make_in(call, descriptor, count, allocate)
}

/// The same in memory that `place` finds for so many bytes.
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
    // As many levels as there can be, if more are asked for.
    let levels = count.unwrap_or(1).clamp(1, 1 + longest.max(1).ilog2());
    // A picture has no memory beside that of its planes.
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

/// Memory for arrays, if they have some of their own. Those that have none begin at 0, where there is nothing.
fn allocate(call: &mut Call<'_>, backing: Backing, bytes: u64) -> Answer<u64> {
    if backing != Backing::Own || bytes == 0 {
        return Ok(0);
    }
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    let base = call.state.heap.allocate(device, context, Kind::Array, bytes);
    base.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)
}

/// The arrays of the planes of a picture, each with memory of its own.
fn make_planes(call: &mut Call<'_>, array: &Array, planes: Planes) -> Answer<Vec<Array>> {
    if array.backing != Backing::Own || array.shape != Shape::Array(2) {
        // Nobody has said what the planes of such pictures are; that there are none shows when they are asked for.
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
    /// An array that lives. One that is gone is reported as if its context were (measured).
    pub(crate) fn array(&self, array: CUarray) -> Answer<&Array> {
        self.arrays.named(Handle::of(array))
    }

    /// A mipmapped array that lives.
    pub(crate) fn mipmapped(&self, mipmapped: CUmipmappedArray) -> Answer<&Mipmapped> {
        self.mipmapped.named(Handle::of(mipmapped))
    }

    /// The arrays of the levels of a mipmapped array that lives.
    pub(crate) fn levels(&self, mipmapped: CUmipmappedArray) -> Answer<&[Handle]> {
        self.mipmapped(mipmapped).map(|found| found.levels.as_slice())
    }

    /// What an array or one level is now.
    pub(crate) fn snapshot(&self, array: CUarray) -> Answer<Snapshot> {
        let largest = self.array(array)?;
        let image = self.image(&[Handle::of(array)]);
        Ok(Snapshot { largest: largest.clone(), image })
    }

    /// What all levels of a mipmapped array are now.
    pub(crate) fn snapshot_of_levels(&self, mipmapped: CUmipmappedArray) -> Answer<Snapshot> {
        let levels = self.levels(mipmapped)?;
        let largest = levels.first().and_then(|level| self.arrays.get(*level));
        let largest = largest.ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
        Ok(Snapshot { largest: largest.clone(), image: self.image(levels) })
    }

    /// The texels of these levels, if they can be sampled.
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
        // The memory is the mipmapped array's, or the picture's. No error says so (measured).
        return Ok(());
    }
    let (base, context, planes) = (found.level.address, found.context, found.planes.clone());
    // Queued kernels may sample it, and queued copies end there. Peers are not waited for (T145).
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
    /// Makes an array with levels in the current context.
    pub(crate) fn make_mipmapped(
        &mut self,
        descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
        count: c_uint,
    ) -> Answer<Handle> {
        self.make_mipmapped_in(descriptor, count, allocate)
    }

    /// The same in memory that `place` finds for so many bytes.
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
    // As for other arrays.
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
        say("the planes of pictures in layers, or whose memory is mapped, are not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    // The same array each time, which is its own picture's part (measured).
    let plane = *found.planes.get(index as usize).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    // SAFETY: the program's promise.
    unsafe { put(to, plane.pointer()) }
}
