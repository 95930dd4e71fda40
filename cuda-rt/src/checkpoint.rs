//! Checkpoints of processes: the state of their GPUs is moved to host memory, and back.
//!
//! | item | stands for |
//! |---|---|
//! | [`Process`] | a process that uses CUDA: this one or another one |
//! | [`ProcessState`] | how far a process is |
//! | [`CustomStorage`], [`StoredMemory`] | an operation whose data the caller copies, and the data of one device |
//!
//! A process is locked, checkpointed, restored and unlocked, in this order. Each step acts on the whole process:
//!
//! | state | meaning | next |
//! |---|---|---|
//! | [`Running`](ProcessState::Running) | as usual | [`lock`](Process::lock) |
//! | [`Locked`](ProcessState::Locked) | its calls of the driver wait, except plain queries | [`checkpoint`](Process::checkpoint), [`unlock`](Process::unlock) |
//! | [`Checkpointed`](ProcessState::Checkpointed) | it uses no GPU | [`restore`](Process::restore) |
//!
//! Plain queries are those that use no GPU, for example for the number of devices or the current context. They are answered in each
//! state.
//!
//! Addresses and handles of the process stay as they are. The host side of a process is saved by other programs, CRIU for example.
//! Under Linux, since CUDA 12.8.
//!
//! ```no_run
//! use core::time::Duration;
//! use cuda_rt::checkpoint::Process;
//!
//! let process = Process::from_id(4321);
//! process.lock(Some(Duration::from_secs(10)))?;
//! // SAFETY: it is another process.
//! unsafe { process.checkpoint() }?;
//! // ... other programs use the GPU ...
//! // SAFETY: as above.
//! unsafe { process.restore(&[]) }?;
//! process.unlock()?;
//! # Ok::<(), cuda_rt::Error>(())
//! ```

#![allow(unsafe_code)]

use crate::device::Uuid;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::ensure_not_in_host_function;
use core::ffi::c_int;
use core::ptr::null_mut;
use core::slice;
use core::time::Duration;
use cuda_sys::{
    CUcheckpointCheckpointArgs, CUcheckpointCustomStorageInfo, CUcheckpointCustomStoragePerDeviceData,
    CUcheckpointGpuPair, CUcheckpointLockArgs, CUcheckpointOperationHandle, CUcheckpointRestoreArgs,
    CUdeviceptr, CUprocessState_enum as State, CUstream, Symbol,
};

/// A process that uses CUDA, by its number. A plain value: the process may have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Process(c_int);

/// How far a process is.
#[doc(alias = "CUprocessState")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProcessState {
    /// The usual state.
    #[doc(alias = "CU_PROCESS_STATE_RUNNING")]
    Running,
    /// Calls of the driver wait, except plain queries.
    #[doc(alias = "CU_PROCESS_STATE_LOCKED")]
    Locked,
    /// The memory of the GPUs is saved, and the process uses no GPU.
    #[doc(alias = "CU_PROCESS_STATE_CHECKPOINTED")]
    Checkpointed,
    /// A checkpoint or a restoration failed, and the process cannot go on.
    #[doc(alias = "CU_PROCESS_STATE_FAILED")]
    Failed,
    /// The caller of [`Process::checkpoint_to_custom_storage`] copies the memory.
    #[doc(alias = "CU_PROCESS_STATE_CHECKPOINTING")]
    Checkpointing,
    /// The caller of [`Process::restore_from_custom_storage`] copies the memory.
    #[doc(alias = "CU_PROCESS_STATE_RESTORING")]
    Restoring,
    /// A state that this crate does not know, by its number.
    Other(u32),
}

/// A checkpoint or a restoration whose data the caller copies. [`complete`](CustomStorage::complete) ends it.
#[doc(alias = "CUcheckpointCustomStorageInfo")]
#[must_use = "the process waits until the operation is completed"]
#[derive(Debug)]
pub struct CustomStorage {
    handle: CUcheckpointOperationHandle,
    devices: Vec<StoredMemory>,
}

