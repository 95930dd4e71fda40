//! A software CUDA driver.

#![deny(unsafe_code)]

// The driver model is what calls these two; until it does, most of them has no caller.
#[allow(dead_code, unused_imports)]
mod exec;
#[allow(dead_code, unused_imports)]
mod ptx;
