//! Clones of graphs.

#![allow(unsafe_code)]

use super::Graph;
use super::node::{AnyNode, Node, NodeTable};
use super::source::{GraphHandle, Nested, Source, lock};
use crate::error::{Code, OrDetail, Result};
use crate::handle::{Quiet, made};
use core::ptr::null_mut;
use cuda_sys::{CUgraph, CUgraphNode, Symbol};
use std::sync::Arc;

impl Graph {
    /// Copies the graph, with new nodes. The copy keeps the objects of its nodes alive. Wraps `cuGraphClone`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the graph has nodes that allocate or free memory, or
    ///   conditional nodes.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned): a failure has left the graph in an unknown state.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::graph::{AddNodes, Graph};
    ///
    /// let mut graph = Graph::new(&context)?;
    /// let node = graph.empty(&[])?;
    /// let mut clone = graph.try_clone()?;
    /// let same = graph.find_in_clone(&mut clone, node)?;
    /// assert!(clone.empty(&[node.any()]).is_err()); // the clone has its own nodes
    /// clone.empty(&[same.any()])?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphClone")]
    pub fn try_clone(&mut self) -> Result<Graph> {
        // The hook may use the graph, and runs when the graph is not locked.
        let _quiet = Quiet::new();
        let context = self.context().clone();
        let bound = context.bind(Symbol::cuGraphClone)?;
        let source = lock(self.source());
        source.refuse_restricted("no clone")?;
        let (graph, mut raw) = (source.raw()?, null_mut());
        // SAFETY: the graph is live and locked, its context is current, and `raw` is valid for a write.
        let cloned = unsafe { check!(cuGraphClone(&raw mut raw, graph)) };
        // An owner first, so that a failure below destroys the clone.
        let handle = made(cloned, !raw.is_null(), || GraphHandle::own(raw, &context))?;
        let mut clone = Source::new(handle, NodeTable::new());
        let uses = clone.copy_uses(&source, raw);
        drop(source);
        drop(bound);
        let clone = Graph::over(clone, &context);
        uses.map(|()| clone)
    }

    /// Returns the node of a clone that corresponds to a node of this graph. Wraps `cuGraphNodeFindInClone`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the node belongs to another graph, or was removed.
    /// - [`Code::InvalidValue`]: the other graph is no clone of this one, the node was added after the clone was made, or the
    ///   clone's node was removed.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned): a failure has left one of the graphs in an unknown state.
    /// - An earlier failure.
    #[doc(alias = "cuGraphNodeFindInClone")]
    pub fn find_in_clone<K>(&mut self, clone: &mut Graph, node: Node<K>) -> Result<Node<K>> {
        self.find_any_in_clone(clone, node.any()).map(Node::of)
    }

    /// Returns the node of a clone that corresponds to a node of any kind of this graph. Wraps `cuGraphNodeFindInClone`.
    ///
    /// # Errors
    ///
    /// Same as [`find_in_clone`](Graph::find_in_clone).
    #[doc(alias = "cuGraphNodeFindInClone")]
    pub fn find_any_in_clone(&mut self, clone: &mut Graph, node: AnyNode) -> Result<AnyNode> {
        let _bound = self.context().bind(Symbol::cuGraphNodeFindInClone)?;
        // Both graphs are borrowed mutably, so no other thread locks both of them.
        let source = lock(self.source());
        source.raw()?;
        let raw = source.nodes.raw(node)?;
        let mut clone = lock(clone.source());
        let graph = clone.raw()?;
        let found = find(raw, graph)?;
        Ok(clone.nodes.name(found))
    }
}

/// Queries the node of a clone.
fn find(node: CUgraphNode, clone: CUgraph) -> Result<CUgraphNode> {
    let mut found = null_mut();
    // SAFETY: the node and the clone are live, no other thread uses the clone, and `found` is valid for a write.
    unsafe { check!(cuGraphNodeFindInClone(&raw mut found, node, clone)) }
        .or_detail(&[Code::InvalidValue], &|| {
            "the other graph is no clone of this one, or has no copy of the node".to_owned()
        })?;
    if found.is_null() {
        return Err(super::nodes::no_node(Symbol::cuGraphNodeFindInClone));
    }
    Ok(found)
}

impl Source {
    /// Copies the uses of the original to the clone, node by node.
    fn copy_uses(&mut self, original: &Source, raw: CUgraph) -> Result<()> {
        // Whatever happens below, the clone keeps everything alive.
        self.keep = Arc::new({
            let mut keep = super::keep::KeepSet::default();
            keep.extend(&original.keep);
            keep
        });
        let mut known: Vec<Option<u32>> = Vec::new();
        let mut index_of = |clone: &mut Source, index: u32| -> Result<Option<u32>> {
            let place = index as usize;
            if let Some(Some(known)) = known.get(place) {
                return Ok(Some(*known));
            }
            let Some(node) = original.nodes.raw_at(index) else { return Ok(None) };
            let found = clone.nodes.name(find(node, raw)?).index();
            if known.len() <= place {
                known.resize(place + 1, None);
            }
            if let Some(known) = known.get_mut(place) {
                *known = Some(found);
            }
            Ok(Some(found))
        };
        for (index, touched) in &original.touched {
            if let Some(index) = index_of(self, *index)? {
                self.touched.push((index, *touched));
            }
        }
        for (index, cell) in &original.cell_uses {
            let index = match index {
                Some(index) => index_of(self, *index)?,
                None => None,
            };
            self.cell_uses.push((index, *cell));
        }
        for nested in &original.nested {
            if let Some(node) = index_of(self, nested.node)? {
                self.nested.push(Nested { node, ..*nested });
            }
        }
        let mut keep = super::keep::KeepSet::default();
        for (index, kept) in original.keep.entries() {
            let index = match index {
                Some(index) => index_of(self, *index)?,
                None => None,
            };
            match index {
                Some(index) => keep.add_for_node(index, [kept.clone()]),
                None => keep.add(kept.clone()),
            }
        }
        self.keep = Arc::new(keep);
        Ok(())
    }
}
