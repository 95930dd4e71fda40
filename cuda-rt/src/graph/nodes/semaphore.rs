//! Nodes that signal external semaphores and wait for them.

#![allow(unsafe_code)]

use super::kinds::{SemaphoreSignalNode, SemaphoreWaitNode};
use super::params::{AddNode, OfKind, Place, SetExecutableNode, SetNode, Uses};
use crate::context::Context;
use crate::error::{Code, Error, OrDetail, Result};
use crate::external::{RawSemaphores, SemaphoreSignal, SemaphoreWait, raw_signals, raw_waits};
use crate::graph::keep::Kept;
use crate::list::CollectVec;
use core::ffi::c_uint;
use cuda_sys::{
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, CUDA_EXT_SEM_WAIT_NODE_PARAMS,
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS as Signal, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS as Wait,
    CUgraphExec, CUgraphNode, Symbol,
};

macro_rules! semaphore_nodes {
    ($(
        $(#[$about:meta])*
        $name:ident, $kind:ident, $operation:ident, $value:ident, $raw:ident by $check:ident:
            $add:ident $set:ident $set_executable:ident;
    )*) => {$(
        $(#[$about])*
        pub(in crate::graph) struct $name(RawSemaphores<$value>);

        impl $name {
            pub(in crate::graph) fn new(operations: &[$operation], context: &Context) -> Result<Self> {
                $check(operations, Symbol::$add, context, "the graph").map($name)
            }

            fn raw(&mut self) -> $raw {
                $raw {
                    extSemArray: self.0.handles.as_mut_ptr(),
                    paramsArray: self.0.params.as_ptr(),
                    numExtSems: self.0.count,
                }
            }

            fn explained(&self, outcome: Result<()>) -> Result<()> {
                outcome.or_detail(&[Code::InvalidValue], &|| self.0.describe())
            }
        }

        impl OfKind for $name {
            type Kind = $kind;
        }

        impl AddNode for $name {
            fn add_call(&self) -> Symbol {
                Symbol::$add
            }

            unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
                let Place { graph, after } = place;
                let raw = self.raw();
                // SAFETY: the caller's promise of the graph and the nodes. The semaphores are live, and the lists have this length.
                let added = unsafe { check!($add(node, graph, after.as_ptr(), after.len(), &raw const raw)) };
                self.explained(added)
            }

            fn uses(&self) -> Result<Uses> {
                let kept = self.0.kept.iter().map(Kept::semaphore).collect_vec();
                Ok(Uses { kept, ..Uses::default() })
            }
        }

        impl SetNode for $name {
            fn set_call(&self) -> Symbol {
                Symbol::$set
            }

            unsafe fn set(&mut self, node: CUgraphNode) -> Result<()> {
                let raw = self.raw();
                // SAFETY: as above, of the node.
                let set = unsafe { check!($set(node, &raw const raw)) };
                self.explained(set)
            }
        }

        impl SetExecutableNode for $name {
            fn set_executable_call(&self) -> Symbol {
                Symbol::$set_executable
            }

            unsafe fn set_executable(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Result<()> {
                let raw = self.raw();
                // SAFETY: as above, of both.
                let set = unsafe { check!($set_executable(executable, node, &raw const raw)) };
                self.explained(set)
            }
        }
    )*};
}
semaphore_nodes! {
    /// Parameters of a node that signals external semaphores.
    SignalParams, SemaphoreSignalNode, SemaphoreSignal, Signal, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS by raw_signals:
        cuGraphAddExternalSemaphoresSignalNode cuGraphExternalSemaphoresSignalNodeSetParams
        cuGraphExecExternalSemaphoresSignalNodeSetParams;
    /// Parameters of a node that waits for external semaphores.
    WaitParams, SemaphoreWaitNode, SemaphoreWait, Wait, CUDA_EXT_SEM_WAIT_NODE_PARAMS by raw_waits:
        cuGraphAddExternalSemaphoresWaitNode cuGraphExternalSemaphoresWaitNodeSetParams
        cuGraphExecExternalSemaphoresWaitNodeSetParams;
}

/// Returns the length of a list in the driver's form.
pub(super) fn count_of(len: usize) -> Result<c_uint> {
    c_uint::try_from(len).map_err(|_| {
        Error::invalid(
            "node of a graph",
            format_args!("{len} entries are more than the {} that a node can have", c_uint::MAX),
        )
    })
}
