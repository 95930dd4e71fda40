//! Options and messages of the driver's compiler and linker.

mod arguments;
mod log;
mod number;
mod options;

pub(crate) use arguments::JitArguments;
pub use log::JitLog;
pub use number::{JitCacheMode, JitFallback, JitOption, JitTarget};
pub use options::JitOptions;
