//! Properties that only the engine itself can show. The compiler refuses invalid texts with the right messages. A
//! faulting kernel reports its fault and the place of it. No text and no kernel causes a panic.
//!
//! The results of kernels are tested for both drivers in the suite of the workspace.

#![cfg(test)]
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
mod parameters;
mod print;
mod shortcuts;
mod threads;
mod used_bytes;

use device::{Arg, Device, TARGET, launch_to_end, named};

use cuda_sim_engine::Program;
