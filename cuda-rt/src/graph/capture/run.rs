//! Beginning and end of a capture.

#![allow(unsafe_code)]

use super::{Capture, CaptureOptions, Recording};
use crate::context::{Context, OwnCapture, retry_once};
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::keep::KeepSet;
use crate::graph::node::{AnyNode, NodeTable};
use crate::graph::source::{GraphHandle, Source, lock};
use crate::handle::{Owned, ensure_not_in_host_function, report};
use crate::stream::{Stream, StreamFlags};
use core::cell::Cell;
use core::mem::ManuallyDrop;
use core::ptr::{null, null_mut};
use cuda_sys::{CUgraph, CUstream, Symbol};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// The outcome of a closure, or its panic.
pub(super) type Outcome<R> = core::result::Result<Result<R>, Box<dyn Any + Send>>;

/// The results of a capture.
pub(super) struct Recorded<R> {
    /// The outcome of the beginning or of the end.
    pub(super) ended: Result<()>,
    /// The graph, if there is one, even after a failure.
    pub(super) graph: CUgraph,
    /// True if the stream was captured.
    pub(super) has_begun: bool,
    /// True if the stream may still be captured.
    pub(super) is_left: bool,
    /// The outcome of the closure, or the panic of its drop if it did not run.
    pub(super) outcome: Option<Outcome<R>>,
    pub(super) recording: Recording,
}

