//! From the C name of a driver function to the item that does its work.
//!
//! The table has all functions that `cuda.h` of CUDA 13.5 declares. Versions of a function (`cuMemAlloc_v2`) stand for it. Where a
//! text follows the item, the function is not called: the item does its work in another way. *Raw*: only [`sys`](crate::sys) has the
//! function. *Not run on hardware*: no driver at hand has the function. It was run on the software driver.
#![doc = include_str!("../docs/driver-functions.md")]
