//! The driver's log: messages that say why calls were refused.
//!
//! | item | does |
//! |---|---|
//! | [`on_message`], [`LogGuard`] | register a function that the driver calls for each message, until the guard is dropped |
//! | [`LogLevel`] | the severity of a message |
//! | [`LogPosition`] | a position in the log, from which messages are read or written to a file |
//! | [`read_all`], [`write_all`] | read all messages that the driver still has, or write them to a file |
//!
//! Drivers since CUDA 12.9 keep the messages of all threads of the process in one log of limited size. A new message may replace
//! the oldest. The texts are for people, and change between drivers. The last message of each failed call names the code and the
//! call. An [`Error`](crate::Error) has both, with or without a log.
//!
//! This crate makes queries for its own purposes. If such a query fails, its messages are in the log, too: for example, a query
//! about memory that is not the driver's.
//!
//! ```
//! # cuda_sim::install_once();
//! use cuda_rt::Device;
//! use cuda_rt::error_log::LogPosition;
//!
//! let mut position = LogPosition::current()?;
//! assert!(Device::get(99).is_err());
//! println!("{}", position.read()?);
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Driver notes
//!
//! Driver 580 keeps 100 messages, and truncates a message after 255 bytes. It logs nothing before it is initialised.

#![allow(unsafe_code)]

use crate::driver::ensure_init;
use crate::error::{Code, OrDetail, Result};
use crate::handle::{Callback, Callbacks, DriverHandle, Owned, Releasing, ensure_not_forked, made};
use crate::text::c_string;
use core::ffi::{c_char, c_void};
use core::ptr::null_mut;
use core::slice;
use cuda_sys::{CUlogIterator, CUlogLevel, CUlogLevel_enum, CUlogsCallbackHandle, Symbol};
use std::path::Path;
use std::sync::Arc;

/// The bytes of a buffer that is larger than the driver's log: 100 messages of at most 255 bytes.
const BUFFER: usize = 32 * 1024;
/// The bytes of the buffer that are hidden from the driver. If there is too little room, driver 580 writes beyond the end.
const RESERVE: usize = 2 * 1024;

/// The severity of a message.
#[doc(alias = "CUlogLevel")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LogLevel {
    /// A reason for a failure.
    #[doc(alias = "CU_LOG_LEVEL_ERROR")]
    Error,
    /// A remark on a call, which is not the reason for a failure.
    #[doc(alias = "CU_LOG_LEVEL_WARNING")]
    Warning,
    /// Another level, by its number.
    Other(u32),
}

/// The registration of a function that receives messages. Returned by [`on_message`].
#[must_use = "dropping it ends the messages"]
#[doc(alias = "CUlogsCallbackHandle")]
#[derive(Debug)]
pub struct LogGuard {
    registration: Owned<Registration>,
}

#[derive(Debug)]
struct Registration {
    raw: CUlogsCallbackHandle,
    _function: Callback<Function>,
}

// SAFETY: the handle names a registration, which is not bound to a thread.
unsafe impl Send for Registration {}
// SAFETY: nothing is changed through `&Registration`.
unsafe impl Sync for Registration {}

impl DriverHandle for Registration {
    fn release_call(&self) -> Symbol {
        Symbol::cuLogsUnregisterCallback
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        // SAFETY: the owner ends its registration, once.
        unsafe { check!(cuLogsUnregisterCallback(self.raw)) }
    }
}

type Function = dyn Fn(LogLevel, &str) + Send + Sync;

static FUNCTIONS: Callbacks<Function> = Callbacks::new("log function");

