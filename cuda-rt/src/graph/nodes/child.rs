//! Child graphs.

#![allow(unsafe_code)]

use super::MEMORY_NODES;
use super::add::To;
use super::kinds::ChildNode;
use super::params::{AddNode, OfKind, Place, SetExecutableNode, Uses, add_by_params};
use crate::context::{Context, different_contexts};
use crate::error::Result;
use crate::graph::Graph;
use crate::graph::node::{AnyNode, Node};
use crate::graph::since::ensure_since;
use crate::graph::source::{Source, ensure_lockable, lock};
use crate::handle::Quiet;
use crate::list::CollectVec;
use cuda_sys::{
    CUDA_CHILD_GRAPH_NODE_PARAMS, CUgraph, CUgraphChildGraphNodeOwnership_enum as Ownership, CUgraphExec,
    CUgraphNode, CUgraphNodeParams, CUgraphNodeType_enum as Type, DriverVersion, Symbol,
};
use std::sync::{Mutex, MutexGuard, PoisonError};

const ADD: Symbol = Symbol::cuGraphAddChildGraphNode;

/// A graph that is copied into another one. It is locked meanwhile.
pub(in crate::graph) struct ChildParams<'a> {
    raw: CUgraph,
    uses: Uses,
    /// `None` after the call.
    child: Option<MutexGuard<'a, Source>>,
    turn: Option<MutexGuard<'static, ()>>,
}

impl<'a> ChildParams<'a> {
    /// `call` is the driver function that gets the parameters.
    pub(in crate::graph) fn copy_of(
        graph: &'a mut Graph,
        context: &Context,
        call: Symbol,
    ) -> Result<ChildParams<'a>> {
        ensure_lockable(call)?;
        if graph.context() != context {
            return Err(different_contexts(
                call,
                [("the child graph", graph.context()), ("the graph", context)],
            ));
        }
        let child = lock(graph.source());
        let remedy = match child.restriction {
            Some(MEMORY_NODES) => "no copy as a child; move it into the graph",
            _ => "no copy as a child",
        };
        child.refuse_restricted(remedy)?;
        child.refuse_unordered()?;
        Ok(ChildParams { raw: child.raw()?, uses: uses_of(&child), child: Some(child), turn: None })
    }

    /// Does the same for a change of an executable graph, which locks its own graph next. Only one thread at a time can do so.
    /// Otherwise two threads could wait for each other's graph.
    pub(in crate::graph) fn in_turn(
        graph: &'a mut Graph,
        context: &Context,
        call: Symbol,
    ) -> Result<ChildParams<'a>> {
        static TURN: Mutex<()> = Mutex::new(());
        // First a driver call, which fails in the child of a fork. A thread that does not exist there may hold the lock.
        drop(context.bind(call)?);
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let params = ChildParams::copy_of(graph, context, call)?;
        Ok(ChildParams { turn: Some(turn), ..params })
    }
}

/// Returns the uses of a node that stands for a whole graph.
pub(super) fn uses_of(child: &Source) -> Uses {
    Uses {
        kept: child.keep.all(),
        touched: child.touched.iter().map(|(_, touched)| *touched).collect_vec(),
        exclusive_cells: child.cell_uses.iter().map(|(_, cell)| *cell).collect_vec(),
        depth: child.depth() + 1,
        inner: child.inner().saturating_add(1),
    }
}

impl OfKind for ChildParams<'_> {
    type Kind = ChildNode;
}

impl AddNode for ChildParams<'_> {
    fn add_call(&self) -> Symbol {
        ADD
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let Place { graph, after } = place;
        // SAFETY: the caller's promise of the graph and the nodes. The child is live and locked, and the driver copies it.
        unsafe { check!(cuGraphAddChildGraphNode(node, graph, after.as_ptr(), after.len(), self.raw)) }
    }

    fn uses(&self) -> Result<Uses> {
        Ok(self.uses.clone())
    }

    fn unlock(&mut self) {
        self.child = None;
        self.turn = None;
    }
}

impl SetExecutableNode for ChildParams<'_> {
    fn set_executable_call(&self) -> Symbol {
        Symbol::cuGraphExecChildGraphNodeSetParams
    }

    unsafe fn set_executable(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Result<()> {
        // SAFETY: the caller's promise of both. The child is live and locked, and the driver copies its parameters.
        unsafe { check!(cuGraphExecChildGraphNodeSetParams(executable, node, self.raw)) }
    }
}

/// A graph that becomes a part of another one.
struct MovedParams(CUgraph);

impl OfKind for MovedParams {
    type Kind = ChildNode;
}

impl AddNode for MovedParams {
    fn add_call(&self) -> Symbol {
        Symbol::cuGraphAddNode
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let mut params =
            CUgraphNodeParams { type_: Type::CU_GRAPH_NODE_TYPE_GRAPH, ..CUgraphNodeParams::default() };
        params.__bindgen_anon_1.graph = CUDA_CHILD_GRAPH_NODE_PARAMS {
            graph: self.0,
            ownership: Ownership::CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE,
        };
        // SAFETY: the caller's promise of the graph and the nodes. The child is live and locked, and is not used any more if it was
        // moved.
        unsafe { add_by_params(place, &mut params, node) }
    }

    fn uses(&self) -> Result<Uses> {
        Ok(Uses::default())
    }
}

/// Moves a graph into another one.
pub(super) fn add_moved(to: &mut To<'_>, after: &[AnyNode], graph: Graph) -> Result<Node<ChildNode>> {
    ensure_lockable(Symbol::cuGraphAddNode)?;
    if graph.context() != to.context {
        return Err(different_contexts(
            ADD,
            [("the child graph", graph.context()), ("the graph", to.context)],
        ));
    }
    // The hook may use the graphs, and runs when they are not locked.
    let _quiet = Quiet::new();
    let since = DriverVersion::new(12, 9);
    ensure_since(Symbol::cuGraphAddNode, "moved child graph", since)?;
    let mut child = lock(graph.source());
    child.refuse_unordered()?;
    // Otherwise executable graphs of the child and of the parent would share memory.
    child.refuse_leased("a move while it has no executable graph; drop that first", |_| false)?;
    let mut params = MovedParams(child.raw()?);
    let (uses, restriction) = (uses_of(&child), child.restriction);
    let mut is_moved = false;
    let added = to.add_with(after, &mut params, uses, &mut |parent, _| {
        parent.restrict(restriction);
        is_moved = true;
    });
    if is_moved && let Some(handle) = child.take_handle() {
        // The parent destroys it.
        let _moved = handle.into_inner();
    }
    drop(child);
    added
}
