//! Layout of matrices in the registers of a warp.

use super::{Element, MatrixMultiply, Tiling};

const LANES: usize = 32;

/// Operand of a multiplication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Left,
    Right,
    Sum,
}

/// Returns the location of an element of a multiplication: matrix, row and column.
fn place(
    multiply: &MatrixMultiply,
    role: Role,
    element: Element,
    lane: usize,
    register: usize,
    part: usize,
) -> [usize; 3] {
    let [rows, columns, depth] = multiply.shape;
    let per = element.per_register();
    let (group, within) = (lane / 4, lane % 4);
    let number = register * per + part;
    match (multiply.tiling, role) {
        (Tiling::Opaque, role) => {
            let (height, width) = match role {
                Role::Left => (rows, depth),
                Role::Right => (depth, columns),
                Role::Sum => (rows, columns),
            };
            let count = match role {
                Role::Left => multiply.registers[1].len() * per,
                Role::Right => multiply.registers[2].len() * per,
                Role::Sum => height * width / LANES,
            };
            let [row, column] = opaque([height, width], count, lane, number);
            [0, row, column]
        }
        (Tiling::Rows, Role::Left) => {
            let (row, block) =
                if rows == 16 { (group + 8 * (register % 2), register / 2) } else { (group, register) };
            [0, row, block * 4 * per + within * per + part]
        }
        (Tiling::Rows, Role::Right) => [0, register * 4 * per + within * per + part, group],
        (Tiling::Rows, Role::Sum) => {
            [0, group + 8 * (number / 2 % 2), number / 4 * 8 + 2 * within + number % 2]
        }
        (Tiling::Quads { a_columns, b_columns }, role) => {
            let (quad, low) = (lane % 16 / 4, 4 * usize::from(lane >= 16));
            let [row, column] = match role {
                Role::Left if a_columns => [low + number % 4, within],
                Role::Left => [low + within, number],
                Role::Right if b_columns => [number, low + within],
                Role::Right => [within, low + number % 4],
                Role::Sum if element == Element::F16 => [low + within, number],
                Role::Sum => [low + (lane & 1) + (number & 2), (number & 4) + (lane & 2) + (number & 1)],
            };
            [quad, row, column]
        }
    }
}

/// Bits of the metadata of a sparse matrix that belong to one element, or to two elements of four bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code {
    pub(crate) lane: usize,
    /// Lowest bit.
    pub(crate) shift: usize,
    pub(crate) bits: usize,
}

impl Code {
    /// Returns the location of the code of an element of 16 rows (measured, conformance fact V1212). `lanes` is the number of lanes of each
    /// four that have metadata.
    pub(crate) fn new(element: Element, selector: usize, lanes: usize, [row, index]: [usize; 2]) -> Self {
        let bits = if element.bits() == 32 { 4 } else { 2 };
        let number = if element.bits() == 4 { index / 2 } else { index };
        let (group, lower) = (row % 8 * 4 + selector * lanes, row / 8);
        // Elements of 16 bits and more: each lane has half a word for each of two rows. Others: each lane has a word of one row.
        let per_lane = if element.bits() < 16 { 16 } else { 16 / bits };
        let (chunk, shift) = (number / per_lane, number % per_lane * bits);
        if element.bits() < 16 {
            Self { lane: group + 2 * chunk + lower, shift, bits }
        } else {
            Self { lane: group + chunk, shift: shift + 16 * lower, bits }
        }
    }
}

/// Returns the number of lanes of each four that have the metadata of 16 rows of `width` elements.
pub(crate) fn metadata_lanes(element: Element, width: usize) -> usize {
    let bits = match element.bits() {
        32 => 4,
        4 => 1,
        _ => 2,
    };
    width * bits / 16
}

/// Returns the column of an element with a code, or `None` if the code has no meaning. The element is left out then.
pub(crate) fn column(element: Element, index: usize, code: usize) -> Option<usize> {
    match element.bits() {
        // The codes of the halves of the element.
        32 => (code & 4 != 0).then_some(index * 2 + code / 8),
        4 => Some(index / 4 * 8 + code * 2 + index % 2),
        _ => Some(index / 2 * 4 + code),
    }
}

/// Returns the row and column of element `number` in a lane that has `count` elements.
pub(crate) fn opaque([height, width]: [usize; 2], count: usize, lane: usize, number: usize) -> [usize; 2] {
    let index = (lane * count + number) % (height * width).max(1);
    [index / width.max(1), index % width.max(1)]
}

impl MatrixMultiply {
    /// Returns the number of elements in a row of `a`, without those that are left out.
    pub(crate) fn width(&self) -> usize {
        self.shape[2] / if self.sparse.is_some() { 2 } else { 1 }
    }

    /// Returns the rows and columns of `d`, `a`, `b` or `c`.
    fn extent(&self, index: usize) -> [usize; 2] {
        let [rows, columns, depth] = self.shape;
        match index {
            1 => [rows, self.width()],
            2 => [depth, columns],
            _ => [rows, columns],
        }
    }

    /// Returns the number of elements of all matrices of one operand together.
    pub(crate) fn size(&self, index: usize) -> usize {
        let [height, width] = self.extent(index);
        height * width * if matches!(self.tiling, Tiling::Quads { .. }) { 4 } else { 1 }
    }

    /// Computes the location of every element in advance.
    pub(crate) fn place(mut self) -> Self {
        let roles = [Role::Sum, Role::Left, Role::Right, Role::Sum];
        for (index, role) in roles.into_iter().enumerate() {
            let element = self.elements[index];
            if index == 3 && element == self.elements[0] && self.registers[3].len() == self.registers[0].len()
            {
                continue;
            }
            let [height, width] = self.extent(index);
            let mut places = Vec::new();
            for register in 0..self.registers[index].len() {
                for part in 0..element.per_register() {
                    places.extend((0..LANES).map(|lane| {
                        let [matrix, row, column] = place(&self, role, element, lane, register, part);
                        ((matrix * height + row) * width + column) as u32
                    }));
                }
            }
            self.places[index] = places;
        }
        self
    }
}
