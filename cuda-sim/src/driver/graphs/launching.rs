//! Launches of executables: one operation of the stream for each node, which waits for those of its dependencies.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::graphs::conditional_nodes::{self, Launch};
use crate::driver::graphs::executable::{Body, Step, all_steps};
use crate::driver::graphs::operation::Operation;
use crate::driver::graphs::user_objects::DestroyedBy;
use crate::driver::handles::Handle;
use crate::driver::operations::{OpId, SHORT, StreamId};
use crate::driver::queues::conditions::Conditions;
use crate::driver::queues::event::Pending;
use crate::driver::queues::launch::{KERNEL, Running};
use crate::driver::queues::queue::Work;
use crate::driver::{Answer, State};
use cuda_sys::{CUgraphInstantiate_flags_enum as Flags, CUresult};

/// Node that is about to be queued.
enum Prepared {
    Kernel(Box<Running>),
    Other(Operation),
}

/// Queues all nodes of an executable on a stream, after the work of the stream and after the previous launch.
pub(super) fn launch(state: &mut State, executable: Handle, on: (StreamId, Handle)) -> Answer {
    let Some(found) = state.executables.get(executable) else {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    };
    let (steps, order, before) = (found.steps.clone(), found.order.clone(), found.last);
    let bodies = found.bodies.clone();
    let node_before = found.last_node;
    let objects = found.objects.clone();
    let (of, defaults) = (Conditions::of(found.id), found.defaults.clone());
    let frees_first = found.flags & u64::from(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH.0) != 0;
    if let Some(gone) = gone_kernel(state, &steps, &bodies) {
        say(&format!(
            "kernel `{gone}` of a graph cannot be launched: its module was unloaded or its context destroyed"
        ));
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    // Hardware crashes.
    if has_lost_context(state, &steps, &bodies) {
        return Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
    }
    check_named(state, all_steps(&steps, &bodies))?;
    let left = state.launch_memory(&steps, frees_first)?;
    state.next_comes_after(node_before);
    let mut begin = state.push_begin(on, before);
    if !left.is_empty() || !defaults.is_empty() {
        let task = move |state: &mut State| {
            left.iter().for_each(|address| state.unmap_graph_memory(*address));
            state.reset_conditions(of, &defaults);
            Ok(())
        };
        begin = state.push_after(on, vec![begin], 0, Work::Task(Box::new(task)));
    }
    let launch = Launch::new(on, of, bodies);
    let mut last = push_steps(state, &launch, begin, &steps, &order)?;
    if !objects.is_empty() {
        state.retain_objects(&objects);
        let task = move |state: &mut State| {
            state.release_objects(&objects, DestroyedBy::Driver);
            Ok(())
        };
        last = vec![state.push_after(on, last, 0, Work::Task(Box::new(task)))];
    }
    let end = state.push_end(on, last);
    let end_node = state.queue.node_of(end);
    if let Some(executable) = state.executables.get_mut(executable) {
        executable.last = Some(end);
        executable.last_node = end_node;
    }
    Ok(())
}

/// Returns the name of a kernel that can no longer be launched, if there is one.
pub(super) fn gone_kernel(state: &State, steps: &[Step], bodies: &[Body]) -> Option<String> {
    all_steps(steps, bodies).find_map(|step| step.operation.gone_kernel(state))
}

/// Returns whether the context of a node was destroyed.
fn has_lost_context(state: &State, steps: &[Step], bodies: &[Body]) -> bool {
    all_steps(steps, bodies).any(|step| step.operation.has_lost_context(state))
}

/// Refuses memory operations on memory of the wrong kind, which nodes may name (measured). Refuses destroyed
/// semaphores, and waits for destroyed events, on which hardware crashes (conformance fact V1214).
fn check_named<'a>(state: &State, steps: impl Iterator<Item = &'a Step>) -> Answer {
    for step in steps.filter(|step| step.is_enabled) {
        match &step.operation {
            Operation::MemoryOperations { context, operations } => {
                operations.iter().try_for_each(|operation| state.check_place(*context, operation))?;
            }
            Operation::SignalSemaphores(operations) | Operation::WaitSemaphores(operations) => {
                state.check_semaphores(operations)?;
            }
            Operation::WaitEvent(event) if state.events.get(*event).is_none() => {
                say("a graph cannot be launched: a node waits for an event that was destroyed");
                return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Queues steps. Steps without dependencies come after `begin`. Returns the operations of steps without dependents, and `begin`.
pub(super) fn push_steps(
    state: &mut State,
    launch: &Launch,
    begin: OpId,
    steps: &[Step],
    order: &[usize],
) -> Answer<Vec<OpId>> {
    let on = launch.on;
    let mut prepared = Vec::with_capacity(steps.len());
    for step in steps {
        prepared.push(Some(match &step.operation {
            _ if !step.is_enabled => Prepared::Other(Operation::Empty),
            Operation::Kernel(work) => {
                let running = state.begin_kernel(work.as_ref().clone(), on.0)?;
                Prepared::Kernel(Box::new(running.in_graph(launch.conditions)))
            }
            other => Prepared::Other(other.clone()),
        }));
    }
    let mut ops: Vec<OpId> = vec![begin; steps.len()];
    let mut is_leaf = vec![true; steps.len()];
    for index in order {
        let (Some(step), Some(node)) = (steps.get(*index), prepared.get_mut(*index)) else { continue };
        let mut awaited: Vec<OpId> = step.after.iter().filter_map(|step| ops.get(*step).copied()).collect();
        for earlier in &step.after {
            is_leaf[*earlier] = false;
        }
        if awaited.is_empty() {
            awaited.push(begin);
        }
        ops[*index] = match node.take() {
            Some(Prepared::Kernel(running)) => state.push_after(on, awaited, KERNEL, Work::Kernel(running)),
            Some(Prepared::Other(Operation::Conditional(node))) => {
                conditional_nodes::push(state, launch, awaited, &node, step.bodies.clone())
            }
            Some(Prepared::Other(operation)) => push(state, on, awaited, operation),
            None => begin,
        };
    }
    let leaves = ops.iter().zip(is_leaf).filter(|(_, is_leaf)| *is_leaf).map(|(op, _)| *op);
    Ok(leaves.chain([begin]).collect())
}

/// Returns a task that does nothing.
fn nothing() -> Work {
    Work::Task(Box::new(|_| Ok(())))
}

/// Queues a node that is not a kernel.
fn push(state: &mut State, on: (StreamId, Handle), mut awaited: Vec<OpId>, operation: Operation) -> OpId {
    match operation {
        Operation::Empty | Operation::Child(_) | Operation::Kernel(_) | Operation::Conditional(_) => {
            state.push_after(on, awaited, 0, nothing())
        }
        Operation::Copy(mut work) => {
            work.way = state.way_at_launch(&work.way);
            let duration = work.duration();
            let task = move |state: &mut State| {
                // SAFETY: the program guarantees that memory of the host which a node names is valid whenever the node
                // runs.
                unsafe { work.run(state) }
            };
            state.push_memory_work_after(on, awaited, duration, task)
        }
        Operation::Fill(work) => {
            state.push_memory_work_after(on, awaited, work.duration(), move |state| work.run(state))
        }
        Operation::Allocate(address) => {
            let task = move |state: &mut State| state.map_graph_memory(address);
            state.push_after(on, awaited, SHORT, Work::Task(Box::new(task)))
        }
        Operation::Free(address) => {
            let task = move |state: &mut State| {
                state.unmap_graph_memory(address);
                Ok(())
            };
            state.push_after(on, awaited, SHORT, Work::Task(Box::new(task)))
        }
        Operation::MemoryOperations { operations, .. } => {
            state.push_memory_operations(on, awaited, &operations)
        }
        Operation::SignalSemaphores(signals) => state.push_signals(on, awaited, &signals),
        Operation::WaitSemaphores(waits) => state.push_waits(on, awaited, &waits),
        Operation::HostFunction(work) => state.push_after(on, awaited, SHORT, work.work()),
        Operation::RecordEvent(event) => {
            let Some((recording, before)) = state.begin_recording(event, on.0) else {
                // A destroyed event is not recorded (measured).
                return state.push_after(on, awaited, 0, nothing());
            };
            if let Some((marks, before)) = before {
                awaited = vec![state.push_after(on, awaited, 0, Work::AwaitExternal(marks, before))];
            }
            let reached = recording.clone();
            let task = Work::Task(Box::new(move |state: &mut State| state.reach_recording(&reached)));
            let op = state.push_after(on, awaited, 0, task);
            state.note_recording(recording, Some(op));
            op
        }
        Operation::WaitEvent(event) => match state.pending_event(event) {
            None => {
                state.next_comes_after_event(event);
                state.push_after(on, awaited, 0, nothing())
            }
            Some(Pending::Own(op)) => {
                awaited.push(op);
                state.push_after(on, awaited, 0, nothing())
            }
            Some(Pending::AwaitExternal(marks, mark)) => {
                state.push_after(on, awaited, 0, Work::AwaitExternal(marks, mark))
            }
        },
    }
}
