//! Operations of nodes of graphs. Each waits for its dependencies, and not for the stream.

use crate::driver::handles::Handle;
use crate::driver::operations::{OpId, StreamId};
use crate::driver::queues::queue::{Op, Work};
use crate::driver::stream_order::OrderedStream;
use crate::driver::{Answer, State};

impl State {
    /// Queues the begin of a launch of a graph: after the work of the stream, and after `also`.
    pub(crate) fn push_begin(&mut self, on: (StreamId, Handle), also: Option<OpId>) -> OpId {
        if let Some(order) = &self.order {
            order.begin_branches(on.0);
        }
        let op = self.prepare(on, also, 0);
        self.push(Op { work: Some(Work::Task(Box::new(|_| Ok(())))), ..op })
    }

    /// Queues the end of a launch of a graph. Later work of the stream follows it.
    pub(crate) fn push_end(&mut self, on: (StreamId, Handle), after: Vec<OpId>) -> OpId {
        let op = self.prepare_after(on, after, 0, true);
        self.push(Op { work: Some(Work::Task(Box::new(|_| Ok(())))), ..op })
    }

    /// Queues a node of a graph, which follows `after` only.
    pub(crate) fn push_after(
        &mut self,
        on: (StreamId, Handle),
        after: Vec<OpId>,
        nanoseconds: u64,
        work: Work,
    ) -> OpId {
        let op = self.prepare_after(on, after, nanoseconds, false);
        self.note_unknown_order(op.node, &work);
        let uses_memory = matches!(work, Work::Kernel(_) | Work::AwaitMemory(_));
        self.insert_new(Op { work: Some(work), uses_memory, ..op })
    }

    /// Queues a node for a copy or a fill.
    pub(crate) fn push_memory_work_after(
        &mut self,
        on: (StreamId, Handle),
        after: Vec<OpId>,
        nanoseconds: u64,
        task: impl FnOnce(&mut State) -> Answer + Send + 'static,
    ) -> OpId {
        let op = self.prepare_after(on, after, nanoseconds, false);
        self.insert_new(Op { work: Some(Work::Task(Box::new(task))), uses_memory: true, ..op })
    }

    /// Prepares an operation that follows the given ones, and has a pace of its own. If it is the last one, later work
    /// of the stream follows it.
    fn prepare_after(
        &mut self,
        (on_stream, context): (StreamId, Handle),
        mut waits_for: Vec<OpId>,
        nanoseconds: u64,
        is_last: bool,
    ) -> Op {
        waits_for.sort_unstable();
        waits_for.dedup();
        waits_for.retain(|op| self.queue.has(*op));
        let (pace, green) = (self.draw_node_pace(), self.green_of(on_stream));
        let node = self.order.as_ref().map(|order| {
            let after = waits_for.iter().filter_map(|op| self.queue.node_of(*op)).collect();
            let blocking = self.is_blocking(on_stream);
            let stream = OrderedStream { id: on_stream, context, green, blocking };
            order.add_of_graph(stream, after, is_last, self.present.get())
        });
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
            earliest: self.clock,
            place: 0,
            pace,
            is_prompt: false,
            uses_memory: false,
            node,
        }
    }
}
