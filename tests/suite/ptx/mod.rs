//! Results of PTX instructions, and the kernels of `tests/kernels`, compared with host arithmetic.
//!
//! Expected values come from the host, never from a driver: both drivers are compared with them.

mod approximate;
mod asynchronous;
mod atomics;
mod barriers;
mod calls;
mod clusters;
mod conversions;
mod cooperative;
mod device;
mod families;
mod floats;
mod group_matrices;
mod heap;
mod images;
mod integers;
mod kernels;
mod legacy;
mod matrices;
mod memories;
mod narrow;
mod operation;
mod printing;
mod video;
mod warps;
mod wide;

use device::{Arg, Device};
use operation::{Operation, edges16, edges32, edges64, guards_are_right, numbers, pairs, triples};
