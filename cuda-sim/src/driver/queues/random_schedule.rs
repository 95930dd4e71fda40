//! The order of work under [`Schedule::Random`].
//!
//! Each stream has a pace, which determines how rarely its work progresses without a request. Paces differ by large
//! factors. Work of a slow stream is therefore still queued when a fast stream is finished, even if the program makes
//! many calls in between. Calls that wait also prefer fast streams. The seed determines new paces after each wait of
//! the program, so that one run tries several.

use crate::config::Schedule;
use crate::driver::State;
use crate::driver::operations::{OpId, StreamId, TURN_STEPS};
use crate::driver::queues::queue::Wanted;

/// Paces, as powers of two. A stream uses one of this many opportunities.
const PACES: [u8; 4] = [0, 6, 9, 12];
/// Number of operations per random change of a stream's pace, in addition to the changes after waits.
const CHANGES: u64 = 32;
/// Number of consecutive turns of kernels and waits for memory without an end, after which paces are ignored. They may
/// wait for slow streams.
const FRUITLESS: u32 = 32;
/// Number of consecutive queries of unfinished work after which each query lets the work progress.
const QUESTIONS: u32 = 16;
/// Slowest pace for queries.
const SLOWEST_ANSWER: u8 = 4;

/// State that determines the order.
pub(crate) struct RandomOrder {
    /// State of the random sequence, which starts with the seed.
    dice: u64,
    /// Number of waits of the program.
    phase: u64,
    /// Number of consecutive turns of kernels and waits for memory without an end.
    fruitless: u32,
    /// Number of queries of unfinished work since work was queued.
    questions: u32,
}

/// Pace of a stream, and the phase in which it was drawn.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    drawn: Option<u64>,
    power: u8,
}

impl RandomOrder {
    pub(crate) fn new(schedule: Schedule) -> RandomOrder {
        let dice = match schedule {
            Schedule::Random(seed) => seed,
            Schedule::Eager | Schedule::Lazy | Schedule::Replay(_) => 0,
        };
        RandomOrder { dice, phase: 0, fruitless: 0, questions: 0 }
    }

    /// Returns the next number of the sequence.
    fn next(&mut self) -> u64 {
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.dice ^ self.dice >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns true with a probability of one in `times`.
    fn once_in(&mut self, times: u64) -> bool {
        self.next().is_multiple_of(times)
    }

    /// Records that the program has waited.
    pub(crate) fn note_wait(&mut self) {
        self.phase += 1;
    }

    /// Records that work was queued.
    pub(crate) fn note_queued(&mut self) {
        self.questions = 0;
    }

    /// Records whether a kernel or a wait for memory that had its turn has ended.
    pub(crate) fn note_attempt(&mut self, has_ended: bool) {
        self.fruitless = if has_ended { 0 } else { self.fruitless.saturating_add(1) };
    }

    /// Returns whether the wanted work may be waiting for other work.
    pub(super) fn is_fruitless(&self) -> bool {
        self.fruitless > FRUITLESS
    }

    /// Counts a query of unfinished work. Returns whether the number of queries lets the work progress.
    pub(super) fn note_question(&mut self) -> bool {
        self.questions = self.questions.saturating_add(1);
        self.questions > QUESTIONS
    }

    /// Returns how long a kernel runs at a time, in ticks of the engine's clock: `usual` if the program keeps querying.
    pub(crate) fn quantum(&mut self, usual: u64) -> u64 {
        if self.questions > QUESTIONS { usual } else { 1 << (self.next() % 18) }
    }
}

impl State {
    /// Returns the next number of the sequence of the schedule's seed.
    pub(crate) fn chance(&mut self) -> u64 {
        self.chances.next()
    }

    /// Draws the pace of an operation for a stream.
    pub(crate) fn draw_pace(&mut self, on_stream: StreamId) -> u8 {
        if !self.is_random() {
            return 0;
        }
        let changes = self.chances.once_in(CHANGES);
        let phase = Some(self.chances.phase);
        let Some(pace) = self.queue.pace_mut(on_stream) else { return 0 };
        if changes || pace.drawn != phase {
            let power = PACES[(self.chances.next() % PACES.len() as u64) as usize];
            *pace = Pace { drawn: phase, power };
        }
        pace.power
    }

    /// Draws the pace of a node of a graph. Branches have different paces.
    pub(super) fn draw_node_pace(&mut self) -> u8 {
        if self.is_random() { PACES[(self.chances.next() % PACES.len() as u64) as usize] } else { 0 }
    }

    pub(crate) fn is_random(&self) -> bool {
        matches!(self.config.schedule, Schedule::Random(_))
    }

    /// Returns whether the program's calls do the queued work, in an order that the schedule determines.
    pub(crate) fn works_in_calls(&self) -> bool {
        matches!(self.config.schedule, Schedule::Random(_) | Schedule::Replay(_))
    }

    /// Does some of the queued work, as every call does.
    pub(crate) fn run_random_work(&mut self) {
        if !self.queue.can_move() {
            return;
        }
        for _ in 0..self.chance() % 4 {
            let chance = self.chance();
            if let Some((op, pace)) = self.queue.ready_at(chance)
                && self.chances.once_in(1 << pace)
            {
                let quantum = self.chances.quantum(0);
                self.advance(op, quantum);
            }
        }
    }

    /// Returns the next operation when the program waits.
    pub(crate) fn pick_random(&mut self, wanted: Wanted<'_>) -> Option<OpId> {
        let chance = self.chance();
        let (any, pace) = self.queue.ready_at(chance)?;
        if self.chances.is_fruitless() {
            return Some(any);
        }
        // Any stream may have its turn, so that kernels that wait for each other end.
        let (is_random, order) = (self.chances.once_in(8), self.chance());
        let Wanted::These(these) = wanted else {
            return if is_random { Some(any) } else { self.queue.fastest(order, |_| true) };
        };
        if these.contains(any) && is_random || !these.contains(any) && self.chances.once_in(1 << pace) {
            return Some(any);
        }
        self.queue.fastest(order, |op| these.contains(op))
    }

    /// Returns whether a call that waits for these operations may do all others as well.
    pub(crate) fn waits_for_all(&mut self) -> bool {
        self.is_random() && !self.chances.once_in(4)
    }

    /// Returns whether a query of these operations lets them progress.
    pub(crate) fn goes_on_when_asked(&mut self, ops: &[OpId]) -> bool {
        match self.config.schedule {
            Schedule::Eager => false,
            Schedule::Lazy => true,
            Schedule::Random(_) => {
                let is_insistent = self.chances.note_question();
                let paces = ops.iter().filter_map(|op| self.queue.pace_of(*op));
                let pace = paces.max().unwrap_or(0).min(SLOWEST_ANSWER);
                is_insistent || self.chances.once_in(1 << pace)
            }
            Schedule::Replay(_) => {
                self.run_replayed_work(TURN_STEPS);
                self.chances.note_question()
            }
        }
    }
}
