//! Host functions.
#![allow(unsafe_code)]

use crate::raw::{begin_capture, end_capture};
use cuda_rt::array::MipmappedArray;
use cuda_rt::context::ContextFlags;
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{
    AccessSize, CachingPool, MemAttach, MemPool, MemPoolOptions, MemorySource, PhysicalMemory,
    PhysicalMemoryOptions, PinnedFlags, PinnedPool, PitchedBuf, RegisterFlags, RegisteredBuf, VirtualMemory,
};
use cuda_rt::stream::{AsStream, HostTaskSyncMode, PerThreadStream, StreamFlags};
use cuda_rt::surface::SurfObject;
use cuda_rt::texture::TextureDescriptor;
use cuda_rt::{
    Array, Context, Device, DeviceBuf, Error, Event, LaunchConfig, ManagedBuf, Module, PinnedBuf, Result,
    Stream, TexObject, TexRef,
};
use cuda_suite::{Choice, capturing, context, device, reports, skip, stream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(20);
const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry nothing() { ret; }
    .visible .entry boom() { trap; ret; }";

/// Skips a test that waits for a host function without a driver call. If queued work is done as late as possible, it is done when
/// such a call waits for it.
macro_rules! needs_progress {
    () => {
        let config = std::env::var("CUDA_SIM").unwrap_or_default();
        if config.contains("schedule=lazy") && cuda_suite::driver() == Choice::Sim {
            skip!("queued work is done when the driver is asked to wait");
        }
    };
}

/// A stream of a context of its own. Host functions that wait for their test run there: other tests wait for all work of the shared
/// context, and the driver makes further calls in it wait meanwhile.
fn own_stream() -> Stream {
    Stream::new(&Context::new(device(), ContextFlags::default()).unwrap()).unwrap()
}

/// Says on which thread it was dropped.
struct Bell(Sender<ThreadId>);

impl Drop for Bell {
    fn drop(&mut self) {
        let _ = self.0.send(std::thread::current().id());
    }
}

fn bell() -> (Bell, Receiver<ThreadId>) {
    let (sender, receiver) = channel();
    (Bell(sender), receiver)
}

/// A handle whose owner reports its drop: the place and the time at which destructors run.
fn ringing(context: &Context) -> (Context, Receiver<ThreadId>) {
    let (bell, rung) = bell();
    let owner = Box::new((Mutex::new(bell), context.clone()));
    // SAFETY: live, and kept so by its owner.
    (unsafe { Context::from_raw_with_owner(context.as_raw(), owner) }.unwrap(), rung)
}

/// Drops values inside a host function. When this returns, their destructors have done their work, elsewhere.
fn drop_inside(values: impl Send + 'static) {
    let (context, stream) = (context(), stream());
    let (last, rung) = ringing(&context);
    let (sender, receiver) = channel();
    stream
        .launch_host_function(move || {
            drop(values);
            drop(last);
            sender.send(std::thread::current().id()).unwrap();
        })
        .unwrap();
    let inside = received(&receiver, &stream);
    assert_ne!(rung.recv_timeout(LONG).unwrap(), inside);
    stream.synchronize().unwrap();
}

/// Returns the value that a host function sends. Meanwhile it calls the driver now and then. If a seed decides the order of queued
/// work, the function may need a driver call, and no other thread may make one.
fn received<R>(receiver: &Receiver<R>, stream: &Stream) -> R {
    let pause = Duration::from_millis(20);
    for _ in 0..LONG.as_millis() / pause.as_millis() {
        if let Ok(value) = receiver.recv_timeout(pause) {
            return value;
        }
        stream.is_done().unwrap();
    }
    panic!("it was not called");
}

/// Returns the result of `work` inside a host function.
fn inside<R: Send + 'static>(stream: &impl AsStream, work: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = channel();
    let run = move || sender.send(work()).unwrap();
    Launch::launch(stream, run);
    receiver.recv_timeout(LONG).unwrap()
}

