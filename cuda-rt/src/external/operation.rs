//! Signals of semaphores, and waits for them.

#![allow(unsafe_code)]

use super::semaphore::{ExternalSemaphore, SemaphoreKind};
use crate::completion::retire;
use crate::context::{Context, different_contexts};
use crate::error::{Code, Error, OrDetail, Result};
use crate::event::{Event, EventFlags};
use crate::list::CollectVec;
use crate::stream::{Stream, call_on};
use crate::text::list;
use core::ffi::{c_uint, c_void};
use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr::null_mut;
use core::time::Duration;
use cuda_sys::{
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS as SignalParams,
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1 as SignalValues,
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1__bindgen_ty_1 as SignalFence,
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1__bindgen_ty_2 as SignalSciFence,
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1__bindgen_ty_3 as SignalKey,
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC as SIGNAL_WITHOUT_SYNC,
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS as WaitParams,
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1 as WaitValues,
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1__bindgen_ty_1 as WaitFence,
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1__bindgen_ty_2 as WaitSciFence,
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1__bindgen_ty_3 as WaitKey,
    CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC as WAIT_WITHOUT_SYNC, CUexternalSemaphore, Symbol,
};
use std::sync::Arc;

/// `INFINITE` of Windows.
const FOREVER: u32 = u32::MAX;

/// The parameters of a signal or a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Binary,
    Value(u64),
    Key { key: u64, timeout_ms: u32 },
    NvSciSync { fence: *mut c_void, skips_sync: bool },
}

impl Detail {
    fn kind(self) -> SemaphoreKind {
        match self {
            Detail::Binary => SemaphoreKind::Binary,
            Detail::Value(_) => SemaphoreKind::Value,
            Detail::Key { .. } => SemaphoreKind::KeyedMutex,
            Detail::NvSciSync { .. } => SemaphoreKind::NvSciSync,
        }
    }

    fn value(self) -> u64 {
        if let Detail::Value(value) = self { value } else { 0 }
    }

    fn key(self) -> (u64, u32) {
        if let Detail::Key { key, timeout_ms } = self { (key, timeout_ms) } else { (0, 0) }
    }

    fn fence(self) -> (*mut c_void, bool) {
        if let Detail::NvSciSync { fence, skips_sync } = self {
            (fence, skips_sync)
        } else {
            (null_mut(), false)
        }
    }
}

/// A signal of a semaphore, or a wait for it.
#[derive(Clone, PartialEq, Eq)]
struct Operation {
    semaphore: ExternalSemaphore,
    detail: Detail,
}

// SAFETY: the fence is the only pointer. The code that named it has promised that signals and waits may use it.
unsafe impl Send for Operation {}
// SAFETY: as above.
unsafe impl Sync for Operation {}

impl Operation {
    fn new(semaphore: &ExternalSemaphore, detail: Detail) -> Operation {
        Operation { semaphore: semaphore.clone(), detail }
    }

    /// Checks that the semaphore is of the kind that the operation is for, and of `context`.
    fn check(&self, call: Symbol, context: &Context, place: &str) -> Result<()> {
        let (kind, wanted) = (self.semaphore.kind(), self.detail.kind());
        if kind != wanted {
            return Err(Error::invalid_for(
                call,
                format_args!(
                    "the semaphore is of kind {kind:?}, the operation is for kind {wanted:?}; make one for this kind"
                ),
            ));
        }
        if self.semaphore.context() != context {
            return Err(different_contexts(
                call,
                [("the semaphore", self.semaphore.context()), (place, context)],
            ));
        }
        Ok(())
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Operation")
            .field("semaphore", &self.semaphore.as_raw())
            .field("detail", &self.detail)
            .finish()
    }
}

/// A signal of a semaphore, for [`Stream::signal_semaphores`], captures and graphs.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # let Some(theirs) = cuda_sim::external::Semaphore::timeline(0) else { return Ok(()) };
/// # use cuda_rt::external::{ExternalSemaphore, ExternalSemaphoreHandle, SemaphoreSignal};
/// # let handle = ExternalSemaphoreHandle::TimelineFd(theirs.export().unwrap());
/// # // SAFETY: nothing is signalled.
/// # let semaphore = unsafe { ExternalSemaphore::import(&context, handle) }?;
/// let third = SemaphoreSignal::value(&semaphore, 3);
/// assert_eq!(third.semaphore(), &semaphore);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SemaphoreSignal(Operation);

impl SemaphoreSignal {
    /// Signals a [binary](SemaphoreKind::Binary) semaphore.
    pub fn binary(semaphore: &ExternalSemaphore) -> SemaphoreSignal {
        SemaphoreSignal(Operation::new(semaphore, Detail::Binary))
    }

