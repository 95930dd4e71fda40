//! The call that created or released an object.

use crate::reports::ReportedCall;
use cuda_sys::Symbol;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Call of a driver function, for reports. `None` for objects that the driver itself creates.
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

    /// Returns the function and the number of the call.
    pub(crate) fn call(self) -> Option<ReportedCall> {
        let number = self.packed >> FUNCTION_BITS;
        let function = Symbol::all().nth((self.packed & ((1 << FUNCTION_BITS) - 1)) as usize)?;
        (number != 0).then_some(ReportedCall { function, number })
    }
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

    pub(crate) fn set(&self, site: CallSite) {
        self.0.packed.store(site.packed, Ordering::Relaxed);
    }

    /// Returns the call in progress, for an object that is created or released.
    pub(crate) fn get(&self) -> CallSite {
        let site = CallSite { packed: self.0.packed.load(Ordering::Relaxed) };
        if let Some(backtraces) = &self.0.backtraces
            && let Some(call) = site.call()
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

/// Returns the functions of the program on the stack, one on each line, without those of the driver.
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
    let start = frames.iter().rposition(is_of_driver).map_or(0, |last| last + 1);
    let is_of_runtime = |frame: &&String| {
        ["__rust_begin_short_backtrace", "std::rt::lang_start", "__libc_start"]
            .iter()
            .any(|part| frame.contains(part))
    };
    let own = frames.iter().skip(start).take_while(|frame| !is_of_runtime(frame)).take(MOST_FRAMES);
    own.cloned().collect::<Vec<_>>().join("\n")
}
