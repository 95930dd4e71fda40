//! The NVRTC state of a machine: programs, the outputs that tests give, faults and recorded calls.
//!
//! Below the driver, which keeps one of these for each machine. The functions that programs call are in
//! [`nvrtc`](crate::nvrtc).

mod faults;
mod output;
mod programs;

pub(crate) use faults::NvrtcFaults;
pub use faults::{NvrtcCall, NvrtcFault};
pub use output::{Output, Source};
pub(crate) use programs::{Compiled, Program, Programs};
