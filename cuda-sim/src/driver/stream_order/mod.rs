//! The order of operations by streams, events and waits of the program, for the check for races between streams.
//!
//! Every operation has a place in a *line*: the line of its stream, or of a branch of a graph. A vector clock stores,
//! for each line, the last place that precedes the operation. Clocks do not depend on the time at which the work is
//! done, so a race is found under every schedule.
//!
//! The host is one line for all threads of the program. The waits between these threads are unknown, so calls count as
//! ordered in the order in which they were made.
//!
//! If an order is unknown, more operations count as ordered. After a wait for memory, for a semaphore or for another
//! process, an operation follows everything that was queued until then. The same holds after a function of the program.
//! Some races are therefore missed, but no report is false.

mod history;

use crate::driver::call_site::CallSite;
use crate::driver::handles::Handle;
use crate::driver::operations::StreamId;
use core::ops::Range;
use cuda_sim_engine::{AccessKind, ObservedAccess, Program, Site};
use history::History;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Identifier of an operation whose order is known.
pub(crate) type NodeId = u64;

/// Last preceding place for each line. Missing lines are at 0.
type Clock = Vec<u64>;

fn join(clock: &mut Clock, other: &[u64]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (own, other) in clock.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}

fn reaches(clock: &[u64], (line, tick): Place) -> bool {
    clock.get(line).is_some_and(|known| *known >= tick)
}

/// Line, and a place in it, counted from 1.
type Place = (usize, u64);

/// Line of the host.
const HOST: usize = 0;
/// Line for operations beyond the limit of lines. They count as ordered.
const REST: usize = 1;
/// Limit of the lines. Beyond it, the rest share one.
const MOST_LINES: usize = 512;
/// Limit of the operations. Beyond it, finished ones are forgotten.
const MOST_NODES: usize = 1 << 14;
/// Limit of the pieces of memory. Beyond it, a report names fewer bytes.
const MOST_PIECES: usize = 1 << 16;
/// Limit of the races of an operation. Further ones are dropped.
const MOST_RACES: usize = 64;
/// First address that only devices have. All host addresses are lower.
const FIRST_DEVICE_ADDRESS: u64 = 1 << 48;

/// Stream, and the properties that decide which other streams it waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrderedStream {
    pub(crate) id: StreamId,
    pub(crate) context: Handle,
    pub(crate) green: Option<Handle>,
    /// True if it and the legacy stream wait for each other.
    pub(crate) blocking: bool,
}

impl OrderedStream {
    fn is_of(&self, context: Handle) -> bool {
        self.context == context || self.green == Some(context)
    }

    /// Returns whether an operation queued here follows the work that is queued on `other`.
    fn comes_after(&self, other: &OrderedStream) -> bool {
        let gates = match other.id {
            StreamId::Gate(of) => self.is_of(of),
            _ => false,
        };
        match self.id {
            own if own == other.id => true,
            StreamId::Legacy(of) => gates || other.blocking && other.context == of,
            StreamId::Whole(of) => other.is_of(of),
            _ => gates || self.blocking && other.id == StreamId::Legacy(self.context),
        }
    }
}

/// Work that the program knows to be done when a call returns.
#[derive(Debug, Clone)]
pub(crate) enum Known {
    Nothing,
    Node(Option<NodeId>),
    Stream(StreamId),
    /// All work of a context or a green context.
    Context(Handle),
    All,
}

#[derive(Debug)]
struct Line {
    /// Stream; `None` for branches of graphs and for the lines that belong to no stream.
    stream: Option<OrderedStream>,
    /// Last place that was allocated.
    tick: u64,
    last: Option<NodeId>,
}

/// An operation.
#[derive(Debug)]
struct Node {
    place: Place,
    /// Operations that precede it, including itself. Complete when its turn has come.
    clock: Arc<Clock>,
    before: Vec<NodeId>,
    operation: Operation,
    is_done: bool,
    /// True if it follows everything that was queued before it was done.
    joins_all: bool,
    /// True if its order may become known only while it, or an operation before it, is done.
    is_uncertain: bool,
}

/// Operation, for reports.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) call: CallSite,
    pub(crate) stream: Option<StreamId>,
    pub(crate) kernel: Option<CheckedKernel>,
}

/// Kernel, for reports.
#[derive(Debug, Clone)]
pub(crate) struct CheckedKernel {
    pub(crate) program: Arc<Program>,
    pub(crate) name: String,
    pub(crate) block: [u32; 3],
}

