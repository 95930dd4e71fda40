//! Work that involves two devices, while handles to its contexts and memory are dropped.

#![allow(clippy::unwrap_used)]
#![allow(unsafe_code)] // what others do

use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::graph::{AddNodes, CaptureOptions, Graph, HostCell};
use cuda_rt::memory::{MemPool, MemPoolOptions, MemorySource};
use cuda_rt::memory::{RegisterFlags, RegisteredBuf, Scope, register_shared_scoped};
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{Context, Device, DeviceBuf, Event, PinnedBuf, Stream};
use cuda_sim::{Config, FaultRule, Machine, Schedule};
use cuda_suite::raw::machine;
use cuda_suite::reports;
use cuda_sys::{CUresult, Symbol};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{null_mut, with_exposed_provenance_mut};
use std::slice::from_raw_parts;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

const REFUSED: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;

/// One test at a time: the hook, and the record of copies, are of the process.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pair() -> (Context, Context) {
    let own = |device| Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap();
    (own(0), own(1))
}

/// Forgets a copy between devices, so that no buffer of this crate waits for it. The copy continues when the sender is used, and
/// then sets the flag.
fn copy_given_away(first: &Context, second: &Context) -> (mpsc::Sender<()>, Arc<AtomicBool>) {
    let done = Arc::new(AtomicBool::new(false));
    (copy_given_away_until(first, second, &done), done)
}

fn copy_given_away_until(first: &Context, second: &Context, done: &Arc<AtomicBool>) -> mpsc::Sender<()> {
    let (to, from) = (Stream::new(first).unwrap(), Stream::new(second).unwrap());
    let mut copied = DeviceBuf::<u32>::zeroed(&to, 1000).unwrap();
    let source = DeviceBuf::<u32>::zeroed(&from, 1000).unwrap();
    let (go, wait) = mpsc::channel();
    let done = done.clone();
    to.launch_host_function(move || {
        let _ = wait.recv();
        done.store(true, Ordering::SeqCst);
    })
    .unwrap();
    copied.copy_from_device(source.as_slice()).unwrap();
    let _ = (copied.into_raw(), source.into_raw());
    go
}

#[test]
fn the_last_handle_waits_for_copies_between_devices() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let primary = |device| Context::primary(Device::get(device).unwrap()).unwrap();
    let (first, second) = (primary(0), primary(1));
    // Others hold the contexts, too, so that the driver does not wait.
    for device in [0, 1] {
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write.
        assert!(unsafe { cuda_sys::cuDevicePrimaryCtxRetain(&raw mut raw, device) }.is_success());
    }
    let (go, done) = copy_given_away(&first, &second);
    // Other handles to the context remain.
    drop(primary(0));
    assert!(!done.load(Ordering::SeqCst));
    let entered = machine.clone();
    let waker = thread::spawn(move || {
        let _entered = entered.enter();
        thread::sleep(Duration::from_millis(50));
        go.send(()).unwrap();
    });
    drop((first, second));
    assert!(done.load(Ordering::SeqCst), "the event of the copy is the context's");
    waker.join().unwrap();
    assert_eq!(machine.live().events, 0);
}

#[test]
fn a_context_stays_if_its_copies_cannot_be_waited_for() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let primary = |device| Context::primary(Device::get(device).unwrap()).unwrap();
    let (first, second) = (primary(0), primary(1));
    let (go, done) = copy_given_away(&first, &second);
    machine.inject(FaultRule::new(Symbol::cuEventQuery, REFUSED).times(2));
    let told = ends("a handle whose copies cannot be asked for", || reports(|| drop(first)));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(!done.load(Ordering::SeqCst));
    let is_active = || Device::get(0).unwrap().primary_context_state().unwrap().is_active;
    assert!(is_active());
    go.send(()).unwrap();
    let next = primary(0);
    next.synchronize().unwrap();
    // The next handle finds the copy done.
    drop(next);
    assert_eq!(machine.live().events, 0);
    drop(second);
}

