//! Executable graphs.

#![allow(unsafe_code)]

mod change;
mod instantiate;
mod launch;
mod options;
mod update;

use change::MemoryUse;
pub use instantiate::{InstantiateFailure, InstantiateReason};
pub use options::InstantiateOptions;
pub use update::{UpdateReason, UpdateRefused};

use super::cell_state::AnyCell;
use super::keep::{KeepSet, KeptHome};
use super::lease::Lease;
use super::source::Shared;
use crate::completion::retire;
use crate::context::{Context, ContextRequirement, RelaxedCaptureMode, release_in};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, EventFlags};
use crate::handle::{DriverHandle, Owned, Releasing};
use crate::list::CollectVec;
use crate::stream::{AsStream, Handle, Stream, refuse_capture, synchronize};
use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use cuda_sys::{CUgraphExec, Symbol};
use std::sync::Arc;

/// An executable graph: the copy of a graph that launches run. Made by [`Graph::instantiate`](super::Graph::instantiate).
///
/// It keeps the objects of its nodes alive. Dropping does not wait for a running launch: a thread of this crate releases the
/// objects after the launch. If no launch runs, dropping releases the objects that nothing else keeps alive, and waits as their
/// release does. For example, freeing the page-locked memory of a [`HostCell`](super::HostCell) waits for the context.
///
/// An executable graph never runs twice at the same time: a launch waits for earlier launches on all streams.
///
/// Only one thread at a time can use it. A `Mutex` shares it:
///
/// ```compile_fail,E0277
/// # use cuda_rt::graph::GraphExec;
/// fn share(program: &GraphExec) {
///     std::thread::scope(|scope| {
///         scope.spawn(|| program.context());
///     });
/// }
/// ```
#[doc(alias = "CUgraphExec")]
pub struct GraphExec {
    handle: Owned<ExecHandle>,
    _not_sync: PhantomData<Cell<()>>,
}

struct ExecHandle {
    raw: CUgraphExec,
    context: Context,
    /// The graph that the nodes of setters belong to.
    source: Shared,
    keep: Arc<KeepSet>,
    /// The memory that the nodes touch. `None` after an update that paired nodes with others, which have other indices.
    memory: Option<MemoryUse>,
    /// The state of the nodes and edges of its graph at the instantiation.
    shape_changes: u64,
    /// The home streams of kept memory, each with the event for which launches elsewhere wait.
    homes: Vec<Home>,
    /// The cells, in the order in which launches lock them.
    cells: Vec<Arc<dyn AnyCell>>,
    last: LastLaunch,
    /// True if the stream of the last launch is the only home, and there are no cells.
    is_alone: bool,
    /// Recorded on the stream of the last launch, for another stream that waits for it.
    turn: Option<Event>,
    /// Recorded after launches.
    done: Option<Arc<Event>>,
    is_poisoned: bool,
    /// The use of the memory of the graph from which it was made. `None` if the end of that use is unknown.
    lease: Option<Arc<Lease>>,
    /// The use of the memory of the last graph that it was updated from, and that graph, if it allows one executable graph.
    lease_of_update: Option<(Arc<Lease>, Shared)>,
}

/// Nodes of a graph at an instantiation.
struct MadeOf {
    keep: Arc<KeepSet>,
    memory: MemoryUse,
    shape_changes: u64,
}

struct Home {
    stream: Stream,
    /// The number of [`revocations`](crate::peer::revocations) when memory of this device was first kept.
    since: u64,
    reached: Option<Event>,
}

/// A place after all earlier launches and uploads.
enum LastLaunch {
    /// There were none.
    Never,
    /// The end of this stream, which lives.
    On(Stream),
    /// This event.
    Marked(Arc<Event>),
}

// SAFETY: a `CUgraphExec` names an object that is not bound to a thread. The other fields are `Send`.
unsafe impl Send for ExecHandle {}

impl GraphExec {
    fn over(
        raw: CUgraphExec,
        context: &Context,
        nodes: MadeOf,
        source: Shared,
        lease: Arc<Lease>,
    ) -> GraphExec {
        let mut handle = ExecHandle {
            raw,
            context: context.clone(),
            source,
            keep: nodes.keep,
            memory: Some(nodes.memory),
            shape_changes: nodes.shape_changes,
            homes: Vec::new(),
            cells: Vec::new(),
            last: LastLaunch::Never,
            is_alone: false,
            turn: None,
            done: None,
            is_poisoned: false,
            lease: Some(lease),
            lease_of_update: None,
        };
        handle.look_at_kept();
        GraphExec { handle: Owned::new(handle), _not_sync: PhantomData }
    }

    /// Returns the context that the executable graph belongs to.
    pub fn context(&self) -> &Context {
        &self.handle.context
    }

