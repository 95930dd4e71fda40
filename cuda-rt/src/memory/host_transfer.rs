//! Access of the device to host memory for the time of a copy.

#![allow(unsafe_code)]

use super::loan::{HostRange, Loan};
use crate::context::{RelaxedCaptureMode, different_contexts};
use crate::error::{Code, Error, Result};
use crate::handle::{DeferredErrors, Quiet};
use crate::peer::copies_under_way;
use crate::stream::{AsStream, Stream, expect_foreign_captures, synchronize};
use core::ffi::c_void;
use cuda_sys::{CUdeviceptr, CUmemorytype, CUpointer_attribute, Symbol};
use std::io::Write;
use std::thread::sleep;
use std::time::Duration;

/// Runs `copy`, which queues a copy from or to the memory of `host` on `stream` by `call`, and waits for the copy. When this
/// function returns, the device does not touch the memory any more, for one of three reasons:
///
/// - The wait succeeded, so the copy is done.
/// - The wait failed, and the device does not reach the memory by itself. Then the driver copies through staging memory. It is
///   done with the host memory when the call returns, also if the copy fails in the middle. CUDA's documentation says that the
///   driver stages such memory, and a driver was seen to do so.
/// - The wait failed, the device may have been writing to the memory, and [`wait_or_abort`] waited again.
#[inline]
pub(super) fn copy_with_host_memory(
    stream: &Stream,
    host: HostRange,
    call: Symbol,
    copy: impl FnOnce() -> Result<()>,
) -> Result<()> {
    copy_with(stream, &[host], call, copy)
}

/// Does the same as [`copy_with_host_memory`] for several ranges of host memory. Compiled once for all copies.
pub(crate) fn copy_with_host_ranges(
    stream: &Stream,
    hosts: &[HostRange],
    call: Symbol,
    copy: &dyn Fn() -> Result<()>,
) -> Result<()> {
    copy_with(stream, hosts, call, copy)
}

#[inline]
fn copy_with(
    stream: &Stream,
    hosts: &[HostRange],
    call: Symbol,
    copy: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let _quiet = Quiet::new();
    let _bound = stream.context().bind_inline(call)?;
    stream.refuse_capture(call)?;
    // Otherwise a capture that this or another thread makes elsewhere would forbid waiting. The wait would invalidate that
    // capture (measured).
    let _relaxed = RelaxedCaptureMode::if_needed();
    // Recorded before the driver is queried. So `is_registered` below also reports memory that is registered in between.
    let loan = Loan::new(stream);
    let reached_directly = loan.add(hosts)
        || stream.context().reaches_pageable()
        || hosts.iter().any(|host| may_be_page_locked(host.start));
    if reached_directly {
        // Notices every earlier failure here, before the device uses the caller's memory.
        wait(stream)?;
    }
    let copied = copy();
    let waited = wait(stream);
    if let Err(failure) = &waited
        && (reached_directly || loan.is_registered())
    {
        wait_or_abort(stream, failure);
    }
    drop(loan);
    copied.and(waited)
}

/// Returns whether the driver knows the memory at `host`, and so may let the device reach it.
///
/// With driver 580 the query answers also after a sticky error.
///
/// The first address is sufficient. Memory that begins pageable is staged as a whole. Memory that only begins page-locked is
/// refused.
pub(super) fn may_be_page_locked(host: usize) -> bool {
    // Without an answer, the memory counts as reached directly.
    is_page_locked(host).unwrap_or(true)
}

/// Waits for the stream of the current context. If a capture of other code refuses the wait, the thread waits in the relaxed
/// mode: the copy continues meanwhile.
#[inline]
fn wait(stream: &Stream) -> Result<()> {
    match stream.synchronize_bound() {
        Err(error) if error.code() == Some(Code::StreamCaptureUnsupported) => wait_relaxed(stream),
        waited => waited,
    }
}

#[cold]
fn wait_relaxed(stream: &Stream) -> Result<()> {
    expect_foreign_captures();
    let _relaxed = RelaxedCaptureMode::new();
    stream.synchronize_bound()
}

/// Returns the same as [`may_be_page_locked`], or the driver's failure. The caller sees to it that no other thread frees or
/// unregisters the memory meanwhile: the driver crashes (fact V1180).
pub(super) fn is_page_locked(host: usize) -> Result<bool> {
    let mut kind = CUmemorytype::CU_MEMORYTYPE_HOST;
    let mut attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    let mut place: *mut c_void = (&raw mut kind).cast();
    // A list with one attribute, because `cuPointerGetAttribute` fails for pageable memory. That failure takes five times as
    // long as the answer for the list (measured).
    // SAFETY: the attribute is of the type of `kind`, which is valid for a write; the lists have one element. The
    // callers keep the memory at the address.
    unsafe {
        inline_check!(cuPointerGetAttributes(1, &raw mut attribute, &raw mut place, host as CUdeviceptr))
    }?;
    // Documented and measured: the memory type of unknown memory is 0.
    Ok(kind.0 != 0)
}