#[test]
fn memory_is_freed_after_a_guard_on_another_device() {
    let _alone = alone();
    let (machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    let (first, second) = pair();
    let (work, home) = (Stream::new(&first).unwrap(), Stream::new(&second).unwrap());
    let done = Arc::new(AtomicBool::new(false));
    let buffer = DeviceBuf::<u32>::zeroed_in(&home, 1000, MemorySource::Plain).unwrap();
    let guard = buffer.use_on(&work).unwrap();
    let at_end = done.clone();
    work.launch_host_function(move || at_end.store(true, Ordering::SeqCst)).unwrap();
    guard.close().unwrap();
    assert!(!done.load(Ordering::SeqCst), "the guard does not wait");
    // The driver would take the access of the other device away before it waits.
    drop(buffer);
    assert!(done.load(Ordering::SeqCst));
    drop((work, home, first, second));
    assert_eq!(machine.live().events, 0);
}

/// Ends the process if the work takes a minute, which a thread that waits for itself would.
fn ends<R>(what: &'static str, work: impl FnOnce() -> R) -> R {
    let (ended, end) = mpsc::channel::<()>();
    thread::spawn(move || {
        if end.recv_timeout(Duration::from_secs(60)) == Err(mpsc::RecvTimeoutError::Timeout) {
            cuda_suite::say(&format!("{what} does not end"));
            std::process::abort();
        }
    });
    let result = work();
    drop(ended);
    result
}

/// Lets a copy go on after a while.
fn later(machine: &Machine, go: mpsc::Sender<()>) -> JoinHandle<()> {
    let machine = machine.clone();
    thread::spawn(move || {
        let _entered = machine.enter();
        thread::sleep(Duration::from_millis(50));
        go.send(()).unwrap();
    })
}

fn primaries() -> (Context, Context) {
    let primary = |device| Context::primary(Device::get(device).unwrap()).unwrap();
    (primary(0), primary(1))
}

/// A value whose destructor does something.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[test]
fn copies_end_before_a_context_that_stays() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    first.enable_peer_access(&second).unwrap();
    let (go, done) = copy_given_away(&first, &second);
    machine.inject(FaultRule::new(Symbol::cuCtxDestroy_v2, REFUSED).times(1));
    let waker = later(&machine, go);
    first.close().unwrap_err();
    assert!(done.load(Ordering::SeqCst), "closing the pools would end the copy");
    waker.join().unwrap();
    second.synchronize().unwrap();
}

#[test]
fn access_stays_under_copies_while_an_owner_ends() {
    let _alone = alone();
    let (machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    let (first, second) = primaries();
    first.enable_peer_access(&second).unwrap();
    let (near, far) = (first.clone(), second.clone());
    let owner = OnDrop(move || assert!(near.disable_peer_access(&far).unwrap()));
    // SAFETY: the other handle outlives this one.
    let foreign = unsafe { Context::from_raw_with_owner(first.as_raw(), Box::new(owner)) }.unwrap();
    let (go, done) = copy_given_away(&first, &second);
    let waker = later(&machine, go);
    ends("the owner's destructor", || drop(foreign));
    assert!(done.load(Ordering::SeqCst), "access was taken away under a copy");
    first.synchronize().unwrap();
    waker.join().unwrap();
}

#[test]
fn a_handle_that_owns_the_last_one_ends() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = primaries();
    // SAFETY: the owner keeps the context.
    let foreign = unsafe { Context::from_raw_with_owner(first.as_raw(), Box::new(first)) }.unwrap();
    let (go, done) = copy_given_away(&foreign, &second);
    let waker = later(&machine, go);
    ends("the handle", || drop(foreign));
    assert!(done.load(Ordering::SeqCst));
    waker.join().unwrap();
}

#[test]
fn an_owner_may_wait_for_threads_with_handles() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = primaries();
    let raw = first.as_raw();
    let (stop, stopped) = mpsc::channel::<()>();
    let entered = machine.clone();
    let mut worker = Some(thread::spawn(move || {
        let _entered = entered.enter();
        let _ = stopped.recv();
        drop(first);
    }));
    let mut stop = Some(stop);
    let owner = Mutex::new(OnDrop(move || {
        drop(stop.take());
        worker.take().unwrap().join().unwrap();
    }));
    // SAFETY: the owner's thread keeps the context.
    let foreign = unsafe { Context::from_raw_with_owner(raw, Box::new(owner)) }.unwrap();
    let (go, _) = copy_given_away(&foreign, &second);
    let waker = later(&machine, go);
    ends("the handle", || drop(foreign));
    waker.join().unwrap();
}

/// Copies between devices while the hook does `work`, as often as there are calls at which popping the context can fail.
fn copies_with_a_hook(machine: &Machine, work: impl Fn(&Context, &Context) + Send + Sync + 'static) {
    let (first, second) = pair();
    let (to, from) = (Stream::new(&first).unwrap(), Stream::new(&second).unwrap());
    let mut copied = DeviceBuf::<u32>::zeroed(&to, 1000).unwrap();
    let source = DeviceBuf::<u32>::zeroed(&from, 1000).unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let hook = {
        let (machine, calls, first, second) = (machine.clone(), calls.clone(), first.clone(), second.clone());
        move |_: &_| {
            machine.clear_faults();
            calls.fetch_add(1, Ordering::SeqCst);
            work(&first, &second);
        }
    };
    let before = cuda_rt::handle::set_drop_hook(hook);
    for skip in 0.. {
        let called = calls.load(Ordering::SeqCst);
        first.enable_peer_access(&second).unwrap();
        let (go, wait) = mpsc::channel::<()>();
        to.launch_host_function(move || wait.recv().unwrap_or_default()).unwrap();
        let waker = later(machine, go);
        machine
            .inject(FaultRule::new(Symbol::cuCtxPopCurrent_v2, REFUSED).skip(skip).times(2).on_this_thread());
        ends("a copy", || copied.copy_from_device(source.as_slice())).unwrap();
        machine.clear_faults();
        while Context::current_raw().unwrap().is_some() {
            Context::pop().unwrap();
        }
        to.synchronize().unwrap();
        waker.join().unwrap();
        if calls.load(Ordering::SeqCst) == called {
            break;
        }
    }
    before.restore();
    assert!(calls.load(Ordering::SeqCst) > 0);
}

