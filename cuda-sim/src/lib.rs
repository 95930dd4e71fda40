//! A software CUDA driver: the driver API in host memory, with an engine that runs PTX.
//!
//! It takes the real driver's place behind [`cuda_sys`], so that programs and tests run on machines
//! without a GPU. It is meant to answer as hardware does: what it answers was read off real devices where
//! that could be done, and a function that it does not have yet returns
//! [`CUDA_ERROR_NOT_SUPPORTED`](cuda_sys::cudaError_enum::CUDA_ERROR_NOT_SUPPORTED) and says so on the
//! standard error.
//!
//! ```
//! use cuda_sys::{CUresult, cuDeviceGetCount, cuInit};
//!
//! cuda_sim::install(cuda_sim::Config::default())?;
//! let mut count = 0;
//! // SAFETY: no flags, as the API demands.
//! assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
//! // SAFETY: `count` is valid for a write.
//! assert_eq!(unsafe { cuDeviceGetCount(&mut count) }, CUresult::CUDA_SUCCESS);
//! assert_eq!(count, 2);
//! # Ok::<(), cuda_sim::InstallError>(())
//! ```
//!
//! # What there is
//!
//! Devices, contexts and their stacks, streams, events and callbacks, device memory and page-locked memory, arrays,
//! copies and fills, texture and surface references and objects, modules and libraries from PTX, kernel launches,
//! peer access, functions by name.
//!
//! [`Config`] says what the machine is like: how many devices there are and [which](Profile), how they are
//! [connected](Peers), and which CUDA release the driver poses as. Others than the machine of the process can be made:
//! see [`Machine`], which is also where failures of [calls](FaultRule) and of [kernels](KernelFault) are ordered, calls
//! recorded, and [what is left](LiveHandles) is counted.
//!
//! # When work is done
//!
//! Streams are queues, and [`Schedule`] says when what is queued is done: normally before the call returns that queued
//! it, and in the background if it takes long; or only when something waits for it; or in an order that a seed decides.
//! Its table tells which schedule finds which forgotten wait. Work that uses stream-ordered memory after it was freed
//! [faults](FreedPoolMemory). Times between events are those of a virtual clock, so that they are the same on every run.
//!
//! All state of a machine is behind one lock. Kernels run on several threads of the host, but one after another.
//!
//! # Other processes
//!
//! On Linux, processes share device memory and events by handles (`cuIpcGetMemHandle` and its like), each with a machine of
//! its own, if they run as the same user. Devices are the same if they have the same place in their machines. Work waits
//! for what another process records, whatever the schedules of both are. Memory that is opened does not count as memory in
//! use, and its bytes stay where they are, whatever becomes of the process that has allocated it. What kernels of two
//! processes do at the same time is not ordered, not even by atomic operations.
//!
//! # Testing error paths
//!
//! A [`sweep`] runs a scenario once for each of its calls and each code that CUDA documents for the call, and looks at what is
//! left. With the feature `nvrtc` there is a stand-in for NVRTC, whose calls fail in the same way: the module `nvrtc`.
//!
//! # Differences from hardware
//!
//! - *Memory.* A device reports its profile's memory, and gives out [`Config::memory_bytes`] of it: 4 GiB by default, since it
//!   comes from the host. If an allocation fails for that reason, the standard error says so once.
//! - *Registers.* The number of registers of a kernel (`CU_FUNC_ATTRIBUTE_NUM_REGS`) is an estimate from its PTX, and not the
//!   work of `ptxas`. Occupancy differs where registers limit it: `cuOccupancy*` may give more or fewer blocks than hardware.
//!   A program that picks kernels or sizes of blocks by occupancy may pick others. Where threads, blocks or shared memory
//!   limit occupancy, the answers are as measured on an H200.
//! - *Speed.* In a debug build the engine is unoptimised; the
//!   [README](https://docs.rs/crate/cuda-sim/latest) has the lines that optimise it, with what they cost.
//!
//! # What there is not
//!
//! Graph capture, machine code (cubins; of fat binaries the PTX in them is taken),
//! linking of anything but PTX, and more. Kernels may use PTX instructions that the
//! engine lacks; launching them returns `CUDA_ERROR_NOT_SUPPORTED`, and the instruction and its line are named on the
//! standard error. What is only found while a kernel runs, as a texture that is read by an instruction for another kind, is told
//! by the next call, and ends the context as a fault does. `conformance/families.tsv` in the repository lists the families of instructions that it has.
//!
//! # What kernels print
//!
//! What kernels print with `printf` is written to the standard output when the program waits for something.

#![deny(unsafe_code)]

mod config;
mod counts;

mod driver;
mod exec;
mod faults;
mod generated;
mod live;
#[cfg(feature = "nvrtc")]
pub mod nvrtc;
mod ptx;
pub mod sweep;

pub use config::{
    Config, ConfigError, DirectedLink, FreedPoolMemory, HandleReuse, PeerLink, Peers, Profile, Schedule,
};

pub use counts::{KernelCount, LaunchCounts};
pub use driver::{
    Entered, InstallError, Machine, documented_codes, install, install_once, install_unless_gpu,
    internal_errors, resolve,
};
#[doc(hidden)]
pub use driver::{first_versions, lacks, per_thread, print_with};
pub use faults::{CallRecord, FaultRule, KernelFault};
pub use live::LiveHandles;
