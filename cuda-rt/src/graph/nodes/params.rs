//! Parameters of nodes: how the driver gets them, and their uses.

#![allow(unsafe_code)]

use super::super::access_order::Touched;
use super::super::keep::Kept;
use crate::error::Result;
use core::ptr::null;
use cuda_sys::{CUgraph, CUgraphExec, CUgraphNode, CUgraphNodeParams, Symbol};

/// Objects and memory that a node uses.
#[derive(Debug, Clone, Default)]
pub(in crate::graph) struct Uses {
    /// Objects that the graph keeps alive for the node.
    pub(in crate::graph) kept: Vec<Kept>,
    /// Memory that the node touches, as far as it is known.
    pub(in crate::graph) touched: Vec<Touched>,
    /// The addresses of cells that only one node at a time may use: those that captures inside of the node use, and those
    /// without bytes.
    pub(in crate::graph) exclusive_cells: Vec<usize>,
    /// Number of graphs inside one another in the node.
    pub(in crate::graph) depth: usize,
    /// Number of graphs in the node, at all depths.
    pub(in crate::graph) inner: u64,
}

/// Place of a new node: a graph, and the predecessors in it.
#[derive(Debug, Clone, Copy)]
pub(in crate::graph) struct Place<'a> {
    pub(in crate::graph) graph: CUgraph,
    pub(in crate::graph) after: &'a [CUgraphNode],
}

/// Adds a node by the function that adds nodes of all kinds.
///
/// # Safety
///
/// Same as [`AddNode::add`]. The parameters are those of their type.
pub(in crate::graph) unsafe fn add_by_params(
    place: Place<'_>,
    params: &mut CUgraphNodeParams,
    node: &mut CUgraphNode,
) -> Result<()> {
    let Place { graph, after } = place;
    let (list, count) = (after.as_ptr(), after.len());
    if cuda_sys::driver()?.has(Symbol::cuGraphAddNode_v2) {
        // SAFETY: the caller's promise; without data the edges are full dependencies.
        unsafe { check!(cuGraphAddNode_v2(node, graph, list, null(), count, params)) }
    } else {
        // SAFETY: as above.
        unsafe { check!(cuGraphAddNode(node, graph, list, count, params)) }
    }
}

/// Parameters of nodes of one kind.
pub(in crate::graph) trait OfKind {
    /// The type that stands for the kind.
    type Kind;
}

/// Checked parameters of a new node.
pub(in crate::graph) trait AddNode {
    /// Returns the driver function that adds the node.
    fn add_call(&self) -> Symbol;

    /// Adds the node, and writes its handle. The handle may be written although the call fails.
    ///
    /// # Safety
    ///
    /// The graph is live and locked, and the nodes are its own. The context of the graph is current. As long as the node exists,
    /// in the graph or in a clone or executable graph, the caller keeps the objects of [`uses`](AddNode::uses) alive.
    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()>;

    /// Returns the uses of the node.
    fn uses(&self) -> Result<Uses>;

    /// Unlocks what was locked for the call, so that code of the program may run.
    fn unlock(&mut self) {}
}

/// Checked parameters that can replace those of a node of a graph.
pub(in crate::graph) trait SetNode: AddNode {
    /// Returns the driver function that sets the parameters.
    fn set_call(&self) -> Symbol;

    /// Sets the parameters of a node.
    ///
    /// # Safety
    ///
    /// Same as [`add`](AddNode::add), for the graph of this node, which is of this kind.
    unsafe fn set(&mut self, node: CUgraphNode) -> Result<()>;
}

/// Checked parameters that can replace those of a node of an executable graph.
pub(in crate::graph) trait SetExecutableNode: AddNode {
    /// Returns the driver function that sets the parameters.
    fn set_executable_call(&self) -> Symbol;

    /// Sets the parameters of the copy of a node.
    ///
    /// # Safety
    ///
    /// Same as [`add`](AddNode::add), for the graph of this node, which is of this kind. The executable graph was made from that
    /// graph, is live, and no other thread uses it.
    unsafe fn set_executable(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Result<()>;
}
