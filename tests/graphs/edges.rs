//! Edges and nodes of graphs: queries, changes, clones, and descriptions.

use crate::setup::{instantiate, is_since, kernel, module, place, words};
use cuda_rt::error::ErrorKind;
use cuda_rt::graph::{
    AddNodes, AnyNode, CaptureOptions, DotFlags, EdgeData, EdgeType, Graph, KernelPort, NodeType,
};
use cuda_rt::launch::LaunchAttributes;
use cuda_rt::{DeviceBuf, LaunchConfig};
use cuda_suite::{context, invalid, skip};

/// A graph of four empty nodes: one, two that wait for it, and one that waits for both.
fn diamond() -> (Graph, [AnyNode; 4]) {
    let mut graph = Graph::new(&context()).unwrap();
    let top = graph.empty(&[]).unwrap().any();
    let left = graph.empty(&[top]).unwrap().any();
    let right = graph.empty(&[top]).unwrap().any();
    let bottom = graph.empty(&[left, right]).unwrap().any();
    (graph, [top, left, right, bottom])
}

fn sorted<T: Ord>(list: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list = Vec::from_iter(list);
    list.sort();
    list
}

#[test]
fn structure_of_a_graph_is_told() {
    let (mut graph, [top, left, right, bottom]) = diamond();
    assert_eq!(sorted(graph.nodes().unwrap()), sorted([top, left, right, bottom]));
    assert_eq!(graph.node_count().unwrap(), 4);
    assert_eq!(graph.roots().unwrap(), [top]);
    let edges = sorted([(top, left), (top, right), (left, bottom), (right, bottom)]);
    assert_eq!(sorted(graph.edges().unwrap()), edges);
    let full = graph.edges_with_data().unwrap();
    assert!(full.iter().all(|(_, _, data)| *data == EdgeData::new()));
    assert_eq!(sorted(full.into_iter().map(|(from, to, _)| (from, to))), edges);
    let nodes = |list: Vec<(AnyNode, EdgeData)>| sorted(list.into_iter().map(|(node, _)| node));
    assert_eq!(nodes(graph.dependencies(bottom).unwrap()), sorted([left, right]));
    assert_eq!(nodes(graph.dependents(top).unwrap()), sorted([left, right]));
    assert_eq!(graph.dependencies(top).unwrap(), []);
    assert_eq!(graph.node_type(top).unwrap(), NodeType::EMPTY);
}

#[test]
fn edges_are_added_and_removed() {
    let (mut graph, [top, left, right, bottom]) = diamond();
    graph.remove_edge(left, bottom, EdgeData::new()).unwrap();
    graph.add_edge(left, right, EdgeData::new()).unwrap();
    assert_eq!(
        sorted(graph.edges().unwrap()),
        sorted([(top, left), (top, right), (right, bottom), (left, right)])
    );
    let refused = graph.remove_edge(left, bottom, EdgeData::new()).unwrap_err().to_string();
    let named = |node: AnyNode| format!("{node:?}").replace("AnyNode(", "node ").replace(')', "");
    let ends = format!("no edge from {} to {} with ", named(left), named(bottom));
    assert!(refused.contains(&ends), "{refused}");
    graph.remove_node(right).unwrap();
    assert_eq!(graph.edges().unwrap(), [(top, left)]);
    assert_eq!(sorted(graph.roots().unwrap()), sorted([top, bottom]));
    let (_, [foreign, ..]) = diamond();
    assert_eq!(graph.add_edge(foreign, top, EdgeData::new()).unwrap_err(), invalid("another graph"));
    assert_eq!(graph.node_type(right).unwrap_err(), invalid("removed"));
}

#[test]
fn cycle_is_refused_when_instantiated() {
    let (mut graph, [top, .., bottom]) = diamond();
    // Some drivers refuse the edge, others the graph.
    let added = graph.add_edge(bottom, top, EdgeData::new());
    assert!(added.is_err() || graph.instantiate(Default::default()).is_err());
}

#[test]
fn edge_data_before_12_3_is_missing() {
    if is_since(12, 3) {
        skip!("this driver has data of edges");
    }
    let (mut graph, [top, .., bottom]) = diamond();
    let error = graph.add_edge(top, bottom, EdgeData::programmatic()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FunctionMissing);
    assert!(error.to_string().contains("12.3"), "{error}");
}

