//! Queued work that is not done yet, and the order in which it may be done.
//!
//! An operation waits for earlier ones. It waits for the last one of its own stream. If the legacy stream is involved,
//! it also waits for the last ones of other streams of the context. It waits only for earlier operations, so there are
//! no cycles. The end of a conditional node is the only exception. It waits for the body that was queued after the
//! evaluation of the condition. Nothing in the body waits for the end.

use crate::collections::{IdMap, IdSet, SmallMap};
use crate::config::Schedule;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::FreedBy;
use crate::driver::operations::{OpId, SHORT, StreamId, TURN_STEPS};
use crate::driver::queues::host_function::HostCall;
use crate::driver::queues::ipc_event::SharedEvent;
use crate::driver::queues::launch::Running;
use crate::driver::queues::memory_operation::MemoryWait;
use crate::driver::queues::random_schedule::Pace;
use crate::driver::queues::semaphore::SharedSemaphore;
use crate::driver::stream_order::{NodeId, OrderedStream};
use crate::driver::{Answer, State};
use cuda_sys::CUresult;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Work of an operation.
pub(crate) enum Work {
    /// Task that is done at once.
    Task(Box<dyn FnOnce(&mut State) -> Answer + Send>),
    /// Kernel that is done in pieces.
    Kernel(Box<Running>),
    /// Function of the program, which runs on a thread of its own.
    HostCall(HostCall),
    /// Wait for a mark, usually of another process.
    AwaitExternal(Arc<SharedEvent>, u64),
    /// Wait for the value of a word.
    AwaitMemory(MemoryWait),
    /// Wait for a signal or a value of a semaphore of another API.
    AwaitSemaphore(Arc<SharedSemaphore>, u64),
}

/// Queued operation.
pub(crate) struct Op {
    pub(super) context: Handle,
    pub(super) green: Option<Handle>,
    pub(super) on_stream: StreamId,
    /// Operations that this one waits for, done or not, and operations that wait for this one. An operation may occur twice.
    pub(super) waits_for: Vec<OpId>,
    pub(super) waited_by: Vec<OpId>,
    /// Number of the operations among `waits_for` that are not done.
    pub(super) missing: usize,
    /// Work, which is taken out while it is done.
    pub(super) work: Option<Work>,
    /// True if a thread of the program does it, or is about to.
    pub(super) called: bool,
    /// Virtual duration, and the virtual time at which it can begin.
    pub(super) nanoseconds: u64,
    pub(super) earliest: u64,
    /// Place in the round of turns. 0 before the first turn.
    pub(super) place: u64,
    /// Rarity of its progress without a request under a random schedule, as a power of two.
    pub(super) pace: u8,
    /// True if it is done as soon as possible under every schedule.
    pub(super) is_prompt: bool,
    /// True if it reads or writes memory: a copy, a fill or a kernel.
    pub(super) uses_memory: bool,
    /// Node in the order of operations, if races between streams are checked.
    pub(super) node: Option<NodeId>,
}

/// State of the work of a stream.
struct Tail {
    context: Handle,
    green: Option<Handle>,
    /// True if it and the legacy stream wait for each other.
    blocking: bool,
    last: Option<OpId>,
    /// Virtual time at which its last finished operation ended.
    time: u64,
    /// True if the stream is destroyed. This entry is then removed when its work is done.
    closed: bool,
    pace: Pace,
    /// Last events of other streams for which it waits. Each comes after the frees of its stream with smaller numbers.
    awaited: Vec<FreedBy>,
}

impl Tail {
    /// Returns whether the stream belongs to a context or a green context.
    fn is_of(&self, context: Handle) -> bool {
        self.context == context || self.green == Some(context)
    }
}

/// Result of an attempt to do work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Moved,
    /// Waiting for another process.
    Waiting,
    /// Waiting for memory or a semaphore that other work or the program may change.
    AwaitingMemory,
    /// No work, or only work that the program is doing.
    Idle,
}

