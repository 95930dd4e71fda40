//! Memory requirements of arrays without memory of their own: the size and the tiles.
//!
//! Texels are stored in pieces of 64 bytes by 8 rows. Several pieces above each other, or behind each other in three
//! dimensions, are padded to a power of two. This was measured for 726 arrays of 25 formats, with and without levels.

#![allow(unsafe_code)]

use crate::driver::images::array::{Array, Backing};
use crate::driver::{Answer, Call, put};
use cuda_sim_engine::Shape;
use cuda_sys::{
    CUDA_ARRAY_MEMORY_REQUIREMENTS, CUDA_ARRAY_SPARSE_PROPERTIES,
    CUDA_ARRAY_SPARSE_PROPERTIES_st__bindgen_ty_1, CUarray, CUdevice, CUmipmappedArray, CUresult,
};

/// Granularity and alignment of an array's memory, in bytes.
pub(super) const PAGE: u64 = 0x1_0000;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Parameters of an array's memory: the size of its largest level, the number of layers, and the size of a texel.
pub(super) struct Measure {
    size: [u64; 3],
    pub(super) layers: u64,
    three: bool,
    /// Bytes of a texel or block, and texels along its side.
    pub(super) unit: u64,
    pub(super) side: u64,
}

impl Measure {
    pub(super) fn of(array: &Array) -> Option<Self> {
        let three = array.shape == Shape::Array(3);
        let [width, height, depth] =
            [array.descriptor.Width, array.descriptor.Height, array.descriptor.Depth]
                .map(|size| (size as u64).max(1));
        let (depth, layers) = if three { (depth, 1) } else { (1, depth) };
        let (unit, side) = (array.content.unit()?.into(), array.content.side().into());
        Some(Self { size: [width, height, depth], layers, three, unit, side })
    }

    pub(super) fn level(&self, index: usize) -> [u64; 3] {
        self.size.map(|size| (size >> index).max(1))
    }

    /// Returns the bytes of some levels of one layer.
    fn bytes(&self, levels: core::ops::Range<usize>) -> u64 {
        // A stack is as high as necessary, up to 16.
        let piled = |count: u64| count.next_power_of_two().min(16);
        let level = |index: usize| {
            let [width, height, depth] = self.level(index);
            let row = (width.div_ceil(self.side) * self.unit).next_multiple_of(64);
            let rows = height.div_ceil(self.side);
            let (high, deep) = if self.three { (1, piled(depth)) } else { (piled(rows.div_ceil(8)), 1) };
            row * rows.next_multiple_of(8 * high) * depth.next_multiple_of(deep)
        };
        levels.map(level).sum()
    }

    /// Returns the tiles in which memory is mapped.
    pub(super) fn tile(&self) -> [u32; 3] {
        let tile = match (self.three, self.unit) {
            (false, 1) => [256, 256, 1],
            (false, 2) => [256, 128, 1],
            (false, 4) => [128, 128, 1],
            (false, 8) => [128, 64, 1],
            (false, _) => [64, 64, 1],
            (true, 1) => [64, 32, 32],
            (true, 2) => [32, 32, 32],
            (true, 4) => [32, 32, 16],
            (true, 8) => [32, 16, 16],
            (true, _) => [16, 16, 16],
        };
        let side = self.side as u32;
        [tile[0] * side, tile[1] * side, tile[2]]
    }
}

pub(super) fn requirements(array: &Array, levels: usize) -> Answer<u64> {
    if array.backing != Backing::Later {
        return Err(INVALID);
    }
    let measure = Measure::of(array).ok_or(CUresult::CUDA_ERROR_NOT_SUPPORTED)?;
    Ok((measure.bytes(0..levels) * measure.layers).next_multiple_of(PAGE))
}

