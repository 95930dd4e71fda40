//! Questions about memory that graphs allocate and free.

use super::graph_scenes::*;
use super::{Answers, Question, READ_WRITE, access, location};
use cuda_suite::raw::{allocate, context, current, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "graph-memory-allocation", devices: 1, ask: allocation },
    Question { name: "graph-memory-attributes", devices: 1, ask: attributes },
    Question { name: "graph-memory-twice", devices: 1, ask: twice },
    Question { name: "graph-memory-limits", devices: 1, ask: limits },
    Question { name: "graph-memory-frees", devices: 1, ask: frees },
    Question { name: "graph-memory-other-graph", devices: 1, ask: other_graph },
    Question { name: "graph-memory-outlives", devices: 1, ask: outlives },
    Question { name: "graph-memory-reuse", devices: 1, ask: reuse },
    Question { name: "graph-memory-before-launch", devices: 1, ask: before_launch },
    Question { name: "graph-memory-captured", devices: 1, ask: captured },
];

/// Used now, used at most, reserved now, reserved at most.
fn usage(to: &mut Answers) {
    let values = [0, 1, 2, 3].map(|attribute| {
        let mut value = 0_u64;
        let attribute = CUgraphMem_attribute_enum(attribute);
        let code = code!(cuDeviceGetGraphMemAttribute(0, attribute, (&raw mut value).cast()));
        if code.is_success() { value.to_string() } else { format!("c{}", code.0) }
    });
    to.value(values.join(","));
}

fn allocation(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let mut params = alloc_params(64);
    let mut node = null_mut();
    let add = |params: &mut CUDA_MEM_ALLOC_NODE_PARAMS, node: &mut CUgraphNode| {
        code!(cuGraphAddMemAllocNode(node, graph, null(), 0, params))
    };
    answers.code(add(&mut params, &mut node));
    answers.value(params.dptr != 0);
    let mut read = alloc_params(0);
    let code = code!(cuGraphMemAllocNodeGetParams(node, &raw mut read));
    answers.given(code, format_args!("{},{}", read.dptr == params.dptr, read.bytesize));
    let (_, second) = alloc(answers, graph, &[], 64);
    answers.value(second != params.dptr);
    let mut none = alloc_params(0);
    answers.code(add(&mut none, &mut node));
    let mut changed = alloc_params(64);
    changed.poolProps.location = location(super::DEVICE, 99);
    answers.code(add(&mut changed, &mut node));
    changed.poolProps.location = location(super::HOST, 0);
    answers.code(add(&mut changed, &mut node));
    changed = alloc_params(64);
    changed.poolProps.handleTypes = CUmemAllocationHandleType_enum(1);
    answers.code(add(&mut changed, &mut node));
    for device in [0, 99] {
        changed = alloc_params(64);
        let list = [access(location(super::DEVICE, device), READ_WRITE)];
        changed.accessDescs = list.as_ptr();
        changed.accessDescCount = 1;
        answers.code(add(&mut changed, &mut node));
    }
    let (mut base, mut bytes) = (0, 0);
    answers.code(code!(cuMemGetAddressRange_v2(&raw mut base, &raw mut bytes, params.dptr)));
    let mut word = 0_u32;
    let code = code!(cuPointerGetAttribute((&raw mut word).cast(), CUpointer_attribute(2), params.dptr));
    answers.given(code, word);
    answers.value(shape(graph));
}

