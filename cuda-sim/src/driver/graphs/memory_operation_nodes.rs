//! Nodes that write words of memory and wait for them.

#![allow(unsafe_code)]

use crate::driver::graphs::node_entry_points::{Place, add, read, set};
use crate::driver::graphs::operation::Operation;
use crate::driver::handles::Handle;
use crate::driver::queues::memory_operation::{Supported, read_batch};
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::c_uint;
use cuda_sys::{
    CUDA_BATCH_MEM_OP_NODE_PARAMS, CUcontext, CUgraph, CUgraphExec, CUgraphNode, CUresult,
    CUstreamBatchMemOpParams,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Checks the parameters of a node, and returns its operation. Unlike nodes that copy or fill,
/// refuses a null context (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn operations(
    call: &Call<'_>,
    context: CUcontext,
    (list, count): (*const CUstreamBatchMemOpParams, c_uint),
    flags: c_uint,
) -> Answer<Operation> {
    if context.is_null() {
        return Err(INVALID);
    }
    let context = Handle::of(context);
    let device = call.state.live_context(context)?.device;
    let device = Supported::by(call.state, device, false);
    // SAFETY: the caller's promise.
    let operations = unsafe { read_batch(&device, list, count, flags) }?;
    Ok(Operation::MemoryOperations { context, operations })
}

/// Checks the parameters in a structure.
///
/// # Safety
///
/// As the driver API demands.
unsafe fn given(call: &Call<'_>, params: *const CUDA_BATCH_MEM_OP_NODE_PARAMS) -> Answer<Operation> {
    // SAFETY: the caller's promise.
    let given = unsafe { read(params) }?;
    let list = (given.paramArray.cast_const(), given.count);
    // SAFETY: the caller's promise.
    unsafe { operations(call, given.ctx, list, given.flags) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_batch(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    params: *const CUDA_BATCH_MEM_OP_NODE_PARAMS,
) -> Answer {
    let operation = |call: &mut Call<'_>| {
        // SAFETY: the program's promise.
        unsafe { given(call, params) }
    };
    // SAFETY: the program's promise.
    unsafe { add(call, to, Place { graph, dependencies, count }, operation) }
}

/// Returns the parameters of a node. The list keeps its address until the node is changed or destroyed.
pub(super) fn shown(call: &mut Call<'_>, node: CUgraphNode) -> Answer<CUDA_BATCH_MEM_OP_NODE_PARAMS> {
    let node = call.state.node_mut(node)?;
    let Operation::MemoryOperations { context, operations } = &node.operation else { return Err(INVALID) };
    if node.shown.operations.is_empty() {
        node.shown.operations = operations.iter().map(|operation| operation.shown()).collect();
    }
    let (ctx, count) = (context.pointer(), operations.len() as c_uint);
    Ok(CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx, count, paramArray: node.shown.operations.as_mut_ptr(), flags: 0 })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_batch(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUDA_BATCH_MEM_OP_NODE_PARAMS,
) -> Answer {
    check_out(to)?;
    let value = shown(call, node)?;
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_batch(
    call: &mut Call<'_>,
    node: CUgraphNode,
    params: *const CUDA_BATCH_MEM_OP_NODE_PARAMS,
) -> Answer {
    call.state.node(node)?;
    // SAFETY: the program's promise.
    let operation = unsafe { given(call, params) }?;
    set(call, node, operation)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_executable_batch(
    call: &mut Call<'_>,
    executable: CUgraphExec,
    node: CUgraphNode,
    params: *const CUDA_BATCH_MEM_OP_NODE_PARAMS,
) -> Answer {
    // SAFETY: the program's promise.
    let operation = unsafe { given(call, params) }?;
    call.state.change_step(executable, node, operation)
}
