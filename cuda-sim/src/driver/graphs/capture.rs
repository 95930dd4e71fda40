//! Captures: streams whose work becomes nodes of a graph, and calls that may disturb them.

#![allow(unsafe_code)]

use crate::collections::SmallMap;
use crate::driver::graphs::operation::Operation;
use crate::driver::graphs::recapture::{Recapture, RecaptureChanges};
use crate::driver::handles::Handle;
use crate::driver::handles::new_id;
use crate::driver::operations::StreamId;
use crate::driver::queues::default_stream::default_stream;
use crate::driver::queues::dependency::{Dependency, EdgeData};
use crate::driver::rules::{self, Capture as Rule};
use crate::driver::{Answer, Call, State};
use core::cell::Cell;
use cuda_sys::{CUgraphEdgeData, CUgraphNode, CUresult, CUstreamCaptureMode, Symbol};

type Mode = cuda_sys::CUstreamCaptureMode_enum;

pub(super) const UNSUPPORTED: CUresult = CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
pub(super) const INVALIDATED: CUresult = CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
pub(super) const IMPLICIT: CUresult = CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::CU_STREAM_CAPTURE_MODE_GLOBAL) };
}

/// Returns the capture mode of this thread: the captures that its unsafe calls may disturb.
fn thread_mode() -> CUstreamCaptureMode {
    MODE.try_with(Cell::get).unwrap_or(Mode::CU_STREAM_CAPTURE_MODE_GLOBAL)
}

/// Replaces the mode of the thread. Returns the previous one.
pub(crate) fn exchange_thread_mode(mode: CUstreamCaptureMode) -> CUstreamCaptureMode {
    MODE.try_with(|current| current.replace(mode)).unwrap_or(Mode::CU_STREAM_CAPTURE_MODE_GLOBAL)
}

/// State of a stream in a capture: its dependencies, and the lists that the program has received.
pub(crate) struct CapturedStream {
    pub(crate) dependencies: Vec<Dependency>,
    pub(super) shown: Shown,
}

/// Lists whose addresses the program has received.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) nodes: Vec<CUgraphNode>,
    pub(super) edges: Vec<CUgraphEdgeData>,
}

// SAFETY: the pointers are handles, which are never dereferenced.
unsafe impl Send for Shown {}

/// Capture that has not ended.
pub(crate) struct Capture {
    pub(crate) id: u64,
    pub(crate) mode: CUstreamCaptureMode,
    /// Stream and thread on which it began.
    pub(crate) origin: StreamId,
    pub(crate) thread: u64,
    pub(crate) context: Handle,
    pub(crate) graph: Handle,
    pub(crate) is_invalidated: bool,
    /// Nodes that remain to be visited, if a graph is being recaptured.
    pub(super) recapture: Option<Recapture>,
    /// Streams that are captured. A destroyed stream stays until the end.
    pub(crate) streams: SmallMap<StreamId, CapturedStream>,
}

impl Capture {
    /// Adds a stream to the capture.
    pub(super) fn fork(&mut self, on_stream: StreamId, dependencies: Vec<Dependency>) {
        self.streams.insert(on_stream, CapturedStream { dependencies, shown: Shown::default() });
    }
}

/// Captures of a machine.
#[derive(Default)]
pub(crate) struct Captures {
    live: Vec<Capture>,
    /// Changes that the call in progress makes to a recaptured graph.
    pub(super) changes: RecaptureChanges,
}

impl Captures {
    /// Returns whether no stream is being captured.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    pub(crate) fn get(&self, id: u64) -> Option<&Capture> {
        self.live.iter().find(|capture| capture.id == id)
    }

    pub(super) fn get_mut(&mut self, id: u64) -> Option<&mut Capture> {
        self.live.iter_mut().find(|capture| capture.id == id)
    }

    /// Returns the capture of a stream.
    pub(crate) fn of_stream(&self, on_stream: StreamId) -> Option<&Capture> {
        self.live.iter().find(|capture| capture.streams.get(&on_stream).is_some())
    }

    pub(super) fn of_stream_mut(&mut self, on_stream: StreamId) -> Option<&mut Capture> {
        self.live.iter_mut().find(|capture| capture.streams.get(&on_stream).is_some())
    }

    pub(super) fn begin(
        &mut self,
        (on_stream, context): (StreamId, Handle),
        mode: CUstreamCaptureMode,
        graph: Handle,
        dependencies: Vec<Dependency>,
    ) -> u64 {
        let id = new_id();
        let stream = CapturedStream { dependencies, shown: Shown::default() };
        self.live.push(Capture {
            id,
            mode,
            origin: on_stream,
            thread: crate::thread::number(),
            context,
            graph,
            is_invalidated: false,
            recapture: None,
            streams: [(on_stream, stream)].into_iter().collect(),
        });
        id
    }

    pub(super) fn remove(&mut self, id: u64) -> Option<Capture> {
        let index = self.live.iter().position(|capture| capture.id == id)?;
        Some(self.live.swap_remove(index))
    }

    /// Returns whether a capture is adding nodes to a graph.
    pub(crate) fn has_graph(&self, graph: Handle) -> bool {
        self.live.iter().any(|capture| capture.graph == graph)
    }

    /// Invalidates the captures for which `concerns` returns true. Returns whether there are any.
    pub(crate) fn invalidate(&mut self, concerns: impl Fn(&Capture) -> bool) -> bool {
        let mut any = false;
        for capture in self.live.iter_mut().filter(|capture| concerns(capture)) {
            capture.is_invalidated = true;
            any = true;
        }
        any
    }
}

