//! Copies by tensor maps: `cp.async.bulk.tensor`. They are made at once, like all asynchronous copies.
//!
//! All of their behaviour was measured (conformance facts V990 to V999).

use super::cluster_memory::mapped;
use super::load_store::space_of;
use super::narrow_formats::to_tensor;
use super::registers::lanes;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::op::{
    Atomic, KERNEL_PARAMETERS_START, MemorySpace, NONE, Place, TensorAction, TensorCopy, TensorField,
    TensorFieldName, TensorReduction,
};
use crate::tensor_map::{MOST_TENSOR_BYTES, TensorMap, TensorPart};
use cuda_ptx::modifier::Rounding;

/// Bytes of one chunk of a copy.
const CHUNK: u64 = 16;
/// NaN in each 16 bits of elements out of bounds.
pub(super) const NAN: u16 = 0x7ff7;
/// Alignment of data in shared memory.
const SHARED_ALIGN: u64 = 128;
const MAP_ALIGN: u64 = 64;

/// Adjacent elements in shared memory, and their position in the tensor.
struct Row {
    /// Coordinates of the first element.
    start: [i64; 5],
    /// True if all coordinates but the first are within the tensor.
    is_inside: bool,
}

/// Map whose rows have been found.
struct Tensor {
    map: TensorMap,
    element: u64,
    /// Elements of a row.
    elements: u64,
    /// Bytes from one row in shared memory to the next.
    pitch: u64,
    rows: Vec<Row>,
}

impl Tensor {
    fn row_bytes(&self) -> u64 {
        self.elements * self.element
    }

    /// Returns the address of an element, inside or outside of the tensor.
    fn address(&self, coordinates: &[i64; 5]) -> u64 {
        let first = (coordinates[0] as u64).wrapping_mul(self.element);
        let others = coordinates.iter().skip(1).zip(self.map.strides).take(self.map.rank - 1);
        others.fold(self.map.address.wrapping_add(first), |address, (coordinate, stride)| {
            address.wrapping_add((*coordinate as u64).wrapping_mul(stride))
        })
    }

    /// Returns how many bytes of a chunk are within the tensor. The tensor may end in a chunk, but never begins in the
    /// middle of one.
    fn bytes_inside(&self, row: &Row, offset: u64) -> u64 {
        let first = row.start[0] + (offset / self.element) as i64;
        if !row.is_inside || first < 0 {
            return 0;
        }
        let left = (self.map.dims[0] as i64 - first).clamp(0, CHUNK as i64) as u64;
        (left * self.element).min(CHUNK)
    }

    /// Returns the location of a byte of a row in shared memory.
    fn shared(&self, base: u64, row: usize, offset: u64) -> u64 {
        let plain = base + row as u64 * self.pitch + offset;
        plain ^ (plain >> 7 & ((1 << self.map.swizzle) - 1)) << 4
    }
}

fn refused(lane: usize, detail: impl Into<String>) -> LaneFault {
    LaneFault::new(FaultKind::TensorCopy, lane, detail)
}

