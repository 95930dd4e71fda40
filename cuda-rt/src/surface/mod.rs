//! Surfaces: images that kernels read and write at texels, without filtering.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`SurfObject`] | a `CUsurfObject`: a surface that kernels take as an argument | `cuSurfObjectDestroy` |
//! | [`SurfRef`] | a `CUsurfref`: a surface that kernels of a module know by name | with its module |
//!
//! A surface reference is a variable of a module, `.global .surfref image;` in PTX, which its kernels name in `suld`, `sust`
//! and `sured`. Like a [texture reference](crate::texture) it is no argument, `surface<>` is gone from CUDA C++ since CUDA
//! 12, PTX and drivers have kept it, and its array may be another device's. The array has to be made with
//! [`SURFACE_LDST`](crate::array::ArrayFlags::SURFACE_LDST). The first coordinate of `suld.b` and `sust.b` counts bytes.
//!
//! Outside of the array, `.clamp` takes the nearest texel and `.zero` nothing. `.trap` ends the kernel with
//! [`IllegalAddress`](crate::error::Code::IllegalAddress), which ends the process's use of the driver.

mod module;
mod object;
mod reference;

pub use object::{SurfHandle, SurfObject};
pub use reference::SurfRef;
