//! Creation, copies and destruction of graphs, and queries of their nodes.

#![allow(unsafe_code)]

use crate::collections::IdSet;
use crate::driver::graphs::graph::Owner;
use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments::list;
use crate::driver::queues::dependency::{Dependency, EdgeData};
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::{c_uint, c_ulonglong};
use core::ptr::null_mut;
use cuda_sys::{CUgraph, CUgraphEdgeData, CUgraphNode, CUgraphNodeType, CUresult};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Reads the data of `count` edges. If `data` is null, every edge has the default data.
///
/// # Safety
///
/// `data` is null, or valid for reads of `count` elements.
pub(super) unsafe fn edge_data(data: *const CUgraphEdgeData, count: usize) -> Answer<Vec<EdgeData>> {
    if data.is_null() {
        return Ok(vec![EdgeData::default(); count]);
    }
    // SAFETY: the caller's promise.
    unsafe { list(data, count) }?.iter().map(EdgeData::of).collect()
}

/// Reads and checks the dependencies of a node of a graph.
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
    let mut known = IdSet::new();
    if dependencies.iter().all(|dependency| known.insert(dependency.node)) {
        Ok(dependencies)
    } else {
        Err(INVALID)
    }
}

/// Reads and checks dependencies, among which a node may occur twice.
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

/// Destroys a graph. The program cannot destroy a graph that a capture or a node owns.
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

/// Writes a list for the program: as many values as fit, and their number to `count`.
///
/// Fills the remaining elements with `rest`. If `to` is null, writes only the number of all values.
/// Refuses a list that is not null and has no elements.
///
/// # Safety
///
/// `count` is null or valid for a read and a write; `to` is null or valid for as many writes as `count` says.
pub(super) unsafe fn put_list<T: Copy>(to: *mut T, count: *mut usize, values: &[T], rest: T) -> Answer {
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

/// Refuses to copy bodies of conditional nodes, and graphs that can have one executable at a time
/// only.
pub(super) fn check_copyable(call: &Call<'_>, graph: Handle) -> Answer {
    if call.state.is_sole(graph) || call.state.is_body(graph) {
        Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
    } else {
        Ok(())
    }
}

/// Refuses to remove nodes and edges from a graph with nodes that allocate or free memory.
pub(super) fn check_removable(call: &Call<'_>, graph: Handle) -> Answer {
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
    call.state.check_copy(Handle::of(original))?;
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
