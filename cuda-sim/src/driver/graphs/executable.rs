//! Executables: copies of graphs, created by instantiation, which can be launched several times.

#![allow(unsafe_code)]

use crate::collections::{IdMap, IdSet};
use crate::console::say;
use crate::driver::graphs::conditional_nodes::check_body;
use crate::driver::graphs::graph::{Owner, new_graph_id};
use crate::driver::graphs::launching::{self, gone_kernel};
use crate::driver::graphs::operation::Operation;
use crate::driver::graphs::user_objects::{DestroyedBy, Held};
use crate::driver::handles::Handle;
use crate::driver::operations::OpId;
use crate::driver::queues::conditions::Conditions;
use crate::driver::stream_order::NodeId;
use crate::driver::{Answer, Call, State, check_out, put, put_if_wanted};
use core::ffi::{c_char, c_uint, c_ulonglong};
use core::ptr::null_mut;
use cuda_sys::{
    CUDA_GRAPH_INSTANTIATE_PARAMS, CUgraph, CUgraphExec, CUgraphInstantiate_flags_enum as Flags,
    CUgraphInstantiateResult, CUgraphInstantiateResult_enum as Outcome, CUgraphNode, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Node of an executable.
#[derive(Clone)]
pub(crate) struct Step {
    /// Node of the graph from which it was created.
    pub(crate) node: Handle,
    pub(crate) operation: Operation,
    /// Steps that it depends on.
    pub(crate) after: Vec<usize>,
    pub(crate) is_enabled: bool,
    /// Bodies of a conditional node, by their numbers in the executable.
    pub(crate) bodies: Vec<usize>,
    /// Step that begins the child graph which this one ends.
    pub(crate) begun_by: Option<usize>,
}

impl Step {
    fn new(node: Handle, operation: Operation) -> Step {
        Step { node, operation, after: Vec::new(), is_enabled: true, bodies: Vec::new(), begun_by: None }
    }
}

/// Graph inside a conditional node of an executable.
#[derive(Clone)]
pub(crate) struct Body {
    /// Context of the conditional node.
    context: Handle,
    pub(crate) steps: Vec<Step>,
    pub(crate) order: Vec<usize>,
}

/// An executable.
pub(crate) struct Executable {
    pub(crate) context: Handle,
    /// Steps in the order of the nodes of the graph. The steps of a child graph are between the two that begin and end
    /// it.
    pub(crate) steps: Vec<Step>,
    /// Steps in an order in which each follows its dependencies.
    pub(crate) order: Vec<usize>,
    /// Bodies of all conditional nodes, also of nodes inside bodies. One list holds them, so that no walk is recursive.
    /// The bodies inside a body follow it.
    pub(crate) bodies: Vec<Body>,
    /// Graph, if it can have one executable at a time only.
    pub(super) sole_of: Option<Handle>,
    pub(crate) flags: u64,
    pub(crate) id: c_uint,
    /// End of the last launch, because launches of an executable do not overlap.
    pub(crate) last: Option<OpId>,
    pub(crate) last_node: Option<NodeId>,
    /// User objects that it references.
    pub(crate) objects: Vec<Held>,
    /// Values that each launch sets for the conditions.
    pub(crate) defaults: Vec<Option<u32>>,
}

impl Executable {
    /// Returns the step of a node from which the executable was created, except nodes in bodies.
    pub(crate) fn step(&self, node: Handle) -> Option<usize> {
        self.steps.iter().position(|step| step.node == node)
    }

    /// Returns the step of a node, including nodes in bodies.
    pub(crate) fn step_mut(&mut self, node: Handle) -> Option<&mut Step> {
        let inner = self.bodies.iter_mut().flat_map(|body| &mut body.steps);
        self.steps.iter_mut().chain(inner).find(|step| step.node == node)
    }
}

/// Returns the steps of an executable and of its bodies.
pub(super) fn all_steps<'a>(steps: &'a [Step], bodies: &'a [Body]) -> impl Iterator<Item = &'a Step> {
    steps.iter().chain(bodies.iter().flat_map(|body| &body.steps))
}

/// Graph whose steps are being added.
struct OpenGraph<'a> {
    nodes: &'a [Handle],
    /// Number of nodes whose steps are complete.
    done: usize,
    /// Step that the graph begins after.
    begin: Option<usize>,
    /// First and last step of each node.
    places: IdMap<Handle, (usize, usize)>,
}

/// Body that is missing in an executable.
struct MissingBody {
    graph: Handle,
    context: Handle,
    /// Body that contains the conditional node, or `None` for the graph itself.
    outer: Option<usize>,
    /// Step of the conditional node.
    step: usize,
}

