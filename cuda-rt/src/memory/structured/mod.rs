//! Copies of blocks: rows with a pitch, slices of rows, and arrays.

#![allow(unsafe_code)]

mod check;
mod node;
mod operation;
mod side;

pub(crate) use check::{ArrayStorage, CopyArray, Shape};
pub(crate) use node::{Extent, NodeCopy, SideMemory};
pub use side::{CopyDestination, CopySource};
pub(crate) use side::{GraphOnly, SideOwner};

use super::copy::between_streams;
use super::host_transfer::copy_with_host_ranges;
use super::loan::HostRange;
use crate::context::{Context, different_contexts};
use crate::device::DeviceAttribute;
use crate::error::{Error, Limit, Result};
use crate::stream::Stream;
use check::{Block, Checked};
use cuda_sys::{CUDA_MEMCPY2D, CUDA_MEMCPY3D, CUDA_MEMCPY3D_PEER, CUstream, Symbol};
use node::side_memory;
use side::{Side, SideAddress};

/// A copy of a block of bytes in two or three dimensions. Each side is host memory, device memory or an array. The two sides may
/// belong to different devices.
///
/// The width is in bytes, the height in rows, and the depth in slices. For arrays of a block-compressed format, the height is in
/// rows of blocks. A copy with a size of 0 makes no driver call. Numbers that do not fit together are refused with
/// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument). The text names the field, its value and its limit.
///
/// A copy between contexts calls `cuMemcpy3DPeerAsync`, which needs no [peer access](crate::peer). The context of device
/// memory or an array is that of its home stream. Within a context, a copy of one slice, which is the first one of
/// device memory and arrays, calls `cuMemcpy2DAsync`. Other copies call `cuMemcpy3DAsync`.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
///
/// // The first column of every slice: a volume of 3 rows of 4 bytes, in 2 slices.
/// let volume: Vec<u8> = (0..24).collect();
/// let volume = DeviceBuf::from_host(&stream, &volume)?;
/// let from = CopySource::device(volume.as_slice()).pitch(4).height(3);
/// let mut columns = [0_u8; 6];
/// Memcpy3D::new(CopyDestination::host(&mut columns), from, 1, 3, 2).copy()?;
/// assert_eq!(columns, [0, 4, 8, 12, 16, 20]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is copied before `copy` is called"]
#[doc(alias("CUDA_MEMCPY2D", "CUDA_MEMCPY3D", "CUDA_MEMCPY3D_PEER", "Memcpy2D", "Memcpy3DPeer"))]
pub struct Memcpy3D<'memory> {
    to: CopyDestination<'memory>,
    from: CopySource<'memory>,
    block: Block,
}

/// A checked copy, with its streams and contexts.
pub(super) struct Plan<'memory> {
    to: (SideAddress, Checked),
    from: (SideAddress, Checked),
    block: Block,
    home: &'memory Stream,
    /// The home stream of the source, if it is another stream.
    other: Option<&'memory Stream>,
    /// The contexts of destination and source.
    contexts: (&'memory Context, &'memory Context),
    /// Host memory, from the first byte of the block to its last.
    host: Option<HostRange>,
    /// The memory behind the arrays: destination and source.
    arrays: [Option<ArrayStorage>; 2],
}

impl<'memory> Memcpy3D<'memory> {
    /// Describes a copy of a block: `width_bytes` times `height` rows times `depth` slices.
    pub fn new(
        to: CopyDestination<'memory>,
        from: CopySource<'memory>,
        width_bytes: usize,
        height: usize,
        depth: usize,
    ) -> Self {
        Memcpy3D { to, from, block: Block { width: width_bytes, height, depth } }
    }

    /// Describes a copy of a block of one slice: `width_bytes` times `height` rows.
    pub fn plane(
        to: CopyDestination<'memory>,
        from: CopySource<'memory>,
        width_bytes: usize,
        height: usize,
    ) -> Self {
        Memcpy3D::new(to, from, width_bytes, height, 1)
    }

