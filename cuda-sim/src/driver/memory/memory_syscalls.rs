//! System calls for addresses, and for files that consist of memory only.

#![allow(unsafe_code)]

use core::ffi::{c_int, c_long, c_uint, c_void};
use core::ptr::NonNull;
use std::ffi::CString;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

// Functions of the C library, declared here because this crate needs nothing else of `libc`.
unsafe extern "C" {
    pub(crate) fn mmap(
        address: *mut c_void,
        len: usize,
        protection: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    pub(crate) fn munmap(address: *mut c_void, len: usize) -> c_int;
    fn syscall(number: c_long, ...) -> c_long;
    fn fcntl(file: c_int, command: c_int, ...) -> c_int;
    #[link_name = "close"]
    fn close_file(file: c_int) -> c_int;
}

pub(crate) const NOTHING: c_int = 0;
pub(crate) const READ: c_int = 1;
pub(crate) const READ_AND_WRITE: c_int = 1 | 2;
pub(crate) const SHARED: c_int = 1;
pub(crate) const PRIVATE: c_int = 2;
/// Flag: replaces the mapping at the address.
pub(crate) const FIXED: c_int = 0x10;
pub(crate) const ANONYMOUS: c_int = 0x20;
/// Flag: reserves no memory.
pub(crate) const NORESERVE: c_int = 0x4000;
/// Number of the system call, because glibc has a function for it only since 2.27.
const MEMFD_CREATE: c_long = if cfg!(target_arch = "x86_64") { 319 } else { 279 };
const CLOSED_ON_EXEC: c_uint = 1;
const ALLOW_SEALING: c_uint = 2;
const ADD_SEALS: c_int = 1033;
const GET_SEALS: c_int = 1034;
/// Seals against further seals, shrinking and growing. An access past the end of a file that has shrunk would end the
/// process.
const FIXED_SIZE: c_int = 1 | 2 | 4;

/// Returns the result of `mmap`, unless it failed.
pub(crate) fn mapped(start: *mut c_void) -> Option<NonNull<u8>> {
    NonNull::new(start.cast()).filter(|start| start.addr().get() != usize::MAX)
}

/// Creates an unnamed file of `len` bytes, which is its size for ever. Other processes can read its name.
pub(crate) fn memory_file(name: String, len: u64) -> Option<File> {
    let name = CString::new(name).ok()?;
    // SAFETY: the call takes a string that ends in NUL, and a number.
    let file = unsafe { syscall(MEMFD_CREATE, name.as_ptr(), CLOSED_ON_EXEC | ALLOW_SEALING) };
    let file = c_int::try_from(file).ok().filter(|file| *file >= 0)?;
    // SAFETY: created just now, and used by no other code.
    let file = File::from(unsafe { OwnedFd::from_raw_fd(file) });
    file.set_len(len).ok()?;
    // SAFETY: the file is open, and the command takes a number.
    let sealed = unsafe { fcntl(file.as_raw_fd(), ADD_SEALS, FIXED_SIZE) };
    (sealed == 0).then_some(file)
}

/// Returns whether the size of a file can never change.
pub(crate) fn has_fixed_size(file: &File) -> bool {
    // SAFETY: the file is open, and the command takes no argument.
    let seals = unsafe { fcntl(file.as_raw_fd(), GET_SEALS) };
    seals >= 0 && seals & FIXED_SIZE == FIXED_SIZE
}

/// Closes a file descriptor that a program has passed to the driver. A descriptor that is not open is ignored.
pub(crate) fn close(file: c_int) {
    // SAFETY: the program has transferred the descriptor.
    let _ = unsafe { close_file(file) };
}
