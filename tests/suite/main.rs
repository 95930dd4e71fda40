//! How the driver API behaves through cuda-rt, on whichever driver `CUDA_DRIVER` names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod context;
mod device;
mod entry_point;
mod errors;
mod event;
mod kernel;
mod link;
mod memory;
mod module;
mod pending;
mod ptx;
mod raw;
mod stream;
mod version;
