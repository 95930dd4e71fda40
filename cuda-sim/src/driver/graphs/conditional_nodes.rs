//! Conditional nodes: graphs inside a node, which run according to the value of a condition. Kernels set the value.
//! Each launch can reset it.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::graphs::executable::{Body, Failure, Step};
use crate::driver::graphs::graph::Owner;
use crate::driver::graphs::launching::push_steps;
use crate::driver::graphs::operation::Operation;
use crate::driver::handles::Handle;
use crate::driver::operations::{OpId, StreamId};
use crate::driver::queues::conditions::Conditions;
use crate::driver::queues::queue::Work;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::c_uint;
use cuda_sys::{
    CUDA_CONDITIONAL_NODE_PARAMS, CUcontext, CUgraph, CUgraphConditionalHandle, CUgraphConditionalNodeType,
    CUgraphConditionalNodeType_enum as Kind, CUgraphInstantiateResult_enum as Outcome, CUresult,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
/// Flag of conditions that each launch resets.
const ASSIGN_DEFAULT: c_uint = 1;

/// Condition of a graph. Its handle is its number in the outermost graph, counted from 1 (measured: conditions of
/// several graphs have equal handles).
#[derive(Clone, Copy)]
pub(crate) struct Condition {
    /// Value that each launch sets, if launches set one.
    default: Option<u32>,
    /// Context of the handle.
    context: Handle,
    /// True if a node uses it.
    is_used: bool,
}

/// Bodies of a node. The program gets a pointer to this list, which lives as long as the node.
struct Shown(Vec<CUgraph>);

// SAFETY: the pointers are handles, which are never dereferenced.
unsafe impl Send for Shown {}
// SAFETY: as above.
unsafe impl Sync for Shown {}

/// Conditional node.
#[derive(Clone)]
pub(crate) struct Conditional {
    pub(crate) handle: u64,
    pub(crate) kind: CUgraphConditionalNodeType,
    pub(crate) context: Handle,
    shown: Arc<Shown>,
}

impl Conditional {
    /// Returns the graphs inside the node.
    pub(crate) fn bodies(&self) -> Vec<Handle> {
        self.shown.0.iter().map(|graph| Handle::of(*graph)).collect()
    }

    /// Returns the parameters of the node.
    pub(crate) fn params(&self) -> CUDA_CONDITIONAL_NODE_PARAMS {
        CUDA_CONDITIONAL_NODE_PARAMS {
            handle: self.handle,
            type_: self.kind,
            size: self.shown.0.len() as c_uint,
            phGraph_out: self.shown.0.as_ptr().cast_mut(),
            ctx: self.context.pointer(),
        }
    }
}

impl State {
    /// Returns the outermost graph that contains a graph, or the graph itself.
    pub(super) fn outermost(&self, graph: Handle) -> Handle {
        let mut found = graph;
        while let Some(Owner::Node(node)) = self.graphs.get(found).map(|graph| graph.owner) {
            match self.nodes.get(node) {
                Some(node) => found = node.graph,
                None => break,
            }
        }
        found
    }

    /// Returns whether a graph is the body of a conditional node.
    pub(crate) fn is_body(&self, graph: Handle) -> bool {
        match self.graphs.get(graph).map(|graph| graph.owner) {
            Some(Owner::Node(node)) => {
                let node = self.nodes.get(node);
                node.is_some_and(|node| matches!(node.operation, Operation::Conditional(_)))
            }
            _ => false,
        }
    }

    /// Returns whether a graph has a conditional node.
    pub(super) fn has_conditional(&self, graph: Handle) -> bool {
        let nodes = self.graphs.get(graph).map(|graph| graph.nodes.as_slice()).unwrap_or_default();
        let mut nodes = nodes.iter().filter_map(|node| self.nodes.get(*node));
        nodes.any(|node| matches!(node.operation, Operation::Conditional(_)))
    }

    /// Returns whether a graph has a condition that no node uses.
    pub(super) fn has_unused_condition(&self, graph: Handle) -> bool {
        let conditions = self.graphs.get(graph).map(|graph| graph.conditions.as_slice());
        conditions.unwrap_or_default().iter().any(|condition| !condition.is_used)
    }

    /// Returns the values that each launch sets for the conditions of a graph, in the order of their numbers.
    pub(super) fn defaults_of(&self, graph: Handle) -> Vec<Option<u32>> {
        let conditions = self.graphs.get(graph).map(|graph| graph.conditions.as_slice());
        conditions.unwrap_or_default().iter().map(|condition| condition.default).collect()
    }

    /// Sets the conditions of a new executable to initial values.
    pub(super) fn make_conditions(&mut self, of: Conditions, count: usize) {
        for handle in 1..=count as u64 {
            if let Some(key) = of.key(handle) {
                self.conditions.insert(key, 0);
            }
        }
    }

    /// Records the values that a kernel has set for conditions.
    ///
    /// If no graph launched the kernel, or that graph has no such condition, the kernel fails with
    /// `CUDA_ERROR_ILLEGAL_ADDRESS`, as for a write to unmapped memory (measured).
    pub(crate) fn set_conditions(&mut self, of: Option<Conditions>, values: &[(u64, u32)]) -> Answer {
        for (handle, value) in values {
            let key = of.and_then(|of| of.key(*handle));
            let Some(found) = key.and_then(|key| self.conditions.get_mut(key)) else {
                say(&format!("condition {handle:#x}: set by a kernel that no graph with it has launched"));
                return Err(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
            };
            *found = *value;
        }
        Ok(())
    }

    /// Resets the conditions of a launch.
    pub(super) fn reset_conditions(&mut self, of: Conditions, defaults: &[Option<u32>]) {
        for (handle, default) in (1_u64..).zip(defaults) {
            let found = of.key(handle).and_then(|key| self.conditions.get_mut(key));
            if let (Some(found), Some(default)) = (found, default) {
                *found = *default;
            }
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create_handle(
    call: &mut Call<'_>,
    to: *mut CUgraphConditionalHandle,
    graph: CUgraph,
    context: CUcontext,
    default: c_uint,
    flags: c_uint,
) -> Answer {
    check_out(to)?;
    call.state.graph(graph)?;
    if flags & !ASSIGN_DEFAULT != 0 {
        return Err(INVALID);
    }
    if context.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    let context = Handle::of(context);
    call.state.live_context(context)?;
    let default = (flags & ASSIGN_DEFAULT != 0).then_some(default);
    let graph = call.state.outermost(Handle::of(graph));
    let found = call.state.graphs.get_mut(graph).ok_or(INVALID)?;
    found.conditions.push(Condition { default, context, is_used: false });
    let handle = found.conditions.len() as u64;
    // SAFETY: the program's promise.
    unsafe { put(to, handle) }
}

/// Checks the parameters of a conditional node, and creates the graphs inside it.
pub(super) fn conditional(
    call: &mut Call<'_>,
    graph: Handle,
    given: &CUDA_CONDITIONAL_NODE_PARAMS,
) -> Answer<Conditional> {
    let fits = match given.type_ {
        Kind::CU_GRAPH_COND_TYPE_IF => matches!(given.size, 1 | 2),
        Kind::CU_GRAPH_COND_TYPE_WHILE => given.size == 1,
        Kind::CU_GRAPH_COND_TYPE_SWITCH => given.size >= 1,
        _ => false,
    };
    call.state.check_nesting(graph, None)?;
    call.state.check_room(given.size as usize)?;
    let outermost = call.state.outermost(graph);
    let context = Handle::of(given.ctx);
    let index = usize::try_from(given.handle).ok().and_then(|handle| handle.checked_sub(1)).ok_or(INVALID)?;
    let conditions = call.state.graphs.get(outermost).map(|found| found.conditions.len());
    conditions.filter(|count| index < *count).ok_or(INVALID)?;
    if given.ctx.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    call.state.live_context(context)?;
    let found = call.state.graphs.get_mut(outermost).ok_or(INVALID)?;
    let condition = found.conditions.get_mut(index).ok_or(INVALID)?;
    // Only one node can use a condition, and only in the context of its handle (conformance fact V1207).
    if !fits || condition.is_used || condition.context != context {
        return Err(INVALID);
    }
    condition.is_used = true;
    let bodies = (0..given.size).map(|_| call.state.make_graph(Owner::Program).pointer());
    let shown = Arc::new(Shown(bodies.collect()));
    Ok(Conditional { handle: given.handle, kind: given.type_, context, shown })
}

/// Refuses bodies that CUDA does not allow. A body has kernel, copy, fill, child graph, empty and
/// conditional nodes, all in the context of the conditional node.
pub(super) fn check_body(steps: &[Step], context: Handle) -> Result<(), Failure> {
    for step in steps {
        let failure = |reason| Failure(INVALID, reason, step.node);
        let own = match &step.operation {
            Operation::Kernel(work) => work.green.unwrap_or(work.context),
            Operation::Copy(work) => work.context,
            Operation::Fill(work) => work.context,
            Operation::Child(_) | Operation::Empty | Operation::Conditional(_) => continue,
            _ => return Err(failure(Outcome::CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED)),
        };
        if own != context {
            return Err(failure(Outcome::CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED));
        }
    }
    Ok(())
}

/// Launch whose nodes are being queued.
#[derive(Clone)]
pub(super) struct Launch {
    pub(super) on: (StreamId, Handle),
    pub(super) conditions: Conditions,
    /// Bodies of the executable, if it has any. The lock makes them shareable.
    bodies: Option<Arc<Mutex<Vec<Body>>>>,
}

impl Launch {
    pub(super) fn new(on: (StreamId, Handle), conditions: Conditions, bodies: Vec<Body>) -> Launch {
        let bodies = (!bodies.is_empty()).then(|| Arc::new(Mutex::new(bodies)));
        Launch { on, conditions, bodies }
    }

    fn body(&self, number: usize) -> Option<Body> {
        let bodies = self.bodies.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        bodies.get(number).cloned()
    }
}

/// Run of a conditional node.
struct Run {
    launch: Launch,
    handle: u64,
    kind: CUgraphConditionalNodeType,
    /// Numbers of the bodies.
    bodies: Vec<usize>,
    /// Operation that later nodes wait for.
    end: Arc<AtomicU64>,
}

/// Queues a conditional node: a task that evaluates the condition and queues a body, and an end that waits for the
/// body.
pub(super) fn push(
    state: &mut State,
    launch: &Launch,
    awaited: Vec<OpId>,
    node: &Conditional,
    bodies: Vec<usize>,
) -> OpId {
    // Set when both are queued, before either is done.
    let known = Arc::new(AtomicU64::new(0));
    let (handle, kind, on) = (node.handle, node.kind, launch.on);
    let run = Run { launch: launch.clone(), handle, kind, bodies, end: Arc::clone(&known) };
    let task = Work::Task(Box::new(move |state: &mut State| decide(state, run)));
    let begin = state.push_after(on, awaited, 0, task);
    let end = state.push_after(on, vec![begin], 0, Work::Task(Box::new(|_| Ok(()))));
    known.store(end, Ordering::Relaxed);
    end
}

/// Evaluates the condition, and queues the selected body. A loop repeats this after each run.
fn decide(state: &mut State, run: Run) -> Answer {
    let (on, conditions) = (run.launch.on, run.launch.conditions);
    let value = conditions.key(run.handle).and_then(|key| state.conditions.get(key)).copied().unwrap_or(0);
    let is_loop = run.kind == Kind::CU_GRAPH_COND_TYPE_WHILE;
    let index = match run.kind {
        Kind::CU_GRAPH_COND_TYPE_SWITCH => value as usize,
        _ if value != 0 => 0,
        _ if is_loop => return Ok(()),
        _ => 1,
    };
    let body = run.bodies.get(index).and_then(|number| run.launch.body(*number));
    let Some(Body { steps, order, .. }) = body else { return Ok(()) };
    let begin = state.push_after(on, Vec::new(), 0, Work::Task(Box::new(|_| Ok(()))));
    let mut last = push_steps(state, &run.launch, begin, &steps, &order)?;
    let end = run.end.load(Ordering::Relaxed);
    if is_loop {
        let task = Work::Task(Box::new(move |state: &mut State| decide(state, run)));
        let again = state.push_after(on, last, 0, task);
        // Otherwise a loop that waits for the program would block the call that launches it.
        state.queue.give_way(again);
        last = vec![again];
    }
    if let (Some(order), Some(node)) = (&state.order, state.queue.node_of(end)) {
        order.comes_after_more(node, last.iter().filter_map(|op| state.queue.node_of(*op)));
    }
    state.queue.wait_for_more(end, &last);
    Ok(())
}
