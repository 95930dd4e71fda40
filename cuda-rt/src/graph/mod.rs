//! Graphs.

mod access_order;
mod device_memory;
mod edge_data;
mod host_cell;
mod keep;
mod node;
mod numbers;
mod retire;
mod user_object;

pub use device_memory::{GraphMemAttribute, GraphMemUsage};
pub use edge_data::{EdgeData, EdgeType, KernelPort};
pub use host_cell::{HostCell, HostGuard};
pub use keep::{Keep, Kept};
pub use node::{AnyNode, Node};
pub use numbers::{ConditionalType, DotFlags, InstantiateResult, NodeType, UpdateResult};
pub use user_object::UserObject;
