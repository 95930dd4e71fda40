//! The log of refusals: its messages, its readers, and functions of the program that receive each message.
//!
//! Hardware logs one line for each call that fails, and one or two lines before it with the reasons. This driver has
//! only some of the reasons.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::rules::Needs;
use crate::driver::{Answer, Call, Continuation, State, Waiting, check_out, put, put_if_wanted};
use crate::float_environment::in_program;
use crate::thread;
use core::ffi::{CStr, c_char, c_uint, c_void};
use cuda_sys::{CUlogIterator, CUlogLevel_enum, CUlogsCallback, CUlogsCallbackHandle, CUresult, Symbol};
use std::collections::VecDeque;
use std::ffi::CString;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Number of messages that are kept (measured).
const KEPT: usize = 100;
/// Length at which a line is cut. A cut line has no line break (measured).
const LINE: usize = 255;

const ROLLED: &str =
    "Log buffer has rolled over since the previous dump. The oldest messages will be missing\n";
const CUT: &str =
    "The provided buffer is not large enough to hold all messages. Some messages will be missing\n";

#[derive(Default)]
pub(crate) struct ErrorLog {
    /// Newest messages, one line each.
    lines: VecDeque<String>,
    /// Number of the next message, counted from 0.
    next: CUlogIterator,
    /// Reasons for the refusal of the call in progress.
    reasons: Vec<String>,
    /// Set after the sticky failure is logged.
    has_told_failure: bool,
    /// Functions in the order of their registration.
    functions: Vec<(Handle, LogFunction)>,
    /// Messages that the functions have not received yet.
    untold: Vec<String>,
    turn: Arc<Turn>,
}

#[derive(Clone, Copy)]
struct LogFunction {
    function: unsafe extern "C" fn(*mut c_void, CUlogLevel_enum, *mut c_char, usize),
    data: *mut c_void,
}

// SAFETY: the program passes the pointer for use on any thread.
unsafe impl Send for LogFunction {}

/// Right to call the program's functions. One thread has it at a time, and may acquire it again (measured).
#[derive(Default)]
pub(crate) struct Turn {
    /// Thread, and the number of its acquisitions.
    owner: Mutex<Option<(u64, u32)>>,
    free: Condvar,
}

