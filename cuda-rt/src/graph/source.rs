//! The owner of a graph, and the record of its nodes.

#![allow(unsafe_code)]

use super::access_order::{Touched, unordered_pair};
use super::keep::KeepSet;
use super::lease::Lease;
use super::node::{AnyNode, NodeTable};
use super::nodes::MEMORY_NODES;
use crate::context::{Context, ContextRequirement, release_in};
use crate::error::{Error, ErrorKind, Result, filled};
use crate::handle::{DriverHandle, Owned, Releasing, ensure_not_forked, ensure_not_in_host_function};
use crate::list::CollectVec;
use crate::map::{Numbers, SortedMap};
use core::ptr::null_mut;
use cuda_sys::{CUgraph, CUgraphEdgeData, CUgraphNode, Symbol};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A graph of the driver.
#[derive(Debug)]
pub(super) struct GraphHandle {
    raw: CUgraph,
    context: Context,
    /// True if the graph is a part of another one, which destroys it.
    is_part: bool,
}

// SAFETY: a `CUgraph` names an object that is not bound to a thread.
unsafe impl Send for GraphHandle {}

impl DriverHandle for GraphHandle {
    fn release_call(&self) -> Symbol {
        Symbol::cuGraphDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        if self.is_part {
            return Ok(());
        }
        release_in(&self.context, ContextRequirement::None, Symbol::cuGraphDestroy, &mut |_| {
            // SAFETY: the owner releases the graph once, and does not use it afterwards.
            unsafe { check!(cuGraphDestroy(self.raw)) }
        })
    }
}

impl GraphHandle {
    /// Takes ownership of a graph.
    pub(super) fn own(raw: CUgraph, context: &Context) -> Owned<GraphHandle> {
        Owned::new(GraphHandle { raw, context: context.clone(), is_part: false })
    }

    /// Wraps a graph that is a part of another one.
    pub(super) fn part(raw: CUgraph, context: &Context) -> Owned<GraphHandle> {
        Owned::new(GraphHandle { raw, context: context.clone(), is_part: true })
    }

    pub(super) fn raw(&self) -> CUgraph {
        self.raw
    }
}

/// A use of a cell: the node, if it is known, and the address of the cell.
pub(super) type CellUse = (Option<u32>, usize);

/// The graphs inside a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nested {
    /// Index of the node.
    pub(super) node: u32,
    /// Number of graphs inside one another.
    pub(super) depth: usize,
    /// Number of graphs at all depths.
    pub(super) inner: u64,
}

/// A graph with its nodes and kept objects. The driver has no lock for a graph: callers hold the lock of this value.
pub(super) struct Source {
    /// `None` after the graph was released.
    handle: Option<Owned<GraphHandle>>,
    pub(super) nodes: NodeTable,
    pub(super) keep: Arc<KeepSet>,
    pub(super) cell_uses: Vec<CellUse>,
    /// The memory that nodes touch, by the index of the node.
    pub(super) touched: Vec<(u32, Touched)>,
    /// The reason why only one executable graph, no clone and no copy as a child are allowed.
    pub(super) restriction: Option<&'static str>,
    /// The graphs inside nodes.
    pub(super) nested: Vec<Nested>,
    /// The last use by an executable graph.
    lease: Option<Arc<Lease>>,
    state: State,
    /// Counts the changes of nodes, their parameters, and edges.
    changes: u64,
    /// Counts the nodes and edges that were added and removed.
    shape_changes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Usable,
    /// A closure records into the graph.
    Recording,
    /// The state of the graph is unknown after a failure.
    Poisoned,
}

/// Limit of graphs inside one another. The driver calls itself for each, and overflows the stack of the thread at about 2000 (fact
/// V1190).
pub(super) const MOST_NESTED: usize = 64;

/// Limit of the graphs inside a graph. Graphs that have copies of each other twice would double the number at each level.
pub(super) const MOST_INNER: u64 = 1 << 18;

