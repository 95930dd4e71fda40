//! Attributes of streams.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::queues::launch_attributes::{check_attribute, read_value};
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::c_int;
use cuda_sys::{
    CUaccessPolicyWindow, CUlaunchAttribute, CUlaunchAttributeID_enum as Id, CUlaunchMemSyncDomain,
    CUlaunchMemSyncDomain_enum as Domain, CUlaunchMemSyncDomainMap, CUresult, CUstream, CUstreamAttrID,
    CUstreamAttrValue, CUsynchronizationPolicy, CUsynchronizationPolicy_enum as Policy,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Attributes of a stream in addition to its priority. None has an effect here.
#[derive(Clone, Copy)]
pub(crate) struct Attributes {
    policy: CUsynchronizationPolicy,
    window: CUaccessPolicyWindow,
    domain: CUlaunchMemSyncDomain,
    map: CUlaunchMemSyncDomainMap,
}

// SAFETY: the pointer of the window is only used as a number.
unsafe impl Send for Attributes {}

impl Default for Attributes {
    /// Returns the defaults, as measured. The default policy has a number that cannot be set.
    fn default() -> Attributes {
        Attributes {
            policy: CUsynchronizationPolicy(u32::MAX),
            window: CUaccessPolicyWindow::default(),
            domain: Domain::CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT,
            map: CUlaunchMemSyncDomainMap { default_: 0, remote: 1 },
        }
    }
}

impl State {
    /// Returns the attributes of a stream, and its priority. The driver accepts
    /// default streams, too (measured). Here each has attributes of its own.
    fn attributes_of(&self, stream: CUstream) -> Answer<(Attributes, c_int)> {
        let (on_stream, _) = self.stream(stream)?;
        Ok(match self.streams.get(Handle::of(stream)) {
            Some(stream) => (stream.attributes, stream.priority),
            None => (self.default_stream_attributes.get(&on_stream).copied().unwrap_or_default(), 0),
        })
    }

    fn attributes_mut(&mut self, stream: CUstream) -> Answer<&mut Attributes> {
        let (on_stream, _) = self.stream(stream)?;
        Ok(match self.streams.get_mut(Handle::of(stream)) {
            Some(stream) => &mut stream.attributes,
            None => self.default_stream_attributes.get_or_insert(on_stream, Attributes::default()),
        })
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
    let (attributes, priority) = call.state.attributes_of(stream)?;
    // The rest of the value does not change (measured).
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
    let context = call.state.stream_context(stream)?;
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
    // SAFETY: not null, so valid for a read of the attribute's member.
    let value = unsafe { read_value(id, value) };
    if id == Id::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY {
        // SAFETY: the attribute determines the member of the value.
        let policy = unsafe { value.syncPolicy };
        if !(Policy::CU_SYNC_POLICY_AUTO.0..=Policy::CU_SYNC_POLICY_BLOCKING_SYNC.0).contains(&policy.0) {
            return Err(INVALID);
        }
        call.state.attributes_mut(stream)?.policy = policy;
        return Ok(());
    }
    check_attribute(call, context, &CUlaunchAttribute { id, pad: [0; 4], value })?;
    match id {
        Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => {
            // SAFETY: as above.
            call.state.attributes_mut(stream)?.window = unsafe { value.accessPolicyWindow };
        }
        Id::CU_LAUNCH_ATTRIBUTE_PRIORITY => {
            // The priority is clamped to the valid range (measured).
            let device = call.state.live_context(context)?.device;
            let (greatest, least) = call.state.profile(device).stream_priorities;
            let found = call.state.streams.get_mut(Handle::of(stream));
            // Setting the priority of default streams was not measured.
            let found = found.ok_or(CUresult::CUDA_ERROR_NOT_SUPPORTED)?;
            // SAFETY: as above.
            found.priority = unsafe { value.priority }.max(greatest).min(least);
        }
        Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => {
            // SAFETY: as above.
            call.state.attributes_mut(stream)?.map = unsafe { value.memSyncDomainMap };
        }
        _ => {
            // SAFETY: as above.
            call.state.attributes_mut(stream)?.domain = unsafe { value.memSyncDomain };
        }
    }
    Ok(())
}

pub(crate) fn copy(call: &mut Call<'_>, to: CUstream, from: CUstream) -> Answer {
    let (to_stream, from_stream) = (call.state.stream(to)?, call.state.stream(from)?);
    // Both belong to one context, and to the same green context or to none (measured).
    let is_one = call.state.green_of(to_stream.0) == call.state.green_of(from_stream.0);
    if to_stream.1 != from_stream.1 || !is_one {
        return Err(INVALID);
    }
    let (attributes, priority) = call.state.attributes_of(from)?;
    *call.state.attributes_mut(to)? = attributes;
    if let Some(to) = call.state.streams.get_mut(Handle::of(to)) {
        to.priority = priority;
    }
    Ok(())
}
