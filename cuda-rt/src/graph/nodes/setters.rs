//! Methods that change nodes of graphs and of executable graphs.

#![allow(unsafe_code)]
#![allow(private_bounds, private_interfaces)] // methods of a sealed trait

use super::add::Owner;
use super::event::{EventRecordParams, EventWaitParams};
use super::kinds::{
    EventRecordNode, EventWaitNode, HostNode as HostKind, KernelNode, MemcpyNode, MemoryOperationsNode,
    MemsetNode, SemaphoreSignalNode, SemaphoreWaitNode,
};
use super::make;
use super::memory_operations::MemoryOperationsParams;
use super::params::{OfKind, SetExecutableNode, SetNode};
use super::semaphore::{SignalParams, WaitParams};
use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::event::Event;
use crate::external::{SemaphoreSignal, SemaphoreWait};
use crate::graph::capture::{CaptureDestination, CaptureSource};
use crate::graph::host_cell::HostCell;
use crate::graph::node::{AnyNode, Node};
use crate::graph::source::lock;
use crate::graph::{Graph, GraphExec};
use crate::launch::{Kernel, KernelArgs, LaunchArgs, LaunchConfig};
use crate::memory::{MemOps, Memcpy3D, PageLocked, PitchedSliceMut};
use bytemuck::{AnyBitPattern, NoUninit};
use cuda_sys::{CUstreamBatchMemOpParams, Symbol};

pub(in crate::graph) mod sealed {
    use super::{Context, Node, OfKind, Result, SetExecutableNode, SetNode, Symbol};

    pub trait SetTarget {
        /// Returns the context of the graph.
        #[doc(hidden)]
        fn target_context(&self) -> &Context;

        /// Returns the one of two driver functions that gets the parameters.
        #[doc(hidden)]
        fn choose(&self, graph: Symbol, executable: Symbol) -> Symbol;

        /// Sets other parameters of a node.
        #[doc(hidden)]
        fn set<P: SetNode + SetExecutableNode + OfKind>(
            &mut self,
            node: Node<P::Kind>,
            params: &mut P,
        ) -> Result<()>;
    }
}

/// Memory of graphs does not outlive the closure that gets it, and setters are called later.
fn owner(target: &(impl sealed::SetTarget + ?Sized), (graph, executable): (Symbol, Symbol)) -> Owner<'_> {
    Owner { context: target.target_context(), tags: &[], call: target.choose(graph, executable) }
}

const KERNEL: (Symbol, Symbol) = (Symbol::cuGraphKernelNodeSetParams, Symbol::cuGraphExecKernelNodeSetParams);
const COPY: (Symbol, Symbol) = (Symbol::cuGraphMemcpyNodeSetParams, Symbol::cuGraphExecMemcpyNodeSetParams);
const FILL: (Symbol, Symbol) = (Symbol::cuGraphMemsetNodeSetParams, Symbol::cuGraphExecMemsetNodeSetParams);

