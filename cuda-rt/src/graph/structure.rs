//! Nodes and edges of a graph, and queries of them.

#![allow(unsafe_code)]

use super::Graph;
use super::edge_data::EdgeData;
use super::inspect::type_of;
use super::node::AnyNode;
use super::nodes::{MEMORY_NODES, has_changed_nothing};
use super::numbers::NodeType;
use super::source::{ensure_lockable, lock};
use crate::error::{Code, Error, OrDetail, Result, filled};
use crate::list::CollectVec;
use core::ptr::null_mut;
use cuda_sys::{CUgraphEdgeData, CUgraphNode, Symbol};

/// Nodes of a list, each with the data of its edge.
type Neighbours = Vec<(AnyNode, EdgeData)>;

impl Graph {
    /// Adds an edge: `to` comes after `from`. Wraps `cuGraphAddDependencies`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a node belongs to another graph, or was removed.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the data is not the default, and the driver is older than
    ///   CUDA 12.3.
    /// - [`Code::InvalidValue`]: the edge exists already, or the driver refuses its data.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::graph::{AddNodes, EdgeData, Graph};
    ///
    /// let mut graph = Graph::new(&context)?;
    /// let (first, second) = (graph.empty(&[])?.any(), graph.empty(&[])?.any());
    /// graph.add_edge(first, second, EdgeData::new())?;
    /// assert_eq!(graph.edges()?, [(first, second)]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuGraphAddDependencies", "cuGraphAddDependencies_v2"))]
    pub fn add_edge(&mut self, from: AnyNode, to: AnyNode, data: EdgeData) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuGraphAddDependencies)?;
        let mut source = lock(self.source());
        let ends = (from, to);
        let (graph, from, to) = (source.raw()?, source.nodes.raw(from)?, source.nodes.raw(to)?);
        source.note_change_of_shape();
        let raw = data.to_raw();
        let added = if data.is_full() && !cuda_sys::driver()?.has(Symbol::cuGraphAddDependencies_v2) {
            // SAFETY: the graph is live and locked, and the nodes are its own.
            unsafe { check!(cuGraphAddDependencies(graph, &raw const from, &raw const to, 1)) }
        } else {
            // SAFETY: as above; a driver that is too old for the data refuses the call by its name.
            unsafe {
                check!(cuGraphAddDependencies_v2(graph, &raw const from, &raw const to, &raw const raw, 1))
            }
        };
        added.or_detail(&[Code::InvalidValue], &|| {
            let (from, to) = (ends.0.describe(), ends.1.describe());
            format!("an edge from {from} to {to} with {data:?}: there is one already, or the driver refuses the data")
        })
    }

    /// Removes an edge with this data. Wraps `cuGraphRemoveDependencies`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a node belongs to another graph, or was removed, or the
    ///   graph has nodes that allocate memory.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the graph has captured nodes that use a
    ///   [`HostCell`](crate::graph::HostCell), and the driver is older than CUDA 11.3.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the data is not the default, and the driver is older than
    ///   CUDA 12.3.
    /// - [`Code::InvalidValue`]: there is no such edge.
    #[doc(alias("cuGraphRemoveDependencies", "cuGraphRemoveDependencies_v2"))]
    pub fn remove_edge(&mut self, from: AnyNode, to: AnyNode, data: EdgeData) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuGraphRemoveDependencies)?;
        let mut source = lock(self.source());
        if source.restriction == Some(MEMORY_NODES) {
            source.refuse_restricted("no removal of edges")?;
        }
        source.refuse_loss_of_order()?;
        let ends = (from, to);
        let (graph, from, to) = (source.raw()?, source.nodes.raw(from)?, source.nodes.raw(to)?);
        source.note_change_of_shape();
        let raw = data.to_raw();
        let removed = if data.is_full() && !cuda_sys::driver()?.has(Symbol::cuGraphRemoveDependencies_v2) {
            // SAFETY: the graph is live and locked, and the nodes are its own.
            unsafe { check!(cuGraphRemoveDependencies(graph, &raw const from, &raw const to, 1)) }
        } else {
            // SAFETY: as above; a driver that is too old for the data refuses the call by its name.
            unsafe {
                check!(cuGraphRemoveDependencies_v2(graph, &raw const from, &raw const to, &raw const raw, 1))
            }
        };
        removed.or_detail(&[Code::InvalidValue], &|| {
            let (from, to) = (ends.0.describe(), ends.1.describe());
            format!("there is no edge from {from} to {to} with {data:?}")
        })
    }

    /// Removes a node and its edges. Executable graphs are not changed. Wraps `cuGraphDestroyNode`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the node belongs to another graph, or was
    ///   removed, or the graph has nodes that allocate memory or conditional nodes.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the graph has captured nodes that use a
    ///   [`HostCell`](crate::graph::HostCell), and the driver is older than CUDA 11.3.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::graph::{AddNodes, Graph};
    ///
    /// let mut graph = Graph::new(&context)?;
    /// let node = graph.empty(&[])?.any();
    /// graph.remove_node(node)?;
    /// assert!(graph.empty(&[node]).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphDestroyNode")]
    pub fn remove_node(&mut self, node: AnyNode) -> Result<()> {
        let bound = self.context().bind(Symbol::cuGraphDestroyNode)?;
        let mut source = lock(self.source());
        source.refuse_restricted("no removal of nodes")?;
        source.refuse_loss_of_order()?;
        source.raw()?;
        let raw = source.nodes.raw(node)?;
        // SAFETY: the node is live, and its graph is locked. Executable graphs have copies.
        let removed = unsafe { check!(cuGraphDestroyNode(raw)) };
        let mut unused = Vec::new();
        match &removed {
            Ok(()) => {
                source.nodes.remove(node);
                source.note_change_of_shape();
                unused = source.remove_uses(node);
            }
            Err(error) if has_changed_nothing(error) => {}
            // The node may be removed.
            Err(_) => source.poison(),
        }
        drop(source);
        drop(bound);
        drop(unused);
        removed
    }

    /// Returns the nodes without predecessors. Wraps `cuGraphGetRootNodes`.
    ///
    /// # Errors
    ///
    /// Same as [`nodes`](Graph::nodes).
    #[doc(alias = "cuGraphGetRootNodes")]
    pub fn roots(&mut self) -> Result<Vec<AnyNode>> {
        let _bound = self.context().bind(Symbol::cuGraphGetRootNodes)?;
        let mut source = lock(self.source());
        let graph = source.raw()?;
        let mut count = 0;
        // SAFETY: the graph is live and locked, and `count` is valid for a write.
        unsafe { check!(cuGraphGetRootNodes(graph, null_mut(), &raw mut count)) }?;
        let mut roots: Vec<CUgraphNode> = filled(null_mut(), count)?;
        if count > 0 {
            // SAFETY: as above; there is room for so many nodes.
            unsafe { check!(cuGraphGetRootNodes(graph, roots.as_mut_ptr(), &raw mut count)) }?;
        }
        Ok(roots.into_iter().take(count).map(|root| source.nodes.name(root)).collect_vec())
    }

    /// Returns the number of nodes. Nodes of child graphs do not count. Wraps `cuGraphGetNodes`.
    ///
    /// # Errors
    ///
    /// Same as [`nodes`](Graph::nodes).
    #[doc(alias = "cuGraphGetNodes")]
    pub fn node_count(&mut self) -> Result<usize> {
        let _bound = self.context().bind(Symbol::cuGraphGetNodes)?;
        let source = lock(self.source());
        let (graph, mut count) = (source.raw()?, 0);
        // SAFETY: the graph is live and locked, and `count` is valid for a write.
        unsafe { check!(cuGraphGetNodes(graph, null_mut(), &raw mut count)) }?;
        Ok(count)
    }

    /// Returns the edges with their data: a node, a node that waits for it, and the data of the edge. Before CUDA 12.3, all edges
    /// are full dependencies. Wraps `cuGraphGetEdges`.
    ///
    /// # Errors
    ///
    /// Same as [`nodes`](Graph::nodes).
    #[doc(alias("cuGraphGetEdges", "cuGraphGetEdges_v2"))]
    pub fn edges_with_data(&mut self) -> Result<Vec<(AnyNode, AnyNode, EdgeData)>> {
        let _bound = self.context().bind(Symbol::cuGraphGetEdges)?;
        let mut source = lock(self.source());
        let raw = source.raw_edges_with_data()?;
        Ok(raw
            .into_iter()
            .map(|(from, to, data)| (source.nodes.name(from), source.nodes.name(to), EdgeData::of_raw(data)))
            .collect_vec())
    }

    /// Returns the direct predecessors of a node, with the data of the edges. Wraps `cuGraphNodeGetDependencies`.
    ///
    /// # Errors
    ///
    /// - Same as [`nodes`](Graph::nodes).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the node belongs to another graph, or was removed.
    #[doc(alias("cuGraphNodeGetDependencies", "cuGraphNodeGetDependencies_v2"))]
    pub fn dependencies(&mut self, node: AnyNode) -> Result<Neighbours> {
        let has_data = cuda_sys::driver()?.has(Symbol::cuGraphNodeGetDependencies_v2);
        self.neighbours(Symbol::cuGraphNodeGetDependencies, node, &|node, list, data, count| {
            if has_data {
                // SAFETY: the caller gives a live node of a locked graph, and null or lists with room for `count`.
                unsafe { check!(cuGraphNodeGetDependencies_v2(node, list, data, count)) }
            } else {
                // SAFETY: as above.
                unsafe { check!(cuGraphNodeGetDependencies(node, list, count)) }
            }
        })
    }

    /// Returns the direct successors of a node, with the data of the edges. Wraps `cuGraphNodeGetDependentNodes`.
    ///
    /// # Errors
    ///
    /// Same as [`dependencies`](Graph::dependencies).
    #[doc(alias("cuGraphNodeGetDependentNodes", "cuGraphNodeGetDependentNodes_v2"))]
    pub fn dependents(&mut self, node: AnyNode) -> Result<Neighbours> {
        let has_data = cuda_sys::driver()?.has(Symbol::cuGraphNodeGetDependentNodes_v2);
        self.neighbours(Symbol::cuGraphNodeGetDependentNodes, node, &|node, list, data, count| {
            if has_data {
                // SAFETY: the caller gives a live node of a locked graph, and null or lists with room for `count`.
                unsafe { check!(cuGraphNodeGetDependentNodes_v2(node, list, data, count)) }
            } else {
                // SAFETY: as above.
                unsafe { check!(cuGraphNodeGetDependentNodes(node, list, count)) }
            }
        })
    }

    /// Queries the neighbours of a node. `ask` gets a live node, and two lists with their length, or null.
    fn neighbours(
        &mut self,
        call: Symbol,
        node: AnyNode,
        ask: &dyn Fn(CUgraphNode, *mut CUgraphNode, *mut CUgraphEdgeData, *mut usize) -> Result<()>,
    ) -> Result<Neighbours> {
        let _bound = self.context().bind(call)?;
        let mut source = lock(self.source());
        source.raw()?;
        let raw = source.nodes.raw(node)?;
        let mut count = 0;
        ask(raw, null_mut(), null_mut(), &raw mut count)?;
        let mut nodes: Vec<CUgraphNode> = filled(null_mut(), count)?;
        let mut data = filled(CUgraphEdgeData::default(), count)?;
        if count > 0 {
            ask(raw, nodes.as_mut_ptr(), data.as_mut_ptr(), &raw mut count)?;
        }
        let found = nodes.into_iter().zip(data).take(count);
        Ok(found.map(|(node, data)| (source.nodes.name(node), EdgeData::of_raw(data))).collect_vec())
    }

    /// Returns the type of a node. Wraps `cuGraphNodeGetType`.
    ///
    /// # Errors
    ///
    /// Same as [`dependencies`](Graph::dependencies).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::graph::{AddNodes, Graph, NodeType};
    ///
    /// let mut graph = Graph::new(&context)?;
    /// let node = graph.host(&[], || println!("running"))?;
    /// assert_eq!(graph.node_type(node.any())?, NodeType::HOST);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphNodeGetType")]
    pub fn node_type(&mut self, node: AnyNode) -> Result<NodeType> {
        let _bound = self.context().bind(Symbol::cuGraphNodeGetType)?;
        let source = lock(self.source());
        source.raw()?;
        let raw = source.nodes.raw(node)?;
        // SAFETY: the node is live, and its graph is locked.
        unsafe { type_of(raw) }
    }

    /// Returns the driver's number for the graph, unique in the process. Wraps `cuGraphGetId`. Since CUDA 13.1; not run
    /// on hardware.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.1.
    /// - An earlier failure.
    #[doc(alias = "cuGraphGetId")]
    pub fn id(&mut self) -> Result<u32> {
        ensure_lockable(Symbol::cuGraphGetId)?;
        let source = lock(self.source());
        let (graph, mut id) = (source.raw()?, 0);
        // SAFETY: the graph is live and locked, and `id` is valid for a write.
        unsafe { check!(cuGraphGetId(graph, &raw mut id)) }?;
        Ok(id)
    }

    /// Returns the driver's number for a node, unique in its graph. Wraps `cuGraphNodeGetLocalId`. Since CUDA 13.1; not
    /// run on hardware.
    ///
    /// # Errors
    ///
    /// - Same as [`dependencies`](Graph::dependencies).
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.1.
    #[doc(alias = "cuGraphNodeGetLocalId")]
    pub fn node_id(&mut self, node: AnyNode) -> Result<u32> {
        ensure_lockable(Symbol::cuGraphNodeGetLocalId)?;
        let source = lock(self.source());
        source.raw()?;
        let (raw, mut id) = (source.nodes.raw(node)?, 0);
        // SAFETY: the node is live, its graph is locked, and `id` is valid for a write.
        unsafe { check!(cuGraphNodeGetLocalId(raw, &raw mut id)) }?;
        Ok(id)
    }

    /// Returns the number that tools show for a node, unique in the process. Wraps `cuGraphNodeGetToolsId`. Since CUDA
    /// 13.1; not run on hardware.
    ///
    /// # Errors
    ///
    /// Same as [`node_id`](Graph::node_id).
    #[doc(alias = "cuGraphNodeGetToolsId")]
    pub fn node_tools_id(&mut self, node: AnyNode) -> Result<u64> {
        ensure_lockable(Symbol::cuGraphNodeGetToolsId)?;
        let source = lock(self.source());
        source.raw()?;
        let (raw, mut id) = (source.nodes.raw(node)?, 0);
        // SAFETY: the node is live, its graph is locked, and `id` is valid for a write.
        unsafe { check!(cuGraphNodeGetToolsId(raw, &raw mut id)) }?;
        Ok(id)
    }
}