/// Returns the bodies of the conditional nodes among steps.
fn missing_bodies(outer: Option<usize>, steps: &[Step]) -> Vec<MissingBody> {
    let mut missing = Vec::new();
    for (step, found) in steps.iter().enumerate() {
        let Operation::Conditional(node) = &found.operation else { continue };
        let body = |graph| MissingBody { graph, context: node.context, outer, step };
        missing.extend(node.bodies().into_iter().map(body));
    }
    missing
}

impl State {
    /// Returns the executable that a program names.
    pub(crate) fn executable(&self, executable: CUgraphExec) -> Answer<&Executable> {
        self.executables.get(Handle::of(executable)).ok_or(INVALID)
    }

    pub(crate) fn executable_mut(&mut self, executable: CUgraphExec) -> Answer<&mut Executable> {
        self.executables.get_mut(Handle::of(executable)).ok_or(INVALID)
    }

    fn open_graph(&self, graph: Handle, begin: Option<usize>) -> OpenGraph<'_> {
        let nodes = self.graphs.get(graph).map(|graph| graph.nodes.as_slice()).unwrap_or_default();
        OpenGraph { nodes, done: 0, begin, places: IdMap::new() }
    }

    /// Sets the dependencies of the steps of a graph. Returns the steps without dependents.
    fn link_steps(&self, graph: &OpenGraph<'_>, steps: &mut [Step]) -> Vec<usize> {
        let OpenGraph { nodes, begin, places, .. } = graph;
        let mut inner = IdSet::new();
        for node in *nodes {
            let (Some(found), Some((first, _))) = (self.nodes.get(*node), places.get(*node)) else {
                continue;
            };
            let ends = found.dependencies.iter().filter_map(|earlier| places.get(earlier.node));
            let mut after: Vec<usize> = ends.map(|(_, last)| *last).collect();
            inner.extend(found.dependencies.iter().map(|earlier| earlier.node));
            if after.is_empty() {
                after.extend(*begin);
            }
            if let Some(step) = steps.get_mut(*first) {
                step.after = after;
            }
        }
        let leaves = nodes.iter().filter(|node| !inner.contains(**node));
        leaves.filter_map(|node| places.get(*node)).map(|(_, last)| *last).collect()
    }

    /// Returns the steps of a graph and of its child graphs, without bodies.
    fn steps_without_bodies(&self, graph: Handle) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut open = vec![self.open_graph(graph, None)];
        while let Some(inner) = open.last_mut() {
            let Some(node) = inner.nodes.get(inner.done).copied() else {
                let Some(complete) = open.pop() else { break };
                let leaves = self.link_steps(&complete, &mut steps);
                if let (Some(outer), Some(begin)) = (open.last_mut(), complete.begin) {
                    let after = if leaves.is_empty() { vec![begin] } else { leaves };
                    let begun_by = Some(begin);
                    steps.push(Step { after, begun_by, ..Step::new(Handle::NULL, Operation::Empty) });
                    if let Some(node) = outer.nodes.get(outer.done) {
                        outer.places.insert(*node, (begin, steps.len() - 1));
                    }
                    outer.done += 1;
                }
                continue;
            };
            let Some(found) = self.nodes.get(node) else {
                inner.done += 1;
                continue;
            };
            let first = steps.len();
            steps.push(Step::new(node, found.operation.clone()));
            if let Some(child) = found.operation.child() {
                open.push(self.open_graph(child, Some(first)));
            } else {
                inner.places.insert(node, (first, first));
                inner.done += 1;
            }
        }
        steps
    }

    /// Returns the steps of a graph, and the bodies of its conditional nodes.
    pub(crate) fn steps_of(&self, graph: Handle) -> (Vec<Step>, Vec<Body>) {
        let mut outermost = self.steps_without_bodies(graph);
        let mut bodies: Vec<Body> = Vec::new();
        // The next one is the last one.
        let mut missing: Vec<MissingBody> = missing_bodies(None, &outermost).into_iter().rev().collect();
        while let Some(MissingBody { graph, context, outer, step }) = missing.pop() {
            let number = bodies.len();
            let around = match outer {
                None => Some(&mut outermost),
                Some(body) => bodies.get_mut(body).map(|body| &mut body.steps),
            };
            if let Some(step) = around.and_then(|steps| steps.get_mut(step)) {
                step.bodies.push(number);
            }
            let steps = self.steps_without_bodies(graph);
            let order = order_of(&steps).unwrap_or_default();
            missing.extend(missing_bodies(Some(number), &steps).into_iter().rev());
            bodies.push(Body { context, steps, order });
        }
        (outermost, bodies)
    }
}

