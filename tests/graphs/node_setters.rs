//! Nodes that get other parameters: in graphs, and in executable graphs.

use crate::setup::{instantiate, is_since, kernel, module, place, words};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{AddNodes, EdgeData, Graph, HostCell, SetNodes};
use cuda_rt::launch::Arg;
use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
use cuda_rt::{DeviceBuf, Event, LaunchConfig, PinnedBuf};
use cuda_suite::{context, invalid};
use std::sync::{Arc, Mutex};

fn graph() -> Graph {
    Graph::new(&context()).unwrap()
}

fn cell(values: &[u32]) -> HostCell<PinnedBuf<u32>> {
    HostCell::new(PinnedBuf::from_slice(&context(), values).unwrap())
}

#[test]
fn executable_takes_other_parameters() {
    let (context, stream) = place();
    let (mut a, mut b, output) = (words(&stream, &[0; 2]), words(&stream, &[5; 2]), cell(&[0; 2]));
    let (module, mut graph) = (module(&context), graph());
    let put = kernel(&module, "put");
    let one = LaunchConfig::new(1, 1);
    let fill = graph.fill(&[], &mut a, 1).unwrap();
    // SAFETY: one thread writes the first word, which the graph keeps, after the fill.
    let kernel = unsafe { graph.kernel(&[fill.any()], &put, one, (Arg(a.ptr(), &a), 2)) }.unwrap();
    let copy = graph.copy(&[kernel.any()], &mut b, &a).unwrap();
    let back = graph.download(&[copy.any()], &output, &b).unwrap();
    let host = graph.host_with(&[back.any()], &output, |words: &mut [u32]| words[1] += 10).unwrap();
    let mut program = instantiate(&mut graph);
    program.launch(&stream).unwrap();
    assert_eq!(*output.lock().unwrap(), [2, 11]);
    program.set_fill(fill, &mut a, 3).unwrap();
    // SAFETY: as above, with the second word.
    unsafe { program.set_kernel(kernel, &put, one, (Arg(a.ptr().add(1), &a), 4)) }.unwrap();
    program.set_host_with(host, &output, |words: &mut [u32]| words[0] += 100).unwrap();
    program.launch(&stream).unwrap();
    assert_eq!(*output.lock().unwrap(), [103, 4]);
    let other = words(&stream, &[7, 8]);
    program.set_copy(copy, &mut b, &other).unwrap();
    drop(other);
    let fresh = words(&stream, &[0; 2]);
    program.launch(&stream).unwrap();
    assert_eq!(*output.lock().unwrap(), [107, 8]);
    drop(fresh);
    // The graph has its own parameters.
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(*output.lock().unwrap(), [2, 11]);
}

#[test]
fn graph_takes_other_parameters_for_later_executables() {
    let (_, stream) = place();
    let (mut a, mut b) = (words(&stream, &[0; 2]), words(&stream, &[0; 2]));
    let mut graph = graph();
    let fill = graph.fill(&[], &mut a, 1).unwrap();
    let mut before = instantiate(&mut graph);
    graph.set_fill(fill, &mut b, 2).unwrap();
    let mut after = instantiate(&mut graph);
    before.launch(&stream).unwrap();
    after.launch(&stream).unwrap();
    assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (vec![1; 2], vec![2; 2]));
}

#[test]
fn old_parameters_are_released_after_the_last_launch() {
    let (_, stream) = place();
    let value = Arc::new(());
    let mut graph = graph();
    let host = {
        let value = Arc::clone(&value);
        graph.host(&[], move || drop(Arc::clone(&value))).unwrap()
    };
    let mut program = instantiate(&mut graph);
    program.launch(&stream).unwrap();
    program.set_host(host, || ()).unwrap();
    graph.set_host(host, || ()).unwrap();
    stream.synchronize().unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while Arc::strong_count(&value) > 1 {
        assert!(std::time::Instant::now() < deadline, "the old function is released eventually");
        std::thread::yield_now();
    }
    program.launch(&stream).unwrap();
    stream.synchronize().unwrap();
}

#[test]
fn setter_after_the_graph_was_dropped_works() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0; 2]);
    let mut graph = graph();
    let fill = graph.fill(&[], &mut numbers, 1).unwrap();
    let mut program = instantiate(&mut graph);
    drop(graph);
    program.set_fill(fill, &mut numbers, 2).unwrap();
    program.launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [2; 2]);
}

#[test]
fn setter_with_a_foreign_or_removed_node_is_refused() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0; 2]);
    let (mut graph, mut other) = (graph(), graph());
    let (fill, foreign) =
        (graph.fill(&[], &mut numbers, 1).unwrap(), other.fill(&[], &mut numbers, 1).unwrap());
    let mut program = instantiate(&mut graph);
    assert_eq!(program.set_fill(foreign, &mut numbers, 2).unwrap_err(), invalid("another graph"));
    assert_eq!(graph.set_fill(foreign, &mut numbers, 2).unwrap_err(), invalid("another graph"));
    let mut clone = graph.try_clone().unwrap();
    let in_clone = graph.find_in_clone(&mut clone, fill).unwrap();
    assert_eq!(program.set_fill(in_clone, &mut numbers, 2).unwrap_err(), invalid("another graph"));
    graph.remove_node(fill.any()).unwrap();
    assert_eq!(program.set_fill(fill, &mut numbers, 2).unwrap_err(), invalid("removed"));
    program.launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [1; 2]);
}

