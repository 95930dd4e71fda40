//! Words of device memory that streams write and wait for, without kernels.

#![allow(unsafe_code)]

use super::pointer::DevicePtr;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::KeepSlot;
use crate::stream::{Stream, call_on};
use cuda_sys::{
    CUdeviceptr, CUstream, CUstreamAtomicReductionDataType_enum as CWord,
    CUstreamAtomicReductionOpType_enum as CReduction, CUstreamBatchMemOpParams,
    CUstreamBatchMemOpType_enum as Op, CUstreamMemOpAtomicReductionParams_st as ReductionParams,
    CUstreamMemOpFlushRemoteWritesParams_st as FlushParams,
    CUstreamMemOpMemoryBarrierParams_st as BarrierParams, CUstreamMemOpWaitValueParams_st as WaitParams,
    CUstreamMemOpWaitValueParams_st__bindgen_ty_1 as WaitWord,
    CUstreamMemOpWriteValueParams_st as WriteParams,
    CUstreamMemOpWriteValueParams_st__bindgen_ty_1 as WriteWord,
    CUstreamMemoryBarrier_flags_enum as CBarrier, CUstreamWaitValue_flags_enum as CWait,
    CUstreamWriteValue_flags_enum as CWrite, Symbol,
};

flags! {
    /// Flags of the write of a word by a stream: see [`Stream::write_value`].
    ///
    /// ```
    /// use cuda_rt::memory::WriteValueFlags;
    ///
    /// assert_eq!(WriteValueFlags::default(), WriteValueFlags::DEFAULT);
    /// ```
    #[doc(alias = "CUstreamWriteValue_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct WriteValueFlags {
        /// No flag: the writes of earlier work are visible before the word is.
        #[doc(alias = "CU_STREAM_WRITE_VALUE_DEFAULT")]
        const DEFAULT = CWrite::CU_STREAM_WRITE_VALUE_DEFAULT.0;
        /// No barrier: the word may be visible before the writes of earlier work. Drivers from CUDA 11.7 on
        /// refuse the flag with [`Code::InvalidValue`].
        #[doc(alias = "CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER")]
        const NO_MEMORY_BARRIER = CWrite::CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

/// The condition for which a stream waits: see [`Stream::wait_value`].
///
/// ```
/// use cuda_rt::memory::Until;
///
/// let until = Until::at_least(7_u32).with_flush();
/// ```
#[doc(alias = "CUstreamWaitValue_flags")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Until<T> {
    value: T,
    flags: u32,
}

impl<T: StreamWord> Until<T> {
    /// Waits until the word is `value` or greater, in cyclic order: `word - value` is not negative as a signed number.
    #[doc(alias = "CU_STREAM_WAIT_VALUE_GEQ")]
    pub fn at_least(value: T) -> Until<T> {
        Until { value, flags: CWait::CU_STREAM_WAIT_VALUE_GEQ.0 }
    }

    /// Waits until the word is `value`.
    #[doc(alias = "CU_STREAM_WAIT_VALUE_EQ")]
    pub fn equal(value: T) -> Until<T> {
        Until { value, flags: CWait::CU_STREAM_WAIT_VALUE_EQ.0 }
    }

    /// Waits until the word has a bit of `value`: `word & value` is not 0.
    #[doc(alias = "CU_STREAM_WAIT_VALUE_AND")]
    pub fn any_bit(value: T) -> Until<T> {
        Until { value, flags: CWait::CU_STREAM_WAIT_VALUE_AND.0 }
    }

    /// Waits until some bit is in neither the word nor `value`: `!(word | value)` is not 0. The device must support the
    /// condition: see [`CAN_USE_STREAM_WAIT_VALUE_NOR`](crate::device::DeviceAttribute::CAN_USE_STREAM_WAIT_VALUE_NOR).
    #[doc(alias = "CU_STREAM_WAIT_VALUE_NOR")]
    pub fn nor(value: T) -> Until<T> {
        Until { value, flags: CWait::CU_STREAM_WAIT_VALUE_NOR.0 }
    }

    /// Flushes writes of other devices after the wait, so that later work sees them. The device must support it: see
    /// [`CAN_FLUSH_REMOTE_WRITES`](crate::device::DeviceAttribute::CAN_FLUSH_REMOTE_WRITES).
    #[doc(alias = "CU_STREAM_WAIT_VALUE_FLUSH")]
    #[must_use]
    pub fn with_flush(self) -> Until<T> {
        Until { flags: self.flags | CWait::CU_STREAM_WAIT_VALUE_FLUSH.0, ..self }
    }
}