/// Kind of use of memory by an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UseKind {
    Read,
    Write,
    Atomic,
    Allocate,
    Free,
}

/// Place of the first thread of a kernel that uses memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UsedAt {
    pub(crate) site: Site,
    pub(crate) block: [u32; 3],
    pub(crate) thread: u32,
}

/// Use of memory by an operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    node: NodeId,
    place: Place,
    pub(crate) kind: UseKind,
    is_strong: bool,
    pub(crate) at: Option<UsedAt>,
}

impl Use {
    /// Returns whether a report combines both uses.
    fn is_like(&self, other: &Use) -> bool {
        self.node == other.node
            && self.kind == other.kind
            && self.is_strong == other.is_strong
            && self.at.map(|at| at.site) == other.at.map(|at| at.site)
    }
}

/// Two unordered uses of the same memory.
#[derive(Debug, Clone)]
pub(crate) struct StreamRace {
    pub(crate) uses: [(Use, Operation); 2],
    /// Bytes that both use, in pieces.
    pub(crate) bytes: Vec<Range<u64>>,
}

impl StreamRace {
    fn add(&mut self, bytes: Range<u64>) {
        if let Some(last) = self.bytes.last_mut()
            && (last.start..=last.end).contains(&bytes.start)
        {
            last.end = last.end.max(bytes.end);
        } else if self.bytes.len() < MOST_PIECES {
            self.bytes.push(bytes);
        }
    }

    /// Returns the address of the first byte, and the number of bytes.
    pub(crate) fn extent(&self) -> (u64, u64) {
        let mut pieces = self.bytes.clone();
        pieces.sort_unstable_by_key(|piece| piece.start);
        let (mut end, mut count) = (0, 0);
        for piece in &pieces {
            count += piece.end.saturating_sub(piece.start.max(end));
            end = end.max(piece.end);
        }
        (pieces.first().map_or(0, |first| first.start), count)
    }
}

/// Order of the operations of a machine, and their uses of memory.
#[derive(Debug, Default)]
struct Order {
    lines: Vec<Line>,
    streams: BTreeMap<StreamId, usize>,
    /// Lines for branches of graphs of each stream, and the number that its last launch uses.
    branches: BTreeMap<StreamId, (Vec<usize>, usize)>,
    nodes: HashMap<NodeId, Node>,
    /// Number of unfinished operations.
    open: usize,
    /// Number of operations that triggers the removal of finished ones.
    most_nodes: usize,
    last: NodeId,
    /// Work that the program knows to be done.
    host: Clock,
    /// Operations that precede the next one, in addition to the work of its stream.
    next_after: Vec<NodeId>,
    next_after_all: bool,
    /// Operation that is being done.
    current: Option<NodeId>,
    history: History,
    races: Vec<StreamRace>,
    /// Pairs of operations whose race was found.
    told: BTreeSet<(NodeId, NodeId)>,
    /// Lengths of mapped memory of devices at addresses of the process.
    mapped: BTreeMap<u64, u64>,
    /// True if a failure has ended all work.
    is_stopped: bool,
}

/// Shared with the checks of kernels.
#[derive(Debug, Clone, Default)]
pub(crate) struct StreamOrder(Arc<Mutex<Order>>);

impl StreamOrder {
    fn lock(&self) -> MutexGuard<'_, Order> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Orders the next queued operation after another one, which may be done already.
    pub(crate) fn next_comes_after(&self, node: Option<NodeId>) {
        self.lock().next_after.extend(node);
    }

    /// Orders the next queued operation after everything.
    pub(crate) fn next_comes_after_all(&self) {
        self.lock().next_after_all = true;
    }

    /// Adds an operation of a stream. The operations in `after` are not done yet.
    pub(crate) fn add(&self, stream: OrderedStream, after: Vec<NodeId>, call: CallSite) -> NodeId {
        let mut order = self.lock();
        let line = order.line_of(stream);
        let earlier =
            order.lines.iter().filter(|other| other.stream.is_some_and(|other| stream.comes_after(&other)));
        let before = earlier.filter_map(|other| other.last).chain(after).collect();
        order.insert(line, before, Operation { call, stream: Some(stream.id), kernel: None })
    }

