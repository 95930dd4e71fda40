//! Changes of executables: of single nodes, and of all nodes by another graph. Launches in progress keep their old
//! state.

#![allow(unsafe_code)]

use crate::driver::copies::pitched_copy::Plan;
use crate::driver::copies::pitched_entry_points::{CopyWork, plan_node_copy};
use crate::driver::graphs::executable::{Body, Step};
use crate::driver::graphs::kernel_nodes::{kernel, kernel_params};
use crate::driver::graphs::node_entry_points::{context_of, event, fill, host, read};
use crate::driver::graphs::operation::Operation;
use crate::driver::graphs::user_objects::DestroyedBy;
use crate::driver::handles::Handle;
use crate::driver::queues::memory_operation::MemoryOperation;
use crate::driver::{Answer, Call, State, put, put_if_wanted};
use core::ffi::c_uint;
use core::ptr::null_mut;
use cuda_sys::{
    CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, CUDA_MEMCPY3D,
    CUDA_MEMSET_NODE_PARAMS, CUcontext, CUevent, CUgraph, CUgraphExec, CUgraphExecUpdateResult,
    CUgraphExecUpdateResult_enum as Outcome, CUgraphExecUpdateResultInfo, CUgraphNode, CUresult,
};
use std::collections::VecDeque;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Refusal of an update.
struct Refusal {
    reason: CUgraphExecUpdateResult,
    /// Node of the graph.
    node: Handle,
    /// Dependency of the node that has another pair.
    from: Handle,
}

impl Refusal {
    fn new(reason: CUgraphExecUpdateResult, node: Handle) -> Refusal {
        Refusal { reason, node, from: Handle::NULL }
    }
}

impl Operation {
    /// Returns why a node of an executable cannot do `new` in place of its operation.
    pub(super) fn refuses(&self, new: &Operation, state: &State) -> Option<CUgraphExecUpdateResult> {
        if self.node_type() != new.node_type() {
            return Some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
        }
        match (self, new) {
            (Operation::Kernel(old), Operation::Kernel(new)) if old.context != new.context => {
                Some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE)
            }
            (Operation::Kernel(old), Operation::Kernel(new))
                if old.shape.cooperative != new.shape.cooperative =>
            {
                Some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED)
            }
            (Operation::Copy(old), Operation::Copy(new)) if !old.can_become(new) => {
                Some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED)
            }
            (Operation::Fill(old), Operation::Fill(new)) if !old.can_become(new) => {
                Some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED)
            }
            (
                Operation::MemoryOperations { operations: old, .. },
                Operation::MemoryOperations { operations: new, .. },
            ) if !have_same_kinds(old, new) => Some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED),
            (Operation::SignalSemaphores(old), Operation::SignalSemaphores(new))
            | (Operation::WaitSemaphores(old), Operation::WaitSemaphores(new))
                if old.len() != new.len() =>
            {
                Some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED)
            }
            (Operation::RecordEvent(old), Operation::RecordEvent(new))
            | (Operation::WaitEvent(old), Operation::WaitEvent(new)) => {
                // A destroyed event has no context (conformance fact V1214).
                let context = |event: Handle| state.events.get(event).map(|event| event.context);
                let is_same = context(*old) == context(*new);
                (!is_same).then_some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED)
            }
            (Operation::Conditional(old), Operation::Conditional(new)) if old.kind != new.kind => {
                Some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED)
            }
            _ => None,
        }
    }
}

impl Operation {
    /// Returns why an update cannot give a node of an executable the operation `new`. Other changes may make a copy within a
    /// device a copy between devices, and the other way round; updates may not (conformance fact V1177).
    fn refuses_update(&self, new: &Operation, state: &State) -> Option<CUgraphExecUpdateResult> {
        let is_between = |work: &CopyWork| work.plan.as_ref().is_some_and(Plan::is_between_devices);
        match (self, new) {
            (Operation::Copy(old), Operation::Copy(new)) if is_between(old) != is_between(new) => {
                Some(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED)
            }
            _ => self.refuses(new, state),
        }
    }
}

/// Returns whether two lists of memory operations have the same length and the same kinds (measured).
fn have_same_kinds(old: &[MemoryOperation], new: &[MemoryOperation]) -> bool {
    let is_same = |(old, new): (&MemoryOperation, &MemoryOperation)| {
        core::mem::discriminant(old) == core::mem::discriminant(new)
    };
    old.len() == new.len() && old.iter().zip(new).all(is_same)
}

/// Refuses a graph of another form.
fn other_topology(node: Handle) -> Refusal {
    Refusal::new(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, node)
}

