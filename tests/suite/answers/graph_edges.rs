//! Questions about the edges of graphs, and about the order and the number of elements in queries.

use super::graph_scenes::*;
use super::{Answers, Question};
use cuda_suite::code;
use cuda_suite::raw::allocate;
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "graph-edge-order", devices: 1, ask: order },
    Question { name: "graph-edge-counts", devices: 1, ask: counts },
    Question { name: "graph-edge-cycles", devices: 1, ask: cycles },
    Question { name: "graph-edge-duplicates", devices: 1, ask: duplicates },
    Question { name: "graph-edge-removal", devices: 1, ask: removal },
    Question { name: "graph-edge-edge-data", devices: 1, ask: edge_data },
    Question { name: "graph-edge-node-destroyed", devices: 1, ask: node_destroyed },
];

fn edge(graph: CUgraph, from: CUgraphNode, to: CUgraphNode) -> CUresult {
    code!(cuGraphAddDependencies_v2(graph, &raw const from, &raw const to, null(), 1))
}

fn no_edge(graph: CUgraph, from: CUgraphNode, to: CUgraphNode) -> CUresult {
    code!(cuGraphRemoveDependencies_v2(graph, &raw const from, &raw const to, null(), 1))
}

fn order(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let all: Vec<CUgraphNode> = (0..4).map(|_| empty(answers, graph, &[])).collect();
    answers.value(nodes(graph) == all);
    for from in [3, 0, 2] {
        answers.must(edge(graph, all[from], all[1]));
    }
    for to in [3, 2] {
        answers.must(edge(graph, all[0], all[to]));
    }
    answers.value(nodes(graph) == all);
    answers.value(edges_among(graph, &all));
    let list = |count: usize, nodes: &[CUgraphNode]| {
        nodes[..count.min(nodes.len())].iter().map(|node| place(&all, *node)).collect::<Vec<_>>().join(",")
    };
    let (mut given, mut count) = ([null_mut(); 8], 8);
    let code = code!(cuGraphNodeGetDependencies_v2(all[1], given.as_mut_ptr(), null_mut(), &raw mut count));
    answers.given(code, list(count, &given));
    count = 8;
    let code = code!(cuGraphNodeGetDependentNodes_v2(all[0], given.as_mut_ptr(), null_mut(), &raw mut count));
    answers.given(code, list(count, &given));
    count = 8;
    let code = code!(cuGraphGetRootNodes(graph, given.as_mut_ptr(), &raw mut count));
    answers.given(code, list(count, &given));
}

fn counts(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let first = empty(answers, graph, &[]);
    let second = empty(answers, graph, &[first]);
    empty(answers, graph, &[second]);
    for size in [2_usize, 5, 0] {
        let (mut given, mut count) = ([handle(8); 8], size);
        let code = code!(cuGraphGetNodes(graph, given.as_mut_ptr(), &raw mut count));
        let untouched = given.iter().filter(|node| node.addr() == 8).count();
        let nulls = given.iter().filter(|node| node.is_null()).count();
        answers.given(code, format_args!("{count},{nulls},{untouched}"));
    }
    let (mut given, mut count) = ([handle(8); 8], 5);
    let code = code!(cuGraphGetRootNodes(graph, given.as_mut_ptr(), &raw mut count));
    let nulls = given.iter().filter(|node| node.is_null()).count();
    answers.given(code, format_args!("{count},{nulls}"));
    for size in [1_usize, 5] {
        let (mut from, mut to, mut count) = ([handle(8); 8], [handle(8); 8], size);
        let code =
            code!(cuGraphGetEdges_v2(graph, from.as_mut_ptr(), to.as_mut_ptr(), null_mut(), &raw mut count));
        let nulls = from.iter().chain(&to).filter(|node| node.is_null()).count();
        answers.given(code, format_args!("{count},{nulls}"));
    }
    let (mut given, mut count) = ([handle(8); 8], 3);
    let code = code!(cuGraphNodeGetDependencies_v2(first, given.as_mut_ptr(), null_mut(), &raw mut count));
    let nulls = given.iter().filter(|node| node.is_null()).count();
    answers.given(code, format_args!("{count},{nulls}"));
    count = 2;
    let code = code!(cuGraphGetEdges_v2(graph, null_mut(), given.as_mut_ptr(), null_mut(), &raw mut count));
    answers.given(code, count);
}

fn cycles(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let first = empty(answers, graph, &[]);
    answers.code(edge(graph, first, first));
    let second = empty(answers, graph, &[first]);
    answers.code(edge(graph, second, first));
    let third = empty(answers, graph, &[second]);
    answers.code(edge(graph, third, first));
    answers.value(shape(graph));
    let (mut exec, mut node) = (null_mut(), handle(8));
    let mut log = [0_i8; 64];
    answers.code(try_instantiate(&mut exec, graph, 0));
    answers.code(code!(cuGraphInstantiate_v2(
        &raw mut exec,
        graph,
        &raw mut node,
        log.as_mut_ptr().cast(),
        log.len()
    )));
    answers.value(format_args!("{},{}", place(&nodes(graph), node), log[0]));
}

