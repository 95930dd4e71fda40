//! Windows of generic addresses for memory other than global memory.

/// First generic address of shared memory. A global address is its own generic address. Device memory starts at 2^48
/// and host memory lies below 2^47, so the windows of the other spaces use the range between them.
pub(crate) const SHARED_WINDOW: u64 = 1 << 47;
/// First generic address of a thread's local memory.
pub(crate) const LOCAL_WINDOW: u64 = (1 << 47) + (1 << 44);
/// First generic address of the parameter space.
pub(crate) const PARAM_WINDOW: u64 = (1 << 47) + (2 << 44);
/// Size of each window.
pub(crate) const WINDOW_SIZE: u64 = 1 << 44;