    /// Sets a [timeline semaphore or a fence](SemaphoreKind::Value) to `value`.
    pub fn value(semaphore: &ExternalSemaphore, value: u64) -> SemaphoreSignal {
        SemaphoreSignal(Operation::new(semaphore, Detail::Value(value)))
    }

    /// Releases a [mutex](SemaphoreKind::KeyedMutex) with `key`.
    pub fn key(semaphore: &ExternalSemaphore, key: u64) -> SemaphoreSignal {
        SemaphoreSignal(Operation::new(semaphore, Detail::Key { key, timeout_ms: 0 }))
    }

    /// Writes a fence of an [`NvSciSync`](SemaphoreKind::NvSciSync) object, for which other users of the object can wait.
    ///
    /// # Safety
    ///
    /// - `fence` is valid for writes of an `NvSciSyncFence` whenever this signal is queued.
    /// - It stays valid as long as a capture, a graph or an executable graph has a node with this signal. This includes clones of
    ///   the graph.
    /// - No other code uses the fence while this signal is queued; while such a node is added, changed or read; and while such a
    ///   graph is cloned, instantiated or launched.
    pub unsafe fn nv_sci_sync(semaphore: &ExternalSemaphore, fence: *mut c_void) -> SemaphoreSignal {
        SemaphoreSignal(Operation::new(semaphore, Detail::NvSciSync { fence, skips_sync: false }))
    }

    /// Leaves memory of `NvSciBuf` as it is. Otherwise, the signal makes earlier writes to such memory visible to other APIs.
    ///
    /// # Safety
    ///
    /// No other API reads what earlier work has written to memory of `NvSciBuf`, until another signal makes the writes visible.
    #[must_use]
    #[doc(alias = "CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC")]
    pub unsafe fn skip_memory_sync(mut self) -> SemaphoreSignal {
        if let Detail::NvSciSync { skips_sync, .. } = &mut self.0.detail {
            *skips_sync = true;
        }
        self
    }

    /// Returns the semaphore.
    pub fn semaphore(&self) -> &ExternalSemaphore {
        &self.0.semaphore
    }

    fn params(&self) -> SignalParams {
        let (fence, skips_sync) = self.0.detail.fence();
        SignalParams {
            params: SignalValues {
                fence: SignalFence { value: self.0.detail.value() },
                nvSciSync: SignalSciFence { fence },
                keyedMutex: SignalKey { key: self.0.detail.key().0 },
                reserved: [0; 12],
            },
            flags: if skips_sync { SIGNAL_WITHOUT_SYNC } else { 0 },
            reserved: [0; 16],
        }
    }
}

/// A wait for a semaphore, for [`Stream::wait_semaphores`], captures and graphs.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # let Some(theirs) = cuda_sim::external::Semaphore::binary() else { return Ok(()) };
/// # use cuda_rt::external::{ExternalSemaphore, ExternalSemaphoreHandle, SemaphoreWait};
/// # let handle = ExternalSemaphoreHandle::OpaqueFd(theirs.export().unwrap());
/// # // SAFETY: nothing is awaited.
/// # let semaphore = unsafe { ExternalSemaphore::import(&context, handle) }?;
/// let signalled = SemaphoreWait::binary(&semaphore);
/// assert_eq!(signalled.semaphore(), &semaphore);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SemaphoreWait(Operation);

impl SemaphoreWait {
    /// Waits until a [binary](SemaphoreKind::Binary) semaphore is signalled, and resets it.
    pub fn binary(semaphore: &ExternalSemaphore) -> SemaphoreWait {
        SemaphoreWait(Operation::new(semaphore, Detail::Binary))
    }

    /// Waits until a [timeline semaphore or a fence](SemaphoreKind::Value) is at least `value`.
    pub fn value(semaphore: &ExternalSemaphore, value: u64) -> SemaphoreWait {
        SemaphoreWait(Operation::new(semaphore, Detail::Value(value)))
    }

    /// Acquires a [mutex](SemaphoreKind::KeyedMutex) when it is released with `key`. Waits for `timeout` at most; with
    /// `None`, waits forever. The timeout is rounded down to whole milliseconds, and to at most 4,294,967,294 of them.
    pub fn key(semaphore: &ExternalSemaphore, key: u64, timeout: Option<Duration>) -> SemaphoreWait {
        let most = u128::from(FOREVER - 1);
        let timeout_ms = timeout.map_or(FOREVER, |timeout| timeout.as_millis().min(most) as u32);
        SemaphoreWait(Operation::new(semaphore, Detail::Key { key, timeout_ms }))
    }

