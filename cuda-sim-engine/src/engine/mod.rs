//! The interpreter.
//!
//! A warp executes one operation at a time for all lanes that are at the same place; lanes that went different ways are
//! groups that take turns. Everything a block needs to go on is in its data, nothing on the host's stack, so a block
//! can be left at any operation and taken up again.

mod access;
mod arithmetic;
mod asynchronous;
mod atomic;
mod bank;
mod barrier;
mod bits;
mod block;
mod blocks;
mod bytes;
mod clock;
mod collective;
mod constants;
mod convert;
mod elements;
mod execution;
mod filter;
mod float;
mod fragment;
mod gate;
mod grid;
mod gross;
mod halves;
mod image;
mod indirect;
mod integer;
mod interpret;
mod level;
mod matrix;
mod narrow;
mod order;
mod pool;
mod print;
mod quick;
mod rare;
mod registers;
mod sample;
mod schedule;
mod space;
mod srgb;
mod straight;
mod surface;
mod texel;
mod video;
mod warp;

pub use block::Progress;
pub use execution::{Execution, MAX_THREADS};
