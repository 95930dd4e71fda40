//! Checkpoints of processes: moving the GPU state of a process to host memory, and back.
//!
//! | item | stands for |
//! |---|---|
//! | [`Process`] | a process that uses CUDA: this one or another one |
//! | [`ProcessState`] | the step that a process has reached |
//! | [`CustomStorage`], [`StoredMemory`] | an operation whose data the caller copies, and the data of one device |
//!
//! A process is locked, checkpointed, restored and unlocked, in this order. Each step acts on the whole process:
//!
//! | state | meaning | next |
//! |---|---|---|
//! | [`Running`](ProcessState::Running) | the process runs as usual | [`lock`](Process::lock) |
//! | [`Locked`](ProcessState::Locked) | its driver calls wait, except plain queries | [`checkpoint`](Process::checkpoint), [`unlock`](Process::unlock) |
//! | [`Checkpointed`](ProcessState::Checkpointed) | it uses no GPU | [`restore`](Process::restore) |
//!
//! Plain queries use no GPU, for example queries of the number of devices or of the current context. They are answered in every
//! state.
//!
//! Addresses and handles of the process stay as they are. Other programs, CRIU for example, save the host side of a process.
//! Linux only; since CUDA 12.8.
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
use crate::list::CollectVec;
use core::ffi::c_int;
use core::ptr::null_mut;
use core::slice;
use core::time::Duration;
use cuda_sys::{
    CUcheckpointCheckpointArgs, CUcheckpointCustomStorageInfo, CUcheckpointCustomStoragePerDeviceData,
    CUcheckpointGpuPair, CUcheckpointLockArgs, CUcheckpointOperationHandle, CUcheckpointRestoreArgs,
    CUdeviceptr, CUprocessState_enum as State, CUstream, Symbol,
};
use std::path::Path;

/// A process that uses CUDA, named by its number. A plain value: the process may have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Process(c_int);

/// The step that a process has reached.
#[doc(alias = "CUprocessState")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProcessState {
    /// The usual state.
    #[doc(alias = "CU_PROCESS_STATE_RUNNING")]
    Running,
    /// Driver calls of the process wait, except plain queries.
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
    /// Another state, by its number.
    Other(u32),
}