/// Returns the properties of a sparse array. Levels that are too small for tiles are mapped together, for each layer.
/// If no level is large enough, the levels of all layers are mapped together.
pub(super) fn sparse(array: &Array, levels: usize) -> Answer<CUDA_ARRAY_SPARSE_PROPERTIES> {
    if array.backing != Backing::Sparse {
        return Err(INVALID);
    }
    let measure = Measure::of(array).ok_or(CUresult::CUDA_ERROR_NOT_SUPPORTED)?;
    let tile = measure.tile();
    let is_small =
        |index: &usize| measure.level(*index).iter().zip(tile).any(|(size, tile)| *size < u64::from(tile));
    let first = (0..levels).find(is_small);
    let bytes = first.map_or(0, |first| {
        let layers = if first == 0 { measure.layers } else { 1 };
        (measure.bytes(first..levels) * layers).next_multiple_of(PAGE)
    });
    // Without a mip tail, this is the number of levels, or 0 for an array without levels (measured).
    let without = if array.part { levels } else { 0 };
    let [width, height, depth] = tile;
    Ok(CUDA_ARRAY_SPARSE_PROPERTIES {
        tileExtent: CUDA_ARRAY_SPARSE_PROPERTIES_st__bindgen_ty_1 { width, height, depth },
        miptailFirstLevel: first.unwrap_or(without) as u32,
        miptailSize: bytes,
        flags: u32::from(first == Some(0)),
        reserved: [0; 4],
    })
}

/// Returns an array that is not a level or a plane of another.
fn whole<'call>(call: &'call Call<'_>, array: CUarray) -> Answer<&'call Array> {
    if array.is_null() {
        // Measured.
        return Err(INVALID);
    }
    let found = call.state.images.array(array)?;
    if found.part { Err(INVALID) } else { Ok(found) }
}

/// Returns the largest level of a mipmapped array, and the number of levels.
fn levels<'call>(call: &'call Call<'_>, mipmapped: CUmipmappedArray) -> Answer<(&'call Array, usize)> {
    if mipmapped.is_null() {
        return Err(INVALID);
    }
    let images = &call.state.images;
    let levels = images.levels(mipmapped)?;
    let largest = levels.first().and_then(|level| images.arrays.get(*level));
    Ok((largest.ok_or(INVALID)?, levels.len()))
}

/// # Safety
///
/// As the driver API demands.
unsafe fn put_bytes(to: *mut CUDA_ARRAY_MEMORY_REQUIREMENTS, bytes: u64) -> Answer {
    let found =
        CUDA_ARRAY_MEMORY_REQUIREMENTS { size: bytes as usize, alignment: PAGE as usize, reserved: [0; 4] };
    // SAFETY: the caller's promise.
    unsafe { put(to, found) }
}

/// Returns the memory requirements. The device is not checked (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_requirements(
    call: &mut Call<'_>,
    to: *mut CUDA_ARRAY_MEMORY_REQUIREMENTS,
    array: CUarray,
    _: CUdevice,
) -> Answer {
    let found = whole(call, array)?;
    let bytes = requirements(found, 1)?;
    // SAFETY: the program's promise.
    unsafe { put_bytes(to, bytes) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_requirements_mipmapped(
    call: &mut Call<'_>,
    to: *mut CUDA_ARRAY_MEMORY_REQUIREMENTS,
    mipmapped: CUmipmappedArray,
    _: CUdevice,
) -> Answer {
    let (largest, count) = levels(call, mipmapped)?;
    let bytes = requirements(largest, count)?;
    // SAFETY: the program's promise.
    unsafe { put_bytes(to, bytes) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_sparse(
    call: &mut Call<'_>,
    to: *mut CUDA_ARRAY_SPARSE_PROPERTIES,
    array: CUarray,
) -> Answer {
    let found = whole(call, array)?;
    let properties = sparse(found, 1)?;
    // SAFETY: the program's promise.
    unsafe { put(to, properties) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_sparse_mipmapped(
    call: &mut Call<'_>,
    to: *mut CUDA_ARRAY_SPARSE_PROPERTIES,
    mipmapped: CUmipmappedArray,
) -> Answer {
    let (largest, count) = levels(call, mipmapped)?;
    let properties = sparse(largest, count)?;
    // SAFETY: the program's promise.
    unsafe { put(to, properties) }
}
