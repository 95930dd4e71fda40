//! The host threads that run the blocks of a launch.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::block::Progress;
use super::cluster::Cluster;
use super::grid::Grid;
use super::schedule::{Schedule, Task, Turn};
use crate::fault::Fault;

/// Steps that the calling thread runs alone. They take some hundred microseconds, while starting and ending a thread
/// takes 20 to 40 (measured).
const ALONE: u64 = 1 << 14;

/// State that the threads share.
struct Pool<'a> {
    grid: &'a Grid<'a>,
    schedule: Mutex<&'a mut Schedule>,
    /// Steps that may still be executed.
    left: AtomicU64,
    /// Set after a fault of a thread of the kernel. All host threads then stop.
    stop: AtomicBool,
    /// Fault in the block with the lowest number so far.
    fault: Mutex<Option<(u64, Fault)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs blocks until all have finished, or about `quantum` steps are executed. Uses as many threads as the launch
/// allows and the work justifies. `spare` is the memory of a finished cluster, for reuse.
pub(super) fn advance(
    grid: &Grid<'_>,
    schedule: &mut Schedule,
    quantum: u64,
    spare: &mut Option<Cluster>,
) -> Result<Progress, Fault> {
    let pool = Pool {
        grid,
        schedule: Mutex::new(schedule),
        left: AtomicU64::new(quantum.max(1)),
        stop: AtomicBool::new(false),
        fault: Mutex::new(None),
    };
    let workers = grid.launch.workers.max(1);
    if workers == 1 {
        pool.work(u64::MAX, spare);
    } else {
        pool.work(ALONE, spare);
        let waiting = usize::try_from(pool.schedule().waiting()).unwrap_or(usize::MAX);
        if waiting > 1 && !pool.is_over() {
            std::thread::scope(|scope| {
                for _ in 1..workers.min(waiting) {
                    let worker = std::thread::Builder::new().name("cuda-sim".to_owned());
                    // If a thread cannot start, the others do its work.
                    let _ = worker.spawn_scoped(scope, || pool.work(u64::MAX, &mut None));
                }
                pool.work(u64::MAX, spare);
            });
        } else {
            pool.work(u64::MAX, spare);
        }
    }
    let Pool { schedule, fault, .. } = pool;
    let schedule = schedule.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, fault)) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        schedule.abandon();
        return Err(fault);
    }
    Ok(if schedule.is_finished() { Progress::Finished } else { Progress::Suspended })
}

impl<'a> Pool<'a> {
    fn schedule(&self) -> MutexGuard<'_, &'a mut Schedule> {
        lock(&self.schedule)
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.left.load(Ordering::Relaxed) == 0
    }

    /// Runs blocks until no work is left, the common budget is spent, or `most` steps are executed.
    fn work(&self, most: u64, spare: &mut Option<Cluster>) {
        let mut own = most;
        while own != 0 && !self.is_over() {
            let limit = self.grid.launch.limit;
            let (task, rest) = {
                let mut schedule = self.schedule();
                (schedule.next(), schedule.left(limit))
            };
            let mut turn = match task {
                None => return,
                Some(Task::Resume(turn)) => turn,
                Some(Task::Begin { number, left }) => {
                    let cluster = match spare.take() {
                        Some(mut cluster) => {
                            cluster.restart(self.grid, number);
                            cluster
                        }
                        None => Cluster::new(self.grid, number),
                    };
                    Turn { cluster, left }
                }
            };
            let budget = turn.left.min(own).min(rest).min(self.left.load(Ordering::Relaxed));
            let before = turn.cluster.steps();
            let mut outcome = turn.cluster.run(self.grid, budget);
            let used = turn.cluster.steps().wrapping_sub(before);
            if matches!(outcome, Ok(Progress::Suspended)) {
                let mut schedule = self.schedule();
                schedule.spend(used);
                if schedule.left(limit) == 0 {
                    outcome = Err(turn.cluster.time_over(self.grid));
                }
            }
            own = own.saturating_sub(used);
            turn.left = turn.left.saturating_sub(used);
            let spend = |left: u64| Some(left.saturating_sub(used));
            // The update always succeeds.
            let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend);
            match outcome {
                Ok(Progress::Finished) => {
                    self.schedule().finish(turn.cluster.cycles());
                    *spare = Some(turn.cluster);
                }
                Ok(Progress::Suspended) => {
                    // A cluster that may wait for others lets them run first.
                    if turn.cluster.watches() {
                        turn.left = 0;
                    }
                    self.schedule().suspend(turn);
                }
                Err(fault) => {
                    let (index, warp, trouble, site) = *fault;
                    let mut fault = lock(&self.fault);
                    if fault.as_ref().is_none_or(|(number, _)| *number > index.number) {
                        *fault = Some((index.number, self.grid.fault(&index, warp, trouble, site)));
                    }
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}
