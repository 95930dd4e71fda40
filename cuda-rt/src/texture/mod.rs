//! Textures: images that kernels read at coordinates, filtered by hardware.

mod descriptor;
mod kept;
mod memory;
mod mode;

pub use descriptor::{TextureDescriptor, TextureFlags};
pub use memory::{LinearMemory, PitchedMemory};
pub use mode::{AddressMode, FilterMode};

pub(crate) use kept::{Kept, Resource};