/// Returns an order of the steps in which each follows its dependencies, or `None` if there is a cycle.
pub(crate) fn order_of(steps: &[Step]) -> Option<Vec<usize>> {
    let mut missing: Vec<usize> = steps.iter().map(|step| step.after.len()).collect();
    let mut later = vec![Vec::new(); steps.len()];
    for (index, step) in steps.iter().enumerate() {
        for earlier in &step.after {
            later.get_mut(*earlier)?.push(index);
        }
    }
    let mut order: Vec<usize> = (0..steps.len()).filter(|index| missing[*index] == 0).collect();
    let mut done = 0;
    while let Some(index) = order.get(done).copied() {
        done += 1;
        for next in &later[index] {
            missing[*next] -= 1;
            if missing[*next] == 0 {
                order.push(*next);
            }
        }
    }
    (order.len() == steps.len()).then_some(order)
}

/// Error of an instantiation: the code, the reason, and the node.
pub(super) struct Failure(pub(super) CUresult, pub(super) CUgraphInstantiateResult, pub(super) Handle);

impl From<CUresult> for Failure {
    fn from(code: CUresult) -> Failure {
        Failure(code, Outcome::CUDA_GRAPH_INSTANTIATE_ERROR, Handle::NULL)
    }
}

/// Refuses graphs that kernels cannot launch. Such graphs have a few kinds of nodes, in one context. Launches by
/// kernels are not simulated, because the engine lacks the function.
fn check_device_launch(steps: &[Step]) -> Result<(), Failure> {
    let mut context = None;
    for step in steps.iter().filter(|step| step.node != Handle::NULL) {
        let failure = |reason| Failure(INVALID, reason, step.node);
        let own = match &step.operation {
            Operation::Kernel(work) => Some(work.context),
            Operation::Copy(work) => Some(work.context),
            Operation::Fill(work) => Some(work.context),
            Operation::Child(_) => None,
            _ => return Err(failure(Outcome::CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED)),
        };
        if own.is_some_and(|own| *context.get_or_insert(own) != own) {
            return Err(failure(Outcome::CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED));
        }
    }
    if steps.is_empty() { Err(INVALID.into()) } else { Ok(()) }
}

/// Checks the bodies of all conditional nodes.
fn check_bodies(bodies: &[Body]) -> Result<(), Failure> {
    for body in bodies {
        check_body(&body.steps, body.context)?;
        if order_of(&body.steps).is_none() {
            return Err(INVALID.into());
        }
    }
    Ok(())
}

/// Determines the ways of all copies, and checks the access of fills (conformance fact V1175).
fn look_at_access(state: &State, steps: &mut [Step], bodies: &mut [Body]) -> Answer {
    for step in steps.iter_mut().chain(bodies.iter_mut().flat_map(|body| &mut body.steps)) {
        match &mut step.operation {
            Operation::Copy(work) => work.way = state.way_of(work),
            Operation::Fill(work) => work.check_access(state)?,
            _ => {}
        }
    }
    Ok(())
}