/// Registers a function that the driver calls for each message of its log. Wraps `cuLogsRegisterCallback`. Since CUDA 12.9.
/// Initialises the driver, which logs nothing before.
///
/// The driver calls the function within the call that fails, on the thread of that call. Only one thread at a time runs such a
/// function: other threads wait in their failed calls. A panic goes to the [drop hook](crate::handle::set_drop_hook).
///
/// - The function must return soon.
/// - It cannot call the driver, as [host functions](crate::stream#host-functions) cannot. All functions of this crate that would
///   call the driver are refused there. They do not wait, even if the failed call uses the same graph or the same peer access. A
///   thread of this crate releases values that are dropped inside the function.
/// - It must not wait for a lock of the program that a thread may hold while it calls the driver. This includes the thread of the
///   failed call.
///
/// Dropping the guard ends the messages.
///
/// # Blocking
///
/// Dropping the guard waits for a call of the function that runs on another thread.
///
/// # Errors
///
/// - The driver cannot be initialised. See [`init`](crate::init).
/// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.9.
/// - [`Code::NotInitialized`]: the process is the child of a fork.
/// - The driver refuses the function.
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Device, error_log};
///
/// let guard = error_log::on_message(|level, text| eprintln!("{level:?}: {text}"))?;
/// assert!(Device::get(99).is_err());
/// guard.close()?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "cuLogsRegisterCallback")]
pub fn on_message(function: impl Fn(LogLevel, &str) + Send + Sync + 'static) -> Result<LogGuard> {
    ensure_init()?;
    ensure_not_forked(Symbol::cuLogsRegisterCallback)?;
    let function = FUNCTIONS.add(Arc::new(function));
    let (mut raw, data) = (null_mut(), function.data());
    // SAFETY: `raw` is valid for a write. `receive` may be called at any time, on any thread, with any data.
    let registered = unsafe { check!(cuLogsRegisterCallback(Some(receive), data, &raw mut raw)) };
    let is_made = !raw.is_null();
    let registration = Registration { raw, _function: function };
    let registration = made(registered, is_made, || Owned::new(registration))?;
    Ok(LogGuard { registration })
}

impl LogGuard {
    /// Returns the raw handle. The caller must not deregister the function with it.
    pub fn as_raw(&self) -> CUlogsCallbackHandle {
        self.registration.raw
    }

    /// Deregisters the function, and returns the driver's answer. Wraps `cuLogsUnregisterCallback`.
    ///
    /// # Blocking
    ///
    /// Until a call of the function that runs on another thread has returned.
    ///
    /// # Errors
    ///
    /// - The driver refuses to deregister the function. The function is not called any more nevertheless.
    /// - [`InsideHostFunction`](crate::error::ErrorKind::InsideHostFunction): the call is inside a function that the driver
    ///   calls. In this case, a thread of this crate deregisters the function.
    #[doc(alias = "cuLogsUnregisterCallback")]
    pub fn close(self) -> Result<()> {
        self.registration.close()
    }
}

/// Called by the driver.
unsafe extern "C" fn receive(data: *mut c_void, level: CUlogLevel, message: *mut c_char, length: usize) {
    let level = match level {
        CUlogLevel_enum::CU_LOG_LEVEL_ERROR => LogLevel::Error,
        CUlogLevel_enum::CU_LOG_LEVEL_WARNING => LogLevel::Warning,
        other => LogLevel::Other(other.0),
    };
    let bytes = if message.is_null() {
        &[]
    } else {
        // SAFETY: the driver gives a text of this length, which stays as it is during the call.
        unsafe { slice::from_raw_parts(message.cast::<u8>(), length) }
    };
    FUNCTIONS.call(data, |function| {
        function(level, String::from_utf8_lossy(bytes).trim_end_matches(['\0', '\n']))
    });
}

/// A position in the log. A read or a write moves the position past the newest message.
#[doc(alias = "CUlogIterator")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPosition(CUlogIterator);

impl LogPosition {
    /// Returns the position past the newest message, where the next message will be. Wraps `cuLogsCurrent`. Since CUDA 12.9.
    ///
    /// # Errors
    ///
    /// - [`DriverUnavailable`](crate::error::ErrorKind::DriverUnavailable): no driver could be loaded.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.9.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::error_log::LogPosition;
    ///
    /// assert_eq!(LogPosition::current()?.read()?, "");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLogsCurrent")]
    pub fn current() -> Result<LogPosition> {
        let mut position = 0;
        // SAFETY: `position` is valid for a write.
        unsafe { check!(cuLogsCurrent(&raw mut position, 0)) }?;
        Ok(LogPosition(position))
    }

    /// Makes a position from a number that the driver has returned. With any other number, reads return other messages, or
    /// fail.
    pub fn from_raw(raw: CUlogIterator) -> LogPosition {
        LogPosition(raw)
    }

    /// Returns the driver's number of the position.
    pub fn as_raw(&self) -> CUlogIterator {
        self.0
    }