    /// Waits for a fence of an [`NvSciSync`](SemaphoreKind::NvSciSync) object.
    ///
    /// # Safety
    ///
    /// - `fence` is valid for reads of an `NvSciSyncFence` whenever this wait is queued.
    /// - It stays valid as long as a capture, a graph or an executable graph has a node with this wait. This includes clones of
    ///   the graph.
    /// - No other code changes the fence while this wait is queued; while such a node is added, changed or read; and while such a
    ///   graph is cloned, instantiated or launched.
    pub unsafe fn nv_sci_sync(semaphore: &ExternalSemaphore, fence: *mut c_void) -> SemaphoreWait {
        SemaphoreWait(Operation::new(semaphore, Detail::NvSciSync { fence, skips_sync: false }))
    }

    /// Leaves memory of `NvSciBuf` as it is. Otherwise, the wait makes writes of other APIs to such memory visible to later work.
    ///
    /// # Safety
    ///
    /// Later work reads nothing that another API has written to memory of `NvSciBuf`, until another wait makes the writes
    /// visible.
    #[must_use]
    #[doc(alias = "CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC")]
    pub unsafe fn skip_memory_sync(mut self) -> SemaphoreWait {
        if let Detail::NvSciSync { skips_sync, .. } = &mut self.0.detail {
            *skips_sync = true;
        }
        self
    }

    /// Returns the semaphore.
    pub fn semaphore(&self) -> &ExternalSemaphore {
        &self.0.semaphore
    }

    fn params(&self) -> WaitParams {
        let (fence, skips_sync) = self.0.detail.fence();
        let (key, timeout_ms) = self.0.detail.key();
        WaitParams {
            params: WaitValues {
                fence: WaitFence { value: self.0.detail.value() },
                nvSciSync: WaitSciFence { fence },
                keyedMutex: WaitKey { key, timeoutMs: timeout_ms },
                reserved: [0; 10],
            },
            flags: if skips_sync { WAIT_WITHOUT_SYNC } else { 0 },
            reserved: [0; 16],
        }
    }
}

/// A batch of signals or waits in the form that the driver takes, with the semaphores.
pub(crate) struct RawSemaphores<P> {
    pub(crate) handles: Vec<CUexternalSemaphore>,
    pub(crate) params: Vec<P>,
    pub(crate) count: c_uint,
    pub(crate) kept: Vec<ExternalSemaphore>,
}

