//! Programs with captures and executable graphs.
//!
//! Every scenario waits for its launches before it drops an executable graph. If a launch still
//! runs at the drop, a thread of cuda-rt later releases the objects that the graph keeps
//! alive. That thread has entered no machine of the sweep.

use crate::scenarios::{Done, Scenario, own, plain};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{CaptureMode, CaptureOptions, Graph, HostCell, InstantiateOptions, UpdateRefused};
use cuda_rt::launch::Arg;
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{DeviceBuf, DevicePtr, Event, LaunchConfig, Module, PinnedBuf, Stream};
use cuda_sim::Config;
use cuda_sys::{DriverVersion, Symbol};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { retires: true, ..plain("captures", captures) },
    Scenario { retires: true, ..plain("captures with branches", branches) },
    Scenario { retires: true, ..plain("captures into a graph", into_a_graph) },
    Scenario { config: newest, ..plain("recaptures of a graph", recaptures) },
    Scenario { retires: true, ..plain("captures in a strict mode", strict) },
    Scenario { retires: true, ends_process: true, ..plain("host memory of graphs", cells) },
    Scenario { retires: true, ..plain("launches on other streams", elsewhere) },
    Scenario { retires: true, ..plain("updates of graphs", updates) },
    Scenario { retires: true, ..plain("graphs that hold memory", holding) },
];

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry put(.param .u64 out, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [out]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }";

/// Waits for a stream when dropped. Declare it after an executable graph, so that the wait comes
/// before the drop of the graph.
pub(crate) struct Idle<'stream>(pub(crate) &'stream Stream);

impl Drop for Idle<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.0.synchronize() {
            crate::tell(&error);
        }
    }
}

fn options() -> CaptureOptions {
    CaptureOptions::new()
}

fn captures() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, PTX)?;
    let put = module.function("put")?.typed::<(DevicePtr<u32>, u32)>()?;
    let (from, mut to) =
        (DeviceBuf::from_host(&stream, &[1_u32, 2, 3])?, DeviceBuf::<u32>::zeroed(&stream, 3)?);
    let count = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&count);
    let (mut graph, nodes) = Graph::capture(&context, options(), |capture| {
        capture.copy(&mut to, &from)?;
        // SAFETY: one thread writes the first number, which the graph keeps.
        unsafe { put.with(LaunchConfig::new(1, 1)).launch(capture, (Arg(to.ptr(), &to), 7_u32)) }?;
        capture.fill(to.slice_mut(1..2)?, 8)?;
        capture.host(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        })?;
        Ok(capture.info()?.dependencies.len())
    })?;
    assert_eq!((nodes, graph.nodes()?.len(), graph.edges()?.len()), (1, 4, 3));
    let mut program = graph.instantiate(InstantiateOptions::new())?;
    let _idle = Idle(&stream);
    program.launch(&stream)?;
    program.upload(&stream)?;
    program.flags()?;
    assert_eq!(to.to_vec()?, [7, 8, 3]);
    assert_eq!(count.load(Ordering::SeqCst), 1);
    program.close()?;
    graph.close()
}

fn branches() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let event = Event::new(&context)?;
    let (mut left, mut right) =
        (DeviceBuf::<u32>::zeroed(&stream, 3)?, DeviceBuf::<u32>::zeroed(&stream, 3)?);
    let (mut child, ()) = Graph::capture(&context, options(), |capture| capture.fill(&mut left, 1))?;
    let (mut graph, ()) = Graph::capture(&context, options(), |capture| {
        let (mark, ()) = capture.fork(
            |capture| {
                capture.child(&mut child)?;
                capture.mark()
            },
            |capture| capture.fill(&mut right, 2),
        )?;
        capture.wait(&mark)?;
        capture.wait_external(&event)?;
        capture.record_external(&event)
    })?;
    let mut program = graph.instantiate(InstantiateOptions::new().upload(&stream))?;
    let _idle = Idle(&stream);
    program.launch(&stream)?;
    stream.synchronize()?;
    assert_eq!((left.to_vec()?, right.to_vec()?), (vec![1; 3], vec![2; 3]));
    Ok(())
}

fn into_a_graph() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 3)?;
    let mut graph = Graph::new(&context)?;
    graph.capture_into(&[], options(), |capture| capture.fill(&mut buffer, 1))?;
    let nodes = graph.nodes()?;
    graph.capture_into(&nodes, options(), |capture| capture.fill(buffer.slice_mut(..1)?, 2))?;
    let mut program = graph.instantiate(InstantiateOptions::new())?;
    let _idle = Idle(&stream);
    program.launch(&stream)?;
    stream.synchronize()?;
    assert_eq!(buffer.to_vec()?, [2, 1, 1]);
    Ok(())
}

