//! Replays: of the logs of random programs, and of orders that do not fit a program.

use cuda_sim::explore::Exploration;
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
        let replay = Replay::from_log(&first).expect("it is a log");
        // As a setting has it.
        let replay = format!("replay:{replay}").parse().expect("it is a schedule");
        prop_assert_eq!(log(&steps, replay, &file), first);
        let _ = std::fs::remove_file(&file);
    }
}

/// Two fills on two streams, and the second stream's synchronisation. Returns the answers of the last two calls.
fn fills(schedule: &str) -> (Vec<CUresult>, u32) {
    let schedule = schedule.parse().expect("it is a schedule");
    let (_, _entered) = cuda_suite::raw::machine(Config { schedule, ..Config::default() });
    context(0);
    let (first, second, (host, memory)) = (stream(1), stream(1), page_locked(1));
    let answers = vec![
        code!(cuMemsetD32Async(memory, 1, 1, first)),
        code!(cuMemsetD32Async(memory, 2, 1, second)),
        code!(cuStreamSynchronize(second)),
        code!(cuCtxSynchronize()),
    ];
    (answers, host[0].load(std::sync::atomic::Ordering::Relaxed))
}

#[test]
fn held_operation_is_done_last() {
    const DONE: CUresult = CUresult::CUDA_SUCCESS;
    for (schedule, last) in [
        ("replay:", 2),
        ("replay:cuMemsetD32Async-1", 1),
        ("replay:cuMemsetD32Async-1@cuMemsetD32Async-2", 1),
        ("replay:cuMemsetD32Async-1@cuMemsetD32Async-1", 2),
        ("replay:cuMemsetD32Async-2@cuMemsetD32Async-2+cuMemsetD32Async-1@cuMemsetD32Async-2", 1),
        ("replay:cuMemsetD32Async-1@cuMemsetD32Async-2+cuMemsetD32Async-2@cuMemsetD32Async-2", 2),
        ("replay:cuMemsetD32Async-1@cuStreamSynchronize-1", 1),
    ] {
        assert_eq!(fills(schedule), (vec![DONE; 4], last), "{schedule}");
    }
}

/// A call that queues less than the schedule names fails, and so do later calls.
#[test]
fn replay_that_does_not_fit_fails_the_program() {
    let (lost, done) = (CUresult::CUDA_ERROR_LAUNCH_FAILED, CUresult::CUDA_SUCCESS);
    assert_eq!(fills("replay:cuMemsetD32Async-1.2").0, [lost; 4]);
    assert_eq!(fills("replay:cuMemsetD32Async-2.3@cuCtxSynchronize-1").0, [done, lost, lost, lost]);
    assert_eq!(fills("replay:cuStreamSynchronize-1").0, [done, done, lost, lost]);
    // The program makes no such calls, which the standard error says in the end.
    assert_eq!(fills("replay:cuMemsetD32Async-3").0, [done; 4]);
    assert_eq!(fills("replay:cuMemsetD32Async-1@cuEventRecord-1"), (vec![done; 4], 1));
}

#[test]
fn exploration_names_the_call_that_does_not_fit() {
    let finding = |schedule: &str| {
        let exploration = Exploration::new(|| {
            let (on, memory) = (stream(1), allocate(4));
            let _ = code!(cuMemsetD32Async(memory, 1, 1, on));
            Ok::<(), String>(())
        });
        let report = exploration.run_schedule(schedule.parse().expect("it is a schedule"));
        report.failure.map(|failure| failure.finding)
    };
    assert_eq!(finding("replay:cuMemsetD32Async-1"), None);
    let misfit = |why: &str| Some(format!("the schedule does not fit: {why}"));
    for (schedule, why) in [
        (
            "replay:cuStreamCreate-1",
            "cuStreamCreate-1 queued no work, and the schedule holds back cuStreamCreate-1",
        ),
        (
            "replay:cuMemsetD32Async-1.2",
            "cuMemsetD32Async-1 queued 1 operation, and the schedule holds back cuMemsetD32Async-1.2",
        ),
        (
            "replay:cuMemsetD32Async-2",
            "the schedule names cuMemsetD32Async-2, and the program called cuMemsetD32Async once",
        ),
        (
            "replay:cuMemsetD32Async-1@cuCtxSynchronize-1",
            "the schedule names cuCtxSynchronize-1, and the program called cuCtxSynchronize 0 times",
        ),
    ] {
        assert_eq!(finding(schedule), misfit(why));
    }
}

/// A graph of two fills without an edge. The program needs the second fill to be last.
#[test]
fn missing_edge_of_a_graph_is_explained() {
    let report = cuda_sim::explore(|| {
        let (on, (words, memory)) = (stream(1), page_locked(1));
        let (mut current, mut graph, mut executable) = (null_mut(), null_mut(), null_mut());
        call!(cuCtxGetCurrent(&raw mut current));
        call!(cuGraphCreate(&raw mut graph, 0));
        for value in [1, 2] {
            let params =
                CUDA_MEMSET_NODE_PARAMS { dst: memory, pitch: 0, value, elementSize: 4, width: 1, height: 1 };
            let mut node = null_mut();
            call!(cuGraphAddMemsetNode(&raw mut node, graph, null_mut(), 0, &raw const params, current));
        }
        call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
        call!(cuGraphLaunch(executable, on));
        call!(cuStreamSynchronize(on));
        match words[0].load(std::sync::atomic::Ordering::Relaxed) {
            2 => Ok(()),
            value => Err(format!("{value} in place of 2")),
        }
    });
    let text = report.to_string();
    assert!(
        text.ends_with(
            "\n1 in place of 2\n  \
               operation 3 of cuGraphLaunch on stream 1 (call 9) before operation 2 of cuGraphLaunch on stream 1 (call 9)\n  \
               CUDA_SIM=schedule=replay:cuGraphLaunch-1.2@cuGraphLaunch-1"
        ),
        "{text}"
    );
}

#[test]
fn log_that_is_none_is_refused() {
    for log in ["1 1 cuNothing CUDA_SUCCESS -", "1 1 cuInit CUDA_SUCCESS - cuLaunchKernel", "cuInit"] {
        let error = Replay::from_log(log).expect_err("it is no log").to_string();
        assert_eq!(error, format!("{log}: a line of a log of calls is expected"));
    }
    assert_eq!(Replay::from_log("").map(|replay| replay.to_string()), Ok(String::new()));
}
