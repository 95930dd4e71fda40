//! Launches, and their order.

#![allow(unsafe_code)]

use super::{ExecHandle, GraphExec, Home, LastLaunch};
use crate::context::{Context, ensure_lives};
use crate::error::{Error, Extent, Result};
use crate::event::{Event, EventFlags};
use crate::graph::cell_state::Launches;
use crate::graph::keep::distinct;
use crate::handle::{Quiet, is_forked_child};
use crate::list::CollectVec;
use crate::peer::CopyTicket;
use crate::stream::{
    AsStream, Handle, Stream, call_on, is_same, may_be_capturing, refuse_capture, wait_event,
};
use cuda_sys::Symbol;
use std::sync::{Arc, MutexGuard};

impl GraphExec {
    /// Queues the graph on a stream. Wraps `cuGraphLaunch`.
    ///
    /// # Order
    ///
    /// - The launch comes after earlier work on the stream, and later work on the stream comes after the launch.
    /// - The launch comes after earlier launches and uploads of this executable graph, on all streams. If the last one was on
    ///   another stream, this takes `cuEventRecord` there and `cuStreamWaitEvent` before the launch. On a borrowed stream or a
    ///   [`PerThreadStream`](crate::stream::PerThreadStream), each launch takes `cuStreamWaitEvent` before it and `cuEventRecord`
    ///   after it.
    /// - If kept memory lives on other home streams, the launch comes after earlier work on them, and later work on them comes
    ///   after the launch. Work that another thread queues on a home stream during the call has no order with the launch, except
    ///   launches of executable graphs elsewhere. For each home stream this takes `cuEventRecord` and `cuStreamWaitEvent` before
    ///   the launch, and `cuStreamWaitEvent` after it, with one more `cuEventRecord`. If the stream is the only home stream, and
    ///   had the last launch, the launch takes one call.
    /// - The launch comes after the last launch of any graph that uses one of its [cells](crate::graph::HostCell). This takes
    ///   `cuStreamWaitEvent` for each cell before the launch, and `cuEventRecord` after it.
    ///
    /// # Blocking
    ///
    /// Does not wait for the graph; a full queue may block the host. If the graph has memory of several devices, the call waits while
    /// another thread disables access between them. If an event after the launch cannot be recorded or waited
    /// for, the call waits until the launch is done.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the stream belongs to another context.
    /// - The same kind: the graph has memory of several devices, and this crate has disabled access between them since the graph
    ///   was made. The driver would fail with [`Code::LaunchFailed`](crate::error::Code::LaunchFailed) for the rest of the
    ///   process.
    /// - [`HostCellLocked`](crate::error::ErrorKind::HostCellLocked): the program has locked a cell that the graph uses.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned) after some failures: see [`is_poisoned`](GraphExec::is_poisoned).
    ///   The same error: the end of another launch with one of its cells could not be waited for.
    /// - [`ContextLost`](crate::error::ErrorKind::ContextLost): another context, of a home stream or of a launch with
    ///   one of its cells, was destroyed.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing) or
    ///   [`Code::StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported): the stream, the stream of the last
    ///   launch or a home stream is being captured.
    /// - The driver's refusal. Earlier launches count as before. Failures of the work itself are reported later, by the call that
    ///   waits for it.
    #[doc(alias = "cuGraphLaunch")]
    #[inline]
    pub fn launch(&mut self, stream: &impl AsStream) -> Result<()> {
        let handle = &mut *self.handle;
        if handle.has_short_way(stream) { handle.queue(stream) } else { handle.launch_in_order(stream) }
    }

    /// Copies the data of launches to the device, on a stream, so that the next launch begins sooner. Does not run the graph.
    /// Wraps `cuGraphUpload`.
    ///
    /// The upload comes after earlier launches, like a [launch](GraphExec::launch).
    ///
    /// # Blocking
    ///
    /// The driver may wait until a running launch is done.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the stream belongs to another context.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned) after some failures.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream, or the stream of the last launch,
    ///   is being captured.
    /// - An earlier failure.
    #[doc(alias = "cuGraphUpload")]
    pub fn upload(&mut self, stream: &impl AsStream) -> Result<()> {
        const CALL: Symbol = Symbol::cuGraphUpload;
        let handle = &mut *self.handle;
        if *stream.context() != handle.context {
            return Err(Error::different_contexts(CALL, "the executable graph", "the stream"));
        }
        handle.refuse_poisoned()?;
        refuse_capture(stream, CALL)?;
        if let Some(missing) = cuda_sys::driver()?.missing(CALL) {
            return Err(missing.into());
        }
        handle.come_after_last(stream)?;
        let uploaded = {
            let _bound = handle.context.bind(CALL)?;
            // SAFETY: both are live, and of the context, which is current; only this thread uses the executable graph.
            unsafe { check!(cuGraphUpload(handle.raw, stream.raw())) }
        };
        let noted = handle.note_end(stream);
        uploaded.and(noted)
    }
}

