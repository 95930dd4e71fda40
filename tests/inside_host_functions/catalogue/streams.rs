//! Streams and events.

use super::Catalogue;
use crate::world::World;
use cuda_rt::event::EventFlags;
use cuda_rt::ipc::{IpcEventHandle, IpcMemHandle};
use cuda_rt::stream::{AsStream, HostTaskSyncMode, PerThreadStream, StreamFlags, StreamRef};
use cuda_rt::{Event, Stream};
use cuda_suite::neighbour;
use cuda_sys::{CUevent, CUstream};
use std::collections::HashSet;
use std::sync::Arc;

fn stream(world: &World) -> Stream {
    Stream::new(&world.context).unwrap()
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

/// A value that a callback owns, to see whether it has been dropped.
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
            // SAFETY: its owner keeps it.
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
