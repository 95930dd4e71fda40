//! Targets of new nodes: a graph, or in a closure a part of one.

#![allow(unsafe_code)]
#![allow(private_bounds, private_interfaces)] // methods of a sealed trait

use super::params::{AddNode, OfKind, Place, Uses};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::node::{AnyNode, GraphTag, Node};
use crate::graph::source::{Shared, Source, lock, refuse_nesting};
use crate::list::CollectVec;
use crate::map::SortedMap;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::null_mut;
use cuda_sys::Symbol;
use std::sync::MutexGuard;

pub(in crate::graph) mod sealed {
    use super::To;

    pub trait Target {
        /// Returns the graph that nodes are added to.
        #[doc(hidden)]
        fn to(&mut self) -> To<'_>;
    }
}

/// The graph that nodes are added to.
#[derive(Debug)]
pub(in crate::graph) struct To<'a> {
    pub(super) source: &'a Shared,
    pub(super) context: &'a Context,
    /// The graph, and its parent graphs if it is a body.
    pub(super) tags: Vec<GraphTag>,
    /// The memory that lives while the nodes run.
    pub(super) scope: Option<&'a mut Scope>,
    /// The outermost graph, if this is a body. The driver has no lock for a graph and its bodies.
    pub(super) root: Option<&'a Shared>,
}

/// A graph, and its outermost graph.
pub(super) struct Locked<'a> {
    pub(super) source: MutexGuard<'a, Source>,
    _root: Option<MutexGuard<'a, Source>>,
}

/// The graphs and the context that memory must belong to.
#[derive(Debug, Clone, Copy)]
pub(in crate::graph) struct Owner<'a> {
    pub(in crate::graph) context: &'a Context,
    /// The graphs whose memory may be used.
    pub(in crate::graph) tags: &'a [GraphTag],
    /// The driver function that gets the parameters, for errors.
    pub(in crate::graph) call: Symbol,
}

/// The nodes between the allocation of memory and its free.
#[derive(Debug)]
pub(super) struct Scope {
    allocation: AnyNode,
    /// The allocation and the nodes after it, each with whether no other node waits for it.
    is_leaf: SortedMap<AnyNode, bool>,
}

impl Scope {
    pub(super) fn after(allocation: AnyNode) -> Scope {
        let mut is_leaf = SortedMap::new();
        is_leaf.insert(allocation, true);
        Scope { allocation, is_leaf }
    }

    /// Returns the nodes for which no other of them waits.
    pub(super) fn leaves(&self) -> Vec<AnyNode> {
        self.is_leaf.iter().filter(|(_, is_leaf)| **is_leaf).map(|(node, _)| *node).collect_vec()
    }

    fn is_inside(&self, node: &AnyNode) -> bool {
        self.is_leaf.contains_key(node)
    }

    fn add(&mut self, node: AnyNode, after: &[AnyNode]) {
        for before in after {
            if let Some(is_leaf) = self.is_leaf.get_mut(before) {
                *is_leaf = false;
            }
        }
        self.is_leaf.insert(node, true);
    }
}

/// Recorder of nodes of a part of a graph: the body of a conditional node, or the part between the allocation of memory and its
/// free. Closures get it.
///
/// The recorder cannot leave its closure, and two of them cannot be swapped:
///
/// ```compile_fail
/// # use cuda_rt::graph::{AddNodes, Graph};
/// # fn main() -> cuda_rt::Result<()> {
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// let (mut first, mut second) = (Graph::new(&context)?, Graph::new(&context)?);
/// first.temporary::<u8, _>(&[], 4, |outer, _| {
///     second.temporary::<u8, _>(&[], 4, |inner, _| {
///         std::mem::swap(outer, inner);
///         Ok(())
///     })
/// })?;
/// # Ok(()) }
/// ```
pub struct Nodes<'m> {
    pub(super) source: Shared,
    pub(super) root: Option<Shared>,
    pub(super) context: Context,
    pub(super) tags: Vec<GraphTag>,
    pub(super) scope: Option<Scope>,
    /// Invariant: exactly the lifetime of the closure.
    pub(super) _brand: PhantomData<fn(&'m ()) -> &'m ()>,
}

