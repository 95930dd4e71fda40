//! Settings and queries of contexts: limits, caches, flags, shares of a device, events of all their streams.

use crate::alone;
use cuda_rt::context::{CacheConfig, ContextFlags, ExecAffinity, Limit};
use cuda_rt::device::ComputeCapability;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::{Context, Device, Error, Event, Stream};
use cuda_suite::{device, driver, reports, skip};
use cuda_sys::{CUctx_flags_enum as C, CUlimit_enum as L, Symbol};
use std::thread;

fn own() -> Context {
    Context::new(device(), ContextFlags::default()).unwrap()
}

fn has(symbol: Symbol) -> bool {
    driver();
    cuda_sys::driver().unwrap().has(symbol)
}

/// Returns whether the error says that the driver is too old for the function.
fn is_missing(error: &Error, symbol: Symbol) -> bool {
    error.kind() == ErrorKind::FunctionMissing && error.call() == Some(symbol.name())
}

#[test]
fn flags_have_the_numbers_of_the_header() {
    let pairs = [
        (ContextFlags::SCHED_AUTO, 0x00, C::CU_CTX_SCHED_AUTO),
        (ContextFlags::SCHED_SPIN, 0x01, C::CU_CTX_SCHED_SPIN),
        (ContextFlags::SCHED_YIELD, 0x02, C::CU_CTX_SCHED_YIELD),
        (ContextFlags::SCHED_BLOCKING_SYNC, 0x04, C::CU_CTX_BLOCKING_SYNC),
        (ContextFlags::SCHED_MASK, 0x07, C::CU_CTX_SCHED_MASK),
        (ContextFlags::MAP_HOST, 0x08, C::CU_CTX_MAP_HOST),
        (ContextFlags::LMEM_RESIZE_TO_MAX, 0x10, C::CU_CTX_LMEM_RESIZE_TO_MAX),
        (ContextFlags::COREDUMP_ENABLE, 0x20, C::CU_CTX_COREDUMP_ENABLE),
        (ContextFlags::USER_COREDUMP_ENABLE, 0x40, C::CU_CTX_USER_COREDUMP_ENABLE),
        (ContextFlags::SYNC_MEMOPS, 0x80, C::CU_CTX_SYNC_MEMOPS),
        (ContextFlags::FLAGS_MASK, 0xff, C::CU_CTX_FLAGS_MASK),
    ];
    for (flag, number, constant) in pairs {
        assert_eq!((flag.bits(), constant.0), (number, number));
    }
}

#[test]
fn limits_and_configurations_match_the_header() {
    assert_eq!((Limit::STACK_SIZE.0, Limit::PRINTF_FIFO_SIZE.0, Limit::MALLOC_HEAP_SIZE.0), (0, 1, 2));
    assert_eq!(Limit::all().len() as u32, L::CU_LIMIT_MAX.0, "each of the header's has a name");
    let context = own();
    // A query returns the setting.
    for config in
        [CacheConfig::PreferNone, CacheConfig::PreferShared, CacheConfig::PreferL1, CacheConfig::PreferEqual]
    {
        context.set_cache_config(config).unwrap();
        assert_eq!(context.cache_config().unwrap(), config);
    }
    assert!(context.set_cache_config(CacheConfig::Other(99)).is_err());
}

#[test]
fn limits_are_read_back_after_rounding() {
    let context = own();
    let before = context.limit(Limit::STACK_SIZE).unwrap();
    context.set_limit(Limit::STACK_SIZE, before + 1).unwrap();
    let after = context.limit(Limit::STACK_SIZE).unwrap();
    assert!(after > before && after < before + 1024, "{before}, {after}");
    context.set_limit(Limit::PRINTF_FIFO_SIZE, 8 << 20).unwrap();
    assert!(context.limit(Limit::PRINTF_FIFO_SIZE).unwrap() >= 8 << 20);
    context.set_limit(Limit::MALLOC_HEAP_SIZE, 16 << 20).unwrap();
    assert!(context.limit(Limit::MALLOC_HEAP_SIZE).unwrap() >= 16 << 20);
}

