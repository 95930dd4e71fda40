//! Many copies in one call.

#![allow(unsafe_code)]

mod attributes;

pub use attributes::MemcpyAttributes;
pub(in crate::memory) use attributes::SOURCE_ORDER;

use super::host_transfer::copy_with_host_ranges;
use super::loan::HostRange;
use super::location::MemLocation;
use super::structured::{ArrayStorage, Memcpy3D, Plan};
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::list::CollectVec;
use crate::stream::Stream;
use crate::text::list;
use bytemuck::{AnyBitPattern, NoUninit};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::{null_mut, with_exposed_provenance, with_exposed_provenance_mut};
use cuda_sys::{CU_STREAM_LEGACY, CUDA_MEMCPY3D_BATCH_OP, CUdeviceptr, CUmemcpyAttributes, CUstream, Symbol};
use std::collections::HashMap;

/// Independent copies, queued by one call. The driver may perform them in any order and at once.
///
/// The home stream of all device memory must be the stream of the batch. Host memory is borrowed until the batch is copied.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::MemcpyBatch;
///
/// let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 4)?;
/// let (low, high) = numbers.as_slice_mut().split_at(2)?;
/// let mut batch = MemcpyBatch::new();
/// batch.from_host(low, &[1, 2])?.from_host(high, &[3, 4])?;
/// batch.copy(&stream)?;
/// assert_eq!(numbers.to_vec()?, [1, 2, 3, 4]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[must_use = "nothing is copied before `copy` is called"]
#[derive(Default)]
#[doc(alias("cuMemcpyBatchAsync", "cuMemcpy3DBatchAsync"))]
pub struct MemcpyBatch<'memory> {
    lines: Vec<Line<'memory>>,
    blocks: Vec<(Plan<'memory>, MemcpyAttributes)>,
    /// The hints for copies that are added from now on.
    attributes: MemcpyAttributes,
    _memory: PhantomData<&'memory mut [u8]>,
}

/// A copy of contiguous bytes.
struct Line<'memory> {
    to: CUdeviceptr,
    from: CUdeviceptr,
    bytes: usize,
    way: Way,
    /// Home streams of the memory: destination and source of a copy on the device.
    streams: (&'memory Stream, Option<&'memory Stream>),
    attributes: MemcpyAttributes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    FromHost,
    ToHost,
    OnDevice,
}

impl Line<'_> {
    /// Returns the host memory of the copy.
    fn host(&self) -> Option<HostRange> {
        let start = match self.way {
            Way::FromHost => self.from as usize,
            Way::ToHost => self.to as usize,
            Way::OnDevice => return None,
        };
        Some(start..start.wrapping_add(self.bytes))
    }

    /// Enqueues the copy alone, on the home stream of its memory. The context is current.
    fn enqueue(&self, raw: CUstream) -> Result<()> {
        let (to, from, bytes) = (self.to, self.from, self.bytes);
        match self.way {
            Way::FromHost => {
                let host = with_exposed_provenance(from as usize);
                // SAFETY: the device memory is borrowed mutably and lives on this stream; the host memory is valid for as many
                // bytes, and the caller keeps it alive.
                unsafe { inline_check!(cuMemcpyHtoDAsync_v2(to, host, bytes, raw)) }
            }
            Way::ToHost => {
                let host = with_exposed_provenance_mut(to as usize);
                // SAFETY: as above, in the other direction.
                unsafe { inline_check!(cuMemcpyDtoHAsync_v2(host, from, bytes, raw)) }
            }
            // SAFETY: both live on this stream; what is written is borrowed mutably.
            Way::OnDevice => unsafe { inline_check!(cuMemcpyDtoDAsync_v2(to, from, bytes, raw)) },
        }
    }
}

impl<'memory> MemcpyBatch<'memory> {
    /// Makes an empty batch.
    pub fn new() -> Self {
        MemcpyBatch::default()
    }

    /// Sets the hints for copies that are added from now on. Copies with host memory have none.
    pub fn attributes(&mut self, attributes: MemcpyAttributes) -> &mut Self {
        self.attributes = attributes;
        self
    }

