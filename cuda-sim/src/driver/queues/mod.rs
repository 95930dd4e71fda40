//! Streams: queued work, its order, events, launches and host functions.

pub(crate) mod conditions;
pub(crate) mod default_stream;
pub(crate) mod dependency;
mod descendants;
pub(crate) mod event;
pub(crate) mod host_function;
pub(crate) mod ipc_event;
pub(crate) mod kernel_arguments;
pub(crate) mod launch;
pub(crate) mod launch_attributes;
pub(crate) mod legacy_launch;
pub(crate) mod memory_operation;
pub(crate) mod multi_device_launch;
mod node_queue;
pub(crate) mod order;
pub(crate) mod queue;
pub(crate) mod random_schedule;
mod replay_schedule;
pub(crate) mod semaphore;
pub(crate) mod stream;
pub(crate) mod stream_attributes;
