//! Every driver call of every scenario fails in turn, in every way that its documentation knows and some more.
//!
//! A scenario is a small program on the safe API, on a machine of the software driver of its own. It is run once to count
//! its calls, and then once for each call and each failure. Whatever fails, a run must not panic; it returns an error that
//! names the call, or the hook is told, or the design [absorbs](absorbed) it; nothing stays alive but what the failing call
//! itself should have ended; no other call fails; the thread's contexts and its capture mode are as they were; and a
//! healthy run on the same machine goes well after it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(unsafe_code)] // what a thread has current, through the raw API

mod access;
mod arrays;
mod blocks;
mod compiled;
mod functions;
mod host_functions;
mod host_memory;
mod launches;
mod libraries;
mod linking;
mod modules;
mod objects;
mod references;
mod scenarios;
mod sources;
#[allow(dead_code)] // what other tests ask of it
#[path = "../nvrtc_stand_in/stand_in.rs"]
mod stand_in;

use cuda_rt::{Code, DriverError, Error};
use cuda_sim::{CallRecord, Config, FaultRule, LiveHandles, Machine, documented_codes};
use cuda_suite::raw::context;
use cuda_suite::{call, code};
use cuda_sys::{CUcontext, CUresult, CUstreamCaptureMode_enum, Symbol};
use scenarios::{SCENARIOS, Scenario};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A code that no header names.
const UNKNOWN: CUresult = cuda_sys::cudaError_enum(9999);
/// As from a kernel that failed.
const STICKY: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// It does nothing.
    Before(CUresult),
    /// It does its work, and tells of something else.
    After(CUresult),
    /// It does nothing, and from then on the driver refuses everything.
    Lost(CUresult),
}

impl Fault {
    fn code(self) -> CUresult {
        match self {
            Fault::Before(code) | Fault::After(code) | Fault::Lost(code) => code,
        }
    }

    fn rule(self, nth: usize) -> FaultRule {
        let rule = FaultRule::any(self.code()).skip(nth as u32).times(1);
        match self {
            Fault::Before(_) => rule,
            Fault::After(_) => rule.after_the_work(),
            Fault::Lost(_) => rule.sticky(),
        }
    }
}

thread_local! {
    /// What destructors have told the hook on this thread.
    static TOLD: RefCell<Vec<Error>> = const { RefCell::new(Vec::new()) };
}

/// What a thread of a scenario was told is told to the thread that waits for it.
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

/// What came of a run.
struct Run {
    /// `None` after a panic.
    result: Option<Result<(), Error>>,
    calls: Vec<CallRecord>,
    told: Vec<Error>,
    live: LiveHandles,
    /// What the thread had current, top first.
    stack: Vec<CUcontext>,
    mode: u32,
}

/// A machine with one context, which is current, so that a thread that loses it is noticed.
struct Place {
    machine: Machine,
    base: CUcontext,
    before: LiveHandles,
}

impl Place {
    fn new(scenario: &Scenario) -> Place {
        let config = (scenario.config)(Config { host_threads: 1, ..Config::default() });
        let machine = Machine::new(config);
        let _entered = machine.enter();
        call!(cuda_sys::cuInit(0));
        let base = context(0);
        let mut popped = null_mut();
        call!(cuda_sys::cuCtxPopCurrent_v2(&raw mut popped));
        let before = machine.live();
        Place { machine, base, before }
    }

