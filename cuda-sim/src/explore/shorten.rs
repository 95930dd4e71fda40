//! Searches for the shortest order that fails, and describes it in words.

use crate::config::Hold;
use crate::driver::{OrderRecord, RecordedOp};

/// Limit of the runs that search for a shorter order.
const MOST_RUNS: u32 = 500;

/// Run that failed.
pub(super) struct FailedRun {
    /// Operations that were held back.
    pub(super) holds: Vec<Hold>,
    pub(super) finding: String,
    pub(super) order: OrderRecord,
}

/// Returns the orders that hold back one operation each. Operations that were queued last come first. The operation
/// nearest to a missing wait is therefore found before the operations that it waits for.
pub(super) fn singles(order: &OrderRecord) -> Vec<Vec<Hold>> {
    let mut ops: Vec<&RecordedOp> = order.ops.iter().filter(|op| op.has_effect).collect();
    ops.sort_by_key(|op| core::cmp::Reverse((op.number, op.op.place)));
    ops.into_iter().map(|op| vec![Hold { op: op.op, until: None }]).collect()
}

/// Returns the shortest order that [`MOST_RUNS`] runs find. Below this limit, the scenario succeeds if one operation
/// less is held back. Returns `None` if none of `starts` fails.
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

/// Leaves out groups of operations: first all of them, then halves, and in the end single ones.
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
        // Single ones again, because an operation may have needed another one that is left out now.
        size = if size == 1 && is_shorter { 1 } else { size / 2 };
    }
}

/// Finds the first call until which an operation must be held back.
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

/// Simplifies a hold that ends at a call: the operation is held back until the program waits for it. Keeps the call if
/// the scenario then succeeds, or if the failure needs another operation to overtake this one.
fn settle_on_wait(fails: &mut dyn FnMut(&[Hold]) -> Option<FailedRun>, best: &mut FailedRun, index: usize) {
    let hold = best.holds[index];
    let passing = passing(&hold, best);
    if hold.until.is_none() || passing.iter().any(|op| best.holds.iter().any(|held| held.op == op.op)) {
        return;
    }
    // Held back for the same time, but in the normal order.
    let behind: Vec<Hold> = passing.iter().map(|op| Hold { op: op.op, until: hold.until }).collect();
    let in_order = [&best.holds[..=index], &behind, &best.holds[index + 1..]].concat();
    if behind.is_empty() || fails(&in_order).is_some() {
        let mut holds = best.holds.clone();
        holds[index].until = None;
        if let Some(simpler) = fails(&holds) {
            *best = simpler;
        }
    }
}

/// Describes the differences between the order of a failed run and the normal one.
pub(super) fn reorderings(run: &FailedRun) -> Vec<String> {
    run.holds.iter().filter_map(|hold| reordering(hold, run)).collect()
}

fn reordering(hold: &Hold, run: &FailedRun) -> Option<String> {
    let held = run.order.ops.iter().find(|op| op.op == hold.op)?;
    let passing: Vec<&str> = passing(hold, run).into_iter().map(|op| op.words.as_str()).collect();
    let words = &held.words;
    Some(match (passing.is_empty(), held.done_in) {
        (false, _) => format!("{} before {words}", passing.join(", ")),
        (true, Some(call)) => format!("{words} not before {} (call {})", call.call.function, call.number),
        (true, None) => format!("{words} not at all, because nothing waits for it"),
    })
}

/// Returns the operations that were queued later than a held operation and done before it. Only the operations of the
/// call that ends the hold, and other held operations, count.
fn passing<'run>(hold: &Hold, FailedRun { holds, order, .. }: &'run FailedRun) -> Vec<&'run RecordedOp> {
    let until = hold.until.and_then(|until| order.calls.iter().find(|call| call.call == until));
    let Some(position) = order.ops.iter().position(|op| op.op == hold.op) else { return Vec::new() };
    let (before, held) = (&order.ops[..position], &order.ops[position]);
    let matters = |op: &&RecordedOp| {
        let is_of_end = until.is_some_and(|until| until.number == op.number);
        op.has_effect && (is_of_end || holds.iter().any(|hold| hold.op == op.op))
    };
    let later = before.iter().filter(|op| (op.number, op.op.place) > (held.number, held.op.place));
    later.filter(matters).collect()
}
