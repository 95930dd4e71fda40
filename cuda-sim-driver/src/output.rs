//! The standard output of C, which kernels print on as the program itself does, so that both come in order (measured).

#![allow(unsafe_code)]

use core::ffi::c_void;

unsafe extern "C" {
    // Of the C library. Declared here, because this crate needs nothing else of it.
    static stdout: *mut c_void;
    fn fwrite(bytes: *const c_void, size: usize, count: usize, file: *mut c_void) -> usize;
}

/// Writes as much as can be written: that the output may be closed does not matter.
pub(crate) fn print(text: &[u8]) {
    // SAFETY: the C library sets it before the program begins; what a program makes of it is its own promise.
    let out = unsafe { stdout };
    if out.is_null() {
        return;
    }
    // SAFETY: the file is open or its end is noted in it, and the text is as long as is said.
    let _ = unsafe { fwrite(text.as_ptr().cast(), 1, text.len(), out) };
}