    fn run(&self, scenario: &Scenario, fault: Option<(usize, Fault)>) -> Run {
        let _entered = self.machine.enter();
        call!(cuda_sys::cuCtxPushCurrent_v2(self.base));
        TOLD.take();
        self.machine.record_calls();
        if let Some((nth, fault)) = fault {
            self.machine.inject(fault.rule(nth));
        }
        let outcome = catch_unwind(AssertUnwindSafe(scenario.run));
        self.machine.clear_faults();
        let (calls, told) = (self.machine.calls(), TOLD.take());
        let mut mode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL;
        assert!(code!(cuda_sys::cuThreadExchangeStreamCaptureMode(&raw mut mode)).is_success());
        let mut stack = Vec::new();
        loop {
            let mut popped = null_mut();
            if !code!(cuda_sys::cuCtxPopCurrent_v2(&raw mut popped)).is_success() {
                break;
            }
            stack.push(popped);
        }
        Run { result: outcome.ok(), calls, told, live: self.machine.live(), stack, mode: mode.0 }
    }
}

/// A code that a call answered, where its being refused is a part of the design and no error: why, in a word or two.
fn absorbed(scenario: &Scenario, call: Symbol, code: Code) -> Option<&'static str> {
    use Symbol as S;
    Some(match (call, code) {
        (S::cuStreamQuery | S::cuEventQuery, Code::NotReady) => "not done yet",
        (S::cuCtxEnablePeerAccess, Code::PeerAccessAlreadyEnabled) => "as it should be",
        (S::cuCtxEnablePeerAccess, Code::PeerAccessUnsupported | Code::TooManyPeers) => "then it is off",
        (S::cuCtxDisablePeerAccess, Code::PeerAccessNotEnabled) => "as it should be",
        (S::cuMemPoolSetAccess, Code::NotSupported) => "told in the result",
        (S::cuEventSynchronize, Code::Deinitialized | Code::NotInitialized) => {
            "a drop waits in another way, and the hook is not told of the driver's end"
        }
        (S::cuDeviceGetAttribute | S::cuDeviceGetP2PAttribute, Code::InvalidValue) => {
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
        (S::cuFuncGetParamInfo, Code::InvalidValue) => "no more parameters",
        (S::cuLibraryGetKernel, Code::NotFound) => "so there is code",
        (
            S::cuLibraryGetKernel | S::cuLibraryGetManaged | S::cuLibraryGetUnifiedFunction,
            Code::NotFound | Code::InvalidValue,
        ) => "there is none",
        // Only asked to explain an error that there is already.
        _ if scenario.explains.contains(&call) => "the explanation lacks it",
        _ => return None,
    })
}

/// Calls that prepare a release, or undo what a question has done: they are tried again.
const TRIED_AGAIN: [Symbol; 14] = [
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
    // If the driver is not initialised.
    Symbol::cuDeviceGet,
    Symbol::cuDeviceGetCount,
    Symbol::cuDeviceGetByPCIBusId,
];

/// Calls that end something, and what stays if they fail, out of [`LiveHandles`].
fn ends(call: Symbol, live: &mut LiveHandles) -> bool {
    use Symbol as S;
    let one = |count: &mut usize| *count = count.saturating_sub(1);
    match call {
        S::cuCtxDestroy_v2 => one(&mut live.contexts),
        S::cuDevicePrimaryCtxRelease_v2 => {
            one(&mut live.primary_contexts);
            live.primary_retains = live.primary_retains.saturating_sub(1);
        }
        S::cuStreamDestroy_v2 => one(&mut live.streams),
        S::cuEventDestroy_v2 => one(&mut live.events),
        S::cuArrayDestroy => one(&mut live.arrays),
        S::cuMipmappedArrayDestroy => one(&mut live.mipmapped_arrays),
        S::cuTexRefDestroy => one(&mut live.texture_references),
        S::cuTexObjectDestroy => one(&mut live.texture_objects),
        S::cuSurfObjectDestroy => one(&mut live.surface_objects),
        S::cuModuleUnload => one(&mut live.modules),
        S::cuLibraryUnload => one(&mut live.libraries),
        S::cuProfilerStop => {}
        S::cuLinkDestroy => one(&mut live.linkers),
        S::cuMemFree_v2 if live.managed_allocations > 0 => {
            one(&mut live.managed_allocations);
            live.managed_bytes = 0;
        }
        S::cuMemFreeHost => {
            one(&mut live.host_allocations);
            live.host_bytes = 0;
        }
        S::cuMemFree_v2 => {
            one(&mut live.device_allocations);
            live.device_bytes = 0;
        }
        S::cuIpcCloseMemHandle => {
            one(&mut live.opened_allocations);
            live.opened_bytes = 0;
        }
        S::cuMemFreeAsync => {
            one(&mut live.pool_allocations);
            live.pool_bytes = 0;
        }
        S::cuMemPoolDestroy => one(&mut live.memory_pools),
        S::cuMemRelease => {
            one(&mut live.memory_handles);
            live.memory_bytes = 0;
        }
        S::cuMemAddressFree => {
            one(&mut live.reserved_ranges);
            live.reserved_bytes = 0;
        }
        S::cuCtxDisablePeerAccess => one(&mut live.peers),
        S::cuMemPoolSetAccess => one(&mut live.pool_grants),
        _ => return false,
    }
    true
}

