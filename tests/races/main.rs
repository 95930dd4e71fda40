//! Programs that forget one wait: how many seeds of a hundred find it. The same programs with the wait are right under every
//! seed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, unsafe_code)]

mod explored;
mod freed;
mod progress;
mod raw;
mod replay;
mod safe;

use cuda_sim::{Config, Machine, MachineGuard, Schedule};

/// Seeds that each program runs with.
const SEEDS: u64 = 100;
/// The number of seeds that must find a missing wait.
const ENOUGH: usize = 20;

/// A variant of a program.
#[derive(Debug, Clone, Copy)]
struct Variant {
    /// It waits where it has to.
    waits: bool,
    /// It makes other calls between the two that race.
    calls: bool,
}

/// A machine with a schedule, which this thread is on as long as the second part lives.
fn machine(schedule: Schedule) -> (Machine, MachineGuard) {
    cuda_suite::raw::machine(Config { schedule, host_threads: 1, ..Config::default() })
}

/// Checks a program, which returns whether its result is right, under every schedule. Also checks that `streamcheck` reports the
/// missing wait of the program where nothing is late.
///
/// `in_lazy` says whether the lazy schedule finds the missing wait. It does not if the program waits for the earlier work
/// first.
fn check_race(name: &str, in_lazy: bool, program: fn(Variant) -> bool) {
    let is_right = |schedule, variant| {
        let (_, _entered) = machine(schedule);
        program(variant)
    };
    let reports = |variant| {
        let config = Config { streamcheck: true, host_threads: 1, ..Config::default() };
        let (machine, _entered) = cuda_suite::raw::machine(config);
        let _ = program(variant);
        machine.take_reports()
    };
    for calls in [false, true] {
        assert_eq!(reports(Variant { waits: true, calls }), [], "{name}");
    }
    // The host's own loads and stores are not seen.
    let is_reported = !reports(Variant { waits: false, calls: false }).is_empty();
    assert_eq!(is_reported, !name.contains("host"), "{name}: reports without a schedule that is late");
    let mut counts = Vec::new();
    for calls in [false, true] {
        let (right, wrong) = (Variant { waits: true, calls }, Variant { waits: false, calls });
        for schedule in [Schedule::Eager, Schedule::Lazy].into_iter().chain((0..SEEDS).map(Schedule::Random))
        {
            assert!(is_right(schedule, right), "{name}, which waits, {schedule:?}, {right:?}");
        }
        assert!(is_right(Schedule::Eager, wrong), "{name}: the eager schedule is not late");
        // A stream that a program queries makes progress.
        assert!(calls || is_right(Schedule::Lazy, wrong) != in_lazy, "{name}: lazy");
        counts.push((0..SEEDS).filter(|seed| !is_right(Schedule::Random(*seed), wrong)).count());
    }
    println!("{name}: {} of {SEEDS} seeds, with calls between {}", counts[0], counts[1]);
    assert!(counts.iter().all(|count| *count >= ENOUGH), "{name}: {counts:?} of {SEEDS} seeds");
}
