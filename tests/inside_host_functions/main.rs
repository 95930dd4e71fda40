//! Every public function of `cuda-rt` inside a host function. Each is refused or needs no driver, loses nothing, and does not
//! wait for a thread that waits for the host function. In the child of a fork, none waits for a thread of the parent.

#![cfg(unix)]
#![allow(clippy::undocumented_unsafe_blocks)] // the comment stands before the whole call
#![allow(clippy::non_send_fields_in_send_ty, clippy::field_reassign_with_default, clippy::type_complexity)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, unsafe_code)]

mod catalogue;
mod forked;
mod layer;
mod others;
mod sources;
mod world;

use catalogue::{Call, Catalogue, Entry, Expected, Outcome, text};
use cuda_rt::error::Code;
use cuda_rt::{Error, Stream};
use layer::{Held, Role};
use std::collections::BTreeSet;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use world::World;

/// One test at a time, since all are on one machine.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    layer::set_role(Some(Role::Test));
    layer::install();
    cuda_rt::handle::set_drop_hook(|error| reported().push(error.clone()));
    guard
}

/// The errors that destructors have reported.
fn reported() -> MutexGuard<'static, Vec<Error>> {
    static REPORTED: Mutex<Vec<Error>> = Mutex::new(Vec::new());
    REPORTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells when it is dropped.
struct Last(Mutex<Sender<()>>);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.lock().unwrap().send(()).unwrap();
    }
}

/// Runs `work` inside a host function, and calls `then` when it has returned. Returns when the thread of the crate has released
/// what was dropped inside.
fn inside<R: Send + 'static, T>(
    world: &Arc<World>,
    work: impl FnOnce() -> R + Send + 'static,
    then: impl FnOnce() -> T,
) -> (R, T) {
    let ((results, result), (last, is_last)) = (channel(), channel());
    let (stream, context) = (world.stream.clone(), world.context.clone());
    let function = move |_| {
        layer::set_role(Some(Role::HostFunction));
        let result = work();
        let owner = Box::new(Last(Mutex::new(last)));
        // SAFETY: the context keeps the stream until this is dropped.
        drop(unsafe { Stream::from_raw_with_owner(stream.as_raw(), &context, owner) });
        drop((stream, context));
        layer::set_role(None);
        results.send(result).unwrap();
    };
    world.stream.add_callback(function).unwrap();
    let result = result.recv().unwrap();
    let then = then();
    is_last.recv().unwrap();
    (result, then)
}

/// Calls that functions make before the one that they wrap: a refusal may name one of them.
const FIRST_CALLS: &[&str] = &[
    "cuCtxEnablePeerAccess",
    "cuCtxGetCurrent",
    "cuCtxGetDevice",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetDefaultMemPool",
    "cuDeviceGetP2PAttribute",
    "cuDeviceGetTexture1DLinearMaxWidth",
    "cuEventCreate",
    "cuFuncGetAttribute",
    "cuLibraryLoadData",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemGetAllocationGranularity",
    "cuMemPoolGetAccess",
    "cuModuleLoadDataEx",
    "cuStreamSynchronize",
];

