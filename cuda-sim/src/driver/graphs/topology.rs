//! Graphs as such: making and destroying them, and asking for and changing their edges.

#![allow(unsafe_code)]

use crate::driver::graphs::graph::{Dependency, EdgeData, Owner};
use crate::driver::handles::Handle;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_uint, c_ulonglong};
use core::ptr::{null, null_mut};
use cuda_sys::{CUgraph, CUgraphEdgeData, CUgraphNode, CUgraphNodeType, CUresult};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Copies a list of the program, which may be empty.
///
/// # Safety
///
/// `list` is null, or valid for reads of `count` elements.
pub(super) unsafe fn list<T: Copy>(list: *const T, count: usize) -> Answer<Vec<T>> {
    match count {
        0 => Ok(Vec::new()),
        _ if list.is_null() => Err(INVALID),
        // SAFETY: the caller's promise.
        _ => Ok(unsafe { core::slice::from_raw_parts(list, count) }.to_vec()),
    }
}

/// Reads the data of edges. Without any, they are plain.
///
/// # Safety
///
/// `data` is null, or valid for reads of `count` elements.
unsafe fn edge_data(data: *const CUgraphEdgeData, count: usize) -> Answer<Vec<EdgeData>> {
    if data.is_null() {
        return Ok(vec![EdgeData::default(); count]);
    }
    // SAFETY: the caller's promise.
    unsafe { list(data, count) }?.iter().map(EdgeData::of).collect()
}

/// Reads and checks the nodes that a node of a graph is to come after.
///
/// # Safety
///
/// The lists are null, or valid for reads of `count` elements.
pub(super) unsafe fn dependencies_of(
    call: &Call<'_>,
    graph: Handle,
    nodes: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
) -> Answer<Vec<Dependency>> {
    // SAFETY: the caller's promise.
    let dependencies = unsafe { given_dependencies(call, graph, nodes, data, count) }?;
    let is_twice = |(index, dependency): (usize, &Dependency)| {
        dependencies[..index].iter().any(|earlier| earlier.node == dependency.node)
    };
    if dependencies.iter().enumerate().any(is_twice) { Err(INVALID) } else { Ok(dependencies) }
}

