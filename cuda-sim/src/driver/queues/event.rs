//! Events, with times of a virtual clock.

#![allow(unsafe_code)]

use crate::config::Schedule;
use crate::driver::handles::Handle;
use crate::driver::handles::new_id;
use crate::driver::memory::host_block::Block;
use crate::driver::operations::{OpId, StreamId, TURN_STEPS};
use crate::driver::queues::dependency::CapturedEvent;
use crate::driver::queues::ipc_event::SharedEvent;
use crate::driver::queues::queue::{Step, Wanted, Work};
use crate::driver::stream_order::{Known, NodeId, StreamOrder};
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::c_uint;
use cuda_sys::{CUcontext, CUevent, CUevent_flags_enum as Flags, CUgreenCtx, CUresult, CUstream};
use std::sync::Arc;

/// Flag of a record or a wait that becomes a node of its own in a capture.
const EXTERNAL: c_uint = 1;

/// Record of an event by a node.
pub(crate) struct EventRecord(pub(crate) Handle);

/// An event.
pub(crate) struct Event {
    pub(crate) context: Handle,
    flags: c_uint,
    /// Operation that it marks, and the virtual time of its end in nanoseconds.
    pub(crate) recorded: Option<OpId>,
    time: Option<u64>,
    /// Number of that record.
    record: u64,
    /// Stream on which it was recorded, and the number of the request to the stream.
    after: Option<(StreamId, u64)>,
    /// Marks for other processes, if they may share the event, and the last mark of this one.
    pub(crate) marks: Option<Arc<SharedEvent>>,
    mark: u64,
    /// Last record in the order of operations, if the order is recorded.
    node: Option<NodeId>,
    /// Position in a capture, if it was last recorded in one.
    pub(crate) captured: Option<CapturedEvent>,
}

impl Event {
    fn new(context: Handle, flags: c_uint, marks: Option<Arc<SharedEvent>>) -> Event {
        Event {
            context,
            flags,
            recorded: None,
            time: None,
            record: 0,
            after: None,
            marks,
            mark: 0,
            node: None,
            captured: None,
        }
    }

    /// Creates an event of another process, which has no times.
    pub(crate) fn opened(context: Handle, marks: Arc<SharedEvent>) -> Event {
        Event::new(context, Flags::CU_EVENT_DISABLE_TIMING.0, Some(marks))
    }

    /// Returns whether it was ever recorded outside of captures.
    pub(crate) fn was_recorded(&self) -> bool {
        self.record != 0
    }

    /// Returns whether it was created for sharing with other processes.
    pub(crate) fn is_for_processes(&self) -> bool {
        self.flags & Flags::CU_EVENT_INTERPROCESS.0 != 0
    }
}

/// Record of a shared event that is not done yet.
pub(crate) struct Recording {
    op: OpId,
    marks: Arc<SharedEvent>,
    mark: u64,
}

