//! Kinds of nodes, as types.

macro_rules! kinds {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name;
    )*};
}
kinds! {
    /// The kind of a node that launches a kernel.
    KernelNode;
    /// The kind of a node that copies memory.
    MemcpyNode;
    /// The kind of a node that fills device memory.
    MemsetNode;
    /// The kind of a node that calls a host function.
    HostNode;
    /// The kind of a node that runs a child graph.
    ChildNode;
    /// The kind of a node that does nothing.
    EmptyNode;
    /// The kind of a node that records an event.
    EventRecordNode;
    /// The kind of a node that waits for an event.
    EventWaitNode;
    /// The kind of a node that signals external semaphores.
    SemaphoreSignalNode;
    /// The kind of a node that waits for external semaphores.
    SemaphoreWaitNode;
    /// The kind of a node that allocates memory of the graph.
    MemAllocNode;
    /// The kind of a node that frees memory of the graph.
    MemFreeNode;
    /// The kind of a node that makes memory operations.
    MemoryOperationsNode;
    /// The kind of a node that chooses or repeats its bodies by a condition.
    ConditionalNode;
}

/// A kind of nodes that an executable graph can disable: kernels, copies and fills. Sealed.
#[diagnostic::on_unimplemented(
    message = "a node of the kind `{Self}` cannot be switched off",
    note = "kernel nodes, copies and fills can"
)]
pub trait Switchable: sealed::Switchable {}

mod sealed {
    pub trait Switchable {}
}

macro_rules! switchable {
    ($($kind:ident)*) => {$(
        impl sealed::Switchable for $kind {}
        impl Switchable for $kind {}
    )*};
}
switchable! { KernelNode MemcpyNode MemsetNode }