#[test]
fn a_refused_limit_is_named_with_its_value() {
    let context = own();
    let error = context.limit(Limit(99)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().ends_with(": limit Limit(99)"), "{error}");
    let error = context.set_limit(Limit::STACK_SIZE, 1 << 40).unwrap_err();
    assert!(error.to_string().ends_with(": limit STACK_SIZE, value 1099511627776"), "{error}");
    if device().compute_capability().unwrap() >= ComputeCapability::new(9, 0) {
        let error = context.limit(Limit::DEV_RUNTIME_SYNC_DEPTH).unwrap_err();
        assert_eq!(error.code(), Some(Code::UnsupportedLimit));
        assert!(error.to_string().ends_with(": limit DEV_RUNTIME_SYNC_DEPTH"), "{error}");
    }
}

#[test]
#[allow(deprecated)]
fn shared_memory_has_banks_of_one_width() {
    let context = own();
    let before = context.shared_mem_config().unwrap();
    context.set_shared_mem_config(cuda_rt::context::SharedMemConfig::EightByteBankSize).unwrap();
    assert_eq!(context.shared_mem_config().unwrap(), before, "they are fixed");
    assert!(context.set_shared_mem_config(cuda_rt::context::SharedMemConfig::Other(7)).is_err());
}

#[test]
fn a_context_and_its_copy_have_settings_of_their_own() {
    let (first, second) = (own(), own());
    first.set_cache_config(CacheConfig::PreferL1).unwrap();
    assert_eq!(second.cache_config().unwrap(), CacheConfig::PreferNone);
    assert_eq!(first.clone().cache_config().unwrap(), CacheConfig::PreferL1);
}

#[test]
fn flags_are_changed_where_the_driver_can() {
    let context = Context::new(device(), ContextFlags::SCHED_SPIN).unwrap();
    match context.set_flags(ContextFlags::SCHED_YIELD) {
        Ok(()) => assert_eq!(context.flags().unwrap(), ContextFlags::SCHED_YIELD),
        Err(error) => assert!(is_missing(&error, Symbol::cuCtxSetFlags), "{error}"),
    }
    if has(Symbol::cuCtxSetFlags) {
        let error = context.set_flags(ContextFlags::SCHED_SPIN | ContextFlags::SCHED_YIELD).unwrap_err();
        assert!(error.to_string().ends_with(": flags 0x3"), "{error}");
    }
}

#[test]
fn an_ordinary_context_has_the_whole_device() {
    if !has(Symbol::cuCtxGetExecAffinity) {
        skip!("the driver has no affinities");
    }
    let all = device().multiprocessor_count().unwrap().cast_unsigned();
    assert_eq!(own().exec_affinity().unwrap(), ExecAffinity::SmCount(all));
}

#[test]
fn a_share_of_the_device_is_had_or_refused_by_number() {
    let share = Context::with_exec_affinity(device(), ContextFlags::default(), ExecAffinity::SmCount(8));
    if !has(Symbol::cuCtxCreate_v3) && !has(Symbol::cuCtxCreate_v4) {
        assert!(is_missing(&share.unwrap_err(), Symbol::cuCtxCreate_v3));
        return;
    }
    match share {
        Ok(context) => {
            let ExecAffinity::SmCount(count) = context.exec_affinity().unwrap() else {
                panic!("asked for multiprocessors")
            };
            assert!(count >= 8);
        }
        Err(error) => {
            assert!(!device().supports_exec_affinity().unwrap());
            assert_eq!(error.code(), Some(Code::UnsupportedExecAffinity));
            assert!(error.to_string().ends_with(": 8 multiprocessors"), "{error}");
        }
    }
    assert_eq!(Context::current_raw().unwrap(), None, "nothing is left current");
}

/// In a process of its own: others hold the primary context.
#[test]
fn the_primary_contexts_state_follows_its_holders() {
    alone("context_settings::the_primary_contexts_state_follows_its_holders", || {
        let device = device();
        assert!(!device.primary_context_state().unwrap().is_active);
        device.set_primary_context_flags(ContextFlags::SCHED_YIELD).unwrap();
        assert_eq!(device.primary_context_state().unwrap().flags, ContextFlags::SCHED_YIELD);
        let first = Context::primary(device).unwrap();
        let second = Context::primary(device).unwrap();
        assert!(first.flags().unwrap().contains(ContextFlags::SCHED_YIELD));
        drop(first);
        assert!(device.primary_context_state().unwrap().is_active);
        drop(second);
        let state = device.primary_context_state().unwrap();
        assert!(!state.is_active);
        assert_eq!(state.flags, ContextFlags::default(), "forgotten with the context");
        let both = ContextFlags::SCHED_SPIN | ContextFlags::SCHED_YIELD;
        let error = device.set_primary_context_flags(both).unwrap_err();
        assert!(error.to_string().ends_with(": flags 0x3"), "{error}");
    });
}