/// Operations from which to choose the next one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted<'a> {
    All,
    /// Operations without a turn so far.
    Fresh,
    These(&'a IdSet<OpId>),
}

/// All queued work.
#[derive(Default)]
pub(crate) struct Queue {
    ops: IdMap<OpId, Op>,
    /// Operations that wait for nothing and can be done, by their places: first those without a turn so far, then those whose
    /// last turn was longest ago. There is at most one operation of each stream, regardless of its queue, and one of each branch
    /// of a launched graph.
    ready: BTreeSet<(u64, OpId)>,
    /// The last place that was given to an operation.
    last_place: u64,
    /// Operations among them that are done as soon as possible.
    prompt: Vec<OpId>,
    tails: SmallMap<StreamId, Tail>,
    /// Time at which the last operation of destroyed streams ended, by context.
    closed_times: IdMap<Handle, u64>,
    /// Number of entries that triggers a search for unnecessary ones.
    most_tails: usize,
    last: OpId,
}

impl Queue {
    /// Returns whether an operation is not done yet.
    pub(crate) fn has(&self, op: OpId) -> bool {
        self.ops.contains(op)
    }

    pub(crate) fn has_any(&self, ops: &[OpId]) -> bool {
        // The last operation usually ends last.
        ops.iter().rev().any(|op| self.has(*op))
    }

    /// Returns the node of an unfinished operation in the order of operations, if the order is recorded.
    pub(crate) fn node_of(&self, op: OpId) -> Option<NodeId> {
        self.ops.get(op)?.node
    }

    /// Returns the streams of unfinished operations, with their contexts.
    pub(crate) fn streams_of(&self, ops: &[OpId]) -> Vec<(StreamId, Handle)> {
        ops.iter().filter_map(|op| self.ops.get(*op)).map(|op| (op.on_stream, op.context)).collect()
    }

    /// Returns the virtual time at which the last finished operation of a stream ended.
    pub(crate) fn time_of(&self, (on_stream, context): (StreamId, Handle)) -> u64 {
        let time = self.tails.get(&on_stream).map(|tail| tail.time);
        time.or_else(|| self.closed_times.get(context).copied()).unwrap_or(0)
    }

    /// Returns the same for all streams of a context, including destroyed ones.
    pub(crate) fn time_of_context(&self, context: Handle) -> u64 {
        let tails = self.tails.values().filter(|tail| tail.is_of(context)).map(|tail| tail.time);
        tails.chain(self.closed_times.get(context).copied()).max().unwrap_or(0)
    }

    /// Returns whether a copy, a fill or a kernel is not done yet.
    pub(crate) fn has_memory_work(&self) -> bool {
        self.ops.values().any(|op| op.uses_memory)
    }

    /// Returns the number of queued operations.
    pub(crate) fn len(&self) -> usize {
        self.ops.len()
    }