#[test]
fn setter_that_takes_the_order_away_is_refused() {
    let (_, stream) = place();
    let (a, b, cell, other) = (words(&stream, &[1]), words(&stream, &[2]), cell(&[0]), cell(&[0]));
    let mut graph = graph();
    let first = graph.download(&[], &cell, &a).unwrap();
    graph.host_with(&[], &other, |numbers: &mut [u32]| numbers[0] += 1).unwrap();
    let mut program = instantiate(&mut graph);
    let error = program.set_download(first, &other, &a).unwrap_err();
    assert_eq!(error, invalid("touch the same memory"));
    program.set_download(first, &cell, &b).unwrap();
    program.launch(&stream).unwrap();
    assert_eq!(*cell.lock().unwrap(), [2]);
    // With other edges than the executable graph has, no order is known.
    graph.empty(&[]).unwrap();
    let error = program.set_download(first, &cell, &a).unwrap_err();
    assert_eq!(error, invalid("has got other nodes or edges since"));
    let mut similar = Graph::new(&context()).unwrap();
    similar.download(&[], &cell, &b).unwrap();
    similar.host_with(&[], &other, |numbers: &mut [u32]| numbers[0] += 1).unwrap();
    program.update(&mut similar).unwrap();
    let error = program.set_download(first, &cell, &a).unwrap_err();
    assert_eq!(error, invalid("was updated from another graph"));
    assert_eq!(program.set_enabled(first, false).unwrap_err(), error);
    assert_eq!(program.is_enabled(first).unwrap_err(), error);
}

/// Returns a host function that appends a number to `seen`.
fn numbered(seen: &Arc<Mutex<Vec<u32>>>, number: u32) -> impl Fn() + Send + Sync + use<> {
    let seen = Arc::clone(seen);
    move || seen.lock().unwrap().push(number)
}

#[test]
fn setter_after_update_with_other_nodes_is_refused() {
    let (_, stream) = place();
    let (seen, mut graph) = (Arc::default(), graph());
    let first = graph.host(&[], numbered(&seen, 1)).unwrap();
    let second = graph.host(&[], numbered(&seen, 2)).unwrap();
    let mut program = instantiate(&mut graph);
    graph.remove_node(first.any()).unwrap();
    let third = graph.host(&[], numbered(&seen, 3)).unwrap();
    program.update(&mut graph).unwrap();
    // The driver has paired the second node with the first one.
    let refused = invalid("after nodes or edges of its own graph changed");
    assert_eq!(program.set_host(second, || {}).unwrap_err(), refused);
    assert_eq!(program.set_host(third, || {}).unwrap_err(), refused);
    drop(graph);
    program.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    seen.lock().unwrap().sort_unstable();
    assert_eq!(*seen.lock().unwrap(), [2, 3]);
    assert_eq!(Arc::strong_count(&seen), 3, "the executable graph keeps both functions");
}

#[test]
fn setter_after_update_with_other_edges_is_refused() {
    let (_, stream) = place();
    let (seen, mut graph) = (Arc::default(), graph());
    let first = graph.host(&[], numbered(&seen, 1)).unwrap();
    let second = graph.host(&[first.any()], numbered(&seen, 2)).unwrap();
    let mut program = instantiate(&mut graph);
    graph.set_host(second, numbered(&seen, 20)).unwrap();
    program.update(&mut graph).unwrap();
    program.set_host(second, numbered(&seen, 21)).unwrap();
    graph.remove_edge(first.any(), second.any(), EdgeData::default()).unwrap();
    graph.add_edge(second.any(), first.any(), EdgeData::default()).unwrap();
    program.set_host(first, numbered(&seen, 10)).unwrap();
    program.update(&mut graph).unwrap();
    let refused = invalid("after nodes or edges of its own graph changed");
    assert_eq!(program.set_host(first, || {}).unwrap_err(), refused);
    drop(graph);
    program.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(*seen.lock().unwrap(), [20, 1]);
}

#[test]
fn child_of_an_executable_is_changed() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0]);
    let part = |buffer: &mut DeviceBuf<u32>, value| {
        let mut part = graph();
        part.fill(&[], buffer, value).unwrap();
        part
    };
    let mut whole = graph();
    let child = whole.child(&[], &mut part(&mut numbers, 1)).unwrap();
    let mut program = instantiate(&mut whole);
    let changed = program.set_child(child, &mut part(&mut numbers, 2));
    if !is_since(11, 1) {
        return assert_eq!(changed.unwrap_err().kind(), ErrorKind::FunctionMissing);
    }
    changed.unwrap();
    program.launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [2]);
    let mut larger = part(&mut numbers, 3);
    larger.empty(&[]).unwrap();
    let refused = program.set_child(child, &mut larger).unwrap_err();
    assert_eq!(refused.code(), Some(Code::GraphExecUpdateFailure));
    numbers.as_slice_mut().fill(0).unwrap();
    program.launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [2], "a refusal changes nothing");
    assert_eq!(program.set_child(child, &mut whole).unwrap_err(), invalid("no child of itself"));
}

