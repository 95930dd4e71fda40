//! Questions about changes of executables: setters, whole updates, and nodes that are left out.

use super::graph_scenes::*;
use super::memory::{managed, page_locked_bytes};
use super::{Answers, PTX, Question};
use cuda_suite::raw::{allocate, context, current, function};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "graph-update-whole", devices: 1, ask: whole },
    Question { name: "graph-update-whole-memory", devices: 1, ask: whole_memory },
    Question { name: "graph-update-whole-kinds", devices: 1, ask: whole_kinds },
    Question { name: "graph-update-whole-order", devices: 1, ask: whole_order },
    Question { name: "graph-update-whole-pairs", devices: 1, ask: whole_pairs },
    Question { name: "graph-update-set-fill", devices: 1, ask: set_fill },
    Question { name: "graph-update-set-copy", devices: 1, ask: set_copy },
    Question { name: "graph-update-set-kernel", devices: 1, ask: set_kernel },
    Question { name: "graph-update-set-others", devices: 1, ask: set_others },
    Question { name: "graph-update-set-generic", devices: 1, ask: set_generic },
    Question { name: "graph-update-enabled", devices: 1, ask: enabled },
    Question { name: "graph-update-enabled-changed", devices: 1, ask: enabled_changed },
    Question { name: "graph-update-after-update", devices: 1, ask: after_update },
];

/// Updates: the code, the result, and which nodes of the new graph are named.
fn update(answers: &mut Answers, exec: CUgraphExec, graph: CUgraph) {
    let mut info = CUgraphExecUpdateResultInfo {
        result: CUgraphExecUpdateResult_enum(77),
        errorNode: handle(8),
        errorFromNode: handle(8),
    };
    let code = code!(cuGraphExecUpdate_v2(exec, graph, &raw mut info));
    let all = nodes(graph);
    let name = |node: CUgraphNode| match node.addr() {
        0 => "null".to_owned(),
        8 => "untouched".to_owned(),
        _ => place(&all, node),
    };
    answers.value(format_args!(
        "{}.{}.{}.{}",
        code.0,
        info.result.0,
        name(info.errorNode),
        name(info.errorFromNode)
    ));
}

fn whole(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let (copy_function, at) = (copier(), allocate(64));
    let hold = function(PTX, c"late");
    let graph = new_graph(answers);
    let first = fill(answers, graph, &[], at, 5);
    kernel(answers, graph, &[first], copy_function, &[at + 4, at]);
    let exec = instantiate(answers, graph);
    update(answers, exec, graph);
    for kind in 0..11 {
        let next = new_graph(answers);
        match kind {
            3 => {
                let first = kernel(answers, next, &[], copy_function, &[at + 4, at]);
                fill(answers, next, &[first], at, 5);
            }
            5 => {
                let first = copy(answers, next, &[], &copy_params(at, at + 8, 4));
                kernel(answers, next, &[first], copy_function, &[at + 4, at]);
            }
            2 => {
                fill(answers, next, &[], at, 6);
            }
            _ => {
                if kind == 9 {
                    context(0);
                }
                let first = fill(answers, next, &[], at, if kind == 0 { 6 } else { 5 });
                call!(cuCtxSetCurrent(own));
                let after: &[CUgraphNode] = if kind == 4 { &[] } else { &[first] };
                let function = if kind == 6 { hold } else { copy_function };
                let to = if kind == 7 { at + 8 } else { at + 4 };
                let second = kernel(answers, next, after, function, &[to, at]);
                if kind == 8 {
                    answers.must(with_kernel(copy_function, &[at + 4, at], |params| {
                        params.gridDimX = 2;
                        code!(cuGraphKernelNodeSetParams_v2(second, params))
                    }));
                }
                if kind == 10 {
                    let value = CUlaunchAttributeValue { priority: -1 };
                    let id = CUlaunchAttributeID_enum(8);
                    answers.must(code!(cuGraphKernelNodeSetAttribute(second, id, &raw const value)));
                }
                if kind == 1 {
                    empty(answers, next, &[second]);
                }
            }
        }
        update(answers, exec, next);
    }
    let back = new_graph(answers);
    let first = fill(answers, back, &[], at, 9);
    kernel(answers, back, &[first], copy_function, &[at + 4, at]);
    update(answers, exec, back);
    answers.must(super::fill(at + 4, 1));
    run(answers, exec, on);
    answers.word(at + 4);
}