/// The defects of a call inside a host function.
fn problems(entry: &Entry, world: &Arc<World>, documented: &BTreeSet<String>) -> Vec<String> {
    let mut problems = Vec::new();
    let start = world.look();
    let mut call = match catch_unwind(AssertUnwindSafe(|| entry.prepare(world))) {
        Ok(call) => call,
        Err(payload) => return vec![format!("its object cannot be made: {}", text(&*payload))],
    };
    world.settle();
    let before = layer::machine().live();
    layer::begin(None);
    reported().clear();
    let ((outcome, mut call), ()) = inside(world, move || (call.call(), call), || ());
    let calls = layer::calls();
    let afterwards = layer::machine().live();
    let is_refusal = matches!(entry.expected, Expected::Refusal | Expected::RefusalAndRelease);
    match &outcome {
        Outcome::Answered if is_refusal => problems.push("is not refused".to_owned()),
        Outcome::Refused(call) if !is_refusal => problems.push(format!("is refused: {call}")),
        Outcome::Refused(call)
            if !documented.is_empty()
                && !documented.contains(sources::base(call))
                && !FIRST_CALLS.contains(call) =>
        {
            problems
                .push(format!("is refused by {call}, which its documentation does not name: {documented:?}"));
        }
        Outcome::Failed(error) => problems.push(format!("fails: {error}")),
        Outcome::Answered | Outcome::Refused(_) => {}
    }
    for (role, call) in calls {
        match role {
            Some(_) => problems.push(format!("calls {}", call.name())),
            // A thread of the crate begins with it.
            None if call == cuda_sys::Symbol::cuThreadExchangeStreamCaptureMode => {}
            None if matches!(entry.expected, Expected::Refusal | Expected::Answer) => {
                problems.push(format!("has {} called later", call.name()));
            }
            None => {}
        }
    }
    if matches!(entry.expected, Expected::Refusal | Expected::Answer) && before != afterwards {
        problems.push(format!("changes what is alive, from {before} to {afterwards}"));
    }
    let check = move || {
        call.check();
        drop(call);
    };
    if let Err(payload) = catch_unwind(AssertUnwindSafe(check)) {
        problems.push(format!("damages its object: {}", text(&*payload)));
    }
    let mut end = world.look();
    let begun = Instant::now();
    // A thread of the crate may wait for the device, and another one release the object then.
    while end != start && begun.elapsed() < LONGEST {
        std::thread::sleep(Duration::from_millis(1));
        end = world.look();
    }
    if end != start {
        problems.push(format!("changes the world:\n    from {start:?}\n    to   {end:?}"));
    }
    // The releasing thread has no context of OpenGL, as documented.
    let expected = |error: &Error| error.code() == Some(Code::InvalidGraphicsContext);
    let unexpected = reported().drain(..).filter(|error| !expected(error)).collect::<Vec<_>>();
    problems.extend(unexpected.into_iter().map(|error| format!("reports: {error}")));
    problems
}

#[test]
fn every_function_is_refused_or_answers() {
    let _alone = alone();
    let functions = sources::functions();
    let mut world = Arc::new(World::new());
    let mut found = Vec::new();
    for entry in &Catalogue::new().entries {
        let documented = entry.functions().filter_map(|name| functions.get(name));
        let documented: BTreeSet<String> = documented.flat_map(|function| function.calls.clone()).collect();
        let problems = problems(entry, &world, &documented);
        if !problems.is_empty() {
            found.push(format!("{}: {}", entry.names.join(", "), problems.join("\n  ")));
            world = Arc::new(World::new());
        }
    }
    assert!(found.is_empty(), "{} calls inside a host function:\n{}", found.len(), found.join("\n"));
}

/// Makes the calls in one host function, and says which one begins. Returns them, and their outcomes.
fn in_turn(mut calls: Vec<Call>) -> impl FnOnce() -> (Vec<Call>, Vec<Outcome>) + Send + 'static {
    move || {
        let make = |(step, call): (usize, &mut Call)| {
            layer::begin_step(step);
            call.call()
        };
        let outcomes = calls.iter_mut().enumerate().map(make).collect();
        (calls, outcomes)
    }
}

fn prepared(entries: &[Entry], world: &Arc<World>) -> Vec<Call> {
    let calls = entries.iter().map(|entry| entry.prepare(world)).collect();
    world.settle();
    calls
}

/// Makes the objects anew that a host function has taken.
fn prepare_again(entries: &[Entry], calls: &mut [Call], world: &Arc<World>) {
    for (entry, call) in entries.iter().zip(calls).filter(|(entry, _)| !entry.can_be_repeated) {
        *call = entry.prepare(world);
    }
    world.settle();
}

