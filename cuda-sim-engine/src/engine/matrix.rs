//! Multiplication of matrices in the registers of a warp, and access to matrices of eight rows in memory.
//!
//! Products are exact, except where they leave the range of single precision. Sums have the type of the result (single
//! precision for `f16`) and are computed one after another. The PTX manual leaves the order of the sums open, and
//! hardware uses another order. Therefore only exact sums are the same as on hardware.

use cuda_ptx::modifier::Rounding;

use super::load_store::read;
use super::narrow_formats::from_narrow;
use super::registers::{LANES, Registers, lanes};
use super::warp_memory::{LaneFault, WarpMemory};
use crate::number::fused_multiply_add;
use crate::number::half_via_f64::{brain_to_double, double_to_half};
use crate::op::{
    Code, Element, MatrixAccess, MatrixMultiply, NarrowFormat, Place, Product, Slot, column, metadata_lanes,
};

/// Converts a half-precision number to single precision. Exact; an infinity or a NaN stays one.
fn single(bits: u16) -> f32 {
    let (sign, rest) = (u32::from(bits & 0x8000) << 16, u32::from(bits & 0x7fff) << 13);
    // With the exponent of the narrower format, the number is too small by a factor of 2^112.
    const SCALE: f32 = f32::from_bits((127 + 112) << 23);
    let magnitude =
        if rest >= 0x7c00 << 13 { 0x7f80_0000 | rest } else { (f32::from_bits(rest) * SCALE).to_bits() };
    f32::from_bits(magnitude | sign)
}

/// Returns an element of a register as a number.
fn real(element: Element, bits: u64) -> f64 {
    match element {
        Element::F16 => f64::from(single(bits as u16)),
        Element::Bf16 => brain_to_double(bits as u16),
        Element::Tf32 => f64::from(f32::from_bits(bits as u32 & !0x1fff)),
        Element::F32 => f64::from(f32::from_bits(bits as u32)),
        Element::F64 => f64::from_bits(bits),
        Element::E4m3 => from_narrow(NarrowFormat::E4m3, bits as u8),
        Element::E5m2 => from_narrow(NarrowFormat::E5m2, bits as u8),
        Element::Integer { .. } => 0.0,
    }
}

fn integer(element: Element, bits: u64) -> i64 {
    let shift = 64 - element.bits();
    match element {
        Element::Integer { signed: true, .. } => (bits << shift).cast_signed() >> shift,
        _ => (bits << shift >> shift).cast_signed(),
    }
}

/// Returns a part of a register.
fn part_of(registers: &Registers, from: Place, lane: usize, element: Element, part: usize) -> u64 {
    let bits = element.bits();
    read(registers, from, lane) >> (bits as usize * part) & (u64::MAX >> (64 - bits))
}

/// Collects the elements of an operand, matrix by matrix and row by row.
pub(super) fn collect(registers: &Registers, multiply: &MatrixMultiply, index: usize) -> Vec<u64> {
    let element = multiply.elements[index];
    let mut values = vec![0; multiply.size(index)];
    // Equal layouts are stored once.
    let is_shared = index == 3 && multiply.places[3].is_empty();
    let mut places = multiply.places[if is_shared { 0 } else { index }].iter();
    for &from in &multiply.registers[index] {
        for part in 0..element.per_register() {
            for lane in 0..LANES {
                let value = part_of(registers, from, lane, element, part);
                if let Some(slot) = places.next().and_then(|&place| values.get_mut(place as usize)) {
                    *slot = value;
                }
            }
        }
    }
    values
}

/// Returns the column of every element of a sparse matrix `a`, or `None` for an element that is left out. The result is empty for other
/// matrices.
pub(super) fn sparse_columns(registers: &Registers, multiply: &MatrixMultiply) -> Vec<Option<usize>> {
    let Some(sparse) = multiply.sparse else { return Vec::new() };
    let (element, width) = (multiply.elements[1], multiply.width());
    let lanes = metadata_lanes(element, width);
    let places = (0..multiply.shape[0]).flat_map(|row| (0..width).map(move |index| [row, index]));
    let columns = places.map(|[row, index]| {
        let Code { lane, shift, bits } = Code::new(element, sparse.selector, lanes, [row, index]);
        let code = registers.word(sparse.metadata, lane % LANES) >> shift & ((1 << bits) - 1);
        column(element, index, code as usize)
    });
    columns.collect()
}

