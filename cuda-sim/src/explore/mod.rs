//! Runs a scenario under many orders of its queued work, and names the shortest order that fails: [`Exploration`].

mod report;
mod shorten;

pub use report::{Failure, Report};

use crate::config::{Config, Hold, Replay, Schedule};
use crate::driver::OrderRecord;
use crate::scenario::Place;
use core::fmt::Display;
use shorten::FailedRun;

/// Runs a scenario under many orders of its queued work.
///
/// A correct program has the same results under every order that CUDA permits. A program that forgets to wait fails
/// under some orders. An exploration tries these orders, each on a new [`Machine`](crate::Machine):
///
/// | order | number of runs |
/// |---|---|
/// | [`Eager`](Schedule::Eager), the normal order | 1 |
/// | [`Lazy`](Schedule::Lazy) | 1 |
/// | one copy, fill, kernel or host function is held back until the program waits for it | one for each of these operations, up to the number of seeds |
/// | [`Random`](Schedule::Random) | one for each [seed](Exploration::seeds), from 0 on |
///
/// A run fails if
///
/// - the scenario returns an error,
/// - it panics,
/// - or the machine has a [report](crate::Report) that the scenario has not [taken](crate::Machine::take_reports), except
///   one of an [injected fault](crate::ReportKind::InjectedFault).
///
/// The first run that fails ends the exploration. At most 500 further runs then search for a shorter order that fails:
/// one that holds back fewer operations, or holds them back for a shorter time. The [`Report`] has this order in words,
/// and as a value of `CUDA_SIM`. The same program has the same report each time, except for addresses of memory.
///
/// # The scenario
///
/// - It must make the same calls in each run. One run under [`Eager`](Schedule::Eager) comes first, and is not in
///   [`Report::runs`]. It may fill state that survives a run: a static, or a cache of compiled programs on disk. State
///   that later runs change must be disabled.
/// - It runs on the calling thread. The driver is initialised, and a context of device 0 is current, which the
///   exploration has made. A thread that the scenario starts must [enter](crate::Machine::enter) the
///   [current](crate::Machine::current) machine.
/// - Its result must not own objects of the driver, because the result is dropped after the thread has left the
///   machine.
/// - It must check its results. A scenario that returns `Ok` has succeeded, even if work is still queued.
/// - If it queues work from several threads, or host functions, an order may not be reproducible. The report may then
///   have the seed only.
///
/// Calls are counted from 1, beginning with the first call of the scenario. Streams are counted in the order in which
/// the scenario creates them.
///
/// # Replay
///
/// A failing order is a [`Schedule::Replay`]. It names operations by the calls that queued them. So it also works in a plain test, in a
/// debugger, and in a program in another language that uses the shared library. Two conditions must hold: the program makes the same
/// calls, and nothing has queued work by the same functions before. If the order does not fit the program, the
/// standard error [says so](Schedule::Replay).
///
/// # Examples
///
/// ```
/// use cuda_sim::explore::Exploration;
/// use cuda_sys::*;
/// use std::ptr::null_mut;
///
/// fn check(call: &str, code: CUresult) -> Result<(), String> {
///     if code == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(format!("{call}: {code}")) }
/// }
///
/// /// Fills memory on one stream, and copies it to the host on another one.
/// fn fill_and_copy(waits: bool) -> Result<(), String> {
///     let (mut first, mut second, mut memory, mut host) = (null_mut(), null_mut(), 0, null_mut());
///     // SAFETY: all out-parameters are valid for writes, and the memory is as large as is said.
///     unsafe {
///         check("cuStreamCreate", cuStreamCreate(&mut first, 1))?;
///         check("cuStreamCreate", cuStreamCreate(&mut second, 1))?;
///         check("cuMemAlloc_v2", cuMemAlloc_v2(&mut memory, 4))?;
///         check("cuMemHostAlloc", cuMemHostAlloc(&mut host, 4, 0))?;
///         check("cuMemsetD32_v2", cuMemsetD32_v2(memory, 0, 1))?;
///         check("cuCtxSynchronize", cuCtxSynchronize())?;
///
///         check("cuMemsetD32Async", cuMemsetD32Async(memory, 7, 1, first))?;
///         if waits {
///             check("cuStreamSynchronize", cuStreamSynchronize(first))?;
///         }
///         check("cuMemcpyDtoHAsync_v2", cuMemcpyDtoHAsync_v2(host, memory, 4, second))?;
///         check("cuStreamSynchronize", cuStreamSynchronize(second))?;
///         let value = host.cast::<u32>().read();
///         if value == 7 { Ok(()) } else { Err(format!("{value} in place of 7")) }
///     }
/// }
///
/// let report = Exploration::new(|| fill_and_copy(true)).run();
/// assert!(report.is_ok(), "{report}");
///
/// let report = Exploration::new(|| fill_and_copy(false)).run();
/// assert_eq!(
///     report.to_string(),
///     "2 runs of a scenario of 3 queued operations, the last failed\n\
///      0 in place of 7\n  \
///        cuMemcpyDtoHAsync_v2 on stream 2 (call 8) before cuMemsetD32Async on stream 1 (call 7)\n  \
///        CUDA_SIM=schedule=replay:cuMemsetD32Async-1@cuMemcpyDtoHAsync_v2-1\n  \
///        CUDA_SIM=schedule=lazy"
/// );
/// ```
#[must_use = "it does nothing before it is run"]
pub struct Exploration<'test, T, E> {
    scenario: Box<dyn Fn() -> Result<T, E> + 'test>,
    config: Config,
    seeds: u64,
}

