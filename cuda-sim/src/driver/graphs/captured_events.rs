//! Events that are recorded and waited for in captures. Through them, streams fork from a capture and join it.

use crate::driver::graphs::capture::IMPLICIT;
use crate::driver::graphs::capture_entry_points::add;
use crate::driver::graphs::operation::Operation;
use crate::driver::handles::Handle;
use crate::driver::operations::StreamId;
use crate::driver::queues::dependency::{CapturedEvent, EdgeData};
use crate::driver::queues::event::Event;
use crate::driver::{Answer, State};
use cuda_sys::CUresult;

impl State {
    /// Returns the current dependencies of a captured stream.
    pub(crate) fn place_in_capture(&self, on_stream: StreamId) -> Option<CapturedEvent> {
        let capture = self.captures.of_stream(on_stream)?;
        let dependencies = capture.streams.get(&on_stream)?.dependencies.clone();
        Some(CapturedEvent { capture: capture.id, dependencies })
    }

    /// Sets the edge data of a captured event. The edges lead from its kernel to the kernels that wait for the event.
    pub(crate) fn set_captured_edges(&mut self, event: Handle, data: EdgeData) {
        let event = self.events.get_mut(event);
        if let Some(captured) = event.and_then(|event| event.captured.as_mut()) {
            captured.dependencies.iter_mut().for_each(|dependency| dependency.data = data);
        }
    }

    /// Makes a stream wait for an event, if a capture is involved. Returns false if none is, and the wait is an
    /// ordinary one.
    pub(crate) fn waits_in_capture(
        &mut self,
        on: (StreamId, Handle),
        event: Handle,
        external: bool,
    ) -> Answer<bool> {
        let captured = self.events.get(event).and_then(|event| event.captured.clone());
        if self.captures.is_empty() && captured.is_none() {
            return Ok(false);
        }
        if self.is_captured(on)? {
            if external {
                self.append(on.0, Operation::WaitEvent(event));
            } else if captured.is_some() || self.events.get(event).is_some_and(Event::was_recorded) {
                self.join(on.0, captured)?;
            }
            return Ok(true);
        }
        let Some(captured) = captured else { return Ok(false) };
        if matches!(on.0, StreamId::Legacy(_)) {
            self.captures.invalidate(|capture| capture.id == captured.capture);
            return Err(IMPLICIT);
        }
        let capture = self.captures.get_mut(captured.capture).filter(|capture| !capture.is_invalidated);
        let Some(capture) = capture else { return Err(CUresult::CUDA_ERROR_INVALID_VALUE) };
        capture.fork(on.0, captured.dependencies);
        Ok(true)
    }

    /// Makes a captured stream wait for an event of the same capture.
    fn join(&mut self, on_stream: StreamId, captured: Option<CapturedEvent>) -> Answer {
        let Some(own) = self.captures.of_stream(on_stream).map(|capture| capture.id) else { return Ok(()) };
        let other = captured.as_ref().map(|captured| captured.capture);
        let code = match other {
            Some(other) if other == own => {
                let stream = self.captures.get_mut(own).and_then(|own| own.streams.get_mut(&on_stream));
                if let (Some(stream), Some(captured)) = (stream, captured) {
                    add(&mut stream.dependencies, &captured.dependencies);
                }
                return Ok(());
            }
            Some(other) if self.captures.get(other).is_some() => CUresult::CUDA_ERROR_STREAM_CAPTURE_MERGE,
            // The capture of the event has ended (measured).
            Some(_) => CUresult::CUDA_ERROR_INVALID_VALUE,
            None => CUresult::CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
        };
        self.captures.invalidate(|capture| capture.id == own || Some(capture.id) == other);
        Err(code)
    }

    /// Refuses a query of an event, or a wait for it on the host, if this disturbs a capture.
    pub(crate) fn check_event_uncaptured(&mut self, event: Handle) -> Answer {
        self.check_event_place(event)?;
        self.check_unsafe()
    }

    /// Refuses a query of an event that was recorded in a capture, and invalidates the capture.
    pub(crate) fn check_event_place(&mut self, event: Handle) -> Answer {
        let place = self.check_event_time(event);
        if place == Err(CUresult::CUDA_ERROR_CAPTURED_EVENT) {
            let captured = self.events.get(event).and_then(|event| event.captured.as_ref());
            let capture = captured.map(|captured| captured.capture);
            self.captures.invalidate(|other| Some(other.id) == capture);
        }
        place
    }

    /// Refuses to compute times of an event that was recorded in a capture. The capture goes on (conformance fact V1203).
    pub(crate) fn check_event_time(&self, event: Handle) -> Answer {
        let captured = self.events.get(event).and_then(|event| event.captured.as_ref());
        let Some(captured) = captured else { return Ok(()) };
        match self.captures.get(captured.capture) {
            Some(capture) if !capture.is_invalidated => Err(CUresult::CUDA_ERROR_CAPTURED_EVENT),
            _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        }
    }
}