struct Launch;
impl Launch {
    /// On whatever kind of stream this is.
    fn launch(stream: &impl AsStream, work: impl FnOnce() + Send + 'static) {
        if stream.as_raw() == cuda_sys::CU_STREAM_PER_THREAD {
            PerThreadStream::new(stream.context()).launch_host_function(work).unwrap();
        } else {
            let owner = Box::new(stream.context().clone());
            // SAFETY: live as long as the borrow, which is longer than the call.
            let stream = unsafe { Stream::from_raw_with_owner(stream.as_raw(), stream.context(), owner) };
            stream.launch_host_function(work).unwrap();
        }
    }
}

fn is_refusal<T>(outcome: Result<T>) -> bool {
    outcome.is_err_and(|error| error.kind() == ErrorKind::InsideHostFunction)
}

#[test]
fn functions_are_called_in_order_on_another_thread() {
    needs_progress!();
    let (context, blocking) = (context(), Stream::with_flags(&context(), StreamFlags::DEFAULT).unwrap());
    let own = std::thread::current().id();
    for stream in [stream(), blocking, Stream::legacy(&context)] {
        let calls = Arc::new(Mutex::new(Vec::new()));
        for number in 0..10 {
            let (first, second) = (Arc::clone(&calls), Arc::clone(&calls));
            let note = move |calls: &Mutex<Vec<_>>, what| {
                calls.lock().unwrap().push((number, what, std::thread::current().id() == own));
            };
            stream.launch_host_function(move || note(&first, "function")).unwrap();
            stream
                .add_callback(move |outcome| note(&second, if outcome.is_ok() { "callback" } else { "?" }))
                .unwrap();
        }
        stream.synchronize().unwrap();
        let expected = (0..10).flat_map(|number| [(number, "function", false), (number, "callback", false)]);
        assert_eq!(*calls.lock().unwrap(), Vec::from_iter(expected));
    }
    let stream = PerThreadStream::new(&context);
    assert_ne!(inside(&stream, || std::thread::current().id()), own);
    let (sender, receiver) = channel();
    stream.add_callback(move |outcome| sender.send(outcome).unwrap()).unwrap();
    assert_eq!(receiver.recv_timeout(LONG).unwrap(), Ok(()));
}

#[test]
fn host_function_runs_in_stream_order() {
    let stream = own_stream();
    let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 1000).unwrap();
    let [before, after] = [(); 2].map(|()| Event::new(stream.context()).unwrap());
    let (go, wait) = channel::<()>();
    buffer.as_slice_mut().fill(1).unwrap();
    before.record(&stream).unwrap();
    stream
        .launch_host_function(move || {
            wait.recv_timeout(LONG).ok();
        })
        .unwrap();
    buffer.as_slice_mut().fill(2).unwrap();
    after.record(&stream).unwrap();
    before.synchronize().unwrap();
    assert!(!after.is_done().unwrap() && !stream.is_done().unwrap());
    drop(go);
    assert_eq!(buffer.to_vec().unwrap(), vec![2; 1000]);
    assert!(after.is_done().unwrap());
}

