//! Captures that give the nodes of a graph new parameters.

#![allow(unsafe_code)]

use super::run::{Recorded, closure_first, record};
use super::{Capture, CaptureOptions, Recording};
use crate::error::Result;
use crate::graph::Graph;
use crate::graph::node::{AnyNode, NodeTable};
use crate::graph::source::lock;
use crate::handle::ensure_not_in_host_function;
use core::ffi::c_void;
use core::mem::ManuallyDrop;
use cuda_sys::{
    CUgraphNode, CUgraphNodeParams, CUgraphRecaptureStatus, CUgraphRecaptureStatus_enum as Status, CUresult,
    Symbol,
};
use std::sync::{Arc, Mutex, PoisonError};

/// A node with new parameters after a [recapture](Graph::recapture).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedNode {
    /// The node.
    pub node: AnyNode,
    /// True if an [update](crate::graph::GraphExec::update) can apply the change to an executable graph.
    pub is_updatable: bool,
}

/// The nodes that the driver reports, by address, with the status of each.
type Reported = Mutex<Vec<(usize, CUgraphRecaptureStatus)>>;

impl Graph {
    /// Records a closure into the existing nodes of this graph, which get new parameters. Returns the closure's value, and the
    /// changed nodes. Wraps `cuStreamBeginRecaptureToGraph` and `cuStreamEndCapture`. Since CUDA 13.3; not run on hardware.
    ///
    /// The closure must make the same nodes in the same order, with the same dependencies. Allocations and frees keep their
    /// parameters. If the capture has begun, a failure or a panic poisons the graph. Executable graphs are not changed. The
    /// graph keeps the previous objects of its nodes alive. The driver releases the
    /// [user objects](crate::graph::UserObject) of the graph first.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.3. The graph stays the
    ///   same.
    /// - [`Code::GraphRecaptureFailure`](crate::error::Code::GraphRecaptureFailure): the closure makes other nodes.
    /// - Same as [`capture`](Graph::capture).
    #[doc(alias("cuStreamBeginRecaptureToGraph", "CUgraphRecaptureCallback"))]
    pub fn recapture<R>(
        &mut self,
        options: CaptureOptions,
        work: impl for<'c> FnOnce(&mut Capture<'c>) -> Result<R>,
    ) -> Result<(R, Vec<ChangedNode>)> {
        const CALL: Symbol = Symbol::cuStreamBeginRecaptureToGraph;
        if let Some(missing) = cuda_sys::driver()?.missing(CALL) {
            return Err(missing.into());
        }
        ensure_not_in_host_function(CALL)?;
        let (mode, context) = (options.mode.to_raw(), self.context().clone());
        // In a forked child the lock may be held forever. The driver refuses calls there.
        drop(context.bind(CALL)?);
        let (raw, nodes) = {
            let mut source = lock(self.source());
            (source.begin_recording()?, core::mem::replace(&mut source.nodes, NodeTable::new()))
        };
        let reported = Arc::new(Reported::default());
        let data: *const Reported = Arc::as_ptr(&reported);
        let begin = |stream| {
            // SAFETY: the stream is live, not captured, and private to this function. This value owns the graph, and its state
            // refuses other calls meanwhile. The context is current. `report_change` may be called at any time until the capture
            // has ended, with `data`, which lives until then.
            unsafe {
                check!(cuStreamBeginRecaptureToGraph(
                    stream,
                    mode,
                    raw,
                    Some(report_change),
                    data.cast_mut().cast()
                ))
            }
        };
        let recording = Recording { is_recapture: true, ..Recording::new(options, nodes) };
        let Recorded { ended, graph, has_begun, is_left, outcome, recording } =
            record(&context, recording, begin, work);
        if has_begun && ended.is_err() {
            // The capture may not have ended.
            let _left = ManuallyDrop::new(Arc::clone(&reported));
        }
        let is_ok = has_begun && ended.is_ok() && matches!(outcome, Some(Ok(Ok(_))));
        // A graph of a failed recapture must be destroyed (documented).
        let may_be_gone = is_left && graph.is_null();
        let changed = {
            let mut source = lock(self.source());
            let Recording { nodes, keep, cell_uses, touched, restriction, .. } = recording;
            source.nodes = nodes.into_inner();
            source.end_recording(is_ok || !has_begun, may_be_gone, has_begun);
            // The nodes may still use their previous objects: a driver may accept a closure that makes fewer nodes (not
            // measured).
            Arc::make_mut(&mut source.keep).append(keep.into_inner());
            // A recapture has no child graphs.
            let (cell_uses, touched) = (cell_uses.into_inner(), touched.into_inner());
            if is_ok {
                source.forget_accesses(&cell_uses, &touched);
            }
            source.cell_uses.extend(cell_uses);
            source.touched.extend(touched);
            source.restrict(restriction.get());
            let mut changed = Vec::new();
            if is_ok {
                for (node, status) in reported.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
                    let is_updatable = status == Status::CU_GRAPH_RECAPTURE_ELIGIBLE_FOR_UPDATE;
                    let node = source.name_if_own(core::ptr::with_exposed_provenance_mut(node));
                    changed.extend(node.map(|node| ChangedNode { node, is_updatable }));
                }
            }
            changed
        };
        closure_first(outcome, ended).map(|value| (value, changed))
    }
}

/// Records a node with new parameters.
unsafe extern "C" fn report_change(
    data: *mut c_void,
    node: CUgraphNode,
    _: *const CUgraphNodeParams,
    _: *const CUgraphNodeParams,
    status: CUgraphRecaptureStatus,
) -> CUresult {
    // SAFETY: the driver passes the pointer from the beginning, whose value lives until the capture has ended.
    let reported = unsafe { &*data.cast::<Reported>() };
    reported.lock().unwrap_or_else(PoisonError::into_inner).push((node.expose_provenance(), status));
    CUresult::CUDA_SUCCESS
}