impl Turn {
    fn owner(&self) -> MutexGuard<'_, Option<(u64, u32)>> {
        self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) {
        let own = thread::number();
        let mut owner = self.owner();
        loop {
            match &mut *owner {
                None => break *owner = Some((own, 1)),
                Some((thread, times)) if *thread == own => break *times += 1,
                Some(_) => owner = self.free.wait(owner).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn give_back(&self) {
        let mut owner = self.owner();
        *owner = owner.and_then(|(thread, times)| (times > 1).then(|| (thread, times - 1)));
        if owner.is_none() {
            self.free.notify_all();
        }
    }
}

impl ErrorLog {
    /// Records a reason for the refusal of the call in progress.
    pub(crate) fn explain(&mut self, reason: impl Into<String>) {
        self.reasons.push(reason.into());
    }

    fn add(&mut self, message: String) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (day, milliseconds) = (now.as_secs() % (24 * 60 * 60), now.subsec_millis());
        let (hour, minute, second) = (day / 3600, day / 60 % 60, day % 60);
        let thread = thread::number();
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        let mut line =
            format!("[{hour:02}:{minute:02}:{second:02}.{milliseconds:03}][{thread}][CUDA][E] {message}\n");
        let end = (0..=LINE).rev().find(|end| line.is_char_boundary(*end));
        line.truncate(end.unwrap_or(0));
        self.lines.push_back(line);
        self.next = self.next.wrapping_add(1);
        if !self.functions.is_empty() {
            self.untold.push(message);
        }
    }

    /// Returns the function that was registered next. It may have been unregistered while another one ran.
    fn function_behind(&self, handle: Handle) -> Option<(Handle, LogFunction)> {
        self.functions.iter().find(|(known, _)| *known > handle).copied()
    }

    /// Moves an iterator, if there is one, past the newest message.
    ///
    /// # Safety
    ///
    /// `iterator` is null or valid for a write.
    unsafe fn advance(&self, iterator: *mut CUlogIterator) {
        if !self.lines.is_empty() {
            // SAFETY: the caller's promise.
            unsafe { put_if_wanted(iterator, self.next) };
        }
    }

    /// Returns the messages from a position on. If the oldest of them were discarded, a remark precedes them.
    fn from(&self, start: Option<CUlogIterator>) -> Answer<(&'static str, impl Iterator<Item = &String>)> {
        let kept = self.lines.len();
        let wanted = start.map_or(self.next, |start| self.next.wrapping_sub(start)) as usize;
        // Any position is valid as long as there are no messages (measured).
        if kept > 0 && start.is_some_and(|start| start > self.next) {
            return Err(INVALID);
        }
        let remark = if kept > 0 && wanted > kept { ROLLED } else { "" };
        Ok((remark, self.lines.iter().skip(kept.saturating_sub(wanted))))
    }
}

impl State {
    /// Logs the failure of a call.
    pub(crate) fn log_failure(&mut self, symbol: Symbol, needs: Needs, code: CUresult) {
        let log = &mut self.error_log;
        let reasons = core::mem::take(&mut log.reasons);
        // Queries of unfinished work and calls before the initialisation are not logged (measured). Functions that the
        // driver does not have are not logged either.
        let is_silent =
            matches!(code, CUresult::CUDA_ERROR_NOT_READY | CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
        if !self.initialized || is_silent {
            return;
        }
        if needs.reports_sticky() && self.sticky == Some(code) {
            if log.has_told_failure {
                log.add("Sticky error detected".to_owned());
            }
            log.has_told_failure = true;
        }
        if code == CUresult::CUDA_ERROR_INVALID_CONTEXT && matches!(needs, Needs::Current | Needs::Context) {
            log.add("No CUDA context is current to the calling thread".to_owned());
        }
        reasons.into_iter().for_each(|reason| log.add(reason));
        let name = code.name().unwrap_or("CUDA_ERROR_UNKNOWN");
        log.add(format!("Returning {} ({name}) from {symbol}", code.0));
    }

    /// Takes the messages for functions of the program, and the right to call them.
    pub(crate) fn take_untold(&mut self) -> Option<Untold> {
        let log = &mut self.error_log;
        if log.untold.is_empty() {
            return None;
        }
        let messages = core::mem::take(&mut log.untold);
        Some(Untold { messages, turn: Arc::clone(&log.turn) })
    }
}

/// Messages for functions of the program.
pub(crate) struct Untold {
    messages: Vec<String>,
    turn: Arc<Turn>,
}

impl Untold {
    /// Calls each function with each message. `lock` locks the machine.
    pub(crate) fn tell<'state>(self, lock: &dyn Fn() -> Option<MutexGuard<'state, State>>) {
        self.turn.take();
        for message in self.messages {
            let message = CString::new(message).unwrap_or_default();
            let mut after = Handle::NULL;
            while let Some((handle, LogFunction { function, data })) =
                lock().and_then(|state| state.error_log.function_behind(after))
            {
                after = handle;
                let text = message.as_ptr().cast_mut();
                // SAFETY: the program's promise at the registration of the function.
                in_program(|| unsafe {
                    function(data, CUlogLevel_enum::CU_LOG_LEVEL_ERROR, text, message.count_bytes());
                });
            }
        }
        self.turn.give_back();
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn register(
    call: &mut Call<'_>,
    function: CUlogsCallback,
    data: *mut c_void,
    to: *mut CUlogsCallbackHandle,
) -> Answer {
    let function = function.ok_or(INVALID)?;
    let handle = call.state.log_functions.take();
    call.state.error_log.functions.push((handle, LogFunction { function, data }));
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(to, handle.pointer()) };
    Ok(())
}

/// Unregisters a function. Waits for a call of it on another thread (measured).
pub(crate) fn unregister(call: &mut Call<'_>, handle: CUlogsCallbackHandle) -> Answer {
    let log = &mut call.state.error_log;
    if handle.is_null() {
        log.explain("Callback handle cannot be NULL");
        return Err(INVALID);
    }
    let handle = Handle::of(handle);
    // Hardware crashes for an unregistered handle.
    let found = log.functions.iter().position(|(known, _)| *known == handle).ok_or(INVALID)?;
    log.functions.remove(found);
    let turn = Arc::clone(&log.turn);
    call.waiting = Some(Waiting::ProgramCall(Box::new(move || {
        turn.take();
        turn.give_back();
        let done: Continuation = Box::new(|_| Ok(None));
        done
    })));
    Ok(())
}

/// Returns the current position. Flags are ignored (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn current(call: &mut Call<'_>, to: *mut CUlogIterator, _: c_uint) -> Answer {
    let log = &mut call.state.error_log;
    if to.is_null() {
        log.explain("Iterator cannot be NULL");
    }
    // SAFETY: the program's promise.
    unsafe { put(to, log.next) }
}

/// Reads an iterator, if there is one.
///
/// # Safety
///
/// `iterator` is null or valid for a read.
unsafe fn start(iterator: *mut CUlogIterator) -> Option<CUlogIterator> {
    // SAFETY: not null, so valid for a read.
    (!iterator.is_null()).then(|| unsafe { iterator.read() })
}

fn beyond(call: &mut Call<'_>, code: CUresult) -> CUresult {
    call.state.error_log.explain("CUlogIterator is beyond the end of the logs");
    code
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn dump_to_file(
    call: &mut Call<'_>,
    iterator: *mut CUlogIterator,
    path: *const c_char,
    _: c_uint,
) -> Answer {
    if path.is_null() {
        call.state.error_log.explain("pathToFile cannot be NULL");
        return Err(INVALID);
    }
    // SAFETY: the program's promise: a C string.
    let path = unsafe { CStr::from_ptr(path) };
    let name = path.to_string_lossy().into_owned();
    // The call always creates the file, and empties an existing one (measured).
    let Ok(mut file) = std::fs::File::create(&name) else {
        call.state.error_log.explain(format!("Unable to open file at {name} for dumping logs"));
        return Err(INVALID);
    };
    // SAFETY: the program's promise.
    let start = unsafe { start(iterator) };
    let text = call
        .state
        .error_log
        .from(start)
        .map(|(remark, lines)| lines.fold(remark.to_owned(), |text, line| text + line));
    let text = text.map_err(|code| beyond(call, code))?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(|_| INVALID)?;
    // SAFETY: the program's promise.
    unsafe { call.state.error_log.advance(iterator) };
    Ok(())
}

/// Writes the newest messages that fit, and a NUL. Hardware counts neither the remark nor all bytes of the messages,
/// and writes beyond the buffer.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn dump_to_memory(
    call: &mut Call<'_>,
    iterator: *mut CUlogIterator,
    buffer: *mut c_char,
    size: *mut usize,
    _: c_uint,
) -> Answer {
    check_out(buffer)?;
    check_out(size)?;
    // SAFETY: not null, so valid for a read.
    let room = unsafe { size.read() };
    // SAFETY: not null, so valid for a write.
    unsafe { size.write(0) };
    // SAFETY: the program's promise.
    let start = unsafe { start(iterator) };
    let found =
        call.state.error_log.from(start).map(|(remark, lines)| (remark, lines.cloned().collect::<Vec<_>>()));
    let (mut remark, lines) = found.map_err(|code| beyond(call, code))?;
    let whole = remark.len() + lines.iter().map(String::len).sum::<usize>();
    // A NUL follows the text.
    let mut first = 0;
    if whole > 0 && whole >= room {
        remark = CUT;
        let mut rest = whole;
        while first < lines.len() && remark.len() + rest >= room {
            rest = lines[first..].iter().skip(1).map(String::len).sum();
            first += 1;
        }
        if first == lines.len() {
            call.state.error_log.explain("Provided buffer is not large enough to write any logs to");
            return Err(INVALID);
        }
    }
    // SAFETY: the program's promise.
    unsafe { call.state.error_log.advance(iterator) };
    if whole == 0 {
        return Ok(());
    }
    let text = lines[first..].iter().fold(remark.to_owned(), |text, line| text + line);
    let length = text.len();
    let text = text + "\0";
    // SAFETY: the text and its NUL fit into the room, which is valid for writes.
    unsafe { text.as_ptr().copy_to_nonoverlapping(buffer.cast(), text.len()) };
    // SAFETY: not null, so valid for a write.
    unsafe { size.write(length) };
    Ok(())
}
