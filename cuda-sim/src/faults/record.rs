//! Records of calls, in memory and in a file.

use crate::console::say;
use cuda_sys::{CUdevice, CUresult, Symbol};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::thread::ThreadId;

/// Record of a call, in the order in which calls returned. See [`Machine::take_calls`](crate::Machine::take_calls).
///
/// # Examples
///
/// ```
/// use cuda_sim::{Config, Machine};
/// use cuda_sys::{CUresult, cuCtxCreate_v2, cuCtxSynchronize, cuInit};
///
/// cuda_sim::install_once().unwrap();
/// let machine = Machine::new(Config::default());
/// let entered = machine.enter();
/// let mut context = std::ptr::null_mut();
/// machine.record_calls();
/// // SAFETY: no flags, as the API demands.
/// unsafe { cuInit(0) };
/// // SAFETY: `context` is valid for a write.
/// unsafe { cuCtxCreate_v2(&mut context, 0, 1) };
/// // SAFETY: it has no arguments.
/// unsafe { cuCtxSynchronize() };
///
/// let calls = machine.take_calls();
/// assert_eq!((calls[1].context, calls[1].device), (None, None), "before it was there");
/// assert_eq!((calls[2].context, calls[2].device), (Some(context.addr()), Some(1)));
/// assert_eq!(calls[2].thread, std::thread::current().id());
/// # drop(entered);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// The function.
    pub function: Symbol,
    /// Returned code.
    pub code: CUresult,
    /// Thread that made the call.
    pub thread: ThreadId,
    /// Context that was current in the thread when the call began, as the number of its handle: the `addr` of a
    /// `CUcontext`.
    pub context: Option<usize>,
    /// Device of that context, if the context was alive.
    pub device: Option<CUdevice>,
}

/// File for calls.
#[derive(Debug)]
pub(crate) struct CallLog {
    file: File,
    /// Number of lines.
    lines: u64,
    /// Threads in the order of their first calls.
    threads: Vec<ThreadId>,
}

impl CallLog {
    /// Creates a file. If this fails, writes the reason to the standard error and returns `None`.
    pub(crate) fn begin(path: &Path) -> Option<CallLog> {
        match File::create(path) {
            Ok(file) => Some(CallLog { file, lines: 0, threads: Vec::new() }),
            Err(error) => {
                say(&format!("calls={}: {error}", path.display()));
                None
            }
        }
    }

    /// Writes a line. The line has reached the operating system when this returns, so that the end of the process does
    /// not lose it. A failed write does not affect the call.
    pub(super) fn write(&mut self, call: &CallRecord, done: &str) {
        self.lines += 1;
        let known = self.threads.iter().position(|thread| *thread == call.thread);
        let thread = 1 + known.unwrap_or_else(|| {
            self.threads.push(call.thread);
            self.threads.len() - 1
        });
        let code = call.code.name().map_or_else(|| call.code.0.to_string(), str::to_owned);
        let device = call.device.map_or_else(|| "-".to_owned(), |device| device.to_string());
        let blank = if done.is_empty() { "" } else { " " };
        let line = format!("{} {thread} {} {code} {device}{blank}{done}\n", self.lines, call.function);
        let _ = self.file.write_all(line.as_bytes());
    }
}