#[test]
fn events_of_an_executable_are_changed() {
    if !is_since(11, 1) {
        cuda_suite::skip!("event nodes need CUDA 11.1");
    }
    let (context, stream) = place();
    let [first, second, third] = [(); 3].map(|()| Event::new(&context).unwrap());
    let mut graph = graph();
    let wait = graph.event_wait(&[], &first).unwrap();
    let record = graph.event_record(&[wait.any()], &first).unwrap();
    let mut program = instantiate(&mut graph);
    program.set_event_record(record, &second).unwrap();
    program.set_event_wait(wait, &second).unwrap();
    graph.set_event_record(record, &third).unwrap();
    graph.set_event_wait(wait, &third).unwrap();
    drop(first);
    for (mut program, event) in [(program, &second), (instantiate(&mut graph), &third)] {
        assert!(event.milliseconds_since(event).is_err(), "the event was not recorded");
        program.launch(&stream).unwrap();
        event.synchronize().unwrap();
        assert_eq!(event.milliseconds_since(event), Ok(0.0));
    }
}

#[test]
fn nodes_are_switched_off_and_on() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0]);
    let mut graph = graph();
    let first = graph.fill(&[], &mut numbers, 1).unwrap();
    let second = graph.fill(&[first.any()], &mut numbers, 2).unwrap();
    let mut program = instantiate(&mut graph);
    let switched = program.set_enabled(second, false);
    if !is_since(11, 6) {
        return assert_eq!(switched.unwrap_err().kind(), ErrorKind::FunctionMissing);
    }
    switched.unwrap();
    assert!(!program.is_enabled(second).unwrap() && program.is_enabled(first).unwrap());
    program.launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [1]);
    program.set_enabled(second, true).unwrap();
    program.launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [2]);
}

#[test]
fn failed_setter_changes_nothing() {
    let (context, stream) = place();
    let (module, numbers) = (module(&context), words(&stream, &[0]));
    let (put, mut graph) = (kernel(&module, "put"), graph());
    let one = LaunchConfig::new(1, 1);
    // SAFETY: one thread writes the number, which lives until the end.
    let node = unsafe { graph.kernel(&[], &put, one, (numbers.ptr(), 1)) }.unwrap();
    let mut program = instantiate(&mut graph);
    // SAFETY: the change is refused, so that no launch uses these parameters.
    let set = unsafe { program.set_kernel(node, &put, LaunchConfig::new(1, 100_000), (numbers.ptr(), 2)) };
    assert!(set.is_err());
    assert!(!program.is_poisoned());
    program.launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [1]);
}

#[test]
fn crossed_child_setters_do_not_deadlock() {
    let (mut first, mut second, mut part) = (graph(), graph(), graph());
    part.empty(&[]).unwrap();
    let (mut left, mut right) = (instantiate(&mut first), instantiate(&mut second));
    // A node of another graph is refused when both graphs are locked.
    let node = graph().child(&[], &mut part).unwrap();
    std::thread::scope(|scope| {
        for (program, graph) in [(&mut left, &mut second), (&mut right, &mut first)] {
            scope.spawn(move || {
                for _ in 0..2000 {
                    assert!(program.set_child(node, graph).is_err());
                }
            });
        }
    });
}

/// Returns a copy of the last two words of each of the first `rows` rows of an array.
fn words_of<'a>(array: &'a Array, numbers: &'a mut DeviceBuf<u32>, rows: usize) -> Memcpy3D<'a> {
    let from = CopySource::array(array).at(8, 0, 0);
    Memcpy3D::new(CopyDestination::device(numbers.as_slice_mut()), from, 8, rows, 1)
}

#[test]
fn row_of_an_array_is_replaced_in_an_executable() {
    let (_, stream) = place();
    let descriptor = ArrayDescriptor::plane(4, 2, ArrayFormat::UNSIGNED_INT32, 1);
    let array = |words: [u32; 8]| {
        let array = Array::new(&stream, descriptor).unwrap();
        array.copy_all_from_host(&words).unwrap();
        array
    };
    let (first, second) = (array([1; 8]), array([2, 3, 4, 5, 6, 7, 8, 9]));
    let (mut numbers, mut graph) = (words(&stream, &[0; 4]), graph());
    let node = graph.copy_block(&[], &words_of(&first, &mut numbers, 1)).unwrap();
    let mut program = instantiate(&mut graph);
    program.set_copy_block(node, &words_of(&second, &mut numbers, 1)).unwrap();
    let refused = program.set_copy_block(node, &words_of(&second, &mut numbers, 2)).unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidValue));
    let linear = words(&stream, &[6; 4]);
    let (to, from) = (CopyDestination::device(numbers.as_slice_mut()), CopySource::device(linear.as_slice()));
    let refused = program.set_copy_block(node, &Memcpy3D::new(to, from, 8, 1, 1)).unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidValue));
    program.launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [4, 5, 0, 0]);
}
