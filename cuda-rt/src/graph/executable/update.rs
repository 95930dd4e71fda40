//! Updates of whole executable graphs.

#![allow(unsafe_code)]

use super::GraphExec;
use super::change::MemoryUse;
use crate::context::RelaxedCaptureMode;
use crate::error::{Code, Error, Result};
use crate::graph::Graph;
use crate::graph::keep::KeepSet;
use crate::graph::node::AnyNode;
use crate::graph::source::{ensure_lockable, lock};
use crate::handle::Quiet;
use crate::list::CollectVec;
use core::ptr::null_mut;
use cuda_sys::{CUgraphExecUpdateResult as Raw, CUgraphExecUpdateResultInfo, Symbol};
use std::sync::Arc;

/// Reason why the driver refused an update.
#[doc(alias = "CUgraphExecUpdateResult")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UpdateReason {
    /// Failure of another kind, described by [`Error::code`].
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR")]
    Error,
    /// Other nodes or edges.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED")]
    TopologyChanged,
    /// Node of another kind.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED")]
    NodeTypeChanged,
    /// Kernel node with another function, which drivers before CUDA 11.2 do not allow.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED")]
    FunctionChanged,
    /// Node with parameters to which it cannot be changed.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED")]
    ParametersChanged,
    /// Node of a kind that cannot be changed.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED")]
    NotSupported,
    /// Kernel node with a function to which it cannot be changed, for example one of another context.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE")]
    UnsupportedFunctionChange,
    /// Node with attributes to which it cannot be changed, for example a kernel that is no longer cooperative.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED")]
    AttributesChanged,
    /// A reason that CUDA 13.5 does not name.
    Other(u32),
}

impl UpdateReason {
    fn from_raw(raw: Raw) -> Self {
        match raw {
            Raw::CU_GRAPH_EXEC_UPDATE_SUCCESS | Raw::CU_GRAPH_EXEC_UPDATE_ERROR => Self::Error,
            Raw::CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED => Self::TopologyChanged,
            Raw::CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED => Self::NodeTypeChanged,
            Raw::CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED => Self::FunctionChanged,
            Raw::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED => Self::ParametersChanged,
            Raw::CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED => Self::NotSupported,
            Raw::CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE => Self::UnsupportedFunctionChange,
            Raw::CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED => Self::AttributesChanged,
            other => Self::Other(other.0),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Error => "the driver refuses the graph",
            Self::TopologyChanged => "the graph has other nodes or edges",
            Self::NodeTypeChanged => "a node is of another kind",
            Self::FunctionChanged => "a kernel node has another function",
            Self::ParametersChanged => "a node has parameters that cannot be changed to",
            Self::NotSupported => "a node of this kind cannot be changed",
            Self::UnsupportedFunctionChange => "a kernel node has a function that cannot be changed to",
            Self::AttributesChanged => "a node has other attributes",
            Self::Other(_) => "the driver refuses the graph for a reason that CUDA 13.5 does not name",
        }
    }
}

/// Details of a refused update: the reason and the nodes. [`Error::context`] of the error of [`GraphExec::update`] returns
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpdateRefused {
    /// The reason.
    pub reason: UpdateReason,
    /// The node of the new graph, if the driver names one that is not of a child graph.
    pub node: Option<AnyNode>,
    /// The start of an edge of the new graph that does not match. The edge leads to `node`. `None` if the driver names no edge,
    /// or one of a child graph. Drivers before CUDA 12.0 name none.
    pub from_node: Option<AnyNode>,
}