/// The same, where a node may be named twice.
///
/// # Safety
///
/// The lists are null, or valid for reads of `count` elements.
pub(super) unsafe fn given_dependencies(
    call: &Call<'_>,
    graph: Handle,
    nodes: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
) -> Answer<Vec<Dependency>> {
    // SAFETY: the caller's promise.
    let nodes = unsafe { list(nodes, count) }?;
    // SAFETY: the caller's promise.
    let data = unsafe { edge_data(data, count) }?;
    let pairs = nodes.into_iter().zip(data);
    let dependencies: Vec<_> =
        pairs.map(|(node, data)| Dependency { node: Handle::of(node), data }).collect();
    for dependency in &dependencies {
        if call.state.nodes.get(dependency.node).is_none_or(|node| node.graph != graph) {
            return Err(INVALID);
        }
        call.state.check_edge_data(dependency.node, None, dependency.data)?;
    }
    Ok(dependencies)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(call: &mut Call<'_>, to: *mut CUgraph, flags: c_uint) -> Answer {
    check_out(to)?;
    if flags != 0 {
        return Err(INVALID);
    }
    let graph = call.state.make_graph(Owner::Program);
    // SAFETY: the program's promise.
    unsafe { put(to, graph.pointer()) }
}

/// A graph that a capture or a node owns is not the program's to destroy.
pub(crate) fn destroy(call: &mut Call<'_>, graph: CUgraph) -> Answer {
    let owner = call.state.graph(graph)?.owner;
    if call.state.captures.has_graph(Handle::of(graph)) {
        return Err(CUresult::CUDA_ERROR_ILLEGAL_STATE);
    }
    if owner != Owner::Program {
        return Err(INVALID);
    }
    call.state.destroy_graph(Handle::of(graph));
    Ok(())
}

pub(crate) fn destroy_node(call: &mut Call<'_>, node: CUgraphNode) -> Answer {
    let graph = call.state.node(node)?.graph;
    if call.state.captures.has_graph(graph) {
        return Err(CUresult::CUDA_ERROR_ILLEGAL_STATE);
    }
    check_removable(call, graph)?;
    call.state.destroy_node(Handle::of(node));
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn node_type(call: &mut Call<'_>, node: CUgraphNode, to: *mut CUgraphNodeType) -> Answer {
    let value = call.state.node(node)?.operation.node_type();
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn id(call: &mut Call<'_>, graph: CUgraph, to: *mut c_uint) -> Answer {
    let value = call.state.graph(graph)?.id;
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn local_id(call: &mut Call<'_>, node: CUgraphNode, to: *mut c_uint) -> Answer {
    let value = call.state.node(node)?.number;
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn tools_id(call: &mut Call<'_>, node: CUgraphNode, to: *mut c_ulonglong) -> Answer {
    let node = call.state.node(node)?;
    let graph = call.state.graphs.get(node.graph).map_or(0, |graph| graph.id);
    // SAFETY: the program's promise.
    unsafe { put(to, u64::from(graph) << 32 | u64::from(node.number)) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn containing_graph(call: &mut Call<'_>, node: CUgraphNode, to: *mut CUgraph) -> Answer {
    let value = call.state.node(node)?.graph;
    // SAFETY: the program's promise.
    unsafe { put(to, value.pointer()) }
}

/// Lists that a program asks for: as many elements as there is room for, and how many there are.
///
/// # Safety
///
/// `count` is null or valid for a read and a write; `to` is null or valid for as many writes as `count` says.
unsafe fn put_list<T: Copy>(to: *mut T, count: *mut usize, values: &[T], rest: T) -> Answer {
    check_out(count)?;
    if to.is_null() {
        // SAFETY: the caller's promise.
        return unsafe { put(count, values.len()) };
    }
    // SAFETY: not null, so valid for a read.
    let room = unsafe { count.read() };
    if room == 0 {
        return Err(INVALID);
    }
    for index in 0..room {
        // SAFETY: within the list, as its length says.
        let place = unsafe { to.add(index) };
        // SAFETY: as above.
        unsafe { place.write(values.get(index).copied().unwrap_or(rest)) };
    }
    // SAFETY: the caller's promise.
    unsafe { put(count, room.min(values.len())) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn nodes(
    call: &mut Call<'_>,
    graph: CUgraph,
    to: *mut CUgraphNode,
    count: *mut usize,
) -> Answer {
    let nodes: Vec<CUgraphNode> = call.state.graph(graph)?.nodes.iter().map(|node| node.pointer()).collect();
    // SAFETY: the program's promise.
    unsafe { put_list(to, count, &nodes, null_mut()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn root_nodes(
    call: &mut Call<'_>,
    graph: CUgraph,
    to: *mut CUgraphNode,
    count: *mut usize,
) -> Answer {
    let state = &*call.state;
    let is_root = |node: &&Handle| state.nodes.get(**node).is_some_and(|node| node.dependencies.is_empty());
    let nodes = state.graph(graph)?.nodes.iter().filter(is_root);
    let nodes: Vec<CUgraphNode> = nodes.map(|node| node.pointer()).collect();
    // SAFETY: the program's promise.
    unsafe { put_list(to, count, &nodes, null_mut()) }
}

/// An edge: the earlier node, the later one, and its data.
type Edge = (Handle, Handle, EdgeData);

impl State {
    /// The edges of a graph.
    fn edges(&self, graph: Handle) -> Vec<Edge> {
        let nodes = self.graphs.get(graph).map(|graph| graph.nodes.as_slice()).unwrap_or_default();
        // By the earlier node, and then in the order in which they were added (measured).
        nodes.iter().flat_map(|node| self.edges_from(*node)).collect()
    }

    /// The edges from a node.
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

/// A list of nodes that a program wants, and which node of an edge goes there.
type Column = (*mut CUgraphNode, fn(&Edge) -> Handle);

/// Writes one column of the edges, or of the neighbours of a node. A column of nodes may be left out only with the others.
///
/// # Safety
///
/// The same as for [`put_list`].
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
    // Both are wanted, or neither.
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

/// Reads edges that are to be added to a graph or removed from it.
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

/// An edge that is there already is refused.
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
    // Those before one that is refused are added (measured).
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

/// An edge that is not there is refused.
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
    // Without data, edges are removed whatever theirs is; those before one that is refused are removed (both measured).
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

/// Refuses to copy graphs of which there can be only one.
pub(super) fn check_copyable(call: &Call<'_>, graph: Handle) -> Answer {
    if call.state.is_sole(graph) || call.state.is_body(graph) {
        Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
    } else {
        Ok(())
    }
}

/// Refuses to take nodes and edges out of a graph that allocates memory.
fn check_removable(call: &Call<'_>, graph: Handle) -> Answer {
    let nodes = call.state.graphs.get(graph).map(|graph| graph.nodes.as_slice()).unwrap_or_default();
    let mut nodes = nodes.iter().filter_map(|node| call.state.nodes.get(*node));
    let has_memory = nodes.any(|node| node.operation.allocates().or(node.operation.frees()).is_some());
    if has_memory { Err(CUresult::CUDA_ERROR_NOT_SUPPORTED) } else { Ok(()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn clone(call: &mut Call<'_>, to: *mut CUgraph, original: CUgraph) -> Answer {
    check_out(to)?;
    call.state.graph(original)?;
    check_copyable(call, Handle::of(original))?;
    let copy = call.state.clone_graph(Handle::of(original), Owner::Program);
    // SAFETY: the program's promise.
    unsafe { put(to, copy.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn find_in_clone(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    original: CUgraphNode,
    graph: CUgraph,
) -> Answer {
    check_out(to)?;
    let nodes = &call.state.graph(graph)?.nodes;
    let is_copy = |node: &&Handle| {
        call.state.nodes.get(**node).is_some_and(|node| node.original == Handle::of(original))
    };
    let found = nodes.iter().find(is_copy).filter(|_| !original.is_null()).ok_or(INVALID)?;
    // SAFETY: the program's promise.
    unsafe { put(to, found.pointer()) }
}
