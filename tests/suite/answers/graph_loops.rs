//! Questions about conditional nodes whose conditions kernels set.

use super::graph_conditionals::{add, condition};
use super::graph_scenes::*;
use super::{Answers, Question, synchronize};
use core::ffi::CStr;
use cuda_suite::code;
use cuda_suite::raw::{allocate, function, try_launch};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "graph-loop-while", devices: 1, ask: while_loop },
    Question { name: "graph-loop-if-else", devices: 1, ask: if_else },
    Question { name: "graph-loop-switch", devices: 1, ask: switch },
    Question { name: "graph-loop-nested", devices: 1, ask: nested },
    Question { name: "graph-loop-nested-set", devices: 1, ask: nested_set },
    Question { name: "graph-loop-if-in-switch", devices: 1, ask: if_in_switch },
    Question { name: "graph-loop-no-default", devices: 1, ask: no_default },
    Question { name: "graph-loop-later", devices: 1, ask: later },
    Question { name: "graph-loop-outside", devices: 1, ask: outside },
    Question { name: "graph-loop-other-graph", devices: 1, ask: other_graph },
    Question { name: "graph-loop-handle-zero", devices: 1, ask: handle_zero },
    Question { name: "graph-loop-handle-unknown", devices: 1, ask: handle_unknown },
    Question { name: "graph-loop-two-setters", devices: 1, ask: two_setters },
    Question { name: "graph-loop-body", devices: 1, ask: body_of_several },
    Question { name: "graph-loop-captured", devices: 1, ask: captured },
    Question { name: "graph-loop-update", devices: 1, ask: update },
    Question { name: "graph-loop-setter", devices: 1, ask: setter },
    Question { name: "graph-loop-child", devices: 1, ask: child_moved },
    Question { name: "graph-loop-child-clone", devices: 1, ask: child_cloned },
];

const IF: u32 = 0;
const WHILE: u32 = 1;
const SWITCH: u32 = 2;

/// `set` sets a condition to its argument, and `set_to` to the value of a word in device memory.
/// `add` adds 1 to such a word. `count` adds 1, too, and then sets a condition: to 1 if the word is
/// less than a limit, else to 0.
const PTX: &CStr = c".version 6.4 .target sm_50 .address_size 64
    .extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
    .visible .entry set(.param .u64 handle, .param .u64 to) {
        .reg .b64 %h; .reg .b64 %t; .reg .b32 %v;
        ld.param.u64 %h, [handle]; ld.param.u64 %t, [to]; cvt.u32.u64 %v, %t;
        { .param .b64 h; .param .b32 v; st.param.b64 [h], %h; st.param.b32 [v], %v;
          call.uni cudaGraphSetConditional, (h, v); }
        ret; }
    .visible .entry set_to(.param .u64 handle, .param .u64 from) {
        .reg .b64 %h; .reg .b64 %f; .reg .b32 %v;
        ld.param.u64 %h, [handle]; ld.param.u64 %f, [from]; ld.global.u32 %v, [%f];
        { .param .b64 h; .param .b32 v; st.param.b64 [h], %h; st.param.b32 [v], %v;
          call.uni cudaGraphSetConditional, (h, v); }
        ret; }
    .visible .entry count(.param .u64 handle, .param .u64 word, .param .u64 limit) {
        .reg .b64 %h; .reg .b64 %w; .reg .b64 %l; .reg .b32 %r; .reg .b32 %m; .reg .b32 %v; .reg .pred %p;
        ld.param.u64 %h, [handle]; ld.param.u64 %w, [word]; ld.param.u64 %l, [limit];
        cvt.u32.u64 %m, %l; ld.global.u32 %r, [%w]; add.u32 %r, %r, 1; st.global.u32 [%w], %r;
        setp.lt.u32 %p, %r, %m; selp.u32 %v, 1, 0, %p;
        { .param .b64 h; .param .b32 v; st.param.b64 [h], %h; st.param.b32 [v], %v;
          call.uni cudaGraphSetConditional, (h, v); }
        ret; }
    .visible .entry add(.param .u64 word) {
        .reg .b64 %w; .reg .b32 %r;
        ld.param.u64 %w, [word]; ld.global.u32 %r, [%w]; add.u32 %r, %r, 1; st.global.u32 [%w], %r; ret; }";

