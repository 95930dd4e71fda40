//! Recaptures of a graph, which give its nodes new parameters. Not measured: this follows the documentation.

#![allow(unsafe_code)]

use crate::driver::copies::pitched_entry_points::NodeCopy;
use crate::driver::graphs::capture::{Capture, Captures};
use crate::driver::graphs::generic_nodes::shown_params;
use crate::driver::graphs::graph::ShownPointers;
use crate::driver::graphs::node_entry_points::shown_fill;
use crate::driver::graphs::operation::Operation;
use crate::driver::graphs::user_objects::DestroyedBy;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::Allocation;
use crate::driver::queues::dependency::Dependency;
use crate::driver::{Answer, Call, Continuation, ProgramCall, State};
use crate::float_environment::in_program;
use core::ffi::c_void;
use cuda_sys::{
    CUgraphNodeParams, CUgraphRecaptureCallback, CUgraphRecaptureStatus,
    CUgraphRecaptureStatus_enum as Status, CUresult,
};
use std::collections::VecDeque;

const FAILURE: CUresult = CUresult::CUDA_ERROR_GRAPH_RECAPTURE_FAILURE;

/// State of a capture that visits the nodes of its graph.
pub(crate) struct Recapture {
    /// Remaining nodes, in the order of their creation.
    left: VecDeque<Handle>,
    function: CUgraphRecaptureCallback,
    data: *mut c_void,
}

// SAFETY: the program passes the pointer for use by the driver on any thread.
unsafe impl Send for Recapture {}

impl Recapture {
    pub(super) fn has_nodes_left(&self) -> bool {
        !self.left.is_empty()
    }
}

/// Changes of a call to a recaptured graph.
#[derive(Default)]
pub(crate) struct RecaptureChanges {
    has_failed: bool,
    changes: Vec<Change>,
}

/// Node whose parameters changed.
struct Change {
    capture: u64,
    node: Handle,
    function: CUgraphRecaptureCallback,
    data: *mut c_void,
    before: CUgraphNodeParams,
    after: CUgraphNodeParams,
    status: CUgraphRecaptureStatus,
    /// Lists that the parameters before the change point to.
    _shown: ShownPointers,
}

// SAFETY: same as for `Recapture`, and pointers to lists that this value or the node owns.
unsafe impl Send for Change {}

impl Captures {
    /// Takes the changes of the call in progress: the failure, or the question to the program.
    pub(crate) fn take_changes(&mut self) -> Option<Answer<ProgramCall>> {
        let RecaptureChanges { has_failed, changes } = core::mem::take(&mut self.changes);
        if has_failed {
            return Some(Err(FAILURE));
        }
        (!changes.is_empty()).then(|| Ok(ask(changes)))
    }
}

/// Reports changes to the program. The recapture fails if the program requests it.
fn ask(changes: Vec<Change>) -> ProgramCall {
    Box::new(move || {
        let refused = changes.into_iter().find(|change| {
            let Change { node, function, data, before, after, status, .. } = change;
            function.is_some_and(|function| {
                // SAFETY: the program passed the function with its data for this call; the parameters are valid for
                // reads.
                let answer =
                    in_program(|| unsafe { function(*data, node.pointer(), before, after, *status) });
                answer != CUresult::CUDA_SUCCESS
            })
        });
        let refused = refused.map(|change| change.capture);
        let then: Continuation = Box::new(move |state| match refused {
            None => Ok(None),
            Some(capture) => {
                state.captures.invalidate(|other| other.id == capture);
                Err(FAILURE)
            }
        });
        then
    })
}

impl State {
    /// Makes a capture visit the nodes of its graph.
    pub(super) fn begin_recapture(
        &mut self,
        capture: u64,
        function: CUgraphRecaptureCallback,
        data: *mut c_void,
    ) {
        let Some(capture) = self.captures.get_mut(capture) else { return };
        let graph = self.graphs.get_mut(capture.graph);
        let (left, objects) =
            graph.map(|graph| (graph.nodes.clone(), core::mem::take(&mut graph.objects))).unwrap_or_default();
        capture.recapture = Some(Recapture { left: left.into(), function, data });
        self.release_objects(&objects, DestroyedBy::Caller);
    }