impl Graph {
    /// Adds a reference of the graph to a user object, which is released when the graph is destroyed. Clones and executable
    /// graphs have references of their own. Wraps `cuGraphRetainUserObject`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.3.
    /// - An earlier failure.
    #[doc(alias = "cuGraphRetainUserObject")]
    pub fn retain_user_object<T: Send + 'static>(&mut self, object: &super::UserObject<T>) -> Result<()> {
        const COUNT: u32 = 1;
        const NO_FLAGS: u32 = 0;
        ensure_lockable(Symbol::cuGraphRetainUserObject)?;
        let source = lock(self.source());
        let graph = source.raw()?;
        object.count_reference(Symbol::cuGraphRetainUserObject)?;
        // SAFETY: the graph is live and locked, and the object is live.
        unsafe { check!(cuGraphRetainUserObject(graph, object.as_raw(), COUNT, NO_FLAGS)) }
    }

    /// Releases references of the graph to a user object. Wraps `cuGraphReleaseUserObject`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `count` is 0.
    /// - Same as [`retain_user_object`](Graph::retain_user_object).
    ///
    /// # Safety
    ///
    /// The graph has at least this number of references to the object, from [`retain_user_object`](Graph::retain_user_object) or
    /// from raw calls.
    #[doc(alias = "cuGraphReleaseUserObject")]
    pub unsafe fn release_user_object<T: Send + 'static>(
        &mut self,
        object: &super::UserObject<T>,
        count: u32,
    ) -> Result<()> {
        ensure_lockable(Symbol::cuGraphReleaseUserObject)?;
        let source = lock(self.source());
        let graph = source.raw()?;
        if count == 0 {
            return Err(Error::invalid("user object", format_args!("0 references: release at least one")));
        }
        // SAFETY: the graph is live and locked, the object is live, and the graph has the references, as the caller says.
        unsafe { check!(cuGraphReleaseUserObject(graph, object.as_raw(), count)) }
    }
}
