//! Graphs.

#![allow(unsafe_code)]

use super::node::{AnyNode, GraphTag, NodeTable};
use super::source::{GraphHandle, Shared, Source, ensure_lockable, lock};
use crate::context::Context;
use crate::error::Result;
use crate::handle::{Owned, defer_drop, is_forked_child, made, must_defer};
use crate::list::CollectVec;
use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::null_mut;
use cuda_sys::{CUgraph, Symbol};
use std::sync::Arc;

/// A graph: nodes of work, and edges that order them. It runs nothing itself: see [`instantiate`](Graph::instantiate).
///
/// The graph keeps the objects of its nodes alive, and so do its executable graphs, clones and parents.
///
/// Failures of [`capture_into`](Graph::capture_into), [`recapture`](Graph::recapture),
/// [`remove_node`](Graph::remove_node) and methods that add nodes can leave the graph in an unknown state. Then all
/// calls that use the graph fail with [`Poisoned`](crate::error::ErrorKind::Poisoned).
///
/// The driver has no lock for a graph. So only one thread at a time can use it:
///
/// ```compile_fail,E0277
/// # use cuda_rt::graph::Graph;
/// fn share(graph: &Graph) {
///     std::thread::scope(|scope| {
///         scope.spawn(|| graph.context());
///     });
/// }
/// ```
#[doc(alias = "CUgraph")]
pub struct Graph {
    source: Shared,
    /// The name of the graph, which can be read without the lock.
    tag: GraphTag,
    context: Context,
    _not_sync: PhantomData<Cell<()>>,
}

impl Graph {
    /// Makes an empty graph. Wraps `cuGraphCreate`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let mut graph = cuda_rt::graph::Graph::new(&context)?;
    /// assert_eq!(graph.nodes()?, []);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphCreate")]
    pub fn new(context: &Context) -> Result<Graph> {
        const NO_FLAGS: u32 = 0;
        let bound = context.bind(Symbol::cuGraphCreate)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write.
        let created = unsafe { check!(cuGraphCreate(&raw mut raw, NO_FLAGS)) };
        drop(bound);
        made(created, !raw.is_null(), || {
            Graph::over(Source::new(GraphHandle::own(raw, context), NodeTable::new()), context)
        })
    }

    pub(super) fn over(source: Source, context: &Context) -> Graph {
        let tag = source.nodes.tag();
        Graph { source: source.share(), tag, context: context.clone(), _not_sync: PhantomData }
    }

    pub(super) fn source(&self) -> &Shared {
        &self.source
    }

    pub(super) fn tag(&self) -> GraphTag {
        self.tag
    }

    /// Returns the context that the graph belongs to.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the raw handle, which is valid until this value is dropped. The caller must not destroy the graph or its nodes.
    /// Other code must not use the handle while a method of this value runs. The graph keeps nothing alive for nodes that other
    /// code adds.
    ///
    /// # Errors
    ///
    /// [`Poisoned`](crate::error::ErrorKind::Poisoned): a failure has left the graph in an unknown state.
    pub fn as_raw(&mut self) -> Result<CUgraph> {
        ensure_lockable(Symbol::cuGraphGetNodes)?;
        lock(&self.source).raw()
    }

    /// Returns the nodes, in the driver's order. Nodes of child graphs are not included. Wraps `cuGraphGetNodes`.
    ///
    /// # Errors
    ///
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned): a failure has left the graph in an unknown state.
    /// - An earlier failure.
    #[doc(alias = "cuGraphGetNodes")]
    pub fn nodes(&mut self) -> Result<Vec<AnyNode>> {
        let _bound = self.context.bind(Symbol::cuGraphGetNodes)?;
        let mut source = lock(&self.source);
        let raw = source.raw_nodes()?;
        Ok(raw.into_iter().map(|node| source.nodes.name(node)).collect_vec())
    }

    /// Returns the edges as pairs: a node, and a node that waits for it. Wraps `cuGraphGetEdges`.
    ///
    /// # Errors
    ///
    /// Same as [`nodes`](Graph::nodes).
    #[doc(alias = "cuGraphGetEdges")]
    pub fn edges(&mut self) -> Result<Vec<(AnyNode, AnyNode)>> {
        let _bound = self.context.bind(Symbol::cuGraphGetEdges)?;
        let mut source = lock(&self.source);
        let raw = source.raw_edges()?;
        Ok(raw.into_iter().map(|(from, to)| (source.nodes.name(from), source.nodes.name(to))).collect_vec())
    }

    /// Destroys the graph and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). If executable graphs exist, the last of them destroys the graph. Wraps
    /// `cuGraphDestroy`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The graph is consumed in any case.
    #[doc(alias = "cuGraphDestroy")]
    pub fn close(self) -> Result<()> {
        ensure_lockable(Symbol::cuGraphDestroy)?;
        if Arc::strong_count(&self.source) > 1 {
            return Ok(());
        }
        let handle = lock(&self.source).take_handle();
        handle.map_or(Ok(()), Owned::close)
    }
}

/// Releases the shares of the graph. Executable graphs have shares of their own, and nothing else launches the nodes from here on.
impl Drop for Graph {
    fn drop(&mut self) {
        let source = Arc::clone(&self.source);
        if must_defer() {
            // Another thread may hold the lock during a driver call, which may wait for the function that runs here.
            return defer_drop(Forget(source));
        }
        drop(Forget(source));
    }
}

/// Releases the shares of a graph when it is dropped.
struct Forget(Shared);

impl Drop for Forget {
    fn drop(&mut self) {
        if is_forked_child() {
            return;
        }
        let kept = core::mem::take(&mut lock(&self.0).keep);
        // With nothing locked.
        drop(kept);
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Graph").field("context", &self.context).finish_non_exhaustive()
    }
}