    /// Adds an action that is done on a stream at once, and has a place in the order of the stream.
    pub(crate) fn add_done(&self, stream: OrderedStream, call: CallSite) -> NodeId {
        let node = self.add(stream, Vec::new(), call);
        let mut order = self.lock();
        if let Some(found) = order.nodes.get_mut(&node) {
            found.is_done = true;
            order.open -= 1;
        }
        node
    }

    /// Orders later work on each of some streams after the work that is queued on all of them.
    pub(crate) fn join(&self, streams: &[OrderedStream], call: CallSite) {
        let last = |stream: &OrderedStream| self.add_done(*stream, call);
        let all: Vec<NodeId> = streams.iter().map(last).collect();
        for stream in streams {
            all.iter().for_each(|node| self.next_comes_after(Some(*node)));
            self.add_done(*stream, call);
        }
    }

    /// Adds the begin of a launch of a graph, and reuses the branches.
    pub(crate) fn begin_branches(&self, stream: StreamId) {
        if let Some((_, used)) = self.lock().branches.get_mut(&stream) {
            *used = 0;
        }
    }

    /// Adds an operation of a graph, which follows the named ones only. The last one is also the last one of the
    /// stream.
    pub(crate) fn add_of_graph(
        &self,
        stream: OrderedStream,
        mut after: Vec<NodeId>,
        is_last: bool,
        call: CallSite,
    ) -> NodeId {
        let mut order = self.lock();
        after.extend(order.current);
        let line = if is_last { order.line_of(stream) } else { order.branch_of(stream.id, &after) };
        order.insert(line, after, Operation { call, stream: Some(stream.id), kernel: None })
    }

    /// Orders an unfinished operation after further ones.
    pub(crate) fn comes_after_more(&self, node: NodeId, others: impl IntoIterator<Item = NodeId>) {
        if let Some(node) = self.lock().nodes.get_mut(&node) {
            node.before.extend(others);
        }
    }

    /// Returns the operation that was added last.
    pub(crate) fn latest(&self) -> Option<NodeId> {
        Some(self.lock().last).filter(|last| *last != 0)
    }

    /// Records that the order of an operation is unknown.
    pub(crate) fn set_joins_all(&self, node: NodeId) {
        if let Some(node) = self.lock().nodes.get_mut(&node) {
            (node.joins_all, node.is_uncertain) = (true, true);
        }
    }

    /// Records that the order of an operation may become known while it is done: for a kernel that polls memory.
    pub(crate) fn set_uncertain(&self, node: NodeId) {
        if let Some(node) = self.lock().nodes.get_mut(&node) {
            node.is_uncertain = true;
        }
    }

    /// Records that an operation begins or continues.
    pub(crate) fn begin(&self, node: NodeId) {
        let mut order = self.lock();
        order.current = Some(node);
        order.complete(node);
    }

    /// Records that the operation pauses or ends.
    pub(crate) fn pause(&self) {
        self.lock().current = None;
    }

    /// Records that an operation is done.
    pub(crate) fn end(&self, node: NodeId) {
        let mut order = self.lock();
        order.complete(node);
        let everything = order.everything();
        let Some(found) = order.nodes.get_mut(&node) else { return };
        if found.joins_all {
            join(Arc::make_mut(&mut found.clock), &everything);
        }
        let was_open = !core::mem::replace(&mut found.is_done, true);
        order.open -= usize::from(was_open);
    }

    /// Ends the check, because all work has ended with a failure.
    pub(crate) fn stop(&self) {
        let mut order = self.lock();
        let (races, mapped) = (core::mem::take(&mut order.races), core::mem::take(&mut order.mapped));
        *order = Order { is_stopped: true, races, mapped, ..Order::default() };
    }

    /// Records that the program knows work to be done.
    pub(crate) fn learn(&self, known: &Known) {
        self.lock().learn(known);
    }

    /// Records that a function of the program begins, so that the program knows the work before it to be done.
    pub(crate) fn learn_before(&self, node: NodeId) {
        let mut order = self.lock();
        order.complete(node);
        order.learn(&Known::Node(Some(node)));
    }

    /// Records the kernel of an operation.
    pub(crate) fn set_kernel(&self, kernel: CheckedKernel) {
        let mut order = self.lock();
        let Some(current) = order.current else { return };
        if let Some(node) = order.nodes.get_mut(&current) {
            node.operation.kernel = Some(kernel);
        }
    }

    /// Records that the operation in progress uses bytes.
    pub(crate) fn note(&self, address: u64, len: u64, kind: UseKind) {
        let mut order = self.lock();
        let Some(current) = order.current else { return };
        order.note(current, address..address.saturating_add(len), (kind, false, false), None);
    }