/// Runs a scenario under many orders of its queued work, on machines of the default configuration. Same as
/// [`Exploration::new`] and [`run`](Exploration::run).
///
/// # Examples
///
/// ```
/// let report = cuda_sim::explore(|| {
///     // The program under test.
///     Ok::<(), String>(())
/// });
/// assert!(report.is_ok(), "{report}");
/// ```
#[must_use]
pub fn explore<T, E: Display>(scenario: impl Fn() -> Result<T, E>) -> Report {
    Exploration::new(scenario).run()
}

const SEEDS: u64 = 50;

/// Run of a scenario.
struct Attempt {
    /// Error, panic message or report, if the run failed.
    finding: Option<String>,
    order: OrderRecord,
}

impl<'test, T, E: Display> Exploration<'test, T, E> {
    /// Creates an exploration of a scenario, on machines of the default configuration.
    pub fn new(scenario: impl Fn() -> Result<T, E> + 'test) -> Self {
        Exploration { scenario: Box::new(scenario), config: Config::default(), seeds: SEEDS }
    }

    /// Sets the configuration of the machines. The exploration replaces its [schedule](Config::schedule), and logs no
    /// [calls](Config::calls).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, explore::Exploration};
    ///
    /// let exploration = Exploration::new(|| Ok::<(), String>(())).config(Config { devices: 1, ..Config::default() });
    /// # let _ = exploration;
    /// ```
    pub fn config(self, config: Config) -> Self {
        Exploration { config, ..self }
    }

    /// Sets the number of seeds. It is 50 by default.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::explore::Exploration;
    ///
    /// let report = Exploration::new(|| Ok::<(), String>(())).seeds(10).run();
    /// assert_eq!(report.runs, 12);
    /// ```
    pub fn seeds(self, seeds: u64) -> Self {
        Exploration { seeds, ..self }
    }

    /// Runs the scenario under each order, until it fails.
    #[must_use]
    pub fn run(&self) -> Report {
        self.report(|report| {
            let normal = self.attempt(report, Schedule::Eager)?;
            if normal.finding.is_some() {
                return Ok(Some((Schedule::Eager, normal)));
            }
            let lazy = self.attempt(report, Schedule::Lazy)?;
            report.operations = lazy.order.ops.len();
            if lazy.finding.is_some() {
                return Ok(Some((Schedule::Lazy, lazy)));
            }
            let most = usize::try_from(self.seeds).unwrap_or(usize::MAX);
            for holds in shorten::singles(&lazy.order).into_iter().take(most) {
                report.runs += 1;
                let attempt = self.run_holding(&holds)?;
                if attempt.finding.is_some() && attempt.order.misfit.is_none() {
                    return Ok(Some((Schedule::Replay(Replay::new(holds)), attempt)));
                }
            }
            for seed in 0..self.seeds {
                let schedule = Schedule::Random(seed);
                let attempt = self.attempt(report, schedule)?;
                if attempt.finding.is_some() {
                    return Ok(Some((schedule, attempt)));
                }
            }
            Ok(None)
        })
    }

