//! Checks that mapped parts are inside their array, and inside their memory.
//!
//! The refusals of drivers are measured only for the rows `array-map-*` of `conformance/answers.tsv`. These do not cover some
//! axes, sums that overflow, and parts to unmap. So this crate checks all numbers before the call.

use super::mapping::{MappedArray, SparsePart};
use super::{ArrayFlags, SparseFlags, SparseProperties};
use crate::device::Device;
use crate::error::{Error, Result};
use core::fmt;
use cuda_sys::Symbol;

/// The bytes of a tile, and the unit of offsets and sizes of a mip tail.
const TILE_BYTES: u64 = 1 << 16;

/// The sizes of an array to which memory is mapped.
pub(super) struct ArrayLimits {
    /// Width, height and depth of the largest level.
    size: [u64; 3],
    layers: u64,
    levels: u32,
    memory: MemoryLimits,
}

/// The memory of an array.
enum MemoryLimits {
    /// Tiles and a mip tail.
    Sparse(SparseProperties),
    /// The bytes of the whole array, and the unit of its offset.
    Whole { bytes: u64, alignment: u64 },
}

impl ArrayLimits {
    /// Queries the sizes from the driver.
    pub(super) fn of(array: MappedArray<'_>, device: Device) -> Result<Self> {
        let descriptor = array.descriptor();
        let is_layered = descriptor.flags.intersects(ArrayFlags::LAYERED | ArrayFlags::CUBEMAP);
        let at_least_1 = |size: usize| (size as u64).max(1);
        let (width, height, depth) =
            (at_least_1(descriptor.width), at_least_1(descriptor.height), at_least_1(descriptor.depth));
        let (depth, layers) = if is_layered { (1, depth) } else { (depth, 1) };
        let levels = match array {
            MappedArray::Array(_) => 1,
            MappedArray::Mipmapped(array) => array.levels(),
        };
        let memory = if descriptor.flags.contains(ArrayFlags::SPARSE) {
            MemoryLimits::Sparse(match array {
                MappedArray::Array(array) => array.sparse_properties(),
                MappedArray::Mipmapped(array) => array.sparse_properties(),
            }?)
        } else {
            let needed = match array {
                MappedArray::Array(array) => array.memory_requirements(device),
                MappedArray::Mipmapped(array) => array.memory_requirements(device),
            }?;
            MemoryLimits::Whole { bytes: needed.bytes as u64, alignment: needed.alignment as u64 }
        };
        Ok(ArrayLimits { size: [width, height, depth], layers, levels, memory })
    }

    /// Refuses a part that is not inside the array, and memory that cannot hold the part. `memory` has the offset of the part and
    /// the size of the whole memory.
    pub(super) fn check(
        &self,
        index: usize,
        part: Option<SparsePart>,
        memory: Option<(u64, u64)>,
    ) -> Result<()> {
        let operation = Operation(index);
        let (bytes, unit) = match (part, &self.memory) {
            (Some(SparsePart::Tiles { level, layer, at, size }), MemoryLimits::Sparse(properties)) => {
                operation.at_most("layer", layer, self.layers - 1)?;
                operation.at_most("level", level, self.levels - 1)?;
                operation.ensure_before_tail(level, properties)?;
                let count = self.tiles(&operation, level, at, (size, properties.tile_size))?;
                (count.saturating_mul(TILE_BYTES), TILE_BYTES)
            }
            (Some(SparsePart::Tail { layer, offset, bytes }), MemoryLimits::Sparse(properties)) => {
                let has_one_tail = properties.flags.contains(SparseFlags::SINGLE_MIPTAIL);
                let last_layer = if has_one_tail { 0 } else { self.layers - 1 };
                operation.at_most("layer of the mip tail", layer, last_layer)?;
                operation.multiple_of("offset in the mip tail", offset, TILE_BYTES)?;
                operation.at_most("offset in the mip tail", offset, properties.tail_bytes)?;
                operation.at_least_one("bytes of the mip tail", bytes)?;
                operation.multiple_of("bytes of the mip tail", bytes, TILE_BYTES)?;
                operation.at_most("bytes of the mip tail", bytes, properties.tail_bytes - offset)?;
                (bytes, TILE_BYTES)
            }
            (None, MemoryLimits::Whole { bytes, alignment }) => (*bytes, *alignment),
            (Some(_), MemoryLimits::Whole { .. }) => {
                return Err(operation.refuse(format_args!("the array is not sparse; map it whole")));
            }
            (None, MemoryLimits::Sparse(_)) => {
                return Err(operation.refuse(format_args!("the array is sparse; map tiles or the mip tail")));
            }
        };
        let Some((offset, all)) = memory else { return Ok(()) };
        operation.multiple_of("offset in memory", offset, unit)?;
        operation.at_most("offset in memory", offset, all)?;
        operation.at_most("bytes of memory", bytes, all - offset)
    }

    /// Returns the number of tiles of a part of a level.
    fn tiles(
        &self,
        operation: &Operation,
        level: u32,
        at: [u32; 3],
        (size, tile): ([u32; 3], [u32; 3]),
    ) -> Result<u64> {
        const NAMES: [(&str, &str); 3] = [("x", "width"), ("y", "height"), ("z", "depth")];
        let mut count = 1_u64;
        let axes = NAMES.into_iter().zip(self.size).zip(at).zip(size.into_iter().zip(tile));
        for ((((place, extent), largest), at), (size, tile)) in axes {
            let (at, size, tile) = (u64::from(at), u64::from(size), u64::from(tile).max(1));
            let all = largest.checked_shr(level).unwrap_or(0).max(1);
            operation.multiple_of(place, at, tile)?;
            operation.at_most(place, at, all - 1)?;
            operation.at_least_one(extent, size)?;
            operation.at_most(extent, size, all - at)?;
            if size < all - at {
                operation.multiple_of(extent, size, tile)?;
            }
            count = count.saturating_mul(size.div_ceil(tile));
        }
        Ok(count)
    }
}

/// The index of an operation, for errors.
struct Operation(usize);

impl Operation {
    fn refuse(&self, detail: fmt::Arguments<'_>) -> Error {
        Error::invalid_for(Symbol::cuMemMapArrayAsync, format_args!("operation {}: {detail}", self.0))
    }

    fn at_least_one(&self, name: &str, value: u64) -> Result<()> {
        if value >= 1 { Ok(()) } else { Err(self.refuse(format_args!("{name} {value} is less than 1"))) }
    }

    fn at_most(&self, name: &str, value: impl Into<u64>, limit: impl Into<u64>) -> Result<()> {
        let (value, limit) = (value.into(), limit.into());
        if value <= limit {
            return Ok(());
        }
        Err(self.refuse(format_args!("{name} {value} is more than {limit}")))
    }

    fn multiple_of(&self, name: &str, value: u64, unit: u64) -> Result<()> {
        // If the driver reports the unit 0, every value is accepted.
        match value.checked_rem(unit) {
            None | Some(0) => Ok(()),
            Some(_) => Err(self.refuse(format_args!("{name} {value} is not a multiple of {unit}"))),
        }
    }

    fn ensure_before_tail(&self, level: u32, properties: &SparseProperties) -> Result<()> {
        let SparseProperties { first_tail_level: first, tail_bytes, .. } = *properties;
        if tail_bytes == 0 || level < first {
            return Ok(());
        }
        Err(self.refuse(format_args!(
            "level {level} is part of the mip tail, which begins at level {first}; map the tail"
        )))
    }
}