    /// Records that the operation in progress writes a word that others may wait for.
    pub(crate) fn note_signal(&self, address: u64, len: u64) {
        let mut order = self.lock();
        let Some(current) = order.current else { return };
        order.note(current, address..address.saturating_add(len), (UseKind::Write, true, false), None);
    }

    /// Records that a queued operation will use bytes, so that a race is found even if it is never done. If its order
    /// is not known yet, the use is recorded when it is done.
    pub(crate) fn note_queued(&self, node: NodeId, address: u64, len: u64, kind: UseKind) {
        let mut order = self.lock();
        if order.nodes.get(&node).is_some_and(|node| !node.is_uncertain && !node.is_done) {
            order.note(node, address..address.saturating_add(len), (kind, false, false), None);
        }
    }

    /// Records that a queued operation, which may not have had its turn, uses bytes.
    pub(crate) fn note_of(&self, node: Option<NodeId>, address: u64, len: u64, kind: UseKind) {
        if let Some(node) = node {
            self.lock().note(node, address..address.saturating_add(len), (kind, false, false), None);
        }
    }

    /// Adds an action that a call does at once and that uses bytes.
    pub(crate) fn note_of_host(&self, address: u64, len: u64, kind: UseKind, call: CallSite) {
        let mut order = self.lock();
        order.ensure_lines();
        let node = order.insert(HOST, Vec::new(), Operation { call, stream: None, kernel: None });
        if let Some(found) = order.nodes.get_mut(&node) {
            found.is_done = true;
            order.open -= 1;
        }
        order.learn(&Known::Node(Some(node)));
        order.note(node, address..address.saturating_add(len), (kind, false, false), None);
    }

    /// Forgets the uses of bytes that belong to other memory from now on.
    pub(crate) fn forget(&self, address: u64, len: u64) {
        self.lock().history.forget(address..address.saturating_add(len));
    }

    /// Records that memory of a device is mapped. Its address may be one of the process, which the host cannot use.
    pub(crate) fn note_mapped(&self, address: u64, len: u64) {
        self.lock().mapped.insert(address, len);
    }

    /// Records that the memory at an address is unmapped.
    pub(crate) fn note_unmapped(&self, address: u64) {
        self.lock().mapped.remove(&address);
    }

    /// Records accesses by threads of the kernel in progress.
    pub(crate) fn note_access(&self, access: &ObservedAccess<'_>, host_offset: u64) {
        let mut order = self.lock();
        let Some(current) = order.current else { return };
        let kind = match access.kind {
            AccessKind::Load => UseKind::Read,
            AccessKind::Store => UseKind::Write,
            AccessKind::Atomic => UseKind::Atomic,
        };
        let how = (kind, access.is_strong, access.returns);
        let on_host = |address: u64| match address.checked_sub(host_offset) {
            Some(host) if host_offset != 0 && host < FIRST_DEVICE_ADDRESS => host,
            _ => address,
        };
        // Most warps use consecutive bytes.
        let mut run: Option<(Range<u64>, u32)> = None;
        let parts = |thread| access.parts(thread).map(move |part| (thread, part));
        for (thread, (address, size)) in access.threads.iter().flat_map(parts) {
            let start = on_host(address);
            let end = start.saturating_add(size.into());
            match &mut run {
                Some((known, _)) if start >= known.start && start <= known.end => {
                    known.end = known.end.max(end);
                    continue;
                }
                _ => {}
            }
            if let Some((range, number)) = run.replace((start..end, thread.number)) {
                let at = UsedAt { site: access.site, block: access.block.index, thread: number };
                order.note(current, range, how, Some(at));
            }
        }
        if let Some((range, number)) = run {
            let at = UsedAt { site: access.site, block: access.block.index, thread: number };
            order.note(current, range, how, Some(at));
        }
    }

    /// Takes the races of finished operations.
    pub(crate) fn take_races(&self) -> Vec<StreamRace> {
        let mut order = self.lock();
        if order.races.is_empty() {
            return Vec::new();
        }
        let Order { races, nodes, is_stopped, .. } = &mut *order;
        let is_over = |race: &StreamRace| {
            // A kernel may use more of the same bytes until it is done.
            let is_over = |node: &Node| node.is_done || node.operation.kernel.is_none();
            *is_stopped || nodes.get(&race.uses[1].0.node).is_none_or(is_over)
        };
        let (over, left) = core::mem::take(races).into_iter().partition(is_over);
        *races = left;
        over
    }
}

