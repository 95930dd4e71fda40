//! Copy nodes.

#![allow(unsafe_code)]

use super::kinds::MemcpyNode;
use super::params::{AddNode, OfKind, Place, SetExecutableNode, SetNode, Uses};
use crate::context::Context;
use crate::error::{Code, OrDetail, Result};
use crate::graph::access_order::{Region, Touched};
use crate::graph::keep::Kept;
use crate::list::CollectVec;
use crate::memory::{Extent, NodeCopy, SideMemory};
use cuda_sys::{CUDA_MEMCPY3D, CUgraphExec, CUgraphNode, Symbol};

/// Parameters of a copy node.
pub(in crate::graph) struct CopyParams {
    raw: CUDA_MEMCPY3D,
    context: Context,
    kept: Vec<Kept>,
    touched: Vec<Touched>,
}

impl CopyParams {
    /// Returns the parameters of a copy of a block. Refuses memory that a graph cannot keep.
    pub(in crate::graph) fn of_block(copy: &NodeCopy<'_>) -> Result<CopyParams> {
        let kept =
            vec![Kept::side(copy.to.owner, copy.to.home)?, Kept::side(copy.from.owner, copy.from.home)?];
        let touched = touched_by(&copy.to, true).chain(touched_by(&copy.from, false)).collect_vec();
        Ok(CopyParams { raw: copy.raw, context: copy.context.clone(), kept, touched })
    }

    /// Returns the parameters of a copy for whose memory the caller is responsible.
    pub(in crate::graph) fn of_raw(raw: CUDA_MEMCPY3D, context: &Context, uses: Uses) -> CopyParams {
        let Uses { kept, touched, .. } = uses;
        CopyParams { raw, context: context.clone(), kept, touched }
    }

    fn explained(&self, outcome: Result<()>) -> Result<()> {
        outcome.or_detail(&[Code::InvalidValue], &|| {
            let CUDA_MEMCPY3D { WidthInBytes: width, Height: height, Depth: depth, .. } = self.raw;
            format!("width {width} bytes, height {height}, depth {depth}")
        })
    }
}

/// Stands for all arrays that may share memory with others. No array has this handle.
const SHARED_ARRAYS: usize = usize::MAX;

pub(in crate::graph) fn touched_by(
    side: &SideMemory<'_>,
    is_written: bool,
) -> impl Iterator<Item = Touched> + use<> {
    let region = match side.extent {
        Extent::Rows { start, row_bytes, pitch, rows } => Region::rows(start, row_bytes, pitch, rows),
        Extent::Block { array, at, size } => Some(Region::Block { array, at, size }),
    };
    let all = Region::Block { array: SHARED_ARRAYS, at: [0; 3], size: [usize::MAX; 3] };
    let shared = side.may_share_memory.then_some(all);
    region.into_iter().chain(shared).map(move |region| Touched { region, is_written })
}

impl OfKind for CopyParams {
    type Kind = MemcpyNode;
}

impl AddNode for CopyParams {
    fn add_call(&self) -> Symbol {
        Symbol::cuGraphAddMemcpyNode
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let Place { graph, after } = place;
        let context = self.context.as_raw();
        // SAFETY: the caller's promise of the graph and the nodes. Both sides were checked to hold the block, and are kept.
        let added = unsafe {
            check!(cuGraphAddMemcpyNode(
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
        Ok(Uses { kept: self.kept.clone(), touched: self.touched.clone(), ..Uses::default() })
    }
}

impl SetNode for CopyParams {
    fn set_call(&self) -> Symbol {
        Symbol::cuGraphMemcpyNodeSetParams
    }

    unsafe fn set(&mut self, node: CUgraphNode) -> Result<()> {
        // SAFETY: the caller's promise of the node; the sides as in `add`.
        let set = unsafe { check!(cuGraphMemcpyNodeSetParams(node, &raw const self.raw)) };
        self.explained(set)
    }
}

impl SetExecutableNode for CopyParams {
    fn set_executable_call(&self) -> Symbol {
        Symbol::cuGraphExecMemcpyNodeSetParams
    }

    unsafe fn set_executable(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Result<()> {
        let (raw, context) = (&raw const self.raw, self.context.as_raw());
        // SAFETY: the caller's promise of both; the sides as in `add`.
        let set = unsafe { check!(cuGraphExecMemcpyNodeSetParams(executable, node, raw, context)) };
        self.explained(set)
    }
}
