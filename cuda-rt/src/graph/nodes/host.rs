//! Host nodes.

#![allow(unsafe_code)]

use super::kinds::HostNode as HostKind;
use super::params::{AddNode, OfKind, Place, SetExecutableNode, SetNode, Uses};
use crate::error::Result;
use crate::graph::access_order::Touched;
use crate::graph::cell_state::AnyCell;
use crate::graph::host_node::{HostNode, run};
use crate::graph::keep::Kept;
use cuda_sys::{CUDA_HOST_NODE_PARAMS, CUgraphExec, CUgraphNode, Symbol};
use std::sync::Arc;

/// The parameters of a host node.
pub(in crate::graph) struct HostParams {
    function: Arc<HostNode>,
    /// The host memory that the function gets.
    cell: Option<(Arc<dyn AnyCell>, Option<Touched>)>,
}

impl HostParams {
    pub(in crate::graph) fn new(function: Arc<HostNode>) -> HostParams {
        HostParams { function, cell: None }
    }

    pub(in crate::graph) fn with_cell(
        function: Arc<HostNode>,
        cell: Arc<dyn AnyCell>,
        touched: Option<Touched>,
    ) -> HostParams {
        HostParams { function, cell: Some((cell, touched)) }
    }

    fn raw(&self) -> CUDA_HOST_NODE_PARAMS {
        CUDA_HOST_NODE_PARAMS { fn_: Some(run), userData: HostNode::data(&self.function) }
    }
}

impl OfKind for HostParams {
    type Kind = HostKind;
}

impl AddNode for HostParams {
    fn add_call(&self) -> Symbol {
        Symbol::cuGraphAddHostNode
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let Place { graph, after } = place;
        let raw = self.raw();
        // SAFETY: the caller's promise of the graph and the nodes, and that the function is kept.
        unsafe { check!(cuGraphAddHostNode(node, graph, after.as_ptr(), after.len(), &raw const raw)) }
    }

    fn uses(&self) -> Result<Uses> {
        let mut uses = Uses { kept: vec![Kept::value(Arc::clone(&self.function) as _)], ..Uses::default() };
        if let Some((cell, touched)) = &self.cell {
            uses.kept.push(Kept::cell(Arc::clone(cell)));
            match touched {
                Some(touched) => uses.touched.push(*touched),
                // Elements without bytes have no region, but only one function at a time may have them.
                None => uses.exclusive_cells.push(Arc::as_ptr(cell).addr()),
            }
        }
        Ok(uses)
    }
}

impl SetNode for HostParams {
    fn set_call(&self) -> Symbol {
        Symbol::cuGraphHostNodeSetParams
    }

    unsafe fn set(&mut self, node: CUgraphNode) -> Result<()> {
        let raw = self.raw();
        // SAFETY: the caller's promise of the node, and that the function is kept.
        unsafe { check!(cuGraphHostNodeSetParams(node, &raw const raw)) }
    }
}

impl SetExecutableNode for HostParams {
    fn set_executable_call(&self) -> Symbol {
        Symbol::cuGraphExecHostNodeSetParams
    }

    unsafe fn set_executable(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Result<()> {
        let raw = self.raw();
        // SAFETY: the caller's promise of both, and that the function is kept.
        unsafe { check!(cuGraphExecHostNodeSetParams(executable, node, &raw const raw)) }
    }
}
