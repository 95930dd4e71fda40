//! Makes every call of a scenario fail in turn, and checks the reaction of the program: [`Sweep`].

mod case;
mod effects;
mod report;

pub use case::{Case, CaseError, FaultKind};
pub use report::{Failure, Report};

use crate::driver::documented_codes;
use crate::scenario::{Outcome, Place};
use crate::{CallRecord, Config, LiveHandles};
use case::Function;
use core::fmt::Display;
use cuda_sys::{CUresult, Symbol};

/// Code that no header names.
const UNKNOWN: CUresult = cuda_sys::cudaError_enum(9999);
/// Code of a kernel that failed.
const FATAL: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;

/// Makes every call of a scenario fail in turn, in every documented way and some others.
///
/// A scenario is a function without arguments that calls the driver, and optionally NVRTC. It runs first without a
/// fault, which determines its calls. Then it runs once for each call and each failure, on a new
/// [`Machine`](crate::Machine) each time. Calls that fail without a fault are left out.
///
/// | failure | codes | calls |
/// |---|---|---|
/// | [`Before`](FaultKind::Before) the work | those that CUDA [documents](documented_codes) for the function, `CUDA_ERROR_ILLEGAL_ADDRESS`, and an unknown one; for NVRTC all of its codes, and an unknown one | all |
/// | [`After`](FaultKind::After) the work | `CUDA_ERROR_ILLEGAL_ADDRESS` and an unknown one; for NVRTC `NVRTC_ERROR_INTERNAL_ERROR` | those that [make nothing](Case::is_creation_after_work) |
/// | [`Sticky`](FaultKind::Sticky) | `CUDA_ERROR_ILLEGAL_ADDRESS` | those of the driver |
///
/// A run fails if
///
/// - it panics,
/// - an object stays [alive](crate::LiveHandles), unless the failing call itself should have released it (not checked
///   after a sticky failure). If the call should have released a mapping of external memory, that memory may stay
///   alive, too,
/// - the thread has a different current context than before, or is in a different capture mode,
/// - the machine has a [report](crate::Report) that the scenario has not [taken](crate::Machine::take_reports), except
///   one of an [injected fault](crate::ReportKind::InjectedFault),
/// - the [check](Sweep::check) of the test returns an error,
/// - or the scenario does not succeed again without a fault: on the same machine, or on a new one after a sticky
///   failure. It may return an error there if an object was allowed to stay alive.
///
/// # The scenario
///
/// - It must make the same calls in each run. State that survives a run (a static, a cache of compiled programs on
///   disk) must be filled or disabled before. One unrecorded run comes first.
/// - It runs on the calling thread. The driver is initialised, and a context of device 0 is current, which the sweep
///   has made. A thread that the scenario starts must [enter](crate::Machine::enter) the
///   [current](crate::Machine::current) machine.
/// - Its result must not own objects of the driver, which would count as alive.
/// - A run that does not end, or ends the process, is not detected. [`cases`](Sweep::cases) can omit such runs.
///
/// The sweep installs the software driver with [`install_once`](crate::install_once).
///
/// # Examples
///
/// ```
/// use cuda_sim::sweep::Sweep;
/// use cuda_sys::*;
///
/// fn check(call: &str, code: CUresult) -> Result<(), String> {
///     if code == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(format!("{call}: {code}")) }
/// }
///
/// /// The code under test, which uses the current context.
/// fn fill() -> Result<(), String> {
///     let mut address = 0;
///     // SAFETY: `address` is valid for a write, and then of memory of this size.
///     unsafe {
///         check("cuMemAlloc_v2", cuMemAlloc_v2(&mut address, 1024))?;
///         let filled = check("cuMemsetD8_v2", cuMemsetD8_v2(address, 7, 1024));
///         // Also after a failure.
///         filled.and(check("cuMemFree_v2", cuMemFree_v2(address)))
///     }
/// }
///
/// let report = Sweep::new(fill)
///     .check(|run| match (run.case(), run.result()) {
///         // The error names the call that failed.
///         (Some(case), Err(error)) if error.starts_with(case.function()) => Ok(()),
///         (None, Ok(())) => Ok(()),
///         (_, result) => Err(format!("it returned {result:?}")),
///     })
///     .run();
/// assert!(report.is_ok(), "{report}");
/// assert_eq!((report.calls, report.runs > 20), (3, true));
///
/// // Forgets the memory if it cannot be filled.
/// let forgetful = || {
///     let mut address = 0;
///     // SAFETY: as above.
///     unsafe {
///         check("cuMemAlloc_v2", cuMemAlloc_v2(&mut address, 1024))?;
///         check("cuMemsetD8_v2", cuMemsetD8_v2(address, 7, 1024))?;
///         check("cuMemFree_v2", cuMemFree_v2(address))
///     }
/// };
/// let report = Sweep::new(forgetful).run();
/// let failure = &report.failures[0];
/// assert!(failure.findings[0].starts_with("still alive: 1 device allocation, 1024 bytes"), "{failure}");
///
/// // One of its cases again, alone.
/// let case = "1:cuMemsetD8_v2:CUDA_ERROR_INVALID_VALUE".parse()?;
/// assert_eq!(Sweep::new(forgetful).run_case(&case).failures.len(), 1);
/// # Ok::<(), cuda_sim::sweep::CaseError>(())
/// ```
#[must_use = "it does nothing before it is run"]
pub struct Sweep<'test, T, E> {
    scenario: Box<dyn Fn() -> Result<T, E> + 'test>,
    config: Config,
    check: Option<Check<'test, T, E>>,
    cases: Box<dyn Fn(&Case) -> bool + 'test>,
}