/// Refuses graphs that are too deep inside one another, or too many. `call` is the driver function that would put them there.
pub(super) fn refuse_nesting(call: Symbol, depth: usize, inner: u64) -> Result<()> {
    if depth > MOST_NESTED {
        return Err(Error::invalid_for(
            call,
            format_args!("{depth} graphs would be inside one another; at most {MOST_NESTED} may be"),
        ));
    }
    if inner > MOST_INNER {
        return Err(Error::invalid_for(
            call,
            format_args!("{inner} graphs would be inside one graph; at most {MOST_INNER} may be"),
        ));
    }
    Ok(())
}

/// A [`Source`] that a graph and its executable graphs share.
pub(super) type Shared = Arc<Mutex<Source>>;

/// Refuses calls that would lock a source inside a host function, or in the child of a fork, where another thread may have held the
/// lock.
pub(super) fn ensure_lockable(call: Symbol) -> Result<()> {
    ensure_not_in_host_function(call)?;
    ensure_not_forked(call)
}

/// Locks a source. The lock is held during driver calls, not while code of the program runs, except log functions.
///
/// The driver calls a log function within a call that fails, so under this lock. The function counts as inside a host function:
/// methods refuse there before they lock, and drops are deferred.
pub(super) fn lock(source: &Shared) -> MutexGuard<'_, Source> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Source {
    pub(super) fn new(handle: Owned<GraphHandle>, nodes: NodeTable) -> Source {
        Source {
            handle: Some(handle),
            nodes,
            keep: Arc::default(),
            cell_uses: Vec::new(),
            touched: Vec::new(),
            restriction: None,
            nested: Vec::new(),
            lease: None,
            state: State::Usable,
            changes: 0,
            shape_changes: 0,
        }
    }

    /// Returns the number of graphs inside one another, below this one.
    pub(super) fn depth(&self) -> usize {
        self.nested.iter().map(|nested| nested.depth).max().unwrap_or(0)
    }

    /// Returns the number of graphs inside this one, at all depths.
    pub(super) fn inner(&self) -> u64 {
        self.nested.iter().fold(0, |inner, nested| nested.inner.saturating_add(inner))
    }

    pub(super) fn share(self) -> Shared {
        Arc::new(Mutex::new(self))
    }

    /// Returns the handle for a call. Refuses a graph that must not be used.
    pub(super) fn raw(&self) -> Result<CUgraph> {
        let refuse =
            |kind, text: &str| Err(Error::about(kind, format_args!("graph"), format_args!("{text}")));
        match (self.state, &self.handle) {
            (State::Usable, Some(handle)) => Ok(handle.raw()),
            (State::Usable, None) => refuse(
                ErrorKind::InvalidArgument,
                "it was moved into another graph; nodes of its executable graphs cannot be changed",
            ),
            (State::Recording, _) => {
                refuse(ErrorKind::StreamCapturing, "a capture records into it; end the capture first")
            }
            (State::Poisoned, _) => {
                refuse(ErrorKind::Poisoned, "a failure left it in an unknown state; make a new graph")
            }
        }
    }

    /// Prevents uses of the graph while a closure records into it.
    pub(super) fn begin_recording(&mut self) -> Result<CUgraph> {
        let raw = self.raw()?;
        self.state = State::Recording;
        Ok(raw)
    }

    /// Counts a change of nodes, their parameters, or edges.
    pub(super) fn note_change(&mut self) {
        self.changes = self.changes.wrapping_add(1);
    }

    /// Counts an added or removed node or edge.
    pub(super) fn note_change_of_shape(&mut self) {
        self.shape_changes = self.shape_changes.wrapping_add(1);
        self.note_change();
    }

    /// Returns a number that differs after nodes or edges were added or removed.
    pub(super) fn shape_changes(&self) -> u64 {
        self.shape_changes
    }

    /// Returns a number that differs after each change.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Poisons the graph: its content is unknown.
    pub(super) fn poison(&mut self) {
        self.state = State::Poisoned;
    }

    /// Ends a recording. A graph of a failed capture is half changed, so it is poisoned. If ending the capture failed, the driver
    /// may have destroyed the graph. In this case (`may_be_gone`), this crate does not destroy it.
    pub(super) fn end_recording(&mut self, is_ok: bool, may_be_gone: bool, has_begun: bool) {
        if has_begun {
            // A driver may accept a recapture that makes fewer nodes (not measured).
            self.note_change_of_shape();
        }
        self.state = if is_ok { State::Usable } else { State::Poisoned };
        if may_be_gone && let Some(handle) = self.handle.take() {
            // The context need not be kept alive for it.
            drop(handle.into_inner());
        }
    }

    /// Takes the graph out. Its executable graphs stay.
    pub(super) fn take_handle(&mut self) -> Option<Owned<GraphHandle>> {
        self.handle.take()
    }

    /// Records nodes that restrict the graph. Nodes that allocate memory restrict it most.
    pub(super) fn restrict(&mut self, nodes: Option<&'static str>) {
        if nodes == Some(MEMORY_NODES) || self.restriction.is_none() {
            self.restriction = nodes.or(self.restriction);
        }
    }

    /// Refuses calls that graphs with some nodes do not allow.
    pub(super) fn refuse_restricted(&self, allowed: &str) -> Result<()> {
        match self.restriction {
            None => Ok(()),
            Some(nodes) => {
                Err(Error::invalid("graph", format_args!("a graph with {nodes} allows {allowed}")))
            }
        }
    }

    /// Refuses a use of the memory of a graph that allows one executable graph, while another executable graph uses the memory.
    /// Waits for launches of destroyed executable graphs. `is_own` recognises the uses of the calling executable graph.
    pub(super) fn refuse_leased(&self, allowed: &str, is_own: impl Fn(&Arc<Lease>) -> bool) -> Result<()> {
        match &self.lease {
            Some(lease) if self.restriction.is_some() && !is_own(lease) && !lease.is_over()? => {
                self.refuse_restricted(allowed)
            }
            _ => Ok(()),
        }
    }

    /// Begins a use by an executable graph, after the previous one.
    pub(super) fn begin_lease(&mut self) -> Arc<Lease> {
        Arc::clone(self.lease.insert(Arc::default()))
    }

    /// Returns the handles of all nodes, in the driver's order.
    pub(super) fn raw_nodes(&self) -> Result<Vec<CUgraphNode>> {
        // SAFETY: the graph is live and locked.
        unsafe { raw_nodes_of(self.raw()?) }
    }

    /// Returns the name of a node that the driver has named, if it is one of this graph and not of a child.
    pub(super) fn name_if_own(&mut self, raw: CUgraphNode) -> Option<AnyNode> {
        if raw.is_null() {
            return None;
        }
        if let Some(known) = self.nodes.find(raw) {
            return Some(known);
        }
        let is_own = self.raw_nodes().is_ok_and(|nodes| nodes.contains(&raw));
        is_own.then(|| self.nodes.name(raw))
    }

    /// Returns the edges, from and to.
    pub(super) fn raw_edges(&self) -> Result<Vec<(CUgraphNode, CUgraphNode)>> {
        Ok(self.raw_edges_with_data()?.into_iter().map(|(from, to, _)| (from, to)).collect_vec())
    }

    /// Returns the edges, from and to, with their data.
    pub(super) fn raw_edges_with_data(&self) -> Result<Vec<RawEdge>> {
        // SAFETY: the graph is live and locked.
        unsafe { raw_edges_of(self.raw()?) }
    }

    /// Refuses a graph in which two uses of a cell are not ordered: both could use the elements at the same time.
    ///
    /// Captures only record that they use a cell. The uses by nodes that are added one by one are compared here only for cells
    /// that captures use, too.
    pub(super) fn refuse_unordered_cells(&self, keep: &KeepSet, cell_uses: &[CellUse]) -> Result<()> {
        let mut by_cell: SortedMap<usize, Vec<Option<u32>>> = SortedMap::new();
        for (node, cell) in cell_uses {
            by_cell.get_or_default(*cell).push(*node);
        }
        for (node, cell) in keep.cells_of_nodes() {
            if let Some(uses) = by_cell.get_mut(&cell) {
                uses.push(Some(node));
            }
        }
        let (mut numbers, mut accesses) = (Numbers::default(), Vec::new());
        for (cell, uses) in by_cell.iter().filter(|(_, uses)| uses.len() > 1) {
            let known = uses.iter().flatten().filter_map(|node| self.nodes.address(*node));
            let known: Vec<usize> = known.map(|address| numbers.number_of(address)).collect_vec();
            // Nodes without a name come from one capture without branches, on a driver that does not report them.
            if !known.is_empty() && uses.iter().any(Option::is_none) {
                return Err(unordered());
            }
            accesses.extend(known.into_iter().map(|number| (number, Touched::whole(*cell))));
        }
        if !accesses.is_empty() && self.unordered_pair(&mut numbers, &accesses)?.is_some() {
            return Err(unordered());
        }
        Ok(())
    }

    /// Returns the numbers of two nodes that access the same memory without an order. `numbers` has the nodes of the accesses by
    /// their addresses, because most nodes between two accesses have no names. The other nodes are added.
    pub(super) fn unordered_pair(
        &self,
        numbers: &mut Numbers<usize>,
        accesses: &[(usize, Touched)],
    ) -> Result<Option<(usize, usize)>> {
        let mut edges = Vec::new();
        for (from, to) in self.raw_edges()? {
            edges.push((numbers.number_of(from.addr()), numbers.number_of(to.addr())));
        }
        Ok(unordered_pair(numbers.keys().len(), accesses, &edges))
    }
}

