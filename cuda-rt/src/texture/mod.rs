//! Textures: images that kernels read at coordinates, filtered by hardware.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`TexObject`] | a `CUtexObject`: a texture that kernels take as an argument | `cuTexObjectDestroy` |
//! | [`TexRef`] | a `CUtexref`: a texture that kernels of a module know by name | with its module, or `cuTexRefDestroy` |
//! | [`TextureResource`] | the array or memory of an object | – |
//! | [`ResourceView`], [`ViewFormat`] | the part of an array that an object reads, and its format | – |
//! | [`LinearMemory`], [`PitchedMemory`] | memory that a texture reads, with a value that keeps it alive | – |
//! | [`AddressMode`], [`FilterMode`], [`TextureFlags`] | settings of a texture | – |
//!
//! A texture *object* is a number that kernels take as an argument. Several kernels can use several objects, and the resource of
//! an object never changes. A texture *reference* is a name in a module, and its binding is changed between launches. Both read
//! alike, to the last bit: the example `19_texture_rotate` draws a picture with each. Use objects in new programs;
//! ported programs can keep their references.
//!
//! | CUDA C++ | PTX, for four numbers | array, and settings |
//! |---|---|---|
//! | `tex1D`, `tex2D`, `tex3D` | `tex.1d.v4.f32.f32 {..}, [t, {x}]`, `tex.2d` with `{x, y}`, `tex.3d` with `{x, y, z, z}` | [`line`](crate::array::ArrayDescriptor::line), [`plane`](crate::array::ArrayDescriptor::plane), [`volume`](crate::array::ArrayDescriptor::volume) |
//! | `tex2DLayered` | `tex.a2d.v4.f32.f32 {..}, [t, {layer, x, y, y}]`, the layer a `.b32` | [`layered_plane`](crate::array::ArrayDescriptor::layered_plane) |
//! | `texCubemap` | `tex.cube.v4.f32.f32 {..}, [t, {x, y, z, z}]`, a direction | [`cubemap`](crate::array::ArrayDescriptor::cubemap) |
//! | `tex2DLod` | `tex.level.2d.v4.f32.f32 {..}, [t, {x, y}], level` | [`MipmappedArray`](crate::array::MipmappedArray); [`NORMALIZED_COORDINATES`](TextureFlags::NORMALIZED_COORDINATES), and the greatest [level](TextureDescriptor::mipmap_level_clamp) |
//! | `tex2Dgather` | `tld4.r.2d.v4.f32.f32 {..}, [t, {x, y}]` | [`plane`](crate::array::ArrayDescriptor::plane) with [`gather`](crate::array::ArrayDescriptor::gather) |
//! | `tex1Dfetch` | `tex.1d.v4.f32.s32 {..}, [t, {i}]` | [`LinearMemory`] |
#![doc = include_str!("../../docs/texture-references.md")]

mod binding_slot;
mod descriptor;
mod device;
mod limit;
mod memory;
mod mode;
mod module;
mod object;
mod reference;
mod resource;
mod retained;
mod texel;
mod view;

pub use descriptor::{TextureDescriptor, TextureFlags};
pub use memory::{LinearMemory, PitchedMemory};
pub use mode::{AddressMode, FilterMode};
pub use object::{TexHandle, TexObject};
pub use reference::{TexRef, TextureOffset};
pub use resource::TextureResource;
pub use view::{ResourceView, ViewFormat};

pub(crate) use binding_slot::{Binding, BindingSlot, Target};
pub(crate) use reference::if_bound;
pub(crate) use retained::RetainedResource;