#[test]
fn a_hook_takes_no_access_away_under_a_copy() {
    let _alone = alone();
    let (machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    copies_with_a_hook(&machine, |first, second| {
        first.disable_peer_access(second).unwrap();
    });
}

#[test]
fn a_hook_copies_while_access_is_taken_away() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let entered = machine.clone();
    copies_with_a_hook(&machine, move |first, second| {
        let (entered, near, far) = (entered.clone(), first.clone(), second.clone());
        let disabling = thread::spawn(move || {
            let _entered = entered.enter();
            near.disable_peer_access(&far).unwrap();
        });
        thread::sleep(Duration::from_millis(20));
        let (to, from) = (Stream::new(first).unwrap(), Stream::new(second).unwrap());
        let mut copied = DeviceBuf::<u32>::zeroed(&to, 10).unwrap();
        let source = DeviceBuf::<u32>::zeroed(&from, 10).unwrap();
        copied.copy_from_device(source.as_slice()).unwrap();
        disabling.join().unwrap();
    });
}

#[test]
fn hooks_of_two_copies_register_each_other_s_memory() {
    let _alone = alone();
    thread_local!(static OTHER: Cell<usize> = const { Cell::new(0) });
    let (machine, _entered) = machine(Config::default());
    let context = Context::new(Device::get(0).unwrap(), ContextFlags::default()).unwrap();
    let memory: [&'static [u32]; 2] = [1, 2].map(|value| &*Box::leak(vec![value; 4096].into_boxed_slice()));
    let registered = Arc::new(AtomicUsize::new(0));
    let hook = {
        let (context, both, registered) = (context.clone(), Barrier::new(2), registered.clone());
        move |_: &_| {
            both.wait();
            register_shared_scoped(&context, memory[OTHER.get()], RegisterFlags::empty(), |_| ()).unwrap();
            registered.fetch_add(1, Ordering::SeqCst);
        }
    };
    let before = cuda_rt::handle::set_drop_hook(hook);
    ends("two copies", || {
        thread::scope(|threads| {
            for (number, own) in memory.into_iter().enumerate() {
                let (machine, context) = (&machine, &context);
                threads.spawn(move || {
                    let _entered = machine.enter();
                    OTHER.set(1 - number);
                    let (stream, home) = (Stream::new(context).unwrap(), Stream::new(context).unwrap());
                    let mut copied = DeviceBuf::<u32>::zeroed(&home, 4096).unwrap();
                    let refused = FaultRule::new(Symbol::cuEventDestroy_v2, REFUSED);
                    machine.inject(refused.on_this_thread().times(1));
                    let copy = |scope: &Scope<'_>| scope.copy_from_host(copied.as_slice_mut(), own);
                    stream.scope(copy).unwrap();
                });
            }
        });
    });
    before.restore();
    assert_eq!(registered.load(Ordering::SeqCst), 2);
}

#[test]
fn events_of_copies_are_asked_for_in_the_relaxed_mode() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    let (to, from) = (Stream::new(&first).unwrap(), Stream::new(&second).unwrap());
    let mut copied = DeviceBuf::<u32>::zeroed(&to, 1000).unwrap();
    let source = DeviceBuf::<u32>::zeroed(&from, 1000).unwrap();
    copied.copy_from_device(source.as_slice()).unwrap();
    machine.record_calls();
    copied.copy_from_device(source.as_slice()).unwrap();
    source.use_on(&to).unwrap().close().unwrap();
    let mut modes = 0;
    let mut asked = 0;
    for call in machine.take_calls() {
        match call.function {
            Symbol::cuThreadExchangeStreamCaptureMode => modes += 1,
            // In the global mode it would end captures of any thread (fact H1).
            Symbol::cuEventQuery => {
                asked += 1;
                assert_eq!(modes % 2, 1);
            }
            _ => {}
        }
    }
    assert!(asked >= 2);
}

