//! Captured streams, and graphs that are made, launched and changed, on the driver that `CUDA_DRIVER` names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod capture;
mod conditions;
mod context_ends;
mod edges;
mod executables;
mod graph_memory;
mod host_cells;
mod keep_alive;
mod launch_order;
mod long_run;
mod node_kinds;
mod node_params;
mod node_setters;
mod nodes;
mod random_programs;
mod random_shapes;
mod raw_capture;
mod raw_conditions;
mod raw_executables;
mod raw_memory_operations;
mod raw_nodes;
mod raw_schedules;
mod raw_setup;
mod raw_user_objects;
mod recapture;
mod setup;
mod user_objects;