/// Calls that make something: if one fails, it has made nothing, so it does not fail after its work.
fn makes(call: Symbol) -> bool {
    use Symbol as S;
    matches!(
        call,
        S::cuInit
            | S::cuDevicePrimaryCtxRetain
            | S::cuCtxCreate_v2
            | S::cuCtxCreate_v4
            | S::cuCtxPushCurrent_v2
            | S::cuCtxSetCurrent
            | S::cuStreamCreate
            | S::cuStreamCreateWithPriority
            | S::cuEventCreate
            | S::cuMemAlloc_v2
            | S::cuMemAllocManaged
            | S::cuMemHostAlloc
            | S::cuMemHostRegister_v2
            | S::cuMemAllocAsync
            | S::cuMemAllocFromPoolAsync
            | S::cuMemPoolCreate
            | S::cuMemCreate
            | S::cuMemAddressReserve
            | S::cuMemMap
            | S::cuMemRetainAllocationHandle
            | S::cuModuleLoadDataEx
            | S::cuLibraryLoadData
            | S::cuLinkCreate_v2
            | S::cuTexObjectCreate
            | S::cuSurfObjectCreate
            | S::cuCtxEnablePeerAccess
            | S::cuMemPoolSetAccess
    )
}

/// Calls that look a name up. If one does not find it, others are made to tell what it is the name of.
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