    fn add(
        &mut self,
        (to, from, bytes): (CUdeviceptr, CUdeviceptr, usize),
        way: Way,
        streams: (&'memory Stream, Option<&'memory Stream>),
    ) {
        // The driver refuses empty copies (measured).
        if bytes > 0 {
            self.lines.push(Line { to, from, bytes, way, streams, attributes: self.attributes });
        }
    }

    /// Adds a copy from host memory of the same length.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    pub fn from_host<T: NoUninit>(
        &mut self,
        to: DeviceSliceMut<'memory, T>,
        from: &'memory [T],
    ) -> Result<&mut Self> {
        super::copy::same_length(Symbol::cuMemcpyBatchAsync_v2, from.len(), to.len())?;
        let ends = (to.ptr().as_raw(), from.as_ptr().expose_provenance() as CUdeviceptr, to.size_bytes());
        self.add(ends, Way::FromHost, (to.stream(), None));
        Ok(self)
    }

    /// Adds a copy to host memory of the same length.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemcpyBatch;
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let (mut first, mut last) = ([0], [0]);
    /// let mut batch = MemcpyBatch::new();
    /// batch.to_host(numbers.slice(..1)?, &mut first)?.to_host(numbers.slice(3..)?, &mut last)?;
    /// batch.copy(&stream)?;
    /// assert_eq!((first, last), ([1], [4]));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn to_host<T: AnyBitPattern>(
        &mut self,
        from: DeviceSlice<'memory, T>,
        to: &'memory mut [T],
    ) -> Result<&mut Self> {
        super::copy::same_length(Symbol::cuMemcpyBatchAsync_v2, from.len(), to.len())?;
        let ends =
            (to.as_mut_ptr().expose_provenance() as CUdeviceptr, from.ptr().as_raw(), from.size_bytes());
        self.add(ends, Way::ToHost, (from.stream(), None));
        Ok(self)
    }

    /// Adds a copy between device memory of the same length.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemcpyBatch;
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1, 2])?;
    /// let mut copied = DeviceBuf::zeroed(&stream, 2)?;
    /// let mut batch = MemcpyBatch::new();
    /// batch.on_device(copied.as_slice_mut(), numbers.as_slice())?;
    /// batch.copy(&stream)?;
    /// assert_eq!(copied.to_vec()?, [1, 2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn on_device<T: Copy>(
        &mut self,
        to: DeviceSliceMut<'memory, T>,
        from: DeviceSlice<'memory, T>,
    ) -> Result<&mut Self> {
        super::copy::same_length(Symbol::cuMemcpyBatchAsync_v2, from.len(), to.len())?;
        let ends = (to.ptr().as_raw(), from.ptr().as_raw(), from.size_bytes());
        self.add(ends, Way::OnDevice, (to.stream(), Some(from.stream())));
        Ok(self)
    }

    /// Adds a copy of a block: rows with pitches, slices of rows, or parts of arrays.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) under the conditions of [`Memcpy3D::copy`].
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    /// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D, MemcpyBatch};
    ///
    /// let pixels = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4])?;
    /// let descriptor = ArrayDescriptor::plane(2, 2, ArrayFormat::UNSIGNED_INT8, 1);
    /// let (first, second) = (Array::new(&stream, descriptor)?, Array::new(&stream, descriptor)?);
    /// let copy = |to| Memcpy3D::plane(CopyDestination::array(to), CopySource::device(pixels.as_slice()), 2, 2);
    /// let mut batch = MemcpyBatch::new();
    /// batch.block(copy(&first))?.block(copy(&second))?;
    /// batch.copy(&stream)?;
    /// assert_eq!(second.to_vec::<u8>()?, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpy3DBatchAsync")]
    pub fn block(&mut self, copy: Memcpy3D<'memory>) -> Result<&mut Self> {
        if let Some(plan) = copy.plan()? {
            self.blocks.push((plan, self.attributes));
        }
        Ok(self)
    }

    /// Queues all copies on the stream.
    ///
    /// | copies on the device | driver function |
    /// |---|---|
    /// | contiguous | `cuMemcpyBatchAsync_v2`, or `cuMemcpyBatchAsync` before CUDA 13.0 |
    /// | one contiguous copy | `cuMemcpyWithAttributesAsync`, since CUDA 13.2; not run on hardware |
    /// | of blocks | `cuMemcpy3DBatchAsync_v2`, or `cuMemcpy3DBatchAsync` before CUDA 13.0 |
    /// | of one block | `cuMemcpy3DWithAttributesAsync`, since CUDA 13.2; not run on hardware |
    ///
    /// The following copies are queued one by one, without hints:
    ///
    /// - Copies with host memory: the driver does not report when a batch is done with its host memory.
    /// - All copies on drivers before CUDA 12.8, and on the legacy stream, which refuses batches.
    /// - Blocks between an array and memory whose pitch is not a multiple of the array's elements.
    /// - Blocks with an array to which one block of the batch writes and which another block uses. The result of dependent copies
    ///   of a batch is undefined. These blocks are queued before the others, in the order in which they were added. Arrays that
    ///   may share memory with others count as the same array: sparse arrays, arrays mapped by the program, arrays on external
    ///   memory, and arrays from raw handles.
    ///
    /// # Blocking
    ///
    /// With host memory, until all work queued on the stream is done, including the copies. If another thread is
    /// unregistering the host memory, the call first waits for that. Otherwise the call does not wait.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the home stream of some of the memory is another stream.
    /// - [`Code::InvalidValue`]: a hint names a device that does not exist.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - An earlier failure.
    ///
    /// If waiting fails twice, the process is [aborted](crate::memory#blocking-calls).
    #[doc(alias(
        "cuMemcpyBatchAsync",
        "cuMemcpyBatchAsync_v2",
        "cuMemcpyWithAttributesAsync",
        "cuMemcpy3DBatchAsync",
        "cuMemcpy3DBatchAsync_v2",
        "cuMemcpy3DWithAttributesAsync"
    ))]
    pub fn copy(self, stream: &Stream) -> Result<()> {
        self.ensure_home(stream)?;
        if self.lines.is_empty() && self.blocks.is_empty() {
            return Ok(());
        }
        let call = self.call();
        let blocks = self.blocks.iter().filter_map(|(plan, _)| plan.host());
        let hosts: Vec<HostRange> = self.lines.iter().filter_map(Line::host).chain(blocks).collect_vec();
        if hosts.is_empty() {
            // A graph of other code would use the addresses without keeping the memory alive.
            stream.refuse_capture(call)?;
            return self.enqueue(stream);
        }
        copy_with_host_ranges(stream, &hosts, call, &|| self.enqueue(stream))
    }

    /// Returns the function that errors name for the batch as a whole.
    fn call(&self) -> Symbol {
        if self.lines.is_empty() { Symbol::cuMemcpy3DBatchAsync_v2 } else { Symbol::cuMemcpyBatchAsync_v2 }
    }

    /// Refuses memory with another home stream.
    fn ensure_home(&self, stream: &Stream) -> Result<()> {
        let lives_elsewhere =
            |(to, from): (&Stream, Option<&Stream>)| to != stream || from.is_some_and(|from| from != stream);
        let refused = |call, kind, index| {
            Err(Error::invalid_for(
                call,
                format_args!("the memory of {kind} {index} lives on another stream; copy it on its own one"),
            ))
        };
        if let Some(index) = self.lines.iter().position(|line| lives_elsewhere(line.streams)) {
            return refused(Symbol::cuMemcpyBatchAsync_v2, "copy", index);
        }
        match self.blocks.iter().position(|(plan, _)| lives_elsewhere(plan.streams())) {
            Some(index) => refused(Symbol::cuMemcpy3DBatchAsync_v2, "block", index),
            None => Ok(()),
        }
    }

    fn enqueue(&self, stream: &Stream) -> Result<()> {
        let _bound = stream.context().bind_inline(self.call())?;
        let driver = cuda_sys::driver()?;
        let raw = stream.raw();
        let has_any = |versions: [Symbol; 2]| versions.into_iter().any(|version| driver.has(version));
        let takes = |versions| raw != CU_STREAM_LEGACY && has_any(versions);
        let in_batch = takes([Symbol::cuMemcpyBatchAsync_v2, Symbol::cuMemcpyBatchAsync]);
        let (together, alone): (Vec<_>, Vec<_>) =
            self.lines.iter().enumerate().partition(|(_, line)| in_batch && line.way == Way::OnDevice);
        alone.into_iter().try_for_each(|(_, line)| line.enqueue(raw))?;
        enqueue_lines(&together, raw)?;
        let in_batch = takes([Symbol::cuMemcpy3DBatchAsync_v2, Symbol::cuMemcpy3DBatchAsync]);
        let uses = ArrayUses::of(&self.blocks);
        let mut together = Vec::with_capacity(self.blocks.len());
        for (plan, attributes) in &self.blocks {
            match plan.batch_operation(*attributes) {
                Some(operation) if in_batch && uses.is_independent(plan) => together.push(operation),
                _ => plan.enqueue()?,
            }
        }
        enqueue_blocks(together, raw).or_detail(&[Code::InvalidValue], &|| {
            let attributes = self.blocks.iter().map(|(_, attributes)| *attributes);
            describe_hints("block", &attributes.enumerate().collect_vec())
        })
    }
}

