//! Nodes that make batches of memory operations.

#![allow(unsafe_code)]

use super::kinds::MemoryOperationsNode;
use super::params::{AddNode, OfKind, Place, SetExecutableNode, SetNode, Uses};
use super::semaphore::count_of;
use crate::context::{Context, different_contexts};
use crate::error::{Code, OrDetail, Result};
use crate::graph::access_order::{Region, Touched};
use crate::graph::keep::{Kept, cannot_be_kept, of_slice};
use crate::list::CollectVec;
use crate::memory::MemOps;
use core::ffi::c_uint;
use cuda_sys::{CUDA_BATCH_MEM_OP_NODE_PARAMS, CUgraphExec, CUgraphNode, CUstreamBatchMemOpParams, Symbol};

/// Parameters of a batch of memory operations.
pub(in crate::graph) struct MemoryOperationsParams {
    operations: Vec<CUstreamBatchMemOpParams>,
    context: Context,
    count: c_uint,
    kept: Vec<Kept>,
    touched: Vec<Touched>,
}

impl MemoryOperationsParams {
    /// # Safety
    ///
    /// The operations are initialised as their types require. Their addresses are valid as long as the node, or an executable
    /// graph or clone of its graph, is used. The caller orders their accesses.
    pub(in crate::graph) unsafe fn new(
        operations: &[CUstreamBatchMemOpParams],
        context: &Context,
    ) -> Result<Self> {
        let count = count_of(operations.len())?;
        let (operations, context) = (operations.to_vec(), context.clone());
        Ok(MemoryOperationsParams { operations, context, count, kept: Vec::new(), touched: Vec::new() })
    }

    /// Returns operations on words of slices, which the graph keeps alive.
    pub(in crate::graph) fn of_words(call: Symbol, batch: &MemOps<'_>, context: &Context) -> Result<Self> {
        if batch.stream().context() != context {
            return Err(different_contexts(
                call,
                [("the words", batch.stream().context()), ("the graph", context)],
            ));
        }
        let Some((operations, words)) = batch.known() else {
            return Err(cannot_be_kept("a word that is named by its address alone"));
        };
        let kept = words.iter().map(|word| of_slice(word.keep, batch.stream()));
        let kept = kept.collect::<Result<Vec<Kept>>>()?;
        let touched = words.iter().filter_map(|word| {
            let region = Region::bytes(word.address, word.bytes)?;
            Some(Touched { region, is_written: word.is_written })
        });
        // SAFETY: the operations were made by safe functions, on words that the graph keeps. Nodes that touch them need an order.
        let params = unsafe { MemoryOperationsParams::new(operations, context) }?;
        Ok(MemoryOperationsParams { kept, touched: touched.collect_vec(), ..params })
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

impl OfKind for MemoryOperationsParams {
    type Kind = MemoryOperationsNode;
}

impl AddNode for MemoryOperationsParams {
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
        Ok(Uses { kept: self.kept.clone(), touched: self.touched.clone(), ..Uses::default() })
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