    /// Returns the raw handle. The caller must not destroy it, nor use it while this value is used. Launches of other code are
    /// not ordered as [`launch`](GraphExec::launch) says, and nothing is kept alive for them.
    pub fn as_raw(&mut self) -> CUgraphExec {
        self.handle.raw
    }

    /// Returns the driver's number for the executable graph, unique in the process. Wraps `cuGraphExecGetId`. Since
    /// CUDA 13.1; not run on hardware.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.1.
    /// - An earlier failure.
    #[doc(alias = "cuGraphExecGetId")]
    pub fn id(&mut self) -> Result<u32> {
        let mut id = 0;
        // SAFETY: the executable graph is live, and `id` is valid for a write.
        unsafe { check!(cuGraphExecGetId(self.handle.raw, &raw mut id)) }?;
        Ok(id)
    }

    /// Returns the numbers of the [options](InstantiateOptions) with which it was made, as the driver reports them. Wraps
    /// `cuGraphExecGetFlags`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0.
    /// - An earlier failure.
    #[doc(alias = "cuGraphExecGetFlags")]
    pub fn flags(&mut self) -> Result<u64> {
        let mut flags = 0;
        // SAFETY: the executable graph is live, and `flags` is valid for a write.
        unsafe { check!(cuGraphExecGetFlags(self.handle.raw, &raw mut flags)) }?;
        Ok(flags)
    }

    /// Returns whether a failed change or launch has left it in an unknown state. Launches, uploads and changes are
    /// refused then.
    pub fn is_poisoned(&self) -> bool {
        self.handle.is_poisoned
    }

    /// Destroys the executable graph and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). A running launch continues. Wraps `cuGraphExecDestroy`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The executable graph is consumed in any case.
    #[doc(alias = "cuGraphExecDestroy")]
    pub fn close(self) -> Result<()> {
        self.handle.close()
    }
}

impl ExecHandle {
    /// Finds the home streams and the cells of kept objects.
    fn look_at_kept(&mut self) {
        let mut homes: Vec<Home> = Vec::new();
        for KeptHome { stream, since } in self.keep.homes() {
            // After an update, copies may keep the way that they had before.
            let before = self.since(stream.context().device());
            let since = before.map_or(since, |before| before.min(since));
            let order = stream.launch_order();
            let place = homes.partition_point(|home| home.stream.launch_order() <= order);
            homes.insert(place, Home { stream, since, reached: None });
        }
        self.homes = homes;
        self.cells = self.keep.cells();
        self.look_at_order();
    }

    /// Returns the number of revocations when memory of the device was first kept.
    fn since(&self, device: Device) -> Option<u64> {
        let of_device = self.homes.iter().filter(|home| home.stream.context().device() == device);
        of_device.map(|home| home.since).min()
    }

    /// Refuses calls after a failure that left the state unknown.
    fn refuse_poisoned(&self) -> Result<()> {
        if !self.is_poisoned {
            return Ok(());
        }
        let text = "a failed change or launch left it in an unknown state; instantiate the graph again";
        Err(Error::about(ErrorKind::Poisoned, format_args!("executable graph"), format_args!("{text}")))
    }

    /// Returns whether a use of a graph's memory is the use by this executable graph.
    fn has_lease(&self, lease: &Arc<Lease>) -> bool {
        let of_update = self.lease_of_update.iter().map(|(own, _)| own);
        self.lease.iter().chain(of_update).any(|own| Arc::ptr_eq(own, lease))
    }

    /// Sets the place after all earlier launches. Returns the place before: the last handle to its stream may run code of the
    /// program.
    #[must_use]
    fn set_last(&mut self, last: LastLaunch) -> LastLaunch {
        let before = core::mem::replace(&mut self.last, last);
        self.look_at_order();
        before
    }

    /// Returns the event that is recorded after launches.
    fn done(&mut self) -> Result<Arc<Event>> {
        if let Some(done) = &self.done {
            return Ok(Arc::clone(done));
        }
        let done = Arc::new(Event::with_flags(&self.context, EventFlags::DISABLE_TIMING)?);
        self.done = Some(Arc::clone(&done));
        Ok(done)
    }

    /// Records that work may have been queued on a stream that waits for earlier launches.
    #[cold]
    fn note_end(&mut self, stream: &impl AsStream) -> Result<()> {
        if stream.owned().is_some() {
            return Ok(());
        }
        // The stream is borrowed, or may be another thread's later.
        let marked = self.done().and_then(|done| done.record(stream).map(|_| Arc::clone(&done)));
        match marked {
            Ok(done) => {
                drop(self.set_last(LastLaunch::Marked(done)));
                Ok(())
            }
            Err(error) => self.wait_instead(stream, error, &mut None),
        }
    }