fn whole_memory(answers: &mut Answers) {
    begun();
    let at = allocate(4096);
    let pinned: *const core::ffi::c_void =
        std::ptr::with_exposed_provenance(page_locked_bytes(64, 0) as usize);
    let pageable = Box::leak(Box::new([0_u64; 8])).as_ptr();
    let shared = managed(64, 1);
    let usual = copy_params(at, at + 64, 8);
    let host = |host| CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: host,
        srcDevice: 0,
        ..usual
    };
    let all = [
        CUDA_MEMCPY3D { srcDevice: at + 128, ..usual },
        CUDA_MEMCPY3D { WidthInBytes: 4, ..usual },
        host(pinned),
        host(pageable.cast()),
        CUDA_MEMCPY3D { srcDevice: shared, ..usual },
        CUDA_MEMCPY3D { Height: 2, ..usual },
    ];
    for params in all {
        let graph = new_graph(answers);
        copy(answers, graph, &[], &usual);
        let exec = instantiate(answers, graph);
        let next = new_graph(answers);
        copy(answers, next, &[], &params);
        update(answers, exec, next);
    }
    let one = fill_params(at, 1, 4);
    let two = CUDA_MEMSET_NODE_PARAMS { height: 2, pitch: 64, ..one };
    let pairs = [
        (one, two),
        (one, CUDA_MEMSET_NODE_PARAMS { elementSize: 1, ..one }),
        (one, CUDA_MEMSET_NODE_PARAMS { width: 8, ..one }),
        (two, CUDA_MEMSET_NODE_PARAMS { value: 3, ..two }),
        (two, CUDA_MEMSET_NODE_PARAMS { width: 8, ..two }),
        (two, CUDA_MEMSET_NODE_PARAMS { dst: at + 512, ..two }),
        (two, one),
    ];
    for (before, after) in pairs {
        let (graph, next) = (new_graph(answers), new_graph(answers));
        for (graph, params) in [(graph, before), (next, after)] {
            made(answers, |node| {
                code!(cuGraphAddMemsetNode(node, graph, null(), 0, &raw const params, current()))
            });
        }
        let exec = instantiate(answers, graph);
        update(answers, exec, next);
    }
}

fn whole_kinds(answers: &mut Answers) {
    begun();
    let own = current();
    let (copy_function, at) = (copier(), allocate(64));
    let again = copier();
    context(0);
    let foreign = copier();
    call!(cuCtxSetCurrent(own));
    let (first, second) = (event(answers, 2), event(answers, 2));
    let words = [counter(), counter()];
    for kind in 0..10 {
        let pair = [new_graph(answers), new_graph(answers)];
        for (index, graph) in pair.into_iter().enumerate() {
            let changed = index == 1;
            match kind {
                0 => drop(kernel(
                    answers,
                    graph,
                    &[],
                    if changed { again } else { copy_function },
                    &[at, at + 4],
                )),
                1 => {
                    kernel(answers, graph, &[], if changed { foreign } else { copy_function }, &[at, at + 4]);
                }
                2 => {
                    let node = kernel(answers, graph, &[], copy_function, &[at, at + 4]);
                    if !changed {
                        let value = CUlaunchAttributeValue { cooperative: 1 };
                        let id = CUlaunchAttributeID_enum(2);
                        answers.must(code!(cuGraphKernelNodeSetAttribute(node, id, &raw const value)));
                    }
                }
                3 => {
                    let event = if changed { second } else { first };
                    made(answers, |node| code!(cuGraphAddEventRecordNode(node, graph, null(), 0, event)));
                }
                4 => {
                    made(answers, |node| {
                        if changed {
                            code!(cuGraphAddEventWaitNode(node, graph, null(), 0, first))
                        } else {
                            code!(cuGraphAddEventRecordNode(node, graph, null(), 0, first))
                        }
                    });
                }
                5 | 6 => {
                    let inner = new_graph(answers);
                    let node = fill(answers, inner, &[], at, if changed { 2 } else { 1 });
                    if changed && kind == 6 {
                        fill(answers, inner, &[node], at, 3);
                    }
                    child(answers, graph, &[], inner);
                }
                7 => drop(host(answers, graph, &[], words[index])),
                _ => drop(alloc(answers, graph, &[], if changed && kind == 8 { 1 << 22 } else { 64 })),
            }
        }
        let exec = instantiate(answers, pair[0]);
        update(answers, exec, pair[1]);
    }
}

