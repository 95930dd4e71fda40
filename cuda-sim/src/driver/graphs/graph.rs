//! Graph objects: nodes and their dependencies.

#![allow(unsafe_code)]

use crate::collections::{IdMap, IdSet};
use crate::console::say;
use crate::driver::graphs::conditional_nodes::Condition;
use crate::driver::graphs::operation::Operation;
use crate::driver::graphs::user_objects::{DestroyedBy, Held};
use crate::driver::handles::Handle;
use crate::driver::operations::OpId;
use crate::driver::queues::dependency::{Dependency, EdgeData};
use crate::driver::{Answer, State};
use core::ffi::c_void;
use cuda_sys::{
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUexternalSemaphore, CUgraph,
    CUgraphNode, CUresult, CUstreamBatchMemOpParams,
};
use std::sync::atomic::{AtomicU32, Ordering};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Limit of the nesting of graphs. Without it, programs that nest graphs without end would use all memory and time of
/// the process. The limit of hardware is not measured.
const MOST_NESTED: usize = 1024;
/// Limit of the nodes and inner graphs of a machine. A graph doubles with each copy of itself inside, which could use
/// all memory of the process.
const MOST_NODES: usize = 1 << 22;

/// Pointers that the program has received. The program may read them on any thread.
#[derive(Default)]
pub(crate) struct ShownPointers {
    /// Bytes that the pointers refer to.
    pub(crate) bytes: Vec<u8>,
    pub(crate) pointers: Vec<*mut c_void>,
    /// Numbers of bytes, for a list of sizes.
    pub(crate) sizes: Vec<usize>,
    pub(crate) operations: Vec<CUstreamBatchMemOpParams>,
    pub(crate) semaphores: Vec<CUexternalSemaphore>,
    pub(crate) signals: Vec<CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS>,
    pub(crate) waits: Vec<CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS>,
}

// SAFETY: the pointers refer to the bytes beside them, whose address does not change, or are handles.
#[allow(clippy::non_send_fields_in_send_ty)]
unsafe impl Send for ShownPointers {}

/// Node of a graph.
pub(crate) struct Node {
    pub(crate) graph: Handle,
    pub(crate) operation: Operation,
    pub(crate) dependencies: Vec<Dependency>,
    /// Nodes that depend on it, in the order in which the edges were added.
    pub(crate) dependents: Vec<Handle>,
    /// Node from which this one was copied; null if there is none.
    pub(crate) original: Handle,
    /// Number of the node in its graph.
    pub(crate) number: u32,
    /// Parameters of a kernel and memory operations, as the program received them.
    pub(crate) shown: ShownPointers,
}

/// Owner of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Program,
    /// Capture that has not ended.
    Capture(u64),
    /// Node of another graph.
    Node(Handle),
}

/// A graph.
pub(crate) struct Graph {
    /// Nodes in the order in which they were added.
    pub(crate) nodes: Vec<Handle>,
    pub(crate) owner: Owner,
    pub(crate) id: u32,
    /// Number of nodes that were ever added.
    pub(crate) added: u32,
    /// User objects that it references.
    pub(crate) objects: Vec<Held>,
    pub(crate) conditions: Vec<Condition>,
    /// End of the last launch of its executable, if that was destroyed.
    pub(crate) last_launch: Option<OpId>,
}

/// Contents of a graph.
struct Extent {
    /// Depth of nested graphs, including the graph itself.
    nested: usize,
    /// Number of nodes and graphs.
    size: usize,
}

/// Copy of a graph in progress.
struct GraphCopy {
    copy: Handle,
    /// Nodes of the original that are not copied yet, the next one last.
    left: Vec<Handle>,
    /// Nodes of the original, their copies, and the dependencies of the original.
    made: Vec<(Handle, Handle, Vec<Dependency>)>,
}