// SAFETY: the handle names an operation, which is not bound to a thread.
unsafe impl Send for CustomStorage {}
// SAFETY: nothing is changed through `&CustomStorage`.
unsafe impl Sync for CustomStorage {}

/// The memory that a process has on one device, mapped to addresses of this process until the operation is completed.
#[doc(alias = "CUcheckpointCustomStoragePerDeviceData")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredMemory {
    /// The first address.
    pub address: CUdeviceptr,
    /// The number of bytes.
    pub bytes: usize,
    /// A stream of the device's primary context. Copies on it are done before the operation ends.
    pub stream: CUstream,
}

// SAFETY: the handle names a stream, which is not bound to a thread.
unsafe impl Send for StoredMemory {}
// SAFETY: nothing is changed through `&StoredMemory`.
unsafe impl Sync for StoredMemory {}

impl Process {
    /// Returns the process with this number.
    pub fn from_id(id: u32) -> Process {
        // A number beyond `c_int` becomes -1, which the driver refuses like any other.
        Process(c_int::try_from(id).unwrap_or(-1))
    }

    /// Returns this process. It can be locked and checkpointed, too. Its other calls of the driver wait meanwhile, except plain queries.
    pub fn current() -> Process {
        Process::from_id(std::process::id())
    }

    /// Returns how far the process is. Wraps `cuCheckpointProcessGetState`. Since CUDA 12.8.
    ///
    /// # Errors
    ///
    /// - [`Code::OperatingSystem`] if there is no such process.
    /// - [`Code::NotInitialized`] if it does not use CUDA.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) before CUDA 12.8.
    #[doc(alias = "cuCheckpointProcessGetState")]
    pub fn state(self) -> Result<ProcessState> {
        let mut state = State(0);
        let to = &raw mut state;
        // SAFETY: `to` is valid for a write.
        self.explained(unsafe { check!(cuCheckpointProcessGetState(self.0, to)) })?;
        Ok(match state {
            State::CU_PROCESS_STATE_RUNNING => ProcessState::Running,
            State::CU_PROCESS_STATE_LOCKED => ProcessState::Locked,
            State::CU_PROCESS_STATE_CHECKPOINTED => ProcessState::Checkpointed,
            State::CU_PROCESS_STATE_FAILED => ProcessState::Failed,
            State::CU_PROCESS_STATE_CHECKPOINTING => ProcessState::Checkpointing,
            State::CU_PROCESS_STATE_RESTORING => ProcessState::Restoring,
            other => ProcessState::Other(other.0),
        })
    }

    /// Returns the number of the thread that restores the process. Wraps `cuCheckpointProcessGetRestoreThreadId`. Since CUDA 12.8.
    ///
    /// # Errors
    ///
    /// Same as [`Process::state`].
    #[doc(alias = "cuCheckpointProcessGetRestoreThreadId")]
    pub fn restore_thread_id(self) -> Result<i32> {
        let mut thread = 0;
        let to = &raw mut thread;
        // SAFETY: `to` is valid for a write.
        self.explained(unsafe { check!(cuCheckpointProcessGetRestoreThreadId(self.0, to)) })?;
        Ok(thread)
    }

    /// Makes further calls of the driver in the process wait, except plain queries. Wraps `cuCheckpointProcessLock`. Since CUDA 12.8.
    ///
    /// # Blocking
    ///
    /// Until the work of the process is done, or for `timeout`. Without a limit, a process whose work does not end is waited for for ever.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::state`].
    /// - [`Code::IllegalState`] if the process is not [`Running`](ProcessState::Running).
    /// - [`Code::NotReady`] after `timeout`. The process goes on.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a `timeout` of 0, or of 2³² milliseconds or more.
    #[doc(alias("cuCheckpointProcessLock", "CUcheckpointLockArgs"))]
    pub fn lock(self, timeout: Option<Duration>) -> Result<()> {
        let mut arguments = CUcheckpointLockArgs::default();
        if let Some(timeout) = timeout {
            arguments.timeoutMs = milliseconds(timeout)?;
        }
        let arguments = &raw mut arguments;
        // SAFETY: `arguments` is valid for a read.
        self.explained(unsafe { check!(cuCheckpointProcessLock(self.0, arguments)) })
    }

