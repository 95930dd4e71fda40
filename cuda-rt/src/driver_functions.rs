//! The item of this crate for each driver function, by its C name.
//!
//! The table lists all functions that `cuda.h` of CUDA 13.5 declares. Versions of a function (`cuMemAlloc_v2`) are listed under
//! the name without a version. *Since* is the CUDA release that introduced the function. If a row ends a list of items with a
//! number (*4 more*), a search for the C name finds the others. Where a text follows the item, this crate does not call the
//! function: the item does the same work in another way. *Raw*: only [`sys`](crate::sys) has the function. *Not run on hardware*:
//! no test has called the function on hardware, mostly because it is newer than the available driver. Tests call such functions
//! on the software driver.
#![doc = include_str!("../docs/driver-functions.md")]
