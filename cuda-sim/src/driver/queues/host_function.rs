//! Functions of the program that the driver calls in the order of a stream.
//!
//! They run on threads of their own. The functions of a context run one after the other, in the order of their streams.
//! They must not call the driver, and many functions of it return `NOT_PERMITTED` there (measured). Hardware has one
//! thread for each context, as long as the context lives. Here a thread ends when there is no function to call, and may
//! call functions of several contexts in turn.

#![allow(unsafe_code)]

use crate::collections::IdSet;
use crate::driver::handles::Handle;
use crate::driver::operations::{OpId, SHORT};
use crate::driver::queues::queue::Work;
use crate::driver::{Answer, Call};
use crate::float_environment;
use core::cell::Cell;
use core::ffi::{c_uint, c_void};
use cuda_sys::{CUhostFn, CUhostTaskSyncMode, CUresult, CUstream, CUstreamCallback};
use std::collections::VecDeque;

/// Function and its arguments.
pub(crate) enum HostCall {
    /// Callback that receives the outcome of the work before it, and always runs.
    Stream {
        function: unsafe extern "C" fn(CUstream, CUresult, *mut c_void),
        stream: Handle,
        status: CUresult,
        data: *mut c_void,
    },
    /// Host function that runs if the work before it succeeded.
    Host { function: unsafe extern "C" fn(*mut c_void), data: *mut c_void },
}

// SAFETY: the program passes the pointer for use on another thread.
unsafe impl Send for HostCall {}

impl HostCall {
    /// Returns the call to make after a failure, if there is one.
    pub(crate) fn after_failure(self, code: CUresult) -> Option<HostCall> {
        match self {
            HostCall::Stream { function, stream, data, .. } => {
                Some(HostCall::Stream { function, stream, status: code, data })
            }
            HostCall::Host { .. } => None,
        }
    }
}

/// Host function of a node of a graph, which is called several times.
#[derive(Clone, Copy)]
pub(crate) struct HostWork {
    pub(crate) function: unsafe extern "C" fn(*mut c_void),
    pub(crate) data: *mut c_void,
}

// SAFETY: the program passes the pointer for use on another thread.
unsafe impl Send for HostWork {}

impl HostWork {
    /// Returns one call of the function.
    pub(crate) fn call(self) -> HostCall {
        HostCall::Host { function: self.function, data: self.data }
    }

    /// Returns the work of one call of the function.
    pub(crate) fn work(self) -> Work {
        Work::HostCall(self.call())
    }
}

/// Functions that are ready to run. Functions of one context run one after the other, for all its streams together.
/// Functions of several contexts run at the same time (measured).
#[derive(Default)]
pub(crate) struct PendingHostCalls {
    functions: VecDeque<(OpId, Handle, HostCall)>,
    /// Contexts whose functions are running.
    running: IdSet<Handle>,
    /// Number of threads that run functions.
    threads: usize,
}

impl PendingHostCalls {
    pub(crate) fn push(&mut self, op: OpId, context: Handle, callback: HostCall) {
        self.functions.push_back((op, context, callback));
    }

    /// Returns whether a context has functions for which no thread exists.
    pub(crate) fn lacks_thread(&self) -> bool {
        if self.functions.is_empty() {
            return false;
        }
        let waiting = self.functions.iter().map(|(_, context, _)| *context);
        let waiting: IdSet<Handle> = waiting.filter(|context| !self.running.contains(*context)).collect();
        waiting.len() + self.running.len() > self.threads
    }

    pub(crate) fn add_thread(&mut self) {
        self.threads += 1;
    }

    pub(crate) fn remove_thread(&mut self) {
        // A thread from before a reset was not counted.
        self.threads = self.threads.saturating_sub(1);
    }

    /// Returns the next function that can run.
    pub(crate) fn begin(&mut self) -> Option<(OpId, Handle, HostCall)> {
        let next = self.functions.iter().position(|(_, context, _)| !self.running.contains(*context))?;
        let function = self.functions.remove(next)?;
        self.running.insert(function.1);
        Some(function)
    }

    /// Records that a function of a context has returned.
    pub(crate) fn end(&mut self, context: Handle) {
        self.running.remove(context);
    }
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static IN_CALL: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread is in a host function or a callback.
#[inline]
pub(crate) fn is_inside() -> bool {
    INSIDE.try_with(Cell::get).unwrap_or(false)
}

/// Returns whether this thread is in a function of the program that a driver call has called.
#[inline]
pub(crate) fn is_in_call() -> bool {
    IN_CALL.try_with(Cell::get).unwrap_or(false)
}

/// Runs a function of the program inside a driver call. The function may call the driver (measured).
pub(crate) fn in_call<R>(work: impl FnOnce() -> R) -> R {
    let outside = IN_CALL.replace(true);
    let result = float_environment::in_program(work);
    IN_CALL.set(outside);
    result
}

/// Runs a function of the program, which can only query the driver.
fn inside<R>(work: impl FnOnce() -> R) -> R {
    let outside = INSIDE.replace(true);
    let result = float_environment::in_program(work);
    INSIDE.set(outside);
    result
}

/// Calls the program's function.
pub(crate) fn run(callback: HostCall) {
    inside(|| match callback {
        // SAFETY: the program's promise at the time of the queueing.
        HostCall::Stream { function, stream, status, data } => unsafe {
            function(stream.pointer(), status, data);
        },
        // SAFETY: as above.
        HostCall::Host { function, data } => unsafe { function(data) },
    });
}

pub(crate) fn add(
    call: &mut Call<'_>,
    stream: CUstream,
    function: CUstreamCallback,
    data: *mut c_void,
    flags: c_uint,
) -> Answer {
    let function = function.filter(|_| flags == 0).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let on = call.state.stream(stream)?;
    call.state.check_uncaptured(on)?;
    let (stream, status) = (Handle::of(stream), CUresult::CUDA_SUCCESS);
    let callback = HostCall::Stream { function, stream, status, data };
    call.state.submit_work(on, SHORT, Work::HostCall(callback));
    Ok(())
}

pub(crate) fn launch_host(
    call: &mut Call<'_>,
    stream: CUstream,
    function: CUhostFn,
    data: *mut c_void,
) -> Answer {
    let function = function.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let on = call.state.stream(stream)?;
    let work = HostWork { function, data };
    if call.state.is_captured(on)? {
        call.state.append(on.0, work);
        return Ok(());
    }
    call.state.submit_work(on, SHORT, work.work());
    Ok(())
}

/// Queues a host function. The mode of the wait makes no difference here. Other modes were not measured.
pub(crate) fn launch_host_in_mode(
    call: &mut Call<'_>,
    stream: CUstream,
    function: CUhostFn,
    data: *mut c_void,
    mode: c_uint,
) -> Answer {
    let known = [CUhostTaskSyncMode::CU_HOST_TASK_BLOCKING, CUhostTaskSyncMode::CU_HOST_TASK_SPINWAIT];
    if known.iter().all(|known| known.0 != mode) {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    launch_host(call, stream, function, data)
}
