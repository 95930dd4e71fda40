//! Operations of streams on words of memory: writes, waits for a value, barriers, and batches of them.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::Kind;
use crate::driver::operations::{OpId, SHORT, StreamId};
use crate::driver::queues::queue::Work;
use crate::driver::{Answer, Call, State};
use core::ffi::c_uint;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use cuda_sys::{
    CUdevice, CUdevice_attribute, CUdevice_attribute_enum as Attribute, CUdeviceptr, CUresult, CUstream,
    CUstreamBatchMemOpParams, CUstreamBatchMemOpType_enum as Type, CUstreamMemOpMemoryBarrierParams_st,
    CUstreamMemOpWaitValueParams_st, CUstreamMemOpWaitValueParams_st__bindgen_ty_1,
    CUstreamMemOpWriteValueParams_st, CUstreamMemOpWriteValueParams_st__bindgen_ty_1,
    CUstreamMemoryBarrier_flags_enum as Barrier, CUstreamWaitValue_flags,
    CUstreamWaitValue_flags_enum as WaitFlags, CUstreamWriteValue_flags_enum as WriteFlags,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NOT_SUPPORTED: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;

/// Limit of the operations of one call or one node, as documented.
const MOST: usize = 255;

/// Comparison of a word with the value of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    /// The word is at least the value, by cyclic comparison.
    AtLeast,
    Equal,
    AnyBit,
    /// Some bit is set in neither the word nor the value.
    Nor,
}

impl Condition {
    fn flags(self) -> CUstreamWaitValue_flags {
        match self {
            Condition::AtLeast => WaitFlags::CU_STREAM_WAIT_VALUE_GEQ,
            Condition::Equal => WaitFlags::CU_STREAM_WAIT_VALUE_EQ,
            Condition::AnyBit => WaitFlags::CU_STREAM_WAIT_VALUE_AND,
            Condition::Nor => WaitFlags::CU_STREAM_WAIT_VALUE_NOR,
        }
    }
}

/// Checked operation, which can be executed several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryOperation {
    Write(Word),
    Wait(MemoryWait),
    /// Barrier for accesses to memory, which are always ordered here. The number is the kind of barrier.
    Barrier(c_uint),
}

/// Consecutive operations of a node.
pub(crate) struct MemoryOperations {
    pub(crate) context: Handle,
    pub(crate) operations: Vec<MemoryOperation>,
}

/// Word, and the value to write or to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word {
    address: CUdeviceptr,
    value: u64,
    /// True if the word has 64 bits, false if 32.
    is_wide: bool,
}

/// Wait for a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MemoryWait {
    word: Word,
    condition: Condition,
}

impl Word {
    fn size(&self) -> u64 {
        if self.is_wide { 8 } else { 4 }
    }

    fn check_aligned(&self) -> Answer {
        if self.address.is_multiple_of(self.size()) { Ok(()) } else { Err(INVALID) }
    }

    /// Returns the address of the word, while it is in use.
    fn place(&self, state: &State) -> Answer<*mut u8> {
        let fault = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
        let place = state.bytes(self.address, self.size()).map_err(|_| fault)?.as_ptr();
        if place.align_offset(self.size() as usize) == 0 { Ok(place) } else { Err(fault) }
    }

    fn write(&self, state: &State) -> Answer {
        let place = self.place(state)?;
        if self.is_wide {
            // SAFETY: an aligned word that is in use.
            let word = unsafe { AtomicU64::from_ptr(place.cast()) };
            word.store(self.value, Ordering::Release);
        } else {
            // SAFETY: as above.
            let word = unsafe { AtomicU32::from_ptr(place.cast()) };
            word.store(self.value as u32, Ordering::Release);
        }
        state.note_signal(self.address, self.size());
        Ok(())
    }

    fn read(&self, state: &State) -> Answer<u64> {
        let place = self.place(state)?;
        if self.is_wide {
            // SAFETY: an aligned word that is in use.
            let word = unsafe { AtomicU64::from_ptr(place.cast()) };
            return Ok(word.load(Ordering::Acquire));
        }
        // SAFETY: as above.
        let word = unsafe { AtomicU32::from_ptr(place.cast()) };
        Ok(word.load(Ordering::Acquire).into())
    }
}

impl MemoryWait {
    /// Returns whether the stream can continue.
    pub(crate) fn is_met(&self, state: &State) -> Answer<bool> {
        let (found, value) = (self.word.read(state)?, self.word.value);
        Ok(match self.condition {
            Condition::AtLeast if self.word.is_wide => found.wrapping_sub(value) as i64 >= 0,
            Condition::AtLeast => (found as u32).wrapping_sub(value as u32) as i32 >= 0,
            Condition::Equal => found == value,
            Condition::AnyBit => found & value != 0,
            Condition::Nor if self.word.is_wide => !(found | value) != 0,
            Condition::Nor => !(found as u32 | value as u32) != 0,
        })
    }
}

