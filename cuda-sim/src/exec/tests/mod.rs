//! Kernels run in the engine, and compared with what the host computes.

#![allow(clippy::unwrap_used, clippy::panic)]

mod device;
mod kernels;

use device::{Arg, Device, TARGET};

use super::{Program, memory};