impl Nodes<'_> {
    /// Returns the context of the graph.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl sealed::Target for Nodes<'_> {
    fn to(&mut self) -> To<'_> {
        To {
            source: &self.source,
            context: &self.context,
            tags: self.tags.clone(),
            scope: self.scope.as_mut(),
            root: self.root.as_ref(),
        }
    }
}

impl sealed::Target for Graph {
    fn to(&mut self) -> To<'_> {
        To { source: self.source(), context: self.context(), tags: vec![self.tag()], scope: None, root: None }
    }
}

impl fmt::Debug for Nodes<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Nodes").field("context", &self.context).finish_non_exhaustive()
    }
}

impl To<'_> {
    /// Returns the required owner of memory. `call` is for errors.
    pub(super) fn owner(&self, call: Symbol) -> Owner<'_> {
        Owner { context: self.context, tags: &self.tags, call }
    }

    /// Locks the graph, and its outermost graph.
    pub(super) fn lock(&self) -> Locked<'_> {
        // Always in this order.
        Locked { _root: self.root.map(lock), source: lock(self.source) }
    }

    /// Adds a node.
    pub(super) fn add<P: AddNode + OfKind>(
        &mut self,
        after: &[AnyNode],
        params: &mut P,
    ) -> Result<Node<P::Kind>> {
        let uses = params.uses()?;
        self.add_with(after, params, uses, &mut |_, _| ())
    }

    /// Adds a node, and calls `note` with the graph and the node before other threads can see it.
    pub(super) fn add_with<P: AddNode + OfKind>(
        &mut self,
        after: &[AnyNode],
        params: &mut P,
        uses: Uses,
        note: &mut dyn FnMut(&mut Source, AnyNode),
    ) -> Result<Node<P::Kind>> {
        self.add_any(after, params, uses, note).map(Node::of)
    }

    fn add_any(
        &mut self,
        after: &[AnyNode],
        params: &mut dyn AddNode,
        uses: Uses,
        note: &mut dyn FnMut(&mut Source, AnyNode),
    ) -> Result<AnyNode> {
        let after = self.after(after);
        let call = params.add_call();
        let bound = self.context.bind(call)?;
        let mut locked = self.lock();
        let source = &mut *locked.source;
        // The graph itself is one of its tags.
        if uses.depth > 0 {
            let inner = source.inner().saturating_add(uses.inner);
            refuse_nesting(call, self.tags.len() + uses.depth, inner)?;
        }
        let (graph, raws) = (source.raw()?, source.nodes.raws(&after)?);
        let mut raw = null_mut();
        // SAFETY: the graph is live and locked, the nodes are its own, and its context is current. The uses below are added to
        // the set that the graph keeps alive. If the driver names no node, it has added none.
        let added = unsafe { params.add(Place { graph, after: &raws }, &mut raw) };
        let node = (!raw.is_null()).then(|| source.nodes.name(raw));
        if let Some(node) = node {
            source.note_change_of_shape();
            source.add_uses(node, uses);
            note(source, node);
            if added.is_err() {
                // The graph has a node that the program cannot name, so it cannot order others after it.
                source.poison();
            }
        }
        drop(locked);
        params.unlock();
        drop(bound);
        if let (Some(scope), Some(node)) = (&mut self.scope, node) {
            scope.add(node, &after);
        }
        added?;
        node.ok_or_else(|| no_node(call))
    }

    /// Returns the predecessors of a new node. Includes the allocation of the memory that lives while it runs.
    fn after(&self, after: &[AnyNode]) -> Vec<AnyNode> {
        let mut after = Vec::from(after);
        if let Some(scope) = self.scope.as_deref()
            && !after.iter().any(|node| scope.is_inside(node))
        {
            after.push(scope.allocation);
        }
        after
    }
}

/// Returns the error of a driver that reports success and names no node.
#[cold]
pub(in crate::graph) fn no_node(call: Symbol) -> Error {
    Error::invalid_for(call, format_args!("the driver has named no node"))
}
