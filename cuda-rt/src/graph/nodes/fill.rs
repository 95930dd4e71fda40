//! Fill nodes.

#![allow(unsafe_code)]

use super::kinds::MemsetNode;
use super::params::{AddNode, OfKind, Place, SetExecutableNode, SetNode, Uses};
use crate::context::Context;
use crate::error::{Code, Error, OrDetail, Result};
use crate::graph::access_order::{Region, Touched};
use crate::graph::keep::Kept;
use crate::list::CollectVec;
use cuda_sys::{CUDA_MEMSET_NODE_PARAMS, CUdeviceptr, CUgraphExec, CUgraphNode, Symbol};

/// Elements in rows.
#[derive(Debug, Clone, Copy)]
pub(in crate::graph) struct Rows {
    pub(in crate::graph) address: CUdeviceptr,
    /// Bytes from row to row, if there are several.
    pub(in crate::graph) pitch: usize,
    /// Elements of a row.
    pub(in crate::graph) width: usize,
    pub(in crate::graph) height: usize,
}

/// Parameters of a fill node.
pub(in crate::graph) struct FillParams {
    raw: CUDA_MEMSET_NODE_PARAMS,
    context: Context,
    /// `None` for memory of the graph.
    kept: Option<Kept>,
    touched: Touched,
}

impl FillParams {
    /// Returns the parameters of a fill of rows with a value, whose size is that of the elements. A node repeats a unit of 1, 2
    /// or 4 bytes.
    pub(in crate::graph) fn new(
        rows: Rows,
        value: &[u8],
        context: &Context,
        kept: Option<Kept>,
    ) -> Result<FillParams> {
        let Rows { address, pitch, width, height } = rows;
        let row_bytes = width.saturating_mul(value.len());
        let Some(region) = Region::rows(address, row_bytes, pitch, height) else {
            return Err(Error::invalid(
                "fill",
                format_args!(
                    "{width} elements of {} bytes, in {height} rows: a node of a graph fills at least one byte",
                    value.len()
                ),
            ));
        };
        // The address, and the pitch if there are several rows, are multiples of its lowest bit.
        let align = if height > 1 { address | pitch as u64 } else { address };
        let Some((unit, unit_bytes)) = unit_of(value, align) else {
            return Err(Error::invalid(
                "fill",
                format_args!(
                    "a value of {} bytes at {address:#x}: a node of a graph repeats 1, 2 or 4 bytes, at a multiple of as many; use a \
                 kernel",
                    value.len()
                ),
            ));
        };
        let raw = CUDA_MEMSET_NODE_PARAMS {
            dst: address,
            pitch,
            value: unit,
            elementSize: unit_bytes,
            width: row_bytes / unit_bytes as usize,
            height,
        };
        Ok(FillParams { raw, context: context.clone(), kept, touched: Touched { region, is_written: true } })
    }

    fn explained(&self, outcome: Result<()>) -> Result<()> {
        outcome.or_detail(&[Code::InvalidValue], &|| {
            let CUDA_MEMSET_NODE_PARAMS { width, height, pitch, elementSize, .. } = self.raw;
            format!("{width} times {elementSize} bytes, in {height} rows of {pitch} bytes")
        })
    }
}

/// Returns the smallest unit that a value repeats, and its size in bytes.
fn unit_of(value: &[u8], align: u64) -> Option<(u32, u32)> {
    [1_u32, 2, 4].into_iter().find_map(|bytes| {
        let first = value.get(..bytes as usize)?;
        let is_repeated = value.chunks(bytes as usize).all(|chunk| chunk == first);
        let is_aligned = align.is_multiple_of(bytes.into());
        let mut unit = [0_u8; 4];
        for (to, from) in unit.iter_mut().zip(first) {
            *to = *from;
        }
        // Hosts of CUDA are little-endian.
        (is_repeated && is_aligned).then_some((u32::from_le_bytes(unit), bytes))
    })
}

impl OfKind for FillParams {
    type Kind = MemsetNode;
}

impl AddNode for FillParams {
    fn add_call(&self) -> Symbol {
        Symbol::cuGraphAddMemsetNode
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let Place { graph, after } = place;
        let context = self.context.as_raw();
        // SAFETY: the caller's promise of the graph and the nodes. The rows are in memory that is kept.
        let added = unsafe {
            check!(cuGraphAddMemsetNode(
                node,
                graph,
                after.as_ptr(),
                after.len(),
                &raw const self.raw,
                context
            ))
        };
        self.explained(added)
    }

    fn uses(&self) -> Result<Uses> {
        Ok(Uses {
            kept: self.kept.iter().cloned().collect_vec(),
            touched: vec![self.touched],
            ..Uses::default()
        })
    }
}

impl SetNode for FillParams {
    fn set_call(&self) -> Symbol {
        Symbol::cuGraphMemsetNodeSetParams
    }

    unsafe fn set(&mut self, node: CUgraphNode) -> Result<()> {
        // SAFETY: the caller's promise of the node; the rows as in `add`.
        let set = unsafe { check!(cuGraphMemsetNodeSetParams(node, &raw const self.raw)) };
        self.explained(set)
    }
}

impl SetExecutableNode for FillParams {
    fn set_executable_call(&self) -> Symbol {
        Symbol::cuGraphExecMemsetNodeSetParams
    }

    unsafe fn set_executable(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Result<()> {
        let (raw, context) = (&raw const self.raw, self.context.as_raw());
        // SAFETY: the caller's promise of both; the rows as in `add`.
        let set = unsafe { check!(cuGraphExecMemsetNodeSetParams(executable, node, raw, context)) };
        self.explained(set)
    }
}

#[cfg(test)]
mod tests {
    use super::unit_of;

    #[test]
    fn values_repeat_their_smallest_unit() {
        assert_eq!(unit_of(&[7; 8], 1), Some((7, 1)));
        assert_eq!(unit_of(&[1, 2, 1, 2], 2), Some((0x201, 2)));
        assert_eq!(unit_of(&[1, 2, 3, 4], 4), Some((0x0403_0201, 4)));
        assert_eq!(unit_of(&[1, 2, 3, 4], 2), None);
        assert_eq!(unit_of(&[1, 2, 3], 4), None);
        assert_eq!(unit_of(&[1, 0, 0, 0, 0, 0, 0, 0], 8), None);
        assert_eq!(unit_of(&[], 8), None);
    }
}
