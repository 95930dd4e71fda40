//! Memory that graphs allocate: its nodes, and the counts of a device.

use crate::setup::{instantiate, is_since, place, words};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{AddNodes, CaptureOptions, EdgeData, Graph, GraphMemAttribute, NodeType};
use cuda_rt::{Error, Stream};
use cuda_suite::{context, invalid, skip};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[test]
fn graph_memory_of_an_idle_device_is_counted() {
    if !is_since(11, 4) {
        skip!("counts of graph memory need CUDA 11.4");
    }
    let device = context().device();
    let usage = device.graph_mem_usage().unwrap();
    assert!(usage.used <= usage.used_high && usage.reserved <= usage.reserved_high, "{usage:?}");
    let reserved = device.graph_mem_attribute(GraphMemAttribute::RESERVED_MEM_HIGH).unwrap();
    assert!(reserved >= usage.reserved);
}

#[test]
fn graph_memory_current_count_cannot_be_set() {
    if !is_since(11, 4) {
        skip!("counts of graph memory need CUDA 11.4");
    }
    let device = context().device();
    let error = device.set_graph_mem_attribute(GraphMemAttribute::USED_MEM_CURRENT, 0).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().ends_with("attribute USED_MEM_CURRENT, value 0"), "{error}");
}

#[test]
fn graph_memory_high_marks_can_be_reset() {
    if !is_since(11, 4) {
        skip!("counts of graph memory need CUDA 11.4");
    }
    let device = context().device();
    device.reset_graph_mem_high_marks().unwrap();
    device.trim_graph_memory().unwrap();
    let usage = device.graph_mem_usage().unwrap();
    assert!(usage.used_high >= usage.used, "{usage:?}");
}

#[test]
fn graph_memory_before_11_4_is_missing() {
    if is_since(11, 4) {
        skip!("this driver has counts of graph memory");
    }
    let error = context().device().graph_mem_usage().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FunctionMissing);
    assert!(error.to_string().contains("11.4"), "{error}");
}

/// A graph with memory of its own; `None` if the driver has none.
macro_rules! with_memory {
    ($work:expr) => {{
        if !is_since(11, 4) {
            skip!("memory of graphs needs CUDA 11.4");
        }
        let mut graph = Graph::new(&context()).unwrap();
        match graph.temporary::<u32, _>(&[], 4, $work) {
            Err(error) if error.code() == Some(Code::NotSupported) => {
                skip!("the device has no memory of graphs: {error}")
            }
            added => added.unwrap(),
        };
        graph
    }};
}

#[test]
fn temporary_memory_is_the_same_in_each_launch() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0; 4]);
    let mut graph = with_memory!(|nodes, scratch| {
        let left = nodes.fill(&[], scratch.slice(..2)?, 3)?;
        let right = nodes.fill(&[], scratch.slice(2..)?, 4)?;
        nodes.copy(&[left.any(), right.any()], &mut numbers, scratch)
    });
    let mut program = instantiate(&mut graph);
    for _ in 0..100 {
        program.launch(&stream).unwrap();
    }
    assert_eq!(numbers.to_vec().unwrap(), [3, 3, 4, 4]);
}

#[test]
fn free_comes_after_all_nodes_of_the_closure() {
    let mut graph = with_memory!(|nodes, scratch| {
        let first = nodes.fill(&[], scratch.slice(..1)?, 1)?;
        nodes.fill(&[], scratch.slice(1..)?, 1)?;
        nodes.empty(&[first.any()])
    });
    let nodes = graph.nodes().unwrap();
    let of = |graph: &mut Graph, wanted| {
        *nodes.iter().find(|node| graph.node_type(**node).unwrap() == wanted).unwrap()
    };
    let (alloc, free) = (of(&mut graph, NodeType::MEM_ALLOC), of(&mut graph, NodeType::MEM_FREE));
    assert_eq!(graph.roots().unwrap(), [alloc]);
    let mut reached = vec![free];
    let mut next = 0;
    while next < reached.len() {
        for (node, _) in graph.dependencies(reached[next]).unwrap() {
            if !reached.contains(&node) {
                reached.push(node);
            }
        }
        next += 1;
    }
    assert_eq!(reached.len(), nodes.len(), "the free waits for every node");
}

#[test]
fn graph_with_memory_is_restricted() {
    let mut graph = with_memory!(|nodes, scratch| nodes.fill(&[], scratch, 1));
    let first = instantiate(&mut graph);
    let error = graph.instantiate(Default::default()).unwrap_err();
    assert_eq!(
        error,
        invalid("a graph with nodes that allocate memory allows one executable graph at a time")
    );
    drop(first);
    assert_eq!(graph.try_clone().unwrap_err(), invalid("no clone"));
    let mut other = Graph::new(&context()).unwrap();
    assert_eq!(other.child(&[], &mut graph).unwrap_err(), invalid("no copy as a child"));
    let (from, to) = graph.edges().unwrap()[0];
    assert_eq!(graph.remove_edge(from, to, EdgeData::new()).unwrap_err(), invalid("no removal of edges"));
    assert_eq!(graph.remove_node(from).unwrap_err(), invalid("no removal of nodes"));
}

