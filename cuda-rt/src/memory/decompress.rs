//! Decompression by the device's decompression engine.

#![allow(unsafe_code)]

use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::{Code, Error, OrDetail, Result};
use crate::stream::Stream;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use cuda_sys::{CUmemDecompressAlgorithm_enum as C, CUmemDecompressParams, Symbol};

/// An algorithm of the decompression engine: any number that some driver knows.
///
/// The [attribute](crate::device::DeviceAttribute::MEM_DECOMPRESS_ALGORITHM_MASK) of a device has the bits of all
/// algorithms that the device supports. It is 0 on devices without an engine.
///
/// ```
/// # let (context, _) = cuda_doc::stream()?;
/// use cuda_rt::device::DeviceAttribute;
/// use cuda_rt::memory::DecompressAlgorithm;
///
/// let supported = context.device().attribute(DeviceAttribute::MEM_DECOMPRESS_ALGORITHM_MASK).unwrap_or(0);
/// let has_lz4 = supported as u32 & DecompressAlgorithm::LZ4.0 != 0;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmemDecompressAlgorithm")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DecompressAlgorithm(pub u32);

impl DecompressAlgorithm {
    /// Deflate (RFC 1951).
    #[doc(alias = "CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE")]
    pub const DEFLATE: Self = Self(C::CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE.0);
    /// Snappy.
    #[doc(alias = "CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY")]
    pub const SNAPPY: Self = Self(C::CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY.0);
    /// LZ4, a block without a frame.
    #[doc(alias = "CU_MEM_DECOMPRESS_ALGORITHM_LZ4")]
    pub const LZ4: Self = Self(C::CU_MEM_DECOMPRESS_ALGORITHM_LZ4.0);
}

/// Pieces of compressed device memory that the device's engine decompresses in one call.
///
/// The pieces are independent: the device may decompress them in any order and at once. The largest number of bytes of
/// one piece is the attribute
/// [`MEM_DECOMPRESS_MAXIMUM_LENGTH`](crate::device::DeviceAttribute::MEM_DECOMPRESS_MAXIMUM_LENGTH). The home stream of
/// all memory must be the stream on which the batch is queued. Since CUDA 12.6; not run on hardware with an engine.
///
/// # Memory
///
/// The engine uses only memory for which [`IS_HW_DECOMPRESS_CAPABLE`](crate::memory::PointerAttribute::IS_HW_DECOMPRESS_CAPABLE)
/// is not 0. The following allocations have such memory:
///
/// - [plain](crate::memory::MemorySource::Plain) memory;
/// - physical memory that other code makes with `CU_MEM_CREATE_USAGE_HW_DECOMPRESS`, for
///   [`PhysicalMemory::from_raw`](super::PhysicalMemory::from_raw);
/// - memory pools that other code makes with `CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS`, for
///   [`MemPool::from_raw`](super::MemPool::from_raw).
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{DecompressAlgorithm, DecompressBatch, MemorySource};
///
/// // One token of LZ4: three literal bytes.
/// let packed = DeviceBuf::from_host_in(&stream, &[0x30_u8, 1, 2, 3], MemorySource::Plain)?;
/// let mut bytes = DeviceBuf::<u8>::zeroed_in(&stream, 3, MemorySource::Plain)?;
/// let mut written = DeviceBuf::<u32>::zeroed_in(&stream, 1, MemorySource::Plain)?;
/// let mut batch = DecompressBatch::new();
/// batch.add(DecompressAlgorithm::LZ4, packed.as_slice(), bytes.as_slice_mut(), written.as_slice_mut())?;
/// // SAFETY: the data is a complete block of LZ4, of three bytes, and all memory is plain.
/// match unsafe { batch.decompress(&stream) } {
///     Ok(()) => assert_eq!((bytes.to_vec()?, written.to_vec()?), (vec![1, 2, 3], vec![3])),
///     Err(no_engine) => println!("{no_engine}"),
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[must_use = "nothing is decompressed before `decompress` is called"]
#[derive(Default)]
#[doc(alias = "cuMemBatchDecompressAsync")]
pub struct DecompressBatch<'memory> {
    pieces: Vec<CUmemDecompressParams>,
    streams: Vec<[&'memory Stream; 3]>,
    _memory: PhantomData<&'memory mut [u8]>,
}