/// Creates an executable from a graph.
fn make(call: &mut Call<'_>, graph: CUgraph, flags: u64) -> Result<CUgraphExec, Failure> {
    if matches!(call.state.graph(graph)?.owner, Owner::Node(_)) {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED.into());
    }
    let known = Flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH.0
        | Flags::CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD.0
        | Flags::CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH.0
        | Flags::CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY.0;
    let has = |flag: Flags| flags & u64::from(flag.0) != 0;
    let frees_first = has(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    let by_device = has(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH);
    if flags & !u64::from(known) != 0 || frees_first && by_device {
        return Err(INVALID.into());
    }
    let sole_of = call.state.is_sole(Handle::of(graph)).then(|| Handle::of(graph));
    if sole_of.is_some() && call.state.executables.iter().any(|(_, other)| other.sole_of == sole_of) {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED.into());
    }
    let (mut steps, mut bodies) = call.state.steps_of(Handle::of(graph));
    if by_device {
        check_device_launch(&steps)?;
    }
    if call.state.has_unused_condition(Handle::of(graph)) {
        let reason = Outcome::CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED;
        return Err(Failure(INVALID, reason, Handle::NULL));
    }
    check_bodies(&bodies)?;
    // Hardware crashes.
    if let Some(gone) = gone_kernel(call.state, &steps, &bodies) {
        say(&format!(
            "kernel `{gone}` of a graph cannot be instantiated: its module was unloaded or its context destroyed"
        ));
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE.into());
    }
    // Hardware crashes (conformance fact V1218).
    let is_gone = |step: &Step| match step.operation {
        Operation::RecordEvent(event) => call.state.events.get(event).is_none(),
        _ => false,
    };
    if all_steps(&steps, &bodies).any(is_gone) {
        say("a graph cannot be instantiated: a node records an event that was destroyed");
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE.into());
    }
    let order = order_of(&steps).ok_or(INVALID)?;
    look_at_access(call.state, &mut steps, &mut bodies)?;
    // The flag for node priorities is not reported (measured).
    let flags = flags & !u64::from(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY.0);
    let objects = call.state.objects_of_graph(Handle::of(graph));
    call.state.retain_objects(&objects);
    let (id, defaults) = (new_graph_id(), call.state.defaults_of(Handle::of(graph)));
    call.state.make_conditions(Conditions::of(id), defaults.len());
    let executable = Executable {
        context: call.context,
        sole_of,
        steps,
        order,
        bodies,
        flags,
        id,
        // Both have the memory of the graph.
        last: sole_of.and_then(|graph| call.state.graphs.get(graph)?.last_launch),
        last_node: None,
        objects,
        defaults,
    };
    Ok(call.state.executables.insert(executable).pointer())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn instantiate_with_flags(
    call: &mut Call<'_>,
    to: *mut CUgraphExec,
    graph: CUgraph,
    flags: c_ulonglong,
) -> Answer {
    check_out(to)?;
    // Only the call that names a stream uploads.
    if flags & u64::from(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD.0) != 0 {
        return Err(INVALID);
    }
    let executable = make(call, graph, flags).map_err(|Failure(code, ..)| code)?;
    // SAFETY: the program's promise.
    unsafe { put(to, executable) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn instantiate(
    call: &mut Call<'_>,
    to: *mut CUgraphExec,
    graph: CUgraph,
    failed: *mut CUgraphNode,
    log: *mut c_char,
    size: usize,
) -> Answer {
    check_out(to)?;
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(failed, null_mut()) };
    if size > 0 {
        // SAFETY: the buffer has room for a byte, which ends an empty text.
        unsafe { put_if_wanted(log, 0) };
    }
    let executable = make(call, graph, 0).map_err(|Failure(code, ..)| code)?;
    // SAFETY: the program's promise.
    unsafe { put(to, executable) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn instantiate_with_params(
    call: &mut Call<'_>,
    to: *mut CUgraphExec,
    graph: CUgraph,
    params: *mut CUDA_GRAPH_INSTANTIATE_PARAMS,
) -> Answer {
    check_out(to)?;
    check_out(params)?;
    // SAFETY: not null, so valid for a read.
    let mut given = unsafe { params.read() };
    if given.flags & u64::from(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD.0) != 0 {
        call.state.stream(given.hUploadStream)?;
    }
    let made = make(call, graph, given.flags);
    (given.result_out, given.hErrNode_out) = match made {
        Ok(_) => (Outcome::CUDA_GRAPH_INSTANTIATE_SUCCESS, null_mut()),
        Err(Failure(_, reason, node)) => (reason, node.pointer()),
    };
    // SAFETY: the program's promise.
    unsafe { put(params, given) }?;
    // SAFETY: the program's promise.
    unsafe { put(to, made.map_err(|Failure(code, ..)| code)?) }
}

/// Checks an upload, which has no effect, because nothing moves to the device.
pub(crate) fn upload(call: &mut Call<'_>, executable: CUgraphExec, stream: cuda_sys::CUstream) -> Answer {
    call.state.executable(executable)?;
    let on = call.state.stream(stream)?;
    call.state.check_uncaptured(on)
}

pub(crate) fn launch(call: &mut Call<'_>, executable: CUgraphExec, stream: cuda_sys::CUstream) -> Answer {
    call.state.executable(executable)?;
    let on = call.state.stream(stream)?;
    // An upload cannot be captured (measured).
    call.state.check_uncaptured(on)?;
    launching::launch(call.state, Handle::of(executable), on)
}

/// Destroys an executable. Launches in progress continue (measured). If the context was destroyed, hardware crashes
/// (measured). If the graph was destroyed, its memory is released (measured).
pub(crate) fn destroy(call: &mut Call<'_>, executable: CUgraphExec) -> Answer {
    let removed = call.state.executables.remove(Handle::of(executable)).ok_or(INVALID)?;
    match removed.sole_of.and_then(|graph| call.state.graphs.get_mut(graph)) {
        Some(graph) => graph.last_launch = removed.last,
        None => {
            let operations = removed.steps.iter().map(|step| &step.operation);
            call.state.give_graph_memory_away(operations, removed.last);
        }
    }
    call.state.release_objects(&removed.objects, DestroyedBy::Caller);
    call.state.live_context(removed.context).map(drop)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn flags(call: &mut Call<'_>, executable: CUgraphExec, to: *mut u64) -> Answer {
    let value = call.state.executable(executable)?.flags;
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn id(call: &mut Call<'_>, executable: CUgraphExec, to: *mut c_uint) -> Answer {
    let value = call.state.executable(executable)?.id;
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}
