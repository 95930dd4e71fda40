//! Host functions with a driver that does not do what it should: calls them twice, at once, never, or although it has
//! refused them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, unsafe_code)]

use core::ffi::{CStr, c_uint, c_void};
use core::ptr::NonNull;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::{Context, Device, Error, Event, Stream};
use cuda_suite::reports;
use cuda_sys::{CUhostFn, CUresult, CUstream, CUstreamCallback, Symbol};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The way in which the driver treats a function of this thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Habit {
    /// Calls it at once, on the thread that queues it, so many times.
    AtOnce(u32),
    /// Calls it on another thread so many times, and returns then.
    Elsewhere(u32),
    Never,
    /// Refuses it, and calls it all the same.
    RefusedAndCalled,
    Refused,
}

thread_local! {
    static HABIT: Cell<Habit> = const { Cell::new(Habit::AtOnce(1)) };
}

fn behave(call: impl Fn() + Sync) -> CUresult {
    let times = |times| (0..times).for_each(|_| call());
    match HABIT.get() {
        Habit::AtOnce(count) => times(count),
        Habit::Elsewhere(count) => std::thread::scope(|scope| {
            // One after the other, on threads of their own.
            for _ in 0..count {
                scope.spawn(&call).join().unwrap();
            }
        }),
        Habit::Never => {}
        Habit::RefusedAndCalled => {
            call();
            return CUresult::CUDA_ERROR_NOT_SUPPORTED;
        }
        Habit::Refused => return CUresult::CUDA_ERROR_NOT_SUPPORTED,
    }
    CUresult::CUDA_SUCCESS
}

/// Goes to another thread.
#[derive(Clone, Copy)]
struct Data(*mut c_void);
// SAFETY: the driver calls functions on any thread.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}
impl Data {
    fn get(self) -> *mut c_void {
        self.0
    }
}

unsafe extern "C" fn launch(_: CUstream, function: CUhostFn, data: *mut c_void) -> CUresult {
    let (function, data) = (function.unwrap(), Data(data));
    // SAFETY: what the program has given.
    behave(move || unsafe { function(data.get()) })
}

unsafe extern "C" fn add(_: CUstream, function: CUstreamCallback, data: *mut c_void, _: c_uint) -> CUresult {
    let (function, data) = (function.unwrap(), Data(data));
    // SAFETY: as above; the stream is not used.
    behave(move || unsafe { function(std::ptr::null_mut(), CUresult::CUDA_ERROR_LAUNCH_FAILED, data.get()) })
}

fn layered(name: &'static CStr) -> Option<NonNull<c_void>> {
    let pointer = match Symbol::from_name(name.to_str().unwrap())? {
        Symbol::cuLaunchHostFunc => (launch as *const ()).cast_mut().cast(),
        Symbol::cuStreamAddCallback => (add as *const ()).cast_mut().cast(),
        _ => return cuda_sim::resolve(name),
    };
    NonNull::new(pointer)
}

fn stream(habit: Habit) -> Stream {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    let context = CONTEXT.get_or_init(|| {
        // SAFETY: the software driver's functions, but for two of their signatures.
        unsafe { cuda_sys::install("a driver with bad habits", layered) }.unwrap();
        Context::primary(Device::get(0).unwrap()).unwrap()
    });
    HABIT.set(habit);
    Stream::new(context).unwrap()
}

/// Queues one function of each kind; how often they were called, how often they are still there, and the answers.
fn queue(habit: Habit) -> (u32, usize, [Result<(), Error>; 2]) {
    let stream = stream(habit);
    let count = Arc::new(AtomicU32::new(0));
    let (first, second) = (Arc::clone(&count), Arc::clone(&count));
    let answers = [
        stream.launch_host_function(move || {
            first.fetch_add(1, Ordering::Relaxed);
        }),
        stream.add_callback(move |outcome| {
            assert_eq!(
                outcome.unwrap_err().to_string(),
                "cuStreamAddCallback: CUDA_ERROR_LAUNCH_FAILED (719: unspecified launch failure)"
            );
            second.fetch_add(1, Ordering::Relaxed);
        }),
    ];
    (count.load(Ordering::Relaxed), Arc::strong_count(&count) - 1, answers)
}

#[test]
fn a_second_call_does_nothing() {
    for habit in [Habit::AtOnce(1), Habit::AtOnce(2), Habit::Elsewhere(1), Habit::Elsewhere(3)] {
        assert_eq!(queue(habit), (2, 0, [Ok(()), Ok(())]), "{habit:?}");
    }
}

#[test]
fn a_function_that_is_never_called_is_kept() {
    assert_eq!(queue(Habit::Never), (0, 2, [Ok(()), Ok(())]));
}

#[test]
fn a_function_that_is_refused_is_dropped() {
    let (called, left, answers) = queue(Habit::Refused);
    assert_eq!((called, left), (0, 0));
    assert!(answers.into_iter().all(|answer| answer.unwrap_err().code() == Some(Code::NotSupported)));
}

#[test]
fn a_function_may_be_called_although_it_is_refused() {
    let (called, left, answers) = queue(Habit::RefusedAndCalled);
    assert_eq!((called, left), (2, 0));
    assert!(answers.into_iter().all(|answer| answer.unwrap_err().code() == Some(Code::NotSupported)));
}

#[test]
fn calling_at_once_ends_with_the_thread_as_it_was() {
    let stream = stream(Habit::AtOnce(1));
    let own = Event::new(stream.context()).unwrap();
    let (sender, receiver) = channel();
    let (other, inner) = (stream.clone(), Event::new(stream.context()).unwrap());
    let call = move || {
        let is_refused = |error: Error| error.kind() == ErrorKind::InsideHostFunction;
        sender
            .send((
                is_refused(other.launch_host_function(|| {}).unwrap_err()),
                is_refused(other.synchronize().unwrap_err()),
            ))
            .unwrap();
        drop(inner);
        panic!("a panic that a test wants");
    };
    let told = reports(|| {
        let told = stream.clone();
        stream.launch_host_function(call).unwrap();
        assert_eq!(receiver.recv().unwrap(), (true, true));
        // No longer inside.
        own.record(&told).unwrap().synchronize().unwrap();
        // The thread for deferred drops calls the hook.
        std::thread::sleep(Duration::from_millis(200));
    });
    assert_eq!(told, ["host function: panicked: a panic that a test wants"]);
}

#[test]
fn functions_have_numbers_of_their_own() {
    // Numbers are not used again: a late second call of one function is not a call of the next.
    let stream = stream(Habit::Never);
    for _ in 0..3 {
        stream.launch_host_function(|| panic!("never called")).unwrap();
    }
    HABIT.set(Habit::AtOnce(1));
    let (sender, receiver) = channel();
    stream.launch_host_function(move || sender.send(()).unwrap()).unwrap();
    receiver.recv().unwrap();
}
