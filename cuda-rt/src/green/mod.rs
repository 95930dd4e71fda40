//! Green contexts: parts of a device for some of the streams of a primary context.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`GreenContext`] | a `CUgreenCtx`: some multiprocessors of a device, for the kernels of its streams | `cuGreenCtxDestroy` |
//! | [`SmResource`] | multiprocessors of a device, which can be split | – |
//! | [`SmSplit`] | the groups of a split, and the remainder | – |
//! | [`SmSplitFlags`], [`SmGroup`], [`SmGroupFlags`] | the way in which multiprocessors are split | – |
//! | [`WorkqueueConfig`], [`WorkqueueScope`] | the number of workloads of a green context that should run at the same time | – |
//! | [`Workqueue`] | the work queues of an existing context | – |
//! | [`DevResource`] | any of these resources | – |
//!
//! A green context belongs to the primary context of its device. It has no memory, modules or events of its own: its
//! [streams](GreenContext::stream) use those of the [primary context](GreenContext::context). Two green contexts can share
//! multiprocessors. Even with disjoint parts, kernels need not run at the same time.
//!
//! Since CUDA 12.4; streams since CUDA 12.5.
//!
//! ```
//! # cuda_sim::install_once();
//! use cuda_rt::green::{GreenContext, SmSplitFlags};
//! use cuda_rt::{Device, DeviceBuf};
//!
//! let all = Device::get(0)?.sm_resource()?;
//! let split = all.split_off(1, 16, SmSplitFlags::DEFAULT)?;
//! let urgent = GreenContext::new(&split.groups[0])?;
//! let rest = GreenContext::new(split.remainder.as_ref().unwrap_or(&all))?;
//!
//! // If the split has a remainder, kernels on these streams do not compete for multiprocessors.
//! let (short, long) = (urgent.stream()?, rest.stream()?);
//! let numbers = DeviceBuf::from_host(&short, &[1, 2, 3])?;
//! long.wait_stream(&short)?;
//! assert_eq!(numbers.to_vec()?, [1, 2, 3]);
//! # Ok::<(), cuda_rt::Error>(())
//! ```

mod green_context;
mod resource;
mod split;
mod workqueue;

pub use green_context::GreenContext;
pub use resource::{DevResource, SmResource};
pub use split::{SmGroup, SmGroupFlags, SmSplit, SmSplitFlags};
pub use workqueue::{Workqueue, WorkqueueConfig, WorkqueueScope};
