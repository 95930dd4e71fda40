//! Questions about instances of graphs: making, launching and destroying them.

use super::graph_scenes::*;
use super::{Answers, PTX, Question, synchronize};
use cuda_suite::raw::{allocate, context, current, function, page_locked, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering;
use std::time::Duration;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "graph-exec-empty-graph", devices: 1, ask: empty_graph },
    Question { name: "graph-exec-flags", devices: 1, ask: flags },
    Question { name: "graph-exec-params", devices: 1, ask: params },
    Question { name: "graph-exec-device-launch", devices: 1, ask: device_launch },
    Question { name: "graph-exec-two", devices: 1, ask: two },
    Question { name: "graph-exec-streams", devices: 1, ask: streams },
    Question { name: "graph-exec-overlap", devices: 1, ask: overlap },
    Question { name: "graph-exec-destroyed-in-flight", devices: 1, ask: destroyed_in_flight },
    Question { name: "graph-exec-changed-in-flight", devices: 1, ask: changed_in_flight },
    Question { name: "graph-exec-upload", devices: 1, ask: upload },
    Question { name: "graph-exec-contexts", devices: 1, ask: contexts },
    Question { name: "graph-exec-context-gone", devices: 1, ask: context_gone },
    Question { name: "graph-exec-context-destroyed-in-flight", devices: 1, ask: context_destroyed_in_flight },
    Question { name: "graph-exec-old-event-gone", devices: 1, ask: old_event_gone },
    Question { name: "graph-exec-fault", devices: 1, ask: fault },
    Question { name: "graph-exec-host-nodes", devices: 1, ask: host_nodes },
    Question { name: "graph-exec-branches", devices: 1, ask: branches },
];

fn empty_graph(answers: &mut Answers) {
    let on = begun();
    let graph = new_graph(answers);
    let mut exec = null_mut();
    answers.code(try_instantiate(&mut exec, graph, 0));
    run(answers, exec, on);
    answers.code(code!(cuGraphUpload(exec, on)));
    let mut info = CUgraphExecUpdateResultInfo::default();
    answers.code(code!(cuGraphExecUpdate_v2(exec, graph, &raw mut info)));
    answers.code(code!(cuGraphInstantiateWithFlags(null_mut(), graph, 0)));
}

fn flags(answers: &mut Answers) {
    begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    fill(answers, graph, &[], at, 1);
    let flags = (0..=16_u64).chain([1 << 32]);
    let list = flags.map(|flags| {
        let (mut exec, mut read) = (null_mut(), 99);
        let code = try_instantiate(&mut exec, graph, flags);
        if code.is_success() {
            let _ = code!(cuGraphExecGetFlags(exec, &raw mut read));
            let _ = code!(cuGraphExecDestroy(exec));
            return format!("0.{read}");
        }
        code.0.to_string()
    });
    answers.value(list.collect::<Vec<_>>().join(","));
}

fn params(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    fill(answers, graph, &[], at, 1);
    let mut list = Vec::new();
    for stream in [null_mut(), on] {
        for flags in 0..=9 {
            let mut params = CUDA_GRAPH_INSTANTIATE_PARAMS {
                flags,
                hUploadStream: stream,
                hErrNode_out: handle(8),
                result_out: CUgraphInstantiateResult_enum(77),
            };
            let mut exec = null_mut();
            let code = code!(cuGraphInstantiateWithParams(&raw mut exec, graph, &raw mut params));
            let node = params.hErrNode_out.addr();
            list.push(format!("{}.{}.{node}", code.0, params.result_out.0));
        }
    }
    answers.value(list.join(","));
    answers.code(code!(cuGraphInstantiateWithParams(&mut null_mut(), graph, null_mut())));
}

