//! Launches, and their order.

#![allow(unsafe_code)]

use super::{ExecHandle, GraphExec, Home, LastLaunch};
use crate::error::{Error, Result};
use crate::event::{Event, EventFlags};
use crate::graph::cell_state::Launches;
use crate::stream::{AsStream, Handle, Stream, is_same, refuse_capture, wait_event};
use cuda_sys::Symbol;
use std::sync::{Arc, MutexGuard};

impl GraphExec {
    /// Queues the graph on a stream. Wraps `cuGraphLaunch`.
    ///
    /// # Order
    ///
    /// - The launch comes after what is on the stream, and later work of the stream after the launch.
    /// - It comes after earlier launches of this executable graph, on whatever streams.
    /// - If memory that the graph keeps lives on other streams, its homes, then the launch comes after what is on them, and later work of
    ///   theirs after the launch. For each home this takes `cuEventRecord` and `cuStreamWaitEvent` before the launch, and
    ///   `cuStreamWaitEvent` behind it, with one more `cuEventRecord`. If the stream is the only home, the launch takes one call.
    /// - It comes after the last launch of any graph that uses one of its [cells](crate::graph::HostCell). This takes
    ///   `cuStreamWaitEvent` for each cell before the launch, and `cuEventRecord` behind it.
    ///
    /// # Blocking
    ///
    /// Does not wait for the graph; a full queue may hold the host up. It does if an event behind the launch cannot be recorded or waited
    /// for: until the launch is done.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a stream of another context.
    /// - [`HostCellLocked`](crate::error::ErrorKind::HostCellLocked) while the program has locked a cell that the graph uses.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned) after some failures: see [`is_poisoned`](GraphExec::is_poisoned).
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing), or
    ///   [`Code::StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported), if the stream or a home is being captured.
    /// - The driver's refusal. Failures of the work itself are reported later, by the call that waits for it.
    #[doc(alias = "cuGraphLaunch")]
    #[inline]
    pub fn launch(&mut self, stream: &impl AsStream) -> Result<()> {
        let handle = &mut *self.handle;
        if *stream.context() != handle.context {
            return Err(Error::different_contexts(
                Symbol::cuGraphLaunch,
                "the executable graph",
                "the stream",
            ));
        }
        handle.refuse_poisoned()?;
        if !handle.cells.is_empty() || handle.homes.iter().any(|home| !is_same(&home.stream, stream)) {
            return handle.launch_in_order(stream);
        }
        let launched = handle.queue(stream);
        let noted = handle.note_launch(stream);
        launched.and(noted)
    }

    /// Copies what the launches need to the device, on a stream, so that the next launch begins sooner. Does not run the graph. Wraps
    /// `cuGraphUpload`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a stream of another context.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) before CUDA 11.1.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned) after some failures, or an earlier failure.
    #[doc(alias = "cuGraphUpload")]
    pub fn upload(&mut self, stream: &impl AsStream) -> Result<()> {
        const CALL: Symbol = Symbol::cuGraphUpload;
        let handle = &mut *self.handle;
        if *stream.context() != handle.context {
            return Err(Error::different_contexts(CALL, "the executable graph", "the stream"));
        }
        handle.refuse_poisoned()?;
        refuse_capture(stream, CALL)?;
        let uploaded = {
            let _bound = handle.context.bind(CALL)?;
            // SAFETY: both are live, and of the context, which is current; this thread alone uses the executable graph.
            unsafe { check!(cuGraphUpload(handle.raw, stream.raw())) }
        };
        let noted = handle.note_launch(stream);
        uploaded.and(noted)
    }
}

impl Home {
    /// Makes a stream wait for what is on the home.
    fn hold_up(&mut self, stream: &impl AsStream) -> Result<()> {
        let reached = match &self.reached {
            Some(reached) => reached,
            None => {
                let made = Event::with_flags(self.stream.context(), EventFlags::DISABLE_TIMING)?;
                self.reached.insert(made)
            }
        };
        reached.record(&self.stream)?;
        wait_event(stream, reached)
    }
}

impl ExecHandle {
    #[inline]
    fn queue(&self, stream: &impl AsStream) -> Result<()> {
        let _bound = stream.context().bind(Symbol::cuGraphLaunch)?;
        // SAFETY: both are live, and of the context, which is current; this thread alone uses the executable graph. The
        // memory of the nodes is kept, and ordered as it must be.
        unsafe { check!(cuGraphLaunch(self.raw, stream.raw())) }
    }

    /// Launches after what is on the home streams and what uses the cells, and lets these wait for the launch.
    #[cold]
    #[inline(never)]
    fn launch_in_order(&mut self, stream: &impl AsStream) -> Result<()> {
        // An event would draw one stream into the capture of the other.
        refuse_capture(stream, Symbol::cuGraphLaunch)?;
        let done = self.done()?;
        let cells = self.cells.clone();
        let mut locked: Vec<MutexGuard<'_, Launches>> = Vec::with_capacity(cells.len());
        for cell in &cells {
            locked.push(cell.state().begin_launch()?);
        }
        let mut others: Vec<Stream> = Vec::new();
        for home in self.homes.iter_mut().filter(|home| !is_same(&home.stream, stream)) {
            refuse_capture(&home.stream, Symbol::cuGraphLaunch)?;
            home.hold_up(stream)?;
            others.push(home.stream.clone());
        }
        for launches in &locked {
            // The driver orders the launches of one executable graph by itself.
            if let Some(last) = launches.last().filter(|last| !Arc::ptr_eq(last, &done)) {
                wait_event(stream, last)?;
            }
        }
        let launched = self.queue(stream);
        // A launch that reports a failure may have been queued all the same: the failure of earlier work.
        let ordered = done.record(stream).map(drop).and_then(|()| {
            self.last = stream.owned().map_or_else(
                || LastLaunch::Marked(Arc::clone(&done)),
                |stream| LastLaunch::On(stream.clone()),
            );
            others.iter().try_for_each(|home| home.wait_event(&done))
        });
        match ordered {
            Ok(()) => {
                locked.iter_mut().for_each(|launches| launches.set_last(Arc::clone(&done)));
                launched
            }
            Err(error) => {
                // The cells stay locked: their memory is out of reach before the launch is done, or for ever.
                let waited = self.wait_instead(stream, error);
                if self.is_poisoned {
                    locked.iter_mut().for_each(|launches| launches.close());
                }
                launched.and(waited)
            }
        }
    }
}