/// An edge: from, to, and its data.
pub(super) type RawEdge = (CUgraphNode, CUgraphNode, CUgraphEdgeData);

/// Returns the handles of all nodes of a graph, in the driver's order.
///
/// # Safety
///
/// The graph is live and locked.
pub(super) unsafe fn raw_nodes_of(graph: CUgraph) -> Result<Vec<CUgraphNode>> {
    let mut count = 0;
    // SAFETY: the caller's promise, and `count` is valid for a write.
    unsafe { check!(cuGraphGetNodes(graph, null_mut(), &raw mut count)) }?;
    let mut nodes: Vec<CUgraphNode> = filled(null_mut(), count)?;
    if count > 0 {
        // SAFETY: as above; there is room for so many nodes.
        unsafe { check!(cuGraphGetNodes(graph, nodes.as_mut_ptr(), &raw mut count)) }?;
        nodes.truncate(count);
    }
    Ok(nodes)
}

/// Returns the edges of a graph.
///
/// # Safety
///
/// The graph is live and locked.
pub(super) unsafe fn raw_edges_of(graph: CUgraph) -> Result<Vec<RawEdge>> {
    let has_data = cuda_sys::driver()?.has(Symbol::cuGraphGetEdges_v2);
    let ask = |from: *mut CUgraphNode, to: *mut CUgraphNode, data: *mut _, count: *mut usize| {
        if has_data {
            // SAFETY: the caller's promise; the lists are null, or have room for so many.
            unsafe { check!(cuGraphGetEdges_v2(graph, from, to, data, count)) }
        } else {
            // SAFETY: as above.
            unsafe { check!(cuGraphGetEdges(graph, from, to, count)) }
        }
    };
    let mut count = 0;
    ask(null_mut(), null_mut(), null_mut(), &raw mut count)?;
    let mut from: Vec<CUgraphNode> = filled(null_mut(), count)?;
    let mut to: Vec<CUgraphNode> = filled(null_mut(), count)?;
    let mut data = filled(CUgraphEdgeData::default(), count)?;
    if count > 0 {
        ask(from.as_mut_ptr(), to.as_mut_ptr(), data.as_mut_ptr(), &raw mut count)?;
    }
    Ok(from
        .into_iter()
        .zip(to)
        .zip(data)
        .take(count)
        .map(|((from, to), data)| (from, to, data))
        .collect_vec())
}

#[cold]
pub(super) fn unordered() -> Error {
    let text = "two nodes use one `HostCell`, and neither comes after the other; order them by an edge, or use two cells";
    Error::invalid("graph", format_args!("{text}"))
}

impl core::fmt::Debug for Source {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter
            .debug_struct("Source")
            .field("handle", &self.handle)
            .field("state", &self.state)
            .field("keep", &self.keep)
            .finish_non_exhaustive()
    }
}