type Check<'test, T, E> = Box<dyn Fn(&Run<'_, T, E>) -> Result<(), String> + 'test>;

/// Run that has not panicked, for the [check](Sweep::check) of a test.
#[derive(Debug)]
pub struct Run<'run, T, E> {
    case: Option<&'run Case>,
    result: &'run Result<T, E>,
    calls: &'run [CallRecord],
    healthy_calls: &'run [CallRecord],
    allowed_live: LiveHandles,
}

impl<T, E> Run<'_, T, E> {
    /// Returns the call that failed, or `None` for a run without a fault: the first one, or one after a failure.
    #[must_use]
    pub fn case(&self) -> Option<&Case> {
        self.case
    }

    /// Returns the result of the scenario.
    pub fn result(&self) -> &Result<T, E> {
        self.result
    }

    /// Returns the calls of the driver in this run, in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::sweep::Sweep;
    ///
    /// // SAFETY: no flags, as the API demands.
    /// let report = Sweep::new(|| unsafe { cuda_sys::cuInit(0) }.is_success().then_some(()).ok_or("cuInit"))
    ///     .check(|run| match &run.calls()[..] {
    ///         [only] if only.code.is_success() == run.result().is_ok() => Ok(()),
    ///         calls => Err(format!("there were other calls: {calls:?}")),
    ///     })
    ///     .run();
    /// assert!(report.is_ok(), "{report}");
    /// ```
    #[must_use]
    pub fn calls(&self) -> &[CallRecord] {
        self.calls
    }

    /// Returns the calls of the driver in a run without a fault, in order.
    #[must_use]
    pub fn healthy_calls(&self) -> &[CallRecord] {
        self.healthy_calls
    }

    /// Returns the objects that may be alive after this run, including those of an earlier run on the same machine.
    ///
    /// # Examples
    ///
    /// ```
    /// # let check = |run: &cuda_sim::sweep::Run<'_, (), String>| {
    /// // Where a call failed that frees something, there may be too little memory next time.
    /// if run.result().is_err() && run.case().is_none() && run.allowed_live().is_empty() {
    ///     return Err("it fails for no reason".to_owned());
    /// }
    /// # Ok(()) };
    /// # let _ = check;
    /// ```
    #[must_use]
    pub fn allowed_live(&self) -> LiveHandles {
        self.allowed_live
    }
}

impl<'test, T, E: Display> Sweep<'test, T, E> {
    /// Creates a sweep of a scenario, on a machine of the default configuration.
    pub fn new(scenario: impl Fn() -> Result<T, E> + 'test) -> Self {
        Sweep {
            scenario: Box::new(scenario),
            config: Config::default(),
            check: None,
            cases: Box::new(|case| !case.is_creation_after_work()),
        }
    }

    /// Sets the configuration of the machines. A scenario with small kernels is faster with one
    /// [thread](Config::host_threads).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, sweep::Sweep};
    ///
    /// let sweep = Sweep::new(|| Ok::<(), String>(())).config(Config { devices: 1, ..Config::default() });
    /// # let _ = sweep;
    /// ```
    pub fn config(self, config: Config) -> Self {
        Sweep { config, ..self }
    }