    /// Returns whether work can be done here, and not by the program.
    pub(crate) fn can_move(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns whether the program is doing work.
    pub(crate) fn is_busy(&self) -> bool {
        self.ops.values().any(|op| op.called)
    }

    /// Returns the last unfinished operation of a stream.
    pub(crate) fn last_of(&self, on_stream: StreamId) -> Option<OpId> {
        self.tails.get(&on_stream)?.last.filter(|last| self.has(*last))
    }

    /// Returns the pace of a stream that has queued work.
    pub(crate) fn pace_mut(&mut self, on_stream: StreamId) -> Option<&mut Pace> {
        self.tails.get_mut(&on_stream).map(|tail| &mut tail.pace)
    }

    /// Returns the pace of an unfinished operation.
    pub(crate) fn pace_of(&self, op: OpId) -> Option<u8> {
        self.ops.get(op).map(|op| op.pace)
    }

    /// Returns one of the operations that can be done, and its pace.
    pub(crate) fn ready_at(&self, chance: u64) -> Option<(OpId, u8)> {
        let index = chance.checked_rem(self.ready.len() as u64)?;
        let (_, op) = self.ready.iter().nth(index as usize)?;
        Some((*op, self.pace_of(*op)?))
    }

    /// Returns the operation with the fastest pace that can be done and fits `is_right`. `order` decides between equal
    /// paces.
    pub(crate) fn fastest(&self, order: u64, is_right: impl Fn(OpId) -> bool) -> Option<OpId> {
        let right = self.ready.iter().map(|(_, op)| *op).filter(|op| is_right(*op));
        right.min_by_key(|op| (self.pace_of(*op), op.wrapping_add(order).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Returns the unfinished operations of a context, or of a green one.
    pub(crate) fn of_context(&self, context: Handle) -> Vec<OpId> {
        let own = self.ops.iter().filter(|(_, op)| op.context == context || op.green == Some(context));
        own.map(|(id, _)| id).collect()
    }

    /// Returns the last operations of the blocking streams of a context, including the legacy stream.
    pub(crate) fn of_blocking_streams(&self, context: Handle) -> Vec<OpId> {
        let blocking = self.tails.values().filter(|tail| tail.blocking && tail.context == context);
        blocking.filter_map(|tail| tail.last.filter(|last| self.has(*last))).collect()
    }

    /// Returns all operations that must be done before `ops` are done.
    pub(crate) fn needed_for(&self, ops: &[OpId]) -> IdSet<OpId> {
        let mut needed = IdSet::new();
        let mut open = ops.to_vec();
        while let Some(op) = open.pop() {
            if let Some(found) = self.ops.get(op)
                && needed.insert(op)
            {
                open.extend(&found.waits_for);
            }
        }
        needed
    }

    /// Recomputes the operations that must be done before `ops` are done. Returns whether more were queued meanwhile.
    pub(crate) fn extend_needed(&self, ops: &[OpId], needed: &mut IdSet<OpId>) -> bool {
        let now = self.needed_for(ops);
        let has_more = now.iter().any(|op| !needed.contains(op));
        *needed = now;
        has_more
    }

    /// Returns the contexts of all operations that must be done before an operation is done.
    pub(crate) fn contexts_needed_for(&self, op: OpId) -> IdSet<Handle> {
        let needed = self.needed_for(&[op]);
        needed.iter().filter_map(|op| self.ops.get(op)).map(|op| op.context).collect()
    }

    /// Removes the default streams of threads without unfinished work, because the end of a thread is not reported.
    fn sweep(&mut self, now: u64) {
        const FEW: usize = 64;
        if self.tails.len() >= self.most_tails.max(FEW) {
            let (ops, mut swept) = (&self.ops, Vec::new());
            self.tails.retain(|on_stream, tail| {
                let is_done = tail.time <= now && tail.last.is_none_or(|last| !ops.contains(last));
                let is_swept = is_done && matches!(on_stream, StreamId::PerThread(..));
                swept.extend(is_swept.then_some(*on_stream));
                !is_swept
            });
            self.forget_awaited(|(of, ..)| swept.contains(of));
            self.most_tails = 2 * self.tails.len();
        }
    }

    /// Returns the operations that work on a stream must wait for, and the time from which it may run.
    fn before(
        &mut self,
        (on_stream, context): (StreamId, Handle),
        green: Option<Handle>,
        blocking: bool,
    ) -> (Vec<OpId>, u64) {
        let ops = &self.ops;
        let pace = Pace::default();
        let fresh =
            Tail { context, green, blocking, last: None, time: 0, closed: false, pace, awaited: Vec::new() };
        let own = self.tails.get_or_insert(on_stream, fresh);
        let pending = |tail: &Tail| tail.last.filter(|last| ops.contains(*last));
        let mut after = Vec::from_iter(pending(own));
        let mut earliest = own.time;
        // The last operation here has waited for the work before it.
        let known = after.first().copied().unwrap_or(0);
        let legacy = StreamId::Legacy(context);
        let mut concern = |tail: &Tail| {
            after.extend(pending(tail).filter(|last| *last > known));
            earliest = earliest.max(tail.time);
        };
        if on_stream == legacy {
            let concerned = |(other, tail): &&(StreamId, Tail)| {
                *other != on_stream && tail.blocking && tail.context == context
            };
            self.tails.iter().filter(concerned).for_each(|(_, tail)| concern(tail));
        } else if let StreamId::Whole(of) = on_stream {
            let concerned = |(other, tail): &&(StreamId, Tail)| *other != on_stream && tail.is_of(of);
            self.tails.iter().filter(concerned).for_each(|(_, tail)| concern(tail));
            return (after, earliest);
        } else if blocking {
            self.tails.get(&legacy).into_iter().for_each(&mut concern);
        }
        for gate in [Some(context), green].into_iter().flatten().map(StreamId::Gate) {
            if on_stream != gate {
                self.tails.get(&gate).into_iter().for_each(&mut concern);
            }
        }
        (after, earliest)
    }

    /// Counts a turn for a new operation, so that a call does not do it before it returns.
    pub(crate) fn give_way(&mut self, id: OpId) {
        if let Some(op) = self.ops.get_mut(id) {
            let was_ready = self.ready.remove(&(op.place, id));
            self.last_place += 1;
            op.place = self.last_place;
            if was_ready {
                self.ready.insert((op.place, id));
            }
        }
    }

    /// Makes a waiting operation wait for further operations.
    pub(crate) fn wait_for_more(&mut self, op: OpId, others: &[OpId]) {
        let others: Vec<OpId> = others.iter().copied().filter(|other| self.has(*other)).collect();
        for other in &others {
            if let Some(other) = self.ops.get_mut(*other) {
                other.waited_by.push(op);
            }
        }
        if let Some(op) = self.ops.get_mut(op) {
            op.missing += others.len();
            op.waits_for.extend(others);
        }
    }

    /// Records that a stream waits for an event, which comes after the frees of another stream with smaller numbers.
    pub(crate) fn note_awaited(&mut self, on_stream: StreamId, event: FreedBy) {
        let is_needed = event.0 != on_stream && self.tails.get(&event.0).is_some_and(|tail| !tail.closed);
        let Some(tail) = self.tails.get_mut(&on_stream).filter(|_| is_needed) else { return };
        match tail.awaited.iter_mut().find(|(of, ..)| *of == event.0) {
            Some((.., number)) => *number = event.2.max(*number),
            None => tail.awaited.push(event),
        }
    }

    /// Returns the events for which a stream waits or has waited.
    pub(crate) fn awaited_by(&self, on_stream: StreamId) -> Vec<FreedBy> {
        self.tails.get(&on_stream).map_or(Vec::new(), |tail| tail.awaited.clone())
    }

    /// Forgets events of streams that have ended.
    fn forget_awaited(&mut self, has_ended: impl Fn(&FreedBy) -> bool) {
        self.tails.retain(|_, tail| {
            tail.awaited.retain(|event| !has_ended(event));
            true
        });
    }

    /// Removes a stream. The work that is queued on it is still done.
    pub(crate) fn close(&mut self, on_stream: StreamId) {
        self.forget_awaited(|(of, ..)| *of == on_stream);
        match self.last_of(on_stream) {
            None => self.forget(on_stream),
            Some(_) => self.tails.get_mut(&on_stream).into_iter().for_each(|tail| tail.closed = true),
        }
    }

    fn forget(&mut self, on_stream: StreamId) {
        if let Some(tail) = self.tails.remove(&on_stream) {
            let time = self.closed_times.get_or_default(tail.context);
            *time = tail.time.max(*time);
        }
    }

    /// Removes the streams of a context.
    pub(crate) fn close_context(&mut self, context: Handle) {
        self.closed_times.remove(context);
        self.tails.retain(|_, tail| tail.context != context);
        self.forget_awaited(|(_, of, _)| *of == context);
    }

    fn note(&mut self, id: OpId, op: &Op, end: u64) {
        if let Some(tail) = self.tails.get_mut(&op.on_stream) {
            tail.time = tail.time.max(end);
            if tail.closed && tail.last == Some(id) {
                self.forget(op.on_stream);
            }
        }
    }

    /// Returns the operations that can be done, by their places.
    pub(super) fn ready(&self) -> impl Iterator<Item = (u64, OpId)> {
        self.ready.iter().copied()
    }

    /// Returns the next operation from the wanted ones.
    pub(super) fn pick(&self, wanted: Wanted<'_>) -> Option<OpId> {
        let mut ready = self.ready.iter().copied();
        let (_, id) = match wanted {
            Wanted::All => ready.next(),
            Wanted::Fresh => ready.next().filter(|(place, _)| *place == 0),
            Wanted::These(these) => ready.find(|(_, id)| these.contains(*id)),
        }?;
        Some(id)
    }

    /// Takes the work out of an operation, in order to do it.
    fn take(&mut self, id: OpId) -> Option<(Work, u64)> {
        let op = self.ops.get_mut(id)?;
        self.ready.remove(&(op.place, id));
        self.last_place += 1;
        op.place = self.last_place;
        Some((op.work.take()?, op.earliest + op.nanoseconds))
    }

    /// Puts back work that is not done yet.
    fn put_back(&mut self, id: OpId, work: Work) {
        if let Some(op) = self.ops.get_mut(id) {
            op.work = Some(work);
            self.ready.insert((op.place, id));
        }
    }

    fn insert(&mut self, id: OpId, mut op: Op) {
        for earlier in &op.waits_for {
            if let Some(earlier) = self.ops.get_mut(*earlier) {
                earlier.waited_by.push(id);
                op.missing += 1;
            }
        }
        if op.missing == 0 && op.work.is_some() {
            self.ready.insert((op.place, id));
        }
        self.ops.insert(id, op);
    }

    /// Removes a finished operation.
    fn remove(&mut self, id: OpId) {
        let Some(op) = self.ops.remove(id) else { return };
        self.ready.remove(&(op.place, id));
        let end = op.earliest + op.nanoseconds;
        for later in &op.waited_by {
            let Some(waits) = self.ops.get_mut(*later) else { continue };
            waits.missing = waits.missing.saturating_sub(1);
            waits.earliest = waits.earliest.max(end);
            if waits.missing == 0 && waits.work.is_some() {
                self.ready.insert((waits.place, *later));
                if waits.is_prompt {
                    self.prompt.push(*later);
                }
            }
        }
        self.note(id, &op, end);
    }
}

impl State {
    /// Queues a task on a stream, after the work that is queued there and after `also`. If the task waits for nothing,
    /// and the schedule does work as soon as possible, it is done now.
    ///
    /// Returns the operation, unless it is done.
    pub(crate) fn submit(
        &mut self,
        on: (StreamId, Handle),
        also: Option<OpId>,
        nanoseconds: u64,
        task: impl FnOnce(&mut State) -> Answer + Send + 'static,
    ) -> Option<OpId> {
        let op = self.prepare(on, also, nanoseconds);
        self.do_or_push(op, task)
    }

    /// Queues an operation that does nothing, and does not begin before `time`.
    pub(crate) fn submit_from(&mut self, on: (StreamId, Handle), time: u64) {
        let op = self.prepare(on, None, 0);
        let earliest = op.earliest.max(time);
        self.do_or_push(Op { earliest, ..op }, |_| Ok(()));
    }

    /// Queues a task for a copy or a fill.
    pub(crate) fn submit_memory_work(
        &mut self,
        on: (StreamId, Handle),
        nanoseconds: u64,
        task: impl FnOnce(&mut State) -> Answer + Send + 'static,
    ) -> Option<OpId> {
        let op = Op { uses_memory: true, ..self.prepare(on, None, nanoseconds) };
        self.do_or_push(op, task)
    }

    /// Queues a task that is done as soon as the earlier work on the stream is done, under every schedule. A late free
    /// would hide later uses of the memory.
    pub(crate) fn submit_prompt(
        &mut self,
        on: (StreamId, Handle),
        nanoseconds: u64,
        task: impl FnOnce(&mut State) -> Answer + Send + 'static,
    ) -> Option<OpId> {
        let op = Op { is_prompt: true, ..self.prepare(on, None, nanoseconds) };
        self.do_or_push(op, task)
    }

    fn do_or_push(
        &mut self,
        op: Op,
        task: impl FnOnce(&mut State) -> Answer + Send + 'static,
    ) -> Option<OpId> {
        let is_eager = op.is_prompt || self.config.schedule == Schedule::Eager;
        if is_eager && op.waits_for.is_empty() {
            let end = op.earliest + op.nanoseconds;
            self.now = end;
            self.begin_ordered(op.node);
            let answer = task(self);
            self.end_ordered(op.node);
            if let Err(code) = answer {
                self.fail(code);
            }
            self.queue.note(0, &op, end);
            return None;
        }
        Some(self.push(Op { work: Some(Work::Task(Box::new(task))), ..op }))
    }

    /// Queues work of any kind on a stream.
    pub(crate) fn submit_work(&mut self, on: (StreamId, Handle), nanoseconds: u64, work: Work) -> OpId {
        let op = self.prepare(on, None, nanoseconds);
        let uses_memory = matches!(work, Work::Kernel(_) | Work::AwaitMemory(_));
        self.note_unknown_order(op.node, &work);
        self.push(Op { work: Some(work), uses_memory, ..op })
    }

    /// Records if the operations that work waits for are unknown, or not known yet.
    pub(super) fn note_unknown_order(&self, node: Option<NodeId>, work: &Work) {
        if let (Some(order), Some(node)) = (&self.order, node) {
            match work {
                Work::Task(_) => {}
                Work::Kernel(_) => order.set_uncertain(node),
                _ => order.set_joins_all(node),
            }
        }
    }

    fn begin_ordered(&self, node: Option<NodeId>) {
        if let (Some(order), Some(node)) = (&self.order, node) {
            order.begin(node);
        }
    }

    fn pause_ordered(&mut self, node: Option<NodeId>) {
        if let (Some(order), Some(_)) = (&self.order, node) {
            order.pause();
            self.report_stream_races();
        }
    }

    fn end_ordered(&mut self, node: Option<NodeId>) {
        if let (Some(order), Some(node)) = (&self.order, node) {
            order.end(node);
            self.pause_ordered(Some(node));
        }
    }

    /// Queues work that waits for nothing. Only code that has its number can wait for it.
    pub(crate) fn submit_apart(&mut self, work: Work) -> OpId {
        let op = self.apart(work);
        self.push(op)
    }

    /// Queues work that is done as soon as an operation is done.
    pub(crate) fn submit_apart_after(&mut self, after: OpId, work: Work) {
        let op = self.apart(work);
        self.insert_new(Op { waits_for: vec![after], is_prompt: true, ..op });
    }

    fn apart(&self, work: Work) -> Op {
        let nobody = Handle::NULL;
        Op {
            context: nobody,
            green: None,
            on_stream: StreamId::Whole(nobody),
            waits_for: Vec::new(),
            waited_by: Vec::new(),
            missing: 0,
            work: Some(work),
            called: false,
            nanoseconds: 0,
            earliest: self.clock,
            place: 0,
            pace: 0,
            is_prompt: false,
            uses_memory: false,
            node: None,
        }
    }

    pub(super) fn prepare(
        &mut self,
        (on_stream, context): (StreamId, Handle),
        also: Option<OpId>,
        nanoseconds: u64,
    ) -> Op {
        let (blocking, green) = (self.is_blocking(on_stream), self.green_of(on_stream));
        self.queue.sweep(self.clock);
        let (mut waits_for, earliest) = self.queue.before((on_stream, context), green, blocking);
        waits_for.extend(also.filter(|also| self.queue.has(*also)));
        let node = self.order.as_ref().map(|order| {
            let also = also.and_then(|also| self.queue.node_of(also));
            let stream = OrderedStream { id: on_stream, context, green, blocking };
            order.add(stream, Vec::from_iter(also), self.present.get())
        });
        let pace = self.draw_pace(on_stream);
        self.clock += SHORT;
        let earliest = earliest.max(self.clock);
        Op {
            context,
            green,
            on_stream,
            waits_for,
            waited_by: Vec::new(),
            missing: 0,
            work: None,
            called: false,
            nanoseconds,
            earliest,
            place: 0,
            pace,
            is_prompt: false,
            uses_memory: false,
            node,
        }
    }

    pub(super) fn push(&mut self, op: Op) -> OpId {
        let on_stream = op.on_stream;
        let id = self.insert_new(op);
        if let Some(tail) = self.queue.tails.get_mut(&on_stream) {
            tail.last = Some(id);
        }
        id
    }

    /// Queues an operation without making it the last of its stream.
    pub(super) fn insert_new(&mut self, op: Op) -> OpId {
        self.chances.note_queued();
        self.queue.last += 1;
        let id = self.queue.last;
        if let Some(order) = &mut self.work_order {
            order.note_queued(id, &op);
        }
        self.queue.insert(id, op);
        id
    }

    /// Returns whether work on this stream would be done at once.
    pub(crate) fn is_free(&mut self, on_stream: StreamId, context: Handle) -> bool {
        let (blocking, green) = (self.is_blocking(on_stream), self.green_of(on_stream));
        self.config.schedule == Schedule::Eager
            && self.queue.before((on_stream, context), green, blocking).0.is_empty()
    }

    /// Does the work that the schedule does without a request. An eager schedule does all work that can be done, but no
    /// kernel for longer than `quantum`. A random schedule does some of it.
    pub(crate) fn run_ready_work(&mut self, quantum: u64) {
        self.do_prompt();
        match self.config.schedule {
            Schedule::Eager => {
                // A kernel that has had its turn continues in the background.
                while self.step(Wanted::Fresh, quantum) != Step::Idle {}
            }
            Schedule::Lazy => {}
            Schedule::Random(_) => self.run_random_work(),
            Schedule::Replay(_) => self.run_replayed_work(quantum),
        }
    }

    /// Does one of the wanted operations, or a part of it.
    pub(crate) fn step(&mut self, wanted: Wanted<'_>, quantum: u64) -> Step {
        let (picked, quantum) = match self.config.schedule {
            Schedule::Random(_) => (self.pick_random(wanted), self.chances.quantum(quantum)),
            Schedule::Replay(_) => (self.pick_replayed(wanted), quantum),
            _ => (self.queue.pick(wanted), quantum),
        };
        picked.map_or(Step::Idle, |id| self.advance(id, quantum))
    }

    /// Does work that a wait for memory may be waiting for, if no other thread does it.
    pub(crate) fn do_other_work(&mut self) {
        if self.config.schedule != Schedule::Eager {
            self.step(Wanted::All, TURN_STEPS);
        }
    }

    /// Does an operation or a part of it, and the prompt operations that waited for it.
    pub(crate) fn advance(&mut self, id: OpId, quantum: u64) -> Step {
        let step = self.perform(id, quantum);
        self.do_prompt();
        step
    }

    fn do_prompt(&mut self) {
        while let Some(id) = self.queue.prompt.pop() {
            self.perform(id, 0);
        }
    }

    fn perform(&mut self, id: OpId, quantum: u64) -> Step {
        let Some((work, end)) = self.queue.take(id) else { return Step::Idle };
        self.now = end;
        let outer = self.work_order.as_mut().map(|order| order.begin_work());
        let node = self.queue.node_of(id);
        self.begin_ordered(node);
        let step = self.perform_work(id, quantum, work);
        self.pause_ordered(node);
        if let (Some(order), Some(outer)) = (&mut self.work_order, outer) {
            order.end_work(outer);
        }
        step
    }

    fn perform_work(&mut self, id: OpId, quantum: u64, work: Work) -> Step {
        match work {
            Work::Task(task) => {
                let answer = task(self);
                self.finish(id);
                if let Err(code) = answer {
                    self.fail(code);
                }
            }
            Work::Kernel(mut running) => match self.continue_kernel(&mut running, quantum) {
                Ok(Some(nanoseconds)) => {
                    self.chances.note_attempt(true);
                    if let Some(op) = self.queue.ops.get_mut(id) {
                        op.nanoseconds = nanoseconds;
                    }
                    self.finish(id);
                }
                Ok(None) => {
                    self.chances.note_attempt(false);
                    self.queue.put_back(id, Work::Kernel(running));
                }
                Err(code) => {
                    self.finish(id);
                    self.fail(code);
                }
            },
            Work::HostCall(callback) => {
                if let Some(op) = self.queue.ops.get_mut(id) {
                    op.called = true;
                    self.host_calls.push(id, op.context, callback);
                    if let Some(order) = &mut self.work_order {
                        order.note_done(id);
                    }
                    if let (Some(order), Some(node)) = (&self.order, op.node) {
                        order.learn_before(node);
                    }
                }
            }
            Work::AwaitExternal(marks, mark) if marks.is_reached(mark) => self.finish(id),
            Work::AwaitExternal(marks, mark) => {
                marks.want(mark);
                self.queue.put_back(id, Work::AwaitExternal(marks, mark));
                return Step::Waiting;
            }
            Work::AwaitSemaphore(semaphore, value) => {
                let is_met = semaphore.take(value);
                self.chances.note_attempt(is_met);
                if !is_met {
                    self.queue.put_back(id, Work::AwaitSemaphore(semaphore, value));
                    return Step::AwaitingMemory;
                }
                self.finish(id);
            }
            Work::AwaitMemory(wait) => match wait.is_met(self) {
                Ok(true) => {
                    self.chances.note_attempt(true);
                    self.finish(id);
                }
                Ok(false) => {
                    self.chances.note_attempt(false);
                    self.queue.put_back(id, Work::AwaitMemory(wait));
                    return Step::AwaitingMemory;
                }
                Err(code) => {
                    self.finish(id);
                    self.fail(code);
                }
            },
        }
        Step::Moved
    }

    /// Records that an operation is done.
    pub(crate) fn finish(&mut self, id: OpId) {
        if let Some(order) = &mut self.work_order {
            order.note_done(id);
        }
        let node = self.queue.node_of(id);
        self.end_ordered(node);
        self.queue.remove(id);
    }

    /// Ends all work after a sticky failure. Only callbacks that receive failures still run.
    pub(crate) fn fail(&mut self, code: CUresult) {
        let code = *self.sticky.get_or_insert(code);
        if let Some(order) = &self.order {
            order.stop();
        }
        let ops = self.queue.ops.drain();
        self.queue.ready.clear();
        self.queue.prompt.clear();
        for (id, mut op) in ops {
            // Work of the program ends at some time, and counts as unfinished until then. Other work that was taken out
            // ended in a panic.
            if let Some(Work::HostCall(callback)) = op.work.take() {
                if let Some(callback) = callback.after_failure(code) {
                    self.host_calls.push(id, op.context, callback);
                    op.called = true;
                } else {
                    continue;
                }
            } else if !op.called {
                continue;
            }
            op.waits_for.clear();
            self.queue.ops.insert(id, op);
        }
    }
}
