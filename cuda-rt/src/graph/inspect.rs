//! Queries of the parameters of nodes.

#![allow(unsafe_code)]

use super::Graph;
use super::edge_data::EdgeData;
use super::node::AnyNode;
use super::node_params::{
    ConditionalNodeParams, KernelNodeParams, MemAllocNodeParams, NestedGraph, NodeParams, RawArguments,
};
use super::numbers::{ConditionalType, NodeType};
use super::source::{MOST_NESTED, lock, raw_edges_of, raw_nodes_of};
use crate::error::{Error, Result};
use crate::launch::LaunchConfig;
use crate::list::CollectVec;
use crate::map::Numbers;
use crate::memory::{AccessFlags, MemLocation};
use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_sys::{
    CUDA_BATCH_MEM_OP_NODE_PARAMS, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, CUDA_EXT_SEM_WAIT_NODE_PARAMS,
    CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, CUDA_KERNEL_NODE_PARAMS_v2,
    CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUgraph, CUgraphNode,
    CUgraphNodeParams, CUgraphNodeType_enum, CUmemLocation, Symbol,
};

impl Graph {
    /// Returns the parameters of a node of any type. Wraps `cuGraphNodeGetType`, and the query function of the type.
    ///
    /// The result includes the parameters of nested graphs. The function of a type is `cuGraphKernelNodeGetParams`,
    /// `cuGraphMemcpyNodeGetParams`, `cuGraphMemsetNodeGetParams`, `cuGraphHostNodeGetParams`, `cuGraphChildGraphNodeGetGraph`,
    /// `cuGraphEventRecordNodeGetEvent`, `cuGraphEventWaitNodeGetEvent`, `cuGraphExternalSemaphoresSignalNodeGetParams`,
    /// `cuGraphExternalSemaphoresWaitNodeGetParams`, `cuGraphMemAllocNodeGetParams`, `cuGraphMemFreeNodeGetParams` or
    /// `cuGraphBatchMemOpNodeGetParams`. For conditional nodes it is `cuGraphNodeGetParams`, which was not run on hardware.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the node belongs to another graph or was removed, or more
    ///   than 64 graphs are nested.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{CaptureOptions, Graph, NodeParams};
    ///
    /// let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 4)?;
    /// let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| capture.fill(&mut numbers, 7))?;
    /// for node in graph.nodes()? {
    ///     let NodeParams::Memset(fill) = graph.node_params(node)? else { unreachable!() };
    ///     assert_eq!((fill.dst, fill.value, fill.width), (numbers.ptr().as_raw(), 7, 4));
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias(
        "cuGraphKernelNodeGetParams",
        "cuGraphMemcpyNodeGetParams",
        "cuGraphMemsetNodeGetParams",
        "cuGraphHostNodeGetParams",
        "cuGraphChildGraphNodeGetGraph",
        "cuGraphEventRecordNodeGetEvent",
        "cuGraphEventWaitNodeGetEvent",
        "cuGraphExternalSemaphoresSignalNodeGetParams",
        "cuGraphExternalSemaphoresWaitNodeGetParams",
        "cuGraphMemAllocNodeGetParams",
        "cuGraphMemFreeNodeGetParams",
        "cuGraphBatchMemOpNodeGetParams",
        "cuGraphNodeGetParams"
    ))]
    pub fn node_params(&mut self, node: AnyNode) -> Result<NodeParams> {
        let _bound = self.context().bind(Symbol::cuGraphNodeGetType)?;
        let source = lock(self.source());
        source.raw()?;
        let raw = source.nodes.raw(node)?;
        // SAFETY: the node is live, and its graph is locked.
        unsafe { params_of(raw, 0) }
    }
}

/// # Safety
///
/// The node is live, and its graph is locked.
pub(super) unsafe fn type_of(node: CUgraphNode) -> Result<NodeType> {
    let mut found = CUgraphNodeType_enum(0);
    // SAFETY: the caller's promise, and `found` is valid for a write.
    unsafe { check!(cuGraphNodeGetType(node, &raw mut found)) }?;
    Ok(NodeType(found.0))
}

/// Queries a value that may be all zeros.
macro_rules! ask {
    ($call:ident, $node:expr, $value:expr) => {{
        let mut value = $value;
        // SAFETY: the caller of the function promises that the node is live, and `value` is valid for a write.
        unsafe { check!($call($node, &raw mut value)) }?;
        value
    }};
}

