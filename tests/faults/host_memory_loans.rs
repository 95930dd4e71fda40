//! Registrations that end, or begin, while other contexts copy the memory.

use crate::layer::{Call, Fault, record};
use crate::{COPY, WAIT, primary, symbols};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::memory::{AlignedBuf, RegisterFlags, RegisteredBuf, register_shared_scoped};
use cuda_rt::{Context, DeviceBuf, Stream};
use cuda_sys::Symbol;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

const NONE: RegisterFlags = RegisterFlags::empty();
const UNREGISTER: Symbol = Symbol::cuMemHostUnregister;

fn pages() -> &'static [u8] {
    let mut memory = AlignedBuf::with_alignment(1 << 16, 1 << 16).unwrap();
    memory.fill(7);
    Box::leak(Box::new(memory))
}

fn other_context() -> Context {
    Context::new(primary().device(), ContextFlags::default()).unwrap()
}

/// Gives another thread time for a wrong call.
fn wait_for(flag: &AtomicBool) -> bool {
    for _ in 0..200 {
        if flag.load(Ordering::SeqCst) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

/// Ends a registration on another thread while `copy` is about to wait for its own copy. Returns whether the driver was called before
/// the copy was waited for, and how often the other thread has waited for a stream before.
fn ending_under(memory: &'static [u8], copy: impl FnOnce(&Stream) + Send + 'static) -> (bool, usize) {
    let (registering, copying) = (primary(), other_context());
    let unregistering = Arc::new(AtomicBool::new(false));
    let (copied, seen) = (Arc::new(Barrier::new(2)), unregistering.clone());
    let registered = {
        let copied = copied.clone();
        std::thread::spawn(move || {
            let plan = move |_, symbol| {
                if symbol == UNREGISTER {
                    unregistering.store(true, Ordering::SeqCst);
                }
                None
            };
            record(plan, move || {
                register_shared_scoped(&registering, memory, NONE, |_| {
                    copied.wait(); // It is registered.
                    copied.wait(); // The copy is queued.
                })
                .unwrap();
            })
        })
    };
    copied.wait();
    let early = Arc::new(AtomicBool::new(false));
    let (found, mut copies) = (early.clone(), 0);
    let plan = move |_, symbol| {
        // The wait before the copy is not for the copy.
        copies += usize::from(symbol == COPY);
        if symbol == WAIT && copies == 1 {
            copies += 1;
            copied.wait();
            found.store(wait_for(&seen), Ordering::SeqCst);
        }
        None::<Fault>
    };
    record(plan, move || copy(&Stream::new(&copying).unwrap()));
    let ((), calls) = registered.join().unwrap();
    let calls = only(&calls, &[WAIT, UNREGISTER]);
    let waits = calls.iter().take_while(|symbol| **symbol == WAIT).count();
    (early.load(Ordering::SeqCst), waits)
}

#[test]
fn unregistering_waits_for_a_copy_elsewhere() {
    let memory = pages();
    let copy = move |stream: &Stream| {
        let device = DeviceBuf::from_host(stream, memory).unwrap();
        assert_eq!(device.to_vec().unwrap(), memory);
    };
    // The thread that copies waits for the stream.
    assert_eq!(ending_under(memory, copy), (false, 0));
}

#[test]
fn unregistering_waits_for_a_scope_elsewhere() {
    let memory = pages();
    let copy = move |stream: &Stream| {
        let mut device = DeviceBuf::<u8>::zeroed(stream, memory.len()).unwrap();
        stream.scope(|scope| scope.copy_from_host(device.as_slice_mut(), memory)).unwrap();
        assert_eq!(device.to_vec().unwrap(), memory);
    };
    // A scope may last for long, so the thread that unregisters waits for its stream.
    assert_eq!(ending_under(memory, copy), (true, 1));
}

#[test]
fn unregistering_waits_for_a_registration_that_begins() {
    let memory = pages();
    let (step, unregistering) = (Arc::new(Barrier::new(2)), Arc::new(AtomicBool::new(false)));
    let (first_step, seen) = (step.clone(), unregistering.clone());
    let first = std::thread::spawn(move || {
        let plan = move |_, symbol| {
            if symbol == UNREGISTER {
                unregistering.store(true, Ordering::SeqCst);
            }
            None
        };
        record(plan, move || {
            register_shared_scoped(&primary(), memory, NONE, |_| {
                first_step.wait(); // It is registered.
                first_step.wait(); // The other registration begins.
            })
            .unwrap();
        });
    });
    step.wait();
    let early = Arc::new(AtomicBool::new(false));
    let found = early.clone();
    let plan = move |_, symbol| {
        if symbol == Symbol::cuMemHostRegister_v2 {
            step.wait();
            found.store(wait_for(&seen), Ordering::SeqCst);
        }
        None::<Fault>
    };
    let (registered, _) = record(plan, move || register_shared_scoped(&primary(), memory, NONE, |_| ()));
    first.join().unwrap();
    assert_eq!(registered.unwrap_err().code(), Some(Code::HostMemoryAlreadyRegistered));
    assert!(!early.load(Ordering::SeqCst), "the memory was unregistered while the other call used it");
}

/// The order in which one thread waits for a stream and ends a registration, of one memory or of another.
fn ending_in_a_scope(lent: &'static [u8], registered: &'static [u8]) -> Vec<Symbol> {
    let (registering, copying) = (primary(), other_context());
    let ((), calls) = record(
        |_, _| None,
        move || {
            let stream = Stream::new(&copying).unwrap();
            let mut device = DeviceBuf::<u8>::zeroed(&stream, lent.len()).unwrap();
            stream
                .scope(|scope| {
                    register_shared_scoped(&registering, registered, NONE, |_| {
                        scope.copy_from_host(device.as_slice_mut(), lent)
                    })?
                })
                .unwrap();
            assert_eq!(device.to_vec().unwrap(), lent);
        },
    );
    only(&calls, &[WAIT, COPY, UNREGISTER])
}

fn only(calls: &[Call], wanted: &[Symbol]) -> Vec<Symbol> {
    symbols(calls).into_iter().filter(|symbol| wanted.contains(symbol)).collect()
}

#[test]
fn unregistering_in_a_scope_waits_for_its_stream() {
    // Before the copy, before the registration ends, when the scope ends.
    let (memory, expected) = (pages(), [WAIT, COPY, WAIT, UNREGISTER, WAIT]);
    assert_eq!(ending_in_a_scope(memory, memory)[..5], expected);
    // A copy of a part is enough.
    let (first, last) = memory.split_at(1 << 15);
    assert_eq!(ending_in_a_scope(&memory[..1 << 14], first)[..5], expected);
    // Copies of other memory do not matter.
    assert_eq!(ending_in_a_scope(last, first)[..3], [COPY, UNREGISTER, WAIT]);
}

#[test]
fn a_borrowed_registration_waits_like_a_scoped() {
    let memory = pages();
    let (registering, copying) = (primary(), other_context());
    let ((), calls) = record(
        |_, _| None,
        move || {
            let stream = Stream::new(&copying).unwrap();
            let mut device = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
            stream
                .scope(|scope| {
                    // SAFETY: it is dropped in this scope, and the memory is never freed.
                    let registered = unsafe { RegisteredBuf::borrowed(&registering, memory, NONE) }?;
                    scope.copy_from_host(device.as_slice_mut(), &memory[100..116])?;
                    drop(registered);
                    Ok(())
                })
                .unwrap();
        },
    );
    assert_eq!(only(&calls, &[WAIT, COPY, UNREGISTER]), [WAIT, COPY, WAIT, UNREGISTER, WAIT]);
}

/// Registers memory on another thread after `copy` has asked whether it is page-locked, and lets the first wait after the
/// copy fail. How often the copy was waited for.
fn waits_of(
    memory: &'static [u8],
    is_registered: bool,
    copy: impl FnOnce(&Stream) + Send + 'static,
) -> usize {
    let (registering, copying) = (primary(), other_context());
    let steps = Arc::new(Barrier::new(2));
    let other = is_registered.then(|| {
        let steps = steps.clone();
        std::thread::spawn(move || {
            steps.wait(); // The question was answered.
            register_shared_scoped(&registering, memory, NONE, |_| {
                steps.wait(); // It is registered.
            })
            .unwrap();
        })
    });
    let mut copies = 0;
    let plan = move |_, symbol| {
        if symbol == COPY {
            copies += 1;
            if is_registered && copies == 1 {
                steps.wait();
                steps.wait();
            }
        }
        let fails = symbol == WAIT && copies == 1;
        copies += usize::from(fails);
        fails.then_some(Fault::Refused(Code::LaunchTimeout))
    };
    let ((), calls) = record(plan, move || copy(&Stream::new(&copying).unwrap()));
    if let Some(other) = other {
        other.join().unwrap();
    }
    let calls = only(&calls, &[WAIT, COPY]);
    calls.iter().skip_while(|symbol| **symbol != COPY).skip(1).take_while(|symbol| **symbol == WAIT).count()
}

#[test]
fn a_copy_registered_meanwhile_is_waited_for() {
    let memory = pages();
    let copy = move |stream: &Stream| {
        let mut device = DeviceBuf::<u8>::zeroed(stream, memory.len()).unwrap();
        let error = device.copy_from_host(memory).unwrap_err();
        assert_eq!(error.code(), Some(Code::LaunchTimeout));
    };
    // The device may have accessed the memory directly: it is returned after a wait that succeeds.
    assert_eq!(waits_of(memory, true, copy), 2);
    assert_eq!(waits_of(memory, false, copy), 1);
}

#[test]
fn a_scope_registered_meanwhile_is_waited_for() {
    let memory = pages();
    let copy = move |stream: &Stream| {
        let mut device = DeviceBuf::<u8>::zeroed(stream, memory.len()).unwrap();
        let copied = stream.scope(|scope| scope.copy_from_host(device.as_slice_mut(), memory));
        assert_eq!(copied.unwrap_err().code(), Some(Code::LaunchTimeout));
    };
    assert_eq!(waits_of(memory, true, copy), 2);
    assert_eq!(waits_of(memory, false, copy), 1);
}

#[test]
fn a_registration_that_fails_late_is_undone() {
    let plan = |_, symbol| {
        let is_it = symbol == Symbol::cuMemHostRegister_v2;
        is_it.then_some(Fault::Late(Code::LaunchTimeout))
    };
    let (back, calls) = record(plan, || {
        let failure = RegisteredBuf::new(&primary(), vec![1_u8; 1 << 18], NONE).unwrap_err();
        assert_eq!(failure.error().code(), Some(Code::LaunchTimeout));
        failure.into_buffer()
    });
    assert_eq!(only(&calls, &[Symbol::cuMemHostRegister_v2, UNREGISTER]).len(), 2);
    // The driver does not know the memory any more, so it is returned.
    let back = back.unwrap();
    drop(RegisteredBuf::new(&primary(), back, NONE).unwrap());
}

#[test]
fn a_refused_registration_undoes_no_other() {
    let memory = pages();
    let ((), calls) = record(
        |_, _| None,
        move || {
            register_shared_scoped(&primary(), memory, NONE, |_| {
                let again = register_shared_scoped(&primary(), memory, NONE, |_| ()).unwrap_err();
                assert_eq!(again.code(), Some(Code::HostMemoryAlreadyRegistered));
            })
            .unwrap();
        },
    );
    assert_eq!(only(&calls, &[UNREGISTER]).len(), 1);
}

#[test]
fn a_refused_registration_undoes_no_other_thread_s() {
    let memory = pages();
    let (first, second) = (primary(), primary());
    let registered = Arc::new(AtomicBool::new(false));
    let (calling, second_ended) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let other = {
        let (registered, calling, second_ended) = (registered.clone(), calling.clone(), second_ended.clone());
        std::thread::spawn(move || {
            calling.wait();
            loop {
                let pointers = register_shared_scoped(&first, memory, NONE, |memory| {
                    let before = memory.device_ptr();
                    registered.store(true, Ordering::SeqCst);
                    second_ended.wait();
                    (before, memory.device_ptr())
                });
                match pointers {
                    // The other registration continues.
                    Err(error) if error.code() == Some(Code::HostMemoryAlreadyRegistered) => {}
                    pointers => return pointers,
                }
            }
        })
    };
    // Between the question of the second registration and its call, the first one is made, if that is possible.
    let mut calls = 0;
    let plan = move |_, symbol| {
        calls += usize::from(symbol == Symbol::cuMemHostRegister_v2);
        if symbol == Symbol::cuMemHostRegister_v2 && calls == 1 {
            calling.wait();
            wait_for(&registered);
        }
        None
    };
    let (_, calls) = record(plan, move || register_shared_scoped(&second, memory, NONE, |_| ()));
    second_ended.wait();
    let (before, after) = other.join().unwrap().unwrap();
    assert!(before.is_ok());
    assert_eq!(before, after, "it was unregistered by the other thread");
    assert!(only(&calls, &[UNREGISTER]).len() < 2);
}

/// Registers memory by a call that fails late, where the nth question about it fails too. Returns the calls.
fn registering_unasked(nth: usize) -> Vec<Symbol> {
    let mut asked = 0;
    let plan = move |_, symbol| {
        let is_question = symbol == Symbol::cuPointerGetAttributes;
        let fails = is_question && asked == nth;
        asked += usize::from(is_question);
        let is_late = symbol == Symbol::cuMemHostRegister_v2 && asked < 3;
        match (fails, is_late) {
            (true, _) => Some(Fault::Refused(Code::LaunchTimeout)),
            (_, true) => Some(Fault::Late(Code::LaunchTimeout)),
            _ => None,
        }
    };
    let (back, calls) = record(plan, || {
        let failure = RegisteredBuf::new(&primary(), vec![1_u8; 1 << 18], NONE).unwrap_err();
        assert_eq!(failure.error().code(), Some(Code::LaunchTimeout));
        failure.into_buffer()
    });
    // The driver does not know the memory.
    drop(RegisteredBuf::new(&primary(), back.unwrap(), NONE).unwrap());
    only(&calls, &[Symbol::cuMemHostRegister_v2, UNREGISTER])
}

#[test]
fn a_registration_of_unknown_outcome_is_undone() {
    assert_eq!(registering_unasked(0), [], "without an answer before, nothing is registered");
    assert_eq!(registering_unasked(1), [Symbol::cuMemHostRegister_v2, UNREGISTER]);
}
