//! Contexts, and the current context of a thread.

use crate::{alone, is_since};
use cuda_rt::context::ContextFlags;
use cuda_rt::context::MemoryInfo;
use cuda_rt::error::Code;
use cuda_rt::memory::MemorySource;
use cuda_rt::{Context, DeviceBuf, Stream};
use cuda_suite::{context, device, driver, invalid, reports, stream};
use cuda_sys::CUcontext;
use std::ptr::null_mut;
use std::thread;

/// Returns the current context, as the driver says.
fn current() -> CUcontext {
    let mut current = null_mut();
    // SAFETY: valid for a write.
    assert!(unsafe { cuda_sys::cuCtxGetCurrent(&raw mut current) }.is_success());
    current
}

/// Runs on a thread that has never had a context.
fn on_fresh_thread(work: impl FnOnce() + Send + 'static) {
    driver();
    cuda_rt::init().unwrap();
    thread::spawn(work).join().unwrap();
}

#[test]
fn the_primary_context_is_one_and_not_made_current() {
    on_fresh_thread(|| {
        let first = context();
        let second = Context::primary(device()).unwrap();
        assert_eq!(first, second);
        assert_eq!(first.id(), second.id());
        assert_eq!(first.device(), device());
        assert!(current().is_null());
    });
}

#[test]
fn a_created_context_leaves_the_thread_as_it_was() {
    on_fresh_thread(|| {
        let own = Context::new(device(), ContextFlags::SCHED_YIELD).unwrap();
        assert!(current().is_null());
        assert_ne!(own, context());
        assert!(own.id().is_none() || own.id() != context().id());
        assert_eq!(own.flags().unwrap() & ContextFlags::SCHED_MASK, ContextFlags::SCHED_YIELD);
        assert_eq!(own.device(), device());
    });
}

#[test]
fn flags_that_exclude_each_other_are_refused() {
    // All flags except `SYNC_MEMOPS`. Three of them are scheduling flags, which exclude each other.
    let all = ContextFlags::from_bits_retain(0x7f);
    let error = Context::new(device(), all).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().ends_with(": flags 0x7f"), "{error}");
    let both = ContextFlags::SCHED_SPIN | ContextFlags::SCHED_YIELD;
    let error = Context::new(device(), both).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
}

#[test]
fn dropped_guard_restores_the_current_context() {
    on_fresh_thread(|| {
        let (first, second) = (context(), Context::new(device(), ContextFlags::default()).unwrap());
        {
            let _outer = first.enter().unwrap();
            assert_eq!(current(), first.as_raw());
            {
                let _inner = second.enter().unwrap();
                assert_eq!(current(), second.as_raw());
                let _again = second.enter().unwrap();
                assert!(second.is_current().unwrap());
                // A call that needs the other context restores this one.
                Stream::new(&first).unwrap().synchronize().unwrap();
                assert_eq!(current(), second.as_raw());
            }
            assert_eq!(current(), first.as_raw());
        }
        assert!(current().is_null());
    });
}

#[test]
fn guards_dropped_out_of_order_pop_only_their_own() {
    let reports = reports(|| {
        on_fresh_thread(|| {
            let (first, second) = (context(), Context::new(device(), ContextFlags::default()).unwrap());
            let outer = first.enter().unwrap();
            let inner = second.enter().unwrap();
            drop(outer);
            assert_eq!(current(), second.as_raw(), "the later guard holds");
            drop(inner);
            assert!(current().is_null(), "both are gone");
        });
    });
    let early = |report: &&String| report.contains("before 1 later guards");
    assert_eq!(reports.iter().filter(early).count(), 1, "{reports:?}");
}

#[test]
fn every_guard_holds_its_context_by_itself() {
    let reports = reports(|| {
        on_fresh_thread(|| {
            let context = context();
            let first = context.enter().unwrap();
            let second = context.enter().unwrap();
            drop(first);
            assert!(context.is_current().unwrap(), "the second holds it");
            drop(second);
            assert!(current().is_null());
        });
    });
    assert!(reports.iter().any(|report| report.contains("before 1 later guards")));
}

#[test]
fn guard_does_not_pop_a_context_of_other_code() {
    let reports = reports(|| {
        on_fresh_thread(|| {
            let (first, second) = (context(), Context::new(device(), ContextFlags::default()).unwrap());
            let guard = first.enter().unwrap();
            // SAFETY: the context is live.
            assert!(unsafe { cuda_sys::cuCtxPushCurrent_v2(second.as_raw()) }.is_success());
            drop(guard);
            assert_eq!(current(), second.as_raw());
            let mut popped = null_mut();
            // SAFETY: valid for a write.
            assert!(unsafe { cuda_sys::cuCtxPopCurrent_v2(&raw mut popped) }.is_success());
            assert_eq!(popped, second.as_raw());
        });
    });
    assert!(reports.iter().any(|report| report.contains("it was left as it is")));
}