#[test]
fn programmatic_edge_joins_two_kernels() {
    if !is_since(12, 3) {
        skip!("data of edges needs CUDA 12.3");
    }
    let (context, stream) = place();
    if context.device().compute_capability().unwrap() < (9, 0).into() {
        skip!("programmatic edges need compute capability 9.0");
    }
    let (module, numbers) = (module(&context), words(&stream, &[0, 0]));
    let (put, one) = (kernel(&module, "put"), LaunchConfig::new(1, 1));
    let mut graph = Graph::new(&context).unwrap();
    // SAFETY: the kernels write different words, which live until the end.
    let first = unsafe { graph.kernel(&[], &put, one, (numbers.ptr(), 1)) }.unwrap().any();
    // SAFETY: as above.
    let second = unsafe { graph.kernel(&[], &put, one, (numbers.ptr().add(1), 2)) }.unwrap().any();
    graph.add_edge(first, second, EdgeData::programmatic()).unwrap();
    let edges = graph.edges_with_data().unwrap();
    let [(from, to, data)] = edges[..] else { panic!("{edges:?}") };
    assert_eq!((from, to), (first, second));
    assert_eq!((data.edge_type(), data.from_port()), (EdgeType::PROGRAMMATIC, KernelPort::PROGRAMMATIC));
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [1, 2]);
    graph.remove_edge(first, second, EdgeData::programmatic()).unwrap();
    assert_eq!(graph.edges().unwrap(), []);
}

#[test]
fn clone_keeps_what_the_original_kept() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0; 2]);
    let mut graph = Graph::new(&context()).unwrap();
    let first = graph.fill(&[], numbers.slice_mut(..1).unwrap(), 1).unwrap();
    let second = graph.fill(&[], numbers.slice_mut(1..).unwrap(), 2).unwrap();
    let mut clone = graph.try_clone().unwrap();
    let same = graph.find_in_clone(&mut clone, first).unwrap();
    let other = graph.find_any_in_clone(&mut clone, second.any()).unwrap();
    assert_ne!(same.any(), first.any());
    assert_eq!(sorted(clone.nodes().unwrap()), sorted([same.any(), other]));
    clone.remove_node(other).unwrap();
    assert!(graph.find_in_clone(&mut clone, second).is_err(), "the clone has lost the node");
    drop(graph);
    instantiate(&mut clone).launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [1, 0]);
}

#[test]
fn clone_refuses_unordered_uses_as_the_original() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0]);
    let mut graph = Graph::new(&context()).unwrap();
    let first = graph.fill(&[], &mut numbers, 1).unwrap();
    graph.fill(&[first.any()], &mut numbers, 2).unwrap();
    let mut clone = graph.try_clone().unwrap();
    drop(clone.instantiate(Default::default()).unwrap());
    let first = graph.find_in_clone(&mut clone, first).unwrap();
    let [(second, data)] = clone.dependents(first.any()).unwrap()[..] else { panic!() };
    clone.remove_edge(first.any(), second, data).unwrap();
    assert_eq!(clone.instantiate(Default::default()).unwrap_err(), invalid("touch the same memory"));
}

#[test]
fn dot_describes_each_node() {
    let (mut graph, _) = diamond();
    if !is_since(11, 3) {
        let error = graph.dot(DotFlags::empty()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FunctionMissing);
        return;
    }
    let text = graph.dot(DotFlags::VERBOSE).unwrap();
    assert!(text.starts_with("digraph") && text.trim_end().ends_with('}'), "{text}");
    assert_eq!(text.matches("->").count(), 4, "{text}");
    let file = std::env::temp_dir().join(format!("cuda-rt-dot-{}.dot", std::process::id()));
    graph.write_dot(&file, DotFlags::empty()).unwrap();
    let written = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(written.starts_with("digraph"), "{written}");
    let error = graph.write_dot("/no/such/folder/graph.dot", DotFlags::empty()).unwrap_err();
    assert_eq!(error.call(), Some("cuGraphDebugDotPrint"));
    assert_eq!(graph.write_dot("a\0b", DotFlags::empty()).unwrap_err(), invalid("is NUL"));
}

