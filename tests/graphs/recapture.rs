//! Graphs that are captured again, with other parameters. Only the software driver is new enough so far.

use crate::setup::{instantiate, is_since, place, words};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{
    AddNodes, Capture, CaptureOptions, ChangedNode, Graph, GraphExec, HostCell, NodeParams,
};
use cuda_rt::{DeviceBuf, PinnedBuf, Result, Stream};
use cuda_suite::{context, skip};

fn options() -> CaptureOptions {
    CaptureOptions::new()
}

/// A fill and a copy behind it.
fn work(capture: &Capture<'_>, from: &mut DeviceBuf<u32>, to: &mut DeviceBuf<u32>, value: u32) -> Result<()> {
    capture.fill(&mut *from, value)?;
    capture.copy(to, &*from)
}

fn run(program: &mut GraphExec, stream: &Stream) {
    program.launch(stream).unwrap();
}

#[test]
fn recapture_before_13_3_is_missing() {
    if is_since(13, 3) {
        skip!("this driver recaptures graphs");
    }
    let mut graph = Graph::new(&context()).unwrap();
    let error = graph.recapture(options(), |_| Ok(())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FunctionMissing, "{error}");
    assert_eq!(graph.nodes().unwrap(), []);
}

#[test]
fn recaptured_nodes_keep_names_and_change_params() {
    if !is_since(13, 3) {
        skip!("graphs are recaptured since CUDA 13.3");
    }
    let (context, stream) = place();
    let (mut from, mut to) = (words(&stream, &[0; 4]), words(&stream, &[0; 4]));
    let (mut graph, ()) =
        Graph::capture(&context, options(), |capture| work(capture, &mut from, &mut to, 1)).unwrap();
    let nodes = graph.nodes().unwrap();
    let mut program = instantiate(&mut graph);
    let ((), changed) = graph.recapture(options(), |capture| work(capture, &mut from, &mut to, 7)).unwrap();
    assert_eq!(graph.nodes().unwrap(), nodes);
    let changed: Vec<_> =
        changed.iter().map(|ChangedNode { node, is_updatable, .. }| (*node, *is_updatable)).collect();
    assert_eq!(changed, [(nodes[0], true)]);
    let NodeParams::Memset(fill) = graph.node_params(nodes[0]).unwrap() else { panic!("no fill") };
    assert_eq!(fill.value, 7);
    run(&mut program, &stream);
    assert_eq!(to.to_vec().unwrap(), [1; 4]);
    program.update(&mut graph).unwrap();
    run(&mut program, &stream);
    assert_eq!(to.to_vec().unwrap(), [7; 4]);
}

#[test]
fn recapture_keeps_new_memory_and_the_old() {
    if !is_since(13, 3) {
        skip!("graphs are recaptured since CUDA 13.3");
    }
    let (context, stream) = place();
    let (mut old, mut held) = (words(&stream, &[0]), words(&stream, &[0]));
    let (mut graph, ()) = Graph::capture(&context, options(), |capture| capture.fill(&mut old, 5)).unwrap();
    graph.recapture(options(), |capture| capture.fill(&mut held, 6)).unwrap();
    for memory in [&mut old, &mut held] {
        let error = memory.move_to(&Stream::new(&context).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::HeldByGraph);
    }
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!((old.to_vec().unwrap(), held.to_vec().unwrap()), (vec![0], vec![6]));
}

