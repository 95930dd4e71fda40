//! Graphs: work that is described once, and launched many times.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`Graph`] | nodes of work, with edges that order them | `cuGraphDestroy` |
//! | [`GraphExec`] | the copy of a graph that launches run | `cuGraphExecDestroy` |
//! | [`Capture`] | the recorder of calls into a graph, in a closure | `cuStreamEndCapture` |
//! | [`HostCell`], [`HostGuard`] | host memory that graphs and the program use in turns | – |
//! | [`GraphMem`] | memory that a graph allocates and frees itself | a node of the graph |
//! | [`CaptureEvent`] | a place in a capture, for which its branches can wait | with the capture |
//! | [`Node`], [`AnyNode`] | names of nodes | – |
//! | [`NodeParams`] | the parameters of a node, read from the driver | – |
//! | [`AddNodes`], [`SetNodes`], [`Nodes`] | the methods that add and change nodes; the recorder of a part of a graph | – |
//! | [`Condition`] | the number by which a conditional node chooses | with the graph |
//! | [`EdgeData`] | the type of an edge, and the points of the nodes that it joins | – |
//! | [`UserObject`] | a value that raw graphs keep alive | `cuUserObjectRelease` |
//! | [`Keep`] | the trait of objects that graphs can keep alive | – |
//!
//! ```
//! # let (context, stream) = cuda_doc::stream()?;
//! use cuda_rt::graph::{CaptureOptions, Graph, HostCell, InstantiateOptions};
//! use cuda_rt::{DeviceBuf, PinnedBuf};
//!
//! let (input, output) = (DeviceBuf::from_host(&stream, &[1, 2, 3])?, HostCell::new(PinnedBuf::zeroed(&context, 3)?));
//! let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
//!     capture.download(&output, &input)?;
//!     capture.host_with(&output, |elements: &mut [i32]| elements.reverse())
//! })?;
//! let mut program = graph.instantiate(InstantiateOptions::new())?;
//! drop((graph, input)); // the executable graph keeps the memory alive
//! program.launch(&stream)?;
//! assert_eq!(*output.lock()?, [3, 2, 1]); // waits for the launch
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Objects that graphs keep
//!
//! A graph names addresses and objects. So it keeps the recorded objects alive: buffers, modules, texture objects, events, host
//! functions, [cells](HostCell). Their handles can be dropped at any time. The last graph, executable graph or launch releases
//! the object. Memory is released on its home stream. Executable graphs and parents keep the same objects alive. If an
//! [update](GraphExec::update) replaces objects, the old ones are released after the last launch.
//!
//! While a graph holds an object, calls that would change a property that the graph relies on are refused with
//! [`HeldByGraph`](crate::error::ErrorKind::HeldByGraph). These are [`DeviceBuf::move_to`](crate::DeviceBuf::move_to), and
//! [`unmap`](crate::memory::VirtualMemory::unmap), [`set_access`](crate::memory::VirtualMemory::set_access) and
//! [`move_to`](crate::memory::VirtualMemory::move_to) of virtual memory. `close` leaves the object to the graph.
//!
//! Kernels are launched on a [`Capture`] as on a stream, which is `unsafe`. The graph keeps the module alive, and the owners that
//! [`Arg`](crate::launch::Arg) names. The caller promises that memory behind bare addresses stays valid, for every launch of
//! every executable graph: [`Capture::keep`] helps.
//!
//! # Nodes of each call
//!
//! All nodes are listed here:
//!
//! | call | nodes |
//! |---|---|
//! | a kernel's launch | 1 |
//! | [`copy`](Capture::copy), [`copy_block`](Capture::copy_block), [`upload`](Capture::upload), [`download`](Capture::download) | 1; 0 without bytes |
//! | [`fill`](Capture::fill) | 1; 1 for each unit if the units of the value differ; 0 without bytes |
//! | [`host`](Capture::host), [`host_with`](Capture::host_with) | 1 |
//! | [`child`](Capture::child) | 1 |
//! | [`record_external`](Capture::record_external), [`wait_external`](Capture::wait_external) | 1 |
//! | [`temporary`](Capture::temporary) | 2, beside those of the closure |
//! | [`fork`](Capture::fork), [`mark`](Capture::mark), [`wait`](Capture::wait), [`add_dependencies`](Capture::add_dependencies), [`keep`](Capture::keep), [`info`](Capture::info), [`last_node`](Capture::last_node) | 0 |
//!
//! Methods of buffers and streams are not recorded, not even inside the closure: they run at once, on their own streams.
//!
//! # Nodes of explicit graphs
//!
//! [`Graph::new`] makes an empty graph. The methods of [`AddNodes`] add nodes after the named nodes. [`Graph::add_edge`] adds further edges.
//!
//! | kind | [`AddNodes`] | since CUDA | [`SetNodes`], on graphs and executable graphs |
//! |---|---|---|---|
//! | [`KernelNode`] | [`kernel`](AddNodes::kernel), unsafe | 11.0 | [`set_kernel`](SetNodes::set_kernel), unsafe |
//! | [`MemcpyNode`] | [`copy`](AddNodes::copy), [`copy_block`](AddNodes::copy_block), [`upload`](AddNodes::upload), [`download`](AddNodes::download) | 11.0 | [`set_copy`](SetNodes::set_copy) and its companions |
//! | [`MemsetNode`] | [`fill`](AddNodes::fill), [`fill_rows`](AddNodes::fill_rows) | 11.0 | [`set_fill`](SetNodes::set_fill), [`set_fill_rows`](SetNodes::set_fill_rows) |
//! | [`HostNode`] | [`host`](AddNodes::host), [`host_with`](AddNodes::host_with) | 11.0 | [`set_host`](SetNodes::set_host), [`set_host_with`](SetNodes::set_host_with) |
//! | [`ChildNode`] | [`child`](AddNodes::child) | 11.0 | [`GraphExec::set_child`], since 11.1 |
//! | [`ChildNode`] | [`child_moved`](AddNodes::child_moved) | 12.9 | – |
//! | [`EmptyNode`] | [`empty`](AddNodes::empty) | 11.0 | – |
//! | [`EventRecordNode`], [`EventWaitNode`] | [`event_record`](AddNodes::event_record), [`event_wait`](AddNodes::event_wait) | 11.1 | [`set_event_record`](SetNodes::set_event_record), [`set_event_wait`](SetNodes::set_event_wait) |
//! | [`SemaphoreSignalNode`], [`SemaphoreWaitNode`] | [`semaphore_signal`](AddNodes::semaphore_signal), [`semaphore_wait`](AddNodes::semaphore_wait) | 11.2 | [`set_semaphore_signal`](SetNodes::set_semaphore_signal), [`set_semaphore_wait`](SetNodes::set_semaphore_wait) |
//! | [`MemAllocNode`], [`MemFreeNode`] | [`temporary`](AddNodes::temporary); [`memory_alloc`](AddNodes::memory_alloc), [`memory_free`](AddNodes::memory_free), unsafe | 11.4 | – |
//! | [`MemoryOperationsNode`] | [`memory_operations`](AddNodes::memory_operations); [`memory_operations_raw`](AddNodes::memory_operations_raw), unsafe | 11.7 | [`set_memory_operations`](SetNodes::set_memory_operations); [`set_memory_operations_raw`](SetNodes::set_memory_operations_raw), unsafe |
//! | [`ConditionalNode`] | [`if_`](AddNodes::if_), [`while_`](AddNodes::while_) | 12.4 | – |
//! | [`ConditionalNode`] | [`if_else`](AddNodes::if_else), [`switch`](AddNodes::switch) | 12.8 | – |
//!
//! If two nodes touch the same memory and at least one writes it, they need a path of edges between them. The order of copies,
//! fills and functions with a [cell](HostCell) is checked when an executable graph is made, in captures from CUDA 11.3 on. The
//! order of kernels is not checked: the caller is responsible.
//!
//! # When a capture fails
//!
//! A call that a capture does not allow invalidates the capture. Later calls fail, too, and so does the end of the capture, whose
//! error repeats the first failure.
//!
//! | code | cause |
//! |---|---|
//! | [`StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported) (900) | the call cannot be recorded, or the [mode](CaptureMode) forbids it |
//! | [`StreamCaptureInvalidated`](crate::error::Code::StreamCaptureInvalidated) (901) | an earlier call failed |
//! | [`StreamCaptureMerge`](crate::error::Code::StreamCaptureMerge) (902) | an event would join two captures |
//! | [`StreamCaptureUnmatched`](crate::error::Code::StreamCaptureUnmatched) (903) | the end was called on another stream than the beginning |
//! | [`StreamCaptureUnjoined`](crate::error::Code::StreamCaptureUnjoined) (904) | a branch was not joined |
//! | [`StreamCaptureIsolation`](crate::error::Code::StreamCaptureIsolation) (905) | a wait for an event from outside the capture, without its flag |
//! | [`StreamCaptureImplicit`](crate::error::Code::StreamCaptureImplicit) (906) | the legacy stream was used while a blocking stream was captured |
//! | [`CapturedEvent`](crate::error::Code::CapturedEvent) (907) | a query of an event of a capture |
//! | [`StreamCaptureWrongThread`](crate::error::Code::StreamCaptureWrongThread) (908) | the end was called on another thread |
//!
//! If a call with a cell or a child graph fails, the order of the nodes is unknown. The same holds for the end of a
//! [`fork`](Capture::fork), and for the release in a [`temporary`](Capture::temporary). The capture then fails at its end, even if
//! the closure continues.
//!
//! Safe captures only cause the first two codes. Other codes need unsafe code with [`Capture::raw_stream`].
//!
//! # Older drivers
//!
//! | since | feature |
//! |---|---|
//! | CUDA 11.0 | captures, launches, updates, and everything that is not listed here |
//! | CUDA 11.1 | [`record_external`](Capture::record_external), [`wait_external`](Capture::wait_external), [`GraphExec::upload`] |
//! | CUDA 11.3 | [`info`](Capture::info), [`last_node`](Capture::last_node), [`child`](Capture::child), [`add_dependencies`](Capture::add_dependencies); cells in a capture with branches; [`UserObject`], [`Graph::dot`] |
//! | CUDA 11.4 | [`temporary`](Capture::temporary), [`InstantiateOptions::auto_free`], [`Device::graph_mem_usage`](crate::Device::graph_mem_usage) |
//! | CUDA 11.6 | [`GraphExec::set_enabled`] |
//! | CUDA 11.7 | [`InstantiateOptions::node_priority`] |
//! | CUDA 12.0 | [`InstantiateOptions::device_launch`], [`InstantiateOptions::upload`], [`GraphExec::flags`] |
//! | CUDA 12.3 | [`Graph::capture_into`], data of edges other than the default |
//! | CUDA 13.1 | [`GraphExec::id`], [`Graph::id`], [`Graph::node_id`], [`Graph::node_tools_id`] |
//! | CUDA 13.2 | [`NodeParams::Conditional`] |
//! | CUDA 13.3 | [`Graph::recapture`] |
//!
//! Older drivers refuse these features with [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing), which names the
//! version, or refuse an option that they do not know. Cells in a capture with branches are refused with
//! [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument).
//!
//! # A picture of a graph
//!
//! [`Graph::write_dot`] writes a description for Graphviz. This is the graph of the example `14_explicit_graph`, as cuda-sim describes it:
//!
#![doc = include_str!("../../docs/graph.svg")]

