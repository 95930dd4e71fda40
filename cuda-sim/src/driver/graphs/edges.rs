//! Edges of graphs: queries, additions and removals.

#![allow(unsafe_code)]

use crate::driver::graphs::topology::{check_removable, edge_data, put_list};
use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments::list;
use crate::driver::queues::dependency::EdgeData;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ptr::{null, null_mut};
use cuda_sys::{CUgraph, CUgraphEdgeData, CUgraphNode, CUresult};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Edge: the earlier node, the later one, and its data.
type Edge = (Handle, Handle, EdgeData);

impl State {
    /// Returns the edges of a graph.
    fn edges(&self, graph: Handle) -> Vec<Edge> {
        let nodes = self.graphs.get(graph).map(|graph| graph.nodes.as_slice()).unwrap_or_default();
        // Sorted by the earlier node, then in the order in which they were added (measured).
        nodes.iter().flat_map(|node| self.edges_from(*node)).collect()
    }

    /// Returns the edges from a node.
    fn edges_from(&self, node: Handle) -> Vec<Edge> {
        let later = self.nodes.get(node).map(|node| node.dependents.as_slice()).unwrap_or_default();
        let edges = later.iter().filter_map(|later| {
            let dependencies = &self.nodes.get(*later)?.dependencies;
            let found = dependencies.iter().find(|earlier| earlier.node == node)?;
            Some((node, *later, found.data))
        });
        edges.collect()
    }
}

/// List for nodes that a program passes, and the node of an edge to write there.
type Column = (*mut CUgraphNode, fn(&Edge) -> Handle);

