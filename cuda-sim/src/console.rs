//! Output of messages of the driver to the standard error, and of kernels to the standard output.

use std::io::Write;
use std::sync::OnceLock;

/// Writes a line to the standard error. Has no effect if the standard error is closed.
pub(crate) fn say(line: &str) {
    say_plainly(&format!("cuda-sim: {line}"));
}

/// Writes a line without a prefix, as a driver on hardware does.
pub(crate) fn say_plainly(line: &str) {
    write_error(format!("{line}\n").as_bytes());
}

/// Writes to the standard error without the lock of [`std::io::Stderr`].
///
/// The machine is usually locked here. The thread that holds the lock of the standard error may be waiting for the
/// machine.
#[cfg(unix)]
fn write_error(text: &[u8]) {
    use std::os::fd::AsFd;
    if let Ok(error) = std::io::stderr().as_fd().try_clone_to_owned() {
        let _ = std::fs::File::from(error).write_all(text);
    }
}

/// Writes to the standard error.
#[cfg(not(unix))]
fn write_error(text: &[u8]) {
    let _ = std::io::stderr().write_all(text);
}

static PRINT: OnceLock<fn(&[u8])> = OnceLock::new();

/// Redirects the output of kernels from Rust's standard output to `print`, from the first call on.
#[doc(hidden)] // for the library, whose programs have a standard output of their own
pub fn print_with(print: fn(&[u8])) {
    let _ = PRINT.set(print);
}

/// Writes the output of kernels to the standard output. Has no effect if the standard output is closed.
pub(crate) fn print(text: &[u8]) {
    if text.is_empty() {
        return;
    }
    if let Some(print) = PRINT.get() {
        return print(text);
    }
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text);
    let _ = out.flush();
}