fn attributes(answers: &mut Answers) {
    let on = begun();
    usage(answers);
    let graph = new_graph(answers);
    let (_, at) = alloc(answers, graph, &[], 4 << 20);
    usage(answers);
    let exec = instantiate(answers, graph);
    usage(answers);
    run(answers, exec, on);
    usage(answers);
    answers.code(code!(cuMemFree_v2(at)));
    usage(answers);
    answers.codes([code!(cuGraphExecDestroy(exec)), code!(cuGraphDestroy(graph))]);
    usage(answers);
    answers.code(code!(cuDeviceGraphMemTrim(0)));
    usage(answers);
    for attribute in 0..4 {
        let mut value = 0_u64;
        let attribute = CUgraphMem_attribute_enum(attribute);
        answers.code(code!(cuDeviceSetGraphMemAttribute(0, attribute, (&raw mut value).cast())));
    }
    usage(answers);
    let mut value = 1_u64;
    let attribute = CUgraphMem_attribute_enum(1);
    answers.code(code!(cuDeviceSetGraphMemAttribute(0, attribute, (&raw mut value).cast())));
    answers.code(code!(cuDeviceGetGraphMemAttribute(
        0,
        CUgraphMem_attribute_enum(4),
        (&raw mut value).cast()
    )));
    answers.code(code!(cuDeviceGetGraphMemAttribute(99, attribute, (&raw mut value).cast())));
    answers.code(code!(cuDeviceGraphMemTrim(99)));
}

fn twice(answers: &mut Answers) {
    let on = begun();
    let graph = new_graph(answers);
    let (node, at) = alloc(answers, graph, &[], 64);
    fill(answers, graph, &[node], at, 5);
    let mut exec = null_mut();
    answers.code(try_instantiate(&mut exec, graph, 0));
    run(answers, exec, on);
    answers.word(at);
    run(answers, exec, on);
    answers.code(code!(cuMemFreeAsync(at, on)));
    run(answers, exec, on);
    answers.code(code!(cuMemFree_v2(at)));
    run(answers, exec, on);
    answers.code(code!(cuMemFree_v2(at)));
    answers.code(code!(cuMemFree_v2(at)));
    answers.code(code!(cuGraphExecDestroy(exec)));
    answers.code(try_instantiate(&mut exec, graph, 1));
    run(answers, exec, on);
    run(answers, exec, on);
    answers.code(code!(cuMemFree_v2(at)));
    answers.code(code!(cuMemFree_v2(at)));
}

fn limits(answers: &mut Answers) {
    let on = begun();
    let plain = allocate(64);
    let (graph, outer) = (new_graph(answers), new_graph(answers));
    let (node, at) = alloc(answers, graph, &[], 64);
    let middle = fill(answers, graph, &[node], at, 5);
    let last = free(answers, graph, &[middle], at);
    let lone = fill(answers, graph, &[], plain, 5);
    let (mut exec, mut second) = (null_mut(), null_mut());
    answers.code(try_instantiate(&mut exec, graph, 0));
    answers.code(try_instantiate(&mut second, graph, 0));
    run(answers, exec, on);
    run(answers, exec, on);
    answers.code(code!(cuGraphExecDestroy(exec)));
    answers.code(try_instantiate(&mut second, graph, 0));
    answers.codes([
        code!(cuGraphClone(&mut null_mut(), graph)),
        code!(cuGraphAddChildGraphNode(&mut null_mut(), outer, null(), 0, graph)),
        code!(cuGraphDestroyNode(node)),
        code!(cuGraphDestroyNode(last)),
        code!(cuGraphDestroyNode(lone)),
        code!(cuGraphAddDependencies_v2(graph, &raw const node, &raw const lone, null(), 1)),
        code!(cuGraphRemoveDependencies_v2(graph, &raw const node, &raw const middle, null(), 1)),
    ]);
    answers.value(shape(graph));
}

fn frees(answers: &mut Answers) {
    let on = begun();
    let (graph, other) = (new_graph(answers), new_graph(answers));
    let plain = allocate(64);
    let pooled = super::memory::of_default_pool(64, on);
    let (node, at) = alloc(answers, graph, &[], 64);
    let (_, foreign) = alloc(answers, other, &[], 64);
    let mut last = null_mut();
    let mut add = |after: &[CUgraphNode], at| {
        code!(cuGraphAddMemFreeNode(&raw mut last, graph, after.as_ptr(), after.len(), at))
    };
    let codes = [
        add(&[], 64),
        add(&[], plain),
        add(&[], pooled),
        add(&[], at),
        add(&[node], at + 8),
        add(&[node], at),
        add(&[node], at),
        add(&[], foreign),
    ];
    answers.codes(codes);
    answers.value(shape(graph));
    let freeing = nodes(graph).into_iter().find(|node| kind(*node) == "11").unwrap_or_default();
    let mut read = 0;
    let code = code!(cuGraphMemFreeNodeGetParams(freeing, &raw mut read));
    answers.given(code, format_args!("{},{}", read == at, read == foreign));
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
}