#[test]
fn reset_ends_primary_context_and_reports_objects() {
    if !has(Symbol::cuCtxGetId) {
        skip!("the driver cannot tell a context from the one before it");
    }
    alone("context_settings::reset_ends_primary_context_and_reports_objects", || {
        let device = device();
        let context = Context::primary(device).unwrap();
        let stream = Stream::new(&context).unwrap();
        // SAFETY: the stream is only dropped after it, and no other code uses the context.
        unsafe { device.reset_primary_context() }.unwrap();
        assert!(!device.primary_context_state().unwrap().is_active);
        let told = reports(|| drop(stream));
        assert_eq!(told.len(), 1, "{told:?}");
        let again = Context::primary(device).unwrap();
        assert_ne!(again, context);
        Stream::new(&again).unwrap().synchronize().unwrap();
    });
}

#[test]
fn contexts_can_be_pushed_and_popped_by_hand() {
    driver();
    cuda_rt::init().unwrap();
    thread::spawn(|| {
        let (first, second) = (own(), own());
        assert_eq!(Context::current_raw().unwrap(), None);
        assert!(Context::current_device().unwrap_err().is_invalid_context());
        assert_eq!(Context::pop().unwrap_err().code(), Some(Code::InvalidContext));
        first.push().unwrap();
        second.push().unwrap();
        assert_eq!(Context::current_raw().unwrap(), Some(second.as_raw()));
        assert_eq!(Context::current_device().unwrap(), device());
        first.set_current().unwrap();
        assert_eq!(Context::pop().unwrap(), first.as_raw(), "in place of the second");
        assert_eq!(Context::pop().unwrap(), first.as_raw());
        assert_eq!(Context::current_raw().unwrap(), None);
        second.set_current().unwrap();
        assert!(second.is_current().unwrap());
        assert_eq!(Context::pop().unwrap(), second.as_raw());
    })
    .join()
    .unwrap();
}

/// A context that was pushed by hand may end while it is current: what follows works all the same.
#[test]
fn pushed_context_may_be_destroyed() {
    driver();
    cuda_rt::init().unwrap();
    thread::spawn(|| {
        let gone = own();
        gone.push().unwrap();
        let handle = gone.as_raw();
        // Destroying the current context pops it; on another thread it stays here.
        thread::spawn(move || drop(gone)).join().unwrap();
        assert_eq!(Context::current_raw().unwrap(), Some(handle));
        let context = own();
        Stream::new(&context).unwrap().synchronize().unwrap();
        assert_eq!(Context::pop().unwrap(), handle);
    })
    .join()
    .unwrap();
}

#[test]
fn an_event_of_a_context_comes_after_all_its_streams() {
    let context = own();
    let event = Event::new(&context).unwrap();
    match context.record_event(&event) {
        Ok(()) => {}
        Err(error) => {
            assert!(is_missing(&error, Symbol::cuCtxRecordEvent), "{error}");
            skip!("the driver has no events of contexts");
        }
    }
    event.synchronize().unwrap();
    let other = own();
    let theirs = Event::new(&other).unwrap();
    let error = context.record_event(&theirs).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidHandle));
    assert!(error.to_string().contains("another context"), "{error}");
    theirs.record(&Stream::new(&other).unwrap()).unwrap();
    context.wait_event(&theirs).unwrap();
    context.synchronize().unwrap();
}

#[test]
fn two_devices_have_primary_contexts_of_their_own() {
    let Some(second) = cuda_suite::second_device() else { skip!("there is one device") };
    let contexts = [Device::get(0).unwrap(), second].map(|device| Context::primary(device).unwrap());
    assert_ne!(contexts[0], contexts[1]);
    assert_eq!(contexts[1].device(), second);
}
