//! Calls that record nodes.

#![allow(unsafe_code)]

use super::memory::GraphMem;
use super::operand::{CaptureDestination, CaptureSource, refuse_overlap};
use super::{Capture, Recording};
use crate::context::retry_once;
use crate::error::{Code, Error, OrDetail, Result};
use crate::event::Event;
use crate::external::{RawSemaphores, SemaphoreSignal, SemaphoreWait, raw_signals, raw_waits};
use crate::graph::access_order::Touched;
use crate::graph::host_cell::HostCell;
use crate::graph::host_node::{HostNode, run};
use crate::graph::keep::{Keep, Kept};
use crate::graph::nodes::{MEMORY_NODES, touched, touched_by};
use crate::handle::report;
use crate::memory::{DevicePtr, Memcpy3D, PageLocked, Rows, fill_in_parts};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use cuda_sys::{CUdeviceptr, CUevent_record_flags_enum, CUevent_wait_flags_enum, CUstream, Symbol};
use std::sync::Arc;

impl<'c> Capture<'c> {
    /// Records a copy on the device. Makes one node, or none if there are no bytes. Wraps `cuMemcpyDtoDAsync`.
    ///
    /// The graph keeps both buffers alive.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ, memory is of another
    ///   context or another graph, no graph can keep it, or both sides overlap.
    /// - A failure of the capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{CaptureOptions, Graph};
    ///
    /// let from = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// let mut to = DeviceBuf::<i32>::zeroed(&stream, 3)?;
    /// let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| capture.copy(&mut to, &from))?;
    /// drop(from); // the graph keeps the memory alive
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!(to.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyDtoDAsync")]
    pub fn copy<T: Copy>(
        &self,
        destination: impl CaptureDestination<T>,
        source: impl CaptureSource<T>,
    ) -> Result<()> {
        const CALL: Symbol = Symbol::cuMemcpyDtoDAsync_v2;
        let (to, from) = (destination.region(), source.region());
        if to.len != from.len {
            return Err(Error::length_mismatch_for(CALL, from.len, to.len));
        }
        let bytes = to.len * size_of::<T>();
        if bytes == 0 {
            return Ok(());
        }
        refuse_overlap(CALL, to.address, from.address, bytes)?;
        let kept = [
            to.kept(CALL, &self.stream, self.recording.tag())?,
            from.kept(CALL, &self.stream, self.recording.tag())?,
        ];
        kept.into_iter().flatten().for_each(|kept| self.recording.keep(kept));
        let copied = self.record(CALL, |stream| {
            // SAFETY: both ranges are allocated, of this size, kept alive by the graph, and do not overlap. Memory of the graph
            // may hold any bytes. Other destinations were borrowed mutably. The stream is live, its context current.
            unsafe { check!(cuMemcpyDtoDAsync_v2(to.address, from.address, bytes, stream)) }
        });
        self.touch(copied, [touched(to.address, bytes, true), touched(from.address, bytes, false)])
    }

    /// Records a copy of a block: rows with a pitch, slices of rows, or parts of arrays, all on the device. Makes one node, or none if
    /// the block has no bytes. Wraps `cuMemcpy2DAsync` and `cuMemcpy3DAsync`.
    ///
    /// The graph keeps both sides alive.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a side is host memory (even that of a
    ///   [`HostCell`]), memory of another context, or memory that no graph can keep.
    /// - Same as [`Memcpy3D::copy`].
    /// - A failure of the capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::graph::{CaptureOptions, Graph};
    /// use cuda_rt::memory::{AccessSize, CopySource, Memcpy3D, PitchedBuf};
    /// use cuda_rt::DeviceBuf;
    ///
    /// let from = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4])?;
    /// let mut to = PitchedBuf::<u8>::uninit(&stream, 2, 2, AccessSize::Four)?;
    /// let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
    ///     let source = CopySource::device(from.as_slice()).pitch(2);
    ///     capture.copy_block(Memcpy3D::plane(to.as_destination(), source, 2, 2))
    /// })?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!(to.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpy2DAsync", "cuMemcpy3DAsync"))]
    pub fn copy_block(&self, copy: Memcpy3D<'_>) -> Result<()> {
        // Two regions of each side at most.
        let mut accesses = [None; 4];
        let recorded = copy.record(&self.stream, &mut |[to, from]| {
            self.recording.keep(Kept::side(to.owner, to.home)?);
            self.recording.keep(Kept::side(from.owner, from.home)?);
            let touched = touched_by(&to, true).chain(touched_by(&from, false));
            accesses.iter_mut().zip(touched).for_each(|(place, touched)| *place = Some(touched));
            Ok(())
        });
        self.touch(self.recording.note(recorded), accesses)
    }

    /// Records a fill with a value. Wraps `cuMemsetD32Async`, and its companions for other sizes.
    ///
    /// A unit of the value has 4, 2 or 1 bytes: the largest size that divides the address and the size of the value. If
    /// all units are equal, the fill makes one node. Otherwise it makes one node for each unit. An empty fill makes no
    /// node.
    ///
    /// The graph keeps the buffer alive.
    ///
    /// # Errors
    ///
    /// Same as [`copy`](Capture::copy).
    #[doc(alias("cuMemsetD8Async", "cuMemsetD16Async", "cuMemsetD32Async", "cuMemsetD2D32Async"))]
    pub fn fill<T: NoUninit>(&self, destination: impl CaptureDestination<T>, value: T) -> Result<()> {
        let to = destination.region();
        if let Some(kept) = to.kept(Symbol::cuMemsetD8Async, &self.stream, self.recording.tag())? {
            self.recording.keep(kept);
        }
        let rows = Rows { address: to.address, pitch: 0, width: to.len, height: 1 };
        // Each driver call makes a node that writes the range.
        let access = touched(to.address, to.len * size_of::<T>(), true);
        let mut note = || self.touch(Ok(()), [access]);
        // SAFETY: the range is allocated, kept by the graph, and was borrowed mutably, or is memory of the graph.
        let filled = unsafe { fill_in_parts(&self.stream, rows, bytemuck::bytes_of(&value), &mut note) };
        self.recording.must_not_fail(self.recording.note(filled))
    }

    /// Records a copy of host memory to the device. Makes one node, or none if there are no bytes. Wraps `cuMemcpyHtoDAsync`.
    ///
    /// The graph keeps the cell and the buffer alive. Each launch copies the cell's content at that time.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the capture has branches, and the driver is
    ///   older than CUDA 11.3.
    /// - Same as [`copy`](Capture::copy).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::{DeviceBuf, PinnedBuf};
    /// use cuda_rt::graph::{CaptureOptions, Graph, HostCell};
    ///
    /// let (input, output) = (HostCell::new(PinnedBuf::<u32>::zeroed(&context, 3)?), HostCell::new(PinnedBuf::<u32>::zeroed(&context, 3)?));
    /// let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 3)?;
    /// let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
    ///     capture.upload(&mut buffer, &input)?;
    ///     capture.download(&output, &buffer)
    /// })?;
    /// let mut program = graph.instantiate(Default::default())?;
    /// for round in 0..3 {
    ///     input.lock()?.fill(round);
    ///     program.launch(&stream)?;
    ///     assert_eq!(*output.lock()?, [round; 3]);
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyHtoDAsync")]
    pub fn upload<T, B>(&self, destination: impl CaptureDestination<T>, source: &HostCell<B>) -> Result<()>
    where
        T: NoUninit,
        B: PageLocked<Element = T> + Send + 'static,
    {
        const CALL: Symbol = Symbol::cuMemcpyHtoDAsync_v2;
        let (to, (from, len)) = (destination.region(), source.place());
        if to.len != len {
            return Err(Error::length_mismatch_for(CALL, len, to.len));
        }
        let bytes = len * size_of::<T>();
        if bytes == 0 {
            return Ok(());
        }
        if let Some(kept) = to.kept(CALL, &self.stream, self.recording.tag())? {
            self.recording.keep(kept);
        }
        self.use_cell(source, touched(to.address, bytes, true), || {
            self.record(CALL, |stream| {
                // SAFETY: the range is allocated, and was borrowed mutably, or is memory of the graph; the host memory is
                // page-locked. The graph keeps both alive, and launches use the host memory exclusively.
                unsafe { check!(cuMemcpyHtoDAsync_v2(to.address, from.as_ptr().cast(), bytes, stream)) }
            })
        })
    }

    /// Records a copy from the device to host memory. Makes one node, or none if there are no bytes. Wraps `cuMemcpyDtoHAsync`.
    ///
    /// The graph keeps the cell and the buffer alive.
    ///
    /// # Errors
    ///
    /// Same as [`upload`](Capture::upload).
    #[doc(alias = "cuMemcpyDtoHAsync")]
    pub fn download<T, B>(&self, destination: &HostCell<B>, source: impl CaptureSource<T>) -> Result<()>
    where
        T: AnyBitPattern,
        B: PageLocked<Element = T> + Send + 'static,
    {
        const CALL: Symbol = Symbol::cuMemcpyDtoHAsync_v2;
        let ((to, len), from) = (destination.place(), source.region());
        if from.len != len {
            return Err(Error::length_mismatch_for(CALL, from.len, len));
        }
        let bytes = len * size_of::<T>();
        if bytes == 0 {
            return Ok(());
        }
        if let Some(kept) = from.kept(CALL, &self.stream, self.recording.tag())? {
            self.recording.keep(kept);
        }
        self.use_cell(destination, touched(from.address, bytes, false), || {
            self.record(CALL, |stream| {
                // SAFETY: the range is allocated; the host memory is page-locked, and any bytes are its elements. The graph keeps
                // both alive, and launches use the host memory exclusively.
                unsafe { check!(cuMemcpyDtoHAsync_v2(to.as_ptr().cast(), from.address, bytes, stream)) }
            })
        })
    }

    /// Records a call of a host function. Makes one node. Wraps `cuLaunchHostFunc`.
    ///
    /// Each launch calls the function once, unless earlier work failed. The [rules](crate::stream#host-functions) of host
    /// functions hold. A panic goes to the [hook](crate::handle::set_drop_hook), and the graph continues. The graph owns the
    /// function. If the function owns an executable graph of this graph, neither is ever dropped.
    ///
    /// # Errors
    ///
    /// A failure of the capture.
    #[doc(alias = "cuLaunchHostFunc")]
    pub fn host(&self, function: impl Fn() + Send + Sync + 'static) -> Result<()> {
        self.host_node(&HostNode::new(function))
    }

    /// Records a call of a host function that gets the elements of a cell. Makes one node. Wraps `cuLaunchHostFunc`.
    ///
    /// Inside a host function, [`HostCell::lock`] is refused: it would wait for the launch that calls the function.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the capture has branches, and the driver is
    ///   older than CUDA 11.3.
    /// - Same as [`host`](Capture::host).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::PinnedBuf;
    /// use cuda_rt::graph::{CaptureOptions, Graph, HostCell};
    ///
    /// let cell = HostCell::new(PinnedBuf::<u32>::zeroed(&context, 1)?);
    /// let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
    ///     capture.host_with(&cell, |elements| elements[0] += 1)
    /// })?;
    /// let mut program = graph.instantiate(Default::default())?;
    /// (0..3).try_for_each(|_| program.launch(&stream))?;
    /// assert_eq!(*cell.lock()?, [3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLaunchHostFunc")]
    pub fn host_with<B>(
        &self,
        cell: &HostCell<B>,
        function: impl Fn(&mut [B::Element]) + Send + Sync + 'static,
    ) -> Result<()>
    where
        B: PageLocked + Send + 'static,
        B::Element: Send,
    {
        // SAFETY: the graph keeps the cell as one that it uses, so that the node uses the elements exclusively.
        let node = unsafe { HostNode::with_cell(cell, function) };
        self.use_cell(cell, None, || self.host_node(&node))
    }

    fn host_node(&self, node: &Arc<HostNode>) -> Result<()> {
        self.recording.keep(Kept::value(Arc::clone(node) as _));
        self.record(Symbol::cuLaunchHostFunc, |stream| {
            // SAFETY: the stream is live, and its context current. The graph keeps the function's data alive, for every launch.
            unsafe { check!(cuLaunchHostFunc(stream, Some(run), HostNode::data(node))) }
        })
    }

    /// Records the accesses of the node that a call has made.
    fn touch<const N: usize>(&self, recorded: Result<()>, accesses: [Option<Touched>; N]) -> Result<()> {
        if accesses.iter().all(Option::is_none) {
            return recorded;
        }
        let node = self.recording.must_not_fail(recorded.and_then(|()| self.node_of_use()))?;
        if let Some(node) = node {
            let accesses = accesses.into_iter().flatten().map(|access| (node, access));
            self.recording.touched.borrow_mut().extend(accesses);
        }
        Ok(())
    }

    /// Records a node that uses a cell, and accesses device memory.
    fn use_cell<B>(
        &self,
        cell: &HostCell<B>,
        access: Option<Touched>,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<()>
    where
        B: PageLocked + Send + 'static,
    {
        let share = cell.share();
        let address = Arc::as_ptr(&share).addr();
        self.refuse_unnamed_use()?;
        self.recording.keep(Kept::cell(share));
        let node = self.recording.must_not_fail(work().and_then(|()| self.node_of_use()))?;
        self.recording.cell_uses.borrow_mut().push((node, address));
        self.recording.touched.borrow_mut().extend(node.zip(access));
        Ok(())
    }

    /// Records an event, which streams outside of the graph can wait for. Makes one node. Wraps `cuEventRecordWithFlags`.
    ///
    /// Each launch records the event again. The graph keeps the event alive.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidHandle`]: the event belongs to another context.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - A failure of the capture.
    #[doc(alias("cuEventRecordWithFlags", "CU_EVENT_RECORD_EXTERNAL"))]
    pub fn record_external(&self, event: &Event) -> Result<()> {
        self.keep(event)?;
        self.record(Symbol::cuEventRecordWithFlags, |stream| {
            let flags = CUevent_record_flags_enum::CU_EVENT_RECORD_EXTERNAL.0;
            // SAFETY: both are live, the context is current, and the graph keeps the event.
            unsafe { check!(cuEventRecordWithFlags(event.raw(), stream, flags)) }
        })
    }

    /// Records a wait for an event that is recorded outside of the graph. Makes one node. Wraps `cuStreamWaitEvent`.
    ///
    /// Each launch waits for the event's mark at that time. The graph keeps the event alive.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - A failure of the capture.
    #[doc(alias("cuStreamWaitEvent", "CU_EVENT_WAIT_EXTERNAL"))]
    pub fn wait_external(&self, event: &Event) -> Result<()> {
        // The flag came with this function. Older drivers would refuse it as a mistake.
        if let Some(missing) = cuda_sys::driver()?.missing(Symbol::cuEventRecordWithFlags) {
            return Err(missing.into());
        }
        self.keep(event)?;
        self.record(Symbol::cuStreamWaitEvent, |stream| {
            let flags = CUevent_wait_flags_enum::CU_EVENT_WAIT_EXTERNAL.0;
            // SAFETY: both are live, the context is current, and the graph keeps the event.
            unsafe { check!(cuStreamWaitEvent(stream, event.raw(), flags)) }
        })
    }

    /// Records a signal of semaphores of other APIs. Makes one node, or none if there are no signals. Wraps
    /// `cuSignalExternalSemaphoresAsync`.
    ///
    /// Each launch signals them. The graph keeps the semaphores alive.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a semaphore is of another context, or an operation is not
    ///   for the kind of its semaphore.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.2.
    /// - A failure of the capture.
    #[doc(alias = "cuSignalExternalSemaphoresAsync")]
    pub fn signal_semaphores(&self, signals: &[SemaphoreSignal]) -> Result<()> {
        const CALL: Symbol = Symbol::cuSignalExternalSemaphoresAsync;
        let batch = raw_signals(signals, CALL, self.context(), "the capture")?;
        self.record_semaphores(CALL, &batch, |stream| {
            let (handles, params) = (batch.handles.as_ptr(), batch.params.as_ptr());
            // SAFETY: the lists have this length. The semaphores are live, of these kinds, and the graph keeps them alive. The
            // stream is live, its context current.
            unsafe { check!(cuSignalExternalSemaphoresAsync(handles, params, batch.count, stream)) }
        })
    }

    /// Records a wait for semaphores of other APIs. Makes one node, or none if there are no waits. Wraps
    /// `cuWaitExternalSemaphoresAsync`.
    ///
    /// Each launch waits for them. The graph keeps the semaphores alive.
    ///
    /// # Errors
    ///
    /// Same as [`signal_semaphores`](Capture::signal_semaphores).
    #[doc(alias = "cuWaitExternalSemaphoresAsync")]
    pub fn wait_semaphores(&self, waits: &[SemaphoreWait]) -> Result<()> {
        const CALL: Symbol = Symbol::cuWaitExternalSemaphoresAsync;
        let batch = raw_waits(waits, CALL, self.context(), "the capture")?;
        self.record_semaphores(CALL, &batch, |stream| {
            let (handles, params) = (batch.handles.as_ptr(), batch.params.as_ptr());
            // SAFETY: as for signals.
            unsafe { check!(cuWaitExternalSemaphoresAsync(handles, params, batch.count, stream)) }
        })
    }

    fn record_semaphores<P>(
        &self,
        call: Symbol,
        batch: &RawSemaphores<P>,
        record: impl FnOnce(CUstream) -> Result<()>,
    ) -> Result<()> {
        // Nodes with semaphores came with this function.
        if let Some(missing) = cuda_sys::driver()?.missing(Symbol::cuGraphAddExternalSemaphoresSignalNode) {
            return Err(missing.into());
        }
        if batch.count == 0 {
            return Ok(());
        }
        batch.kept.iter().for_each(|semaphore| self.recording.keep(Kept::semaphore(semaphore)));
        self.record(call, record)
    }

    /// Keeps an object alive as long as the graph and its executable graphs and clones exist. Makes no node.
    ///
    /// Launches are ordered with the home stream of kept memory: see
    /// [`GraphExec::launch`](crate::graph::GraphExec::launch).
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): no graph can keep the memory, because it is managed memory,
    /// or a slice without a known owner.
    pub fn keep(&self, object: &(impl Keep + ?Sized)) -> Result<()> {
        self.recording.keep(object.kept()?);
        Ok(())
    }

    /// Records an allocation, the nodes of the closure, and the release of the memory. Makes two nodes in addition to those of
    /// the closure. Wraps `cuMemAllocAsync` and `cuMemFreeAsync`.
    ///
    /// The release waits for all nodes that the closure records, including its branches. The graph then allows one executable
    /// graph at a time, no clone, and no use as a child.
    ///
    /// # Errors
    ///
    /// - The error of the closure.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.4.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the memory would have 0 bytes, or its size
    ///   exceeds the address space.
    /// - [`Code::OutOfMemory`].
    /// - A failure of the capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{CaptureOptions, Graph};
    ///
    /// let (from, mut to) = (DeviceBuf::from_host(&stream, &[1, 2, 3])?, DeviceBuf::<i32>::zeroed(&stream, 3)?);
    /// let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
    ///     capture.temporary(3, |capture, memory| {
    ///         capture.copy(memory, &from)?;
    ///         capture.copy(&mut to, memory)
    ///     })
    /// })?;
    /// graph.instantiate(Default::default())?.launch(&stream)?;
    /// assert_eq!(to.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemAllocAsync", "cuMemFreeAsync"))]
    pub fn temporary<T: AnyBitPattern, R>(
        &mut self,
        len: usize,
        work: impl for<'m> FnOnce(&mut Capture<'c>, GraphMem<'m, T>) -> Result<R>,
    ) -> Result<R> {
        // Nodes that allocate came with this function.
        if let Some(missing) = cuda_sys::driver()?.missing(Symbol::cuGraphAddMemAllocNode) {
            return Err(missing.into());
        }
        let element_bytes = size_of::<T>();
        let bytes = len
            .checked_mul(element_bytes)
            .filter(|bytes| isize::try_from(*bytes).is_ok())
            .ok_or_else(|| Error::size_overflow("memory of a graph", len, element_bytes))?;
        if bytes == 0 {
            return Err(Error::empty("memory of a graph"));
        }
        let mut address: CUdeviceptr = 0;
        self.recording.restriction.set(Some(MEMORY_NODES));
        let allocated = self.record(Symbol::cuMemAllocAsync, |stream| {
            // SAFETY: `address` is valid for a write; the stream is live, its context current.
            unsafe { check!(cuMemAllocAsync(&raw mut address, bytes, stream)) }
                .or_detail(&[Code::OutOfMemory], &|| format!("{bytes} bytes"))
        });
        // A call can do its work and then report the failure of earlier work.
        let mut release = Release { recording: self.recording, stream: self.stream.clone(), address };
        allocated?;
        let outcome = work(self, GraphMem::new(DevicePtr::from_raw(address), len, self.recording.tag()));
        let released = release.release();
        outcome.and_then(|outcome| released.map(|()| outcome))
    }
}

/// Records the release of memory of a graph, even after a panic.
struct Release<'c> {
    recording: &'c Recording,
    stream: Stream,
    /// 0 once the release is recorded.
    address: CUdeviceptr,
}

impl Release<'_> {
    fn release(&mut self) -> Result<()> {
        let address = core::mem::take(&mut self.address);
        if address == 0 {
            return Ok(());
        }
        let released = retry_once(|| self.stream.context().bind(Symbol::cuMemFreeAsync)).and_then(|_bound| {
            // SAFETY: the memory was allocated in this capture, on this stream, and is released once.
            unsafe { check!(cuMemFreeAsync(address, self.stream.raw())) }
        });
        // Memory that is never released would refuse the second launch.
        self.recording.must_not_fail(self.recording.note(released))
    }
}

impl Drop for Release<'_> {
    fn drop(&mut self) {
        report(self.release());
    }
}
