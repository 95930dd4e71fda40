//! Memory of a graph, which exists while the graph runs.

use crate::error::{Error, Result};
use crate::graph::node::GraphTag;
use crate::memory::DevicePtr;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Bound, RangeBounds};

/// Device memory of a graph: allocated by one of its nodes, and freed by another. It is uninitialised at first.
///
/// The lifetime `'m` is that of the closure that gets the memory: see [`Capture::temporary`](super::Capture::temporary). The
/// address is the same at each launch.
///
/// The memory cannot leave the closure:
///
/// ```compile_fail,E0521
/// # use cuda_rt::graph::{Capture, GraphMem};
/// # use cuda_rt::Result;
/// fn leave(capture: &mut Capture<'_>) -> Result<()> {
///     let mut kept: Option<GraphMem<'_, u32>> = None;
///     capture.temporary::<u32, _>(4, |_, memory| {
///         kept = Some(memory);
///         Ok(())
///     })
/// }
/// ```
pub struct GraphMem<'m, T> {
    ptr: DevicePtr<T>,
    len: usize,
    /// The graph of the memory.
    tag: GraphTag,
    /// Invariant: exactly the lifetime of the closure.
    _brand: PhantomData<fn(&'m T) -> &'m T>,
}

impl<T> GraphMem<'_, T> {
    pub(in crate::graph) fn new(ptr: DevicePtr<T>, len: usize, tag: GraphTag) -> Self {
        GraphMem { ptr, len, tag, _brand: PhantomData }
    }

    pub(super) fn tag(&self) -> GraphTag {
        self.tag
    }

    /// Returns the address of the first element, for kernels.
    pub fn ptr(&self) -> DevicePtr<T> {
        self.ptr
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns a part of the elements.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self> {
        let start = match range.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(last) => last.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => self.len,
        };
        if start > end || end > self.len {
            return Err(Error::out_of_bounds("memory of a graph", start, end, self.len));
        }
        Ok(GraphMem::new(self.ptr.add(start), end - start, self.tag))
    }
}

impl<T> Clone for GraphMem<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for GraphMem<'_, T> {}

impl<T> fmt::Debug for GraphMem<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GraphMem").field("ptr", &self.ptr).field("len", &self.len).finish()
    }
}
