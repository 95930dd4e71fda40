//! Dependencies between nodes of graphs, for streams and events.

use crate::driver::Answer;
use crate::driver::handles::Handle;
use cuda_sys::{CUgraphEdgeData, CUresult};

/// Ports and type of an edge. All zero for a plain dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct EdgeData {
    pub(crate) from_port: u8,
    pub(crate) to_port: u8,
    pub(crate) kind: u8,
}

impl EdgeData {
    /// Reads the data of an edge that a program passes. There are two types. The second has the ports 1 and 2.
    pub(crate) fn of(given: &CUgraphEdgeData) -> Answer<EdgeData> {
        let known = given.from_port <= 2 && given.to_port == 0 && given.type_ <= 1;
        // Kernels that trigger their dependents themselves have port 1, and a type for it.
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

    /// Returns the data in the form of the driver API.
    pub(crate) fn shown(self) -> CUgraphEdgeData {
        CUgraphEdgeData {
            from_port: self.from_port,
            to_port: self.to_port,
            type_: self.kind,
            reserved: [0; 5],
        }
    }

    /// Returns whether functions without edge data can report the edge.
    pub(crate) fn is_plain(self) -> bool {
        self == EdgeData::default()
    }
}

/// Node that another node depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) node: Handle,
    pub(crate) data: EdgeData,
}

/// Position of an event in a capture.
#[derive(Clone)]
pub(crate) struct CapturedEvent {
    pub(crate) capture: u64,
    pub(crate) dependencies: Vec<Dependency>,
}