/// Words that streams write and wait for: `u32` and `u64`.
///
/// Other types cannot implement it.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::{DeviceBuf, Result, Stream};
/// use cuda_rt::memory::StreamWord;
///
/// fn word<T: StreamWord>(stream: &Stream) -> Result<DeviceBuf<T>> {
///     DeviceBuf::zeroed(stream, 1)
/// }
///
/// let word = word::<u64>(&stream)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub trait StreamWord: sealed::Word + bytemuck::Pod {}

mod sealed {
    use super::{CUdeviceptr, CUstream, CWord, Op, Result, Symbol};

    pub trait Word {
        /// The newest functions that write and wait.
        const CALLS: (Symbol, Symbol);
        /// The numbers of both in a batch.
        const OPERATIONS: (Op, Op);
        const REDUCED: CWord;

        /// # Safety
        ///
        /// The stream is live. The word is valid for the write when its turn comes.
        unsafe fn write(self, stream: CUstream, at: CUdeviceptr, flags: u32) -> Result<()>;

        /// # Safety
        ///
        /// The stream is live. The word is valid for reads until the wait has ended.
        unsafe fn wait(self, stream: CUstream, at: CUdeviceptr, flags: u32) -> Result<()>;

        fn bits(self) -> u64;
    }
}

macro_rules! word {
    ($type:ident: $write:ident $old_write:ident $wait:ident $old_wait:ident $write_op:ident $wait_op:ident $reduced:ident) => {
        impl sealed::Word for $type {
            const CALLS: (Symbol, Symbol) = (Symbol::$write, Symbol::$wait);
            const OPERATIONS: (Op, Op) = (Op::$write_op, Op::$wait_op);
            const REDUCED: CWord = CWord::$reduced;

            unsafe fn write(self, stream: CUstream, at: CUdeviceptr, flags: u32) -> Result<()> {
                if cuda_sys::driver()?.has(Symbol::$write) {
                    // SAFETY: the caller's promise.
                    unsafe { check!($write(stream, at, self, flags)) }
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { check!($old_write(stream, at, self, flags)) }
                }
            }

            unsafe fn wait(self, stream: CUstream, at: CUdeviceptr, flags: u32) -> Result<()> {
                if cuda_sys::driver()?.has(Symbol::$wait) {
                    // SAFETY: the caller's promise.
                    unsafe { check!($wait(stream, at, self, flags)) }
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { check!($old_wait(stream, at, self, flags)) }
                }
            }

            #[allow(clippy::useless_conversion)] // for one of the two types
            fn bits(self) -> u64 {
                u64::from(self)
            }
        }
    };
}
impl StreamWord for u32 {}
impl StreamWord for u64 {}

word! { u32: cuStreamWriteValue32_v2 cuStreamWriteValue32 cuStreamWaitValue32_v2 cuStreamWaitValue32
CU_STREAM_MEM_OP_WRITE_VALUE_32 CU_STREAM_MEM_OP_WAIT_VALUE_32 CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_32 }
word! { u64: cuStreamWriteValue64_v2 cuStreamWriteValue64 cuStreamWaitValue64_v2 cuStreamWaitValue64
CU_STREAM_MEM_OP_WRITE_VALUE_64 CU_STREAM_MEM_OP_WAIT_VALUE_64 CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_64 }

/// For errors.
const WORDS: &str = "words must be aligned, and lie in plain or page-locked memory";

/// Refuses a slice that has not one element, or whose home stream is not `stream`. So the memory is freed after the operation.
fn one_word(stream: &Stream, home: &Stream, len: usize, call: Symbol) -> Result<()> {
    if len != 1 {
        return Err(Error::invalid_for(
            call,
            format_args!("the slice has {len} elements; pass a slice of 1"),
        ));
    }
    if stream != home {
        let (home, stream) = (home.raw().addr(), stream.raw().addr());
        return Err(Error::invalid_for(
            call,
            format_args!(
                "the word lives on another stream, {home:#x} and not {stream:#x}; use that one, or the unsafe variant"
            ),
        ));
    }
    Ok(())
}

