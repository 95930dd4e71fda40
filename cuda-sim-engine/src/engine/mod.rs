//! The interpreter.
//!
//! A warp executes one operation at a time for all lanes at the same position. Lanes on different paths form groups
//! that take turns. The whole state of a block is in its data, and none of it is on the host's stack. A block can
//! therefore be suspended at any operation.

mod approx_f64;
mod arithmetic;
mod async_copy;
mod atomic;
mod barrier;
mod bit_ops;
mod block;
mod block_compression;
mod clock;
mod cluster;
mod cluster_memory;
mod coalesced_access;
mod cold_ops;
mod constants;
mod convert;
mod device_runtime;
mod element_access;
mod execution;
mod fast_ops;
mod filter;
mod float;
mod fragment;
mod grid;
mod group_multiply;
mod group_products;
mod image;
mod indirect_call;
mod integer;
mod interpret;
mod lane_access;
mod lane_ops;
mod load_store;
mod matrix;
mod mbarrier;
mod memory_backend;
mod narrow_formats;
mod observation;
mod printf;
mod random_order;
mod registers;
mod sample;
mod scattered_access;
mod schedule;
mod simd_level;
mod srgb;
mod stack;
mod surface;
mod tensor_copy;
mod texel;
mod vector_access;
mod video;
mod warp;
mod warp_collective;
mod warp_memory;
mod worker_pool;

pub use block::Progress;
pub use execution::{Execution, MAX_THREADS, SpareBlocks};
