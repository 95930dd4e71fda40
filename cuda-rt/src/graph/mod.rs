//! Graphs.

mod access_order;
mod device_memory;
mod edge_data;
mod numbers;
mod user_object;

pub use device_memory::{GraphMemAttribute, GraphMemUsage};
pub use edge_data::{EdgeData, EdgeType, KernelPort};
pub use numbers::{ConditionalType, DotFlags, InstantiateResult, NodeType, UpdateResult};
pub use user_object::UserObject;