/// Sets the release of the machine to 13.5. The newer functions exist only if the process's driver
/// has that release, too: `CUDA_SIM=version=13.5`.
pub(crate) fn newest(config: Config) -> Config {
    Config { driver_version: DriverVersion::new(13, 5), ..config }
}

fn recaptures() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 3)?;
    let (mut graph, ()) = Graph::capture(&context, options(), |capture| capture.fill(&mut buffer, 1))?;
    let outcome = graph.recapture(options(), |capture| capture.fill(&mut buffer, 2));
    if !cuda_sys::driver().unwrap().has(Symbol::cuStreamBeginRecaptureToGraph) {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::FunctionMissing);
        return Ok(());
    }
    assert_eq!(outcome?.1.len(), 1);
    graph.close()
}

fn strict() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 3)?;
    let mut spare = Some(DeviceBuf::<u32>::zeroed(&stream, 3)?);
    let options = options().mode(CaptureMode::ThreadLocal);
    let (mut graph, ()) = Graph::capture(&context, options, |capture| {
        // The release does not disturb the capture.
        drop(spare.take());
        capture.fill(&mut buffer, 1)
    })?;
    drop(graph.instantiate(InstantiateOptions::new())?);
    Ok(())
}

fn cells() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let cell = HostCell::new(PinnedBuf::from_slice(&context, &[1_u32, 2, 3])?);
    let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 3)?;
    let (mut graph, ()) = Graph::capture(&context, options(), |capture| {
        capture.upload(&mut buffer, &cell)?;
        capture.host_with(&cell, |elements| elements.reverse())?;
        capture.download(&cell, buffer.slice(..)?)
    })?;
    let mut program = graph.instantiate(InstantiateOptions::new())?;
    let _idle = Idle(&stream);
    for round in 1..3 {
        program.launch(&stream)?;
        let mut elements = cell.lock()?;
        assert_eq!(elements[1], 2 * round);
        elements[1] *= 2;
        drop(elements);
    }
    while cell.try_lock()?.is_none() {}
    stream.synchronize()?;
    drop((program, graph));
    // After a failure, a launch may keep the memory alive for ever: then this returns the cell.
    drop(cell.try_into_inner());
    Ok(())
}

fn elsewhere() -> Done {
    let context = own()?;
    let (home, other) = (Stream::new(&context)?, Stream::new(&context)?);
    let mut buffer = DeviceBuf::<u32>::zeroed(&home, 3)?;
    let (mut graph, ()) = Graph::capture(&context, options(), |capture| capture.fill(&mut buffer, 1))?;
    let mut program = graph.instantiate(InstantiateOptions::new())?;
    let (_first, _second) = (Idle(&home), Idle(&other));
    program.launch(&other)?;
    assert_eq!(buffer.to_vec()?, [1; 3]);
    let per_thread = PerThreadStream::new(&context);
    program.launch(&per_thread)?;
    assert_eq!(buffer.to_vec()?, [1; 3]);
    other.synchronize()?;
    per_thread.synchronize()?;
    program.close()
}

fn updates() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 3)?;
    let (mut first, ()) = Graph::capture(&context, options(), |capture| capture.fill(&mut buffer, 1))?;
    let (mut second, ()) = Graph::capture(&context, options(), |capture| capture.fill(&mut buffer, 2))?;
    let mut program = first.instantiate(InstantiateOptions::new())?;
    let _idle = Idle(&stream);
    program.launch(&stream)?;
    stream.synchronize()?;
    program.update(&mut second)?;
    program.launch(&stream)?;
    stream.synchronize()?;
    assert_eq!(buffer.to_vec()?, [2; 3]);
    let (mut other, ()) = Graph::capture(&context, options(), |_| Ok(()))?;
    match program.update(&mut other) {
        Err(error) if error.code() == Some(Code::GraphExecUpdateFailure) => {
            assert!(error.context::<UpdateRefused>().is_some());
        }
        outcome => return outcome,
    }
    Ok(())
}

fn holding() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let from = DeviceBuf::from_host(&stream, &[1_u32, 2, 3])?;
    let mut to = DeviceBuf::<u32>::zeroed(&stream, 3)?;
    let (mut graph, ()) = Graph::capture(&context, options(), |capture| capture.copy(&mut to, &from))?;
    from.close()?;
    let mut program = graph.instantiate(InstantiateOptions::new())?;
    let _idle = Idle(&stream);
    drop(graph);
    program.launch(&stream)?;
    stream.synchronize()?;
    assert_eq!(to.to_vec()?, [1, 2, 3]);
    drop(to);
    drop(program);
    Ok(())
}
