//! Graphs: captures of streams, nodes and their edges, and executables.

pub(crate) mod capture;
pub(crate) mod capture_entry_points;
mod captured_events;
pub(crate) mod changes;
pub(crate) mod conditional_nodes;
pub(crate) mod dot;
pub(crate) mod edges;
pub(crate) mod executable;
pub(crate) mod generic_nodes;
pub(crate) mod graph;
pub(crate) mod kernel_attributes;
pub(crate) mod kernel_nodes;
pub(crate) mod launching;
pub(crate) mod memory_nodes;
pub(crate) mod memory_operation_nodes;
pub(crate) mod node_entry_points;
pub(crate) mod operation;
pub(crate) mod recapture;
pub(crate) mod semaphore_nodes;
pub(crate) mod topology;
pub(crate) mod user_objects;