    /// Copies the block on the destination's home stream, or on the source's home stream if the destination is host memory. The
    /// streams of both sides are ordered with each other. Wraps `cuMemcpy2DAsync`, `cuMemcpy3DAsync` and `cuMemcpy3DPeerAsync`.
    ///
    /// # Blocking
    ///
    /// - With host memory, until everything queued on the stream, and the copy, is done. If another thread is
    ///   unregistering the host memory, the call first waits for that.
    /// - Between devices, while another thread disables access between them.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the numbers do not fit together, both sides are
    ///   host memory, or a side is a [`HostCell`](crate::graph::HostCell).
    /// - The same kind: a side is an array with a [format](crate::array::ArrayFormat) that safe functions refuse.
    /// - The same kind: a side is an array with
    ///   [`DEFERRED_MAPPING`](crate::array::ArrayFlags::DEFERRED_MAPPING), and no memory is known to be
    ///   [mapped](crate::Array::assume_mapped) to it.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): one of the home streams is being captured.
    /// - An earlier failure.
    ///
    /// If waiting fails twice, the process is [aborted](crate::memory#blocking-calls).
    #[doc(alias(
        "cuMemcpy2D",
        "cuMemcpy2DAsync",
        "cuMemcpy3D",
        "cuMemcpy3DAsync",
        "cuMemcpy3DPeer",
        "cuMemcpy3DPeerAsync"
    ))]
    pub fn copy(self) -> Result<()> {
        let Some(plan) = self.plan()? else { return Ok(()) };
        match (plan.host.clone(), plan.other) {
            (Some(host), _) => copy_with_host_ranges(plan.home, &[host], plan.call(), &|| plan.enqueue()),
            (None, Some(other)) => between_streams(plan.home, other, plan.call(), &|| plan.enqueue()),
            (None, None) => {
                // A graph of other code would keep the addresses, but not the memory.
                plan.home.refuse_capture(plan.call())?;
                plan.enqueue()
            }
        }
    }

    /// Queues the copy like [`copy`](Self::copy), but does not wait for a copy with page-locked host memory. Wraps
    /// `cuMemcpy2DAsync`, `cuMemcpy3DAsync` and `cuMemcpy3DPeerAsync`.
    ///
    /// # Blocking
    ///
    /// - With other host memory: a copy to the host, and a large copy to the device, is done when the call returns.
    /// - Between devices, while another thread disables access between them.
    ///
    /// # Errors
    ///
    /// Same as [`copy`](Self::copy), with one exception: if both sides have the same home stream, or one side is host
    /// memory, the stream may be captured. The copy then becomes part of the graph.
    ///
    /// # Safety
    ///
    /// The conditions hold even if the function returns an error, since the copy may be queued nevertheless:
    ///
    /// - Host memory stays valid, and no other code accesses it, until the stream has completed the copy.
    /// - Page-locked host memory stays page-locked until then.
    /// - If the stream is being captured, both hold as long as the graph is used. Device memory and arrays of the copy
    ///   stay allocated as long, too.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4])?;
    /// let mut corner = [0_u8; 2];
    /// let from = CopySource::device(numbers.as_slice()).pitch(2);
    /// let copy = Memcpy3D::plane(CopyDestination::host(&mut corner), from, 1, 2);
    /// // SAFETY: `corner` is not touched before the stream has been waited for.
    /// unsafe { copy.copy_unchecked() }?;
    /// stream.synchronize()?;
    /// assert_eq!(corner, [1, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias(
        "cuMemcpy2DAsync",
        "cuMemcpy3DAsync",
        "cuMemcpy3DPeerAsync",
        "cuMemcpyHtoAAsync",
        "cuMemcpyAtoHAsync"
    ))]
    pub unsafe fn copy_unchecked(self) -> Result<()> {
        let Some(plan) = self.plan()? else { return Ok(()) };
        match plan.other {
            Some(other) => between_streams(plan.home, other, plan.call(), &|| plan.enqueue()),
            None => plan.enqueue(),
        }
    }

    /// Queues the copy on the stream of a capture. First calls `keep`, which makes the graph keep
    /// the memory alive, with the destination and the source, in this order, and their home
    /// streams. Refuses host memory, and memory of another context.
    pub(crate) fn record(
        self,
        stream: &Stream,
        keep: &mut dyn FnMut([SideMemory<'_>; 2]) -> Result<()>,
    ) -> Result<()> {
        let (to, from) = (self.to.side, self.from.side);
        let Some(plan) = self.plan()? else { return Ok(()) };
        let call = plan.call();
        if plan.host.is_some() {
            let text = "a side is borrowed host memory, which later launches cannot use; \
                        add the copy to a graph as a node with a `HostCell`";
            return Err(Error::invalid_for(call, format_args!("{text}")));
        }
        if plan.contexts.0 != plan.contexts.1 || plan.contexts.0 != stream.context() {
            let other =
                [plan.contexts.0, plan.contexts.1].into_iter().find(|context| *context != stream.context());
            let memory = other.unwrap_or(plan.contexts.0);
            return Err(different_contexts(
                call,
                [("the memory", memory), ("the capture", stream.context())],
            ));
        }
        let sides = [side_memory(&to, plan.to, plan.block), side_memory(&from, plan.from, plan.block)];
        keep(sides.map(|side| SideMemory { home: side.home.or(Some(plan.home)), ..side }))?;
        plan.enqueue_on(stream.raw())
    }

    /// Copies one slice with rows of any pitch. Some devices may require the pitch of a [`PitchedBuf`](crate::memory::PitchedBuf)
    /// for [`copy`](Self::copy); present devices accept any pitch in both functions. Wraps `cuMemcpy2DUnaligned`.
    ///
    /// # Blocking
    ///
    /// With host memory, until everything queued on the home stream, and the copy, is done. If another thread is
    /// unregistering the host memory, the call first waits for that. The copy runs on the context's legacy stream: it
    /// waits for blocking streams, and they wait for it.
    ///
    /// # Errors
    ///
    /// - Same as [`copy`](Self::copy).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are several slices, the block does
    ///   not begin in the first slice of both sides, or the contexts differ.
    /// - [`Code::StreamCaptureImplicit`](crate::error::Code::StreamCaptureImplicit): a blocking stream of the context
    ///   is being captured. The failure may invalidate the capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4, 5, 6])?;
    /// let mut column = DeviceBuf::<u8>::zeroed(&stream, 2)?;
    /// let from = CopySource::device(numbers.as_slice()).pitch(3);
    /// Memcpy3D::plane(CopyDestination::device(column.as_slice_mut()), from, 1, 2).copy_unaligned()?;
    /// assert_eq!(column.to_vec()?, [1, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpy2DUnaligned")]
    pub fn copy_unaligned(self) -> Result<()> {
        const CALL: Symbol = Symbol::cuMemcpy2DUnaligned_v2;
        self.plane_only()?;
        let Some(plan) = self.plan()? else { return Ok(()) };
        if plan.contexts.0 != plan.contexts.1 {
            return Err(different_contexts(
                CALL,
                [("the destination", plan.contexts.0), ("the source", plan.contexts.1)],
            ));
        }
        let legacy = Stream::legacy(plan.home.context());
        let unaligned = || {
            let _bound = legacy.context().bind(CALL)?;
            let copy = plan.two_dimensional();
            // SAFETY: both sides are valid, and were checked to hold the block; the context is current. This call runs on the
            // legacy stream, which is ordered with the streams of the memory. If one side is host memory, the call waits for the
            // legacy stream.
            unsafe { check!(cuMemcpy2DUnaligned_v2(&raw const copy)) }
        };
        let after = |stream: &Stream, copy: &dyn Fn() -> Result<()>| {
            if *stream == legacy { copy() } else { between_streams(&legacy, stream, CALL, copy) }
        };
        let ordered = || match plan.other {
            Some(other) => after(plan.home, &|| after(other, &unaligned)),
            None => after(plan.home, &unaligned),
        };
        match plan.host.clone() {
            Some(host) => copy_with_host_ranges(&legacy, &[host], CALL, &ordered),
            None => ordered(),
        }
    }

    /// Checks that the copy is of one slice, the first.
    fn plane_only(&self) -> Result<()> {
        let numbers = [
            ("block", "depth", self.block.depth, 1),
            ("source", "z", self.from.side.geometry.at[2], 0),
            ("destination", "z", self.to.side.geometry.at[2], 0),
        ];
        for (side, name, value, most) in numbers {
            if value > most {
                return Err(Error::beyond(side, name, value, Limit::AtMost(most)));
            }
        }
        Ok(())
    }

    /// Returns the copy for a stream, unless it is empty.
    pub(super) fn plan(&self) -> Result<Option<Plan<'memory>>> {
        for owner in [self.to.side.owner, self.from.side.owner] {
            if matches!(owner, SideOwner::Graph(_)) {
                let text =
                    "a side is a `HostCell`, which only graphs copy; add the copy to a graph as a node";
                return Err(Error::invalid("copy", format_args!("{text}")));
            }
        }
        self.plan_of_any()
    }

    /// Returns the copy, unless it is empty.
    fn plan_of_any(&self) -> Result<Option<Plan<'memory>>> {
        let (to, from, block) = (&self.to.side, &self.from.side, self.block);
        if block.is_empty() {
            return Ok(None);
        }
        let host_only = || {
            let text =
                "both sides are host memory; name device memory or an array, or copy with `copy_from_slice`";
            Error::invalid("copy", format_args!("{text}"))
        };
        let home = to.stream.or(from.stream).ok_or_else(host_only)?;
        let of = |side: &Side<'memory>| side.stream.unwrap_or(home).context();
        let contexts = (of(to), of(from));
        let device = home.context().device();
        let most = device.attribute(DeviceAttribute::MAX_PITCH)?;
        let most_pitch = usize::try_from(most).unwrap_or(0);
        let from_at = from.checked(["source", "source array"], block, most_pitch)?;
        let to_at = to.checked(["destination", "destination array"], block, most_pitch)?;
        let host = to.place.host_range(to_at, block).or(from.place.host_range(from_at, block));
        let from_at = from.place.at_first_byte(from_at, &host);
        let to_at = to.place.at_first_byte(to_at, &host);
        Ok(Some(Plan {
            from: from_at,
            to: to_at,
            block,
            home,
            other: from.stream.filter(|other| *other != home),
            contexts,
            host,
            arrays: [to.owner.array_storage(), from.owner.array_storage()],
        }))
    }
}