    /// Sets the test's own check. It runs for each run that did not panic, including those without a fault. An error is
    /// a finding.
    pub fn check(self, check: impl Fn(&Run<'_, T, E>) -> Result<(), String> + 'test) -> Self {
        Sweep { check: Some(Box::new(check)), ..self }
    }

    /// Sets the cases to run. The default is all cases except those that [fail after a
    /// creation](Case::is_creation_after_work).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::sweep::{FaultKind, Sweep};
    ///
    /// let sweep = Sweep::new(|| Ok::<(), String>(())).cases(|case| case.kind() != FaultKind::Sticky);
    /// # let _ = sweep;
    /// ```
    pub fn cases(self, cases: impl Fn(&Case) -> bool + 'test) -> Self {
        Sweep { cases: Box::new(cases), ..self }
    }

    /// Runs the scenario without a fault, and once for each case.
    #[must_use]
    pub fn run(&self) -> Report {
        self.report(|healthy| plan(healthy).into_iter().filter(|case| (self.cases)(case)).collect())
    }

    /// Runs the scenario without a fault, and then for one case only, to examine it more closely.
    #[must_use]
    pub fn run_case(&self, case: &Case) -> Report {
        self.report(|_| vec![*case])
    }

    fn report(&self, cases: impl FnOnce(&Outcome<Result<T, E>>) -> Vec<Case>) -> Report {
        let mut report = Report::default();
        let healthy = match self.healthy() {
            Ok(healthy) => healthy,
            Err(findings) => {
                report.failures.push(Failure { case: None, setting: None, findings });
                return report;
            }
        };
        report.calls = healthy.calls.len();
        #[cfg(feature = "nvrtc")]
        {
            report.nvrtc_calls = healthy.nvrtc_calls.len();
        }
        for case in cases(&healthy) {
            report.runs += 1;
            let findings = self.findings(&healthy, &case);
            if !findings.is_empty() {
                let setting = case.setting(&healthy.calls);
                report.failures.push(Failure { case: Some(case), setting, findings });
            }
        }
        report
    }

    /// Runs the scenario without a fault. The error lists all findings of the run.
    fn healthy(&self) -> Result<Outcome<Result<T, E>>, Vec<String>> {
        let one = |finding: String| vec![finding];
        crate::install_once().map_err(|error| one(error.to_string()))?;
        // This run contains everything that the program does only once in a process.
        drop(Place::new(&self.config).map_err(one)?.run(&*self.scenario, |_| {}));
        let healthy = Place::new(&self.config).map_err(one)?.run(&*self.scenario, |_| {});
        let mut findings = self.findings_of(None, &healthy, &healthy.calls, LiveHandles::default());
        if !healthy.live.is_empty() {
            findings.push(format!("still alive: {}", healthy.live));
        }
        if let Ok(Err(error)) = &healthy.result {
            findings.push(format!("returned {error}"));
        }
        if findings.is_empty() { Ok(healthy) } else { Err(findings) }
    }

    /// Returns all findings of a run on a machine, except objects that it has left alive.
    fn findings_of(
        &self,
        case: Option<&Case>,
        run: &Outcome<Result<T, E>>,
        healthy_calls: &[CallRecord],
        allowed_live: LiveHandles,
    ) -> Vec<String> {
        let mut findings = Vec::new();
        match (&run.result, &self.check) {
            (Err(panic), _) => findings.push(format!("panicked: {panic}")),
            (Ok(result), Some(check)) => {
                let run = Run { case, result, calls: &run.calls, healthy_calls, allowed_live };
                findings.extend(check(&run).err());
            }
            (Ok(_), None) => {}
        }
        findings.extend(run.reported.clone());
        if !run.is_at_base {
            findings.push(format!("the thread has {} contexts, or another one than before", run.contexts));
        }
        if !run.is_in_mode {
            findings.push("the thread is in another capture mode than before".to_owned());
        }
        findings
    }

    /// Returns all findings of the run of a case, and of a run after it.
    fn findings(&self, healthy: &Outcome<Result<T, E>>, case: &Case) -> Vec<String> {
        let place = match Place::new(&self.config) {
            Ok(place) => place,
            Err(finding) => return vec![finding],
        };
        let run = place.run(&*self.scenario, |machine| case.inject(machine));
        if let Some(finding) = misses(case, &run) {
            return vec![finding];
        }
        // Some codes are sticky if work is queued.
        let is_sticky = case.kind == FaultKind::Sticky || run.has_failed;
        let left = if is_sticky { LiveHandles::default() } else { allowed_live_after(case, run.live) };
        let mut findings = self.findings_of(Some(case), &run, &healthy.calls, left);
        if !is_sticky && left != run.live {
            findings.push(format!("still alive: {}", run.live));
        }
        drop(run);

        // Without a fault, on the same machine unless it has failed.
        let place = if is_sticky {
            drop(place);
            match Place::new(&self.config) {
                Ok(place) => place,
                Err(finding) => return vec![finding],
            }
        } else {
            place
        };
        let before = place.live();
        let after = place.run(&*self.scenario, |_| {});
        let mut wrong = self.findings_of(None, &after, &healthy.calls, before);
        match &after.result {
            Ok(Err(error)) if before.is_empty() => wrong.push(format!("returned {error}")),
            _ => {}
        }
        // A pool that could not be closed may be closed the next time.
        let closed = LiveHandles { pool_grants: before.pool_grants.min(after.live.pool_grants), ..before };
        if after.live != closed {
            wrong.push(format!("still alive: {}, before: {before}", after.live));
        }
        findings.extend(wrong.into_iter().map(|finding| format!("then, without a fault: {finding}")));
        findings
    }
}

impl<T, E> core::fmt::Debug for Sweep<'_, T, E> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Sweep").field("config", &self.config).finish_non_exhaustive()
    }
}

