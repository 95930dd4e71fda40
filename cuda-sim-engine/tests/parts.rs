//! The unit tests of parts of the engine, compiled without the rest.

#![allow(dead_code, unreachable_pub, missing_docs)] // only what the unit tests use is used

#[path = "../src/memory.rs"]
mod memory;
#[path = "../src/number/mod.rs"]
mod number;
#[path = "../src/engine/random_order.rs"]
mod random_order;
#[path = "../src/tensor_map.rs"]
mod tensor_map;