    /// Returns the memory of the node that a capture visits next, if the node allocates any.
    pub(super) fn allocation_to_visit(&self, capture: &Capture) -> Option<Allocation> {
        let next = capture.recapture.as_ref()?.left.front()?;
        let address = self.nodes.get(*next)?.operation.allocates()?;
        Some(self.graph_memory.get(address)?.allocation)
    }

    /// Gives the next node of a recaptured graph the parameters of an operation. Returns the node.
    pub(super) fn visit(&mut self, capture: u64, after: &[Dependency], operation: Operation) -> Handle {
        match self.visit_next(capture, after, operation) {
            Some(node) => node,
            None => {
                self.captures.invalidate(|other| other.id == capture);
                self.captures.changes.has_failed = true;
                Handle::NULL
            }
        }
    }

    /// Gives the next node the parameters of an operation. Returns nothing if the operation belongs to another node.
    fn visit_next(&mut self, capture: u64, after: &[Dependency], operation: Operation) -> Option<Handle> {
        let recapture = self.captures.get_mut(capture)?.recapture.as_mut()?;
        let (node, function, data) = (recapture.left.pop_front()?, recapture.function, recapture.data);
        let found = self.nodes.get(node)?;
        let old = &found.operation;
        let has_same_edges = found.dependencies.len() == after.len()
            && after.iter().all(|edge| {
                found.dependencies.iter().any(|own| own.node == edge.node && own.data == edge.data)
            });
        if old.node_type() != operation.node_type() || !has_same_edges {
            return None;
        }
        if old.is_same(&operation) {
            return Some(node);
        }
        // Memory does not change. Changes of graphs inside a node are not simulated.
        if old.is_sole() || old.child().is_some() {
            return None;
        }
        let status = match old.refuses(&operation, self) {
            None => Status::CU_GRAPH_RECAPTURE_ELIGIBLE_FOR_UPDATE,
            Some(_) => Status::CU_GRAPH_RECAPTURE_INELIGIBLE_FOR_UPDATE,
        };
        let before = self.params_of(node)?;
        let found = self.nodes.get_mut(node)?;
        found.operation = operation;
        let shown = core::mem::take(&mut found.shown);
        let after = self.params_of(node)?;
        self.captures.changes.changes.push(Change {
            capture,
            node,
            function,
            data,
            before,
            after,
            status,
            _shown: shown,
        });
        Some(node)
    }

    fn params_of(&mut self, node: Handle) -> Option<CUgraphNodeParams> {
        let mut call = Call { state: self, context: Handle::NULL, waiting: None };
        shown_params(&mut call, node.pointer()).ok()
    }
}

impl Operation {
    /// Returns whether two operations of the same type have the same parameters.
    fn is_same(&self, other: &Operation) -> bool {
        match (self, other) {
            (Operation::Empty, Operation::Empty) => true,
            (Operation::Kernel(old), Operation::Kernel(new)) => {
                (old.function, old.shape, &old.params) == (new.function, new.shape, &new.params)
            }
            (Operation::Copy(old), Operation::Copy(new)) => {
                let (NodeCopy(before), NodeCopy(after)) = (old.params, new.params);
                // The structure has no other comparison.
                old.context == new.context && format!("{before:?}") == format!("{after:?}")
            }
            (Operation::Fill(old), Operation::Fill(new)) => {
                old.context == new.context
                    && format!("{:?}", shown_fill(old)) == format!("{:?}", shown_fill(new))
            }
            (Operation::HostFunction(old), Operation::HostFunction(new)) => {
                (old.function as usize, old.data) == (new.function as usize, new.data)
            }
            (Operation::RecordEvent(old), Operation::RecordEvent(new))
            | (Operation::WaitEvent(old), Operation::WaitEvent(new)) => old == new,
            (
                Operation::MemoryOperations { context: old_context, operations: old },
                Operation::MemoryOperations { context, operations: new },
            ) => old_context == context && old == new,
            (Operation::SignalSemaphores(old), Operation::SignalSemaphores(new))
            | (Operation::WaitSemaphores(old), Operation::WaitSemaphores(new)) => old == new,
            (Operation::Allocate(old), Operation::Allocate(new))
            | (Operation::Free(old), Operation::Free(new)) => old == new,
            _ => false,
        }
    }
}
