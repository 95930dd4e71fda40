//! Lending host memory to the device, and getting it back.

#![allow(unsafe_code)]

use super::loan::{HostRange, Loan};
use crate::context::RelaxedCaptureMode;
use crate::error::{Code, Error, Result};
use crate::handle::{DeferredErrors, Quiet};
use crate::peer::copies_under_way;
use crate::stream::{AsStream, Stream, expect_foreign_captures, synchronize};
use core::ffi::c_void;
use cuda_sys::{CUdeviceptr, CUmemorytype, CUpointer_attribute, Symbol};
use std::io::Write;
use std::thread::sleep;
use std::time::Duration;

/// Runs `copy`, which queues a copy from or to the memory of `host` on `stream` by `call`, and waits for it. When this
/// returns, the device does not touch the memory any more:
///
/// - The stream was waited for, so the copy is done. Or
/// - waiting failed, and the device does not reach the memory by itself. Then the driver copies through memory
///   of its own, and is done with the host's when the call that copies returns, also with a failure in the middle of the
///   copy: CUDA's documentation says that it stages such memory, and a driver was seen to do so. Or
/// - waiting failed, and the device may be writing to the memory right now: see [`wait_or_abort`].
#[inline]
pub(super) fn copy_with_host_memory(
    stream: &Stream,
    host: HostRange,
    call: Symbol,
    copy: impl FnOnce() -> Result<()>,
) -> Result<()> {
    copy_with_host_ranges(stream, &[host], call, copy)
}

