//! Semaphores of other APIs, from the stand-in: import, signals and waits.
//!
//! A semaphore is a number in an unnamed file. All holders of a descriptor of the file share it. A binary semaphore is
//! signalled if the number is not 0.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments::list;
use crate::driver::memory::host_block::Block;
use crate::driver::memory::shared_mapping::{Store, close};
use crate::driver::operations::{OpId, SHORT, StreamId};
use crate::driver::queues::queue::Work;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_int, c_uint};
use core::sync::atomic::{AtomicU64, Ordering};
use cuda_sys::{
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS,
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUexternalSemaphore, CUexternalSemaphoreHandleType_enum as Type,
    CUresult, CUstream,
};
#[cfg(unix)]
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::Arc;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Size of the file of a semaphore in bytes.
const LEN: u64 = 4096;

/// Semaphore that other APIs may share.
pub(crate) struct SharedSemaphore {
    store: Store,
    /// Mapping of the store.
    block: Block,
    is_binary: bool,
}

impl SharedSemaphore {
    fn name(is_binary: bool) -> &'static str {
        if is_binary { "binary-semaphore" } else { "timeline-semaphore" }
    }

    /// Creates a semaphore. Returns `None` if the system refuses.
    pub(crate) fn new(is_binary: bool) -> Option<SharedSemaphore> {
        let store = Store::new(LEN, SharedSemaphore::name(is_binary))?;
        Some(SharedSemaphore { block: store.block()?, store, is_binary })
    }

    /// Returns the semaphore of a file descriptor, if it is one.
    fn import(file: c_int) -> Option<SharedSemaphore> {
        let (store, name) = Store::import(file)?;
        let is_binary =
            [true, false].into_iter().find(|is_binary| SharedSemaphore::name(*is_binary) == name)?;
        Some(SharedSemaphore { block: store.block()?, store, is_binary })
    }

    /// Returns a new file descriptor.
    #[cfg(unix)]
    pub(crate) fn export(&self) -> Option<OwnedFd> {
        let file = self.store.export()?;
        // SAFETY: a new descriptor, which no other code owns.
        Some(unsafe { OwnedFd::from_raw_fd(file) })
    }

    fn number(&self) -> &AtomicU64 {
        // SAFETY: the block is larger, more strictly aligned, and lives as long as `self`. All users of it use this
        // atomic only.
        unsafe { self.block.start().cast().as_ref() }
    }

    pub(crate) fn value(&self) -> u64 {
        self.number().load(Ordering::Acquire)
    }

    /// Sets the number, which may be smaller than before (measured).
    pub(crate) fn signal(&self, value: u64) {
        self.number().store(if self.is_binary { 1 } else { value }, Ordering::Release);
    }

    /// Returns whether a wait ends. If so, resets a binary semaphore.
    pub(crate) fn take(&self, value: u64) -> bool {
        if self.is_binary {
            return self.number().compare_exchange(1, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        }
        self.value() >= value
    }

    pub(crate) fn is_same(&self, other: &SharedSemaphore) -> bool {
        self.store.is_same(&other.store)
    }
}

/// Imported semaphore.
pub(crate) struct Imported {
    context: Handle,
    shared: Arc<SharedSemaphore>,
}

/// Semaphores of a machine.
pub(crate) struct Semaphores {
    pub(crate) imported: crate::driver::handles::Handles<Imported>,
    /// Queued signals.
    signals: Vec<(Arc<SharedSemaphore>, OpId)>,
}

impl Semaphores {
    pub(crate) fn new(numbers: crate::driver::handles::Numbers) -> Semaphores {
        Semaphores { imported: crate::driver::handles::Handles::new(numbers), signals: Vec::new() }
    }
}

/// Signal or wait, in a form that can be executed several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SemaphoreOperation {
    pub(crate) semaphore: Handle,
    pub(crate) value: u64,
}

/// Work of a captured stream on semaphores.
pub(crate) enum SemaphoreWork {
    Signal(Vec<SemaphoreOperation>),
    Wait(Vec<SemaphoreOperation>),
}

