//! Giving borrowed host memory back to the caller.

use crate::context::Relaxed;
use crate::error::{Code, Error, Result};
use crate::stream::Stream;
use core::ffi::c_void;
use cuda_sys::{CUdeviceptr, CUmemorytype, CUpointer_attribute};
use std::io::Write;

/// Waits for a copy from or to borrowed host memory, whatever the copy's own outcome was.
///
/// When this returns, the device does not touch `host` any more:
///
/// - The stream was waited for, so the copy is done; or
/// - something failed, and `host` is pageable. Then the driver stages through memory of its own: it is
///   done with `host` when the call that copies returns, says CUDA's documentation ("API
///   synchronization behavior"); or
/// - something failed, and `host` is page-locked, so that the device reaches it by itself: see
///   [`wait_for_page_locked`].
pub(super) fn settle(stream: &Stream, host: *const c_void, copied: Result<()>) -> Result<()> {
    let settled = copied.and_then(|()| stream.synchronize());
    settled.inspect_err(|failure| {
        if may_be_page_locked(host) {
            wait_for_page_locked(stream, failure);
        }
    })
}

/// Whether the device might reach `host` by itself. The driver answers also after a sticky failure
/// (measured, driver 580).
fn may_be_page_locked(host: *const c_void) -> bool {
    let mut kind = CUmemorytype(0);
    // SAFETY: the attribute is of the type of `kind`, which is valid for a write; the address is only
    // looked up.
    let asked = unsafe {
        check!(cuPointerGetAttribute(
            (&raw mut kind).cast(),
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
            host.addr() as CUdeviceptr,
        ))
    };
    // Measured: INVALID_VALUE for memory that the driver does not know. Anything else is no answer.
    !matches!(asked, Err(error) if error.code() == Some(Code::InvalidValue))
}

/// Waits until the device cannot touch page-locked memory that a failed copy named.
///
/// A sticky failure is proof enough: the driver reports it only when the context's work has ended, also
/// copies on other streams (measured, driver 580: with 8 GiB on their way, the call that reported an
/// illegal address returned after the last byte, and nothing was written later).
///
/// # Aborts
///
/// If the copy can be proven neither done nor dead. Returning would hand memory back to safe code
/// while the device may be writing to it.
fn wait_for_page_locked(stream: &Stream, failure: &Error) {
    // A capture elsewhere may forbid waiting in the default mode; in this one it goes on.
    let _relaxed = Relaxed::new();
    let ended = |outcome: &Result<()>| match outcome {
        Ok(()) => true,
        Err(error) => error.is_sticky(),
    };
    if failure.is_sticky() || ended(&stream.synchronize()) {
        return;
    }
    // `eprintln!` would panic if the standard error is closed.
    let _ = writeln!(
        std::io::stderr(),
        "cuda-rt: a copy with page-locked host memory failed ({failure}), and waiting for it failed too; \
         the device may still be using memory that the program is about to reuse"
    );
    std::process::abort();
}
