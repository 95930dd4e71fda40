//! IPC, and the children of forks.

pub(crate) mod fork;
pub(crate) mod ipc;
pub(crate) mod lasting_strings;