impl State {
    /// Returns a live semaphore. Drivers crash on a destroyed one.
    fn semaphore(&self, semaphore: Handle) -> Answer<&Imported> {
        self.semaphores.imported.get(semaphore).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    /// Removes the semaphores of a context.
    pub(crate) fn end_semaphores_of_context(&mut self, context: Handle) {
        self.semaphores.imported.retain(|semaphore| semaphore.context != context);
    }

    /// Returns the queued signals of a semaphore.
    pub(crate) fn signals_of(&mut self, semaphore: &SharedSemaphore) -> Vec<OpId> {
        let queue = &self.queue;
        self.semaphores.signals.retain(|(_, op)| queue.has(*op));
        let of_it = self.semaphores.signals.iter().filter(|(signalled, _)| signalled.is_same(semaphore));
        of_it.map(|(_, op)| *op).collect()
    }

    fn note_signals(&mut self, signalled: Vec<Arc<SharedSemaphore>>, op: Option<OpId>) {
        let queue = &self.queue;
        self.semaphores.signals.retain(|(_, op)| queue.has(*op));
        let op = op.into_iter();
        self.semaphores
            .signals
            .extend(op.flat_map(|op| signalled.iter().map(move |semaphore| (semaphore.clone(), op))));
    }

    /// Refuses a batch if one of its semaphores was destroyed.
    pub(crate) fn check_semaphores(&self, operations: &[SemaphoreOperation]) -> Answer {
        operations.iter().try_for_each(|operation| self.semaphore(operation.semaphore).map(drop))
    }

    fn shared(&self, operations: &[SemaphoreOperation]) -> Vec<(Arc<SharedSemaphore>, u64)> {
        let shared = |operation: &SemaphoreOperation| {
            let found = self.semaphores.imported.get(operation.semaphore)?;
            Some((found.shared.clone(), operation.value))
        };
        operations.iter().filter_map(shared).collect()
    }

    /// Queues signals, as a node of a graph does.
    pub(crate) fn push_signals(
        &mut self,
        on: (StreamId, Handle),
        after: Vec<OpId>,
        operations: &[SemaphoreOperation],
    ) -> OpId {
        let shared = self.shared(operations);
        let signalled = shared.iter().map(|(semaphore, _)| semaphore.clone()).collect();
        let task = move |_: &mut State| {
            shared.iter().for_each(|(semaphore, value)| semaphore.signal(*value));
            Ok(())
        };
        let op = self.push_after(on, after, SHORT, Work::Task(Box::new(task)));
        self.note_signals(signalled, Some(op));
        op
    }

    /// Queues waits one after the other, as a node of a graph does. Returns the last one.
    pub(crate) fn push_waits(
        &mut self,
        on: (StreamId, Handle),
        mut after: Vec<OpId>,
        operations: &[SemaphoreOperation],
    ) -> OpId {
        for (semaphore, value) in self.shared(operations) {
            after = vec![self.push_after(on, after, SHORT, Work::AwaitSemaphore(semaphore, value))];
        }
        self.push_after(on, after, 0, Work::Task(Box::new(|_| Ok(()))))
    }
}

/// Imports a semaphore. The driver closes the file after a success.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn import(
    call: &mut Call<'_>,
    to: *mut CUexternalSemaphore,
    description: *const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC,
) -> Answer {
    check_out(to)?;
    if description.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let given = unsafe { description.read() };
    if given.flags != 0 {
        return Err(INVALID);
    }
    let is_binary = match given.type_ {
        Type::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD => true,
        Type::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD => false,
        Type(number) if (1..=10).contains(&number) => {
            let is_sci = given.type_ == Type::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC;
            // SAFETY: descriptions of all these types begin with a pointer.
            let has_object = !unsafe { given.handle.nvSciSyncObj }.is_null();
            // SAFETY: descriptions of the other types have a second pointer.
            let has_object = has_object || !is_sci && !unsafe { given.handle.win32 }.name.is_null();
            return Err(if has_object { CUresult::CUDA_ERROR_NOT_SUPPORTED } else { INVALID });
        }
        _ => return Err(INVALID),
    };
    // SAFETY: a description of this type has this member.
    let file = unsafe { given.handle.fd };
    // The types differ in this respect (measured).
    if file < 0 && !is_binary {
        return Err(INVALID);
    }
    // Hardware accepts one type for the other, and memory for a semaphore.
    let shared = SharedSemaphore::import(file).filter(|found| found.is_binary == is_binary);
    let shared = Arc::new(shared.ok_or(CUresult::CUDA_ERROR_UNKNOWN)?);
    close(file);
    let handle = call.state.semaphores.imported.insert(Imported { context: call.context, shared });
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// Destroys a semaphore after the work of its context (measured).
pub(crate) fn destroy(call: &mut Call<'_>, semaphore: CUexternalSemaphore) -> Answer {
    if semaphore.is_null() {
        return Err(INVALID);
    }
    let handle = Handle::of(semaphore);
    let context = call.state.semaphore(handle)?.context;
    let ops = call.state.own_work(context);
    call.wait_then(ops, move |state| {
        state.semaphores.imported.remove(handle);
        Ok(())
    })
}

/// Reads the lists of a batch.
///
/// # Safety
///
/// Both lists are valid for `count` reads, or null.
pub(crate) unsafe fn read_lists<P: Copy>(
    semaphores: *const CUexternalSemaphore,
    params: *const P,
    count: c_uint,
) -> Answer<Vec<(Handle, P)>> {
    // SAFETY: the caller's promise.
    let semaphores = unsafe { list(semaphores, count as usize) }?;
    // SAFETY: as above.
    let params = unsafe { list(params, count as usize) }?;
    Ok(semaphores.into_iter().map(Handle::of).zip(params).collect())
}

/// Parameters of signals or waits.
pub(crate) trait Params: Copy {
    fn value(&self) -> u64;

    /// Refuses flags and reserved members that semaphores of these types do not have (measured).
    fn check(&self) -> Answer;

    fn shown(value: u64) -> Self;
}

macro_rules! params {
    ($type:ident) => {
        impl Params for $type {
            fn value(&self) -> u64 {
                self.params.fence.value
            }

            fn check(&self) -> Answer {
                let is_zero = self.flags == 0
                    && self.reserved.iter().chain(&self.params.reserved).all(|number| *number == 0);
                if is_zero { Ok(()) } else { Err(INVALID) }
            }

            fn shown(value: u64) -> Self {
                // SAFETY: all members may be zero.
                let mut params: $type = unsafe { core::mem::zeroed() };
                params.params.fence.value = value;
                params
            }
        }
    };
}
params!(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS);
params!(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS);

/// Checks a batch for a stream.
///
/// # Safety
///
/// As the driver API demands.
unsafe fn batch<P: Params>(
    call: &mut Call<'_>,
    (semaphores, params, count): (*const CUexternalSemaphore, *const P, c_uint),
    stream: CUstream,
) -> Answer<(Vec<SemaphoreOperation>, (StreamId, Handle))> {
    // SAFETY: the caller's promise.
    let given = unsafe { read_lists(semaphores, params, count) }?;
    let Some((first, _)) = given.first() else { return Err(INVALID) };
    let context = call.state.semaphore(*first)?.context;
    // Without a current context, the null stream belongs to the context of the semaphore (measured).
    let on = match call.state.stream(stream) {
        Err(CUresult::CUDA_ERROR_INVALID_CONTEXT) if stream.is_null() => (StreamId::Legacy(context), context),
        on => on?,
    };
    let mut operations = Vec::with_capacity(given.len());
    for (semaphore, params) in given {
        if call.state.semaphore(semaphore)?.context != on.1 {
            return Err(INVALID);
        }
        params.check()?;
        operations.push(SemaphoreOperation { semaphore, value: params.value() });
    }
    Ok((operations, on))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn signal(
    call: &mut Call<'_>,
    semaphores: *const CUexternalSemaphore,
    params: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS,
    count: c_uint,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    let (operations, on) = unsafe { batch(call, (semaphores, params, count), stream) }?;
    if call.state.is_captured(on)? {
        call.state.append(on.0, SemaphoreWork::Signal(operations));
        return Ok(());
    }
    let shared = call.state.shared(&operations);
    let signalled = shared.iter().map(|(semaphore, _)| semaphore.clone()).collect();
    let op = call.state.submit(on, None, SHORT, move |_| {
        shared.iter().for_each(|(semaphore, value)| semaphore.signal(*value));
        Ok(())
    });
    call.state.note_signals(signalled, op);
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn wait(
    call: &mut Call<'_>,
    semaphores: *const CUexternalSemaphore,
    params: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS,
    count: c_uint,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    let (operations, on) = unsafe { batch(call, (semaphores, params, count), stream) }?;
    if call.state.is_captured(on)? {
        call.state.append(on.0, SemaphoreWork::Wait(operations));
        return Ok(());
    }
    for (semaphore, value) in call.state.shared(&operations) {
        call.state.submit_work(on, SHORT, Work::AwaitSemaphore(semaphore, value));
    }
    Ok(())
}