impl Stream {
    /// Queues a write of `value` to a word of device memory. Wraps `cuStreamWriteValue32` or `cuStreamWriteValue64`.
    ///
    /// The home stream of the word must be this stream. So the word is written in the order of the stream, and freed afterwards.
    /// Unless the flags say otherwise, the writes of earlier work are visible before the word is.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice does not have exactly one element, or its home
    ///   stream is another stream.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::NotSupported`]: the word is a `u64`, and the device has no [64-bit
    ///   operations](crate::device::DeviceAttribute::CAN_USE_64_BIT_STREAM_MEM_OPS). On drivers before CUDA 11.7 also: the
    ///   operations are not enabled in the driver.
    /// - [`Code::InvalidValue`]: flags are unknown or not supported, or the word is in memory of a pool or in managed
    ///   memory. Use [plain](crate::memory::MemorySource::Plain) or page-locked memory.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{MemorySource, WriteValueFlags};
    ///
    /// let mut word = DeviceBuf::<u32>::zeroed_in(&stream, 1, MemorySource::Plain)?;
    /// stream.write_value(word.as_slice_mut(), 7, WriteValueFlags::DEFAULT)?;
    /// assert_eq!(word.to_vec()?, [7]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamWriteValue32", "cuStreamWriteValue64"))]
    pub fn write_value<T: StreamWord>(
        &self,
        word: DeviceSliceMut<'_, T>,
        value: T,
        flags: WriteValueFlags,
    ) -> Result<()> {
        one_word(self, word.stream(), word.len(), T::CALLS.0)?;
        self.refuse_capture(T::CALLS.0)?;
        // SAFETY: the word is allocated, and borrowed mutably now; later work on it is queued after the write.
        unsafe { self.write_value_at(word.ptr(), value, flags) }
    }

    /// Queues a write of `value` to a word at any address. Wraps `cuStreamWriteValue32` or `cuStreamWriteValue64`.
    ///
    /// # Errors
    ///
    /// Same as [`write_value`](Stream::write_value), except that a stream may be captured: then it records the write.
    ///
    /// # Safety
    ///
    /// The word is valid for a write, and no safe code reads or writes it until the write is done. If the write is captured, the
    /// condition holds for each launch of the graph.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{MemorySource, WriteValueFlags};
    ///
    /// let word = DeviceBuf::<u64>::zeroed_in(&stream, 1, MemorySource::Plain)?;
    ///
    /// // SAFETY: the word lives on this stream.
    /// unsafe { stream.write_value_at(word.ptr(), 1, WriteValueFlags::DEFAULT) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamWriteValue32", "cuStreamWriteValue64"))]
    pub unsafe fn write_value_at<T: StreamWord>(
        &self,
        word: DevicePtr<T>,
        value: T,
        flags: WriteValueFlags,
    ) -> Result<()> {
        call_on(self, T::CALLS.0, || {
            // SAFETY: the stream is live; the rest is the caller's promise.
            unsafe { value.write(self.raw(), word.as_raw(), flags.bits()) }
        })
        .or_detail(&[Code::InvalidValue], &|| format!("address {word:?}, flags {:#x}; {WORDS}", flags.bits()))
    }

    /// Makes later work on the stream wait until a word of device memory meets a condition. The host does not wait. Wraps
    /// `cuStreamWaitValue32` or `cuStreamWaitValue64`.
    ///
    /// The home stream of the word must be this stream, so the word is freed after the wait. Another device, the host or another
    /// stream must write the word. If no write ever meets the condition, the stream hangs, and every wait for the stream hangs.
    /// Later work of the stream sees the data that was written before the word. For data that another device wrote, use
    /// [`with_flush`](Until::with_flush).
    ///
    /// # Errors
    ///
    /// - [`Code::NotSupported`]: the device does not support the [condition](Until::nor) or the
    ///   [flush](Until::with_flush).
    /// - Same as [`write_value`](Stream::write_value).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{MemorySource, Until};
    ///
    /// let word = DeviceBuf::from_host_in(&stream, &[7_u32], MemorySource::Plain)?;
    /// stream.wait_value(word.as_slice(), Until::at_least(7))?;
    /// stream.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamWaitValue32", "cuStreamWaitValue64"))]
    pub fn wait_value<T: StreamWord>(&self, word: DeviceSlice<'_, T>, until: Until<T>) -> Result<()> {
        one_word(self, word.stream(), word.len(), T::CALLS.1)?;
        self.refuse_capture(T::CALLS.1)?;
        // SAFETY: the word is allocated, and is freed after the wait.
        unsafe { self.wait_value_at(word.ptr(), until) }
    }

