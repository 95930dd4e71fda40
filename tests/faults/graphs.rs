//! Failing calls of captures, graphs and launches, and the state of the objects afterwards.

use crate::layer::{Fault, after, no_fault, record};
use crate::{failing, primary, symbols};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{AddNodes, CaptureOptions, Graph, GraphExec, HostCell, SetNodes};
use cuda_rt::handle::set_drop_hook;
use cuda_rt::memory::MemorySource;
use cuda_rt::{Context, DeviceBuf, Error, PinnedBuf, Stream};
use cuda_suite::reports;
use cuda_sys::Symbol;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const LATE: Fault = Fault::Late(Code::OutOfMemory);
const REFUSED: Fault = Fault::Refused(Code::OutOfMemory);

type Words = HostCell<PinnedBuf<u32>>;

fn cell() -> Words {
    HostCell::new(PinnedBuf::from_slice(&primary(), &[0; 4]).unwrap())
}

fn options() -> CaptureOptions {
    CaptureOptions::new()
}

fn streams() -> [Stream; 2] {
    [(); 2].map(|()| Stream::new(&primary()).unwrap())
}

fn instantiate(graph: &mut Graph) -> GraphExec {
    graph.instantiate(Default::default()).unwrap()
}

/// Waits until `stage` is at `value`, or for so long that a test must have failed.
fn until(stage: &AtomicU32, value: u32) {
    let start = Instant::now();
    while stage.load(Ordering::SeqCst) < value && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Sets its flag when it is dropped.
struct Canary(Arc<AtomicBool>);

impl Drop for Canary {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn launches_make_the_calls_that_are_documented() {
    let [first, second] = streams();
    let mut graph = Graph::capture(&primary(), options(), |c| c.host(|| ())).unwrap().0;
    let mut program = instantiate(&mut graph);
    let ((), calls) = record(no_fault, move || {
        let _entered = first.context().enter().unwrap();
        let graph_calls = |stream: &Stream, program: &mut GraphExec| program.launch(stream).unwrap();
        graph_calls(&first, &mut program);
        graph_calls(&first, &mut program);
        graph_calls(&second, &mut program);
        graph_calls(&second, &mut program);
        second.synchronize().unwrap();
    });
    let kinds = [Symbol::cuGraphLaunch, Symbol::cuEventRecord, Symbol::cuStreamWaitEvent];
    let seen: Vec<_> = symbols(&calls).into_iter().filter(|call| kinds.contains(call)).collect();
    let [launch, record, wait] = kinds;
    let mut expected = vec![launch, launch, record, wait, launch, launch];
    // The drop of the executable graph.
    expected.push(record);
    assert_eq!(seen, expected);
}

#[test]
fn failed_launch_elsewhere_keeps_running_launches() {
    let [first, second] = streams();
    for fault in [REFUSED, Fault::Refused(Code::InvalidValue), LATE] {
        let (stage, dropped) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let cell = cell();
        let (canary, inner) = (Canary(Arc::clone(&dropped)), Arc::clone(&stage));
        let captured = Graph::capture(&primary(), options(), |c| {
            c.host_with(&cell, move |elements| {
                let _owned = &canary;
                inner.fetch_max(1, Ordering::SeqCst);
                until(&inner, 2);
                elements[0] += 1;
            })
        });
        let mut program = instantiate(&mut captured.unwrap().0);
        program.launch(&first).unwrap();
        until(&stage, 1);
        let on = second.clone();
        let (program, _) = record(failing(Symbol::cuGraphLaunch, 0, fault), move || {
            assert_eq!(program.launch(&on).unwrap_err().code(), Some(fault.code()));
            program
        });
        assert!(cell.try_lock().unwrap().is_none(), "{fault:?}: the function has the elements");
        drop(program);
        std::thread::sleep(Duration::from_millis(50));
        assert!(!dropped.load(Ordering::SeqCst), "{fault:?}: the function that runs was dropped");
        stage.store(2, Ordering::SeqCst);
        let runs = if matches!(fault, Fault::Late(_)) { 2 } else { 1 };
        assert_eq!(cell.lock().unwrap()[0], runs);
    }
}

/// Captures on a thread of its own, where calls fail as planned. Returns the error, or the numbers of nodes and edges.
fn captured(
    plan: impl FnMut(usize, Symbol) -> Option<Fault> + Send + 'static,
    work: impl FnOnce(&mut cuda_rt::graph::Capture<'_>) + Send + 'static,
) -> Result<(usize, usize), Error> {
    let (outcome, _) = record(plan, move || {
        let (mut graph, ()) = Graph::capture(&primary(), options(), |c| {
            work(c);
            Ok(())
        })?;
        Ok((graph.nodes()?.len(), graph.edges()?.len()))
    });
    outcome
}

#[test]
fn capture_fails_if_the_use_of_a_cell_is_not_known() {
    let info = Symbol::cuStreamGetCaptureInfo_v3;
    for (symbol, fault) in [(info, REFUSED), (Symbol::cuLaunchHostFunc, LATE)] {
        let cell = cell();
        let outcome = captured(failing(symbol, 0, fault), move |c| {
            let forked = c.fork(
                |c| {
                    assert!(c.host_with(&cell, |_| ()).is_err());
                    Ok(())
                },
                |c| c.host_with(&cell, |_| ()),
            );
            forked.unwrap();
        });
        assert_eq!(outcome.unwrap_err().code(), Some(Code::OutOfMemory), "{symbol}");
    }
}

#[test]
fn capture_fails_if_a_child_has_no_place() {
    for (symbol, fault) in [
        (Symbol::cuStreamUpdateCaptureDependencies, REFUSED),
        (Symbol::cuStreamUpdateCaptureDependencies, LATE),
        (Symbol::cuGraphAddChildGraphNode, LATE),
    ] {
        let cell = cell();
        let mut child = Graph::capture(&primary(), options(), |c| c.host_with(&cell, |_| ())).unwrap().0;
        let outcome = captured(failing(symbol, 0, fault), move |c| {
            assert!(c.child(&mut child).is_err());
            c.host_with(&cell, |_| ()).unwrap();
        });
        assert_eq!(outcome.unwrap_err().code(), Some(Code::OutOfMemory), "{symbol}, {fault:?}");
    }
}

#[test]
fn capture_fails_if_a_branch_comes_back_too_late() {
    // The events of the start, of the mark, and twice of the join.
    let mut made = 0;
    let plan = move |_: usize, call: Symbol| {
        made += usize::from(call == Symbol::cuEventCreate);
        (call == Symbol::cuEventCreate && made > 2 && made < 5).then_some(REFUSED)
    };
    let outcome = captured(plan, |c| {
        let mark = Cell::new(None);
        let freed = c.temporary::<u32, _>(4, |c, memory| {
            let forked = c.fork(
                |_| Ok(()),
                |branch| {
                    branch.fill(memory, 7)?;
                    mark.set(Some(branch.mark()?));
                    Ok(())
                },
            );
            assert!(forked.is_err());
            Ok(())
        });
        freed.unwrap();
        c.wait(&mark.get().unwrap()).unwrap();
    });
    assert_eq!(outcome.unwrap_err().code(), Some(Code::OutOfMemory));
}

#[test]
fn memory_of_a_failed_allocation_is_freed() {
    let outcome = captured(failing(Symbol::cuMemAllocAsync, 0, LATE), |c| {
        assert!(c.temporary::<u32, _>(4, |_, _| Ok(())).is_err());
    });
    assert_eq!(outcome, Ok((2, 1)));
    let outcome = captured(failing(Symbol::cuMemAllocAsync, 0, REFUSED), |c| {
        assert!(c.temporary::<u32, _>(4, |_, _| Ok(())).is_err());
    });
    assert_eq!(outcome, Ok((0, 0)));
    let outcome = captured(failing(Symbol::cuMemFreeAsync, 0, REFUSED), |c| {
        assert!(c.temporary::<u32, _>(4, |_, _| Ok(())).is_err());
    });
    assert_eq!(outcome.unwrap_err().code(), Some(Code::OutOfMemory));
}

/// Builds a graph on a thread of its own, where a call fails. Returns the error of making it executable.
fn built(symbol: Symbol, fault: Fault, work: impl FnOnce(&mut Graph) + Send + 'static) -> Option<ErrorKind> {
    let (outcome, _) = record(failing(symbol, 0, fault), move || {
        let mut graph = Graph::new(&primary()).unwrap();
        work(&mut graph);
        graph.instantiate(Default::default()).err().map(|error| error.kind())
    });
    outcome
}

#[test]
fn graph_with_a_node_without_a_name_is_not_used() {
    let in_closure = |symbol, fault| {
        built(symbol, fault, |graph| {
            let outcome = graph.temporary::<u32, _>(&[], 4, |nodes, memory| {
                let _ = nodes.fill(&[], memory, 1);
                Ok(())
            });
            drop(outcome);
        })
    };
    assert_eq!(in_closure(Symbol::cuGraphAddMemAllocNode, LATE), Some(ErrorKind::Poisoned));
    assert_eq!(in_closure(Symbol::cuGraphAddMemsetNode, LATE), Some(ErrorKind::Poisoned));
    assert_eq!(in_closure(Symbol::cuGraphAddMemFreeNode, LATE), Some(ErrorKind::Poisoned));
    assert_eq!(in_closure(Symbol::cuGraphAddMemFreeNode, REFUSED), Some(ErrorKind::Poisoned));
    // Calls that do nothing leave the graph as it was.
    assert_eq!(in_closure(Symbol::cuGraphAddMemAllocNode, REFUSED), None);
    assert_eq!(in_closure(Symbol::cuGraphAddMemsetNode, REFUSED), None);
}

#[test]
fn hook_may_lock_a_cell_of_the_launch() {
    let [stream, _] = streams();
    let cell = cell();
    let mut graph = Graph::capture(&primary(), options(), |c| c.host_with(&cell, |_| ())).unwrap().0;
    let mut program = instantiate(&mut graph);
    let told = reports(|| {
        let (shared, calls) = (cell.clone(), Arc::new(AtomicU32::new(0)));
        let counted = Arc::clone(&calls);
        let before = set_drop_hook(move |_| {
            // Waits for ever if the launch still has the cell.
            let _ = shared.lock().map(drop);
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let mut has_launched = false;
        let plan = move |_: usize, call: Symbol| {
            has_launched |= call == Symbol::cuGraphLaunch;
            (has_launched && call == Symbol::cuCtxPopCurrent_v2).then_some(Fault::Refused(Code::LaunchFailed))
        };
        record(plan, move || program.launch(&stream).unwrap());
        before.restore();
        assert_ne!(calls.load(Ordering::SeqCst), 0, "the hook was not told");
    });
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn hook_may_use_the_graph_of_a_changed_executable() {
    let [stream, _] = streams();
    let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 4).unwrap();
    let mut graph = Graph::new(&primary()).unwrap();
    let node = graph.fill(&[], &mut numbers, 1).unwrap();
    let mut program = instantiate(&mut graph);
    let told = reports(|| {
        let calls = Arc::new(AtomicU32::new(0));
        let (shared, counted) = (Mutex::new(graph), Arc::clone(&calls));
        let before = set_drop_hook(move |_| {
            // Waits for ever if the change still has the graph.
            shared.lock().unwrap().nodes().unwrap();
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let mut has_changed = false;
        let mut left = 2;
        let plan = move |_: usize, call: Symbol| {
            has_changed |= call == Symbol::cuGraphExecMemsetNodeSetParams;
            let restores = has_changed && call == Symbol::cuThreadExchangeStreamCaptureMode && left > 0;
            left -= u32::from(restores);
            restores.then_some(Fault::Refused(Code::InvalidValue))
        };
        record(plan, move || {
            let context = primary();
            // So that the change binds no context.
            let _entered = context.enter().unwrap();
            program.set_fill(node, &mut numbers, 2).unwrap();
        });
        before.restore();
        assert_ne!(calls.load(Ordering::SeqCst), 0, "the hook was not told");
    });
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn launches_drop_the_event_before_with_nothing_locked() {
    struct Locks {
        cell: Words,
        _context: Context,
    }
    impl Drop for Locks {
        fn drop(&mut self) {
            // Waits for ever if the launch still has the cell.
            let _ = self.cell.lock().map(drop);
        }
    }
    let device = primary().device();
    let mine = Context::new(device, Default::default()).unwrap();
    let cell = cell();
    let has_ended = Arc::new(());
    let captured =
        |context: &Context| Graph::capture(context, options(), |c| c.host_with(&cell, |_| ())).unwrap().0;
    {
        let owner = Box::new((Locks { cell: cell.clone(), _context: mine.clone() }, Arc::clone(&has_ended)));
        // SAFETY: the owner keeps the context.
        let theirs = unsafe { Context::from_raw_with_owner(mine.as_raw(), owner) }.unwrap();
        let stream = Stream::new(&theirs).unwrap();
        let mut program = instantiate(&mut captured(&theirs));
        program.launch(&stream).unwrap();
        stream.synchronize().unwrap();
    }
    let [stream, _] = streams();
    let mut program = instantiate(&mut captured(&primary()));
    program.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    let start = Instant::now();
    while Arc::strong_count(&has_ended) > 1 {
        assert!(start.elapsed() < Duration::from_secs(60), "the context has not ended");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn removal_that_may_have_been_done_poisons_the_graph() {
    let mut graph = Graph::new(&primary()).unwrap();
    let node = graph.host(&[], || ()).unwrap();
    let ((mut graph, removed), _) = record(failing(Symbol::cuGraphDestroyNode, 0, LATE), move || {
        let removed = graph.remove_node(node.any());
        (graph, removed)
    });
    assert_eq!(removed.unwrap_err().code(), Some(Code::OutOfMemory));
    // The driver may have destroyed the node: it is not named to the driver any more.
    let ((), calls) = record(no_fault, move || {
        assert_eq!(graph.node_type(node.any()).unwrap_err().kind(), ErrorKind::Poisoned);
        assert_eq!(graph.remove_node(node.any()).unwrap_err().kind(), ErrorKind::Poisoned);
        assert_eq!(graph.set_host(node, || ()).unwrap_err().kind(), ErrorKind::Poisoned);
        drop(graph);
    });
    assert!(!calls.iter().any(|call| call.symbol.name().contains("Node")), "{calls:?}");
}

type OtherLaunch = (GraphExec, Stream);

/// The launch that another thread makes.
static OTHER: Mutex<Option<OtherLaunch>> = Mutex::new(None);
static OTHER_THREAD: Mutex<Option<JoinHandle<OtherLaunch>>> = Mutex::new(None);

/// Has another thread launch, and gives it time.
fn launch_on_another_thread() {
    let (mut program, stream) = OTHER.lock().unwrap().take().unwrap();
    let thread = std::thread::spawn(move || {
        program.launch(&stream).unwrap();
        (program, stream)
    });
    let start = Instant::now();
    while !thread.is_finished() && start.elapsed() < Duration::from_millis(100) {
        std::thread::sleep(Duration::from_millis(1));
    }
    *OTHER_THREAD.lock().unwrap() = Some(thread);
}

#[test]
fn launches_of_two_threads_take_turns_with_a_home() {
    let context = primary();
    let ([home, first], [second, _]) = (streams(), streams());
    let mut shared = DeviceBuf::<u32>::zeroed(&home, 4).unwrap();
    let (one, two) = (cell(), cell());
    let mut program = |value: u32, cell: &Words| {
        let mut graph = Graph::new(&context).unwrap();
        let fill = graph.fill(&[], &mut shared, value).unwrap();
        let wait = graph.host(&[fill.any()], || std::thread::sleep(Duration::from_millis(20))).unwrap();
        graph.download(&[wait.any()], cell, &shared).unwrap();
        instantiate(&mut graph)
    };
    let (mut own, other) = (program(1, &one), program(2, &two));
    *OTHER.lock().unwrap() = Some((other, second));
    let ((own, first), _) = record(no_fault, move || {
        // Right after the record on the home, where the launch has not come yet.
        after(Symbol::cuEventRecord, launch_on_another_thread);
        own.launch(&first).unwrap();
        (own, first)
    });
    let thread = OTHER_THREAD.lock().unwrap().take().unwrap();
    let others = thread.join().unwrap();
    assert_eq!(one.lock().unwrap()[..], [1; 4]);
    assert_eq!(two.lock().unwrap()[..], [2; 4]);
    drop((own, first, others));
}

#[test]
fn close_after_the_last_graph_returns_the_failure() {
    let [stream, _] = streams();
    let mut numbers = DeviceBuf::<u32>::zeroed_in(&stream, 4, MemorySource::Plain).unwrap();
    let mut graph = Graph::new(&primary()).unwrap();
    graph.fill(&[], &mut numbers, 7).unwrap();
    drop(graph);
    let told = reports(|| {
        let plan = |_: usize, call: Symbol| {
            (call == Symbol::cuMemFree_v2).then_some(Fault::Late(Code::InvalidValue))
        };
        let (closed, _) = record(plan, move || numbers.close());
        assert_eq!(closed.unwrap_err().call(), Some("cuMemFree_v2"));
    });
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn graph_stays_usable_if_the_unused_closure_panics() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("the drop of a captured value");
        }
    }
    let mut graph = Graph::new(&primary()).unwrap();
    let plan = |_: usize, call: Symbol| {
        (call == Symbol::cuStreamCreateWithPriority).then_some(Fault::Refused(Code::OutOfMemory))
    };
    record(plan, move || {
        let bomb = Bomb;
        let work = catch_unwind(AssertUnwindSafe(|| {
            graph.capture_into(&[], options(), move |_| {
                let _ = &bomb;
                Ok(())
            })
        }));
        assert!(work.is_err());
        assert_eq!(graph.nodes().unwrap(), []);
    });
}
