//! Queries about a capture.

#![allow(unsafe_code)]

use super::Capture;
use crate::error::{Error, Result};
use crate::graph::node::AnyNode;
use crate::graph::nodes::no_node;
use crate::list::CollectVec;
use core::ptr::{null, null_mut};
use cuda_sys::{CUgraph, CUgraphNode, CUstream, CUstreamCaptureStatus, Symbol};

/// The state of a branch of a capture. Returned by [`Capture::info`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaptureInfo {
    /// The driver's number for the capture, unique in the process.
    pub id: u64,
    /// The nodes for which the next node of the branch will wait.
    pub dependencies: Vec<AnyNode>,
}

/// The driver's answer about a captured stream.
pub(super) struct RawInfo {
    pub(super) id: u64,
    pub(super) graph: CUgraph,
    pub(super) dependencies: Vec<CUgraphNode>,
}

/// Queries the driver.
///
/// # Safety
///
/// The stream is live, and its context is current.
pub(super) unsafe fn raw_info(stream: CUstream) -> Result<RawInfo> {
    let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    let (mut id, mut graph, mut list, mut count) = (0, null_mut(), null::<CUgraphNode>(), 0);
    let (status_out, id_out, graph_out) = (&raw mut status, &raw mut id, &raw mut graph);
    let (list_out, count_out) = (&raw mut list, &raw mut count);
    let mut edges = null();
    // The older function refuses edges with data.
    let asked = if cuda_sys::driver()?.has(Symbol::cuStreamGetCaptureInfo_v3) {
        let edges_out = &raw mut edges;
        // SAFETY: all are valid for a write; the rest is the caller's promise.
        unsafe {
            check!(cuStreamGetCaptureInfo_v3(
                stream, status_out, id_out, graph_out, list_out, edges_out, count_out
            ))
        }
    } else {
        // SAFETY: as above.
        unsafe {
            check!(cuStreamGetCaptureInfo_v2(stream, status_out, id_out, graph_out, list_out, count_out))
        }
    };
    asked?;
    if status != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_ACTIVE {
        let text = "the capture was invalidated by an earlier failure";
        return Err(Error::invalid_for(Symbol::cuStreamGetCaptureInfo_v2, format_args!("{text}")));
    }
    let dependencies = if list.is_null() || count == 0 {
        Vec::new()
    } else {
        // SAFETY: the driver's list has `count` nodes, and is valid until the next call on the stream.
        unsafe { core::slice::from_raw_parts(list, count) }.to_vec()
    };
    Ok(RawInfo { id, graph, dependencies })
}

impl Capture<'_> {
    pub(super) fn raw_info(&self) -> Result<RawInfo> {
        self.record(Symbol::cuStreamGetCaptureInfo_v2, |stream| {
            // SAFETY: the stream is live, and its context is current.
            unsafe { raw_info(stream) }
        })
    }

    /// Returns the number of the capture, and the nodes for which the next node will wait. Wraps `cuStreamGetCaptureInfo`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.3.
    /// - A failure of the capture.
    #[doc(alias = "cuStreamGetCaptureInfo")]
    pub fn info(&self) -> Result<CaptureInfo> {
        let info = self.raw_info()?;
        let mut nodes = self.recording.nodes.borrow_mut();
        let dependencies = info.dependencies.into_iter().map(|node| nodes.name(node)).collect_vec();
        Ok(CaptureInfo { id: info.id, dependencies })
    }

    /// Returns the only node for which the next node of this branch will wait. Wraps `cuStreamGetCaptureInfo`.
    ///
    /// After a call that makes nodes, it is the last of them. At the start of a branch, it is the last node before the
    /// [`fork`](Capture::fork). `None` if there is no such node, or if there are several, as after a `fork`.
    ///
    /// # Errors
    ///
    /// Same as [`info`](Capture::info).
    #[doc(alias = "cuStreamGetCaptureInfo")]
    pub fn last_node(&self) -> Result<Option<AnyNode>> {
        Ok(match self.info()?.dependencies[..] {
            [node] => Some(node),
            _ => None,
        })
    }

    /// Refuses a use of a cell whose node the driver could not name.
    pub(super) fn refuse_unnamed_use(&self) -> Result<()> {
        if self.recording.has_branches.get() && !names_nodes()? {
            let text = "drivers before CUDA 11.3 do not tell the order of branches; use each `HostCell` in a capture without `fork`";
            return Err(Error::invalid("graph", format_args!("{text}")));
        }
        Ok(())
    }

    /// Returns the index of the node that has just used a cell. `None` if the driver does not report it, and the order needs no
    /// nodes.
    pub(super) fn node_of_use(&self) -> Result<Option<u32>> {
        if !names_nodes()? {
            return Ok(None);
        }
        match self.last_node()? {
            Some(node) => Ok(Some(node.index())),
            None => Err(no_node(Symbol::cuStreamGetCaptureInfo_v2)),
        }
    }
}

/// Returns whether the driver names the nodes of a capture.
fn names_nodes() -> Result<bool> {
    Ok(cuda_sys::driver()?.has(Symbol::cuStreamGetCaptureInfo_v2))
}
