//! Nodes that allocate memory of the graph, and free it.

#![allow(unsafe_code)]

use super::kinds::{MemAllocNode, MemFreeNode};
use super::params::{AddNode, OfKind, Place, Uses};
use crate::context::Context;
use crate::error::{Code, Error, OrDetail, Result};
use crate::memory::MemLocation;
use core::ptr::null;
use cuda_sys::{
    CUDA_MEM_ALLOC_NODE_PARAMS, CUdeviceptr, CUgraphNode, CUmemAllocationType_enum, CUmemPoolProps, Symbol,
};

/// The reason why a graph with such nodes is restricted.
pub(in crate::graph) const MEMORY_NODES: &str = "nodes that allocate memory";

/// Parameters of a node that allocates memory on the device of a context.
pub(in crate::graph) struct AllocParams {
    raw: CUDA_MEM_ALLOC_NODE_PARAMS,
}

impl AllocParams {
    pub(in crate::graph) fn new(context: &Context, bytes: usize) -> Result<AllocParams> {
        if bytes == 0 {
            return Err(Error::empty("memory of a graph"));
        }
        let properties = CUmemPoolProps {
            allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
            location: MemLocation::device(context.device()).as_raw(),
            ..CUmemPoolProps::default()
        };
        let raw = CUDA_MEM_ALLOC_NODE_PARAMS {
            poolProps: properties,
            accessDescs: null(),
            accessDescCount: 0,
            bytesize: bytes,
            dptr: 0,
        };
        Ok(AllocParams { raw })
    }

    /// Returns the address, after the node is added.
    pub(in crate::graph) fn address(&self) -> CUdeviceptr {
        self.raw.dptr
    }
}

impl OfKind for AllocParams {
    type Kind = MemAllocNode;
}

impl AddNode for AllocParams {
    fn add_call(&self) -> Symbol {
        Symbol::cuGraphAddMemAllocNode
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let Place { graph, after } = place;
        // SAFETY: the caller's promise of the graph and the nodes; the parameters are valid for reads and writes.
        let added = unsafe {
            check!(cuGraphAddMemAllocNode(node, graph, after.as_ptr(), after.len(), &raw mut self.raw))
        };
        added.or_detail(&[Code::OutOfMemory, Code::InvalidValue], &|| format!("{} bytes", self.raw.bytesize))
    }

    fn uses(&self) -> Result<Uses> {
        Ok(Uses::default())
    }
}

/// Parameters of a node that frees memory of a graph.
pub(in crate::graph) struct FreeParams(CUdeviceptr);

impl FreeParams {
    /// # Safety
    ///
    /// The memory is that of a graph. Work after the node, or without an order with it, does not use it.
    pub(in crate::graph) unsafe fn new(address: CUdeviceptr) -> FreeParams {
        FreeParams(address)
    }
}

impl OfKind for FreeParams {
    type Kind = MemFreeNode;
}

impl AddNode for FreeParams {
    fn add_call(&self) -> Symbol {
        Symbol::cuGraphAddMemFreeNode
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let Place { graph, after } = place;
        // SAFETY: the caller's promise of the graph and the nodes, and the promise of `new`.
        unsafe { check!(cuGraphAddMemFreeNode(node, graph, after.as_ptr(), after.len(), self.0)) }
            .or_detail(&[Code::InvalidValue], &|| format!("memory at {:#x}", self.0))
    }

    fn uses(&self) -> Result<Uses> {
        Ok(Uses::default())
    }
}