#[test]
fn a_failing_question_is_no_answer_about_a_copy() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    first.enable_peer_access(&second).unwrap();
    let (go, _) = copy_given_away(&first, &second);
    let lost = CUresult::CUDA_ERROR_INVALID_CONTEXT;
    machine.inject(FaultRule::new(Symbol::cuCtxGetId, lost).times(2));
    // The context may be of another machine only if it cannot be made current either.
    let error = first.disable_peer_access(&second).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidContext));
    go.send(()).unwrap();
    first.synchronize().unwrap();
    first.disable_peer_access(&second).unwrap();
}

#[test]
fn a_failing_wait_leaves_memory_registered() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    let memory = RegisteredBuf::new(&second, vec![1_u32; 4096], RegisterFlags::PORTABLE).unwrap();
    let stream = Stream::new(&first).unwrap();
    let mut copied = DeviceBuf::<u32>::zeroed(&stream, 4096).unwrap();
    let host: *const [u32] = &raw const *memory;
    stream
        .scope(|scope| {
            // SAFETY: the memory is kept: unregistering it fails below.
            scope.copy_from_host(copied.as_slice_mut(), unsafe { &*host })?;
            let lost = CUresult::CUDA_ERROR_INVALID_CONTEXT;
            machine.inject(FaultRule::new(Symbol::cuStreamSynchronize, lost).times(4));
            let error = memory.unregister().unwrap_err();
            machine.clear_faults();
            assert_eq!(error.error().code(), Some(Code::InvalidContext));
            assert_eq!(machine.live().registered_ranges, 1);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_guard_on_a_legacy_stream_ends_under_a_capture() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let context = Context::new(Device::get(0).unwrap(), ContextFlags::default()).unwrap();
    let (home, legacy) = (Stream::new(&context).unwrap(), Stream::legacy(&context));
    let buffer = DeviceBuf::<u32>::zeroed(&home, 1000).unwrap();
    let guard = buffer.use_on(&legacy).unwrap();
    // The driver's answers while a stream that synchronises with the legacy one is being captured (facts H7, V815).
    let implicit = CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    machine.inject(FaultRule::new(Symbol::cuEventRecord, implicit));
    machine.inject(FaultRule::new(Symbol::cuStreamSynchronize, implicit));
    assert_eq!(guard.close().unwrap_err().code(), Some(Code::StreamCaptureImplicit));
    machine.clear_faults();
}

#[test]
fn the_source_of_a_copy_waits_for_it() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let first = Context::primary(Device::get(0).unwrap()).unwrap();
    let mut raw = null_mut();
    // SAFETY: `raw` is valid for a write.
    assert!(unsafe { cuda_sys::cuDevicePrimaryCtxRetain(&raw mut raw, 1) }.is_success());
    let done = Arc::new(AtomicBool::new(false));
    let at_end = done.clone();
    let owner = OnDrop(move || {
        let is_done = at_end.load(Ordering::SeqCst);
        // SAFETY: the owner's own.
        assert!(unsafe { cuda_sys::cuDevicePrimaryCtxRelease_v2(1) }.is_success());
        assert!(is_done, "the source ends under the copy");
    });
    // SAFETY: the owner keeps the context.
    let foreign = unsafe { Context::from_raw_with_owner(raw, Box::new(owner)) }.unwrap();
    let go = copy_given_away_until(&first, &foreign, &done);
    let waker = later(&machine, go);
    ends("the handle", || drop(foreign));
    waker.join().unwrap();
}

#[test]
fn events_of_done_copies_go_despite_a_copy_that_waits() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    let (go, done) = copy_given_away(&first, &second);
    let (to, from) = (Stream::new(&first).unwrap(), Stream::new(&second).unwrap());
    let mut copied = DeviceBuf::<u32>::zeroed(&to, 10).unwrap();
    let source = DeviceBuf::<u32>::zeroed(&from, 10).unwrap();
    for _ in 0..100 {
        copied.copy_from_device(source.as_slice()).unwrap();
        to.synchronize().unwrap();
        assert!(machine.live().events < 6, "{}", machine.live().events);
    }
    assert!(!done.load(Ordering::SeqCst));
    go.send(()).unwrap();
}

#[test]
fn a_question_about_a_copy_may_fail_once() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = primaries();
    let (go, _) = copy_given_away(&first, &second);
    // The first query returns that the work is not done.
    machine.inject(FaultRule::new(Symbol::cuEventQuery, REFUSED).skip(1).times(1));
    let waker = later(&machine, go);
    assert_eq!(ends("a handle", || reports(|| drop(first))), Vec::<String>::new());
    waker.join().unwrap();
    drop(second);
    assert_eq!(machine.live().primary_retains, 0);
}

