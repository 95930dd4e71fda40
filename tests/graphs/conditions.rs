//! Conditional nodes: their bodies, and the conditions that kernels set.

use crate::setup::{instantiate, is_since, place, words};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{AddNodes, ConditionArg, Graph, InstantiateFailure, InstantiateReason};
use cuda_rt::{Context, DeviceBuf, DevicePtr, Kernel, LaunchConfig, Module, Result, Stream};
use cuda_suite::{context, invalid, skip};

/// `count` adds one to a number, and sets the condition to whether the number is below a limit.
const PTX: &str = "
    .version 8.3
    .target sm_50
    .address_size 64
    .extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
    .visible .entry count(.param .u64 number, .param .u32 limit, .param .u64 handle) {
        .reg .b64 %a, %h; .reg .b32 %r<3>; .reg .pred %p;
        ld.param.u64 %a, [number]; ld.param.u32 %r0, [limit]; ld.param.u64 %h, [handle];
        ld.global.u32 %r1, [%a]; add.u32 %r1, %r1, 1; st.global.u32 [%a], %r1;
        setp.lt.u32 %p, %r1, %r0; selp.u32 %r2, 1, 0, %p;
        { .param .b64 h; .param .b32 v; st.param.b64 [h], %h; st.param.b32 [v], %r2;
          call.uni cudaGraphSetConditional, (h, v); }
        ret;
    }
    .visible .entry set(.param .u32 value, .param .u64 handle) {
        .reg .b64 %h; .reg .b32 %r;
        ld.param.u32 %r, [value]; ld.param.u64 %h, [handle];
        { .param .b64 h; .param .b32 v; st.param.b64 [h], %h; st.param.b32 [v], %r;
          call.uni cudaGraphSetConditional, (h, v); }
        ret;
    }";

type Count = Kernel<(DevicePtr<u32>, u32, ConditionArg)>;
type Set = Kernel<(u32, ConditionArg)>;

fn kernels(context: &Context) -> (Count, Set) {
    let module = Module::from_ptx(context, PTX).unwrap();
    (module.function("count").unwrap().typed().unwrap(), module.function("set").unwrap().typed().unwrap())
}

/// A graph with a condition; `None` if the driver has no conditional nodes.
fn start(default: u32) -> Option<(Graph, cuda_rt::graph::Condition)> {
    let mut graph = Graph::new(&context()).unwrap();
    match graph.condition(default) {
        Err(error) if error.code() == Some(Code::NotSupported) => None,
        condition => Some((graph, condition.unwrap())),
    }
}

macro_rules! start {
    ($default:expr, $major:literal, $minor:literal) => {{
        if !is_since($major, $minor) {
            skip!("such conditional nodes need CUDA {}.{}", $major, $minor);
        }
        let Some(started) = start($default) else { skip!("the driver has no conditional nodes") };
        started
    }};
}

const ONE: LaunchConfig = LaunchConfig::new(1, 1);

fn fill(
    buffer: &mut DeviceBuf<u32>,
    value: u32,
) -> impl FnOnce(&mut cuda_rt::graph::Nodes<'_>) -> Result<()> {
    move |body| body.fill(&[], buffer, value).map(drop)
}

fn launch(graph: &mut Graph, stream: &Stream) {
    instantiate(graph).launch(stream).unwrap();
}

#[test]
fn conditions_before_12_3_are_missing() {
    if is_since(12, 3) {
        skip!("this driver has conditions");
    }
    let error = Graph::new(&context()).unwrap().condition(0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FunctionMissing);
    assert!(error.to_string().contains("12.3"), "{error}");
}

#[test]
fn if_body_runs_by_the_default() {
    for (default, expected) in [(0, 0), (1, 7), (5, 7)] {
        let (mut graph, condition) = start!(default, 12, 4);
        let (_, stream) = place();
        let mut numbers = words(&stream, &[0]);
        graph.if_(&[], condition, fill(&mut numbers, 7)).unwrap();
        launch(&mut graph, &stream);
        assert_eq!(numbers.to_vec().unwrap(), [expected], "{default}");
    }
}

#[test]
fn kernel_sets_the_condition_of_each_launch() {
    let (mut graph, condition) = start!(0, 12, 4);
    let (context, stream) = place();
    let (_, set) = kernels(&context);
    let mut numbers = words(&stream, &[0]);
    // SAFETY: the kernel sets a condition of this graph.
    let first = unsafe { graph.kernel(&[], &set, ONE, (1, condition.arg())) }.unwrap();
    let choice = graph.if_(&[first.any()], condition, fill(&mut numbers, 7)).unwrap();
    graph.empty(&[choice.any()]).unwrap();
    let mut program = instantiate(&mut graph);
    for _ in 0..2 {
        numbers.as_slice_mut().fill(0).unwrap();
        program.launch(&stream).unwrap();
        assert_eq!(numbers.to_vec().unwrap(), [7]);
    }
}

#[test]
fn while_body_runs_until_its_kernel_ends_it() {
    let (mut graph, condition) = start!(1, 12, 4);
    let (context, stream) = place();
    let (count, _) = kernels(&context);
    let mut numbers = words(&stream, &[0]);
    let argument = condition.arg();
    let clear = graph.fill(&[], &mut numbers, 0).unwrap();
    let number = numbers.ptr();
    graph
        .while_(&[clear.any()], condition, |body| {
            // SAFETY: one thread changes the number, which lives until the end, and sets a condition of this graph.
            unsafe { body.kernel(&[], &count, ONE, (number, 10, argument)) }.map(drop)
        })
        .unwrap();
    let mut program = instantiate(&mut graph);
    for _ in 0..2 {
        program.launch(&stream).unwrap();
        assert_eq!(numbers.to_vec().unwrap(), [10]);
    }
}