impl<'memory> Plan<'memory> {
    /// Returns the host memory of the copy, from the first byte of the block to its last.
    pub(super) fn host(&self) -> Option<HostRange> {
        self.host.clone()
    }

    /// Returns the memory behind the arrays of the destination and of the source.
    pub(super) fn arrays(&self) -> [Option<ArrayStorage>; 2] {
        self.arrays
    }

    /// Returns the stream on which the copy runs, and the stream of the source if it is another one.
    pub(super) fn streams(&self) -> (&'memory Stream, Option<&'memory Stream>) {
        (self.home, self.other)
    }

    /// Returns the function that [`enqueue`](Plan::enqueue) calls.
    fn call(&self) -> Symbol {
        if self.contexts.0 != self.contexts.1 {
            Symbol::cuMemcpy3DPeerAsync
        } else if self.is_two_dimensional() {
            Symbol::cuMemcpy2DAsync_v2
        } else {
            Symbol::cuMemcpy3DAsync_v2
        }
    }

    fn is_two_dimensional(&self) -> bool {
        self.block.depth == 1 && self.to.1.at[2] == 0 && self.from.1.at[2] == 0
    }

    /// Enqueues the copy itself, on the home stream.
    pub(super) fn enqueue(&self) -> Result<()> {
        self.enqueue_on(self.home.raw())
    }

