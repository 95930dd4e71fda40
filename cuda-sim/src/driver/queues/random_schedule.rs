//! The order of work under [`Schedule::Random`].
//!
//! Each stream has a pace, which says how seldom its work goes on unasked. Paces lie far apart: work of a slow stream is
//! still queued when a fast stream has done everything, however many calls the program makes between. Calls that wait
//! prefer fast streams, too. The seed decides the paces anew after each wait of the program, so that one run tries
//! several.

use crate::config::Schedule;
use crate::driver::State;
use crate::driver::operations::{OpId, StreamId, TURN_STEPS};
use crate::driver::queues::queue::Wanted;

/// Paces, as powers of two. A stream uses one opportunity of so many.
const PACES: [u8; 4] = [0, 6, 9, 12];
/// A stream changes its pace with one operation of so many, beside the changes after waits.
const CHANGES: u64 = 32;
/// Turns of kernels and of waits for memory in a row that ended none, after which paces do not count. They may wait for slow
/// streams.
const FRUITLESS: u32 = 32;
/// Questions in a row for unfinished work, after which each question has the work go on.
const QUESTIONS: u32 = 16;
/// The slowest pace as far as questions are concerned.
const SLOWEST_ANSWER: u8 = 4;

/// The state that the order depends on.
pub(crate) struct RandomOrder {
    /// The state of the sequence that the seed begins.
    dice: u64,
    /// The number of waits of the program.
    phase: u64,
    /// Turns of kernels and of waits for memory in a row that ended none.
    fruitless: u32,
    /// Questions for unfinished work since work was queued.
    questions: u32,
}

/// The pace of a stream, and the phase in which it was drawn.
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

    /// The next number of the sequence.
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

    /// Notes that the program has waited for something.
    pub(crate) fn note_wait(&mut self) {
        self.phase += 1;
    }

    /// Notes that work was queued.
    pub(crate) fn note_queued(&mut self) {
        self.questions = 0;
    }

    /// Notes whether a kernel or a wait for memory that had its turn has ended.
    pub(crate) fn note_attempt(&mut self, has_ended: bool) {
        self.fruitless = if has_ended { 0 } else { self.fruitless.saturating_add(1) };
    }

    /// Returns whether what is wanted may be waiting for other work.
    pub(super) fn is_fruitless(&self) -> bool {
        self.fruitless > FRUITLESS
    }

    /// Counts a question for unfinished work. Returns whether there were so many that the work goes on.
    pub(super) fn note_question(&mut self) -> bool {
        self.questions = self.questions.saturating_add(1);
        self.questions > QUESTIONS
    }

    /// Returns how long a kernel runs at a time, in ticks of the engine's clock: `usual` if the program keeps asking.
    pub(crate) fn quantum(&mut self, usual: u64) -> u64 {
        if self.questions > QUESTIONS { usual } else { 1 << (self.next() % 18) }
    }
}

impl State {
    /// The next number of a sequence that the schedule's seed decides.
    pub(crate) fn chance(&mut self) -> u64 {
        self.chances.next()
    }

    /// Draws the pace of an operation that is being queued on a stream.
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

    /// Draws the pace of a node of a graph: branches go on at different paces.
    pub(super) fn draw_node_pace(&mut self) -> u8 {
        if self.is_random() { PACES[(self.chances.next() % PACES.len() as u64) as usize] } else { 0 }
    }

    pub(crate) fn is_random(&self) -> bool {
        matches!(self.config.schedule, Schedule::Random(_))
    }

    /// Returns whether the program's calls do the queued work, in an order that the schedule gives.
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

    /// Returns the operation whose turn it is when the program waits.
    pub(crate) fn pick_random(&mut self, wanted: Wanted<'_>) -> Option<OpId> {
        let chance = self.chance();
        let (any, pace) = self.queue.ready_at(chance)?;
        if self.chances.is_fruitless() {
            return Some(any);
        }
        // Any stream may have its turn: kernels that wait for each other come to an end.
        let (is_random, order) = (self.chances.once_in(8), self.chance());
        let Wanted::These(these) = wanted else {
            return if is_random { Some(any) } else { self.queue.fastest(order, |_| true) };
        };
        if these.contains(any) && is_random || !these.contains(any) && self.chances.once_in(1 << pace) {
            return Some(any);
        }
        self.queue.fastest(order, |op| these.contains(op))
    }

    /// Returns whether a call that waits for these operations may do any others as well.
    pub(crate) fn waits_for_all(&mut self) -> bool {
        self.is_random() && !self.chances.once_in(4)
    }

    /// Returns whether a question for these operations has them go on.
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