#[test]
fn else_body_runs_if_the_condition_is_zero() {
    for (default, expected) in [(0, [0, 2]), (1, [1, 0])] {
        let (mut graph, condition) = start!(default, 12, 8);
        let (_, stream) = place();
        let mut numbers = words(&stream, &[0, 0]);
        let (left, right) = numbers.as_slice_mut().split_at(1).unwrap();
        graph
            .if_else(
                &[],
                condition,
                |body| body.fill(&[], left, 1).map(drop),
                |body| body.fill(&[], right, 2).map(drop),
            )
            .unwrap();
        launch(&mut graph, &stream);
        assert_eq!(numbers.to_vec().unwrap(), expected);
    }
}

#[test]
fn switch_runs_the_body_of_its_index() {
    for (default, expected) in [(0, [1, 0, 0]), (2, [0, 0, 1]), (3, [0, 0, 0])] {
        let (mut graph, condition) = start!(default, 12, 8);
        let (_, stream) = place();
        let mut numbers = words(&stream, &[0; 3]);
        graph
            .switch(&[], condition, 3, |index, body| {
                let index = index as usize;
                body.fill(&[], numbers.slice_mut(index..=index)?, 1).map(drop)
            })
            .unwrap();
        launch(&mut graph, &stream);
        assert_eq!(numbers.to_vec().unwrap(), expected);
    }
}

#[test]
fn bodies_have_bodies() {
    let (mut graph, outer) = start!(1, 12, 4);
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0]);
    graph
        .if_(&[], outer, |body| {
            let inner = body.condition(1)?;
            body.if_(&[], inner, fill(&mut numbers, 3)).map(drop)
        })
        .unwrap();
    launch(&mut graph, &stream);
    assert_eq!(numbers.to_vec().unwrap(), [3]);
}

#[test]
fn graph_keeps_what_its_bodies_use() {
    let (mut graph, condition) = start!(1, 12, 4);
    let (_, stream) = place();
    let (from, mut to) = (words(&stream, &[4, 5]), words(&stream, &[0; 2]));
    graph.if_(&[], condition, |body| body.copy(&[], &mut to, &from).map(drop)).unwrap();
    drop(from);
    let fresh = words(&stream, &[9; 2]);
    let mut program = instantiate(&mut graph);
    drop(graph);
    program.launch(&stream).unwrap();
    assert_eq!(to.to_vec().unwrap(), [4, 5]);
    drop(fresh);
}

#[test]
fn condition_of_another_graph_is_refused() {
    let (_, condition) = start!(1, 12, 4);
    let mut other = Graph::new(&context()).unwrap();
    let error = other.if_(&[], condition, |_| Ok(())).unwrap_err();
    assert_eq!(error, invalid("condition: it belongs to another graph"));
    assert_eq!(other.nodes().unwrap(), []);
}

#[test]
fn unused_condition_is_refused_or_ignored() {
    let (mut graph, condition) = start!(1, 12, 4);
    let _ = condition.arg();
    if let Err(error) = graph.instantiate(Default::default()) {
        let failure = error.context::<InstantiateFailure>().unwrap();
        assert_eq!(failure.reason, InstantiateReason::ConditionUnused, "{error}");
    }
}

#[test]
fn restricted_graph_has_no_second_executable_or_clone() {
    let (mut graph, condition) = start!(0, 12, 4);
    graph.if_(&[], condition, |body| body.empty(&[]).map(drop)).unwrap();
    let first = instantiate(&mut graph);
    let error = graph.instantiate(Default::default()).unwrap_err();
    assert_eq!(error, invalid("a graph with conditional nodes allows one executable graph at a time"));
    drop(first);
    drop(instantiate(&mut graph));
    assert_eq!(graph.try_clone().unwrap_err(), invalid("no clone"));
    let mut other = Graph::new(&context()).unwrap();
    assert_eq!(other.child(&[], &mut graph).unwrap_err(), invalid("no copy as a child"));
    let node = graph.nodes().unwrap()[0];
    assert_eq!(graph.remove_node(node).unwrap_err(), invalid("no removal of nodes"));
}

#[test]
fn failed_body_poisons_the_graph() {
    let (mut graph, condition) = start!(1, 12, 4);
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0]);
    let error = graph
        .if_(&[], condition, |body| {
            body.fill(&[], &mut numbers, 1)?;
            // Not ordered with the first.
            body.fill(&[], &mut numbers, 2).map(drop)
        })
        .unwrap_err();
    assert_eq!(error, invalid("touch the same memory"));
    assert_eq!(graph.nodes().unwrap_err().kind(), ErrorKind::Poisoned);
    assert_eq!(graph.instantiate(Default::default()).unwrap_err().kind(), ErrorKind::Poisoned);
}

#[test]
fn panic_in_a_body_poisons_the_graph() {
    let (mut graph, condition) = start!(1, 12, 4);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = graph.if_(&[], condition, |_| panic!("in a body"));
    }));
    assert!(panicked.is_err());
    assert_eq!(graph.nodes().unwrap_err().kind(), ErrorKind::Poisoned);
}