/// Returns a finding if the call of a case was not made, was another one, or did not fail as the case says.
fn misses<R>(case: &Case, run: &Outcome<R>) -> Option<String> {
    // The function, and the code if it is not the case's.
    let made = match case.function {
        Function::Driver(_, code) => run.calls.get(case.call()).map(|call| {
            (call.function.name(), Some(call.code).filter(|own| *own != code).map(|own| own.to_string()))
        }),
        #[cfg(feature = "nvrtc")]
        Function::Nvrtc(_, code) => run.nvrtc_calls.get(case.call()).map(|call| {
            (call.function.name(), Some(call.code).filter(|own| *own != code).map(|own| own.to_string()))
        }),
    };
    let (call, wanted) = (case.call, case.function());
    Some(match made {
        Some((made, None)) if made == wanted => return None,
        Some((made, Some(code))) if made == wanted => {
            format!("call {call}, {wanted}, answers {code}: the fault did not happen")
        }
        Some((made, _)) => {
            format!("call {call} is {made} and not {wanted}: the calls differ from run to run")
        }
        None => format!("call {call} is not made: the calls differ from run to run"),
    })
}

/// Returns `live` if the failing call should have released these objects, and else nothing.
fn allowed_live_after(case: &Case, live: LiveHandles) -> LiveHandles {
    let mut rest = live;
    let is_end = match case.kind {
        FaultKind::Before => case.take_out(&mut rest),
        FaultKind::After => case.take_out_keepers(&mut rest),
        FaultKind::Sticky => false,
    };
    if is_end && rest.is_empty() { live } else { LiveHandles::default() }
}

/// Returns the cases of a scenario that made these calls.
fn plan<R>(healthy: &Outcome<R>) -> Vec<Case> {
    let mut plan = Vec::new();
    let calls = (0_u32..).zip(&healthy.calls).filter(|(_, call)| call.code.is_success());
    for (call, function) in calls.map(|(number, call)| (number, call.function)) {
        let case = |code, kind| Case { call, function: Function::Driver(function, code), kind };
        plan.extend(codes(function).into_iter().map(|code| case(code, FaultKind::Before)));
        plan.extend([UNKNOWN, FATAL].map(|code| case(code, FaultKind::After)));
        plan.push(case(FATAL, FaultKind::Sticky));
    }
    #[cfg(feature = "nvrtc")]
    {
        use cuda_sys::nvrtc::nvrtcResult;
        let calls = (0_u32..).zip(&healthy.nvrtc_calls).filter(|(_, call)| call.code.is_success());
        for (call, function) in calls.map(|(number, call)| (number, call.function)) {
            let case = |code, kind| Case { call, function: Function::Nvrtc(function, code), kind };
            let codes = nvrtcResult::all().filter(|code| !code.is_success()).chain([nvrtcResult(9999)]);
            plan.extend(codes.map(|code| case(code, FaultKind::Before)));
            plan.push(case(nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR, FaultKind::After));
        }
    }
    plan
}

/// Returns the codes with which a call may fail.
fn codes(function: Symbol) -> Vec<CUresult> {
    let mut codes = documented_codes(function).unwrap_or_default().to_vec();
    for code in [UNKNOWN, FATAL] {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes
}
