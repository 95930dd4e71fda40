//! The call that created or released an object.

use crate::reports::ReportedCall;
use cuda_sys::Symbol;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Call of a driver function, for reports. The default stands for no call: objects that the driver
/// itself creates have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CallSite {
    /// Number of the call, above the number of the function.
    packed: u64,
}

/// Number of bits for the number of a function.
const FUNCTION_BITS: u32 = 16;

impl CallSite {
    pub(crate) fn new(function: Symbol, number: u64) -> CallSite {
        CallSite { packed: number << FUNCTION_BITS | function as u64 }
    }

    /// Returns the function and the number of the call, or `None` for the default.
    pub(crate) fn call(self) -> Option<ReportedCall> {
        let number = self.packed >> FUNCTION_BITS;
        let function = Symbol::all().nth((self.packed & ((1 << FUNCTION_BITS) - 1)) as usize)?;
        (number != 0).then_some(ReportedCall { function, number })
    }
}

thread_local! {
    /// Last call of the thread.
    static OWN_CALL: Cell<CallSite> = const { Cell::new(CallSite { packed: 0 }) };
}

/// Call in progress on a machine.
#[derive(Debug, Clone, Default)]
pub(crate) struct PresentCall(Arc<Present>);

#[derive(Debug, Default)]
struct Present {
    packed: AtomicU64,
    /// Backtraces of calls that created or released objects, by the numbers of the calls. `None` if backtraces are off.
    backtraces: Option<Mutex<BTreeMap<u64, Arc<str>>>>,
}

impl PresentCall {
    pub(crate) fn new(keeps_backtraces: bool) -> PresentCall {
        let backtraces = keeps_backtraces.then(Mutex::default);
        PresentCall(Arc::new(Present { packed: AtomicU64::new(0), backtraces }))
    }

    /// Begins or continues a call of this thread.
    pub(crate) fn set(&self, site: CallSite) {
        self.0.packed.store(site.packed, Ordering::Relaxed);
        OWN_CALL.set(site);
    }

    /// Returns the call in progress, for an object that is created or released. Stores its backtrace, if the call is of this
    /// thread: other threads do queued work.
    pub(crate) fn get(&self) -> CallSite {
        let site = CallSite { packed: self.0.packed.load(Ordering::Relaxed) };
        if let Some(backtraces) = &self.0.backtraces
            && let Some(call) = site.call()
            && OWN_CALL.get() == site
        {
            let mut known = backtraces.lock().unwrap_or_else(PoisonError::into_inner);
            known.entry(call.number).or_insert_with(|| backtrace().into());
        }
        site
    }

    /// Returns the backtrace of a call, if it was stored.
    pub(crate) fn backtrace(&self, call: ReportedCall) -> Option<Arc<str>> {
        let known = self.0.backtraces.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&call.number).cloned()
    }
}

/// Returns the functions of the program on the stack, one on each line. They begin above the driver, and end at the start of
/// the thread, or at code of this crate that has called the program.
fn backtrace() -> String {
    const MOST_FRAMES: usize = 16;
    let text = std::backtrace::Backtrace::force_capture().to_string();
    // A line with a number and a function, usually followed by one with its location.
    let mut frames: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        match (line.split_once(": "), frames.last_mut()) {
            (Some((number, name)), _) if number.parse::<u32>().is_ok() => frames.push(name.to_owned()),
            (_, Some(frame)) => *frame += &format!(" {line}"),
            _ => {}
        }
    }
    let is_of_driver = |frame: &String| {
        ["cuda_sim::", "<cuda_sim::", "cuda_sys::", "<cuda_sys::"]
            .iter()
            .any(|start| frame.starts_with(start))
    };
    // Between functions of the driver.
    let is_of_library = |frame: &String| {
        let name = frame.trim_start_matches('<');
        ["core::", "std::", "alloc::", "__rust_try"].iter().any(|start| name.starts_with(start))
    };
    let first = frames.iter().position(is_of_driver).unwrap_or(0);
    let inner = frames.iter().skip(first).take_while(|frame| is_of_driver(frame) || is_of_library(frame));
    let start = first + inner.count();
    let is_of_runtime = |frame: &&String| {
        ["__rust_begin_short_backtrace", "std::rt::lang_start", "__libc_start"]
            .iter()
            .any(|part| frame.contains(part))
    };
    let own = frames
        .iter()
        .skip(start)
        .take_while(|frame| !is_of_runtime(frame) && !is_of_driver(frame))
        .take(MOST_FRAMES);
    own.cloned().collect::<Vec<_>>().join("\n")
}
