//! The functions that add nodes of each kind to a graph, and ask for and set what the nodes do.

#![allow(unsafe_code)]

use crate::driver::copies::fill::FillWork;
use crate::driver::copies::pitched_entry_points::plan_node_copy;
use crate::driver::graphs::graph::{Dependency, Owner, ShownPointers};
use crate::driver::graphs::operation::Operation;
use crate::driver::graphs::topology::{check_copyable, dependencies_of};
use crate::driver::handles::Handle;
use crate::driver::queues::event;
use crate::driver::queues::host_function::HostWork;
use crate::driver::queues::launch::{KernelShape, KernelWork, plan_launch};
use crate::driver::{Answer, Call, check_out, put};
use core::ptr::{null, null_mut};
use cuda_sys::{
    CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END, CUDA_HOST_NODE_PARAMS,
    CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext,
    CUevent, CUgraph, CUgraphEdgeData, CUgraphNode, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Where a node is added: the graph, and the nodes that it comes after.
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

/// Adds a node. What it does is found out after the place was checked.
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

/// The same with the data of the edges.
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

/// Puts another operation of the same kind in the place of a node's.
pub(super) fn set(call: &mut Call<'_>, node: CUgraphNode, operation: Operation) -> Answer {
    let node = call.state.node_mut(node)?;
    if node.operation.node_type() != operation.node_type() {
        return Err(INVALID);
    }
    node.operation = operation;
    node.shown = ShownPointers::default();
    Ok(())
}

/// The context that a node is of: the one that is named, or else the current one.
pub(super) fn context_of(call: &Call<'_>, context: CUcontext) -> Answer<Handle> {
    let context = Handle::of(context);
    if context == Handle::NULL {
        // Without a current context, any will do (measured).
        let any = call.state.contexts.iter().next().map(|(context, _)| context);
        return call.state.current_context().or_else(|code| any.ok_or(code));
    }
    call.state.live_context(context).map(|_| context)
}

/// Parameters of the first version as those of the second.
pub(super) fn kernel_params(given: &CUDA_KERNEL_NODE_PARAMS_v1) -> CUDA_KERNEL_NODE_PARAMS {
    CUDA_KERNEL_NODE_PARAMS {
        func: given.func,
        gridDimX: given.gridDimX,
        gridDimY: given.gridDimY,
        gridDimZ: given.gridDimZ,
        blockDimX: given.blockDimX,
        blockDimY: given.blockDimY,
        blockDimZ: given.blockDimZ,
        sharedMemBytes: given.sharedMemBytes,
        kernelParams: given.kernelParams,
        extra: given.extra,
        kern: null_mut(),
        ctx: null_mut(),
    }
}

/// Checks the parameters of a kernel.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn kernel(call: &mut Call<'_>, given: &CUDA_KERNEL_NODE_PARAMS) -> Answer<KernelWork> {
    // A kernel of a library has a place of its own (measured).
    if call.state.kernels.get(Handle::of(given.func)).is_some() {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    let named = if given.func.is_null() { given.kern.cast() } else { given.func };
    let shape = KernelShape {
        grid: [given.gridDimX, given.gridDimY, given.gridDimZ],
        block: [given.blockDimX, given.blockDimY, given.blockDimZ],
        shared_bytes: given.sharedMemBytes,
        cooperative: false,
    };
    let context = Handle::of(given.ctx);
    if context != Handle::NULL {
        call.state.live_context(context)?;
        // Kernels of a library are of the current context.
        call.state.with_stack(|stack| stack.push(context));
    }
    // SAFETY: the caller's promise.
    let work = unsafe { plan_launch(call, named, None, (shape, false), given.kernelParams, given.extra) };
    if context != Handle::NULL {
        call.state.with_stack(Vec::pop);
    }
    let mut work = work?;
    work.is_packed = !given.extra.is_null();
    if work.uses_references() {
        // References mean something else at each launch (measured).
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    Ok(work)
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
pub(crate) unsafe fn add_kernel(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    params: *const CUDA_KERNEL_NODE_PARAMS,
) -> Answer {
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    let operation = |call: &mut Call<'_>| {
        // SAFETY: the program's promise.
        Ok(Operation::Kernel(Box::new(unsafe { kernel(call, &given) }?)))
    };
    // SAFETY: the program's promise.
    unsafe { add(call, to, Place { graph, dependencies, count }, operation) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_kernel_v1(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    params: *const CUDA_KERNEL_NODE_PARAMS_v1,
) -> Answer {
    // SAFETY: the program's promise.
    let given = kernel_params(&unsafe { read(params) }?);
    // SAFETY: the program's promise.
    unsafe { add_kernel(call, to, graph, dependencies, count, &raw const given) }
}

/// The parameters of a kernel. The arguments stay where they are until the node is changed or destroyed.
pub(super) fn shown_kernel(call: &mut Call<'_>, node: CUgraphNode) -> Answer<CUDA_KERNEL_NODE_PARAMS> {
    let is_kernel = |call: &Call<'_>, handle| call.state.kernels.get(handle).is_some();
    let Operation::Kernel(work) = &call.state.node(node)?.operation else { return Err(INVALID) };
    let (named, function, shape, context) = (work.named, work.function, work.shape, work.context);
    let of_library = is_kernel(call, named);
    let node = call.state.node_mut(node)?;
    let Operation::Kernel(work) = &node.operation else { return Err(INVALID) };
    if node.shown.pointers.is_empty() {
        node.shown.bytes.clone_from(&work.params);
        let params = work.kernel().map(|kernel| kernel.params.as_slice()).unwrap_or_default();
        let start = node.shown.bytes.as_mut_ptr();
        // No parameter lies beyond the bytes.
        let pointers = params.iter().map(|param| start.wrapping_add(param.offset as usize).cast());
        node.shown.pointers = pointers.collect();
    }
    let is_packed = work.is_packed;
    if is_packed && node.shown.sizes.is_empty() {
        node.shown.sizes.push(node.shown.bytes.len());
        node.shown.pointers = vec![
            CU_LAUNCH_PARAM_BUFFER_POINTER,
            node.shown.bytes.as_mut_ptr().cast(),
            CU_LAUNCH_PARAM_BUFFER_SIZE,
            node.shown.sizes.as_mut_ptr().cast(),
            CU_LAUNCH_PARAM_END,
        ];
    }
    let pointers = &mut node.shown.pointers;
    let list = if pointers.is_empty() { null_mut() } else { pointers.as_mut_ptr() };
    Ok(CUDA_KERNEL_NODE_PARAMS {
        func: function.pointer(),
        gridDimX: shape.grid[0],
        gridDimY: shape.grid[1],
        gridDimZ: shape.grid[2],
        blockDimX: shape.block[0],
        blockDimY: shape.block[1],
        blockDimZ: shape.block[2],
        sharedMemBytes: shape.shared_bytes,
        kernelParams: if is_packed { null_mut() } else { list },
        extra: if is_packed { list } else { null_mut() },
        kern: if of_library { named.pointer() } else { null_mut() },
        ctx: context.pointer(),
    })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_kernel(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUDA_KERNEL_NODE_PARAMS,
) -> Answer {
    check_out(to)?;
    let value = shown_kernel(call, node)?;
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_kernel_v1(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUDA_KERNEL_NODE_PARAMS_v1,
) -> Answer {
    check_out(to)?;
    let shown = shown_kernel(call, node)?;
    let value = CUDA_KERNEL_NODE_PARAMS_v1 {
        func: if shown.func.is_null() { shown.kern.cast() } else { shown.func },
        gridDimX: shown.gridDimX,
        gridDimY: shown.gridDimY,
        gridDimZ: shown.gridDimZ,
        blockDimX: shown.blockDimX,
        blockDimY: shown.blockDimY,
        blockDimZ: shown.blockDimZ,
        sharedMemBytes: shown.sharedMemBytes,
        kernelParams: shown.kernelParams,
        extra: shown.extra,
    };
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_kernel(
    call: &mut Call<'_>,
    node: CUgraphNode,
    params: *const CUDA_KERNEL_NODE_PARAMS,
) -> Answer {
    call.state.node(node)?;
    // SAFETY: the program's promise.
    let given = unsafe { read(params) }?;
    // SAFETY: the program's promise.
    let mut work = unsafe { kernel(call, &given) }?;
    // Attributes stay.
    if let Operation::Kernel(old) = &call.state.node(node)?.operation {
        work.keep_attributes(old);
    }
    set(call, node, Operation::Kernel(Box::new(work)))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_kernel_v1(
    call: &mut Call<'_>,
    node: CUgraphNode,
    params: *const CUDA_KERNEL_NODE_PARAMS_v1,
) -> Answer {
    // SAFETY: the program's promise.
    let given = kernel_params(&unsafe { read(params) }?);
    // SAFETY: the program's promise.
    unsafe { set_kernel(call, node, &raw const given) }
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

/// The parameters of a fill.
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
            call.state.graph(child)?;
            check_copyable(call, Handle::of(child))?;
            // The node has a copy of its own.
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

/// An event that a node is to record or wait for.
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