    /// Enqueues the copy on a stream of the home's context.
    fn enqueue_on(&self, stream: CUstream) -> Result<()> {
        let _bound = self.home.context().bind_inline(self.call())?;
        if self.contexts.0 != self.contexts.1 {
            let copy = self.between_contexts();
            // SAFETY: both sides are valid in the contexts that are named with them, and were checked to hold the block. The
            // destination is borrowed mutably. Both sides live on this stream or are ordered with it, and the callers keep host
            // memory.
            return unsafe { inline_check!(cuMemcpy3DPeerAsync(&raw const copy, stream)) };
        }
        if self.is_two_dimensional() {
            let copy = self.two_dimensional();
            // SAFETY: as above, in one context.
            return unsafe { inline_check!(cuMemcpy2DAsync_v2(&raw const copy, stream)) };
        }
        let copy = self.three_dimensional();
        // SAFETY: as above, in one context.
        unsafe { inline_check!(cuMemcpy3DAsync_v2(&raw const copy, stream)) }
    }

    /// Returns the parameters of a copy of one slice, which is the first slice of both sides. A
    /// pointer to host memory already points at the block.
    fn two_dimensional(&self) -> CUDA_MEMCPY2D {
        let ((to, to_at), (from, from_at)) = (self.to, self.from);
        CUDA_MEMCPY2D {
            srcXInBytes: from_at.at[0],
            srcY: from_at.at[1],
            srcMemoryType: from.kind(),
            srcHost: from.host(),
            srcDevice: from.device(),
            srcArray: from.array(),
            srcPitch: from_at.pitch,
            dstXInBytes: to_at.at[0],
            dstY: to_at.at[1],
            dstMemoryType: to.kind(),
            dstHost: to.host(),
            dstDevice: to.device(),
            dstArray: to.array(),
            dstPitch: to_at.pitch,
            WidthInBytes: self.block.width,
            Height: self.block.height,
        }
    }

