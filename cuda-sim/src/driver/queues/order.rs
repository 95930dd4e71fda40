//! The order in which queued work is done: the operations that a schedule holds back, and the call in which each
//! operation was done.

use crate::config::{Config, Hold, NthCall, QueuedOp, Schedule};
use crate::driver::operations::{OpId, StreamId};
use crate::driver::queues::queue::{Op, Work};
use cuda_sys::Symbol;
use std::collections::BTreeMap;

/// Call, with its number among all calls, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberedCall {
    pub(crate) call: NthCall,
    pub(crate) number: u64,
}

/// Operation that was queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordedOp {
    pub(crate) op: QueuedOp,
    /// Number of the call that queued it.
    pub(crate) number: u64,
    /// Operation and stream as a text.
    pub(crate) words: String,
    /// True if it reads or writes memory, or is a host function.
    pub(crate) has_effect: bool,
    /// Call in which it was done.
    pub(crate) done_in: Option<NumberedCall>,
}

/// Record of queued work, and of the calls in which it was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OrderRecord {
    pub(crate) calls: Vec<NumberedCall>,
    /// Operations that were done, in this order, followed by the others in the order in which they were queued.
    pub(crate) ops: Vec<RecordedOp>,
    /// Reason why the schedule does not fit the program: a call has queued too few operations.
    pub(crate) misfit: Option<String>,
    /// Reason why the schedule does not fit the program: a named call was never made. A program that fails may end
    /// before the call.
    pub(crate) missing: Option<String>,
}

impl OrderRecord {
    /// Returns the operations to hold back for the same order.
    pub(crate) fn holds(&self) -> Vec<Hold> {
        Hold::of_order(self.ops.iter().map(|op| (op.op, op.done_in.map(|call| call.call))))
    }
}

/// Operation that a schedule holds back.
struct Held {
    hold: Hold,
    /// True if the call that does it has begun.
    is_released: bool,
    /// True if it was queued.
    is_met: bool,
}

/// Call in progress.
#[derive(Clone, Copy)]
pub(crate) struct OrderedCall {
    call: NumberedCall,
    /// Number of operations that it has queued.
    queued: u32,
}

/// Order of queued work on a machine.
pub(crate) struct Order {
    held: Vec<Held>,
    /// Operations that are held back, by their positions in `held`.
    ranks: BTreeMap<OpId, usize>,
    /// Number of calls of each function, and of all calls.
    made: BTreeMap<Symbol, u32>,
    calls: u64,
    present: Option<OrderedCall>,
    /// True while an operation is done. Operations that it queues have no names, and are not held back.
    is_working: bool,
    /// Streams that the program has created, in this order.
    streams: Vec<u64>,
    keeps_record: bool,
    /// True if the record is taken at the end, and reports misfits.
    is_explored: bool,
    waiting: BTreeMap<OpId, RecordedOp>,
    record: OrderRecord,
    /// Number of operations of the record that the log has.
    logged: usize,
}

impl Order {
    /// Creates the order of a machine, if its schedule needs one. A replay needs an order. Other schedules except
    /// [`Schedule::Eager`] need an order if calls are logged.
    pub(crate) fn of_machine(config: &Config) -> Option<Order> {
        let keeps_record = config.calls.is_some() && config.schedule != Schedule::Eager;
        match config.schedule {
            Schedule::Replay(replay) => Some(Order { keeps_record, ..Order::of(replay.holds()) }),
            _ => keeps_record.then(|| Order { keeps_record, ..Order::of(&[]) }),
        }
    }

    fn of(holds: &[Hold]) -> Order {
        let held = holds.iter().map(|hold| Held { hold: *hold, is_released: false, is_met: false });
        Order {
            held: held.collect(),
            ranks: BTreeMap::new(),
            made: BTreeMap::new(),
            calls: 0,
            present: None,
            is_working: false,
            streams: Vec::new(),
            keeps_record: false,
            is_explored: false,
            waiting: BTreeMap::new(),
            record: OrderRecord::default(),
            logged: 0,
        }
    }

    /// Creates an order that is recorded. Calls count from here on.
    pub(crate) fn recorded(holds: &[Hold]) -> Order {
        Order { keeps_record: true, is_explored: true, ..Order::of(holds) }
    }

    pub(crate) fn begin_call(&mut self, function: Symbol) {
        let nth = self.made.entry(function).or_default();
        *nth = nth.saturating_add(1);
        self.calls += 1;
        let call = NumberedCall { call: NthCall { function, nth: *nth }, number: self.calls };
        for held in self.held.iter_mut().filter(|held| held.hold.until == Some(call.call)) {
            held.is_released = true;
        }
        self.present = Some(OrderedCall { call, queued: 0 });
        self.is_working = false;
        if self.keeps_record {
            self.record.calls.push(call);
        }
    }

    /// Returns the call in progress. [`resume`](Order::resume) restores it after a wait in which other threads may have
    /// made calls.
    pub(crate) fn present(&self) -> Option<OrderedCall> {
        self.present
    }

    pub(crate) fn resume(&mut self, call: Option<OrderedCall>) {
        self.present = call;
    }

