//! Graphs whose objects are of a context that was reset: calls answer that it is lost, and leave the handles alone.

#![allow(unsafe_code)] // the end of a context

use crate::setup::is_since;
use cuda_rt::context::ContextFlags;
use cuda_rt::error::{Error, ErrorKind};
use cuda_rt::graph::{AddNodes, CaptureOptions, Graph, GraphExec, HostCell, InstantiateOptions};
use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
use cuda_rt::{Context, Device, DeviceBuf, Event, Stream};
use cuda_sim::{CallRecord, FaultRule, Machine};
use cuda_suite::{Choice, apart, context, device, reports, second_device, skip, stream};
use cuda_sys::{CUresult, Symbol};

/// A device whose primary context a test resets.
struct Lost {
    device: Device,
    context: Context,
    stream: Stream,
}

impl Lost {
    /// `None` if the driver does not tell the uses of handles, or the end of a context.
    fn new() -> Option<Lost> {
        cuda_suite::driver();
        if cuda_suite::driver() != Choice::Sim {
            return None;
        }
        let device = second_device()?;
        let context = Context::primary(device).unwrap();
        context.id()?;
        let stream = Stream::new(&context).unwrap();
        Some(Lost { device, context, stream })
    }

    fn capture(&self, work: impl FnOnce(&mut cuda_rt::graph::Capture<'_>) -> cuda_rt::Result<()>) -> Graph {
        Graph::capture(&self.context, CaptureOptions::new(), work).unwrap().0
    }

    fn reset(&self) {
        // SAFETY: the tests use objects of the context to see that they are refused, and no code but this process has the device.
        unsafe { self.device.reset_primary_context() }.unwrap();
        Machine::current().record_calls();
    }
}

const NOT_TOLD: &str = "the driver does not tell that a context has ended, or its calls cannot be counted";

/// Asserts that no call but questions about contexts was made since the reset.
fn only_asked() {
    use Symbol as S;
    const HARMLESS: [Symbol; 5] = [
        S::cuCtxGetId,
        S::cuCtxGetCurrent,
        S::cuThreadExchangeStreamCaptureMode,
        S::cuCtxPushCurrent_v2,
        S::cuCtxPopCurrent_v2,
    ];
    let calls: Vec<CallRecord> = Machine::current().take_calls();
    let others: Vec<_> = calls.iter().filter(|call| !HARMLESS.contains(&call.function)).collect();
    assert!(others.is_empty(), "{others:?}");
}

fn is_lost<T: std::fmt::Debug>(outcome: Result<T, Error>) {
    assert_eq!(outcome.unwrap_err().kind(), ErrorKind::ContextLost);
}

fn instantiate(graph: &mut Graph) -> GraphExec {
    graph.instantiate(InstantiateOptions::new()).unwrap()
}

#[test]
fn cell_of_a_lost_launch_is_refused_and_given_back() {
    apart("context_ends::cell_of_a_lost_launch_is_refused_and_given_back", || {
        let Some(lost) = Lost::new() else { skip!("{NOT_TOLD}") };
        // The memory and the second graph are of a context that lives on.
        let memory = RegisteredBuf::new(&context(), vec![0_u32; 1024], RegisterFlags::default()).unwrap();
        let cell = HostCell::new(memory);
        let count = |elements: &mut [u32]| elements[0] += 1;
        let mut other_graph =
            Graph::capture(&context(), CaptureOptions::new(), |c| c.host_with(&cell, count)).unwrap().0;
        let mut other = instantiate(&mut other_graph);
        let mut graph = lost.capture(|c| c.host_with(&cell, count));
        let mut program = instantiate(&mut graph);
        program.launch(&lost.stream).unwrap();
        assert_eq!(cell.lock().unwrap()[0], 1);
        let stream = stream();
        other.launch(&stream).unwrap();
        program.launch(&lost.stream).unwrap();
        lost.stream.synchronize().unwrap();
        lost.reset();
        is_lost(cell.lock());
        is_lost(cell.try_lock());
        only_asked();
        is_lost(other.launch(&stream));
        let waits = |call: &CallRecord| call.function == Symbol::cuStreamWaitEvent;
        assert!(!Machine::current().take_calls().iter().any(waits));
        drop(reports(|| drop((program, graph, lost))));
        drop((other, other_graph));
        let mut cell = cell;
        let start = std::time::Instant::now();
        let memory = loop {
            assert!(start.elapsed() < std::time::Duration::from_secs(20), "the cell is kept for ever");
            match cell.try_into_inner() {
                Ok(memory) => break memory,
                Err(back) => cell = back,
            }
        };
        assert_eq!(memory.unregister().unwrap()[0], 3);
    });
}

#[test]
fn drop_of_an_executable_leaves_dead_handles_alone() {
    apart("context_ends::drop_of_an_executable_leaves_dead_handles_alone", || {
        for is_answered in [true, false] {
            for way in 0..3 {
                let Some(lost) = Lost::new() else { skip!("{NOT_TOLD}") };
                let cell = HostCell::new(
                    RegisteredBuf::new(&context(), vec![0_u32; 16], RegisterFlags::default()).unwrap(),
                );
                let mut graph = lost.capture(|c| c.host_with(&cell, |elements| elements[0] += 1));
                let mut program = instantiate(&mut graph);
                match way {
                    0 => {}
                    1 => program.launch(&lost.stream).unwrap(),
                    _ => program.launch(&lost.stream.as_stream_ref()).unwrap(),
                }
                lost.stream.synchronize().unwrap();
                lost.reset();
                if !is_answered {
                    let rule = FaultRule::new(Symbol::cuCtxGetId, CUresult::CUDA_ERROR_UNKNOWN);
                    Machine::current().inject(rule.times(1_000_000));
                }
                let told = reports(|| drop((program, graph)));
                only_asked();
                assert!(!told.is_empty());
                Machine::current().clear_faults();
                drop(reports(|| drop((cell, lost))));
            }
        }
    });
}

#[test]
fn launch_with_a_lost_home_is_refused() {
    apart("context_ends::launch_with_a_lost_home_is_refused", || {
        let Some(lost) = Lost::new() else { skip!("{NOT_TOLD}") };
        let (here, there) = (stream(), DeviceBuf::<u32>::zeroed(&lost.stream, 4).unwrap());
        let mut graph = Graph::capture(&context(), CaptureOptions::new(), |c| {
            c.keep(&there)?;
            c.host(|| ())
        })
        .unwrap()
        .0;
        let mut program = instantiate(&mut graph);
        program.launch(&here).unwrap();
        here.synchronize().unwrap();
        lost.reset();
        is_lost(program.launch(&here));
        let uses = |call: &CallRecord| {
            matches!(call.function, Symbol::cuEventRecord | Symbol::cuStreamWaitEvent | Symbol::cuGraphLaunch)
        };
        assert!(!Machine::current().take_calls().iter().any(uses));
        let told = reports(|| drop((program, graph, there, lost)));
        assert!(told.iter().all(|told| told.starts_with("context: other code has reset")), "{told:?}");
    });
}

#[test]
fn context_of_a_raw_event_outlives_the_graph() {
    if !is_since(11, 1) {
        skip!("event nodes need CUDA 11.1");
    }
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let raw = other.as_raw();
    let event = Event::new(&other).unwrap();
    let mut graph = Graph::new(&context()).unwrap();
    graph.event_wait(&[], &event).unwrap();
    let mut program = instantiate(&mut graph);
    let _raw_event = event.into_raw();
    drop(other);
    program.launch(&stream()).unwrap();
    let mut version = 0;
    // SAFETY: `version` is valid for a write; the graph keeps the context alive.
    assert!(unsafe { cuda_sys::cuCtxGetApiVersion(raw, &raw mut version) }.is_success());
}