/// Returns a unique id for a graph or an executable.
pub(crate) fn new_graph_id() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl State {
    /// Returns the graph that a program names.
    pub(crate) fn graph(&self, graph: CUgraph) -> Answer<&Graph> {
        self.graphs.get(Handle::of(graph)).ok_or(INVALID)
    }

    /// Returns the node that a program names.
    pub(crate) fn node(&self, node: CUgraphNode) -> Answer<&Node> {
        self.nodes.get(Handle::of(node)).ok_or(INVALID)
    }

    pub(crate) fn node_mut(&mut self, node: CUgraphNode) -> Answer<&mut Node> {
        self.nodes.get_mut(Handle::of(node)).ok_or(INVALID)
    }

    /// Creates a graph without nodes.
    pub(crate) fn make_graph(&mut self, owner: Owner) -> Handle {
        self.graphs.insert(Graph {
            nodes: Vec::new(),
            owner,
            id: new_graph_id(),
            added: 0,
            objects: Vec::new(),
            conditions: Vec::new(),
            last_launch: None,
        })
    }

    /// Adds a node to a graph.
    pub(crate) fn add_node(
        &mut self,
        graph: Handle,
        dependencies: Vec<Dependency>,
        operation: Operation,
    ) -> Handle {
        let number = self.graphs.get(graph).map_or(0, |graph| graph.added);
        let inner = operation.inner_graphs();
        let earlier: Vec<Handle> = dependencies.iter().map(|dependency| dependency.node).collect();
        let node = self.nodes.insert(Node {
            graph,
            operation,
            dependencies,
            dependents: Vec::new(),
            original: Handle::NULL,
            number,
            shown: ShownPointers::default(),
        });
        for earlier in earlier {
            if let Some(earlier) = self.nodes.get_mut(earlier) {
                earlier.dependents.push(node);
            }
        }
        for inner in inner {
            if let Some(inner) = self.graphs.get_mut(inner) {
                inner.owner = Owner::Node(node);
            }
        }
        if let Some(graph) = self.graphs.get_mut(graph) {
            graph.nodes.push(node);
            graph.added += 1;
        }
        node
    }

    /// Adds an edge between two nodes.
    pub(crate) fn add_edge(&mut self, from: Handle, to: Handle, data: EdgeData) {
        if let Some(to) = self.nodes.get_mut(to) {
            to.dependencies.push(Dependency { node: from, data });
        }
        if let Some(from) = self.nodes.get_mut(from) {
            from.dependents.push(to);
        }
    }

    /// Removes an edge.
    pub(crate) fn remove_edge(&mut self, from: Handle, to: Handle) {
        if let Some(to) = self.nodes.get_mut(to) {
            to.dependencies.retain(|earlier| earlier.node != from);
        }
        if let Some(from) = self.nodes.get_mut(from) {
            from.dependents.retain(|later| *later != to);
        }
    }

    /// Refuses edges with ports, or with a type other than the default, unless both nodes are kernels. The later node
    /// may not exist yet.
    pub(crate) fn check_edge_data(&self, from: Handle, to: Option<Handle>, data: EdgeData) -> Answer {
        let is_kernel = |node: Handle| {
            self.nodes.get(node).is_some_and(|node| matches!(node.operation, Operation::Kernel(_)))
        };
        if data.is_plain() || is_kernel(from) && to.is_none_or(is_kernel) { Ok(()) } else { Err(INVALID) }
    }

    /// Destroys a graph, its nodes and the graphs inside them.
    pub(crate) fn destroy_graph(&mut self, graph: Handle) {
        let has_executable =
            self.executables.values_mut().any(|executable| executable.sole_of == Some(graph));
        let last_launch = self.graphs.get(graph).and_then(|graph| graph.last_launch);
        let mut operations = Vec::new();
        let mut open = vec![graph];
        while let Some(graph) = open.pop() {
            // Another graph may get the same handle.
            for executable in self.executables.values_mut() {
                executable.sole_of = executable.sole_of.filter(|sole_of| *sole_of != graph);
            }
            let Some(graph) = self.graphs.remove(graph) else { continue };
            self.release_objects(&graph.objects, DestroyedBy::Caller);
            for node in graph.nodes {
                let Some(node) = self.nodes.remove(node) else { continue };
                open.extend(node.operation.inner_graphs());
                operations.push(node.operation);
            }
        }
        if !has_executable {
            self.give_graph_memory_away(operations.iter(), last_launch);
        }
    }

    /// Removes a node, its edges, and the graph inside it.
    pub(crate) fn destroy_node(&mut self, node: Handle) {
        let Some(removed) = self.nodes.remove(node) else { return };
        let mut left = Vec::new();
        if let Some(graph) = self.graphs.get_mut(removed.graph) {
            graph.nodes.retain(|other| *other != node);
            left.clone_from(&graph.nodes);
        }
        for other in left {
            if let Some(other) = self.nodes.get_mut(other) {
                other.dependencies.retain(|dependency| dependency.node != node);
                other.dependents.retain(|later| *later != node);
            }
        }
        removed.operation.inner_graphs().into_iter().for_each(|inner| self.destroy_graph(inner));
    }

    /// Refuses to put a graph inside a node if graphs would nest too deep.
    pub(super) fn check_nesting(&self, outer: Handle, inner: Option<Handle>) -> Answer {
        let inside = inner.map_or(1, |inner| self.extent(inner).nested);
        let mut depth = 1 + inside;
        let mut graph = outer;
        while let Some(Owner::Node(node)) = self.graphs.get(graph).map(|graph| graph.owner)
            && let Some(node) = self.nodes.get(node)
        {
            graph = node.graph;
            depth += 1;
        }
        if depth <= MOST_NESTED {
            return Ok(());
        }
        say(&format!("graphs that nest {depth} deep are not simulated: at most {MOST_NESTED} are"));
        Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
    }

    /// Refuses to create nodes or graphs beyond the limit.
    pub(super) fn check_room(&self, more: usize) -> Answer {
        let known = self.nodes.len() + self.graphs.len();
        if more <= MOST_NODES.saturating_sub(known) {
            return Ok(());
        }
        say(&format!(
            "{more} nodes and graphs beside {known} are too many: at most {MOST_NODES} are simulated"
        ));
        Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY)
    }

    /// Refuses a copy of a graph beyond the limit.
    pub(super) fn check_copy(&self, graph: Handle) -> Answer {
        self.check_room(self.extent(graph).size)
    }

    /// Returns the extent of a graph with the graphs inside its nodes.
    fn extent(&self, graph: Handle) -> Extent {
        let mut extent = Extent { nested: 0, size: 0 };
        let mut open = vec![(graph, 1)];
        while let Some((graph, depth)) = open.pop() {
            let Some(graph) = self.graphs.get(graph) else { continue };
            extent.nested = extent.nested.max(depth);
            extent.size += 1 + graph.nodes.len();
            let nodes = graph.nodes.iter().filter_map(|node| self.nodes.get(*node));
            open.extend(nodes.flat_map(|node| node.operation.inner_graphs()).map(|inner| (inner, depth + 1)));
        }
        extent
    }

    /// Copies a graph without its nodes.
    fn begin_copy(&mut self, graph: Handle, owner: Owner) -> GraphCopy {
        let copy = self.make_graph(owner);
        let found = self.graphs.get(graph);
        let objects = found.map(|graph| graph.objects.clone()).unwrap_or_default();
        let left = found.map(|graph| graph.nodes.iter().rev().copied().collect()).unwrap_or_default();
        self.retain_objects(&objects);
        if let Some(copy) = self.graphs.get_mut(copy) {
            copy.objects = objects;
        }
        GraphCopy { copy, left, made: Vec::new() }
    }

    /// Copies the edges between the nodes of a copied graph. A node may depend on one that was added later.
    fn copy_edges(&mut self, made: Vec<(Handle, Handle, Vec<Dependency>)>) {
        let mut places = IdMap::new();
        for (original, made, _) in &made {
            places.insert(*original, *made);
        }
        for (original, made, dependencies) in made {
            if let Some(made) = self.nodes.get_mut(made) {
                made.original = original;
            }
            for dependency in dependencies {
                if let Some(earlier) = places.get(dependency.node) {
                    self.add_edge(*earlier, made, dependency.data);
                }
            }
        }
    }

    /// Copies a graph with the graphs inside its nodes. [`check_copy`](State::check_copy) has checked the limit.
    pub(crate) fn clone_graph(&mut self, graph: Handle, owner: Owner) -> Handle {
        let outermost = self.begin_copy(graph, owner);
        let copy = outermost.copy;
        let mut open = vec![outermost];
        // Copy of the graph inside the next node.
        let mut inner = None;
        while let Some(GraphCopy { copy, left, made }) = open.last_mut() {
            let Some(node) = left.last().copied() else {
                inner = Some(*copy);
                let edges = core::mem::take(made);
                open.pop();
                self.copy_edges(edges);
                continue;
            };
            let found = self.nodes.get(node).map(|node| (node.operation.clone(), node.dependencies.clone()));
            if let Some((mut operation, dependencies)) = found {
                match (operation.child(), inner.take()) {
                    (Some(child), None) => {
                        let child = self.begin_copy(child, Owner::Program);
                        open.push(child);
                        continue;
                    }
                    (Some(_), Some(inner)) => operation.set_child(inner),
                    (None, _) => {}
                }
                made.push((node, self.add_node(*copy, Vec::new(), operation), dependencies));
            }
            left.pop();
        }
        copy
    }

    /// Returns nodes, and all nodes on which they depend.
    pub(crate) fn all_before(&self, nodes: &[Handle]) -> IdSet<Handle> {
        let mut found = IdSet::new();
        let mut open = nodes.to_vec();
        while let Some(node) = open.pop() {
            if found.insert(node)
                && let Some(node) = self.nodes.get(node)
            {
                open.extend(node.dependencies.iter().map(|dependency| dependency.node));
            }
        }
        found
    }

    /// Returns whether a node depends on another, or is the same.
    pub(crate) fn is_after(&self, nodes: &[Handle], earlier: Handle) -> bool {
        let mut seen = IdSet::new();
        let mut open = nodes.to_vec();
        while let Some(node) = open.pop() {
            if node == earlier {
                return true;
            }
            if seen.insert(node)
                && let Some(found) = self.nodes.get(node)
            {
                open.extend(found.dependencies.iter().map(|dependency| dependency.node));
            }
        }
        false
    }
}