    /// Makes later work on the stream wait until a word at any address meets a condition. Wraps `cuStreamWaitValue32` or
    /// `cuStreamWaitValue64`.
    ///
    /// # Errors
    ///
    /// Same as [`wait_value`](Stream::wait_value), except that a stream may be captured: then it records the wait.
    ///
    /// # Safety
    ///
    /// The word stays allocated until the wait has ended. If the wait is captured, the condition holds for each launch of the
    /// graph.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{MemorySource, Until};
    ///
    /// let word = DeviceBuf::from_host_in(&stream, &[1_u64], MemorySource::Plain)?;
    ///
    /// // SAFETY: the word lives on this stream.
    /// unsafe { stream.wait_value_at(word.ptr(), Until::equal(1)) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuStreamWaitValue32", "cuStreamWaitValue64"))]
    pub unsafe fn wait_value_at<T: StreamWord>(&self, word: DevicePtr<T>, until: Until<T>) -> Result<()> {
        call_on(self, T::CALLS.1, || {
            // SAFETY: the stream is live; the rest is the caller's promise.
            unsafe { until.value.wait(self.raw(), word.as_raw(), until.flags) }
        })
        .or_detail(&[Code::InvalidValue], &|| format!("address {word:?}, flags {:#x}; {WORDS}", until.flags))
    }

    /// Returns an empty batch of memory operations for the stream.
    pub fn mem_ops(&self) -> MemOps<'_> {
        MemOps { stream: self, list: Vec::new(), words: Vec::new(), has_bare_words: false }
    }
}

/// Observers of a memory barrier of [`MemOps`].
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::memory::BarrierScope;
///
/// let operations = stream.mem_ops().barrier(BarrierScope::System);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUstreamMemoryBarrier_flags")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum BarrierScope {
    /// All devices and the host.
    #[default]
    #[doc(alias = "CU_STREAM_MEMORY_BARRIER_TYPE_SYS")]
    System,
    /// The device of the stream.
    #[doc(alias = "CU_STREAM_MEMORY_BARRIER_TYPE_GPU")]
    Device,
}

/// Atomic operation of [`MemOps`] on a word.
///
/// ```
/// use cuda_rt::memory::WordReduction;
///
/// assert_ne!(WordReduction::Add, WordReduction::Or);
/// ```
#[doc(alias = "CUstreamAtomicReductionOpType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WordReduction {
    /// Sum.
    #[doc(alias = "CU_STREAM_ATOMIC_REDUCTION_OP_ADD")]
    Add,
    /// Bitwise and.
    #[doc(alias = "CU_STREAM_ATOMIC_REDUCTION_OP_AND")]
    And,
    /// Bitwise or.
    #[doc(alias = "CU_STREAM_ATOMIC_REDUCTION_OP_OR")]
    Or,
}

/// Memory operations that a stream performs in one call, in the order in which they were added. Made by [`Stream::mem_ops`].
///
/// The batch costs less than single calls. The home stream of the words must be the stream, as for
/// [`Stream::write_value`].
///
/// ```no_run
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{MemorySource, Until, WriteValueFlags};
///
/// let ready = DeviceBuf::from_host_in(&stream, &[1_u32], MemorySource::Plain)?;
/// let mut done = DeviceBuf::<u64>::zeroed_in(&stream, 1, MemorySource::Plain)?;
/// stream
///     .mem_ops()
///     .wait(ready.as_slice(), Until::equal(1))?
///     .write(done.as_slice_mut(), 2, WriteValueFlags::DEFAULT)?
///     .submit()?;
/// assert_eq!(done.to_vec()?, [2]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUstreamBatchMemOpParams")]
#[derive(Clone)]
#[must_use = "nothing is queued before it is submitted"]
pub struct MemOps<'memory> {
    stream: &'memory Stream,
    list: Vec<CUstreamBatchMemOpParams>,
    /// Words of slices.
    words: Vec<KnownWord<'memory>>,
    /// True if some words are given only by their addresses.
    has_bare_words: bool,
}

/// Word of a slice that an operation uses.
#[derive(Clone, Copy)]
pub(crate) struct KnownWord<'memory> {
    pub(crate) address: CUdeviceptr,
    pub(crate) bytes: usize,
    pub(crate) is_written: bool,
    /// Slot by which graphs keep the memory. `None` if its owner is unknown.
    pub(crate) keep: Option<&'memory KeepSlot>,
}

