//! How the driver waits for host functions.

use cuda_sys::CUhostTaskSyncMode;

/// How the thread of the driver that calls [host functions](crate::stream#host-functions) waits for them to become due.
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
    /// It sleeps.
    #[default]
    #[doc(alias = "CU_HOST_TASK_BLOCKING")]
    Blocking,
    /// It keeps looking: functions are called sooner, at the cost of a core.
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