#[test]
fn recapture_of_other_nodes_poisons_the_graph() {
    if !is_since(13, 3) {
        skip!("graphs are recaptured since CUDA 13.3");
    }
    let (context, stream) = place();
    let (mut from, mut to) = (words(&stream, &[0; 4]), words(&stream, &[0; 4]));
    type Work = dyn Fn(&Capture<'_>, &mut DeviceBuf<u32>, &mut DeviceBuf<u32>) -> Result<()>;
    let other: [&Work; 3] = [
        // A node less, another type, a node more.
        &|capture, from, _| capture.fill(from, 1),
        &|capture, from, to| capture.copy(to, &*from),
        &|capture, from, to| work(capture, from, to, 1).and_then(|()| capture.fill(to, 2)),
    ];
    for other in other {
        let (mut graph, ()) =
            Graph::capture(&context, options(), |capture| work(capture, &mut from, &mut to, 1)).unwrap();
        let mut program = instantiate(&mut graph);
        let error = graph.recapture(options(), |capture| other(capture, &mut from, &mut to)).unwrap_err();
        assert_eq!(error.code(), Some(Code::GraphRecaptureFailure), "{error}");
        assert_eq!(graph.nodes().unwrap_err().kind(), ErrorKind::Poisoned);
        run(&mut program, &stream);
        assert_eq!(to.to_vec().unwrap(), [1; 4]);
    }
}

#[test]
fn recapture_refuses_child_graphs() {
    if !is_since(13, 3) {
        skip!("graphs are recaptured since CUDA 13.3");
    }
    let context = context();
    let (mut part, mut graph) = (Graph::new(&context).unwrap(), Graph::new(&context).unwrap());
    part.empty(&[]).unwrap();
    graph.child(&[], &mut part).unwrap();
    let error = graph.recapture(options(), |capture| capture.child(&mut part).map(drop)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
}

#[test]
fn recaptured_memory_of_a_graph_stays() {
    if !is_since(13, 3) {
        skip!("graphs are recaptured since CUDA 13.3");
    }
    let (context, stream) = place();
    let mut to = words(&stream, &[0; 4]);
    let record = |value| {
        move |capture: &mut Capture<'_>, to: &mut DeviceBuf<u32>| {
            capture.temporary::<u32, _>(4, |capture, memory| {
                capture.fill(memory, value)?;
                capture.copy(to, memory)
            })
        }
    };
    let (mut graph, ()) = Graph::capture(&context, options(), |capture| record(1)(capture, &mut to)).unwrap();
    let ((), changed) = graph.recapture(options(), |capture| record(3)(capture, &mut to)).unwrap();
    assert_eq!(changed.len(), 1);
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(to.to_vec().unwrap(), [3; 4]);
}

#[test]
fn recaptured_nodes_have_only_their_new_accesses() {
    if !is_since(13, 3) {
        skip!("graphs are recaptured since CUDA 13.3");
    }
    let (context, stream) = place();
    let (mut first, mut second) = (words(&stream, &[0]), words(&stream, &[0]));
    let cells = [0, 0].map(|start| HostCell::new(PinnedBuf::from_slice(&context, &[start]).unwrap()));
    type Cell = HostCell<PinnedBuf<u32>>;
    type Side<'a> = (&'a mut DeviceBuf<u32>, &'a Cell);
    fn sides(capture: &mut Capture<'_>, [left, right]: [Side<'_>; 2]) -> Result<()> {
        let work = |capture: &mut Capture<'_>, (words, cell): Side<'_>, by: u32| {
            capture.fill(words, by)?;
            capture.host_with(cell, move |elements| elements[0] += by)
        };
        capture.fork(|capture| work(capture, left, 1), |capture| work(capture, right, 2)).map(drop)
    }
    let of = [(&mut first, &cells[0]), (&mut second, &cells[1])];
    let (mut graph, ()) = Graph::capture(&context, options(), |capture| sides(capture, of)).unwrap();
    let mut program = instantiate(&mut graph);
    run(&mut program, &stream);
    // The branches exchange their memory.
    for round in 0..3 {
        let [left, right] = [(&mut first, &cells[0]), (&mut second, &cells[1])];
        let of = if round % 2 == 0 { [right, left] } else { [left, right] };
        graph.recapture(options(), |capture| sides(capture, of)).unwrap();
    }
    run(&mut instantiate(&mut graph), &stream);
    assert_eq!((first.to_vec().unwrap(), second.to_vec().unwrap()), (vec![2], vec![1]));
    assert!(cells.iter().all(|cell| *cell.lock().unwrap() == [3]));
}
