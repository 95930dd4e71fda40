//! Copies as nodes of graphs.

use super::check::ArrayStorage;
use super::side::{Side, SideAddress, SideOwner};
use super::{Block, Checked, Memcpy3D};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::stream::Stream;
use cuda_sys::CUDA_MEMCPY3D;

/// A checked copy, as a node of a graph.
pub(crate) struct NodeCopy<'memory> {
    pub(crate) raw: CUDA_MEMCPY3D,
    /// The context of the destination, or of the source if the destination is host memory.
    pub(crate) context: &'memory Context,
    pub(crate) to: SideMemory<'memory>,
    pub(crate) from: SideMemory<'memory>,
}

/// The memory of one side of a copy.
pub(crate) struct SideMemory<'memory> {
    pub(crate) owner: SideOwner<'memory>,
    /// The home stream.
    pub(crate) home: Option<&'memory Stream>,
    pub(crate) extent: Extent,
    /// True for an array whose memory other arrays may share. Their positions in it are unknown.
    pub(crate) may_share_memory: bool,
}

/// The position of the bytes of a side.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Extent {
    /// The address of the first byte, the bytes of a row, the bytes from row to row, and the rows.
    Rows { start: u64, row_bytes: usize, pitch: usize, rows: usize },
    /// A block of an array.
    Block { array: usize, at: [usize; 3], size: [usize; 3] },
}

impl<'memory> Memcpy3D<'memory> {
    /// Returns the copy as a node. A node copies at least one byte.
    pub(crate) fn node_copy(&self) -> Result<NodeCopy<'memory>> {
        let Some(plan) = self.plan_of_any()? else {
            let Block { width, height, depth } = self.block;
            return Err(Error::invalid(
                "copy",
                format_args!(
                    "width {width} bytes, height {height}, depth {depth}: a node of a graph copies at least one byte"
                ),
            ));
        };
        let mut raw = plan.three_dimensional();
        if plan.contexts.0 != plan.contexts.1 {
            // Both contexts have one address space, and the driver finds the devices by the addresses.
            if [plan.to.0, plan.from.0].iter().any(|place| matches!(place, SideAddress::Array(_))) {
                let text =
                    "one side is an array, and the sides are of two contexts; copy by way of linear memory";
                return Err(Error::invalid("copy", format_args!("{text}")));
            }
            let unified = cuda_sys::CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED;
            (raw.dstMemoryType, raw.srcMemoryType) = (unified, unified);
        }
        Ok(NodeCopy {
            raw,
            context: plan.home.context(),
            to: side_memory(&self.to.side, plan.to, plan.block),
            from: side_memory(&self.from.side, plan.from, plan.block),
        })
    }
}

pub(super) fn side_memory<'memory>(
    side: &Side<'memory>,
    (place, checked): (SideAddress, Checked),
    block: Block,
) -> SideMemory<'memory> {
    let [x, y, z] = checked.at;
    let in_rows = |start: u64| {
        // The numbers were checked: the block is inside the memory.
        let skipped = z.wrapping_mul(checked.height).wrapping_add(y);
        let offset = skipped.wrapping_mul(checked.pitch).wrapping_add(x);
        Extent::Rows {
            start: start.wrapping_add(offset as u64),
            row_bytes: block.width,
            pitch: checked.pitch,
            // Rows between the slices are counted, too.
            rows: (block.depth - 1).wrapping_mul(checked.height).wrapping_add(block.height),
        }
    };
    let extent = match place {
        SideAddress::Host(start) => in_rows(start.addr() as u64),
        SideAddress::Device(start) | SideAddress::Unified(start) => in_rows(start),
        SideAddress::Array(array) => Extent::Block {
            array: array.addr(),
            at: checked.at,
            size: [block.width, block.height, block.depth],
        },
    };
    let may_share_memory =
        matches!(side.owner, SideOwner::Array(array) if array.storage() == ArrayStorage::SHARED);
    SideMemory { owner: side.owner, home: side.stream, extent, may_share_memory }
}
