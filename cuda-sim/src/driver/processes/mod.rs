//! IPC, children of forks, checkpoints, and the log of refusals.

pub(crate) mod checkpoint;
pub(crate) mod error_log;
pub(crate) mod fork;
pub(crate) mod ipc;
pub(crate) mod lasting_strings;
