//! What only the engine itself can show: what the compiler refuses and in which words, which fault a kernel ends with
//! and where, and that no text and no kernel makes it panic. What kernels compute is tested for both drivers in the
//! suite of the workspace.

#![allow(clippy::unwrap_used, clippy::panic)]

mod accesses;
mod clock;
mod clusters;
mod compile;
mod device;
mod execution;
mod faults;
mod fuzz;
mod images;
mod legacy;
mod levels;
mod link;
mod local_atomics;
mod print;
mod threads;

use device::{Arg, Device, TARGET, launch_to_end, named};

use cuda_sim_engine::Program;
