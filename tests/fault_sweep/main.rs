//! Every driver call of every scenario fails in turn, in every documented way and in some others.
//!
//! In one scenario, only the first call of a function fails with every code. The later calls fail with [one code](repeated) before
//! their work, after it, and from then on. `FAULT_SWEEP=all` makes every call fail with every code.
//!
//! A scenario is a small program on the safe API, which a [`Sweep`] runs. Beside the checks of the sweep, no other call may fail
//! than the chosen one. The run returns an error that names the call, or the hook receives it, or the design
//! [absorbs](absorbed) the failure.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod access;
mod arrays;
mod awaiting;
mod blocks;
mod compiled;
mod external;
mod fabric;
mod functions;
mod graphics;
mod graphs;
mod green;
mod host_functions;
mod host_memory;
mod launches;
mod libraries;
mod linking;
mod modules;
mod nodes;
mod objects;
mod references;
mod repeated;
mod scenarios;
mod sources;
mod tensor_maps;
mod words;

use core::fmt;
use cuda_rt::Error;
use cuda_rt::error::{Code, ErrorKind};
use cuda_sim::sweep::{Case, FaultKind, Run, Sweep};
use cuda_sim::{CallRecord, Config, Machine};
use cuda_sys::{CUresult, Symbol};
use repeated::Failures;
use scenarios::{SCENARIOS, Scenario};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

thread_local! {
    /// The errors that the drop hook has received on this thread.
    static TOLD: RefCell<Vec<Error>> = const { RefCell::new(Vec::new()) };
}

/// Notes an error that the hook received, or would have received.
pub(crate) fn tell(error: &Error) {
    TOLD.with_borrow_mut(|told| told.push(error.clone()));
}

/// Runs a part of a scenario on another thread. The errors of its drop hook go to the thread that waits for it.
pub(crate) fn on_another_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let machine = Machine::current();
    let (result, told) = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let _entered = machine.enter();
            (work(), TOLD.take())
        });
        thread.join().unwrap()
    });
    TOLD.with_borrow_mut(|own| own.extend(told));
    result
}

/// A scenario that has failed, with the errors that the hook received meanwhile.
#[derive(Debug)]
struct Failed {
    error: Error,
    told: Vec<Error>,
}

impl fmt::Display for Failed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, told {:?}", self.error, self.told)
    }
}

/// Errors that the hook received during a scenario that has not failed; or the failure.
type Ran = Result<Vec<Error>, Failed>;

fn ran(scenario: &Scenario) -> Ran {
    TOLD.take();
    let result = (scenario.run)();
    let told = TOLD.take();
    match result {
        Ok(()) => Ok(told),
        Err(error) => Err(Failed { error, told }),
    }
}

