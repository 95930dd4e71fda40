//! Options of captures.

use cuda_sys::CUstreamCaptureMode;

/// Mode of a capture: the calls that other threads and this one may make meanwhile.
///
/// The mode concerns calls that could wait for work that is only recorded. Examples are allocating and freeing memory,
/// unloading a module, and querying a stream or an event.
#[doc(alias = "CUstreamCaptureMode")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CaptureMode {
    /// All calls are allowed, except `cuCtxSynchronize` of other code, and a
    /// [`Context::synchronize`](crate::Context::synchronize) that another thread begins at the same moment.
    #[doc(alias = "CU_STREAM_CAPTURE_MODE_RELAXED")]
    #[default]
    Relaxed,
    /// The thread of the capture must not make such calls: the driver refuses them. The failure invalidates the capture.
    #[doc(alias = "CU_STREAM_CAPTURE_MODE_THREAD_LOCAL")]
    ThreadLocal,
    /// No thread may make such calls. If another thread drops a value at the moment when the capture begins, it can invalidate
    /// the capture: the release may come before this crate knows of the capture.
    #[doc(alias = "CU_STREAM_CAPTURE_MODE_GLOBAL")]
    Global,
}

impl CaptureMode {
    pub(super) fn to_raw(self) -> CUstreamCaptureMode {
        match self {
            CaptureMode::Relaxed => CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED,
            CaptureMode::ThreadLocal => CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
            CaptureMode::Global => CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL,
        }
    }
}

/// Options of [`Graph::capture`](crate::graph::Graph::capture).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CaptureOptions {
    pub(super) mode: CaptureMode,
    pub(super) priority: i32,
}

impl CaptureOptions {
    /// Returns options with the mode [`Relaxed`](CaptureMode::Relaxed), and the default priority.
    pub fn new() -> CaptureOptions {
        CaptureOptions::default()
    }

    /// Sets the mode.
    #[must_use]
    pub fn mode(self, mode: CaptureMode) -> CaptureOptions {
        CaptureOptions { mode, ..self }
    }

    /// Sets the priority of kernel nodes: lower numbers go first. The executable graph must
    /// [use](crate::graph::InstantiateOptions::node_priority) it. The driver moves a priority outside
    /// [`Context::stream_priority_range`](crate::Context::stream_priority_range) to the nearest one inside.
    #[must_use]
    pub fn priority(self, priority: i32) -> CaptureOptions {
        CaptureOptions { priority, ..self }
    }
}
