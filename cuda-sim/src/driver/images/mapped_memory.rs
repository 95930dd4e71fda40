//! Memory that programs map to arrays: to tiles and mip tails of sparse arrays, and to whole arrays without memory of
//! their own.
//!
//! Copies access the memory. Textures and surfaces of such an array are not simulated, whether they are bound before or
//! after the mapping. Kernels that are launched with one fail. The layout of texels in a tile is this driver's own: row
//! after row.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::images::array::{Array, Backing};
use crate::driver::images::array_memory::{Measure, PAGE, requirements, sparse};
use crate::driver::memory::batch_arguments::full_list;
use crate::driver::memory::shared_mapping::Store;
use crate::driver::operations::duration;
use crate::driver::{Answer, Call, State};
use core::ffi::c_uint;
use core::sync::atomic::Ordering;
use cuda_sys::{
    CUarrayMapInfo, CUarraySparseSubresourceType_enum as Kind, CUmemOperationType_enum as Operation,
    CUresourcetype_enum as ResourceType, CUresult, CUstream,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Memory of one tile.
#[derive(Clone)]
struct Tile {
    memory: Handle,
    store: Arc<Store>,
    offset: u64,
}

/// Memory that is mapped to an array, or to one level of an array.
struct Tiles {
    /// Columns, rows and slices of a tile. A column is a texel or a block.
    size: [u64; 3],
    /// Bytes of a column.
    unit: u64,
    /// Tiles by their indices along x, y and z.
    tiles: BTreeMap<[u64; 3], Tile>,
}

/// Memory of all arrays with mapped memory.
#[derive(Default)]
pub(crate) struct MappedMemory(BTreeMap<Handle, Tiles>);

/// Tile to map, or to unmap if there is no memory.
struct Change {
    array: Handle,
    size: [u64; 3],
    unit: u64,
    tile: [u64; 3],
    memory: Option<Tile>,
}

/// Array of a mapping: its levels, and their common properties.
struct Target {
    largest: Array,
    levels: Vec<Handle>,
    measure: Measure,
}

impl Target {
    fn of(state: &State, given: &CUarrayMapInfo) -> Answer<Target> {
        let images = &state.images;
        let levels = match given.resourceType {
            ResourceType::CU_RESOURCE_TYPE_ARRAY => {
                // SAFETY: the type determines the member.
                let array = unsafe { given.resource.array };
                vec![Handle::of(array)]
            }
            ResourceType::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => {
                // SAFETY: as above.
                images.levels(unsafe { given.resource.mipmap }).map_err(|_| INVALID)?.to_vec()
            }
            _ => return Err(INVALID),
        };
        let largest = levels.first().and_then(|level| images.arrays.get(*level)).ok_or(INVALID)?;
        let is_level = given.resourceType == ResourceType::CU_RESOURCE_TYPE_ARRAY && largest.part;
        if is_level || largest.backing == Backing::Own {
            return Err(INVALID);
        }
        let measure = Measure::of(largest).ok_or(CUresult::CUDA_ERROR_NOT_SUPPORTED)?;
        Ok(Target { largest: largest.clone(), levels, measure })
    }

    /// Returns the size of a level, in columns, rows and slices.
    fn columns(&self, level: usize) -> [u64; 3] {
        let side = self.measure.side;
        let [width, height, depth] = self.measure.level(level);
        [width.div_ceil(side), height.div_ceil(side), depth]
    }

    fn change(&self, level: usize, size: [u64; 3], tile: [u64; 3], memory: Option<Tile>) -> Answer<Change> {
        let array = *self.levels.get(level).ok_or(INVALID)?;
        Ok(Change { array, size, unit: self.measure.unit, tile, memory })
    }

    /// Adds the changes of whole levels of one layer, which are consecutive in the memory, to `changes`.
    fn levels_of_layer(
        &self,
        levels: core::ops::Range<usize>,
        layer: u64,
        memory: Option<&Tile>,
        changes: &mut Vec<Change>,
    ) -> Answer {
        let bytes = |size: [u64; 3]| size.iter().product::<u64>() * self.measure.unit;
        let mut skipped = 0;
        for level in levels {
            let size = self.columns(level);
            let placed = memory.map(|tile| Tile { offset: tile.offset + skipped, ..tile.clone() });
            skipped += bytes(size);
            changes.push(self.change(level, size, [0, 0, layer], placed)?);
        }
        Ok(())
    }

    fn whole(&self, memory: Option<&Tile>, changes: &mut Vec<Change>) -> Answer {
        let levels = 0..self.levels.len();
        let bytes: u64 =
            levels.clone().map(|level| self.columns(level).iter().product::<u64>() * self.measure.unit).sum();
        for layer in 0..self.measure.layers {
            let placed = memory.map(|tile| Tile { offset: tile.offset + layer * bytes, ..tile.clone() });
            self.levels_of_layer(levels.clone(), layer, placed.as_ref(), changes)?;
        }
        Ok(())
    }
}

/// Returns the memory that an operation maps, with `needed` bytes, or `None` if it unmaps.
fn memory_of(state: &State, given: &CUarrayMapInfo, needed: u64) -> Answer<Option<Tile>> {
    if given.memOperationType == Operation::CU_MEM_OPERATION_TYPE_UNMAP {
        return Ok(None);
    }
    // SAFETY: there is one kind of handle.
    let handle = unsafe { given.memHandle.memHandle };
    let memory = state.memory(handle)?;
    let fits = given.offset.checked_add(needed).is_some_and(|end| end <= memory.store.len());
    if !memory.is_tile_pool || !given.offset.is_multiple_of(PAGE) || !fits {
        return Err(INVALID);
    }
    if memory.on_host {
        say("memory of the host for parts of arrays is not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    Ok(Some(Tile { memory: Handle(handle), store: Arc::clone(&memory.store), offset: given.offset }))
}

/// Adds the tiles that an operation changes to `changes`.
///
/// Refusals were measured for the operations of `array-map-refused`, `-edges`, `-levels`, `-layers` and `-deferred` in
/// `conformance/answers.tsv` only. For example, offsets that overflow, and unmapping beyond an array, were not
/// measured.
fn changes_of(state: &State, given: &CUarrayMapInfo, device: i32, changes: &mut Vec<Change>) -> Answer {
    let operations = [Operation::CU_MEM_OPERATION_TYPE_MAP, Operation::CU_MEM_OPERATION_TYPE_UNMAP];
    let is_of_device = u32::try_from(device).ok().and_then(|device| 1_u32.checked_shl(device));
    if !operations.contains(&given.memOperationType)
        || given.memHandleType.0 != 0
        || given.flags != 0
        || given.reserved != [0; 2]
        || is_of_device != Some(given.deviceBitMask)
    {
        return Err(INVALID);
    }
    let target = Target::of(state, given)?;
    if target.largest.backing == Backing::Later {
        let needed = requirements(&target.largest, target.levels.len())?;
        return target.whole(memory_of(state, given, needed)?.as_ref(), changes);
    }
    let properties = sparse(&target.largest, target.levels.len())?;
    let single = properties.flags & cuda_sys::CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL != 0;
    let has_tail = properties.miptailSize > 0;
    let first_of_tail = properties.miptailFirstLevel as usize;
    match given.subresourceType {
        Kind::CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL => {
            // SAFETY: the type determines the member.
            let tiles = unsafe { given.subresource.sparseLevel };
            let level = tiles.level as usize;
            if u64::from(tiles.layer) >= target.measure.layers || has_tail && level >= first_of_tail {
                return Err(INVALID);
            }
            target.levels.get(level).ok_or(INVALID)?;
            let at = [tiles.offsetX, tiles.offsetY, tiles.offsetZ].map(u64::from);
            let extent = [tiles.extentWidth, tiles.extentHeight, tiles.extentDepth].map(u64::from);
            let tile = target.measure.tile().map(u64::from);
            let size = target.measure.level(level);
            let mut counts = [0; 3];
            for axis in 0..3 {
                let (end, whole) = (at[axis] + extent[axis], extent[axis].is_multiple_of(tile[axis]));
                let fits = end == size[axis] || whole && end < size[axis];
                if extent[axis] == 0 || !at[axis].is_multiple_of(tile[axis]) || !fits {
                    return Err(INVALID);
                }
                counts[axis] = extent[axis].div_ceil(tile[axis]);
            }
            let memory = memory_of(state, given, counts.iter().product::<u64>() * PAGE)?;
            let side = target.measure.side;
            let columns = [tile[0] / side, tile[1] / side, tile[2]];
            let mut number = 0;
            for z in 0..counts[2] {
                for y in 0..counts[1] {
                    for x in 0..counts[0] {
                        let placed = memory
                            .as_ref()
                            .map(|memory| Tile { offset: memory.offset + number * PAGE, ..memory.clone() });
                        number += 1;
                        let layer = u64::from(tiles.layer);
                        let place = [at[0] / tile[0] + x, at[1] / tile[1] + y, at[2] / tile[2] + z + layer];
                        changes.push(target.change(level, columns, place, placed)?);
                    }
                }
            }
            Ok(())
        }
        Kind::CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL => {
            // SAFETY: the type determines the member.
            let tail = unsafe { given.subresource.miptail };
            let layers = if single { 1 } else { target.measure.layers };
            let is_whole =
                tail.offset.is_multiple_of(PAGE) && tail.size.is_multiple_of(PAGE) && tail.size > 0;
            let fits = tail.offset.checked_add(tail.size).is_some_and(|end| end <= properties.miptailSize);
            if !has_tail || !is_whole || !fits || u64::from(tail.layer) >= layers {
                return Err(INVALID);
            }
            let memory = memory_of(state, given, tail.size)?;
            if tail.size != properties.miptailSize {
                say("mapping memory to a part of a mip tail is not simulated");
                return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
            }
            if single {
                return target.whole(memory.as_ref(), changes);
            }
            let levels = first_of_tail..target.levels.len();
            target.levels_of_layer(levels, tail.layer.into(), memory.as_ref(), changes)
        }
        _ => Err(INVALID),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn map(
    call: &mut Call<'_>,
    operations: *mut CUarrayMapInfo,
    count: c_uint,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    let operations = unsafe { full_list(operations, count as usize) }?;
    let on = call.state.stream(stream)?;
    call.state.check_uncaptured(on)?;
    let device = call.state.live_context(on.1)?.device;
    let mut changes = Vec::new();
    if operations
        .windows(2)
        .any(|pair| matches!(pair, [one, next] if one.subresourceType != next.subresourceType))
    {
        say("mapping memory to tiles and mip tails by one call is not simulated: hardware loses some");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    for given in &operations {
        changes_of(call.state, given, device, &mut changes)?;
    }
    // From now on, the mapping keeps the memory alive without its handle.
    for tile in changes.iter().filter_map(|change| change.memory.as_ref()) {
        call.state.count_mapping(tile.memory);
    }
    let mut has_changed = false;
    for change in &changes {
        let has_memory = change.memory.is_some();
        match call.state.images.arrays.get(change.array) {
            Some(array) if has_memory || array.backing == Backing::Later => {
                has_changed |= array.has_memory.swap(has_memory, Ordering::Relaxed) != has_memory;
            }
            _ => {}
        }
    }
    if has_changed {
        call.state.images.refresh_objects();
    }
    call.state.submit_memory_work(on, duration(0), move |state| {
        for change in changes {
            state.change_tile(change);
        }
        Ok(())
    });
    Ok(())
}

impl State {
    fn change_tile(&mut self, change: Change) {
        let Change { array, size, unit, tile, memory } = change;
        let tiles = self.images.mapped.0.entry(array);
        let tiles = tiles.or_insert_with(|| Tiles { size, unit, tiles: BTreeMap::new() });
        let before = match memory {
            Some(memory) => tiles.tiles.insert(tile, memory),
            None => tiles.tiles.remove(&tile),
        };
        if let Some(before) = before {
            self.end_mapping(before);
        }
    }

    fn end_mapping(&mut self, tile: Tile) {
        let handle = tile.memory;
        drop(tile);
        self.count_mapping_out(handle);
    }

    /// Releases the memory of destroyed arrays.
    pub(crate) fn end_mappings_of_arrays(&mut self) {
        let arrays = &self.images.arrays;
        let mapped = &mut self.images.mapped.0;
        if mapped.is_empty() {
            return;
        }
        let gone: Vec<Handle> = mapped.keys().copied().filter(|array| arrays.get(*array).is_none()).collect();
        let tiles: Vec<Tile> = gone
            .iter()
            .filter_map(|array| mapped.remove(array))
            .flat_map(|tiles| tiles.tiles.into_values())
            .collect();
        for tile in tiles {
            self.end_mapping(tile);
        }
    }

    /// Reads a row of bytes of an array with mapped memory. Unmapped parts read as zeros.
    pub(crate) fn read_mapped_row(&self, array: Handle, [x, y, z]: [u64; 3], row: &mut [u8]) -> Answer {
        row.fill(0);
        self.in_pieces(array, [x, y, z], row.len() as u64, |store, offset, piece| {
            let piece = row.get_mut(piece).ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
            store.read(offset, piece).ok_or(CUresult::CUDA_ERROR_UNKNOWN)
        })
    }

    /// Writes a row of bytes. Bytes for unmapped parts are lost.
    pub(crate) fn write_mapped_row(&self, array: Handle, at: [u64; 3], row: &[u8]) -> Answer {
        self.in_pieces(array, at, row.len() as u64, |store, offset, piece| {
            let piece = row.get(piece).ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
            store.write(offset, piece).ok_or(CUresult::CUDA_ERROR_UNKNOWN)
        })
    }

    /// Calls `work` for each mapped part of a row of bytes: with its memory, its offset there and its range in the row.
    fn in_pieces(
        &self,
        array: Handle,
        [x, y, z]: [u64; 3],
        len: u64,
        mut work: impl FnMut(&Store, u64, core::ops::Range<usize>) -> Answer,
    ) -> Answer {
        let Some(tiles) = self.images.mapped.0.get(&array) else { return Ok(()) };
        let [columns, rows, slices] = tiles.size;
        let row_bytes = columns * tiles.unit;
        let mut done = 0;
        while done < len {
            let (column, inside) = ((x + done) / row_bytes, (x + done) % row_bytes);
            let piece = (row_bytes - inside).min(len - done);
            if let Some(tile) = tiles.tiles.get(&[column, y / rows, z / slices]) {
                let row = (z % slices) * rows + y % rows;
                let bytes = done as usize..(done + piece) as usize;
                work(&tile.store, tile.offset + row * row_bytes + inside, bytes)?;
            }
            done += piece;
        }
        Ok(())
    }
}
