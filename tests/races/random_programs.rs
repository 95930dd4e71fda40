//! Random programs of a few streams: the replay of a run does its work in the same order.

use cuda_sim::{Config, Machine, Replay, Schedule};
use cuda_suite::raw::{allocate, context, page_locked, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use proptest::prelude::*;
use std::path::Path;
use std::ptr::null_mut;

#[derive(Debug, Clone, Copy)]
enum Step {
    Fill(usize),
    Copy(usize),
    Record(usize),
    Wait(usize),
    Query(usize),
    Synchronize(usize),
    LaunchGraph(usize),
    Other,
}

const STREAMS: usize = 3;

fn step() -> impl Strategy<Value = Step> {
    let on = 0..STREAMS;
    prop_oneof![
        4 => on.clone().prop_map(Step::Fill),
        2 => on.clone().prop_map(Step::Copy),
        1 => on.clone().prop_map(Step::Record),
        1 => on.clone().prop_map(Step::Wait),
        1 => on.clone().prop_map(Step::Query),
        1 => on.clone().prop_map(Step::Synchronize),
        1 => on.prop_map(Step::LaunchGraph),
        1 => Just(Step::Other),
    ]
}

/// An executable with two fills that wait for nothing, and one that waits for both.
fn executable(memory: CUdeviceptr, context: CUcontext) -> CUgraphExec {
    let (mut graph, mut executable) = (null_mut(), null_mut());
    call!(cuGraphCreate(&raw mut graph, 0));
    let fill = |before: &[CUgraphNode]| {
        let params =
            CUDA_MEMSET_NODE_PARAMS { dst: memory, pitch: 0, value: 3, elementSize: 1, width: 4, height: 1 };
        let mut node = null_mut();
        let (list, len) = (before.as_ptr(), before.len());
        call!(cuGraphAddMemsetNode(&raw mut node, graph, list, len, &raw const params, context));
        node
    };
    let ends = [fill(&[]), fill(&[])];
    fill(&ends);
    call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
    executable
}

/// Runs a program, and returns the lines of its log.
fn log(steps: &[Step], schedule: Schedule, file: &Path) -> String {
    let config = Config { schedule, calls: Some(file.to_owned()), host_threads: 1, ..Config::default() };
    let (machine, entered) = cuda_suite::raw::machine(config);
    let context = context(0);
    let (streams, memory, (_, host)) = ([(); STREAMS].map(|()| stream(1)), allocate(64), page_locked(16));
    let executable = executable(memory, context);
    let mut event = null_mut();
    call!(cuEventCreate(&raw mut event, 0));
    for step in steps {
        match *step {
            Step::Fill(on) => call!(cuMemsetD8Async(memory, 1, 64, streams[on])),
            Step::Copy(on) => call!(cuMemcpyAsync(host, memory, 64, streams[on])),
            Step::Record(on) => call!(cuEventRecord(event, streams[on])),
            Step::Wait(on) => call!(cuStreamWaitEvent(streams[on], event, 0)),
            Step::Query(on) => drop(code!(cuStreamQuery(streams[on]))),
            Step::Synchronize(on) => call!(cuStreamSynchronize(streams[on])),
            Step::LaunchGraph(on) => call!(cuGraphLaunch(executable, streams[on])),
            Step::Other => {
                let mut current = null_mut();
                call!(cuCtxGetCurrent(&raw mut current));
            }
        }
    }
    call!(cuCtxSynchronize());
    drop(entered);
    drop::<Machine>(machine);
    std::fs::read_to_string(file).expect("the log is there")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn replay_of_a_log_has_the_same_order(
        steps in proptest::collection::vec(step(), 1..30),
        schedule in prop_oneof![1 => Just(Schedule::Lazy), 4 => any::<u64>().prop_map(Schedule::Random)],
    ) {
        let file = std::env::temp_dir().join(format!("cuda-sim-replay-{}.txt", std::process::id()));
        let first = log(&steps, schedule, &file);
        prop_assert!(first.contains("+") || first.lines().any(|line| line.split(' ').count() > 5) || steps.len() < 30);
        let replay = Replay::from_log(&first).expect("it is a log");
        // As a setting has it.
        let replay = format!("replay:{replay}").parse().expect("it is a schedule");
        prop_assert_eq!(log(&steps, replay, &file), first);
        let _ = std::fs::remove_file(&file);
    }
}