#[test]
fn memory_restricts_a_graph_with_conditional_nodes() {
    if !is_since(12, 4) {
        skip!("conditional nodes need CUDA 12.4");
    }
    let mut graph = Graph::new(&context()).unwrap();
    let condition = graph.condition(1).unwrap();
    graph.if_(&[], condition, |body| body.empty(&[]).map(drop)).unwrap();
    graph.temporary::<u32, _>(&[], 4, |nodes, scratch| nodes.fill(&[], scratch, 1)).unwrap();
    let (from, to) = graph.edges().unwrap()[0];
    assert_eq!(graph.remove_edge(from, to, EdgeData::new()).unwrap_err(), invalid("no removal of edges"));
}

#[test]
fn graph_memory_in_another_graph_is_refused() {
    let (_, stream) = place();
    let (mut numbers, mut other) = (words(&stream, &[0; 4]), Graph::new(&context()).unwrap());
    let _graph = with_memory!(|nodes, scratch| {
        assert_eq!(other.fill(&[], scratch, 1).unwrap_err(), invalid("it belongs to another graph"));
        assert_eq!(
            other.copy(&[], &mut numbers, scratch).unwrap_err(),
            invalid("it belongs to another graph")
        );
        nodes.fill(&[], scratch, 1)
    });
    assert_eq!(other.nodes().unwrap(), []);
}

#[test]
fn failed_closure_still_frees_the_memory() {
    if !is_since(11, 4) {
        skip!("memory of graphs needs CUDA 11.4");
    }
    let (_, stream) = place();
    let mut graph = Graph::new(&context()).unwrap();
    let failed: Result<(), Error> = graph.temporary::<u32, _>(&[], 4, |nodes, scratch| {
        nodes.fill(&[], scratch, 1)?;
        nodes.fill(&[], scratch.slice(..0)?, 1).map(drop)
    });
    let error = failed.unwrap_err();
    if error.code() == Some(Code::NotSupported) {
        skip!("the device has no memory of graphs");
    }
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let mut program = instantiate(&mut graph);
    for _ in 0..3 {
        program.launch(&stream).unwrap();
    }
    stream.synchronize().unwrap();
}

#[test]
fn graph_memory_in_another_capture_is_refused() {
    if !is_since(11, 4) {
        skip!("memory of graphs needs CUDA 11.4");
    }
    let (context, stream) = place();
    let mut numbers = words(&stream, &[0; 4]);
    let options = CaptureOptions::new();
    let captured = Graph::capture(&context, options, |outer| {
        outer.temporary::<u32, _>(4, |outer, scratch| {
            Graph::capture(&context, options, |inner| {
                assert_eq!(inner.fill(scratch, 1).unwrap_err(), invalid("it belongs to another graph"));
                let error = inner.copy(&mut numbers, scratch).unwrap_err();
                assert_eq!(error, invalid("it belongs to another graph"));
                Ok(())
            })?;
            outer.fill(scratch, 1)
        })
    });
    match captured {
        Err(error) if error.code() == Some(Code::NotSupported) => skip!("no memory of graphs: {error}"),
        captured => assert_eq!(captured.unwrap().0.nodes().unwrap().len(), 3),
    }
}

#[test]
fn updates_count_as_executables_of_a_graph() {
    let mut first = with_memory!(|nodes, scratch| nodes.fill(&[], scratch, 1));
    let mut second = with_memory!(|nodes, scratch| nodes.fill(&[], scratch, 2));
    let (mut one, two) = (instantiate(&mut first), instantiate(&mut second));
    assert_eq!(one.update(&mut second).unwrap_err(), invalid("one executable graph at a time"));
    assert!(!one.is_poisoned());
    drop(two);
    if let Err(error) = one.update(&mut second) {
        assert_eq!(error.code(), Some(Code::GraphExecUpdateFailure), "{error}");
        skip!("the driver does not update nodes that allocate memory");
    }
    assert_eq!(
        second.instantiate(Default::default()).unwrap_err(),
        invalid("one executable graph at a time")
    );
    one.update(&mut second).unwrap();
    drop(one);
    drop(instantiate(&mut second));
}