impl Call<'_> {
    /// Refuses calls that may disturb a capture, by the rule of the function.
    pub(crate) fn check_captures(&mut self, symbol: Symbol) -> Answer {
        self.state.plans_nodes = !self.state.captures.is_empty();
        if !self.state.plans_nodes {
            return Ok(());
        }
        match rules::of(symbol).capture {
            // The result of these functions depends on the event.
            Rule::Unsafe if matches!(symbol, Symbol::cuEventQuery | Symbol::cuEventSynchronize) => Ok(()),
            Rule::Unsafe => self.state.check_unsafe(),
            Rule::Legacy => {
                let (on_stream, context) = self.state.stream(default_stream())?;
                self.state.check_uncaptured((on_stream, context))
            }
            _ => Ok(()),
        }
    }
}

impl State {
    /// Refuses an unsafe call that may disturb a capture in progress, and invalidates the capture.
    pub(crate) fn check_unsafe(&mut self) -> Answer {
        let (thread, mode) = (crate::thread::number(), thread_mode());
        if self.captures.is_empty() || mode == Mode::CU_STREAM_CAPTURE_MODE_RELAXED {
            return Ok(());
        }
        let minds_others = mode == Mode::CU_STREAM_CAPTURE_MODE_GLOBAL;
        let disturbs = self.captures.invalidate(|capture| match capture.mode {
            Mode::CU_STREAM_CAPTURE_MODE_GLOBAL => minds_others || capture.thread == thread,
            Mode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL => capture.thread == thread,
            _ => false,
        });
        if disturbs { Err(UNSUPPORTED) } else { Ok(()) }
    }

    /// Returns the captures that use of the legacy stream of a context disturbs. They are those of streams that wait
    /// for it.
    pub(super) fn disturbed_by_legacy(&self, context: Handle) -> Vec<u64> {
        let is_blocking = |on_stream: &StreamId| match *on_stream {
            StreamId::Made(handle, _) => {
                self.streams.get(handle).is_some_and(|stream| stream.context == context)
                    && self.is_blocking(*on_stream)
            }
            StreamId::PerThread(of, _) => of == context,
            _ => false,
        };
        let disturbed = |capture: &&Capture| capture.streams.iter().any(|(stream, _)| is_blocking(stream));
        self.captures.live.iter().filter(disturbed).map(|capture| capture.id).collect()
    }

    /// Refuses use of the legacy stream while a stream that waits for it is being captured, and invalidates the
    /// capture.
    fn check_legacy(&mut self, context: Handle) -> Answer {
        let disturbed = self.disturbed_by_legacy(context);
        let any = self.captures.invalidate(|capture| disturbed.contains(&capture.id));
        if any { Err(IMPLICIT) } else { Ok(()) }
    }

    /// Returns whether work on a stream becomes a node. Refuses work on a stream whose capture was invalidated, and
    /// work on the legacy stream that disturbs a capture.
    pub(crate) fn is_captured(&mut self, (on_stream, context): (StreamId, Handle)) -> Answer<bool> {
        if self.captures.is_empty() {
            return Ok(false);
        }
        if let Some(capture) = self.captures.of_stream(on_stream) {
            return if capture.is_invalidated { Err(INVALIDATED) } else { Ok(true) };
        }
        if matches!(on_stream, StreamId::Legacy(_)) {
            self.check_legacy(context)?;
        }
        Ok(false)
    }

    /// Refuses work that cannot be captured on a stream that is being captured, and invalidates the capture.
    pub(crate) fn check_uncaptured(&mut self, (on_stream, context): (StreamId, Handle)) -> Answer {
        if self.captures.is_empty() {
            return Ok(());
        }
        if let Some(capture) = self.captures.of_stream_mut(on_stream) {
            capture.is_invalidated = true;
            return Err(UNSUPPORTED);
        }
        if matches!(on_stream, StreamId::Legacy(_)) { self.check_legacy(context) } else { Ok(()) }
    }

