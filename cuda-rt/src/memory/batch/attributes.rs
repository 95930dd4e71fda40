//! Hints for the driver about copies.

use crate::memory::location::MemLocation;
use cuda_sys::{
    CUmemLocation, CUmemcpyAttributes, CUmemcpyFlags_enum as Flags, CUmemcpySrcAccessOrder,
    CUmemcpySrcAccessOrder_enum as Order,
};

/// Hints for the copies of a [`MemcpyBatch`](super::MemcpyBatch). Hints change the speed of a copy, not its result.
///
/// Locations matter for managed memory, which the driver may move, and for memory that CUDA has not allocated.
/// Copies between device memory of other kinds ignore them.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{MemcpyAttributes, MemcpyBatch};
///
/// let numbers = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
/// let mut copied = DeviceBuf::zeroed(&stream, 3)?;
/// let mut batch = MemcpyBatch::new();
/// batch.attributes(MemcpyAttributes::new().prefer_overlap(true));
/// batch.on_device(copied.as_slice_mut(), numbers.as_slice())?;
/// batch.copy(&stream)?;
/// assert_eq!(copied.to_vec()?, [1, 2, 3]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("CUmemcpyAttributes", "CUmemcpyFlags"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MemcpyAttributes {
    source: Option<MemLocation>,
    destination: Option<MemLocation>,
    overlaps: bool,
}

/// Sources are read in the order of the stream: other orders would require that no code writes to them meanwhile.
pub(in crate::memory) const SOURCE_ORDER: CUmemcpySrcAccessOrder = Order::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;

impl MemcpyAttributes {
    /// Returns attributes without hints.
    pub const fn new() -> Self {
        MemcpyAttributes { source: None, destination: None, overlaps: false }
    }

    /// Sets the location of the source.
    #[must_use]
    #[doc(alias = "srcLocHint")]
    pub const fn source_hint(self, location: MemLocation) -> Self {
        MemcpyAttributes { source: Some(location), ..self }
    }

    /// Sets the location of the destination.
    #[must_use]
    #[doc(alias = "dstLocHint")]
    pub const fn destination_hint(self, location: MemLocation) -> Self {
        MemcpyAttributes { destination: Some(location), ..self }
    }

    /// Sets whether the copy should leave the multiprocessors to kernels that run at the same time.
    #[must_use]
    #[doc(alias = "CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE")]
    pub const fn prefer_overlap(self, overlaps: bool) -> Self {
        MemcpyAttributes { overlaps, ..self }
    }

    pub(in crate::memory) fn flags(self) -> u32 {
        if self.overlaps { Flags::CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE.0 } else { 0 }
    }

    /// Returns the locations of source and destination.
    pub(in crate::memory) fn hints(self) -> [CUmemLocation; 2] {
        let raw = |hint: Option<MemLocation>| hint.map(MemLocation::as_raw).unwrap_or_default();
        [raw(self.source), raw(self.destination)]
    }

    /// Returns the locations of source and destination, with names for errors.
    pub(super) fn named_hints(self) -> [(&'static str, Option<MemLocation>); 2] {
        [("source", self.source), ("destination", self.destination)]
    }

    pub(super) fn as_raw(self) -> CUmemcpyAttributes {
        let [source, destination] = self.hints();
        CUmemcpyAttributes {
            srcAccessOrder: SOURCE_ORDER,
            srcLocHint: source,
            dstLocHint: destination,
            flags: self.flags(),
        }
    }
}
