//! Devices and contexts.

pub(crate) mod context;
pub(crate) mod context_limits;
pub(crate) mod coredump;
pub(crate) mod dev_resource;
pub(crate) mod device;
pub(crate) mod green_context;
pub(crate) mod notification;
pub(crate) mod peer_access;
pub(crate) mod primary_context;
pub(crate) mod sm_split;