fn whole_order(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    let first = fill(answers, graph, &[], at, 1);
    let second = fill(answers, graph, &[], at + 4, 2);
    empty(answers, graph, &[first, second]);
    let exec = instantiate(answers, graph);
    let next = new_graph(answers);
    let second = fill(answers, next, &[], at + 4, 4);
    let first = fill(answers, next, &[], at, 3);
    empty(answers, next, &[first, second]);
    update(answers, exec, next);
    run(answers, exec, on);
    answers.word(at);
    answers.word(at + 4);
    let next = new_graph(answers);
    let first = fill(answers, next, &[], at, 5);
    let second = fill(answers, next, &[], at + 4, 6);
    empty(answers, next, &[second, first]);
    update(answers, exec, next);
    answers.code({
        let mut result = CUgraphExecUpdateResult_enum(77);
        let mut node = null_mut();
        code!(cuGraphExecUpdate(exec, next, &raw mut node, &raw mut result))
    });
}

/// Graphs in pairs. A letter stands for a fill (`f`) or an empty node (`e`), a pair of digits for an edge.
const PAIRS: &[[&str; 2]] = &[
    ["ffffff 35 04 12 02 01 25 03 13 45", "ffffff 35 03 12 02 13 25 04 01 45"],
    ["fffff 01 02 04 24 14", "fffff 12 13 14 34 24"],
    ["ffffff 35 13 04 12 01 05 23", "ffffff 35 13 40 12 14 45 23"],
    ["ffffff 01 02 03 34 13 45 23 25", "ffffff 43 42 45 50 35 01 25 21"],
    ["fffff 02 24 14 34 01 23 12", "fffff 03 31 41 21 04 32 43"],
    ["fffe 03 02 23 01", "fefe 01 02 21 03"],
    ["fffff 04 03 24 14 34 13 01", "fffff 04 24 14 34 13"],
    ["fffff 04 23 12 24 03 34 13", "fffff 04 23 12 03 34 13"],
    ["fefee 03 01 23 24 12 14", "feeef 03 01 43 42 14 12"],
    ["ffffff 24 21 01 51 50 23 04 34 31", "ffffff 50 21 01 31 24 23 04 34 51"],
    ["fffff 20 31 10 21 24 30", "fffff 20 21 24 31 10 30"],
    ["ef", "fe"],
    ["eefe 01 21 31 03 02", "eefe 01 02 31 03 21"],
    ["eeffe 14 01 02 23 12", "eefef 13 01 02 24 12"],
    ["fffff 34 12 32", "fffff 34 12 32 04"],
    ["ffff", "ffff 01 23"],
    ["ffff 01 23", "ffff"],
    ["fff 01 12", "ff 01"],
];

/// Creates a graph. Fill `i` writes `first + i` into word `i`.
fn drawn(answers: &mut Answers, text: &str, at: CUdeviceptr, first: u32) -> (CUgraph, Vec<CUgraphNode>) {
    let graph = new_graph(answers);
    let mut words = text.split(' ');
    let kinds = words.next().unwrap().bytes().enumerate();
    let nodes: Vec<_> = kinds
        .map(|(index, kind)| match kind {
            b'f' => fill(answers, graph, &[], at + 4 * index as u64, first + index as u32),
            _ => empty(answers, graph, &[]),
        })
        .collect();
    for edge in words {
        let [from, to] = [0, 1].map(|end| nodes[usize::from(edge.as_bytes()[end] - b'0')]);
        answers.must(code!(cuGraphAddDependencies(graph, &raw const from, &raw const to, 1)));
    }
    (graph, nodes)
}

