//! Contexts, both primary and created, and the stack of each thread.

#![allow(unsafe_code)]

use crate::collections::{IdMap, SmallMap};
use crate::driver::contexts::coredump;
use crate::driver::handles::Handle;
use crate::driver::handles::new_id;
use crate::driver::operations::StreamId;
use crate::driver::rules::since;
use crate::driver::stream_order::Known;
use crate::driver::{Answer, Call, State, Waiting, check_out, put, put_if_wanted};
use crate::faults::Current;
use core::cell::RefCell;
use core::ffi::{c_int, c_uint};
use core::mem::ManuallyDrop;
use cuda_sim_engine::Output;
use cuda_sys::CUsharedconfig_enum as BankSize;
use cuda_sys::{
    CUcontext, CUctx_flags_enum as Flags, CUctxCreateParams, CUdevice, CUdevice_attribute_enum as Attribute,
    CUexecAffinityParam, CUexecAffinityParam_st__bindgen_ty_1, CUexecAffinitySmCount, CUexecAffinityType,
    CUexecAffinityType_enum, CUfunc_cache, CUlimit_enum as Limit, CUresult, CUsharedconfig,
};
use std::sync::Arc;

/// A context.
pub(crate) struct Context {
    pub(crate) device: CUdevice,
    pub(crate) flags: c_uint,
    id: u64,
    pub(crate) is_primary: bool,
    /// Number of attachments.
    uses: usize,
    /// Contexts of other devices to which this context has peer access. Each access has a number that is unique in the
    /// process.
    pub(crate) peers: IdMap<Handle, u64>,
    /// Output of kernels, until the next wait.
    pub(crate) output: Arc<Output>,
    pub(crate) limits: SmallMap<u32, u64>,
    cache_config: CUfunc_cache,
    pub(crate) coredumps: coredump::Settings,
}

/// Stacks of a thread, each with the identity of its machine. The current context is the last.
type Stacks = Vec<(u64, Vec<Handle>)>;