/// The reason why a code of a call is a part of the design and no error, in a word or two.
fn absorbed(scenario: &Scenario, call: Symbol, code: Code) -> Option<&'static str> {
    use Symbol as S;
    Some(match (call, code) {
        (S::cuStreamQuery | S::cuEventQuery, Code::NotReady) => "not done yet",
        (S::cuCtxEnablePeerAccess, Code::PeerAccessAlreadyEnabled) => "as it should be",
        (S::cuCtxEnablePeerAccess, Code::PeerAccessUnsupported | Code::TooManyPeers) => "then it is off",
        (S::cuCtxDisablePeerAccess, Code::PeerAccessNotEnabled) => "as it should be",
        (S::cuMemPoolSetAccess, Code::NotSupported) => "told in the result",
        (
            S::cuDeviceGetMemPool
            | S::cuDeviceSetMemPool
            | S::cuMemPoolSetAttribute
            | S::cuMemPoolGetAttribute
            | S::cuMemPoolTrimTo,
            Code::Deinitialized | Code::NotInitialized,
        ) => "a pool is destroyed later, and the hook is not told of the driver's end",
        (S::cuEventSynchronize, Code::Deinitialized | Code::NotInitialized) => {
            "a drop waits in another way, and the hook is not told of the driver's end"
        }
        (
            S::cuCtxGetCurrent
            | S::cuCtxPushCurrent_v2
            | S::cuStreamIsCapturing
            | S::cuEventCreate
            | S::cuStreamWaitEvent,
            Code::Deinitialized | Code::NotInitialized,
        ) if scenario.name == "memory on other streams" => {
            "a guard waits instead, and the hook is not told of the driver's end"
        }
        (
            S::cuCtxGetCurrent | S::cuCtxPushCurrent_v2 | S::cuEventCreate | S::cuEventQuery,
            Code::Deinitialized | Code::NotInitialized,
        ) if scenario.retires => "a drop waits instead, and the hook is not told of the driver's end",
        (S::cuEventCreate | S::cuEventRecord | S::cuStreamWaitEvent, _)
            if scenario.name == "captures with branches" =>
        {
            "a branch is joined by another event"
        }
        (S::cuCtxPushCurrent_v2 | S::cuStreamIsCapturing, _)
            if scenario.name == "launches on other streams" =>
        {
            "the event counts as captured"
        }
        (S::cuDeviceGetAttribute | S::cuDeviceGetP2PAttribute, Code::InvalidValue) => {
            "not known to the driver"
        }
        (S::cuGraphKernelNodeGetAttribute, Code::InvalidValue | Code::NotSupported) => {
            "not known to the driver"
        }
        (S::cuPointerGetAttribute, Code::InvalidValue | Code::NotSupported) => "not there for such memory",
        (
            S::cuMemGetAccess | S::cuMemGetAddressRange_v2,
            Code::InvalidValue | Code::NotSupported | Code::NotFound,
        ) if scenario.name.starts_with("access to") => "not known to the driver, so unverified",
        // Asked before host memory is lent, too. Whatever the answer, the copy is the same.
        (S::cuPointerGetAttributes, _) if scenario.name != "addresses" => "host memory counts as page-locked",
        (S::cuMemAlloc_v2 | S::cuMemAllocAsync, Code::OutOfMemory) if scenario.makes_room => "tried again",
        (
            S::cuTexRefGetArray
            | S::cuTexRefGetMipmappedArray
            | S::cuTexRefGetAddress_v2
            | S::cuSurfRefGetArray,
            Code::InvalidValue,
        ) => "nothing of the kind is bound",
        (S::cuMipmappedArrayGetLevel, Code::InvalidValue) if scenario.name == "images of OpenGL" => {
            "there are fewer levels"
        }
        (S::cuLibraryGetKernel, Code::NotFound) => "so there is code",
        (
            S::cuLibraryGetKernel | S::cuLibraryGetManaged | S::cuLibraryGetUnifiedFunction,
            Code::NotFound | Code::InvalidValue,
        ) => "there is none",
        // A driver could want the context current.
        (
            S::cuMemAllocAsync
            | S::cuMemAllocFromPoolAsync
            | S::cuMemFreeAsync
            | S::cuEventRecord
            | S::cuEventQuery
            | S::cuEventSynchronize
            | S::cuEventDestroy_v2
            | S::cuStreamWaitEvent
            | S::cuStreamQuery
            | S::cuStreamSynchronize
            | S::cuStreamGetAttribute
            | S::cuStreamSetAttribute
            | S::cuStreamGetDevice
            | S::cuStreamGetDevResource
            | S::cuStreamDestroy_v2
            | S::cuSignalExternalSemaphoresAsync
            | S::cuWaitExternalSemaphoresAsync,
            Code::InvalidContext | Code::InvalidHandle,
        ) => "made again with the context current",
        (S::cuStreamCreate | S::cuStreamWaitEvent | S::cuLaunchHostFunc | S::cuCtxGetCurrent, _)
            if scenario.name == awaiting::WOKEN =>
        {
            "the thread of the crate wakes instead"
        }
        // Only called to explain an earlier error.
        _ if scenario.explains.contains(&call) => "the explanation lacks it",
        _ => return None,
    })
}