fn device_launch(answers: &mut Answers) {
    let on = begun();
    let (copy, at) = (copier(), allocate(64));
    let own = current();
    context(0);
    let foreign = copier();
    call!(cuCtxSetCurrent(own));
    for kind in 0..6 {
        let graph = new_graph(answers);
        let node = match kind {
            0 => kernel(answers, graph, &[], copy, &[at, at + 4]),
            1 => host(answers, graph, &[], counter()),
            2 => {
                kernel(answers, graph, &[], copy, &[at, at + 4]);
                kernel(answers, graph, &[], foreign, &[at, at + 4])
            }
            3 => {
                let event = event(answers, 2);
                made(answers, |node| {
                    code!(cuGraphAddEventRecordNode(node, graph, std::ptr::null(), 0, event))
                })
            }
            4 => null_mut(),
            _ => alloc(answers, graph, &[], 64).0,
        };
        let mut params =
            CUDA_GRAPH_INSTANTIATE_PARAMS { flags: 4, ..CUDA_GRAPH_INSTANTIATE_PARAMS::default() };
        let mut exec = null_mut();
        let code = code!(cuGraphInstantiateWithParams(&raw mut exec, graph, &raw mut params));
        answers.value(format_args!(
            "{}.{}.{}",
            code.0,
            params.result_out.0,
            !node.is_null() && params.hErrNode_out == node
        ));
        if code.is_success() {
            answers.code(code!(cuGraphLaunch(exec, on)));
            answers.code(code!(cuGraphUpload(exec, on)));
            run(answers, exec, on);
        }
    }
}

fn two(answers: &mut Answers) {
    let on = begun();
    let word = counter();
    let graph = new_graph(answers);
    host(answers, graph, &[], word);
    let (first, second) = (instantiate(answers, graph), instantiate(answers, graph));
    run(answers, first, on);
    run(answers, second, on);
    answers.value(counted(word));
    answers.code(code!(cuGraphDestroy(graph)));
    run(answers, first, on);
    run(answers, second, on);
    answers.value(counted(word));
}

fn streams(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let word = counter();
    let at = allocate(64);
    let graph = new_graph(answers);
    let first = host(answers, graph, &[], word);
    fill(answers, graph, &[first], at, 1);
    let exec = instantiate(answers, graph);
    for on in [null_mut(), handle(1), handle(2)] {
        run(answers, exec, on);
    }
    answers.value(counted(word));
    let other = context(0);
    let foreign = stream(1);
    run(answers, exec, foreign);
    run(answers, exec, null_mut());
    answers.value(counted(word));
    call!(cuCtxSetCurrent(own));
    run(answers, exec, foreign);
    let mut below = null_mut();
    while code!(cuCtxPopCurrent_v2(&raw mut below)).is_success() {}
    run(answers, exec, on);
    answers.code(code!(cuGraphLaunch(exec, null_mut())));
    answers.value(counted(word));
    call!(cuCtxSetCurrent(other));
    answers.code(synchronize());
}

fn overlap(answers: &mut Answers) {
    let on = begun();
    let other = stream(1);
    let (words, go) = page_locked(4);
    let late = function(PTX, c"late");
    let graph = new_graph(answers);
    // Counts how many of the kernels have begun, by what stands behind the first node.
    let word = counter();
    let first = host(answers, graph, &[], word);
    kernel(answers, graph, &[first], late, &[go, go + 4]);
    let exec = instantiate(answers, graph);
    let second = instantiate(answers, graph);
    answers.codes([code!(cuGraphLaunch(exec, on)), code!(cuGraphLaunch(exec, other))]);
    std::thread::sleep(Duration::from_millis(300));
    answers.value(counted(word));
    let third = stream(1);
    answers.code(code!(cuGraphLaunch(second, third)));
    std::thread::sleep(Duration::from_millis(300));
    answers.value(counted(word));
    answers.codes([code!(cuStreamQuery(on)), code!(cuStreamQuery(other)), code!(cuStreamQuery(third))]);
    words[0].store(1, Ordering::Release);
    answers.code(synchronize());
    answers.value(counted(word));
}

fn destroyed_in_flight(answers: &mut Answers) {
    let on = begun();
    let (words, go) = page_locked(4);
    let late = function(PTX, c"late");
    let graph = new_graph(answers);
    let first = kernel(answers, graph, &[], late, &[go, go + 4]);
    let word = counter();
    host(answers, graph, &[first], word);
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphLaunch(exec, on)));
    answers.codes([code!(cuGraphExecDestroy(exec)), code!(cuGraphDestroy(graph))]);
    answers.value(words[1].load(Ordering::Acquire));
    answers.code(code!(cuStreamQuery(on)));
    words[0].store(1, Ordering::Release);
    answers.code(synchronize());
    answers.value(words[1].load(Ordering::Acquire));
    answers.value(counted(word));
}