/// A checkpoint or a restoration whose data the caller copies. [`complete`](CustomStorage::complete) finishes the operation.
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
    /// A stream of the device's primary context. [`complete`](CustomStorage::complete) waits for the copies on it.
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

    /// Returns this process, which can be locked and checkpointed, too. Its other driver calls wait meanwhile, except plain
    /// queries.
    pub fn current() -> Process {
        Process::from_id(std::process::id())
    }

    /// Returns the step that the process has reached. Wraps `cuCheckpointProcessGetState`. Since CUDA 12.8.
    ///
    /// # Errors
    ///
    /// - [`Code::OperatingSystem`]: there is no such process.
    /// - [`Code::NotInitialized`]: the process does not use CUDA.
    /// - [`DriverUnavailable`](crate::error::ErrorKind::DriverUnavailable): no driver could be loaded.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.8.
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

    /// Locks the process: its further driver calls wait, except plain queries. Wraps `cuCheckpointProcessLock`. Since CUDA 12.8.
    ///
    /// # Blocking
    ///
    /// Until the work of the process is done, but at most for `timeout`. Without a limit, the call waits forever for work that
    /// does not end.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::state`].
    /// - [`Code::IllegalState`]: the process is not [`Running`](ProcessState::Running).
    /// - [`Code::NotReady`]: `timeout` has passed. The process goes on.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `timeout` is 0, or more than
    ///   2³² − 1 milliseconds.
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

    /// Moves the GPU memory of the process to its host memory. The process must be locked. Wraps `cuCheckpointProcessCheckpoint`.
    /// Since CUDA 12.8.
    ///
    /// # Blocking
    ///
    /// Until the memory is copied.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::state`].
    /// - [`Code::IllegalState`]: the process is not [`Locked`](ProcessState::Locked).
    /// - [`Code::NotSupported`]: the process has memory that cannot be saved. The process stays locked.
    ///
    /// # Safety
    ///
    /// If the process is this one: from the beginning of this call until [`unlock`](Process::unlock) has returned, no thread
    /// accesses page-locked or managed memory. Drivers promise nothing about such memory meanwhile.
    ///
    /// # Driver notes
    ///
    /// Driver 580 leaves page-locked memory where it is. It refuses processes with managed memory. After such a refusal, it fails
    /// each further checkpoint of the process with [`Code::UnknownError`], even without managed memory.
    #[doc(alias = "cuCheckpointProcessCheckpoint")]
    pub unsafe fn checkpoint(self) -> Result<()> {
        // SAFETY: it takes no arguments. The caller answers for memory of the host.
        self.explained(unsafe { check!(cuCheckpointProcessCheckpoint(self.0, null_mut())) })
    }

    /// Moves the memory of the process back to the GPUs. The process must be checkpointed, and is locked afterwards. Wraps
    /// `cuCheckpointProcessRestore`. Since CUDA 12.8.
    ///
    /// `moved` are pairs of GPUs: a GPU that the process has used, and a GPU of the same type that it uses from now on. If
    /// `moved` is not empty, it must name every GPU that the process has used.
    ///
    /// If the persistence mode of the GPUs is off, the calling process must have called [`init`](crate::init) before.
    ///
    /// # Blocking
    ///
    /// Until the memory is copied.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::state`].
    /// - [`Code::IllegalState`]: the process is not [`Checkpointed`](ProcessState::Checkpointed).
    /// - [`Code::InvalidValue`]: the driver refuses the pairs.
    ///
    /// # Safety
    ///
    /// Same as [`checkpoint`](Process::checkpoint).
    #[doc(alias("cuCheckpointProcessRestore", "CUcheckpointGpuPair"))]
    pub unsafe fn restore(self, moved: &[(Uuid, Uuid)]) -> Result<()> {
        self.restore_to(moved, null_mut())
    }

    /// Unlocks the process. Wraps `cuCheckpointProcessUnlock`. Since CUDA 12.8.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::state`].
    /// - [`Code::IllegalState`]: the process is not [`Locked`](ProcessState::Locked).
    #[doc(alias = "cuCheckpointProcessUnlock")]
    pub fn unlock(self) -> Result<()> {
        // SAFETY: it takes no arguments.
        self.explained(unsafe { check!(cuCheckpointProcessUnlock(self.0, null_mut())) })
    }

    /// Maps the GPU memory of the process to addresses of this process, for the caller to copy. Wraps
    /// `cuCheckpointProcessCheckpoint`. Since CUDA 13.4; not run on hardware.
    ///
    /// The process must be another one, and locked. The calling process must keep alive the primary contexts of all
    /// devices that the other process uses.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::checkpoint`].
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the process is this one.
    /// - [`Code::NotInitialized`]: the calling process has not initialised the driver.
    /// - [`Code::NotSupported`]: the driver cannot map the memory of the process.
    /// - [`Code::InvalidContext`]: a primary context is missing.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.4.
    #[doc(alias("cuCheckpointProcessCheckpoint", "CUcheckpointCheckpointArgs"))]
    pub fn checkpoint_to_custom_storage(self) -> Result<CustomStorage> {
        CustomStorage::from_call(Symbol::cuCheckpointProcessCheckpoint, &|info| {
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

    /// Maps the memory that the process will have to addresses of this process, for the caller to fill. Wraps
    /// `cuCheckpointProcessRestore`. Since CUDA 13.4; not run on hardware.
    ///
    /// `moved` is as for [`restore`](Process::restore). The process must be another one, and checkpointed. The calling process
    /// must keep alive the primary contexts of all devices that the other process will use.
    ///
    /// # Errors
    ///
    /// - Same as [`Process::restore`].
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the process is this one.
    /// - [`Code::NotInitialized`]: the calling process has not initialised the driver.
    /// - [`Code::NotSupported`]: the driver cannot map the memory of the process.
    /// - [`Code::InvalidContext`]: a primary context is missing.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.4.
    #[doc(alias("cuCheckpointProcessRestore", "CUcheckpointRestoreArgs"))]
    pub fn restore_from_custom_storage(self, moved: &[(Uuid, Uuid)]) -> Result<CustomStorage> {
        CustomStorage::from_call(Symbol::cuCheckpointProcessRestore, &|info| {
            self.refuse_own(Symbol::cuCheckpointProcessRestore)?;
            self.restore_to(moved, info)
        })
    }

    /// Refuses this process: its threads could use memory that the driver moves. A driver might
    /// take 0 for this process.
    fn refuse_own(self, call: Symbol) -> Result<()> {
        let text = match self.0 {
            0 => "process 0, which a driver may take for this one",
            _ if self == Process::current() || self.is_own_thread() => "the process is this one",
            _ => return Ok(()),
        };
        Err(Error::invalid_for(call, format_args!("{text}; name another process")))
    }

    /// Returns whether the number is that of a thread of this process. The system accepts it in place of the process.
    fn is_own_thread(self) -> bool {
        cfg!(target_os = "linux") && Path::new("/proc/self/task").join(self.0.to_string()).exists()
    }

    fn restore_to(self, moved: &[(Uuid, Uuid)], info: *mut *mut CUcheckpointCustomStorageInfo) -> Result<()> {
        let pair =
            |(old, new): &(Uuid, Uuid)| CUcheckpointGpuPair { oldUuid: old.to_raw(), newUuid: new.to_raw() };
        let mut pairs: Vec<CUcheckpointGpuPair> = moved.iter().map(pair).collect_vec();
        let mut arguments =
            CUcheckpointRestoreArgs { customStorageInfo_out: info, ..CUcheckpointRestoreArgs::default() };
        if !pairs.is_empty() {
            arguments.gpuPairs = pairs.as_mut_ptr();
            // No machine has so many GPUs. The driver refuses pairs of GPUs that it does not have.
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
        symbol: Symbol,
        call: &dyn Fn(*mut *mut CUcheckpointCustomStorageInfo) -> Result<()>,
    ) -> Result<CustomStorage> {
        // Older drivers ignore the place for the answer, and would copy to host memory.
        if let Some(missing) = cuda_sys::driver()?.missing(Symbol::cuCheckpointOperationComplete) {
            return Err(missing.into());
        }
        let mut info: *mut CUcheckpointCustomStorageInfo = null_mut();
        let begun = call(&raw mut info);
        if info.is_null() {
            begun?;
            return Err(Error::invalid_for(
                symbol,
                format_args!("the driver reported success without an operation"),
            ));
        }
        // The operation is returned even if the call reports an earlier failure: the process waits for its end.
        // SAFETY: the driver has made it for an operation that it has begun.
        Ok(unsafe { CustomStorage::from_raw(info) })
    }

    /// Takes ownership of an operation that a raw call has begun.
    ///
    /// # Safety
    ///
    /// `info` is null, or the result of `cuCheckpointProcessCheckpoint` or `cuCheckpointProcessRestore` for an operation that is
    /// not completed. No other code completes the operation.
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
        CustomStorage { handle, devices: devices.iter().map(memory).collect_vec() }
    }

    /// Returns the memory of each device that the process uses.
    pub fn devices(&self) -> &[StoredMemory] {
        &self.devices
    }

    /// Completes the operation. Wraps `cuCheckpointOperationComplete`. Since CUDA 13.4; not run on hardware.
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
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.4.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the operation is null.
    /// - [`Code::StreamCaptureUnsupported`]: one of the streams is being captured.
    /// - [`Code::NotInitialized`]: this process has not initialised the driver.
    /// - [`Code::NotSupported`]: the driver does not support such operations.
    /// - [`Code::IllegalState`]: the process is not in a state in which the operation can be completed.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - After a restoration, all bytes of the memory are as they were at the checkpoint. The copies that restore them are done,
    ///   or are queued on the stream of the memory. Otherwise the process would go on with other data.
    /// - No code uses the addresses afterwards.
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

/// Returns the milliseconds of a limit. 0 would mean no limit.
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
