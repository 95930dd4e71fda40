//! Functions of the program that are called from a stream.
//!
//! They run in a thread of their own, in the order of their streams, and must not call the driver: most of it
//! answers `NOT_PERMITTED` there (measured).

#![allow(unsafe_code)]

use super::handles::Handle;
use super::queue::Work;
use super::{Answer, Call};
use core::cell::Cell;
use core::ffi::{c_uint, c_void};
use cuda_sys::{CUhostFn, CUresult, CUstream, CUstreamCallback};

/// A function, and what it is called with.
pub(super) enum Callback {
    /// Told how the work before it went, and called in any case.
    Stream {
        function: unsafe extern "C" fn(CUstream, CUresult, *mut c_void),
        stream: Handle,
        status: CUresult,
        data: *mut c_void,
    },
    /// Called if the work before it went well.
    Host { function: unsafe extern "C" fn(*mut c_void), data: *mut c_void },
}

// SAFETY: the pointer is the program's, which gives it to be used in another thread.
unsafe impl Send for Callback {}

impl Callback {
    /// What is called after a failure, if anything.
    pub(super) fn after_failure(self, code: CUresult) -> Option<Callback> {
        match self {
            Callback::Stream { function, stream, data, .. } => {
                Some(Callback::Stream { function, stream, status: code, data })
            }
            Callback::Host { .. } => None,
        }
    }
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static IN_CALL: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a callback.
#[inline]
pub(super) fn is_inside() -> bool {
    INSIDE.try_with(Cell::get).unwrap_or(false)
}

/// Whether this thread is in a function of the program that a call of the driver has called.
#[inline]
pub(super) fn is_in_call() -> bool {
    IN_CALL.try_with(Cell::get).unwrap_or(false)
}

/// Runs a function of the program in a call, which has the state: not even a question could be answered meanwhile.
pub(super) fn in_call<R>(work: impl FnOnce() -> R) -> R {
    IN_CALL.set(true);
    let result = work();
    IN_CALL.set(false);
    result
}

/// Runs a function of the program, which can only ask the driver meanwhile.
fn inside<R>(work: impl FnOnce() -> R) -> R {
    INSIDE.set(true);
    let result = work();
    INSIDE.set(false);
    result
}

/// Calls the program's function.
pub(super) fn run(callback: Callback) {
    inside(|| match callback {
        // SAFETY: the program's promise when it queued the function.
        Callback::Stream { function, stream, status, data } => unsafe {
            function(stream.pointer(), status, data);
        },
        // SAFETY: as above.
        Callback::Host { function, data } => unsafe { function(data) },
    });
}

pub(super) fn add(
    call: &mut Call<'_>,
    stream: CUstream,
    function: CUstreamCallback,
    data: *mut c_void,
    flags: c_uint,
) -> Answer {
    let function = function.filter(|_| flags == 0).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let on = call.state.stream(stream)?;
    let (stream, status) = (Handle::of(stream), CUresult::CUDA_SUCCESS);
    let callback = Callback::Stream { function, stream, status, data };
    call.state.submit_work(on, super::queue::SHORT, Work::Callback(callback));
    Ok(())
}

pub(super) fn launch_host(
    call: &mut Call<'_>,
    stream: CUstream,
    function: CUhostFn,
    data: *mut c_void,
) -> Answer {
    let function = function.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let on = call.state.stream(stream)?;
    call.state.submit_work(on, super::queue::SHORT, Work::Callback(Callback::Host { function, data }));
    Ok(())
}