fn changed_in_flight(answers: &mut Answers) {
    let on = begun();
    let (words, go) = page_locked(4);
    let at = allocate(64);
    let hold = function(PTX, c"hold");
    let graph = new_graph(answers);
    let first = kernel(answers, graph, &[], hold, &[go]);
    let node = fill(answers, graph, &[first], at, 5);
    let exec = instantiate(answers, graph);
    answers.must(super::fill(at, 1));
    answers.code(code!(cuGraphLaunch(exec, on)));
    let params = fill_params(at, 6, 1);
    answers.code(code!(cuGraphExecMemsetNodeSetParams(exec, node, &raw const params, current())));
    answers.code(code!(cuGraphNodeSetEnabled(exec, node, 0)));
    words[0].store(1, Ordering::Release);
    answers.code(synchronize());
    answers.word(at);
    run(answers, exec, on);
    answers.word(at);
    answers.code(code!(cuGraphNodeSetEnabled(exec, node, 1)));
    run(answers, exec, on);
    answers.word(at);
}

fn upload(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let at = allocate(64);
    context(0);
    let foreign = stream(1);
    call!(cuCtxSetCurrent(own));
    let graph = new_graph(answers);
    fill(answers, graph, &[], at, 5);
    let exec = instantiate(answers, graph);
    answers.codes([
        code!(cuGraphUpload(exec, on)),
        code!(cuGraphUpload(exec, on)),
        code!(cuGraphUpload(exec, null_mut())),
        code!(cuGraphUpload(exec, foreign)),
    ]);
    run(answers, exec, stream(1));
    answers.word(at);
}

fn contexts(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let at = allocate(64);
    let second = context(0);
    let memory = allocate(64);
    let foreign = stream(1);
    let graph = new_graph(answers);
    let after = fill(answers, graph, &[], memory, 7);
    call!(cuCtxSetCurrent(own));
    fill(answers, graph, &[after], at, 8);
    let mut exec = null_mut();
    answers.code(try_instantiate(&mut exec, graph, 0));
    run(answers, exec, on);
    run(answers, exec, foreign);
    answers.word(at);
    call!(cuCtxSetCurrent(second));
    answers.word(memory);
}

fn context_gone(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let at = allocate(64);
    let second = context(0);
    let memory = allocate(64);
    let graph = new_graph(answers);
    let after = fill(answers, graph, &[], memory, 7);
    call!(cuCtxSetCurrent(own));
    fill(answers, graph, &[after], at, 8);
    let exec = instantiate(answers, graph);
    answers.code(code!(cuCtxDestroy_v2(second)));
    run(answers, exec, on);
}

fn context_destroyed_in_flight(answers: &mut Answers) {
    let on = begun();
    let hold = function(PTX, c"hold");
    let (words, go) = page_locked(1);
    let graph = new_graph(answers);
    kernel(answers, graph, &[], hold, &[go]);
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphLaunch(exec, on)));
    let other = std::thread::spawn(|| {
        std::thread::sleep(Duration::from_millis(500));
        words[0].store(1, Ordering::Release);
    });
    other.join().unwrap();
    answers.code(code!(cuCtxDestroy_v2(current())));
    answers.code(code!(cuGraphDestroy(graph)));
}