#[test]
fn driver_calls_inside_are_refused() {
    needs_progress!();
    let (context, stream, other) = (context(), stream(), stream());
    let event = Event::new(&context).unwrap();
    let module = Module::from_ptx(&context, PTX).unwrap();
    let kernel = crate::typed::<()>(&module.function("nothing").unwrap());
    let mut buffer = DeviceBuf::from_host(&stream, &[1_u8, 2, 3]).unwrap();
    stream.synchronize().unwrap();
    let device = device();
    let refused = inside(&stream, move || {
        let pinned = PinnedBuf::<u8>::zeroed(&context, 10).map(drop);
        let nested = Arc::new(());
        let (first, second) = (Arc::clone(&nested), Arc::clone(&nested));
        let mut host = [0; 3];
        let all = [
            ("init", is_refusal(cuda_rt::init())),
            ("version", is_refusal(cuda_rt::driver_version())),
            ("device", is_refusal(Device::get(0))),
            ("count", is_refusal(Device::count())),
            ("name", is_refusal(device.name())),
            ("primary", is_refusal(Context::primary(device))),
            ("context", is_refusal(Context::new(device, ContextFlags::default()))),
            ("enter", is_refusal(context.enter().map(drop))),
            ("current", is_refusal(context.is_current())),
            ("push", is_refusal(context.push())),
            ("flags", is_refusal(context.flags())),
            ("synchronize", is_refusal(context.synchronize())),
            ("memory", is_refusal(context.memory_info())),
            ("stream", is_refusal(Stream::new(&context))),
            ("wait", is_refusal(other.synchronize())),
            ("query", is_refusal(other.is_done())),
            ("stream flags", is_refusal(other.flags())),
            ("capturing", is_refusal(other.is_capturing())),
            ("event", is_refusal(Event::new(&context))),
            ("record", is_refusal(event.record(&other))),
            ("wait for event", is_refusal(other.wait_event(&event))),
            ("event query", is_refusal(event.is_done())),
            ("allocate", is_refusal(DeviceBuf::<u8>::zeroed(&other, 10))),
            ("read", is_refusal(buffer.to_vec())),
            ("write", is_refusal(buffer.copy_from_host(&[4, 5, 6]))),
            ("fill", is_refusal(buffer.as_slice_mut().fill(1))),
            ("scope", is_refusal(other.scope(|scope| scope.copy_to_host(buffer.as_slice(), &mut host)))),
            ("pinned", is_refusal(pinned)),
            ("module", is_refusal(Module::from_ptx(&context, PTX))),
            ("function", is_refusal(module.function("nothing"))),
            // SAFETY: it touches nothing.
            ("launch", is_refusal(unsafe { kernel.launch(LaunchConfig::new(1, 1), &other, ()) })),
            ("host function", is_refusal(other.launch_host_function(move || drop(first)))),
            ("callback", is_refusal(other.add_callback(move |_| drop(second)))),
            (
                "register",
                RegisteredBuf::new(&context, vec![1_u8], RegisterFlags::empty())
                    .is_err_and(|error| is_refusal::<()>(Err(error.into()))),
            ),
        ];
        // Functions that were not queued were dropped.
        let dropped = ("nested functions", Arc::strong_count(&nested) == 1);
        (all, dropped, buffer, other)
    });
    let (all, dropped, buffer, other) = refused;
    for (what, was_refused) in all.into_iter().chain([dropped]) {
        assert!(was_refused, "{what}");
    }
    stream.synchronize().unwrap();
    other.synchronize().unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
}

#[test]
fn the_refusal_names_the_call() {
    needs_progress!();
    let other = stream();
    let error = inside(&stream(), move || other.synchronize().unwrap_err());
    assert_eq!(
        error.to_string(),
        "cuStreamSynchronize: not called inside a host function, where the driver allows no calls; call it after the function \
         returned"
    );
    assert_eq!(error.code(), None);
}

#[test]
fn values_dropped_inside_are_released_elsewhere() {
    needs_progress!();
    let told = reports(|| {
        let (context, stream) = (context(), stream());
        let module = Module::from_ptx(&context, PTX).unwrap();
        let function = module.function("nothing").unwrap();
        drop_inside((function, module, Event::new(&context).unwrap()));
        drop_inside(DeviceBuf::from_host(&stream, &[1, 2, 3]).unwrap());
        drop_inside(
            DeviceBuf::<u8>::zeroed_in(&Stream::new(&context).unwrap(), 100, MemorySource::Plain).unwrap(),
        );
        drop_inside(PinnedBuf::from_slice(&context, &[1, 2, 3]).unwrap());
        drop_inside(RegisteredBuf::new(&context, vec![1, 2, 3], RegisterFlags::empty()).unwrap());
        drop_inside(ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global).unwrap());
        let (caching, pinned) = (CachingPool::new(&context), PinnedPool::new(&context, PinnedFlags::empty()));
        let cached = DeviceBuf::<u8>::zeroed_in(&stream, 100, MemorySource::Caching(&caching)).unwrap();
        drop_inside((cached, PinnedBuf::<u8>::zeroed_in(&pinned, 100).unwrap()));
        assert_eq!((caching.usage().held_blocks, pinned.usage().held_blocks), (1, 1));
        drop_inside((caching, pinned));
        drop_inside(Stream::new(&context).unwrap());
    });
    assert_eq!(told, [""; 0]);
}