/// Finds the rows of a copy that begins at some coordinates.
fn rows(
    map: TensorMap,
    lane: usize,
    start: [i64; 5],
    offsets: [i64; 3],
    is_store: bool,
) -> Result<Tensor, LaneFault> {
    let rank = map.rank;
    let element = match (map.interleave, map.element_bytes()) {
        (0, Some(bytes)) => bytes,
        (1 | 2, Some(_)) if rank >= 3 => CHUNK * u64::from(map.interleave),
        _ => return Err(refused(lane, "the map is not one that a driver makes")),
    };
    let is_interleaved = map.interleave != 0;
    // `outer` is the first dimension in which each coordinate has its own row, and `slices` the channel dimension of
    // interleaved tensors.
    let (outer, slices) = if is_interleaved { (0, rank - 2) } else { (1, rank) };
    let mut at = start;
    let mut places = Vec::new();
    let elements = match map.part {
        _ if map.bytes() > MOST_TENSOR_BYTES => {
            return Err(refused(lane, format!("{} bytes", map.bytes())));
        }
        TensorPart::Box(dims) => {
            let counts: [u32; 5] = core::array::from_fn(|index| match index {
                _ if index < outer || index >= rank || index == slices => 1,
                index => dims[index].div_ceil(map.steps[index].max(1)),
            });
            let mut done = [0; 5];
            'rows: loop {
                places.push(at);
                for index in outer..rank {
                    done[index] += 1;
                    at[index] += i64::from(map.steps[index]);
                    if done[index] < counts[index] {
                        continue 'rows;
                    }
                    done[index] = 0;
                    at[index] = start[index];
                }
                break;
            }
            if is_interleaved { 1 } else { u64::from(dims[0]) }
        }
        TensorPart::Columns { lower, upper, channels, pixels } => {
            let bound = |pixel: usize| map.dims[outer + pixel] as i64 + i64::from(upper[pixel]);
            for pixel in 0..rank - 2 {
                let range = i64::from(lower[pixel])..bound(pixel);
                if !range.contains(&at[outer + pixel]) {
                    let text = format!("pixel {} outside of the bounding box", at[outer + pixel]);
                    return Err(refused(lane, text));
                }
                if is_store && (lower[pixel] < 0 || upper[pixel] > 0) {
                    return Err(refused(lane, "a store with a bounding box that exceeds the image"));
                }
            }
            for _ in 0..pixels {
                let mut place = at;
                (0..rank - 2).for_each(|pixel| place[outer + pixel] += offsets[pixel]);
                places.push(place);
                let mut pixel = 0;
                loop {
                    if pixel == rank - 2 {
                        at[rank - 1] += i64::from(map.steps[rank - 1]);
                        break;
                    }
                    let index = outer + pixel;
                    at[index] += i64::from(map.steps[index]);
                    if at[index] < bound(pixel) {
                        break;
                    }
                    at[index] = i64::from(lower[pixel]);
                    pixel += 1;
                }
            }
            if is_interleaved { 1 } else { u64::from(channels) }
        }
    };
    let row_bytes = elements * element;
    if !row_bytes.is_multiple_of(CHUNK) || !is_interleaved && (start[0] * element as i64) % CHUNK as i64 != 0
    {
        return Err(refused(lane, format!("coordinate {} is not at a multiple of 16 bytes", start[0])));
    }
    let span = if map.swizzle == 0 || is_interleaved { 0 } else { CHUNK << map.swizzle };
    let inside = |index: usize, coordinate: i64| (0..map.dims[index] as i64).contains(&coordinate);
    let rows = places.into_iter().map(|start| {
        let is_inside = (1..rank).all(|index| inside(index, start[index]));
        Row { start, is_inside }
    });
    let rows = rows.collect();
    Ok(Tensor { map, element, elements, pitch: row_bytes.max(span), rows })
}

