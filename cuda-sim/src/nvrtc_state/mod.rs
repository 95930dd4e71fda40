//! The NVRTC state of a machine: programs, the outputs that tests provide, faults and recorded calls.
//!
//! This module is below the driver, which has one state for each machine. The functions that programs call are in
//! [`nvrtc`](crate::nvrtc).

mod faults;
mod output;
mod programs;

pub(crate) use faults::NvrtcFaults;
pub use faults::{NvrtcCall, NvrtcFault};
pub use output::{Output, Source};
pub(crate) use programs::{Compiled, Program, Programs};