/// Kinds of objects that not every driver has.
#[test]
fn pools_mappings_and_arrays_drop_inside() {
    needs_progress!();
    use cuda_rt::array::{ArrayDescriptor, ArrayFlags, ArrayFormat};
    let told = reports(|| {
        let (context, stream) = (context(), stream());
        let line = ArrayDescriptor::line(16, ArrayFormat::FLOAT, 1);
        let array = Array::new(&stream, line).unwrap();
        let texture = TexObject::new(&context, &array, &TextureDescriptor::default()).unwrap();
        drop_inside((array, texture));
        let flags = ArrayFlags::SURFACE_LDST;
        let array = Array::new(&stream, ArrayDescriptor { flags, ..line }).unwrap();
        let surface = SurfObject::new(&context, &array).unwrap();
        // Here the object is dropped first.
        drop_inside((surface, array));
        drop_inside(
            MipmappedArray::new(&stream, ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1), 2).unwrap(),
        );
        drop_inside(PitchedBuf::<f32>::uninit(&stream, 3, 2, AccessSize::Four).unwrap());
        drop_inside(TexRef::new(&context).unwrap());
        if !context.device().attribute(DeviceAttribute::MEMORY_POOLS_SUPPORTED).is_ok_and(|has| has != 0) {
            return;
        }
        let pool = MemPool::new(device(), MemPoolOptions::new()).unwrap();
        let buffer = DeviceBuf::from_host_in(&stream, &[1, 2, 3], &pool).unwrap();
        drop_inside((pool, buffer));
        let options = PhysicalMemoryOptions::new();
        let unit = PhysicalMemory::granularity(device(), options).unwrap();
        let mut range = VirtualMemory::reserve(&stream, 2 * unit).unwrap();
        let physical = PhysicalMemory::new(device(), unit, options).unwrap();
        range.map(0, &physical).unwrap();
        drop_inside((physical, range));
    });
    assert_eq!(told, [""; 0]);
}

#[test]
fn registered_memory_is_free_to_be_registered_again() {
    needs_progress!();
    let (context, memory) = (context(), vec![[0_u8; 4096]; 4]);
    let place = memory.as_ptr().addr();
    let registered = RegisteredBuf::new(&context, memory, RegisterFlags::empty()).unwrap();
    assert_eq!(registered.as_ptr().addr(), place);
    drop_inside(registered);
    // Elements with destructors stay where they are, for ever.
    let counted = Arc::new(());
    let kept = RegisteredBuf::new(&context, vec![Arc::clone(&counted); 600], RegisterFlags::empty()).unwrap();
    drop_inside(kept);
    assert_eq!(Arc::strong_count(&counted), 601);
}

#[test]
fn a_copy_under_way_can_be_dropped_inside() {
    needs_progress!();
    let copies = own_stream();
    let context = copies.context().clone();
    let mut device = DeviceBuf::<u8>::zeroed(&copies, 3).unwrap();
    let (sender, receiver) = channel();
    let (done, dropped) = channel();
    // Before the function is queued: the driver may wait for others to allocate it.
    let pinned = PinnedBuf::from_slice(&context, &[1, 2, 3]).unwrap();
    // It is dropped before the copy can happen, which comes after this.
    copies
        .launch_host_function(move || {
            drop(receiver.recv_timeout(LONG).unwrap());
            done.send(()).unwrap();
        })
        .unwrap();
    sender.send(device.copy_from_pinned(pinned).unwrap()).unwrap();
    dropped.recv_timeout(LONG).unwrap();
    assert_eq!(device.to_vec().unwrap(), [1, 2, 3]);
    let pinned = PinnedBuf::from_slice(&context, &[4, 5, 6]).unwrap();
    let pending = device.copy_from_pinned(pinned).unwrap();
    let waited = inside(&stream(), move || pending.wait().map(drop).map_err(Error::from));
    assert!(is_refusal(waited));
    assert_eq!(device.to_vec().unwrap(), [4, 5, 6]);
}