impl Home {
    /// Makes a stream wait for earlier work on the home stream.
    fn hold_up(&mut self, stream: &impl AsStream) -> Result<()> {
        hold_up(stream, &self.stream, &mut self.reached)
    }
}

/// Makes a stream wait for earlier work on another one, by an event that is created if there is none.
fn hold_up(stream: &impl AsStream, other: &Stream, reached: &mut Option<Event>) -> Result<()> {
    let reached = match reached {
        Some(reached) => reached,
        None => reached.insert(Event::with_flags(other.context(), EventFlags::DISABLE_TIMING)?),
    };
    reached.record(other)?;
    wait_event(stream, reached)
}

impl ExecHandle {
    #[inline]
    fn queue(&self, stream: &impl AsStream) -> Result<()> {
        call_on(stream, Symbol::cuGraphLaunch, || {
            // SAFETY: both are live, and of one context, which is current if the stream's handle does not name it; only this
            // thread uses the executable graph. The memory of the nodes is kept alive. It is ordered with the home streams, but not
            // with other executable graphs that are launched on their home streams meanwhile, as documented.
            unsafe { inline_check!(cuGraphLaunch(self.raw, stream.raw())) }
        })
    }

    /// Returns whether the end of a stream is the end of the last launch.
    #[inline]
    fn is_at_last(&self, stream: &impl AsStream) -> bool {
        matches!((&self.last, stream.owned()), (LastLaunch::On(last), Some(stream)) if last.is_same_handle(stream))
    }

    /// Returns whether a launch on the stream takes one call.
    #[inline]
    fn has_short_way(&self, stream: &impl AsStream) -> bool {
        self.is_at_last(stream) && self.is_alone && !self.is_poisoned && !may_be_capturing(stream)
    }

    /// Checks whether the stream of the last launch is the only one with which launches are ordered.
    pub(super) fn look_at_order(&mut self) {
        self.is_alone = self.cells.is_empty()
            && matches!(&self.last, LastLaunch::On(last) if self.homes.iter().all(|home| is_same(&home.stream, last)));
    }

    /// Makes a stream wait for the last launch. From then on, the end of the stream is the end of all launches, whether or not
    /// the next call queues work. After a failure the state is the same as before.
    pub(super) fn come_after_last(&mut self, stream: &impl AsStream) -> Result<()> {
        if self.is_at_last(stream) {
            return Ok(());
        }
        match &self.last {
            LastLaunch::Never => {}
            LastLaunch::Marked(done) => wait_event(stream, done)?,
            LastLaunch::On(last) => {
                refuse_capture(last, Symbol::cuGraphLaunch)?;
                hold_up(stream, last, &mut self.turn)?;
            }
        }
        if let Some(stream) = stream.owned() {
            drop(self.set_last(LastLaunch::On(stream.clone())));
        }
        Ok(())
    }

    /// Returns the contexts between which the launch may copy, once each.
    fn contexts(&self) -> Vec<&Context> {
        distinct(&self.context, self.homes.iter().map(|home| home.stream.context()))
    }

    /// Returns the event after the copies of a launch, if it may copy between devices. The event is still to be recorded.
    fn reached(&self, ticket: &CopyTicket) -> Result<Option<Event>> {
        let revoked = ticket.was_revoked(self.context.device(), |device| self.since(device).unwrap_or(0));
        if let Some([first, second]) = revoked {
            return Err(Error::invalid_for(
                Symbol::cuGraphLaunch,
                format_args!(
                    "access between the devices {} and {} was disabled after the graph was made; build the graph again",
                    first.as_raw(),
                    second.as_raw()
                ),
            ));
        }
        if !ticket.is_recorded() {
            return Ok(None);
        }
        Event::with_flags(&self.context, EventFlags::DISABLE_TIMING).map(Some)
    }