#[test]
fn a_hook_runs_after_a_copy_of_a_thread_that_ends() {
    let _alone = alone();
    thread_local!(static LAST: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) });
    let (machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    let hook = {
        let (machine, first, second) = (machine.clone(), first.clone(), second.clone());
        move |_: &_| {
            machine.clear_faults();
            first.disable_peer_access(&second).unwrap();
        }
    };
    let before = cuda_rt::handle::set_drop_hook(hook);
    for skip in 0..10 {
        let (machine, first, second) = (machine.clone(), first.clone(), second.clone());
        let copy = move || {
            let _entered = machine.enter();
            first.enable_peer_access(&second).unwrap();
            let (to, from) = (Stream::new(&first).unwrap(), Stream::new(&second).unwrap());
            let mut copied = DeviceBuf::<u32>::zeroed(&to, 10).unwrap();
            let source = DeviceBuf::<u32>::zeroed(&from, 10).unwrap();
            let refused = FaultRule::new(Symbol::cuCtxPopCurrent_v2, REFUSED);
            machine.inject(refused.skip(skip).times(2).on_this_thread());
            copied.copy_from_device(source.as_slice()).unwrap();
            machine.clear_faults();
            while Context::current_raw().unwrap().is_some() {
                Context::pop().unwrap();
            }
        };
        let thread = thread::spawn(move || {
            // Its destructor is registered before those of values that the copy makes.
            LAST.with_borrow_mut(|last| *last = None);
            copy();
            LAST.with_borrow_mut(|last| *last = Some(Box::new(OnDrop(copy))));
        });
        ends("a copy of a thread that ends", || thread.join()).unwrap();
    }
    before.restore();
}

#[test]
fn an_owner_that_panics_is_noticed_as_gone() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let own = Context::new(Device::get(0).unwrap(), ContextFlags::default()).unwrap();
    let mut raw = null_mut();
    // SAFETY: `raw` is valid for a write.
    assert!(unsafe { cuda_sys::cuCtxCreate_v2(&raw mut raw, 0, 1) }.is_success());
    Context::pop().unwrap();
    let address = raw.expose_provenance();
    let owner = OnDrop(move || {
        // SAFETY: the context is the owner's.
        assert!(unsafe { cuda_sys::cuCtxDestroy_v2(with_exposed_provenance_mut(address)) }.is_success());
        resume_unwind(Box::new("the owner"));
    });
    // SAFETY: the owner keeps the context.
    let foreign = unsafe { Context::from_raw_with_owner(raw, Box::new(owner)) }.unwrap();
    own.enable_peer_access(&foreign).unwrap();
    assert_eq!(machine.live().pool_grants, 1);
    catch_unwind(AssertUnwindSafe(|| drop(foreign))).unwrap_err();
    assert_eq!(machine.live().pool_grants, 0);
}

/// An element of registered memory.
#[repr(transparent)]
struct Element(u32);

static DROPPED: AtomicUsize = AtomicUsize::new(0);

impl Drop for Element {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn registered_memory_is_kept_despite_a_panic() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let own = |device| Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap();
    let (context, other) = (own(0), own(0));
    let memory = Vec::from_iter((0..1000).map(Element));
    let memory = RegisteredBuf::new(&other, memory, RegisterFlags::empty()).map_err(|_| ()).unwrap();
    // SAFETY: the memory stays: its elements are `u32`, and are not written to.
    let numbers: &[u32] = unsafe { from_raw_parts(memory.as_ptr().cast(), memory.len()) };
    let real = Stream::new(&context).unwrap();
    let owner = OnDrop(|| {
        resume_unwind(Box::new("the owner"));
    });
    // SAFETY: the stream outlives the handle.
    let stream = unsafe { Stream::from_raw_with_owner(real.as_raw(), &context, Box::new(owner)) };
    let (waiting, home) = (Stream::new(&context).unwrap(), Stream::new(&context).unwrap());
    let mut copies = [(); 2].map(|()| DeviceBuf::<u32>::zeroed(&home, 1000).unwrap());
    let [first, second] = &mut copies;
    home.synchronize().unwrap();
    let (begin, begun) = mpsc::channel::<()>();
    thread::scope(|threads| {
        let machine = &machine;
        let ending = threads.spawn(move || {
            let _entered = machine.enter();
            begun.recv().unwrap();
            let refused = FaultRule::new(Symbol::cuMemHostUnregister, REFUSED);
            machine.inject(refused.on_this_thread().times(2));
            catch_unwind(AssertUnwindSafe(|| drop(memory.unregister()))).is_err()
        });
        let mut stream = Some(stream);
        waiting
            .scope(|scope| {
                scope.copy_from_host(second.as_slice_mut(), numbers)?;
                let (go, wait) = mpsc::channel::<()>();
                waiting.launch_host_function(move || wait.recv().unwrap_or_default())?;
                stream.as_ref().unwrap().scope(|scope| {
                    scope.copy_from_host(first.as_slice_mut(), numbers)?;
                    begin.send(()).unwrap();
                    // Until the other thread has handles to both streams.
                    thread::sleep(Duration::from_millis(100));
                    Ok(())
                })?;
                // The other thread has the last handle now.
                drop(stream.take());
                drop(go);
                Ok(())
            })
            .unwrap();
        assert!(ends("the registration", || ending.join()).unwrap(), "no owner has panicked");
    });
    assert_eq!(machine.live().registered_ranges, 1);
    assert_eq!(DROPPED.load(Ordering::SeqCst), 0);
}

