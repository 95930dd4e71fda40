//! Attributes of streams, which the kernels on them inherit.

#![allow(unsafe_code)]

use super::{AccessPolicyWindow, AccessProperty, MemSyncDomain};
use crate::context::different_contexts;
use crate::device::DeviceAttribute;
use crate::error::{Code, OrDetail, Result};
use crate::memory::DevicePtr;
use crate::stream::{Stream, call_on};
use core::ffi::c_void;
use core::ptr::with_exposed_provenance_mut;
use cuda_sys::{
    CUaccessPolicyWindow, CUaccessProperty_enum as CAccess, CUlaunchAttributeID_enum as Id,
    CUlaunchMemSyncDomain_enum as CDomain, CUlaunchMemSyncDomainMap, CUstreamAttrID, CUstreamAttrValue,
    CUsynchronizationPolicy_enum as CPolicy, Symbol,
};

/// Way in which a thread waits for a stream.
///
/// ```
/// use cuda_rt::launch::SynchronizationPolicy;
///
/// assert_eq!(SynchronizationPolicy::BLOCKING_SYNC.to_string(), "BLOCKING_SYNC");
/// ```
#[doc(alias = "CUsynchronizationPolicy")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SynchronizationPolicy(pub u32);

impl SynchronizationPolicy {
    /// Policy of the context.
    #[doc(alias = "CU_SYNC_POLICY_AUTO")]
    pub const AUTO: Self = Self(CPolicy::CU_SYNC_POLICY_AUTO.0);
    /// Spinning wait of the calling thread.
    #[doc(alias = "CU_SYNC_POLICY_SPIN")]
    pub const SPIN: Self = Self(CPolicy::CU_SYNC_POLICY_SPIN.0);
    /// Spinning wait that yields to other threads.
    #[doc(alias = "CU_SYNC_POLICY_YIELD")]
    pub const YIELD: Self = Self(CPolicy::CU_SYNC_POLICY_YIELD.0);
    /// Sleeping wait of the calling thread.
    #[doc(alias = "CU_SYNC_POLICY_BLOCKING_SYNC")]
    pub const BLOCKING_SYNC: Self = Self(CPolicy::CU_SYNC_POLICY_BLOCKING_SYNC.0);
}

numbers! { SynchronizationPolicy: AUTO SPIN YIELD BLOCKING_SYNC }

impl Stream {
    /// Reads an attribute.
    fn attribute(&self, id: CUstreamAttrID) -> Result<CUstreamAttrValue> {
        let mut value = CUstreamAttrValue { pad: [0; 64] };
        let place = &raw mut value;
        call_on(self, Symbol::cuStreamGetAttribute, || {
            // SAFETY: the stream is live, and the place valid for a write of the value.
            unsafe { check!(cuStreamGetAttribute(self.raw(), id, place)) }
        })
        .or_detail(&[Code::InvalidValue], &|| {
            format!("the driver does not know the attribute {} of streams", name(id))
        })?;
        Ok(value)
    }

    /// Sets an attribute to the value that `described` returns as a text.
    fn set_attribute(
        &self,
        id: CUstreamAttrID,
        described: &dyn Fn() -> String,
        set: impl FnOnce(&mut CUstreamAttrValue),
    ) -> Result<()> {
        let mut value = CUstreamAttrValue { pad: [0; 64] };
        set(&mut value);
        let value = &raw const value;
        call_on(self, Symbol::cuStreamSetAttribute, || {
            // SAFETY: the stream is live, and the value valid for a read.
            unsafe { check!(cuStreamSetAttribute(self.raw(), id, value)) }
        })
        .or_detail(&[Code::InvalidValue], &|| format!("attribute {} of streams: {}", name(id), described()))
    }