/// Steps of an executable, beside those of another graph.
///
/// The exits are paired in the order of their creation, and the dependencies of a pair in the order of their edges
/// (conformance fact V1204).
struct Comparison<'a> {
    old: &'a [Step],
    new: &'a [Step],
    /// Remaining pairs. Those that were found first come first.
    left: VecDeque<Pair>,
    /// Pair whose bodies are compared before its dependencies.
    entered: Option<Pair>,
    /// New step of each old step.
    new_of: Vec<Option<usize>>,
    /// Old step of each new step.
    old_of: Vec<Option<usize>>,
}

/// Returns the steps on which no other step depends.
fn exits(steps: &[Step]) -> Vec<usize> {
    let mut is_exit = vec![true; steps.len()];
    for earlier in steps.iter().flat_map(|step| &step.after) {
        is_exit[*earlier] = false;
    }
    (0..steps.len()).filter(|step| is_exit[*step]).collect()
}

/// Returns the node of a step. The end of a child graph belongs to the node that begins it.
fn node_of(steps: &[Step], index: usize) -> Handle {
    let step = &steps[index];
    step.begun_by.and_then(|begin| steps.get(begin)).unwrap_or(step).node
}

impl<'a> Comparison<'a> {
    fn new(old: &'a [Step], new: &'a [Step]) -> Result<Comparison<'a>, Refusal> {
        let (old_exits, new_exits) = (exits(old), exits(new));
        if old.len() != new.len() || old_exits.len() > new_exits.len() {
            return Err(other_topology(Handle::NULL));
        }
        if let Some(surplus) = (new_exits.len() - old_exits.len()).checked_sub(1) {
            return Err(other_topology(node_of(new, new_exits[surplus])));
        }
        let (new_of, old_of) = (vec![None; old.len()], vec![None; new.len()]);
        let mut comparison = Comparison { old, new, left: VecDeque::new(), entered: None, new_of, old_of };
        for pair in old_exits.into_iter().zip(new_exits).rev() {
            comparison.pair(pair);
        }
        Ok(comparison)
    }

    fn pair(&mut self, (old, new): Pair) {
        self.new_of[old] = Some(new);
        self.old_of[new] = Some(old);
        self.left.push_back((old, new));
    }

    /// Returns the next pair, whose numbers of dependencies are the same.
    fn next(&mut self) -> Result<Option<Pair>, Refusal> {
        let Some((old, new)) = self.left.pop_front() else { return Ok(None) };
        let (before, after) = (&self.old[old], &self.new[new]);
        if before.begun_by.is_some() != after.begun_by.is_some() {
            let reason = Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
            return Err(Refusal::new(reason, node_of(self.new, new)));
        }
        if before.after.len() != after.after.len() {
            return Err(other_topology(node_of(self.new, new)));
        }
        Ok(Some((old, new)))
    }

    /// Pairs the dependencies of a pair.
    fn pair_dependencies(&mut self, (old, new): Pair) -> Result<(), Refusal> {
        let (before, after) = (&self.old[old], &self.new[new]);
        for pair in before.after.iter().copied().zip(after.after.iter().copied()) {
            match (self.new_of[pair.0], self.old_of[pair.1]) {
                (None, None) => self.pair(pair),
                (Some(found), _) if found == pair.1 => {}
                _ => {
                    let (from, node) = (node_of(self.new, pair.1), node_of(self.new, new));
                    return Err(Refusal { from, ..other_topology(node) });
                }
            }
        }
        Ok(())
    }

    /// Returns all pairs.
    fn pairs(&self) -> Vec<Pair> {
        self.new_of.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?))).collect()
    }
}

/// Indices of a step or a body of an executable, and of the one that replaces it.
type Pair = (usize, usize);

/// Steps of an executable, each with the step that replaces it.
struct Pairs {
    outermost: Vec<Pair>,
    /// Bodies of conditional nodes, each with the pairs of its steps.
    bodies: Vec<(Pair, Vec<Pair>)>,
}

/// Part of a comparison that is left to do.
enum Left<'a> {
    /// Steps of two graphs, and the bodies that they are, if they are not the outermost ones.
    Steps(Option<Pair>, Comparison<'a>),
    Bodies(Pair),
}