impl MemoryOperation {
    fn word(&self) -> Option<(&Word, bool)> {
        match self {
            MemoryOperation::Write(word) => Some((word, true)),
            MemoryOperation::Wait(wait) => Some((&wait.word, false)),
            MemoryOperation::Barrier(_) => None,
        }
    }

    fn write(device: &Supported, word: Word, flags: c_uint) -> Answer<MemoryOperation> {
        device.check(word.is_wide)?;
        word.check_aligned()?;
        // The flag that allows writes to overtake each other is refused (measured).
        if flags != WriteFlags::CU_STREAM_WRITE_VALUE_DEFAULT.0 {
            return Err(INVALID);
        }
        Ok(MemoryOperation::Write(word))
    }

    fn wait(device: &Supported, word: Word, flags: c_uint) -> Answer<MemoryOperation> {
        device.check(word.is_wide)?;
        word.check_aligned()?;
        let flush = WaitFlags::CU_STREAM_WAIT_VALUE_FLUSH.0;
        let condition = match WaitFlags(flags & !flush) {
            WaitFlags::CU_STREAM_WAIT_VALUE_GEQ => Condition::AtLeast,
            WaitFlags::CU_STREAM_WAIT_VALUE_EQ => Condition::Equal,
            WaitFlags::CU_STREAM_WAIT_VALUE_AND => Condition::AnyBit,
            WaitFlags::CU_STREAM_WAIT_VALUE_NOR if device.nor => Condition::Nor,
            WaitFlags::CU_STREAM_WAIT_VALUE_NOR => return Err(NOT_SUPPORTED),
            _ => return Err(INVALID),
        };
        if flags & flush != 0 && !device.flush {
            return Err(NOT_SUPPORTED);
        }
        Ok(MemoryOperation::Wait(MemoryWait { word, condition }))
    }

    /// Returns the operation in the form of the driver API.
    pub(crate) fn shown(&self) -> CUstreamBatchMemOpParams {
        match *self {
            MemoryOperation::Write(Word { address, value: value64, is_wide }) => CUstreamBatchMemOpParams {
                writeValue: CUstreamMemOpWriteValueParams_st {
                    operation: if is_wide {
                        Type::CU_STREAM_MEM_OP_WRITE_VALUE_64
                    } else {
                        Type::CU_STREAM_MEM_OP_WRITE_VALUE_32
                    },
                    address,
                    __bindgen_anon_1: CUstreamMemOpWriteValueParams_st__bindgen_ty_1 { value64 },
                    flags: WriteFlags::CU_STREAM_WRITE_VALUE_DEFAULT.0,
                    alias: 0,
                },
            },
            MemoryOperation::Wait(MemoryWait {
                word: Word { address, value: value64, is_wide },
                condition,
            }) => CUstreamBatchMemOpParams {
                waitValue: CUstreamMemOpWaitValueParams_st {
                    operation: if is_wide {
                        Type::CU_STREAM_MEM_OP_WAIT_VALUE_64
                    } else {
                        Type::CU_STREAM_MEM_OP_WAIT_VALUE_32
                    },
                    address,
                    __bindgen_anon_1: CUstreamMemOpWaitValueParams_st__bindgen_ty_1 { value64 },
                    flags: condition.flags().0,
                    alias: 0,
                },
            },
            MemoryOperation::Barrier(flags) => CUstreamBatchMemOpParams {
                memoryBarrier: CUstreamMemOpMemoryBarrierParams_st {
                    operation: Type::CU_STREAM_MEM_OP_BARRIER,
                    flags,
                },
            },
        }
    }