#[test]
fn forgotten_guard_does_no_harm() {
    on_fresh_thread(|| {
        let own = Context::new(device(), ContextFlags::default()).unwrap();
        #[allow(clippy::mem_forget)] // what the test is about
        std::mem::forget(own.enter().unwrap());
        drop(own);
        // The thread goes on with a destroyed context on its stack; the crate works all the same.
        let stream = Stream::new(&context()).unwrap();
        stream.synchronize().unwrap();
    });
}

#[test]
fn objects_keep_their_context() {
    on_fresh_thread(|| {
        let own = Context::new(device(), ContextFlags::default()).unwrap();
        let stream = Stream::new(&own).unwrap();
        drop(own);
        stream.synchronize().unwrap();
        assert!(stream.context().id().is_none_or(|id| id > 0));
    });
}

#[test]
fn adopted_context_is_destroyed_once_borrowed_never() {
    on_fresh_thread(|| {
        let mut raw = null_mut();
        // SAFETY: valid for a write.
        assert!(unsafe { cuda_sys::cuCtxCreate_v2(&raw mut raw, 0, device().as_raw()) }.is_success());
        {
            let owner = Box::new("stands for whatever keeps the context");
            // SAFETY: live, and no code destroys it meanwhile.
            let borrowed = unsafe { Context::from_raw_with_owner(raw, owner) }.unwrap();
            Stream::new(&borrowed).unwrap().synchronize().unwrap();
        }
        let mut flags = 0;
        // SAFETY: valid for a write; the context was pushed when it was made.
        assert!(unsafe { cuda_sys::cuCtxGetFlags(&raw mut flags) }.is_success(), "it lives on");
        // SAFETY: live, and given away here.
        drop(unsafe { Context::from_raw(raw) }.unwrap());
        let mut id = 0;
        // SAFETY: the driver answers for a destroyed context.
        let gone = unsafe { cuda_sys::cuCtxGetId(raw, &raw mut id) };
        let expected =
            if crate::is_since(12, 0) { Code::ContextIsDestroyed } else { Code::CallRequiresNewerDriver };
        assert_eq!(Code::new(gone), Some(expected));
    });
}

#[test]
fn contexts_are_used_from_many_threads() {
    let context = context();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let stream = Stream::new(&context).unwrap();
                    stream.synchronize().unwrap();
                }
                assert!(current().is_null());
            });
        }
    });
}

#[test]
fn the_interface_version_is_not_the_drivers() {
    on_fresh_thread(|| {
        let mut raw = null_mut();
        // SAFETY: valid for a write.
        assert!(unsafe { cuda_sys::cuCtxCreate_v2(&raw mut raw, 0, device().as_raw()) }.is_success());
        // SAFETY: live, and given away here.
        let context = unsafe { Context::from_raw(raw) }.unwrap();
        // The context was created by `cuCtxCreate_v2`, which CUDA 3.2 introduced.
        assert_eq!(context.api_version().unwrap(), 3020);
    });
}

#[test]
fn allocations_are_taken_from_free_memory() {
    // In a process of its own: other tests allocate.
    alone("context::allocations_are_taken_from_free_memory", || {
        const BYTES: usize = 256 << 20;
        // Allocations come in blocks; the driver takes a little for itself.
        const MORE: usize = 64 << 20;
        let stream = stream();
        let context = stream.context();
        let taken_and_given = || {
            let MemoryInfo { free, total, .. } = context.memory_info().unwrap();
            assert!(free <= total && total <= context.device().total_memory().unwrap());
            let buffer = DeviceBuf::<u8>::uninit_in(&stream, BYTES, MemorySource::Plain).unwrap();
            let less = context.memory_info().unwrap();
            assert_eq!(less.total, total);
            buffer.close().unwrap();
            let again = context.memory_info().unwrap();
            assert_eq!(again.total, total);
            [free, again.free].map(|most| most.wrapping_sub(less.free))
        };
        // Other processes use the device, too.
        let differences: Vec<_> = (0..50).map(|_| taken_and_given()).collect();
        let is_right = |both: &[usize; 2]| both.iter().all(|bytes| (BYTES..BYTES + MORE).contains(bytes));
        assert!(differences.iter().any(is_right), "{BYTES}: {differences:?}");
    });
}

