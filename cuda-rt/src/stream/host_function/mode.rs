//! Modes in which the driver waits for host functions.

use cuda_sys::CUhostTaskSyncMode;

/// Mode in which the driver's thread waits for the turn of [host functions](crate::stream#host-functions).
///
/// ```
/// use cuda_rt::stream::HostTaskSyncMode;
///
/// assert_eq!(HostTaskSyncMode::default(), HostTaskSyncMode::Blocking);
/// ```
#[doc(alias = "CUhostTaskSyncMode")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum HostTaskSyncMode {
    /// Sleeping wait of the driver's thread.
    #[default]
    #[doc(alias = "CU_HOST_TASK_BLOCKING")]
    Blocking,
    /// Spinning wait of the driver's thread: functions are called sooner, at the cost of a core.
    #[doc(alias = "CU_HOST_TASK_SPINWAIT")]
    SpinWait,
}

impl HostTaskSyncMode {
    pub(super) fn to_raw(self) -> u32 {
        match self {
            HostTaskSyncMode::Blocking => CUhostTaskSyncMode::CU_HOST_TASK_BLOCKING.0,
            HostTaskSyncMode::SpinWait => CUhostTaskSyncMode::CU_HOST_TASK_SPINWAIT.0,
        }
    }
}
