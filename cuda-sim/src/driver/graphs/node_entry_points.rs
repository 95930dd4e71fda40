//! Functions that add nodes of each kind to a graph, and get and set their operations.

#![allow(unsafe_code)]

use crate::driver::copies::fill::FillWork;
use crate::driver::copies::pitched_entry_points::plan_node_copy;
use crate::driver::graphs::graph::{Owner, ShownPointers};
use crate::driver::graphs::operation::Operation;
use crate::driver::graphs::topology::{check_copyable, dependencies_of};
use crate::driver::handles::Handle;
use crate::driver::queues::dependency::Dependency;
use crate::driver::queues::event;
use crate::driver::queues::host_function::HostWork;
use crate::driver::{Answer, Call, check_out, put};
use core::ptr::null;
use cuda_sys::{
    CUDA_HOST_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext, CUevent, CUgraph,
    CUgraphEdgeData, CUgraphNode, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Place of a new node: the graph, and the dependencies.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) graph: CUgraph,
    pub(super) dependencies: *const CUgraphNode,
    pub(super) count: usize,
}

impl Place {
    /// Checks the place.
    ///
    /// # Safety
    ///
    /// As the driver API demands.
    pub(super) unsafe fn check(
        &self,
        call: &Call<'_>,
        data: *const CUgraphEdgeData,
    ) -> Answer<Vec<Dependency>> {
        call.state.graph(self.graph)?;
        // SAFETY: the caller's promise.
        unsafe { dependencies_of(call, Handle::of(self.graph), self.dependencies, data, self.count) }
    }
}

/// Adds a node. Checks the place first, then the operation.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn add(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    place: Place,
    operation: impl FnOnce(&mut Call<'_>) -> Answer<Operation>,
) -> Answer {
    // SAFETY: the caller's promise.
    unsafe { add_with_data(call, to, (place, null()), operation) }
}

/// Adds a node with the data of its edges.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn add_with_data(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    (place, data): (Place, *const CUgraphEdgeData),
    operation: impl FnOnce(&mut Call<'_>) -> Answer<Operation>,
) -> Answer {
    check_out(to)?;
    // SAFETY: the caller's promise.
    let dependencies = unsafe { place.check(call, data) }?;
    let operation = operation(call)?;
    let node = call.state.add_node(Handle::of(place.graph), dependencies, operation);
    // SAFETY: the caller's promise.
    unsafe { put(to, node.pointer()) }
}

/// Replaces the operation of a node by another one of the same kind.
pub(super) fn set(call: &mut Call<'_>, node: CUgraphNode, operation: Operation) -> Answer {
    let node = call.state.node_mut(node)?;
    if node.operation.node_type() != operation.node_type() {
        return Err(INVALID);
    }
    node.operation = operation;
    node.shown = ShownPointers::default();
    Ok(())
}

/// Returns the context of a node: the named one, or else the current one.
pub(super) fn context_of(call: &Call<'_>, context: CUcontext) -> Answer<Handle> {
    let context = Handle::of(context);
    if context == Handle::NULL {
        // Without a current context, any context is valid (measured).
        let any = call.state.contexts.iter().next().map(|(context, _)| context);
        return call.state.current_context().or_else(|code| any.ok_or(code));
    }
    call.state.live_context(context).map(|_| context)
}

