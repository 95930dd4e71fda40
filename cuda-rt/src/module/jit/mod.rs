//! The driver's compiler and linker: what they are told, and what they say.

mod arguments;
mod log;
mod number;
mod options;

pub(crate) use arguments::JitArguments;
pub use log::JitLog;
pub use number::{JitCacheMode, JitFallback, JitOption, JitTarget};
pub use options::JitOptions;