fn kernel_of(name: &CStr) -> CUfunction {
    function(PTX, name)
}

/// Allocates a word of device memory and sets its value.
fn word(answers: &mut Answers, value: u32) -> CUdeviceptr {
    let at = allocate(64);
    answers.must(super::fill(at, value));
    at
}

/// Adds a conditional node that depends on `after`. Returns the node and its first two bodies.
fn conditional(
    answers: &mut Answers,
    graph: CUgraph,
    after: &[CUgraphNode],
    (handle, kind, size): (CUgraphConditionalHandle, u32, u32),
) -> (CUgraphNode, [CUgraph; 2]) {
    let (code, node, bodies) = add(graph, handle, kind, size);
    answers.must(code);
    for earlier in after {
        answers.must(code!(cuGraphAddDependencies_v2(graph, earlier, &raw const node, null(), 1)));
    }
    (node, bodies)
}

/// Launches, waits, and reads a word.
fn run_and_read(answers: &mut Answers, exec: CUgraphExec, on: CUstream, at: CUdeviceptr) {
    run(answers, exec, on);
    answers.word(at);
}

fn while_loop(answers: &mut Answers) {
    let on = begun();
    let (graph, at) = (new_graph(answers), word(answers, 0));
    let handle = condition(answers, graph, 1, 1);
    let (_, [body, _]) = conditional(answers, graph, &[], (handle, WHILE, 1));
    kernel(answers, body, &[], kernel_of(c"count"), &[handle, at, 10]);
    let exec = instantiate(answers, graph);
    run_and_read(answers, exec, on, at);
    run_and_read(answers, exec, on, at);
}

fn if_else(answers: &mut Answers) {
    let on = begun();
    let (graph, from) = (new_graph(answers), word(answers, 0));
    let words = [word(answers, 0), word(answers, 0)];
    let handle = condition(answers, graph, 0, 0);
    let first = kernel(answers, graph, &[], kernel_of(c"set_to"), &[handle, from]);
    let (_, bodies) = conditional(answers, graph, &[first], (handle, IF, 2));
    for (body, at) in bodies.into_iter().zip(words) {
        kernel(answers, body, &[], kernel_of(c"add"), &[at]);
    }
    let exec = instantiate(answers, graph);
    for value in [0, 1, 7, 0x8000_0000] {
        answers.must(super::fill(from, value));
        run_and_read(answers, exec, on, words[0]);
        answers.word(words[1]);
    }
}

fn switch(answers: &mut Answers) {
    let on = begun();
    let (graph, from) = (new_graph(answers), word(answers, 0));
    let words = [word(answers, 0), word(answers, 0)];
    let handle = condition(answers, graph, 0, 0);
    let first = kernel(answers, graph, &[], kernel_of(c"set_to"), &[handle, from]);
    let (_, bodies) = conditional(answers, graph, &[first], (handle, SWITCH, 2));
    for (body, at) in bodies.into_iter().zip(words) {
        kernel(answers, body, &[], kernel_of(c"add"), &[at]);
    }
    let exec = instantiate(answers, graph);
    for value in [0, 1, 2, u32::MAX] {
        answers.must(super::fill(from, value));
        run_and_read(answers, exec, on, words[0]);
        answers.word(words[1]);
    }
}