    /// Moves the memory of the GPUs to host memory of the process, which must be locked. Wraps `cuCheckpointProcessCheckpoint`. Since
    /// CUDA 12.8.
    ///
    /// # Blocking
    ///
    /// Until the memory is copied.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::state`].
    /// - [`Code::IllegalState`] if the process is not [`Locked`](ProcessState::Locked).
    /// - [`Code::NotSupported`] if it has memory that cannot be saved. The process stays locked.
    ///
    /// # Safety
    ///
    /// If it is this process: from the beginning of this call until [`unlock`](Process::unlock) has returned, no thread accesses
    /// page-locked or managed memory. Drivers promise nothing about such memory meanwhile.
    ///
    /// # Driver notes
    ///
    /// Driver 580 leaves page-locked memory where it is. It refuses processes with managed memory, and then answers
    /// [`Code::UnknownError`] to each further checkpoint of the process, also without managed memory.
    #[doc(alias = "cuCheckpointProcessCheckpoint")]
    pub unsafe fn checkpoint(self) -> Result<()> {
        // SAFETY: it takes no arguments. The caller answers for memory of the host.
        self.explained(unsafe { check!(cuCheckpointProcessCheckpoint(self.0, null_mut())) })
    }

    /// Moves the memory back to the GPUs. The process must be checkpointed, and is locked afterwards. Wraps
    /// `cuCheckpointProcessRestore`. Since CUDA 12.8.
    ///
    /// `moved` are pairs of GPUs: one that the process has used, and one of the same type that it is to use instead. If it is not empty,
    /// it must have all GPUs that the process has used.
    ///
    /// # Blocking
    ///
    /// Until the memory is copied.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::state`].
    /// - [`Code::IllegalState`] if the process is not [`Checkpointed`](ProcessState::Checkpointed).
    /// - [`Code::InvalidValue`] for pairs that are refused.
    ///
    /// # Safety
    ///
    /// Same as [`checkpoint`](Process::checkpoint).
    #[doc(alias("cuCheckpointProcessRestore", "CUcheckpointGpuPair"))]
    pub unsafe fn restore(self, moved: &[(Uuid, Uuid)]) -> Result<()> {
        self.restore_to(moved, null_mut())
    }

    /// Ends the lock. Wraps `cuCheckpointProcessUnlock`. Since CUDA 12.8.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::state`].
    /// - [`Code::IllegalState`] if the process is not [`Locked`](ProcessState::Locked).
    #[doc(alias = "cuCheckpointProcessUnlock")]
    pub fn unlock(self) -> Result<()> {
        // SAFETY: it takes no arguments.
        self.explained(unsafe { check!(cuCheckpointProcessUnlock(self.0, null_mut())) })
    }

    /// Maps the memory of the process to addresses of this one, for the caller to copy. Wraps `cuCheckpointProcessCheckpoint`. Since
    /// CUDA 13.4.
    ///
    /// The process must be another one, and locked. This process keeps the primary contexts of all devices that it uses.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::checkpoint`].
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for this process.
    /// - [`Code::NotInitialized`] if this process has not initialised the driver.
    /// - [`Code::NotSupported`] if the driver cannot map its memory.
    /// - [`Code::InvalidContext`] if a primary context is missing.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) before CUDA 13.4.
    #[doc(alias("cuCheckpointProcessCheckpoint", "CUcheckpointCheckpointArgs"))]
    pub fn checkpoint_to_custom_storage(self) -> Result<CustomStorage> {
        CustomStorage::from_call(&|info| {
            self.refuse_own(Symbol::cuCheckpointProcessCheckpoint)?;
            let mut arguments = CUcheckpointCheckpointArgs {
                customStorageInfo_out: info,
                ..CUcheckpointCheckpointArgs::default()
            };
            let arguments = &raw mut arguments;
            // SAFETY: `arguments` is valid for a read, and the pointer in it for a write.
            self.explained(unsafe { check!(cuCheckpointProcessCheckpoint(self.0, arguments)) })
        })
    }