impl<'memory> MemOps<'memory> {
    /// Returns the operations, and the words of slices. `None` if there are words without slices.
    pub(crate) fn known(&self) -> Option<(&[CUstreamBatchMemOpParams], &[KnownWord<'memory>])> {
        (!self.has_bare_words).then_some((&self.list, &self.words))
    }

    /// Returns the home stream of the words.
    pub(crate) fn stream(&self) -> &'memory Stream {
        self.stream
    }

    /// Adds an operation on a word of a slice.
    fn push_word<T>(
        mut self,
        word: DevicePtr<T>,
        keep: Option<&'memory KeepSlot>,
        is_written: bool,
        push: impl FnOnce(Self) -> Self,
    ) -> Self {
        let (address, bytes, had_bare_words) = (word.as_raw(), size_of::<T>(), self.has_bare_words);
        self.words.push(KnownWord { address, bytes, is_written, keep });
        MemOps { has_bare_words: had_bare_words, ..push(self) }
    }

    fn push(mut self, set: impl FnOnce(&mut CUstreamBatchMemOpParams)) -> Self {
        let mut parameters = CUstreamBatchMemOpParams { pad: [0; 6] };
        set(&mut parameters);
        self.list.push(parameters);
        self
    }

    /// Adds a write of `value` to a word. See [`Stream::write_value`].
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice does not have exactly one element, or its home
    /// stream is another stream.
    #[doc(alias = "CU_STREAM_MEM_OP_WRITE_VALUE_32")]
    pub fn write<T: StreamWord>(
        self,
        word: DeviceSliceMut<'memory, T>,
        value: T,
        flags: WriteValueFlags,
    ) -> Result<Self> {
        one_word(self.stream, word.stream(), word.len(), Symbol::cuStreamBatchMemOp_v2)?;
        Ok(self.push_word(word.ptr(), word.keep_slot(), true, |batch| {
            // SAFETY: the word lives on this stream, and is borrowed mutably until the batch is queued.
            unsafe { batch.write_at(word.ptr(), value, flags) }
        }))
    }

    /// Adds a write of `value` to a word at any address.
    ///
    /// # Safety
    ///
    /// Same as for [`Stream::write_value_at`].
    #[doc(alias = "CU_STREAM_MEM_OP_WRITE_VALUE_32")]
    pub unsafe fn write_at<T: StreamWord>(
        self,
        word: DevicePtr<T>,
        value: T,
        flags: WriteValueFlags,
    ) -> Self {
        MemOps { has_bare_words: true, ..self }.push(|parameters| {
            parameters.writeValue = WriteParams {
                operation: T::OPERATIONS.0,
                address: word.as_raw(),
                __bindgen_anon_1: WriteWord { value64: value.bits() },
                flags: flags.bits(),
                alias: 0,
            };
        })
    }

    /// Adds a wait for a word. See [`Stream::wait_value`].
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice does not have exactly one element, or its home
    /// stream is another stream.
    #[doc(alias = "CU_STREAM_MEM_OP_WAIT_VALUE_32")]
    pub fn wait<T: StreamWord>(self, word: DeviceSlice<'memory, T>, until: Until<T>) -> Result<Self> {
        one_word(self.stream, word.stream(), word.len(), Symbol::cuStreamBatchMemOp_v2)?;
        Ok(self.push_word(word.ptr(), word.keep_slot(), false, |batch| {
            // SAFETY: the word lives on this stream, and is borrowed until the batch is queued.
            unsafe { batch.wait_at(word.ptr(), until) }
        }))
    }

    /// Adds a wait for a word at any address.
    ///
    /// # Safety
    ///
    /// Same as for [`Stream::wait_value_at`].
    #[doc(alias = "CU_STREAM_MEM_OP_WAIT_VALUE_32")]
    pub unsafe fn wait_at<T: StreamWord>(self, word: DevicePtr<T>, until: Until<T>) -> Self {
        MemOps { has_bare_words: true, ..self }.push(|parameters| {
            parameters.waitValue = WaitParams {
                operation: T::OPERATIONS.1,
                address: word.as_raw(),
                __bindgen_anon_1: WaitWord { value64: until.value.bits() },
                flags: until.flags,
                alias: 0,
            };
        })
    }

