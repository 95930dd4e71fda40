//! Dependencies between nodes of graphs, as streams and events know them.

use crate::driver::Answer;
use crate::driver::handles::Handle;
use cuda_sys::{CUgraphEdgeData, CUresult};

/// The ports and the type of an edge. All zero for a plain dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct EdgeData {
    pub(crate) from_port: u8,
    pub(crate) to_port: u8,
    pub(crate) kind: u8,
}

impl EdgeData {
    /// Reads the data of an edge as a program gives it. There are two types, and the second has the ports 1 and 2.
    pub(crate) fn of(given: &CUgraphEdgeData) -> Answer<EdgeData> {
        let known = given.from_port <= 2 && given.to_port == 0 && given.type_ <= 1;
        // Kernels that say themselves when they go on have port 1, and a type for it.
        let fits = match given.from_port {
            0 => given.type_ == 0,
            1 => given.type_ == 1,
            _ => true,
        };
        if !known || !fits || given.reserved != [0; 5] {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(EdgeData { from_port: given.from_port, to_port: given.to_port, kind: given.type_ })
    }

    /// Returns the data as the driver API shows it.
    pub(crate) fn shown(self) -> CUgraphEdgeData {
        CUgraphEdgeData {
            from_port: self.from_port,
            to_port: self.to_port,
            type_: self.kind,
            reserved: [0; 5],
        }
    }

    /// Returns whether functions without edge data can show the edge.
    pub(crate) fn is_plain(self) -> bool {
        self == EdgeData::default()
    }
}

/// A node that another node comes after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) node: Handle,
    pub(crate) data: EdgeData,
}

/// Where an event lies in a capture.
#[derive(Clone)]
pub(crate) struct CapturedEvent {
    pub(crate) capture: u64,
    pub(crate) dependencies: Vec<Dependency>,
}
