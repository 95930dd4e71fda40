//! Options of executable graphs.

use crate::stream::Stream;
use cuda_sys::CUgraphInstantiate_flags as Flags;

/// Options of [`Graph::instantiate`](crate::graph::Graph::instantiate).
#[doc(alias("CUgraphInstantiate_flags", "CUDA_GRAPH_INSTANTIATE_PARAMS"))]
#[derive(Debug, Clone, Copy, Default)]
pub struct InstantiateOptions<'stream> {
    pub(super) flags: u32,
    pub(super) upload: Option<&'stream Stream>,
}

impl<'stream> InstantiateOptions<'stream> {
    /// Returns options without any setting.
    pub fn new() -> InstantiateOptions<'stream> {
        InstantiateOptions::default()
    }

    fn with(self, flag: Flags) -> Self {
        InstantiateOptions { flags: self.flags | flag.0, ..self }
    }

    /// Makes each launch free the memory that earlier launches have allocated and not freed. Since CUDA 11.4.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH")]
    #[must_use]
    pub fn auto_free(self) -> Self {
        self.with(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH)
    }

    /// Makes nodes run with their own priorities, instead of the priority of the launch's stream. Since CUDA 11.7.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY")]
    #[must_use]
    pub fn node_priority(self) -> Self {
        self.with(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY)
    }

    /// Allows kernels to launch the graph. Since CUDA 12.0.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH")]
    #[must_use]
    pub fn device_launch(self) -> Self {
        self.with(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
    }

    /// Uploads the graph on a stream, like [`GraphExec::upload`](crate::graph::GraphExec::upload). Since CUDA 12.0.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD")]
    #[must_use]
    pub fn upload(self, stream: &'stream Stream) -> Self {
        InstantiateOptions { upload: Some(stream), ..self }.with(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD)
    }
}