/// What is wrong with a run in which call `nth` failed; empty if nothing is.
fn faults_of(
    scenario: &Scenario,
    healthy: &Run,
    run: &Run,
    nth: usize,
    fault: Fault,
    place: &Place,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let failed = run.calls[nth].function;
    let code = Code::new(fault.code()).unwrap();
    let is_it = |error: &Error| error.driver() == Some(DriverError { call: failed.name(), code });
    let is_lost = matches!(fault, Fault::Lost(_));
    // After the end of everything, other calls tell of it too.
    let tells = |error: &Error| is_it(error) || is_lost && error.code() == Some(code);

    // The result.
    let silent = matches!(code, Code::Deinitialized | Code::NotInitialized | Code::ContextIsDestroyed);
    // Perhaps after looks at what is current.
    let mut next = run.calls.iter().skip(nth + 1).take(3);
    let tried_again =
        TRIED_AGAIN.contains(&failed) && next.any(|next| next.function == failed && next.code.is_success());
    let is_end = ends(failed, &mut LiveHandles::default());
    let is_gone = failed == Symbol::cuCtxGetId && code == Code::ContextIsDestroyed;
    let waits_or_marks =
        matches!(failed, Symbol::cuStreamSynchronize | Symbol::cuEventRecord | Symbol::cuMemAlloc_v2);
    match &run.result {
        None => wrong.push("panicked".to_owned()),
        Some(Err(error)) if tells(error) || absorbed(scenario, failed, code).is_some() => {}
        Some(Err(Error::ContextLost)) if is_gone => {}
        // What could not be freed is what there is too little of.
        Some(Err(error)) if scenario.makes_room && is_end && error.is_out_of_memory() => {}
        Some(Err(error)) => wrong.push(format!("returned {error}")),
        Some(Ok(())) => {
            let known = run.told.iter().any(tells)
                || tried_again
                // Destructors wait, for a context by what frees a byte, and set marks.
                || silent && (is_end || waits_or_marks)
                || absorbed(scenario, failed, code).is_some()
                // What was closed by a failing call has told its caller.
                || matches!(fault, Fault::After(_)) && TRIED_AGAIN.contains(&failed);
            if !known {
                wrong.push("nobody was told".to_owned());
            }
        }
    }
    for error in &run.told {
        if !(tells(error) || is_gone && *error == Error::ContextLost) {
            wrong.push(format!("the hook was told: {error}"));
        }
    }

    // Other calls.
    let expected: Vec<_> = healthy.calls.iter().filter(|call| !call.code.is_success()).collect();
    for (index, call) in run.calls.iter().enumerate() {
        let fails_anyway =
            expected.iter().any(|known| (known.function, known.code) == (call.function, call.code));
        let follows = is_lost && index > nth && call.code == fault.code();
        // Tried again although it had done its work.
        let follows = follows
            || matches!(fault, Fault::After(_)) && TRIED_AGAIN.contains(&failed) && call.function == failed;
        let earlier =
            run.calls.iter().take(index).any(|call| looks_up(call.function) && is_not_found(call.code));
        let explains = earlier && looks_up(call.function) && is_not_found(call.code);
        if index != nth && !call.code.is_success() && !fails_anyway && !follows && !explains {
            wrong.push(format!("{} answered {}, call {index}", call.function, call.code));
        }
    }

    // What is left.
    if run.stack != [place.base] {
        wrong.push(format!("the thread has {} contexts", run.stack.len()));
    }
    if run.mode != healthy.mode {
        wrong.push(format!("the thread is in capture mode {}", run.mode));
    }
    if !is_lost && run.live != healthy.live {
        let mut left = run.live;
        let is_own = matches!(fault, Fault::Before(_)) && ends(failed, &mut left);
        left.device_bytes = left.device_bytes.max(healthy.live.device_bytes);
        if !is_own || left != healthy.live {
            wrong.push(format!("still alive: {}", run.live));
        }
    }
    wrong
}

/// The codes that a call may fail with: all that are documented for it, one that nobody knows, and one that ends everything
/// in earnest, though it does not go on here.
fn codes(call: Symbol) -> Vec<CUresult> {
    let mut codes = documented_codes(call).unwrap_or_default().to_vec();
    codes.extend([UNKNOWN, STICKY]);
    codes.dedup();
    codes
}

fn plan(scenario: &Scenario, healthy: &Run) -> Vec<(usize, Fault)> {
    let mut plan = Vec::new();
    for (nth, call) in healthy.calls.iter().enumerate() {
        if !call.code.is_success() {
            continue; // fails anyway
        }
        plan.extend(codes(call.function).into_iter().map(|code| (nth, Fault::Before(code))));
        if !makes(call.function) {
            plan.extend([UNKNOWN, STICKY].map(|code| (nth, Fault::After(code))));
        }
        if !scenario.ends_process {
            plan.push((nth, Fault::Lost(STICKY)));
        }
    }
    plan
}

#[derive(Default)]
struct Tally {
    runs: usize,
    leaks: usize,
    wrong: Vec<String>,
    absorbed: BTreeMap<String, usize>,
}

