//! Memory that copies and fills of a capture, and nodes of a graph, read and write.

use super::memory::GraphMem;
use crate::context::different_contexts;
use crate::error::{Error, Result};
use crate::graph::keep::{Kept, of_slice};
use crate::graph::node::GraphTag;
use crate::handle::KeepSlot;
use crate::memory::{DeviceBuf, DeviceSlice, DeviceSliceMut};
use crate::stream::Stream;
use cuda_sys::{CUdeviceptr, Symbol};

/// Device memory that a capture or a node reads: a [`DeviceSlice`], a `&DeviceBuf`, or [`GraphMem`]. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "a graph does not read a `{Self}` as elements of type `{T}`",
    note = "it reads `&DeviceBuf<T>`, `DeviceSlice<T>` and `GraphMem<T>`; host memory comes from a `HostCell`, by `upload`"
)]
pub trait CaptureSource<T>: sealed::Operand<T> {}

/// Device memory that a capture or a node writes: a [`DeviceSliceMut`], a `&mut DeviceBuf`, or [`GraphMem`]. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "a graph does not write a `{Self}` as elements of type `{T}`",
    note = "it writes `&mut DeviceBuf<T>`, `DeviceSliceMut<T>` and `GraphMem<T>`; host memory is written by `download`"
)]
pub trait CaptureDestination<T>: sealed::Operand<T> {}

/// A range of device memory.
#[derive(Debug, Clone, Copy)]
pub struct Region<'memory> {
    pub(in crate::graph) address: CUdeviceptr,
    pub(in crate::graph) len: usize,
    /// The home stream and the slot by which graphs keep the memory. `None` for memory of a graph.
    pub(in crate::graph) owner: Option<(&'memory Stream, Option<&'memory KeepSlot>)>,
    /// The graph of the memory.
    pub(in crate::graph) tag: Option<GraphTag>,
}

pub(super) mod sealed {
    use super::Region;

    pub trait Operand<T> {
        #[doc(hidden)]
        fn region(&self) -> Region<'_>;
    }
}

impl Region<'_> {
    /// Returns the share of the memory, if it is not of the graph `tag`. Refuses memory of another graph, or of another context
    /// than that of `stream`.
    pub(super) fn kept(&self, call: Symbol, stream: &Stream, tag: GraphTag) -> Result<Option<Kept>> {
        match self.owner {
            Some((home, _)) if home.context() != stream.context() => Err(different_contexts(
                call,
                [("the memory", home.context()), ("the capture", stream.context())],
            )),
            Some((home, slot)) => of_slice(slot, home).map(Some),
            None if self.tag == Some(tag) => Ok(None),
            None => Err(memory_of_another_graph()),
        }
    }
}

/// Refuses overlapping sides of a copy. Only memory of a graph can be both sides.
pub(in crate::graph) fn refuse_overlap(
    call: Symbol,
    to: CUdeviceptr,
    from: CUdeviceptr,
    bytes: usize,
) -> Result<()> {
    if to.abs_diff(from) < bytes as u64 {
        return Err(Error::invalid_for(
            call,
            format_args!(
                "{bytes} bytes at {from:#x} overlap {bytes} bytes at {to:#x}; copy by way of other memory"
            ),
        ));
    }
    Ok(())
}

/// Refuses memory of a graph that the nodes of another graph would use.
#[cold]
pub(in crate::graph) fn memory_of_another_graph() -> Error {
    let text = "it belongs to another graph; only nodes that are made in the closure that got it can use it";
    Error::invalid("memory of a graph", format_args!("{text}"))
}

impl<T> sealed::Operand<T> for DeviceSlice<'_, T> {
    fn region(&self) -> Region<'_> {
        Region {
            address: self.ptr().as_raw(),
            len: self.len(),
            owner: Some((self.stream(), self.keep_slot())),
            tag: None,
        }
    }
}
impl<T> CaptureSource<T> for DeviceSlice<'_, T> {}

impl<T> sealed::Operand<T> for DeviceSliceMut<'_, T> {
    fn region(&self) -> Region<'_> {
        Region {
            address: self.ptr().as_raw(),
            len: self.len(),
            owner: Some((self.stream(), self.keep_slot())),
            tag: None,
        }
    }
}
impl<T> CaptureDestination<T> for DeviceSliceMut<'_, T> {}

impl<T> sealed::Operand<T> for &DeviceBuf<T> {
    fn region(&self) -> Region<'_> {
        Region {
            address: self.ptr().as_raw(),
            len: self.len(),
            owner: Some((self.stream(), Some(self.keep_slot()))),
            tag: None,
        }
    }
}
impl<T> CaptureSource<T> for &DeviceBuf<T> {}

impl<T> sealed::Operand<T> for &mut DeviceBuf<T> {
    fn region(&self) -> Region<'_> {
        Region {
            address: self.ptr().as_raw(),
            len: self.len(),
            owner: Some((self.stream(), Some(self.keep_slot()))),
            tag: None,
        }
    }
}
impl<T> CaptureDestination<T> for &mut DeviceBuf<T> {}

impl<T> sealed::Operand<T> for GraphMem<'_, T> {
    fn region(&self) -> Region<'_> {
        Region { address: self.ptr().as_raw(), len: self.len(), owner: None, tag: Some(self.tag()) }
    }
}
impl<T> CaptureSource<T> for GraphMem<'_, T> {}
impl<T> CaptureDestination<T> for GraphMem<'_, T> {}
