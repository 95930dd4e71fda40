//! Streams and events.

use super::Catalogue;
use crate::world::World;
use cuda_rt::completion::{Finished, WakeBy};
use cuda_rt::event::EventFlags;
use cuda_rt::ipc::{IpcEventHandle, IpcMemHandle};
use cuda_rt::launch::{AccessPolicyWindow, AccessProperty, MemSyncDomain, SynchronizationPolicy};
use cuda_rt::memory::{BarrierScope, Until, WordReduction, WriteValueFlags};
use cuda_rt::stream::{
    AsStream, CommandList, EventRecordFlags, EventWaitFlags, GraphicsStream, HostTaskSyncMode,
    PerThreadStream, StreamFlags, StreamInfo, StreamRef,
};
use cuda_rt::{DeviceBuf, Event, Stream};
use cuda_suite::neighbour;
use cuda_sys::{CUevent, CUstream};
use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

fn stream(world: &World) -> Stream {
    Stream::new(&world.context).unwrap()
}

/// Returns a buffer of one word, on the stream of the world.
fn word(world: &World) -> DeviceBuf<u32> {
    DeviceBuf::zeroed(&world.stream, 1).unwrap()
}

/// Returns a future that has its result.
fn finished(world: &World) -> Finished {
    let mut finished = world.stream.finished().unwrap();
    while poll(&mut finished).is_pending() {}
    finished
}

fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn works(stream: &mut Stream, world: &World) {
    world.event.record(stream).unwrap();
    stream.synchronize().unwrap();
}

fn event(world: &World) -> Event {
    Event::with_flags(&world.context, EventFlags::INTERPROCESS | EventFlags::DISABLE_TIMING).unwrap()
}

fn event_works(event: &mut Event, world: &World) {
    event.record(&world.stream).unwrap().synchronize().unwrap();
}

/// A handle that goes to another thread.
struct Raw<T>(T);
// SAFETY: streams and events are not bound to a thread.
unsafe impl<T> Send for Raw<T> {}

fn raw_stream(world: &World) -> Raw<CUstream> {
    let _entered = world.context.enter().unwrap();
    Raw(cuda_suite::raw::stream(0))
}

fn raw_event(world: &World) -> Raw<CUevent> {
    Raw(event(world).into_raw())
}

/// A value that a host function owns. Its count shows whether the function has been dropped.
struct Token(Option<Arc<()>>);

fn token(_: &World) -> Token {
    Token(Some(Arc::new(())))
}

fn dropped(token: &mut Token, _: &World) {
    assert_eq!(Arc::strong_count(token.0.as_ref().unwrap()), 1, "the function of a refused call is dropped");
}