fn whole_pairs(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let at = allocate(256);
    for [before, after] in PAIRS {
        let (graph, nodes) = drawn(answers, before, at, 100);
        let (next, _) = drawn(answers, after, at, 200);
        let exec = instantiate(answers, graph);
        update(answers, exec, next);
        // The word that is not written when a node writes elsewhere is the one of its pair.
        let mut pairs = String::new();
        for node in nodes.into_iter().filter(|node| kind(*node) == "2") {
            if !code!(cuGraphExecUpdate_v2(exec, next, &mut CUgraphExecUpdateResultInfo::default()))
                .is_success()
            {
                break;
            }
            let elsewhere = fill_params(at + 128, 1, 1);
            answers.must(code!(cuGraphExecMemsetNodeSetParams(exec, node, &raw const elsewhere, own)));
            // The stream does not wait for the fill.
            answers.must(code!(cuMemsetD32_v2(at, 0, 8)));
            answers.must(code!(cuCtxSynchronize()));
            answers.must(code!(cuGraphLaunch(exec, on)));
            answers.must(code!(cuStreamSynchronize(on)));
            let mut words = [0_u32; 8];
            answers.must(code!(cuMemcpyDtoH_v2(words.as_mut_ptr().cast(), at, 32)));
            let kinds = after.bytes().take_while(|kind| *kind != b' ').zip(words);
            let missing = kinds.enumerate().find(|(_, (kind, word))| *kind == b'f' && *word == 0);
            pairs += &missing.map_or("?".to_owned(), |(index, _)| index.to_string());
        }
        answers.value(if pairs.is_empty() { "-" } else { &pairs });
    }
}

fn set_fill(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let (copy_function, at) = (copier(), allocate(256));
    let pinned = page_locked_bytes(64, 0);
    let other_context = context(0);
    let memory = allocate(64);
    call!(cuCtxSetCurrent(own));
    let (graph, other) = (new_graph(answers), new_graph(answers));
    let node = fill(answers, graph, &[], at, 1);
    let second = kernel(answers, graph, &[node], copy_function, &[at + 4, at]);
    let foreign = fill(answers, other, &[], at, 1);
    let mut clone = null_mut();
    answers.must(code!(cuGraphClone(&raw mut clone, graph)));
    let cloned = nodes(clone).into_iter().find(|node| kind(*node) == "2").unwrap_or_default();
    let exec = instantiate(answers, graph);
    let added = fill(answers, graph, &[], at + 8, 1);
    let set = |node, params: CUDA_MEMSET_NODE_PARAMS, context| {
        code!(cuGraphExecMemsetNodeSetParams(exec, node, &raw const params, context))
    };
    let usual = fill_params(at, 7, 1);
    answers.codes([
        set(node, usual, own),
        set(second, usual, own),
        set(foreign, usual, own),
        set(cloned, usual, own),
        set(added, usual, own),
        set(node, usual, null_mut()),
        set(node, usual, other_context),
        set(node, CUDA_MEMSET_NODE_PARAMS { dst: memory, ..usual }, other_context),
        set(node, CUDA_MEMSET_NODE_PARAMS { dst: pinned, ..usual }, own),
        set(node, CUDA_MEMSET_NODE_PARAMS { height: 2, pitch: 64, ..usual }, own),
        set(node, CUDA_MEMSET_NODE_PARAMS { elementSize: 1, ..usual }, own),
        set(node, CUDA_MEMSET_NODE_PARAMS { width: 2, ..usual }, own),
        set(node, CUDA_MEMSET_NODE_PARAMS { width: 1 << 22, ..usual }, own),
        code!(cuGraphExecMemsetNodeSetParams(exec, node, null(), own)),
        set(node, CUDA_MEMSET_NODE_PARAMS { width: 0, ..usual }, own),
        set(node, CUDA_MEMSET_NODE_PARAMS { dst: at, ..usual }, own),
    ]);
    run(answers, exec, on);
    answers.word(at);
    answers.code(code!(cuGraphMemsetNodeGetParams(node, &mut CUDA_MEMSET_NODE_PARAMS::default())));
}

