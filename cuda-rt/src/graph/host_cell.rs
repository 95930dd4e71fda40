//! Host memory that graphs use.

#![allow(unsafe_code)]

use super::cell_state::{AnyCell, CellState};
use crate::context::{RelaxedCaptureMode, ensure_lives};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::handle::ensure_not_in_host_function;
use crate::memory::PageLocked;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use cuda_sys::Symbol;
use std::sync::Arc;

/// Page-locked host memory that graphs copy to and from, and that the program accesses between launches.
///
/// The cell owns the memory. The program accesses it by [`lock`](HostCell::lock), which waits for the last launch that uses the
/// memory. While the cell is locked, a launch that uses it is refused with [`HostCellLocked`](ErrorKind::HostCellLocked), and
/// does not wait. So host and device never use the memory at the same time. A forgotten guard locks the cell forever.
///
/// Clones are handles to the same memory. Graphs that use the memory keep it alive.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::PinnedBuf;
/// use cuda_rt::graph::HostCell;
///
/// let cell = HostCell::new(PinnedBuf::from_slice(&context, &[1, 2, 3])?);
/// cell.lock()?[0] = 7;
/// assert_eq!(*cell.lock()?, [7, 2, 3]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct HostCell<B: PageLocked>(Arc<CellInner<B>>);

struct CellInner<B: PageLocked> {
    state: CellState,
    start: NonNull<B::Element>,
    len: usize,
    memory: B,
}

// SAFETY: the memory owns the elements, and one thread or the device uses them at a time.
unsafe impl<B: PageLocked + Send> Send for CellInner<B> {}
// SAFETY: `&CellInner` gives the elements to one guard or host function at a time; `memory` itself is not read.
unsafe impl<B: PageLocked + Send> Sync for CellInner<B> {}

impl<B: PageLocked + Send> AnyCell for CellInner<B> {
    fn state(&self) -> &CellState {
        &self.state
    }
}

impl<B: PageLocked + Send + 'static> HostCell<B> {
    /// Takes ownership of memory for graphs.
    pub fn new(memory: B) -> HostCell<B> {
        let mut memory = memory;
        let (start, len) = memory.locked();
        HostCell(Arc::new(CellInner { state: CellState::default(), start, len, memory }))
    }

    /// Returns the memory, if this is the last handle and no graph, executable graph or launch keeps it alive.
    ///
    /// # Errors
    ///
    /// The cell itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::PinnedBuf;
    /// # use cuda_rt::graph::HostCell;
    /// let cell = HostCell::new(PinnedBuf::from_slice(&context, &[1, 2, 3])?);
    /// assert_eq!(*cell.try_into_inner().unwrap(), [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn try_into_inner(self) -> Result<B, Self> {
        match Arc::try_unwrap(self.0) {
            // A forgotten guard has borrowed the cell, which is here.
            Ok(inner) => Ok(inner.memory),
            Err(shared) => Err(HostCell(shared)),
        }
    }

    /// Locks the memory for the program, and waits for the last launch that uses it. From this call on, launches that use the
    /// memory are refused.
    ///
    /// # Blocking
    ///
    /// Until the launch is done. Also waits while another thread queues a launch that uses the
    /// memory.
    ///
    /// # Errors
    ///
    /// - [`HostCellLocked`](ErrorKind::HostCellLocked): there is another guard. Or the process is
    ///   the child of a fork, and the parent process has launched with the memory.
    /// - [`Poisoned`](ErrorKind::Poisoned): the end of a launch could not be waited for.
    /// - [`ContextLost`](ErrorKind::ContextLost): the context of the last launch was reset.
    ///   [`try_into_inner`](HostCell::try_into_inner) still returns the memory.
    /// - [`InsideHostFunction`](ErrorKind::InsideHostFunction): the call is inside a host function, for which a launch may wait.
    /// - The failure of launched work.
    ///
    /// After an error, this call does not lock the memory: it no longer refuses launches.
    #[doc(alias = "cuEventSynchronize")]
    pub fn lock(&self) -> Result<HostGuard<'_, B>> {
        ensure_not_in_host_function(Symbol::cuEventSynchronize)?;
        let last = self.0.state.begin_guard()?;
        let guard = self.guard();
        if let Some(last) = last {
            // Otherwise a capture that this or another thread makes would forbid waiting.
            let _relaxed = RelaxedCaptureMode::new();
            ensure_lives(last.context(), Symbol::cuEventSynchronize)?;
            last.synchronize()?;
        }
        Ok(guard)
    }

    /// Locks the memory for the program, if the last launch that uses it is done. Does not wait, not even for a thread that
    /// launches. If the result is `None`, launches are not refused.
    ///
    /// # Errors
    ///
    /// Same as [`lock`](HostCell::lock).
    #[doc(alias = "cuEventQuery")]
    pub fn try_lock(&self) -> Result<Option<HostGuard<'_, B>>> {
        ensure_not_in_host_function(Symbol::cuEventQuery)?;
        // Otherwise a capture that this or another thread makes would forbid the query.
        let _relaxed = RelaxedCaptureMode::new();
        let has_begun = self.0.state.try_begin_guard(|last| {
            ensure_lives(last.context(), Symbol::cuEventQuery)?;
            last.is_done()
        })?;
        Ok(has_begun.then(|| self.guard()))
    }

    /// Returns the guard that was begun.
    fn guard(&self) -> HostGuard<'_, B> {
        HostGuard { cell: &self.0, _elements: PhantomData }
    }

    /// Returns a share for graphs.
    pub(super) fn share(&self) -> Arc<dyn AnyCell> {
        Arc::clone(&self.0) as _
    }
}

