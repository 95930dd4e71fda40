//! GPUDirect RDMA: writes of other PCI devices.

#![allow(unsafe_code)]

use super::Context;
use crate::error::Result;
use cuda_sys::{
    CUflushGPUDirectRDMAWritesScope_enum as CScope, CUflushGPUDirectRDMAWritesTarget_enum as Target, Symbol,
};

/// Readers for which [`Context::flush_remote_writes`] makes writes visible.
///
/// ```
/// use cuda_rt::context::RemoteWritesScope;
///
/// assert_ne!(RemoteWritesScope::Owner, RemoteWritesScope::AllDevices);
/// ```
#[doc(alias = "CUflushGPUDirectRDMAWritesScope")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RemoteWritesScope {
    /// The context that owns the written memory.
    #[doc(alias = "CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER")]
    Owner,
    /// All contexts of all devices.
    #[doc(alias = "CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES")]
    AllDevices,
}

impl Context {
    /// Makes GPUDirect RDMA writes to the context's memory visible: writes of other PCI devices,
    /// for example of a network card. Wraps `cuFlushGPUDirectRDMAWrites`.
    ///
    /// The call is needless if the device's [`GPU_DIRECT_RDMA_WRITES_ORDERING`] covers `scope`.
    ///
    /// [`GPU_DIRECT_RDMA_WRITES_ORDERING`]:
    ///     crate::device::DeviceAttribute::GPU_DIRECT_RDMA_WRITES_ORDERING
    ///
    /// # Blocking
    ///
    /// Until the writes are visible.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.3.
    /// - [`Code::NotSupported`](crate::error::Code::NotSupported): the device does not support the call.
    ///   Then bit 0 of its [`GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS`] is 0.
    /// - An earlier failure.
    ///
    /// [`GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS`]:
    ///     crate::device::DeviceAttribute::GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let context = cuda_doc::context()?;
    /// context.flush_remote_writes(cuda_rt::context::RemoteWritesScope::Owner)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFlushGPUDirectRDMAWrites")]
    pub fn flush_remote_writes(&self, scope: RemoteWritesScope) -> Result<()> {
        let _bound = self.bind(Symbol::cuFlushGPUDirectRDMAWrites)?;
        let scope = match scope {
            RemoteWritesScope::Owner => CScope::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER,
            RemoteWritesScope::AllDevices => CScope::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES,
        };
        let target = Target::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX;
        // SAFETY: the context is current.
        unsafe { check!(cuFlushGPUDirectRDMAWrites(target, scope)) }
    }
}