/// Writes one column of the edges, or of the neighbours of a node. A column of nodes may be null only together with the
/// others.
///
/// # Safety
///
/// Same as [`put_list`].
unsafe fn put_edges(
    columns: [Column; 2],
    data: *mut CUgraphEdgeData,
    count: *mut usize,
    edges: &[Edge],
) -> Answer {
    check_out(count)?;
    let wanted = columns.iter().filter(|(to, _)| !to.is_null()).count();
    if wanted == 0 {
        // SAFETY: the caller's promise.
        return unsafe { put(count, edges.len()) };
    }
    // SAFETY: not null, so valid for a read.
    let room = unsafe { count.read() };
    if room == 0 {
        return Err(INVALID);
    }
    if data.is_null() && edges.iter().take(room).any(|(_, _, data)| !data.is_plain()) {
        return Err(CUresult::CUDA_ERROR_LOSSY_QUERY);
    }
    for (to, of) in columns.into_iter().filter(|(to, _)| !to.is_null()) {
        let nodes: Vec<CUgraphNode> = edges.iter().map(|edge| of(edge).pointer()).collect();
        let mut left = room;
        // SAFETY: the caller's promise.
        unsafe { put_list(to, &raw mut left, &nodes, null_mut()) }?;
    }
    if !data.is_null() {
        let shown: Vec<_> = edges.iter().map(|(_, _, data)| data.shown()).collect();
        let mut left = room;
        // SAFETY: the caller's promise.
        unsafe { put_list(data, &raw mut left, &shown, EdgeData::default().shown()) }?;
    }
    // SAFETY: the caller's promise.
    unsafe { put(count, room.min(edges.len())) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn edges(
    call: &mut Call<'_>,
    graph: CUgraph,
    from: *mut CUgraphNode,
    to: *mut CUgraphNode,
    count: *mut usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { edges_with_data(call, graph, from, to, null_mut(), count) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn edges_with_data(
    call: &mut Call<'_>,
    graph: CUgraph,
    from: *mut CUgraphNode,
    to: *mut CUgraphNode,
    data: *mut CUgraphEdgeData,
    count: *mut usize,
) -> Answer {
    call.state.graph(graph)?;
    // Both lists must be present, or neither.
    if from.is_null() != to.is_null() {
        return Err(INVALID);
    }
    let edges = call.state.edges(Handle::of(graph));
    // SAFETY: the program's promise.
    unsafe { put_edges([(from, |edge| edge.0), (to, |edge| edge.1)], data, count, &edges) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn dependencies(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUgraphNode,
    count: *mut usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { dependencies_with_data(call, node, to, null_mut(), count) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn dependencies_with_data(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUgraphNode,
    data: *mut CUgraphEdgeData,
    count: *mut usize,
) -> Answer {
    let found = call.state.node(node)?;
    let earlier = found.dependencies.iter();
    let edges: Vec<Edge> = earlier.map(|earlier| (earlier.node, Handle::of(node), earlier.data)).collect();
    // SAFETY: the program's promise.
    unsafe { put_edges([(to, |edge| edge.0), (null_mut(), |edge| edge.1)], data, count, &edges) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn dependents(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUgraphNode,
    count: *mut usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { dependents_with_data(call, node, to, null_mut(), count) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn dependents_with_data(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUgraphNode,
    data: *mut CUgraphEdgeData,
    count: *mut usize,
) -> Answer {
    call.state.node(node)?;
    let edges = call.state.edges_from(Handle::of(node));
    // SAFETY: the program's promise.
    unsafe { put_edges([(null_mut(), |edge| edge.0), (to, |edge| edge.1)], data, count, &edges) }
}

/// Reads edges to add to a graph or to remove from it.
///
/// # Safety
///
/// The lists are null, or valid for reads of `count` elements.
unsafe fn given_edges(
    call: &Call<'_>,
    graph: CUgraph,
    (from, to): (*const CUgraphNode, *const CUgraphNode),
    data: *const CUgraphEdgeData,
    count: usize,
) -> Answer<Vec<Edge>> {
    call.state.graph(graph)?;
    // SAFETY: the caller's promise.
    let from = unsafe { list(from, count) }?;
    // SAFETY: the caller's promise.
    let to = unsafe { list(to, count) }?;
    // SAFETY: the caller's promise.
    let data = unsafe { edge_data(data, count) }?;
    for node in from.iter().chain(&to) {
        if call.state.node(*node)?.graph != Handle::of(graph) {
            return Err(INVALID);
        }
    }
    let edges = from.into_iter().zip(to).zip(data);
    Ok(edges.map(|((from, to), data)| (Handle::of(from), Handle::of(to), data)).collect())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_dependencies(
    call: &mut Call<'_>,
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    count: usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { add_dependencies_with_data(call, graph, from, to, null(), count) }
}

/// Adds edges. Existing edges are refused.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_dependencies_with_data(
    call: &mut Call<'_>,
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
) -> Answer {
    // SAFETY: the program's promise.
    let edges = unsafe { given_edges(call, graph, (from, to), data, count) }?;
    // The edges before a refused one are added (measured).
    for (from, to, data) in edges {
        let known = call.state.edges_from(from);
        if from == to || known.iter().any(|(_, later, _)| *later == to) {
            return Err(INVALID);
        }
        call.state.check_edge_data(from, Some(to), data)?;
        call.state.add_edge(from, to, data);
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn remove_dependencies(
    call: &mut Call<'_>,
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    count: usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { remove_dependencies_with_data(call, graph, from, to, null(), count) }
}

/// Removes edges. Missing edges are refused.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn remove_dependencies_with_data(
    call: &mut Call<'_>,
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
) -> Answer {
    // SAFETY: the program's promise.
    let edges = unsafe { given_edges(call, graph, (from, to), data, count) }?;
    check_removable(call, Handle::of(graph))?;
    // Without data, edges are removed regardless of their data. The edges before a refused one are removed (both
    // measured).
    for (from, to, wanted) in edges {
        let known = call.state.edges_from(from);
        let found = known.iter().find(|(_, later, _)| *later == to);
        if found.is_none_or(|(.., known)| !data.is_null() && *known != wanted) {
            return Err(INVALID);
        }
        call.state.remove_edge(from, to);
    }
    Ok(())
}