    /// Waits for a launch without an event, on a stream that waits for earlier launches. If that fails too, no kept object is
    /// ever released.
    ///
    /// `before` receives the place before, which the caller drops with nothing locked.
    #[cold]
    fn wait_instead(
        &mut self,
        stream: &impl AsStream,
        error: Error,
        before: &mut Option<LastLaunch>,
    ) -> Result<()> {
        let _relaxed = RelaxedCaptureMode::new();
        if synchronize(stream).is_ok() {
            let last = self.set_last(LastLaunch::Never);
            // A place that is there already is before this one, which is then an event.
            before.get_or_insert(last);
            return Err(error);
        }
        self.is_poisoned = true;
        let of_update = self.lease_of_update.take();
        let _left = ManuallyDrop::new((Arc::clone(&self.keep), Arc::clone(&self.source), of_update));
        self.lease = None;
        Err(error)
    }

    /// Returns the event that is reached after the last launch. `None` if nothing was launched.
    fn end_of_last(&mut self) -> Result<Option<Arc<Event>>> {
        match &self.last {
            LastLaunch::Never => Ok(None),
            LastLaunch::Marked(done) => {
                // Later launches use another event: the end of this one would never come if they followed each other closely.
                self.done = None;
                Ok(Some(Arc::clone(done)))
            }
            LastLaunch::On(stream) => {
                // As above.
                self.done = None;
                let stream = stream.clone();
                // The event would become a part of the capture.
                refuse_capture(&stream, Symbol::cuEventRecord)?;
                let event = Arc::new(Event::with_flags(&self.context, EventFlags::DISABLE_TIMING)?);
                event.record(&stream)?;
                Ok(Some(event))
            }
        }
    }

    /// Waits for the last launch, for which there can be no event.
    #[cold]
    fn has_waited(&self) -> bool {
        let LastLaunch::On(stream) = &self.last else { return false };
        if refuse_capture(stream, Symbol::cuStreamSynchronize).is_err() {
            return false;
        }
        let _relaxed = RelaxedCaptureMode::new();
        synchronize(stream).is_ok()
    }

    /// Releases objects that are no longer kept, after the last launch. Ends the uses of memory.
    fn release_kept(&mut self, kept: Arc<KeepSet>, ended: Vec<(Arc<Lease>, Shared)>) -> Result<()> {
        let (leases, sources): (Vec<_>, Vec<_>) = ended.into_iter().unzip();
        let end = |last: Option<Arc<Event>>| leases.iter().for_each(|lease| lease.end(last.clone()));
        // When the graph and its executable graphs are destroyed, the driver reuses the memory of the graph, even while a launch
        // runs (fact V973).
        let kept = (kept, sources);
        match self.end_of_last() {
            Ok(None) => {
                end(None);
                Ok(())
            }
            Ok(Some(done)) => {
                end(Some(Arc::clone(&done)));
                retire(done, kept);
                Ok(())
            }
            // No work runs in a context that was destroyed.
            Err(error) if error.kind() == ErrorKind::ContextLost => Err(error),
            Err(error) => {
                if self.has_waited() {
                    end(None);
                } else {
                    let _left = ManuallyDrop::new(kept);
                }
                Err(error)
            }
        }
    }
}

impl DriverHandle for ExecHandle {
    fn release_call(&self) -> Symbol {
        Symbol::cuGraphExecDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        // A driver crashes if the context is destroyed, which `release_in` checks.
        let mut is_alive = false;
        let destroyed =
            release_in(&self.context, ContextRequirement::None, Symbol::cuGraphExecDestroy, &mut |_| {
                is_alive = true;
                // SAFETY: the owner releases the executable graph once, and does not use it afterwards. A running launch
                // continues (measured).
                unsafe { check!(cuGraphExecDestroy(self.raw)) }
            });
        if let Err(error) = &destroyed
            && error.kind() == ErrorKind::ContextLost
        {
            return destroyed;
        }
        let kept = core::mem::take(&mut self.keep);
        if !is_alive {
            // A launch may run, and an event for its end may have been destroyed with the context.
            let _left = ManuallyDrop::new((kept, Arc::clone(&self.source), self.lease_of_update.take()));
            return destroyed;
        }
        let own = self.lease.take().map(|lease| (lease, Arc::clone(&self.source)));
        let leases = own.into_iter().chain(self.lease_of_update.take()).collect_vec();
        let released = self.release_kept(kept, leases);
        destroyed.and(released)
    }
}

impl fmt::Debug for GraphExec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("GraphExec")
            .field("raw", &self.handle.raw)
            .field("context", &self.handle.context)
            .field("keep", &self.handle.keep)
            .finish_non_exhaustive()
    }
}
