//! Graphs: work that is described once, and launched many times.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`Graph`] | nodes of work, with edges that order them | `cuGraphDestroy` |
//! | [`GraphExec`] | the copy of a graph that launches run | `cuGraphExecDestroy` |
//! | [`Capture`] | what records calls into a graph, in a closure | `cuStreamEndCapture` |
//! | [`HostCell`], [`HostGuard`] | host memory that graphs and the program take turns with | – |
//! | [`GraphMem`] | memory that a graph allocates and frees itself | a node of the graph |
//! | [`CaptureEvent`] | a place in a capture, which its branches can wait for | with the capture |
//! | [`Node`], [`AnyNode`] | names of nodes | – |
//! | [`Keep`] | the trait of what graphs keep alive | – |
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
//! drop((graph, input)); // the executable graph keeps the memory
//! program.launch(&stream)?;
//! assert_eq!(*output.lock()?, [3, 2, 1]); // waits for the launch
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # What graphs keep
//!
//! A graph names addresses and objects. So it keeps what is recorded into it: buffers, modules, texture objects, events, host functions,
//! [cells](HostCell). Their handles can be dropped at any time: the last graph, executable graph or launch releases the object, memory
//! on its home stream. Executable graphs and parents keep what the graph keeps. What an executable graph is [updated](GraphExec::update)
//! away from is released after its last launch.
//!
//! While a graph holds an object, calls that would take away what the graph relies on are refused with
//! [`HeldByGraph`](crate::error::ErrorKind::HeldByGraph): [`DeviceBuf::move_to`](crate::DeviceBuf::move_to), and
//! [`unmap`](crate::memory::VirtualMemory::unmap), [`set_access`](crate::memory::VirtualMemory::set_access) and
//! [`move_to`](crate::memory::VirtualMemory::move_to) of virtual memory. `close` leaves the object to the graph.
//!
//! Kernels are launched on a [`Capture`] as on a stream, which is `unsafe`. The graph keeps the module, and the owners that
//! [`Arg`](crate::launch::Arg) names. Memory behind bare addresses is the caller's promise, for every launch of every executable graph:
//! [`Capture::keep`] helps.
//!
//! # Nodes of each call
//!
//! Nothing hidden is recorded:
//!
//! | call | nodes |
//! |---|---|
//! | a kernel's launch | 1 |
//! | [`copy`](Capture::copy), [`upload`](Capture::upload), [`download`](Capture::download) | 1; 0 without bytes |
//! | [`fill`](Capture::fill) | 1; for values of more than 4 bytes that differ, 1 for each unit |
//! | [`host`](Capture::host), [`host_with`](Capture::host_with) | 1 |
//! | [`child`](Capture::child) | 1 |
//! | [`record_external`](Capture::record_external), [`wait_external`](Capture::wait_external) | 1 |
//! | [`temporary`](Capture::temporary) | 2, beside those of the closure |
//! | [`fork`](Capture::fork), [`mark`](Capture::mark), [`wait`](Capture::wait), [`add_dependencies`](Capture::add_dependencies), [`keep`](Capture::keep), [`info`](Capture::info), [`last_node`](Capture::last_node) | 0 |
//!
//! Methods of buffers and streams are not recorded, also inside the closure: they run at once, on their own streams.
//!
//! # When a capture fails
//!
//! A call that a capture does not allow invalidates it. Later calls fail, too, and so does the end, whose error repeats the first failure.
//!
//! | code | cause |
//! |---|---|
//! | [`StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported) (900) | the call cannot be recorded, or the [mode](CaptureMode) forbids it |
//! | [`StreamCaptureInvalidated`](crate::error::Code::StreamCaptureInvalidated) (901) | an earlier call failed |
//! | [`StreamCaptureMerge`](crate::error::Code::StreamCaptureMerge) (902) | an event would join two captures |
//! | [`StreamCaptureUnmatched`](crate::error::Code::StreamCaptureUnmatched) (903) | the end was called on another stream than the beginning |
//! | [`StreamCaptureUnjoined`](crate::error::Code::StreamCaptureUnjoined) (904) | a branch did not come back |
//! | [`StreamCaptureIsolation`](crate::error::Code::StreamCaptureIsolation) (905) | a wait for an event of outside, without its flag |
//! | [`StreamCaptureImplicit`](crate::error::Code::StreamCaptureImplicit) (906) | the legacy stream was used while a blocking stream was captured |
//! | [`CapturedEvent`](crate::error::Code::CapturedEvent) (907) | a question about an event of a capture |
//! | [`StreamCaptureWrongThread`](crate::error::Code::StreamCaptureWrongThread) (908) | the end was called on another thread |
//!
//! Of captures of this module, only the first two come up, unless unsafe code uses [`Capture::raw_stream`].
//!
//! # Older drivers
//!
//! | since | |
//! |---|---|
//! | CUDA 11.0 | captures, launches, updates, and all else that is not named here |
//! | CUDA 11.1 | [`record_external`](Capture::record_external), [`wait_external`](Capture::wait_external), [`GraphExec::upload`] |
//! | CUDA 11.3 | [`info`](Capture::info), [`last_node`](Capture::last_node), [`child`](Capture::child), [`add_dependencies`](Capture::add_dependencies); cells in a capture with branches |
//! | CUDA 11.4 | [`temporary`](Capture::temporary), [`InstantiateOptions::auto_free`] |
//! | CUDA 11.7 | [`InstantiateOptions::node_priority`] |
//! | CUDA 12.0 | [`InstantiateOptions::device_launch`], [`InstantiateOptions::upload`], [`GraphExec::flags`] |
//! | CUDA 12.3 | [`Graph::capture_into`] |
//! | CUDA 13.1 | [`GraphExec::id`] |
//!
//! Older drivers refuse them with [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing), which names the version, or the
//! driver refuses an option that it does not know.

mod access_order;
mod attributes;
mod capture;
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
mod keep;
mod node;
mod nodes;
mod numbers;
mod retire;
mod since;
mod source;
mod structure;
mod user_object;
mod uses;

pub use attributes::KernelNodeAttributes;
pub use capture::{
    Capture, CaptureDestination, CaptureEvent, CaptureInfo, CaptureMode, CaptureOptions, CaptureSource,
    GraphMem,
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
pub use nodes::{
    AddNodes, ChildNode, Condition, ConditionArg, ConditionalNode, EmptyNode, EventRecordNode, EventWaitNode,
    HostNode, KernelNode, MemAllocNode, MemFreeNode, MemcpyNode, MemoryOperationsNode, MemsetNode, Nodes,
    SemaphoreSignalNode, SemaphoreWaitNode, SetNodes, Switchable,
};
pub use numbers::{ConditionalType, DotFlags, NodeType};
pub use user_object::UserObject;
