//! Work queues, through which submitted work reaches a device.

#![allow(unsafe_code)]

use super::GreenContext;
use super::resource::{Holder, Resource};
use crate::context::Context;
use crate::device::Device;
use crate::error::Result;
use core::fmt;
use cuda_sys::{
    CUdevResource, CUdevResourceType, CUdevWorkqueueConfigResource, CUdevWorkqueueConfigScope as C,
};

/// The contexts that share work queues.
#[doc(alias = "CUdevWorkqueueConfigScope")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WorkqueueScope {
    /// All contexts share all work queues.
    #[doc(alias = "CU_WORKQUEUE_SCOPE_DEVICE_CTX")]
    AllContexts,
    /// Work queues that are separate from those of other green contexts of this scope, if there are enough.
    #[doc(alias = "CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED")]
    GreenContextBalanced,
    /// Another scope, by its number.
    Other(u32),
}

impl WorkqueueScope {
    fn from_raw(scope: C) -> WorkqueueScope {
        match scope {
            C::CU_WORKQUEUE_SCOPE_DEVICE_CTX => WorkqueueScope::AllContexts,
            C::CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED => WorkqueueScope::GreenContextBalanced,
            C(other) => WorkqueueScope::Other(other),
        }
    }

    fn to_raw(self) -> C {
        match self {
            WorkqueueScope::AllContexts => C::CU_WORKQUEUE_SCOPE_DEVICE_CTX,
            WorkqueueScope::GreenContextBalanced => C::CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED,
            WorkqueueScope::Other(other) => C(other),
        }
    }
}

/// A configuration of work queues. Since CUDA 13.1; not run on hardware.
///
/// The value keeps its context or [`GreenContext`] alive, if it has one.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::green::{DevResource, GreenContext, WorkqueueScope};
///
/// let device = Device::get(0)?;
/// let mut resources = vec![DevResource::from(device.sm_resource()?)];
/// if let Ok(config) = device.workqueue_config() {
///     let config = config.with_concurrency_limit(4).with_scope(WorkqueueScope::GreenContextBalanced);
///     resources.push(config.into());
/// }
/// let green = GreenContext::with_resources(&resources)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUdevWorkqueueConfigResource")]
#[derive(Clone)]
pub struct WorkqueueConfig {
    resource: Resource,
    config: CUdevWorkqueueConfigResource,
}

impl WorkqueueConfig {
    pub(super) fn holder(&self) -> &Holder {
        self.resource.holder()
    }

    /// Returns the device.
    pub fn device(&self) -> Device {
        self.resource.device()
    }

    /// Returns the number of workloads, queued on streams, that are expected to run at the same time.
    #[doc(alias = "wqConcurrencyLimit")]
    pub fn concurrency_limit(&self) -> u32 {
        self.config.wqConcurrencyLimit
    }

    /// Sets the number of workloads that are expected to run at the same time.
    ///
    /// The maximum is the limit of the primary context's [configuration](Context::workqueue_config). A larger number is
    /// allowed, but then the driver does not guarantee that submissions of different workloads stay separate.
    #[must_use]
    pub fn with_concurrency_limit(mut self, limit: u32) -> Self {
        self.config.wqConcurrencyLimit = limit;
        self
    }

    /// Returns the contexts that share the work queues.
    #[doc(alias = "sharingScope")]
    pub fn scope(&self) -> WorkqueueScope {
        WorkqueueScope::from_raw(self.config.sharingScope)
    }

    /// Sets the contexts that share the work queues.
    #[must_use]
    pub fn with_scope(mut self, scope: WorkqueueScope) -> Self {
        self.config.sharingScope = scope.to_raw();
        self
    }

    pub(super) fn to_raw(&self) -> CUdevResource {
        // The other fields stay as the driver has set them.
        let mut raw = *self.resource.raw();
        raw.__bindgen_anon_1.wqConfig = self.config;
        raw
    }
}

impl fmt::Debug for WorkqueueConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("WorkqueueConfig")
            .field("device", &self.device())
            .field("concurrency_limit", &self.concurrency_limit())
            .field("scope", &self.scope())
            .finish()
    }
}

/// The work queues of an existing context, for another green context. Since CUDA 13.1; not run on hardware.
///
/// The value keeps its context or [`GreenContext`] alive. So does a green context that is made with the value.
#[doc(alias = "CUdevWorkqueueResource")]
#[derive(Clone)]
pub struct Workqueue(Resource);

impl Workqueue {
    pub(super) fn holder(&self) -> &Holder {
        self.0.holder()
    }

    /// Returns the device.
    pub fn device(&self) -> Device {
        self.0.device()
    }

    pub(super) fn to_raw(&self) -> CUdevResource {
        *self.0.raw()
    }
}

impl fmt::Debug for Workqueue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Workqueue").field(self.0.holder()).finish()
    }
}

impl Holder {
    fn workqueue_config(self) -> Result<WorkqueueConfig> {
        let resource = self.resource(CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG)?;
        // SAFETY: a resource of this type has this member, and numbers may have any value.
        let config = unsafe { resource.raw().__bindgen_anon_1.wqConfig };
        Ok(WorkqueueConfig { resource, config })
    }

    fn workqueue(self) -> Result<Workqueue> {
        self.resource(CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE).map(Workqueue)
    }
}

impl Device {
    /// Returns the default configuration of work queues of a context. Wraps `cuDeviceGetDevResource`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidResourceType`](crate::error::Code::InvalidResourceType): the driver is older than CUDA 13.1.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    #[doc(alias = "cuDeviceGetDevResource")]
    pub fn workqueue_config(self) -> Result<WorkqueueConfig> {
        Holder::Device(self).workqueue_config()
    }
}

impl Context {
    /// Returns the configuration of the context's work queues. Wraps `cuCtxGetDevResource`.
    ///
    /// The [concurrency limit](WorkqueueConfig::concurrency_limit) of a primary context is the maximum. It depends on the
    /// environment variable `CUDA_DEVICE_MAX_CONNECTIONS`.
    ///
    /// # Errors
    ///
    /// Same as [`Device::workqueue_config`], or an earlier failure.
    #[doc(alias = "cuCtxGetDevResource")]
    pub fn workqueue_config(&self) -> Result<WorkqueueConfig> {
        Holder::Context(self.clone()).workqueue_config()
    }

    /// Returns the context's work queues. Wraps `cuCtxGetDevResource`.
    ///
    /// # Errors
    ///
    /// Same as [`Device::workqueue_config`], or an earlier failure.
    #[doc(alias = "cuCtxGetDevResource")]
    pub fn workqueue(&self) -> Result<Workqueue> {
        Holder::Context(self.clone()).workqueue()
    }
}

impl GreenContext {
    /// Returns the configuration of the green context's work queues. Wraps `cuGreenCtxGetDevResource`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidResourceType`](crate::error::Code::InvalidResourceType): the driver is older than CUDA 13.1.
    /// - An earlier failure.
    #[doc(alias = "cuGreenCtxGetDevResource")]
    pub fn workqueue_config(&self) -> Result<WorkqueueConfig> {
        Holder::Green(self.clone()).workqueue_config()
    }

    /// Returns the green context's work queues. Wraps `cuGreenCtxGetDevResource`.
    ///
    /// # Errors
    ///
    /// Same as [`workqueue_config`](GreenContext::workqueue_config).
    #[doc(alias = "cuGreenCtxGetDevResource")]
    pub fn workqueue(&self) -> Result<Workqueue> {
        Holder::Green(self.clone()).workqueue()
    }
}