#[test]
fn priorities_are_told_from_the_greatest_on() {
    let priorities = context().stream_priority_range().unwrap();
    assert!(priorities.start() <= priorities.end());
}

/// Some functions need a current context although they take a handle or an address: measured, and recorded as their call class.
#[test]
fn functions_need_a_current_context_by_their_class() {
    use cuda_suite::raw::{allocate, context, function, page_locked, stream};
    use cuda_suite::{call, code};
    use cuda_sys::*;

    cuda_suite::driver();
    thread::spawn(|| {
        call!(cuInit(0));
        let own = context(0);
        let (on, at, (_, _)) = (stream(1), allocate(64), page_locked(16));
        let ptx = c".version 6.4 .target sm_50 .address_size 64 .visible .entry k() { ret; }";
        let kernel = function(ptx, c"k");
        let (mut event, mut host) = (null_mut(), null_mut());
        call!(cuEventCreate(&raw mut event, 0));
        call!(cuMemHostAlloc(&raw mut host, 64, 0));
        let (mut number, mut size, mut flags, mut address) = (0, 0_usize, 0, 0);
        let (number, size, flags, address) =
            (&raw mut number, &raw mut size, &raw mut flags, &raw mut address);
        type Ask<'a> = (Symbol, Box<dyn Fn() -> CUresult + 'a>);
        let asks: Vec<Ask<'_>> = vec![
            (Symbol::cuStreamSynchronize, Box::new(move || code!(cuStreamSynchronize(on)))),
            (Symbol::cuEventRecord, Box::new(move || code!(cuEventRecord(event, on)))),
            (Symbol::cuEventSynchronize, Box::new(move || code!(cuEventSynchronize(event)))),
            (Symbol::cuMemsetD8Async, Box::new(move || code!(cuMemsetD8Async(at, 1, 4, on)))),
            (
                Symbol::cuFuncGetAttribute,
                Box::new(move || {
                    code!(cuFuncGetAttribute(number, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel))
                }),
            ),
            (
                Symbol::cuOccupancyMaxActiveBlocksPerMultiprocessor,
                Box::new(move || code!(cuOccupancyMaxActiveBlocksPerMultiprocessor(number, kernel, 32, 0))),
            ),
            (Symbol::cuFuncSetBlockShape, Box::new(move || code!(cuFuncSetBlockShape(kernel, 1, 1, 1)))),
            (Symbol::cuMemHostGetFlags, Box::new(move || code!(cuMemHostGetFlags(flags, host)))),
            (
                Symbol::cuMemHostGetDevicePointer_v2,
                Box::new(move || code!(cuMemHostGetDevicePointer_v2(address, host, 0))),
            ),
            (
                Symbol::cuMemGetAddressRange_v2,
                Box::new(move || code!(cuMemGetAddressRange_v2(address, size, at))),
            ),
            (Symbol::cuMemAlloc_v2, Box::new(move || code!(cuMemAlloc_v2(address, 64)))),
            (Symbol::cuEventDestroy_v2, Box::new(move || code!(cuEventDestroy_v2(event)))),
            (Symbol::cuMemFreeHost, Box::new(move || code!(cuMemFreeHost(host)))),
            (Symbol::cuMemFree_v2, Box::new(move || code!(cuMemFree_v2(at)))),
        ];
        for (symbol, ask) in asks {
            call!(cuCtxSetCurrent(null_mut()));
            let without = ask();
            call!(cuCtxSetCurrent(own));
            match symbol.call_class() {
                CallClass::CurrentContext => {
                    assert_eq!(without, CUresult::CUDA_ERROR_INVALID_CONTEXT, "{symbol}");
                    assert_eq!(ask(), CUresult::CUDA_SUCCESS, "{symbol}");
                }
                _ => assert_eq!(without, CUresult::CUDA_SUCCESS, "{symbol}"),
            }
        }
    })
    .join()
    .unwrap();
}

#[test]
fn current_context_is_returned_as_an_owned_value() {
    on_fresh_thread(|| {
        assert_eq!(Context::current().unwrap(), None);
        // A primary context that other code has made current.
        let primary = context();
        // SAFETY: the context is live.
        assert!(unsafe { cuda_sys::cuCtxPushCurrent_v2(primary.as_raw()) }.is_success());
        assert_eq!(Context::current().unwrap().as_ref(), Some(&primary));
        Context::pop().unwrap();
        // Created. The value keeps it.
        let own = Context::new(device(), ContextFlags::default()).unwrap();
        own.push().unwrap();
        let found = Context::current().unwrap().unwrap();
        assert_eq!(found, own);
        drop(own);
        Stream::new(&found).unwrap().synchronize().unwrap();
        // A context of other code, with its owner.
        // SAFETY: the owner keeps it.
        let foreign = unsafe { Context::from_raw_with_owner(found.as_raw(), Box::new(found)) }.unwrap();
        let again = Context::current().unwrap().unwrap();
        assert_eq!((again.as_raw(), again.id()), (foreign.as_raw(), foreign.id()));
        drop(foreign);
        again.synchronize().unwrap();
        drop(again);
        // Dropped on the thread where it was current.
        assert_eq!(Context::current().unwrap(), None);
    });
}