fn set_copy(answers: &mut Answers) {
    begun();
    let own = current();
    let at = allocate(4096);
    let pinned: *const core::ffi::c_void =
        std::ptr::with_exposed_provenance(page_locked_bytes(64, 0) as usize);
    let pageable = Box::leak(Box::new([0_u64; 8])).as_ptr();
    let shared = managed(64, 1);
    let other_context = context(0);
    call!(cuCtxSetCurrent(own));
    let usual = copy_params(at, at + 256, 8);
    let rows = CUDA_MEMCPY3D { Height: 2, srcHeight: 2, dstHeight: 2, ..usual };
    let host = |host| CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: host,
        srcDevice: 0,
        ..usual
    };
    let graph = new_graph(answers);
    let node = copy(answers, graph, &[], &usual);
    let two = copy(answers, graph, &[node], &rows);
    let other = fill(answers, graph, &[two], at, 1);
    let exec = instantiate(answers, graph);
    let set = |node, params: CUDA_MEMCPY3D, context| {
        code!(cuGraphExecMemcpyNodeSetParams(exec, node, &raw const params, context))
    };
    answers.codes([
        set(node, CUDA_MEMCPY3D { srcDevice: at + 128, ..usual }, own),
        set(node, host(pinned), own),
        set(node, host(pageable.cast()), own),
        set(node, CUDA_MEMCPY3D { srcDevice: shared, ..usual }, own),
        set(node, CUDA_MEMCPY3D { WidthInBytes: 4, ..usual }, own),
        set(node, rows, own),
        set(other, usual, own),
        set(node, usual, other_context),
        set(node, usual, null_mut()),
        set(two, usual, own),
        set(two, CUDA_MEMCPY3D { Height: 3, ..rows }, own),
        set(two, CUDA_MEMCPY3D { srcPitch: 64, ..rows }, own),
        set(node, CUDA_MEMCPY3D { WidthInBytes: 0, ..usual }, own),
    ]);
}

fn set_kernel(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let (copy_function, at) = (copier(), allocate(64));
    let late = function(PTX, c"late");
    context(0);
    let foreign = copier();
    call!(cuCtxSetCurrent(own));
    let graph = new_graph(answers);
    answers.must(super::fill(at, 7));
    let node = kernel(answers, graph, &[], copy_function, &[at + 4, at]);
    let other = fill(answers, graph, &[node], at + 32, 1);
    let exec = instantiate(answers, graph);
    let set = |node, function, arguments: [u64; 2], grid| {
        with_kernel(function, &arguments, |params| {
            params.gridDimX = grid;
            code!(cuGraphExecKernelNodeSetParams_v2(exec, node, params))
        })
    };
    answers.codes([
        set(node, late, [at, at + 12], 1),
        set(node, foreign, [at + 8, at], 1),
        set(node, copy_function, [at + 8, at], 2),
        set(node, copy_function, [at + 8, at], 0),
        set(node, null_mut(), [at + 8, at], 1),
        set(other, copy_function, [at + 8, at], 1),
        set(node, copy_function, [at + 8, at], 1),
    ]);
    run(answers, exec, on);
    answers.word(at + 8);
    let mut read = CUDA_KERNEL_NODE_PARAMS::default();
    answers.code(code!(cuGraphKernelNodeGetParams_v2(node, &raw mut read)));
    answers.value(format_args!("{},{}", read.func == copy_function, read.gridDimX));
    answers.code(with_kernel(copy_function, &[at + 16, at], |params| {
        code!(cuGraphKernelNodeSetParams_v2(node, params))
    }));
    answers.must(code!(cuMemsetD32_v2(at + 16, 0, 1)));
    run(answers, exec, on);
    answers.word(at + 16);
}