/// Captures what a closure records. `begin` begins the capture of a stream.
pub(super) fn record<R>(
    context: &Context,
    recording: Recording,
    begin: impl FnOnce(CUstream) -> Result<()>,
    work: impl FnOnce(&mut Capture<'_>) -> Result<R>,
) -> Recorded<R> {
    // Drops of captured values may panic.
    let unused = |work| catch_unwind(AssertUnwindSafe(|| drop(work))).err().map(Err);
    let unbegun = |recording: Recording, error, work| Recorded {
        ended: recording.note(Err(error)),
        graph: null_mut(),
        has_begun: false,
        is_left: false,
        outcome: unused(work),
        recording,
    };
    let stream = match Stream::with_priority(context, StreamFlags::NON_BLOCKING, recording.priority) {
        Ok(stream) => stream,
        Err(error) => return unbegun(recording, error, work),
    };
    let counted = OwnCapture::begin(context, recording.mode.to_raw());
    let begun = context.bind(Symbol::cuStreamBeginCapture_v2).and_then(|_bound| begin(stream.raw()));
    // A call can do its work and then report the failure of earlier work.
    let begun = match begun {
        Err(error) if !may_go_on(&stream) => return unbegun(recording, error, work),
        begun => begun,
    };
    // Nothing in the closure leaves the capture open: neither a panic, nor an early return, nor a forgotten value.
    let outcome = if begun.is_ok() {
        let mut capture = Capture::over(stream.clone(), &recording);
        Some(catch_unwind(AssertUnwindSafe(|| work(&mut capture))))
    } else {
        unused(work)
    };
    let End { ended, graph, is_left } = end(&stream);
    drop(counted);
    let rest = (recording.streams.take(), recording.events.take(), stream);
    if is_left {
        // A stream that may still be captured is neither used nor destroyed.
        let _left = ManuallyDrop::new(rest);
    } else {
        drop(rest);
    }
    let ended = recording.note(begun.and(ended)).and_then(|()| recording.broken.take().map_or(Ok(()), Err));
    Recorded { ended, graph, has_begun: true, is_left, outcome, recording }
}

struct End {
    ended: Result<()>,
    graph: CUgraph,
    /// True if the stream may still be captured.
    is_left: bool,
}

fn end(stream: &Stream) -> End {
    let mut graph = null_mut();
    let mut attempt = || {
        let _bound = retry_once(|| stream.context().bind(Symbol::cuStreamEndCapture))?;
        // SAFETY: the stream is live, its context is current, and `graph` is valid for a write.
        unsafe { check!(cuStreamEndCapture(stream.raw(), &raw mut graph)) }
    };
    let ended = attempt();
    let mut is_left = ended.is_err() && may_go_on(stream);
    if is_left {
        // The first failure counts.
        is_left = attempt().is_err() && may_go_on(stream);
    }
    End { ended, graph, is_left }
}

/// Returns whether a stream may still be captured.
fn may_go_on(stream: &Stream) -> bool {
    let asked = stream
        .context()
        .bind(Symbol::cuStreamIsCapturing)
        .and_then(|_bound| crate::stream::is_capturing(stream.raw()));
    asked != Ok(false)
}

impl Graph {
    /// Records a closure into a new graph, and runs nothing. Returns the graph and the closure's value. Wraps
    /// `cuStreamBeginCapture` and `cuStreamEndCapture`.
    ///
    /// The closure records with the methods of [`Capture`], and launches kernels on it as on a stream. The graph keeps the
    /// recorded objects alive. If the closure fails or panics, the capture ends, and its nodes are discarded.
    ///
    /// # Errors
    ///
    /// - The error of the closure.
    /// - A [capture code](crate::graph#when-a-capture-fails) of the driver: a call invalidated the capture. The text names the
    ///   call.
    /// - The failure of a call with a cell or a child graph, of the end of a [`fork`](Capture::fork), or of the release of a
    ///   [`temporary`](Capture::temporary). The capture fails even if the closure continues, because the order of the nodes is
    ///   unknown.
    /// - A failure of `cuStreamCreateWithPriority`.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{CaptureOptions, Graph};
    ///
    /// let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 4)?;
    /// let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| capture.fill(&mut buffer, 7))?;
    /// assert_eq!(buffer.to_vec()?, [0; 4]); // nothing has run yet
    /// let mut program = graph.instantiate(Default::default())?;
    /// program.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [7; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias(
        "cuStreamCreateWithPriority",
        "cuStreamBeginCapture",
        "cuStreamEndCapture",
        "cuThreadExchangeStreamCaptureMode"
    ))]
    pub fn capture<R>(
        context: &Context,
        options: CaptureOptions,
        work: impl for<'c> FnOnce(&mut Capture<'c>) -> Result<R>,
    ) -> Result<(Graph, R)> {
        let mode = options.mode.to_raw();
        let begin = |stream| {
            // SAFETY: the stream is live, not captured, and private to this function; its context is current.
            unsafe { check!(cuStreamBeginCapture_v2(stream, mode)) }
        };
        let Recorded { ended, graph, outcome, recording, .. } =
            record(context, Recording::new(options, NodeTable::new()), begin, work);
        let handle = (!graph.is_null()).then(|| GraphHandle::own(graph, context));
        let value = closure_first(outcome, ended)?;
        let handle = handle.ok_or_else(|| no_graph(&recording))?;
        Ok((recording.into_graph(handle, context), value))
    }

    /// Records a closure into this graph, after some of its nodes. Wraps `cuStreamBeginCaptureToGraph` and `cuStreamEndCapture`.
    ///
    /// If the capture has begun, the graph is poisoned after a failure or a panic, because it contains the nodes that
    /// were recorded before. If the capture could not begin, the graph stays the same. Its executable graphs are not
    /// changed.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.3. The graph stays the
    ///   same.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a node belongs to another graph. The graph stays the
    ///   same.
    /// - Same as [`capture`](Graph::capture).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{CaptureOptions, Graph};
    ///
    /// let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 4)?;
    /// let options = CaptureOptions::new();
    /// let (mut graph, first) = Graph::capture(&context, options, |capture| {
    ///     capture.fill(&mut buffer, 1)?;
    ///     capture.last_node()
    /// })?;
    /// graph.capture_into(&[first.unwrap()], options, |capture| capture.fill(buffer.slice_mut(..2)?, 2))?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [2, 2, 1, 1]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamBeginCaptureToGraph")]
    pub fn capture_into<R>(
        &mut self,
        after: &[AnyNode],
        options: CaptureOptions,
        work: impl for<'c> FnOnce(&mut Capture<'c>) -> Result<R>,
    ) -> Result<R> {
        if let Some(missing) = cuda_sys::driver()?.missing(Symbol::cuStreamBeginCaptureToGraph) {
            return Err(missing.into());
        }
        ensure_not_in_host_function(Symbol::cuStreamBeginCaptureToGraph)?;
        let mode = options.mode.to_raw();
        let context = self.context().clone();
        // In a forked child the lock may be held forever. The driver refuses calls there.
        drop(context.bind(Symbol::cuStreamBeginCaptureToGraph)?);
        let (raw, after, nodes, inner) = {
            let mut source = lock(self.source());
            source.raw()?;
            let after = source.nodes.raws(after)?;
            let raw = source.begin_recording()?;
            (raw, after, core::mem::replace(&mut source.nodes, NodeTable::new()), source.inner())
        };
        let begin = |stream| {
            // SAFETY: the stream is live, not captured, and private to this function. This value owns the graph, and its state
            // refuses other calls meanwhile. The nodes are its own. The context is current.
            unsafe {
                check!(cuStreamBeginCaptureToGraph(stream, raw, after.as_ptr(), null(), after.len(), mode))
            }
        };
        // The graph that the end returns is this one.
        let recording = Recording { inner: Cell::new(inner), ..Recording::new(options, nodes) };
        let Recorded { ended, graph, has_begun, outcome, recording, .. } =
            record(&context, recording, begin, work);
        let is_ok = !has_begun || ended.is_ok() && matches!(outcome, Some(Ok(Ok(_))));
        let may_be_gone = has_begun && graph.is_null();
        {
            let mut source = lock(self.source());
            let Recording { nodes, keep, cell_uses, touched, restriction, nested, .. } = recording;
            source.nodes = nodes.into_inner();
            source.end_recording(is_ok, may_be_gone, has_begun);
            Arc::make_mut(&mut source.keep).append(keep.into_inner());
            source.cell_uses.extend(cell_uses.into_inner());
            source.touched.extend(touched.into_inner());
            source.restrict(restriction.get());
            source.nested.extend(nested.into_inner());
        }
        closure_first(outcome, ended)
    }
}