#[test]
fn last_handle_of_a_context_can_drop_inside() {
    needs_progress!();
    let told = reports(|| {
        let own = Context::new(device(), ContextFlags::default()).unwrap();
        let raw = own.as_raw().addr();
        let stream = Stream::new(&own).unwrap();
        let buffer = DeviceBuf::<u8>::zeroed(&stream, 100).unwrap();
        let event = Event::new(&own).unwrap();
        stream.synchronize().unwrap();
        drop_inside((own, event, buffer, stream));
        if crate::is_since(12, 0) {
            let mut id = 0;
            // SAFETY: the driver answers for a context that is gone (measured).
            let code = unsafe { cuda_sys::cuCtxGetId(std::ptr::without_provenance_mut(raw), &raw mut id) };
            assert_eq!(Code::new(code), Some(Code::ContextIsDestroyed));
        }
    });
    assert_eq!(told, [""; 0]);
}

#[test]
fn calling_stream_can_be_dropped_inside() {
    needs_progress!();
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let stream = Stream::new(&own).unwrap();
    let (sender, receiver) = channel();
    let slot = Arc::new(Mutex::new(None));
    let inner = Arc::clone(&slot);
    let (last, rung) = ringing(&context());
    let (go, wait) = channel::<()>();
    stream
        .launch_host_function(move || {
            {
                wait.recv_timeout(LONG).ok();
            };
            // The last handles to the stream and to its context.
            drop(inner.lock().unwrap().take());
            drop(last);
            sender.send(()).unwrap();
        })
        .unwrap();
    *slot.lock().unwrap() = Some((stream, own));
    drop(go);
    receiver.recv_timeout(LONG).unwrap();
    rung.recv_timeout(LONG).unwrap();
}

#[test]
fn close_inside_is_refused_and_happens_later() {
    needs_progress!();
    let (context, work) = (context(), stream());
    let (event, stream) = (Event::new(&context).unwrap(), Stream::new(&context).unwrap());
    let buffer = DeviceBuf::<u8>::zeroed(&work, 10).unwrap();
    let (last, rung) = ringing(&context);
    let refused = inside(&work, move || {
        [
            is_refusal(event.close()),
            is_refusal(stream.close()),
            is_refusal(buffer.close()),
            is_refusal(last.close()),
        ]
    });
    // Except for the handle of a context with other handles, which has nothing to close.
    assert_eq!(refused, [true; 4]);
    rung.recv_timeout(LONG).unwrap();
}

#[test]
fn a_panic_inside_goes_to_the_hook_and_no_further() {
    let told = reports(|| {
        let stream = stream();
        let after = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&after);
        let (last, rung) = ringing(stream.context());
        stream.launch_host_function(|| panic!("a panic that a test wants")).unwrap();
        stream.add_callback(|_| std::panic::panic_any(7_u8)).unwrap();
        stream.launch_host_function(move || drop((count.fetch_add(1, Ordering::Relaxed), last))).unwrap();
        stream.synchronize().unwrap();
        rung.recv_timeout(LONG).unwrap();
        assert_eq!(after.load(Ordering::Relaxed), 1);
    });
    let expected = [
        "host function: panicked: a panic that a test wants",
        "host function: panicked: something other than a text",
    ];
    assert_eq!(told, expected);
}