fn set_others(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    let words = [counter(), counter()];
    let (first, second) = (event(answers, 2), event(answers, 2));
    let inner = new_graph(answers);
    let filled = fill(answers, inner, &[], at, 1);
    let called = host(answers, graph, &[], words[0]);
    let record = made(answers, |node| code!(cuGraphAddEventRecordNode(node, graph, null(), 0, first)));
    let wait = made(answers, |node| code!(cuGraphAddEventWaitNode(node, graph, null(), 0, first)));
    let child = child(answers, graph, &[], inner);
    let mut list = [super::memory_operations::write(at + 8, 1, 0); 2];
    let array = list.as_mut_ptr();
    let batch = |count| CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx: current(), count, paramArray: array, flags: 0 };
    let operations = made(answers, |node| code!(cuGraphAddBatchMemOpNode(node, graph, null(), 0, &batch(1))));
    let exec = instantiate(answers, graph);
    let function = |fn_| CUDA_HOST_NODE_PARAMS { fn_, userData: address(words[1]) };
    answers.codes([
        code!(cuGraphExecHostNodeSetParams(exec, called, &function(None))),
        code!(cuGraphExecHostNodeSetParams(exec, called, &function(Some(count_up)))),
        code!(cuGraphExecHostNodeSetParams(exec, record, &function(Some(count_up)))),
        code!(cuGraphExecEventRecordNodeSetEvent(exec, record, second)),
        code!(cuGraphExecEventRecordNodeSetEvent(exec, record, null_mut())),
        code!(cuGraphExecEventWaitNodeSetEvent(exec, wait, second)),
        code!(cuGraphExecEventWaitNodeSetEvent(exec, record, second)),
        code!(cuGraphExecChildGraphNodeSetParams(exec, child, inner)),
    ]);
    answers.must(code!(cuGraphMemsetNodeSetParams(filled, &fill_params(at, 5, 1))));
    answers.code(code!(cuGraphExecChildGraphNodeSetParams(exec, child, inner)));
    empty(answers, inner, &[filled]);
    answers.codes([
        code!(cuGraphExecChildGraphNodeSetParams(exec, child, inner)),
        code!(cuGraphExecChildGraphNodeSetParams(exec, child, null_mut())),
        code!(cuGraphExecBatchMemOpNodeSetParams(exec, operations, &batch(1))),
        code!(cuGraphExecBatchMemOpNodeSetParams(exec, operations, &batch(2))),
        code!(cuGraphExecBatchMemOpNodeSetParams(exec, called, &batch(1))),
    ]);
    run(answers, exec, on);
    answers.value(format_args!("{},{}", counted(words[0]), counted(words[1])));
    answers.word(at);
    answers.code(code!(cuGraphDestroy(graph)));
    answers.code(code!(cuGraphExecHostNodeSetParams(exec, called, &function(Some(count_up)))));
}

fn set_generic(answers: &mut Answers) {
    begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    let node = fill(answers, graph, &[], at, 1);
    let none = empty(answers, graph, &[]);
    let exec = instantiate(answers, graph);
    let mut params = CUgraphNodeParams { type_: CUgraphNodeType_enum(2), ..CUgraphNodeParams::default() };
    let set = |ctx| CUDA_MEMSET_NODE_PARAMS_v2 {
        dst: at,
        pitch: 0,
        value: 1,
        elementSize: 4,
        width: 1,
        height: 1,
        ctx,
    };
    params.__bindgen_anon_1.memset = set(current());
    answers.code(code!(cuGraphExecNodeSetParams(exec, node, &raw mut params)));
    answers.code(code!(cuGraphExecNodeSetParams(exec, none, &raw mut params)));
    params.__bindgen_anon_1.memset = set(null_mut());
    answers.code(code!(cuGraphExecNodeSetParams(exec, node, &raw mut params)));
    params.type_ = CUgraphNodeType_enum(1);
    answers.code(code!(cuGraphExecNodeSetParams(exec, node, &raw mut params)));
    params.type_ = CUgraphNodeType_enum(5);
    answers.code(code!(cuGraphExecNodeSetParams(exec, none, &raw mut params)));
    answers.code(code!(cuGraphExecNodeSetParams(exec, node, null_mut())));
}