/// Unfinished work of an event.
pub(crate) enum Pending {
    /// Work of this process.
    Own(OpId),
    /// Mark of another process, or of this one through another event.
    AwaitExternal(Arc<SharedEvent>, u64),
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(call: &mut Call<'_>, to: *mut CUevent, flags: c_uint) -> Answer {
    let known =
        Flags::CU_EVENT_BLOCKING_SYNC.0 | Flags::CU_EVENT_DISABLE_TIMING.0 | Flags::CU_EVENT_INTERPROCESS.0;
    let shared = flags & Flags::CU_EVENT_INTERPROCESS.0 != 0;
    let timed = flags & Flags::CU_EVENT_DISABLE_TIMING.0 == 0;
    if flags & !known != 0 || shared && timed {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    check_out(to)?;
    let marks = if shared && Block::CAN_BE_SHARED {
        let marks = SharedEvent::new().ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
        Some(Arc::new(marks))
    } else {
        None
    };
    let handle = call.state.events.insert(Event::new(call.context, flags, marks));
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

pub(crate) fn destroy(call: &mut Call<'_>, event: CUevent) -> Answer {
    let handle = Handle::of(event);
    call.state.events.remove(handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    // An earlier event of the same handle may have ended with its context.
    call.state.ended_events.remove(handle);
    Ok(())
}

fn find<'call>(call: &'call Call<'_>, event: CUevent) -> Answer<&'call Event> {
    call.state.events.get(Handle::of(event)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

/// Returns the context and the flags of an event.
pub(crate) fn flags_of(call: &Call<'_>, event: CUevent) -> Answer<(Handle, c_uint)> {
    find(call, event).map(|event| (event.context, event.flags))
}

pub(crate) fn record(call: &mut Call<'_>, event: CUevent, stream: CUstream) -> Answer {
    record_in(call, event, stream, false)
}

/// Records an event. On a captured stream, `external` adds a node for it. Another stream refuses it (measured).
fn record_in(call: &mut Call<'_>, event: CUevent, stream: CUstream, external: bool) -> Answer {
    let context = find(call, event)?.context;
    // A stream of another context is refused (measured).
    if call.state.stream_context(stream)? != context {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    let on = call.state.stream(stream)?;
    if call.state.is_captured(on)? {
        let handle = Handle::of(event);
        if external {
            call.state.append(on.0, EventRecord(handle));
        } else if let Some(captured) = call.state.place_in_capture(on.0)
            && let Some(event) = call.state.events.get_mut(handle)
        {
            event.captured = Some(captured);
        }
        return Ok(());
    }
    if external {
        return Err(CUresult::CUDA_ERROR_ILLEGAL_STATE);
    }
    record_on(call, event, on);
    Ok(())
}

/// Records an event after all work that is queued in a context. The event must belong to the context (measured).
pub(crate) fn record_of_context(call: &mut Call<'_>, context: CUcontext, event: CUevent) -> Answer {
    let context = Handle::of(context);
    call.state.live_context(context)?;
    record_of(call, context, event)
}

/// Records an event after all work in a green context. The event belongs to the primary context (measured).
pub(crate) fn record_of_green_context(call: &mut Call<'_>, green: CUgreenCtx, event: CUevent) -> Answer {
    let green = Handle::of(green);
    call.state.green_context(green)?;
    record_of(call, green, event)
}

fn record_of(call: &mut Call<'_>, of: Handle, event: CUevent) -> Answer {
    let context = call.state.green_context(of).map_or(of, |green| green.primary);
    if find(call, event)?.context != context {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    call.state.check_context_uncaptured(of)?;
    record_on(call, event, (StreamId::Whole(of), context));
    Ok(())
}

/// Makes later work in a context wait for an event of any context.
pub(crate) fn wait_of_context(call: &mut Call<'_>, context: CUcontext, event: CUevent) -> Answer {
    let context = Handle::of(context);
    call.state.live_context(context)?;
    wait_of(call, context, event)
}

/// Makes later work in a green context wait for an event.
pub(crate) fn wait_of_green_context(call: &mut Call<'_>, green: CUgreenCtx, event: CUevent) -> Answer {
    let green = Handle::of(green);
    call.state.green_context(green)?;
    call.state.check_event_place(Handle::of(event))?;
    wait_of(call, green, event)
}

fn wait_of(call: &mut Call<'_>, of: Handle, event: CUevent) -> Answer {
    let context = call.state.green_context(of).map_or(of, |green| green.primary);
    call.state.check_context_uncaptured(of)?;
    let pending = pending(call, event)?;
    call.state.next_comes_after_event(Handle::of(event));
    wait_on(call, event, pending, (StreamId::Gate(of), context));
    Ok(())
}

/// Makes later work on a stream wait for an event.
pub(crate) fn wait_of_stream(call: &mut Call<'_>, stream: CUstream, event: CUevent, flags: c_uint) -> Answer {
    let pending = pending(call, event)?;
    if flags & !EXTERNAL != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let (on, external) = (call.state.stream(stream)?, flags & EXTERNAL != 0);
    // Only nodes of graphs wait in this way (measured).
    if external && !call.state.is_captured(on)? {
        return Err(CUresult::CUDA_ERROR_ILLEGAL_STATE);
    }
    if call.state.waits_in_capture(on, Handle::of(event), external)? {
        return Ok(());
    }
    call.state.next_comes_after_event(Handle::of(event));
    wait_on(call, event, pending, on);
    let Event { context, after, .. } = *find(call, event)?;
    if let Some((of, number)) = after {
        call.state.queue.note_awaited(on.0, (of, context, number));
    }
    Ok(())
}

fn wait_on(call: &mut Call<'_>, event: CUevent, pending: Option<Pending>, on: (StreamId, Handle)) {
    match pending {
        // The work before the event is done. In virtual time it may end later than the work of this stream.
        None => {
            let time = call.state.events.get(Handle::of(event)).and_then(|event| event.time);
            call.state.submit_from(on, time.unwrap_or(0));
        }
        Some(Pending::Own(op)) => drop(call.state.submit(on, Some(op), 0, |_| Ok(()))),
        Some(Pending::AwaitExternal(marks, mark)) => {
            call.state.submit_work(on, 0, Work::AwaitExternal(marks, mark));
        }
    }
}

fn record_on(call: &mut Call<'_>, event: CUevent, on: (StreamId, Handle)) {
    let handle = Handle::of(event);
    let Some((recording, before)) = call.state.begin_recording(handle, on.0) else { return };
    if let Some((marks, before)) = before {
        call.state.submit_work(on, 0, Work::AwaitExternal(marks, before));
    }
    let reached = recording.clone();
    let op = call.state.submit(on, None, 0, move |state| state.reach_recording(&reached));
    call.state.note_recording(recording, op);
}

/// One record of an event.
#[derive(Clone)]
pub(crate) struct EventRecording {
    event: Handle,
    record: u64,
    /// Mark for other processes, if they share the event.
    shared: Option<Mark>,
}

/// Mark of an event that processes share.
type Mark = (Arc<SharedEvent>, u64);

impl State {
    /// Begins a record of an event on a stream. Returns the mark of a shared event that precedes it, or `None` if the
    /// event was destroyed.
    pub(crate) fn begin_recording(
        &mut self,
        handle: Handle,
        on_stream: StreamId,
    ) -> Option<(EventRecording, Option<Mark>)> {
        // Until the record is done, the event has no time. A later record replaces an earlier one.
        self.records += 1;
        let (record, number) = (self.records, new_id());
        let event = self.events.get_mut(handle)?;
        (event.record, event.time, event.after) = (record, None, Some((on_stream, number)));
        event.captured = None;
        let shared = event.marks.clone().map(|marks| {
            let (mark, before) = marks.next();
            event.mark = mark;
            (marks, mark, before)
        });
        let before = shared.clone().map(|(marks, _, before)| (marks, before));
        let before = before.filter(|(marks, before)| !marks.is_reached(*before));
        let shared = shared.map(|(marks, mark, _)| (marks, mark));
        Some((EventRecording { event: handle, record, shared }, before))
    }

    /// Notes that the stream has reached a record.
    pub(crate) fn reach_recording(&mut self, recording: &EventRecording) -> Answer {
        if let Some((marks, mark)) = &recording.shared {
            marks.reach(*mark);
        }
        let (now, record) = (self.now, recording.record);
        if let Some(event) = self.events.get_mut(recording.event).filter(|event| event.record == record) {
            event.time = Some(now);
        }
        Ok(())
    }

    /// Notes the operation of a record, or none if the stream reached it at once.
    pub(crate) fn note_recording(&mut self, recording: EventRecording, op: Option<OpId>) {
        let node = self.order.as_ref().and_then(StreamOrder::latest);
        if let Some(event) = self.events.get_mut(recording.event) {
            event.recorded = op;
            event.node = node;
        }
        if let (Some(op), Some((marks, mark))) = (op, recording.shared) {
            self.recordings.push(Recording { op, marks, mark });
        }
    }

    /// Returns the work that the program knows to be done after an event. Other processes may record a shared event.
    fn known_by_event(&self, handle: Handle) -> Known {
        match self.events.get(handle) {
            Some(event) if event.marks.is_some() => Known::All,
            Some(event) => Known::Node(event.node),
            None => Known::Nothing,
        }
    }

    /// Orders the next queued operation after an event, even one that is reached already, if the order is recorded.
    pub(crate) fn next_comes_after_event(&self, handle: Handle) {
        let Some(order) = &self.order else { return };
        match self.known_by_event(handle) {
            Known::Node(node) => order.next_comes_after(node),
            Known::All => order.next_comes_after_all(),
            _ => {}
        }
    }

    /// Orders the next queued operation after another one, which may be done already, if the order is recorded.
    pub(crate) fn next_comes_after(&self, node: Option<NodeId>) {
        if let Some(order) = &self.order {
            order.next_comes_after(node);
        }
    }

    /// Returns the work that a wait for an event waits for. Returns `None` if the event was reached or destroyed.
    pub(crate) fn pending_event(&self, handle: Handle) -> Option<Pending> {
        pending_of(self, self.events.get(handle)?)
    }

    /// Returns whether a thread must check for events that other processes wait for. This is unnecessary under
    /// schedules that do work by themselves.
    pub(crate) fn is_to_be_listened(&mut self) -> bool {
        let queue = &self.queue;
        self.recordings.retain(|recording| queue.has(recording.op));
        !self.recordings.is_empty() && self.config.schedule != Schedule::Eager
    }

    /// Does a part of the work that other processes wait for.
    pub(crate) fn listen(&mut self) -> Step {
        let wanted = self.recordings.iter().filter(|recording| recording.marks.is_wanted(recording.mark));
        let ops: Vec<OpId> = wanted.map(|recording| recording.op).collect();
        let needed = self.queue.needed_for(&ops);
        if needed.is_empty() { Step::Idle } else { self.step(Wanted::These(&needed), TURN_STEPS) }
    }
}

pub(crate) fn record_with_flags(
    call: &mut Call<'_>,
    event: CUevent,
    stream: CUstream,
    flags: c_uint,
) -> Answer {
    // The only flag is for captures.
    if flags & !EXTERNAL != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    record_in(call, event, stream, flags & EXTERNAL != 0)
}

/// Returns the unfinished work of an event. An event that was not recorded counts as reached (measured).
fn pending(call: &Call<'_>, event: CUevent) -> Answer<Option<Pending>> {
    Ok(pending_of(call.state, find(call, event)?))
}

fn pending_of(state: &State, event: &Event) -> Option<Pending> {
    if let Some(marks) = &event.marks {
        let last = marks.last();
        if last != event.mark {
            let is_reached = marks.is_reached(last);
            return (!is_reached).then(|| Pending::AwaitExternal(marks.clone(), last));
        }
    }
    event.recorded.filter(|op| state.queue.has(*op)).map(Pending::Own)
}

pub(crate) fn synchronize(call: &mut Call<'_>, event: CUevent) -> Answer {
    call.state.check_event_uncaptured(Handle::of(event))?;
    let after = find(call, event)?.after;
    let op = match pending(call, event)? {
        None => None,
        Some(Pending::Own(op)) => Some(op),
        Some(Pending::AwaitExternal(marks, mark)) => {
            let op = call.state.submit_apart(Work::AwaitExternal(marks, mark));
            call.wait_for([op]);
            return Ok(());
        }
    };
    let handle = Handle::of(event);
    let known = call.state.known_by_event(handle);
    call.synchronize(
        op,
        known,
        move |(on_stream, _, freed)| after.is_some_and(|(of, number)| of == *on_stream && *freed < number),
        move |state| state.events.get(handle).and_then(|event| event.time).unwrap_or(0),
    );
    Ok(())
}

pub(crate) fn query(call: &mut Call<'_>, event: CUevent) -> Answer {
    call.state.check_event_uncaptured(Handle::of(event))?;
    match pending(call, event)? {
        Some(Pending::Own(op)) => call.not_ready(&[op]),
        Some(Pending::AwaitExternal(marks, mark)) => {
            marks.want(mark);
            call.not_ready(&[])
        }
        None => {
            let time = find(call, event)?.time;
            call.state.pass(time.unwrap_or(0));
            let known = call.state.known_by_event(Handle::of(event));
            call.state.learn(&known);
            Ok(())
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn elapsed(call: &mut Call<'_>, to: *mut f32, start: CUevent, end: CUevent) -> Answer {
    // The driver reports a null pointer as an invalid event (conformance fact V1044).
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    for event in [start, end] {
        find(call, event)?;
        call.state.check_event_time(Handle::of(event))?;
    }
    let (first, last) = (find(call, start)?, find(call, end)?);
    let timed = |event: &Event| event.flags & Flags::CU_EVENT_DISABLE_TIMING.0 == 0 && event.record != 0;
    // All of these return INVALID_HANDLE (measured).
    if !timed(first) || !timed(last) || first.context != last.context {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    let (Some(first), Some(last)) = (first.time, last.time) else {
        return Err(CUresult::CUDA_ERROR_NOT_READY);
    };
    for event in [start, end] {
        let known = call.state.known_by_event(Handle::of(event));
        call.state.learn(&known);
    }
    let nanoseconds = last as f64 - first as f64;
    // SAFETY: the program's promise.
    unsafe { put(to, (nanoseconds / 1e6) as f32) }
}
