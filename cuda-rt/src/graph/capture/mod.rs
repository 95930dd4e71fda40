//! Graphs that are recorded from calls.

mod calls;
mod failure;
mod fork;
mod info;
mod memory;
mod nodes;
mod operand;
mod options;
mod recapture;
mod run;

pub use fork::CaptureEvent;
pub use info::CaptureInfo;
pub use memory::GraphMem;
pub(in crate::graph) use operand::Region;
pub use operand::{CaptureDestination, CaptureSource};
pub(in crate::graph) use operand::{memory_of_another_graph, refuse_overlap};
pub use options::{CaptureMode, CaptureOptions};
pub use recapture::ChangedNode;

use super::access_order::Touched;
use super::keep::{KeepSet, Kept};
use super::node::{GraphTag, NodeTable};
use super::source::{CellUse, Nested};
use crate::access::AccessProbes;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::launch::{LaunchTarget, Target};
use crate::module::Function;
use crate::stream::Stream;
use core::cell::{Cell, RefCell};
use core::fmt;
use core::marker::PhantomData;
use cuda_sys::{CUstream, Symbol};

/// Recorder of calls into a graph. A closure of [`Graph::capture`](super::Graph::capture) gets one. Each call makes the nodes
/// that the [table](super#nodes-of-each-call) lists, and runs nothing.
///
/// The stream of the capture is private: no other code can queue work on it. Methods of buffers and streams, such as
/// [`DeviceBuf::copy_from_device`](crate::DeviceBuf::copy_from_device), run at once and are not recorded, also inside the
/// closure.
///
/// A capture stays on its thread:
///
/// ```compile_fail,E0277
/// # use cuda_rt::graph::Capture;
/// fn send<'c>(capture: &'c mut Capture<'c>) {
///     std::thread::scope(|scope| {
///         scope.spawn(move || drop(capture.last_node()));
///     });
/// }
/// ```
///
/// A capture cannot leave its closure, and two captures cannot be swapped:
///
/// ```compile_fail,E0521
/// # use cuda_rt::graph::{CaptureOptions, Graph};
/// # fn main() -> cuda_rt::Result<()> {
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// let options = CaptureOptions::new();
/// Graph::capture(&context, options, |outer| {
///     Graph::capture(&context, options, |inner| {
///         std::mem::swap(outer, inner);
///         Ok(())
///     })
/// })?;
/// # Ok(()) }
/// ```
pub struct Capture<'c> {
    stream: Stream,
    recording: &'c Recording,
    /// Invariant, and bound to the thread.
    _brand: PhantomData<Brand<'c>>,
}

/// Makes `'c` invariant, and the type neither `Send` nor `Sync`.
type Brand<'c> = (fn(&'c ()) -> &'c (), *const ());

/// The state that all branches of a capture share.
struct Recording {
    mode: CaptureMode,
    /// The priority of the streams.
    priority: i32,
    keep: RefCell<KeepSet>,
    cell_uses: RefCell<Vec<CellUse>>,
    /// Device memory that nodes touch, by the index of the node. Empty with drivers that do not report the nodes.
    touched: RefCell<Vec<(u32, Touched)>>,
    nodes: RefCell<NodeTable>,
    /// The reason why the graph is restricted, if it is.
    restriction: Cell<Option<&'static str>>,
    /// The graphs inside nodes.
    nested: RefCell<Vec<Nested>>,
    /// Number of graphs inside the graph, at all depths, with those of nodes that existed before.
    inner: Cell<u64>,
    /// True once there were branches.
    has_branches: Cell<bool>,
    /// True if the nodes exist already, and get new parameters.
    is_recapture: bool,
    /// The first failure of a call.
    failure: RefCell<Option<Error>>,
    /// The first failure after which the graph may have nodes that are not recorded here, or lack an order. The capture fails
    /// with it.
    broken: RefCell<Option<Error>>,
    /// The streams of branches. They live until the capture has ended.
    streams: RefCell<Vec<Stream>>,
    /// The events of branches and marks.
    events: RefCell<Vec<Event>>,
}