    /// Reads an element of a batch.
    pub(crate) fn of(device: &Supported, given: &CUstreamBatchMemOpParams) -> Answer<MemoryOperation> {
        // SAFETY: every member begins with the type.
        match unsafe { given.operation } {
            Type::CU_STREAM_MEM_OP_WRITE_VALUE_32 | Type::CU_STREAM_MEM_OP_WRITE_VALUE_64 => {
                // SAFETY: the type determines the member.
                let given = unsafe { given.writeValue };
                let is_wide = given.operation == Type::CU_STREAM_MEM_OP_WRITE_VALUE_64;
                // SAFETY: all bits form a number.
                let value = unsafe { given.__bindgen_anon_1.value64 };
                Self::write(device, Word::new(given.address, value, is_wide), given.flags)
            }
            Type::CU_STREAM_MEM_OP_WAIT_VALUE_32 | Type::CU_STREAM_MEM_OP_WAIT_VALUE_64 => {
                // SAFETY: the type determines the member.
                let given = unsafe { given.waitValue };
                let is_wide = given.operation == Type::CU_STREAM_MEM_OP_WAIT_VALUE_64;
                // SAFETY: all bits form a number.
                let value = unsafe { given.__bindgen_anon_1.value64 };
                Self::wait(device, Word::new(given.address, value, is_wide), given.flags)
            }
            Type::CU_STREAM_MEM_OP_BARRIER => {
                // SAFETY: as above.
                let flags = Barrier(unsafe { given.memoryBarrier }.flags);
                let known =
                    [Barrier::CU_STREAM_MEMORY_BARRIER_TYPE_SYS, Barrier::CU_STREAM_MEMORY_BARRIER_TYPE_GPU];
                if known.contains(&flags) { Ok(MemoryOperation::Barrier(flags.0)) } else { Err(INVALID) }
            }
            // No simulated device can flush remote writes.
            Type::CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES => Err(NOT_SUPPORTED),
            Type::CU_STREAM_MEM_OP_ATOMIC_REDUCTION => {
                say("atomic operations of streams are not simulated");
                Err(NOT_SUPPORTED)
            }
            _ => Err(INVALID),
        }
    }
}

impl Word {
    fn new(address: CUdeviceptr, value: u64, is_wide: bool) -> Word {
        Word { address, value: if is_wide { value } else { value & u64::from(u32::MAX) }, is_wide }
    }
}

/// Operations that a device supports.
pub(crate) struct Supported {
    all: bool,
    wide: bool,
    nor: bool,
    flush: bool,
}

impl Supported {
    /// Returns the operations that a device supports, through the functions of the second version or of the first.
    pub(crate) fn by(state: &State, device: CUdevice, is_first_version: bool) -> Supported {
        let has = |attribute: CUdevice_attribute| state.limit_of(device, attribute) != 0;
        let flush = has(Attribute::CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES);
        if is_first_version {
            return Supported {
                all: has(Attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1),
                wide: has(Attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1),
                nor: has(Attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1),
                flush,
            };
        }
        Supported {
            all: true,
            wide: has(Attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS),
            nor: has(Attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR),
            flush,
        }
    }

    fn check(&self, is_wide: bool) -> Answer {
        if self.all && (self.wide || !is_wide) { Ok(()) } else { Err(NOT_SUPPORTED) }
    }
}

/// Reads the operations of a batch.
///
/// # Safety
///
/// `list` is null or valid for reads of `count` elements.
pub(crate) unsafe fn read_batch(
    device: &Supported,
    list: *const CUstreamBatchMemOpParams,
    count: c_uint,
    flags: c_uint,
) -> Answer<Vec<MemoryOperation>> {
    let count = count as usize;
    if flags != 0 || count > MOST || list.is_null() && count > 0 {
        return Err(INVALID);
    }
    let mut operations = Vec::with_capacity(count);
    for index in 0..count {
        // SAFETY: within the list, as its length says.
        let place = unsafe { list.add(index) };
        // SAFETY: the caller's promise.
        operations.push(MemoryOperation::of(device, unsafe { &*place })?);
    }
    Ok(operations)
}

impl State {
    /// Refuses an operation on memory of the wrong kind. Nodes are added without this check, and launches make it
    /// (measured).
    pub(crate) fn check_place(&self, context: Handle, operation: &MemoryOperation) -> Answer {
        let Some((word, writes)) = operation.word() else { return Ok(()) };
        if writes {
            self.check_writable(word.address, word.size())?;
        }
        match self.known(word.address, word.size())?.kind {
            Kind::Managed { .. } | Kind::Pool(_) | Kind::Graph => return Err(INVALID),
            _ => {}
        }
        let device = self.check_fillable(context, word.address)?;
        self.check_reach(device, word.address, word.size(), writes)
    }

    /// Queues operations one after the other, as nodes of graphs do. Returns the last one.
    pub(crate) fn push_memory_operations(
        &mut self,
        on: (StreamId, Handle),
        mut after: Vec<OpId>,
        operations: &[MemoryOperation],
    ) -> OpId {
        for operation in operations {
            let op = match *operation {
                MemoryOperation::Write(word) => {
                    self.push_memory_work_after(on, after, SHORT, move |state| word.write(state))
                }
                MemoryOperation::Wait(wait) => self.push_after(on, after, SHORT, Work::AwaitMemory(wait)),
                MemoryOperation::Barrier(_) => continue,
            };
            after = vec![op];
        }
        self.push_after(on, after, 0, Work::Task(Box::new(|_| Ok(()))))
    }
}