/// Compares steps with those of another graph. The bodies of a node are compared after its operation, before its
/// dependencies.
fn compare(
    state: &State,
    (old, old_bodies): (&[Step], &[Body]),
    (new, new_bodies): (&[Step], &[Body]),
) -> Result<Pairs, Refusal> {
    let mut found = Pairs { outermost: Vec::new(), bodies: Vec::new() };
    let mut left = vec![Left::Steps(None, Comparison::new(old, new)?)];
    while let Some(next) = left.pop() {
        let (bodies, mut steps) = match next {
            Left::Steps(bodies, steps) => (bodies, steps),
            Left::Bodies((before, after)) => {
                let found = old_bodies.get(before).zip(new_bodies.get(after));
                let Some((old, new)) = found else { continue };
                (Some((before, after)), Comparison::new(&old.steps, &new.steps)?)
            }
        };
        if let Some(pair) = steps.entered.take() {
            steps.pair_dependencies(pair)?;
        }
        let Some((from, to)) = steps.next()? else {
            match bodies {
                None => found.outermost = steps.pairs(),
                Some(bodies) => found.bodies.push((bodies, steps.pairs())),
            }
            continue;
        };
        let (before, after) = (&steps.old[from], &steps.new[to]);
        if let Some(reason) = before.operation.refuses_update(&after.operation, state) {
            return Err(Refusal::new(reason, after.node));
        }
        if before.bodies.len() != after.bodies.len() {
            return Err(Refusal::new(Outcome::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, after.node));
        }
        steps.entered = Some((from, to));
        let inner = before.bodies.iter().copied().zip(after.bodies.iter().copied()).rev();
        left.push(Left::Steps(bodies, steps));
        left.extend(inner.map(Left::Bodies));
    }
    Ok(found)
}

impl State {
    /// Gives the ways of the copies of an executable to the steps that replace them.
    fn keep_ways(
        &self,
        (old, old_bodies): (&[Step], &[Body]),
        (new, new_bodies): (&mut [Step], &mut [Body]),
        pairs: &Pairs,
    ) {
        self.keep_ways_of_steps(old, new, &pairs.outermost);
        for ((old, new), pairs) in &pairs.bodies {
            if let (Some(old), Some(new)) = (old_bodies.get(*old), new_bodies.get_mut(*new)) {
                self.keep_ways_of_steps(&old.steps, &mut new.steps, pairs);
            }
        }
    }

    fn keep_ways_of_steps(&self, old: &[Step], new: &mut [Step], pairs: &[Pair]) {
        for (before, after) in pairs {
            if let (Some(before), Some(after)) = (old.get(*before), new.get_mut(*after))
                && let (Operation::Copy(before), Operation::Copy(after)) =
                    (&before.operation, &mut after.operation)
            {
                after.way = self.way_after_update(&before.way);
            }
        }
    }

