//! What `cargo build --features regenerate` wrote. Nothing here is edited by hand.

mod functions;
#[cfg(feature = "nvrtc")]
pub(crate) mod nvrtc;
mod types;

pub use types::*;
