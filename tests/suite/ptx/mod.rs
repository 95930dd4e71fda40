//! What PTX instructions compute, and the kernels of `tests/kernels`, compared with host arithmetic.
//!
//! Expected values come from the host, never from a driver: both drivers are judged by them.

mod approximate;
mod atomics;
mod barriers;
mod calls;
mod conversions;
mod device;
mod floats;
mod integers;
mod kernels;
mod memories;
mod operation;
mod warps;

use device::{Arg, Device};
use operation::{Operation, edges16, edges32, edges64, guards_are_right, numbers, pairs, triples};
