//! Creation of executable graphs.

#![allow(unsafe_code)]

use super::change::MemoryUse;
use super::{GraphExec, InstantiateOptions, MadeOf};
use crate::context::RelaxedCaptureMode;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::node::AnyNode;
use crate::graph::source::{Source, ensure_lockable, lock};
use crate::handle::{Quiet, made};
use crate::stream::{Handle, refuse_capture};
use core::ffi::{CStr, c_char};
use core::ptr::null_mut;
use cuda_sys::{
    CUDA_GRAPH_INSTANTIATE_PARAMS, CUgraph, CUgraphExec, CUgraphInstantiateResult as Raw, CUgraphNode, Symbol,
};
use std::sync::Arc;

/// Reason why the driver refused to make an executable graph.
#[doc(alias = "CUgraphInstantiateResult")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InstantiateReason {
    /// Another failure, which has a code. Drivers before CUDA 12.0 report no other reason.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_ERROR")]
    Error,
    /// Invalid structure, for example a cycle.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE")]
    InvalidStructure,
    /// Node that kernels cannot launch.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED")]
    NodeOperationNotSupported,
    /// Nodes of several contexts in a graph that kernels can launch.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED")]
    MultipleContextsNotSupported,
    /// A condition that no node uses.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED")]
    ConditionUnused,
    /// A reason that CUDA 13.5 does not name.
    Other(u32),
}

impl InstantiateReason {
    fn from_raw(raw: Raw) -> Self {
        match raw {
            Raw::CUDA_GRAPH_INSTANTIATE_SUCCESS | Raw::CUDA_GRAPH_INSTANTIATE_ERROR => Self::Error,
            Raw::CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE => Self::InvalidStructure,
            Raw::CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED => Self::NodeOperationNotSupported,
            Raw::CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED => Self::MultipleContextsNotSupported,
            Raw::CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED => Self::ConditionUnused,
            other => Self::Other(other.0),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Error => "the graph is refused",
            Self::InvalidStructure => "the structure of the graph is invalid, it has a cycle for example",
            Self::NodeOperationNotSupported => "a node does what graphs launched by kernels cannot",
            Self::MultipleContextsNotSupported => "graphs launched by kernels have nodes of one context",
            Self::ConditionUnused => "no node uses a condition of the graph",
            Self::Other(_) => "the graph is refused for a reason that CUDA 13.5 does not name",
        }
    }
}

/// Reason why there is no executable graph: a [context](Error::context) of the error of [`Graph::instantiate`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InstantiateFailure {
    /// The reason.
    pub reason: InstantiateReason,
    /// The node that failed, if the driver names one that is not of a child graph.
    pub node: Option<AnyNode>,
    /// The log of drivers before CUDA 12.0. Mostly empty.
    pub log: String,
}

impl Graph {
    /// Makes an executable graph: a copy that launches run. Later changes of this graph do not change the copy. Wraps
    /// `cuGraphInstantiateWithParams`. On drivers before CUDA 12.0, wraps `cuGraphInstantiate`, or with options
    /// `cuGraphInstantiateWithFlags`.
    ///
    /// # Blocking
    ///
    /// Does not wait, except for a graph that allows one executable graph at a time: until the last launch of its
    /// previous executable graph is done. Such a graph has nodes that allocate memory, or conditional nodes. If the graph has
    /// memory of several devices, the call also waits while another thread disables access between them.
    ///
    /// # Errors
    ///
    /// - The driver's refusal. The error's context [`InstantiateFailure`] has the reason and the node.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): two nodes touch the same memory, or use one
    ///   [`HostCell`](crate::graph::HostCell), without a known order.
    /// - The same kind: a graph that allows one executable graph has one already, or the stream of an upload belongs to
    ///   another context.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream of an upload is being captured.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is too old for an option.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned): a failure has left the graph in an unknown state.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::graph::{Graph, InstantiateOptions};
    ///
    /// let mut graph = Graph::new(&context)?;
    /// let mut program = graph.instantiate(InstantiateOptions::new())?;
    /// program.launch(&stream)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuGraphInstantiate", "cuGraphInstantiateWithFlags", "cuGraphInstantiateWithParams"))]
    pub fn instantiate(&mut self, options: InstantiateOptions<'_>) -> Result<GraphExec> {
        ensure_lockable(Symbol::cuGraphInstantiateWithFlags)?;
        let context = self.context().clone();
        if let Some(stream) = options.upload {
            let call = Symbol::cuGraphInstantiateWithParams;
            if *stream.context() != context {
                return Err(Error::different_contexts(call, "the graph", "the stream"));
            }
            refuse_capture(stream, call)?;
        }
        // The hook may use the graph.
        let quiet = Quiet::new();
        let mut guard = lock(self.source());
        let source = &mut *guard;
        let graph = source.raw()?;
        source.refuse_leased("one executable graph at a time; drop the other one first", |_| false)?;
        source.refuse_unordered()?;
        let mut raw = null_mut();
        // Copies between devices keep the way that they have now.
        let ticket = source.keep.ticket(&context);
        let made_of = {
            let _bound = context.bind(Symbol::cuGraphInstantiateWithFlags)?;
            // Otherwise a capture that this or another thread makes would be invalidated.
            let _relaxed = RelaxedCaptureMode::new();
            instantiate(graph, options, &mut raw)
        };
        drop(ticket);
        let outcome = made_of.map_err(|(error, failure)| failure.explain(error, source));
        let nodes = MadeOf {
            keep: Arc::clone(&source.keep),
            memory: MemoryUse::of(source),
            shape_changes: source.shape_changes(),
        };
        let lease = if raw.is_null() { Arc::default() } else { source.begin_lease() };
        drop(guard);
        drop(quiet);
        // Outside the lock: the hook may run.
        let made = made(outcome, !raw.is_null(), || {
            GraphExec::over(raw, &context, nodes, Arc::clone(self.source()), lease)
        });
        match (made, options.upload) {
            (Ok(mut made), Some(stream)) => {
                made.handle.come_after_last(stream)?;
                made.handle.note_end(stream)?;
                Ok(made)
            }
            (made, _) => made,
        }
    }
}

