//! Contexts, and the stack of the thread.

use super::Catalogue;
use crate::world::World;
use cuda_rt::context::{
    CacheConfig, ContextFlags, ExecAffinity, GraphicsClient, Limit, RemoteWritesScope, SharedMemConfig,
};
use cuda_rt::profiler::{self, OutputMode, ProfilerGuard};
use cuda_rt::{Context, Event};
use cuda_sys::CUcontext;
use std::collections::HashSet;

fn context(world: &World) -> Context {
    Context::new(world.near, ContextFlags::default()).unwrap()
}

fn works(context: &mut Context, _: &World) {
    assert_eq!(Event::new(context).unwrap().context(), context);
    context.synchronize().unwrap();
}

/// A handle that goes to another thread.
struct Raw(CUcontext);
// SAFETY: contexts are not bound to a thread.
unsafe impl Send for Raw {}

fn raw(world: &World) -> Raw {
    let raw = cuda_suite::raw::context(world.near.as_raw());
    Context::pop().unwrap();
    Raw(raw)
}

#[allow(deprecated)]
pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .refuses("Context::primary", |_, w| Context::primary(w.near))
        .refuses("Context::new", |_, w| Context::new(w.near, ContextFlags::default()))
        // SAFETY: the call is refused.
        .refuses("Context::with_graphics", |_, w| unsafe {
            let client = GraphicsClient::NvBlob(core::ptr::null_mut());
            Context::with_graphics(w.near, ContextFlags::default(), client)
        })
        .refuses("Context::with_exec_affinity", |_, w| {
            Context::with_exec_affinity(w.near, ContextFlags::default(), ExecAffinity::SmCount(1))
        })
        .refuses("Context::pop", |_, _| Context::pop())
        .refuses("Context::current", |_, _| Context::current())
        .refuses("Context::current_raw", |_, _| Context::current_raw())
        .refuses("Context::current_device", |_, _| Context::current_device());
    // SAFETY: made for this call, as below.
    c.of(raw, |raw, _| drop(unsafe { Context::from_raw(raw.0) }.unwrap()))
        // As documented, the context is destroyed if taking it over fails.
        .consumes("Context::from_raw", |raw, _| unsafe { Context::from_raw(raw.0) });
    c.of(context, works)
        // SAFETY: its owner keeps it.
        .consumes("Context::from_raw_with_owner", |c, _| unsafe {
            Context::from_raw_with_owner(c.as_raw(), Box::new(c))
        })
        .answers("Context::as_raw", |c, _| c.as_raw().is_null())
        .answers("Context::device", |c, _| c.device())
        .answers("Context::id", |c, _| c.id())
        .refuses("Context::enter; ContextGuard: {Debug, Drop}", |c, _| c.enter().map(drop))
        .refuses("Context::promise_current; PromisedCurrent: {Debug, Drop}", |c, _| {
            // SAFETY: the guard is dropped at once.
            unsafe { c.promise_current() }.map(drop)
        })
        .refuses("Context::flush_remote_writes", |c, _| c.flush_remote_writes(RemoteWritesScope::Owner))
        .refuses("Context::is_current", |c, _| c.is_current())
        .refuses("Context::flags", |c, _| c.flags())
        .refuses("Context::set_flags", |c, _| c.set_flags(ContextFlags::SCHED_SPIN))
        .refuses("Context::api_version", |c, _| c.api_version())
        .refuses("Context::stream_priority_range", |c, _| c.stream_priority_range())
        .refuses("Context::memory_info", |c, _| c.memory_info())
        .answers("MemoryInfo: Display", |_, w| w.memory.to_string())
        .refuses("Context::synchronize", |c, _| c.synchronize())
        .refuses("Context::push", |c, _| c.push())
        .refuses("Context::set_current", |c, _| c.set_current())
        .refuses("Context::limit", |c, _| c.limit(Limit::STACK_SIZE))
        .refuses("Context::set_limit", |c, _| c.set_limit(Limit::STACK_SIZE, 1 << 14))
        .refuses("Context::cache_config", |c, _| c.cache_config())
        .refuses("Context::set_cache_config", |c, _| c.set_cache_config(CacheConfig::PreferL1))
        .refuses("Context::shared_mem_config", |c, _| c.shared_mem_config())
        .refuses("Context::set_shared_mem_config", |c, _| {
            c.set_shared_mem_config(SharedMemConfig::EightByteBankSize)
        })
        .refuses("Context::reset_persisting_l2_cache", |c, _| c.reset_persisting_l2_cache())
        .refuses("Context::exec_affinity", |c, _| c.exec_affinity())
        .refuses("Context::record_event", |c, w| c.record_event(&w.event))
        .refuses("Context::wait_event", |c, w| c.wait_event(&w.event))
        .consumes("Context::close", |c, _| c.close())
        .answers("Context: {Clone, Debug, Hash, PartialEq}", |c, _| {
            (c.clone() == *c, format!("{c:?}"), HashSet::from([c.clone()]))
        })
        .drops("Context: Drop");
    c.free()
        .refuses("profiler::start", |_, w| profiler::start(&w.context))
        .refuses("profiler::stop", |_, w| profiler::stop(&w.context))
        .refuses("profiler::initialize", |_, w| {
            profiler::initialize(&w.context, "config", "output", OutputMode::Csv)
        })
        .refuses("ProfilerGuard::new", |_, w| ProfilerGuard::new(&w.context));
    c.of(|w| ProfilerGuard::new(&w.context).unwrap(), |_, _| ())
        .consumes("ProfilerGuard::close", |guard, _| guard.close())
        .answers("ProfilerGuard: Debug", |guard, _| format!("{guard:?}"))
        .drops("ProfilerGuard: Drop");
}