fn old_event_gone(answers: &mut Answers) {
    let on = begun();
    for is_wait in [false, true] {
        let [old, new] = [(); 2].map(|()| event(answers, 2));
        let graph = new_graph(answers);
        let node = made(answers, |node| {
            if is_wait {
                code!(cuGraphAddEventWaitNode(node, graph, null(), 0, old))
            } else {
                code!(cuGraphAddEventRecordNode(node, graph, null(), 0, old))
            }
        });
        let exec = instantiate(answers, graph);
        let set = || {
            if is_wait {
                code!(cuGraphExecEventWaitNodeSetEvent(exec, node, new))
            } else {
                code!(cuGraphExecEventRecordNodeSetEvent(exec, node, new))
            }
        };
        answers.codes([set(), code!(cuEventDestroy_v2(old))]);
        let codes =
            (0..20).flat_map(|_| [set(), code!(cuGraphLaunch(exec, on)), code!(cuStreamSynchronize(on))]);
        let failed: Vec<u32> = codes.filter(|code| !code.is_success()).map(|code| code.0).collect();
        answers.value(format!("{failed:?}"));
        answers.codes([code!(cuGraphDestroy(graph)), set()]);
        answers.codes([code!(cuGraphLaunch(exec, on)), code!(cuStreamSynchronize(on))]);
        answers.code(code!(cuGraphExecDestroy(exec)));
    }
}

fn fault(answers: &mut Answers) {
    let on = begun();
    let wrong = function(PTX, c"wrong");
    let graph = new_graph(answers);
    kernel(answers, graph, &[], wrong, &[]);
    let exec = instantiate(answers, graph);
    run(answers, exec, on);
    answers.codes([
        code!(cuGraphLaunch(exec, on)),
        code!(cuGraphUpload(exec, on)),
        code!(cuGraphExecDestroy(exec)),
        code!(cuGraphDestroy(graph)),
        code!(cuGraphCreate(&mut null_mut(), 0)),
    ]);
}

fn host_nodes(answers: &mut Answers) {
    use core::ffi::c_void;
    use std::sync::atomic::AtomicUsize;
    static CODES: [AtomicUsize; 8] = [const { AtomicUsize::new(7777) }; 8];
    static HANDLES: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
    unsafe extern "C" fn inside(_: *mut c_void) {
        let [on, graph, exec] = HANDLES.each_ref().map(|handle| handle.load(Ordering::SeqCst));
        let codes = [
            code!(cuStreamQuery(handle(on))),
            code!(cuGraphCreate(&mut null_mut(), 0)),
            code!(cuGraphLaunch(handle(exec), handle(on))),
            code!(cuGraphGetNodes(handle(graph), null_mut(), &mut 0)),
            try_instantiate(&mut null_mut(), handle(graph), 0),
            code!(cuGraphUpload(handle(exec), handle(on))),
            code!(cuGraphExecDestroy(handle(exec))),
            code!(cuGraphDestroy(handle(graph))),
        ];
        for (place, code) in CODES.iter().zip(codes) {
            place.store(code.0 as usize, Ordering::SeqCst);
        }
    }
    let on = begun();
    let inner = new_graph(answers);
    empty(answers, inner, &[]);
    let exec = instantiate(answers, inner);
    for (place, address) in HANDLES.iter().zip([on.addr(), inner.addr(), exec.addr()]) {
        place.store(address, Ordering::SeqCst);
    }
    let graph = new_graph(answers);
    let params = CUDA_HOST_NODE_PARAMS { fn_: Some(inside), userData: null_mut() };
    made(answers, |node| code!(cuGraphAddHostNode(node, graph, std::ptr::null(), 0, &raw const params)));
    let exec = instantiate(answers, graph);
    run(answers, exec, on);
    answers.value(CODES.each_ref().map(|code| code.load(Ordering::SeqCst).to_string()).join(","));
}

fn branches(answers: &mut Answers) {
    let on = begun();
    let (words, go) = page_locked(4);
    let late = function(PTX, c"late");
    let graph = new_graph(answers);
    kernel(answers, graph, &[], late, &[go, go + 8]);
    kernel(answers, graph, &[], late, &[go + 4, go + 12]);
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphLaunch(exec, on)));
    // The second branch goes on, and the first still waits.
    words[1].store(1, Ordering::Release);
    let start = std::time::Instant::now();
    while words[3].load(Ordering::Acquire) == 0 && start.elapsed() < Duration::from_secs(2) {
        std::thread::yield_now();
    }
    answers.value(words[3].load(Ordering::Acquire));
    words[0].store(1, Ordering::Release);
    answers.code(synchronize());
    answers.value(words[2].load(Ordering::Acquire));
}
