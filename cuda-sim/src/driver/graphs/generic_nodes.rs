//! Functions for nodes of any kind.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::copies::pitched_entry_points::plan_node_copy;
use crate::driver::graphs::conditional_nodes;
use crate::driver::graphs::graph::Owner;
use crate::driver::graphs::kernel_nodes::{kernel, shown_kernel};
use crate::driver::graphs::node_entry_points::{
    Place, add_with_data, context_of, event, fill, host, read, set, shown_fill,
};
use crate::driver::graphs::operation::Operation;
use crate::driver::graphs::topology::check_copyable;
use crate::driver::graphs::{memory_nodes, memory_operation_nodes, semaphore_nodes};
use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments::list;
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::c_longlong;
use core::ptr::{null, null_mut};
use cuda_sys::{
    CUDA_BATCH_MEM_OP_NODE_PARAMS, CUDA_BATCH_MEM_OP_NODE_PARAMS_v2, CUDA_CHILD_GRAPH_NODE_PARAMS,
    CUDA_EVENT_RECORD_NODE_PARAMS, CUDA_EVENT_WAIT_NODE_PARAMS, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st__bindgen_ty_1,
    CUDA_EXT_SEM_WAIT_NODE_PARAMS, CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2,
    CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st__bindgen_ty_1, CUDA_HOST_NODE_PARAMS, CUDA_HOST_NODE_PARAMS_v2,
    CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v3, CUDA_MEM_ALLOC_NODE_PARAMS,
    CUDA_MEM_ALLOC_NODE_PARAMS_v2, CUDA_MEM_FREE_NODE_PARAMS, CUDA_MEMCPY_NODE_PARAMS,
    CUDA_MEMSET_NODE_PARAMS, CUDA_MEMSET_NODE_PARAMS_v2, CUgraph,
    CUgraphChildGraphNodeOwnership_enum as Ownership, CUgraphEdgeData, CUgraphExec, CUgraphNode,
    CUgraphNodeParams, CUgraphNodeType_enum as NodeType, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Converts parameters of a kernel to another version of their structure, which has the same members.
macro_rules! same_members {
    ($version:ident, $given:expr) => {{
        let given = $given;
        $version {
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
            kern: given.kern,
            ctx: given.ctx,
        }
    }};
}

/// Checks the parameters of a node of any kind. Returns its operation, and writes results of the call to the
/// parameters.
///
/// # Safety
///
/// As the driver API demands.
unsafe fn operation_of(
    call: &mut Call<'_>,
    (outer, after): (Handle, &[Handle]),
    given: &mut CUgraphNodeParams,
) -> Answer<Operation> {
    if given.reserved0 != [0; 3] || given.reserved2 != 0 {
        return Err(INVALID);
    }
    let params = &mut given.__bindgen_anon_1;
    match given.type_ {
        NodeType::CU_GRAPH_NODE_TYPE_EMPTY => {
            // SAFETY: all bytes are initialised, and numbers may have any value.
            let is_zero = unsafe { params.reserved1 } == [0; 29];
            if is_zero { Ok(Operation::Empty) } else { Err(INVALID) }
        }
        NodeType::CU_GRAPH_NODE_TYPE_KERNEL => {
            // SAFETY: the type determines the member.
            let params = same_members!(CUDA_KERNEL_NODE_PARAMS, unsafe { params.kernel });
            // SAFETY: the program's promise.
            Ok(Operation::Kernel(Box::new(unsafe { kernel(call, &params) }?)))
        }
        NodeType::CU_GRAPH_NODE_TYPE_MEMCPY => {
            // SAFETY: as above.
            let params = unsafe { params.memcpy };
            if params.flags != 0 {
                return Err(INVALID);
            }
            let context = context_of(call, params.copyCtx)?;
            Ok(Operation::Copy(Box::new(plan_node_copy(call, &params.copyParams, context)?)))
        }
        NodeType::CU_GRAPH_NODE_TYPE_MEMSET => {
            // SAFETY: as above.
            let CUDA_MEMSET_NODE_PARAMS_v2 { dst, pitch, value, elementSize, width, height, ctx } =
                unsafe { params.memset };
            // The bytes after the member must be zero (measured).
            let rest = size_of::<CUDA_MEMSET_NODE_PARAMS_v2>().div_ceil(size_of::<c_longlong>());
            // SAFETY: all bytes are initialised, and numbers may have any value.
            let all = unsafe { params.reserved1 };
            if all.iter().skip(rest).any(|number| *number != 0) {
                return Err(INVALID);
            }
            let context = context_of(call, ctx)?;
            fill(call, &CUDA_MEMSET_NODE_PARAMS { dst, pitch, value, elementSize, width, height }, context)
        }
        NodeType::CU_GRAPH_NODE_TYPE_HOST => {
            // SAFETY: as above.
            let CUDA_HOST_NODE_PARAMS_v2 { fn_, userData, .. } = unsafe { params.host };
            host(&CUDA_HOST_NODE_PARAMS { fn_, userData })
        }
        NodeType::CU_GRAPH_NODE_TYPE_GRAPH => {
            // SAFETY: as above.
            let CUDA_CHILD_GRAPH_NODE_PARAMS { graph, ownership } = unsafe { params.graph };
            child(call, outer, graph, ownership)
        }
        NodeType::CU_GRAPH_NODE_TYPE_EVENT_RECORD => {
            // SAFETY: as above.
            Ok(Operation::RecordEvent(event(call, unsafe { params.eventRecord }.event)?))
        }
        NodeType::CU_GRAPH_NODE_TYPE_WAIT_EVENT => {
            // SAFETY: as above.
            Ok(Operation::WaitEvent(event(call, unsafe { params.eventWait }.event)?))
        }
        NodeType::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP => {
            // SAFETY: as above.
            let CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 { ctx, count, paramArray, flags } = unsafe { params.memOp };
            // SAFETY: the program's promise.
            unsafe { memory_operation_nodes::operations(call, ctx, (paramArray.cast_const(), count), flags) }
        }
        NodeType::CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL => {
            // SAFETY: as above.
            let CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 { extSemArray, paramsArray, numExtSems, .. } =
                unsafe { params.extSemSignal };
            // SAFETY: the program's promise.
            let signals = unsafe { semaphore_nodes::operations(extSemArray, paramsArray, numExtSems) };
            signals.map(Operation::SignalSemaphores)
        }
        NodeType::CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT => {
            // SAFETY: as above.
            let CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 { extSemArray, paramsArray, numExtSems, .. } =
                unsafe { params.extSemWait };
            // SAFETY: the program's promise.
            let waits = unsafe { semaphore_nodes::operations(extSemArray, paramsArray, numExtSems) };
            waits.map(Operation::WaitSemaphores)
        }
        NodeType::CU_GRAPH_NODE_TYPE_MEM_ALLOC => {
            // SAFETY: as above.
            let given = unsafe { params.alloc };
            let wanted = CUDA_MEM_ALLOC_NODE_PARAMS {
                poolProps: given.poolProps,
                accessDescs: given.accessDescs,
                accessDescCount: given.accessDescCount,
                bytesize: given.bytesize,
                dptr: 0,
            };
            // SAFETY: the program's promise.
            let dptr = unsafe { memory_nodes::allocation(call, (outer, after), &wanted) }?;
            params.alloc = CUDA_MEM_ALLOC_NODE_PARAMS_v2 { dptr, ..given };
            Ok(Operation::Allocate(dptr))
        }
        NodeType::CU_GRAPH_NODE_TYPE_MEM_FREE => {
            // SAFETY: as above.
            memory_nodes::free(call, outer, unsafe { params.free }.dptr)
        }
        NodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL => {
            // SAFETY: as above.
            let node = conditional_nodes::conditional(call, outer, unsafe { &params.conditional })?;
            params.conditional = node.params();
            Ok(Operation::Conditional(node))
        }
        _ => Err(INVALID),
    }
}

/// Returns the graph for a child node: a copy, or the graph itself, which then belongs to the node.
fn child(call: &mut Call<'_>, outer: Handle, graph: CUgraph, ownership: Ownership) -> Answer<Operation> {
    // A graph inside another node is refused (measured).
    match call.state.graph(graph)?.owner {
        Owner::Program => {}
        Owner::Node(_) => return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED),
        Owner::Capture(_) => return Err(INVALID),
    }
    match ownership {
        Ownership::CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE => {
            let moved = Handle::of(graph);
            // A graph cannot contain itself, nor move while a stream is being captured to it.
            if call.state.outermost(outer) == moved || call.state.captures.has_graph(moved) {
                return Err(INVALID);
            }
            if call.state.has_conditional(moved) {
                return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
            }
            call.state.check_nesting(outer, Some(moved))?;
            Ok(Operation::Child(moved))
        }
        // Any other number counts as 0 (measured).
        _ => {
            // Hardware crashes.
            if outer == Handle::of(graph) {
                return Err(INVALID);
            }
            check_copyable(call, Handle::of(graph))?;
            call.state.check_nesting(outer, Some(Handle::of(graph)))?;
            call.state.check_copy(Handle::of(graph))?;
            Ok(Operation::Child(call.state.clone_graph(Handle::of(graph), Owner::Program)))
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    params: *mut CUgraphNodeParams,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { add_with_edges(call, to, graph, dependencies, null(), count, params) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_with_edges(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
    params: *mut CUgraphNodeParams,
) -> Answer {
    // SAFETY: the program's promise.
    let mut given = unsafe { read(params.cast_const()) }?;
    call.state.graph(graph)?;
    // SAFETY: the program's promise.
    let after = unsafe { list(dependencies, count) }?;
    let after: Vec<Handle> = after.into_iter().map(Handle::of).collect();
    let operation = |call: &mut Call<'_>| {
        // SAFETY: the program's promise.
        unsafe { operation_of(call, (Handle::of(graph), &after), &mut given) }
    };
    // SAFETY: the program's promise.
    unsafe { add_with_data(call, to, (Place { graph, dependencies, count }, data), operation) }?;
    // Only these have members that the driver writes. The parameters of other nodes may be in read-only memory.
    let has_answer = [NodeType::CU_GRAPH_NODE_TYPE_MEM_ALLOC, NodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL]
        .contains(&given.type_);
    if has_answer {
        // SAFETY: the program's promise.
        unsafe { put(params, given) }?;
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_params(
    call: &mut Call<'_>,
    node: CUgraphNode,
    params: *mut CUgraphNodeParams,
) -> Answer {
    // SAFETY: the program's promise.
    let mut given = unsafe { read(params.cast_const()) }?;
    if call.state.node(node)?.operation.node_type() == NodeType::CU_GRAPH_NODE_TYPE_GRAPH
        && given.type_ == NodeType::CU_GRAPH_NODE_TYPE_GRAPH
    {
        // SAFETY: the type determines the member.
        return replace_child(call, Handle::of(node), unsafe { given.__bindgen_anon_1.graph });
    }
    check_changeable(call, node, &given, CUresult::CUDA_ERROR_NOT_SUPPORTED)?;
    // SAFETY: the program's promise.
    let operation = unsafe { operation_of(call, (Handle::NULL, &[]), &mut given) }?;
    set(call, node, operation)
}

/// Replaces the graph of a child node by a copy of another graph.
fn replace_child(call: &mut Call<'_>, node: Handle, given: CUDA_CHILD_GRAPH_NODE_PARAMS) -> Answer {
    let CUDA_CHILD_GRAPH_NODE_PARAMS { graph, ownership } = given;
    call.state.graph(graph)?;
    if ownership == Ownership::CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE {
        say("moving a graph into a child graph node in place of another is not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let found = call.state.nodes.get(node).ok_or(INVALID)?;
    let (outer, old) = (found.graph, found.operation.child().ok_or(INVALID)?);
    let Operation::Child(new) = child(call, outer, graph, ownership)? else { return Err(INVALID) };
    if let Some(new) = call.state.graphs.get_mut(new) {
        new.owner = Owner::Node(node);
    }
    if let Some(node) = call.state.nodes.get_mut(node) {
        node.operation = Operation::Child(new);
    }
    call.state.destroy_graph(old);
    Ok(())
}

/// Refuses another type of node, and types that cannot change. `fixed` is the code for memory and conditions.
fn check_changeable(
    call: &Call<'_>,
    node: CUgraphNode,
    given: &CUgraphNodeParams,
    fixed: CUresult,
) -> Answer {
    let found = call.state.node(node)?.operation.node_type();
    if found != given.type_ {
        return Err(INVALID);
    }
    match found {
        NodeType::CU_GRAPH_NODE_TYPE_GRAPH | NodeType::CU_GRAPH_NODE_TYPE_EMPTY => Err(INVALID),
        NodeType::CU_GRAPH_NODE_TYPE_MEM_ALLOC
        | NodeType::CU_GRAPH_NODE_TYPE_MEM_FREE
        | NodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL => Err(fixed),
        _ => Ok(()),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_executable_params(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    params: *mut CUgraphNodeParams,
) -> Answer {
    // SAFETY: the program's promise.
    let mut given = unsafe { read(params.cast_const()) }?;
    if given.type_ == NodeType::CU_GRAPH_NODE_TYPE_GRAPH {
        // SAFETY: the type determines the member.
        let child = unsafe { given.__bindgen_anon_1.graph }.graph;
        return crate::driver::graphs::changes::set_child(call, executable, node, child);
    }
    check_changeable(call, node, &given, INVALID)?;
    // SAFETY: the program's promise.
    let operation = unsafe { operation_of(call, (Handle::NULL, &[]), &mut given) }?;
    call.state.change_step(executable, node, operation)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_params(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUgraphNodeParams,
) -> Answer {
    check_out(to)?;
    let value = shown_params(call, node)?;
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// Returns the parameters of a node of any kind.
pub(super) fn shown_params(call: &mut Call<'_>, node: CUgraphNode) -> Answer<CUgraphNodeParams> {
    // SAFETY: all members may be zero.
    let mut value: CUgraphNodeParams = unsafe { core::mem::zeroed() };
    let found = &call.state.node(node)?.operation;
    value.type_ = found.node_type();
    let params = &mut value.__bindgen_anon_1;
    match found {
        Operation::Empty => {}
        Operation::Kernel(_) => {
            let shown = shown_kernel(call, node)?;
            params.kernel = same_members!(CUDA_KERNEL_NODE_PARAMS_v3, shown);
        }
        Operation::Copy(work) => {
            params.memcpy = CUDA_MEMCPY_NODE_PARAMS {
                flags: 0,
                reserved: 0,
                copyCtx: work.context.pointer(),
                copyParams: work.params.0,
            };
        }
        Operation::Fill(work) => {
            let CUDA_MEMSET_NODE_PARAMS { dst, pitch, value, elementSize, width, height } = shown_fill(work);
            let ctx = work.context.pointer();
            params.memset = CUDA_MEMSET_NODE_PARAMS_v2 { dst, pitch, value, elementSize, width, height, ctx };
        }
        Operation::HostFunction(work) => {
            // SAFETY: all members may be zero.
            let zero: CUDA_HOST_NODE_PARAMS_v2 = unsafe { core::mem::zeroed() };
            params.host = CUDA_HOST_NODE_PARAMS_v2 { fn_: Some(work.function), userData: work.data, ..zero };
        }
        Operation::RecordEvent(event) => {
            // SAFETY: all members may be zero.
            let zero: CUDA_EVENT_RECORD_NODE_PARAMS = unsafe { core::mem::zeroed() };
            params.eventRecord = CUDA_EVENT_RECORD_NODE_PARAMS { event: event.pointer(), ..zero };
        }
        Operation::WaitEvent(event) => {
            params.eventWait = CUDA_EVENT_WAIT_NODE_PARAMS { event: event.pointer() };
        }
        Operation::MemoryOperations { .. } => {
            let CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx, count, paramArray, flags } =
                memory_operation_nodes::shown(call, node)?;
            params.memOp = CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 { ctx, count, paramArray, flags };
        }
        Operation::SignalSemaphores(_) => {
            let CUDA_EXT_SEM_SIGNAL_NODE_PARAMS { extSemArray, paramsArray, numExtSems } =
                semaphore_nodes::shown_signals(call, node)?;
            params.extSemSignal = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 {
                extSemArray,
                paramsArray,
                numExtSems,
                __bindgen_anon_1: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st__bindgen_ty_1 { ctx: null_mut() },
            };
        }
        Operation::WaitSemaphores(_) => {
            let CUDA_EXT_SEM_WAIT_NODE_PARAMS { extSemArray, paramsArray, numExtSems } =
                semaphore_nodes::shown_waits(call, node)?;
            params.extSemWait = CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 {
                extSemArray,
                paramsArray,
                numExtSems,
                __bindgen_anon_1: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st__bindgen_ty_1 { ctx: null_mut() },
            };
        }
        Operation::Allocate(address) => {
            let shown = memory_nodes::shown(call.state, *address)?;
            params.alloc = CUDA_MEM_ALLOC_NODE_PARAMS_v2 {
                poolProps: shown.poolProps,
                accessDescs: shown.accessDescs,
                accessDescCount: shown.accessDescCount,
                bytesize: shown.bytesize,
                dptr: shown.dptr,
            };
        }
        Operation::Free(address) => params.free = CUDA_MEM_FREE_NODE_PARAMS { dptr: *address },
        Operation::Conditional(node) => params.conditional = node.params(),
        Operation::Child(graph) => {
            let ownership = Ownership::CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE;
            params.graph = CUDA_CHILD_GRAPH_NODE_PARAMS { graph: graph.pointer(), ownership };
        }
    }
    Ok(value)
}
