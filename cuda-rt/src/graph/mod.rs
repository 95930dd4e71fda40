//! Graphs: work that is described once, and launched many times.

mod access_order;
mod capture;
mod device_memory;
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
mod user_object;

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
    SemaphoreSignalNode, SemaphoreWaitNode, Switchable,
};
pub use numbers::{ConditionalType, DotFlags, NodeType};
pub use user_object::UserObject;