#[test]
fn memory_inside_of_memory_is_freed_first() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0; 4]);
    let mut graph = with_memory!(|nodes, outer| {
        let fill = nodes.fill(&[], outer, 3)?;
        nodes.temporary(&[fill.any()], 4, |nodes, inner| {
            let copy = nodes.copy(&[], inner, outer)?;
            nodes.copy(&[copy.any()], &mut numbers, inner)
        })
    });
    let mut program = instantiate(&mut graph);
    for _ in 0..3 {
        program.launch(&stream).unwrap();
    }
    assert_eq!(numbers.to_vec().unwrap(), [3; 4]);
    let nodes = graph.nodes().unwrap();
    let frees: Vec<_> =
        nodes.into_iter().filter(|node| graph.node_type(*node).unwrap() == NodeType::MEM_FREE).collect();
    let [first, second] = frees[..] else { panic!("{frees:?}") };
    let waits = graph.dependencies(second).unwrap();
    assert!(waits.iter().any(|(node, _)| *node == first), "the outer free waits for the inner one");
}

#[test]
fn graph_with_memory_is_not_moved_from_its_executable() {
    if !is_since(12, 9) {
        skip!("moved children need CUDA 12.9");
    }
    let mut part = with_memory!(|nodes, scratch| nodes.fill(&[], scratch, 1));
    let program = instantiate(&mut part);
    let mut whole = Graph::new(&context()).unwrap();
    let error = whole.child_moved(&[], part).unwrap_err();
    assert_eq!(error, invalid("a move while it has no executable graph"));
    assert_eq!(whole.nodes().unwrap(), []);
    drop(program);
}

#[test]
fn next_user_of_memory_waits_for_the_launch_before() {
    let (context, stream) = place();
    for is_borrowed in [false, true] {
        for way in 0..3 {
            if way == 2 && !is_since(12, 9) {
                continue;
            }
            let is_over = Arc::new(AtomicBool::new(false));
            let inner = Arc::clone(&is_over);
            let mut graph = with_memory!(|nodes, scratch| {
                let fill = nodes.fill(&[], scratch, 3)?;
                nodes.host(&[fill.any()], move || {
                    std::thread::sleep(Duration::from_millis(20));
                    inner.store(true, Ordering::SeqCst);
                })
            });
            let mut other = instantiate(&mut with_memory!(|nodes, scratch| nodes.fill(&[], scratch, 1)));
            let mut program = instantiate(&mut graph);
            if is_borrowed {
                program.launch(&stream.as_stream_ref()).unwrap();
            } else {
                program.launch(&stream).unwrap();
            }
            drop(program);
            match way {
                0 => drop(instantiate(&mut graph)),
                // The nodes differ, and hardware updates no nodes that allocate memory.
                1 => assert!(other.update(&mut graph).is_err()),
                _ => drop(Graph::new(&context).unwrap().child_moved(&[], graph).unwrap()),
            }
            assert!(is_over.load(Ordering::SeqCst), "borrowed: {is_borrowed}, way {way}");
        }
    }
}

#[test]
fn graph_lives_as_long_as_its_last_launch() {
    let (context, stream) = place();
    let second = Stream::new(&context).unwrap();
    for _ in 0..20 {
        let (mut numbers, mut others) = (words(&stream, &[0; 4]), words(&second, &[0; 4]));
        let mut graph = with_memory!(|nodes, scratch| {
            let fill = nodes.fill(&[], scratch, 3)?;
            let wait = nodes.host(&[fill.any()], || std::thread::sleep(Duration::from_millis(2)))?;
            let copy = nodes.copy(&[wait.any()], &mut numbers, scratch)?;
            nodes.fill(&[copy.any()], scratch, 9)
        });
        let mut program = instantiate(&mut graph);
        program.launch(&stream).unwrap();
        drop((graph, program));
        let mut graph = with_memory!(|nodes, scratch| {
            let fill = nodes.fill(&[], scratch, 4)?;
            let wait = nodes.host(&[fill.any()], || std::thread::sleep(Duration::from_millis(2)))?;
            nodes.copy(&[wait.any()], &mut others, scratch)
        });
        instantiate(&mut graph).launch(&second).unwrap();
        drop(graph);
        assert_eq!(others.to_vec().unwrap(), [4; 4]);
        assert_eq!(numbers.to_vec().unwrap(), [3; 4]);
    }
}

#[test]
fn copy_of_graph_memory_to_itself_is_refused() {
    with_memory!(|nodes, scratch| {
        let overlapping = nodes.copy(&[], scratch.slice(1..)?, scratch.slice(..3)?);
        assert_eq!(overlapping.unwrap_err(), invalid("overlap"));
        nodes.copy(&[], scratch.slice(2..)?, scratch.slice(..2)?)
    });
    let outcome = Graph::capture(&context(), CaptureOptions::new(), |c| {
        c.temporary::<u32, _>(4, |c, scratch| {
            let overlapping = c.copy(scratch.slice(..3)?, scratch.slice(1..)?);
            assert_eq!(overlapping.unwrap_err(), invalid("overlap"));
            c.copy(scratch.slice(..2)?, scratch.slice(2..)?)
        })
    });
    outcome.unwrap();
}