#[cfg(unix)]
#[test]
fn a_child_that_an_owner_forks_does_not_wait() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = primaries();
    let is_over = AtomicBool::new(false);
    thread::scope(|threads| {
        threads.spawn(|| {
            let _entered = machine.enter();
            while !is_over.load(Ordering::SeqCst) {
                let _ = first.peer_access_state(&second).is_enabled();
            }
        });
        let mut hanging = 0;
        for _ in 0..40 {
            let child = Arc::new(std::sync::atomic::AtomicI32::new(0));
            let forked = child.clone();
            // SAFETY: the child only ends a handle, which asks for nothing there, and itself.
            let owner = OnDrop(move || forked.store(unsafe { libc::fork() }, Ordering::SeqCst));
            // SAFETY: the other handle outlives this one.
            let foreign = unsafe { Context::from_raw_with_owner(first.as_raw(), Box::new(owner)) }.unwrap();
            drop(foreign);
            let child = child.load(Ordering::SeqCst);
            if child == 0 {
                // SAFETY: the child ends here, without the parent's exit handlers.
                unsafe { libc::_exit(0) };
            }
            hanging += usize::from(!ends_soon(child));
        }
        is_over.store(true, Ordering::SeqCst);
        assert_eq!(hanging, 0);
    });
}

/// Returns false after having ended a child that takes ten seconds.
#[cfg(unix)]
fn ends_soon(child: i32) -> bool {
    for _ in 0..1000 {
        // SAFETY: the child is this process's; the status is not asked for.
        if unsafe { libc::waitpid(child, null_mut(), libc::WNOHANG) } == child {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    // SAFETY: the child has not been waited for, so the number is its own.
    unsafe { libc::kill(child, libc::SIGKILL) };
    // SAFETY: as above.
    unsafe { libc::waitpid(child, null_mut(), 0) };
    false
}

/// A stream of the first context, plain memory of the second one with sevens, and as much of the first one.
fn plain_memory(first: &Context, second: &Context) -> (Stream, DeviceBuf<u32>, DeviceBuf<u32>) {
    let (home, far) = (Stream::new(first).unwrap(), Stream::new(second).unwrap());
    let source = DeviceBuf::from_host_in(&far, &[7_u32; 1000], MemorySource::Plain).unwrap();
    let copied = DeviceBuf::zeroed_in(&home, 1000, MemorySource::Plain).unwrap();
    (home, source, copied)
}

#[test]
fn access_stays_under_copies_of_graphs() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    let (home, source, mut copied) = plain_memory(&first, &second);
    first.enable_peer_access(&second).unwrap();
    let mut graph = Graph::new(&first).unwrap();
    graph.copy(&[], &mut copied, &source).unwrap();
    let streams = [home, Stream::new(&first).unwrap()];
    for stream in &streams {
        let (go, wait) = mpsc::channel::<()>();
        let done = Arc::new(AtomicBool::new(false));
        let at_end = Arc::clone(&done);
        stream
            .launch_host_function(move || {
                let _ = wait.recv();
                at_end.store(true, Ordering::SeqCst);
            })
            .unwrap();
        let mut exec = graph.instantiate(Default::default()).unwrap();
        exec.launch(stream).unwrap();
        let waker = later(&machine, go);
        assert!(first.disable_peer_access(&second).unwrap());
        assert!(done.load(Ordering::SeqCst), "access was taken away under a copy");
        waker.join().unwrap();
        // The copy would still use the access.
        first.enable_peer_access(&second).unwrap();
        let refused = exec.launch(stream).unwrap_err();
        let text =
            "access between the devices 0 and 1 was disabled after the graph was made; build the graph again";
        assert!(refused.to_string().contains(text), "{refused}");
        exec.update(&mut graph).unwrap();
        exec.launch(stream).unwrap_err();
        graph = Graph::new(&first).unwrap();
        graph.copy(&[], &mut copied, &source).unwrap();
    }
    assert_eq!(copied.to_vec().unwrap(), [7; 1000]);
    let mut exec = graph.instantiate(Default::default()).unwrap();
    exec.launch(&streams[0]).unwrap();
    streams[0].synchronize().unwrap();
}

#[test]
fn graphs_with_copies_on_a_peer_are_refused_later() {
    let _alone = alone();
    let (_machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    let (home, far) = (Stream::new(&first).unwrap(), Stream::new(&second).unwrap());
    // Memory of the pool of the second device, which the first one needs access to.
    let source = DeviceBuf::from_host(&far, &[7_u32; 1000]).unwrap();
    let mut copied = DeviceBuf::<u32>::zeroed(&far, 1000).unwrap();
    let mut own = DeviceBuf::<u32>::zeroed(&home, 1000).unwrap();
    first.enable_peer_access(&second).unwrap();
    let mut graph = Graph::new(&first).unwrap();
    graph.copy(&[], &mut copied, &source).unwrap();
    first.disable_peer_access(&second).unwrap();
    // Memory of the own device is newer.
    graph.fill(&[], &mut own, 1).unwrap();
    let mut exec = graph.instantiate(Default::default()).unwrap();
    let refused = exec.launch(&home).unwrap_err();
    assert!(refused.to_string().contains("was disabled after the graph was made"), "{refused}");
    home.synchronize().unwrap();
}

#[test]
fn access_stays_after_a_launch_whose_end_is_unknown() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    let (home, source, mut copied) = plain_memory(&first, &second);
    first.enable_peer_access(&second).unwrap();
    let mut graph = Graph::new(&first).unwrap();
    graph.copy(&[], &mut copied, &source).unwrap();
    let mut exec = graph.instantiate(Default::default()).unwrap();
    let (go, wait) = mpsc::channel::<()>();
    home.launch_host_function(move || {
        let _ = wait.recv();
    })
    .unwrap();
    // The first event orders the streams; the second one is that after the launch.
    machine.inject(FaultRule::new(Symbol::cuEventRecord, REFUSED).skip(1).times(1));
    machine.inject(FaultRule::new(Symbol::cuStreamSynchronize, REFUSED).times(1));
    exec.launch(&home).unwrap_err();
    assert!(exec.is_poisoned());
    let refused = first.disable_peer_access(&second).unwrap_err();
    assert!(refused.to_string().contains("a graph may still run"), "{refused}");
    go.send(()).unwrap();
    home.synchronize().unwrap();
    assert_eq!(copied.to_vec().unwrap(), [7; 1000]);
}

#[test]
fn launches_wait_for_disabled_access_without_locks() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, second) = pair();
    let (home, source, mut copied) = plain_memory(&first, &second);
    let mut own = DeviceBuf::<u32>::zeroed_in(&home, 1000, MemorySource::Plain).unwrap();
    first.enable_peer_access(&second).unwrap();
    let mut between = Graph::new(&first).unwrap();
    between.copy(&[], &mut copied, &source).unwrap();
    let mut between = between.instantiate(Default::default()).unwrap();
    let mut within = Graph::new(&first).unwrap();
    within.fill(&[], &mut own, 1).unwrap();
    let mut within = within.instantiate(Default::default()).unwrap();
    let (go, _done) = copy_given_away(&first, &second);
    let elsewhere = Stream::new(&first).unwrap();
    let (announced, is_announced) = mpsc::channel::<()>();
    ends("the launches", || {
        thread::scope(|scope| {
            let disables = scope.spawn(|| {
                let _entered = machine.enter();
                first.disable_peer_access(&second)
            });
            // Until the access is about to be disabled, this launch is accepted.
            let launches = scope.spawn(|| {
                let _entered = machine.enter();
                loop {
                    match between.launch(&elsewhere) {
                        Ok(()) => announced.send(()).unwrap(),
                        refused => break refused,
                    }
                }
            });
            // The same home stream, while the other launch waits.
            while is_announced.recv_timeout(Duration::from_millis(200)).is_ok() {}
            let _entered = machine.enter();
            within.launch(&Stream::new(&first).unwrap()).unwrap();
            go.send(()).unwrap();
            assert!(disables.join().unwrap().unwrap());
            let refused = launches.join().unwrap().unwrap_err();
            assert!(refused.to_string().contains("was disabled after the graph was made"), "{refused}");
        });
    });
}

