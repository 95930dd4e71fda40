//! Checks of the numbers of a structured copy, before the driver call: the driver has one code for all refusals.

use crate::error::{Error, Limit, Result};
use crate::stream::Stream;
use core::any::Any;
use core::fmt;
use cuda_sys::CUarray;
use std::sync::Arc;

/// The size of the copied block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) depth: usize,
}

impl Block {
    pub(super) fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0 || self.depth == 0
    }
}

/// The size of an array in the units of copies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// In units: elements, or blocks of a block-compressed format.
    pub(crate) width: usize,
    /// In units.
    pub(crate) rows: usize,
    pub(crate) slices: usize,
    /// The unit of copies, if this crate knows the format.
    pub(crate) unit_bytes: Option<usize>,
}

/// An array, as one side of a copy.
pub(crate) trait CopyArray: fmt::Debug {
    fn as_raw(&self) -> CUarray;

    /// Returns the home stream.
    fn stream(&self) -> &Stream;

    fn shape(&self) -> Shape;

    /// Refuses an array that safe functions must not use.
    fn usable(&self) -> Result<()>;

    /// Returns the memory behind the array.
    fn storage(&self) -> ArrayStorage;

    /// Returns a handle that keeps the array alive.
    fn share(&self) -> Arc<dyn Any + Send + Sync>;
}

/// The memory behind an array. A plane and its array have the same memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ArrayStorage {
    /// The handle of the array, or of the mipmapped array.
    pub(crate) whole: usize,
    /// The size of the level, which no other level has.
    pub(crate) level: Option<[usize; 3]>,
}

impl ArrayStorage {
    /// The memory of arrays that other handles may reach, too. It may be the memory of any array.
    pub(crate) const SHARED: ArrayStorage = ArrayStorage { whole: 0, level: None };
}

/// The extent of memory.
#[derive(Debug, Clone, Copy)]
pub(super) enum Layout<'memory> {
    /// A row of this number of bytes.
    Bytes(usize),
    Array(&'memory dyn CopyArray),
}

/// The position of a block in memory, as the caller describes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Geometry<'memory> {
    layout: Layout<'memory>,
    pub(super) pitch: Option<usize>,
    pub(super) height: Option<usize>,
    /// Bytes, rows, slices.
    pub(super) at: [usize; 3],
}

/// The numbers for the driver.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checked {
    pub(super) at: [usize; 3],
    pub(super) pitch: usize,
    pub(super) height: usize,
    /// The unit of an array, if this crate knows the format.
    pub(super) unit_bytes: Option<usize>,
}

/// Refuses `value` if it exceeds `limit`. A value that overflows exceeds any limit.
fn at_most(side: &'static str, name: &'static str, value: Option<usize>, limit: usize) -> Result<usize> {
    match value {
        Some(value) if value <= limit => Ok(value),
        value => Err(Error::beyond(side, name, value.unwrap_or(usize::MAX), Limit::AtMost(limit))),
    }
}

fn at_least(side: &'static str, name: &'static str, value: usize, limit: usize) -> Result<usize> {
    if value >= limit { Ok(value) } else { Err(Error::beyond(side, name, value, Limit::AtLeast(limit))) }
}

fn multiple_of(side: &'static str, name: &'static str, value: usize, unit: usize) -> Result<()> {
    if value.is_multiple_of(unit) {
        Ok(())
    } else {
        Err(Error::beyond(side, name, value, Limit::MultipleOf(unit)))
    }
}

impl<'memory> Geometry<'memory> {
    pub(super) fn new(layout: Layout<'memory>) -> Self {
        Geometry { layout, pitch: None, height: None, at: [0; 3] }
    }

    /// Checks the numbers. `block` is not empty. Errors name the side by the first name, or by the second if it is an array.
    pub(super) fn checked(
        &self,
        [side, array_side]: [&'static str; 2],
        block: Block,
        most_pitch: usize,
    ) -> Result<Checked> {
        match self.layout {
            Layout::Array(array) => {
                array.usable()?;
                self.in_array(array_side, block, array.shape())
            }
            Layout::Bytes(len) => self.in_rows(side, block, len, most_pitch),
        }
    }

    fn in_array(&self, side: &'static str, block: Block, shape: Shape) -> Result<Checked> {
        let [x, y, z] = self.at;
        // The driver knows the size of formats that this crate does not know, and refuses what is beyond it (T167). On the other
        // side of the copy, rows are counted in bytes for every format, so that the checks there hold.
        if let Some(unit) = shape.unit_bytes {
            multiple_of(side, "x", x, unit)?;
            multiple_of("block", "width", block.width, unit)?;
            at_most(
                side,
                "end of a row in bytes",
                x.checked_add(block.width),
                shape.width.saturating_mul(unit),
            )?;
        }
        at_most(side, "last row", y.checked_add(block.height), shape.rows)?;
        at_most(side, "last slice", z.checked_add(block.depth), shape.slices)?;
        Ok(Checked { at: self.at, pitch: 0, height: 0, unit_bytes: shape.unit_bytes })
    }

    fn in_rows(&self, side: &'static str, block: Block, len: usize, most_pitch: usize) -> Result<Checked> {
        let [x, y, z] = self.at;
        let row = at_most(side, "end of a row in bytes", x.checked_add(block.width), len)?;
        let rows = at_most(side, "last row", y.checked_add(block.height), isize::MAX as usize)?;
        let slices = at_most(side, "last slice", z.checked_add(block.depth), isize::MAX as usize)?;
        let pitch = at_least(side, "pitch", self.pitch.unwrap_or(row), row)?;
        let height = match self.height {
            // A single slice needs no distance to a next slice.
            Some(height) if slices > 1 => at_least(side, "height", height, rows)?,
            _ => rows,
        };
        if rows > 1 || slices > 1 {
            at_most(side, "pitch", Some(pitch), most_pitch)?;
        }
        let before = (slices - 1).checked_mul(height).and_then(|skipped| skipped.checked_add(rows - 1));
        let end = before.and_then(|rows| rows.checked_mul(pitch)).and_then(|start| start.checked_add(row));
        at_most(side, "end", end, len)?;
        Ok(Checked { at: self.at, pitch, height, unit_bytes: None })
    }
}
