//! Questions about conditional nodes.

use super::graph_scenes::*;
use super::{Answers, Question};
use cuda_suite::code;
use cuda_suite::raw::{allocate, context, current};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "graph-condition-handles", devices: 1, ask: handles },
    Question { name: "graph-condition-kinds", devices: 1, ask: kinds },
    Question { name: "graph-condition-handle-use", devices: 1, ask: handle_use },
    Question { name: "graph-condition-runs", devices: 1, ask: runs },
    Question { name: "graph-condition-bodies", devices: 1, ask: bodies },
    Question { name: "graph-condition-limits", devices: 1, ask: limits },
    Question { name: "graph-condition-body-destroyed", devices: 1, ask: body_destroyed },
    Question { name: "graph-condition-body-afterwards", devices: 1, ask: body_afterwards },
    Question { name: "graph-condition-contexts", devices: 1, ask: contexts },
];

pub(super) fn condition(
    answers: &mut Answers,
    graph: CUgraph,
    value: u32,
    flags: u32,
) -> CUgraphConditionalHandle {
    let mut handle = 0;
    answers.must(code!(cuGraphConditionalHandleCreate(&raw mut handle, graph, current(), value, flags)));
    handle
}

/// Adds a conditional node: the code, the node, and the first two graphs that it was given.
pub(super) fn add(
    graph: CUgraph,
    handle: CUgraphConditionalHandle,
    kind: u32,
    size: u32,
) -> (CUresult, CUgraphNode, [CUgraph; 2]) {
    let mut params = CUgraphNodeParams { type_: CUgraphNodeType_enum(13), ..CUgraphNodeParams::default() };
    params.__bindgen_anon_1.conditional = CUDA_CONDITIONAL_NODE_PARAMS {
        handle,
        type_: CUgraphConditionalNodeType_enum(kind),
        size,
        phGraph_out: null_mut(),
        ctx: current(),
    };
    let mut node = null_mut();
    let code = code!(cuGraphAddNode_v2(&raw mut node, graph, null(), null(), 0, &raw mut params));
    let mut bodies = [null_mut(); 2];
    // SAFETY: a list that the driver gave, or null.
    let list = unsafe { params.__bindgen_anon_1.conditional.phGraph_out };
    if code.is_success() && !list.is_null() {
        for (index, body) in bodies.iter_mut().enumerate().take(size.min(2) as usize) {
            // SAFETY: as many graphs as the size says.
            let place = unsafe { list.add(index) };
            // SAFETY: as above.
            *body = unsafe { *place };
        }
    }
    (code, node, bodies)
}

fn handles(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let (mut first, mut second) = (0, 0);
    let own = current();
    answers.codes([
        code!(cuGraphConditionalHandleCreate(&raw mut first, graph, own, 1, 0)),
        code!(cuGraphConditionalHandleCreate(&raw mut second, graph, own, 1, 1)),
    ]);
    answers.value(format_args!("{},{},{}", first != second, first == 0, second == 0));
    answers.codes([
        code!(cuGraphConditionalHandleCreate(&raw mut first, graph, own, 1, 2)),
        code!(cuGraphConditionalHandleCreate(&raw mut first, null_mut(), own, 1, 0)),
        code!(cuGraphConditionalHandleCreate(null_mut(), graph, own, 1, 0)),
        code!(cuGraphConditionalHandleCreate(&raw mut first, graph, null_mut(), 1, 0)),
    ]);
}

fn kinds(answers: &mut Answers) {
    begun();
    for (kind_of, size) in
        [(0, 1), (1, 1), (2, 1), (3, 1), (0, 0), (0, 2), (0, 3), (1, 2), (2, 0), (2, 3), (2, 100)]
    {
        let graph = new_graph(answers);
        let handle = condition(answers, graph, 0, 1);
        let (code, node, bodies) = add(graph, handle, kind_of, size);
        let body = if code.is_success() { shape(bodies[0]) } else { String::new() };
        answers.value(format_args!(
            "{}.{}.{}.{body}",
            code.0,
            bodies.map(|body| !body.is_null()).map(|is| is.to_string()).join("."),
            kind(node)
        ));
    }
}

fn handle_use(answers: &mut Answers) {
    begun();
    let (graph, other) = (new_graph(answers), new_graph(answers));
    let (own, foreign) = (condition(answers, graph, 0, 1), condition(answers, other, 0, 1));
    answers.codes([
        add(graph, foreign, 0, 1).0,
        add(graph, 0, 0, 1).0,
        add(graph, own, 0, 1).0,
        add(graph, own, 0, 1).0,
    ]);
    for graph in [other, graph] {
        let mut params = CUDA_GRAPH_INSTANTIATE_PARAMS::default();
        let mut exec = null_mut();
        let code = code!(cuGraphInstantiateWithParams(&raw mut exec, graph, &raw mut params));
        answers.value(format_args!("{}.{}", code.0, params.result_out.0));
    }
}

fn runs(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    for (kind_of, size, value, flags) in [
        (0, 1, 0, 1),
        (0, 1, 1, 1),
        (0, 1, 7, 1),
        (0, 1, 1, 0),
        (0, 2, 0, 1),
        (0, 2, 1, 1),
        (2, 2, 0, 1),
        (2, 2, 1, 1),
        (2, 2, 2, 1),
        (1, 1, 0, 1),
    ] {
        let graph = new_graph(answers);
        let handle = condition(answers, graph, value, flags);
        let (code, _, bodies) = add(graph, handle, kind_of, size);
        answers.must(code);
        for (index, body) in bodies.into_iter().enumerate().take(size as usize) {
            fill(answers, body, &[], at, 10 + u32::try_from(index).unwrap());
        }
        answers.must(super::fill(at, 1));
        let exec = instantiate(answers, graph);
        run(answers, exec, on);
        answers.word(at);
    }
}