    /// Refuses work of a whole context while a stream of it is being captured, and invalidates the capture. Work of the
    /// primary context does not disturb captures in green contexts (measured).
    pub(crate) fn check_context_uncaptured(&mut self, context: Handle) -> Answer {
        if self.captures.is_empty() {
            return Ok(());
        }
        let disturbed = if self.green_context(context).is_ok() {
            let own = self.streams_of_green(context);
            self.captures.invalidate(|capture| own.iter().any(|stream| capture.streams.get(stream).is_some()))
        } else {
            let begun = self.captures.live.iter().filter(|capture| capture.context == context);
            let own = begun.filter(|capture| self.green_of(capture.origin).is_none());
            let own: Vec<u64> = own.map(|capture| capture.id).collect();
            self.captures.invalidate(|capture| own.contains(&capture.id))
        };
        if disturbed { Err(UNSUPPORTED) } else { Ok(()) }
    }

    /// Adds a node to the graph of a stream that is being captured, after the stream's dependencies. Returns the node.
    pub(crate) fn append(&mut self, on_stream: StreamId, operation: impl Into<Operation>) -> Handle {
        let Some(capture) = self.captures.of_stream(on_stream) else { return Handle::NULL };
        let (id, graph) = (capture.id, capture.graph);
        let dependencies = capture.streams.get(&on_stream).map(|stream| stream.dependencies.clone());
        let dependencies = dependencies.unwrap_or_default();
        let node = if capture.recapture.is_some() {
            self.visit(id, &dependencies, operation.into())
        } else {
            self.add_node(graph, dependencies, operation.into())
        };
        let capture = self.captures.get_mut(id);
        if let Some(stream) = capture.and_then(|capture| capture.streams.get_mut(&on_stream)) {
            stream.dependencies = vec![Dependency { node, data: EdgeData::default() }];
        }
        node
    }

    /// Invalidates the capture of a stream, if there is one.
    pub(crate) fn invalidate_capture_of(&mut self, on_stream: StreamId) {
        if let Some(capture) = self.captures.of_stream_mut(on_stream) {
            capture.is_invalidated = true;
        }
    }

    /// Sets the edges of the next node of a captured stream to `data`, if the node comes after kernels only.
    pub(crate) fn set_capture_edges(&mut self, on_stream: StreamId, data: EdgeData) {
        let Some(stream) =
            self.captures.of_stream(on_stream).and_then(|capture| capture.streams.get(&on_stream))
        else {
            return;
        };
        let nodes: Vec<Handle> = stream.dependencies.iter().map(|dependency| dependency.node).collect();
        if nodes.iter().any(|node| self.check_edge_data(*node, None, data).is_err()) {
            return;
        }
        let capture = self.captures.of_stream_mut(on_stream);
        if let Some(stream) = capture.and_then(|capture| capture.streams.get_mut(&on_stream)) {
            stream.dependencies.iter_mut().for_each(|dependency| dependency.data = data);
        }
    }

    /// Ends a capture without a result. Destroys the graph, unless the capture is a recapture.
    pub(super) fn abandon_capture(&mut self, id: u64) {
        let Some(capture) = self.captures.remove(id) else { return };
        // A graph that existed before is destroyed, too (measured). The program must destroy a recaptured graph itself.
        if capture.recapture.is_none() {
            self.destroy_graph(capture.graph);
        }
    }

    /// Ends the capture that began on a stream which is destroyed.
    pub(crate) fn end_captures_of_stream(&mut self, on_stream: StreamId) {
        let capture = self.captures.of_stream(on_stream).filter(|capture| capture.origin == on_stream);
        if let Some(id) = capture.map(|capture| capture.id) {
            self.abandon_capture(id);
        }
    }

    /// Ends the captures of a context that ends.
    pub(crate) fn end_captures_of_context(&mut self, context: Handle) {
        let of_context = self.captures.live.iter().filter(|capture| capture.context == context);
        for id in of_context.map(|capture| capture.id).collect::<Vec<_>>() {
            self.abandon_capture(id);
        }
    }

    /// Returns whether all work of a capture precedes the current position of its first stream.
    pub(super) fn is_joined(&self, capture: &Capture) -> bool {
        let nodes = |stream: &CapturedStream| {
            stream.dependencies.iter().map(|dependency| dependency.node).collect::<Vec<_>>()
        };
        let last = capture.streams.get(&capture.origin).map(nodes).unwrap_or_default();
        let mut others = capture.streams.iter().filter(|(stream, _)| *stream != capture.origin);
        others.all(|(_, stream)| nodes(stream).iter().all(|node| self.is_after(&last, *node)))
    }
}
