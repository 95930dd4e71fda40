//! The methods that add nodes with parameters.

#![allow(unsafe_code)]

use super::add::{Nodes, sealed::Target};
use super::child::ChildParams;
use super::conditional::Condition;
use super::event::{EmptyParams, EventRecordParams, EventWaitParams};
use super::kinds::{
    ChildNode, ConditionalNode, EmptyNode, EventRecordNode, EventWaitNode, HostNode as HostKind, KernelNode,
    MemAllocNode, MemFreeNode, MemcpyNode, MemoryOperationsNode, MemsetNode, SemaphoreSignalNode,
    SemaphoreWaitNode,
};
use super::make;
use super::memory_operations::MemoryOperationsParams;
use super::semaphore::{SignalParams, WaitParams};
use crate::error::Result;
use crate::event::Event;
use crate::external::{SemaphoreSignal, SemaphoreWait};
use crate::graph::capture::{CaptureDestination, CaptureSource};
use crate::graph::host_cell::HostCell;
use crate::graph::node::{AnyNode, Node};
use crate::graph::{ConditionalType, Graph, GraphMem};
use crate::handle::Quiet;
use crate::launch::{Kernel, KernelArgs, LaunchArgs, LaunchConfig};
use crate::memory::{DevicePtr, MemOps, Memcpy3D, PageLocked, PitchedSliceMut};
use bytemuck::{AnyBitPattern, NoUninit};
use cuda_sys::{CUstreamBatchMemOpParams, Symbol};

const KERNEL: Symbol = Symbol::cuGraphAddKernelNode;
const COPY: Symbol = Symbol::cuGraphAddMemcpyNode;
const FILL: Symbol = Symbol::cuGraphAddMemsetNode;
const CHILD: Symbol = Symbol::cuGraphAddChildGraphNode;

