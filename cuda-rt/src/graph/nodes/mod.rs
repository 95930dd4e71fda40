//! Nodes that are added to graphs one by one.

mod add;
mod alloc;
mod calls;
mod child;
mod conditional;
mod copy;
mod event;
mod fill;
mod host;
mod kernel;
mod kinds;
mod make;
mod memory_operations;
mod params;
mod semaphore;
mod setters;
mod temporary;

pub use add::Nodes;
pub use calls::AddNodes;
pub use conditional::{Condition, ConditionArg};
pub use kinds::{
    ChildNode, ConditionalNode, EmptyNode, EventRecordNode, EventWaitNode, HostNode, KernelNode,
    MemAllocNode, MemFreeNode, MemcpyNode, MemoryOperationsNode, MemsetNode, SemaphoreSignalNode,
    SemaphoreWaitNode, Switchable,
};
pub use setters::SetNodes;

pub(super) use add::no_node;
pub(super) use alloc::MEMORY_NODES;
pub(super) use child::ChildParams;
pub(super) use copy::touched_by;
pub(super) use make::touched;
pub(super) use params::{OfKind, SetExecutableNode, SetNode, Uses};
pub(super) use setters::{has_changed_nothing, sealed::SetTarget};