    /// Records the end of a call. Returns why the schedule does not fit, if the call has queued too few operations.
    pub(crate) fn end_call(&mut self) -> Option<String> {
        if self.held.is_empty() {
            return None;
        }
        let OrderedCall { call, queued } = self.present?;
        let missing = self.held.iter().find(|held| !held.is_met && held.hold.op.call == call.call)?;
        let queued = match queued {
            0 => "no work".to_owned(),
            1 => "1 operation".to_owned(),
            more => format!("{more} operations"),
        };
        let misfit =
            format!("{} queued {queued}, and the schedule holds back {}", call.call, missing.hold.op);
        self.record.misfit.get_or_insert_with(|| misfit.clone());
        Some(misfit)
    }

    /// Returns why the schedule does not fit, if the program never made a call that it names.
    fn missing(&self) -> Option<String> {
        let made = |function: Symbol| self.made.get(&function).copied().unwrap_or(0);
        let named = self.held.iter().flat_map(|held| [Some(held.hold.op.call), held.hold.until]);
        let missing = named.flatten().find(|call| call.nth > made(call.function))?;
        let calls = made(missing.function);
        let times = if calls == 1 { "once".to_owned() } else { format!("{calls} times") };
        Some(format!("the schedule names {missing}, and the program called {} {times}", missing.function))
    }

    pub(crate) fn note_stream(&mut self, id: u64) {
        self.streams.push(id);
    }

    pub(super) fn note_queued(&mut self, id: OpId, op: &Op) {
        let Some(present) = self.present.as_mut().filter(|_| !self.is_working && !op.is_prompt) else {
            return;
        };
        present.queued += 1;
        let name = QueuedOp { call: present.call.call, place: present.queued };
        let number = present.call.number;
        if let Some(rank) = self.held.iter().position(|held| held.hold.op == name) {
            self.held[rank].is_met = true;
            self.ranks.insert(id, rank);
        }
        if self.keeps_record {
            let kernel = match &op.work {
                Some(Work::Kernel(running)) => running.name.as_deref(),
                _ => None,
            };
            let what = match (kernel, name.place) {
                (Some(kernel), _) => format!("kernel `{kernel}`"),
                (None, 1) => name.call.function.to_string(),
                (None, place) => format!("operation {place} of {}", name.call.function),
            };
            let words = format!("{what} on {} (call {number})", self.stream_words(op.on_stream));
            let has_effect = op.uses_memory || matches!(op.work, Some(Work::HostCall(_)));
            self.waiting.insert(id, RecordedOp { op: name, number, words, has_effect, done_in: None });
        }
    }

    fn stream_words(&self, on_stream: StreamId) -> String {
        match on_stream {
            StreamId::Made(_, id) => match self.streams.iter().position(|known| *known == id) {
                Some(place) => format!("stream {}", place + 1),
                None => "an earlier stream".to_owned(),
            },
            StreamId::Legacy(_) | StreamId::PerThread(..) => "the default stream".to_owned(),
            StreamId::Whole(_) | StreamId::Gate(_) => "all streams".to_owned(),
        }
    }

    /// Records that an operation is done, or that a thread of the program is about to call its host function.
    pub(super) fn note_done(&mut self, id: OpId) {
        self.ranks.remove(&id);
        if let Some(op) = self.waiting.remove(&id) {
            let done_in = self.present.map(|present| present.call);
            self.record.ops.push(RecordedOp { done_in, ..op });
        }
    }

    /// Records that an operation is in progress. Returns whether another operation was in progress, for
    /// [`end_work`](Order::end_work).
    pub(super) fn begin_work(&mut self) -> bool {
        core::mem::replace(&mut self.is_working, true)
    }

    pub(super) fn end_work(&mut self, outer: bool) {
        self.is_working = outer;
    }

    /// Returns the rank of an operation that is held back. Operations are done in the order of their ranks.
    pub(super) fn rank_of(&self, id: OpId) -> Option<usize> {
        self.ranks.get(&id).copied()
    }

    /// Returns whether the call that does an operation has begun.
    pub(super) fn is_released(&self, rank: usize) -> bool {
        self.held.get(rank).is_some_and(|held| held.is_released)
    }

    /// Takes the record.
    pub(crate) fn take_record(&mut self) -> OrderRecord {
        let missing = self.missing();
        let mut record = OrderRecord { missing, ..core::mem::take(&mut self.record) };
        record.ops.extend(core::mem::take(&mut self.waiting).into_values());
        self.logged = 0;
        record
    }

    /// Returns the operations that were done since the last call of this function, in the format of the log.
    pub(crate) fn take_done(&mut self) -> String {
        let done = self.record.ops.iter().skip(self.logged).map(|done| done.op.to_string());
        let line = done.collect::<Vec<_>>().join("+");
        self.logged = self.record.ops.len();
        if !self.is_explored {
            self.record = OrderRecord { misfit: self.record.misfit.take(), ..OrderRecord::default() };
            self.logged = 0;
        }
        line
    }

    /// Returns why the schedule does not fit, unless the standard error or an exploration has reported the reason.
    pub(crate) fn untold_misfit(&self) -> Option<String> {
        let is_told = self.is_explored || self.record.misfit.is_some();
        self.missing().filter(|_| !is_told)
    }
}