#[test]
fn panic_of_deferred_owner_reaches_the_hook() {
    needs_progress!();
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("an owner that a test wants to panic");
        }
    }
    let told = reports(|| {
        let context = context();
        let owner = Box::new((Panics, context.clone()));
        // SAFETY: live, and kept so by its owner.
        drop_inside(unsafe { Context::from_raw_with_owner(context.as_raw(), owner) }.unwrap());
    });
    assert_eq!(told, ["destructor: panicked: an owner that a test wants to panic"]);
}

#[test]
fn streams_can_drop_before_their_functions_run() {
    needs_progress!();
    let (go, wait) = channel::<()>();
    let (sender, receiver) = channel();
    let stream = own_stream();
    let context = stream.context().clone();
    stream
        .launch_host_function(move || {
            wait.recv_timeout(LONG).ok();
        })
        .unwrap();
    let callback = sender.clone();
    stream.launch_host_function(move || sender.send("function").unwrap()).unwrap();
    stream.add_callback(move |outcome| callback.send(outcome.map_or("?", |()| "callback")).unwrap()).unwrap();
    stream.close().unwrap();
    drop(go);
    assert_eq!(receiver.recv_timeout(LONG), Ok("function"));
    assert_eq!(receiver.recv_timeout(LONG), Ok("callback"));
    context.close().unwrap();
}

#[test]
fn a_context_ends_after_its_functions() {
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let stream = Stream::new(&own).unwrap();
    let count = Arc::new(AtomicU32::new(0));
    let called = Arc::clone(&count);
    stream
        .launch_host_function(move || {
            std::thread::sleep(Duration::from_millis(50));
            called.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
    let called = Arc::clone(&count);
    stream
        .add_callback(move |outcome| {
            called.fetch_add(u32::from(outcome.is_ok()), Ordering::Relaxed);
        })
        .unwrap();
    drop((stream, own));
    assert_eq!((count.load(Ordering::Relaxed), Arc::strong_count(&count)), (2, 1));
}

#[test]
fn capturing_stream_refuses_and_keeps_capturing() {
    let stream = stream();
    if begin_capture(&stream).is_none() {
        skip!("the driver does not capture");
    }
    let count = Arc::new(());
    let (first, second) = (Arc::clone(&count), Arc::clone(&count));
    let refusals = [
        stream.launch_host_function(move || drop(first)).unwrap_err(),
        stream.add_callback(move |_| drop(second)).unwrap_err(),
    ];
    assert_eq!(Arc::strong_count(&count), 1, "they were dropped");
    assert!(end_capture(&stream));
    for refusal in refusals {
        assert_eq!(refusal, capturing());
    }
    stream.launch_host_function(|| {}).unwrap();
    stream.synchronize().unwrap();
}

#[test]
fn sync_mode_is_chosen_where_the_driver_has_it() {
    let stream = stream();
    for mode in [HostTaskSyncMode::Blocking, HostTaskSyncMode::SpinWait] {
        let (sender, receiver) = channel();
        match stream.launch_host_function_with_mode(mode, move || sender.send(mode).unwrap()) {
            Err(error) if error.kind() == ErrorKind::FunctionMissing => {
                assert_eq!(error.call(), Some("cuLaunchHostFunc_v2"));
                // Dropped with what it has captured.
                assert!(receiver.recv_timeout(LONG).is_err());
            }
            launched => {
                launched.unwrap();
                assert_eq!(receiver.recv_timeout(LONG), Ok(mode));
            }
        }
    }
}

#[test]
fn many_threads_and_streams() {
    let count = Arc::new(AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let stream = stream();
                for _ in 0..100 {
                    let (count, event) = (Arc::clone(&count), Event::new(stream.context()).unwrap());
                    let call = move || drop((event, count.fetch_add(1, Ordering::Relaxed)));
                    stream.launch_host_function(call).unwrap();
                }
                stream.synchronize().unwrap();
            });
        }
    });
    assert_eq!(count.load(Ordering::Relaxed), 400);
}

