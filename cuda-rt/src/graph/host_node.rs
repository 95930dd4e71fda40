//! Host functions of graphs, which run once for each launch.

#![allow(unsafe_code)]

use super::host_cell::HostCell;
use crate::error::Error;
use crate::handle::{Inside, report};
use crate::memory::PageLocked;
use core::ffi::c_void;
use core::ptr::NonNull;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A function of the program that nodes call. Each graph with such a node keeps it alive.
pub(super) struct HostNode(Box<dyn Fn() + Send + Sync>);

/// Address and number of the elements of a cell.
struct Place<T>(NonNull<T>, usize);

// SAFETY: it is an address; one thread at a time calls the function that has it.
unsafe impl<T: Send> Send for Place<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Place<T> {}

impl HostNode {
    pub(super) fn new(function: impl Fn() + Send + Sync + 'static) -> Arc<HostNode> {
        Arc::new(HostNode(Box::new(function)))
    }

    /// Makes a function that gets the elements of a cell.
    ///
    /// # Safety
    ///
    /// The node uses the cell exclusively while the function runs: the graph keeps the cell as one of its cells, and orders its
    /// uses.
    pub(super) unsafe fn with_cell<B>(
        cell: &HostCell<B>,
        function: impl Fn(&mut [B::Element]) + Send + Sync + 'static,
    ) -> Arc<HostNode>
    where
        B: PageLocked + Send + 'static,
        B::Element: Send,
    {
        let (start, len) = cell.place();
        let place = Place(start, len);
        HostNode::new(move || {
            let Place(start, len) = &place;
            // SAFETY: the graph keeps the memory alive, whose elements are initialised. No other node, launch or guard uses it,
            // as the caller promises.
            function(unsafe { core::slice::from_raw_parts_mut(start.as_ptr(), *len) });
        })
    }

    /// Returns the argument that the driver passes to [`run`].
    pub(super) fn data(node: &Arc<HostNode>) -> *mut c_void {
        Arc::as_ptr(node).cast_mut().cast()
    }
}

/// Calls the function of a node. Called by the driver. `data` comes from [`HostNode::data`], and the graph keeps the node alive.
pub(super) extern "C" fn run(data: *mut c_void) {
    // SAFETY: the graph, or the launched executable graph, keeps the node alive until the launch is done.
    let node = unsafe { &*data.cast::<HostNode>() };
    let _inside = Inside::new();
    // No panic may unwind into the driver.
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| (node.0)())) {
        report(Err(Error::panicked("host function of a graph", payload)));
    }
}