fn bodies(answers: &mut Answers) {
    begun();
    let (copy_function, at) = (copier(), allocate(64));
    let cube = copy_params(at, at + 8, 4);
    let params = fill_params(at, 1, 1);
    let called = CUDA_HOST_NODE_PARAMS { fn_: Some(count_up), userData: null_mut() };
    let (event, inner) = (event(answers, 2), new_graph(answers));
    empty(answers, inner, &[]);
    let mut list = [super::memory_operations::write(at, 1, 0)];
    let own = current();
    let batch = CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx: own, count: 1, paramArray: list.as_mut_ptr(), flags: 0 };
    let pinned = CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: std::ptr::with_exposed_provenance(super::memory::page_locked_bytes(64, 0) as usize),
        srcDevice: 0,
        ..cube
    };
    for kind_of in 0..12 {
        let graph = new_graph(answers);
        let handle = condition(answers, graph, 0, 1);
        let (code, _, [body, _]) = add(graph, handle, 0, 1);
        answers.must(code);
        let mut node = null_mut();
        let place = &raw mut node;
        let code = match kind_of {
            0 => with_kernel(copy_function, &[at, at + 4], |params| {
                code!(cuGraphAddKernelNode_v2(place, body, null(), 0, params))
            }),
            1 => code!(cuGraphAddMemcpyNode(place, body, null(), 0, &raw const cube, own)),
            2 => code!(cuGraphAddMemsetNode(place, body, null(), 0, &raw const params, own)),
            3 => try_empty(place, body, &[]),
            4 => code!(cuGraphAddChildGraphNode(place, body, null(), 0, inner)),
            5 => code!(cuGraphAddHostNode(place, body, null(), 0, &raw const called)),
            6 => code!(cuGraphAddEventRecordNode(place, body, null(), 0, event)),
            7 => code!(cuGraphAddMemAllocNode(place, body, null(), 0, &mut alloc_params(64))),
            8 => code!(cuGraphAddBatchMemOpNode(place, body, null(), 0, &raw const batch)),
            9 => code!(cuGraphAddMemcpyNode(place, body, null(), 0, &raw const pinned, own)),
            10 => {
                let inside = condition(answers, graph, 0, 1);
                add(body, inside, 0, 1).0
            }
            _ => {
                let mut inside = 0;
                let code = code!(cuGraphConditionalHandleCreate(&raw mut inside, body, own, 0, 1));
                if code.is_success() { add(body, inside, 0, 1).0 } else { code }
            }
        };
        let mut exec = null_mut();
        let instance = try_instantiate(&mut exec, graph, 0);
        answers.value(format_args!("{}.{}", code.0, instance.0));
    }
}

fn limits(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let (graph, outer) = (new_graph(answers), new_graph(answers));
    let handle = condition(answers, graph, 0, 1);
    let (code, node, [body, _]) = add(graph, handle, 0, 1);
    answers.code(code);
    fill(answers, body, &[], at, 1);
    let mode = CUstreamCaptureMode_enum(0);
    answers.code(code!(cuStreamBeginCaptureToGraph(on, body, null(), null(), 0, mode)));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    let same = ended(answers, on);
    answers.value(same == body);
    let (mut exec, mut second) = (null_mut(), null_mut());
    answers.code(try_instantiate(&mut exec, graph, 0));
    answers.code(try_instantiate(&mut second, graph, 0));
    let mut info = CUgraphExecUpdateResultInfo::default();
    answers.code(code!(cuGraphExecUpdate_v2(exec, graph, &raw mut info)));
    answers.value(info.result.0);
    answers.codes([
        try_instantiate(&mut second, body, 0),
        code!(cuGraphClone(&mut null_mut(), graph)),
        code!(cuGraphClone(&mut null_mut(), body)),
        code!(cuGraphAddChildGraphNode(&mut null_mut(), outer, null(), 0, graph)),
        code!(cuGraphAddChildGraphNode(&mut null_mut(), outer, null(), 0, body)),
        code!(cuGraphNodeGetEnabled(exec, node, &mut 0)),
        code!(cuGraphNodeSetEnabled(exec, node, 0)),
    ]);
    answers.code(code!(cuGraphDestroyNode(node)));
    answers.value(shape(graph));
}

fn body_destroyed(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let handle = condition(answers, graph, 0, 1);
    let (code, _, [body, _]) = add(graph, handle, 0, 1);
    answers.must(code);
    answers.code(code!(cuGraphDestroy(body)));
    answers.value(nodes(graph).len());
    answers.code(code!(cuGraphDestroy(graph)));
}

fn body_afterwards(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let handle = condition(answers, graph, 0, 1);
    let (code, _, [body, _]) = add(graph, handle, 0, 1);
    answers.must(code);
    answers.code(code!(cuGraphDestroy(graph)));
    let mut count = 0;
    let code = code!(cuGraphGetNodes(body, null_mut(), &raw mut count));
    answers.given(code, count);
}

fn contexts(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let handle = condition(answers, graph, 0, 1);
    let (code, _, [body, _]) = add(graph, handle, 0, 1);
    answers.must(code);
    context(0);
    let at = allocate(64);
    let params = fill_params(at, 1, 1);
    answers.code(code!(cuGraphAddMemsetNode(&mut null_mut(), body, null(), 0, &raw const params, current())));
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
}
