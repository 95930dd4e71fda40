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

/// Returns the row and column of element `number` in a lane that has `count` elements.
pub(crate) fn opaque([height, width]: [usize; 2], count: usize, lane: usize, number: usize) -> [usize; 2] {
    let index = (lane * count + number) % (height * width).max(1);
    [index / width.max(1), index % width.max(1)]
}

impl MatrixMultiply {
    /// Returns the rows and columns of `d`, `a`, `b` or `c`.
    fn extent(&self, index: usize) -> [usize; 2] {
        let [rows, columns, depth] = self.shape;
        match index {
            1 => [rows, depth],
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