    /// Updates an executable to another graph of the same form.
    fn update_executable(&mut self, executable: CUgraphExec, graph: CUgraph) -> Answer<Result<(), Refusal>> {
        self.graph(graph)?;
        let (mut new, mut new_bodies) = self.steps_of(Handle::of(graph));
        let found = self.executable(executable)?;
        let pairs = match compare(self, (&found.steps, &found.bodies), (&new, &new_bodies)) {
            Ok(pairs) => pairs,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.keep_ways((&found.steps, &found.bodies), (&mut new, &mut new_bodies), &pairs);
        let found = self.executable_mut(executable)?;
        for (old, step) in pairs.outermost {
            if let (Some(old), Some(new)) = (found.steps.get_mut(old), new.get(step)) {
                old.operation.clone_from(&new.operation);
                old.bodies.clone_from(&new.bodies);
            }
        }
        found.bodies = new_bodies;
        let (objects, defaults) =
            (self.objects_of_graph(Handle::of(graph)), self.defaults_of(Handle::of(graph)));
        self.retain_objects(&objects);
        self.executable_mut(executable)?.defaults = defaults;
        let before = core::mem::replace(&mut self.executable_mut(executable)?.objects, objects);
        self.release_objects(&before, DestroyedBy::Caller);
        Ok(Ok(()))
    }

    /// Changes the operation of a node of an executable to another of its kind.
    pub(super) fn change_step(
        &mut self,
        executable: CUgraphExec,
        node: CUgraphNode,
        mut operation: Operation,
    ) -> Answer {
        let before = self.step_mut(executable, node)?.operation.clone();
        if let Operation::Copy(work) = &mut operation {
            work.way = self.way_of(work);
        }
        // Copies between devices change only if the context has access to their memory (conformance fact V1172).
        let is_direct = |operation: &Operation| match operation {
            Operation::Copy(work) => self.is_direct(work),
            _ => true,
        };
        if !is_direct(&before) || !is_direct(&operation) || before.refuses(&operation, self).is_some() {
            return Err(INVALID);
        }
        self.step_mut(executable, node)?.operation = operation;
        Ok(())
    }

    /// Returns the step of an executable for a node. The node must still exist (measured).
    fn step_mut(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Answer<&mut Step> {
        self.node(node)?;
        self.executable_mut(executable)?.step_mut(Handle::of(node)).ok_or(INVALID)
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn update(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    graph: CUgraph,
    to: *mut CUgraphExecUpdateResultInfo,
) -> Answer {
    call.state.executable(executable)?;
    let outcome = call.state.update_executable(executable, graph)?;
    let none = Refusal::new(Outcome::CU_GRAPH_EXEC_UPDATE_SUCCESS, Handle::NULL);
    let Refusal { reason: result, node, from } = outcome.as_ref().err().unwrap_or(&none);
    let info = CUgraphExecUpdateResultInfo {
        result: *result,
        errorNode: node.pointer(),
        errorFromNode: from.pointer(),
    };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(to, info) };
    outcome.map_err(|_| CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn update_v1(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    graph: CUgraph,
    failed: *mut CUgraphNode,
    result: *mut CUgraphExecUpdateResult,
) -> Answer {
    let mut info = CUgraphExecUpdateResultInfo {
        result: Outcome::CU_GRAPH_EXEC_UPDATE_ERROR,
        errorNode: null_mut(),
        errorFromNode: null_mut(),
    };
    // SAFETY: the structure is valid for a write.
    let answer = unsafe { update(call, executable, graph, &raw mut info) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(failed, info.errorNode) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(result, info.result) };
    answer
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_kernel(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    params: *const CUDA_KERNEL_NODE_PARAMS,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    let mut work = {
        // SAFETY: the program's promise.
        unsafe { kernel(call, &given) }?
    };
    // Attributes stay.
    if let Operation::Kernel(old) = &call.state.step_mut(executable, node)?.operation {
        work.keep_attributes(old);
    }
    call.state.change_step(executable, node, Operation::Kernel(Box::new(work)))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_kernel_v1(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    params: *const CUDA_KERNEL_NODE_PARAMS_v1,
) -> Answer {
    // SAFETY: the program's promise.
    let given = kernel_params(&unsafe { read(params) }?);
    // SAFETY: the program's promise.
    unsafe { set_kernel(call, executable, node, &raw const given) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_copy(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    params: *const CUDA_MEMCPY3D,
    context: CUcontext,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    let context = context_of(call, context)?;
    let work = plan_node_copy(call, &given, context)?;
    call.state.change_step(executable, node, Operation::Copy(Box::new(work)))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_fill(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    params: *const CUDA_MEMSET_NODE_PARAMS,
    context: CUcontext,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    let context = context_of(call, context)?;
    let operation = fill(call, &given, context)?;
    call.state.change_step(executable, node, operation)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_host(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    params: *const CUDA_HOST_NODE_PARAMS,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    call.state.change_step(executable, node, host(&given)?)
}

pub(crate) fn set_record(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    recorded: CUevent,
) -> Answer {
    let recorded = event(call, recorded)?;
    call.state.change_step(executable, node, Operation::RecordEvent(recorded))
}

pub(crate) fn set_wait(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    awaited: CUevent,
) -> Answer {
    let awaited = event(call, awaited)?;
    call.state.change_step(executable, node, Operation::WaitEvent(awaited))
}

/// Updates the nodes inside a child graph node to those of another graph of the same form.
pub(crate) fn set_child(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    child: CUgraph,
) -> Answer {
    call.state.graph(child)?;
    call.state.node(node)?.operation.child().ok_or(INVALID)?;
    let (mut new, mut new_bodies) = call.state.steps_of(Handle::of(child));
    let found = call.state.executable(executable)?;
    let begin = found.step(Handle::of(node)).ok_or(INVALID)?;
    let end = found.steps.iter().position(|step| step.begun_by == Some(begin)).ok_or(INVALID)?;
    let inner = found.steps.get(begin + 1..end).ok_or(INVALID)?;
    // Steps of the executable are numbered from its first step on. The first steps inside follow the begin step.
    let mut old = inner.to_vec();
    for step in &mut old {
        step.after.retain(|earlier| *earlier != begin);
        step.after.iter_mut().for_each(|earlier| *earlier -= begin + 1);
    }
    let pairs = compare(call.state, (&old, &found.bodies), (&new, &new_bodies));
    let pairs = pairs.map_err(|_| CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)?;
    call.state.keep_ways((&old, &found.bodies), (&mut new, &mut new_bodies), &pairs);
    let found = call.state.executable_mut(executable)?;
    let inner = found.steps.get_mut(begin + 1..end).ok_or(INVALID)?;
    for (old, step) in pairs.outermost {
        if let (Some(old), Some(new)) = (inner.get_mut(old), new.get(step)) {
            old.operation.clone_from(&new.operation);
        }
    }
    Ok(())
}

/// Returns whether a node can be disabled. Kernels, copies and fills can.
fn can_be_disabled(operation: &Operation) -> bool {
    matches!(operation, Operation::Kernel(_) | Operation::Copy(_) | Operation::Fill(_))
}

pub(crate) fn set_enabled(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    enabled: c_uint,
) -> Answer {
    let step = call.state.step_mut(executable, node)?;
    if !can_be_disabled(&step.operation) {
        return Err(INVALID);
    }
    step.is_enabled = enabled != 0;
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_enabled(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    to: *mut c_uint,
) -> Answer {
    let step = call.state.step_mut(executable, node)?;
    if !can_be_disabled(&step.operation) {
        return Err(INVALID);
    }
    let value = step.is_enabled.into();
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}
