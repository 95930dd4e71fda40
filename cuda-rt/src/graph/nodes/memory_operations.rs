//! Nodes that make batches of memory operations.

#![allow(unsafe_code)]

use super::kinds::MemoryOperationsNode;
use super::params::{AddNode, Place, SetExecutableNode, SetNode, Uses};
use super::semaphore::count_of;
use crate::context::Context;
use crate::error::{Code, OrDetail, Result};
use core::ffi::c_uint;
use cuda_sys::{CUDA_BATCH_MEM_OP_NODE_PARAMS, CUgraphExec, CUgraphNode, CUstreamBatchMemOpParams, Symbol};

/// Parameters of a batch of memory operations.
pub(in crate::graph) struct MemoryOperationsParams {
    operations: Vec<CUstreamBatchMemOpParams>,
    context: Context,
    count: c_uint,
}

impl MemoryOperationsParams {
    /// # Safety
    ///
    /// The operations are initialised as their types demand. Their addresses are those of memory that is valid as long as the node, or
    /// what is made of its graph, is used. The caller answers for the order of their accesses.
    pub(in crate::graph) unsafe fn new(
        operations: &[CUstreamBatchMemOpParams],
        context: &Context,
    ) -> Result<Self> {
        let count = count_of(operations.len())?;
        Ok(MemoryOperationsParams { operations: operations.to_vec(), context: context.clone(), count })
    }

    fn raw(&mut self) -> CUDA_BATCH_MEM_OP_NODE_PARAMS {
        const NO_FLAGS: c_uint = 0;
        CUDA_BATCH_MEM_OP_NODE_PARAMS {
            ctx: self.context.as_raw(),
            count: self.count,
            paramArray: self.operations.as_mut_ptr(),
            flags: NO_FLAGS,
        }
    }

    fn explained(&self, outcome: Result<()>) -> Result<()> {
        outcome.or_detail(&[Code::InvalidValue, Code::NotSupported], &|| {
            format!("{} memory operations", self.count)
        })
    }
}

impl AddNode for MemoryOperationsParams {
    type Kind = MemoryOperationsNode;

    fn add_call(&self) -> Symbol {
        Symbol::cuGraphAddBatchMemOpNode
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let Place { graph, after } = place;
        let raw = self.raw();
        // SAFETY: the caller's promise; the list has the length that is given.
        let added = unsafe {
            check!(cuGraphAddBatchMemOpNode(node, graph, after.as_ptr(), after.len(), &raw const raw))
        };
        self.explained(added)
    }

    fn uses(&self) -> Result<Uses> {
        Ok(Uses::default())
    }
}

impl SetNode for MemoryOperationsParams {
    fn set_call(&self) -> Symbol {
        Symbol::cuGraphBatchMemOpNodeSetParams
    }

    unsafe fn set(&mut self, node: CUgraphNode) -> Result<()> {
        let raw = self.raw();
        // SAFETY: as above, of the node.
        let set = unsafe { check!(cuGraphBatchMemOpNodeSetParams(node, &raw const raw)) };
        self.explained(set)
    }
}

impl SetExecutableNode for MemoryOperationsParams {
    fn set_executable_call(&self) -> Symbol {
        Symbol::cuGraphExecBatchMemOpNodeSetParams
    }

    unsafe fn set_executable(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Result<()> {
        let raw = self.raw();
        // SAFETY: as above, of both.
        let set = unsafe { check!(cuGraphExecBatchMemOpNodeSetParams(executable, node, &raw const raw)) };
        self.explained(set)
    }
}