/// Reads parameters of a node.
///
/// # Safety
///
/// `params` is null or valid for a read.
pub(super) unsafe fn read<T: Copy>(params: *const T) -> Answer<T> {
    if params.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null; the caller's promise.
    Ok(unsafe { params.read() })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_copy(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    params: *const CUDA_MEMCPY3D,
    context: CUcontext,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    // SAFETY: the program's promise.
    unsafe {
        add(call, to, Place { graph, dependencies, count }, |call| {
            let context = context_of(call, context)?;
            Ok(Operation::Copy(Box::new(plan_node_copy(call, &given, context)?)))
        })
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_copy(call: &mut Call<'_>, node: CUgraphNode, to: *mut CUDA_MEMCPY3D) -> Answer {
    let Operation::Copy(work) = &call.state.node(node)?.operation else { return Err(INVALID) };
    let value = work.params.0;
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_copy(
    call: &mut Call<'_>,
    node: CUgraphNode,
    params: *const CUDA_MEMCPY3D,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    let Operation::Copy(work) = &call.state.node(node)?.operation else { return Err(INVALID) };
    let work = plan_node_copy(call, &given, work.context)?;
    set(call, node, Operation::Copy(Box::new(work)))
}

/// Checks the parameters of a fill.
pub(super) fn fill(
    call: &mut Call<'_>,
    given: &CUDA_MEMSET_NODE_PARAMS,
    context: Handle,
) -> Answer<Operation> {
    let (value, size) = ((given.value, given.elementSize), (given.width, given.height));
    let work = call.plan_fill_work(context, (given.dst, given.pitch), value, size)?;
    Ok(Operation::Fill(work))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_fill(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    params: *const CUDA_MEMSET_NODE_PARAMS,
    context: CUcontext,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    // SAFETY: the program's promise.
    unsafe {
        add(call, to, Place { graph, dependencies, count }, |call| {
            let context = context_of(call, context)?;
            fill(call, &given, context)
        })
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_fill(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUDA_MEMSET_NODE_PARAMS,
) -> Answer {
    let Operation::Fill(work) = call.state.node(node)?.operation else { return Err(INVALID) };
    // SAFETY: the program's promise.
    unsafe { put(to, shown_fill(&work)) }
}

/// Returns the parameters of a fill.
pub(super) fn shown_fill(work: &FillWork) -> CUDA_MEMSET_NODE_PARAMS {
    CUDA_MEMSET_NODE_PARAMS {
        dst: work.start,
        pitch: work.pitch,
        value: work.value,
        elementSize: work.element_size,
        width: work.width,
        height: work.height,
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_fill(
    call: &mut Call<'_>,
    node: CUgraphNode,
    params: *const CUDA_MEMSET_NODE_PARAMS,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    let Operation::Fill(work) = call.state.node(node)?.operation else { return Err(INVALID) };
    let operation = fill(call, &given, work.context)?;
    set(call, node, operation)
}

/// Checks the parameters of a host function.
pub(super) fn host(given: &CUDA_HOST_NODE_PARAMS) -> Answer<Operation> {
    let function = given.fn_.ok_or(INVALID)?;
    Ok(Operation::HostFunction(HostWork { function, data: given.userData }))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_host(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    params: *const CUDA_HOST_NODE_PARAMS,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    // SAFETY: the program's promise.
    unsafe { add(call, to, Place { graph, dependencies, count }, |_| host(&given)) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_host(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUDA_HOST_NODE_PARAMS,
) -> Answer {
    let Operation::HostFunction(work) = call.state.node(node)?.operation else { return Err(INVALID) };
    // SAFETY: the program's promise.
    unsafe { put(to, CUDA_HOST_NODE_PARAMS { fn_: Some(work.function), userData: work.data }) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_host(
    call: &mut Call<'_>,
    node: CUgraphNode,
    params: *const CUDA_HOST_NODE_PARAMS,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    set(call, node, host(&given)?)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_empty(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { add(call, to, Place { graph, dependencies, count }, |_| Ok(Operation::Empty)) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_child(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    child: CUgraph,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe {
        add(call, to, Place { graph, dependencies, count }, |call| {
            // A hardware driver crashes on this call.
            if child == graph {
                return Err(INVALID);
            }
            call.state.graph(child)?;
            check_copyable(call, Handle::of(child))?;
            call.state.check_nesting(Handle::of(graph), Some(Handle::of(child)))?;
            call.state.check_copy(Handle::of(child))?;
            // The node owns a copy.
            Ok(Operation::Child(call.state.clone_graph(Handle::of(child), Owner::Program)))
        })
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_child(call: &mut Call<'_>, node: CUgraphNode, to: *mut CUgraph) -> Answer {
    let child = call.state.node(node)?.operation.child().ok_or(INVALID)?;
    // SAFETY: the program's promise.
    unsafe { put(to, child.pointer()) }
}

/// Returns the event that a node records or waits for.
pub(super) fn event(call: &Call<'_>, event: CUevent) -> Answer<Handle> {
    event::flags_of(call, event).map(|_| Handle::of(event)).map_err(|_| INVALID)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_record(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    recorded: CUevent,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe {
        add(call, to, Place { graph, dependencies, count }, |call| {
            Ok(Operation::RecordEvent(event(call, recorded)?))
        })
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_wait(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    awaited: CUevent,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe {
        add(call, to, Place { graph, dependencies, count }, |call| {
            Ok(Operation::WaitEvent(event(call, awaited)?))
        })
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_record(call: &mut Call<'_>, node: CUgraphNode, to: *mut CUevent) -> Answer {
    let Operation::RecordEvent(event) = call.state.node(node)?.operation else { return Err(INVALID) };
    // SAFETY: the program's promise.
    unsafe { put(to, event.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_wait(call: &mut Call<'_>, node: CUgraphNode, to: *mut CUevent) -> Answer {
    let Operation::WaitEvent(event) = call.state.node(node)?.operation else { return Err(INVALID) };
    // SAFETY: the program's promise.
    unsafe { put(to, event.pointer()) }
}

pub(crate) fn set_record(call: &mut Call<'_>, node: CUgraphNode, recorded: CUevent) -> Answer {
    let recorded = event(call, recorded)?;
    set(call, node, Operation::RecordEvent(recorded))
}

pub(crate) fn set_wait(call: &mut Call<'_>, node: CUgraphNode, awaited: CUevent) -> Answer {
    let awaited = event(call, awaited)?;
    set(call, node, Operation::WaitEvent(awaited))
}