mod access_order;
mod attributes;
mod capture;
mod cell_state;
mod clone;
mod copy_side;
mod device_memory;
mod dot;
mod edge_data;
mod executable;
#[allow(clippy::module_inception)]
mod graph;
mod host_cell;
mod host_node;
mod inspect;
mod keep;
mod lease;
mod node;
mod node_params;
mod nodes;
mod numbers;
mod since;
mod source;
mod structure;
mod user_object;
mod uses;

pub use attributes::KernelNodeAttributes;
pub use capture::{
    Capture, CaptureDestination, CaptureEvent, CaptureInfo, CaptureMode, CaptureOptions, CaptureSource,
    ChangedNode, GraphMem,
};
pub use device_memory::{GraphMemAttribute, GraphMemUsage};
pub use edge_data::{EdgeData, EdgeType, KernelPort};
pub use executable::{
    GraphExec, InstantiateFailure, InstantiateOptions, InstantiateReason, UpdateReason, UpdateRefused,
};
pub use graph::Graph;
pub use host_cell::{HostCell, HostGuard};
pub use keep::Keep;
pub use node::{AnyNode, Node};
pub use node_params::{ConditionalNodeParams, KernelNodeParams, MemAllocNodeParams, NestedGraph, NodeParams};
pub use nodes::{
    AddNodes, ChildNode, Condition, ConditionArg, ConditionalNode, EmptyNode, EventRecordNode, EventWaitNode,
    HostNode, KernelNode, MemAllocNode, MemFreeNode, MemcpyNode, MemoryOperationsNode, MemsetNode, Nodes,
    SemaphoreSignalNode, SemaphoreWaitNode, SetNodes, Switchable,
};
pub use numbers::{ConditionalType, DotFlags, NodeType};
pub use user_object::UserObject;
