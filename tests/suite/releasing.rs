//! Releasing resources: on any thread, with any current context.

use cuda_rt::context::ContextFlags;
use cuda_rt::peer::PeerAccessGuard;
use cuda_rt::{Context, DeviceBuf, Event, Module, Stream};
use cuda_suite::{device, driver, reports, second_device};
use std::thread;

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";

/// One object of each kind that a context can have.
#[allow(dead_code)] // for what their ends do
struct Everything {
    buffer: DeviceBuf<u32>,
    on_legacy: DeviceBuf<u32>,
    stream: Stream,
    event: Event,
    module: Module,
    access: Option<PeerAccessGuard>,
    /// Dropped last, because the others keep it alive.
    context: Context,
}

fn own() -> Context {
    Context::new(device(), ContextFlags::default()).unwrap()
}

fn everything() -> Everything {
    let context = own();
    let stream = Stream::new(&context).unwrap();
    let buffer = DeviceBuf::from_host(&stream, &[1, 2, 3]).unwrap();
    let on_legacy = DeviceBuf::from_host(&Stream::legacy(&context), &[1, 2, 3]).unwrap();
    let event = Event::new(&context).unwrap();
    event.record(&stream).unwrap();
    let module = Module::from_ptx(&context, PTX).unwrap();
    let peer = second_device().filter(|second| device().can_access_peer(*second).unwrap());
    let access = peer.map(|peer| {
        let peer = Context::new(peer, ContextFlags::default()).unwrap();
        context.peer_access(&peer).unwrap()
    });
    Everything { buffer, on_legacy, stream, event, module, access, context }
}

/// Everything is dropped on a new thread after `before`, which leaves the thread as it was, and nothing fails.
fn dropped_after(before: impl FnOnce() -> Option<Context> + Send) {
    driver();
    cuda_rt::init().unwrap();
    let things = everything();
    let told = reports(|| {
        thread::scope(|scope| {
            let work = || {
                let _kept = before();
                let current = Context::current_raw().unwrap();
                drop(things);
                assert_eq!(Context::current_raw().unwrap(), current);
            };
            scope.spawn(work).join().unwrap();
        });
    });
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn where_nothing_is_current() {
    dropped_after(|| None);
}

#[test]
fn where_another_context_is_current() {
    dropped_after(|| {
        let other = own();
        other.push().unwrap();
        Some(other)
    });
}

#[test]
fn where_a_context_of_another_device_is_current() {
    dropped_after(|| {
        let other = Context::primary(second_device().unwrap_or_else(device)).unwrap();
        other.push().unwrap();
        Some(other)
    });
}

#[test]
fn where_a_context_that_is_gone_is_current() {
    dropped_after(|| {
        let other = own();
        other.push().unwrap();
        thread::scope(|scope| scope.spawn(|| drop(other)).join().unwrap());
        None
    });
}

#[test]
fn in_any_order() {
    driver();
    let told = reports(|| {
        let Everything { buffer, on_legacy, stream, event, module, access, context } = everything();
        drop(context);
        drop(stream);
        drop(module);
        drop(access);
        assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
        drop(event);
        drop(buffer);
        assert_eq!(on_legacy.to_vec().unwrap(), [1, 2, 3]);
        drop(on_legacy);
    });
    assert!(told.is_empty(), "{told:?}");
}

/// The own context is on the stack twice, with another one between.
#[test]
fn where_the_own_context_lies_deeper_in_the_stack() {
    driver();
    cuda_rt::init().unwrap();
    thread::spawn(|| {
        let things = everything();
        let other = own();
        things.context.push().unwrap();
        other.push().unwrap();
        let handle = things.context.as_raw();
        drop(things);
        assert!(other.is_current().unwrap());
        assert_eq!(Context::pop().unwrap(), other.as_raw());
        // The context is destroyed. Its handle is still on the stack, and does no harm.
        assert_eq!(Context::pop().unwrap(), handle);
    })
    .join()
    .unwrap();
}
