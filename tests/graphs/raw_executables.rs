//! Executables: launches, and changes of their nodes.

use crate::raw_nodes::{fill, graph, kernel};
use crate::raw_setup::{begin_test, instantiate, run, word};
use cuda_suite::call;
use cuda_suite::raw::{allocate, stream};
use cuda_sys::{cuGraphDestroy, cuGraphExecDestroy, cuGraphLaunch, cuGraphUpload, cuStreamSynchronize};

#[test]
fn launches_of_one_executable_do_not_overlap() {
    begin_test();
    let words = allocate(4);
    call!(cuda_sys::cuMemsetD32_v2(words, 0, 1));
    let graph = graph();
    kernel(graph, &[], words, 1);
    let executable = instantiate(graph);
    let streams = [stream(1), stream(1)];
    for index in 0..20 {
        call!(cuGraphLaunch(executable, streams[index % 2]));
    }
    streams.into_iter().for_each(|stream| call!(cuStreamSynchronize(stream)));
    assert_eq!(word(words), 20);
}

#[test]
fn graph_can_be_destroyed_before_the_launch() {
    begin_test();
    let words = allocate(4);
    let graph = graph();
    fill(graph, &[], words, 4);
    let executable = instantiate(graph);
    call!(cuGraphDestroy(graph));
    let other = stream(1);
    if crate::raw_setup::is_since(11, 1) {
        call!(cuGraphUpload(executable, other));
    }
    run(executable, other);
    call!(cuGraphExecDestroy(executable));
    assert_eq!(word(words), 4);
}

#[test]
fn executable_can_be_destroyed_in_flight() {
    begin_test();
    let words = allocate(4);
    let graph = graph();
    fill(graph, &[], words, 5);
    let executable = instantiate(graph);
    let other = stream(1);
    call!(cuGraphLaunch(executable, other));
    call!(cuGraphExecDestroy(executable));
    call!(cuStreamSynchronize(other));
    assert_eq!(word(words), 5);
}