thread_local! {
    /// Without a destructor, so that destructors of a program's own thread-locals can still use it.
    static STACKS: ManuallyDrop<RefCell<Stacks>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

impl State {
    pub(crate) fn with_stack<R>(&self, work: impl FnOnce(&mut Vec<Handle>) -> R) -> R {
        STACKS.with(|stacks| {
            let mut stacks = stacks.borrow_mut();
            let found = stacks.iter().position(|(identity, _)| *identity == self.identity);
            let index = found.unwrap_or_else(|| {
                stacks.push((self.identity, Vec::new()));
                stacks.len() - 1
            });
            let result = work(&mut stacks[index].1);
            if stacks[index].1.is_empty() {
                // An empty stack is removed.
                stacks.remove(index);
            }
            if stacks.is_empty() {
                *stacks = Vec::new();
            }
            result
        })
    }

    /// Returns the current context of this thread.
    pub(crate) fn top(&self) -> Option<Handle> {
        STACKS.with(|stacks| {
            let stacks = stacks.borrow();
            let own = stacks.iter().find(|(identity, _)| *identity == self.identity)?;
            own.1.last().copied()
        })
    }

    /// Returns the current context in the form for rules and records of calls.
    pub(crate) fn current(&self) -> Current {
        let Some(context) = self.top() else { return Current::default() };
        let device = self.contexts.get(self.context_behind(context)).map(|context| context.device);
        Current { context: Some(context.0 as usize), device }
    }
}

/// Checks flags: at most one way of waiting, and no unknown bits (measured).
pub(crate) fn check_flags(call: &Call<'_>, flags: c_uint) -> Answer {
    call.state.require_flags(since::CONTEXT_FLAGS, flags)?;
    let waiting = flags & Flags::CU_CTX_SCHED_MASK.0;
    if waiting.count_ones() > 1 || flags & !Flags::CU_CTX_FLAGS_MASK.0 != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

impl State {
    pub(crate) fn make_context(&mut self, device: CUdevice, flags: c_uint, is_primary: bool) -> Context {
        let id = new_id();
        let limits = self.profile(device).limits.iter();
        Context {
            device,
            flags: coredump::effective_flags(flags),
            id,
            is_primary,
            uses: 1,
            peers: IdMap::new(),
            output: Arc::new(Output::new(self.printf_bytes(device))),
            limits: limits.filter_map(|(limit, value)| Some((*limit, (*value)?))).collect(),
            cache_config: cuda_sys::CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE,
            coredumps: self.coredumps.of_context(flags),
        }
    }

    /// Returns the size of the buffer for the output of kernels in a new context.
    fn printf_bytes(&self, device: CUdevice) -> usize {
        let limits = self.profile(device).limits.iter();
        let known = { limits }.find(|(limit, _)| *limit == Limit::CU_LIMIT_PRINTF_FIFO_SIZE.0);
        known.and_then(|(_, bytes)| *bytes).map_or(Output::DEFAULT_CAPACITY, |bytes| bytes as usize)
    }

    /// Makes the call print the output of kernels.
    pub(crate) fn print(&mut self) {
        for (_, context) in self.contexts.iter() {
            self.printed.append(&mut context.output.take());
        }
    }

    /// Returns a live context, or the error why there is none.
    pub(crate) fn live_context(&self, context: Handle) -> Answer<&Context> {
        match self.contexts.get(self.context_behind(context)) {
            Some(live) => Ok(live),
            None if self.contexts.is_stale(context) || self.green_contexts.is_stale(context) => {
                Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED)
            }
            None => Err(CUresult::CUDA_ERROR_INVALID_CONTEXT),
        }
    }

    /// Returns the current context, for functions that need it only in some cases.
    pub(crate) fn current_context(&self) -> Answer<Handle> {
        let context = self.context_behind(self.top().ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?);
        self.live_context(context).map(|_| context)
    }

    /// Ends a context with everything created in it. Memory from a pool belongs to the device, and stays.
    fn end_context(&mut self, context: Handle) {
        self.print();
        // The work of the context is done.
        self.learn(&Known::Context(context));
        let ended = self.contexts.get(context).map(|ended| (ended.device, ended.is_primary));
        if let Some((device, _)) = ended {
            self.ended_contexts.insert(context, device);
        }
        if let Some((device, true)) = ended {
            // The flags are reset with the context (measured).
            if let Some(device) = self.devices.get_mut(device as usize) {
                device.primary_flags = 0;
            }
            // A context with the same handle may be created later.
            self.contexts.suspend(context);
        } else {
            self.contexts.remove(context);
        }
        self.green_contexts.retain(|green| green.primary != context);
        self.end_captures_of_context(context);
        self.queue.close_context(context);
        let ended = self.streams.iter().filter(|(_, stream)| stream.context == context);
        self.ended_streams.extend(ended.map(|(handle, _)| handle));
        self.streams.retain(|stream| stream.context != context);
        self.default_stream_attributes.retain(|stream, _| {
            !matches!(stream, StreamId::Legacy(of) | StreamId::PerThread(of, _) if *of == context)
        });
        let ended = self.events.iter().filter(|(_, event)| event.context == context);
        self.ended_events.extend(ended.map(|(handle, _)| handle));
        self.events.retain(|event| event.context != context);
        self.functions.retain(|function| function.context != context);
        self.modules.retain(|module| module.context != context);
        self.end_graphics_of_context(context);
        self.end_external_memories_of_context(context);
        self.end_semaphores_of_context(context);
        self.images.end_context(context);
        self.end_mappings_of_arrays();
        self.libraries.values_mut().for_each(|library| library.end_context(context));
        self.heap.free_context(context);
        self.heap.managed.detach(|_, of| of == context);
        let heap = &self.heap;
        self.freed.retain(|address, _| heap.freed(address).is_some());
        self.heap.see_freed(|(_, of, _)| *of == context);
        for index in self.contexts.iter().map(|(handle, _)| handle).collect::<Vec<_>>() {
            if let Some(other) = self.contexts.get_mut(index) {
                other.peers.remove(context);
            }
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
    call: &mut Call<'_>,
    to: *mut CUcontext,
    flags: c_uint,
    device: CUdevice,
) -> Answer {
    call.state.device(device)?;
    check_flags(call, flags)?;
    check_out(to)?;
    let context = call.state.make_context(device, flags, false);
    let handle = call.state.contexts.insert(context);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }?;
    call.state.with_stack(|stack| stack.push(handle));
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create_with_params(
    call: &mut Call<'_>,
    to: *mut CUcontext,
    params: *mut CUctxCreateParams,
    flags: c_uint,
    device: CUdevice,
) -> Answer {
    if !params.is_null() {
        // SAFETY: not null, so valid for a read.
        let params = unsafe { params.read() };
        if !params.cigParams.is_null() {
            crate::console::say("contexts for graphics are not simulated yet");
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        check_affinity(params.execAffinityParams, params.numExecAffinityParams)?;
    }
    // SAFETY: the program's promise.
    unsafe { create(call, to, flags, device) }
}

/// Checks an execution affinity. A share of the multiprocessors needs a server that divides them among processes
/// (measured: without one, every share is refused, even all of them).
fn check_affinity(params: *mut CUexecAffinityParam, count: c_int) -> Answer {
    match count {
        0 => Ok(()),
        _ if params.is_null() || count < 0 => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        _ => Err(CUresult::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn affinity_support(
    call: &mut Call<'_>,
    supported: *mut c_int,
    _: CUexecAffinityType,
    device: CUdevice,
) -> Answer {
    call.state.device(device)?;
    // SAFETY: the program's promise. Unknown kinds are not supported, either (measured).
    unsafe { put(supported, 0) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_affinity(
    call: &mut Call<'_>,
    affinity: *mut CUexecAffinityParam,
    kind: CUexecAffinityType,
) -> Answer {
    let device = call.state.live_context(call.context)?.device;
    if call.state.current_green().is_some() {
        // Measured.
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    if kind != CUexecAffinityType_enum::CU_EXEC_AFFINITY_TYPE_SM_COUNT {
        return Err(CUresult::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
    }
    let processors = call.state.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    let count = CUexecAffinitySmCount { val: processors as c_uint };
    let param = CUexecAffinityParam_st__bindgen_ty_1 { smCount: count };
    // SAFETY: the program's promise.
    unsafe { put(affinity, CUexecAffinityParam { type_: kind, param }) }
}

/// Ends a context after the work that is queued in it, if `still` holds then. Other threads continue meanwhile.
pub(crate) fn end_when_done(
    call: &mut Call<'_>,
    context: Handle,
    still: impl Fn(&State) -> bool + 'static,
) -> Answer {
    if let Some(meant) = call.state.contexts.get(context).map(|context| context.id) {
        call.waiting = end_or_wait(call.state, context, meant, still);
    }
    Ok(())
}

/// Ends a context if no work is queued in it. Otherwise returns the work to wait for before the next attempt.
fn end_or_wait(
    state: &mut State,
    context: Handle,
    meant: u64,
    still: impl Fn(&State) -> bool + 'static,
) -> Option<Waiting> {
    // Another thread may have ended the context meanwhile, and its handle may be that of another context.
    if state.contexts.get(context).is_none_or(|found| found.id != meant) || !still(state) {
        return None;
    }
    let ops = state.queue.of_context(context);
    if ops.is_empty() {
        state.end_context(context);
        return None;
    }
    let then = move |state: &mut State| Ok(end_or_wait(state, context, meant, still));
    Some(Waiting::Work { ops, known: Known::All, then: Some(Box::new(then)) })
}

pub(crate) fn destroy(call: &mut Call<'_>, context: CUcontext) -> Answer {
    if context.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let handle = Handle::of(context);
    // This includes green contexts (measured).
    if call.state.live_context(handle)?.is_primary {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    // Current contexts of other threads stay current. Calls of those threads then find them destroyed (measured).
    // Hardware also waits for kernels of other contexts of the device (conformance fact T150); this does not.
    call.state.with_stack(|stack| {
        stack.pop_if(|top| *top == handle);
    });
    end_when_done(call, handle, |_| true)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn attach(call: &mut Call<'_>, to: *mut CUcontext, flags: c_uint) -> Answer {
    if flags != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let handle = call.context;
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }?;
    if let Some(context) = call.state.contexts.get_mut(handle) {
        context.uses += 1;
    }
    Ok(())
}

/// Detaches from the current context. The last detachment ends the context: one for each attachment, and one more. A
/// primary context stays, and stays current (measured).
pub(crate) fn detach(call: &mut Call<'_>, context: CUcontext) -> Answer {
    let handle = call.state.current_context()?;
    if handle != Handle::of(context) {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    if call.state.live_context(handle)?.is_primary {
        return Ok(());
    }
    match call.state.contexts.get_mut(handle) {
        Some(attached) if attached.uses > 1 => {
            attached.uses -= 1;
            Ok(())
        }
        _ => destroy(call, context),
    }
}

/// Pushes a context. Destroyed contexts can still be pushed (measured).
pub(crate) fn push(call: &mut Call<'_>, context: CUcontext) -> Answer {
    if context.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let handle = Handle::of(context);
    if !call.state.is_known_context(handle) {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    call.state.with_stack(|stack| stack.push(handle));
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn pop(call: &mut Call<'_>, context: *mut CUcontext) -> Answer {
    let popped = call.state.with_stack(Vec::pop).ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
    // SAFETY: the program's promise; the parameter may be null (measured).
    unsafe { put_if_wanted(context, popped.pointer()) };
    Ok(())
}

/// Replaces the current context. A null context pops one, and the context below becomes current (measured).
pub(crate) fn set_current(call: &mut Call<'_>, context: CUcontext) -> Answer {
    let handle = Handle::of(context);
    if context.is_null() {
        call.state.with_stack(Vec::pop);
        return Ok(());
    }
    if !call.state.is_known_context(handle) {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    call.state.with_stack(|stack| {
        stack.pop();
        stack.push(handle);
    });
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_current(call: &mut Call<'_>, context: *mut CUcontext) -> Answer {
    // SAFETY: the program's promise.
    unsafe { put(context, call.state.top().unwrap_or(Handle::NULL).pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_device(call: &mut Call<'_>, device: *mut CUdevice) -> Answer {
    // A destroyed context still returns its device (measured).
    let gone = call.state.ended_contexts.get(call.context).copied();
    let value = match call.state.live_context(call.context) {
        Ok(context) => context.device,
        Err(code) => gone.ok_or(code)?,
    };
    // SAFETY: the program's promise.
    unsafe { put(device, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_flags(call: &mut Call<'_>, flags: *mut c_uint) -> Answer {
    let value = match call.state.contexts.get(call.context) {
        // Primary contexts always have this flag (measured).
        Some(context) if context.is_primary => context.flags | Flags::CU_CTX_MAP_HOST.0,
        Some(context) => context.flags,
        // A destroyed context has no flags (measured).
        None => 0,
    };
    // SAFETY: the program's promise.
    unsafe { put(flags, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_id(call: &mut Call<'_>, context: CUcontext, id: *mut u64) -> Answer {
    let context = named(call, context)?;
    let own = call.state.live_context(context)?.id;
    let value = call.state.green_context(context).map_or(own, |green| green.id);
    // SAFETY: the program's promise.
    unsafe { put(id, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_api_version(
    call: &mut Call<'_>,
    context: CUcontext,
    version: *mut c_uint,
) -> Answer {
    let named = !context.is_null();
    let context = self::named(call, context)?;
    // This function accepts a destroyed context only if it is current (measured).
    match call.state.live_context(context) {
        Err(_) if named => return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT),
        other => other?,
    };
    // SAFETY: the program's promise. The number is the answer of an H200's driver.
    unsafe { put(version, 3020) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_device_of(call: &mut Call<'_>, device: *mut CUdevice, context: CUcontext) -> Answer {
    let context = if context.is_null() { call.state.current_context()? } else { Handle::of(context) };
    // This accepts a primary context that was released. Hardware crashes for other destroyed contexts.
    let value = match call.state.devices.iter().position(|device| device.primary == Some(context)) {
        Some(device) => device as CUdevice,
        None => call.state.live_context(context)?.device,
    };
    // SAFETY: the program's promise.
    unsafe { put(device, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create_with_affinity(
    call: &mut Call<'_>,
    to: *mut CUcontext,
    params: *mut CUexecAffinityParam,
    count: c_int,
    flags: c_uint,
    device: CUdevice,
) -> Answer {
    check_affinity(params, count)?;
    // SAFETY: the program's promise.
    unsafe { create(call, to, flags, device) }
}

/// Returns the context with this handle, or the current one for null. For the current context, reports an earlier
/// failure (measured).
fn named(call: &Call<'_>, context: CUcontext) -> Answer<Handle> {
    if !context.is_null() {
        return Ok(Handle::of(context));
    }
    let current = call.state.current_context()?;
    let current = call.state.current_green().unwrap_or(current);
    call.state.sticky.map_or(Ok(current), Err)
}

/// Sets the flags. Drivers crash on a destroyed context (measured).
pub(crate) fn set_flags(call: &mut Call<'_>, flags: c_uint) -> Answer {
    call.state.live_context(call.context)?;
    check_flags(call, flags)?;
    if let Some(context) = call.state.contexts.get_mut(call.context) {
        context.flags = flags;
    }
    Ok(())
}

/// Resets nothing, because there is no cache.
pub(crate) fn reset_cache(_: &mut Call<'_>) -> Answer {
    Ok(())
}

pub(crate) fn synchronize_other(call: &mut Call<'_>, context: CUcontext) -> Answer {
    if context.is_null() {
        call.state.current_context()?;
        return synchronize(call);
    }
    let context = Handle::of(context);
    call.state.live_context(context)?;
    synchronize_all_of(call, context)
}

pub(crate) fn synchronize(call: &mut Call<'_>) -> Answer {
    match call.state.top() {
        Some(context) => synchronize_all_of(call, context),
        None => Err(CUresult::CUDA_ERROR_INVALID_CONTEXT),
    }
}

/// Waits for all work of a context or of a green context.
fn synchronize_all_of(call: &mut Call<'_>, context: Handle) -> Answer {
    call.state.check_context_uncaptured(context)?;
    let ops = call.state.queue.of_context(context);
    let own = call.state.streams_of_green(context);
    call.synchronize(
        ops,
        Known::Context(context),
        move |(on_stream, of, _)| *of == context || own.contains(on_stream),
        move |state| state.queue.time_of_context(context),
    );
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_cache_config(call: &mut Call<'_>, config: *mut CUfunc_cache) -> Answer {
    let value = call.state.live_context(call.context)?.cache_config;
    // SAFETY: the program's promise.
    unsafe { put(config, value) }
}

pub(crate) fn set_cache_config(call: &mut Call<'_>, config: CUfunc_cache) -> Answer {
    if config.0 > cuda_sys::CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_EQUAL.0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if let Some(context) = call.state.contexts.get_mut(call.context) {
        context.cache_config = config;
    }
    Ok(())
}

/// Returns the width of the banks of shared memory: 4 bytes on all simulated devices (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_shared_config(call: &mut Call<'_>, config: *mut CUsharedconfig) -> Answer {
    call.state.live_context(call.context)?;
    // SAFETY: the program's promise.
    unsafe { put(config, BankSize::CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE) }
}

/// Accepts a configuration, which has no effect.
pub(crate) fn set_shared_config(_: &mut Call<'_>, config: CUsharedconfig) -> Answer {
    check_shared_config(config)
}

pub(crate) fn check_shared_config(config: CUsharedconfig) -> Answer {
    if config.0 > BankSize::CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE.0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}
