//! Multiplication of matrices in the registers of a warp, and access to matrices of eight rows in memory.
//!
//! Products are exact. Sums have the type of the result (single precision for `f16`) and are computed one after
//! another. The PTX manual leaves the order of the sums open, and hardware uses another order. Only exact sums are
//! therefore the same.

use cuda_ptx::modifier::Rounding;

use super::load_store::read;
use super::narrow_formats::from_narrow;
use super::registers::{LANES, Registers, lanes};
use super::warp_memory::{LaneFault, WarpMemory};
use crate::number::fused_multiply_add;
use crate::number::half_via_f64::{brain_to_double, double_to_half};
use crate::op::{Element, MatrixAccess, MatrixMultiply, NarrowFormat, Place, Product, Slot};

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
fn collect<T: Copy + Default>(
    registers: &Registers,
    multiply: &MatrixMultiply,
    index: usize,
    convert: impl Fn(Element, u64) -> T,
) -> Vec<T> {
    let element = multiply.elements[index];
    let mut values = vec![T::default(); multiply.size(index)];
    let mut places = multiply.places[index].iter();
    for &from in &multiply.registers[index] {
        for part in 0..element.per_register() {
            for lane in 0..LANES {
                let value = part_of(registers, from, lane, element, part);
                if let Some(slot) = places.next().and_then(|&place| values.get_mut(place as usize)) {
                    *slot = convert(element, value);
                }
            }
        }
    }
    values
}

/// Computes `a * b + c` for every element of the result.
fn combine<T: Copy + Default>(
    multiply: &MatrixMultiply,
    [a, b, c]: [&[T]; 3],
    accumulate: impl Fn(T, T, T) -> T,
) -> Vec<T> {
    let [rows, columns, depth] = multiply.shape;
    let mut results = Vec::with_capacity(c.len());
    // Transposes `b`, so that the factors of a sum are adjacent.
    let mut turned = vec![T::default(); columns * depth];
    let matrices = a.chunks_exact(rows * depth).zip(b.chunks_exact(depth * columns));
    for ((a, b), c) in matrices.zip(c.chunks_exact(rows * columns)) {
        for (row, values) in b.chunks_exact(columns).enumerate() {
            for (column, &value) in values.iter().enumerate() {
                turned[column * depth + row] = value;
            }
        }
        for (left, sums) in a.chunks_exact(depth).zip(c.chunks_exact(columns)) {
            for (right, &start) in turned.chunks_exact(depth).zip(sums) {
                let pairs = left.iter().zip(right);
                results.push(pairs.fold(start, |sum, (&a, &b)| accumulate(sum, a, b)));
            }
        }
    }
    results
}

impl WarpMemory<'_> {
    /// Multiplies matrices of all lanes. The lanes of `mask` receive the results.
    pub(super) fn multiply(&mut self, multiply: &MatrixMultiply, mask: u32) {
        let registers = &*self.registers;
        let result = multiply.elements[0];
        let bits: Vec<u64> = match result {
            Element::Integer { .. } => {
                let [a, b, c] = [1, 2, 3].map(|index| collect(registers, multiply, index, integer));
                let sums = combine(multiply, [&a, &b, &c], |sum, a, b| {
                    sum + match multiply.product {
                        Product::Multiply => a * b,
                        Product::Xor => i64::from((a ^ b).count_ones()),
                        Product::And => i64::from((a & b).count_ones()),
                    }
                });
                let clamped = |sum: i64| {
                    if multiply.saturate { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum }
                };
                sums.into_iter().map(|sum| u64::from(clamped(sum) as u32)).collect()
            }
            _ => {
                let [a, b, c] = [1, 2, 3].map(|index| collect(registers, multiply, index, real));
                let sums = if result == Element::F64 {
                    combine(multiply, [&a, &b, &c], |sum, a, b| {
                        fused_multiply_add::multiply_add_double(a, b, sum)
                    })
                } else {
                    let single = |sum: f64, product: f64| f64::from(sum as f32 + product as f32);
                    combine(multiply, [&a, &b, &c], |sum, a, b| single(sum, a * b))
                };
                sums.into_iter().map(|sum| rounded(result, sum, multiply.saturate)).collect()
            }
        };
        self.scatter(multiply, &bits, mask);
    }

    /// Writes results to the registers.
    fn scatter(&mut self, multiply: &MatrixMultiply, bits: &[u64], mask: u32) {
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
                match to {
                    Place::Long(slot) => self.registers.set_long(slot, lane, value),
                    Place::Word(slot) | Place::Predicate(slot) => {
                        self.registers.set_word(slot, lane, value as u32);
                    }
                }
            }
        }
    }

    /// Executes `ldmatrix` and `stmatrix`. Lane `l` has two elements of row `l / 4` of every matrix.
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