/// Returns the parameters of a node inside `depth` other nodes.
///
/// # Safety
///
/// The node is live, and the outermost graph is locked. The context of the graph is current.
unsafe fn params_of(node: CUgraphNode, depth: usize) -> Result<NodeParams> {
    // SAFETY: the caller's promise.
    let found = unsafe { type_of(node) }?;
    Ok(match found {
        // SAFETY: the caller's promise.
        NodeType::KERNEL => NodeParams::Kernel(unsafe { kernel(node) }?),
        NodeType::MEMCPY => {
            NodeParams::Memcpy(ask!(cuGraphMemcpyNodeGetParams, node, CUDA_MEMCPY3D::default()))
        }
        NodeType::MEMSET => {
            NodeParams::Memset(ask!(cuGraphMemsetNodeGetParams, node, CUDA_MEMSET_NODE_PARAMS::default()))
        }
        NodeType::HOST => {
            NodeParams::Host(ask!(cuGraphHostNodeGetParams, node, CUDA_HOST_NODE_PARAMS::default()))
        }
        NodeType::GRAPH => {
            let graph = ask!(cuGraphChildGraphNodeGetGraph, node, null_mut());
            // SAFETY: the node owns the graph.
            NodeParams::Child(unsafe { nested(graph, depth) }?)
        }
        NodeType::EMPTY => NodeParams::Empty,
        NodeType::EVENT_RECORD => {
            NodeParams::EventRecord(ask!(cuGraphEventRecordNodeGetEvent, node, null_mut()))
        }
        NodeType::WAIT_EVENT => NodeParams::EventWait(ask!(cuGraphEventWaitNodeGetEvent, node, null_mut())),
        NodeType::EXT_SEMAS_SIGNAL => {
            let empty = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS::default();
            let raw = ask!(cuGraphExternalSemaphoresSignalNodeGetParams, node, empty);
            // SAFETY: the node owns the lists, which have this length.
            NodeParams::SemaphoreSignal(unsafe { pairs(raw.extSemArray, raw.paramsArray, raw.numExtSems) })
        }
        NodeType::EXT_SEMAS_WAIT => {
            let empty = CUDA_EXT_SEM_WAIT_NODE_PARAMS::default();
            let raw = ask!(cuGraphExternalSemaphoresWaitNodeGetParams, node, empty);
            // SAFETY: as above.
            NodeParams::SemaphoreWait(unsafe { pairs(raw.extSemArray, raw.paramsArray, raw.numExtSems) })
        }
        NodeType::MEM_ALLOC => {
            let raw = ask!(cuGraphMemAllocNodeGetParams, node, CUDA_MEM_ALLOC_NODE_PARAMS::default());
            // SAFETY: the node owns the list, which has this length.
            let access = unsafe { copied(raw.accessDescs, raw.accessDescCount) };
            NodeParams::MemAlloc(MemAllocNodeParams {
                address: raw.dptr,
                bytes: raw.bytesize,
                location: location(raw.poolProps.location),
                access: access
                    .iter()
                    .map(|access| (location(access.location), AccessFlags(access.flags.0)))
                    .collect_vec(),
            })
        }
        NodeType::MEM_FREE => NodeParams::MemFree(ask!(cuGraphMemFreeNodeGetParams, node, 0)),
        NodeType::BATCH_MEM_OP => {
            let empty = CUDA_BATCH_MEM_OP_NODE_PARAMS::default();
            let raw = ask!(cuGraphBatchMemOpNodeGetParams, node, empty);
            // SAFETY: as above.
            NodeParams::MemoryOperations(unsafe { copied(raw.paramArray, raw.count as usize) })
        }
        NodeType::CONDITIONAL if cuda_sys::driver()?.has(Symbol::cuGraphNodeGetParams) => {
            let raw = ask!(cuGraphNodeGetParams, node, CUgraphNodeParams::default());
            // SAFETY: parameters of this type have this field.
            let raw = unsafe { raw.__bindgen_anon_1.conditional };
            // SAFETY: the node owns the list, which has this length.
            let bodies = unsafe { copied(raw.phGraph_out, raw.size as usize) };
            // SAFETY: the node owns the graphs.
            let bodies = bodies.into_iter().map(|body| unsafe { nested(body, depth) });
            NodeParams::Conditional(ConditionalNodeParams {
                handle: raw.handle,
                kind: ConditionalType(raw.type_.0),
                bodies: bodies.try_collect_vec()?,
            })
        }
        other => NodeParams::Other(other),
    })
}