fn other_graph(answers: &mut Answers) {
    let on = begun();
    let (graph, other) = (new_graph(answers), new_graph(answers));
    let (_, at) = alloc(answers, graph, &[], 64);
    answers.code(code!(cuGraphAddMemFreeNode(&mut null_mut(), other, null(), 0, at)));
    let (mut first, mut second) = (null_mut(), null_mut());
    answers.code(try_instantiate(&mut first, graph, 0));
    answers.code(try_instantiate(&mut second, other, 0));
    run(answers, first, on);
    run(answers, second, on);
    run(answers, first, on);
    run(answers, second, on);
    answers.code(code!(cuGraphLaunch(second, on)));
    answers.code(code!(cuStreamSynchronize(on)));
}

fn outlives(answers: &mut Answers) {
    let on = begun();
    let graph = new_graph(answers);
    let (node, at) = alloc(answers, graph, &[], 64);
    fill(answers, graph, &[node], at, 5);
    let exec = instantiate(answers, graph);
    run(answers, exec, on);
    super::memory::range(answers, at);
    super::memory::attributes(answers, at);
    answers.code(code!(cuGraphExecDestroy(exec)));
    answers.word(at);
    answers.code(code!(cuGraphDestroy(graph)));
    answers.word(at);
    answers.code(code!(cuMemFree_v2(at)));
    super::memory::range(answers, at);
}

fn reuse(answers: &mut Answers) {
    let on = begun();
    let (first, second) = (new_graph(answers), new_graph(answers));
    let mut addresses = Vec::new();
    for graph in [first, second] {
        let (node, at) = alloc(answers, graph, &[], 4 << 20);
        let middle = fill(answers, graph, &[node], at, 5);
        free(answers, graph, &[middle], at);
        addresses.push(at);
        let exec = instantiate(answers, graph);
        run(answers, exec, on);
        usage(answers);
    }
    answers.value(addresses[0] != addresses[1]);
    let one = new_graph(answers);
    let (node, at) = alloc(answers, one, &[], 4 << 20);
    let done = free(answers, one, &[node], at);
    let (_, again) = alloc(answers, one, &[done], 4 << 20);
    answers.value(at == again);
}

fn before_launch(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let (_, at) = alloc(answers, graph, &[], 64);
    answers.code(super::fill(at, 1));
    answers.code(super::synchronize());
    answers.word(at);
}

fn captured(answers: &mut Answers) {
    let on = begun();
    let mut at = 0;
    answers.must(begin(on, 0));
    answers.code(code!(cuMemAllocAsync(&raw mut at, 64, on)));
    answers.code(code!(cuMemsetD32Async(at, 5, 1, on)));
    let graph = ended(answers, on);
    answers.code(code!(cuMemFree_v2(at)));
    let mut exec = null_mut();
    answers.code(try_instantiate(&mut exec, graph, 0));
    run(answers, exec, on);
    answers.word(at);
    run(answers, exec, on);
    let other = stream(1);
    answers.code(code!(cuMemFreeAsync(at, other)));
    answers.code(code!(cuStreamSynchronize(other)));
    run(answers, exec, on);
    let foreign = {
        let own = current();
        context(0);
        let foreign = stream(1);
        call!(cuCtxSetCurrent(own));
        foreign
    };
    answers.code(code!(cuMemFreeAsync(at, foreign)));
}