fn sweep(scenario: &Scenario, tally: &Mutex<Tally>) {
    let place = Place::new(scenario);
    let healthy = place.run(scenario, None);
    assert_eq!(healthy.result, Some(Ok(())), "{}: {:?}", scenario.name, healthy.told);
    assert_eq!(healthy.live, place.before, "{}: still alive: {}", scenario.name, healthy.live);
    assert_eq!((&healthy.stack, &healthy.told), (&vec![place.base], &Vec::new()), "{}", scenario.name);
    for (nth, fault) in plan(scenario, &healthy) {
        let place = Place::new(scenario);
        let run = place.run(scenario, Some((nth, fault)));
        let what = format!("{}, call {nth}, {}, {fault:?}", scenario.name, healthy.calls[nth].function);
        assert!(run.calls.len() > nth, "{what}: there were {} calls", run.calls.len());
        let mut wrong = faults_of(scenario, &healthy, &run, nth, fault, &place);
        // A healthy run on the same machine.
        let again = if matches!(fault, Fault::Lost(_)) {
            drop(place);
            Place::new(scenario)
        } else {
            place
        };
        let left = again.machine.live();
        let after = again.run(scenario, None);
        // What is left behind for good may be what there is too little of.
        let lacks = |error: &Error| left != healthy.live && error.is_out_of_memory();
        let is_well = after.result.as_ref().is_some_and(|result| result.as_ref().err().is_none_or(lacks));
        if !is_well || !after.told.is_empty() {
            wrong.push(format!("then a healthy run: {:?}, {:?}", after.result, after.told));
        }
        // A pool that could not be closed is closed the next time.
        let mut closed = left;
        closed.pool_grants = left.pool_grants.min(after.live.pool_grants);
        if after.live != closed {
            wrong.push(format!("a healthy run leaves: {}, before: {left}", after.live));
        }
        let mut tally = tally.lock().unwrap();
        tally.runs += 1;
        tally.leaks += usize::from(wrong.iter().any(|wrong| wrong.contains("alive")));
        if let Some(reason) =
            absorbed(scenario, healthy.calls[nth].function, Code::new(fault.code()).unwrap())
        {
            let key = format!("{} {}: {reason}", healthy.calls[nth].function, fault.code());
            *tally.absorbed.entry(key).or_default() += 1;
        }
        if !wrong.is_empty() {
            tally.wrong.push(format!("{what}: {}", wrong.join("; ")));
        }
    }
}

/// Once in a process.
fn prepare() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        cuda_sim::install_once().unwrap();
        cuda_suite::fail_on_internal_errors();
        cuda_rt::error::set_drop_hook(|error| TOLD.with_borrow_mut(|told| told.push(error.clone())));
        // Else the first scenario would have a call more.
        cuda_rt::init().unwrap();
    });
}

/// Programs that do not keep the rules, each of which the sweep finds.
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

/// `FAULT_SWEEP` names one scenario, to look at it alone.
#[test]
fn every_call_fails_once() {
    prepare();
    let begun = Instant::now();
    let only = std::env::var("FAULT_SWEEP").ok();
    let wanted: Vec<&Scenario> = SCENARIOS
        .iter()
        .chain(host_functions::SCENARIOS)
        .chain(host_memory::SCENARIOS)
        .chain(launches::SCENARIOS)
        .chain(access::SCENARIOS)
        .chain(arrays::SCENARIOS)
        .chain(functions::SCENARIOS)
        .chain(libraries::SCENARIOS)
        .chain(objects::SCENARIOS)
        .chain(modules::SCENARIOS)
        .chain(compiled::SCENARIOS)
        .chain(linking::SCENARIOS)
        .filter(|scenario| only.as_deref().is_none_or(|only| only == scenario.name))
        .collect();
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
    println!("in {:.1} s", begun.elapsed().as_secs_f64());
    println!(
        "fault sweep: {} runs, {} scenarios, {} leaks",
        tally.runs,
        wanted.len() + apart.len(),
        tally.leaks
    );
    assert!(tally.wrong.is_empty(), "{} runs went wrong", tally.wrong.len());
    assert!(only.is_some() || tally.runs >= 10_000, "{} runs", tally.runs);
}
