//! Parameters of nodes, as the driver returns them.

#![allow(unsafe_code)]

use super::edge_data::EdgeData;
use super::numbers::{ConditionalType, NodeType};
use crate::error::Result;
use crate::launch::LaunchConfig;
use crate::list::CollectVec;
use crate::memory::{AccessFlags, MemLocation};
use crate::module::{ParameterInfo, parameters_of_function};
use core::ffi::c_void;
use cuda_sys::{
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUDA_HOST_NODE_PARAMS,
    CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext, CUdeviceptr, CUevent, CUexternalSemaphore, CUfunction,
    CUgraph, CUgraphConditionalHandle, CUkernel, CUstreamBatchMemOpParams,
};

/// The parameters of a node. Returned by [`Graph::node_params`](super::Graph::node_params).
///
/// Handles and addresses are raw, because the parameters may outlive the graph and the objects that it keeps alive.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum NodeParams {
    /// A kernel.
    Kernel(KernelNodeParams),
    /// A copy of a block between device memory, host memory and arrays.
    Memcpy(CUDA_MEMCPY3D),
    /// A fill of rows.
    Memset(CUDA_MEMSET_NODE_PARAMS),
    /// A call of a host function, with its argument.
    Host(CUDA_HOST_NODE_PARAMS),
    /// A graph inside the node.
    Child(NestedGraph),
    /// Empty node.
    Empty,
    /// A record of an event.
    EventRecord(CUevent),
    /// A wait for an event.
    EventWait(CUevent),
    /// Signals of external semaphores, each with its value.
    SemaphoreSignal(Vec<(CUexternalSemaphore, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS)>),
    /// Waits for external semaphores, each with its value.
    SemaphoreWait(Vec<(CUexternalSemaphore, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS)>),
    /// An allocation of memory of the graph.
    MemAlloc(MemAllocNodeParams),
    /// A free of memory of the graph, by its address.
    MemFree(CUdeviceptr),
    /// A batch of memory operations.
    MemoryOperations(Vec<CUstreamBatchMemOpParams>),
    /// A choice between graphs or a repetition of a graph, by a condition. From CUDA 13.2 on.
    Conditional(ConditionalNodeParams),
    /// A node whose parameters are unknown: a conditional node on drivers before CUDA 13.2, or a type that this crate does not
    /// know.
    Other(NodeType),
}

// SAFETY: it holds handles and addresses, which safe functions only copy.
unsafe impl Send for NodeParams {}
// SAFETY: as above.
unsafe impl Sync for NodeParams {}

/// The parameters of a kernel node.
#[doc(alias = "CUDA_KERNEL_NODE_PARAMS")]
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KernelNodeParams {
    /// The function in its context.
    pub function: CUfunction,
    /// The kernel of a library, if the node was made with it; otherwise null. Null on drivers before CUDA 12.0.
    pub kernel: CUkernel,
    /// The context in which the kernel runs. Null on drivers before CUDA 12.0.
    pub context: CUcontext,
    /// The shape of the launch.
    pub config: LaunchConfig,
    pub(super) arguments: RawArguments,
}

// SAFETY: as for `NodeParams`. The query of sizes may come from any thread.
unsafe impl Send for KernelNodeParams {}
// SAFETY: as above.
unsafe impl Sync for KernelNodeParams {}

/// The arguments of a kernel node.
#[derive(Debug, Clone)]
pub(super) enum RawArguments {
    /// One pointer for each parameter, which the node owns. Null if there are none.
    Pointers(*mut *mut c_void),
    /// The bytes of all parameters.
    Packed(Vec<u8>),
}

impl KernelNodeParams {
    /// Returns the bytes of each argument. Wraps `cuFuncGetParamInfo`, which reports their sizes, and `cuFuncGetParamCount` on
    /// drivers for CUDA 13.2 or newer, which was not run on hardware.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - The node still exists, and was not changed since its parameters were queried. Its graph was not dropped.
    /// - The module of the function is still loaded.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// use cuda_rt::LaunchConfig;
    /// use cuda_rt::graph::{AddNodes, Graph, NodeParams};
    ///
    /// let nothing = module.function("nothing")?.typed::<()>()?;
    /// let mut graph = Graph::new(&context)?;
    /// // SAFETY: the kernel touches nothing.
    /// let node = unsafe { graph.kernel(&[], &nothing, LaunchConfig::new(1, 1), ()) }?;
    /// let NodeParams::Kernel(params) = graph.node_params(node.any())? else { unreachable!() };
    /// // SAFETY: the graph has the node, and keeps its module.
    /// assert_eq!(unsafe { params.arguments() }?, Vec::<Vec<u8>>::new());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuFuncGetParamInfo", "cuFuncGetParamCount", "kernelParams"))]
    pub unsafe fn arguments(&self) -> Result<Vec<Vec<u8>>> {
        // SAFETY: the caller's promise.
        let places = unsafe { parameters_of_function(self.function) }?;
        let bytes = |(index, place): (usize, &ParameterInfo)| match &self.arguments {
            RawArguments::Packed(bytes) => {
                let end = place.offset.saturating_add(place.size);
                bytes.get(place.offset..end).unwrap_or_default().to_vec()
            }
            RawArguments::Pointers(list) if list.is_null() => Vec::new(),
            RawArguments::Pointers(list) => {
                // SAFETY: the node has one pointer for each parameter of the kernel, as the caller promises that the node is
                // unchanged.
                let start = unsafe { *list.wrapping_add(index) };
                // SAFETY: it points to the node's copy of the argument, which has the size of the parameter.
                unsafe { core::slice::from_raw_parts(start.cast::<u8>(), place.size) }.to_vec()
            }
        };
        Ok(places.iter().enumerate().map(bytes).collect_vec())
    }
}

// SAFETY: as for `NodeParams`.
unsafe impl Send for RawArguments {}
// SAFETY: as above.
unsafe impl Sync for RawArguments {}

/// The parameters of a node that allocates memory of its graph.
#[doc(alias = "CUDA_MEM_ALLOC_NODE_PARAMS")]
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MemAllocNodeParams {
    /// The address of the memory, which exists between this node and the node that frees it.
    pub address: CUdeviceptr,
    /// The size of the memory in bytes.
    pub bytes: usize,
    /// The location of the memory.
    pub location: MemLocation,
    /// The access of further locations to the memory.
    pub access: Vec<(MemLocation, AccessFlags)>,
}

/// The parameters of a conditional node.
#[doc(alias = "CUDA_CONDITIONAL_NODE_PARAMS")]
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ConditionalNodeParams {
    /// The handle of the condition.
    pub handle: CUgraphConditionalHandle,
    /// The use of the condition.
    pub kind: ConditionalType,
    /// The graphs that the node chooses from or repeats.
    pub bodies: Vec<NestedGraph>,
}

/// The nodes and edges of a graph inside a node.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NestedGraph {
    /// The handle of the graph, which belongs to the node.
    pub handle: CUgraph,
    /// The parameters of the nodes, in the driver's order.
    pub nodes: Vec<NodeParams>,
    /// The edges: the indices of both nodes in the list, and the data of the edge.
    pub edges: Vec<(usize, usize, EdgeData)>,
}

// SAFETY: as for `NodeParams`.
unsafe impl Send for NestedGraph {}
// SAFETY: as above.
unsafe impl Sync for NestedGraph {}