impl Order {
    fn ensure_lines(&mut self) {
        while self.lines.len() <= REST {
            self.lines.push(Line { stream: None, tick: 0, last: None });
        }
    }

    fn new_line(&mut self, stream: Option<OrderedStream>) -> usize {
        self.ensure_lines();
        if self.lines.len() >= MOST_LINES {
            return REST;
        }
        self.lines.push(Line { stream, tick: 0, last: None });
        self.lines.len() - 1
    }

    fn line_of(&mut self, stream: OrderedStream) -> usize {
        if let Some(line) = self.streams.get(&stream.id) {
            return *line;
        }
        let line = self.new_line(Some(stream));
        self.streams.insert(stream.id, line);
        line
    }

    /// Returns the line of a node of a graph: the line of an earlier node that no other node continues, or another one.
    fn branch_of(&mut self, stream: StreamId, after: &[NodeId]) -> usize {
        let goes_on = after.iter().find_map(|node| {
            let (line, _) = self.nodes.get(node)?.place;
            let found = self.lines.get(line).filter(|_| line > REST)?;
            (found.stream.is_none() && found.last == Some(*node)).then_some(line)
        });
        if let Some(line) = goes_on {
            return line;
        }
        let (known, used) = self.branches.entry(stream).or_default();
        *used += 1;
        if let Some(line) = known.get(*used - 1) {
            return *line;
        }
        let line = self.new_line(None);
        if let Some((known, _)) = self.branches.get_mut(&stream) {
            known.push(line);
        }
        line
    }

    fn insert(&mut self, line: usize, mut before: Vec<NodeId>, operation: Operation) -> NodeId {
        self.last += 1;
        let id = self.last;
        if self.is_stopped {
            return id;
        }
        if self.nodes.len() >= self.most_nodes.max(MOST_NODES) {
            self.forget_done();
            // The remaining operations are not done. Doubling the limit avoids a search for each operation.
            self.most_nodes = 2 * self.nodes.len();
        }
        before.append(&mut self.next_after);
        before.sort_unstable();
        before.dedup();
        before.retain(|node| self.nodes.contains_key(node));
        let mut clock = self.host.clone();
        if core::mem::take(&mut self.next_after_all) {
            join(&mut clock, &self.everything());
        }
        before.iter().filter_map(|node| self.nodes.get(node)).for_each(|node| join(&mut clock, &node.clock));
        let Some(found) = self.lines.get_mut(line) else { return id };
        found.tick += 1;
        found.last = Some(id);
        let place = (line, found.tick);
        clock.resize(clock.len().max(line + 1), 0);
        if let Some(own) = clock.get_mut(line) {
            *own = place.1;
        }
        let (clock, is_done, joins_all) = (Arc::new(clock), false, false);
        let of_before = before.iter().filter_map(|node| self.nodes.get(node));
        let is_uncertain = of_before.into_iter().any(|node| node.is_uncertain && !node.is_done);
        self.nodes.insert(id, Node { place, clock, before, operation, is_done, joins_all, is_uncertain });
        self.open += 1;
        id
    }

    fn everything(&self) -> Clock {
        self.lines.iter().map(|line| line.tick).collect()
    }

    /// Forgets finished operations. Less is then known, and nothing else counts as a race.
    fn forget_done(&mut self) {
        let done: BTreeSet<NodeId> =
            self.nodes.iter().filter(|(_, node)| node.is_done).map(|(id, _)| *id).collect();
        let is_over = |node: &Node| node.is_done && node.before.iter().all(|before| done.contains(before));
        self.nodes.retain(|_, node| !is_over(node));
        self.history = History::default();
        self.told.clear();
    }

    /// Adds the order that the operations before one have found since it was queued.
    fn complete(&mut self, node: NodeId) {
        let Some(found) = self.nodes.get_mut(&node) else { return };
        if found.before.is_empty() {
            return;
        }
        let before = core::mem::take(&mut found.before);
        let mut clock = Clock::clone(&found.clock);
        before.iter().filter_map(|node| self.nodes.get(node)).for_each(|node| join(&mut clock, &node.clock));
        if let Some(found) = self.nodes.get_mut(&node) {
            found.clock = Arc::new(clock);
        }
    }