/// A loop in the body of a loop. If `sets`, a kernel before the inner loop sets its condition to 1.
fn nested_loops(answers: &mut Answers, sets: bool) {
    let on = begun();
    let graph = new_graph(answers);
    let (outer_word, inner_word) = (word(answers, 0), word(answers, 0));
    let (outer, inner) = (condition(answers, graph, 1, 1), condition(answers, graph, 1, 1));
    let (_, [body, _]) = conditional(answers, graph, &[], (outer, WHILE, 1));
    let first = sets.then(|| kernel(answers, body, &[], kernel_of(c"set"), &[inner, 1]));
    let after: Vec<CUgraphNode> = first.into_iter().collect();
    let (node, [inside, _]) = conditional(answers, body, &after, (inner, WHILE, 1));
    kernel(answers, inside, &[], kernel_of(c"count"), &[inner, inner_word, 5]);
    kernel(answers, body, &[node], kernel_of(c"count"), &[outer, outer_word, 3]);
    let mut exec = null_mut();
    if !answers.code(try_instantiate(&mut exec, graph, 0)) {
        return;
    }
    for _ in 0..2 {
        run_and_read(answers, exec, on, outer_word);
        answers.word(inner_word);
    }
}

fn nested(answers: &mut Answers) {
    nested_loops(answers, false);
}

fn nested_set(answers: &mut Answers) {
    nested_loops(answers, true);
}

fn if_in_switch(answers: &mut Answers) {
    let on = begun();
    let (graph, at) = (new_graph(answers), word(answers, 0));
    let (which, whether) = (word(answers, 1), word(answers, 0));
    let (outer, inner) = (condition(answers, graph, 0, 0), condition(answers, graph, 0, 0));
    let first = kernel(answers, graph, &[], kernel_of(c"set_to"), &[outer, which]);
    let (_, [_, body]) = conditional(answers, graph, &[first], (outer, SWITCH, 2));
    let setter = kernel(answers, body, &[], kernel_of(c"set_to"), &[inner, whether]);
    let (_, [inside, _]) = conditional(answers, body, &[setter], (inner, IF, 1));
    kernel(answers, inside, &[], kernel_of(c"add"), &[at]);
    let mut exec = null_mut();
    if !answers.code(try_instantiate(&mut exec, graph, 0)) {
        return;
    }
    for (first, second) in [(1, 0), (1, 1), (0, 1)] {
        answers.must(super::fill(which, first));
        answers.must(super::fill(whether, second));
        run_and_read(answers, exec, on, at);
    }
}

fn no_default(answers: &mut Answers) {
    let on = begun();
    let graph = new_graph(answers);
    let (at, from) = (word(answers, 0), word(answers, 1));
    let handle = condition(answers, graph, 0, 0);
    let first = kernel(answers, graph, &[], kernel_of(c"set_to"), &[handle, from]);
    let (_, [body, _]) = conditional(answers, graph, &[first], (handle, WHILE, 1));
    kernel(answers, body, &[], kernel_of(c"count"), &[handle, at, 10]);
    let exec = instantiate(answers, graph);
    for value in [1, 0, 1] {
        answers.must(super::fill(from, value));
        run_and_read(answers, exec, on, at);
    }
}

fn later(answers: &mut Answers) {
    let on = begun();
    for flags in [0, 1] {
        let (graph, at) = (new_graph(answers), word(answers, 0));
        let handle = condition(answers, graph, 0, flags);
        let (node, [body, _]) = conditional(answers, graph, &[], (handle, IF, 1));
        kernel(answers, body, &[], kernel_of(c"add"), &[at]);
        kernel(answers, graph, &[node], kernel_of(c"set"), &[handle, 1]);
        let exec = instantiate(answers, graph);
        for _ in 0..3 {
            run_and_read(answers, exec, on, at);
        }
    }
}

fn outside(answers: &mut Answers) {
    let on = begun();
    let (graph, at) = (new_graph(answers), word(answers, 0));
    let handle = condition(answers, graph, 0, 0);
    let (_, [body, _]) = conditional(answers, graph, &[], (handle, IF, 1));
    kernel(answers, body, &[], kernel_of(c"add"), &[at]);
    let set = kernel_of(c"set");
    answers.codes([try_launch(set, 1, on, &[handle, 1]), synchronize()]);
    let exec = instantiate(answers, graph);
    run_and_read(answers, exec, on, at);
    answers.codes([try_launch(set, 1, on, &[handle, 1]), synchronize()]);
    run_and_read(answers, exec, on, at);
}