/// Returns the parameters of a kernel node.
///
/// # Safety
///
/// The node is a live kernel node, and its graph is locked.
unsafe fn kernel(node: CUgraphNode) -> Result<KernelNodeParams> {
    let raw = if cuda_sys::driver()?.has(Symbol::cuGraphKernelNodeGetParams_v2) {
        ask!(cuGraphKernelNodeGetParams_v2, node, CUDA_KERNEL_NODE_PARAMS_v2::default())
    } else {
        let old = ask!(cuGraphKernelNodeGetParams, node, CUDA_KERNEL_NODE_PARAMS_v1::default());
        CUDA_KERNEL_NODE_PARAMS_v2 {
            func: old.func,
            gridDimX: old.gridDimX,
            gridDimY: old.gridDimY,
            gridDimZ: old.gridDimZ,
            blockDimX: old.blockDimX,
            blockDimY: old.blockDimY,
            blockDimZ: old.blockDimZ,
            sharedMemBytes: old.sharedMemBytes,
            kernelParams: old.kernelParams,
            extra: old.extra,
            ..CUDA_KERNEL_NODE_PARAMS_v2::default()
        }
    };
    // SAFETY: the node owns the lists.
    let packed = unsafe { packed_arguments(raw.extra) };
    Ok(KernelNodeParams {
        function: raw.func,
        kernel: raw.kern,
        context: raw.ctx,
        config: LaunchConfig {
            grid: [raw.gridDimX, raw.gridDimY, raw.gridDimZ],
            block: [raw.blockDimX, raw.blockDimY, raw.blockDimZ],
            shared_bytes: raw.sharedMemBytes,
        },
        arguments: packed.map_or(RawArguments::Pointers(raw.kernelParams), RawArguments::Packed),
    })
}

/// Returns the bytes that a list of launch options names.
///
/// # Safety
///
/// The list is null, or one of the driver.
unsafe fn packed_arguments(list: *mut *mut c_void) -> Option<Vec<u8>> {
    if list.is_null() {
        return None;
    }
    let (mut start, mut bytes, mut at) = (null_mut(), 0, list);
    loop {
        // SAFETY: the list continues until its end, which is read below.
        let key = unsafe { *at };
        if key == cuda_sys::CU_LAUNCH_PARAM_END {
            break;
        }
        // SAFETY: each key except the end is followed by a value.
        let value = unsafe { *at.wrapping_add(1) };
        if key == cuda_sys::CU_LAUNCH_PARAM_BUFFER_POINTER {
            start = value;
        } else if key == cuda_sys::CU_LAUNCH_PARAM_BUFFER_SIZE {
            // SAFETY: the value points to the size.
            bytes = unsafe { *value.cast::<usize>() };
        }
        at = at.wrapping_add(2);
    }
    // SAFETY: the buffer of the list has this size.
    Some(unsafe { copied(start.cast::<u8>(), bytes) })
}

/// Returns the nodes and edges of a graph inside a node.
///
/// # Safety
///
/// The graph is live, and the outermost graph is locked. The context of the graph is current.
unsafe fn nested(graph: CUgraph, depth: usize) -> Result<NestedGraph> {
    if depth >= MOST_NESTED {
        return Err(Error::invalid(
            "node of a graph",
            format_args!("more than {MOST_NESTED} graphs are inside one another"),
        ));
    }
    // SAFETY: the caller's promise.
    let nodes = unsafe { raw_nodes_of(graph) }?;
    let mut places = Numbers::default();
    nodes.iter().for_each(|node| _ = places.number_of(node.addr()));
    // SAFETY: the caller's promise.
    let edges = unsafe { raw_edges_of(graph) }?;
    let edges = edges.into_iter().filter_map(|(from, to, data)| {
        Some((places.get(from.addr())?, places.get(to.addr())?, EdgeData::of_raw(data)))
    });
    let edges = edges.collect_vec();
    // SAFETY: the nodes are live as their graph is.
    let nodes = nodes.into_iter().map(|node| unsafe { params_of(node, depth + 1) });
    Ok(NestedGraph { handle: graph, nodes: nodes.try_collect_vec()?, edges })
}

fn location(raw: CUmemLocation) -> MemLocation {
    // SAFETY: all bytes of the union are initialised, and this member may have any.
    MemLocation::other(raw.type_.0, unsafe { raw.__bindgen_anon_1.id })
}

/// Returns a copy of a list.
///
/// # Safety
///
/// The list is null, or has so many initialised elements.
unsafe fn copied<T: Copy>(list: *const T, count: usize) -> Vec<T> {
    if list.is_null() || count == 0 {
        return Vec::new();
    }
    // SAFETY: not null; the caller's promise.
    unsafe { core::slice::from_raw_parts(list, count) }.to_vec()
}

/// Returns copies of two lists, as pairs.
///
/// # Safety
///
/// As [`copied`], of both.
unsafe fn pairs<A: Copy, B: Copy>(first: *const A, second: *const B, count: u32) -> Vec<(A, B)> {
    // SAFETY: the caller's promise.
    let first = unsafe { copied(first, count as usize) };
    // SAFETY: the caller's promise.
    first.into_iter().zip(unsafe { copied(second, count as usize) }).collect_vec()
}