#[test]
fn launches_over_three_devices_leave_no_events() {
    let _alone = alone();
    let (machine, _entered) = machine(Config { devices: 4, ..Config::default() });
    let contexts =
        [0, 1, 2].map(|device| Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap());
    let streams = contexts.each_ref().map(|context| Stream::new(context).unwrap());
    let [mut to, first, second] = streams
        .each_ref()
        .map(|stream| DeviceBuf::<u32>::zeroed_in(stream, 10, MemorySource::Plain).unwrap());
    let mut graph = Graph::new(&contexts[0]).unwrap();
    let copy = graph.copy(&[], &mut to, &first).unwrap();
    graph.copy(&[copy.any()], &mut to, &second).unwrap();
    let mut exec = graph.instantiate(Default::default()).unwrap();
    for _ in 0..50 {
        exec.launch(&streams[0]).unwrap();
        streams[0].synchronize().unwrap();
    }
    assert!(machine.live().events < 10, "{}", machine.live().events);
}

#[test]
fn graphs_of_older_children_are_refused() {
    for fills_first in [false, true] {
        let _alone = alone();
        let (_machine, _entered) = machine(Config::default());
        let (first, second) = pair();
        let (home, far) = (Stream::new(&first).unwrap(), Stream::new(&second).unwrap());
        first.enable_peer_access(&second).unwrap();
        let source = DeviceBuf::from_host(&far, &[7_u32; 1000]).unwrap();
        let mut copied = DeviceBuf::<u32>::zeroed(&home, 1000).unwrap();
        let mut child = Graph::new(&first).unwrap();
        child.copy(&[], &mut copied, &source).unwrap();
        first.disable_peer_access(&second).unwrap();
        let (mut graph, ()) = Graph::capture(&first, CaptureOptions::new(), |capture| {
            if fills_first {
                capture.fill(&mut copied, 1)?;
            }
            capture.child(&mut child)?;
            Ok(())
        })
        .unwrap();
        let mut exec = graph.instantiate(Default::default()).unwrap();
        let refused = exec.launch(&home).unwrap_err();
        assert!(refused.to_string().contains("was disabled after the graph was made"), "{refused}");
        home.synchronize().unwrap();
    }
}