#[test]
fn a_current_context_of_others_is_refused() {
    on_fresh_thread(|| {
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write.
        assert!(unsafe { cuda_sys::cuCtxCreate_v2(&raw mut raw, 0, device().as_raw()) }.is_success());
        let error = Context::current().unwrap_err();
        assert_eq!(error, invalid(format!("current context: {:#x} was made by other code", raw.addr())));
        assert!(error.to_string().contains("`Context::from_raw_with_owner`"), "{error}");
        assert_eq!(Context::current_raw().unwrap(), Some(raw));
        {
            // SAFETY: it is destroyed after this block.
            let known = unsafe { Context::from_raw_with_owner(raw, Box::new(())) }.unwrap();
            assert_eq!(Context::current().unwrap(), Some(known));
        }
        assert!(Context::current().is_err(), "nothing keeps it any more");
        // SAFETY: made above.
        assert!(unsafe { cuda_sys::cuCtxDestroy_v2(raw) }.is_success());
    });
}

#[test]
fn a_current_context_that_is_gone_is_not_found() {
    on_fresh_thread(|| {
        let own = Context::new(device(), ContextFlags::default()).unwrap();
        own.push().unwrap();
        let handle = own.as_raw();
        // On this thread its handle stays.
        thread::spawn(move || drop(own)).join().unwrap();
        assert_eq!(Context::current_raw().unwrap(), Some(handle));
        let error = Context::current().unwrap_err();
        if is_since(12, 0) {
            assert_eq!(error.code(), Some(Code::ContextIsDestroyed), "{error}");
        } else {
            assert_eq!(
                error,
                invalid(format!("current context: {:#x} was made by other code", handle.addr()))
            );
        }
        Context::pop().unwrap();
    });
}

/// Copies look at the current context first, although their stream names another one (fact V1162).
#[test]
fn work_goes_on_while_a_gone_context_is_current() {
    on_fresh_thread(|| {
        let context = context();
        let stream = Stream::new(&context).unwrap();
        let other = Context::new(device(), ContextFlags::default()).unwrap();
        other.push().unwrap();
        let gone = other.as_raw();
        thread::spawn(move || drop(other)).join().unwrap();
        let source = [MemorySource::Default, MemorySource::Plain];
        for source in source {
            let (from, to) = ([1_u32, 2, 3], [0_u32; 3]);
            let from = DeviceBuf::from_host_in(&stream, &from, source).unwrap();
            let mut to = DeviceBuf::from_host_in(&stream, &to, source).unwrap();
            to.copy_from_device(from.as_slice()).unwrap();
            to.copy_from_host(&[4, 5, 6]).unwrap();
            to.copy_from_device(from.as_slice()).unwrap();
            stream.synchronize().unwrap();
            assert_eq!(to.to_vec().unwrap(), [1, 2, 3]);
            from.close().unwrap();
            to.close().unwrap();
        }
        stream.close().unwrap();
        assert_eq!(current(), gone);
        Context::pop().unwrap();
    });
}

/// The driver reuses a context's handle at once. So the current handle may name a context that the
/// other thread has created since.
#[test]
fn current_context_query_meets_ending_contexts() {
    let rounds = if cuda_suite::driver() == cuda_suite::Choice::Real { 5 } else { 100 };
    on_fresh_thread(move || {
        for _ in 0..rounds {
            let own = Context::new(device(), ContextFlags::default()).unwrap();
            own.push().unwrap();
            thread::scope(|scope| {
                scope.spawn(move || {
                    drop(own);
                    drop(Context::new(device(), ContextFlags::default()).unwrap());
                });
                for _ in 0..20 {
                    match Context::current() {
                        // The context lives as long as `found`.
                        Ok(Some(found)) => Stream::new(&found).unwrap().close().unwrap(),
                        // The last handle was dropped here.
                        Ok(None) => return,
                        Err(error) => assert!(
                            error.is_invalid_context() || error == invalid("was made by other code"),
                            "{error}"
                        ),
                    }
                }
            });
            if Context::current_raw().unwrap().is_some() {
                Context::pop().unwrap();
            }
        }
    });
}