impl<'memory> DecompressBatch<'memory> {
    /// Makes an empty batch.
    pub fn new() -> Self {
        DecompressBatch::default()
    }

    /// Adds a piece: compressed bytes, memory for the decompressed bytes, and a number that receives their count.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `written` does not have exactly one element, or `from` is
    /// empty.
    #[doc(alias = "CUmemDecompressParams")]
    pub fn add(
        &mut self,
        algorithm: DecompressAlgorithm,
        from: DeviceSlice<'memory, u8>,
        to: DeviceSliceMut<'memory, u8>,
        written: DeviceSliceMut<'memory, u32>,
    ) -> Result<&mut Self> {
        super::copy::same_length(Symbol::cuMemBatchDecompressAsync, 1, written.len())?;
        if from.is_empty() {
            return Err(Error::empty("compressed memory"));
        }
        self.pieces.push(CUmemDecompressParams {
            srcNumBytes: from.size_bytes(),
            dstNumBytes: to.size_bytes(),
            dstActBytes: with_exposed_provenance_mut(written.ptr().as_raw() as usize),
            src: with_exposed_provenance(from.ptr().as_raw() as usize),
            dst: with_exposed_provenance_mut(to.ptr().as_raw() as usize),
            algo: C(algorithm.0),
            ..CUmemDecompressParams::default()
        });
        self.streams.push([from.stream(), to.stream(), written.stream()]);
        Ok(self)
    }

    /// Queues the decompression of all pieces on the stream. Does not wait. Wraps `cuMemBatchDecompressAsync`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the home stream of some of the memory is another stream.
    /// - [`Code::NotSupported`]: the device has no engine.
    /// - [`Code::InvalidValue`]: the device lacks the algorithm. Drivers also return this code for memory that the engine cannot
    ///   use, as far as they notice.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.6.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - The compressed bytes of each piece are complete data of its algorithm.
    /// - They decompress to no more bytes than the destination has: the driver takes the size of the destination as a hint.
    /// - The decompression engine can use all memory of the batch: see [*Memory*](DecompressBatch#memory).
    #[doc(alias = "cuMemBatchDecompressAsync")]
    pub unsafe fn decompress(mut self, stream: &Stream) -> Result<()> {
        const CALL: Symbol = Symbol::cuMemBatchDecompressAsync;
        const NO_FLAGS: u32 = 0;
        /// The index that means that no piece caused the failure.
        const NONE: usize = usize::MAX;
        let lives_elsewhere = |homes: &[&Stream; 3]| homes.iter().any(|home| *home != stream);
        if let Some(index) = self.streams.iter().position(lives_elsewhere) {
            return Err(Error::invalid_for(
                CALL,
                format_args!(
                    "memory of piece {index} lives on another stream; use one batch for each stream"
                ),
            ));
        }
        if self.pieces.is_empty() {
            return Ok(());
        }
        // A graph of other code would use the addresses without keeping the memory alive.
        stream.refuse_capture(CALL)?;
        let (pieces, count) = (self.pieces.as_mut_ptr(), self.pieces.len());
        let mut failed = NONE;
        let index = &raw mut failed;
        let _bound = stream.context().bind(CALL)?;
        // SAFETY: there are `count` pieces. Their memory is valid for as many bytes, and lives on this stream. The written memory is
        // borrowed mutably. Its size, and the engine's use of all memory, are the caller's promise. `index` is valid for a write. The
        // context is current.
        let queued =
            unsafe { check!(cuMemBatchDecompressAsync(pieces, count, NO_FLAGS, index, stream.raw())) };
        match failed {
            NONE => {
                queued.or_detail(&[Code::NotSupported], &|| "the device has no decompression engine".into())
            }
            index => queued.or_detail(&[Code::InvalidValue], &|| format!("piece {index}")),
        }
    }
}

impl fmt::Debug for DecompressBatch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DecompressBatch").field("pieces", &self.pieces.len()).finish_non_exhaustive()
    }
}