/// Methods that add nodes: of a [`Graph`], and of the [`Nodes`] that closures get. The trait is sealed.
///
/// Most methods make one node, and return its name. [`temporary`](AddNodes::temporary) makes two, and
/// [`condition`](AddNodes::condition) makes none. `after` are the predecessors, nodes of the same graph. Without
/// predecessors, the node starts with the graph. The graph keeps the objects of the node alive: buffers, modules,
/// events and functions may be dropped.
///
/// All methods refuse nodes of other graphs and removed nodes with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument).
/// If a call fails after the driver has added the node, the graph is [poisoned](crate::error::ErrorKind::Poisoned): the program
/// cannot name the node. If the driver is too old for a function, the methods fail with
/// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing). The [table](crate::graph#nodes-of-explicit-graphs) has the
/// releases.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::graph::{AddNodes, Graph};
///
/// let (mut first, mut second) = (DeviceBuf::<u32>::zeroed(&stream, 4)?, DeviceBuf::<u32>::zeroed(&stream, 4)?);
/// let mut graph = Graph::new(&context)?;
/// let fill = graph.fill(&[], &mut first, 7)?;
/// graph.copy(&[fill.any()], &mut second, &first)?;
/// drop(first); // the graph keeps the memory alive
/// graph.instantiate(Default::default())?.launch(&stream)?;
/// assert_eq!(second.to_vec()?, [7; 4]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub trait AddNodes: Target {
    /// Adds a kernel. Wraps `cuGraphAddKernelNode`.
    ///
    /// The arguments are copied. The graph keeps the module alive, and the memory of arguments whose owner an
    /// [`Arg`](crate::launch::Arg) names. The kernel's access to its memory is not checked.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the kernel is of another context, or no graph can keep a
    ///   named owner.
    /// - The driver's refusal of the launch. The driver refuses kernels whose module has bound texture or surface references.
    ///
    /// # Safety
    ///
    /// The conditions of [`Kernel::launch`] hold for each launch of each executable graph of this graph:
    ///
    /// - Memory behind bare addresses stays valid, and is ordered with the launches. Edges order the nodes that touch the same
    ///   memory.
    /// - The texture and surface references of the kernel's module stay unbound.
    /// - A [`ConditionArg`](crate::graph::ConditionArg) is of a condition of this graph.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// use cuda_rt::LaunchConfig;
    /// use cuda_rt::graph::{AddNodes, Graph};
    ///
    /// let nothing = module.function("nothing")?.typed::<()>()?;
    /// let mut graph = Graph::new(&context)?;
    /// // SAFETY: the kernel touches nothing.
    /// unsafe { graph.kernel(&[], &nothing, LaunchConfig::new(1, 1), ()) }?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuGraphAddKernelNode", "cuGraphAddKernelNode_v2"))]
    unsafe fn kernel<A: KernelArgs>(
        &mut self,
        after: &[AnyNode],
        kernel: &Kernel<A>,
        config: LaunchConfig,
        args: impl LaunchArgs<A, ()>,
    ) -> Result<Node<KernelNode>> {
        let mut to = self.to();
        // SAFETY: the caller's promise.
        unsafe { make::kernel((to.context, KERNEL), kernel, config, args, |params| to.add(after, params)) }
    }

    /// Adds a copy on the device, or between devices. Wraps `cuGraphAddMemcpyNode`.
    ///
    /// Memory of another device must be [plain](crate::memory::MemorySource::Plain), or of a pool to which the graph's device has
    /// access.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ or are 0, no graph can keep the memory,
    /// memory is that of another graph, or both sides overlap.
    #[doc(alias = "cuGraphAddMemcpyNode")]
    fn copy<T: Copy>(
        &mut self,
        after: &[AnyNode],
        destination: impl CaptureDestination<T>,
        source: impl CaptureSource<T>,
    ) -> Result<Node<MemcpyNode>> {
        let mut to = self.to();
        let mut params = make::copy(to.owner(COPY), &destination, &source)?;
        to.add(after, &mut params)
    }

    /// Adds a copy of a block, in up to three dimensions, between device memory, arrays and [host cells](HostCell). Wraps
    /// `cuGraphAddMemcpyNode`.
    ///
    /// Blocks between contexts must be in linear memory. Host memory must be that of
    /// [`CopySource::cell`](crate::memory::CopySource::cell) or [`CopyDestination::cell`](crate::memory::CopyDestination::cell).
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument):
    ///
    /// - Numbers do not fit together, or the block is empty.
    /// - The destination is of another context than the graph (if it is host memory, the source).
    /// - One side is an array and the contexts differ.
    /// - No graph can keep the memory, for example a host slice.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{AddNodes, Graph};
    /// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4, 5, 6])?;
    /// let mut column = DeviceBuf::<u8>::zeroed(&stream, 2)?;
    /// let from = CopySource::device(numbers.as_slice()).pitch(3);
    /// let mut graph = Graph::new(&context)?;
    /// graph.copy_block(&[], &Memcpy3D::plane(CopyDestination::device(column.as_slice_mut()), from, 1, 2))?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!(column.to_vec()?, [1, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuGraphAddMemcpyNode", "CUDA_MEMCPY3D"))]
    fn copy_block(&mut self, after: &[AnyNode], copy: &Memcpy3D<'_>) -> Result<Node<MemcpyNode>> {
        let mut to = self.to();
        let mut params = make::copy_block(to.owner(COPY), copy)?;
        to.add(after, &mut params)
    }

    /// Adds a copy of host memory to the device. Wraps `cuGraphAddMemcpyNode`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the memory is of another context.
    /// - Same as [`copy`](AddNodes::copy).
    #[doc(alias = "cuGraphAddMemcpyNode")]
    fn upload<T, B>(
        &mut self,
        after: &[AnyNode],
        destination: impl CaptureDestination<T>,
        source: &HostCell<B>,
    ) -> Result<Node<MemcpyNode>>
    where
        T: NoUninit,
        B: PageLocked<Element = T> + Send + 'static,
    {
        let mut to = self.to();
        let mut params = make::upload(to.owner(COPY), &destination, source)?;
        to.add(after, &mut params)
    }

    /// Adds a copy from the device to host memory. Wraps `cuGraphAddMemcpyNode`.
    ///
    /// # Errors
    ///
    /// Same as [`upload`](AddNodes::upload).
    #[doc(alias = "cuGraphAddMemcpyNode")]
    fn download<T, B>(
        &mut self,
        after: &[AnyNode],
        destination: &HostCell<B>,
        source: impl CaptureSource<T>,
    ) -> Result<Node<MemcpyNode>>
    where
        T: AnyBitPattern,
        B: PageLocked<Element = T> + Send + 'static,
    {
        let mut to = self.to();
        let mut params = make::download(to.owner(COPY), destination, &source)?;
        to.add(after, &mut params)
    }

    /// Adds a fill with a value that repeats a unit of 1, 2 or 4 bytes. Wraps `cuGraphAddMemsetNode`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument):
    ///
    /// - The value repeats no unit of 1, 2 or 4 bytes, or the memory is not aligned to the unit.
    /// - There are no elements.
    /// - The memory is of another context or another graph, or no graph can keep it.
    #[doc(alias = "cuGraphAddMemsetNode")]
    fn fill<T: NoUninit>(
        &mut self,
        after: &[AnyNode],
        destination: impl CaptureDestination<T>,
        value: T,
    ) -> Result<Node<MemsetNode>> {
        let mut to = self.to();
        let mut params = make::fill(to.owner(FILL), &destination, &value)?;
        to.add(after, &mut params)
    }

    /// Adds a fill of rows. Leaves the bytes between the rows alone. Wraps `cuGraphAddMemsetNode`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are several slices, and the view has only some rows
    ///   of them.
    /// - Same as [`fill`](AddNodes::fill).
    #[doc(alias = "cuGraphAddMemsetNode")]
    fn fill_rows<T: NoUninit>(
        &mut self,
        after: &[AnyNode],
        rows: &mut PitchedSliceMut<'_, T>,
        value: T,
    ) -> Result<Node<MemsetNode>> {
        let mut to = self.to();
        let mut params = make::fill_rows(to.owner(FILL), rows, &value)?;
        to.add(after, &mut params)
    }

    /// Adds a call of a function of the program. Each launch calls it once. Wraps `cuGraphAddHostNode`.
    ///
    /// The function must not block on device work, and cannot call the driver: see [host
    /// functions](crate::stream#host-functions). A panic goes to the [drop hook](crate::handle::set_drop_hook), and the graph
    /// continues. A function that owns an executable graph of this graph is never dropped.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuGraphAddHostNode")]
    fn host(
        &mut self,
        after: &[AnyNode],
        function: impl Fn() + Send + Sync + 'static,
    ) -> Result<Node<HostKind>> {
        self.to().add(after, &mut make::host(function))
    }

    /// Adds a call of a function that gets the elements of a [`HostCell`]. Wraps `cuGraphAddHostNode`.
    ///
    /// The function gets the elements as an argument. It cannot call [`HostCell::lock`].
    ///
    /// # Errors
    ///
    /// Same as [`host`](AddNodes::host).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::PinnedBuf;
    /// use cuda_rt::graph::{AddNodes, Graph, HostCell};
    ///
    /// let counter = HostCell::new(PinnedBuf::from_slice(&context, &[0])?);
    /// let mut graph = Graph::new(&context)?;
    /// graph.host_with(&[], &counter, |numbers: &mut [i32]| numbers[0] += 1)?;
    /// let mut program = graph.instantiate(Default::default())?;
    /// program.launch(&stream)?;
    /// program.launch(&stream)?;
    /// assert_eq!(*counter.lock()?, [2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphAddHostNode")]
    fn host_with<B>(
        &mut self,
        after: &[AnyNode],
        cell: &HostCell<B>,
        function: impl Fn(&mut [B::Element]) + Send + Sync + 'static,
    ) -> Result<Node<HostKind>>
    where
        B: PageLocked + Send + 'static,
        B::Element: Send,
    {
        self.to().add(after, &mut make::host_with(cell, function))
    }

    /// Adds a copy of a graph, as it is now, as one node. Wraps `cuGraphAddChildGraphNode`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the graph is of another context, has nodes that allocate
    /// memory or conditional nodes, or has nodes that touch the same memory without an order. Or more than 64 graphs would be inside
    /// one another.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{AddNodes, Graph};
    ///
    /// let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 4)?;
    /// let (mut part, mut whole) = (Graph::new(&context)?, Graph::new(&context)?);
    /// part.fill(&[], &mut buffer, 1)?;
    /// whole.child(&[], &mut part)?;
    /// drop(part);
    /// whole.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [1; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphAddChildGraphNode")]
    fn child(&mut self, after: &[AnyNode], graph: &mut Graph) -> Result<Node<ChildNode>> {
        // The hook may use the graphs, and runs when they are not locked.
        let _quiet = Quiet::new();
        let mut to = self.to();
        let mut params = ChildParams::copy_of(graph, to.context, CHILD)?;
        to.add(after, &mut params)
    }

    /// Moves a graph into this one, as one node. From CUDA 12.9 on. Wraps `cuGraphAddNode`.
    ///
    /// The moved graph may have nodes that allocate memory. Then this graph gets the same restrictions. Executable
    /// graphs of the moved graph refuse [changes of nodes](crate::graph::SetNodes) from then on.
    ///
    /// # Blocking
    ///
    /// Does not wait, except for a graph with nodes that allocate memory: until the last launch of its previous
    /// executable graph is done.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the graph is of another context, or has nodes
    ///   that touch the same memory without an order.
    /// - The same kind: the graph has nodes that allocate memory, and an executable graph of it exists.
    /// - The same kind: more than 64 graphs would be inside one another.
    /// - [`Code::NotSupported`](crate::error::Code::NotSupported): the graph has conditional nodes.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.9.
    ///
    /// If the call fails, the moved graph is dropped.
    #[doc(alias("cuGraphAddNode", "CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE"))]
    fn child_moved(&mut self, after: &[AnyNode], graph: Graph) -> Result<Node<ChildNode>> {
        super::child::add_moved(&mut self.to(), after, graph)
    }

    /// Adds an empty node, to join others. Wraps `cuGraphAddEmptyNode`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuGraphAddEmptyNode")]
    fn empty(&mut self, after: &[AnyNode]) -> Result<Node<EmptyNode>> {
        self.to().add(after, &mut EmptyParams)
    }

    /// Adds a record of an event, for which other streams can wait. Wraps `cuGraphAddEventRecordNode`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - The driver's refusal of an event of another context.
    #[doc(alias = "cuGraphAddEventRecordNode")]
    fn event_record(&mut self, after: &[AnyNode], event: &Event) -> Result<Node<EventRecordNode>> {
        self.to().add(after, &mut EventRecordParams(event))
    }

    /// Adds a wait for an event: for its last record before the node runs. Wraps `cuGraphAddEventWaitNode`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - An earlier failure.
    #[doc(alias = "cuGraphAddEventWaitNode")]
    fn event_wait(&mut self, after: &[AnyNode], event: &Event) -> Result<Node<EventWaitNode>> {
        self.to().add(after, &mut EventWaitParams(event))
    }

    /// Adds a signal of semaphores of other APIs. Wraps `cuGraphAddExternalSemaphoresSignalNode`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a semaphore is of another context, or an operation is not
    ///   for the kind of its semaphore.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.2.
    /// - The driver's refusal.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let Some(theirs) = cuda_sim::external::Semaphore::timeline(0) else { return Ok(()) };
    /// # use cuda_rt::external::{ExternalSemaphore, ExternalSemaphoreHandle, SemaphoreSignal, SemaphoreWait};
    /// use cuda_rt::graph::{AddNodes, Graph};
    ///
    /// # let handle = ExternalSemaphoreHandle::TimelineFd(theirs.export().unwrap());
    /// # // SAFETY: this graph alone signals it.
    /// # let semaphore = unsafe { ExternalSemaphore::import(&context, handle) }?;
    /// let mut graph = Graph::new(&context)?;
    /// let signal = graph.semaphore_signal(&[], &[SemaphoreSignal::value(&semaphore, 1)])?;
    /// graph.semaphore_wait(&[signal.any()], &[SemaphoreWait::value(&semaphore, 1)])?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// # stream.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphAddExternalSemaphoresSignalNode")]
    fn semaphore_signal(
        &mut self,
        after: &[AnyNode],
        signals: &[SemaphoreSignal],
    ) -> Result<Node<SemaphoreSignalNode>> {
        let mut to = self.to();
        let mut params = SignalParams::new(signals, to.context)?;
        to.add(after, &mut params)
    }

    /// Adds a wait for semaphores of other APIs. Wraps `cuGraphAddExternalSemaphoresWaitNode`.
    ///
    /// # Errors
    ///
    /// Same as [`semaphore_signal`](AddNodes::semaphore_signal).
    #[doc(alias = "cuGraphAddExternalSemaphoresWaitNode")]
    fn semaphore_wait(
        &mut self,
        after: &[AnyNode],
        waits: &[SemaphoreWait],
    ) -> Result<Node<SemaphoreWaitNode>> {
        let mut to = self.to();
        let mut params = WaitParams::new(waits, to.context)?;
        to.add(after, &mut params)
    }

    /// Adds a batch of memory operations on words of slices: waits for values, writes of values, flushes and barriers. Wraps
    /// `cuGraphAddBatchMemOpNode`.
    ///
    /// The stream of the batch runs nothing: it is only the home stream of the words. If a word is in memory of a pool or in
    /// managed memory, launches fail with [`Code::InvalidValue`](crate::error::Code::InvalidValue). Use
    /// [plain](crate::memory::MemorySource::Plain) memory.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a word is given only by its address, is of another
    ///   context, or cannot be kept by a graph.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.7.
    /// - The driver's refusal, for example of an empty batch.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(11, 7) { return Ok(()); }
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{AddNodes, Graph};
    /// use cuda_rt::memory::{MemorySource, WriteValueFlags};
    ///
    /// let mut done = DeviceBuf::<u32>::zeroed_in(&stream, 1, MemorySource::Plain)?;
    /// let mut graph = Graph::new(&context)?;
    /// let write = stream.mem_ops().write(done.as_slice_mut(), 7, WriteValueFlags::DEFAULT)?;
    /// graph.memory_operations(&[], &write)?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!(done.to_vec()?, [7]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphAddBatchMemOpNode")]
    fn memory_operations(
        &mut self,
        after: &[AnyNode],
        operations: &MemOps<'_>,
    ) -> Result<Node<MemoryOperationsNode>> {
        let mut to = self.to();
        let call = Symbol::cuGraphAddBatchMemOpNode;
        let mut params = MemoryOperationsParams::of_words(call, operations, to.context)?;
        to.add(after, &mut params)
    }

    /// Adds a batch of memory operations on any words. Wraps `cuGraphAddBatchMemOpNode`.
    ///
    /// # Errors
    ///
    /// Same as [`memory_operations`](AddNodes::memory_operations).
    ///
    /// # Safety
    ///
    /// Each operation is initialised as its type requires. Its address is valid as long as this graph, its clones and its
    /// executable graphs exist. The caller orders its accesses with other accesses.
    #[doc(alias = "cuGraphAddBatchMemOpNode")]
    unsafe fn memory_operations_raw(
        &mut self,
        after: &[AnyNode],
        operations: &[CUstreamBatchMemOpParams],
    ) -> Result<Node<MemoryOperationsNode>> {
        let mut to = self.to();
        // SAFETY: the caller's promise.
        let mut params = unsafe { MemoryOperationsParams::new(operations, to.context) }?;
        to.add(after, &mut params)
    }

    /// Adds memory for the nodes of a closure: an allocation before them, and a free after them. Wraps `cuGraphAddMemAllocNode`
    /// and `cuGraphAddMemFreeNode`.
    ///
    /// Each node of the closure comes after the allocation: if its `after` has no other node of the closure, the allocation is
    /// added to it. The free comes after all of them, even if the closure fails or panics. The memory has the same address in
    /// each launch. It is uninitialised at first.
    ///
    /// From then on, the graph is restricted: it has one executable graph at a time, no clone, and no copy as a child. No node or
    /// edge can be removed.
    ///
    /// # Errors
    ///
    /// - The error of the closure.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are no elements, or the size exceeds the address
    ///   space.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.4.
    /// - The driver's refusal.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(11, 4) { return Ok(()); }
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{AddNodes, Graph};
    ///
    /// let (mut numbers, mut graph) = (DeviceBuf::<u32>::zeroed(&stream, 4)?, Graph::new(&context)?);
    /// graph.temporary(&[], 4, |nodes, scratch| {
    ///     let fill = nodes.fill(&[], scratch, 7_u32)?;
    ///     nodes.copy(&[fill.any()], &mut numbers, scratch)
    /// })?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!(numbers.to_vec()?, [7; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuGraphAddMemAllocNode", "cuGraphAddMemFreeNode"))]
    fn temporary<T: AnyBitPattern, R>(
        &mut self,
        after: &[AnyNode],
        len: usize,
        work: impl for<'m> FnOnce(&mut Nodes<'m>, GraphMem<'m, T>) -> Result<R>,
    ) -> Result<R> {
        super::temporary::temporary(self.to(), after, len, work)
    }

    /// Adds an allocation of memory of the graph, without a free. Wraps `cuGraphAddMemAllocNode`.
    ///
    /// [`temporary`](AddNodes::temporary) is the safe variant. The graph gets the same restrictions.
    ///
    /// # Errors
    ///
    /// Same as [`temporary`](AddNodes::temporary).
    ///
    /// # Safety
    ///
    /// Only work after the node and before the free uses the memory. If no node of the graph frees the memory, the caller frees
    /// the memory of each launch before the next launch, or [configures](crate::graph::InstantiateOptions) launches to free it.
    #[doc(alias = "cuGraphAddMemAllocNode")]
    unsafe fn memory_alloc(
        &mut self,
        after: &[AnyNode],
        bytes: usize,
    ) -> Result<(Node<MemAllocNode>, DevicePtr<u8>)> {
        let (node, address) = super::temporary::alloc(&mut self.to(), after, bytes)?;
        Ok((node, DevicePtr::from_raw(address)))
    }

    /// Adds a free of memory that a node of this or another graph has allocated. Wraps `cuGraphAddMemFreeNode`.
    ///
    /// The graph gets the same restrictions as by [`temporary`](AddNodes::temporary).
    ///
    /// # Errors
    ///
    /// Same as [`temporary`](AddNodes::temporary).
    ///
    /// # Safety
    ///
    /// The memory is that of a graph. When the node runs, the memory is allocated, and no other work uses it then or later.
    #[doc(alias = "cuGraphAddMemFreeNode")]
    unsafe fn memory_free(&mut self, after: &[AnyNode], memory: DevicePtr<u8>) -> Result<Node<MemFreeNode>> {
        // SAFETY: the caller's promise.
        unsafe { super::temporary::free(&mut self.to(), after, memory.as_raw()) }
    }

    /// Makes a condition for a node of this graph, or of a body in it. Each launch begins with the default value. Wraps
    /// `cuGraphConditionalHandleCreate`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.3.
    /// - An earlier failure.
    #[doc(alias = "cuGraphConditionalHandleCreate")]
    fn condition(&mut self, default: u32) -> Result<Condition> {
        super::conditional::condition(&self.to(), default)
    }

    /// Adds a node that runs a body if the condition is not 0. From CUDA 12.4 on. Wraps `cuGraphAddNode`.
    ///
    /// The closure adds the nodes of the body: kernels, copies, fills, empty nodes, child graphs and conditional nodes. If it fails or
    /// panics, the graph is [poisoned](crate::error::ErrorKind::Poisoned), because a part of the body is in it.
    ///
    /// From then on, the graph is restricted: it has one executable graph at a time, no clone, and no copy as a child.
    /// No node can be removed.
    ///
    /// # Errors
    ///
    /// - The error of the closure.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the condition is of another graph, or nodes of the body
    ///   touch the same memory without an order.
    /// - The same kind: more than 64 graphs would be inside one another, bodies included.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    /// - The driver's refusal.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(12, 4) { return Ok(()); }
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{AddNodes, Graph};
    ///
    /// let (mut numbers, mut graph) = (DeviceBuf::<u32>::zeroed(&stream, 4)?, Graph::new(&context)?);
    /// let condition = graph.condition(1)?;
    /// graph.if_(&[], condition, |body| body.fill(&[], &mut numbers, 7_u32).map(drop))?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!(numbers.to_vec()?, [7; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuGraphAddNode", "CU_GRAPH_COND_TYPE_IF"))]
    fn if_(
        &mut self,
        after: &[AnyNode],
        condition: Condition,
        body: impl for<'m> FnOnce(&mut Nodes<'m>) -> Result<()>,
    ) -> Result<Node<ConditionalNode>> {
        let mut body = Some(body);
        super::conditional::conditional(self.to(), after, condition, (ConditionalType::IF, 1), |_, nodes| {
            body.take().map_or(Ok(()), |body| body(nodes))
        })
    }

    /// Adds a node that runs the first body if the condition is not 0, otherwise the second one. From CUDA 12.8 on. Wraps
    /// `cuGraphAddNode`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.8.
    /// - Same as [`if_`](AddNodes::if_).
    #[doc(alias("cuGraphAddNode", "CU_GRAPH_COND_TYPE_IF"))]
    fn if_else(
        &mut self,
        after: &[AnyNode],
        condition: Condition,
        then: impl for<'m> FnOnce(&mut Nodes<'m>) -> Result<()>,
        otherwise: impl for<'m> FnOnce(&mut Nodes<'m>) -> Result<()>,
    ) -> Result<Node<ConditionalNode>> {
        let (mut then, mut otherwise) = (Some(then), Some(otherwise));
        let kind = (ConditionalType::IF, 2);
        super::conditional::conditional(self.to(), after, condition, kind, |index, nodes| match index {
            0 => then.take().map_or(Ok(()), |body| body(nodes)),
            _ => otherwise.take().map_or(Ok(()), |body| body(nodes)),
        })
    }

    /// Adds a node that repeats a body as long as the condition is not 0. From CUDA 12.4 on. Wraps `cuGraphAddNode`.
    ///
    /// If no kernel of the body sets the condition to 0, the launch never ends.
    ///
    /// # Errors
    ///
    /// Same as [`if_`](AddNodes::if_).
    #[doc(alias("cuGraphAddNode", "CU_GRAPH_COND_TYPE_WHILE"))]
    fn while_(
        &mut self,
        after: &[AnyNode],
        condition: Condition,
        body: impl for<'m> FnOnce(&mut Nodes<'m>) -> Result<()>,
    ) -> Result<Node<ConditionalNode>> {
        let mut body = Some(body);
        super::conditional::conditional(
            self.to(),
            after,
            condition,
            (ConditionalType::WHILE, 1),
            |_, nodes| body.take().map_or(Ok(()), |body| body(nodes)),
        )
    }

    /// Adds a node that runs the body whose index is the condition, or none. From CUDA 12.8 on. Wraps `cuGraphAddNode`.
    ///
    /// The closure is called for each of the `count` bodies, with its index.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `count` is more than 65,536.
    /// - Same as [`if_else`](AddNodes::if_else).
    #[doc(alias("cuGraphAddNode", "CU_GRAPH_COND_TYPE_SWITCH"))]
    fn switch(
        &mut self,
        after: &[AnyNode],
        condition: Condition,
        count: u32,
        bodies: impl for<'m> FnMut(u32, &mut Nodes<'m>) -> Result<()>,
    ) -> Result<Node<ConditionalNode>> {
        let kind = (ConditionalType::SWITCH, count);
        super::conditional::conditional(self.to(), after, condition, kind, bodies)
    }
}

impl AddNodes for Graph {}
impl AddNodes for Nodes<'_> {}