impl WarpMemory<'_> {
    pub(super) fn tensor_copy(&mut self, copy: &TensorCopy, mask: u32) -> Result<(), LaneFault> {
        let maps = self.addresses_of(copy.map);
        for lane in lanes(mask) {
            let map = self.tensor_map(copy.map.memory, lane, maps[lane])?;
            let is_columns = matches!(map.part, TensorPart::Columns { .. });
            if map.rank != copy.coordinates.len() || is_columns != copy.is_columns {
                let kind = if is_columns { "im2col" } else { "tiled" };
                return Err(refused(lane, format!("the map is {kind}, of rank {}", map.rank)));
            }
            let (mut start, mut offsets) = ([0; 5], [0; 3]);
            for (place, slot) in start.iter_mut().zip(&copy.coordinates) {
                *place = i64::from(self.registers.word(*slot, lane).cast_signed());
            }
            for (place, slot) in offsets.iter_mut().zip(&copy.offsets) {
                *place = i64::from(self.registers.word(*slot, lane) & 0xffff);
            }
            let is_store = matches!(copy.action, TensorAction::Store { .. });
            let tensor = rows(map, lane, start, offsets, is_store)?;
            match copy.action {
                TensorAction::Prefetch => {}
                TensorAction::Load { to, mbarrier, ranks } => {
                    let base = self.addresses_of(to)[lane];
                    let bytes = (tensor.rows.len() as u64 * tensor.row_bytes()) as u32;
                    let address = self.addresses_of(mbarrier)[lane];
                    if ranks == NONE {
                        self.load_tensor(&tensor, lane, base)?;
                        self.complete(mbarrier.memory, lane, address, bytes)?;
                        continue;
                    }
                    // The same offset in each of these blocks.
                    for rank in lanes(self.registers.word(ranks, lane) & 0xffff) {
                        self.load_tensor(&tensor, lane, mapped(rank as u32, base))?;
                        self.complete(mbarrier.memory, lane, mapped(rank as u32, address), bytes)?;
                    }
                }
                TensorAction::Store { from, reduction } => {
                    if let Some(coordinate) = start.iter().find(|coordinate| **coordinate < 0) {
                        return Err(refused(lane, format!("a store at coordinate {coordinate}")));
                    }
                    let addresses = self.addresses_of(from);
                    self.check_block(from, 1 << lane, &addresses)?;
                    let base = addresses[lane];
                    self.store_tensor(&tensor, lane, base, reduction)?;
                }
            }
        }
        Ok(())
    }

    /// Reads the map at an address.
    fn tensor_map(&mut self, memory: MemorySpace, lane: usize, address: u64) -> Result<TensorMap, LaneFault> {
        let (space, window) = space_of(memory, address);
        let offset = address.wrapping_sub(window);
        // Alignment of kernel parameters counts from their place in constant memory.
        let start = if space == MemorySpace::Parameter { KERNEL_PARAMETERS_START } else { 0 };
        if !(offset + start).is_multiple_of(MAP_ALIGN) {
            return Err(LaneFault::at(FaultKind::MisalignedAddress, lane, address));
        }
        let mut words = [0; 32];
        for (word, index) in words.iter_mut().zip(0..) {
            *word = u32::from_le_bytes(self.read_bytes(memory, lane, address.wrapping_add(4 * index))?);
        }
        Ok(TensorMap::decode(&words))
    }

    fn load_tensor(&mut self, tensor: &Tensor, lane: usize, base: u64) -> Result<(), LaneFault> {
        check_shared(base, lane)?;
        let mut reads = false;
        for (index, row) in tensor.rows.iter().enumerate() {
            let address = tensor.address(&row.start);
            for offset in (0..tensor.row_bytes()).step_by(CHUNK as usize) {
                let filled = if tensor.map.fills_with_nan { NAN.to_le_bytes() } else { [0; 2] };
                let mut bytes: [u8; CHUNK as usize] = core::array::from_fn(|index| filled[index % 2]);
                let inside = tensor.bytes_inside(row, offset);
                if inside > 0 {
                    reads = true;
                    let read: [u8; CHUNK as usize] =
                        self.read_bytes(MemorySpace::Global, lane, address.wrapping_add(offset))?;
                    let inside = inside as usize;
                    bytes[..inside].copy_from_slice(&read[..inside]);
                    if tensor.map.is_tf32 {
                        for word in bytes[..inside].as_chunks_mut::<4>().0 {
                            let bits = u32::from_le_bytes(*word);
                            *word = to_tensor(Rounding::Nearest, false, false, bits).to_le_bytes();
                        }
                    }
                }
                self.write_bytes(MemorySpace::Shared, lane, tensor.shared(base, index, offset), bytes)?;
            }
        }
        if !reads {
            // Hardware accesses the tensor even if the whole copy is out of bounds.
            let _: [u8; CHUNK as usize] = self.read_bytes(MemorySpace::Global, lane, tensor.map.address)?;
        }
        Ok(())
    }

    /// Stores whole chunks, including the rest of a chunk that is partly out of bounds.
    fn store_tensor(
        &mut self,
        tensor: &Tensor,
        lane: usize,
        base: u64,
        reduction: Option<TensorReduction>,
    ) -> Result<(), LaneFault> {
        check_shared(base, lane)?;
        let operation = match reduction {
            None => None,
            Some(reduction) => {
                let operation = atomic(reduction, tensor.map.element).ok_or_else(|| {
                    refused(
                        lane,
                        format!("no reduction {reduction:?} of element type {}", tensor.map.element),
                    )
                })?;
                Some((operation, tensor.map.element_bytes().unwrap_or(4) as u8))
            }
        };
        for (index, row) in tensor.rows.iter().enumerate() {
            let address = tensor.address(&row.start);
            for offset in (0..tensor.row_bytes()).step_by(CHUNK as usize) {
                if tensor.bytes_inside(row, offset) == 0 {
                    continue;
                }
                let shared = tensor.shared(base, index, offset);
                let bytes: [u8; CHUNK as usize] = self.read_bytes(MemorySpace::Shared, lane, shared)?;
                let at = address.wrapping_add(offset);
                match operation {
                    None => self.write_bytes(MemorySpace::Global, lane, at, bytes)?,
                    Some(operation) => self.reduce(MemorySpace::Global, lane, at, bytes, operation)?,
                }
            }
        }
        Ok(())
    }

    pub(super) fn replace_tensor_field(&mut self, field: &TensorField, mask: u32) -> Result<(), LaneFault> {
        let maps = self.addresses_of(field.map);
        for lane in lanes(mask) {
            let value = match field.value {
                Place::Long(slot) => self.registers.long(slot, lane),
                Place::Word(slot) | Place::Predicate(slot) => u64::from(self.registers.word(slot, lane)),
            };
            for (word, shift, bits, part) in field_parts(field.name, u32::from(field.index), value) {
                let address = maps[lane].wrapping_add(4 * u64::from(word));
                let old = u32::from_le_bytes(self.read_bytes(field.map.memory, lane, address)?);
                let mask = (u32::MAX >> (32 - bits)) << shift;
                let new = old & !mask | part << shift & mask;
                self.write_bytes(field.map.memory, lane, address, new.to_le_bytes())?;
            }
        }
        Ok(())
    }
}