/// Calls that prepare a release, or undo the effect of a query: they are tried again.
const TRIED_AGAIN: [Symbol; 19] = [
    Symbol::cuMemGetDefaultMemPool,
    // If a pool ends.
    Symbol::cuDeviceGetDefaultMemPool,
    Symbol::cuCtxGetId,
    Symbol::cuCtxGetCurrent,
    Symbol::cuCtxPushCurrent_v2,
    Symbol::cuCtxPopCurrent_v2,
    Symbol::cuThreadExchangeStreamCaptureMode,
    Symbol::cuDevicePrimaryCtxGetState,
    Symbol::cuStreamIsCapturing,
    Symbol::cuEventQuery,
    Symbol::cuMemHostUnregister,
    Symbol::cuCtxDisablePeerAccess,
    Symbol::cuMemUnmap,
    // If the code says that there are no more parameters.
    Symbol::cuFuncGetParamInfo,
    Symbol::cuKernelGetParamInfo,
    // If the driver is not initialised.
    Symbol::cuDeviceGet,
    Symbol::cuDeviceGetCount,
    Symbol::cuDeviceGetByPCIBusId,
    Symbol::cuDeviceGetDevResource,
];

/// Calls that only check something before another call. If one fails, the error names the other call as well.
const CHECKS: [Symbol; 3] =
    [Symbol::cuCtxGetCurrent, Symbol::cuCtxPushCurrent_v2, Symbol::cuStreamIsCapturing];

/// Scenarios whose programs make such calls themselves.
const CHECK_THEMSELVES: [&str; 7] = [
    "green contexts",
    "the current context",
    "primary contexts",
    "the stack",
    "streams",
    "dropping in other contexts",
    "texture objects that are dropped elsewhere",
];

/// Calls that look a name up. If one does not find it, other calls find out the kind of the name.
fn looks_up(call: Symbol) -> bool {
    use Symbol as S;
    matches!(
        call,
        S::cuModuleGetFunction
            | S::cuModuleGetGlobal_v2
            | S::cuModuleGetTexRef
            | S::cuModuleGetSurfRef
            | S::cuLibraryGetKernel
            | S::cuLibraryGetGlobal
            | S::cuLibraryGetManaged
    )
}

