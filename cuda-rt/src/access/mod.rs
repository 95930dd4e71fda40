//! Who has access to what: kernels to memory of the host and of other devices, and the host to memory of devices.
mod capabilities;
mod check;
mod classify;
mod decide;
mod error;
mod foreign;
mod kind;
mod memory;
mod origin;
mod place;
mod query;
mod unverified;

pub use capabilities::MemoryCapabilities;
pub use check::{AccessCheck, default_access_check, set_default_access_check};
pub use decide::Access;
pub use error::AccessError;
pub use foreign::ForeignMemory;
pub use kind::MemoryKind;
pub use memory::{Memory, Parts};
pub use origin::{MemoryOrigin, MemoryOwner, OwnerPlace};
pub use place::Place;
pub use query::{access, can_access, memory_kind, recorded_access};
pub use unverified::set_unverified_hook;

pub(crate) use check::{Looked, bare, look_at_launch};