/// Lets another thread work, and one of its calls wait. Meanwhile makes the calls of all entries, in the child of a fork and
/// inside a host function. Returns whether there was another call to wait, or an entry that fails, and how.
fn meet(
    [own, world]: [&Arc<World>; 2],
    entries: &[Entry],
    calls: &mut Vec<Call>,
    work: others::Work,
) -> Result<bool, (usize, &'static str)> {
    prepare_again(entries, calls, world);
    layer::begin(Some(Held::Next));
    let other = std::thread::spawn({
        let (own, world) = (own.clone(), world.clone());
        move || {
            layer::set_role(Some(Role::Other));
            (work.1)(&own, &world);
        }
    });
    if !layer::is_reached(|| other.is_finished()) {
        other.join().unwrap();
        return Ok(false);
    }
    let failed = forked::in_child(entries, calls);
    let ((made, outcomes), gave_up) = inside(world, in_turn(take(calls)), layer::release);
    *calls = made;
    let outcomes = entries.iter().map(|entry| &entry.names).zip(outcomes);
    let broken: Vec<_> = outcomes.filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_))).collect();
    assert!(broken.is_empty(), "the objects are not as they were: {broken:#?}");
    other.join().unwrap();
    let waits = gave_up.map(|step| (step, "waits inside a host function"));
    failed.or(waits).map_or(Ok(true), Err)
}

