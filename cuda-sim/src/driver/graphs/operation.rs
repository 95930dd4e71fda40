//! Operations of nodes, in a form that can be executed several times.

use crate::driver::State;
use crate::driver::copies::fill::FillWork;
use crate::driver::copies::pitched_entry_points::CopyWork;
use crate::driver::graphs::conditional_nodes::Conditional;
use crate::driver::handles::Handle;
use crate::driver::queues::event::EventRecord;
use crate::driver::queues::host_function::HostWork;
use crate::driver::queues::launch::KernelWork;
use crate::driver::queues::memory_operation::{MemoryOperation, MemoryOperations};
use crate::driver::queues::semaphore::{SemaphoreOperation, SemaphoreWork};
use cuda_sys::{CUdeviceptr, CUgraphNodeType, CUgraphNodeType_enum as NodeType};

/// Operation of a node.
#[derive(Clone)]
pub(crate) enum Operation {
    Empty,
    Kernel(Box<KernelWork>),
    Copy(Box<CopyWork>),
    Fill(FillWork),
    HostFunction(HostWork),
    RecordEvent(Handle),
    WaitEvent(Handle),
    MemoryOperations {
        context: Handle,
        operations: Vec<MemoryOperation>,
    },
    SignalSemaphores(Vec<SemaphoreOperation>),
    WaitSemaphores(Vec<SemaphoreOperation>),
    /// Mapping of bytes at the address of memory of the graph.
    Allocate(CUdeviceptr),
    /// Unmapping of these bytes.
    Free(CUdeviceptr),
    /// Execution of graphs that belong to the node, according to a condition.
    Conditional(Conditional),
    /// Execution of another graph, which belongs to the node.
    Child(Handle),
}

impl From<KernelWork> for Operation {
    fn from(work: KernelWork) -> Operation {
        Operation::Kernel(Box::new(work))
    }
}

impl From<CopyWork> for Operation {
    fn from(work: CopyWork) -> Operation {
        Operation::Copy(Box::new(work))
    }
}

impl From<FillWork> for Operation {
    fn from(work: FillWork) -> Operation {
        Operation::Fill(work)
    }
}

impl From<HostWork> for Operation {
    fn from(work: HostWork) -> Operation {
        Operation::HostFunction(work)
    }
}

impl From<MemoryOperations> for Operation {
    fn from(MemoryOperations { context, operations }: MemoryOperations) -> Operation {
        Operation::MemoryOperations { context, operations }
    }
}

impl From<SemaphoreWork> for Operation {
    fn from(work: SemaphoreWork) -> Operation {
        match work {
            SemaphoreWork::Signal(operations) => Operation::SignalSemaphores(operations),
            SemaphoreWork::Wait(operations) => Operation::WaitSemaphores(operations),
        }
    }
}

impl From<EventRecord> for Operation {
    fn from(EventRecord(event): EventRecord) -> Operation {
        Operation::RecordEvent(event)
    }
}

impl Operation {
    /// Returns the type of the node in the driver API.
    pub(crate) fn node_type(&self) -> CUgraphNodeType {
        match self {
            Operation::Empty => NodeType::CU_GRAPH_NODE_TYPE_EMPTY,
            Operation::Kernel(_) => NodeType::CU_GRAPH_NODE_TYPE_KERNEL,
            Operation::Copy(_) => NodeType::CU_GRAPH_NODE_TYPE_MEMCPY,
            Operation::Fill(_) => NodeType::CU_GRAPH_NODE_TYPE_MEMSET,
            Operation::HostFunction(_) => NodeType::CU_GRAPH_NODE_TYPE_HOST,
            Operation::RecordEvent(_) => NodeType::CU_GRAPH_NODE_TYPE_EVENT_RECORD,
            Operation::WaitEvent(_) => NodeType::CU_GRAPH_NODE_TYPE_WAIT_EVENT,
            Operation::MemoryOperations { .. } => NodeType::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
            Operation::SignalSemaphores(_) => NodeType::CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL,
            Operation::WaitSemaphores(_) => NodeType::CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT,
            Operation::Allocate(_) => NodeType::CU_GRAPH_NODE_TYPE_MEM_ALLOC,
            Operation::Free(_) => NodeType::CU_GRAPH_NODE_TYPE_MEM_FREE,
            Operation::Conditional(_) => NodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL,
            Operation::Child(_) => NodeType::CU_GRAPH_NODE_TYPE_GRAPH,
        }
    }

    /// Returns the graph inside the node.
    pub(crate) fn child(&self) -> Option<Handle> {
        match self {
            Operation::Child(graph) => Some(*graph),
            _ => None,
        }
    }

    /// Returns the address of memory that the node allocates.
    pub(crate) fn allocates(&self) -> Option<CUdeviceptr> {
        match self {
            Operation::Allocate(address) => Some(*address),
            _ => None,
        }
    }

    /// Returns the address of memory that the node frees.
    pub(crate) fn frees(&self) -> Option<CUdeviceptr> {
        match self {
            Operation::Free(address) => Some(*address),
            _ => None,
        }
    }

    /// Returns the name of a kernel that can no longer be launched.
    pub(crate) fn gone_kernel(&self, state: &State) -> Option<String> {
        match self {
            Operation::Kernel(work) if !work.is_there(state) => {
                Some(work.kernel().map(|kernel| kernel.name.clone()).unwrap_or_default())
            }
            _ => None,
        }
    }

    /// Returns whether the context of a copy, a fill, memory operations or an event was destroyed, or the green context of
    /// a kernel.
    pub(crate) fn has_lost_context(&self, state: &State) -> bool {
        let context = match self {
            Operation::Kernel(work) => {
                return work.green.is_some_and(|green| state.green_context(green).is_err());
            }
            Operation::Copy(work) => work.context,
            Operation::Fill(work) => work.context,
            Operation::MemoryOperations { context, .. } => *context,
            Operation::RecordEvent(event) | Operation::WaitEvent(event) => {
                return state.events.get(*event).is_none() && state.ended_events.contains(*event);
            }
            _ => return false,
        };
        state.live_context(context).is_err()
    }

    /// Returns whether a graph with this node cannot be copied, and can have one executable at a time only.
    pub(crate) fn is_sole(&self) -> bool {
        matches!(self, Operation::Allocate(_) | Operation::Free(_) | Operation::Conditional(_))
    }

    /// Returns the graphs inside the node.
    pub(crate) fn inner_graphs(&self) -> Vec<Handle> {
        match self {
            Operation::Conditional(node) => node.bodies(),
            _ => self.child().into_iter().collect(),
        }
    }

    /// Replaces the graph inside the node.
    pub(crate) fn set_child(&mut self, graph: Handle) {
        if let Operation::Child(child) = self {
            *child = graph;
        }
    }
}
