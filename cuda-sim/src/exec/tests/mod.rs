//! Kernels run in the engine, and compared with what the host computes.
//!
//! Expected values come from host arithmetic written for the test, never from the engine, so that the same kernels can
//! be run on hardware.

#![allow(clippy::unwrap_used, clippy::panic)]

mod approximate;
mod atomics;
mod barriers;
mod calls;
mod compile;
mod conversions;
mod device;
mod faults;
mod floats;
mod fuzz;
mod integers;
mod kernels;
mod memories;
mod operation;
mod warps;

use device::{Arg, Device, TARGET};

use super::Program;
use operation::{Operation, edges16, edges32, edges64, numbers, pairs, triples};
