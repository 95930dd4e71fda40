//! IPC, the children of forks, and what the driver tells of the process.

pub(crate) mod checkpoint;
pub(crate) mod error_log;
pub(crate) mod fork;
pub(crate) mod ipc;
pub(crate) mod lasting_strings;