/// Queues operations on a stream, or adds a node if the stream is captured.
fn submit(call: &mut Call<'_>, on: (StreamId, Handle), operations: Vec<MemoryOperation>) -> Answer {
    let state = &mut *call.state;
    if state.is_captured(on)? {
        state.append(on.0, MemoryOperations { context: on.1, operations });
        return Ok(());
    }
    for operation in &operations {
        state.check_place(on.1, operation)?;
    }
    for operation in operations {
        match operation {
            MemoryOperation::Write(word) => {
                state.submit_memory_work(on, SHORT, move |state| word.write(state));
            }
            MemoryOperation::Wait(wait) => {
                state.submit_work(on, SHORT, Work::AwaitMemory(wait));
            }
            MemoryOperation::Barrier(_) => {}
        }
    }
    Ok(())
}

/// Returns the stream of a call, and the operations that its device supports.
fn target(
    call: &Call<'_>,
    stream: CUstream,
    is_first_version: bool,
) -> Answer<((StreamId, Handle), Supported)> {
    let on = call.state.stream(stream)?;
    let device = call.state.live_context(on.1)?.device;
    Ok((on, Supported::by(call.state, device, is_first_version)))
}

fn write(call: &mut Call<'_>, stream: CUstream, word: Word, flags: c_uint, is_first_version: bool) -> Answer {
    let (on, device) = target(call, stream, is_first_version)?;
    submit(call, on, vec![MemoryOperation::write(&device, word, flags)?])
}

fn wait(call: &mut Call<'_>, stream: CUstream, word: Word, flags: c_uint, is_first_version: bool) -> Answer {
    let (on, device) = target(call, stream, is_first_version)?;
    submit(call, on, vec![MemoryOperation::wait(&device, word, flags)?])
}

pub(crate) fn write32(
    call: &mut Call<'_>,
    stream: CUstream,
    address: CUdeviceptr,
    value: u32,
    flags: c_uint,
) -> Answer {
    write(call, stream, Word::new(address, value.into(), false), flags, false)
}

pub(crate) fn write64(
    call: &mut Call<'_>,
    stream: CUstream,
    address: CUdeviceptr,
    value: u64,
    flags: c_uint,
) -> Answer {
    write(call, stream, Word::new(address, value, true), flags, false)
}

pub(crate) fn wait32(
    call: &mut Call<'_>,
    stream: CUstream,
    address: CUdeviceptr,
    value: u32,
    flags: c_uint,
) -> Answer {
    wait(call, stream, Word::new(address, value.into(), false), flags, false)
}

pub(crate) fn wait64(
    call: &mut Call<'_>,
    stream: CUstream,
    address: CUdeviceptr,
    value: u64,
    flags: c_uint,
) -> Answer {
    wait(call, stream, Word::new(address, value, true), flags, false)
}

pub(crate) fn write32_v1(
    call: &mut Call<'_>,
    stream: CUstream,
    address: CUdeviceptr,
    value: u32,
    flags: c_uint,
) -> Answer {
    write(call, stream, Word::new(address, value.into(), false), flags, true)
}

pub(crate) fn write64_v1(
    call: &mut Call<'_>,
    stream: CUstream,
    address: CUdeviceptr,
    value: u64,
    flags: c_uint,
) -> Answer {
    write(call, stream, Word::new(address, value, true), flags, true)
}

pub(crate) fn wait32_v1(
    call: &mut Call<'_>,
    stream: CUstream,
    address: CUdeviceptr,
    value: u32,
    flags: c_uint,
) -> Answer {
    wait(call, stream, Word::new(address, value.into(), false), flags, true)
}

pub(crate) fn wait64_v1(
    call: &mut Call<'_>,
    stream: CUstream,
    address: CUdeviceptr,
    value: u64,
    flags: c_uint,
) -> Answer {
    wait(call, stream, Word::new(address, value, true), flags, true)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn batch(
    call: &mut Call<'_>,
    stream: CUstream,
    count: c_uint,
    list: *mut CUstreamBatchMemOpParams,
    flags: c_uint,
) -> Answer {
    let (on, device) = target(call, stream, false)?;
    // SAFETY: the program's promise.
    let operations = unsafe { read_batch(&device, list.cast_const(), count, flags) }?;
    submit(call, on, operations)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn batch_v1(
    call: &mut Call<'_>,
    stream: CUstream,
    count: c_uint,
    list: *mut CUstreamBatchMemOpParams,
    flags: c_uint,
) -> Answer {
    let (on, device) = target(call, stream, true)?;
    if !device.all {
        return Err(NOT_SUPPORTED);
    }
    // SAFETY: the program's promise.
    let operations = unsafe { read_batch(&device, list.cast_const(), count, flags) }?;
    submit(call, on, operations)
}