    /// Runs the scenario under one schedule only, to examine it more closely.
    ///
    /// The schedule is not shortened. If it is a [`Schedule::Replay`] that does not fit the scenario, the report says so.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::explore::Exploration;
    ///
    /// let report = Exploration::new(|| Ok::<(), String>(())).run_schedule("replay:cuLaunchKernel-1".parse()?);
    /// let finding = report.failure.map(|failure| failure.finding);
    /// assert_eq!(
    ///     finding.as_deref(),
    ///     Some("the schedule does not fit: the schedule names cuLaunchKernel-1, and the program called cuLaunchKernel 0 times")
    /// );
    /// # Ok::<(), cuda_sim::ConfigError>(())
    /// ```
    #[must_use]
    pub fn run_schedule(&self, schedule: Schedule) -> Report {
        self.report(|report| {
            let attempt = self.attempt(report, schedule)?;
            report.operations = attempt.order.ops.len();
            let does_not_fit = |misfit: &String| format!("the schedule does not fit: {misfit}");
            let misfit = attempt.order.misfit.as_ref().map(does_not_fit);
            let finding = misfit.or(attempt.finding).or(attempt.order.missing.as_ref().map(does_not_fit));
            if let Some(finding) = finding {
                let holds = match schedule {
                    Schedule::Replay(replay) => replay.holds().to_vec(),
                    _ => Vec::new(),
                };
                let run = FailedRun { holds, finding, order: attempt.order };
                let (reorderings, finding) = (shorten::reorderings(&run), run.finding);
                report.failure =
                    Some(Failure { finding, found_under: schedule, shortest: None, reorderings });
            }
            Ok(None)
        })
    }

    fn report(
        &self,
        runs: impl FnOnce(&mut Report) -> Result<Option<(Schedule, Attempt)>, String>,
    ) -> Report {
        let mut report = Report::default();
        let installed = crate::install_once().map_err(|error| error.to_string());
        // This run contains everything that the program does only once in a process.
        let once = installed.and_then(|_| self.run_under(Schedule::Eager).map(drop));
        match once.and_then(|()| runs(&mut report)) {
            Ok(None) => {}
            Ok(Some((schedule, attempt))) => report.failure = Some(self.explain(schedule, attempt)),
            Err(finding) => {
                let found_under = Schedule::Eager;
                report.failure =
                    Some(Failure { finding, found_under, shortest: None, reorderings: Vec::new() });
            }
        }
        report
    }

    fn attempt(&self, report: &mut Report, schedule: Schedule) -> Result<Attempt, String> {
        report.runs += 1;
        self.run_under(schedule)
    }

    fn run_under(&self, schedule: Schedule) -> Result<Attempt, String> {
        match schedule {
            Schedule::Replay(replay) => self.run_holding(replay.holds()),
            _ => self.run_on_machine(schedule, &[]),
        }
    }

    /// Runs the scenario in the normal order, except for operations that are held back.
    fn run_holding(&self, holds: &[Hold]) -> Result<Attempt, String> {
        // The operations are passed separately, because every schedule is kept until the end of the process.
        self.run_on_machine(Schedule::Replay(Replay::new(Vec::new())), holds)
    }

    /// Runs the scenario on a new machine. Fails if there is no machine.
    fn run_on_machine(&self, schedule: Schedule, holds: &[Hold]) -> Result<Attempt, String> {
        let config = Config { schedule, calls: None, ..self.config.clone() };
        let outcome = Place::new(&config)?.run(&*self.scenario, |machine| machine.record_order(holds));
        let finding = match outcome.result {
            Err(panic) => Some(format!("panicked: {panic}")),
            Ok(Err(error)) => Some(error.to_string()),
            Ok(Ok(_)) => outcome.reported,
        };
        Ok(Attempt { finding, order: outcome.order })
    }

    /// Finds the shortest order for a failure.
    fn explain(&self, found_under: Schedule, attempt: Attempt) -> Failure {
        let starts = match found_under {
            Schedule::Eager => Vec::new(),
            Schedule::Replay(replay) => vec![replay.holds().to_vec()],
            Schedule::Lazy => {
                let mut starts = shorten::singles(&attempt.order);
                starts.push(attempt.order.holds());
                starts
            }
            Schedule::Random(_) => vec![attempt.order.holds()],
        };
        let mut run = |holds: &[Hold]| {
            let Attempt { finding, order } = self.run_holding(holds).ok()?;
            let finding = finding.filter(|_| order.misfit.is_none())?;
            Some(FailedRun { holds: holds.to_vec(), finding, order })
        };
        match shorten::shorten(&mut run, starts) {
            None => {
                let finding = attempt.finding.unwrap_or_default();
                Failure { finding, found_under, shortest: None, reorderings: Vec::new() }
            }
            Some(run) => {
                let reorderings = shorten::reorderings(&run);
                let shortest = Some(Schedule::Replay(Replay::new(run.holds)));
                Failure { finding: run.finding, found_under, shortest, reorderings }
            }
        }
    }
}

impl<T, E> core::fmt::Debug for Exploration<'_, T, E> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut debug = formatter.debug_struct("Exploration");
        debug.field("config", &self.config).field("seeds", &self.seeds).finish_non_exhaustive()
    }
}
