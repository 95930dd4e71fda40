//! The standard output of the C library. Kernels print to it like the program itself, so that both outputs keep their
//! order (measured).

#![allow(unsafe_code)]

use core::ffi::c_void;

unsafe extern "C" {
    // A variable of the C library, declared here because this crate needs nothing else from that library.
    static stdout: *mut c_void;
    fn fwrite(bytes: *const c_void, size: usize, count: usize, file: *mut c_void) -> usize;
}

/// Writes as much of a text as possible. The output may be closed, and errors are ignored.
pub(crate) fn print(text: &[u8]) {
    // SAFETY: the C library sets it before the program begins; the program guarantees later changes of it.
    let out = unsafe { stdout };
    if out.is_null() {
        return;
    }
    // SAFETY: the file is open or at its recorded end, and the text has the given length.
    let _ = unsafe { fwrite(text.as_ptr().cast(), 1, text.len(), out) };
}