#[test]
fn no_function_waits_for_another_thread() {
    let _alone = alone();
    let mut entries = Catalogue::new().entries;
    let (own, world) = (Arc::new(World::new()), Arc::new(World::new()));
    let mut found = Vec::new();
    for work in others::WORKS {
        layer::begin_work();
        let mut calls = prepared(&entries, &world);
        loop {
            match meet([&own, &world], &entries, &mut calls, *work) {
                Ok(true) => {}
                Ok(false) => break,
                Err((step, what)) => {
                    // The others meet the same call once more, without it.
                    drop(calls.remove(step));
                    let ((before, call), names) =
                        (layer::wait_again(), entries.remove(step).names.join(", "));
                    found.push(format!("{names} {what} while {}: {call} after {before:?}", work.0));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The number of forks for each lock. Without its check, each second child waits.
const FORKS: usize = 20;

#[test]
fn forked_children_do_not_wait_for_short_locks() {
    let _alone = alone();
    let (mut entries, world) = (Catalogue::new().entries, Arc::new(World::new()));
    let mut found = Vec::new();
    for (name, locks) in others::SHORT_LOCKS {
        let is_over = Arc::new(AtomicBool::new(false));
        let other = std::thread::spawn({
            let (world, is_over) = (world.clone(), is_over.clone());
            move || {
                layer::set_role(Some(Role::Test));
                while !is_over.load(Ordering::Relaxed) {
                    locks(&world);
                }
            }
        });
        let mut calls = prepared(&entries, &world);
        for _ in 0..FORKS {
            if let Some((step, what)) = forked::in_child(&entries, &mut calls) {
                drop(calls.remove(step));
                found.push(format!("{} {what}: {name}", entries.remove(step).names.join(", ")));
            }
        }
        is_over.store(true, Ordering::Relaxed);
        other.join().unwrap();
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The time that a test waits before it fails.
const LONGEST: Duration = Duration::from_secs(60);

#[test]
fn no_function_waits_for_the_releasing_thread() {
    let _alone = alone();
    let (entries, before) = (Catalogue::new().entries, layer::machine().live());
    let world = Arc::new(World::new());
    layer::begin_work();
    let [first, second] = [prepared(&entries, &world), prepared(&entries, &world)].map(in_turn);
    layer::begin(Some(Held::OfTheCrate));
    let begun = Instant::now();
    let calls = move || {
        let mut made = first().0;
        // The releasing thread is in a call from here on.
        layer::is_reached(|| begun.elapsed() > LONGEST);
        made.extend(second().0);
        made
    };
    let (mut made, gave_up) = inside(&world, calls, layer::release);
    assert_eq!(gave_up.map(|step| &entries[step % entries.len()].names), None);
    assert!(layer::has_waited());
    made.iter_mut().for_each(|call| call.check());
    drop(made);
    drop(world);
    assert_eq!(layer::machine().live(), before);
}

/// Functions that the catalogue cannot call.
const ELSEWHERE: &[&str] = &[
    // Ends the process, see `borrowed_memory_ends_the_process`.
    "RegisteredBuf::close",
    // Only hooks and launches have these, and neither runs inside a host function.
    "AccessProbe: Debug",
    "AccessProbe: Drop",
    "OutOfMemory: Debug",
    "OutOfMemory: Drop",
    "OutOfMemory::bytes",
    "OutOfMemory::context",
    "OutOfMemory::device",
    "HostTransfers: Debug",
    "HostTransfers: Drop",
    // The software driver makes none: see `tests/graphics_streams.rs`.
    "GraphicsStream: Debug",
    "GraphicsStream: Drop",
    "GraphicsStream::as_raw",
    "GraphicsStream::end",
    // Only closures of captures have these, on their own thread.
    "Capture: Debug",
    "Capture: Drop",
    "Capture::add_dependencies",
    "Capture::child",
    "Capture::context",
    "Capture::copy",
    "Capture::copy_block",
    "Capture::download",
    "Capture::fill",
    "Capture::fork",
    "Capture::host",
    "Capture::host_with",
    "Capture::info",
    "Capture::keep",
    "Capture::last_node",
    "Capture::mark",
    "Capture::raw_stream",
    "Capture::record_external",
    "Capture::signal_semaphores",
    "Capture::temporary",
    "Capture::upload",
    "Capture::wait",
    "Capture::wait_external",
    "Capture::wait_semaphores",
    "CaptureEvent: Debug",
    "CaptureInfo: Clone",
    "CaptureInfo: Debug",
    "CaptureInfo: Drop",
    "CaptureInfo: PartialEq",
    // Closures get it.
    "Nodes: Debug",
    "Nodes: Drop",
    "Nodes::context",
    "GraphMem: Clone",
    "GraphMem: Debug",
    "GraphMem::is_empty",
    "GraphMem::len",
    "GraphMem::ptr",
    "GraphMem::slice",
    "Kept: Clone",
    "Kept: Debug",
    "Kept: Drop",
    // It borrows its cell, which no function that is queued can.
    "HostGuard: Debug",
    "HostGuard: Deref",
    "HostGuard: DerefMut",
    "HostGuard: Drop",
    // Only the error of a refused graph has it.
    "InstantiateFailure: Clone",
    "InstantiateFailure: Debug",
    "InstantiateFailure: Drop",
    "InstantiateFailure: PartialEq",
    // The software driver has no streams of EGL.
    "EglConsumer: Debug",
    "EglConsumer: Drop",
    "EglConsumer::acquire",
    "EglConsumer::disconnect",
    "EglFrame: Debug",
    "EglFrame: Drop",
    "EglFrame::planes",
    "EglFrame::release",
    "EglProducer: Debug",
    "EglProducer: Drop",
    "EglProducer::disconnect",
    "EglProducer::present",
    "EglProducer::return_frame",
    // Numbers, as `AnyNode` is.
    "AnyNode: From<Node<K>>",
    "Node: Clone",
    "Node: Debug",
    "Node: Hash",
    "Node: PartialEq",
    "Node::any",
];

#[test]
fn every_public_function_is_in_the_catalogue() {
    let catalogue = Catalogue::new();
    let there: BTreeSet<&str> = catalogue.entries.iter().flat_map(Entry::functions).collect();
    let mut functions = sources::functions();
    for name in ELSEWHERE {
        assert!(functions.remove(*name).is_some(), "{name} is no public function");
    }
    assert!(functions.len() > 1000, "{}", functions.len());
    let wanted: BTreeSet<&str> = functions.keys().map(String::as_str).collect();
    let missing: Vec<_> = wanted.difference(&there).collect();
    let unknown: Vec<_> = there.difference(&wanted).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "tests/inside_host_functions/catalogue has no line for {missing:#?}\nand lines for what is no public function: {unknown:#?}"
    );
}

/// The child process of other tests: it shares memory and an event.
#[test]
#[ignore = "the other process of the tests"]
fn shares() {
    cuda_suite::neighbour::serve();
}
