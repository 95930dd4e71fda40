//! Times of calls while other threads make the same calls, each on a stream of its own.

use super::measure::{Way, figure};
use super::operations::{ELSEWHERE, RAW, RT, Setup};
use serde_json::{Value, json};
use std::sync::Barrier;
use std::time::Instant;

/// The numbers of threads at once.
const COUNTS: [usize; 3] = [1, 4, 16];
/// Measurements of each way on each thread. The first ones warm up.
const BLOCKS: usize = 60;
const WARM: usize = 5;

/// Nanoseconds of the operations that `wanted` picks by name, with each number of threads.
pub(crate) fn run(real: bool, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Vec<Value> {
    COUNTS.iter().flat_map(|count| with(*count, real, wanted)).collect()
}

fn with(count: usize, real: bool, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Vec<Value> {
    let barrier = Barrier::new(count);
    let work = || {
        let setup = Setup::new().unwrap();
        let mut operations = setup.operations();
        // The driver that does nothing has one current context for all threads.
        operations.retain(|operation| operation.name != ELSEWHERE && wanted(operation.name));
        let mut found = Vec::new();
        for operation in &mut operations {
            let rounds = if real { operation.real_rounds } else { 1000 };
            for way in &mut operation.ways {
                if way.library == RAW || way.library == RT {
                    let times = times(way, rounds, &barrier, &setup);
                    found.push((operation.name, way.library, times));
                }
            }
        }
        found
    };
    let threads: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut rows = Vec::new();
    let mut bare = f64::NAN;
    for (place, (operation, library, _)) in threads[0].iter().enumerate() {
        let all = threads.iter().flat_map(|found| found[place].2.iter().copied()).collect();
        let each = figure(all).median;
        if *library == RAW {
            bare = each;
        }
        rows.push(json!({
            "operation": operation, "threads": count, "library": library, "ns": each, "more_ns": each - bare,
        }));
    }
    rows
}

/// Nanoseconds of a round in each block. All threads begin each block together.
fn times(way: &mut Way<'_>, rounds: u32, barrier: &Barrier, setup: &Setup) -> Vec<f64> {
    let mut times = Vec::with_capacity(BLOCKS);
    for block in 0..BLOCKS {
        barrier.wait();
        let start = Instant::now();
        (way.run)(rounds);
        let time = start.elapsed().as_nanos() as f64 / f64::from(rounds);
        setup.settle();
        if block >= WARM {
            times.push(time);
        }
    }
    times
}