fn is_not_found(code: CUresult) -> bool {
    matches!(code, CUresult::CUDA_ERROR_NOT_FOUND | CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// Finds everything that is wrong with a run in which a call of the driver failed.
fn faults_of(
    scenario: &Scenario,
    run: &Run<'_, Vec<Error>, Failed>,
    case: &Case,
    code: CUresult,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let nth = case.call();
    let failed = run.calls()[nth].function;
    let raw = code;
    let code = Code::new(code).unwrap();
    let is_it = |error: &Error| (error.call(), error.code()) == (Some(failed.name()), Some(code));
    let is_lost = case.kind() == FaultKind::Sticky;
    let is_after = case.kind() == FaultKind::After;
    // After a sticky error, other calls report it, too.
    let tells = |error: &Error| is_it(error) || is_lost && error.code() == Some(code);

    // The result.
    let silent = matches!(code, Code::Deinitialized | Code::NotInitialized | Code::ContextIsDestroyed);
    // Perhaps after queries of the current context.
    let mut next = run.calls().iter().skip(nth + 1).take(3);
    let tried_again =
        TRIED_AGAIN.contains(&failed) && next.any(|next| next.function == failed && next.code.is_success());
    let is_gone = failed == Symbol::cuCtxGetId && code == Code::ContextIsDestroyed;
    // A primary context is released also if it was reset.
    let is_released_anyway = is_gone
        && run.calls().get(nth + 1).is_some_and(|next| {
            next.function == Symbol::cuDevicePrimaryCtxRelease_v2 && next.code.is_success()
        });
    let waits_or_marks =
        matches!(failed, Symbol::cuStreamSynchronize | Symbol::cuEventRecord | Symbol::cuMemAlloc_v2);
    let told = match run.result() {
        Ok(told) | Err(Failed { told, .. }) => told,
    };
    match run.result().as_ref().map_err(|failed| &failed.error) {
        Err(error)
            if is_it(error)
                && CHECKS.contains(&failed)
                && !CHECK_THEMSELVES.contains(&scenario.name)
                && error.kind() != ErrorKind::NotCalled =>
        {
            wrong.push(format!("returned {error}, which does not name the call that was to follow"));
        }
        Err(error) if tells(error) || absorbed(scenario, failed, code).is_some() => {}
        Err(error) if is_gone && error.kind() == ErrorKind::ContextLost => {}
        // The memory that could not be freed is missing.
        Err(error) if scenario.makes_room && case.is_destruction() && error.is_out_of_memory() => {}
        Err(error) => wrong.push(format!("returned {error}")),
        Ok(_) => {
            let known = told.iter().any(tells)
                || tried_again
                || is_released_anyway
                // Destructors wait, for a context by freeing a byte, and record events.
                || silent && (case.is_destruction() || waits_or_marks)
                || absorbed(scenario, failed, code).is_some()
                // A failing call of `close` has returned its error to the caller.
                || is_after && TRIED_AGAIN.contains(&failed);
            if !known {
                wrong.push("no error was reported".to_owned());
            }
        }
    }
    for error in told {
        if !(tells(error) || is_gone && error.kind() == ErrorKind::ContextLost) {
            wrong.push(format!("the hook was told: {error}"));
        }
    }
    // Access that could not be taken is left alone in the end.
    if TRIED_AGAIN.contains(&failed)
        && failed != Symbol::cuCtxDisablePeerAccess
        && !run.allowed_live().is_empty()
    {
        wrong.push(format!("still alive: {}", run.allowed_live()));
    }

    // Other calls.
    let expected: Vec<_> = run.healthy_calls().iter().filter(|call| !call.code.is_success()).collect();
    for (index, call) in run.calls().iter().enumerate() {
        if index == nth || call.code.is_success() {
            continue;
        }
        let fails_anyway =
            expected.iter().any(|known| (known.function, known.code) == (call.function, call.code));
        let follows = is_lost && index > nth && call.code == raw;
        // Tried again although it had done its work.
        let follows = follows || is_after && TRIED_AGAIN.contains(&failed) && call.function == failed;
        // Asked before its access to pools is taken away.
        let is_asked_about = is_after
            && failed == Symbol::cuCtxDestroy_v2
            && (call.function, call.code) == (Symbol::cuCtxGetId, CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
        let follows = follows || is_asked_about;
        let finds_nothing = |call: &CallRecord| looks_up(call.function) && is_not_found(call.code);
        let explains = finds_nothing(call) && run.calls().iter().take(index).any(finds_nothing);
        // A resource that a failed call may have left mapped is unmapped once more.
        let is_left_mapped = index > nth
            && (call.function, call.code)
                == (Symbol::cuGraphicsUnmapResources, CUresult::CUDA_ERROR_NOT_MAPPED);
        // An endpoint that a failed call may have made, or may have left, is destroyed.
        let is_left_made = index > nth
            && matches!(failed, Symbol::cuLogicalEndpointCreate | Symbol::cuLogicalEndpointDestroy)
            && (call.function, call.code)
                == (Symbol::cuLogicalEndpointDestroy, CUresult::CUDA_ERROR_INVALID_VALUE);
        // A recapture that lacks a node of the graph fails.
        let lacks_node = index > nth
            && (call.function, call.code)
                == (Symbol::cuStreamEndCapture, CUresult::CUDA_ERROR_GRAPH_RECAPTURE_FAILURE);
        if !fails_anyway && !follows && !explains && !is_left_mapped && !is_left_made && !lacks_node {
            wrong.push(format!("{} answered {}, call {index}", call.function, call.code));
        }
    }
    wrong
}

/// Finds everything that is wrong with a run in which a call of NVRTC failed.
fn faults_of_nvrtc(run: &Run<'_, Vec<Error>, Failed>, case: &Case) -> Vec<String> {
    let code = case.nvrtc_code().and_then(cuda_rt::nvrtc::Code::new);
    let is_it = |error: &Error| {
        let known = error.context::<cuda_rt::nvrtc::CallError>();
        known.is_some_and(|known| (known.call, Some(known.code)) == (case.function(), code))
    };
    let (error, told) = match run.result() {
        Ok(told) => (None, told),
        Err(Failed { error, told }) => (Some(error), told),
    };
    let mut wrong = Vec::new();
    if !error.into_iter().chain(told).any(is_it) {
        wrong.push("no error was reported".to_owned());
    }
    wrong.extend(
        error.into_iter().chain(told).filter(|error| !is_it(error)).map(|error| format!("told {error}")),
    );
    wrong
}

/// Finds everything that is wrong with a run without a fault.
fn faults_of_healthy(run: &Run<'_, Vec<Error>, Failed>) -> Vec<String> {
    match run.result() {
        Ok(told) if told.is_empty() => Vec::new(),
        // There may be too little memory if memory was leaked.
        Err(Failed { error, told })
            if told.is_empty() && !run.allowed_live().is_empty() && error.is_out_of_memory() =>
        {
            Vec::new()
        }
        result => vec![format!("{result:?}")],
    }
}

#[derive(Default)]
struct Tally {
    runs: usize,
    leaks: usize,
    wrong: Vec<String>,
    absorbed: BTreeMap<String, usize>,
}

/// The value of `FAULT_SWEEP`: the name of a scenario, or `all`.
fn wanted() -> Option<String> {
    std::env::var("FAULT_SWEEP").ok()
}

/// The value of `FAULT_SWEEP` for all scenarios with all codes.
const ALL: &str = "all";

fn sweep(scenario: &Scenario, tally: &Mutex<Tally>) {
    let has_all_codes = wanted().is_some();
    let failures = Failures::default();
    let absorptions = RefCell::new(BTreeMap::<String, usize>::new());
    let note = |case: &Case, code: CUresult| {
        let symbol = Symbol::from_name(case.function()).unwrap();
        if let Some(reason) = absorbed(scenario, symbol, Code::new(code).unwrap()) {
            let key = format!("{symbol} {code}: {reason}");
            *absorptions.borrow_mut().entry(key).or_default() += 1;
        }
    };
    let sweep = Sweep::new(|| ran(scenario))
        .config((scenario.config)(Config { host_threads: 1, ..Config::default() }))
        // Also calls that fail after a creation: the safe layer releases the new object.
        .cases(|case| {
            let is_sticky = case.kind() == FaultKind::Sticky;
            let is_pushed = case.is_creation_after_work() && case.function() == "cuCtxPushCurrent_v2";
            // While work is queued, these are sticky errors in cuda-sim, too.
            let is_final = matches!(
                case.driver_code(),
                Some(
                    CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
                        | CUresult::CUDA_ERROR_DEINITIALIZED
                        | CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED
                )
            );
            let is_sticky = is_sticky || scenario.retires && is_final;
            let is_asked = scenario.retires && case.function() == "cuEventQuery";
            // So an event of a capture that has ended answers: the copy before it keeps its memory for ever.
            let is_of_capture = case.function() == "cuEventQuery"
                && case.driver_code() == Some(CUresult::CUDA_ERROR_INVALID_VALUE);
            let is_left_out = scenario.ends_process && is_sticky
                || scenario.pushes && is_pushed
                || is_asked
                || is_of_capture;
            !is_left_out && (has_all_codes || !failures.is_repeated(case))
        })
        .check(|run| {
            let wrong = match run.case().map(|case| (case, case.driver_code())) {
                None => faults_of_healthy(run),
                Some((case, Some(code))) => {
                    note(case, code);
                    faults_of(scenario, run, case, code)
                }
                Some((case, None)) => faults_of_nvrtc(run, case),
            };
            if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
        });
    let report = match std::env::var("FAULT_SWEEP_CASE") {
        Ok(case) => sweep.run_case(&case.parse().unwrap_or_else(|error| panic!("{error}"))),
        Err(_) => sweep.run(),
    };
    drop(sweep);
    let mut tally = tally.lock().unwrap();
    tally.runs += report.runs;
    for failure in report.failures {
        tally.leaks += usize::from(failure.findings.iter().any(|finding| finding.contains("alive")));
        tally.wrong.push(format!("{}, {failure}", scenario.name));
    }
    for (absorbed, times) in absorptions.into_inner() {
        *tally.absorbed.entry(absorbed).or_default() += times;
    }
}

/// Once in a process.
fn prepare() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // `CUDA_SIM=version=13.5` makes the functions of that release be there.
        let driver_version = Config::from_env().unwrap().driver_version;
        cuda_sim::install(Config { driver_version, ..Config::default() }).unwrap();
        cuda_sim::nvrtc::install_once().unwrap();
        cuda_suite::fail_on_internal_errors();
        cuda_rt::handle::set_drop_hook(tell);
        // Releases change the capture mode while any thread of the process captures. Then the calls of a scenario would differ from
        // run to run.
        cuda_rt::stream::expect_foreign_captures();
    });
}

