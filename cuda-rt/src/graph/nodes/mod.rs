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
mod memory_operations;
mod params;
mod semaphore;
mod setters;
mod temporary;

pub use add::{AddNodes, Nodes};
pub use conditional::{Condition, ConditionArg};
pub use kinds::{
    ChildNode, ConditionalNode, EmptyNode, EventRecordNode, EventWaitNode, HostNode, KernelNode, MemAllocNode,
    MemFreeNode, MemcpyNode, MemoryOperationsNode, MemsetNode, SemaphoreSignalNode, SemaphoreWaitNode,
    Switchable,
};

pub(super) use copy::CopyParams;
pub(super) use event::{EventRecordParams, EventWaitParams};
pub(super) use fill::FillParams;
pub(super) use host::HostParams;
pub(super) use kernel::KernelParams;
pub(super) use memory_operations::MemoryOperationsParams;
pub(super) use params::{AddNode, SetExecutableNode, SetNode, Uses};
pub(super) use semaphore::{SignalParams, WaitParams};
