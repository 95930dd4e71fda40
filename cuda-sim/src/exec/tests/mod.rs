//! What only the engine itself can show: what the compiler refuses and in which words, which fault a kernel ends with
//! and where, and that no text and no kernel makes it panic. What kernels compute is tested for both drivers in the
//! suite of the workspace.

#![allow(clippy::unwrap_used, clippy::panic)]

mod compile;
mod device;
mod faults;
mod fuzz;

use device::{Arg, Device, TARGET, named};

use super::Program;