impl<P> RawSemaphores<P> {
    /// Checks a batch for `call`. `place` names the owner of the context.
    fn new<'o>(
        (call, context, place): (Symbol, &Context, &str),
        operations: impl ExactSizeIterator<Item = (&'o Operation, P)>,
    ) -> Result<RawSemaphores<P>> {
        let len = operations.len();
        let count = c_uint::try_from(len).map_err(|_| {
            Error::invalid_for(
                call,
                format_args!("{len} semaphores are more than the {} of a batch", c_uint::MAX),
            )
        })?;
        let (mut handles, mut params, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for (operation, operation_params) in operations {
            operation.check(call, context, place)?;
            handles.push(operation.semaphore.as_raw());
            params.push(operation_params);
            kept.push(operation.semaphore.clone());
        }
        Ok(RawSemaphores { handles, params, count, kept })
    }

    /// Names the semaphores in errors.
    pub(crate) fn describe(&self) -> String {
        let named = |semaphore: &ExternalSemaphore| {
            format!("{:#x} of kind {:?}", semaphore.as_raw().addr(), semaphore.kind())
        };
        format!("{} semaphores: {}", self.count, list(&self.kept.iter().map(named).collect_vec()))
    }
}

/// Checks signals for `call`. `place` names the owner of the context.
pub(crate) fn raw_signals(
    signals: &[SemaphoreSignal],
    call: Symbol,
    context: &Context,
    place: &str,
) -> Result<RawSemaphores<SignalParams>> {
    let operations = signals.iter().map(|signal| (&signal.0, signal.params()));
    RawSemaphores::new((call, context, place), operations)
}

/// Checks waits for `call`. `place` names the owner of the context.
pub(crate) fn raw_waits(
    waits: &[SemaphoreWait],
    call: Symbol,
    context: &Context,
    place: &str,
) -> Result<RawSemaphores<WaitParams>> {
    let operations = waits.iter().map(|wait| (&wait.0, wait.params()));
    RawSemaphores::new((call, context, place), operations)
}

/// Queues signals or waits by `queue`, which makes `call`, and keeps the semaphores until they are done.
fn queue_on<P>(
    stream: &Stream,
    call: Symbol,
    batch: RawSemaphores<P>,
    queue: impl Fn(&RawSemaphores<P>) -> Result<()>,
) -> Result<()> {
    if batch.count == 0 {
        return Ok(());
    }
    // A graph would need the semaphores for all its launches.
    stream.refuse_capture(call)?;
    let mark = Event::with_flags(stream.context(), EventFlags::DISABLE_TIMING)?;
    let queued = call_on(stream, call, || queue(&batch))
        .or_detail(&[Code::InvalidValue, Code::InvalidHandle, Code::NotSupported], &|| batch.describe());
    // Also after a failure, which may be one of earlier work.
    let marked = mark.record(stream).map(drop);
    match &marked {
        Ok(()) => retire(Arc::new(mark), batch.kept),
        Err(_) => match stream.is_done() {
            Ok(true) => drop(batch.kept),
            // The end of these operations is never known. After a sticky error they are kept as those of marked operations are.
            Ok(false) | Err(_) => {
                let _ = ManuallyDrop::new(batch.kept);
            }
        },
    }
    queued.and(marked)
}

impl Stream {
    /// Signals semaphores when the earlier work of the stream is done. The call does not wait. Wraps
    /// `cuSignalExternalSemaphoresAsync`, `cuEventCreate` and `cuEventRecord`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a semaphore belongs to another context, or an operation
    ///   does not fit the kind of its semaphore.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): other code is capturing the stream.
    /// - [`Code::NotSupported`]: an `NvSciSync` object was not created for signals.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let Some(theirs) = cuda_sim::external::Semaphore::timeline(0) else { return Ok(()) };
    /// # use cuda_rt::external::{ExternalSemaphore, ExternalSemaphoreHandle, SemaphoreSignal, SemaphoreWait};
    /// # let handle = ExternalSemaphoreHandle::TimelineFd(theirs.export().unwrap());
    /// # // SAFETY: this stream alone signals it.
    /// # let semaphore = unsafe { ExternalSemaphore::import(&context, handle) }?;
    /// stream.signal_semaphores(&[SemaphoreSignal::value(&semaphore, 2)])?;
    /// stream.wait_semaphores(&[SemaphoreWait::value(&semaphore, 1)])?;
    /// stream.synchronize()?;
    /// # assert_eq!(theirs.value(), 2);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuSignalExternalSemaphoresAsync", "cudaSignalExternalSemaphoresAsync"))]
    pub fn signal_semaphores(&self, signals: &[SemaphoreSignal]) -> Result<()> {
        const CALL: Symbol = Symbol::cuSignalExternalSemaphoresAsync;
        let batch = raw_signals(signals, CALL, self.context(), "the stream")?;
        queue_on(self, CALL, batch, |batch| {
            let (handles, params) = (batch.handles.as_ptr(), batch.params.as_ptr());
            // SAFETY: the lists have this length. The semaphores are live, and of these kinds. The stream is live, and its context is
            // current if its handle does not name it.
            unsafe { check!(cuSignalExternalSemaphoresAsync(handles, params, batch.count, self.raw())) }
        })
    }

    /// Makes later work of the stream wait for semaphores. The host does not wait. Wraps `cuWaitExternalSemaphoresAsync`,
    /// `cuEventCreate` and `cuEventRecord`.
    ///
    /// The stream does not go on before the other API, or other work, has signalled the semaphores. Nothing else ends the wait.
    /// Some other calls wait, too: see [*Waits that are not signalled*](crate::external#waits-that-are-not-signalled).
    ///
    /// # Errors
    ///
    /// - [`Code::NotSupported`]: an `NvSciSync` object was not created for waits.
    /// - [`Code::Timeout`]: a mutex was not released in time.
    /// - Otherwise same as [`signal_semaphores`](Stream::signal_semaphores).
    #[doc(alias("cuWaitExternalSemaphoresAsync", "cudaWaitExternalSemaphoresAsync"))]
    pub fn wait_semaphores(&self, waits: &[SemaphoreWait]) -> Result<()> {
        const CALL: Symbol = Symbol::cuWaitExternalSemaphoresAsync;
        let batch = raw_waits(waits, CALL, self.context(), "the stream")?;
        queue_on(self, CALL, batch, |batch| {
            let (handles, params) = (batch.handles.as_ptr(), batch.params.as_ptr());
            // SAFETY: as for signals.
            unsafe { check!(cuWaitExternalSemaphoresAsync(handles, params, batch.count, self.raw())) }
        })
    }
}