    /// Returns the messages from this position on, one per line. A message that the driver has truncated has no end of line.
    /// Wraps `cuLogsDumpToMemory`. Since CUDA 12.9.
    ///
    /// If the driver no longer has the oldest of these messages, the first line says so.
    ///
    /// # Errors
    ///
    /// - Same as [`current`](LogPosition::current).
    /// - [`Code::InvalidValue`]: the position is past the end of the log.
    #[doc(alias = "cuLogsDumpToMemory")]
    pub fn read(&mut self) -> Result<String> {
        read(&raw mut self.0)
    }

    /// Replaces the contents of a file with the messages from this position on. Wraps `cuLogsDumpToFile`. Since CUDA 12.9.
    ///
    /// # Errors
    ///
    /// - Same as [`current`](LogPosition::current).
    /// - [`Code::InvalidValue`]: the driver cannot write the file, or the position is past the end of the log.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the path contains a NUL.
    #[doc(alias = "cuLogsDumpToFile")]
    pub fn write(&mut self, path: impl AsRef<Path>) -> Result<()> {
        write(&raw mut self.0, path.as_ref())
    }
}

/// Returns all messages that the driver still has, one per line. A message that the driver has truncated has no end of line.
/// Wraps `cuLogsDumpToMemory`. Since CUDA 12.9.
///
/// # Errors
///
/// Same as [`LogPosition::current`].
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// for line in cuda_rt::error_log::read_all()?.lines() {
///     println!("{line}");
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "cuLogsDumpToMemory")]
pub fn read_all() -> Result<String> {
    read(null_mut())
}

/// Writes all messages that the driver still has to a file, and replaces its contents. Wraps `cuLogsDumpToFile`. Since CUDA 12.9.
///
/// # Errors
///
/// Same as [`LogPosition::write`].
#[doc(alias = "cuLogsDumpToFile")]
pub fn write_all(path: impl AsRef<Path>) -> Result<()> {
    write(null_mut(), path.as_ref())
}

fn read(position: *mut CUlogIterator) -> Result<String> {
    let mut buffer = vec![0_u8; BUFFER];
    let mut length = BUFFER - RESERVE;
    let to = buffer.as_mut_ptr().cast();
    // SAFETY: `position` is null or valid for a read and a write, `to` for writes of `length` bytes, and `length` for a read and
    // a write.
    unsafe { check!(cuLogsDumpToMemory(position, to, &raw mut length, 0)) }?;
    // The driver does not count its remark about lost messages (fact V1001). Zeros follow the text.
    buffer.truncate(buffer.iter().position(|byte| *byte == 0).unwrap_or(BUFFER));
    Ok(String::from_utf8_lossy(&buffer).into_owned())
}

fn write(position: *mut CUlogIterator, path: &Path) -> Result<()> {
    let file = c_string(path.as_os_str().as_encoded_bytes())?;
    // SAFETY: `position` is null or valid for a read and a write; `file` is a C string.
    unsafe { check!(cuLogsDumpToFile(position, file.as_ptr(), 0)) }
        .or_detail(&[Code::InvalidValue], &|| format!("file `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{Arc, CUlogLevel_enum, FUNCTIONS, LogLevel, null_mut, receive};
    use std::sync::Mutex;

    #[test]
    fn messages_are_told_with_their_level() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&heard);
        let function = FUNCTIONS.add(Arc::new(move |level, text: &str| {
            to.lock().map(|mut heard| heard.push((level, text.to_owned()))).unwrap_or_default();
        }));
        let mut text = *b"not \xff text\n\0";
        let message = text.as_mut_ptr().cast();
        for (level, message, length) in [(0, message, 11), (1, message, 3), (7, null_mut(), 5)] {
            // SAFETY: the text is as long as that, or there is none.
            unsafe { receive(function.data(), CUlogLevel_enum(level), message, length) };
        }
        let heard = heard.lock().map(|heard| heard.clone()).unwrap_or_default();
        let texts =
            [(LogLevel::Error, "not \u{fffd} text"), (LogLevel::Warning, "not"), (LogLevel::Other(7), "")];
        assert_eq!(heard, texts.map(|(level, text)| (level, text.to_owned())));
    }
}