    /// Returns the window of memory that kernels of the stream keep in the level-2 cache. Wraps `cuStreamGetAttribute`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// assert_eq!(stream.access_policy_window()?.bytes, 0); // none
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamGetAttribute", "CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW"))]
    pub fn access_policy_window(&self) -> Result<AccessPolicyWindow> {
        let value = self.attribute(Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW)?;
        // SAFETY: the driver has written this field, and all of its bit patterns are valid.
        let window = unsafe { value.accessPolicyWindow };
        Ok(AccessPolicyWindow {
            base: DevicePtr::from_raw(window.base_ptr.addr() as u64),
            bytes: window.num_bytes,
            hit_ratio: window.hitRatio,
            hit: AccessProperty(window.hitProp.0),
            miss: AccessProperty(window.missProp.0),
        })
    }

    /// Sets the window of memory that kernels launched on the stream from now on keep in the level-2 cache. Wraps
    /// `cuStreamSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the window is too large, `hit_ratio` is not from 0 to 1, or `miss` is
    ///   [`PERSISTING`](AccessProperty::PERSISTING).
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::launch::{AccessPolicyWindow, AccessProperty};
    ///
    /// let table = DeviceBuf::<f32>::zeroed(&stream, 1000)?;
    /// stream.set_access_policy_window(AccessPolicyWindow {
    ///     base: table.ptr().cast(),
    ///     bytes: table.size_bytes(),
    ///     hit_ratio: 1.0,
    ///     hit: AccessProperty::PERSISTING,
    ///     miss: AccessProperty::STREAMING,
    /// })?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamSetAttribute", "CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW"))]
    pub fn set_access_policy_window(&self, window: AccessPolicyWindow) -> Result<()> {
        let AccessPolicyWindow { base, bytes, hit_ratio, hit, miss } = window;
        let described = || {
            let device = self.context().device();
            let limit = device.attribute(DeviceAttribute::MAX_ACCESS_POLICY_WINDOW_SIZE);
            let limit = limit.map(|limit| format!(", where the device allows {limit}")).unwrap_or_default();
            format!("{bytes} bytes{limit}, hit ratio {hit_ratio}, hit {hit}, miss {miss}")
        };
        self.set_attribute(Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &described, |value| {
            value.accessPolicyWindow = CUaccessPolicyWindow {
                base_ptr: with_exposed_provenance_mut::<c_void>(base.as_raw() as usize),
                num_bytes: bytes,
                hitRatio: hit_ratio,
                hitProp: CAccess(hit.0),
                missProp: CAccess(miss.0),
            };
        })
    }

    /// Returns the way in which threads wait for the stream. Before the policy is set, the number has no name. Wraps
    /// `cuStreamGetAttribute`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias("cuStreamGetAttribute", "CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY"))]
    pub fn synchronization_policy(&self) -> Result<SynchronizationPolicy> {
        let value = self.attribute(Id::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY)?;
        // SAFETY: the driver has written this field, which is a number.
        Ok(SynchronizationPolicy(unsafe { value.syncPolicy }.0))
    }

    /// Sets the way in which threads wait for the stream. Wraps `cuStreamSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: unknown policy.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::launch::SynchronizationPolicy;
    ///
    /// stream.set_synchronization_policy(SynchronizationPolicy::BLOCKING_SYNC)?;
    /// assert_eq!(stream.synchronization_policy()?, SynchronizationPolicy::BLOCKING_SYNC);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamSetAttribute", "CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY"))]
    pub fn set_synchronization_policy(&self, policy: SynchronizationPolicy) -> Result<()> {
        let described = || policy.to_string();
        self.set_attribute(Id::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &described, |value| {
            value.syncPolicy = CPolicy(policy.0);
        })
    }

    /// Sets the priority of kernels that are launched on the stream from now on; lower numbers go first. Wraps
    /// `cuStreamSetAttribute`.
    ///
    /// The driver moves a priority outside [`Context::stream_priority_range`](crate::Context::stream_priority_range) to
    /// the nearest one inside.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the attribute.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// stream.set_priority(*context.stream_priority_range()?.start())?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamSetAttribute", "CU_STREAM_ATTRIBUTE_PRIORITY"))]
    pub fn set_priority(&self, priority: i32) -> Result<()> {
        let described = || priority.to_string();
        self.set_attribute(Id::CU_LAUNCH_ATTRIBUTE_PRIORITY, &described, |value| value.priority = priority)
    }

