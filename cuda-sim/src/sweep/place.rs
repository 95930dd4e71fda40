//! A machine for one scenario, and what a run leaves there.

#![allow(unsafe_code)]

use super::case::{Case, FaultKind, Function};
use crate::driver::{Machine, functions};
use crate::panics::message_of;
use crate::{CallRecord, Config, FaultRule, LiveHandles};
use core::ptr::null_mut;
use cuda_sys::{CUcontext, CUresult, CUstreamCaptureMode_enum as Mode};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a run, and everything that it has left on its machine.
pub(super) struct Outcome<R> {
    /// The panic's message, if it panicked.
    pub(super) result: Result<R, String>,
    pub(super) calls: Vec<CallRecord>,
    #[cfg(feature = "nvrtc")]
    pub(super) nvrtc_calls: Vec<crate::nvrtc::NvrtcCall>,
    /// Objects that the scenario has left alive.
    pub(super) live: LiveHandles,
    /// Number of contexts on the thread's stack, and whether the one of the beginning is alone there.
    pub(super) contexts: usize,
    pub(super) is_at_base: bool,
    /// The thread is in the capture mode of the beginning.
    pub(super) is_in_mode: bool,
}

/// A machine with one context, which is current in a run, so that a thread that loses it is noticed.
pub(super) struct Place {
    machine: Machine,
    base: CUcontext,
    /// Objects that are alive without a run.
    before: LiveHandles,
}

impl Place {
    /// The error is the call that has failed.
    pub(super) fn new(config: &Config) -> Result<Place, String> {
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

    /// Counts what is alive here, without the sweep's own objects.
    pub(super) fn live(&self) -> LiveHandles {
        self.machine.live().without(&self.before)
    }

    /// Runs a scenario, perhaps with a call that fails.
    pub(super) fn run<R>(&self, scenario: &dyn Fn() -> R, case: Option<&Case>) -> Outcome<R> {
        let _entered = self.machine.enter();
        // SAFETY: the context is alive as long as the machine.
        let _ = unsafe { (functions().cuCtxPushCurrent_v2)(self.base) };
        self.machine.record_calls();
        if let Some(case) = case {
            self.order(case);
        }
        let result = catch_unwind(AssertUnwindSafe(scenario)).map_err(message_of);
        self.machine.clear_faults();
        let calls = self.machine.calls();
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
            live: self.live(),
            contexts,
            is_at_base: contexts == 1 && last == self.base,
            is_in_mode: mode == Mode::CU_STREAM_CAPTURE_MODE_GLOBAL,
        }
    }

    fn order(&self, case: &Case) {
        match case.function {
            Function::Driver(_, code) => {
                let rule = FaultRule::any(code).skip(case.call).times(1);
                self.machine.inject(match case.kind {
                    FaultKind::Before => rule,
                    FaultKind::After => rule.after_work(),
                    FaultKind::Sticky => rule.sticky(),
                });
            }
            #[cfg(feature = "nvrtc")]
            Function::Nvrtc(_, code) => {
                let fault = crate::nvrtc::NvrtcFault::any(code).skip(case.call).times(1);
                let is_after = case.kind == FaultKind::After;
                self.machine.inject_nvrtc(if is_after { fault.after_work() } else { fault });
            }
        }
    }
}