impl GraphExec {
    /// Sets the parameters of all nodes to those of a graph with the same nodes and edges. Later launches use them; a running
    /// launch continues with the old ones. Wraps `cuGraphExecUpdate`.
    ///
    /// The graph's nodes and edges must be the same, made in the same order. Objects that only the old nodes use are released
    /// when the last launch before the update is done.
    ///
    /// After an update from another graph, the driver has paired nodes of two graphs. Then changes of single nodes by
    /// [`SetNodes`](crate::graph::SetNodes) are refused. The same holds after an update from the instantiated graph, if
    /// its nodes or edges were added or removed since, or it was recaptured. An update from the instantiated graph with
    /// its original nodes and edges allows changes again.
    ///
    /// # Blocking
    ///
    /// Does not wait for launches, with one exception. If the graph allows one executable graph at a time, the call waits until
    /// the last launch of the previous executable graph is done.
    ///
    /// The call waits while another thread changes or updates another executable graph of the new graph. If the graph
    /// has memory of several devices, the call also waits while another thread disables access between them.
    ///
    /// # Errors
    ///
    /// - [`Code::GraphExecUpdateFailure`]: the driver refuses the graph. Nothing has changed. The error's context
    ///   [`UpdateRefused`] has the reason and the nodes.
    /// - An earlier failure. If it leaves the executable graph in an unknown state, that graph is
    ///   [poisoned](GraphExec::is_poisoned).
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream of the last launch is being
    ///   captured. The update has taken effect, and objects that only the old nodes use are never released.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the graph is of another context, or allows
    ///   one executable graph and has another one.
    /// - The same kind: two uses of the same memory, or of one [`HostCell`](crate::graph::HostCell), are not ordered.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned): a failure has left the executable graph or the graph in an
    ///   unknown state.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{CaptureOptions, Graph};
    ///
    /// let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 4)?;
    /// let mut fill = |value: u32| {
    ///     Graph::capture(&context, CaptureOptions::new(), |capture| capture.fill(&mut buffer, value))
    /// };
    /// let mut program = fill(1)?.0.instantiate(Default::default())?;
    /// program.update(&mut fill(2)?.0)?;
    /// program.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [2; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuGraphExecUpdate", "cuGraphExecUpdate_v2"))]
    pub fn update(&mut self, graph: &mut Graph) -> Result<()> {
        const CALL: Symbol = Symbol::cuGraphExecUpdate_v2;
        ensure_lockable(CALL)?;
        let handle = &mut *self.handle;
        handle.refuse_poisoned()?;
        if *graph.context() != handle.context {
            return Err(Error::different_contexts(CALL, "the executable graph", "the graph"));
        }
        // The hook may use the graph.
        let _quiet = Quiet::new();
        let is_own = Arc::ptr_eq(graph.source(), &handle.source);
        let mut source = lock(graph.source());
        source.refuse_unordered()?;
        // Both executable graphs would share memory.
        source.refuse_leased(
            "one executable graph at a time; drop the other one before the update",
            |lease| handle.has_lease(lease),
        )?;
        let raw = source.raw()?;
        let mut told = CUgraphExecUpdateResultInfo {
            result: Raw::CU_GRAPH_EXEC_UPDATE_SUCCESS,
            errorNode: null_mut(),
            errorFromNode: null_mut(),
        };
        let ticket = source.keep.ticket(&handle.context);
        let updated = {
            let _bound = handle.context.bind(CALL)?;
            // Otherwise a capture that this or another thread makes could be invalidated.
            let _relaxed = RelaxedCaptureMode::new();
            if cuda_sys::driver()?.has(CALL) {
                // SAFETY: both are live, only this thread uses them, the context is current, and `told` is valid for a write.
                unsafe { check!(cuGraphExecUpdate_v2(handle.raw, raw, &raw mut told)) }
            } else {
                let (node, result) = (&raw mut told.errorNode, &raw mut told.result);
                // SAFETY: as above.
                unsafe { check!(cuGraphExecUpdate(handle.raw, raw, node, result)) }
            }
        };
        drop(ticket);
        let new = Arc::clone(&source.keep);
        match updated {
            Ok(()) => {
                // The driver pairs the nodes of both graphs by their order and edges. In its own graph, each node is paired with
                // itself only if no node and no edge was added or removed (conformance facts V1066 and V1067).
                let has_names = is_own && source.shape_changes() == handle.shape_changes;
                handle.memory = has_names.then(|| MemoryUse::of(&source));
                let is_leased = !is_own && source.restriction.is_some();
                let lease = is_leased.then(|| (source.begin_lease(), Arc::clone(graph.source())));
                drop(source);
                let ended = core::mem::replace(&mut handle.lease_of_update, lease);
                let old = core::mem::replace(&mut handle.keep, new);
                handle.look_at_kept();
                handle.release_kept(old, ended.into_iter().collect_vec())
            }
            Err(error) => {
                // Both are nodes of the new graph (conformance fact V1202).
                let node = source.name_if_own(told.errorNode);
                let from_node = source.name_if_own(told.errorFromNode);
                drop(source);
                // After this refusal nothing has changed (conformance fact V1065).
                if error.code() != Some(Code::GraphExecUpdateFailure) {
                    // The parts of the new nodes that the executable graph may have are kept alive, together with the old ones.
                    let mut both = KeepSet::clone(&handle.keep);
                    both.extend(&new);
                    handle.keep = Arc::new(both);
                    handle.look_at_kept();
                    handle.is_poisoned = true;
                }
                let reason = UpdateReason::from_raw(told.result);
                let error = match (error.unexplained_code(), node) {
                    (None, _) => error,
                    (Some(_), Some(node)) => error.with_detail(format_args!("{}; {node:?}", reason.text())),
                    (Some(_), None) => error.with_detail(format_args!("{}", reason.text())),
                };
                Err(error.with_context(UpdateRefused { reason, node, from_node }))
            }
        }
    }
}
