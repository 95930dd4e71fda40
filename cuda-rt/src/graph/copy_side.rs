//! Host cells as the sides of structured copies.

#![allow(unsafe_code)]

use super::host_cell::HostCell;
use crate::memory::{CopyDestination, CopySource, GraphOnly, PageLocked};
use bytemuck::{AnyBitPattern, NoUninit};
use core::any::Any;

impl<B: PageLocked + Send + 'static> GraphOnly for HostCell<B> {
    fn share(&self) -> Box<dyn Any> {
        Box::new(HostCell::share(self))
    }
}

impl<'memory> CopySource<'memory> {
    /// Returns the memory of a host cell as a source, for [`AddNodes::copy_block`](crate::graph::AddNodes::copy_block).
    /// Copies outside of graphs fail with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument).
    #[doc(alias("srcHost", "CU_MEMORYTYPE_HOST"))]
    pub fn cell<B>(cell: &'memory HostCell<B>) -> Self
    where
        B: PageLocked + Send + 'static,
        B::Element: NoUninit,
    {
        let (start, len) = cell.place();
        let bytes = len * size_of::<B::Element>();
        // SAFETY: the cell has as many bytes as long as a share of it lives, and launches lock it.
        unsafe { Self::of_graph_host(start.as_ptr().cast(), bytes, cell) }
    }
}

impl<'memory> CopyDestination<'memory> {
    /// Returns the memory of a host cell as a destination, for [`AddNodes::copy_block`](crate::graph::AddNodes::copy_block).
    /// Copies outside of graphs fail with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument).
    #[doc(alias("dstHost", "CU_MEMORYTYPE_HOST"))]
    pub fn cell<B>(cell: &'memory HostCell<B>) -> Self
    where
        B: PageLocked + Send + 'static,
        B::Element: AnyBitPattern,
    {
        let (start, len) = cell.place();
        let bytes = len * size_of::<B::Element>();
        // SAFETY: the cell has as many bytes as long as a share of it lives, and launches lock it.
        unsafe { Self::of_graph_host(start.as_ptr().cast(), bytes, cell) }
    }
}