/// How often the blocks of a batch use and write each array. Buffers are borrowed, arrays are not.
struct ArrayUses {
    by_array: HashMap<ArrayStorage, Uses>,
    all: Uses,
}

#[derive(Clone, Copy, Default)]
struct Uses {
    reads: usize,
    writes: usize,
}

impl Uses {
    fn and(self, other: Uses) -> Uses {
        Uses { reads: self.reads + other.reads, writes: self.writes + other.writes }
    }

    fn depend(self) -> bool {
        self.writes > 0 && self.reads + self.writes > 1
    }
}

impl ArrayUses {
    fn of(blocks: &[(Plan<'_>, MemcpyAttributes)]) -> ArrayUses {
        let mut uses = ArrayUses { by_array: HashMap::new(), all: Uses::default() };
        for (plan, _) in blocks {
            let [to, from] = plan.arrays();
            for (array, side) in [(to, Uses { reads: 0, writes: 1 }), (from, Uses { reads: 1, writes: 0 })] {
                if let Some(array) = array {
                    let of_array = uses.by_array.entry(array).or_default();
                    *of_array = of_array.and(side);
                    uses.all = uses.all.and(side);
                }
            }
        }
        uses
    }

    fn of_array(&self, array: ArrayStorage) -> Uses {
        self.by_array.get(&array).copied().unwrap_or_default()
    }

    /// Returns whether no array of the copy is written by one side of a block and used by another.
    fn is_independent(&self, plan: &Plan<'_>) -> bool {
        let shared = self.of_array(ArrayStorage::SHARED);
        let depends = |array| match array {
            ArrayStorage::SHARED => self.all.depend(),
            array => self.of_array(array).and(shared).depend(),
        };
        !plan.arrays().into_iter().flatten().any(depends)
    }
}

/// Describes the hints of copies that the driver refused: those of devices that are not there, or else all hints.
#[cold]
fn describe_hints(copy: &str, copies: &[(usize, MemcpyAttributes)]) -> String {
    let mut hints = Vec::new();
    for (index, attributes) in copies {
        for (end, hint) in attributes.named_hints() {
            hints.extend(hint.map(|hint| (*index, end, hint)));
        }
    }
    let count = Device::count().unwrap_or(u32::MAX);
    let is_missing = |hint: MemLocation| {
        hint.as_device()
            .is_some_and(|device| u32::try_from(device.as_raw()).map_or(true, |ordinal| ordinal >= count))
    };
    let named =
        |(index, end, hint): &(usize, &str, MemLocation)| format!("{hint} for the {end} of {copy} {index}");
    let missing = list(&hints.iter().filter(|(.., hint)| is_missing(*hint)).map(named).collect_vec());
    if hints.is_empty() {
        format!("no {copy} has hints")
    } else if missing.is_empty() {
        format!("the hints are {}", list(&hints.iter().map(named).collect_vec()))
    } else {
        format!("a hint names a location that is not there: {missing}")
    }
}

/// Enqueues copies on the device by one call, with their indices in the batch. The context of the stream is current.
fn enqueue_lines(lines: &[(usize, &Line<'_>)], stream: CUstream) -> Result<()> {
    let driver = cuda_sys::driver()?;
    let refused = || {
        let attributes = lines.iter().map(|(index, line)| (*index, line.attributes));
        describe_hints("copy", &attributes.collect_vec())
    };
    if let ([(_, line)], true) = (lines, driver.has(Symbol::cuMemcpyWithAttributesAsync)) {
        let (to, from, bytes) = (line.to, line.from, line.bytes);
        let mut raw = line.attributes.as_raw();
        let raw = &raw mut raw;
        // SAFETY: both are device memory that is valid for as many bytes and lives on this stream; what is written is
        // borrowed mutably.
        return unsafe { check!(cuMemcpyWithAttributesAsync(to, from, bytes, raw, stream)) }
            .or_detail(&[Code::InvalidValue], &refused);
    }
    if lines.is_empty() {
        return Ok(());
    }
    let mut to: Vec<CUdeviceptr> = lines.iter().map(|(_, line)| line.to).collect_vec();
    let mut from: Vec<CUdeviceptr> = lines.iter().map(|(_, line)| line.from).collect_vec();
    let mut bytes: Vec<usize> = lines.iter().map(|(_, line)| line.bytes).collect_vec();
    // Attributes hold from the copy with the index on.
    let mut attributes: Vec<CUmemcpyAttributes> = Vec::new();
    let mut firsts: Vec<usize> = Vec::new();
    let mut last = None;
    for (index, (_, line)) in lines.iter().enumerate() {
        if last != Some(line.attributes) {
            last = Some(line.attributes);
            attributes.push(line.attributes.as_raw());
            firsts.push(index);
        }
    }
    let (count, kinds) = (bytes.len(), attributes.len());
    let (to, from, bytes) = (to.as_mut_ptr(), from.as_mut_ptr(), bytes.as_mut_ptr());
    let (attributes, firsts) = (attributes.as_mut_ptr(), firsts.as_mut_ptr());
    let queued = if driver.has(Symbol::cuMemcpyBatchAsync_v2) {
        // SAFETY: each list has `count` or `kinds` entries; device memory is valid for as many bytes and lives on this
        // stream; what is written is borrowed mutably.
        unsafe { check!(cuMemcpyBatchAsync_v2(to, from, bytes, count, attributes, firsts, kinds, stream)) }
    } else {
        let mut failed = 0;
        let failed = &raw mut failed;
        // SAFETY: as above; `failed` is valid for a write.
        unsafe {
            check!(cuMemcpyBatchAsync(to, from, bytes, count, attributes, firsts, kinds, failed, stream))
        }
    };
    queued.or_detail(&[Code::InvalidValue], &refused)
}

/// Enqueues copies of blocks by one call. The context of the stream is current.
fn enqueue_blocks(mut operations: Vec<CUDA_MEMCPY3D_BATCH_OP>, stream: CUstream) -> Result<()> {
    const NO_FLAGS: u64 = 0;
    let driver = cuda_sys::driver()?;
    let (count, list) = (operations.len(), operations.as_mut_ptr());
    match count {
        0 => Ok(()),
        1 if driver.has(Symbol::cuMemcpy3DWithAttributesAsync) => {
            // SAFETY: there is one operation; its sides were checked to hold the block, and live on this stream; what is
            // written is borrowed mutably.
            unsafe { check!(cuMemcpy3DWithAttributesAsync(list, NO_FLAGS, stream)) }
        }
        _ if driver.has(Symbol::cuMemcpy3DBatchAsync_v2) => {
            // SAFETY: as above, of `count` operations.
            unsafe { check!(cuMemcpy3DBatchAsync_v2(count, list, NO_FLAGS, stream)) }
        }
        // SAFETY: as above; the driver writes no index of a failed copy.
        _ => unsafe { check!(cuMemcpy3DBatchAsync(count, list, null_mut(), NO_FLAGS, stream)) },
    }
}

impl fmt::Debug for MemcpyBatch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MemcpyBatch")
            .field("copies", &self.lines.len())
            .field("blocks", &self.blocks.len())
            .finish_non_exhaustive()
    }
}
