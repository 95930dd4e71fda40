//! What `cargo build --features regenerate` wrote. Nothing here is edited by hand, but for this file.

mod driver_calls;
#[cfg(feature = "egl")]
mod egl_calls;
#[cfg(feature = "egl")]
mod egl_types;
pub mod enumerators;
mod functions;
#[cfg(feature = "gl")]
mod gl_calls;
#[cfg(feature = "gl")]
mod gl_types;
#[cfg(feature = "nvrtc")]
pub(crate) mod nvrtc;
#[cfg(feature = "ptds")]
mod per_thread_calls;
pub(crate) mod types;
#[cfg(feature = "vdpau")]
mod vdpau_calls;
#[cfg(feature = "vdpau")]
mod vdpau_types;

pub use driver_calls::*;
#[cfg(feature = "egl")]
pub use egl_calls::*;
#[cfg(feature = "egl")]
pub use egl_types::*;
#[cfg(feature = "gl")]
pub use gl_calls::*;
#[cfg(feature = "gl")]
pub use gl_types::*;
#[cfg(feature = "ptds")]
pub use per_thread_calls::*;
pub use types::*;
#[cfg(feature = "vdpau")]
pub use vdpau_calls::*;
#[cfg(feature = "vdpau")]
pub use vdpau_types::*;
