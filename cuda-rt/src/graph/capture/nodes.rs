//! Nodes that are added to a graph under capture directly, not by work on its streams.

#![allow(unsafe_code)]

use super::Capture;
use crate::context::different_contexts;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::node::AnyNode;
use crate::graph::source::{Nested, ensure_lockable, lock, refuse_nesting};
use crate::handle::Quiet;
use core::ptr::null_mut;
use cuda_sys::{CUgraph, CUgraphNode, CUstreamUpdateCaptureDependencies_flags_enum as Update, Symbol};

impl Capture<'_> {
    /// Adds a node by `add`, which gets the graph and the dependencies of the node. The next node of the branch waits for the new
    /// node.
    pub(crate) fn add_node(
        &self,
        call: Symbol,
        add: impl FnOnce(CUgraph, &[CUgraphNode]) -> Result<CUgraphNode>,
    ) -> Result<AnyNode> {
        if self.recording.is_recapture {
            let text = "a recapture visits the nodes that work on its stream has made; this call adds a node by itself";
            return Err(Error::invalid_for(call, format_args!("{text}")));
        }
        let info = self.raw_info()?;
        let added = self.record(call, |stream| {
            let mut node = add(info.graph, &info.dependencies)?;
            let flags = Update::CU_STREAM_SET_CAPTURE_DEPENDENCIES.0;
            // SAFETY: the stream is being captured, its context is current, and the node is one of its graph.
            unsafe { check!(cuStreamUpdateCaptureDependencies(stream, &raw mut node, 1, flags)) }?;
            Ok(node)
        });
        // The node may exist, and nothing comes after it.
        let node = self.recording.must_not_fail(added)?;
        Ok(self.recording.nodes.borrow_mut().name(node))
    }

    /// Makes the next node of the branch wait for further nodes. Makes no node. Wraps `cuStreamUpdateCaptureDependencies`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a node belongs to another graph.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.3.
    /// - A failure of the capture.
    #[doc(alias("cuStreamUpdateCaptureDependencies", "CU_STREAM_ADD_CAPTURE_DEPENDENCIES"))]
    pub fn add_dependencies(&self, nodes: &[AnyNode]) -> Result<()> {
        let mut raw = self.recording.nodes.borrow().raws(nodes)?;
        let flags = Update::CU_STREAM_ADD_CAPTURE_DEPENDENCIES.0;
        self.record(Symbol::cuStreamUpdateCaptureDependencies, |stream| {
            // SAFETY: the stream is being captured, its context is current, and the nodes are those of its graph.
            unsafe { check!(cuStreamUpdateCaptureDependencies(stream, raw.as_mut_ptr(), raw.len(), flags)) }
        })
    }

    /// Records a whole graph as one node: a copy of the graph as it is now. Wraps `cuGraphAddChildGraphNode` and
    /// `cuStreamUpdateCaptureDependencies`.
    ///
    /// The graph under capture keeps the objects of the child alive.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the call is inside [`Graph::recapture`], or the child is
    ///   of another context.
    /// - The same kind: the child has nodes that allocate memory, conditional nodes, or nodes that touch the same memory
    ///   without an order.
    /// - The same kind: more than 64 graphs would be inside one another.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned): a failure has left the child in an unknown state.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.3.
    /// - A failure of the capture.
    #[doc(alias = "cuGraphAddChildGraphNode")]
    pub fn child(&self, graph: &mut Graph) -> Result<AnyNode> {
        const CALL: Symbol = Symbol::cuGraphAddChildGraphNode;
        if graph.context() != self.context() {
            return Err(different_contexts(
                CALL,
                [("the child graph", graph.context()), ("the capture", self.context())],
            ));
        }
        // The hook may use the graph, and runs when the graph is not locked.
        let _quiet = Quiet::new();
        ensure_lockable(CALL)?;
        let child = lock(graph.source());
        child.refuse_restricted("no use as a child")?;
        child.refuse_unordered()?;
        // The graph of the capture is one more.
        let (depth, inner) = (child.depth() + 1, child.inner().saturating_add(1));
        let inner_of_all = self.recording.inner.get().saturating_add(inner);
        refuse_nesting(CALL, depth + 1, inner_of_all)?;
        let raw = child.raw()?;
        self.recording.keep.borrow_mut().extend(&child.keep);
        let node = self.add_node(CALL, |parent, after| {
            let mut node = null_mut();
            // SAFETY: `node` is valid for a write. The parent is under capture on this thread alone, and the nodes are its own. The
            // child is live and locked, and the driver copies it.
            unsafe {
                check!(cuGraphAddChildGraphNode(&raw mut node, parent, after.as_ptr(), after.len(), raw))
            }?;
            Ok(node)
        })?;
        let index = node.index();
        self.recording.nested.borrow_mut().push(Nested { node: index, depth, inner });
        self.recording.inner.set(inner_of_all);
        let mut uses = self.recording.cell_uses.borrow_mut();
        uses.extend(child.cell_uses.iter().map(|(_, cell)| (Some(index), *cell)));
        uses.extend(child.keep.cells_of_nodes().map(|(_, cell)| (Some(index), cell)));
        let accesses = child.touched.iter().map(|(_, access)| (index, *access));
        self.recording.touched.borrow_mut().extend(accesses);
        Ok(node)
    }
}