/// Returns the closure's value. A panic of the closure has precedence, then its error, then the error of the end.
pub(super) fn closure_first<R>(outcome: Option<Outcome<R>>, ended: Result<()>) -> Result<R> {
    match (outcome, ended) {
        (Some(Err(payload)), ended) => {
            report(ended);
            resume_unwind(payload)
        }
        (Some(Ok(Err(error))), _) => Err(error),
        (Some(Ok(Ok(value))), Ok(())) => Ok(value),
        (_, Err(error)) => Err(error),
        // The closure runs if the capture has begun.
        (None, Ok(())) => Err(Error::invalid_for(
            Symbol::cuStreamBeginCapture_v2,
            format_args!("the capture has not begun"),
        )),
    }
}

#[cold]
fn no_graph(recording: &Recording) -> Error {
    recording.failure.borrow().clone().unwrap_or_else(|| {
        Error::invalid_for(Symbol::cuStreamEndCapture, format_args!("the driver gave no graph"))
    })
}

impl Recording {
    fn into_graph(self, handle: Owned<GraphHandle>, context: &Context) -> Graph {
        let mut source = Source::new(handle, self.nodes.into_inner());
        let keep: KeepSet = self.keep.into_inner();
        source.keep = Arc::new(keep);
        source.cell_uses = self.cell_uses.into_inner();
        source.touched = self.touched.into_inner();
        source.restriction = self.restriction.get();
        source.nested = self.nested.into_inner();
        Graph::over(source, context)
    }
}