#[test]
fn a_failed_launch_drops_owners_without_locks() {
    struct Locks(HostCell<PinnedBuf<u32>>, Arc<AtomicBool>);
    impl Drop for Locks {
        fn drop(&mut self) {
            self.1.store(self.0.lock().is_ok(), Ordering::SeqCst);
        }
    }

    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (context, _second) = pair();
    let stream = Stream::new(&context).unwrap();
    let cell = HostCell::new(PinnedBuf::from_slice(&context, &[0_u32; 4]).unwrap());
    let buffer = DeviceBuf::from_host(&stream, &[5_u32; 4]).unwrap();
    let mut graph = Graph::new(&context).unwrap();
    graph.download(&[], &cell, &buffer).unwrap();
    let mut exec = graph.instantiate(Default::default()).unwrap();
    let inner = Stream::new(&context).unwrap();
    let has_locked = Arc::new(AtomicBool::new(false));
    let owner = Box::new((Locks(cell.clone(), Arc::clone(&has_locked)), inner.clone()));
    // SAFETY: the owner keeps the stream.
    let foreign = unsafe { Stream::from_raw_with_owner(inner.as_raw(), &context, owner) };
    exec.launch(&foreign).unwrap();
    drop(foreign);
    // The event after the launch.
    machine.inject(FaultRule::new(Symbol::cuEventRecord, REFUSED).skip(2).times(1));
    ends("the launch", || exec.launch(&PerThreadStream::new(&context))).unwrap_err();
    assert!(has_locked.load(Ordering::SeqCst));
}

#[test]
fn a_lasting_failure_of_a_pool_is_reported_once() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, _second) = pair();
    let stream = Stream::new(&first).unwrap();
    let pool = MemPool::new(first.device(), MemPoolOptions::new()).unwrap();
    drop(DeviceBuf::<u32>::zeroed_in(&stream, 10, &pool).unwrap());
    drop(pool);
    machine.inject(FaultRule::new(Symbol::cuMemPoolTrimTo, REFUSED).times(4));
    let told = reports(|| (0..4).for_each(|_| stream.synchronize().unwrap()));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("cuMemPoolTrimTo") && told[0].contains("cuMemPoolDestroy"), "{told:?}");
    assert_eq!(machine.live().memory_pools, 1);
    stream.synchronize().unwrap();
    assert_eq!(machine.live().memory_pools, 0);
}

#[test]
fn each_wait_ends_pools_whose_memory_is_free() {
    let _alone = alone();
    let (machine, _entered) = machine(Config::default());
    let (first, _second) = pair();
    let stream = Stream::new(&first).unwrap();
    let leave_pool = || {
        let pool = MemPool::new(first.device(), MemPoolOptions::new()).unwrap();
        drop(DeviceBuf::<u32>::zeroed_in(&stream, 10, &pool).unwrap());
        drop(pool);
        assert_eq!(machine.live().memory_pools, 1);
    };
    leave_pool();
    Event::new(&first).unwrap().record(&stream).unwrap().synchronize().unwrap();
    assert_eq!(machine.live().memory_pools, 0);
    leave_pool();
    first.synchronize().unwrap();
    assert_eq!(machine.live().memory_pools, 0);
    leave_pool();
    PerThreadStream::new(&first).synchronize().unwrap();
    stream.synchronize().unwrap();
    assert_eq!(machine.live().memory_pools, 0);
}
