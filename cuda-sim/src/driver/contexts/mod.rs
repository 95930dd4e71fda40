//! Devices and contexts.

pub(crate) mod context;
pub(crate) mod context_limits;
pub(crate) mod device;
pub(crate) mod notification;
pub(crate) mod peer_access;
pub(crate) mod primary_context;