#[test]
fn after_failure_callbacks_run_functions_drop() {
    needs_progress!();
    crate::alone("host_function::after_failure_callbacks_run_functions_drop", || {
        let (context, stream) = (context(), stream());
        let module = Module::from_ptx(&context, PTX).unwrap();
        let boom = crate::typed::<()>(&module.function("boom").unwrap());
        let (sender, receiver) = channel();
        let late = sender.clone();
        let count = Arc::new(());
        let (called, uncalled) = channel::<()>();
        // SAFETY: it touches nothing.
        unsafe { boom.launch(LaunchConfig::new(1, 1), &stream, ()) }.unwrap();
        let kept = Arc::clone(&count);
        let queued = stream.launch_host_function(move || drop((kept, called.send(()).unwrap())));
        let told = stream.add_callback(move |outcome| sender.send(outcome).unwrap());
        // The callback runs although no thread waits for the stream.
        if told.is_ok() {
            let outcome = receiver.recv_timeout(LONG).unwrap();
            assert_eq!(outcome.unwrap_err().code(), Some(Code::LaunchFailed));
        }
        assert!(stream.synchronize().unwrap_err().is_sticky());
        // Neither function is queued any more.
        assert!(stream.add_callback(move |outcome| late.send(outcome).unwrap()).unwrap_err().is_sticky());
        assert!(stream.launch_host_function(|| {}).unwrap_err().is_sticky());
        assert_eq!(Arc::strong_count(&count), if queued.is_ok() { 2 } else { 1 });
        drop(stream);
        assert_eq!(Arc::strong_count(&count), 1, "with the stream");
        assert!(uncalled.try_recv().is_err());
    });
}

#[test]
fn last_context_handle_drops_host_functions() {
    crate::alone("host_function::last_context_handle_drops_host_functions", || {
        let device = device();
        if !cuda_rt::sys::driver().unwrap().has(cuda_rt::sys::Symbol::cuCtxGetId) {
            skip!("nothing tells two primary contexts of one device apart");
        }
        let context = Context::primary(device).unwrap();
        let module = Module::from_ptx(&context, PTX).unwrap();
        let boom = crate::typed::<()>(&module.function("boom").unwrap());
        let per_thread = PerThreadStream::new(&context);
        let count = Arc::new(());
        // SAFETY: it touches nothing.
        unsafe { boom.launch(LaunchConfig::new(1, 1), &per_thread, ()) }.unwrap();
        let kept = Arc::clone(&count);
        let _ = per_thread.launch_host_function(move || drop(kept));
        assert!(per_thread.synchronize().unwrap_err().is_sticky());
        drop((boom, module, per_thread));
        drop(context);
        assert_eq!(Arc::strong_count(&count), 1);
    });
}

#[test]
fn panic_of_a_dropped_function_reaches_the_hook() {
    /// Panics when it is dropped, once that is switched on.
    struct Panics(Arc<AtomicU32>);

    impl Drop for Panics {
        fn drop(&mut self) {
            assert_eq!(self.0.load(Ordering::Relaxed), 0, "a panic that a test wants");
        }
    }

    crate::alone("host_function::panic_of_a_dropped_function_reaches_the_hook", || {
        let (context, stream) = (context(), stream());
        let module = Module::from_ptx(&context, PTX).unwrap();
        let boom = crate::typed::<()>(&module.function("boom").unwrap());
        // SAFETY: it touches nothing.
        unsafe { boom.launch(LaunchConfig::new(1, 1), &stream, ()) }.unwrap();
        let armed = Arc::new(AtomicU32::new(0));
        let panics = Panics(Arc::clone(&armed));
        if stream.launch_host_function(move || drop(panics)).is_err() {
            skip!("the failure was known before the function was queued");
        }
        armed.store(1, Ordering::Relaxed);
        assert!(stream.synchronize().unwrap_err().is_sticky());
        let reports = reports(|| {
            let dropped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(stream)));
            assert!(dropped.is_ok(), "the panic is contained");
        });
        assert!(reports.iter().any(|report| report.contains("a panic that a test wants")), "{reports:?}");
    });
}
