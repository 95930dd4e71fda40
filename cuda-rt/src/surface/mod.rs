//! Surfaces: images that kernels read and write at texels, without filtering.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`SurfObject`] | a `CUsurfObject`: a surface that kernels take as an argument | `cuSurfObjectDestroy` |
//! | [`SurfRef`] | a `CUsurfref`: a surface that kernels of a module know by name | with its module |
//!
//! A surface reference is a variable of a module, `.global .surfref image;` in PTX, which its kernels name in `suld`, `sust` and
//! `sured`. Like a [texture reference](crate::texture) it is no argument, and its array may be on another device. CUDA C++ has no
//! `surface<>` since CUDA 12, but PTX and drivers have kept such references. The array must be made with
//! [`SURFACE_LDST`](crate::array::ArrayFlags::SURFACE_LDST). The first coordinate of `suld.b` and `sust.b` counts bytes.
//!
//! Outside of the array, `.clamp` uses the nearest texel. With `.zero`, reads give 0, and writes do nothing. `.trap`
//! ends the kernel with [`IllegalAddress`](crate::error::Code::IllegalAddress), after which the process cannot use the
//! driver any more.

mod module;
mod object;
mod reference;

pub use object::{SurfHandle, SurfObject};
pub use reference::SurfRef;
