//! Textures: images that kernels read at coordinates, filtered by hardware.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`TexObject`] | a `CUtexObject`: a texture that kernels take as an argument | `cuTexObjectDestroy` |
//! | [`TexRef`] | a `CUtexref`: a texture that kernels of a module know by name | with its module, or `cuTexRefDestroy` |
//! | [`TextureResource`] | what an object is made of | – |
//! | [`ResourceView`], [`ViewFormat`] | which part of an array it sees, and as what | – |
//! | [`LinearMemory`], [`PitchedMemory`] | memory that a texture reads, with what keeps it | – |
//! | [`AddressMode`], [`FilterMode`], [`TextureFlags`] | how it is read | – |
//!
//! A texture *object* is a number that kernels take as an argument: several kernels can use several of them, and what they are
//! made of never changes. A texture *reference* is a name in a module, and what it is bound to is changed between launches. Both
//! read alike, to the last bit: the example `texture_rotate` draws a picture with each. New programs take objects; programs
//! that are ported keep their references.
//!
#![doc = include_str!("../../docs/texture-references.md")]

mod descriptor;
mod kept;
mod limit;
mod memory;
mod mode;
mod object;
mod reference;
mod resource;
mod slot;
mod texel;
mod view;

pub use descriptor::{TextureDescriptor, TextureFlags};
pub use memory::{LinearMemory, PitchedMemory};
pub use mode::{AddressMode, FilterMode};
pub use object::{TexHandle, TexObject};
pub use reference::{TexRef, TextureOffset};
pub use resource::TextureResource;
pub use view::{ResourceView, ViewFormat};

pub(crate) use kept::Kept;
pub(crate) use reference::if_bound;
pub(crate) use slot::{Binding, Slot, Target};