fn duplicates(answers: &mut Answers) {
    begun();
    let (graph, other) = (new_graph(answers), new_graph(answers));
    let all: Vec<CUgraphNode> = (0..4).map(|_| empty(answers, graph, &[])).collect();
    let foreign = empty(answers, other, &[]);
    let another = empty(answers, other, &[]);
    answers.codes([edge(graph, all[0], all[1]), edge(graph, all[0], all[1])]);
    let (from, to) = ([all[0], all[0]], [all[2], all[2]]);
    answers.code(code!(cuGraphAddDependencies_v2(graph, from.as_ptr(), to.as_ptr(), null(), 2)));
    let (from, to) = ([all[0], all[0]], [all[3], all[1]]);
    answers.code(code!(cuGraphAddDependencies_v2(graph, from.as_ptr(), to.as_ptr(), null(), 2)));
    answers.value(shape(graph));
    answers.codes([
        code!(cuGraphAddDependencies_v2(graph, null(), null(), null(), 0)),
        code!(cuGraphAddDependencies_v2(graph, null(), null(), null(), 1)),
        edge(graph, null_mut(), all[1]),
        edge(graph, all[0], foreign),
        edge(graph, foreign, another),
        edge(null_mut(), all[1], all[2]),
    ]);
    answers.value(shape(graph));
}

fn removal(answers: &mut Answers) {
    begun();
    let (graph, other) = (new_graph(answers), new_graph(answers));
    let first = empty(answers, graph, &[]);
    let second = empty(answers, graph, &[first]);
    let third = empty(answers, graph, &[second]);
    answers.codes([
        no_edge(graph, first, second),
        no_edge(graph, first, second),
        no_edge(graph, first, third),
    ]);
    let (from, to) = ([second, first], [third, second]);
    answers.code(code!(cuGraphRemoveDependencies_v2(graph, from.as_ptr(), to.as_ptr(), null(), 2)));
    answers.value(shape(graph));
    answers.code(code!(cuGraphRemoveDependencies_v2(graph, null(), null(), null(), 1)));
    let foreign = [empty(answers, other, &[])];
    let foreign = [foreign[0], empty(answers, other, &foreign)];
    answers.code(no_edge(graph, foreign[0], foreign[1]));
    answers.value(shape(other));
    let middle = empty(answers, graph, &[first]);
    empty(answers, graph, &[middle]);
    answers.code(code!(cuGraphDestroyNode(middle)));
    answers.value(shape(graph));
}

fn edge_data(answers: &mut Answers) {
    begun();
    let (copy, at) = (copier(), allocate(64));
    let graph = new_graph(answers);
    let mut kernels: Vec<CUgraphNode> = Vec::new();
    for _ in 0..5 {
        kernels.push(kernel(answers, graph, &[], copy, &[at, at + 4]));
    }
    let plain = fill(answers, graph, &[], at, 1);
    let data = |from_port, to_port, type_, reserved| CUgraphEdgeData {
        from_port,
        to_port,
        type_,
        reserved: [reserved, 0, 0, 0, 0],
    };
    let add = |from: CUgraphNode, to: CUgraphNode, data: CUgraphEdgeData| {
        code!(cuGraphAddDependencies_v2(graph, &raw const from, &raw const to, &raw const data, 1))
    };
    answers.codes([
        add(kernels[0], kernels[1], data(1, 0, 1, 0)),
        add(kernels[0], kernels[2], data(2, 0, 1, 0)),
        add(kernels[0], kernels[3], data(0, 0, 1, 0)),
        add(kernels[0], kernels[4], data(1, 0, 0, 0)),
        add(kernels[1], kernels[2], data(1, 1, 1, 0)),
        add(kernels[1], kernels[3], data(3, 0, 1, 0)),
        add(kernels[1], kernels[4], data(1, 0, 2, 0)),
        add(kernels[2], kernels[3], data(1, 0, 1, 1)),
        add(plain, kernels[3], data(0, 0, 1, 0)),
        add(plain, kernels[4], data(1, 0, 1, 0)),
        add(kernels[3], plain, data(1, 0, 1, 0)),
    ]);
    answers.value(shape(graph));
    let (mut from, mut to, mut count) = ([null_mut(); 16], [null_mut(); 16], 16);
    answers.code(code!(cuGraphGetEdges(graph, from.as_mut_ptr(), to.as_mut_ptr(), &raw mut count)));
    count = 0;
    answers.code(code!(cuGraphGetEdges(graph, null_mut(), null_mut(), &raw mut count)));
    count = 16;
    answers.code(code!(cuGraphNodeGetDependencies(kernels[1], from.as_mut_ptr(), &raw mut count)));
    count = 16;
    let one = kernels[1];
    answers.code(code!(cuGraphNodeGetDependencies_v2(one, from.as_mut_ptr(), null_mut(), &raw mut count)));
    answers.code(add(kernels[0], kernels[1], data(0, 0, 0, 0)));
    answers.value(shape(graph));
    answers.codes([no_edge(graph, kernels[0], kernels[1]), {
        let (from, to, data) = (kernels[0], kernels[1], data(1, 0, 1, 0));
        code!(cuGraphRemoveDependencies_v2(graph, &raw const from, &raw const to, &raw const data, 1))
    }]);
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
}

fn node_destroyed(answers: &mut Answers) {
    let on = begun();
    let (graph, outer) = (new_graph(answers), new_graph(answers));
    let first = empty(answers, graph, &[]);
    let second = empty(answers, graph, &[first]);
    empty(answers, graph, &[second]);
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphDestroyNode(second)));
    answers.value(shape(graph));
    run(answers, exec, on);
    let node = child(answers, outer, &[], graph);
    let mut inner = null_mut();
    answers.must(code!(cuGraphChildGraphNodeGetGraph(node, &raw mut inner)));
    answers.code(code!(cuGraphDestroyNode(nodes(inner).first().copied().unwrap_or_default())));
    answers.value(shape(inner));
}