    /// Launches after the last launch, earlier work on the home streams and other users of the cells, and makes these wait for
    /// the launch.
    #[cold]
    #[inline(never)]
    fn launch_in_order(&mut self, stream: &impl AsStream) -> Result<()> {
        const CALL: Symbol = Symbol::cuGraphLaunch;
        if *stream.context() != self.context {
            return Err(Error::different_contexts(CALL, "the executable graph", "the stream"));
        }
        if is_forked_child() {
            // A thread that does not exist here may have the locks. The driver refuses to make the context current.
            drop(self.context.bind(CALL)?);
        }
        self.refuse_poisoned()?;
        // The graph of a capture of other code would not keep the objects of this graph alive. And an event would draw a stream
        // into the capture.
        refuse_capture(stream, CALL)?;
        // The hook may lock a cell, or launch another graph that uses it.
        let _quiet = Quiet::new();
        self.come_after_last(stream)?;
        if self.cells.is_empty() && self.homes.iter().all(|home| is_same(&home.stream, stream)) {
            let launched = self.queue(stream);
            let noted = self.note_end(stream);
            return launched.and(noted);
        }
        let done = self.done()?;
        while !self.launch_under_locks(stream, &done)? {
            // Access between the devices is being disabled. Other launches need the locks, so the thread waits without them.
            drop(CopyTicket::among(&self.contexts()));
        }
        Ok(())
    }

    /// Launches as [`launch_in_order`](Self::launch_in_order) says. Returns whether it was possible: not while access between the
    /// devices is being disabled.
    fn launch_under_locks(&mut self, stream: &impl AsStream, done: &Arc<Event>) -> Result<bool> {
        // Dropped after all locks: the last handle to a stream or a context may run code of the program.
        let mut before = None;
        let mut replaced: Vec<Option<Arc<Event>>> = Vec::new();
        let cells = self.cells.clone();
        let mut locked: Vec<MutexGuard<'_, Launches>> = Vec::with_capacity(cells.len());
        for cell in &cells {
            locked.push(cell.state().begin_launch()?);
        }
        let homes: Vec<Stream> = self.homes.iter().map(|home| home.stream.clone()).collect_vec();
        // Otherwise a launch of another thread could come between the record on a home stream and the wait of the home stream.
        // All threads lock in the same order.
        let _turns = Stream::lock_launches(&homes);
        let mut others: Vec<&Stream> = Vec::new();
        for (home, owned) in self.homes.iter_mut().zip(&homes).filter(|(_, owned)| !is_same(owned, stream)) {
            if *owned.context() != self.context {
                // It may have ended.
                ensure_lives(owned.context(), Symbol::cuEventRecord)?;
            }
            refuse_capture(owned, Symbol::cuGraphLaunch)?;
            home.hold_up(stream)?;
            others.push(owned);
        }
        for launches in &locked {
            // The stream waits for this executable graph's own launches.
            if let Some(last) = launches.last().filter(|last| !Arc::ptr_eq(last, done)) {
                if *last.context() != self.context {
                    ensure_lives(last.context(), Symbol::cuStreamWaitEvent)?;
                }
                wait_event(stream, last)?;
            }
        }
        // The nodes may copy between devices. The ticket comes last: the thread waits for no lock while it has the ticket.
        let Some(copy) = CopyTicket::try_among(&self.contexts()) else { return Ok(false) };
        let reached = self.reached(&copy)?;
        let launched = self.queue(stream);
        // A launch that reports a failure may be queued nevertheless: the failure may be of earlier work.
        let ordered = done.record(stream).map(drop).and_then(|()| {
            if let Some(reached) = &reached {
                reached.record(stream)?;
            }
            if stream.owned().is_none() {
                before = Some(self.set_last(LastLaunch::Marked(Arc::clone(done))));
            }
            others.iter().try_for_each(|home| home.wait_event(done))
        });
        match ordered {
            Ok(()) => {
                if let Some(reached) = reached {
                    copy.until(reached);
                }
                replaced.extend(locked.iter_mut().map(|launches| launches.set_last(Arc::clone(done))));
                launched.map(|()| true)
            }
            Err(error) => {
                // After a failure of this extent no copy is under way.
                let is_over = error.code().is_some_and(|code| code.extent() == Extent::Process);
                // The cells stay locked: their memory cannot be accessed before the launch is done, or forever.
                let waited = self.wait_instead(stream, error, &mut before);
                if self.is_poisoned {
                    locked.iter_mut().for_each(|launches| launches.close());
                    if !is_over {
                        copy.without_end(&self.context);
                    }
                }
                launched.and(waited).map(|()| true)
            }
        }
    }
}
