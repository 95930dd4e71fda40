//! Streams: queued work, its order, events, launches and host functions.

pub(crate) mod default_stream;
pub(crate) mod event;
pub(crate) mod host_function;
pub(crate) mod ipc_event;
pub(crate) mod launch;
pub(crate) mod launch_attributes;
pub(crate) mod legacy_launch;
pub(crate) mod memory_operation;
pub(crate) mod queue;
pub(crate) mod random_schedule;
pub(crate) mod stream;
pub(crate) mod stream_attributes;