/// Waits once more until the device is done with host memory that it reaches by itself.
///
/// A failure of the driver does not mean that its copies have ended, even if the failure is sticky. With driver 580 the device
/// went on writing after every call had returned an error, for as long as a copy of 40 GiB took.
///
/// # Aborts
///
/// If waiting fails again: returning would pass memory to safe code while the device may be writing to it. The condition needs
/// another failure in the process during the copy, because an earlier failure was noticed before the copy began. While the
/// process exits, the thread [waits](wait_for_exit) instead.
pub(super) fn wait_or_abort(stream: &Stream, failure: &Error) {
    // Otherwise a capture elsewhere could forbid waiting.
    let _relaxed = RelaxedCaptureMode::new();
    let Err(again) = stream.synchronize() else { return };
    if is_exiting(&again) {
        wait_for_exit();
    }
    abort("a copy with page-locked host memory", failure);
}

/// Returns whether a failure says that the process exits. The driver then fails all calls, and allocates and frees no memory.
/// Queued work continues until the process has ended (fact V963).
pub(super) fn is_exiting(failure: &Error) -> bool {
    failure.code() == Some(Code::Deinitialized)
}

/// Keeps this thread from using memory that the device may be writing to while the process exits. An abort would replace the exit
/// status of the program. Returns if the process has not exited after 10 seconds.
pub(super) fn wait_for_exit() {
    const LONGEST: Duration = Duration::from_secs(10);
    sleep(LONGEST);
}

/// Waits for work on `stream` that uses memory of another stream, and could not be ordered with the frees on that stream.
///
/// After a sticky error, and while the process exits, there is nothing to wait for. The driver then allocates and frees no
/// memory, so the memory is never reused.
///
/// # Aborts
///
/// If waiting fails for another reason: the memory could be freed while it is used.
pub(super) fn wait_for_copy(stream: &impl AsStream, what: &str, failure: &Error) {
    // Otherwise a capture that this or another thread makes elsewhere would forbid waiting.
    let _relaxed = RelaxedCaptureMode::new();
    match synchronize(stream) {
        Err(error) if !error.is_sticky() && !is_exiting(&error) => abort(what, failure),
        Ok(()) | Err(_) => {}
    }
}

/// Makes another stream of the same context the home stream of `what`, after the work that is queued on the present one.
pub(super) fn rehome(home: &mut Stream, to: &Stream, what: &'static str) -> Result<()> {
    if *home == *to {
        return Ok(());
    }
    if home.context() != to.context() {
        return Err(different_contexts(
            Symbol::cuStreamWaitEvent,
            [(what, home.context()), ("the stream", to.context())],
        ));
    }
    // An event would draw one stream into the capture of the other.
    home.refuse_capture(Symbol::cuEventRecord)?;
    to.refuse_capture(Symbol::cuStreamWaitEvent)?;
    to.wait_stream(home)?;
    *home = to.clone();
    Ok(())
}

/// Waits until the device is done with memory that lives on `stream`, before `call` releases the memory without waiting. Called
/// by a [release](crate::context::release_in). A failure that a retry repaired is deferred.
///
/// If this function fails, the memory may be in use, and must not be released.
pub(super) fn wait_before_release(stream: &Stream, call: Symbol, errors: &mut DeferredErrors) -> Result<()> {
    // The wait would invalidate the capture.
    if stream.takes_part_in_capture(call)? {
        return Err(Error::capturing(call, stream.raw()));
    }
    let waited = stream.synchronize();
    if waited.is_ok() {
        return waited;
    }
    errors.add(waited);
    stream.synchronize()
}

/// Waits for copies between devices, before `call` frees memory that lives on `stream`. Freeing waits for all other work by
/// itself (see [`copies_under_way`]). Called by a [release](crate::context::release_in).
///
/// If this function fails, the memory may be in use, and must not be freed.
pub(crate) fn wait_for_other_devices(
    stream: &Stream,
    call: Symbol,
    errors: &mut DeferredErrors,
) -> Result<()> {
    if !copies_under_way(stream.context().device(), errors) {
        return Ok(());
    }
    match wait_before_release(stream, call, errors) {
        // After a sticky error no copy is under way.
        Err(error) if error.is_sticky() => {
            errors.add(Err(error));
            Ok(())
        }
        waited => waited,
    }
}

fn abort(work: &str, failure: &Error) -> ! {
    end_process(format_args!(
        "{work} failed ({failure}), and waiting for its end failed too; the device may still be using memory that the \
         program is about to reuse"
    ))
}

/// Aborts, with a line on the standard error.
pub(super) fn end_process(why: core::fmt::Arguments<'_>) -> ! {
    // `eprintln!` would panic if the standard error is closed.
    let _ = writeln!(std::io::stderr(), "cuda-rt: {why}");
    std::process::abort();
}
