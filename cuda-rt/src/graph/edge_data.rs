//! Data of edges: the condition for which the second node of an edge waits.

use cuda_sys::{
    CU_GRAPH_KERNEL_NODE_PORT_DEFAULT, CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER,
    CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC, CUgraphEdgeData,
};

/// The type of an edge: any number that some driver knows.
///
/// ```
/// use cuda_rt::graph::EdgeType;
///
/// assert_eq!(EdgeType::PROGRAMMATIC.to_string(), "PROGRAMMATIC");
/// ```
#[doc(alias = "CUgraphDependencyType")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeType(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/edge_type.rs");

/// The point of a kernel node at which an edge begins.
///
/// ```
/// use cuda_rt::graph::KernelPort;
///
/// assert_eq!(KernelPort::DEFAULT, KernelPort(0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct KernelPort(pub u8);

impl KernelPort {
    /// The end of the kernel.
    #[doc(alias = "CU_GRAPH_KERNEL_NODE_PORT_DEFAULT")]
    pub const DEFAULT: Self = Self(CU_GRAPH_KERNEL_NODE_PORT_DEFAULT as u8);
    /// The time when each block has executed `griddepcontrol.launch_dependents` or has ended.
    #[doc(alias = "CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC")]
    pub const PROGRAMMATIC: Self = Self(CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC as u8);
    /// The time when all blocks have begun.
    #[doc(alias = "CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER")]
    pub const LAUNCH_ORDER: Self = Self(CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER as u8);
}

/// Data of an edge: its type, and the points of the two nodes that it joins. From CUDA 12.3 on.
///
/// The default is a full dependency, which all drivers have.
///
/// ```
/// use cuda_rt::graph::{EdgeData, EdgeType, KernelPort};
///
/// assert_eq!(EdgeData::default(), EdgeData::new());
/// assert_eq!(EdgeData::programmatic().edge_type(), EdgeType::PROGRAMMATIC);
/// assert_eq!(EdgeData::programmatic().from_port(), KernelPort::PROGRAMMATIC);
/// ```
#[doc(alias = "CUgraphEdgeData")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EdgeData {
    edge_type: EdgeType,
    from_port: KernelPort,
    to_port: u8,
}

impl Default for EdgeData {
    fn default() -> Self {
        Self::new()
    }
}

impl EdgeData {
    /// Returns the data of a full dependency.
    pub const fn new() -> Self {
        EdgeData { edge_type: EdgeType::DEFAULT, from_port: KernelPort::DEFAULT, to_port: 0 }
    }

    /// Returns the data of a programmatic dependency between two kernel nodes.
    ///
    /// The second kernel may begin when each block of the first has executed `griddepcontrol.launch_dependents` or has
    /// ended. From compute capability 9.0 on.
    pub const fn programmatic() -> Self {
        EdgeData { edge_type: EdgeType::PROGRAMMATIC, from_port: KernelPort::PROGRAMMATIC, to_port: 0 }
    }

    /// Returns the data of a programmatic dependency on the start of all blocks of the first kernel.
    pub const fn launch_order() -> Self {
        EdgeData { edge_type: EdgeType::PROGRAMMATIC, from_port: KernelPort::LAUNCH_ORDER, to_port: 0 }
    }

    /// Returns data of any type and ports. The driver refuses combinations that it does not know.
    pub const fn from_parts(edge_type: EdgeType, from_port: KernelPort, to_port: u8) -> Self {
        EdgeData { edge_type, from_port, to_port }
    }

    /// Returns the type.
    pub const fn edge_type(self) -> EdgeType {
        self.edge_type
    }

    /// Returns the point of the first node.
    pub const fn from_port(self) -> KernelPort {
        self.from_port
    }

    /// Returns the point of the second node. No driver has defined other values than 0 so far.
    pub const fn to_port(self) -> u8 {
        self.to_port
    }

    /// Returns whether the second node begins only after the first has ended and its writes are visible.
    pub fn is_full(self) -> bool {
        self == Self::new()
    }

    /// Returns the data in the driver's form.
    pub(crate) fn to_raw(self) -> CUgraphEdgeData {
        CUgraphEdgeData {
            from_port: self.from_port.0,
            to_port: self.to_port,
            // The field has 8 bits. A type beyond them becomes one that no driver knows.
            type_: u8::try_from(self.edge_type.0).unwrap_or(u8::MAX),
            ..CUgraphEdgeData::default()
        }
    }

    /// Makes the data from the driver's form.
    pub(crate) fn of_raw(raw: CUgraphEdgeData) -> Self {
        EdgeData {
            edge_type: EdgeType(raw.type_.into()),
            from_port: KernelPort(raw.from_port),
            to_port: raw.to_port,
        }
    }
}