/// Does the same for host memory at several places.
#[inline]
pub(crate) fn copy_with_host_ranges(
    stream: &Stream,
    hosts: &[HostRange],
    call: Symbol,
    copy: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let _quiet = Quiet::new();
    let _bound = stream.context().bind(call)?;
    stream.refuse_capture(call)?;
    // Else a capture that this or another thread makes elsewhere would forbid waiting, and would be
    // ended by it (measured).
    let _relaxed = RelaxedCaptureMode::if_needed();
    // Before the driver is asked: what is registered later counts as reached directly, too.
    let loan = Loan::new(stream);
    let reached_directly = loan.add(hosts)
        || stream.context().reaches_pageable()
        || hosts.iter().any(|host| may_be_page_locked(host.start));
    if reached_directly {
        // Whatever fails before is noticed here, where the device has nothing of the caller's yet.
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

/// Returns whether the driver knows the memory at `host`, and so may let the device reach it. It answers also after a sticky
/// failure (measured, driver 580).
///
/// The first address is enough: memory that begins pageable is staged as a whole, and memory that only begins
/// page-locked is refused.
pub(super) fn may_be_page_locked(host: usize) -> bool {
    // Without an answer, the memory counts as reached.
    is_page_locked(host).unwrap_or(true)
}

/// Waits, where the context is current. If a capture of other code refuses that, the thread waits in the relaxed mode: the copy goes
/// on meanwhile.
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

/// As [`may_be_page_locked`], with the driver's failure.
pub(super) fn is_page_locked(host: usize) -> Result<bool> {
    let mut kind = CUmemorytype::CU_MEMORYTYPE_HOST;
    let mut attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    let mut place: *mut c_void = (&raw mut kind).cast();
    // Asked as a list of one: of pageable memory that is answered in a fifth of the time that refusing a single question
    // takes (measured).
    // SAFETY: the attribute is of the type of `kind`, which is valid for a write; the lists have one element; the address
    // is only looked up.
    unsafe { check!(cuPointerGetAttributes(1, &raw mut attribute, &raw mut place, host as CUdeviceptr)) }?;
    // Documented and measured: nothing is the type of memory that the driver does not know.
    Ok(kind.0 != 0)
}

/// Waits once more until the device is done with host memory that it reaches by itself.
///
/// That the driver reports a failure does not mean that its copies have ended, not even if the failure is
/// sticky (measured, driver 580: the device went on writing for as long as a copy of 40 GiB took, after every
/// call had returned an error).
///
/// # Aborts
///
/// If waiting fails again. Returning would hand memory to safe code while the device may be writing to it.
/// It takes a failure elsewhere in the process during the very copy: what failed before it was noticed
/// before it began. While the process exits, the thread [waits](wait_for_exit) instead.
pub(super) fn wait_or_abort(stream: &Stream, failure: &Error) {
    // Else a capture elsewhere could forbid waiting.
    let _relaxed = RelaxedCaptureMode::new();
    let Err(again) = stream.synchronize() else { return };
    if is_exiting(&again) {
        wait_for_exit();
    }
    abort("a copy with page-locked host memory", failure);
}

/// Returns whether a failure tells that the process exits. The driver fails all calls from then on, and gives and takes no
/// memory. But work that is queued goes on until the process is gone (fact V963).
pub(super) fn is_exiting(failure: &Error) -> bool {
    failure.code() == Some(Code::Deinitialized)
}

/// Keeps this thread from using memory that the device may be writing to while the process exits. An abort would replace the
/// exit status of the program. Returns if the process does not exit.
pub(super) fn wait_for_exit() {
    const LONGEST: Duration = Duration::from_secs(10);
    sleep(LONGEST);
}

/// Waits for work on `stream` that could not be ordered with the frees on the stream of the memory that it uses.
///
/// After a sticky failure there is nothing to wait for, nor while the process exits. The driver takes and gives no memory then,
/// so the memory is never given to others.
///
/// # Aborts
///
/// If waiting fails for another reason. The memory could be freed while it is used.
pub(super) fn wait_for_copy(stream: &impl AsStream, what: &str, failure: &Error) {
    // Else a capture that this or another thread makes elsewhere would forbid waiting.
    let _relaxed = RelaxedCaptureMode::new();
    match synchronize(stream) {
        Err(error) if !error.is_sticky() && !is_exiting(&error) => abort(what, failure),
        Ok(()) | Err(_) => {}
    }
}

/// Makes another stream of the same context the home of `what`, after what is queued on the one of now.
pub(super) fn rehome(home: &mut Stream, to: &Stream, what: &'static str) -> Result<()> {
    if *home == *to {
        return Ok(());
    }
    if home.context() != to.context() {
        return Err(Error::different_contexts(Symbol::cuStreamWaitEvent, what, "the stream"));
    }
    // An event would draw one stream into the capture of the other.
    home.refuse_capture(Symbol::cuEventRecord)?;
    to.refuse_capture(Symbol::cuStreamWaitEvent)?;
    to.wait_stream(home)?;
    *home = to.clone();
    Ok(())
}

/// Waits until the device is done with memory that lives on `stream`, before it is given back by `call`, which does not
/// wait by itself. To be called by what [releases](crate::context::release_in); a failure that was made up for is left over.
///
/// If this fails, the memory may be in use, and must not be given back.
pub(super) fn wait_before_release(stream: &Stream, call: Symbol, errors: &mut DeferredErrors) -> Result<()> {
    // The wait would end the capture.
    if stream.takes_part_in_capture(call)? {
        return Err(Error::capturing(call));
    }
    let waited = stream.synchronize();
    if waited.is_ok() {
        return waited;
    }
    errors.add(waited);
    stream.synchronize()
}

/// Waits for copies between devices, before memory that lives on `stream` is freed by `call`: freeing waits for the rest by
/// itself, and not for those (see [`copies_under_way`]). To be called by what [releases](crate::context::release_in).
///
/// If this fails, the memory may be in use, and must not be given back.
pub(crate) fn wait_for_other_devices(
    stream: &Stream,
    call: Symbol,
    errors: &mut DeferredErrors,
) -> Result<()> {
    if !copies_under_way(stream.context().device(), errors) {
        return Ok(());
    }
    match wait_before_release(stream, call, errors) {
        // Nothing is on its way after the end of everything.
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