fn enabled(answers: &mut Answers) {
    let on = begun();
    let (copy_function, at) = (copier(), allocate(64));
    let (graph, inner, event) = (new_graph(answers), new_graph(answers), event(answers, 2));
    empty(answers, inner, &[]);
    let word = counter();
    let all = [
        kernel(answers, graph, &[], copy_function, &[at, at + 4]),
        copy(answers, graph, &[], &copy_params(at, at + 8, 4)),
        fill(answers, graph, &[], at, 1),
        host(answers, graph, &[], word),
        child(answers, graph, &[], inner),
        empty(answers, graph, &[]),
        made(answers, |node| code!(cuGraphAddEventWaitNode(node, graph, null(), 0, event))),
        made(answers, |node| code!(cuGraphAddEventRecordNode(node, graph, null(), 0, event))),
        alloc(answers, graph, &[], 64).0,
    ];
    let exec = instantiate(answers, graph);
    let list = all.map(|node| {
        let mut is_enabled = 77;
        let got = code!(cuGraphNodeGetEnabled(exec, node, &raw mut is_enabled));
        let set = code!(cuGraphNodeSetEnabled(exec, node, 0));
        let two = code!(cuGraphNodeSetEnabled(exec, node, 2));
        let mut after = 77;
        let _ = code!(cuGraphNodeGetEnabled(exec, node, &raw mut after));
        let _ = code!(cuGraphNodeSetEnabled(exec, node, 0));
        format!("{}.{is_enabled}.{}.{}.{after}", got.0, set.0, two.0)
    });
    answers.value(list.join(","));
    run(answers, exec, on);
    answers.value(counted(word));
}

fn enabled_changed(answers: &mut Answers) {
    begun();
    let at = allocate(64);
    let (graph, other) = (new_graph(answers), new_graph(answers));
    let (node, foreign) = (fill(answers, graph, &[], at, 1), fill(answers, other, &[], at, 1));
    let exec = instantiate(answers, graph);
    let is_enabled = |answers: &mut Answers| {
        let mut enabled = 77;
        let code = code!(cuGraphNodeGetEnabled(exec, node, &raw mut enabled));
        answers.given(code, enabled);
    };
    answers.code(code!(cuGraphNodeSetEnabled(exec, node, 0)));
    update(answers, exec, graph);
    is_enabled(answers);
    answers.code(code!(cuGraphNodeSetEnabled(exec, node, 0)));
    let params = fill_params(at, 2, 1);
    answers.code(code!(cuGraphExecMemsetNodeSetParams(exec, node, &raw const params, current())));
    is_enabled(answers);
    answers.code(code!(cuGraphNodeSetEnabled(exec, foreign, 0)));
    answers.code(code!(cuGraphDestroy(graph)));
    answers.code(code!(cuGraphNodeSetEnabled(exec, node, 1)));
    is_enabled(answers);
}

fn after_update(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let (graph, next, wrong) = (new_graph(answers), new_graph(answers), new_graph(answers));
    let first = fill(answers, graph, &[], at, 1);
    let second = fill(answers, next, &[], at, 2);
    let exec = instantiate(answers, graph);
    update(answers, exec, wrong);
    let params = fill_params(at, 3, 1);
    let own = current();
    answers.code(code!(cuGraphExecMemsetNodeSetParams(exec, first, &raw const params, own)));
    update(answers, exec, next);
    run(answers, exec, on);
    answers.word(at);
    answers.code(code!(cuGraphExecMemsetNodeSetParams(exec, second, &raw const params, own)));
    answers.code(code!(cuGraphExecMemsetNodeSetParams(exec, first, &raw const params, own)));
    answers.code(code!(cuGraphDestroy(next)));
    run(answers, exec, on);
    answers.word(at);
}