/// Methods that set other parameters of nodes: of a [`Graph`], and of a [`GraphExec`]. The trait is sealed.
///
/// The nodes are those of the graph: an executable graph takes the nodes of the graph from which it was made. A change of a graph
/// affects the executable graphs that are made later. A change of an executable graph affects its later launches. A running
/// launch continues with the old parameters, and objects that only these use are released after it.
///
/// All methods refuse nodes of other graphs and removed nodes with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument).
/// An executable graph refuses changes after which two nodes touch the same memory without an order. If its graph has
/// got other nodes or edges since, it refuses all changes of memory accesses. If it was updated from another graph,
/// or from its own graph with other nodes or edges, it refuses all changes. These errors are [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument), too.
///
/// # Blocking
///
/// A change of an executable graph does not wait for launches. It waits while another thread uses the graph from which it was made:
/// instantiates it, or changes or updates another of its executable graphs. If the executable graph has memory of several devices,
/// it also waits while another thread disables access between them.
///
/// # Failures
///
/// If a change fails and may have changed the node, the executable graph is [poisoned](GraphExec::is_poisoned). Then it
/// refuses all changes with [`Poisoned`](crate::error::ErrorKind::Poisoned). While a closure records into its graph, it
/// refuses them with [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing).
///
/// After a change of an executable graph, the objects that only the old parameters use are released at the end of the last launch.
/// If an event for this end cannot be recorded, the method returns that failure. The change has taken effect nevertheless, and the
/// executable graph is not poisoned. The error names `cuEventCreate`, `cuEventRecord`, or the captured stream of the last launch.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::graph::{AddNodes, Graph, SetNodes};
///
/// let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 4)?;
/// let mut graph = Graph::new(&context)?;
/// let fill = graph.fill(&[], &mut numbers, 1)?;
/// let mut program = graph.instantiate(Default::default())?;
/// program.set_fill(fill, &mut numbers, 2)?;
/// program.launch(&stream)?;
/// assert_eq!(numbers.to_vec()?, [2; 4]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub trait SetNodes: sealed::SetTarget {
    /// Changes a kernel node. Wraps `cuGraphKernelNodeSetParams` and `cuGraphExecKernelNodeSetParams`.
    ///
    /// # Errors
    ///
    /// Same as [`AddNodes::kernel`](crate::graph::AddNodes::kernel). Executable graphs refuse kernels of another context. Drivers
    /// before CUDA 11.2 refuse another kernel.
    ///
    /// # Safety
    ///
    /// Same as [`AddNodes::kernel`](crate::graph::AddNodes::kernel).
    #[doc(alias("cuGraphKernelNodeSetParams", "cuGraphExecKernelNodeSetParams"))]
    unsafe fn set_kernel<A: KernelArgs>(
        &mut self,
        node: Node<KernelNode>,
        kernel: &Kernel<A>,
        config: LaunchConfig,
        args: impl LaunchArgs<A, ()>,
    ) -> Result<()> {
        let context = self.target_context().clone();
        let call = self.choose(KERNEL.0, KERNEL.1);
        // SAFETY: the caller's promise.
        unsafe { make::kernel((&context, call), kernel, config, args, |params| self.set(node, params)) }
    }

    /// Changes a copy on the device. Wraps `cuGraphMemcpyNodeSetParams` and `cuGraphExecMemcpyNodeSetParams`.
    ///
    /// # Errors
    ///
    /// - Same as [`AddNodes::copy`](crate::graph::AddNodes::copy).
    /// - [`Code::InvalidValue`], for executable graphs: the memory is of another kind or context than before.
    #[doc(alias("cuGraphMemcpyNodeSetParams", "cuGraphExecMemcpyNodeSetParams"))]
    fn set_copy<T: Copy>(
        &mut self,
        node: Node<MemcpyNode>,
        destination: impl CaptureDestination<T>,
        source: impl CaptureSource<T>,
    ) -> Result<()> {
        let mut params = make::copy(owner(self, COPY), &destination, &source)?;
        self.set(node, &mut params)
    }

    /// Changes a copy to a copy of a block. Wraps `cuGraphMemcpyNodeSetParams` and `cuGraphExecMemcpyNodeSetParams`.
    ///
    /// # Errors
    ///
    /// - Same as [`AddNodes::copy_block`](crate::graph::AddNodes::copy_block).
    /// - [`Code::InvalidValue`], for executable graphs: the old or the new copy is one in several dimensions or
    ///   between arrays, or an array takes the place of other memory.
    #[doc(alias("cuGraphMemcpyNodeSetParams", "cuGraphExecMemcpyNodeSetParams"))]
    fn set_copy_block(&mut self, node: Node<MemcpyNode>, copy: &Memcpy3D<'_>) -> Result<()> {
        let mut params = make::copy_block(owner(self, COPY), copy)?;
        self.set(node, &mut params)
    }

    /// Changes a copy of host memory to the device. Wraps `cuGraphMemcpyNodeSetParams` and `cuGraphExecMemcpyNodeSetParams`.
    ///
    /// # Errors
    ///
    /// Same as [`set_copy`](SetNodes::set_copy).
    #[doc(alias("cuGraphMemcpyNodeSetParams", "cuGraphExecMemcpyNodeSetParams"))]
    fn set_upload<T, B>(
        &mut self,
        node: Node<MemcpyNode>,
        destination: impl CaptureDestination<T>,
        source: &HostCell<B>,
    ) -> Result<()>
    where
        T: NoUninit,
        B: PageLocked<Element = T> + Send + 'static,
    {
        let mut params = make::upload(owner(self, COPY), &destination, source)?;
        self.set(node, &mut params)
    }

    /// Changes a copy from the device to host memory. Wraps `cuGraphMemcpyNodeSetParams` and `cuGraphExecMemcpyNodeSetParams`.
    ///
    /// # Errors
    ///
    /// Same as [`set_copy`](SetNodes::set_copy).
    #[doc(alias("cuGraphMemcpyNodeSetParams", "cuGraphExecMemcpyNodeSetParams"))]
    fn set_download<T, B>(
        &mut self,
        node: Node<MemcpyNode>,
        destination: &HostCell<B>,
        source: impl CaptureSource<T>,
    ) -> Result<()>
    where
        T: AnyBitPattern,
        B: PageLocked<Element = T> + Send + 'static,
    {
        let mut params = make::download(owner(self, COPY), destination, &source)?;
        self.set(node, &mut params)
    }

    /// Changes a fill. Wraps `cuGraphMemsetNodeSetParams` and `cuGraphExecMemsetNodeSetParams`.
    ///
    /// # Errors
    ///
    /// - Same as [`AddNodes::fill`](crate::graph::AddNodes::fill).
    /// - [`Code::InvalidValue`], for executable graphs: the node fills several rows, or the memory is of another kind
    ///   than before (documented).
    #[doc(alias("cuGraphMemsetNodeSetParams", "cuGraphExecMemsetNodeSetParams"))]
    fn set_fill<T: NoUninit>(
        &mut self,
        node: Node<MemsetNode>,
        destination: impl CaptureDestination<T>,
        value: T,
    ) -> Result<()> {
        let mut params = make::fill(owner(self, FILL), &destination, &value)?;
        self.set(node, &mut params)
    }

    /// Changes a fill to a fill of rows. Wraps `cuGraphMemsetNodeSetParams` and `cuGraphExecMemsetNodeSetParams`.
    ///
    /// # Errors
    ///
    /// - Same as [`AddNodes::fill_rows`](crate::graph::AddNodes::fill_rows).
    /// - [`Code::InvalidValue`], for executable graphs: the old or the new fill has several rows, and the number or the
    ///   length of the rows differs. Older drivers refuse all fills of several rows (documented).
    #[doc(alias("cuGraphMemsetNodeSetParams", "cuGraphExecMemsetNodeSetParams"))]
    fn set_fill_rows<T: NoUninit>(
        &mut self,
        node: Node<MemsetNode>,
        rows: &mut PitchedSliceMut<'_, T>,
        value: T,
    ) -> Result<()> {
        let mut params = make::fill_rows(owner(self, FILL), rows, &value)?;
        self.set(node, &mut params)
    }

    /// Changes a call of a function. Wraps `cuGraphHostNodeSetParams` and `cuGraphExecHostNodeSetParams`.
    ///
    /// # Errors
    ///
    /// Same as [`AddNodes::host`](crate::graph::AddNodes::host).
    #[doc(alias("cuGraphHostNodeSetParams", "cuGraphExecHostNodeSetParams"))]
    fn set_host(&mut self, node: Node<HostKind>, function: impl Fn() + Send + Sync + 'static) -> Result<()> {
        self.set(node, &mut make::host(function))
    }

    /// Changes a call of a function to one that gets the elements of a [`HostCell`]. Wraps `cuGraphHostNodeSetParams` and
    /// `cuGraphExecHostNodeSetParams`.
    ///
    /// # Errors
    ///
    /// Same as [`AddNodes::host_with`](crate::graph::AddNodes::host_with).
    #[doc(alias("cuGraphHostNodeSetParams", "cuGraphExecHostNodeSetParams"))]
    fn set_host_with<B>(
        &mut self,
        node: Node<HostKind>,
        cell: &HostCell<B>,
        function: impl Fn(&mut [B::Element]) + Send + Sync + 'static,
    ) -> Result<()>
    where
        B: PageLocked + Send + 'static,
        B::Element: Send,
    {
        self.set(node, &mut make::host_with(cell, function))
    }

    /// Changes the event of a record. Wraps `cuGraphEventRecordNodeSetEvent` and `cuGraphExecEventRecordNodeSetEvent`.
    ///
    /// # Errors
    ///
    /// Same as [`AddNodes::event_record`](crate::graph::AddNodes::event_record).
    #[doc(alias("cuGraphEventRecordNodeSetEvent", "cuGraphExecEventRecordNodeSetEvent"))]
    fn set_event_record(&mut self, node: Node<EventRecordNode>, event: &Event) -> Result<()> {
        self.set(node, &mut EventRecordParams(event))
    }

    /// Changes the event of a wait. Wraps `cuGraphEventWaitNodeSetEvent` and `cuGraphExecEventWaitNodeSetEvent`.
    ///
    /// # Errors
    ///
    /// Same as [`AddNodes::event_wait`](crate::graph::AddNodes::event_wait).
    #[doc(alias("cuGraphEventWaitNodeSetEvent", "cuGraphExecEventWaitNodeSetEvent"))]
    fn set_event_wait(&mut self, node: Node<EventWaitNode>, event: &Event) -> Result<()> {
        self.set(node, &mut EventWaitParams(event))
    }

    /// Changes a signal of semaphores of other APIs. Wraps `cuGraphExternalSemaphoresSignalNodeSetParams` and
    /// `cuGraphExecExternalSemaphoresSignalNodeSetParams`.
    ///
    /// # Errors
    ///
    /// - Same as [`AddNodes::semaphore_signal`](crate::graph::AddNodes::semaphore_signal).
    /// - [`Code::InvalidValue`], for executable graphs: the number of semaphores is not the same as before.
    #[doc(alias(
        "cuGraphExternalSemaphoresSignalNodeSetParams",
        "cuGraphExecExternalSemaphoresSignalNodeSetParams"
    ))]
    fn set_semaphore_signal(
        &mut self,
        node: Node<SemaphoreSignalNode>,
        signals: &[SemaphoreSignal],
    ) -> Result<()> {
        let mut params = SignalParams::new(signals, self.target_context())?;
        self.set(node, &mut params)
    }

    /// Changes a wait for semaphores of other APIs. Wraps `cuGraphExternalSemaphoresWaitNodeSetParams` and
    /// `cuGraphExecExternalSemaphoresWaitNodeSetParams`.
    ///
    /// # Errors
    ///
    /// Same as [`set_semaphore_signal`](SetNodes::set_semaphore_signal).
    #[doc(alias(
        "cuGraphExternalSemaphoresWaitNodeSetParams",
        "cuGraphExecExternalSemaphoresWaitNodeSetParams"
    ))]
    fn set_semaphore_wait(&mut self, node: Node<SemaphoreWaitNode>, waits: &[SemaphoreWait]) -> Result<()> {
        let mut params = WaitParams::new(waits, self.target_context())?;
        self.set(node, &mut params)
    }

    /// Changes a batch of memory operations. Wraps `cuGraphBatchMemOpNodeSetParams` and `cuGraphExecBatchMemOpNodeSetParams`.
    ///
    /// # Errors
    ///
    /// - Same as [`AddNodes::memory_operations`](crate::graph::AddNodes::memory_operations).
    /// - [`Code::InvalidValue`], for executable graphs: the number or the kinds of the operations are not the same as
    ///   before.
    #[doc(alias("cuGraphBatchMemOpNodeSetParams", "cuGraphExecBatchMemOpNodeSetParams"))]
    fn set_memory_operations(
        &mut self,
        node: Node<MemoryOperationsNode>,
        operations: &MemOps<'_>,
    ) -> Result<()> {
        let (graph, executable) =
            (Symbol::cuGraphBatchMemOpNodeSetParams, Symbol::cuGraphExecBatchMemOpNodeSetParams);
        let call = self.choose(graph, executable);
        let mut params = MemoryOperationsParams::of_words(call, operations, self.target_context())?;
        self.set(node, &mut params)
    }

    /// Changes a batch of memory operations to one on any words. Wraps `cuGraphBatchMemOpNodeSetParams` and
    /// `cuGraphExecBatchMemOpNodeSetParams`.
    ///
    /// # Errors
    ///
    /// Same as [`set_memory_operations`](SetNodes::set_memory_operations).
    ///
    /// # Safety
    ///
    /// Same as [`AddNodes::memory_operations_raw`](crate::graph::AddNodes::memory_operations_raw).
    #[doc(alias("cuGraphBatchMemOpNodeSetParams", "cuGraphExecBatchMemOpNodeSetParams"))]
    unsafe fn set_memory_operations_raw(
        &mut self,
        node: Node<MemoryOperationsNode>,
        operations: &[CUstreamBatchMemOpParams],
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        let mut params = unsafe { MemoryOperationsParams::new(operations, self.target_context()) }?;
        self.set(node, &mut params)
    }
}