/// Adds `a * b` to `sums`.
fn accumulate<T: Copy>(
    multiply: &MatrixMultiply,
    sparse: &[Option<usize>],
    [a, b]: [&[T]; 2],
    sums: &mut [T],
    add: impl Fn(T, T, T) -> T,
) {
    let [rows, columns, depth] = multiply.shape;
    let width = multiply.width();
    let matrices = a.chunks_exact(rows * width).zip(b.chunks_exact(depth * columns));
    for ((a, b), sums) in matrices.zip(sums.chunks_exact_mut(rows * columns)) {
        for (row, (left, sums)) in a.chunks_exact(width).zip(sums.chunks_exact_mut(columns)).enumerate() {
            for (index, &left) in left.iter().enumerate() {
                let line = sparse.get(row * width + index).copied().unwrap_or(Some(index));
                let right = line.and_then(|line| b.chunks_exact(columns).nth(line)).unwrap_or_default();
                for (sum, &right) in sums.iter_mut().zip(right) {
                    *sum = add(*sum, left, right);
                }
            }
        }
    }
}

/// Returns `a * b + c`, from the bits of all elements and the columns of a sparse `a`.
pub(super) fn products(multiply: &MatrixMultiply, sparse: &[Option<usize>], bits: [&[u64]; 3]) -> Vec<u64> {
    let [result, kinds @ ..] = multiply.elements;
    let numbers = |index: usize| bits[index].iter().map(move |&bits| real(kinds[index], bits));
    match result {
        Element::Integer { .. } => {
            let integers = |index: usize| bits[index].iter().map(move |&bits| integer(kinds[index], bits));
            // The factors have at most 8 bits, so that no sum of products overflows.
            let [a, b] = [0, 1].map(|index| integers(index).map(|value| value as i32).collect::<Vec<_>>());
            let mut sums = vec![0; bits[2].len()];
            accumulate(multiply, sparse, [&a, &b], &mut sums, |sum, a, b| {
                sum + match multiply.product {
                    Product::Multiply => a * b,
                    Product::Xor => a ^ b,
                    Product::And => a & b,
                }
            });
            let results = integers(2).zip(sums).map(|(start, sum)| {
                let sum = start + i64::from(sum);
                let sum = if multiply.saturate { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
                u64::from(sum as u32)
            });
            results.collect()
        }
        Element::F64 => {
            let [a, b, mut sums] = [0, 1, 2].map(|index| numbers(index).collect::<Vec<_>>());
            accumulate(multiply, sparse, [&a, &b], &mut sums, |sum, a, b| {
                fused_multiply_add::multiply_add_double(a, b, sum)
            });
            sums.into_iter().map(|sum| rounded(result, sum, multiply.saturate)).collect()
        }
        _ => {
            // The factors have at most 11 bits of fraction, so that a product is rounded only where it leaves the range of single
            // precision.
            let [a, b, mut sums] =
                [0, 1, 2].map(|index| numbers(index).map(|value| value as f32).collect::<Vec<_>>());
            accumulate(multiply, sparse, [&a, &b], &mut sums, |sum, a, b| sum + a * b);
            sums.into_iter().map(|sum| rounded(result, sum.into(), multiply.saturate)).collect()
        }
    }
}

impl WarpMemory<'_> {
    /// Multiplies matrices of all lanes. The lanes of `mask` receive the results.
    pub(super) fn multiply(&mut self, multiply: &MatrixMultiply, mask: u32) {
        let [a, b, c] = [1, 2, 3].map(|index| collect(self.registers, multiply, index));
        let sparse = sparse_columns(self.registers, multiply);
        self.scatter(multiply, &products(multiply, &sparse, [&a, &b, &c]), mask);
    }

    /// Writes results to the registers.
    pub(super) fn scatter(&mut self, multiply: &MatrixMultiply, bits: &[u64], mask: u32) {
        let element = multiply.elements[0];
        let per = element.per_register();
        for (register, &to) in multiply.registers[0].iter().enumerate() {
            for lane in lanes(mask) {
                let mut value = 0;
                for part in 0..per {
                    let place = multiply.places[0].get((register * per + part) * LANES + lane);
                    let found = place.and_then(|&place| bits.get(place as usize)).copied().unwrap_or(0);
                    value |= found << (element.bits() as usize * part);
                }
                self.registers.set_place(to, lane, value);
            }
        }
    }

    /// Executes `ldmatrix` and `stmatrix`. Lane `l` holds two elements of row `l / 4` of every matrix. With `.trans`, they
    /// are of column `l / 4`.
    pub(super) fn matrix(&mut self, access: &MatrixAccess, mask: u32) -> Result<(), LaneFault> {
        let addresses = self.addresses_of(access.at);
        // Only these lanes have an address of a row.
        let rows = u32::MAX >> (32 - 8 * access.registers.len());
        self.check_block(access.at, mask & rows, &addresses)?;
        for (index, &slot) in access.registers.iter().enumerate() {
            let mut rows = [[0u16; 8]; 8];
            if access.store {
                for lane in 0..LANES {
                    let pair = self.registers.word(slot, lane);
                    for part in 0..2 {
                        let (row, column) = position(access.transpose, lane, part);
                        rows[row][column] = (pair >> (16 * part)) as u16;
                    }
                }
            }
            for (row, values) in rows.iter_mut().enumerate() {
                let lane = index * 8 + row;
                if mask >> lane & 1 == 0 {
                    continue;
                }
                let address = addresses[lane];
                if access.store {
                    let mut bytes = [0; 16];
                    for (part, value) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(*values) {
                        *part = value.to_le_bytes();
                    }
                    self.write_bytes(access.at.memory, lane, address, bytes)?;
                } else {
                    let bytes: [u8; 16] = self.read_bytes(access.at.memory, lane, address)?;
                    for (value, part) in values.iter_mut().zip(bytes.as_chunks::<2>().0) {
                        *value = u16::from_le_bytes(*part);
                    }
                }
            }
            if !access.store {
                self.spread(slot, &rows, access.transpose, mask);
            }
        }
        Ok(())
    }

    fn spread(&mut self, slot: Slot, rows: &[[u16; 8]; 8], transpose: bool, mask: u32) {
        for lane in lanes(mask) {
            let [low, high] = [0, 1].map(|part| {
                let (row, column) = position(transpose, lane, part);
                u32::from(rows[row][column])
            });
            self.registers.set_word(slot, lane, high << 16 | low);
        }
    }

    /// Implements `movmatrix`.
    pub(super) fn transpose(&mut self, d: Slot, a: Slot, mask: u32) {
        let mut rows = [[0u16; 8]; 8];
        for lane in 0..LANES {
            let pair = self.registers.word(a, lane);
            for part in 0..2 {
                let (row, column) = position(false, lane, part);
                rows[row][column] = (pair >> (16 * part)) as u16;
            }
        }
        self.spread(d, &rows, true, mask);
    }
}

/// Returns the row and column of one of the two elements that a lane has of a matrix of eight rows.
fn position(transpose: bool, lane: usize, part: usize) -> (usize, usize) {
    let (row, column) = (lane / 4 % 8, lane % 4 * 2 + part);
    if transpose { (column, row) } else { (row, column) }
}

/// Rounds a sum to an element of the result.
fn rounded(element: Element, sum: f64, saturate: bool) -> u64 {
    match element {
        Element::F64 => sum.to_bits(),
        Element::F16 if saturate => {
            let bits = double_to_half(sum, Rounding::Nearest);
            u64::from(if sum.is_nan() { 0 } else { super::narrow_formats::finite(false, bits.into()) as u16 })
        }
        Element::F16 => u64::from(double_to_half(sum, Rounding::Nearest)),
        _ if sum.is_nan() => 0x7fff_ffff,
        _ => u64::from((sum as f32).to_bits()),
    }
}