    /// Maps the memory that the process is to have to addresses of this one, for the caller to fill. Wraps
    /// `cuCheckpointProcessRestore`. Since CUDA 13.4.
    ///
    /// `moved` is as for [`restore`](Process::restore). The process must be another one, and checkpointed. This process keeps the
    /// primary contexts of all devices that it will use.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::restore`].
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for this process.
    /// - [`Code::NotInitialized`] if this process has not initialised the driver.
    /// - [`Code::NotSupported`] if the driver cannot map its memory.
    /// - [`Code::InvalidContext`] if a primary context is missing.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) before CUDA 13.4.
    #[doc(alias("cuCheckpointProcessRestore", "CUcheckpointRestoreArgs"))]
    pub fn restore_from_custom_storage(self, moved: &[(Uuid, Uuid)]) -> Result<CustomStorage> {
        CustomStorage::from_call(&|info| {
            self.refuse_own(Symbol::cuCheckpointProcessRestore)?;
            self.restore_to(moved, info)
        })
    }

    /// Threads of this process could use memory that the driver moves.
    fn refuse_own(self, call: Symbol) -> Result<()> {
        if self != Process::current() {
            return Ok(());
        }
        Err(Error::invalid_for(call, format_args!("process {} is this one; name another process", self.0)))
    }

    fn restore_to(self, moved: &[(Uuid, Uuid)], info: *mut *mut CUcheckpointCustomStorageInfo) -> Result<()> {
        let pair =
            |(old, new): &(Uuid, Uuid)| CUcheckpointGpuPair { oldUuid: old.to_raw(), newUuid: new.to_raw() };
        let mut pairs: Vec<CUcheckpointGpuPair> = moved.iter().map(pair).collect();
        let mut arguments =
            CUcheckpointRestoreArgs { customStorageInfo_out: info, ..CUcheckpointRestoreArgs::default() };
        if !pairs.is_empty() {
            arguments.gpuPairs = pairs.as_mut_ptr();
            // There are not so many GPUs. The driver refuses pairs that it has no GPUs for.
            arguments.gpuPairsCount = u32::try_from(pairs.len()).unwrap_or(u32::MAX);
        }
        let arguments = &raw mut arguments;
        // SAFETY: `arguments` is valid for a read, the pairs in it for their number. The pointer in it is null or valid for a write.
        self.explained(unsafe { check!(cuCheckpointProcessRestore(self.0, arguments)) })
    }

    fn explained<T>(self, outcome: Result<T>) -> Result<T> {
        let codes = [
            Code::InvalidValue,
            Code::IllegalState,
            Code::NotSupported,
            Code::NotReady,
            Code::OperatingSystem,
            Code::NotInitialized,
        ];
        outcome.or_detail(&codes, &|| format!("process {}", self.0))
    }
}

impl CustomStorage {
    fn from_call(
        call: &dyn Fn(*mut *mut CUcheckpointCustomStorageInfo) -> Result<()>,
    ) -> Result<CustomStorage> {
        // Drivers before it ignore the place for the answer, and would copy to host memory.
        if let Some(missing) = cuda_sys::driver()?.missing(Symbol::cuCheckpointOperationComplete) {
            return Err(missing.into());
        }
        let mut info: *mut CUcheckpointCustomStorageInfo = null_mut();
        let begun = call(&raw mut info);
        if info.is_null() {
            begun?;
            return Err(Error::driver(Symbol::cuCheckpointOperationComplete.name(), Code::UnknownError));
        }
        // An operation that has begun is handed on, also if the call reports an earlier failure: the process waits for its end.
        // SAFETY: the driver has made it for an operation that it has begun.
        Ok(unsafe { CustomStorage::from_raw(info) })
    }

