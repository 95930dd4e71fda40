//! Attributes of streams.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::queues::launch_attributes::check_attribute;
use crate::driver::queues::stream::Stream;
use crate::driver::{Answer, Call, check_out, put};
use cuda_sys::{
    CUaccessPolicyWindow, CUlaunchAttribute, CUlaunchAttributeID_enum as Id, CUlaunchMemSyncDomain,
    CUlaunchMemSyncDomain_enum as Domain, CUlaunchMemSyncDomainMap, CUresult, CUstream, CUstreamAttrID,
    CUstreamAttrValue, CUsynchronizationPolicy, CUsynchronizationPolicy_enum as Policy,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// The attributes that a stream has beside its priority. None has an effect here.
#[derive(Clone, Copy)]
pub(crate) struct Attributes {
    policy: CUsynchronizationPolicy,
    window: CUaccessPolicyWindow,
    domain: CUlaunchMemSyncDomain,
    map: CUlaunchMemSyncDomainMap,
}

// SAFETY: the pointer of the window is only a number.
unsafe impl Send for Attributes {}

impl Default for Attributes {
    /// As measured. The policy has a number that cannot be set.
    fn default() -> Attributes {
        Attributes {
            policy: CUsynchronizationPolicy(u32::MAX),
            window: CUaccessPolicyWindow::default(),
            domain: Domain::CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT,
            map: CUlaunchMemSyncDomainMap { default_: 0, remote: 1 },
        }
    }
}

impl Call<'_> {
    /// A stream that the program made. The attributes of others were not seen on hardware.
    fn made_stream(&mut self, stream: CUstream) -> Answer<&mut Stream> {
        self.state.stream(stream)?;
        self.state.streams.get_mut(Handle::of(stream)).ok_or(CUresult::CUDA_ERROR_NOT_SUPPORTED)
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get(
    call: &mut Call<'_>,
    stream: CUstream,
    id: CUstreamAttrID,
    to: *mut CUstreamAttrValue,
) -> Answer {
    check_out(to)?;
    let stream = call.made_stream(stream)?;
    let (attributes, priority) = (stream.attributes, stream.priority);
    // The rest of the value stays as it is (measured).
    match id {
        // SAFETY: the program's promise.
        Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => unsafe { put(to.cast(), attributes.window) },
        // SAFETY: as above.
        Id::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY => unsafe { put(to.cast(), attributes.policy) },
        // SAFETY: as above.
        Id::CU_LAUNCH_ATTRIBUTE_PRIORITY => unsafe { put(to.cast(), priority) },
        // SAFETY: as above.
        Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => unsafe { put(to.cast(), attributes.map) },
        // SAFETY: as above.
        Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN => unsafe { put(to.cast(), attributes.domain) },
        _ => Err(INVALID),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set(
    call: &mut Call<'_>,
    stream: CUstream,
    id: CUstreamAttrID,
    value: *const CUstreamAttrValue,
) -> Answer {
    if value.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let value = unsafe { value.read() };
    let context = call.made_stream(stream)?.context;
    let known = [
        Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
        Id::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
        Id::CU_LAUNCH_ATTRIBUTE_PRIORITY,
        Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,
        Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
    ];
    if !known.contains(&id) {
        return Err(INVALID);
    }
    if id == Id::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY {
        // SAFETY: the attribute says that this is what the value holds.
        let policy = unsafe { value.syncPolicy };
        if !(Policy::CU_SYNC_POLICY_AUTO.0..=Policy::CU_SYNC_POLICY_BLOCKING_SYNC.0).contains(&policy.0) {
            return Err(INVALID);
        }
        call.made_stream(stream)?.attributes.policy = policy;
        return Ok(());
    }
    check_attribute(call, context, &CUlaunchAttribute { id, pad: [0; 4], value })?;
    let device = call.state.live_context(context)?.device;
    let (greatest, least) = call.state.profile(device).stream_priorities;
    let stream = call.made_stream(stream)?;
    match id {
        Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => {
            // SAFETY: as above.
            stream.attributes.window = unsafe { value.accessPolicyWindow };
        }
        Id::CU_LAUNCH_ATTRIBUTE_PRIORITY => {
            // Moved to the nearest one that there is (measured).
            // SAFETY: as above.
            stream.priority = unsafe { value.priority }.max(greatest).min(least);
        }
        Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => {
            // SAFETY: as above.
            stream.attributes.map = unsafe { value.memSyncDomainMap };
        }
        _ => {
            // SAFETY: as above.
            stream.attributes.domain = unsafe { value.memSyncDomain };
        }
    }
    Ok(())
}

pub(crate) fn copy(call: &mut Call<'_>, to: CUstream, from: CUstream) -> Answer {
    let from = call.made_stream(from)?;
    let (context, attributes, priority) = (from.context, from.attributes, from.priority);
    let to = call.made_stream(to)?;
    // Both are of one context, as documented.
    if to.context != context {
        return Err(INVALID);
    }
    (to.attributes, to.priority) = (attributes, priority);
    Ok(())
}