impl SetNodes for Graph {}
impl SetNodes for GraphExec {}

impl sealed::SetTarget for Graph {
    fn target_context(&self) -> &Context {
        self.context()
    }

    fn choose(&self, graph: Symbol, _: Symbol) -> Symbol {
        graph
    }

    fn set<P: SetNode + SetExecutableNode + OfKind>(
        &mut self,
        node: Node<P::Kind>,
        params: &mut P,
    ) -> Result<()> {
        self.set_any(node.any(), params)
    }
}

impl Graph {
    fn set_any(&mut self, node: AnyNode, params: &mut dyn SetNode) -> Result<()> {
        let uses = params.uses()?;
        let bound = self.context().bind(params.set_call())?;
        let mut source = lock(self.source());
        source.raw()?;
        let raw = source.nodes.raw(node)?;
        // SAFETY: the node is one of this graph, of this kind, which is locked. The graph keeps the uses alive from now on.
        let set = unsafe { params.set(raw) };
        let unused = match &set {
            Ok(()) => source.replace_uses(node, uses),
            Err(error) if has_changed_nothing(error) => uses.kept,
            // The node may have the old or the new parameters.
            Err(_) => {
                source.add_uses(node, uses);
                Vec::new()
            }
        };
        drop(source);
        drop(bound);
        drop(unused);
        set
    }
}

/// Returns whether a setter was refused without an effect.
pub(in crate::graph) fn has_changed_nothing(error: &Error) -> bool {
    matches!(
        error.code(),
        None | Some(
            Code::InvalidValue
                | Code::InvalidHandle
                | Code::InvalidContext
                | Code::NotSupported
                | Code::NotPermitted
                | Code::GraphExecUpdateFailure
        )
    )
}