    fn three_dimensional(&self) -> CUDA_MEMCPY3D {
        let ((to, to_at), (from, from_at)) = (self.to, self.from);
        CUDA_MEMCPY3D {
            srcXInBytes: from_at.at[0],
            srcY: from_at.at[1],
            srcZ: from_at.at[2],
            srcMemoryType: from.kind(),
            srcHost: from.host(),
            srcDevice: from.device(),
            srcArray: from.array(),
            srcPitch: from_at.pitch,
            srcHeight: from_at.height,
            dstXInBytes: to_at.at[0],
            dstY: to_at.at[1],
            dstZ: to_at.at[2],
            dstMemoryType: to.kind(),
            dstHost: to.host(),
            dstDevice: to.device(),
            dstArray: to.array(),
            dstPitch: to_at.pitch,
            dstHeight: to_at.height,
            WidthInBytes: self.block.width,
            Height: self.block.height,
            Depth: self.block.depth,
            ..CUDA_MEMCPY3D::default()
        }
    }

    fn between_contexts(&self) -> CUDA_MEMCPY3D_PEER {
        let ((to, to_at), (from, from_at)) = (self.to, self.from);
        CUDA_MEMCPY3D_PEER {
            srcXInBytes: from_at.at[0],
            srcY: from_at.at[1],
            srcZ: from_at.at[2],
            srcMemoryType: from.kind(),
            srcHost: from.host(),
            srcDevice: from.device(),
            srcArray: from.array(),
            srcContext: self.contexts.1.as_raw(),
            srcPitch: from_at.pitch,
            srcHeight: from_at.height,
            dstXInBytes: to_at.at[0],
            dstY: to_at.at[1],
            dstZ: to_at.at[2],
            dstMemoryType: to.kind(),
            dstHost: to.host(),
            dstDevice: to.device(),
            dstArray: to.array(),
            dstContext: self.contexts.0.as_raw(),
            dstPitch: to_at.pitch,
            dstHeight: to_at.height,
            WidthInBytes: self.block.width,
            Height: self.block.height,
            Depth: self.block.depth,
            ..CUDA_MEMCPY3D_PEER::default()
        }
    }
}