fn other_graph(answers: &mut Answers) {
    let on = begun();
    let (graph, other, at) = (new_graph(answers), new_graph(answers), word(answers, 0));
    let (own, foreign) = (condition(answers, graph, 0, 0), condition(answers, other, 0, 0));
    let (_, [body, _]) = conditional(answers, other, &[], (foreign, IF, 1));
    kernel(answers, body, &[], kernel_of(c"add"), &[at]);
    kernel(answers, graph, &[], kernel_of(c"set"), &[foreign, 1]);
    let (_, [body, _]) = conditional(answers, graph, &[], (own, IF, 1));
    empty(answers, body, &[]);
    let (first, second) = (instantiate(answers, graph), instantiate(answers, other));
    run(answers, first, on);
    run_and_read(answers, second, on, at);
    answers.value(own == foreign);
}

fn handle_zero(answers: &mut Answers) {
    let on = begun();
    answers.codes([try_launch(kernel_of(c"set"), 1, on, &[0, 1]), synchronize()]);
}

fn handle_unknown(answers: &mut Answers) {
    let on = begun();
    answers.codes([try_launch(kernel_of(c"set"), 1, on, &[0x1234_5678, 1]), synchronize()]);
}

fn two_setters(answers: &mut Answers) {
    let on = begun();
    for counts_first in [true, false] {
        let (graph, at) = (new_graph(answers), word(answers, 0));
        let handle = condition(answers, graph, 1, 1);
        let (_, [body, _]) = conditional(answers, graph, &[], (handle, WHILE, 1));
        let (set, count) = (kernel_of(c"set"), kernel_of(c"count"));
        if counts_first {
            let first = kernel(answers, body, &[], count, &[handle, at, 10]);
            kernel(answers, body, &[first], set, &[handle, 0]);
        } else {
            let first = kernel(answers, body, &[], set, &[handle, 0]);
            kernel(answers, body, &[first], count, &[handle, at, 10]);
        }
        let exec = instantiate(answers, graph);
        run_and_read(answers, exec, on, at);
    }
}

fn body_of_several(answers: &mut Answers) {
    let on = begun();
    let graph = new_graph(answers);
    let words: Vec<CUdeviceptr> = (0..6).map(|_| word(answers, 0)).collect();
    let handle = condition(answers, graph, 1, 1);
    let (node, [body, _]) = conditional(answers, graph, &[], (handle, WHILE, 1));
    let inner = new_graph(answers);
    kernel(answers, inner, &[], kernel_of(c"add"), &[words[2]]);
    let first = fill(answers, body, &[], words[0], 7);
    let second = copy(answers, body, &[first], &copy_params(words[1], words[0], 4));
    let third = child(answers, body, &[second], inner);
    kernel(answers, body, &[third], kernel_of(c"count"), &[handle, words[3], 4]);
    kernel(answers, body, &[], kernel_of(c"add"), &[words[4]]);
    fill(answers, graph, &[node], words[5], 9);
    let mut exec = null_mut();
    if !answers.code(try_instantiate(&mut exec, graph, 0)) {
        return;
    }
    run(answers, exec, on);
    for at in words {
        answers.word(at);
    }
}

fn captured(answers: &mut Answers) {
    let on = begun();
    let (graph, at) = (new_graph(answers), word(answers, 0));
    let handle = condition(answers, graph, 1, 1);
    let (_, [body, _]) = conditional(answers, graph, &[], (handle, WHILE, 1));
    let count = kernel_of(c"count");
    let mode = CUstreamCaptureMode_enum(0);
    answers.must(code!(cuStreamBeginCaptureToGraph(on, body, null(), null(), 0, mode)));
    answers.code(try_launch(count, 1, on, &[handle, at, 10]));
    answers.code(end(on).0);
    let exec = instantiate(answers, graph);
    run_and_read(answers, exec, on, at);
}