/// Each program of `WRONG` breaks a rule, and the sweep finds it.
#[test]
fn the_sweep_finds_what_goes_wrong() {
    prepare();
    for (scenario, finding) in scenarios::WRONG {
        let tally = Mutex::new(Tally::default());
        sweep(scenario, &tally);
        let wrong = tally.into_inner().unwrap().wrong;
        assert!(wrong.iter().any(|wrong| wrong.contains(finding)), "{}: {wrong:#?}", scenario.name);
    }
}

#[test]
#[ignore = "runs in a process of its own"]
fn neighbour() {
    cuda_suite::neighbour::serve();
}

/// Scenarios of functions that the default release does not have.
const NEWEST: &[&str] = &[
    "allocation classes of tensor maps",
    "functions for core dumps",
    "groups of several sizes",
    "logical endpoints",
    "logical endpoints of teams",
    "logical endpoints of other processes",
    "recaptures of a graph",
    "work queues",
];

/// Each in a process of its own, whose driver has the functions.
#[test]
fn every_call_of_newest_functions_fails_once() {
    if wanted().is_some_and(|wanted| wanted != ALL) {
        return;
    }
    for scenario in NEWEST {
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "every_call_fails_once", "--nocapture"])
            .env("FAULT_SWEEP", scenario)
            .env("CUDA_SIM", "version=13.5")
            .output()
            .unwrap();
        let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
        assert!(child.status.success(), "{scenario}: {out}\n{err}");
    }
}