impl<B: PageLocked> HostCell<B> {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.0.len
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.0.len == 0
    }

    /// Returns the address and the number of the elements, for nodes of a graph.
    pub(super) fn place(&self) -> (NonNull<B::Element>, usize) {
        (self.0.start, self.0.len)
    }
}

impl<B: PageLocked> Clone for HostCell<B> {
    fn clone(&self) -> Self {
        HostCell(Arc::clone(&self.0))
    }
}

impl<B: PageLocked> fmt::Debug for HostCell<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HostCell").field("len", &self.0.len).finish_non_exhaustive()
    }
}

/// Access of the program to the elements of a [`HostCell`]. Made by [`HostCell::lock`]. Dropping the guard lets launches use the
/// memory again.
#[must_use = "dropping it unlocks the memory"]
pub struct HostGuard<'cell, B: PageLocked> {
    cell: &'cell CellInner<B>,
    _elements: PhantomData<*mut B::Element>,
}

// SAFETY: the guard is the only way to the elements, which may be sent to other threads.
unsafe impl<B: PageLocked + Send> Send for HostGuard<'_, B> where B::Element: Send {}
// SAFETY: `&HostGuard` gives `&[B::Element]`.
unsafe impl<B: PageLocked + Send> Sync for HostGuard<'_, B> where B::Element: Sync {}

impl<B: PageLocked> Deref for HostGuard<'_, B> {
    type Target = [B::Element];

    fn deref(&self) -> &[B::Element] {
        // SAFETY: the memory is valid, and its elements are initialised: the device may write any bytes. While the guard lives,
        // no launch uses them, and there is no other guard.
        unsafe { core::slice::from_raw_parts(self.cell.start.as_ptr(), self.cell.len) }
    }
}

impl<B: PageLocked> DerefMut for HostGuard<'_, B> {
    fn deref_mut(&mut self) -> &mut [B::Element] {
        // SAFETY: as above, and the guard is borrowed mutably.
        unsafe { core::slice::from_raw_parts_mut(self.cell.start.as_ptr(), self.cell.len) }
    }
}

impl<B: PageLocked> Drop for HostGuard<'_, B> {
    fn drop(&mut self) {
        self.cell.state.end_guard();
    }
}

impl<B: PageLocked> fmt::Debug for HostGuard<'_, B>
where
    B::Element: fmt::Debug,
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("HostGuard").field(&&**self).finish()
    }
}
