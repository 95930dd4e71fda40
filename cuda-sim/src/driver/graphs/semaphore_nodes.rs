//! Nodes that signal semaphores of other APIs and wait for them.

#![allow(unsafe_code)]

use crate::driver::graphs::node_entry_points::{Place, add, read, set};
use crate::driver::graphs::operation::Operation;
use crate::driver::queues::semaphore::{Params, SemaphoreOperation, read_lists};
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::c_uint;
use cuda_sys::{
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, CUDA_EXT_SEM_WAIT_NODE_PARAMS, CUexternalSemaphore, CUgraph,
    CUgraphExec, CUgraphNode, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Reads the lists of a node. Semaphores, flags and reserved members are not checked (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn operations<P: Params>(
    semaphores: *const CUexternalSemaphore,
    params: *const P,
    count: c_uint,
) -> Answer<Vec<SemaphoreOperation>> {
    // SAFETY: the caller's promise.
    let given = unsafe { read_lists(semaphores, params, count) }?;
    let operation = |(semaphore, params): (_, P)| SemaphoreOperation { semaphore, value: params.value() };
    Ok(given.into_iter().map(operation).collect())
}

macro_rules! nodes {
    ($(
        $operation:ident, $raw:ident, $list:ident: $add:ident $get:ident $set:ident $set_executable:ident $given:ident $shown:ident;
    )*) => {$(
        /// # Safety
        ///
        /// As the driver API demands.
        unsafe fn $given(params: *const $raw) -> Answer<Operation> {
            // SAFETY: the caller's promise.
            let given = unsafe { read(params) }?;
            let semaphores = given.extSemArray.cast_const();
            // SAFETY: the caller's promise.
            unsafe { operations(semaphores, given.paramsArray, given.numExtSems) }.map(Operation::$operation)
        }

        /// Returns the parameters of a node. The lists keep their addresses until the node is changed or destroyed.
        pub(super) fn $shown(call: &mut Call<'_>, node: CUgraphNode) -> Answer<$raw> {
            let node = call.state.node_mut(node)?;
            let Operation::$operation(operations) = &node.operation else { return Err(INVALID) };
            if node.shown.$list.is_empty() {
                let semaphores = operations.iter().map(|operation| operation.semaphore.pointer());
                node.shown.semaphores = semaphores.collect();
                node.shown.$list = operations.iter().map(|operation| Params::shown(operation.value)).collect();
            }
            Ok($raw {
                extSemArray: node.shown.semaphores.as_mut_ptr(),
                paramsArray: node.shown.$list.as_ptr(),
                numExtSems: operations.len() as c_uint,
            })
        }

        /// # Safety
        ///
        /// As the driver API demands.
        pub(crate) unsafe fn $add(
            call: &mut Call<'_>,
            to: *mut CUgraphNode,
            graph: CUgraph,
            dependencies: *const CUgraphNode,
            count: usize,
            params: *const $raw,
        ) -> Answer {
            let operation = |_: &mut Call<'_>| {
                // SAFETY: the program's promise.
                unsafe { $given(params) }
            };
            // SAFETY: the program's promise.
            unsafe { add(call, to, Place { graph, dependencies, count }, operation) }
        }

        /// # Safety
        ///
        /// As the driver API demands.
        pub(crate) unsafe fn $get(call: &mut Call<'_>, node: CUgraphNode, to: *mut $raw) -> Answer {
            call.state.node(node)?;
            check_out(to)?;
            let value = $shown(call, node)?;
            // SAFETY: the program's promise.
            unsafe { put(to, value) }
        }

        /// # Safety
        ///
        /// As the driver API demands.
        pub(crate) unsafe fn $set(call: &mut Call<'_>, node: CUgraphNode, params: *const $raw) -> Answer {
            call.state.node(node)?;
            // SAFETY: the program's promise.
            let operation = unsafe { $given(params) }?;
            set(call, node, operation)
        }

        /// # Safety
        ///
        /// As the driver API demands.
        pub(crate) unsafe fn $set_executable(
            call: &mut Call<'_>,
            executable: CUgraphExec,
            node: CUgraphNode,
            params: *const $raw,
        ) -> Answer {
            // SAFETY: the program's promise.
            let operation = unsafe { $given(params) }?;
            call.state.change_step(executable, node, operation)
        }
    )*};
}
nodes! {
    SignalSemaphores, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, signals:
        add_signal get_signal set_signal set_executable_signal given_signals shown_signals;
    WaitSemaphores, CUDA_EXT_SEM_WAIT_NODE_PARAMS, waits:
        add_wait get_wait set_wait set_executable_wait given_waits shown_waits;
}