/// `FAULT_SWEEP` names one scenario, to look at it alone with all codes, and `FAULT_SWEEP_CASE` one of its cases.
#[test]
fn every_call_fails_once() {
    prepare();
    let begun = Instant::now();
    let only = wanted().filter(|wanted| wanted != ALL);
    let wanted: Vec<&Scenario> = SCENARIOS
        .iter()
        .chain(awaiting::SCENARIOS)
        .chain(host_functions::SCENARIOS)
        .chain(graphs::SCENARIOS)
        .chain(nodes::SCENARIOS)
        .chain(host_memory::SCENARIOS)
        .chain(launches::SCENARIOS)
        .chain(access::SCENARIOS)
        .chain(arrays::SCENARIOS)
        .chain(external::SCENARIOS)
        .chain(fabric::SCENARIOS)
        .chain(graphics::SCENARIOS)
        .chain(green::SCENARIOS)
        .chain(functions::SCENARIOS)
        .chain(libraries::SCENARIOS)
        .chain(objects::SCENARIOS)
        .chain(tensor_maps::SCENARIOS)
        .chain(modules::SCENARIOS)
        .chain(compiled::SCENARIOS)
        .chain(linking::SCENARIOS)
        .chain(words::SCENARIOS)
        .filter(|scenario| only.as_deref().is_none_or(|only| only == scenario.name))
        .collect();
    assert!(!wanted.is_empty(), "FAULT_SWEEP: there is no scenario {:?}", only.unwrap_or_default());
    let tally = Mutex::new(Tally::default());
    // Copies between devices are noted for the whole process, so that others would see them.
    let (apart, wanted): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|scenario| scenario.apart);
    apart.iter().for_each(|scenario| sweep(scenario, &tally));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(8) {
            scope.spawn(|| {
                while let Some(scenario) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                    sweep(scenario, &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    for (absorbed, times) in &tally.absorbed {
        println!("absorbed {times} times: {absorbed}");
    }
    for wrong in tally.wrong.iter().take(60) {
        println!("WRONG: {wrong}");
    }
    cuda_suite::say(&format!(
        "fault sweep: {} runs, {} scenarios, {} leaks, in {:.1} s",
        tally.runs,
        wanted.len() + apart.len(),
        tally.leaks,
        begun.elapsed().as_secs_f64()
    ));
    assert!(tally.wrong.is_empty(), "{} runs went wrong", tally.wrong.len());
    assert!(only.is_some() || tally.runs >= 10_000, "{} runs", tally.runs);
}
