//! The order of work under [`Schedule::Replay`](crate::Schedule::Replay): as soon as possible, except for the
//! operations that are held back.

use crate::driver::State;
use crate::driver::operations::{OpId, TURN_STEPS};
use crate::driver::queues::queue::Wanted;

impl State {
    /// Does the work that is due, as every call does.
    pub(super) fn run_replayed_work(&mut self, quantum: u64) {
        let begun: Vec<OpId> = self.queue.ready().filter(|(place, _)| *place > 0).map(|(_, op)| op).collect();
        self.run_due_work(quantum);
        for op in begun {
            self.advance(op, quantum.min(TURN_STEPS));
            self.run_due_work(quantum);
        }
    }

    fn run_due_work(&mut self, quantum: u64) {
        while let Some(op) = self.pick_due() {
            self.advance(op, quantum);
        }
    }

    /// Returns the operation to do without a wait for it, from those without a turn so far.
    fn pick_due(&self) -> Option<OpId> {
        let order = self.work_order.as_deref()?;
        let fresh = || self.queue.ready().take_while(|(place, _)| *place == 0).map(|(_, op)| op);
        let released = |op| Some((order.rank_of(op).filter(|rank| order.is_released(*rank))?, op));
        let free = fresh().find(|op| order.rank_of(*op).is_none());
        free.or_else(|| fresh().filter_map(released).min().map(|(_, op)| op))
    }

    /// Returns the next operation when the program waits.
    pub(super) fn pick_replayed(&self, wanted: Wanted<'_>) -> Option<OpId> {
        // This lets kernels that wait for each other end.
        if self.chances.is_fruitless() {
            return self.queue.pick(Wanted::All);
        }
        let is_wanted = |op: OpId| match wanted {
            Wanted::All | Wanted::Fresh => true,
            Wanted::These(these) => these.contains(op),
        };
        let rank_of = |op| self.work_order.as_deref().and_then(|order| order.rank_of(op));
        self.pick_due().or_else(|| {
            let begun = self.queue.ready().find(|(place, op)| *place > 0 && is_wanted(*op)).map(|(_, op)| op);
            let held = self.queue.ready().map(|(_, op)| op).filter(|op| is_wanted(*op));
            begun.or_else(|| held.min_by_key(|op| rank_of(*op)))
        })
    }
}