impl Token {
    fn copy(&self) -> Arc<()> {
        self.0.clone().unwrap()
    }
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .refuses("Stream::new", |_, w| Stream::new(&w.context))
        .refuses("Stream::with_flags", |_, w| Stream::with_flags(&w.context, StreamFlags::DEFAULT))
        .refuses("Stream::with_priority", |_, w| Stream::with_priority(&w.context, StreamFlags::DEFAULT, 0))
        // SAFETY: the call is refused.
        .refuses("GraphicsStream::begin", |_, w| unsafe {
            GraphicsStream::begin(&w.context, CommandList::Vulkan(core::ptr::null_mut()))
        })
        .answers("context::expect_foreign_captures", |_, _| cuda_rt::stream::expect_foreign_captures())
        .answers("Stream::legacy", |_, w| Stream::legacy(&w.context))
        .refuses("Event::new", |_, w| Event::new(&w.context))
        .refuses("Event::with_flags", |_, w| Event::with_flags(&w.context, EventFlags::BLOCKING_SYNC));
    c.of(raw_stream, |_, _| ())
        // SAFETY: made for this call.
        .hands_over(
            "Stream::from_raw",
            |raw, w| unsafe { Stream::from_raw(raw.0, &w.context) },
            |stream, _| {
                stream.close().unwrap();
            },
        );
    c.of(stream, works)
        .answers("Stream::from_raw_with_owner", |s, w| {
            // SAFETY: the owner keeps the stream alive.
            drop(unsafe { Stream::from_raw_with_owner(s.as_raw(), &w.context, Box::new(s.clone())) });
        })
        .answers("Stream::{as_raw, context}", |s, w| (s.as_raw().is_null(), *s.context() == w.context))
        .answers("AsStream::{as_raw, context}; Stream: AsStream", |s, w| {
            (AsStream::as_raw(s).is_null(), *AsStream::context(s) == w.context)
        })
        .refuses("Stream::id", |s, _| s.id())
        .refuses("Stream::flags", |s, _| s.flags())
        .refuses("Stream::priority", |s, _| s.priority())
        .refuses("Stream::synchronize", |s, _| s.synchronize())
        .refuses("Stream::is_done", |s, _| s.is_done())
        .refuses("Stream::wait_event", |s, w| s.wait_event(&w.event))
        .refuses("Stream::wait_stream", |s, w| s.wait_stream(&w.stream))
        .refuses("Stream::wait_event_with_flags", |s, w| {
            s.wait_event_with_flags(&w.event, EventWaitFlags::DEFAULT)
        })
        .refuses("Stream::device", |s, _| s.device())
        .refuses("StreamInfo::of_raw", |s, _| {
            // SAFETY: the stream is live.
            unsafe { StreamInfo::of_raw(s.as_raw()) }
        })
        .refuses("Stream::finished", |s, _| s.finished())
        .refuses("StreamRef::finished", |s, _| s.as_stream_ref().finished())
        .refuses("Stream::access_policy_window", |s, _| s.access_policy_window())
        .refuses("Stream::set_access_policy_window", |s, w| {
            s.set_access_policy_window(AccessPolicyWindow {
                base: w.buffer.ptr().cast(),
                bytes: 4,
                hit_ratio: 1.0,
                hit: AccessProperty::NORMAL,
                miss: AccessProperty::NORMAL,
            })
        })
        .refuses("Stream::synchronization_policy", |s, _| s.synchronization_policy())
        .refuses("Stream::set_synchronization_policy", |s, _| {
            s.set_synchronization_policy(SynchronizationPolicy::AUTO)
        })
        .refuses("Stream::set_priority", |s, _| s.set_priority(0))
        .refuses("Stream::mem_sync_domain", |s, _| s.mem_sync_domain())
        .refuses("Stream::set_mem_sync_domain", |s, _| s.set_mem_sync_domain(MemSyncDomain::REMOTE))
        .refuses("Stream::mem_sync_domain_map", |s, _| s.mem_sync_domain_map())
        .refuses("Stream::set_mem_sync_domain_map", |s, _| s.set_mem_sync_domain_map([0, 1]))
        .refuses("Stream::copy_attributes_from", |s, w| s.copy_attributes_from(&w.stream))
        .refuses("Stream::is_capturing", |s, _| s.is_capturing())
        .consumes("Stream::close", |s, _| s.close())
        .answers("Stream: {Clone, Debug, Hash, PartialEq}", |s, _| {
            (s.clone() == *s, format!("{s:?}"), HashSet::from([s.clone()]))
        })
        .answers(
            "Stream::as_stream_ref; StreamRef::{as_raw, context}; StreamRef: {AsStream, Debug, From<&Stream>, Hash, PartialEq}",
            |s, _| {
                let stream = s.as_stream_ref();
                assert_eq!(stream, StreamRef::from(&*s));
                let shown = format!("{:?} {:?} {stream:?}", stream.as_raw(), stream.context());
                (HashSet::from([stream]).len(), shown)
            },
        )
        .answers("StreamRef::from_raw", |s, w| {
            // SAFETY: the stream outlives the reference.
            unsafe { StreamRef::from_raw(s.as_raw(), &w.context) }.as_raw().is_null()
        })
        .refuses("StreamRef::synchronize", |s, _| s.as_stream_ref().synchronize())
        .refuses("StreamRef::is_done", |s, _| s.as_stream_ref().is_done())
        .refuses("StreamRef::wait_event", |s, w| s.as_stream_ref().wait_event(&w.event))
        .refuses("StreamRef::wait_stream", |s, w| s.as_stream_ref().wait_stream(&w.stream))
        .drops("Stream: Drop");
    c.of(word, |word, _| drop(word.to_vec().unwrap()))
        .refuses("Stream::write_value", |word, w| {
            w.stream.write_value(word.as_slice_mut(), 1, WriteValueFlags::DEFAULT)
        })
        .refuses("Stream::write_value_at", |word, w| {
            // SAFETY: the word lives on the stream.
            unsafe { w.stream.write_value_at(word.ptr(), 1, WriteValueFlags::DEFAULT) }
        })
        .refuses("Stream::wait_value", |word, w| w.stream.wait_value(word.as_slice(), Until::at_least(0)))
        .refuses("Stream::wait_value_at", |word, w| {
            // SAFETY: the word lives on the stream.
            unsafe { w.stream.wait_value_at::<u64>(word.ptr().cast(), Until::at_least(0)) }
        })
        .refuses(
            "MemOps::{barrier, flush_remote_writes, submit, wait, wait_at, write_at}; MemOps: {Clone, Debug, Drop}",
            |word, w| {
                let operations = w.stream.mem_ops().barrier(BarrierScope::System).flush_remote_writes();
                let operations = operations.wait(word.as_slice(), Until::equal(0)).unwrap();
                // SAFETY: the word lives on the stream.
                let operations = unsafe { operations.wait_at(word.ptr(), Until::equal(0)) };
                // SAFETY: as above.
                let operations = unsafe { operations.write_at(word.ptr(), 1, WriteValueFlags::DEFAULT) };
                assert!(format!("{operations:?}").contains("len: 5"));
                operations.clone().submit()
            },
        )
        .answers("MemOps::{is_empty, len, reduce, write}; Stream::mem_ops", |word, w| {
            let operations = w.stream.mem_ops();
            assert!(operations.is_empty());
            let reduced = operations.reduce(word.as_slice_mut(), WordReduction::Add, 1);
            let length = reduced.unwrap().len();
            let written = w.stream.mem_ops().write(word.as_slice_mut(), 1, WriteValueFlags::DEFAULT);
            (length, written.unwrap().len())
        })
        .answers("Until::{any_bit, at_least, equal, nor, with_flush}", |_, _| {
            [Until::any_bit(1_u32), Until::at_least(1), Until::equal(1), Until::nor(1)].map(Until::with_flush)
        });
    c.of(|w| w.stream.finished().unwrap(), |finished, _| while poll(finished).is_pending() {})
        .answers("Finished: Debug", |finished, _| format!("{finished:?}"))
        .drops("Finished: Drop");
    c.of(finished, |finished, _| assert!(poll(finished).is_ready()))
        .answers("Finished: Future", |finished, _| poll(finished).is_ready())
        .hands_over(
            "Finished::wake_by",
            |finished, _| finished.wake_by(WakeBy::Polling),
            |mut finished, _| assert!(poll(&mut finished).is_ready()),
        );
    c.of(token, dropped)
        .refuses("Stream::launch_host_function", |token, w| {
            let token = token.copy();
            w.stream.launch_host_function(move || drop(token))
        })
        .refuses("Stream::launch_host_function_with_mode", |token, w| {
            let token = token.copy();
            w.stream.launch_host_function_with_mode(HostTaskSyncMode::Blocking, move || drop(token))
        })
        .refuses("Stream::add_callback", |token, w| {
            let token = token.copy();
            w.stream.add_callback(move |_| drop(token))
        })
        .refuses("PerThreadStream::launch_host_function", |token, w| {
            let token = token.copy();
            PerThreadStream::new(&w.context).launch_host_function(move || drop(token))
        })
        .refuses("PerThreadStream::launch_host_function_with_mode", |token, w| {
            let (token, mode) = (token.copy(), HostTaskSyncMode::SpinWait);
            PerThreadStream::new(&w.context).launch_host_function_with_mode(mode, move || drop(token))
        })
        .refuses("PerThreadStream::add_callback", |token, w| {
            let token = token.copy();
            PerThreadStream::new(&w.context).add_callback(move |_| drop(token))
        });
    c.free()
        .answers("PerThreadStream::new; PerThreadStream: {AsStream, Clone, Debug, Drop}", |_, w| {
            let stream = PerThreadStream::new(&w.context);
            format!("{stream:?} {:?} {:?}", stream.clone().as_raw(), stream.context())
        })
        .refuses("PerThreadStream::synchronize", |_, w| PerThreadStream::new(&w.context).synchronize())
        .refuses("PerThreadStream::finished", |_, w| PerThreadStream::new(&w.context).finished())
        .refuses("PerThreadStream::is_done", |_, w| PerThreadStream::new(&w.context).is_done())
        .refuses("PerThreadStream::wait_event", |_, w| PerThreadStream::new(&w.context).wait_event(&w.event))
        .refuses("PerThreadStream::wait_stream", |_, w| {
            PerThreadStream::new(&w.context).wait_stream(&w.stream)
        });
    c.of(raw_event, |_, _| ())
        // SAFETY: made for this call.
        .hands_over(
            "Event::from_raw",
            |raw, w| unsafe { Event::from_raw(raw.0, &w.context) },
            |event, _| {
                event.close().unwrap();
            },
        );
    c.of(event, event_works)
        .answers("Event::{as_raw, context}", |e, w| (e.as_raw().is_null(), *e.context() == w.context))
        .refuses("Event::record", |e, w| e.record(&w.stream).map(drop))
        .refuses("Event::record_with_flags", |e, w| {
            e.record_with_flags(&w.stream, EventRecordFlags::DEFAULT).map(drop)
        })
        .refuses("Event::finished", |e, _| e.finished())
        .refuses("Event::synchronize", |e, _| e.synchronize().map(drop))
        .refuses("Event::is_done", |e, _| e.is_done())
        .refuses("Event::milliseconds_since", |e, w| e.milliseconds_since(&w.event))
        .refuses("Event::elapsed_since", |e, w| e.elapsed_since(&w.event))
        .refuses("Event::elapsed_till", |e, w| e.elapsed_till(&w.event))
        .refuses("Event::ipc_handle", |e, _| e.ipc_handle())
        .consumes("Event::close", |e, _| e.close())
        .hands_over(
            "Event::into_raw",
            |e, _| Raw(e.into_raw()),
            |raw, w| {
                // SAFETY: it was an event of this context.
                unsafe { Event::from_raw(raw.0, &w.context) }.close().unwrap();
            },
        )
        .answers("Event: Debug", |e, _| format!("{e:?}"))
        .drops("Event: Drop");
    c.of(|_| neighbour::handles("shares"), |_, _| ())
        // SAFETY: an event of another process, which waits.
        .refuses("Event::from_ipc_handle", |(_, event), w| unsafe {
            Event::from_ipc_handle(&w.context, event)
        })
        .answers("$name::{from_bytes, as_bytes}; $name: {AsRef, Debug}", |(memory, event), _| {
            assert_eq!(IpcMemHandle::from_bytes(*memory.as_bytes()), *memory);
            assert_eq!(IpcEventHandle::from_bytes(*event.as_bytes()), *event);
            (memory.as_ref().len(), format!("{memory:?} {event:?}"))
        });
}