    /// Takes over an operation that was begun by the raw API.
    ///
    /// # Safety
    ///
    /// `info` is null, or what `cuCheckpointProcessCheckpoint` or `cuCheckpointProcessRestore` has returned for an operation that is not
    /// completed, and that nothing else completes.
    pub unsafe fn from_raw(info: *const CUcheckpointCustomStorageInfo) -> CustomStorage {
        if info.is_null() {
            return CustomStorage { handle: null_mut(), devices: Vec::new() };
        }
        // SAFETY: not null, so valid for a read.
        let CUcheckpointCustomStorageInfo { handle, perDeviceData, deviceCount } = unsafe { *info };
        let devices = if perDeviceData.is_null() {
            &[]
        } else {
            // SAFETY: the array has an element for each device.
            unsafe { slice::from_raw_parts(perDeviceData, deviceCount as usize) }
        };
        let memory = |data: &CUcheckpointCustomStoragePerDeviceData| StoredMemory {
            address: data.devPtr,
            bytes: data.size,
            stream: data.stream,
        };
        CustomStorage { handle, devices: devices.iter().map(memory).collect() }
    }

    /// Returns the memory of each device that the process uses.
    pub fn devices(&self) -> &[StoredMemory] {
        &self.devices
    }

    /// Ends the operation. Wraps `cuCheckpointOperationComplete`. Since CUDA 13.4.
    ///
    /// After a checkpoint, the process is [`Checkpointed`](ProcessState::Checkpointed). After a restoration, it is
    /// [`Locked`](ProcessState::Locked).
    ///
    /// # Blocking
    ///
    /// Until the copies on the streams of [`devices`](CustomStorage::devices) are done.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a null operation.
    /// - [`Code::StreamCaptureUnsupported`] if one of the streams is being captured.
    /// - [`Code::NotInitialized`] if this process has not initialised the driver.
    /// - [`Code::NotSupported`] if the driver does not support such operations.
    /// - [`Code::IllegalState`], or an earlier failure.
    ///
    /// # Safety
    ///
    /// - After a restoration, all bytes of the memory are as they were at the checkpoint, by copies that are done or are queued on its
    ///   stream. The process would go on with other data.
    /// - Nothing uses the addresses afterwards.
    #[doc(alias = "cuCheckpointOperationComplete")]
    pub unsafe fn complete(self) -> Result<()> {
        if self.handle.is_null() {
            const CALL: Symbol = Symbol::cuCheckpointOperationComplete;
            ensure_not_in_host_function(CALL)?;
            if let Some(missing) = cuda_sys::driver()?.missing(CALL) {
                return Err(missing.into());
            }
            return Err(Error::invalid_for(CALL, format_args!("a null operation; begin one")));
        }
        // SAFETY: the handle is of an operation that is not completed: this takes the only value that has it.
        unsafe { check!(cuCheckpointOperationComplete(self.handle)) }
    }
}

/// 0 would mean no limit.
fn milliseconds(timeout: Duration) -> Result<u32> {
    u32::try_from(timeout.as_nanos().div_ceil(1_000_000))
        .ok()
        .filter(|milliseconds| *milliseconds > 0)
        .ok_or_else(|| {
            Error::invalid_for(
                Symbol::cuCheckpointProcessLock,
                format_args!(
                    "timeout of {timeout:?} is not from 1 ms to {} ms; use another one or none",
                    u32::MAX
                ),
            )
        })
}
