//! The interpreter.
//!
//! A warp executes one operation at a time for all lanes that are at the same place; lanes that went different ways are
//! groups that take turns. Everything a block needs to go on is in its data, nothing on the host's stack, so a block
//! can be left at any operation and taken up again.

mod access;
mod arithmetic;
mod atomic;
mod bank;
mod barrier;
mod bits;
mod block;
mod collective;
mod constants;
mod convert;
mod float;
mod grid;
mod integer;
mod interpret;
mod registers;
mod shared;
mod space;
mod straight;
mod warp;

pub(crate) use grid::launch;
