//! How the driver captures streams, and makes, launches and changes graphs, on whichever driver `CUDA_DRIVER` names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod raw_capture;
mod raw_conditions;
mod raw_executables;
mod raw_memory_operations;
mod raw_nodes;
mod raw_schedules;
mod raw_setup;
mod raw_user_objects;
