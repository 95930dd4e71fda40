//! Functions that add kernel nodes to a graph, and get and set their parameters.

#![allow(unsafe_code)]

use crate::driver::graphs::node_entry_points::{Place, add, read, set};
use crate::driver::graphs::operation::Operation;
use crate::driver::handles::Handle;
use crate::driver::queues::kernel_arguments::Arguments;
use crate::driver::queues::launch::{ClusterWish, KernelShape, KernelWork, plan_launch};
use crate::driver::{Answer, Call, check_out, put};
use core::ptr::null_mut;
use cuda_sys::{
    CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END,
    CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, CUgraph, CUgraphNode, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Converts parameters of the first version to the second.
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
    // A kernel of a library has a field of its own (measured).
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
    let current = call.state.current_green();
    if context != Handle::NULL {
        call.state.live_context(context)?;
        // Kernels of a library belong to the current context.
        let context = call.state.context_behind(context);
        call.state.with_stack(|stack| stack.push(context));
    }
    let arguments = Arguments::Lists { params: given.kernelParams, extra: given.extra };
    // SAFETY: the caller's promise.
    let work = unsafe { plan_launch(call, named, None, (shape, ClusterWish::default()), arguments) };
    if context != Handle::NULL {
        call.state.with_stack(Vec::pop);
    }
    let mut work = work.map_err(|code| match code {
        // Launches return this code if the arguments are too long (measured).
        CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES if !given.extra.is_null() => INVALID,
        code => code,
    })?;
    if work.uses_references() {
        // References are resolved at each launch (measured).
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    // A kernel of a library runs in the named green context, and a function in the current one (measured).
    let named = call.state.green_context(context).is_ok().then_some(context);
    let green = if given.func.is_null() { named } else { current };
    if let Some(green) = green.filter(|green| call.state.context_behind(*green) == work.context) {
        work.run_in_green_context(green, call.state.part_of(Some(green)));
    }
    Ok(work)
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

/// Returns the parameters of a kernel. The arguments keep their addresses until the node is changed or destroyed.
pub(super) fn shown_kernel(call: &mut Call<'_>, node: CUgraphNode) -> Answer<CUDA_KERNEL_NODE_PARAMS> {
    let Operation::Kernel(work) = &call.state.node(node)?.operation else { return Err(INVALID) };
    let (function, shape) = (work.function, work.shape);
    let context = work.green.unwrap_or(work.context);
    let (module, name) = (work.module, work.kernel().map(|kernel| kernel.name.to_string()));
    // This also applies to a node that was created with the function (measured).
    let of_library = name.and_then(|name| call.kernel_in_module(module, &name));
    let node = call.state.node_mut(node)?;
    let Operation::Kernel(work) = &node.operation else { return Err(INVALID) };
    if node.shown.pointers.is_empty() {
        node.shown.bytes.clone_from(&work.params);
        let params = work.kernel().map(|kernel| kernel.params.as_slice()).unwrap_or_default();
        let start = node.shown.bytes.as_mut_ptr();
        // No parameter exceeds the bytes.
        let pointers = params.iter().map(|param| start.wrapping_add(param.offset as usize).cast());
        node.shown.pointers = pointers.collect();
    }
    // Without parameters, nothing is reported (measured).
    let packed_bytes = work.packed_bytes.filter(|_| !node.shown.bytes.is_empty());
    let is_packed = packed_bytes.is_some();
    if let Some(bytes) = packed_bytes
        && node.shown.sizes.is_empty()
    {
        node.shown.sizes.push(bytes);
        node.shown.pointers = vec![
            CU_LAUNCH_PARAM_BUFFER_SIZE,
            node.shown.sizes.as_mut_ptr().cast(),
            CU_LAUNCH_PARAM_BUFFER_POINTER,
            node.shown.bytes.as_mut_ptr().cast(),
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
        kern: of_library.map_or(null_mut(), Handle::pointer),
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
