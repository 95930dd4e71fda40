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
//! # Ok::<(), cuda_sys::AlreadyInstalled>(())
//! ```
//!
//! # What there is
//!
//! Devices, contexts and their stacks, streams and events, device memory and page-locked memory, copies
//! and fills, modules from PTX, kernel launches. Work is done at once, when it is queued, in the thread
//! that queues it; times between events are those of a virtual clock.
//!
//! # What there is not
//!
//! Graph capture, memory pools beyond the default one, managed memory, arrays, textures and surfaces,
//! peer access, cubins, and more. Kernels may use PTX instructions that the engine lacks; launching them
//! returns `CUDA_ERROR_NOT_SUPPORTED`, and the instruction and its line are named on the standard error.

#![deny(unsafe_code)]

mod config;
mod driver;
mod exec;
mod ptx;

pub use config::{Config, Profile};
pub use driver::{install, install_once, install_unless_gpu, resolve};
