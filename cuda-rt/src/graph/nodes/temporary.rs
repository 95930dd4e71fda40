//! Nodes that allocate and free graph memory.

#![allow(unsafe_code)]

use super::add::{Nodes, Scope, To};
use super::alloc::{AllocParams, FreeParams, MEMORY_NODES};
use super::kinds::{MemAllocNode, MemFreeNode};
use crate::error::{Error, Result};
use crate::graph::GraphMem;
use crate::graph::node::{AnyNode, Node};
use crate::graph::source::lock;
use crate::handle::report;
use crate::memory::DevicePtr;
use core::marker::PhantomData;
use cuda_sys::CUdeviceptr;
use std::sync::Arc;

/// Adds an allocation.
pub(super) fn alloc(
    to: &mut To<'_>,
    after: &[AnyNode],
    bytes: usize,
) -> Result<(Node<MemAllocNode>, CUdeviceptr)> {
    let mut params = AllocParams::new(to.context, bytes)?;
    let node = to.add_with(after, &mut params, super::Uses::default(), &mut |source, _| {
        source.restrict(Some(MEMORY_NODES));
    })?;
    Ok((node, params.address()))
}

/// Adds a free.
///
/// # Safety
///
/// Same as [`FreeParams::new`].
pub(super) unsafe fn free(
    to: &mut To<'_>,
    after: &[AnyNode],
    address: CUdeviceptr,
) -> Result<Node<MemFreeNode>> {
    // SAFETY: the caller's promise.
    let mut params = unsafe { FreeParams::new(address) };
    to.add_with(after, &mut params, super::Uses::default(), &mut |source, _| {
        source.restrict(Some(MEMORY_NODES));
    })
}

/// Adds an allocation, the nodes of a closure, and a free after all of them.
pub(super) fn temporary<T, R>(
    mut to: To<'_>,
    after: &[AnyNode],
    len: usize,
    work: impl for<'m> FnOnce(&mut Nodes<'m>, GraphMem<'m, T>) -> Result<R>,
) -> Result<R> {
    let element_bytes = size_of::<T>();
    let bytes = len
        .checked_mul(element_bytes)
        .filter(|bytes| isize::try_from(*bytes).is_ok())
        .ok_or_else(|| Error::size_overflow("memory of a graph", len, element_bytes))?;
    let (allocation, address) = alloc(&mut to, after, bytes)?;
    let Some(tag) = to.tags.last().copied() else {
        return Err(super::add::no_node(cuda_sys::Symbol::cuGraphAddMemAllocNode));
    };
    let nodes = Nodes {
        source: Arc::clone(to.source),
        root: to.root.cloned(),
        context: to.context.clone(),
        tags: to.tags.clone(),
        scope: Some(Scope::after(allocation.any())),
        _brand: PhantomData,
    };
    let mut release = Release { to, nodes, address };
    let outcome = work(&mut release.nodes, GraphMem::new(DevicePtr::from_raw(address), len, tag));
    let released = release.release();
    outcome.and_then(|outcome| released.map(|()| outcome))
}

/// Adds the free, even after a panic.
struct Release<'a, 'm> {
    to: To<'a>,
    nodes: Nodes<'m>,
    /// 0 once the free is added.
    address: CUdeviceptr,
}

impl Release<'_, '_> {
    fn release(&mut self) -> Result<()> {
        let address = core::mem::take(&mut self.address);
        if address == 0 {
            return Ok(());
        }
        let leaves = self.nodes.scope.as_ref().map_or(Vec::new(), Scope::leaves);
        let source = self.to.source;
        // SAFETY: the memory is that of this graph. All nodes that can name it were made in the
        // closure, each after the allocation. The free comes after the leaves of the scope, and so
        // after all of these nodes.
        let freed = unsafe { free(&mut self.to, &leaves, address) };
        if freed.is_err() {
            // The memory would not be freed, and the nodes of the closure have no order with later nodes.
            lock(source).poison();
        }
        freed.map(drop)
    }
}

impl Drop for Release<'_, '_> {
    fn drop(&mut self) {
        report(self.release());
    }
}