#[test]
fn ids_of_graphs_and_nodes_differ() {
    let (mut graph, [top, left, ..]) = diamond();
    let (mut other, _) = diamond();
    if !is_since(13, 1) {
        let error = graph.id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FunctionMissing);
        assert!(error.to_string().contains("13.1"), "{error}");
        return;
    }
    assert_ne!(graph.id().unwrap(), other.id().unwrap());
    assert_ne!(graph.node_id(top).unwrap(), graph.node_id(left).unwrap());
    assert_ne!(graph.node_tools_id(top).unwrap(), graph.node_tools_id(left).unwrap());
}

#[test]
fn kernel_attributes_are_set_and_copied() {
    let (context, stream) = place();
    let (module, numbers) = (module(&context), words(&stream, &[0]));
    let (put, one) = (kernel(&module, "put"), LaunchConfig::new(1, 1));
    let mut graph = Graph::new(&context).unwrap();
    // SAFETY: one thread writes the number, which lives until the end.
    let first = unsafe { graph.kernel(&[], &put, one, (numbers.ptr(), 1)) }.unwrap();
    // SAFETY: as above, afterwards.
    let second = unsafe { graph.kernel(&[first.any()], &put, one, (numbers.ptr(), 2)) }.unwrap();
    match graph.kernel_attributes(first) {
        Err(error) if error.code() == Some(cuda_rt::error::Code::NotSupported) => {
            skip!("the driver has no attributes of kernel nodes: {error}")
        }
        attributes => assert_ne!(attributes.unwrap().cooperative, Some(true)),
    }
    if !is_since(11, 7) {
        skip!("priorities of nodes need CUDA 11.7");
    }
    let priority = *context.stream_priority_range().unwrap().start();
    // SAFETY: a priority changes nothing but the order among independent kernels.
    unsafe { graph.set_kernel_attributes(first, &LaunchAttributes::new().priority(priority)) }.unwrap();
    // SAFETY: as above.
    unsafe { graph.copy_kernel_attributes(second, first) }.unwrap();
    assert_eq!(graph.kernel_attributes(second).unwrap().priority, Some(priority));
    let event = cuda_rt::Event::new(&context).unwrap();
    let with_event = LaunchAttributes::new().launch_completion_event(&event);
    // SAFETY: the attribute is refused.
    let error = unsafe { graph.set_kernel_attributes(first, &with_event) }.unwrap_err();
    assert_eq!(error, invalid("attributes with events belong to launches"));
    let launch = put.with(one).attributes(&with_event);
    let captured = cuda_rt::graph::Graph::capture(&context, cuda_rt::graph::CaptureOptions::new(), |c| {
        // SAFETY: the attribute is refused.
        let error = unsafe { launch.launch(c, (numbers.ptr(), 3)) }.unwrap_err();
        assert_eq!(error, invalid("attributes with events are not captured"));
        Ok(())
    });
    assert_eq!(captured.unwrap().0.nodes().unwrap(), []);
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [2]);
}

#[test]
fn each_node_of_a_captured_fill_is_ordered() {
    let (context, stream) = place();
    if !is_since(11, 3) {
        skip!("the driver does not tell the nodes of a capture");
    }
    let mut pairs = DeviceBuf::<[u32; 2]>::zeroed(&stream, 4).unwrap();
    let refused = invalid("touch the same memory");
    for case in 0..4 {
        let options = CaptureOptions::new();
        let (mut graph, ()) =
            Graph::capture(&context, options, |capture| capture.fill(&mut pairs, [1, 2])).unwrap();
        let [first] = graph.roots().unwrap()[..] else { panic!("a chain of two nodes") };
        let nodes = graph.nodes().unwrap();
        let last = nodes.into_iter().find(|node| *node != first).unwrap();
        match case {
            0 => graph.remove_node(first).unwrap(),
            1 => graph.remove_node(last).unwrap(),
            2 => graph.remove_edge(first, last, EdgeData::default()).unwrap(),
            _ => {}
        }
        if case != 2 {
            instantiate(&mut graph);
            let other = graph.fill(&[], &mut pairs, [0, 0]).unwrap().any();
            if case == 3 {
                // It comes before the last node only.
                graph.add_edge(other, last, EdgeData::default()).unwrap();
            }
        }
        assert_eq!(graph.instantiate(Default::default()).unwrap_err(), refused, "{case}");
    }
}