/// The driver's answer about a failure.
struct Told {
    reason: InstantiateReason,
    node: CUgraphNode,
    log: String,
}

impl Told {
    #[cold]
    fn explain(self, error: Error, source: &mut Source) -> Error {
        let Told { reason, node, log } = self;
        let node = source.name_if_own(node);
        let error = match (error.unexplained_code(), node) {
            (None, _) => error,
            (Some(_), Some(node)) => error.with_detail(format_args!("{}; {node:?}", reason.text())),
            (Some(_), None) => error.with_detail(format_args!("{}", reason.text())),
        };
        error.with_context(InstantiateFailure { reason, node, log })
    }
}

fn instantiate(
    graph: CUgraph,
    options: InstantiateOptions<'_>,
    raw: &mut CUgraphExec,
) -> core::result::Result<(), (Error, Told)> {
    let untold =
        |error| (error, Told { reason: InstantiateReason::Error, node: null_mut(), log: String::new() });
    let driver = cuda_sys::driver().map_err(|error| untold(error.into()))?;
    let flags = u64::from(options.flags);
    if driver.has(Symbol::cuGraphInstantiateWithParams) {
        let mut params = CUDA_GRAPH_INSTANTIATE_PARAMS {
            flags,
            hUploadStream: options.upload.map_or(null_mut(), Handle::raw),
            hErrNode_out: null_mut(),
            result_out: Raw::CUDA_GRAPH_INSTANTIATE_SUCCESS,
        };
        // SAFETY: the graph is live and locked, its context is current, and both places are valid for a write.
        let made = unsafe { check!(cuGraphInstantiateWithParams(raw, graph, &raw mut params)) };
        return made.map_err(|error| {
            let reason = InstantiateReason::from_raw(params.result_out);
            (error, Told { reason, node: params.hErrNode_out, log: String::new() })
        });
    }
    if options.upload.is_some() {
        // Refused with the version of the driver.
        return driver
            .missing(Symbol::cuGraphInstantiateWithParams)
            .map_or(Ok(()), |missing| Err(untold(missing.into())));
    }
    if flags != 0 {
        // SAFETY: as above. A driver that is too old for the function refuses it by its name.
        return unsafe { check!(cuGraphInstantiateWithFlags(raw, graph, flags)) }.map_err(untold);
    }
    let (mut node, mut log) = (null_mut(), vec![0_u8; 1024]);
    let (text, bytes) = (log.as_mut_ptr().cast::<c_char>(), log.len());
    // SAFETY: as above; there is room for so many bytes of text.
    let made = unsafe { check!(cuGraphInstantiate_v2(raw, graph, &raw mut node, text, bytes)) };
    made.map_err(|error| {
        let log = CStr::from_bytes_until_nul(&log).map(|log| log.to_string_lossy().into_owned());
        (error, Told { reason: InstantiateReason::Error, node, log: log.unwrap_or_default() })
    })
}