fn check_shared(base: u64, lane: usize) -> Result<(), LaneFault> {
    if base.is_multiple_of(SHARED_ALIGN) {
        Ok(())
    } else {
        Err(LaneFault::at(FaultKind::MisalignedAddress, lane, base))
    }
}

/// Returns the operation on elements of a type, if there is one.
fn atomic(reduction: TensorReduction, element: u32) -> Option<Atomic> {
    Some(match (reduction, element) {
        (TensorReduction::Add, 2..=4) => Atomic::Add,
        (TensorReduction::Add, 6) => Atomic::AddF16,
        (TensorReduction::Add, 7 | 8) => Atomic::AddF32,
        (TensorReduction::Add, 9) => Atomic::AddF64,
        (TensorReduction::Add, 10) => Atomic::AddBf16,
        (TensorReduction::Minimum, 2 | 4) => Atomic::MinimumUnsigned,
        (TensorReduction::Minimum, 3 | 5) => Atomic::MinimumSigned,
        (TensorReduction::Minimum, 6) => Atomic::MinimumF16,
        (TensorReduction::Minimum, 10) => Atomic::MinimumBf16,
        (TensorReduction::Maximum, 2 | 4) => Atomic::MaximumUnsigned,
        (TensorReduction::Maximum, 3 | 5) => Atomic::MaximumSigned,
        (TensorReduction::Maximum, 6) => Atomic::MaximumF16,
        (TensorReduction::Maximum, 10) => Atomic::MaximumBf16,
        (TensorReduction::Increment, 2) => Atomic::Increment,
        (TensorReduction::Decrement, 2) => Atomic::Decrement,
        (TensorReduction::And, 2..=4) => Atomic::And,
        (TensorReduction::Or, 2..=4) => Atomic::Or,
        (TensorReduction::Xor, 2..=4) => Atomic::Xor,
        _ => return None,
    })
}

/// Returns the words of a field, the bits in each, and their new values.
fn field_parts(name: TensorFieldName, index: u32, value: u64) -> Vec<(u32, u32, u32, u32)> {
    let low = value as u32;
    match name {
        TensorFieldName::Address => vec![(0, 0, 32, low), (1, 0, 32, (value >> 32) as u32)],
        TensorFieldName::Rank => vec![(2, 4, 3, low)],
        TensorFieldName::BoxDim if index == 0 => vec![(13, 24, 8, low.wrapping_sub(1))],
        TensorFieldName::BoxDim => vec![(14, 8 * (index - 1), 8, low.wrapping_sub(1))],
        TensorFieldName::Dim => vec![(8 + index, 0, 32, low.wrapping_sub(1))],
        TensorFieldName::Stride => {
            vec![(3 + index, 0, 32, (value >> 4) as u32), (7, 4 * index, 4, (value >> 36) as u32)]
        }
        TensorFieldName::Step => vec![(13, 3 * index, 3, low.wrapping_sub(1))],
        TensorFieldName::Element => {
            // The last two types are `f32` rounded to `tf32`, without and with flushing.
            let is_tf32 = low >= 11;
            let element = if is_tf32 { low - 4 } else { low };
            vec![(2, 7, 4, element), (2, 16, 1, u32::from(is_tf32))]
        }
        TensorFieldName::Interleave => vec![(2, 11, 2, low)],
        TensorFieldName::Swizzle => vec![(2, 13, 2, low)],
        TensorFieldName::Fill => vec![(2, 15, 1, low)],
    }
}