    /// Returns the logical domain of memory synchronisation of the stream's kernels. Wraps `cuStreamGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver is older than CUDA 12.0.
    /// - An earlier failure.
    #[doc(alias("cuStreamGetAttribute", "CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN"))]
    pub fn mem_sync_domain(&self) -> Result<MemSyncDomain> {
        let value = self.attribute(Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN)?;
        // SAFETY: the driver has written this field, which is a number.
        Ok(MemSyncDomain(unsafe { value.memSyncDomain }.0))
    }

    /// Sets the logical domain of memory synchronisation of kernels that are launched on the stream from now on. Wraps
    /// `cuStreamSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: unknown domain, or the driver is older than CUDA 12.0.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// stream.set_mem_sync_domain(cuda_rt::launch::MemSyncDomain::REMOTE)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamSetAttribute", "CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN"))]
    pub fn set_mem_sync_domain(&self, domain: MemSyncDomain) -> Result<()> {
        let described = || domain.to_string();
        self.set_attribute(Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, &described, |value| {
            value.memSyncDomain = CDomain(domain.0);
        })
    }

    /// Returns the physical domains of the two logical ones: of the default domain and of the remote one. Wraps
    /// `cuStreamGetAttribute`.
    ///
    /// # Errors
    ///
    /// Same as [`mem_sync_domain`](Stream::mem_sync_domain).
    #[doc(alias("cuStreamGetAttribute", "CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP"))]
    pub fn mem_sync_domain_map(&self) -> Result<[u8; 2]> {
        let value = self.attribute(Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP)?;
        // SAFETY: the driver has written this field, which is of numbers.
        let map = unsafe { value.memSyncDomainMap };
        Ok([map.default_, map.remote])
    }

    /// Sets the physical domains of the two logical ones, for kernels that are launched on the stream from now on. Wraps
    /// `cuStreamSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the device does not have the domain, or the driver is older than CUDA 12.0.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// stream.set_mem_sync_domain_map([0, 1])?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamSetAttribute", "CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP"))]
    pub fn set_mem_sync_domain_map(&self, [default_, remote]: [u8; 2]) -> Result<()> {
        let described = || format!("default {default_}, remote {remote}");
        self.set_attribute(Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, &described, |value| {
            value.memSyncDomainMap = CUlaunchMemSyncDomainMap { default_, remote };
        })
    }

    /// Sets all attributes to those of another stream of the same context. Wraps `cuStreamCopyAttributes`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the streams belong to different contexts.
    /// - [`Code::InvalidValue`]: one stream belongs to a [green context](crate::green) to which the other does not
    ///   belong.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// let other = cuda_rt::Stream::new(&context)?;
    /// other.copy_attributes_from(&stream)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamCopyAttributes")]
    pub fn copy_attributes_from(&self, source: &Stream) -> Result<()> {
        let call = Symbol::cuStreamCopyAttributes;
        if self.context() != source.context() {
            return Err(different_contexts(
                call,
                [("the source", source.context()), ("the stream", self.context())],
            ));
        }
        let _bound = self.context().bind(call)?;
        // SAFETY: both streams are live, and their context is current.
        unsafe { check!(cuStreamCopyAttributes(self.raw(), source.raw())) }
    }
}

/// Returns the name of an attribute that this file uses.
fn name(id: CUstreamAttrID) -> &'static str {
    match id {
        Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => "ACCESS_POLICY_WINDOW",
        Id::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY => "SYNCHRONIZATION_POLICY",
        Id::CU_LAUNCH_ATTRIBUTE_PRIORITY => "PRIORITY",
        Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN => "MEM_SYNC_DOMAIN",
        _ => "MEM_SYNC_DOMAIN_MAP",
    }
}
