//! Branches of a capture.

use super::{Brand, Capture, Recording};
use crate::context::retry_once;
use crate::error::Result;
use crate::event::{Event, EventFlags};
use crate::handle::report;
use crate::stream::{Stream, StreamFlags};
use core::fmt;
use core::marker::PhantomData;

/// A place in a capture for which other branches can [wait](Capture::wait). Made by [`Capture::mark`]. It belongs to the capture:
/// streams cannot wait for it.
///
/// ```compile_fail,E0308
/// # use cuda_rt::graph::Capture;
/// # use cuda_rt::{Result, Stream};
/// fn draw_in(capture: &Capture<'_>, stream: &Stream) -> Result<()> {
///     stream.wait_event(&capture.mark()?)
/// }
/// ```
#[derive(Clone, Copy)]
pub struct CaptureEvent<'c> {
    /// The place among the events of the capture.
    index: usize,
    _brand: PhantomData<Brand<'c>>,
}

impl fmt::Debug for CaptureEvent<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("CaptureEvent").field(&self.index).finish()
    }
}

impl Recording {
    /// Records an event on a stream of the capture. Returns its place.
    fn mark(&self, stream: &Stream) -> Result<usize> {
        let event = Event::with_flags(stream.context(), EventFlags::DISABLE_TIMING)?;
        self.note(event.record(stream).map(drop))?;
        let mut events = self.events.borrow_mut();
        events.push(event);
        Ok(events.len() - 1)
    }

    /// Makes a stream of the capture wait for an event of the capture.
    fn wait(&self, stream: &Stream, index: usize) -> Result<()> {
        let events = self.events.borrow();
        match events.get(index) {
            Some(event) => self.note(stream.wait_event(event)),
            None => Ok(()),
        }
    }
}

/// Joins a branch at its end, even after a panic.
struct Branch<'c> {
    recording: &'c Recording,
    parent: Stream,
    stream: Stream,
    is_joined: bool,
}

impl Branch<'_> {
    fn join(&mut self) -> Result<()> {
        if core::mem::replace(&mut self.is_joined, true) {
            return Ok(());
        }
        // A branch that is not joined invalidates the capture. So does a branch that is joined later: nodes that should wait for
        // it did not.
        self.recording.must_not_fail(retry_once(|| {
            let end = self.recording.mark(&self.stream)?;
            self.recording.wait(&self.parent, end)
        }))
    }
}

impl Drop for Branch<'_> {
    fn drop(&mut self) {
        // After a failure the end of the capture reports it as well.
        report(self.join());
    }
}

impl<'c> Capture<'c> {
    /// Records two branches that do not wait for each other. Later nodes wait for both. The call itself makes no nodes.
    ///
    /// # Errors
    ///
    /// - The error of the first branch. The second branch does not run then.
    /// - The error of the second branch.
    /// - A failure of `cuStreamCreateWithPriority`, `cuEventCreate`, `cuEventRecord` or `cuStreamWaitEvent`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{CaptureOptions, Graph};
    ///
    /// let (mut left, mut right) = (DeviceBuf::<u32>::zeroed(&stream, 4)?, DeviceBuf::<u32>::zeroed(&stream, 4)?);
    /// let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
    ///     capture.fork(|capture| capture.fill(&mut left, 1), |capture| capture.fill(&mut right, 2))?;
    ///     Ok(())
    /// })?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!((left.to_vec()?, right.to_vec()?), (vec![1; 4], vec![2; 4]));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn fork<A, B>(
        &mut self,
        first: impl FnOnce(&mut Capture<'c>) -> Result<A>,
        second: impl FnOnce(&mut Capture<'c>) -> Result<B>,
    ) -> Result<(A, B)> {
        let recording = self.recording;
        let stream = Stream::with_priority(self.context(), StreamFlags::NON_BLOCKING, recording.priority)?;
        recording.streams.borrow_mut().push(stream.clone());
        let start = recording.mark(&self.stream)?;
        recording.has_branches.set(true);
        recording.wait(&stream, start)?;
        let mut branch =
            Branch { recording, parent: self.stream.clone(), stream: stream.clone(), is_joined: false };
        let mut other = Capture::over(stream, recording);
        let outcome = first(self).and_then(|first| Ok((first, second(&mut other)?)));
        let joined = branch.join();
        let outcome = outcome?;
        joined.map(|()| outcome)
    }

    /// Marks this place of the branch. Makes no node.
    ///
    /// # Errors
    ///
    /// A failure of `cuEventCreate` or `cuEventRecord`.
    #[doc(alias = "cuEventRecord")]
    pub fn mark(&self) -> Result<CaptureEvent<'c>> {
        let index = self.recording.mark(&self.stream)?;
        Ok(CaptureEvent { index, _brand: PhantomData })
    }

    /// Makes later nodes of this branch wait for a mark of this or another branch. Makes no node.
    ///
    /// # Errors
    ///
    /// A failure of `cuStreamWaitEvent`.
    #[doc(alias = "cuStreamWaitEvent")]
    pub fn wait(&self, mark: &CaptureEvent<'c>) -> Result<()> {
        self.recording.wait(&self.stream, mark.index)
    }
}