impl Recording {
    fn new(options: CaptureOptions, nodes: NodeTable) -> Recording {
        Recording {
            is_recapture: false,
            mode: options.mode,
            priority: options.priority,
            keep: RefCell::default(),
            cell_uses: RefCell::default(),
            touched: RefCell::default(),
            nodes: RefCell::new(nodes),
            restriction: Cell::new(None),
            nested: RefCell::default(),
            inner: Cell::new(0),
            has_branches: Cell::new(false),
            failure: RefCell::new(None),
            broken: RefCell::new(None),
            streams: RefCell::default(),
            events: RefCell::default(),
        }
    }

    /// Returns the name of the graph that is recorded.
    fn tag(&self) -> GraphTag {
        self.nodes.borrow().tag()
    }

    fn keep(&self, kept: Kept) {
        self.keep.borrow_mut().add(kept);
    }

    /// Makes the capture fail at its end if a call has failed and the recorded nodes are unknown.
    fn must_not_fail<T>(&self, outcome: Result<T>) -> Result<T> {
        if let Err(error) = &outcome {
            self.broken.borrow_mut().get_or_insert_with(|| error.clone());
        }
        outcome
    }

    /// Explains the failure of a call, and stores the first one.
    fn note<T>(&self, outcome: Result<T>) -> Result<T> {
        outcome.map_err(|error| {
            let explained = failure::explain(error, self.mode, self.failure.borrow().as_ref());
            self.failure.borrow_mut().get_or_insert_with(|| explained.clone());
            explained
        })
    }
}

impl<'c> Capture<'c> {
    fn over(stream: Stream, recording: &'c Recording) -> Capture<'c> {
        Capture { stream, recording, _brand: PhantomData }
    }

    /// Returns the context that the graph belongs to.
    pub fn context(&self) -> &Context {
        self.stream.context()
    }

    /// Makes a call on the stream, with the context current.
    fn record<T>(&self, call: Symbol, work: impl FnOnce(CUstream) -> Result<T>) -> Result<T> {
        let bound = self.context().bind(call)?;
        let outcome = work(self.stream.raw());
        drop(bound);
        self.recording.note(outcome)
    }

    /// Returns the stream of the capture, for libraries that record with the raw API.
    ///
    /// The unsafe code that calls such a library makes the following promises:
    ///
    /// - It keeps everything alive that it records, as long as the graph, a clone or an executable graph exists. The driver also
    ///   uses these objects in queries of nodes. [`keep`](Capture::keep) helps.
    /// - Other streams that it draws in are joined before the closure returns.
    /// - It neither begins nor ends a capture, and does not destroy the stream.
    pub fn raw_stream(&self) -> CUstream {
        self.stream.raw()
    }
}

impl Target for Capture<'_> {
    fn raw_stream(&self) -> CUstream {
        self.stream.raw()
    }

    fn target_context(&self) -> &Context {
        self.stream.context()
    }

    fn known_capture(&self) -> Option<bool> {
        Some(true)
    }

    /// Refuses events, which the graph would not keep.
    fn prepare_events(&self, events: &[&Event]) -> Result<()> {
        if events.is_empty() {
            return Ok(());
        }
        let text = "attributes with events are not captured; record the event after the kernel with `Capture::record_external`";
        Err(Error::invalid_for(Symbol::cuLaunchKernelEx, format_args!("{text}")))
    }

    fn keep(&self, function: &Function, arguments: &AccessProbes<'_>) -> Result<()> {
        self.recording.keep(Kept::module(function.module()));
        let mut outcome = Ok(());
        arguments(&mut |probe| {
            // The launch promises the memory behind bare addresses.
            if !probe.is_owned || outcome.is_err() {
                return;
            }
            match probe.origin.keep() {
                Some(keep) => self.recording.keep(Kept::origin(keep)),
                None => outcome = Err(super::keep::cannot_be_kept("the owner of an argument")),
            }
        });
        outcome
    }
}

impl LaunchTarget for Capture<'_> {}

impl fmt::Debug for Capture<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Capture")
            .field("context", self.context())
            .field("mode", &self.recording.mode)
            .finish_non_exhaustive()
    }
}
