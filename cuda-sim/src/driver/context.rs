//! Contexts, primary and made, and the stack of each thread.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::{Answer, Call, State, put, put_if_wanted};
use core::cell::RefCell;
use core::ffi::{c_int, c_uint};
use core::mem::ManuallyDrop;
use cuda_sys::{
    CUcontext, CUctx_flags_enum as Flags, CUctxCreateParams, CUdevice, CUfunc_cache, CUlimit, CUresult,
};
use std::collections::BTreeMap;

/// A context.
pub(super) struct Context {
    pub(super) device: CUdevice,
    flags: c_uint,
    id: u64,
    is_primary: bool,
    limits: BTreeMap<u32, u64>,
    cache_config: CUfunc_cache,
}

thread_local! {
    /// This thread's contexts, the current one last. Without a destructor, so that it is there for those of a
    /// program's own thread-locals.
    static STACK: ManuallyDrop<RefCell<Vec<Handle>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

fn with_stack<R: Default>(work: impl FnOnce(&mut Vec<Handle>) -> R) -> R {
    STACK.with(|stack| {
        let mut stack = stack.borrow_mut();
        let result = work(&mut stack);
        if stack.is_empty() {
            // A thread that leaves nothing current leaves nothing behind.
            *stack = Vec::new();
        }
        result
    })
}

/// The current context of this thread.
pub(super) fn top() -> Option<Handle> {
    with_stack(|stack| stack.last().copied())
}

/// At most one way of waiting, and no bits that the driver does not know (measured).
fn check_flags(flags: c_uint) -> Answer {
    let waiting = flags & Flags::CU_CTX_SCHED_MASK.0;
    if waiting.count_ones() > 1 || flags & !Flags::CU_CTX_FLAGS_MASK.0 != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

impl State {
    fn make_context(&mut self, device: CUdevice, flags: c_uint, is_primary: bool) -> Context {
        let limits = self.config.profile.limits.iter();
        Context {
            device,
            flags,
            id: self.next_id(),
            is_primary,
            limits: limits.filter_map(|(limit, value)| Some((*limit, (*value)?))).collect(),
            cache_config: cuda_sys::CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE,
        }
    }

    /// A context that lives, or the reason why it does not.
    pub(super) fn live_context(&self, context: Handle) -> Answer<&Context> {
        match self.contexts.get(context) {
            Some(live) => Ok(live),
            None if self.contexts.is_stale(context) => Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED),
            None => Err(CUresult::CUDA_ERROR_INVALID_CONTEXT),
        }
    }

    /// The current context, for functions that need it only sometimes.
    pub(super) fn current_context(&self) -> Answer<Handle> {
        let context = top().ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
        self.live_context(context).map(|_| context)
    }

    /// Everything made in the context goes with it. Memory from a pool is the device's, and stays.
    fn end_context(&mut self, context: Handle) {
        self.contexts.remove(context);
        self.streams.retain(|stream| stream.context != context);
        self.events.retain(|event| event.context != context);
        self.functions.retain(|function| function.context != context);
        self.modules.retain(|module| module.context != context);
        self.heap.free_context(context);
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create(
    call: &mut Call<'_>,
    to: *mut CUcontext,
    flags: c_uint,
    device: CUdevice,
) -> Answer {
    call.state.device(device)?;
    check_flags(flags)?;
    let context = call.state.make_context(device, flags, false);
    let handle = call.state.contexts.insert(context);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }?;
    with_stack(|stack| stack.push(handle));
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create_with_params(
    call: &mut Call<'_>,
    to: *mut CUcontext,
    params: *mut CUctxCreateParams,
    flags: c_uint,
    device: CUdevice,
) -> Answer {
    if !params.is_null() {
        // SAFETY: not null, so valid for a read.
        let params = unsafe { params.read() };
        if params.numExecAffinityParams != 0 || !params.cigParams.is_null() {
            super::general::say("contexts with execution affinity or graphics are not simulated yet");
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
    }
    // SAFETY: the program's promise.
    unsafe { create(call, to, flags, device) }
}

pub(super) fn destroy(call: &mut Call<'_>, context: CUcontext) -> Answer {
    if context.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let handle = Handle::of(context);
    if call.state.live_context(handle)?.is_primary {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    call.state.end_context(handle);
    // Current contexts of other threads stay, and are found destroyed there (measured).
    with_stack(|stack| {
        stack.pop_if(|top| *top == handle);
    });
    Ok(())
}

/// A destroyed context can still be pushed (measured).
pub(super) fn push(call: &mut Call<'_>, context: CUcontext) -> Answer {
    if context.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let handle = Handle::of(context);
    if call.state.contexts.get(handle).is_none() && !call.state.contexts.is_stale(handle) {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    with_stack(|stack| stack.push(handle));
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn pop(_: &mut Call<'_>, context: *mut CUcontext) -> Answer {
    let popped = with_stack(Vec::pop).ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
    // SAFETY: the program's promise; it may be left out (measured).
    unsafe { put_if_wanted(context, popped.pointer()) };
    Ok(())
}

/// A null context pops one, and the one below becomes current (measured).
pub(super) fn set_current(call: &mut Call<'_>, context: CUcontext) -> Answer {
    let handle = Handle::of(context);
    if context.is_null() {
        with_stack(Vec::pop);
        return Ok(());
    }
    if call.state.contexts.get(handle).is_none() && !call.state.contexts.is_stale(handle) {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    with_stack(|stack| {
        stack.pop();
        stack.push(handle);
    });
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_current(_: &mut Call<'_>, context: *mut CUcontext) -> Answer {
    // SAFETY: the program's promise.
    unsafe { put(context, top().unwrap_or(Handle::NULL).pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_device(call: &mut Call<'_>, device: *mut CUdevice) -> Answer {
    let value = call.state.live_context(call.context)?.device;
    // SAFETY: the program's promise.
    unsafe { put(device, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_flags(call: &mut Call<'_>, flags: *mut c_uint) -> Answer {
    let value = call.state.live_context(call.context)?.flags;
    // SAFETY: the program's promise.
    unsafe { put(flags, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_id(call: &mut Call<'_>, context: CUcontext, id: *mut u64) -> Answer {
    let context = if context.is_null() { call.state.current_context()? } else { Handle::of(context) };
    let value = call.state.live_context(context)?.id;
    // SAFETY: the program's promise.
    unsafe { put(id, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_api_version(
    call: &mut Call<'_>,
    context: CUcontext,
    version: *mut c_uint,
) -> Answer {
    let context = if context.is_null() { call.state.current_context()? } else { Handle::of(context) };
    call.state.live_context(context)?;
    // SAFETY: the program's promise. The number is what an H200's driver answers.
    unsafe { put(version, 3020) }
}

pub(super) fn synchronize(call: &mut Call<'_>) -> Answer {
    // Everything is done when it is queued.
    let _ = call;
    Ok(())
}

/// Which limits there are, and which of them the device supports.
fn check_limit(call: &Call<'_>, limit: CUlimit) -> Answer {
    match call.state.config.profile.limits.iter().find(|(known, _)| *known == limit.0) {
        Some((_, Some(_))) => Ok(()),
        Some((_, None)) => Err(CUresult::CUDA_ERROR_UNSUPPORTED_LIMIT),
        None => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_limit(call: &mut Call<'_>, value: *mut usize, limit: CUlimit) -> Answer {
    check_limit(call, limit)?;
    let known = call.state.live_context(call.context)?.limits.get(&limit.0).copied().unwrap_or(0);
    // SAFETY: the program's promise.
    unsafe { put(value, known as usize) }
}

pub(super) fn set_limit(call: &mut Call<'_>, limit: CUlimit, value: usize) -> Answer {
    check_limit(call, limit)?;
    if let Some(context) = call.state.contexts.get_mut(call.context) {
        context.limits.insert(limit.0, value as u64);
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_cache_config(call: &mut Call<'_>, config: *mut CUfunc_cache) -> Answer {
    let value = call.state.live_context(call.context)?.cache_config;
    // SAFETY: the program's promise.
    unsafe { put(config, value) }
}

pub(super) fn set_cache_config(call: &mut Call<'_>, config: CUfunc_cache) -> Answer {
    if config.0 > cuda_sys::CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_EQUAL.0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if let Some(context) = call.state.contexts.get_mut(call.context) {
        context.cache_config = config;
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn primary_retain(call: &mut Call<'_>, to: *mut CUcontext, device: CUdevice) -> Answer {
    let Device { primary, flags } = primary_of(call, device)?;
    let handle = match primary {
        Some(handle) if call.state.contexts.get(handle).is_some() => handle,
        Some(handle) => {
            // The same handle as before, and another identity (measured).
            let context = call.state.make_context(device, flags, true);
            call.state.contexts.revive(handle, context);
            handle
        }
        None => {
            let context = call.state.make_context(device, flags, true);
            call.state.contexts.insert(context)
        }
    };
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }?;
    let device = &mut call.state.devices[device as usize];
    device.primary = Some(handle);
    device.retains += 1;
    Ok(())
}

/// What there is to know of a device's primary context.
struct Device {
    primary: Option<Handle>,
    flags: c_uint,
}

fn primary_of(call: &Call<'_>, device: CUdevice) -> Answer<Device> {
    let device = call.state.device(device)?;
    Ok(Device { primary: device.primary, flags: device.primary_flags })
}

pub(super) fn primary_release(call: &mut Call<'_>, device: CUdevice) -> Answer {
    let Device { primary, .. } = primary_of(call, device)?;
    let own = &mut call.state.devices[device as usize];
    own.retains = own.retains.checked_sub(1).ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
    if let (0, Some(handle)) = (own.retains, primary) {
        call.state.end_context(handle);
    }
    Ok(())
}

/// Ends the context; what was retained goes on counting, and the handle stays what it is (measured).
pub(super) fn primary_reset(call: &mut Call<'_>, device: CUdevice) -> Answer {
    if let Device { primary: Some(handle), .. } = primary_of(call, device)? {
        call.state.end_context(handle);
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn primary_state(
    call: &mut Call<'_>,
    device: CUdevice,
    flags: *mut c_uint,
    active: *mut c_int,
) -> Answer {
    let Device { primary, flags: value } = primary_of(call, device)?;
    let is_active = primary.is_some_and(|handle| call.state.contexts.get(handle).is_some());
    // SAFETY: the program's promise.
    unsafe { put(flags, value) }?;
    // SAFETY: the program's promise.
    unsafe { put(active, c_int::from(is_active)) }
}

pub(super) fn primary_set_flags(call: &mut Call<'_>, device: CUdevice, flags: c_uint) -> Answer {
    check_flags(flags)?;
    let Device { primary, .. } = primary_of(call, device)?;
    call.state.devices[device as usize].primary_flags = flags;
    if let Some(context) = primary.and_then(|handle| call.state.contexts.get_mut(handle)) {
        context.flags = flags;
    }
    Ok(())
}
