//! Graphs: work that is described once, and launched many times.

mod capture;
mod executable;
#[allow(clippy::module_inception)]
mod graph;
mod host_cell;
mod host_node;
mod keep;
mod node;
mod retire;
mod source;

pub use capture::{
    Capture, CaptureDestination, CaptureEvent, CaptureInfo, CaptureMode, CaptureOptions, CaptureSource,
    GraphMem,
};
pub use executable::{
    GraphExec, InstantiateFailure, InstantiateOptions, InstantiateReason, UpdateReason, UpdateRefused,
};
pub use graph::Graph;
pub use host_cell::{HostCell, HostGuard};
pub use keep::Keep;
pub use node::{AnyNode, Node};
