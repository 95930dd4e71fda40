//! What `cargo build --features regenerate` wrote. Nothing here is edited by hand.

mod functions;
mod types;

pub use types::*;