/// Adds a kernel that sets a condition to 1, and then an if or a switch node. The first body adds 1
/// to a word. Returns this body.
fn set_and_if(
    answers: &mut Answers,
    graph: CUgraph,
    (handle, kind): (CUgraphConditionalHandle, u32),
    at: CUdeviceptr,
) -> CUgraph {
    let first = kernel(answers, graph, &[], kernel_of(c"set"), &[handle, 1]);
    let (_, [body, _]) =
        conditional(answers, graph, &[first], (handle, kind, if kind == SWITCH { 2 } else { 1 }));
    kernel(answers, body, &[], kernel_of(c"add"), &[at]);
    body
}

fn update(answers: &mut Answers) {
    let on = begun();
    let words = [word(answers, 0), word(answers, 0)];
    let first = new_graph(answers);
    let handle = condition(answers, first, 0, 1);
    set_and_if(answers, first, (handle, IF), words[0]);
    let exec = instantiate(answers, first);
    for round in 0..4 {
        let graph = new_graph(answers);
        let handle = condition(answers, graph, u32::from(round == 3), 1);
        let kind = if round == 2 { SWITCH } else { IF };
        let body = set_and_if(answers, graph, (handle, kind), words[1]);
        if round == 1 {
            empty(answers, body, &[]);
        }
        let mut info = CUgraphExecUpdateResultInfo::default();
        let code = code!(cuGraphExecUpdate_v2(exec, graph, &raw mut info));
        answers.value(format_args!("{}.{}", code.0, info.result.0));
        run(answers, exec, on);
        answers.word(words[0]);
        answers.word(words[1]);
    }
}

fn setter(answers: &mut Answers) {
    let on = begun();
    let (graph, at) = (new_graph(answers), word(answers, 0));
    let handle = condition(answers, graph, 1, 1);
    let (_, [body, _]) = conditional(answers, graph, &[], (handle, WHILE, 1));
    let count = kernel_of(c"count");
    let node = kernel(answers, body, &[], count, &[handle, at, 10]);
    let exec = instantiate(answers, graph);
    answers.code(with_kernel(count, &[handle, at, 5], |params| {
        code!(cuGraphExecKernelNodeSetParams_v2(exec, node, params))
    }));
    run_and_read(answers, exec, on, at);
    answers.code(code!(cuGraphNodeSetEnabled(exec, node, 1)));
}

fn child_moved(answers: &mut Answers) {
    let on = begun();
    let (graph, inner, at) = (new_graph(answers), new_graph(answers), word(answers, 0));
    let handle = condition(answers, inner, 0, 1);
    set_and_if(answers, inner, (handle, IF), at);
    let mut params = CUgraphNodeParams { type_: CUgraphNodeType_enum(4), ..CUgraphNodeParams::default() };
    params.__bindgen_anon_1.graph =
        CUDA_CHILD_GRAPH_NODE_PARAMS { graph: inner, ownership: CUgraphChildGraphNodeOwnership_enum(1) };
    let mut node = null_mut();
    answers.code(code!(cuGraphAddNode_v2(&raw mut node, graph, null(), null(), 0, &raw mut params)));
    let mut exec = null_mut();
    if answers.code(try_instantiate(&mut exec, graph, 0)) {
        run_and_read(answers, exec, on, at);
    }
}

fn child_cloned(answers: &mut Answers) {
    let on = begun();
    for of_outer in [true, false] {
        let (graph, inner, at) = (new_graph(answers), new_graph(answers), word(answers, 0));
        let node = child(answers, graph, &[], inner);
        let mut given = null_mut();
        answers.must(code!(cuGraphChildGraphNodeGetGraph(node, &raw mut given)));
        let handle = condition(answers, if of_outer { graph } else { given }, 0, 1);
        let first = kernel(answers, given, &[], kernel_of(c"set"), &[handle, 1]);
        let (code, node, [body, _]) = add(given, handle, IF, 1);
        if !answers.code(code) {
            continue;
        }
        answers.must(code!(cuGraphAddDependencies_v2(given, &raw const first, &raw const node, null(), 1)));
        kernel(answers, body, &[], kernel_of(c"add"), &[at]);
        let mut exec = null_mut();
        if answers.code(try_instantiate(&mut exec, graph, 0)) {
            run_and_read(answers, exec, on, at);
        }
    }
}
