//! A machine for one run of a scenario, and the state that the run leaves. [`sweep`](crate::sweep) and
//! [`explore`](crate::explore) run scenarios.

#![allow(unsafe_code)]

use crate::config::Config;
use crate::driver::{Machine, OrderRecord, functions};
use crate::faults::CallRecord;
use crate::live::LiveHandles;
use crate::panics::message_of;
use crate::reports::{Report, ReportKind};
use core::ptr::null_mut;
use cuda_sys::{CUcontext, CUresult, CUstreamCaptureMode_enum as Mode};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Result of a run, and the state that it has left on its machine.
pub(crate) struct Outcome<R> {
    /// Result, or the message of a panic.
    pub(crate) result: Result<R, String>,
    pub(crate) calls: Vec<CallRecord>,
    #[cfg(feature = "nvrtc")]
    pub(crate) nvrtc_calls: Vec<crate::nvrtc::NvrtcCall>,
    /// Order of queued work, if it was recorded.
    pub(crate) order: OrderRecord,
    /// Finding about the reports that the scenario has not taken, if there are any.
    pub(crate) reported: Option<String>,
    /// Objects that the scenario has left alive.
    pub(crate) live: LiveHandles,
    /// True if the machine has a sticky failure.
    pub(crate) has_failed: bool,
    /// Number of contexts on the thread's stack, and whether it is only the initial one.
    pub(crate) contexts: usize,
    pub(crate) is_at_base: bool,
    /// True if the thread is in the initial capture mode.
    pub(crate) is_in_mode: bool,
}

/// Machine with one context, which is current during a run, so that a thread that loses it is detected.
pub(crate) struct Place {
    machine: Machine,
    base: CUcontext,
    /// Objects that are alive without a run.
    before: LiveHandles,
}

impl Place {
    /// Creates the machine. The error is the call that has failed.
    pub(crate) fn new(config: &Config) -> Result<Place, String> {
        let machine = Machine::new(config.clone());
        let entered = machine.enter();
        let check = |call: &str, code: CUresult| match code {
            CUresult::CUDA_SUCCESS => Ok(()),
            code => Err(format!("the machine cannot be prepared: {call}: {code}")),
        };
        // SAFETY: no flags, as the API demands.
        check("cuInit", unsafe { (functions().cuInit)(0) })?;
        let mut base = null_mut();
        // SAFETY: `base` is valid for a write.
        check("cuCtxCreate", unsafe { (functions().cuCtxCreate_v2)(&raw mut base, 0, 0) })?;
        let mut popped = null_mut();
        // SAFETY: `popped` is valid for a write.
        check("cuCtxPopCurrent", unsafe { (functions().cuCtxPopCurrent_v2)(&raw mut popped) })?;
        let before = machine.live();
        drop(entered);
        Ok(Place { machine, base, before })
    }

    /// Counts the live objects, except those of the sweep itself.
    pub(crate) fn live(&self) -> LiveHandles {
        self.machine.live().without(&self.before)
    }

    /// Runs a scenario on the machine. `prepare` runs last before the scenario.
    pub(crate) fn run<R>(&self, scenario: &dyn Fn() -> R, prepare: impl FnOnce(&Machine)) -> Outcome<R> {
        let _entered = self.machine.enter();
        // SAFETY: the context is alive as long as the machine.
        let _ = unsafe { (functions().cuCtxPushCurrent_v2)(self.base) };
        self.machine.record_calls();
        prepare(&self.machine);
        let result = catch_unwind(AssertUnwindSafe(scenario)).map_err(message_of);
        self.machine.clear_faults();
        let order = self.machine.take_order();
        let reported = finding_of(&self.machine.take_reports());
        let calls = self.machine.take_calls();
        #[cfg(feature = "nvrtc")]
        let nvrtc_calls = self.machine.nvrtc_calls();
        let mut mode = Mode::CU_STREAM_CAPTURE_MODE_GLOBAL;
        // SAFETY: `mode` is valid for reads and writes.
        let _ = unsafe { (functions().cuThreadExchangeStreamCaptureMode)(&raw mut mode) };
        let (mut contexts, mut last) = (0, null_mut());
        // SAFETY: `last` is valid for a write.
        while unsafe { (functions().cuCtxPopCurrent_v2)(&raw mut last) }.is_success() {
            contexts += 1;
        }
        Outcome {
            result,
            calls,
            #[cfg(feature = "nvrtc")]
            nvrtc_calls,
            order,
            reported,
            live: self.live(),
            has_failed: self.machine.has_failed(),
            contexts,
            is_at_base: contexts == 1 && last == self.base,
            is_in_mode: mode == Mode::CU_STREAM_CAPTURE_MODE_GLOBAL,
        }
    }
}

/// Describes the first of some reports, except those of injected faults.
fn finding_of(reports: &[Report]) -> Option<String> {
    let mut reports = reports.iter().filter(|report| report.kind != ReportKind::InjectedFault);
    let first = reports.next()?;
    let place = first.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
    let others = match reports.count() {
        0 => String::new(),
        1 => " (and 1 more report)".to_owned(),
        more => format!(" (and {more} more reports)"),
    };
    Some(format!("reported: {}{place}{others}", first.summary))
}