    fn learn(&mut self, known: &Known) {
        let is_known = |stream: &OrderedStream| match known {
            Known::Stream(StreamId::Legacy(of)) => {
                stream.id == StreamId::Legacy(*of) || stream.blocking && stream.context == *of
            }
            Known::Stream(id) => stream.id == *id,
            Known::Context(of) => stream.is_of(*of),
            _ => false,
        };
        match known {
            Known::Nothing | Known::Node(None) => return,
            Known::Node(Some(node)) => {
                if let Some(node) = self.nodes.get(node) {
                    join(&mut self.host, &node.clock);
                }
            }
            Known::All => self.host = self.everything(),
            Known::Stream(_) | Known::Context(_) => {
                let lines = self.lines.iter().filter(|line| line.stream.as_ref().is_some_and(is_known));
                for node in lines.filter_map(|line| self.nodes.get(&line.last?)) {
                    join(&mut self.host, &node.clock);
                }
            }
        }
        let knows_all = || {
            let mut lines = self.lines.iter().enumerate();
            lines.all(|(line, found)| found.tick == 0 || reaches(&self.host, (line, found.tick)))
        };
        if self.open == 0 && self.races.is_empty() && knows_all() {
            // All later work follows all earlier work.
            let mapped = core::mem::take(&mut self.mapped);
            *self = Order { last: self.last, mapped, ..Order::default() };
        }
    }

    /// Returns whether an address is in mapped memory of a device.
    fn is_mapped(&self, address: u64) -> bool {
        let before = self.mapped.range(..=address).next_back();
        before.is_some_and(|(start, len)| address - start < *len)
    }

    /// Records a use of memory, and its races with other uses.
    fn note(
        &mut self,
        id: NodeId,
        range: Range<u64>,
        (kind, is_strong, returns): (UseKind, bool, bool),
        at: Option<UsedAt>,
    ) {
        let Some(node) = self.nodes.get(&id) else { return };
        let (place, clock) = (node.place, Arc::clone(&node.clock));
        let is_on_host = range.start < FIRST_DEVICE_ADDRESS && !self.is_mapped(range.start);
        let new = Use { node: id, place, kind, is_strong, at };
        let Order { nodes, history, races, told, .. } = self;
        let relation = |old: &Use| {
            if old.node == id {
                Relation::Same
            } else if reaches(&clock, old.place) {
                Relation::Earlier
            } else {
                match nodes.get(&old.node) {
                    None => Relation::Earlier,
                    Some(node) if reaches(&node.clock, place) => Relation::Later,
                    Some(_) => Relation::Unordered,
                }
            }
        };
        let mut acquired: Vec<NodeId> = Vec::new();
        history.note(range.clone(), &new, relation, |old, bytes| {
            // Memory may be freed without a use. The free must follow its uses.
            if old.kind == UseKind::Allocate && kind == UseKind::Free {
                return;
            }
            if old.is_strong && is_strong {
                if returns && old.kind != UseKind::Read {
                    acquired.push(old.node);
                }
                return;
            }
            let key = (old.node.min(id), old.node.max(id));
            let known =
                races.iter_mut().find(|race| (race.uses[0].0.node, race.uses[1].0.node) == (old.node, id));
            if let Some(race) = known {
                race.add(bytes);
            } else if races.len() < MOST_RACES
                && told.insert(key)
                && let (Some(earlier), Some(later)) = (nodes.get(&old.node), nodes.get(&id))
            {
                let uses = [(*old, earlier.operation.clone()), (new, later.operation.clone())];
                races.push(StreamRace { uses, bytes: vec![bytes] });
            }
        });
        // A program on the host may poll the written memory, and write memory that a kernel polls.
        let everything = (is_strong && returns && is_on_host).then(|| self.everything());
        let clocks =
            acquired.iter().filter_map(|node| self.nodes.get(node)).map(|node| Arc::clone(&node.clock));
        let clocks: Vec<Arc<Clock>> = clocks.chain(everything.map(Arc::new)).collect();
        if let Some(node) = self.nodes.get_mut(&id) {
            clocks.iter().for_each(|clock| join(Arc::make_mut(&mut node.clock), clock));
        }
        if is_strong && kind != UseKind::Read && is_on_host {
            self.learn(&Known::Node(Some(id)));
        }
    }
}

/// Order of an earlier use of memory and a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// Both belong to one operation.
    Same,
    Earlier,
    /// The earlier user was ordered to come later.
    Later,
    Unordered,
}
