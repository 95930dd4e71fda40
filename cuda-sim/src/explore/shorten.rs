//! Looks for the shortest order that fails, and tells it in words.

use crate::config::{Hold, Replay};
use crate::driver::{OrderRecord, RecordedOp};

/// The most runs that look for a shorter order.
const MOST_RUNS: u32 = 500;

/// A run that failed.
pub(super) struct FailedRun {
    /// The operations that were held back.
    pub(super) holds: Vec<Hold>,
    pub(super) finding: String,
    pub(super) order: OrderRecord,
}

/// Returns the orders that hold back one operation each, the last one that was queued first: the operation nearest to a missing wait
/// is found before those that it waits for.
pub(super) fn singles(order: &OrderRecord) -> Vec<Vec<Hold>> {
    let mut ops: Vec<&RecordedOp> = order.ops.iter().filter(|op| op.has_effect).collect();
    ops.sort_by_key(|op| core::cmp::Reverse((op.number, op.op.place)));
    ops.into_iter().map(|op| vec![Hold { op: op.op, until: None }]).collect()
}

/// Returns a shortest order: the scenario goes well if one operation less is held back. `None` if none of `starts` fails.
pub(super) fn shorten(
    run: &mut dyn FnMut(&[Hold]) -> Option<FailedRun>,
    starts: Vec<Vec<Hold>>,
) -> Option<FailedRun> {
    let mut left = MOST_RUNS;
    let mut fails = |holds: &[Hold]| {
        left = left.checked_sub(1)?;
        run(holds)
    };
    let mut best = starts.iter().find_map(|holds| fails(holds))?;
    hold_fewer(&mut fails, &mut best);
    for index in 0..best.holds.len() {
        hold_shorter(&mut fails, &mut best, index);
    }
    Some(best)
}

/// Leaves out groups of operations, halves at first and single ones in the end.
fn hold_fewer(fails: &mut dyn FnMut(&[Hold]) -> Option<FailedRun>, best: &mut FailedRun) {
    let mut size = best.holds.len();
    while size > 0 {
        let mut is_shorter = false;
        let mut end = best.holds.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            let rest = [&best.holds[..start], &best.holds[end..]].concat();
            if let Some(shorter) = fails(&rest) {
                *best = shorter;
                is_shorter = true;
            }
            end = start;
        }
        // Single ones again, since some may have needed others that are left out now.
        size = if size == 1 && is_shorter { 1 } else { size / 2 };
    }
}

/// Finds the first call until which an operation has to be held back.
fn hold_shorter(fails: &mut dyn FnMut(&[Hold]) -> Option<FailedRun>, best: &mut FailedRun, index: usize) {
    let hold = best.holds[index];
    let Some(held) = best.order.ops.iter().find(|op| op.op == hold.op) else { return };
    let (from, to) = (held.number, held.done_in.map_or(u64::MAX, |call| call.number));
    let calls = best.order.calls.iter().filter(|call| (from..to).contains(&call.number));
    let calls: Vec<_> = calls.map(|call| call.call).collect();
    let (mut low, mut high) = (0, calls.len());
    while low < high {
        let middle = low.midpoint(high);
        let mut holds = best.holds.clone();
        holds[index].until = Some(calls[middle]);
        match fails(&holds) {
            Some(shorter) => {
                *best = shorter;
                high = middle;
            }
            None => low = middle + 1,
        }
    }
    settle_on_wait(fails, best, index);
}

/// Holds an operation back until a wait, unless it is another operation that must not pass it: the host reads or writes the memory.
fn settle_on_wait(fails: &mut dyn FnMut(&[Hold]) -> Option<FailedRun>, best: &mut FailedRun, index: usize) {
    let hold = best.holds[index];
    let passing = passing(&hold, &best.order).into_iter().map(|op| Hold { op: op.op, until: hold.until });
    let passing: Vec<Hold> = passing.filter(|op| best.holds.iter().all(|held| held.op != op.op)).collect();
    let in_order = [&best.holds[..=index], &passing, &best.holds[index + 1..]].concat();
    if hold.until.is_some() && (passing.is_empty() || fails(&in_order).is_some()) {
        let mut holds = best.holds.clone();
        holds[index].until = None;
        if let Some(simpler) = fails(&holds) {
            *best = simpler;
        }
    }
}

/// Tells how an order differs from the normal one.
pub(super) fn reorderings(replay: &Replay, order: &OrderRecord) -> Vec<String> {
    replay.holds().iter().filter_map(|hold| reordering(hold, order)).collect()
}

fn reordering(hold: &Hold, order: &OrderRecord) -> Option<String> {
    let held = order.ops.iter().find(|op| op.op == hold.op)?;
    let passing: Vec<&str> = passing(hold, order).into_iter().map(|op| op.words.as_str()).collect();
    let words = &held.words;
    Some(match (passing.is_empty(), held.done_in) {
        (false, _) => format!("{} before {words}", passing.join(", ")),
        (true, Some(call)) => format!("{words} not before {} (call {})", call.call.function, call.number),
        (true, None) => format!("{words} not at all, since nothing waits for it"),
    })
}

/// Returns the operations of the call that ends a hold, as far as they were done before the operation that was held back.
fn passing<'order>(hold: &Hold, order: &'order OrderRecord) -> Vec<&'order RecordedOp> {
    let until = hold.until.and_then(|until| order.calls.iter().find(|call| call.call == until));
    let position = order.ops.iter().position(|op| op.op == hold.op);
    let (Some(until), Some(position)) = (until, position) else { return Vec::new() };
    let held = &order.ops[position];
    let is_later = |op: &&RecordedOp| (op.number, op.op.place) > (held.number, held.op.place);
    let before = order.ops[..position].iter().filter(|op| op.has_effect && op.number == until.number);
    before.filter(is_later).collect()
}