    /// Adds an atomic operation on a word. Drivers that do not know the operation refuse the batch with [`Code::InvalidValue`].
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice does not have exactly one element, or its home
    /// stream is another stream.
    #[doc(alias = "CU_STREAM_MEM_OP_ATOMIC_REDUCTION")]
    pub fn reduce<T: StreamWord>(
        self,
        word: DeviceSliceMut<'memory, T>,
        reduction: WordReduction,
        value: T,
    ) -> Result<Self> {
        one_word(self.stream, word.stream(), word.len(), Symbol::cuStreamBatchMemOp_v2)?;
        let push = |batch: Self| {
            batch.push(|parameters| {
                parameters.atomicReduction = ReductionParams {
                    operation: Op::CU_STREAM_MEM_OP_ATOMIC_REDUCTION,
                    flags: 0,
                    reductionOp: match reduction {
                        WordReduction::Add => CReduction::CU_STREAM_ATOMIC_REDUCTION_OP_ADD,
                        WordReduction::And => CReduction::CU_STREAM_ATOMIC_REDUCTION_OP_AND,
                        WordReduction::Or => CReduction::CU_STREAM_ATOMIC_REDUCTION_OP_OR,
                    },
                    dataType: T::REDUCED,
                    address: word.ptr().as_raw(),
                    value: value.bits(),
                    alias: 0,
                };
            })
        };
        Ok(self.push_word(word.ptr(), word.keep_slot(), true, push))
    }

    /// Adds a barrier: writes of earlier work are visible to all observers of the scope before later writes are. From CUDA 11.7 on.
    #[doc(alias = "CU_STREAM_MEM_OP_BARRIER")]
    pub fn barrier(self, scope: BarrierScope) -> Self {
        let flags = match scope {
            BarrierScope::System => CBarrier::CU_STREAM_MEMORY_BARRIER_TYPE_SYS.0,
            BarrierScope::Device => CBarrier::CU_STREAM_MEMORY_BARRIER_TYPE_GPU.0,
        };
        self.push(|parameters| {
            parameters.memoryBarrier = BarrierParams { operation: Op::CU_STREAM_MEM_OP_BARRIER, flags };
        })
    }

    /// Adds a flush of writes of other devices, so that later work sees them. The device must support it: see
    /// [`CAN_FLUSH_REMOTE_WRITES`](crate::device::DeviceAttribute::CAN_FLUSH_REMOTE_WRITES).
    #[doc(alias = "CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES")]
    pub fn flush_remote_writes(self) -> Self {
        let operation = Op::CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
        self.push(|parameters| parameters.flushRemoteWrites = FlushParams { operation, flags: 0 })
    }

    /// Returns the number of operations.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no operations.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Queues the operations on the stream. An empty batch is not queued. Wraps `cuStreamBatchMemOp`.
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::InvalidValue`]: there are more than 255 operations, the driver does not know one of them, or a word or
    ///   flags are refused as by [`Stream::write_value`].
    /// - [`Code::NotSupported`]: the device lacks a feature that an operation needs.
    /// - An earlier failure.
    #[doc(alias = "cuStreamBatchMemOp")]
    pub fn submit(mut self) -> Result<()> {
        const NO_FLAGS: u32 = 0;
        let call = Symbol::cuStreamBatchMemOp_v2;
        self.stream.refuse_capture(call)?;
        let too_many =
            |_| Error::invalid_for(call, format_args!("{} operations; 255 at most", self.list.len()));
        let count = u32::try_from(self.list.len()).map_err(too_many)?;
        if count == 0 {
            return Ok(());
        }
        let (stream, list) = (self.stream, self.list.as_mut_ptr());
        let has_new = cuda_sys::driver()?.has(call);
        call_on(stream, call, || {
            if has_new {
                // SAFETY: the stream is live; the list has so many entries, whose words live on the stream or are promised.
                unsafe { check!(cuStreamBatchMemOp_v2(stream.raw(), count, list, NO_FLAGS)) }
            } else {
                // SAFETY: as above.
                unsafe { check!(cuStreamBatchMemOp(stream.raw(), count, list, NO_FLAGS)) }
            }
        })
        .or_detail(&[Code::InvalidValue], &|| format!("{count} operations of 255 at most; {WORDS}"))
    }
}

impl core::fmt::Debug for MemOps<'_> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("MemOps").field("stream", self.stream).field("len", &self.len()).finish()
    }
}
