//! `wgmma`: multiplication of matrices by four warps, with matrices in shared memory.
//!
//! Every warp computes its 16 rows of the result after all four warps have arrived at the instruction. A wait for a product
//! ends when all warps of the four have executed it. The layouts in memory are measured (conformance fact V1205).

use super::cluster_memory::mapped;
use super::group_products::WARPS;
use super::matrix::{collect, products, sparse_columns};
use super::registers::LANES;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::op::{Element, GroupMultiply, MemorySpace, SharedMatrix};

/// Rows that one warp computes.
const ROWS: usize = 16;
/// Size of the largest part of a matrix that is adjacent in every layout.
const UNIT: usize = 16;

/// Decoded descriptor of a matrix in shared memory.
struct Layout {
    start: u64,
    /// Bytes of the rows of an atom: 16 without swizzling, otherwise 32, 64 or 128.
    width: u64,
    /// Bytes from an atom of eight lines to the next.
    lines: u64,
    /// Bytes from an atom to the next along the lines.
    along: u64,
    /// Row of the permutation in which its pattern begins.
    base: u64,
}

impl Layout {
    fn new(descriptor: u64, is_transposed: bool) -> Self {
        let field = |shift: u32| (descriptor >> shift & 0x3fff) << 4;
        let (leading, stride) = (field(16), field(32));
        let width = match descriptor >> 62 {
            0 => 16,
            1 => 128,
            2 => 64,
            _ => 32,
        };
        let (lines, along) = if width == 16 && is_transposed { (leading, stride) } else { (stride, leading) };
        Self { start: field(0), width, lines, along, base: descriptor >> 49 & 7 }
    }

    /// Returns the address of 16 bytes of a line.
    fn address(&self, line: u64, unit: u64) -> u64 {
        let per_atom = self.width / UNIT as u64;
        let atom = line / 8 * self.lines + unit / per_atom * self.along;
        let address = self.start + atom + line % 8 * self.width + unit % per_atom * UNIT as u64;
        let row = (address >> 7).wrapping_sub(self.base) & (per_atom - 1);
        address ^ row << 4
    }
}

impl WarpMemory<'_> {
    pub(super) fn group_multiply(&mut self, group: &GroupMultiply, mask: u32) -> Result<(), LaneFault> {
        let multiply = &group.multiply;
        let lane = mask.trailing_zeros() as usize % LANES;
        let [_, columns, depth] = multiply.shape;
        let [_, a, b, _] = multiply.elements;
        let mut left = match group.a {
            Some(matrix) => {
                let first = self.registers.word(group.warp, lane) as usize % WARPS * ROWS;
                self.shared_matrix(matrix, lane, a, [first, ROWS], multiply.width())?
            }
            None => collect(self.registers, multiply, 1),
        };
        let turned = self.shared_matrix(group.b, lane, b, [0, columns], depth)?;
        let at = |index: usize| turned.get(index % columns * depth + index / columns);
        let mut right: Vec<u64> = (0..turned.len()).filter_map(at).copied().collect();
        for (matrix, element, negates) in
            [(&mut left, a, group.negates[0]), (&mut right, b, group.negates[1])]
        {
            let sign = if negates { 1 << (element.bits() - 1) } else { 0 };
            matrix.iter_mut().for_each(|bits| *bits ^= sign);
        }
        let mut sums = collect(self.registers, multiply, 3);
        if self.registers.condition(group.adds) >> lane & 1 == 0 {
            sums.fill(0);
        }
        let sparse = sparse_columns(self.registers, multiply);
        self.scatter(multiply, &products(multiply, &sparse, [&left, &right, &sums]), mask);
        self.products.count(self.registers.word(group.warp, lane), self.live);
        Ok(())
    }

    /// Returns some rows of `a`, or columns of `b`, one after another.
    fn shared_matrix(
        &mut self,
        matrix: SharedMatrix,
        lane: usize,
        element: Element,
        [first, count]: [usize; 2],
        depth: usize,
    ) -> Result<Vec<u64>, LaneFault> {
        let layout = Layout::new(self.registers.long(matrix.descriptor, lane), matrix.is_transposed);
        let bits = element.bits() as usize;
        let per_unit = 8 * UNIT / bits;
        let mut values = vec![0; count * depth];
        let (lines, adjacent) = if matrix.is_transposed {
            (0..depth, first..first + count)
        } else {
            (first..first + count, 0..depth)
        };
        for line in lines {
            for start in adjacent.clone().step_by(per_unit) {
                // Descriptors have no rank of a cluster.
                let address =
                    mapped(self.cluster.rank, layout.address(line as u64, (start / per_unit) as u64));
                let unit: [u8; UNIT] = self
                    .read_bytes(MemorySpace::Shared, lane, address)
                    .map_err(|fault| LaneFault { kind: FaultKind::IllegalAddress, ..fault })?;
                let unit = u128::from_le_bytes(unit);
                for part in 0..per_unit {
                    let position = start + part;
                    let (outer, inner) =
                        if matrix.is_transposed { (position, line) } else { (line, position) };
                    let value = (unit >> (bits * part)) as u64 & (u64::MAX >> (64 - bits));
                    if let Some(slot) = values.get_mut((outer - first) * depth + inner) {
                        *slot = value;
                    }
                }
            }
        }
        Ok(values)
    }
}
